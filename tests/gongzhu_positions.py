"""Positions of gongzhu: hands, exposed cards and tricks by card names."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from qipai.envs.gongzhu import (
    EXPOSABLE_NAMES,
    GAME,
    PLAYING_CARDS,
    SEATS,
    SUITS,
    TRICKS,
    open_hand,
    raw_score,
    read_set,
    settle,
)
from qipai.envs.parts.cards import NAMES_BY_SUIT
from tests.table import Table


class Position(Table):
    """A hand in which a seat is on lead with the cards named, and nothing has been played yet.

    Hands may be short; ``exposed`` names cards, whose owners have exposed them, ``led`` the suits
    led before, ``taken`` what each seat has taken.
    """

    def __init__(
        self,
        *hands: str,
        leader: int = 0,
        exposed: str = "",
        led: str = "",
        taken: Sequence[str] = (),
        tricks: int = 0,
        **options: object,
    ) -> None:
        super().__init__("gongzhu", **options)
        self.s["phase"], self.s["deck"] = PLAYING_CARDS, -2
        self.s["first"] = self.s["turn"] = leader
        for seat, text in enumerate(hands):
            self.s["cards"][seat] = read_set(text)
            self.s["exposed"][seat] = read_set(text) & read_set(exposed)
        for seat, text in enumerate(taken):
            self.s["taken"][seat] = read_set(text)
        self.s["led"] = [suit in led for suit in SUITS]
        self.s["log"][: 4 * tricks], self.s["taker"][:tricks] = 0, leader
        self.s["log_count"] = 4 * tricks

    def settle(self) -> Position:
        """The hand ends here."""
        settle(self.s)
        return self

    def voids(self, seat: int) -> str:
        """The suits that all know the seat to be out of."""
        return "".join(suit for k, suit in enumerate(SUITS) if self.s["void"][seat, k])


def dealt(deck: str, **options: object) -> Position:
    """The first hand from a deck, of which the first cards are named."""
    position = Position(**options)
    s, named = position.s, deck.split()
    for field in GAME.fields:
        if not field.kept:
            s[field.name] = field.start
    rest = [name for name in NAMES_BY_SUIT if name not in named]
    s["deck"] = [NAMES_BY_SUIT.index(name) for name in named + rest]
    open_hand(s)
    return position


def hands_dealt(*hands: str, **options: object) -> Position:
    """The first hand, in which each seat holds the cards named, and any others."""
    given = [text.split() for text in (*hands, "", "", "")[:SEATS]]
    rest = [name for name in NAMES_BY_SUIT if not any(name in hand for hand in given)]
    whole = [hand + [rest.pop() for _ in range(TRICKS - len(hand))] for hand in given]
    return dealt(" ".join(hand[i] for i in range(TRICKS) for hand in whole), **options)


def points(taken: str, exposed: str = "") -> int:
    """The raw score of the cards taken, with some exposed at the table."""
    return int(raw_score(np.int64(read_set(taken)), np.int64(read_set(exposed))))


ALL_FOUR = " ".join(EXPOSABLE_NAMES)
HEARTS = " ".join(name for name in NAMES_BY_SUIT if name[0] == "H")
WHOLE = " ".join(NAMES_BY_SUIT)
