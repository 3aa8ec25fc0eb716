"""Sanzhang (三张牌): three cards, bet unseen at the single price or looked at for the double one.

A sister of tuolaji with three fixed raises, no compares, rewards for rare hands and a fee.

R1 A deck of 52 cards, shuffled afresh each hand; 2–6 seats.
R2 Dealt in are the seats that have not left and hold at least 3 antes × factor + fee coins; if
   fewer than two do, the match is over. The others sit out, and owe nothing.
R3 The ante (底分) is a chips; every seat dealt in puts it into the pot. All that seats put in is
   counted in chips; R23 turns them into coins.
R4 The banker (庄家) is a random seat in the first hand, later the last winner (of several the first
   after the old banker; if it is not dealt in: random). All it does is to deal first.
R5 Three cards at once, face down, banker first, from the start of the deck. Nobody ever sees the
   rest.
R6 Live is who is dealt in and has not folded or left. The first live seat after the banker acts
   first, then the next live one, until R12, R13 or R14 ends the hand.
R7 The unit u starts at a. The price is u for a seat that has not looked and 2u for one that has. A
   seat's stake is all it has put in, with the ante; its limit is cap × a, or its coins / factor if
   that is less, rounded down; its allowance is limit − stake, and no payment exceeds it.
R8 look (看牌): once, in turn, free and public; the seat sees its cards and still has to act.
   Refused while 2u is above its allowance.
R9 call (跟): pay the price; for the first actor this is the opening bet.
R10 raise_low, raise_mid, raise_high (加): u grows by low, mid or high chips, then the new price is
   paid; refused above the allowance. One raise a turn, without any other limit.
R11 fold (放弃): out of the hand, at any time in turn; the stake stays in the pot.
R12 The last live seat wins at once; no hand is shown but for R21.
R13 open (开牌) with two live seats, at any time: pay twice the price, within the allowance. Both
   hands are shown; if equal, who opened loses.
R14 Cap (封顶): all live hands are opened when a seat has just paid and its stake is cap × a, or
   when the turn comes to a seat whose allowance is below its price. The opener is then who acted
   last (a look or a leave is no act), if still live; else there is none.
R15 Trips 豹子 > straight flush 顺金 > flush 金花 > run 顺子 > pair 对子 > high card 单张; no suits.
R16 A run is three consecutive ranks, queen, king, ace the highest. Ace, 2, 3 is the lowest, or the
   second one after queen, king, ace, or none (``a23``).
R17 Within a type: trips by rank, runs by their place in R16, pairs by the pair, then the third
   card, all else by the highest, second, third rank.
R18 Special (特殊): 2-3-5 of three suits (without ``special_distinct``: not all of one suit) ranks
   above all if any hand opened with it is trips, and else is the high card it looks like.
R19 The best opened hand wins the pot. Settled are pot (R20), reward (R21), fee (R22), in this
   order; no stack goes below 0.
R20 Of several equal best hands the opener's is dropped; the others share, coins left over one by
   one from the seat after the banker on.
R21 Reward (特殊奖励): for a winner's trips the pool is seats dealt in × a × 10 coins, for a
   straight flush × 5. Each other seat dealt in, out or not, pays an equal part of it, rounded
   down, at most what it has left. It is paid without an opening too, and the hand shown then.
   Several winners share it as in R20. A special hand that wins earns none.
R22 Every seat dealt in pays the house the fee, at most what it has left. There is no other rake.
R23 A chip is worth factor coins. Reward and fee are not multiplied.
R24 Leaving (逃跑): fold at once, in turn or not; no answer: fold in turn. Reward and fee are still
   due.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from qipai.envs.fields import Field, Fields
from qipai.envs.game import Game
from qipai.envs.kernel import inlined, kernel
from qipai.envs.layout import HIDDEN, NOBODY, Actions, Observation, put_seat
from qipai.envs.match import ENDED, close_hand
from qipai.envs.options import (
    MAX_COINS,
    MAX_STAKE,
    OptionError,
    Options,
    choice,
    flag,
    integer,
    per_seat,
)
from qipai.envs.parts.betting import (
    LOG,
    divide,
    first_winner,
    is_on_record,
    live_seats,
    log,
    log_lines,
    next_live,
    next_logged,
    players,
    pot,
    put_log,
    random_player,
)
from qipai.envs.parts.cards import BIT, card_name, parse_card
from qipai.envs.parts.three_cards import (
    A23_PLACES,
    HAND_NAMES,
    HANDS,
    KIND,
    STRAIGHT_FLUSH,
    TRIPS,
    WORSE,
    is_235,
    strength_of,
)
from qipai.envs.parts.unseen_hands import (
    HAND,
    cards_seen,
    census,
    conceal_hands,
    gather,
    hold,
    steps_of_turn,
    take_cards,
)
from qipai.envs.rng import shuffle
from qipai.envs.scene import Place, Scene, Zone
from qipai.envs.view import Codec

VERSION = 0

# --- Dimensions ------------------------------------------------------------------------------

SEATS = 6
CARDS = 52
RANKS, SUITS = 13, 4
RAISES = 3  # sizes of raises
FOLDED, GONE = range(2)  # how a seat went out
LAST_SEAT, OPENED, CAPPED = range(3)  # what ended a hand: R12, R13, R14

# --- Options ---------------------------------------------------------------------------------

RULES = Options(
    (
        integer("seats", SEATS, 2, SEATS, "seats at the table", "R1"),
        integer("hands", 1, 1, 1000, "hands in a match", "R4"),
        per_seat("stack", 20_000, 1, MAX_COINS, SEATS, "coins of every seat at the start", "R2"),
        integer("ante", 100, 1, MAX_STAKE, "底分 a, in chips", "R3"),
        integer("low", 100, 1, MAX_STAKE, "chips that raise_low adds to the unit", "R10"),
        integer("mid", 200, 1, MAX_STAKE, "chips that raise_mid adds to the unit", "R10"),
        integer("high", 500, 1, MAX_STAKE, "chips that raise_high adds to the unit", "R10"),
        integer("cap", 101, 11, 1001, "封顶: most antes a seat may put in", "R7, R14"),
        integer("fee", 100, 0, MAX_COINS, "coins that every seat pays the house for a hand", "R22"),
        integer("factor", 1, 1, MAX_STAKE, "房间系数: coins a chip is worth", "R23"),
        choice("a23", "lowest", A23_PLACES, "place of ace, 2, 3 among the runs", "R16"),
        flag("special_distinct", True, "a special 2-3-5 needs three suits", "R18"),
    )
)


def check(rules: Mapping[str, Any]) -> None:
    """OptionError for raises that do not go up (R10), or if fewer than two seats can play (R2)."""
    raises = [rules[name] for name in ("low", "mid", "high")]
    if not raises[0] < raises[1] < raises[2]:
        raise OptionError(
            f"sanzhang: low, mid, high = {raises} is not allowed; allowed: low < mid < high"
        )
    need = 3 * rules["ante"] * rules["factor"] + rules["fee"]
    if sum(stack >= need for stack in rules["stack"]) < 2:
        raise OptionError(
            f"sanzhang: stack={list(rules['stack'])!r} with ante={rules['ante']}, "
            f"factor={rules['factor']} and fee={rules['fee']} lets fewer than two seats play; "
            f"allowed: at least two stacks of 3 antes × factor + fee ({need}) or more"
        )


# --- Actions (R8–R13) --------------------------------------------------------------------------

ACTIONS = Actions()
FOLD = ACTIONS.add("fold", ["fold"], "always")
CALL = ACTIONS.add("call", ["call"], "always")
RAISE = ACTIONS.add(
    "raise",
    ["raise_low", "raise_mid", "raise_high"],
    "the price after the raise is within the allowance (R10)",
)
LOOK = ACTIONS.add("look", ["look"], "not looked yet, and the double price within the allowance")
OPEN = ACTIONS.add("open", ["open"], "two live seats, and twice the price within the allowance")
ACTION_COUNT = ACTIONS.width

# --- State -----------------------------------------------------------------------------------

FIELDS = Fields(
    RULES,
    SEATS,
    Field.number(
        "deck",
        np.int8,
        127,
        "cards as in parts/cards.py; NOBODY: dealt",
        (CARDS,),
        low=-127,
        empty=True,
        hidden=True,
    ),
    Field.number("dealt", np.int8, 127, "cards dealt", low=-127, empty=True, hidden=True),
    Field.number(
        "cards",
        np.int8,
        127,
        "highest first; NOBODY: not dealt in",
        (SEATS, HAND),
        low=-127,
        empty=True,
        hidden=True,
    ),
    Field.number("dealt_in", np.int8, 127, "dealt_in", (SEATS,), low=-127, empty=True, hidden=True),
    Field.number("live", np.int8, 127, "live", (SEATS,), low=-127, empty=True, hidden=True),
    Field.number(
        "out",
        np.int8,
        127,
        "FOLDED, GONE; NOBODY: live or not dealt in",
        (SEATS,),
        low=-127,
        empty=True,
        hidden=True,
    ),
    Field.number("looked", np.int8, 127, "looked", (SEATS,), low=-127, empty=True, hidden=True),
    Field.number(
        "shown",
        np.int8,
        127,
        "everybody sees the cards",
        (SEATS,),
        low=-127,
        empty=True,
        hidden=True,
    ),
    Field.number("banker", np.int8, 127, "banker", low=-127, empty=True, hidden=True),
    Field.number("unit", np.int64, 2**62, "u, in chips", low=-(2**62), empty=True, hidden=True),
    Field.number(
        "limit",
        np.int64,
        2**62,
        "chips a seat may put in in this hand (R7)",
        (SEATS,),
        low=-(2**62),
        empty=True,
        hidden=True,
    ),
    Field.number(
        "stake",
        np.int64,
        2**62,
        "chips put in, ante included",
        (SEATS,),
        low=-(2**62),
        empty=True,
        hidden=True,
    ),
    Field.number(
        "blind_bets",
        np.int32,
        2**31 - 1,
        "how often it paid without having looked",
        (SEATS,),
        low=-(2**31) - 1,
        empty=True,
        hidden=True,
    ),
    Field.number(
        "looked_bets",
        np.int32,
        2**31 - 1,
        "looked_bets",
        (SEATS,),
        low=-(2**31) - 1,
        empty=True,
        hidden=True,
    ),
    Field.number(
        "raises",
        np.int32,
        2**31 - 1,
        "raises",
        (SEATS, RAISES),
        low=-(2**31) - 1,
        empty=True,
        hidden=True,
    ),
    Field.number(
        "look_unit",
        np.int64,
        2**62,
        "u when it looked; 0: has not",
        (SEATS,),
        low=-(2**62),
        empty=True,
        hidden=True,
    ),
    Field.number(
        "last_action",
        np.int8,
        127,
        "but for looks; NOBODY: none",
        (SEATS,),
        low=-127,
        empty=True,
        hidden=True,
    ),
    Field.number(
        "last_actor", np.int8, 127, "NOBODY: nobody has acted", low=-127, empty=True, hidden=True
    ),
    Field.number(
        "circles",
        np.int32,
        2**31 - 1,
        "how often the turn has passed the banker",
        low=-(2**31) - 1,
        empty=True,
        hidden=True,
    ),
    Field.number(
        "reason",
        np.int8,
        127,
        "LAST_SEAT, OPENED, CAPPED; NOBODY: still playing",
        low=-127,
        empty=True,
        hidden=True,
    ),
    Field.number(
        "opener", np.int8, 127, "R13, R14; NOBODY: there is none", low=-127, empty=True, hidden=True
    ),
    Field.number(
        "won",
        np.int64,
        2**62,
        "1: wins the pot, or a part of it",
        (SEATS,),
        low=-(2**62),
        empty=True,
        hidden=True,
    ),
    Field.number(
        "winner",
        np.int8,
        127,
        "of several the first after the banker; NOBODY until the hand ends",
        low=-127,
        empty=True,
        hidden=True,
    ),
    Field.number(
        "reward",
        np.int64,
        2**62,
        "coins that each other seat owed the winners (R21)",
        low=-(2**62),
        empty=True,
        hidden=True,
    ),
    Field.number(
        "log_count",
        np.int32,
        2**31 - 1,
        "betting actions of this hand; entry i stands at i mod LOG",
        low=-(2**31) - 1,
        empty=True,
        hidden=True,
    ),
    Field.number("log_seat", np.int8, 127, "log_seat", (LOG,), low=-127, empty=True, hidden=True),
    Field.number(
        "log_action", np.int8, 127, "log_action", (LOG,), low=-127, empty=True, hidden=True
    ),
)
STATE = FIELDS.dtype


def contradiction(s: np.void) -> str | None:
    """What can't be on a table or in a view: ``Game.contradiction``."""
    return None


# --- Ranking (R15–R18) -------------------------------------------------------------------------


@kernel
def strength(s, seat):
    """The place of a seat's hand among all 741 strengths (R15–R17)."""
    a, b, c = np.int64(s.cards[seat, 0]), np.int64(s.cards[seat, 1]), np.int64(s.cards[seat, 2])
    return strength_of(a, b, c, np.int64(s.rules.a23))


@kernel
def kind_of(s, seat):
    return KIND[s.rules.a23, strength(s, seat)]


@kernel
def special(s, seat):  # R18
    a, b, c = np.int64(s.cards[seat, 0]), np.int64(s.cards[seat, 1]), np.int64(s.cards[seat, 2])
    return is_235(a, b, c, s.rules.special_distinct)


# --- Deal (R1–R6) ------------------------------------------------------------------------------


@kernel
def can_play(s, seat):  # R2
    need = 3 * s.rules.ante * s.rules.factor + s.rules.fee
    return not s.away[seat] and s.stack[seat] >= need


@kernel
def deal(s):
    for k in range(CARDS):
        s.deck[k] = k
    shuffle(s.rng, s.deck, CARDS)
    if s.hand == 0 or not can_play(s, s.winner):  # R4
        s.banker = random_player(s, can_play)
    else:
        s.banker = s.winner
    deal_from_deck(s)


@kernel
def deal_from_deck(s):
    """Start the hand that follows from ``deck`` and ``banker``."""
    s.unit = s.rules.ante
    s.dealt = 0
    s.cards[:, :] = NOBODY
    s.dealt_in[:] = 0
    s.live[:] = 0
    s.out[:] = NOBODY
    s.looked[:] = 0
    s.shown[:] = 0
    s.limit[:] = 0
    s.stake[:] = 0
    s.blind_bets[:] = 0
    s.looked_bets[:] = 0
    s.raises[:, :] = 0
    s.look_unit[:] = 0
    s.last_action[:] = NOBODY
    s.last_actor = NOBODY
    s.circles = 0
    s.reason = NOBODY
    s.opener = NOBODY
    s.won[:] = 0
    s.winner = NOBODY
    s.reward = 0
    s.log_count = 0
    s.log_seat[:] = NOBODY
    s.log_action[:] = NOBODY
    for k in range(s.seats):
        seat = (s.banker + k) % s.seats
        if can_play(s, seat):
            s.dealt_in[seat] = 1
            s.live[seat] = 1
            s.limit[seat] = min(s.rules.cap * s.rules.ante, s.stack[seat] // s.rules.factor)
            s.stake[seat] = s.rules.ante  # R3
            take_cards(s, seat, np.int64(s.dealt))
            s.dealt += HAND
    s.turn = next_live(s, np.int64(s.banker))  # R6


@kernel
def restart(s):
    """Back to the first decision of this hand, with the same cards; whether that can be done."""
    if not is_on_record(s):
        return False
    gather(s)
    deal_from_deck(s)
    return True


@kernel
def recall(s, later):
    """What the seat to act did next in this hand, which went on to the table ``later``."""
    seat = s.turn
    if later.looked[seat] and not s.looked[seat] and s.blind_bets[seat] == later.blind_bets[seat]:
        return np.int64(LOOK)
    return next_logged(s, later)


# --- Betting (R7–R14) --------------------------------------------------------------------------


@kernel
def price(s, seat):  # R7
    return s.unit + s.unit * s.looked[seat]


@kernel
def raise_size(s, k):  # R10
    return s.rules.low if k == 0 else s.rules.mid if k == 1 else s.rules.high


@kernel
def raised_price(s, seat, k):
    """The price after the k-th raise (R10)."""
    unit = s.unit + raise_size(s, k)
    return unit + unit * s.looked[seat]


@kernel
def allowance(s, seat):  # R7
    return s.limit[seat] - s.stake[seat]


@kernel
def may_open(s, seat):  # R13
    return live_seats(s) == 2 and 2 * price(s, seat) <= allowance(s, seat)


@kernel
def legal(s, mask):
    seat = np.int64(s.turn)
    left = allowance(s, seat)
    mask[FOLD] = 1
    mask[CALL] = 1
    for k in range(RAISES):
        mask[RAISE + k] = raised_price(s, seat, k) <= left
    mask[LOOK] = not s.looked[seat] and 2 * s.unit <= left  # R8
    mask[OPEN] = may_open(s, seat)


@kernel
def act(s, seat, action):
    s.last_action[seat] = action
    s.last_actor = seat
    log(s, seat, action)


@kernel
def pay(s, seat, chips):
    s.stake[seat] += chips
    if s.looked[seat]:
        s.looked_bets[seat] += 1
    else:
        s.blind_bets[seat] += 1


@kernel
def go_out(s, seat, how):
    """A live seat folds or leaves; the last one left wins (R12)."""
    s.live[seat] = 0
    s.out[seat] = how
    if live_seats(s) == 1:
        for other in range(s.seats):
            s.won[other] = s.live[other]
        s.reason = LAST_SEAT
        settle(s)
    elif seat == s.turn:
        pass_turn(s)


@kernel
def apply(s, action):
    seat = np.int64(s.turn)
    if action == LOOK:
        s.looked[seat] = 1
        s.look_unit[seat] = s.unit
        return
    act(s, seat, action)
    if action == FOLD:
        go_out(s, seat, FOLDED)
    elif action == OPEN:
        pay(s, seat, 2 * price(s, seat))
        open_hands(s, seat, OPENED)
    else:
        if action != CALL:
            s.unit += raise_size(s, action - RAISE)
            s.raises[seat, action - RAISE] += 1
        pay(s, seat, price(s, seat))
        if s.stake[seat] == s.rules.cap * s.rules.ante:  # R14
            open_hands(s, seat, CAPPED)
        else:
            pass_turn(s)


@kernel
def pass_turn(s):
    """To the next live seat, or to an opening if it can't pay (R14)."""
    seat = np.int64(s.turn)
    following = next_live(s, seat)
    if (following - s.banker - 1) % s.seats <= (seat - s.banker - 1) % s.seats:
        s.circles += 1
    if price(s, following) <= allowance(s, following):
        s.turn = following
    elif s.last_actor >= 0 and s.live[s.last_actor]:
        open_hands(s, np.int64(s.last_actor), CAPPED)
    else:
        open_hands(s, np.int64(NOBODY), CAPPED)


@kernel
def default(s):  # R24
    return FOLD


@kernel
def leave(s, seat):  # R24
    if s.live[seat]:
        go_out(s, seat, GONE)


# --- Settlement (R19–R23) ----------------------------------------------------------------------


@kernel
def open_hands(s, opener, reason):
    """All live hands are shown; the best wins, of equal ones not the opener's (R18–R20)."""
    s.reason = reason
    s.opener = opener
    best, any_special = -1, False
    for seat in range(s.seats):
        if s.live[seat]:
            s.shown[seat] = 1
            best = max(best, strength(s, seat))
            any_special |= special(s, seat)
    count = 0
    for seat in range(s.seats):
        if s.live[seat]:
            if any_special and KIND[s.rules.a23, best] == TRIPS:  # R18
                s.won[seat] = special(s, seat)
            else:
                s.won[seat] = strength(s, seat) == best
            count += s.won[seat]
    if count > 1 and opener >= 0:
        s.won[opener] = 0
    settle(s)


@kernel
def reward_of(s):
    """Coins that each other seat owes the winners (R21)."""
    kind = kind_of(s, np.int64(s.winner))
    times = 10 if kind == TRIPS else 5 if kind == STRAIGHT_FLUSH else 0
    seats, losers = 0, 0
    for seat in range(s.seats):
        seats += s.dealt_in[seat]
        losers += s.dealt_in[seat] - s.won[seat]
    return seats * s.rules.ante * times // losers


@kernel
def settle(s):
    """The hand goes to those who ``won``."""
    s.winner = first_winner(s)
    s.reward = reward_of(s)
    if s.reward > 0:
        s.shown[s.winner] = 1
    collected = 0
    for seat in range(s.seats):
        s.coins[seat] = -s.stake[seat] * s.rules.factor  # R23
        if s.dealt_in[seat] and not s.won[seat]:
            due = min(s.reward, s.stack[seat] + s.coins[seat])
            s.coins[seat] -= due
            collected += due
    divide(s, pot(s) * s.rules.factor)  # R20
    divide(s, collected)
    for seat in range(s.seats):
        if s.dealt_in[seat]:
            fee = min(s.rules.fee, s.stack[seat] + s.coins[seat])  # R22
            s.coins[seat] -= fee
            s.house += fee
    close_hand(s)
    if players(s, can_play) < 2:  # R2
        s.over = ENDED


# --- What a seat sees --------------------------------------------------------------------------


@kernel
def sees(s, seat, other):
    return s.shown[other] == 1 or (seat == other and s.looked[seat] == 1)


@kernel
def conceal(s, seat):
    conceal_hands(s, seat, sees)


@kernel
def redeal(s, seat):
    known = np.int64(0)  # cards, as bits
    start = np.int64(s.dealt)
    for other in range(s.seats):
        if s.dealt_in[other]:
            if sees(s, seat, other):
                for k in range(HAND):
                    known |= BIT[s.cards[other, k]]
            else:
                start -= HAND
    place = start
    for card in range(CARDS):
        if not (known >> card) & 1:
            s.deck[place] = card
            place += 1
    draw_hands(s, seat, start)
    # A winner whose hand was not shown has earned no reward.
    while s.ended and reward_of(s) != s.reward:
        draw_hands(s, seat, start)
    for k in range(start, s.dealt):
        s.deck[k] = NOBODY


@kernel
def draw_hands(s, seat, start):
    """Shuffle the deck from ``start`` on; its first cards are the hands a seat does not see."""
    shuffle(s.rng, s.deck[start:], CARDS - start)
    for other in range(s.seats):
        if s.dealt_in[other] and not sees(s, seat, other):
            hold(s, other, s.deck[start], s.deck[start + 1], s.deck[start + 2])
            start += HAND


CARD = RANKS + SUITS  # entries for one card
KINDS = len(HAND_NAMES)
WHOLE_DECK = 1.0 / HANDS

OBSERVATION = Observation()
O_CARDS = OBSERVATION.add(
    "cards",
    (SEATS, HAND, CARD),
    "cards, highest first: rank 2 … A, suit ♦ ♣ ♥ ♠",
    "a seat that has looked; all, once shown",
)
O_KIND = OBSERVATION.add(
    "kind", (SEATS, KINDS), "kind of hand: " + ", ".join(HAND_NAMES), "as cards"
)
O_WORSE = OBSERVATION.add("worse", SEATS, "share of all hands that are worse", "as cards")
O_STATUS = OBSERVATION.add("status", (SEATS, 5), "dealt in, live, folded, gone, has looked")
O_STACK = OBSERVATION.add("stacks", SEATS, "coins left, in antes")
O_STAKE = OBSERVATION.add("stakes", SEATS, "put in in this hand, in antes")
O_ALLOWANCE = OBSERVATION.add("allowances", SEATS, "what it may still put in, in antes")
O_BETS = OBSERVATION.add("bets", (SEATS, 2), "bets made without having looked, and with")
O_RAISES = OBSERVATION.add("raises", (SEATS, RAISES), "raises made: low, mid, high")
O_LOOK = OBSERVATION.add("look_unit", SEATS, "the unit when it looked, in antes")
O_LAST = OBSERVATION.add("last_action", (SEATS, ACTION_COUNT), "last action of each seat")
O_UNIT = OBSERVATION.add("unit", 1, "u, in antes")
O_ANTE = OBSERVATION.add("ante", 1, "chips of the ante")
O_POT = OBSERVATION.add("pot", 1, "all stakes, in antes")
O_PRICE = OBSERVATION.add("price", 1, "what a call costs the own seat, in antes")
O_RAISED = OBSERVATION.add(
    "raised_prices", RAISES, "what raise_low, raise_mid, raise_high cost the own seat, in antes"
)
O_LIVE = OBSERVATION.add("live_seats", 1, "number of live seats")
O_CIRCLES = OBSERVATION.add("circles", 1, "how often the turn has passed the banker")
O_OPEN = OBSERVATION.add("may_open", 1, "whether the own seat could open in its turn (R13)")
O_LOWEST = OBSERVATION.add(
    "lowest_allowance", 1, "the lowest allowance of the other live seats, in antes"
)
O_TURN = OBSERVATION.add("turn", SEATS, "seat to act")
O_BANKER = OBSERVATION.add("banker", SEATS, "the banker")
O_OPENER = OBSERVATION.add("opener", SEATS, "the opener, at the end of a hand")
O_WON = OBSERVATION.add("won", SEATS, "the winners, at the end of a hand")
O_SIZES = OBSERVATION.add("sizes", RAISES, "what raises add to the unit, in antes")
O_RULES = OBSERVATION.add("options", 4, "cap, fee in antes, factor, special_distinct")
O_A23 = OBSERVATION.add("a23", len(A23_PLACES), "place of A23: " + ", ".join(A23_PLACES))
O_HAND = OBSERVATION.add("hand", 2, "number of the hand from 0, hands still to come")
O_LOG = OBSERVATION.add(
    "log", (LOG, SEATS + ACTION_COUNT), "last betting actions, newest first: seat, action"
)


@inlined
def put_hand(values, visible, k, v, p):
    """The cards of seat p, k places after the own one, and what they are worth."""
    if v.cards[p, 0] >= 0:
        for i in range(HAND):
            card = v.cards[p, i]
            values[O_CARDS + CARD * (HAND * k + i) + card // SUITS] = 1
            values[O_CARDS + CARD * (HAND * k + i) + RANKS + card % SUITS] = 1
        worth = strength(v, np.int64(p))
        values[O_KIND + KINDS * k + KIND[v.rules.a23, worth]] = 1
        values[O_WORSE + k] = WORSE[v.rules.a23, worth] * WHOLE_DECK
    elif v.cards[p, 0] == HIDDEN:
        for i in range(HAND * CARD):
            visible[O_CARDS + HAND * CARD * k + i] = False
        for i in range(KINDS):
            visible[O_KIND + KINDS * k + i] = False
        visible[O_WORSE + k] = False


@inlined
def put_own(values, v, seat, per_ante):
    """What the own seat may do, and what it costs."""
    values[O_PRICE] = price(v, seat) * per_ante
    for k in range(RAISES):
        values[O_RAISED + k] = raised_price(v, seat, k) * per_ante
    values[O_OPEN] = may_open(v, seat)
    lowest = MAX_COINS
    for other in range(v.seats):
        if v.live[other] and other != seat:
            lowest = min(lowest, allowance(v, other))
    values[O_LOWEST] = lowest * per_ante


@kernel
def observe(v, seat, values, visible):
    per_ante = 1.0 / v.rules.ante
    per_coin = per_ante / v.rules.factor
    p = seat
    for k in range(v.seats):
        put_hand(values, visible, k, v, p)
        values[O_STATUS + 5 * k] = v.dealt_in[p]
        values[O_STATUS + 5 * k + 1] = v.live[p]
        if v.out[p] >= 0:
            values[O_STATUS + 5 * k + 2 + v.out[p]] = 1
        values[O_STATUS + 5 * k + 4] = v.looked[p]
        values[O_STACK + k] = coins_left(v, p) * per_coin
        values[O_STAKE + k] = v.stake[p] * per_ante
        if v.live[p]:
            values[O_ALLOWANCE + k] = allowance(v, p) * per_ante
        values[O_BETS + 2 * k] = v.blind_bets[p]
        values[O_BETS + 2 * k + 1] = v.looked_bets[p]
        for i in range(RAISES):
            values[O_RAISES + RAISES * k + i] = v.raises[p, i]
        values[O_LOOK + k] = v.look_unit[p] * per_ante
        if v.last_action[p] >= 0:
            values[O_LAST + ACTION_COUNT * k + v.last_action[p]] = 1
        values[O_WON + k] = v.won[p]
        p = p + 1 if p + 1 < v.seats else 0
    values[O_UNIT] = v.unit * per_ante
    values[O_ANTE] = v.rules.ante
    values[O_POT] = pot(v) * per_ante
    values[O_LIVE] = live_seats(v)
    values[O_CIRCLES] = v.circles
    if not v.ended:
        if v.live[seat]:
            put_own(values, v, seat, per_ante)
        put_seat(values, O_TURN, seat, v.turn, v.seats)
    put_seat(values, O_BANKER, seat, v.banker, v.seats)
    put_seat(values, O_OPENER, seat, v.opener, v.seats)
    for k in range(RAISES):
        values[O_SIZES + k] = raise_size(v, k) * per_ante
    values[O_RULES] = v.rules.cap
    values[O_RULES + 1] = v.rules.fee * per_coin
    values[O_RULES + 2] = v.rules.factor
    values[O_RULES + 3] = v.rules.special_distinct
    values[O_A23 + v.rules.a23] = 1
    values[O_HAND] = v.hand
    values[O_HAND + 1] = v.rules.hands - 1 - v.hand
    put_log(values, O_LOG, v, seat, SEATS, ACTION_COUNT)


@kernel
def coins_left(v, seat):
    """A seat's coins without its stake; a hand that has ended has settled that."""
    return v.stack[seat] if v.ended else v.stack[seat] - v.stake[seat] * v.rules.factor


# --- Words -------------------------------------------------------------------------------------


def hand_name(v: np.void, seat: int) -> str:
    """What a seat's cards are called, empty if they are not seen or there are none."""
    if v["cards"][seat][0] < 0:
        return ""
    return "special 2-3-5" if special(v, seat) else HAND_NAMES[kind_of(v, seat)]


def report(s: np.void) -> dict[str, Any]:
    """What was settled at the hand's end, and why."""
    seats = range(int(s["seats"]))
    shown = [p for p in seats if s["shown"][p]]
    opener = int(s["opener"])
    return {
        "reason": ("one seat left", "opened", "cap")[s["reason"]],
        "winners": [p for p in seats if s["won"][p]],
        "opener": opener if opener >= 0 else None,
        "reward": int(s["reward"]),
        "hands": [hand_name(s, p) if p in shown else None for p in seats],
        "cards": [cards_seen(s, p) if p in shown else None for p in seats],
        "stakes": [int(s["stake"][p]) for p in seats],
        "gone": [p for p in seats if s["out"][p] == GONE],
    }


def role(v: np.void, seat: int) -> str:
    """What a seat is in this hand, in a word or two."""
    if v["won"][seat]:
        return "winner"
    if v["out"][seat] >= 0:
        return ("folded", "gone")[v["out"][seat]]
    if v["away"][seat]:
        return "gone"
    return "live" if v["dealt_in"][seat] else "sitting out"


def scene(v: np.void, seat: int | None) -> Scene:
    """What lies on the table, for one seat's eyes; seat None: for all."""
    factor = int(v["rules"]["factor"])
    places, zones = [], []
    for p in range(int(v["seats"])):
        bet = int(v["stake"][p]) * factor
        notes = []
        if v["dealt_in"][p]:
            notes.append("looked" if v["looked"][p] else "blind")
        if v["last_action"][p] >= 0:
            notes.append(ACTIONS.name(v["last_action"][p]))
        if v["banker"] == p:
            notes.append("banker")
        places.append(Place(p, role(v, p), int(coins_left(v, p)), bet=bet, note=", ".join(notes)))
        zones.append(Zone("cards", tuple(cards_seen(v, p)), owner=p, note=hand_name(v, p)))
    facts = [
        f"hand {int(v['hand']) + 1} of {int(v['rules']['hands'])}",
        f"pot {int(v['stake'].sum()) * factor}",
        f"ante {int(v['rules']['ante'])}",
    ]
    if factor > 1:
        facts.append(f"a chip is worth {factor}")
    if v["ended"]:
        facts.append(f"reward {int(v['reward'])} from each")
    else:
        turn = int(v["turn"])
        facts += [
            f"unit {int(v['unit'])}",
            f"price {int(price(v, turn))}",
            f"allowance {int(allowance(v, turn))}",
        ]
    return Scene(
        title="三张牌 sanzhang",
        seat=seat,
        turn=None if v["ended"] else int(v["turn"]),
        over=bool(v["over"]),
        places=tuple(places),
        zones=tuple(zones),
        facts=tuple(facts),
        moves=log_lines(v, ACTIONS),
    )


def max_plies(rules: Mapping[str, Any]) -> int:
    """A seat puts in at least an ante in each turn in which it pays, and cap − 1 antes in all; it
    looks once and folds once."""
    return int((rules["cap"] + 1) * rules["seats"] * rules["hands"])


_CARD = Codec(encode=card_name, decode=parse_card)
_ACTION = Codec(encode=ACTIONS.name, decode=ACTIONS.parse)

GAME = Game(
    name="sanzhang",
    title="三张牌",
    summary="Three cards, bet unseen at the single price or looked at for the double one; rare "
    "hands earn a reward from all seats, and 2-3-5 beats trips.",
    version=VERSION,
    source="rule pages of a Chinese online game hall",
    document=__doc__ or "",
    min_seats=2,
    max_seats=SEATS,
    unit=lambda rules: int(rules["ante"] * rules["factor"]),
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
    restart=restart,
    recall=recall,
    max_plies=max_plies,
    census=census,
    contradiction=contradiction,
    report=report,
    scene=scene,
    move=steps_of_turn,
    wire={
        "deck": _CARD,
        "cards": _CARD,
        "last_action": _ACTION,
        "log_action": _ACTION,
    },
    check=check,
    checked_by=(
        "22,100 hands of three cards by type, and their 741 distinct strengths",
        "450,528 of 407,170,400 ordered deals of two hands are ties",
        "wins, ties and losses of twelve hands, opened against all 18,424 others",
        "calling blind to the cap takes 99 × seats + 1 decisions",
    ),
    limitations=(
        "The source lost the order of the types, and says nothing of the place of A23, of the cap "
        "or of the sizes of the raises; the usual order and options stand in.",
        "The source does not say what a seat must hold to be dealt in; here it is the first call "
        "after a look, and the fee.",
        "The source does not say whether a seat may look when it could not pay the double price; "
        "here it may not, or looking would open all hands for nothing.",
    ),
    history=("0: first version",),
)
