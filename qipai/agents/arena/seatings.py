"""Who sits where: all seatings of some agents, or a balanced part of them."""

from __future__ import annotations

import itertools
import math

import numpy as np

MAX_SEATINGS = 120  # more than these are not all played


def count_seatings(agents: int, seats: int) -> int:
    """How many seatings there are: see ``all_seatings``."""
    if agents > seats:
        return math.perm(agents, seats)
    return sum(
        (-1) ** absent * math.comb(agents, absent) * (agents - absent) ** seats
        for absent in range(agents + 1)
    )


def all_seatings(agents: int, seats: int) -> np.ndarray:
    """Agent numbers (seatings, seats): every agent sits, or, if there are more agents than seats,
    no agent sits twice."""
    if agents > seats:
        return np.array(list(itertools.permutations(range(agents), seats)))
    every = itertools.product(range(agents), repeat=seats)
    return np.array([seating for seating in every if len(set(seating)) == agents])


def some_seatings(agents: int, seats: int, most: int, rng: np.random.Generator) -> np.ndarray:
    """At most ``most`` random ones of ``all_seatings``, but at least one for each agent.

    Agents change places in a ring, so each of them is in every seat equally often.
    """
    found: dict[tuple[int, ...], None] = {}
    while len(found) < max(1, most // agents):
        more = rng.integers(agents, size=max(0, seats - agents))
        seating = rng.permutation(np.concatenate([np.arange(agents), more]))[:seats]
        found[tuple((seating - seating[0]) % agents)] = None
    turned = np.array(list(found))[:, None, :] + np.arange(agents)[:, None]
    return (turned % agents).reshape(-1, seats)


def choose_seatings(agents: int, seats: int, rng: np.random.Generator) -> np.ndarray:
    """All seatings, or a balanced random part of them if they are more than ``MAX_SEATINGS``."""
    if count_seatings(agents, seats) <= MAX_SEATINGS:
        return all_seatings(agents, seats)
    return some_seatings(agents, seats, MAX_SEATINGS, rng)
