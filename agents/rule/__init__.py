"""The house's own bot of each game: one module per game, named like it.

A module supplies one of two. A kernel ``choose(v, mask, rng)``: the action for view ``v`` of the
seat ``v.turn``, legal by ``mask``; ``rng`` is the bot's own generator (qipai.envs.rng), not the
view's. Or, for a bot that searches, a class ``Bot(game, seed, budget)``, an ``Agent``; ``budget``
is a ``Budget`` or None for the bot's own default.
"""

from __future__ import annotations

import functools
import importlib
import importlib.util
from types import ModuleType
from typing import TYPE_CHECKING, Any

import numpy as np

from qipai.agents.budget import Budget
from qipai.agents.random import seed_one
from qipai.envs.game import Game
from qipai.envs.kernel import addressable, bind, kernel
from qipai.envs.rng import RNG, entropy

if TYPE_CHECKING:
    from qipai.agents.agent import Agent

    choose: Any = None  # the game's kernel, put in place by bind()


def choose_all(views, masks, rng, actions):
    """``choose`` for each view."""
    for k in range(len(views)):
        actions[k] = choose(views[k], masks[k], rng[0])


def has_rule_bot(game: str) -> bool:
    """Whether there is a rule bot of this game."""
    return importlib.util.find_spec(f"qipai.agents.rule.{game}") is not None


def rule_bot(game: Game, seed: int | None = 0, budget: Budget | None = None) -> Agent:
    """The rule bot of a game; ValueError if there is none, or if it knows no budget."""
    module = _module(game.name)
    if hasattr(module, "Bot"):
        bot: Agent = module.Bot(game, seed, budget)
        return bot
    if budget is not None:
        raise ValueError(f"the rule bot of {game.name} takes no budget: it does not search")
    return RuleAgent(game, seed)


@functools.cache
def _module(game: str) -> ModuleType:
    if not has_rule_bot(game):
        raise ValueError(f"{game} has no rule bot")
    return importlib.import_module(f"qipai.agents.rule.{game}")


@functools.cache
def _compiled(game: str) -> Any:
    return bind(choose_all, game, kernel, choose=_module(game).choose)


class RuleAgent:
    """A rule bot that is a kernel; equal seeds give equal choices."""

    def __init__(self, game: Game, seed: int | None = 0) -> None:
        self._choose_all = _compiled(game.name)
        self._rng = addressable(np.zeros(1, RNG))
        seed_one(self._rng, entropy(seed))

    def act(self, views: np.ndarray, masks: np.ndarray) -> np.ndarray:
        """Actions int64 (n,) for views (n,) and masks int8 (n, actions)."""
        actions = np.empty(len(views), np.int64)
        self._choose_all(
            addressable(np.ascontiguousarray(views)),
            np.ascontiguousarray(masks),
            self._rng,
            actions,
        )
        return actions
