"""San da yi (三打一): an auction, then one landlord with 33 cards against three farmers.

R1 108 cards: two packs, four jokers. Ranks 3 < … < A < 2 < small joker < big joker; suits never
   matter.
R2 Four seats in playing order.
R3 Card i of the shuffled deck goes to seat i mod 4 (25 each); the last eight are the bottom cards.
R4 The first bidder is drawn anew for every deal.
R5 Each seat calls once: pass, or 1, 2, 3 above every earlier bid. A 3 ends the auction; the highest
   bidder is the landlord.
R6 All pass: the cards are thrown in unseen and dealt again, at most ``redeals`` times in a hand;
   then the hand ends with 0 coins for all.
R7 The bottom cards join the landlord's hand; all see them under ``show_bottom``, else only he.
R8 The landlord leads. The leader must play; every other seat passes or beats the table, and may
   play again after a pass. After three passes in a row the owner of the table leads again.
R9 Jokers are themselves as a single, as a pair (two small < one of each < two big, all above 22)
   and as a bomb of three or four; elsewhere they are wild.
R10 Moves: single, pair, triple, full (triple + pair of another rank), run (5–12 singles, 3…A), pair
   run (3+ pairs), triple run (``run3_min``+ triples), bomb (4–12 of a rank), three and four jokers.
R11 Runs lie on places A 2 3 … K A 2. Pair and triple runs may use them all, but not round the
   corner: from the low A or 2 they end at K or lower. A run is as high as its top place.
R12 A joker stands for any missing card 3…2. A move takes the natural cards that the seat has, then
   small jokers, then big ones.
R13 Each part of a move but a run has a natural card of its rank, a run has natural cards of two
   ranks. Cards count as the highest move of their kind: (a) a full whose triple a joker completes
   has the triple above the pair; (b) no higher run of the length has all natural ranks used.
R14 A move beats one of its kind and size that is lower: by rank, triple, top place. Bombs beat all
   else; larger ones smaller ones, then by rank; three jokers stand between five and six cards, four
   jokers above everything.
R15 The hand ends when a seat is out of cards: the landlord, or all farmers, win.
R16 Each farmer settles bid × ``stake`` with the landlord. Bombs change nothing; no rake.
R17 A loser pays at most its stack; a short landlord's coins are shared equally, leftovers one by
   one from the seat after the landlord on.
R18 Leaving ends the match and costs three times bid × ``stake``, at most the stack: from the
   landlord to the farmers as in R17, from a farmer to the landlord. In the auction it goes to the
   house, for a bid of at least 1.
R19 No answer: pass; on lead the lowest single; inside a full the lowest legal pair.
R20 ``hands`` hands with stacks carried over; the match ends early when a seat has less than
   ``stake``.

A full is composed: its triple first, then its pair. A pair without choice, the last card of a seat
on lead, passes after four jokers and the pass of a seat with at most two cards facing more are
played by the engine.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

import numpy as np

from qipai.envs import options
from qipai.envs.fields import Codec, Field, Fields
from qipai.envs.game import Game
from qipai.envs.kernel import addressable, inlined, kernel
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
from qipai.envs.options import MAX_STAKE, Options, flag, integer
from qipai.envs.parts import auction, shedding
from qipai.envs.parts.auction import AUCTION, CALLS, PLAY, mark_calls, open_auction
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
from qipai.envs.parts.voids import CONFINED, PLACES, TAKERS, can_be_placed, draw_taker
from qipai.envs.rng import below, conceal_rng
from qipai.envs.scene import BACK, Place, Scene, Zone

VERSION = 0

# --- Dimensions ------------------------------------------------------------------------------

SEATS = 4
DECK = 2 * PACK
CARDS = int(DECK.sum())
COPIES = 8  # of a rank
JOKERS = 4
DEALT, BOTTOM = 25, 8
LOG = 16  # moves and passes kept in order

# --- Options ---------------------------------------------------------------------------------

RULES = Options(
    options.seats(SEATS, low=SEATS, high=SEATS, clause="R2"),
    integer("stake", 1, low=1, high=MAX_STAKE, meaning="coins per bid point", clause="R16"),
    options.stack(10_000, seats=SEATS, clause="R17"),
    options.hands(clause="R20"),
    auction.redeals(clause="R6"),
    integer("run3_min", 3, low=2, high=3, meaning="triples in the shortest run", clause="R10"),
    flag("show_bottom", True, meaning="everybody sees the bottom cards", clause="R7"),
)

# --- Moves and actions (R10) -------------------------------------------------------------------

KINDS = ("single", "pair", "triple", "full", "run", "pair run", "triple run", "bomb")
SINGLE, PAIR, TRIPLE, FULL, RUN, PAIR_RUN, TRIPLE_RUN, BOMB = range(len(KINDS))
NATURALS = SMALL_JOKER  # ranks 3…2, for which jokers can stand
RANK_AT = np.array([ACE, TWO, *range(TWO), TWO])  # by place of a run (R11)
PLACES_OF_RUNS = len(RANK_AT)
THREE, KING_ENDS = 2, 13  # the place of 3; just behind that of K
RUN_END = np.array([0, 14, 15, 15])  # behind the last place of runs, by width: A, 2, 2
SHORTEST = np.array([0, 5, 3, 2])  # runs, by width
LONGEST = np.array([0, 12, 13, 11])


class Move(NamedTuple):
    """What a move is made of; for a full its triple."""

    kind: int
    low: int  # its rank, of jokers the lowest; of a run the lowest place
    length: int  # ranks of a run, cards of a bomb, else 1
    height: int  # above that of all that it beats in its kind and size
    needs: dict[int, int]  # cards by rank
    jokers: int = 0  # of any sort


ACTIONS = Actions()
MOVES: list[Move] = []
RUN_ID = np.full((4, 14, PLACES_OF_RUNS), -1, np.int16)  # by width, length, lowest place


def _add(name: str, moves: Mapping[str, Move], when: str) -> np.int64:
    MOVES.extend(moves.values())
    return ACTIONS.add(name, list(moves), when)


def _equal(kind: int, width: int, ranks: int = NATURALS) -> dict[str, Move]:
    return {RANK_NAMES[r] * width: Move(kind, r, 1, r, {r: width}) for r in range(ranks)}


def _runs(kind: int, width: int) -> dict[str, Move]:
    moves: dict[str, Move] = {}
    for length in range(SHORTEST[width], LONGEST[width] + 1):
        for low in range(THREE if width == 1 else 0, RUN_END[width] - length + 1):
            lowest = (length, low) in ((2, 0), (13, 0))  # A2, A…K: never a highest reading (R13)
            if lowest or (low < THREE and low + length > KING_ENDS):  # R11
                continue
            ranks = RANK_AT[low : low + length].tolist()
            RUN_ID[width, length, low] = ACTIONS.width + len(moves)
            name = "".join(RANK_NAMES[r] * width for r in ranks)
            moves[name] = Move(kind, low, length, low, dict.fromkeys(ranks, width))
    return moves


def _bombs() -> dict[str, Move]:
    return {
        RANK_NAMES[r] * size: Move(BOMB, r, size, 16 * size + r, {r: size})
        for size in range(4, COPIES + JOKERS + 1)
        for r in range(NATURALS)
    }


_FOLLOWED = "held, beats the table"
_S, _B = SMALL_JOKER, BIG_JOKER
CALL = auction.add_calls(ACTIONS)
PASS = ACTIONS.add("pass", ["pass"], "play; a move of another seat is on the table")
SINGLES = _add("single", _equal(SINGLE, 1, RANKS), _FOLLOWED)
PAIRS = _add("pair", _equal(PAIR, 2), _FOLLOWED)
JOKER_PAIRS = _add(
    "joker pair",
    {
        "SJSJ": Move(PAIR, _S, 1, RANKS, {_S: 2}),
        "SJBJ": Move(PAIR, _S, 1, RANKS + 1, {_S: 1, _B: 1}),
        "BJBJ": Move(PAIR, _B, 1, RANKS + 2, {_B: 2}),
    },
    _FOLLOWED,
)
TRIPLES = _add("triple", _equal(TRIPLE, 3), _FOLLOWED)
_add("run", _runs(RUN, 1), _FOLLOWED)
_add("pair run", _runs(PAIR_RUN, 2), _FOLLOWED)
_add("triple run", _runs(TRIPLE_RUN, 3), f"{_FOLLOWED}; two triples: run3_min is 2")
BOMBS = _add("bomb", _bombs(), _FOLLOWED)
JOKER_BOMBS = _add(
    "joker bomb",
    {
        "jokers:3": Move(BOMB, _S, 3, 16 * 5 + 15, {}, jokers=3),  # R14: above all of five cards
        "jokers:4": Move(BOMB, _S, 4, 16 * 13, {}, jokers=4),
    },
    _FOLLOWED,
)
BODIES = _add(
    "full body",
    {f"{3 * RANK_NAMES[r]}+xx": Move(FULL, r, 1, r, {r: 3}) for r in range(NATURALS)},
    "held, beats the table, a pair can be added",
)
BODIES_END = ACTIONS.width
FULL_PAIRS = ACTIONS.add(
    "full pair", [f"+{r}{r}" for r in RANK_NAMES[:NATURALS]], "inside a full (R13)"
)
FOUR_JOKERS = BODIES - 1

# Of each move, counted from SINGLES.
KIND = np.array([m.kind for m in MOVES], np.int8)
LOW = np.array([m.low for m in MOVES], np.int8)
LENGTH = np.array([m.length for m in MOVES], np.int8)
HEIGHT = np.array([m.height for m in MOVES])
NEEDS = np.array([[m.needs.get(r, 0) for r in range(RANKS)] for m in MOVES], np.int8)
ANY_JOKERS = np.array([m.jokers for m in MOVES], np.int8)
SIZE = NEEDS.sum(axis=1) + ANY_JOKERS + 2 * (KIND == FULL)
# Ranks on the places of a run as bits, by length and lowest place.
STRETCH = np.array(
    [
        [sum(1 << r for r in set(RANK_AT[low : low + length].tolist())) for low in range(15)]
        for length in range(14)
    ]
)

# --- State -----------------------------------------------------------------------------------

MOST_LOGGED = SEATS * CARDS  # moves and passes of a hand
FREE_RANKS = RANKS - 1  # of which a seat can be known to be void: all but the big joker
_NAME = Codec(encode=ACTIONS.name, decode=ACTIONS.parse)

FIELDS = Fields(
    RULES,
    SEATS,
    *auction.auction_fields(SEATS),
    Field.number("cards", COPIES, "cards by rank", (SEATS, RANKS), hidden=True, codec=COUNTS),
    Field.number("bottom", COPIES, "bottom cards by rank", RANKS, hidden=True, codec=COUNTS),
    Field.number("left", DEALT + BOTTOM, "cards in hand", SEATS),
    Field.number("played", COPIES, "cards played by rank", (SEATS, RANKS), codec=COUNTS),
    Field.flag("void", "certainly none of the rank in hand (R12)", (SEATS, FREE_RANKS)),
    Field.number(
        "move",
        BODIES_END - 1,
        "the move on the table, a full by its triple; none: the seat to act leads",
        low=int(SINGLES),
        empty=True,
        codec=_NAME,
    ),
    Field.number("table_cards", COPIES, "its cards by rank", RANKS, codec=COUNTS),
    *shedding.turn_fields(SEATS),
    Field.seat("winner", "who went out; none: nobody", empty=True),
    Field.number(
        "body",
        BODIES_END - 1,
        "the full being composed, by its triple",
        low=int(BODIES),
        empty=True,
        codec=_NAME,
    ),
    *shedding.log_fields(
        MOST_LOGGED,
        Field.number(
            "log_cards", COPIES, "cards by rank; all 0: a pass", (LOG, RANKS), codec=COUNTS
        ),
    ),
)
STATE = FIELDS.dtype


def contradiction(s: np.void) -> str | None:
    """What can't be on a table or in a view: ``Game.contradiction``."""
    return (
        auction.auction_contradiction(s)
        or _contradiction_in_cards(s)
        or shedding.log_contradiction(s, "landlord")
        or _contradiction_in_played(s)
        or _contradiction_on_table(s)
        or _contradiction_in_body(s)
    )


def _contradiction_in_cards(s: np.void) -> str | None:
    hands, played, bottom, left = s["cards"], s["played"], s["bottom"], s["left"]
    hidden, in_play = (hands == HIDDEN).all(axis=1), s["phase"] == PLAY
    if (hands[~hidden] == HIDDEN).any() or hidden.sum() not in (0, SEATS - 1):
        return "cards are hidden in part: expected those of no seat or of all but one"
    under = bool((bottom == HIDDEN).all())
    can_hide = hidden.any() and (
        not in_play or (not s["rules"]["show_bottom"] and hidden[s["landlord"]])
    )
    if (HIDDEN in bottom or bottom.sum() != BOTTOM) and not (under and can_hide):
        return f"bottom has not {BOTTOM} cards, nor is it hidden from who can't see it"
    if not in_play and (played.any() or s["void"].any()):
        return "played or void has cards, and it is still the auction"
    for seat in range(SEATS):
        held = DEALT + BOTTOM * (seat == s["landlord"]) - played[seat].sum()
        if left[seat] != held:
            return f"left[{seat}] is {left[seat]}: after what was played it is {held}"
        if not hidden[seat] and hands[seat].sum() != held:
            return f"cards[{seat}] has {hands[seat].sum()} cards, and left[{seat}] is {held}"
    return _contradiction_in_hidden(s, hidden)


def _contradiction_in_hidden(s: np.void, hidden: np.ndarray) -> str | None:
    """Whether all unseen cards find a place, and hands are what is certain of them."""
    unseen = DECK - s["played"].sum(axis=0, dtype=np.int64) - s["cards"][~hidden].sum(axis=0)
    if s["phase"] == AUCTION and HIDDEN not in s["bottom"]:
        unseen -= s["bottom"]
    sure = np.array([[certain(s, p, r) for r in range(RANKS)] for p in range(SEATS)])
    unseen -= sure[hidden].sum(axis=0)
    for r in range(RANKS):
        if unseen[r] < 0:
            return f"cards, played and bottom have more than {DECK[r]} cards {RANK_NAMES[r]}"
    for seat in range(SEATS):
        if not hidden[seat] and (sure[seat] > s["cards"][seat]).any():
            return f"cards[{seat}] lacks cards of the bottom"
        held = sure[seat] if hidden[seat] else s["cards"][seat]
        for r in np.flatnonzero(s["void"][seat]).tolist():
            if held[r] > 0:
                return f"void[{seat}, {r}] is 1, and the seat has cards {RANK_NAMES[r]}"
            jokers = s["played"][seat][SMALL_JOKER if r < NATURALS else BIG_JOKER :]
            if not jokers.any():
                return f"void[{seat}, {r}] is 1, and the seat has played no joker that proves it"
        if sure[seat].sum() > s["left"][seat]:
            return f"left[{seat}] is {s['left'][seat]}: cards of the bottom are more"
    if hidden.any() and s["phase"] == PLAY:
        seat = int(np.flatnonzero(~hidden)[0])
        if not can_be_placed(needed(s, seat), room(s, seat)):
            return "void leaves cards that nobody can have"
    return None


def _contradiction_in_played(s: np.void) -> str | None:
    count, played = int(s["log_count"]), s["played"]
    cards = np.zeros((SEATS, RANKS), np.int64)
    for seat, entry in shedding.logged(s, "landlord"):
        cards[seat] += entry
    if (played < cards).any() or (count <= LOG and (played != cards).any()):
        return "played is not what log_cards says"
    if count > SEATS * played.sum():
        return f"log_count is {count}, and {played.sum()} cards have been played"
    return None


def _contradiction_on_table(s: np.void) -> str | None:
    winner = int(s["winner"])
    if s["move"] == NONE and s["table_cards"].any():
        return "table_cards has cards, and there is no move on the table"
    if s["move"] != NONE and not _is_move(s):
        return "table_cards is not what move takes"
    cards = s["table_cards"] if s["move"] != NONE else None
    if fault := shedding.table_contradiction(s, "landlord", cards):
        return fault
    if cards is not None and (proven(s, s["move"]) & ~s["void"][s["owner"]].astype(bool)).any():
        return "void lacks what the jokers on the table prove"
    out = [seat for seat in range(SEATS) if s["left"][seat] == 0]
    if out != [winner] * (winner != NONE) or (out and not s["ended"]):
        return f"winner is {winner}, and out of cards are {out}: ended is {s['ended']}"
    return None


def _is_move(s: np.void) -> bool:
    """Whether someone with just the cards on the table can play the move noted."""
    trial = addressable(FIELDS.blank())[0]
    trial["rules"], trial["phase"], trial["seats"] = s["rules"], PLAY, SEATS
    trial["cards"][0] = s["table_cards"]
    return any(
        m == s["move"] and (cards == s["table_cards"]).all() for m, _, cards in whole_moves(trial)
    )


def proven(s: np.void, move: int) -> np.ndarray:
    """The voids that the jokers in the move on the table prove: flags by rank."""
    cards, needs = s["table_cards"], NEEDS[move - SINGLES]
    flags = (needs > cards)[:FREE_RANKS]
    if KIND[move - SINGLES] == FULL:
        flags = flags | ((cards == 1) & (needs == 0))[:FREE_RANKS]
    flags[SMALL_JOKER] = cards[BIG_JOKER] > needs[BIG_JOKER]
    return flags


def _contradiction_in_body(s: np.void) -> str | None:
    body = int(s["body"])
    if body == NONE:
        return None
    name = ACTIONS.name(body)
    if s["ended"] or s["phase"] == AUCTION or HIDDEN in s["cards"][s["turn"]]:
        return f"body is {name}, and nobody here is composing a move"
    known = addressable(np.array([s], STATE))[0]
    known["body"] = NONE
    if not legal_actions(known)[body]:
        return f"body is {name}, which is illegal"
    if legal_actions(s).sum() < 2:
        return f"body is {name}, to which there is only one pair"
    return None


# --- Deal and auction --------------------------------------------------------------------------


@kernel
def deal(s):
    for seat in range(SEATS):
        s.cards[seat, :] = 0
        s.left[seat] = DEALT
    for r in range(RANKS):
        s.bottom[r] = DECK[r]
    for i in range(SEATS * DEALT):  # R3; what is left over is the bottom
        s.cards[i % SEATS, draw_card(s, s.bottom)] += 1
    open_auction(s, below(s.rng, SEATS))  # R4


@kernel
def clear_table(s):
    s.move = NONE
    s.table_cards[:] = 0
    clear_owner(s)


# --- Legal moves -------------------------------------------------------------------------------


@inlined
def mark(mask, move, above):
    """A move that can be played is legal if it is higher than ``above``."""
    if HEIGHT[move - SINGLES] > above:
        mask[move] = 1


@kernel
def jokers_held(s):
    return s.cards[s.turn, SMALL_JOKER] + s.cards[s.turn, BIG_JOKER]


@kernel
def mark_singles(s, mask, above):
    for r in range(RANKS):
        if s.cards[s.turn, r] > 0:
            mark(mask, SINGLES + r, above)


@kernel
def mark_equal(s, mask, first, width, above):
    """``width`` cards of one rank, at least one of them natural (R13)."""
    for r in range(NATURALS):
        held = s.cards[s.turn, r]
        if held > 0 and held + jokers_held(s) >= width:
            mark(mask, first + r, above)


@kernel
def mark_joker_pairs(s, mask, above):  # R9
    for big in range(3):
        if s.cards[s.turn, SMALL_JOKER] >= 2 - big and s.cards[s.turn, BIG_JOKER] >= big:
            mark(mask, JOKER_PAIRS + big, above)


@kernel
def mark_bombs(s, mask, above):
    jokers = jokers_held(s)
    for r in range(NATURALS):
        held = s.cards[s.turn, r]
        if held > 0:
            for size in range(4, held + jokers + 1):
                mark(mask, BOMBS + NATURALS * (size - 4) + r, above)
    for count in range(3, jokers + 1):
        mark(mask, JOKER_BOMBS + count - 3, above)


@kernel
def reads_higher(used, width, length, low):
    """Whether a higher run of the length has all natural ranks ``used``, given as bits (R13b)."""
    for higher in range(low + 1, RUN_END[width] - length + 1):
        if used & ~STRETCH[length, higher] == 0:
            return True
        if low >= THREE:  # if it can't move up one place, it can't move up more
            return False
    return False


@kernel
def mark_runs(s, mask, width, shortest, longest, above):
    """Runs of ``width`` cards a rank and of these lengths (R11, R12)."""
    hand = s.cards[s.turn]
    jokers = jokers_held(s)
    for low in range(max(above + 1, THREE if width == 1 else 0), RUN_END[width]):
        end = RUN_END[width] if low >= THREE else KING_ENDS
        missing, used = 0, 0
        for length in range(1, min(longest, end - low) + 1):
            rank = RANK_AT[low + length - 1]
            missing += max(0, width - hand[rank])
            if missing > jokers:
                break
            used |= (hand[rank] > 0) << rank
            if length < shortest or used & (used - 1) == 0:  # R13: natural cards of two ranks
                continue
            if not reads_higher(used, width, length, low) and RUN_ID[width, length, low] >= 0:
                mask[RUN_ID[width, length, low]] = 1


@kernel
def next_pair(s, triple, pair):
    """The lowest rank from ``pair`` upward of a pair to go with a triple; −1 if there is none."""
    hand = s.cards[s.turn]
    missing = max(0, 3 - hand[triple])
    spare = jokers_held(s) - missing
    if hand[triple] == 0 or spare < 0:
        return -1
    end = triple if missing > 0 else NATURALS  # R13a
    for r in range(pair, end):
        if r != triple and hand[r] > 0 and hand[r] + spare >= 2:
            return r
    return -1


@kernel
def mark_bodies(s, mask, above):
    for r in range(NATURALS):
        if next_pair(s, r, 0) >= 0:
            mark(mask, BODIES + r, above)


@kernel
def mark_kind(s, mask, kind, shortest, longest, above):
    """Moves of a kind; of runs, those of these lengths."""
    if kind == SINGLE:
        mark_singles(s, mask, above)
    elif kind == PAIR:
        mark_equal(s, mask, PAIRS, 2, above)
        mark_joker_pairs(s, mask, above)
    elif kind == TRIPLE:
        mark_equal(s, mask, TRIPLES, 3, above)
    elif kind == FULL:
        mark_bodies(s, mask, above)
    elif kind == BOMB:
        mark_bombs(s, mask, above)
    else:
        width = kind - FULL
        mark_runs(s, mask, width, shortest, longest, above)


@kernel
def legal(s, mask):
    if s.phase == AUCTION:
        mark_calls(s, mask, CALL)
    elif s.body != NONE:
        triple = s.body - BODIES
        pair = next_pair(s, triple, 0)
        while pair >= 0:
            mask[FULL_PAIRS + pair] = 1
            pair = next_pair(s, triple, pair + 1)
    elif s.move == NONE:
        for kind in range(len(KINDS)):
            shortest = 0
            if RUN <= kind <= TRIPLE_RUN:
                shortest = s.rules.run3_min if kind == TRIPLE_RUN else SHORTEST[kind - FULL]
            mark_kind(s, mask, kind, shortest, PLACES_OF_RUNS, -1)
    else:  # R14
        mask[PASS] = 1
        move = s.move - SINGLES
        mark_kind(s, mask, KIND[move], LENGTH[move], LENGTH[move], HEIGHT[move])
        if KIND[move] != BOMB:
            mark_bombs(s, mask, -1)


# --- Play --------------------------------------------------------------------------------------


@kernel
def lay_out(s, move, pair):
    """The cards of a move from the hand of the seat to act, as ``table_cards`` (R12).

    ``pair`` is the rank of the pair of a full, else NONE. Natural cards go first, then small
    jokers; returns how many jokers are taken for other cards.
    """
    hand = s.cards[s.turn]
    wild = ANY_JOKERS[move - SINGLES]
    for r in range(NATURALS):
        wanted = NEEDS[move - SINGLES, r] + (2 if r == pair else 0)
        s.table_cards[r] = min(wanted, hand[r])
        wild += wanted - s.table_cards[r]
    small = min(wild, hand[SMALL_JOKER])
    s.table_cards[SMALL_JOKER] = NEEDS[move - SINGLES, SMALL_JOKER] + small
    s.table_cards[BIG_JOKER] = NEEDS[move - SINGLES, BIG_JOKER] + wild - small
    return wild


@kernel
def note_voids(s, move, pair):
    """What the jokers on the table prove of the hand they came from (R12)."""
    for r in range(NATURALS):
        if s.table_cards[r] < NEEDS[move - SINGLES, r] + (2 if r == pair else 0):
            s.void[s.turn, r] = 1
    if s.table_cards[BIG_JOKER] > NEEDS[move - SINGLES, BIG_JOKER]:
        s.void[s.turn, SMALL_JOKER] = 1


@kernel
def put_down(s, move, pair):
    """The seat to act plays a move; ``pair`` is the rank of the pair of a full, else NONE."""
    seat = s.turn
    if lay_out(s, move, pair) > 0:
        note_voids(s, move, pair)
    s.move = move
    s.body = NONE
    place = take_table(s)
    for r in range(RANKS):
        s.cards[seat, r] -= s.table_cards[r]
        s.played[seat, r] += s.table_cards[r]
        s.log_cards[place, r] = s.table_cards[r]
    s.left[seat] -= SIZE[move - SINGLES]
    if s.left[seat] == 0:  # R15
        settle(s, seat)


@kernel
def say_pass(s):
    if pass_turn(s):  # R8
        clear_table(s)


@kernel
def choose_body(s, body):
    """The triple of a full; its pair too if there is no choice."""
    triple = body - BODIES
    pair = next_pair(s, triple, 0)
    if next_pair(s, triple, pair + 1) < 0:
        put_down(s, body, pair)
    else:
        s.body = body


@kernel
def skip(s):
    """Play what everybody knows to be forced."""
    while not s.ended:
        if s.move == NONE:
            if s.left[s.turn] > 1:
                return
            put_down(s, SINGLES + lowest_held(s.cards[s.turn]), NONE)
        elif s.move == FOUR_JOKERS or s.left[s.turn] < min(3, SIZE[s.move - SINGLES]):
            say_pass(s)
        else:
            return


@kernel
def apply(s, action):
    if s.phase == AUCTION:
        auction.call(s, action - CALL, deal)  # R5, R6, R7
        return
    if action == PASS:
        say_pass(s)
    elif action >= FULL_PAIRS:
        put_down(s, s.body, action - FULL_PAIRS)
    elif action >= BODIES:
        choose_body(s, action)
    else:
        put_down(s, action, NONE)
    if s.body == NONE:
        skip(s)


# --- Settlement --------------------------------------------------------------------------------


@kernel
def landlord_pays(s, owed):
    """The landlord shares what it can pay of ``owed`` among the farmers (R17)."""
    paid = min(owed, s.stack[s.landlord])
    s.coins[s.landlord] = -paid
    farmer = s.landlord
    for k in range(1, SEATS):
        farmer = next_seat(s, farmer)
        s.coins[farmer] = (paid + SEATS - 1 - k) // (SEATS - 1)


@kernel
def settle(s, winner):
    s.winner = winner
    unit = s.bid * s.rules.stake
    if winner == s.landlord:  # R16, R17
        for farmer in range(SEATS):
            if farmer != s.landlord:
                paid = min(unit, s.stack[farmer])
                s.coins[farmer] = -paid
                s.coins[s.landlord] += paid
    else:
        landlord_pays(s, 3 * unit)
    close_hand(s)
    end_match_below(s, s.rules.stake)  # R20


@kernel
def default(s):  # R19
    if s.phase == AUCTION:
        return CALL
    if s.body != NONE:
        return FULL_PAIRS + next_pair(s, s.body - BODIES, 0)
    if s.move != NONE:
        return PASS
    return SINGLES + lowest_held(s.cards[s.turn])


@kernel
def leave(s, seat):  # R18
    owed = 3 * max(s.bid, 1) * s.rules.stake
    if s.phase == PLAY and seat == s.landlord:
        landlord_pays(s, owed)
    else:
        paid = min(owed, s.stack[seat])
        s.coins[seat] = -paid
        if s.phase == PLAY:
            s.coins[s.landlord] = paid
        else:
            s.house = paid
    s.body = NONE
    close_hand(s)
    s.over = ENDED


# --- What a seat sees --------------------------------------------------------------------------


@kernel
def conceal(s, seat):
    conceal_rng(s.rng)
    for other in range(SEATS):
        if other != seat:
            s.cards[other, :] = HIDDEN
    if s.phase == AUCTION or (seat != s.landlord and not s.rules.show_bottom):  # R7
        s.bottom[:] = HIDDEN
    if s.turn != seat:
        s.body = NONE


@kernel
def certain(s, seat, rank):
    """Cards of ``rank`` that the landlord must still hold, as the bottom cards are known."""
    return max(0, s.bottom[rank] - s.played[seat, rank]) if s.landlord == seat else 0


@kernel
def unseen(s, seat, rank):
    """Cards of ``rank`` that may be in any other hand, for all that ``seat`` knows."""
    count = DECK[rank] - s.cards[seat, rank]
    for p in range(SEATS):
        count -= s.played[p, rank]
        if p != seat:
            count -= certain(s, p, rank)
    return count


@kernel
def may_have(s, seat, rank):
    """The seats after ``seat`` not known to be void of ``rank``, as a set of takers."""
    takers = 0
    for k in range(TAKERS):
        other = (seat + 1 + k) % SEATS
        takers |= (rank == BIG_JOKER or s.void[other, min(rank, SMALL_JOKER)] == 0) << k
    return takers


@kernel
def needed(s, seat):
    """The places that unseen cards need, by set of takers."""
    need = 0
    for r in range(RANKS):
        need += CONFINED[may_have(s, seat, r)] * unseen(s, seat, r)
    return need


@kernel
def room(s, seat):
    """The places that there are for them."""
    places = 0
    for k in range(TAKERS):
        other = (seat + 1 + k) % SEATS
        free = s.left[other]
        for r in range(RANKS):
            free -= certain(s, other, r)
        places += PLACES[k] * free
    return places


@kernel
def redeal_auction(s, seat):
    for r in range(RANKS):
        s.bottom[r] = DECK[r] - s.cards[seat, r]
    for other in range(SEATS):
        if other != seat:
            s.cards[other, :] = 0
            for _ in range(DEALT):
                s.cards[other, draw_card(s, s.bottom)] += 1


@kernel
def redeal_bottom(s):
    """Eight of the landlord's 33 cards, played or not, by lot."""
    cards, wanted = DEALT + BOTTOM, BOTTOM
    for r in range(RANKS):
        s.bottom[r] = 0
        for _ in range(s.cards[s.landlord, r] + s.played[s.landlord, r]):
            if below(s.rng, cards) < wanted:
                s.bottom[r] += 1
                wanted -= 1
            cards -= 1


@kernel
def redeal(s, seat):
    """Fill the other hands around what is certain, voids too."""
    if s.phase == AUCTION:
        redeal_auction(s, seat)
        return
    need, places = needed(s, seat), room(s, seat)
    for most in range(TAKERS + 1):  # ranks that few can have first
        for r in range(RANKS):
            takers = may_have(s, seat, r)
            if (takers & 1) + (takers >> 1 & 1) + (takers >> 2) != most:
                continue
            left = unseen(s, seat, r)
            for other in range(SEATS):
                if other != seat:
                    s.cards[other, r] = certain(s, other, r)
            for _ in range(left):
                taker = draw_taker(s.rng, need, places, takers)
                s.cards[(seat + 1 + taker) % SEATS, r] += 1
                need -= CONFINED[takers]
                places -= PLACES[taker]
    if s.bottom[0] == HIDDEN:
        redeal_bottom(s)


OBSERVATION = Observation(
    Range("phase", 2, "auction, play"),
    Range("calls", (SEATS, CALLS), "call of each seat: pass, 1, 2, 3"),
    Range("bid", 1, "highest bid so far"),
    Range("first_bidder", SEATS, "who bids first"),
    Range("thrown_in", 1, "deals thrown in so far in this hand"),
    Range("landlord", SEATS, "which seat is the landlord"),
    Range("cards", (SEATS, RANKS), "cards in hand by rank", "the owner"),
    Range("bottom", RANKS, "bottom cards by rank", "the landlord, after the auction, or all"),
    Range("cards_left", SEATS, "cards in hand"),
    Range("played", (SEATS, RANKS), "cards played by rank"),
    Range("unseen", RANKS, "cards by rank that are neither played nor in the own hand"),
    Range("void", (SEATS, FREE_RANKS), "certainly none of the rank in hand"),
    Range("table_kind", len(KINDS), "kind of the move on the table"),
    Range(
        "table_rank",
        RANKS,
        "its rank, of a full that of the triple, of jokers the lowest; of a run the top place of "
        "A 2 3 … K A 2",
    ),
    Range("table_length", 1, "ranks of a run, cards of a bomb"),
    Range("table_cards", RANKS, "its cards by rank, jokers as such"),
    Range("table_owner", SEATS, "who played it"),
    Range("passes", 1, "passes in a row since"),
    Range(
        "log",
        (LOG, SEATS + 1 + RANKS),
        "last moves, newest first: seat, pass or not, cards by rank",
    ),
    Range("body", NATURALS, "triple of the full that the own seat is composing", "that seat"),
    Range("stacks", SEATS, "coins before this hand (with it, once it has ended), in stakes"),
    Range("stake", 1, "coins per bid point"),
    hand_range(),
    Range("rules", 3, "deals still to throw in, run3_min, show_bottom"),
)


@kernel
def observe(v, seat, o, known):
    o.phase[v.phase] = 1
    for k in range(SEATS):
        p = (seat + k) % SEATS
        put_one_of(o.calls[k], known.calls[k], CALLS, v.calls[p])
        put_row(o.cards[k], known.cards[k], v.cards[p], RANKS)
        copy_row(o.played[k], v.played[p], RANKS)
        copy_row(o.void[k], v.void[p], FREE_RANKS)
        o.cards_left[k] = v.left[p]
        o.stacks[k] = v.stack[p] / v.rules.stake
    o.bid = v.bid
    put_seat(o.first_bidder, seat, v.first, SEATS)
    o.thrown_in = v.thrown
    put_seat(o.landlord, seat, v.landlord, SEATS)
    put_row(o.bottom, known.bottom, v.bottom, RANKS)
    for r in range(RANKS):
        played = v.played[0, r] + v.played[1, r] + v.played[2, r] + v.played[3, r]
        o.unseen[r] = DECK[r] - v.cards[seat, r] - played
    if v.move != NONE:
        move = v.move - SINGLES
        kind, length = KIND[move], LENGTH[move]
        o.table_kind[kind] = 1
        o.table_rank[LOW[move] + (length - 1 if RUN <= kind <= TRIPLE_RUN else 0)] = 1
        o.table_length = length
    copy_row(o.table_cards, v.table_cards, RANKS)
    put_seat(o.table_owner, seat, v.owner, SEATS)
    o.passes = v.passes
    place = v.log_count % LOG
    for k in range(min(LOG, v.log_count)):
        place = place - 1 if place > 0 else LOG - 1
        put_seat(o.log[k], seat, v.log_seat[place], SEATS)
        moved = copy_row(o.log[k, SEATS + 1 :], v.log_cards[place], RANKS)
        o.log[k, SEATS] = not moved
    if v.body != NONE:
        o.body[v.body - BODIES] = 1
    o.stake = v.rules.stake
    o.rules[0] = v.rules.redeals - v.thrown
    o.rules[1] = v.rules.run3_min
    o.rules[2] = v.rules.show_bottom


# --- Words -------------------------------------------------------------------------------------


def legal_actions(s: np.void) -> np.ndarray:
    mask = np.zeros(ACTIONS.width, np.int8)
    legal(s, mask)
    return mask


def whole_moves(v: np.void) -> Iterator[tuple[int, int, np.ndarray]]:
    """The moves that the seat to act may play: action, rank of a full's pair or NONE, cards."""
    trial = addressable(np.array([v], STATE))[0]
    trial["body"] = NONE
    for action in np.flatnonzero(legal_actions(trial)).tolist():
        if not SINGLES <= action < BODIES_END:
            continue
        pairs = [NONE]
        if action >= BODIES:
            trial["body"] = action
            pairs = (np.flatnonzero(legal_actions(trial)) - FULL_PAIRS).tolist()
            trial["body"] = NONE
        for pair in pairs:
            lay_out(trial, action, pair)
            yield action, pair, trial["table_cards"].copy()


def move_name(action: int, pair: int) -> str:
    """A whole move: ``445566``, or ``AAA+33`` with the rank of its pair."""
    name = ACTIONS.name(action)
    return name if pair == NONE else name.replace("xx", 2 * RANK_NAMES[pair])


def table_text(v: np.void) -> str:
    """The move on the table by name."""
    pairs = (v["table_cards"] > 0) & (NEEDS[v["move"] - SINGLES] == 0)
    full = KIND[v["move"] - SINGLES] == FULL
    return move_name(int(v["move"]), int(np.flatnonzero(pairs)[0]) if full else NONE)


def move(v: np.void, text: str) -> list[str]:
    """The steps of a move that the seat to act is asked for; ValueError if it can't be played.

    A move is written by its name, or by its cards where they mean one thing only.
    """
    text = text.strip()
    if text in ACTIONS.names:
        return [text]
    main, plus, rest = text.partition("+")
    meant = parse_cards(main + rest)
    moves = list(whole_moves(v))
    if plus:
        triple = np.flatnonzero(parse_cards(main)[:NATURALS]).tolist()
        moves = [m for m in moves if m[1] != NONE and [m[0] - int(BODIES)] == triple]
    found = [m for m in moves if (_named(*m[:2]) == meant).all()]
    found = found or [m for m in moves if (m[2] == meant).all()]
    if not found:
        raise ValueError(
            f"{text!r} can't be played now; in hand are {cards_text(v['cards'][v['turn']])}"
        )
    if len(found) > 1:
        names = ", ".join(move_name(*m[:2]) for m in found)
        raise ValueError(f"{text!r} has several meanings: {names}")
    action, pair, _ = found[0]
    steps = [ACTIONS.name(action)]
    if sum(m[0] == action for m in moves) > 1:
        steps.append(ACTIONS.name(int(FULL_PAIRS) + pair))
    return steps


def _named(action: int, pair: int) -> np.ndarray:
    """The cards that a move's name tells, by rank."""
    cards = NEEDS[action - SINGLES].astype(np.int64)
    if pair != NONE:
        cards[pair] += 2
    return cards


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
        "winner": int(s["winner"]) if s["winner"] >= 0 else None,
        "last_move": table_text(s) if s["move"] >= 0 else None,
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
    if v["move"] != NONE:
        cards = rank_items(v["table_cards"])
        zones.append(Zone("on the table", cards, owner=int(v["owner"]), note=table_text(v)))
    if v["body"] != NONE:
        body = ACTIONS.name(int(v["body"]))
        zones.append(Zone("composing", (), int(v["turn"]), note=body))
    return Scene(
        places=tuple(places),
        zones=tuple(zones),
        facts=(f"bid {int(v['bid'])}", f"stake {int(v['rules']['stake'])}"),
        moves=shedding.log_lines(v, cards_text),
        deck="ranks",
    )


def max_plies(rules: Mapping[str, Any]) -> int:
    """Each seat calls once a deal; three seats keep a card, so at most 105 cards are played, each
    step of a move uses a card of its own, and each move but the last is passed on by the others."""
    deals = 1 + int(rules["redeals"])
    return int(rules["hands"]) * (SEATS * deals + shedding.most_turns(SEATS, CARDS - SEATS + 1))


GAME = Game(
    name="san_da_yi",
    title="三打一",
    english="san da yi",
    summary="Two packs and four wild jokers: a landlord with 33 cards against three farmers.",
    version=VERSION,
    source="rule pages of a Chinese online game hall (four players, two packs)",
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
        "410 actions and 535 whole moves by kind",
        "whole moves and first steps of five hands on lead, under both shortest triple runs",
        "complete continuations of small open hands, from each seat",
        "every set of cards out of a hand with all its readings, beside the mask",
        "odds of jokers and of natural bombs in 25 and 33 cards",
    ),
    limitations=("Suits are not kept: they never matter in this game.",),
    history=("0: first version",),
)
