"""Zui mahjong: numbers known from elsewhere, over all concealed hands of one suit."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from qipai.envs.kernel import addressable, kernel
from qipai.envs.parts.melds import waits
from qipai.envs.parts.tiles import RANKS
from qipai.envs.zui_mahjong import (
    ALL_TRIPLETS,
    END_PAIR,
    FOURS,
    GAME,
    STRAIGHT,
    best_pair,
    times,
    value_read,
)


def hands(n: int) -> np.ndarray:
    """All counts by rank of n tiles of one suit, four of a rank at most."""
    rows = [row for row in product(range(5), repeat=RANKS) if sum(row) == n]
    return np.array(rows, np.int8)


@kernel
def count_waits(rows, found):
    for i in range(len(rows)):
        suit = np.int64(0)
        for rank in range(RANKS):
            suit |= np.int64(rows[i, rank]) << (3 * rank)
        for pairs in range(2):
            kinds, count = waits(suit, np.int64(0), np.int64(0), np.int64(0), pairs == 1), 0
            while kinds:
                count += kinds & 1
                kinds >>= 1
            found[pairs, count] += 1


def test_waits_of_one_suit() -> None:
    rows, found = hands(13), np.zeros((2, 10), np.int64)
    count_waits(rows, found)
    assert len(rows) == 93_600
    assert found[0].tolist() == [53_530, 14_067, 14_493, 6_739, 2_948, 1_335, 392, 79, 16, 1]
    assert found[1].tolist() == [45_667, 20_766, 14_492, 7_670, 3_140, 1_377, 392, 79, 16, 1]


@kernel
def sum_values(s, rows, first, found):
    """Add up complete hands, winning tiles, F, and how often items count in the best reading."""
    seat = np.int64(0)
    for i in range(len(rows)):
        for rank in range(RANKS):
            s.tiles[seat, first + rank] = rows[i, rank]
        s.offer = first
        if best_pair(s, seat) < 0:
            continue
        found[0] += 1
        for rank in range(RANKS):
            if rows[i, rank] > 0:
                s.offer = first + rank
                pair = best_pair(s, seat)
                found[1] += 1
                found[2] += value_read(s, seat, pair)
                found[3] += times(s, seat, END_PAIR, pair)
                found[4] += times(s, seat, ALL_TRIPLETS, pair)
                found[5] += times(s, seat, STRAIGHT, pair)
                found[6] += times(s, seat, FOURS, pair) > 0


@pytest.mark.parametrize(("first", "total"), [(0, 5_317_770), (9, 6_165_560), (18, 5_317_770)])
def test_values_of_one_suit(first: int, total: int) -> None:
    table = addressable(GAME.fields.blank())
    s = table[0]
    s["tiles"][:] = 0
    s["rules"]["zui_value"] = 10
    s["rules"]["xiaoniu"] = 1
    s["offer_seat"] = 1
    found = np.zeros(7, np.int64)
    sum_values(s, hands(14), np.int64(first), found)
    assert found.tolist()[:3] == [13_259, 84_779, total]
    assert found.tolist()[3:6] == [20_904, 3_150, 1_215]
    assert found[6] == 57_521
