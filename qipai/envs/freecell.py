"""FreeCell (空当接龙): a solitaire of 52 open cards, dealt by number, for one stake with the house.

R1 Eight columns (列), four cells (可用单元), four foundations (回收单元), one per suit. All cards
   are open.
R2 Deal n, 1 … 1,000,000, comes from a generator: state := n; each draw state := (state × 214013 +
   2531011) mod 2^31, value = ⌊state / 65536⌋. The pack is CA DA HA SA C2 … SK. For left = 52 … 1,
   pack[value mod left] and pack[left − 1] change places, and the card now at pack[left − 1] is
   dealt: the k-th one (from 0) to column k mod 8 + 1. The last card of a column is its top; only
   tops and cards in cells move.
R3 A card may be laid on a column whose top is one rank higher and of the other colour; aces are
   low.
R4 A cell holds any one card.
R5 A foundation is built up A, 2, … K in its suit, from tops and cells. No card ever leaves it.
R6 An empty column takes any card.
R7 The top n cards of a column that form a run by R3 may move together onto the column where the
   deepest of them fits, if n ≤ (f + 1) · 2^e, with f free cells and e empty columns. At most one n
   fits, so it is not chosen.
R8 Into an empty column n ≤ (f + 1) · 2^(e − 1), e counting the target; here n is chosen.
R9 What is alike is one: cells are kept sorted in the order of the pack, free ones last, and called
   a b c d; cards go into the leftmost empty column; a whole column never moves into an empty one.
R10 Auto-home (option): after every action, not after the deal, safe cards go home until none is
   left: a card that fits its foundation and is an A or 2, or whose two cards of the other colour
   one rank lower are both home.
R11 All 52 cards home: the game is solved, the seat wins.
R12 No legal action: the seat is stuck and loses.
R13 After ``max_moves`` actions the game ends and the seat loses. If it is the last of the match,
   the match is cut off (a truncation).
R14 The house pays the stake for a solved game. Otherwise the seat pays min(stake, its coins).
R15 Progress (option): the house pays p coins for every card that goes home, at that step.
R16 Leaving (逃跑) loses the game by R14 and ends the match. A game can be saved and continued.
R17 No answer: the house plays the legal action with the lowest id.
R18 Hopeless deals are not filtered.
R19 A match has ``hands`` games. With ``deal`` = n they are deals n, n + 1, … (after 1,000,000 comes
   1), with ``deal`` = 0 each is drawn from 1 … ``deal_max``. The match ends early when the seat has
   less than the stake.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from qipai.envs import options
from qipai.envs.fields import Field, Fields
from qipai.envs.game import Game
from qipai.envs.kernel import addressable, inlined, kernel
from qipai.envs.layout import NONE, Actions, Observation, Range, hand_range
from qipai.envs.match import CUT_OFF, ENDED, PLAYING, close_hand
from qipai.envs.options import MAX_STAKE, Options, flag, integer
from qipai.envs.parts.cards import CARD_NAMES, card_field, card_name, parse_card
from qipai.envs.parts.cards import RANKS as CARD_RANKS
from qipai.envs.rng import below, conceal_rng
from qipai.envs.scene import Place, Scene, Zone

VERSION = 0

# --- Dimensions ------------------------------------------------------------------------------

COLUMNS, CELLS, SUITS, RANKS = 8, 4, 4, 13
CARDS = SUITS * RANKS
TALLEST = 19  # cards of a column: seven dealt, the top one a king, and Q … A on it
DEALS = 1_000_000
LOG = 8  # actions kept in order

# Cards are numbered as in parts/cards.py: even ones are red, card % 4 is the suit.
PACK_NAMES = tuple(suit + rank for rank in ("A", *CARD_RANKS[:-1]) for suit in "CDHS")
PACK = np.array([parse_card(name) for name in PACK_NAMES])  # cards by place in the pack (R2)
PLACE = np.argsort(PACK)  # places in the pack by card
RANK = PLACE // SUITS  # A 0, 2 1, … K 12

# --- Options ---------------------------------------------------------------------------------

RULES = Options(
    options.seats(1, low=1, high=1, clause="R1"),
    options.hands(clause="R19"),
    options.stack(1000, seats=1, clause="R14"),
    integer("stake", 1, low=1, high=MAX_STAKE, meaning="coins of a game", clause="R14"),
    integer(
        "deal",
        0,
        low=0,
        high=DEALS,
        meaning="number of the first deal, 0: random ones",
        clause="R2, R19",
    ),
    integer(
        "deal_max",
        DEALS,
        low=1,
        high=DEALS,
        meaning="highest random number of a deal",
        clause="R19",
    ),
    flag("auto_home", True, meaning="safe cards go home by themselves", clause="R10"),
    integer("max_moves", 300, low=1, high=2000, meaning="actions in a game", clause="R13"),
    integer(
        "progress_reward",
        0,
        low=0,
        high=1000,
        meaning="coins for every card that goes home",
        clause="R15",
    ),
)

# --- Actions (R3–R9) ---------------------------------------------------------------------------

COLUMN_NAMES, CELL_NAMES = "12345678", "abcd"

ACTIONS = Actions()
TO_CELL = ACTIONS.add(
    "column to cell", [f"{c}>cell" for c in COLUMN_NAMES], "the column is not empty, a cell is free"
)
TO_HOME = ACTIONS.add(
    "column to home", [f"{c}>home" for c in COLUMN_NAMES], "the top is next on its foundation (R5)"
)
CELL_HOME = ACTIONS.add(
    "cell to home", [f"{k}>home" for k in CELL_NAMES], "the card is next on its foundation (R5)"
)
CELL_COLUMN = ACTIONS.add(
    "cell to column",
    [f"{k}>{c}" for k in CELL_NAMES for c in COLUMN_NAMES],
    "the card fits (R3), or the column is the leftmost empty one (R6)",
)
ONTO = ACTIONS.add(
    "column to column",
    [f"{c}>{d}" for c in COLUMN_NAMES for d in COLUMN_NAMES if d != c],
    "a part of the run on top fits on the target and is within the limit (R7)",
)
INTO = ACTIONS.add(
    "column to empty column",
    [f"{c}>empty*{n}" for c in COLUMN_NAMES for n in range(1, RANKS + 1)],
    "a column is empty, the run has so many cards, the column more, the limit allows it (R8)",
)
ACTION_COUNT = ACTIONS.width

# --- State -----------------------------------------------------------------------------------

SOLVED, STUCK, LIMIT, LEFT = range(1, 5)  # values of ``reason``, after PLAYING
RESULTS = ("playing", "solved", "stuck", "limit of moves", "left")

FIELDS = Fields(
    RULES,
    1,
    card_field("columns", "from the deepest card to the top", (COLUMNS, TALLEST)),
    Field.number("height", TALLEST, "cards in the column", COLUMNS),
    card_field("cells", "sorted by place in the pack, then none (R9)", CELLS),
    Field.number("home", RANKS, "cards home of ♦ ♣ ♥ ♠", SUITS),
    Field.number("number", DEALS, "of the deal; 0: set up by hand"),
    Field.number("moves", lambda s: int(s["rules"]["max_moves"]), "actions in this game"),
    Field.choice("reason", RESULTS, "how the game ended"),
    Field.action("log_action", ACTIONS, "action i of this game stands at i mod LOG", LOG),
)
STATE = FIELDS.dtype


def misplaced(s: np.void) -> str | None:
    """What can't be about the places of cards, all in their ranges; None if nothing."""
    for c in range(COLUMNS):
        pile, height = s["columns"][c], int(s["height"][c])
        if ((pile != NONE) != (np.arange(TALLEST) < height)).any():
            return f"height[{c}] is {height}: columns[{c}] has not so many cards, or a gap"
        for i, card in enumerate(pile[:height].tolist()):
            if i + 1 + RANK[card] > TALLEST:
                return (
                    f"columns[{c}]: {card_name(card)} is too high up: with all that may be laid "
                    f"on it its column has more than {TALLEST} cards"
                )
    held = [CARDS if card == NONE else PLACE[card] for card in s["cells"].tolist()]
    if held != sorted(held):
        return f"cells are {s['cells'].tolist()}: expected in the pack's order, free ones last"
    for card, count in enumerate(census(s)):
        if count != 1:
            return (
                f"columns, cells and home: {card_name(card)} is on the table {count} times; "
                "expected once"
            )
    return None


def contradiction(s: np.void) -> str | None:
    """What can't be on a table or in a view: ``Game.contradiction``."""
    fault = misplaced(s)
    if fault:
        return fault
    kept = min(LOG, int(s["moves"]))
    if ((s["log_action"] != NONE) != (np.arange(LOG) < kept)).any():
        return f"log_action has not {kept} entries, as moves={s['moves']} says"
    number, rules = int(s["number"]), s["rules"]
    if number > rules["deal_max"] if rules["deal"] == 0 else number not in (0, numbered(s)):
        return f"number is {number}, none that the options deal and deal_max give"
    reason, expected = int(s["reason"]), LEFT if s["away"][0] else int(standing(s))
    if reason != expected:
        return f"reason is {reason}, {RESULTS[reason]}: the table says {RESULTS[expected]}"
    if s["ended"] != (reason != PLAYING):
        return f"ended is {s['ended']}, but reason is {reason}, {RESULTS[reason]}"
    return None


# --- Deal (R2, R19) ----------------------------------------------------------------------------


@kernel
def deal(s):
    if s.rules.deal == 0:
        s.number = below(s.rng, s.rules.deal_max) + 1
    else:
        s.number = numbered(s)
    s.reason = PLAYING
    lay_out(s)


@kernel
def numbered(s):
    """The number of this game's deal, where the first one's is given."""
    return (s.rules.deal + s.hand - 1) % DEALS + 1


@kernel
def lay_out(s):
    """Deal ``number``. The pack is shuffled where it is dealt: pack[51 − k] lies at place k."""
    s.columns[:, :] = NONE
    s.height[:] = 0
    for k in range(CARDS):
        s.columns[k % COLUMNS, k // COLUMNS] = PACK[CARDS - 1 - k]
        s.height[k % COLUMNS] += 1
    draw = s.number
    for k in range(CARDS):
        draw = (draw * 214013 + 2531011) % 2**31
        j = CARDS - 1 - (draw // 65536) % (CARDS - k)
        card = s.columns[j % COLUMNS, j // COLUMNS]
        s.columns[j % COLUMNS, j // COLUMNS] = s.columns[k % COLUMNS, k // COLUMNS]
        s.columns[k % COLUMNS, k // COLUMNS] = card


# --- What may move (R3–R9) ---------------------------------------------------------------------

# Runs climb one of two ladders, black aces – red twos – … and red aces – black twos – …. A card's
# rung grows by one with its rank; the ladders are so far apart that n cards ending in one on rung r
# fit on a card exactly if that one stands on rung r + n.
LADDER, NO_CARD = 32, 127
RUNG = RANK + LADDER * ((np.arange(CARDS) + RANK) % 2)


@kernel
def top(s, c):
    """The top card of column c, which is not empty."""
    return np.int64(s.columns[c, s.height[c] - 1])


@kernel
def rungs(s):
    """The rungs of all tops in one integer, which is faster than an array: see ``rung_of``."""
    packed = np.int64(0)
    for c in range(COLUMNS):
        rung = RUNG[top(s, c)] if s.height[c] > 0 else NO_CARD
        packed |= rung << (8 * c)
    return packed


@inlined
def rung_of(tops, c):
    """The rung of the top of column c, where NO_CARD fits nowhere."""
    return (tops >> (8 * c)) & 127


@inlined
def fits_on(tops, d, rung, most):
    """Whether column d takes up to ``most`` cards of a run whose top is on this rung (R3, R7)."""
    return 0 < rung_of(tops, d) - rung <= most


@inlined
def takes(tops, gap, d, card):
    """Whether column d takes a card from a cell; ``gap`` is the leftmost empty one (R3, R6, R9)."""
    return fits_on(tops, d, RUNG[card], 1) or d == gap


@kernel
def fits_home(s, card):  # R5
    return s.home[card % SUITS] == RANK[card]


@kernel
def run_length(s, c, most):
    """Cards on top of column c, which is not empty, that form a run by R3, counted up to ``most``.

    Often no more than one may move, and counting on would take half the time of ``legal``.
    """
    i, n = s.height[c] - 1, 1
    while n < most and i > 0 and RUNG[s.columns[c, i - 1]] - RUNG[s.columns[c, i]] == 1:
        i -= 1
        n += 1
    return n


@kernel
def free_cells(s):
    free = 0
    for k in range(CELLS):
        free += s.cells[k] == NONE
    return free


@kernel
def empty_columns(s):
    empty = 0
    for c in range(COLUMNS):
        empty += s.height[c] == 0
    return empty


@kernel
def leftmost_empty(s):
    """The empty column that cards go into (R9), or NONE."""
    for c in range(COLUMNS):
        if s.height[c] == 0:
            return c
    return NONE


@kernel
def most_onto(free, empty):
    """How many cards may move together onto a card (R7)."""
    return (free + 1) << empty


@kernel
def most_into(free, empty):
    """How many cards may move together into an empty column (R8)."""
    return (free + 1) << (empty - 1) if empty > 0 else 0


@inlined
def onto_action(c, d):
    return ONTO + (COLUMNS - 1) * c + d - (d > c)


@inlined
def cell_and_column(action):
    """From and to of an action cell to column."""
    return divmod(action - CELL_COLUMN, COLUMNS)


@inlined
def columns_of(action):
    """From and to of an action column to column."""
    c, d = divmod(action - ONTO, COLUMNS - 1)
    return c, d + (d >= c)


@inlined
def column_and_count(action):
    """From and number of cards of an action column to empty column."""
    c, n = divmod(action - INTO, RANKS)
    return c, n + 1


@kernel
def onto_count(s, c, d):
    """How many cards of column c fit on column d, if any do (R7)."""
    return RUNG[top(s, d)] - RUNG[top(s, c)]


@kernel
def legal(s, mask):
    free, empty, gap, tops = free_cells(s), empty_columns(s), leftmost_empty(s), rungs(s)
    onto, into = most_onto(free, empty), most_into(free, empty)
    for c in range(COLUMNS):
        if s.height[c] == 0:
            continue
        mask[TO_CELL + c] = free > 0
        mask[TO_HOME + c] = fits_home(s, top(s, c))
        run, rung = run_length(s, c, onto), rung_of(tops, c)
        for d in range(COLUMNS):
            if d != c:
                mask[onto_action(c, d)] = fits_on(tops, d, rung, run)
        for n in range(1, min(run, into, s.height[c] - 1) + 1):
            mask[INTO + RANKS * c + n - 1] = 1
    for k in range(CELLS - free):
        card = np.int64(s.cells[k])
        mask[CELL_HOME + k] = fits_home(s, card)
        for d in range(COLUMNS):
            mask[CELL_COLUMN + COLUMNS * k + d] = takes(tops, gap, d, card)


@kernel
def first_legal(s):
    """The legal action with the lowest id, or NONE.

    It comes to column to column only where no cell is free and no column empty, so that no more
    than one card may move, and never to an empty column.
    """
    free, gap, tops = free_cells(s), leftmost_empty(s), rungs(s)
    for c in range(COLUMNS):
        if free > 0 and s.height[c] > 0:
            return TO_CELL + c
    for c in range(COLUMNS):
        if s.height[c] > 0 and fits_home(s, top(s, c)):
            return TO_HOME + c
    for k in range(CELLS - free):
        if fits_home(s, np.int64(s.cells[k])):
            return CELL_HOME + k
    for k in range(CELLS - free):
        for d in range(COLUMNS):
            if takes(tops, gap, d, s.cells[k]):
                return CELL_COLUMN + COLUMNS * k + d
    for c in range(COLUMNS):
        for d in range(COLUMNS):
            if fits_on(tops, d, rung_of(tops, c), 1):
                return onto_action(c, d)
    return NONE


# --- Moving cards ------------------------------------------------------------------------------


@kernel
def put_on(s, c, card):
    s.columns[c, s.height[c]] = card
    s.height[c] += 1


@kernel
def take_top(s, c):
    card = top(s, c)
    s.height[c] -= 1
    s.columns[c, s.height[c]] = NONE
    return card


@kernel
def put_in_cell(s, card):
    """Into the row of cells where it belongs (R9)."""
    k = CELLS - free_cells(s)
    while k > 0 and PLACE[s.cells[k - 1]] > PLACE[card]:
        s.cells[k] = s.cells[k - 1]
        k -= 1
    s.cells[k] = card


@kernel
def take_from_cell(s, k):
    card = np.int64(s.cells[k])
    for i in range(k, CELLS - 1):
        s.cells[i] = s.cells[i + 1]
    s.cells[CELLS - 1] = NONE
    return card


@kernel
def send_home(s, card):
    s.home[card % SUITS] += 1


@kernel
def move_run(s, c, d, n):
    """The top n cards of column c to column d, in their order."""
    start = s.height[c] - n
    for i in range(start, start + n):
        put_on(s, d, s.columns[c, i])
        s.columns[c, i] = NONE
    s.height[c] = start


@kernel
def move(s, action):
    """Move the cards of a legal action, then all that go home by themselves."""
    if action < TO_HOME:
        put_in_cell(s, take_top(s, action - TO_CELL))
    elif action < CELL_HOME:
        send_home(s, take_top(s, action - TO_HOME))
    elif action < CELL_COLUMN:
        send_home(s, take_from_cell(s, action - CELL_HOME))
    elif action < ONTO:
        k, d = cell_and_column(action)
        put_on(s, d, take_from_cell(s, k))
    elif action < INTO:
        c, d = columns_of(action)
        move_run(s, c, d, onto_count(s, c, d))
    else:
        c, n = column_and_count(action)
        move_run(s, c, leftmost_empty(s), n)
    if s.rules.auto_home:
        auto_home(s)


@kernel
def safe(s, card):
    """Whether a card goes home by itself (R10)."""
    other = 1 - card % 2  # the suits of the other colour are this one and the next but one
    rank = RANK[card]
    return fits_home(s, card) and (rank <= 1 or min(s.home[other], s.home[other + 2]) >= rank)


@kernel
def auto_home(s):  # R10
    again = True
    while again:
        again = False
        for c in range(COLUMNS):
            while s.height[c] > 0 and safe(s, top(s, c)):
                send_home(s, take_top(s, c))
                again = True
        for k in range(CELLS - 1, -1, -1):
            if s.cells[k] != NONE and safe(s, np.int64(s.cells[k])):
                send_home(s, take_from_cell(s, k))
                again = True


# --- A game's course and end (R11–R17) ---------------------------------------------------------


@kernel
def cards_home(s):
    total = 0
    for suit in range(SUITS):
        total += s.home[suit]
    return total


@kernel
def standing(s):
    """How the game stands after an action: the ``reason`` for which it has ended, or PLAYING."""
    if cards_home(s) == CARDS:
        return SOLVED
    if first_legal(s) == NONE:
        return STUCK
    return LIMIT if s.moves == s.rules.max_moves else PLAYING


@kernel
def apply(s, action):
    s.log_action[s.moves % LOG] = action
    s.moves += 1
    before = cards_home(s)
    move(s, action)
    s.coins[0] = s.rules.progress_reward * (cards_home(s) - before)  # R15
    s.house = -s.coins[0]
    reason = standing(s)
    if reason == PLAYING:
        s.stack[0] += s.coins[0]
    else:
        settle(s, reason)


@kernel
def settle(s, reason):
    """Pay the stake (R14) beside this step's progress."""
    s.reason = reason
    won = s.rules.stake
    if reason != SOLVED:
        won = -min(won, s.stack[0] + s.coins[0])
    s.coins[0] += won
    s.house = -s.coins[0]
    close_hand(s)
    if reason == LEFT or s.stack[0] < s.rules.stake:  # R16, R19
        s.over = ENDED
    if reason == LIMIT and s.over != PLAYING:  # R13
        s.over = CUT_OFF


@kernel
def default(s):  # R17
    return first_legal(s)


@kernel
def leave(s, seat):  # R16
    settle(s, LEFT)


# --- What a seat sees --------------------------------------------------------------------------


@kernel
def conceal(s, seat):
    conceal_rng(s.rng)


@kernel
def redeal(s, seat):
    """All cards are open: only the generator, which the caller has seeded, is not known."""


OBSERVATION = Observation(
    Range("column", (CARDS, COLUMNS), "column each card lies in"),
    Range("above", CARDS, "how many cards lie on each card"),
    Range("in_cell", CARDS, "cards in cells"),
    Range("at_home", CARDS, "cards home"),
    Range("next_home", CARDS, "cards that can go home now"),
    Range("height", COLUMNS, "cards in each column"),
    Range("run", COLUMNS, "length of the run on top of each column"),
    Range(
        "cells",
        (CELLS, RANKS + SUITS),
        "the card in each cell, rank A … K, suit ♦ ♣ ♥ ♠; none: free",
    ),
    Range("home", SUITS, "cards home of ♦ ♣ ♥ ♠"),
    Range("free_cells", 1, "number of free cells"),
    Range("empty_columns", 1, "number of empty columns"),
    Range("limits", 2, "how many cards may move together onto a card, into an empty column"),
    Range("actions_left", 1, "actions left in this game, in hundreds"),
    Range("deal", 1, "number of the deal, in millions"),
    hand_range(),
    Range("stack", 1, "coins, in stakes"),
    Range("stake", 1, "coins of the stake"),
)


@kernel
def observe(v, seat, o, known):
    for c in range(COLUMNS):
        height, card, run = v.height[c], 0, 0
        for i in range(height):
            under, card = card, np.int64(v.columns[c, i])
            run = 1 + run * (RUNG[under] - RUNG[card] == 1)
            o.column[card, c] = 1
            o.above[card] = height - 1 - i
        if height > 0:
            o.next_home[card] = fits_home(v, card)
        o.height[c] = height
        o.run[c] = run
    free, empty = free_cells(v), empty_columns(v)
    for k in range(CELLS - free):
        card = np.int64(v.cells[k])
        o.in_cell[card] = 1
        o.next_home[card] = fits_home(v, card)
        o.cells[k, RANK[card]] = 1
        o.cells[k, RANKS + card % SUITS] = 1
    for suit in range(SUITS):
        o.home[suit] = v.home[suit]
        for rank in range(v.home[suit]):
            o.at_home[foundation_card(suit, rank)] = 1
    o.free_cells = free
    o.empty_columns = empty
    o.limits[0] = most_onto(free, empty)
    o.limits[1] = most_into(free, empty)
    o.actions_left = (v.rules.max_moves - v.moves) / 100
    o.deal = v.number / DEALS
    o.stack = v.stack[0] / v.rules.stake
    o.stake = v.rules.stake


@kernel
def foundation_card(suit, rank):
    """The card of a suit with a rank counted from the ace: in parts/cards.py aces come last."""
    return SUITS * ((rank + RANKS - 1) % RANKS) + suit


# --- Words -------------------------------------------------------------------------------------


def position(columns: Sequence[str], cells: str = "", home: str = "", **options: Any) -> np.ndarray:
    """A table set up by hand, for ``TableEnv.place``: an array of one record of ``STATE``.

    Args:
        columns: up to eight texts like ``"CK D8 S2"``, from the deepest card to the top.
        cells: the cards in cells.
        home: the highest card on each foundation that is not empty; those below are home, too.
        options: as for ``make``.

    It is no numbered deal: ``number`` is 0. Raises ValueError unless every card is in one place and
    there is room for all.
    """
    table = GAME.blank(GAME.options(**options))
    s = table[0]
    s["seats"] = 1
    s["stack"] = s["rules"]["stack"]
    s["columns"] = s["cells"] = s["log_action"] = NONE
    piles = [[parse_card(name) for name in column.split()] for column in columns]
    held = sorted((parse_card(name) for name in cells.split()), key=lambda card: int(PLACE[card]))
    if len(piles) > COLUMNS or len(held) > CELLS:
        raise ValueError(
            f"{len(piles)} columns, {len(held)} cells: there are {COLUMNS} and {CELLS}"
        )
    tallest = max(map(len, piles), default=0)
    if tallest > TALLEST:
        raise ValueError(f"{tallest} cards in a column: there is room for {TALLEST}")
    for c, pile in enumerate(piles):
        s["columns"][c, : len(pile)] = pile
        s["height"][c] = len(pile)
    s["cells"][: len(held)] = held
    for card in map(parse_card, home.split()):
        s["home"][card % SUITS] = RANK[card] + 1
    fault = misplaced(s)
    if fault:
        raise ValueError(fault)
    return addressable(table)


def home_cards(s: np.void, suit: int) -> list[int]:
    """The cards on a foundation, from the ace up."""
    return [int(foundation_card(suit, rank)) for rank in range(s["home"][suit])]


def census(s: np.void) -> tuple[int, ...]:
    """How many there are of each card, in columns, in cells and home."""
    cards = [int(card) for card in (*s["columns"].flat, *s["cells"]) if card >= 0]
    for suit in range(SUITS):
        cards += home_cards(s, suit)
    return tuple(cards.count(card) for card in range(CARDS))


def report(s: np.void) -> dict[str, Any]:
    """What was settled at the hand's end, and why."""
    return {
        "reason": RESULTS[s["reason"]],
        "deal": int(s["number"]),
        "moves": int(s["moves"]),
        "home": int(s["home"].sum()),
    }


def show(v: np.void, seat: int | None) -> Scene:
    """What lies on the table, for one seat's eyes; seat None: for all."""
    moves = int(v["moves"])
    actions = [int(v["log_action"][i % LOG]) for i in range(max(0, moves - LOG), moves)]
    piles = [tuple(card_name(int(card)) for card in pile if card >= 0) for pile in v["columns"]]
    tops = [max(home_cards(v, suit), key=RANK.item, default=NONE) for suit in range(SUITS)]
    free, empty = free_cells(v), empty_columns(v)
    facts = [
        f"deal {int(v['number'])}" if v["number"] else "set up by hand",
        f"stake {int(v['rules']['stake'])}",
        f"{int(v['home'].sum())} of {CARDS} cards home",
        f"{int(v['rules']['max_moves']) - moves} moves left",
        f"runs of {most_onto(free, empty)}, {most_into(free, empty)} into an empty column",
    ]
    return Scene(
        places=(Place(0, RESULTS[v["reason"]], int(v["stack"][0])),),
        zones=(
            Zone("cells a–d", tuple(_name_or_gap(int(card)) for card in v["cells"])),
            Zone("foundations", tuple(_name_or_gap(card) for card in tops)),
            *(Zone(c, pile, columns=1) for c, pile in zip(COLUMN_NAMES, piles, strict=True)),
        ),
        facts=tuple(facts),
        moves=tuple(ACTIONS.name(action) for action in actions),
    )


def _name_or_gap(card: int) -> str:
    return CARD_NAMES[card] if card >= 0 else ""


def max_plies(rules: Mapping[str, Any]) -> int:
    """Every game ends after ``max_moves`` actions at the latest."""
    return int(rules["hands"] * rules["max_moves"])


GAME = Game(
    name="freecell",
    title="空当接龙",
    english="FreeCell",
    summary="Solitaire with all cards open, numbered deals and one stake with the house.",
    version=VERSION,
    source="help text of a Chinese FreeCell program (moves, advice and options), and the numbered "
    "deals everybody knows",
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
    checked_by=(
        "the numbered deals as published",
        "sequences of one to four actions from four deals",
        "eight deals without a solution, with all positions that can be reached from them",
        "of the first 32,000 deals all but one have solutions, as people have found",
        "verdicts of Freecell Solver on 208 deals, and its solutions under these rules",
    ),
    limitations=(
        "Columns, deals, limits and the end of a game are not in the source; they are those of "
        "the program everybody knows.",
    ),
    history=("0: first version",),
)
