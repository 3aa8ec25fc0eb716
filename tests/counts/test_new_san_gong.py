"""Three-card stud (new_san_gong): its ranking over the whole deck, and chances known elsewhere."""

from __future__ import annotations

from itertools import combinations, permutations

import numpy as np
import pytest

from qipai.envs.kernel import kernel
from qipai.envs.layout import NONE
from qipai.envs.new_san_gong import (
    ACTIONS,
    CARDS,
    HAND_NAMES,
    THREE_FACES,
    THREE_OF_A_KIND,
    better_of_pair,
    kind_of,
    value,
)
from qipai.envs.parts.faces import faces
from tests.table import parse_cards


@kernel
def write_values(hands, values):
    for i in range(len(hands)):
        values[i] = value(hands[i, 0], hands[i, 1], hands[i, 2])


@kernel
def write_features(hands, kinds, pairs, face_counts):
    for i in range(len(hands)):
        a, b, c = hands[i, 0], hands[i, 1], hands[i, 2]
        kinds[i] = kind_of(value(a, b, c))
        pairs[i] = better_of_pair(a, b, c) >= 0
        face_counts[i] = faces(a, b, c)


def hands_of(size: int) -> np.ndarray:
    """Every hand of ``size`` cards, int64 (hands, 3)."""
    cards = np.array(list(combinations(range(CARDS), size)), np.int64)
    return np.pad(cards, ((0, 0), (0, 3 - size)), constant_values=NONE)


def values_of(hands: np.ndarray) -> np.ndarray:
    values = np.zeros(len(hands), np.int64)
    write_values(hands, values)
    return values


def features(hands: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Kinds, whether there is a pair, and numbers of faces."""
    kinds, pairs, face_counts = (np.zeros(len(hands), np.int64) for _ in range(3))
    write_features(hands, kinds, pairs, face_counts)
    return kinds, pairs, face_counts


def test_hands_by_kind() -> None:
    kinds, _, _ = features(hands_of(3))
    counts = np.bincount(kinds, minlength=len(HAND_NAMES))
    assert len(kinds) == 22_100
    assert counts[THREE_OF_A_KIND] == 52
    assert counts[THREE_FACES] == 208
    assert counts[:10].tolist() == [2_160, 2_208] * 5
    assert counts[:10].sum() == 21_840


def test_hands_of_points_by_pairs_and_faces() -> None:
    kinds, pairs, face_counts = features(hands_of(3))
    by_points = kinds < THREE_FACES
    assert (pairs[by_points] == 1).sum() == 3_600
    alone = face_counts[by_points & (pairs == 0)]
    assert np.bincount(alone).tolist() == [7_680, 8_640, 1_920]


@pytest.mark.parametrize(("size", "distinct"), [(1, 52), (2, 347), (3, 804)])
def test_hands_of_equal_value_share_a_card(size: int, distinct: int) -> None:
    """So no two seats tie."""
    hands = hands_of(size)
    sets = (np.int64(1) << hands[:, :size]).sum(axis=1)
    values = values_of(hands)
    assert len(np.unique(values)) == distinct
    for worth in np.unique(values):
        equal = sets[values == worth]
        assert (equal[:, None] & equal[None, :]).all()


def wins(hero: str, villain: str) -> tuple[int, int]:
    """In how many of all cases the first hand wins once both have three cards, and of how many."""
    own, other = parse_cards(hero), parse_cards(villain)
    unseen = [card for card in range(CARDS) if card not in own + other]
    to_come = 3 - len(own)
    drawn = np.array(list(permutations(unseen, to_come + 3 - len(other))), np.int64)
    heroes = np.hstack([np.tile(own, (len(drawn), 1)), drawn[:, :to_come]])
    villains = np.hstack([np.tile(other, (len(drawn), 1)), drawn[:, to_come:]])
    won = values_of(np.ascontiguousarray(heroes)) > values_of(np.ascontiguousarray(villains))
    return int(won.sum()), len(drawn)


@pytest.mark.parametrize(
    ("hero", "villain", "won"),
    [
        ("S5 HK", "HA D9", 1_487),
        ("S4 H5", "SK HQ", 1_013),
        ("SK HK", "S9 D10", 1_291),
        ("S8 D10", "H3 C4", 1_234),
    ],
)
def test_both_hidden_cards_to_come(hero: str, villain: str, won: int) -> None:
    assert wins(hero, villain) == (won, 2_256)


@pytest.mark.parametrize(
    ("hero", "villain", "won"),
    [
        ("S5 HK C3", "HA D9", 44),
        ("HA D9 S8", "S5 HK", 39),
        ("S4 H5 DQ", "SK HQ", 34),
        ("S8 D10 CQ", "H3 C4", 43),
    ],
)
def test_the_own_hidden_card_known(hero: str, villain: str, won: int) -> None:
    assert wins(hero, villain) == (won, 47)


def test_there_are_8_actions() -> None:
    assert ACTIONS.width == 8
