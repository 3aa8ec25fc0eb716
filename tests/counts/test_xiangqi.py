"""Xiangqi against numbers known from elsewhere: move sequences (perft) and move labels."""

from __future__ import annotations

import numpy as np
import pytest

from qipai.envs.kernel import kernel
from qipai.envs.xiangqi import (
    ACTIONS,
    ADVISOR,
    ELEPHANT,
    HORSE,
    KINDS,
    MOST_MOVES,
    MOVES,
    ON_LINE,
    POINTS,
    STEP_COUNT,
    legal_moves,
    make,
    position,
    unmake,
)

START = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w"

PERFT = [
    (START, 44, 1_920, 79_666, 3_290_240),
    (
        "r1ba1a3/4kn3/2n1b4/pNp1p1p1p/4c4/6P2/P1P2R2P/1CcC5/9/2BAKAB2 w",
        *(38, 1_128, 43_929, 1_339_047),
    ),
    (
        "r2akab1r/3n5/4b3n/p1p1pRp1p/9/2P3P2/P3P2cP/N2C1C1N1/9/1RBAKAB2 b",
        *(29, 1_481, 42_524, 2_204_219),
    ),
    ("1cbak4/9/n2a5/2p1p3p/5cp2/2n2N3/6PCP/3AB4/2C6/3A1K1N1 w", 7, 281, 8_620, 326_201),
    ("CRN1k1b2/3ca4/4ba3/9/2nr5/9/9/4B4/4A4/4KA3 w", 28, 516, 14_808, 395_483),
    ("5a3/3k5/3aR4/9/5r3/5n3/9/3A1A3/5K3/2BC2B2 w", 25, 424, 9_850, 202_884),
    ("4ka3/4a4/9/9/4N4/p8/9/4C3c/7n1/2BK5 w", 23, 345, 8_124, 149_272),
    ("C1nNk4/9/9/9/9/9/n1pp5/B3C4/9/3A1K3 w", 28, 222, 6_241, 64_971),
]


@kernel
def count_sequences(s, depth, moves, counts, captured):
    """Legal move sequences of ``depth`` plies; the arrays have room for each ply."""
    counts[0] = legal_moves(s, moves[0])
    total, ply = 0, 0
    while True:
        if ply + 1 == depth:
            total += counts[ply]
            counts[ply] = 0
        if counts[ply] > 0:
            counts[ply] -= 1
            captured[ply] = make(s, np.int64(moves[ply, counts[ply]]))
            ply += 1
            counts[ply] = legal_moves(s, moves[ply])
        elif ply == 0:
            return total
        else:
            ply -= 1
            unmake(s, np.int64(moves[ply, counts[ply]]), captured[ply])


@pytest.mark.parametrize(("fen", "counts"), [(fen, counts) for fen, *counts in PERFT])
def test_move_sequences(fen: str, counts: list[int]) -> None:
    table = position(fen)
    before = table.tobytes()
    moves = np.zeros((4, MOST_MOVES), np.int16)
    row = np.zeros(4, np.int64)
    found = [count_sequences(table[0], depth, moves, row, row.copy()) for depth in range(1, 5)]
    assert found == counts
    assert table.tobytes() == before


def test_move_labels() -> None:
    lines = int(ON_LINE.sum()) - POINTS
    horse, advisor, elephant = (int(STEP_COUNT[k].sum()) for k in (HORSE, ADVISOR, ELEPHANT))
    both = [int(STEP_COUNT[[k, k + KINDS]].sum()) for k in (ADVISOR, ELEPHANT)]
    assert (lines, horse, *both) == (1_530, 508, 16, 32)
    assert lines + horse + sum(both) == 2_086
    assert len(MOVES) == lines + horse + advisor + elephant == 2_062
    assert ACTIONS.width == 2_066
    assert ACTIONS.names[:2] == ["A0B0", "A0C0"]
    assert ACTIONS.names[2_061] == "I9H9"
