"""Positions of tuidaohu written in the names of tiles."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tests import mahjong_positions
from tests.mahjong_positions import Position


def deal(*hands: str, **more: Any) -> Position:
    """A hand from its deal, as in ``mahjong_positions``."""
    return mahjong_positions.deal("tuidaohu", *hands, kept={"streak": 1}, **more)


def position(hands: Mapping[int, str], /, *, streak: int = 1, **more: Any) -> Position:
    """The turn of a seat in the middle of a hand, as in ``mahjong_positions``."""
    return mahjong_positions.position("tuidaohu", hands, kept={"streak": streak}, **more)
