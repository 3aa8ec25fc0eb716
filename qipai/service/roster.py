"""Whom a request may name as agent: bots that come with qipai, and models the server was given.

Nothing that names a file, a program or a module of the server's machine.
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from qipai.agents.agent import KINDS, Agent, load_agent
from qipai.agents.budget import Budget
from qipai.agents.model import ModelAgent, game_of
from qipai.agents.rule import has_rule_bot, rule_module
from qipai.envs.game import Game

MOST_SECONDS = 1.0  # of a budget that a request may name
MOST_PLAY_OUTS = 2000
MOST_POSITIONS = 100_000  # where the bot is a search itself
_BOTS = ("random", "rule", "search")
_NAME = re.compile(r"[A-Za-z0-9_.-]{1,40}")


@dataclass(frozen=True)
class Model:
    """A trained model that the server offers by a name of its own."""

    game: Game
    path: Path


def read_models(given: Mapping[str, Path]) -> dict[str, Model]:
    """The models at these paths; ValueError for a name that can't be, or a file that is none."""
    for name in given:
        if name in KINDS or not _NAME.fullmatch(name):
            raise ValueError(
                f"{name!r} can't name a model: letters, digits, _ . - are allowed, "
                f"and {', '.join(KINDS)} are taken"
            )
    return {name: Model(game_of(path), path) for name, path in given.items()}


class Roster:
    """The agents that can be named."""

    def __init__(self, models: Mapping[str, Model]) -> None:
        self._models = models

    def names(self, game: Game) -> dict[str, str]:
        """The agents for a game, each with what it is."""
        found = {"random": KINDS["random"][1]}
        if has_rule_bot(game.name):
            found["rule"] = "the game's own bot"
            found["search"] = "the strongest bot of the game that comes with qipai, and the slowest"
            for kind in ("rule", "search") if _searches(game) else ("search",):
                found[f"{kind}:BUDGET"] = (
                    f"the same with a budget of at most {_most_count(game):,} "
                    f"{_counted(game)} ({kind}:1000) or {MOST_SECONDS:g} s ({kind}:200ms)"
                )
        own = (name for name, model in self._models.items() if model.game is game)
        return found | dict.fromkeys(own, "a trained model")

    def kind(self, agent: str) -> str:
        """The agent's name without its budget."""
        return agent.partition(":")[0]

    def load(self, game: Game, agent: str) -> Agent:
        """The agent of this name, with a random stream nobody knows; ValueError if there is none
        for the game."""
        if agent in self._models:
            model = self._models[agent]
            if model.game is not game:
                raise ValueError(f"the model {agent!r} plays {model.game.name}, not {game.name}")
            return ModelAgent(game, model.path, None)
        kind, _, budget = agent.partition(":")
        if kind not in _BOTS or (kind == "random" and budget):
            names = ", ".join(self.names(game))
            raise ValueError(f"there is no agent {agent!r} for {game.name}; agents: {names}")
        if budget and has_rule_bot(game.name):
            _check(agent, game, Budget.parse(budget))
        return load_agent(agent, game, secrets.randbits(64))


def _searches(game: Game) -> bool:
    """Whether the rule bot of a game is a search itself."""
    return hasattr(rule_module(game.name), "Bot")


def _most_count(game: Game) -> int:
    return MOST_POSITIONS if _searches(game) else MOST_PLAY_OUTS


def _counted(game: Game) -> str:
    return "positions" if _searches(game) else "play-outs"


def _check(agent: str, game: Game, budget: Budget) -> None:
    """ValueError for a budget beyond what a request may ask for."""
    most = _most_count(game)
    if (budget.count or 0) > most or (budget.seconds or 0) > MOST_SECONDS:
        raise ValueError(
            f"agent {agent!r}: a budget here is at most {most:,} {_counted(game)} "
            f"or {MOST_SECONDS:g} s"
        )
