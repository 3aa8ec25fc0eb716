"""Rule bot of big two: plays what leaves its hand with the least burden.

A hand is split into the groups it would be played in: at most two of five cards, and what is left
by ranks. The burden of a group says how hard it is to get rid of: the more unseen groups beat it,
the harder. Added to that are the worth of having played last, and what an opponent with few cards
makes urgent.

A *burden* is counted in 32nds of a point; its five lowest bits count the losers, the groups that
some unseen group beats.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from qipai.envs.big_two import (
    BODIES,
    CARDS,
    DEALT,
    DECK,
    FLUSH,
    FOUR,
    FULL_HOUSE,
    KEY,
    KIND,
    OTHER_THREES,
    PASS,
    RANKS,
    ROW,
    SEATS,
    SINGLE,
    SIZE,
    STEP,
    STRAIGHT,
    STRAIGHT_FLUSH,
    Kind,
    default,
    flushes,
    fours,
    full_houses,
    is_row,
    must_have,
    play_of,
    several,
    some,
    step_towards,
    straight_flushes,
    straights,
    triples,
)
from qipai.envs.kernel import kernel
from qipai.envs.layout import NONE
from qipai.envs.parts.cards import BIT, count_cards, highest_card, lowest_card
from qipai.envs.parts.five_cards import ONE_SUIT

POINT = 32
MOST_FIVES = 60  # groups of five cards that are looked at
NEVER = -1_000_000
SURE = 1000  # what cannot be beaten and leaves at most one loser
FEW = 5  # with fewer cards an opponent may soon be out


class Weights(NamedTuple):
    """What counts how much, in points; found by play against itself."""

    single: int = -1  # burden of a group that cannot be beaten
    pair: int = 4
    triple: int = 4
    five: int = 18
    half_single: int = 4  # beaters that make it as likely as not to be beaten
    half_pair: int = 4
    half_triple: int = 2
    half_five: int = 40
    win: int = 10  # following with what cannot be beaten
    short: int = 2  # for each card that beats a single when an opponent has one card
    shed: int = 8  # a card less, for each card by which an opponent has fewer than FEW


WEIGHTS = Weights()


class Odds(NamedTuple):
    """What opponents may hold, as far as the view tells."""

    unseen: int  # the set of cards not seen
    least: int  # cards of the opponent with fewest
    most: int
    room: int  # 256ths: how many fives hands of this size hold, by those of full hands


def work():
    """Fives and their burdens; those of singles by card, of pairs and triples by rank."""
    return (
        np.zeros(MOST_FIVES, np.int64),
        np.zeros(MOST_FIVES, np.int64),
        np.zeros(CARDS, np.int64),
        np.zeros(RANKS, np.int64),
        np.zeros(RANKS, np.int64),
    )


# --- Odds ----------------------------------------------------------------------------------------


@kernel
def look(v, seat):
    """What a seat can tell about its opponents."""
    unseen = DECK & ~v.cards[seat]
    for card in range(CARDS):
        if v.played_in[card] >= 0:
            unseen &= ~BIT[card]
    least, most, room = DEALT, 0, 0
    for other in range(SEATS):
        left = v.left[other]
        if other != seat:
            least, most = min(least, left), max(most, left)
            if left >= ROW:
                room += 256 * left * left // (3 * DEALT * DEALT)
    return Odds(unseen, least, most, room)


@kernel
def higher_fives(body, unseen):
    """First steps of unseen fives that beat one."""
    found = 0
    for first, bodies in (
        (STRAIGHT, straights(unseen)),
        (FLUSH, flushes(unseen)),
        (FULL_HOUSE, full_houses(unseen)),
        (FOUR, fours(unseen)),
        (STRAIGHT_FLUSH, straight_flushes(unseen)),
    ):
        known = max(body + 1 - first, 0)
        if known < 64:
            found += count_cards(bodies >> known)
    return found


@kernel
def beaters(body, odds):
    """Unseen groups that beat a play, by its first step."""
    kind, key = KIND[body], np.int64(KEY[body])
    if SIZE[kind] > odds.most:
        return 0
    above = odds.unseen >> (key + 1) << (key + 1)
    if kind == Kind.SINGLE:
        return count_cards(above)
    if kind == Kind.PAIR:  # its better card is above
        return count_cards(several(odds.unseen) & some(above))
    if kind == Kind.TRIPLE:  # triple k is of the rank of card k
        return count_cards(triples(odds.unseen) & above)
    return (higher_fives(body, odds.unseen) * odds.room + 255) // 256


@kernel
def hardness(beaters, half):
    """0…14: how hard it is to get the lead with what so many others beat; ``half`` make it 7."""
    return 15 * beaters // (beaters + half)


@kernel
def half_of(kind, w):
    """So many beaters make it even odds to be beaten."""
    if kind == Kind.SINGLE:
        return w.half_single
    if kind == Kind.PAIR:
        return w.half_pair
    return w.half_triple if kind == Kind.TRIPLE else w.half_five


@kernel
def group_burden(body, odds, w):
    kind = KIND[body]
    hard = hardness(beaters(body, odds), half_of(kind, w))
    base = w.five
    if kind == Kind.SINGLE:
        base = w.single
    elif kind == Kind.PAIR:
        base = w.pair
    elif kind == Kind.TRIPLE:
        base = w.triple
    return POINT * (base + hard) + (1 if hard > 0 else 0)


# --- Fives ---------------------------------------------------------------------------------------


@kernel
def cheapest(cards, alone, count):
    """So many of the cards: first those that are alone in their rank, the lowest first."""
    taken = 0
    for pool in (cards & alone, cards & ~alone):
        while pool != 0 and count > 0:
            taken |= pool & -pool
            pool &= pool - 1
            count -= 1
    return taken


@kernel
def fill_straight(hand, body):
    """The lowest card of each rank, or one of another suit where all would be of one."""
    top = np.int64(KEY[body])
    suit, taken, spare = top % 4, BIT[top], 0
    for k in range(1, ROW):
        rank = (top // 4 - k) % RANKS
        cards = hand >> 4 * rank & 15
        taken |= (cards & -cards) << 4 * rank
        if cards & ~(1 << suit):
            spare = (cards & ~(1 << suit)) << 4 * rank
            spare &= -spare
    if taken & ~(ONE_SUIT << suit) == 0:
        rank = lowest_card(spare) // 4
        taken = (taken & ~(15 << 4 * rank)) | spare
    return taken


@kernel
def fill_flush(hand, body, alone, due):
    """The cheapest lower cards of the suit that make no straight; below a 2 there may be two."""
    top = np.int64(KEY[body])
    lower = hand & (ONE_SUIT << top % 4) & (BIT[top] - 1)
    taken = due | cheapest(lower & ~due, alone, ROW - 1 - count_cards(due))
    if is_row(taken | BIT[top]):
        other = lower & ~taken
        out = highest_card(taken)
        taken = (taken & ~BIT[out]) | (other & -other)
        if is_row(taken | BIT[top]):
            taken = lower & ~BIT[lowest_card(lower)]
    return taken | BIT[top]


@kernel
def fill(hand, body, due):
    """The cards of the whole play, which must have ``due``, that cost the hand least."""
    kind, alone = KIND[body], hand & ~(several(hand) * 15)
    if kind == Kind.STRAIGHT:
        return fill_straight(hand & ~OTHER_THREES if due else hand, body)
    if kind == Kind.FLUSH:
        return fill_flush(hand, body, alone, due)
    if kind == Kind.FOUR:
        rest = hand & ~STEP[body]
        kicker = due & rest
        return STEP[body] | (kicker if kicker else cheapest(rest, alone, 1))
    if kind == Kind.FULL_HOUSE:
        return STEP[body] | pair_for(hand & ~(15 << 4 * (KEY[body] // 4)), due & ~STEP[body])
    return STEP[body]


@kernel
def pair_for(hand, due):
    """The lowest pair, if possible of a rank with just two cards, or the one with ``due``."""
    best, least = 0, 1 << 60
    twos = several(hand)
    while twos != 0:
        rank = lowest_card(twos) // 4
        twos &= twos - 1
        cards = hand >> 4 * rank & 15
        low = cards & -cards
        pair = (low | ((cards ^ low) & -(cards ^ low))) << 4 * rank
        cost = rank + RANKS * (count_cards(cards) - 2)
        if cost < least and pair & due == due:
            best, least = pair, cost
    return best


@kernel
def note_fives(hand, bodies, first, odds, w, sets, burdens, count):
    """Add the fives with these first steps to those noted; how many there are."""
    while bodies != 0 and count < MOST_FIVES:
        body = first + lowest_card(bodies)
        bodies &= bodies - 1
        sets[count] = fill(hand, body, 0)
        burdens[count] = group_burden(body, odds, w)
        count += 1
    return count


@kernel
def find_fives(hand, odds, w, room):
    """Note one five for each first step; how many there are."""
    sets, burdens, _, _, _ = room
    count = 0
    if count_cards(hand) >= ROW:
        count = note_fives(hand, straight_flushes(hand), STRAIGHT_FLUSH, odds, w, sets, burdens, 0)
        count = note_fives(hand, fours(hand), FOUR, odds, w, sets, burdens, count)
        count = note_fives(hand, full_houses(hand), FULL_HOUSE, odds, w, sets, burdens, count)
        count = note_fives(hand, flushes(hand), FLUSH, odds, w, sets, burdens, count)
        count = note_fives(hand, straights(hand), STRAIGHT, odds, w, sets, burdens, count)
    return count


# --- Burden --------------------------------------------------------------------------------------


@kernel
def prepare(hand, odds, w, room):
    """Note the burdens of all groups in a hand; how many fives there are."""
    _, _, singles, twos, threes = room
    for card in range(CARDS):
        if hand & BIT[card]:
            singles[card] = group_burden(SINGLE + card, odds, w)
    for rank in range(RANKS):
        cards = hand & (15 << 4 * rank)
        count = count_cards(cards)
        if count >= 2:
            top = highest_card(cards)
            low = lowest_card(cards)
            twos[rank] = group_burden(play_of(BIT[top] | BIT[low]), odds, w)
        if count >= 3:
            low = lowest_card(cards)
            threes[rank] = group_burden(
                play_of(cards if count == 3 else cards & ~BIT[low]), odds, w
            )
    return find_fives(hand, odds, w, room)


@kernel
def loose_burden(hand, room):
    """The burden of singles, pairs and triples."""
    _, _, singles, twos, threes = room
    total = 0
    while hand != 0:
        low = lowest_card(hand)
        rank = low // 4
        cards = hand >> 4 * rank & 15
        hand &= ~(15 << 4 * rank)
        alone = cards & (cards - 1) == 0
        if alone:
            total += singles[low]
            continue
        count = count_cards(cards)
        if count == 2:
            other = 4 * rank + highest_card(cards)
            total += min(twos[rank], singles[low] + singles[other])
        elif count == 3:
            total += min(threes[rank], twos[rank] + singles[4 * rank + highest_card(cards)])
        else:
            total += 2 * twos[rank]
    return total


@kernel
def burden(hand, fives, room):
    """The least burden of a hand over its splits with up to two of the fives noted."""
    sets, burdens, _, _, _ = room
    best = loose_burden(hand, room)
    for i in range(fives):
        if sets[i] & ~hand == 0:
            rest = hand & ~sets[i]
            best = min(best, burdens[i] + loose_burden(rest, room))
            for k in range(i + 1, fives):
                if sets[k] & ~rest == 0:
                    both = burdens[i] + burdens[k]
                    best = min(best, both + loose_burden(rest & ~sets[k], room))
    return best


# --- Decisions -----------------------------------------------------------------------------------


@kernel
def play_worth(v, seat, body, cards, fives, odds, w, room):
    """What it is worth to play these cards."""
    rest = v.cards[seat] & ~cards
    if rest == 0:
        return -NEVER
    size, n = count_cards(cards), beaters(body, odds)
    left = burden(rest, fives, room)
    losers = left % POINT
    worth = -left
    if v.to_beat != NONE:
        half = 2 * half_of(KIND[body], w)
        worth += POINT * w.win * half // (half + n)
    if n == 0 and losers <= 1:
        worth += POINT * SURE
    if size == 1 and odds.least == 1:
        worth -= POINT * w.short * n
    if odds.least < FEW:
        worth += POINT * w.shed * size * (FEW - odds.least)
    return worth


@kernel
def decide(v, mask, room, w):
    """The action with these weights."""
    seat = v.turn
    hand, due = v.cards[seat], must_have(v)
    if v.body != NONE:
        step = step_towards(v, fill(hand, np.int64(v.body), due))
        return step if step >= 0 and mask[step] else default(v)
    odds = look(v, seat)
    fives = prepare(hand, odds, w, room)
    best, action = NEVER * POINT, PASS
    if v.to_beat != NONE:
        best = -burden(hand, fives, room)
    for body in range(SINGLE, BODIES):
        if mask[body]:
            worth = play_worth(v, seat, body, fill(hand, body, due), fives, odds, w, room)
            if worth > best:
                best, action = worth, body
    return action


@kernel
def choose(v, mask, rng, room):
    """The action for the view ``v`` of the seat to act."""
    return decide(v, mask, room, WEIGHTS)
