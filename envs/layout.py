"""Named ranges: the action ids of a game and the entries of its observation.

A game adds its ranges in order and keeps the returned offset under a name of its own, so widths are
summed and never typed::

    ACTIONS = Actions()
    PASS = ACTIONS.add("pass", ["pass"], "another seat's move is on the table")
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod

import numpy as np

from qipai.envs.kernel import inlined, write_row

HIDDEN = -1  # in a view: a value the seat cannot see
NOBODY = -2  # in a state: no seat, no card, not yet


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


@dataclass(frozen=True)
class ObservationRange:
    name: str
    start: int
    shape: tuple[int, ...]
    meaning: str
    seen_by: str

    @property
    def stop(self) -> int:
        return self.start + prod(self.shape)


class Observation:
    """The entries of an observation vector, range by range."""

    def __init__(self) -> None:
        self.ranges: list[ObservationRange] = []
        self.width = 0

    def add(
        self, name: str, shape: int | tuple[int, ...], meaning: str, seen_by: str = "all"
    ) -> np.int64:
        """Append a range of the given shape; returns the index of its first entry, an int64."""
        if any(r.name == name for r in self.ranges):
            raise ValueError(f"two observation ranges are called {name!r}")
        start = self.width
        dims = (shape,) if isinstance(shape, int) else shape
        self.ranges.append(ObservationRange(name, start, dims, meaning, seen_by))
        self.width += prod(dims)
        return np.int64(start)

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
def put(values, visible, at, x):
    """Write x at entry ``at``, or mark the entry unknown if x is HIDDEN."""
    if x == HIDDEN:
        visible[at] = False
    else:
        values[at] = x


@inlined
def put_row(values, visible, at, row, n):
    """``put`` n entries of an int8 row; n a constant."""
    write_row(values, visible, at, row, n, HIDDEN)


@inlined
def copy_row(values, at, row, n):
    """Write n entries of an int8 row that nobody hides; n a constant. Whether any is not 0."""
    return write_row(values, None, at, row, n, HIDDEN)


@inlined
def put_one_of(values, visible, at, n, x):
    """Write x in 0…n−1 as n flags; HIDDEN marks all unknown, NOBODY leaves all 0."""
    if x >= 0:
        values[at + x] = 1
    elif x == HIDDEN:
        for k in range(n):
            visible[at + k] = False


@inlined
def put_seat(values, at, seat, other, seats):
    """Flag seat ``other`` of ``seats`` by its place after the own one; NOBODY leaves all flags 0.

    The range at ``at`` has as many entries as the game has seats at most, a constant, so that no
    flag of a smaller table falls outside it.
    """
    if other >= seat:
        values[at + other - seat] = 1
    elif other >= 0:
        values[at + other - seat + seats] = 1
