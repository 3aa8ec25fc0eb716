"""Bets in rounds that go up to a highest level: raises to the smallest one, parts of it, all of it.

A record ``s`` has the fields of parts/rounds.py and those below, and the rule ``ante``. Kernels
take the highest level of the round, which is the game's to know.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from qipai.envs.fields import Field
from qipai.envs.kernel import inlined, kernel
from qipai.envs.layout import Actions, Range, put_seat
from qipai.envs.match import as_begun, next_seat
from qipai.envs.parts import rounds
from qipai.envs.parts.betting import MOST
from qipai.envs.parts.rounds import (
    CALL,
    CHECK,
    FIRST_BET,
    FOLD,
    log_in_round,
    owed,
    to_act,
)

RAISE = FIRST_BET
RAISE_NAMES = ("raise_min", "raise_quarter", "raise_half", "raise_three_quarters", "raise_max")
RAISES = len(RAISE_NAMES)


def actions() -> Actions:
    """Fold, check, call and the raises."""
    made = rounds.actions()
    made.add("raise", RAISE_NAMES, "the level it goes to is on offer")
    return made


def fields(seats: int, streets: int) -> tuple[Field, ...]:
    """The fields of such raises in so many rounds."""
    return (
        Field.coins("earlier", "what each live seat put in in earlier rounds, without the ante"),
        Field.number("raises", MOST, "raises made", (streets, seats)),
    )


# --- Betting -----------------------------------------------------------------------------------


@kernel
def raise_to(k, level, smallest, highest):
    """The level that raise k of ``RAISE_NAMES`` goes to; 0 if it is not on offer.

    A raise goes at least ``smallest`` above ``level``, or to ``highest`` if that is nearer: to
    level + smallest (if below highest), a quarter, half or three quarters of highest, rounded down
    (if between those two), or highest (if above level). So no two raises go to the same level.
    """
    lowest = level + smallest
    if k == 0:
        return lowest if lowest < highest else 0
    if k == RAISES - 1:
        return highest if level < highest else 0
    part = k * highest // 4
    return part if lowest < part < highest else 0


@kernel
def raise_level(s, action, highest):
    """The level a raise goes to; 0 if it is not on offer."""
    return raise_to(action - RAISE, s.level, s.rules.ante, highest)


@kernel
def legal(s, mask, highest):
    mask[FOLD] = 1
    mask[CALL if owed(s, s.turn) > 0 else CHECK] = 1
    for k in range(RAISES):
        mask[RAISE + k] = raise_level(s, RAISE + k, highest) > 0


@kernel
def stay(s, action, highest):
    """The seat to act checks, calls or raises."""
    seat = s.turn
    log_in_round(s, seat, action)
    if action >= RAISE:
        s.level = raise_level(s, action, highest)
        s.raises[s.street, seat] += 1
        s.acted[:] = 0
    rounds.pay(s, seat, owed(s, seat))
    s.acted[seat] = 1


@kernel
def begin_round(s):
    s.earlier += s.level
    rounds.begin_round(s)


# --- What a seat sees ----------------------------------------------------------------------------


def made_range(seats: int, streets: int) -> Range:
    """The raises that were made."""
    return Range("raises", (streets, seats), "raises made by round")


def level_ranges() -> tuple[Range, ...]:
    """How high a raise may go."""
    return (
        Range("highest_level", 1, "X of this round, in antes"),
        Range("raise_levels", RAISES, "levels on offer, in antes; 0: not offered"),
    )


def next_range(seats: int) -> Range:
    """Who would answer a raise."""
    return Range(
        "next", seats, "the first seat after the own one that has yet to act; none: no such seat"
    )


@inlined
def observe(v, seat, o, highest, per_ante):
    """Fill the ranges above, and what is owed."""
    p = seat
    for k in range(v.seats):
        for i in range(v.raises.shape[0]):
            o.raises[i, k] = v.raises[i, p]
        p = next_seat(v, p)
    if not v.ended:
        if v.live[seat]:
            o.owed = owed(v, seat) * per_ante
        o.highest_level = highest * per_ante
        for k in range(RAISES):
            o.raise_levels[k] = raise_level(v, RAISE + k, highest) * per_ante
        put_seat(o.next, seat, to_act(v, seat + 1, v.seats - 1), v.seats)


# --- What can be on a table ----------------------------------------------------------------------


def contradiction(s: np.void, highest_level: Callable[..., Any]) -> str | None:
    """What can't be where the game's kernel ``highest_level(s)`` tells the highest level of the
    round ``street``, after ``earlier`` ones: ``Game.contradiction``."""
    then, levels = as_begun(s), s["paid"].max(axis=1)
    then["earlier"] = 0
    for street, level in enumerate(levels.tolist()):
        made = int(s["raises"][street].sum())
        if not min(level, 1) <= made <= level:
            return f"raises[{street}] come to {made}, but the level went up to {level}"
        idle = (s["raises"][street] > 0) & (s["paid"][street] == 0)
        if idle.any():
            return f"raises[{street}, {idle.argmax()}] is of a seat that put in nothing"
        if street > s["street"]:
            continue
        then["street"] = street
        highest = int(highest_level(then))
        if level > highest:
            return f"paid[{street}] has {level}, above the highest level, {highest}"
        if street == s["street"] and s["earlier"] != then["earlier"]:
            return f"earlier is {s['earlier']}: the rounds before come to {then['earlier']}"
        then["earlier"] += level
    if s["raises"].sum() > s["log_count"]:
        return f"log_count is {s['log_count']}, fewer than all raises, {s['raises'].sum()}"
    return None
