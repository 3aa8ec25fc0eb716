"""The random agent: every legal action is equally likely."""

from __future__ import annotations

import numpy as np

from qipai.envs.kernel import addressable, kernel
from qipai.envs.rng import RNG, below, draw, entropy, seed_stream


@kernel
def choose_uniformly(masks, rng, actions):
    """A legal action for each row of ``masks``; −1 where there is none."""
    for k in range(len(masks)):
        count = 0
        for a in range(masks.shape[1]):
            count += masks[k, a] != 0
        actions[k] = -1
        left = below(rng[0], count) if count > 0 else 0
        for a in range(masks.shape[1]):
            if masks[k, a] != 0:
                if left == 0:
                    actions[k] = a
                    break
                left -= 1


@kernel
def seed_one(rng, bits):
    """Seed the generator ``rng`` (1,)."""
    seed_stream(rng[0], bits, 0)


@kernel
def draw_bits(rng):
    """64 random bits from ``rng`` (1,)."""
    return draw(rng[0])


class RandomAgent:
    """Picks uniformly among the legal actions; equal seeds give equal choices."""

    def __init__(self, seed: int | None = 0) -> None:
        self._rng = addressable(np.zeros(1, RNG))
        seed_one(self._rng, entropy(seed))

    def act(self, views: np.ndarray, masks: np.ndarray) -> np.ndarray:
        """Actions int64 (n,) for ``masks`` int8 (n, actions); ``views`` are not looked at."""
        actions = np.empty(len(masks), np.int64)
        choose_uniformly(np.ascontiguousarray(masks), self._rng, actions)
        return actions
