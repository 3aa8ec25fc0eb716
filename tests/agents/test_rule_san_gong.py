"""The rule bot of San Gong: nothing is risked but by those who have little to lose.

That its stakes are the best is shown with exact means in ``tests/counts/test_san_gong.py``.
"""

from __future__ import annotations

import pytest

from qipai.agents import load_agent
from qipai.agents.agent import Agent
from qipai.agents.arena import play_arena
from qipai.envs.san_gong import GAME
from tests.san_gong_positions import FIVE, NINE, Position


@pytest.fixture(scope="module")
def bot() -> Agent:
    return load_agent("rule", GAME)


def choice(bot: Agent, hand: Position) -> str:
    return GAME.action_name(int(bot.act(hand.view(hand.turn), hand.mask[None])[0]))


@pytest.mark.parametrize("preset", ["banker", "turns"])
def test_it_does_not_bank(bot: Agent, preset: str) -> None:
    assert choice(bot, Position(**GAME.rules.presets[preset])) == "no"


@pytest.mark.parametrize(
    ("coins", "stake"), [(250, "bet 2"), (399, "bet 3"), (1190, "bet 4"), (1191, "bet 1")]
)
def test_a_short_seat_stakes_all_it_may(bot: Agent, coins: int, stake: str) -> None:
    assert choice(bot, Position(NINE, FIVE, banker=0, stacks=(10_000, coins))) == stake


def test_it_lays_no_chips(bot: Agent) -> None:
    table = Position(mode="casino")
    assert choice(bot, table) == "done"
    assert choice(bot, table.play("chip1:win1")) == "done"


def test_it_is_ready(bot: Agent) -> None:
    assert choice(bot, Position(mode="pairwise").deal()) == "ready"


def test_it_beats_random_play_in_a_casino() -> None:
    result = play_arena(GAME, ["rule", "random"], 1200, seed=1, preset="casino")
    coins = result.agents[0].coins
    assert coins.mean == 0 and coins.margin in (0, None)
    assert result.agents[1].coins.mean < -20
