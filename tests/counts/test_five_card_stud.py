"""Five-card stud against numbers known from elsewhere: the whole deck, and showdown chances."""

from __future__ import annotations

from itertools import combinations, permutations

import numpy as np
import pytest

from qipai.envs.five_card_stud import (
    ACTIONS,
    BIT,
    CARDS,
    FLUSH,
    FOUR,
    FULL_HOUSE,
    HIGH_CARD,
    LOWEST,
    PAIR,
    STRAIGHT,
    STRAIGHT_FLUSH,
    THREE,
    TWO_PAIRS,
    kind_of,
    value,
)
from qipai.envs.kernel import kernel
from qipai.envs.parts.cards import parse_card

DECK = range(LOWEST, LOWEST + CARDS)


@kernel
def write_values(hands, values):
    for i in range(len(hands)):
        values[i] = value(hands[i])


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


def hands_of(size: int) -> np.ndarray:
    """Every set of ``size`` cards, int64."""
    return BIT[list(combinations(DECK, size))].sum(axis=1)


def values_of(hands: np.ndarray) -> np.ndarray:
    values = np.zeros(len(hands), np.int64)
    write_values(hands, values)
    return values


def bits(cards: str) -> np.int64:
    return BIT[[parse_card(name) for name in cards.split()]].sum()


def wins(hero: str, villain: str) -> tuple[int, int]:
    """In how many of all cases the first hand wins once both have five cards."""
    known = bits(hero) | bits(villain)
    unseen = [card for card in DECK if not known & BIT[card]]
    own, other = 5 - len(hero.split()), 5 - len(villain.split())
    drawn = BIT[list(permutations(unseen, own + other))]
    heroes = bits(hero) + drawn[:, :own].sum(axis=1)
    villains = bits(villain) + drawn[:, own:].sum(axis=1)
    return int((values_of(heroes) > values_of(villains)).sum()), len(drawn)


def test_hands_of_the_whole_deck_by_type() -> None:
    values = values_of(hands_of(5))
    kinds = np.bincount([kind_of(v) for v in values.tolist()], minlength=9)
    assert len(values) == 98_280
    assert kinds[STRAIGHT_FLUSH] == 12
    assert kinds[FOUR] == 168
    assert kinds[FULL_HOUSE] == 1_008
    assert kinds[FLUSH] == 72
    assert kinds[STRAIGHT] == 3_060
    assert kinds[THREE] == 6_720
    assert kinds[TWO_PAIRS] == 15_120
    assert kinds[PAIR] == 53_760
    assert kinds[HIGH_CARD] == 18_360


@pytest.mark.parametrize(("size", "distinct"), [(1, 28), (2, 45), (3, 48), (4, 114), (5, 145)])
def test_distinct_values(size: int, distinct: int) -> None:
    assert len(set(values_of(hands_of(size)).tolist())) == distinct


@pytest.mark.parametrize("size", range(1, 6))
def test_hands_of_equal_value_share_a_card(size: int) -> None:
    hands = hands_of(size)
    hands = hands[np.argsort(values_of(hands))]
    assert equal_and_disjoint(hands, values_of(hands)) == 0


@pytest.mark.parametrize(
    ("hero", "villain", "won"),
    [
        ("SA HA C8 DJ S9", "SK DK C9 HJ", 13),
        ("H8 SK DK C9 HJ", "HA C8 DJ S9", 16),
        ("S8 S9 S10 SJ SA", "H10 D10 C10 SK", 16),
        ("H9 C10 HJ SQ HK", "D9 S10 DJ HQ", 18),
    ],
)
def test_showdown_against_an_unknown_hole(hero: str, villain: str, won: int) -> None:
    assert wins(hero, villain) == (won, 19)


@pytest.mark.parametrize(
    ("hero", "villain", "won"),
    [
        ("SA HA C8 DJ", "SK DK C9", 4_942),
        ("H8 SK DK C9", "HA C8 DJ", 6_098),
        ("S10 SJ SQ HK", "HA CA D8", 2_176),
    ],
)
def test_showdown_with_one_card_each_to_come(hero: str, villain: str, won: int) -> None:
    assert wins(hero, villain) == (won, 7_980)


def test_there_are_8_actions() -> None:
    assert ACTIONS.width == 8
