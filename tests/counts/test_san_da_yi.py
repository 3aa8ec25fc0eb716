"""San da yi against numbers known from elsewhere, and its moves told a second way."""

from __future__ import annotations

import random
from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from math import comb

import pytest

from qipai.envs.parts.ranks import SMALL_JOKER, cards_text
from qipai.envs.san_da_yi import ACTIONS, DECK, GAME, MOVES, PASS, SINGLES
from qipai.envs.tables import Tables
from tests.san_da_yi_positions import Position

# --- Actions and hands of the deck ---------------------------------------------------------------


def test_actions_and_whole_moves_by_name() -> None:
    assert ACTIONS.width == 410
    moves = {
        "single": 15, "pair": 13, "joker pair": 3, "triple": 13, "run": 36, "pair run": 86,
        "triple run": 94, "bomb": 117, "joker bomb": 2, "full body": 13,
    }  # fmt: skip
    widths = {r.name: len(r.names) for r in ACTIONS.ranges}
    assert {name: widths[name] for name in moves} == moves
    assert len(MOVES) == sum(moves.values())
    assert sum(moves.values()) - 13 + 13 * 12 == 535


def patterns(cards: int) -> int:
    """Hands of so many cards by rank."""
    ways = [1] + [0] * cards
    for most in DECK.tolist():
        ways = [sum(ways[max(0, n - most) : n + 1]) for n in range(cards + 1)]
    return ways[cards]


def test_hands_by_rank() -> None:
    assert patterns(25) == 6_924_837_543
    assert patterns(33) == 80_054_414_973


def no_four(cards: int) -> Fraction:
    """The odds of no natural four of a rank."""
    ways = [1] + [0] * cards
    for most in DECK.tolist():
        copies = [comb(most, k) if k < 4 else 0 for k in range(most + 1)]
        ways = [
            sum(copies[k] * ways[n - k] for k in range(min(n, most) + 1)) for n in range(cards + 1)
        ]
    return Fraction(ways[cards], comb(108, cards))


def jokers(held: int, cards: int) -> Fraction:
    return Fraction(comb(4, held) * comb(104, cards - held), comb(108, cards))


def fours(cards: int) -> Fraction:
    """The mean number of ranks with four natural cards or more."""
    ways = sum(comb(8, k) * comb(100, cards - k) for k in range(4, 9))
    return 13 * Fraction(ways, comb(108, cards))


def test_odds_of_jokers_and_of_natural_bombs() -> None:
    assert no_four(25) == Fraction(107149505652547649536, 424735613456274860769)
    assert jokers(0, 25) == Fraction(13612, 39697)
    assert jokers(4, 25) == Fraction(2530, 1071819)
    assert jokers(4, 33) == Fraction(2728, 357273)
    assert fours(25) == Fraction(1065599315, 1002922021)
    assert fours(33) == Fraction(7685568484, 3008766063)


def test_dealt_hands_have_these_odds() -> None:
    tables = Tables(GAME, 20_000, seed=11)
    hands = tables.state["cards"][:, 0]
    n = len(hands)
    for found, expected in (
        ((hands[:, :SMALL_JOKER] < 4).all(axis=1).sum(), no_four(25)),
        ((hands[:, SMALL_JOKER:].sum(axis=1) == 0).sum(), jokers(0, 25)),
    ):
        p = float(expected)
        assert abs(found - n * p) < 4 * (n * p * (1 - p)) ** 0.5
    mean = (hands[:, :SMALL_JOKER] >= 4).sum() / n
    assert abs(mean - float(fours(25))) < 0.03


# --- Moves and continuations of hands ------------------------------------------------------------


@pytest.mark.parametrize(
    ("hand", "three", "two", "steps"),
    [
        ("33344455566677788899TJQKA", 122, 127, 92),
        ("3444556778899TJJQKKA22SJBJ", 215, 219, 148),
        ("3333444455556666777788889999TTTTJ", 146, 153, 98),
        ("77778888SJSJBJBJ", 30, 31, 30),
        ("AAA222333444SJBJ", 45, 48, 37),
    ],
)
def test_moves_on_lead(hand: str, three: int, two: int, steps: int) -> None:
    position = Position(hand)
    assert len(position.moves()) == three
    assert len(position.legal) == steps
    assert len(Position(hand, run3_min=2).moves()) == two


@pytest.mark.parametrize(
    ("hands", "expected"),
    [
        (("34", "5SJ", "66", "7"), (22, 7, 4, 1)),
        (("33SJ", "44", "5BJ", "667"), (204, 142, 84, 86)),
        (("A2SJ", "22", "KKK", "3"), (16, 5, 42, 1)),
    ],
)
def test_complete_continuations(hands: tuple[str, ...], expected: tuple[int, ...]) -> None:
    assert tuple(Position(*hands, turn=leader).endings() for leader in range(4)) == expected


# --- A second way to tell moves: from the cards, by all their readings ---------------------------

PLACES = "A23456789TJQKA2"
NATURALS = "3456789TJQKA2"
Reading = tuple[int, str, dict[str, int]]  # height, name, cards it needs by rank


def readings(size: int) -> Iterator[tuple[str, list[Reading]]]:
    """Kind and length, and in it every move of so many cards, low to high."""
    for kind, width in (("pair", 2), ("triple", 3)):
        if size == width:
            yield kind, [(i, r * width, {r: width}) for i, r in enumerate(NATURALS)]
    if size >= 4:
        yield "bomb", [(i, r * size, {r: size}) for i, r in enumerate(NATURALS)]
    if size == 5:
        fulls = [(i, r, q) for i, r in enumerate(NATURALS) for q in NATURALS if q != r]
        yield "full", [(i, f"{r * 3}+{q * 2}", {r: 3, q: 2}) for i, r, q in fulls]
    for width, shortest in ((1, 5), (2, 3), (3, 3)):
        length = size // width
        if size % width == 0 and length >= shortest:
            found = []
            for low in range(2 if width == 1 else 0, 15 - length + (0 if width == 1 else 1)):
                ranks = PLACES[low : low + length]
                if (low >= 2 or low + length <= 13) and len(set(ranks)) == length:
                    name = "".join(r * width for r in ranks)
                    found.append((low, name, dict.fromkeys(ranks, width)))
            yield f"run {width}", found


def told(hand: dict[str, int], small: int, big: int) -> dict[str, str]:
    """The moves on lead, each from a sub-multiset of the hand by its highest readings."""
    ranks = list(hand)
    found = {}
    for counts in product(*(range(hand[r] + 1) for r in ranks), range(small + 1), range(big + 1)):
        *held, s, b = counts
        cards = {r: n for r, n in zip(ranks, held, strict=True) if n}
        text = "".join(r * n for r, n in cards.items()) + "SJ" * s + "BJ" * b
        size = sum(held) + s + b
        if len(cards) + (s > 0) + (b > 0) == 1 and size == 1:
            found[text] = text
        if not cards:
            if size == 2:
                found[text] = text
            elif size >= 3 and (b == 0 or s == small):  # small first
                found[f"jokers:{size}"] = text
            continue
        if b > 0 and s < small and s + b > 0:  # a big joker would stand in before a small one
            continue
        for kind, moves in readings(size):
            fits = []
            for height, name, needs in moves:
                parts = needs if "run" not in kind else {}
                if any(cards.get(r, 0) == 0 for r in parts) or len(cards) < 2 * ("run" in kind):
                    continue
                if all(n <= needs.get(r, 0) for r, n in cards.items()):
                    fits.append((height, name, needs))
            highest = max((height for height, _, _ in fits), default=0)
            for height, name, needs in fits:
                short = [r for r, n in needs.items() if cards.get(r, 0) < min(n, hand.get(r, 0))]
                if height == highest and not short:  # naturals first
                    found[name] = text
    return found


def test_moves_are_those_told_from_all_sets_of_cards() -> None:
    lots = random.Random(7)
    most = 0
    for _ in range(60):
        small, big = lots.choice([(0, 0), (1, 0), (0, 1), (1, 1), (2, 0), (2, 1), (1, 2), (2, 2)])
        start = lots.randrange(13)
        near = [PLACES[(start + k) % 13] for k in range(lots.randrange(3, 9))]
        hand = {r: lots.choice([0, 1, 1, 2, 2, 3]) for r in NATURALS if r in near}
        if lots.random() < 0.3:
            hand[near[0]] = lots.randrange(4, 7)
        hand = {r: n for r, n in hand.items() if n}
        text = "".join(r * n for r, n in hand.items()) + "SJ" * small + "BJ" * big
        expected = told(hand, small, big)
        assert Position(text).moves() == expected, text
        most = max(most, len(expected))
    assert most > 80


def test_no_move_beats_itself() -> None:
    position = Position(cards_text(DECK), run3_min=2)
    for action in range(int(SINGLES), int(SINGLES) + len(MOVES)):
        position.s["move"] = action
        assert position.mask[PASS] and not position.mask[action]
