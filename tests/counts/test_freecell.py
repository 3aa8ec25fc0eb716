"""FreeCell's numbered deals, counts of actions, and deals known to have no solution."""

from __future__ import annotations

import numpy as np
import pytest

from qipai.agents.rule.freecell import Solver
from qipai.envs import make_tables
from qipai.envs.freecell import ACTIONS, GAME, auto_home
from qipai.envs.kernel import addressable
from qipai.envs.match import engine
from qipai.envs.parts.cards import RANKS
from tests.freecell_positions import Position


def dealt_by_hand(deal: int) -> list[str]:
    """Column by column as the generator's published values give it, in plain Python."""
    pack = [suit + rank for rank in ("A", *RANKS[:-1]) for suit in "CDHS"]
    columns: list[list[str]] = [[] for _ in range(8)]
    for k, value in enumerate(generated(deal, 52)):
        j = value % len(pack)
        pack[j], pack[-1] = pack[-1], pack[j]
        columns[k % 8].append(pack.pop())
    return [" ".join(column) for column in columns]


def generated(state: int, n: int) -> list[int]:
    values = []
    for _ in range(n):
        state = (state * 214013 + 2531011) % 2**31
        values.append(state // 65536)
    return values


def sequences(deal: int, length: int, auto: bool) -> list[int]:
    """How many sequences of 1, 2, … actions there are from a deal."""
    tables = make_tables("freecell", 1, seed=1, deal=deal, auto_home=auto).state
    counts = []
    for _ in range(length):
        mask = np.zeros((len(tables), ACTIONS.width), np.int8)
        engine(GAME).mask_tables(tables, np.arange(len(tables)), mask)
        table, action = np.nonzero(mask)
        counts.append(len(table))
        tables = addressable(tables[table])
        purses = np.zeros((len(tables), 2), np.int64)
        engine(GAME).play_tables(tables, np.arange(len(tables)), action, purses)
    return counts


def test_the_generator() -> None:
    assert generated(1, 6) == [41, 18467, 6334, 26500, 19169, 15724]
    assert generated(617, 4) == [2053, 20350, 616, 5597]


def test_deals_follow_the_generator() -> None:
    for deal in (1, 2, 617, 32_000, 146_692, 999_999, 1_000_000):
        assert Position(deal=deal).columns == dealt_by_hand(deal)


COUNTS = [
    (1, False, [8, 70, 661, 6_648]),
    (1, True, [8, 70, 659, 6_590]),
    (617, False, [11, 118, 1_259, 13_506]),
    (617, True, [11, 118, 1_259, 13_506]),
    (11_982, False, [11, 118, 1_250, 13_216]),
    (11_982, True, [11, 118, 1_250, 13_216]),
    (1_000_000, False, [11, 123, 1_398, 16_163]),
    (1_000_000, True, [11, 102, 983, 9_900]),
]


@pytest.mark.parametrize(("deal", "auto", "counts"), COUNTS)
def test_sequences_of_actions(deal: int, auto: bool, counts: list[int]) -> None:
    assert sequences(deal, 4, auto) == counts


@pytest.fixture(scope="module")
def solver() -> Solver:
    return Solver()


@pytest.mark.parametrize(
    ("deal", "positions"),
    [
        (11_982, 61_643),
        (146_692, 8_637),
        (186_216, 16_606),
        (455_889, 11_806),
        (495_505, 27_688),
        (512_118, 22_490),
        (517_776, 67_016),
        (781_948, 4_381),
    ],
)
def test_deals_without_a_solution(deal: int, positions: int, solver: Solver) -> None:
    """All that can be reached has been seen; auto-home is applied to the deal too."""
    s = Position(deal=deal, max_moves=2_000).s
    auto_home(s)
    found = solver.solve(s)
    assert (found.verdict, found.positions) == ("unsolvable", positions)


def test_the_first_hundred_deals_have_solutions(solver: Solver) -> None:
    for deal in range(1, 101):
        assert solver.solve(Position(deal=deal).s).verdict == "solved"


@pytest.mark.slow
def test_one_of_the_first_32000_deals_has_no_solution(solver: Solver) -> None:
    """The deals of the older range, which people have solved one by one."""
    verdicts = {deal: solver.solve(Position(deal=deal).s).verdict for deal in range(1, 32_001)}
    unsolved = {deal: verdict for deal, verdict in verdicts.items() if verdict != "solved"}
    assert unsolved == {11_982: "unsolvable"}


def test_there_are_212_actions() -> None:
    assert ACTIONS.width == 212
