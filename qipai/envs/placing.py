"""Tables set up by hand: cards in the order they are dealt, fields by name, moves in words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from qipai.envs.checking import check
from qipai.envs.game import Game
from qipai.envs.kernel import addressable
from qipai.envs.match import PLAYING, engine, unplayed
from qipai.envs.tables import illegal_action
from qipai.envs.wire import read_field

_ONE = np.zeros(1, np.int64)  # the number of the only table


def position(
    game: Game,
    *,
    preset: str | None = None,
    options: Mapping[str, Any] | None = None,
    seed: int | None = 0,
    play: Sequence[str] = (),
    **fields: Any,
) -> np.ndarray:
    """A table for ``TableEnv.place``: an array of one record of ``game.state``.

    Args:
        options: of the game.
        seed: of a random first deal, over which ``fields`` are written.
        play: moves in words, one after the other, by whoever is to act.
        fields: what lies on the table, written as in JSON: cards as ``"S9"``, ``"-"`` for none.
            With the field that is dealt from (``Game.laid``) the hand is dealt anew: from the cards
            named, in the order in which they are dealt, and after them all others.

    ValueError (OptionError, IllegalAction) names what can't be.
    """
    rules = game.options(preset, **(options or {}))
    table, blank = unplayed(game, seed, **rules), addressable(game.blank(rules))
    engine(game).deal_tables(table, _ONE, blank, _purse(table))
    if game.laid is not None and game.laid[0] in fields:
        pile, deal = game.laid
        whole = game.census(table[0])
        engine(game).begin_tables(table, _ONE, blank)
        _write(game, table, {**fields, pile: _complete(game, whole, pile, fields[pile])})
        deal(table[0])
    else:
        _write(game, table, fields)
    check(game, table[0])
    if isinstance(play, str) or not isinstance(play, Sequence):
        raise ValueError(f"play={play!r}: a list of moves in words")
    for text in play:
        _play(game, table, text)
    return table


def _purse(table: np.ndarray) -> np.ndarray:
    return np.zeros((1, int(table["seats"][0]) + 1), np.int64)


def _write(game: Game, table: np.ndarray, written: Mapping[str, Any]) -> None:
    fields = {field.name: field for field in game.fields}
    for name, value in written.items():
        if name not in fields:
            raise ValueError(f"{game.name} has no field {name!r}; fields: {', '.join(fields)}")
        table[name] = read_field(fields[name], _plain(value), table[0], view=False)


def _plain(written: Any) -> Any:
    """Rows and numbers of numpy, and tuples, as JSON would have them."""
    if isinstance(written, np.ndarray | np.generic):
        return written.tolist()
    return [_plain(one) for one in written] if isinstance(written, list | tuple) else written


def _complete(game: Game, whole: Sequence[int], pile: str, named: Sequence[str] | str) -> list[str]:
    """The cards named, a row or a text with blanks between, then all others in their own order."""
    field = next(field for field in game.fields if field.name == pile)
    assert field.codec is not None
    rest = [field.codec.encode(field.low + k) for k, n in enumerate(whole) for _ in range(n)]
    if not isinstance(named, Sequence):
        raise ValueError(f"{pile}={named!r}: names in a row, or a text with blanks between")
    first = named.split() if isinstance(named, str) else list(named)
    for card in first:
        if card not in rest:
            raise ValueError(f"{pile}: there is no {card!r} (left)")
        rest.remove(card)
    return first + rest + ["-"] * (field.shape[0] - len(first) - len(rest))


def _play(game: Game, table: np.ndarray, text: str) -> None:
    """A whole move of the seat to act."""
    if not isinstance(text, str):
        raise ValueError(f"play has {text!r}: a move is a text")
    if table["over"][0] != PLAYING or table["ended"][0]:
        raise ValueError(f"play has {text!r} after the hand's end")
    for action in game.parse_move(table[0], text):
        mask = np.zeros((1, game.actions.width), np.int8)
        engine(game).mask_tables(table, _ONE, mask)
        if not mask[0, action]:
            raise illegal_action(game, action, mask[0], f"for {text!r}")
        engine(game).play_tables(table, _ONE, np.array([action]), _purse(table))
