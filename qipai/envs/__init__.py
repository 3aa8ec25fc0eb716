"""Environments: ``make`` a table, ``make_tables`` a batch, ``games`` lists what there is."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from qipai.envs.options import OptionError

if TYPE_CHECKING:
    import numpy as np

    from qipai.envs.aec import TableEnv
    from qipai.envs.game import Game
    from qipai.envs.solo import SoloEnv
    from qipai.envs.tables import Tables

# The only list of games: name → version, so that ids can be registered without loading any game.
GAMES = {
    "doudizhu": 0,
    "five_card_stud": 0,
    "xiangqi": 0,
    "freecell": 0,
    "tuolaji": 1,
    "blackjack": 1,
    "tuidaohu": 0,
    "hk_five_card": 0,
    "new_san_gong": 0,
    "sanzhang": 0,
    "baccarat": 0,
    "roulette": 0,
    "san_gong": 0,
    "thirteen": 0,
    "san_da_yi": 0,
    "big_two": 0,
    "gongzhu": 0,
    "zui_mahjong": 0,
}

__all__ = [
    "OptionError",
    "encode",
    "games",
    "load_game",
    "make",
    "make_solo",
    "make_tables",
    "position",
]


def games() -> tuple[str, ...]:
    """The names of all games."""
    return tuple(GAMES)


def load_game(name: str) -> Game:
    """The game of this name; ValueError lists the names there are."""
    if not isinstance(name, str) or name not in GAMES:
        raise ValueError(f"there is no game {name!r}; games: {', '.join(GAMES)}")
    found: Game = importlib.import_module(f"qipai.envs.{name}").GAME
    return found


def make(
    name: str,
    *,
    preset: str | None = None,
    render_mode: str | None = None,
    illegal: str = "raise",
    spectator: bool = False,
    **options: Any,
) -> TableEnv:
    """A PettingZoo AEC environment: ``make("doudizhu", hands=8, stake=10)``.

    Args:
        preset: a named set of options; ``options`` given beside it win.
        render_mode: ``"ansi"``, ``"rgb_array"``, ``"human"`` or None.
        illegal: ``"raise"`` IllegalAction, or ``"forfeit"``: the seat leaves the table.
        spectator: ``render`` shows everything instead of what the seat to act may see.

    Raises ValueError for an unknown game, OptionError for options.
    """
    from qipai.envs.aec import TableEnv

    return TableEnv(
        load_game(name),
        preset=preset,
        render_mode=render_mode,
        illegal=illegal,
        spectator=spectator,
        **options,
    )


def make_tables(
    name: str,
    n: int,
    seed: int | None = None,
    *,
    threads: int = 1,
    streams: np.ndarray | None = None,
    preset: str | None = None,
    **options: Any,
) -> Tables:
    """``n`` tables stepped by one call: ``make_tables("doudizhu", 1024)``; see ``Tables``."""
    from qipai.envs.tables import Tables

    return Tables(
        load_game(name), n, seed, threads=threads, streams=streams, preset=preset, **options
    )


def make_solo(name: str, **arguments: Any) -> SoloEnv:
    """A Gymnasium environment of one seat with bots in the others; see ``SoloEnv``."""
    from qipai.envs.solo import SoloEnv

    return SoloEnv(load_game(name), **arguments)


def position(name: str, **arguments: Any) -> np.ndarray:
    """A table set up by hand, for ``TableEnv.place``: ``position("tuolaji", deck="S9 H9 C9 …")``.

    See ``qipai.envs.placing.position``.
    """
    from qipai.envs import placing

    return placing.position(load_game(name), **arguments)


def encode(game: str | Game, views: np.ndarray, seats: Any) -> tuple[np.ndarray, np.ndarray]:
    """What seats observe of views, and what of it is known: see ``qipai.envs.checking.encode``."""
    from qipai.envs import checking

    return checking.encode(load_game(game) if isinstance(game, str) else game, views, seats)


def _register() -> None:
    import gymnasium
    import pettingzoo

    for name, version in GAMES.items():
        environment = f"qipai/{name}-v{version}"
        gymnasium.register(environment, entry_point="qipai.envs:make_solo", kwargs={"name": name})
        if hasattr(pettingzoo, "register"):  # from PettingZoo 1.26 on
            pettingzoo.register("aec", environment, "qipai.envs:make", kwargs={"name": name})


_register()
