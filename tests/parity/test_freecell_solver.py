"""FreeCell beside Freecell Solver (``fc-solve``): equal verdicts, and its moves under our rules."""

from __future__ import annotations

import re
import shutil
import subprocess

import numpy as np
import pytest

from qipai.agents.rule.freecell import Solver
from qipai.envs import make_tables
from qipai.envs.freecell import GAME, RANK
from qipai.envs.parts.cards import parse_card
from tests.freecell_positions import Position, names

PROGRAM = shutil.which("fc-solve")
pytestmark = pytest.mark.skipif(PROGRAM is None, reason="fc-solve is not installed")

MOST = 1_000_000  # positions it may look at
QUICK = ("-l", "lg")  # finds most solutions at once, but takes some boards for unsolvable
ALL_MOVES = ("-to", "01ABCDE")  # leaves nothing out, but gets lost on some boards
HOPELESS = (11_982, 146_692, 186_216, 455_889, 495_505, 512_118, 517_776, 781_948)


def its_cards(text: str) -> str:
    """Card names the other way round: ``S10`` is TS."""
    return " ".join(name[1:].replace("10", "T") + name[0] for name in text.split())


def board(p: Position) -> str:
    """A table as fc-solve reads it."""
    home = {name[0]: its_cards(name)[0] for name in p.home.split()}
    foundations = " ".join(f"{suit}-{home.get(suit, '0')}" for suit in "HCDS")
    lines = [f"Foundations: {foundations}", f"Freecells: {its_cards(p.cells)}".rstrip()]
    return "\n".join([*lines, *(f": {its_cards(column)}" for column in p.columns)]) + "\n"


def fc_solve(p: Position, *options: str) -> str:
    assert PROGRAM is not None
    done = subprocess.run(
        [PROGRAM, "-mi", str(MOST), *options],
        input=board(p),
        capture_output=True,
        text=True,
        check=False,
    )
    return done.stdout


def its_verdict(p: Position) -> str:
    if "This game is solveable" in fc_solve(p, *QUICK):
        return "solved"
    said = fc_solve(p, *ALL_MOVES)
    if "This game is solveable" in said:
        return "solved"
    return "unknown" if f"checked is {MOST}." in said else "unsolvable"


@pytest.fixture(scope="module")
def solver() -> Solver:
    return Solver()


@pytest.mark.parametrize("deals", [range(1, 201), HOPELESS], ids=["1-200", "hopeless"])
def test_equal_verdicts_on_deals(deals: tuple[int, ...], solver: Solver) -> None:
    for deal in deals:
        p = Position(deal=deal)
        verdict = solver.solve(p.s).verdict
        assert verdict == its_verdict(p) == ("unsolvable" if deal in HOPELESS else "solved"), deal


def random_positions(n: int, seed: int) -> list[Position]:
    """Tables in the middle of random play."""
    tables = make_tables("freecell", n, seed=seed, max_moves=2_000, auto_home=False)
    rng = np.random.default_rng(seed)
    stop = rng.integers(5, 25, n)
    kept: dict[int, Position] = {}
    for step in range(25):
        for k in range(n):
            if tables.state["moves"][k] == step == stop[k]:
                kept[k] = Position(tables.state[[k]].copy())
        tables.step(tables.sample())
    return list(kept.values())


def test_equal_verdicts_in_the_middle_of_games(solver: Solver) -> None:
    verdicts = []
    for p in random_positions(120, seed=1):
        verdicts.append(solver.solve(p.s).verdict)
        assert verdicts[-1] == its_verdict(p), board(p)
    assert min(verdicts.count("solved"), verdicts.count("unsolvable")) > 10


def test_no_action_of_a_solution_spoils_the_game(solver: Solver) -> None:
    for deal in (1, 617, 1_000_000):
        p = Position(deal=deal)
        for i, action in enumerate(solver.solve(p.s).actions[:-1]):
            p.play(GAME.action_name(action))
            if i % 8 == 0:
                assert its_verdict(p) == "solved"


class ItsTable:
    """A table with the columns and cells as fc-solve numbers them."""

    def __init__(self, p: Position) -> None:
        self.p = p
        self.columns = [column.split() for column in p.columns]
        self.cells: dict[str, str] = {}

    def play(self, move: str) -> None:
        """Play a move such as ``57``, ``2a``, ``bh`` or ``31v4`` here and under our rules."""
        source, target = move[0], move[1]
        n = self._count(move)
        if source in "abcd":
            cards = [self.cells.pop(source)]
            origin = "abcd"[self.p.cells.split().index(cards[0])]
        else:
            column = self.columns[int(source) - 1]
            cards = column[-n:]
            origin = self._ours(column)
            whole = n == len(column)
            del column[-n:]
            if whole and target in "12345678" and not self.columns[int(target) - 1]:
                self.columns[int(target) - 1] = cards  # to us it is the same column
                return
        if target == "h":
            self.p.play(f"{origin}>home")
        elif target in "abcd":
            self.p.play(f"{origin}>cell")
            self.cells[target] = cards[0]
        else:
            column = self.columns[int(target) - 1]
            empty = not column and source not in "abcd"
            self.p.play(f"{origin}>empty*{n}" if empty else f"{origin}>{self._ours(column)}")
            column += cards
        assert sorted(map(" ".join, self.columns)) == sorted(self.p.columns)

    def _count(self, move: str) -> int:
        source, target, written = move[0], move[1], move[3:]
        if written:
            return int(written, 16)
        if source in "abcd" or target not in "12345678" or not self.columns[int(target) - 1]:
            return 1
        top, on = self.columns[int(source) - 1][-1], self.columns[int(target) - 1][-1]
        return int(RANK[parse_card(on)] - RANK[parse_card(top)])

    def _ours(self, column: list[str]) -> int:
        """Our number of a column."""
        return self.p.columns.index(" ".join(column)) + 1


def test_its_solutions_are_legal_here() -> None:
    """All moves of its solutions of 100 deals, and with them our limits for several cards."""
    several = into_empty = 0
    for deal in range(1, 101):
        p = Position(deal=deal, auto_home=False, max_moves=2_000)
        said = fc_solve(p, *QUICK, "-m", "-snx").split("This game is")[0]
        table = ItsTable(p)
        for move in re.findall(r"\b[1-8a-d][1-8a-dh](?:v\w+)?\b", said):
            into_empty += "v" in move
            several += table._count(move) > 1
            table.play(move)
        assert p.coins == (1, -1), deal
    assert several > 50 and into_empty > 5


def test_boards_are_written_as_it_reads_them() -> None:
    p = Position(deal=60).play("1>4 2>cell 7>cell 8>cell 8>4 a>2 8>1")
    assert board(p).splitlines()[1:3] == ["Freecells: 6C KH", ": 7H 6D QD 5C 4H 3C 2D"]
    assert names(p.s["cells"]) == "C6 HK"
