"""The generator with a secret, by the vectors of SipHash's reference implementation."""

from __future__ import annotations

import numpy as np
import pytest

from qipai.envs.kernel import addressable, kernel
from qipai.envs.rng import RNG, draw, seed_stream, siphash


@kernel
def next_draw(rng):
    return draw(rng[0])


@kernel
def seed_fast(rng):
    seed_stream(rng[0], np.uint64(1), 0)


def number(*octets: int) -> np.uint64:
    return np.uint64(int.from_bytes(octets, "little"))


KEY, SECRET = number(*range(8)), number(*range(8, 16))  # the reference's key 00 01 … 0f


def test_eight_bytes_under_the_reference_key() -> None:
    expected = bytes.fromhex("6224939a79f5f593")
    assert siphash(KEY, SECRET, number(*range(8))) == number(*expected)


def test_draws_are_hashes_of_their_numbers() -> None:
    rng = addressable(np.array([(KEY, 41, SECRET)], RNG))
    drawn = [next_draw(rng) for _ in range(3)]
    assert drawn == [siphash(KEY, SECRET, np.uint64(count)) for count in (42, 43, 44)]


@pytest.mark.parametrize("name", ["key", "secret"])
def test_each_bit_of_both_keys_counts(name: str) -> None:
    """A changed bit changes about half of the bits drawn: 32 of 64, here within 12 of that."""
    plain = addressable(np.array([(KEY, 0, SECRET)], RNG))
    first = int(next_draw(plain))
    for bit in range(64):
        rng = addressable(np.array([(KEY, 0, SECRET)], RNG))
        rng[name] ^= np.uint64(1 << bit)
        assert 20 <= (int(next_draw(rng)) ^ first).bit_count() <= 44


def test_a_stream_from_a_seed_has_no_secret() -> None:
    rng = addressable(np.array([(KEY, 7, SECRET)], RNG))
    seed_fast(rng)
    assert rng["secret"][0] == 0 and rng["count"][0] == 0
