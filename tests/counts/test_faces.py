"""King-high order and faces, over the whole deck."""

from __future__ import annotations

from itertools import combinations
from math import comb

from qipai.envs.layout import HIDDEN, NONE
from qipai.envs.parts.cards import CARD_NAMES, parse_card
from qipai.envs.parts.faces import faces, order


def test_order_goes_from_the_ace_to_the_king_and_from_diamonds_to_spades() -> None:
    ranks = ("A", *(str(n) for n in range(2, 11)), "J", "Q", "K")
    names = [suit + rank for rank in ranks for suit in "DCHS"]
    assert sorted(CARD_NAMES, key=lambda name: order(parse_card(name))) == names
    assert [order(parse_card(name)) for name in names] == list(range(52))


def test_hands_by_faces() -> None:
    """12 faces among 52 cards."""
    counts = [0] * 4
    for hand in combinations(range(52), 3):
        counts[faces(*hand)] += 1
    assert counts == [comb(12, n) * comb(40, 3 - n) for n in range(4)]


def test_cards_that_are_not_there_are_no_faces() -> None:
    assert faces(parse_card("SK"), NONE, HIDDEN) == 1
