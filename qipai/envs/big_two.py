"""Big two (鋤大地): four seats, each for itself, shed thirteen cards; suits count, 2 is highest.

R1 52 cards, no jokers.
R2 Four seats in playing order.
R3 13 cards each, dealt one by one from a shuffled deck; nothing is shown.
R4 Cards rank 3 < 4 < … < K < A < 2, then ♦ < ♣ < ♥ < ♠: D3 is the lowest, S2 the highest.
R5 In the first hand of a match the holder of D3 leads, and the play must contain D3. In later hands
   the winner of the hand before leads what it likes.
R6 The leader must play; every other seat passes or plays as many cards with a higher value, and may
   play again after a pass. After three passes in a row the owner of the table leads again.
R7 Plays: single, pair, triple; of five cards straight, flush, full house, four and one, straight
   flush. Four cards are no play.
R8 Straights: A2345, 23456, 34567, … 10JQKA; the last card in this order is the top. Straights of
   one suit are straight flushes only.
R9 In a kind one card decides: the single; the better one of a pair; the rank of three or four; the
   top of a straight or straight flush; the highest card of a flush, by rank, then suit.
R10 Straight < flush < full house < four and one < straight flush, whatever their cards.
R11 The hand ends when a seat is out of cards: it wins.
R12 n cards left count n points, 8 and 9 twice n, 10 to 12 three times, 13 four times.
R13 Who holds S2 among 8 cards or more counts double; no other 2 counts.
R14 With T the sum of all points, each seat gets T − 4 × its points in ``stake``, and pays where
   that is negative: any two seats settle the difference of their points. No rake.
R15 A loser pays at most its stack. The others share that in proportion to what they are due:
   rounded down, what is left by largest remainder, ties from the seat after the winner.
R16 Leaving ends hand and match: the points of that seat, at least 52, against 0 of the others;
   then R14 and R15, with that seat for the winner.
R17 No answer: pass; on lead the lowest single; inside a play the lowest legal card or pair.
R18 ``hands`` hands with stacks and the last winner carried over; the match ends early when a seat
   has less than ``stake``.

A play is composed: a straight by its top and then the card of each rank below it, a flush by its
highest card and the others in falling order, a full house by the three and then the pair, four and
one by the rank and then the single card. Steps with one choice, the last card of a seat on lead,
and the pass of a seat with fewer cards than lie on the table are played by the engine.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from enum import IntEnum
from itertools import combinations
from typing import Any

import numpy as np

from qipai.envs import options
from qipai.envs.fields import Codec, Field, Fields, unlike
from qipai.envs.game import Game
from qipai.envs.kernel import addressable, inlined, kernel
from qipai.envs.layout import (
    HIDDEN,
    NONE,
    Actions,
    Observation,
    Range,
    hand_range,
    put_seat,
)
from qipai.envs.match import ENDED, as_begun, close_hand, end_match_below, next_seat
from qipai.envs.options import MAX_STAKE, Options, integer
from qipai.envs.parts.cards import BIT, CARD_NAMES, SUITS, count_cards, highest_card, lowest_card
from qipai.envs.parts.cards import RANKS as FROM_TWO
from qipai.envs.parts.five_cards import ONE_SUIT
from qipai.envs.parts.shares import share
from qipai.envs.parts.shedding import (
    clear_owner,
    log_contradiction,
    log_fields,
    log_lines,
    most_turns,
    pass_turn,
    table_contradiction,
    take_table,
    turn_fields,
)
from qipai.envs.rng import below, conceal_rng
from qipai.envs.scene import BACK, Place, Scene, Zone

VERSION = 0

# --- Dimensions ----------------------------------------------------------------------------------

SEATS = 4
RANK_NAMES = FROM_TWO[1:] + FROM_TWO[:1]  # R4
NAMES = CARD_NAMES[4:] + CARD_NAMES[:4]  # of card 4 × rank + suit: the higher number is better
RANKS, CARDS = len(RANK_NAMES), len(NAMES)
ACE = RANK_NAMES.index("A")
DEALT = 13
DECK = int(BIT.sum())  # sets of cards have bit c for card c
D3, S2 = 0, 51
OTHER_THREES = 0b1110  # the set of them
LOG = 16  # turns kept in order
MOST_MOVES = 49  # three seats keep a card each
MOST_TURNS = most_turns(SEATS, MOST_MOVES)
TIMES = np.array([1] * 8 + [2] * 2 + [3] * 3 + [4])  # points of a card, by cards left (R12)
DOUBLED = 8  # cards with S2 that count double (R13)
LEAVING = 52  # points at least (R16)
MOST_POINTS = 2 * DEALT * 4

# --- Options -------------------------------------------------------------------------------------

RULES = Options(
    options.seats(SEATS, low=SEATS, high=SEATS, clause="R2"),
    integer("stake", 1, low=1, high=MAX_STAKE, meaning="coins per point", clause="R14"),
    options.stack(10_000, seats=SEATS, clause="R15"),
    options.hands(clause="R18"),
)

# --- Plays and actions (R7–R10) ------------------------------------------------------------------


class Kind(IntEnum):
    SINGLE = 0
    PAIR = 1
    TRIPLE = 2
    STRAIGHT = 3
    FLUSH = 4
    FULL_HOUSE = 5
    FOUR = 6
    STRAIGHT_FLUSH = 7


KIND_NAMES = (
    *("single", "pair", "triple", "straight", "flush", "full house", "four and one"),
    "straight flush",
)
SIZE = np.array([1, 2, 3, 5, 5, 5, 5, 5])  # cards of a kind
LOWEST_TOP = RANK_NAMES.index("5")  # of a straight
LOWEST_FLUSH = RANK_NAMES.index("8")  # its highest card, at least
TOPS = RANK_NAMES[LOWEST_TOP : RANK_NAMES.index("2")]
ROW = 5


def _of_a_rank(count: int) -> list[tuple[int, ...]]:
    """So many cards of one rank, each set from its best card down, in rising order."""
    sets = [
        cards[::-1] for r in range(RANKS) for cards in combinations(range(4 * r, 4 * r + 4), count)
    ]
    return sorted(sets)


def _spelt(cards: Iterable[int]) -> str:
    return "".join(NAMES[card] for card in cards)


PAIRS, TRIPLES = _of_a_rank(2), _of_a_rank(3)
_TOPS = [suit + rank for rank in TOPS for suit in SUITS]

ACTIONS = Actions()
PASS = ACTIONS.add("pass", ["pass"], "cards of another seat are on the table")
# First steps of a play: each beats those before it that take as many cards.
SINGLE = ACTIONS.add("single", NAMES, "held, beats the table")
PAIR = ACTIONS.add("pair", [_spelt(pair) for pair in PAIRS], "both held, beats the table")
TRIPLE = ACTIONS.add("triple", [_spelt(three) for three in TRIPLES], "all held, beats the table")
STRAIGHT = ACTIONS.add(
    "straight",
    [f"straight:{top}" for top in _TOPS],
    "top and the four ranks below held, not of one suit alone, beats the table",
)
FLUSH = ACTIONS.add(
    "flush",
    [f"flush:{card}" for card in NAMES[4 * LOWEST_FLUSH :]],
    "four lower cards of the suit can be added without a straight, beats the table",
)
FULL_HOUSE = ACTIONS.add(
    "full house body",
    [f"{_spelt(three)}+xx" for three in TRIPLES],
    "three held and a pair of another rank, beats the table",
)
FOUR = ACTIONS.add(
    "four and one body",
    [f"{4 * rank.replace('10', 'T')}+x" for rank in RANK_NAMES],
    "four held and another card, beats the table",
)
STRAIGHT_FLUSH = ACTIONS.add(
    "straight flush", [f"sf:{top}" for top in _TOPS], "all five held, beats the table"
)
BODIES = ACTIONS.width  # ids of first steps are below
CARD = ACTIONS.add(
    "card step",
    [f"+{card}" for card in NAMES],
    "the next card of a straight, flush or four and one",
)
PAIR_STEP = ACTIONS.add(
    "pair step", [f"+{_spelt(pair)}" for pair in PAIRS], "the pair of a full house"
)
ACTIONS_WIDTH = ACTIONS.width

# Of each first step: the kind of play, and the card by which it is compared (R9).
KIND = np.zeros(BODIES, np.int8)
KEY = np.zeros(BODIES, np.int8)
STEP = np.zeros(ACTIONS.width, np.int64)  # the set of cards that each action adds to a play


def _set(cards: Iterable[int]) -> int:
    return sum(1 << card for card in cards)


def _row_to(top: int) -> list[int]:
    """The straight flush with this top, from the top down."""
    return [(top - 4 * k) % CARDS for k in range(ROW)]


def _describe(
    kind: Kind, first: np.int64, sets: Iterable[Iterable[int]], whole: bool = True
) -> None:
    """Note the first steps from id ``first`` on, by the cards of each, the key first.

    ``whole``: the step adds all of them to the play, otherwise the key alone.
    """
    for action, cards in enumerate(map(list, sets), int(first)):
        KIND[action], KEY[action] = kind, cards[0]
        STEP[action] = _set(cards if whole else cards[:1])


_SINGLES = [(card,) for card in range(CARDS)]
_ROWS = [_row_to(4 * LOWEST_TOP + k) for k in range(len(_TOPS))]
_describe(Kind.SINGLE, SINGLE, _SINGLES)
_describe(Kind.PAIR, PAIR, PAIRS)
_describe(Kind.TRIPLE, TRIPLE, TRIPLES)
_describe(Kind.STRAIGHT, STRAIGHT, _ROWS, whole=False)
_describe(Kind.FLUSH, FLUSH, _SINGLES[4 * LOWEST_FLUSH :])
_describe(Kind.FULL_HOUSE, FULL_HOUSE, TRIPLES)
_describe(Kind.FOUR, FOUR, _of_a_rank(4))
_describe(Kind.STRAIGHT_FLUSH, STRAIGHT_FLUSH, _ROWS)
STEP[CARD:PAIR_STEP] = BIT
STEP[PAIR_STEP:] = STEP[PAIR:TRIPLE]

# --- State ---------------------------------------------------------------------------------------


def cards_text(cards: int) -> str:
    """A set of cards, from high to low: ``S9 H9 D3``."""
    return " ".join(NAMES[card] for card in reversed(range(CARDS)) if int(cards) >> card & 1)


_CARD = re.compile(r"[SHCD](?:10|[2-9TJQKA])")


def parse_cards(text: str) -> int:
    """Cards in any order, with blanks between or without, as a set; ValueError."""
    rest = text.upper()
    names = _CARD.findall(rest)
    if _CARD.sub("", rest).strip(" ,"):
        raise ValueError(
            f"{text!r} has something that is no card; a card is a suit ({' '.join(SUITS)}) and a "
            f"rank ({' '.join(RANK_NAMES)}), like S9 or H10"
        )
    cards = [NAMES.index(name.replace("T", "10")) for name in names]
    twice = next((card for card in cards if cards.count(card) > 1), None)
    if twice is not None:
        raise ValueError(f"{text!r} has {NAMES[twice]} more than once")
    return _set(cards)


_CODEC = Codec(encode=cards_text, decode=parse_cards)
_BODY = Codec(encode=ACTIONS.name, decode=ACTIONS.parse)

FIELDS = Fields(
    RULES,
    SEATS,
    Field.seat("winner", "who went out; none: nobody yet", empty=True, kept=True),
    Field.seat("leader", "who leads first in this hand"),
    Field.number("cards", DECK, "cards in hand", SEATS, hidden=True, codec=_CODEC),
    Field.number("left", DEALT, "how many", SEATS),
    Field.number(
        "played_in",
        MOST_TURNS - 1,
        "number of the turn in which each card, from D3 up, was played; none: not yet",
        CARDS,
        empty=True,
    ),
    Field.number(
        "to_beat",
        BODIES - 1,
        "first step of the play on the table; none: the seat to act leads",
        low=int(SINGLE),
        empty=True,
        codec=_BODY,
    ),
    *turn_fields(SEATS),
    Field.number(
        "body",
        BODIES - 1,
        "first step of the play being composed",
        low=int(SINGLE),
        empty=True,
        codec=_BODY,
    ),
    Field.number("chosen", DECK, "its cards so far", codec=_CODEC),
    Field.number(
        "net", 3 * MOST_POINTS, "points won in the end (R14)", SEATS, low=-3 * MOST_POINTS
    ),
    *log_fields(
        MOST_TURNS, Field.number("log_cards", DECK, "the cards; none: a pass", LOG, codec=_CODEC)
    ),
)
STATE = FIELDS.dtype

# --- What a hand offers (R7–R9) ------------------------------------------------------------------
#
# In a *row* the ranks of a set of cards are in the order of straights: A and 2, then 3 to K, and A
# once more. *Lanes* are sets of ranks: bit 4k for rank k of a hand or of a row.

LANES = 0x11111111111111
# Pairs in a set of suits of one rank, bit k for the k-th pair of the rank.
PAIRS_IN = np.array(
    [
        sum(1 << k for k, pair in enumerate(PAIRS[:6]) if _set(pair) & suits == _set(pair))
        for suits in range(16)
    ]
)


@kernel
def row_of(cards):
    return (cards >> 44) | ((cards & ((1 << 48) - 1)) << 8)


@kernel
def some(cards):
    """Lanes of the ranks of which there is a card."""
    return (cards | cards >> 1 | cards >> 2 | cards >> 3) & LANES


@kernel
def several(cards):
    """Lanes of the ranks of which there are two cards or more."""
    one, other = cards | (cards >> 1), (cards >> 2) | (cards >> 3)
    both = (cards & (cards >> 1)) | ((cards >> 2) & (cards >> 3))
    return (both | (one & other)) & LANES


@kernel
def four_up(row):
    """What begins four ranks one above the other."""
    two = row & (row >> 4)
    return two & (two >> 8)


@kernel
def five_up(row):
    """What begins five ranks one above the other."""
    return four_up(row) & (row >> 16)


@kernel
def is_row(five):
    """Whether five cards are five ranks one above the other (R8)."""
    return five_up(some(row_of(five))) != 0


@kernel
def straight_flushes(hand):
    """Their tops, bit k for id STRAIGHT_FLUSH + k."""
    return five_up(row_of(hand))


@kernel
def straights(hand):
    """Their tops, bit k for id STRAIGHT + k."""
    row = row_of(hand)
    ranks = some(row)
    tops = (row >> 16) & (five_up(ranks) * 15)
    alone = row & ((ranks & ~several(row)) * 15)
    return tops & ~four_up(alone)  # below such a top there is nothing but its own suit


@kernel
def can_be_flush(chosen, lower, lacking):
    """Whether so many ``lower`` cards of a suit can be added to those chosen without a straight."""
    if lacking == 0:
        return not is_row(chosen)
    spare = count_cards(lower) - lacking  # with any to spare, some way makes no straight
    return spare > 0 or (spare == 0 and not is_row(chosen | lower))


@kernel
def flushes(hand):
    """Their highest cards, bit k for id FLUSH + k."""
    found = 0
    for suit in range(4):
        cards = hand & (ONE_SUIT << suit)
        tops = cards >> 4 * LOWEST_FLUSH << 4 * LOWEST_FLUSH
        while tops != 0:
            top = tops & -tops
            tops ^= top
            if can_be_flush(top, cards & (top - 1), ROW - 1):
                found |= top
    return found >> 4 * LOWEST_FLUSH


@kernel
def triples(hand):
    """Bit k for id TRIPLE + k."""
    d, c = hand & LANES, (hand >> 1) & LANES
    h, s = (hand >> 2) & LANES, (hand >> 3) & LANES
    return (h & c & d) | (s & c & d) << 1 | (s & h & d) << 2 | (s & h & c) << 3


@kernel
def full_houses(hand):
    """Their threes, bit k for id FULL_HOUSE + k."""
    twos = several(hand)
    return triples(hand) if twos & (twos - 1) != 0 else 0


@kernel
def fours(hand):
    """Bit k for id FOUR + k; no other card is asked for."""
    found = 0
    ranks = hand & (hand >> 1) & (hand >> 2) & (hand >> 3) & LANES
    while ranks != 0:
        found |= 1 << (lowest_card(ranks) // 4)
        ranks &= ranks - 1
    return found


@kernel
def pairs(hand, rank):
    """Those of a rank, bit k for id PAIR + 6 × rank + k."""
    return PAIRS_IN[(hand >> 4 * rank) & 15]


@kernel
def play_of(cards):
    """The first step of the play that a set of cards is; NONE if it is none."""
    size, low = count_cards(cards), lowest_card(cards)
    if size == 1:
        return SINGLE + low
    if size == 5:
        return five_of(cards)
    if size == 0 or size > 3 or cards >> (4 * (low // 4) + 4) != 0:
        return NONE
    if size == 2:
        return PAIR + 6 * (low // 4) + lowest_card(pairs(cards, low // 4))
    return TRIPLE + lowest_card(triples(cards))


@kernel
def five_of(cards):
    """The first step of the play that five cards are; NONE if they are none."""
    for found, first in (
        (straight_flushes(cards), STRAIGHT_FLUSH),
        (fours(cards), FOUR),
        (full_houses(cards), FULL_HOUSE),
        (flushes(cards), FLUSH),
        (straights(cards), STRAIGHT),
    ):
        if found != 0:
            return first + lowest_card(found)
    return NONE


# --- Deal (R3, R5) -------------------------------------------------------------------------------


@kernel
def fill_hands(s, unseen):
    """Deal the unseen cards to hands that have fewer cards than ``left`` says, at random."""
    for card in range(CARDS):
        if unseen >> card & 1:
            free = 0
            for seat in range(SEATS):
                free += s.left[seat] - count_cards(s.cards[seat])
            place = below(s.rng, free)
            for seat in range(SEATS):
                room = s.left[seat] - count_cards(s.cards[seat])
                if 0 <= place < room:
                    s.cards[seat] |= BIT[card]
                place -= room


@kernel
def deal(s):
    for seat in range(SEATS):
        s.left[seat] = DEALT
        s.cards[seat] = 0
    fill_hands(s, DECK)
    for seat in range(SEATS):
        if s.winner == seat or (s.winner == NONE and s.cards[seat] & BIT[D3]):
            s.leader = seat
    s.winner = NONE
    s.turn = s.leader


@kernel
def turn_cards(s, number):
    """The cards played in the turn of this number; 0: none, a pass."""
    cards = 0
    for card in range(CARDS):
        if s.played_in[card] == number:
            cards |= BIT[card]
    return cards


@kernel
def player_of(s, card):
    """The seat that has played a card."""
    return (s.leader + s.played_in[card]) % SEATS


@kernel
def restart(s, later):
    s.leader = later.leader
    s.turn = later.leader
    for seat in range(SEATS):
        s.left[seat] = DEALT
        s.cards[seat] = later.cards[seat]
    for card in range(CARDS):
        if later.played_in[card] >= 0:
            s.cards[player_of(later, card)] |= BIT[card]
    for seat in range(SEATS):
        if count_cards(s.cards[seat]) != DEALT:
            return False
    return not later.ended


@kernel
def recall(s, later):
    if s.log_count < later.log_count:
        cards = turn_cards(later, s.log_count)
        if cards == 0:
            return PASS
        body = play_of(cards)
    else:
        cards, body = later.chosen, later.body
    if s.body == NONE:
        return body
    return step_towards(s, cards)


# --- Legal steps ---------------------------------------------------------------------------------


@kernel
def must_have(s):
    """The set of cards that the next play must contain: D3 or none (R5)."""
    return BIT[D3] if s.hand == 0 and s.log_count == 0 else 0


@kernel
def can_have_d3(hand, body):
    """Whether a play that begins with this step can contain D3, which is held."""
    kind, rank = KIND[body], KEY[body] // 4
    if STEP[body] & BIT[D3] or kind == Kind.FOUR:
        return True
    if kind == Kind.STRAIGHT:
        lowest = max(LOWEST_TOP, ROW - 1)  # from A2345 to 34567
        return rank <= lowest and (straights(hand & ~OTHER_THREES) >> (body - STRAIGHT)) & 1 == 1
    if kind == Kind.FLUSH:
        return KEY[body] % 4 == D3
    return kind == Kind.FULL_HOUSE and rank > 0 and hand & OTHER_THREES != 0


@kernel
def mark(mask, first, found, above):
    """Mark the steps found, bit k for id ``first`` + k, that are beyond the id ``above``."""
    skipped = max(above + 1 - first, 0)
    if skipped < 64:
        found = found >> skipped << skipped
        while found != 0:
            mask[first + lowest_card(found)] = 1
            found &= found - 1


@kernel
def mark_first_steps(mask, hand, size, above):
    """Mark the first steps of plays of ``size`` cards, 0: of any, beyond the id ``above``."""
    if size <= 1:
        mark(mask, SINGLE, hand, above)
    if size == 0 or size == 2:
        for rank in range(RANKS):
            mark(mask, PAIR + 6 * rank, pairs(hand, rank), above)
    if size == 0 or size == 3:
        mark(mask, TRIPLE, triples(hand), above)
    if (size == 0 or size == 5) and count_cards(hand) >= 5:
        mark(mask, STRAIGHT, straights(hand), above)
        mark(mask, FLUSH, flushes(hand), above)
        mark(mask, FULL_HOUSE, full_houses(hand), above)
        mark(mask, FOUR, fours(hand), above)
        mark(mask, STRAIGHT_FLUSH, straight_flushes(hand), above)


@kernel
def legal(s, mask):
    hand = s.cards[s.turn]
    if s.body != NONE:
        step = next_step(s, CARD)
        while step >= 0:
            mask[step] = 1
            step = next_step(s, step + 1)
    elif s.to_beat != NONE:
        mask[PASS] = 1
        mark_first_steps(mask, hand, SIZE[KIND[s.to_beat]], s.to_beat)
    else:
        mark_first_steps(mask, hand, 0, NONE)
        if must_have(s):
            for body in range(SINGLE, BODIES):
                mask[body] &= can_have_d3(hand, body)


@kernel
def straight_steps(hand, chosen, key):
    """Cards that can follow in a straight with the top ``key``."""
    row, suit, low = row_of(hand), key % 4, key // 4 - LOWEST_TOP
    between = ROW - 1 - count_cards(chosen)  # ranks below the next card
    cards = (row >> 4 * (low + between)) & 15
    below_it = (row >> 4 * low) & ((1 << 4 * between) - 1)
    if (chosen | below_it) & ~(ONE_SUIT << suit) == 0:
        cards &= ~(1 << suit)
    return cards << 4 * ((low + between + ACE) % RANKS)


@kernel
def flush_steps(hand, chosen, key, due):
    """Cards that can follow in a flush with the highest card ``key`` that must have ``due``."""
    cards = hand & (ONE_SUIT << key % 4) & ((chosen & -chosen) - 1)
    lacking = ROW - 1 - count_cards(chosen)  # after the next card
    found, rest = 0, cards
    while rest != 0:
        card = rest & -rest
        rest ^= card
        lower, more = cards & (card - 1), due & ~card
        if more == 0:
            fits = can_be_flush(chosen | card, lower, lacking)
        else:
            fits = lacking > 0 and can_be_flush(chosen | card | more, lower & ~more, lacking - 1)
        if fits:
            found |= card
    return found


@kernel
def card_steps(s):
    """Cards that may be the next one of the play being composed."""
    hand, chosen, kind, key = s.cards[s.turn], s.chosen, KIND[s.body], np.int64(KEY[s.body])
    due = must_have(s) & ~chosen
    if kind == Kind.STRAIGHT:
        return straight_steps(hand & ~OTHER_THREES if due else hand, chosen, key)
    if kind == Kind.FLUSH:
        return flush_steps(hand, chosen, key, due)
    return hand & ~chosen & due if due else hand & ~chosen


@kernel
def next_step(s, first):
    """The first step from id ``first`` on that the play being composed may take; −1: none."""
    if KIND[s.body] == Kind.FULL_HOUSE:
        hand, rank = s.cards[s.turn], KEY[s.body] // 4
        due = must_have(s) & ~s.chosen
        for step in range(max(first, PAIR_STEP), ACTIONS_WIDTH):
            pair = STEP[step]
            if pair & ~hand == 0 and pair & due == due and lowest_card(pair) // 4 != rank:
                return step
        return -1
    skipped = first - CARD
    steps = card_steps(s) >> skipped << skipped if skipped < CARDS else 0
    return CARD + lowest_card(steps) if steps != 0 else -1


@kernel
def step_towards(s, cards):
    """The next step to a play of these cards from that being composed; NONE if there is none."""
    rest = cards & ~s.chosen
    if KIND[s.body] == Kind.FULL_HOUSE:
        for step in range(PAIR_STEP, ACTIONS_WIDTH):
            if STEP[step] == rest:
                return step
        return NONE
    steps = card_steps(s) & rest
    return CARD + highest_card(steps) if steps != 0 else NONE


# --- Play ----------------------------------------------------------------------------------------


@kernel
def clear_table(s):
    s.to_beat = NONE
    clear_owner(s)


@kernel
def clear_body(s):
    s.body = NONE
    s.chosen = 0


@kernel
def is_whole(s):
    """Whether the play being composed has all its cards."""
    return count_cards(s.chosen) == SIZE[KIND[s.body]]


@kernel
def choose(s, action):
    """One step of a play, and the steps after it that leave no choice."""
    if s.body == NONE:
        s.body = action
    s.chosen |= STEP[action]
    while not is_whole(s):
        step = next_step(s, CARD)
        if next_step(s, step + 1) >= 0:
            return
        s.chosen |= STEP[step]


@kernel
def put_down(s):
    """The seat to act plays the cards chosen."""
    seat, cards, number = s.turn, s.chosen, s.log_count
    s.log_cards[take_table(s)] = cards
    s.to_beat = s.body
    s.cards[seat] &= ~cards
    s.left[seat] -= count_cards(cards)
    clear_body(s)
    while cards != 0:
        s.played_in[lowest_card(cards)] = number
        cards &= cards - 1
    if s.left[seat] == 0:  # R11
        s.winner = seat
        settle(s, NONE)


@kernel
def say_pass(s):
    if pass_turn(s):  # R6
        clear_table(s)


@kernel
def skip(s):
    """Play what everybody knows to be forced."""
    while not s.ended:
        if s.to_beat != NONE:
            if s.left[s.turn] >= SIZE[KIND[s.to_beat]]:
                return
            say_pass(s)
        elif s.left[s.turn] > 1:
            return
        else:
            choose(s, SINGLE + lowest_card(s.cards[s.turn]))
            put_down(s)


@kernel
def apply(s, action):
    if action == PASS:
        say_pass(s)
    else:
        choose(s, action)
        if not is_whole(s):
            return
        put_down(s)
    skip(s)


@kernel
def default(s):  # R17
    if s.body != NONE:
        return next_step(s, CARD)
    if s.to_beat != NONE:
        return PASS
    return SINGLE + lowest_card(s.cards[s.turn])


# --- Settlement (R12–R16) ------------------------------------------------------------------------


@kernel
def points(s, seat, leaver):
    """Points of a seat at the hand's end; ``leaver`` is the seat that has ended it, or NONE."""
    if leaver != NONE and seat != leaver:
        return 0
    left = s.left[seat]
    found = left * TIMES[left]
    if left >= DOUBLED and s.cards[seat] & BIT[S2]:
        found *= 2
    return found if leaver == NONE else max(found, LEAVING)


@kernel
def settle(s, leaver):
    for seat in range(SEATS):
        s.net[seat] = -points(s, seat, leaver)
    pay_out(s, next_seat(s, s.winner if leaver == NONE else leaver))
    close_hand(s)
    end_match_below(s, s.rules.stake)  # R18


@kernel
def pay_out(s, first):
    """Settle the points, which are in ``net`` as losses; ``first`` is first in ties (R14, R15)."""
    total, pool = 0, 0
    for seat in range(SEATS):
        total -= s.net[seat]
    for seat in range(SEATS):
        s.net[seat] = total + SEATS * s.net[seat]
        if s.net[seat] < 0:
            paid = min(-s.net[seat] * s.rules.stake, s.stack[seat])
            s.coins[seat] = -paid
            pool += paid
    share(pool, s.net, s.coins, SEATS, first)


@kernel
def leave(s, seat):
    clear_body(s)
    settle(s, seat)
    s.over = ENDED


# --- What a seat sees ----------------------------------------------------------------------------


@kernel
def conceal(s, seat):
    conceal_rng(s.rng)
    if not s.ended:
        for other in range(SEATS):
            if other != seat:
                s.cards[other] = HIDDEN
    if s.turn != seat:
        clear_body(s)


@kernel
def redeal(s, seat):
    unseen = DECK
    for card in range(CARDS):
        if s.played_in[card] >= 0:
            unseen &= ~BIT[card]
    for other in range(SEATS):
        if s.cards[other] == HIDDEN:
            s.cards[other] = 0
        else:
            unseen &= ~s.cards[other]
    known = must_have(s) & unseen  # with the seat that leads
    s.cards[s.leader] |= known
    fill_hands(s, unseen & ~known)


OBSERVATION = Observation(
    Range("cards", (SEATS, CARDS), "cards in hand, from D3 up", "the owner"),
    Range("cards_left", SEATS, "cards in hand"),
    Range("played", (SEATS, CARDS), "cards played"),
    Range("turns_ago", CARDS, "for each card played, turns since, this one included"),
    Range("unseen", CARDS, "cards that are neither played nor in the own hand"),
    Range("spade_two_gone", 1, "S2 has been played"),
    Range("table_kind", len(Kind), "kind of the play on the table"),
    Range("table_rank", RANKS, "rank of the card by which it is compared"),
    Range("table_suit", len(SUITS), "suit of that card"),
    Range("table_cards", CARDS, "its cards"),
    Range("table_owner", SEATS, "who played it"),
    Range("passes", 1, "passes in a row since"),
    Range("leads", 1, "the seat to act leads"),
    Range("first_play", 1, "the next play must contain D3"),
    Range("log", (LOG, SEATS + 1 + CARDS), "last turns, newest first: seat, pass or not, cards"),
    Range("kind", len(Kind), "kind of the own play being composed", "that seat"),
    Range("rank", RANKS, "rank of the card by which it is compared", "that seat"),
    Range("suit", len(SUITS), "suit of that card", "that seat"),
    Range("chosen", CARDS, "its cards so far", "that seat"),
    Range("stacks", SEATS, "coins before this hand (with it, once it has ended), in stakes"),
    Range("stake", 1, "coins per point"),
    hand_range(),
)


@inlined
def put_cards(out, cards):
    """Flag the cards of a set."""
    for card in range(CARDS):
        out[card] = (cards >> card) & 1


@kernel
def observe(v, seat, o, known):
    own = v.cards[seat]
    unseen = DECK & ~own
    for k in range(SEATS):
        p = (seat + k) % SEATS
        if v.cards[p] == HIDDEN:
            known.cards[k, :] = 0
        else:
            put_cards(o.cards[k], v.cards[p])
        o.cards_left[k] = v.left[p]
        o.stacks[k] = v.stack[p] / v.rules.stake
    for card in range(CARDS):
        if v.played_in[card] >= 0:
            unseen &= ~BIT[card]
            o.played[(player_of(v, card) - seat) % SEATS, card] = 1
            o.turns_ago[card] = v.log_count - v.played_in[card]
    put_cards(o.unseen, unseen)
    o.spade_two_gone = v.played_in[S2] >= 0
    if v.to_beat != NONE:
        o.table_kind[KIND[v.to_beat]] = 1
        o.table_rank[KEY[v.to_beat] // 4] = 1
        o.table_suit[KEY[v.to_beat] % 4] = 1
        put_cards(o.table_cards, v.log_cards[(v.log_count - 1 - v.passes) % LOG])
    put_seat(o.table_owner, seat, v.owner, SEATS)
    o.passes = v.passes
    o.leads = v.to_beat == NONE
    o.first_play = must_have(v) != 0
    place = v.log_count % LOG
    for k in range(min(LOG, v.log_count)):
        place = place - 1 if place > 0 else LOG - 1
        put_seat(o.log[k], seat, v.log_seat[place], SEATS)
        o.log[k, SEATS] = v.log_cards[place] == 0
        put_cards(o.log[k, SEATS + 1 :], v.log_cards[place])
    if v.body != NONE:
        o.kind[KIND[v.body]] = 1
        o.rank[KEY[v.body] // 4] = 1
        o.suit[KEY[v.body] % 4] = 1
        put_cards(o.chosen, v.chosen)
    o.stake = v.rules.stake


# --- What can't be -------------------------------------------------------------------------------


def contradiction(s: np.void) -> str | None:
    """What can't be on a table or in a view: ``Game.contradiction``."""
    parts = (card_faults, turn_faults, end_faults, body_faults)
    return next((fault for find in parts for fault in find(s)), None)


def card_faults(s: np.void) -> Iterator[str]:
    """What can't be about where cards are (R1, R3, R5)."""
    played, count, leader = s["played_in"], int(s["log_count"]), int(s["leader"])
    hidden = [p for p in range(SEATS) if s["cards"][p] == HIDDEN]
    if len(hidden) != (0 if s["ended"] else SEATS - 1) and hidden:
        yield f"cards are hidden of seats {hidden}: expected none, or in play all but one"
    if (played >= count).any():
        yield f"played_in has {played.max()}, and log_count is {count}"
    gone = [
        [c for c in range(CARDS) if played[c] >= 0 and player_of(s, c) == p] for p in range(SEATS)
    ]
    seen = _set(card for row in gone for card in row)
    for p in range(SEATS):
        left, held = DEALT - len(gone[p]), int(s["cards"][p])
        if s["left"][p] != left:
            yield f"left[{p}] is {s['left'][p]}: after what was played it is {left}"
        if p not in hidden and held.bit_count() != left:
            yield f"cards[{p}] has {held.bit_count()} cards: after what was played it is {left}"
        if p not in hidden and held & seen:
            yield f"cards[{p}] has {cards_text(held & seen)}, which others hold or have played"
        seen |= held if p not in hidden else 0
    if must_have(s) and s["cards"][leader] != HIDDEN and not s["cards"][leader] & 1:
        yield f"leader is {leader}, who does not hold D3"
    if must_have(s) and leader in hidden and seen & 1:
        yield f"leader is {leader}, but D3 is elsewhere"


def turn_faults(s: np.void) -> Iterator[str]:
    """What can't be about plays and passes, turn by turn (R5–R10)."""
    if fault := log_contradiction(s, "leader"):
        yield fault
    count, to_beat, passes = int(s["log_count"]), NONE, 0
    for turn in range(count):
        cards = int(turn_cards(s, turn))
        play = int(play_of(cards))
        if turn >= count - LOG and s["log_cards"][turn % LOG] != cards:
            yield f"log_cards is not what played_in says of turn {turn}"
        if cards and play == NONE:
            yield f"played_in has {cards_text(cards)} in turn {turn}, which is no play"
        if turn == 0 and s["hand"] == 0 and not cards & 1:
            yield "played_in has no D3 in turn 0 of the first hand"
        if not cards and to_beat == NONE:
            yield f"played_in has nothing in turn {turn}, in which somebody led"
        if cards and to_beat != NONE and not beats(play, to_beat):
            yield f"played_in has {cards_text(cards)} in turn {turn}, which beats not the table"
        to_beat, passes = (play, 0) if cards else (to_beat, passes + 1)
        if passes == SEATS - 1:
            to_beat, passes = NONE, 0
    yield from unlike(s, "to_beat", to_beat, "by the turns so far")
    on_table = None if to_beat == NONE else s["log_cards"][(count - 1 - passes) % LOG]
    if fault := table_contradiction(s, "leader", on_table):
        yield fault


def beats(play: int, other: int) -> bool:
    """Whether a play beats another, both by their first steps."""
    return bool(SIZE[KIND[play]] == SIZE[KIND[other]]) and play > other


def end_faults(s: np.void) -> Iterator[str]:
    """What can't be about the hand's end (R11–R16)."""
    out = [p for p in range(SEATS) if s["left"][p] == 0]
    last = (int(s["leader"]) + int(s["log_count"]) - 1) % SEATS
    if out not in ([], [last]):
        yield f"left is 0 for seats {out}, and seat {last} had the last turn"
    yield from unlike(s, "winner", out[0] if out else NONE, "who has no cards left")
    left = [p for p in range(SEATS) if s["away"][p]]
    if bool(s["ended"]) != bool(out or left):
        yield f"ended is {s['ended']}: out of cards are {out}, away {left}"
    again = as_begun(s)
    again["net"] = 0
    if s["ended"]:
        settle(again, NONE if out else left[0])
    yield from unlike(s, "net", again["net"], "by the cards left")


def body_faults(s: np.void) -> Iterator[str]:
    """What can't be about the play being composed; its steps are done once more."""
    known = addressable(np.array([s], STATE))[0]
    clear_body(known)
    if s["body"] == NONE:
        yield from unlike(s, "chosen", 0, "nothing is being composed")
        return
    name, chosen = ACTIONS.name(int(s["body"])), int(s["chosen"])
    if s["ended"] or s["cards"][s["turn"]] == HIDDEN:
        yield f"body is {name}, and nobody here is composing a play"
        return
    step = int(s["body"])
    while step != NONE:
        mask = np.zeros(ACTIONS_WIDTH, np.int8)
        legal(known, mask)
        if not mask[step]:
            yield f"body is {name}, and {ACTIONS.name(step)} is illegal"
            return
        choose(known, step)
        more = chosen & ~int(known["chosen"])
        step = int(step_towards(known, s["chosen"])) if more else NONE
    if int(known["chosen"]) != chosen or is_whole(known):
        yield f"body is {name}, and chosen {cards_text(chosen)}: that many steps lead elsewhere"


# --- Words ---------------------------------------------------------------------------------------


def move(v: np.void, text: str) -> list[str]:
    """The steps of a play that the seat to act is asked for; ValueError if it can't be played."""
    text = text.strip()
    if text in ACTIONS.names:
        return [text]
    cards = parse_cards(text.replace("+", " "))
    step = int(play_of(cards))
    table = addressable(np.array([v], STATE))[0]
    if step == NONE:
        raise ValueError(f"{text!r} is no play")
    if cards & ~int(v["cards"][v["turn"]]):
        raise ValueError(f"{text!r} is not in the hand {cards_text(v['cards'][v['turn']])}")
    if v["body"] != NONE and (v["body"] != step or int(v["chosen"]) & ~cards):
        begun = f"{ACTIONS.name(int(v['body']))} with {cards_text(v['chosen'])}"
        raise ValueError(f"{text!r} does not go on from {begun}, which has been chosen")
    steps = []
    if v["body"] == NONE:
        steps.append(step)
        choose(table, step)
    while not is_whole(table):
        step = int(step_towards(table, np.int64(cards)))
        if step == NONE:
            raise ValueError(f"{text!r} can't be played now")
        steps.append(step)
        choose(table, step)
    return [ACTIONS.name(step) for step in steps]


def census(s: np.void) -> tuple[int, ...]:
    """How often there is each card, in hands and played."""
    held = np.array([[int(cards) >> c & 1 for c in range(CARDS)] for cards in s["cards"]])
    return tuple(int(n) for n in held.sum(axis=0) + (s["played_in"] != NONE))


def report(s: np.void) -> dict[str, Any]:
    """What was settled at the hand's end, and why."""
    leaver = NONE if s["winner"] != NONE else int(np.flatnonzero(s["away"])[0])
    last = int(s["to_beat"])
    return {
        "reason": "out" if leaver == NONE else "a seat left",
        "winner": int(s["winner"]) if leaver == NONE else None,
        "cards_left": s["left"].tolist(),
        "points": [int(points(s, seat, leaver)) for seat in range(SEATS)],
        "net": s["net"].tolist(),
        "last_play": None if last == NONE else KIND_NAMES[KIND[last]],
    }


def show(v: np.void, seat: int | None) -> Scene:
    """What lies on the table, for one seat's eyes; seat None: for all."""
    zones, places = [], []
    for p in range(SEATS):
        hidden = v["cards"][p] == HIDDEN
        hand = (BACK,) * int(v["left"][p]) if hidden else tuple(cards_text(v["cards"][p]).split())
        zones.append(Zone("hand", hand, owner=p))
        leads = not v["ended"] and v["to_beat"] == NONE and v["turn"] == p
        role = "leads" if leads else "winner" if v["winner"] == p else ""
        note = f"{int(v['net'][p]):+d} points" if v["ended"] else ""
        places.append(Place(p, role, int(v["stack"][p]), note=note))
    if v["to_beat"] != NONE:
        cards = v["log_cards"][(int(v["log_count"]) - 1 - int(v["passes"])) % LOG]
        kind = KIND_NAMES[KIND[v["to_beat"]]]
        zones.append(
            Zone("on the table", tuple(cards_text(cards).split()), int(v["owner"]), note=kind)
        )
    if v["body"] != NONE:
        chosen = tuple(cards_text(v["chosen"]).split())
        kind = KIND_NAMES[KIND[v["body"]]]
        zones.append(Zone("composing", chosen, int(v["turn"]), note=kind))
    facts = (f"stake {int(v['rules']['stake'])}", *["D3 must be played"] * bool(must_have(v)))
    return Scene(tuple(places), tuple(zones), facts, log_lines(v, cards_text))


def max_plies(rules: Mapping[str, Any]) -> int:
    """Three seats keep a card, so at most 49 cards are played; each step uses a card of its own,
    and each play but the last is followed by at most 3 passes: 49 + 3 · 48."""
    return int(rules["hands"]) * MOST_TURNS


GAME = Game(
    name="big_two",
    title="鋤大地",
    english="big two",
    summary="Each seat sheds thirteen cards; losers pay by the cards they are left with.",
    version=VERSION,
    source="rule pages of a Chinese online game hall",
    document=__doc__ or "",
    unit=lambda s: s["rules"]["stake"],
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
    max_plies=max_plies,
    census=census,
    contradiction=contradiction,
    report=report,
    show=show,
    restart=restart,
    recall=recall,
    move=move,
    checked_by=(
        "19,898 plays of the deck by kind, 1,687 of them with D3",
        "plays, first steps and plays with D3 of five hands",
        "complete continuations of two small open deals",
    ),
    history=("0: first version",),
)
