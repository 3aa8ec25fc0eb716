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
from qipai.envs.fields import Fields
from qipai.envs.game import Game
from qipai.envs.kernel import kernel
from qipai.envs.layout import HIDDEN, NONE, Actions, Observation, Range, hand_range, put_seat
from qipai.envs.match import ENDED, close_hand
from qipai.envs.options import MAX_COINS, OptionError, Options, integer
from qipai.envs.parts import betting, stud
from qipai.envs.parts.betting import (
    LOG,
    is_on_record,
    live_seats,
    log_in_round,
    log_lines,
    next_logged,
    players,
    pot,
    put_log,
    random_player,
    to_act,
)
from qipai.envs.parts.cards import BIT, card_name, parse_card, put_card
from qipai.envs.parts.five_cards import HAND_NAMES, hand_value, kind_of
from qipai.envs.parts.raises import (
    RAISE_NAMES,
    RAISES,
    raise_contradiction,
    raise_fields,
    raise_to,
)
from qipai.envs.parts.stud import (
    census,
    conceal,
    gather,
    next_card,
    redeal,
    seat_cards,
    visible_hand,
)
from qipai.envs.rng import shuffle
from qipai.envs.scene import BACK, Place, Scene, Zone

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
    if sum(stack >= need for stack in rules["stack"]) < 2:
        raise OptionError(
            f"five_card_stud: stack={list(rules['stack'])!r} with ante={rules['ante']} lets fewer "
            f"than two seats play; allowed: at least two stacks of {ANTES_TO_PLAY} antes ({need}) "
            "or more"
        )


# --- Actions (R8–R10) --------------------------------------------------------------------------

ACTIONS = Actions()
FOLD = ACTIONS.add("fold", ["fold"], "always")
CHECK = ACTIONS.add("check", ["check"], "nothing owed")
CALL = ACTIONS.add("call", ["call"], "something owed")
RAISE = ACTIONS.add("raise", RAISE_NAMES, "the level it goes to is on offer (R10)")
ACTION_COUNT = ACTIONS.width

# --- State -----------------------------------------------------------------------------------

FIELDS = Fields(
    RULES,
    SEATS,
    *stud.fields(SEATS, CARDS, ROUNDS),
    *raise_fields(SEATS, ROUNDS),
    *betting.fields(SEATS, ROUNDS, ACTIONS),
    betting.fled_field(SEATS),
)
STATE = FIELDS.dtype


def contradiction(s: np.void) -> str | None:
    """What can't be on a table or in a view: ``Game.contradiction``."""
    return (
        betting.contradiction(s, can_play, settle, FOLD)
        or betting.fled_contradiction(s)
        or raise_contradiction(s, highest_level)
        or stud.contradiction(s, betting.rounds_in(s, FOLD), best_seat)
    )


# --- Ranking (R15–R18) -------------------------------------------------------------------------


@kernel
def value(cards):
    """What 1–5 cards, a set of bits, are worth: higher wins."""
    return hand_value(cards, LOWEST // SUITS, False)


@kernel
def best_seat(s):
    """The live seat with the best cards: open ones, and holes once they are shown (R7, R14)."""
    best, highest = -1, -1
    for seat in range(s.seats):
        if s.live[seat]:
            cards = visible_hand(s, seat)
            if s.shown:
                cards |= BIT[s.hole[seat]]
            worth = value(cards)
            if worth > highest:
                best, highest = seat, worth
    return best


# --- Deal (R1–R5) ------------------------------------------------------------------------------


@kernel
def can_play(s, seat):  # R2
    return not s.away[seat] and s.stack[seat] >= ANTES_TO_PLAY * s.rules.ante


@kernel
def deal(s):
    for k in range(CARDS):
        s.deck[k] = LOWEST + k
    shuffle(s.rng, s.deck, CARDS)
    if s.hand == 0 or not can_play(s, s.winner):  # R4
        s.first = random_player(s, can_play)
    else:
        s.first = s.winner
    deal_from_deck(s)


@kernel
def deal_from_deck(s):
    """Start the hand that follows from ``deck`` and ``first``."""
    s.winner = NONE
    for k in range(s.seats):
        seat = (s.first + k) % s.seats
        if can_play(s, seat):
            s.dealt_in[seat] = 1
            s.live[seat] = 1
            s.stake[seat] = s.rules.ante  # R3
            s.hole[seat] = next_card(s)
    s.best = s.first  # before the first open card
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
        s.earlier += s.level
        s.level = 0
        s.street += 1
        first = s.best
        for k in range(s.seats):
            seat = (first + k) % s.seats
            if s.live[seat]:
                s.up[seat, s.street] = next_card(s)
        s.best = best_seat(s)
        if highest_level(s) > 0:
            s.acted[:] = 0
            s.opener[s.street] = s.best
            s.turn = s.best
            return
    s.shown = True
    s.winner = best_seat(s)
    settle(s)


# --- Betting (R8–R13) --------------------------------------------------------------------------


@kernel
def all_in(s):
    """M: the most that every live seat can follow in this hand, without the ante (R10)."""
    shortest = MAX_COINS
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
def raise_level(s, action, highest):
    """The level a raise goes to when X is ``highest``; 0 if it is not on offer (R10)."""
    return raise_to(action - RAISE, s.level, s.rules.ante, highest)


@kernel
def legal(s, mask):
    mask[FOLD] = 1
    mask[CHECK if s.paid[s.street, s.turn] == s.level else CALL] = 1
    highest = highest_level(s)
    for action in range(RAISE, ACTION_COUNT):
        mask[action] = raise_level(s, action, highest) > 0


@kernel
def fold(s, seat):
    log_in_round(s, seat, FOLD)
    s.live[seat] = 0
    s.best = best_seat(s)


@kernel
def pay(s, seat):
    """Put in what is owed."""
    owed = s.level - s.paid[s.street, seat]
    s.paid[s.street, seat] += owed
    s.stake[seat] += owed


@kernel
def go_on(s):
    """After an action or a leave: the end of the hand, the seat to act, or the next card."""
    following = to_act(s, s.turn, s.seats)
    if live_seats(s) == 1:  # R13
        s.winner = s.best
        settle(s)
    elif following == NONE:
        next_round(s)
    else:
        s.turn = following


@kernel
def apply(s, action):
    seat = s.turn
    if action == FOLD:
        fold(s, seat)
    else:
        log_in_round(s, seat, action)
        if action >= RAISE:
            s.level = raise_level(s, action, highest_level(s))
            s.raises[s.street, seat] += 1
            s.acted[:] = 0
        pay(s, seat)
        s.acted[seat] = 1
    go_on(s)


@kernel
def default(s):  # R20
    return FOLD


@kernel
def leave(s, seat):  # R20
    s.fled[seat] = s.dealt_in[seat]
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
    close_hand(s)
    if players(s, can_play) < 2:  # R2
        s.over = ENDED


# --- What a seat sees --------------------------------------------------------------------------


CARD = RANKS + SUITS  # entries for one card

OBSERVATION = Observation(
    Range("hole", (SEATS, CARD), "hole card: rank 8 … A, suit ♦ ♣ ♥ ♠", "the owner"),
    Range("up", (SEATS, ROUNDS, CARD), "open cards in order: rank, suit"),
    Range("status", (SEATS, 4), "dealt in, live, folded, gone"),
    Range("stacks", SEATS, "coins left, in antes"),
    Range("stakes", SEATS, "put in in this hand, in antes"),
    Range("paid", (ROUNDS, SEATS), "put in by round, without the ante, in antes"),
    Range("paid_now", SEATS, "put in in this round, in antes"),
    Range("raises", (ROUNDS, SEATS), "raises made by round"),
    Range("last_action", (ROUNDS, SEATS, ACTION_COUNT), "last action of each seat by round"),
    Range("opener", (ROUNDS, SEATS), "who spoke first in each round"),
    Range("street", ROUNDS, "betting round"),
    Range("level", 1, "what a live seat must have put in in this round, in antes"),
    Range("owed", 1, "what the own seat owes, in antes"),
    Range("all_in", 1, "M 全甩: the most all live seats can follow, in antes"),
    Range("highest_level", 1, "X of this round, in antes"),
    Range("raise_levels", RAISES, "levels on offer, in antes; 0: not offered"),
    Range("pot", 1, "all stakes, in antes"),
    Range("live_seats", 1, "number of live seats"),
    Range("turn", SEATS, "seat to act"),
    Range(
        "next", SEATS, "the first seat after the own one that has yet to act; none: no such seat"
    ),
    Range("best", SEATS, "live seat with the best visible hand"),
    Range("ante", 1, "coins of the ante"),
    hand_range(),
    Range("log", (LOG, SEATS + ACTION_COUNT), "last actions, newest first: seat, action"),
)


@kernel
def observe(v, seat, o, known):
    unit = 1.0 / v.rules.ante
    p = seat
    for k in range(v.seats):
        put_card(o.hole[k], known.hole[k], v.hole[p], LOWEST, RANKS)
        for i in range(ROUNDS):
            put_card(o.up[k, i], known.up[k, i], v.up[p, i], LOWEST, RANKS)
            o.paid[i, k] = v.paid[i, p] * unit
            o.raises[i, k] = v.raises[i, p]
            if v.last_action[i, p] >= 0:
                o.last_action[i, k, v.last_action[i, p]] = 1
        o.status[k, 0] = v.dealt_in[p]
        o.status[k, 1] = v.live[p]
        o.status[k, 2] = v.dealt_in[p] - v.live[p]
        o.status[k, 3] = v.away[p]
        # A hand that has ended has paid its coins into the stacks.
        o.stacks[k] = (v.stack[p] if v.ended else v.stack[p] - v.stake[p]) * unit
        o.stakes[k] = v.stake[p] * unit
        o.paid_now[k] = v.paid[v.street, p] * unit
        o.live_seats += v.live[p]
        p = p + 1 if p + 1 < v.seats else 0
    for i in range(ROUNDS):
        put_seat(o.opener[i], seat, v.opener[i], v.seats)
    o.street[v.street] = 1
    o.pot = pot(v) * unit
    if not v.ended:
        highest = highest_level(v)
        o.level = v.level * unit
        if v.live[seat]:
            o.owed = (v.level - v.paid[v.street, seat]) * unit
        o.all_in = all_in(v) * unit
        o.highest_level = highest * unit
        for k in range(RAISES):
            o.raise_levels[k] = raise_level(v, RAISE + k, highest) * unit
        put_seat(o.turn, seat, v.turn, v.seats)
        put_seat(o.next, seat, to_act(v, seat + 1, v.seats - 1), v.seats)
    put_seat(o.best, seat, v.best, v.seats)
    o.ante = v.rules.ante
    put_log(o.log, v, seat, SEATS)


# --- Words -------------------------------------------------------------------------------------


def report(s: np.void) -> dict[str, Any]:
    """What was settled at the hand's end, and why."""
    hands = [
        HAND_NAMES[kind_of(value(sum(int(BIT[card]) for card in seat_cards(s, seat))))]
        if s["shown"] and s["live"][seat]
        else None
        for seat in range(s["seats"])
    ]
    return {
        "reason": "showdown" if s["shown"] else "one seat left",
        "winner": int(s["winner"]),
        "hands": hands,
        "holes": [
            card_name(int(s["hole"][seat])) if hand else None for seat, hand in enumerate(hands)
        ],
        "stakes": [int(stake) for stake in s["stake"][: len(hands)]],
        "escapes": [int(fled) for fled in s["fled"][: len(hands)]],
    }


def role(v: np.void, seat: int) -> str:
    """What a seat is in this hand, in a word or two."""
    if v["away"][seat]:
        return "gone"
    if not v["dealt_in"][seat]:
        return "sitting out"
    if not v["live"][seat]:
        return "folded"
    return "winner" if v["winner"] == seat else "live"


def show(v: np.void, seat: int | None) -> Scene:
    """What lies on the table, for one seat's eyes; seat None: for all."""
    street = int(v["street"])
    places, zones = [], []
    for p in range(v["seats"]):
        left = int(v["stack"][p]) - (0 if v["ended"] else int(v["stake"][p]))
        action = int(v["last_action"][street, p])
        said = ACTIONS.name(action) if action >= 0 else ""
        places.append(Place(p, role(v, p), left, bet=int(v["stake"][p]), note=said))
        cards = tuple(BACK if card == HIDDEN else card_name(card) for card in seat_cards(v, p))
        zones.append(Zone("hole card", cards[:1], owner=p))
        zones.append(Zone("open cards", cards[1:], owner=p))
    zones.append(Zone("deck", (), note=f"{CARDS - v['dealt']} cards"))
    facts = [
        f"round {street + 1} of {ROUNDS}",
        f"pot {v['stake'].sum()}",
        f"ante {v['rules']['ante']}",
    ]
    if not v["ended"]:
        facts += [
            f"level {v['level']}",
            f"highest level {highest_level(v)}",
            f"M (全甩) {all_in(v)}",
        ]
    return Scene(tuple(places), tuple(zones), tuple(facts), log_lines(v, ACTIONS))


def max_plies(rules: Mapping[str, Any]) -> int:
    """M never exceeds half of all coins C. Each raise adds at least the ante but for one to X per
    round and one after each fold that lifts X: at most C / 2a + 4 + (seats − 2) raises, each
    answered by seats − 1 actions, and as many checks as seats in each of 4 rounds."""
    seats = int(rules["seats"])
    raises = sum(rules["stack"]) // (2 * rules["ante"])
    return int(rules["hands"] * seats * (raises + seats + 6))


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
