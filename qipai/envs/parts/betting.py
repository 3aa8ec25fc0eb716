"""What games of betting by turns share: the seats still in, the pot, the log of actions, and rounds
of bets.

A record ``s`` has the fields that a function names; by seat are ``live`` (dealt in and not out) and
``stake`` (what was put in in this hand).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from qipai.envs.fields import Field
from qipai.envs.kernel import inlined, kernel
from qipai.envs.layout import NONE, Actions, put_seat
from qipai.envs.match import PLAYING
from qipai.envs.parts.shares import share
from qipai.envs.rng import below

LOG = 20  # actions kept in order
MOST = 10**9  # actions of a hand that can be counted

# --- Seats -------------------------------------------------------------------------------------


@inlined
def players(s, can_play):
    """How many seats could be dealt in, by the game's kernel ``can_play(s, seat)``."""
    count = 0
    for seat in range(s.seats):
        count += can_play(s, seat)
    return count


@inlined
def random_player(s, can_play):
    """One of the seats that could be dealt in; −1 if there is none."""
    left = below(s.rng, players(s, can_play))
    drawn = -1
    for seat in range(s.seats):
        left -= can_play(s, seat)
        if left < 0 and drawn < 0:
            drawn = seat
    return drawn


@kernel
def live_seats(s):
    count = 0
    for seat in range(s.seats):
        count += s.live[seat]
    return count


@kernel
def next_live(s, seat):
    """The next live seat after this one; itself if there is no other."""
    for k in range(1, s.seats):
        following = (seat + k) % s.seats
        if s.live[following]:
            return following
    return seat


@kernel
def to_act(s, first, count):
    """The first live one of ``count`` seats from ``first`` on that has not ``acted``, or NONE."""
    for k in range(count):
        seat = (first + k) % s.seats
        if s.live[seat] and not s.acted[seat]:
            return seat
    return NONE


# --- Coins -------------------------------------------------------------------------------------


@kernel
def pot(s):
    """All stakes."""
    total = 0
    for seat in range(s.seats):
        total += s.stake[seat]
    return total


@kernel
def first_winner(s):
    """The first seat after the ``banker``, itself the last, that has ``won``."""
    for k in range(1, s.seats + 1):
        seat = (s.banker + k) % s.seats
        if s.won[seat]:
            return seat
    return NONE


def winners(s: np.void) -> list[int]:
    """All that have ``won``, in the order in which odd coins go to them."""
    order = [(s["banker"] + k) % s["seats"] for k in range(1, int(s["seats"]) + 1)]
    return [int(seat) for seat in order if s["won"][seat]]


@kernel
def divide(s, coins):
    """Add to ``coins`` of all that have ``won`` an equal part; what is left over goes one by one to
    the first of them after the ``banker``."""
    share(coins, s.won, s.coins, s.seats, (s.banker + 1) % s.seats)


# --- The log: action i of a hand stands at i mod LOG of ``log_seat`` and ``log_action`` ----------


def log_fields(actions: Actions) -> tuple[Field, ...]:
    """The fields of the log of a game with these actions."""
    return (
        Field.number("log_count", MOST, "actions of this hand; entry i stands at i mod LOG"),
        Field.seat("log_seat", "who acted", LOG, empty=True),
        Field.action("log_action", actions, "what was done", LOG),
    )


def log_contradiction(s: np.void) -> str | None:
    """What can't be in a log: ``Game.contradiction``."""
    kept = min(LOG, int(s["log_count"]))
    for name in ("log_seat", "log_action"):
        if (s[name][:kept] == NONE).any() or (s[name][kept:] != NONE).any():
            return f"{name} has not {kept} entries, as log_count={s['log_count']} says"
    return None


@kernel
def log(s, seat, action):
    place = s.log_count % LOG
    s.log_seat[place] = seat
    s.log_action[place] = action
    s.log_count += 1


@kernel
def log_in_round(s, seat, action):
    """Log an action; it is the seat's ``last_action`` in this betting round (``street``)."""
    s.last_action[s.street, seat] = action
    log(s, seat, action)


@kernel
def is_on_record(s):
    """Whether the log tells all that happened in this hand: it goes back to the first action, and
    nobody dealt in has left."""
    for seat in range(s.seats):
        if s.dealt_in[seat] and s.away[seat]:
            return False
    return s.log_count <= LOG


@kernel
def next_logged(s, later):
    """The action after those logged in ``s``, by the log of a later table of the same hand; NONE
    if there is none."""
    number = s.log_count
    return np.int64(later.log_action[number] if number < later.log_count else NONE)


@inlined
def put_log(out, v, seat, seats):
    """Write the log to ``out`` (LOG, seats + actions), newest action first: flags by place after
    the own seat, then of the action."""
    for k in range(min(LOG, v.log_count)):
        place = (v.log_count - 1 - k) % LOG
        put_seat(out[k], seat, v.log_seat[place], v.seats)
        out[k, seats + v.log_action[place]] = 1


def log_lines(v: np.void, actions: Actions) -> tuple[str, ...]:
    """The log in words, ``seat: action``, oldest first."""
    count = int(v["log_count"])
    return tuple(
        f"{int(v['log_seat'][i % LOG])}: {actions.name(int(v['log_action'][i % LOG]))}"
        for i in range(max(0, count - LOG), count)
    )


# --- Rounds of bets: ``street`` is the number of the round, from 0 -------------------------------


def fields(seats: int, rounds: int, actions: Actions) -> tuple[Field, ...]:
    """The fields of a game that bets in so many rounds, with these actions."""
    return (
        Field.seat("winner", "of the last hand; none until this one ends", empty=True, kept=True),
        Field.number("street", rounds - 1, "betting round less one", start=-1),
        Field.coins("level", "what a live seat must have put in in this round"),
        Field.coins("stake", "put in in this hand, ante included", seats),
        Field.coins("paid", "put in by round, ante not counted", (rounds, seats)),
        *log_fields(actions),
        Field.action("last_action", actions, "in each round", (rounds, seats)),
        Field.seat("opener", "who spoke first; none: nobody was asked", rounds, empty=True),
        Field.flag("acted", "since the last raise of this round", seats),
        Field.flag("dealt_in", "has got cards in this hand", seats),
        Field.flag("live", "dealt in and neither folded nor gone", seats),
        Field.flag("shown", "the live seats have turned their hole cards"),
    )


def fled_field(seats: int) -> Field:
    """The field of escapes."""
    return Field.flag("fled", "dealt in and left during this hand", seats)


def fled_contradiction(s: np.void) -> str | None:
    """What can't be in the field of escapes: ``Game.contradiction``."""
    fled = s["dealt_in"] & s["away"]
    if (s["fled"] != fled).any():
        return f"fled is {s['fled'].tolist()}: by dealt_in and away it is {fled.tolist()}"
    return None


def as_dealt(s: np.void) -> np.void:
    """A copy of a table with the stacks that the deal found, and away who was away then."""
    before = s.copy()
    before["stack"] -= before["coins"]
    before["away"] &= before["dealt_in"] == 0
    return before


def rounds_in(s: np.void, fold: int | np.integer) -> np.ndarray:
    """In how many rounds each seat has been, int (seats,); that in which it folded counts."""
    folds = s["last_action"] == fold
    last = np.where(folds.any(axis=0), folds.argmax(axis=0), s["street"])
    return np.where(s["dealt_in"], last + 1, 0)


def contradiction(
    s: np.void, can_play: Callable[..., Any], settle: Callable[..., Any], fold: int | np.integer
) -> str | None:
    """What can't be at a table that bets in rounds: ``Game.contradiction``.

    Args:
        can_play: the game's kernel ``can_play(s, seat)`` of who is dealt in.
        settle: its kernel ``settle(s)``, by which a hand goes to its winner.
        fold: its action of folding.
    """
    return (
        _wrong_end(s)
        or _wrong_settlement(s, settle)
        or _wrong_seats(s, can_play, fold)
        or _wrong_rounds(s, fold)
        or _wrong_bets(s)
        or log_contradiction(s)
    )


def _wrong_seats(s: np.void, can_play: Callable[..., Any], fold: int | np.integer) -> str | None:
    """Who is dealt in, who is live, and whose turn it is."""
    before, folded = as_dealt(s), (s["last_action"] == fold).any(axis=0)
    for seat in range(len(s["live"])):
        here, live = bool(s["dealt_in"][seat]), bool(s["live"][seat])
        if here != (seat < s["seats"] and bool(can_play(before, seat))):
            return f"dealt_in[{seat}] is {here:d}: it goes by the seat's stack and whether it left"
        if live != (here and not folded[seat]):
            return f"live[{seat}] is {live:d}: live are those dealt in that have not folded"
        if live and s["away"][seat]:
            return f"live[{seat}] is 1, but the seat has left"
    turn = int(s["turn"])
    if turn < 0 or (not s["ended"] and (not s["live"][turn] or s["acted"][turn])):
        return f"turn is {turn}: expected a live seat that has not acted in this round"
    return None


def _wrong_end(s: np.void) -> str | None:
    """Whether the hand has ended, and how."""
    ended, live, winner = bool(s["ended"]), int(s["live"].sum()), int(s["winner"])
    if live < (1 if ended else 2):
        return f"live has {live} seats in a hand that has {'' if ended else 'not '}ended"
    if ended == (winner == NONE):
        return f"winner is {winner} of a hand that has {'' if ended else 'not '}ended"
    if ended and not s["live"][winner]:
        return f"winner is {winner}, a seat that is out"
    if s["shown"] != (ended and live > 1):
        return f"shown is {s['shown']}: {live} seats are live, and the hand's end is {ended}"
    if s["shown"] and s["street"] < len(s["paid"]) - 1:
        return f"street is {s['street']}, but the hole cards are shown, as after the last round"
    return None


def _wrong_settlement(s: np.void, settle: Callable[..., Any]) -> str | None:
    """What is paid at the end of a hand, and nothing before it; whether the match has ended."""
    paid = s.copy()
    paid["stack"] -= paid["coins"]
    paid["coins"], paid["house"], paid["over"] = 0, 0, PLAYING
    if s["ended"]:
        settle(paid)
    for name in ("coins", "house", "over"):
        if (s[name] != paid[name]).any():
            return f"{name} is {s[name].tolist()}: expected {paid[name].tolist()}"
    return None


def _wrong_rounds(s: np.void, fold: int | np.integer) -> str | None:
    """What seats did by round, before they folded, and who spoke first."""
    rounds, street = rounds_in(s, fold), int(s["street"])
    out = np.arange(len(s["paid"]))[:, None] >= rounds
    said = s["last_action"] != NONE
    for name, done in (("last_action", said), ("paid", s["paid"] > 0)):
        if (done & out).any():
            at = [int(i) for i in np.argwhere(done & out)[0]]
            return f"{name}{at} is {s[name][tuple(at)]} of a seat that is not in that round"
    if ((s["paid"] > 0) & ~said).any():
        at = [int(i) for i in np.argwhere((s["paid"] > 0) & ~said)[0]]
        return f"paid{at} is {s['paid'][tuple(at)]} of a seat that has done nothing in that round"
    for k, opener in enumerate(s["opener"].tolist()):
        if opener == NONE and (said[k].any() or (k == street and not s["ended"])):
            return f"opener[{k}] is {opener}, but seats were asked in that round"
        if opener != NONE and k >= rounds[opener]:
            return f"opener[{k}] is {opener}, a seat that is not in that round"
    if said.sum() > s["log_count"]:
        return f"log_count is {s['log_count']}: by last_action there were at least {said.sum()}"
    strangers = (s["log_seat"] != NONE) & (s["dealt_in"][s["log_seat"]] == 0)
    if strangers.any():
        return f"log_seat has {s['log_seat'][strangers][0]}, a seat that is not dealt in"
    return None


def _wrong_bets(s: np.void) -> str | None:
    """What was put in by round, for the level, and in all."""
    levels, street = s["paid"].max(axis=1), int(s["street"])
    if s["level"] != levels[street]:
        return f"level is {s['level']}, but the most that was put in is {levels[street]}"
    stacks = as_dealt(s)["stack"]
    stakes = s["dealt_in"] * (s["rules"]["ante"] + s["paid"].sum(axis=0))
    for seat in range(len(stakes)):
        stake = s["stake"][seat]
        if stake != stakes[seat]:
            return f"stake[{seat}] is {stake}: ante and bets come to {stakes[seat]}"
        if stake > stacks[seat]:
            return f"stake[{seat}] is {stake}, more than its stack of {stacks[seat]}"
        called = street + bool(s["acted"][seat] if not s["ended"] else s["shown"])
        short = np.flatnonzero(s["paid"][:called, seat] < levels[:called])
        if s["live"][seat] and len(short) and stake < stacks[seat]:
            at = (int(short[0]), seat)
            return f"paid{list(at)} is {s['paid'][at]}: expected {levels[at[0]]}, as the others"
    return None
