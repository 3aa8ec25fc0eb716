"""Seats, coins and the log of betting games against plain lists."""

from __future__ import annotations

from collections import Counter
from itertools import product

import numpy as np
import pytest

from qipai.envs.kernel import addressable, kernel
from qipai.envs.layout import NONE, Actions
from qipai.envs.match import count_seats, draw_seat
from qipai.envs.parts.betting import (
    LOG,
    divide,
    first_winner,
    live_seats,
    log,
    log_lines,
    next_live,
    pot,
    winners,
)
from qipai.envs.parts.rounds import to_act
from qipai.envs.rng import RNG

SEATS = 4
TABLE = np.dtype(
    [
        ("seats", np.int8),
        ("rng", RNG),
        ("live", np.int8, (SEATS,)),
        ("acted", np.int8, (SEATS,)),
        ("stake", np.int64, (SEATS,)),
        ("coins", np.int64, (SEATS,)),
        ("won", np.int64, (SEATS,)),
        ("banker", np.int8),
        ("log_count", np.int32),
        ("log_seat", np.int8, (LOG,)),
        ("log_action", np.int8, (LOG,)),
    ]
)


def table_of(**fields: object) -> np.ndarray:
    tables = np.zeros(1, TABLE)
    tables["seats"] = SEATS
    for name, value in fields.items():
        tables[name] = value
    return tables


def record(tables: np.ndarray) -> np.void:
    return addressable(tables)[0]


@kernel
def is_live(s, seat):
    return s.live[seat] == 1


@kernel
def count(s):
    return count_seats(s, is_live)


@kernel
def draw(s):
    return draw_seat(s, is_live)


@pytest.mark.parametrize("live", list(product((0, 1), repeat=SEATS)))
def test_seats_that_play(live: tuple[int, ...]) -> None:
    s = record(table_of(live=live))
    inside = [seat for seat in range(SEATS) if live[seat]]
    assert count(s) == live_seats(s) == len(inside)
    for seat in range(SEATS):
        later = [(seat + k) % SEATS for k in range(1, SEATS)]
        expected = next((other for other in later if other in inside), seat)
        assert next_live(s, np.int64(seat)) == expected
    if not inside:
        assert draw(s) == -1


def test_every_player_is_drawn_equally_often() -> None:
    tables = table_of(live=(1, 0, 1, 1))
    drawn = Counter(draw(record(tables)) for _ in range(3000))
    assert sorted(drawn) == [0, 2, 3]
    assert all(900 < times < 1100 for times in drawn.values())


@pytest.mark.parametrize("acted", list(product((0, 1), repeat=SEATS)))
def test_who_has_yet_to_act(acted: tuple[int, ...]) -> None:
    s = record(table_of(live=(1, 1, 0, 1), acted=acted))
    for first, size in product(range(SEATS), range(SEATS + 1)):
        asked = [(first + k) % SEATS for k in range(size)]
        waiting = [seat for seat in asked if seat != 2 and not acted[seat]]
        found = to_act(s, np.int64(first), np.int64(size))
        assert found == (waiting[0] if waiting else NONE)


def test_the_pot_goes_to_winners_in_playing_order_after_the_banker() -> None:
    tables = table_of(stake=(5, 0, 7, 11), won=(1, 0, 1, 1), banker=2)
    s = record(tables)
    assert pot(s) == 23
    assert first_winner(s) == 3
    divide(s, np.int64(23))
    assert tables["coins"][0].tolist() == [8, 0, 7, 8]


def test_the_log_keeps_the_last_actions() -> None:
    actions = Actions()
    actions.add("bet", ["fold", "call"], "always")
    tables = table_of()
    for i in range(LOG + 3):
        log(record(tables), np.int64(i % SEATS), np.int64(i % 2))
    lines = log_lines(tables[0], actions)
    assert len(lines) == LOG
    assert lines[0] == "3: call" and lines[-1] == "2: fold"


def test_winners_in_the_order_in_which_odd_coins_go() -> None:
    for banker, order in ((0, [1, 3, 0]), (1, [3, 0, 1]), (3, [0, 1, 3])):
        table = record(table_of(banker=banker, won=[1, 1, 0, 1]))
        assert winners(table) == order
        assert first_winner(table) == order[0]
