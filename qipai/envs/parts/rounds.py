"""Bets in rounds: what seats put in by round, whose turn it is, what of it is seen and said.

A round ends when every live seat has ``acted`` since the last raise. ``street`` is its number from
0, ``level`` what a live seat must have put in in it. Coins are counted in the rule ``ante``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from qipai.envs.fields import Field
from qipai.envs.kernel import inlined, kernel
from qipai.envs.layout import NONE, Actions, Range, put_seat
from qipai.envs.match import as_begun, next_seat
from qipai.envs.parts.betting import (
    log,
    log_contradiction,
    log_fields,
    log_lines,
    pot,
    put_log,
)
from qipai.envs.scene import Place, Scene, Zone

FOLD, CHECK, CALL = range(3)
FIRST_BET = 3  # bets and raises are the game's


def actions() -> Actions:
    """The actions of such a game, to which it adds its bets."""
    made = Actions()
    made.add("fold", ["fold"], "always")
    made.add("check", ["check"], "nothing owed")
    made.add("call", ["call"], "something owed")
    return made


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


# --- Betting -----------------------------------------------------------------------------------


@kernel
def begin_round(s):
    s.street += 1
    s.level = 0
    s.acted[:] = 0


@kernel
def ask_first(s, seat):
    """The first seat to speak in a round."""
    s.turn = seat
    s.opener[s.street] = seat


@kernel
def to_act(s, first, count):
    """The first live one of ``count`` seats from ``first`` on that has not ``acted``, or NONE."""
    for k in range(count):
        seat = (first + k) % s.seats
        if s.live[seat] and not s.acted[seat]:
            return seat
    return NONE


@kernel
def owed(s, seat):
    """What a live seat lacks to the level."""
    return s.level - s.paid[s.street, seat]


@kernel
def log_in_round(s, seat, action):
    """Log an action; it is the seat's ``last_action`` in this round."""
    s.last_action[s.street, seat] = action
    log(s, seat, action)


@kernel
def pay(s, seat, coins):
    s.paid[s.street, seat] += coins
    s.stake[seat] += coins


@kernel
def go_out(s, seat):
    """A seat folds, or leaves."""
    log_in_round(s, seat, FOLD)
    s.live[seat] = 0


@kernel
def escaped(s, seat):
    """Whether a seat has left during this hand."""
    return s.dealt_in[seat] & s.away[seat]


# --- What a seat sees: three groups of ranges, so that a game's own can stand between them -------


STATES = ("dealt in", "live", "folded", "gone")  # what ``status`` flags, by seat


def stake_ranges(seats: int, rounds: int, *more: str) -> tuple[Range, ...]:
    """What each seat has and has put in; ``more`` are states of a seat that the game fills in."""
    states = (*STATES, *more)
    return (
        Range("status", (seats, len(states)), ", ".join(states)),
        Range("stacks", seats, "coins left, in antes"),
        Range("stakes", seats, "put in in this hand, in antes"),
        Range("paid", (rounds, seats), "put in by round, without the ante, in antes"),
        Range("paid_now", seats, "put in in this round, in antes"),
    )


def round_ranges(seats: int, rounds: int, actions: Actions) -> tuple[Range, ...]:
    """What was done by round."""
    return (
        Range("last_action", (rounds, seats, actions.width), "last action of each seat by round"),
        Range("opener", (rounds, seats), "who spoke first in each round"),
        Range("street", rounds, "betting round"),
        Range("level", 1, "what a live seat must have put in in this round, in antes"),
        Range("owed", 1, "what the own seat owes, in antes"),
    )


def pot_ranges() -> tuple[Range, ...]:
    """What there is to win, and of how many."""
    return (
        Range("pot", 1, "all stakes, in antes"),
        Range("live_seats", 1, "number of live seats"),
    )


@inlined
def observe(v, seat, o, per_ante):
    """Fill the ranges above but for ``owed``, and ``turn``, ``ante`` and ``log``."""
    p = seat
    for k in range(v.seats):
        for i in range(v.paid.shape[0]):
            o.paid[i, k] = v.paid[i, p] * per_ante
            if v.last_action[i, p] >= 0:
                o.last_action[i, k, v.last_action[i, p]] = 1
        o.status[k, 0] = v.dealt_in[p]
        o.status[k, 1] = v.live[p]
        o.status[k, 2] = v.dealt_in[p] - v.live[p]
        o.status[k, 3] = v.away[p]
        # A hand that has ended has paid its coins into the stacks.
        o.stacks[k] = (v.stack[p] if v.ended else v.stack[p] - v.stake[p]) * per_ante
        o.stakes[k] = v.stake[p] * per_ante
        o.paid_now[k] = v.paid[v.street, p] * per_ante
        o.live_seats += v.live[p]
        p = next_seat(v, p)
    for i in range(v.paid.shape[0]):
        put_seat(o.opener[i], seat, v.opener[i], v.seats)
    o.street[v.street] = 1
    o.pot = pot(v) * per_ante
    if not v.ended:
        o.level = v.level * per_ante
        put_seat(o.turn, seat, v.turn, v.seats)
    o.ante = v.rules.ante
    put_log(o.log, v, seat, v.live.shape[0])


# --- Words -------------------------------------------------------------------------------------


def report(s: np.void) -> dict[str, Any]:
    """What was settled at the hand's end, and why; the cards are the game's to tell."""
    seats = int(s["seats"])
    return {
        "reason": "showdown" if s["shown"] else "one seat left",
        "winner": int(s["winner"]),
        "stakes": [int(stake) for stake in s["stake"][:seats]],
    }


def escapes(s: np.void) -> list[int]:
    """1 for each seat that has left during this hand, else 0."""
    return [int(escaped(s, seat)) for seat in range(s["seats"])]


def role(v: np.void, seat: int) -> str:
    """What a seat is in this hand, in a word or two."""
    if v["away"][seat]:
        return "gone"
    if not v["dealt_in"][seat]:
        return "sitting out"
    if not v["live"][seat]:
        return "folded"
    return "winner" if v["winner"] == seat else "live"


def scene(
    v: np.void,
    actions: Actions,
    zones: tuple[Zone, ...],
    *facts: str,
    role: Callable[[np.void, int], str] = role,
) -> Scene:
    """What lies on the table: seats with what they put in and did last, and the game's own zones,
    facts and roles of seats."""
    street = int(v["street"])
    places = []
    for p in range(v["seats"]):
        left = int(v["stack"][p]) - (0 if v["ended"] else int(v["stake"][p]))
        action = int(v["last_action"][street, p])
        said = actions.name(action) if action >= 0 else ""
        places.append(Place(p, role(v, p), left, bet=int(v["stake"][p]), note=said))
    all_facts = (
        f"round {street + 1} of {len(v['paid'])}",
        f"pot {v['stake'].sum()}",
        f"ante {v['rules']['ante']}",
        *facts,
    )
    return Scene(tuple(places), zones, all_facts, log_lines(v, actions))


# --- What can be on a table ----------------------------------------------------------------------


def rounds_in(s: np.void) -> np.ndarray:
    """In how many rounds each seat has been, int (seats,); that in which it folded counts."""
    folds = s["last_action"] == FOLD
    last = np.where(folds.any(axis=0), folds.argmax(axis=0), s["street"])
    return np.where(s["dealt_in"], last + 1, 0)


def contradiction(
    s: np.void, can_play: Callable[..., Any], settle: Callable[..., Any]
) -> str | None:
    """What can't be at a table that bets in rounds: ``Game.contradiction``.

    Args:
        can_play: the game's kernel ``can_play(s, seat)`` of who is dealt in.
        settle: its kernel ``settle(s)``, by which a hand goes to its winner.
    """
    return (
        _wrong_end(s)
        or _wrong_settlement(s, settle)
        or _wrong_seats(s, can_play)
        or _wrong_rounds(s)
        or _wrong_bets(s)
        or log_contradiction(s)
    )


def _wrong_seats(s: np.void, can_play: Callable[..., Any]) -> str | None:
    """Who is dealt in, who is live, and whose turn it is."""
    before, folded = as_begun(s, s["dealt_in"]), (s["last_action"] == FOLD).any(axis=0)
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
    paid = as_begun(s)
    if s["ended"]:
        settle(paid)
    for name in ("coins", "house", "over"):
        if (s[name] != paid[name]).any():
            return f"{name} is {s[name].tolist()}: expected {paid[name].tolist()}"
    return None


def _wrong_rounds(s: np.void) -> str | None:
    """What seats did by round, before they folded, and who spoke first."""
    rounds, street = rounds_in(s), int(s["street"])
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
    stacks = as_begun(s)["stack"]
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
