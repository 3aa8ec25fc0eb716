"""What three cards are worth, over the whole deck."""

from __future__ import annotations

import numpy as np
import pytest

from qipai.envs.kernel import kernel
from qipai.envs.parts.cards import parse_card
from qipai.envs.parts.three_cards import (
    A23,
    HAND_NAMES,
    HANDS,
    KIND,
    PAIR,
    STRENGTHS,
    STRONGEST,
    TRIPS,
    WORSE,
    hands_by_strength,
    is_235,
    strength_of,
)


@kernel
def write_strengths(hands, a23, strengths):
    for i in range(len(hands)):
        a, b, c = hands[i]
        strengths[i] = strength_of(a, b, c, a23)


@kernel
def write_235(hands, distinct, found):
    for i in range(len(hands)):
        a, b, c = hands[i]
        found[i] = is_235(a, b, c, distinct)


def cards(text: str) -> np.ndarray:
    """Hands of three cards, separated by commas."""
    return np.array([[parse_card(name) for name in hand.split()] for hand in text.split(",")])


def strengths_of(hands: np.ndarray, a23: int) -> np.ndarray:
    strengths = np.zeros(len(hands), np.int64)
    write_strengths(hands.astype(np.int64), np.int64(a23), strengths)
    return strengths


def specials(hands: np.ndarray, distinct: bool) -> np.ndarray:
    found = np.zeros(len(hands), np.bool_)
    write_235(hands.astype(np.int64), distinct, found)
    return found


every_a23 = pytest.mark.parametrize("a23", list(A23), ids=lambda a23: a23.name)


@pytest.mark.parametrize(
    ("a23", "counts"),
    [
        (A23.NONE, (52, 44, 1_100, 660, 3_744, 16_500)),
        (A23.LOWEST, (52, 48, 1_096, 720, 3_744, 16_440)),
        (A23.SECOND, (52, 48, 1_096, 720, 3_744, 16_440)),
    ],
)
def test_hands_by_kind(a23: int, counts: tuple[int, ...]) -> None:
    hands, _ = hands_by_strength(a23)
    kinds = KIND[a23, strengths_of(hands, a23)]
    assert tuple(np.bincount(kinds, minlength=len(HAND_NAMES))[::-1]) == counts
    assert sum(counts) == HANDS


@every_a23
def test_741_strengths(a23: int) -> None:
    hands, sorted_strengths = hands_by_strength(a23)
    strengths = strengths_of(hands, a23)
    assert (strengths == sorted_strengths).all()
    assert len({frozenset(hand) for hand in hands.tolist()}) == HANDS
    distinct, counts = np.unique(strengths, return_counts=True)
    assert distinct.tolist() == list(range(741)) == list(range(STRENGTHS))
    assert (np.cumsum(counts) == WORSE[a23, 1:]).all()
    assert (strengths_of(hands[:, [2, 0, 1]], a23) == strengths).all()
    assert strengths_of(cards("SA HA CA"), a23) == STRONGEST


@every_a23
def test_equal_pairs(a23: int) -> None:
    """450,528 of the 407,170,400 ordered deals of two hands are ties."""
    hands, _ = hands_by_strength(a23)
    bits = (np.int64(1) << hands.astype(np.int64)).sum(axis=1)
    ties = 0
    for start, stop in zip(WORSE[a23, :-1], WORSE[a23, 1:], strict=True):
        group = bits[start:stop]
        ties += int(((group[:, None] & group) == 0).sum())
    assert ties == 450_528
    assert HANDS * 18_424 == 407_170_400


def test_special_hands() -> None:
    hands, _ = hands_by_strength(A23.NONE)
    assert specials(hands, True).sum() == 24
    assert specials(hands, False).sum() == 60
    assert specials(cards("S2 H3 C5,C5 S2 H3,S2 S3 C5,S2 S3 S5,S2 H3 C4"), True).tolist() == [
        *(True, True, False, False, False),
    ]
    assert specials(cards("S2 S3 C5,S2 S3 S5,D5 C5 H3"), False).tolist() == [True, False, False]


def outcomes(hand: str, a23: int, beats: int = -1) -> tuple[int, int, int]:
    """Win, tie and loss against all hands of the other 49 cards.

    A special hand beats three aces, and all of a kind ``beats`` if there is one.
    """
    hands, strengths = hands_by_strength(a23)
    own = cards(hand)
    others = ~np.isin(hands, own).any(axis=1)
    hands, strengths = hands[others], strengths[others].astype(int)
    assert len(hands) == 18_424
    mine = int(strengths_of(own, a23)[0])
    weakest_beaten = STRONGEST if beats < 0 else int((KIND[a23] < beats).sum())
    if specials(own, True)[0]:
        strengths[strengths >= weakest_beaten] = -1
    if mine >= weakest_beaten:
        strengths[specials(hands, True)] = STRENGTHS
    return (
        int((strengths < mine).sum()),
        int((strengths == mine).sum()),
        int((strengths > mine).sum()),
    )


# A special hand beats three aces alone, and A23 is no run.
AGAINST_ALL_NONE = {
    "SA HA CA": (18_400, 0, 24),
    "SK HK CK": (18_420, 0, 4),
    "S2 H2 C2": (18_376, 0, 48),
    "S2 H3 C5": (4, 26, 18_394),
    "SA SK SQ": (18_378, 3, 43),
    "SA S2 S3": (18_145, 3, 276),
    "SA HK CQ": (17_409, 26, 989),
    "S2 H3 D4": (16_850, 26, 1_548),
    "SA HA CK": (16_822, 3, 1_599),
    "S2 H2 C3": (13_670, 3, 4_751),
    "SA HK CJ": (13_717, 26, 4_681),
    "SQ HJ C9": (7_498, 26, 10_900),
}

# A special hand beats all trips, and A23 is the lowest run.
AGAINST_ALL_LOWEST = {
    "SA HA CA": (18_400, 0, 24),
    "SK HK CK": (18_396, 0, 28),
    "S2 H2 C2": (18_370, 0, 54),
    "S2 H3 C5": (43, 26, 18_355),
    "SA SK SQ": (18_378, 3, 43),
    "SA S2 S3": (18_337, 3, 84),
    "SA HK CQ": (17_409, 26, 989),
    "S2 H3 D4": (16_850, 26, 1_548),
    "SA H2 C3": (16_805, 26, 1_593),
    "SA HA CK": (16_792, 3, 1_629),
    "SA HK CJ": (13_672, 26, 4_726),
    "S2 H2 C3": (13_647, 3, 4_774),
}


@pytest.mark.parametrize("hand", AGAINST_ALL_NONE)
def test_against_all_hands_without_a23(hand: str) -> None:
    assert outcomes(hand, A23.NONE) == AGAINST_ALL_NONE[hand]


@pytest.mark.parametrize("hand", AGAINST_ALL_LOWEST)
def test_against_all_hands_with_a23(hand: str) -> None:
    assert outcomes(hand, A23.LOWEST, beats=TRIPS) == AGAINST_ALL_LOWEST[hand]


ORDER = {
    A23.LOWEST: "SA HK DQ,CK HQ DJ,C4 H3 D2,CA H2 D3,CA HA DK",
    A23.SECOND: "SA HK DQ,CA H2 D3,CK HQ DJ,C4 H3 D2,CA HA DK",
    A23.NONE: "SA HK DQ,CK HQ DJ,C4 H3 D2,CA HA DK,CA HK DJ,CA H2 D4,CA H2 D3",
}


@every_a23
def test_place_of_a23(a23: int) -> None:
    strengths = strengths_of(cards(ORDER[a23]), a23).tolist()
    assert strengths == sorted(strengths, reverse=True)


@every_a23
def test_order_within_kinds(a23: int) -> None:
    rows = (
        "SA HA CA,SK HK CK,S2 H2 C2,SA SK SQ,D4 D3 D2,SA SK SJ,D5 D3 D2,SA HK CQ,S4 H3 C2",
        "SA HA CK,SA HA C2,SK HK CA,S2 H2 CA,S2 H2 C3,SA HK CJ,SA HJ C10,SK HQ C10,S5 H3 C2",
    )
    strengths = [v for row in rows for v in strengths_of(cards(row), a23).tolist()]
    assert strengths == sorted(strengths, reverse=True)
    equal = strengths_of(cards("SA HA CK,CA DA SK"), a23)
    assert equal[0] == equal[1]
    assert KIND[a23, equal[0]] == PAIR
