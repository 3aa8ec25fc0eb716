"""Positions of three-card stud (new_san_gong), written in card names, and what happens in them."""

from __future__ import annotations

from typing import Any

import numpy as np

from qipai.envs.kernel import addressable
from qipai.envs.layout import NONE
from qipai.envs.match import engine
from qipai.envs.new_san_gong import (
    CARDS,
    ROUNDS,
    can_play,
    deal_from_deck,
    highest_level,
    value,
)
from qipai.envs.parts.raises import RAISE, raise_level
from tests.table import ONE, Table, card_names, parse_cards

# The sheet's cards in the order dealt, the hole card last.
FOUR_HANDS = ("S5 HK C3", "HA D9 S8", "DK C6 H2", "C10 S7 D5")


def worth(text: str) -> int:
    """What one to three cards are worth."""
    return int(value(*(np.int64(c) for c in [*parse_cards(text), NONE, NONE][:3])))


class Position(Table):
    """A hand whose cards are given seat by seat in the order dealt, the hole card last.

    The deck is laid out so that seats still in get their own cards; ``deck`` instead gives the
    start of the deck itself. A next hand has cards of its own.
    """

    def __init__(
        self,
        *hands: str,
        stacks: tuple[int, ...] | int = 2000,
        banker: int = 0,
        deck: str = "",
        **options: Any,
    ) -> None:
        super().__init__("new_san_gong", **{"seats": len(hands), "stack": stacks, **options})
        self.hands = [hand.split() for hand in hands]
        self.s["banker"] = banker
        self.s["deck"] = np.arange(CARDS)
        if deck:
            self._stack(deck.split())
        else:
            self._lay([p for p in range(self.seats) if can_play(self.s, np.int64(p))], 0)
        deal_from_deck(self.s)

    def next_hand(self) -> Position:
        self.hands = []
        return super().next_hand()

    def _run(self, loop: str, what: int) -> None:
        """On a copy to learn who stays in, then with the right deck."""
        trial = addressable(self.table.copy())
        getattr(engine(self.game), loop)(trial, ONE, np.array([what]), self._purse())
        self._lay([p for p in range(self.seats) if trial["live"][0, p]], self.round)
        super()._run(loop, what)

    def _stack(self, names: list[str]) -> None:
        """Put cards on top of the rest of the deck."""
        cards = parse_cards(" ".join(names))
        dealt = int(self.s["dealt"])
        rest = [int(c) for c in self.s["deck"][dealt:] if c not in cards]
        self.s["deck"][dealt:] = cards + rest

    def _lay(self, live: list[int], street: int) -> None:
        """Lay the deck for the deals from ``street`` on if just these seats stay in."""
        names: list[str] = []
        for k in range(street, ROUNDS) if self.hands else ():
            first = int(self.s["banker"])
            if k > 0:
                first = max(live, key=lambda p: worth(self.hands[p][k - 1]))
            order = [(first + i) % self.seats for i in range(self.seats)]
            names += [self.hands[p][k] for p in order if p in live]
        self._stack(names)

    @property
    def levels(self) -> list[int]:
        """The levels on offer, lowest name first."""
        raises = [action for action in np.flatnonzero(self.mask) if action >= RAISE]
        return [int(raise_level(self.s, action, np.int64(self.highest))) for action in raises]

    @property
    def highest(self) -> int:
        return int(highest_level(self.s))

    @property
    def level(self) -> int:
        return int(self.s["level"])

    @property
    def coins(self) -> tuple[int, ...]:
        """What the hand that has ended paid; the house last."""
        return (*super().coins, self.house)

    @property
    def round(self) -> int:
        return int(self.s["street"]) + 1

    def cards(self, seat: int) -> str:
        """The cards of a seat in the order dealt."""
        cards = [*self.s["up"][seat], self.s["hole"][seat]]
        return " ".join(name for name in card_names(cards) if name != "-")

    def hidden(self, seat: int) -> list[str]:
        """The hole cards as a seat sees them; ``?`` is hidden, ``-`` not dealt."""
        return card_names(self.view(seat)["hole"][0, : self.seats])
