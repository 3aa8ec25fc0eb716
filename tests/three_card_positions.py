"""Hands of three cards laid out by seat, for the tests of tuolaji and sanzhang."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from tests.table import Table, card_names, parse_cards

CARDS, HAND = 52, 3


class ThreeCards(Table):
    """A hand whose cards are given seat by seat; seats without any get what is left.

    A subclass names the game.
    """

    name: str

    def __init__(
        self,
        *hands: str,
        stacks: tuple[int, ...] | int | None = None,
        banker: int = 0,
        **options: Any,
    ) -> None:
        options = {"seats": len(hands), **options}
        if stacks is not None:
            options["stack"] = stacks
        super().__init__(self.name, **options)
        kernels = import_module(f"qipai.envs.{self.name}")
        self.s["banker"] = banker
        given = [parse_cards(hand) for hand in hands] + [[] for _ in range(self.seats)]
        rest = [card for card in range(CARDS) if not any(card in cards for cards in given)]
        deck: list[int] = []
        for k in range(self.seats):
            seat = (banker + k) % self.seats
            if kernels.can_play(self.s, seat):
                deck += given[seat] or [rest.pop() for _ in range(HAND)]
        self.s["deck"] = deck + [card for card in range(CARDS) if card not in deck]
        kernels.deal_from_deck(self.s)

    def circles(self, count: int) -> ThreeCards:
        """Every live seat calls so many times."""
        live = int(self.s["live"].sum())
        for _ in range(count * live):
            self.play(f"{self.turn} call")
        return self

    def seen_by(self, seat: int) -> list[str]:
        """The cards of all seats as a seat sees them, ``?`` for those it does not."""
        rows = self.view(seat)["cards"][0, : self.seats]
        return ["?" if row[0] < 0 else " ".join(card_names(row)) for row in rows]
