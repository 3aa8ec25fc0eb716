"""Hands of three cards of a 52-card deck: their kinds, and which of two is stronger.

Trips 豹子 > straight flush 顺金 > flush 金花 > run 顺子 > pair 对子 > high card 单张. Suits never
break ties, so there are 741 strengths; where ace, 2, 3 stands among them is up to the game.
"""

from __future__ import annotations

from enum import IntEnum
from itertools import combinations, combinations_with_replacement, permutations

import numpy as np

from qipai.envs.kernel import kernel
from qipai.envs.parts.cards import CARD_NAMES, RANKS

HAND_NAMES = ("high card", "pair", "run", "flush", "straight flush", "trips")
HIGH_CARD, PAIR, RUN, FLUSH, STRAIGHT_FLUSH, TRIPS = range(6)


# Ace, 2, 3 is the lowest run, the second one after queen, king, ace, or no run.
class A23(IntEnum):
    LOWEST = 0
    SECOND = 1
    NONE = 2


_TWO, _THREE, _FIVE, _ACE = (RANKS.index(rank) for rank in ("2", "3", "5", "A"))


def _run_top(ranks: tuple[int, ...], a23: int) -> float:
    """The top rank of a run, or what stands for it; −1 if the ranks, low to high, are no run."""
    if ranks == (_TWO, _THREE, _ACE):
        return {A23.LOWEST: _THREE, A23.SECOND: _ACE - 0.5, A23.NONE: -1}[A23(a23)]
    return ranks[2] if ranks == (ranks[0], ranks[0] + 1, ranks[0] + 2) else -1


def _merit(ranks: tuple[int, ...], suited: bool, a23: int) -> tuple[int, tuple[float, ...]]:
    """The kind of a hand, then what counts within it; ``ranks`` go from low to high."""
    low, middle, high = ranks
    if low == high:
        return TRIPS, (high,)
    if middle in (low, high):
        return PAIR, (middle, low + high - middle)
    top = _run_top(ranks, a23)
    if top >= 0:
        return STRAIGHT_FLUSH if suited else RUN, (top,)
    return FLUSH if suited else HIGH_CARD, (high, middle, low)


def _tables() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """``STRENGTH``, ``KIND`` and ``WORSE``."""
    size = len(RANKS)
    triples = list(combinations_with_replacement(range(size), 3))
    hands = [(ranks, False) for ranks in triples]
    hands += [(ranks, True) for ranks in triples if len(set(ranks)) == 3]
    strength = np.full((len(A23), size, size, size, 2), -1, np.int16)
    kind = np.zeros((len(A23), len(hands)), np.int8)
    worse = np.zeros((len(A23), len(hands) + 1), np.int64)
    for a23 in A23:
        merit = {hand: _merit(*hand, a23) for hand in hands}
        for place, (ranks, suited) in enumerate(sorted(hands, key=merit.__getitem__)):
            for order in permutations(ranks):
                strength[(a23, *order, int(suited))] = place
            kind[a23, place] = merit[ranks, suited][0]
            cases = {1: 4, 2: 24, 3: 4 if suited else 60}[len(set(ranks))]  # ways to choose suits
            worse[a23, place + 1] = worse[a23, place] + cases
    return strength, kind, worse


# STRENGTH[a23, rank, rank, rank, suited], ranks in any order; KIND[a23, strength]; and how many
# hands of a whole deck are worse: WORSE[a23, strength].
STRENGTH, KIND, WORSE = _tables()
STRENGTHS = KIND.shape[1]
STRONGEST = STRENGTHS - 1  # three aces
LOWEST_TRIPS = STRENGTHS - len(RANKS)
HANDS = 22_100  # of a whole deck


@kernel
def strength_of(a, b, c, a23):
    """The place of three cards among the 741 strengths: of two hands the higher one wins."""
    suited = 1 if a % 4 == b % 4 and b % 4 == c % 4 else 0
    return np.int64(STRENGTH[a23, a // 4, b // 4, c // 4, suited])


@kernel
def is_235(a, b, c, distinct):
    """Whether three cards are 2-3-5 of three suits or, unless ``distinct``, not all of one suit."""
    p, q, r = a // 4, b // 4, c // 4
    if (1 << p) | (1 << q) | (1 << r) != (1 << _TWO) | (1 << _THREE) | (1 << _FIVE):
        return False
    if distinct:
        return a % 4 != b % 4 and b % 4 != c % 4 and a % 4 != c % 4
    return a % 4 != b % 4 or b % 4 != c % 4


def hands_by_strength(a23: int) -> tuple[np.ndarray, np.ndarray]:
    """All hands of a whole deck from the weakest to the strongest, int8 (22100, 3), and their
    strengths, int16 (22100,)."""
    hands = np.array(list(combinations(range(len(CARD_NAMES)), 3)), np.int8)
    a, b, c = hands.T
    suited = (a % 4 == b % 4) & (b % 4 == c % 4)
    strengths = STRENGTH[a23, a // 4, b // 4, c // 4, suited.astype(int)]
    order = np.argsort(strengths, kind="stable")
    return hands[order], strengths[order]
