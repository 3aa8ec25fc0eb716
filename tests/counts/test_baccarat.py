"""Baccarat: every hand of a shoe, weighed, beside the fractions known elsewhere; whole bets."""

from __future__ import annotations

import re
from fractions import Fraction
from math import perm
from typing import Any

import numpy as np
import pytest

from qipai.agents.rule.baccarat import AROUND, count_hands, count_pairs, count_spots, mean
from qipai.envs.baccarat import BANKER_DRAWS, GAME, NATURAL, SPOTS, STOOD, WINNERS
from qipai.envs.kernel import addressable
from qipai.envs.match import engine
from qipai.envs.parts.points import POINT, POINTS
from tests.table import Table

BANKER_WINS, PLAYER_WINS, TIES = range(3)
FULL = (128, *(32,) * 9)  # cards of 0, 1, … 9 points in eight packs


def weighed(left: tuple[int, ...]) -> dict[tuple[int, int], int]:
    """In how many ways six cards in a row give each winner and number of cards, by dealing every
    sequence of six points by the rules as they are told."""
    dealt = np.indices((POINTS,) * 6).reshape(6, -1)
    ways = np.ones(dealt.shape[1], np.int64)
    for k in range(6):
        ways *= np.maximum(np.array(left)[dealt[k]] - (dealt[:k] == dealt[k]).sum(axis=0), 0)
    player, banker = (dealt[0] + dealt[2]) % 10, (dealt[1] + dealt[3]) % 10
    natural = (player >= 8) | (banker >= 8)
    third = ~natural & (player <= 5)
    t = np.where(third, dealt[4], -1)
    lowest = np.array([0, 0, 0, 0, 2, 4, 6, 10])[np.minimum(banker, 7)]
    answers = (t >= lowest) & ((t <= 7) | (banker <= 3)) & ~((banker == 3) & (t == 8))
    fourth = ~natural & np.where(third, answers, banker <= 5)
    u = np.where(third, dealt[5], dealt[4])
    player = np.where(third, (player + dealt[4]) % 10, player)
    banker = np.where(fourth, (banker + u) % 10, banker)
    winner = np.where(banker > player, BANKER_WINS, np.where(player > banker, PLAYER_WINS, TIES))
    thirds = third.astype(int) + fourth
    return {
        (who, n): int(ways[(winner == who) & (thirds == n)].sum())
        for who in range(3)
        for n in range(3)
    }


def counted(left: tuple[int, ...]) -> dict[tuple[int, int], int]:
    """The same by the rule bot."""
    around = np.array([*left, *left])
    ways = np.zeros((len(WINNERS), 3), np.int64)
    count_hands(around, np.int64(sum(left)), np.zeros((POINTS, POINTS), np.int64), ways)
    assert around.tolist() == [*left, *left]
    return {(who, n): int(ways[who, n]) for who in range(3) for n in range(3)}


def of_packs(packs: int) -> tuple[int, ...]:
    return tuple(packs * cards // 8 for cards in FULL)


def chance(ways: dict[tuple[int, int], int], *cases: tuple[int, int]) -> Fraction:
    return Fraction(sum(ways[case] for case in cases), sum(ways.values()))


def means(ways: dict[tuple[int, int], int], pair: Fraction) -> dict[str, Fraction]:
    """What a coin on each spot brings."""
    banker, player, tie = (chance(ways, *((who, n) for n in range(3))) for who in range(3))
    small = chance(ways, *((who, 0) for who in range(3)))
    return {
        "player": player - banker,
        "banker": Fraction(95, 100) * banker - player,
        "tie": 8 * tie - (1 - tie),
        "pair": 11 * pair - (1 - pair),
        "big": Fraction(54, 100) * (1 - small) - small,
        "small": Fraction(150, 100) * small - (1 - small),
    }


def fractions(text: str) -> list[Fraction]:
    return [Fraction(part) for part in text.split()]


# --- A whole shoe --------------------------------------------------------------------------------


@pytest.mark.parametrize("count", [weighed, counted])
def test_chances_of_a_whole_shoe(count: Any) -> None:
    ways = count(FULL)
    assert sum(ways.values()) == perm(416, 6)
    assert [chance(ways, *((who, n) for n in range(3))) for who in range(3)] == fractions(
        "8954111587648/19524993263685 8712962041376/19524993263685 619306544887/6508331087895"
    )
    assert [chance(ways, *((who, n) for who in range(3))) for n in range(3)] == fractions(
        "140356/370461 411869680/1357316181 3018415175/9501213267"
    )


@pytest.mark.parametrize("count", [weighed, counted])
@pytest.mark.parametrize(
    ("packs", "expected"),
    [
        (
            8,
            "-241149546272/19524993263685 -114753351728/10847218479825 "
            "-103841353768/723147898655 -43/415 -22999/529230 -19571/370461",
        ),
        (
            6,
            "-18880657128/1525814595305 -460294100/43594702723 -220299549488/1525814595305 "
            "-35/311 -451873/10377250 -2187/41509",
        ),
        (
            1,
            "-163679/12724075 -49303/4873050 -2003549/12724075 -5/17 -5147/113750 -159/3185",
        ),
    ],
)
def test_means_of_whole_shoes(count: Any, packs: int, expected: str) -> None:
    pair = Fraction(4 * packs - 1, 52 * packs - 1)
    assert [*means(count(of_packs(packs)), pair).values()] == fractions(expected)
    assert packs != 8 or pair == Fraction(31, 415)


def test_the_page_tells_them() -> None:
    told = re.findall(r"(−\d+/\d+) \((−[\d.]+) %\)", GAME.document)
    expected = [*means(counted(FULL), Fraction(31, 415)).values()]
    assert [Fraction(part.replace("−", "-")) for part, _ in told] == expected
    for value, (_, percent) in zip(expected, told, strict=True):
        assert f"{float(100 * value):.4f}".replace("-", "−") == percent


def test_cases_in_which_the_banker_draws() -> None:
    assert (BANKER_DRAWS.shape, int(BANKER_DRAWS.sum())) == ((NATURAL, 1 + POINTS), 57)
    assert BANKER_DRAWS[:, STOOD].sum() == 6


# --- Any shoe ------------------------------------------------------------------------------------


def test_the_bot_counts_any_shoe_as_dealing_does() -> None:
    draws = np.random.default_rng(1)
    for most in (2, 3, 8, 30):
        for _ in range(3):
            left = tuple(draws.integers(0, most, POINTS).tolist())
            if sum(left) >= 6:
                assert counted(left) == weighed(left)
    assert counted((0, 6, *(0,) * 8)) == weighed((0, 6, *(0,) * 8))


def seen(decks: int, hands: int) -> np.void:
    """A table after so many hands of a shoe on which nobody bets."""
    table = Table("baccarat", seats=1, hands=hands + 1, decks=decks, cut=6).deal()
    for _ in range(hands):
        table.play("done").next_hand()
    return table.s


@pytest.mark.parametrize(("decks", "hands"), [(1, 5), (2, 12), (8, 70)])
def test_ways_of_every_spot(decks: int, hands: int) -> None:
    """By dealing, from what is left in a shoe; pairs by naming every two cards."""
    s = seen(decks, hands)
    left = decks - s["taken"]
    assert left.sum() == 52 * decks - s["dealt"] > 0
    by_rank = left.reshape(13, 4).sum(axis=1)
    by_point = np.bincount(POINT, by_rank, POINTS).astype(int)
    ways, total = weighed(tuple(by_point.tolist())), int(left.sum())
    pair = Fraction(sum(int(n) * (int(n) - 1) for n in by_rank), total * (total - 1))
    expected = means(ways, pair)

    chances = np.zeros((len(SPOTS), 2), np.int64)
    room = np.zeros((POINTS, POINTS), np.int64), np.zeros((len(WINNERS), 3), np.int64)
    count_spots(s, np.zeros(AROUND, np.int64), *room, chances)
    assert count_pairs(s) == pair * total * (total - 1)
    for spot, name in enumerate(SPOTS):
        pairs = "pair" in name
        every = total * (total - 1) if pairs else perm(total, 6)
        worth = float(expected["pair" if pairs else name])
        assert mean(s, spot, chances) / every == pytest.approx(worth, abs=1e-12)


# --- Bets ----------------------------------------------------------------------------------------


def whole_bets(**options: Any) -> int:
    """How many whole bets a seat can lay, nothing included, by laying each of them."""
    table = Table("baccarat", seats=1, **options).deal()
    loops = engine(GAME)
    one, purse = np.zeros(1, np.int64), np.zeros((1, 2), np.int64)

    def bets(tables: np.ndarray) -> int:
        mask = np.zeros((1, GAME.actions.width), np.int8)
        loops.mask_tables(tables, one, mask)
        found = 1  # done
        for action in np.flatnonzero(mask[0])[1:]:
            after = addressable(tables.copy())
            loops.play_tables(after, one, np.array([action]), purse)
            found += 1 if after["ended"][0] else bets(after)
        return found

    return bets(table.table)


@pytest.mark.parametrize(
    ("stack", "max_chips", "bets"),
    [(10_000, 1, 22), (10_000, 2, 237), (10_000, 3, 1677), (400, 8, 294)],
)
def test_whole_bets_in_chips(stack: int, max_chips: int, bets: int) -> None:
    assert whole_bets(stack=stack, max_chips=max_chips) == bets
