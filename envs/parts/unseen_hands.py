"""Hands of three cards that lie face down, for their own seats too, until those look at them.

A record ``s`` has ``deck`` (52 cards, of which dealt ones read NOBODY), ``dealt``, ``banker``, and
by seat ``cards``, highest first, and ``dealt_in``.
"""

from __future__ import annotations

import numpy as np

from qipai.envs.fields import Field
from qipai.envs.kernel import inlined, kernel
from qipai.envs.layout import HIDDEN, NOBODY
from qipai.envs.parts.cards import CARD_NAMES, card_field, card_name
from qipai.envs.rng import conceal_rng
from qipai.envs.scene import BACK

DECK, HAND = 52, 3  # cards, and those of a seat


def fields(seats: int) -> tuple[Field, ...]:
    """The fields of a table where every seat has three cards face down."""
    return (
        card_field("deck", "cards still to deal; none: dealt", DECK, hidden=True),
        Field.number("dealt", DECK, "cards dealt so far"),
        card_field("cards", "highest first; none: not dealt in", (seats, HAND), hidden=True),
        Field.flag("dealt_in", "has got cards in this hand", seats),
        Field.seat("banker", "dealt first"),
    )


@kernel
def hold(s, seat, a, b, c):
    """Give a seat these cards, highest first."""
    s.cards[seat, 0] = max(a, b, c)
    s.cards[seat, 1] = max(min(a, b), min(max(a, b), c))
    s.cards[seat, 2] = min(a, b, c)


@kernel
def take_cards(s, seat, start):
    """Move three cards of the deck to a seat."""
    hold(s, seat, s.deck[start], s.deck[start + 1], s.deck[start + 2])
    for k in range(HAND):
        s.deck[start + k] = NOBODY


@kernel
def gather(s, later):
    """Lay the deck as it was when the hand began that went on to the table ``later``: first the
    hands dealt, from the banker on."""
    for k in range(len(s.deck)):
        s.deck[k] = later.deck[k]
    start = 0
    for k in range(s.seats):
        seat = (later.banker + k) % s.seats
        if later.dealt_in[seat]:
            for i in range(HAND):
                s.deck[start + i] = later.cards[seat, i]
            start += HAND


@inlined
def conceal_hands(s, seat, sees):
    """Hide the deck and the hands that a seat can't see, by the game's kernel
    ``sees(s, seat, other)``."""
    conceal_rng(s.rng)
    for other in range(s.seats):
        if s.dealt_in[other] and not sees(s, seat, other):
            for k in range(HAND):
                s.cards[other, k] = HIDDEN
    for k in range(s.dealt, len(s.deck)):
        s.deck[k] = HIDDEN


def census(s: np.void) -> tuple[int, ...]:
    """How often each card is in the deck and in hands."""
    cards = [*s["deck"].tolist(), *s["cards"].ravel().tolist()]
    return tuple(cards.count(card) for card in range(len(CARD_NAMES)))


def cards_seen(v: np.void, seat: int) -> list[str]:
    """The names of a seat's cards, BACK for one not seen; none if it is not dealt in."""
    return [
        BACK if card == HIDDEN else card_name(card) for card in v["cards"][seat] if card != NOBODY
    ]


def steps_of_turn(v: np.void, text: str) -> list[str]:
    """A turn's action names: ``look+call`` is look, then call; ValueError if it is no turn."""
    steps = text.split("+")
    if len(steps) > 2 or (len(steps) == 2 and (steps[0] != "look" or steps[1] == "look")):
        raise ValueError(f"{text!r} is no turn; a turn is one action, or look+ and another one")
    return steps
