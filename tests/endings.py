"""How a hand can go on from a table, counted to its end: for small open deals."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from qipai.envs.game import Game
from qipai.envs.kernel import addressable, bind, kernel

if TYPE_CHECKING:
    legal: Any = None
    apply: Any = None


@kernel
def take_first(mask):
    """Clear the first 1 of ``mask`` and return its index; −1 if there is none."""
    for a in range(len(mask)):
        if mask[a] != 0:
            mask[a] = 0
            return a
    return -1


def count_to_end(nodes, masks):
    """In how many ways the hand on ``nodes[0]`` can go on, step by step, until it ends.

    ``nodes`` and ``masks`` have an entry for each decision.
    """
    count = 0
    depth = 0
    masks[0] = 0
    legal(nodes[0], masks[0])
    while depth >= 0:
        action = take_first(masks[depth])
        if action < 0:
            depth -= 1
            continue
        nodes[depth + 1] = nodes[depth]
        apply(nodes[depth + 1], action)
        if nodes[depth + 1].ended:
            count += 1
        else:
            depth += 1
            masks[depth] = 0
            legal(nodes[depth], masks[depth])
    return count


@functools.cache
def _compiled(game: Game) -> Callable[..., int]:
    return bind(count_to_end, game.name, kernel, legal=game.legal, apply=game.apply)


def count_endings(game: Game, s: np.void) -> int:
    """In how many ways the hand on the table ``s`` can go on until it ends."""
    longest = game.max_plies(game.options())
    nodes = addressable(np.zeros(longest + 1, game.state))
    nodes[0] = s
    return int(_compiled(game)(nodes, np.zeros((longest + 1, game.actions.width), np.int8)))
