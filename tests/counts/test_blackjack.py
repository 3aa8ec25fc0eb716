"""Blackjack against exact chances: what two cards are, one hit busts, and house play ends on.

Everything is counted in whole numbers: ordered ways to draw cards from the deck, by the values of
what is drawn. Only at the end they are divided by all ways to draw so many cards.
"""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from functools import cache
from itertools import combinations
from math import perm

import numpy as np
import pytest

from qipai.envs.blackjack import (
    ACTIONS,
    CARDS,
    HOUSE_STANDS,
    NATURAL,
    TARGET,
    VALUE,
    VALUES,
    best,
)

Drawn = tuple[int, ...]  # how many cards of each value, aces first
DECK: Drawn = tuple(np.bincount(VALUE - 1, minlength=VALUES).tolist())
NOTHING: Drawn = (0,) * VALUES
BUST = 0


@cache
def points(drawn: Drawn) -> int:
    """The total of a hand, NATURAL or BUST."""
    total = int(best(sum((k + 1) * count for k, count in enumerate(drawn)), drawn[0] > 0))
    if total == TARGET and sum(drawn) == 2:
        return NATURAL
    return total if total <= TARGET else BUST


@cache
def plus(drawn: Drawn, k: int) -> Drawn:
    return (*drawn[:k], drawn[k] + 1, *drawn[k + 1 :])


def finals(decks: np.ndarray, stands: int) -> dict[Drawn, np.ndarray]:
    """All final hands of who hits below ``stands``, and in how many ways each deck gives them.

    ``decks`` (n, VALUES) are exact Python integers, so are the ways (n,).
    """
    ends: dict[Drawn, np.ndarray] = {}
    hands = {NOTHING: np.ones(len(decks), object)}
    while hands:
        longer: dict[Drawn, np.ndarray] = {}
        for drawn, ways in hands.items():
            for k in range(VALUES):
                if drawn[k] < DECK[k]:
                    hand = plus(drawn, k)
                    goes_on = sum(hand) < 2 or BUST < points(hand) < stands
                    into = longer if goes_on else ends
                    into[hand] = into.get(hand, 0) + ways * (decks[:, k] - drawn[k])
        hands = longer
    return ends


@cache
def house_play() -> dict[int, Fraction]:
    """The chance of each end of house play (R19) from a full deck."""
    chances: Counter[int] = Counter()
    for hand, ways in finals(np.array([DECK], object), HOUSE_STANDS).items():
        chances[points(hand)] += Fraction(ways[0], perm(CARDS, sum(hand)))
    return chances


@cache
def against_the_house(stands: int) -> tuple[Fraction, Fraction, Fraction]:
    """Chances to win, push and lose for a 閒 who hits below ``stands``, two seats, R19 bank."""
    hands = finals(np.array([DECK], object), stands)
    chances = [Fraction(0)] * 3
    stood = [hand for hand in hands if points(hand) != BUST]
    for hand in set(hands) - set(stood):
        chances[2] += Fraction(hands[hand][0], perm(CARDS, sum(hand)))
    ways = np.array([hands[hand][0] for hand in stood], object)
    mine = np.array([points(hand) for hand in stood])
    sizes = np.array([sum(hand) for hand in stood])
    decks = np.array(DECK, object) - np.array(stood, object)
    found: Counter[tuple[int, int]] = Counter()  # (result, cards drawn) → ways
    for bank, bank_ways in finals(decks, HOUSE_STANDS).items():
        both, theirs = ways * bank_ways, points(bank)
        for result, those in enumerate((mine > theirs, mine == theirs, mine < theirs)):
            for size in np.unique(sizes[those]):
                found[result, size + sum(bank)] += both[those & (sizes == size)].sum()
    for (result, size), count in found.items():
        chances[result] += Fraction(count, perm(CARDS, int(size)))
    return chances[0], chances[1], chances[2]


def test_two_cards() -> None:
    pairs = list(combinations(range(CARDS), 2))
    values = VALUE[pairs]
    naturals = sum(best(a + b, 1 in (a, b)) == TARGET for a, b in values.tolist())
    assert Fraction(naturals, len(pairs)) == Fraction(32, 663)
    assert Fraction(int((values[:, 0] == values[:, 1]).sum()), len(pairs)) == Fraction(29, 221)
    assert Fraction(sum(a // 4 == b // 4 for a, b in pairs), len(pairs)) == Fraction(1, 17)


@pytest.mark.parametrize("hard", range(12, 21))
def test_one_hit_busts(hard: int) -> None:
    bust = sum(best(hard + value, value == 1) > TARGET for value in VALUE.tolist())
    assert Fraction(bust, CARDS) == Fraction(hard - 8, 13)


HOUSE = {
    17: Fraction(16900326749, 115890875100),
    18: Fraction(1720028192521, 12458269073250),
    19: Fraction(305386637273, 2265139831500),
    20: Fraction(6570733132133, 37374807219750),
    21: Fraction(5503785210449, 74749614439500),
    NATURAL: Fraction(32, 663),
    BUST: Fraction(2039239971, 7190920100),
}


def test_house_play_from_a_full_deck() -> None:
    assert house_play() == HOUSE
    assert sum(house_play().values()) == 1


def test_two_seats_on_house_play() -> None:
    assert against_the_house(HOUSE_STANDS) == (
        Fraction(127702795461197514839, 309568800735889695000),
        Fraction(139504144125392812673, 1470451803495476051250),
        Fraction(2897437523717580172367, 5881807213981904205000),
    )


@pytest.mark.parametrize(
    ("stands", "mean"),
    [
        (12, -0.09919283),
        (13, -0.08737631),
        (14, -0.07780931),
        (15, -0.07327886),
        (16, -0.07454579),
        (17, -0.08009178),
        (18, -0.11494120),
    ],
)
def test_a_player_who_hits_below_a_threshold(stands: int, mean: float) -> None:
    won, push, lost = against_the_house(stands)
    assert won + push + lost == 1
    assert round(float(won - lost), 8) == mean
    if stands == 17:
        assert won - lost == Fraction(-78514068325804565071, 980301202330317367500)


def test_there_are_9_actions() -> None:
    assert ACTIONS.width == 9
