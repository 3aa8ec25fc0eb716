"""The rule bot of thirteen: its layouts, the shares they come from, and the house layout beaten."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from qipai.agents import load_agent
from qipai.agents.rule.thirteen import WORK, beaten, best_layout, splits
from qipai.envs.kernel import addressable, kernel
from qipai.envs.thirteen import (
    ALL,
    BEHIND,
    FRONT,
    GAME,
    HAND,
    MIDDLE,
    LowAce,
    five_value,
    front_value,
    house_layout,
    is_foul,
)
from tests.thirteen_positions import Position


@kernel
def lay_all(table, hands, work, beaten, splits, out):
    """What each hand is worth as the bot lays it (2i) and as the house does (2i + 1)."""
    zero = np.int64(0)
    for i in range(len(hands)):
        for k in range(HAND):
            table.cards[0, k] = hands[i, k]
        for house in range(2):
            if house:
                front, middle = house_layout(table, 0, zero, zero, 0)
            else:
                front, middle = best_layout(table, 0, zero, zero, 0, work, beaten, splits)
            out[i, house, FRONT] = front_value(table, 0, front)
            out[i, house, MIDDLE] = five_value(table, 0, middle)
            out[i, house, BEHIND] = five_value(table, 0, ALL ^ front ^ middle)


@pytest.fixture(scope="module")
def laid() -> np.ndarray:
    """The values of front, middle and back of 8,000 random hands, by the bot and by the house."""
    decks = np.argsort(np.random.default_rng(3).random((8000, 52)), axis=1)
    hands = -np.sort(-decks[:, :HAND], axis=1)
    table = addressable(GAME.blank(GAME.options()))[0]
    out = np.zeros((len(hands), 2, 3), np.int64)
    work: Any = addressable(np.zeros(1, WORK))[0]
    lay_all(table, hands, work, beaten()[LowAce.TOP], splits(), out)
    return out


def test_it_never_fouls(laid: np.ndarray) -> None:
    assert not any(is_foul(*map(np.int64, segments)) for segments in laid.reshape(-1, 3))


def test_it_beats_the_house_layout(laid: np.ndarray) -> None:
    """Hand i by the bot against hand i + 1 by the house: the 95 % interval lies above 0."""
    won = (laid[:-1, 0] > laid[1:, 1]).sum(axis=1) >= 2
    result = np.where(won, 1, -1)
    assert result.mean() - 1.96 * result.std() / len(result) ** 0.5 > 0.25


def test_shares_are_about_those_of_its_own_layouts(laid: np.ndarray) -> None:
    """``BEATS`` also has the earlier rounds in it, which put more strength to the back."""
    for segment in (FRONT, MIDDLE, BEHIND):
        values = np.sort(laid[:, 0, segment])
        thresholds = beaten()[LowAce.TOP][segment]
        assert (np.diff(thresholds) >= 0).all()
        shares = np.searchsorted(values, thresholds) / len(values)
        expected = (np.arange(len(thresholds)) + 1) / (len(thresholds) + 1)
        assert abs(shares - expected).max() < 0.08


def test_it_plays_what_it_has_found_and_goes_on_from_anywhere() -> None:
    bot = load_agent("rule", GAME)

    def play(hand: Position) -> Position:
        while hand.turn == 1 and not hand.s["ended"]:
            action = int(bot.act(hand.view(1), hand.mask[None])[0])
            hand.play(GAME.action_name(action))
        return hand

    hand = Position("", "SA DA HK|DJ D10 C9 S8 H7|D6 C5 C4 S3 H2")
    assert GAME.action_name(int(bot.act(hand.view(1), hand.mask[None])[0])) == "bet 5"
    assert play(hand).laid(1, 1).count("f") == 3
    foul = Position("", "SA DA HK|DJ D10 C9 S8 H7|D6 C5 C4 S3 H2", bets=(2000,))
    assert play(foul.play("front", "front", "middle")).laid(1, 1) == "ffmbbbbbmmmmf"
