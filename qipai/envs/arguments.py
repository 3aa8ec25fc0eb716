"""Whole numbers from outside, checked in one place: a truth value is none, and nothing is cut."""

from __future__ import annotations

import operator
from typing import Any

import numpy as np

INT64 = np.iinfo(np.int64)


def whole_number(
    name: str, value: Any, right: str, *, low: int | None = None, high: int | None = None
) -> int:
    """``value`` as an int; ValueError says what would be ``right`` if it is none in low…high."""
    try:
        if isinstance(value, bool | np.bool_):
            raise TypeError
        number = operator.index(value)
    except TypeError:
        raise ValueError(f"{name}={value!r}: {right}") from None
    if (low is not None and number < low) or (high is not None and number > high):
        raise ValueError(f"{name}={value!r}: {right}")
    return number


def whole_numbers(
    name: str, values: Any, right: str, *, low: int | None = None, high: int | None = None
) -> np.ndarray:
    """A row of them, int64 (k,), or objects (k,) where one is beyond; ValueError names the first
    that is wrong."""
    row = np.asarray(values, None if hasattr(values, "__array__") else object)
    if row.ndim != 1:
        raise ValueError(f"{name}={values!r}: {right}")
    if row.dtype.kind not in "iu" or row.dtype == np.uint64:
        numbers = [whole_number(f"{name}[{k}]", value, right) for k, value in enumerate(row)]
        small = all(INT64.min <= number <= INT64.max for number in numbers)
        row = np.array(numbers, np.int64 if small else object)
    for bound, beyond in ((low, np.less), (high, np.greater)):
        if bound is not None and (wrong := beyond(row, bound)).any():
            k = int(np.argmax(wrong))
            raise ValueError(f"{name}[{k}]={int(row[k])}: {right}")
    return np.ascontiguousarray(row, None if row.dtype == object else np.int64)
