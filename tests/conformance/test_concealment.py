"""What a seat sees while others are asked in secret depends neither on their cards nor answers."""

from __future__ import annotations

import numpy as np
import pytest

from qipai.envs.game import Game
from qipai.envs.kernel import addressable
from qipai.envs.layout import HIDDEN
from qipai.envs.match import engine
from qipai.envs.tables import Tables
from tests.records import values_of

from .variants import SECRETS, variants

N = 16
STEPS = 60


class Worlds:
    """Tables of one game that are played on side by side, without new deals."""

    def __init__(self, game: Game, state: np.ndarray) -> None:
        self.game, self.loops = game, engine(game)
        self.state = addressable(state.copy())
        self.every = np.arange(len(state))

    @property
    def mask(self) -> np.ndarray:
        mask = np.zeros((len(self.every), self.game.actions.width), np.int8)
        self.loops.mask_tables(self.state, self.every, mask)
        return mask

    def play(self, actions: np.ndarray, where: np.ndarray) -> None:
        """The actions, one for each table, on the tables ``where``."""
        purses = np.zeros((len(self.every), self.game.max_seats + 1), np.int64)
        self.loops.play_tables(self.state, where, actions[where], purses)

    def views(self, seat: int) -> np.ndarray:
        views = addressable(np.zeros(len(self.every), self.game.state))
        self.loops.view_tables(self.state, self.every, np.full(len(self.every), seat), views)
        return views

    def redealt(self, seat: int, bits: int) -> Worlds:
        """As they may be as far as a seat can tell."""
        views = self.views(seat)
        self.loops.redeal_views(views, np.full(len(views), seat), np.uint64(bits))
        return Worlds(self.game, views)

    @property
    def asked(self) -> list[tuple[int, ...] | None]:
        """What is asked in secret at each table; None: nothing, or the hand has ended."""
        secret = SECRETS.get(self.game.name, lambda s: None)
        return [None if s["ended"] else secret(s) for s in self.state]

    def pass_on(self, seat: int) -> None:
        """All seats but this one pass until nothing is asked in secret."""
        passing = self.game.parse("pass")
        while True:
            able = (self.state["turn"] != seat) & (self.mask[:, passing] > 0)
            where = np.flatnonzero(able & [question is not None for question in self.asked])
            if not len(where):
                return
            self.play(np.full(len(self.every), passing), where)


def alike(one: np.void, two: np.void, *left_out: str) -> None:
    """Two views are equal, and what is hidden in one is hidden in the other."""
    assert values_of(one, *left_out) == values_of(two, *left_out), [
        f for f in one.dtype.names or () if f not in left_out and (one[f] != two[f]).any()
    ]
    if "turn" not in left_out:
        assert (one["turn"] == HIDDEN) == (two["turn"] == HIDDEN)


def frames(worlds: Worlds, seat: int, chance: np.random.Generator) -> list[list[bytes]]:
    """The different views a seat has one after the other while the question stays the same and it
    is not asked itself; others answer at random. The last may be the one in which it is asked."""
    asked = worlds.asked
    seen: list[list[bytes]] = [[] for _ in asked]
    where = [k for k in worlds.every if asked[k] is not None]
    while where:
        views = worlds.views(seat)
        for k in where:
            frame = values_of(views[k])
            if frame not in seen[k][-1:]:
                seen[k].append(frame)
        where = [k for k in where if worlds.state["turn"][k] != seat]
        mask, actions = worlds.mask, np.zeros(len(asked), np.int64)
        for k in where:
            actions[k] = chance.choice(np.flatnonzero(mask[k]))
        worlds.play(actions, np.array(where, np.int64))
        where = [k for k in where if worlds.asked[k] == asked[k]]
    return seen


def test_answers_in_secret_are_not_seen(game: Game) -> None:
    """Whatever others hold and answer, a seat gets the same frames, and none for each answer."""
    chance = np.random.default_rng(31)
    longest = 0
    for options in variants(game.name):
        tables = Tables(game, N, seed=31, **options)
        for step in range(STEPS):
            seat = step % tables.seats
            here = Worlds(game, tables.state)
            there = here.redealt(seat, step)
            for one, two in zip(*(frames(w, seat, chance) for w in (here, there)), strict=True):
                assert one[: len(two)] == two[: len(one)]
                longest = max(longest, len(one))
            tables.step(tables.sample())
    assert (longest > 0) == (game.name in SECRETS)


@pytest.mark.parametrize("name", ["tuidaohu", "zui_mahjong"])
def test_nobody_is_told_who_could_answer(game: Game) -> None:
    """Where only those who can answer are asked, others don't see whether there were such, neither
    while they are asked nor once they have passed."""
    for number, options in enumerate(variants(game.name)):
        tables = Tables(game, N, seed=32, **options)
        for step in range(STEPS):
            actions, seat = tables.sample(), step % tables.seats
            here = Worlds(game, tables.state)
            there = here.redealt(seat, 1000 * number + step)
            same = here.state["turn"] == there.state["turn"]
            where = np.flatnonzero(same & (there.mask[there.every, actions] > 0))
            for worlds in (here, there):
                worlds.play(actions, where)
            for k in where:
                idle = seat not in (here.state["turn"][k], there.state["turn"][k])
                if idle and here.asked[k] and here.asked[k] == there.asked[k]:
                    alike(here.views(seat)[k], there.views(seat)[k])
            asked = [k for k in where if here.asked[k] != there.asked[k]]
            for worlds in (here, there):
                worlds.pass_on(seat)
            for k in asked:
                own = ("tiles", "drawn") if here.state["turn"][k] == seat else ()  # its next tile
                alike(here.views(seat)[k], there.views(seat)[k], *own)
            tables.step(actions)
