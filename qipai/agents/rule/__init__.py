"""The house's own bot of each game: one module per game, named like it.

A module supplies one of two. A kernel ``choose(v, mask, rng)``: the action for view ``v`` of the
seat ``v.turn``, legal by ``mask``; ``rng`` is the bot's own generator (qipai.envs.rng), not the
view's. If the module has a function ``work()``, which makes a tuple of arrays (tables, or room for
what the kernel computes), the kernel gets that too: ``choose(v, mask, rng, work)``. Or, for a bot
that searches, a class ``Bot(game, seed, budget)``, an ``Agent``; ``budget`` is a ``Budget`` or None
for its own default, and the module's ``SEARCH`` is the one it has as the agent ``search``.
"""

from __future__ import annotations

import functools
import importlib
import importlib.util
from collections.abc import Callable
from types import ModuleType
from typing import TYPE_CHECKING, Any

import numpy as np

from qipai.agents.budget import Budget
from qipai.agents.random import seed_one
from qipai.envs.game import Game
from qipai.envs.kernel import addressable, bind, inlined, kernel
from qipai.envs.rng import RNG, entropy
from qipai.envs.unshared import Unshared

if TYPE_CHECKING:
    from qipai.agents.agent import Agent

    choose: Any = None  # the game's kernel, put in place by bind()
    think: Any = None

Work = tuple[np.ndarray, ...]


def no_work() -> Work:
    """What a bot without ``work()`` gets: nothing to speak of."""
    return (np.zeros(1, np.int8),)


def choose_without_work(v, mask, rng, work):
    """The game's ``choose``, which asks for no ``work``."""
    return choose(v, mask, rng)


def choose_all(views, masks, rng, work, actions):
    """``think`` for each view."""
    for k in range(len(views)):
        actions[k] = think(views[k], masks[k], rng[0], work)


def has_rule_bot(game: str) -> bool:
    """Whether there is a rule bot of this game."""
    return importlib.util.find_spec(f"qipai.agents.rule.{game}") is not None


def rule_bot(game: Game, seed: int | None = 0, budget: Budget | None = None) -> Agent:
    """The rule bot of a game; ValueError if there is none, or if it knows no budget."""
    module = rule_module(game.name)
    if hasattr(module, "Bot"):
        bot: Agent = module.Bot(game, seed, budget)
        return bot
    if budget is not None:
        raise ValueError(f"the rule bot of {game.name} takes no budget: it does not search")
    return RuleAgent(game, seed)


@functools.cache
def rule_module(game: str) -> ModuleType:
    """The module of a game's rule bot; ValueError if there is none."""
    if not has_rule_bot(game):
        raise ValueError(f"{game} has no rule bot")
    return importlib.import_module(f"qipai.agents.rule.{game}")


@functools.cache
def rule_kernel(game: str) -> tuple[Callable[..., Any], Callable[[], Work]] | None:
    """A kernel ``think(v, mask, rng, work)`` and what makes ``work``; None if the bot is none."""
    module = rule_module(game)
    if not hasattr(module, "choose"):
        return None
    if hasattr(module, "work"):
        return module.choose, module.work
    return bind(choose_without_work, game, inlined, choose=module.choose), no_work


class RuleAgent:
    """A rule bot that is a kernel; equal seeds give equal choices."""

    def __init__(self, game: Game, seed: int | None = 0) -> None:
        self._means = Unshared(functools.partial(_means, game.name))
        self._rng = addressable(np.zeros(1, RNG))
        seed_one(self._rng, entropy(seed))

    def act(self, views: np.ndarray, masks: np.ndarray) -> np.ndarray:
        """Actions int64 (n,) for views (n,) and masks int8 (n, actions)."""
        choose, work = self._means()
        actions = np.empty(len(views), np.int64)
        choose(
            addressable(views.copy()),  # a bot may try things out on its view
            np.ascontiguousarray(masks),
            self._rng,
            work,
            actions,
        )
        return actions


def _means(game: str) -> tuple[Callable[..., None], Work]:
    """The compiled loop of a game's bot, and what it works with."""
    found = rule_kernel(game)
    assert found is not None
    return _compiled(game), found[1]()


@functools.cache
def _compiled(game: str) -> Any:
    found = rule_kernel(game)
    assert found is not None
    # The bot's file is a source of the loop's even where only its adapter is called.
    return bind(choose_all, game, kernel, think=found[0], choose=rule_module(game).choose)
