"""Where the cards of a hosted hand come from, and how a seat can check afterwards that they did.

A hand has a secret of 32 bytes from the operating system. Its SHA-256 commitment is told before the
deal, the secret after the hand. All randomness of the hand is drawn by SipHash-2-4 (envs/rng.py)
under a key of 128 bits that SHA-256 makes of the secret. Who tells from what was seen which card
comes next has told SipHash under a random key from random bits, or SHA-256's output for a secret
nobody knows; no better way than to try all keys is known for either.
"""

from __future__ import annotations

import hashlib
import secrets

import numpy as np

SECRET_BYTES = 32


def fresh_secret() -> bytes:
    """A secret for one hand, from the operating system's random source."""
    return secrets.token_bytes(SECRET_BYTES)


def commitment(table: str, hand: int, secret: bytes) -> str:
    """What is told of a secret before the deal: SHA-256 of table, hand and secret, in hexadecimal.

    The bytes hashed are ``table/hand/`` in UTF-8 and the secret after it.
    """
    return hashlib.sha256(f"{table}/{hand}/".encode() + secret).hexdigest()


def generator_key(secret: bytes) -> tuple[np.uint64, np.uint64]:
    """``key`` and ``secret`` of the generator that deals the hand."""
    derived = hashlib.sha256(b"deal/" + secret).digest()
    key, hidden = np.frombuffer(derived, "<u8", 2).tolist()
    return np.uint64(key), np.uint64(hidden or 1)  # 0 would mean that there is none


def bot_seed(secret: bytes, decision: int) -> int:
    """The seed of a bot for one decision of the hand; it says nothing of the cards."""
    derived = hashlib.sha256(f"bot/{decision}/".encode() + secret).digest()
    return int.from_bytes(derived[:8], "little")
