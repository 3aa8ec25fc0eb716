"""``qipai uci``: the xiangqi bot for graphical programs, by UCI or UCCI on standard input/output.

The first command, ``uci`` or ``ucci``, chooses the protocol. Moves are written in ICCS (``h2e2``,
ranks from 0); a program that sets the option ``UCI_Variant`` means Fairy-Stockfish's way, ranks
from 1. UCI: Kahlen and Meyer-Kahlen's specification of 2006; UCCI 3.0: xqbase.com, 2007.
"""

from __future__ import annotations

import itertools
import re
import sys
import threading
from collections.abc import Callable, Iterable

import numpy as np

from qipai import __version__
from qipai.agents.budget import MOST_COUNT, MOST_SECONDS, Budget
from qipai.agents.rule.xiangqi import DEPTH, MATE, Search, Thought
from qipai.agents.uci_engine import VARIANT, lines_of, shift_ranks
from qipai.envs.kernel import kernel
from qipai.envs.xiangqi import (
    LONGEST_QUIET,
    NONE,
    START_FEN,
    advance,
    forget,
    iccs,
    parse_iccs,
    position,
)

LONGEST_GAME = 2000  # plies; the program at the other end judges the limits of a game
MOVES_LEFT = 30  # for which the time on the clock has to last, if nobody says
MARGIN = 0.05  # seconds of the clock that are never used
LONGEST_COMPLAINT = 300  # characters
# What a program may ask for. It can't be refused, for it waits for a move: it gets the nearest.
MOST = {"depth": DEPTH, "nodes": MOST_COUNT, "movetime": int(1000 * MOST_SECONDS)}
WORDS = {
    *("depth", "nodes", "movetime", "time", "movestogo", "increment", "wtime", "btime"),
    *("winc", "binc", "mate", "opptime", "oppmovestogo", "oppincrement"),
    *("infinite", "ponder", "searchmoves"),
}


@kernel
def follow(tables, move):
    """Play a move whatever the game's rules of repetition and length say."""
    s = tables[0]
    if s.quiet >= LONGEST_QUIET - 1:
        forget(s)
    advance(s, move)


class Conversation:
    """One talk with a program; ``say`` gets the lines of the answers."""

    def __init__(self, say: Callable[[str], None]) -> None:
        self._say = say
        self._ucci = False
        self._first_rank = 0
        self._milliseconds = True
        self._search = Search()
        self._table: np.ndarray | None = None
        self._set_up(START_FEN, [])
        self._after_hit: float | None = None  # seconds to think once a ponder move was played
        self._banned: set[int] = set()
        self._thinking: threading.Thread | None = None
        self._timer: threading.Timer | None = None
        self._stopped = threading.Event()

    def hear(self, line: str) -> bool:
        """Answer one command; False after ``quit``. Unknown ones are passed over."""
        word, *rest = line.split() or [""]
        if word in ("stop", "quit", "position", "go", "ucinewgame"):
            self._end_search()
        elif word == "ponderhit":
            self._ponder_hit()
        if word == "uci":
            self._greet(f"option name {VARIANT} type combo default xiangqi var xiangqi", "uciok")
        elif word == "ucci":
            self._ucci, self._milliseconds = True, False
            self._greet("option usemillisec type check default false", "ucciok")
        elif word == "isready":
            if self._thinking is None:  # compile, or load, what a search needs
                self._search.think(position(START_FEN), depth=1)
            self._say("readyok")
        elif word == "setoption":
            self._set_option([part for part in rest if part not in ("name", "value")])
        elif word == "ucinewgame":
            self._search.forget()
        elif word == "position":
            self._position(rest)
        elif word == "banmoves":
            self._banned = self._moves(rest)
        elif word == "go":
            self._go(rest)
        elif word == "quit":
            if self._ucci:
                self._say("bye")
            return False
        return True

    def close(self) -> None:
        """End a search that is running."""
        self._end_search()

    def _greet(self, *lines: str) -> None:
        for line in (f"id name qipai {__version__}", "id author the qipai developers", *lines):
            self._say(line)

    def _set_option(self, words: list[str]) -> None:
        if words[:1] == [VARIANT]:
            if words[1:] != ["xiangqi"]:
                self._complain(f"{VARIANT} is xiangqi only, not {' '.join(words[1:])}")
            self._first_rank = 1
        elif words[:1] == ["usemillisec"]:
            self._milliseconds = words[1:] == ["true"]
        else:
            self._complain(f"there is no option {' '.join(words)}")

    def _complain(self, text: str) -> None:
        self._say(f"info string {text[:LONGEST_COMPLAINT]}")

    def _position(self, words: list[str]) -> None:
        before, moves = words, []
        if "moves" in words:
            before = words[: words.index("moves")]
            moves = words[words.index("moves") + 1 :]
        try:
            if before[:1] == ["startpos"]:
                self._set_up(START_FEN, moves)
            elif before[:1] == ["fen"]:
                self._set_up(" ".join(before[1:]), moves)
            else:
                raise ValueError("position startpos or position fen FEN, then moves …")
        except ValueError as error:
            self._table = None
            self._complain(str(error))
        self._banned = set()

    def _set_up(self, fen: str, moves: Iterable[str]) -> None:
        """ValueError for a bad position or move."""
        table = position(fen, max_plies=LONGEST_GAME)
        for text in moves:
            move = self._read(text)
            if move not in table["choices"][0]:
                raise ValueError(f"{text} is no legal move")
            follow(table, np.int64(move))
        self._table = table

    def _read(self, text: str) -> int:
        return parse_iccs(shift_ranks(text, -self._first_rank))

    def _moves(self, texts: Iterable[str]) -> set[int]:
        """The moves that can be read; a complaint about each of the others."""
        moves = set()
        for text in texts:
            try:
                moves.add(self._read(text))
            except ValueError as error:
                self._complain(str(error))
        return moves

    def _write(self, move: int) -> str:
        return shift_ranks(iccs(move), self._first_rank)

    def _go(self, words: list[str]) -> None:
        limits = self._limits(words)
        if self._table is None:
            self._answer(None)
            return
        choices = {int(move) for move in self._table["choices"][0] if move != NONE}
        among = choices - self._banned
        if "searchmoves" in words:
            listed = words[words.index("searchmoves") + 1 :]
            among &= self._moves(itertools.takewhile(lambda text: text not in WORDS, listed))
        self._stopped.clear()
        seconds, nodes = self._seconds(limits), limits.get("nodes")
        endless = "infinite" in words or "ponder" in words
        self._after_hit = seconds if "ponder" in words else None
        budget = None
        if nodes is not None or (seconds is not None and not endless):
            budget = Budget(nodes, None if endless else seconds)
        depth = limits.get("depth", DEPTH)
        self._thinking = threading.Thread(
            target=self._think, args=(self._table, budget, depth, among, endless), daemon=True
        )
        self._thinking.start()

    def _think(
        self, table: np.ndarray, budget: Budget | None, depth: int, among: set[int], endless: bool
    ) -> None:
        move = None
        try:
            thought = self._search.think(
                table, budget, depth=depth, among=among, report=self._report
            )
            move = None if thought is None else thought.move
        except Exception as error:  # whatever it is, the program at the other end waits for a move
            self._complain(f"the search failed: {error!r}")
            move = min(among, default=None)
        if endless:
            self._stopped.wait()
        self._answer(move)

    def _answer(self, move: int | None) -> None:
        if move is not None:
            self._say(f"bestmove {self._write(move)}")
        else:
            self._say("nobestmove" if self._ucci else "bestmove (none)")

    def _ponder_hit(self) -> None:
        """The move thought about was played: from now on the clock counts."""
        self._timer = threading.Timer(self._after_hit or 0.0, self._end_search)
        self._timer.daemon = True
        self._timer.start()

    def _seconds(self, limits: dict[str, int]) -> float | None:
        """The time for this move; None: no limit."""
        if "movetime" in limits:
            return limits["movetime"] / 1000
        assert self._table is not None
        side = "wb"[int(self._table["side"][0])]
        clock = limits.get(f"{side}time", limits.get("time"))
        if clock is None:
            return None
        unit = 0.001 if self._milliseconds else 1.0
        gain = unit * limits.get(f"{side}inc", limits.get("increment", 0))
        share = unit * clock / (limits.get("movestogo", 0) or MOVES_LEFT) + 0.8 * gain
        return max(min(share, unit * clock - MARGIN, MOST_SECONDS), 0.001)

    def _limits(self, words: list[str]) -> dict[str, int]:
        """``depth 5 nodes 100`` as numbers; a limit without a number is passed over."""
        limits = {}
        for name, value in itertools.pairwise(words):
            # Clocks that have run out are below 0. So many digits are beyond every limit.
            whole = re.fullmatch(r"(-?\d{1,30})\d*", value)
            if name in WORDS and whole is not None:
                limits[name] = int(whole[1])
        for name, most in MOST.items():
            asked = limits.get(name, 1)
            if not 1 <= asked <= most:
                limits[name] = max(1, min(asked, most))
                self._complain(f"{name} {asked}: 1…{most:,}, taken as {limits[name]:,}")
        return limits

    def _report(self, thought: Thought) -> None:
        line = " ".join(self._write(move) for move in thought.line)
        self._say(
            f"info depth {thought.depth} score {self._score(thought.score)} "
            f"nodes {thought.nodes} pv {line}"
        )

    def _score(self, score: int) -> str:
        if self._ucci:
            return str(score)
        plies = MATE - abs(score)
        if plies > DEPTH:
            return f"cp {score}"
        return f"mate {(plies + 1) // 2 if score > 0 else -(plies // 2)}"

    def _end_search(self) -> None:
        """Stop a search that is running and let it name its move."""
        if self._timer is not None:
            self._timer.cancel()
        self._stopped.set()
        thinking = self._thinking
        while thinking is not None and thinking.is_alive():
            self._search.stop()
            thinking.join(0.005)
        self._thinking = None


def main() -> None:
    """Talk until ``quit`` or the end of the input."""

    talking = threading.Lock()  # a search speaks from a thread of its own

    def say(line: str) -> None:
        with talking:
            sys.stdout.write(line + "\n")
            sys.stdout.flush()

    talk = Conversation(say)
    if sys.stdin is None:  # closed by whoever started this
        return
    for line in lines_of(sys.stdin.buffer.read1):  # type: ignore[union-attr]
        if not talk.hear(line):
            return
    talk.close()
