"""Messages from outside: whatever is written in one, it is read or refused by a ValueError."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from qipai.envs import load_game, make_tables
from qipai.envs.checking import check
from qipai.envs.game import Game
from qipai.envs.kernel import addressable
from qipai.envs.match import engine
from qipai.envs.wire import dumps, from_wire, loads, to_wire

STUD = load_game("five_card_stud")
GONE = object()
NUMBERS = st.integers(-129, 129) | st.sampled_from([2**31, 2**63, -(2**63) - 1, 10**400])
ANYTHING = st.recursive(
    st.none() | st.booleans() | NUMBERS | st.floats() | st.text(max_size=3) | st.just("-"),
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(st.text(max_size=3), inner),
    max_leaves=12,
)


def message(game: Game, steps: int = 7) -> Any:
    """What a seat to act is sent, with lists where JSON has them."""
    tables = make_tables(game.name, 1, seed=3)
    for _ in range(steps):
        tables.step(tables.sample())
    return json.loads(dumps(game, tables.views()[0], int(tables.turn[0])))


def places(written: Any, *above: Any) -> Iterator[tuple[Any, ...]]:
    """The way to every value of a message, the message included."""
    yield above
    pairs = enumerate(written) if isinstance(written, list) else ()
    for key, value in written.items() if isinstance(written, dict) else pairs:
        yield from places(value, *above, key)


def put(written: Any, place: tuple[Any, ...], value: Any) -> Any:
    """The message with another value there, or without it."""
    if not place:
        return value
    inner = written
    for key in place[:-1]:
        inner = inner[key]
    if value is GONE:
        del inner[place[-1]]
    else:
        inner[place[-1]] = value
    return written


def read(game: Game, written: Any) -> None:
    """A good view or a ValueError, nothing else."""
    try:
        view, seat = from_wire(game, written)
    except ValueError as error:
        assert str(error)
    else:
        check(game, view, seat)
        assert from_wire(game, to_wire(game, view, seat))[1] == seat


STUD_PLACES = list(places(message(STUD)))


@settings(max_examples=100, deadline=None)
@given(st.lists(st.tuples(st.sampled_from(STUD_PLACES), ANYTHING | st.just(GONE)), max_size=2))
def test_a_message_with_anything_in_it_is_read_or_refused(
    changes: list[tuple[tuple[Any, ...], Any]],
) -> None:
    written = message(STUD)
    for place, value in changes:
        if place in places(written) and (place or value is not GONE):
            written = put(written, place, value)
    read(STUD, written)
    try:
        loads(STUD, json.dumps(written))
    except ValueError as error:
        assert str(error)


@pytest.mark.parametrize(
    "place",
    [
        (),
        ("rules",),
        ("rules", "seats"),
        ("rules", "stack"),
        ("state",),
        ("state", "turn"),
        ("state", "stack"),
        ("seat",),
        ("version",),
        ("game",),
    ],
)
@pytest.mark.parametrize(
    "value", [-9, True, 1.0, float("nan"), 2**70, "x", None, [], {}, [[[]]]], ids=repr
)
def test_odd_types_are_refused_by_name(game: Game, place: tuple[str, ...], value: Any) -> None:
    written = message(game)
    inner: Any = written
    for key in place:
        inner = inner[key]
    if (value, type(value)) == (inner, type(inner)):
        return
    if (place, value) in ((("rules",), {}), (("state", "turn"), None)):
        return  # all options at their defaults; hidden, as it is in some games
    named = (
        f"{place[-1]}|the view is of|the view's fields are" if place else "an object of JSON|lacks"
    )
    with pytest.raises(ValueError, match=named):
        from_wire(game, put(written, place, value))


def test_a_view_of_another_seat_is_refused(game: Game) -> None:
    """Where the two see different cards: an agent would not know its own."""
    tables = make_tables(game.name, 20, seed=3)
    for _ in range(7):
        tables.step(tables.sample())
    for table, (view, turn) in enumerate(zip(tables.views(), tables.turn.tolist(), strict=True)):
        written = to_wire(game, view, turn)
        from_wire(game, written)
        for seat in range(tables.seats):
            other = np.zeros(1, game.state)
            where, seats = np.array([table]), np.array([seat])
            engine(game).view_tables(tables.state, where, seats, addressable(other))
            if to_wire(game, other[0], turn)["state"] != written["state"]:
                with pytest.raises(ValueError):
                    from_wire(game, {**written, "seat": seat})


def test_what_is_never_hidden_is_not_read_as_hidden() -> None:
    game = load_game("freecell")
    with pytest.raises(ValueError, match="turn: nothing is hidden there from seat 0"):
        from_wire(game, put(message(game), ("state", "turn"), None))


@pytest.fixture(scope="module")
def deep() -> Any:
    """Lists in lists."""
    nested: Any = []
    for _ in range(100_000):
        nested = [nested]
    return nested


def test_a_message_nested_too_deeply_is_refused(game: Game, deep: Any) -> None:
    for place in ((), ("game",), ("rules",), ("rules", "stack"), ("state",), ("state", "turn")):
        with pytest.raises(ValueError, match="nested too deeply|lacks|expected"):
            from_wire(game, put(message(game), place, deep))
    for text in ("[" * 100_000, "", "NaN", "[1", b"\xff", 5, None):
        with pytest.raises(ValueError, match="JSON"):
            loads(game, text)  # type: ignore[arg-type]


@pytest.mark.parametrize("key", ["preset", "self", "colour", 3])
def test_an_option_that_is_none_is_refused(game: Game, key: Any) -> None:
    written = message(game)
    written["rules"][key] = 1
    with pytest.raises(ValueError, match=f"unknown option '{key}'; options: seats"):
        from_wire(game, written)


def test_a_view_is_written_for_a_seat_at_the_table_only(game: Game) -> None:
    view = make_tables(game.name, 1, seed=1).views()[0]
    assert loads(game, dumps(game, view, view["turn"]))[1] == view["turn"]
    for seat in (-1, int(view["seats"]), 1.0, True, "0", None):
        with pytest.raises(ValueError, match=f"^seat={seat!r}: a seat, 0…"):
            dumps(game, view, seat)
