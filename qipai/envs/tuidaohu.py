"""Tuidaohu (推倒胡): mahjong won by the own draw alone, with the dealer's horses (買馬).

R1 1m–9m 萬, 1p–9p 筒, 1s–9s 索, winds E S W N, dragons RD 中, GD 發, WD 白: four each, 136
   tiles, no flowers.
R2 Four seats in playing order.
R3 The dealer (莊) of the first hand is random. The winner deals the next hand; after a draw, the
   seat after the dealer. k counts the hands in a row this seat has dealt, this one included.
R4 Of the shuffled wall w the dealer gets w[0…12], the next seats w[13…25], w[26…38], w[39…51];
   w[52] is the dealer's first draw. Draws go on from w[53], replacements from w[135] downward.
   There is no dead wall.
R5 A turn: draw a tile, then discard, lay a concealed kong or an added kong, or win.
R6 Pong (碰): a seat with two tiles like another's discard may lay the three open. It then discards,
   and may neither kong nor win in that turn.
R7 Kong on a discard (放杠): with three such tiles, lays four open, draws a replacement and is in
   its turn. The discarder is the feeder.
R8 Concealed kong (暗杠): four equal tiles in the hand right after an own draw; laid face up, then a
   replacement.
R9 Added kong (明杠): the fourth tile of an own pong, from the hand right after an own draw; then a
   replacement, unless it is robbed.
R10 A kong needs a tile in the wall.
R11 At most one seat can claim a discard. If none does, the next seat draws.
R12 A hand is won (胡) with a tile just drawn, never on a discard. Declining costs nothing.
R13 Robbing (搶杠): seats that an added kong's tile completes are asked in playing order after the
   konger; the first to accept wins alone. The kong is not made, the pong stays.
R14 Complete is: four sets and a pair, a set being a triplet, a kong or a concealed run of three in
   a suit; seven pairs (七對), all concealed, four equal tiles being two; thirteen orphans (十三麼),
   one of each 1, 9 and honour and one more of these.
R15 Draw (流局): a tile is discarded while the wall is empty. Nobody is asked, nobody pays.
R16 Big (大胡): 天胡, the dealer's win before his first discard, also after own concealed kongs
   (option ``tianhu_kong``); 清一色 one suit; 字一色 all honours; 七對子 seven pairs;
   四暗刻 only concealed triplets and kongs, by the own draw; 十八羅漢 four kongs;
   大三元 triplets or kongs of all dragons; 大四喜 of all winds;
   小四喜 of three winds and a pair of the fourth; 十三麼 thirteen orphans.
R17 Everything else is small (小胡). Kinds do not add up.
R18 Each other seat pays 2 for a small hand, 4 for a big one.
R19 A robbed konger pays for all three: 6 or 12.
R20 After a kong on a discard, a win on its replacement is paid by the feeder alone, 6 or 12. Only
   the kong just made counts.
R21 Kongs are paid, whoever wins: a kong on a discard 3 by its feeder, an added kong 1 and a
   concealed kong 2 by each other seat. In a drawn hand only under ``kongs_in_draw``.
R22 In a won hand the dealer has min(``horses_max``, k) horses: the next tiles from the end of the
   wall, or if too few are left so many different tiles out of all 136.
R23 A horse hits a seat, counted from the dealer: rank r the seat (r − 1) mod 4, winds E S W N
   0 1 2 3, dragons RD GD WD 0 1 2 (1 2 3 if ``horse_dragons`` is one).
R24 Each horse copies for the dealer what the seat it hits wins or loses by R18–R20: on the winner,
   every other seat but the dealer pays the dealer again what it pays the winner; on another seat,
   the dealer pays the winner again what that seat pays, nothing if he is the winner.
R25 Net points × ``stake``. A loser pays at most its stack; the pool is shared in proportion to the
   nets won: rounded down, what is left by largest remainder, ties in playing order after the
   dealer. No rake.
R26 Leaving (逃跑) costs ``escape_points`` × ``stake``, at most the stack, paid to the house or
   shared by the other three (option ``escape_to``), leftovers from the next seat on. The hand is
   void and the match ends.
R27 No answer: win if possible; pass when asked; discard the drawn tile, after a pong the highest.
R28 ``hands`` hands with stacks, dealer and k carried over; the match ends early when a seat has
   less than ``stake``.

Seats that could only pass are not asked. While a question is open, the others see the table as it
was right after the discard or the announced kong, and not who is asked.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from enum import IntEnum
from typing import Any

import numpy as np

from qipai.envs import options
from qipai.envs.fields import MOST_COINS, Codec, Field, Fields
from qipai.envs.game import Game
from qipai.envs.kernel import inlined, kernel
from qipai.envs.layout import (
    HIDDEN,
    NONE,
    Actions,
    Observation,
    Range,
    hand_range,
    put_one_of,
    put_row,
)
from qipai.envs.match import ENDED, close_hand, end_match_below, next_seat
from qipai.envs.options import MAX_STAKE, Options, choice, flag, integer
from qipai.envs.parts.melds import (
    HAND,
    SETS,
    complete,
    seven_pairs,
    thirteen_orphans,
    triplets_and_pair,
)
from qipai.envs.parts.shares import share
from qipai.envs.parts.tiles import (
    COPIES,
    DRAGON,
    KINDS,
    RANKS,
    TILE_NAMES,
    WIND,
    parse_tile,
    tile_field,
    tile_name,
    tile_names,
)
from qipai.envs.rng import below, conceal_rng, shuffle
from qipai.envs.scene import BACK, Place, Scene, Zone

VERSION = 0

# --- Dimensions ------------------------------------------------------------------------------

SEATS = 4
WALL = COPIES * KINDS
DEALT = 13  # tiles each seat is dealt, the dealer's first draw not counted
HORSES = 4
# 84 draws, replacements included, and 16 pongs at most, each followed by at most one discard.
RIVER = WALL - SEATS * DEALT + SEATS * SETS

DRAWN, PONGED, CLAIM, ROB, OVER = range(5)  # phases: turn after a draw, after a pong, questions
PONG, CONCEALED, ADDED, FED = range(4)  # kinds of melds, the last three kongs

# --- Options ---------------------------------------------------------------------------------


class HorseDragons(IntEnum):  # the seat of the first dragon from the winner on (R23)
    ZERO = 0
    ONE = 1


class EscapeTo(IntEnum):  # who gets the fine of a leaver (R26)
    HOUSE = 0
    PLAYERS = 1


RULES = Options(
    options.seats(SEATS, low=SEATS, high=SEATS, clause="R2"),
    integer("stake", 1, low=1, high=MAX_STAKE, meaning="coins per point", clause="R25"),
    options.stack(1000, seats=SEATS, clause="R25"),
    options.hands(clause="R28"),
    integer(
        "horses_max",
        HORSES,
        low=0,
        high=HORSES,
        meaning="most horses; 0: a game without 買馬",
        clause="R22",
    ),
    choice("horse_dragons", HorseDragons.ZERO, meaning="seats of the dragons", clause="R23"),
    flag("kongs_in_draw", False, meaning="kongs are paid in a drawn hand too", clause="R21"),
    flag("tianhu_kong", True, meaning="天胡 after own concealed kongs", clause="R16"),
    integer(
        "escape_points", 8, low=0, high=100, meaning="fine for leaving, in points", clause="R26"
    ),
    choice("escape_to", EscapeTo.HOUSE, meaning="who gets the fine", clause="R26"),
    presets={"plain": {"horses_max": 0}},
)

# --- Actions -----------------------------------------------------------------------------------

ACTIONS = Actions()
DISCARD = ACTIONS.add("discard", [f"discard {name}" for name in TILE_NAMES], "own turn, held")
CALL_PONG = ACTIONS.add("pong", ["pong"], "asked about a discard, two held")
CALL_KONG = ACTIONS.add("kong", ["kong"], "asked about a discard, three held")
CONCEAL_KONG = ACTIONS.add(
    "concealed kong",
    [f"ckong {name}" for name in TILE_NAMES],
    "own turn after a draw, four held, wall not empty",
)
ADD_KONG = ACTIONS.add(
    "added kong",
    [f"akong {name}" for name in TILE_NAMES],
    "own turn after a draw, own pong and one held, wall not empty",
)
WIN = ACTIONS.add("win", ["win"], "own turn after a draw, complete; or robbing a kong")
PASS = ACTIONS.add("pass", ["pass"], "asked about a discard or an added kong")

# --- State -----------------------------------------------------------------------------------

PHASE_NAMES = ("turn", "after pong", "claim", "rob", "over")
MELD_NAMES = ("pong", "ckong", "akong", "kong")
BIG_NAMES = (
    *("天胡", "清一色", "字一色", "七對子", "四暗刻"),
    *("十八羅漢", "大三元", "大四喜", "小四喜", "十三麼"),
)
_COUNTS = Codec(
    encode=lambda counts: tile_names(counts), decode=lambda names: counts_of(names), row=True
)

FIELDS = Fields(
    RULES,
    SEATS,
    Field.seat("dealer", "the dealer", kept=True),
    Field.number(
        "streak",
        lambda s: int(s["hand"]) + 1,
        "k of R3: hands in a row of this dealer",
        low=1,
        kept=True,
    ),
    Field.choice("phase", PHASE_NAMES, "hidden from seats not asked an open question", hidden=True),
    tile_field("wall", "none: drawn", WALL, hidden=True),
    Field.number("front", WALL, "next tile to draw", low=SEATS * DEALT + 1),
    Field.number("back", WALL - 1, "next replacement, later the next horse", low=-1),
    Field.number(
        "tiles", COPIES, "concealed tiles by kind", (SEATS, KINDS), hidden=True, codec=_COUNTS
    ),
    Field.number("held", HAND, "how many they are", SEATS),
    tile_field("drawn", "just drawn by the seat in its turn", hidden=True),
    Field.flag("replaced", "it is a replacement"),
    Field.seat("feeder", "of the kong it replaces; none: an own kong, or none", empty=True),
    Field.number("melds", SETS, "how many are laid", SEATS),
    Field.choice("meld_kind", MELD_NAMES, "in order", (SEATS, SETS), empty=True),
    tile_field("meld_tile", "in order", (SEATS, SETS)),
    Field.seat("meld_from", "who discarded the tile; none: nobody", (SEATS, SETS), empty=True),
    Field.number("discards", RIVER, "how many there have been"),
    tile_field("river", "discards in order", RIVER),
    Field.seat("river_seat", "who discarded them", RIVER, empty=True),
    Field.flag("claimed", "lies in a meld", RIVER),
    tile_field("offer", "that may be claimed or robbed"),
    Field.seat("offer_seat", "who discarded it or adds it to a pong", empty=True),
    Field.flag("offer_kong", "it is added to a pong"),
    Field.seat("winner", "of the last hand; none until this one is won", empty=True, kept=True),
    Field.seat("payer", "who pays for all; none: everybody pays", empty=True),
    Field.number("big", 2 ** len(BIG_NAMES) - 1, "the kinds of R16 the winner has, as bits"),
    tile_field("horses", "none: no horse", HORSES),
    Field.coins("net", "points won or lost in this hand", SEATS, low=-MOST_COINS),
    Field.seat("left_by", "who left; none: nobody", empty=True),
)
STATE = FIELDS.dtype


def contradiction(s: np.void) -> str | None:
    """What can't be on a table or in a view: ``Game.contradiction``."""
    return (
        _contradiction_in_river(s)
        or _contradiction_in_melds(s)
        or _contradiction_in_turn(s)
        or _contradiction_in_offer(s)
        or _contradiction_at_end(s)
        or _contradiction_in_wall(s)
        or _contradiction_in_hands(s)
    )


def _contradiction_in_river(s: np.void) -> str | None:
    lying = np.arange(RIVER) < s["discards"]
    for name in ("river", "river_seat"):
        if ((s[name] != NONE) != lying).any():
            return f"{name} has not the {s['discards']} entries that discards says"
    if s["claimed"][~lying].any():
        return f"claimed has entries beyond discards={s['discards']}"
    return None


def _contradiction_in_melds(s: np.void) -> str | None:
    claims = []
    for seat in range(SEATS):
        count = int(s["melds"][seat])
        for name in ("meld_kind", "meld_tile"):
            if ((s[name][seat] != NONE) != (np.arange(SETS) < count)).any():
                return f"{name}[{seat}] has not {count} entries, as melds says"
        for i in range(SETS):
            source = int(s["meld_from"][seat, i])
            claimed = s["meld_kind"][seat, i] in (PONG, ADDED, FED)
            if (source != NONE) != claimed or source == seat:
                wanted = "another seat" if claimed else str(NONE)
                return f"meld_from[{seat}, {i}] is {source}: expected {wanted} for such a meld"
            claims += [(source, int(s["meld_tile"][seat, i]))] if claimed else []
    taken = s["claimed"] > 0
    discards = zip(s["river_seat"][taken].tolist(), s["river"][taken].tolist(), strict=True)
    if Counter(discards) - Counter(claims):
        return "claimed has discards that lie in no meld"
    return None


def _contradiction_in_turn(s: np.void) -> str | None:
    phase, turn, winner, drawn = (int(s[k]) for k in ("phase", "turn", "winner", "drawn"))
    if (turn == HIDDEN) != (phase == HIDDEN):
        return f"turn is {turn}, and phase is {phase}: expected both hidden, or neither"
    if (phase == OVER) != s["ended"]:
        return f"phase is {phase}, and ended is {s['ended']}"
    drew = phase == DRAWN or (phase == OVER and winner >= 0 and not s["offer_kong"])
    if (drawn != NONE) != drew:
        return f"drawn is {drawn} in phase={phase}"
    if drawn >= 0 and s["tiles"][turn, drawn] == 0:
        return f"drawn is {drawn}, and seat {turn} has no such tile"
    if drawn == HIDDEN and HIDDEN not in s["tiles"][turn]:
        return f"drawn is hidden, and the hand of seat {turn} is not"
    if s["left_by"] >= 0:  # what had been drawn is forgotten, but not how
        return None
    kinds = s["meld_kind"][turn, : s["melds"][turn]].tolist()
    if s["replaced"] and not (drew and {CONCEALED, ADDED, FED} & {*kinds}):
        return "replaced is True, and there is no kong it could replace"
    if s["feeder"] >= 0 and not (
        s["replaced"] and kinds[-1] == FED and s["meld_from"][turn, len(kinds) - 1] == s["feeder"]
    ):
        return f"feeder is {s['feeder']}, and that seat did not feed the kong just made"
    return None


def _contradiction_in_offer(s: np.void) -> str | None:
    phase, tile, seat = int(s["phase"]), int(s["offer"]), int(s["offer_seat"])
    robbed = phase == OVER and s["winner"] >= 0 and s["offer_kong"]
    asked = phase in (CLAIM, ROB, HIDDEN) or robbed
    if (tile != NONE) != asked or (seat != NONE) != asked:
        return f"offer is {tile} of offer_seat={seat} in phase={phase}"
    if (phase in (CLAIM, ROB) or not asked) and s["offer_kong"] != (phase == ROB):
        return f"offer_kong is {s['offer_kong']} in phase={phase}"
    if not asked:
        return None
    if s["turn"] == seat:
        return f"offer_seat is {seat}, whose turn it is"
    if not robbed and wall_left(s) < 1:
        return f"offer is {tile}, and the wall is empty"
    last = int(s["discards"]) - 1
    if not s["offer_kong"]:
        lying = last >= 0 and not s["claimed"][last]
        if not lying or (s["river"][last], s["river_seat"][last]) != (tile, seat):
            return f"offer is {tile} of seat {seat}, which is not the last discard"
    elif not ((s["meld_kind"][seat] == PONG) & (s["meld_tile"][seat] == tile)).any():
        return f"offer is {tile}, and seat {seat} has no pong of it"
    return None


def _contradiction_at_end(s: np.void) -> str | None:
    winner, left_by, turn, payer = (int(s[k]) for k in ("winner", "left_by", "turn", "payer"))
    if s["phase"] != OVER or winner < 0:
        unwon = FIELDS.blank()[0]
        for name in ("winner", "payer", "big", "horses"):
            if (s[name] != unwon[name]).any():
                return f"{name} is {s[name]}, and nobody has won this hand"
    if s["phase"] != OVER and (left_by != NONE or s["net"].any()):
        return f"left_by is {left_by}, net is {s['net'].tolist()}, and the hand has not ended"
    if s["phase"] != OVER:
        return None
    if winner >= 0 and left_by >= 0:
        return f"winner is {winner}, and left_by is {left_by}: a hand that somebody left is void"
    if max(winner, left_by) not in (NONE, turn):
        return f"turn is {turn}: expected {max(winner, left_by)}, who won or left"
    if winner >= 0 and payer != s["offer_seat" if s["offer_kong"] else "feeder"]:
        return f"payer is {payer}: expected whoever was robbed or fed the kong"
    horses = int(horse_count(s)) if winner >= 0 else 0
    if ((s["horses"] != NONE) != (np.arange(HORSES) < horses)).any():
        return f"horses has not the {horses} tiles due"
    return None


def _contradiction_in_wall(s: np.void) -> str | None:
    front, back, view = int(s["front"]), int(s["back"]), bool((s["tiles"] == HIDDEN).any())
    end = WALL - int((s["meld_kind"] > PONG).sum())  # of what was not drawn to replace a kong
    horses = s["horses"][s["horses"] >= 0]
    turned = horses[::-1] if front + len(horses) <= end else horses[:0]
    if back != end - len(turned) - 1:
        return f"back is {back}: after the kongs and horses so far it is {end - len(turned) - 1}"
    if front > back + 1:
        return f"front is {front}, beyond back={back}"
    wall = s["wall"]
    if (wall[:front] != NONE).any() or (wall[end:] != NONE).any():
        return f"wall has tiles at places that were drawn: before front={front} or from {end} on"
    if (wall[back + 1 : end] != turned).any():
        return "wall does not end with the horses that were turned over"
    inner = wall[front : back + 1]
    if (inner != HIDDEN).any() if view else (inner < 0).any():
        return "wall has gaps, or is not hidden as the hands are"
    return None


def _contradiction_in_hands(s: np.void) -> str | None:
    hands, phase, winner = s["tiles"], int(s["phase"]), int(s["winner"])
    hidden = (hands == HIDDEN).all(axis=1)
    if (hands[~hidden] == HIDDEN).any() or hidden.sum() not in (0, SEATS - 2, SEATS - 1):
        return "tiles are hidden in part: expected those of all but the own seat and the winner"
    if hidden.sum() == SEATS - 2 and (winner < 0 or hidden[winner]):
        return "tiles are not hidden of a seat that has not won"
    more = s["held"] - (DEALT - 3 * s["melds"])
    holder = s["turn"] if phase in (DRAWN, PONGED) else winner
    wanted = np.arange(SEATS) == holder
    if s["left_by"] >= 0 and more.any():  # whoever was in its turn has one more
        wanted = np.arange(SEATS) == np.argmax(more)
    for seat in range(SEATS):
        if more[seat] != wanted[seat]:
            due = s["held"][seat] - more[seat] + wanted[seat]
            return f"held[{seat}] is {s['held'][seat]}: expected {due} beside its melds"
        if not hidden[seat] and hands[seat].sum() != s["held"][seat]:
            return f"tiles[{seat}] has {hands[seat].sum()} tiles, and held says {s['held'][seat]}"
    left = [int(hidden_tiles(s, tile)) for tile in range(KINDS)]
    if min(left) < 0:
        name = TILE_NAMES[left.index(min(left))]
        return f"tiles, melds, river and horses have more than {COPIES} tiles {name}"
    room = s["held"][hidden].sum() + wall_left(s)
    if sum(left) != room:
        return f"front is {s['front']}: {sum(left)} tiles are unseen, and there is room for {room}"
    return None


# --- Complete hands (R14, R16) -----------------------------------------------------------------

TIANHU, ONE_SUIT, ALL_HONOURS, SEVEN_PAIRS, FOUR_CONCEALED = (1 << k for k in range(5))
FOUR_KONGS, THREE_DRAGONS, FOUR_WINDS, THREE_WINDS, ORPHANS = (1 << k for k in range(5, 10))


@kernel
def suit(s, seat, first):
    """The concealed tiles of the suit from kind ``first`` on, as in parts/melds.py."""
    tiles = np.int64(0)
    for k in range(min(RANKS, KINDS - first)):
        tiles |= np.int64(s.tiles[seat, first + k]) << (3 * k)
    return tiles


@kernel
def suits(s, seat):
    """The concealed tiles of a seat, as in parts/melds.py."""
    return (
        suit(s, seat, 0),
        suit(s, seat, RANKS),
        suit(s, seat, 2 * RANKS),
        suit(s, seat, WIND),
    )


@kernel
def can_rob(s, seat):
    """Whether the tile being added to a pong completes the hand of a seat (R13)."""
    s.tiles[seat, s.offer] += 1
    completed = complete(*suits(s, seat))
    s.tiles[seat, s.offer] -= 1
    return completed


@kernel
def copies(s, seat, tile):
    """Tiles of a kind that a seat has, a meld counting three."""
    count = np.int64(s.tiles[seat, tile])
    for i in range(s.melds[seat]):
        if s.meld_tile[seat, i] == tile:
            count += 3
    return count


@kernel
def triplets(s, seat, first, n):
    """How many of n kinds are triplets or kongs, concealed or not; four in the hand are neither."""
    count = 0
    for k in range(n):
        count += copies(s, seat, first + k) == 3
    return count


@kernel
def has_suit(s, seat, first):
    count = 0
    for k in range(min(RANKS, KINDS - first)):
        count += copies(s, seat, first + k)
    return count > 0


@kernel
def melds_of(s, seat, kind):
    count = 0
    for i in range(s.melds[seat]):
        count += s.meld_kind[seat, i] == kind
    return count


@kernel
def big_kinds(s, seat):
    """The kinds of R16 that a complete hand has but for 天胡, as bits."""
    hand = suits(s, seat)
    kinds = 0
    used = 0
    for k in range(3):
        used += has_suit(s, seat, RANKS * k)
    if used == 0:
        kinds |= ALL_HONOURS
    if used == 1 and not has_suit(s, seat, WIND):
        kinds |= ONE_SUIT
    if seven_pairs(*hand):
        kinds |= SEVEN_PAIRS
    if thirteen_orphans(*hand):
        kinds |= ORPHANS
    if melds_of(s, seat, CONCEALED) == s.melds[seat] and triplets_and_pair(*hand):
        kinds |= FOUR_CONCEALED
    if s.melds[seat] - melds_of(s, seat, PONG) == SETS:
        kinds |= FOUR_KONGS
    if triplets(s, seat, DRAGON, 3) == 3:
        kinds |= THREE_DRAGONS
    winds = triplets(s, seat, WIND, 4)
    if winds == 4:
        kinds |= FOUR_WINDS
    if winds == 3:
        for k in range(4):
            if copies(s, seat, WIND + k) == 2:
                kinds |= THREE_WINDS
    return kinds


# --- Deal (R3, R4) -----------------------------------------------------------------------------


@kernel
def deal(s):
    for k in range(WALL):
        s.wall[k] = k // COPIES
    shuffle(s.rng, s.wall, WALL)
    dealer = s.dealer
    if s.hand == 0:
        s.dealer = below(s.rng, SEATS)
    elif s.winner >= 0:
        s.dealer = s.winner
    else:
        s.dealer = next_seat(s, dealer)
    s.streak = s.streak + 1 if s.hand > 0 and s.dealer == dealer else 1
    deal_from_wall(s)


@kernel
def deal_from_wall(s):
    """Start the hand that follows from ``wall`` and ``dealer``."""
    s.back = WALL - 1
    s.winner = NONE
    for k in range(SEATS):
        seat = (s.dealer + k) % SEATS
        for _ in range(DEALT):
            s.front += 1
            s.tiles[seat, take(s, s.front - 1)] += 1
        s.held[seat] = DEALT
    close_offer(s)
    draw(s, s.dealer)


@kernel
def take(s, place):
    """Take the tile at a place out of the wall; returns its kind."""
    tile = s.wall[place]
    s.wall[place] = NONE
    return tile


@kernel
def wall_left(s):
    return s.back - s.front + 1


# --- Turns (R5–R10) ----------------------------------------------------------------------------


@kernel
def turn_after(s, seat, tile, replaced, feeder):
    """A seat has drawn a tile."""
    s.tiles[seat, tile] += 1
    s.held[seat] += 1
    s.drawn = tile
    s.replaced = replaced
    s.feeder = feeder
    s.turn = seat
    s.phase = DRAWN


@kernel
def draw(s, seat):
    s.front += 1
    turn_after(s, seat, take(s, s.front - 1), False, NONE)


@kernel
def replace(s, seat, feeder):
    s.back -= 1
    turn_after(s, seat, take(s, s.back + 1), True, feeder)


@kernel
def put_down(s, seat, tile, n):
    """Take tiles out of a hand; what was just drawn is no longer apart from the others."""
    s.tiles[seat, tile] -= n
    s.held[seat] -= n
    s.drawn = NONE
    s.replaced = False
    s.feeder = NONE


@kernel
def lay(s, seat, kind, tile, source):
    i = s.melds[seat]
    s.meld_kind[seat, i] = kind
    s.meld_tile[seat, i] = tile
    s.meld_from[seat, i] = source
    s.melds[seat] += 1


@kernel
def discard(s, seat, tile):
    put_down(s, seat, tile, 1)
    s.river[s.discards] = tile
    s.river_seat[s.discards] = seat
    s.discards += 1
    if wall_left(s) == 0:  # R15
        finish(s, seat)
        return
    for k in range(1, SEATS):  # R11
        other = (seat + k) % SEATS
        if s.tiles[other, tile] >= 2:
            open_offer(s, seat, tile, False)
            ask(s, other, CLAIM)
            return
    draw(s, next_seat(s, seat))


@kernel
def open_offer(s, seat, tile, kong):
    s.offer = tile
    s.offer_seat = seat
    s.offer_kong = kong


@kernel
def close_offer(s):
    open_offer(s, NONE, NONE, False)


@kernel
def ask(s, seat, phase):
    s.turn = seat
    s.phase = phase


@kernel
def claim(s, seat, kind):
    """Lay a discard with two tiles of the hand or three (R6, R7)."""
    tile, source = s.offer, s.offer_seat
    s.claimed[s.discards - 1] = 1
    close_offer(s)
    lay(s, seat, kind, tile, source)
    put_down(s, seat, tile, 2 if kind == PONG else 3)
    if kind == FED:
        replace(s, seat, source)
        return
    ask(s, seat, PONGED)
    if s.held[seat] == 2:  # only then can all tiles be of one kind
        tile = highest_held(s, seat)
        if s.tiles[seat, tile] == 2:
            discard(s, seat, tile)


@kernel
def highest_held(s, seat):
    tile = KINDS - 1
    while s.tiles[seat, tile] == 0:
        tile -= 1
    return tile


@kernel
def announce(s, seat, tile):
    """A seat adds a tile to its pong (R9), which others may rob first (R13)."""
    put_down(s, seat, tile, 1)
    open_offer(s, seat, tile, True)
    ask_robber(s, seat)


@kernel
def ask_robber(s, seat):
    """Ask the next seat after this one that can rob the kong; if there is none, it is made."""
    other = next_seat(s, seat)
    while other != s.offer_seat and not can_rob(s, other):
        other = next_seat(s, other)
    if other != s.offer_seat:
        ask(s, other, ROB)
        return
    for i in range(s.melds[other]):
        if s.meld_tile[other, i] == s.offer:
            s.meld_kind[other, i] = ADDED
    close_offer(s)
    replace(s, other, NONE)


@kernel
def win(s, seat):
    s.winner = seat
    if s.phase == ROB:  # R13, R19
        s.payer = s.offer_seat
        s.tiles[seat, s.offer] += 1
        s.held[seat] += 1
    else:  # R20
        s.payer = s.feeder
        laid = s.melds[seat] > 0
        if seat == s.dealer and s.discards == 0 and (s.rules.tianhu_kong or not laid):
            s.big |= TIANHU
    s.big |= big_kinds(s, seat)
    turn_horses(s)
    settle_win(s)
    finish(s, seat)


@kernel
def legal(s, mask):
    seat = s.turn
    if s.phase == DRAWN or s.phase == PONGED:
        hand = s.tiles[seat]
        for tile in range(KINDS):
            mask[DISCARD + tile] = hand[tile] > 0
        if s.phase == PONGED:  # R6
            return
        mask[WIN] = complete(*suits(s, seat))
        if wall_left(s) == 0:  # R10
            return
        for tile in range(KINDS):
            mask[CONCEAL_KONG + tile] = hand[tile] == COPIES
        for i in range(s.melds[seat]):
            tile = s.meld_tile[seat, i]
            if s.meld_kind[seat, i] == PONG and hand[tile] > 0:
                mask[ADD_KONG + tile] = 1
    elif s.phase == CLAIM:  # never with an empty wall (R15)
        mask[CALL_PONG] = s.tiles[seat, s.offer] >= 2
        mask[CALL_KONG] = s.tiles[seat, s.offer] >= 3
        mask[PASS] = 1
    elif s.phase == ROB:
        mask[WIN] = can_rob(s, seat)
        mask[PASS] = 1


@kernel
def apply(s, action):
    seat = s.turn
    if action < CALL_PONG:
        discard(s, seat, action - DISCARD)
    elif action == CALL_PONG:
        claim(s, seat, PONG)
    elif action == CALL_KONG:
        claim(s, seat, FED)
    elif action < ADD_KONG:
        tile = action - CONCEAL_KONG
        lay(s, seat, CONCEALED, tile, NONE)
        put_down(s, seat, tile, COPIES)
        replace(s, seat, NONE)
    elif action < WIN:
        announce(s, seat, action - ADD_KONG)
    elif action == WIN:
        win(s, seat)
    elif s.phase == ROB:
        ask_robber(s, seat)
    else:
        seat = next_seat(s, s.offer_seat)
        close_offer(s)
        draw(s, seat)


@kernel
def default(s):  # R27
    seat = s.turn
    if s.phase == DRAWN:
        return WIN if complete(*suits(s, seat)) else DISCARD + s.drawn
    if s.phase == PONGED:
        return DISCARD + highest_held(s, seat)
    if s.phase == ROB and can_rob(s, seat):
        return WIN
    return PASS


@kernel
def leave(s, seat):  # R26
    if s.phase == ROB:  # the kong is not made
        s.tiles[s.offer_seat, s.offer] += 1
        s.held[s.offer_seat] += 1
    close_offer(s)
    s.drawn = NONE
    s.left_by = seat
    fine = min(s.rules.escape_points * s.rules.stake, s.stack[seat])
    if s.rules.escape_to == EscapeTo.PLAYERS:
        for other in range(SEATS):
            s.net[other] = other != seat
        share(fine, s.net, s.coins, SEATS, next_seat(s, seat))
        s.net[:] = 0
    else:
        s.house = fine
    s.coins[seat] = -fine
    close_hand(s)
    rest(s, seat)
    s.over = ENDED


# --- Settlement (R18–R25) ----------------------------------------------------------------------


@inlined
def pay(s, seat, other, points):
    s.net[seat] -= points
    s.net[other] += points


@inlined
def kong_points(kind):
    """What a kong takes from the seat that fed it, other kinds from each seat (R21)."""
    if kind == FED:
        return 3
    return 2 if kind == CONCEALED else 1


@kernel
def pay_kongs(s):  # R21
    for seat in range(SEATS):
        for i in range(s.melds[seat]):
            kind = s.meld_kind[seat, i]
            if kind == FED:
                pay(s, s.meld_from[seat, i], seat, kong_points(kind))
            elif kind != PONG:
                for other in range(SEATS):
                    pay(s, other, seat, kong_points(kind))


@kernel
def lost(s, seat):
    """What a seat pays the winner, horses and kongs aside (R18–R20)."""
    each = 4 if s.big != 0 else 2
    if seat == s.winner:
        return 0
    if s.payer == NONE:
        return each
    return 3 * each if seat == s.payer else 0


@kernel
def horse_count(s):  # R22
    return min(s.rules.horses_max, s.streak)


@kernel
def turn_horses(s):
    """Turn the horses over, at the end of the wall, where they stay (R22)."""
    n = horse_count(s)
    if n <= wall_left(s):
        for i in range(n):
            s.horses[i] = s.wall[s.back]
            s.back -= 1
        return
    for i in range(n):
        place = below(s.rng, WALL - i)
        tile = -1
        while place >= 0:
            tile += 1
            place -= COPIES
            for j in range(i):
                place += s.horses[j] == tile
        s.horses[i] = tile


@kernel
def hit_by(s, tile):
    """The seat a horse points at (R23)."""
    if tile < WIND:
        steps = tile % RANKS % SEATS
    elif tile < DRAGON:
        steps = tile - WIND
    else:
        steps = tile - DRAGON + s.rules.horse_dragons
    return (s.dealer + steps) % SEATS


@kernel
def pay_horse(s, tile):  # R24
    hit = hit_by(s, tile)
    if hit == s.winner:
        for seat in range(SEATS):
            if seat != s.dealer:
                pay(s, seat, s.dealer, lost(s, seat))
    elif s.dealer != s.winner:
        pay(s, s.dealer, s.winner, lost(s, hit))


@kernel
def settle_win(s):
    pay_kongs(s)
    for seat in range(SEATS):
        pay(s, seat, s.winner, lost(s, seat))
    for tile in s.horses:
        if tile >= 0:
            pay_horse(s, np.int64(tile))


@kernel
def pay_out(s):
    """The points of ``net`` in coins (R25)."""
    pool = 0
    for seat in range(SEATS):
        if s.net[seat] < 0:
            paid = min(-s.net[seat] * s.rules.stake, s.stack[seat])
            s.coins[seat] = -paid
            pool += paid
    if pool > 0:
        share(pool, s.net, s.coins, SEATS, next_seat(s, s.dealer))


@kernel
def rest(s, seat):
    """Nothing is left to decide; ``turn`` stays with a seat that everybody knows."""
    s.turn = seat
    s.phase = OVER


@kernel
def finish(s, seat):
    """The hand ends by a win, or without one (R15), by an action of this seat."""
    if s.winner == NONE and s.rules.kongs_in_draw:
        pay_kongs(s)
    pay_out(s)
    close_hand(s)
    end_match_below(s, s.rules.stake)  # R28
    rest(s, seat)


# --- What a seat sees --------------------------------------------------------------------------


@kernel
def conceal(s, seat):
    conceal_rng(s.rng)
    for other in range(SEATS):
        if other != seat and other != s.winner:
            s.tiles[other, :] = HIDDEN
    for k in range(s.front, s.back + 1):
        s.wall[k] = HIDDEN
    if s.turn != seat:
        if s.phase == DRAWN:
            s.drawn = HIDDEN
        elif s.phase == CLAIM or s.phase == ROB:
            s.turn = HIDDEN
            s.phase = HIDDEN


@kernel
def unseen(v, seat, tile):
    """Tiles of a kind that are neither in the hand of a seat nor open on the table."""
    return not_open(v, tile) - np.int64(v.tiles[seat, tile])


@kernel
def not_open(v, tile):
    """Tiles of a kind that are neither laid, nor discarded, nor in question."""
    count = COPIES
    for other in range(SEATS):
        for i in range(v.melds[other]):
            if v.meld_tile[other, i] == tile:
                count -= 3 if v.meld_kind[other, i] == PONG else COPIES
    for i in range(v.discards):
        if v.river[i] == tile and not v.claimed[i]:
            count -= 1
    if v.offer_kong and v.offer == tile and v.phase != OVER:
        count -= 1
    return count


@kernel
def hidden_tiles(v, tile):
    """Tiles of a kind in the wall and in the hands that are hidden; in the wall, if none is."""
    count = not_open(v, tile)
    for seat in range(SEATS):
        if v.tiles[seat, tile] != HIDDEN:
            count -= v.tiles[seat, tile]
    for k in range(v.back + 1, WALL):  # horses that have been turned over
        count -= v.wall[k] == tile
    return count


@kernel
def redeal(s, seat):
    """Spread the unseen tiles over the hidden hands and the wall.

    They are gathered in the wall, which has room for those of the hands where it is drawn off.
    """
    start = s.front
    for other in range(SEATS):
        if s.tiles[other, 0] == HIDDEN:
            start -= s.held[other]
    place = start
    for tile in range(KINDS):
        for _ in range(hidden_tiles(s, tile)):
            s.wall[place] = tile
            place += 1
    shuffle(s.rng, s.wall[start:], place - start)
    for other in range(SEATS):
        if s.tiles[other, 0] == HIDDEN:
            s.tiles[other, :] = 0
            for _ in range(s.held[other]):
                tile = take(s, start)
                s.tiles[other, tile] += 1
                start += 1
                if s.turn == other and s.drawn != NONE:
                    s.drawn = tile
    if s.turn == HIDDEN:
        rebuild_question(s, seat)


@kernel
def rebuild_question(s, seat):
    """Ask the first other seat that can answer in these hands; if none can, the first one."""
    s.phase = ROB if s.offer_kong else CLAIM
    for k in range(1, SEATS):
        other = (s.offer_seat + k) % SEATS
        if other != seat:
            if s.turn == HIDDEN:
                s.turn = other
            can = can_rob(s, other) if s.offer_kong else s.tiles[other, s.offer] >= 2
            if can:
                s.turn = other
                return


MELD_KINDS = 6  # as an observation tells them apart

OBSERVATION = Observation(
    Range(
        "may",
        5,
        "what the own seat may do: turn after a draw, turn after a pong, asked about a discard, "
        "asked about an added kong, nothing",
    ),
    Range(
        "tiles", (SEATS, KINDS), "concealed tiles by kind", "the owner; the winner's at the end all"
    ),
    Range("drawn", KINDS, "the tile just drawn", "who drew it"),
    Range(
        "melds",
        (SEATS, MELD_KINDS, KINDS),
        "pong, concealed kong, added kong, kong fed by the next, opposite, last seat after the "
        "owner",
    ),
    Range("discards", (SEATS, KINDS), "discards that lie unclaimed, by kind"),
    Range(
        "recent",
        (SEATS, KINDS),
        "1 / n if a seat's last discard of a kind was the n-th last of all",
    ),
    Range("held", SEATS, "number of concealed tiles"),
    Range("offer", KINDS, "the tile that may be claimed or robbed"),
    Range("offer_seat", SEATS, "whose it is"),
    Range("offer_kong", 1, "it is being added to a pong"),
    Range("unseen", KINDS, "tiles neither in the own hand nor open on the table"),
    Range("wall", 1, "tiles left in the wall"),
    Range("replaced", 1, "the tile just drawn replaces a kong"),
    Range("feeder", SEATS, "who fed that kong"),
    Range("dealer", SEATS, "the dealer"),
    Range("streak", 1, "k: hands in a row of this dealer"),
    Range("horses", 1, "horses there will be in a won hand"),
    Range("opened", 1, "the dealer has discarded"),
    Range("kong_points", SEATS, "net points of the kongs so far"),
    Range("stacks", SEATS, "coins before this hand (with it, once it has ended), in stakes"),
    Range("away", SEATS, "has left"),
    Range("stake", 1, "coins per point"),
    hand_range(),
    Range("rules", 4, "horses_max; dragons count from one; kongs_in_draw; tianhu_kong"),
)


@inlined
def after(seat, other):
    """How many places after a seat another one sits."""
    return (other - seat) & 3


@kernel
def observe(v, seat, o, known):
    o.may[v.phase if v.turn == seat and v.phase != OVER else OVER] = 1
    for k in range(SEATS):
        p = (seat + k) & 3
        put_row(o.tiles[k], known.tiles[k], v.tiles[p], KINDS)
        o.held[k] = v.held[p]
        o.stacks[k] = v.stack[p] / v.rules.stake
        o.away[k] = v.away[p]
    put_one_of(o.drawn, known.drawn, KINDS, v.drawn)
    for tile in range(KINDS):
        o.unseen[tile] = COPIES - v.tiles[seat, tile]
    for k in range(SEATS):
        observe_melds(v, seat, k, o)
    for i in range(v.discards):
        tile = v.river[i]
        k = after(seat, v.river_seat[i])
        o.recent[k, tile] = 1 / (v.discards - i)
        if not v.claimed[i]:
            o.discards[k, tile] += 1
            o.unseen[tile] -= 1
    if v.offer >= 0 and v.phase != OVER:
        o.offer[v.offer] = 1
        o.offer_seat[after(seat, v.offer_seat)] = 1
        o.offer_kong = v.offer_kong
        if v.offer_kong:
            o.unseen[v.offer] -= 1
    o.wall = wall_left(v)
    o.replaced = v.replaced
    if v.feeder >= 0:
        o.feeder[after(seat, v.feeder)] = 1
    o.dealer[after(seat, v.dealer)] = 1
    o.streak = v.streak
    o.horses = horse_count(v)
    o.opened = v.discards > 0
    o.stake = v.rules.stake
    o.rules[0] = v.rules.horses_max
    o.rules[1] = v.rules.horse_dragons
    o.rules[2] = v.rules.kongs_in_draw
    o.rules[3] = v.rules.tianhu_kong


@kernel
def observe_melds(v, seat, k, o):
    """The melds of the k-th seat after the own one, and what its kongs are worth."""
    p = (seat + k) & 3
    for i in range(v.melds[p]):
        kind, tile = v.meld_kind[p, i], v.meld_tile[p, i]
        column = np.int64(kind)
        if kind == FED:
            column += after(p, v.meld_from[p, i]) - 1
        o.melds[k, column, tile] = 1
        o.unseen[tile] -= 3 if kind == PONG else COPIES
        each = kong_points(kind)
        if kind == FED:
            o.kong_points[k] += each
            o.kong_points[after(seat, v.meld_from[p, i])] -= each
        elif kind != PONG:
            o.kong_points[k] += SEATS * each
            for other in range(SEATS):
                o.kong_points[other] -= each


# --- Words -------------------------------------------------------------------------------------


def census(s: np.void) -> tuple[int, ...]:
    """How many there are of each kind of tile, wherever they lie."""
    counts = [0] * KINDS
    for tile in s["wall"][s["wall"] >= 0]:
        counts[tile] += 1
    for i in range(int(s["discards"])):
        counts[s["river"][i]] += not s["claimed"][i]
    for seat in range(SEATS):
        for tile in range(KINDS):
            counts[tile] += int(s["tiles"][seat, tile])
        for i in range(int(s["melds"][seat])):
            counts[s["meld_tile"][seat, i]] += 3 if s["meld_kind"][seat, i] == PONG else COPIES
    if s["phase"] == ROB:
        counts[s["offer"]] += 1
    return tuple(counts)


def report(s: np.void) -> dict[str, Any]:
    """How the hand ended, the points of every seat; after a win its kinds and horses."""
    winner, left_by = int(s["winner"]), int(s["left_by"])
    won = "robbed" if s["offer_kong"] else "won"
    told: dict[str, Any] = {
        "reason": "left" if left_by >= 0 else won if winner >= 0 else "draw",
        "dealer": int(s["dealer"]),
        "streak": int(s["streak"]),
        "points": [int(points) for points in s["net"]],
        "melds": [meld_words(s, seat) for seat in range(SEATS)],
    }
    if left_by >= 0:
        told["left_by"] = left_by
    if winner >= 0:
        horses = [int(tile) for tile in s["horses"] if tile >= 0]
        told |= {
            "winner": winner,
            "tiles": tile_names(s["tiles"][winner]),
            "tile": tile_name(int(s["offer"] if s["offer_kong"] else s["drawn"])),
            "size": "big" if s["big"] else "small",
            "kinds": [name for k, name in enumerate(BIG_NAMES) if int(s["big"]) >> k & 1],
            "payer": int(s["payer"]) if s["payer"] >= 0 else None,
            "horses": [[tile_name(tile), int(hit_by(s, tile))] for tile in horses],
        }
    return told


def meld_words(v: np.void, seat: int) -> list[str]:
    """The melds of a seat as ``pong 5m`` or ``kong 5m fed by 2``."""
    words = []
    for i in range(int(v["melds"][seat])):
        kind, tile = int(v["meld_kind"][seat, i]), int(v["meld_tile"][seat, i])
        source = f" fed by {v['meld_from'][seat, i]}" if kind == FED else ""
        words.append(f"{MELD_NAMES[kind]} {tile_name(tile)}{source}")
    return words


def hand_items(v: np.void, seat: int) -> tuple[str, ...]:
    """The concealed tiles of a seat, the one just drawn last."""
    if v["tiles"][seat, 0] == HIDDEN:
        return (BACK,) * int(v["held"][seat])
    names = tile_names(v["tiles"][seat])
    if v["turn"] == seat and v["drawn"] >= 0:
        drawn = tile_name(int(v["drawn"]))
        names.remove(drawn)
        names.append(drawn)
    return tuple(names)


def meld_items(v: np.void, seat: int) -> tuple[str, ...]:
    names: list[str] = []
    for i in range(int(v["melds"][seat])):
        size = 3 if v["meld_kind"][seat, i] == PONG else COPIES
        names += [tile_name(int(v["meld_tile"][seat, i]))] * size
    return tuple(names)


def role(v: np.void, seat: int) -> str:
    """What a seat is in this hand."""
    if v["winner"] == seat:
        return "winner"
    if v["left_by"] == seat:
        return "gone"
    return "dealer" if v["dealer"] == seat else "player"


def show(v: np.void, seat: int | None) -> Scene:
    """What lies on the table, for one seat's eyes; seat None: for all."""
    count = int(v["discards"])
    discards = [
        (int(v["river_seat"][i]), tile_name(int(v["river"][i])), bool(v["claimed"][i]))
        for i in range(count)
    ]
    places, zones = [], []
    for p in range(SEATS):
        drew = "drew" if v["turn"] == p and v["phase"] == DRAWN else ""
        places.append(Place(p, role(v, p), int(v["stack"][p]), note=drew))
        zones.append(Zone("hand", hand_items(v, p), owner=p))
        if v["melds"][p]:
            note = ", ".join(meld_words(v, p))
            zones.append(Zone("melds", meld_items(v, p), owner=p, note=note))
        lying = tuple(name for owner, name, claimed in discards if owner == p and not claimed)
        zones.append(Zone("discards", lying, owner=p))
    zones.append(Zone("wall", (), note=f"{int(wall_left(v))} tiles"))
    if v["offer"] >= 0:
        what = "adds to a pong" if v["offer_kong"] else "discards"
        offer = (tile_name(int(v["offer"])),)
        zones.append(Zone("in question", offer, note=f"seat {v['offer_seat']} {what}"))
    horses = [int(tile) for tile in v["horses"] if tile >= 0]
    if horses:
        hits = ", ".join(f"seat {hit_by(v, tile)}" for tile in horses)
        zones.append(Zone("horses", tuple(map(tile_name, horses)), note=hits))
    facts = [
        f"dealer {int(v['dealer'])} (k {int(v['streak'])})",
        f"horses {int(horse_count(v))}",
        f"stake {int(v['rules']['stake'])}",
    ]
    if v["winner"] >= 0:
        kinds = " ".join(name for k, name in enumerate(BIG_NAMES) if int(v["big"]) >> k & 1)
        facts.append(f"seat {v['winner']} wins: {kinds or '小胡'}")
    return Scene(
        places=tuple(places),
        zones=tuple(zones),
        facts=tuple(facts),
        moves=tuple(f"{owner}: discard {name}" for owner, name, _ in discards[-8:]),
        deck="tiles",
    )


def max_plies(rules: Mapping[str, Any]) -> int:
    """One turn for the deal, each of 83 draws and each of at most 16 pongs is one decision each and
    brings at most one question; each of at most 16 added kongs up to three."""
    turns = 1 + (WALL - SEATS * DEALT - 1) + SEATS * SETS
    return int(rules["hands"] * (2 * turns + 2 * SEATS * SETS))


def counts_of(names: list[str]) -> np.ndarray:
    return np.bincount([parse_tile(name) for name in names], minlength=KINDS).astype(np.int8)


GAME = Game(
    name="tuidaohu",
    title="推倒胡麻將",
    english="mahjong",
    summary="Mahjong won by the own draw alone, where the dealer buys horses.",
    version=VERSION,
    source="rule pages of a Chinese online game hall (推倒胡麻將 with 買馬)",
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
    laid=("wall", deal_from_wall),
    max_plies=max_plies,
    census=census,
    contradiction=contradiction,
    report=report,
    show=show,
    checked_by=(
        "11,498,658 kinds of concealed hands of four sets and a pair, 27,907,837 complete ones in "
        "all, and how many of the C(136, 14) deals they are",
        "13,259 hands of one suit as sets and pair, and every suit of up to 14 tiles against hands "
        "built set by set",
        "237,236 complete hands of characters and honours, 144,822 of them big, by kind",
        "the mean worth of a horse to the dealer, and known waits",
    ),
    limitations=(
        "The source breaks off after the dealer's fourth hand; from then on there are four horses.",
        "The source does not say which seat a horse hits, nor whether concealed kongs lie face up; "
        "both are set by R23 and R8.",
        "Dice and the building of the wall have no effect and are left out.",
    ),
    history=("0: first version",),
)
