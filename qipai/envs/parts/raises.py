"""Raises where bets have a highest level: the smallest one, to parts of it, and to all of it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from qipai.envs.fields import Field
from qipai.envs.kernel import kernel
from qipai.envs.parts.betting import MOST, as_dealt

RAISE_NAMES = ("raise_min", "raise_quarter", "raise_half", "raise_three_quarters", "raise_max")
RAISES = len(RAISE_NAMES)


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


def raise_fields(seats: int, rounds: int) -> tuple[Field, ...]:
    """The fields of a game with such raises in so many rounds."""
    return (
        Field.coins("earlier", "what each live seat put in in earlier rounds, without the ante"),
        Field.number("raises", MOST, "raises made", (rounds, seats)),
    )


def raise_contradiction(s: np.void, highest_level: Callable[..., Any]) -> str | None:
    """What can't be where the game's kernel ``highest_level(s)`` tells the highest level of the
    round ``street``, after ``earlier`` ones: ``Game.contradiction``."""
    then, levels = as_dealt(s), s["paid"].max(axis=1)
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
