"""Complete hands of mahjong tiles, and how far a hand is from one.

A hand is complete as four sets and a pair (a set is a triplet or a run of three in a suit; those
laid on the table count), as seven pairs (four equal tiles are two) or as thirteen orphans (one of
each terminal and honour and one more of these).

Kernels take a hand as four *suits*: characters, dots, bamboos and honours, each an integer of one
octal digit per kind, the lowest kind lowest. Distances are looked up by suit in ``distances()``.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from itertools import combinations_with_replacement

import numpy as np

from qipai.envs.kernel import inlined, kernel
from qipai.envs.parts.tiles import COPIES, KINDS, RANKS

HONOURS = KINDS - 3 * RANKS
ONES = 0o111111111  # one tile of each kind of a suit
ENDS = 0o700000007  # where 1 and 9 are counted
HAND = 14

# --- Complete hands ----------------------------------------------------------------------------


@kernel
def tiles_in(suit):
    """How many tiles a suit has."""
    return ((suit & 0o707070707) + ((suit >> 3) & 0o707070707)) % 63  # digits of base 64


@kernel
def in_sets(suit):
    """Whether all tiles of a suit are in triplets and runs."""
    while suit > 0:
        runs = suit & 7  # that start at the lowest kind: three of them are as good as triplets
        if runs >= 3:
            runs -= 3
        if (suit >> 3) & 7 < runs or (suit >> 6) & 7 < runs:
            return False
        suit = (suit >> 3) - runs * 0o11
    return True


@kernel
def in_sets_and_pair(suit):
    """Whether all tiles of a suit but a pair are in triplets and runs."""
    for rank in range(RANKS):
        if (suit >> (3 * rank)) & 7 >= 2 and in_sets(suit - (2 << (3 * rank))):
            return True
    return False


@kernel
def in_triplets(suit, pairs):
    """Whether all tiles of a suit are in triplets and so many pairs."""
    while suit > 0:
        if suit & 7 == 2:
            pairs -= 1
        elif suit & 7 not in (0, 3):
            return False
        suit >>= 3
    return pairs == 0


@kernel
def sets_and_pair(characters, dots, bamboos, honours):
    """Whether a hand of 3n + 2 tiles is n sets and a pair."""
    a, b = tiles_in(characters) % 3, tiles_in(dots) % 3
    c, d = tiles_in(bamboos) % 3, tiles_in(honours) % 3
    if a == 1 or b == 1 or c == 1 or d == 1 or a + b + c + d != 2:
        return False
    return (
        in_triplets(honours, d // 2)
        and (in_sets(characters) if a == 0 else in_sets_and_pair(characters))
        and (in_sets(dots) if b == 0 else in_sets_and_pair(dots))
        and (in_sets(bamboos) if c == 0 else in_sets_and_pair(bamboos))
    )


@kernel
def triplets_and_pair(characters, dots, bamboos, honours):
    """Whether a hand of 3n + 2 tiles is n triplets and a pair."""
    a, b = tiles_in(characters) % 3, tiles_in(dots) % 3
    c, d = tiles_in(bamboos) % 3, tiles_in(honours) % 3
    return (
        a + b + c + d == 2
        and in_triplets(characters, a // 2)
        and in_triplets(dots, b // 2)
        and in_triplets(bamboos, c // 2)
        and in_triplets(honours, d // 2)
    )


@kernel
def size(characters, dots, bamboos, honours):
    """How many tiles a hand has."""
    return tiles_in(characters) + tiles_in(dots) + tiles_in(bamboos) + tiles_in(honours)


@kernel
def seven_pairs(characters, dots, bamboos, honours):
    """Whether a hand is seven pairs."""
    odd = (characters | dots | bamboos | honours) & ONES
    return odd == 0 and size(characters, dots, bamboos, honours) == HAND


@kernel
def both_ends(suit):
    """Whether a suit has 1 and 9 and nothing else."""
    return suit & ~ENDS == 0 and suit & 7 > 0 and suit >> 24 > 0


@kernel
def thirteen_orphans(characters, dots, bamboos, honours):
    """Whether a hand is thirteen orphans."""
    if not (both_ends(characters) and both_ends(dots) and both_ends(bamboos)):
        return False
    for k in range(HONOURS):
        if (honours >> (3 * k)) & 7 == 0:
            return False
    return size(characters, dots, bamboos, honours) == HAND


@kernel
def complete(characters, dots, bamboos, honours):
    """Whether the concealed tiles of a hand, 14 less 3 for each meld laid, complete it."""
    return (
        sets_and_pair(characters, dots, bamboos, honours)
        or seven_pairs(characters, dots, bamboos, honours)
        or thirteen_orphans(characters, dots, bamboos, honours)
    )


# --- Waits ---------------------------------------------------------------------------------------

BAD, IN_SETS, WITH_PAIR = range(3)  # what the tiles of a suit can be


@kernel
def form(suit, honours):
    """Whether all tiles of a suit are in sets, in sets and a pair, or neither."""
    more = tiles_in(suit) % 3
    if more == 0:
        whole = in_triplets(suit, 0) if honours else in_sets(suit)
        return IN_SETS if whole else BAD
    if more == 2:
        whole = in_triplets(suit, 1) if honours else in_sets_and_pair(suit)
        return WITH_PAIR if whole else BAD
    return BAD


@kernel
def forms(characters, dots, bamboos, honours):
    """The forms of the four suits."""
    return form(characters, False), form(dots, False), form(bamboos, False), form(honours, True)


@kernel
def waits(characters, dots, bamboos, honours, pairs):
    """The kinds one tile of which completes a hand of 3n + 1 tiles, as bits; with ``pairs`` also as
    seven pairs. Of a kind that is all in the hand there is none."""
    hand, of = (characters, dots, bamboos, honours), forms(characters, dots, bamboos, honours)
    found, bad = np.int64(0), 0
    for k in range(4):
        bad += of[k] == BAD
    for k in range(4 if bad < 2 else 0):
        if bad == 1 and of[k] != BAD:
            continue
        with_pair = 0  # of the other suits
        for j in range(4):
            with_pair += j != k and of[j] == WITH_PAIR
        for rank in range(HONOURS if k == 3 else RANKS):
            if (hand[k] >> (3 * rank)) & 7 < COPIES:
                then = form(hand[k] + (np.int64(1) << (3 * rank)), k == 3)
                if then != BAD and with_pair + (then == WITH_PAIR) == 1:
                    found |= np.int64(1) << (RANKS * k + rank)
    if pairs and size(characters, dots, bamboos, honours) == HAND - 1:
        odd, kind = 0, np.int64(0)
        for k in range(4):
            odd += tiles_in(hand[k] & ONES)
            for rank in range(RANKS):
                if (hand[k] >> (3 * rank)) & 1:
                    kind = np.int64(1) << (RANKS * k + rank)
        if odd == 1:
            found |= kind
    return found


@kernel
def may_wait(characters, dots, bamboos, honours):
    """Whether a hand of 3n + 2 tiles can wait after some discard, seven pairs included; True also
    for some that can't."""
    of, bad = forms(characters, dots, bamboos, honours), 0
    for k in range(4):
        bad += of[k] == BAD
    if bad <= 2:
        return True
    odd = tiles_in(characters & ONES) + tiles_in(dots & ONES)
    odd += tiles_in(bamboos & ONES) + tiles_in(honours & ONES)
    return odd <= 2 and size(characters, dots, bamboos, honours) == HAND


# --- Distances -----------------------------------------------------------------------------------

SETS = 4
GOALS = 2 * (SETS + 1)  # 0…4 sets, then the same with a pair
FAR = 15  # more than any distance; all fit in four bits


@functools.cache
def distances() -> tuple[np.ndarray, np.ndarray]:
    """How many tiles a suit lacks for each goal, for every possible suit; built when first asked.

    Two arrays of int64, for the suits with ranks (5^9,) and for the honours (5^7,), indexed by the
    counts of the kinds as digits of base 5, the lowest kind lowest. An entry has four bits for each
    goal: k sets in bits 4k…, k sets and a pair in bits 4(k + 5)…. Targets never have five tiles of
    a kind.
    """
    return _distances(RANKS, runs=True), _distances(HONOURS, runs=False)


def _distances(kinds: int, runs: bool) -> np.ndarray:
    shape = (COPIES + 1,) * kinds
    counts = np.indices(shape, np.int8).reshape(kinds, -1)
    tiles = counts.sum(axis=0, dtype=np.int8)
    one = np.eye(kinds, dtype=np.int8)
    sets = [3 * row for row in one]
    if runs:
        sets += [one[k] + one[k + 1] + one[k + 2] for k in range(kinds - 2)]
    weights = (COPIES + 1) ** np.arange(kinds)  # of the digits of an index
    table = np.zeros(len(tiles), np.int64)
    for goal in range(GOALS):
        size, pair = goal % (SETS + 1), goal > SETS
        targets = np.zeros(len(tiles), bool)
        for chosen in combinations_with_replacement(sets, size):
            start = sum(chosen, np.zeros(kinds, np.int8))
            ends = start + 2 * one if pair else start[None]
            ends = ends[ends.max(axis=1) <= COPIES]
            targets[ends @ weights] = True
        # A suit first drops what it has too much of, then draws up to the target.
        lacking = np.where(_spread(targets, np.logical_or, -1), 3 * size + 2 * pair - tiles, FAR)
        table |= _spread(lacking, np.minimum, 1).astype(np.int64) << (4 * goal)
    return table


def _spread(values: np.ndarray, ufunc: np.ufunc, step: int) -> np.ndarray:
    """Combine each value with those of all suits that have less of some kinds (``step`` 1) or more
    (−1), in place."""
    digit = 1
    while digit < len(values):
        rows = values.reshape(-1, COPIES + 1, digit)[:, ::step]
        for k in range(1, COPIES + 1):
            ufunc(rows[:, k], rows[:, k - 1], out=rows[:, k])
        digit *= COPIES + 1
    return values


@kernel
def join(one, two):
    """The distances of two suits taken together: entries of ``distances()``, or joined ones."""
    joined = 0
    for goal in range(GOALS):
        joined |= distance(one, two, goal) << (4 * goal)
    return joined


@kernel
def distance(one, two, goal):
    """How many tiles two suits taken together lack for a goal."""
    best = FAR
    for k in range(goal % (SETS + 1) + 1):
        best = min(best, ((one >> (4 * k)) & 15) + ((two >> (4 * (goal - k))) & 15))
        if goal > SETS:
            best = min(best, ((two >> (4 * k)) & 15) + ((one >> (4 * (goal - k))) & 15))
    return best


@kernel
def index(hand, first, n):
    """The index into ``distances()`` of n kinds of a row of counts."""
    found = 0
    for k in range(n - 1, -1, -1):
        found = found * (COPIES + 1) + hand[first + k]
    return found


@inlined
def goal_of(melds):
    """The goal of a hand beside so many melds: the rest of four sets, and a pair."""
    return SETS - melds + SETS + 1


@kernel
def sets_missing(hand, melds, ranks, honours):
    """How many tiles a row of counts beside so many melds lacks for four sets and a pair."""
    first = join(ranks[index(hand, 0, RANKS)], ranks[index(hand, RANKS, RANKS)])
    last = join(ranks[index(hand, 2 * RANKS, RANKS)], honours[index(hand, 3 * RANKS, HONOURS)])
    return distance(first, last, goal_of(melds))


@kernel
def pairs_missing(hand):
    """How many tiles a row of 13 or 14 tiles lacks for seven pairs."""
    pairs = 0
    for kind in range(KINDS):
        pairs += hand[kind] // 2
    return 7 - pairs


@kernel
def orphans_missing(hand):
    """How many tiles a row of 13 or 14 tiles lacks for thirteen orphans."""
    kinds, pair = 0, 0
    for kind in range(KINDS):
        if kind >= 3 * RANKS or kind % RANKS in (0, RANKS - 1):
            kinds += hand[kind] > 0
            if hand[kind] > 1:
                pair = 1
    return 14 - kinds - pair


@kernel
def missing(hand, melds, ranks, honours):
    """How many tiles a row of counts beside so many melds lacks to be complete."""
    best = sets_missing(hand, melds, ranks, honours)
    if melds == 0:
        best = min(best, pairs_missing(hand), orphans_missing(hand))
    return best


def shanten(hand: Sequence[int] | np.ndarray, melds: int = 0) -> int:
    """How many tiles a hand is away from ready: 0 ready, −1 complete.

    Args:
        hand: counts of the 34 kinds of concealed tiles, 13 less 3 for each meld laid or one more.
        melds: melds laid, 0…4.

    ValueError if there can be no such hand.
    """
    counts = np.asarray(hand)
    if not 0 <= melds <= SETS:
        raise ValueError(f"melds={melds}: expected 0…{SETS}")
    if counts.shape != (KINDS,) or not ((counts >= 0) & (counts <= COPIES)).all():
        raise ValueError(f"hand={counts.tolist()}: expected {KINDS} counts of 0…{COPIES}")
    least = HAND - 1 - 3 * melds
    if counts.sum() not in (least, least + 1):
        raise ValueError(
            f"hand has {counts.sum()} tiles: expected {least} or {least + 1} beside {melds} melds"
        )
    return int(missing(counts.astype(np.int8), np.int64(melds), *distances())) - 1
