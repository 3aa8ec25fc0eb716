"""Five-card stud (五張牌) with 28 cards: one hidden hole card, four open ones, no side pots.

R1 28 cards, 8 … A in four suits, shuffled afresh each hand; 2–4 seats.
R2 Dealt in are the seats that have not left and hold at least 5 antes; if fewer than two do, the
   match is over.
R3 Every seat dealt in puts the ante a into the pot. The rounds after the open cards are rounds 1–4.
R4 No banker. Dealt first is a random seat in the first hand, later the last winner (if it is not
   dealt in: random).
R5 Cards come one by one in playing order, to live seats only, from the start of the deck: a hole
   card (底牌) and an open card (明牌) from the R4 seat on; later open cards from the live seat
   whose visible hand was best before them. A betting round follows each open card.
R6 A hole card is seen by its owner only, until a showdown.
R7 The live seat with the best visible hand speaks first, the others follow. Visible hands know
   neither straights nor flushes nor kickers, and never tie.
R8 Each round starts at level 0, what a live seat must have put in in this round. A seat folds,
   checks (owing nothing), calls, or raises the level; the round ends when every live seat has acted
   since the last raise.
R9 A bet is a raise from level 0. All others answer a raise in turn, and may raise again without
   limit.
R10 M (全甩) is the smallest (stack − ante) among live seats. The highest level X is M/4 in round 1,
   M/2 in round 2, then M less what each live seat has put in in earlier rounds. A raise goes at
   least a above the level L, or to X if that is nearer. On offer are L + a (if below X), X/4, X/2,
   3X/4 (each if between L + a and X) and X (if above L), all rounded down.
R11 M is computed anew at once when a seat folds or leaves.
R12 A round with X = 0 is not asked: the next card is dealt.
R13 The last live seat wins without showing its hole card.
R14 After round 4 all live seats show; the best five cards win. Hole cards of folded seats stay
   hidden.
R15 A > K > Q > J > 10 > 9 > 8; ♠ > ♥ > ♣ > ♦.
R16 A straight is 8–Q, 9–K or 10–A, not all of one suit.
R17 Straight flush 同花順 > four 鐵枝 > full house 葫蘆 > flush 同花 > straight 順子 > three 三條
   > two pairs 二對 > pair 對子 > high card 散牌.
R18 Within a type: high card, flush, straight and straight flush by the top card, rank then suit;
   pair by its rank, then its better suit; two pairs by the big pair, the small pair, the better
   suit of the big pair; three and full house by the three; four by the four. Nothing else counts,
   and no two seats tie.
R19 The winner takes the pot. No rake; nobody is ever asked for more than it has.
R20 No answer: fold, even where a check was free. Leaving (逃跑): fold at once, in turn or not; the
   stake stays in the pot and one escape is counted, of seats dealt in.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from qipai.envs import options
from qipai.envs.fields import MOST_COINS, Fields
from qipai.envs.game import Game
from qipai.envs.kernel import kernel
from qipai.envs.layout import Observation, Range, hand_range, put_seat
from qipai.envs.options import MAX_COINS, Options, integer
from qipai.envs.parts import raises, rounds, stud
from qipai.envs.parts.betting import (
    check_stacks,
    end_hand,
    is_on_record,
    last_winner,
    live_seats,
    log_range,
    next_logged,
    pot,
)
from qipai.envs.parts.cards import BIT, parse_card, shuffle_deck
from qipai.envs.parts.five_cards import HAND_NAMES, hand_value, kind_of
from qipai.envs.parts.rounds import FOLD, ask_first, go_out, to_act
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

SEATS = 4
LOWEST = parse_card("D8")  # D8, the lowest card
RANKS, SUITS = 7, 4
CARDS = RANKS * SUITS
ROUNDS = 4  # betting rounds, one after each open card
ANTES_TO_PLAY = 5  # R2

# --- Options ---------------------------------------------------------------------------------

RULES = Options(
    options.seats(SEATS, low=2, high=SEATS, clause="R1"),
    options.hands(clause="R4"),
    options.stack(1000, seats=SEATS, clause="R2"),
    integer(
        "ante", 10, low=1, high=MAX_COINS, meaning="底 a, also the smallest raise", clause="R3, R10"
    ),
)


def check(rules: Mapping[str, Any]) -> None:
    """OptionError if fewer than two seats could be dealt in (R2)."""
    need = ANTES_TO_PLAY * rules["ante"]
    check_stacks("five_card_stud", rules, need, f"{ANTES_TO_PLAY} antes", "ante")


# --- Actions and state -------------------------------------------------------------------------

ACTIONS = raises.actions()  # R8–R10

FIELDS = Fields(
    RULES,
    SEATS,
    *stud.fields(SEATS, CARDS, ROUNDS),
    *raises.fields(SEATS, ROUNDS),
    *rounds.fields(SEATS, ROUNDS, ACTIONS),
)
STATE = FIELDS.dtype


def contradiction(s: np.void) -> str | None:
    """What can't be on a table or in a view: ``Game.contradiction``."""
    return (
        rounds.contradiction(s, can_play, settle)
        or raises.contradiction(s, highest_level)
        or stud.contradiction(s, best_seat)
    )


# --- Ranking (R15–R18) -------------------------------------------------------------------------


@kernel
def value(cards):
    """What 1–5 cards, a set of bits, are worth: higher wins."""
    return hand_value(cards, LOWEST // SUITS, False)


@kernel
def best_seat(s):  # R7, R14
    return best_hand(s, value)


# --- Deal (R1–R5) ------------------------------------------------------------------------------


@kernel
def can_play(s, seat):  # R2
    return not s.away[seat] and s.stack[seat] >= ANTES_TO_PLAY * s.rules.ante


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
    """Deal open cards until there is something to bet (R5, R7, R12), or to the showdown (R14)."""
    while s.street < ROUNDS - 1:
        raises.begin_round(s)
        deal_open_cards(s)
        s.best = best_seat(s)
        if highest_level(s) > 0:
            ask_first(s, s.best)
            return
    s.shown = True
    s.winner = best_seat(s)
    settle(s)


# --- Betting (R8–R13) --------------------------------------------------------------------------


@kernel
def all_in(s):
    """M: the most that every live seat can follow in this hand, without the ante (R10)."""
    shortest = MOST_COINS
    for seat in range(s.seats):
        if s.live[seat]:
            shortest = min(shortest, s.stack[seat])
    return shortest - s.rules.ante


@kernel
def highest_level(s):
    """X (R10)."""
    if s.street == 0:
        return all_in(s) // 4
    if s.street == 1:
        return all_in(s) // 2
    return all_in(s) - s.earlier


@kernel
def legal(s, mask):
    raises.legal(s, mask, highest_level(s))


@kernel
def fold(s, seat):
    go_out(s, seat)
    s.best = best_seat(s)


@kernel
def go_on(s):
    """After an action or a leave: the end of the hand, the seat to act, or the next card."""
    following = to_act(s, s.turn, s.seats)
    if live_seats(s) == 1:  # R13
        s.winner = s.best
        settle(s)
    elif following >= 0:
        s.turn = following
    else:
        next_round(s)


@kernel
def apply(s, action):
    if action == FOLD:
        fold(s, s.turn)
    else:
        raises.stay(s, action, highest_level(s))
    go_on(s)


@kernel
def default(s):  # R20
    return FOLD


@kernel
def leave(s, seat):  # R20
    if s.live[seat]:
        fold(s, seat)
        go_on(s)


# --- Settlement (R19) --------------------------------------------------------------------------


@kernel
def settle(s):
    """The hand goes to ``winner``."""
    for seat in range(s.seats):
        s.coins[seat] = -s.stake[seat]
    s.coins[s.winner] += pot(s)
    end_hand(s, can_play)  # R2


# --- What a seat sees --------------------------------------------------------------------------

OBSERVATION = Observation(
    *stud.card_ranges(SEATS, ROUNDS, RANKS),
    *rounds.stake_ranges(SEATS, ROUNDS),
    raises.made_range(SEATS, ROUNDS),
    *rounds.round_ranges(SEATS, ROUNDS, ACTIONS),
    Range("all_in", 1, "M 全甩: the most all live seats can follow, in antes"),
    *raises.level_ranges(),
    *rounds.pot_ranges(),
    Range("turn", SEATS, "seat to act"),
    raises.next_range(SEATS),
    Range("best", SEATS, "live seat with the best visible hand"),
    Range("ante", 1, "coins of the ante"),
    hand_range(),
    log_range(SEATS, ACTIONS),
)


@kernel
def observe(v, seat, o, known):
    per_ante = 1.0 / v.rules.ante
    stud.observe(v, seat, o, known, RANKS)
    rounds.observe(v, seat, o, per_ante)
    raises.observe(v, seat, o, highest_level(v), per_ante)
    if not v.ended:
        o.all_in = all_in(v) * per_ante
    put_seat(o.best, seat, v.best, v.seats)


# --- Words -------------------------------------------------------------------------------------


def hand_name(s: np.void, seat: int) -> str:
    """What a seat's cards are called."""
    return HAND_NAMES[kind_of(value(sum(int(BIT[card]) for card in seat_cards(s, seat))))]


def report(s: np.void) -> dict[str, Any]:
    """What was settled at the hand's end, and why."""
    return rounds.report(s) | stud.report(s, hand_name) | {"escapes": rounds.escapes(s)}


def show(v: np.void, seat: int | None) -> Scene:
    """What lies on the table, for one seat's eyes; seat None: for all."""
    facts: list[str] = []
    if not v["ended"]:
        facts += [f"level {v['level']}", f"highest level {highest_level(v)}"]
        facts += [f"M (全甩) {all_in(v)}"]
    return rounds.scene(v, ACTIONS, stud.zones(v), *facts)


def max_plies(rules: Mapping[str, Any]) -> int:
    """M never exceeds half of all coins C. Each raise adds at least the ante but for one to X per
    round and one after each fold that lifts X: at most C / 2a + 4 + (seats − 2) raises, each
    answered by seats − 1 actions, and as many checks as seats in each of 4 rounds."""
    seats = int(rules["seats"])
    most = sum(rules["stack"]) // (2 * rules["ante"])  # raises
    return int(rules["hands"] * seats * (most + seats + 6))


GAME = Game(
    name="five_card_stud",
    title="五張牌",
    english="five-card stud",
    summary="Stud with 28 cards, where no bet exceeds what the shortest stack can follow.",
    version=VERSION,
    source="rule pages of a Chinese online game hall (28 cards, 8 to ace)",
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
        "98,280 hands of five cards by type, and their 145 distinct values",
        "28, 45, 48 and 114 distinct visible hands of one to four cards",
        "showdown chances of given cards against all unseen holes",
    ),
    limitations=("The number of seats is not in the source; 2–4 use up to 20 of the 28 cards.",),
    history=("0: first version",),
)
