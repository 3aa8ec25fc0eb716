"""The only randomness: a counter-based generator that lives in the state.

Draw number c of the stream with key k is ``mix(k ^ mix(c))``, with the 64-bit finaliser of
SplitMix64 (Steele, Lea and Flood, "Fast splittable pseudorandom number generators", 2014): fast,
but whoever sees enough draws can tell the others. Where nobody may, the generator has a ``secret``
beside its key, and draw c is SipHash-2-4 of c under both, 128 bits, a pseudorandom function made
against such attacks (Aumasson and Bernstein, "SipHash: a fast short-input PRF", 2012). Each hand
draws from a block of its own, so a hand's deal does not depend on how much earlier hands drew.
"""

from __future__ import annotations

import numpy as np

from qipai.envs.arguments import whole_number
from qipai.envs.kernel import inlined, kernel

RNG = np.dtype([("key", np.uint64), ("count", np.uint64), ("secret", np.uint64)])  # 0: none

_GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_MIX_1 = np.uint64(0xBF58476D1CE4E5B9)
_MIX_2 = np.uint64(0x94D049BB133111EB)
_U27, _U30, _U31, _U32 = np.uint64(27), np.uint64(30), np.uint64(31), np.uint64(32)
_ONE, _LOW_32 = np.uint64(1), np.uint64(0xFFFFFFFF)
_SIP = (  # "somepseudorandomlygeneratedbytes"
    np.uint64(0x736F6D6570736575),
    np.uint64(0x646F72616E646F6D),
    np.uint64(0x6C7967656E657261),
    np.uint64(0x7465646279746573),
)
_EIGHT_BYTES = np.uint64(8 << 56)  # the length of what is hashed, as its last block
_LAST = np.uint64(0xFF)
CONCEALED = np.uint64(0xFFFFFFFFFFFFFFFF)


def checked_seed(seed: int | None) -> int | None:
    """A user's seed as Python's own int, or None; ValueError for anything else."""
    right = "a seed is a non-negative integer or None"
    return None if seed is None else whole_number("seed", seed, right, low=0)


def entropy(seed: int | None) -> np.uint64:
    """64 bits from a user's seed (any non-negative integer), or fresh ones for None."""
    return np.random.SeedSequence(checked_seed(seed)).generate_state(1, np.uint64)[0]


@kernel
def mix(x):
    x = x + _GOLDEN
    x = (x ^ (x >> _U30)) * _MIX_1
    x = (x ^ (x >> _U27)) * _MIX_2
    return x ^ (x >> _U31)


@inlined
def rotate(x, bits):
    return (x << np.uint64(bits)) | (x >> np.uint64(64 - bits))


@kernel
def sip_rounds(v0, v1, v2, v3, count):
    """``count`` rounds of SipHash."""
    for _ in range(count):
        v0, v2 = v0 + v1, v2 + v3
        v1, v3 = rotate(v1, 13) ^ v0, rotate(v3, 16) ^ v2
        v0, v2 = rotate(v0, 32) + v3, v2 + v1
        v1, v3 = rotate(v1, 17) ^ v2, rotate(v3, 21) ^ v0
        v2 = rotate(v2, 32)
    return v0, v1, v2, v3


@kernel
def siphash(key, secret, count):
    """SipHash-2-4 of the eight bytes of ``count``, lowest first, under ``key`` and ``secret``."""
    v0, v1, v2, v3 = _SIP[0] ^ key, _SIP[1] ^ secret, _SIP[2] ^ key, _SIP[3] ^ secret
    v0, v1, v2, v3 = sip_rounds(v0, v1, v2, v3 ^ count, 2)
    v0, v1, v2, v3 = sip_rounds(v0 ^ count, v1, v2, v3 ^ _EIGHT_BYTES, 2)
    v0, v1, v2, v3 = sip_rounds(v0 ^ _EIGHT_BYTES, v1, v2 ^ _LAST, v3, 4)
    return v0 ^ v1 ^ v2 ^ v3


@kernel
def seed_stream(rng, bits, stream):
    """Set ``rng`` to the start of stream number ``stream`` of the entropy ``bits``."""
    rng.key = mix(bits ^ mix(np.uint64(stream)))
    rng.count = rng.secret = np.uint64(0)


@kernel
def next_block(rng):
    """Move to a fresh block of 2^32 draws."""
    rng.count = ((rng.count >> _U32) + _ONE) << _U32


@kernel
def conceal_rng(rng):
    rng.key = CONCEALED
    rng.count = CONCEALED
    rng.secret = CONCEALED


@kernel
def draw(rng):
    """The next 64 random bits."""
    rng.count = rng.count + _ONE
    if rng.secret != 0:
        return siphash(rng.key, rng.secret, rng.count)
    return mix(rng.key ^ mix(rng.count))


@kernel
def below(rng, n):
    """A uniform integer in 0…n−1, 1 ≤ n < 2^31 (Lemire 2019, without bias)."""
    size = np.uint64(n)
    product = (draw(rng) >> _U32) * size
    if (product & _LOW_32) < size:
        rejected = ((_LOW_32 - size) + _ONE) % size
        while (product & _LOW_32) < rejected:
            product = (draw(rng) >> _U32) * size
    return np.int64(product >> _U32)


@kernel
def shuffle(rng, items, n):
    """Shuffle the first ``n`` entries in place (Fisher–Yates)."""
    for i in range(n - 1, 0, -1):
        j = below(rng, i + 1)
        held = items[i]
        items[i] = items[j]
        items[j] = held
