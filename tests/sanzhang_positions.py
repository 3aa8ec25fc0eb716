"""Sanzhang hands laid out by seat, for tests."""

from __future__ import annotations

from typing import Any

import numpy as np

from qipai.envs import make_tables
from qipai.envs.kernel import addressable
from qipai.envs.match import engine
from qipai.envs.parts.cards import card_name, parse_card
from qipai.envs.sanzhang import CARDS, GAME, HAND, can_play, deal_from_deck

ONE = np.zeros(1, np.int64)  # the number of the one table


def parse_cards(text: str) -> list[int]:
    return [parse_card(name) for name in text.split()]


class Position:
    """A hand whose cards are given seat by seat; seats without any get what is left.

    ``play`` takes ``seat action`` and checks whose turn it is; an action may be ``look+call``.
    """

    def __init__(
        self,
        *hands: str,
        stacks: tuple[int, ...] | int = 20_000,
        banker: int = 0,
        **options: Any,
    ) -> None:
        options = {"seats": len(hands), "stack": stacks, **options}
        self.seats: int = options["seats"]
        self.table = make_tables("sanzhang", 1, seed=1, **options).state
        self.s = self.table[0]
        self.s["banker"] = banker
        given = [parse_cards(hand) for hand in hands] + [[] for _ in range(self.seats)]
        rest = [card for card in range(CARDS) if not any(card in cards for cards in given)]
        deck: list[int] = []
        for k in range(self.seats):
            seat = (banker + k) % self.seats
            if can_play(self.s, seat):
                deck += given[seat] or [rest.pop() for _ in range(HAND)]
        self.s["deck"] = deck + [card for card in range(CARDS) if card not in deck]
        deal_from_deck(self.s)

    def play(self, *turns: str) -> Position:
        for turn in turns:
            seat, text = turn.split()
            assert self.turn == int(seat), f"it is the turn of {self.turn}, not {seat}"
            for action in GAME.parse_move(self.s, text):
                name = GAME.action_name(action)
                assert name in self.legal, f"{name} is not among {self.legal}"
                engine(GAME).play_tables(self.table, ONE, np.array([action]), self._purse())
        return self

    def circles(self, count: int) -> Position:
        """Every live seat calls so many times."""
        live = int(self.s["live"].sum())
        for _ in range(count * live):
            self.play(f"{self.turn} call")
        return self

    def leave(self, seat: int) -> None:
        engine(GAME).depart_tables(self.table, ONE, np.array([seat]), self._purse())

    def next_hand(self) -> None:
        engine(GAME).open_tables(self.table, ONE, self._purse())

    def _purse(self) -> np.ndarray:
        return np.zeros((1, self.seats + 1), np.int64)

    @property
    def turn(self) -> int:
        assert not self.s["ended"]
        return int(self.s["turn"])

    @property
    def legal(self) -> list[str]:
        mask = np.zeros((1, GAME.actions.width), np.int8)
        engine(GAME).mask_tables(self.table, ONE, mask)
        return [GAME.action_name(a) for a in np.flatnonzero(mask[0]).tolist()]

    @property
    def coins(self) -> tuple[int, ...]:
        assert self.s["ended"]
        assert self.s["coins"].sum() + self.house == 0
        return tuple(int(c) for c in self.s["coins"][: self.seats])

    @property
    def house(self) -> int:
        return int(self.s["house"])

    @property
    def stakes(self) -> tuple[int, ...]:
        return tuple(int(c) for c in self.s["stake"][: self.seats])

    @property
    def report(self) -> dict[str, Any]:
        assert self.s["ended"]
        return GAME.report(self.s)

    def view(self, seat: int) -> np.ndarray:
        views = addressable(np.zeros(1, GAME.state))
        engine(GAME).view_tables(self.table, ONE, np.array([seat]), views)
        return views

    def seen_by(self, seat: int) -> list[str]:
        """The cards of all seats as a seat sees them, ``?`` for those it does not."""
        rows = self.view(seat)["cards"][0, : self.seats]
        return ["?" if row[0] < 0 else " ".join(card_name(int(c)) for c in row) for row in rows]

    def observation(self, seat: int) -> tuple[dict[str, np.ndarray], dict[str, np.ndarray]]:
        """What a seat observes, and what of it is known, by name."""
        values = np.zeros((1, GAME.observation.width), np.float32)
        visible = np.zeros(values.shape, np.bool_)
        engine(GAME).encode_views(self.view(seat), np.array([seat]), values, visible)
        return GAME.split(values[0]), GAME.split(visible[0])

    def redeals(self, seat: int, n: int) -> np.ndarray:
        """``n`` tables redealt from what a seat sees."""
        views = addressable(np.repeat(self.view(seat), n))
        engine(GAME).redeal_views(views, np.full(n, seat), np.uint64(5))
        return views
