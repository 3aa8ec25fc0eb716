"""An external xiangqi engine as an agent, by the Universal Chess Interface (UCI).

``uci:COMMAND[;NAME=VALUE]…``: the command that starts the engine, then its options by name, and
``go``, what it is told when it has to move (by default ``movetime 100``)::

    uci:fairy-stockfish;Skill Level=-20;go=nodes 1000

Engines with the option ``UCI_Variant`` (Fairy-Stockfish) are set to xiangqi and count ranks from 1;
all others are taken to count from 0, as ICCS does.
"""

from __future__ import annotations

import contextlib
import queue
import re
import shlex
import subprocess
import threading
import weakref
from collections.abc import Sequence

import numpy as np

from qipai.envs.game import Game
from qipai.envs.xiangqi import DECLINE, since_capture

GO = "movetime 100"  # milliseconds a move
PATIENCE = 60.0  # seconds for an answer
VARIANT = "UCI_Variant"
_MOVE = re.compile(r"([a-i])(\d+)([a-i])(\d+)")


def shift_ranks(move: str, by: int) -> str:
    """``h2e2`` with ``by`` added to both ranks; ValueError if it is no move."""
    found = _MOVE.fullmatch(move)
    if found is None:
        raise ValueError(f"{move!r} is no move: write one like h2e2")
    file, rank, to_file, to_rank = found.groups()
    return f"{file}{int(rank) + by}{to_file}{int(to_rank) + by}"


class Engine:
    """A running engine and the talk with it; RuntimeError if it dies or keeps silent."""

    def __init__(self, command: Sequence[str]) -> None:
        """ValueError if the command cannot be started."""
        self.command = shlex.join(command)
        try:
            self._process = subprocess.Popen(
                command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
            )
        except OSError as error:
            raise ValueError(f"engine {self.command!r} cannot be started: {error}") from None
        self._lines: queue.SimpleQueue[str | None] = queue.SimpleQueue()
        threading.Thread(target=_read, args=(self._process, self._lines), daemon=True).start()
        self.close = weakref.finalize(self, _stop, self._process)

    def tell(self, line: str) -> None:
        """Send one command."""
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(line + "\n")
            self._process.stdin.flush()
        except (OSError, ValueError):
            raise RuntimeError(f"engine {self.command!r} has ended") from None

    def hear(self, *first: str) -> list[str]:
        """The lines up to one that begins with a word of ``first``, that one included."""
        lines: list[str] = []
        while not lines or lines[-1].split()[:1] not in [[word] for word in first]:
            try:
                line = self._lines.get(timeout=PATIENCE)
            except queue.Empty:
                raise RuntimeError(
                    f"engine {self.command!r} has said no {' or '.join(first)} for {PATIENCE:g} s"
                ) from None
            if line is None:
                raise RuntimeError(f"engine {self.command!r} has ended")
            lines.append(line)
        return lines


class UciAgent:
    """A UCI engine that plays xiangqi; it declines draws and never offers one."""

    def __init__(self, game: Game, spec: str, seed: int = 0) -> None:
        """Start the engine.

        Args:
            spec: ``COMMAND[;NAME=VALUE]…`` as above.
            seed: unused: the engine has a randomness of its own.

        ValueError if the game is not xiangqi, the engine does not start or does not speak UCI, or
        an option is unknown to it.
        """
        if game.name != "xiangqi":
            raise ValueError(f"UCI engines play xiangqi, not {game.name}")
        self.game = game
        command, settings = read_spec(spec)
        self._go = settings.pop("go", GO)
        self._engine = Engine(command)
        self._engine.tell("uci")
        try:
            greeting = self._engine.hear("uciok")
        except RuntimeError as error:
            raise ValueError(f"{error}; does it speak UCI?") from None
        known = [_option_name(line) for line in greeting if line.startswith("option name ")]
        unknown = set(settings) - set(known)
        if unknown:
            raise ValueError(
                f"engine {self._engine.command!r} has no option {', '.join(sorted(unknown))}; "
                f"options: {', '.join(known)}"
            )
        self._first_rank = 1 if VARIANT in known else 0
        if VARIANT in known:
            settings = {VARIANT: "xiangqi", **settings}
        for name, value in settings.items():
            self._engine.tell(f"setoption name {name} value {value}")
        self._ready()

    def act(self, views: np.ndarray, masks: np.ndarray) -> np.ndarray:
        """Actions int64 (n,) for views (n,) and masks int8 (n, actions).

        RuntimeError if the engine dies, keeps silent or names an illegal move.
        """
        pairs = zip(views, masks, strict=True)
        return np.array([self._choose(view, mask) for view, mask in pairs], np.int64)

    def close(self) -> None:
        """End the engine."""
        self._engine.close()

    def _ready(self) -> None:
        self._engine.tell("isready")
        self._engine.hear("readyok")

    def _choose(self, view: np.void, mask: np.ndarray) -> int:
        if mask[DECLINE]:
            return int(DECLINE)
        start, moves = since_capture(view)
        if view["plies"] <= 1:  # its first move in this game
            self._engine.tell("ucinewgame")
            self._ready()
        said = " ".join(shift_ranks(move, self._first_rank) for move in moves)
        self._engine.tell(f"position fen {start} - - 0 1" + (f" moves {said}" if said else ""))
        self._engine.tell(f"go {self._go}")
        answer = self._engine.hear("bestmove")[-1].split()[1]
        try:
            [action] = self.game.parse_move(view, shift_ranks(answer, -self._first_rank))
        except ValueError:
            action = -1
        if action < 0 or not mask[action]:
            raise RuntimeError(
                f"engine {self._engine.command!r} played {answer} after {start} {said}"
            )
        return action


def read_spec(spec: str) -> tuple[list[str], dict[str, str]]:
    """Command and settings of ``COMMAND[;NAME=VALUE]…``; ValueError if they cannot be read."""
    command, *rest = spec.split(";")
    settings = {}
    for setting in rest:
        name, equals, value = setting.partition("=")
        if not equals or not name.strip():
            raise ValueError(f"{setting!r} is no setting: write NAME=VALUE")
        settings[name.strip()] = value.strip()
    words = shlex.split(command)
    if not words:
        raise ValueError("no command: write uci:COMMAND, e.g. uci:fairy-stockfish")
    return words, settings


def _option_name(line: str) -> str:
    return line.removeprefix("option name ").partition(" type ")[0]


def _read(process: subprocess.Popen[str], lines: queue.SimpleQueue[str | None]) -> None:
    assert process.stdout is not None
    for line in process.stdout:
        lines.put(line.strip())
    lines.put(None)


def _stop(process: subprocess.Popen[str]) -> None:
    process.kill()
    process.wait()
    for stream in (process.stdin, process.stdout):
        with contextlib.suppress(OSError, ValueError):
            if stream is not None:
                stream.close()
