"""Positions of the mahjongs written in the names of tiles."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from qipai.envs.layout import NONE
from qipai.envs.parts.tiles import COPIES, KINDS, parse_tile, parse_tiles, tile_names
from qipai.envs.parts.wall import DEALT, MELD_NAMES, PONG, SEATS, WALL, draw, lay
from tests.table import Table


class Position(Table):
    """A table set up by hand.

    ``deal`` lays the wall for a whole hand, ``position`` starts in the middle of one.
    """

    @property
    def wall_left(self) -> int:
        return int(self.s["back"] - self.s["front"] + 1)

    def hand(self, seat: int) -> list[str]:
        return tile_names(self.s["tiles"][seat])


def deal(
    game: str,
    *hands: str,
    draws: str = "",
    dealer: int = 0,
    last: str = "",
    kept: Mapping[str, int] | None = None,
    **options: Any,
) -> Position:
    """A hand from its deal: 13 tiles of each seat, w[52…], and the wall's end from w[135] down.

    Tiles not named lie in between in the order of their kinds. ``kept``: fields as the last hand
    left them.
    """
    made = Position(game, **options)
    order = [(dealer + k) % SEATS for k in range(SEATS)]
    first = [tile for seat in order for tile in parse_tiles(hands[seat])]
    assert len(first) == SEATS * DEALT
    _lay_wall(made.s, [*first, *parse_tiles(draws)], parse_tiles(last), _all_tiles())
    for name, value in {"dealer": dealer, **(kept or {})}.items():
        made.s[name] = value
    assert made.game.laid is not None
    made.game.laid[1](made.s)
    return made


def position(
    game: str,
    hands: Mapping[int, str],
    /,
    *,
    turn: int,
    melds: Mapping[int, str] | None = None,
    draws: str = "",
    last: str = "",
    river: str | None = None,
    left: int = 0,
    dealer: int = 0,
    kept: Mapping[str, int] | None = None,
    **options: Any,
) -> Position:
    """The turn of a seat, which draws its tile, in the middle of a hand.

    Args:
        hands: concealed tiles by seat, before the draw; other seats get what is left over.
        melds: by seat, as in ``pong 5m 3, ckong E``: kind, tile and who discarded it.
        draws: the next tiles of the wall, the first for this turn.
        last: the end of the wall from the last tile on: replacements, then horses.
        river: discards of the seat before ``turn``, by default any tile; empty: a dealer's first
            turn.
        left: tiles in the wall before the draw; 0: all that are left. The others are discards.
        kept: fields as the last hand left them.
    """
    made = Position(game, **options)
    s = made.s
    rest = _all_tiles()
    for seat, text in (melds or {}).items():
        for meld in text.split(", "):
            kind, tile, source = [*meld.split(), str(NONE)][:3]
            lay(s, *map(np.int64, (seat, MELD_NAMES.index(kind), parse_tile(tile), int(source))))
            size = 3 if kind == MELD_NAMES[PONG] else COPIES
            _remove(rest, [parse_tile(tile)] * size)
    named = {seat: parse_tiles(text) for seat, text in hands.items()}
    front, back, thrown = parse_tiles(draws), parse_tiles(last), parse_tiles(river or "")
    for tiles in (*named.values(), front, back, thrown):
        _remove(rest, tiles)
    np.random.default_rng(1).shuffle(rest)
    for seat in range(SEATS):
        size = DEALT - 3 * int(s["melds"][seat])
        if seat not in named:
            named[seat] = [rest.pop() for _ in range(size)]
        assert len(named[seat]) == size, f"seat {seat} needs {size} tiles"
        s["tiles"][seat] = np.bincount(named[seat], minlength=KINDS)
        s["held"][seat] = size
    if river is None:
        thrown.append(rest.pop())
    between = left - len(front) - len(back) if left else len(rest)
    thrown += rest[between:]
    s["discards"] = len(thrown)
    s["river"][: len(thrown)] = thrown
    s["river_seat"][: len(thrown)] = (turn - 1) % SEATS
    end = WALL - int((s["meld_kind"] > PONG).sum())  # kongs have been replaced
    _lay_wall(s, front, back, rest[:between] + front + back, end)
    s["front"] = end - len(front) - len(back) - between
    s["back"] = end - 1
    s["wall"][: s["front"]] = NONE
    for name, value in {"dealer": dealer, **(kept or {})}.items():
        s[name] = value
    s["offer"] = s["offer_seat"] = NONE
    draw(s, np.int64(turn))
    assert made.game.census(s) == (COPIES,) * KINDS
    return made


def _all_tiles() -> list[int]:
    return [kind for kind in range(KINDS) for _ in range(COPIES)]


def _remove(rest: list[int], tiles: list[int]) -> None:
    for tile in tiles:
        rest.remove(tile)


def _lay_wall(
    s: np.void, first: list[int], last: list[int], tiles: list[int], end: int = WALL
) -> None:
    """Lay all of ``tiles`` up to place ``end``: ``first``, the others, ``last`` backwards."""
    rest = list(tiles)
    _remove(rest, [*first, *last])
    laid = [*first, *rest, *reversed(last)]
    s["wall"][end:] = NONE
    s["wall"][end - len(laid) : end] = laid
