"""An external xiangqi engine as an agent, by the Universal Chess Interface (UCI).

``uci:COMMAND[;NAME=VALUE]…``: the command that starts the engine, then its options by name, and
``go``, what it is told when it has to move (by default ``movetime 100``)::

    uci:fairy-stockfish;Skill Level=-20;go=nodes 1000

Engines with the option ``UCI_Variant`` (Fairy-Stockfish) are set to xiangqi and count ranks from 1;
all others are taken to count from 0, as ICCS does.
"""

from __future__ import annotations

import contextlib
import os
import queue
import re
import shlex
import subprocess
import threading
import time
import weakref
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial

import numpy as np

from qipai.agents.budget import MOST_SECONDS
from qipai.envs.game import Game
from qipai.envs.unshared import Unshared
from qipai.envs.xiangqi import DECLINE, since_capture

GO = "movetime 100"  # milliseconds a move
PATIENCE = 60.0  # seconds for an answer, besides the time to think that was given
MOST_BYTES = 1 << 16  # of a line; what goes beyond is left out
MOST_LINES = 10_000  # of an answer, the last ones
VARIANT = "UCI_Variant"
_MOVE = re.compile(r"([a-i])(\d+)([a-i])(\d+)")


def shift_ranks(move: str, by: int) -> str:
    """``h2e2`` with ``by`` added to both ranks; ValueError if it is no move."""
    found = _MOVE.fullmatch(move)
    if found is None:
        raise ValueError(f"{move!r} is no move: write one like h2e2")
    file, rank, to_file, to_rank = found.groups()
    return f"{file}{int(rank) + by}{to_file}{int(to_rank) + by}"


def lines_of(read: Callable[[int], bytes]) -> Iterator[str]:
    r"""The lines of another program, of whose bytes ``read(n)`` gives some, and none at their end.

    Lines end with ``\n``, ``\r`` or both, the last one also without; empty ones are left out, and
    what is not UTF-8 is replaced.
    """
    line = b""
    while chunk := read(MOST_BYTES):
        *whole, line = (line + chunk).replace(b"\r", b"\n").split(b"\n")
        yield from (text.decode(errors="replace") for text in whole if text)
        line = line[:MOST_BYTES]
    if line:
        yield line.decode(errors="replace")


class Engine:
    """A running engine and the talk with it; RuntimeError if it dies or does not answer in time.

    An engine that does not answer is ended: what it said later would be taken for another answer.
    """

    def __init__(self, command: Sequence[str]) -> None:
        """ValueError if the command cannot be started."""
        self.command = shlex.join(command)
        self.first_rank = 0
        try:
            self._process = subprocess.Popen(
                command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0
            )
        except OSError as error:
            raise ValueError(f"engine {self.command!r} cannot be started: {error}") from None
        self._lines: queue.SimpleQueue[str | None] = queue.SimpleQueue()
        threading.Thread(target=_read, args=(self._process, self._lines), daemon=True).start()
        self.close = weakref.finalize(self, _stop, self._process, os.getpid())

    def tell(self, line: str) -> None:
        """Send one command."""
        assert self._process.stdin is not None
        said = f"{line}\n".encode(errors="surrogateescape")
        try:
            self._process.stdin.write(said)
        except (OSError, ValueError):
            raise RuntimeError(f"engine {self.command!r} has ended") from None

    def hear(self, *first: str, thinking: float = 0.0) -> list[str]:
        """The lines up to one that begins with a word of ``first``, that one included.

        Lines that begin with ``info`` are left out. ``thinking``: seconds it may take besides
        ``PATIENCE``.
        """
        patience = PATIENCE + thinking
        deadline = time.monotonic() + patience
        lines: deque[str] = deque(maxlen=MOST_LINES)
        while not lines or lines[-1].split()[:1] not in [[word] for word in first]:
            try:
                left = deadline - time.monotonic()
                if left <= 0:
                    raise queue.Empty  # though it may have said other things
                line = self._lines.get(timeout=left)
            except queue.Empty:
                self.close()
                raise RuntimeError(
                    f"engine {self.command!r} has said no {' or '.join(first)} for {patience:g} s"
                ) from None
            if line is None:
                self.close()
                raise RuntimeError(f"engine {self.command!r} has ended")
            lines.append(line)
        return list(lines)

    def set_up(self, settings: Mapping[str, str]) -> None:
        """Greet it and set its options.

        ValueError if it does not speak UCI or has no such option.
        """
        self.tell("uci")
        try:
            greeting = self.hear("uciok")
        except RuntimeError as error:
            raise ValueError(f"{error}; does it speak UCI?") from None
        known = [_option_name(line) for line in greeting if line.startswith("option name ")]
        unknown = set(settings) - set(known)
        if unknown:
            raise ValueError(
                f"engine {self.command!r} has no option {', '.join(sorted(unknown))}; "
                f"options: {', '.join(known)}"
            )
        if VARIANT in known:
            self.first_rank = 1
            settings = {VARIANT: "xiangqi", **settings}
        for name, value in settings.items():
            self.tell(f"setoption name {name} value {value}")
        self.ready()

    def ready(self) -> None:
        """Wait until it has done what it was told."""
        self.tell("isready")
        self.hear("readyok")


def start_engine(command: Sequence[str], settings: Mapping[str, str]) -> Engine:
    """An engine with these options; ValueError if it can't be had."""
    engine = Engine(command)
    engine.set_up(settings)
    return engine


class UciAgent:
    """A UCI engine that plays xiangqi; it declines draws and never offers one.

    A copy and a forked child have an engine of their own, started when it is first asked for.
    """

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
        self._engine = Unshared(partial(start_engine, command, settings))
        self._engine()  # says now what is wrong with it

    def act(self, views: np.ndarray, masks: np.ndarray) -> np.ndarray:
        """Actions int64 (n,) for views (n,) and masks int8 (n, actions).

        RuntimeError if the engine dies, keeps silent or names an illegal move.
        """
        pairs = zip(views, masks, strict=True)
        return np.array([self._choose(view, mask) for view, mask in pairs], np.int64)

    def close(self) -> None:
        """End the engine."""
        self._engine().close()

    def _choose(self, view: np.void, mask: np.ndarray) -> int:
        if mask[DECLINE]:
            return int(DECLINE)
        engine = self._engine()
        start, moves = since_capture(view)
        if view["plies"] <= 1:  # its first move in this game
            engine.tell("ucinewgame")
            engine.ready()
        said = " ".join(shift_ranks(move, engine.first_rank) for move in moves)
        engine.tell(f"position fen {start} - - 0 1" + (f" moves {said}" if said else ""))
        engine.tell(f"go {self._go}")
        answer = engine.hear("bestmove", thinking=thinking_time(self._go))[-1]
        try:
            move = shift_ranks("".join(answer.split()[1:2]), -engine.first_rank)
            [action] = self.game.parse_move(view, move)
        except ValueError:
            action = -1
        if action < 0 or not mask[action]:
            raise RuntimeError(
                f"engine {engine.command!r} said {answer[:100]!r} after {start} {said}"
            )
        return action


def thinking_time(go: str) -> float:
    """The seconds that ``go`` gives an engine for a move: its time, or all that is on a clock."""
    given = re.findall(r"\b(?:movetime|[wb]time) (\d+)", go)
    return max((min(float(time) / 1000, MOST_SECONDS) for time in given), default=0.0)


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


def _read(process: subprocess.Popen[bytes], lines: queue.SimpleQueue[str | None]) -> None:
    assert process.stdout is not None
    with process.stdout as output:
        for line in lines_of(output.read):
            if line.split()[:1] != ["info"]:
                lines.put(line.strip())
    lines.put(None)


def _stop(process: subprocess.Popen[bytes], owner: int) -> None:
    """End the engine; a forked child of its owner only lets go of the pipes."""
    if os.getpid() == owner:
        process.kill()
        process.wait()
    elif process.stdout is not None:
        process.stdout.close()  # which is the reader's to close in the owner
    with contextlib.suppress(OSError, ValueError):
        if process.stdin is not None:
            process.stdin.close()
