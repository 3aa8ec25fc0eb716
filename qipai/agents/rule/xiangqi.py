"""The xiangqi bot: alpha-beta search over the game's own moves.

Principal variation search with iterative deepening, a transposition table, null moves, late move
reductions and quiescence (Marsland, "A review of game-tree pruning", 1986; the names are those of
the Chess Programming Wiki). Positions are judged by material and by where the pieces stand. Every
move at the root is first played by the game's own rules, so that a move which ends the game (mate,
stalemate, a third repetition with its checks and chases, the limits) is worth just what it brings;
deeper in the tree a repetition is judged by its checks alone, and chases are not looked for.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from qipai.agents.budget import Budget
from qipai.agents.random import draw_bits, seed_one
from qipai.envs.game import Game
from qipai.envs.kernel import addressable, kernel
from qipai.envs.rng import RNG, entropy
from qipai.envs.xiangqi import (
    ACCEPT,
    ADVISOR,
    CANNON,
    DECLINE,
    ELEPHANT,
    EMPTY,
    FILES,
    GENERAL,
    HORSE,
    KEY_OF_SIDE,
    KINDS,
    LAST,
    MOST_MOVES,
    MOVE_ID,
    OFFER,
    POINTS,
    ROOK,
    SOLDIER,
    STATE,
    Repetition,
    apply,
    attacked,
    in_check,
    legal_moves,
    make,
    own_frame,
    seat_of,
    unmake,
)

NODES = 4000  # by default, for one decision
SEARCH = Budget(count=10 * NODES)
DEPTH = 64  # plies of iterative deepening at most
PLIES = 100  # room for the line being searched
MATE = 30_000  # less the plies to it
FOUND = 20_000  # scores beyond are mates or repetitions that lose
TABLE = 1 << 18  # entries of the transposition table, a power of two
POLL = 1024  # nodes between two looks at the limits
JITTER = 8  # a position's score is blurred by less than this, so that games differ

# --- Evaluation: hundredths of a soldier that has not crossed the river ---------------------------

MATERIAL = {
    GENERAL: 0,
    ADVISOR: 200,
    ELEPHANT: 200,
    HORSE: 410,
    ROOK: 920,
    CANNON: 450,
    SOLDIER: 80,
}


def place_value(kind: int, file: int, rank: int) -> int:
    """What Red's piece is worth on a point, besides its material."""
    middle = 4 - abs(file - 4)  # 0 at the edge … 4 on the middle file
    if kind == SOLDIER:
        if rank < 5:
            return 10 if rank == 4 and file in (2, 4, 6) else 0
        return 20 if rank == 9 else 70 + 14 * middle + 6 * (rank - 5)
    if kind == HORSE:
        edge = 25 if file in (0, 8) else 0
        return 6 * middle + 8 * min(rank, 7) - edge - (40 if rank == 0 else 0)
    if kind == ROOK:
        return 4 * middle + (25 if rank >= 5 else 0) + (15 if rank > 0 else 0)
    if kind == CANNON:
        return 8 * (middle == 4) + 2 * middle + (10 if rank in (2, 9) else 0)
    if kind == ELEPHANT:
        return 20 if file == 4 else 0 if file in (2, 6) else -15
    if kind == ADVISOR:
        return 8 if file == 4 else 0
    return -15 * rank


def value_table() -> np.ndarray:
    """int32 (pieces, points): a piece on a point, Black's negative."""
    table = np.zeros((1 + 2 * KINDS, POINTS), np.int32)
    for kind, material in MATERIAL.items():
        for p in range(POINTS):
            table[kind, p] = material + place_value(kind, p % FILES, p // FILES)
            table[kind + KINDS, LAST - p] = -table[kind, p]
    return table


VALUE = value_table()
WORTH = np.array([0, *[MATERIAL.get(k, 0) for k in range(1, 1 + KINDS)] * 2], np.int32)
WORTH[[GENERAL, GENERAL + KINDS]] = 10_000

# --- Memory --------------------------------------------------------------------------------------

HISTORY = 1024  # room for the keys of the game since its last capture, and of the line

MEMORY = np.dtype(
    [
        ("nodes", np.int64),  # searched so far for this decision
        ("limit", np.int64),  # of nodes
        ("stop", np.int64),  # set by whoever wants the search to end
        ("stopped", np.bool_),
        ("salt", np.uint64),  # of the jitter; 0: none
        ("start", np.int64),  # entries of ``keys`` that the game itself has made
        ("repetitions", np.bool_),  # whether they end the game
        ("quiet", np.int64),  # plies without capture that are left before a draw
        ("plies", np.int64),  # plies that are left in the game
        ("keys", np.uint64, (HISTORY,)),  # of the positions since the last capture
        ("checks", np.int8, (HISTORY,)),  # 1: the move to that position gave check
        ("killers", np.int32, (PLIES, 2)),
        ("history", np.int32, (1 + 2 * KINDS, POINTS)),  # how often a quiet move cut off
    ],
    align=True,
)
# For ``may_pass``. All recursive calls must be of one type: numba caches no others.
NO, YES = np.int64(0), np.int64(1)
EXACT, LOWER, UPPER = range(3)  # how a stored score bounds the true one
UNKNOWN = np.int64(1 << 20)  # no score


class Room(NamedTuple):
    """Arrays of a search."""

    keys: np.ndarray  # uint64 (TABLE,): of the positions in the transposition table
    entries: np.ndarray  # int64 (TABLE,): what was found about them, −1 nothing
    moves: np.ndarray  # int16 (PLIES, MOST_MOVES)
    marks: np.ndarray  # int32 (PLIES, MOST_MOVES): see ``rate``


@kernel
def evaluate(s):
    """The position for Red, by material and places."""
    score = np.int64(0)
    for p in range(POINTS):
        score += VALUE[s.board[p], p]
    return score


@kernel
def blur(m, key):
    """Noise for the score of a position, the same at every visit; 0 without a salt."""
    if m.salt == np.uint64(0):
        return np.int64(0)
    mixed = (key ^ m.salt) * np.uint64(0x9E3779B97F4A7C15)
    return np.int64(mixed >> np.uint64(60)) - JITTER


@kernel
def out_of_budget(m):
    """Count a position, and tell whether the search must stop."""
    m.nodes += 1
    if m.nodes >= m.limit or (m.nodes % POLL == 0 and m.stop != 0):
        m.stopped = True
    return m.stopped


@kernel
def lookup(keys, entries, key):
    """The stored entry of a position, −1 if there is none."""
    i = np.int64(key & np.uint64(TABLE - 1))
    return entries[i] if keys[i] == key else np.int64(-1)


# An entry: score + 2^20 in the high bits, then 13 bits of the move, 7 of the depth, 2 of the bound.
@kernel
def store(keys, entries, key, move, depth, bound, score):
    """Keep what was found about a position, in place of what stood there."""
    i = np.int64(key & np.uint64(TABLE - 1))
    keys[i] = key
    entries[i] = ((((score + (1 << 20)) << 13 | move) << 7) | max(depth, 0)) << 2 | bound


@kernel
def move_of(entry):
    """The stored move, 0 if there is none."""
    return (entry >> 9) & 8191 if entry >= 0 else np.int64(0)


@kernel
def score_of(entry, ply):
    """The stored score, with mates counted from here on."""
    score = (entry >> 22) - (1 << 20)
    if score > FOUND:
        return score - ply
    if score < -FOUND:
        return score + ply
    return score


@kernel
def stored_score(score, ply):
    """A score with mates counted from the position it is stored for."""
    if score > FOUND:
        return score + ply
    if score < -FOUND:
        return score - ply
    return score


# --- Order of moves ------------------------------------------------------------------------------


@kernel
def gains(s, move):
    """Whether a capture wins material, as far as one recapture tells."""
    start, end = move // POINTS, move % POINTS
    victim, attacker = WORTH[s.board[end]], WORTH[s.board[start]]
    if victim >= attacker:
        return True
    captured = make(s, move)
    guarded = attacked(s, end, s.side)
    unmake(s, move, captured)
    return not guarded


@kernel
def rate(s, m, moves, marks, count, first, ply):
    """Mark the moves by the order in which they are searched, best highest."""
    for i in range(count):
        move = np.int64(moves[i])
        start, end = move // POINTS, move % POINTS
        piece, victim = s.board[start], s.board[end]
        if move == first:
            marks[i] = 1 << 30
        elif victim != EMPTY:
            value = 16 * WORTH[victim] - WORTH[piece] // 8
            marks[i] = (1 << 28) + value if gains(s, move) else -(1 << 28) + value
        elif move == m.killers[ply, 0]:
            marks[i] = (1 << 27) + 1
        elif move == m.killers[ply, 1]:
            marks[i] = 1 << 27
        else:
            marks[i] = m.history[piece, end]


@kernel
def pick(moves, marks, i, count):
    """Bring the best of the moves from i on to place i."""
    best = i
    for j in range(i + 1, count):
        if marks[j] > marks[best]:
            best = j
    moves[i], moves[best] = moves[best], moves[i]
    marks[i], marks[best] = marks[best], marks[i]
    return np.int64(moves[i])


@kernel
def remember_cut(s, m, move, depth, ply):
    """Note a quiet move that was too good to be allowed, to try it early elsewhere."""
    if m.killers[ply, 0] != move:
        m.killers[ply, 1] = m.killers[ply, 0]
        m.killers[ply, 0] = move
    piece, end = s.board[move // POINTS], move % POINTS
    m.history[piece, end] += depth * depth
    if m.history[piece, end] > 1 << 24:
        for k in range(1 + 2 * KINDS):
            for p in range(POINTS):
                m.history[k, p] //= 2


# --- Search --------------------------------------------------------------------------------------


@kernel
def repeated(m, length, quiet, ply):
    """The score for the side to move of a position that stands in ``keys`` twice, else 1.

    ``length`` positions, the last of them looked at, ``quiet`` plies since the last capture.
    """
    key = m.keys[length - 1]
    first = length - 1 - quiet
    i = length - 5
    while i >= max(first, 0):
        if m.keys[i] == key:
            own = theirs = True  # all moves since then gave check
            for k in range(i + 1, length):
                if (length - 1 - k) % 2 == 0:
                    theirs = theirs and m.checks[k] == 1
                else:
                    own = own and m.checks[k] == 1
            if theirs and not own:
                return np.int64(FOUND + 5000 - ply)
            if own and not theirs:
                return np.int64(-FOUND - 5000 + ply)
            return np.int64(0)
        i -= 2
    return np.int64(1)


@kernel
def quiesce(s, m, moves, marks, alpha, beta, ply, score):
    """The score once the captures that gain something are played out; ``score``: as it stands."""
    if out_of_budget(m) or ply >= PLIES - 1:
        return score
    checked = in_check(s, s.side)
    best = np.int64(-MATE + ply)
    if not checked:
        best = score + blur(m, s.key)
        if best >= beta:
            return best
        alpha = max(alpha, best)
    count = legal_moves(s, moves[ply])
    if count == 0:
        return np.int64(-MATE + ply)
    if not checked:
        kept = 0
        for i in range(count):
            end = np.int64(moves[ply, i]) % POINTS
            if s.board[end] != EMPTY and best + WORTH[s.board[end]] + 150 > alpha:
                moves[ply, kept] = moves[ply, i]
                kept += 1
        count = kept
    rate(s, m, moves[ply], marks[ply], count, np.int64(-1), ply)
    sign = 1 - 2 * s.side
    for i in range(count):
        move = pick(moves[ply], marks[ply], i, count)
        if not checked and marks[ply, i] < 0:
            break  # only captures that lose material are left
        gain = sign * gained(s, move)
        captured = make(s, move)
        value = -quiesce(s, m, moves, marks, -beta, -alpha, ply + 1, -(score + gain))
        unmake(s, move, captured)
        if m.stopped:
            return best
        if value > best:
            best = value
            if value > alpha:
                alpha = value
                if alpha >= beta:
                    break
    return best


@kernel
def gained(s, move):
    """By how much a move changes ``evaluate``."""
    start, end = move // POINTS, move % POINTS
    piece = s.board[start]
    return np.int64(VALUE[piece, end]) - VALUE[piece, start] - VALUE[s.board[end], end]


@kernel
def known_score(entry, depth, alpha, beta, ply):
    """What the table says of a position within (alpha, beta); UNKNOWN if nothing deep enough."""
    if entry < 0 or ((entry >> 2) & 127) < depth:
        return UNKNOWN
    score, bound = score_of(entry, ply), entry & 3
    decided = bound == EXACT or (score >= beta if bound == LOWER else score <= alpha)
    return score if decided else UNKNOWN


@kernel
def pass_move(s, m, length):
    """Give the move to the other side, or back."""
    s.side = 1 - s.side
    s.key ^= KEY_OF_SIDE
    m.keys[length] = s.key
    m.checks[length] = 0


@kernel
def reduction(depth, i, mark):
    """By how many plies move number i is searched less deep at first, marked so by ``rate``."""
    if depth < 3 or i < 3 or mark >= 1 << 27:
        return 1
    return 2 + (i >= 8) + (i >= 20 and depth >= 6)


@kernel
def search(s, m, room, depth, alpha, beta, ply, quiet, score, may_pass):
    """The score of the position for the side to move.

    ``quiet``: plies since the last capture; ``score``: the evaluation; ``may_pass``: YES or NO.
    """
    length = m.start + ply
    checked = m.checks[length - 1] == 1
    if m.repetitions:
        value = repeated(m, length, quiet, ply)
        if value != 1:
            return value
    if (quiet >= m.quiet or ply >= m.plies) and not checked:
        return np.int64(0)
    if checked and ply < PLIES // 2:
        depth += 1
    if depth <= 0 or ply >= PLIES - 2:
        return quiesce(s, m, room.moves, room.marks, alpha, beta, ply, score)
    if out_of_budget(m):
        return np.int64(0)
    alpha = max(alpha, np.int64(-MATE + ply))
    beta = min(beta, np.int64(MATE - ply))
    if alpha >= beta:
        return alpha
    wide = beta - alpha > 1
    entry = lookup(room.keys, room.entries, s.key)
    if not wide:
        value = known_score(entry, depth, alpha, beta, ply)
        if value != UNKNOWN:
            return value
    if not checked and not wide and abs(beta) < FOUND:
        if depth <= 4 and score - 110 * depth >= beta:
            return score
        if may_pass and depth >= 3 and score >= beta and s.attackers > 4:
            pass_move(s, m, length)
            less, after = depth - 3, np.int64(0)
            value = -search(s, m, room, less, -beta, 1 - beta, ply + 1, after, -score, NO)
            pass_move(s, m, length)
            if m.stopped:
                return np.int64(0)
            if value >= beta:
                return beta
    moves, marks = room.moves[ply], room.marks[ply]
    count = legal_moves(s, moves)
    if count == 0:  # mate or stalemate (R13)
        return np.int64(-MATE + ply)
    rate(s, m, moves, marks, count, move_of(entry), ply)
    best, choice, bound = np.int64(-MATE), np.int64(0), UPPER
    sign = 1 - 2 * s.side
    for i in range(count):
        move = pick(moves, marks, i, count)
        quiet_move = s.board[move % POINTS] == EMPTY
        now = -(score + sign * gained(s, move))
        if (
            i > 0
            and not checked
            and not wide
            and quiet_move
            and depth <= 3
            and best > -FOUND
            and (score + 90 + 120 * depth <= alpha or i > 6 + 8 * depth)
        ):
            continue  # futile, or late
        captured = make(s, move)
        m.keys[length] = s.key
        m.checks[length] = in_check(s, s.side)
        after = quiet + 1 if quiet_move else np.int64(0)
        forced = checked or m.checks[length] == 1
        left = depth - (1 if forced else reduction(depth, i, marks[i]))
        high = beta if i == 0 else alpha + 1
        while True:  # less deep and only whether it is better; then full depth; then how good it is
            value = -search(s, m, room, left, -high, -alpha, ply + 1, after, now, YES)
            if value <= alpha:
                break
            if left < depth - 1:
                left = depth - 1
            elif high <= value < beta:
                high = beta
            else:
                break
        unmake(s, move, captured)
        if m.stopped:
            return np.int64(0)
        if value > best:
            best = value
            if value > alpha:
                alpha, choice, bound = value, move, EXACT
                if alpha >= beta:
                    bound = LOWER
                    if quiet_move:
                        remember_cut(s, m, move, depth, ply)
                    break
    store(room.keys, room.entries, s.key, choice, depth, bound, stored_score(best, ply))
    return best


OPEN = np.int64(1 << 20)  # in ``fixed``: the move does not end the game


@kernel
def settle_roots(s, scratch, roots, fixed, count):
    """Play each root move by the rules of the game; ``fixed``: what it brings if that ends it."""
    seat = seat_of(s, s.side)
    for i in range(count):
        scratch[0] = s
        t = scratch[0]
        apply(t, np.int64(MOVE_ID[own_frame(np.int64(roots[i]), s.side)]))
        fixed[i] = OPEN
        if t.ended:
            fixed[i] = 0 if t.winner < 0 else MATE - 1 if t.winner == seat else 1 - MATE


@kernel
def prepare(s, m, roots, marks):
    """Bring memory and root moves up to a position; returns how many moves there are."""
    m.nodes = 0
    m.stopped = False
    m.start = s.quiet + 1
    m.repetitions = s.rules.repetition != Repetition.NONE
    m.quiet = s.rules.nocapture_plies
    m.plies = s.rules.max_plies - s.plies
    for i in range(s.quiet + 1):
        m.keys[i] = s.keys[i]
        m.checks[i] = s.checks[i - 1] if i > 0 else 0
    m.killers[:, :] = 0
    for piece in range(1 + 2 * KINDS):
        for p in range(POINTS):
            m.history[piece, p] //= 8
    count = legal_moves(s, roots)
    order_roots(s, m, roots, marks, count)
    return count


@kernel
def order_roots(s, m, roots, marks, count):
    """Put the root moves in the order of ``rate``."""
    rate(s, m, roots, marks, count, np.int64(-1), np.int64(0))
    for i in range(count):
        pick(roots, marks, i, count)


@kernel
def search_root(s, m, room, roots, fixed, values, count, depth, quiet, score):
    """Search the root moves to a depth and bring the best to the front; returns how many of them
    were searched before the budget was spent. ``values`` of the others are upper bounds."""
    sign = 1 - 2 * s.side
    alpha, beta = np.int64(-MATE), np.int64(MATE)
    for i in range(count):
        move, value = np.int64(roots[i]), np.int64(fixed[i])
        if value == OPEN:
            quiet_move = s.board[move % POINTS] == EMPTY
            after = quiet + 1 if quiet_move else np.int64(0)
            now = -(score + sign * gained(s, move))
            captured = make(s, move)
            m.keys[m.start] = s.key
            m.checks[m.start] = in_check(s, s.side)
            ply, high = np.int64(1), beta if i == 0 else alpha + 1
            while True:  # only whether it is better, then how good it is
                value = -search(s, m, room, depth - 1, -high, -alpha, ply, after, now, YES)
                if value < high or high == beta:
                    break
                high = beta
            unmake(s, move, captured)
            if m.stopped:
                return i
        if i == 0 or value > alpha:
            alpha = max(alpha, value)
            exact = np.int64(fixed[i])
            for k in range(i, 0, -1):
                roots[k], fixed[k], values[k] = roots[k - 1], fixed[k - 1], values[k - 1]
            roots[0], fixed[0], values[0] = move, exact, value
        else:
            values[i] = value
    return count


@kernel
def expected(s, room):
    """The move that the table holds for a position, 0 if none or none that is legal."""
    move = move_of(lookup(room.keys, room.entries, s.key))
    for i in range(legal_moves(s, room.moves[0])):
        if room.moves[0, i] == move:
            return move
    return np.int64(0)


@dataclass(frozen=True)
class Thought:
    """What a search found, for the side to move; moves are numbers as in qipai.envs.xiangqi."""

    move: int
    score: int  # in hundredths of a soldier; MATE less the plies to it
    depth: int
    nodes: int
    line: tuple[int, ...]  # the moves expected, ``move`` first


class Search:
    """A search with its memory; not for two threads at once, but ``stop`` may come from any."""

    def __init__(self) -> None:
        self._table = addressable(np.zeros(1, STATE))
        self._spare = addressable(np.zeros(1, STATE))
        self._memory = addressable(np.zeros(1, MEMORY))
        self._room = Room(
            np.zeros(TABLE, np.uint64),
            np.full(TABLE, -1, np.int64),
            np.zeros((PLIES, MOST_MOVES), np.int16),
            np.zeros((PLIES, MOST_MOVES), np.int32),
        )

    def forget(self) -> None:
        """Begin anew, as for another game."""
        self._room.keys[:] = 0
        self._room.entries[:] = -1
        self._memory["history"] = 0

    def stop(self) -> None:
        """End the search that is running; it answers with the best move so far."""
        self._memory["stop"] = 1

    def think(
        self,
        view: np.ndarray,
        budget: Budget | None = None,
        *,
        depth: int = DEPTH,
        salt: int = 0,
        among: Iterable[int] | None = None,
        report: Callable[[Thought], None] | None = None,
    ) -> Thought | None:
        """The best move of the side to move; None if there is none to choose from.

        Args:
            view: one record (1,) of ``STATE``, not over.
            budget: nodes and seconds; without one only ``depth`` and ``stop`` end the search.
            depth: plies of the last iteration.
            salt: of the blur of scores; 0: none.
            among: the moves to choose from, default all legal ones.
            report: called after each iteration.
        """
        s, m = self._table, self._memory
        s[:] = view
        m["stop"] = 0
        m["salt"] = salt
        m["limit"] = budget.count if budget and budget.count else 1 << 62
        timer = None
        if budget and budget.seconds:
            timer = threading.Timer(budget.seconds, self.stop)
            timer.daemon = True
            timer.start()
        try:
            return self._deepen(depth, None if among is None else set(among), report)
        finally:
            if timer is not None:
                timer.cancel()

    def _deepen(
        self, depth: int, among: set[int] | None, report: Callable[[Thought], None] | None
    ) -> Thought | None:
        m = self._memory
        roots, fixed = np.zeros(MOST_MOVES, np.int16), np.zeros(MOST_MOVES, np.int32)
        values = np.zeros(MOST_MOVES, np.int32)
        count, score, quiet = open_search(self._table, m, self._spare, roots, fixed, values)
        if among is not None:
            kept = np.flatnonzero([int(move) in among for move in roots[:count]])
            count = len(kept)
            roots[:count], fixed[:count] = roots[kept], fixed[kept]
        if count == 0:
            return None
        best = Thought(int(roots[0]), int(score), 0, 0, (int(roots[0]),))
        for ply in range(1, depth + 1):
            searched = deepen(
                *(self._table, m, self._room),
                *(roots, fixed, values, np.int64(count), np.int64(ply), quiet, score),
            )
            nodes = int(m["nodes"][0])
            if searched == 0:
                break
            line = self._line(int(roots[0]))
            best = Thought(int(roots[0]), int(values[0]), ply, nodes, line)
            if report is not None:
                report(best)
            if searched < count or abs(best.score) >= MATE - ply or (fixed[:count] != OPEN).all():
                break
        return best

    def _line(self, first: int) -> tuple[int, ...]:
        """The moves expected from the root on, by the table."""
        line = [first]
        s = self._spare
        s[:] = self._table
        play(s, first)
        while len(line) < DEPTH:
            move = int(look_up(s, self._room))
            if move == 0:
                break
            line.append(move)
            play(s, np.int64(move))
        return tuple(line)


# Entries from Python: each takes arrays of one record.


@kernel
def open_search(tables, memory, spare, roots, fixed, marks):
    """The number of root moves, the evaluation for the side to move, the quiet plies."""
    s = tables[0]
    count = prepare(s, memory[0], roots, marks)
    settle_roots(s, spare, roots, fixed, count)
    return count, evaluate(s) * (1 - 2 * s.side), s.quiet


@kernel
def deepen(tables, memory, room, roots, fixed, values, count, depth, quiet, score):
    return search_root(tables[0], memory[0], room, roots, fixed, values, count, depth, quiet, score)


@kernel
def play(tables, move):
    """Make a move on the table ``tables`` (1,)."""
    make(tables[0], move)


@kernel
def look_up(tables, room):
    return expected(tables[0], room)


# --- The bot -------------------------------------------------------------------------------------

LEVEL = 50  # a game within this of even may be drawn
QUIET = 40  # plies without a capture before a draw is offered


class Bot:
    """Plays what ``Search`` finds.

    It offers a draw in quiet, level positions and accepts one when it stands worse.
    """

    def __init__(self, game: Game, seed: int | None = 0, budget: Budget | None = None) -> None:
        """``budget``: nodes or seconds for a decision, by default ``NODES`` nodes."""
        self._budget = budget or Budget(count=NODES)
        self._search = Search()
        self._rng = addressable(np.zeros(1, RNG))
        seed_one(self._rng, entropy(seed))

    def act(self, views: np.ndarray, masks: np.ndarray) -> np.ndarray:
        """Actions int64 (n,) for views (n,) and masks int8 (n, actions)."""
        return np.array(
            [self._choose(views[k : k + 1], masks[k]) for k in range(len(views))], np.int64
        )

    def _choose(self, view: np.ndarray, mask: np.ndarray) -> int:
        thought = self._search.think(view, self._budget, salt=int(draw_bits(self._rng)))
        assert thought is not None, "somebody is to act, so there is a move"
        if mask[ACCEPT]:  # the score is the other seat's
            return int(ACCEPT if thought.score > 0 else DECLINE)
        if mask[OFFER] and view["quiet"][0] >= QUIET and abs(thought.score) <= LEVEL:
            return int(OFFER)
        return int(MOVE_ID[own_frame(thought.move, int(view["side"][0]))])
