"""Hidden cards under voids beside all deals of small hands, listed."""

from __future__ import annotations

import random
from collections import Counter
from itertools import product

import numpy as np
import pytest

from qipai.envs.kernel import addressable
from qipai.envs.parts.voids import CONFINED, PLACES, TAKERS, can_be_placed, draw_taker
from qipai.envs.rng import RNG, entropy, seed_stream

Deal = tuple[tuple[int, ...], ...]  # by taker and class, how many


def every_deal(unseen: list[int], free: list[int], allowed: list[int]) -> dict[Deal, int]:
    """Each deal of the cards, and in how many ways they can be dealt to give it."""
    classes = [c for c, n in enumerate(unseen) for _ in range(n)]
    ways: Counter[Deal] = Counter()
    for takers in product(range(TAKERS), repeat=len(classes)):
        if all(allowed[c] >> t & 1 for c, t in zip(classes, takers, strict=True)):
            deal = [[0] * len(unseen) for _ in range(TAKERS)]
            for c, t in zip(classes, takers, strict=True):
                deal[t][c] += 1
            if [sum(row) for row in deal] == free:
                ways[tuple(map(tuple, deal))] += 1
    return ways


def packed(unseen: list[int], free: list[int], allowed: list[int]) -> tuple[int, int]:
    need = sum(int(CONFINED[a]) * n for a, n in zip(allowed, unseen, strict=True))
    return need, sum(int(PLACES[t]) * n for t, n in enumerate(free))


def dealt(rng: np.void, unseen: list[int], free: list[int], allowed: list[int]) -> Deal:
    need, room = packed(unseen, free, allowed)
    deal = [[0] * len(unseen) for _ in range(TAKERS)]
    for c, n in enumerate(unseen):
        for _ in range(n):
            taker = int(draw_taker(rng, need, room, allowed[c]))
            deal[taker][c] += 1
            need -= int(CONFINED[allowed[c]])
            room -= int(PLACES[taker])
    assert room == need == 0
    return tuple(map(tuple, deal))


@pytest.fixture
def rng() -> np.void:
    generator = addressable(np.zeros(1, RNG))[0]
    seed_stream(generator, entropy(4), 0)
    return generator


def test_every_deal_comes_up_and_no_draw_gets_stuck(rng: np.void) -> None:
    lots = random.Random(1)
    possible = 0
    for _ in range(60):
        unseen = [lots.randrange(3) for _ in range(4)]
        cuts = sorted(lots.randrange(sum(unseen) + 1) for _ in range(2))
        free = [cuts[0], cuts[1] - cuts[0], sum(unseen) - cuts[1]]
        allowed = [lots.randrange(8) for _ in unseen]
        deals = every_deal(unseen, free, allowed)
        assert can_be_placed(*packed(unseen, free, allowed)) == bool(deals)
        if deals:
            possible += 1
            found = {dealt(rng, unseen, free, allowed) for _ in range(60 * len(deals))}
            assert found == set(deals)
    assert possible > 10


@pytest.mark.parametrize("allowed", [[7, 7, 7], [3, 7, 7], [2, 3, 7], [5, 5, 7]])
def test_sets_of_takers_within_each_other_give_all_deals_alike(
    rng: np.void, allowed: list[int]
) -> None:
    unseen, free = [2, 1, 3], [2, 3, 1]
    deals = every_deal(unseen, free, allowed)
    times = 20_000
    found = Counter(dealt(rng, unseen, free, allowed) for _ in range(times))
    expected = {deal: times * ways / sum(deals.values()) for deal, ways in deals.items()}
    chi_square = sum((found[deal] - e) ** 2 / e for deal, e in expected.items())
    assert chi_square < len(deals) + 4 * (2 * len(deals)) ** 0.5
