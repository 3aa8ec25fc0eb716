"""``Budget``: how much an agent may think about one decision."""

from __future__ import annotations

import re
from dataclasses import dataclass

MOST_COUNT = 1_000_000_000
MOST_SECONDS = 86_400.0  # a day
_UNITS = {"ms": 0.001, "s": 1.0}


@dataclass(frozen=True)
class Budget:
    """A limit of thought for one decision: so many nodes or play-outs, or so many seconds.

    At least one of the two is set, up to ``MOST_COUNT`` and ``MOST_SECONDS``; ValueError otherwise.
    Only ``count`` alone gives equal play on every machine.
    """

    count: int | None = None
    seconds: float | None = None

    def __post_init__(self) -> None:
        if self.count is None and self.seconds is None:
            raise ValueError("a budget without a limit: give count or seconds")
        if self.count is not None and self.count < 1:
            raise ValueError(f"count={self.count}: at least 1")
        if self.seconds is not None and not self.seconds > 0:
            raise ValueError(f"seconds={self.seconds}: a number above 0")
        self.check_count(MOST_COUNT)
        if self.seconds is not None and self.seconds > MOST_SECONDS:
            raise ValueError(f"seconds={self.seconds:g}: at most {MOST_SECONDS:,.0f}, a day")

    def check_count(self, most: int, what: str = "") -> None:
        """ValueError if ``count`` is above ``most``, as for an agent that has to keep ``what``."""
        if self.count is not None and self.count > most:
            raise ValueError(f"count={self.count}: at most {most:,} {what}".rstrip())

    @classmethod
    def parse(cls, text: str) -> Budget:
        """``2000`` (a count), ``200ms`` or ``1.5s``; ValueError for anything else."""
        found = re.fullmatch(r"(\d+(?:\.\d+)?)(ms|s)?", text)
        if found is None or (found[2] is None and "." in found[1]):
            raise ValueError(f"{text!r} is no budget: write a count (2000) or a time (200ms, 1.5s)")
        if found[2] is None:
            return cls(count=int(found[1]))
        return cls(seconds=float(found[1]) * _UNITS[found[2]])
