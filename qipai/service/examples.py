"""The example of the API's page: a view of five-card stud, and what the rule bot makes of it."""

from __future__ import annotations

from typing import Any

_ROW = ["-"] * 4
_ZEROS = [0] * 4

VIEW: dict[str, Any] = {
    "game": "five_card_stud",
    "version": 0,
    "seat": 1,
    "rules": {"seats": 2, "hands": 1, "stack": [100, 100], "ante": 1},
    "state": {
        "seats": 2,
        "hand": 0,
        "away": _ZEROS,
        "stack": [100, 100, 0, 0],
        "over": 0,
        "winner": "-",
        "turn": 1,
        "ended": False,
        "coins": _ZEROS,
        "house": 0,
        "dealt": 4,
        "deck": ["-"] * 4 + [None] * 24,
        "hole": [None, "CQ", "-", "-"],
        "up": [["D9", "-", "-", "-"], ["HQ", "-", "-", "-"], _ROW, _ROW],
        "first": 1,
        "best": 1,
        "earlier": 0,
        "raises": [_ZEROS] * 4,
        "street": 0,
        "level": 0,
        "stake": [1, 1, 0, 0],
        "paid": [_ZEROS] * 4,
        "log_count": 0,
        "log_seat": ["-"] * 20,
        "log_action": ["-"] * 20,
        "last_action": [_ROW] * 4,
        "opener": [1, "-", "-", "-"],
        "acted": _ZEROS,
        "dealt_in": [1, 1, 0, 0],
        "live": [1, 1, 0, 0],
        "shown": False,
    },
}

QUESTION = {"view": VIEW, "agent": "rule", "deadline_ms": 1000}

ANSWER: dict[str, Any] = {
    "action": 4,
    "name": "raise_quarter",
    "spoken": "raise_quarter",
    "move": ["raise_quarter"],
    "took_ms": 2.1,
    "default": False,
    "chances": None,
    "value": None,
}
