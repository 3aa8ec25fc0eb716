"""Positions of thirteen: layouts by card names, bets in coins."""

from __future__ import annotations

from typing import Any

import numpy as np

from qipai.envs.parts.bank import LEVELS
from qipai.envs.thirteen import BETTING, CARDS, HAND, SEGMENTS, is_in, level, open_betting
from tests.table import Table, card_names, parse_cards


class Position(Table):
    """A hand in which each seat gets the cards of a layout ``D2 C3 H5|…|…``, "" for any others.

    The banker is seat 0 unless said, in the first hand of his tenure; ``bets`` are those of the 閒
    in playing order, none: they are still to be made. ``lay`` plays whole layouts.
    """

    def __init__(
        self, *layouts: str, bets: tuple[int, ...] = (), banker: int = 0, **options: Any
    ) -> None:
        super().__init__("thirteen", **{"seats": len(layouts), **options})
        self.layouts = layouts
        self.s["banker"], self.s["sat"] = banker, 1
        hands = [parse_cards(text.replace("|", " ")) for text in layouts]
        given = [card for hand in hands for card in hand]
        assert len(set(given)) == len(given), "a card given twice"
        self.others = [card for card in range(CARDS) if card not in given]
        self.hands = [hand or [self.others.pop(0) for _ in range(HAND)] for hand in hands]
        self._lay_deck()
        open_betting(self.s)
        for bet in bets:
            amounts = [int(level(self.s, self.turn, k)) for k in range(LEVELS)]
            self.play(f"bet {amounts.index(bet) + 1}")

    def _lay_deck(self, *leaving: int) -> None:
        """Put the cards in the order in which they are dealt (R6)."""
        order = [(int(self.s["banker"]) + k) % self.seats for k in range(self.seats)]
        here = [p for p in order if is_in(self.s, p) and p not in leaving]
        dealt = [self.hands[p][k] for k in range(HAND) for p in here]
        self.s["deck"] = dealt + [card for card in range(CARDS) if card not in dealt]

    def leave(self, seat: int) -> Position:
        if self.s["phase"] == BETTING:
            self._lay_deck(seat)
        return super().leave(seat)

    def lay(self, count: int = 4) -> Position:
        """So many of the seats still to lay do so, as the position says."""
        for _ in range(count):
            if not self.s["ended"]:
                self.play(self.layouts[self.turn])
        return self

    def laid(self, seat: int, owner: int) -> str:
        """The layout of a seat in letters as another sees it, ``?`` hidden, ``-`` none."""
        row = self.view(seat)["laid"][0, owner].tolist()
        return "".join({-1: "?", -2: "-"}.get(k) or SEGMENTS[k][0] for k in row)

    def seen(self, seat: int, owner: int) -> str:
        """The cards of a seat as another sees them."""
        return " ".join(card_names(self.view(seat)["cards"][0, owner]))

    def bets_seen(self, seat: int) -> list[int]:
        row: list[int] = self.view(seat)["bet"][0, : self.seats].tolist()
        return row


def values(text: str, value: Any, *more: Any) -> int:
    """What cards are worth by ``value_of_three`` or ``value_of_five``."""
    return int(value(*(np.int64(card) for card in sorted(parse_cards(text), reverse=True)), *more))
