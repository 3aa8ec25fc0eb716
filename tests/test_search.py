"""The search bot: its choice among tried actions, threads, budgets, and that it wins coins."""

from __future__ import annotations

import numpy as np
import pytest

from qipai.agents import Budget, load_agent
from qipai.agents.arena import play_arena
from qipai.agents.search import SearchAgent, decide
from qipai.envs import load_game
from qipai.envs.tables import Tables

STUD = load_game("five_card_stud")


def coins_of(means: list[float], noise: float, seed: int = 0):  # type: ignore[no-untyped-def]
    """Stands in for play-outs: action a brings ``means[a]`` and, on equal tables, equal luck."""
    asked: list[tuple[list[int], range]] = []

    def tried(actions: np.ndarray, tables: range) -> np.ndarray:
        asked.append((actions.tolist(), tables))
        draws = [np.random.default_rng((seed, t)).normal(size=1 + 10) for t in tables]
        return np.array([[means[a] + 5 * d[0] + noise * d[1 + a] for a in actions] for d in draws])

    return tried, asked


def test_the_better_action_is_found_and_play_outs_go_to_the_best() -> None:
    tried, asked = coins_of([0.0, 3.0, 1.0, -4.0], noise=1.0)
    assert decide(tried, np.arange(4), own=0, play_outs=400) == 1
    first, last = asked[0][0], asked[-1][0]
    assert first == [0, 1, 2, 3] and 1 in last and 3 not in last
    tables = [t for _, part in asked for t in part]
    assert tables == list(range(len(tables)))  # no table is tried twice
    assert 300 < sum(len(a) * len(part) for a, part in asked) <= 400


def test_within_the_noise_the_rule_bots_action_stands() -> None:
    even = [0.0] * 10
    chosen = [decide(coins_of(even, 8.0, seed)[0], np.arange(3), 2, 60) for seed in range(20)]
    assert chosen.count(2) > 10
    tried, _ = coins_of(even, noise=8.0)
    assert decide(tried, np.array([7, 9]), own=9, play_outs=1) in (7, 9)


def test_choices_are_legal_and_do_not_depend_on_threads() -> None:
    tables = Tables(STUD, 6, seed=2)
    budget = Budget(count=60)
    alone, pair = (SearchAgent(STUD, 5, budget, threads=n) for n in (1, 2))
    for _ in range(8):
        actions = alone.act(tables.views(), tables.action_mask)
        assert (pair.act(tables.views(), tables.action_mask) == actions).all()
        assert tables.action_mask[np.arange(6), actions].all()
        one = SearchAgent(STUD, 9, budget, threads=2)
        other = SearchAgent(STUD, 9, budget, threads=1)
        few = tables.views()[:1], tables.action_mask[:1]
        assert (one.act(*few) == other.act(*few)).all()
        tables.step(actions)


def test_a_budget_in_time() -> None:
    agent = load_agent("search:5ms", STUD)
    tables = Tables(STUD, 2, seed=3)
    assert tables.action_mask[np.arange(2), agent.act(tables.views(), tables.action_mask)].all()


def test_where_the_rule_bot_searches_search_is_that_bot_with_more() -> None:
    from qipai.agents.rule.xiangqi import Bot

    assert isinstance(load_agent("search", load_game("xiangqi")), Bot)
    with pytest.raises(ValueError, match="agent 'search:x': 'x' is no budget"):
        load_agent("search:x", STUD)


def test_it_beats_random_play() -> None:
    result = play_arena(STUD, ["search:40", "random"], 120, seed=4, options={"seats": 2})
    first = result.agents[0].coins
    assert first.margin is not None and first.mean > first.margin
