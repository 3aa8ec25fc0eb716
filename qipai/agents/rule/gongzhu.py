"""The rule bot of gongzhu: each card is tried on redealt hands; the last tricks are solved there.

What it can't see is dealt anew ``DEALS`` times by the game's own redeal, which keeps voids and
exposed cards. On every such deal each legal action is played out, all seats by ``policy``; with
``ENDING`` cards a seat or fewer the deal is solved exactly instead: each seat plays for the most
coins of R16 for itself (max^n; Luckhardt and Irani, "An algorithmic solution of N-person games",
1986), of equal cards the first. It plays what is best on average. The deals depend on the view
alone, so that equal views get equal answers.
"""

from __future__ import annotations

import numpy as np

from qipai.envs.gongzhu import (
    ACE_OF_HEARTS,
    ALL_HEARTS,
    CARD,
    DIAMONDS,
    EXPOSE,
    EXPOSING,
    GAME,
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
)
from qipai.envs.kernel import addressable, kernel
from qipai.envs.parts.cards import BIT, count_cards, highest_card, lowest_card
from qipai.envs.rng import seed_stream

DEALS = 8
ENDING = 3  # cards a seat
MOST_ACTIONS = GAME.actions.width
ALONE = 10  # hearts of one seat from which on the others keep one (R14)

HIGH_DIAMONDS = np.int64(read_set("DQ DK DA"))
TWO_HIGHEST_DIAMONDS = np.int64(read_set("DK DA"))
LOW_HEARTS = np.int64(read_set("H2 H3 H4 H5 H6 H7 HA"))
ABOVE_PIG = np.int64(read_set("SK SA"))
KEPT = PIG | ACE_OF_HEARTS | TRANSFORMER | SHEEP


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
    taken = s.taken[0] | s.taken[1] | s.taken[2] | s.taken[3]
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
    taken = s.taken[0] | s.taken[1] | s.taken[2] | s.taken[3]
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
    start = s.log_count - s.log_count % SEATS
    best, trick = np.int64(s.log[start]), np.int64(0)
    for i in range(start, s.log_count):
        card = np.int64(s.log[i])
        trick |= BIT[card]
        if card // IN_SUIT == led and card > best:
            best = card
    last = s.log_count - start == SEATS - 1
    points = raw_score(trick & ~TRANSFORMER, exposed_cards(s))
    above = cards & ~((BIT[best] << 1) - 1)
    below = cards & ~above
    if led == DIAMONDS and above and (points > 0 or (last and points == 0)):
        if last and above & SHEEP:
            return highest_card(above & SHEEP)
        return highest_card(above)
    if last and points >= 0:
        free = cards & ~(KEPT | (above & PIG))
        if below & PIG:
            return highest_card(PIG)
        return highest_card(free) if free else lowest_card(cards)
    if points == 0 and not s.led[led] and led != SPADES and led != HEARTS:
        free = cards & ~KEPT
        if free:
            return highest_card(free)
    ducks = below & ~SHEEP
    if ducks:
        return highest_card(ducks)
    free = cards & ~PIG & ~SHEEP
    if free == 0:
        return lowest_card(cards)
    return highest_card(free) if last else lowest_card(free)


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


# --- What an action is worth on one deal ---------------------------------------------------------


@kernel
def solve(tables, left, found):
    """``tables[1].due`` becomes what each seat gets if all play on for the most for themselves,
    with all hands open.

    Beyond are the tables one card later, each in turn. By number of table, ``left`` are the cards
    still to try there, ``found`` says whether its ``due`` is that of some card.
    """
    depth = 1
    left[depth] = 0 if tables[depth].ended else playable(tables[depth])
    found[depth] = False
    while True:
        if left[depth]:
            tables[depth + 1] = tables[depth]
            play_card(tables[depth + 1], lowest_card(left[depth]))
            left[depth] &= left[depth] - 1
            depth += 1
            left[depth] = 0 if tables[depth].ended else playable(tables[depth])
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
    seat, count = v.turn, 0
    for action in range(MOST_ACTIONS):
        sums[action] = 0
        count += mask[action]
    if v.phase == EXPOSING:
        return EXPOSE + exposure(v.cards[seat])
    if count == 1:
        return CARD + lowest_card(playable(v))
    solving = cards_left(v, seat) <= ENDING
    for number in range(DEALS):
        tables[0] = v
        seed_stream(tables[0].rng, np.uint64(v.cards[seat]), v.log_count * DEALS + number)
        redeal(tables[0], seat)
        for action in range(MOST_ACTIONS):
            if mask[action]:
                tables[1] = tables[0]
                apply(tables[1], np.int64(action))
                if solving:
                    solve(tables, left, found)
                else:
                    play_out(tables[1])
                sums[action] += tables[1].due[seat]
    best = -1
    for action in range(MOST_ACTIONS):
        if mask[action] and (best < 0 or sums[action] > sums[best]):
            best = action
    return best


def work() -> tuple[np.ndarray, ...]:
    """Room for tables, one for each card of an ending, and for the coins of each action."""
    depth = SEATS * ENDING + 2
    return (
        addressable(np.zeros(depth, STATE)),
        np.zeros(depth, np.int64),
        np.zeros(depth, np.bool_),
        np.zeros(MOST_ACTIONS, np.int64),
    )
