"""Positions of blackjack, set up by card names and played by action names."""

from __future__ import annotations

from typing import Any

import numpy as np

from qipai.envs import make_tables
from qipai.envs.blackjack import BETTING, CARDS, GAME, LEVELS, level_amount, open_betting
from qipai.envs.kernel import addressable
from qipai.envs.layout import HIDDEN, NOBODY
from qipai.envs.match import engine
from qipai.envs.parts.cards import card_name, parse_card

ONE = np.zeros(1, np.int64)  # the number of the one table


def parse_cards(text: str) -> list[int]:
    return [parse_card(name) for name in text.split()]


class Position:
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
        self.hands = [parse_cards(hand) for hand in hands]
        assert np.bincount([c for h in self.hands for c in h]).max() == 1, "a card given twice"
        options = {"seats": len(hands), "stack": stacks, **options}
        self.seats: int = options["seats"]
        self.table = make_tables("blackjack", 1, seed=1, **options).state
        self.s = self.table[0]
        self.s["banker"] = banker
        self.s["deck"] = np.arange(CARDS)
        self.s["dealt"] = 0
        self.s["phase"] = BETTING
        self._lay()
        open_betting(self.s)
        for bet in bets:
            amounts = [int(level_amount(self.s, k)) for k in range(LEVELS)]
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

    def play(self, *names: str) -> None:
        for name in names:
            assert name in self.legal, f"{name} is not among {self.legal}"
            self._lay(*np.flatnonzero(self.s["away"]))
            action = np.array([GAME.parse(name)])
            engine(GAME).play_tables(self.table, ONE, action, self._purse())

    def leave(self, seat: int) -> None:
        self._lay(seat, *np.flatnonzero(self.s["away"]))
        engine(GAME).depart_tables(self.table, ONE, np.array([seat]), self._purse())

    def next_hand(self) -> None:
        assert not self.s["over"]
        self.hands = []
        engine(GAME).open_tables(self.table, ONE, self._purse())

    def house_action(self) -> str:
        action = np.zeros(1, np.int64)
        engine(GAME).default_tables(self.table, ONE, action)
        return GAME.action_name(action[0])

    def _purse(self) -> np.ndarray:
        return np.zeros((1, self.seats + 1), np.int64)

    @property
    def turn(self) -> int:
        return int(self.s["turn"])

    @property
    def legal(self) -> str:
        mask = np.zeros((1, GAME.actions.width), np.int8)
        engine(GAME).mask_tables(self.table, ONE, mask)
        return " ".join(GAME.action_name(a) for a in np.flatnonzero(mask[0]))

    @property
    def coins(self) -> tuple[int, ...]:
        """What the hand brought each seat, and the house."""
        assert self.s["ended"]
        assert self.s["coins"].sum() + self.s["house"] == 0
        return (*(int(c) for c in self.s["coins"][: self.seats]), int(self.s["house"]))

    @property
    def report(self) -> dict[str, Any]:
        return GAME.report(self.s)

    def possible(self, seat: int) -> list[int]:
        """Values that the first card of a seat can have."""
        return [int(v) + 1 for v in np.flatnonzero(self.s["possible"][seat])]

    def view(self, seat: int) -> np.ndarray:
        views = addressable(np.zeros(1, GAME.state))
        engine(GAME).view_tables(self.table, ONE, np.array([seat]), views)
        return views

    def seen(self, seat: int, owner: int, h: int = 0) -> str:
        """The cards of a hand as a seat sees them; ``?`` is hidden."""
        row = self.view(seat)["cards"][0, owner, h]
        return " ".join("?" if c == HIDDEN else card_name(int(c)) for c in row if c != NOBODY)

    def seen_bets(self, seat: int) -> list[int]:
        return self.view(seat)["bet"][0, : self.seats].tolist()

    def observation(self, seat: int) -> tuple[dict[str, np.ndarray], dict[str, np.ndarray]]:
        """What a seat observes, and what of it is known, by name."""
        values = np.zeros((1, GAME.observation.width), np.float32)
        visible = np.zeros(values.shape, np.bool_)
        engine(GAME).encode_views(self.view(seat), np.array([seat]), values, visible)
        return GAME.split(values[0]), GAME.split(visible[0])

    def redealt(self, seat: int, n: int) -> np.ndarray:
        views = addressable(np.repeat(self.view(seat), n))
        engine(GAME).redeal_views(views, np.full(n, seat), np.uint64(7))
        return views
