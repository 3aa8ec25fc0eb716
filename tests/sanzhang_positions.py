"""Sanzhang hands laid out by seat, for tests."""

from __future__ import annotations

from tests.table import parse_cards
from tests.three_card_positions import ThreeCards

__all__ = ["Position", "parse_cards"]


class Position(ThreeCards):
    """A hand of sanzhang at its default stacks."""

    name = "sanzhang"
