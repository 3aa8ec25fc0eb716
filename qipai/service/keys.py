"""Keys that requests show as ``Authorization: Bearer KEY``; only their hashes are kept."""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Iterable

_SCHEME = b"bearer "


class Keys:
    """The keys that open the API; without any it is open."""

    def __init__(self, keys: Iterable[str] = ()) -> None:
        """ValueError for a key that no header can hold."""
        self._hashes = [_digest(_checked(key)) for key in keys]

    def open(self, authorization: bytes) -> bool:
        """Whether the header shows one of the keys, in a time that tells nothing of them."""
        if not self._hashes:
            return True
        if authorization[: len(_SCHEME)].lower() != _SCHEME:
            return False
        shown = _digest(authorization[len(_SCHEME) :].strip())
        return sum(hmac.compare_digest(shown, known) for known in self._hashes) > 0


def _checked(key: str) -> bytes:
    if not key.isascii() or not key.isprintable() or key.strip() != key or not key:
        raise ValueError("a key is made of ASCII letters, digits and signs, without blanks around")
    return key.encode()


def _digest(key: bytes) -> bytes:
    return hashlib.sha256(key).digest()
