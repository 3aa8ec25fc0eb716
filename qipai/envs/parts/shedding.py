"""The turn of a shedding game: whose move is on the table, passes in a row, the log of both.

Every move and every pass hands the turn on to the next seat, so that entry i of the log is of the
seat i places after the one that led first. The entries kept lie at i mod their number. What cards
are, counts by rank or bits, is the game's affair: an entry of zeros is a pass.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from qipai.envs.fields import Field
from qipai.envs.kernel import kernel
from qipai.envs.layout import NONE
from qipai.envs.match import next_seat

# --- Fields ------------------------------------------------------------------------------------


def turn_fields(seats: int) -> tuple[Field, ...]:
    """Whose move the others have to beat."""
    return (
        Field.seat("owner", "who played it", empty=True),
        Field.number("passes", seats - 2, "in a row"),
    )


def log_fields(most: int, cards: Field) -> tuple[Field, ...]:
    """The last moves and passes of at ``most`` so many in a hand.

    ``cards`` is the game's field ``log_cards``; its first axis is how many entries are kept.
    """
    kept = cards.shape[0]
    return (
        Field.number("log_count", most, f"moves and passes of this hand; entry i at i mod {kept}"),
        Field.seat("log_seat", "who moved", kept, empty=True),
        cards,
    )


def most_turns(seats: int, moves: int) -> int:
    """Most moves and passes in a hand of so many moves: all but the last may be passed on by each
    other seat."""
    return moves + (seats - 1) * (moves - 1)


# --- Kernels -----------------------------------------------------------------------------------


@kernel
def clear_owner(s):
    s.owner = NONE
    s.passes = 0


@kernel
def _enter(s):
    """Log a pass of the seat to act, and hand the turn on; returns the entry's place."""
    place = s.log_count % len(s.log_seat)
    s.log_seat[place] = s.turn
    s.log_cards[place] = 0
    s.log_count += 1
    s.turn = next_seat(s, s.turn)
    return place


@kernel
def take_table(s):
    """The seat to act has made a move; returns the place in ``log_cards`` for its cards."""
    s.owner = s.turn
    s.passes = 0
    return _enter(s)


@kernel
def pass_turn(s):
    """The seat to act passes; whether the owner of the table, now to act, leads again."""
    _enter(s)
    s.passes += 1
    return s.passes == s.seats - 1


# --- Contradictions ----------------------------------------------------------------------------


def logged(s: np.void, leader: str) -> Iterator[tuple[int, Any]]:
    """Seat and cards of the entries kept, oldest first; field ``leader`` says who led first."""
    count, kept = int(s["log_count"]), len(s["log_seat"])
    for i in range(max(0, count - kept), count):
        yield (int(s[leader]) + i) % int(s["seats"]), s["log_cards"][i % kept]


def log_contradiction(s: np.void, leader: str) -> str | None:
    """What can't be of the log and the turn: ``Game.contradiction``.

    Field ``leader`` says who led first, NONE before that.
    """
    count, kept, first = int(s["log_count"]), len(s["log_seat"]), int(s[leader])
    if first == NONE:
        return f"log_count is {count}, and nobody has led yet" if count else None
    seats = np.full(kept, NONE)
    for i, (seat, _) in enumerate(logged(s, leader), max(0, count - kept)):
        seats[i % kept] = seat
    if (s["log_seat"] != seats).any():
        return f"log_seat is {s['log_seat'].tolist()}: by {leader} and log_count {seats.tolist()}"
    if s["log_cards"][count:].any():
        return f"log_cards has more entries than log_count={count} says"
    turn = (first + count) % int(s["seats"])
    if s["turn"] != turn:
        return f"turn is {s['turn']}: by the calls and moves so far it is {turn}"
    return None


def table_contradiction(s: np.void, leader: str, cards: Any | None) -> str | None:
    """What can't be of the table's owner and the passes: ``Game.contradiction``.

    ``cards`` lie on the table, in the form of an entry of the log; None if the seat to act leads.
    """
    count, kept = int(s["log_count"]), len(s["log_seat"])
    if cards is None:
        for name, none in (("owner", NONE), ("passes", 0)):
            if s[name] != none:
                return f"{name} is {s[name]}, and there is no move on the table"
        if count == 0:
            return None
    passes = int(s["passes"]) if cards is not None else int(s["seats"]) - 1
    last = count - 1 - passes  # the entry of the move on the table, or the one all passed on
    if (
        last < 0
        or any(s["log_cards"][i % kept].any() for i in range(last + 1, count))
        or not s["log_cards"][last % kept].any()
    ):
        return f"log_cards does not end with a move and passes={passes}"
    if cards is None:
        return None
    if (s["log_cards"][last % kept] != cards).any():
        return "log_cards does not end with the cards on the table"
    owner = (int(s[leader]) + last) % int(s["seats"])
    if s["owner"] != owner:
        return f"owner is {s['owner']}: by {leader} and log_count {owner}"
    return None


# --- Words -------------------------------------------------------------------------------------


def log_lines(s: np.void, text: Callable[[Any], str]) -> tuple[str, ...]:
    """The entries kept, oldest first: ``2: 33445``, or ``0: pass``."""
    count, kept = int(s["log_count"]), len(s["log_seat"])
    entries = [i % kept for i in range(max(0, count - kept), count)]
    cards = [text(s["log_cards"][i]) if s["log_cards"][i].any() else "pass" for i in entries]
    return tuple(f"{int(s['log_seat'][i])}: {c}" for i, c in zip(entries, cards, strict=True))
