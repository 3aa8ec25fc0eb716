"""Seeds for the parts of a run: streams with different names have nothing in common."""

from __future__ import annotations

import zlib

import numpy as np

from qipai.envs.rng import checked_seed


def derive(seed: int, *purpose: str | int) -> int:
    """A seed below 2^32 for one purpose of a run, named by texts and non-negative numbers.

    ValueError if ``seed`` is no seed.
    """
    path = [zlib.crc32(part.encode()) if isinstance(part, str) else part for part in purpose]
    return int(np.random.SeedSequence(checked_seed(seed), spawn_key=path).generate_state(1)[0])
