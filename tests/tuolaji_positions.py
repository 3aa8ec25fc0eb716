"""Tuolaji hands laid out by seat, for tests."""

from __future__ import annotations

from tests.table import parse_cards
from tests.three_card_positions import ThreeCards

__all__ = ["Position", "parse_cards"]


class Position(ThreeCards):
    """A hand of tuolaji at its default stacks."""

    name = "tuolaji"

    @property
    def coins(self) -> tuple[int, ...]:
        assert self.house == 0  # R23
        return super().coins
