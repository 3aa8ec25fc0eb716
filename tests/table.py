"""A table laid out by hand: act in words, read coins, masks, views and observations."""

from __future__ import annotations

from typing import Any, TypeVar

import numpy as np

from qipai.envs import load_game
from qipai.envs.kernel import addressable
from qipai.envs.layout import HIDDEN, NONE
from qipai.envs.match import encoded, engine, unplayed
from qipai.envs.parts.cards import card_name, parse_card

ONE = np.zeros(1, np.int64)  # the number of the one table

T = TypeVar("T", bound="Table")


def parse_cards(text: str) -> list[int]:
    return [parse_card(name) for name in text.split()]


def card_names(cards: Any) -> list[str]:
    """Cards by name, ``?`` for a hidden one, ``-`` for none."""
    return [{HIDDEN: "?", NONE: "-"}.get(int(c)) or card_name(int(c)) for c in np.ravel(cards)]


class Table:
    """One table of a game before its first deal, ``s`` its record; a subclass lays it out.

    A word of ``play`` is an action or a whole move; ``2 call`` says whose turn it must be.
    """

    def __init__(self, game: str, **options: Any) -> None:
        self.game = load_game(game)
        self.table = unplayed(self.game, 1, **options)
        self.s = self.table[0]
        self.s["hand"], self.s["ended"] = 0, False  # the first hand has begun
        self.seats = int(self.s["seats"])

    def deal(self: T) -> T:
        """The first hand, at random."""
        self.s["hand"] = -1
        return self.next_hand()

    @classmethod
    def of(cls: type[T], game: str, table: np.ndarray) -> T:
        """What lies on a table, an array of one record."""
        made = object.__new__(cls)
        made.game, made.table, made.s = load_game(game), table, table[0]
        made.seats = int(made.s["seats"])
        return made

    def play(self: T, *words: str) -> T:
        for word in words:
            seat, _, move = word.partition(" ") if word[:1].isdigit() else ("", "", word)
            if move and seat.isdigit():
                assert int(seat) == self.turn, f"{word}: seat {self.turn} is to act"
            else:
                move = word
            for action in self.game.parse_move(self.s, move):
                assert not self.s["ended"], f"{word}: the hand has ended"
                assert self.mask[action], f"{word} is not among {self.legal}"
                self._run("play_tables", action)
        return self

    def leave(self: T, seat: int) -> T:
        self._run("depart_tables", seat)
        return self

    def next_hand(self: T) -> T:
        blank = addressable(self.game.fields.blank())
        engine(self.game).deal_tables(self.table, ONE, blank, self._purse())
        return self

    def _run(self, loop: str, what: int) -> None:
        getattr(engine(self.game), loop)(self.table, ONE, np.array([what]), self._purse())

    def _purse(self) -> np.ndarray:
        return np.zeros((1, self.seats + 1), np.int64)

    @property
    def turn(self) -> int:
        return int(self.s["turn"])

    @property
    def mask(self) -> np.ndarray:
        mask = np.zeros((1, self.game.actions.width), np.int8)
        engine(self.game).mask_tables(self.table, ONE, mask)
        return mask[0]

    @property
    def legal(self) -> list[str]:
        return [self.game.action_name(int(a)) for a in np.flatnonzero(self.mask)]

    @property
    def default(self) -> str:
        """What the house would play."""
        actions = np.zeros(1, np.int64)
        engine(self.game).default_tables(self.table, ONE, actions)
        return self.game.action_name(int(actions[0]))

    @property
    def coins(self) -> tuple[int, ...]:
        """What the hand that has ended paid."""
        assert self.s["ended"]
        assert self.s["coins"].sum() + self.s["house"] == 0
        return tuple(int(c) for c in self.s["coins"][: self.seats])

    @property
    def house(self) -> int:
        return int(self.s["house"])

    @property
    def stakes(self) -> tuple[int, ...]:
        return tuple(int(c) for c in self.s["stake"][: self.seats])

    @property
    def report(self) -> dict[str, Any]:
        return self.game.report(self.s)

    def view(self, seat: int) -> np.ndarray:
        """The table as a seat may see it, an array of one record."""
        views = addressable(np.zeros(1, self.game.state))
        engine(self.game).view_tables(self.table, ONE, np.array([seat]), views)
        return views

    def observation(self, seat: int) -> tuple[dict[str, np.ndarray], dict[str, np.ndarray]]:
        """What a seat observes, and what of it is known, by name."""
        values, visible = encoded(self.game, self.view(seat), np.array([seat]))
        return self.game.split(values[0]), self.game.split(visible[0])

    def known(self, seat: int) -> dict[str, np.ndarray]:
        """What a seat observes where nothing is hidden, by name."""
        values, visible = self.observation(seat)
        assert all(part.all() for part in visible.values())
        return values

    def redealt(self, seat: int, n: int) -> np.ndarray:
        """The view of a seat, what it hides dealt anew n times."""
        views = addressable(np.repeat(self.view(seat), n))
        engine(self.game).redeal_views(views, np.full(n, seat), np.uint64(5))
        return views
