"""Gongzhu (拱豬): four seats, everybody alone, tricks without trumps in which some cards count.

R1 52 cards; in a suit 2 < 3 < … < 10 < J < Q < K < A.
R2 Seats 0…3 in playing order.
R3 Card i of the shuffled deck goes to seat i mod 4, 13 to each.
R4 Four cards can be exposed: the pig 豬 SQ, HA, the sheep 羊 DJ and the transformer 變壓器 C10.
R5 Exposing 亮牌: before the first lead each seat chooses any of those it holds. The answers are
   concealed until all four are in; then all see what is exposed, and by whom. Exposed cards stay
   in the hands.
R6 If just three are exposed, the fourth is too (option ``auto_fourth``).
R7 In the first hand of a match the holder of S2 leads it; later the seat that took the pig in the
   hand before leads any card.
R8 Who can follow the led suit must; otherwise any card may be played.
R9 In the first trick in which its suit is led, an exposed card is led or follows only if its owner
   has no other card of that suit. To discard it on another suit is free.
R10 The highest card of the led suit takes the trick and leads the next one.
R11 Hearts: A −50, K −40, Q −30, J −20, 10 to 5 −10 each, 4, 3, 2 nothing; doubled with HA exposed.
R12 SQ −100, DJ +100, each doubled if exposed.
R13 Who takes C10 doubles the sum of its other points (four times if exposed). With none of SQ, DJ
   and H5…HA C10 counts +50 (+100 if exposed) instead.
R14 All hearts 全紅, taken by one seat, count +200 (doubled with HA exposed).
R15 Slam 滿貫: a seat that takes all hearts, SQ, DJ and C10 counts SQ positive too.
R16 With raw scores r and their sum T a seat gets N/3 coins, N = (4r − T) × ``stake``: rounded down,
   and what is missing one by one to the largest N mod 3, ties in playing order from the seat after
   the hand's first leader.
R17 A hand ends with the trick in which the last of the sixteen cards of R15 is taken.
R18 A seat pays its stack at most. What is paid is shared in proportion to the coins of R16, ties of
   leftovers as there.
R19 Leaving 逃跑: the house plays on for the seat. Its raw score is its own, but −400 at most; the
   match ends with this hand.
R20 No answer: nothing is exposed; the lowest legal card by rank, then ♦ before ♣ before ♥ before ♠.
R21 ``hands`` hands with stacks and the taker of the pig carried over; the match ends early when a
   seat has less than ``stake``.

The lead of S2 and trick 13 are played unasked. All else is asked, also where there is one choice:
to skip it would tell something.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from qipai.envs import options
from qipai.envs.fields import Codec, Field, Fields
from qipai.envs.game import Game
from qipai.envs.kernel import addressable, kernel
from qipai.envs.layout import HIDDEN, NONE, Actions, Observation, Range, hand_range, put_seat
from qipai.envs.match import ENDED, as_begun, close_hand, end_match_below, next_seat
from qipai.envs.options import MAX_STAKE, Options, flag, integer
from qipai.envs.parts.cards import (
    BIT,
    NAMES_BY_SUIT,
    RANKS,
    SUITS,
    count_cards,
    lowest_card,
    shuffle_deck,
)
from qipai.envs.parts.shares import share
from qipai.envs.parts.voids import CONFINED, PLACES, can_be_placed, draw_taker
from qipai.envs.rng import below, conceal_rng
from qipai.envs.scene import BACK, Place, Scene, Zone

VERSION = 0

# --- Dimensions ----------------------------------------------------------------------------------

SEATS = 4
CARDS = len(NAMES_BY_SUIT)
IN_SUIT = len(RANKS)
TRICKS = CARDS // SEATS  # cards of a seat, too
EXPOSING, PLAYING_CARDS = range(2)  # phases

# --- Cards, by suit; sets of them as bits (R1, R4, R11–R15) --------------------------------------

DIAMONDS, CLUBS, HEARTS, SPADES = range(len(SUITS))
SUIT_SET = np.array([((1 << IN_SUIT) - 1) << IN_SUIT * suit for suit in range(len(SUITS))])
ALL = np.int64((1 << CARDS) - 1)


def _set(*names: str) -> np.int64:
    return np.int64(sum(1 << NAMES_BY_SUIT.index(name) for name in names))


PIG, ACE_OF_HEARTS, SHEEP, TRANSFORMER = (_set(name) for name in ("SQ", "HA", "DJ", "C10"))
EXPOSABLE = np.array([PIG, ACE_OF_HEARTS, SHEEP, TRANSFORMER])
EXPOSABLE_SET = np.int64(EXPOSABLE.sum())
EXPOSABLE_NAMES = ("SQ", "HA", "DJ", "C10")
TWO_OF_SPADES = _set("S2")
ALL_HEARTS = SUIT_SET[HEARTS]
SIXTEEN = ALL_HEARTS | PIG | SHEEP | TRANSFORMER
COUNTING = (SIXTEEN & ~TRANSFORMER) & ~_set("H2", "H3", "H4")  # what C10 can double (R13)
HEART_POINTS = (0, 0, 0, 10, 10, 10, 10, 10, 10, 20, 30, 40, 50)
# What hearts taken count, by their set; all of them are positive (R11, R14).
HEARTS_TAKEN = -np.array(
    [sum(p for k, p in enumerate(HEART_POINTS) if held >> k & 1) for held in range(1 << IN_SUIT)]
)
HEARTS_TAKEN[-1] *= -1
LEAVER = -400  # raw score of a seat that left, at most (R19)

# --- Options -------------------------------------------------------------------------------------

RULES = Options(
    options.seats(SEATS, low=SEATS, high=SEATS, clause="R2"),
    integer("stake", 1, low=1, high=MAX_STAKE, meaning="coins per point", clause="R16"),
    options.stack(10_000, seats=SEATS, clause="R18"),
    options.hands(clause="R21"),
    flag("auto_fourth", True, meaning="three exposed cards expose the fourth", clause="R6"),
)

# --- Actions -------------------------------------------------------------------------------------


def subset_name(subset: int) -> str:
    """Some of the four cards of R4, by the bits of ``subset``."""
    return "+".join(n for k, n in enumerate(EXPOSABLE_NAMES) if subset >> k & 1) or "none"


ACTIONS = Actions()
SUBSETS = 1 << len(EXPOSABLE_NAMES)
EXPOSE = ACTIONS.add(
    "expose", [f"expose:{subset_name(k)}" for k in range(SUBSETS)], "exposing, all of them held"
)
CARD = ACTIONS.add("card", NAMES_BY_SUIT, "play; held, and R7–R9 allow it")

# --- State ---------------------------------------------------------------------------------------


def set_text(cards: int) -> str:
    """A set of cards in words."""
    return " ".join(name for card, name in enumerate(NAMES_BY_SUIT) if cards >> card & 1)


def read_set(text: str) -> int:
    """The set of cards that a text names; ValueError if there is no such card, or twice."""
    cards = 0
    for name in text.split():
        if name not in NAMES_BY_SUIT:
            raise ValueError(f"{name!r} is no card; a card is a suit and a rank, like S9 or H10")
        if cards >> NAMES_BY_SUIT.index(name) & 1:
            raise ValueError(f"{name} is named twice")
        cards |= 1 << NAMES_BY_SUIT.index(name)
    return cards


_SET = Codec(encode=set_text, decode=read_set)
_SUBSET = Codec(
    encode=subset_name, decode=lambda text: [subset_name(k) for k in range(SUBSETS)].index(text)
)
_MOST = int(ALL)

FIELDS = Fields(
    RULES,
    SEATS,
    Field.seat("pig_taker", "took the pig in the hand before", empty=True, start=NONE, kept=True),
    Field.choice(
        "deck", NAMES_BY_SUIT, "cards to deal; none: dealt", CARDS, empty=True, start=NONE
    ),
    Field.choice("phase", ("expose", "play"), "what is being done"),
    Field.number("cards", _MOST, "in hand", SEATS, hidden=True, codec=_SET),
    Field.number(
        "answer",
        SUBSETS - 1,
        "what the seat chose to expose; none: not asked yet",
        SEATS,
        empty=True,
        hidden=True,
        codec=_SUBSET,
    ),
    Field.number("exposed", _MOST, "the seat's exposed cards, played or not", SEATS, codec=_SET),
    Field.seat("first", "led the first trick; none: not led yet", empty=True, start=NONE),
    Field.choice("log", NAMES_BY_SUIT, "cards played, in order", CARDS, empty=True, start=NONE),
    Field.number("log_count", CARDS, "cards played so far"),
    Field.seat("taker", "who took each trick", TRICKS, empty=True, start=NONE),
    Field.number("taken", _MOST, "cards of the tricks a seat took", SEATS, codec=_SET),
    Field.flag("led", "suits ♦♣♥♠ led before this trick", len(SUITS)),
    Field.flag("void", "all know that the seat has no card of the suit", (SEATS, len(SUITS))),
    Field.coins("due", "coins by R16, at the end", SEATS, low=-options.MAX_COINS),
)
STATE = FIELDS.dtype

# --- Deal, exposing (R3, R5–R7) ------------------------------------------------------------------


@kernel
def deal(s):
    shuffle_deck(s)
    open_hand(s)


@kernel
def open_hand(s):
    """Deal from ``deck``, and ask seat 0 what it exposes."""
    for i in range(CARDS):
        s.cards[i % SEATS] |= BIT[s.deck[i]]  # R3
        s.deck[i] = NONE
    s.turn = 0


@kernel
def held_subset(cards):
    """Which of the four cards of R4 are in a set, as a subset number."""
    subset = np.int64(0)
    for k in range(len(EXPOSABLE)):
        if cards & EXPOSABLE[k]:
            subset |= 1 << k
    return subset


@kernel
def expose(s):
    """All answers are in: show what is exposed (R5, R6)."""
    every = np.int64(0)
    for seat in range(SEATS):
        every |= s.answer[seat]
    if count_cards(every) == 3 and s.rules.auto_fourth:
        every = SUBSETS - 1
    for seat in range(SEATS):
        for k in range(len(EXPOSABLE)):
            if every >> k & 1:
                s.exposed[seat] |= s.cards[seat] & EXPOSABLE[k]


@kernel
def open_play(s):
    """Find who leads (R7); S2 is led unasked."""
    s.phase = PLAYING_CARDS
    s.first = s.pig_taker
    if s.hand == 0:
        for seat in range(SEATS):
            if s.cards[seat] & TWO_OF_SPADES:
                s.first = seat
    s.turn = s.first
    if s.hand == 0:
        play_card(s, lowest_card(TWO_OF_SPADES))


# --- Tricks (R8–R10, R17) ------------------------------------------------------------------------


@kernel
def leader(s, trick):
    """Who led a trick."""
    return s.first if trick == 0 else s.taker[trick - 1]


@kernel
def led_suit(s):
    """The suit of the trick that is being played; NONE if it is still to be led."""
    place = s.log_count % SEATS
    return s.log[s.log_count - place] // IN_SUIT if place else NONE


@kernel
def waiting(s, seat, led):
    """Exposed cards that may not yet be led or follow (R9)."""
    cards = s.cards[seat] & s.exposed[seat]
    wait = np.int64(0)
    for suit in range(len(SUITS)):
        card = cards & SUIT_SET[suit]
        first = not s.led[suit] and (led < 0 or led == suit)
        if first and s.cards[seat] & SUIT_SET[suit] != card:
            wait |= card
    return wait


@kernel
def playable(s):
    """The cards that the seat to act may play."""
    seat, led = s.turn, led_suit(s)
    cards = s.cards[seat]
    if led >= 0 and cards & SUIT_SET[led]:
        cards &= SUIT_SET[led]  # R8
    if cards & s.exposed[seat]:
        cards &= ~waiting(s, seat, led)
    return cards


@kernel
def legal(s, mask):
    if s.phase == EXPOSING:
        held = held_subset(s.cards[s.turn])
        for subset in range(SUBSETS):
            mask[EXPOSE + subset] = subset & ~held == 0
    else:
        cards = playable(s)
        for card in range(CARDS):
            mask[CARD + card] = cards >> card & 1


@kernel
def play_card(s, card):
    """The seat to act plays a card; a full trick is taken."""
    seat, led, suit = s.turn, led_suit(s), card // IN_SUIT
    if led >= 0 and suit != led:
        s.void[seat, led] = 1
    elif s.exposed[seat] & BIT[card] and not s.led[suit]:
        s.void[seat, suit] = 1  # by R9
    s.cards[seat] &= ~BIT[card]
    s.log[s.log_count] = card
    s.log_count += 1
    s.turn = next_seat(s, seat)
    if s.log_count % SEATS == 0:
        take_trick(s)


@kernel
def take_trick(s):  # R10
    start = s.log_count - SEATS
    best, cards = s.log[start], np.int64(0)
    taker = s.turn  # who has led
    for k in range(SEATS):
        card = s.log[start + k]
        cards |= BIT[card]
        if card > best and card // IN_SUIT == best // IN_SUIT:
            best, taker = card, (s.turn + k) % SEATS
    s.taker[start // SEATS] = taker
    s.taken[taker] |= cards
    s.led[s.log[start] // IN_SUIT] = 1
    s.turn = taker
    if not out(s):
        settle(s)


@kernel
def taken_cards(s):
    """The cards of all tricks taken."""
    return s.taken[0] | s.taken[1] | s.taken[2] | s.taken[3]


@kernel
def trick_cards(s):
    """The cards of the trick that is being played."""
    cards = np.int64(0)
    for i in range(s.log_count - s.log_count % SEATS, s.log_count):
        cards |= BIT[s.log[i]]
    return cards


@kernel
def out(s):
    """Which of the sixteen cards of R15 are in no trick taken."""
    return SIXTEEN & ~taken_cards(s)


@kernel
def apply(s, action):
    if s.phase == EXPOSING:
        s.answer[s.turn] = action - EXPOSE
        s.turn += 1
        if s.turn == SEATS:
            expose(s)
            open_play(s)
        return
    play_card(s, action - CARD)
    while not s.ended and s.log_count >= CARDS - SEATS:  # trick 13
        play_card(s, lowest_card(s.cards[s.turn]))


# --- Settlement (R11–R19) ------------------------------------------------------------------------


@kernel
def raw_score(taken, exposed):
    """What a seat's tricks count, by their cards and those exposed at the table."""
    hearts = HEARTS_TAKEN[(taken & ALL_HEARTS) >> (IN_SUIT * HEARTS)]
    pig = -100 if taken & PIG else 0
    sheep = 100 if taken & SHEEP else 0
    if taken & SIXTEEN == SIXTEEN:  # R15
        pig = -pig
    if exposed & ACE_OF_HEARTS:
        hearts *= 2
    if exposed & PIG:
        pig *= 2
    if exposed & SHEEP:
        sheep *= 2
    points = hearts + pig + sheep
    if taken & TRANSFORMER:  # R13
        factor = 4 if exposed & TRANSFORMER else 2
        return points * factor if taken & COUNTING else 25 * factor
    return points


@kernel
def exposed_cards(s):
    """All exposed cards of the table."""
    return s.exposed[0] | s.exposed[1] | s.exposed[2] | s.exposed[3]


@kernel
def score(s, seat):
    """A seat's raw score by the tricks so far; of one that left, what R19 makes of it."""
    points = raw_score(s.taken[seat], exposed_cards(s))
    return min(points, LEAVER) if s.away[seat] else points


@kernel
def count_thirds(s):
    """Write N of R16, thirds of coins, to ``due``."""
    total = 0
    for seat in range(SEATS):
        s.due[seat] = score(s, seat)
        total += s.due[seat]
    for seat in range(SEATS):
        s.due[seat] = (4 * s.due[seat] - total) * s.rules.stake


@kernel
def round_thirds(s):
    """Write the whole coins for the thirds in ``due`` to ``coins`` (R16)."""
    missing = 0
    for seat in range(SEATS):
        missing += s.due[seat] % 3
    missing //= 3
    for k in range(SEATS):
        seat, ahead = (s.first + 1 + k) % SEATS, 0
        rest = s.due[seat] % 3
        for j in range(SEATS):
            other = s.due[(s.first + 1 + j) % SEATS] % 3
            ahead += other > rest or (other == rest and j < k)
        s.coins[seat] = s.due[seat] // 3 + (ahead < missing)


@kernel
def pay(s):
    """Keep ``coins`` as what is ``due``, and pay of it what the stacks can (R18)."""
    pool = 0
    for seat in range(SEATS):
        s.due[seat] = s.coins[seat]
        s.coins[seat] = -min(-s.due[seat], s.stack[seat]) if s.due[seat] < 0 else 0
        pool -= s.coins[seat]
    share(pool, s.due, s.coins, SEATS, next_seat(s, s.first))


@kernel
def settle(s):
    count_thirds(s)
    round_thirds(s)
    pay(s)
    for seat in range(SEATS):
        if s.taken[seat] & PIG:
            s.pig_taker = seat
    close_hand(s)
    end_match_below(s, s.rules.stake)  # R21
    for seat in range(SEATS):
        if s.away[seat]:  # R19
            s.over = ENDED


@kernel
def default(s):  # R20
    if s.phase == EXPOSING:
        return EXPOSE
    cards = playable(s)
    for rank in range(IN_SUIT):
        for suit in range(len(SUITS)):
            if cards >> (IN_SUIT * suit + rank) & 1:
                return CARD + IN_SUIT * suit + rank
    return CARD


@kernel
def leave(s, seat):
    """The hand goes on, with the house in the seat (R19)."""


# --- What a seat sees ----------------------------------------------------------------------------


@kernel
def conceal(s, seat):
    conceal_rng(s.rng)
    for other in range(SEATS):
        if other != seat:
            s.cards[other] = HIDDEN
            if s.phase == EXPOSING and s.answer[other] != NONE:
                s.answer[other] = HIDDEN


@kernel
def played_cards(s):
    """All cards played so far."""
    return taken_cards(s) | trick_cards(s)


@kernel
def cards_left(s, seat):
    """How many cards a seat has in hand."""
    trick = s.log_count // SEATS
    if s.log_count % SEATS == 0:
        return TRICKS - trick
    return TRICKS - trick - ((seat - leader(s, trick)) % SEATS < s.log_count % SEATS)


@kernel
def takers_allowed(s, seat, suit):
    """Which of the three seats after ``seat`` may hold hidden cards of a suit, as bits."""
    allowed = np.int64(0)
    for taker in range(SEATS - 1):
        allowed |= (1 - s.void[(seat + 1 + taker) % SEATS, suit]) << taker
    return allowed


@kernel
def place_exposed(s, seat):
    """The three other seats hold their exposed cards and nothing else; which cards are unseen."""
    played = played_cards(s)
    unseen = ALL & ~played & ~s.cards[seat]
    for taker in range(SEATS - 1):
        other = (seat + 1 + taker) % SEATS
        s.cards[other] = s.exposed[other] & unseen
        unseen &= ~s.cards[other]
    return unseen


@kernel
def room_left(s, seat):
    """Free places of the three other seats, packed (parts/voids.py)."""
    room = np.int64(0)
    for taker in range(SEATS - 1):
        other = (seat + 1 + taker) % SEATS
        room += PLACES[taker] * max(0, cards_left(s, other) - count_cards(s.cards[other]))
    return room


@kernel
def need_of(s, seat, unseen):
    """Unseen cards by who may have them, packed (parts/voids.py)."""
    need = np.int64(0)
    for suit in range(len(SUITS)):
        need += CONFINED[takers_allowed(s, seat, suit)] * count_cards(unseen & SUIT_SET[suit])
    return need


@kernel
def redeal(s, seat):
    unseen = place_exposed(s, seat)
    need, room = need_of(s, seat, unseen), room_left(s, seat)
    for most in range(1, SEATS):  # suits that few can have first
        for suit in range(len(SUITS)):
            allowed = takers_allowed(s, seat, suit)
            if count_cards(allowed) != most:
                continue
            cards = unseen & SUIT_SET[suit]
            while cards:
                card = cards & -cards
                cards ^= card
                taker = draw_taker(s.rng, need, room, allowed)
                if taker >= 0:
                    s.cards[(seat + 1 + taker) % SEATS] |= card
                    need -= CONFINED[allowed]
                    room -= PLACES[taker]
    for other in range(SEATS):
        if s.answer[other] == HIDDEN:
            redraw_answer(s, other)


@kernel
def redraw_answer(s, seat):
    """Any of the answers that a seat could have given with its cards."""
    held = held_subset(s.cards[seat])
    pick = below(s.rng, 1 << count_cards(held))
    for subset in range(SUBSETS):
        if subset & ~held == 0:
            if pick == 0:
                s.answer[seat] = subset
            pick -= 1


# --- The hand told again -------------------------------------------------------------------------


@kernel
def restart(s, later):
    for i in range(CARDS):
        s.deck[i] = NONE
    for seat in range(SEATS):
        s.cards[seat] = later.cards[seat]
    for i in range(later.log_count):
        trick = i // SEATS
        s.cards[(leader(later, trick) + i % SEATS) % SEATS] |= BIT[later.log[i]]
    s.turn = 0
    stayed = True
    for seat in range(SEATS):
        stayed &= not later.away[seat]
    return stayed


@kernel
def recall(s, later):
    if s.phase == EXPOSING:
        answer = np.int64(later.answer[s.turn])
        return EXPOSE + answer if answer >= 0 else answer
    if s.log_count < later.log_count:
        return CARD + np.int64(later.log[s.log_count])
    return np.int64(NONE)


# --- What can't be -------------------------------------------------------------------------------


def contradiction(s: np.void) -> str | None:
    """What can't be on a table or in a view: ``Game.contradiction``."""
    parts = (order_faults, card_faults, replay_faults)
    return next((fault for find in parts for fault in find(s)), None)


def order_faults(s: np.void) -> Iterator[str]:
    """What can't be about turn, answers, and the order of the cards played."""
    count, log, takers = int(s["log_count"]), s["log"], s["taker"]
    playing = s["phase"] == PLAYING_CARDS
    if (s["deck"] != NONE).any():
        yield "deck has cards, but all are dealt"
    if s["turn"] == HIDDEN:
        yield f"turn is {HIDDEN}, but all see whose turn it is"
    if not playing and count:
        yield f"log_count is {count}, but nobody has led"
    if playing != (s["first"] != NONE):
        yield f"first is {s['first']}: expected who led, and none while cards are exposed"
    if (log[:count] == NONE).any() or (log[count:] != NONE).any():
        yield f"log has not just log_count={count} cards"
    if len({*log[:count].tolist()}) < count:
        yield "log has a card more than once"
    tricks = count // SEATS
    if (takers[:tricks] == NONE).any() or (takers[tricks:] != NONE).any():
        yield f"taker has not just the takers of {tricks} tricks"
    if playing and (s["answer"] < 0).any():
        yield "answer is not known of all seats, but cards are being played"
    before = s["hand"] > 0 or s["ended"]
    if (s["pig_taker"] != NONE) != before:
        yield f"pig_taker is {s['pig_taker']}: expected who took it in the hand before, if any"


def card_faults(s: np.void) -> Iterator[str]:
    """What can't be about who holds which cards."""
    hidden = s["cards"] == HIDDEN
    if hidden.sum() not in (0, SEATS - 1):
        yield "cards are hidden of some seats: expected of none, or of all but one"
    table = addressable(np.array([s], STATE))[0]
    played = int(sum(int(BIT[card]) for card in s["log"] if card >= 0))
    for seat in np.flatnonzero(~hidden).tolist():
        if int(count_cards(table["cards"][seat])) != cards_left(table, seat):
            held = int(cards_left(table, seat))
            yield f"cards[{seat}] is {set_text(int(s['cards'][seat]))}: expected {held} cards"
        if int(s["cards"][seat]) & played:
            yield f"cards[{seat}] has {set_text(int(s['cards'][seat]) & played)}, played already"
    if np.bitwise_or.reduce(s["taken"]) & ~played:
        yield "taken has cards that are not in log"
    if hidden.any():
        own = int(np.flatnonzero(~hidden)[0])
        unseen = place_exposed(table, own)
        need, room = need_of(table, own, unseen), room_left(table, own)
        if not can_be_placed(need, room):
            yield "void leaves no deal of the cards that are not seen"


def replay_faults(s: np.void) -> Iterator[str]:
    """What is unlike the hand that has been played, from its first decision on."""
    table, hidden = addressable(np.array([s], STATE))[0], s["cards"] == HIDDEN
    if hidden.any():
        redeal(table, int(np.flatnonzero(~hidden)[0]))
    again = as_begun(table)
    for field in FIELDS:
        if not field.kept and field.name not in ("turn", "coins", "house", "ended"):
            again[field.name] = field.start
    if s["ended"]:
        again["pig_taker"] = NONE if s["hand"] == 0 else s["first"]
    restart(again, table)
    while (action := int(recall(again, table))) >= 0 and not again["ended"]:
        mask = np.zeros(ACTIONS.width, np.int8)
        legal(again, mask)
        if not mask[action]:
            yield f"log or answer has {ACTIONS.name(action)}, which seat {again['turn']} can't do"
            return
        apply(again, np.int64(action))
    for field in FIELDS:
        found, right = np.asarray(table[field.name]), np.asarray(again[field.name])
        if (found != right).any():
            yield f"{field.name} is {found.tolist()}: expected {right.tolist()} ({field.meaning})"


# --- Observation ---------------------------------------------------------------------------------


OBSERVATION = Observation(
    Range("phase", 2, "exposing, play"),
    Range("cards", CARDS, "own cards", "the owner"),
    Range(
        "answers",
        (SEATS, 1 + len(EXPOSABLE)),
        "has answered; what it chose to expose of SQ, HA, DJ, C10",
        "that it has answered: all; what: its seat, all others once the last answer is in",
    ),
    Range("exposed", (SEATS, len(EXPOSABLE)), "exposed SQ, HA, DJ, C10 by owner, played or not"),
    Range("played", (SEATS, CARDS), "who played each card"),
    Range("trick_of", CARDS, "the number of the trick each card was played in, from 1 on"),
    Range("taken", (SEATS, CARDS), "who took each card"),
    Range("trick", (SEATS, CARDS), "the cards of the current trick by who played them"),
    Range("leader", SEATS, "who leads the current trick"),
    Range("led_suit", len(SUITS), "its suit"),
    Range("led", len(SUITS), "suits led so far"),
    Range("void", (SEATS, len(SUITS)), "certainly has no card of the suit"),
    Range("score", SEATS, "raw score so far, in hundreds"),
    Range("hearts", SEATS, "hearts taken"),
    Range("out", CARDS, "those of the sixteen cards that count which nobody has taken"),
    Range("unseen", CARDS, "cards neither played nor in the own hand"),
    Range("tricks", 1, "tricks taken so far"),
    Range("away", SEATS, "has left"),
    Range("stacks", SEATS, "coins before this hand (with it, once it has ended), in stakes"),
    Range("stake", 1, "coins per point"),
    hand_range(),
    Range("rules", 1, "auto_fourth"),
)


@kernel
def observe(v, seat, o, known):
    o.phase[v.phase] = 1
    tricks, place = v.log_count // SEATS, v.log_count % SEATS
    exposed, every, own = exposed_cards(v), out(v), v.cards[seat]
    unseen = ALL & ~(own | played_cards(v))
    for card in range(CARDS):
        o.cards[card] = own >> card & 1
        o.out[card] = every >> card & 1
        o.unseen[card] = unseen >> card & 1
    p = seat
    for k in range(SEATS):
        if v.answer[p] == HIDDEN:
            known.answers[k, 1:] = 0
        for i in range(len(EXPOSABLE)):
            o.exposed[k, i] = v.exposed[p] & EXPOSABLE[i] != 0
            if v.answer[p] >= 0:
                o.answers[k, 1 + i] = v.answer[p] >> i & 1
        o.answers[k, 0] = v.answer[p] != NONE
        for suit in range(len(SUITS)):
            o.void[k, suit] = v.void[p, suit]
        points = raw_score(v.taken[p], exposed)
        o.score[k] = points * 0.01
        o.hearts[k] = count_cards(v.taken[p] & ALL_HEARTS)
        o.away[k] = v.away[p]
        o.stacks[k] = v.stack[p] / v.rules.stake
        p = next_seat(v, p)
    for suit in range(len(SUITS)):
        o.led[suit] = v.led[suit]
    for i in range(v.log_count):
        trick, card = i // SEATS, v.log[i]
        player = (leader(v, trick) + i - trick * SEATS - seat) % SEATS
        o.played[player, card] = 1
        o.trick_of[card] = trick + 1
        if trick < tricks:
            o.taken[(v.taker[trick] - seat) % SEATS, card] = 1
        else:
            o.trick[player, card] = 1
    if v.phase == PLAYING_CARDS and not v.ended:
        put_seat(o.leader, seat, leader(v, tricks), SEATS)
        if place:
            o.led_suit[led_suit(v)] = 1
            o.led[led_suit(v)] = 1
    o.tricks = tricks
    o.stake = v.rules.stake
    o.rules = v.rules.auto_fourth


# --- Words ---------------------------------------------------------------------------------------


def names(cards: int) -> tuple[str, ...]:
    """A set of cards by name, suits ♠ ♥ ♣ ♦ and high cards first."""
    return tuple(reversed(set_text(cards).split()))


def census(s: np.void) -> tuple[int, ...]:
    """How many there are of each card, in the deck, in hands and played."""
    dealt = [card for row in s["cards"] for card in range(CARDS) if int(row) >> card & 1]
    cards = np.array([*dealt, *s["log"], *s["deck"]])
    return tuple(np.bincount(cards[cards >= 0], minlength=CARDS).tolist())


def report(s: np.void) -> dict[str, Any]:
    """How the hand ended: what was exposed and taken, raw scores, coins that could not be paid."""
    left = [p for p in range(SEATS) if s["away"][p]]
    return {
        "reason": "a seat left" if left else "settled",
        "first": int(s["first"]),
        "exposed": [" ".join(names(int(cards))) for cards in s["exposed"]],
        "taken": [" ".join(names(int(cards & SIXTEEN))) for cards in s["taken"]],
        "tricks": int(s["log_count"]) // SEATS,
        "scores": [int(score(s, p)) for p in range(SEATS)],
        "pig": int(s["pig_taker"]),
        "due": s["due"].tolist(),
        "left": left,
    }


def _seat_note(v: np.void, seat: int) -> str:
    """A seat's answer while cards are exposed, later its points."""
    if v["phase"] == PLAYING_CARDS:
        return f"{int(score(v, seat)):+d} points"
    if v["answer"][seat] == NONE:
        return ""
    hidden = v["answer"][seat] == HIDDEN
    return "has answered" if hidden else ACTIONS.name(EXPOSE + int(v["answer"][seat]))


def show(v: np.void, seat: int | None) -> Scene:
    """What lies on the table, for one seat's eyes; seat None: for all."""
    zones, count = [], int(v["log_count"])
    start = count - (count % SEATS or SEATS * bool(count))  # of this trick, or of the last
    for p in range(SEATS):
        row, shown = int(v["cards"][p]), int(v["exposed"][p]) & ~int(played_cards(v))
        if row == HIDDEN:
            hand = names(shown) + (BACK,) * (int(cards_left(v, p)) - len(names(shown)))
        else:
            hand = names(row)
        marked = tuple(i for i, name in enumerate(hand) if name in names(shown))
        if hand:
            zones.append(Zone("hand", hand, p, marked=marked, note="exposed" if marked else ""))
        taken = names(int(v["taken"][p] & SIXTEEN))
        if taken:
            zones.append(Zone("taken", taken, owner=p))
    if count:
        opened = int(leader(v, start // SEATS))
        trick = [NAMES_BY_SUIT[card] for card in v["log"][start:count]]
        note = f"led by seat {opened}"
        marked = ()
        if count % SEATS == 0:
            taker = int(v["taker"][start // SEATS])
            note, marked = f"{note}, taken by seat {taker}", ((taker - opened) % SEATS,)
        zones.append(
            Zone(
                "trick" if count % SEATS else "last trick",
                tuple(trick),
                None,
                0,
                note,
                marked=marked,
            )
        )
    places = tuple(
        Place(
            p,
            "gone" if v["away"][p] else "pig 豬" if v["taken"][p] & PIG else "",
            int(v["stack"][p]),
            note=_seat_note(v, p),
        )
        for p in range(SEATS)
    )
    number = min(count // SEATS + 1, TRICKS)
    facts = (
        "exposing" if v["phase"] == EXPOSING else f"trick {number}",
        f"stake {int(v['rules']['stake'])}",
    )
    moves = tuple(
        f"{(int(leader(v, i // SEATS)) + i) % SEATS}: {NAMES_BY_SUIT[v['log'][i]]}"
        for i in range(max(0, count - 3 * SEATS), count)
    )
    return Scene(places, tuple(zones), facts, moves)


def move(v: np.void, text: str) -> list[str]:
    """The action's name for a card (``H10``, ``hT``) or an answer (``HA+SQ``, ``none``) as people
    write it."""
    if v["phase"] == PLAYING_CARDS:
        return [_card(text)]
    words = text.strip().removeprefix("expose").lstrip(": ").replace("+", " ").split()
    subset = 0
    for word in [] if words == ["none"] else words:
        name = _card(word)
        if name not in EXPOSABLE_NAMES:
            raise ValueError(f"{name} can't be exposed; {', '.join(EXPOSABLE_NAMES)} can")
        subset |= 1 << EXPOSABLE_NAMES.index(name)
    if not words:
        raise ValueError(f"{text!r} is no answer; write none, or cards like SQ+C10")
    return [ACTIONS.name(EXPOSE + subset)]


def _card(text: str) -> str:
    word = text.strip().upper()
    if word in ACTIONS.names:
        return word
    return f"{word[0]}10" if word[1:] == "T" and word[0] in SUITS else text.strip()


def max_plies(rules: Mapping[str, Any]) -> int:
    """Four answers and twelve tricks of four cards a hand: trick 13 is played unasked."""
    return CARDS * int(rules["hands"])


GAME = Game(
    name="gongzhu",
    title="拱豬",
    english="gongzhu",
    summary="Tricks without trumps: hearts and the pig cost points, the sheep earns them.",
    version=VERSION,
    source="scoring page of a Chinese online game hall for R16, common full scoring for the rest",
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
    laid=("deck", open_hand),
    restart=restart,
    recall=recall,
    max_plies=max_plies,
    census=census,
    contradiction=contradiction,
    report=report,
    show=show,
    move=move,
    checked_by=(
        "the mean raw score over all 4^16 ways to share out the sixteen cards, exactly, and every "
        "value it takes, with nothing and with all four exposed",
        "complete continuations of three-card endings, for each leader",
    ),
    limitations=(
        "The source has the settlement alone (R16); exposing, play and points follow the common "
        "full scoring.",
    ),
    history=("0: first version",),
)
