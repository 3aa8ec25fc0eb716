"""Xiangqi, clause by clause: positions in FEN, moves in ICCS, coins worked out by hand."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from qipai.envs import OptionError, make, make_tables
from qipai.envs.kernel import addressable
from qipai.envs.layout import NOBODY
from qipai.envs.match import engine
from qipai.envs.view import dumps, loads, to_wire
from qipai.envs.xiangqi import (
    BLACK,
    GAME,
    POINTS,
    REASONS,
    RED,
    STATE,
    action_move,
    chases,
    fen,
    iccs,
    in_check,
    move_action,
    parse_iccs,
    position,
    reaches,
)

START = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w"
SHUFFLE = "a0a1 a9a8 a1a0 a8a9"  # the rooks step out and back
ONE = np.zeros(1, np.int64)  # the number of the one table


class Position:
    """A game from a position; ``play`` takes moves in ICCS and names of actions."""

    def __init__(self, fen: str = START, **options: Any) -> None:
        self.table = position(fen, **options)
        self.s = self.table[0]

    def play(self, *texts: str) -> Position:
        for text in " ".join(texts).split():
            assert not self.ended, f"{text}: the game has ended"
            (action,) = GAME.parse_move(self.s, text)
            assert self.mask[action], f"{text} is not among {self.legal}"
            purse = np.zeros((1, 3), np.int64)
            engine(GAME).play_tables(self.table, ONE, np.array([action]), purse)
        return self

    def leave(self, seat: int) -> Position:
        engine(GAME).depart_tables(self.table, ONE, np.array([seat]), np.zeros((1, 3), np.int64))
        return self

    def next_game(self) -> Position:
        engine(GAME).open_tables(self.table, ONE, np.zeros((1, 3), np.int64))
        return self

    @property
    def mask(self) -> np.ndarray:
        mask = np.zeros((1, GAME.actions.width), np.int8)
        engine(GAME).mask_tables(self.table, ONE, mask)
        return mask[0]

    @property
    def legal(self) -> set[str]:
        """The legal actions, moves in ICCS."""
        side = int(self.s["side"])
        return {
            iccs(action_move(a, side)) if a < 2062 else GAME.action_name(a)
            for a in np.flatnonzero(self.mask).tolist()
        }

    def moves(self, start: str) -> str:
        """Where the piece on a point may go."""
        return " ".join(sorted(m[2:] for m in self.legal if m.startswith(start)))

    @property
    def turn(self) -> int:
        return int(self.s["turn"])

    @property
    def ended(self) -> bool:
        return bool(self.s["ended"])

    @property
    def reason(self) -> str | None:
        return REASONS[self.s["reason"]] if self.ended else None

    @property
    def winner(self) -> str | None:
        """Red, Black, a draw, or None while the game goes on."""
        if not self.ended:
            return None
        seat = int(self.s["winner"])
        return "draw" if seat == NOBODY else "Red" if seat == self.s["red"] else "Black"

    @property
    def coins(self) -> tuple[int, ...]:
        assert self.ended
        assert self.s["coins"].sum() == self.s["house"] == 0
        return tuple(self.s["coins"].tolist())

    def observation(self, seat: int) -> dict[str, np.ndarray]:
        views = addressable(np.zeros(1, STATE))
        engine(GAME).view_tables(self.table, ONE, np.array([seat]), views)
        values = np.zeros((1, GAME.observation.width), np.float32)
        visible = np.zeros(values.shape, np.bool_)
        engine(GAME).encode_views(views, np.array([seat]), values, visible)
        assert visible.all()
        return GAME.split(values[0])


# --- The worked examples -----------------------------------------------------------------------

CORNERED = "3k5/9/9/9/9/9/9/4r4/9/5K3 b"


def test_E1_no_legal_move_without_check_loses() -> None:
    game = Position(CORNERED, red="seat1", stake=10, stack=100).play("e2e1")
    assert not game.s["checked"]
    assert (game.winner, game.reason) == ("Black", "stalemate")
    assert game.coins == (10, -10)


@pytest.mark.parametrize(
    ("position", "start", "ends"),
    [
        ("4k4/9/9/9/9/9/9/9/9/3K5 w", "d0", "d1"),
        ("4k4/9/9/9/9/9/9/9/9/4K4 w", "e0", "d0 f0"),
        ("3k5/9/9/9/9/9/9/3C5/9/3K5 w", "d2", "d1 d3 d4 d5 d6 d7 d8"),
        ("3k5/9/9/9/9/9/9/3N5/9/3K5 w", "d2", ""),
    ],
)
def test_E2_facing_generals(position: str, start: str, ends: str) -> None:
    assert Position(position).moves(start) == ends


@pytest.mark.parametrize(
    ("position", "start", "ends"),
    [
        ("4k4/9/9/9/9/9/9/4P4/4N4/3K5 w", "e1", "c0 c2 g0 g2"),
        ("3k5/9/9/9/9/9/3p5/4B4/9/5K3 w", "e2", "c0 g0 g4"),
        (
            "3k5/9/4r4/9/4p4/9/9/4C4/9/5K3 w",
            "e2",
            "a2 b2 c2 d2 e0 e1 e3 e4 e7 f2 g2 h2 i2",
        ),
        ("3k5/9/9/9/4P4/P8/9/9/9/5K3 w", "e5", "d5 e6 f5"),
        ("3k5/9/9/9/4P4/P8/9/9/9/5K3 w", "a4", "a5"),
    ],
)
def test_E3_pieces(position: str, start: str, ends: str) -> None:
    assert Position(position).moves(start) == ends


def test_E4_the_only_reply_to_a_check() -> None:
    game = Position("c3k2C1/4anR2/9/3NP4/9/6n2/9/1r1p5/4p4/3K5 w").play("g8g9")
    assert game.s["checked"]
    assert game.legal == {"e8f9"}


PERPETUAL = [
    ("4k4/8R/9/9/9/9/9/9/9/rrBA1K3 w", "i8i9 e9e8 i9i8 e8e9", "Black"),
    ("3k1abRR/9/9/9/9/9/9/9/r8/4K4 b", "a1a0 e0e1 a0a1 e1e0", "Red"),
    ("4k4/3P5/3N5/9/9/9/9/B8/9/5K1p1 w", "d8c8 e9d9 c8d8 d9e9", "Black"),
]


@pytest.mark.parametrize(("position", "moves", "winner"), PERPETUAL)
@pytest.mark.parametrize("repetition", ["engine", "minimal", "none"])
def test_E5_perpetual_check(position: str, moves: str, winner: str, repetition: str) -> None:
    game = Position(position, repetition=repetition).play(moves, moves)
    if repetition == "none":
        assert not game.ended
    else:
        assert (game.winner, game.reason) == (winner, "perpetual check")


def test_E6_quiet_repetition() -> None:
    game = Position("3ak4/9/9/9/9/9/9/9/9/R2K1A3 w").play(*["a0b0 d9e8 b0a0 e8d9"] * 2)
    assert (game.winner, game.reason) == ("draw", "repetition")
    assert game.s["plies"] == 8


CHASE = [
    ("3k4n/9/9/9/9/9/9/9/9/4K2R1 w", "h0i0 i9h7 i0h0 h7i9", "Black"),
    ("4k1b2/9/n8/3N5/2r6/9/9/9/5K3/9 w", "d6b7 c5c8 b7d6 c8c5", "Black"),
    ("2r1k4/9/5a3/2r6/2P3b2/9/9/9/9/5K3 b", "c6a6 f0f1 a6c6 f1f0", "Red"),
]


@pytest.mark.parametrize(("position", "moves", "winner"), CHASE)
def test_E7_perpetual_chase(position: str, moves: str, winner: str) -> None:
    game = Position(position).play(moves, moves)
    assert (game.winner, game.reason) == (winner, "perpetual chase")
    game = Position(position, repetition="minimal").play(moves, moves)
    assert (game.winner, game.reason) == ("draw", "repetition")
    assert not Position(position, repetition="none").play(moves, moves).ended


NO_CHASE = {
    "one of the moves checks": (
        "3k5/9/7R1/4p4/1P7/9/9/3c5/5K3/7r1 w",
        "h7d7 d9e9 d7h7 e9d9",
    ),
    "a soldier chases": ("4k4/1c7/P8/9/9/9/9/9/9/3K5 w", "a7b7 b8a8 b7a7 a8b8"),
    "rook against rook": ("3k5/9/9/8r/9/9/9/9/9/4K2R1 w", "h0i0 i6h6 i0h0 h6i6"),
    "two preys": ("n2k5/9/9/9/1n7/9/9/9/9/R3K4 w", "a0b0 d9d8 b0a0 d8d9"),
    "guarded prey": ("3k5/9/9/9/9/9/6r1P/4B3B/4K4/9 b", "g3e3 i2g0 e3g3 g0i2"),
    "the capture was there before": (
        "9/3k5/4b3R/9/9/6PN1/9/9/4K4/3A5 b",
        "e7g9 i7g7 g9e7 g7i7",
    ),
}


@pytest.mark.parametrize("case", NO_CHASE)
def test_E8_no_chase(case: str) -> None:
    position, moves = NO_CHASE[case]
    game = Position(position).play(moves, moves)
    assert (game.winner, game.reason) == ("draw", "repetition")


def test_E9_offering_a_draw() -> None:
    game = Position(repetition="none").play(SHUFFLE, SHUFFLE)
    assert "offer_draw" not in game.legal
    game.play("a0a1 a9a8")
    assert "offer_draw" in game.legal
    game.play("offer_draw")
    assert (game.turn, game.legal) == (1, {"accept", "decline"})
    game.play("decline")
    assert game.turn == 0
    assert "offer_draw" not in game.legal
    game.play("a1a0")
    assert game.turn == 1
    assert "offer_draw" in game.legal
    game.play("offer_draw")
    assert game.turn == 0
    game.play("accept")
    assert (game.winner, game.reason, game.coins) == ("draw", "agreement", (0, 0))


def test_E10_limits() -> None:
    game = Position(repetition="none", nocapture_plies=10).play(SHUFFLE, SHUFFLE, "a0a1")
    assert not game.ended
    game.play("a9a8")
    assert (game.winner, game.reason) == ("draw", "no capture")
    game = Position(repetition="none", max_plies=8).play(SHUFFLE, SHUFFLE)
    assert (game.winner, game.reason) == ("draw", "length")
    game = Position("3k5/9/9/9/9/9/9/4p4/4K4/9 w").play("e1e2")
    assert (game.winner, game.reason) == ("draw", "no attackers left")
    assert not Position("3k5/4a4/9/9/9/9/9/4r4/3CK4/3A5 w").play("e1e2").ended


def test_E10_mate_comes_first() -> None:
    game = Position("3k5/9/9/9/1r7/9/9/9/r8/5K3 b", max_plies=1, nocapture_plies=4).play("b5b0")
    assert (game.winner, game.reason) == ("Black", "checkmate")


MATE = "3k5/9/9/9/1r7/9/9/9/r8/5K3 b", "b5b0"
RED_MATES = "5k3/R8/9/9/9/1R7/9/9/9/3K5 w", "b4b9"


def test_E11_coins() -> None:
    position, move = RED_MATES
    assert Position(position, red="seat1", stake=10).play(move).coins == (-10, 10)
    position, move = MATE
    game = Position(position, red="seat1", stake=10, stack=(100, 4)).play(move)
    assert game.coins == (4, -4)


def test_E12_one_frame_for_both_sides() -> None:
    assert move_action(parse_iccs("h2e2"), RED) == GAME.parse("H2E2")
    assert move_action(parse_iccs("b7e7"), BLACK) == GAME.parse("H2E2")
    assert move_action(parse_iccs("h9g7"), BLACK) == GAME.parse("B0C2")
