"""The rule bot of gongzhu: each card is tried on redealt hands; the last tricks are solved there.

What it can't see is dealt anew ``DEALS`` times by the game's own redeal, which keeps voids and
exposed cards. On every such deal each card that may be played is, and all seats play on by
``policy``; with ``ENDING`` cards a seat or fewer the deal is solved exactly instead: each seat
plays for the most coins of R16 for itself (max^n; Luckhardt and Irani, "An algorithmic solution of
N-person games", 1986), of equal cards the first in the order of the actions. It plays what is best
on average. The deals depend on the view alone, so that equal views get equal answers.
"""

from __future__ import annotations

import numpy as np

from qipai.envs.gongzhu import (
    ACE_OF_HEARTS,
    ALL,
    ALL_HEARTS,
    CARD,
    CARDS,
    DIAMONDS,
    EXPOSABLE,
    EXPOSE,
    EXPOSING,
    HEART_POINTS,
    HEARTS,
    IN_SUIT,
    PIG,
    SEATS,
    SHEEP,
    SPADES,
    STATE,
    SUIT_SET,
    SUITS,
    TRANSFORMER,
    apply,
    cards_left,
    exposed_cards,
    led_suit,
    play_card,
    playable,
    raw_score,
    read_set,
    redeal,
    taken_cards,
    trick_cards,
)
from qipai.envs.kernel import addressable, kernel
from qipai.envs.parts.cards import BIT, count_cards, highest_card, lowest_card
from qipai.envs.rng import seed_stream

DEALS = 12
ENDING = 3  # cards a seat
ALONE = 10  # hearts of one seat from which on the others keep one (R14)

HIGH_DIAMONDS = np.int64(read_set("DQ DK DA"))
LOW_HEARTS = np.int64(read_set("H2 H3 H4 H5 H6 H7 HA"))
ABOVE_PIG = np.int64(read_set("SK SA"))
KEPT = PIG | ACE_OF_HEARTS | TRANSFORMER | SHEEP

# What a card is worth as one that is taken: cards of equal worth and suit differ by rank alone.
WORTH = np.zeros(CARDS, np.int64)
WORTH[IN_SUIT * HEARTS : IN_SUIT * (HEARTS + 1)] = HEART_POINTS
for _k, _card in enumerate(EXPOSABLE):
    WORTH[highest_card(_card)] = 100 + _k


# --- What a seat does in a play-out --------------------------------------------------------------


@kernel
def exposure(cards):
    """Which of its cards a seat exposes, as a subset number."""
    subset = 0
    if cards & PIG and count_cards(cards & SUIT_SET[SPADES]) >= 6:
        subset |= 1
    if cards & ACE_OF_HEARTS:
        hearts = cards & ALL_HEARTS
        if count_cards(hearts) <= 3 and hearts & ~LOW_HEARTS == 0:
            subset |= 2
    if cards & SHEEP and count_cards(cards & HIGH_DIAMONDS) >= 2:
        subset |= 4
    return subset


@kernel
def suit_of_length(cards, longest):
    """The suit of a set that has the most cards, or the fewest."""
    best, found = -1, 0
    for suit in range(len(SUITS)):
        n = count_cards(cards & SUIT_SET[suit])
        if n and (best < 0 or (n > best if longest else n < best)):
            best, found = n, suit
    return found


@kernel
def lead(s, cards):
    """A spade below the pig while that is out; else the lowest card of the longest suit."""
    held = s.cards[s.turn]
    taken = taken_cards(s)
    spades = cards & SUIT_SET[SPADES] & ~ABOVE_PIG
    if spades and not (taken | held) & PIG and not held & ABOVE_PIG:
        return highest_card(spades)
    side = cards & ~(KEPT | SUIT_SET[SPADES])
    if side == 0:
        return lowest_card(cards)
    return lowest_card(side & SUIT_SET[suit_of_length(side, True)])


@kernel
def discard(s, cards):
    """The pig, the transformer, the highest heart, or of the shortest suit the highest card."""
    if cards & PIG:
        return highest_card(cards & PIG)
    taken = taken_cards(s)
    if cards & TRANSFORMER and not taken & SHEEP:
        return highest_card(cards & TRANSFORMER)
    hearts = cards & ALL_HEARTS
    if hearts:
        threat = False
        for seat in range(SEATS):
            threat |= seat != s.turn and count_cards(s.taken[seat] & ALL_HEARTS) >= ALONE
        if not threat or count_cards(hearts) > 1 or hearts == cards:
            return highest_card(hearts)
    others = cards & ~(SHEEP | ALL_HEARTS)
    if others == 0:
        others = cards & ~SHEEP
        if others == 0:
            return highest_card(cards)
    return highest_card(others & SUIT_SET[suit_of_length(others, False)])


@kernel
def follow(s, cards, led):
    """Duck under a trick that costs; take one that pays; be rid of high cards where it is free."""
    trick = trick_cards(s)
    best = highest_card(trick & SUIT_SET[led])
    last = s.log_count % SEATS == SEATS - 1
    points = raw_score(trick & ~TRANSFORMER, exposed_cards(s))
    above = cards & ~((BIT[best] << 1) - 1)
    below = cards & ~above
    if led == DIAMONDS and above and (points > 0 or (last and points == 0)):
        if last and above & SHEEP:
            return highest_card(above & SHEEP)
        return highest_card(above)
    if last and points >= 0:
        if below & PIG:
            return highest_card(PIG)
        free = cards & ~KEPT
        return highest_card(free) if free else lowest_card(cards)
    ducks = below & ~SHEEP
    if ducks:
        return highest_card(ducks)
    free = cards & ~(PIG | SHEEP)
    return highest_card(free) if free else lowest_card(cards)


@kernel
def policy(s):
    """What the seat to act does, by its own cards and what all see."""
    if s.phase == EXPOSING:
        return np.int64(EXPOSE + exposure(s.cards[s.turn]))
    cards, led = playable(s), led_suit(s)
    if cards & (cards - 1) == 0:
        return CARD + lowest_card(cards)
    if led < 0:
        return CARD + lead(s, cards)
    if cards & SUIT_SET[led]:
        return CARD + follow(s, cards, led)
    return CARD + discard(s, cards)


# --- Which cards need not be tried ----------------------------------------------------------------


@kernel
def different(cards, others):
    """Without those of a seat's cards that do what the next lower one does: none of ``others``,
    which rivals hold or have played to this trick, lies between, and they are worth as much."""
    kept, below = np.int64(0), -1
    while cards:
        card = lowest_card(cards)
        cards &= cards - 1
        alike = below >= 0 and below // IN_SUIT == card // IN_SUIT and WORTH[below] == WORTH[card]
        if not alike or others & (BIT[card] - BIT[below]):
            kept |= BIT[card]
        below = card
    return kept


@kernel
def to_try(s):
    """The cards that the seat to act has to try, with all hands open."""
    others = trick_cards(s)
    for seat in range(SEATS):
        if seat != s.turn:
            others |= s.cards[seat]
    return different(playable(s), others)


# --- What an action is worth on one deal ---------------------------------------------------------


@kernel
def solve(tables, left, found):
    """``tables[1].due`` becomes what each seat gets if all play on for the most for themselves,
    with all hands open.

    Beyond are the tables one card later, each in turn. By number of table, ``left`` are the cards
    still to try there, ``found`` says whether its ``due`` is that of some card.
    """
    depth = 1
    left[depth] = 0 if tables[depth].ended else to_try(tables[depth])
    found[depth] = False
    while True:
        if left[depth]:
            tables[depth + 1] = tables[depth]
            play_card(tables[depth + 1], lowest_card(left[depth]))
            left[depth] &= left[depth] - 1
            depth += 1
            left[depth] = 0 if tables[depth].ended else to_try(tables[depth])
            found[depth] = False
        elif depth == 1:
            return
        else:
            depth -= 1
            seat = tables[depth].turn
            if not found[depth] or tables[depth + 1].due[seat] > tables[depth].due[seat]:
                found[depth] = True
                for p in range(SEATS):
                    tables[depth].due[p] = tables[depth + 1].due[p]


@kernel
def play_out(s):
    """Play a table to the hand's end, all seats by ``policy``."""
    while not s.ended:
        apply(s, np.int64(policy(s)))


@kernel
def choose(v, mask, rng, work):
    """The action for the view ``v`` of the seat to act."""
    tables, left, found, sums = work
    seat = v.turn
    if v.phase == EXPOSING:
        return EXPOSE + exposure(v.cards[seat])
    others = ALL & ~(v.cards[seat] | taken_cards(v))
    cards = different(playable(v), others)
    if cards & (cards - 1) == 0:
        return CARD + lowest_card(cards)
    sums[:] = 0
    solving = cards_left(v, seat) <= ENDING
    for number in range(DEALS):
        tables[0] = v
        seed_stream(tables[0].rng, np.uint64(v.cards[seat]), v.log_count * DEALS + number)
        redeal(tables[0], seat)
        rest = cards
        while rest:
            card = lowest_card(rest)
            rest &= rest - 1
            tables[1] = tables[0]
            apply(tables[1], CARD + card)
            if solving:
                solve(tables, left, found)
            else:
                play_out(tables[1])
            sums[card] += tables[1].due[seat]
    best = lowest_card(cards)
    while cards:
        card = lowest_card(cards)
        cards &= cards - 1
        if sums[card] > sums[best]:
            best = card
    return CARD + best


def work() -> tuple[np.ndarray, ...]:
    """Room for tables, one for each card of an ending, and for the coins of each card."""
    depth = SEATS * ENDING + 2
    return (
        addressable(np.zeros(depth, STATE)),
        np.zeros(depth, np.int64),
        np.zeros(depth, np.bool_),
        np.zeros(CARDS, np.int64),
    )
