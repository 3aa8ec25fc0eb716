"""Logs: a line of JSON for each event, without views, cards, keys or whatever else was sent."""

from __future__ import annotations

import json
import logging
import traceback
from typing import Any

LOGGER = logging.getLogger("qipai.service")
_KEPT = ("method", "path", "status", "ms")  # of a request


class JsonLines(logging.Formatter):
    """Records as JSON. Of an exception its type and place are told, not its message, which may
    quote what was sent."""

    def format(self, record: logging.LogRecord) -> str:
        line: dict[str, Any] = {
            "time": self.formatTime(record, "%Y-%m-%dT%H:%M:%S%z"),
            "level": record.levelname.lower(),
            "event": record.getMessage().strip(),
        }
        line |= {name: getattr(record, name) for name in _KEPT if hasattr(record, name)}
        if record.exc_info and record.exc_info[0] is not None:
            line["error"] = record.exc_info[0].__name__
            frames = traceback.extract_tb(record.exc_info[2])
            line["at"] = [f"{frame.filename}:{frame.lineno} {frame.name}" for frame in frames]
        return json.dumps(line)


CONFIG = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"json": {"()": JsonLines}},
    "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "json"}},
    "loggers": {
        name: {"handlers": ["stderr"], "level": "INFO", "propagate": False}
        for name in ("qipai.service", "uvicorn")
    },
}
