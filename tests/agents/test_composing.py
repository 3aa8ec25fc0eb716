"""Whole moves made from a view are those made at the table itself."""

from __future__ import annotations

import zlib

import numpy as np
import pytest

from qipai.agents.composing import HouseAgent, goes_on, seen_by, whole_moves
from qipai.envs import load_game, make_tables
from qipai.envs.game import Game
from qipai.envs.kernel import addressable
from qipai.envs.match import engine
from qipai.envs.tables import IllegalAction
from tests.conformance.variants import variants
from tests.records import values_of


class BySight:
    """Plays an action that follows from all that the seat sees, and from nothing else."""

    def act(self, views: np.ndarray, masks: np.ndarray) -> np.ndarray:
        seen = [zlib.crc32(values_of(view, "rng")) for view in views]
        legal = [np.flatnonzero(mask) for mask in masks]
        return np.array([a[s % len(a)] for a, s in zip(legal, seen, strict=True)], np.int64)


def move_at(game: Game, table: np.ndarray) -> list[int]:
    """The move made at a full table (1,), which is played on."""
    seat, where = table["turn"].astype(np.int64), np.zeros(1, np.int64)
    move: list[int] = []
    while True:
        mask, before = np.zeros((1, game.actions.width), np.int8), table.copy()
        engine(game).mask_tables(table, where, mask)
        move.append(int(BySight().act(seen_by(game, table, seat), mask)[0]))
        purse = np.zeros((1, game.max_seats + 1), np.int64)
        engine(game).play_tables(table, where, np.array(move[-1:]), purse)
        if not goes_on(game, before, table):
            return move


def test_moves_from_views_are_those_of_the_table(game: Game) -> None:
    for options in variants(game.name):
        tables = make_tables(game.name, 12, seed=5, **options)
        for _ in range(20):
            expected = [move_at(game, addressable(t[None].copy())) for t in tables.state]
            assert whole_moves(BySight(), game, tables.views()) == expected
            tables.step(tables.sample())


def longest_move(name: str) -> list[int]:
    tables = make_tables(name, 200, seed=1)
    moves = []
    for _ in range(12):
        moves += whole_moves(BySight(), tables.game, tables.views())
        tables.step(tables.sample())
    return max(moves, key=len)


def test_the_house_plays_from_a_view_what_it_plays_at_the_table(game: Game) -> None:
    for options in variants(game.name):
        tables = make_tables(game.name, 12, seed=7, **options)
        for _ in range(20):
            expected = np.empty(tables.n, np.int64)
            engine(game).default_tables(tables.state, np.arange(tables.n), expected)
            house = HouseAgent(game).act(tables.views(), tables.action_mask)
            assert (house == expected).all()
            tables.step(tables.sample())


def test_a_move_goes_on_until_others_see_it() -> None:
    assert len(longest_move("doudizhu")) > 2  # a body and several kickers
    assert len(longest_move("five_card_stud")) == 1


def test_an_illegal_action_is_named() -> None:
    class Last:
        def act(self, views: np.ndarray, masks: np.ndarray) -> np.ndarray:
            return np.full(len(views), masks.shape[1])

    game = load_game("five_card_stud")
    with pytest.raises(IllegalAction, match="no such id"):
        whole_moves(Last(), game, make_tables(game.name, 1, seed=1).views())
