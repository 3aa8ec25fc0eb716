"""Comparing records: the values of all fields count, and nothing else."""

from __future__ import annotations

import numpy as np

from tests.records import values_of

INNER = np.dtype([("small", np.int8), ("large", np.int64)], align=True)
OUTER = np.dtype([("flag", np.int8), ("inner", INNER), ("row", np.int16, (3,))], align=True)


def test_bytes_between_fields_do_not_count() -> None:
    one, other = (np.full(OUTER.itemsize, byte, np.uint8).view(OUTER) for byte in (0, 255))
    for table in (one, other):
        table["flag"], table["row"] = 1, [2, 3, 4]
        table["inner"]["small"], table["inner"]["large"] = 5, 6
    assert one.tobytes() != other.tobytes()
    assert values_of(one) == values_of(other) and values_of(one[0]) == values_of(other[0])
    other["inner"]["large"] = 7
    assert values_of(one) != values_of(other)
    assert values_of(one, "inner") == values_of(other, "inner")
