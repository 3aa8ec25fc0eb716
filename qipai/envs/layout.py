"""Named ranges: the action ids of a game and the entries of its observation.

Widths are summed, never typed. A game adds its actions in order and keeps the first id of each
range under a name of its own; the entries of an observation have the names of its ranges::

    ACTIONS = Actions()
    PASS = ACTIONS.add("pass", ["pass"], "another seat's move is on the table")
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod

import numpy as np

from qipai.envs.kernel import addressable, inlined, write_row

HIDDEN = -1  # in a view: a value the seat cannot see
NONE = -2  # in a state: no seat, no card, no action, not yet


@dataclass(frozen=True)
class ActionRange:
    name: str
    start: int
    names: tuple[str, ...]
    legal_when: str


class Actions:
    """The action ids of a game, range by range; every id has a name that parses back to it."""

    def __init__(self) -> None:
        self.ranges: list[ActionRange] = []
        self.names: list[str] = []
        self._ids: dict[str, int] = {}

    @property
    def width(self) -> int:
        return len(self.names)

    def add(self, name: str, names: Sequence[str], legal_when: str) -> np.int64:
        """Append a range with one id per name; returns the first id.

        An int64, so that adding an int8 field to it does not overflow in plain Python.
        """
        start = self.width
        self.ranges.append(ActionRange(name, start, tuple(names), legal_when))
        for action_name in names:
            if action_name in self._ids:
                raise ValueError(f"two actions are called {action_name!r}")
            self._ids[action_name] = self.width
            self.names.append(action_name)
        return np.int64(start)

    def name(self, action: int | np.integer) -> str:
        """The name of an action id; ValueError if there is none such."""
        if not 0 <= action < self.width:
            raise ValueError(f"action {action} does not exist; ids are 0…{self.width - 1}")
        return self.names[action]

    def parse(self, name: str) -> int:
        """The action id with this name; ValueError if there is none."""
        try:
            return self._ids[name]
        except KeyError:
            raise ValueError(f"no action is called {name!r}") from None


class Range:
    """Entries of an observation: ``shape`` numbers under one name, from entry ``start`` on.

    In a kernel ``o.name`` is an array of that shape, or a number where there is one entry.
    """

    def __init__(
        self, name: str, shape: int | tuple[int, ...], meaning: str, seen_by: str = "all"
    ) -> None:
        self.name = name
        self.shape = (shape,) if isinstance(shape, int) else shape
        self.meaning = meaning
        self.seen_by = seen_by
        self.start = 0  # set by the observation it is part of

    @property
    def stop(self) -> int:
        return self.start + prod(self.shape)


def hand_range() -> Range:
    """The range that every observation has: the engine fills it."""
    return Range("hand", 2, "number of the hand from 0, hands still to come")


class Observation:
    """The entries of an observation vector, range by range.

    A kernel sees the vector as a record of float32 fields, ``dtype``, and the mask beside it as one
    of int8 fields of the same names, ``known``.
    """

    def __init__(self, *ranges: Range) -> None:
        self.ranges = ranges
        names = [r.name for r in ranges]
        for name in names:
            if names.count(name) > 1:
                raise ValueError(f"two observation ranges are called {name!r}")
            if hasattr(np.record, name):
                raise ValueError(f"a range cannot be called {name!r}: records have that attribute")
        self.width = 0
        for r in ranges:
            r.start = self.width
            self.width = r.stop
        self.dtype = self._record(np.float32)
        self.known = self._record(np.int8)  # numba knows no bool arrays in records

    def _record(self, kind: type) -> np.dtype:
        return np.dtype([(r.name, kind, r.shape if r.shape != (1,) else ()) for r in self.ranges])

    def records(self, values: np.ndarray, visible: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The same memory as records (n,) for kernels: ``values`` float32 and ``visible`` bool,
        both (n, width)."""
        return (
            addressable(values.view(self.dtype)[:, 0]),
            addressable(visible.view(self.known)[:, 0]),
        )

    def split(self, values: np.ndarray) -> dict[str, np.ndarray]:
        """Named views of ``values (…, width)``, each ``(…, *shape)``; nothing is copied."""
        if values.shape[-1] != self.width:
            raise ValueError(
                f"the last axis has {values.shape[-1]} entries, an observation {self.width}"
            )
        return {
            r.name: values[..., r.start : r.stop].reshape(*values.shape[:-1], *r.shape)
            for r in self.ranges
        }


@inlined
def put_row(out, known, row, n):
    """Write n entries of an int8 row, n a constant; where it is HIDDEN they are 0 and not known."""
    write_row(out, known, row, n, HIDDEN)


@inlined
def copy_row(out, row, n):
    """Write n entries of an int8 row that nobody hides; n a constant. Whether any is not 0."""
    return write_row(out, None, row, n, HIDDEN)


@inlined
def put_one_of(out, known, n, x):
    """Flag x in 0…n−1; HIDDEN marks all n entries unknown, NONE leaves all 0."""
    if x >= 0:
        out[x] = 1
    elif x == HIDDEN:
        for k in range(n):
            known[k] = 0


@inlined
def put_seat(out, seat, other, seats):
    """Flag seat ``other`` of ``seats`` by its place after the own one; NONE leaves all flags 0.

    ``out`` has as many entries as the game has seats at most.
    """
    if other >= seat:
        out[other - seat] = 1
    elif other >= 0:
        out[other - seat + seats] = 1
