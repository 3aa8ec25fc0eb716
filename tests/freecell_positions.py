"""FreeCell tables set up by hand or dealt by number and played in names, for the tests."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from qipai.envs.freecell import CARDS, COLUMNS, PACK, RANK, SUITS, position
from qipai.envs.parts.cards import card_name, parse_card
from tests.table import Table

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


class Position(Table):
    """One table, given as ``position`` makes it or dealt under ``options``."""

    def __init__(self, table: np.ndarray | None = None, **options: Any) -> None:
        super().__init__("freecell", **options)
        if table is None:
            self.deal()
        else:
            self.table, self.s = table, table[0]
        self.paid = 0  # coins of all steps so far

    def play(self, names: str) -> Position:  # type: ignore[override]
        """Play actions written one after the other; each must be legal."""
        return super().play(*names.split())

    def _run(self, loop: str, what: int) -> None:
        super()._run(loop, what)
        assert self.s["coins"].sum() + self.s["house"] == 0
        self.paid += int(self.s["coins"][0])

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


def names(cards: Sequence[Any]) -> str:
    return " ".join(card_name(int(card)) for card in cards if card >= 0)
