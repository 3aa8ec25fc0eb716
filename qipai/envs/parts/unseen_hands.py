"""Hands of three cards that lie face down, for their own seats too, until those look at them.

A record ``s`` has the ``fields`` below, and the rule ``special_distinct``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from qipai.envs.fields import Field, unlike
from qipai.envs.kernel import inlined, kernel
from qipai.envs.layout import HIDDEN, NONE, Range
from qipai.envs.match import as_begun
from qipai.envs.options import Option, flag
from qipai.envs.parts.cards import BIT, CARD_NAMES, RANKS, SUITS, card_field, card_name
from qipai.envs.parts.three_cards import HAND_NAMES, HANDS, KIND, WORSE, is_235, strength_of
from qipai.envs.rng import conceal_rng, shuffle
from qipai.envs.scene import Zone, cards_seen

DECK, HAND = 52, 3  # cards, and those of a seat


def special_option(clause: str) -> Option:
    """The option that says which hands are ``special``."""
    return flag(
        "special_distinct", True, meaning="a special 2-3-5 needs three suits", clause=clause
    )


def fields(seats: int) -> tuple[Field, ...]:
    """The fields of a table where every seat has three cards face down."""
    return (
        card_field("deck", "cards still to deal; none: dealt", DECK, hidden=True),
        Field.number("dealt", DECK, "cards dealt so far"),
        card_field("cards", "highest first; none: not dealt in", (seats, HAND), hidden=True),
        Field.flag("dealt_in", "has got cards in this hand", seats),
        Field.seat("banker", "dealt first"),
        Field.flag("looked", "has looked at its cards", seats),
        Field.flag("shown", "everybody sees the cards", seats),
    )


# --- What can be on a table ----------------------------------------------------------------------


def hand_faults(s: np.void, can_play: Callable[..., Any]) -> Iterator[str]:
    """What can't be among deck and hands, sentence by sentence: ``Game.contradiction``.

    ``can_play(s, seat)`` is the game's kernel of who is dealt in.
    """
    seats, dealt, dealt_in = int(s["seats"]), int(s["dealt"]), s["dealt_in"]
    if dealt_in[seats:].any():
        yield f"dealt_in has a seat beyond the {seats} of this table"
    if dealt != HAND * dealt_in.sum():
        yield f"dealt is {dealt}: expected {HAND} for each of {dealt_in.sum()} seats dealt in"
    if (s["deck"][:dealt] != NONE).any() or (s["deck"][dealt:] == NONE).any():
        yield f"deck does not begin with dealt={dealt} places of cards that have gone"
    for seat, cards in enumerate(s["cards"]):
        hidden = (cards == HIDDEN).all() and not s["shown"][seat]
        there = hidden or (cards[-1] >= 0 and (cards[:-1] > cards[1:]).all())
        if not (there if dealt_in[seat] else (cards == NONE).all()):
            yield (
                f"cards[{seat}] is {cards.tolist()}: expected {HAND} from high to low, all hidden "
                "only if not shown, and none where dealt_in is 0"
            )
    twice = np.array(census(s)) > 1
    if twice.any():
        yield f"cards and deck have {card_name(int(np.argmax(twice)))} more than once"
    start = as_begun(s, s["dealt_in"])
    expected = [int(seat < seats and can_play(start, seat)) for seat in range(len(dealt_in))]
    yield from unlike(s, "dealt_in", expected, "1 for a seat that can play")


# --- Deal ----------------------------------------------------------------------------------------


@inlined
def deal_hands(s, can_play):
    """Three cards at once for every seat that can play, from the banker on, by the game's kernel
    ``can_play(s, seat)``."""
    for k in range(s.seats):
        seat = (s.banker + k) % s.seats
        if can_play(s, seat):
            s.dealt_in[seat] = 1
            take_cards(s, seat, s.dealt)
            s.dealt += HAND


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
        s.deck[start + k] = NONE


@kernel
def gather(s, later):
    """Lay the deck as it was when the hand began that went on to the table ``later``: first the
    hands dealt, from the banker on."""
    s.banker = later.banker
    for k in range(len(s.deck)):
        s.deck[k] = later.deck[k]
    start = 0
    for k in range(s.seats):
        seat = (later.banker + k) % s.seats
        if later.dealt_in[seat]:
            for i in range(HAND):
                s.deck[start + i] = later.cards[seat, i]
            start += HAND


# --- What a hand is worth ------------------------------------------------------------------------


@kernel
def strength(s, seat, a23):
    """The place of a seat's hand among all 741 strengths."""
    a, b, c = np.int64(s.cards[seat, 0]), np.int64(s.cards[seat, 1]), np.int64(s.cards[seat, 2])
    return strength_of(a, b, c, a23)


@kernel
def special(s, seat):
    """Whether a seat holds 2-3-5 of three suits, or just not of one (``special_distinct``)."""
    a, b, c = np.int64(s.cards[seat, 0]), np.int64(s.cards[seat, 1]), np.int64(s.cards[seat, 2])
    return is_235(a, b, c, s.rules.special_distinct)


@kernel
def cards_of(s, seat):
    """A seat's cards as a set of bits."""
    cards = np.int64(0)
    for k in range(HAND):
        cards |= BIT[s.cards[seat, k]]
    return cards


# --- What a seat sees ----------------------------------------------------------------------------


@kernel
def sees(s, seat, other):
    """Whether a seat sees another's cards, or its own: after a look, or once they are shown."""
    return s.shown[other] == 1 or (seat == other and s.looked[seat] == 1)


@kernel
def hide_hand(s, seat):
    for k in range(HAND):
        s.cards[seat, k] = HIDDEN


@inlined
def conceal_hands(s, seat, sees):
    """Hide the deck and the hands that a seat can't see, by a kernel like ``sees``."""
    conceal_rng(s.rng)
    for other in range(s.seats):
        if s.dealt_in[other] and not sees(s, seat, other):
            hide_hand(s, other)
    for k in range(s.dealt, len(s.deck)):
        s.deck[k] = HIDDEN


# Redealing: ``hands`` are seats, as a set of bits, whose cards are to be drawn.


@kernel
def hidden_hands(s):
    """The seats whose cards are hidden."""
    hands = np.int64(0)
    for seat in range(s.seats):
        if s.cards[seat, 0] == HIDDEN:
            hands |= BIT[seat]
    return hands


@kernel
def collect_cards(s, hands):
    """Put all cards but those of other hands on the deck; returns the place of the first."""
    kept = np.int64(0)
    start = s.dealt
    for seat in range(s.seats):
        if s.dealt_in[seat]:
            if hands & BIT[seat]:
                start -= HAND
            else:
                kept |= cards_of(s, seat)
    place = start
    for card in range(len(BIT)):
        if not kept & BIT[card]:
            s.deck[place] = card
            place += 1
    return start


@kernel
def draw_hands(s, hands, start):
    """Shuffle the deck from ``start`` on and deal copies of its first cards."""
    shuffle(s.rng, s.deck[start:], len(s.deck) - start)
    for seat in range(s.seats):
        if hands & BIT[seat]:
            hold(s, seat, s.deck[start], s.deck[start + 1], s.deck[start + 2])
            start += HAND


@kernel
def clear_dealt(s, start):
    """The dealt places of the deck from ``start`` on are empty."""
    for k in range(start, s.dealt):
        s.deck[k] = NONE


# Observation.

WHOLE_DECK = 1.0 / HANDS


def card_ranges(seats: int, seen_by: str) -> tuple[Range, ...]:
    """The ranges that ``put_hand`` fills."""
    return (
        Range(
            "cards",
            (seats, HAND, len(RANKS) + len(SUITS)),
            "cards, highest first: rank 2 … A, suit ♦ ♣ ♥ ♠",
            seen_by,
        ),
        Range(
            "kind", (seats, len(HAND_NAMES)), "kind of hand: " + ", ".join(HAND_NAMES), "as cards"
        ),
        Range("worse", seats, "share of all hands that are worse", "as cards"),
    )


@inlined
def put_hand(o, known, k, v, p, a23):
    """The cards of seat p, k places after the own one, and what they are worth."""
    if v.cards[p, 0] >= 0:
        for i in range(HAND):
            card = v.cards[p, i]
            o.cards[k, i, card // len(SUITS)] = 1
            o.cards[k, i, len(RANKS) + card % len(SUITS)] = 1
        worth = strength(v, p, a23)
        o.kind[k, KIND[a23, worth]] = 1
        o.worse[k] = WORSE[a23, worth] * WHOLE_DECK
    elif v.cards[p, 0] == HIDDEN:
        known.cards[k, :, :] = 0
        known.kind[k, :] = 0
        known.worse[k] = 0


# --- Words ---------------------------------------------------------------------------------------


def census(s: np.void) -> tuple[int, ...]:
    """How often each card is in the deck and in hands."""
    cards = [*s["deck"].tolist(), *s["cards"].ravel().tolist()]
    return tuple(cards.count(card) for card in range(len(CARD_NAMES)))


def hand_name(v: np.void, seat: int, a23: int) -> str:
    """What a seat's cards are called, empty if they are not seen or there are none."""
    if v["cards"][seat][0] < 0:
        return ""
    return "special 2-3-5" if special(v, seat) else HAND_NAMES[KIND[a23, strength(v, seat, a23)]]


def zones(v: np.void, a23: int) -> tuple[Zone, ...]:
    """The hands of all seats."""
    return tuple(
        Zone("cards", tuple(cards_seen(v["cards"][p])), owner=p, note=hand_name(v, p, a23))
        for p in range(int(v["seats"]))
    )


def steps_of_turn(v: np.void, text: str) -> list[str]:
    """A turn's action names: ``look+call`` is look, then call; ValueError if it is no turn."""
    steps = text.split("+")
    if len(steps) > 2 or (len(steps) == 2 and (steps[0] != "look" or steps[1] == "look")):
        raise ValueError(f"{text!r} is no turn; a turn is one action, or look+ and another one")
    return steps
