"""Small settings of any game for OpenSpiel: its solvers and exact best responses run on them.

A setting is a list of *worlds*: tables that differ in what is hidden. OpenSpiel's root is a chance
node that draws one of them; from there on the game's own kernels play to the end of the hand. All
that can happen is laid out once, so OpenSpiel's algorithms only follow numbers.

OpenSpiel: Lanctot et al., "OpenSpiel: a framework for reinforcement learning in games", 2019.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import blake2b
from itertools import permutations
from typing import Any

import numpy as np
from numpy.lib.recfunctions import repack_fields

from qipai.agents.agent import Agent, load_agent
from qipai.envs.game import Game
from qipai.envs.kernel import addressable
from qipai.envs.layout import HIDDEN
from qipai.envs.match import PLAYING, encoded, engine
from qipai.envs.tables import find_illegal, illegal_action
from qipai.envs.wire import NOT_SENT, dumps

try:
    import pyspiel
    from open_spiel.python.policy import Policy
except ImportError as error:
    raise ImportError('OpenSpiel is not installed: pip install "qipai[openspiel]"') from error

MOST_WORLDS = 100_000
MOST_NODES = 500_000
TRIED = 20  # worlds played to their end to see whether cards are still to come
ROOT = -1  # the chance node; world i is node i


# --- Tables and views ----------------------------------------------------------------------------


def in_play(game: Game, tables: Sequence[np.void] | np.ndarray) -> np.ndarray:
    """Copies of tables as one array; ValueError if they can't be worlds of one setting."""
    records = np.zeros(len(tables), game.state)
    for i, table in enumerate(tables):
        if getattr(table, "dtype", None) != game.state:
            raise ValueError(f"table {i} is no record of the state of {game.name}")
        records[i] = table
    if not len(records):
        raise ValueError(f"{game.name}: no tables; a setting has at least one world")
    if (records["ended"] | (records["over"] != PLAYING)).any():
        raise ValueError(f"{game.name}: a table's hand has ended; take tables in play")
    if (records["rules"] != records["rules"][0]).any():
        raise ValueError(f"{game.name}: the tables have different rules")
    return records


def views_of(game: Game, tables: np.ndarray, seats: np.ndarray | int) -> np.ndarray:
    """The tables (n,) as ``seats`` (n,), or one seat, may see them."""
    views = addressable(np.zeros(len(tables), game.state))
    seats = np.ascontiguousarray(np.broadcast_to(seats, len(tables)), np.int64)
    engine(game).view_tables(addressable(tables), np.arange(len(tables)), seats, views)
    return views


def seen_fields(game: Game) -> list[str]:
    """The fields of a table that tell something of the hand."""
    return [name for name in game.state.names or () if name not in NOT_SENT]


# --- Worlds --------------------------------------------------------------------------------------

Place = tuple[Any, ...]  # a field of a table, then an index into it


def hidden_places(game: Game, table: np.ndarray) -> tuple[list[Place], list[Place]]:
    """The places of a table (1,) hidden from some seats only, and those hidden from all."""
    some: list[Place] = []
    all_seats: list[Place] = []
    views = [views_of(game, table, seat)[0] for seat in range(int(table["seats"][0]))]
    for name in seen_fields(game):
        shown = np.array([np.asarray(view[name]) for view in views])
        hidden = shown != table[name]
        if (hidden & (shown != HIDDEN)).any():
            raise ValueError(
                f"{game.name}: a move is being composed, whose steps only one seat sees ({name}); "
                "take the table before it"
            )
        for place in np.argwhere(hidden.any(axis=0)):
            part = all_seats if hidden[(slice(None), *place)].all() else some
            part.append((name, *place))
    return some, all_seats


def lay(table: np.ndarray, places: Sequence[Place], values: np.ndarray) -> np.ndarray:
    """Copies (n,) of a table (1,) with ``values`` (n, places) in these places."""
    laid = np.repeat(table, len(values))
    for (name, *index), column in zip(places, values.T, strict=True):
        laid[name][(slice(None), *index)] = column
    return laid


def worlds(game: Game, table: np.void, most: int = MOST_WORLDS) -> np.ndarray:
    """Every table a spectator can't tell from ``table``, where one sees only what all seats see.

    All cards that are hidden from any seat are laid out anew, in every way, over the places that
    some seat sees; what no seat sees (the deck) gets the cards left over. Each table occurs once.
    They are equally likely if the deal was and nothing is concluded from the play so far.

    Returns records (n,) of ``game.state``. ValueError if there are more than ``most``, if what is
    hidden are not the cards of one deck, each in a place of its own, or if play of some of them
    goes on to cards that no seat has seen.
    """
    own = "; give export() tables of your own making"
    one = in_play(game, [table])
    some, none = hidden_places(game, one)
    places = some + none
    cards = [int(one[name][(0, *index)]) for name, *index in places]
    if len(set(cards)) < len(cards):
        raise ValueError(f"{game.name}: a hidden value occurs twice, so it is no card{own}")
    count = math.perm(len(cards), len(some))
    if count > most:
        raise ValueError(f"{game.name}: {count:,} worlds are more than most={most:,}")
    held = list(permutations(cards, len(some)))
    left = [[card for card in cards if card not in cards_held] for cards_held in held]
    laid = np.array([[*h, *rest] for h, rest in zip(held, left, strict=True)], np.int64)
    found = lay(one, places, laid)
    census = game.census(one[0])
    if any(game.census(world) != census for world in found):
        raise ValueError(f"{game.name}: more is hidden than cards, each in its place{own}")
    tried = laid[:: len(laid) // TRIED + 1]
    turned = tried.copy()
    turned[:, len(some) :] = np.roll(tried[:, len(some) :], 1, axis=1)
    as_laid, as_turned = (grow(game, lay(one, places, v), MOST_NODES) for v in (tried, turned))
    if not same(as_laid, as_turned):
        raise ValueError(
            f"{game.name}: play goes on to cards that no seat has seen; take a later table{own}"
        )
    return found


# --- All that can happen -------------------------------------------------------------------------


@dataclass
class Level:
    """The tables (n,) after equally many decisions.

    Attributes:
        coins: int64 (n, seats), won since the start.
        sights: by seat and table, all that the seat sees.
        knows: by seat and table, a name for all that it has seen and done since the start.
    """

    tables: np.ndarray
    coins: np.ndarray
    sights: list[list[bytes]]
    knows: list[list[str]]


@dataclass
class Tree:
    """All that can happen from some tables on; node i is first of all table i.

    Attributes, by node:
        tables: records of ``game.state``.
        children: the node that each legal action leads to; none at the end of the hand.
        coins: int64 (nodes, seats), won since the start.
        knows: by seat first; as in ``Level``.
    And ``depth``, the most decisions in a row.
    """

    tables: np.ndarray
    children: list[dict[int, int]]
    coins: np.ndarray
    knows: list[list[str]]
    depth: int


def sights(game: Game, tables: np.ndarray, seat: int) -> list[bytes]:
    """All that ``seat`` sees of each table; padding between fields may differ, and is left out."""
    views = np.asarray(views_of(game, tables, seat))
    return [row.tobytes() for row in repack_fields(views[seen_fields(game)], recurse=True)]


def remember(known: str, action: int | None, sight: bytes) -> str:
    """A name for what was known, an own action after it and what is seen then."""
    return blake2b(f"{known} {action} ".encode() + sight, digest_size=16).hexdigest()


def first_level(game: Game, tables: np.ndarray) -> Level:
    """The tables a setting starts from, and what each seat knows of them."""
    seats = range(int(tables["seats"][0]))
    seen = [sights(game, tables, seat) for seat in seats]
    knows = [[remember(f"seat {seat}", None, sight) for sight in seen[seat]] for seat in seats]
    return Level(tables, np.zeros((len(tables), len(seats)), np.int64), seen, knows)


def legal_moves(game: Game, tables: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """All pairs of a table's number and a legal action, int64; none where the hand has ended."""
    masks = np.zeros((len(tables), game.actions.width), np.int8)
    engine(game).mask_tables(addressable(tables), np.arange(len(tables)), masks)
    masks[tables["ended"]] = 0
    parents, actions = np.nonzero(masks)
    return parents, actions


def next_level(game: Game, level: Level, parents: np.ndarray, actions: np.ndarray) -> Level:
    """The tables after ``actions`` (n,) on the tables number ``parents`` (n,)."""
    seats = len(level.knows)
    before = level.tables[parents]
    after = before.copy()
    purses = np.zeros((len(after), seats + 1), np.int64)
    engine(game).play_tables(addressable(after), np.arange(len(after)), actions, purses)
    if (after["rng"] != before["rng"]).any():
        raise ValueError(f"{game.name}: play draws random numbers; chance is at the start only")
    seen, knows = [], []
    for seat in range(seats):
        known = [level.knows[seat][parent] for parent in parents]
        saw = [level.sights[seat][parent] for parent in parents]
        own = [
            int(a) if turn == seat else None
            for a, turn in zip(actions, before["turn"], strict=True)
        ]
        sees = sights(game, after, seat)
        seen.append(sees)
        # Another seat's step that shows nothing must not be told by being counted.
        knows.append(
            [
                k if action is None and old == new else remember(k, action, new)
                for k, action, old, new in zip(known, own, saw, sees, strict=True)
            ]
        )
    return Level(after, level.coins[parents] + purses[:, :seats], seen, knows)


def grow(game: Game, tables: np.ndarray, most: int) -> Tree:
    """All that can happen from ``tables`` (n,) to the end of the hand.

    ValueError if those are more than ``most`` nodes, or if play draws random numbers.
    """
    level = first_level(game, tables)
    levels = [level]
    nodes = len(tables)
    children: list[dict[int, int]] = []
    while True:
        parents, actions = legal_moves(game, level.tables)
        if nodes + len(parents) > most:
            raise ValueError(
                f"{game.name}: the setting has more than most={most:,} nodes; take fewer worlds, "
                "a later table or shorter stacks"
            )
        onward: list[dict[int, int]] = [{} for _ in level.tables]
        for parent, action in zip(parents.tolist(), actions.tolist(), strict=True):
            onward[parent][action] = nodes
            nodes += 1
        children += onward
        if not len(parents):
            break
        level = next_level(game, level, parents, actions)
        levels.append(level)
    return Tree(
        np.concatenate([part.tables for part in levels]),
        children,
        np.concatenate([part.coins for part in levels]),
        [[k for part in levels for k in part.knows[seat]] for seat in range(len(level.knows))],
        len(levels) - 1,
    )


def same(one: Tree, other: Tree) -> bool:
    """Whether the same can happen in both, for all that any seat can tell."""
    return (
        one.children == other.children
        and one.knows == other.knows
        and np.array_equal(one.coins, other.coins)
        and np.array_equal(one.tables["turn"], other.tables["turn"])
    )


# --- The game for OpenSpiel ----------------------------------------------------------------------


class ExportedGame(pyspiel.Game):
    """Worlds of a game as an OpenSpiel game; ``returns`` are in ``unit`` coins (``Game.unit``).

    ``game`` is the game it is made of, ``tree`` all that can happen, ``chances`` the worlds' own.
    """

    def __init__(self, game: Game, tree: Tree, chances: list[tuple[int, float]]) -> None:
        self.game = game
        self.tree = tree
        self.chances = chances
        self.unit = int(game.unit(tree.tables[0]))
        self.turn: list[int] = tree.tables["turn"].tolist()
        self.returns: list[list[float]] = (tree.coins / self.unit).tolist()
        seats = tree.coins.shape[1]
        zero_sum = not tree.coins.sum(axis=1).any()
        utility = pyspiel.GameType.Utility
        super().__init__(
            pyspiel.GameType(
                short_name=f"qipai_{game.name}",
                long_name=f"{game.title} ({game.name})",
                dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
                chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
                information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
                utility=utility.ZERO_SUM if zero_sum else utility.GENERAL_SUM,
                reward_model=pyspiel.GameType.RewardModel.TERMINAL,
                max_num_players=seats,
                min_num_players=seats,
                provides_information_state_string=True,
                provides_information_state_tensor=False,
                provides_observation_string=True,
                provides_observation_tensor=True,
            ),
            pyspiel.GameInfo(
                num_distinct_actions=game.actions.width,
                max_chance_outcomes=len(chances),
                num_players=seats,
                min_utility=float(tree.coins.min() / self.unit),
                max_utility=float(tree.coins.max() / self.unit),
                utility_sum=0.0 if zero_sum else None,
                max_game_length=tree.depth,
            ),
            {},
        )

    # OpenSpiel would copy and pickle a game by its name, which only the games it comes with have.

    def __copy__(self) -> ExportedGame:
        return self

    def __deepcopy__(self, memo: object) -> ExportedGame:
        return self  # OpenSpiel copies all that a state holds; a game never changes

    def __reduce__(self) -> tuple[Any, ...]:
        return ExportedGame, (self.game, self.tree, self.chances)

    def new_initial_state(self) -> ExportedState:
        return ExportedState(self)

    def make_py_observer(self, kind: Any = None, params: Any = None) -> Observer:
        return Observer(self, kind or pyspiel.IIGObservationType(perfect_recall=False), params)


class ExportedState(pyspiel.State):
    """A node of the tree, or the root, where the world is drawn."""

    def __init__(self, exported: ExportedGame) -> None:
        super().__init__(exported)
        self.exported = exported
        self.node = ROOT

    def __reduce__(self) -> tuple[Any, ...]:
        return _after, (self.exported, self.history())

    def current_player(self) -> int:
        if self.node == ROOT:
            return int(pyspiel.PlayerId.CHANCE)
        if self.is_terminal():
            return int(pyspiel.PlayerId.TERMINAL)
        return self.exported.turn[self.node]

    def is_terminal(self) -> bool:
        return self.node != ROOT and not self.exported.tree.children[self.node]

    def chance_outcomes(self) -> list[tuple[int, float]]:
        return self.exported.chances

    def returns(self) -> list[float]:
        return (
            self.exported.returns[self.node] if self.is_terminal() else [0.0] * self.num_players()
        )

    def _legal_actions(self, player: int) -> list[int]:
        return list(self.exported.tree.children[self.node])

    def _apply_action(self, action: int) -> None:
        self.node = action if self.node == ROOT else self.exported.tree.children[self.node][action]

    def _action_to_string(self, player: int, action: int) -> str:
        if player == pyspiel.PlayerId.CHANCE:
            return f"world {action}"
        return self.exported.game.action_name(action)

    def __str__(self) -> str:
        if self.node == ROOT:
            return "before the draw of a world"
        world, *actions = self.history()
        return " ".join([f"world {world}:", *map(self.exported.game.action_name, actions)])


def _after(exported: ExportedGame, history: list[int]) -> ExportedState:
    state = exported.new_initial_state()
    for action in history:
        state.apply_action(action)
    return state


class Observer:
    """What a seat observes: the game's own vector and its view as JSON, or a name for all it knows.

    ValueError for kinds of observation other than a player's own.
    """

    def __init__(self, exported: ExportedGame, kind: Any, params: Any) -> None:
        if params:
            raise ValueError(f"there are no observation parameters; got {params}")
        if not kind.public_info or kind.private_info != pyspiel.PrivateInfoType.SINGLE_PLAYER:
            raise ValueError("observations hold what is public and what the player alone sees")
        self._exported = exported
        self._game = exported.game
        self._tree = exported.tree
        self._perfect_recall = kind.perfect_recall
        self.tensor: np.ndarray | None = None
        self.dict: dict[str, np.ndarray] = {}
        if not self._perfect_recall:
            self.tensor = np.zeros(self._game.observation.width, np.float32)
            self.dict = self._game.split(self.tensor)

    def __reduce__(self) -> tuple[Any, ...]:
        return _observer, (self._exported, self._perfect_recall), self.tensor

    def __setstate__(self, tensor: np.ndarray) -> None:
        assert self.tensor is not None
        self.tensor[:] = tensor  # in place: ``dict`` holds parts of it

    def set_from(self, state: ExportedState, player: int) -> None:
        if self.tensor is None:
            return
        self.tensor[:] = 0
        if state.node != ROOT:
            values, _ = encoded(self._game, self._views(state, player), np.array([player]))
            self.tensor[:] = values[0]

    def string_from(self, state: ExportedState, player: int) -> str:
        if state.node == ROOT:
            return ""
        if self._perfect_recall:
            return self._tree.knows[player][state.node]
        return dumps(self._game, self._views(state, player)[0], player)

    def _views(self, state: ExportedState, player: int) -> np.ndarray:
        return views_of(self._game, self._tree.tables[state.node : state.node + 1], player)


def _observer(exported: ExportedGame, perfect_recall: bool) -> Observer:
    return exported.make_py_observer(pyspiel.IIGObservationType(perfect_recall=perfect_recall))


def export(
    game: Game,
    tables: Sequence[np.void] | np.ndarray,
    weights: Sequence[float] | np.ndarray | None = None,
    most: int = MOST_NODES,
) -> ExportedGame:
    """An OpenSpiel game that starts at one of some tables and ends with the hand.

    Args:
        tables: the worlds, records of ``game.state`` in play; see ``worlds``.
        weights: how likely each is, in any scale; by default all equally.
        most: nodes that may be laid out; each takes a table and about a kilobyte.

    ValueError for tables whose hand has ended or whose rules differ, for weights that are not above
    0, for more nodes than ``most``, and if play draws random numbers.
    """
    records = in_play(game, tables)
    shares = np.ones(len(records)) if weights is None else np.asarray(weights, np.float64)
    if shares.shape != records.shape or not (shares > 0).all():
        raise ValueError(f"weights: expected a number above 0 for each of {len(records)} worlds")
    chances = list(enumerate((shares / shares.sum()).tolist()))
    return ExportedGame(game, grow(game, records, most), chances)


# --- Agents as policies --------------------------------------------------------------------------


class AgentPolicy(Policy):
    """How often an agent chose each action, by what the seat to act knows; see ``policy``."""

    def __init__(self, exported: ExportedGame, agent: Agent, calls: int) -> None:
        super().__init__(exported, list(range(exported.num_players())))
        game, tree, turn = exported.game, exported.tree, exported.turn
        first = {
            tree.knows[turn[node]][node]: node
            for node, onward in enumerate(tree.children)
            if onward
        }
        tables = tree.tables[list(first.values())]
        views = views_of(game, tables, tables["turn"])
        rows = np.arange(len(tables))
        masks = np.zeros((len(tables), game.actions.width), np.int8)
        masks[legal_moves(game, tables)] = 1
        chosen = np.zeros(masks.shape)
        for _ in range(calls):
            actions = np.asarray(agent.act(views.copy(), masks.copy()), np.int64)
            if (bad := find_illegal(masks, rows, actions)) >= 0:
                raise illegal_action(game, int(actions[bad]), masks[bad], "for the agent to choose")
            chosen[rows, actions] += 1
        self._chances = {
            known: {action: chosen[row, action] / calls for action in tree.children[node]}
            for row, (known, node) in enumerate(first.items())
        }

    def action_probabilities(self, state: Any, player_id: int | None = None) -> dict[int, float]:
        player = state.current_player() if player_id is None else player_id
        return self._chances[state.information_state_string(player)]


def policy(
    exported: ExportedGame, agent: str | Agent, calls: int = 1, seed: int = 0
) -> AgentPolicy:
    """An agent as an OpenSpiel policy for all seats.

    Args:
        agent: an agent or its name (``load_agent``, with ``seed``).
        calls: how often it is asked at each view: 1 is exact for an agent that does not draw lots;
            for one that does, its chances are estimated from so many answers.

    ValueError for calls below 1 or an agent there is not, IllegalAction if it chooses one.
    """
    if calls < 1:
        raise ValueError(f"calls={calls}: at least 1")
    return AgentPolicy(exported, load_agent(agent, exported.game, seed), calls)
