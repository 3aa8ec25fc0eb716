"""What a window shows, and whose cards it never shows."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import gymnasium
import numpy as np
import pytest
from pettingzoo.test import render_test

from qipai.envs import load_game, make, make_solo
from qipai.envs.aec import TableEnv
from qipai.envs.drawing import render
from qipai.envs.game import Game
from qipai.envs.scene import Scene


class FakeWindow:
    """A window for a machine without a display."""

    open = True

    def show(self, frame: np.ndarray, title: str) -> None: ...

    def close(self) -> None:
        self.open = False


@pytest.fixture
def shown(monkeypatch: pytest.MonkeyPatch) -> list[Scene]:
    """The scenes that were put into the window, without a display."""
    scenes: list[Scene] = []
    monkeypatch.setattr(render, "Window", FakeWindow)
    monkeypatch.setattr(render, "_window", None)
    monkeypatch.setattr(render, "show", scenes.append)
    return scenes


@pytest.fixture
def no_display(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse() -> None:
        raise RuntimeError("no display to open a window on")

    monkeypatch.setattr(render, "Window", refuse)
    monkeypatch.setattr(render, "_window", None)


def first_legal(env: Any) -> int:
    return int(np.flatnonzero(env.action_masks())[0])


@pytest.mark.parametrize("seat", [0, -1, None])
def test_one_seat_sees_itself_alone(game: Game, seat: int | None, shown: list[Scene]) -> None:
    """After every reset and step, whoever has moved in between, and to the end of the match."""
    seat = make(game.name).seats - 1 if seat == -1 else seat
    env = make_solo(game.name, opponents="random", seat=seat, hands=2, render_mode="human")
    assert not shown
    for seed in range(3):
        env.reset(seed=seed)
        for step in range(40):
            assert len(shown) == step + 1
            assert shown[-1].seat == env.seat
            assert shown[-1] == env.table.scene(env.agent)
            env.render()
            assert shown.pop() == shown[-1]
            *_, ended, cut_off, _ = env.step(first_legal(env))
            if ended or cut_off:
                assert shown[-1].over
                break
        assert {scene.seat for scene in shown} == {env.seat}
        shown.clear()


@pytest.mark.parametrize("mode", ["ansi", "rgb_array"])
def test_one_seat_draws_itself_on_demand(game: Game, mode: str) -> None:
    env = make_solo(game.name, opponents="random", hands=1, render_mode=mode)
    with pytest.raises(ValueError, match="call reset first"):
        env.render()
    env.reset(seed=1)
    own = render.draw(env.table.scene(env.agent), mode)
    assert np.array_equal(env.render(), own)
    env.step(first_legal(env))
    assert np.array_equal(env.render(), render.draw(env.table.scene(env.agent), mode))
    with pytest.raises(ValueError, match="render_mode=ansi or rgb_array or human"):
        env.table.render()  # it would draw for the seat to act


def test_a_table_shows_who_is_to_act_after_every_change(game: Game, shown: list[Scene]) -> None:
    env, other = (make(game.name, hands=2, render_mode="human") for _ in range(2))
    env.reset(seed=1)
    for changes in range(1, 9):
        assert len(shown) == changes
        assert shown[-1] == env.scene(env.agent_selection)
        if any(env.terminations.values()):
            break
        env.step(env.default_action())
    env.reset(seed=1)
    before = len(shown)
    other.load(env.save())
    other.place(env.table())
    env.leave(env.agent_selection)
    assert len(shown) == before + 3
    for twin in (env.clone(), copy.deepcopy(env), pickle.loads(pickle.dumps(env))):
        assert twin.save() == env.save()
    assert len(shown) == before + 3


def test_a_spectator_is_shown_everything(game: Game, shown: list[Scene]) -> None:
    env = make(game.name, render_mode="human", spectator=True)
    env.reset(seed=1)
    env.step(env.default_action())
    assert [scene.seat for scene in shown] == [None, None]


@pytest.mark.usefixtures("shown")
def test_pettingzoo_checks_the_drawing(name: str) -> None:
    render_test(lambda render_mode: make(name, render_mode=render_mode))


def test_registered_environments_show_one_seat(name: str, shown: list[Scene]) -> None:
    env = gymnasium.make(load_game(name).id, opponents="random", seat=0, render_mode="human")
    env.reset(seed=1)
    assert [scene.seat for scene in shown] == [0]


@pytest.mark.usefixtures("no_display")
def test_without_a_display_nothing_is_begun() -> None:
    for begin in (make, make_solo):
        with pytest.raises(RuntimeError, match="no display"):
            begin("five_card_stud", render_mode="human")
        begin("five_card_stud", render_mode="ansi")


def test_without_pillow_nothing_is_begun(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse() -> None:
        raise ImportError("a picture needs Pillow")

    monkeypatch.setattr(render, "_painter", refuse)
    for begin in (make, make_solo):
        for mode in ("rgb_array", "human"):
            with pytest.raises(ImportError, match="needs Pillow"):
                begin("five_card_stud", render_mode=mode)


def test_closing_an_environment_closes_its_window(shown: list[Scene]) -> None:
    for begin in (make, make_solo):
        begin("five_card_stud", render_mode="ansi").close()
        env: TableEnv = begin("five_card_stud", render_mode="human")
        window = render._window
        assert window is not None and window.open
        begin("five_card_stud").close()
        assert window.open
        env.close()
        assert not window.open
        env.close()
        env.reset(seed=1)
        env.close()
