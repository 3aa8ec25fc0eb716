"""The layout that is likeliest to win two of three segments.

Of the 72,072 layouts all without foul are looked at; a split of ten cards into middle and back is
looked at once, as only one way round is none. What a segment is worth is the share of random seats'
segments that it beats, and the three count as independent. ``BEATS`` tells those shares: random
seats lay like this bot, as it was in each of six rounds that begin with the house layout, in which
it took all rounds before for what random seats lay (tests/agents/test_rule_thirteen.py).

Before the cards every hand is even, and its layouts are better than most: it bets the highest
level.
"""

from __future__ import annotations

import functools
from itertools import combinations

import numpy as np

from qipai.envs.kernel import addressable, kernel
from qipai.envs.parts.bank import LEVELS
from qipai.envs.parts.cards import BIT, parse_card
from qipai.envs.thirteen import (
    ALL,
    BEHIND,
    BETTING,
    FIVES,
    FRONT,
    HAND,
    LEVEL,
    MIDDLE,
    PLACE,
    ROOM,
    THREES,
    LowAce,
    five_value,
    front_value,
    house_layout,
    is_below,
    segment_of,
    set_laid,
    set_placed,
    value_of_five,
    value_of_three,
)

# --- Shares --------------------------------------------------------------------------------------

# Of all that random seats lay, what divides 128 equal shares, from low to high.
BEATS = {
    "front": (
        "S7 S6 D3|H9 H6 S4|C10 H5 D3|S10 S9 C2|SJ S6 S3|DJ H9 S2|HJ C10 C7|CQ H6 H2|SQ C8 C5|"
        "SQ S10 H2|SQ H10 C9|CQ CJ C8|HQ HJ C10|DK D6 S5|SK H8 D5|SK H9 C7|DK H10 C6|CK DJ D4|"
        "CK CJ S8|DK DJ S10|HK DQ S3|SK CQ D7|DK SQ S9|CK DQ D10|DK CQ HJ|SK DQ DJ|HA H5 S4|"
        "HA S7 C5|SA H8 D6|DA S9 D7|DA D10 D5|DA C10 C8|DA HJ D2|CA SJ H6|CA CJ D8|HA CJ H9|"
        "SA DJ H10|CA SQ D5|HA SQ D7|SA HQ D8|HA SQ H9|DA SQ C10|SA CQ D10|CA SQ DJ|SA DQ HJ|"
        "HA DK S4|SA CK D6|CA CK H8|DA DK C9|DA SK C10|CA CK C10|SA SK C10|CA HK CJ|HA CK HJ|"
        "DA DK CQ|CA DK CQ|HA DK CQ|SA CK HQ|D6 C2 D2|HJ H2 C2|C5 S3 C3|S10 H3 D3|H4 C4 C3|"
        "C6 H4 C4|D10 S4 D4|S5 H5 C3|D8 S5 H5|SQ H5 C5|S6 H6 C3|S8 S6 D6|DJ S6 H6|CA S6 C6|"
        "S7 D7 C6|H9 S7 D7|SJ C7 D7|SQ S7 H7|S8 H8 C4|S8 D8 D7|C10 S8 H8|CQ H8 D8|DK S8 C8|"
        "S9 H9 C3|S9 D9 C6|C9 D9 S8|C10 S9 D9|HQ H9 D9|DK S9 C9|S10 H10 H3|H10 C10 S7|"
        "S10 D10 C8|S10 D10 C9|SQ C10 D10|CK C10 D10|DA H10 C10|HJ CJ C4|SJ CJ D5|HJ DJ S8|"
        "HJ CJ D9|SJ DJ H9|CQ CJ DJ|HQ SJ HJ|HK SJ CJ|HA SJ CJ|SQ HQ H4|SQ CQ D7|SQ HQ D8|"
        "CQ DQ D10|SQ DQ H10|SQ DQ DJ|SK CQ DQ|HA CQ DQ|CA SQ CQ|HK CK C5|SK DK H7|HK DK C8|"
        "SK CK D9|SK DK C10|SK DK HJ|SK HK HQ|HA HK DK|DA SK HK|HA CA C5|SA CA C8|HA DA D10|"
        "HA CA HQ|CA DA HK|SA HA DK"
    ),
    "middle": (
        "CA H9 C7 C4 S2|H9 H5 D4 H3 C3|CK HQ HJ S4 D4|CQ C10 C9 S5 D5|C10 H6 C6 H5 H4|"
        "C8 H7 C7 H6 S4|CQ H9 D8 H7 D7|H8 C8 D7 C6 H4|DJ S8 D8 S5 H2|H9 C9 D6 D3 S2|"
        "S9 C9 D8 D4 H3|SJ C9 D9 S5 S4|S10 H10 C5 D4 D2|H10 D10 H7 H6 S5|S10 H10 D9 C7 D3|"
        "SQ H10 C10 H9 S7|SJ DJ D5 C4 C2|CJ DJ H7 D6 H5|HJ DJ S9 D4 H3|CJ DJ S10 S5 C3|"
        "DQ SJ HJ H8 H2|CK HQ SJ DJ D6|CQ DQ H7 C3 S2|HQ CQ S8 D6 S2|SQ HQ D9 C7 S3|"
        "HQ CQ S10 H5 H3|HQ DQ DJ H5 H4|CK SQ HQ C7 C2|DK SQ CQ D10 H4|HK DK C6 S3 C2|"
        "HK DK S7 H6 D5|SK DK C9 D3 C2|HK DK H10 C4 D2|SK CK C10 D8 S5|SK DK SJ H7 H4|"
        "SK DK HQ S4 D3|SK HK DQ H10 S3|DA SK HK C4 C3|HA CK DK C10 D8|HA DA C7 H3 C2|"
        "SA DA S8 D7 D3|SA HA H9 S7 D5|SA DA D10 H6 C4|CA DA DJ S5 S4|SA CA CJ H10 S8|"
        "SA HA CQ H7 C6|CA DA SQ D10 S5|SA DA DK C5 D2|SA DA CK D8 S2|HA CA SK D10 D6|"
        "HA CA SK SQ H6|D8 S3 H3 S2 D2|S4 D4 H3 D3 H2|C8 S5 H5 H2 C2|C5 D5 H4 C4 C3|"
        "C6 D6 C5 C2 D2|C6 D6 S4 C4 S3|H7 S6 C6 S5 C5|H7 D7 H4 S3 D3|H7 D7 H5 D5 H4|"
        "S8 C7 D7 H6 D6|C8 D8 D5 H3 C3|S8 H8 S5 D5 H3|S8 D8 S6 C6 S5|D10 H8 C8 S7 H7|"
        "S9 H9 S4 H4 C3|C9 D9 H7 D7 H2|H9 D9 H8 D8 S4|C10 D10 D5 S3 D3|H10 D10 C6 D6 C2|"
        "H10 C10 H8 D8 H2|C10 D10 H9 D9 H8|SJ HJ S5 C5 C4|SJ CJ H8 C8 D7|CQ DQ D7 S2 D2|"
        "SQ HQ H6 C6 S4|HK CK H4 H2 C2|HK CK DJ C4 D4|SK CK H8 C8 H3|CA DA S4 S2 H2|"
        "SA CA C6 D6 H4|SA DA HJ DJ S4|C9 C5 H2 C2 D2|D7 H3 C3 D3 H2|D7 H4 S3 H3 C3|"
        "S5 S4 H4 D4 C2|D6 H5 C5 D5 H2|S10 S6 H6 D6 S5|S7 H7 C7 C5 H4|H7 C7 D7 H4 D2|"
        "S8 H8 C8 C7 C5|H10 C10 D10 H4 C3|HJ CJ DJ D6 H5|SQ HQ DQ S3 C2|D6 H5 D4 H3 D2|"
        "H6 C5 H4 H3 C2|S6 C5 S4 S3 D2|C7 D6 S5 C4 H3|S7 S6 C5 C4 D3|D8 S7 C6 C5 C4|"
        "H8 C7 C6 H5 S4|D9 H8 H7 S6 H5|H9 D8 S7 C6 S5|D10 D9 D8 C7 S6|H10 C9 S8 C7 D6|"
        "S10 D9 S8 D7 C6|HJ D10 C9 H8 C7|SJ C10 H9 D8 H7|HQ CJ H10 S9 D8|SQ HJ D10 H9 S8|"
        "HK SQ SJ D10 C9|DA S5 S4 S3 S2|CA S5 C4 S3 D2|HA S5 C4 S3 D2|SA H5 D4 H3 C2|"
        "DJ D9 D6 D5 D2|DK D9 D6 D5 D4|DA D10 D7 D3 D2|DA DK D10 D6 D5|CQ C9 C6 C4 C3|"
        "CK CJ C10 C9 C6|CA CQ CJ C5 C4|HQ H8 H5 H4 H3|HK HQ H9 H8 H5|S9 S7 S6 S4 S3|"
        "SA SJ S10 S8 S2|S6 H6 C6 S5 C5"
    ),
    "back": (
        "SA CA H5 C4 D3|S4 D4 H3 C3 C2|S6 D6 D3 S2 D2|H7 C7 S3 S2 C2|H7 C7 S6 D6 C3|"
        "H8 C8 H6 S4 H4|S9 D9 H4 S2 H2|H9 C9 S8 S4 C4|S10 D10 C4 H2 C2|C10 D10 S5 C5 H2|"
        "SJ DJ D4 H2 D2|SJ DJ H4 D4 S2|SJ CJ H9 C9 C6|HQ DQ D7 S4 D4|HK CK D7 C2 D2|"
        "SA CA S5 C5 D4|S9 H9 C9 S3 S2|D6 D5 C4 D3 C2|H6 C5 C4 H3 S2|D7 S6 D5 H4 C3|"
        "H7 C6 S5 H4 H3|S7 S6 S5 H4 C3|C8 D7 C6 H5 S4|S8 C7 C6 S5 S4|D9 S8 C7 S6 S5|"
        "H9 H8 S7 C6 C5|S9 C8 C7 D6 D5|C10 D9 D8 D7 H6|H10 D9 D8 H7 S6|S10 S9 C8 S7 C6|"
        "CJ D10 H9 D8 H7|HJ D10 S9 S8 D7|SJ H10 H9 D8 S7|CQ SJ C10 S9 S8|HQ HJ C10 S9 C8|"
        "SQ HJ S10 S9 H8|CK SQ HJ D10 C9|SK SQ DJ H10 S9|DA CK HQ SJ S10|CA CK HQ SJ D10|"
        "CA DK HQ SJ D10|HA D5 C4 C3 H2|HA H5 C4 D3 D2|SA SK CQ HJ S10|SA DK CQ HJ H10|"
        "D9 D6 D5 D3 D2|DJ D9 D8 D6 D5|DQ D10 D8 D6 D5|DK D9 D8 D6 D2|DK DQ D8 D7 D6|"
        "DA DJ D6 D4 D2|DA DK D9 D4 D2|C10 C7 C6 C3 C2|CJ C10 C7 C6 C5|CQ C10 C9 C6 C5|"
        "CK C9 C8 C3 C2|CK CQ C8 C4 C3|CA C9 C8 C3 C2|CA CQ C8 C7 C6|CA CK CQ C4 C2|"
        "H10 H8 H6 H5 H4|HJ H9 H8 H6 H5|HQ H9 H8 H6 H5|HQ HJ H10 H6 H5|HK H10 H8 H7 H5|"
        "HK HQ H8 H3 H2|HA H9 H6 H3 H2|HA HJ H8 H7 H2|HA HQ HJ H7 H6|HA HK HJ H8 H5|"
        "S9 S8 S6 S5 S3|SJ S7 S6 S4 S3|SJ S10 S9 S7 S2|SQ S10 S7 S6 S3|SQ SJ S10 S4 S3|"
        "SK S10 S6 S3 S2|SK SJ S9 S8 S2|SK SQ S10 S8 S2|SA S9 S8 S6 S3|SA SJ S8 S6 S3|"
        "SA SQ S9 S7 S6|SA SK S9 S5 S2|SA SK SQ S10 S2|S3 D3 S2 H2 D2|H6 C6 S2 C2 D2|"
        "S5 H5 H3 C3 D3|S9 C9 H3 C3 D3|H9 C9 S4 H4 D4|C10 D10 S4 H4 D4|S5 H5 S4 H4 C4|"
        "HQ CQ S5 C5 D5|S5 H5 D5 H2 C2|C8 D8 S6 C6 D6|H8 C8 S6 C6 D6|H7 C7 H6 C6 D6|"
        "C8 D8 S7 H7 D7|H7 C7 D7 C6 D6|S7 H7 C7 H6 D6|H9 C9 H8 C8 D8|H8 C8 D8 S4 C4|"
        "H8 C8 D8 C2 D2|S9 H9 D9 S5 C5|S9 H9 C9 S4 C4|S9 C9 D9 S3 D3|S10 H10 D10 H3 C3|"
        "H10 C10 D10 H8 C8|H10 C10 D10 H4 C4|S10 H10 C10 S5 C5|SJ HJ CJ H10 D10|SJ HJ DJ S9 D9|"
        "HJ CJ DJ S2 D2|SQ CQ DQ SJ DJ|SQ HQ DQ C4 D4|HQ CQ DQ H3 C3|SK HK CK H2 C2|"
        "SK CK DK S10 H10|SK HK CK S10 H10|HK CK DK H3 C3|HA CA DA CJ DJ|HA CA DA S3 D3|"
        "SA HA CA H3 C3|SA CA DA S2 C2|D5 S2 H2 C2 D2|S6 H6 C6 D6 D2|S9 H9 C9 D9 H8|"
        "SQ HQ CQ DQ D5|C7 C6 C5 C4 C3"
    ),
}


def values(segment: str, low_ace: LowAce) -> list[int]:
    """What the segments of ``BEATS`` are worth, in order."""
    found = []
    for text in BEATS[segment].split("|"):
        cards = sorted((np.int64(parse_card(name)) for name in text.split()), reverse=True)
        value = value_of_three if len(cards) == ROOM[FRONT] else value_of_five
        rule = () if len(cards) == ROOM[FRONT] else (np.int64(low_ace),)
        found.append(value(*cards, *rule))
    return sorted(int(value) for value in found)


# --- Layouts -------------------------------------------------------------------------------------

MEMO = 1021  # layouts remembered, as one is asked for card by card
WORK = np.dtype(
    [
        ("values", np.int64, (ALL + 1,)),  # of each set of three or five of the cards
        ("middle", np.float64, (ALL + 1,)),  # share that a set beats as middle
        ("back", np.float64, (ALL + 1,)),
        # Layouts that were found: of which cards, with which rule, front and middle.
        ("cards", np.int64, (MEMO,)),
        ("low_ace", np.int64, (MEMO,)),
        ("fronts", np.int64, (MEMO,)),
        ("middles", np.int64, (MEMO,)),
    ]
)


@functools.cache
def splits() -> np.ndarray:
    """For each front one half of every split of the other ten cards, int16 (286, 126)."""
    rows = []
    for front in THREES.tolist():
        first, *others = [1 << k for k in range(HAND) if not front >> k & 1]
        rows.append([first + sum(four) for four in combinations(others, 4)])
    return np.array(rows, np.int16)


@functools.cache
def beaten() -> np.ndarray:
    """The values of ``BEATS``, int64 (places of the low ace, segments, n)."""
    return np.array([[values(segment, ace) for segment in BEATS] for ace in LowAce], np.int64)


def work() -> tuple[np.ndarray, ...]:
    """The room and the tables that ``choose`` needs."""
    return addressable(np.zeros(1, WORK)), beaten(), splits()


@kernel
def share(beaten, value):
    """The share of segments that one of this value beats."""
    low, high = 0, len(beaten)
    while low < high:
        middle = (low + high) // 2
        if beaten[middle] < value:
            low = middle + 1
        else:
            high = middle
    return (low + 0.5) / (len(beaten) + 1)


@kernel
def fill(v, seat, w, beaten):
    """What each five of a seat's cards is worth as middle and as back."""
    for i in range(len(FIVES)):
        cards = FIVES[i]
        value = five_value(v, seat, cards)
        w.values[cards] = value
        w.middle[cards] = share(beaten[MIDDLE], value)
        w.back[cards] = share(beaten[BEHIND], value)


@kernel
def best_layout(v, seat, front, middle, count, w, beaten, splits):
    """Front and middle of the best layout that begins with ``count`` cards, these sets of them in
    front and middle; both 0 if all such are fouls."""
    placed = set_placed(count)
    fill(v, seat, w, beaten)
    best, best_front, best_middle = -1.0, np.int64(0), np.int64(0)
    for i in range(len(THREES)):
        ahead = THREES[i]
        if ahead & placed != front:
            continue
        front_worth = front_value(v, seat, ahead)
        wins = share(beaten[FRONT], front_worth)
        for j in range(splits.shape[1]):
            between = np.int64(splits[i, j])
            behind = ALL ^ ahead ^ between
            if w.values[between] > w.values[behind]:
                between, behind = behind, between
            if between & placed != middle or not is_below(front_worth, w.values[between]):
                continue
            one, two = w.middle[between], w.back[behind]
            both = one * two
            chance = both + wins * (one + two - 2 * both)
            if chance > best:
                best, best_front, best_middle = chance, ahead, between
    return best_front, best_middle


@kernel
def choose(v, mask, rng, work):
    """The action for the view ``v`` of the seat to act."""
    if v.phase == BETTING:
        level = LEVELS - 1
        while not mask[LEVEL + level]:
            level -= 1
        return LEVEL + level
    w, seat = work[0][0], v.turn
    front, middle, placed = (
        set_laid(v, seat, FRONT),
        set_laid(v, seat, MIDDLE),
        set_placed(v.placed),
    )
    cards = np.int64(0)
    for k in range(HAND):
        cards |= BIT[v.cards[seat, k]]
    at = cards % MEMO
    known = w.cards[at] == cards and w.low_ace[at] == v.rules.low_ace
    if not (known and w.fronts[at] & placed == front and w.middles[at] & placed == middle):
        fronts, middles = best_layout(
            v, seat, front, middle, v.placed, w, work[1][v.rules.low_ace], work[2]
        )
        if fronts == 0:
            fronts, middles = house_layout(v, seat, front, middle, v.placed)
        w.cards[at], w.low_ace[at] = cards, v.rules.low_ace
        w.fronts[at], w.middles[at] = fronts, middles
    return PLACE + segment_of(w.fronts[at], w.middles[at], v.placed)
