"""One table of a game that is dealt from secrets, decision by decision."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from qipai.envs.game import Game
from qipai.envs.kernel import addressable
from qipai.envs.layout import HIDDEN
from qipai.envs.match import PLAYING, engine, unplayed
from qipai.hosted.fairness import generator_key

_ONE = np.zeros(1, np.int64)  # the number of the only table


class Board:
    """The engine with one table, and nobody's bookkeeping around it."""

    def __init__(self, game: Game, rules: Mapping[str, Any]) -> None:
        """A match before its first deal, by resolved options."""
        self.game = game
        self._loops = engine(game)
        self._table = unplayed(game, 0, **rules)
        self._blank = addressable(game.blank(rules))
        self._purse = np.zeros((1, rules["seats"] + 1), np.int64)
        self._stacks = self.stacks

    @property
    def hand(self) -> int:
        """Number of the hand, −1 before the first."""
        return int(self._table["hand"][0])

    @property
    def turn(self) -> int:
        """The seat to act."""
        return int(self._table["turn"][0])

    @property
    def ended(self) -> bool:
        """Whether no hand is being played: one has ended, or none has begun."""
        return bool(self._table["ended"][0])

    @property
    def over(self) -> bool:
        """Whether the match is over."""
        return bool(self._table["over"][0] != PLAYING)

    @property
    def stacks(self) -> list[int]:
        """Coins by seat as of the last settlement."""
        table = self._table[0]
        return [int(coins) for coins in table["stack"][: table["seats"]]]

    def deal(self, secret: bytes) -> list[int]:
        """Deal the next hand from a secret; the coins that flow at once, the house's last."""
        self._stacks = self.stacks
        self._table["rng"]["key"], self._table["rng"]["secret"] = generator_key(secret)
        self._purse[:] = 0
        self._loops.deal_tables(self._table, _ONE, self._blank, self._purse)
        return self._flow()

    def play(self, action: int) -> list[int]:
        """Play a legal action of the seat to act; the coins that flow, the house's last."""
        self._purse[:] = 0
        self._loops.play_tables(self._table, _ONE, np.array([action], np.int64), self._purse)
        return self._flow()

    def depart(self, seat: int) -> list[int]:
        """Let a seat leave by the game's rule; the coins that flow, the house's last."""
        self._purse[:] = 0
        self._loops.depart_tables(self._table, _ONE, np.array([seat], np.int64), self._purse)
        return self._flow()

    def has_left(self, seat: int) -> bool:
        """Whether the seat has left by the game's rule."""
        return bool(self._table["away"][0, seat])

    def mask(self) -> np.ndarray:
        """Legal actions of the seat to act: int8 (1, actions)."""
        mask = np.zeros((1, self.game.actions.width), np.int8)
        self._loops.mask_tables(self._table, _ONE, mask)
        return mask

    def view(self, seat: int) -> np.ndarray:
        """The table as a seat sees it: a record in an array (1,)."""
        view = addressable(np.zeros(1, self.game.state))
        self._loops.view_tables(self._table, _ONE, np.array([seat], np.int64), view)
        return view

    def public_view(self) -> np.ndarray:
        """What every seat sees: the record (1,) with all hidden that is hidden from anybody."""
        view = self._table
        for seat in range(int(self._table["seats"][0])):
            seen = addressable(np.zeros(1, self.game.state))
            self._loops.view_tables(view, _ONE, np.array([seat], np.int64), seen)
            view = seen
        return view

    def asks_in_secret(self) -> bool:
        """Whether some seat may not know who is to act."""
        others = (seat for seat in range(len(self.stacks)) if seat != self.turn)
        return any(self.view(seat)["turn"][0] == HIDDEN for seat in others)

    def default(self) -> int:
        """What the house plays for the seat to act."""
        actions = np.zeros(1, np.int64)
        self._loops.default_tables(self._table, _ONE, actions)
        return int(actions[0])

    def copy(self) -> Board:
        """An independent twin, to try moves on."""
        twin = Board.__new__(Board)
        vars(twin).update(vars(self))
        twin._table, twin._purse = addressable(self._table.copy()), self._purse.copy()
        return twin

    def report(self) -> dict[str, Any]:
        """What was settled and why, of a hand that has ended."""
        coins = [now - was for now, was in zip(self.stacks, self._stacks, strict=True)]
        table = self._table[0]
        return {
            "hand": self.hand,
            "coins": coins,
            "house": -sum(coins),
            "report": self.game.report(table),
        }

    def _flow(self) -> list[int]:
        return [int(coins) for coins in self._purse[0]]
