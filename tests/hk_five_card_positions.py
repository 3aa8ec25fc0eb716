"""Positions of Hong Kong five-card stud, written in card names, and what happens in them."""

from __future__ import annotations

from typing import Any

from qipai.envs import hk_five_card
from qipai.envs.parts.cards import BIT
from tests.stud_table import StudTable

# The sheet's cards, hole card first.
THREE_HANDS = ("H7 SK DK C9 HJ", "SA HA C8 DJ S9", "CA D9 H9 S10 CQ")


def worth(cards: list[int]) -> int:
    return int(hk_five_card.value(BIT[cards].sum()))


class Position(StudTable):
    """A hand of Hong Kong five-card stud; see ``StudTable``."""

    def __init__(self, *hands: str, **arguments: Any) -> None:
        super().__init__(hk_five_card, *hands, **arguments)

    @property
    def level(self) -> int:
        return int(self.s["level"])
