"""Positions of San Gong, set up by card names and played by action names."""

from __future__ import annotations

from typing import Any

import numpy as np

from qipai.envs.san_gong import CARDS, HAND, open_hand, value
from tests.table import Table, parse_cards

NINE, FIVE = "S9 D10 C10", "H5 DJ CJ"  # hands that do not lose the bank


def worth(cards: str) -> int:
    """The value of a hand under R4–R7."""
    return int(value(*parse_cards(cards)))


class Position(Table):
    """A hand whose cards are given by seat, in a casino by hand of the house; ``""`` is none.

    With ``banker`` the bank is held from a hand before, in a match of three. ``lots`` is where
    random numbers come from. Hands that follow have cards of their own.
    """

    def __init__(
        self,
        *hands: str,
        banker: int | None = None,
        lead: int | None = None,
        stacks: tuple[int, ...] | int = 10_000,
        lots: int = 1,
        **options: Any,
    ) -> None:
        number = (
            {} if isinstance(stacks, int) and not hands else {"seats": self._seats(hands, stacks)}
        )
        held = {"hands": 3} if banker is not None else {}
        super().__init__("san_gong", **{**number, **held, "stack": stacks, **options})
        self.s["rng"]["key"] = lots
        deck = np.arange(CARDS)
        if hands:
            first, dealt = banker or lead or 0, [parse_cards(hand) for hand in hands]
            seats = [(first + k) % len(hands) for k in range(len(hands))]
            top = [dealt[p][k] for k in range(HAND) for p in seats if dealt[p]]
            assert np.bincount(top).max() == 1, "a card given twice"
            deck = np.array([*top, *(card for card in deck if card not in top)])
        self.s["deck"] = deck
        if lead is not None:
            self.s["lead"] = lead
        if banker is not None:
            self.s["hand"], self.s["banker"] = 1, banker
            self.s["cards"][banker] = parse_cards(NINE)
            self.s["cards"][(banker + 1) % self.seats] = parse_cards(FIVE)
        open_hand(self.s)

    @staticmethod
    def _seats(hands: tuple[str, ...], stacks: tuple[int, ...] | int) -> int:
        return len(hands) if isinstance(stacks, int) else len(stacks)

    @property
    def phase(self) -> str:
        return ("grab", "offer", "bet", "ready", "chips")[self.s["phase"]]

    @property
    def banker(self) -> int:
        return int(self.s["banker"])

    @property
    def result(self) -> tuple[int, ...]:
        """What the hand brought each seat, and the house."""
        return (*self.coins, self.house)

    @property
    def answers(self) -> list[str | None]:
        return [("no", "grab")[a] if a >= 0 else None for a in self.s["answer"][: self.seats]]

    def seen(self, seat: int, field: str) -> list[int]:
        """A field by seat as one seat sees it."""
        return self.view(seat)[field][0, : self.seats].tolist()
