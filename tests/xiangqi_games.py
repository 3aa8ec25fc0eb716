"""Playing xiangqi on a bare table, in ICCS."""

from __future__ import annotations

import numpy as np

from qipai.envs.xiangqi import GAME


def play(table: np.ndarray, moves: str) -> np.ndarray:
    """Play ``h2e2 h9g7 …`` on a table (1,) and return it."""
    for text in moves.split():
        [action] = GAME.parse_move(table[0], text)
        assert mask_of(table)[action], f"{text} is not legal"
        GAME.apply(table[0], action)
    return table


def mask_of(table: np.ndarray) -> np.ndarray:
    """Int8 (actions,): what is legal on a table (1,)."""
    mask = np.zeros(GAME.actions.width, np.int8)
    GAME.legal(table[0], mask)
    return mask
