"""Cards and their names."""

from __future__ import annotations

import numpy as np
import pytest

from qipai.envs.layout import HIDDEN, NONE
from qipai.envs.parts.cards import (
    BIT,
    CARD_NAMES,
    card_name,
    count_cards,
    highest_card,
    lowest_card,
    parse_card,
    put_card,
)


def test_there_are_52_cards_and_every_name_parses_back():
    assert len(set(CARD_NAMES)) == 52
    assert [parse_card(card_name(card)) for card in range(52)] == list(range(52))


def test_higher_numbers_are_better_cards():
    names = ["D2", "S2", "D3", "H9", "S9", "D10", "C10", "HJ", "DQ", "SK", "DA", "CA", "HA", "SA"]
    assert [parse_card(name) for name in names] == sorted(parse_card(name) for name in names)
    assert CARD_NAMES[0] == "D2"
    assert CARD_NAMES[-1] == "SA"


@pytest.mark.parametrize("name", ["", "9S", "S1", "ST", "s9", "X9", "S9 ", "BJ"])
def test_what_is_no_card_is_refused_with_the_way_to_write_one(name):
    with pytest.raises(ValueError, match=r"a card is a suit \(D C H S\) and a rank"):
        parse_card(name)


@pytest.mark.parametrize("card", [-2, -1, 52])
def test_numbers_without_a_card_are_refused(card):
    with pytest.raises(ValueError, match="cards are 0…51"):
        card_name(card)


def test_sets_of_cards_as_bits():
    draws = np.random.default_rng(1)
    for size in range(1, 53):
        cards = draws.choice(52, size, replace=False)
        found = BIT[cards].sum()
        assert count_cards(found) == size
        assert (lowest_card(found), highest_card(found)) == (cards.min(), cards.max())
    assert count_cards(np.int64(0)) == 0


def test_a_card_in_an_observation() -> None:
    """Flags of rank and suit, counted from the lowest rank of the deck; nothing if it is hidden."""
    values, visible = np.zeros((3, 14), np.float32), np.ones((3, 14), np.bool_)
    lowest = parse_card("D8")
    for row, card in enumerate((parse_card("H10"), HIDDEN, NONE)):
        put_card(values[row, 2:], visible[row, 2:], card, lowest, 7)
    assert np.flatnonzero(values).tolist() == [2 + 2, 2 + 7 + 2]
    assert visible[[0, 2]].all()
    assert np.flatnonzero(~visible[1]).tolist() == list(range(2, 13))
