"""Three-card stud (新三公): two open cards and a hole card, San Gong hands, a cap on all bets.

R1 One deck of 52 cards, shuffled afresh each hand; 2–4 seats.
R2 Dealt in are the seats that have not left and hold at least 11 antes; if fewer than two do, the
   match is over.
R3 Every seat dealt in puts the ante (底金) a into the pot. It is part of the stake (R19), not of
   the limits (R10).
R4 The banker (莊家) is a random seat dealt in in the first hand, later the last winner (if it is
   not dealt in: random). It only gets the first card first.
R5 Three times every live seat gets a card, in playing order, from the start of the deck: an open
   one from the banker on, an open one from the live seat with the best first card on, a hole card
   (底牌) from the live seat whose second card alone is best on.
R6 A hole card is seen by its owner only, until a showdown.
R7 A betting round follows each deal. First speaks the live seat with the best first card, then the
   one whose second card alone is best, then the one with the best two open cards. R14–R18 compare
   them; no two seats tie. The others follow in playing order.
R8 Each round starts at level 0, what a live seat must have put in in this round. A seat folds
   (放棄), checks (owing nothing), calls (跟注), or raises the level; the round ends when every live
   seat has acted since the last raise.
R9 A bet is a raise (加注) from level 0. All others answer a raise in turn, and may raise again
   without limit.
R10 T is the cap or, if smaller, the smallest (stack − ante) of the seats dealt in; it stays for the
   hand. The highest level X is T/10 in round 1, 3T/10 in round 2, then T less what each live seat
   put in in rounds 1 and 2. A raise goes at least a above the level L, or to X if that is nearer.
   On offer are L + a (if below X), X/4, X/2, 3X/4 (each if between L + a and X) and X (if above L),
   all rounded down.
R11 Nobody can be raised beyond T (封頂): when all live seats have put it in, the hands are opened.
R12 The last live seat wins without showing its hole card.
R13 After round 3 (開牌) all live seats show; the best hand wins alone. Hole cards of folded seats
   stay hidden.
R14 Points: A–9 count 1–9, 10 J Q K count 0; of the sum the last digit. Faces (公) are J Q K. Suits
   ♠ > ♥ > ♣ > ♦; ranks K > Q > J > 10 > 9 > … > 2 > A.
R15 Three of a kind (三條) > three faces (三公), not all equal > points.
R16 Three of a kind: the higher rank.
R17 Three faces: the highest card, rank then suit.
R18 Points: the higher number; then a pair (對子) before none, and of two pairs the higher rank,
   then the better suit in it; without pairs more faces, then the highest card, rank then suit. No
   two seats tie.
R19 Of the losers' stakes, those of folded and gone seats included, the house keeps the rake of 2 %;
   what the winner gets is rounded down.
R20 No answer: fold, even where a check was free. Leaving (逃跑): fold at once, in turn or not; the
   stake stays in the pot and one escape is counted. Option escape_rake_all: in a hand that a
   seat dealt in has left, the winner's own stake is raked too.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from qipai.envs import options
from qipai.envs.fields import Field, Fields
from qipai.envs.game import Game
from qipai.envs.kernel import kernel
from qipai.envs.layout import NONE, Observation, Range, hand_range, put_seat
from qipai.envs.match import as_begun, next_seat
from qipai.envs.options import MAX_COINS, OptionError, Options, flag, integer
from qipai.envs.parts import raises, rounds, stud
from qipai.envs.parts.betting import (
    check_stacks,
    deal_in,
    end_hand,
    is_on_record,
    last_winner,
    live_seats,
    log_range,
    next_logged,
    pot,
)
from qipai.envs.parts.cards import shuffle_deck
from qipai.envs.parts.faces import faces, order
from qipai.envs.parts.points import points
from qipai.envs.parts.rounds import FOLD, ask_first, escaped, go_out, to_act
from qipai.envs.parts.stud import census, conceal, next_card, redeal
from qipai.envs.scene import Scene

VERSION = 0

# --- Dimensions ------------------------------------------------------------------------------

SEATS = 4
RANKS, SUITS = 13, 4
CARDS = RANKS * SUITS
ROUNDS = 3  # deals of one card to each seat, and a betting round after each
SHOWDOWN = ROUNDS  # compared like a round (R7), but by all three cards
OPEN, HAND = 2, 3  # open cards of a seat, and all
ANTES_TO_PLAY = 11  # R2
ANTES_IN_CAP = 10  # so that T/10 is never below the smallest bet

# --- Options ---------------------------------------------------------------------------------

RULES = Options(
    options.seats(SEATS, low=2, high=SEATS, clause="R1"),
    options.hands(clause="R4"),
    options.stack(2000, seats=SEATS, clause="R2"),
    integer(
        "ante",
        10,
        low=1,
        high=MAX_COINS,
        meaning="底金 a, also the smallest raise",
        clause="R3, R10",
    ),
    integer(
        "cap",
        1000,
        low=ANTES_IN_CAP,
        high=MAX_COINS,
        meaning="most a seat puts in beyond the ante",
        clause="R10",
    ),
    integer(
        "rake",
        2,
        low=0,
        high=100,
        meaning="percent of the losers' stakes for the house",
        clause="R19",
    ),
    flag(
        "escape_rake_all", False, meaning="a seat that leaves makes all stakes raked", clause="R20"
    ),
)


def check(rules: Mapping[str, Any]) -> None:
    """OptionError if the cap is too low (R10) or fewer than two seats could be dealt in (R2)."""
    ante, cap = rules["ante"], rules["cap"]
    if cap < ANTES_IN_CAP * ante:
        raise OptionError(
            f"new_san_gong: cap={cap} is too low for ante={ante}; "
            f"allowed: at least {ANTES_IN_CAP} antes ({ANTES_IN_CAP * ante})"
        )
    need = ANTES_TO_PLAY * ante
    check_stacks("new_san_gong", rules, need, f"{ANTES_TO_PLAY} antes", "ante")


# --- Actions and state -------------------------------------------------------------------------

ACTIONS = raises.actions()  # R8–R10

FIELDS = Fields(
    RULES,
    SEATS,
    Field.seat("banker", "the banker"),
    Field.coins("limit", "T: the most a seat may put in beyond the ante"),
    *stud.card_fields(SEATS, CARDS, OPEN),
    *raises.fields(SEATS, ROUNDS),
    *rounds.fields(SEATS, ROUNDS, ACTIONS),
)
STATE = FIELDS.dtype


def contradiction(s: np.void) -> str | None:
    """What can't be on a table or in a view: ``Game.contradiction``."""
    return (
        rounds.contradiction(s, can_play, settle)
        or wrong_limit(s)
        or raises.contradiction(s, highest_level)
        or wrong_cards(s)
    )


def wrong_limit(s: np.void) -> str | None:
    """Whether T is what R10 says."""
    stacks = as_begun(s)["stack"][s["dealt_in"] == 1]
    limit = min(s["rules"]["cap"], stacks.min() - s["rules"]["ante"])
    if s["limit"] != limit:
        return f"limit is {s['limit']}: cap and stacks make it {limit}"
    return None


def wrong_cards(s: np.void) -> str | None:
    """Who has how many cards, which of them are seen, and who is best at a showdown."""
    if not s["dealt_in"][s["banker"]]:
        return f"banker is {s['banker']}, a seat that is not dealt in"
    cards = rounds.rounds_in(s)  # one a round, the last one hidden
    fault = stud.card_contradiction(s, cards == HAND, np.minimum(cards, OPEN))
    if not fault and s["shown"] and s["winner"] != best_seat(s, SHOWDOWN):
        return f"winner is {s['winner']}: the best cards are those of another live seat"
    return fault


# --- Ranking (R14–R18) -------------------------------------------------------------------------

THREE_FACES, THREE_OF_A_KIND = 10, 11  # above 0–9 points
HAND_NAMES = (
    *("0 points", "1 point", *(f"{n} points" for n in range(2, 10))),
    *("three faces", "three of a kind"),
)
PAIR = 3  # in a tie of points above 0–2 faces


@kernel
def better_of_pair(a, b, c):
    """The place in order of the better card of a pair; negative if there is none."""
    a, b, c = order(a), order(b), order(c)
    best = NONE
    if a // SUITS == b // SUITS:
        best = max(a, b)
    if a // SUITS == c // SUITS:
        best = max(best, a, c)
    if b // SUITS == c // SUITS:
        best = max(best, b, c)
    return best


@kernel
def value(a, b, c):
    """What one to three cards are worth; the others are NONE.

    Of two hands of as many cards the higher value wins. It counts the kind (an index into
    ``HAND_NAMES``), for equal points what breaks the tie, and the card that decides then.
    """
    best = max(order(a), order(b), order(c))
    if c >= 0 and a // SUITS == b // SUITS and b // SUITS == c // SUITS:
        kind, tie, best = THREE_OF_A_KIND, 0, best // SUITS
    elif faces(a, b, c) == HAND:
        kind, tie = THREE_FACES, 0
    else:
        kind, tie = points(a, b, c), faces(a, b, c)
        pair = better_of_pair(a, b, c)
        if pair >= 0:
            tie, best = PAIR, pair
    return (kind * (PAIR + 1) + tie) * CARDS + best


@kernel
def kind_of(value):
    """The kind of hand with this value, an index into ``HAND_NAMES``."""
    return value // ((PAIR + 1) * CARDS)


@kernel
def cards_of(s, seat):
    """The open cards in order, and the hole card."""
    return np.int64(s.up[seat, 0]), np.int64(s.up[seat, 1]), np.int64(s.hole[seat])


@kernel
def compared(s, seat, street):
    """What the cards that count in a round, or at the showdown, are worth (R7, R13)."""
    first, second, hole = cards_of(s, seat)
    if street == 0:
        return value(first, NONE, NONE)
    if street == 1:
        return value(second, NONE, NONE)
    return value(first, second, hole if street == SHOWDOWN else NONE)


@kernel
def best_seat(s, street):
    """The live seat with the best cards of those that count in a round or at the showdown."""
    best, highest = -1, -1
    for seat in range(s.seats):
        if s.live[seat]:
            worth = compared(s, seat, street)
            if worth > highest:
                best, highest = seat, worth
    return best


# --- Deal (R1–R5) ------------------------------------------------------------------------------


@kernel
def can_play(s, seat):  # R2
    return not s.away[seat] and s.stack[seat] >= ANTES_TO_PLAY * s.rules.ante


@kernel
def deal(s):
    shuffle_deck(s)
    s.banker = last_winner(s, can_play)  # R4
    deal_from_deck(s)


@kernel
def deal_from_deck(s):
    """Start the hand that follows from ``deck`` and ``banker``."""
    s.winner = NONE
    s.limit = s.rules.cap
    for seat in range(s.seats):
        if can_play(s, seat):
            deal_in(s, seat, s.rules.ante)  # R3
            s.limit = min(s.limit, s.stack[seat] - s.rules.ante)  # R10
    open_round(s, s.banker)


@kernel
def dealt_card(s, seat, street):
    """The card that a seat got in a round; negative if it got none or it is hidden."""
    return s.up[seat, street] if street < OPEN else s.hole[seat]


@kernel
def restart(s, later):
    for k in range(CARDS):
        s.deck[k] = later.deck[k]
    place, first = 0, later.banker
    for street in range(later.street + 1):
        for seat in range(s.seats):  # who got a card was live, and the best of them had the first
            s.live[seat] = dealt_card(later, seat, street) >= 0
            if street > 0:
                s.up[seat, street - 1] = later.up[seat, street - 1]
        if street > 0:
            first = best_seat(s, street - 1)
        for k in range(s.seats):
            seat = (first + k) % s.seats
            if s.live[seat]:
                s.deck[place] = dealt_card(later, seat, street)
                place += 1
    s.live[:] = 0
    s.up[:, :] = NONE
    s.banker = later.banker
    deal_from_deck(s)
    return is_on_record(later)


@kernel
def open_round(s, first):
    """Deal one card to each live seat from ``first`` on and ask for bets (R5, R7)."""
    raises.begin_round(s)
    for k in range(s.seats):
        seat = (first + k) % s.seats
        if s.live[seat]:
            if s.street < OPEN:
                s.up[seat, s.street] = next_card(s)
            else:
                s.hole[seat] = next_card(s)
    ask_first(s, best_seat(s, s.street))


@kernel
def next_round(s):
    if s.street + 1 < ROUNDS:
        open_round(s, best_seat(s, s.street))
    else:  # R13
        s.shown = True
        s.winner = best_seat(s, SHOWDOWN)
        settle(s)


# --- Betting (R8–R12) --------------------------------------------------------------------------


@kernel
def highest_level(s):
    """X (R10)."""
    if s.street == 0:
        return s.limit // 10
    if s.street == 1:
        return 3 * s.limit // 10
    return s.limit - s.earlier


@kernel
def legal(s, mask):
    raises.legal(s, mask, highest_level(s))


@kernel
def go_on(s):
    """After an action or a leave: the end of the hand, the seat to act, or the next card."""
    following = to_act(s, s.turn, s.seats)
    if live_seats(s) == 1:  # R12
        s.winner = best_seat(s, 0)
        settle(s)
    elif following >= 0:
        s.turn = following
    else:
        next_round(s)


@kernel
def apply(s, action):
    if action == FOLD:
        go_out(s, s.turn)
    else:
        raises.stay(s, action, highest_level(s))
    go_on(s)


@kernel
def default(s):  # R20
    return FOLD


@kernel
def leave(s, seat):  # R20
    if s.live[seat]:
        go_out(s, seat)
        go_on(s)


# --- Settlement (R19, R20) ---------------------------------------------------------------------


@kernel
def after_rake(s, coins):
    return coins * (100 - s.rules.rake) // 100


@kernel
def settle(s):
    """The hand goes to ``winner``."""
    winner, escapes = s.winner, 0
    for seat in range(s.seats):
        s.coins[seat] = -s.stake[seat]
        escapes += escaped(s, seat)
    lost = pot(s) - s.stake[winner]
    if s.rules.escape_rake_all and escapes > 0:
        s.coins[winner] += after_rake(s, pot(s))
    else:
        s.coins[winner] = after_rake(s, lost)
    s.house = lost - s.coins[winner]
    end_hand(s, can_play)  # R2


# --- What a seat sees --------------------------------------------------------------------------

OBSERVATION = Observation(
    *stud.card_ranges(SEATS, OPEN, RANKS),
    Range("own", 3, "own cards, the hole card too: points, pair, faces"),
    Range("points", SEATS, "points of the open cards"),
    *rounds.stake_ranges(SEATS, ROUNDS),
    raises.made_range(SEATS, ROUNDS),
    *rounds.round_ranges(SEATS, ROUNDS, ACTIONS),
    Range("limit", 1, "T: the most a seat puts in beyond the ante, in antes"),
    *raises.level_ranges(),
    *rounds.pot_ranges(),
    Range("turn", SEATS, "seat to act"),
    raises.next_range(SEATS),
    Range("banker", SEATS, "the banker"),
    Range("ante", 1, "coins of the ante"),
    Range("rake", 1, "share of the losers' stakes that the house keeps"),
    hand_range(),
    log_range(SEATS, ACTIONS),
)


@kernel
def observe(v, seat, o, known):
    per_ante = 1.0 / v.rules.ante
    stud.observe(v, seat, o, known, RANKS)
    rounds.observe(v, seat, o, per_ante)
    raises.observe(v, seat, o, highest_level(v), per_ante)
    a, b, c = cards_of(v, seat)
    o.own[0] = points(a, b, c)
    o.own[1] = better_of_pair(a, b, c) >= 0
    o.own[2] = faces(a, b, c)
    p = seat
    for k in range(v.seats):
        a, b, _ = cards_of(v, p)
        o.points[k] = points(a, b, NONE)
        p = next_seat(v, p)
    o.limit = v.limit * per_ante
    put_seat(o.banker, seat, v.banker, v.seats)
    o.rake = v.rules.rake / 100


# --- Words -------------------------------------------------------------------------------------


def hand_name(s: np.void, seat: int) -> str:
    """What a seat's cards are called."""
    return HAND_NAMES[kind_of(value(*cards_of(s, seat)))]


def report(s: np.void) -> dict[str, Any]:
    """What was settled at the hand's end, and why."""
    return rounds.report(s) | stud.report(s, hand_name) | {"escapes": rounds.escapes(s)}


def role(v: np.void, seat: int) -> str:
    """What a seat is in this hand, in a word or two."""
    known = rounds.role(v, seat)
    return "banker" if known == "live" and v["banker"] == seat else known


def show(v: np.void, seat: int | None) -> Scene:
    """What lies on the table, for one seat's eyes; seat None: for all."""
    facts = [f"cap T {v['limit']}"]
    if not v["ended"]:
        facts += [f"level {v['level']}", f"highest level {highest_level(v)}"]
    return rounds.scene(v, ACTIONS, stud.zones(v), *facts, role=role)


def max_plies(rules: Mapping[str, Any]) -> int:
    """Each raise adds at least the ante but for one to X per round: at most T / a + 3 raises, each
    answered by seats − 1 actions, and as many checks as seats in each of 3 rounds."""
    return int(rules["hands"] * rules["seats"] * (rules["cap"] // rules["ante"] + 2 * ROUNDS))


GAME = Game(
    name="new_san_gong",
    title="新三公",
    english="three-card stud",
    summary="Stud with two open cards and a hole card: three of a kind, three faces, then points.",
    version=VERSION,
    source="rule pages of a Chinese online game hall (52 cards, a cap on bets, 2 % rake)",
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
        "22,100 hands of three cards by kind, points, pairs and faces",
        "52, 347 and 804 distinct values of one, two and three cards; equal ones share a card",
        "showdown chances of given cards against all unseen hole cards",
    ),
    limitations=(
        "The source names no rooms and no amounts: stacks, ante and cap are ours.",
        "The source does not say who may play: a seat needs 11 antes, so that a tenth of the cap "
        "holds the smallest bet.",
    ),
    history=("0: first version",),
)
