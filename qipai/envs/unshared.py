"""``Unshared``: threads, programs and room for work that forks and copies must not share."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any, Generic, TypeVar

T = TypeVar("T")


class Unshared(Generic[T]):
    """What ``make()`` gives, made when it is first asked for.

    A forked child makes its own, as the threads of a process don't live on in one and its pipes
    belong to both. So do copies and pickles, which carry nothing but ``make``.
    """

    def __init__(self, make: Callable[[], T]) -> None:
        self._make = make
        self._made: tuple[int, T] | None = None  # by the process of this number

    def __call__(self) -> T:
        if self._made is None or self._made[0] != os.getpid():
            self._made = os.getpid(), self._make()
        return self._made[1]

    def __reduce__(self) -> tuple[Any, ...]:
        return Unshared, (self._make,)
