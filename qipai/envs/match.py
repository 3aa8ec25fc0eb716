"""What happens around the decisions of any game: the hands of a match, coins, seats that left.

Games call ``close_hand`` once their coins are settled; all else is called by the front ends. The
names ``deal``, ``legal``, ``apply``, ``conceal``, ``redeal``, ``observe``, ``default``, ``leave``
and ``restart`` are the game's own kernels, put in place by ``game_kernels``.
Coins go to a ``purse``: int64 (seats + 1), one entry per seat and the house last.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from qipai.envs.kernel import addressable, begin_anew, bind, inlined, kernel
from qipai.envs.rng import below, entropy, next_block, seed_stream

if TYPE_CHECKING:
    from qipai.envs.game import Game

    apply: Any = None
    deal: Any = None
    default: Any = None
    leave: Any = None
    legal: Any = None
    conceal: Any = None
    redeal: Any = None
    observe: Any = None
    restart: Any = None

PLAYING, ENDED, CUT_OFF = range(3)  # values of ``over``; CUT_OFF: a limit of length ended the match
NO_ACTION = -1  # to ``step_tables``: only what follows, e.g. a new match where one is over


@inlined
def next_seat(s, seat):
    """The seat after this one in playing order."""
    return seat + 1 if seat + 1 < s.seats else 0


@inlined
def count_seats(s, holds):
    """How many seats there are for which the game's kernel ``holds(s, seat)`` is true."""
    count = 0
    for seat in range(s.seats):
        count += holds(s, seat)
    return count


@inlined
def draw_seat(s, holds):
    """One of those seats by lot; −1 if there is none."""
    left = below(s.rng, count_seats(s, holds))
    drawn = -1
    for seat in range(s.seats):
        left -= holds(s, seat)
        if left < 0 and drawn < 0:
            drawn = seat
    return drawn


@kernel
def close_hand(s):
    """Pay ``coins`` into the stacks; the hand has ended, and after the last one the match."""
    for seat in range(s.seats):
        s.stack[seat] += s.coins[seat]
    s.ended = True
    if s.hand + 1 >= s.rules.hands:
        s.over = ENDED


@kernel
def end_match_below(s, least):
    """The match is over if a stack has come below ``least`` coins."""
    for seat in range(s.seats):
        if s.stack[seat] < least:
            s.over = ENDED


@inlined
def clear(s):
    """Forget the coins of the step before."""
    s.coins[:] = 0
    s.house = 0
    s.ended = False


@inlined
def collect(s, purse):
    """Add the coins just settled to ``purse``."""
    for seat in range(s.seats):
        purse[seat] += s.coins[seat]
    purse[s.seats] += s.house


def run_on(s, purse):
    """Collect, and play the house's part for seats that left, to a decision or a hand's end."""
    collect(s, purse)
    while not s.ended and s.away[s.turn]:
        clear(s)
        apply(s, np.int64(default(s)))  # numba takes a constant for a type of its own
        collect(s, purse)


def play(s, action, purse):
    """Play one decision of the seat to act."""
    clear(s)
    apply(s, action)
    run_on(s, purse)


def depart(s, seat, purse):
    """Let ``seat`` leave (逃跑) by the game's own rule; the house plays for it from now on."""
    clear(s)
    s.away[seat] = True
    leave(s, seat)
    run_on(s, purse)


def begin_hand(s, fresh, purse):
    """Deal the next hand, from a block of random numbers of its own.

    All but what is kept from hand to hand begins as on the table ``fresh``.
    """
    begin_anew(s, fresh)
    s.hand += 1
    next_block(s.rng)
    deal(s)
    run_on(s, purse)


def begin_hands(s, fresh, purse):
    """Hands up to a decision, or to the end of the match."""
    while s.ended and s.over == PLAYING:
        begin_hand(s, fresh, purse)


def rewind(s, later, fresh):
    """Bring ``s``, a copy of the table ``later``, to the first decision of its hand; whether that
    can be done."""
    begin_anew(s, fresh)
    return restart(s, later)


def start(tables, i, blank):
    """Put a new match on table i: the rules of ``blank``, the table's own random state, no hand."""
    key, count, secret = tables[i].rng.key, tables[i].rng.count, tables[i].rng.secret
    tables[i] = blank[0]
    s = tables[i]
    s.rng.key = key
    s.rng.count = count
    s.rng.secret = secret
    s.seats = s.rules.seats
    s.hand = -1
    s.ended = True
    for seat in range(s.seats):
        s.stack[seat] = s.rules.stack[seat]


# Loops over tables. ``where`` (k,) int64 names the tables; all other arrays are indexed by table,
# but for ``actions`` (k,).


def seed_tables(tables, where, bits, streams):
    """Seed table i's generator from its own stream number."""
    for i in where:
        seed_stream(tables[i].rng, bits, streams[i])


def begin_tables(tables, where, blank):
    """Clear each table for a hand; nothing is dealt yet."""
    for i in where:
        begin_anew(tables[i], blank[0])


def start_tables(tables, where, blank):
    """Put a new match on each table; nothing is dealt yet."""
    for i in where:
        start(tables, i, blank)


def play_tables(tables, where, actions, purses):
    """One decision on each table, up to the next one or to the hand's end."""
    for k in range(len(where)):
        play(tables[where[k]], actions[k], purses[where[k]])


def depart_tables(tables, where, seats, purses):
    """Seat ``seats[k]`` leaves each table."""
    for k in range(len(where)):
        depart(tables[where[k]], seats[k], purses[where[k]])


def deal_tables(tables, where, blank, purses):
    """The next hand on each table."""
    for i in where:
        begin_hand(tables[i], blank[0], purses[i])


def encode_view(v, seat, values, visible, o, known):
    """Encode a view for a seat to ``values`` and ``visible``, whose records are o and ``known``."""
    values[:] = 0
    visible[:] = True
    observe(v, seat, o, known)
    o.hand[0] = v.hand
    o.hand[1] = v.rules.hands - 1 - v.hand


def step_tables(
    tables,
    where,
    actions,
    blank,
    purses,
    opening,
    over,
    scratch,
    turns,
    masks,
    values,
    visible,
    records,
    known,
):
    """One decision on each table (none for NO_ACTION), then all that follows up to the next.

    Finished matches start anew; ``opening`` holds the coins of hands that ended before their first
    decision, for the next step. Then turn, legal actions and observation of the seat to act.
    """
    for k in range(len(where)):
        i = where[k]
        s = tables[i]
        if actions[k] != NO_ACTION:
            for side in range(purses.shape[1]):
                purses[i, side] = opening[i, side]
                opening[i, side] = 0
            play(s, actions[k], purses[i])
        begin_hands(s, blank[0], purses[i])
        over[i] = s.over
        if s.over != PLAYING:
            start(tables, i, blank)
            begin_hands(s, blank[0], opening[i])
        masks[i] = 0
        seat = s.turn
        turns[i] = seat
        legal(s, masks[i])
        scratch[0] = s
        conceal(scratch[0], seat)
        encode_view(scratch[0], seat, values[i], visible[i], records[i], known[i])


def mask_tables(tables, where, masks):
    """Mark the legal actions of the seat to act."""
    for i in where:
        masks[i] = 0
        if tables[i].over == PLAYING:
            legal(tables[i], masks[i])


def default_tables(tables, where, actions):
    """The house's action for the seat to act on table ``where[k]``."""
    for k in range(len(where)):
        actions[k] = default(tables[where[k]])


def view_tables(tables, where, seats, views):
    """Write table ``where[k]`` as ``seats[k]`` may see it to ``views[k]``."""
    for k in range(len(where)):
        views[k] = tables[where[k]]
        conceal(views[k], seats[k])


def redeal_views(views, seats, bits):
    """Fill what ``seats[k]`` can't see in view k again, from stream k of the entropy ``bits``."""
    for k in range(len(views)):
        seed_stream(views[k].rng, bits, k)
        redeal(views[k], seats[k])


def encode_views(views, seats, values, visible, records, known):
    """Encode ``views[k]`` for ``seats[k]``."""
    for k in range(len(views)):
        encode_view(views[k], seats[k], values[k], visible[k], records[k], known[k])


@dataclass(frozen=True)
class Engine:
    """The loops above, compiled for one game."""

    seed_tables: Callable[..., None]
    begin_tables: Callable[..., None]
    start_tables: Callable[..., None]
    play_tables: Callable[..., None]
    depart_tables: Callable[..., None]
    deal_tables: Callable[..., None]
    step_tables: Callable[..., None]
    mask_tables: Callable[..., None]
    default_tables: Callable[..., None]
    view_tables: Callable[..., None]
    redeal_views: Callable[..., None]
    encode_views: Callable[..., None]


@functools.cache
def game_kernels(game: Game) -> dict[str, Callable[..., Any]]:
    """What any loop over tables of a game calls, by the names it is called by: the game's kernels,
    and around them ``start``, ``play``, ``depart``, ``begin_hand`` and ``begin_hands``."""
    own = {
        "deal": game.deal,
        "apply": game.apply,
        "default": game.default,
        "leave": game.leave,
        "legal": game.legal,
        "conceal": game.conceal,
        "redeal": game.redeal,
        "observe": game.observe,
    }

    def bound(loop: Callable[..., Any], **names: Callable[..., Any]) -> Any:
        return bind(loop, game.name, inlined, **own, **names)

    run = bound(run_on)
    opened = bound(begin_hand, run_on=run)
    return {
        **own,
        "begin_hand": opened,
        "begin_hands": bound(begin_hands, begin_hand=opened),
        "start": bound(start),
        "play": bound(play, run_on=run),
        "depart": bound(depart, run_on=run),
        "encode_view": bound(encode_view),
        **({"rewind": bound(rewind, restart=game.restart)} if game.restart else {}),
    }


def unplayed(game: Game, seed: int | None = None, **options: Any) -> np.ndarray:
    """An array of one table with these options, before the first deal of a match."""
    table, one = addressable(np.zeros(1, game.state)), np.zeros(1, np.int64)
    loops = engine(game)
    loops.seed_tables(table, one, entropy(seed), one)
    loops.start_tables(table, one, addressable(game.blank(game.options(None, **options))))
    return table


@functools.cache
def engine(game: Game) -> Engine:
    """Every loop of this module with the game's kernels in place; compiled when first called."""
    names = Engine.__dataclass_fields__
    return Engine(**{n: bind(globals()[n], game.name, kernel, **game_kernels(game)) for n in names})


def as_begun(s: np.void, back: np.ndarray | None = None) -> np.void:
    """A copy of a table on which the coins of its hand are not settled yet, and it has not ended.

    ``back``: flags by seat of those that take part in the hand, so that none of them had left.
    """
    table = addressable(np.array([s], s.dtype))[0]
    table["stack"] -= s["coins"] * s["ended"]
    table["coins"] = table["house"] = 0
    table["ended"], table["over"] = False, PLAYING
    if back is not None:
        table["away"][back != 0] = 0
    return table


def encoding_room(game: Game, n: int) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Where ``encode_views`` writes: float32 (n, width), bool (n, width), and both as records."""
    values = np.empty((n, game.observation.width), np.float32)
    visible = np.empty(values.shape, np.bool_)
    return values, visible, *game.observation.records(values, visible)


def encoded(game: Game, views: np.ndarray, seats: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """What the seats observe of views: float32 (n, width), and bool (n, width), False if hidden.

    Args:
        views: records (n,) of ``game.state`` that can be, or full tables.
        seats: int64 (n,), from whose side.
    """
    room = encoding_room(game, len(views))
    views = addressable(np.ascontiguousarray(views))
    engine(game).encode_views(views, np.asarray(seats, np.int64), *room)
    return room[:2]
