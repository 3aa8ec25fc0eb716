"""Xiangqi (象棋), Chinese chess: two seats, nothing hidden, one stake a game.

R1 90 points: files a–i from Red's left to right, ranks 0–9 from Red's edge. The river lies between
   ranks 4 and 5; the palaces (九宮) are files d–f with ranks 0–2 (Red) and 7–9 (Black). A move is
   written in ICCS, ``h2e2``; a position in FEN, rank 9 first, with K A B N R C P for general,
   advisor, elephant, horse, rook, cannon and soldier, capitals Red, then ``w`` (Red) or ``b``;
   read as well are H and E for horse and elephant, and ``r`` for Red.
R2 The start is ``rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w``.
R3 Red moves first. Who has Red in the first game is an option; then the seats swap every game.
R4 General (帥/將): one point along a line inside its palace.
R5 Advisor (仕/士): one point diagonally inside its palace.
R6 Elephant (相/象): two points diagonally on its own side of the river, unless the point between
   (象眼) is occupied.
R7 Horse (馬): one point along a line, then one diagonally outward, unless the first of these points
   is occupied (蹩馬腿).
R8 Rook (車): any distance along a line over empty points; it takes the first piece it meets.
R9 Cannon (炮): moves like the rook, but takes only by jumping exactly one piece of either side, at
   any distance before and behind it.
R10 Soldier (兵/卒): one point forward; once across the river also one point sideways; never back.
R11 The generals never stand on one file with nothing between them.
R12 A move goes to an empty point or takes an enemy piece; after it the mover's general is neither
   attacked nor facing the other one. Check (將軍): the general could be taken next move.
R13 The side to move loses if it has no legal move, in check (將死) or not (困斃).
R14 A seat may resign (認輸) on its own turn, if option ``resign`` is on.
R15 On its turn a seat may offer a draw, once it has made five moves since its last offer or the
   start. The other seat answers at once: accepted, the game is drawn; declined, the seat moves.
R16 The third time a position occurs with the same side to move, the start included, the game ends.
   The window is the plies from the first of these occurrences to the last. ``minimal``: a side all
   of whose moves in it gave check loses if the other's did not; otherwise draw. ``engine``: the
   same; but if no side loses so and no move in the window gave check, a side that chased with all
   its moves (R17) loses if the other did not. ``none``: no such rule.
R17 A move chases (捉) the enemy piece v if right after it the mover, were it to move again, could
   legally take v with some piece a, and (a) v is neither the general nor a soldier that has not
   crossed the river, and a neither general nor soldier; (b) a could not take v right before the
   move; (c) not: a and v are of one kind and v could take a; (d) the other side could not retake,
   or v is a rook and a is a horse or cannon. A side chased with all its moves if each of them
   chased one and the same piece.
R18 So many plies in a row without a capture are a draw.
R19 If neither side has a rook, horse, cannon or soldier, the game is drawn.
R20 So many moves of both sides together are a draw.
R21 After a move R13, R19, R16, R18, R20 are applied in this order; the first that fits decides.
R22 The loser pays the winner the stake, or all it has if that is less; a draw costs nothing.
R23 Leaving (逃跑), running out of time or staying away is a loss by R22, and the match ends. Clocks
   are the host's, which reports an overrun as leaving.
R24 No answer: decline when asked; else resign if that is allowed; else the move with the lowest id.
R25 Stacks carry over from game to game. The match ends early when after a game some seat has fewer
   coins than the stake.

Actions are in the mover's own frame: for Black the board is turned by 180°, so that Red's ``h2e2``
and Black's ``b7e7`` are both ``H2E2``. Own-frame names are in capitals, ICCS in lower case.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from enum import IntEnum
from typing import Any

import numpy as np

from qipai.envs import options
from qipai.envs.fields import Codec, Field, Fields
from qipai.envs.game import Game
from qipai.envs.kernel import addressable, kernel
from qipai.envs.layout import NONE, Actions, Observation, Range, hand_range
from qipai.envs.match import ENDED, close_hand, end_match_below
from qipai.envs.options import MAX_STAKE, Options, choice, flag, integer
from qipai.envs.rng import below, conceal_rng
from qipai.envs.scene import Place, Scene, Zone

VERSION = 0

# --- The board (R1) ----------------------------------------------------------------------------
# Point = rank × 9 + file. A move is an int: from × 90 + to, on the board as Red sees it.

FILES, RANKS = 9, 10
POINTS = FILES * RANKS
RED, BLACK = range(2)
SIDES = ("Red", "Black")
KINDS = 7
EMPTY = 0  # a piece is 1 + kind for Red, 8 + kind for Black
GENERAL, ADVISOR, ELEPHANT, HORSE, ROOK, CANNON, SOLDIER = range(1, 1 + KINDS)  # as Red's pieces
LETTERS = " KABNRCPkabnrcp"  # by piece, as in FEN

LAST = POINTS - 1  # a point seen from the other side is LAST − point
TURNED = LAST * (POINTS + 1)  # a move seen from the other side is TURNED − move
PIECES_AT = 119  # behind the moves of a position, which are never more than 114
MOST_MOVES = PIECES_AT + 17  # length of an array of moves


def point(file: int, rank: int) -> int:
    """The number of a point, −1 off the board."""
    return rank * FILES + file if 0 <= file < FILES and 0 <= rank < RANKS else -1


def point_name(p: int) -> str:
    return "abcdefghi"[p % FILES] + str(p // FILES)


NAMED = {point_name(p): p for p in range(POINTS)}
HOME = {  # where Red's pieces stay: R4, R5, R6
    kind: {NAMED[name] for name in names.split()}
    for kind, names in (
        (GENERAL, "d0 e0 f0 d1 e1 f1 d2 e2 f2"),
        (ADVISOR, "d0 f0 e1 d2 f2"),
        (ELEPHANT, "c0 g0 a2 e2 i2 c4 g4"),
    )
}
LINES = ((1, 0), (-1, 0), (0, 1), (0, -1))
DIAGONALS = ((1, 1), (1, -1), (-1, 1), (-1, -1))


def steps(kind: int, start: int) -> list[tuple[int, int]]:
    """The steps of Red's piece of this kind, neither rook nor cannon, on an empty board.

    A step is where it ends and the point that has to be empty, ``start`` where there is none such.
    """

    def at(x: int, y: int) -> int:
        return point(start % FILES + x, start // FILES + y)

    if kind == GENERAL:  # R4
        found = [(at(x, y), start) for x, y in LINES]
    elif kind == ADVISOR:  # R5
        found = [(at(x, y), start) for x, y in DIAGONALS]
    elif kind == ELEPHANT:  # R6
        found = [(at(2 * x, 2 * y), at(x, y)) for x, y in DIAGONALS]
    elif kind == HORSE:  # R7
        found = [(at(2 * x + k * y, 2 * y + k * x), at(x, y)) for x, y in LINES for k in (1, -1)]
    else:  # R10
        sides = (-1, 1) if start >= POINTS // 2 else ()
        found = [(at(0, 1), start), *((at(x, 0), start) for x in sides)]
    home = HOME.get(kind, range(POINTS))
    return [step for step in found if start in home and step[0] in home]


def step_tables() -> tuple[np.ndarray, np.ndarray]:
    """How many steps each piece has from each point, and the steps."""
    count = np.zeros((len(LETTERS), POINTS), np.int8)
    table = np.full((len(LETTERS), POINTS, 8, 2), NONE, np.int8)
    for kind in (GENERAL, ADVISOR, ELEPHANT, HORSE, SOLDIER):
        for p in range(POINTS):
            for k, (end, empty) in enumerate(steps(kind, p)):
                table[kind, p, k] = end, empty
                table[kind + KINDS, LAST - p, k] = LAST - end, LAST - empty
                count[kind, p] = count[kind + KINDS, LAST - p] = k + 1
    return count, table


STEP_COUNT, STEPS = step_tables()
ACROSS = (1, -1, FILES, -FILES)  # from a point to its neighbours along the lines
ROOM = np.array(  # points before the edge, in the same directions
    [[8 - p % FILES, p % FILES, 9 - p // FILES, p // FILES] for p in range(POINTS)], np.int8
)
ON_LINE = np.array(
    [[p % 9 == q % 9 or p // 9 == q // 9 for q in range(POINTS)] for p in range(POINTS)], np.int8
)


def horse_tables() -> tuple[np.ndarray, np.ndarray]:
    """The diagonal neighbours of each point, and the two points beyond each of them from which a
    horse attacks the point over it. The point itself stands for what is off the board."""
    legs = np.zeros((POINTS, 4), np.int8)
    horses = np.zeros((POINTS, 4, 2), np.int8)
    for p in range(POINTS):
        file, rank = p % FILES, p // FILES
        for k, (x, y) in enumerate(DIAGONALS):
            around = (x, y), (2 * x, y), (x, 2 * y)
            found = [point(file + dx, rank + dy) for dx, dy in around]
            legs[p, k], *horses[p, k] = [q if q >= 0 else p for q in found]
    return legs, horses


def place_table() -> np.ndarray:
    """Where a point lies as seen from another: on a line, on a leg, elsewhere, or right there."""
    table = np.full((POINTS, POINTS), ELSEWHERE, np.int8)
    for p in range(POINTS):
        for d, across in enumerate(ACROSS):
            for k in range(1, ROOM[p, d] + 1):
                table[p, p + k * across] = d
        for k, leg in enumerate(LEGS[p]):
            table[p, leg] = LEG + k
        table[p, p] = HERE
    return table


LEGS, HORSES = horse_tables()
LEG, ELSEWHERE, HERE = 4, 8, 9  # places: 0–3 are the lines as in ACROSS, 4–7 the legs
PLACE = place_table()

_RANDOM = np.random.PCG64(0).random_raw(len(LETTERS) * POINTS + 1)  # its raw output never changes
KEYS = _RANDOM[:-1].reshape(len(LETTERS), POINTS)  # Zobrist (1970), the empty point's are 0
KEYS[EMPTY] = 0
KEY_OF_SIDE = _RANDOM[-1]
ATTACKS = np.array([letter in "NRCPnrcp" for letter in LETTERS], np.int8)  # R19

# --- Options -------------------------------------------------------------------------------------

LONGEST_QUIET = 240
MOST_PLIES = 2000


class FirstRed(IntEnum):  # who has Red in the first game (R3)
    RANDOM = 0
    SEAT0 = 1
    SEAT1 = 2


class Repetition(IntEnum):  # who loses by it (R16, R17)
    NONE = 0
    MINIMAL = 1
    ENGINE = 2


RULES = Options(
    options.seats(2, low=2, high=2, clause="R1"),
    options.hands(clause="R25"),
    options.stack(1000, seats=2, clause="R22"),
    integer("stake", 1, low=1, high=MAX_STAKE, meaning="coins of a game", clause="R22"),
    choice("red", FirstRed.RANDOM, meaning="Red in the first game", clause="R3"),
    choice(
        "repetition",
        Repetition.ENGINE,
        meaning="who loses by repeating a position",
        clause="R16, R17",
    ),
    integer(
        "nocapture_plies",
        120,
        low=4,
        high=LONGEST_QUIET,
        meaning="draw after so many quiet plies",
        clause="R18",
    ),
    integer(
        "max_plies",
        400,
        low=1,
        high=MOST_PLIES,
        meaning="draw after so many moves of both sides",
        clause="R20",
    ),
    flag("draw_offers", True, meaning="draws may be offered", clause="R15"),
    flag("resign", False, meaning="a seat may resign", clause="R14"),
)
OFFER_EVERY = 5  # moves of the own side (R15)

# --- Actions -------------------------------------------------------------------------------------


def iccs(move: int) -> str:
    """A move on the board as Red sees it in ICCS, such as ``h2e2``."""
    start, end = divmod(move, POINTS)
    return point_name(start) + point_name(end)


def parse_iccs(text: str) -> int:
    """The move written in ICCS; ValueError if it is none."""
    if text[:2] not in NAMED or text[2:] not in NAMED:
        raise ValueError(f"{text!r} is no move; a move is two points a0 … i9, like h2e2")
    return NAMED[text[:2]] * POINTS + NAMED[text[2:]]


def possible_moves() -> list[int]:
    """Every move some piece of Red can ever make, by start, then by end."""
    return [
        start * POINTS + end
        for start in range(POINTS)
        for end in range(POINTS)
        if (ON_LINE[start, end] and start != end)
        or any(end in STEPS[kind, start, :, 0] for kind in (HORSE, ADVISOR, ELEPHANT))
    ]


MOVES = np.array(possible_moves(), np.int16)  # by id, in the own frame
MOVE_ID = np.full(POINTS * POINTS, -1, np.int16)
MOVE_ID[MOVES] = np.arange(len(MOVES))

ACTIONS = Actions()
MOVE = ACTIONS.add("move", [iccs(m).upper() for m in MOVES.tolist()], "legal by R12")
OFFER = ACTIONS.add("offer a draw", ["offer_draw"], "five own moves after the last offer (R15)")
ACCEPT = ACTIONS.add("answer", ["accept", "decline"], "the other seat offers a draw")
DECLINE = ACCEPT + 1
RESIGN = ACTIONS.add("resign", ["resign"], "on the own turn, with option resign")

# --- State ---------------------------------------------------------------------------------------

TO_MOVE, ANSWER = range(2)
LOG = 8  # moves kept over captures
ATTACKERS = 22  # at the start: of each side two horses, rooks and cannons, five soldiers
REASONS = (
    *("checkmate", "stalemate", "no attackers left", "perpetual check", "perpetual chase"),
    *("repetition", "no capture", "length", "agreement", "resigned", "a seat left"),
)
CHECKMATE, STALEMATE, MATERIAL, CHECKS, CHASES = range(5)
REPETITION, NO_CAPTURE, LENGTH, AGREEMENT, RESIGNED, LEFT = range(5, 11)


def _row(length: int, fill: int, encode: Any, decode: Any) -> Codec:
    """A row written up to the first entry that is ``fill``."""

    def write(row: np.ndarray) -> list[str]:
        return [encode(int(x)) for x in row if x != fill]

    def read(written: list[str]) -> np.ndarray:
        if len(written) > length:
            raise ValueError(f"{len(written)} entries; there are at most {length}")
        return np.array([decode(x) for x in written] + [fill] * (length - len(written)), object)

    return Codec(encode=write, decode=read, row=True)


def _move_row(length: int) -> Codec:
    return _row(length, NONE, iccs, parse_iccs)


_KEY = Codec(encode="{:016x}".format, decode=lambda text: int(text, 16))
_KEYS = _row(LONGEST_QUIET + 1, 0, _KEY.encode, _KEY.decode)
_BOARD = Codec(
    encode=lambda board: write_board(board), decode=lambda text: read_board(text), row=True
)
LAST_MOVE = POINTS * POINTS - 1


def _max_plies(s: np.void) -> int:
    return int(s["rules"]["max_plies"])


def _nocapture_plies(s: np.void) -> int:
    return int(s["rules"]["nocapture_plies"])


FIELDS = Fields(
    RULES,
    2,
    # What ``make`` and ``unmake`` keep.
    Field.number("board", len(LETTERS) - 1, "the piece on each point", POINTS, codec=_BOARD),
    Field.number("side", BLACK, "to move: 0 Red, 1 Black"),
    Field.number("generals", LAST, "point of each side's general", 2),
    Field.number("attackers", ATTACKERS, "pieces other than generals, advisors and elephants"),
    Field.key("key", "of the board and the side to move", codec=_KEY),
    # The game.
    Field.seat("red", "the seat that has Red", kept=True),
    Field.number("phase", ANSWER, "0: to move, 1: to answer an offer"),
    Field.number("plies", _max_plies, "moves made in this game"),
    Field.number("since_offer", MOST_PLIES, "moves by seat since its last offer", 2),
    Field.number("last_moves", LAST_MOVE, "newest first", LOG, empty=True, codec=_move_row(LOG)),
    Field.seat("winner", "none: a draw, or not ended", empty=True),
    Field.number("reason", len(REASONS) - 1, "of the end; none: not ended", empty=True),
    # Since the last capture. Position i is the one before quiet move i.
    Field.number("quiet", _nocapture_plies, "moves without a capture"),
    Field.number(
        "quiet_moves",
        LAST_MOVE,
        "moves since the last capture",
        LONGEST_QUIET,
        empty=True,
        codec=_move_row(LONGEST_QUIET),
    ),
    Field.flag("checks", "that move gave check", LONGEST_QUIET),
    Field.key("keys", "of the positions before them", LONGEST_QUIET + 1, codec=_KEYS),
    # What follows from the position and the moves before.
    Field.flag("checked", "the side to move is in check"),
    Field.number("occurrences", 1 + LONGEST_QUIET // 4, "of the position so far", low=1, start=1),
    Field.number("first", LONGEST_QUIET, "number of the first of them among the quiet ones"),
    Field.number(
        "choices", LAST_MOVE, "the legal moves", MOST_MOVES, empty=True, codec=_move_row(MOST_MOVES)
    ),
)
STATE = FIELDS.dtype
FOLLOWING = (  # fields that follow from the position after the last capture and the moves since
    *("board", "side", "generals", "attackers", "key", "quiet", "quiet_moves", "checks", "keys"),
    *("checked", "occurrences", "first", "choices"),
)


def contradiction(s: np.void) -> str | None:
    """What can't be on a table or in a view: ``Game.contradiction``."""
    misplaced = misplaced_piece(s["board"])
    if misplaced:
        return f"board: {misplaced}"
    return _contradiction_in_history(s) or _contradiction_in_game(s)


def _contradiction_in_history(s: np.void) -> str | None:
    """Between the position and the moves since the last capture, which are played once more."""
    moves = s["quiet_moves"][: s["quiet"]].tolist()
    if NONE in moves:
        return f"quiet_moves has not {len(moves)} moves, as quiet={len(moves)} says"
    past, again = addressable(np.array([s], STATE))[0], addressable(FIELDS.blank())[0]
    take_back(past, moves)
    for name in ("rules", "red", "board", "side"):
        again[name] = past[name]
    begin(again)
    for k, move in enumerate(moves):
        if move not in again["choices"]:
            return f"quiet_moves[{k}] is {iccs(move)}, no legal move there"
        advance(again, np.int64(move))
    for name in FOLLOWING:
        for place, expected in np.ndenumerate(again[name]):
            if s[name][place] != expected:
                index = f"[{place[0]}]" if place else ""
                return (
                    f"{name}{index} is {s[name][place]}: by the board and the moves since the last "
                    f"capture it is {expected}"
                )
    if general_hangs(again):
        return f"side is {s['side']}: {SIDES[s['side']]} could take the general"
    return None


def _contradiction_in_game(s: np.void) -> str | None:
    """Between what the moves have led to and how the game stands."""
    playing, plies, quiet = not s["ended"], int(s["plies"]), int(s["quiet"])
    mover = int(s["red"] if s["side"] == RED else 1 - s["red"])
    asked = s["phase"] == ANSWER
    if s["turn"] != (1 - mover if asked else mover):
        return (
            f"turn is {s['turn']}: seat {mover} is to move and "
            f"{'has offered a' if asked else 'offers no'} draw"
        )
    if asked and s["since_offer"][mover]:
        return f"since_offer[{mover}] is {s['since_offer'][mover]} after that seat's offer"
    if s["since_offer"].sum() > plies:
        return f"since_offer has more than the {plies} moves that plies says"
    if quiet > plies:
        return f"quiet is {quiet}, more than plies={plies}"
    if ((s["last_moves"] != NONE) != (np.arange(LOG) < plies)).any():
        return f"last_moves has not {min(plies, LOG)} moves, as plies={plies} says"
    recent = s["quiet_moves"][:quiet][: -LOG - 1 : -1]
    if (s["last_moves"][: len(recent)] != recent).any():
        return "last_moves does not begin with the last of quiet_moves"
    if (s["reason"] == NONE) != playing or (playing and s["winner"] != NONE):
        return f"reason is {s['reason']}, winner is {s['winner']}: ended is {s['ended']}"
    if not playing:
        return None
    if quiet >= _nocapture_plies(s) or plies >= _max_plies(s):
        return f"plies is {plies}, quiet is {quiet}: the game must have ended"
    if s["choices"][0] == NONE:
        return "choices is empty: the game must have ended"
    return None


# --- Moves on the board (R4–R12) -----------------------------------------------------------------


@kernel
def is_own(piece, side):
    return (piece - KINDS * side > EMPTY) & (piece - KINDS * side <= KINDS)


@kernel
def own_points(s, side, moves):
    """Write the points of a side's pieces behind the moves; returns how many."""
    board = s.board
    pieces = 0
    for p in range(POINTS):  # a branch for each point would take longer
        moves[PIECES_AT + pieces] = p
        pieces += is_own(board[p], side)
    return pieces


@kernel
def piece_moves(s, side, p, moves, count):
    """Append the moves of the piece on p by R4–R10 alone; returns the new number of moves."""
    board = s.board
    piece = np.int64(board[p])
    kind = piece - KINDS * side
    if kind not in (ROOK, CANNON):
        for k in range(STEP_COUNT[piece, p]):
            q, block = np.int64(STEPS[piece, p, k, 0]), STEPS[piece, p, k, 1]
            moves[count] = p * POINTS + q
            free = (board[block] == EMPTY) | (block == p)
            count += free & (not is_own(board[q], side))
        return count
    for d in range(4):
        q = p
        room = np.int64(ROOM[p, d])
        met = 0
        while room > 0 and met == 0:
            q += ACROSS[d]
            room -= 1
            met += board[q] != EMPTY
            moves[count] = p * POINTS + q
            count += 1 - met
        if kind == CANNON and met == 1:  # it jumps over the screen
            while room > 0 and met == 1:
                q += ACROSS[d]
                room -= 1
                met += board[q] != EMPTY
            met -= 1
        if met == 1:
            moves[count] = p * POINTS + q
            count += not is_own(board[q], side)
    return count


@kernel
def pseudo_moves(s, side, moves):
    """Write the moves of a side by R4–R10 alone into ``moves`` (int16); returns how many."""
    count = 0
    for i in range(own_points(s, side, moves)):
        count = piece_moves(s, side, np.int64(moves[PIECES_AT + i]), moves, count)
    return count


@kernel
def attacked(s, general, by):
    """Whether side ``by`` could take a general on this point, or faces it with its own (R11)."""
    board = s.board
    first = KINDS * by
    for d in range(4):
        q = general
        room = np.int64(ROOM[general, d])
        for k in range(room):
            q += ACROSS[d]
            piece = board[q]
            if piece != EMPTY:
                if piece == first + ROOK or piece == first + GENERAL:
                    return True
                if k == 0 and piece == first + SOLDIER and d != 2 + by:  # none attacks backward
                    return True
                for _ in range(k + 1, room):
                    q += ACROSS[d]
                    if board[q] != EMPTY:
                        if board[q] == first + CANNON:
                            return True
                        break
                break
    for k in range(4):
        if board[LEGS[general, k]] == EMPTY:
            if board[HORSES[general, k, 0]] == first + HORSE:
                return True
            if board[HORSES[general, k, 1]] == first + HORSE:
                return True
    return False


@kernel
def in_check(s, side):
    """Whether the general of a side could be captured, or faces the other (R11, R12)."""
    return attacked(s, np.int64(s.generals[side]), 1 - side)


@kernel
def safe(s, side, move):
    """Whether a side's general is neither attacked nor facing the other after its move (R12)."""
    start, end = move // POINTS, move % POINTS
    board = s.board
    piece, captured = board[start], board[end]
    board[end] = piece
    board[start] = EMPTY
    general = end if start == s.generals[side] else np.int64(s.generals[side])
    danger = attacked(s, general, 1 - side)
    board[start] = piece
    board[end] = captured
    return not danger


@kernel
def exposed(s, side):
    """From which places (bits of PLACE) a move of a side may lay its general open; all in check."""
    if in_check(s, side):
        return np.int64(-1)
    board = s.board
    first = KINDS * (1 - side)
    general = np.int64(s.generals[side])
    places = np.int64(1) << HERE
    for d in range(4):  # a rook or general behind one piece, a cannon behind none or two
        q = general
        met = 0
        for _ in range(ROOM[general, d]):
            q += ACROSS[d]
            if board[q] != EMPTY:
                met += 1
                piece = board[q] - first
                if piece == CANNON or (met == 2 and piece in (ROOK, GENERAL)):
                    places |= 1 << d
                if met == 3:
                    break
    for k in range(4):
        for j in range(2):
            if board[HORSES[general, k, j]] == first + HORSE:
                places |= 1 << (LEG + k)
    return places


@kernel
def legal_moves(s, moves):
    """Write the legal moves of the side to move into ``moves`` (int16); returns how many (R12)."""
    side = s.side
    general = np.int64(s.generals[side])
    places = exposed(s, side)
    count = 0
    for i in range(own_points(s, side, moves)):
        p = np.int64(moves[PIECES_AT + i])
        leaving = places >> PLACE[general, p]
        start = count
        end = piece_moves(s, side, p, moves, count)
        for k in range(start, end):
            move = np.int64(moves[k])
            touched = leaving | places >> PLACE[general, move - p * POINTS]
            if not touched & 1 or safe(s, side, move):
                moves[count] = move
                count += 1
    return count


@kernel
def make(s, move):
    """Play a move on the board; returns the captured piece, which ``unmake`` wants back."""
    start, end = move // POINTS, move % POINTS
    board = s.board
    piece, captured = np.int64(board[start]), np.int64(board[end])
    board[end] = piece
    board[start] = EMPTY
    s.key ^= KEYS[piece, start] ^ KEYS[piece, end] ^ KEYS[captured, end] ^ KEY_OF_SIDE
    s.attackers -= ATTACKS[captured]
    s.side = 1 - s.side
    if piece in (GENERAL, GENERAL + KINDS):
        s.generals[piece // (1 + KINDS)] = end
    return captured


@kernel
def unmake(s, move, captured):
    """Take back the last move."""
    start, end = move // POINTS, move % POINTS
    board = s.board
    piece = np.int64(board[end])
    board[start] = piece
    board[end] = captured
    s.key ^= KEYS[piece, start] ^ KEYS[piece, end] ^ KEYS[captured, end] ^ KEY_OF_SIDE
    s.attackers += ATTACKS[captured]
    s.side = 1 - s.side
    if piece in (GENERAL, GENERAL + KINDS):
        s.generals[piece // (1 + KINDS)] = start


def take_back(s: np.void, moves: list[int]) -> None:
    """Take back the last moves, given in the order they were made; none of them took a piece."""
    for move in reversed(moves):
        unmake(s, np.int64(move), np.int64(EMPTY))


# --- A game begins (R1–R3) -----------------------------------------------------------------------


_OTHER_LETTERS = str.maketrans("HEhe", "NBnb")  # as other programs write horse and elephant


def read_board(placement: str) -> np.ndarray:
    """The board written in FEN, H and E for N and B too, int8 (90,); ValueError if it is none."""
    rows = placement.split("/")
    if len(rows) != RANKS:
        raise ValueError(f"{placement!r} has {len(rows)} ranks; a board has {RANKS}")
    board = np.zeros(POINTS, np.int8)
    for rank, row in zip(reversed(range(RANKS)), rows, strict=True):
        pieces = "".join(" " * int(c) if c in "123456789" else c for c in row)
        if len(pieces) != FILES:
            raise ValueError(f"rank {rank} is {row!r}: {len(pieces)} points instead of {FILES}")
        for file, letter in enumerate(pieces.translate(_OTHER_LETTERS)):
            if letter not in LETTERS:
                raise ValueError(f"rank {rank} is {row!r}: {letter!r} is no piece (KABNRCP)")
            board[point(file, rank)] = LETTERS.index(letter)
    return board


def write_board(board: np.ndarray) -> str:
    """A board in FEN, without the side to move."""
    rows = ["".join(LETTERS[int(p)] for p in row) for row in board.reshape(RANKS, FILES)[::-1]]
    return re.sub(" +", lambda empty: str(len(empty[0])), "/".join(rows))


START_FEN = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w"  # R2
START = read_board(START_FEN.split()[0])


@kernel
def deal(s):
    if s.hand > 0:
        s.red = 1 - s.red  # R3
    elif s.rules.red == FirstRed.RANDOM:
        s.red = below(s.rng, 2)
    else:
        s.red = s.rules.red - FirstRed.SEAT0
    for p in range(POINTS):
        s.board[p] = START[p]
    s.side = RED
    begin(s)


@kernel
def begin(s):
    """Start a game from ``board``, ``side`` and ``red``."""
    s.key = KEY_OF_SIDE if s.side == BLACK else np.uint64(0)
    for p in range(POINTS):
        piece = np.int64(s.board[p])
        s.key ^= KEYS[piece, p]
        s.attackers += ATTACKS[piece]
        if piece in (GENERAL, GENERAL + KINDS):
            s.generals[piece // (1 + KINDS)] = p
    forget(s)
    look(s)


@kernel
def forget(s):
    """Start the history of quiet moves anew."""
    s.quiet = 0
    s.quiet_moves[:] = NONE
    s.checks[:] = 0
    s.keys[:] = 0
    s.keys[0] = s.key


@kernel
def look(s):
    """Note what follows from a new position, and ask the side to move."""
    s.checked = in_check(s, s.side)
    count_occurrences(s)
    s.choices[legal_moves(s, s.choices) :] = NONE
    s.phase = TO_MOVE
    s.turn = seat_of(s, s.side)


@kernel
def seat_of(s, side):
    return s.red if side == RED else 1 - s.red


@kernel
def side_of(s, seat):
    return RED if seat == s.red else BLACK


# --- Repetition (R16, R17) -----------------------------------------------------------------------


@kernel
def count_occurrences(s):
    """How often the position has occurred, and when first."""
    s.occurrences = 1
    s.first = s.quiet
    for i in range(s.quiet - 4, -1, -2):
        if s.keys[i] == s.key and same_board(s, i):
            s.occurrences += 1
            s.first = i


@kernel
def same_board(s, i):
    """Whether the quiet moves from number i on have left equal pieces on all points."""
    for k in range(i, s.quiet):
        p = s.quiet_moves[k] % POINTS
        if s.board[p] != EMPTY:
            origin = p
            for j in range(s.quiet - 1, i - 1, -1):
                if s.quiet_moves[j] % POINTS == origin:
                    origin = s.quiet_moves[j] // POINTS
            if s.board[origin] != s.board[p]:
                return False
    return True


@kernel
def repetition(s):
    """Who loses by the third occurrence of the position, and the reason; NONE: a draw (R16).

    Returns a side and one of REASONS.
    """
    red, black = all_checks(s, RED), all_checks(s, BLACK)
    if red != black:
        return RED if red else BLACK, CHECKS
    if s.rules.repetition == Repetition.ENGINE and not any_check(s):
        red, black = all_chases(s, RED), all_chases(s, BLACK)
        if red != black:
            return RED if red else BLACK, CHASES
    return NONE, REPETITION


@kernel
def all_checks(s, side):
    """Whether every move of a side in the window gave check."""
    last = s.quiet - (2 if side == s.side else 1)
    given = True
    for k in range(last, s.first - 1, -2):
        given &= s.checks[k] > 0
    return given


@kernel
def any_check(s):
    given = False
    for k in range(s.first, s.quiet):
        given |= s.checks[k] > 0
    return given


@kernel
def all_chases(s, side):
    """Whether one enemy piece was chased by every move of a side in the window."""
    found = False
    for p in range(POINTS):
        found = found or (is_own(s.board[p], 1 - side) and all_chase(s, side, p))
    return found


@kernel
def all_chase(s, side, prey):
    """Whether every move of a side in the window chased the piece now on point ``prey``."""
    k = s.quiet
    while k > s.first:
        move = np.int64(s.quiet_moves[k - 1])
        if s.side != side and not chases(s, side, move, prey):
            break
        unmake(s, move, EMPTY)
        k -= 1
        if move % POINTS == prey:
            prey = move // POINTS
    chased = k == s.first
    for j in range(k, s.quiet):
        make(s, np.int64(s.quiet_moves[j]))
    return chased


@kernel
def chases(s, side, move, prey):
    """Whether the quiet move a side has just made chases the piece on point ``prey`` (R17)."""
    kind = (np.int64(s.board[prey]) - 1) % KINDS + 1
    crossed = prey < POINTS // 2 if side == RED else prey >= POINTS // 2
    if kind == GENERAL or (kind == SOLDIER and not crossed):
        return False
    for p in range(POINTS):
        hunter = s.board[p] - KINDS * side
        if not ADVISOR <= hunter <= CANNON or not can_take(s, p, prey):
            continue
        if hunter == kind and can_take(s, prey, p):
            continue
        if not (kind == ROOK and hunter in (HORSE, CANNON)) and can_retake(s, p, prey):
            continue
        unmake(s, move, EMPTY)
        before = can_take(s, move // POINTS if p == move % POINTS else p, prey)
        make(s, move)
        if not before:
            return True
    return False


@kernel
def reaches(s, start, end):
    """Whether the piece on ``start`` may go to ``end`` by R4–R10 alone."""
    board = s.board
    piece, target = np.int64(board[start]), board[end]
    side = np.int64(piece > KINDS)
    if is_own(target, side):
        return False
    kind = piece - KINDS * side
    if kind in (ROOK, CANNON):
        if start == end or not ON_LINE[start, end]:
            return False
        step = FILES if start % FILES == end % FILES else 1
        between = 0
        for p in range(min(start, end) + step, max(start, end), step):
            between += board[p] != EMPTY
        return between == (kind == CANNON and target != EMPTY)
    for k in range(STEP_COUNT[piece, start]):
        if STEPS[piece, start, k, 0] == end:
            block = STEPS[piece, start, k, 1]
            return block == start or board[block] == EMPTY
    return False


@kernel
def can_take(s, start, end):
    """Whether the piece on ``start`` could legally go to ``end`` if its side were to move."""
    return reaches(s, start, end) and safe(
        s, np.int64(s.board[start] > KINDS), start * POINTS + end
    )


@kernel
def can_retake(s, start, end):
    """Whether after a capture the other side could legally take the piece that made it."""
    move = start * POINTS + end
    captured = make(s, move)
    other = np.int64(captured > KINDS)
    found = False
    for p in range(POINTS):
        found = found or (is_own(s.board[p], other) and can_take(s, p, end))
    unmake(s, move, captured)
    return found


# --- Play (R12–R21) ------------------------------------------------------------------------------


@kernel
def may_offer(s, seat):  # R15
    return s.rules.draw_offers and s.since_offer[seat] >= OFFER_EVERY


@kernel
def own_frame(move, side):
    """A move on the board as Red sees it as one in the frame of a side, and back."""
    return move if side == RED else TURNED - move


@kernel
def legal(s, mask):
    if s.phase == ANSWER:
        mask[ACCEPT] = 1
        mask[DECLINE] = 1
        return
    for i in range(MOST_MOVES):
        move = np.int64(s.choices[i])
        if move < 0:
            break
        mask[MOVE_ID[own_frame(move, s.side)]] = 1
    mask[OFFER] = may_offer(s, s.turn)
    mask[RESIGN] = s.rules.resign


@kernel
def apply(s, action):
    if action < OFFER:
        advance(s, own_frame(np.int64(MOVES[action]), s.side))
        judge(s)
    elif action == OFFER:
        s.since_offer[s.turn] = 0
        s.phase = ANSWER
        s.turn = 1 - s.turn
    elif action == DECLINE:
        s.phase = TO_MOVE
        s.turn = 1 - s.turn
    elif action == ACCEPT:
        settle(s, NONE, AGREEMENT)
    else:  # R14
        settle(s, 1 - s.turn, RESIGNED)


@kernel
def advance(s, move):
    """Play a move and note all that follows from it, but not whether the game has ended."""
    s.since_offer[seat_of(s, s.side)] += 1
    captured = make(s, move)
    s.plies += 1
    for k in range(LOG - 1, 0, -1):
        s.last_moves[k] = s.last_moves[k - 1]
    s.last_moves[0] = move
    if captured != EMPTY:
        forget(s)
    else:
        s.quiet_moves[s.quiet] = move
        s.quiet += 1
        s.keys[s.quiet] = s.key
    look(s)
    if captured == EMPTY:
        s.checks[s.quiet - 1] = s.checked


@kernel
def judge(s):
    """End the game if a rule ends it (R21)."""
    if s.choices[0] == NONE:  # R13
        lose(s, s.side, CHECKMATE if s.checked else STALEMATE)
    elif s.attackers == 0:  # R19
        settle(s, NONE, MATERIAL)
    elif s.rules.repetition != Repetition.NONE and s.occurrences == 3:
        side, reason = repetition(s)
        lose(s, side, reason)
    elif s.quiet >= s.rules.nocapture_plies:  # R18
        settle(s, NONE, NO_CAPTURE)
    elif s.plies >= s.rules.max_plies:  # R20
        settle(s, NONE, LENGTH)


@kernel
def default(s):  # R24
    if s.phase == ANSWER:
        return DECLINE
    if s.rules.resign:
        return RESIGN
    lowest = OFFER
    for i in range(MOST_MOVES):
        move = np.int64(s.choices[i])
        if move < 0:
            break
        lowest = min(lowest, MOVE_ID[own_frame(move, s.side)])
    return lowest


@kernel
def leave(s, seat):  # R23
    settle(s, 1 - seat, LEFT)
    s.over = ENDED


# --- Settlement (R22, R25) -----------------------------------------------------------------------


@kernel
def lose(s, side, reason):
    """A side loses the game; NONE: a draw."""
    settle(s, NONE if side == NONE else np.int64(seat_of(s, 1 - side)), reason)


@kernel
def settle(s, winner, reason):
    """End the game; ``winner`` is a seat, or NONE for a draw."""
    s.winner = winner
    s.reason = reason
    if winner != NONE:
        stake = min(s.rules.stake, s.stack[1 - winner])
        s.coins[winner] = stake
        s.coins[1 - winner] = -stake
    close_hand(s)
    end_match_below(s, s.rules.stake)  # R25


# --- What a seat sees ----------------------------------------------------------------------------


@kernel
def conceal(s, seat):
    """Nothing on the board is hidden."""
    conceal_rng(s.rng)


@kernel
def redeal(s, seat):
    """There is nothing to fill in."""


BOARD = (RANKS, FILES)

OBSERVATION = Observation(
    Range(
        "pieces",
        (2 * KINDS, *BOARD),
        "own, then enemy K A B N R C P on the board, rank 0 first; all points in the own frame",
    ),
    Range("last_points", (4, *BOARD), "start and end of the last move, and of the one before"),
    Range(
        "last_moves",
        (LOG, 2),
        "start and end of the last moves, newest first, (1 + point)/90; 0: none",
    ),
    Range("occurrences", 2, "the position occurs for the first time; not so"),
    Range("all_checks", 2, "all own, all enemy moves since the first occurrence gave check"),
    Range("quiet", 1, "plies without a capture, of nocapture_plies"),
    Range("plies", 1, "moves made, of max_plies"),
    Range("check", 2, "the own, the enemy general is in check"),
    Range("since_offer", 2, "moves since the own, the other's last offer, ÷ 5"),
    Range("may_offer", 1, "the own seat may offer a draw"),
    Range("asked", 2, "the own, the other seat is asked to accept a draw"),
    Range("red", 1, "the own side is Red"),
    Range("to_move", 1, "the own side is to move"),
    hand_range(),
    Range("stacks", 2, "own and other coins, in stakes"),
    Range("stake", 1, "coins of a game"),
)


PLANE = np.array([[0, *range(14)], [0, *range(7, 14), *range(7)]])  # of O_PIECES by side and piece


@kernel
def observe(v, seat, o, known):
    side = np.int64(side_of(v, seat))
    other = 1 - seat
    board = v.board
    for p in range(POINTS):  # where there is no piece, a 0 becomes 0: a branch would take longer
        piece = np.int64(board[p if side == RED else LAST - p])
        o.pieces[PLANE[side, piece], p // FILES, p % FILES] = piece != EMPTY
    for k in range(LOG):
        if v.last_moves[k] < 0:
            break
        move = own_frame(np.int64(v.last_moves[k]), side)
        start, end = move // POINTS, move % POINTS
        o.last_moves[k, 0] = (1 + start) / POINTS
        o.last_moves[k, 1] = (1 + end) / POINTS
        if k < 2:
            o.last_points[2 * k, start // FILES, start % FILES] = 1
            o.last_points[2 * k + 1, end // FILES, end % FILES] = 1
    o.occurrences[int(v.occurrences > 1)] = 1
    if v.occurrences > 1:
        o.all_checks[0] = all_checks(v, side)
        o.all_checks[1] = all_checks(v, 1 - side)
    o.quiet = v.quiet / v.rules.nocapture_plies
    o.plies = v.plies / v.rules.max_plies
    o.check[int(v.side != side)] = v.checked
    o.since_offer[0] = v.since_offer[seat] / OFFER_EVERY
    o.since_offer[1] = v.since_offer[other] / OFFER_EVERY
    o.may_offer = not v.ended and v.phase == TO_MOVE and v.turn == seat and may_offer(v, seat)
    if v.phase == ANSWER:
        o.asked[int(v.turn != seat)] = 1
    o.red = side == RED
    o.to_move = v.side == side
    o.stacks[0] = v.stack[seat] / v.rules.stake
    o.stacks[1] = v.stack[other] / v.rules.stake
    o.stake = v.rules.stake


# --- Words ---------------------------------------------------------------------------------------


def fen(s: np.void) -> str:
    """The position in FEN: pieces, then ``w`` if Red is to move, ``b`` if Black."""
    return f"{write_board(s['board'])} {'wb'[int(s['side'])]}"


def since_capture(s: np.void) -> tuple[str, list[str]]:
    """The position after the last capture (or at the start) in FEN, and the moves since in ICCS."""
    past = addressable(np.array([s], STATE))[0]
    moves = past["quiet_moves"][: past["quiet"]].tolist()
    take_back(past, moves)
    return fen(past), [iccs(move) for move in moves]


def position(fen: str, **options: Any) -> np.ndarray:
    """A table at a position: one record (1,), addressable, its first game under way.

    Read as well are H and E for N and B, r for w, and the side to move in capitals. The dashes and
    numbers that other programs write behind it, such as ``- - 0 1``, mean nothing here.
    Seat 0 has Red unless option ``red`` says otherwise. ValueError says what is wrong with a
    position, OptionError with an option.
    """
    placement, mover, *rest = fen.split() if len(fen.split()) > 1 else (fen, "")
    side = {"w": RED, "r": RED, "b": BLACK}.get(mover.lower())
    if side is None:
        raise ValueError(
            f"{fen!r}: after the pieces comes w or r (Red to move) or b, not {mover!r}"
        )
    for extra in rest:
        if not re.fullmatch(r"-|\d+", extra):
            raise ValueError(
                f"{fen!r}: after the side to move come only - and numbers, not {extra!r}"
            )
    board = read_board(placement)
    misplaced = misplaced_piece(board)
    if misplaced:
        raise ValueError(f"{fen!r}: {misplaced}")
    rules = GAME.options(None, **options)
    table = addressable(GAME.blank(rules))
    s = table[0]
    s["seats"] = rules["seats"]
    s["stack"] = rules["stack"]
    s["red"] = rules["red"] == "seat1"
    s["board"] = board
    s["side"] = side
    begin(s)
    if general_hangs(s):
        raise ValueError(f"{fen!r}: {SIDES[side]} is to move and could take the general")
    if s["choices"][0] == NONE:
        raise ValueError(f"{fen!r}: {SIDES[side]} has no legal move, the game is over")
    return table


def misplaced_piece(board: np.ndarray) -> str | None:
    """What is wrong with a board: too many of a kind, no general, or a piece out of its home."""
    for piece in range(1, len(LETTERS)):
        points = np.flatnonzero(board == piece)
        letter, most = LETTERS[piece], START.tolist().count(piece)
        if len(points) > most:
            return f"{len(points)} pieces {letter}; a side has at most {most}"
        if letter in "Kk" and len(points) != 1:
            return f"there is no general {letter}"
        for p in points.tolist():
            home = HOME.get((piece - 1) % KINDS + 1, range(POINTS))
            if (p if piece <= KINDS else LAST - p) not in home:
                return f"{letter} can't stand on {point_name(p)}"
    return None


def general_hangs(s: np.void) -> bool:
    """Whether the side to move could take the other general."""
    general = int(s["generals"][1 - s["side"]])
    return any(reaches(s, p, general) for p in np.flatnonzero(s["board"]).tolist())


def move_action(move: int, side: int) -> int:
    """The id of a move on the board by a side; ValueError if no piece of it can ever make it."""
    action = int(MOVE_ID[own_frame(move, side)])
    if action < 0:
        raise ValueError(f"no piece of {SIDES[side]} ever moves {iccs(move)}")
    return action


def action_move(action: int, side: int) -> int:
    """The move on the board that a move's id means for a side."""
    return int(own_frame(int(MOVES[action]), side))


def move(v: np.void, text: str) -> list[str]:
    """ICCS (``h2e2``) of the side to move as an action name; names of actions as they are."""
    if not re.fullmatch("[a-z][0-9][a-z][0-9]", text):
        return [text]
    return [ACTIONS.name(move_action(parse_iccs(text), int(v["side"])))]


def say(v: np.void, action: int) -> str:
    """Moves in ICCS, other actions by their names."""
    if action >= len(MOVES):
        return ACTIONS.name(action)
    return iccs(action_move(action, int(v["side"])))


def census(s: np.void) -> tuple[int, ...]:
    """The generals: all other pieces can be captured."""
    board = s["board"].tolist()
    return board.count(GENERAL), board.count(GENERAL + KINDS)


def report(s: np.void) -> dict[str, Any]:
    """What was settled at the hand's end, and why."""
    last = int(s["last_moves"][0])
    return {
        "reason": REASONS[int(s["reason"])],
        "winner": int(s["winner"]) if s["winner"] >= 0 else None,
        "red": int(s["red"]),
        "moves": int(s["plies"]),
        "last_move": iccs(last) if last >= 0 else None,
        "position": fen(s),
    }


def place(v: np.void, seat: int) -> Place:
    """A seat: its side and how it stands or stood at the end."""
    side = int(side_of(v, seat))
    role, note = ("Red 紅", "Black 黑")[side], ""
    if v["ended"]:
        role += {NONE: " draws", seat: " wins"}.get(int(v["winner"]), " loses")
        note = REASONS[int(v["reason"])]
    elif v["phase"] == ANSWER:
        note = "is asked for a draw" if v["turn"] == seat else "offers a draw"
    elif v["checked"] and v["side"] == side:
        note = "in check"
    return Place(seat, role, int(v["stack"][seat]), note=note)


def show(v: np.void, seat: int | None) -> Scene:
    """What lies on the table, for one seat's eyes; seat None: for all."""
    # Rank 9 comes first, for Black the board is turned.
    look = 1 if seat is None or side_of(v, seat) == RED else -1
    points = np.arange(POINTS).reshape(RANKS, FILES)[::-1].ravel()[::look].tolist()
    moves = [m for m in v["last_moves"].tolist() if m >= 0]
    board = Zone(
        name="board",
        items=tuple(LETTERS[v["board"][p]].strip() for p in points),
        columns=FILES,
        edges=("abcdefghi"[::look], "9876543210"[::look]),
        marked=tuple(points.index(p) for m in moves[:1] for p in divmod(m, POINTS)),
    )
    rules = v["rules"]
    facts = [
        f"move {int(v['plies'])} of {int(rules['max_plies'])}",
        f"{int(v['quiet'])} of {int(rules['nocapture_plies'])} without a capture",
        f"stake {int(rules['stake'])}",
    ]
    if v["occurrences"] > 1:
        facts.append(f"position seen {int(v['occurrences'])} times")
    return Scene(
        places=(place(v, 0), place(v, 1)),
        zones=(board,),
        facts=tuple(facts),
        moves=tuple(iccs(m) for m in reversed(moves)),
        deck="pieces",
    )


def max_plies(rules: Mapping[str, Any]) -> int:
    """An offer costs two decisions and five moves of the same seat, which has half of the moves."""
    moves = int(rules["max_plies"])
    return int(rules["hands"]) * (moves + 4 * (moves // (2 * OFFER_EVERY)))


GAME = Game(
    name="xiangqi",
    title="象棋",
    english="xiangqi",
    summary="Chinese chess: perpetual check and chase lose, draws can be offered.",
    version=VERSION,
    source="rule page of a Chinese online game hall; repetition and limits by common practice",
    document=__doc__ or "",
    unit=lambda s: s["rules"]["stake"],
    rules=RULES,
    actions=ACTIONS,
    fields=FIELDS,
    observation=OBSERVATION,
    deal=deal,
    legal=legal,
    apply=apply,
    conceal=conceal,
    redeal=redeal,
    observe=observe,
    default=default,
    leave=leave,
    max_plies=max_plies,
    census=census,
    contradiction=contradiction,
    report=report,
    show=show,
    move=move,
    say=say,
    checked_by=(
        "move sequences of one to four plies (perft) from eight positions",
        "2,086 move labels of both sides, 2,062 in the own frame",
    ),
    limitations=(
        "Rules for chases differ in detail from place to place; R17 is a common core of them.",
        "Pieces set up by hand may not exceed those of the start.",
    ),
    history=("0: first version",),
)
