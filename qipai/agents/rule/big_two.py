"""Rule bot of big two."""

from __future__ import annotations

from qipai.envs.big_two import BODIES, SINGLE, default
from qipai.envs.kernel import kernel


@kernel
def choose(v, mask, rng):
    """The action for the view ``v`` of the seat to act."""
    for action in range(BODIES - 1, SINGLE - 1, -1):
        if mask[action]:
            return action
    return default(v)
