"""The PettingZoo and Gymnasium front ends, for every game."""

from __future__ import annotations

import copy
import pickle
import warnings
from collections.abc import Callable
from typing import Any

import gymnasium
import numpy as np
import pettingzoo
import pytest
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import api_test, seed_test

from qipai.envs import OptionError, games, load_game, make, make_solo, make_tables
from qipai.envs.aec import TableEnv
from qipai.envs.game import Game
from qipai.envs.tables import IllegalAction
from tests.records import values_of

from .variants import variants


def play(env: TableEnv, steps: int, seed: int = 0) -> None:
    """Random legal play within one match, at most ``steps`` steps."""
    chance = np.random.default_rng(seed)
    for _ in range(steps):
        observation, _, ended, cut_off, _ = env.last()
        if ended or cut_off:
            return
        env.step(int(chance.choice(np.flatnonzero(observation["action_mask"]))))


def over(env: TableEnv) -> bool:
    """Whether the match has ended or was cut off."""
    return all(env.terminations.values()) or all(env.truncations.values())


def test_pettingzoo_api(name: str) -> None:
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Observation")  # it wants arrays, not dicts
        api_test(make(name, hands=2), num_cycles=300)


def test_pettingzoo_seeds(name: str) -> None:
    seed_test(lambda: make(name), num_cycles=100)


def test_registered_with_both_registries(game: Game) -> None:
    solo = gymnasium.make(game.id, opponents="random", hands=2)
    assert solo.unwrapped.table.rules["hands"] == 2  # type: ignore[attr-defined]
    if hasattr(pettingzoo, "make"):
        env = pettingzoo.make("aec", game.id, hands=2)
        assert env.unwrapped.rules["hands"] == 2


def test_aec_and_tables_are_one_engine(game: Game) -> None:
    for options in variants(game.name):
        tables = make_tables(game.name, 1, seed=3, **options)
        env = make(game.name, **options)
        env.reset(seed=3)
        for _ in range(150):
            agent = env.agent_selection
            assert env.possible_agents.index(agent) == tables.turn[0]
            seen = env.observe(agent)
            assert (seen["observation"] == tables.observation[0]).all()
            assert (seen["observation_mask"] == tables.observation_mask[0]).all()
            assert (seen["action_mask"] == tables.action_mask[0]).all()
            assert values_of(env.view(agent)) == values_of(tables.views()[0])
            action = int(tables.sample()[0])
            tables.step([action])
            env.step(action)
            assert [env.rewards[a] for a in env.possible_agents] == tables.reward[0].tolist()
            assert all(env.terminations.values()) == (tables.over[0] == 1)
            if tables.over[0]:
                env.reset()


def test_masked_actions_are_refused_and_change_nothing(game: Game) -> None:
    env = make(game.name, hands=20)
    env.reset(seed=4)
    for steps in (0, 1, 5, 9):
        play(env, steps)
        mask = env.observe(env.agent_selection)["action_mask"]
        before = env.save()
        for action in [*np.flatnonzero(mask == 0).tolist(), -1, len(mask)]:
            with pytest.raises(IllegalAction, match=f"action {action} .* is illegal"):
                env.step(action)
        assert env.save() == before
        for action in np.flatnonzero(mask).tolist():
            env.clone().step(action)
        assert env.save() == before


def test_only_the_agent_to_act_has_actions(game: Game) -> None:
    env = make(game.name)
    env.reset(seed=5)
    while not over(env):
        for agent in env.agents:
            some = env.observe(agent)["action_mask"].any()
            assert some == (agent == env.agent_selection)
        play(env, 1)


@pytest.mark.parametrize(
    "copied",
    [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env)), TableEnv.clone],
    ids=["deepcopy", "pickle", "clone"],
)
def test_copies_have_equal_futures(game: Game, copied: Callable[[TableEnv], TableEnv]) -> None:
    env = make(game.name, hands=3)
    env.reset(seed=6)
    play(env, 11)
    twin = copied(env)
    assert twin.save() == env.save()
    play(env, 60, seed=1)
    assert twin.save() != env.save()
    play(twin, 60, seed=1)
    assert twin.save() == env.save()


def test_a_saved_match_goes_on_elsewhere(game: Game) -> None:
    env = make(game.name, hands=3)
    with pytest.raises(ValueError, match="call reset"):
        env.save()
    env.reset(seed=7)
    play(env, 9)
    other = make(game.name)
    other.load(env.save())
    assert other.rules == env.rules
    play(env, 50)
    play(other, 50)
    assert other.save() == env.save()
    before = other.save()
    changed = [bytes([*before[:at], before[at] ^ 85, *before[at + 1 :]]) for at in (3, 70, 400, -9)]
    for damaged in (b"", b"{}\n", before[:-1], before.replace(b"agents", b"Agents"), *changed):
        with pytest.raises(ValueError, match="no saved match, or damaged"):
            other.load(damaged)
    stranger = make("five_card_stud" if game.name == "doudizhu" else "doudizhu")
    stranger.reset(seed=1)
    with pytest.raises(ValueError, match=f"the match is of .* version 0, not {game.name}"):
        other.load(stranger.save())
    assert other.save() == before


def test_a_table_set_up_by_hand_is_played_on(game: Game) -> None:
    tables = make_tables(game.name, 1, seed=7, hands=20)
    for _ in range(9):
        tables.step(tables.sample())
    env = make(game.name)
    env.place(tables.state)
    env.place(tables.state[0])
    assert env.rules == tables.rules
    assert (env.observe(env.agent_selection)["observation"] == tables.observation[0]).all()
    before = env.save()
    over = tables.state.copy()
    over["over"] = 1
    crowded, elsewhere = tables.state.copy(), tables.state.copy()
    crowded["seats"] = 9
    elsewhere["turn"] = 9
    for wrong in (over, tables.state[:0], np.zeros(1, np.int64), crowded, elsewhere):
        with pytest.raises(
            ValueError, match="hand has ended|no single record|seats is 9|turn is 9"
        ):
            env.place(wrong)
    assert env.save() == before
    play(env, 1)
    assert env.save() != before


def test_options_survive_a_seeded_reset(game: Game) -> None:
    env = make(game.name, hands=7)
    for seed in (1, 2):
        env.reset(seed=seed)
        assert env.rules["hands"] == 7
        assert game.rules.read(env._table["rules"][0])["hands"] == 7


def test_rewards_add_up_to_the_stacks(game: Game) -> None:
    for options in variants(game.name):
        env = make(game.name, **options)
        env.reset(seed=8)
        won = dict.fromkeys(env.possible_agents, 0)
        reports = []
        for agent in env.agent_iter():
            observation, reward, ended, cut_off, _ = env.last()
            won[agent] += reward
            if ended or cut_off:
                env.step(None)
                continue
            env.step(int(np.flatnonzero(observation["action_mask"])[0]))
            reports += env.infos[agent].get("settled", [])
        start = env.rules["stack"]
        final = env._table["stack"][0]
        assert [won[a] for a in env.possible_agents] == [
            int(final[s] - start[s]) for s in range(env.seats)
        ]
        assert [r["hand"] for r in reports] == list(range(len(reports)))
        assert [sum(r["coins"][s] for r in reports) for s in range(env.seats)] == [
            won[a] for a in env.possible_agents
        ]


def test_leaving(game: Game) -> None:
    env = make(game.name, hands=2)
    env.reset(seed=9)
    play(env, 3)
    leaver = env.possible_agents[-1]
    env.leave(leaver)
    with pytest.raises(ValueError, match="left already|match is over"):
        env.leave(leaver)
    assert sum(env.rewards.values()) + env._purse[0, -1] == 0
    while not over(env):
        assert env.agent_selection != leaver
        play(env, 1)
    with pytest.raises(ValueError, match="no agent 'player_9'"):
        env.leave("player_9")


def test_forfeit_instead_of_an_error(game: Game) -> None:
    env = make(game.name, illegal="forfeit")
    env.reset(seed=10)
    agent = env.agent_selection
    illegal = int(np.flatnonzero(env.observe(agent)["action_mask"] == 0)[0])
    env.step(illegal)
    assert env._table["away"][0, env.possible_agents.index(agent)]


def test_default_action_is_legal(game: Game) -> None:
    env = make(game.name)
    env.reset(seed=11)
    while not over(env):
        action = env.default_action()
        assert env.observe(env.agent_selection)["action_mask"][action]
        env.step(action)
    with pytest.raises(ValueError, match="match is over"):
        env.default_action()


def test_state_shows_everything(game: Game) -> None:
    """The central critic's vector agrees with player_0's observation wherever that one sees."""
    env = make(game.name)
    env.reset(seed=12)
    for _ in range(10):
        seen = env.observe("player_0")
        full = env.state()
        assert env.state_space.contains(full)
        known = seen["observation_mask"]
        ranges = {r.name: slice(r.start, r.stop) for r in game.observation.ranges}
        # What an agent composes in its own turn is hidden by being reset, not by the mask.
        private = {r.name for r in game.observation.ranges if r.seen_by == "that seat"}
        for name in private:
            known[ranges[name]] = False
        assert (seen["observation"][known] == full[known]).all()
        play(env, 1)


def test_gymnasium_checker(name: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # coins have no bounds
        check_env(_Masked(make_solo(name, opponents="random")), skip_render_check=True)


class _Masked(gymnasium.Wrapper):
    """Replaces illegal actions by the first legal one: the checker knows no masks."""

    def step(self, action: Any) -> Any:
        mask = self.unwrapped.action_masks()  # type: ignore[attr-defined]
        return self.env.step(action if mask[action] else int(np.flatnonzero(mask)[0]))


@pytest.mark.parametrize("seat", [0, -1, None])
def test_solo_plays_one_seat(game: Game, seat: int | None) -> None:
    seat = make(game.name).seats - 1 if seat == -1 else seat
    env = make_solo(game.name, opponents="random", seat=seat, hands=2)
    chance = np.random.default_rng(3)
    for match in range(3):
        observation, _ = env.reset(seed=match)
        start, coins, over = env.table.rules["stack"][env.seat], 0.0, False
        while not over:
            assert env.table.agent_selection == env.agent
            assert (env.action_masks() == observation["action_mask"]).all()
            action = int(chance.choice(np.flatnonzero(observation["action_mask"])))
            observation, reward, ended, cut_off, _ = env.step(action)
            coins += reward
            over = ended or cut_off
        assert coins == env.table._table["stack"][0, env.seat] - start
        with pytest.raises(ValueError, match="call reset"):
            env.step(0)


def test_solo_asks_its_seat_in_every_match(game: Game) -> None:
    """Also where many matches end before that seat is asked; no coins of its hands are lost."""
    env = make_solo(game.name, opponents="random", seat=game.min_seats - 1, seats=game.min_seats)
    for seed in range(100):
        observation, _ = env.reset(seed=seed)
        assert observation["action_mask"].any()
        env.step(int(np.flatnonzero(observation["action_mask"])[0]))


def test_solo_games_repeat(name: str) -> None:
    def episode() -> list[float]:
        env = make_solo(name, opponents="random")
        observation, _ = env.reset(seed=5)
        rewards = []
        for _ in range(40):
            observation, reward, ended, cut_off, _ = env.step(
                int(np.flatnonzero(observation["action_mask"])[-1])
            )
            rewards.append(reward + float(observation["observation"].sum()))
            if ended or cut_off:
                observation, _ = env.reset()
        return rewards

    assert episode() == episode()


def test_nothing_works_before_reset(name: str) -> None:
    env = make(name, render_mode="ansi")
    acts: list[Callable[[], Any]] = [env.last, env.render, env.state, env.scene, env.save]
    acts += [env.default_action, lambda: env.step(0)]
    acts += [lambda act=act: act("player_0") for act in (env.observe, env.view, env.leave)]
    for act in acts:
        with pytest.raises(ValueError, match="call reset first"):
            act()
    with pytest.raises(ValueError, match="call reset"):
        make_solo(name, opponents="random").step(0)


@pytest.mark.parametrize("action", ["x", 1.5, float("nan"), [0]])
def test_what_is_no_action_is_refused(name: str, action: Any) -> None:
    env = make(name)
    env.reset(seed=1)
    before = env.save()
    with pytest.raises(ValueError, match="is no action id"):
        env.step(action)
    assert env.save() == before
    with pytest.raises(ValueError, match="non-negative integer"):
        env.reset(seed="a")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="bytes"):
        env.load("text")  # type: ignore[arg-type]


def test_solo_environments_are_copied(name: str) -> None:
    env = make_solo(name, opponents="random")
    env.reset(seed=2)
    for twin in (copy.deepcopy(env), pickle.loads(pickle.dumps(env))):
        assert twin.table.save() == env.table.save()
        action = int(np.flatnonzero(env.action_masks())[0])
        assert twin.step(action)[1] == copy.deepcopy(env).step(action)[1]


def test_wrong_arguments_say_what_is_allowed(game: Game) -> None:
    name = game.name
    with pytest.raises(ValueError, match=f"games: {', '.join(games())}"):
        make("chess")
    with pytest.raises(OptionError, match="unknown option 'colour'; options: seats"):
        make(name, colour="red")
    with pytest.raises(OptionError, match="hands=0 is not allowed; allowed: 1…1000"):
        make(name, hands=0)
    with pytest.raises(OptionError, match="hands=True"):
        make(name, hands=True)
    with pytest.raises(OptionError, match=r"stack=.* has 7 entries for \d seats"):
        make(name, stack=[100] * 7)
    with pytest.raises(OptionError, match="unknown preset 'x'; presets: "):
        make(name, preset="x")
    with pytest.raises(ValueError, match="render_mode='tv': one of ansi, rgb_array, human"):
        make(name, render_mode="tv")
    with pytest.raises(ValueError, match="illegal='ignore'"):
        make(name, illegal="ignore")
    with pytest.raises(ValueError, match="at least one table"):
        make_tables(name, 0)
    with pytest.raises(ValueError, match="non-negative"):
        make_tables(name, 1, seed=-1)
    with pytest.raises(ValueError, match="seats are"):
        make_solo(name, seat=9)
    if game.max_seats > 1:
        with pytest.raises(ValueError, match="no agent 'zz'"):
            make_solo(name, opponents="zz")
    with pytest.raises(ValueError, match="opponents for"):
        make_solo(name, opponents=["random"] * 7)


def test_seats_and_names(game: Game) -> None:
    env = make(game.name)
    assert env.possible_agents == [f"player_{s}" for s in range(env.seats)]
    assert game.min_seats <= env.seats <= game.max_seats
    assert env.metadata["name"] == game.id
    assert load_game(game.name) is game
