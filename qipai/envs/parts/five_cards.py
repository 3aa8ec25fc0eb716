"""Hands of one to five cards: kinds of poker hand, and what a hand is worth.

A hand is a set of cards as bits (card c of parts/cards.py is bit c). The deck has the ranks from
``lowest`` up to the ace, which never counts as the lowest card of a straight.
"""

from __future__ import annotations

import numpy as np

from qipai.envs.kernel import kernel
from qipai.envs.parts.cards import ACE, BIT

HAND_NAMES = (
    *("high card", "pair", "two pairs", "three", "straight", "flush", "full house", "four"),
    "straight flush",
)
HIGH_CARD, PAIR, TWO_PAIRS, THREE, STRAIGHT, FLUSH, FULL_HOUSE, FOUR, STRAIGHT_FLUSH = range(9)

ONE_SUIT = BIT[::4].sum()  # all diamonds; shifted by a suit, all cards of it
COUNT = np.array([bin(suits).count("1") for suits in range(16)])  # cards in a set of suits
TOP_SUIT = np.array([max(suits.bit_length() - 1, 0) for suits in range(16)])


@kernel
def hand_value(cards, lowest, kickers):
    """What a hand is worth: of two hands of as many cards, the higher value wins.

    First the kind counts; only five cards can be a straight or a flush. Then ranks: the four or
    three, the pairs, or the top card; with ``kickers`` then the single cards of high card, pair and
    two pairs. Last, except for three or four of a rank, the best suit in the (big) pair or of the
    top card.
    """
    size, top, low, big, small, three, four, singles = 0, -1, -1, -1, -1, -1, -1, 0
    for rank in range(ACE, lowest - 1, -1):
        count = COUNT[(cards >> (4 * rank)) & 15]
        if count == 0:
            continue
        size += count
        low = rank
        if top < 0:
            top = rank
        if count == 4:
            four = rank
        elif count == 3:
            three = rank
        elif count == 1:
            singles = 16 * singles + rank
        elif big < 0:
            big = rank
        else:
            small = rank
    rank, second = top, 0
    if four >= 0:
        kind, rank = FOUR, four
    elif three >= 0:
        kind, rank = FULL_HOUSE if big >= 0 else THREE, three
    elif small >= 0:
        kind, rank, second = TWO_PAIRS, big, small
    elif big >= 0:
        kind, rank = PAIR, big
    else:
        kind = HIGH_CARD
    suit = TOP_SUIT[(cards >> (4 * rank)) & 15] if max(three, four) < 0 else 0
    if kind == HIGH_CARD and size == 5:
        straight = top - low == 4
        flush = cards & (ONE_SUIT << suit) == cards
        if flush:
            kind = STRAIGHT_FLUSH if straight else FLUSH
        elif straight:
            kind = STRAIGHT
    if not kickers or kind > TWO_PAIRS:
        singles = 0
    return ((((kind * 16 + rank) * 16 + second) << 20) + singles) * 4 + suit


@kernel
def kind_of(value):
    """The kind of hand with this value, an index into ``HAND_NAMES``."""
    return value >> 30
