"""View ↔ JSON: a table as one seat sees it, in names people read (the wire form).

``{"game": …, "version": …, "seat": …, "rules": {…}, "state": {…}}``. Hidden values are ``null``,
values not there yet ``"-"``. The random state is never sent.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import numpy as np

from qipai.envs.arguments import whole_number
from qipai.envs.checking import check
from qipai.envs.fields import Codec, Field
from qipai.envs.layout import HIDDEN, NONE
from qipai.envs.rng import CONCEALED

if TYPE_CHECKING:
    from qipai.envs.game import Game

NOT_SENT = ("rng", "rules")
PARTS = {"game": str, "version": int, "seat": int, "rules": dict, "state": dict}


def _whole_number(written: Any) -> int:
    if type(written) is not int:
        raise ValueError(f"{written!r} is no whole number")
    return written


def _truth(written: Any) -> bool:
    if type(written) is not bool:
        raise ValueError(f"{written!r} is neither true nor false")
    return written


_NUMBER = Codec(encode=int, decode=_whole_number)
_TRUTH = Codec(encode=bool, decode=_truth)


def codec_of(field: Field) -> Codec:
    """How the values of a field are written."""
    return field.codec or (_TRUTH if field.dtype == np.bool_ else _NUMBER)


def to_wire(game: Game, view: np.void, seat: int) -> dict[str, Any]:
    """A view as JSON-ready values; ValueError for a seat that is not at the table."""
    last = int(view["rules"]["seats"]) - 1
    seat = whole_number("seat", seat, f"a seat, 0…{last}", low=0, high=last)
    return {
        "game": game.name,
        "version": game.version,
        "seat": seat,
        "rules": game.rules.read(view["rules"]),
        "state": {f.name: _encode(view[f.name], codec_of(f), f) for f in game.fields},
    }


def from_wire(game: Game, message: dict[str, Any]) -> tuple[np.void, int]:
    """The view and its seat from ``to_wire``'s values; ValueError says what can't be."""
    try:
        return _from_wire(game, message)
    except RecursionError:
        raise ValueError("the message is nested too deeply") from None


def _from_wire(game: Game, message: dict[str, Any]) -> tuple[np.void, int]:
    if not isinstance(message, dict):
        raise ValueError(f"a view is an object of JSON, not {message!r}")
    missing = set(PARTS) - set(message)
    if missing:
        raise ValueError(f"the message lacks {', '.join(sorted(missing))}")
    for part, kind in PARTS.items():
        if type(message[part]) is not kind:
            raise ValueError(f"{part}={message[part]!r}: expected {_KINDS[kind]}")
    if (message["game"], message["version"]) != (game.name, game.version):
        raise ValueError(
            f"the view is of {message['game']} version {message['version']}, "
            f"not {game.name} version {game.version}"
        )
    rules = {
        str(name): tuple(value) if isinstance(value, list) else value
        for name, value in message["rules"].items()
    }
    view = game.blank(game.options(None, **rules))[0]
    seat, seats = message["seat"], int(view["rules"]["seats"])
    if not 0 <= seat < seats:
        raise ValueError(f"seat={seat}: seats are 0…{seats - 1}")
    state, expected = message["state"], [field.name for field in game.fields]
    if set(state) != set(expected):
        raise ValueError(f"the view's fields are {[*state]}; expected {expected}")
    for field in game.fields:
        view[field.name] = read_field(field, state[field.name], view, view=True)
    view["rng"] = CONCEALED
    check(game, view, seat)
    return view, seat


_KINDS = {str: "a text", int: "a whole number", dict: "an object"}


def dumps(game: Game, view: np.void, seat: int) -> str:
    """A view as JSON text."""
    return json.dumps(to_wire(game, view, seat), ensure_ascii=False)


def loads(game: Game, text: str) -> tuple[np.void, int]:
    """The view and its seat from JSON text; ValueError if it is none."""
    try:
        message = json.loads(text)
    except (TypeError, ValueError, RecursionError) as error:
        raise ValueError(f"a view is JSON text, this is none: {error}") from None
    return from_wire(game, message)


def read_field(field: Field, written: Any, record: np.void, view: bool) -> np.ndarray:
    """The values of a field of a table, or of a ``view``, from JSON-ready ones.

    ValueError names the first that can't be read or can't be.
    """
    try:
        values = np.array(_decode(written, codec_of(field), field.shape, field), object)
    except (TypeError, ValueError, KeyError, IndexError, AttributeError) as error:
        raise ValueError(f"the field {field.name} cannot be read: {error}") from None
    if values.shape != field.shape:
        raise ValueError(f"the field {field.name} has shape {values.shape}, not {field.shape}")
    fault = field.fault(values, record, view)
    if fault:
        raise ValueError(fault)
    return values


def _encode(value: Any, codec: Codec, field: Field) -> Any:
    value = np.asarray(value)
    if value.ndim > codec.row:
        return [_encode(part, codec, field) for part in value]
    if field.hidden and np.all(value == HIDDEN):
        return None
    if field.empty and np.all(value == NONE):
        return "-"
    return codec.encode(value if codec.row else value.item())


def _decode(written: Any, codec: Codec, shape: tuple[int, ...], field: Field) -> Any:
    if len(shape) > codec.row:
        if not isinstance(written, list) or len(written) != shape[0]:
            raise ValueError(f"expected a list of {shape[0]}, not {written!r}")
        return [_decode(part, codec, shape[1:], field) for part in written]
    if field.hidden and written is None:
        return np.full(shape, HIDDEN) if shape else HIDDEN
    if field.empty and written == "-":
        return np.full(shape, NONE) if shape else NONE
    return codec.decode(written)
