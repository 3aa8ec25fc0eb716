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

from collections.abc import Mapping
from enum import IntEnum
from typing import Any

import numpy as np

from qipai.envs import options
from qipai.envs.fields import MOST_COINS, Field, Fields
from qipai.envs.game import Game
from qipai.envs.kernel import inlined, kernel
from qipai.envs.layout import (
    HIDDEN,
    NONE,
    Actions,
    Observation,
    Range,
    hand_range,
)
from qipai.envs.match import ENDED, close_hand, end_match_below, next_seat
from qipai.envs.options import MAX_STAKE, Options, choice, flag, integer
from qipai.envs.parts.claims import (
    add_to_pong,
    announce,
    ask,
    claim,
    close_offer,
    conceal_question,
    next_able,
    offer_contradiction,
    offer_fields,
    open_offer,
    rebuild_question,
    take_back,
    with_offer,
)
from qipai.envs.parts.melds import (
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
    tile_field,
    tile_name,
    tile_names,
)
from qipai.envs.parts.wall import (
    ADDED,
    CLAIM,
    CONCEALED,
    DEALT,
    DRAWN,
    FED,
    OVER,
    PONG,
    PONGED,
    ROB,
    SEATS,
    WALL,
    after,
    build_wall,
    census,
    conceal_tiles,
    copies,
    deal_hands,
    discard,
    discard_lines,
    draw,
    draw_replacement,
    hand_contradiction,
    hand_fields,
    has_suit,
    highest_held,
    lay,
    meld_contradiction,
    meld_fields,
    meld_words,
    melds_of,
    observe_table,
    put_down,
    redeal_tiles,
    river_contradiction,
    river_fields,
    suits,
    table_ranges,
    table_zones,
    triplets,
    turn_contradiction,
    wall_contradiction,
    wall_fields,
    wall_left,
)
from qipai.envs.rng import below, conceal_rng
from qipai.envs.scene import Place, Scene, Zone

VERSION = 0

# --- Dimensions ------------------------------------------------------------------------------

HORSES = 4

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
BIG_NAMES = (
    *("天胡", "清一色", "字一色", "七對子", "四暗刻"),
    *("十八羅漢", "大三元", "大四喜", "小四喜", "十三麼"),
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
    *wall_fields(),
    *hand_fields(),
    Field.flag("replaced", "it is a replacement"),
    Field.seat("feeder", "of the kong it replaces; none: an own kong, or none", empty=True),
    *meld_fields(),
    *river_fields(),
    *offer_fields(),
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
    robbed = bool(s["phase"] == OVER and s["winner"] >= 0 and s["offer_kong"])
    drew = bool(s["phase"] == DRAWN or (s["phase"] == OVER and s["winner"] >= 0 and not robbed))
    return (
        river_contradiction(s)
        or meld_contradiction(s)
        or turn_contradiction(s, drew)
        or _contradiction_in_replacement(s, drew)
        or _contradiction_in_question(s)
        or offer_contradiction(s, robbed, room=1)
        or _contradiction_at_end(s)
        or wall_contradiction(s, _turned(s))
        or hand_contradiction(s)
    )


def _contradiction_in_replacement(s: np.void, drew: bool) -> str | None:
    if s["left_by"] >= 0:  # what had been drawn is forgotten, but not how
        return None
    turn = int(s["turn"])
    kinds = s["meld_kind"][turn, : s["melds"][turn]].tolist()
    if s["replaced"] and not (drew and {CONCEALED, ADDED, FED} & {*kinds}):
        return "replaced is True, and there is no kong it could replace"
    if s["feeder"] >= 0 and not (
        s["replaced"] and kinds[-1] == FED and s["meld_from"][turn, len(kinds) - 1] == s["feeder"]
    ):
        return f"feeder is {s['feeder']}, and that seat did not feed the kong just made"
    return None


def _contradiction_in_question(s: np.void) -> str | None:
    if s["phase"] == ROB and not s["offer_kong"]:
        return f"offer_kong is False in phase={ROB}: nobody wins on a discard"
    return None


def _turned(s: np.void) -> np.ndarray:
    """The horses, as they lie at the end of the wall."""
    end = WALL - int((s["meld_kind"] > PONG).sum())
    horses = s["horses"][s["horses"] >= 0]
    return horses[::-1] if s["front"] + len(horses) <= end else horses[:0]


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


# --- Complete hands (R14, R16) -----------------------------------------------------------------

TIANHU, ONE_SUIT, ALL_HONOURS, SEVEN_PAIRS, FOUR_CONCEALED = (1 << k for k in range(5))
FOUR_KONGS, THREE_DRAGONS, FOUR_WINDS, THREE_WINDS, ORPHANS = (1 << k for k in range(5, 10))


@kernel
def is_complete(s, seat):
    return complete(*suits(s, seat))


@kernel
def can_rob(s, seat):
    """Whether the tile being added to a pong completes the hand of a seat (R13)."""
    return with_offer(s, seat, is_complete)


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
    build_wall(s)
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
    s.winner = NONE
    deal_hands(s, s.dealer)
    close_offer(s)
    draw(s, s.dealer)


# --- Turns (R5–R10) ----------------------------------------------------------------------------


@kernel
def replace(s, seat, feeder):
    draw_replacement(s, seat)
    s.replaced = True
    s.feeder = feeder


@kernel
def discard_tile(s, seat, tile):
    discard(s, seat, tile)
    if wall_left(s) == 0:  # R15
        finish(s, seat)
        return
    open_offer(s, seat, tile, False)
    other = next_able(s, seat, can_pong)
    if other != seat:  # R11
        ask(s, other, CLAIM)
        return
    close_offer(s)
    draw(s, next_seat(s, seat))


@kernel
def can_pong(s, seat):
    return s.tiles[seat, s.offer] >= 2


@kernel
def take_offer(s, seat, kind):
    """Lay a discard with two tiles of the hand or three (R6, R7)."""
    source = s.offer_seat
    claim(s, seat, kind)
    if kind == FED:
        replace(s, seat, source)
        return
    ask(s, seat, PONGED)
    if s.held[seat] == 2:  # only then can all tiles be of one kind
        tile = highest_held(s, seat)
        if s.tiles[seat, tile] == 2:
            discard_tile(s, seat, tile)


@kernel
def ask_robber(s, seat):
    """Ask the next seat that can rob the kong (R13); if there is none, the kong is made."""
    other = next_able(s, seat, can_rob)
    if other != s.offer_seat:
        ask(s, other, ROB)
    else:
        replace(s, add_to_pong(s), NONE)


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
    if action != WIN:  # what was drawn matters no longer
        s.replaced = False
        s.feeder = NONE
    if action < CALL_PONG:
        discard_tile(s, seat, action - DISCARD)
    elif action == CALL_PONG:
        take_offer(s, seat, PONG)
    elif action == CALL_KONG:
        take_offer(s, seat, FED)
    elif action < ADD_KONG:
        tile = action - CONCEAL_KONG
        lay(s, seat, CONCEALED, tile, NONE)
        put_down(s, seat, tile, COPIES)
        replace(s, seat, NONE)
    elif action < WIN:  # R9
        announce(s, seat, action - ADD_KONG)
        ask_robber(s, seat)
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
    take_back(s)
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
    conceal_tiles(s, seat)
    conceal_question(s, seat)


@kernel
def redeal(s, seat):
    redeal_tiles(s)
    if s.turn == HIDDEN:
        rebuild_question(s, seat, robs, claims, ROB if s.offer_kong else CLAIM)


@kernel
def robs(s, seat):
    return s.offer_kong and can_rob(s, seat)


@kernel
def claims(s, seat):
    return not s.offer_kong and can_pong(s, seat)


OBSERVATION = Observation(
    Range(
        "may",
        5,
        "what the own seat may do: turn after a draw, turn after a pong, asked about a discard, "
        "asked about an added kong, nothing",
    ),
    *table_ranges(),
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


@kernel
def observe(v, seat, o, known):
    o.may[v.phase if v.turn == seat and v.phase != OVER else OVER] = 1
    observe_table(v, seat, o, known)
    for k in range(SEATS):
        p = (seat + k) & 3
        o.stacks[k] = v.stack[p] / v.rules.stake
        o.away[k] = v.away[p]
    observe_kongs(v, seat, o)
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
def observe_kongs(v, seat, o):
    """What the kongs so far are worth (R21)."""
    for k in range(SEATS):
        p = (seat + k) & 3
        for i in range(v.melds[p]):
            kind = v.meld_kind[p, i]
            each = kong_points(kind)
            if kind == FED:
                o.kong_points[k] += each
                o.kong_points[after(seat, v.meld_from[p, i])] -= each
            elif kind != PONG:
                o.kong_points[k] += SEATS * each
                for other in range(SEATS):
                    o.kong_points[other] -= each


# --- Words -------------------------------------------------------------------------------------


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


def role(v: np.void, seat: int) -> str:
    """What a seat is in this hand."""
    if v["winner"] == seat:
        return "winner"
    if v["left_by"] == seat:
        return "gone"
    return "dealer" if v["dealer"] == seat else "player"


def show(v: np.void, seat: int | None) -> Scene:
    """What lies on the table, for one seat's eyes; seat None: for all."""
    places = []
    for p in range(SEATS):
        drew = "drew" if v["turn"] == p and v["phase"] == DRAWN else ""
        places.append(Place(p, role(v, p), int(v["stack"][p]), note=drew))
    zones = table_zones(v)
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
        moves=discard_lines(v),
        deck="tiles",
    )


def max_plies(rules: Mapping[str, Any]) -> int:
    """One turn for the deal, each of 83 draws and each of at most 16 pongs is one decision each and
    brings at most one question; each of at most 16 added kongs up to three."""
    turns = 1 + (WALL - SEATS * DEALT - 1) + SEATS * SETS
    return int(rules["hands"] * (2 * turns + 2 * SEATS * SETS))


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
