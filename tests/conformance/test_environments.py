"""The PettingZoo and Gymnasium front ends, for every game."""

from __future__ import annotations

import copy
import hashlib
import json
import pickle
import warnings
from collections.abc import Callable
from typing import Any

import gymnasium
import numpy as np
import pettingzoo
import pytest
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import AutoresetMode
from pettingzoo.test import api_test, seed_test

from qipai.envs import OptionError, aec, games, load_game, make, make_solo, make_tables
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


def test_checkers_that_know_no_masks_need_forfeits(name: str) -> None:
    """``docs/environments.md`` says so."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # coins have no bounds, and illegal actions are warned of
        api_test(make(name, illegal="forfeit"), num_cycles=100)
        env = make_solo(name, opponents="random", illegal="forfeit")
        check_env(env, skip_render_check=True)


def test_a_checker_that_knows_no_masks_plays_illegal_actions() -> None:
    with warnings.catch_warnings(), pytest.raises(IllegalAction):
        warnings.simplefilter("ignore")
        for _ in range(20):  # a few of the 341 actions are legal
            check_env(make_solo("doudizhu", opponents="random"), skip_render_check=True)


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


def test_copies_hold_what_a_subclass_added(name: str) -> None:
    class Noted(TableEnv):
        def __init__(self, game: Game) -> None:
            super().__init__(game)
            self.notes: list[list[str]] = [[]]

        def hand_report(self) -> dict[str, Any]:
            self.notes[0].append("a hand")
            return super().hand_report()

    env = Noted(load_game(name))
    env.reset(seed=6)
    for twin in (env.clone(), copy.deepcopy(env)):
        assert isinstance(twin, Noted)
        twin.leave(twin.agent_selection)
        play(twin, 3000)
        assert twin.notes[0] and not env.notes[0]
    assert vars(make(name)).keys() <= {*aec._COPIED, *aec._MADE_ANEW}  # or copies take long


def test_copies_share_nothing_that_changes(name: str) -> None:
    env = make(name)
    env.reset(seed=6)
    twin = env.clone()
    before = env.save()
    for books in (twin.rewards, twin.infos[twin.agents[0]], twin.rules, twin.metadata):
        books["changed"] = 1  # type: ignore[index]
    assert env.save() == before
    assert "changed" not in {**env.rules, **env.metadata}
    space, other = env.action_space("player_0"), twin.action_space("player_0")
    assert space is env.action_space("player_0") is not other
    assert env.observation_space("player_0") is not twin.observation_space("player_0")


def test_agents_do_not_share_their_infos(game: Game) -> None:
    env = make(game.name, hands=50)
    env.reset(seed=6)
    while not any(env.infos.values()):
        play(env, 1)
    reports = [info["settled"] for info in env.infos.values()]
    assert all(report == reports[0] for report in reports)
    reports[0][0]["coins"][0] = "mine"
    reports[0].append("mine")
    assert "mine" not in str(reports[1:])


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


def rewritten(saved: bytes, change: Callable[[Any, bytes], tuple[Any, bytes]]) -> bytes:
    """A saved match with other books and table, and a digest that fits."""
    _, head, body = saved.split(b"\n", 2)
    books, body = change(json.loads(head), body)
    head = books if isinstance(books, bytes) else json.dumps(books).encode()
    content = head + b"\n" + body
    return hashlib.sha256(content).hexdigest().encode() + b"\n" + content


ODD = (None, True, -1, 0.5, float("nan"), "x", [], ["x"], [[]], {}, {"x": 1}, {"player_0": []})


def test_a_saved_match_with_odd_books_is_refused(name: str) -> None:
    env = make(name, hands=3)
    env.reset(seed=7)
    play(env, 5)
    saved = env.save()
    wrong: list[Callable[[Any, bytes], tuple[Any, bytes]]] = [
        lambda books, body: (books, body[:-1]),
        lambda books, body: (books, body + body),
        lambda books, body: (books, b""),
        lambda books, body: ({**books, "more": 1}, body),
        lambda books, body: (b"", body),
        lambda books, body: (b"\xff", body),
        lambda books, body: (b"[" * 100_000, body),
    ]
    wrong += [lambda books, body, odd=odd: (odd, body) for odd in ODD]
    _, head, _ = saved.split(b"\n", 2)
    for key, value in json.loads(head).items():
        wrong.append(
            lambda books, body, key=key: ({k: v for k, v in books.items() if k != key}, body)
        )
        odd = [o for o in ODD if (o, type(o)) != (value, type(value))]
        wrong += [lambda books, body, key=key, o=o: ({**books, key: o}, body) for o in odd]
        if isinstance(value, dict):
            inner = [o for o in ODD if key != "infos" or not isinstance(o, dict)]
            wrong += [
                lambda books, body, key=key, o=o: (
                    {**books, key: {**books[key], "player_0": o}},
                    body,
                )
                for o in inner
                if not (key in ("rewards", "cumulative_rewards") and o == -1)
            ]
    play(env, 1)
    now = env.save()
    for change in wrong:
        with pytest.raises(ValueError, match="saved|match is of"):
            env.load(rewritten(saved, change))
        assert env.save() == now
    env.load(rewritten(saved, lambda books, body: (books, body)))
    assert env.save() == saved


def test_a_match_is_saved_at_its_end_too(name: str) -> None:
    """Also while the agents are told one by one that it is over."""
    env, other = make(name, hands=1), make(name)
    env.reset(seed=7)
    play(env, 3000)
    for _ in range(env.seats + 1):
        other.load(env.save())
        assert other.save() == env.save()
        assert (other.agents, other.agent_selection) == (env.agents, env.agent_selection)
        if env.agents:
            env.step(None)


def test_nothing_can_be_done_once_all_agents_are_gone(name: str) -> None:
    env = make(name, hands=1)
    env.reset(seed=7)
    play(env, 3000)
    for _ in env.agent_iter():
        with pytest.raises(ValueError, match="only valid action is None"):
            env.step(0)
        env.step(None)
    assert not env.agents and not list(env.agent_iter())
    for act in (env.last, lambda: env.step(None), lambda: env.step(0)):
        with pytest.raises(ValueError, match="all agents are gone: call reset"):
            act()
    with pytest.raises(ValueError, match="match is over"):
        env.leave("player_0")
    env.reset(options={"hands": 5})
    assert env.agents == env.possible_agents and env.rules["hands"] == 1


def test_a_table_is_handed_out_and_placed_elsewhere(game: Game) -> None:
    env, other = make(game.name, hands=3), make(game.name)
    env.reset(seed=7)
    play(env, 7)
    table = env.table()
    assert table.dtype == game.state
    before = env.save()
    table["stack"] = 0
    assert env.save() == before
    other.place(env.table())
    assert values_of(other.table()) == values_of(env.table())
    while not over(env):
        play(env, 1)
        play(other, 1)
        assert values_of(other.table()) == values_of(env.table())


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
    mask = env.observe(agent)["action_mask"]
    env.step(int([*np.flatnonzero(mask == 0), len(mask)][0]))  # all may be legal
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


def test_a_vector_of_environments_offers_actions_in_every_row(name: str) -> None:
    """With a reset in the same step, as ``docs/environments.md`` advises; else ends have none."""
    some = {}
    for mode in (AutoresetMode.SAME_STEP, AutoresetMode.NEXT_STEP):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # coins have no bounds
            envs = gymnasium.make_vec(
                load_game(name).id,
                num_envs=3,
                vectorization_mode="sync",
                vector_kwargs={"autoreset_mode": mode},
                opponents="random",
                hands=1,
            )
        observation, _ = envs.reset(seed=1)
        some[mode], ends = True, 0
        while ends < 3:
            masks = observation["action_mask"]
            some[mode] &= bool(masks.any(axis=1).all())
            observation, _, ended, cut_off, infos = envs.step(masks.argmax(axis=1))
            assert ("final_obs" in infos) == (
                mode == AutoresetMode.SAME_STEP and (ended | cut_off).any()
            )
            ends += int((ended | cut_off).sum())
        some[mode] &= bool(observation["action_mask"].any(axis=1).all())
        envs.close()
    assert some == {AutoresetMode.SAME_STEP: True, AutoresetMode.NEXT_STEP: False}


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
    fewest = max(game.min_seats, min(2, game.max_seats))  # with others, if there can be any
    env = make_solo(game.name, opponents="random", seat=fewest - 1, seats=fewest)
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
    acts += [env.default_action, lambda: env.step(0), env.table, env.agent_iter]
    acts += [lambda act=act: act("player_0") for act in (env.observe, env.view, env.leave)]
    for act in acts:
        with pytest.raises(ValueError, match="call reset first"):
            act()
    with pytest.raises(ValueError, match="call reset"):
        make_solo(name, opponents="random").step(0)


@pytest.mark.parametrize("action", ["x", 1.5, float("nan"), [0], True, np.True_])
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


@pytest.mark.parametrize("action", [2**63, 2**64, -(2**63) - 1, np.uint64(2**63), None])
def test_an_action_that_is_none_is_named_as_it_was_given(action: int | None) -> None:
    env = make("five_card_stud")
    env.reset(seed=1)
    with pytest.raises(IllegalAction, match=rf"action {action} \(no such id\) is illegal"):
        env.step(action)
    env = make_solo("five_card_stud", opponents="random")
    env.reset(seed=1)
    with pytest.raises(IllegalAction, match=rf"action {action} \(no such id\) is illegal"):
        env.step(action)  # type: ignore[arg-type]


@pytest.mark.parametrize("seed", [True, np.True_, -1, 1.0, "1", [1], np.int64(-3)])
def test_a_bad_seed_changes_nothing(seed: Any) -> None:
    env = make("five_card_stud")
    env.reset(seed=1)
    before = env.save()
    with pytest.raises(ValueError, match="a seed is a non-negative integer or None"):
        env.reset(seed=seed)
    assert env.save() == before
    solo = make_solo("five_card_stud", opponents="random", seat=None)
    solo.reset(seed=1)
    seat, drawn, saved = solo.seat, solo.np_random.bit_generator.state, solo.table.save()
    with pytest.raises(ValueError, match="a seed is a non-negative integer or None"):
        solo.reset(seed=seed)
    assert (solo.seat, solo.np_random.bit_generator.state) == (seat, drawn)
    assert solo.table.save() == saved
    with pytest.raises(ValueError, match="a seed is a non-negative integer or None"):
        make_tables("five_card_stud", 1, seed=seed)


def test_seeds_of_numpy_are_the_same_seeds() -> None:
    env, solo = make("five_card_stud"), make_solo("five_card_stud", opponents="random", seat=None)
    for seed in (np.int64(5), np.uint8(5), np.array(5)):
        env.reset(seed=seed)  # type: ignore[arg-type]
        solo.reset(seed=seed)  # type: ignore[arg-type]
        saved = env.save(), solo.table.save()
        env.reset(seed=5)
        solo.reset(seed=5)
        assert saved == (env.save(), solo.table.save())


def test_an_agent_that_is_not_there_has_no_space(name: str) -> None:
    env = make(name)
    env.reset(seed=1)
    nobody: list[Any] = ["nobody", "player_9", 0, None, []]
    for agent in nobody:
        for act in (env.observation_space, env.action_space, env.observe, env.view, env.leave):
            with pytest.raises(ValueError, match="there is no agent .*; agents: player_0"):
                act(agent)


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


ODD_ARGUMENTS = [True, 0.5, "x", "1", b"abc", [], {}, {1}, Ellipsis, np.array(["x"]), np.zeros(2)]


@pytest.mark.parametrize("odd", ODD_ARGUMENTS, ids=repr)
def test_arguments_of_odd_types_are_named(odd: Any, game: Game) -> None:
    opponents = "opponents=|there is no agent|0 opponents for"
    wrong: list[tuple[Callable[..., Any], str, str]] = [
        (make_tables, "n", "n="),
        (make_tables, "threads", "threads="),
        (make_tables, "streams", "streams"),
        (make_solo, "seat", "seat="),
        (make_solo, "opponents", opponents),
        (make, "spectator", "spectator="),
    ]
    for way in (make, make_solo, make_tables):
        wrong += [
            (way, "name", "there is no game"),
            (way, "preset", f"{game.name}: unknown preset"),
        ]
    for way in (make, make_solo):
        wrong += [(way, key, f"{key}=") for key in ("render_mode", "illegal")]
    wrong += [(make, o.name, f"{game.name}: {o.name}=") for o in game.rules]
    for way, key, beginning in wrong:
        flag = key == "spectator" or any(o.name == key and o.flag for o in game.rules)
        if (odd is True and flag) or (key == "opponents" and game.max_seats == 1):
            continue  # taken
        arguments = {"name": game.name, **({"n": 2} if way is make_tables else {}), key: odd}
        with pytest.raises(ValueError, match=f"^({beginning})"):
            way(**arguments)


def test_a_solitaire_takes_no_odd_opponents_either() -> None:
    for odd in (3, None, Ellipsis, {"a": 1}):
        with pytest.raises(ValueError, match="opponents=.*: an agent"):
            make_solo("freecell", opponents=odd)  # type: ignore[arg-type]


def test_seats_and_names(game: Game) -> None:
    env = make(game.name)
    assert env.possible_agents == [f"player_{s}" for s in range(env.seats)]
    assert game.min_seats <= env.seats <= game.max_seats
    assert env.metadata["name"] == game.id
    assert load_game(game.name) is game


@pytest.mark.parametrize("seed", range(6))
def test_rewards_told_add_up_to_stacks_whoever_leaves_when(game: Game, seed: int) -> None:
    draws = np.random.default_rng(seed)
    env = TableEnv(game, hands=3)
    env.reset(seed=seed)
    told = dict.fromkeys(env.possible_agents, 0)
    staying = list(env.possible_agents)
    for agent in env.agent_iter():
        observation, reward, terminated, truncated, _ = env.last()
        told[agent] += reward
        if terminated or truncated:
            env.step(None)
            continue
        env.step(int(draws.choice(np.flatnonzero(observation["action_mask"]))))
        if len(staying) > 1 and draws.random() < 0.1 and not any(env.terminations.values()):
            env.leave(staying.pop(int(draws.integers(len(staying)))))
    gained = env.table()["stack"] - env.table()["rules"]["stack"]
    assert list(told.values()) == gained.tolist()[: env.seats]
