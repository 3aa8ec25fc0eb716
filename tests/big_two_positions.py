"""Big two tables set up by hand and played in whole plays, for the tests of that game."""

from __future__ import annotations

from typing import Any

import numpy as np

from qipai.envs.big_two import (
    GAME,
    KIND,
    KIND_NAMES,
    NAMES,
    SEATS,
    STATE,
    cards_text,
    choose,
    is_whole,
    legal,
    parse_cards,
)
from qipai.envs.kernel import addressable, kernel
from tests.endings import count_endings, take_first
from tests.table import Table

MOST_PLAYS = 20_000  # more than the deck has
STEPS = 5  # most in a play


@kernel
def find_plays(nodes, masks, bodies, cards, used):
    """Every whole play of the seat to act on ``nodes[0]``, depth first over its steps.

    Writes each one's first step and its set of cards, and to ``used`` how often each action is a
    step; returns how many plays there are.
    """
    count = 0
    depth = 0
    masks[0] = 0
    legal(nodes[0], masks[0])
    masks[0, 0] = 0
    while depth >= 0:
        action = take_first(masks[depth])
        if action < 0:
            depth -= 1
            continue
        used[action] += 1
        nodes[depth + 1] = nodes[depth]
        choose(nodes[depth + 1], action)
        if is_whole(nodes[depth + 1]):
            bodies[count] = nodes[depth + 1].body
            cards[count] = nodes[depth + 1].chosen
            count += 1
        else:
            depth += 1
            masks[depth] = 0
            legal(nodes[depth], masks[depth])
    return count


_nodes = addressable(np.zeros(STEPS + 2, STATE))
_masks = np.zeros((STEPS + 2, GAME.actions.width), np.int8)
_bodies = np.zeros(MOST_PLAYS, np.int64)
_cards = np.zeros(MOST_PLAYS, np.int64)
_used = np.zeros(GAME.actions.width, np.int64)


class Position(Table):
    """A table in play with these hands; seat 0 is on lead unless said.

    ``first``: it is the first hand of a match, which must begin with D3; otherwise a later one.
    Seats whose hand is not given count as if they had thirteen cards.
    """

    def __init__(self, *hands: str, turn: int = 0, first: bool = False, **options: Any) -> None:
        super().__init__("big_two", **{"hands": 2, **options})
        self.deal()
        self.s["hand"] = 0 if first else 1
        self.s["leader"] = self.s["turn"] = turn
        for seat in range(SEATS):
            cards = parse_cards(hands[seat] if seat < len(hands) else "")
            self.s["cards"][seat] = cards
            self.s["left"][seat] = cards.bit_count() or 13

    def sets(self) -> tuple[np.ndarray, np.ndarray]:
        """The legal whole plays: their first steps and their cards; overwritten by the next."""
        _nodes[0] = self.s
        _used[:] = 0
        count = find_plays(_nodes, _masks, _bodies, _cards, _used)
        return _bodies[:count], _cards[:count]

    def used(self) -> np.ndarray:
        """How often each action is a step of one of them."""
        self.sets()
        return _used

    def plays(self) -> set[str]:
        """The legal whole plays, each with its cards from high to low."""
        _, cards = self.sets()
        assert len(set(cards.tolist())) == len(cards), "two ways to compose a play"
        return {cards_text(one) for one in cards}

    def by_kind(self) -> dict[str, int]:
        bodies, _ = self.sets()
        kinds, counts = np.unique(KIND[bodies], return_counts=True)
        return {KIND_NAMES[k]: int(n) for k, n in zip(kinds, counts, strict=True)}

    def count_endings(self) -> int:
        return count_endings(GAME, self.s)


def text(cards: str) -> str:
    """The same cards from high to low."""
    return cards_text(parse_cards(cards))


def whole_deck() -> Position:
    """All 52 cards in the hand of the leader."""
    position = Position(" ".join(NAMES))
    position.s["left"][0] = 52
    return position
