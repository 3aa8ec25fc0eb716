"""Roulette against exact means and spreads, and against the counts published in its sheet."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction

import numpy as np
import pytest

from qipai.envs import make_tables
from qipai.envs.match import unplayed
from qipai.envs.parts import chips
from qipai.envs.roulette import GAME, KINDS, SPOTS, pay, rooms

SPINS = 10_000_000
NUMBERS = range(37)


@pytest.fixture(scope="module")
def results() -> np.ndarray:
    """What a coin on each spot brings on each number, (161, 37)."""
    table = unplayed(GAME, 1)
    brought = np.zeros((len(SPOTS.names), 37), np.int64)
    for number in NUMBERS:
        table["last"] = number
        brought[:, number] = [pay(table[0], spot, 1) for spot in range(len(SPOTS.names))]
    return brought


def column_of(number: int) -> int:
    return (number + 2) % 3 + 1


def test_spots_by_their_odds() -> None:
    assert Counter(SPOTS.odds) == {35: 37, 17: 60, 11: 14, 8: 23, 5: 11, 3: 4, 2: 6, 1: 6}
    assert all(
        len(numbers) * (odds + 1) == 36
        for numbers, odds in zip(SPOTS.numbers, SPOTS.odds, strict=True)
    )


def test_every_spot_loses_a_37th(results: np.ndarray) -> None:
    assert {Fraction(int(row.sum()), 37) for row in results} == {Fraction(-1, 37)}


def test_spots_that_a_number_hits(results: np.ndarray) -> None:
    for number in NUMBERS:
        expected = {1: 15, 2: 18, 3: 15}[column_of(number)]
        expected = {0: 7, 34: 12, 35: 14, 36: 12}.get(number, expected)
        assert (results[:, number] > 0).sum() == expected


def test_a_coin_on_every_spot(results: np.ndarray) -> None:
    for number in NUMBERS:
        expected = {1: -13, 2: 23, 3: -13}[column_of(number)]
        special = {0: -38, 1: -7, 2: 32, 3: -7, 34: -46, 35: -19, 36: -46}
        assert results[:, number].sum() == special.get(number, expected)
    assert results.sum() == -161


def test_the_least_spread_is_that_of_even_money(results: np.ndarray) -> None:
    spread = results.std(axis=1)
    assert round(spread[SPOTS.names.index("red")], 4) == 0.9996 == round(spread.min(), 4)


def test_sectors_part_the_wheel() -> None:
    sectors = [SPOTS.numbers[SPOTS.names.index(s)] for s in ("north", "east", "south", "west")]
    assert Counter(n for sector in sectors for n in sector) == Counter(range(1, 37))


@pytest.mark.parametrize(("max_chips", "bets"), [(1, 484), (2, 117_370)])
def test_whole_bets(max_chips: int, bets: int) -> None:
    """Betting nothing included, with 10,000 coins; the chips before the last one laid by hand."""
    table = unplayed(GAME, 1, seats=1, max_chips=max_chips)
    table["joined"][0, 0] = 1

    def extensions() -> list[int]:
        offered = chips.offer(table[0], 0, KINDS, rooms(table[0], 0), False)
        return [chip for chip in range(len(KINDS)) if chips.is_open(chip, offered, KINDS)]

    first = extensions()
    found = 1 + len(first)
    if max_chips == 2:
        for chip in first:
            table["laid"][0, 0, 0] = chip
            found += len(extensions())
    assert found == bets


@pytest.mark.slow
def test_ten_million_spins(results: np.ndarray) -> None:
    """A coin on each spot in every spin: means within 4.5 standard errors of −1/37 (of 161 spots
    one in 900 runs is farther off), numbers as often by chi squared."""
    tables, fallen = make_tables("roulette", 10_000, seed=11, seats=1, hands=1000), np.zeros(37)
    nothing = np.zeros(10_000, np.int64)
    for _ in range(SPINS // 10_000):
        fallen += np.bincount(tables.state["coming"], minlength=37)
        tables.step(nothing)
    assert fallen.sum() == SPINS
    means = results @ fallen / SPINS
    errors = results.std(axis=1) / SPINS**0.5
    assert (abs(means + 1 / 37) < 4.5 * errors).all()
    assert ((fallen - SPINS / 37) ** 2).sum() / (SPINS / 37) < 80  # 36 ± 8.5
