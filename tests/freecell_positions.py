"""FreeCell tables set up by hand or dealt by number and played in names, for the tests."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from qipai.envs import make_tables
from qipai.envs.freecell import CARDS, COLUMNS, GAME, PACK, RANK, SUITS, position
from qipai.envs.kernel import addressable
from qipai.envs.match import engine
from qipai.envs.parts.cards import card_name, parse_card

ONE = np.zeros(1, np.int64)  # the number of the one table
REST = "…"  # in a column: here lie all cards that are not named


def buried(columns: Sequence[str], cells: str = "", home: str = "", **options: Any) -> Position:
    """A position in which the cards not named lie at the bottom of the columns that begin with …

    They are spread evenly: below all kings and queens, then upwards from the aces, so that they
    form no runs on top and low cards are out of reach.
    """
    named = {parse_card(name) for text in columns for name in text.split() if name != REST}
    named |= {parse_card(name) for name in cells.split()}
    for highest in map(parse_card, home.split()):
        suit = [card for card in range(CARDS) if card % SUITS == highest % SUITS]
        named |= {card for card in suit if RANK[card] <= RANK[highest]}
    order = [*PACK[-2 * SUITS :], *PACK[: -2 * SUITS]]
    rest = [card_name(int(card)) for card in order if card not in named]
    deep = [c for c, text in enumerate(columns) if text.startswith(REST)]
    filled = list(columns)
    for i, c in enumerate(deep):
        filled[c] = columns[c].replace(REST, " ".join(rest[i :: len(deep)]))
    return Position(position(filled, cells, home, **options))


class Position:
    """One table, given as ``position`` makes it or dealt under ``options``."""

    def __init__(self, table: np.ndarray | None = None, **options: Any) -> None:
        if table is None:
            table = make_tables("freecell", 1, seed=1, **options).state
        self.table = table
        self.s = table[0]
        self.paid = 0  # coins of all steps so far

    def play(self, names: str) -> Position:
        """Play actions written one after the other; each must be legal."""
        for name in names.split():
            assert name in self.legal, f"{name} is not among {self.legal}"
            action = np.array([GAME.parse(name)])
            self._run(engine(GAME).play_tables, action)
        return self

    def leave(self) -> None:
        self._run(engine(GAME).depart_tables, ONE)

    def next_game(self) -> None:
        engine(GAME).open_tables(self.table, ONE, np.zeros((1, 2), np.int64))

    def _run(self, loop: Any, argument: np.ndarray) -> None:
        purse = np.zeros((1, 2), np.int64)
        loop(self.table, ONE, argument, purse)
        assert purse.sum() == 0
        self.paid += int(purse[0, 0])

    @property
    def legal(self) -> list[str]:
        mask = np.zeros((1, GAME.actions.width), np.int8)
        engine(GAME).mask_tables(self.table, ONE, mask)
        return [GAME.action_name(a) for a in np.flatnonzero(mask[0])]

    @property
    def default(self) -> str:
        action = np.zeros(1, np.int64)
        engine(GAME).default_tables(self.table, ONE, action)
        return GAME.action_name(action[0])

    @property
    def coins(self) -> tuple[int, int]:
        """What the last step paid to the seat and to the house."""
        return int(self.s["coins"][0]), int(self.s["house"])

    @property
    def cells(self) -> str:
        return names(self.s["cells"])

    @property
    def columns(self) -> list[str]:
        return [names(column) for column in self.s["columns"]]

    @property
    def home(self) -> str:
        """The highest card of each foundation, in the order of the pack."""
        highest = [c for c in PACK if self.s["home"][c % SUITS] == RANK[c] + 1]
        return names(sorted(highest, key=lambda c: "CDHS".index(card_name(int(c))[0])))

    def rows(self) -> list[str]:
        """The cards row by row, the deepest first."""
        cards = [column.split() for column in self.columns]
        height = max(map(len, cards))
        return [
            " ".join(cards[c][i] for c in range(COLUMNS) if i < len(cards[c]))
            for i in range(height)
        ]

    def observation(self) -> dict[str, np.ndarray]:
        """What the seat observes, by name; all of it is known."""
        values = np.zeros((1, GAME.observation.width), np.float32)
        visible = np.zeros(values.shape, np.bool_)
        view = addressable(np.zeros(1, GAME.state))
        engine(GAME).view_tables(self.table, ONE, ONE, view)
        engine(GAME).encode_views(view, ONE, values, visible)
        assert visible.all()
        return GAME.split(values[0])


def names(cards: Sequence[Any]) -> str:
    return " ".join(card_name(int(card)) for card in cards if card >= 0)
