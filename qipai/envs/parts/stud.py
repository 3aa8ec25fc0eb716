"""Tables of stud: each seat has one hidden hole card and open cards, dealt from one deck.

A record ``s`` has ``deck`` (n cards, 52 − n … 51; dealt ones read NONE), ``dealt``, ``first``,
``best``, by seat ``hole`` and ``up``, and those of betting in rounds (parts/betting.py).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from qipai.envs.fields import Field
from qipai.envs.kernel import inlined, kernel
from qipai.envs.layout import HIDDEN, NONE
from qipai.envs.parts.cards import BIT, card_field, deck_contradiction
from qipai.envs.rng import conceal_rng, shuffle


def fields(seats: int, deck: int, open_cards: int) -> tuple[Field, ...]:
    """The fields of a table with a deck of so many cards, up to ``open_cards`` of each seat."""
    lowest = len(BIT) - deck
    return (
        Field.number("dealt", deck, "cards dealt so far"),
        Field.seat("first", "seat dealt first"),
        Field.seat("best", "live seat with the best visible hand"),
        card_field("deck", "cards still to deal; none: dealt", deck, lowest=lowest, hidden=True),
        card_field("hole", "hole card; none: not dealt in", seats, lowest=lowest, hidden=True),
        card_field(
            "up", "open cards in order; none: not there", (seats, open_cards), lowest=lowest
        ),
    )


def contradiction(s: np.void, rounds: np.ndarray, best_seat: Callable[..., Any]) -> str | None:
    """What can't be at a table of stud: ``Game.contradiction``.

    Args:
        rounds: int (seats,), the rounds each seat has been in.
        best_seat: the game's kernel of who has the best cards, of those that are shown.
    """
    if not s["dealt_in"][s["first"]]:
        return f"first is {s['first']}, a seat that is not dealt in"
    for seat, here in enumerate(s["dealt_in"].tolist()):
        hole, up = int(s["hole"][seat]), s["up"][seat] != NONE
        if (hole != NONE) != here:
            return f"hole[{seat}] is {hole}, and dealt_in[{seat}] is {here}"
        if hole == HIDDEN and s["shown"] and s["live"][seat]:
            return f"hole[{seat}] is {hole}, but hole cards are shown"
        if (up != (np.arange(len(up)) < rounds[seat])).any():
            return (
                f"up[{seat}] is {s['up'][seat].tolist()}: expected {rounds[seat]}, the first ones"
            )
    hands = [card for seat in range(len(s["hole"])) for card in seat_cards(s, seat)]
    fault = deck_contradiction(s, hands)
    if fault:
        return fault
    visible = s.copy()
    visible["shown"] = False
    best = int(best_seat(visible))
    if s["best"] != best:
        return f"best is {s['best']}: the best open cards are those of seat {best}"
    if s["shown"] and s["winner"] != best_seat(s):
        return f"winner is {s['winner']}: the best cards are those of seat {best_seat(s)}"
    return None


@kernel
def next_card(s):
    """Take the next card off the deck."""
    card = s.deck[s.dealt]
    s.deck[s.dealt] = NONE
    s.dealt += 1
    return card


@kernel
def put_back(s, card):
    """Undo ``next_card``."""
    s.deck[s.dealt] = card
    s.dealt += 1


@kernel
def open_cards(s, seat, count):
    """The first open cards of a seat, as a set of bits."""
    cards = np.int64(0)
    for k in range(count):
        if s.up[seat, k] >= 0:
            cards |= BIT[s.up[seat, k]]
    return cards


@kernel
def visible_hand(s, seat):
    """The open cards of a seat, as a set of bits."""
    return open_cards(s, seat, s.up.shape[1])


@inlined
def gather(s, later, value):
    """Lay the deck as it was when the hand began that went on to the table ``later``: first what
    was dealt, hole cards from seat ``first`` on, then open ones, each time from the seat whose open
    cards before were worth most by the game's kernel ``value(cards)``."""
    for k in range(len(s.deck)):
        s.deck[k] = later.deck[k]
    for k in range(s.seats):
        seat = (later.first + k) % s.seats
        if later.dealt_in[seat]:
            put_back(s, later.hole[seat])
    for street in range(s.up.shape[1]):
        first, highest = later.first, 0
        for seat in range(s.seats):
            up = later.up[seat, street] >= 0
            worth = value(open_cards(later, seat, street)) if up else 0
            if worth > highest:
                first, highest = seat, worth
        for k in range(s.seats):
            seat = (first + k) % s.seats
            if later.up[seat, street] >= 0:
                put_back(s, later.up[seat, street])
    s.dealt = 0


@kernel
def conceal(s, seat):
    """Hide the deck and the hole cards of others, but for those shown."""
    conceal_rng(s.rng)
    for other in range(s.seats):
        if other != seat and s.dealt_in[other] and not (s.shown and s.live[other]):
            s.hole[other] = HIDDEN
    for k in range(s.dealt, len(s.deck)):
        s.deck[k] = HIDDEN


@kernel
def redeal(s, seat):
    """Spread the unseen cards over the hidden holes and the rest of the deck.

    They are gathered at the end of the deck, which has room for them where the cards now in hidden
    holes were dealt from.
    """
    seen = np.int64(0)
    start = s.dealt
    for other in range(s.seats):
        seen |= visible_hand(s, other)
        if s.hole[other] >= 0:
            seen |= BIT[s.hole[other]]
        elif s.hole[other] == HIDDEN:
            start -= 1
    place = start
    for card in range(len(BIT) - len(s.deck), len(BIT)):
        if not seen & BIT[card]:
            s.deck[place] = card
            place += 1
    shuffle(s.rng, s.deck[start:], len(s.deck) - start)
    for other in range(s.seats):
        if s.hole[other] == HIDDEN:
            s.hole[other] = s.deck[start]
            s.deck[start] = NONE
            start += 1


def seat_cards(s: np.void, seat: int) -> list[int]:
    """The cards of a seat in the order dealt, hole card first; a hidden one is HIDDEN."""
    return [int(card) for card in (s["hole"][seat], *s["up"][seat]) if card != NONE]


def census(s: np.void) -> tuple[int, ...]:
    """How often each card of the deck is in it or on the table."""
    cards = [int(card) for card in s["deck"] if card >= 0]
    for seat in range(s["seats"]):
        cards += seat_cards(s, seat)
    return tuple(cards.count(card) for card in range(len(BIT) - len(s["deck"]), len(BIT)))
