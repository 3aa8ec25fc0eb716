"""Trained agents: the network's choices, its file, the agent; no torch in here."""

from __future__ import annotations

import io
import json
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from qipai.agents import Agent, load_agent
from qipai.agents.agent import Weighing
from qipai.agents.model import (
    MODEL,
    ModelAgent,
    Network,
    NetworkAgent,
    game_of,
    load_model,
    save_model,
)
from qipai.envs import load_game
from qipai.envs.game import Game
from qipai.envs.tables import Tables
from tests.full_disk import fill_the_disk

GAME = load_game("doudizhu")


def make_network(game: Game = GAME, *hidden: int, seed: int = 0) -> Network:
    """A network with random weights, large enough that its choices are far from uniform."""
    rng = np.random.default_rng(seed)
    sizes = [game.observation.width, *(hidden or (13, 9)), game.actions.width]
    shapes = list(zip(sizes[1:], sizes, strict=False))
    return Network(
        [rng.normal(size=shape).astype(np.float32) for shape in shapes],
        [rng.normal(size=size).astype(np.float32) for size, _ in shapes],
        rng.normal(size=sizes[-2] + 1).astype(np.float32),
    )


def in_the_middle(n: int, steps: int = 12) -> Tables:
    tables = Tables(GAME, n, seed=3)
    for _ in range(steps):
        tables.step(tables.sample())
    return tables


def log_probabilities(network: Network, tables: Tables) -> tuple[np.ndarray, np.ndarray]:
    """The same network worked out plainly: log-probabilities (n, actions) and values (n,)."""
    row = np.sign(tables.observation) * np.log1p(np.abs(tables.observation))
    *trunk, (weights, biases) = zip(network.weights, network.biases, strict=True)
    for matrix, bias in trunk:
        row = np.maximum(row @ matrix.T + bias, 0)
    logits = np.where(tables.action_mask != 0, row @ weights.T + biases, -np.inf)
    logits -= logits.max(axis=1, keepdims=True)
    chances = logits - np.log(np.exp(logits).sum(axis=1, keepdims=True))
    return chances, row @ network.value[:-1] + network.value[-1]


# --- The network -------------------------------------------------------------------------------


@pytest.mark.parametrize("hidden", [(13, 9), (8,), (5, 16, 7)])
def test_choices_are_what_the_layers_say(hidden: tuple[int, ...]) -> None:
    network, tables = make_network(GAME, *hidden), in_the_middle(50)
    actions, chances, values = network.choose(
        tables.observation, tables.action_mask, np.full(50, -1.0)
    )
    expected, expected_values = log_probabilities(network, tables)
    assert (actions == expected.argmax(axis=1)).all()
    np.testing.assert_allclose(chances, expected.max(axis=1), atol=1e-4)
    np.testing.assert_allclose(values, expected_values, rtol=1e-4, atol=1e-3)


def test_draws_follow_the_probabilities() -> None:
    network, tables, n = make_network(), in_the_middle(1), 4000
    draws = (np.arange(n) + 0.5) / n  # evenly spread: counts are exact up to one at each border
    actions, chances, _ = network.choose(
        np.repeat(tables.observation, n, axis=0), np.repeat(tables.action_mask, n, axis=0), draws
    )
    expected = np.exp(log_probabilities(network, tables)[0][0])
    counts = np.bincount(actions, minlength=GAME.actions.width)
    np.testing.assert_allclose(counts, n * expected, atol=1.5)
    np.testing.assert_allclose(np.exp(chances), expected[actions], atol=1e-5)


def test_weights_of_all_actions_are_what_the_layers_say() -> None:
    network, tables = make_network(), in_the_middle(50)
    chances, values = network.weigh(tables.observation, tables.action_mask)
    expected, expected_values = log_probabilities(network, tables)
    np.testing.assert_allclose(chances, np.exp(expected), atol=1e-5)
    np.testing.assert_allclose(values, expected_values, rtol=1e-4, atol=1e-3)


def test_only_legal_actions_are_chosen() -> None:
    network, tables = make_network(), in_the_middle(300)
    for draw in (-1.0, 0.0, 0.5, np.nextafter(1.0, 0.0)):
        actions = network.choose(tables.observation, tables.action_mask, np.full(300, draw))[0]
        assert tables.action_mask[np.arange(300), actions].all()


def test_huge_inputs_stay_finite() -> None:
    network, tables = make_network(), in_the_middle(1)
    observation = np.full_like(tables.observation, -1e15)
    _, chances, values = network.choose(observation, tables.action_mask, np.zeros(1))
    assert np.isfinite(chances).all() and np.isfinite(values).all()


def test_layers_that_do_not_fit_are_refused() -> None:
    good = make_network()
    with pytest.raises(ValueError, match="don't fit together"):
        Network(good.weights[::-1], good.biases, good.value)
    for biases, value in (
        (good.biases, good.value[:-1]),
        (good.biases[:-1], good.value),
        ([], good.value),
        ([bias[:, None] for bias in good.biases], good.value),
    ):
        with pytest.raises(ValueError, match="don't fit together"):
            Network(good.weights, biases, value)
    with pytest.raises(ValueError, match="don't fit together"):
        Network([], [], good.value)


# --- Files -------------------------------------------------------------------------------------


def test_a_saved_network_is_loaded_equal_from_its_file_and_its_folder(tmp_path: Path) -> None:
    network = make_network()
    save_model(tmp_path / MODEL, GAME, network, steps=12)
    for path in (tmp_path, tmp_path / MODEL, str(tmp_path)):
        loaded, header = load_model(path, GAME)
        for one, two in zip(
            [*network.weights, *network.biases, network.value],
            [*loaded.weights, *loaded.biases, loaded.value],
            strict=True,
        ):
            assert (one == two).all()
        assert header["steps"] == 12 and header["game"] == "doudizhu"


def test_files_that_are_no_models_are_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"there is no model .*nowhere"):
        load_model(tmp_path / "nowhere", GAME)
    with pytest.raises(ValueError, match="there is no model"):
        load_model(tmp_path, GAME)
    (tmp_path / "text").write_text("no arrays")
    with pytest.raises(ValueError, match="cannot be read as a model"):
        load_model(tmp_path / "text", GAME)
    np.savez(tmp_path / "other.npz", one=np.zeros(3))
    with pytest.raises(ValueError, match="cannot be read as a model"):
        load_model(tmp_path / "other.npz", GAME)


def saved(path: Path, **changed: Any) -> Path:
    """A good model but for the arrays and entries of the header changed, or left out with None."""
    save_model(path, GAME, make_network())
    with np.load(path) as stored:
        arrays = dict(stored)
    header = json.loads(str(arrays["header"]))
    for name, value in changed.items():
        into = header if name in header else arrays
        into[name] = value
        if value is None:
            del into[name]
    if "header" not in changed:
        arrays["header"] = np.array(json.dumps(header))
    np.savez(path, **arrays)
    return path


@pytest.mark.parametrize(
    ("changed", "reason"),
    [
        ({"header": np.array("[1, 2]")}, "its header is no JSON object"),
        ({"header": np.array("1")}, "its header is no JSON object"),
        ({"header": np.array("{")}, "Expecting"),
        ({"header": np.array("[" * 100_000)}, ""),
        ({"header": np.zeros(3)}, ""),
        ({"format": 2}, "its format is 2, not 1"),
        ({"format": "1"}, "format='1', not of type int"),
        ({"game": None}, "game=None, not of type str"),
        ({"game": ["doudizhu"]}, "not of type str"),
        ({"version": None}, "version=None, not of type int"),
        ({"version": [0]}, "not of type int"),
        ({"value": None}, "it has no value"),
        ({"weights_1": None}, "it has no weights_1"),
        ({"biases_2": None}, "don't fit together"),
        ({"biases_x": np.zeros(3)}, "it has no weights_3"),
        ({"weights_0": np.zeros(13)}, "don't fit together"),
        ({"weights_0": np.array(1.0)}, "don't fit together"),
        ({"biases_0": np.array(1.0)}, "don't fit together"),
        ({"biases_0": np.zeros((13, 1))}, "don't fit together"),
        ({"value": np.zeros((1, 10))}, "don't fit together"),
        ({"biases_0": np.full(13, np.nan)}, "biases_0 has values that are not finite"),
        ({"biases_0": np.full(13, 1e300)}, "biases_0 has values that are not finite"),
        ({"value": np.full(10, -np.inf)}, "value has values that are not finite"),
        ({"biases_0": np.full(13, "x")}, "biases_0 is of type <U1"),
        ({"biases_0": np.full(13, 1j)}, "biases_0 is of type complex128"),
        ({"biases_0": np.array([None] * 13)}, "Object arrays cannot be loaded"),
    ],
)
def test_a_model_with_something_odd_is_refused_in_one_line(
    changed: dict[str, Any], reason: str, tmp_path: Path
) -> None:
    path = saved(tmp_path / "odd.npz", **changed)
    with pytest.raises(ValueError, match="odd.npz cannot be read as a model: ") as caught:
        load_model(path, GAME)
    assert reason in str(caught.value) and "\n" not in str(caught.value)


def test_notes_beside_what_the_header_needs_do_no_harm(tmp_path: Path) -> None:
    save_model(tmp_path / MODEL, GAME, make_network(), mood="good")
    assert load_model(tmp_path, GAME)[1]["mood"] == "good"


def test_what_claims_to_be_huge_is_not_unpacked(tmp_path: Path) -> None:
    path = saved(tmp_path / "bomb.npz")
    claimed = io.BytesIO()
    shape = {"descr": "<f4", "fortran_order": False, "shape": (10**9, 10**9)}
    np.lib.format.write_array_header_1_0(claimed, shape)
    with zipfile.ZipFile(path, "a") as archive:
        archive.writestr("more.npy", claimed.getvalue())
    with pytest.raises(ValueError, match=r"shape \(1000000000, 1000000000\) is not all there"):
        load_model(path, GAME)
    path = saved(tmp_path / "zeros.npz")
    with (
        zipfile.ZipFile(path, "a", zipfile.ZIP_DEFLATED) as archive,
        archive.open("zeros.npy", "w", force_zip64=True) as member,
    ):
        for _ in range(513):
            member.write(bytes(1 << 20))
    with pytest.raises(ValueError, match="it unpacks to more than"):
        load_model(path, GAME)


def test_a_file_cut_off_anywhere_is_refused(tmp_path: Path) -> None:
    save_model(tmp_path / MODEL, GAME, make_network())
    whole = (tmp_path / MODEL).read_bytes()
    for size in range(0, len(whole), len(whole) // 40):
        (tmp_path / MODEL).write_bytes(whole[:size])
        with pytest.raises(ValueError, match="cannot be read as a model"):
            load_model(tmp_path, GAME)


def test_a_disk_that_is_full_leaves_the_model_as_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    save_model(tmp_path / MODEL, GAME, make_network())
    before = (tmp_path / MODEL).read_bytes()
    fill_the_disk(monkeypatch)
    with pytest.raises(OSError, match="No space left on device") as caught:
        save_model(tmp_path / MODEL, GAME, make_network(seed=1))
    assert caught.value.filename == str(tmp_path / MODEL)
    assert (tmp_path / MODEL).read_bytes() == before
    assert [path.name for path in tmp_path.iterdir()] == [MODEL]


def test_a_model_of_another_game_is_refused(tmp_path: Path) -> None:
    other = load_game("five_card_stud")
    save_model(tmp_path / MODEL, other, make_network(other))
    with pytest.raises(ValueError, match=r"plays five_card_stud version \d+ .* not doudizhu"):
        load_model(tmp_path, GAME)


# --- The agent ---------------------------------------------------------------------------------


def test_the_agent_sees_what_the_tables_show(tmp_path: Path) -> None:
    network, tables = make_network(), in_the_middle(100)
    save_model(tmp_path / MODEL, GAME, network)
    agent = ModelAgent(GAME, tmp_path, greedy=True)
    assert isinstance(agent, Agent)
    actions = agent.act(tables.views(), tables.action_mask)
    expected = network.choose(tables.observation, tables.action_mask, np.full(100, -1.0))[0]
    assert (actions == expected).all()


def test_equal_seeds_give_equal_choices() -> None:
    network, tables = make_network(), in_the_middle(200)
    views, masks = tables.views(), tables.action_mask

    def choices(seed: int) -> np.ndarray:
        agent = NetworkAgent(GAME, network, seed)
        return np.concatenate([agent.act(views, masks) for _ in range(3)])

    assert (choices(5) == choices(5)).all()
    assert (choices(5) != choices(6)).any()


def test_a_model_is_loaded_by_its_spec(tmp_path: Path) -> None:
    save_model(tmp_path / "mine.npz", GAME, make_network())
    tables = in_the_middle(40)
    views, masks = tables.views(), tables.action_mask
    loaded = load_agent(f"model:{tmp_path / 'mine.npz'}", GAME, seed=4)
    expected = ModelAgent(GAME, tmp_path / "mine.npz", 4).act(views, masks)
    assert (loaded.act(views, masks) == expected).all()
    with pytest.raises(ValueError, match="there is no model"):
        load_agent("model:", GAME)


def test_weighing_a_view_leaves_the_draws_alone() -> None:
    network, tables = make_network(), in_the_middle(200)
    views, masks = tables.views(), tables.action_mask
    asked, other = NetworkAgent(GAME, network, 5), NetworkAgent(GAME, network, 5)
    assert isinstance(asked, Weighing) and not isinstance(load_agent("random", GAME), Weighing)
    chances, values = asked.weigh(views, masks)
    assert (chances == network.weigh(tables.observation, masks)[0]).all() and len(values) == 200
    assert (asked.act(views, masks) == other.act(views, masks)).all()


def test_the_game_of_a_model_is_told(tmp_path: Path) -> None:
    save_model(tmp_path / MODEL, GAME, make_network())
    assert game_of(tmp_path) is GAME
    with pytest.raises(ValueError, match="there is no model"):
        game_of(tmp_path / "none")


def test_a_bad_seed_is_refused() -> None:
    with pytest.raises(ValueError, match="seed=-1"):
        NetworkAgent(GAME, make_network(), -1)
