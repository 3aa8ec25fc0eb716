"""Hands of stud laid out by seat, for the tests of five_card_stud and hk_five_card."""

from __future__ import annotations

from types import ModuleType
from typing import Any

import numpy as np

from qipai.envs.kernel import addressable
from qipai.envs.match import engine
from qipai.envs.parts.cards import BIT

from .table import ONE, Table, card_names, parse_cards


class StudTable(Table):
    """A hand whose cards are given seat by seat in the order dealt, hole card first.

    The deck is laid out so that seats still in get their own cards; ``deck`` instead gives the
    start of the deck itself. A next hand has cards of its own.
    """

    def __init__(
        self,
        kernels: ModuleType,
        *hands: str,
        stacks: tuple[int, ...] | int = 1000,
        first: int = 0,
        deck: str = "",
        **options: Any,
    ) -> None:
        super().__init__(kernels.GAME.name, **{"seats": len(hands), "stack": stacks, **options})
        self.value = kernels.value
        self.hands = [parse_cards(hand) for hand in hands]
        self.s["first"] = first
        self.s["deck"] = np.arange(kernels.LOWEST, kernels.LOWEST + kernels.CARDS)
        if deck:
            self._stack(parse_cards(deck))
        else:
            order = [(first + k) % self.seats for k in range(self.seats)]
            order = [p for p in order if kernels.can_play(self.s, p)]
            self._stack([self.hands[p][k] for k in range(2) for p in order])
        kernels.deal_from_deck(self.s)

    def worth(self, cards: list[int]) -> int:
        """What cards are worth to the game."""
        return int(self.value(BIT[cards].sum()))

    def next_hand(self) -> StudTable:
        self.hands = []
        return super().next_hand()

    def _run(self, loop: str, what: int) -> None:
        """On a copy to learn who stays in, then with the right deck."""
        trial = addressable(self.table.copy())
        getattr(engine(self.game), loop)(trial, ONE, np.array([what]), self._purse())
        self._lay([p for p in range(self.seats) if trial["live"][0, p]])
        super()._run(loop, what)

    def _stack(self, cards: list[int]) -> None:
        """Put cards on top of the rest of the deck."""
        dealt = int(self.s["dealt"])
        rest = [int(c) for c in self.s["deck"][dealt:] if c not in cards]
        self.s["deck"][dealt:] = cards + rest

    def _lay(self, live: list[int]) -> None:
        """Lay the deck for all rounds to come if just these seats stay in."""
        cards: list[int] = []
        rounds = self.s["up"].shape[1]
        for street in range(int(self.s["street"]) + 1, rounds) if self.hands else ():
            best = max(live, key=lambda p: self.worth(self.hands[p][1 : street + 1]))
            order = [(best + k) % self.seats for k in range(self.seats)]
            cards += [self.hands[p][street + 1] for p in order if p in live]
        self._stack(cards)

    @property
    def round(self) -> int:
        return int(self.s["street"]) + 1

    def up(self, seat: int) -> str:
        """The open cards of a seat."""
        return " ".join(name for name in card_names(self.s["up"][seat]) if name != "-")

    def holes(self, seat: int) -> list[str]:
        """The hole cards as a seat sees them; ``?`` is hidden, ``-`` not dealt in."""
        return card_names(self.view(seat)["hole"][0, : self.seats])
