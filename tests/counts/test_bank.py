"""Seats that bank against the others: who does by turns, bets asked for, hidden and drawn again."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pytest

from qipai.envs.kernel import addressable, bind, kernel
from qipai.envs.layout import HIDDEN, NONE
from qipai.envs.parts.bank import (
    LEVELS,
    all_have_bet,
    bet_faults,
    hide_bets,
    level_amount,
    level_within,
    next_banker,
    redeal_bets,
)
from qipai.envs.rng import RNG, entropy, seed_stream

TABLE = np.dtype(
    [
        ("rng", RNG),
        ("seats", np.int64),
        ("hand", np.int64),
        ("banker", np.int64),
        ("turn", np.int64),
        ("ended", np.bool_),
        ("stack", np.int64, (4,)),
        ("joined", np.int8, (4,)),
        ("bet", np.int64, (4,)),
    ]
)
may_bank: Any = None
level: Any = None


@kernel
def is_rich(s, seat):
    return s.stack[seat] >= 100


@kernel
def level_of_ten(s, seat, k):
    return level_within(s.stack[seat], 10, 50, k)


def choose_banker(s):
    return next_banker(s, may_bank)


def ask(s):
    return all_have_bet(s, LEVELS, level)


def draw_bets(s):
    redeal_bets(s, LEVELS, level)


banker_of = bind(choose_banker, "bank", kernel, may_bank=is_rich)
asked_all = bind(ask, "bank", kernel, level=level_of_ten)
redeal = bind(draw_bets, "bank", kernel, level=level_of_ten)


def table(*stack: int, banker: int = 0) -> Any:
    """Four seats, all of them in the hand, the first one of a match, with no bets."""
    s = addressable(np.zeros(1, TABLE))
    s["seats"], s["banker"], s["stack"], s["joined"], s["bet"] = 4, banker, stack, 1, NONE
    return s[0]


def test_the_first_banker_is_drawn_evenly() -> None:
    s, found = table(100, 99, 300, 100), Counter[int]()
    for k in range(6000):
        seed_stream(s["rng"], entropy(7), k)
        found[int(banker_of(s))] += 1
    assert set(found) == {0, 2, 3}
    assert max(abs(count - 2000) for count in found.values()) < 5 * (6000 * 2 / 9) ** 0.5


@pytest.mark.parametrize(("last", "following"), [(0, 2), (1, 2), (2, 3), (3, 0)])
def test_later_the_next_seat_that_may_banks(last: int, following: int) -> None:
    s = table(100, 99, 300, 100, banker=last)
    s["hand"] = 1
    assert banker_of(s) == following
    s["stack"] = 0
    assert banker_of(s) == -1


@pytest.mark.parametrize(
    ("coins", "low", "high", "amounts"),
    [
        (10**6, 2000, 10000, [2000, 4000, 6000, 8000, 10000]),
        (10**6, 2000, 8333, [2000, 3583, 5166, 6749, 8333]),
        (6500, 2000, 10000, [2000, 4000, 6000, 0, 0]),
        (12, 10, 12, [10, 0, 11, 0, 12]),
        (10, 10, 10, [10, 0, 0, 0, 0]),
    ],
)
def test_levels(coins: int, low: int, high: int, amounts: list[int]) -> None:
    assert [level_within(coins, low, high, k) for k in range(LEVELS)] == amounts
    assert [level_amount(2000, 8333, k) for k in range(LEVELS)] == [2000, 3583, 5166, 6749, 8333]


def test_bets_are_asked_from_the_seat_after_the_banker() -> None:
    s = table(100, 12, 100, 100, banker=2)
    s["joined"][0] = 0
    assert not asked_all(s) and s["turn"] == 3
    s["bet"][3] = 20
    assert asked_all(s)
    assert s["bet"].tolist() == [NONE, 10, NONE, 20]  # seat 1 has one level


def test_hidden_bets_are_drawn_among_the_levels_on_offer() -> None:
    s, found = table(100, 35, 100, 100), Counter[int]()
    for k in range(3000):
        seed_stream(s["rng"], entropy(8), k)
        s["bet"] = [NONE, 30, 40, NONE]
        hide_bets(s, 2)
        assert s["bet"].tolist() == [NONE, HIDDEN, 40, NONE]
        redeal(s)
        assert s["bet"][[0, 2, 3]].tolist() == [NONE, 40, NONE]
        found[int(s["bet"][1])] += 1
    assert set(found) == {10, 20, 30}
    assert max(abs(count - 1000) for count in found.values()) < 5 * (3000 * 2 / 9) ** 0.5


@pytest.mark.parametrize(
    ("bets", "turn", "betting", "fault"),
    [
        ([NONE, 10, NONE, NONE], 2, True, None),
        ([NONE, 10, 20, 30], 2, False, None),
        ([NONE, HIDDEN, 20, NONE], 3, True, None),
        ([10, NONE, NONE, NONE], 1, True, "bet[0] is 10, but the seat has no bet"),
        ([NONE, 15, NONE, NONE], 2, True, "bet[1] is 15: expected one of [10, 20, 30"),
        ([NONE, 10, HIDDEN, 10], 1, False, "bet[2] is -1, but all bets are in"),
        ([NONE, NONE, 10, NONE], 1, True, "turn is 1: expected the first 閒 that has not bet"),
        ([NONE, 10, NONE, NONE], 0, True, "turn is 0: expected the first 閒 that has not bet"),
    ],
)
def test_what_bets_cannot_be(bets: list[int], turn: int, betting: bool, fault: str | None) -> None:
    s = table(100, 100, 100, 100)
    s["bet"], s["turn"] = bets, turn
    found = next(bet_faults(s, s, betting, LEVELS, level_of_ten), None)
    assert (found or "").startswith(fault or "") and bool(found) == bool(fault)
