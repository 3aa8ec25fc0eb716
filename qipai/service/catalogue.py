"""What there is to say about a game."""

from __future__ import annotations

from typing import Any

from qipai.envs.game import Game
from qipai.envs.options import Option
from qipai.service.messages import ActionRange, AgentInfo, GameInfo, OptionInfo, Summary
from qipai.service.roster import Roster


def summary(game: Game) -> Summary:
    """A game in short."""
    return Summary(**_summary(game))


def details(game: Game, roster: Roster) -> GameInfo:
    """All about a game: its options, its actions, and who plays it here."""
    return GameInfo(
        **_summary(game),
        options=[_option(option) for option in game.rules],
        presets={name: dict(preset) for name, preset in game.rules.presets.items()},
        actions=[
            ActionRange(name=r.name, first=r.start, names=list(r.names), legal_when=r.legal_when)
            for r in game.actions.ranges
        ],
        agents=[
            AgentInfo(name=name, meaning=meaning) for name, meaning in roster.names(game).items()
        ],
    )


def _summary(game: Game) -> dict[str, Any]:
    names = ("name", "version", "title", "english", "summary", "min_seats", "max_seats")
    return {name: getattr(game, name) for name in names}


def _option(option: Option) -> OptionInfo:
    about: dict[str, Any]
    if option.flag:
        about = {"type": "flag"}
    elif option.choices:
        about = {"type": "choice", "choices": [*option.choices]}
    elif option.length and not option.per_seat:
        about = {"type": "row", "low": option.low, "high": option.high, "length": option.length}
    else:
        about = {"type": "integer", "low": option.low, "high": option.high}
    return OptionInfo(
        name=option.name,
        **about,
        allowed=option.allowed,
        per_seat=option.per_seat,
        default=option.default,
        meaning=option.meaning,
        clause=option.clause,
    )
