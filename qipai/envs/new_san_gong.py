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
   stake stays in the pot. Option escape_rake_all: in a hand that a seat dealt in has left, the
   winner's own stake is raked too.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from qipai.envs import options
from qipai.envs.fields import Field, Fields
from qipai.envs.game import Game
from qipai.envs.kernel import kernel
from qipai.envs.layout import HIDDEN, NONE, Actions, Observation, Range, hand_range, put_seat
from qipai.envs.match import ENDED, close_hand
from qipai.envs.options import MAX_COINS, OptionError, Options, flag, integer
from qipai.envs.parts import betting
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
from qipai.envs.parts.cards import (
    BIT,
    card_field,
    card_name,
    deck_contradiction,
    put_card,
)
from qipai.envs.parts.raises import (
    RAISE_NAMES,
    RAISES,
    raise_contradiction,
    raise_fields,
    raise_to,
)
from qipai.envs.rng import conceal_rng, shuffle
from qipai.envs.scene import BACK, Place, Scene, Zone

VERSION = 0

# --- Dimensions ------------------------------------------------------------------------------

SEATS = 4
RANKS, SUITS = 13, 4
CARDS = RANKS * SUITS
ROUNDS = 3  # deals of one card to each seat, and a betting round after each
SHOWDOWN = ROUNDS  # compared like a round (R7), but by all three cards
OPEN, HAND = 2, 3  # cards of a seat
HOLE = OPEN  # the place of the hole card, after the open ones
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
    if sum(stack >= need for stack in rules["stack"]) < 2:
        raise OptionError(
            f"new_san_gong: stack={list(rules['stack'])!r} with ante={ante} lets fewer than two "
            f"seats play; allowed: at least two stacks of {ANTES_TO_PLAY} antes ({need}) or more"
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
    Field.number("dealt", CARDS, "cards dealt so far"),
    Field.seat("banker", "the banker"),
    Field.coins("limit", "T: the most a seat may put in beyond the ante"),
    card_field("deck", "cards still to deal; none: dealt", CARDS, hidden=True),
    card_field("cards", "in the order dealt, the hole card last", (SEATS, HAND), hidden=True),
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
        or wrong_limit(s)
        or raise_contradiction(s, highest_level)
        or wrong_cards(s)
    )


def wrong_limit(s: np.void) -> str | None:
    """Whether T is what R10 says."""
    stacks = betting.as_dealt(s)["stack"][s["dealt_in"] == 1]
    limit = min(s["rules"]["cap"], stacks.min() - s["rules"]["ante"])
    if s["limit"] != limit:
        return f"limit is {s['limit']}: cap and stacks make it {limit}"
    return None


def wrong_cards(s: np.void) -> str | None:
    """Who has how many cards, which of them are seen, and who is best at a showdown."""
    if not s["dealt_in"][s["banker"]]:
        return f"banker is {s['banker']}, a seat that is not dealt in"
    rounds = betting.rounds_in(s, FOLD)
    for seat, cards in enumerate(s["cards"]):
        if ((cards != NONE) != (np.arange(HAND) < rounds[seat])).any():
            return f"cards[{seat}] is {cards.tolist()}: expected {rounds[seat]}, the first ones"
        known = HAND if s["shown"] and s["live"][seat] else OPEN
        if (cards[:known] == HIDDEN).any():
            return f"cards[{seat}] is {cards.tolist()}: the first {known} are seen by all"
    fault = deck_contradiction(s, [int(card) for card in s["cards"].flat if card != NONE])
    if not fault and s["shown"] and s["winner"] != best_seat(s, SHOWDOWN):
        return f"winner is {s['winner']}: the best cards are those of another live seat"
    return fault


# --- Ranking (R14–R18) -------------------------------------------------------------------------

THREE_FACES, THREE_OF_A_KIND = 10, 11  # above 0–9 points
HAND_NAMES = (
    *("0 points", "1 point", *(f"{n} points" for n in range(2, 10))),
    *("three faces", "three of a kind"),
)
TEN, JACK = 9, 10  # ranks in this game's order: A, 2, …, 9, 10, J, Q, K are 0…12
PAIR = 3  # in a tie of points above 0–2 faces


@kernel
def order(card):
    """The place of a card in this game's order, 4 × rank + suit; negative if there is none."""
    return (card + SUITS) % CARDS if card >= 0 else NONE


@kernel
def point(card):
    rank = order(card) // SUITS
    return rank + 1 if rank < TEN else 0


@kernel
def points(a, b, c):
    """Points of one to three cards (R14); the others are NONE."""
    return (point(a) + point(b) + point(c)) % 10


@kernel
def faces(a, b, c):
    """How many of the cards are J, Q or K."""
    face = SUITS * JACK
    return int(order(a) >= face) + int(order(b) >= face) + int(order(c) >= face)


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
    return np.int64(s.cards[seat, 0]), np.int64(s.cards[seat, 1]), np.int64(s.cards[seat, HOLE])


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
    for card in range(CARDS):
        s.deck[card] = card
    shuffle(s.rng, s.deck, CARDS)
    if s.hand == 0 or not can_play(s, s.winner):  # R4
        s.banker = random_player(s, can_play)
    else:
        s.banker = s.winner
    deal_from_deck(s)


@kernel
def deal_from_deck(s):
    """Start the hand that follows from ``deck`` and ``banker``."""
    s.winner = NONE
    s.limit = s.rules.cap
    for seat in range(s.seats):
        if can_play(s, seat):
            s.dealt_in[seat] = 1
            s.live[seat] = 1
            s.stake[seat] = s.rules.ante  # R3
            s.limit = min(s.limit, s.stack[seat] - s.rules.ante)  # R10
    open_round(s, np.int64(0), s.banker)


@kernel
def restart(s, later):
    for k in range(CARDS):
        s.deck[k] = later.deck[k]
    place, first = 0, later.banker
    for street in range(later.street + 1):
        for seat in range(s.seats):  # who got a card was live, and the best of them had the first
            s.live[seat] = later.cards[seat, street] >= 0
            if street > 0:
                s.cards[seat, street - 1] = later.cards[seat, street - 1]
        if street > 0:
            first = best_seat(s, street - 1)
        for k in range(s.seats):
            seat = (first + k) % s.seats
            if later.cards[seat, street] >= 0:
                s.deck[place] = later.cards[seat, street]
                place += 1
    s.live[:] = 0
    s.cards[:, :] = NONE
    s.banker = later.banker
    deal_from_deck(s)
    return is_on_record(later)


@kernel
def open_round(s, street, first):
    """Deal one card to each live seat from ``first`` on and ask for bets (R5, R7)."""
    for k in range(s.seats):
        seat = (first + k) % s.seats
        if s.live[seat]:
            s.cards[seat, street] = s.deck[s.dealt]
            s.deck[s.dealt] = NONE
            s.dealt += 1
    s.street = street
    s.level = 0
    s.acted[:] = 0
    s.turn = best_seat(s, street)
    s.opener[street] = s.turn


@kernel
def next_round(s):
    street = s.street
    if street + 1 < ROUNDS:
        s.earlier += s.level
        open_round(s, street + 1, np.int64(best_seat(s, street)))
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
def raise_level(s, action, highest):
    """The level a raise goes to when X is ``highest``; 0 if it is not on offer (R10)."""
    return raise_to(action - RAISE, s.level, s.rules.ante, highest)


@kernel
def owed(s, seat):
    """What a live seat lacks to the level."""
    return s.level - s.paid[s.street, seat]


@kernel
def legal(s, mask):
    mask[FOLD] = 1
    mask[CALL if owed(s, s.turn) else CHECK] = 1
    highest = highest_level(s)
    for action in range(RAISE, ACTION_COUNT):
        mask[action] = raise_level(s, action, highest) > 0


@kernel
def fold(s, seat):
    log_in_round(s, seat, FOLD)
    s.live[seat] = 0


@kernel
def pay(s, seat):
    """Put in what is owed."""
    coins = owed(s, seat)
    s.paid[s.street, seat] += coins
    s.stake[seat] += coins


@kernel
def go_on(s):
    """After an action or a leave: the end of the hand, the seat to act, or the next card."""
    following = to_act(s, s.turn, s.seats)
    if live_seats(s) == 1:  # R12
        s.winner = best_seat(s, np.int64(0))
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
        escapes += s.fled[seat]
    lost = pot(s) - s.stake[winner]
    if s.rules.escape_rake_all and escapes > 0:
        s.coins[winner] += after_rake(s, pot(s))
    else:
        s.coins[winner] = after_rake(s, lost)
    s.house = lost - s.coins[winner]
    close_hand(s)
    if players(s, can_play) < 2:  # R2
        s.over = ENDED


# --- What a seat sees --------------------------------------------------------------------------


@kernel
def conceal(s, seat):
    conceal_rng(s.rng)
    for other in range(s.seats):
        if other != seat and s.cards[other, HOLE] >= 0 and not (s.shown and s.live[other]):
            s.cards[other, HOLE] = HIDDEN
    for k in range(s.dealt, CARDS):
        s.deck[k] = HIDDEN


@kernel
def seen_cards(s):
    """All cards on the table that are not HIDDEN, as a set: card c is bit c."""
    seen = np.int64(0)
    for seat in range(s.seats):
        for k in range(HAND):
            if s.cards[seat, k] >= 0:
                seen |= BIT[s.cards[seat, k]]
    return seen


@kernel
def redeal(s, seat):
    """Spread the unseen cards over the hidden holes and the rest of the deck.

    They are gathered at the end of the deck, which has room for them where the cards now hidden
    were dealt from.
    """
    seen = seen_cards(s)
    start = s.dealt
    for other in range(s.seats):
        start -= s.cards[other, HOLE] == HIDDEN
    place = start
    for card in range(CARDS):
        if not (seen >> card) & 1:
            s.deck[place] = card
            place += 1
    shuffle(s.rng, s.deck[start:], CARDS - start)
    for other in range(s.seats):
        if s.cards[other, HOLE] == HIDDEN:
            s.cards[other, HOLE] = s.deck[start]
            s.deck[start] = NONE
            start += 1


CARD = RANKS + SUITS  # entries for one card

OBSERVATION = Observation(
    Range("hidden", (SEATS, CARD), "hole card: rank 2 … A, suit ♦ ♣ ♥ ♠", "the owner"),
    Range("open", (SEATS, OPEN, CARD), "open cards in order: rank, suit"),
    Range("own", 3, "own cards, the hole card too: points, pair, faces"),
    Range("points", SEATS, "points of the open cards"),
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
    Range("limit", 1, "T: the most a seat puts in beyond the ante, in antes"),
    Range("highest_level", 1, "X of this round, in antes"),
    Range("raise_levels", RAISES, "levels on offer, in antes; 0: not offered"),
    Range("pot", 1, "all stakes, in antes"),
    Range("live_seats", 1, "number of live seats"),
    Range("turn", SEATS, "seat to act"),
    Range(
        "next",
        SEATS,
        "the first seat after the own one that has yet to act; none: there is no such seat",
    ),
    Range("banker", SEATS, "the banker"),
    Range("ante", 1, "coins of the ante"),
    Range("rake", 1, "share of the losers' stakes that the house keeps"),
    hand_range(),
    Range("log", (LOG, SEATS + ACTION_COUNT), "last actions, newest first: seat, action"),
)


@kernel
def observe(v, seat, o, known):
    unit = 1.0 / v.rules.ante
    a, b, c = cards_of(v, seat)
    o.own[0] = points(a, b, c)
    o.own[1] = better_of_pair(a, b, c) >= 0
    o.own[2] = faces(a, b, c)
    p = seat
    for k in range(v.seats):
        a, b, c = cards_of(v, p)
        put_card(o.open[k, 0], known.open[k, 0], a, 0, RANKS)
        put_card(o.open[k, 1], known.open[k, 1], b, 0, RANKS)
        put_card(o.hidden[k], known.hidden[k], c, 0, RANKS)
        o.points[k] = points(a, b, NONE)
        for i in range(ROUNDS):
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
    o.limit = v.limit * unit
    o.pot = pot(v) * unit
    if not v.ended:
        highest = highest_level(v)
        o.level = v.level * unit
        if v.live[seat]:
            o.owed = owed(v, seat) * unit
        o.highest_level = highest * unit
        for k in range(RAISES):
            o.raise_levels[k] = raise_level(v, RAISE + k, highest) * unit
        put_seat(o.turn, seat, v.turn, v.seats)
        put_seat(o.next, seat, to_act(v, seat + 1, v.seats - 1), v.seats)
    put_seat(o.banker, seat, v.banker, v.seats)
    o.ante = v.rules.ante
    o.rake = v.rules.rake / 100
    put_log(o.log, v, seat, SEATS)


# --- Words -------------------------------------------------------------------------------------


def census(s: np.void) -> tuple[int, ...]:
    """How often each card is anywhere on the table."""
    cards = [int(card) for card in (*s["deck"], *s["cards"][: s["seats"]].ravel()) if card >= 0]
    return tuple(cards.count(card) for card in range(CARDS))


def report(s: np.void) -> dict[str, Any]:
    """What was settled at the hand's end, and why."""
    seats = range(s["seats"])
    shown = [bool(s["shown"] and s["live"][seat]) for seat in seats]
    hands = [tuple(np.int64(card) for card in s["cards"][seat]) for seat in seats]
    return {
        "reason": "showdown" if s["shown"] else "one seat left",
        "winner": int(s["winner"]),
        "hands": [
            HAND_NAMES[kind_of(value(*hands[seat]))] if shown[seat] else None for seat in seats
        ],
        "hidden": [card_name(int(hands[seat][HOLE])) if shown[seat] else None for seat in seats],
        "stakes": [int(s["stake"][seat]) for seat in seats],
        "escapes": [int(s["fled"][seat]) for seat in seats],
    }


def role(v: np.void, seat: int) -> str:
    """What a seat is in this hand, in a word or two."""
    if v["away"][seat]:
        return "gone"
    if not v["dealt_in"][seat]:
        return "sitting out"
    if not v["live"][seat]:
        return "folded"
    if v["winner"] == seat:
        return "winner"
    return "banker" if v["banker"] == seat else "live"


def card_names(row: np.ndarray) -> tuple[str, ...]:
    """The names of a seat's cards, BACK for one not seen."""
    return tuple(BACK if card == HIDDEN else card_name(card) for card in row if card != NONE)


def show(v: np.void, seat: int | None) -> Scene:
    """What lies on the table, for one seat's eyes; seat None: for all."""
    seats, street = int(v["seats"]), int(v["street"])
    places, zones = [], []
    for p in range(seats):
        left = int(v["stack"][p]) - (0 if v["ended"] else int(v["stake"][p]))
        action = int(v["last_action"][street, p])
        said = ACTIONS.name(action) if action >= 0 else ""
        places.append(Place(p, role(v, p), left, bet=int(v["stake"][p]), note=said))
        zones.append(Zone("open cards", card_names(v["cards"][p, :OPEN]), owner=p))
        zones.append(Zone("hole card", card_names(v["cards"][p, HOLE:]), owner=p))
    zones.append(Zone("deck", (), note=f"{CARDS - int(v['dealt'])} cards"))
    facts = [
        f"round {street + 1} of {ROUNDS}",
        f"pot {int(v['stake'].sum())}",
        f"ante {int(v['rules']['ante'])}",
        f"cap T {int(v['limit'])}",
    ]
    if not v["ended"]:
        facts += [f"level {int(v['level'])}", f"highest level {int(highest_level(v))}"]
    return Scene(
        places=tuple(places),
        zones=tuple(zones),
        facts=tuple(facts),
        moves=log_lines(v, ACTIONS),
    )


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
