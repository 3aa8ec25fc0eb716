"""Cards by rank, 3 to the big joker, in games where suits never matter.

A hand is a row of counts, one a rank: 3 < 4 < … < K < A < 2 < small joker < big joker.
"""

from __future__ import annotations

import numpy as np

from qipai.envs.fields import Codec
from qipai.envs.kernel import kernel
from qipai.envs.rng import below

RANK_NAMES = (*"3456789TJQKA2", "SJ", "BJ")
RANKS = len(RANK_NAMES)
ACE, TWO, SMALL_JOKER, BIG_JOKER = 11, 12, 13, 14
PACK = np.array([4] * 13 + [1, 1], np.int8)  # one pack of 54


@kernel
def draw_card(s, source):
    """Take a uniformly drawn card out of ``source``; returns its rank."""
    total = 0
    for r in range(RANKS):
        total += source[r]
    place = below(s.rng, total)
    for r in range(RANKS):
        place -= source[r]
        if place < 0:
            source[r] -= 1
            return r
    return -1


@kernel
def lowest_held(hand):
    """The lowest rank of which there is a card."""
    for r in range(RANKS):
        if hand[r] > 0:
            return r
    return 0


def cards_text(counts: np.ndarray) -> str:
    """Counts by rank as text, low to high: ``33445SJ``."""
    return "".join(name * int(n) for name, n in zip(RANK_NAMES, counts, strict=True))


def parse_cards(text: str) -> np.ndarray:
    """Text in any order (``10`` or ``T``, ``SJ``, ``BJ``) as counts by rank; ValueError."""
    counts = np.zeros(RANKS, np.int64)
    rest = text.upper().replace("10", "T")
    for joker in (SMALL_JOKER, BIG_JOKER):
        counts[joker] = rest.count(RANK_NAMES[joker])
        rest = rest.replace(RANK_NAMES[joker], "")
    for letter in rest:
        if letter not in RANK_NAMES:
            raise ValueError(f"{text!r}: {letter!r} is no rank; ranks are {' '.join(RANK_NAMES)}")
        counts[RANK_NAMES.index(letter)] += 1
    return counts


COUNTS = Codec(encode=cards_text, decode=parse_cards, row=True)  # for fields of cards by rank


def rank_items(counts: np.ndarray) -> tuple[str, ...]:
    """Cards high to low, as they are held."""
    return tuple(n for r in reversed(range(RANKS)) for n in [RANK_NAMES[r]] * int(counts[r]))
