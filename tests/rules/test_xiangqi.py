"""Xiangqi, clause by clause: positions in FEN, moves in ICCS, coins worked out by hand."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from qipai.envs import OptionError, make, make_tables
from qipai.envs.checking import check
from qipai.envs.drawing import render
from qipai.envs.kernel import kernel
from qipai.envs.layout import NONE
from qipai.envs.match import engine
from qipai.envs.wire import from_wire, to_wire
from qipai.envs.xiangqi import (
    BLACK,
    EMPTY,
    FILES,
    GAME,
    MOST_MOVES,
    NAMED,
    POINTS,
    REASONS,
    RED,
    action_move,
    begin,
    chases,
    fen,
    iccs,
    is_own,
    legal_moves,
    max_plies,
    move_action,
    parse_iccs,
    point_name,
    position,
    pseudo_moves,
    reaches,
    unmake,
)
from qipai.envs.xiangqi import (
    make as make_move,
)
from tests.table import ONE, Table

START = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w"
SHUFFLE = "a0a1 a9a8 a1a0 a8a9"  # the rooks step out and back


class Position(Table):
    """A game from a position; ``play`` takes moves in ICCS and names of actions."""

    def __init__(self, board: str = START, **options: Any) -> None:
        super().__init__("xiangqi", **options)
        self.table = position(board, **options)
        self.s = self.table[0]

    def play(self, *texts: str) -> Position:
        return super().play(*" ".join(texts).split())

    @property
    def legal(self) -> set[str]:  # type: ignore[override]
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
        return "draw" if seat == NONE else "Red" if seat == self.s["red"] else "Black"


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
    game = Position("3k5/9/9/9/1r7/9/9/9/r8/5K3 b", max_plies=1)
    game.s["rules"]["nocapture_plies"] = 1  # an option has to be 4 or more
    game.play("b5b0")
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


# --- The board and its pieces --------------------------------------------------------------------


def test_R1_points_and_moves() -> None:
    assert (NAMED["a0"], NAMED["i9"], NAMED["e3"]) == (0, 89, 31)
    assert parse_iccs("h2e2") == NAMED["h2"] * POINTS + NAMED["e2"]
    assert iccs(parse_iccs("b9c7")) == "b9c7"
    for bad in ("h2", "j0a0", "H2E2", "h2-e2", "a0a:"):
        with pytest.raises(ValueError, match="is no move; a move is two points a0 … i9, like h2e2"):
            parse_iccs(bad)


@pytest.mark.parametrize(
    ("bad", "error"),
    [
        ("4k4/9/9 w", "has 3 ranks; a board has 10"),
        ("4k4/9/9/9/9/9/9/9/8/3K5 w", "rank 1 is '8': 8 points instead of 9"),
        ("4k4/9/9/9/9/9/9/9/4Q4/3K5 w", "rank 1 is '4Q4': 'Q' is no piece"),
        ("4k4/9/9/9/9/9/9/9/9/3K5", "after the pieces comes w .* or b, not ''"),
        ("4k4/9/9/9/9/9/9/9/9/3K5 x", "after the pieces comes w or r .* or b, not 'x'"),
        ("", "after the pieces comes w .* or b, not ''"),
        ("4k4/9/9/9/9/9/9/9/9/3K5 w moves d0d1", "come only - and numbers, not 'moves'"),
        ("4k4/9/9/9/9/9/9/9/9/9 w", "there is no general K"),
        ("4k4/9/9/9/9/9/9/9/9/3KK4 w", "2 pieces K; a side has at most 1"),
        ("4k4/9/9/9/9/9/9/9/RRR6/3K5 w", "3 pieces R; a side has at most 2"),
        ("9/9/4k4/9/9/9/9/9/9/6K2 w", "K can't stand on g0"),
        ("4k4/9/9/9/9/9/9/9/4B4/3K5 w", "B can't stand on e1"),
        ("4k4/4a4/9/9/9/4b4/9/9/9/3K5 w", "b can't stand on e4"),
        ("4k4/9/9/9/9/9/9/9/9/3K4R b", ""),
        ("4k3R/9/9/9/9/9/9/9/9/3K5 w", "Red is to move and could take the general"),
        (CORNERED.replace(" b", "").replace("4r4/9", "9/4r4") + " w", "Red has no legal move"),
    ],
)
def test_R1_positions_are_checked(bad: str, error: str) -> None:
    if not error:
        assert fen(position(bad)[0]) == bad
        return
    with pytest.raises(ValueError, match=error):
        position(bad)


@pytest.mark.parametrize(
    "written",
    [
        START + " - - 0 1",
        START + " - - 12 30",
        START + " 1",
        START[:-1] + "r",
        START[:-1] + "R - - 0 1",
        START[:-1] + "W",
        START.replace("n", "h").replace("N", "H"),
        START.replace("b", "e").replace("B", "E") + " - - 0 1",
        START.replace("9/9/P", "81/54/P"),
    ],
)
def test_R1_positions_as_other_programs_write_them(written: str) -> None:
    assert fen(position(written)[0]) == START


def test_R1_black_to_move_as_other_programs_write_it() -> None:
    assert fen(position("4hk3/9/9/9/9/2E6/9/9/9/3K5 B - - 0 1")[0]) == (
        "4nk3/9/9/9/9/2B6/9/9/9/3K5 b"
    )


# --- Tables from outside -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("field", "place", "value", "error"),
    [
        ("board", NAMED["a3"], 0, "attackers is 22: by the board and the moves .* it is 21"),
        ("board", NAMED["e5"], 1, "board: 2 pieces K; a side has at most 1"),
        ("board", NAMED["e9"], 0, "board: there is no general k"),
        ("board", NAMED["e5"], 2, "board: 3 pieces A"),
        ("side", (), 1, r"quiet_moves\[0\] is a0a1, no legal move there"),
        ("generals", 0, NAMED["d0"], r"generals\[0\] is 3: .* it is 4"),
        ("attackers", (), 21, "attackers is 21: .* it is 22"),
        ("key", (), 5, "key is 5"),
        ("keys", 2, 5, r"keys\[2\] is 5"),
        ("quiet", (), 3, "quiet_moves has not 3 moves|quiet_moves.* is"),
        ("quiet_moves", 1, 0, r"quiet_moves\[1\] is a0a0, no legal move there"),
        ("quiet_moves", 0, NONE, "quiet_moves has not 4 moves, as quiet=4 says"),
        ("quiet_moves", 7, 9, r"quiet_moves\[7\] is 9"),
        ("checks", 0, 1, r"checks\[0\] is 1: .* it is 0"),
        ("checked", (), True, "checked is True: .* it is False"),
        ("occurrences", (), 1, "occurrences is 1: .* it is 2"),
        ("first", (), 4, "first is 4: .* it is 0"),
        ("choices", 0, NONE, r"choices\[0\] is -2"),
        ("choices", MOST_MOVES - 1, 0, r"choices\[135\] is 0"),
        ("red", (), 1, "turn is 0: seat 1 is to move and offers no draw"),
        ("turn", (), 1, "turn is 1: seat 0 is to move and offers no draw"),
        ("phase", (), 1, "turn is 0: seat 0 is to move and has offered a draw"),
        ("plies", (), 3, "quiet is 4, more than plies=3|since_offer has more"),
        ("plies", (), 5, "last_moves has not 5 moves, as plies=5 says"),
        ("plies", (), 6, "last_moves has not 6 moves, as plies=6 says"),
        ("since_offer", 1, 3, "since_offer has more than the 4 moves"),
        ("last_moves", 0, 9, "last_moves does not begin with the last of quiet_moves"),
        ("reason", (), 0, "reason is 0, winner is -2: ended is False"),
        ("winner", (), 0, "reason is -2, winner is 0: ended is False"),
        ("ended", (), True, "reason is -2, winner is -2: ended is True"),
    ],
)
def test_a_table_that_contradicts_itself_is_refused(
    field: str, place: Any, value: int, error: str
) -> None:
    table = Position(repetition="none").play(SHUFFLE).table
    check(GAME, table[0])
    table[field][(0, *np.atleast_1d(place))] = value
    with pytest.raises(ValueError, match=f"^{error}"):
        check(GAME, table[0])


def test_a_table_that_should_have_ended_is_refused() -> None:
    table = Position(repetition="none", nocapture_plies=4, max_plies=4).play(SHUFFLE).table
    check(GAME, table[0])
    for field in ("ended", "over"):
        table[field] = 0
    table["reason"] = NONE
    with pytest.raises(ValueError, match="plies is 4, quiet is 4: the game must have ended"):
        check(GAME, table[0])
    mated = Position(MATE[0]).play(MATE[1]).table
    check(GAME, mated[0])
    for field in ("ended", "over"):
        mated[field] = 0
    for field in ("reason", "winner"):
        mated[field] = NONE
    with pytest.raises(ValueError, match="choices is empty: the game must have ended"):
        check(GAME, mated[0])


def test_a_table_where_the_general_could_be_taken_is_refused() -> None:
    table = position("3k5/9/9/9/9/9/9/9/9/R3K4 b")
    table["board"][0, [NAMED["a0"], NAMED["d0"]]] = EMPTY, 5
    table["side"], table["attackers"] = RED, 0
    begin(table[0])
    with pytest.raises(ValueError, match="side is 0: Red could take the general"):
        check(GAME, table[0])


def test_R2_the_start() -> None:
    tables = make_tables("xiangqi", 3, seed=1)
    assert [fen(s) for s in tables.state] == [START] * 3
    assert (tables.action_mask.sum(axis=1) == 44).all()


def test_R3_red_moves_first_and_the_seats_swap() -> None:
    for red in (0, 1):
        game = Position(red=f"seat{red}", hands=3, max_plies=1)
        for number in range(3):
            assert game.s["hand"] == number
            assert game.turn == game.s["red"] == (red + number) % 2
            game.play("a0a1")
            if number < 2:
                game.next_hand()
        assert game.s["over"]


def test_R3_the_first_colours_are_drawn() -> None:
    red = make_tables("xiangqi", 1000, seed=5).state["red"]
    assert 430 < red.sum() < 570
    assert (make_tables("xiangqi", 50, seed=5, red="seat1").turn == 1).all()


@pytest.mark.parametrize(
    ("position", "start", "ends"),
    [
        ("5k3/9/9/9/9/9/9/3K5/9/9 w", "d2", "d1 e2"),
        ("9/4k4/9/9/9/9/9/9/9/3K5 b", "e8", "e7 e9 f8"),  # d8 faces the other general
    ],
)
def test_R4_generals(position: str, start: str, ends: str) -> None:
    assert Position(position).moves(start) == ends


@pytest.mark.parametrize(
    ("position", "start", "ends"),
    [
        ("5k3/9/9/9/9/9/9/9/4A4/3K5 w", "e1", "d2 f0 f2"),
        ("3a1k3/9/9/9/9/9/9/9/9/3K5 b", "d9", "e8"),
    ],
)
def test_R5_advisors(position: str, start: str, ends: str) -> None:
    assert Position(position).moves(start) == ends


@pytest.mark.parametrize(
    ("position", "start", "ends"),
    [
        ("3k5/9/9/9/9/6B2/9/9/9/4K4 w", "g4", "e2 i2"),  # not across the river
        ("3k5/9/9/9/9/6B2/7p1/9/9/4K4 w", "g4", "e2"),
        ("3k5/9/4b4/9/9/9/9/9/9/4K4 b", "e7", "c5 c9 g5 g9"),
    ],
)
def test_R6_elephants(position: str, start: str, ends: str) -> None:
    assert Position(position).moves(start) == ends


def test_R7_horses() -> None:
    free = "3k5/9/9/9/4N4/9/9/9/9/4K4 w"
    assert Position(free).moves("e5") == "c4 c6 d3 d7 f3 f7 g4 g6"
    hobbled = "3k5/9/9/4P4/4Np3/9/9/9/9/4K4 w"
    assert Position(hobbled).moves("e5") == "c4 c6 d3 f3"
    # The leg counts from the horse: the same piece on e6 does not stop a horse on f7.
    assert "f7e5" in Position("3k5/9/5n3/4P4/4N4/9/9/9/9/4K4 b").legal


def test_R8_rooks() -> None:
    game = Position("3k5/9/9/9/P1R1p4/9/9/9/9/4K4 w")
    assert game.moves("c5") == "b5 c0 c1 c2 c3 c4 c6 c7 c8 c9 d5 e5"


def test_R9_cannons() -> None:
    game = Position("3k5/9/9/9/r1C1P1pn1/9/9/9/2p6/2p1K4 w")
    assert game.moves("c5") == "b5 c0 c2 c3 c4 c6 c7 c8 c9 d5 g5"


def test_R10_soldiers() -> None:
    assert Position("3k5/9/9/9/9/4p4/9/9/9/4KP3 b").moves("e4") == "d4 e3 f4"
    assert Position("3k5/9/9/4p4/9/9/9/9/9/4K4 b").moves("e6") == "e5"
    assert Position("P2k5/9/9/9/9/9/9/9/9/4K4 w").moves("a9") == "b9"


def test_R11_generals_do_not_face_each_other() -> None:
    assert Position("3k5/9/9/9/9/3p5/9/9/9/3K5 b").moves("d4") == "d3"
    assert Position("4k4/9/9/9/9/3p5/9/9/9/3K5 b").moves("d4") == "c4 d3 e4"
    assert Position("4k4/9/9/9/9/9/9/9/9/3K5 b").moves("e9") == "e8 f9"


def test_R12_check() -> None:
    game = Position("5k3/9/9/9/9/9/9/9/r2R5/4K4 b").play("a1a0")
    assert game.s["checked"]
    assert game.legal == {"e0e1", "d1d0"}


def test_R12_a_piece_that_shields_its_general_may_not_move_away() -> None:
    pinned = "3k5/9/9/9/9/9/4r4/9/4R4/4K4 w"
    assert Position(pinned).moves("e1") == "e2 e3"
    over_two = "3k5/9/9/9/4c4/4p4/4N4/9/9/4K4 w"  # either piece gone, the cannon checks
    assert Position(over_two).moves("e3") == ""
    under_the_cannon = "3k5/9/9/9/4c4/9/9/R8/9/4K4 w"  # no piece may become its screen
    assert "e2" not in Position(under_the_cannon).moves("a2")
    leg = "3k5/9/9/9/9/9/9/5n3/5N3/4K4 w"  # the horse on f2 would reach e0 over f1
    assert Position(leg).moves("f1") == ""


@kernel
def faces(s):
    """Whether the generals stand on one file with nothing between."""
    red, black = np.int64(s.generals[RED]), np.int64(s.generals[BLACK])
    if red % FILES != black % FILES:
        return False
    between = 0
    for p in range(red + FILES, black, FILES):
        between += s.board[p] != EMPTY
    return between == 0


@kernel
def wrong_moves(tables, moves, chosen):
    """Tables where ``pseudo_moves`` or ``legal_moves`` differ from trying every pair of points."""
    wrong = 0
    for i in range(len(tables)):
        s = tables[i]
        side = np.int64(s.side)
        chosen[:] = 0
        for k in range(pseudo_moves(s, side, moves)):
            chosen[moves[k]] += 1
        for k in range(legal_moves(s, moves)):
            chosen[moves[k]] += 2
        same = True
        for start in range(POINTS):
            for end in range(POINTS):
                expected = 0
                move = start * POINTS + end
                if is_own(s.board[start], side) and reaches(s, start, end):
                    captured = make_move(s, move)
                    taken = faces(s)
                    for p in range(POINTS):
                        if is_own(s.board[p], 1 - side):
                            taken = taken or reaches(s, p, np.int64(s.generals[side]))
                    unmake(s, move, captured)
                    expected = 1 if taken else 3
                same = same and chosen[move] == expected
        wrong += not same
    return wrong


def test_R12_the_move_generator_agrees_with_trying_all_pairs_of_points() -> None:
    tables = make_tables("xiangqi", 64, seed=3, draw_offers=False)
    moves, chosen = np.zeros(MOST_MOVES, np.int16), np.zeros(POINTS * POINTS, np.int8)
    for step in range(240):
        if step % 6 == 0:
            assert wrong_moves(tables.state.copy(), moves, chosen) == 0
        tables.step(tables.sample())


# --- How a game ends -----------------------------------------------------------------------------


def test_R13_checkmate_and_stalemate() -> None:
    game = Position(RED_MATES[0]).play(RED_MATES[1])
    assert (game.winner, game.reason) == ("Red", "checkmate")
    assert GAME.report(game.s) == {
        "reason": "checkmate",
        "winner": 0,
        "red": 0,
        "moves": 1,
        "last_move": "b4b9",
        "position": "1R3k3/R8/9/9/9/9/9/9/9/3K5 b",
    }
    game = Position(CORNERED).play("e2e1")
    assert (game.winner, game.reason) == ("Black", "stalemate")


def test_R14_resigning() -> None:
    assert "resign" not in Position().legal
    game = Position(resign=True, stake=3)
    assert "resign" in game.legal
    game.play("resign")
    assert (game.winner, game.reason, game.coins) == ("Black", "resigned", (-3, 3))
    game = Position(resign=True, repetition="none").play(SHUFFLE, SHUFFLE, "a0a1 a9a8")
    game.play("offer_draw")
    assert "resign" not in game.legal


def test_R15_five_moves_between_offers() -> None:
    game = Position(repetition="none").play(SHUFFLE, SHUFFLE, "a0a1 a9a8 offer_draw decline")
    moves = (SHUFFLE + " ") * 4
    offers = []
    for number, move in enumerate(moves.split()[2:14]):
        offers += [number] * ("offer_draw" in game.legal)
        game.play(move)
    assert offers == [1, 3, 5, 7, 9, 10, 11]  # Black at all its turns, Red after five more moves


def test_R15_a_new_game_counts_anew() -> None:
    game = Position(repetition="none", max_plies=10, hands=2).play(SHUFFLE, SHUFFLE, "a0a1 a9a8")
    assert game.reason == "length"
    assert "offer_draw" not in game.next_hand().legal


def test_R15_no_offers_without_the_option() -> None:
    game = Position(repetition="none", draw_offers=False).play(SHUFFLE, SHUFFLE, "a0a1 a9a8")
    assert "offer_draw" not in game.legal


def test_R16_the_start_and_equal_pieces_count() -> None:
    game = Position("3k5/9/9/9/9/9/9/9/R8/R4K3 w")
    swap = "a1b1 d9d8 a0a1 d8d9 b1b0 d9d8 b0a0 d8d9"  # the rooks change places
    game.play(swap)
    assert game.s["occurrences"] == 2
    game.play(swap)
    assert (game.s["plies"], game.winner, game.reason) == (16, "draw", "repetition")


def test_R16_the_side_to_move_counts() -> None:
    game = Position("3k5/9/9/9/9/9/9/9/9/R4K3 w").play("a0b0 d9d8 b0a0 d8d9")
    assert game.s["occurrences"] == 2
    game = Position("3k5/9/9/9/9/9/9/9/9/R4K3 w").play("a0b0 d9d8 b0c0 d8d9 c0a0")
    assert fen(game.s).split()[0] == "3k5/9/9/9/9/9/9/9/9/R4K3"
    assert game.s["occurrences"] == 1


def test_R16_a_capture_ends_the_history() -> None:
    game = Position("3k5/9/9/9/9/9/9/9/9/R1p2K3 w").play("a0b0 d9d8 b0a0 d8d9")
    assert (game.s["quiet"], game.s["occurrences"]) == (4, 2)
    game.play("a0c0")
    assert (game.s["quiet"], game.s["occurrences"]) == (0, 1)
    assert (game.s["quiet_moves"] == NONE).all()


def test_R16_equal_keys_are_not_enough() -> None:
    game, twin = (Position().play("a0a1 a9a8 i0i1") for _ in range(2))
    twin.play("i9i8")
    game.s["keys"][0] = twin.s["key"]
    game.play("i9i8")
    assert game.s["key"] == game.s["keys"][0]
    assert game.s["occurrences"] == 1


def test_R16_the_window_begins_at_the_first_of_three() -> None:
    """A quiet way into a perpetual check does not excuse it."""
    game = Position("4k4/9/8R/9/9/9/9/9/9/rrBA1K3 w").play("i7i8 a0a1")
    game.play(*["i8i9 e9e8 i9i8 e8e9"] * 2)
    assert game.s["first"] == 2
    assert (game.winner, game.reason) == ("Black", "perpetual check")


@pytest.mark.parametrize("rule", ["minimal", "engine"])
def test_R16_both_sides_check_all_the_time(rule: str) -> None:
    game = Position("5c3/4k4/9/9/9/5r3/9/4C4/9/4RK3 w", repetition=rule)
    game.play(*["e2f2 f4e4 f2e2 e4f4"] * 2)
    assert game.s["checks"][:8].all()
    assert (game.winner, game.reason) == ("draw", "repetition")


def prey(board: str, move: str) -> str:
    """The pieces a move chases, by point."""
    game = Position(board).play(move)
    side = 1 - int(game.s["side"])
    points = [p for p in range(POINTS) if is_own(game.s["board"][p], 1 - side)]
    before = game.table.tobytes()
    found = [point_name(p) for p in points if chases(game.s, side, parse_iccs(move), p)]
    assert game.table.tobytes() == before
    return " ".join(found)


@pytest.mark.parametrize(
    ("board", "move", "chased"),
    [
        # (a) who is chased, and by whom
        ("4k4/9/9/9/9/9/9/9/9/3K4R w", "i0i9", ""),  # the general
        ("3k5/9/9/p8/9/9/9/9/9/1R2K4 w", "b0a0", ""),  # a soldier that has not crossed
        ("3k5/9/9/9/9/p8/9/9/9/1R2K4 w", "b0a0", "a4"),  # one that has
        ("5k3/9/9/9/9/9/9/9/4c4/3K5 w", "d0d1", ""),  # by the general
        ("3k5/9/9/9/9/9/9/3r5/9/4KA3 w", "f0e1", "d2"),  # by an advisor
        # (b) new or not
        ("3k3n1/9/9/9/9/9/9/9/9/4K3R w", "i0h0", "h9"),
        ("3k3n1/9/9/9/9/9/9/9/9/4K2R1 w", "h0h1", ""),
        ("3k3n1/9/9/9/7N1/9/9/9/9/4K2R1 w", "h5g3", "h9"),  # uncovered
        # (c) a piece of the same kind
        ("4k4/9/9/9/4r4/R8/9/9/9/3K5 w", "a4a5", ""),
        ("4k4/9/9/9/4r4/R8/9/9/4R4/3K5 w", "a4a5", "e5"),  # it may not take: its general
        # (d) guarded or not
        ("2r1k4/9/9/9/2n6/9/R8/9/9/3K5 w", "a3a5", ""),
        ("R1r1k4/9/9/9/2n6/9/R8/9/9/3K5 w", "a3a5", "c5"),  # the guard may not leave its rank
        ("2r1k4/9/9/9/2r6/9/9/1N7/9/3K5 w", "b2a4", "c5"),  # a rook by a horse
        ("2r1k4/9/9/9/2r3P2/9/8C/9/9/3K5 w", "i3i5", "c5"),  # a rook by a cannon
        ("2r1k4/9/9/9/2n3P2/9/8C/9/9/3K5 w", "i3i5", ""),  # a guarded horse by a cannon
    ],
)
def test_R17_what_a_move_chases(board: str, move: str, chased: str) -> None:
    assert prey(board, move) == chased


def test_R17_the_capture_has_to_be_legal() -> None:
    """A pinned rook chases nothing."""
    assert prey("3k5/9/9/9/9/9/1n7/9/4R4/4K4 w", "e1e3") == "b3"
    assert prey("3kr4/9/9/9/9/9/1n7/9/4R4/4K4 w", "e1e3") == ""


def test_R18_no_capture() -> None:
    game = Position("3ak4/9/9/9/9/9/9/9/9/R2K1A3 w", nocapture_plies=5)
    game.play("a0b0 d9e8 b0c0 e8d9 c0a0")
    assert (game.winner, game.reason, game.coins) == ("draw", "no capture", (0, 0))


def test_R19_nobody_can_attack() -> None:
    game = Position("3k5/9/9/9/9/9/9/4p4/4K4/9 w").play("e1e2")
    assert (game.winner, game.reason) == ("draw", "no attackers left")
    assert not Position("3k5/9/9/9/9/9/9/4p4/4K4/P8 w").play("e1e2").ended


def test_R20_length() -> None:
    game = Position(max_plies=3).play("a0a1 a9a8")
    assert not game.ended
    game.play("b0c2")
    assert (game.winner, game.reason) == ("draw", "length")


def test_R21_repetition_comes_before_the_limits() -> None:
    board, moves, _ = PERPETUAL[0]
    game = Position(board, nocapture_plies=8, max_plies=8).play(moves, moves)
    assert game.reason == "perpetual check"
    shuffle = "3ak4/9/9/9/9/9/9/9/9/R2K1A3 w", "a0b0 d9e8 b0a0 e8d9"
    limits = {"repetition": "none", "max_plies": 8}
    assert Position(shuffle[0], nocapture_plies=8, **limits).play(*[shuffle[1]] * 2).reason == (
        "no capture"
    )
    game = Position("3k5/9/9/9/9/9/9/4p4/4K4/9 w", max_plies=1).play("e1e2")
    assert game.reason == "no attackers left"


def test_R22_nobody_pays_more_than_it_has() -> None:
    board, move = MATE
    assert Position(board, stake=10, stack=(3, 50)).play(move).coins == (-3, 3)
    assert Position(board, stake=10, stack=(50, 3)).play(move).coins == (-10, 10)


@pytest.mark.parametrize("seat", [0, 1])
def test_R23_leaving_loses_and_ends_the_match(seat: int) -> None:
    game = Position(stake=5, hands=3).leave(seat)
    assert game.coins == ((-5, 5), (5, -5))[seat]
    assert (game.reason, game.winner) == ("a seat left", ("Black", "Red")[seat])
    assert game.s["over"]


def test_R23_leaving_when_asked_for_a_draw() -> None:
    game = Position(repetition="none").play(SHUFFLE, SHUFFLE, "a0a1 a9a8 offer_draw").leave(0)
    assert game.coins == (-1, 1)


def test_R24_no_answer() -> None:
    def house(game: Position) -> str:
        action = np.zeros(1, np.int64)
        engine(GAME).default_tables(game.table, ONE, action)
        return GAME.action_name(int(action[0]))

    assert house(Position()) == "A0A1"
    assert house(Position().play("a0a1")) == "A0A1"
    assert house(Position(resign=True)) == "resign"
    game = Position(repetition="none", resign=True).play(SHUFFLE, SHUFFLE, "a0a1 a9a8 offer_draw")
    assert (house(game), game.legal) == ("decline", {"accept", "decline"})


def test_R25_stacks_carry_over() -> None:
    game = Position(MATE[0], stake=10, stack=(25, 40), hands=5).play(MATE[1])
    assert (game.s["stack"].tolist(), int(game.s["over"])) == ([15, 50], 0)
    game.next_hand()
    assert (game.turn, int(game.s["hand"])) == (1, 1)
    game.leave(0)
    assert game.s["stack"].tolist() == [5, 60]


@pytest.mark.parametrize(("stack", "over"), [(19, True), (20, False)])
def test_R25_the_match_ends_when_a_seat_is_short(stack: int, over: bool) -> None:
    game = Position(MATE[0], stake=10, stack=(stack, 40), hands=5).play(MATE[1])
    assert bool(game.s["over"]) == over


# --- Options, views, words -----------------------------------------------------------------------


def test_the_longest_match() -> None:
    assert max_plies(GAME.options()) == 560
    game = Position(repetition="none", max_plies=40)
    steps = 0
    moves = iter((SHUFFLE + " ").split() * 10)
    while not game.ended:
        offer = "offer_draw" in game.legal
        game.play(*(["offer_draw", "decline"] if offer else [next(moves)]))
        steps += 1 + offer
    assert 40 < steps <= max_plies(GAME.options(max_plies=40)) == 56


def test_bad_options_are_refused() -> None:
    with pytest.raises(OptionError, match="repetition='asian' is not allowed; allowed: none, mini"):
        make("xiangqi", repetition="asian")
    with pytest.raises(OptionError, match="nocapture_plies=3 is not allowed; allowed: 4…240"):
        position(START, nocapture_plies=3)


def test_moves_are_read_as_ICCS_or_by_their_own_names() -> None:
    game = Position()
    assert GAME.parse_move(game.s, "h2e2") == GAME.parse_move(game.s, "H2E2")
    game.play("h2e2")
    assert GAME.parse_move(game.s, "b7e7") == [GAME.parse("H2E2")]
    assert GAME.parse_move(game.s, "offer_draw") == [GAME.parse("offer_draw")]
    with pytest.raises(ValueError, match="no piece of Black ever moves a0b5"):
        GAME.parse_move(game.s, "a0b5")
    with pytest.raises(ValueError, match="'z0b5' is no move"):
        GAME.parse_move(game.s, "z0b5")


def test_both_colours_see_the_same_board() -> None:
    game = Position().play("h2e2")
    black = game.known(1)
    red = Position("rnbakabnr/9/4c2c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w")
    mirrored = red.known(0)
    assert (black["pieces"] == mirrored["pieces"]).all()
    assert black["pieces"][0, 0, 4] == 1  # the own general
    assert black["pieces"][7 + 5, 7, 4] == 1  # the cannon that went to the middle
    assert black["last_points"][0, 7, 1] == black["last_points"][1, 7, 4] == 1
    assert black["last_points"].sum() == 2
    assert (black["last_moves"][0] * POINTS).tolist() == [7 * 9 + 1 + 1, 7 * 9 + 4 + 1]
    assert (black["red"], mirrored["red"]) == (0, 1)


def test_the_observation_tells_repetition_and_limits() -> None:
    board, moves, _ = PERPETUAL[0]
    game = Position(board, stake=4, stack=(8, 20)).play(moves)
    red, black = game.known(0), game.known(1)
    assert red["occurrences"].tolist() == [0, 1]
    assert red["all_checks"].tolist() == [1, 0]
    assert black["all_checks"].tolist() == [0, 1]
    assert red["quiet"] == np.float32(4 / 120)
    assert red["plies"] == np.float32(4 / 400)
    assert red["check"].tolist() == black["check"].tolist() == [0, 0]
    assert red["stacks"].tolist() == [2, 5]
    game.play("i8i9")
    assert game.known(1)["check"].tolist() == [1, 0]
    assert game.known(0)["check"].tolist() == [0, 1]
    assert (game.known(0)["to_move"], game.known(1)["to_move"]) == (0, 1)


def test_the_observation_tells_offers() -> None:
    game = Position(repetition="none").play(SHUFFLE, SHUFFLE, "a0a1 a9a8")
    red = game.known(0)
    assert (red["may_offer"], red["since_offer"].tolist()) == (1, [1, 1])
    assert game.known(1)["may_offer"] == 0
    game.play("offer_draw")
    assert game.known(1)["asked"].tolist() == [1, 0]
    assert game.known(0)["asked"].tolist() == [0, 1]
    assert game.known(0)["since_offer"].tolist() == [0, 1]


def test_a_view_is_sent_in_names() -> None:
    game = Position().play("h2e2 h9g7")
    message = to_wire(GAME, game.s, 0)
    state = message["state"]
    assert state["board"] == "rnbakab1r/9/1c4nc1/p1p1p1p1p/9/9/P1P1P1P1P/1C2C4/9/RNBAKABNR"
    assert state["quiet_moves"] == ["h2e2", "h9g7"]
    assert state["last_moves"] == ["h9g7", "h2e2"]
    assert len(state["choices"]) == len(game.legal)
    assert from_wire(GAME, message)[0]["key"] == game.s["key"]
    message["state"]["board"] = "9/9"
    with pytest.raises(ValueError, match="field board cannot be read: '9/9' has 2 ranks"):
        from_wire(GAME, message)


def test_the_scene_is_seen_from_the_own_side() -> None:
    game = Position().play("h2e2")
    red, black = GAME.scene(game.s, 0), GAME.scene(game.s, 1)
    assert red.zones[0].items[:3] == ("r", "n", "b")
    assert black.zones[0].items == red.zones[0].items[::-1]
    assert red.zones[0].edges == ("abcdefghi", "9876543210")
    assert sorted(red.zones[0].items[i] for i in red.zones[0].marked) == ["", "C"]
    assert sorted(black.zones[0].items[i] for i in black.zones[0].marked) == ["", "C"]
    assert red.moves == ("h2e2",)
    assert [p.role for p in red.places] == ["Red 紅", "Black 黑"]
    assert "0 R N B A K A B N R" in render.text(red)
    ended = GAME.scene(Position(MATE[0]).play(MATE[1]).s, None)
    assert [(p.role, p.note) for p in ended.places] == [
        *(("Red 紅 loses", "checkmate"), ("Black 黑 wins", "checkmate")),
    ]
