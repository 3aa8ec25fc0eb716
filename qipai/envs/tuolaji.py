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
from qipai.envs.fields import MOST_COINS, Field, Fields, unlike
from qipai.envs.game import Game
from qipai.envs.kernel import addressable, kernel
from qipai.envs.layout import HIDDEN, NONE, Actions, Observation, Range, hand_range
from qipai.envs.match import as_begun, next_seat
from qipai.envs.options import OptionError, Options, flag, integer
from qipai.envs.parts import blind_bets as bets
from qipai.envs.parts import unseen_hands
from qipai.envs.parts.betting import (
    check_stacks,
    divide,
    end_hand,
    first_winner,
    is_on_record,
    last_winner,
    live_seats,
    log_range,
    pot,
)
from qipai.envs.parts.blind_bets import OPENED, allowance, price
from qipai.envs.parts.cards import BIT, shuffle_deck
from qipai.envs.parts.shares import share
from qipai.envs.parts.three_cards import (
    A23,
    HANDS,
    KIND,
    STRAIGHT_FLUSH,
    STRONGEST,
    TRIPS,
    WORSE,
    hands_by_strength,
)
from qipai.envs.parts.unseen_hands import cards_of, census, special, steps_of_turn
from qipai.envs.rng import below
from qipai.envs.scene import Scene

VERSION = 1

# --- Dimensions ------------------------------------------------------------------------------

SEATS = 5
ANTES = np.array([10, 100, 1_000, 10_000, 100_000])  # R3
LOWEST_RAISE, HIGHEST_RAISE = 2, 5  # R10: k of raise_to_k
FOLDED, BEATEN, GONE = range(3)  # how a seat went out
WAYS = ("folded", "beaten", "gone")

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
    bets.cap_option(clause="R7, R14"),
    integer(
        "turn_limit",
        10,
        low=2,
        high=10,
        meaning="most antes a seat may bet in a turn",
        clause="R10",
    ),
    unseen_hands.special_option(clause="R20"),
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
    check_stacks("tuolaji", rules, need, "cap × floor", "cap", "floor")


# --- Actions (R8–R13) --------------------------------------------------------------------------

ACTIONS = Actions()
FOLD, CALL, RAISE, LOOK, OPEN = bets.add_actions(
    ACTIONS,
    [f"raise_to_{k}" for k in range(LOWEST_RAISE, HIGHEST_RAISE + 1)],
    "k antes are more than the unit, within the turn limit and the allowance (R10)",
)
COMPARE = ACTIONS.add(
    "compare",
    [f"compare_{k}" for k in range(1, SEATS)],
    "the seat k places on is live, three seats are, and all of them have bet (R12)",
)

# --- State -----------------------------------------------------------------------------------

FIELDS = Fields(
    RULES,
    SEATS,
    *unseen_hands.fields(SEATS),
    *bets.fields(SEATS, ACTIONS, WAYS, raises=SEATS),
    Field.seat("beaten_by", "in a compare; none: not beaten", SEATS, empty=True),
    Field.seat("beaten_in", "who began that compare", SEATS, empty=True),
    Field.number("ante", int(ANTES[-1]), "b of this hand", low=int(ANTES[0]), start=0),
    Field.number("bounty", 5, "antes that each other seat owes a winner (R21, R22)", SEATS),
)
STATE = FIELDS.dtype


def contradiction(s: np.void) -> str | None:
    """What can't be on a table or in a view: ``Game.contradiction``."""
    return next(_faults(addressable(np.array([s], STATE))[0]), None)


def _faults(s: np.void) -> Iterator[str]:
    yield from unseen_hands.hand_faults(s, can_play)
    start, ante = as_begun(s, s["dealt_in"]), int(s["ante"])
    yield from unlike(s, "ante", ante_of(start), "by floor and stacks, R3")
    yield from bets.bet_faults(s, ante, limit_of, OPEN)
    antes, raises = s["unit"] // ante, s["raises"].sum()
    highest = max(1, min(HIGHEST_RAISE, s["rules"]["turn_limit"] // 2))
    if s["unit"] % ante or not 1 <= antes <= highest:
        yield f"unit is {s['unit']}: expected 1…{highest} antes of {ante}"
    if not min(1, antes - 1) <= raises <= antes - 1:
        yield f"raises come to {raises}, and unit to {antes} antes"
    yield from _compare_faults(s)
    yield from bets.end_faults(s, start, choose_winners, s["bounty"].any())
    yield from unlike(s, "bounty", _bounties(s), "by the winner's cards")
    yield from bets.coin_faults(s, start, pay_out, can_play)


def _compare_faults(s: np.void) -> Iterator[str]:
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
    return unseen_hands.strength(s, seat, A23.NONE)


@kernel
def beats(s, seat, other):
    """Whether a seat's hand is the better one of two (R17–R20)."""
    own, others = strength(s, seat), strength(s, other)
    if others == STRONGEST and special(s, seat):  # R20
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
    poorest = MOST_COINS
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
def limit_of(s, seat):  # R7
    return s.rules.cap * s.ante


@kernel
def deal(s):
    shuffle_deck(s)  # R1
    s.banker = last_winner(s, can_play)  # R4
    deal_from_deck(s)


@kernel
def deal_from_deck(s):
    """Start the hand that follows from ``deck`` and ``banker``."""
    s.ante = ante_of(s)
    unseen_hands.deal_hands(s, can_play)  # R5
    bets.start_betting(s, s.ante, limit_of)  # R3, R6


@kernel
def restart(s, later):
    unseen_hands.gather(s, later)
    deal_from_deck(s)
    return is_on_record(later)


@kernel
def recall(s, later):
    return bets.recall(s, later, LOOK)


# --- Betting (R7–R15) --------------------------------------------------------------------------


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
    factor = 1 + s.looked[seat]  # price in units
    mask[FOLD] = 1
    mask[CALL] = 1
    for k in range(LOWEST_RAISE, HIGHEST_RAISE + 1):  # R10
        if k * s.ante > s.unit and 2 * k <= s.rules.turn_limit and factor * k * s.ante <= left:
            mask[RAISE + k - LOWEST_RAISE] = 1
    mask[LOOK] = bets.may_look(s, seat)  # R8
    mask[OPEN] = bets.may_open(s, seat)  # R13
    if may_compare(s):
        for k in range(1, s.seats):
            mask[COMPARE + k - 1] = s.live[(seat + k) % s.seats]


@kernel
def compare(s, seat, other):  # R12
    better, worse = other, seat
    if beats(s, seat, other):
        better, worse = seat, other
    s.beaten_by[worse] = better
    s.beaten_in[worse] = seat
    bets.go_out(s, worse, BEATEN)


@kernel
def apply(s, action):
    seat = s.turn
    if action == LOOK:  # R8
        bets.look(s, seat)
        return
    bets.act(s, seat, action)
    if action == FOLD:  # R11
        bets.go_out(s, seat, FOLDED)
    elif action == OPEN:  # R13
        bets.pay(s, seat, 2 * price(s, seat))
        bets.open_hands(s, seat, OPENED)
    else:
        if RAISE <= action <= RAISE + HIGHEST_RAISE - LOWEST_RAISE:  # R10
            s.unit = (action - RAISE + LOWEST_RAISE) * s.ante
            s.raises[seat] += 1
        bets.pay(s, seat, price(s, seat))  # R9
        if action >= COMPARE:
            compare(s, seat, (seat + action - COMPARE + 1) % s.seats)
    bets.end_turn(s, s.rules.cap * s.ante)  # R14
    settle_if_ended(s)


@kernel
def leave(s, seat):  # R24
    bets.flee(s, seat, GONE)
    settle_if_ended(s)


# --- Settlement (R15–R23) ----------------------------------------------------------------------


@kernel
def choose_winners(s):  # R16, R20
    bets.choose_winners(s, A23.NONE, STRONGEST)


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
def settle_if_ended(s):
    """The hand goes to the last live seat (R15), or to the best hands opened."""
    if s.reason == NONE:
        return
    choose_winners(s)
    s.winner = first_winner(s)
    for seat in range(s.seats):
        if s.won[seat]:
            s.bounty[seat] = bounty_of(s, seat)
            s.shown[seat] |= s.bounty[seat] > 0
    pay_out(s)
    end_hand(s, can_play)  # R2


@kernel
def pay_out(s):
    """The coins of pot and bounty."""
    bounty = 0  # those who earn one at all earn the same
    for seat in range(s.seats):
        bounty = max(bounty, s.bounty[seat])
    collected = bets.charge(s, bounty * s.ante, 1)
    divide(s, pot(s))  # R16
    share(collected, s.bounty, s.coins, s.seats, next_seat(s, s.banker))  # R21


# --- What a seat sees --------------------------------------------------------------------------


@kernel
def sees(s, seat, other):
    """Whether a seat sees another's cards, or its own: after a compare, too (R12)."""
    met = s.beaten_by[seat] == other or s.beaten_by[other] == seat
    return met or unseen_hands.sees(s, seat, other)


@kernel
def conceal(s, seat):
    unseen_hands.conceal_hands(s, seat, sees)


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
    unseen_hands.hold(s, seat, _HANDS[place, 0], _HANDS[place, 1], _HANDS[place, 2])
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
    hidden, hands = unseen_hands.hidden_hands(s), np.int64(0)
    for other in range(s.seats):
        if hidden & BIT[other] and met(s, other):
            hands |= BIT[other]
    draws = 1
    while not draw_met_hands(s, hidden, hands):
        if draws == MOST_DRAWS:
            for other in range(s.seats):
                if hands & BIT[other]:
                    unseen_hands.hide_hand(s, other)
            return
        draws += 1
    start = unseen_hands.collect_cards(s, hidden & ~hands)
    unseen_hands.draw_hands(s, hidden & ~hands, start)
    unseen_hands.clear_dealt(s, start)


OBSERVATION = Observation(
    *unseen_hands.card_ranges(SEATS, "a seat that has looked, and those it compared with"),
    bets.status_range(SEATS, WAYS),
    *bets.bet_ranges(SEATS),
    Range("raises", SEATS, "raises made"),
    *bets.act_ranges(SEATS, ACTIONS),
    Range(
        "beat", (SEATS, SEATS, 2), "in a compare the first seat beat the second; and had begun it"
    ),
    Range("unit", 1, "u, in antes"),
    Range("price", 1, "what a call costs the own seat, in antes"),
    Range("pot", 1, "all stakes, in antes"),
    Range("live_seats", 1, "number of live seats"),
    Range("circles", 1, "how often the turn has passed the banker"),
    Range("compare_open", 1, "whether compares are open yet (R12)"),
    *bets.seat_ranges(SEATS),
    Range("ante", len(ANTES), "the ante: 10, 100, 1000, 10000, 100000"),
    Range("floor", len(ANTES), "the lowest ante"),
    Range("options", 5, "ante_float, cap, turn_limit, special_distinct, compare_heads_up"),
    hand_range(),
    log_range(SEATS, ACTIONS),
)


@kernel
def observe(v, seat, o, known):
    per_ante = 1.0 / v.ante
    p = seat
    for k in range(v.seats):
        unseen_hands.put_hand(o, known, k, v, p, A23.NONE)
        bets.put_bets(o, k, v, p, per_ante, 1)
        o.raises[k] = v.raises[p]
        winner = v.beaten_by[p]
        if winner >= 0:
            place = winner - seat if winner >= seat else winner - seat + v.seats
            o.beat[place, k, 0] = 1
            o.beat[place, k, 1] = v.beaten_in[p] == winner
        p = next_seat(v, p)
    bets.put_table(o, v, seat, per_ante)
    o.compare_open = not v.ended and may_compare(v)
    for k in range(len(ANTES)):
        o.ante[k] = v.ante == ANTES[k]
        o.floor[k] = v.rules.floor == ANTES[k]
    o.options[0] = v.rules.ante_float
    o.options[1] = v.rules.cap
    o.options[2] = v.rules.turn_limit
    o.options[3] = v.rules.special_distinct
    o.options[4] = v.rules.compare_heads_up


# --- Words -------------------------------------------------------------------------------------


def report(s: np.void) -> dict[str, Any]:
    """What was settled at the hand's end, and why."""
    ante = int(s["ante"])
    return bets.report(s, WAYS, A23.NONE, ante=ante, bounty=int(s["bounty"].max()) * ante)


def show(v: np.void, seat: int | None) -> Scene:
    """What lies on the table, for one seat's eyes; seat None: for all."""

    def beaten(p: int) -> str:
        return f"beaten by {v['beaten_by'][p]}" if v["beaten_by"][p] >= 0 else ""

    bounty = f"bounty {int(v['bounty'].max() * v['ante'])} from each"
    facts = [f"ante {v['ante']}", *([bounty] if v["ended"] else [])]
    return bets.scene(v, ACTIONS, WAYS, A23.NONE, *facts, note=beaten)


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
    default=bets.fold,  # R24
    leave=leave,
    laid=("deck", deal_from_deck),
    restart=restart,
    recall=recall,
    max_plies=bets.max_plies,
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
