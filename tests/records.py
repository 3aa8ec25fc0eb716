"""What records hold, for comparing them: numpy leaves the bytes between their fields to chance."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.lib.recfunctions import repack_fields


def values_of(record: Any, *left_out: str) -> bytes:
    """The values of all fields of a record or an array of them, those of nested records too."""
    fields = [name for name in record.dtype.names if name not in left_out]
    return bytes(repack_fields(np.asarray(record)[fields], recurse=True).tobytes())
