"""Points modulo ten, over the whole deck."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from qipai.envs.kernel import kernel
from qipai.envs.layout import HIDDEN, NONE
from qipai.envs.parts.cards import CARD_NAMES, parse_card
from qipai.envs.parts.points import point, points


@kernel
def write_points(hands, found):
    for i in range(len(hands)):
        found[i] = points(hands[i, 0], hands[i, 1], hands[i, 2])


def points_of(hands: list[tuple[int, ...]]) -> np.ndarray:
    found = np.zeros(len(hands), np.int64)
    write_points(np.array([(*hand, *(NONE,) * (3 - len(hand))) for hand in hands]), found)
    return found


def hands_by_points(size: int) -> list[int]:
    """How many hands of ``size`` cards have 0, 1, …, 9 points, by what their names say."""
    counts = {"A": 1, **{str(n): n for n in range(2, 10)}}
    names = [[counts.get(name[1:], 0) for name in hand] for hand in combinations(CARD_NAMES, size)]
    return np.bincount([sum(hand) % 10 for hand in names], minlength=10).tolist()


@pytest.mark.parametrize("size", [1, 2, 3])
def test_hands_by_points(size: int) -> None:
    found = points_of(list(combinations(range(len(CARD_NAMES)), size)))
    assert np.bincount(found, minlength=10).tolist() == hands_by_points(size)


def test_two_cards_by_points() -> None:
    """Of 1326: 0 are two tens, A and 9 … 4 and 6, or two fives; 1 is a ten and an ace, or
    2 and 9 … 5 and 6."""
    found = points_of(list(combinations(range(len(CARD_NAMES)), 2)))
    assert [(found == n).sum() for n in (0, 1)] == [120 + 4 * 16 + 6, 16 * 4 + 4 * 16]


@pytest.mark.parametrize(("cards", "total"), [("SA H9", 0), ("S7 D8 C9", 4), ("SK HQ D10", 0)])
def test_hands_by_hand(cards: str, total: int) -> None:
    hand = tuple(parse_card(name) for name in cards.split())
    assert points_of([hand]) == [total]


def test_cards_that_are_not_there_count_nothing() -> None:
    assert [int(point(card)) for card in (NONE, HIDDEN)] == [0, 0]
