"""Doudizhu against numbers known from elsewhere: the deck's moves, its deals, small endings."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from math import comb

import numpy as np
import pytest

from qipai.envs.doudizhu import BODY, BODY_LENGTH, DECK, GAME
from qipai.envs.layout import NONE
from qipai.envs.parts.ranks import cards_text
from qipai.envs.tables import Tables
from tests.doudizhu_positions import KINDS, Position

STANDARD = {"kickers": "standard"}
DISTINCT = {"kickers": "distinct"}
LOOSE = {"kickers": "loose"}
OPENSPIEL = {"kickers": "loose", "four_two": False}

# Kind and length of the main part → moves out of the full deck.
FULL_DECK = {
    ("single", 1): 15,
    ("pair", 1): 13,
    ("trio", 1): 13,
    ("trio+1", 1): 182,
    ("trio+2", 1): 156,
    **{("run", length): 13 - length for length in range(5, 13)},  # 36
    **{("pair run", length): 13 - length for length in range(3, 11)},  # 52
    **{("trio run", length): 13 - length for length in range(2, 7)},  # 45
    ("plane+1", 2): 968,
    ("plane+1", 3): 3282,
    ("plane+1", 4): 7184,
    ("plane+1", 5): 10388,
    ("plane+2", 2): 605,
    ("plane+2", 3): 1200,
    ("plane+2", 4): 1134,
    ("four+1+1", 1): 1326,
    ("four+2+2", 1): 858,
    ("bomb", 1): 13,
    ("rocket", 2): 1,
}


def full_deck(**options) -> Position:
    """All 54 cards in the hands of the leader."""
    position = Position(cards_text(DECK), "", "", **options)
    position.s["left"] = DECK.sum(), 17, 17
    return position


def by_kind(position: Position) -> Counter[tuple[str, int]]:
    first, _ = position.found()
    return Counter((KINDS[a], int(BODY_LENGTH[a - BODY])) for a in first)


def card_sets(position: Position) -> int:
    _, cards = position.found()
    return len(np.unique(cards, axis=0))


def test_standard_moves_of_the_full_deck():
    assert by_kind(full_deck()) == FULL_DECK
    assert sum(FULL_DECK.values()) == 27_471
    assert card_sets(full_deck()) == 27_471  # no set of cards has two meanings


def test_distinct_moves_of_the_full_deck():
    planes = {2: 847, 3: 2100, 4: 2646, 5: 1568}
    expected = {**FULL_DECK, ("four+1+1", 1): 1170}
    expected |= {("plane+1", length): count for length, count in planes.items()}
    assert by_kind(full_deck(**DISTINCT)) == expected
    assert sum(expected.values()) == 12_654
    assert card_sets(full_deck(**DISTINCT)) == 12_654


def test_loose_moves_of_the_full_deck():
    planes = {2: 968, 3: 3300, 4: 7344, 5: 10976}
    expected = FULL_DECK | {("plane+1", length): count for length, count in planes.items()}
    assert by_kind(full_deck(**LOOSE)) == expected
    assert sum(expected.values()) == 28_237
    assert card_sets(full_deck(**LOOSE)) == 27_845


def test_loose_moves_of_the_full_deck_without_four_two():
    counts = by_kind(full_deck(**OPENSPIEL))
    assert sum(counts.values()) == 26_053
    assert not {kind for kind, _ in counts} & {"four+1+1", "four+2+2"}
    assert card_sets(full_deck(**OPENSPIEL)) == 25_661


@pytest.mark.parametrize("options", [STANDARD, DISTINCT, LOOSE], ids=lambda o: o["kickers"])
def test_no_move_beats_itself(options):
    """The next seat, with all 54 cards too, is never offered the body that is on the table."""
    lead = full_deck(**options)
    lead.s["cards"][1] = DECK
    bodies = np.flatnonzero(lead.mask)
    assert len(bodies) == GAME.parse("SJBJ") - GAME.parse("3") + 1
    for body in bodies:
        after = lead.copy()
        GAME.apply(after.s, body)
        while after.s["body"] != NONE:
            GAME.apply(after.s, GAME.default(after.s))
        if GAME.action_name(body) == "SJBJ":  # nothing beats it: both others have passed
            assert after.log == ["0: SJBJ", "1: pass", "2: pass"]
        else:
            assert after.s["turn"] == 1 and not after.mask[body]


# --- Deals -------------------------------------------------------------------------------------


@pytest.mark.parametrize(("cards", "patterns"), [(17, 58_684_015), (20, 153_009_740)])
def test_rank_patterns_of_a_hand(cards, patterns):
    ways = [1]  # ways[n]: patterns of n cards of the ranks so far
    for held in DECK:
        ways = np.convolve(ways, np.ones(int(held) + 1, np.int64))
    assert ways[cards] == patterns


def chance_of_rocket(cards: int) -> Fraction:
    return Fraction(comb(52, cards - 2), comb(54, cards))


def expected_fours(cards: int) -> Fraction:
    return 13 * Fraction(comb(50, cards - 4), comb(54, cards))


def chance_of_a_four(cards: int) -> Fraction:
    """By inclusion and exclusion over the ranks held four times."""
    return sum(
        (-1) ** (n + 1) * comb(13, n) * Fraction(comb(54 - 4 * n, cards - 4 * n), comb(54, cards))
        for n in range(1, cards // 4 + 1)
    )


def test_chances_in_a_hand():
    assert chance_of_rocket(17) == Fraction(136, 1431)
    assert chance_of_rocket(20) == Fraction(190, 1431)
    assert expected_fours(17) == Fraction(140, 1431)
    assert expected_fours(20) == Fraction(95, 477)
    assert chance_of_a_four(17) == Fraction(9164971927, 95452143255)
    assert chance_of_a_four(20) == Fraction(22670621227, 119430459435)


@pytest.fixture(scope="module")
def deals() -> np.ndarray:
    """20,000 tables whose first bidder has called 3."""
    tables = Tables(GAME, 20_000, seed=54)
    tables.step(np.full(tables.n, GAME.parse("bid:3")))
    return tables.state


@pytest.mark.parametrize("cards", [17, 20])
def test_deals_have_rockets_and_fours_as_often_as_they_should(deals, cards):
    where = np.arange(len(deals))
    seat = deals["landlord"] if cards == 20 else (deals["landlord"] + 1) % 3
    hands = deals["cards"][where, seat]
    assert (hands.sum(axis=1) == cards).all()
    fours = (hands == 4).sum(axis=1)
    for seen, chance in (
        ((hands[:, -2:] == 1).all(axis=1), chance_of_rocket(cards)),
        (fours > 0, chance_of_a_four(cards)),
    ):
        spread = (float(chance * (1 - chance)) / len(deals)) ** 0.5
        assert abs(seen.mean() - float(chance)) < 4 * spread
    assert abs(fours.mean() - float(expected_fours(cards))) < 4 * fours.std() / len(deals) ** 0.5


# --- Leads and endings -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("hand", "counts", "first_steps"),
    [
        ("33334444555566667777", (201, 161, 205, 125), 68),
        ("333444555666777789TJ", (371, 311, 383, 345), 76),
        ("33344455566677788899", (361, 260, 377, 377), 89),
        ("333444555666778922SJBJ", (332, 265, 334, 334), 58),
        ("3336667779999SJBJ2", (86, 81, 86, 66), 30),
        ("3344556677889TJQKA22", (66, 66, 66, 66), 66),
    ],
)
def test_moves_on_lead(hand, counts, first_steps):
    leads = [
        Position(hand, "3" * 17, "3" * 17, **options)
        for options in (STANDARD, DISTINCT, LOOSE, OPENSPIEL)
    ]
    assert tuple(len(lead.moves()) for lead in leads) == counts
    assert len(leads[0].steps()) == first_steps


@pytest.mark.parametrize(
    ("hands", "counts"),
    [
        (("344SJ", "556", "722"), (1404, 772, 317)),
        (("3334", "556", "7BJ"), (192, 15, 2)),
        (("5579", "3468", "TTJ"), (3397, 6366, 5)),
    ],
)
def test_complete_continuations(hands, counts):
    assert tuple(Position(*hands, turn=leader).count_endings() for leader in range(3)) == counts


def landlord_wins(position: Position) -> bool:
    """With open hands and best play of all three, by full search."""
    s = position.s
    if s["ended"]:
        return bool(s["winner"] == s["landlord"])
    outcomes = map(landlord_wins, continuations(position))
    return any(outcomes) if s["turn"] == s["landlord"] else all(outcomes)


def continuations(position: Position) -> Iterator[Position]:
    for action in np.flatnonzero(position.mask):
        after = position.copy()
        GAME.apply(after.s, action)
        yield after


@pytest.mark.parametrize(
    ("hands", "moves", "winning"),
    [
        (("455578", "572", "368"), 9, "555+4"),
        (("567889T", "62BJ", "92"), 10, "56789T"),
        (("8899TTK", "JJ2", "TJ"), 8, "8899TT"),
    ],
)
def test_the_only_winning_lead(hands, moves, winning):
    lead = Position(*hands)
    assert len(lead.moves()) == moves
    assert [m for m in lead.moves() if landlord_wins(lead.copy().play(m))] == [winning]
