"""The rule bot of sanzhang: sensible where anybody can judge."""

from __future__ import annotations

import numpy as np
import pytest

from qipai.agents import load_agent
from qipai.agents.agent import Agent
from qipai.envs.sanzhang import GAME
from tests.sanzhang_positions import Position

LOW = "S8 H6 C3"
ACES = "SA HA CJ"


@pytest.fixture(scope="module")
def bot() -> Agent:
    return load_agent("rule", GAME)


def choice(bot: Agent, hand: Position) -> str:
    mask = np.zeros((1, GAME.actions.width), np.int8)
    mask[0, [GAME.parse(name) for name in hand.legal]] = 1
    return GAME.action_name(int(bot.act(hand.view(hand.turn), mask)[0]))


def test_it_looks_first(bot: Agent) -> None:
    assert choice(bot, Position(ACES, LOW, "DQ D9 C7")) == "look"


def test_a_bad_hand_is_folded_and_a_pair_of_aces_raises(bot: Agent) -> None:
    hand = Position("DQ D9 C7", LOW, ACES)
    hand.play("1 look")
    assert choice(bot, hand) == "fold"
    hand.play("1 fold", "2 look")
    assert choice(bot, hand) == "raise_high"


def test_trips_let_the_others_stay(bot: Agent) -> None:
    hand = Position(ACES, "S7 H7 C7", LOW)
    hand.play("1 look")
    assert choice(bot, hand) == "call"


def test_what_a_rival_has_bet_after_its_look_counts(bot: Agent) -> None:
    """Ace high opens against a blind seat, and folds to one that keeps raising."""
    hand = Position("SA H9 C4", "SK HQ C5", LOW)
    hand.play("1 fold", "2 call", "0 look")
    assert choice(bot, hand) == "open"
    hand = Position("SA H9 C4", "SK HQ C5", LOW)
    hand.play("1 fold", "2 look+call", "0 look+call")
    hand.play("2 raise_high", "0 call", "2 raise_high", "0 call", "2 raise_high")
    assert choice(bot, hand) == "fold"


def test_two_seats_are_opened_with_a_fair_hand(bot: Agent) -> None:
    hand = Position("SA HK C4", "DQ D9 C7", LOW)
    hand.play("1 call", "2 call", "0 look+call", "1 call", "2 fold", "0 call")
    hand.play("1 look+call")
    assert choice(bot, hand) == "open"


def test_who_may_not_look_goes_by_the_pot(bot: Agent) -> None:
    hand = Position(ACES, LOW, stacks=(1299, 20_000))
    hand.play("1 raise_high")
    assert "look" not in hand.legal
    assert choice(bot, hand) == "call"
    hand = Position(ACES, LOW, "DQ D9 C7", "SK D10 C4", stacks=(900, 20_000, 20_000, 20_000))
    hand.play("1 look+raise_mid", "2 look+raise_low", "3 look+raise_low")
    assert "look" not in hand.legal
    assert choice(bot, hand) == "fold"
