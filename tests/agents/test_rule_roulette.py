"""The rule bot of roulette: it stays at 0, above which there is nothing."""

from __future__ import annotations

import numpy as np

from qipai.agents import load_agent
from qipai.envs import make_tables
from qipai.envs.roulette import DONE, GAME


def test_it_bets_nothing_whatever_lies() -> None:
    bot, tables = load_agent("rule", GAME), make_tables("roulette", 200, seed=1, hands=3)
    for _ in range(30):
        assert (bot.act(tables.views(), tables.action_mask) == DONE).all()
        tables.step(tables.sample())


def test_it_never_wins_or_loses_a_coin() -> None:
    tables = make_tables("roulette", 100, seed=2, hands=5)
    for _ in range(50):
        tables.step(np.full(100, DONE))
        assert not tables.reward.any() and not tables.house.any()
