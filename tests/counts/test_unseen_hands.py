"""Hands that lie face down: how they are held, dealt, gathered and hidden, and turns in words."""

from __future__ import annotations

from itertools import permutations
from typing import Any

import numpy as np
import pytest

from qipai.envs.kernel import addressable, bind, kernel
from qipai.envs.layout import HIDDEN, NONE
from qipai.envs.parts.unseen_hands import (
    cards_of,
    census,
    clear_dealt,
    collect_cards,
    conceal_hands,
    draw_hands,
    gather,
    hidden_hands,
    hold,
    steps_of_turn,
    take_cards,
)
from qipai.envs.rng import RNG
from qipai.envs.scene import cards_seen

TABLE = np.dtype(
    [
        ("rng", RNG),
        ("seats", np.int8),
        ("banker", np.int8),
        ("dealt", np.int8),
        ("deck", np.int8, (52,)),
        ("cards", np.int8, (4, 3)),
        ("dealt_in", np.int8, (4,)),
    ]
)
sees: Any = None


@kernel
def sees_itself_and_the_banker(s, seat, other):
    return other == seat or other == s.banker


def hide(s, seat):
    conceal_hands(s, seat, sees)


@pytest.fixture
def table() -> np.ndarray:
    """Three of four seats have three cards each, dealt from seat 2 on."""
    s = addressable(np.zeros(1, TABLE))
    s["seats"], s["banker"], s["dealt"], s["dealt_in"] = 4, 2, 9, [1, 0, 1, 1]
    s["deck"], s["cards"] = np.random.default_rng(5).permutation(52), NONE
    for start, seat in enumerate((2, 3, 0)):
        take_cards(s[0], seat, 3 * start)
    return s


def test_cards_are_held_highest_first(table: np.ndarray) -> None:
    for a, b, c in permutations((7, 30, 51)):
        hold(table[0], 0, np.int8(a), np.int8(b), np.int8(c))
        assert table["cards"][0, 0].tolist() == [51, 30, 7]


def test_hands_gathered_lie_where_they_were_dealt_from(table: np.ndarray) -> None:
    dealt = np.random.default_rng(5).permutation(52)
    assert (table["deck"][0, :9] == NONE).all()
    assert census(table[0]) == (1,) * 52
    gather(table[0], addressable(table.copy())[0])
    for start in (0, 3, 6):
        assert sorted(table["deck"][0, start : start + 3]) == sorted(dealt[start : start + 3])
    assert table["deck"][0, 9:].tolist() == dealt[9:].tolist()


def test_what_a_seat_can_not_see_is_hidden(table: np.ndarray) -> None:
    before = table["cards"][0].copy()
    bind(hide, "a_test", kernel, sees=sees_itself_and_the_banker)(table[0], 3)
    assert (table["cards"][0, [2, 3]] == before[[2, 3]]).all()
    assert (table["cards"][0, 0] == HIDDEN).all() and (table["cards"][0, 1] == NONE).all()
    assert (table["deck"][0, 9:] == HIDDEN).all()
    assert (
        cards_seen(table[0]["cards"][1]) == [] and len(set(cards_seen(table[0]["cards"][0]))) == 1
    )


def test_hidden_hands_are_drawn_from_all_cards_not_seen(table: np.ndarray) -> None:
    whole, drawn = table.copy(), []
    bind(hide, "a_test", kernel, sees=sees_itself_and_the_banker)(table[0], 3)
    hidden = hidden_hands(table[0])
    assert hidden == 1 << 0
    for seed in range(3000):
        world = addressable(table.copy())
        world["rng"]["key"] = seed
        start = collect_cards(world[0], hidden)
        draw_hands(world[0], hidden, start)
        clear_dealt(world[0], start)
        assert census(world[0]) == (1,) * 52
        assert (world["cards"][0, 1:] == whole["cards"][0, 1:]).all()
        assert (world["deck"][0, :9] == NONE).all()
        drawn += world["cards"][0, 0].tolist()
    seen = whole["cards"][0, 2:].ravel()
    counts = np.bincount(drawn, minlength=52)
    assert not counts[seen].any()
    assert (abs(np.delete(counts, seen) - 9000 / 46) < 75).all()


def test_the_cards_of_a_hand_as_bits(table: np.ndarray) -> None:
    hold(table[0], 0, np.int8(3), np.int8(0), np.int8(51))
    assert cards_of(table[0], 0) == 1 + (1 << 3) + (1 << 51)


def test_turns_in_words(table: np.ndarray) -> None:
    assert steps_of_turn(table[0], "look+call") == ["look", "call"]
    assert steps_of_turn(table[0], "fold") == ["fold"]
    for text in ("look+look", "call+look", "look+call+call"):
        with pytest.raises(ValueError, match="is no turn"):
            steps_of_turn(table[0], text)
