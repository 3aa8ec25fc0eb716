"""Raises where bets have a highest level: the smallest one, to parts of it, and to all of it."""

from __future__ import annotations

from qipai.envs.kernel import kernel

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
