"""Tuolaji (拖拉机): three cards, bet unseen at the single price or looked at for the double one.

R1 A deck of 52 cards, shuffled afresh each hand; 2–5 seats.
R2 Dealt in are the seats that have not left and hold at least cap × floor coins; if fewer than two
   do, the match is over. The others sit out, and owe nothing.
R3 The ante (底注) b is the largest of 10, 100, 1,000, 10,000 and 100,000, at least the floor, with
   cap × b at most the smallest stack dealt in; without ``ante_float`` it is the floor. Every seat
   dealt in puts b into the pot.
R4 The banker (庄家) is a random seat in the first hand, later the last winner (of several the first
   after the old banker; if it is not dealt in: random). All it does is to deal first.
R5 Three cards at once, face down, banker first, from the start of the deck. Nobody ever sees the
   rest.
R6 Live is who is dealt in and has not folded, been beaten or left. The first live seat after the
   banker acts first, then the next live one, until R13, R14 or R15 ends the hand.
R7 The unit u starts at b. The price is u for a seat that has not looked (暗注) and 2u for one that
   has (明注). A seat's stake is all it has put in, with the ante, its allowance cap × b − stake; no
   payment exceeds it.
R8 look (看牌): once, in turn, free and public; the seat sees its cards and still has to act.
   Refused while 2u is above its allowance.
R9 call (跟注): pay the price; for the first actor this is the opening bet.
R10 raise_to_k (加注): u becomes k × b, more than before and k at most half the turn limit, and the
   new price is paid; refused above the allowance.
R11 fold (放弃): out of the hand, at any time in turn; the stake stays in the pot.
R12 compare_k (比牌) with the live seat k places on: once every live seat has bet, and with three of
   them live (two are enough under ``compare_heads_up``). The one who began pays its price; the
   worse hand is out, the one who began if equal. These two see each other's cards, all others who
   beat whom. A seat that has not looked stays so.
R13 open (开牌) with two live seats: pay twice the price, up to the allowance. Both hands are shown;
   if equal, who opened loses.
R14 Cap (封顶): all live hands are opened when a seat still live has just paid and its stake is cap
   × b, or when the turn comes to a seat whose allowance is below its price. The opener is then who
   acted last (a look or a leave is no act), if still live.
R15 The last live seat wins; no hand is shown but for R21.
R16 The best opened hand wins the pot. Of several equal ones the opener is dropped; the others
   share, coins left over one by one from the seat after the banker on.
R17 Trips 豹子 > straight flush 顺金 > flush 金花 > run 顺子 > pair 对子 > high card 单张; no suits.
R18 A run is three consecutive ranks, queen, king, ace the highest; ace, 2, 3 is none.
R19 Within a type: trips and runs by rank, pairs by the pair, then the third card, all else by the
   highest, second, third rank.
R20 Special: 2-3-5 of three suits (without ``special_distinct``: not all of one suit) beats three
   aces, and else is the high card it looks like. Among several hands: if three aces are best, the
   live special ones win instead.
R21 Bounty (喜钱): for a winner's straight flush 1 b, trips 2 b, three aces 5 b from every other
   seat dealt in, out or not, at most what it has left. It is paid without an opening too, and the
   hand shown then. Several winners share what each other seat pays once.
R22 A special hand that wins the pot and in this hand beat three aces collects 5 b likewise, alone
   where others share the pot that beat none; those neither collect nor owe.
R23 The winner takes the whole pot; there is no rake.
R24 Leaving (逃跑): fold at once, in turn or not. No answer: fold. Nothing but the stake and a
   bounty is lost.
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
from qipai.envs.options import MAX_COINS, OptionError, Options, flag, integer
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
from qipai.envs.parts.cards import BIT
from qipai.envs.parts.shares import share
from qipai.envs.parts.three_cards import (
    A23,
    HAND_NAMES,
    HANDS,
    KIND,
    STRAIGHT_FLUSH,
    STRONGEST,
    TRIPS,
    WORSE,
    hands_by_strength,
    is_235,
    strength_of,
)
from qipai.envs.parts.unseen_hands import (
    CAPPED,
    FOLDED,
    HAND,
    LAST_SEAT,
    OPENED,
    cards_of,
    cards_seen,
    census,
    clear_dealt,
    collect_cards,
    conceal_hands,
    draw_hands,
    gather,
    hidden_hands,
    hide_hand,
    hold,
    steps_of_turn,
    take_cards,
)
from qipai.envs.rng import below, shuffle
from qipai.envs.scene import Place, Scene, Zone

VERSION = 1

# --- Dimensions ------------------------------------------------------------------------------

SEATS = 5
CARDS = 52
RANKS, SUITS = 13, 4
ANTES = np.array([10, 100, 1_000, 10_000, 100_000])  # R3
LOWEST_RAISE, HIGHEST_RAISE = 2, 5  # R10: k of raise_to_k
BEATEN, GONE = FOLDED + 1, FOLDED + 2  # how a seat went out

# --- Options ---------------------------------------------------------------------------------

RULES = Options(
    options.seats(SEATS, low=2, high=SEATS, clause="R1"),
    options.hands(clause="R4"),
    options.stack(5000, seats=SEATS, clause="R2"),
    integer(
        "floor",
        10,
        low=10,
        high=100_000,
        meaning="lowest ante: 10, 100, 1000, 10000 or 100000",
        clause="R2, R3",
    ),
    flag("ante_float", True, meaning="the ante follows the poorest stack", clause="R3"),
    integer(
        "cap",
        101,
        low=11,
        high=1001,
        meaning="封顶: most antes a seat may put in",
        clause="R7, R14",
    ),
    integer(
        "turn_limit",
        10,
        low=2,
        high=10,
        meaning="most antes a seat may bet in a turn",
        clause="R10",
    ),
    flag("special_distinct", True, meaning="a special 2-3-5 needs three suits", clause="R20"),
    flag("compare_heads_up", False, meaning="two live seats may compare, too", clause="R12"),
    presets={
        "free": {"floor": 10, "stack": 5_000},  # 自由场
        "expert": {"floor": 100, "stack": 50_000},  # 高手场
    },
)


def check(rules: Mapping[str, Any]) -> None:
    """OptionError for a floor that is no ante (R3), or if fewer than two seats can play (R2)."""
    if rules["floor"] not in ANTES:
        allowed = ", ".join(str(ante) for ante in ANTES)
        raise OptionError(f"tuolaji: floor={rules['floor']} is not allowed; allowed: {allowed}")
    need = rules["cap"] * rules["floor"]
    if sum(stack >= need for stack in rules["stack"]) < 2:
        raise OptionError(
            f"tuolaji: stack={list(rules['stack'])!r} with cap={rules['cap']} and "
            f"floor={rules['floor']} lets fewer than two seats play; allowed: at least two stacks "
            f"of cap × floor ({need}) or more"
        )


# --- Actions (R8–R13) --------------------------------------------------------------------------

ACTIONS = Actions()
FOLD = ACTIONS.add("fold", ["fold"], "always")
CALL = ACTIONS.add("call", ["call"], "always")
RAISE = ACTIONS.add(
    "raise",
    [f"raise_to_{k}" for k in range(LOWEST_RAISE, HIGHEST_RAISE + 1)],
    "k antes are more than the unit, within the turn limit and the allowance (R10)",
)
LOOK = ACTIONS.add("look", ["look"], "not looked yet, and the double price within the allowance")
OPEN = ACTIONS.add("open", ["open"], "two live seats, and twice the price within the allowance")
COMPARE = ACTIONS.add(
    "compare",
    [f"compare_{k}" for k in range(1, SEATS)],
    "the seat k places on is live, three seats are, and all of them have bet (R12)",
)
ACTION_COUNT = ACTIONS.width

# --- State -----------------------------------------------------------------------------------

FIELDS = Fields(
    RULES,
    SEATS,
    *unseen_hands.fields(SEATS),
    Field.flag("live", "neither folded, beaten nor gone", SEATS),
    Field.choice("out", ("folded", "beaten", "gone"), "how it went out", SEATS, empty=True),
    Field.flag("seen", "seat i saw j's cards: by a compare, its own by a look", (SEATS, SEATS)),
    Field.flag("shown", "everybody sees the cards", SEATS),
    Field.seat("beaten_by", "in a compare; none: not beaten", SEATS, empty=True),
    Field.seat("beaten_in", "who began that compare", SEATS, empty=True),
    Field.number("ante", int(ANTES[-1]), "b of this hand", low=int(ANTES[0]), start=0),
    Field.coins("unit", "u: what a call costs a seat that has not looked"),
    Field.coins("stake", "put in in this hand, ante included", SEATS),
    Field.number("blind_bets", MOST, "how often it paid without having looked", SEATS),
    Field.number("looked_bets", MOST, "how often it paid after a look", SEATS),
    Field.number("raises", MOST, "raises made", SEATS),
    Field.coins("look_unit", "u when it looked; 0: has not", SEATS),
    Field.action("last_action", ACTIONS, "but for looks", SEATS),
    Field.seat("last_actor", "who acted last; none: nobody yet", empty=True),
    Field.number("circles", MOST, "how often the turn has passed the banker"),
    Field.choice("reason", ("last seat", "opened", "capped"), "what ended the hand", empty=True),
    Field.seat("opener", "R14; none: there is none", empty=True),
    Field.number("won", 1, "wins the pot, or a part of it", SEATS),
    Field.seat(
        "winner",
        "of several the first after the banker; none until this hand ends",
        empty=True,
        kept=True,
    ),
    Field.coins("bounty", "antes that each other seat owes a winner (R21, R22)", SEATS),
    *log_fields(ACTIONS),
)
STATE = FIELDS.dtype


def contradiction(s: np.void) -> str | None:
    """What can't be on a table or in a view: ``Game.contradiction``."""
    return next(_faults(addressable(np.array([s], STATE))[0]), None)


def _faults(s: np.void) -> Iterator[str]:
    yield from unseen_hands.hand_faults(s)
    start, ante = unseen_hands.before_hand(s), int(s["ante"])
    dealt_in = [int(seat < s["seats"] and can_play(start, seat)) for seat in range(SEATS)]
    yield from unlike(s, "dealt_in", dealt_in, "1 for a seat that can play, R2")
    yield from unlike(s, "ante", ante_of(start), "by floor and stacks, R3")
    limits = np.full(SEATS, s["rules"]["cap"] * ante)
    yield from unseen_hands.bet_faults(s, s["seen"].diagonal(), ante, limits, OPEN)
    antes, raises = s["unit"] // ante, s["raises"].sum()
    highest = max(1, min(HIGHEST_RAISE, s["rules"]["turn_limit"] // 2))
    if s["unit"] % ante or not 1 <= antes <= highest:
        yield f"unit is {s['unit']}: expected 1…{highest} antes of {ante}"
    if not min(1, antes - 1) <= raises <= antes - 1:
        yield f"raises come to {raises}, and unit to {antes} antes"
    yield from _compare_faults(s)
    if s["reason"] > LAST_SEAT:
        choose_winners(start)
    yield from unseen_hands.end_faults(s, start["won"], s["bounty"].any())
    yield from unlike(s, "bounty", _bounties(s), "by the winner's cards")
    if s["ended"]:
        pay_out(start)
    yield from unseen_hands.coin_faults(
        s, start, sum(can_play(s, seat) for seat in range(s["seats"]))
    )


def _compare_faults(s: np.void) -> Iterator[str]:
    met = np.diag(s["seen"].diagonal()).copy()
    for seat in range(SEATS):
        winner, began = int(s["beaten_by"][seat]), int(s["beaten_in"][seat])
        if s["out"][seat] != BEATEN:
            if winner != NONE or began != NONE:
                yield f"beaten_by[{seat}] is {winner}, but out says that the seat is not beaten"
            continue
        if winner in (NONE, seat) or not s["dealt_in"][winner]:
            yield f"beaten_by[{seat}] is {winner}: expected another seat that is dealt in"
        if began not in (seat, winner):
            yield f"beaten_in[{seat}] is {began}: expected {seat} or {winner}"
        last = seat
        for _ in range(SEATS):
            last = s["beaten_by"][last] if last >= 0 else last
        if last >= 0:
            yield f"beaten_by[{seat}] is {winner}: seats have beaten each other in a circle"
        known = min(s["cards"][seat, 0], s["cards"][winner, 0]) >= 0
        if known and not comes_out(s, seat):
            yield f"beaten_by[{seat}] is {winner}, whose hand did not win that compare"
        met[seat, winner] = met[winner, seat] = 1
    yield from unlike(s, "seen", met, "1 for a look, or a compare of two seats")


def _bounties(s: np.void) -> np.ndarray:
    """What each seat earns by its cards; as it stands if that is up to cards not seen."""
    unseen = s["cards"][:, 0] == HIDDEN
    bounties = np.zeros(SEATS, np.int64)
    for seat in np.flatnonzero(s["won"] & ~unseen):
        if special(s, seat) and (unseen & (s["beaten_by"] == seat)).any():
            bounties[seat] = 5 * (s["bounty"][seat] > 0)
        else:
            bounties[seat] = bounty_of(s, seat)
    return bounties


# --- Ranking (R17–R20) -------------------------------------------------------------------------


@kernel
def strength(s, seat):
    """The place of a seat's hand among all 741 strengths (R17–R19)."""
    a, b, c = np.int64(s.cards[seat, 0]), np.int64(s.cards[seat, 1]), np.int64(s.cards[seat, 2])
    return strength_of(a, b, c, A23.NONE)


@kernel
def special(s, seat):  # R20
    a, b, c = np.int64(s.cards[seat, 0]), np.int64(s.cards[seat, 1]), np.int64(s.cards[seat, 2])
    return is_235(a, b, c, s.rules.special_distinct)


@kernel
def beats(s, seat, other):
    """Whether a seat's hand is the better one of two (R17–R20)."""
    own, others = strength(s, seat), strength(s, other)
    if others == STRONGEST and special(s, seat):
        return True
    if own == STRONGEST and special(s, other):
        return False
    return own > others


# --- Deal (R1–R6) ------------------------------------------------------------------------------


@kernel
def can_play(s, seat):  # R2
    return not s.away[seat] and s.stack[seat] >= s.rules.cap * s.rules.floor


@kernel
def ante_of(s):  # R3
    poorest = MAX_COINS
    for seat in range(s.seats):
        if can_play(s, seat):
            poorest = min(poorest, s.stack[seat])
    ante = s.rules.floor
    if s.rules.ante_float:
        for higher in ANTES:
            if higher > ante and s.rules.cap * higher <= poorest:
                ante = higher
    return ante


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
    s.ante = ante_of(s)
    s.unit = s.ante
    s.winner = NONE
    for k in range(s.seats):
        seat = (s.banker + k) % s.seats
        if can_play(s, seat):
            s.dealt_in[seat] = 1
            s.live[seat] = 1
            s.stake[seat] = s.ante  # R3
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
    if later.seen[seat, seat] > s.seen[seat, seat] and s.blind_bets[seat] == later.blind_bets[seat]:
        return LOOK
    return next_logged(s, later)


# --- Betting (R7–R15) --------------------------------------------------------------------------


@kernel
def price(s, seat):  # R7
    return s.unit + s.unit * s.seen[seat, seat]


@kernel
def allowance(s, seat):  # R7
    return s.rules.cap * s.ante - s.stake[seat]


@kernel
def may_compare(s):
    """Whether the seat to act may compare with any live seat (R12)."""
    for seat in range(s.seats):
        if s.live[seat] and s.blind_bets[seat] + s.looked_bets[seat] == 0:
            return False
    return live_seats(s) >= (2 if s.rules.compare_heads_up else 3)


@kernel
def legal(s, mask):
    seat = s.turn
    left = allowance(s, seat)
    factor = 1 + s.seen[seat, seat]  # price in units
    mask[FOLD] = 1
    mask[CALL] = 1
    for k in range(LOWEST_RAISE, HIGHEST_RAISE + 1):  # R10
        if k * s.ante > s.unit and 2 * k <= s.rules.turn_limit and factor * k * s.ante <= left:
            mask[RAISE + k - LOWEST_RAISE] = 1
    mask[LOOK] = factor == 1 and 2 * s.unit <= left  # R8
    mask[OPEN] = live_seats(s) == 2 and 2 * price(s, seat) <= left  # R13
    if may_compare(s):
        for k in range(1, s.seats):
            mask[COMPARE + k - 1] = s.live[(seat + k) % s.seats]


@kernel
def act(s, seat, action):
    s.last_action[seat] = action
    s.last_actor = seat
    log(s, seat, action)


@kernel
def pay(s, seat, coins):
    s.stake[seat] += coins
    if s.seen[seat, seat]:
        s.looked_bets[seat] += 1
    else:
        s.blind_bets[seat] += 1


@kernel
def go_out(s, seat, how):
    s.live[seat] = 0
    s.out[seat] = how


@kernel
def compare(s, seat, other):  # R12
    s.seen[seat, other] = 1
    s.seen[other, seat] = 1
    better, worse = other, seat
    if beats(s, seat, other):
        better, worse = seat, other
    s.beaten_by[worse] = better
    s.beaten_in[worse] = seat
    go_out(s, worse, BEATEN)


@kernel
def apply(s, action):
    seat = s.turn
    if action == LOOK:
        s.seen[seat, seat] = 1
        s.look_unit[seat] = s.unit
        return
    act(s, seat, action)
    if action == FOLD:
        go_out(s, seat, FOLDED)
    elif action == OPEN:
        pay(s, seat, 2 * price(s, seat))
        open_hands(s, seat, OPENED)
        return
    else:
        if RAISE <= action <= RAISE + HIGHEST_RAISE - LOWEST_RAISE:
            s.unit = (action - RAISE + LOWEST_RAISE) * s.ante
            s.raises[seat] += 1
        pay(s, seat, price(s, seat))
        if action >= COMPARE:
            compare(s, seat, (seat + action - COMPARE + 1) % s.seats)
    if live_seats(s) == 1:
        win_unopposed(s)
    elif s.live[seat] and allowance(s, seat) == 0:  # R14
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
        if live_seats(s) == 1:
            win_unopposed(s)
        elif seat == s.turn:
            pass_turn(s)


# --- Settlement (R15–R23) ----------------------------------------------------------------------


@kernel
def win_unopposed(s):  # R15
    for seat in range(s.seats):
        s.won[seat] = s.live[seat]
    s.reason = LAST_SEAT
    settle(s)


@kernel
def open_hands(s, opener, reason):
    """All live hands are shown, and the best wins (R16)."""
    s.reason = reason
    s.opener = opener
    for seat in range(s.seats):
        s.shown[seat] = s.live[seat]
    choose_winners(s)
    settle(s)


@kernel
def choose_winners(s):
    """Of the hands opened the best win, of equal ones not the opener's (R16, R20)."""
    best, any_special = -1, False
    for seat in range(s.seats):
        if s.live[seat]:
            best = max(best, strength(s, seat))
            any_special |= special(s, seat)
    count = 0
    for seat in range(s.seats):
        if s.live[seat]:
            if best == STRONGEST and any_special:  # R20
                s.won[seat] = special(s, seat)
            else:
                s.won[seat] = strength(s, seat) == best
            count += s.won[seat]
    if count > 1 and s.opener >= 0:
        s.won[s.opener] = 0


@kernel
def beat_three_aces(s, seat):
    """Whether a seat has beaten three aces, in a compare or beside it (R22)."""
    for other in range(s.seats):
        beaten = s.beaten_by[other] == seat or (s.shown[other] and s.live[other])
        if beaten and strength(s, other) == STRONGEST:
            return True
    return False


@kernel
def bounty_of(s, seat):
    """What others owe a winner, in antes."""
    if special(s, seat):  # R22
        return 5 if beat_three_aces(s, seat) else 0
    worth = strength(s, seat)  # R21
    if worth == STRONGEST:
        return 5
    kind = KIND[A23.NONE, worth]
    return 2 if kind == TRIPS else 1 if kind == STRAIGHT_FLUSH else 0


@kernel
def settle(s):
    """The hand goes to those who ``won``."""
    s.winner = first_winner(s)
    for seat in range(s.seats):
        if s.won[seat]:
            s.bounty[seat] = bounty_of(s, seat)
            s.shown[seat] |= s.bounty[seat] > 0
    pay_out(s)
    close_hand(s)
    if players(s, can_play) < 2:  # R2
        s.over = ENDED


@kernel
def pay_out(s):
    """The coins of pot and bounty."""
    bounty = 0  # those who earn one at all earn the same
    for seat in range(s.seats):
        bounty = max(bounty, s.bounty[seat])
    collected = 0
    for seat in range(s.seats):
        s.coins[seat] = -s.stake[seat]
        if s.dealt_in[seat] and not s.won[seat]:
            due = min(bounty * s.ante, s.stack[seat] - s.stake[seat])
            s.coins[seat] -= due
            collected += due
    divide(s, pot(s))  # R16
    share(collected, s.bounty, s.coins, s.seats, (s.banker + 1) % s.seats)  # R21


# --- What a seat sees --------------------------------------------------------------------------


@kernel
def sees(s, seat, other):
    """Whether a seat has been shown another's cards, or has looked at its own."""
    return s.shown[other] or s.seen[seat, other]


@kernel
def conceal(s, seat):
    conceal_hands(s, seat, sees)


# Redealing. Hands that met in a compare, or won without being shown, are drawn together until all
# comes out as it did; other cards are just shuffled. Each of those hands is drawn from a set that
# holds all it can be and little else, or the draws might go on for ever: a hand that beat three
# kings, and one that beat that one, are drawn from a handful. The sets need not be exact for the
# result to be.

_HANDS, _ = hands_by_strength(A23.NONE)
LOWEST_HANDS = WORSE[A23.NONE, 1]  # as strong as 2-3-5
MOST_DRAWS = 10_000_000  # a thousand are rare in play


@kernel
def met(s, seat):
    """Whether a hand's cards have decided anything that is known."""
    known = s.beaten_by[seat] >= 0 or (s.ended and s.won[seat] == 1)
    for other in range(s.seats):
        known |= s.beaten_by[other] == seat
    return known


@kernel
def compares_up_to(s, seat, winner, hidden):
    """How many compares lead from a seat up to ``winner``, past hidden hands; 0: none do."""
    steps = 0
    while s.beaten_by[seat] >= 0:
        seat = np.int64(s.beaten_by[seat])
        steps += 1
        if seat == winner:
            return steps
        if not hidden & BIT[seat]:
            return 0
    return 0


@kernel
def draw_hand(s, seat, hidden):
    """Draw a hand that a seat may hold by what is not ``hidden``, into ``cards``; whether there is
    one.

    One better than a known hand is as strong at least, or a special one; one step more, and it may
    be special in place of three aces; two more, and it may have beaten such a special one, that is,
    be anything. Downwards it is the same with three aces.
    """
    low, or_special = 0, True
    high, or_aces = STRONGEST, True
    for other in range(s.seats):
        if s.dealt_in[other] and not hidden & BIT[other]:
            up = compares_up_to(s, other, seat, hidden)
            known = strength(s, other) if 0 < up < 3 else 0
            if up == 1 and known == STRONGEST:
                low = known + 1
            elif up == 1:
                low, or_special = max(low, known), or_special and known == 0
            elif up == 2 and known < STRONGEST:
                low = max(low, known)
            down = compares_up_to(s, seat, other, hidden)
            is_special = down > 0 and special(s, other)
            if down == 1:
                high, or_aces = strength(s, other), is_special
            elif down == 2 and not is_special:
                high = strength(s, other)
    lowest = LOWEST_HANDS if low > 0 and or_special else 0
    aces = HANDS - WORSE[A23.NONE, STRONGEST] if high < STRONGEST and or_aces else 0
    between = max(WORSE[A23.NONE, high + 1] - WORSE[A23.NONE, min(low, STRONGEST + 1)], 0)
    if lowest + between + aces == 0:
        return False
    place = below(s.rng, lowest + between + aces)
    if place >= lowest + between:
        place += HANDS - aces - lowest - between
    elif place >= lowest:
        place += WORSE[A23.NONE, low] - lowest
    hold(s, seat, _HANDS[place, 0], _HANDS[place, 1], _HANDS[place, 2])
    return True


@kernel
def comes_out(s, seat):
    """Whether a seat loses the compare it lost."""
    winner = np.int64(s.beaten_by[seat])
    if s.beaten_in[seat] == seat:
        return not beats(s, seat, winner)
    return beats(s, winner, seat)


@kernel
def all_comes_out(s):
    """Whether every compare, and the bounties, would come out as they did."""
    for seat in range(s.seats):
        if s.beaten_by[seat] >= 0 and not comes_out(s, seat):
            return False
        if s.won[seat] and bounty_of(s, seat) != s.bounty[seat]:
            return False
    return True


@kernel
def draw_met_hands(s, hidden, hands):
    """Draw ``hands``, those of the ``hidden`` ones that met; whether they fit together."""
    taken = np.int64(0)
    for seat in range(s.seats):
        if s.dealt_in[seat] and not hidden & BIT[seat]:
            taken |= cards_of(s, seat)
    for seat in range(s.seats):
        if hands & BIT[seat]:
            if not draw_hand(s, seat, hidden):
                return False
            cards = cards_of(s, seat)
            if cards & taken:
                return False
            taken |= cards
    return all_comes_out(s)


@kernel
def redeal(s, seat):
    """Hands that met stay hidden if nothing fits in MOST_DRAWS draws, as on no table of play."""
    hidden, hands = hidden_hands(s), np.int64(0)
    for other in range(s.seats):
        if hidden & BIT[other] and met(s, other):
            hands |= BIT[other]
    draws = 1
    while not draw_met_hands(s, hidden, hands):
        if draws == MOST_DRAWS:
            for other in range(s.seats):
                if hands & BIT[other]:
                    hide_hand(s, other)
            return
        draws += 1
    start = collect_cards(s, hidden & ~hands)
    draw_hands(s, hidden & ~hands, start)
    clear_dealt(s, start)


CARD = RANKS + SUITS  # entries for one card
KINDS = len(HAND_NAMES)
WHOLE_DECK = 1.0 / HANDS

OBSERVATION = Observation(
    Range(
        "cards",
        (SEATS, HAND, CARD),
        "cards, highest first: rank 2 … A, suit ♦ ♣ ♥ ♠",
        "a seat that has looked, and those it compared with",
    ),
    Range("kind", (SEATS, KINDS), "kind of hand: " + ", ".join(HAND_NAMES), "as cards"),
    Range("worse", SEATS, "share of all hands that are worse", "as cards"),
    Range("status", (SEATS, 6), "dealt in, live, folded, beaten, gone, has looked"),
    Range("stacks", SEATS, "coins left, in antes"),
    Range("stakes", SEATS, "put in in this hand, in antes"),
    Range("allowances", SEATS, "what it may still put in, in antes"),
    Range("bets", (SEATS, 2), "bets made without having looked, and with"),
    Range("raises", SEATS, "raises made"),
    Range("look_unit", SEATS, "the unit when it looked, in antes"),
    Range("last_action", (SEATS, ACTION_COUNT), "last action of each seat"),
    Range(
        "beat", (SEATS, SEATS, 2), "in a compare the first seat beat the second; and had begun it"
    ),
    Range("unit", 1, "u, in antes"),
    Range("price", 1, "what a call costs the own seat, in antes"),
    Range("pot", 1, "all stakes, in antes"),
    Range("live_seats", 1, "number of live seats"),
    Range("circles", 1, "how often the turn has passed the banker"),
    Range("compare_open", 1, "whether compares are open yet (R12)"),
    Range("turn", SEATS, "seat to act"),
    Range("banker", SEATS, "the banker"),
    Range("opener", SEATS, "the opener, at the end of a hand"),
    Range("won", SEATS, "the winners, at the end of a hand"),
    Range("ante", len(ANTES), "the ante: 10, 100, 1000, 10000, 100000"),
    Range("floor", len(ANTES), "the lowest ante"),
    Range("options", 5, "ante_float, cap, turn_limit, special_distinct, compare_heads_up"),
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
        o.kind[k, KIND[A23.NONE, worth]] = 1
        o.worse[k] = WORSE[A23.NONE, worth] * WHOLE_DECK
    elif v.cards[p, 0] == HIDDEN:
        known.cards[k, :, :] = 0
        known.kind[k, :] = 0
        known.worse[k] = 0


@kernel
def observe(v, seat, o, known):
    per_ante = 1.0 / v.ante
    p = seat
    for k in range(v.seats):
        put_hand(o, known, k, v, p)
        o.status[k, 0] = v.dealt_in[p]
        o.status[k, 1] = v.live[p]
        if v.out[p] >= 0:
            o.status[k, 2 + v.out[p]] = 1
        o.status[k, 5] = v.seen[p, p]
        # A hand that has ended has paid its coins into the stacks.
        o.stacks[k] = (v.stack[p] if v.ended else v.stack[p] - v.stake[p]) * per_ante
        o.stakes[k] = v.stake[p] * per_ante
        o.allowances[k] = allowance(v, p) * per_ante if v.live[p] else 0
        o.bets[k, 0] = v.blind_bets[p]
        o.bets[k, 1] = v.looked_bets[p]
        o.raises[k] = v.raises[p]
        o.look_unit[k] = v.look_unit[p] * per_ante
        if v.last_action[p] >= 0:
            o.last_action[k, v.last_action[p]] = 1
        winner = v.beaten_by[p]
        if winner >= 0:
            place = winner - seat if winner >= seat else winner - seat + v.seats
            o.beat[place, k, 0] = 1
            o.beat[place, k, 1] = v.beaten_in[p] == winner
        o.won[k] = v.won[p]
        p = p + 1 if p + 1 < v.seats else 0
    o.unit = v.unit * per_ante
    o.pot = pot(v) * per_ante
    o.live_seats = live_seats(v)
    o.circles = v.circles
    if not v.ended:
        if v.live[seat]:
            o.price = price(v, seat) * per_ante
        o.compare_open = may_compare(v)
        put_seat(o.turn, seat, v.turn, v.seats)
    put_seat(o.banker, seat, v.banker, v.seats)
    put_seat(o.opener, seat, v.opener, v.seats)
    for k in range(len(ANTES)):
        o.ante[k] = v.ante == ANTES[k]
        o.floor[k] = v.rules.floor == ANTES[k]
    o.options[0] = v.rules.ante_float
    o.options[1] = v.rules.cap
    o.options[2] = v.rules.turn_limit
    o.options[3] = v.rules.special_distinct
    o.options[4] = v.rules.compare_heads_up
    put_log(o.log, v, seat, SEATS)


# --- Words -------------------------------------------------------------------------------------


def hand_name(v: np.void, seat: int) -> str:
    """What a seat's cards are called, empty if they are not seen or there are none."""
    if v["cards"][seat][0] < 0:
        return ""
    if special(v, seat):
        return "special 2-3-5"
    return HAND_NAMES[KIND[A23.NONE, strength(v, seat)]]


def report(s: np.void) -> dict[str, Any]:
    """What was settled at the hand's end, and why."""
    seats = range(int(s["seats"]))
    shown = [p for p in seats if s["shown"][p]]
    opener = int(s["opener"])
    return {
        "reason": ("one seat left", "opened", "cap")[s["reason"]],
        "winners": winners(s),
        "opener": opener if opener >= 0 else None,
        "ante": int(s["ante"]),
        "bounty": int(s["bounty"].max() * s["ante"]),
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
        return ("folded", "beaten", "gone")[v["out"][seat]]
    if v["away"][seat]:
        return "gone"
    return "live" if v["dealt_in"][seat] else "sitting out"


def show(v: np.void, seat: int | None) -> Scene:
    """What lies on the table, for one seat's eyes; seat None: for all."""
    seats = range(int(v["seats"]))
    places, zones = [], []
    for p in seats:
        left = int(v["stack"][p]) - (0 if v["ended"] else int(v["stake"][p]))
        notes = []
        if v["dealt_in"][p]:
            notes.append("looked" if v["seen"][p, p] else "blind")
        if v["last_action"][p] >= 0:
            notes.append(ACTIONS.name(v["last_action"][p]))
        if v["beaten_by"][p] >= 0:
            notes.append(f"beaten by {v['beaten_by'][p]}")
        if v["banker"] == p:
            notes.append("banker")
        places.append(Place(p, role(v, p), left, bet=int(v["stake"][p]), note=", ".join(notes)))
        zones.append(Zone("cards", tuple(cards_seen(v, p)), owner=p, note=hand_name(v, p)))
    facts = [
        f"pot {int(v['stake'].sum())}",
        f"ante {int(v['ante'])}",
    ]
    if v["ended"]:
        facts.append(f"bounty {int(v['bounty'].max() * v['ante'])} from each")
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
    name="tuolaji",
    title="拖拉机",
    english="tuolaji",
    summary="Three cards, bet unseen at the single price or looked at for the double one; seats "
    "may compare hands, and a cap ends the betting.",
    version=VERSION,
    source="rule pages of a Chinese online game hall",
    document=__doc__ or "",
    unit=lambda s: s["ante"],
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
        "wins, ties and losses of twelve hands against all 18,424 others",
        "redeals after compares against lists of all deals that fit",
    ),
    limitations=(
        "The cap is not in the source; 101 antes follow from its table of antes and stacks.",
        "The source does not say whether a seat may look when it could not pay the double price; "
        "here it may not, or looking would open all hands for nothing.",
        "The source names compares both for two live seats and for three and more; "
        "compare_heads_up decides.",
        "The source does not say who collects when a special hand that beat three aces shares the "
        "pot with others: only those winners do that beat them themselves.",
    ),
    history=(
        "0: first version",
        "1: where equal hands share the pot, only specials that beat three aces collect the bounty",
    ),
)
