"""Tables and views from outside: those that can be are taken, all others are refused by name.

A kernel that is given nonsense can crash the process or never end, so whatever ``check`` lets
through is observed, redealt, played by the bots and played to the end of its hand.
"""

from __future__ import annotations

import functools
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from qipai.agents import Agent, load_agent
from qipai.envs import make
from qipai.envs.checking import check, rules_of
from qipai.envs.fields import Field
from qipai.envs.game import Game
from qipai.envs.kernel import addressable
from qipai.envs.layout import HIDDEN, NONE
from qipai.envs.match import PLAYING, encoded, engine
from qipai.envs.tables import Tables
from qipai.envs.wire import from_wire, to_wire

from .variants import variants

PLACES = 3  # of a field with many that are written into
LONGEST = 500  # steps to play on from a strange table
TRIES = 2000  # tables with two random values changed


def view_of(game: Game, tables: np.ndarray, seat: int) -> np.ndarray:
    views = addressable(np.zeros(len(tables), game.state))
    seats = np.full(len(tables), seat, np.int64)
    engine(game).view_tables(tables, np.arange(len(tables)), seats, views)
    return views


def test_all_tables_and_views_of_play_can_be(game: Game) -> None:
    """Also those of hands that have ended, and of seats that are not to act."""
    for number, options in enumerate(variants(game.name)):
        for step, table in enumerate(tables_of_play(game, [number], options)):
            check(game, table[0])
            if step % 3:
                continue
            seat = step // 3 % int(table["seats"][0])
            view = view_of(game, table, seat)[0]
            again, _ = from_wire(game, to_wire(game, view, seat))  # checks what it has read
            for field in game.fields:
                assert (again[field.name] == view[field.name]).all(), field.name


def tables_of_play(game: Game, key: list[int], options: dict[str, Any]) -> Iterator[np.ndarray]:
    """Tables (1,) of three matches at every decision and every hand's end; a seat leaves each."""
    env = Kept(game, **options)
    for seed in range(3):
        env.reset(seed=seed)
        draws = np.random.default_rng([*key, seed])
        for step in range(60):
            yield from env.taken()
            if any(env.terminations.values()) or any(env.truncations.values()):
                break
            if step == 40 and env.seats > 1:
                env.leave(env.possible_agents[int(draws.integers(env.seats))])
                continue
            legal = np.flatnonzero(env.observe(env.agent_selection)["action_mask"])
            env.step(int(draws.choice(legal)))


class Kept(type(make("doudizhu"))):  # type: ignore[misc]
    """A table of which copies are kept at every hand's end."""

    def hand_report(self) -> dict[str, Any]:
        self.ends = [*getattr(self, "ends", []), addressable(self._table.copy())]
        report: dict[str, Any] = super().hand_report()
        return report

    def taken(self) -> list[np.ndarray]:
        """The ends of hands since the last call, and the table now."""
        ends, self.ends = getattr(self, "ends", []), []
        return [*ends, addressable(self._table.copy())]


def places_of(field: Field, draws: np.random.Generator) -> list[tuple[int, ...]]:
    """Some places of a field, the first and the last among them."""
    every = list(np.ndindex(field.shape))
    if len(every) <= PLACES:
        return every
    inner = draws.choice(len(every) - 2, PLACES - 2, replace=False) + 1
    return [every[0], every[-1], *(every[i] for i in inner)]


def extremes(field: Field, record: np.void) -> Iterator[int]:
    """The least and the greatest a field can store, its bounds, those beyond, and the markers."""
    high = field.high(record) if callable(field.high) else field.high
    low, (lowest, highest) = field.low, limits(field)
    wanted = {lowest, highest, low, low - 1, low + 1, high, high - 1, high + 1, HIDDEN, NONE}
    yield from sorted(int(value) for value in wanted if lowest <= value <= highest)


def limits(field: Field) -> tuple[int, int]:
    """The least and the greatest a field can store."""
    dtype = np.dtype(field.dtype)
    return (0, 1) if dtype == np.bool_ else (np.iinfo(dtype).min, np.iinfo(dtype).max)


def use(game: Game, taken: list[tuple[np.void, int]], draws: np.random.Generator) -> None:
    """Whatever is done with tables and views that were taken, each from a seat's side."""
    loops, n = engine(game), len(taken)
    views = addressable(np.array([record for record, _ in taken], game.state))
    seats = np.array([seat for _, seat in taken], np.int64)
    encoded(game, views, seats)
    purses = np.zeros((n, game.max_seats + 1), np.int64)
    for i, (record, seat) in enumerate(taken):
        game.scene(record, seat)
        if record["ended"]:
            game.report(record)
            if record["over"] == PLAYING:
                blank = addressable(game.blank(rules_of(game, record)))
                loops.deal_tables(views, np.array([i]), blank, purses)
    going = np.flatnonzero(views["over"] == PLAYING)
    masks = np.zeros((n, game.actions.width), np.int8)
    loops.mask_tables(views, going[views["turn"][going] == seats[going]], masks)
    asked = masks.any(axis=1)
    rule, search = agents_of(game)
    rule.act(views[asked], masks[asked])
    search.act(views[asked][::3], masks[asked][::3])
    loops.redeal_views(views, seats, np.uint64(1))
    loops.default_tables(views, going, np.zeros(n, np.int64))
    for _ in range(LONGEST):
        loops.mask_tables(views, going, masks)
        going = going[~views["ended"][going] & masks[going].any(axis=1)]
        actions = (masks[going] * draws.random((len(going), game.actions.width))).argmax(axis=1)
        loops.play_tables(views, going, actions, purses)


@functools.cache
def agents_of(game: Game) -> tuple[Agent, Agent]:
    return load_agent("rule", game), load_agent("search:8", game)


@pytest.mark.parametrize("steps", [2, 25])
def test_every_extreme_in_every_field_is_refused_or_harmless(game: Game, steps: int) -> None:
    draws = np.random.default_rng(steps)
    for options in variants(game.name)[:2]:
        tables = Tables(game, 1, seed=steps, **options)
        for _ in range(steps):
            tables.step(tables.sample())
        table, turn = tables.state[0], int(tables.turn[0])
        taken = []
        for record, seat in ((table, None), (tables.views()[0], turn)):
            for field in game.fields:
                for place in places_of(field, draws):
                    for value in extremes(field, record):
                        strange = np.array([record], game.state)
                        if strange[field.name][(0, *place)] == value:
                            continue
                        strange[field.name][(0, *place)] = value
                        written = np.asarray(strange[0][field.name])
                        fault = field.fault(written, record, seat is not None)
                        try:
                            check(game, strange[0], seat)
                        except ValueError as error:
                            assert not fault or field.name in str(error)
                        else:
                            assert not fault, (field.name, place, value)
                            taken.append((strange[0], turn))
        use(game, taken, draws)


@pytest.mark.slow
def test_no_extreme_leads_a_kernel_out_of_its_arrays(game: Game, tmp_path: Path) -> None:
    """The test before once more, in a process that checks every index."""
    test = test_every_extreme_in_every_field_is_refused_or_harmless.__name__
    run = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", f"{__file__}::{test}", "-k", game.name],
        env={**os.environ, "NUMBA_BOUNDSCHECK": "1", "QIPAI_CACHE_DIR": str(tmp_path)},
        capture_output=True,
        text=True,
    )
    assert run.returncode == 0, run.stdout + run.stderr


def any_value(field: Field, record: np.void, others: np.ndarray, draws: np.random.Generator) -> int:
    """An extreme of a field, a small number, or what the field holds elsewhere."""
    small = draws.integers(0, min(8, limits(field)[1] + 1), 2)
    wanted = [*extremes(field, record), *small, *draws.choice(others.ravel(), 6)]
    return int(wanted[draws.integers(len(wanted))])


@pytest.mark.slow
def test_any_two_values_changed_are_refused_or_harmless(game: Game) -> None:
    draws = np.random.default_rng(1)
    fields = list(game.fields)
    for number, options in enumerate(variants(game.name)):
        tables, taken = np.concatenate(list(tables_of_play(game, [number], options))), []
        for _ in range(TRIES // len(variants(game.name))):
            table, seat = tables[draws.integers(len(tables), size=1)], None
            if draws.integers(2):
                seat = int(draws.integers(table["seats"][0]))
                table = view_of(game, addressable(table), seat)
            strange = table.copy()
            for i in draws.choice(len(fields), 2):
                place = tuple(int(draws.integers(size)) for size in fields[i].shape)
                value = any_value(fields[i], table[0], tables[fields[i].name], draws)
                strange[fields[i].name][(0, *place)] = value
            try:
                check(game, strange[0], seat)
            except ValueError:
                continue
            turn = int(strange["turn"][0])
            taken.append((strange[0], turn if seat is None else seat))
        use(game, taken, draws)
