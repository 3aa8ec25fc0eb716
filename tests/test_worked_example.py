"""The game on the page "Adding a game": complete, correct, and short."""

from __future__ import annotations

import importlib.util
import json
import re
import sys
from fractions import Fraction
from itertools import permutations, product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from pettingzoo.test import api_test

from qipai.envs.aec import TableEnv
from qipai.envs.checking import check
from qipai.envs.game import Game
from qipai.envs.kernel import addressable
from qipai.envs.match import engine, unplayed
from qipai.envs.tables import Tables
from qipai.envs.wire import dumps, loads

PAGE = Path(__file__).parents[1] / "docs" / "adding-a-game.md"
ONE = np.zeros(1, np.int64)
J, Q, K = range(3)


def code() -> str:
    found = re.search(r"<!-- kuhn -->\n```python\n(.*?)```", PAGE.read_text("utf-8"), re.DOTALL)
    assert found is not None
    return found[1]


@pytest.fixture(scope="module")
def kuhn(tmp_path_factory: pytest.TempPathFactory) -> Game:
    """The game, from a file as a reader would write it."""
    file = tmp_path_factory.mktemp("worked") / "kuhn.py"
    file.write_text(code(), encoding="utf-8")
    spec = importlib.util.spec_from_file_location("kuhn", file)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["kuhn"] = module  # where compiled code looks for it
    spec.loader.exec_module(module)
    found: Game = module.GAME
    return found


def test_it_is_short() -> None:
    assert sum(bool(line.strip()) for line in code().splitlines()) < 120


def test_it_is_a_game_of_pettingzoo(kuhn: Game) -> None:
    api_test(TableEnv(kuhn, hands=3, illegal="forfeit"), num_cycles=50)


def test_coins_add_up_and_views_hide_and_survive_json(kuhn: Game) -> None:
    tables = Tables(kuhn, 64, seed=1, hands=20, stack=(7, 30), ante=3)
    for step in range(200):
        table, seat = tables.state[step % 64], int(tables.turn[step % 64])
        (view,) = tables.views([step % 64])
        check(kuhn, table)
        check(kuhn, view, seat)
        again, owner = loads(kuhn, dumps(kuhn, view, seat))
        assert owner == seat and again["cards"].tolist() == view["cards"].tolist()
        tables.step(tables.sample())
        assert (tables.reward.sum(axis=1) == 0).all() and (tables.house == 0).all()
    message = json.loads(dumps(kuhn, tables.views()[0], int(tables.turn[0])))
    message["state"]["count"] = 9
    with pytest.raises(ValueError, match="count is 9"):
        loads(kuhn, json.dumps(message))


def value(game: Game, first: Any, second: Any) -> Fraction:
    """What the first seat wins a hand, in antes; a strategy gives the chance to bet, by the own
    card and what was done."""
    total = Fraction(0)
    for cards in permutations((J, Q, K)):
        table = unplayed(game, 1)
        blank, purse = addressable(game.fields.blank()), np.zeros((1, 3), np.int64)
        engine(game).deal_tables(table, ONE, blank, purse)
        table["cards"] = cards
        total += expected(game, table, (first, second), ())
    return total / 6


def expected(game: Game, table: np.ndarray, strategies: Any, said: tuple[int, ...]) -> Fraction:
    if table["ended"][0]:
        return Fraction(int(table["coins"][0, 0]))
    seat = int(table["turn"][0])
    bets = strategies[seat](int(table["cards"][0, seat]), said)
    found = Fraction(0)
    for action, chance in ((0, 1 - bets), (1, bets)):
        if chance:
            after = addressable(table.copy())
            purse = np.zeros((1, 3), np.int64)
            engine(game).play_tables(after, ONE, np.array([action]), purse)
            found += chance * expected(game, after, strategies, (*said, action))
    return found


def first_seat(card: int, said: tuple[int, ...]) -> Fraction:
    """Kuhn's strategy of the first seat that bets a jack in a third of the hands."""
    third = Fraction(1, 3)
    return {J: (third, 0), Q: (0, 2 * third), K: (1, 1)}[card][len(said) > 0] * Fraction(1)


def second_seat(card: int, said: tuple[int, ...]) -> Fraction:
    """His strategy of the second seat."""
    third = Fraction(1, 3)
    return {J: (third, 0), Q: (0, third), K: (1, 1)}[card][said == (1,)] * Fraction(1)


def pure(choices: tuple[int, ...], second: bool) -> Any:
    """A strategy that draws no lots: two choices for each card."""

    def strategy(card: int, said: tuple[int, ...]) -> Fraction:
        later = said == (1,) if second else len(said) > 0
        return Fraction(choices[2 * card + later])

    return strategy


def test_its_value_is_known(kuhn: Game) -> None:
    """No strategy does better against Kuhn's than −1/18 for the first seat, and 1/18 for the
    second: so that is the value of the game."""
    known = Fraction(-1, 18)
    assert value(kuhn, first_seat, second_seat) == known
    every = list(product((0, 1), repeat=6))
    assert max(value(kuhn, pure(c, False), second_seat) for c in every) == known
    assert min(value(kuhn, first_seat, pure(c, True)) for c in every) == known
