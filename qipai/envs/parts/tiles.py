"""Mahjong tiles: what the numbers that games keep stand for, and their names (``5m``, ``RD``).

A kind of tile is 0…33: characters 萬 1m–9m, dots 筒 1p–9p, bamboos 索 1s–9s, winds E S W N, dragons
RD 中, GD 發, WD 白; there are four tiles of each.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from qipai.envs.fields import Codec, Field, Shape

SUITS = "mps"
RANKS = 9
HONOUR_NAMES = ("E", "S", "W", "N", "RD", "GD", "WD")
TILE_NAMES = tuple(f"{r + 1}{suit}" for suit in SUITS for r in range(RANKS)) + HONOUR_NAMES
KINDS = len(TILE_NAMES)
COPIES = 4
WIND, DRAGON = 27, 31  # the first of each

_TILES = {name: kind for kind, name in enumerate(TILE_NAMES)}
_GROUP = re.compile(r"([1-9]+)([mps])|(RD|GD|WD|[ESWN])|\s+")


def tile_name(kind: int) -> str:
    """The name of a kind 0…33; ValueError if there is none such."""
    if not 0 <= kind < KINDS:
        raise ValueError(f"tile {kind} does not exist; tiles are 0…{KINDS - 1}")
    return TILE_NAMES[kind]


def parse_tile(name: str) -> int:
    """The kind with this name; ValueError says how names are written."""
    try:
        return _TILES[name]
    except KeyError:
        raise ValueError(
            f"{name!r} is no tile; a tile is a rank 1…9 and m, p or s, like 5m, or one of "
            f"{' '.join(HONOUR_NAMES)}"
        ) from None


_CODEC = Codec(encode=tile_name, decode=parse_tile)


def tile_field(name: str, meaning: str, shape: Shape = (), *, hidden: bool = False) -> Field:
    """A field of tiles; NONE where there is none."""
    return Field.number(name, KINDS - 1, meaning, shape, empty=True, hidden=hidden, codec=_CODEC)


def parse_tiles(text: str) -> list[int]:
    """The kinds of tiles written together, like ``123m 99p EE RDRD``, in the order written.

    ValueError names the place that cannot be read.
    """
    kinds: list[int] = []
    at = 0
    while at < len(text):
        group = _GROUP.match(text, at)
        if group is None:
            raise ValueError(f"{text[at:]!r} in {text!r} is no tile; written like 123m 99p EE RD")
        ranks, suit, honour = group.groups()
        kinds += [_TILES[rank + suit] for rank in ranks] if ranks else []
        kinds += [_TILES[honour]] if honour else []
        at = group.end()
    return kinds


def tile_names(counts: Iterable[int]) -> list[str]:
    """The names of the tiles in a row of 34 counts, in the order of the kinds."""
    return [TILE_NAMES[kind] for kind, count in enumerate(counts) for _ in range(count)]
