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

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from qipai.envs import options
from qipai.envs.fields import Field, Fields, unlike
from qipai.envs.game import Game
from qipai.envs.kernel import addressable, inlined, kernel
from qipai.envs.layout import HIDDEN, NONE, Actions, Observation, Range, hand_range, put_seat
from qipai.envs.match import ENDED, close_hand
from qipai.envs.options import (
    MAX_COINS,
    MAX_STAKE,
    OptionError,
    Options,
    choice,
    flag,
    integer,
)
from qipai.envs.parts import unseen_hands
from qipai.envs.parts.betting import (
    LOG,
    MOST,
    divide,
    first_winner,
    is_on_record,
    live_seats,
    log,
    log_fields,
    log_lines,
    next_live,
    next_logged,
    players,
    pot,
    put_log,
    random_player,
    winners,
)
from qipai.envs.parts.three_cards import (
    A23,
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
    CAPPED,
    FOLDED,
    HAND,
    LAST_SEAT,
    OPENED,
    cards_seen,
    census,
    clear_dealt,
    collect_cards,
    conceal_hands,
    draw_hands,
    gather,
    hidden_hands,
    steps_of_turn,
    take_cards,
)
from qipai.envs.rng import shuffle
from qipai.envs.scene import Place, Scene, Zone

VERSION = 0

# --- Dimensions ------------------------------------------------------------------------------

SEATS = 6
CARDS = 52
RANKS, SUITS = 13, 4
RAISES = 3  # sizes of raises
GONE = FOLDED + 1  # how a seat went out

# --- Options ---------------------------------------------------------------------------------

RULES = Options(
    options.seats(SEATS, low=2, high=SEATS, clause="R1"),
    options.hands(clause="R4"),
    options.stack(20_000, seats=SEATS, clause="R2"),
    integer("ante", 100, low=1, high=MAX_STAKE, meaning="底分 a, in chips", clause="R3"),
    integer(
        "low",
        100,
        low=1,
        high=MAX_STAKE,
        meaning="chips that raise_low adds to the unit",
        clause="R10",
    ),
    integer(
        "mid",
        200,
        low=1,
        high=MAX_STAKE,
        meaning="chips that raise_mid adds to the unit",
        clause="R10",
    ),
    integer(
        "high",
        500,
        low=1,
        high=MAX_STAKE,
        meaning="chips that raise_high adds to the unit",
        clause="R10",
    ),
    integer(
        "cap",
        101,
        low=11,
        high=1001,
        meaning="封顶: most antes a seat may put in",
        clause="R7, R14",
    ),
    integer(
        "fee",
        100,
        low=0,
        high=MAX_COINS,
        meaning="coins that every seat pays the house for a hand",
        clause="R22",
    ),
    integer(
        "factor", 1, low=1, high=MAX_STAKE, meaning="房间系数: coins a chip is worth", clause="R23"
    ),
    choice("a23", A23.LOWEST, meaning="place of ace, 2, 3 among the runs", clause="R16"),
    flag("special_distinct", True, meaning="a special 2-3-5 needs three suits", clause="R18"),
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
    *unseen_hands.fields(SEATS),
    Field.flag("live", "neither folded nor gone", SEATS),
    Field.choice("out", ("folded", "gone"), "how it went out", SEATS, empty=True),
    Field.flag("looked", "has looked at its cards", SEATS),
    Field.flag("shown", "everybody sees the cards", SEATS),
    Field.coins("unit", "u, in chips"),
    Field.coins("limit", "chips a seat may put in in this hand (R7)", SEATS),
    Field.coins("stake", "chips put in, ante included", SEATS),
    Field.number("blind_bets", MOST, "how often it paid without having looked", SEATS),
    Field.number("looked_bets", MOST, "how often it paid after a look", SEATS),
    Field.number("raises", MOST, "raises made, by size", (SEATS, RAISES)),
    Field.coins("look_unit", "u when it looked; 0: has not", SEATS),
    Field.action("last_action", ACTIONS, "but for looks", SEATS),
    Field.seat("last_actor", "who acted last; none: nobody yet", empty=True),
    Field.number("circles", MOST, "how often the turn has passed the banker"),
    Field.choice("reason", ("last seat", "opened", "capped"), "what ended the hand", empty=True),
    Field.seat("opener", "R13, R14; none: there is none", empty=True),
    Field.number("won", 1, "wins the pot, or a part of it", SEATS),
    Field.seat(
        "winner",
        "of several the first after the banker; none until this hand ends",
        empty=True,
        kept=True,
    ),
    Field.coins("reward", "coins that each other seat owed the winners (R21)"),
    *log_fields(ACTIONS),
)
STATE = FIELDS.dtype


def contradiction(s: np.void) -> str | None:
    """What can't be on a table or in a view: ``Game.contradiction``."""
    return next(_faults(addressable(np.array([s], STATE))[0]), None)


def _faults(s: np.void) -> Iterator[str]:
    yield from unseen_hands.hand_faults(s)
    start, seats = unseen_hands.before_hand(s), range(s["seats"])
    dealt_in = [int(seat in seats and can_play(start, seat)) for seat in range(SEATS)]
    yield from unlike(s, "dealt_in", dealt_in, "1 for a seat that can play, R2")
    limits = [int(limit_of(start, seat)) if dealt_in[seat] else 0 for seat in range(SEATS)]
    yield from unlike(s, "limit", limits, "by cap and stack, R7")
    yield from unseen_hands.bet_faults(s, s["looked"], int(s["rules"]["ante"]), s["limit"], OPEN)
    sizes = [raise_size(s, k) for k in range(RAISES)]
    unit = s["rules"]["ante"] + s["raises"].sum(axis=0) @ sizes
    yield from unlike(s, "unit", unit, "the ante and all raises")
    if s["reason"] > LAST_SEAT:
        choose_winners(start)
    yield from unseen_hands.end_faults(s, start["won"], s["reward"] > 0)
    # A winner whose hand was not shown has earned no reward.
    earned = s["ended"] and s["cards"][s["winner"], 0] != HIDDEN
    yield from unlike(s, "reward", reward_of(s) if earned else 0, "by the winner's cards, R21")
    if s["ended"]:
        pay_out(start)
    yield from unseen_hands.coin_faults(s, start, sum(can_play(s, seat) for seat in seats))


# --- Ranking (R15–R18) -------------------------------------------------------------------------


@kernel
def strength(s, seat):
    """The place of a seat's hand among all 741 strengths (R15–R17)."""
    a, b, c = np.int64(s.cards[seat, 0]), np.int64(s.cards[seat, 1]), np.int64(s.cards[seat, 2])
    return strength_of(a, b, c, s.rules.a23)


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
def limit_of(s, seat):  # R7
    return min(s.rules.cap * s.rules.ante, s.stack[seat] // s.rules.factor)


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
    s.winner = NONE
    for k in range(s.seats):
        seat = (s.banker + k) % s.seats
        if can_play(s, seat):
            s.dealt_in[seat] = 1
            s.live[seat] = 1
            s.limit[seat] = limit_of(s, seat)
            s.stake[seat] = s.rules.ante  # R3
            take_cards(s, seat, s.dealt)
            s.dealt += HAND
    s.turn = next_live(s, s.banker)  # R6


@kernel
def restart(s, later):
    s.banker = later.banker
    gather(s, later)
    deal_from_deck(s)
    return is_on_record(later)


@kernel
def recall(s, later):
    """What the seat to act did next in this hand, which went on to the table ``later``."""
    seat = s.turn
    if later.looked[seat] and not s.looked[seat] and s.blind_bets[seat] == later.blind_bets[seat]:
        return LOOK
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
    seat = s.turn
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
    seat = s.turn
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
    seat = s.turn
    following = next_live(s, seat)
    if (following - s.banker - 1) % s.seats <= (seat - s.banker - 1) % s.seats:
        s.circles += 1
    if price(s, following) <= allowance(s, following):
        s.turn = following
    elif s.last_actor >= 0 and s.live[s.last_actor]:
        open_hands(s, s.last_actor, CAPPED)
    else:
        open_hands(s, NONE, CAPPED)


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
    """All live hands are shown, and the best wins (R19)."""
    s.reason = reason
    s.opener = opener
    for seat in range(s.seats):
        s.shown[seat] = s.live[seat]
    choose_winners(s)
    settle(s)


@kernel
def choose_winners(s):
    """Of the hands opened the best win, of equal ones not the opener's (R18–R20)."""
    best, any_special = -1, False
    for seat in range(s.seats):
        if s.live[seat]:
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
    if count > 1 and s.opener >= 0:
        s.won[s.opener] = 0


@kernel
def reward_of(s):
    """Coins that each other seat owes the winners (R21)."""
    kind = kind_of(s, s.winner)
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
    pay_out(s)
    close_hand(s)
    if players(s, can_play) < 2:  # R2
        s.over = ENDED


@kernel
def pay_out(s):
    """The coins of pot, reward and fee."""
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


# --- What a seat sees --------------------------------------------------------------------------


@kernel
def sees(s, seat, other):
    return s.shown[other] == 1 or (seat == other and s.looked[seat] == 1)


@kernel
def conceal(s, seat):
    conceal_hands(s, seat, sees)


MOST_DRAWS = 1000  # of which hardly one in a hundred would have earned the winner a reward


@kernel
def redeal(s, seat):
    hidden = hidden_hands(s)
    start = collect_cards(s, hidden)
    for _ in range(MOST_DRAWS):
        draw_hands(s, hidden, start)
        # A winner whose hand was not shown has earned no reward.
        if not s.ended or reward_of(s) == s.reward:
            break
    clear_dealt(s, start)


CARD = RANKS + SUITS  # entries for one card
KINDS = len(HAND_NAMES)
WHOLE_DECK = 1.0 / HANDS

OBSERVATION = Observation(
    Range(
        "cards",
        (SEATS, HAND, CARD),
        "cards, highest first: rank 2 … A, suit ♦ ♣ ♥ ♠",
        "a seat that has looked; all, once shown",
    ),
    Range("kind", (SEATS, KINDS), "kind of hand: " + ", ".join(HAND_NAMES), "as cards"),
    Range("worse", SEATS, "share of all hands that are worse", "as cards"),
    Range("status", (SEATS, 5), "dealt in, live, folded, gone, has looked"),
    Range("stacks", SEATS, "coins left, in antes"),
    Range("stakes", SEATS, "put in in this hand, in antes"),
    Range("allowances", SEATS, "what it may still put in, in antes"),
    Range("bets", (SEATS, 2), "bets made without having looked, and with"),
    Range("raises", (SEATS, RAISES), "raises made: low, mid, high"),
    Range("look_unit", SEATS, "the unit when it looked, in antes"),
    Range("last_action", (SEATS, ACTION_COUNT), "last action of each seat"),
    Range("unit", 1, "u, in antes"),
    Range("ante", 1, "chips of the ante"),
    Range("pot", 1, "all stakes, in antes"),
    Range("price", 1, "what a call costs the own seat, in antes"),
    Range(
        "raised_prices", RAISES, "what raise_low, raise_mid, raise_high cost the own seat, in antes"
    ),
    Range("live_seats", 1, "number of live seats"),
    Range("circles", 1, "how often the turn has passed the banker"),
    Range("may_open", 1, "whether the own seat could open in its turn (R13)"),
    Range("lowest_allowance", 1, "the lowest allowance of the other live seats, in antes"),
    Range("turn", SEATS, "seat to act"),
    Range("banker", SEATS, "the banker"),
    Range("opener", SEATS, "the opener, at the end of a hand"),
    Range("won", SEATS, "the winners, at the end of a hand"),
    Range("sizes", RAISES, "what raises add to the unit, in antes"),
    Range("options", 4, "cap, fee in antes, factor, special_distinct"),
    Range("a23", len(A23), "place of A23: " + ", ".join(a.name.lower() for a in A23)),
    hand_range(),
    Range("log", (LOG, SEATS + ACTION_COUNT), "last betting actions, newest first: seat, action"),
)


@inlined
def put_hand(o, known, k, v, p):
    """The cards of seat p, k places after the own one, and what they are worth."""
    if v.cards[p, 0] >= 0:
        for i in range(HAND):
            card = v.cards[p, i]
            o.cards[k, i, card // SUITS] = 1
            o.cards[k, i, RANKS + card % SUITS] = 1
        worth = strength(v, p)
        o.kind[k, KIND[v.rules.a23, worth]] = 1
        o.worse[k] = WORSE[v.rules.a23, worth] * WHOLE_DECK
    elif v.cards[p, 0] == HIDDEN:
        known.cards[k, :, :] = 0
        known.kind[k, :] = 0
        known.worse[k] = 0


@inlined
def put_own(o, v, seat, per_ante):
    """What the own seat may do, and what it costs."""
    o.price = price(v, seat) * per_ante
    for k in range(RAISES):
        o.raised_prices[k] = raised_price(v, seat, k) * per_ante
    o.may_open = may_open(v, seat)
    lowest = MAX_COINS
    for other in range(v.seats):
        if v.live[other] and other != seat:
            lowest = min(lowest, allowance(v, other))
    o.lowest_allowance = lowest * per_ante


@kernel
def observe(v, seat, o, known):
    per_ante = 1.0 / v.rules.ante
    per_coin = per_ante / v.rules.factor
    p = seat
    for k in range(v.seats):
        put_hand(o, known, k, v, p)
        o.status[k, 0] = v.dealt_in[p]
        o.status[k, 1] = v.live[p]
        if v.out[p] >= 0:
            o.status[k, 2 + v.out[p]] = 1
        o.status[k, 4] = v.looked[p]
        o.stacks[k] = coins_left(v, p) * per_coin
        o.stakes[k] = v.stake[p] * per_ante
        if v.live[p]:
            o.allowances[k] = allowance(v, p) * per_ante
        o.bets[k, 0] = v.blind_bets[p]
        o.bets[k, 1] = v.looked_bets[p]
        for i in range(RAISES):
            o.raises[k, i] = v.raises[p, i]
        o.look_unit[k] = v.look_unit[p] * per_ante
        if v.last_action[p] >= 0:
            o.last_action[k, v.last_action[p]] = 1
        o.won[k] = v.won[p]
        p = p + 1 if p + 1 < v.seats else 0
    o.unit = v.unit * per_ante
    o.ante = v.rules.ante
    o.pot = pot(v) * per_ante
    o.live_seats = live_seats(v)
    o.circles = v.circles
    if not v.ended:
        if v.live[seat]:
            put_own(o, v, seat, per_ante)
        put_seat(o.turn, seat, v.turn, v.seats)
    put_seat(o.banker, seat, v.banker, v.seats)
    put_seat(o.opener, seat, v.opener, v.seats)
    for k in range(RAISES):
        o.sizes[k] = raise_size(v, k) * per_ante
    o.options[0] = v.rules.cap
    o.options[1] = v.rules.fee * per_coin
    o.options[2] = v.rules.factor
    o.options[3] = v.rules.special_distinct
    o.a23[v.rules.a23] = 1
    put_log(o.log, v, seat, SEATS)


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
        "winners": winners(s),
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


def show(v: np.void, seat: int | None) -> Scene:
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
        places=tuple(places),
        zones=tuple(zones),
        facts=tuple(facts),
        moves=log_lines(v, ACTIONS),
    )


def max_plies(rules: Mapping[str, Any]) -> int:
    """A seat puts in at least an ante in each turn in which it pays, and cap − 1 antes in all; it
    looks once and folds once."""
    return int((rules["cap"] + 1) * rules["seats"] * rules["hands"])


GAME = Game(
    name="sanzhang",
    title="三张牌",
    english="sanzhang",
    summary="Three cards, bet unseen at the single price or looked at for the double one; rare "
    "hands earn a reward from all seats, and 2-3-5 beats trips.",
    version=VERSION,
    source="rule pages of a Chinese online game hall",
    document=__doc__ or "",
    unit=lambda s: s["rules"]["ante"] * s["rules"]["factor"],
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
    laid=("deck", deal_from_deck),
    restart=restart,
    recall=recall,
    max_plies=max_plies,
    census=census,
    contradiction=contradiction,
    report=report,
    show=show,
    move=steps_of_turn,
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
