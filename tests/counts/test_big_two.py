"""Big two against numbers known from elsewhere: plays of the deck, of hands, and small endings."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from qipai.envs.big_two import ACTIONS_WIDTH, KEY, KIND, NAMES, five_of, play_of
from qipai.envs.kernel import kernel
from qipai.envs.layout import NONE
from tests.big_two_positions import Position, text, whole_deck

DECK = {
    "single": 52,
    "pair": 78,
    "triple": 52,
    "straight": 10_200,
    "flush": 5_108,
    "full house": 3_744,
    "four and one": 624,
    "straight flush": 40,
}
WITH_D3 = {
    "single": 1,
    "pair": 3,
    "triple": 3,
    "straight": 765,
    "flush": 492,
    "full house": 360,
    "four and one": 60,
    "straight flush": 3,
}
STRENGTHS = {
    "single": 52,
    "pair": 39,
    "triple": 13,
    "straight": 40,
    "flush": 32,
    "full house": 13,
    "four and one": 13,
    "straight flush": 40,
}


def test_plays_of_the_deck():
    deck = whole_deck()
    assert deck.by_kind() == DECK and sum(DECK.values()) == 19_898
    assert len(deck.plays()) == 19_898  # each play has one sequence of steps
    used = deck.used()
    assert used[0] == 0 and (used[1:] > 0).all() and len(used) == ACTIONS_WIDTH == 490
    bodies, _ = deck.sets()
    strengths = {(KIND[b], KEY[b] // 4 if KIND[b] in (2, 5, 6) else KEY[b]) for b in bodies}
    counts = np.bincount([kind for kind, _ in strengths])
    assert counts.tolist() == list(STRENGTHS.values())


def test_plays_with_D3():
    deck = whole_deck()
    deck.s["hand"] = 0
    assert deck.by_kind() == WITH_D3 and sum(WITH_D3.values()) == 1_687


@kernel
def fives_of(sets, found):
    for k in range(len(sets)):
        found[k] = five_of(sets[k])


def test_every_set_of_five_cards():
    """Kind and key by counting ranks and suits, for all 2,598,960 sets."""
    cards = np.array(list(combinations(range(52), 5)), np.int64)
    found = np.zeros(len(cards), np.int64)
    fives_of((np.int64(1) << cards).sum(axis=1), found)
    ranks, suits = cards // 4, cards % 4
    flush = (suits == suits[:, :1]).all(axis=1)
    same = (ranks[:, :, None] == ranks[:, None, :]).sum(axis=2)  # of each card, with itself
    # Ranks as they are spelt in a straight: ace 1, 2, 3 … king 13, or ace 14.
    spelt = np.where(ranks >= 11, ranks - 10, ranks + 3)
    high_ace = np.where(spelt == 1, 14, spelt)
    straight, top = np.zeros(len(cards), bool), np.zeros(len(cards), np.int64)
    for values in (spelt, high_ace):
        row = (same == 1).all(axis=1) & (np.ptp(values, axis=1) == 4)
        straight |= row
        top[row] = cards[row, values[row].argmax(axis=1)]
    kind = np.full(len(cards), NONE)
    kind[straight], kind[flush], kind[straight & flush] = 3, 4, 7
    key = np.where(straight, top, cards[:, 4])
    for number, most, least in ((5, 3, 2), (6, 4, 1)):
        these = (same.max(axis=1) == most) & (same.min(axis=1) == least)
        kind[these] = number
        key[these] = np.where(same == most, cards, -1).max(axis=1)[these]
    plays = found != NONE
    assert (plays == (kind != NONE)).all()
    assert (KIND[found[plays]] == kind[plays]).all()
    best = key[plays]
    assert (KEY[found[plays]] == best).all()
    # A higher id is a higher play.
    order = np.argsort(found[plays], kind="stable")
    assert (np.diff(kind[plays][order] * 52 + best[order]) >= 0).all()


EXAMPLE_10 = "D3 H3 C4 S5 H6 D7 C7 H9 S10 DJ HQ SA S2"
DIAMONDS = " ".join(name for name in NAMES if name[0] == "D")
HANDS = {
    EXAMPLE_10: (23, 19, 6),
    DIAMONDS: (1_300, 31, 496),
    "S2 H2 C2 D2 SA HA CA DA SK HK CK DK D3": (214, 58, 4),
    "C3 D4 S4 H5 C5 S6 H7 C8 D8 S9 HJ CK D2": (36, 21, 0),
    "S3 S4 S5 S6 S8 S9 H3 H4 H5 C3 C4 D3 D4": (114, 46, 50),
}


@pytest.mark.parametrize(("cards", "counts"), HANDS.items())
def test_plays_of_a_hand(cards, counts):
    free, first = Position(cards), Position(cards, first=True)
    with_d3 = len(first.plays()) if "D3" in cards.split() else 0
    assert (len(free.plays()), len(free.legal), with_d3) == counts


@pytest.mark.parametrize("seed", range(8))
def test_plays_of_a_hand_are_its_sets_that_are_plays(seed):
    names = np.random.default_rng(seed).permutation(NAMES)[:13].tolist()
    sets = [
        " ".join(cards)
        for size in range(1, 14)
        for cards in combinations(names, size)
        if size < 6 or seed == 0
    ]
    wanted = {text(cards) for cards in sets if is_play(cards.split())}
    assert Position(" ".join(names)).plays() == wanted
    with_d3 = {cards for cards in wanted if "D3" in cards.split()}
    if with_d3:
        assert Position(" ".join(names), first=True).plays() == with_d3


def is_play(names: list[str]) -> bool:
    """Whether cards are a play, straight from the rules."""
    ranks = [name[1:] for name in names]
    counts = sorted(ranks.count(rank) for rank in set(ranks))
    if len(names) != 5:
        return len(names) < 4 and len(counts) == 1
    rows = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A"]
    row = any(set(rows[k : k + 5]) == set(ranks) for k in range(10))
    return row or len({name[0] for name in names}) == 1 or counts in ([2, 3], [1, 4])


@pytest.mark.parametrize(
    ("hands", "free", "with_d3"),
    [
        (("D3 S4", "C5 D5", "H6 S2", "C7 D7"), 66, 33),
        (("D3 H3 S4", "C4 D4 H9", "H5 D5 SA", "C6 D6 S2"), 27_404, 10_013),
    ],
)
def test_complete_continuations(hands, free, with_d3):
    assert Position(*hands).count_endings() == free
    assert Position(*hands, first=True).count_endings() == with_d3


def test_play_of_few_cards():
    for size in (1, 2, 3, 4):
        for cards in combinations(range(52), size):
            found = play_of(np.int64(sum(1 << card for card in cards)))
            alike = size < 4 and len({card // 4 for card in cards}) == 1
            assert (found != NONE) == alike
            if alike:
                assert KIND[found] == size - 1 and KEY[found] == max(cards)
