"""Tuidaohu against numbers known from elsewhere: big hands, horses, actions."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from qipai.envs.kernel import kernel
from qipai.envs.layout import NONE
from qipai.envs.parts.melds import complete, in_sets, in_sets_and_pair, in_triplets
from qipai.envs.parts.tiles import COPIES, KINDS, RANKS, WIND
from qipai.envs.parts.wall import suits
from qipai.envs.tuidaohu import (
    BIG_NAMES,
    GAME,
    big_kinds,
    hit_by,
    pay_horse,
)
from tests.tuidaohu_positions import position

HAND = 14


@kernel
def keep(rows, kept):
    """Mark suits that may be part of a complete hand: sets, sets and a pair, pairs.

    Thirteen orphans need three suits.
    """
    for i in range(len(rows)):
        suit, odd = np.int64(0), 0
        for k in range(rows.shape[1]):
            suit |= np.int64(rows[i, k]) << (3 * k)
            odd += rows[i, k] & 1
        if rows.shape[1] == RANKS:
            sets = in_sets(suit) or in_sets_and_pair(suit)
        else:
            sets = in_triplets(suit, 0) or in_triplets(suit, 1)
        kept[i] = sets or odd == 0


@kernel
def count_big(s, characters, honours, found):
    """Complete hands of these characters and honours: all, big, and by kind of big hand."""
    for a in range(len(characters)):
        for k in range(RANKS):
            s.tiles[1, k] = characters[a, k]
        for b in range(len(honours)):
            for k in range(KINDS - WIND):
                s.tiles[1, WIND + k] = honours[b, k]
            if complete(*suits(s, 1)):
                big = big_kinds(s, 1)
                found[0] += 1
                found[1] += big != 0
                for k in range(len(BIG_NAMES)):
                    found[2 + k] += (big >> k) & 1


def candidates(kinds: int) -> np.ndarray:
    """Rows of counts that may be part of a complete hand."""
    rows = np.ascontiguousarray(np.indices((COPIES + 1,) * kinds, np.int8).reshape(kinds, -1).T)
    kept = np.zeros(len(rows), np.int8)
    keep(rows, kept)
    return rows[(kept > 0) & (rows.sum(axis=1) <= HAND)]


def test_characters_and_honours() -> None:
    """Concealed hands of the 16 kinds, won by the own draw."""
    table = position({1: "123m 456p 567s 99s EE"}, turn=1)
    table.s["tiles"][1] = 0
    found = np.zeros(2 + len(BIG_NAMES), np.int64)
    characters, honours = candidates(RANKS), candidates(KINDS - WIND)
    for size in range(HAND + 1):
        one = np.ascontiguousarray(characters[characters.sum(axis=1) == size])
        other = np.ascontiguousarray(honours[honours.sum(axis=1) == HAND - size])
        count_big(table.s, one, other, found)
    complete_hands, big, *kinds = found.tolist()
    assert (complete_hands, complete_hands - big, big) == (237_236, 92_414, 144_822)
    by_name = dict(zip(BIG_NAMES, kinds, strict=True))
    assert by_name == {
        "天胡": 0,
        "清一色": 15_349,
        "字一色": 498,
        "七對子": 110_448,
        "四暗刻": 21_840,
        "十八羅漢": 0,
        "大三元": 247,
        "大四喜": 12,
        "小四喜": 76,
        "十三麼": 0,
    }


@pytest.mark.parametrize(
    ("dragons", "tiles"), [("zero", [44, 32, 32, 28]), ("one", [40, 32, 32, 32])]
)
def test_horse_tiles_by_seat(dragons: str, tiles: list[int]) -> None:
    table = position({}, turn=0, horse_dragons=dragons)
    hits = [int(hit_by(table.s, tile)) for tile in range(KINDS)]
    assert (COPIES * np.bincount(hits)).tolist() == tiles


@pytest.mark.parametrize(
    ("winner", "worth"),
    [(0, Fraction(33, 17)), (1, Fraction(-10, 17)), (2, Fraction(-10, 17)), (3, Fraction(-13, 17))],
)
def test_mean_worth_of_a_horse_to_the_dealer(winner: int, worth: Fraction) -> None:
    """In a small hand won by the own draw."""
    table = position({}, turn=0)
    s = table.s
    s["winner"], s["payer"], s["big"] = winner, NONE, 0
    for tile in range(KINDS):
        pay_horse(s, tile)
    assert Fraction(int(s["net"][0]), KINDS) == worth
    assert s["net"].sum() == 0


def test_there_are_106_actions() -> None:
    names = GAME.actions.names
    assert len(names) == 106
    assert names[33:36] == ["discard WD", "pong", "kong"]
    assert names[36] == "ckong 1m" and names[70] == "akong 1m"
    assert names[104:] == ["win", "pass"]
