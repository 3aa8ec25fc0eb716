"""The agent protocol, specs for ``load_agent``, the random agent."""

from __future__ import annotations

import copy
import dataclasses
import pickle
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from gymnasium.vector import AsyncVectorEnv

from qipai.agents import Agent, Budget, load_agent
from qipai.agents.random import RandomAgent
from qipai.agents.seeds import derive
from qipai.envs import load_game, make_solo
from qipai.envs.tables import Tables
from tests.forked import in_a_child, needs_fork

GAME = load_game("doudizhu")


class First:
    """Plays the first legal action."""

    def act(self, views: np.ndarray, masks: np.ndarray) -> np.ndarray:
        return masks.argmax(axis=1)


def views_and_masks(n: int) -> tuple[np.ndarray, np.ndarray]:
    tables = Tables(GAME, n, seed=3)
    return tables.views(), tables.action_mask


# --- Protocol and specs ------------------------------------------------------------------------


def test_whatever_has_act_is_an_agent() -> None:
    assert isinstance(RandomAgent(), Agent)
    assert isinstance(First(), Agent)
    assert not isinstance(object(), Agent)


def test_an_agent_is_loaded_as_it_is() -> None:
    agent = First()
    assert load_agent(agent, GAME) is agent


def test_random_is_loaded_with_its_seed() -> None:
    views, masks = views_and_masks(50)
    loaded, built = load_agent("random", GAME, seed=7), RandomAgent(7)
    assert isinstance(loaded, RandomAgent)
    assert (loaded.act(views, masks) == built.act(views, masks)).all()


def test_your_own_factory_is_called_with_game_and_seed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "own_bots.py").write_text(
        "class Mine:\n"
        "    def __init__(self, game, seed):\n"
        "        self.given = game, seed\n"
        "    def act(self, views, masks):\n"
        "        return masks.argmax(axis=1)\n"
        "def nothing(game, seed):\n"
        "    return 5\n"
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    assert load_agent("own_bots:Mine", GAME, seed=4).given == (GAME, 4)  # type: ignore[attr-defined]
    with pytest.raises(ValueError, match=r"'own_bots:nothing' gives 5, which has no act"):
        load_agent("own_bots:nothing", GAME)
    with pytest.raises(ValueError, match=r"'own_bots:Other' cannot be loaded.*'Other'"):
        load_agent("own_bots:Other", GAME)


def test_a_class_or_function_of_your_own_makes_the_agent() -> None:
    agent = load_agent(lambda game, seed: RandomAgent(seed), GAME, seed=7)
    views, masks = views_and_masks(50)
    assert (agent.act(views, masks) == RandomAgent(7).act(views, masks)).all()
    with pytest.raises(ValueError, match="agent 'First' cannot be loaded: TypeError"):
        load_agent(First, GAME)  # it takes no game and no seed
    with pytest.raises(ValueError, match="gives 5, which has no act"):
        load_agent(lambda game, seed: 5, GAME)  # type: ignore[arg-type, return-value]


def test_seeds_of_different_purposes_have_nothing_in_common() -> None:
    purposes = [(), ("deals",), ("seatings",), ("agent", 0, 1), ("agent", 1, 0), ("agent", 1)]
    seeds = [derive(seed, *purpose) for seed in (0, 1, 2**70) for purpose in purposes]
    assert len(set(seeds)) == len(seeds)
    assert seeds == [derive(seed, *purpose) for seed in (0, 1, 2**70) for purpose in purposes]
    with pytest.raises(ValueError, match="seed=-1"):
        derive(-1, "deals")


@pytest.mark.parametrize("spec", ["randon", "", "mine"])
def test_an_unknown_name_lists_what_there_is(spec: str) -> None:
    with pytest.raises(ValueError, match=r"no agent .*random.*rule.*model:PATH.*MODULE:NAME"):
        load_agent(spec, GAME)


def test_a_module_that_cannot_be_found_is_named() -> None:
    with pytest.raises(ValueError, match=r"'no_such_module:X' cannot be loaded.*no_such_module"):
        load_agent("no_such_module:X", GAME)


def test_an_object_without_act_is_refused() -> None:
    with pytest.raises(ValueError, match="5 is no agent"):
        load_agent(5, GAME)  # type: ignore[arg-type]


def test_a_game_without_a_rule_bot_says_so() -> None:
    unheard_of = dataclasses.replace(GAME, name="unheard_of")
    with pytest.raises(ValueError, match="unheard_of has no rule bot"):
        load_agent("rule", unheard_of)


def test_a_budget_is_a_count_or_a_time() -> None:
    assert Budget.parse("2000") == Budget(count=2000)
    assert Budget.parse("200ms") == Budget(seconds=0.2)
    assert Budget.parse("1.5s") == Budget(seconds=1.5)
    for text in ("", "x", "-3", "1.5", "2m", "200 ms"):
        with pytest.raises(ValueError, match="is no budget: write a count"):
            Budget.parse(text)
    with pytest.raises(ValueError, match="count=0: at least 1"):
        Budget.parse("0")
    with pytest.raises(ValueError, match="a number above 0"):
        Budget.parse("0s")
    with pytest.raises(ValueError, match="without a limit"):
        Budget()


@pytest.mark.parametrize(
    ("spec", "game", "complaint"),
    [
        ("search:99999999999999999999", "doudizhu", "at most 1,000,000,000"),
        ("search:2000000", "doudizhu", "at most 1,000,000 play-outs"),
        ("search:99999999999s", "doudizhu", "at most 86,400, a day"),
        (f"search:{'9' * 400}s", "doudizhu", "seconds=inf: at most"),
        ("rule:1000000000000", "freecell", "count=1000000000000: at most 1,000,000,000"),
        ("rule:1000000000", "freecell", "at most 20,000,000 positions"),
        ("search:1000000000", "freecell", "at most 20,000,000 positions"),
        ("rule:1000000000000", "xiangqi", "at most 1,000,000,000"),
    ],
)
def test_a_budget_has_an_end(spec: str, game: str, complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint):
        load_agent(spec, load_game(game))


def test_a_bot_that_does_not_search_takes_no_budget() -> None:
    with pytest.raises(ValueError, match="agent 'rule:200ms': .*doudizhu takes no budget"):
        load_agent("rule:200ms", GAME)
    with pytest.raises(ValueError, match="agent 'random:3': it takes nothing after a colon"):
        load_agent("random:3", GAME)


# --- Copies and processes ----------------------------------------------------------------------

AGENTS = pytest.mark.parametrize(
    ("spec", "game"),
    [
        ("random", "five_card_stud"),
        ("rule", "five_card_stud"),
        ("search:20", "five_card_stud"),
        ("rule:2000", "freecell"),
        ("rule:300", "xiangqi"),
    ],
)


def used(spec: str, game: str) -> tuple[Agent, Tables]:
    """An agent that has been asked before, and tables at which it acts."""
    tables = Tables(load_game(game), 4, seed=6)
    agent = load_agent(spec, tables.game, seed=2)
    for _ in range(2):
        tables.step(agent.act(tables.views(), tables.action_mask))
    return agent, tables


def answers(agent: Agent, tables: Tables) -> list[list[int]]:
    """Its next answers, which are played."""
    given = []
    for _ in range(6):
        actions = agent.act(tables.views(), tables.action_mask)
        tables.step(actions)
        given.append(actions.tolist())
    return given


@AGENTS
def test_copies_of_an_agent_go_on_alike(spec: str, game: str) -> None:
    agent, tables = used(spec, game)
    twins = [copy.deepcopy(agent), pickle.loads(pickle.dumps(agent))]
    copies = [copy.deepcopy(tables) for _ in twins]
    expected = answers(agent, tables)
    assert [answers(*pair) for pair in zip(twins, copies, strict=True)] == [expected, expected]


@needs_fork
@AGENTS
def test_an_agent_goes_on_in_a_forked_child(spec: str, game: str) -> None:
    agent, tables = used(spec, game)
    in_child = in_a_child(lambda: answers(agent, tables))
    assert in_child == answers(agent, tables)


def test_an_agent_takes_little_room_in_a_pickle() -> None:
    for spec in ("rule", "search:20"):
        assert len(pickle.dumps(used(spec, "five_card_stud")[0])) < 2000
    assert len(pickle.dumps(load_agent("rule", load_game("freecell")))) < 2000


def test_a_seat_among_searching_bots_is_copied() -> None:
    env = make_solo("five_card_stud", opponents="search:20", seats=2)
    env.reset(seed=3)
    twin = copy.deepcopy(env)
    for _ in range(10):
        action = int(env.action_masks().argmax())
        (seen, *after), (also_seen, *also_after) = env.step(action), twin.step(action)
        assert after == also_after
        assert (seen["observation"] == also_seen["observation"]).all()
        if after[1]:
            env.reset()
            twin.reset()


@pytest.mark.parametrize("context", [pytest.param("fork", marks=needs_fork), "spawn"])
def test_searching_bots_sit_in_gymnasiums_processes(context: str) -> None:
    agent, _ = used("search:20", "five_card_stud")
    make = partial(make_solo, "five_card_stud", opponents=agent, seats=2)
    envs = AsyncVectorEnv([make, make], context=context)
    try:
        seen, _ = envs.reset(seed=4)
        for _ in range(5):
            envs.step_async(seen["action_mask"].argmax(axis=1))
            seen, _, over, _, _ = envs.step_wait(timeout=300)
            assert (seen["action_mask"].any(axis=1) != over).all()
    finally:
        envs.close(terminate=True)


# --- The random agent --------------------------------------------------------------------------


def test_random_is_uniform_over_the_legal_actions() -> None:
    legal, draws = [0, 3, 4, 9], 40_000
    masks = np.zeros((draws, 10), np.int8)
    masks[:, legal] = 1
    counts = np.bincount(RandomAgent(1).act(masks, masks), minlength=10)
    assert counts[legal].sum() == draws
    expected = draws / len(legal)
    assert ((counts[legal] - expected) ** 2 / expected).sum() < 16.3  # χ², 3 degrees: 0.1 %


def test_random_draws_for_each_row_anew() -> None:
    masks = np.ones((20_000, 2), np.int8)
    actions = RandomAgent(2).act(masks, masks)
    repeated = (actions[1:] == actions[:-1]).mean()
    assert abs(repeated - 0.5) < 0.02


def test_equal_seeds_give_equal_choices_however_views_are_batched() -> None:
    masks = np.ones((60, 50), np.int8)
    at_once, in_parts = RandomAgent(5), RandomAgent(5)
    parts = [in_parts.act(part, part) for part in np.split(masks, 3)]
    assert (at_once.act(masks, masks) == np.concatenate(parts)).all()


def test_other_seeds_give_other_choices() -> None:
    masks = np.ones((60, 50), np.int8)
    assert (RandomAgent(5).act(masks, masks) != RandomAgent(6).act(masks, masks)).any()
    assert (RandomAgent(None).act(masks, masks) != RandomAgent(None).act(masks, masks)).any()


def test_random_plays_legally_and_leaves_its_arguments_alone() -> None:
    agent, tables = RandomAgent(8), Tables(GAME, 30, seed=3)
    for _ in range(100):
        views, masks = tables.views(), tables.action_mask.copy()
        actions = agent.act(views, masks)
        assert (views == tables.views()).all() and (masks == tables.action_mask).all()
        tables.step(actions)  # raises if illegal


def test_random_has_no_answer_where_nothing_is_legal() -> None:
    masks = np.zeros((2, 4), np.int8)
    masks[1, 2] = 1
    assert RandomAgent(0).act(masks, masks).tolist() == [-1, 2]


@pytest.mark.parametrize("seed", [-1, True])
def test_random_refuses_what_is_no_seed(seed: int) -> None:
    with pytest.raises(ValueError, match="non-negative integer"):
        RandomAgent(seed)
