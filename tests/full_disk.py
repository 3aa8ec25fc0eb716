"""A disk without room, for tests."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest


def fill_the_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    """From now on only half of what is written to a file finds room."""
    write = Path.write_bytes

    def half(path: Path, data: bytes) -> int:
        write(path, data[: len(data) // 2])
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(Path, "write_bytes", half)
