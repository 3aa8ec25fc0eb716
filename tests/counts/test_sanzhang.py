"""Sanzhang: numbers known from elsewhere, by the game's own kernels."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from qipai.envs import make_tables
from qipai.envs.kernel import kernel
from qipai.envs.parts.three_cards import A23, HANDS, hands_by_strength
from qipai.envs.parts.unseen_hands import HAND, special
from qipai.envs.sanzhang import (
    ACTIONS,
    CALL,
    choose_winners,
    kind_of,
    strength,
)
from tests.table import parse_cards

HIGH_TO_LOW = hands_by_strength(A23.LOWEST)[0][:, ::-1]  # all hands, by their strength


def table(**options: Any) -> np.void:
    """A table of two seats that owe nothing."""
    tables = make_tables("sanzhang", 1, seed=1, seats=2, fee=0, **options).state
    tables["stake"] = 0
    return tables[0]


@kernel
def value_hands(s, hands, strengths, kinds, specials):
    for i in range(len(hands)):
        for k in range(HAND):
            s.cards[0, k] = hands[i, k]
        strengths[i] = strength(s, 0)
        kinds[i] = kind_of(s, 0)
        specials[i] = special(s, 0)


def valued(**options: Any) -> tuple[np.ndarray, ...]:
    """Strength, kind, and whether it is special, of every hand."""
    values = tuple(np.zeros(HANDS, np.int64) for _ in range(3))
    value_hands(table(**options), HIGH_TO_LOW, *values)
    return values


@pytest.mark.parametrize(
    ("a23", "counts"),
    [
        ("lowest", (52, 48, 1_096, 720, 3_744, 16_440)),
        ("second", (52, 48, 1_096, 720, 3_744, 16_440)),
        ("none", (52, 44, 1_100, 660, 3_744, 16_500)),
    ],
)
def test_hands_by_kind(a23: str, counts: tuple[int, ...]) -> None:
    strengths, kinds, _ = valued(a23=a23)
    assert tuple(np.bincount(kinds)[::-1]) == counts
    assert len(np.unique(strengths)) == 741


@pytest.mark.parametrize(("distinct", "count"), [(True, 24), (False, 60)])
def test_special_hands(distinct: bool, count: int) -> None:
    assert valued(special_distinct=distinct)[2].sum() == count


@pytest.mark.parametrize("a23", [place.name.lower() for place in A23])
def test_equal_pairs(a23: str) -> None:
    """450,528 of the 407,170,400 ordered deals of two hands are ties."""
    strengths, _, _ = valued(a23=a23)
    bits = (np.int64(1) << HIGH_TO_LOW.astype(np.int64)).sum(axis=1)
    groups = [bits[strengths == place] for place in range(741)]
    ties = sum(int(((group[:, None] & group) == 0).sum()) for group in groups)
    assert ties == 450_528
    assert ties * 978_775 == HANDS * 18_424 * 1_083


@kernel
def open_all(s, own, hands, counts):
    """Open ``own`` against each hand it shares no card with; counts wins, ties and losses."""
    for i in range(len(hands)):
        apart = True
        for k in range(HAND):
            s.cards[0, k] = own[k]
            s.cards[1, k] = hands[i, k]
            for j in range(HAND):
                apart &= own[j] != hands[i, k]
        if apart:
            choose_winners(s)
            counts[0] += s.won[0] and not s.won[1]
            counts[1] += s.won[0] and s.won[1]
            counts[2] += s.won[1] and not s.won[0]


@pytest.mark.parametrize(
    ("hand", "outcomes"),
    [
        ("SA HA CA", (18_400, 0, 24)),
        ("SK HK CK", (18_396, 0, 28)),
        ("S2 H2 C2", (18_370, 0, 54)),
        ("C5 H3 S2", (43, 26, 18_355)),
        ("SA SK SQ", (18_378, 3, 43)),
        ("SA S3 S2", (18_337, 3, 84)),
        ("SA HK CQ", (17_409, 26, 989)),
        ("D4 H3 S2", (16_850, 26, 1_548)),
        ("SA C3 H2", (16_805, 26, 1_593)),
        ("SA HA CK", (16_792, 3, 1_629)),
        ("SA HK CJ", (13_672, 26, 4_726)),
        ("C3 S2 H2", (13_647, 3, 4_774)),
    ],
)
def test_opened_against_all_hands(hand: str, outcomes: tuple[int, int, int]) -> None:
    counts = np.zeros(3, np.int64)
    open_all(table(), np.array(parse_cards(hand), np.int8), HIGH_TO_LOW, counts)
    assert tuple(counts) == outcomes
    assert counts.sum() == 18_424


def test_there_are_7_actions() -> None:
    assert ACTIONS.width == 7


@pytest.mark.parametrize("seats", [2, 3, 6])
def test_calling_blind_to_the_cap(seats: int) -> None:
    """All-blind calling lasts exactly 99·seats + 1 decisions."""
    tables = make_tables("sanzhang", 1, seed=3, seats=seats)
    plies = 0
    while not tables.over[0]:
        tables.step(np.array([CALL]))
        plies += 1
    assert plies == 99 * seats + 1
