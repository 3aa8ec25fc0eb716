"""Whether a table or view from outside can be: asked before any kernel gets to see it."""

from __future__ import annotations

import functools
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from qipai.envs.arguments import whole_numbers
from qipai.envs.fields import MOST_COINS
from qipai.envs.kernel import addressable
from qipai.envs.layout import HIDDEN
from qipai.envs.match import encoded, engine, unplayed

if TYPE_CHECKING:
    from qipai.envs.game import Game

_ONE = np.zeros(1, np.int64)  # the number of the only table


def rules_of(game: Game, record: np.void) -> dict[str, Any]:
    """The options a record was made with; OptionError (a ValueError) if those can't be."""
    return game.options(None, **game.rules.read(record["rules"]))


def check(game: Game, record: np.void, seat: int | None = None) -> None:
    """ValueError names the first thing in a record of ``game.state`` that can't be.

    Looked at are the rules, every field's range, what the game says must hold between fields,
    whether a view hides from its seat neither more nor less than it should and something fits
    there, and whether all cards or tiles are there once.

    Args:
        seat: the record is a view of this seat; None: it is a full table.
    """
    rules = rules_of(game, record)
    if record["seats"] != rules["seats"]:
        raise ValueError(f"seats is {record['seats']}: expected {rules['seats']} by the rules")
    table = addressable(np.array([record], game.state))
    fault = (
        game.fields.fault(record, seat is not None)
        or _too_rich(record)
        or game.contradiction(table[0])
    )
    if fault:
        raise ValueError(fault)
    if seat is not None:
        _redeal(game, table, seat)
    found, whole = game.census(table[0]), _whole(game, tuple(rules.items()))
    if found != whole:
        wrong = next(k for k, pair in enumerate(zip(found, whole, strict=True)) if len({*pair}) > 1)
        raise ValueError(
            f"what lies on the table is no whole deck: there are {found[wrong]} of number {wrong} "
            f"of the census, expected {whole[wrong]}"
        )


def _with_equal_bounds(game: Game, views: np.ndarray) -> Iterator[np.ndarray]:
    """The views, those with the same bounds together; OptionError for rules that can't be."""
    good: set[bytes] = set()
    groups: dict[tuple[int, ...], list[int]] = {}
    for k, view in enumerate(views):
        if (rules := view["rules"].tobytes()) not in good:
            rules_of(game, view)
            good.add(rules)
        groups.setdefault(game.fields.bounds(view), []).append(k)
    return (views[where] for where in groups.values())


def _too_rich(record: np.void) -> str | None:
    """So many coins that a seat that wins them has more than can be in one place."""
    coins = sum(map(int, record["stack"]))
    if coins > MOST_COINS:
        return f"stack comes to {coins} coins: expected {MOST_COINS} at most in all"
    return None


def encode(game: Game, views: np.ndarray, seats: Any) -> tuple[np.ndarray, np.ndarray]:
    """What seats observe of views: float32 (n, width), and bool (n, width), False where hidden.

    Looked at are the range of every field; ``check`` looks at all that must hold between them.

    Args:
        views: records (n,) of ``game.state``, or full tables.
        seats: whole numbers (n,), from whose side.

    Raises ValueError for other records, a field out of its range, or seats not at the table.
    """
    if not isinstance(views, np.ndarray) or views.dtype != game.state or views.ndim != 1:
        raise ValueError(f"views={views!r:.100}: an array (n,) of {game.name}'s records")
    right = "a seat for each view, in 0…seats − 1"
    numbers = whole_numbers("seats", seats, right, low=0)
    for alike in _with_equal_bounds(game, views):
        if fault := game.fields.fault(alike, view=True):
            raise ValueError(f"views can't be: {fault}")
    if len(numbers) != len(views) or (numbers >= views["seats"]).any():
        raise ValueError(f"seats={numbers.tolist()!r:.100}: {right}")
    return encoded(game, views, numbers)


def _redeal(game: Game, table: np.ndarray, seat: int) -> None:
    """Fill what a view (1,) hides; ValueError if nothing fits, or it isn't what ``seat`` sees."""
    loops, view, again = engine(game), table.copy(), addressable(np.zeros(1, game.state))
    loops.redeal_views(table, np.array([seat], np.int64), np.uint64(0))
    hidden = [f.name for f in game.fields if f.hidden and (table[f.name] == HIDDEN).any()]
    if hidden:
        raise ValueError(
            f"{', '.join(hidden)}: nothing is hidden there from seat {seat} that fits the rest"
        )
    loops.view_tables(table, _ONE, np.array([seat], np.int64), again)
    for field in game.fields:
        here, sees = view[field.name][0], again[field.name][0]
        if (here != sees).any():
            raise ValueError(
                f"{field.name} is {np.asarray(here).tolist()}: of such a table seat {seat} would "
                f"see {sees.tolist()} ({HIDDEN} where hidden)"
            )


@functools.lru_cache(maxsize=256)
def _whole(game: Game, given: tuple[tuple[str, Any], ...]) -> tuple[int, ...]:
    """The census of any table with these rules."""
    rules = dict(given)
    table, blank = unplayed(game, **rules), addressable(game.blank(rules))
    engine(game).deal_tables(table, _ONE, blank, np.zeros((1, rules["seats"] + 1), np.int64))
    return game.census(table[0])
