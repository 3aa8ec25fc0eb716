"""Thirteen against counts over the whole deck, and against layouts read by other code."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from math import comb
from typing import Any

import numpy as np
import pytest

from qipai.envs.kernel import addressable, kernel
from qipai.envs.thirteen import (
    ALL,
    FIVES,
    GAME,
    HAND,
    THREES,
    LowAce,
    can_complete,
    house_layout,
    is_dragon,
    is_foul,
    value_of_five,
    value_of_three,
)
from tests.table import parse_cards


@kernel
def values_of_fives(low_ace, out):
    count = 0
    for a in range(51, 3, -1):
        for b in range(a - 1, 2, -1):
            for c in range(b - 1, 1, -1):
                for d in range(c - 1, 0, -1):
                    for e in range(d - 1, -1, -1):
                        out[count] = value_of_five(a, b, c, d, e, low_ace)
                        count += 1


@kernel
def values_of_threes(out):
    count = 0
    for a in range(51, 1, -1):
        for b in range(a - 1, 0, -1):
            for c in range(b - 1, -1, -1):
                out[count] = value_of_three(a, b, c)
                count += 1


TYPES = [1302540, 1098240, 123552, 54912, 10200, 5108, 3744, 624, 40]


def test_all_fives() -> None:
    values = np.zeros(comb(52, 5), np.int64)
    distinct = []
    for low_ace in LowAce:
        values_of_fives(np.int64(low_ace), values)
        assert np.bincount(values >> 30).tolist() == TYPES
        distinct.append(len(np.unique(values)))
    assert distinct[LowAce.TOP] == 21_481


def test_all_fronts() -> None:
    values = np.zeros(comb(52, 3), np.int64)
    values_of_threes(values)
    assert {int(k): int(n) for k, n in Counter((values >> 30).tolist()).items()} == {
        0: 18304,
        1: 3744,
        3: 52,
    }
    assert len(np.unique(values)) == 1625


def test_chance_of_a_dragon() -> None:
    """A hand is a dragon if it has one card of each rank, whichever suit."""
    suits = np.random.default_rng(1).integers(4, size=(200, HAND))
    for row in suits:
        table = seat_with(sorted((4 * np.arange(HAND) + row).tolist(), reverse=True))
        assert is_dragon(table, 0)
        table["cards"][0, 5] = table["cards"][0, 4] ^ 1  # two of a rank
        table["cards"][0] = np.sort(table["cards"][0])[::-1]
        assert not is_dragon(table, 0)
    assert Fraction(4**HAND, comb(52, HAND)) == Fraction(4194304, 39688347475)


# --- Layouts, by other code ----------------------------------------------------------------------

Key = tuple[Any, ...]
HOUSE = [
    ("SA DA HK DJ D10 C9 S8 H7 D6 C5 C4 S3 H2", 17_555, "bffmmmmmfbbbb"),
    ("DA SK CK S10 H10 C9 C7 S5 C5 S4 H4 C3 S2", 22_618, "fbmbfmmbmbfmb"),
    ("S5 S4 H4 C4 D4 S3 H3 C3 D3 S2 H2 C2 D2", 30_404, "bbbbbmmmmmfff"),
    ("HA CQ DQ SJ HJ DJ D10 H8 C8 S7 H7 C4 H3", 23_520, "mmmbbbfmmbbff"),
    ("SA HA DA SK HK DK SQ HQ DQ SJ HJ DJ S10", 29_574, "bmmbmmbmfbffb"),
    ("SK SQ SJ S10 S9 S8 S7 S6 S5 S4 S3 S2 H2", 28_832, "bbbbbmmmmmfff"),
    ("SK DK CQ HJ C10 S9 D8 H7 S6 D5 H4 C3 S2", 17_573, "bfbbbbmmmmmff"),
]


def key(cards: tuple[int, ...]) -> Key:
    """A segment by R7–R15: its type, then what is compared one after the other; ♠ is suit 3."""
    ranks, suits = [c // 4 for c in cards], {c % 4 for c in cards}
    groups = sorted(Counter(ranks).items(), key=lambda item: (-item[1], -item[0]))
    sizes, order = [n for _, n in groups], tuple(rank for rank, _ in groups)
    best = max(c % 4 for c in cards if c // 4 == order[0])
    if sizes[0] >= 3:
        return ("trips" if len(sizes) == len(cards) - 2 else "four or full", sizes[0], order[0])
    if sizes[0] == 2:
        return ("two pair" if sizes[1] == 2 else "pair", order, best)
    if len(cards) == 3:
        return ("single", order, best)
    run = order if order[0] - order[4] == 4 else ("ace",) if order == (12, 3, 2, 1, 0) else None
    top = 12 if run == ("ace",) else order[0]
    if len(suits) == 1:
        return ("straight flush", best, top) if run else ("flush", best, order)
    return ("straight", top, best) if run else ("single", order, best)


TYPE_ORDER = ["single", "pair", "two pair", "trips", "straight", "flush", "full", "four"]


def comparable(cards: tuple[int, ...]) -> Key:
    name, *rest = key(cards)
    if name == "four or full":
        return (7 if rest[0] == 4 else 6, rest[1])
    if name == "straight flush":
        return (8, *rest)
    return (TYPE_ORDER.index(name), *(rest[1:] if name == "trips" else rest))


def front_is_below(front: Key, middle: Key) -> bool:
    """R17: only as many ranks count as a front has."""
    if front[0] != middle[0] or front[0] == 3:
        return front < middle
    count = len(front[1])
    return (front[1], front[2]) < (middle[1][:count], middle[2])


class Layouts:
    """All layouts of thirteen cards from high to low, read by the code above."""

    def __init__(self, cards: list[int]) -> None:
        self.cards = cards
        self.keys = {
            mask: comparable(self.chosen(mask)) for mask in (*FIVES.tolist(), *THREES.tolist())
        }
        self.legal = [
            (front, middle)
            for front in THREES.tolist()
            for middle in FIVES.tolist()
            if not front & middle
            and self.keys[middle] < self.keys[ALL ^ front ^ middle]
            and front_is_below(self.keys[front], self.keys[middle])
        ]

    def chosen(self, mask: int) -> tuple[int, ...]:
        return tuple(c for k, c in enumerate(self.cards) if mask >> (HAND - 1 - k) & 1)

    def letters(self, front: int, middle: int) -> str:
        bits = [1 << (HAND - 1 - k) for k in range(HAND)]
        return "".join("f" if front & b else "m" if middle & b else "b" for b in bits)

    def house(self) -> str:
        def order(layout: tuple[int, int]) -> tuple[Any, ...]:
            front, middle = layout
            return self.keys[ALL ^ front ^ middle], self.keys[middle], self.keys[front]

        best = max(map(order, self.legal))
        found = [self.letters(*layout) for layout in self.legal if order(layout) == best]
        return min(found, key=lambda letters: ["bmf".index(letter) for letter in letters])


def seat_with(cards: list[int], **rules: Any) -> Any:
    """A table whose first seat has these cards, from high to low."""
    table = addressable(GAME.blank(GAME.options(**rules)))[0]
    table["cards"][0] = cards
    return table


def house_letters(table: Any, layouts: Layouts) -> str:
    zero = np.int64(0)
    return layouts.letters(*map(int, house_layout(table, 0, zero, zero, 0)))


@pytest.mark.parametrize(("hand", "legal", "house"), HOUSE)
def test_layouts_without_foul(hand: str, legal: int, house: str) -> None:
    layouts = Layouts(parse_cards(hand))
    assert len(layouts.legal) == legal and layouts.house() == house
    table = seat_with(layouts.cards)
    assert house_letters(table, layouts) == house


@pytest.mark.parametrize("seed", range(4))
def test_random_hands_are_read_alike(seed: int) -> None:
    rng = np.random.default_rng(seed)
    layouts = Layouts(sorted(rng.permutation(52)[:HAND].tolist(), reverse=True))
    table, legal = seat_with(layouts.cards), set(layouts.legal)
    assert house_letters(table, layouts) == layouts.house()
    for _ in range(3000):
        front, middle = layouts.legal[rng.integers(len(layouts.legal))]
        if rng.random() < 0.5:
            front = int(rng.choice(THREES))
            middle = int(rng.choice([m for m in FIVES.tolist() if not m & front]))
        segments = [
            tuple(np.int64(c) for c in layouts.chosen(mask))
            for mask in (front, middle, ALL ^ front ^ middle)
        ]
        ace = np.int64(LowAce.TOP)
        worths = [value_of_three(*segments[0])]
        worths += [value_of_five(*segment, ace) for segment in segments[1:]]
        assert is_foul(*worths) == ((front, middle) not in legal)


@pytest.mark.parametrize("hand", [HOUSE[0][0], HOUSE[1][0], HOUSE[6][0]])
def test_what_can_be_completed(hand: str) -> None:
    """For every beginning of up to three cards, and for many longer ones."""
    layouts = Layouts(parse_cards(hand))
    table = seat_with(layouts.cards, allow_foul=False)
    rng, tried = np.random.default_rng(2), 0
    letters = ["".join(layouts.letters(*layout)) for layout in layouts.legal]
    for count in range(1, HAND):
        legal = {text[:count] for text in letters}
        some = {*legal} if count <= 3 else {*rng.choice(sorted(legal), 100)}
        for text in some:
            for letter in "fmb":
                begun = text[:-1] + letter
                front, middle = (
                    sum(1 << (HAND - 1 - k) for k, x in enumerate(begun) if x == y) for y in "fm"
                )
                if begun.count("f") > 3 or begun.count("m") > 5 or begun.count("b") > 5:
                    continue
                found = can_complete(table, 0, np.int64(front), np.int64(middle), count)
                assert found == (begun in legal), begun
                tried += 1
    assert tried > 1500
