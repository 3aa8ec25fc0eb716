"""What five cards are worth, over the whole decks of 28 and of 32 cards."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest

from qipai.envs.kernel import kernel
from qipai.envs.parts.cards import RANKS
from qipai.envs.parts.five_cards import HAND_NAMES, hand_value, kind_of
from tests.five_card_hands import bits, hands_of


@kernel
def write_values(hands, lowest, kickers, values):
    for i in range(len(hands)):
        values[i] = hand_value(hands[i], lowest, kickers)


@kernel
def equal_and_disjoint(hands, values):
    """Pairs of hands with equal values and no common card; ``values`` must be sorted."""
    found = 0
    for i in range(len(hands)):
        j = i + 1
        while j < len(hands) and values[j] == values[i]:
            found += hands[i] & hands[j] == 0
            j += 1
    return found


@dataclass(frozen=True)
class Deck:
    lowest: np.int64  # rank
    kickers: bool
    kinds: dict[str, int]  # hands of five cards
    distinct: tuple[int, ...]  # values of one card, two cards, …

    def values_of(self, hands: np.ndarray) -> np.ndarray:
        values = np.zeros(len(hands), np.int64)
        write_values(hands, self.lowest, self.kickers, values)
        return values


DECKS = [
    Deck(
        np.int64(RANKS.index("8")),
        kickers=False,
        kinds={
            "straight flush": 12,
            "four": 168,
            "full house": 1_008,
            "flush": 72,
            "straight": 3_060,
            "three": 6_720,
            "two pairs": 15_120,
            "pair": 53_760,
            "high card": 18_360,
        },
        distinct=(28, 45, 48, 114, 145),
    ),
    Deck(
        np.int64(RANKS.index("7")),
        kickers=True,
        kinds={
            "straight flush": 16,
            "four": 224,
            "full house": 1_344,
            "flush": 208,
            "straight": 4_080,
            "three": 10_752,
            "two pairs": 24_192,
            "pair": 107_520,
            "high card": 53_040,
        },
        distinct=(32, 136, 400, 884, 1_620),
    ),
]

each_deck = pytest.mark.parametrize("deck", DECKS, ids=["28 cards", "32 cards, kickers"])


@each_deck
def test_hands_by_kind(deck: Deck) -> None:
    kinds = [kind_of(v) for v in deck.values_of(hands_of(5, 4 * deck.lowest)).tolist()]
    counts = np.bincount(kinds, minlength=len(HAND_NAMES)).tolist()
    assert dict(zip(HAND_NAMES, counts, strict=True)) == deck.kinds
    assert sum(counts) == {7: 98_280, 8: 201_376}[len(RANKS) - int(deck.lowest)]


@each_deck
@pytest.mark.parametrize("size", range(1, 6))
def test_distinct_values(deck: Deck, size: int) -> None:
    values = deck.values_of(hands_of(size, 4 * deck.lowest))
    assert len(np.unique(values)) == deck.distinct[size - 1]


@each_deck
@pytest.mark.parametrize("size", range(1, 6))
def test_hands_of_equal_value_share_a_card(deck: Deck, size: int) -> None:
    hands = hands_of(size, 4 * deck.lowest)
    hands = hands[np.argsort(deck.values_of(hands))]
    assert equal_and_disjoint(hands, deck.values_of(hands)) == 0


@pytest.mark.parametrize(
    ("first", "second", "with_kickers", "without"),
    [
        ("HK CK DA D8 H9", "SK DK H8 C9 D10", True, False),  # pair
        ("HK CK S9 D9 SA", "SK DK H9 C9 D10", True, False),  # two pairs
        ("HA SK DQ CJ S9", "SA HK CQ DJ S8", True, False),  # high card
        ("HA SK SQ SJ", "SA HK HQ HJ", False, False),  # all ranks equal: the suit
        ("SA SK SQ SJ S8", "HA HK HQ HJ H9", True, True),  # flush: nothing but the top card
        ("S9 D9 C9 S10 D8", "H8 D8 C8 SA SK", True, True),  # three
    ],
)
def test_kickers(first: str, second: str, with_kickers: bool, without: bool) -> None:
    hands = np.array([bits(first), bits(second)])
    for deck, wins in zip(DECKS[::-1], (with_kickers, without), strict=True):
        better, other = deck.values_of(hands)
        assert (better > other) == wins
