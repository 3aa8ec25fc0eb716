"""Files that are whole at any time: a disk that fills leaves them as they were."""

from __future__ import annotations

import contextlib
import uuid
from pathlib import Path


def write_whole(path: Path, data: bytes) -> None:
    """Write a file beside its place, and put it there once it is whole; no process sees a part.

    OSError names ``path`` if that cannot be done; what was there is then as it was.
    """
    part = path.with_name(f".{path.name[:40]}.{uuid.uuid4().hex}.part")
    try:
        part.write_bytes(data)
        part.replace(path)
    except OSError as error:
        with contextlib.suppress(OSError):
            part.unlink()
        raise OSError(error.errno, error.strerror, str(path)) from None
