"""Hong Kong five-card stud (港式五張) with 32 cards: fixed bets, all-in, and one winner who is paid
by each loser at most its own stake.

R1 32 cards, 7 … A in four suits, shuffled afresh each hand; 2–5 seats.
R2 Dealt in are the seats that have not left and hold at least the ante and the smallest bet; if
   fewer than two do, the match is over.
R3 Every seat dealt in puts the ante a into the pot.
R4 No banker. Dealt first is a random seat in the first hand, later the last winner (if it is not
   dealt in: random).
R5 Cards come one by one in playing order, to live seats only (those all-in too), from the start of
   the deck: a hole card (底牌) and an open card (明牌) from the R4 seat on; later open cards from
   the live seat whose visible hand was best before them. A betting round follows each open card.
R6 A hole card is seen by its owner only, until a showdown.
R7 A live seat with coins left is able. The live seat with the best visible hand, kickers included,
   speaks first; if it is not able, the next able seat. Visible hands of fewer than five cards know
   neither straights nor flushes, and never tie.
R8 Each round starts at level 0, what a seat must have put in in this round. A seat folds (放棄),
   checks (不下注) if nobody has bet, calls (跟注), or bets by R9–R11. The round ends when every
   able seat has acted since the last bet.
R9 raise_k adds the k-th of four sizes to the level, and the seat pays up to it. It needs enough
   coins; where all-in is allowed, a raise that takes exactly all coins is only called all_in.
R10 A seat that has raised above a level > 0 may not raise or go all-in again before the next
   card. The opening bet (下注) is no raise.
R11 all_in (梭哈), from betting round 2 on (an option): all coins, if that is more than what is owed
   and R10 allows a bet. What the seat has then put in in this round is the level.
R12 A seat with fewer coins than it owes may call with all of them (short call); the level stays.
   Where all-in is not yet allowed that is an option; without it the seat is folded at once.
R13 A bet needs another able seat to answer it. At level 0 with fewer than two able seats nobody is
   asked: the cards are dealt to the end.
R14 The last live seat wins without showing its hole card.
R15 After round 4 all live seats show; the best five cards win alone. Hole cards of folded seats
   stay hidden.
R16 A > K > Q > J > 10 > 9 > 8 > 7; ♠ > ♥ > ♣ > ♦.
R17 Straights are 7–J, 8–Q, 9–K and 10–A only.
R18 Straight flush 同花順 > four 四條 > full house 葫蘆 > flush 同花 > straight 順子 > three 三條
   > two pairs 二對 > pair 對子 > high card 散牌.
R19 Within a type: straight flush, flush and straight by the top card, rank then suit; four, full
   house and three by the rank of the four or three; two pairs by the big pair, the small pair, the
   single card, the better suit of the big pair; pair by its rank, the other cards from high to
   low, its better suit; high card by all ranks from high to low, then the suit of the top card.
R20 Let w be the winner's stake, ante included. Every other live seat pays the winner the smaller of
   its own stake and w; the rest of its stake goes back to it. Losers settle nothing among
   themselves.
R21 A seat that has folded or left pays its whole stake, also above w (an option: as in R20).
R22 No answer: fold, even where a check was free. Leaving (逃跑): fold at once, in turn or not. No
   rake.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise
from typing import Any

import numpy as np

from qipai.envs import options
from qipai.envs.fields import Field, Fields
from qipai.envs.game import Game
from qipai.envs.kernel import kernel
from qipai.envs.layout import NONE, Observation, Range, hand_range, put_seat
from qipai.envs.match import count_seats, next_seat
from qipai.envs.options import MAX_COINS, OptionError, Options, flag, integer, row
from qipai.envs.parts import rounds, stud
from qipai.envs.parts.betting import (
    check_stacks,
    end_hand,
    is_on_record,
    last_winner,
    live_seats,
    log_range,
    next_logged,
)
from qipai.envs.parts.cards import BIT, parse_card, shuffle_deck
from qipai.envs.parts.five_cards import HAND_NAMES, hand_value, kind_of
from qipai.envs.parts.rounds import CALL, CHECK, FOLD, ask_first, go_out, log_in_round, owed, pay
from qipai.envs.parts.stud import (
    best_hand,
    census,
    conceal,
    deal_holes,
    deal_open_cards,
    gather,
    redeal,
    seat_cards,
)
from qipai.envs.scene import Scene

VERSION = 0

# --- Dimensions ------------------------------------------------------------------------------

SEATS = 5
LOWEST = parse_card("D7")  # D7, the lowest card
RANKS, SUITS = 8, 4
CARDS = RANKS * SUITS
ROUNDS = 4  # betting rounds, one after each open card
RAISES = 4

# --- Options ---------------------------------------------------------------------------------

RULES = Options(
    options.seats(SEATS, low=2, high=SEATS, clause="R1"),
    options.hands(clause="R4"),
    options.stack(1000, seats=SEATS, clause="R2"),
    integer("ante", 10, low=1, high=MAX_COINS, meaning="a", clause="R3"),
    row(
        "levels",
        (10, 20, 30, 50),
        low=1,
        high=MAX_COINS,
        meaning="sizes of bets and raises, rising",
        clause="R9",
    ),
    integer(
        "all_in_round",
        2,
        low=1,
        high=ROUNDS,
        meaning="first betting round with all_in",
        clause="R11",
    ),
    flag("short_call", True, meaning="short call in rounds before all_in_round", clause="R12"),
    flag(
        "fold_refund",
        False,
        meaning="folded seats get back what exceeds the winner's stake",
        clause="R21",
    ),
)


def check(rules: Mapping[str, Any]) -> None:
    """OptionError if sizes do not rise (R9) or fewer than two seats could be dealt in (R2)."""
    sizes = rules["levels"]
    if not all(smaller < larger for smaller, larger in pairwise(sizes)):
        raise OptionError(
            f"hk_five_card: levels={list(sizes)!r} do not rise; allowed: four rising numbers"
        )
    need = rules["ante"] + sizes[0]
    what = "the ante and the smallest bet"
    check_stacks("hk_five_card", rules, need, what, "ante", "levels")


# --- Actions (R8–R12) --------------------------------------------------------------------------

ACTIONS = rounds.actions()
RAISE = ACTIONS.add("raise", [f"raise_{k + 1}" for k in range(RAISES)], "R9, R10, R13")
ALL_IN = ACTIONS.add("all_in", ["all_in"], "R11, R13")
ACTION_COUNT = ACTIONS.width

# --- State -----------------------------------------------------------------------------------

FIELDS = Fields(
    RULES,
    SEATS,
    *stud.fields(SEATS, CARDS, ROUNDS),
    *rounds.fields(SEATS, ROUNDS, ACTIONS),
    Field.flag("raised", "above a level > 0 in this round (R10)", SEATS),
)
STATE = FIELDS.dtype


def contradiction(s: np.void) -> str | None:
    """What can't be on a table or in a view: ``Game.contradiction``."""
    return (
        rounds.contradiction(s, can_play, settle)
        or wrong_bettors(s)
        or stud.contradiction(s, best_seat)
    )


def wrong_bettors(s: np.void) -> str | None:
    """Whether the seat to act is able (R7), and who has raised (R10)."""
    turn, idle = int(s["turn"]), (s["raised"] == 1) & (s["paid"][s["street"]] == 0)
    if not s["ended"] and s["stake"][turn] == s["stack"][turn]:
        return f"turn is {turn}, a seat without coins left"
    if idle.any():
        return f"raised[{idle.argmax()}] is 1, but the seat has put in nothing in this round"
    return None


# --- Ranking (R16–R19) -------------------------------------------------------------------------


@kernel
def value(cards):
    """What 1–5 cards, a set of bits, are worth: of hands of as many cards, higher wins."""
    return hand_value(cards, LOWEST // SUITS, True)


@kernel
def best_seat(s):  # R7, R15
    return best_hand(s, value)


# --- Deal (R1–R5) ------------------------------------------------------------------------------


@kernel
def can_play(s, seat):  # R2
    return not s.away[seat] and s.stack[seat] >= s.rules.ante + s.rules.levels[0]


@kernel
def deal(s):
    shuffle_deck(s)
    s.first = last_winner(s, can_play)  # R4
    deal_from_deck(s)


@kernel
def deal_from_deck(s):
    """Start the hand that follows from ``deck`` and ``first``."""
    deal_holes(s, can_play)  # R3
    next_round(s)


@kernel
def restart(s, later):
    s.first = later.first
    gather(s, later, value)
    deal_from_deck(s)
    return is_on_record(later)


@kernel
def next_round(s):
    """Deal open cards until somebody is asked (R5, R7, R13), or to the showdown (R15)."""
    while s.street < ROUNDS - 1:
        rounds.begin_round(s)
        s.raised[:] = 0
        deal_open_cards(s)
        s.best = best_seat(s)
        if able_seats(s) >= 2:
            ask_first(s, able_to_act(s, s.best))
            return
    s.shown = True
    s.winner = best_seat(s)
    settle(s)


# --- Betting (R8–R14) --------------------------------------------------------------------------


@kernel
def coins_left(s, seat):
    """Coins of a seat that it has not put in, while the hand lasts."""
    return s.stack[seat] - s.stake[seat]


@kernel
def able(s, seat):
    return s.live[seat] and coins_left(s, seat) > 0


@kernel
def able_seats(s):
    return count_seats(s, able)


@kernel
def call_cost(s, seat):
    """What a call costs: with fewer coins than a seat owes, all of them (R12)."""
    return min(owed(s, seat), coins_left(s, seat))


@kernel
def all_in_allowed(s):  # R11
    return s.street + 1 >= s.rules.all_in_round


@kernel
def may_call(s, seat):  # R12
    return s.rules.short_call or all_in_allowed(s) or coins_left(s, seat) >= owed(s, seat)


@kernel
def may_bet(s, seat):  # R10, R13
    return not s.raised[seat] and able_seats(s) - able(s, seat) > 0


@kernel
def bet_cost(s, seat, action):
    """What a raise or all-in costs a seat that may bet; 0 if it is not on offer (R9, R11)."""
    left = coins_left(s, seat)
    if action == ALL_IN:
        return left if all_in_allowed(s) and left > owed(s, seat) else 0
    cost = owed(s, seat) + s.rules.levels[action - RAISE]
    return cost if cost < left or (cost == left and not all_in_allowed(s)) else 0


@kernel
def legal(s, mask):
    seat = s.turn
    mask[FOLD] = 1
    if s.level == 0:
        mask[CHECK] = 1
    else:
        mask[CALL] = may_call(s, seat)
    if may_bet(s, seat):
        for action in range(RAISE, ACTION_COUNT):
            mask[action] = bet_cost(s, seat, action) > 0


@kernel
def fold(s, seat):
    go_out(s, seat)
    s.best = best_seat(s)


@kernel
def able_to_act(s, first):
    """The first able seat from ``first`` on that has yet to act, or NONE (R8)."""
    for k in range(s.seats):
        seat = (first + k) % s.seats
        if able(s, seat) and not s.acted[seat]:
            return seat
    return NONE


@kernel
def asked_next(s):
    """The seat that must act next in this round; NONE if the round or the hand is over."""
    if live_seats(s) == 1 or (s.level == 0 and able_seats(s) < 2):  # R14, R13
        return NONE
    return able_to_act(s, s.turn)


@kernel
def go_on(s):
    """After an action or a leave: the end of the hand, the seat to act, or the next card."""
    seat = asked_next(s)
    while seat != NONE and s.level > 0 and not may_call(s, seat):  # R12
        fold(s, seat)
        seat = asked_next(s)
    if seat != NONE:
        s.turn = seat
    elif live_seats(s) == 1:  # R14
        s.winner = s.best
        settle(s)
    else:
        next_round(s)


@kernel
def apply(s, action):
    seat = s.turn
    if action == FOLD:
        fold(s, seat)
    else:
        log_in_round(s, seat, action)
        if action == CALL:
            pay(s, seat, call_cost(s, seat))
        elif action != CHECK:
            pay(s, seat, bet_cost(s, seat, action))
            s.raised[seat] = s.level > 0
            s.level = s.paid[s.street, seat]
            s.acted[:] = 0
        s.acted[seat] = 1
    go_on(s)


@kernel
def default(s):  # R22
    return FOLD


@kernel
def leave(s, seat):  # R22
    if s.live[seat]:
        fold(s, seat)
        go_on(s)


# --- Settlement (R20, R21) ---------------------------------------------------------------------


@kernel
def capped_due(stake, winner_stake):
    """What a live seat with this stake pays the winner (R20)."""
    return min(stake, winner_stake)


@kernel
def due(s, seat, winner):
    """What a seat pays if ``winner`` wins with the stakes as they are."""
    if not s.live[seat] and not s.rules.fold_refund:  # R21
        return s.stake[seat]
    return capped_due(s.stake[seat], s.stake[winner])


@kernel
def settle(s):
    """The hand goes to ``winner``."""
    winner = s.winner
    for seat in range(s.seats):
        if seat != winner:
            coins = due(s, seat, winner)
            s.coins[seat] -= coins
            s.coins[winner] += coins
    end_hand(s, can_play)  # R2


# --- What a seat sees --------------------------------------------------------------------------


OBSERVATION = Observation(
    *stud.card_ranges(SEATS, ROUNDS, RANKS),
    *rounds.stake_ranges(SEATS, ROUNDS, "able", "all-in", "raise used on this card"),
    *rounds.round_ranges(SEATS, ROUNDS, ACTIONS),
    Range(
        "costs",
        RAISES + 1,
        "what raise_1 … raise_4, all_in cost the own seat, in antes; 0: not legal",
    ),
    Range(
        "would_win", SEATS, "what each seat pays if the own one wins with these stakes, in antes"
    ),
    Range(
        "would_lose", SEATS, "what the own seat pays if each one wins with these stakes, in antes"
    ),
    *rounds.pot_ranges(),
    Range("able_seats", 1, "number of live seats with coins left"),
    Range("turn", SEATS, "seat to act"),
    Range("waiting", SEATS, "able seats that have yet to act in this round"),
    Range("best", SEATS, "live seat with the best visible hand"),
    Range("ante", 1, "coins of the ante"),
    Range("sizes", RAISES, "sizes of bets and raises, in antes"),
    hand_range(),
    log_range(SEATS, ACTIONS),
)
ABLE = len(rounds.STATES)  # an entry of ``status``; the next two:
ALL_IN_ALREADY, RAISED = ABLE + 1, ABLE + 2


@kernel
def observe(v, seat, o, known):
    per_ante = 1.0 / v.rules.ante
    stud.observe(v, seat, o, known, RANKS)
    rounds.observe(v, seat, o, per_ante)
    p = seat
    for k in range(v.seats):
        o.status[k, RAISED] = v.raised[p]
        if v.live[p] and not v.ended:
            o.status[k, ABLE if able(v, p) else ALL_IN_ALREADY] = 1
            o.able_seats += able(v, p)
            o.waiting[k] = able(v, p) and not v.acted[p]
        if p != seat and not v.ended:
            if v.live[seat]:
                o.would_win[k] = due(v, p, seat) * per_ante
            if v.live[p]:
                o.would_lose[k] = due(v, seat, p) * per_ante
        p = next_seat(v, p)
    if able(v, seat) and not v.ended:
        o.owed = owed(v, seat) * per_ante
        if may_bet(v, seat):
            for k in range(RAISES + 1):
                o.costs[k] = bet_cost(v, seat, RAISE + k) * per_ante
    put_seat(o.best, seat, v.best, v.seats)
    for k in range(RAISES):
        o.sizes[k] = v.rules.levels[k] * per_ante


# --- Words -------------------------------------------------------------------------------------


def hand_name(s: np.void, seat: int) -> str:
    """What a seat's cards are called."""
    return HAND_NAMES[kind_of(value(sum(int(BIT[card]) for card in seat_cards(s, seat))))]


def report(s: np.void) -> dict[str, Any]:
    """What was settled at the hand's end, and why."""
    return rounds.report(s) | stud.report(s, hand_name)


def role(v: np.void, seat: int) -> str:
    """What a seat is in this hand, in a word or two."""
    known = rounds.role(v, seat)
    left = v["ended"] or v["stack"][seat] > v["stake"][seat]
    return known if left or known != "live" else "all-in"


def show(v: np.void, seat: int | None) -> Scene:
    """What lies on the table, for one seat's eyes; seat None: for all."""
    facts = [f"bets {' '.join(map(str, v['rules']['levels']))}"]
    if not v["ended"]:
        facts.append(f"level {v['level']}")
    return rounds.scene(v, ACTIONS, stud.zones(v), *facts, role=role)


def max_plies(rules: Mapping[str, Any]) -> int:
    """In each of 4 rounds at most one opening bet and one raise per seat (R10), each of them
    followed by at most seats − 1 answers, and as many checks as seats."""
    seats = int(rules["seats"])
    return int(ROUNDS * seats * (seats + 2) * rules["hands"])


GAME = Game(
    name="hk_five_card",
    title="港式五張",
    english="Hong Kong five-card stud",
    summary="Stud with 32 cards and fixed bets; all-in, and losers pay at most the winner's stake.",
    version=VERSION,
    source="rule pages of a Chinese online game hall (32 cards, 7 to ace)",
    document=__doc__ or "",
    unit=lambda s: s["rules"]["ante"],
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
    recall=next_logged,
    max_plies=max_plies,
    census=census,
    contradiction=contradiction,
    report=report,
    show=show,
    check=check,
    checked_by=(
        "201,376 hands of five cards by type, and their 1,620 distinct values",
        "32, 136, 400 and 884 distinct visible hands of one to four cards",
        "showdown chances of given cards against all unseen holes",
    ),
    limitations=(
        "The source names neither an ante nor the sizes of bets (its table by players' levels is "
        "lost); both are options.",
        "Whether a seat may call short before all-in is allowed is not in the source: an option.",
    ),
    history=("0: first version",),
)
