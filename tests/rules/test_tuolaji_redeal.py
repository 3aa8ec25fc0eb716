"""What a seat of tuolaji can't see is redealt uniformly among the deals in which every compare
comes out as it did: against lists of all such deals, made with a ranking of the tests' own."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import combinations

import numpy as np
import pytest

from qipai.envs.layout import NONE
from qipai.envs.parts.unseen_hands import DECK as CARDS
from qipai.envs.tuolaji import GAME
from tests.table import parse_cards
from tests.tuolaji_positions import Position

Hand = tuple[int, ...]  # cards, highest first
SPECIAL = "S2 H3 C5"
FREE = ("DJ D9 H4", "S8 H6 C3", "SA HJ C5", "DQ D10 C7", "DK D7 C6")


def hand_of(cards: str) -> Hand:
    return tuple(sorted(parse_cards(cards), reverse=True))


def merit(hand: Hand) -> tuple[int, ...]:
    """What two hands are compared by, but for special ones."""
    ranks = [card // 4 for card in hand]
    suited = len({card % 4 for card in hand}) == 1
    run = ranks[0] - ranks[1] == ranks[1] - ranks[2] == 1
    if ranks[0] == ranks[2]:
        return (5, *ranks)
    if ranks[1] in (ranks[0], ranks[2]):
        return (1, ranks[1], sum(ranks) - 2 * ranks[1])
    return (4 if run and suited else 3 if suited else 2 if run else 0, *ranks)


def is_special(hand: Hand) -> bool:
    return [c // 4 for c in hand] == [3, 1, 0] and len({c % 4 for c in hand}) == 3


def better(one: Hand, two: Hand) -> bool:
    aces = (5, 12, 12, 12)
    if is_special(one) and merit(two) == aces:
        return True
    return merit(one) > merit(two) and not (merit(one) == aces and is_special(two))


def beaten_in(hand: Position, loser: int) -> tuple[int, int]:
    """Who beat a seat, and who began that compare."""
    return int(hand.s["beaten_by"][loser]), int(hand.s["beaten_in"][loser])


def comes_out(hand: Position, loser: int, hands: dict[int, Hand]) -> bool:
    winner, first = beaten_in(hand, loser)
    if first == loser:
        return not better(hands[loser], hands[winner])
    return better(hands[winner], hands[loser])


def unseen_hands(known: dict[int, Hand]) -> list[Hand]:
    seen = {card for hand in known.values() for card in hand}
    return list(combinations([c for c in reversed(range(CARDS)) if c not in seen], 3))


def drawn(hand: Position, viewer: int, n: int, *seats: int) -> list[tuple[Hand, ...]]:
    """The hands of these seats in ``n`` redeals, all else being in order."""
    tables = hand.redealt(viewer, n)
    for table in tables[:50]:
        assert GAME.census(table) == (1,) * CARDS
    return [tuple(tuple(row) for row in cards) for cards in tables["cards"][:, seats].tolist()]


def assert_uniform(sample: Sequence[tuple[Hand, ...]], deals: Sequence[tuple[Hand, ...]]) -> None:
    """Every deal is drawn about as often as any other, and no others are."""
    counts = Counter(sample)
    assert set(counts) <= set(deals)
    mean = len(sample) / len(deals)
    assert mean > 20
    chi_square = sum((counts[deal] - mean) ** 2 for deal in deals) / mean
    assert abs(chi_square - len(deals) + 1) < 5 * (2 * len(deals)) ** 0.5


def assert_alike(sample: list[Hand], hands: Counter[Hand]) -> None:
    """The sample's merits are spread like those of the weighted hands (Kolmogorov, Smirnov)."""
    found, expected = Counter(map(merit, sample)), Counter[tuple[int, ...]]()
    for one, weight in hands.items():
        expected[merit(one)] += weight
    total, gap, below, above = sum(expected.values()), 0.0, 0.0, 0.0
    for value in sorted(found | expected):
        below += found[value] / len(sample)
        above += expected[value] / total
        gap = max(gap, abs(below - above))
    assert gap < 2.3 / len(sample) ** 0.5  # by chance once in 20,000


def test_nothing_known_but_the_own_hand() -> None:
    hand = Position(*FREE[:3])
    hand.play("1 look+call", "2 call")
    n = 20_000
    tables = hand.redealt(1, n)
    unseen = [card for card in range(CARDS) if card not in parse_cards(FREE[1])]
    for cards in (tables["cards"][:, 0], tables["cards"][:, 2], tables["deck"][:, 49:]):
        counts = np.bincount(cards.ravel(), minlength=CARDS)[unseen]
        assert counts.sum() == 3 * n
        assert (abs(counts - 3 * n / 49) < 170).all()
    assert (tables["cards"][:, 1] == hand.s["cards"][1]).all()
    assert (tables["deck"][:, :9] == NONE).all()


def test_the_own_hand_too_before_it_is_looked_at() -> None:
    hand = Position(*FREE[:3])
    sample = [own for (own,) in drawn(hand, 1, 20_000, 1)]
    assert len(set(sample)) > 10_000
    assert_alike(sample, Counter(unseen_hands({})))


@pytest.mark.parametrize("began", [0, 1])
@pytest.mark.parametrize("own", ["SA HA CA", "D5 C3 H2", "D5 S3 D2"])
@pytest.mark.parametrize("shown", [SPECIAL, "C5 H4 C2"])
def test_an_own_hand_beaten_unseen_by_a_weak_one(own: str, shown: str, began: int) -> None:
    hand = Position(own, shown, "SK HJ C9")
    hand.play("1 call", "2 call", "0 call")
    if began == 0:
        hand.play("1 call", "2 call", "0 compare_1")
    else:
        hand.play("1 compare_2")
    known = {1: hand_of(shown)}
    if hand.s["beaten_by"][0] == 1:
        fits = [(h,) for h in unseen_hands(known) if comes_out(hand, 0, {0: h, **known})]
        assert_uniform(drawn(hand, 0, 60 * len(fits), 0), fits)
    else:
        own_hands = [h for h in unseen_hands(known) if comes_out(hand, 1, {0: h, **known})]
        assert_alike([one for (one,) in drawn(hand, 0, 10_000, 0)], Counter(own_hands))


def test_beaten_by_a_hand_that_was_beaten() -> None:
    """Three jacks saw three queens, which fell to one unseen hand, and that to another."""
    hand = Position("SJ HJ CJ", "SQ HQ CQ", "SK HK CK", "SA HA CA", "S9 H7 C2")
    hand.play("1 call", "2 call", "3 call", "4 call", "0 look+call", "1 call", "2 call")
    hand.play("3 call", "4 call", "0 compare_1", "1 compare_1", "2 compare_1")
    assert hand.s["beaten_by"][:4].tolist() == [1, 2, 3, NONE]
    known = {0: hand_of("SJ HJ CJ"), 1: hand_of("SQ HQ CQ")}
    first = [h for h in unseen_hands(known) if comes_out(hand, 1, {2: h, **known})]
    pairs = [
        (one, two)
        for one in first
        for two in unseen_hands({2: one, **known})
        if comes_out(hand, 2, {2: one, 3: two, **known})
    ]
    assert len(pairs) == 4 * 4 + 4 * 24  # aces over kings, and special hands over aces
    assert_uniform(drawn(hand, 0, 80 * len(pairs), 2, 3), pairs)
    everything = drawn(hand, 0, 3000, 2, 3, 4)
    assert all(len({*one, *two, *three}) == 9 for one, two, three in everything)


def joint(
    hand: Position, known: dict[int, Hand], low: int, high: int
) -> tuple[Counter[Hand], Counter[Hand]]:
    """How many deals give each of two hidden hands, of which ``high`` beat ``low``."""
    weights: tuple[Counter[Hand], Counter[Hand]] = Counter(), Counter()
    everything = unseen_hands(known)
    fits_low = [h for h in everything if fits(hand, known, low, h)]
    fits_high = [h for h in everything if fits(hand, known, high, h)]
    for one in fits_high:
        for two in fits_low:
            pair = {low: two, high: one}
            if not set(one) & set(two) and comes_out(hand, low, {**known, **pair}):
                weights[0][two] += 1
                weights[1][one] += 1
    return weights


def fits(hand: Position, known: dict[int, Hand], seat: int, cards: Hand) -> bool:
    """Whether a seat's compares with known hands come out."""
    hands = {**known, seat: cards}
    for loser in range(hand.seats):
        winner, _ = beaten_in(hand, loser)
        both = winner >= 0 and {loser, winner} <= set(hands)
        if both and not comes_out(hand, loser, hands):
            return False
    return True


@pytest.mark.parametrize("began", ["special", "aces"])
def test_three_aces_between(began: str) -> None:
    """Seat 0 saw the special hand of 1, which beat the unseen 2, which had beaten the unseen 3."""
    hand = Position("D2 D3 C8", SPECIAL, "SA HA CA", "DK D8 C4", "SJ H7 C9")
    hand.play("1 call", "2 call", "3 call", "4 call", "0 look+call")
    hand.play("1 call", "2 compare_1", "4 call")
    if began == "special":
        hand.play("0 call", "1 compare_1")
    else:
        hand.play("0 call", "1 call", "2 compare_4")
    hand.play("4 call", "0 compare_1")
    assert hand.s["beaten_by"][:4].tolist() == [NONE, 0, 1, 2]
    known = {0: hand_of("D2 D3 C8"), 1: hand_of(SPECIAL)}
    low, high = joint(hand, known, 3, 2)
    sample = drawn(hand, 0, 20_000, 3, 2)
    assert_alike([one for one, _ in sample], low)
    assert_alike([two for _, two in sample], high)


def test_a_seat_that_saw_nothing() -> None:
    """Seat 0 only knows that 1 beat 2, which had begun."""
    hand = Position("D2 D3 C8", "SA HA C9", "SK HK C4", "DK D8 C6")
    hand.play("1 call", "2 call", "3 call", "0 look+call", "1 call", "2 compare_3")
    assert hand.s["beaten_by"][:4].tolist() == [NONE, NONE, 1, NONE]
    known = {0: hand_of("D2 D3 C8")}
    hands = unseen_hands(known)
    sample = drawn(hand, 0, 20_000, 1, 2)
    assert all(not better(two, one) for one, two in sample)
    chance = np.random.default_rng(1)
    pairs: tuple[Counter[Hand], Counter[Hand]] = Counter(), Counter()
    for i, j in chance.integers(len(hands), size=(200_000, 2)).tolist():
        one, two = hands[i], hands[j]
        if not better(two, one) and not set(one) & set(two):
            pairs[0][one] += 1
            pairs[1][two] += 1
    assert_alike([one for one, _ in sample], pairs[0])
    assert_alike([two for _, two in sample], pairs[1])


def test_all_unseen_in_a_row() -> None:
    """Four compares that the seat took no part in, or took without a look."""
    hand = Position("S5 H4 C2", "S7 H5 C3", "S8 H7 C4", "S9 H8 D4", "SJ H9 C6")
    hand.play("1 call", "2 call", "3 call", "4 call", "0 call", "1 compare_1", "2 compare_1")
    hand.play("3 compare_1")
    assert hand.s["beaten_by"][:5].tolist() == [NONE, 2, 3, 4, NONE]
    for one, two, three, four in drawn(hand, 0, 500, 1, 2, 3, 4):
        assert not better(one, two)
        assert not better(two, three)
        assert not better(three, four)


def test_a_chain_of_strong_hands_without_the_aces() -> None:
    """The seat holds two aces and saw three tens: of what beat them, only a handful fits."""
    hand = Position("SA HA D2", "S10 H10 C10", "SJ HJ CJ", "SQ HQ CQ", "SK HK CK")
    hand.play("1 call", "2 call", "3 call", "4 call", "0 look+call", "1 call", "2 call")
    hand.play("3 call", "4 call", "0 compare_1", "1 compare_1", "2 compare_1")
    assert hand.s["beaten_by"][:5].tolist() == [1, 2, 3, NONE, NONE]
    trips = [list(combinations(range(4 * r + 3, 4 * r - 1, -1), 3)) for r in (9, 10, 11)]
    pairs = [(one, two) for low, high in combinations(trips, 2) for one in low for two in high]
    assert_uniform(drawn(hand, 0, 100 * len(pairs), 2, 3), pairs)


def test_a_winner_without_a_bounty() -> None:
    """Who wins unshown has neither trips nor a straight flush; who was shown needs no guess."""
    hand = Position(*FREE[:3])
    hand.play("1 call", "2 fold", "0 fold")
    winners = [one for (one,) in drawn(hand, 0, 5000, 1)]
    assert not any(merit(one)[0] in (4, 5) for one in winners)
    fits = [one for one in unseen_hands({}) if merit(one)[0] not in (4, 5)]
    assert_alike(winners, Counter(fits))
    others = [one for (one,) in drawn(hand, 0, 5000, 2)]
    assert any(merit(one)[0] in (4, 5) for one in others)


def test_a_bounty_tells_what_a_special_hand_has_beaten() -> None:
    hand = Position("SK H9 D4", SPECIAL, "SA HA CA")
    hand.play("1 call", "2 call", "0 call", "1 compare_1", "0 fold")
    assert hand.report["bounty"] == 50
    known = {1: hand_of(SPECIAL)}
    aces = [(h,) for h in unseen_hands(known) if merit(h) == (5, 12, 12, 12)]
    assert_uniform(drawn(hand, 0, 400, 2), aces)
    assert drawn(hand, 0, 1, 1) == [(hand_of(SPECIAL),)]
