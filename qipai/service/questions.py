"""What a request asks: views that can be, with somebody to act in each."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from qipai.agents.composing import HouseAgent, redealt, seen_by, whole_moves
from qipai.envs import load_game
from qipai.envs.game import Game
from qipai.envs.match import PLAYING, engine
from qipai.envs.placing import position
from qipai.envs.wire import from_wire, to_wire


@dataclass(frozen=True)
class Questions:
    """Views of one request, all of one game."""

    game: Game
    views: np.ndarray  # (n,)
    masks: np.ndarray  # int8 (n, actions)


def game_of(messages: Sequence[dict[str, Any]]) -> Game:
    """The game that all these views say they are of; ValueError if there is none."""
    names = [message.get("game") for message in messages]
    for place, name in enumerate(names):
        if name != names[0]:
            raise ValueError(
                f"view {place} is of {name!r}, view 0 of {names[0]!r}: one request, one game"
            )
    return load_game(names[0])  # type: ignore[arg-type]


async def read(game: Game, messages: Sequence[dict[str, Any]]) -> Questions:
    """The views of a request; ValueError says what in which of them can't be.

    Others get a turn between two views, which take about a millisecond each.
    """
    views = []
    for place, message in enumerate(messages):
        try:
            views.append(_read(game, message))
        except ValueError as error:
            raise ValueError(
                f"view {place}: {error}" if len(messages) > 1 else str(error)
            ) from None
        await asyncio.sleep(0)
    return _asked(game, views)


def _read(game: Game, message: dict[str, Any]) -> np.void:
    view, seat = from_wire(game, message)
    if view["ended"] or view["over"] != PLAYING:
        raise ValueError("the hand has ended: nobody is to act")
    if view["turn"] != seat:
        raise ValueError(f"turn is {message['state']['turn']}: it is not the turn of seat {seat}")
    return view


def _asked(game: Game, views: Sequence[np.void]) -> Questions:
    rows = np.array(views, game.state)
    masks = np.zeros((len(rows), game.actions.width), np.int8)
    engine(game).mask_tables(redealt(game, rows), np.arange(len(rows)), masks)
    for place in np.flatnonzero(~masks.any(axis=1)).tolist():
        raise ValueError(f"view {place}: there is no legal action, so its hand has ended")
    return Questions(game, rows, masks)


def read_trial(game: Game) -> None:
    """Read a view and let the house answer it, so that later ones find all that is compiled."""
    tables = (position(game, seed=seed) for seed in itertools.count())
    table = next(table for table in tables if not table["ended"][0])
    seat = table["turn"].astype(np.int64)
    view = _read(game, to_wire(game, seen_by(game, table, seat)[0], int(seat[0])))
    whole_moves(HouseAgent(game), game, _asked(game, [view]).views)
