"""Those who play: agents of their own for every seat, asked under a time limit."""

from __future__ import annotations

import copy
import itertools
import queue
import threading
import time
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from qipai.agents.agent import Agent, Factory, load_agent
from qipai.envs.game import Game
from qipai.envs.tables import Tables

TIME_LIMIT = 10.0  # seconds for a call
VIEWS_A_LIMIT = 20  # as many views in a call allow another time limit
FIRST_CALL = 12  # time limits for the first call of an agent, which may compile or load
MAX_HANGS = 3
MAX_REASONS = 5
FORFEIT = -1

Contender = str | Agent | Factory  # a spec, an agent to copy, or what makes one


def own_agent(contender: Contender, game: Game, seed: int) -> Agent:
    """An agent that nobody else has: a new one, or a copy of an agent handed in.

    ValueError for one that can't be made or copied.
    """
    agent = load_agent(contender, game, seed)
    if agent is not contender:
        return agent
    try:
        return copy.deepcopy(agent, {id(game): game})
    except Exception as error:  # whatever may be in an agent
        raise ValueError(
            f"{type(agent).__name__} can't be copied ({error}), but every seat of every seating "
            "needs an agent of its own: give a class or function that makes one of (game, seed)"
        ) from error


def labels(agents: Sequence[Contender]) -> list[str]:
    """A name for each agent: its spec, class or factory; equal ones are numbered from #2 on."""
    names = [
        agent if isinstance(agent, str) else getattr(agent, "__name__", type(agent).__name__)
        for agent in agents
    ]
    counts = [names[: i + 1].count(name) for i, name in enumerate(names)]
    return [name if n == 1 else f"{name}#{n}" for name, n in zip(names, counts, strict=True)]


class UnusableError(Exception):
    """The agent raised, or its answer is no row of integers; the message is the reason."""


class Caller:
    """A thread that makes calls, so that waiting for one can end.

    A daemon, for a thread in a call that hangs must not keep the process alive.
    """

    def __init__(self) -> None:
        self._calls: queue.SimpleQueue[Callable[[], Any] | None] = queue.SimpleQueue()
        self._answers: queue.SimpleQueue[tuple[Any, str]] = queue.SimpleQueue()
        self._overdue = 0  # calls that were given up but have not returned
        threading.Thread(target=self._serve, daemon=True).start()

    def call(self, function: Callable[[], Any], seconds: float) -> Any:
        """What ``function`` returns; UnusableError if it raises, TimeoutError if it takes too long.

        After TimeoutError nothing else is called until that call has returned, whose answer is
        then thrown away: an agent is never in two calls at once.
        """
        deadline = time.monotonic() + min(seconds, threading.TIMEOUT_MAX)
        try:
            while self._overdue:
                self._answers.get(timeout=max(0, deadline - time.monotonic()))
                self._overdue -= 1
            self._calls.put(function)
            answer, fault = self._answers.get(timeout=max(0, deadline - time.monotonic()))
        except queue.Empty:
            self._overdue = 1
            raise TimeoutError from None
        if fault:
            raise UnusableError(fault)
        return answer

    def close(self) -> None:
        """Let the thread end, once it is out of its call."""
        self._calls.put(None)

    def _serve(self) -> None:
        while (function := self._calls.get()) is not None:
            try:
                self._answers.put((function(), ""))
            except BaseException as error:  # SystemExit too is the agent's fault
                self._answers.put((None, f"{type(error).__name__}: {error}"[:200]))


class Contestant:
    """One of those that are compared: it makes the agents that play for it, one for each seat of
    each seating, and keeps the account of what they did, under a time limit in common."""

    def __init__(self, label: str, make: Callable[[int], Agent], time_limit: float) -> None:
        """``make`` gets the agent's number; the first one is made at once, to see if it works."""
        self.label = label
        self.time_limit = time_limit
        self.decisions = 0
        self.forfeits = 0
        self.hangs = 0
        self.reasons: list[str] = []
        self._agents = itertools.chain([make(0)], map(make, itertools.count(1)))
        self._caller = Caller()
        self._called = False
        self._timed = 0  # decisions in the time measured
        self._seconds = 0.0

    @property
    def decisions_per_second(self) -> float | None:
        return self._timed / self._seconds if self._timed else None

    def close(self) -> None:
        self._caller.close()

    def sit_down(self) -> Player:
        """An agent for one seat, which has never played."""
        return Player(self, next(self._agents))

    def call(self, act: Callable[[], Any], views: int, limits: float) -> np.ndarray:
        """The answer to so many views, waited for as many time limits.

        UnusableError if it raises, TimeoutError if it takes too long; see ``Caller``.
        """

        def timed() -> tuple[np.ndarray, float]:
            began = time.perf_counter()
            answer = np.asarray(act())
            return answer, time.perf_counter() - began

        first, self._called = not self._called, True
        answer, seconds = self._caller.call(timed, limits * self.time_limit)
        if not first:
            self._timed += views
            self._seconds += seconds
        return answer

    def forfeit(self, tables: int, reason: str) -> np.ndarray:
        """Note that so many tables are given up; FORFEIT for each."""
        self.forfeits += tables
        if reason not in self.reasons and len(self.reasons) < MAX_REASONS:
            self.reasons.append(reason)
        return np.full(tables, FORFEIT)


class Player:
    """A contestant's agent in one seat of one seating."""

    def __init__(self, contestant: Contestant, agent: Agent) -> None:
        self._contestant = contestant
        self._agent = agent
        self._asked = False

    def choose(self, tables: Tables, where: np.ndarray) -> np.ndarray:
        """Its actions int64 (k,) on the tables ``where`` (k,), where it is to act; or FORFEIT."""
        account = self._contestant
        if account.hangs == MAX_HANGS:
            return account.forfeit(len(where), f"not asked any more after {MAX_HANGS} hangs")
        try:
            actions = self._ask(tables, where)
        except TimeoutError:
            account.hangs += 1
            return account.forfeit(len(where), "no answer in time")
        except UnusableError as error:
            if len(where) == 1:
                return account.forfeit(1, str(error))
            # One bad view spoils the answer to all: only those forfeit that fail by themselves.
            return np.concatenate([self.choose(tables, where[[k]]) for k in range(len(where))])
        inside = (actions >= 0) & (actions < tables.game.actions.width)
        legal = inside & (tables.action_mask[where, np.where(inside, actions, 0)] != 0)
        for k in np.flatnonzero(~legal):
            actions[k] = account.forfeit(1, f"illegal action {actions[k]}")[0]
        account.decisions += int(legal.sum())
        return actions

    def _ask(self, tables: Tables, where: np.ndarray) -> np.ndarray:
        views, masks = tables.views(where), tables.action_mask[where]
        # Who has hung before is not waited for at such length again.
        patient = not self._asked and not self._contestant.hangs
        self._asked = True
        limits = len(where) / VIEWS_A_LIMIT + (FIRST_CALL if patient else 1)
        answer = self._contestant.call(lambda: self._agent.act(views, masks), len(where), limits)
        if answer.shape != where.shape or not np.issubdtype(answer.dtype, np.integer):
            raise UnusableError(
                f"answer of shape {answer.shape} and dtype {answer.dtype}, "
                f"expected integers of shape {where.shape}"
            )
        actions: np.ndarray = answer.astype(np.int64)
        return actions
