"""The fields of a table, declared once: what each holds, in what range, and what a view hides.

A game lists its own fields; those that every game has come first. ``Fields.dtype`` is the record
that kernels work on, and ``Fields.fault`` tells what in a record from outside can't be::

    FIELDS = Fields(RULES, SEATS, Field.number("dealt", np.int8, CARDS, "cards …"), …)
    STATE = FIELDS.dtype
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from qipai.envs.layout import HIDDEN, NOBODY
from qipai.envs.options import MAX_COINS, Options
from qipai.envs.rng import RNG

MOST_COINS = 10 * MAX_COINS  # that can be in any one place of a table

Shape = int | tuple[int, ...]
Bound = int | Callable[[np.void], int]  # by the record, whose rules are known to be good


@dataclass(frozen=True)
class Field:
    """Values in ``low…high``, NOBODY too if it may be ``empty``, HIDDEN in views if ``hidden``."""

    name: str
    dtype: Any
    shape: tuple[int, ...]
    low: int
    high: Bound
    meaning: str
    empty: bool = False
    hidden: bool = False

    @classmethod
    def number(
        cls,
        name: str,
        dtype: Any,
        high: Bound,
        meaning: str,
        shape: Shape = (),
        *,
        low: int = 0,
        empty: bool = False,
        hidden: bool = False,
    ) -> Field:
        """Integers in ``low…high``."""
        return cls(name, dtype, _dims(shape), low, high, meaning, empty, hidden)

    @classmethod
    def flag(cls, name: str, meaning: str, shape: Shape = (), *, hidden: bool = False) -> Field:
        """Yes or no; a row of them is int8, as numba knows no bool arrays in records."""
        dims = _dims(shape)
        return cls(
            name, np.int8 if dims or hidden else np.bool_, dims, 0, 1, meaning, hidden=hidden
        )

    @classmethod
    def seat(
        cls,
        name: str,
        meaning: str,
        shape: Shape = (),
        *,
        empty: bool = False,
        hidden: bool = False,
    ) -> Field:
        """Seats of this table."""
        return cls(name, np.int8, _dims(shape), 0, _last_seat, meaning, empty, hidden)

    @classmethod
    def coins(
        cls,
        name: str,
        meaning: str,
        shape: Shape = (),
        *,
        low: int = 0,
        empty: bool = False,
        hidden: bool = False,
    ) -> Field:
        """Coins, or what is counted in them."""
        return cls(name, np.int64, _dims(shape), low, MOST_COINS, meaning, empty, hidden)

    def fault(self, values: np.ndarray, record: np.void, view: bool) -> str | None:
        """The first of ``values``, in the field's shape, that can't be; None if all can."""
        high = self.high(record) if callable(self.high) else self.high
        bad = np.asarray((values < self.low) | (values > high))
        if self.empty:
            bad &= values != NOBODY
        if self.hidden and view:
            bad &= values != HIDDEN
        if not bad.any():
            return None
        place = tuple(int(i) for i in np.argwhere(bad)[0])
        index = f"[{', '.join(map(str, place))}]" if place else ""
        allowed = f"{self.low}…{high}"
        allowed += f", or {NOBODY} for none" if self.empty else ""
        allowed += f", or {HIDDEN} where hidden" if self.hidden and view else ""
        return f"{self.name}{index} is {values[place]}: expected {allowed} ({self.meaning})"


class Fields:
    """All fields of a game's table.

    ``seats`` is the most that can sit; rows by seat have that many entries, and the field ``seats``
    says how many are in use.
    """

    def __init__(self, rules: Options, seats: int, *own: Field) -> None:
        everyones = (
            Field.number("seats", np.int8, seats, "seats at this table", low=1),
            Field.seat("turn", "seat to act", hidden=True),
            Field.number("over", np.int8, 2, "0 playing, 1 the match has ended, 2 it was cut off"),
            Field.flag("ended", "the hand has ended, its coins are settled"),
            Field.number("hand", np.int32, _last_hand, "number of the hand in the match"),
            Field.flag("away", "has left", seats),
            Field.coins("stack", "coins before this hand", seats),
            Field.coins("coins", "coins settled by the last step", seats, low=-MOST_COINS),
            Field.coins("house", "rake, fees, penalties, the bank's side", low=-MOST_COINS),
        )
        self.fields: tuple[Field, ...] = (*everyones, *own)
        self.dtype = np.dtype(
            [
                ("rules", rules.dtype),  # the options in force, so a table is complete by itself
                ("rng", RNG),
                *((f.name, f.dtype, f.shape) if f.shape else (f.name, f.dtype) for f in self),
            ],
            align=True,
        )

    def __iter__(self) -> Iterator[Field]:
        return iter(self.fields)

    def fault(self, record: np.void, view: bool) -> str | None:
        """The first value out of its range in a table or ``view`` whose rules are good."""
        faults = (field.fault(_numbers(record[field.name]), record, view) for field in self)
        return next((fault for fault in faults if fault), None)


def _dims(shape: Shape) -> tuple[int, ...]:
    return (shape,) if isinstance(shape, int) else shape


def _numbers(stored: Any) -> np.ndarray:
    """What a record holds; a byte that stands for a flag may be neither 0 nor 1."""
    values = np.asarray(stored)
    return values.view(np.uint8) if values.dtype == np.bool_ else values


def _last_seat(record: np.void) -> int:
    return int(record["rules"]["seats"]) - 1


def _last_hand(record: np.void) -> int:
    return int(record["rules"]["hands"]) - 1
