"""Blackjack (21點) with a player banker: every first card is hidden, the bank moves on every hand.

R1 One deck of 52 cards, shuffled afresh each hand; it cannot run out.
R2 2–5 seats in playing order. A seat is in a hand if it has not left and owns at least 2 · min_bet
   at the hand's start; n seats are in.
R3 A seat may bank (莊) if it is in and owns at least 2 · max_bet · (n − 1). In the first hand one
   of those banks, by lot; later the first such seat after the last banker. The match ends after
   ``hands`` hands, when n < 2, or when nobody may bank.
R4 Each other seat in (閒) bets before the deal, concealed until all have bet. Level k of 5 is
   min_bet + (k − 1)(max_bet − min_bet)/4, rounded down; it is legal if the seat's coins cover it
   twice and it is more than level k − 1.
R5 Two cards each, one at a time in playing order from the seat after the banker, banker last. The
   first (暗牌) is seen by its owner only, all others (明牌) by everybody.
R6 2–10 at face value, J Q K 10; an ace counts 11 if the total stays within 21, else 1.
R7 A natural (BlackJack) is an ace and a card worth 10 as the two first cards, not after a split. It
   beats every other 21 and pays 1:1 like all else.
R8 The 閒 play in playing order, each finishing before the next begins. Hit 要牌: one more card, at
   a total below 21. Over 21 is a bust 爆牌: the hand has lost, whatever the banker does later.
R9 Stand 停牌: always; at 21 nothing else is legal.
R10 Double 加倍: twice the bet, exactly one more card, the hand ends. At any own decision below 21
   (``double_late`` false: at the first one only), not after a split.
R11 Split 分牌: as the first action, two cards of equal value (``split_by`` rank: of one rank). They
   become two hands with the first bet each; each gets a card at once, the first card's hand
   first, and they are played in that order, without double or another split.
R12 A split turns the first card up, a bust the whole hand. Other first cards stay hidden until the
   settlement.
R13 The banker plays last, and only if some hand of a 閒 has not bust: hits or stands as he likes,
   stands at 21 unasked. No peek, no insurance, no surrender.
R14 Then all cards are turned up. If every hand has bust, the banker's hidden card is never shown.
R15 Each hand by itself: a bust loses, else a bust banker loses, else natural > 21 > 20 > …; equal
   is a push. The loser pays the hand's bet. No rake.
R16 Leaving (逃跑) before all bets are in: a 閒 pays min_bet to the house and gets no cards; if no
   閒 remains the hand is void. The banker pays max_bet and the hand is void. A void hand counts.
R17 After the deal, a 閒 pays twice its first bet to the house, which plays its hand on (R19) and
   takes its place at the settlement.
R18 After the deal, the banker pays twice the first bets of all 閒 dealt in to the house, which
   plays the bank on; every 閒 settles with the house. Between two leavers nothing else moves.
R19 House play: hit below a best total of 17, else stand; never double or split.
R20 A seat that left is in no later hand. No answer: level 1 as bet, then R19, settled normally.

Penalties are fixed at once and paid with the settlement of the hand.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import IntEnum
from typing import Any

import numpy as np

from qipai.envs import options
from qipai.envs.fields import Field, Fields
from qipai.envs.game import Game
from qipai.envs.kernel import kernel
from qipai.envs.layout import HIDDEN, NONE, Actions, Observation, Range, copy_row, hand_range
from qipai.envs.match import ENDED, PLAYING, as_begun, close_hand, count_seats, next_seat
from qipai.envs.options import (
    MAX_COINS,
    OptionError,
    Options,
    choice,
    flag,
    integer,
)
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
from qipai.envs.parts.cards import BIT, card_field, card_name, shuffle_deck
from qipai.envs.rng import below, conceal_rng, shuffle
from qipai.envs.scene import BACK, Place, Scene, Zone, cards_seen

VERSION = 1

# --- Dimensions ------------------------------------------------------------------------------

SEATS = 5
CARDS = 52
VALUES = 10  # of a card: 1 (ace) … 10
LONGEST = 11  # cards of a hand: A A A A 2 2 2 2 3 3 3 is 21
HANDS_EACH = 2  # of a seat, after a split
TARGET = 21
NATURAL = TARGET + 1  # what a natural counts when hands are compared (R7)
HOUSE_STANDS = 17  # R19
BETTING, PLAY, BANK = range(3)  # phases

# --- Options ---------------------------------------------------------------------------------


class Pairs(IntEnum):  # two cards that may be split (R11)
    VALUE = 0
    RANK = 1


RULES = Options(
    options.seats(4, low=2, high=SEATS, clause="R2"),
    options.hands(clause="R3"),
    options.stack(1000, seats=SEATS, clause="R2"),
    integer("min_bet", 10, low=1, high=MAX_COINS, meaning="room minimum, coins", clause="R4, R16"),
    integer(
        "max_bet", 50, low=1, high=MAX_COINS, meaning="room maximum, coins", clause="R3, R4, R16"
    ),
    flag("double_late", True, meaning="double after a hit too", clause="R10"),
    choice("split_by", Pairs.VALUE, meaning="what counts as a pair", clause="R11"),
    presets={"table5": {"seats": 5}},
)


def check(rules: Mapping[str, Any]) -> None:
    """OptionError if the bets contradict each other, or no first hand could be played (R2, R3)."""
    low, high = rules["min_bet"], rules["max_bet"]
    if high < low:
        raise OptionError(
            f"blackjack: max_bet={high} is below min_bet={low}; allowed: {low} or more"
        )
    stacks = [stack for stack in rules["stack"] if stack >= 2 * low]
    bank = 2 * high * (len(stacks) - 1)
    if len(stacks) < 2 or max(stacks) < bank:
        raise OptionError(
            f"blackjack: stack={list(rules['stack'])!r} with min_bet={low} and max_bet={high} lets "
            f"nobody play; allowed: at least two stacks of 2 · min_bet ({2 * low}) or more, n of "
            "them, and one of 2 · max_bet · (n − 1)"
        )


# --- Actions ---------------------------------------------------------------------------------

ACTIONS = Actions()
LEVEL = ACTIONS.add(
    "bet", [f"bet {k + 1}" for k in range(LEVELS)], "betting, the level is open (R4)"
)
HIT = ACTIONS.add("hit", ["hit"], "total below 21 (R8, R13)")
STAND = ACTIONS.add("stand", ["stand"], "after the deal, always (R9, R13)")
DOUBLE = ACTIONS.add("double", ["double"], "閒, total below 21, not after a split (R10)")
SPLIT = ACTIONS.add("split", ["split"], "閒, first action, a pair (R11)")

# --- State -----------------------------------------------------------------------------------

FIELDS = Fields(
    RULES,
    SEATS,
    card_field("deck", "cards still to deal; none: dealt", CARDS, hidden=True),
    Field.number("dealt", CARDS, "cards dealt so far"),
    Field.choice("phase", ("betting", "play", "bank"), "what is being done"),
    Field.number("active", HANDS_EACH - 1, "which hand of the seat to act"),
    *bank_fields(SEATS),
    Field.coins("penalty", "what a leaver owes the house (R16–R18)", SEATS),
    card_field("cards", "in the order dealt", (SEATS, HANDS_EACH, LONGEST), hidden=True),
    Field.number("count", LONGEST, "cards in each hand", (SEATS, HANDS_EACH)),
    Field.flag("turned", "the first card lies face up", SEATS),
    Field.flag("split", "has two hands", SEATS),
    Field.flag("doubled", "has doubled its bet", SEATS),
    Field.flag("done", "played out", (SEATS, HANDS_EACH)),
    Field.flag("bust", "above 21", (SEATS, HANDS_EACH)),
    Field.flag(
        "possible", "values the first card can have by what all saw", (SEATS, VALUES), start=1
    ),
)
STATE = FIELDS.dtype


# --- Counting (R6, R7) -------------------------------------------------------------------------

# The worth 1 (ace) … 10 of a card: the ranks of parts/cards.py are 2 … 10, J, Q, K, A.
VALUE = np.array([min(rank + 2, 10) if rank < 12 else 1 for rank in range(13) for _ in range(4)])
COPIES = np.bincount(VALUE)[1:].astype(np.int8)  # cards of each value in the deck


@kernel
def best(hard, ace):
    """The best total of cards that come to ``hard`` with every ace counted 1 (R6)."""
    return hard + 10 if ace and hard + 10 <= TARGET else hard


@kernel
def hard_total(s, seat, h, first):
    """What the cards of a hand from number ``first`` on come to with every ace counted 1, hidden
    ones left out, and whether one is an ace."""
    hard, ace = 0, False
    for k in range(first, s.count[seat, h]):
        if s.cards[seat, h, k] != HIDDEN:
            value = VALUE[s.cards[seat, h, k]]
            hard += value
            ace |= value == 1
    return hard, ace


@kernel
def total(s, seat, h):
    """The best total of a hand all of whose cards are known."""
    hard, ace = hard_total(s, seat, h, 0)
    return best(hard, ace)


@kernel
def counts_as(points, cards, split):
    """What so many points on so many cards, after a split or not, count against others (R7)."""
    return NATURAL if points == TARGET and cards == 2 and not split else points


@kernel
def score(s, seat, h):
    """What a hand that has not bust counts against another (R15)."""
    return counts_as(total(s, seat, h), np.int64(s.count[seat, h]), s.split[seat] == 1)


@kernel
def outcome(s, seat, h):
    """1, 0 or −1: the hand of a 閒 wins, pushes or loses (R15)."""
    if s.bust[seat, h]:
        return -1
    if s.bust[s.banker, 0]:
        return 1
    mine, bank = score(s, seat, h), score(s, s.banker, 0)
    if mine == bank:
        return 0
    return 1 if mine > bank else -1


@kernel
def hand_bet(s, seat):
    """The bet of each hand of a 閒."""
    return 2 * s.bet[seat] if s.doubled[seat] else s.bet[seat]


# --- Who plays, who banks, bets (R2–R4) ----------------------------------------------------------


@kernel
def can_join(s, seat):  # R2
    return not s.away[seat] and s.stack[seat] >= 2 * s.rules.min_bet


@kernel
def joining(s):
    """n: how many seats are in the hand that begins now."""
    return count_seats(s, can_join)


@kernel
def may_bank(s, seat):  # R3
    needed = 2 * s.rules.max_bet * (joining(s) - 1)
    return can_join(s, seat) and s.stack[seat] >= needed


@kernel
def is_playable(s):
    """Whether a hand can be played with the seats and coins as they are (R3)."""
    return joining(s) >= 2 and count_seats(s, may_bank) > 0


@kernel
def level(s, seat, k):
    """Coins that a seat bets by level k, counted from 0; 0 if that is not on offer (R4)."""
    return level_within(s.stack[seat] // 2, s.rules.min_bet, s.rules.max_bet, k)


@kernel
def deal(s):
    shuffle_deck(s)
    s.banker = next_banker(s, may_bank)
    open_betting(s)


@kernel
def open_betting(s):
    """Start the hand that follows from ``deck`` and ``banker``."""
    for seat in range(s.seats):
        s.joined[seat] = can_join(s, seat)
    next_bet(s)


@kernel
def next_bet(s):
    """On to the next seat that has a choice of bets, or to the deal."""
    if all_have_bet(s, LEVELS, level):
        deal_cards(s)


# --- Deal and play (R5, R8–R13) ------------------------------------------------------------------


@kernel
def give(s, seat, h):
    """The next card of the deck to a hand."""
    s.cards[seat, h, s.count[seat, h]] = s.deck[s.dealt]
    s.count[seat, h] += 1
    s.deck[s.dealt] = NONE
    s.dealt += 1


@kernel
def deal_cards(s):  # R5
    for _ in range(2):
        for k in range(1, s.seats + 1):
            seat = (s.banker + k) % s.seats
            if s.joined[seat]:
                give(s, seat, 0)
    s.phase = PLAY
    s.turn = s.banker
    pass_turn(s)


@kernel
def pass_turn(s):
    """The next 閒 after the seat to act, the banker (R13), or the settlement."""
    seat = next_seat(s, s.turn)
    while seat != s.banker and not s.joined[seat]:
        seat = next_seat(s, seat)
    s.turn = seat
    s.active = 0
    if seat == s.banker:
        s.phase = BANK
        if all_bust(s):
            settle(s)  # R14: the banker's first card stays hidden
        else:
            bank_on(s)


@kernel
def bank_on(s):
    """The banker's next decision, or the settlement. At 21 he stands unasked (R13), so that all
    know from his being asked that he has less."""
    bank = s.banker
    if s.done[bank, 0] or total(s, bank, 0) == TARGET:
        show_down(s)
    else:
        narrow(s, bank, 0, TARGET - 1)


@kernel
def all_bust(s):
    """Whether every hand of the 閒 has bust."""
    live = 0
    for seat in range(s.seats):
        if s.joined[seat] and seat != s.banker:
            live += not s.bust[seat, 0] or (s.split[seat] and not s.bust[seat, 1])
    return live == 0


@kernel
def is_pair(s, one, two):
    """Whether these first two cards may be split (R11)."""
    return one // 4 == two // 4 if s.rules.split_by == Pairs.RANK else VALUE[one] == VALUE[two]


@kernel
def legal(s, mask):
    seat, h = s.turn, s.active
    if s.phase == BETTING:
        for k in range(LEVELS):
            mask[LEVEL + k] = level(s, seat, k) > 0
        return
    mask[STAND] = 1
    if total(s, seat, h) < TARGET:
        mask[HIT] = 1
        if s.phase == PLAY and not s.split[seat]:
            first = s.count[seat, 0] == 2
            mask[DOUBLE] = first or s.rules.double_late
            mask[SPLIT] = first and is_pair(s, s.cards[seat, 0, 0], s.cards[seat, 0, 1])


@kernel
def narrow(s, seat, low, high):
    """A hidden first card is known by all to bring its hand to a best total of low … high."""
    if s.turned[seat]:
        return
    hard, ace = hard_total(s, seat, 0, 1)
    for value in range(1, VALUES + 1):
        if not low <= best(hard + value, ace or value == 1) <= high:
            s.possible[seat, value - 1] = 0


@kernel
def turn_up(s, seat):
    """Turn the first card of a seat face up (R12, R14)."""
    s.turned[seat] = 1
    for value in range(1, VALUES + 1):
        s.possible[seat, value - 1] = value == VALUE[s.cards[seat, 0, 0]]


@kernel
def draw(s, seat, h):
    """One more card by a hit or double, and what it tells about the first one."""
    narrow(s, seat, 0, HOUSE_STANDS - 1 if s.away[seat] else TARGET - 1)
    give(s, seat, h)
    if total(s, seat, h) > TARGET:
        s.bust[seat, h] = 1
        s.done[seat, h] = 1
        turn_up(s, seat)
    else:
        narrow(s, seat, 0, TARGET)


@kernel
def split_pair(s, seat):  # R11, R12
    s.split[seat] = 1
    turn_up(s, seat)
    s.cards[seat, 1, 0] = s.cards[seat, 0, 1]
    s.count[seat, :] = 1
    give(s, seat, 0)
    give(s, seat, 1)


@kernel
def apply(s, action):
    seat, h = s.turn, s.active
    if s.phase == BETTING:
        s.bet[seat] = level(s, seat, action - LEVEL)
        next_bet(s)
        return
    if action == SPLIT:
        split_pair(s, seat)
    elif action == STAND:
        s.done[seat, h] = 1
        if s.away[seat]:
            narrow(s, seat, HOUSE_STANDS, TARGET)
    else:
        s.doubled[seat] |= action == DOUBLE
        draw(s, seat, h)
        s.done[seat, h] |= action == DOUBLE
    if s.phase == BANK:
        bank_on(s)
    elif s.done[seat, h]:
        if s.split[seat] and h == 0:
            s.active = 1
        else:
            pass_turn(s)


@kernel
def default(s):  # R19, R20
    if s.phase == BETTING:
        return LEVEL
    points = total(s, s.turn, s.active)
    return HIT if points < HOUSE_STANDS else STAND


# --- Settlement (R14–R18) ------------------------------------------------------------------------


@kernel
def show_down(s):
    """All cards are turned up (R14)."""
    for seat in range(s.seats):
        if s.joined[seat]:
            turn_up(s, seat)
    settle(s)


@kernel
def settle(s):
    banker = s.banker
    for seat in range(s.seats):
        if s.joined[seat] and seat != banker:
            for h in range(1 + s.split[seat]):
                won = outcome(s, seat, h) * hand_bet(s, seat)
                if not s.away[seat]:
                    s.coins[seat] += won
                if not s.away[banker]:
                    s.coins[banker] -= won
    end_hand(s)


@kernel
def end_hand(s):
    """The end of a hand: penalties are paid, the house has what is missing."""
    for seat in range(s.seats):
        s.coins[seat] -= s.penalty[seat]
        s.house -= s.coins[seat]
    close_hand(s)
    if not is_playable(s):  # R3
        s.over = ENDED


@kernel
def leave(s, seat):
    if not s.joined[seat]:
        return
    s.penalty[seat] = owed(s, seat)
    if s.phase == BETTING:  # R16
        s.joined[seat] = 0
        s.bet[seat] = NONE
        if is_void(s):
            end_hand(s)
        else:
            next_bet(s)


@kernel
def owed(s, seat):
    """What a seat in the hand pays for leaving now (R16–R18)."""
    banks = seat == s.banker
    if s.phase == BETTING:
        return s.rules.max_bet if banks else s.rules.min_bet
    coins = np.int64(0)
    for other in range(s.seats):
        if s.joined[other] and other != s.banker and (banks or other == seat):
            coins += 2 * s.bet[other]
    return coins


@kernel
def is_void(s):
    """Whether the banker or every 閒 has left before the deal (R16)."""
    left = 0
    for seat in range(s.seats):
        left += s.joined[seat] and seat != s.banker
    return left == 0 or not s.joined[s.banker]


# --- What a seat sees --------------------------------------------------------------------------


@kernel
def conceal(s, seat):
    conceal_rng(s.rng)
    if s.phase == BETTING:
        hide_bets(s, seat)
    for other in range(s.seats):
        if other == seat:
            continue
        if s.count[other, 0] > 0 and not s.turned[other]:
            s.cards[other, 0, 0] = HIDDEN
    for k in range(s.dealt, CARDS):
        s.deck[k] = HIDDEN


OF_VALUE = np.array([BIT[value + 1 == VALUE].sum() for value in range(VALUES)])  # sets of cards
# Sets of one card each that is not in the deck, for seats that hide none.
NO_CARD = np.int64(1) << np.arange(CARDS, CARDS + 4 + SEATS)


@kernel
def size(cards):
    """How many cards are in a set."""
    count = 0
    while cards:
        cards &= cards - 1
        count += 1
    return count


@kernel
def ways(one, two, three):
    """In how many ways three different cards can be taken, one from each set.

    All triples, less those with two equal cards, of which those with three were taken off thrice.
    """
    equal = size(one & two) * size(three) + size(one & three) * size(two)
    equal += size(two & three) * size(one)
    return size(one) * size(two) * size(three) - equal + 2 * size(one & two & three)


@kernel
def draw_card(rng, first, one, two, three):
    """A card of the set ``first``, each as likely as there are ways to take the three after it.

    Values are offered one after the other; each takes the place of those before it with the share
    it has in all ways so far.
    """
    card, total_ways = 0, 0
    for value in range(VALUES):
        cards = first & OF_VALUE[value]
        taken = cards & -cards
        rest = ways(one & ~taken, two & ~taken, three & ~taken)
        here = size(cards) * rest
        if here > 0:
            total_ways += here
            pick = below(rng, total_ways)
            if pick < here:
                for _ in range(pick // rest):
                    cards &= cards - 1
                card = size((cards & -cards) - 1)
    return card


@kernel
def fitting(s, seat, unseen):
    """The unseen cards that the hidden first card of a seat can be."""
    cards = np.int64(0)
    for value in range(VALUES):
        if s.possible[seat, value]:
            cards |= OF_VALUE[value]
    return cards & unseen


@kernel
def unseen_cards(s):
    """The cards that lie in no hand, as far as can be seen."""
    unseen = np.int64((1 << CARDS) - 1)
    for seat in range(s.seats):
        for h in range(HANDS_EACH):
            for k in range(s.count[seat, h]):
                if s.cards[seat, h, k] >= 0:
                    unseen &= ~BIT[s.cards[seat, h, k]]
    return unseen


@kernel
def redeal(s, seat):
    redeal_bets(s, LEVELS, level)
    unseen = unseen_cards(s)
    # At most four first cards are hidden: a seat sees its own, or is not in the hand.
    one, two, three, four = NO_CARD[0], NO_CARD[1], NO_CARD[2], NO_CARD[3]
    for other in range(s.seats - 1, -1, -1):
        if s.cards[other, 0, 0] == HIDDEN:
            one, two, three, four = fitting(s, other, unseen), one, two, three
    for other in range(s.seats):
        if s.cards[other, 0, 0] == HIDDEN:
            card = draw_card(s.rng, one, two, three, four)
            s.cards[other, 0, 0] = card
            left = ~BIT[card]
            unseen &= left
            one, two, three, four = two & left, three & left, four & left, NO_CARD[4 + other]
    place = s.dealt
    for card in range(CARDS):
        if unseen & BIT[card]:
            s.deck[place] = card
            place += 1
    shuffle(s.rng, s.deck[s.dealt :], CARDS - s.dealt)


# --- What can't be -----------------------------------------------------------------------------


def contradiction(s: np.void) -> str | None:
    """What can't be on a table or in a view: ``Game.contradiction``."""
    faults = (seat_fault, bet_fault, card_fault, play_fault, first_card_fault)
    return next((fault for fault in (find(s) for find in faults) if fault), None)


def beginning(s: np.void) -> np.void:
    """A table as its hand began."""
    table = as_begun(s, s["penalty"])
    table["phase"] = BETTING
    return table


def place(s: np.void, seat: int) -> int:
    """How many places after the first 閒 a seat has its turn; the banker is last."""
    return (seat - int(s["banker"]) - 1) % int(s["seats"])


def seat_fault(s: np.void) -> str | None:
    """What can't be about who is in the hand and who banks (R2, R3, R16)."""
    start, banker, betting = beginning(s), int(s["banker"]), s["phase"] == BETTING
    if s["turn"] == HIDDEN:
        return f"turn is {HIDDEN}, but all see whose turn it is"
    for p in range(SEATS):
        here, left = bool(s["joined"][p]), s["penalty"][p] > 0
        could = p < s["seats"] and bool(can_join(start, p))
        if left and not (could and s["away"][p]):
            return f"penalty[{p}] is {s['penalty'][p]}, but the seat has not left this hand"
        if here != could and not left:
            return f"joined[{p}] is {int(here)}: by its coins the seat is{' not' * here} in"
        if here and left and betting:
            return f"joined[{p}] is 1, but the seat left before the deal"
    if not may_bank(start, banker):
        return f"banker is {banker}, a seat that may not bank"
    if s["joined"][banker] == 0 and not betting:
        return f"banker is {banker}, a seat that left before the deal"
    if s["phase"] != BANK and s["ended"] != (betting and is_void(s)):
        return f"ended is {s['ended']} in phase {s['phase']}: only void hands end before the bank"
    if s["ended"] and s["over"] == PLAYING and not is_playable(s):
        return "over is 0, but nobody may bank the next hand"
    return None


def bet_fault(s: np.void) -> str | None:
    """What can't be about bets, who is to bet, and penalties (R4, R16–R18)."""
    start = beginning(s)
    for fault in bet_faults(s, start, bool(s["phase"] == BETTING), LEVELS, level):
        return fault
    for p in np.flatnonzero(s["penalty"]).tolist():
        coins = owed(s if s["joined"][p] else start, p)
        if s["penalty"][p] != coins:
            return f"penalty[{p}] is {s['penalty'][p]}: expected {coins}"
    return None


def card_fault(s: np.void) -> str | None:
    """What can't be about where cards lie (R1, R5, R11)."""
    dealt, here = int(s["dealt"]), s["joined"].astype(bool) & (s["phase"] != BETTING)
    if (s["split"] > here).any():
        return f"split is {s['split'].tolist()}: expected 1 only for seats that have been dealt in"
    for p, h in np.ndindex(SEATS, HANDS_EACH):
        hand, count = s["cards"][p, h], int(s["count"][p, h])
        exists = here[p] and h <= s["split"][p]
        if (count >= 2) != exists or (count > 0) != exists:
            return f"count[{p}, {h}] is {count}: expected {'2 or more' if exists else 0}"
        if ((hand != NONE) != (np.arange(LONGEST) < count)).any():
            return f"cards[{p}, {h}] has not {count} cards, as count says, or a gap"
        if (hand[h == 0 and not s["turned"][p] :] == HIDDEN).any():
            return f"cards[{p}, {h}] hides a card that lies face up"
    if dealt != s["count"].sum():
        return f"dealt is {dealt}, but {s['count'].sum()} cards are in hands"
    if ((s["deck"] == NONE) != (np.arange(CARDS) < dealt)).any():
        return f"deck does not begin with dealt={dealt} places of cards that have gone"
    twice = np.array(census(s)) > 1
    if twice.any():
        return f"cards and deck have {card_name(int(np.argmax(twice)))} more than once"
    return None


def is_drawn(values: Sequence[int]) -> bool:
    """Whether each card after the second was drawn at a total below 21 (R8–R10)."""
    return all(points(values[:k]) < TARGET for k in range(2, len(values)))


def points(values: Sequence[int]) -> int:
    """The best total of cards of these values."""
    return int(best(sum(values), 1 in values))


def hand_values(s: np.void, seat: int, h: int) -> list[int]:
    """The values of a hand's cards; a hidden one is left out."""
    return [int(VALUE[card]) for card in s["cards"][seat, h] if card >= 0]


def play_fault(s: np.void) -> str | None:
    """What can't be about how far the hands have been played (R8–R14)."""
    turn, active, banker = int(s["turn"]), int(s["active"]), int(s["banker"])
    dealt, banks = s["phase"] != BETTING, s["phase"] == BANK
    if dealt and (not s["joined"][turn] or (turn == banker) != banks):
        return f"turn is {turn}: expected {'the banker' if banks else 'a 閒 in the hand'}"
    if active > (s["split"][turn] and not s["ended"]):
        return f"active is {active}, but seat {turn} has no such hand to play"
    if banks and not s["ended"] and all_bust(s):
        return "ended is False, but all hands have bust"
    shown = dealt and s["ended"] and not all_bust(s)
    now = (place(s, turn), active)
    for p, h in np.ndindex(SEATS, HANDS_EACH):
        count, values = int(s["count"][p, h]), hand_values(s, p, h)
        come_to, is_known = points(values), len(values) == count
        expected = {
            "bust": int(is_known and come_to > TARGET),
            "done": int(count > 0 and (place(s, p), h) < now),
        }
        if p == banker:
            expected["done"] = int(shown and count > 0 and come_to != TARGET)
        for name, value in expected.items():
            if s[name][p, h] != value:
                return f"{name}[{p}, {h}] is {s[name][p, h]}: expected {value} by cards and turn"
        if is_known and not is_drawn(values):
            return f"cards[{p}, {h}] goes on after a total of 21 or more"
        if count > 2 and (place(s, p), h) > now:
            return f"count[{p}, {h}] is {count}, but the hand has yet to be played"
    for p in range(SEATS):
        turned = int(s["split"][p] or s["bust"][p].any() or (shown and s["joined"][p]))
        if s["turned"][p] != turned:
            return f"turned[{p}] is {s['turned'][p]}: expected {turned}"
        if s["split"][p] and (p == banker or not is_pair(s, *s["cards"][p, :, 0].tolist())):
            return f"split[{p}] is 1, but the seat had no pair to split, or banks"
        count = int(s["count"][p, 0])
        once = s["done"][p, 0] and count >= 3 and not s["split"][p] and p != banker
        if s["doubled"][p] and (not once or (count > 3 and not s["rules"]["double_late"])):
            return f"doubled[{p}] is 1, but hand and options say otherwise"
    bank, known = hand_values(s, banker, 0), s["cards"][banker, 0, 0] != HIDDEN
    if banks and known and not s["ended"] and points(bank) >= TARGET:
        return f"cards[{banker}, 0] come to {points(bank)}: a bank that is asked has 20 or less"
    return None


def first_card_fault(s: np.void) -> str | None:
    """What can't be about first cards, hidden or not (R12–R14)."""
    for p in range(SEATS):
        first, values = int(s["cards"][p, 0, 0]), hand_values(s, p, 0)
        possible = (np.flatnonzero(s["possible"][p]) + 1).tolist()
        others = values[1:] if first >= 0 else values
        asked = p == s["banker"] and s["phase"] == BANK and not s["ended"]
        fits = [
            value
            for value in range(1, VALUES + 1)
            if is_drawn([value, *others]) and points([value, *others]) <= TARGET - asked
        ]
        if s["turned"][p]:
            fits = values[:1]
        # What the house has done for a seat that left tells more.
        if possible != fits and not (s["away"][p] and {*possible} < {*fits}):
            return f"possible[{p}] are the values {possible}: expected {fits}"
        if first >= 0 and VALUE[first] not in possible:
            return f"possible[{p}] lacks {VALUE[first]}, the value of the first card"
    hidden = np.flatnonzero(s["cards"][: s["seats"], 0, 0] == HIDDEN).tolist()
    unseen = unseen_cards(s)
    if len(hidden) == s["seats"]:
        return "cards has the first card of every seat hidden"
    if not are_there([int(fitting(s, p, unseen)) for p in hidden]):
        return f"possible leaves no cards for the seats {hidden} to have hidden"
    return None


def are_there(sets: Sequence[int]) -> bool:
    """Whether different cards can be taken, one from each set."""
    if not sets:
        return True
    first, *others = sorted(sets, key=int.bit_count)
    cards = [1 << k for k in range(CARDS) if first >> k & 1]
    return any(are_there([other & ~card for other in others]) for card in cards)


# --- Observation -------------------------------------------------------------------------------


OBSERVATION = Observation(
    Range(
        "seats",
        (SEATS, 8),
        "in, left, banker, coins and first bet in min_bet, has bet, split, doubled",
        "all; a bet: its seat, all others once the last bet is in",
    ),
    Range(
        "hands",
        (SEATS, HANDS_EACH, 4),
        "number of cards, finished, bust, best total if every card is known",
    ),
    Range("shown", (SEATS, HANDS_EACH, VALUES), "cards lying face up, counted by value: A 2 … 10"),
    Range(
        "cards",
        (SEATS, HANDS_EACH, LONGEST),
        "value of each card in the order dealt, 1 (ace) … 10; 0: none",
        "all; a first card: its owner until it is turned up",
    ),
    Range("own_first", VALUES, "own first card, by value: A 2 … 10"),
    Range(
        "possible",
        (SEATS, VALUES),
        "values the first card can have by what everybody has seen; turned up: its value",
    ),
    Range("unseen", VALUES, "cards not seen by the own seat, by value"),
    Range("phase", 3, "betting, 閒 play, banker plays"),
    Range("turn", SEATS, "seat to act"),
    Range("active", HANDS_EACH, "hand to act"),
    hand_range(),
)


@kernel
def observe_hand(v, p, h, k, o, known):
    """Cards of a hand of the seat k places after the own one."""
    complete = True
    for i in range(v.count[p, h]):
        card = v.cards[p, h, i]
        if card < 0:
            known.cards[k, h, i] = 0
            complete = False
            continue
        value = VALUE[card]
        o.cards[k, h, i] = value
        shown = i > 0 or h > 0 or v.turned[p]
        o.shown[k, h, value - 1] += shown
        o.unseen[value - 1] -= shown or k == 0
    o.hands[k, h, 0] = v.count[p, h]
    o.hands[k, h, 1] = v.done[p, h]
    o.hands[k, h, 2] = v.bust[p, h]
    if complete:
        o.hands[k, h, 3] = total(v, p, h)
    else:
        known.hands[k, h, 3] = 0


@kernel
def observe(v, seat, o, known):
    unit = 1.0 / v.rules.min_bet
    copy_row(o.unseen, COPIES, VALUES)
    p = seat
    for k in range(v.seats):
        o.seats[k, 0] = v.joined[p]
        o.seats[k, 1] = v.away[p]
        o.seats[k, 2] = p == v.banker
        # A hand that has ended has paid its coins into the stacks.
        o.seats[k, 3] = (v.stack[p] if v.ended else v.stack[p] - v.penalty[p]) * unit
        if v.bet[p] >= 0:
            o.seats[k, 4] = v.bet[p] * unit
        elif v.bet[p] == HIDDEN:
            known.seats[k, 4] = 0
        o.seats[k, 5] = v.bet[p] != NONE
        o.seats[k, 6] = v.split[p]
        o.seats[k, 7] = v.doubled[p]
        for h in range(1 + v.split[p]):
            observe_hand(v, p, h, k, o, known)
        copy_row(o.possible[k], v.possible[p], VALUES)
        if p == v.turn and not v.ended:
            o.turn[k] = 1
        p = next_seat(v, p)
    if v.count[seat, 0] > 0:
        o.own_first[VALUE[v.cards[seat, 0, 0]] - 1] = 1
    o.phase[v.phase] = 1
    if not v.ended:
        o.active[v.active] = 1


# --- Words -------------------------------------------------------------------------------------


RESULTS = {1: "won", 0: "push", -1: "lost"}


def hand_cards(s: np.void, seat: int, h: int) -> tuple[str, ...]:
    """The cards of a hand in the order dealt."""
    return tuple(cards_seen(s["cards"][seat, h]))


def census(s: np.void) -> tuple[int, ...]:
    """How many there are of each card, in the deck and in hands."""
    cards = np.concatenate([s["deck"].ravel(), s["cards"].ravel()])
    return tuple(np.bincount(cards[cards >= 0], minlength=CARDS).tolist())


def report(s: np.void) -> dict[str, Any]:
    """How the hand ended: cards of seats dealt in; of each 閒 the results of its hands, the bet of
    each of them, the first bet, and whether it was doubled."""
    seats, banker = int(s["seats"]), int(s["banker"])
    played = [p for p in range(seats) if s["count"][p, 0]]
    bank_hidden = bool(played) and not s["turned"][banker]
    results: list[list[str] | None] = [None] * seats
    cards: list[list[list[str]] | None] = [None] * seats
    for p in played:
        parts = range(1 + int(s["split"][p]))
        cards[p] = [list(hand_cards(s, p, h)) for h in parts]
        if p != banker:
            results[p] = [RESULTS[int(outcome(s, p, h))] for h in parts]
    if bank_hidden:
        cards[banker] = [[BACK, *hand_cards(s, banker, 0)[1:]]]  # R14
    return {
        "reason": "void" if not played else "all hands bust" if bank_hidden else "settled",
        "banker": banker,
        "cards": cards,
        "results": results,
        "bets": [int(hand_bet(s, p)) if results[p] else None for p in range(seats)],
        "first_bets": [int(s["bet"][p]) if results[p] else None for p in range(seats)],
        "doubled": [bool(s["doubled"][p]) if results[p] else None for p in range(seats)],
        "penalties": [int(coins) for coins in s["penalty"][:seats]],
    }


def role(v: np.void, seat: int) -> str:
    """What a seat is in this hand."""
    if v["away"][seat]:
        return "gone"
    if seat == v["banker"]:
        return "banker 莊"
    return "player 閒" if v["joined"][seat] else "sitting out"


def hand_note(v: np.void, seat: int, h: int) -> str:
    """What there is to say about a hand: its total if known, how it stands, how it ended."""
    names = hand_cards(v, seat, h)
    words = []
    if BACK not in names:
        points = int(score(v, seat, h))
        words.append("natural" if points == NATURAL else str(points))
    if v["doubled"][seat]:
        words.append("doubled")
    if v["bust"][seat, h]:
        words.append("bust")
    elif v["done"][seat, h]:
        words.append("stands")
    if v["ended"] and seat != v["banker"]:
        words.append(RESULTS[int(outcome(v, seat, h))])
    return ", ".join(words)


def show(v: np.void, seat: int | None) -> Scene:
    """What lies on the table, for one seat's eyes; seat None: for all."""
    seats = int(v["seats"])
    places, zones = [], []
    for p in range(seats):
        bet = int(v["bet"][p])
        left = int(v["stack"][p]) - (0 if v["ended"] else int(v["penalty"][p]))
        note = "has bet" if bet == HIDDEN else ""
        if v["penalty"][p]:
            note = f"left, pays {int(v['penalty'][p])}"
        places.append(Place(p, role(v, p), left, bet=max(bet, 0), note=note))
        for h in range(1 + int(v["split"][p])):
            name = f"hand {h + 1}" if v["split"][p] else "hand"
            acts = not v["ended"] and v["split"][p] and (v["turn"], v["active"]) == (p, h)
            note = hand_note(v, p, h) if v["count"][p, h] else ""
            zones.append(
                Zone(name, hand_cards(v, p, h), owner=p, note=f"{note}, to act" if acts else note)
            )
    zones.append(Zone("deck", (), note=f"{CARDS - int(v['dealt'])} cards"))
    phases = ("betting", "閒 play", "banker plays")
    return Scene(
        places=tuple(places),
        zones=tuple(zones),
        facts=(
            phases[int(v["phase"])],
            f"bets {int(v['rules']['min_bet'])}…{int(v['rules']['max_bet'])}",
        ),
    )


def max_plies(rules: Mapping[str, Any]) -> int:
    """51 a hand: n seats in make at most n − 1 bets, D draws, S splits and n + S stands; their
    cards, 2n + D + 2S, are at most 52."""
    return 51 * int(rules["hands"])


GAME = Game(
    name="blackjack",
    title="21點",
    english="blackjack",
    summary="Twenty-one against a banking player free to hit or stand; every first card is hidden.",
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
    check=check,
    checked_by=(
        "chances of a natural, of two cards of equal value and of equal rank in two cards",
        "chances to bust by one card on every hard total",
        "how house play ends from a full deck, as exact fractions",
        "two seats on house play, and a player that stands from 12 … 18 on, as exact fractions",
    ),
    limitations=(
        "The source gives neither the number of seats and decks nor who banks next: up to five "
        "seats, one deck, and the bank moves on after every hand.",
        "Whether a split shows the hidden card is not in the source; here it does.",
        "The rule bot as a 閒 takes the banker to play as the house does: hit below 17.",
    ),
    history=(
        "0: first version",
        "1: the report tells first bets and doubled hands; a bank that is asked is known to have "
        "less than 21",
    ),
)
