"""Trained agents: the network's choices, its file, the agent; no torch in here."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from qipai.agents import Agent, load_agent
from qipai.agents.model import MODEL, ModelAgent, Network, NetworkAgent, load_model, save_model
from qipai.envs import load_game
from qipai.envs.game import Game
from qipai.envs.tables import Tables

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
    with pytest.raises(ValueError, match="don't fit together"):
        Network(good.weights, good.biases, good.value[:-1])


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


def test_a_bad_seed_is_refused() -> None:
    with pytest.raises(ValueError, match="seed=-1"):
        NetworkAgent(GAME, make_network(), -1)
