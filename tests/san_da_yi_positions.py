"""Tables of san da yi in play, laid out by hand in words."""

from __future__ import annotations

from typing import Any

from qipai.envs.kernel import addressable
from qipai.envs.parts.auction import PLAY
from qipai.envs.parts.ranks import cards_text, parse_cards
from qipai.envs.san_da_yi import SEATS, move_name, whole_moves
from tests.endings import count_endings
from tests.table import Table


class Position(Table):
    """A table in play whose hands, landlord, bid and seat to act are given.

    A seat without a hand named has the three cards 345, out of nowhere.
    """

    def __init__(
        self, *hands: str, landlord: int = 0, turn: int | None = None, bid: int = 3, **options: Any
    ) -> None:
        super().__init__("san_da_yi", **options)
        self.deal()
        self.s["phase"] = PLAY
        self.s["bid"], self.s["bidder"], self.s["landlord"] = bid, landlord, landlord
        self.s["turn"] = landlord if turn is None else turn
        for seat in range(SEATS):
            hand = parse_cards(hands[seat] if seat < len(hands) else "345")
            self.s["cards"][seat], self.s["left"][seat] = hand, hand.sum()

    @classmethod
    def of(cls, table: Any) -> Position:  # type: ignore[override]
        return super().of("san_da_yi", table)

    def copy(self) -> Position:
        return Position.of(addressable(self.table.copy()))

    def moves(self) -> dict[str, str]:
        """The legal whole moves by name, and the cards each takes."""
        found = whole_moves(self.s)
        return {move_name(action, pair): cards_text(cards) for action, pair, cards in found}

    def endings(self) -> int:
        """In how many ways the hand can go on, whole moves and passes, until a seat is out."""
        return count_endings(self.game, self.s)

    @property
    def void(self) -> list[str]:
        """Ranks that each seat is known to be void of."""
        return [cards_text([*flags, 0]) for flags in self.s["void"]]

    @property
    def left(self) -> tuple[int, ...]:
        return tuple(int(n) for n in self.s["left"])
