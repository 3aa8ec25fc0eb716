"""Whole moves from a view alone: an agent's actions until another seat sees or does something.

Where a move takes several actions (a body and its kickers, chips laid one by one), nobody else sees
it before its last one. So the actions an agent takes on a redealt table are one move as long as
the views of all others stay as they were, and they are the same whatever the hidden cards are: a
step that told its seat something new would tell the others that it did.
"""

from __future__ import annotations

import numpy as np

from qipai.agents.agent import Agent
from qipai.envs.game import Game
from qipai.envs.kernel import addressable
from qipai.envs.match import PLAYING, engine
from qipai.envs.tables import illegal_action


def whole_moves(agent: Agent, game: Game, views: np.ndarray) -> list[list[int]]:
    """The actions of the move that an agent makes from each view (n,) of the seat to act.

    IllegalAction (a ValueError) if the agent plays what it may not.
    """
    loops = engine(game)
    tables = redealt(game, views)
    turns = views["turn"].astype(np.int64)
    purses = np.zeros((len(tables), game.max_seats + 1), np.int64)
    moves: list[list[int]] = [[] for _ in tables]
    where = np.arange(len(tables))
    while len(where):
        masks = np.zeros((len(tables), game.actions.width), np.int8)
        loops.mask_tables(tables, where, masks)
        actions = np.asarray(agent.act(seen_by(game, tables[where], turns[where]), masks[where]))
        for table, action in zip(where, actions.tolist(), strict=True):
            if not (0 <= action < game.actions.width and masks[table, action]):
                raise illegal_action(game, action, masks[table], "here")
            moves[table].append(action)
        before = tables.copy()
        loops.play_tables(tables, where, actions.astype(np.int64), purses)
        where = np.array([k for k in where if goes_on(game, before[k : k + 1], tables[k : k + 1])])
    return moves


class HouseAgent:
    """What the house plays for a seat that does not answer."""

    def __init__(self, game: Game) -> None:
        self.game = game

    def act(self, views: np.ndarray, masks: np.ndarray) -> np.ndarray:
        """Actions int64 (n,) for views (n,); ``masks`` are not looked at."""
        tables, actions = redealt(self.game, views), np.empty(len(views), np.int64)
        engine(self.game).default_tables(tables, np.arange(len(views)), actions)
        return actions


def redealt(game: Game, views: np.ndarray) -> np.ndarray:
    """Tables (n,) that the seats to act may be at, by their views (n,)."""
    tables = addressable(views.copy())
    engine(game).redeal_views(tables, views["turn"].astype(np.int64), np.uint64(0))
    return tables


def seen_by(game: Game, tables: np.ndarray, seats: np.ndarray) -> np.ndarray:
    """The views (n,) that ``seats`` int64 (n,) have of tables (n,)."""
    views = addressable(np.zeros(len(tables), game.state))
    engine(game).view_tables(addressable(tables), np.arange(len(tables)), seats, views)
    return views


def goes_on(game: Game, before: np.ndarray, after: np.ndarray) -> bool:
    """Whether the step between two tables (1,) was part of a move that its seat still makes."""
    turn = before["turn"][0]
    if after["over"][0] != PLAYING or after["ended"][0] or after["turn"][0] != turn:
        return False
    # Who sits alone has an empty chair beside it, if the game has one, to be looked at from.
    chairs = max(int(after["seats"][0]), min(2, game.max_seats))
    others = [seat for seat in range(chairs) if seat != turn]
    return bool(others) and all(
        _looks_alike(game, before, after, np.array([seat], np.int64)) for seat in others
    )


def _looks_alike(game: Game, before: np.ndarray, after: np.ndarray, seat: np.ndarray) -> bool:
    one, two = seen_by(game, before, seat), seen_by(game, after, seat)
    return all(np.array_equal(one[field.name], two[field.name]) for field in game.fields)
