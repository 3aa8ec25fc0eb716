"""Bets on hands that lie face down (parts/unseen_hands.py): by turns, at the single price for a
seat that has not looked at its cards, at the double one for a seat that has.

A record ``s`` has the ``fields`` of both, and the rule ``cap``. Here hands end when ``reason`` is
set; the game then settles them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from qipai.envs.fields import Field, Shape, unlike
from qipai.envs.kernel import inlined, kernel
from qipai.envs.layout import NONE, Actions, Range, put_seat
from qipai.envs.match import ENDED, PLAYING, as_begun
from qipai.envs.options import Option, integer
from qipai.envs.parts.betting import (
    LOG,
    MOST,
    first_winner,
    live_seats,
    log,
    log_contradiction,
    log_fields,
    log_lines,
    next_live,
    next_logged,
    pot,
    put_log,
    winners,
)
from qipai.envs.parts.unseen_hands import (
    hand_name,
    special,
    strength,
    zones,
)
from qipai.envs.scene import Place, Scene, cards_seen

FOLD = 0  # the first action
FOLDED = 0  # how a seat went out; other ways are the game's
LAST_SEAT, OPENED, CAPPED = range(3)  # what ended a hand


def cap_option(clause: str) -> Option:
    """The option of how much a seat may put in."""
    return integer(
        "cap", 101, low=11, high=1001, meaning="封顶: most antes a seat may put in", clause=clause
    )


def add_actions(actions: Actions, raises: Sequence[str], legal_when: str) -> tuple[np.int64, ...]:
    """Add FOLD, call, these raises, look and open; returns the first id of each."""
    return (
        actions.add("fold", ["fold"], "always"),
        actions.add("call", ["call"], "always"),
        actions.add("raise", raises, legal_when),
        actions.add("look", ["look"], "not looked yet, and the double price within the allowance"),
        actions.add("open", ["open"], "two live seats, and twice the price within the allowance"),
    )


def fields(seats: int, actions: Actions, ways: Sequence[str], raises: Shape) -> tuple[Field, ...]:
    """The fields of bets.

    Args:
        ways: how a seat may go out, the first by a fold.
        raises: the shape in which raises are counted, seats first.
    """
    return (
        Field.flag("live", "dealt in and not out", seats),
        Field.choice("out", ways, "how it went out", seats, empty=True),
        Field.coins("unit", "what a call costs a seat that has not looked"),
        Field.coins("limit", "the most it may put in in this hand", seats),
        Field.coins("stake", "put in in this hand, ante included", seats),
        Field.number("blind_bets", MOST, "how often it paid without having looked", seats),
        Field.number("looked_bets", MOST, "how often it paid after a look", seats),
        Field.number("raises", MOST, "raises made", raises),
        Field.coins("look_unit", "the unit when it looked; 0: has not", seats),
        Field.action("last_action", actions, "but for looks", seats),
        Field.seat("last_actor", "who acted last; none: nobody yet", empty=True),
        Field.number("circles", MOST, "how often the turn has passed the banker"),
        Field.choice(
            "reason", ("last seat", "opened", "capped"), "what ended the hand", empty=True
        ),
        Field.seat("opener", "loses where hands are equal; none: there is none", empty=True),
        Field.number("won", 1, "wins the pot, or a part of it", seats),
        Field.seat(
            "winner",
            "of several the first after the banker; none until this hand ends",
            empty=True,
            kept=True,
        ),
        *log_fields(actions),
    )


# --- What can be on a table ----------------------------------------------------------------------


def bet_faults(
    s: np.void, ante: int, limit_of: Callable[..., Any], opening: int | np.integer
) -> Iterator[str]:
    """What can't be among bets, sentence by sentence: ``Game.contradiction``.

    Args:
        ante: of this hand.
        limit_of: the game's kernel ``limit_of(s, seat)``, of the most that a seat may put in.
        opening: the action that opens two hands.
    """
    playing, live, dealt_in = not s["ended"], s["live"], s["dealt_in"]
    start = as_begun(s, s["dealt_in"])
    limits = [int(limit_of(start, p)) if dealt_in[p] else 0 for p in range(len(dealt_in))]
    yield from unlike(s, "limit", limits, "by cap and stack")
    for name, nothing in _WITHOUT_CARDS.items():
        if (s[name][dealt_in == 0] != nothing).any():
            yield f"{name} has an entry of a seat that is not dealt in"
    if (s["looked"] > dealt_in).any():
        yield "dealt_in is 0 for a seat that has looked at its cards"
    if not dealt_in[s["banker"]]:
        yield f"banker is {s['banker']}, a seat that is not dealt in"
    yield from unlike(s, "live", dealt_in * (s["out"] == NONE), "1 if dealt in and not out")
    if (live & s["away"]).any():
        yield f"live[{np.argmax(live & s['away'])}] is 1 for a seat that has left"
    if live.sum() < 1 + playing:
        yield f"live has {live.sum()} seats, and the hand has{' not' * playing} ended"
    if playing and not live[s["turn"]]:
        yield f"turn is {s['turn']}, a seat that is out"
    yield from _action_faults(s, opening)
    yield from _stake_faults(s, ante, opening)


# The fields of bets, and what stands there for a seat that is not dealt in.
_WITHOUT_CARDS = {
    "out": NONE,
    "shown": 0,
    "stake": 0,
    "blind_bets": 0,
    "looked_bets": 0,
    "raises": 0,
    "look_unit": 0,
    "last_action": NONE,
    "won": 0,
}


def _action_faults(s: np.void, opening: int | np.integer) -> Iterator[str]:
    """By the log, and by how often a seat has paid or folded."""
    count, bets, folded = (
        int(s["log_count"]),
        s["blind_bets"] + s["looked_bets"],
        s["out"] == FOLDED,
    )
    if fault := log_contradiction(s):
        yield fault
    if count != bets.sum() + folded.sum():
        yield f"log_count is {count}: expected {bets.sum() + folded.sum()}, all bets and folds"
    places = np.arange(max(0, count - LOG), count) % LOG
    seats, actions = s["log_seat"][places].tolist(), s["log_action"][places].tolist()
    logged = Counter(zip(seats, np.equal(actions, 0), strict=True))
    newest = dict(zip(seats, actions, strict=True))
    for seat, last in enumerate(s["last_action"].tolist()):
        paid, earlier = logged[seat, False], max(0, count - LOG)
        if not paid <= bets[seat] <= paid + earlier:
            yield f"log_action has {paid} bets of seat {seat}, which has made {bets[seat]}"
        if logged[seat, True] > folded[seat]:
            yield f"log_action has a fold of seat {seat}, which has not folded"
        if newest.get(seat, last) != last or (last == NONE) != (bets[seat] + folded[seat] == 0):
            yield f"last_action[{seat}] is {last}: expected the seat's newest one in the log"
        if (last == 0) != folded[seat]:
            yield f"out[{seat}] is {s['out'][seat]}, and its last action is {last}"
        if (last == opening) != (s["reason"] == OPENED and seat == s["last_actor"]):
            yield f"reason is {s['reason']}, and the last action of seat {seat} is {last}"
    yield from unlike(s, "last_actor", seats[-1] if seats else NONE, "the newest in the log")
    if s["circles"] > count + s["away"].sum():
        yield f"circles is {s['circles']} after {count} actions"


def _stake_faults(s: np.void, ante: int, opening: int | np.integer) -> Iterator[str]:
    """By how often a seat has paid, and between which units: they only rise."""
    unit, looked, limits = int(s["unit"]), s["looked"], s["limit"]
    for seat in np.flatnonzero(s["dealt_in"]).tolist():
        blind, after = int(s["blind_bets"][seat]), int(s["looked_bets"][seat])
        raises = int(s["raises"][seat].sum())
        if raises > blind + after:
            yield f"raises[{seat}] come to {raises}, of {blind + after} bets"
        if after and not looked[seat]:
            yield f"looked_bets[{seat}] is {after} for a seat that has not looked"
        seen_at = int(s["look_unit"][seat])
        if not (ante <= seen_at <= unit if looked[seat] else seen_at == 0):
            yield f"look_unit[{seat}] is {seen_at}: expected {ante}…{unit} after a look, else 0"
        stake, prices = int(s["stake"][seat]), blind + 2 * after
        # Who opens pays double.
        opened = 1 + int(looked[seat]) if s["last_action"][seat] == opening else 0
        low = ante * (1 + prices - opened) + 2 * unit * opened
        high = min(ante + unit * (prices + opened), int(limits[seat]))
        if not low <= stake <= high:
            yield f"stake[{seat}] is {stake}: expected {low}…{high} for the ante and its bets"
    turn = int(s["turn"])
    price, left = unit * (1 + int(looked[turn])), int(limits[turn] - s["stake"][turn])
    if not s["ended"] and price > left:
        yield f"turn is {turn}, a seat that can't pay {price}: it may put in {left} more"


def end_faults(
    s: np.void, start: np.void, choose_winners: Callable[..., Any], rewarded: bool
) -> Iterator[str]:
    """What can't be about the end of a hand, sentence by sentence: ``Game.contradiction``.

    Args:
        start: the table as the hand began; afterwards it has those who ``won``.
        choose_winners: the game's kernel ``choose_winners(s)``.
        rewarded: the winners get more than the pot.
    """
    reason, live, ended = int(s["reason"]), s["live"], bool(s["ended"])
    if (reason == NONE) == ended:
        yield f"reason is {reason}, and the hand has{' not' * (not ended)} ended"
    if (reason == LAST_SEAT) != (live.sum() == 1) or (reason == OPENED and live.sum() != 2):
        yield f"reason is {reason}, and {live.sum()} seats are live"
    by_cards = reason in (OPENED, CAPPED)
    acted_live = s["last_actor"] >= 0 and live[s["last_actor"]]
    opener = s["last_actor"] if by_cards and acted_live else NONE
    yield from unlike(s, "opener", opener, "who acted last, if live and the hands are opened")
    if by_cards:
        choose_winners(start)
    won = start["won"] if by_cards else live * ended
    yield from unlike(s, "won", won, "1 for the best hands opened, or the last seat")
    winner = first_winner(s) if ended else NONE
    yield from unlike(s, "winner", winner, "the first after the banker that has won")
    shown = live if by_cards else won * rewarded
    yield from unlike(s, "shown", shown, "1 for hands opened or rewarded")


def coin_faults(
    s: np.void, start: np.void, pay_out: Callable[..., Any], can_play: Callable[..., Any]
) -> Iterator[str]:
    """What can't be about coins, sentence by sentence: ``Game.contradiction``.

    Args:
        start: the table as the hand began.
        pay_out: the game's kernel ``pay_out(s)``, which sets the coins that the hand brings.
        can_play: its kernel ``can_play(s, seat)`` of who is dealt in.
    """
    if s["ended"]:
        pay_out(start)
    for name in ("coins", "house"):
        yield from unlike(s, name, start[name], "what the hand has brought")
    left = sum(can_play(s, seat) for seat in range(s["seats"]))
    last = s["hand"] + 1 >= s["rules"]["hands"] or left < 2
    over = ENDED if s["ended"] and last else PLAYING
    yield from unlike(s, "over", over, f"as {left} seats could go on")


# --- The start of a hand -------------------------------------------------------------------------


@inlined
def start_betting(s, ante, limit_of):
    """Every seat dealt in puts in the ante, and by the game's kernel ``limit_of(s, seat)`` how much
    at most; the first one after the banker is to act."""
    s.unit = ante
    s.winner = NONE
    for seat in range(s.seats):
        if s.dealt_in[seat]:
            s.live[seat] = 1
            s.limit[seat] = limit_of(s, seat)
            s.stake[seat] = ante
    s.turn = next_live(s, s.banker)


# --- A turn --------------------------------------------------------------------------------------


@kernel
def price(s, seat):
    """What a call costs a seat."""
    return s.unit + s.unit * s.looked[seat]


@kernel
def allowance(s, seat):
    """What a seat may still put in."""
    return s.limit[seat] - s.stake[seat]


@kernel
def may_look(s, seat):
    """Whether a seat has not looked, and could pay the double price."""
    return not s.looked[seat] and 2 * s.unit <= allowance(s, seat)


@kernel
def may_open(s, seat):
    """Whether just two seats are live, and this one could pay twice its price."""
    return live_seats(s) == 2 and 2 * price(s, seat) <= allowance(s, seat)


@kernel
def look(s, seat):
    s.looked[seat] = 1
    s.look_unit[seat] = s.unit


@kernel
def act(s, seat, action):
    """Note an action that is no look."""
    s.last_action[seat] = action
    s.last_actor = seat
    log(s, seat, action)


@kernel
def pay(s, seat, coins):
    s.stake[seat] += coins
    if s.looked[seat]:
        s.looked_bets[seat] += 1
    else:
        s.blind_bets[seat] += 1


@kernel
def go_out(s, seat, how):
    """A live seat is out; the last one left wins."""
    s.live[seat] = 0
    s.out[seat] = how
    if live_seats(s) == 1:
        for other in range(s.seats):
            s.won[other] = s.live[other]
        s.reason = LAST_SEAT


@kernel
def open_hands(s, opener, reason):
    """All live hands are shown."""
    s.reason = reason
    s.opener = opener
    for seat in range(s.seats):
        s.shown[seat] = s.live[seat]


@kernel
def end_turn(s, full):
    """Once the seat to act has acted: hands are opened if it is live and its stake is ``full``,
    else another one is to act, unless the hand has ended."""
    seat = s.turn
    if s.reason == NONE:
        if s.live[seat] and s.stake[seat] == full:
            open_hands(s, seat, CAPPED)
        else:
            pass_turn(s)


@kernel
def pass_turn(s):
    """To the next live seat, or to an opening if it can't pay."""
    seat = s.turn
    following = next_live(s, seat)
    if (following - s.banker - 1) % s.seats <= (seat - s.banker - 1) % s.seats:
        s.circles += 1
    if price(s, following) <= allowance(s, following):
        s.turn = following
    elif s.last_actor >= 0 and s.live[s.last_actor]:
        open_hands(s, s.last_actor, CAPPED)
    else:
        open_hands(s, NONE, CAPPED)


@kernel
def fold(s):
    """The action of who does not answer."""
    return FOLD


@kernel
def flee(s, seat, how):
    """A seat leaves, in its turn or not."""
    if s.live[seat]:
        go_out(s, seat, how)
        if s.reason == NONE and seat == s.turn:
            pass_turn(s)


@kernel
def recall(s, later, looking):
    """What the seat to act did next in this hand, which went on to the table ``later``; ``looking``
    is the action of a look."""
    seat = s.turn
    if later.looked[seat] and not s.looked[seat] and s.blind_bets[seat] == later.blind_bets[seat]:
        return looking
    return next_logged(s, later)


# --- The end of a hand ---------------------------------------------------------------------------


@kernel
def choose_winners(s, a23, beatable):
    """Of hands that were opened the best have ``won``, of equal ones not the opener's.

    Special ones win instead where the best has at least the strength ``beatable``.
    """
    if s.reason == LAST_SEAT:
        return
    best, any_special = -1, False
    for seat in range(s.seats):
        if s.live[seat]:
            best = max(best, strength(s, seat, a23))
            any_special |= special(s, seat)
    count = 0
    for seat in range(s.seats):
        if s.live[seat]:
            if any_special and best >= beatable:
                s.won[seat] = special(s, seat)
            else:
                s.won[seat] = strength(s, seat, a23) == best
            count += s.won[seat]
    if count > 1 and s.opener >= 0:
        s.won[s.opener] = 0


@kernel
def charge(s, debt, chip):
    """Take the stakes, each worth ``chip``, and from every loser dealt in its debt to the winners,
    at most what it has; returns what came of those debts."""
    collected = 0
    for seat in range(s.seats):
        s.coins[seat] = -s.stake[seat] * chip
        if s.dealt_in[seat] and not s.won[seat]:
            due = min(debt, s.stack[seat] + s.coins[seat])
            s.coins[seat] -= due
            collected += due
    return collected


# --- What a seat sees ----------------------------------------------------------------------------


def status_range(seats: int, ways: Sequence[str]) -> Range:
    """The range of what seats are in this hand, where they may go out in these ways."""
    status = ("dealt in", "live", *ways, "has looked")
    return Range("status", (seats, len(status)), ", ".join(status))


def bet_ranges(seats: int) -> tuple[Range, ...]:
    """The ranges of what seats have put in."""
    return (
        Range("stacks", seats, "coins left, in antes"),
        Range("stakes", seats, "put in in this hand, in antes"),
        Range("allowances", seats, "what it may still put in, in antes"),
        Range("bets", (seats, 2), "bets made without having looked, and with"),
    )


def act_ranges(seats: int, actions: Actions) -> tuple[Range, ...]:
    """The ranges of what seats have done."""
    return (
        Range("look_unit", seats, "the unit when it looked, in antes"),
        Range("last_action", (seats, actions.width), "last action of each seat"),
    )


def seat_ranges(seats: int) -> tuple[Range, ...]:
    """The ranges of which seat is what."""
    return (
        Range("turn", seats, "seat to act"),
        Range("banker", seats, "the banker"),
        Range("opener", seats, "the opener, at the end of a hand"),
        Range("won", seats, "the winners, at the end of a hand"),
    )


@inlined
def put_bets(o, k, v, p, per_ante, chip):
    """What seat p, k places after the own one, has done and paid; a chip of stakes is worth
    ``chip`` coins."""
    o.status[k, 0] = v.dealt_in[p]
    o.status[k, 1] = v.live[p]
    if v.out[p] >= 0:
        o.status[k, 2 + v.out[p]] = 1
    o.status[k, -1] = v.looked[p]
    o.stacks[k] = coins_left(v, p, chip) * (per_ante / chip)
    o.stakes[k] = v.stake[p] * per_ante
    if v.live[p]:
        o.allowances[k] = allowance(v, p) * per_ante
    o.bets[k, 0] = v.blind_bets[p]
    o.bets[k, 1] = v.looked_bets[p]
    o.look_unit[k] = v.look_unit[p] * per_ante
    if v.last_action[p] >= 0:
        o.last_action[k, v.last_action[p]] = 1
    o.won[k] = v.won[p]


@inlined
def put_table(o, v, seat, per_ante):
    """What concerns all seats, and what a call costs the own one."""
    o.unit = v.unit * per_ante
    o.pot = pot(v) * per_ante
    o.live_seats = live_seats(v)
    o.circles = v.circles
    if not v.ended:
        if v.live[seat]:
            o.price = price(v, seat) * per_ante
        put_seat(o.turn, seat, v.turn, v.seats)
    put_seat(o.banker, seat, v.banker, v.seats)
    put_seat(o.opener, seat, v.opener, v.seats)
    put_log(o.log, v, seat, len(o.turn))


@kernel
def coins_left(v, seat, chip):
    """A seat's coins without its stake; a hand that has ended has settled that."""
    return v.stack[seat] if v.ended else v.stack[seat] - v.stake[seat] * chip


# --- Words ---------------------------------------------------------------------------------------


def report(s: np.void, ways: Sequence[str], a23: int, **own: Any) -> dict[str, Any]:
    """What was settled at the hand's end, and why, with the game's ``own`` entries."""
    seats = range(int(s["seats"]))
    shown = [p for p in seats if s["shown"][p]]
    opener = int(s["opener"])
    return {
        "reason": ("one seat left", "opened", "cap")[s["reason"]],
        "winners": winners(s),
        "opener": opener if opener >= 0 else None,
        **own,
        "hands": [hand_name(s, p, a23) if p in shown else None for p in seats],
        "cards": [cards_seen(s["cards"][p]) if p in shown else None for p in seats],
        "stakes": [int(s["stake"][p]) for p in seats],
        "gone": [p for p in seats if s["out"][p] == ways.index("gone")],
    }


def _role(v: np.void, seat: int, ways: Sequence[str]) -> str:
    """What a seat is in this hand, in a word or two."""
    if v["won"][seat]:
        return "winner"
    if v["out"][seat] >= 0:
        return ways[v["out"][seat]]
    if v["away"][seat]:
        return "gone"
    return "live" if v["dealt_in"][seat] else "sitting out"


def scene(
    v: np.void,
    actions: Actions,
    ways: Sequence[str],
    a23: int,
    *facts: str,
    chip: int = 1,
    note: Callable[[int], str] = lambda seat: "",
) -> Scene:
    """What lies on the table: all hands, seats with what they put in and did last and the game's
    own ``note`` on each, the pot, the game's own facts, and what the seat to act has to pay."""
    places = []
    for p in range(int(v["seats"])):
        notes = [
            ("looked" if v["looked"][p] else "blind") if v["dealt_in"][p] else "",
            actions.name(v["last_action"][p]) if v["last_action"][p] >= 0 else "",
            note(p),
            "banker" if v["banker"] == p else "",
        ]
        left, bet = int(coins_left(v, p, chip)), int(v["stake"][p]) * chip
        places.append(
            Place(p, _role(v, p, ways), left, bet=bet, note=", ".join(filter(None, notes)))
        )
    all_facts = [f"pot {int(v['stake'].sum()) * chip}", *facts]
    if not v["ended"]:
        turn = int(v["turn"])
        all_facts += [f"unit {v['unit']}", f"price {price(v, turn)}"]
        all_facts += [f"allowance {allowance(v, turn)}"]
    return Scene(tuple(places), zones(v, a23), tuple(all_facts), log_lines(v, actions))


def max_plies(rules: Mapping[str, Any]) -> int:
    """A seat puts in at least an ante in each turn in which it pays, and cap − 1 antes in all; it
    looks once and folds once."""
    return int((rules["cap"] + 1) * rules["seats"] * rules["hands"])
