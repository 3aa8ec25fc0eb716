"""JSON Schema of a game's view in its wire form, from the game's options and fields.

It refuses nothing that ``wire.from_wire`` reads. What must hold between fields is more than a
schema can say; ``from_wire`` looks at that.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from qipai.envs.fields import Field
from qipai.envs.layout import HIDDEN, NONE
from qipai.envs.options import Option
from qipai.envs.wire import PARTS, codec_of

if TYPE_CHECKING:
    from qipai.envs.game import Game

Schema = dict[str, Any]

DIALECT = "https://json-schema.org/draft/2020-12/schema"
MOST_NAMES = 4096  # listed one by one; of more only the type is told
_TYPES = {str: "string", int: "integer", bool: "boolean"}


def view_schema(game: Game) -> Schema:
    """The schema of any view of a game, whatever its options."""
    parts: dict[str, Schema] = {
        "game": {"const": game.name},
        "version": {"const": game.version},
        "seat": {
            "type": "integer",
            "minimum": 0,
            "maximum": game.max_seats - 1,
            "description": "whose view it is",
        },
        "rules": {
            "type": "object",
            "properties": {option.name: option_schema(option, game) for option in game.rules},
            "additionalProperties": False,
            "description": "the options; those left out are at their defaults",
        },
        "state": {
            "type": "object",
            "properties": {field.name: field_schema(field) for field in game.fields},
            "required": [field.name for field in game.fields],
            "additionalProperties": False,
            "description": "what the seat sees; null where it may not, '-' where there is nothing",
        },
    }
    return {
        "$schema": DIALECT,
        "title": f"{game.english} {game.title}: a view",
        "type": "object",
        "properties": parts,
        "required": [*PARTS],
    }


def option_schema(option: Option, game: Game) -> Schema:
    """The schema of an option's value."""
    about = {"description": option.meaning, "default": option.default}
    if option.flag:
        return {"type": "boolean", **about}
    if option.choices:
        return {"enum": [*option.choices], **about}
    number = {"type": "integer", "minimum": option.low, "maximum": option.high}
    if option.per_seat:
        return {"anyOf": [number, _row(number, game.min_seats, game.max_seats)], **about}
    return {**(_row(number, option.length, option.length) if option.length else number), **about}


def field_schema(field: Field) -> Schema:
    """The schema of what a field holds."""
    codec = codec_of(field)
    schema = _value_schema(field)
    for length in reversed(field.shape[:-1] if codec.row else field.shape):
        schema = _row(schema, length, length)
    return {**schema, "description": field.meaning}


def _value_schema(field: Field) -> Schema:
    """Of one value, or of a row that is written as one."""
    codec = codec_of(field)
    marks: list[Any] = ["-"] * field.empty + [None] * field.hidden
    if codec.row:
        schema: Schema = {"type": ["string", "array"]}  # many readers take either
    elif field.codec is None:
        schema = _typed(codec.encode(field.low))
        if schema["type"] == "integer":
            marks += [NONE] * field.empty + [HIDDEN] * field.hidden  # read as these marks, too
            schema["minimum"] = field.low
            if not callable(field.high):
                schema["maximum"] = field.high
    elif callable(field.high) or field.high - field.low >= MOST_NAMES:
        schema = _typed(codec.encode(field.low))
    else:
        return {"enum": [codec.encode(k) for k in range(field.low, field.high + 1)] + marks}
    return {"anyOf": [schema, {"enum": marks}]} if marks else schema


def _typed(written: Any) -> Schema:
    return {"type": _TYPES[type(written)]}


def _row(of: Schema, low: int, high: int) -> Schema:
    return {"type": "array", "items": of, "minItems": low, "maxItems": high}
