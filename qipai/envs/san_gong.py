"""San Gong (三公): three cards modulo ten, faces strong; a bank, all against all, or a casino.

R1 52 cards, no jokers, shuffled afresh each hand; suits ♠ > ♥ > ♣ > ♦.
R2 A to 9 count 1 to 9, 10 and the faces (公) J Q K count 0; points are the last digit of the sum.
R3 Single cards: K > Q > J > 10 > 9 > … > 2 > A.
R4 In ``banker`` and ``pairwise``: 大三公 big (three K, Q or J) > 小三公 small (three of a lower
   rank) > 混三公 mixed (three faces, not all equal) > 點數 points.
R5 Of two big or two small hands the one of the higher rank wins.
R6 Of two mixed hands the one with the best card wins, rank then suit.
R7 Of two hands of points: more points, then more faces, then the best card, rank then suit. No two
   seats tie.
R8 A hand's coefficient is, by ``coefs``, that of big, small, mixed, 8–9 points, 0–7 points.
R9 2–6 seats (casino 1–6) in playing order. A seat is in a hand if it has not left and owns a coin
   (casino: the smallest chip) at its start. The match ends after ``hands`` hands, or when fewer
   than two seats (casino: none) are in, or when nobody may bank.
R10 Three cards each, one at a time in playing order, once all answers are given, and all face up.
   First gets the banker; in ``pairwise`` the lead: a random seat, later the one with the best hand
   of the hand before or the next that is in; in ``casino`` the order is 莊, 閒1, 閒2, 閒3.
R11 Banker: who is in, has not left and owns ``bank_min`` may bank. If one seat alone may, it
   banks.
R12 搶莊 ``bank`` grab: with no sitting banker all who may bank answer ``grab`` or ``no``,
   concealed until all have. The richest who grabbed banks, equal ones by lot; if none did, any by
   lot.
R13 The grabbed bank is held until the banker had 0 points (not three 10 or three faces), has left,
   or owns less than ``bank_min``.
R14 輪莊 ``bank`` turns: each hand the bank is offered openly to one seat after another, from a
   random one on, later from after the last banker; the first ``grab`` takes it. All ``no``: by
   lot.
R15 The base bet is the banker's coins / ``base_div``, at least 1. Each other seat (閒) then stakes
   1–4 of it, concealed until all have: two and more only if it owns them, one always (or all it
   has).
R16 Each 閒 is compared with the banker; the loser owes the stake times the coefficient of the
   winner's hand (``use_coef`` false: once).
R17 A losing 閒 pays no more than it owns, and before any winner is paid.
R18 If the banker can't pay all winners, all he then has is shared in proportion to what is due.
   Shares are rounded down, coins left go to the largest fractions, ties in playing order from
   after the banker.
R19 Rake: ``rake`` percent of what a seat has won in the hand, rounded down.
R20 Pairwise: all say ``ready``, from the lead on; there is nothing to decide.
R21 Of each pair of seats the winner gains its own coefficient and the loser loses it. A seat's
   claim is its score times ``room``.
R22 A seat with a negative claim pays no more than it owns; this is shared as in R18 among those
   with positive claims, ties from after the lead.
R23 Casino: 莊 and 閒 1–3 are hands of the house. Seats bet on 閒 k ``win``, ``lose``, ``tie``,
   ``three``, ``pair``, and on 莊 ``three0``, ``pair0``. Three faces > 9 … 0 points, then more
   faces, else level.
R24 ``win`` and ``lose`` pay 1:1, level returns them, and half (rounded down) if the better hand
   has 6 points; ``tie`` 8:1 on equal values, faces ignored; ``three`` 16:1 on three faces;
   ``pair`` 40:1 on a straight flush, 30:1 on three of a kind, 6:1 on a straight (A-2-3 … Q-K-A),
   3:1 on a flush, 1:1 on a pair. Anything else loses the stake.
R25 Seats lay up to ``max_chips`` chips one by one, concealed until all are done, within the limits
   of each group of spots (win and lose together are one) and their coins; ``win`` and ``lose`` of
   one 閒 exclude each other unless ``both_sides``.
R26 A seat that leaves (逃跑) stays in the hand: its stakes stand, the house answers for it
   (``no``, ``bet 1``, ``ready``, ``done``). Before the bank is given it may no longer bank; if
   nobody may, the hand is void and the match ends.
R27 No answer: the same answers; the seat stays.

Exact means at the default options, without rounding. The better of two hands has the coefficient 1
with probability 1590499/2544815, 3 with 357869/1017926, 5 with 95367/5089630, 7 with 541/149695, 9
with 2763/2544815: 920436/508963 on average. A 閒 that can pay all loses nothing to a sound bank and
2301090/508963 (4.5211) of 100 coins staked to the rake. A coin on ``win`` or ``lose`` brings
−3110763/101792600 (−3.0560 %), on ``tie`` −1498258/12724075 (−11.7750 %), on ``three`` −54/65
(−83.0769 %), on ``pair`` −402/5525 (−7.2760 %).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from enum import IntEnum
from typing import Any

import numpy as np

from qipai.envs import options
from qipai.envs.fields import Field, Fields, unlike
from qipai.envs.game import Game
from qipai.envs.kernel import kernel
from qipai.envs.layout import HIDDEN, NONE, Actions, Observation, Range, hand_range, put_seat
from qipai.envs.match import ENDED, as_begun, close_hand, count_seats, next_seat
from qipai.envs.options import MAX_COINS, OptionError, Options, choice, flag, integer, row
from qipai.envs.parts import bank, chips
from qipai.envs.parts.cards import BIT, CARD_NAMES, card_field, card_name, shuffle_deck
from qipai.envs.parts.faces import JACK, faces, order
from qipai.envs.parts.points import points
from qipai.envs.parts.shares import share
from qipai.envs.parts.three_cards import (
    A23,
    FLUSH,
    PAIR,
    RUN,
    STRAIGHT_FLUSH,
    STRENGTHS,
    TRIPS,
    strength_of,
)
from qipai.envs.parts.three_cards import HAND_NAMES as POKER_NAMES
from qipai.envs.parts.three_cards import KIND as POKER_KIND
from qipai.envs.rng import below, conceal_rng, shuffle
from qipai.envs.scene import Place, Scene, Zone, cards_seen

VERSION = 0

# --- Dimensions ------------------------------------------------------------------------------

SEATS = 6
CARDS = len(CARD_NAMES)
SUITS = 4
HAND = 3  # cards of a hand
MULTIPLES = 4  # R15
HOUSE_HANDS = 4  # of a casino: 莊 and 閒 1–3
GRABBING, OFFERING, BETTING, READYING, LAYING = range(5)  # phases
PHASES = ("grab", "offer", "bet", "ready", "chips")
COEFS = 5  # R8
MOST_COEF = 100
MOST_CLAIM = 2**60  # 15 pairs of seats, ``MOST_COEF`` and the dearest room

# --- Options ---------------------------------------------------------------------------------


class Mode(IntEnum):
    BANKER = 0
    PAIRWISE = 1
    CASINO = 2


class Bank(IntEnum):  # how it is given (R12, R14)
    GRAB = 0
    TURNS = 1


LIMITS = {"main": 1000, "tie": 200, "three": 200, "pair": 200}  # of chips in a casino

RULES = Options(
    options.seats(4, low=1, high=SEATS, clause="R9"),
    options.hands(clause="R9"),
    options.stack(10_000, seats=SEATS, clause="R9"),
    choice("mode", Mode.BANKER, meaning="which game", clause="R9–R25"),
    choice("bank", Bank.GRAB, meaning="how the bank is given", clause="R12, R14"),
    integer("bank_min", 100, low=1, high=MAX_COINS, meaning="coins needed to bank", clause="R11"),
    integer(
        "base_div",
        100,
        low=1,
        high=MAX_COINS,
        meaning="banker's coins to a coin of the base bet",
        clause="R15",
    ),
    flag("use_coef", True, meaning="bets are paid by coefficients", clause="R16"),
    row(
        "coefs",
        (9, 7, 5, 3, 1),
        low=1,
        high=MOST_COEF,
        meaning="coefficients of big, small, mixed, 8–9 and 0–7 points",
        clause="R8",
    ),
    integer("rake", 5, low=0, high=100, meaning="percent of a seat's net gain", clause="R19"),
    integer("room", 3, low=1, high=MAX_COINS, meaning="房间系数, coins a point", clause="R21"),
    *chips.chip_options((10, 50, 100), 8, "R25"),
    *chips.limit_options(LIMITS, "R25"),
    flag("both_sides", False, meaning="win and lose of one hand together", clause="R25"),
    presets={
        "banker": {},
        "turns": {"bank": "turns"},
        "pairwise": {"mode": "pairwise"},
        "casino": {"mode": "casino"},
    },
)


def check(rules: Mapping[str, Any]) -> None:
    """OptionError if the first hand could not be played, or coefficients rise."""
    mode, coefs = rules["mode"], list(rules["coefs"])
    if coefs != sorted(coefs, reverse=True):
        raise OptionError(f"san_gong: coefs={coefs!r}; allowed: {COEFS} numbers that do not rise")
    if mode == "casino":
        chips.check("san_gong", rules, LIMITS)
    elif rules["seats"] < 2:
        raise OptionError(f"san_gong: seats=1 with mode={mode}; allowed: 2…{SEATS}, 1 in a casino")
    if mode == "banker":
        check_banker(rules)


def check_banker(rules: Mapping[str, Any]) -> None:
    """OptionError if nobody could bank the first hand, or nobody would be asked anything in it."""
    stacks, least = rules["stack"], rules["bank_min"]
    richest, second = sorted(stacks)[:-3:-1]
    if second < min(least, 2 * max(1, richest // rules["base_div"])) or richest < least:
        raise OptionError(
            f"san_gong: stack={list(stacks)!r} with bank_min={least} and base_div="
            f"{rules['base_div']} lets nobody decide anything; allowed: a stack of bank_min to "
            "bank, and another of bank_min or of two base bets"
        )


# --- Actions ---------------------------------------------------------------------------------

HAND_SPOTS = ("win", "lose", "tie", "three", "pair")
SPOTS = (*(f"{name}{k}" for k in range(1, HOUSE_HANDS) for name in HAND_SPOTS), "three0", "pair0")
WIN, LOSE, TIE, THREE, PAIR_UP = range(len(HAND_SPOTS))
SPOT_HAND = np.array([int(name[-1]) for name in SPOTS])
SPOT_KIND = np.array([HAND_SPOTS.index(name[:-1]) for name in SPOTS])

ANSWERS = ("no", "grab")
ACTIONS = Actions()
NO = ACTIONS.add("no", ["no"], "the bank is to be had (R12, R14)")
GRAB = ACTIONS.add("grab", ["grab"], "the bank is to be had (R12, R14)")
BET = ACTIONS.add("bet", [f"bet {m + 1}" for m in range(MULTIPLES)], "閒, before the deal (R15)")
READY = ACTIONS.add("ready", ["ready"], "pairwise, before the deal (R20)")
DONE, CHIP = chips.add_actions(ACTIONS, SPOTS, "within limits and coins, in order (R25)")

# --- State -----------------------------------------------------------------------------------

FIELDS = Fields(
    RULES,
    SEATS,
    card_field("deck", "cards to deal; none: dealt", CARDS, hidden=True),
    Field.choice("phase", PHASES, "what is being answered"),
    Field.seat("lead", "who gets the first card (pairwise)", empty=True, kept=True),
    card_field("cards", "the last deal, by seat or hand of the house", (SEATS, HAND), kept=True),
    Field.choice("answer", ANSWERS, "whether it will bank", SEATS, empty=True, hidden=True),
    Field.number(
        "claim", MOST_CLAIM, "coins won or lost, if all could be paid", SEATS, low=-MOST_CLAIM
    ),
    *bank.bank_fields(SEATS),
    *chips.fields(SEATS, SPOTS),
)
STATE = FIELDS.dtype


# --- Hands (R1–R8) -----------------------------------------------------------------------------

MIXED, SMALL, BIG = range(10, 13)  # kinds of hands above 0–9 points
CLASSES = ("points", "mixed", "small", "big")  # R4
HAND_NAMES = ("0 points", "1 point", *(f"{n} points" for n in range(2, MIXED)), *CLASSES[1:])
COEF = np.array([4] * 8 + [3] * 2 + [2, 1, 0])  # which of ``coefs`` a kind of hand has (R8)
TIES = 4  # numbers of faces, by which hands of equal points are told apart


@kernel
def value(a, b, c):
    """What a hand is worth: of two hands the higher value wins, and no two are equal (R4–R7).

    It counts the kind (an index into ``HAND_NAMES``), for equal points the faces, and the card or
    rank that decides then.
    """
    best, tie = max(order(a), order(b), order(c)), 0
    if a // SUITS == b // SUITS and b // SUITS == c // SUITS:
        best //= SUITS
        kind = BIG if best >= JACK else SMALL
    elif faces(a, b, c) == HAND:
        kind = MIXED
    else:
        kind, tie = points(a, b, c), faces(a, b, c)
    return (kind * TIES + tie) * CARDS + best


@kernel
def kind_of(value):
    """The kind of hand with this value, an index into ``HAND_NAMES``."""
    return value // (TIES * CARDS)


@kernel
def cards_of(s, place):
    """The cards that a seat, or a hand of the house, was last dealt."""
    return (
        np.int64(s.cards[place, 0]),
        np.int64(s.cards[place, 1]),
        np.int64(s.cards[place, 2]),
    )


@kernel
def worth(s, seat):
    """The value of a seat's cards; negative if it has none."""
    a, b, c = cards_of(s, seat)
    return value(a, b, c) if a >= 0 else NONE


@kernel
def coefficient(s, value):
    """The coefficient of a hand of this value (R8)."""
    return s.rules.coefs[COEF[kind_of(value)]]


# --- Who is in, who may bank (R9–R15) ------------------------------------------------------------


@kernel
def can_join(s, seat):
    """Whether a seat is in the hand that begins now, if it is not in a casino (R9)."""
    return not s.away[seat] and s.stack[seat] > 0


@kernel
def may_bank(s, seat):  # R11
    return not s.away[seat] and s.stack[seat] >= s.rules.bank_min


@kernel
def is_held(s):
    """Whether the last banker holds the bank for the next hand (R13)."""
    if s.hand == 0 or s.rules.bank != Bank.GRAB or not may_bank(s, s.banker):
        return False
    return kind_of(worth(s, s.banker)) != 0


@kernel
def can_go_on(s):
    """Whether there are players for another hand, and somebody to bank it (R9)."""
    if count_seats(s, can_join) < 2:
        return False
    return s.rules.mode == Mode.PAIRWISE or count_seats(s, may_bank) > 0


@kernel
def next_lead(s):
    """The seat with the best cards of the last deal, or the next one that is in (R10)."""
    best, highest = 0, -1
    for seat in range(s.seats):
        if worth(s, seat) > highest:
            best, highest = seat, worth(s, seat)
    while not can_join(s, best):
        best = next_seat(s, best)
    return best


@kernel
def base_bet(s):
    """The base bet while the hand is not settled (R15)."""
    return max(1, s.stack[s.banker] // s.rules.base_div)


@kernel
def level(s, seat, k):
    """Coins that a 閒 stakes by ``bet`` k + 1; 0 if it may not (R15)."""
    coins = (k + 1) * base_bet(s)
    if k == 0:
        return min(coins, s.stack[seat])
    return coins if coins <= s.stack[seat] else 0


# --- Answers (R12, R14, R15, R20, R25) ---------------------------------------------------------


@kernel
def deal(s):
    shuffle_deck(s)
    if s.rules.mode == Mode.PAIRWISE:  # R10
        s.lead = below(s.rng, s.seats) if s.hand == 0 else next_lead(s)
    open_hand(s)


@kernel
def open_hand(s):
    """Start the hand that follows from ``deck``, ``lead``, and ``cards`` and banker of the last."""
    if s.rules.mode == Mode.CASINO:
        s.phase = LAYING
        chips.begin(s)
        return
    for seat in range(s.seats):
        s.joined[seat] = can_join(s, seat)
    if s.rules.mode == Mode.PAIRWISE:
        s.phase = READYING
        s.turn = s.lead
    elif is_held(s):
        open_bets(s)
    else:
        s.phase = OFFERING if s.rules.bank == Bank.TURNS else GRABBING
        ask_for_bank(s, first_asked(s))


@kernel
def first_asked(s):
    """Where asking who will bank begins (R12, R14)."""
    if s.hand > 0:
        return s.banker + 1
    return lot(s, False) if s.phase == OFFERING else 0


@kernel
def ask_for_bank(s, first):
    """On to the next seat that has to say whether it will bank, or the bank is given."""
    count = count_seats(s, may_bank)
    if count == 0:  # R26
        close_hand(s)
        s.over = ENDED
        return
    for k in range(s.seats):
        seat = (first + k) % s.seats
        if count > 1 and may_bank(s, seat) and s.answer[seat] == NONE:
            s.turn = seat
            return
    give_bank(s)


@kernel
def give_bank(s):
    """The richest of those who grabbed banks, or any if there is none (R12, R14)."""
    grabbed = False
    for seat in range(s.seats):
        grabbed |= may_bank(s, seat) and s.answer[seat] == GRAB
    s.banker = lot(s, grabbed)
    open_bets(s)


@kernel
def lot(s, grabbed):
    """By lot one of those who may bank, or of the richest of them who ``grabbed``."""
    chosen, count, most = 0, 0, -1
    for seat in range(s.seats):
        if not may_bank(s, seat) or (grabbed and s.answer[seat] != GRAB):
            continue
        if grabbed and s.stack[seat] > most:
            count, most = 0, s.stack[seat]
        if not grabbed or s.stack[seat] == most:
            count += 1
            if below(s.rng, count) == 0:
                chosen = seat
    return chosen


@kernel
def open_bets(s):
    s.phase = BETTING
    next_bet(s)


@kernel
def next_bet(s):
    """On to the next 閒 that has a choice of stakes, or to the deal."""
    if bank.all_have_bet(s, MULTIPLES, level):
        deal_cards(s)


@kernel
def next_ready(s):
    """On to the next seat that has to say it is ready, or to the deal (R20)."""
    seat = next_seat(s, s.turn)
    while seat != s.lead and not s.joined[seat]:
        seat = next_seat(s, seat)
    if seat == s.lead:
        deal_cards(s)
    else:
        s.turn = seat


# Groups of spots: ``win``, then ``lose`` of each 閒, which is barred by itself (R25), and these.
TIE_GROUP, THREE_GROUP, PAIR_GROUP = range(HOUSE_HANDS, HOUSE_HANDS + 3)
KINDS = chips.kinds(
    [
        {WIN: 0, LOSE: hand, TIE: TIE_GROUP, THREE: THREE_GROUP, PAIR_UP: PAIR_GROUP}[kind]
        for hand, kind in zip(SPOT_HAND.tolist(), SPOT_KIND.tolist(), strict=True)
    ]
)


@kernel
def rooms(s, seat):
    """Coins that a seat may still lay on each group of spots (R25)."""
    main, tie, three, pair = s.rules.max_main, s.rules.max_tie, s.rules.max_three, s.rules.max_pair
    barred = 0  # a bit for each hand that has chips on ``win``
    for k in range(chips.count(s, seat)):
        coins, spot = chips.amount(s, s.laid[seat, k]), chips.spot_of(s.laid[seat, k])
        kind = SPOT_KIND[spot]
        if kind == TIE:
            tie -= coins
        elif kind == THREE:
            three -= coins
        elif kind == PAIR_UP:
            pair -= coins
        else:
            main -= coins
            if kind == WIN and not s.rules.both_sides:
                barred |= 1 << SPOT_HAND[spot]
    none = np.int64(0)
    lose = (
        none if barred & 1 << 1 else main,
        none if barred & 1 << 2 else main,
        none if barred & 1 << 3 else main,
    )
    return (main, *lose, tie, three, pair)


@kernel
def legal(s, mask):
    if s.phase == LAYING:
        mask[DONE] = 1
        chips.legal(s, mask[CHIP:], KINDS, rooms(s, s.turn), False)
    elif s.phase == READYING:
        mask[READY] = 1
    elif s.phase == BETTING:
        for k in range(MULTIPLES):
            mask[BET + k] = level(s, s.turn, k) > 0
    else:
        mask[NO] = mask[GRAB] = 1


@kernel
def apply(s, action):
    if s.phase == LAYING:
        chip = np.int64(NONE) if action == DONE else action - CHIP
        if chips.act(s, chip, KINDS, rooms, False):
            deal_cards(s)
    elif s.phase == READYING:
        next_ready(s)
    elif s.phase == BETTING:
        s.bet[s.turn] = level(s, s.turn, action - BET)
        next_bet(s)
    else:
        s.answer[s.turn] = action
        if s.phase == OFFERING and action == GRAB:
            give_bank(s)
        else:
            ask_for_bank(s, s.turn + 1)


@kernel
def default(s):  # R26, R27
    if s.phase == LAYING:
        return DONE
    if s.phase == READYING:
        return READY
    return BET if s.phase == BETTING else NO


@kernel
def leave(s, seat):  # R26
    if s.phase == LAYING:
        if chips.leave(s, seat):
            deal_cards(s)
    elif s.phase <= OFFERING and s.joined[seat]:
        if s.stack[seat] >= s.rules.bank_min:
            s.answer[seat] = NO
        ask_for_bank(s, s.turn)


# --- Deal and settlement (R10, R16–R24) --------------------------------------------------------


@kernel
def deal_cards(s):
    """Three cards each, one at a time, and the settlement."""
    first, places, dealt = 0, s.seats, 0
    if s.rules.mode == Mode.CASINO:
        places = HOUSE_HANDS
    else:
        first = s.lead if s.rules.mode == Mode.PAIRWISE else s.banker
    s.cards[:, :] = NONE
    for k in range(HAND):
        for i in range(places):
            place = (first + i) % places
            if s.rules.mode == Mode.CASINO or s.joined[place]:
                s.cards[place, k] = s.deck[dealt]
                s.deck[dealt] = NONE
                dealt += 1
    settle(s)


@kernel
def settle(s):
    """Pay the hand whose cards lie on the table."""
    if s.rules.mode == Mode.CASINO:
        chips.settle(s, pay_spot)
        return
    if s.rules.mode == Mode.PAIRWISE:
        claim_from_all(s)
        pay_claims(s, np.int64(0), s.lead + 1)
    else:
        claim_from_banker(s)
        pay_claims(s, s.stack[s.banker], s.banker + 1)
        for seat in range(s.seats):
            if seat != s.banker:
                s.coins[s.banker] -= s.coins[seat]
    take_rake(s)
    close_hand(s)
    if not can_go_on(s):
        s.over = ENDED


@kernel
def claim_from_banker(s):  # R16
    bank = worth(s, s.banker)
    for seat in range(s.seats):
        if s.joined[seat] and seat != s.banker:
            mine = worth(s, seat)
            times = coefficient(s, max(mine, bank)) if s.rules.use_coef else 1
            s.claim[seat] = s.bet[seat] * times * (1 if mine > bank else -1)


@kernel
def claim_from_all(s):  # R21
    for seat in range(s.seats):
        for other in range(seat):
            if s.joined[seat] and s.joined[other]:
                one, two = worth(s, seat), worth(s, other)
                coins = coefficient(s, max(one, two)) * s.rules.room * (1 if one > two else -1)
                s.claim[seat] += coins
                s.claim[other] -= coins


@kernel
def pay_claims(s, purse, first):
    """Losers pay what they can, winners are paid from that and ``purse`` (R17, R18, R22)."""
    owed = np.int64(0)
    for seat in range(s.seats):
        if s.claim[seat] < 0:
            s.coins[seat] = -min(-s.claim[seat], s.stack[seat])
            purse -= s.coins[seat]
        else:
            owed += s.claim[seat]
    if purse < owed:
        share(purse, s.claim, s.coins, s.seats, first)
        return
    for seat in range(s.seats):
        if s.claim[seat] > 0:
            s.coins[seat] = s.claim[seat]


@kernel
def take_rake(s):  # R19
    for seat in range(s.seats):
        if s.coins[seat] > 0:
            rake = s.rules.rake * s.coins[seat] // 100
            s.coins[seat] -= rake
            s.house += rake


# What the spot ``pair`` pays for each coin, by hand strength (R24); it loses on the others.
PAIR_PAYS = {STRAIGHT_FLUSH: 40, TRIPS: 30, RUN: 6, FLUSH: 3, PAIR: 1}
PAIR_PAY = np.array([PAIR_PAYS.get(int(kind), -1) for kind in POKER_KIND[A23.LOWEST]])
assert len(PAIR_PAY) == STRENGTHS
TIE_PAY, THREE_PAY = 8, 16
HALF_POINTS = 6  # of a hand that wins half


@kernel
def house_value(s, hand):
    """What a hand of the house counts: 10 for three faces, else its points (R23)."""
    a, b, c = cards_of(s, hand)
    return MIXED if faces(a, b, c) == HAND else points(a, b, c)


@kernel
def compared(s, hand):
    """Above 0 if a 閒 beats 莊, below if it loses, 0 if they are level (R23)."""
    bank = TIES * house_value(s, 0) + faces(*cards_of(s, 0))
    return TIES * house_value(s, hand) + faces(*cards_of(s, hand)) - bank


@kernel
def pay_spot(s, spot, stake):
    """What all chips of a seat on a spot bring (R24)."""
    hand, kind = SPOT_HAND[spot], SPOT_KIND[spot]
    if kind == THREE:
        return THREE_PAY * stake if house_value(s, hand) == MIXED else -stake
    if kind == PAIR_UP:
        a, b, c = cards_of(s, hand)
        return PAIR_PAY[strength_of(a, b, c, A23.LOWEST)] * stake
    if kind == TIE:
        return TIE_PAY * stake if house_value(s, hand) == house_value(s, 0) else -stake
    ahead = compared(s, hand) if kind == WIN else -compared(s, hand)
    if ahead < 0:
        return -stake
    if ahead == 0:
        return np.int64(0)
    winner = hand if kind == WIN else 0
    return stake // 2 if house_value(s, winner) == HALF_POINTS else stake


# --- What a seat sees --------------------------------------------------------------------------


@kernel
def conceal(s, seat):
    conceal_rng(s.rng)
    for k in range(CARDS):
        if s.deck[k] >= 0:
            s.deck[k] = HIDDEN
    if s.phase == LAYING:
        chips.conceal(s, seat)
    elif s.phase == BETTING and not s.ended:
        bank.hide_bets(s, seat)
    elif s.phase == GRABBING and not s.ended:
        for other in range(s.seats):
            if other != seat and s.answer[other] >= 0 and not s.away[other]:
                s.answer[other] = HIDDEN


@kernel
def redeal(s, seat):
    if s.rules.mode == Mode.CASINO:
        chips.redeal(s, KINDS, rooms, False)
    for other in range(s.seats):
        if s.answer[other] == HIDDEN:
            s.answer[other] = NO + below(s.rng, 2)
    bank.redeal_bets(s, MULTIPLES, level)
    redeal_deck(s)


@kernel
def redeal_deck(s):
    """All cards that do not lie on the table are in the deck, in any order."""
    lies = np.int64(0)
    if s.deck[0] == NONE:
        for place in range(SEATS):
            for k in range(HAND):
                if s.cards[place, k] >= 0:
                    lies |= BIT[s.cards[place, k]]
    first = CARDS
    for card in range(CARDS - 1, -1, -1):
        if not lies & BIT[card] and first > 0:
            first -= 1
            s.deck[first] = card
    shuffle(s.rng, s.deck[first:], CARDS - first)


# --- What can't be -----------------------------------------------------------------------------


def contradiction(s: np.void) -> str | None:
    """What can't be on a table or in a view: ``Game.contradiction``."""
    return next(faults(s), None)


def faults(s: np.void) -> Iterator[str]:
    """What can't be, sentence by sentence."""
    mode = s["rules"]["mode"]
    yield from phase_faults(s)
    yield from card_faults(s)
    if mode == Mode.CASINO:
        yield from chips.faults(s, KINDS, rooms, False, settle)
    else:
        yield from seat_faults(s)
        yield from (bank_faults if mode == Mode.BANKER else ready_faults)(s)
        yield from coin_faults(s)


def phase_faults(s: np.void) -> Iterator[str]:
    """About what is being answered, and answers that belong to another mode."""
    mode, by_turns = s["rules"]["mode"], s["rules"]["bank"] == Bank.TURNS
    phases = {
        Mode.CASINO: (LAYING,),
        Mode.PAIRWISE: (READYING,),
        Mode.BANKER: (OFFERING if by_turns else GRABBING, BETTING),
    }[Mode(mode)]
    if s["phase"] not in phases:
        yield f"phase is {s['phase']}: expected one of {phases} by the rules"
    if s["turn"] == HIDDEN:
        yield f"turn is {HIDDEN}, but all see whose turn it is"
    of_modes = {
        Mode.BANKER: {"banker": 0, "answer": NONE, "bet": NONE},
        Mode.PAIRWISE: {"lead": NONE},
        Mode.CASINO: {"done": 0, "laid": NONE},
    }
    for other, start in of_modes.items():
        for name, value in start.items():
            if other != mode:
                yield from unlike(s, name, value, "nothing of another mode")
    if mode == Mode.CASINO:
        yield from unlike(s, "claim", 0, "nothing of another mode")


def is_void(s: np.void) -> bool:
    """Whether the hand has ended because nobody may bank (R26)."""
    return bool(s["ended"] and s["phase"] <= OFFERING)


def card_faults(s: np.void) -> Iterator[str]:
    """About where cards lie (R1, R10)."""
    dealt = bool(s["ended"]) and not is_void(s)
    house = s["rules"]["mode"] == Mode.CASINO
    places = np.arange(SEATS) < HOUSE_HANDS if house else s["joined"] == 1
    there = s["cards"] != NONE
    gone = HAND * int(places.sum()) if dealt else 0
    if ((s["deck"] == NONE) != (np.arange(CARDS) < gone)).any():
        yield f"deck does not begin with just {gone} places of cards that have gone"
    if (there != there[:, :1]).any():
        yield "cards has a hand of less than three"
    elif dealt:
        yield from unlike(s, "cards", np.where(places[:, None], s["cards"], NONE), "who is in")
        if not there[places].all():
            yield "cards lacks a hand of those who are in"
    elif s["hand"] == 0 and there.any():
        yield "cards lie there, but none have been dealt"
    elif s["hand"] > 0 and there[:, 0].sum() < 2:
        yield "cards has less than two hands of the last deal"
    for name in (("cards", "deck") if dealt else ("cards",), ("deck",)):
        known = np.concatenate([s[field].ravel() for field in name])
        counts = np.bincount(known[known >= 0], minlength=CARDS)
        if counts.max() > 1:
            yield f"{name[0]} has {card_name(int(counts.argmax()))} more than once"


def seat_faults(s: np.void) -> Iterator[str]:
    """About who is in the hand (R9)."""
    start = as_begun(s)
    for p, (here, away) in enumerate(zip(s["joined"].tolist(), s["away"].tolist(), strict=True)):
        could = p < s["seats"] and start["stack"][p] > 0
        if here > could or (here < could and not away):
            yield f"joined[{p}] is {here}: by its coins the seat is{' not' * (not could)} in"
    if s["joined"].sum() < 2:
        yield f"joined is {s['joined'].tolist()}: expected two seats or more"
    if not s["ended"] and (not s["joined"][s["turn"]] or s["away"][s["turn"]]):
        yield f"turn is {s['turn']}: expected a seat that is in and has not left"


def ready_faults(s: np.void) -> Iterator[str]:
    """About who gets the first card (R10)."""
    if s["lead"] < 0 or not s["joined"][s["lead"]]:
        yield f"lead is {s['lead']}: expected a seat that is in"


def bank_faults(s: np.void) -> Iterator[str]:
    """About who banks, who is asked, and what is staked (R11–R15)."""
    start, banker, betting = as_begun(s), int(s["banker"]), s["phase"] == BETTING
    rich = [p for p in np.flatnonzero(s["joined"]) if start["stack"][p] >= s["rules"]["bank_min"]]
    for p, answer in enumerate(s["answer"].tolist()):
        if answer != NONE and p not in rich:
            yield f"answer[{p}] is {answer}, but the seat has not been asked"
        if answer == HIDDEN and (betting or s["ended"] or s["away"][p]):
            yield f"answer[{p}] is hidden, but all know it"
    if not betting:
        if s["hand"] == 0 and banker != 0:
            yield f"banker is {banker}, but nobody has banked"
        yield from (void_faults if s["ended"] else asking_faults)(s)
        yield from unlike(s, "bet", NONE, "the bank is not given")
        return
    if banker not in rich:
        yield f"banker is {banker}, a seat that may not bank"
    grabbers = [p for p in rich if s["answer"][p] == GRAB]
    if grabbers and start["stack"][banker] < max(start["stack"][grabbers]):
        yield f"banker is {banker}, but a richer seat has grabbed the bank"
    if grabbers and banker not in grabbers:
        yield f"banker is {banker}, but others have grabbed the bank"
    if s["rules"]["bank"] == Bank.TURNS and len(grabbers) > 1:
        yield "answer has more than one grab, but the first takes the bank"
    yield from bank.bet_faults(s, start, not s["ended"], MULTIPLES, level)


def void_faults(s: np.void) -> Iterator[str]:
    """About a hand that nobody may bank (R26)."""
    if count_seats(s, may_bank) > 0:
        yield "ended is True, but somebody may bank"


def asking_faults(s: np.void) -> Iterator[str]:
    """About who has answered whether it will bank (R11, R12, R14, R26)."""
    seats, turn, offered = int(s["seats"]), int(s["turn"]), s["phase"] == OFFERING
    asked = [p for p in range(seats) if may_bank(s, p)]
    if len(asked) < 2 or turn not in asked:
        yield f"turn is {turn}: of those who may bank, {asked}, two or more are asked"
    if is_held(s):
        yield f"banker is {s['banker']}, who holds the bank: nobody is asked"
    gone = [p for p in range(seats) if s["joined"][p] and s["away"][p]]
    if any(s["answer"][p] == GRAB for p in gone):
        yield f"answer has a grab of a seat that has left: {gone}"
    if offered and (s["answer"] == GRAB).any():
        yield "answer has a grab, but the bank is still on offer"
    if offered and (s["answer"] == HIDDEN).any():
        yield "answer hides what has been said openly"
    last = int(s["banker"]) + 1 if s["hand"] > 0 else 0
    firsts = range(seats) if offered and s["hand"] == 0 else [last]
    orders = ([(first + k) % seats for k in range(seats)] for first in firsts)
    fitting = (
        [p for p in order if p in asked and s["answer"][p] != NONE]
        == [p for p in order[: order.index(turn)] if p in asked]
        for order in orders
    )
    if not any(fitting):
        yield f"answer is {s['answer'].tolist()}: expected one of each seat asked before {turn}"


def coin_faults(s: np.void) -> Iterator[str]:
    """About the coins of a hand, if it is not of a casino."""
    table = as_begun(s)
    table["claim"] = 0
    if is_void(s):
        table["over"] = ENDED
    elif s["ended"]:
        settle(table)
    for name in ("claim", "coins", "house", "over"):
        yield from unlike(s, name, table[name], "by cards and stakes")


# --- Observation -------------------------------------------------------------------------------

OBSERVATION = Observation(
    Range("mode", len(Mode), "banker, pairwise, casino"),
    Range("phase", len(PHASES), "what is asked: grab, offer, bet, ready, chips"),
    Range(
        "seats",
        (SEATS, 9),
        "in, left, has answered, coins in units, banks or banked last, gets the first card, said "
        "no, said grab, stake in base bets",
        "all; an answer: its seat, all others once the last one has answered",
    ),
    Range("stake", 2, "base bet: in units, as a share of the own coins"),
    Range("turn", SEATS, "seat to act"),
    *chips.ranges(len(SPOTS), "win and lose, tie, three, pair"),
    Range(
        "shown",
        (SEATS, len(CLASSES) + 2),
        "last deal, by seat or 莊, 閒 1–3: points, mixed, small, big; points; faces",
    ),
    hand_range(),
)


@kernel
def unit_of(s):
    """Coins that count as 1 in an observation."""
    if s.rules.mode == Mode.CASINO:
        return s.rules.chips[0]
    if s.rules.mode == Mode.PAIRWISE:
        return s.rules.room
    richest = np.int64(0)
    for seat in range(s.seats):
        richest = max(richest, s.rules.stack[seat])
    return max(1, richest // s.rules.base_div)


def unit(s: np.void | np.ndarray) -> Any:
    """The same for an array of tables: ``Game.unit``."""
    rules = s["rules"]
    base = np.maximum(1, rules["stack"].max(axis=-1) // rules["base_div"])
    return np.choose(rules["mode"], (base, rules["room"], rules["chips"][..., 0]))


@kernel
def has_answered(v, seat):
    """Whether a seat has said what it was asked."""
    if v.phase == LAYING:
        return v.done[seat] == 1
    if v.phase == READYING:
        before = (seat - v.lead) % v.seats < (v.turn - v.lead) % v.seats
        return v.joined[seat] == 1 and (before or v.ended)
    return v.bet[seat] != NONE if v.phase == BETTING else v.answer[seat] != NONE


@kernel
def observe(v, seat, o, known):
    per_unit = 1.0 / unit_of(v)
    base = 0.0
    if v.phase == BETTING:
        base = np.float64(base_before(v))
        o.stake[0] = base * per_unit
        o.stake[1] = base / max(1, coins_before(v, seat))
    if v.phase == LAYING:
        observe_chips(v, seat, o)
    o.mode[v.rules.mode] = 1
    o.phase[v.phase] = 1
    p = seat
    for k in range(v.seats):
        o.seats[k, 0] = v.joined[p]
        o.seats[k, 1] = v.away[p]
        o.seats[k, 2] = has_answered(v, p)
        o.seats[k, 3] = v.stack[p] * per_unit
        o.seats[k, 4] = p == v.banker and banks(v)
        o.seats[k, 5] = p == v.lead
        if v.answer[p] >= 0:
            o.seats[k, 6 + v.answer[p]] = 1
        elif v.answer[p] == HIDDEN:
            known.seats[k, 6] = 0
            known.seats[k, 7] = 0
        if v.bet[p] >= 0:
            o.seats[k, 8] = v.bet[p] / base
        elif v.bet[p] == HIDDEN:
            known.seats[k, 8] = 0
        if v.rules.mode != Mode.CASINO:
            observe_hand(v, p, k, o)
        p = next_seat(v, p)
    if v.rules.mode == Mode.CASINO:
        for hand in range(HOUSE_HANDS):
            observe_hand(v, hand, hand, o)
    if not v.ended:
        put_seat(o.turn, seat, v.turn, v.seats)


@kernel
def observe_hand(v, place, k, o):
    """The last cards of a seat or hand of the house."""
    a, b, c = cards_of(v, place)
    if a >= 0:
        kind = kind_of(value(a, b, c))
        o.shown[k, max(0, kind - (MIXED - 1))] = 1
        o.shown[k, 4] = points(a, b, c)
        o.shown[k, 5] = faces(a, b, c)


@kernel
def observe_chips(v, seat, o):
    open_rooms = rooms(v, seat)
    limits = (open_rooms[0], open_rooms[TIE_GROUP], open_rooms[THREE_GROUP], open_rooms[PAIR_GROUP])
    chips.observe(v, seat, o, limits)


@kernel
def banks(v):
    """Whether there is a banker, of this hand or the last."""
    return v.rules.mode == Mode.BANKER and (v.hand > 0 or v.phase == BETTING)


@kernel
def coins_before(v, seat):
    """What a seat owned before the hand was settled."""
    return v.stack[seat] - v.coins[seat] if v.ended else v.stack[seat]


@kernel
def base_before(v):
    """The base bet of a hand, settled or not."""
    return max(1, coins_before(v, v.banker) // v.rules.base_div)


# --- Words -------------------------------------------------------------------------------------


def census(s: np.void) -> tuple[int, ...]:
    """How many there are of each card, in the deck and, once it is dealt from, on the table."""
    cards = s["deck"] if s["deck"][0] != NONE else np.append(s["deck"], s["cards"])
    return tuple(np.bincount(cards[cards >= 0], minlength=CARDS).tolist())


def hand_cards(s: np.void, place: int) -> list[str]:
    """The cards last dealt to a seat or hand of the house; none, if it got none."""
    return cards_seen(s["cards"][place])


def hand_name(s: np.void, place: int) -> str:
    """What the cards of a seat or hand of the house are called."""
    if s["cards"][place, 0] < 0:
        return ""
    if s["rules"]["mode"] == Mode.CASINO:
        count = int(faces(*cards_of(s, place)))
        name = HAND_NAMES[int(house_value(s, place))]
        if count == HAND:
            name = "three faces"
        elif count:
            name += f", {count} face{'s' * (count > 1)}"
        a, b, c = cards_of(s, place)
        kind = int(POKER_KIND[A23.LOWEST, strength_of(a, b, c, A23.LOWEST)])
        return f"{name}, {POKER_NAMES[kind]}" if kind else name
    return HAND_NAMES[int(kind_of(worth(s, place)))]


def report(s: np.void) -> dict[str, Any]:
    """How the hand ended: what was dealt and what it is called, and what each seat staked."""
    seats = range(int(s["seats"]))
    mode = Mode(s["rules"]["mode"])
    places = range(HOUSE_HANDS) if mode == Mode.CASINO else seats
    found: dict[str, Any] = {
        "mode": mode.name.lower(),
        "reason": "void" if is_void(s) else "settled",
        "cards": None if is_void(s) else [hand_cards(s, p) or None for p in places],
        "hands": None if is_void(s) else [hand_name(s, p) or None for p in places],
    }
    if mode == Mode.CASINO:
        return found | {"stakes": [chips.stakes(s, p, SPOTS) for p in seats]}
    found["claims"] = [int(s["claim"][p]) for p in seats]
    if mode == Mode.PAIRWISE:
        return found | {"lead": int(s["lead"])}
    return found | {
        "banker": None if is_void(s) else int(s["banker"]),
        "base": None if is_void(s) else int(base_before(s)),
        "answers": [ANSWERS[a] if a >= 0 else None for a in s["answer"][: len(seats)].tolist()],
        "stakes": [max(bet, 0) for bet in s["bet"][: len(seats)].tolist()],
    }


def role(v: np.void, seat: int) -> str:
    """What a seat is in this hand."""
    if v["away"][seat]:
        return "gone"
    if not v["joined"][seat]:
        return "sitting out"
    if seat == v["lead"]:
        return "lead"
    if v["rules"]["mode"] != Mode.BANKER:
        return "player 閒"
    if v["phase"] == BETTING:
        return "banker 莊" if seat == v["banker"] else "player 閒"
    return "last banker" if banks(v) and seat == v["banker"] else ""


def answer_note(v: np.void, seat: int) -> str:
    """What a seat has said, or that it has said something."""
    answer, bet = int(v["answer"][seat]), int(v["bet"][seat])
    if v["phase"] <= OFFERING and answer >= 0:
        return ANSWERS[answer]
    if v["ended"] and v["coins"][seat]:
        return f"{int(v['coins'][seat]):+,}"
    if bet > 0:
        return f"bet {max(1, bet // int(base_before(v)))}"
    return "has answered" if has_answered(v, seat) and not v["ended"] else ""


def hand_zones(v: np.void, name: str, place: int, owner: int | None) -> list[Zone]:
    """The last cards of a seat or hand of the house; none if it got none."""
    cards = tuple(hand_cards(v, place))
    return [Zone(name, cards, owner, note=hand_name(v, place))] if cards else []


QUESTIONS = ("who grabs the bank", "the bank is offered", "bets", "ready?", "chips")


def show(v: np.void, seat: int | None) -> Scene:
    """What lies on the table, for one seat's eyes; seat None: for all."""
    casino = v["rules"]["mode"] == Mode.CASINO
    places, zones = [], []
    for p in range(int(v["seats"])):
        bet = int(chips.stake(v, p)) if casino else max(0, int(v["bet"][p]))
        places.append(Place(p, role(v, p), int(v["stack"][p]), bet=bet, note=answer_note(v, p)))
        zones += chips.zones(v, p, SPOTS) if casino else hand_zones(v, "hand", p, p)
    if casino:
        for k in range(HOUSE_HANDS):
            zones += hand_zones(v, f"閒 hand {k}" if k else "莊 bank 0", k, None)
    facts = [] if v["ended"] else [QUESTIONS[v["phase"]]]
    if v["phase"] == BETTING:
        facts.append(f"base bet {int(base_before(v))}")
    if not v["ended"] and v["cards"].max() >= 0:
        facts.append("cards of the last hand")
    return Scene(places=tuple(places), zones=tuple(zones), facts=tuple(facts))


def max_plies(rules: Mapping[str, Any]) -> int:
    """A hand: banker, all asked for the bank and all but one bet; pairwise, all are ready; casino,
    the last chip of ``max_chips`` or ``done`` ends a seat."""
    each = {
        "banker": 2 * rules["seats"] - 1,
        "pairwise": rules["seats"],
        "casino": rules["seats"] * rules["max_chips"],
    }
    return int(rules["hands"] * each[rules["mode"]])


GAME = Game(
    name="san_gong",
    title="三公",
    english="San Gong",
    summary="Three cards modulo ten, faces strong: against a banker, each other, or the house.",
    version=VERSION,
    source="rule pages of a Chinese online game hall",
    document=__doc__ or "",
    unit=unit,
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
    max_plies=max_plies,
    census=census,
    contradiction=contradiction,
    report=report,
    show=show,
    move=chips.move,
    check=check,
    checked_by=(
        "22,100 hands by class, points and 526 distinct values",
        "what the pair spot wins on, and whole bets of one, two and three chips",
        "chances and means of every spot, exactly, over all pairs of hands",
        "chances of the better coefficient of two hands, and means of every multiple staked",
    ),
    limitations=(
        "The source glues three games together and contradicts itself on seats, multiples and "
        "rake: each statement holds in the mode it belongs to.",
        "The source's table of coefficients is lost, as are the sizes of bets and what a straight "
        "is called: default coefficients, base bet and the straight are ours.",
    ),
    history=("0: first version",),
)
