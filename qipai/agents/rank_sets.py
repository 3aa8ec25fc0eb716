"""Sets of ranks and counts by rank in one number, for rule bots of shedding games.

Each of 15 ranks has a nibble, the lowest rank the lowest one. A *set* has 1 in the nibbles of its
ranks. Beside them, how hard it is to win or keep the lead against so many unseen groups.
"""

from __future__ import annotations

from qipai.envs.kernel import kernel

EVERY = 0x111111111111111


@kernel
def count(ranks):
    """How many ranks are in a set."""
    return ((ranks * EVERY) >> 56) & 15


@kernel
def total(nibbles):
    """The sum of all nibbles."""
    pairs = (nibbles & 0x0F0F0F0F0F0F0F0F) + ((nibbles >> 4) & 0x0F0F0F0F0F0F0F0F)
    return ((pairs * 0x0101010101010101) >> 56) & 255


@kernel
def span(low, length):
    """The ranks from ``low`` on, as a set of ``length``."""
    return (EVERY & ((1 << 4 * length) - 1)) << 4 * low


@kernel
def lowest(ranks):
    """The lowest rank in a set."""
    return count((ranks & -ranks) - 1 & EVERY)


@kernel
def hardness(beaters, half):
    """0…14: how hard it is to get the lead with what so many others beat; ``half`` make it 7."""
    return 15 * beaters // (beaters + half)


@kernel
def held(worth, half, beaters, share):
    """``worth`` less the more unseen groups beat a move; ``half`` of them halve it."""
    return worth * 8 * half // (8 * half + beaters * share)
