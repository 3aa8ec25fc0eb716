"""Decisions in batches: a thread for each game and agent, which takes all that has come meanwhile.

A question whose time is up is answered by the house, whatever its thread is at.
"""

from __future__ import annotations

import asyncio
import queue
import threading
from collections import OrderedDict
from collections.abc import Callable, Iterator, MutableMapping, Sequence
from concurrent.futures import Future
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from typing import TypeVar

import numpy as np

from qipai.agents.agent import Agent, Weighing
from qipai.agents.composing import HouseAgent, whole_moves
from qipai.envs.game import Game
from qipai.service.questions import Questions, read_trial
from qipai.service.roster import Roster

MOST_THREADS = 64  # pairs of game and agent that are kept ready
MOST_VIEWS = 256  # in a batch
MOST_WAITING = 4096  # views that have not been answered yet, in all


K = TypeVar("K")
T = TypeVar("T")


class BusyError(Exception):
    """More is asked than can be answered."""


@dataclass(frozen=True)
class Decision:
    """The actions of one move, and what an agent that weighs thinks of the first."""

    move: list[int]
    by_house: bool = False
    chances: np.ndarray | None = None  # (actions,)
    value: float | None = None


class Decider:
    """An agent in a thread of its own."""

    def __init__(self, game: Game, agent: Agent) -> None:
        self._game, self._agent = game, agent
        self._asked: queue.SimpleQueue[tuple[Questions, Future[list[Decision]]] | None] = (
            queue.SimpleQueue()
        )
        # A daemon, for a decision that takes long must not keep the server from ending.
        threading.Thread(target=self._run, daemon=True, name=f"{game.name} decider").start()

    def ask(self, questions: Questions) -> Future[list[Decision]]:
        """The decisions to come. Cancelled before its turn, a question is not looked at."""
        answer: Future[list[Decision]] = Future()
        self._asked.put((questions, answer))
        return answer

    def close(self) -> None:
        """Let the thread end once it has answered."""
        self._asked.put(None)

    def _run(self) -> None:
        while (first := self._asked.get()) is not None:
            batch = [first]
            while sum(len(asked.views) for asked, _ in batch) < MOST_VIEWS:
                try:
                    more = self._asked.get_nowait()
                except queue.Empty:
                    break
                if more is None:
                    self.close()  # heard again after this batch
                    break
                batch.append(more)
            self._answer([one for one in batch if one[1].set_running_or_notify_cancel()])

    def _answer(self, batch: Sequence[tuple[Questions, Future[list[Decision]]]]) -> None:
        if not batch:
            return
        try:
            views = np.concatenate([asked.views for asked, _ in batch])
            masks = np.concatenate([asked.masks for asked, _ in batch])
            decisions = iter(self._decide(views, masks))
        except Exception as error:  # whatever is wrong with an agent, or with one of the views
            if len(batch) == 1:
                batch[0][1].set_exception(error)
            else:
                for one in batch:
                    self._answer([one])
            return
        for asked, answer in batch:
            answer.set_result([next(decisions) for _ in asked.views])

    def _decide(self, views: np.ndarray, masks: np.ndarray) -> list[Decision]:
        moves = whole_moves(self._agent, self._game, views)
        if not isinstance(self._agent, Weighing):
            return [Decision(move) for move in moves]
        chances, values = self._agent.weigh(views, masks)
        return [
            Decision(move, chances=chances[k], value=float(values[k]))
            for k, move in enumerate(moves)
        ]


class Desk:
    """Where questions are handed in: it has the deciders, made when they are first asked for."""

    def __init__(self, roster: Roster) -> None:
        self.roster = roster
        self._warm: dict[str, asyncio.Future[None]] = {}  # by game
        self._deciders: OrderedDict[tuple[str, str], asyncio.Future[Decider]] = OrderedDict()
        self._waiting = 0

    async def warm_up(self, game: Game) -> None:
        """Have the game's rules compiled or loaded, once."""
        await _made_once(self._warm, game.name, partial(read_trial, game))

    async def decider(self, game: Game, agent: str) -> Decider:
        """Who decides for this agent; ValueError if there is none such."""
        key = game.name, agent
        make = partial(_decider, self.roster, game, agent)
        found = await _made_once(self._deciders, key, make)
        if key in self._deciders:
            self._deciders.move_to_end(key)
        while len(self._deciders) > MOST_THREADS:
            _, oldest = self._deciders.popitem(last=False)
            oldest.add_done_callback(_close)
        return found

    @contextmanager
    def room(self, count: int) -> Iterator[None]:
        """Room for so many views, from their arrival to their answer.

        BusyError if too many are waiting already.
        """
        if self._waiting + count > MOST_WAITING:
            raise BusyError(f"{self._waiting:,} decisions are waiting: ask again later")
        self._waiting += count
        try:
            yield
        finally:
            self._waiting -= count

    async def decide(
        self, decider: Decider, questions: Questions, seconds: float
    ) -> list[Decision]:
        """Decisions within ``seconds``, the house's if the agent has none by then."""
        answer = asyncio.wrap_future(decider.ask(questions))
        try:
            return await asyncio.wait_for(answer, seconds)
        except asyncio.TimeoutError:
            moves = whole_moves(HouseAgent(questions.game), questions.game, questions.views)
            return [Decision(move, by_house=True) for move in moves]

    def close(self) -> None:
        """Let all deciders end."""
        for decider in self._deciders.values():
            decider.add_done_callback(_close)


def _decider(roster: Roster, game: Game, agent: str) -> Decider:
    return Decider(game, roster.load(game, agent))


def _close(made: asyncio.Future[Decider]) -> None:
    if not made.cancelled() and made.exception() is None:
        made.result().close()


async def _made_once(
    kept: MutableMapping[K, asyncio.Future[T]], key: K, make: Callable[[], T]
) -> T:
    """What ``make`` gives, kept under ``key`` unless it raises."""
    if key not in kept:
        kept[key] = _in_a_thread(make)
    try:
        return await asyncio.shield(kept[key])
    except Exception:
        kept.pop(key, None)
        raise


def _in_a_thread(make: Callable[[], T]) -> asyncio.Future[T]:
    """What ``make`` gives, in a thread that keeps nothing from ending, unlike an executor's."""
    made: Future[T] = Future()

    def run() -> None:
        try:
            made.set_result(make())
        except Exception as error:
            made.set_exception(error)

    threading.Thread(target=run, daemon=True).start()
    return asyncio.wrap_future(made)
