"""Options of a game: declared once, checked, and stored in the state's nested ``rules`` record."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import IntEnum
from typing import Any

import numpy as np

from qipai.envs.arguments import whole_number

MAX_COINS = 10**15
MAX_STAKE = 10**9
MOST_HANDS = 1000

Value = Any  # int, bool, str (a choice) or a tuple of ints


class OptionError(ValueError):
    """An option that does not exist, has a bad value, or does not go with another."""


@dataclass(frozen=True)
class Option:
    """One option: an integer in ``low…high``, a flag, or one of ``choices``.

    ``length`` > 0 means a row of that many integers; ``per_seat`` also takes one number for all.
    """

    name: str
    default: Value
    meaning: str
    clause: str
    low: int = 0
    high: int = 0
    choices: tuple[str, ...] = ()
    flag: bool = False
    length: int = 0
    per_seat: bool = False

    @property
    def allowed(self) -> str:
        """What may be given, in words."""
        if self.flag:
            return "true, false"
        if self.choices:
            return ", ".join(self.choices)
        numbers = str(self.low) if self.low == self.high else f"{self.low}…{self.high}"
        if self.per_seat:
            return f"{numbers}, one number or one per seat"
        return f"{self.length} numbers {numbers}" if self.length else numbers

    def check(self, value: Value, game: str) -> Value:
        """``value`` in canonical form; OptionError names it and what is allowed."""
        try:
            if self.flag:
                if not isinstance(value, bool | np.bool_):
                    raise TypeError
                return bool(value)
            if self.choices:
                if not isinstance(value, str) or value not in self.choices:
                    raise TypeError
                return str(value)
            if self.length and _is_row(value):
                row = tuple(self._integer(v) for v in value)
                if not self.per_seat and len(row) != self.length:
                    raise TypeError
                return row
            if self.length and not self.per_seat:
                raise TypeError
            return self._integer(value)
        except (TypeError, ValueError):
            raise OptionError(
                f"{game}: {self.name}={value!r} is not allowed; allowed: {self.allowed}"
            ) from None

    def _integer(self, value: Value) -> int:
        return whole_number(self.name, value, self.allowed, low=self.low, high=self.high)

    def parse(self, text: str, game: str) -> Value:
        """The value written as text (``loose``, ``on``, ``10``, ``1000,5,1000``)."""
        if self.flag:
            flags = {
                "true": True,
                "on": True,
                "yes": True,
                "false": False,
                "off": False,
                "no": False,
            }
            return self.check(flags.get(text.lower(), text), game)
        if self.choices:
            return self.check(text, game)
        try:
            numbers = tuple(int(part.replace("_", "")) for part in text.split(","))
        except ValueError:
            return self.check(text, game)
        return self.check(numbers if self.length and len(numbers) > 1 else numbers[0], game)


def integer(name: str, default: int, *, low: int, high: int, meaning: str, clause: str) -> Option:
    """An integer in ``low…high``."""
    return Option(name, default, meaning, clause, low, high)


def row(
    name: str, default: tuple[int, ...], *, low: int, high: int, meaning: str, clause: str
) -> Option:
    """As many integers in ``low…high`` as the default has."""
    return Option(name, default, meaning, clause, low, high, length=len(default))


def flag(name: str, default: bool, *, meaning: str, clause: str) -> Option:
    """True or false."""
    return Option(name, default, meaning, clause, flag=True)


def choice(name: str, default: IntEnum, *, meaning: str, clause: str) -> Option:
    """One member of the default's enumeration (0, 1, …), given by its name in small letters."""
    names = tuple(member.name.lower() for member in type(default))
    return Option(name, names[default], meaning, clause, choices=names)


def seats(default: int, *, low: int, high: int, clause: str) -> Option:
    """How many seats are at the table: every game has it."""
    return Option("seats", default, "seats at the table", clause, low, high)


def hands(clause: str) -> Option:
    """How many hands a match has: every game has it."""
    return Option("hands", 1, "hands in a match", clause, 1, MOST_HANDS)


def stack(default: int, *, seats: int, clause: str) -> Option:
    """What every one of up to so many seats has at the start: every game has it."""
    meaning = "coins of every seat at the start"
    return Option("stack", default, meaning, clause, 1, MAX_COINS, length=seats, per_seat=True)


class Options:
    """All options of a game, its presets, and the dtype that stores them.

    A choice is stored as its index in ``choices``. Every game has ``seats``, ``hands`` and
    ``stack``, the last one per seat.
    """

    def __init__(
        self, *options: Option, presets: Mapping[str, Mapping[str, Value]] | None = None
    ) -> None:
        self.options = options
        self.presets = presets or {}

    @property
    def dtype(self) -> np.dtype:
        fields: list[Any] = []
        for option in self.options:
            if option.flag or option.choices:
                fields.append((option.name, np.bool_ if option.flag else np.int8))
            elif option.length:
                fields.append((option.name, np.int64, (option.length,)))
            else:
                fields.append((option.name, np.int64))
        return np.dtype(fields, align=True)

    def __getitem__(self, name: str) -> Option:
        for option in self.options:
            if option.name == name:
                return option
        raise KeyError(name)

    def __iter__(self) -> Iterator[Option]:
        return iter(self.options)

    def resolve(
        self, game: str, given: Mapping[str, Value], preset: str | None = None
    ) -> dict[str, Value]:
        """Every option's value from a preset and the given ones; OptionError lists what is allowed.

        Per-seat options come out as one number per seat.
        """
        if preset is not None and not (isinstance(preset, str) and preset in self.presets):
            known = ", ".join(self.presets) or "none"
            raise OptionError(f"{game}: unknown preset {preset!r}; presets: {known}")
        names = [option.name for option in self.options]
        for name in given:
            if name not in names:
                raise OptionError(f"{game}: unknown option {name!r}; options: {', '.join(names)}")
        chosen = {**self.presets.get(preset or "", {}), **given}
        values = {
            option.name: option.check(chosen.get(option.name, option.default), game)
            for option in self.options
        }
        for option in self.options:
            if option.per_seat:
                value = values[option.name]
                if not isinstance(value, tuple):
                    value = (value,) * values["seats"]
                if len(value) != values["seats"]:
                    raise OptionError(
                        f"{game}: {option.name}={list(value)!r} has {len(value)} entries for "
                        f"{values['seats']} seats; allowed: {option.allowed}"
                    )
                values[option.name] = value
        return values

    def write(self, values: Mapping[str, Value], record: np.void) -> None:
        """Store resolved values in a ``rules`` record."""
        for option in self.options:
            value = values[option.name]
            if option.choices:
                record[option.name] = option.choices.index(value)
            elif option.length:
                record[option.name][: len(value)] = value
            else:
                record[option.name] = value

    def read(self, record: np.void) -> dict[str, Value]:
        """The values stored in a ``rules`` record, as ``resolve`` returns them.

        OptionError if a choice is stored that there is not.
        """
        values: dict[str, Value] = {}
        for option in self.options:
            stored = record[option.name]
            if option.choices:
                if not 0 <= stored < len(option.choices):
                    raise OptionError(f"{option.name} has no choice number {stored}")
                values[option.name] = option.choices[int(stored)]
            elif option.flag:
                values[option.name] = bool(stored)
            elif option.length:
                count = int(record["seats"]) if option.per_seat else option.length
                values[option.name] = tuple(int(v) for v in stored[:count])
            else:
                values[option.name] = int(stored)
        return values


def _is_row(value: Value) -> bool:
    return isinstance(value, list | tuple | range | np.ndarray)
