"""Mahjong tiles: names, complete hands counted over the whole set, distances by brute force."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations_with_replacement, product
from math import comb

import numpy as np
import pytest

from qipai.envs.kernel import kernel
from qipai.envs.parts.melds import (
    both_ends,
    complete,
    in_sets,
    in_sets_and_pair,
    in_triplets,
    sets_and_pair,
    seven_pairs,
    shanten,
    thirteen_orphans,
    tiles_in,
)
from qipai.envs.parts.tiles import (
    COPIES,
    KINDS,
    TILE_NAMES,
    parse_tile,
    parse_tiles,
    tile_name,
    tile_names,
)

HAND = 14
SETS, PAIRS, BOTH, ORPHANS, ALL = range(5)


# --- Names -------------------------------------------------------------------------------------


def test_names_parse_back() -> None:
    assert [parse_tile(tile_name(kind)) for kind in range(KINDS)] == list(range(KINDS))
    assert " ".join(TILE_NAMES[25:]) == "8s 9s E S W N RD GD WD"
    assert parse_tiles("19m 5p ESW WDWD") == [
        parse_tile(name) for name in ("1m", "9m", "5p", "E", "S", "W", "WD", "WD")
    ]
    assert tile_names(counts("5p 5p RD 1m")) == ["1m", "5p", "5p", "RD"]
    with pytest.raises(ValueError, match="'0m' is no tile; a tile is a rank"):
        parse_tile("0m")
    with pytest.raises(ValueError, match="'x' in '12m x' is no tile"):
        parse_tiles("12m x")
    with pytest.raises(ValueError, match="tile 34 does not exist; tiles are 0…33"):
        tile_name(34)


# --- Suits -------------------------------------------------------------------------------------


def counts(text: str) -> np.ndarray:
    return np.bincount(parse_tiles(text), minlength=KINDS).astype(np.int8)


def suits(row: np.ndarray) -> tuple[int, int, int, int]:
    """A row of counts as parts/melds.py takes it."""
    octal = [
        sum(int(n) << (3 * k) for k, n in enumerate(part)) for part in np.split(row, [9, 18, 27])
    ]
    return octal[0], octal[1], octal[2], octal[3]


def all_suits(kinds: int) -> np.ndarray:
    """Every suit of up to 14 tiles, as a row of counts each."""
    rows = np.indices((COPIES + 1,) * kinds, np.int8).reshape(kinds, -1).T
    return np.ascontiguousarray(rows[rows.sum(axis=1) <= HAND])


def octal(rows: np.ndarray) -> np.ndarray:
    return (rows.astype(np.int64) << (3 * np.arange(rows.shape[1]))).sum(axis=1)


def built(kinds: int, runs: bool, pair: bool) -> set[int]:
    """Suits built from sets, and a pair if wanted, in octal digits."""
    sets = [3 << (3 * k) for k in range(kinds)]
    sets += [0o111 << (3 * k) for k in range(kinds - 2)] if runs else []
    pairs = [2 << (3 * k) for k in range(kinds)] if pair else [0]
    found = set()
    for n in range(5):
        for chosen in combinations_with_replacement(sets, n):
            for two in pairs:
                suit = sum(chosen) + two  # at most 14 of a kind: digits may carry
                rows = [sum((part >> (3 * k)) & 7 for part in (*chosen, two)) for k in range(kinds)]
                if max(rows) <= COPIES:
                    found.add(suit)
    return found


@kernel
def write_predicates(packed, found):
    """tiles; in sets; in sets and a pair; no odd count; 1 and 9 alone."""
    for i in range(len(packed)):
        suit = packed[i]
        found[i, 0] = tiles_in(suit)
        found[i, 1] = in_sets(suit)
        found[i, 2] = in_sets_and_pair(suit)
        found[i, 3] = suit & 0o111111111 == 0
        found[i, 4] = both_ends(suit)


@kernel
def write_honour_predicates(packed, found):
    """tiles; triplets; triplets and a pair; no odd count; all seven."""
    for i in range(len(packed)):
        suit = packed[i]
        every = True
        for k in range(7):
            every = every and (suit >> (3 * k)) & 7 > 0
        found[i, 0] = tiles_in(suit)
        found[i, 1] = in_triplets(suit, 0)
        found[i, 2] = in_triplets(suit, 1)
        found[i, 3] = suit & 0o1111111 == 0
        found[i, 4] = every


def predicates(rows: np.ndarray) -> np.ndarray:
    """What decides whether hands with such a suit are complete, a row for each."""
    found = np.zeros((len(rows), 5), np.int64)
    write = write_predicates if rows.shape[1] == 9 else write_honour_predicates
    write(octal(rows), found)
    return found


def weights(rows: np.ndarray) -> np.ndarray:
    """In how many ways the tiles of each suit can be taken."""
    return np.array([comb(COPIES, c) for c in range(COPIES + 1)])[rows].prod(axis=1)


def test_every_suit_against_suits_built_set_by_set() -> None:
    rows = all_suits(9)
    assert len(rows) == 405_350
    found, packed = predicates(rows), octal(rows)
    assert (found[:, 0] == rows.sum(axis=1)).all()
    assert set(packed[found[:, 1] > 0].tolist()) == built(9, runs=True, pair=False)
    assert set(packed[found[:, 2] > 0].tolist()) == built(9, runs=True, pair=True)
    rows = all_suits(7)
    found, packed = predicates(rows), octal(rows)
    assert set(packed[found[:, 1] > 0].tolist()) == built(7, runs=False, pair=False)
    assert set(packed[found[:, 2] > 0].tolist()) == built(7, runs=False, pair=True)


def test_one_suit_only() -> None:
    rows = all_suits(9)
    rows = rows[rows.sum(axis=1) == HAND]
    found = predicates(rows)
    sets, pairs = found[:, 2] > 0, found[:, 3] > 0
    assert (sets.sum(), pairs.sum(), (sets & pairs).sum()) == (13_259, 2_304, 214)
    assert (sets | pairs).sum() == 15_349
    assert weights(rows)[sets | pairs].sum() == 449_251_504


# --- The whole set of tiles --------------------------------------------------------------------


@kernel
def add_up(suits, honours, kinds, ways, honour_kinds, honour_ways, totals):
    """Add up the hands of 14 tiles by how they are complete, in ``totals`` (5, 2).

    ``suits`` and ``honours`` hold one suit of each class.
    """
    for a in range(len(suits)):
        for b in range(len(suits)):
            for c in range(len(suits)):
                tiles = tiles_in(suits[a]) + tiles_in(suits[b]) + tiles_in(suits[c])
                if tiles > 14:
                    continue
                for d in range(len(honours)):
                    if tiles + tiles_in(honours[d]) != 14:
                        continue
                    hand = (suits[a], suits[b], suits[c], honours[d])
                    if not complete(*hand):
                        continue
                    number = kinds[a] * kinds[b] * kinds[c] * honour_kinds[d]
                    drawn = ways[a] * ways[b] * ways[c] * honour_ways[d]
                    sets, pairs = sets_and_pair(*hand), seven_pairs(*hand)
                    for k in range(5):
                        if (
                            (k == 0 and sets)
                            or (k == 1 and pairs)
                            or (k == 2 and sets and pairs)
                            or (k == 3 and thirteen_orphans(*hand))
                            or k == 4
                        ):
                            totals[k, 0] += number
                            totals[k, 1] += drawn


def classes(rows: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Suits alike in all that decides: one of each class, their number, their ways."""
    _, first, number = np.unique(
        predicates(rows) @ (2 ** np.array([4, 0, 1, 2, 3])), return_index=True, return_inverse=True
    )
    kinds = np.bincount(number)
    ways = np.zeros(len(first), np.int64)
    np.add.at(ways, number, weights(rows))
    return octal(rows)[first], kinds, ways


def test_complete_hands_of_all_tiles() -> None:
    suit, kinds, ways = classes(all_suits(9))
    honour, honour_kinds, honour_ways = classes(all_suits(7))
    totals = np.zeros((5, 2), np.int64)
    add_up(suit, honour, kinds, ways, honour_kinds, honour_ways, totals)
    assert totals[SETS].tolist() == [11_498_658, 11_353_128_141_498]
    assert totals[PAIRS].tolist() == [16_417_104, 1_569_298_171_584]
    assert totals[BOTH].tolist() == [7_938, 1_318_439_178]
    assert totals[ORPHANS].tolist() == [13, 1_308_622_848]
    assert totals[ALL].tolist() == [27_907_837, 12_922_416_496_752]
    assert comb(136, HAND) == 4_250_305_029_168_216_000
    chance = Fraction(int(totals[ALL, 1]), comb(136, HAND))
    assert chance == Fraction(269217010349, 88548021441004500)


# --- Random hands against brute force ----------------------------------------------------------


def taken_apart(row: list[int]) -> bool:
    """Whether sets can be taken out of a row of 34 counts until nothing is left."""
    kind = next((k for k, n in enumerate(row) if n), None)
    if kind is None:
        return True
    ways = [[kind] * 3]
    if kind < 27 and kind % 9 <= 6:
        ways.append([kind, kind + 1, kind + 2])
    for tiles in ways:
        rest = list(row)
        for tile in tiles:
            rest[tile] -= 1
        if min(rest) >= 0 and taken_apart(rest):
            return True
    return False


ENDS_AND_HONOURS = parse_tiles("19m 19p 19s ESWN RDGDWD")


def won(row: list[int]) -> bool:
    """Whether a hand is complete, tried out tile by tile."""
    for kind in range(KINDS):
        if row[kind] >= 2:
            rest = list(row)
            rest[kind] -= 2
            if taken_apart(rest):
                return True
    if sum(row) < HAND:
        return False
    return sum(n // 2 for n in row) == 7 or all(
        n > 0 if kind in ENDS_AND_HONOURS else n == 0 for kind, n in enumerate(row)
    )


def random_hand(chance: np.random.Generator) -> list[int]:
    """A random hand of 2, 5, … 14 tiles: of few kinds, or sets with up to two tiles changed."""
    size = 14 - 3 * int(chance.choice(5, p=[0.6, 0.1, 0.1, 0.1, 0.1]))
    style = chance.integers(3)
    deck = np.repeat(np.arange(KINDS), COPIES)
    if style == 0:  # of 5…13 kinds
        some = chance.choice(KINDS, size=int(chance.integers(5, 14)), replace=False)
        if chance.integers(2):
            some = np.arange(len(some)) + 9 * chance.integers(3)  # neighbours
        deck = np.repeat(some, COPIES)
        return np.bincount(chance.choice(deck, size, replace=False), minlength=KINDS).tolist()
    row = np.zeros(KINDS, int)
    while True:
        row[:] = 0
        if style == 1:
            for _ in range(size // 3):
                kind = int(chance.integers(KINDS))
                run = kind < 27 and kind % 9 <= 6 and chance.integers(3) > 0
                row[[kind, kind + 1, kind + 2] if run else [kind]] += 1 if run else 3
            row[chance.integers(KINDS)] += 2
        elif chance.integers(2):
            np.add.at(row, chance.choice(KINDS, 7), 2)
        else:
            row[chance.choice(ENDS_AND_HONOURS, 13, replace=False)] = 1
            row[chance.choice(ENDS_AND_HONOURS)] += 1
        if row.max() <= COPIES:
            break
    for _ in range(chance.integers(3)):
        out, into = chance.choice(np.flatnonzero(row)), chance.integers(KINDS)
        if row[into] < COPIES:
            row[out] -= 1
            row[into] += 1
    return row.tolist()


def misjudged(n: int) -> list[list[int]]:
    """The random hands, of ``n``, that ``complete`` and brute force judge differently."""
    chance = np.random.default_rng(7)
    wrong, found = [], 0
    for _ in range(n):
        row = random_hand(chance)
        expected = won(row)
        if complete(*map(np.int64, suits(np.array(row)))) != expected:
            wrong.append(row)
        found += expected
    assert n / 10 < found < n * 9 / 10, "complete and incomplete hands must both be frequent"
    return wrong


def test_random_hands_against_brute_force() -> None:
    assert misjudged(5_000) == []


@pytest.mark.slow
def test_a_million_random_hands_against_brute_force() -> None:
    assert misjudged(1_000_000) == []


# --- Waits and distances -----------------------------------------------------------------------


def waits(hand: str) -> list[str]:
    row = counts(hand)
    found = []
    for kind in range(KINDS):
        row[kind] += 1
        if complete(*map(np.int64, suits(row))) and row[kind] <= COPIES:
            found.append(TILE_NAMES[kind])
        row[kind] -= 1
    return found


@pytest.mark.parametrize(
    ("hand", "tiles"),
    [
        ("1112345678999m", "1m 2m 3m 4m 5m 6m 7m 8m 9m"),
        ("19m 19p 19s ESWN RDGDWD", "1m 9m 1p 9p 1s 9s E S W N RD GD WD"),
        ("1112223334445m", "2m 3m 4m 5m 6m"),
        ("2233445566778s", "2s 5s 8s"),
    ],
)
def test_waits(hand: str, tiles: str) -> None:
    assert " ".join(waits(hand)) == tiles
    assert shanten(counts(hand)) == 0


@pytest.mark.parametrize(
    ("hand", "melds", "missing"),
    [
        ("123m 456p 789s EE SSS", 0, -1),
        ("1122m 3344p 5566s E", 0, 0),
        ("19m 19p 19s ESWN RDGDWD E", 0, -1),
        ("1111m 2222m 3333m E", 0, 0),
        ("1111m", 3, 1),  # there is no fifth 1m for the pair
        ("E", 4, 0),
        ("EE", 4, -1),
        ("19m 19p 19s ESW 234m 5p", 0, 4),
        ("147m 258p 369s ESWN", 0, 6),
    ],
)
def test_tiles_missing_to_ready(hand: str, melds: int, missing: int) -> None:
    assert shanten(counts(hand), melds) == missing


@pytest.mark.parametrize(
    ("hand", "melds", "error"),
    [
        ([9, *[0] * 33], 0, r"hand=\[9, .*: expected 34 counts of 0…4"),
        ([-1, *[0] * 33], 0, r"hand=\[-1, .*: expected 34 counts of 0…4"),
        ([1] * 13, 0, "expected 34 counts of 0…4"),
        ([4, 4, 4, 3, *[0] * 30], 0, "hand has 15 tiles: expected 13 or 14 beside 0 melds"),
        ([4, 4, 4, 1, *[0] * 30], 1, "hand has 13 tiles: expected 10 or 11 beside 1 melds"),
        ([1, *[0] * 33], 5, "melds=5: expected 0…4"),
    ],
)
def test_hands_that_cannot_be_are_refused(hand: list[int], melds: int, error: str) -> None:
    with pytest.raises(ValueError, match=error):
        shanten(hand, melds)


def test_distances_are_shortest_ways() -> None:
    """Some draw brings a hand nearer, none by more than one; the best discard keeps what there is;
    and a hand is complete where brute force says so."""
    chance = np.random.default_rng(8)
    for _ in range(400):
        row = random_hand(chance)
        melds = (HAND - sum(row)) // 3
        assert (shanten(row, melds) == -1) == won(row)
        held = [kind for kind in range(KINDS) if row[kind]]
        after = {kind: shanten(_with(row, kind, -1), melds) for kind in held}
        assert min(after.values()) == max(shanten(row, melds), 0)
        short = _with(row, int(chance.choice(held)), -1)
        drawn = [
            shanten(_with(short, kind, 1), melds) for kind in range(KINDS) if short[kind] < COPIES
        ]
        assert min(drawn) == shanten(short, melds) - 1
        assert max(drawn) <= shanten(short, melds)


def _with(row: list[int], kind: int, change: int) -> list[int]:
    changed = list(row)
    changed[kind] += change
    return changed


def test_honours_make_no_runs_and_suits_do_not_wrap() -> None:
    for hand in ("ESW 111222333m 55p", "RDGDWD 111222333m 55p", "89m1p 111222333p 55s"):
        assert not complete(*map(np.int64, suits(counts(hand))))
    for first, second in product(range(27), range(27)):
        row = np.zeros(KINDS, np.int8)
        row[[first, first + 1, first + 2]] += 1
        row[second] += 2
        if row.max() <= COPIES:
            assert complete(*map(np.int64, suits(row))) == (first % 9 <= 6)
