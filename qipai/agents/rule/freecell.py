"""Solver of FreeCell: best-first search over positions, played move by move.

Positions that differ in the order of columns or cells are one. The open position with the least sum
of ``value`` and actions so far is taken next. Where no solution is found the bot follows a rule of
thumb. Moves and auto-home are the game's own kernels.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from functools import partial
from typing import Literal

import numpy as np

from qipai.agents.budget import Budget
from qipai.envs.freecell import (
    ACTION_COUNT,
    CARDS,
    CELL_COLUMN,
    CELLS,
    COLUMNS,
    FIELDS,
    INTO,
    ONTO,
    RANK,
    RANKS,
    RUNG,
    STATE,
    SUITS,
    TO_CELL,
    TO_HOME,
    cards_home,
    cell_and_column,
    column_and_count,
    columns_of,
    empty_columns,
    fits_home,
    free_cells,
    legal,
    misplaced,
    move,
    onto_count,
    run_length,
)
from qipai.envs.game import Game
from qipai.envs.kernel import addressable, kernel
from qipai.envs.layout import NONE
from qipai.envs.unshared import Unshared

POSITIONS = 2_000_000  # kept in one search, by default: 200 MB, taken only when needed
MOST_POSITIONS = 20_000_000  # that a budget may ask for: 2 GB
SEARCH = Budget(count=POSITIONS)
SLICE = 2_000  # positions expanded between two looks at the clock
MOST_PLANS = 100_000  # positions remembered by a bot
HOPELESS = (-1, 0)

# --- Positions ---------------------------------------------------------------------------------

NODE = np.dtype(
    [
        ("cards", np.int8, (CARDS,)),  # column by column, then the cells
        ("height", np.int8, (COLUMNS,)),
        ("home", np.int8, (SUITS,)),
        ("key", np.uint64),  # the position, whatever the order of its columns and cells
        ("slot", np.int64),  # where it stands in the hash table
        ("parent", np.int32),
        ("action", np.int16),  # by which it was reached from its parent
        ("depth", np.int16),  # actions from the start
    ],
    align=True,
)

# A position is the sum of what every card lies on: another card, the table, or a cell.
ON_TABLE, IN_CELL = CARDS, CARDS + 1
KEYS = np.random.default_rng(1).integers(2**64, size=(CARDS, CARDS + 2), dtype=np.uint64)


@kernel
def key_of(s):
    """The key of a position, the same for every order of its columns and cells."""
    key = np.uint64(0)
    for c in range(COLUMNS):
        under = np.int64(ON_TABLE)
        for i in range(s.height[c]):
            card = np.int64(s.columns[c, i])
            key += KEYS[card, under]
            under = card
    for k in range(CELLS):
        if s.cells[k] != NONE:
            key += KEYS[s.cells[k], IN_CELL]
    return key


@kernel
def value(s):
    """How far a position seems from its solution, in actions; 0 or less with all cards home.

    Counts every card not home twice, cards above a lower one of their column, cards that do not
    form a run with the one below, cards above one that is next on its foundation, and cells in
    use; takes off empty columns.
    """
    bad = 0
    for c in range(COLUMNS):
        lowest, rung = np.int64(RANKS), np.int64(0)
        height = s.height[c]
        for i in range(height):
            card = np.int64(s.columns[c, i])
            rank = RANK[card]
            bad += lowest < rank
            bad += i > 0 and rung - RUNG[card] != 1
            if fits_home(s, card):
                bad += height - 1 - i
            lowest, rung = min(lowest, rank), RUNG[card]
    left = CARDS - cards_home(s)
    return 2 * left + bad + CELLS - free_cells(s) - empty_columns(s)


@kernel
def store(s, node):
    """Write the cards of a position into a node."""
    n = 0
    for c in range(COLUMNS):
        node.height[c] = s.height[c]
        for i in range(s.height[c]):
            node.cards[n] = s.columns[c, i]
            n += 1
    for k in range(CELLS):
        if s.cells[k] != NONE:
            node.cards[n] = s.cells[k]
            n += 1
    for suit in range(SUITS):
        node.home[suit] = s.home[suit]


@kernel
def restore(node, s):
    """Lay out the cards of a node."""
    n, home = 0, 0
    s.columns[:, :] = NONE
    s.cells[:] = NONE
    for c in range(COLUMNS):
        s.height[c] = node.height[c]
        for i in range(node.height[c]):
            s.columns[c, i] = node.cards[n]
            n += 1
    for suit in range(SUITS):
        s.home[suit] = node.home[suit]
        home += node.home[suit]
    for k in range(CARDS - home - n):
        s.cells[k] = node.cards[n + k]


# --- Search ------------------------------------------------------------------------------------

COUNTS = np.dtype(
    [
        ("nodes", np.int64),  # positions so far
        ("waiting", np.int64),  # of them, not expanded yet
        ("cut", np.int64),  # positions left out because they take too many actions
    ]
)
SEARCHING, EXHAUSTED, FULL = -1, -2, -3


@kernel
def push(heap, count, item):
    """Add to the binary heap ``heap[:count]``, the least item first."""
    at = count
    while at > 0 and heap[(at - 1) // 2] > item:
        heap[at] = heap[(at - 1) // 2]
        at = (at - 1) // 2
    heap[at] = item


@kernel
def pop(heap, count):
    """Take the least item from the binary heap ``heap[:count]``."""
    least, item = heap[0], heap[count - 1]
    at, child = 0, 1
    while child < count - 1:
        if child + 1 < count - 1 and heap[child + 1] < heap[child]:
            child += 1
        if heap[child] >= item:
            break
        heap[at] = heap[child]
        at, child = child, 2 * child + 1
    heap[at] = item
    return least


@kernel
def add(s, nodes, slots, heap, counts, parent, action, depth):
    """Keep the position of ``s`` if it is new."""
    key = key_of(s)
    slot = np.int64(key % np.uint64(len(slots)))
    while slots[slot] > 0:
        if nodes[slots[slot] - 1].key == key:
            return
        slot = slot + 1 if slot + 1 < len(slots) else 0
    node = nodes[counts.nodes]
    store(s, node)
    node.key = key
    node.slot = slot
    node.parent = parent
    node.action = action
    node.depth = depth
    slots[slot] = counts.nodes + 1
    push(heap, counts.waiting, ((value(s) + depth) << 32) + counts.nodes)
    counts.waiting += 1
    counts.nodes += 1


@kernel
def forget(nodes, slots, counts):
    """Empty the hash table again."""
    for i in range(counts.nodes):
        slots[nodes[i].slot] = 0
    counts.nodes = 0
    counts.waiting = 0
    counts.cut = 0


@kernel
def search(s, mask, nodes, slots, heap, counts, most_actions, steps):
    """Expand up to ``steps`` positions. Returns the solved one, or why there is none."""
    for _ in range(steps):
        if counts.waiting == 0:
            return EXHAUSTED
        parent = pop(heap, counts.waiting) & 0xFFFFFFFF
        counts.waiting -= 1
        depth = np.int64(nodes[parent].depth) + 1
        if depth > most_actions:
            counts.cut += 1
            continue
        restore(nodes[parent], s)
        mask[:] = 0
        legal(s, mask)
        for action in range(ACTION_COUNT):
            if mask[action] == 0:
                continue
            if counts.nodes == len(nodes):
                return FULL
            restore(nodes[parent], s)
            move(s, action)
            add(s, nodes, slots, heap, counts, parent, action, depth)
            if cards_home(s) == CARDS:
                return counts.nodes - 1
    return SEARCHING


@dataclass(frozen=True)
class Solution:
    """What a search has found: ``unknown`` where it was stopped by a limit.

    Positions are told apart by 64 random bits: the chance that a search of six million takes two of
    them for one is one in a million.
    """

    verdict: Literal["solved", "unsolvable", "unknown"]
    actions: tuple[int, ...]  # action ids from the position on, where it is solved
    positions: int  # different positions seen, the first one included


class Solver:
    """Room for a search, to be used again and again."""

    def __init__(self, budget: Budget | None = None) -> None:
        """A budget's ``count`` are the positions a search may keep, POSITIONS by default.

        ValueError for more than MOST_POSITIONS.
        """
        if budget is not None:
            budget.check_count(MOST_POSITIONS, "positions of FreeCell are kept")
        most = POSITIONS if budget is None or budget.count is None else budget.count
        self._seconds = None if budget is None else budget.seconds
        self._table = addressable(np.zeros(1, STATE))
        self._mask = np.zeros(ACTION_COUNT, np.int8)
        self._nodes = addressable(np.empty(most, NODE))
        self._slots = np.zeros(2 * most + 1, np.int32)  # number of a node from 1; 0: free
        self._heap = np.empty(most, np.int64)
        self._counts = addressable(np.zeros(1, COUNTS))

    def solve(self, view: np.void) -> Solution:
        """Search from a view for a solution within the actions that are left.

        ValueError if its cards can't lie so: the nodes have room for a whole pack and no more.
        """
        fault = FIELDS.fault(view, view=True) or misplaced(view)
        if fault:
            raise ValueError(fault)
        started = time.monotonic()
        table, memory = self._table, (self._nodes, self._slots, self._heap, self._counts[0])
        table[0] = view
        most_actions = int(view["rules"]["max_moves"] - view["moves"])
        add(table[0], *memory, -1, -1, 0)
        found = SEARCHING
        while found == SEARCHING:
            found = search(table[0], self._mask, *memory, most_actions, SLICE)
            if self._seconds is not None and time.monotonic() - started > self._seconds:
                break
        actions = []
        node = found
        while node > 0:
            actions.append(int(self._nodes[node]["action"]))
            node = int(self._nodes[node]["parent"])
        positions, cut = int(self._counts[0]["nodes"]), int(self._counts[0]["cut"])
        forget(self._nodes, self._slots, self._counts[0])
        if found >= 0:
            return Solution("solved", tuple(reversed(actions)), positions)
        proved = found == EXHAUSTED and cut == 0
        return Solution("unsolvable" if proved else "unknown", (), positions)


# --- Play --------------------------------------------------------------------------------------


@kernel
def thumb_score(v, action, free, empty):
    """How good an action looks without a search; higher is better.

    Home; then onto a card, what frees a card that can go home or empties a column; then other runs
    onto a card, the longest first; then to a cell, the lowest card uncovered first; then into one
    of several empty columns; then the last free cell; then the last empty column. What splits a run
    or puts a column's only card into a cell could be taken back at once: it is last of all.
    """
    if action < TO_HOME:
        c = action - TO_CELL
        if v.height[c] == 1 or run_length(v, c, RANKS) > 1:
            return 0
        return (300 if free > 1 else 100) - RANK[v.columns[c, v.height[c] - 2]]
    if action < CELL_COLUMN:
        return 600
    if action < ONTO:
        _, d = cell_and_column(action)
        if v.height[d] > 0:
            return 401
        return 200 if empty > 1 else 50
    if action < INTO:
        c, d = columns_of(action)
        n = onto_count(v, c, d)
        if n == v.height[c] or fits_home(v, np.int64(v.columns[c, v.height[c] - n - 1])):
            return 500 + n
        return 400 + n if n == run_length(v, c, RANKS) else n
    c, n = column_and_count(action)
    if n < run_length(v, c, RANKS):
        return 0
    return (200 if empty > 1 else 50) + n - 1


@kernel
def rule_of_thumb(v, mask):
    """The legal action with the highest ``thumb_score``, the lowest id of several."""
    best, highest = -1, -1
    free, empty = free_cells(v), empty_columns(v)
    for action in range(ACTION_COUNT):
        if mask[action] != 0:
            score = thumb_score(v, action, free, empty)
            if score > highest:
                best, highest = action, score
    return best


class Bot:
    """Plays the solutions of a solver, and where it finds none by the rule of thumb.

    A budget's ``count`` are the positions kept in one search, its ``seconds`` the time for one.
    Every solution is remembered move by move, so that most moves need no search.
    """

    def __init__(self, game: Game, seed: int | None = 0, budget: Budget | None = None) -> None:
        """The seed is not used: equal views get equal actions, in as far as time allows.

        ValueError for a budget of more than MOST_POSITIONS.
        """
        self._solver = Unshared(partial(Solver, budget))
        self._solver()  # says now what is wrong with the budget
        self._table = addressable(np.zeros(1, STATE))
        # By position: the action, and how many it takes from here; HOPELESS: there is no solution.
        self._plans: dict[bytes, tuple[int, int]] = {}

    def act(self, views: np.ndarray, masks: np.ndarray) -> np.ndarray:
        """Actions int64 (n,) for views (n,) and masks int8 (n, actions)."""
        views = addressable(np.ascontiguousarray(views))
        masks = np.ascontiguousarray(masks)
        return np.array([self._choose(views[k], masks[k]) for k in range(len(views))], np.int64)

    def _choose(self, view: np.void, mask: np.ndarray) -> int:
        key = _plan_key(view)
        left = int(view["rules"]["max_moves"] - view["moves"])
        if key not in self._plans or self._plans[key][1] > left:
            self._plan(view)
        action, _ = self._plans.get(key, (-1, 0))
        if action >= 0:
            return action
        action = int(rule_of_thumb(view, mask))
        if key in self._plans:  # where there is no solution there is none further on
            self._plans[_plan_key(self._after(view, action))] = HOPELESS
        return action

    def _plan(self, view: np.void) -> None:
        """Look for a solution from here and remember what was found."""
        if len(self._plans) > MOST_PLANS:
            self._plans.clear()
        found = self._solver().solve(view)
        for k, action in enumerate(found.actions):
            self._plans[_plan_key(view)] = action, len(found.actions) - k
            view = self._after(view, action)
        if found.verdict == "unsolvable":
            self._plans[_plan_key(view)] = HOPELESS

    def _after(self, view: np.void, action: int) -> np.void:
        """The cards after an action, in a record that the next call overwrites."""
        self._table[0] = view
        move(self._table[0], action)
        after: np.void = self._table[0]
        return after


def _plan_key(view: np.void) -> bytes:
    """The cards as they lie, with the order of the columns, which actions depend on."""
    cards: bytes = view["columns"].tobytes() + view["cells"].tobytes()
    return cards + view["rules"]["auto_home"].tobytes()


def solve(view: np.void, budget: Budget | None = None) -> Solution:
    """Search from a view or table of FreeCell, as ``Solver.solve`` does."""
    return Solver(budget).solve(view)
