"""Rule of thumb for three-card stud (new_san_gong): bet by exact chances over all unseen cards.

Until the hole cards come everything is open, so in round 2 the chance to win counts all hidden
cards that the live seats could get. In round 3 only the rivals' cards are unknown; a rival that has
raised then is taken to hold one of the better ones. The bot calls if the chance is worth the price,
the rake counted, and raises if it is above an equal share: a little in round 2, where raises tell
nobody anything, and well above it in round 3. In round 1 the best card for a hand bets, and all
others but tens call.
"""

from __future__ import annotations

import numpy as np

from qipai.envs.kernel import kernel
from qipai.envs.new_san_gong import (
    CARDS,
    ROUNDS,
    SUITS,
    after_rake,
    cards_of,
    value,
)
from qipai.envs.parts.betting import live_seats, pot
from qipai.envs.parts.cards import BIT
from qipai.envs.parts.faces import TEN, order
from qipai.envs.parts.raises import RAISE
from qipai.envs.parts.rounds import CALL, CHECK, FOLD, owed
from qipai.envs.parts.stud import seen_cards

LAST = ROUNDS - 1  # the round after the hole card
HALF, MAX = RAISE + 2, RAISE + 4
GOOD, GREAT, LAST_GREAT = 0.05, 0.1, 0.4  # how far from an equal share of wins to all of them


@kernel
def count(cards):
    """How many cards there are in a set."""
    size = 0
    while cards:
        cards &= cards - 1
        size += 1
    return size


@kernel
def ways(sets, a, b, c):
    """In how many ways one card each is picked from the first ``sets`` of three sets, all
    different."""
    size = count(a)
    if sets == 1:
        return size
    both = count(a & b)
    if sets == 2:
        return size * count(b) - both
    others = count(a & c) * count(b) + count(b & c) * size
    return (size * count(b) - both) * count(c) - others + 2 * count(a & b & c)


@kernel
def beaten(v, rival, cards, worth):
    """Those of a set of hole cards with which a rival has a hand below ``worth``."""
    first, second, _ = cards_of(v, rival)
    found = np.int64(0)
    for card in range(CARDS):
        if (cards >> card) & 1 and value(first, second, np.int64(card)) < worth:
            found |= BIT[card]
    return found


@kernel
def best_cards(v, rival, cards, size):
    """The hole cards of a set that are best for a rival: ``size`` of them, or more if equal."""
    first, second, _ = cards_of(v, rival)
    found = np.int64(0)
    for card in range(CARDS):
        if (cards >> card) & 1:
            worth = value(first, second, np.int64(card))
            if count(cards) - count(beaten(v, rival, cards, worth + 1)) < size:
                found |= BIT[card]
    return found


@kernel
def chance(v, own, hole, unseen):
    """The chance that a seat wins at the showdown with the card ``hole``.

    Each rival holds any of the unseen cards or, if it has raised since it has its hole card, one
    of the better 1/2, 1/3, … of them.
    """
    first, second, _ = cards_of(v, own)
    worth = value(first, second, hole)
    rivals = 0
    a = b = c = held_a = held_b = held_c = np.int64(0)
    for rival in range(v.seats):
        if v.live[rival] and rival != own:
            held = unseen
            if v.raises[LAST, rival] > 0:
                held = best_cards(v, rival, unseen, count(unseen) // (v.raises[LAST, rival] + 1))
            a, b, c = beaten(v, rival, held, worth), a, b
            held_a, held_b, held_c = held, held_a, held_b
            rivals += 1
    return ways(rivals, a, b, c) / max(1, ways(rivals, held_a, held_b, held_c))


@kernel
def equity(v, own):
    """The chance that a seat wins at the showdown; its hole card may still be to come."""
    unseen = ((np.int64(1) << CARDS) - 1) & ~seen_cards(v)
    hole = np.int64(v.hole[own])
    if hole >= 0:
        return chance(v, own, hole, unseen)
    total = 0.0
    for card in range(CARDS):
        if (unseen >> card) & 1:
            total += chance(v, own, np.int64(card), unseen & ~BIT[card])
    return total / count(unseen)


@kernel
def price(v, own):
    """The chance to win at which a call loses nothing."""
    cost = owed(v, own)
    stake = v.stake[own]
    return cost / (stake + after_rake(v, pot(v) - stake) + cost)


@kernel
def bet(mask, wanted):
    """The largest raise on offer up to ``wanted``, else call or check."""
    for action in range(wanted, RAISE - 1, -1):
        if mask[action]:
            return action
    return CALL if mask[CALL] else CHECK


@kernel
def promise(v, seat):
    """How good a first card is for a hand: K best, A worst but for the 10, which is 0."""
    place = order(np.int64(v.up[seat, 0]))
    return 0 if place // SUITS == TEN else place + 1


@kernel
def is_most_promising(v, own):
    """Whether no live seat shows a better first card."""
    best = True
    for seat in range(v.seats):
        best &= not v.live[seat] or promise(v, seat) <= promise(v, own)
    return best


@kernel
def first_round(v, mask, own):
    """The choice on the first card alone."""
    if is_most_promising(v, own):
        return bet(mask, HALF)
    if mask[CHECK]:
        return CHECK
    return CALL if mask[MAX] or promise(v, own) > 0 else FOLD


@kernel
def choose(v, mask, rng):
    """The action for the view ``v`` of the seat to act."""
    own = v.turn
    if v.street == 0:
        return first_round(v, mask, own)
    wins = equity(v, own)
    share = 1 / live_seats(v)
    edge = (wins - share) / (1 - share)
    if edge > (GREAT if v.street < LAST else LAST_GREAT):
        return bet(mask, MAX)
    if v.street < LAST and edge > GOOD:
        return bet(mask, HALF)
    if mask[CHECK]:
        return CHECK
    return CALL if wins > price(v, own) else FOLD
