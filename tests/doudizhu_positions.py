"""Doudizhu tables set up by hand and played in whole moves, for the tests of that game."""

from __future__ import annotations

from typing import Any

import numpy as np

from qipai.envs.doudizhu import GAME, LOG, SEATS, STATE, apply, legal
from qipai.envs.kernel import addressable, kernel
from qipai.envs.layout import NONE
from qipai.envs.parts.auction import PLAY
from qipai.envs.parts.ranks import RANK_NAMES, RANKS, parse_cards
from tests.endings import count_endings, take_first
from tests.table import Table

MOST_MOVES = 30_000  # more than any deck offers
KINDS = [r.name.removesuffix(" body") for r in GAME.actions.ranges for _ in r.names]


@kernel
def find_moves(nodes, masks, first, cards):
    """Every pass or whole move of the seat to act on ``nodes[0]``, depth first over its steps.

    Writes each one's first action and its cards by rank; returns how many there are. ``nodes`` and
    ``masks`` have an entry for each step of a move and one more.
    """
    place = nodes[0].log_count % LOG
    count = 0
    depth = 0
    body = 0
    masks[0] = 0
    legal(nodes[0], masks[0])
    while depth >= 0:
        action = take_first(masks[depth])
        if action < 0:
            depth -= 1
            continue
        if depth == 0:
            body = action
        nodes[depth + 1] = nodes[depth]
        apply(nodes[depth + 1], action)
        if nodes[depth + 1].body != NONE:  # still composing
            depth += 1
            masks[depth] = 0
            legal(nodes[depth], masks[depth])
            continue
        first[count] = body
        for r in range(RANKS):
            cards[count, r] = nodes[depth + 1].log_cards[place, r]
        count += 1
    return count


LONGEST = GAME.max_plies(GAME.options())
_nodes = addressable(np.zeros(LONGEST + 1, STATE))
_masks = np.zeros((LONGEST + 1, GAME.actions.width), np.int8)
_first = np.zeros(MOST_MOVES, np.int64)
_cards = np.zeros((MOST_MOVES, RANKS), np.int64)


def move_name(first: int, cards: np.ndarray) -> str:
    """A move from its first action and cards by rank: ``pass``, ``77``, ``333444+5+7``."""
    main, *places = GAME.action_name(first).split("+")
    if not places:
        return main
    size = len(places[0])
    kickers = (cards - parse_cards(main)) // size
    return main + "".join(f"+{RANK_NAMES[r] * size}" * kickers[r] for r in np.flatnonzero(kickers))


class Position(Table):
    """A table in play whose hands, landlord, bid and seat to act are given.

    ``play`` takes whole moves (``33``, ``pass``, ``333444+5+7``) and single steps (``+8``), each
    checked to be legal.
    """

    def __init__(
        self,
        *hands: str,
        landlord: int = 0,
        turn: int | None = None,
        bid: int = 3,
        preset: str | None = None,
        **options: Any,
    ) -> None:
        super().__init__("doudizhu", **GAME.options(preset, **options))
        self.deal()
        self.s["phase"] = PLAY
        self.s["bid"], self.s["bidder"], self.s["landlord"] = bid, landlord, landlord
        self.s["turn"] = landlord if turn is None else turn
        for seat in range(SEATS):
            self.s["cards"][seat] = parse_cards(hands[seat])
            self.s["left"][seat] = self.s["cards"][seat].sum()

    @classmethod
    def of(cls, table: np.ndarray) -> Position:  # type: ignore[override]
        return super().of("doudizhu", table)

    @classmethod
    def dealt(cls, **options: Any) -> Position:
        """A table that has just been dealt, at random."""
        return cls.of(Table("doudizhu", **options).deal().table)

    def copy(self) -> Position:
        return Position.of(self.table.copy())

    def steps(self) -> set[str]:
        """The names of the legal actions."""
        return set(self.legal)

    def moves(self) -> list[str]:
        """Pass and the legal whole moves."""
        return [move_name(*move) for move in zip(*self.found(), strict=True)]

    def found(self) -> tuple[np.ndarray, np.ndarray]:
        """The same as arrays: first action (k,), cards by rank (k, 15); overwritten by the next."""
        _nodes[0] = self.s
        count = find_moves(_nodes, _masks, _first, _cards)
        return _first[:count], _cards[:count]

    def count_endings(self) -> int:
        """In how many ways play can go on until a seat is out."""
        return count_endings(GAME, self.s)

    def play_at_random(self, rng: np.random.Generator) -> str:
        """Play a pass or whole move, drawn step by step; returns its name."""
        place = self.s["log_count"] % LOG
        first = rng.choice(np.flatnonzero(self.mask))
        GAME.apply(self.s, first)
        while self.s["body"] != NONE:
            GAME.apply(self.s, rng.choice(np.flatnonzero(self.mask)))
        return move_name(first, self.s["log_cards"][place])

    def view(self, seat: int) -> Position:  # type: ignore[override]
        """The table as ``seat`` may see it."""
        return Position.of(super().view(seat))

    @property
    def log(self) -> list[str]:
        """The last moves as ``seat: cards`` or ``seat: pass``."""
        return list(GAME.scene(self.s, None).moves)
