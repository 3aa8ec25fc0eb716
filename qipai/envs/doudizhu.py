"""Dou dizhu (鬥地主): an auction, then one landlord against two farmers in a shedding game.

R1 54 cards, ranks 3 < … < A < 2 < small joker < big joker; suits never matter.
R2 Three seats in playing order.
R3 Card i of the shuffled deck goes to seat i mod 3 (17 each); the last three are the bottom cards.
R4 One of the 51 dealt cards is shown to all with its owner, who bids first.
R5 Each seat calls once: pass, or 1, 2, 3 above every earlier bid. A 3 ends the auction; the highest
   bidder is the landlord, the bid is the base.
R6 All pass: the cards are thrown in unseen and dealt again, at most ``redeals`` times in a hand;
   then the hand ends with 0 coins for all.
R7 The bottom cards are shown to all and join the landlord's hand (20 cards).
R8 The landlord leads. The leader must play; every other seat passes or beats the table, and may
   play again after a pass. After two passes in a row the owner of the table leads again.
R9 Moves: single, pair, trio, trio+1, trio+2, run (5+ singles), pair run (3+), trio run (2+),
   plane+1, plane+2, four+1+1, four+2+2 (option ``four_two``), bomb, rocket; runs go from 3 to A.
R10 Kickers never have a rank of the main part (K1); pair kickers are real pairs of different ranks
   3…2 (K2); single kickers never include both jokers (K3), at most three cards of a rank (K4; one
   under ``distinct``), and not three of a rank next to a plane (K5; not under ``loose``).
R11 The rocket beats everything; a bomb everything but the rocket and bombs not below it; otherwise
   kind and length must be the same and the lowest main rank higher. Kickers never count.
R12 The hand ends when a seat is out of cards: the landlord, or both farmers, win.
R13 Every bomb and the rocket double the stake when played.
R14 Spring: one more doubling if the landlord wins and no farmer moved, or the farmers win and the
   landlord moved once.
R15 u = bid × 2^doublings × ``stake``; each farmer settles u with the landlord. No rake.
R16 A loser pays at most its stack; a short landlord's coins are shared equally, an odd coin to the
   seat after the landlord.
R17 Leaving costs 3u (``stake`` for u in the auction), at most the stack: shared equally, but two
   thirds to the landlord if a farmer left. Leftovers by largest remainder. The match ends.
R18 No answer: pass; on lead the lowest single; inside a move the lowest legal kicker.
R19 ``hands`` hands with stacks carried over; the match ends early when a seat has less than
   ``stake``.

A move with kickers is composed: its body first, then kicker by kicker in rank order. Steps with
one choice, the last card of a seat on lead, passes after the rocket and the pass of a seat with one
card facing more are played by the engine.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import IntEnum
from typing import Any, NamedTuple

import numpy as np

from qipai.envs import options
from qipai.envs.fields import Codec, Field, Fields
from qipai.envs.game import Game
from qipai.envs.kernel import addressable, kernel
from qipai.envs.layout import (
    HIDDEN,
    NONE,
    Actions,
    Observation,
    Range,
    copy_row,
    hand_range,
    put_one_of,
    put_row,
    put_seat,
)
from qipai.envs.match import ENDED, close_hand, end_match_below, next_seat
from qipai.envs.options import MAX_STAKE, Options, choice, flag, integer
from qipai.envs.parts import auction, shedding
from qipai.envs.parts.auction import AUCTION, CALLS, mark_calls, open_auction
from qipai.envs.parts.ranks import (
    ACE,
    BIG_JOKER,
    COUNTS,
    PACK,
    RANK_NAMES,
    RANKS,
    SMALL_JOKER,
    TWO,
    cards_text,
    draw_card,
    lowest_held,
    parse_cards,
    rank_items,
)
from qipai.envs.parts.shedding import clear_owner, pass_turn, take_table
from qipai.envs.rng import below, conceal_rng
from qipai.envs.scene import BACK, Place, Scene, Zone

VERSION = 0

# --- Dimensions ------------------------------------------------------------------------------

SEATS = 3
DECK = PACK
DEALT, BOTTOM = 17, 3
LOG = 15  # moves and passes kept in order

# --- Options ---------------------------------------------------------------------------------


class Kickers(IntEnum):  # which are legal (R10)
    STANDARD = 0
    DISTINCT = 1
    LOOSE = 2


RULES = Options(
    options.seats(SEATS, low=SEATS, high=SEATS, clause="R2"),
    integer("stake", 1, low=1, high=MAX_STAKE, meaning="coins per point", clause="R15"),
    options.stack(10_000, seats=SEATS, clause="R16"),
    options.hands(clause="R19"),
    auction.redeals(clause="R6"),
    choice("kickers", Kickers.STANDARD, meaning="which kickers are legal", clause="R10"),
    flag("four_two", True, meaning="four+1+1 and four+2+2 exist", clause="R9"),
    presets={
        "rlcard": {"kickers": "standard", "four_two": True},
        "openspiel": {"kickers": "loose", "four_two": False, "redeals": 0},
    },
)

# --- Moves and actions (R9) --------------------------------------------------------------------


class Shape(NamedTuple):
    """A kind of move: its main part and its kickers."""

    name: str
    width: int  # cards of each rank of the main part
    lengths: tuple[int, ...]  # ranks in the main part
    top: int  # highest rank of the main part
    kicker: int = 0  # cards in one kicker
    each: int = 0  # kickers per rank of the main part


SHAPES = (
    Shape("single", 1, (1,), BIG_JOKER),
    Shape("pair", 2, (1,), TWO),
    Shape("trio", 3, (1,), TWO),
    Shape("trio+1", 3, (1,), TWO, kicker=1, each=1),
    Shape("trio+2", 3, (1,), TWO, kicker=2, each=1),
    Shape("run", 1, tuple(range(5, 13)), ACE),
    Shape("pair run", 2, tuple(range(3, 11)), ACE),
    Shape("trio run", 3, tuple(range(2, 7)), ACE),
    Shape("plane+1", 3, tuple(range(2, 6)), ACE, kicker=1, each=1),
    Shape("plane+2", 3, tuple(range(2, 5)), ACE, kicker=2, each=1),
    Shape("four+1+1", 4, (1,), TWO, kicker=1, each=2),
    Shape("four+2+2", 4, (1,), TWO, kicker=2, each=2),
    Shape("bomb", 4, (1,), TWO),
    Shape("rocket", 1, (2,), BIG_JOKER),
)
KINDS = len(SHAPES)
PLANE_1, FOUR_1, FOUR_2, BOMB, ROCKET = 8, 10, 11, 12, 13


WIDTH = np.array([shape.width for shape in SHAPES], np.int8)
KICKER = np.array([shape.kicker for shape in SHAPES], np.int8)
EACH = np.array([shape.each for shape in SHAPES], np.int8)
UP_TO_TOP = np.array([(2 << shape.top) - 1 for shape in SHAPES])  # ranks as bits
# First id of a kind and length, at lowest rank 3 (index 0); −1 where there is none.
FIRST = np.full((KINDS, 13), -1, np.int16)
SHORTEST = np.array([min(shape.lengths) for shape in SHAPES], np.int8)
LONGEST = np.array([max(shape.lengths) for shape in SHAPES], np.int8)

_FOLLOWED = "held, beats the table"
_COMPLETED = "held, beats the table, kickers can be completed"
ACTIONS = Actions()
CALL = auction.add_calls(ACTIONS)
PASS = ACTIONS.add("pass", ["pass"], "play; a move of another seat is on the table")


def _add_bodies() -> int:
    first = ACTIONS.width
    for kind, shape in enumerate(SHAPES):
        tail = ("+" + "x" * shape.kicker) * shape.each
        names: list[str] = []
        for length in shape.lengths:
            low = SMALL_JOKER if kind == ROCKET else 0
            FIRST[kind, length] = ACTIONS.width + len(names) - low
            for lowest in range(low, shape.top - length + 2):
                ranks = RANK_NAMES[lowest : lowest + length]
                names.append("".join(r * shape.width for r in ranks) + tail * length)
        body = " body" if shape.kicker else ""
        ACTIONS.add(shape.name + body, names, _COMPLETED if shape.kicker else _FOLLOWED)
    return first


BODY = _add_bodies()
BODY_END = ACTIONS.width
KICK_1 = ACTIONS.add(
    "single kicker", [f"+{r}" for r in RANK_NAMES], "inside a body with single kickers (R10)"
)
KICK_2 = ACTIONS.add(
    "pair kicker", [f"+{r}{r}" for r in RANK_NAMES[:13]], "inside a body with pair kickers (R10)"
)

# Kind, lowest rank and length of each body id, counted from BODY.
BODY_KIND = np.zeros(BODY_END - BODY, np.int8)
BODY_LOW = np.zeros(BODY_END - BODY, np.int8)
BODY_LENGTH = np.zeros(BODY_END - BODY, np.int8)
for _kind, _shape in enumerate(SHAPES):
    for _length in _shape.lengths:
        for _low in range(SMALL_JOKER if _kind == ROCKET else 0, _shape.top - _length + 2):
            _body = FIRST[_kind, _length] + _low - BODY
            BODY_KIND[_body], BODY_LOW[_body], BODY_LENGTH[_body] = _kind, _low, _length

# --- State -----------------------------------------------------------------------------------

MOST_LOGGED = SEATS * int(DECK.sum())  # moves and passes of a hand
MOST_KICKERS = int((EACH[BODY_KIND] * BODY_LENGTH).max())
BOMBS = 14  # bombs and the rocket
_BODY = Codec(encode=ACTIONS.name, decode=ACTIONS.parse)

FIELDS = Fields(
    RULES,
    SEATS,
    *auction.auction_fields(SEATS),
    Field.choice("shown", RANK_NAMES, "rank of the shown card, of the first bidder"),
    Field.number("cards", 4, "cards by rank", (SEATS, RANKS), hidden=True, codec=COUNTS),
    Field.number("bottom", 4, "bottom cards by rank", RANKS, hidden=True, codec=COUNTS),
    Field.number("left", DEALT + BOTTOM, "cards in hand", SEATS),
    Field.number("played", 4, "cards played by rank", (SEATS, RANKS), codec=COUNTS),
    Field.choice(
        "kind",
        [shape.name for shape in SHAPES],
        "the move on the table; none: the seat to act leads",
        empty=True,
    ),
    Field.choice("low", RANK_NAMES, "lowest rank of its main part", empty=True),
    Field.number("length", int(LONGEST.max()), "ranks in its main part"),
    Field.number("table_cards", 4, "its cards by rank, kickers too", RANKS, codec=COUNTS),
    *shedding.turn_fields(SEATS),
    Field.number("moves", DEALT + BOTTOM, "moves made", SEATS),
    Field.number("doublings", BOMBS, "bombs and the rocket played"),
    Field.flag("spring", "the hand was a spring"),
    Field.seat("winner", "who went out; none: nobody", empty=True),
    Field.number(
        "body", BODY_END - 1, "the body being completed", low=BODY, empty=True, codec=_BODY
    ),
    Field.number("kicks", 4, "cards of the kickers chosen so far", RANKS, codec=COUNTS),
    Field.number("to_kick", MOST_KICKERS, "kickers still to choose"),
    Field.number("last_kick", RANKS - 1, "rank of the kicker chosen last"),
    *shedding.log_fields(
        MOST_LOGGED,
        Field.number("log_cards", 4, "cards by rank; all 0: a pass", (LOG, RANKS), codec=COUNTS),
    ),
)
STATE = FIELDS.dtype


def contradiction(s: np.void) -> str | None:
    """What can't be on a table or in a view: ``Game.contradiction``."""
    return (
        auction.auction_contradiction(s)
        or _contradiction_in_cards(s)
        or _contradiction_in_log(s)
        or _contradiction_on_table(s)
        or _contradiction_in_body(s)
    )


def _contradiction_in_cards(s: np.void) -> str | None:
    hands, played, bottom, left = s["cards"], s["played"], s["bottom"], s["left"]
    hidden, auction = (hands == HIDDEN).all(axis=1), s["phase"] == AUCTION
    if (hands[~hidden] == HIDDEN).any() or hidden.sum() not in (0, SEATS - 1):
        return "cards are hidden in part: expected those of no seat or of all but one"
    under = bool((bottom == HIDDEN).all())
    if (bottom.sum() != BOTTOM or HIDDEN in bottom) and not (auction and under):
        return f"bottom has not {BOTTOM} cards, nor is it hidden in the auction"
    if auction and played.any():
        return "played has cards, and it is still the auction"
    for seat in range(SEATS):
        held = DEALT + BOTTOM * (seat == s["landlord"]) - played[seat].sum()
        if left[seat] != held:
            return f"left[{seat}] is {left[seat]}: after what was played it is {held}"
        if not hidden[seat] and hands[seat].sum() != held:
            return f"cards[{seat}] has {hands[seat].sum()} cards, and left[{seat}] is {held}"
    sure = np.array([[certain(s, p, r) for r in range(RANKS)] for p in range(SEATS)])
    unseen = DECK - played.sum(axis=0) - hands[~hidden].sum(axis=0)
    unseen -= bottom if auction and not under else 0
    for r in range(RANKS):
        if unseen[r] < sure[hidden, r].sum():
            return f"cards, played and bottom have more than {DECK[r]} cards {RANK_NAMES[r]}"
    for seat in range(SEATS):
        if sure[seat].sum() > left[seat] if hidden[seat] else (sure[seat] > hands[seat]).any():
            return f"cards[{seat}] lacks the shown card or cards of the bottom"
    return None


def _contradiction_in_log(s: np.void) -> str | None:
    count, played, moves = int(s["log_count"]), s["played"], s["moves"]
    if fault := shedding.log_contradiction(s, "landlord"):
        return fault
    cards, moved = np.zeros((SEATS, RANKS), np.int64), np.zeros(SEATS, np.int64)
    for seat, entry in shedding.logged(s, "landlord"):
        cards[seat] += entry
        moved[seat] += entry.any()
    for name, logged in (("played", cards), ("moves", moved)):
        if (s[name] < logged).any() or (count <= LOG and (s[name] != logged).any()):
            return f"{name} is not what log_cards says"
    if ((moves > 0) != played.any(axis=1)).any() or (moves > played.sum(axis=1)).any():
        return f"moves is {moves.tolist()}, and the seats have played {played.sum(axis=1).tolist()}"
    if not moves.sum() <= count <= SEATS * moves.sum():
        return f"log_count is {count}, and moves has {moves.sum()}"
    return None


def _contradiction_on_table(s: np.void) -> str | None:
    winner = int(s["winner"])
    known = addressable(np.array([s], STATE))[0]
    if s["kind"] == NONE:
        clear_table(known)
        for name in ("low", "length", "table_cards"):
            if (s[name] != known[name]).any():
                return f"{name} is {s[name]}, and there is no move on the table"
    elif not _is_move(s):
        return "table_cards is no move of kind, low and length"
    cards = s["table_cards"] if s["kind"] != NONE else None
    if fault := shedding.table_contradiction(s, "landlord", cards):
        return fault
    most = (s["played"] == 4).sum() + (s["played"][:, SMALL_JOKER:].sum(axis=1) == 2).sum()
    if s["doublings"] > most:
        return f"doublings is {s['doublings']}: at most {most} bombs and rockets were played"
    out = [seat for seat in range(SEATS) if s["left"][seat] == 0]
    if out != [winner] * (winner != NONE) or (out and not s["ended"]):
        return f"winner is {winner}, and out of cards are {out}: ended is {s['ended']}"
    if s["spring"] != (winner != NONE and is_spring(known)):
        return f"spring is {s['spring']}, and moves is {s['moves'].tolist()}"
    return None


def _is_move(s: np.void) -> bool:
    """Whether the cards on the table are a move of the kind, length and rank noted."""
    body = FIRST[s["kind"], s["length"]] + s["low"]
    noted = int(s["kind"]), int(s["low"]), int(s["length"])
    return any(
        body == found and noted == (BODY_KIND[k := found - BODY], BODY_LOW[k], BODY_LENGTH[k])
        for found, _ in meanings(s, s["table_cards"].astype(np.int64))
    )


def _contradiction_in_body(s: np.void) -> str | None:
    """The steps to the move being composed are done once more."""
    known = addressable(np.array([s], STATE))[0]
    clear_body(known)
    step = int(s["body"])
    if step != NONE and (s["ended"] or s["phase"] == AUCTION or HIDDEN in s["cards"][s["turn"]]):
        return f"body is {ACTIONS.name(step)}, and nobody here is composing a move"
    while step != NONE:
        mask = np.zeros(ACTIONS.width, np.int8)
        legal(known, mask)
        if not mask[step]:
            return f"body is {ACTIONS.name(int(s['body']))}, and {ACTIONS.name(step)} is illegal"
        choose(known, step)
        chosen = np.flatnonzero(s["kicks"] > known["kicks"])
        step = NONE if len(chosen) == 0 else int(kicker_action(known, chosen[0]))
    for name in ("kicks", "to_kick", "last_kick"):
        if (s[name] != known[name]).any():
            return f"{name} is {s[name]}: by the body and the kickers chosen it is {known[name]}"
    if s["body"] != NONE and not s["to_kick"]:
        return f"body is {ACTIONS.name(int(s['body']))}, which wants no more kickers"
    return None


# --- Deal and auction --------------------------------------------------------------------------


@kernel
def deal_cards(s):
    for seat in range(SEATS):
        s.cards[seat, :] = 0
        s.left[seat] = DEALT
    for r in range(RANKS):
        s.bottom[r] = DECK[r]
    for i in range(SEATS * DEALT):  # R3; what is left over is the bottom
        s.cards[i % SEATS, draw_card(s, s.bottom)] += 1
    open_auction(s, below(s.rng, SEATS))  # R4: every hand has 17 cards, so the seat is uniform
    s.shown = draw_card(s, s.cards[s.first])
    s.cards[s.first, s.shown] += 1


@kernel
def deal(s):
    clear_table(s)
    clear_body(s)
    deal_cards(s)


@kernel
def clear_table(s):
    s.kind = NONE
    s.low = NONE
    s.length = 0
    s.table_cards[:] = 0
    clear_owner(s)


@kernel
def clear_body(s):
    s.body = NONE
    s.kicks[:] = 0
    s.to_kick = 0
    s.last_kick = 0


# --- Legal moves -------------------------------------------------------------------------------


@kernel
def capacity(s, kind, low, length, rank):
    """Most cards (or pairs) of ``rank`` that may be kickers of this body (R10)."""
    held = s.cards[s.turn, rank]
    if low <= rank < low + length:  # K1
        return 0
    if KICKER[kind] == 2:  # K2
        return 1 if rank <= TWO and held >= 2 else 0
    most = 3  # K4
    if s.rules.kickers == Kickers.DISTINCT:
        most = 1
    elif s.rules.kickers == Kickers.STANDARD and kind == PLANE_1 and rank <= ACE:
        beside = rank == low - 1 or rank == low + length
        most = 2 if beside else 3  # K5
    return min(held, most)


@kernel
def kickers_left(s, kind, low, length, rank, needed):
    """Whether ``needed`` more kickers can be taken from ``rank`` upward, beside those chosen."""
    for r in range(rank, SMALL_JOKER):
        if needed <= 0:
            return True
        needed -= capacity(s, kind, low, length, r) - s.kicks[r] // KICKER[kind]
    if KICKER[kind] == 1 and s.kicks[SMALL_JOKER] + s.kicks[BIG_JOKER] == 0:  # K3
        for r in range(max(rank, SMALL_JOKER), RANKS):
            if s.cards[s.turn, r] > 0:
                return needed <= 1
    return needed <= 0


@kernel
def next_kicker(s, rank):
    """The lowest rank from ``rank`` upward that may be the next kicker; −1 if there is none.

    Kickers come in rank order, so from that rank upward the rest must still be completable.
    """
    body = s.body - BODY
    kind, low, length = BODY_KIND[body], BODY_LOW[body], BODY_LENGTH[body]
    for r in range(max(rank, s.last_kick), RANKS):
        if r > TWO and s.kicks[SMALL_JOKER] + s.kicks[BIG_JOKER] > 0:  # K3
            return -1
        chosen = s.kicks[r] // KICKER[kind]
        if capacity(s, kind, low, length, r) > chosen:
            return r if kickers_left(s, kind, low, length, r, s.to_kick) else -1
    return -1


@kernel
def kicker_action(s, rank):
    return rank + (KICK_1 if KICKER[BODY_KIND[s.body - BODY]] == 1 else KICK_2)


@kernel
def ranks_with(s, count):
    """Ranks of which the seat to act holds at least ``count`` cards, as bits."""
    hand = s.cards[s.turn]
    ranks = 0
    for r in range(RANKS):
        ranks |= (hand[r] >= count) << r
    return ranks


@kernel
def mark_bodies(s, mask, kind, ranks, shortest, longest, above):
    """Bodies of a kind and these lengths whose lowest rank is higher than ``above``."""
    held = (ranks & UP_TO_TOP[kind]) >> (above + 1) << (above + 1)
    lows = held  # where a body of the length at hand can start, as bits
    for length in range(1, longest + 1):
        lows &= held >> (length - 1)
        if lows == 0:
            return
        if length < shortest:
            continue
        kickers = EACH[kind] * length
        for low in range(RANKS):
            if lows >> low & 1 and (kickers == 0 or kickers_left(s, kind, low, length, 0, kickers)):
                mask[FIRST[kind, length] + low] = 1


@kernel
def legal(s, mask):
    if s.phase == AUCTION:
        mark_calls(s, mask, CALL)
        return
    if s.body != NONE:
        rank = next_kicker(s, 0)
        while rank >= 0:
            mask[kicker_action(s, rank)] = 1
            rank = next_kicker(s, rank + 1)
        return
    if s.kind == NONE:
        for width in range(1, 5):
            ranks = ranks_with(s, width)
            if ranks == 0:
                break
            for kind in range(ROCKET):
                exists = s.rules.four_two or (kind != FOUR_1 and kind != FOUR_2)
                if WIDTH[kind] == width and exists:
                    mark_bodies(s, mask, kind, ranks, SHORTEST[kind], LONGEST[kind], -1)
    else:  # R11
        mask[PASS] = 1
        if s.kind < BOMB:
            mark_bodies(s, mask, s.kind, ranks_with(s, WIDTH[s.kind]), s.length, s.length, s.low)
        if s.kind != ROCKET:
            mark_bodies(s, mask, BOMB, ranks_with(s, 4), 1, 1, s.low if s.kind == BOMB else -1)
    if s.cards[s.turn, SMALL_JOKER] + s.cards[s.turn, BIG_JOKER] == 2:
        mask[FIRST[ROCKET, 2] + SMALL_JOKER] = 1


# --- Play --------------------------------------------------------------------------------------


@kernel
def put_down(s):
    """The seat to act plays its body with the kickers chosen."""
    seat = s.turn
    place = take_table(s)
    kind = BODY_KIND[s.body - BODY]
    low = BODY_LOW[s.body - BODY]
    length = BODY_LENGTH[s.body - BODY]
    width = WIDTH[kind]
    size = 0
    for r in range(RANKS):
        cards = s.kicks[r] + (width if low <= r < low + length else 0)
        s.table_cards[r] = cards
        s.cards[seat, r] -= cards
        s.played[seat, r] += cards
        s.log_cards[place, r] = cards
        size += cards
    s.left[seat] -= size
    s.kind = kind
    s.low = low
    s.length = length
    s.moves[seat] += 1
    if s.kind >= BOMB:  # R13
        s.doublings += 1
    clear_body(s)
    if s.left[seat] == 0:
        settle(s, seat)


@kernel
def say_pass(s):
    if pass_turn(s):  # R8
        clear_table(s)


@kernel
def table_size(s):
    size = 0
    for r in range(RANKS):
        size += s.table_cards[r]
    return size


@kernel
def skip(s):
    """Play what everybody knows to be forced."""
    while not s.ended:
        if s.kind == NONE:
            if s.left[s.turn] > 1:
                return
            s.body = FIRST[0, 1] + lowest_held(s.cards[s.turn])
            put_down(s)
        elif s.kind == ROCKET or (s.left[s.turn] == 1 and table_size(s) > 1):
            say_pass(s)
        else:
            return


@kernel
def choose_kicker(s, rank):
    s.kicks[rank] += KICKER[BODY_KIND[s.body - BODY]]
    s.last_kick = rank
    s.to_kick -= 1


@kernel
def choose(s, action):
    """One step of a move, and the kickers after it that leave no choice."""
    if action < BODY_END:
        s.body = action
        s.to_kick = EACH[BODY_KIND[action - BODY]] * BODY_LENGTH[action - BODY]
    else:
        choose_kicker(s, action - kicker_action(s, 0))
    while s.to_kick > 0:
        rank = next_kicker(s, 0)
        if next_kicker(s, rank + 1) >= 0:
            return
        choose_kicker(s, rank)


@kernel
def apply(s, action):
    if s.phase == AUCTION:
        auction.call(s, action - CALL, deal_cards)  # R5, R6, R7
        return
    if action == PASS:
        say_pass(s)
    else:
        choose(s, action)
        if s.to_kick > 0:
            return
        put_down(s)
    skip(s)


# --- Settlement --------------------------------------------------------------------------------


@kernel
def is_spring(s):  # R14
    lord = s.landlord
    if s.winner == lord:
        after = next_seat(s, lord)
        return s.moves[after] + s.moves[next_seat(s, after)] == 0
    return s.moves[lord] == 1


@kernel
def settle(s, winner):
    s.winner = winner
    s.spring = is_spring(s)
    lord = s.landlord
    after = next_seat(s, lord)
    before = next_seat(s, after)
    unit = points(s)
    if winner == lord:  # R15, R16
        for farmer in range(SEATS):
            if farmer != lord:
                paid = min(unit, s.stack[farmer])
                s.coins[farmer] = -paid
                s.coins[lord] += paid
    else:
        paid = min(2 * unit, s.stack[lord])
        s.coins[lord] = -paid
        s.coins[after] = paid - paid // 2
        s.coins[before] = paid // 2
    close_hand(s)
    end_match_below(s, s.rules.stake)  # R19


@kernel
def points(s):
    """u of R15 with the doublings so far, in coins."""
    unit = s.bid * s.rules.stake
    for _ in range(s.doublings + s.spring):
        unit *= 2
    return unit


@kernel
def default(s):  # R18
    if s.phase == AUCTION:
        return CALL
    if s.body != NONE:
        return kicker_action(s, next_kicker(s, 0))
    if s.kind != NONE:
        return PASS
    return FIRST[0, 1] + lowest_held(s.cards[s.turn])


@kernel
def leave(s, seat):  # R17
    after = next_seat(s, seat)
    before = next_seat(s, after)
    unit = s.rules.stake if s.phase == AUCTION else points(s)
    paid = min(3 * unit, s.stack[seat])
    share = paid - paid // 2
    if s.landlord == after:
        share = (2 * paid + 1) // 3
    elif s.landlord == before:
        share = paid - (2 * paid + 1) // 3
    s.coins[seat] = -paid
    s.coins[after] = share
    s.coins[before] = paid - share
    clear_body(s)
    close_hand(s)
    s.over = ENDED


# --- What a seat sees --------------------------------------------------------------------------


@kernel
def conceal(s, seat):
    conceal_rng(s.rng)
    for other in range(SEATS):
        if other != seat:
            s.cards[other, :] = HIDDEN
    if s.phase == AUCTION:
        s.bottom[:] = HIDDEN
    if s.turn != seat:
        clear_body(s)


@kernel
def certain(s, seat, rank):
    """Cards of ``rank`` that everybody knows ``seat`` to hold: bottom cards and the shown card."""
    known = 0
    if s.landlord == seat:
        known += s.bottom[rank]
    if s.first == seat and s.shown == rank:
        known += 1
    return max(0, known - s.played[seat, rank])


@kernel
def redeal(s, seat):
    """Fill both other hands, and the bottom in the auction, around what is certain."""
    one = next_seat(s, seat)
    two = next_seat(s, one)
    to_one, to_two = s.left[one], s.left[two]
    for r in range(RANKS):
        unseen = DECK[r] - s.cards[seat, r]
        for p in range(SEATS):
            unseen -= s.played[p, r]
        s.cards[one, r] = certain(s, one, r)
        s.cards[two, r] = unseen - certain(s, one, r) - certain(s, two, r)
        to_one -= certain(s, one, r)
        to_two -= certain(s, two, r)
    for _ in range(to_one):
        s.cards[one, draw_card(s, s.cards[two])] += 1
    if s.phase == AUCTION:
        for r in range(RANKS):
            s.bottom[r] = s.cards[two, r]
            s.cards[two, r] = 0
        for _ in range(to_two):
            s.cards[two, draw_card(s, s.bottom)] += 1
    for r in range(RANKS):
        s.cards[two, r] += certain(s, two, r)


OBSERVATION = Observation(
    Range("phase", 2, "auction, play"),
    Range("calls", (SEATS, CALLS), "call of each seat: pass, 1, 2, 3"),
    Range("bid", 1, "highest bid so far"),
    Range("first_bidder", SEATS, "owner of the shown card, who bids first"),
    Range("shown_card", RANKS, "rank of the shown card"),
    Range("thrown_in", 1, "deals thrown in so far in this hand"),
    Range("landlord", SEATS, "which seat is the landlord"),
    Range("cards", (SEATS, RANKS), "cards in hand by rank", "the owner"),
    Range("bottom", RANKS, "bottom cards by rank", "all, after the auction"),
    Range("cards_left", SEATS, "cards in hand"),
    Range("played", (SEATS, RANKS), "cards played by rank"),
    Range("unseen", RANKS, "cards by rank that are neither played nor in the own hand"),
    Range("table_kind", KINDS, "kind of the move on the table"),
    Range("table_rank", RANKS, "lowest rank of its main part"),
    Range("table_length", 1, "ranks in its main part"),
    Range("table_cards", RANKS, "its cards by rank, kickers too"),
    Range("table_owner", SEATS, "who played it"),
    Range("passes", 1, "passes in a row since"),
    Range(
        "log",
        (LOG, SEATS + 1 + RANKS),
        "last moves, newest first: seat, pass or not, cards by rank",
    ),
    Range("moves", SEATS, "moves made by each seat"),
    Range("doublings", 1, "bombs and rocket played"),
    Range(
        "body",
        (KINDS + RANKS + 1,),
        "own move being composed: kind, lowest rank, length",
        "that seat",
    ),
    Range("kickers", RANKS, "cards of the kickers chosen so far", "that seat"),
    Range("kickers_to_choose", 1, "kickers still to choose", "that seat"),
    Range("stacks", SEATS, "coins before this hand (with it, once it has ended), in stakes"),
    Range("stake", 1, "coins per point"),
    hand_range(),
    Range("rules", 5, "kickers standard, distinct, loose; four_two; deals still to throw in"),
)


@kernel
def observe(v, seat, o, known):
    o.phase[v.phase] = 1
    for k in range(SEATS):
        p = (seat + k) % SEATS
        put_one_of(o.calls[k], known.calls[k], CALLS, v.calls[p])
        put_row(o.cards[k], known.cards[k], v.cards[p], RANKS)
        copy_row(o.played[k], v.played[p], RANKS)
        o.cards_left[k] = v.left[p]
        o.moves[k] = v.moves[p]
        o.stacks[k] = v.stack[p] / v.rules.stake
    o.bid = v.bid
    put_seat(o.first_bidder, seat, v.first, SEATS)
    o.shown_card[v.shown] = 1
    o.thrown_in = v.thrown
    put_seat(o.landlord, seat, v.landlord, SEATS)
    put_row(o.bottom, known.bottom, v.bottom, RANKS)
    for r in range(RANKS):
        played = v.played[0, r] + v.played[1, r] + v.played[2, r]
        o.unseen[r] = DECK[r] - v.cards[seat, r] - played
    put_one_of(o.table_kind, known.table_kind, KINDS, v.kind)
    put_one_of(o.table_rank, known.table_rank, RANKS, v.low)
    o.table_length = v.length
    copy_row(o.table_cards, v.table_cards, RANKS)
    put_seat(o.table_owner, seat, v.owner, SEATS)
    o.passes = v.passes
    place = v.log_count % LOG
    for k in range(min(LOG, v.log_count)):
        place = place - 1 if place > 0 else LOG - 1
        put_seat(o.log[k], seat, v.log_seat[place], SEATS)
        moved = copy_row(o.log[k, SEATS + 1 :], v.log_cards[place], RANKS)
        o.log[k, SEATS] = not moved
    o.doublings = v.doublings
    if v.body != NONE:
        o.body[BODY_KIND[v.body - BODY]] = 1
        o.body[KINDS + BODY_LOW[v.body - BODY]] = 1
        o.body[KINDS + RANKS] = BODY_LENGTH[v.body - BODY]
    copy_row(o.kickers, v.kicks, RANKS)
    o.kickers_to_choose = v.to_kick
    o.stake = v.rules.stake
    o.rules[v.rules.kickers] = 1
    o.rules[3] = v.rules.four_two
    o.rules[4] = v.rules.redeals - v.thrown


# --- Words -------------------------------------------------------------------------------------


def meanings(v: np.void, counts: np.ndarray) -> list[tuple[int, np.ndarray]]:
    """Every (body id, kicker counts) that these cards can be under the table's rules (R9, R10)."""
    trial = addressable(np.zeros(1, STATE))
    trial["rules"] = v["rules"]
    trial["cards"][0, 0] = counts
    found = []
    for body in range(BODY, BODY_END):
        kind = int(BODY_KIND[body - BODY])
        low, length = int(BODY_LOW[body - BODY]), int(BODY_LENGTH[body - BODY])
        shape = SHAPES[kind]
        kickers = counts.copy()
        kickers[low : low + length] -= shape.width
        if kickers.min() < 0 or kickers.sum() != length * shape.each * shape.kicker:
            continue
        if kind in (FOUR_1, FOUR_2) and not v["rules"]["four_two"]:
            continue
        # With just these cards in hand, they are legal kickers iff all of them can be used.
        if kickers_left(trial[0], kind, low, length, 0, shape.each * length):
            found.append((body, kickers))
    return found


def move(v: np.void, text: str) -> list[str]:
    """The steps of a move that the seat to act is asked for; ValueError if it can't be played."""
    text = text.strip()
    if text in ACTIONS.names:
        return [text]
    counts = parse_cards(text.replace("+", ""))
    found = meanings(v, counts)
    if "+" in text:
        main = parse_cards(text.split("+")[0])
        found = [(body, kickers) for body, kickers in found if (counts - kickers == main).all()]
    if not found:
        raise ValueError(f"{text!r} is no move")
    if len(found) > 1:
        forms = ", ".join(
            cards_text(counts - kickers) + f"+{cards_text(kickers)}" * bool(kickers.any())
            for _, kickers in found
        )
        raise ValueError(f"{text!r} has several meanings: {forms}")
    if (counts > v["cards"][v["turn"]]).any():
        raise ValueError(f"{text!r} is not in the hand {cards_text(v['cards'][v['turn']])}")
    body, kickers = found[0]
    table = addressable(np.array([v], STATE))
    clear_body(table[0])
    steps = [body]
    choose(table[0], body)
    while table["to_kick"][0] > 0:
        rank = int(np.flatnonzero(kickers > table["kicks"][0])[0])
        steps.append(int(kicker_action(table[0], rank)))
        choose(table[0], steps[-1])
    return [ACTIONS.name(step) for step in steps]


def census(s: np.void) -> tuple[int, ...]:
    """How many there are of each rank, in hands, played and at the bottom."""
    cards = s["cards"].sum(axis=0) + s["played"].sum(axis=0)
    return tuple(int(n) for n in (cards + s["bottom"] if s["phase"] == AUCTION else cards))


def report(s: np.void) -> dict[str, Any]:
    """What was settled at the hand's end, and why."""
    if s["winner"] >= 0:
        reason = "landlord out" if s["winner"] == s["landlord"] else "farmer out"
    else:
        reason = "a seat left" if s["away"].any() else "all passed"
    return {
        "reason": reason,
        "landlord": int(s["landlord"]) if s["landlord"] >= 0 else None,
        "bid": int(s["bid"]),
        "doublings": int(s["doublings"]),
        "spring": bool(s["spring"]),
        "winner": int(s["winner"]) if s["winner"] >= 0 else None,
        "last_move": cards_text(s["table_cards"]) if s["kind"] >= 0 else None,
    }


def show(v: np.void, seat: int | None) -> Scene:
    """What lies on the table, for one seat's eyes; seat None: for all."""
    zones = []
    places = []
    for p in range(SEATS):
        hidden = bool((v["cards"][p] == HIDDEN).any())
        hand = (BACK,) * int(v["left"][p]) if hidden else rank_items(v["cards"][p])
        zones.append(Zone("hand", hand, owner=p))
        call = auction.called(v, p, ACTIONS, CALL)
        places.append(Place(p, auction.role(v, p), int(v["stack"][p]), note=call))
    hidden = bool((v["bottom"] == HIDDEN).any())
    bottom = (BACK,) * BOTTOM if hidden else rank_items(v["bottom"])
    zones.append(Zone("bottom cards", bottom))
    zones.append(Zone("shown card", (RANK_NAMES[v["shown"]],), note=f"of seat {int(v['first'])}"))
    if v["kind"] != NONE:
        zones.append(Zone("on the table", rank_items(v["table_cards"]), owner=int(v["owner"])))
    if v["body"] != NONE:
        body = ACTIONS.name(int(v["body"]))
        zones.append(Zone("composing", (), int(v["turn"]), note=f"{body} {cards_text(v['kicks'])}"))
    bid = int(v["bid"])
    return Scene(
        places=tuple(places),
        zones=tuple(zones),
        facts=(
            f"bid {bid}",
            f"multiplier {2 ** (int(v['doublings']) + int(v['spring']))}",
            f"stake {int(v['rules']['stake'])}",
        ),
        moves=shedding.log_lines(v, cards_text),
        deck="ranks",
    )


def max_plies(rules: Mapping[str, Any]) -> int:
    """Each seat calls once a deal; two seats keep a card, so at most 52 cards are played, each step
    of a move uses a card of its own, and each move but the last is followed by at most 2 passes."""
    return int(rules["hands"]) * (
        SEATS * (1 + int(rules["redeals"])) + shedding.most_turns(SEATS, 52)
    )


GAME = Game(
    name="doudizhu",
    title="鬥地主",
    english="doudizhu",
    summary="An auction makes one seat the landlord in a shedding game against two farmers.",
    version=VERSION,
    source="rule pages of a Chinese online game hall (three players, one deck)",
    document=__doc__ or "",
    unit=lambda s: s["rules"]["stake"],
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
    max_plies=max_plies,
    census=census,
    contradiction=contradiction,
    report=report,
    show=show,
    move=move,
    checked_by=(
        "27,471 moves of the full deck by kind (12,654 distinct, 28,237 loose)",
        "legal moves of six hands on lead under each kicker rule",
        "complete continuations and winning first moves of small open hands",
        "RLCard's and OpenSpiel's legal moves, state by state",
    ),
    limitations=("Suits are not kept: they never matter in this game.",),
    history=("0: first version",),
)
