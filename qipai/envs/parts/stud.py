"""Tables of stud: each seat has one hidden hole card and open cards, dealt from one deck.

A record ``s`` has ``deck`` (n cards, 52 − n … 51; dealt ones read NONE), ``dealt``, by seat
``hole`` and ``up``, and the fields of parts/rounds.py. Where visible hands are compared it has
``first`` and ``best``, too.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from qipai.envs.fields import Field
from qipai.envs.kernel import inlined, kernel
from qipai.envs.layout import HIDDEN, NONE, Range
from qipai.envs.match import next_seat
from qipai.envs.parts.betting import deal_in
from qipai.envs.parts.cards import (
    BIT,
    RANKS,
    SUITS,
    card_field,
    card_name,
    deck_contradiction,
    put_card,
)
from qipai.envs.parts.rounds import rounds_in
from qipai.envs.rng import conceal_rng, shuffle
from qipai.envs.scene import Zone, cards_seen


def card_fields(seats: int, deck: int, open_cards: int) -> tuple[Field, ...]:
    """The fields of a table with a deck of so many cards, up to ``open_cards`` of each seat."""
    lowest = len(BIT) - deck
    return (
        Field.number("dealt", deck, "cards dealt so far"),
        card_field("deck", "cards still to deal; none: dealt", deck, lowest=lowest, hidden=True),
        card_field("hole", "hole card; none: not there", seats, lowest=lowest, hidden=True),
        card_field(
            "up", "open cards in order; none: not there", (seats, open_cards), lowest=lowest
        ),
    )


def fields(seats: int, deck: int, open_cards: int) -> tuple[Field, ...]:
    """Those fields, and the seats by which hole cards and open cards are dealt."""
    return (
        *card_fields(seats, deck, open_cards),
        Field.seat("first", "seat dealt first"),
        Field.seat("best", "live seat with the best visible hand"),
    )


def card_contradiction(s: np.void, holes: np.ndarray, opened: np.ndarray) -> str | None:
    """What can't be among the cards, where seats have had ``holes`` hole cards (bool) and
    ``opened`` open ones (int), both (seats,): ``Game.contradiction``."""
    for seat in range(len(s["hole"])):
        hole, up = int(s["hole"][seat]), s["up"][seat] != NONE
        if (hole != NONE) != holes[seat]:
            return f"hole[{seat}] is {hole}: expected {'a' if holes[seat] else 'no'} card"
        if hole == HIDDEN and s["shown"] and s["live"][seat]:
            return f"hole[{seat}] is {hole}, but hole cards are shown"
        if (up != (np.arange(len(up)) < opened[seat])).any():
            return (
                f"up[{seat}] is {s['up'][seat].tolist()}: expected {opened[seat]}, the first ones"
            )
    hands = [card for seat in range(len(s["hole"])) for card in seat_cards(s, seat)]
    return deck_contradiction(s, hands)


def contradiction(s: np.void, best_seat: Callable[..., Any]) -> str | None:
    """What can't be where the best visible hand speaks first: ``Game.contradiction``.

    Args:
        best_seat: the game's kernel of who has the best cards, of those that are shown.
    """
    if not s["dealt_in"][s["first"]]:
        return f"first is {s['first']}, a seat that is not dealt in"
    fault = card_contradiction(s, s["dealt_in"] == 1, rounds_in(s))
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


@inlined
def deal_holes(s, can_play):
    """A new hand: who can play puts in the ante and gets a hole card, from ``first`` on."""
    s.winner = NONE
    for k in range(s.seats):
        seat = (s.first + k) % s.seats
        if can_play(s, seat):
            deal_in(s, seat, s.rules.ante)
            s.hole[seat] = next_card(s)
    s.best = s.first  # before the first open card


@kernel
def deal_open_cards(s):
    """An open card for each live seat, from ``best`` on."""
    first = s.best
    for k in range(s.seats):
        seat = (first + k) % s.seats
        if s.live[seat]:
            s.up[seat, s.street] = next_card(s)


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
def best_hand(s, value):
    """The live seat whose cards are worth most by the game's kernel ``value(cards)``: the open
    ones, and hole cards once they are shown."""
    best, highest = -1, -1
    for seat in range(s.seats):
        if s.live[seat]:
            cards = visible_hand(s, seat)
            if s.shown:
                cards |= BIT[s.hole[seat]]
            worth = value(cards)
            if worth > highest:
                best, highest = seat, worth
    return best


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
        if other != seat and s.hole[other] >= 0 and not (s.shown and s.live[other]):
            s.hole[other] = HIDDEN
    for k in range(s.dealt, len(s.deck)):
        s.deck[k] = HIDDEN


@kernel
def seen_cards(s):
    """All cards on the table that are not HIDDEN, as a set of bits."""
    seen = np.int64(0)
    for seat in range(s.seats):
        seen |= visible_hand(s, seat)
        if s.hole[seat] >= 0:
            seen |= BIT[s.hole[seat]]
    return seen


@kernel
def redeal(s, seat):
    """Spread the unseen cards over the hidden holes and the rest of the deck.

    They are gathered at the end of the deck, which has room for them where the cards now in hidden
    holes were dealt from.
    """
    seen = seen_cards(s)
    start = s.dealt
    for other in range(s.seats):
        start -= s.hole[other] == HIDDEN
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


# --- What a seat sees, and words -----------------------------------------------------------------


def card_ranges(seats: int, open_cards: int, ranks: int) -> tuple[Range, ...]:
    """The cards of each seat, of so many ranks up to the ace."""
    card, what = ranks + len(SUITS), f"rank {RANKS[-ranks]} … A, suit ♦ ♣ ♥ ♠"
    return (
        Range("hole", (seats, card), f"hole card: {what}", "the owner"),
        Range("up", (seats, open_cards, card), "open cards in order: rank, suit"),
    )


@inlined
def observe(v, seat, o, known, ranks):
    """Fill those ranges; ``ranks`` is a constant."""
    lowest = len(BIT) - len(SUITS) * ranks
    p = seat
    for k in range(v.seats):
        put_card(o.hole[k], known.hole[k], v.hole[p], lowest, ranks)
        for i in range(v.up.shape[1]):
            put_card(o.up[k, i], known.up[k, i], v.up[p, i], lowest, ranks)
        p = next_seat(v, p)


def report(s: np.void, hand_name: Callable[[np.void, int], str]) -> dict[str, Any]:
    """The hands and hole cards shown at the end; ``hand_name(s, seat)`` is the game's."""
    shown = [bool(s["shown"] and s["live"][seat]) for seat in range(s["seats"])]
    return {
        "hands": [hand_name(s, seat) if seen else None for seat, seen in enumerate(shown)],
        "holes": [card_name(int(s["hole"][p])) if seen else None for p, seen in enumerate(shown)],
    }


def zones(v: np.void) -> tuple[Zone, ...]:
    """The cards of each seat, BACK for one not seen, and the deck."""
    made = []
    for p in range(v["seats"]):
        for name, row in (("hole card", v["hole"][p : p + 1]), ("open cards", v["up"][p])):
            made.append(Zone(name, tuple(cards_seen(row)), owner=p))
    return (*made, Zone("deck", (), note=f"{len(v['deck']) - v['dealt']} cards"))
