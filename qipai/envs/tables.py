"""``Tables``: many tables of one game, stepped by one call into buffers it owns."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any

import numpy as np

from qipai.envs.arguments import INT64, whole_number, whole_numbers
from qipai.envs.game import Game
from qipai.envs.kernel import addressable, kernel
from qipai.envs.match import ENDED, NO_ACTION, PLAYING, engine
from qipai.envs.rng import RNG, below, entropy, mix, seed_stream
from qipai.envs.unshared import Unshared

PART = 256  # tables a thread takes at a time, at least
MOST_TABLES = 2**20  # of the largest game they take 15 GB
MOST_THREADS = 256


class IllegalAction(ValueError):
    """An action that is not legal now; the table is as it was."""


def illegal_action(game: Game, action: int | None, mask: np.ndarray, where: str) -> IllegalAction:
    """The error that names the action and the legal ones."""
    if action is not None and 0 <= action < game.actions.width:
        name = game.action_name(action)
    else:
        name = "no such id"
    legal = ", ".join(f"{a} {game.actions.names[a]}" for a in np.flatnonzero(mask)) or "none"
    return IllegalAction(
        f"{game.name}: action {action} ({name}) is illegal {where}; legal: {legal}"
    )


def check_threads(threads: int) -> int:
    """A number of threads; ValueError unless it is in 1…``MOST_THREADS``."""
    right = f"at least one thread and at most {MOST_THREADS}"
    return whole_number("threads", threads, right, low=1, high=MOST_THREADS)


@kernel
def sample_actions(masks, where, rngs, actions):
    """A uniformly drawn legal action for each table; −1 where there is none."""
    for k in range(len(where)):
        mask = masks[where[k]]
        count = np.int16(0)  # short numbers are added many at a time
        for a in range(len(mask)):
            count = np.int16(count + mask[a])
        actions[k] = -1
        if count == 0:
            continue
        left = below(rngs[where[k]], count)
        a = 0
        while left >= mask[a]:
            left -= mask[a]
            a += 1
        actions[k] = a


@kernel
def find_illegal(masks, where, actions):
    """Index of the first action that is out of range or illegal; −1 if all are legal."""
    for k in range(len(where)):
        if actions[k] < 0 or actions[k] >= masks.shape[1] or masks[where[k], actions[k]] == 0:
            return k
    return -1


@kernel
def seed_players(rngs, bits, streams):
    for i in range(len(rngs)):
        seed_stream(rngs[i], mix(bits), streams[i])


class Tables:
    """``n`` tables of one game; a finished match starts anew within the same ``step``.

    Table i's games depend only on (seed, i), whatever n and ``threads`` are; ``streams`` (n,) names
    other stream numbers than i, so that tables with equal numbers get equal deals.

    Attributes, all overwritten by ``step`` and ``reset``, never reallocated:
        turn: int8 (n,), the seat to act.
        action_mask: int8 (n, actions), 1 where legal for that seat.
        observation: float32 (n, width), from that seat's point of view.
        observation_mask: bool (n, width), False where the entry is hidden from that seat.
        reward: int64 (n, seats), coins settled by the last step, and those of hands that ended
            before the first decision of the match it belongs to.
        house: int64 (n,), the house's side of them.
        over: int8 (n,), not 0 where the last step ended a match: 1 by its rules, 2 cut off by a
            limit of length. The observation is the next match's first one then.
        state: the tables themselves, records of ``game.state`` (n,).
    """

    def __init__(
        self,
        game: Game,
        n: int,
        seed: int | None = None,
        *,
        threads: int = 1,
        streams: Sequence[int] | np.ndarray | None = None,
        preset: str | None = None,
        **options: Any,
    ) -> None:
        """Set up 1…``MOST_TABLES`` tables for 1…``MOST_THREADS`` threads.

        ValueError for bad sizes, OptionError for bad options.
        """
        right = f"at least one table and at most {MOST_TABLES:,}"
        self.n = n = whole_number("n", n, right, low=1, high=MOST_TABLES)
        self.threads = threads = check_threads(threads)
        self.game = game
        self.rules = game.options(preset, **options)
        self.seats: int = self.rules["seats"]
        self._streams = np.arange(n) if streams is None else _stream_numbers(streams, n)
        self._engine = engine(game)
        self._pool = Unshared(partial(ThreadPoolExecutor, threads - 1))
        self._blank = addressable(game.blank(self.rules))
        self._all = np.arange(n)
        self._purses = np.zeros((n, self.seats + 1), np.int64)
        self._opening = np.zeros_like(self._purses)  # coins of a match before its first decision
        self._scratch = [addressable(np.zeros(1, game.state)) for _ in range(threads)]
        self._players = addressable(np.zeros(n, RNG))

        self.state = addressable(np.zeros(n, game.state))
        self.turn = np.zeros(n, np.int8)
        self.action_mask = np.zeros((n, game.actions.width), np.int8)
        self.observation = np.zeros((n, game.observation.width), np.float32)
        self.observation_mask = np.zeros((n, game.observation.width), np.bool_)
        self._records = game.observation.records(self.observation, self.observation_mask)
        self.reward = self._purses[:, : self.seats]
        self.house = self._purses[:, self.seats]
        self.over = np.zeros(n, np.int8)
        self.reset(seed)

    def reset(self, seed: int | None = None) -> None:
        """Start every table anew; None draws a fresh seed."""
        bits = entropy(seed)
        self._engine.seed_tables(self.state, self._all, bits, self._streams)
        seed_players(self._players, bits, self._streams)
        self._purses[:] = self._opening[:] = 0
        self.state["over"] = ENDED
        self._advance(self._all, np.full(self.n, NO_ACTION))
        self.over[:] = PLAYING

    def step(
        self, actions: np.ndarray | Sequence[int], where: np.ndarray | Sequence[int] | None = None
    ) -> None:
        """Play ``actions`` (k,) on the tables ``where`` (k,; default all n), in the same order.

        IllegalAction if any is illegal, ValueError for bad shapes or tables; nothing changes then.
        """
        tables = self._indices(where)
        expected = f"expected integers of shape {tables.shape}"
        given = whole_numbers("actions", actions, expected)
        if given.shape != tables.shape:
            raise ValueError(f"actions has shape {given.shape}: {expected}")
        moves = given
        if given.dtype == object:  # one is beyond int64
            moves = np.clip(given, -1, self.game.actions.width).astype(np.int64)
        bad = find_illegal(self.action_mask, tables, moves)
        if bad >= 0:
            table = int(tables[bad])
            raise illegal_action(
                self.game, int(given[bad]), self.action_mask[table], f"on table {table}"
            )
        self._advance(tables, moves)

    def sample(self, where: np.ndarray | Sequence[int] | None = None) -> np.ndarray:
        """A uniformly random legal action for each table, int64 (k,), from the tables' player
        streams (which never touch the deals)."""
        tables = self._indices(where)
        actions = np.empty(len(tables), np.int64)
        self._spread(
            tables,
            lambda part, _: sample_actions(
                self.action_mask, tables[part], self._players, actions[part]
            ),
        )
        return actions

    def views(self, where: np.ndarray | Sequence[int] | None = None) -> np.ndarray:
        """Copies of the tables as the seat to act may see them, records (k,) of ``game.state``."""
        tables = self._indices(where)
        views = addressable(np.zeros(len(tables), self.game.state))
        seats = self.turn[tables].astype(np.int64)
        self._engine.view_tables(self.state, tables, seats, views)
        return views

    def leave(self, table: int, seat: int) -> None:
        """``seat`` leaves one table (逃跑): the house plays on for it; coins are in ``reward``."""
        tables = self._indices([table])
        right = f"seats are 0…{self.seats - 1}"
        seat = whole_number("seat", seat, right, low=0, high=self.seats - 1)
        if self.state["away"][table, seat]:
            raise ValueError(f"seat {seat} has left table {table} already")
        self._purses[table] = self._opening[table]
        self._opening[table] = 0
        self._engine.depart_tables(self.state, tables, np.array([seat], np.int64), self._purses)
        self._advance(tables, np.array([NO_ACTION]))

    def __getstate__(self) -> dict[str, Any]:
        shown = ("state", "turn", "action_mask", "observation", "observation_mask", "over")
        kept = (*shown, "_purses", "_opening", "_players")
        return {
            "game": self.game.name,
            "arguments": {"threads": self.threads, "streams": self._streams, **self.rules},
            "arrays": {name: np.asarray(getattr(self, name)) for name in kept},
        }

    def __setstate__(self, state: dict[str, Any]) -> None:
        from qipai.envs import load_game

        arrays = state["arrays"]
        Tables.__init__(self, load_game(state["game"]), len(arrays["turn"]), **state["arguments"])
        for name, array in arrays.items():
            getattr(self, name)[:] = array

    def _indices(self, where: np.ndarray | Sequence[int] | None) -> np.ndarray:
        if where is None:
            return self._all
        right = f"a row of table numbers, those are 0…{self.n - 1}"
        tables = whole_numbers("where", where, right, low=0, high=self.n - 1)
        named = np.zeros(self.n, np.bool_)
        named[tables] = True
        if np.count_nonzero(named) < len(tables):
            raise ValueError(f"where={where!r}: a table is named twice")
        return tables

    def _advance(self, tables: np.ndarray, actions: np.ndarray) -> None:
        def part(chunk: slice, worker: int) -> None:
            self._engine.step_tables(
                self.state,
                tables[chunk],
                actions[chunk],
                self._blank,
                self._purses,
                self._opening,
                self.over,
                self._scratch[worker],
                self.turn,
                self.action_mask,
                self.observation,
                self.observation_mask,
                *self._records,
            )

        self._spread(tables, part)

    def _spread(self, tables: np.ndarray, work: Callable[[slice, int], None]) -> None:
        """Run ``work(slice of tables, worker number)`` on as many threads as there are.

        Threads take small parts as they come: one that wakes up late just does less.
        """
        if self.threads == 1 or len(tables) <= PART:
            work(slice(0, len(tables)), 0)
            return
        size = max(PART, len(tables) // (8 * self.threads))
        parts = iter([slice(at, at + size) for at in range(0, len(tables), size)])

        def run(worker: int) -> None:
            for part in parts:
                work(part, worker)

        jobs = [self._pool().submit(run, worker) for worker in range(1, self.threads)]
        run(0)
        for job in jobs:
            if not job.cancel():
                job.result()


def _stream_numbers(streams: Sequence[int] | np.ndarray, n: int) -> np.ndarray:
    expected = f"expected {n} integers of 64 bits, one a table"
    numbers = whole_numbers("streams", streams, expected, low=INT64.min, high=INT64.max)
    if len(numbers) != n:
        raise ValueError(f"streams has shape {numbers.shape}: {expected}")
    return numbers.copy()
