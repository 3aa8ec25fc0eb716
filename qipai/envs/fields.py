"""The fields of a table, declared once: what each holds, in what range, and what a view hides.

A game lists its own fields; those that every game has come first. ``Fields.dtype`` is the record
that kernels work on, and ``Fields.fault`` tells what in a record from outside can't be::

    FIELDS = Fields(RULES, SEATS, Field.number("dealt", CARDS, "cards dealt so far"), …)
    STATE = FIELDS.dtype
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from qipai.envs.kernel import FIRST_ANEW
from qipai.envs.layout import HIDDEN, NONE, Actions
from qipai.envs.options import MAX_COINS, Options
from qipai.envs.rng import RNG

MOST_COINS = 10 * MAX_COINS  # that can be in any one place of a table

Shape = int | tuple[int, ...]
Bound = int | Callable[[np.void], int]  # by the record, whose rules are known to be good


@dataclass(frozen=True)
class Codec:
    """How one value of a field is written in JSON, or with ``row`` the field's last axis."""

    encode: Callable[[Any], Any]
    decode: Callable[[Any], Any]
    row: bool = False


@dataclass(frozen=True)
class Field:
    """Values in ``low…high``, NONE too if it may be ``empty``, HIDDEN in views if ``hidden``.

    A hand begins with ``start`` everywhere, unless the field is ``kept`` from hand to hand. A
    single number is an int64, a row of numbers has the least type that holds them.
    """

    name: str
    dtype: Any
    shape: tuple[int, ...]
    low: int
    high: Bound
    meaning: str
    empty: bool = False
    hidden: bool = False
    kept: bool = False
    start: int = 0
    codec: Codec | None = None  # None: as the number it is

    @classmethod
    def number(
        cls,
        name: str,
        high: Bound,
        meaning: str,
        shape: Shape = (),
        *,
        low: int = 0,
        start: int | None = None,
        empty: bool = False,
        hidden: bool = False,
        kept: bool = False,
        codec: Codec | None = None,
    ) -> Field:
        """Integers in ``low…high``; they start as NONE where they may be empty, else as 0."""
        dims = (shape,) if isinstance(shape, int) else shape
        begin = start if start is not None else NONE if empty else 0
        dtype = _dtype(dims, min(low, begin, HIDDEN), high)
        return cls(name, dtype, dims, low, high, meaning, empty, hidden, kept, begin, codec)

    @classmethod
    def flag(cls, name: str, meaning: str, shape: Shape = (), **more: Any) -> Field:
        """Yes or no: 1 or 0 in a row of flags, as numba knows no bool arrays in records."""
        field = cls.number(name, 1, meaning, shape, **more)
        return field if field.shape else replace(field, dtype=np.bool_)

    @classmethod
    def seat(cls, name: str, meaning: str, shape: Shape = (), **more: Any) -> Field:
        """Seats of this table."""
        field = cls.number(name, _last_seat, meaning, shape, **more)
        return replace(field, dtype=np.int8) if field.shape else field

    @classmethod
    def coins(cls, name: str, meaning: str, shape: Shape = (), **more: Any) -> Field:
        """Coins, or what is counted in them."""
        return cls.number(name, MOST_COINS, meaning, shape, **more)

    @classmethod
    def action(cls, name: str, actions: Actions, meaning: str, shape: Shape = ()) -> Field:
        """Actions of the game, written by their names; NONE where there is none."""
        codec = Codec(encode=actions.name, decode=actions.parse)
        return cls.number(name, actions.width - 1, meaning, shape, empty=True, codec=codec)

    @classmethod
    def choice(
        cls, name: str, names: Sequence[str], meaning: str, shape: Shape = (), **more: Any
    ) -> Field:
        """One of several things, written by its name."""
        codec = Codec(encode=names.__getitem__, decode=lambda written: _index(names, written))
        return cls.number(name, len(names) - 1, meaning, shape, codec=codec, **more)

    @classmethod
    def key(cls, name: str, meaning: str, shape: Shape = (), *, codec: Codec) -> Field:
        """Any 64 bits."""
        return replace(cls.number(name, 2**64 - 1, meaning, shape, codec=codec), dtype=np.uint64)

    def bound(self, record: np.void) -> int:
        """The highest number the field may hold in a record."""
        return self.high(record) if callable(self.high) else self.high

    def fault(self, values: np.ndarray, record: np.void, view: bool) -> str | None:
        """The first of ``values`` that can't be; None if all can.

        They are of one ``record``, in the field's shape, or of records (n,) that it is the first of
        with the same bounds, (n, *shape).
        """
        high = self.bound(record)
        if values.ndim == 0 and self.low <= values.item() <= high:
            return None  # what most are asked about, and numpy is slow with one number
        bad = np.asarray((values < self.low) | (values > high))
        if self.empty:
            bad &= values != NONE
        if self.hidden and view:
            bad &= values != HIDDEN
        if not bad.any():
            return None
        place = tuple(int(i) for i in np.argwhere(bad)[0])
        index = f"[{', '.join(map(str, place))}]" if place else ""
        allowed = f"{self.low}…{high}"
        allowed += f", or {NONE} for none" if self.empty else ""
        allowed += f", or {HIDDEN} where hidden" if self.hidden and view else ""
        return f"{self.name}{index} is {values[place]}: expected {allowed} ({self.meaning})"


class Fields:
    """All fields of a game's table: what is kept from hand to hand, then what begins anew.

    ``seats`` is the most that can sit; rows by seat have that many entries, and the field ``seats``
    says how many are in use.
    """

    def __init__(self, rules: Options, seats: int, *own: Field) -> None:
        """ValueError for a name that records have as an attribute."""
        everyones = (
            Field.number("seats", seats, "seats at this table", low=1, kept=True),
            Field.number("hand", _last_hand, "number of the hand in the match", kept=True),
            Field.flag("away", "has left", seats, kept=True),
            Field.coins("stack", "coins before this hand", seats, kept=True),
            Field.number(
                "over", 2, "0 playing, 1 the match has ended, 2 it was cut off", kept=True
            ),
            Field.seat(FIRST_ANEW, "seat to act", hidden=True),
            Field.flag("ended", "the hand has ended, its coins are settled"),
            Field.coins("coins", "coins settled by the last step", seats, low=-MOST_COINS),
            Field.coins("house", "rake, fees, penalties, the bank's side", low=-MOST_COINS),
        )
        every = [*everyones, *own]
        self.fields = tuple(sorted(every, key=lambda field: not field.kept))
        for field in self.fields:
            if hasattr(np.record, field.name):
                raise ValueError(f"a field cannot be called {field.name!r}: records have that")
        self.dtype = np.dtype(
            [
                ("rules", rules.dtype),  # the options in force, so a table is complete by itself
                ("rng", RNG),
                *((f.name, f.dtype, f.shape) if f.shape else (f.name, f.dtype) for f in self),
            ],
            align=True,
        )

    def blank(self) -> np.ndarray:
        """An array of one table on which nothing has been done and no rules are set."""
        table = np.zeros(1, self.dtype)
        for field in self:
            table[field.name] = field.start
        return table

    def bounds(self, record: np.void) -> tuple[int, ...]:
        """The highest number each field may hold in a record whose rules are good."""
        return tuple(field.bound(record) for field in self)

    def __iter__(self) -> Iterator[Field]:
        return iter(self.fields)

    def fault(self, records: np.void | np.ndarray, view: bool) -> str | None:
        """The first value out of its range in a table or ``view``, or in several (n,) with the same
        ``bounds``; their rules are good."""
        one = records if isinstance(records, np.void) else records[0]
        faults = (field.fault(_numbers(records[field.name]), one, view) for field in self)
        return next((fault for fault in faults if fault), None)


def unlike(record: np.void, name: str, expected: Any, meaning: str) -> Iterator[str]:
    """In a sentence, the first value of a field that isn't the expected one; nothing if all are."""
    found = np.asarray(record[name])
    wanted = np.broadcast_to(np.asarray(expected), found.shape)
    for place in np.argwhere(found != wanted).tolist()[:1]:
        value, right = found[tuple(place)], wanted[tuple(place)]
        yield f"{name}{place or ''} is {value}: expected {right} ({meaning})"


def _index(names: Sequence[str], written: Any) -> int:
    for number, name in enumerate(names):
        if name == written:
            return number
    raise ValueError(f"{written!r} is not one of {', '.join(names)}")


def _dtype(shape: tuple[int, ...], low: int, high: Bound) -> Any:
    """int64 for a single number, the least type that holds ``low…high`` for a row of them."""
    if not shape or callable(high):
        return np.int64
    return np.promote_types(np.min_scalar_type(low), np.min_scalar_type(-high - 1))


def _numbers(stored: Any) -> np.ndarray:
    """What a record holds; a byte that stands for a flag may be neither 0 nor 1."""
    values = np.asarray(stored)
    return values.view(np.uint8) if values.dtype == np.bool_ else values


def _last_seat(record: np.void) -> int:
    return int(record["rules"]["seats"]) - 1


def _last_hand(record: np.void) -> int:
    return int(record["rules"]["hands"]) - 1
