"""Hands of three cards that lie face down, for their own seats too, until those look at them; and
what is bet on them by turns.

A record ``s`` has the ``fields`` below. Bets are in ``live``, ``out``, ``unit``, ``stake``,
``blind_bets``, ``looked_bets``, ``raises``, ``look_unit``, ``last_action``, ``last_actor``,
``circles`` and the log; their end in ``reason``, ``opener``, ``won``, ``winner`` and ``shown``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import numpy as np

from qipai.envs.fields import Field, unlike
from qipai.envs.kernel import addressable, inlined, kernel
from qipai.envs.layout import HIDDEN, NONE
from qipai.envs.match import ENDED, PLAYING
from qipai.envs.parts.betting import LOG, first_winner, log_contradiction
from qipai.envs.parts.cards import BIT, CARD_NAMES, card_field, card_name
from qipai.envs.rng import conceal_rng, shuffle
from qipai.envs.scene import BACK

DECK, HAND = 52, 3  # cards, and those of a seat
FOLDED = 0  # how a seat went out; other ways are the game's
LAST_SEAT, OPENED, CAPPED = range(3)  # what ended a hand


def fields(seats: int) -> tuple[Field, ...]:
    """The fields of a table where every seat has three cards face down."""
    return (
        card_field("deck", "cards still to deal; none: dealt", DECK, hidden=True),
        Field.number("dealt", DECK, "cards dealt so far"),
        card_field("cards", "highest first; none: not dealt in", (seats, HAND), hidden=True),
        Field.flag("dealt_in", "has got cards in this hand", seats),
        Field.seat("banker", "dealt first"),
    )


# --- What can be on a table ----------------------------------------------------------------------


def hand_faults(s: np.void) -> Iterator[str]:
    """What can't be among deck and hands, sentence by sentence: ``Game.contradiction``."""
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


def bet_faults(
    s: np.void, looked: np.ndarray, ante: int, limits: np.ndarray, opening: int | np.integer
) -> Iterator[str]:
    """What can't be among bets, sentence by sentence: ``Game.contradiction``.

    Args:
        looked: flags by seat.
        ante: of this hand.
        limits: the most that each seat may put in.
        opening: the action that opens two hands.
    """
    playing, live, dealt_in = not s["ended"], s["live"], s["dealt_in"]
    for name, nothing in _WITHOUT_CARDS.items():
        if (s[name][dealt_in == 0] != nothing).any():
            yield f"{name} has an entry of a seat that is not dealt in"
    if (looked > dealt_in).any():
        yield "dealt_in is 0 for a seat that has looked at its cards"
    if not dealt_in[s["banker"]]:
        yield f"banker is {s['banker']}, a seat that is not dealt in"
    yield from unlike(s, "live", dealt_in * (s["out"] == NONE), "1 if dealt in and not out")
    if (live & s["away"]).any():
        yield f"live[{np.argmax(live & s['away'])}] is 1 for a seat that has left"
    if live.sum() < 1 + playing:
        yield f"live has {live.sum()} seats, and the hand has{' not' * playing} ended"
    if playing and not live[s["turn"]]:
        yield f"turn is {s['turn']}, a seat that is out"
    yield from _action_faults(s, opening)
    yield from _stake_faults(s, looked, ante, limits, opening)


# The fields of bets, and what stands there for a seat that is not dealt in.
_WITHOUT_CARDS = {
    "out": NONE,
    "shown": 0,
    "stake": 0,
    "blind_bets": 0,
    "looked_bets": 0,
    "raises": 0,
    "look_unit": 0,
    "last_action": NONE,
    "won": 0,
}


def _action_faults(s: np.void, opening: int | np.integer) -> Iterator[str]:
    """By the log, and by how often a seat has paid or folded."""
    count, bets, folded = (
        int(s["log_count"]),
        s["blind_bets"] + s["looked_bets"],
        s["out"] == FOLDED,
    )
    if fault := log_contradiction(s):
        yield fault
    if count != bets.sum() + folded.sum():
        yield f"log_count is {count}: expected {bets.sum() + folded.sum()}, all bets and folds"
    places = np.arange(max(0, count - LOG), count) % LOG
    seats, actions = s["log_seat"][places].tolist(), s["log_action"][places].tolist()
    logged = Counter(zip(seats, np.equal(actions, 0), strict=True))
    newest = dict(zip(seats, actions, strict=True))
    for seat, last in enumerate(s["last_action"].tolist()):
        paid, earlier = logged[seat, False], max(0, count - LOG)
        if not paid <= bets[seat] <= paid + earlier:
            yield f"log_action has {paid} bets of seat {seat}, which has made {bets[seat]}"
        if logged[seat, True] > folded[seat]:
            yield f"log_action has a fold of seat {seat}, which has not folded"
        if newest.get(seat, last) != last or (last == NONE) != (bets[seat] + folded[seat] == 0):
            yield f"last_action[{seat}] is {last}: expected the seat's newest one in the log"
        if (last == 0) != folded[seat]:
            yield f"out[{seat}] is {s['out'][seat]}, and its last action is {last}"
        if (last == opening) != (s["reason"] == OPENED and seat == s["last_actor"]):
            yield f"reason is {s['reason']}, and the last action of seat {seat} is {last}"
    yield from unlike(s, "last_actor", seats[-1] if seats else NONE, "the newest in the log")
    if s["circles"] > count + s["away"].sum():
        yield f"circles is {s['circles']} after {count} actions"


def _stake_faults(
    s: np.void, looked: np.ndarray, ante: int, limits: np.ndarray, opening: int | np.integer
) -> Iterator[str]:
    """By how often a seat has paid, and between which units: they only rise."""
    unit = int(s["unit"])
    for seat in np.flatnonzero(s["dealt_in"]).tolist():
        blind, after = int(s["blind_bets"][seat]), int(s["looked_bets"][seat])
        raises = int(s["raises"][seat].sum())
        if raises > blind + after:
            yield f"raises[{seat}] come to {raises}, of {blind + after} bets"
        if after and not looked[seat]:
            yield f"looked_bets[{seat}] is {after} for a seat that has not looked"
        seen_at = int(s["look_unit"][seat])
        if not (ante <= seen_at <= unit if looked[seat] else seen_at == 0):
            yield f"look_unit[{seat}] is {seen_at}: expected {ante}…{unit} after a look, else 0"
        stake, prices = int(s["stake"][seat]), blind + 2 * after
        # Who opens pays double.
        opened = 1 + int(looked[seat]) if s["last_action"][seat] == opening else 0
        low = ante * (1 + prices - opened) + 2 * unit * opened
        high = min(ante + unit * (prices + opened), int(limits[seat]))
        if not low <= stake <= high:
            yield f"stake[{seat}] is {stake}: expected {low}…{high} for the ante and its bets"
    turn = int(s["turn"])
    price, left = unit * (1 + int(looked[turn])), int(limits[turn] - s["stake"][turn])
    if not s["ended"] and price > left:
        yield f"turn is {turn}, a seat that can't pay {price}: it may put in {left} more"


def before_hand(s: np.void) -> np.void:
    """The table with stacks and seats as they were when its hand began, and no coins settled."""
    table = addressable(np.array([s], s.dtype))[0]
    table["stack"] -= table["coins"]
    table["away"] *= 1 - table["dealt_in"]  # has left since
    table["coins"] = table["house"] = 0
    return table


def end_faults(s: np.void, best: np.ndarray, rewarded: bool) -> Iterator[str]:
    """What can't be about the end of a hand, sentence by sentence: ``Game.contradiction``.

    Args:
        best: flags by seat: its hand, which all have seen, is the best or one of them.
        rewarded: the winners get more than the pot.
    """
    reason, live, ended = int(s["reason"]), s["live"], bool(s["ended"])
    if (reason == NONE) == ended:
        yield f"reason is {reason}, and the hand has{' not' * (not ended)} ended"
    if (reason == LAST_SEAT) != (live.sum() == 1) or (reason == OPENED and live.sum() != 2):
        yield f"reason is {reason}, and {live.sum()} seats are live"
    by_cards = reason in (OPENED, CAPPED)
    acted_live = s["last_actor"] >= 0 and live[s["last_actor"]]
    opener = s["last_actor"] if by_cards and acted_live else NONE
    yield from unlike(s, "opener", opener, "who acted last, if live and the hands are opened")
    won = best if by_cards else live * ended
    yield from unlike(s, "won", won, "1 for the best hands opened, or the last seat")
    winner = first_winner(s) if ended else NONE
    yield from unlike(s, "winner", winner, "the first after the banker that has won")
    shown = live if by_cards else won * rewarded
    yield from unlike(s, "shown", shown, "1 for hands opened or rewarded")


def coin_faults(s: np.void, settled: np.void, players: int) -> Iterator[str]:
    """What can't be about coins, sentence by sentence: ``Game.contradiction``.

    Args:
        settled: a table with the coins that the hand should have brought.
        players: how many seats could be dealt in next.
    """
    why = "what the hand has brought"
    yield from unlike(s, "coins", settled["coins"], why)
    yield from unlike(s, "house", settled["house"], why)
    last = s["hand"] + 1 >= s["rules"]["hands"] or players < 2
    over = ENDED if s["ended"] and last else PLAYING
    yield from unlike(s, "over", over, f"as {players} seats could go on")


# --- Cards ---------------------------------------------------------------------------------------


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
    for k in range(len(s.deck)):
        s.deck[k] = later.deck[k]
    start = 0
    for k in range(s.seats):
        seat = (later.banker + k) % s.seats
        if later.dealt_in[seat]:
            for i in range(HAND):
                s.deck[start + i] = later.cards[seat, i]
            start += HAND


@kernel
def cards_of(s, seat):
    """A seat's cards as a set of bits."""
    cards = np.int64(0)
    for k in range(HAND):
        cards |= BIT[s.cards[seat, k]]
    return cards


@kernel
def hide_hand(s, seat):
    for k in range(HAND):
        s.cards[seat, k] = HIDDEN


@inlined
def conceal_hands(s, seat, sees):
    """Hide the deck and the hands that a seat can't see, by the game's kernel
    ``sees(s, seat, other)``."""
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


def census(s: np.void) -> tuple[int, ...]:
    """How often each card is in the deck and in hands."""
    cards = [*s["deck"].tolist(), *s["cards"].ravel().tolist()]
    return tuple(cards.count(card) for card in range(len(CARD_NAMES)))


def cards_seen(v: np.void, seat: int) -> list[str]:
    """The names of a seat's cards, BACK for one not seen; none if it is not dealt in."""
    return [
        BACK if card == HIDDEN else card_name(card) for card in v["cards"][seat] if card != NONE
    ]


def steps_of_turn(v: np.void, text: str) -> list[str]:
    """A turn's action names: ``look+call`` is look, then call; ValueError if it is no turn."""
    steps = text.split("+")
    if len(steps) > 2 or (len(steps) == 2 and (steps[0] != "look" or steps[1] == "look")):
        raise ValueError(f"{text!r} is no turn; a turn is one action, or look+ and another one")
    return steps
