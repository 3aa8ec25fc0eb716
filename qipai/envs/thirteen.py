"""Thirteen (十三張): front, middle and back of rising strength, each seat against the banker alone.

R1 52 cards, shuffled afresh each hand. ♠ > ♥ > ♣ > ♦; A > K > … > 2.
R2 2–4 seats in playing order. A seat is in a hand if it has not left and owns at least min_bet.
R3 A banker (莊) sits for ``tenure`` hands, with a highest bet M of a twelfth of what he owned at
   their start, rounded down. A seat may begin if it is in and its M is at least min_bet: in the
   first hand one of those, by lot; after a tenure, or when the banker has left, the next of them.
R4 The match ends after ``hands`` hands, when fewer than two seats are in, or when a tenure has to
   begin and nobody may begin it.
R5 Each other seat in (閒) bets before the deal, concealed until all have bet. Level k of 5 is
   min_bet + (k − 1)(M − min_bet)/4, rounded down; it is legal if the seat's coins cover it and it
   is more than level k − 1.
R6 Thirteen cards each, one at a time in playing order from the banker. What is left over is never
   shown.
R7 Five cards, from low: single 單張, pair 一對, two pair 兩對半, trips 三散牌, straight 順子 (蛇),
   flush 花, full house 俘虜, quads 四杠, straight flush 同花順 (蛇杠).
R8 The front (頭) of three: single, pair 一對半, trips.
R9 Singles: ranks from high to low, then the suit of the highest card.
R10 Pairs: the pair's rank, the other ranks from high to low, then the better best suit in the pair.
R11 Two pair: higher pair, lower pair, single card, then the better best suit in the higher pair.
R12 Trips, full house, quads: the rank of the three or four.
R13 Straights: 10-J-Q-K-A and A-2-3-4-5 are the highest, by the suit of their ace; then K high down
   to 6 high, by rank and suit of the highest card. ``low_ace`` puts A-2-3-4-5 just below
   10-J-Q-K-A (second), or below 6 high with the 5 as its highest card (lowest).
R14 Flushes: the suit first; in one suit the ranks from high to low.
R15 Straight flushes: the suit first; in one suit as straights.
R16 A layout is a foul 烏龍 unless front < middle < back (中, 尾), suits included.
R17 Front and middle: a lower type is below. Two singles: the front's ranks and the middle's three
   highest, then the suit of the highest card. Two pairs: their rank, the front's single and the
   middle's highest one, then the better best suit in the pair. Two trips: their rank.
R18 Fouls may be laid. With ``allow_foul`` false only what can still become a layout without foul.
R19 A dragon 一條龍, thirteen different ranks, is shown after the deal and laid by the system:
   2-3-4, 5-9, 10-A 免擺.
R20 The banker and each 閒 compare segment with segment. Who wins two of three wins the bet.
R21 A foul loses to every layout without foul; two fouls push.
R22 A dragon beats all but a dragon; of two the one with the better ace (``dragon_wins`` false: it
   is compared as laid).
R23 The loser pays the winner the bet of the 閒.
R24 If the banker has a dragon, or every 閒 still there, nobody lays cards (``dragon_wins`` false:
   all others do).
R25 A 閒 that leaves (逃跑) loses its bet to the banker, min_bet if it had not bet yet.
R26 A banker who leaves pays every 閒 that is still there its bet, min_bet if it had not bet yet,
   and the hand ends; it also ends when no 閒 is left. Cards not shown by then never are. The hand
   counts, and the tenure ends.
R27 A seat that left is in no later hand. No answer: level 1, and the *house layout*: no foul if
   possible, then the greatest back, middle, front, then back before middle before front.

Cards are placed in the order A, K, … 2, in a rank ♠ ♥ ♣ ♦, so that each layout is one sequence.
What can go to one place only goes there unasked. A whole layout is written as letters,
``bffmmmmmfbbbb``, or as cards, ``DA HK D6|DJ D10 C9 S8 H7|SA C5 C4 S3 H2``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from enum import IntEnum
from math import comb
from typing import Any

import numpy as np

from qipai.envs import options
from qipai.envs.fields import Field, Fields, unlike
from qipai.envs.game import Game
from qipai.envs.kernel import addressable, kernel
from qipai.envs.layout import HIDDEN, NONE, Actions, Observation, Range, hand_range, put_seat
from qipai.envs.match import ENDED, PLAYING, as_begun, close_hand, count_seats, next_seat
from qipai.envs.options import MAX_COINS, OptionError, Options, choice, flag, integer
from qipai.envs.parts.bank import (
    LEVELS,
    all_have_bet,
    bank_fields,
    bet_faults,
    hide_bets,
    level_within,
    next_banker,
    redeal_bets,
)
from qipai.envs.parts.cards import (
    ACE,
    BIT,
    CARD_NAMES,
    card_field,
    card_name,
    deck_contradiction,
    parse_card,
    shuffle_deck,
)
from qipai.envs.parts.five_cards import (
    FLUSH,
    FOUR,
    FULL_HOUSE,
    HAND_NAMES,
    HIGH_CARD,
    PAIR,
    STRAIGHT,
    STRAIGHT_FLUSH,
    THREE,
    TWO_PAIRS,
)
from qipai.envs.rng import conceal_rng, shuffle
from qipai.envs.scene import BACK, Place, Scene, Zone, cards_seen

VERSION = 0

# --- Dimensions ----------------------------------------------------------------------------------

SEATS = 4
CARDS = len(CARD_NAMES)
HAND = 13
SEGMENTS = ("front", "middle", "back")
FRONT, MIDDLE, BEHIND = range(3)
ROOM = (3, 5, 5)  # cards of a segment
TENURE = 4
DRAGON = np.repeat((BEHIND, MIDDLE, FRONT), ROOM[::-1])  # where its cards lie, from high to low
PART = 12  # the highest bet is this part of the banker's coins (R3)
BETTING, LAYING = range(2)  # phases

# --- Options -------------------------------------------------------------------------------------


class LowAce(IntEnum):  # the place of A-2-3-4-5 among straights (R13)
    TOP = 0
    SECOND = 1
    LOWEST = 2


RULES = Options(
    options.seats(4, low=2, high=SEATS, clause="R2"),
    options.hands("R4"),
    options.stack(120_000, seats=SEATS, clause="R3"),
    integer("min_bet", 2000, low=1, high=MAX_COINS, meaning="room minimum", clause="R2, R5"),
    integer("tenure", TENURE, low=1, high=TENURE, meaning="hands a banker sits", clause="R3"),
    choice("low_ace", LowAce.TOP, meaning="place of A-2-3-4-5", clause="R13"),
    flag("allow_foul", True, meaning="may a foul be laid", clause="R18"),
    flag("dragon_wins", True, meaning="a dragon beats all else", clause="R22"),
    presets={"round": {"hands": 16}, "no_foul": {"allow_foul": False}},
)


def check(rules: Mapping[str, Any]) -> None:
    """OptionError if no first hand could be played (R2, R3)."""
    low, stack = rules["min_bet"], rules["stack"]
    if sum(coins >= low for coins in stack) < 2 or max(stack) < PART * low:
        raise OptionError(
            f"thirteen: stack={list(stack)!r} with min_bet={low} lets nobody play; allowed: at "
            f"least two stacks of min_bet ({low}) or more, one of them of {PART} · min_bet"
        )


# --- Actions -------------------------------------------------------------------------------------

ACTIONS = Actions()
LEVEL = ACTIONS.add("bet", [f"bet {k + 1}" for k in range(LEVELS)], "betting, the level is open")
PLACE = ACTIONS.add(
    "place", SEGMENTS, "laying: the next card; the segment has room, and R18 allows it"
)

# --- State ---------------------------------------------------------------------------------------

FIELDS = Fields(
    RULES,
    SEATS,
    card_field("deck", "cards still to deal; none: dealt", CARDS, hidden=True),
    Field.number("dealt", CARDS, "cards dealt so far"),
    Field.choice("phase", ("betting", "laying"), "what is being done"),
    *bank_fields(SEATS),
    Field.number("sat", TENURE, "hands of the banker's tenure, this one included", kept=True),
    Field.coins("max_bet", "M, the highest bet of the tenure (R3)", kept=True),
    Field.flag("gone", "has left in this hand", SEATS),
    card_field("cards", "from high to low", (SEATS, HAND), hidden=True),
    Field.flag("dragon", "holds a dragon, which all see (R19)", SEATS),
    Field.choice(
        "laid",
        SEGMENTS,
        "where each card lies; none: nowhere yet",
        (SEATS, HAND),
        empty=True,
        hidden=True,
    ),
    Field.flag("done", "has laid all cards", SEATS),
    Field.number("placed", HAND, "cards that the seat to act has placed"),
    Field.flag("open", "where its next card may go", len(SEGMENTS)),
    Field.flag("shown", "all cards lie face up"),
)
STATE = FIELDS.dtype

# --- Sets of a seat's cards: bit 12 − i is its card i, so that higher bits are higher cards ------

ALL = (1 << HAND) - 1
SETS = np.arange(ALL + 1)
SIZE = np.array([bin(cards).count("1") for cards in SETS])
# Which cards a set of at most five has, from high to low.
MEMBERS = np.array(
    [([i for i in range(HAND) if cards >> (HAND - 1 - i) & 1] + [0] * 5)[:5] for cards in SETS],
    np.int8,
)
# All sets by size, smaller numbers first: of the k lowest cards come first in their size.
BY_SIZE = np.argsort(SIZE, kind="stable")
FIRST = np.searchsorted(SIZE[BY_SIZE], np.arange(HAND + 2))
TRIES, STRIDE = 12, 59  # sets that are tried first, and from one of them to the next
WAYS = np.array([[comb(n, k) for k in range(6)] for n in range(HAND + 1)])
THREES, FIVES = (BY_SIZE[FIRST[k] : FIRST[k + 1]] for k in (ROOM[FRONT], ROOM[BEHIND]))


@kernel
def set_laid(s, seat, segment):
    """The cards of a seat that lie in a segment."""
    cards = np.int64(0)
    for i in range(HAND):
        cards |= np.int64(s.laid[seat, i] == segment) << (HAND - 1 - i)
    return cards


@kernel
def set_placed(count):
    """The first cards, so many."""
    return ALL ^ (ALL >> count)


# --- What a segment is worth (R7–R17) ------------------------------------------------------------

# By which neighbours of five cards from high to low are of one rank: bit k for card k and k + 1.
KIND = np.zeros(16, np.int64)
KIND[[1, 2, 4, 8]] = PAIR
KIND[[5, 9, 10]] = TWO_PAIRS
KIND[[3, 6, 12]] = THREE
KIND[[11, 13]] = FULL_HOUSE
KIND[[7, 14]] = FOUR
TOP_STRAIGHT = ACE + 1  # 10-J-Q-K-A, which leaves the place below it free (R13)
FIVE_HIGH = 3  # rank of the 5
# A front's value has no fourth and fifth card; a middle's is compared without them (R17).
WITHOUT_LAST = ~np.int64(0xFF << 2)


@kernel
def worth(kind, first, second, ranks, suit):
    """The value of a segment: the higher one wins."""
    return ((((kind * 16 + first) * 16 + second) << 20) + ranks) * 4 + suit


@kernel
def straight(high, second, low, low_ace):
    """The place among straights of five different ranks, by two highest and the lowest one; 0 if
    they are none."""
    if high - low == 4:
        return TOP_STRAIGHT if high == ACE else high
    if high == ACE and second == FIVE_HIGH and low == 0:
        if low_ace == LowAce.LOWEST:
            return FIVE_HIGH
        return TOP_STRAIGHT if low_ace == LowAce.TOP else ACE
    return 0


@kernel
def value_of_five(a, b, c, d, e, low_ace):
    """What five cards from high to low are worth as middle or back (R7, R9–R15)."""
    ra, rb, rc, rd, re = a >> 2, b >> 2, c >> 2, d >> 2, e >> 2
    alike = (ra == rb) + 2 * (rb == rc) + 4 * (rc == rd) + 8 * (rd == re)
    if alike == 0:
        ranks = (((ra * 16 + rb) * 16 + rc) * 16 + rd) * 16 + re
        suit, place = a & 3, straight(ra, rb, re, low_ace)
        if (a ^ b | a ^ c | a ^ d | a ^ e) & 3 == 0:
            if place > 0:
                return worth(STRAIGHT_FLUSH, suit, place, 0, 0)
            return worth(FLUSH, suit, 0, ranks, 0)
        if place > 0:
            return worth(STRAIGHT, place, 0, 0, b & 3 if place == FIVE_HIGH else suit)
        return worth(HIGH_CARD, ra, 0, ranks, suit)
    kind = KIND[alike]
    if kind >= THREE:
        return worth(kind, rc, 0, 0, 0)
    if kind == TWO_PAIRS:  # the second card is in the higher pair, the fourth in the lower one
        single = ra + rc + re - rb - rd
        return worth(kind, rb, rd, single, (a if ra == rb else b) & 3)
    if alike == 1:
        return worth(kind, ra, 0, (rc * 16 + rd) * 16 + re, a & 3)
    if alike == 2:
        return worth(kind, rb, 0, (ra * 16 + rd) * 16 + re, b & 3)
    if alike == 4:
        return worth(kind, rc, 0, (ra * 16 + rb) * 16 + re, c & 3)
    return worth(kind, rd, 0, (ra * 16 + rb) * 16 + rc, d & 3)


@kernel
def value_of_three(a, b, c):
    """What three cards from high to low are worth in front (R8–R10, R12)."""
    ra, rb, rc = a >> 2, b >> 2, c >> 2
    if ra == rc:
        return worth(THREE, ra, 0, 0, 0)
    if ra == rb:
        return worth(PAIR, ra, 0, rc << 8, a & 3)
    if rb == rc:
        return worth(PAIR, rb, 0, ra << 8, b & 3)
    return worth(HIGH_CARD, ra, 0, ((ra * 16 + rb) * 16 + rc) << 8, a & 3)


@kernel
def is_below(front, middle):
    """Whether a front of this value goes with a middle of that one (R17)."""
    return front < middle & WITHOUT_LAST


@kernel
def card_of(s, seat, cards, k):
    """Card k from the top of a set of a seat's cards."""
    return np.int64(s.cards[seat, MEMBERS[cards, k]])


@kernel
def front_value(s, seat, cards):
    """What a set of three of a seat's cards is worth in front."""
    return value_of_three(
        card_of(s, seat, cards, 0), card_of(s, seat, cards, 1), card_of(s, seat, cards, 2)
    )


@kernel
def five_value(s, seat, cards):
    """What a set of five of a seat's cards is worth as middle or back."""
    return value_of_five(
        card_of(s, seat, cards, 0),
        card_of(s, seat, cards, 1),
        card_of(s, seat, cards, 2),
        card_of(s, seat, cards, 3),
        card_of(s, seat, cards, 4),
        s.rules.low_ace,
    )


@kernel
def layout_values(s, seat):
    """What front, middle and back of a seat that has laid all cards are worth."""
    front, middle = set_laid(s, seat, FRONT), set_laid(s, seat, MIDDLE)
    return (
        front_value(s, seat, front),
        five_value(s, seat, middle),
        five_value(s, seat, ALL ^ front ^ middle),
    )


@kernel
def is_foul(front, middle, back):
    """Whether segments of these values are a foul (R16)."""
    return not (is_below(front, middle) and middle < back)


# --- Who plays, who banks, bets (R2–R5) ----------------------------------------------------------


@kernel
def is_in(s, seat):  # R2
    return not s.away[seat] and s.stack[seat] >= s.rules.min_bet


@kernel
def may_bank(s, seat):  # R3
    return is_in(s, seat) and s.stack[seat] // PART >= s.rules.min_bet


@kernel
def tenure_ends(s):
    """Whether the next hand has to begin a tenure."""
    return s.sat >= s.rules.tenure or s.away[s.banker]


@kernel
def is_playable(s):
    """Whether another hand can be played (R4)."""
    return count_seats(s, is_in) >= 2 and (not tenure_ends(s) or count_seats(s, may_bank) > 0)


@kernel
def level(s, seat, k):
    """Coins that a seat bets by level k, counted from 0; 0 if that is not on offer (R5)."""
    return level_within(s.stack[seat], s.rules.min_bet, s.max_bet, k)


@kernel
def deal(s):
    shuffle_deck(s)
    if s.hand == 0 or tenure_ends(s):
        s.banker = next_banker(s, may_bank)
        s.sat = 0
    s.sat += 1
    open_betting(s)


@kernel
def open_betting(s):
    """Start the hand that follows from ``deck``, ``banker`` and ``sat``."""
    if s.sat == 1:
        s.max_bet = s.stack[s.banker] // PART
    for seat in range(s.seats):
        s.joined[seat] = is_in(s, seat)
    next_bet(s)


@kernel
def next_bet(s):
    """On to the next seat that has a choice of bets, or to the deal."""
    if all_have_bet(s, LEVELS, level):
        deal_cards(s)


# --- Deal (R6, R19) ------------------------------------------------------------------------------


@kernel
def stays(s, seat):
    """Whether a seat is in the hand and has not left it."""
    return s.joined[seat] and not s.gone[seat]


@kernel
def deal_cards(s):  # R6
    for k in range(HAND):
        for i in range(s.seats):
            seat = (s.banker + i) % s.seats
            if stays(s, seat):
                s.cards[seat, k] = s.deck[s.dealt]
                s.deck[s.dealt] = NONE
                s.dealt += 1
    s.phase = LAYING
    for seat in range(s.seats):
        if stays(s, seat):
            sort_cards(s, seat)
            if is_dragon(s, seat):
                s.dragon[seat] = 1
                lay_dragon(s, seat)
    next_layer(s)


@kernel
def sort_cards(s, seat):
    """Put a seat's cards into their order, from high to low."""
    held = np.int64(0)
    for k in range(HAND):
        held |= BIT[s.cards[seat, k]]
    k = 0
    for card in range(CARDS - 1, -1, -1):
        if held & BIT[card]:
            s.cards[seat, k] = card
            k += 1


@kernel
def is_dragon(s, seat):
    """Whether a seat's cards, from high to low, are of thirteen different ranks (R19)."""
    count = 0
    for k in range(HAND):
        count += s.cards[seat, k] // 4 == HAND - 1 - k
    return count == HAND


@kernel
def lay_dragon(s, seat):
    for k in range(HAND):
        s.laid[seat, k] = DRAGON[k]
    s.done[seat] = 1


# --- Laying (R16–R19, R24) -----------------------------------------------------------------------


@kernel
def is_decided(s):
    """Whether dragons decide the hand, so that nobody lays cards (R24)."""
    if not s.rules.dragon_wins:
        return False
    others = 0
    for seat in range(s.seats):
        others += seat != s.banker and stays(s, seat) and not s.dragon[seat]
    return s.dragon[s.banker] == 1 or others == 0


@kernel
def next_layer(s):
    """On to the next seat that has to lay its cards, or to the settlement."""
    if not is_decided(s):
        for k in range(1, s.seats + 1):
            seat = (s.banker + k) % s.seats
            if stays(s, seat) and not s.done[seat]:
                s.turn = seat
                s.placed = 0
                place_forced(s)
                return
    show_down(s)


@kernel
def place(s, segment):
    """The next card of the seat to act goes to a segment."""
    s.laid[s.turn, s.placed] = segment
    s.placed += 1


@kernel
def place_forced(s):
    """Place cards as long as there is one way to; then say where the next one may go."""
    while s.placed < HAND:
        find_open(s)
        ways, only = 0, 0
        for segment in range(len(SEGMENTS)):
            if s.open[segment]:
                ways += 1
                only = segment
        if ways != 1:
            return
        place(s, only)
    s.open[:] = 0


@kernel
def find_open(s):
    """Where the next card may go: there is room, and R18 allows it."""
    front, middle = set_laid(s, s.turn, FRONT), set_laid(s, s.turn, MIDDLE)
    back, rooms = set_placed(s.placed) ^ front ^ middle, 0
    for segment in range(len(SEGMENTS)):
        lie = front if segment == FRONT else middle if segment == MIDDLE else back
        s.open[segment] = SIZE[lie] < ROOM[segment]
        rooms += s.open[segment]
    if s.rules.allow_foul or rooms == 1:  # what has been placed can always be completed
        return
    card = 1 << (HAND - 1 - s.placed)
    for segment in range(len(SEGMENTS)):
        if s.open[segment]:
            ahead = front | card if segment == FRONT else front
            between = middle | card if segment == MIDDLE else middle
            s.open[segment] = can_complete(s, s.turn, ahead, between, s.placed + 1)


@kernel
def subset(size, k):
    """Set k of all sets of so many cards."""
    return BY_SIZE[FIRST[size] + k]


@kernel
def rises(s, seat, front, front_worth, middle, middle_worth):
    """Whether a layout with these sets in front and middle, of these values, is no foul (R16)."""
    if not is_below(front_worth, middle_worth):
        return False
    return middle_worth < five_value(s, seat, ALL ^ front ^ middle)


@kernel
def can_complete(s, seat, front, middle, count):
    """Whether there is a layout without foul that begins with ``count`` cards, these sets of them
    in front and middle (R18)."""
    left, room = HAND - count, (ROOM[FRONT] - SIZE[front], ROOM[MIDDLE] - SIZE[middle])
    fronts, middles = WAYS[left, room[0]], WAYS[left, room[1]]
    # Mostly one of a few scattered middles will do, with the lowest front beside it.
    for j in range(min(TRIES, middles)):
        between, i = middle | subset(room[1], j * STRIDE % middles), 0
        while subset(room[0], i) & between:
            i += 1
        ahead = front | subset(room[0], i)
        front_worth, middle_worth = front_value(s, seat, ahead), five_value(s, seat, between)
        if rises(s, seat, ahead, front_worth, between, middle_worth):
            return True
    least = front_value(s, seat, front | subset(room[0], 0))
    for i in range(1, fronts):
        least = min(least, front_value(s, seat, front | subset(room[0], i)))
    for j in range(middles):
        between = middle | subset(room[1], j)
        middle_worth = five_value(s, seat, between)
        if not is_below(least, middle_worth):
            continue
        for i in range(fronts):
            ahead = front | subset(room[0], i)
            if ahead & between == 0:
                front_worth = front_value(s, seat, ahead)
                if rises(s, seat, ahead, front_worth, between, middle_worth):
                    return True
    return False


@kernel
def legal(s, mask):
    if s.phase == BETTING:
        for k in range(LEVELS):
            mask[LEVEL + k] = level(s, s.turn, k) > 0
    else:
        for segment in range(len(SEGMENTS)):
            mask[PLACE + segment] = s.open[segment]


@kernel
def apply(s, action):
    if s.phase == BETTING:
        s.bet[s.turn] = level(s, s.turn, action - LEVEL)
        next_bet(s)
        return
    place(s, action - PLACE)
    place_forced(s)
    if s.placed == HAND:
        s.done[s.turn] = 1
        s.placed = 0
        next_layer(s)


# --- The house layout (R27) ----------------------------------------------------------------------


@kernel
def comes_first(front, middle, other_front, other_middle):
    """Whether of two layouts, by their fronts and middles, the first has earlier letters."""
    differ = (front ^ other_front) | (middle ^ other_middle)
    for k in range(HAND - 1, -1, -1):
        card = 1 << k
        if differ & card:
            # Back comes before middle, middle before front.
            return (not (front | middle) & card) or (other_front & card != 0)
    return False


@kernel
def house_layout(s, seat, front, middle, count):
    """Front and middle of the house layout that begins with ``count`` cards, these sets of them in
    front and middle."""
    placed = set_placed(count)
    back = placed ^ front ^ middle
    best_front, best_middle = np.int64(0), np.int64(0)
    for fouls in range(2):
        best = (np.int64(-1), np.int64(-1), np.int64(-1))
        for i in range(len(FIVES) - 1, -1, -1):
            behind = FIVES[i]
            if behind & placed != back:
                continue
            back_worth = five_value(s, seat, behind)
            if back_worth < best[0]:
                continue
            for j in range(len(FIVES) - 1, -1, -1):
                between = FIVES[j]
                if between & behind or between & placed != middle:
                    continue
                middle_worth = five_value(s, seat, between)
                if (back_worth, middle_worth) < best[:2]:
                    continue
                ahead = ALL ^ behind ^ between
                front_worth = front_value(s, seat, ahead)
                if not fouls and is_foul(front_worth, middle_worth, back_worth):
                    continue
                found = (back_worth, middle_worth, front_worth)
                if found > best or (
                    found == best and comes_first(ahead, between, best_front, best_middle)
                ):
                    best, best_front, best_middle = found, ahead, between
        if best[0] >= 0:
            break
    return best_front, best_middle


@kernel
def segment_of(front, middle, k):
    """Where card k lies, with these sets in front and middle."""
    card = 1 << (HAND - 1 - k)
    return FRONT if front & card else MIDDLE if middle & card else BEHIND


@kernel
def default(s):
    if s.phase == BETTING:
        return LEVEL
    front, middle = set_laid(s, s.turn, FRONT), set_laid(s, s.turn, MIDDLE)
    front, middle = house_layout(s, s.turn, front, middle, s.placed)
    return PLACE + segment_of(front, middle, s.placed)


# --- Settlement (R20–R26) ------------------------------------------------------------------------


@kernel
def outcome(s, seat):
    """1, 0 or −1: the layout of a 閒 wins, pushes or loses against the banker's (R20–R22)."""
    if s.rules.dragon_wins and (s.dragon[seat] or s.dragon[s.banker]):
        if s.dragon[seat] and s.dragon[s.banker]:
            return 1 if s.cards[seat, 0] > s.cards[s.banker, 0] else -1
        return 1 if s.dragon[seat] else -1
    front, middle, back = layout_values(s, seat)
    bank_front, bank_middle, bank_back = layout_values(s, s.banker)
    foul = is_foul(front, middle, back)
    bank_foul = is_foul(bank_front, bank_middle, bank_back)
    if foul or bank_foul:
        return np.int64(bank_foul) - np.int64(foul)
    wins_front, wins_middle = front > bank_front, middle > bank_middle
    won = wins_front if wins_front == wins_middle else back > bank_back
    return 1 if won else -1


@kernel
def result(s, seat):
    """1, 0 or −1: what a 閒 wins, in bets, in the hand that ends now (R20–R22, R25, R26)."""
    if s.gone[s.banker]:
        return 0 if s.gone[seat] else 1
    return -1 if s.gone[seat] else outcome(s, seat)


@kernel
def staked(s, seat):
    """What a 閒 has bet, or counts as its bet if it or the banker left before (R25, R26)."""
    return s.bet[seat] if s.bet[seat] >= 0 else s.rules.min_bet


@kernel
def show_down(s):
    """All cards are turned up."""
    s.shown = True
    settle(s)


@kernel
def settle(s):
    for seat in range(s.seats):
        if seat != s.banker and (s.joined[seat] or s.gone[seat]):
            won = result(s, seat) * staked(s, seat)
            s.coins[seat] += won
            s.coins[s.banker] -= won
    close_hand(s)
    if not is_playable(s):  # R4
        s.over = ENDED


@kernel
def has_ended_early(s):
    """Whether the banker or every 閒 has left (R26)."""
    others = 0
    for seat in range(s.seats):
        others += seat != s.banker and stays(s, seat)
    return others == 0 or s.gone[s.banker] == 1


@kernel
def take_back(s, seat):
    """A seat that is laying cards takes them up again."""
    if s.turn == seat and not s.done[seat]:
        s.laid[seat, :] = NONE
        s.placed = 0
        s.open[:] = 0


@kernel
def leave(s, seat):
    if not s.joined[seat]:
        return
    s.gone[seat] = 1
    if s.phase == BETTING and s.bet[seat] == NONE and seat != s.banker:
        s.joined[seat] = 0
    take_back(s, seat)
    if has_ended_early(s):
        take_back(s, s.turn)
        settle(s)
    elif s.phase == BETTING:
        next_bet(s)
    elif s.turn == seat or is_decided(s):
        next_layer(s)


# --- What a seat sees ----------------------------------------------------------------------------


@kernel
def sees(s, seat, other):
    """Whether a seat sees the cards of another."""
    return seat == other or s.shown or s.dragon[other] == 1


@kernel
def conceal(s, seat):
    conceal_rng(s.rng)
    if s.phase == BETTING:
        hide_bets(s, seat)
    for other in range(s.seats):
        if s.cards[other, 0] != NONE and not sees(s, seat, other):
            s.cards[other, :] = HIDDEN
            s.laid[other, :] = HIDDEN if s.done[other] else NONE
    if s.turn != seat:
        s.placed = 0
        s.open[:] = 0
    for k in range(s.dealt, CARDS):
        s.deck[k] = HIDDEN


@kernel
def redeal(s, seat):
    redeal_bets(s, LEVELS, level)
    hidden, first, unseen = 0, s.dealt, np.int64((1 << CARDS) - 1)
    for other in range(s.seats):
        if s.cards[other, 0] == HIDDEN:
            hidden |= 1 << other
            first -= HAND
        elif s.cards[other, 0] >= 0:
            for k in range(HAND):
                unseen &= ~BIT[s.cards[other, k]]
    place = first
    for card in range(CARDS):
        if unseen & BIT[card]:
            s.deck[place] = card
            place += 1
    while not deal_hidden(s, hidden, first):  # a dragon would have been shown (R19)
        pass
    for k in range(first, s.dealt):
        s.deck[k] = NONE
    for other in range(s.seats):
        if s.laid[other, 0] == HIDDEN:
            front, middle = house_layout(s, other, np.int64(0), np.int64(0), 0)
            for k in range(HAND):
                s.laid[other, k] = segment_of(front, middle, k)
    if s.phase == LAYING and s.turn != seat and not s.ended:
        place_forced(s)


@kernel
def deal_hidden(s, hidden, first):
    """Shuffle the deck from ``first`` on and give copies of its first cards to the seats of a set;
    whether none of them has a dragon."""
    shuffle(s.rng, s.deck[first:], CARDS - first)
    for seat in range(s.seats):
        if hidden >> seat & 1:
            for k in range(HAND):
                s.cards[seat, k] = s.deck[first + k]
            first += HAND
            sort_cards(s, seat)
            if is_dragon(s, seat):
                return False
    return True


# --- What can't be -------------------------------------------------------------------------------


def contradiction(s: np.void) -> str | None:
    """What can't be on a table or in a view: ``Game.contradiction``."""
    parts = (seat_faults, card_faults, laying_faults)
    return next((fault for find in parts for fault in find(s)), None)


def seat_faults(s: np.void) -> Iterator[str]:
    """What can't be about who is in the hand, who banks, and bets (R2–R5, R25, R26)."""
    start, banker, betting = as_begun(s, s["gone"]), int(s["banker"]), bool(s["phase"] == BETTING)
    if s["turn"] == HIDDEN:
        yield f"turn is {HIDDEN}, but all see whose turn it is"
    for p in range(SEATS):
        could = p < s["seats"] and bool(is_in(start, p))
        gone = bool(s["gone"][p])
        if gone and not (could and s["away"][p]):
            yield f"gone[{p}] is 1, but the seat has not left this hand"
        if s["joined"][p] != could and not (gone and p != banker and s["bet"][p] == NONE):
            expected = "in" if could else "not in"
            yield f"joined[{p}] is {s['joined'][p]}: by its coins the seat is {expected}"
        if gone and s["bet"][p] == NONE and s["joined"][p] and p != banker:
            yield f"joined[{p}] is 1, but the seat left before it bet"
    if start["joined"].sum() + (s["gone"] > s["joined"]).sum() < 2:
        yield "joined has fewer than two seats"
    if not s["joined"][banker]:
        yield f"banker is {banker}, a seat that is not in the hand"
    coins, highest, sat = int(start["stack"][banker]), int(s["max_bet"]), int(s["sat"])
    if not 1 <= sat <= min(s["rules"]["tenure"], s["hand"] + 1):
        yield f"sat is {sat} in hand {s['hand']}, with tenures of {s['rules']['tenure']}"
    if highest < s["rules"]["min_bet"] or (sat == 1 and highest != coins // PART):
        yield f"max_bet is {highest}: expected a twelfth of {coins}, and at least min_bet"
    if coins < (SEATS - 1) * highest * (TENURE + 1 - sat):
        yield f"max_bet is {highest}, more than the banker can have had by his {coins} coins"
    if not betting and s["gone"][banker] and not s["ended"]:
        yield "ended is False, but the banker has left"
    yield from bet_faults(s, start, betting, LEVELS, level)
    if bool(s["ended"]) != bool(has_ended_early(s) or s["shown"]):
        yield f"ended is {s['ended']}, but not all cards are shown, nor all 閒 or the banker gone"
    if s["ended"] and s["over"] == PLAYING and not is_playable(s):
        yield "over is 0, but no other hand can be played"


def card_faults(s: np.void) -> Iterator[str]:
    """What can't be about where cards are (R1, R6, R19)."""
    cards, betting = s["cards"], s["phase"] == BETTING
    held = (cards != NONE).all(axis=1)
    for p in range(SEATS):
        there, row = held[p], cards[p]
        hidden = (row == HIDDEN).all()
        if there and not hidden and not (row[-1] >= 0 and (row[:-1] > row[1:]).all()):
            yield f"cards[{p}] is {row.tolist()}: expected {HAND} from high to low, or all hidden"
        if not there and (row != NONE).any():
            yield f"cards[{p}] is {row.tolist()}: expected {HAND} cards or none"
        if there and (betting or not s["joined"][p]):
            yield f"cards[{p}] has cards, but none were dealt to the seat"
        if not there and not betting and stays(s, p):
            yield f"cards[{p}] has no cards, but the seat is in the hand"
        if hidden and (s["shown"] or s["dragon"][p]):
            yield f"cards[{p}] is hidden, but all see these cards"
        if not hidden and s["dragon"][p] != (there and is_dragon(s, p)):
            yield f"dragon[{p}] is {s['dragon'][p]}: the cards say otherwise"
    if s["shown"] and betting:
        yield "shown is True, but no cards have been dealt"
    if fault := deck_contradiction(s, cards[held].ravel().tolist()):
        yield fault
    unknown = [p for p in range(SEATS) if cards[p, 0] == HIDDEN]
    rest = np.setdiff1d(np.arange(CARDS), cards[cards >= 0])
    if len(unknown) == 1 and len(rest) == HAND and len(set((rest // 4).tolist())) == HAND:
        yield f"cards leave a dragon for seat {unknown[0]}, which would have shown it"
    if HIDDEN in s["deck"] and (s["deck"][int(s["dealt"]) :] != HIDDEN).any():
        yield "deck hides some of the cards to come, and shows others"


def laying_faults(s: np.void) -> Iterator[str]:
    """What can't be about layouts and who lays (R16–R19, R24)."""
    banker, turn, placed = int(s["banker"]), int(s["turn"]), int(s["placed"])
    laying = s["phase"] == LAYING and not s["ended"]
    order = [(banker + k) % int(s["seats"]) for k in range(1, int(s["seats"]) + 1)]
    due = [p for p in order if stays(s, p) and not s["dragon"][p]]
    if laying and (is_decided(s) or turn not in due):
        yield f"turn is {turn}: expected one of {due}, if dragons do not decide the hand"
        return
    for p in range(SEATS):
        row, cards = s["laid"][p], s["cards"][p]
        if s["done"][p] and s["cards"][p, 0] == NONE:
            yield f"done[{p}] is 1, but the seat has no cards"
            return
        if p in due and laying and s["done"][p] != (due.index(p) < due.index(turn)):
            yield f"done[{p}] is {s['done'][p]}, and seat {turn} is to lay"
        if s["dragon"][p] and not s["done"][p]:
            yield f"done[{p}] is 0, but dragons are laid at once"
        count = HAND if s["done"][p] else placed if laying and p == turn else 0
        if s["done"][p] and (row == HIDDEN).all() and (cards == HIDDEN).all():
            continue
        if ((row >= 0) != (np.arange(HAND) < count)).any() or (row[count:] != NONE).any():
            yield f"laid[{p}] is {row.tolist()}: expected {count} cards laid"
            return
        sizes = [int((row == segment).sum()) for segment in range(len(SEGMENTS))]
        if any(size > room for size, room in zip(sizes, ROOM, strict=True)):
            yield f"laid[{p}] has {sizes} cards in the segments, more than there is room for"
            return
        if s["dragon"][p] and (row != DRAGON).any():
            yield f"laid[{p}] is {row.tolist()}, but the system lays dragons"
        strict = s["done"][p] and not s["dragon"][p] and not s["rules"]["allow_foul"]
        if strict and is_foul(*layout_values(s, p)):
            yield f"laid[{p}] is a foul, which may not be laid"
    decided = s["shown"] and is_decided(s)
    if s["shown"] and not decided and not all(s["done"][p] for p in due):
        yield "shown is True, but not all have laid their cards"
    known = laying and s["cards"][turn, 0] >= 0
    expected = [0, 0, 0]
    if known:
        table = addressable(np.array([s], STATE))[0]
        place_forced(table)
        if table["placed"] != placed:
            yield f"placed is {placed}, but the next card has one way to go or none"
        if not table["open"].any():
            yield f"laid[{turn}] can only become a foul, which may not be laid"
        expected = table["open"].tolist()
    elif placed:
        yield f"placed is {placed}, but nobody whose cards are seen is laying"
    yield from unlike(s, "open", expected, "where the next card may go")


# --- Observation ---------------------------------------------------------------------------------


OBSERVATION = Observation(
    Range(
        "seats",
        (SEATS, 8),
        "in, left, banker, coins and bet in min_bet, has bet, has laid, has a dragon",
        "all; a bet: its seat, all others once the last bet is in",
    ),
    Range("phase", 2, "betting, laying"),
    Range("turn", SEATS, "seat to act"),
    Range("sat", TENURE, "number of the hand in the banker's tenure"),
    Range("max_bet", 1, "M, in min_bet"),
    Range("cards", CARDS, "own cards", "the owner"),
    Range("next", CARDS, "own card to place now", "the owner"),
    Range("room", len(SEGMENTS), "own cards that still go to front, middle, back", "the owner"),
    Range(
        "layouts",
        (SEATS, len(SEGMENTS), CARDS),
        "cards in front, middle, back",
        "the owner; dragons: all; when all cards are turned up: all",
    ),
    hand_range(),
)


@kernel
def observe(v, seat, o, known):
    per_bet = 1.0 / v.rules.min_bet
    p = seat
    for k in range(v.seats):
        o.seats[k, 0] = v.joined[p]
        o.seats[k, 1] = v.away[p]
        o.seats[k, 2] = p == v.banker
        o.seats[k, 3] = v.stack[p] * per_bet
        if v.bet[p] >= 0:
            o.seats[k, 4] = v.bet[p] * per_bet
        elif v.bet[p] == HIDDEN:
            known.seats[k, 4] = 0
        o.seats[k, 5] = v.bet[p] != NONE
        o.seats[k, 6] = v.done[p]
        o.seats[k, 7] = v.dragon[p]
        if v.laid[p, 0] == HIDDEN:
            known.layouts[k, :, :] = 0
        elif p == seat or v.done[p]:
            for i in range(HAND):
                if v.laid[p, i] >= 0:
                    o.layouts[k, v.laid[p, i], v.cards[p, i]] = 1
        p = next_seat(v, p)
    o.phase[v.phase] = 1
    o.sat[v.sat - 1] = 1
    o.max_bet = v.max_bet * per_bet
    if not v.ended:
        put_seat(o.turn, seat, v.turn, v.seats)
    if v.cards[seat, 0] >= 0:
        for segment in range(len(SEGMENTS)):
            o.room[segment] = ROOM[segment]
        for i in range(HAND):
            o.cards[v.cards[seat, i]] = 1
            if v.laid[seat, i] >= 0:
                o.room[v.laid[seat, i]] -= 1
        if v.phase == LAYING and v.turn == seat and not v.ended:
            o.next[v.cards[seat, v.placed]] = 1


# --- Words ---------------------------------------------------------------------------------------

NAMES = {**dict(enumerate(HAND_NAMES)), HIGH_CARD: "single", TWO_PAIRS: "two pair", THREE: "trips"}
NAMES |= {FOUR: "quads"}
RESULTS = {1: "won", 0: "push", -1: "lost"}
LETTERS = {segment[0]: segment for segment in SEGMENTS}


def card_names(v: np.void, seat: int) -> list[str]:
    """The cards of a seat, BACK for those not seen."""
    return cards_seen(v["cards"][seat])


def segment_cards(v: np.void, seat: int) -> tuple[tuple[str, ...], ...]:
    """What lies in front, middle and back of a seat."""
    names, row = card_names(v, seat), v["laid"][seat]
    if (row == HIDDEN).all():
        return tuple((BACK,) * room for room in ROOM)
    return tuple(
        tuple(name for name, place in zip(names, row, strict=False) if place == segment)
        for segment in range(len(SEGMENTS))
    )


def layout_text(v: np.void, seat: int) -> str:
    """A seat's layout, as ``move`` reads it."""
    return "|".join(" ".join(cards) for cards in segment_cards(v, seat))


def segment_names(v: np.void, seat: int) -> list[str]:
    """What front, middle and back of a seat are called, where all cards are seen."""
    if not v["done"][seat] or v["cards"][seat, 0] < 0:
        return ["", "", ""]
    return [NAMES[value >> 30] for value in map(int, layout_values(v, seat))]


def census(s: np.void) -> tuple[int, ...]:
    """How many there are of each card, in the deck and in hands."""
    cards = np.concatenate([s["deck"], s["cards"].ravel()])
    return tuple(np.bincount(cards[cards >= 0], minlength=CARDS).tolist())


def report(s: np.void) -> dict[str, Any]:
    """How the hand ended: what was laid, who fouled and had a dragon, results of the 閒, bets."""
    seats, banker = range(int(s["seats"])), int(s["banker"])
    laid = [p for p in seats if s["shown"] and s["done"][p]]
    bettors = [p for p in seats if p != banker and (s["joined"][p] or s["gone"][p])]
    return {
        "reason": "settled" if s["shown"] else "banker left" if s["gone"][banker] else "all left",
        "banker": banker,
        "layouts": [layout_text(s, p) if p in laid else None for p in seats],
        "types": ["|".join(segment_names(s, p)) if p in laid else None for p in seats],
        "fouls": [p for p in laid if is_foul(*layout_values(s, p))],
        "dragons": [p for p in seats if s["dragon"][p]],
        "results": [RESULTS[int(result(s, p))] if p in bettors else None for p in seats],
        "bets": [int(staked(s, p)) if p in bettors else None for p in seats],
        "left": [p for p in seats if s["gone"][p]],
    }


def role(v: np.void, seat: int) -> str:
    """What a seat is in this hand."""
    if v["away"][seat]:
        return "gone"
    if seat == v["banker"]:
        return "banker 莊"
    return "player 閒" if v["joined"][seat] else "sitting out"


def seat_note(v: np.void, seat: int) -> str:
    """What there is to say about a seat's layout or bet."""
    if v["ended"] and seat != v["banker"] and (v["joined"][seat] or v["gone"][seat]):
        return RESULTS[int(result(v, seat))]
    if v["dragon"][seat]:
        return "dragon 一條龍"
    if v["done"][seat]:
        return "has laid"
    return "has bet" if v["phase"] == BETTING and v["bet"][seat] == HIDDEN else ""


def in_rows(laid: Sequence[Sequence[str]]) -> tuple[str, ...]:
    """Front, middle and back in a row each, with empty places up to the longest."""
    return tuple(name for cards in laid for name in (*cards, *[""] * (ROOM[BEHIND] - len(cards))))


def layout_note(v: np.void, seat: int) -> str:
    """What front, middle and back of a seat are called, and whether they are a foul."""
    names = segment_names(v, seat)
    if not all(names):
        return ""
    fouls = ["foul 烏龍"] if is_foul(*layout_values(v, seat)) else []
    return ", ".join(names + fouls)


def show(v: np.void, seat: int | None) -> Scene:
    """What lies on the table, for one seat's eyes; seat None: for all."""
    seats = range(int(v["seats"]))
    zones = []
    for p in seats:
        laid = segment_cards(v, p)
        if any(laid):
            zones.append(Zone("layout", in_rows(laid), p, ROOM[BEHIND], layout_note(v, p)))
        rest = card_names(v, p)[sum(map(len, laid)) :]
        if rest:
            next_up = v["phase"] == LAYING and v["turn"] == p and not v["ended"]
            marked = (0,) if next_up and rest[0] != BACK else ()
            zones.append(Zone("cards", tuple(rest), owner=p, marked=marked))
    places = tuple(
        Place(p, role(v, p), int(v["stack"][p]), max(int(v["bet"][p]), 0), seat_note(v, p))
        for p in seats
    )
    facts = (
        ("betting", "laying")[int(v["phase"])],
        f"bets {int(v['rules']['min_bet'])}…{int(v['max_bet'])}",
        f"hand {int(v['sat'])} of the tenure",
    )
    return Scene(places, tuple(zones), facts)


def move(v: np.void, text: str) -> list[str]:
    """The action names of one action, or of a layout written as letters or cards."""
    if "|" not in text and len(text) != HAND:
        return [text]
    letters = _letters(v, text)
    table, steps = addressable(np.array([v], STATE))[0], []
    for k in range(int(v["placed"]), HAND):
        if table["placed"] > k:
            continue
        steps.append(LETTERS[letters[k]])
        place(table, SEGMENTS.index(steps[-1]))
        place_forced(table)
    if "".join(SEGMENTS[segment][0] for segment in table["laid"][table["turn"]]) != letters:
        raise ValueError(f"{text!r} is a foul, which may not be laid")
    return steps


def _letters(v: np.void, text: str) -> str:
    """A layout as letters; ValueError if it is none of the seat to act."""
    if v["phase"] != LAYING or v["ended"]:
        raise ValueError(f"{text!r} is a layout, but nobody is laying")
    seat, placed = int(v["turn"]), int(v["placed"])
    names = card_names(v, seat)
    if "|" in text:
        parts = [[parse_card(name) for name in part.split()] for part in text.split("|")]
        place = {
            card_name(card): s[0] for part, s in zip(parts, SEGMENTS, strict=False) for card in part
        }
        if [len(part) for part in parts] != list(ROOM) or {*place} != {*names}:
            raise ValueError(f"{text!r} is no layout of {' '.join(names)}")
        letters = "".join(place[name] for name in names)
    else:
        letters = text
    if [letters.count(segment[0]) for segment in SEGMENTS] != list(ROOM):
        right = "{} f, {} m and {} b".format(*ROOM)
        raise ValueError(f"{text!r} is no layout: expected {right}")
    before = "".join(SEGMENTS[place][0] for place in v["laid"][seat, :placed])
    if letters[:placed] != before:
        raise ValueError(f"{text!r} begins unlike what has been placed, {before}")
    return letters


def max_plies(rules: Mapping[str, Any]) -> int:
    """A bet of each 閒, and 12 cards of each seat: the last has one way to go."""
    return (HAND * int(rules["seats"]) - 1) * int(rules["hands"])


GAME = Game(
    name="thirteen",
    title="十三張",
    english="Chinese poker",
    summary="Thirteen cards in three segments of rising strength, two of which beat the banker.",
    version=VERSION,
    source="rule pages of a Chinese online game hall",
    document=__doc__ or "",
    unit=lambda s: s["rules"]["min_bet"],
    rules=RULES,
    actions=ACTIONS,
    fields=FIELDS,
    observation=OBSERVATION,
    deal=deal,
    legal=legal,
    apply=apply,
    conceal=conceal,
    redeal=redeal,
    observe=observe,
    default=default,
    leave=leave,
    laid=("deck", open_betting),
    max_plies=max_plies,
    census=census,
    contradiction=contradiction,
    report=report,
    show=show,
    move=move,
    check=check,
    checked_by=(
        "how many hands of five cards there are of each type, and of distinct strengths",
        "how many fronts of three cards there are of each type, and of distinct strengths",
        "the chance of a dragon, as an exact fraction",
        "how many of the 72,072 layouts of seven hands are no fouls, and the house layout of each",
    ),
    limitations=(
        "The source says neither when bets are made nor who banks first; bets are concealed and "
        "come before the deal, the first banker is drawn by lot.",
        "A seat that leaves before the deal gets no cards, even if it had bet.",
        "Whether somebody may begin a tenure matters only when one has to begin.",
    ),
    history=("0: first version",),
)
