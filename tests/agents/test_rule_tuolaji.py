"""The rule bot of tuolaji: sound in plain cases."""

from __future__ import annotations

import numpy as np
import pytest

from qipai.agents import load_agent
from qipai.agents.agent import Agent
from qipai.envs.tuolaji import GAME
from tests.tuolaji_positions import Position

WEAK = ("SJ H9 C4", "S8 H6 C3", "DJ HQ C5", "DQ D9 C7", "D10 D7 C6")


@pytest.fixture(scope="module")
def bot() -> Agent:
    return load_agent("rule", GAME)


def choice(bot: Agent, hand: Position) -> str:
    mask = np.zeros((1, GAME.actions.width), np.int8)
    for name in hand.legal:
        mask[0, GAME.parse(name)] = 1
    return GAME.action_name(int(bot.act(hand.view(hand.turn), mask)[0]))


def test_it_looks_at_once_or_heads_up_after_three_circles(bot: Agent) -> None:
    assert choice(bot, Position(*WEAK)) == "look"
    hand = Position(*WEAK[:2])
    for _ in range(6):
        assert choice(bot, hand) == "call"
        hand.play(f"{hand.turn} call")
    assert choice(bot, hand) == "look"


def test_it_looks_when_the_unit_has_grown(bot: Agent) -> None:
    hand = Position(*WEAK[:2])
    hand.play("1 raise_to_3")
    assert choice(bot, hand) == "look"


@pytest.mark.parametrize("cards", ["SA HA CA", "S4 S3 S2", "SA SK S2", "S4 H3 C2", "SK HK C2"])
def test_it_raises_strong_hands_step_by_step(bot: Agent, cards: str) -> None:
    hand = Position("DJ D9 C4", cards)
    hand.play("1 look")
    assert choice(bot, hand) == "raise_to_2"
    hand.play("1 raise_to_4", "0 call")
    assert choice(bot, hand) == "raise_to_5"
    hand.play("1 raise_to_5", "0 call")
    assert choice(bot, hand) == "call"


def test_it_folds_weak_hands_to_looked_raisers(bot: Agent) -> None:
    hand = Position(*WEAK[:3])
    hand.play("1 look+raise_to_5", "2 look")
    assert choice(bot, hand) == "fold"


def test_it_opens_middling_hands(bot: Agent) -> None:
    hand = Position("SA HQ C4", "DK C9 D2")
    hand.play("1 look+call", "0 look")
    assert choice(bot, hand) == "open"


def test_it_compares_with_the_blind_seat_of_the_largest_stake(bot: Agent) -> None:
    hand = Position("S8 H6 C3", "SA HJ C5", "DQ D9 C7", "D10 D7 C6")
    hand.play("1 look+call", "2 call", "3 raise_to_2", "0 fold")
    assert choice(bot, hand) == "compare_2"
    hand.play("1 compare_2")
    assert hand.s["beaten_by"][3] == 1


def test_blind_it_goes_by_the_pot_alone(bot: Agent) -> None:
    """Where it may not look, as it could not pay twice the price."""
    hand = Position("SA HA CA", "S8 H6 C3", cap=20, ante_float=False)
    hand.play("1 raise_to_5", "0 call", "1 call", "0 call")
    assert hand.legal == ["fold", "call"]
    assert choice(bot, hand) == "call"
