"""Hands of one to five cards as sets of bits, for counts over a whole deck."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations, permutations

import numpy as np

from qipai.envs.parts.cards import BIT, CARD_NAMES, parse_card

WriteValues = Callable[[np.ndarray, np.ndarray], None]  # a kernel: hands, what they are worth


def hands_of(size: int, lowest_card: int) -> np.ndarray:
    """Every set of ``size`` cards of a deck, int64."""
    return BIT[list(combinations(range(lowest_card, len(CARD_NAMES)), size))].sum(axis=1)


def values_of(write_values: WriteValues, hands: np.ndarray) -> np.ndarray:
    values = np.zeros(len(hands), np.int64)
    write_values(hands, values)
    return values


def bits(cards: str) -> np.int64:
    """The cards named as a set."""
    return BIT[[parse_card(name) for name in cards.split()]].sum()


def wins(write_values: WriteValues, lowest_card: int, hero: str, villain: str) -> tuple[int, int]:
    """In how many of all cases the first hand wins once both have five cards, and of how many."""
    known = bits(hero) | bits(villain)
    unseen = [card for card in range(lowest_card, len(CARD_NAMES)) if not known & BIT[card]]
    own, other = 5 - len(hero.split()), 5 - len(villain.split())
    drawn = BIT[list(permutations(unseen, own + other))]
    heroes = values_of(write_values, bits(hero) + drawn[:, :own].sum(axis=1))
    villains = values_of(write_values, bits(villain) + drawn[:, own:].sum(axis=1))
    return int((heroes > villains).sum()), len(drawn)
