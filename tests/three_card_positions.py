"""Hands of three cards laid out by seat, for the tests of tuolaji and sanzhang."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import numpy as np

from qipai.envs import load_game, make_tables
from qipai.envs.kernel import addressable
from qipai.envs.match import engine
from qipai.envs.parts.cards import card_name, parse_card

CARDS, HAND = 52, 3
ONE = np.zeros(1, np.int64)  # the number of the one table


def parse_cards(text: str) -> list[int]:
    return [parse_card(name) for name in text.split()]


class ThreeCards:
    """A hand whose cards are given seat by seat; seats without any get what is left.

    ``play`` takes ``seat action`` and checks whose turn it is; an action may be ``look+call``.
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
        self.game = load_game(self.name)
        kernels = import_module(f"qipai.envs.{self.name}")
        self.seats: int = options["seats"]
        self.table = make_tables(self.name, 1, seed=1, **options).state
        self.s = self.table[0]
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

    def play(self, *turns: str) -> ThreeCards:
        for turn in turns:
            seat, text = turn.split()
            assert self.turn == int(seat), f"it is the turn of {self.turn}, not {seat}"
            for action in self.game.parse_move(self.s, text):
                name = self.game.action_name(action)
                assert name in self.legal, f"{name} is not among {self.legal}"
                engine(self.game).play_tables(self.table, ONE, np.array([action]), self._purse())
        return self

    def circles(self, count: int) -> ThreeCards:
        """Every live seat calls so many times."""
        live = int(self.s["live"].sum())
        for _ in range(count * live):
            self.play(f"{self.turn} call")
        return self

    def leave(self, seat: int) -> None:
        engine(self.game).depart_tables(self.table, ONE, np.array([seat]), self._purse())

    def next_hand(self) -> None:
        engine(self.game).open_tables(self.table, ONE, self._purse())

    def _purse(self) -> np.ndarray:
        return np.zeros((1, self.seats + 1), np.int64)

    @property
    def turn(self) -> int:
        assert not self.s["ended"]
        return int(self.s["turn"])

    @property
    def legal(self) -> list[str]:
        mask = np.zeros((1, self.game.actions.width), np.int8)
        engine(self.game).mask_tables(self.table, ONE, mask)
        return [self.game.action_name(a) for a in np.flatnonzero(mask[0]).tolist()]

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
        return self.game.report(self.s)

    def view(self, seat: int) -> np.ndarray:
        views = addressable(np.zeros(1, self.game.state))
        engine(self.game).view_tables(self.table, ONE, np.array([seat]), views)
        return views

    def seen_by(self, seat: int) -> list[str]:
        """The cards of all seats as a seat sees them, ``?`` for those it does not."""
        rows = self.view(seat)["cards"][0, : self.seats]
        return ["?" if row[0] < 0 else " ".join(card_name(int(c)) for c in row) for row in rows]

    def observation(self, seat: int) -> tuple[dict[str, np.ndarray], dict[str, np.ndarray]]:
        """What a seat observes, and what of it is known, by name."""
        values = np.zeros((1, self.game.observation.width), np.float32)
        visible = np.zeros(values.shape, np.bool_)
        engine(self.game).encode_views(self.view(seat), np.array([seat]), values, visible)
        return self.game.split(values[0]), self.game.split(visible[0])

    def redeals(self, seat: int, n: int) -> np.ndarray:
        """``n`` tables redealt from what a seat sees."""
        views = addressable(np.repeat(self.view(seat), n))
        engine(self.game).redeal_views(views, np.full(n, seat), np.uint64(5))
        return views
