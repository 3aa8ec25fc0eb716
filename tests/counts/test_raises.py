"""Raises on offer against their definition, for all small levels and for large ones."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import numpy as np
import pytest

from qipai.envs.kernel import kernel
from qipai.envs.parts.raises import RAISES, raise_to

LARGE = 10**15


@kernel
def write_levels(level, smallest, highest, levels):
    for k in range(len(levels)):
        levels[k] = raise_to(k, level, smallest, highest)


def levels_of(level: int, smallest: int, highest: int) -> list[int]:
    levels = np.zeros(RAISES, np.int64)
    write_levels(np.int64(level), np.int64(smallest), np.int64(highest), levels)
    return levels.tolist()


@pytest.mark.parametrize(
    ("level", "smallest", "highest", "levels"),
    [
        (0, 10, 122, [10, 30, 61, 91, 122]),
        (0, 10, 68, [10, 17, 34, 51, 68]),
        (122, 10, 172, [132, 0, 0, 0, 172]),  # three quarters of 172 are too small a raise
        (0, 10, 40, [10, 0, 20, 30, 40]),  # a quarter is the smallest raise itself
        (46, 10, 48, [0, 0, 0, 0, 48]),  # smaller than the smallest, but all there is
        (48, 10, 48, [0, 0, 0, 0, 0]),
        (0, 10, 0, [0, 0, 0, 0, 0]),
        (0, 1, LARGE, [1, LARGE // 4, LARGE // 2, 3 * LARGE // 4, LARGE]),
    ],
)
def test_known_levels(level: int, smallest: int, highest: int, levels: list[int]) -> None:
    assert levels_of(level, smallest, highest) == levels


def test_small_levels() -> None:
    """None is too small or too large, none comes twice, and none is missing."""
    for level, smallest, highest in product(range(30), range(1, 8), range(30)):
        levels = levels_of(level, smallest, highest)
        offered = [to for to in levels if to > 0]
        assert offered == sorted(set(offered))
        assert all(level + smallest <= to < highest or to == highest for to in offered)
        assert (levels[-1] > 0) == (level < highest)
        parts = {int(Fraction(k, 4) * highest) for k in (1, 2, 3)} | {level + smallest}
        assert set(offered) - {highest} == {
            part for part in parts if level + smallest <= part < highest
        }
