"""Shares against exact fractions."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from qipai.envs.kernel import kernel
from qipai.envs.parts.shares import share


@kernel
def share_out(pool, dues, shares, first):
    share(pool, dues, shares, len(dues), first)


def shares_of(pool: int, dues: list[int], first: int = 0) -> list[int]:
    shares = np.zeros(len(dues), np.int64)
    share_out(np.int64(pool), np.array(dues, np.int64), shares, np.int64(first))
    return shares.tolist()


def by_fractions(pool: int, dues: list[int], first: int) -> list[int]:
    owed = [max(due, 0) for due in dues]
    exact = [Fraction(pool * due, sum(owed)) for due in owed]
    shares = [int(part) for part in exact]
    order = [(first + k) % len(dues) for k in range(len(dues))]
    order.sort(key=lambda seat: shares[seat] - exact[seat])
    for seat in order[: pool - sum(shares)]:
        shares[seat] += 1
    return shares


@pytest.mark.parametrize(
    ("pool", "dues", "first", "shares"),
    [
        (31, [-30, -1, 50, 10], 1, [0, 0, 26, 5]),
        (11, [8, -11, 11, -8], 1, [5, 0, 6, 0]),
        (8, [1, 1, 0, 1], 3, [3, 2, 0, 3]),
        (8, [1, 1, 0, 1], 1, [2, 3, 0, 3]),
        (0, [5, 5], 0, [0, 0]),
        (7, [0, 3, 0], 0, [0, 7, 0]),
        (10, [1, 1, 1], 2, [3, 3, 4]),
        (12, [10, 20, 30], 0, [2, 4, 6]),
    ],
)
def test_known_shares(pool: int, dues: list[int], first: int, shares: list[int]) -> None:
    assert shares_of(pool, dues, first) == shares


AMOUNTS = st.integers(-(10**6), 10**6) | st.integers(0, 10**16) | st.integers(-3, 3)


@given(
    st.lists(AMOUNTS, min_size=1, max_size=6).filter(lambda dues: max(dues) > 0),
    st.integers(0, 10**16) | st.integers(0, 20),
    st.integers(0, 5),
)
def test_shares_are_exact(dues: list[int], pool: int, first: int) -> None:
    """Also where pool × due is far beyond 64 bits."""
    first %= len(dues)
    shares = shares_of(pool, dues, first)
    assert shares == by_fractions(pool, dues, first)
    assert sum(shares) == pool
