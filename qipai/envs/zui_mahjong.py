"""Zui mahjong (麻將, 嘴/翻): wins on discards too, scored in small and large units that add up.

R1 1m–9m 萬, 1p–9p 餅, 1s–9s 條, winds E S W N, dragons RD 中, GD 發, WD 白: four each, 136 tiles.
R2 Four seats in playing order.
R3 The head (頭家) of the first hand is random. It stays head if it won or nobody won; otherwise
   the next seat is head, or the winner under ``head_rule`` winner.
R4 Of the shuffled wall w the head gets w[0…12], the next seats w[13…25], w[26…38], w[39…51];
   w[52] is the head's first draw. Draws go on from w[53], replacements from w[135] downward.
R5 A turn: draw a tile, then discard, declare ready and discard, lay a concealed or an added kong,
   or win.
R6 Pong (對): a seat with two tiles like another's discard may lay the three open. It then
   discards, declaring ready or not, and may neither kong nor win in that turn. There is no chow.
R7 Kong on a discard (明扛): with three such tiles, lays four open, draws a replacement and is in
   its turn.
R8 Concealed kong (暗扛): four equal tiles right after an own draw; laid face up, then a
   replacement.
R9 Added kong: the fourth tile of an own pong, right after an own draw; counts as 明扛. Seats that
   win with it are asked first (搶扛): who accepts is paid by the konger as by a discarder, and
   the kong is not made. Otherwise a replacement.
R10 With g kongs on the table 14 + 2g tiles stay unplayed. A kong needs a wall of more than 14 +
   2(g + 1). Once no more than the reserve is left after a discard, seats are only asked to win;
   if nobody does, the hand is drawn and nobody pays.
R11 Complete is: four sets and a pair, a set being a triplet, a kong or a concealed run of three
   in a suit; for a ready seat also seven pairs (七對), all concealed, four equal tiles being two.
R12 Ready (叫聽) is declared with a discard, if the tiles kept wait for exactly one kind, of which
   the seat does not itself hold all four. From then on it discards what it draws unless it wins
   with it, and makes no pong and no kong. It may decline a win.
R13 After a discard first the seats that can win are asked, in playing order after the discarder;
   the first to accept wins alone. Then the one seat with two of the tile that is not ready is
   asked for pong or kong, then the next seat draws. Declining a win costs nothing.
R14 F = 翻 + ``zui_value`` × 嘴 of the winner's hand, the winning tile included.
R15 翻: 中發白 triplets of all dragons 40 (``dragons_each``: 40 for each); 七對 seven pairs 40;
   絕張胡 the three other tiles of the winning kind lie as a pong somewhere 40; 清一色 one suit
   40; 混一色 at most one suit with honours 30; 一條龍 runs 123, 456, 789 of one suit 30
   (``dragon_loose``: each rank, of any suit); 對對胡 four triplets and a pair 30.
R16 嘴: 底 every win 1; 夭九頭 the pair is a 1 or 9 of a suit 1, not with seven pairs; 叫聽 ready
   1; 自摸 own draw 1; 缺一門 exactly two suits 1; 文錢 the winning tile is a 餅 1 (``wenqian``:
   the pair is, or at least eight tiles are); 明扛 1 each; 暗扛 2 each; 小牛 four equal concealed
   tiles not laid 1 each (``xiaoniu``).
R17 Items add up. A hand that can be read in several ways takes the reading with the highest F.
R18 Own draw: each other seat pays F × ``stake``. Discard or robbed kong: that seat alone pays it,
   three times under ``discarder_triple``.
R19 A payer pays at most its stack; the winner gets what comes in. No rake.
R20 Leaving (逃跑) costs 5 × ``zui_value`` × ``stake`` to each other seat, at most the stack,
   shared equally, leftovers from the next seat on. The hand is void and the match ends.
R21 No answer: win if possible; pass when asked; never ready; discard the drawn tile if that is
   legal, otherwise the highest legal one.
R22 ``hands`` hands with stacks and head carried over; the match ends early when a seat has less
   than ``zui_value`` × ``stake``.

Declaring ready is composed: ``ready``, then the discard; until that the others see nothing of it.
Seats that could only pass are not asked. While a question is open, the others see the table as it
was right after the discard or the announced kong, and not who is asked. A ready seat whose draw
does not win discards it at once.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import IntEnum
from typing import Any

import numpy as np

from qipai.envs import options
from qipai.envs.fields import Field, Fields
from qipai.envs.game import Game
from qipai.envs.kernel import addressable, kernel
from qipai.envs.layout import HIDDEN, NONE, Actions, Observation, Range, hand_range
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
    HAND,
    ONES,
    SETS,
    in_sets,
    in_triplets,
    may_wait,
    sets_and_pair,
    seven_pairs,
    triplets_and_pair,
    waits,
)
from qipai.envs.parts.tiles import (
    COPIES,
    DRAGON,
    KINDS,
    RANKS,
    TILE_NAMES,
    WIND,
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
    RIVER,
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
    hidden_tiles,
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
from qipai.envs.scene import Place, Scene

VERSION = 0

# --- Options ---------------------------------------------------------------------------------

RESERVE = 14  # tiles that stay unplayed, and two more for each kong (R10)
ESCAPE = 5  # 嘴 that a leaver pays each other seat (R20)


class HeadRule(IntEnum):  # who is head after another seat has won (R3)
    ROTATE = 0
    WINNER = 1


class Wenqian(IntEnum):  # what 文錢 means (R16)
    WIN_TILE = 0
    PAIR = 1
    EIGHT = 2


RULES = Options(
    options.seats(SEATS, low=SEATS, high=SEATS, clause="R2"),
    integer("stake", 1, low=1, high=MAX_STAKE, meaning="coins per 番 of F", clause="R18"),
    options.stack(10_000, seats=SEATS, clause="R19"),
    options.hands(clause="R22"),
    integer("zui_value", 10, low=1, high=100, meaning="翻 per 嘴", clause="R14"),
    choice("head_rule", HeadRule.ROTATE, meaning="next head", clause="R3"),
    flag("dragons_each", False, meaning="40 for each triplet of dragons", clause="R15"),
    flag("dragon_loose", False, meaning="一條龍 by ranks only", clause="R15"),
    choice("wenqian", Wenqian.WIN_TILE, meaning="what 文錢 means", clause="R16"),
    flag("xiaoniu", True, meaning="小牛 counts", clause="R16"),
    flag("discarder_triple", False, meaning="the discarder pays three times", clause="R18"),
)

# --- Actions -----------------------------------------------------------------------------------

ACTIONS = Actions()
DISCARD = ACTIONS.add(
    "discard",
    [f"discard {name}" for name in TILE_NAMES],
    "own turn, held; ready: the drawn tile; after `ready`: what leaves exactly one wait",
)
CALL_PONG = ACTIONS.add("pong", ["pong"], "asked to claim a discard, two held")
CALL_KONG = ACTIONS.add("kong", ["kong"], "asked to claim a discard, three held, R10")
CONCEAL_KONG = ACTIONS.add(
    "concealed kong",
    [f"ckong {name}" for name in TILE_NAMES],
    "own turn after a draw, four held, not ready, R10",
)
ADD_KONG = ACTIONS.add(
    "added kong",
    [f"akong {name}" for name in TILE_NAMES],
    "own turn after a draw, own pong and one held, not ready, R10",
)
WIN = ACTIONS.add("win", ["win"], "own turn after a draw, complete; or asked to win")
PASS = ACTIONS.add("pass", ["pass"], "asked to claim or to win")
READY = ACTIONS.add("ready", ["ready"], "own turn, not ready, some discard leaves exactly one wait")

# --- State -----------------------------------------------------------------------------------

PHASE_NAMES = ("turn", "after pong", "claim", "win", "over")

FIELDS = Fields(
    RULES,
    SEATS,
    Field.seat("dealer", "the head", kept=True),
    Field.choice("phase", PHASE_NAMES, "hidden from seats not asked an open question", hidden=True),
    *wall_fields(),
    *hand_fields(),
    *meld_fields(),
    *river_fields(),
    *offer_fields(),
    Field.flag("declaring", "the seat to act has said ready and has yet to discard"),
    Field.number(
        "ready",
        RIVER - 1,
        "place in the river of the discard it declared with; none: not ready",
        SEATS,
        empty=True,
    ),
    Field.seat("winner", "of the last hand; none until this one is won", empty=True, kept=True),
    Field.seat("left_by", "who left; none: nobody", empty=True),
)
STATE = FIELDS.dtype


def contradiction(s: np.void) -> str | None:
    """What can't be on a table or in a view: ``Game.contradiction``."""
    won = bool(s["phase"] == OVER and s["winner"] >= 0)
    taken = won and bool(s["offer"] != NONE)
    drew = bool(s["phase"] == DRAWN or (won and not taken))
    return (
        river_contradiction(s)
        or meld_contradiction(s, won=taken and not s["offer_kong"])
        or turn_contradiction(s, drew)
        or offer_contradiction(s, taken, room=0)
        or _contradiction_at_end(s)
        or wall_contradiction(s, s["wall"][:0])
        or _contradiction_in_reserve(s)
        or hand_contradiction(s)
        or _contradiction_in_ready(s)
    )


def _contradiction_at_end(s: np.void) -> str | None:
    winner, left_by, turn = (int(s[k]) for k in ("winner", "left_by", "turn"))
    if s["phase"] != OVER:
        for name in ("winner", "left_by"):
            if s[name] != NONE:
                return f"{name} is {s[name]}, and the hand has not ended"
        return None
    if winner >= 0 and left_by >= 0:
        return f"winner is {winner}, and left_by is {left_by}: a hand that somebody left is void"
    if max(winner, left_by) not in (NONE, turn):
        return f"turn is {turn}: expected {max(winner, left_by)}, who won or left"
    return None


def _contradiction_in_reserve(s: np.void) -> str | None:
    left, reserve = int(wall_left(s)), int(reserve_of(s))
    if s["phase"] == CLAIM:
        reserve += 1
    elif s["offer_kong"] and s["phase"] != OVER:
        reserve += 3
    if left < reserve:
        return f"front is {s['front']}: {left} tiles are left, expected {reserve} or more (R10)"
    return None


def _contradiction_in_ready(s: np.void) -> str | None:
    turn, phase = int(s["turn"]), int(s["phase"])
    for seat in range(SEATS):
        place = int(s["ready"][seat])
        if place != NONE and (place >= s["discards"] or s["river_seat"][place] != seat):
            return f"ready[{seat}] is {place}, which is no discard of that seat"
    if turn >= 0 and s["ready"][turn] != NONE and phase in (PONGED, CLAIM):
        return f"ready[{turn}] is {s['ready'][turn]}, and that seat is in phase={phase}"
    if s["declaring"]:
        may = phase in (DRAWN, PONGED) and s["ready"][turn] == NONE
        if not may or s["tiles"][turn, 0] == HIDDEN or not ready_discards(s, turn):
            return "declaring is True, and the seat to act can't declare ready"
    return None


# --- Complete and waiting hands (R11, R12) -----------------------------------------------------


@kernel
def is_complete(s, seat):
    hand = suits(s, seat)
    return sets_and_pair(*hand) or (s.ready[seat] != NONE and seven_pairs(*hand))


@kernel
def wins_offer(s, seat):
    """Whether the tile in question completes the hand of a seat."""
    return with_offer(s, seat, is_complete)


@kernel
def all_held(s, seat):
    """The kinds of which a seat has laid three or four and holds the rest, as bits."""
    kinds = np.int64(0)
    for i in range(s.melds[seat]):
        tile = np.int64(s.meld_tile[seat, i])
        if s.meld_kind[seat, i] != PONG or s.tiles[seat, tile] > 0:
            kinds |= np.int64(1) << tile
    return kinds


@kernel
def waits_of(s, seat):
    """The kinds a seat waits for with the tiles it holds, as bits, read as a ready hand (R12)."""
    return waits(*suits(s, seat), True) & ~all_held(s, seat)


@kernel
def is_one(kinds):
    """Whether a set of kinds has exactly one."""
    return kinds != 0 and kinds & (kinds - 1) == 0


@kernel
def ready_discards(s, seat):
    """The kinds a seat can discard declaring ready, as bits (R12)."""
    found = np.int64(0)
    if may_wait(*suits(s, seat)):
        for tile in range(KINDS):
            if s.tiles[seat, tile] > 0:
                s.tiles[seat, tile] -= 1
                if is_one(waits_of(s, seat)):
                    found |= np.int64(1) << tile
                s.tiles[seat, tile] += 1
    return found


# --- Value (R14–R17) ---------------------------------------------------------------------------

LARGE = ("中發白", "七對", "絕張胡", "清一色", "混一色", "一條龍", "對對胡")  # 翻 (R15)
SMALL = ("底", "夭九頭", "叫聽", "自摸", "缺一門", "文錢", "明扛", "暗扛", "小牛")  # 嘴 (R16)
ITEMS = LARGE + SMALL
DRAGONS, SEVEN_PAIRS, LAST_TILE, ONE_SUIT, MIXED, STRAIGHT, ALL_TRIPLETS = range(len(LARGE))
BASE, END_PAIR, READY_WIN, OWN_DRAW, TWO_SUITS, DOTS, OPEN_KONGS, CLOSED_KONGS, FOURS = range(
    len(LARGE), len(ITEMS)
)
POINTS = np.array([40, 40, 40, 40, 30, 30, 30, *[1] * len(SMALL)])
AS_PAIRS = KINDS  # a reading as seven pairs; others are by the kind of the pair


@kernel
def won_tile(s):
    return s.offer if s.offer != NONE else s.drawn


@kernel
def is_readable(s, seat, pair):
    """Whether a complete hand can be read with this pair, or as seven pairs."""
    if pair == AS_PAIRS:
        return s.ready[seat] != NONE and seven_pairs(*suits(s, seat))
    if s.tiles[seat, pair] < 2:
        return False
    s.tiles[seat, pair] -= 2
    a, b, c, d = suits(s, seat)
    s.tiles[seat, pair] += 2
    return in_sets(a) and in_sets(b) and in_sets(c) and in_triplets(d, 0)


@kernel
def has_straight(s, seat, pair):
    """Whether 123, 456 and 789 of a suit can be among the sets beside this pair."""
    if pair == AS_PAIRS:
        return False
    s.tiles[seat, pair] -= 2
    hand = suits(s, seat)
    s.tiles[seat, pair] += 2
    for k in range(3):
        every = True
        for rank in range(RANKS):
            every &= (hand[k] >> (3 * rank)) & 7 > 0
        if every and in_sets(hand[k] - ONES):
            return True
    return False


@kernel
def has_every_rank(s, seat):
    """Whether a seat has a tile of each rank, of whatever suits."""
    ranks = 0
    for rank in range(RANKS):
        count = 0
        for k in range(3):
            count += copies(s, seat, RANKS * k + rank)
        ranks += count > 0
    return ranks == RANKS


@kernel
def suits_used(s, seat):
    used = 0
    for k in range(3):
        used += has_suit(s, seat, RANKS * k)
    return used


@kernel
def lies_as_pong(s, tile):
    """Whether three of a kind lie as one pong before any seat."""
    for seat in range(SEATS):
        for i in range(s.melds[seat]):
            if s.meld_tile[seat, i] == tile and s.meld_kind[seat, i] == PONG:
                return True
    return False


@kernel
def is_dot(tile):
    return RANKS <= tile < 2 * RANKS


@kernel
def dots(s, seat):
    """How many dots a seat has, in the hand and laid."""
    count = 0
    for tile in range(RANKS, 2 * RANKS):
        count += s.tiles[seat, tile]
    for i in range(s.melds[seat]):
        if is_dot(s.meld_tile[seat, i]):
            count += 3 if s.meld_kind[seat, i] == PONG else COPIES
    return count


@kernel
def has_dots(s, seat, pair):
    """文錢 by the option (R16)."""
    if s.rules.wenqian == Wenqian.WIN_TILE:
        return is_dot(won_tile(s))
    if s.rules.wenqian == Wenqian.PAIR:
        return is_dot(pair)
    return dots(s, seat) >= 8


@kernel
def fours(s, seat):
    count = 0
    for tile in range(KINDS):
        count += s.tiles[seat, tile] == COPIES
    return count


@kernel
def times(s, seat, item, pair):
    """How often an item counts for a complete hand read with this pair (R15, R16)."""
    if item == DRAGONS:
        laid = triplets(s, seat, DRAGON, 3)
        return laid if s.rules.dragons_each else laid // 3
    if item == SEVEN_PAIRS:
        return np.int64(pair == AS_PAIRS)
    if item == LAST_TILE:
        return np.int64(lies_as_pong(s, won_tile(s)))
    if item == ONE_SUIT:
        return np.int64(suits_used(s, seat) == 1 and not has_suit(s, seat, WIND))
    if item == MIXED:
        return np.int64(suits_used(s, seat) <= 1 and has_suit(s, seat, WIND))
    if item == STRAIGHT:
        if s.rules.dragon_loose:
            return np.int64(has_every_rank(s, seat))
        return np.int64(has_straight(s, seat, pair))
    if item == ALL_TRIPLETS:
        if pair == AS_PAIRS or s.tiles[seat, pair] != 2:  # of triplets and a pair, only that is two
            return np.int64(0)
        return np.int64(triplets_and_pair(*suits(s, seat)))
    if item == END_PAIR:
        return np.int64(pair < WIND and (pair % RANKS == 0 or pair % RANKS == RANKS - 1))
    if item == READY_WIN:
        return np.int64(s.ready[seat] != NONE)
    if item == OWN_DRAW:
        return np.int64(s.offer == NONE)
    if item == TWO_SUITS:
        return np.int64(suits_used(s, seat) == 2)
    if item == DOTS:
        return np.int64(has_dots(s, seat, pair))
    if item == OPEN_KONGS:
        return melds_of(s, seat, FED) + melds_of(s, seat, ADDED)
    if item == CLOSED_KONGS:
        return 2 * melds_of(s, seat, CONCEALED)
    if item == FOURS:
        return fours(s, seat) if s.rules.xiaoniu else 0
    return np.int64(1)  # 底


@kernel
def points(s, item):
    """What an item is worth in 番."""
    return POINTS[item] * (s.rules.zui_value if item >= BASE else 1)


@kernel
def value_read(s, seat, pair):
    """F of a complete hand read with this pair (R14)."""
    value = 0
    for item in range(len(POINTS)):
        value += times(s, seat, item, pair) * points(s, item)
    return value


@kernel
def best_pair(s, seat):
    """The pair of the reading with the highest F (R17); NONE if the hand is not complete."""
    best, highest = NONE, -1
    for pair in range(KINDS + 1):
        if is_readable(s, seat, pair):
            value = value_read(s, seat, pair)
            if value > highest:
                best, highest = pair, value
    return best


# --- Deal (R3, R4) -----------------------------------------------------------------------------


@kernel
def deal(s):
    build_wall(s)
    if s.hand == 0:
        s.dealer = below(s.rng, SEATS)
    elif s.winner >= 0 and s.winner != s.dealer:
        rotate = s.rules.head_rule == HeadRule.ROTATE
        s.dealer = next_seat(s, s.dealer) if rotate else s.winner
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
def kongs(s):
    count = 0
    for seat in range(SEATS):
        count += s.melds[seat] - melds_of(s, seat, PONG)
    return count


@kernel
def reserve_of(s):
    """Tiles of the wall that stay unplayed (R10)."""
    return RESERVE + 2 * kongs(s)


@kernel
def may_kong(s):
    return wall_left(s) > reserve_of(s) + 2  # R10


@kernel
def can_claim(s, seat):
    return s.ready[seat] == NONE and s.tiles[seat, s.offer] >= 2


@kernel
def discard_tile(s, seat, tile):
    if s.declaring:  # R12
        s.ready[seat] = s.discards
        s.declaring = False
    discard(s, seat, tile)
    open_offer(s, seat, tile, False)
    ask_winner(s, seat)


@kernel
def ask_winner(s, seat):
    """Ask the next seat after this one that wins with the tile in question (R13); if there is none,
    an announced kong is made, or the discard can be claimed."""
    other = next_able(s, seat, wins_offer)
    if other != s.offer_seat:
        ask(s, other, ROB)
    elif s.offer_kong:
        draw_replacement(s, add_to_pong(s))
    elif wall_left(s) <= reserve_of(s):  # R10
        seat = s.offer_seat
        close_offer(s)
        finish(s, seat)
    else:
        other = next_able(s, s.offer_seat, can_claim)
        if other != s.offer_seat:
            ask(s, other, CLAIM)
        else:
            draw_next(s)


@kernel
def draw_next(s):
    """Nobody takes the discard: the seat after the discarder draws."""
    seat = next_seat(s, s.offer_seat)
    close_offer(s)
    draw(s, seat)


@kernel
def discard_unasked(s):
    """A ready seat discards what it has drawn and does not win with (R12)."""
    while s.phase == DRAWN and s.ready[s.turn] != NONE and not is_complete(s, s.turn):
        discard_tile(s, s.turn, s.drawn)


@kernel
def declare(s):
    s.declaring = True
    kinds = ready_discards(s, s.turn)
    if is_one(kinds):
        discard_tile(s, s.turn, lowest_kind(kinds))


@kernel
def lowest_kind(kinds):
    tile = np.int64(0)
    while kinds & 1 == 0:
        kinds >>= 1
        tile += 1
    return tile


@kernel
def win(s, seat):
    if s.phase == ROB:
        s.tiles[seat, s.offer] += 1
        s.held[seat] += 1
        if not s.offer_kong:
            s.claimed[s.discards - 1] = 1
    s.winner = seat
    settle(s)
    finish(s, seat)


@kernel
def legal(s, mask):
    seat = s.turn
    if s.phase == CLAIM:
        mask[CALL_PONG] = s.tiles[seat, s.offer] >= 2
        mask[CALL_KONG] = s.tiles[seat, s.offer] >= 3 and may_kong(s)
        mask[PASS] = 1
    elif s.phase == ROB:
        mask[WIN] = wins_offer(s, seat)
        mask[PASS] = 1
    elif s.declaring:
        kinds = ready_discards(s, seat)
        for tile in range(KINDS):
            mask[DISCARD + tile] = kinds >> tile & 1
    elif s.ready[seat] != NONE:
        mask[DISCARD + s.drawn] = 1
        mask[WIN] = is_complete(s, seat)
    else:
        for tile in range(KINDS):
            mask[DISCARD + tile] = s.tiles[seat, tile] > 0
        mask[READY] = ready_discards(s, seat) != 0
        if s.phase == DRAWN:
            mask[WIN] = is_complete(s, seat)
            if may_kong(s):
                offer_kongs(s, seat, mask)


@kernel
def offer_kongs(s, seat, mask):
    for tile in range(KINDS):
        mask[CONCEAL_KONG + tile] = s.tiles[seat, tile] == COPIES
    for i in range(s.melds[seat]):
        tile = s.meld_tile[seat, i]
        if s.meld_kind[seat, i] == PONG and s.tiles[seat, tile] > 0:
            mask[ADD_KONG + tile] = 1


@kernel
def apply(s, action):
    seat = s.turn
    if action < CALL_PONG:
        discard_tile(s, seat, action - DISCARD)
    elif action == CALL_PONG:
        claim(s, seat, PONG)
        ask(s, seat, PONGED)
    elif action == CALL_KONG:
        claim(s, seat, FED)
        draw_replacement(s, seat)
    elif action < ADD_KONG:
        tile = action - CONCEAL_KONG
        lay(s, seat, CONCEALED, tile, NONE)
        put_down(s, seat, tile, COPIES)
        draw_replacement(s, seat)
    elif action < WIN:  # R9
        announce(s, seat, action - ADD_KONG)
        ask_winner(s, seat)
    elif action == WIN:
        win(s, seat)
    elif action == READY:
        declare(s)
    elif s.phase == ROB:
        ask_winner(s, seat)
    else:
        draw_next(s)
    discard_unasked(s)


@kernel
def default(s):  # R21
    seat = s.turn
    if s.phase == ROB and wins_offer(s, seat):
        return WIN
    if s.phase == ROB or s.phase == CLAIM:
        return PASS
    if s.declaring:
        kinds = ready_discards(s, seat)
        if s.drawn != NONE and kinds >> s.drawn & 1:
            return DISCARD + s.drawn
        tile = KINDS - 1
        while kinds >> tile & 1 == 0:
            tile -= 1
        return DISCARD + tile
    if s.phase == PONGED:
        return DISCARD + highest_held(s, seat)
    return WIN if is_complete(s, seat) else DISCARD + s.drawn


# --- Settlement (R18–R20) ----------------------------------------------------------------------


@kernel
def pays(s, seat):
    """Whether a seat pays the winner (R18)."""
    return seat != s.winner and (s.offer == NONE or seat == s.offer_seat)


@kernel
def settle(s):
    due = value_read(s, s.winner, best_pair(s, s.winner)) * s.rules.stake
    if s.offer != NONE and s.rules.discarder_triple:
        due *= 3
    for seat in range(SEATS):
        if pays(s, seat):
            paid = min(due, s.stack[seat])  # R19
            s.coins[seat] = -paid
            s.coins[s.winner] += paid


@kernel
def finish(s, seat):
    """The hand ends by a win, or without one (R10), by an action of this seat."""
    close_hand(s)
    end_match_below(s, s.rules.zui_value * s.rules.stake)  # R22
    ask(s, seat, OVER)


@kernel
def leave(s, seat):  # R20
    take_back(s)
    s.declaring = False
    s.drawn = NONE
    s.left_by = seat
    fine = min((SEATS - 1) * ESCAPE * s.rules.zui_value * s.rules.stake, s.stack[seat])
    s.coins[seat] = -fine
    for k in range(1, SEATS):
        s.coins[(seat + k) % SEATS] = fine // (SEATS - 1) + (k <= fine % (SEATS - 1))
    close_hand(s)
    s.over = ENDED
    ask(s, seat, OVER)


# --- What a seat sees --------------------------------------------------------------------------


@kernel
def conceal(s, seat):
    conceal_rng(s.rng)
    conceal_tiles(s, seat)
    conceal_question(s, seat)
    if s.turn != seat:
        s.declaring = False


TRIES = 256  # hands dealt to a ready seat until one waits for exactly one kind


@kernel
def redeal(s, seat):
    """Ready seats get hands that wait for exactly one kind; everything else is dealt uniformly."""
    for k in range(1, SEATS):
        other = (seat + k) % SEATS
        if s.tiles[other, 0] == HIDDEN and s.ready[other] != NONE:
            redeal_ready(s, other)
    redeal_tiles(s)
    if s.turn == HIDDEN:
        rebuild_question(s, seat, wins_offer, claims, ROB)


@kernel
def claims(s, seat):
    return not s.offer_kong and can_claim(s, seat) and wall_left(s) > reserve_of(s)


@kernel
def hidden_suit(s, first):
    """The hidden tiles of a suit, as in parts/melds.py."""
    tiles = np.int64(0)
    for k in range(min(RANKS, KINDS - first)):
        tiles |= np.int64(hidden_tiles(s, first + k)) << (3 * k)
    return tiles


@kernel
def redeal_ready(s, seat):
    """Deal a hidden ready seat a hand set by set; it stays hidden if none is found that waits."""
    hidden = (
        hidden_suit(s, 0),
        hidden_suit(s, RANKS),
        hidden_suit(s, 2 * RANKS),
        hidden_suit(s, WIND),
    )
    for _ in range(TRIES):
        s.tiles[seat, :] = 0
        if draw_hand(s, seat, hidden) and is_one(waits_of(s, seat)):
            for _ in range(s.held[seat] - (DEALT - 3 * s.melds[seat])):
                tile = draw_group(s, seat, hidden, 1)
                if s.turn == seat and s.drawn == HIDDEN:
                    s.drawn = tile
            return
    s.tiles[seat, :] = HIDDEN


@kernel
def draw_hand(s, seat, hidden):
    """Sets and a pair, or now and then seven pairs, less one tile; whether there were tiles enough.

    Sets are drawn uniformly from the triplets and runs the hidden tiles allow, one by one.
    """
    pairs, sets = 1, SETS - s.melds[seat]
    if s.melds[seat] == 0 and below(s.rng, 8) == 0:
        pairs, sets = 7, 0
    for _ in range(sets):
        if draw_set(s, seat, hidden) == NONE:
            return False
    for _ in range(pairs):
        if draw_group(s, seat, hidden, 2) == NONE:
            return False
    place = below(s.rng, HAND - 3 * s.melds[seat])
    tile = 0
    while place >= s.tiles[seat, tile]:
        place -= s.tiles[seat, tile]
        tile += 1
    s.tiles[seat, tile] -= 1
    return True


@kernel
def remaining(s, seat, hidden, tile):
    """Hidden tiles of a kind that a seat has not been dealt."""
    return ((hidden[tile // RANKS] >> (3 * (tile % RANKS))) & 7) - s.tiles[seat, tile]


@kernel
def draw_group(s, seat, hidden, n):
    """Deal n tiles of one kind; every kind of which there are so many has an equal chance, single
    tiles in proportion to their number. Returns the kind; NONE if there is none."""
    total = 0
    for tile in range(KINDS):
        left = remaining(s, seat, hidden, tile)
        total += left if n == 1 else left >= n
    if total == 0:
        return NONE
    place = below(s.rng, total)
    for tile in range(KINDS):
        left = remaining(s, seat, hidden, tile)
        place -= left if n == 1 else left >= n
        if place < 0:
            s.tiles[seat, tile] += n
            return tile
    return NONE


@kernel
def has_run(s, seat, hidden, tile):
    """Whether the hidden tiles allow a run from this kind on."""
    if tile >= WIND or tile % RANKS > RANKS - 3:
        return False
    least = remaining(s, seat, hidden, tile)
    for k in range(1, 3):
        least = min(least, remaining(s, seat, hidden, tile + k))
    return least > 0


@kernel
def draw_set(s, seat, hidden):
    """Deal a triplet or run, each that there can be with equal chance; returns its lowest kind,
    NONE if there is none."""
    total = 0
    for tile in range(KINDS):
        total += remaining(s, seat, hidden, tile) >= 3
        total += has_run(s, seat, hidden, tile)
    if total == 0:
        return NONE
    place = below(s.rng, total)
    for tile in range(KINDS):
        place -= remaining(s, seat, hidden, tile) >= 3
        if place < 0:
            s.tiles[seat, tile] += 3
            return tile
        place -= has_run(s, seat, hidden, tile)
        if place < 0:
            for k in range(3):
                s.tiles[seat, tile + k] += 1
            return tile
    return NONE


OBSERVATION = Observation(
    Range(
        "may",
        6,
        "what the own seat may do: turn after a draw, turn after a pong, choosing the discard of "
        "ready, asked to win, asked to claim, nothing",
    ),
    *table_ranges(),
    Range("waits", KINDS, "kinds the own hand waits for, as a ready hand, the drawn tile left out"),
    Range("ready", SEATS, "has declared ready"),
    Range(
        "since_ready",
        (SEATS, 2, KINDS),
        "discards since a seat declared ready, by kind: its own, those of others",
    ),
    Range("wall", 1, "tiles left to draw before the reserve"),
    Range("head", SEATS, "the head"),
    Range("stacks", SEATS, "coins before this hand (with it, once it has ended), in 嘴 × stake"),
    Range("away", SEATS, "has left"),
    Range("stake", 1, "coins per 番"),
    hand_range(),
    Range(
        "rules",
        9,
        "zui_value; the winner is head; dragons_each; dragon_loose; 文錢 by tile, pair, eight; "
        "xiaoniu; discarder_triple",
    ),
)
IDLE = 5  # the last entry of ``may``


@kernel
def may_do(v, seat):
    """What a seat may do, as an entry of the observation."""
    if v.turn != seat or v.phase == OVER:
        return IDLE
    if v.declaring:
        return 2
    if v.phase == ROB:
        return 3
    if v.phase == CLAIM:
        return 4
    return v.phase


@kernel
def waits_without_drawn(v, seat):
    if v.turn == seat and v.drawn >= 0:
        v.tiles[seat, v.drawn] -= 1
        found = waits_of(v, seat)
        v.tiles[seat, v.drawn] += 1
        return found
    return waits_of(v, seat)


@kernel
def observe(v, seat, o, known):
    o.may[may_do(v, seat)] = 1
    observe_table(v, seat, o, known)
    kinds = waits_without_drawn(v, seat)
    for tile in range(KINDS):
        o.waits[tile] = kinds >> tile & 1
    coins = v.rules.zui_value * v.rules.stake
    for k in range(SEATS):
        p = (seat + k) & 3
        o.stacks[k] = v.stack[p] / coins
        o.away[k] = v.away[p]
        if v.ready[p] != NONE:
            o.ready[k] = 1
            for i in range(v.ready[p] + 1, v.discards):
                o.since_ready[k, int(v.river_seat[i] != p), v.river[i]] = 1
    o.wall = max(0, wall_left(v) - reserve_of(v))
    o.head[after(seat, v.dealer)] = 1
    o.stake = v.rules.stake
    o.rules[0] = v.rules.zui_value
    o.rules[1] = v.rules.head_rule
    o.rules[2] = v.rules.dragons_each
    o.rules[3] = v.rules.dragon_loose
    o.rules[4 + v.rules.wenqian] = 1
    o.rules[7] = v.rules.xiaoniu
    o.rules[8] = v.rules.discarder_triple


# --- Words -------------------------------------------------------------------------------------


def won_items(s: np.void) -> list[tuple[str, int]]:
    """The items of the hand that has won and the 番 they bring, 翻 first."""
    table = addressable(np.array([s], STATE))[0]
    winner = np.int64(s["winner"])
    pair = best_pair(table, winner)
    counts = [int(times(table, winner, np.int64(item), pair)) for item in range(len(ITEMS))]
    return [
        (ITEMS[item], count * int(points(table, np.int64(item))))
        for item, count in enumerate(counts)
        if count
    ]


def reason(s: np.void) -> str:
    """Why the hand has ended."""
    if s["left_by"] >= 0:
        return "left"
    if s["winner"] < 0:
        return "draw"
    if s["offer"] == NONE:
        return "own draw"
    return "robbed" if s["offer_kong"] else "discard"


def report(s: np.void) -> dict[str, Any]:
    """How the hand ended; after a win the hand, what it is worth and who pays."""
    told: dict[str, Any] = {
        "reason": reason(s),
        "head": int(s["dealer"]),
        "ready": [seat for seat in range(SEATS) if s["ready"][seat] != NONE],
        "melds": [meld_words(s, seat) for seat in range(SEATS)],
    }
    if s["left_by"] >= 0:
        told["left_by"] = int(s["left_by"])
    if s["winner"] >= 0:
        winner = int(s["winner"])
        items = won_items(s)
        told |= {
            "winner": winner,
            "tiles": tile_names(s["tiles"][winner]),
            "tile": tile_name(int(won_tile(s))),
            "value": sum(points for _, points in items),
            "items": [list(item) for item in items],
            "payer": int(s["offer_seat"]) if s["offer"] != NONE else None,
        }
    return told


def role(v: np.void, seat: int) -> str:
    """What a seat is in this hand."""
    if v["winner"] == seat:
        return "winner"
    if v["left_by"] == seat:
        return "gone"
    return "head" if v["dealer"] == seat else "player"


def show(v: np.void, seat: int | None) -> Scene:
    """What lies on the table, for one seat's eyes; seat None: for all."""
    places = []
    for p in range(SEATS):
        notes = ["ready"] if v["ready"][p] != NONE else []
        if v["turn"] == p and v["phase"] == DRAWN:
            notes.append("drew")
        if v["turn"] == p and v["declaring"]:
            notes.append("declares ready")
        places.append(Place(p, role(v, p), int(v["stack"][p]), note=", ".join(notes)))
    facts = [
        f"head {int(v['dealer'])}",
        f"{max(0, int(wall_left(v)) - int(reserve_of(v)))} tiles to draw",
        f"stake {int(v['rules']['stake'])}",
    ]
    if v["winner"] >= 0:
        facts.append(f"seat {v['winner']} wins: value {sum(points for _, points in won_items(v))}")
    return Scene(
        places=tuple(places),
        zones=tuple(table_zones(v)),
        facts=tuple(facts),
        moves=discard_lines(v),
        deck="tiles",
    )


def move(v: np.void, text: str) -> list[str]:
    """The steps that the seat to act is asked for of an action or of ``ready+discard 5m``;
    ValueError if the latter can't be played."""
    steps = [step.strip() for step in text.split("+")]
    if len(steps) == 1:
        return steps
    table = addressable(np.array([v], STATE))[0]
    kinds = int(ready_discards(table, np.int64(v["turn"])))
    names = [ACTIONS.name(DISCARD + tile) for tile in range(KINDS) if kinds >> tile & 1]
    if steps not in [["ready", name] for name in names]:
        goes = f"ready goes with {', '.join(names)}" if names else "no discard leaves one wait"
        raise ValueError(f"{text!r} can't be played: {goes}")
    return steps if len(names) > 1 else ["ready"]  # the only discard is played with it


def max_plies(rules: Mapping[str, Any]) -> int:
    """A turn for the deal, each draw outside the reserve and each of at most 16 pongs is a choice;
    after each discard or added kong at most three seats are asked to win and one to claim; each
    seat says ready at most once."""
    draws = WALL - SEATS * DEALT - 1 - RESERVE
    turns = 1 + draws + SEATS * SETS
    return int(rules["hands"]) * (turns * (1 + SEATS) + SEATS)


GAME = Game(
    name="zui_mahjong",
    title="麻將",
    english="zui mahjong",
    summary="Mahjong with wins on discards, declared ready hands and values that add up.",
    version=VERSION,
    source="rule pages of a Chinese online game hall (麻將 scored in 嘴 and 翻)",
    document=__doc__ or "",
    unit=lambda s: s["rules"]["zui_value"] * s["rules"]["stake"],
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
    move=move,
    checked_by=(
        "waits of all 93,600 kinds of 13 tiles of one suit, as sets and pair and with seven pairs",
        "the value of all 13,259 complete hands of one suit, by each winning tile",
    ),
    limitations=(
        "The source gives no rate between 嘴 and 翻: it is the option zui_value.",
        "The meaning of 小牛 and of 文錢 is uncertain; both are options.",
        "Dice and the building of the wall have no effect and are left out.",
    ),
    history=("0: first version",),
)
