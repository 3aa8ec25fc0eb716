"""View ↔ JSON: a table as one seat sees it, in names people read (the wire form).

``{"game": …, "version": …, "seat": …, "rules": {…}, "state": {…}}``. Hidden values are ``null``,
values not there yet ``"-"``. The random state is never sent.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from qipai.envs.layout import HIDDEN, NOBODY
from qipai.envs.rng import CONCEALED

if TYPE_CHECKING:
    from qipai.envs.game import Game

NOT_SENT = ("rng", "rules")
_FULL_RANGE = ("coins", "house", "stack")  # where −1 and −2 are plain amounts of coins


@dataclass(frozen=True)
class Codec:
    """How one entry of a field is written: an integer, or with ``row`` the field's last axis."""

    encode: Callable[[Any], Any]
    decode: Callable[[Any], Any]
    row: bool = False


_PLAIN = Codec(encode=int, decode=int)


def to_wire(game: Game, view: np.void, seat: int) -> dict[str, Any]:
    """A view as JSON-ready values."""
    assert view.dtype.names is not None
    return {
        "game": game.name,
        "version": game.version,
        "seat": seat,
        "rules": game.rules.read(view["rules"]),
        "state": {
            name: _encode(view[name], game.wire.get(name, _PLAIN), name in _FULL_RANGE)
            for name in view.dtype.names
            if name not in NOT_SENT
        },
    }


def from_wire(game: Game, message: dict[str, Any]) -> tuple[np.void, int]:
    """The view and its seat from ``to_wire``'s values; ValueError says what does not fit."""
    missing = {"game", "version", "seat", "rules", "state"} - set(message)
    if missing:
        raise ValueError(f"the message lacks {', '.join(sorted(missing))}")
    if (message.get("game"), message.get("version")) != (game.name, game.version):
        raise ValueError(
            f"the view is of {message.get('game')} version {message.get('version')}, "
            f"not {game.name} version {game.version}"
        )
    rules = {
        name: tuple(value) if isinstance(value, list) else value
        for name, value in message["rules"].items()
    }
    view = game.blank(game.options(None, **rules))[0]
    state = message["state"]
    expected = [name for name in view.dtype.names or () if name not in NOT_SENT]
    if set(state) != set(expected):
        raise ValueError(f"the view's fields are {sorted(state)}; expected {sorted(expected)}")
    for name in expected:
        codec = game.wire.get(name, _PLAIN)
        try:
            view[name] = _decode(state[name], codec, np.shape(view[name]), name in _FULL_RANGE)
        except (TypeError, ValueError, KeyError, OverflowError) as error:
            raise ValueError(f"the view's field {name} cannot be read: {error}") from None
    view["rng"]["key"] = view["rng"]["count"] = CONCEALED
    seats = int(view["rules"]["seats"])
    seat = message["seat"]
    if not isinstance(seat, int) or not 0 <= seat < seats:
        raise ValueError(f"seat={seat!r}: seats are 0…{seats - 1}")
    if view["seats"] != seats or not HIDDEN <= view["turn"] < seats:
        raise ValueError(
            f"{view['seats']} seats, turn {view['turn']}: expected {seats} seats and one of them"
        )
    return view, seat


def dumps(game: Game, view: np.void, seat: int) -> str:
    """A view as JSON text."""
    return json.dumps(to_wire(game, view, seat), ensure_ascii=False)


def loads(game: Game, text: str) -> tuple[np.void, int]:
    """The view and its seat from JSON text."""
    return from_wire(game, json.loads(text))


def _encode(value: Any, codec: Codec, plain: bool) -> Any:
    value = np.asarray(value)
    if value.ndim > (1 if codec.row else 0):
        return [_encode(part, codec, plain) for part in value]
    if not plain:
        for marker, written in ((HIDDEN, None), (NOBODY, "-")):
            if value.dtype != np.bool_ and np.all(value == marker):
                return written
    if value.dtype == np.bool_:
        return bool(value)
    return codec.encode(value if codec.row else int(value))


def _decode(written: Any, codec: Codec, shape: tuple[int, ...], plain: bool) -> Any:
    if len(shape) > (1 if codec.row else 0):
        if not isinstance(written, list) or len(written) != shape[0]:
            raise ValueError(f"expected a list of {shape[0]}")
        return np.array([_decode(part, codec, shape[1:], plain) for part in written])
    if not plain and (written is None or written == "-"):
        return np.full(shape, HIDDEN if written is None else NOBODY)
    if isinstance(written, bool):
        return written
    return codec.decode(written)
