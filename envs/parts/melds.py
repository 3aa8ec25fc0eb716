"""Complete hands of mahjong tiles, and how far a hand is from one.

A hand is complete as four sets and a pair (a set is a triplet or a run of three in a suit; those
laid on the table count), as seven pairs (four equal tiles are two) or as thirteen orphans (one of
each terminal and honour and one more of these).

Kernels take a hand as four *suits*: characters, dots, bamboos and honours, each an integer of one
octal digit per kind, the lowest kind lowest. Distances are looked up by suit in ``distances()``.
"""

from __future__ import annotations

import functools
from itertools import combinations_with_replacement

import numpy as np

from qipai.envs.kernel import kernel
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
