"""The ``Agent`` protocol, and ``load_agent``: agents by short names."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import TYPE_CHECKING, Protocol, runtime_checkable

import numpy as np

from qipai.agents.budget import Budget
from qipai.envs.game import Game

if TYPE_CHECKING:
    from qipai.envs.aec import TableEnv


@runtime_checkable
class Agent(Protocol):
    """Anything that picks actions for a batch of views.

    A view is a table record (``game.state``) in which everything the seat to act can't see reads
    ``HIDDEN``; ``views["turn"]`` are the seats to act for. An agent carries its own random stream.
    """

    def act(self, views: np.ndarray, masks: np.ndarray) -> np.ndarray:
        """One legal action for each view.

        Args:
            views: records (n,) of ``game.state``.
            masks: int8 (n, actions), 1 where legal.

        Returns:
            Integers (n,).
        """
        ...


@runtime_checkable
class Weighing(Agent, Protocol):
    """An agent that also tells how it weighs the actions; ``act`` is all that play needs."""

    def weigh(self, views: np.ndarray, masks: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The chances by which it draws its actions, and what it expects of each view.

        Args:
            views: records (n,) of ``game.state``.
            masks: int8 (n, actions), 1 where legal.

        Returns:
            Chances (n, actions) that sum to 1, 0 where illegal; and values (n,), the reward it
            expects from here on, in the unit it was trained with. Asking changes nothing.
        """
        ...


class AgentError(RuntimeError):
    """An agent outside this process that does not answer, or not as it should."""


def decide(agent: Agent, table: TableEnv) -> int:
    """The action of ``agent`` for the seat to act at a table."""
    name = table.agent_selection
    views = np.array([table.view(name)], table.game.state)
    return int(agent.act(views, table.observe(name)["action_mask"][None])[0])


def _random(game: Game, seed: int, argument: str) -> Agent:
    from qipai.agents.random import RandomAgent

    if argument:
        raise ValueError("it takes nothing after a colon")
    return RandomAgent(seed)


def _rule(game: Game, seed: int, argument: str) -> Agent:
    from qipai.agents.rule import rule_bot

    return rule_bot(game, seed, Budget.parse(argument) if argument else None)


def _search(game: Game, seed: int, argument: str) -> Agent:
    from qipai.agents.search import search_agent

    return search_agent(game, seed, Budget.parse(argument) if argument else None)


def _model(game: Game, seed: int, argument: str) -> Agent:
    from qipai.agents.model import ModelAgent

    return ModelAgent(game, argument, seed)


def _uci(game: Game, seed: int, argument: str) -> Agent:
    from qipai.agents.uci_engine import UciAgent

    return UciAgent(game, argument, seed)


def _remote(game: Game, seed: int, argument: str) -> Agent:
    from qipai.agents.remote import RemoteAgent

    return RemoteAgent(game, argument, seed)


KINDS: dict[str, tuple[Callable[[Game, int, str], Agent], str]] = {
    "random": (_random, "a uniformly random legal action"),
    "rule": (_rule, "the game's own bot; where it searches, rule:BUDGET (2000, 200ms, 1.5s)"),
    "search": (_search, "tries every action on redealt tables, search:BUDGET (2000, 200ms)"),
    "model": (_model, "a trained model from a file, model:PATH"),
    "uci": (_uci, "a xiangqi engine, uci:COMMAND[;NAME=VALUE]…"),
    "remote": (_remote, "an agent of a server like qipai serve, remote:URL[;agent=NAME]"),
}


Factory = Callable[[Game, int], Agent]  # makes an agent of (game, seed)


def describe_kinds() -> str:
    """What agents can be named, in one line."""
    kinds = "; ".join(f"{name}: {meaning}" for name, (_, meaning) in KINDS.items())
    return f"{kinds}; MODULE:NAME: your own"


def load_agent(spec: str | Agent | Factory, game: Game, seed: int = 0) -> Agent:
    """The agent named by ``spec``; an agent is returned as it is.

    ``random``, ``rule``, ``rule:BUDGET``, ``search``, ``search:BUDGET``, ``model:PATH``,
    ``uci:COMMAND``, ``remote:URL``, or ``MODULE:NAME`` for a class or function of your own that is
    called with ``(game, seed)`` and returns an agent; or such a class or function itself.
    ValueError says what is allowed.
    """
    if not isinstance(spec, str):
        if isinstance(spec, Agent) and not isinstance(spec, type):
            return spec
        if not callable(spec):
            raise ValueError(f"{spec!r} is no agent: it has no act(views, masks)")
        return _made(getattr(spec, "__name__", repr(spec)), lambda: spec, game, seed)
    kind, _, argument = spec.partition(":")
    if kind in KINDS:
        try:
            return KINDS[kind][0](game, seed, argument)
        except ValueError as error:
            raise ValueError(f"agent {spec!r}: {error}") from None
    if not argument:
        raise ValueError(f"there is no agent {spec!r}; {describe_kinds()}")
    return _made(spec, lambda: getattr(importlib.import_module(kind), argument), game, seed)


def _made(name: str, find: Callable[[], Factory], game: Game, seed: int) -> Agent:
    """What somebody's own class or function makes."""
    try:
        agent = find()(game, seed)
    except Exception as error:  # whatever somebody's module or class may raise
        raise ValueError(f"agent {name!r} cannot be loaded: {error!r}") from error
    if not isinstance(agent, Agent):
        raise ValueError(f"{name!r} gives {agent!r}, which has no act(views, masks)")
    return agent
