"""Training: the environment the learner plays in, the learner, whole runs of a few seconds."""

from __future__ import annotations

import importlib
import importlib.util
import io
import itertools
import json
import math
from pathlib import Path
from typing import Any, get_type_hints

import numpy as np
import pytest
from rich.console import Console

from qipai.agents.arena import play_arena
from qipai.agents.model import MODEL, ModelAgent, load_model, save_model
from qipai.agents.random import RandomAgent
from qipai.envs import OptionError, load_game
from qipai.envs.game import Game
from qipai.envs.match import CUT_OFF, PLAYING
from qipai.envs.tables import Tables
from tests.full_disk import fill_the_disk

torch = pytest.importorskip("torch", reason="training needs qipai[train]")
pytest.importorskip("sb3_contrib", reason="training needs qipai[train]")

from sb3_contrib import MaskablePPO  # noqa: E402
from sb3_contrib.common.maskable.utils import get_action_masks  # noqa: E402

import qipai.training  # noqa: E402
from qipai.training.config import HELP, Config  # noqa: E402
from qipai.training.learner import Policy, Pool  # noqa: E402
from qipai.training.maskable_ppo import CHECKPOINT, Run, train  # noqa: E402
from qipai.training.report import percentages, read_config  # noqa: E402
from qipai.training.vec_env import SelfPlayVecEnv, player  # noqa: E402

GAME = load_game("doudizhu")
TINY: dict[str, Any] = {
    "game": "doudizhu",
    "steps": 256,
    "tables": 16,
    "n_steps": 8,
    "batch_size": 64,
    "n_epochs": 1,
    "hidden": (16,),
    "threads": 1,
    "evaluations": 1,
    "evaluation_hands": 12,
    "final_hands": 12,
}


REAL = [name for name, hint in get_type_hints(Config).items() if hint is float]


def quiet() -> Console:
    return Console(quiet=True)


# --- The environment ---------------------------------------------------------------------------


def environment(n: int, **more: Any) -> SelfPlayVecEnv:
    return SelfPlayVecEnv(GAME, n, seed=5, opponents=[player(RandomAgent(1))], **more)


class Recorder:
    """A learner that chooses at random, and all that was played at its tables, step by step."""

    def __init__(self, env: SelfPlayVecEnv, steps: int) -> None:
        self.played: list[tuple[np.ndarray, np.ndarray]] = []
        step = env.tables.step

        def record(actions: np.ndarray, where: np.ndarray) -> None:
            self.played.append((where.copy(), actions.copy()))
            step(actions, where)

        env.tables.step = record  # type: ignore[method-assign]
        rng = np.random.default_rng(2)
        env.reset()
        self.outcomes = []
        for _ in range(steps):
            masks = np.stack(env.env_method("action_masks"))
            actions = np.array([rng.choice(np.flatnonzero(mask)) for mask in masks])
            self.outcomes.append(env.step(actions))


def replay(played: list[tuple[np.ndarray, np.ndarray]], n: int) -> list[list[tuple[int, bool]]]:
    """For each table, the learner's coins after each of its choices, and whether its match ended.

    Worked out match by match from the actions alone: the learner of match m on table i has seat
    (i + m) mod 3, and a seat with one legal action has no choice.
    """
    tables = Tables(GAME, n, seed=5)
    matches = [0] * n
    choices: list[list[list[Any]]] = [[] for _ in range(n)]  # coins, match, match has ended
    for where, actions in played:
        deciding = [
            tables.turn[i] == (i + matches[i]) % 3 and tables.action_mask[i].sum() > 1
            for i in where
        ]
        tables.step(actions, where)
        for i, decides in zip(where, deciding, strict=True):
            if decides:
                choices[i].append([0, matches[i], False])
            if choices[i] and choices[i][-1][1] == matches[i]:
                choices[i][-1][0] += int(tables.reward[i, (i + matches[i]) % 3])
                choices[i][-1][2] = bool(tables.over[i] != PLAYING)
            matches[i] += int(tables.over[i] != PLAYING)
    return [[(coins, ended) for coins, _, ended in table] for table in choices]


@pytest.fixture(scope="module")
def recorded() -> tuple[SelfPlayVecEnv, Recorder]:
    env = environment(6, reward_scale=0.5)
    return env, Recorder(env, 120)


def test_rewards_and_ends_are_those_of_an_independent_replay(
    recorded: tuple[SelfPlayVecEnv, Recorder],
) -> None:
    _, record = recorded
    expected = replay(record.played, 6)
    for i in range(6):
        for k, (_, rewards, dones, _) in enumerate(record.outcomes):
            assert rewards[i] == expected[i][k][0] * 0.5
            assert dones[i] == expected[i][k][1]
    assert sum(dones.sum() for _, _, dones, _ in record.outcomes) > 10


def test_the_learner_takes_every_seat_in_turn(recorded: tuple[SelfPlayVecEnv, Recorder]) -> None:
    env, record = recorded
    tables = Tables(GAME, 6, seed=5)
    matches = np.zeros(6, np.int64)
    for where, actions in record.played:
        tables.step(actions, where)
        matches[where] += tables.over[where] != PLAYING
    assert (env.learner == (np.arange(6) + matches) % 3).all()
    assert matches.min() >= 3


def test_ends_are_reported_as_stable_baselines_wants(
    recorded: tuple[SelfPlayVecEnv, Recorder],
) -> None:
    _, record = recorded
    returns, lengths = np.zeros(6), np.zeros(6, np.int64)
    for before, (_, rewards, dones, infos) in zip(
        [None, *(outcome[0] for outcome in record.outcomes)], record.outcomes, strict=False
    ):
        returns += rewards
        lengths += 1
        for i in range(6):
            assert ("episode" in infos[i]) == dones[i]
            if dones[i]:
                assert infos[i]["episode"] == {"r": returns[i], "l": lengths[i]}
                if before is not None:
                    assert (infos[i]["terminal_observation"] == before[i]).all()
                returns[i] = lengths[i] = 0


def test_the_learner_is_asked_at_every_table_and_has_a_choice() -> None:
    env = environment(20)
    observations = env.reset()
    for _ in range(30):
        masks = get_action_masks(env)
        assert masks.shape == (20, GAME.actions.width)
        assert (masks.sum(axis=1) > 1).all()
        assert (env.tables.turn == env.learner).all()
        assert (observations == env.tables.observation).all()
        observations = env.step(env.tables.sample())[0]


def test_a_match_cut_off_is_settled_and_not_estimated(monkeypatch: pytest.MonkeyPatch) -> None:
    env = environment(4)
    env.reset()
    step = env.tables.step

    def cut_off(actions: np.ndarray, where: np.ndarray) -> None:
        step(actions, where)
        env.tables.over[env.tables.over != PLAYING] = CUT_OFF

    monkeypatch.setattr(env.tables, "step", cut_off)
    ends = [info for _ in range(40) for info in env.step(env.tables.sample())[3] if info]
    assert ends and not any(info.get("TimeLimit.truncated", False) for info in ends)


def test_rewards_are_in_units_of_the_game() -> None:
    """The same play at a stake of 7 gives the same rewards."""

    def rewards(stake: int) -> np.ndarray:
        return np.array([out[1] for out in Recorder(environment(4, stake=stake), 40).outcomes])

    assert (rewards(1) == rewards(7)).all() and rewards(1).any()


def test_rewards_are_in_the_unit_of_their_table() -> None:
    """Where the ante floats with the stacks, the same play brings the same rewards."""
    tuolaji = load_game("tuolaji")

    def rewards(stack: int) -> np.ndarray:
        env = SelfPlayVecEnv(tuolaji, 4, seed=5, opponents=[player(RandomAgent(1))], stack=stack)
        return np.array([out[1] for out in Recorder(env, 20).outcomes])

    assert (rewards(2_000) == rewards(200_000)).all() and rewards(2_000).any()


def test_coins_count_in_the_unit_of_the_hand_they_were_played_for() -> None:
    """Whoever folds first loses one ante, whatever that is in the next hand."""

    def calls(tables: Tables, where: np.ndarray) -> np.ndarray:
        return np.full(len(where), tables.game.parse("call"))

    options = {"seats": 2, "hands": 2, "stack": 10_100, "cap": 101}
    env = SelfPlayVecEnv(load_game("tuolaji"), 1, seed=5, opponents=[calls], **options)
    env.reset()
    assert env.tables.state["ante"] == 100
    rewards = env.step(np.array([0]))[1]
    assert (env.tables.state["hand"], env.tables.state["ante"]) == (1, 10)
    assert rewards.tolist() == [-1.0]


def test_equal_seeds_give_equal_environments() -> None:
    one, two = environment(5), environment(5)
    assert (one.reset() == two.reset()).all()


def test_opponents_answer_for_all_waiting_tables_at_once() -> None:
    asked = []
    agent = RandomAgent(1)

    def opponent(tables: Tables, where: np.ndarray) -> np.ndarray:
        asked.append(len(where))
        assert (tables.turn[where] != env.learner[where]).all()
        assert (tables.action_mask[where].sum(axis=1) > 1).all()
        return agent.act(tables.views(where), tables.action_mask[where])

    env = SelfPlayVecEnv(GAME, 60, seed=5, opponents=[opponent])
    env.reset()
    assert max(asked) > 30


def test_each_match_is_played_against_one_of_the_opponents() -> None:
    calls: list[set[tuple[int, int]]] = [set(), set()]  # table and number of its match

    def opponent(number: int) -> Any:
        agent = player(RandomAgent(number))

        def choose(tables: Tables, where: np.ndarray) -> np.ndarray:
            calls[number] |= {(int(i), int(matches[i])) for i in where}
            return agent(tables, where)

        return choose

    env = SelfPlayVecEnv(GAME, 30, seed=5, opponents=[opponent(k) for k in range(2)])
    matches = np.zeros(30, np.int64)
    step = env.tables.step

    def count(actions: np.ndarray, where: np.ndarray) -> None:
        step(actions, where)
        matches[where] += env.tables.over[where] != PLAYING

    env.tables.step = count  # type: ignore[method-assign]
    env.reset()
    for _ in range(40):
        env.step(env.tables.sample())
    assert not calls[0] & calls[1]
    assert min(map(len, calls)) > 20


def test_nobody_to_play_against_is_an_error() -> None:
    with pytest.raises(ValueError, match="opponents is empty"):
        SelfPlayVecEnv(GAME, 2).reset()


def test_the_environment_answers_only_for_action_masks() -> None:
    env = environment(3)
    with pytest.raises(AttributeError, match="no method 'render'"):
        env.env_method("render")
    assert env.get_attr("reward_scale", [0, 2]) == [1.0, 1.0]


# --- The learner -------------------------------------------------------------------------------


def test_choices_in_play_are_the_network_that_learns() -> None:
    env = environment(64)
    observations = torch.from_numpy(env.reset())
    masks = get_action_masks(env)
    policy = Policy(env.observation_space, env.action_space, lambda _: 1e-3, hidden=(24, 16))
    with torch.no_grad():
        for parameter in policy.parameters():
            parameter.normal_(std=0.3)
    policy.set_training_mode(False)
    actions, values, chances = policy(observations, action_masks=masks)
    again = policy.evaluate_actions(observations, actions, torch.from_numpy(masks).float())
    torch.testing.assert_close(values, again[0], rtol=1e-4, atol=1e-4)
    torch.testing.assert_close(chances, again[1], rtol=1e-4, atol=1e-4)
    assert (again[2] > 0).all() and masks[np.arange(64), actions].all()
    likeliest, _, _ = policy(observations, deterministic=True, action_masks=masks)
    predicted, _ = policy.predict(env.tables.observation, deterministic=True, action_masks=masks)
    assert (likeliest.numpy() == predicted).all()


# --- Config ------------------------------------------------------------------------------------


def test_a_config_survives_json() -> None:
    config = Config(**{**TINY, "options": {"stake": 5}, "out": Path("here"), "minutes": 1.5})
    assert Config(**json.loads(json.dumps(config.to_json()))) == config


def test_every_field_of_the_config_is_explained() -> None:
    assert set(HELP) == set(Config(game="doudizhu").to_json())
    assert all(HELP.values())


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("minutes", 0),
        ("steps", 0),
        ("seed", -1),
        ("tables", 0),
        ("threads", 0),
        ("hidden", ()),
        ("gamma", 1.1),
        ("learning_rate", 0.0),
        ("batch_size", 0),
        ("entropy", -0.1),
        ("steps", 1.5),
        ("tables", "16"),
        ("seed", True),
        ("threads", 99999),
        ("threads", 2.0),
        ("final_hands", 10**12),
        ("hidden", (16, 0)),
        ("hidden", (1 << 20,)),
        ("hidden", (8,) * 7),
        ("hidden", (1.5,)),
        ("hidden", "16"),
        ("hidden", 16),
        ("minutes", "5"),
        *((name, value) for name in REAL for value in (math.nan, math.inf, -math.inf)),
    ],
)
def test_a_bad_field_is_named(field: str, value: Any) -> None:
    with pytest.raises(ValueError, match=rf"^{field}(\[0\])?="):
        Config(game="doudizhu", **{field: value})


def test_every_number_has_to_be_finite() -> None:
    assert {"minutes", "learning_rate", "gamma", "entropy", "value", "max_grad_norm"} < set(REAL)


def test_numbers_of_numpy_are_numbers() -> None:
    config = Config(game="doudizhu", steps=np.int64(3), gamma=np.float32(0.5), hidden=np.array([9]))
    assert json.loads(json.dumps(config.to_json()))["steps"] == 3
    assert (config.gamma, config.hidden) == (0.5, (9,))


def test_games_and_options_are_checked_at_once() -> None:
    with pytest.raises(ValueError, match="there is no game 'poker'"):
        Config(game="poker")
    with pytest.raises(OptionError, match="stake"):
        Config(game="doudizhu", options={"stake": 0})


# --- Runs --------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return train(Config(**TINY, out=tmp_path_factory.mktemp("run")), quiet())


def test_a_run_leaves_its_files(run: Path) -> None:
    names = {path.name for path in run.iterdir()}
    assert {MODEL, CHECKPOINT, "config.json", "results.json", "curve.png"} < names
    assert any(name.startswith("events.out.tfevents") for name in names)
    assert (run / MODEL).stat().st_size < 5_000_000
    assert (run / "curve.png").read_bytes().startswith(b"\x89PNG")


def test_the_config_says_all_that_is_needed_to_repeat_a_run(run: Path) -> None:
    assert read_config(run) == Config(**TINY, out=run)
    written = json.loads((run / "config.json").read_text())
    assert written["command"]
    assert written["version"] == GAME.version and written["rules"]["kickers"] == "standard"
    assert set(written["packages"]) >= {"qipai", "numpy", "torch", "sb3-contrib"}


def test_the_results_account_for_steps_and_time(run: Path) -> None:
    results = json.loads((run / "results.json").read_text())
    assert results["steps"] == 256 and results["interrupted"] is False
    assert [point["steps"] for point in results["curve"]] == [0, 256]
    assert results["curve"][-1]["against"] == results["final"]
    assert set(results["final"]) >= {"random"}
    assert set(results["shares"]) == {"engine", "policy", "learning", "evaluations"}
    assert all(share > 0 for share in results["shares"].values())
    assert sum(results["shares"].values()) == pytest.approx(1)


def test_the_model_of_a_run_plays(run: Path) -> None:
    agent = ModelAgent(GAME, run, seed=1)
    tables = Tables(GAME, 30, seed=9)
    for _ in range(10):
        tables.step(agent.act(tables.views(), tables.action_mask))  # IllegalAction if illegal
    assert agent.header["steps"] == 256


def test_equal_seeds_train_equal_models(run: Path, tmp_path: Path) -> None:
    again = train(Config(**TINY, out=tmp_path), quiet())
    other = train(Config(**{**TINY, "seed": 1}, out=tmp_path / "other"), quiet())
    one, two, three = (load_model(folder, GAME)[0].weights[0] for folder in (run, again, other))
    assert (one == two).all()
    assert (one != three).any()


def test_a_resumed_run_goes_on_where_the_other_ended(run: Path, tmp_path: Path) -> None:
    slow = {"learning_rate": 1e-12, "final_learning_rate": 1e-12}
    config = Config(**{**TINY, **slow, "hidden": (99,)}, resume=run, out=tmp_path)
    resumed = train(config, quiet())
    (old, _), (new, header) = load_model(run, GAME), load_model(resumed, GAME)
    assert header["steps"] == 512
    np.testing.assert_allclose(new.weights[0], old.weights[0], atol=1e-6)
    assert [point["steps"] for point in _results(resumed)["curve"]] == [256, 512]
    count = [
        MaskablePPO.load(folder / CHECKPOINT, device="cpu").policy.optimizer.state_dict()["state"][
            0
        ]
        for folder in (run, resumed)
    ]
    assert 0 < count[0]["step"] < count[1]["step"]


def test_an_interrupt_in_the_middle_of_a_rollout_leaves_no_share_below_zero(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    step, calls = Run._on_step, itertools.count()

    def interrupt(self: Run) -> bool:
        if next(calls) == 5:
            raise KeyboardInterrupt
        return step(self)

    monkeypatch.setattr(Run, "_on_step", interrupt)
    train(Config(**{**TINY, "n_steps": 100}, out=tmp_path), quiet())
    shares = _results(tmp_path)["shares"]
    assert all(share >= 0 for share in shares.values())
    assert sum(shares.values()) == pytest.approx(1)


def test_percentages_add_up_to_a_hundred() -> None:
    thirds = {"a": 1 / 3, "b": 1 / 3, "c": 1 / 3}
    assert sorted(percentages(thirds).values()) == [33, 33, 34]
    assert percentages({"a": 0.996, "b": 0.004}) == {"a": 100, "b": 0}
    assert percentages({"a": 0.005, "b": 0.985, "c": 0.01}) == {"a": 1, "b": 98, "c": 1}


def test_where_no_interval_is_known_none_is_shown(tmp_path: Path) -> None:
    text = io.StringIO()
    console = Console(file=text, width=120)
    given = {**TINY, "steps": 1, "evaluations": 0, "evaluation_hands": 1, "final_hands": 1}
    train(Config(**given, out=tmp_path), console)
    *_, row = (line for line in text.getvalue().splitlines() if line.startswith(" random"))
    assert row.split()[2:] == ["–"]
    assert "± –" in text.getvalue()
    assert _results(tmp_path)["final"]["random"]["margin"] is None


def test_training_evaluations_and_arena_never_play_the_same_deals(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    used: list[int] = []
    init = Tables.__init__

    def note(self: Tables, game: Game, n: int, seed: int | None = None, **more: Any) -> None:
        assert seed is not None
        used.append(seed)
        init(self, game, n, seed, **more)

    monkeypatch.setattr(Tables, "__init__", note)
    train(Config(**{**TINY, "seed": 3}, out=tmp_path / "first"), quiet())
    first, used[:] = set(used), []
    train(Config(**{**TINY, "seed": 3}, resume=tmp_path / "first", out=tmp_path / "next"), quiet())
    again, used[:] = set(used), []
    play_arena(GAME, ["random"], 1, seed=3)
    # Deals of the training, of the evaluations on the way and of the last one.
    assert len(first) == len(again) == 3
    assert len(first & again) == 2  # evaluations stay comparable, the training goes on elsewhere
    assert not set(used) & (first | again)
    assert 3 not in first | again | set(used)


def test_a_full_disk_ends_no_training_and_keeps_what_was_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = io.StringIO()
    end = Run._on_rollout_end

    def fill(self: Run) -> None:
        end(self)
        fill_the_disk(monkeypatch)

    monkeypatch.setattr(Run, "_on_rollout_end", fill)
    given = {**TINY, "evaluations": 2, "out": tmp_path}
    with pytest.raises(OSError, match=r"No space left on device.*results\.json"):
        train(Config(**given), Console(file=text, width=300))
    assert load_model(tmp_path, GAME)[1]["steps"] == 0  # of the evaluation at the start
    assert MaskablePPO.load(tmp_path / CHECKPOINT, device="cpu").num_timesteps == 0
    assert not [path for path in tmp_path.iterdir() if path.suffix == ".part"]
    shown = text.getvalue()
    assert shown.count("No space left on device") == 1
    assert "coins per hand" in shown and "256 steps" in shown


def test_resuming_goes_on_from_the_checkpoint_if_the_model_is_newer(
    run: Path, tmp_path: Path
) -> None:
    network, _ = load_model(run, GAME)
    save_model(tmp_path / MODEL, GAME, network, steps=10_000)
    (tmp_path / CHECKPOINT).write_bytes((run / CHECKPOINT).read_bytes())
    resumed = train(Config(**TINY, resume=tmp_path, out=tmp_path / "new"), quiet())
    assert load_model(resumed, GAME)[1]["steps"] == 512


def test_resuming_without_a_checkpoint_is_an_error(run: Path, tmp_path: Path) -> None:
    for name in (MODEL, CHECKPOINT):
        (tmp_path / name).write_bytes((run / name).read_bytes())
    resumed = {**TINY, "resume": tmp_path, "out": tmp_path / "new"}
    (tmp_path / CHECKPOINT).write_bytes(b"no zip")
    with pytest.raises(ValueError, match=r"checkpoint\.zip cannot be read as a checkpoint"):
        train(Config(**resumed), quiet())
    (tmp_path / CHECKPOINT).unlink()
    with pytest.raises(ValueError, match=r"there is no checkpoint .*checkpoint\.zip"):
        train(Config(**resumed), quiet())
    with pytest.raises(ValueError, match="there is no checkpoint"):
        train(Config(**{**resumed, "resume": tmp_path / MODEL}), quiet())
    assert not (tmp_path / "new").exists()


def test_a_checkpoint_of_another_network_is_refused(run: Path, tmp_path: Path) -> None:
    (tmp_path / CHECKPOINT).write_bytes((run / CHECKPOINT).read_bytes())
    other = train(Config(**{**TINY, "hidden": (8, 8)}, out=tmp_path / "other"), quiet())
    (tmp_path / MODEL).write_bytes((other / MODEL).read_bytes())
    with pytest.raises(ValueError, match="cannot be read as a checkpoint") as caught:
        train(Config(**TINY, resume=tmp_path, out=tmp_path / "new"), quiet())
    assert "\n" not in str(caught.value)


def test_a_place_that_cannot_be_written_to_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(ValueError, match="^out=.*cannot be written to: Not a directory"):
        train(Config(**TINY, out=tmp_path / "file" / "run"), quiet())


def test_a_training_that_diverges_says_so(tmp_path: Path) -> None:
    wild = {"learning_rate": 1e30, "final_learning_rate": 1e30, "max_grad_norm": 1e30}
    with pytest.raises(ValueError, match=r"has diverged .* a lower learning_rate may help"):
        train(Config(**{**TINY, **wild, "steps": 2048}, out=tmp_path), quiet())
    load_model(tmp_path, GAME)  # that of the start


def test_resuming_from_nothing_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="there is no model"):
        train(Config(**TINY, resume=tmp_path / "nowhere", out=tmp_path / "new"), quiet())
    assert not (tmp_path / "new").exists()


def test_a_folder_with_something_in_it_is_not_written_to(run: Path) -> None:
    before = (run / "config.json").read_bytes()
    with pytest.raises(ValueError, match="not an empty folder"):
        train(Config(**TINY, out=run), quiet())
    assert (run / "config.json").read_bytes() == before


def test_an_interrupt_keeps_the_model_and_writes_everything(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ended = Run._on_rollout_end

    def interrupt(self: Run) -> None:
        ended(self)
        if self.rollouts == 2:
            raise KeyboardInterrupt

    monkeypatch.setattr(Run, "_on_rollout_end", interrupt)
    train(Config(**{**TINY, "steps": None}, out=tmp_path), quiet())
    results = _results(tmp_path)
    assert results["interrupted"] is True and results["steps"] == 256
    assert set(results["final"]) >= {"random"}
    assert all(share >= 0 for share in results["shares"].values())
    assert load_model(tmp_path, GAME)[1]["steps"] == 256
    assert (tmp_path / "curve.png").exists()


@pytest.mark.parametrize("opponents", ["self", "pool", "random", "self,pool,random"])
def test_other_opponents(opponents: str, tmp_path: Path) -> None:
    given = {**TINY, "opponents": opponents, "steps": 512, "pool_every": 1, "pool_size": 2}
    train(Config(**given, out=tmp_path), quiet())
    assert _results(tmp_path)["steps"] == 512


def test_the_pool_keeps_its_size_and_past_selves_stay_as_they_were() -> None:
    env = environment(9)
    policy = Policy(env.observation_space, env.action_space, lambda _: 1e-3, hidden=(8,))
    pool = Pool(policy, 2, seed=0)
    first = pool.players[0].network.weights[0].copy()
    with torch.no_grad():
        for parameter in policy.parameters():
            parameter.add_(1.0)
    pool.grow()
    assert (pool.players[0].network.weights[0] == first).all()
    assert (pool.players[1].network.weights[0] == first + 1).all()
    pool.grow()
    assert len(pool.players) == 2
    env.opponents = [pool]
    env.reset()
    env.step(env.tables.sample())  # IllegalAction if the pool mixed up its tables


def test_the_minutes_end_a_run(tmp_path: Path) -> None:
    train(
        Config(**{**TINY, "steps": None, "minutes": 0.01, "final_hands": 6}, out=tmp_path), quiet()
    )
    assert _results(tmp_path)["seconds"] >= 0.6


def _results(folder: Path) -> Any:
    return json.loads((folder / "results.json").read_text())


# --- Without torch -----------------------------------------------------------------------------


def test_without_torch_the_error_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    find = importlib.util.find_spec
    monkeypatch.setattr(
        importlib.util, "find_spec", lambda name, *rest: None if name == "torch" else find(name)
    )
    with pytest.raises(ImportError, match=r'needs torch: pip install "qipai\[train\]"'):
        importlib.reload(qipai.training)
