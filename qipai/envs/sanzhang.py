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
from qipai.envs.fields import MOST_COINS, Field, Fields, unlike
from qipai.envs.game import Game
from qipai.envs.kernel import addressable, inlined, kernel
from qipai.envs.layout import HIDDEN, NONE, Actions, Observation, Range, hand_range
from qipai.envs.match import as_begun, next_seat
from qipai.envs.options import MAX_COINS, MAX_STAKE, OptionError, Options, choice, integer
from qipai.envs.parts import blind_bets as bets
from qipai.envs.parts import unseen_hands
from qipai.envs.parts.betting import (
    check_stacks,
    divide,
    end_hand,
    first_winner,
    is_on_record,
    last_winner,
    log_range,
    pot,
)
from qipai.envs.parts.blind_bets import OPENED, allowance, price
from qipai.envs.parts.cards import shuffle_deck
from qipai.envs.parts.three_cards import A23, KIND, LOWEST_TRIPS, STRAIGHT_FLUSH, TRIPS
from qipai.envs.parts.unseen_hands import census, sees, steps_of_turn
from qipai.envs.scene import Scene

VERSION = 0

# --- Dimensions ------------------------------------------------------------------------------

SEATS = 6
RAISES = 3  # sizes of raises
FOLDED, GONE = range(2)  # how a seat went out
WAYS = ("folded", "gone")

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
    bets.cap_option(clause="R7, R14"),
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
    unseen_hands.special_option(clause="R18"),
)


def check(rules: Mapping[str, Any]) -> None:
    """OptionError for raises that do not go up (R10), or if fewer than two seats can play (R2)."""
    raises = [rules[name] for name in ("low", "mid", "high")]
    if not raises[0] < raises[1] < raises[2]:
        raise OptionError(
            f"sanzhang: low, mid, high = {raises} is not allowed; allowed: low < mid < high"
        )
    need = 3 * rules["ante"] * rules["factor"] + rules["fee"]
    what = "3 antes × factor + fee"
    check_stacks("sanzhang", rules, need, what, "ante", "factor", "fee")


# --- Actions (R8–R13) --------------------------------------------------------------------------

ACTIONS = Actions()
FOLD, CALL, RAISE, LOOK, OPEN = bets.add_actions(
    ACTIONS,
    ["raise_low", "raise_mid", "raise_high"],
    "the price after the raise is within the allowance (R10)",
)

# --- State -----------------------------------------------------------------------------------

FIELDS = Fields(
    RULES,
    SEATS,
    *unseen_hands.fields(SEATS),
    *bets.fields(SEATS, ACTIONS, WAYS, raises=(SEATS, RAISES)),
    Field.coins("reward", "coins that each other seat owed the winners (R21)"),
)
STATE = FIELDS.dtype


def contradiction(s: np.void) -> str | None:
    """What can't be on a table or in a view: ``Game.contradiction``."""
    return next(_faults(addressable(np.array([s], STATE))[0]), None)


def _faults(s: np.void) -> Iterator[str]:
    yield from unseen_hands.hand_faults(s, can_play)
    yield from bets.bet_faults(s, int(s["rules"]["ante"]), limit_of, OPEN)
    sizes = [raise_size(s, k) for k in range(RAISES)]
    unit = s["rules"]["ante"] + s["raises"].sum(axis=0) @ sizes
    yield from unlike(s, "unit", unit, "the ante and all raises")
    start = as_begun(s, s["dealt_in"])
    yield from bets.end_faults(s, start, choose_winners, s["reward"] > 0)
    # A winner whose hand was not shown has earned no reward.
    earned = s["ended"] and s["cards"][s["winner"], 0] != HIDDEN
    yield from unlike(s, "reward", reward_of(s) if earned else 0, "by the winner's cards, R21")
    yield from bets.coin_faults(s, start, pay_out, can_play)


# --- Ranking (R15–R18) -------------------------------------------------------------------------


@kernel
def strength(s, seat):
    """The place of a seat's hand among all 741 strengths (R15–R17)."""
    return unseen_hands.strength(s, seat, s.rules.a23)


@kernel
def kind_of(s, seat):
    return KIND[s.rules.a23, strength(s, seat)]


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
    shuffle_deck(s)  # R1
    s.banker = last_winner(s, can_play)  # R4
    deal_from_deck(s)


@kernel
def deal_from_deck(s):
    """Start the hand that follows from ``deck`` and ``banker``."""
    unseen_hands.deal_hands(s, can_play)  # R5
    bets.start_betting(s, s.rules.ante, limit_of)  # R3, R6


@kernel
def restart(s, later):
    unseen_hands.gather(s, later)
    deal_from_deck(s)
    return is_on_record(later)


@kernel
def recall(s, later):
    return bets.recall(s, later, LOOK)


# --- Betting (R7–R14) --------------------------------------------------------------------------


@kernel
def raise_size(s, k):  # R10
    return s.rules.low if k == 0 else s.rules.mid if k == 1 else s.rules.high


@kernel
def raised_price(s, seat, k):
    """The price after the k-th raise (R10)."""
    unit = s.unit + raise_size(s, k)
    return unit + unit * s.looked[seat]


@kernel
def legal(s, mask):
    seat = s.turn
    mask[FOLD] = 1
    mask[CALL] = 1
    for k in range(RAISES):
        mask[RAISE + k] = raised_price(s, seat, k) <= allowance(s, seat)
    mask[LOOK] = bets.may_look(s, seat)  # R8
    mask[OPEN] = bets.may_open(s, seat)  # R13


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
        if action != CALL:  # R10
            s.unit += raise_size(s, action - RAISE)
            s.raises[seat, action - RAISE] += 1
        bets.pay(s, seat, price(s, seat))  # R9
    bets.end_turn(s, s.rules.cap * s.rules.ante)  # R14
    settle_if_ended(s)


@kernel
def leave(s, seat):  # R24
    bets.flee(s, seat, GONE)
    settle_if_ended(s)


# --- Settlement (R19–R23) ----------------------------------------------------------------------


@kernel
def choose_winners(s):  # R18–R20
    bets.choose_winners(s, s.rules.a23, LOWEST_TRIPS)


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
def settle_if_ended(s):
    """The hand goes to the last live seat (R12), or to the best hands opened."""
    if s.reason == NONE:
        return
    choose_winners(s)
    s.winner = first_winner(s)
    s.reward = reward_of(s)
    if s.reward > 0:
        s.shown[s.winner] = 1
    pay_out(s)
    end_hand(s, can_play)  # R2


@kernel
def pay_out(s):
    """The coins of pot, reward and fee."""
    collected = bets.charge(s, s.reward, s.rules.factor)  # R21, R23
    divide(s, pot(s) * s.rules.factor)  # R20
    divide(s, collected)
    for seat in range(s.seats):
        if s.dealt_in[seat]:
            fee = min(s.rules.fee, s.stack[seat] + s.coins[seat])  # R22
            s.coins[seat] -= fee
            s.house += fee


# --- What a seat sees --------------------------------------------------------------------------


@kernel
def conceal(s, seat):
    unseen_hands.conceal_hands(s, seat, sees)


MOST_DRAWS = 1000  # of which hardly one in a hundred would have earned the winner a reward


@kernel
def redeal(s, seat):
    hidden = unseen_hands.hidden_hands(s)
    start = unseen_hands.collect_cards(s, hidden)
    for _ in range(MOST_DRAWS):
        unseen_hands.draw_hands(s, hidden, start)
        # A winner whose hand was not shown has earned no reward.
        if not s.ended or reward_of(s) == s.reward:
            break
    unseen_hands.clear_dealt(s, start)


OBSERVATION = Observation(
    *unseen_hands.card_ranges(SEATS, "a seat that has looked; all, once shown"),
    bets.status_range(SEATS, WAYS),
    *bets.bet_ranges(SEATS),
    Range("raises", (SEATS, RAISES), "raises made: low, mid, high"),
    *bets.act_ranges(SEATS, ACTIONS),
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
    *bets.seat_ranges(SEATS),
    Range("sizes", RAISES, "what raises add to the unit, in antes"),
    Range("options", 4, "cap, fee in antes, factor, special_distinct"),
    Range("a23", len(A23), "place of A23: " + ", ".join(a.name.lower() for a in A23)),
    hand_range(),
    log_range(SEATS, ACTIONS),
)


@inlined
def put_own(o, v, seat, per_ante):
    """What the own seat may do, but for a call, and what it costs."""
    for k in range(RAISES):
        o.raised_prices[k] = raised_price(v, seat, k) * per_ante
    o.may_open = bets.may_open(v, seat)
    lowest = MOST_COINS
    for other in range(v.seats):
        if v.live[other] and other != seat:
            lowest = min(lowest, allowance(v, other))
    o.lowest_allowance = lowest * per_ante


@kernel
def observe(v, seat, o, known):
    per_ante = 1.0 / v.rules.ante
    p = seat
    for k in range(v.seats):
        unseen_hands.put_hand(o, known, k, v, p, v.rules.a23)
        bets.put_bets(o, k, v, p, per_ante, v.rules.factor)
        for i in range(RAISES):
            o.raises[k, i] = v.raises[p, i]
        p = next_seat(v, p)
    bets.put_table(o, v, seat, per_ante)
    o.ante = v.rules.ante
    if v.live[seat] and not v.ended:
        put_own(o, v, seat, per_ante)
    for k in range(RAISES):
        o.sizes[k] = raise_size(v, k) * per_ante
    o.options[0] = v.rules.cap
    o.options[1] = v.rules.fee * (per_ante / v.rules.factor)
    o.options[2] = v.rules.factor
    o.options[3] = v.rules.special_distinct
    o.a23[v.rules.a23] = 1


# --- Words -------------------------------------------------------------------------------------


def report(s: np.void) -> dict[str, Any]:
    """What was settled at the hand's end, and why."""
    return bets.report(s, WAYS, s["rules"]["a23"], reward=int(s["reward"]))


def show(v: np.void, seat: int | None) -> Scene:
    """What lies on the table, for one seat's eyes; seat None: for all."""
    rules, facts = v["rules"], [f"ante {v['rules']['ante']}"]
    if rules["factor"] > 1:
        facts.append(f"a chip is worth {rules['factor']}")
    if v["ended"]:
        facts.append(f"reward {v['reward']} from each")
    return bets.scene(v, ACTIONS, WAYS, rules["a23"], *facts, chip=int(rules["factor"]))


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
