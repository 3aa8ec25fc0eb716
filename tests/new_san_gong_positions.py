"""Positions of three-card stud (new_san_gong), written in card names, and what happens in them."""

from __future__ import annotations

from typing import Any

import numpy as np

from qipai.envs import make_tables
from qipai.envs.kernel import addressable
from qipai.envs.layout import HIDDEN, NOBODY
from qipai.envs.match import engine
from qipai.envs.new_san_gong import (
    CARDS,
    GAME,
    RAISE,
    ROUNDS,
    can_play,
    deal_from_deck,
    highest_level,
    raise_level,
    value,
)
from qipai.envs.parts.cards import card_name, parse_card

# The sheet's cards in the order dealt, the hidden one last.
FOUR_HANDS = ("S5 HK C3", "HA D9 S8", "DK C6 H2", "C10 S7 D5")
ONE = np.zeros(1, np.int64)  # the number of the one table


def parse_cards(text: str) -> list[int]:
    return [parse_card(name) for name in text.split()]


def worth(text: str) -> int:
    """What one to three cards are worth."""
    cards = parse_cards(text)
    return int(value(*(np.int64(c) for c in [*cards, NOBODY, NOBODY][:3])))


class Position:
    """A hand whose cards are given seat by seat in the order dealt, the hidden one last.

    ``play`` takes action names; the deck is laid out so that seats still in get their own cards.
    ``deck`` instead gives the start of the deck itself. A next hand has cards of its own.
    """

    def __init__(
        self,
        *hands: str,
        stacks: tuple[int, ...] | int = 2000,
        banker: int = 0,
        deck: str = "",
        **options: Any,
    ) -> None:
        self.hands = [hand.split() for hand in hands]
        options = {"seats": len(hands), "stack": stacks, **options}
        self.seats: int = options["seats"]
        self.table = make_tables("new_san_gong", 1, seed=1, **options).state
        self.s = self.table[0]
        self.s["banker"] = banker
        self.s["deck"] = np.arange(CARDS)
        self.s["dealt"] = 0
        if deck:
            self._stack(deck.split())
        else:
            self._lay([p for p in range(self.seats) if can_play(self.s, np.int64(p))], 0)
        deal_from_deck(self.s)

    def _stack(self, names: list[str]) -> None:
        """Put cards on top of the rest of the deck."""
        cards = [parse_card(name) for name in names]
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

    def _do(self, loop: Any, what: int) -> None:
        """Run a loop of the engine: on a copy to learn who stays in, then with the right deck."""
        purse = np.zeros((1, self.seats + 1), np.int64)
        trial = addressable(self.table.copy())
        loop(trial, ONE, np.array([what]), purse)
        self._lay([p for p in range(self.seats) if trial["live"][0, p]], self.round)
        loop(self.table, ONE, np.array([what]), purse)

    def play(self, *names: str) -> None:
        for name in names:
            assert name in self.legal, f"{name} is not among {self.legal}"
            self._do(engine(GAME).play_tables, GAME.parse(name))

    def leave(self, seat: int) -> None:
        self._do(engine(GAME).depart_tables, seat)

    def next_hand(self) -> None:
        self.hands = []
        engine(GAME).open_tables(self.table, ONE, np.zeros((1, self.seats + 1), np.int64))

    @property
    def turn(self) -> int:
        return int(self.s["turn"])

    @property
    def mask(self) -> np.ndarray:
        mask = np.zeros((1, GAME.actions.width), np.int8)
        engine(GAME).mask_tables(self.table, ONE, mask)
        return mask

    @property
    def legal(self) -> list[str]:
        return [GAME.action_name(int(a)) for a in np.flatnonzero(self.mask[0])]

    @property
    def levels(self) -> list[int]:
        """The levels on offer, lowest name first."""
        raises = [action for action in np.flatnonzero(self.mask[0]) if action >= RAISE]
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
        assert self.s["ended"]
        assert self.s["coins"].sum() + self.s["house"] == 0
        return (*(int(c) for c in self.s["coins"][: self.seats]), int(self.s["house"]))

    @property
    def stakes(self) -> tuple[int, ...]:
        return tuple(int(c) for c in self.s["stake"][: self.seats])

    @property
    def round(self) -> int:
        return int(self.s["street"]) + 1

    def cards(self, seat: int) -> str:
        """The cards of a seat in the order dealt."""
        return " ".join(card_name(int(c)) for c in self.s["cards"][seat] if c >= 0)

    def view(self, seat: int) -> np.ndarray:
        views = addressable(np.zeros(1, GAME.state))
        engine(GAME).view_tables(self.table, ONE, np.array([seat]), views)
        return views

    def hidden(self, seat: int) -> list[str]:
        """The hidden cards as a seat sees them; ``?`` is hidden, ``-`` not dealt."""
        row = self.view(seat)["cards"][0, : self.seats, -1]
        return [{HIDDEN: "?", NOBODY: "-"}.get(int(c)) or card_name(int(c)) for c in row]

    def observation(self, seat: int) -> tuple[dict[str, np.ndarray], dict[str, np.ndarray]]:
        """What a seat observes, and what of it is known, by name."""
        values = np.zeros((1, GAME.observation.width), np.float32)
        visible = np.zeros(values.shape, np.bool_)
        engine(GAME).encode_views(self.view(seat), np.array([seat]), values, visible)
        return GAME.split(values[0]), GAME.split(visible[0])
