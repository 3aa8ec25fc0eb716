"""``qipai bench``: how fast the games are on this machine, beside the budgets they are held to.

All play is random and legal. Batches choose their actions in compiled code and write observation
and both masks at every step. Rates are by the clock on the wall: on a busy machine read the best
ones and the ratios, and what two threads gain beside what plain hashing gains from them.
"""

from __future__ import annotations

import hashlib
import itertools
import json
import math
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from qipai.envs import load_game, make, make_tables

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

    from qipai.envs.tables import Tables

_CELL = 13  # columns of a number and its mark, as printed
SIZES = tuple(64 << i for i in range(8))  # batch sizes tried: 64 … 8192 tables
ROUNDS = 24  # samples of each rate
STARTS = 5  # processes started for each start-up time

T = TypeVar("T")
Play = Callable[[float], float]  # plays for so many seconds; returns decisions per second


@dataclass(frozen=True)
class Measure:
    """One line of the table: a key of ``bench``'s rows and the budget it is held to."""

    key: str
    title: str
    form: str = "{:,.0f}"
    at_least: float | None = None
    at_most: float | None = None
    but: Mapping[str, float] = field(default_factory=dict)  # the same limit for other games

    def met(self, value: float, game: str) -> bool | None:
        """Whether a game's value keeps the budget; None if there is none."""
        if self.at_least is not None:
            return value >= self.but.get(game, self.at_least)
        if self.at_most is not None:
            return value <= self.but.get(game, self.at_most)
        return None

    def budget(self, games: Sequence[str]) -> str:
        """The limit in words, with those of the games it is another for."""
        limit = self.at_least if self.at_least is not None else self.at_most
        if limit is None:
            return ""
        sign = "≥" if self.at_least is not None else "≤"
        others = [f"{g} {self.form.format(self.but[g])}" for g in games if g in self.but]
        return f"{sign} {self.form.format(limit)}" + (f" ({', '.join(others)})" if others else "")


MEASURES = (
    Measure("steps", "steps/s, one thread, best", at_least=1e6, but={"xiangqi": 4e5}),
    Measure("steps_median", "steps/s, one thread, median"),
    Measure("tables", "tables in that batch"),
    Measure("steps_2", "steps/s, two threads, best"),
    Measure("steps_2_median", "steps/s, two threads, median"),
    Measure("tables_2", "tables in that batch"),
    Measure("speedup_2", "two threads / one", "{:.2f}", at_least=1.8),
    Measure("hashing_2", "  the same for plain hashing", "{:.2f}"),
    Measure("aec_steps", "AEC last() + step() per s, best", at_least=40e3),
    Measure("aec_steps_median", "AEC last() + step() per s, median"),
    Measure("compile", "first use of the tables, s", "{:.1f}", at_most=20),
    Measure("compile_cpu", "  of that on the processor, s", "{:.1f}"),
    Measure("compile_aec", "then of the AEC environment, s", "{:.1f}"),
    Measure("warm", "first step in a later process, s", "{:.2f}"),
    Measure("import", "import qipai.envs, s", "{:.2f}", at_most=0.5),
    Measure("import_torch", "  with torch", at_most=0),
    Measure("cli", "qipai games, s", "{:.2f}", at_most=1.5),
    Measure(
        *("state_bytes", "bytes of a table"),
        at_most=2048,
        but={"xiangqi": 4096},
    ),
    Measure("observation", "entries of an observation"),
    Measure("actions", "actions"),
)


def bench(games: Sequence[str], seconds: float = 2.0) -> list[dict[str, Any]]:
    """One row of measurements per game, by the keys of ``MEASURES`` and ``game``.

    ``seconds``: how long each rate is measured. ValueError for an unknown game or no time.
    """
    if not 0 < seconds < math.inf:
        raise ValueError(f"seconds={seconds}: a finite number above 0")
    found = [load_game(name) for name in games]
    started = start_up()
    return [
        {
            "game": game.name,
            **batch_rates(game.name, seconds),
            **aec_rates(game.name, seconds),
            **compile_times(game.name),
            **started,
            "state_bytes": game.state.itemsize,
            "observation": game.observation.width,
            "actions": game.actions.width,
        }
        for game in found
    ]


def print_table(rows: Sequence[dict[str, Any]], console: Console | None = None) -> None:
    """The rows of ``bench``, a game per column, with a mark where a budget is kept or not; in
    several tables if they are wider than the console."""
    from rich.console import Console

    console = console or Console()
    titles = max(len(measure.title) for measure in MEASURES)
    columns = max(_CELL, *(len(row["game"]) for row in rows)) + 2
    side_by_side = max(1, (console.width - titles - _CELL - 2) // columns)
    for first in range(0, len(rows), side_by_side):
        console.print(_table(rows[first : first + side_by_side]))


def _table(rows: Sequence[dict[str, Any]]) -> Table:
    from rich.table import Table

    table = Table(box=None, header_style="bold")
    table.add_column("")
    for row in rows:
        table.add_column(row["game"], justify="right")
    table.add_column("budget", justify="right", style="dim")
    marks = {True: " [green]✓[/]", False: " [red]✗[/]", None: "  "}
    for measure in MEASURES:
        cells = [
            measure.form.format(r[measure.key]) + marks[measure.met(r[measure.key], r["game"])]
            for r in rows
        ]
        table.add_row(measure.title, *cells, measure.budget([r["game"] for r in rows]))
    return table


def to_json(rows: Sequence[dict[str, Any]]) -> str:
    """The rows as JSON."""
    return json.dumps(rows, indent=2)


# --- Rates ---------------------------------------------------------------------------------------


def batch_rates(name: str, seconds: float) -> dict[str, Any]:
    """Batched play on one thread and on two, each with the batch size that suits it best."""
    one = max(SIZES, key=lambda n: peek(name, n, 1, seconds))
    two = max(SIZES, key=lambda n: peek(name, n, 2, seconds))
    rates = alternate(
        [
            play_tables(make_tables(name, one, seed=1)),
            play_tables(make_tables(name, two, seed=1, threads=2)),
            hashing(1),
            hashing(2),
        ],
        seconds,
    )
    return {
        "steps": max(rates[0]),
        "steps_median": statistics.median(rates[0]),
        "tables": one,
        "steps_2": max(rates[1]),
        "steps_2_median": statistics.median(rates[1]),
        "tables_2": two,
        "speedup_2": ratio(rates[1], rates[0]),
        "hashing_2": ratio(rates[3], rates[2]),
    }


def peek(name: str, n: int, threads: int, seconds: float) -> float:
    """A quick look at the rate of one batch size."""
    play = play_tables(make_tables(name, n, seed=1, threads=threads))
    return max(play(seconds / 40) for _ in range(3))


def play_tables(tables: Tables) -> Play:
    """Random play on all tables, from somewhere in the middle of their games."""
    for _ in range(100):
        tables.step(tables.sample())

    def play(seconds: float) -> float:
        steps = 0
        start = time.perf_counter()
        while (spent := time.perf_counter() - start) < seconds or not steps:
            tables.step(tables.sample())
            steps += tables.n
        return steps / spent

    return play


def hashing(threads: int) -> Play:
    """Work that shares nothing, to see what more threads are worth on this machine at most."""
    block = bytes(1 << 18)

    def work(seconds: float) -> int:
        done = 0
        start = time.perf_counter()
        while time.perf_counter() - start < seconds or not done:
            hashlib.blake2b(block)  # lets other threads run meanwhile
            done += 1
        return done

    def play(seconds: float) -> float:
        start = time.perf_counter()
        with ThreadPoolExecutor(threads) as pool:
            done = sum(pool.map(work, [seconds] * threads))
        return done / (time.perf_counter() - start)

    return play


def aec_rates(name: str, seconds: float) -> dict[str, Any]:
    """Random play of the AEC environment, new matches included."""
    (rates,) = alternate([play_aec(name)], seconds)
    return {"aec_steps": max(rates), "aec_steps_median": statistics.median(rates)}


def play_aec(name: str) -> Play:
    """Random play of one table: the actions are spread evenly over the legal ones."""
    env = make(name)
    env.reset(seed=1)
    turns = itertools.count()

    def play(seconds: float) -> float:
        steps = 0
        start = time.perf_counter()
        while (spent := time.perf_counter() - start) < seconds or not steps:
            observation, _, terminated, truncated, _ = env.last()
            if terminated or truncated:
                env.reset()
                continue
            legal = observation["action_mask"].nonzero()[0]
            env.step(legal[next(turns) % len(legal)])
            steps += 1
        return steps / spent

    play(0.01)
    return play


def alternate(plays: Sequence[Callable[[float], T]], seconds: float) -> list[list[T]]:
    """What each contestant finds, ``ROUNDS`` times, measured in turns: A B A B."""
    rates: list[list[T]] = [[] for _ in plays]
    for _ in range(ROUNDS):
        for play, found in zip(plays, rates, strict=True):
            found.append(play(seconds / ROUNDS))
    return rates


def ratio(ours: Sequence[float], theirs: Sequence[float]) -> float:
    """The median of the ratios of neighbouring measurements: it holds when the machine drifts."""
    return statistics.median(a / b for a, b in zip(ours, theirs, strict=True))


# --- Start-up ------------------------------------------------------------------------------------

_FIRST_USE = """
import time
from qipai.envs import make, make_tables
start, cpu = time.perf_counter(), time.process_time()
tables = make_tables("{name}", 8, seed=1)
tables.step(tables.sample())
used, cpu = time.perf_counter() - start, time.process_time() - cpu
env = make("{name}")
env.reset(seed=1)
env.step(env.last()[0]["action_mask"].argmax())
print(used, cpu, time.perf_counter() - start - used)
"""

_IMPORT = """
import sys, time
start = time.perf_counter()
import qipai.envs
print(time.perf_counter() - start, "torch" in sys.modules)
"""


def compile_times(name: str) -> dict[str, Any]:
    """Seconds to the first step with an empty cache and with a full one."""
    with tempfile.TemporaryDirectory() as cache:
        first, cpu, aec = map(float, run(_FIRST_USE.format(name=name), cache).split())
        warm = min(float(run(_FIRST_USE.format(name=name), cache).split()[0]) for _ in range(2))
    return {"compile": first, "compile_cpu": cpu, "compile_aec": aec, "warm": warm}


def start_up() -> dict[str, Any]:
    """Seconds to import the environments and to run a command, at best."""
    imports = [run(_IMPORT).split() for _ in range(STARTS)]
    commands = []
    for _ in range(STARTS):
        start = time.perf_counter()
        run("from qipai.cli import main; main()", arguments=["games"])
        commands.append(time.perf_counter() - start)
    return {
        "import": min(float(seconds) for seconds, _ in imports),
        "import_torch": int(any(torch == "True" for _, torch in imports)),
        "cli": min(commands),
    }


def run(script: str, cache: str | None = None, arguments: Sequence[str] = ()) -> str:
    """What a new Python process prints, with the compile cache in the folder ``cache``."""
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    if cache is not None:
        environment["QIPAI_CACHE_DIR"] = str(Path(cache).absolute())
    done = subprocess.run(
        [sys.executable, "-c", script, *arguments],
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout
