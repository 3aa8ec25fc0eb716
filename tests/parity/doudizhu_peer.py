"""Doudizhu beside another implementation of it: the same hands, move by move."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol

import numpy as np

from qipai.envs.doudizhu import DECK
from qipai.envs.parts.ranks import RANKS, cards_text
from tests.doudizhu_positions import Position


class Peer(Protocol):
    """A table of another implementation."""

    def offered(self) -> set[str]:
        """Its legal moves, by its own names."""

    def name(self, move: str) -> str:
        """Its name for a move of ours."""

    def leaves_out(self, position: Position, move: str) -> bool:
        """Whether it has the habit of not offering this legal move of ours."""

    def play(self, move: str) -> None:
        """Play a move, by its own name."""

    def over(self) -> bool: ...


def deals(n: int, seed: int) -> Iterator[tuple[str, str, str]]:
    """``n`` deals of 20, 17 and 17 cards; every other one hardly shuffled, so with long moves."""
    rng = np.random.default_rng(seed)
    for i in range(n):
        deck = np.repeat(np.arange(RANKS), DECK)
        if i % 2 == 0:
            rng.shuffle(deck)
        else:
            deck = np.roll(deck, rng.integers(len(deck)))
            for _ in range(rng.integers(4, 25)):
                swapped = rng.integers(len(deck), size=2)
                deck[swapped] = deck[swapped[::-1]]
        landlord, *farmers = np.split(deck, [20, 37])
        yield hand(landlord), hand(farmers[0]), hand(farmers[1])


def hand(ranks: np.ndarray) -> str:
    return cards_text(np.bincount(ranks, minlength=RANKS))


def compare(position: Position, peer: Peer, rng: np.random.Generator) -> int:
    """Play one hand at random on both; returns how many states were compared.

    What the engine plays without asking must be the only move the peer offers.
    """
    states = 0
    while not position.s["ended"]:
        moves = [m for m in position.moves() if not peer.leaves_out(position, m)]
        expected = [peer.name(move) for move in moves]
        assert peer.offered() == set(expected)
        assert len(set(expected)) == len(expected)
        before = position.s["log_count"]
        peer.play(peer.name(position.play_at_random(rng)))
        forced = position.log[before - position.s["log_count"] :][1:]
        for move in [peer.name(entry.split(": ")[1]) for entry in forced]:
            assert peer.offered() == {move}
            peer.play(move)
        states += 1 + len(forced)
    assert peer.over()
    return states
