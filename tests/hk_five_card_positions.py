"""Positions of Hong Kong five-card stud, written in card names, and what happens in them."""

from __future__ import annotations

from typing import Any

import numpy as np

from qipai.envs import make_tables
from qipai.envs.hk_five_card import CARDS, GAME, LOWEST, ROUNDS, can_play, deal_from_deck, value
from qipai.envs.kernel import addressable
from qipai.envs.layout import HIDDEN, NOBODY
from qipai.envs.match import engine
from qipai.envs.parts.cards import BIT, card_name, parse_card

# The sheet's cards, hole card first.
THREE_HANDS = ("H7 SK DK C9 HJ", "SA HA C8 DJ S9", "CA D9 H9 S10 CQ")
ONE = np.zeros(1, np.int64)  # the number of the one table


def parse_cards(text: str) -> list[int]:
    return [parse_card(name) for name in text.split()]


def worth(cards: list[int]) -> int:
    return int(value(BIT[cards].sum()))


class Position:
    """A hand whose cards are given seat by seat in the order dealt, hole card first.

    ``play`` takes action names; the deck is laid out so that seats still in get their own cards.
    ``deck`` instead gives the start of the deck itself. A next hand has cards of its own.
    """

    def __init__(
        self,
        *hands: str,
        stacks: tuple[int, ...] | int = 1000,
        first: int = 0,
        deck: str = "",
        **options: Any,
    ) -> None:
        self.hands = [parse_cards(hand) for hand in hands]
        options = {"seats": len(hands), "stack": stacks, **options}
        self.seats: int = options["seats"]
        self.table = make_tables("hk_five_card", 1, seed=1, **options).state
        self.s = self.table[0]
        self.s["first"] = first
        self.s["deck"] = np.arange(LOWEST, LOWEST + CARDS)
        self.s["dealt"] = 0
        if deck:
            self._stack(parse_cards(deck))
        else:
            order = [(first + k) % self.seats for k in range(self.seats)]
            order = [p for p in order if can_play(self.s, np.int64(p))]
            opening = [self.hands[p][0] for p in order] + [self.hands[p][1] for p in order]
            self._stack(opening)
        deal_from_deck(self.s)

    def _stack(self, cards: list[int]) -> None:
        """Put cards on top of the rest of the deck."""
        dealt = int(self.s["dealt"])
        rest = [int(c) for c in self.s["deck"][dealt:] if c not in cards]
        self.s["deck"][dealt:] = cards + rest

    def _lay(self, live: list[int]) -> None:
        """Lay the deck for all rounds to come if just these seats stay in."""
        cards: list[int] = []
        for street in range(int(self.s["street"]) + 1, ROUNDS) if self.hands else ():
            best = max(live, key=lambda p: worth(self.hands[p][1 : street + 1]))
            order = [(best + k) % self.seats for k in range(self.seats)]
            cards += [self.hands[p][street + 1] for p in order if p in live]
        self._stack(cards)

    def _do(self, loop: Any, what: int) -> None:
        """Run a loop of the engine: on a copy to learn who stays in, then with the right deck."""
        purse = np.zeros((1, self.seats + 1), np.int64)
        trial = addressable(self.table.copy())
        loop(trial, ONE, np.array([what]), purse)
        self._lay([p for p in range(self.seats) if trial["live"][0, p]])
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
        return [GAME.action_name(a) for a in np.flatnonzero(self.mask[0])]

    @property
    def coins(self) -> tuple[int, ...]:
        """What the hand that has ended paid."""
        assert self.s["ended"]
        assert self.s["coins"].sum() == self.s["house"] == 0
        return tuple(int(c) for c in self.s["coins"][: self.seats])

    @property
    def stakes(self) -> tuple[int, ...]:
        return tuple(int(c) for c in self.s["stake"][: self.seats])

    @property
    def level(self) -> int:
        return int(self.s["level"])

    @property
    def round(self) -> int:
        return int(self.s["street"]) + 1

    def up(self, seat: int) -> str:
        """The open cards of a seat."""
        return " ".join(card_name(int(c)) for c in self.s["up"][seat] if c >= 0)

    def view(self, seat: int) -> np.ndarray:
        views = addressable(np.zeros(1, GAME.state))
        engine(GAME).view_tables(self.table, ONE, np.array([seat]), views)
        return views

    def holes(self, seat: int) -> list[str]:
        """The hole cards as a seat sees them; ``?`` is hidden, ``-`` not dealt in."""
        row = self.view(seat)["hole"][0, : self.seats]
        return [{HIDDEN: "?", NOBODY: "-"}.get(int(c)) or card_name(int(c)) for c in row]

    def observation(self, seat: int) -> tuple[dict[str, np.ndarray], dict[str, np.ndarray]]:
        """What a seat observes, and what of it is known, by name."""
        values = np.zeros((1, GAME.observation.width), np.float32)
        visible = np.zeros(values.shape, np.bool_)
        engine(GAME).encode_views(self.view(seat), np.array([seat]), values, visible)
        return GAME.split(values[0]), GAME.split(visible[0])
