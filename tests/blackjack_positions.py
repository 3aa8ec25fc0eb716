"""Positions of blackjack, set up by card names and played by action names."""

from __future__ import annotations

from typing import Any

import numpy as np

from qipai.envs.blackjack import BETTING, CARDS, open_betting
from qipai.envs.parts.bank import LEVELS, level_amount
from tests.table import Table, card_names, parse_cards


class Position(Table):
    """A hand whose cards are given seat by seat in the order the seat gets them, the hidden first.

    The banker is seat 0 unless said; ``bets`` are those of the 閒 in playing order, none: they are
    still to be made. ``play`` takes action names. A next hand has cards of its own.
    """

    def __init__(
        self,
        *hands: str,
        bets: tuple[int, ...] = (),
        banker: int = 0,
        stacks: tuple[int, ...] | int = 1000,
        **options: Any,
    ) -> None:
        super().__init__("blackjack", **{"seats": len(hands), "stack": stacks, **options})
        self.hands = [parse_cards(hand) for hand in hands]
        assert np.bincount([c for h in self.hands for c in h]).max() == 1, "a card given twice"
        self.s["banker"] = banker
        self.s["deck"] = np.arange(CARDS)
        self.s["phase"] = BETTING
        self._lay()
        open_betting(self.s)
        for bet in bets:
            rules = self.s["rules"]
            low, high = rules["min_bet"], rules["max_bet"]
            amounts = [int(level_amount(low, high, k)) for k in range(LEVELS)]
            self.play(f"bet {amounts.index(bet) + 1}")

    def _lay(self, *leaving: int) -> None:
        """Put the cards to come on top of the deck: those of the seat to act, then of the next."""
        if not self.hands:
            return
        betting = self.s["phase"] == BETTING
        first = int(self.s["banker"]) + 1 if betting else self.turn
        order = [(first + k) % self.seats for k in range(self.seats)]
        order = [
            p for p in order if self.hands[p] and not (p in leaving and self.s["count"][p, 0] == 0)
        ]
        cards = [self.hands[p][k] for k in range(2 if betting else 0) for p in order]
        for p in order:
            cards += self.hands[p][2 if betting else self.s["count"][p].sum() :]
        dealt = int(self.s["dealt"])
        rest = [int(c) for c in self.s["deck"][dealt:] if c not in cards]
        self.s["deck"][dealt:] = cards + rest

    def _run(self, loop: str, what: int) -> None:
        leaving = [what] if loop == "depart_tables" else []
        self._lay(*leaving, *np.flatnonzero(self.s["away"]))
        super()._run(loop, what)

    def next_hand(self) -> Position:
        assert not self.s["over"]
        self.hands = []
        return super().next_hand()

    @property
    def legal(self) -> str:  # type: ignore[override]
        return " ".join(super().legal)

    @property
    def coins(self) -> tuple[int, ...]:
        """What the hand brought each seat, and the house."""
        return (*super().coins, self.house)

    def possible(self, seat: int) -> list[int]:
        """Values that the first card of a seat can have."""
        return [int(v) + 1 for v in np.flatnonzero(self.s["possible"][seat])]

    def seen(self, seat: int, owner: int, h: int = 0) -> str:
        """The cards of a hand as a seat sees them; ``?`` is hidden."""
        row = self.view(seat)["cards"][0, owner, h]
        return " ".join(name for name in card_names(row) if name != "-")

    def seen_bets(self, seat: int) -> list[int]:
        return self.view(seat)["bet"][0, : self.seats].tolist()
