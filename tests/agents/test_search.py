"""The search bot: its choice among tried actions, threads, budgets, and that it wins coins."""

from __future__ import annotations

import numpy as np
import pytest

from qipai.agents import Budget, load_agent
from qipai.agents.arena import play_arena
from qipai.agents.search import UNKNOWN, SearchAgent, Worker, decide, drawn
from qipai.envs import load_game, make
from qipai.envs.kernel import addressable
from qipai.envs.match import engine
from qipai.envs.sanzhang import strength
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


def test_tables_are_drawn_as_often_as_their_weights_say() -> None:
    weights = np.array([0.1, 1.0, 0.0, 0.5, 0.4])
    often = np.bincount(drawn(weights, range(2000)), minlength=5)
    assert np.allclose(often / 2000, weights / 2, atol=0.005)
    part = np.bincount(drawn(weights, range(1000, 1020)), minlength=5)
    assert (abs(part - 20 * weights / 2) <= 1.5).all()  # any run of places is spread evenly
    assert drawn(np.ones(4), range(2, 6)).tolist() == [2, 3, 0, 1]


def test_a_rival_that_raised_is_taken_to_have_reason_to() -> None:
    env = make("sanzhang", seats=2)
    env.reset(seed=3)
    for action in ("look", "raise_high"):
        env.step(env.game.parse(action))
    view = addressable(env.view(env.agent_selection)[None])
    rival = 1 - int(view["turn"][0])
    weights = Worker(env.game).weigh(view, np.uint64(5), range(300))
    assert set(weights.round(6)) == {0.1, 1.0}
    worlds = np.repeat(view, 300)
    engine(env.game).redeal_views(worlds, np.repeat(view["turn"], 300).astype(int), np.uint64(5))
    worth = np.array([strength(world, rival) for world in worlds])
    assert worth[weights == 1].mean() > worth[weights < 1].mean() + 200


def test_where_the_hand_can_not_be_played_again_the_rule_bots_action_stands() -> None:
    env = make("tuolaji", seats=3)
    env.reset(seed=4)
    env.leave(env.agent_selection)
    for _ in range(2):
        agent = env.agent_selection
        mask = env.observe(agent)["action_mask"][None]
        assert load_agent("search:50", env.game).act(env.view(agent)[None], mask) == load_agent(
            "rule", env.game
        ).act(env.view(agent)[None], mask)
        env.step(env.game.parse("call"))


def test_on_a_table_set_up_by_hand_the_rule_bots_action_stands() -> None:
    """A log that nobody can have played tells nothing of the rivals' cards."""
    env = make("sanzhang", seats=2)
    env.reset(seed=3)
    env.step(env.game.parse("call"))
    view = addressable(env.view(env.agent_selection)[None])
    view["log_action"][0, :2] = [env.game.parse("open"), env.game.parse("call")]
    view["log_count"] = 2
    assert (Worker(env.game).weigh(view, np.uint64(5), range(3)) == UNKNOWN).all()


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


@pytest.mark.parametrize("threads", [0, -1, 99_999])
def test_threads_that_can_not_be_had_are_refused(threads: int) -> None:
    with pytest.raises(ValueError, match=f"threads={threads}: .* at most 256"):
        SearchAgent(STUD, threads=threads)


def test_a_budget_in_time() -> None:
    agent = load_agent("search:5ms", STUD)
    tables = Tables(STUD, 2, seed=3)
    assert tables.action_mask[np.arange(2), agent.act(tables.views(), tables.action_mask)].all()


def test_where_the_rule_bot_searches_search_is_that_bot_with_more() -> None:
    from qipai.agents.rule.xiangqi import Bot

    assert isinstance(load_agent("search", load_game("xiangqi")), Bot)
    with pytest.raises(ValueError, match="agent 'search:x': 'x' is no budget"):
        load_agent("search:x", STUD)


def test_it_beats_the_rule_bot() -> None:
    result = play_arena(load_game("tuolaji"), ["search:100", "rule"], 1500, seed=4)
    first = result.agents[0].coins
    assert first.margin is not None and first.mean > first.margin


def test_it_beats_random_play() -> None:
    result = play_arena(STUD, ["search:40", "random"], 120, seed=4, options={"seats": 2})
    first = result.agents[0].coins
    assert first.margin is not None and first.mean > first.margin
