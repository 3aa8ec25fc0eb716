"""``TableEnv``: one table as a PettingZoo AEC environment."""

from __future__ import annotations

import copy
import functools
import hashlib
import json
import pickle
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv

from qipai.envs.arguments import whole_number
from qipai.envs.checking import check, rules_of
from qipai.envs.drawing import render
from qipai.envs.game import Game
from qipai.envs.kernel import addressable
from qipai.envs.match import CUT_OFF, ENDED, PLAYING, encoded, encoding_room, engine
from qipai.envs.rng import entropy
from qipai.envs.scene import Scene
from qipai.envs.tables import illegal_action

# What is saved beside the table, and where it is kept.
_BOOKS = {
    "agents": "agents",
    "agent_selection": "agent_selection",
    "skip_agent_selection": "_skip_agent_selection",
    "rewards": "rewards",
    "cumulative_rewards": "_cumulative_rewards",
    "terminations": "terminations",
    "truncations": "truncations",
    "infos": "infos",
    "stacks": "_stacks",
}
_NOBODY_TOLD = ("", 0)
_TABLE = np.zeros(1, np.int64)  # the one table's number, for the loops over tables


_Test = Callable[[Any], bool]


class TableEnv(AECEnv):
    """One table of a game, for agents ``player_0``, ``player_1``, … in playing order.

    An observation is a dict of ``observation`` float32 (width,), ``observation_mask`` bool
    (width,), False where the entry is hidden from the agent, and ``action_mask`` int8 (actions,),
    all 0 when it is not the agent's turn. Rewards are the coins settled by a step. At a hand's end
    ``infos[agent]["settled"]`` lists what was settled and why, hand by hand.

    An agent that left stays in ``agents`` (it may still win or lose coins in that hand) but is
    never selected again.
    """

    def __init__(
        self,
        game: Game,
        *,
        preset: str | None = None,
        render_mode: str | None = None,
        illegal: str = "raise",
        spectator: bool = False,
        **options: Any,
    ) -> None:
        """OptionError for bad options, ValueError for the other arguments."""
        if not isinstance(illegal, str) or illegal not in ("raise", "forfeit"):
            raise ValueError(f"illegal={illegal!r}: 'raise' or 'forfeit'")
        if not isinstance(spectator, bool):
            raise ValueError(f"spectator={spectator!r}: True or False")
        super().__init__()
        self.game = game
        self.rules = game.options(preset, **options)
        render.prepare(render_mode)
        self.render_mode = render_mode
        self.illegal = illegal
        self.spectator = spectator
        self.metadata = {
            "name": game.id,
            "render_modes": list(render.MODES),
            "is_parallelizable": False,
            "render_fps": 1,
        }
        self.seats: int = self.rules["seats"]
        self.possible_agents = [f"player_{seat}" for seat in range(self.seats)]
        self._seat_of = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self.agents: list[str] = []
        self._engine = engine(game)
        self._blank = addressable(game.blank(self.rules))
        self._table = addressable(np.zeros(1, game.state))
        self._scratch = addressable(np.zeros(1, game.state))
        self._seeded = False
        self._purse = np.zeros((1, self.seats + 1), np.int64)
        self._mask = np.zeros((1, game.actions.width), np.int8)
        self._told: tuple[str, Any] = _NOBODY_TOLD  # by ``last``, and has not acted since

    # --- The AEC interface ---------------------------------------------------------------------

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Start a new match; without a seed the table's own random stream goes on.

        ``options`` is unused: the rules are those given to ``make``, or of the table placed or
        loaded since. ValueError for a bad seed.
        """
        if seed is not None or not self._seeded:
            self._engine.seed_tables(self._table, _TABLE, entropy(seed), _TABLE)
            self._seeded = True
        self._open_books()
        self._engine.start_tables(self._table, _TABLE, self._blank)
        self._begin_hand()
        self._deal_on()
        self._show()

    def step(self, action: int | None) -> None:
        """Play one action of the agent to act, and all that follows without a decision.

        Raises IllegalAction (a ValueError) and changes nothing if it is illegal; with
        ``illegal="forfeit"`` the agent leaves the table instead. None is for an agent whose match
        is over. ValueError for what is no action id at all.
        """
        self._need_agents()
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        if action is not None:
            action = whole_number("action", action, "that is no action id, ids are integers")
        if action is None or not 0 <= action < self._mask.shape[1] or not self._mask[0, action]:
            if self.illegal == "forfeit":
                self._told = (agent, self._cumulative_rewards[agent])
                self.leave(agent)
                return
            raise illegal_action(self.game, action, self._mask[0], f"for {agent}")
        self._cumulative_rewards[agent] = 0
        self._told = _NOBODY_TOLD
        self._purse[:] = 0
        self._engine.play_tables(self._table, _TABLE, np.array([action], np.int64), self._purse)
        self._deal_on()
        self._show()

    def last(self, observe: bool = True) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Observation (None unless ``observe``), reward since its last action, termination,
        truncation and infos of the agent to act."""
        self._need_agents()
        answer = super().last(observe)
        self._told = (self.agent_selection, answer[1])
        return answer

    def agent_iter(self, max_iter: int = 2**63) -> Iterable[str]:
        """The agent to act, again and again, until all have been told that the match is over."""
        self._need_match()
        return super().agent_iter(max_iter)

    def observe(self, agent: str) -> dict[str, np.ndarray]:
        """What ``agent`` may see now, freshly allocated."""
        self._need_match()
        seat = self._seat(agent)
        seats = np.array([seat], np.int64)
        self._engine.view_tables(self._table, _TABLE, seats, self._scratch)
        self._engine.encode_views(self._scratch, seats, *self._room)
        values, visible, *_ = self._room
        return {
            "observation": values[0].copy(),
            "observation_mask": visible[0].copy(),
            "action_mask": self._mask[0].copy()
            if agent == self._to_act
            else np.zeros(self._mask.shape[1], np.int8),
        }

    def state(self) -> np.ndarray:
        """Everything, hidden or not, from player_0's side: float32 (width,)."""
        self._need_match()
        values, _ = encoded(self.game, self._table, _TABLE)
        return values[0]

    def observation_space(self, agent: str) -> spaces.Dict:
        self._seat(agent)
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Discrete:
        self._seat(agent)
        return self.action_spaces[agent]

    @functools.cached_property
    def _room(self) -> tuple[np.ndarray, ...]:
        return encoding_room(self.game, 1)

    @functools.cached_property
    def observation_spaces(self) -> dict[str, spaces.Dict]:
        width, actions = self.game.observation.width, self.game.actions.width
        space = spaces.Dict(
            {
                "observation": spaces.Box(-np.inf, np.inf, (width,), np.float32),
                "observation_mask": spaces.Box(0, 1, (width,), np.bool_),
                "action_mask": spaces.Box(0, 1, (actions,), np.int8),
            }
        )
        return dict.fromkeys(self.possible_agents, space)

    @functools.cached_property
    def action_spaces(self) -> dict[str, spaces.Discrete]:
        actions = self.game.actions.width
        return {agent: spaces.Discrete(actions) for agent in self.possible_agents}

    @functools.cached_property
    def state_space(self) -> spaces.Box:
        return spaces.Box(-np.inf, np.inf, (self.game.observation.width,), np.float32)

    def render(self) -> str | np.ndarray | None:
        """Draw what the seat to act (a spectator: everybody) may see, in the ``render_mode``.

        With ``"human"`` that happens by itself whenever the table has changed: the window shows
        the hidden cards of whoever is to act next. It suits somebody who plays or watches all
        seats. For a person with one seat there is ``make_solo``, which draws that seat alone.
        """
        self._need_match()
        return self.render_for(None if self.spectator else self.agent_selection)

    def render_for(self, agent: str | None) -> str | np.ndarray | None:
        """Draw what ``agent`` (None: a spectator) may see, in the ``render_mode``."""
        return render.draw(self.scene(agent), self.render_mode)

    def close(self) -> None:
        """Close the window that ``"human"`` draws in; nothing else is held open."""
        if self.render_mode == "human":
            render.close()

    # --- Beyond the AEC interface --------------------------------------------------------------

    def view(self, agent: str) -> np.void:
        """A copy of the table as ``agent`` may see it: one record of ``game.state``."""
        self._need_match()
        seats = np.array([self._seat(agent)], np.int64)
        view = addressable(np.zeros(1, self.game.state))
        self._engine.view_tables(self._table, _TABLE, seats, view)
        return view[0]

    def scene(self, agent: str | None = None) -> Scene:
        """What there is to look at for ``agent``; None: for a spectator who sees everything."""
        self._need_match()
        if agent is None:
            return self.game.scene(self._table[0].copy(), None)
        return self.game.scene(self.view(agent), self._seat(agent))

    def table(self) -> np.void:
        """A copy of the full table, one record of ``game.state``, for ``place`` and for analysis.

        It holds all hidden cards and the generator, which tells all later ones: show it to no
        agent; what one may see is in ``view``.
        """
        self._need_match()
        return self._table[0].copy()

    def leave(self, agent: str) -> None:
        """``agent`` leaves the table (逃跑), in or out of turn, by the game's own rule."""
        self._need_match()
        seat = self._seat(agent)
        if self._table["over"][0] != PLAYING:
            raise ValueError(f"{agent} cannot leave: the match is over")
        if self._table["away"][0, seat]:
            raise ValueError(f"{agent} has left already")
        if self._told[0] == agent:  # what ``last`` has told is not told again
            self._cumulative_rewards[agent] -= self._told[1]
            self._told = _NOBODY_TOLD
        self._purse[:] = 0
        self._engine.depart_tables(self._table, _TABLE, np.array([seat], np.int64), self._purse)
        self._deal_on()
        self._show()

    def default_action(self) -> int:
        """The action the house plays for the seat to act if it does not answer."""
        self._need_match()
        if self._table["over"][0] != PLAYING:
            raise ValueError("nobody is to act: the match is over")
        actions = np.zeros(1, np.int64)
        self._engine.default_tables(self._table, _TABLE, actions)
        return int(actions[0])

    def hand_report(self) -> dict[str, Any]:
        """What was settled and why in the hand that has just ended.

        Called once a hand before the next deal covers the table: override it to look.
        """
        table = self._table[0]
        coins = [int(now) - was for now, was in zip(table["stack"], self._stacks, strict=False)]
        return {
            "hand": int(table["hand"]),
            "coins": coins,
            "house": -sum(coins),
            **self.game.report(table),
        }

    def clone(self) -> TableEnv:
        """An independent copy with an equal future, in some microseconds; ``copy.deepcopy`` too.

        Its spaces are new ones. It knows all that the table knows, hidden cards and later deals: a
        search that must not looks at ``view`` instead.
        """
        return copy.deepcopy(self)

    def __deepcopy__(self, memo: dict[int, Any]) -> TableEnv:
        memo[id(self)] = twin = self.__class__.__new__(self.__class__)
        for name, value in vars(self).items():
            if name in _COPIED:
                twin.__dict__[name] = _COPIED[name](value)
            elif name not in _MADE_ANEW:
                twin.__dict__[name] = copy.deepcopy(value, memo)
        return twin

    def save(self) -> bytes:
        """The match as bytes for ``load``, at any moment after ``reset``.

        They hold all hidden cards and the generator, which tells all later ones: give them to
        nobody who plays.
        """
        self._need_match()
        books = {name: getattr(self, attribute) for name, attribute in _BOOKS.items()}
        books |= {"game": self.game.name, "version": self.game.version}
        saved = json.dumps(books).encode() + b"\n" + self._table.tobytes()
        return hashlib.sha256(saved).hexdigest().encode() + b"\n" + saved

    def load(self, saved: bytes) -> None:
        """Continue a match from ``save``'s bytes, under the rules it was saved with.

        ValueError if they are of another game or version, damaged, or hold a table or accounts
        that can't be; nothing changes then.
        """
        self._resume(saved)
        self._show()

    def _resume(self, saved: bytes) -> None:
        if not isinstance(saved, bytes):
            raise ValueError(f"a saved match is bytes, not {type(saved).__name__}")
        digest, _, content = saved.partition(b"\n")
        if hashlib.sha256(content).hexdigest().encode() != digest:
            raise ValueError("these bytes are no saved match, or damaged")
        head, _, body = content.partition(b"\n")
        books = _read_books(head)
        origin = (books["game"], books["version"])
        if origin != (self.game.name, self.game.version) or type(origin[1]) is not int:
            raise ValueError(
                f"the match is of {origin[0]} version {origin[1]}, "
                f"not {self.game.name} version {self.game.version}"
            )
        if len(body) != self.game.state.itemsize:
            raise ValueError(
                f"the saved table has {len(body)} bytes, expected {self.game.state.itemsize}"
            )
        table = np.frombuffer(body, self.game.state)
        rules = self._checked(table, "the saved match")
        for name, right in self._expected(books, table).items():
            if not right(books[name]):
                raise ValueError(f"the saved match can't be: {name} is {books[name]!r}")
        self._take(table, rules)
        self._told = _NOBODY_TOLD
        for name, attribute in _BOOKS.items():
            setattr(self, attribute, books[name])
        self._look()
        self.agent_selection = books["agent_selection"]

    def place(self, table: np.ndarray) -> None:
        """Begin from a table set up by hand, such as ``xiangqi.position(fen)``, by its own rules.

        Args:
            table: one record of ``game.state``, or an array of one, with somebody to act.

        ValueError if it is of another game, has other seats, or is over; nothing changes then.
        """
        record = np.asarray(table)
        if record.dtype != self.game.state or record.size != 1:
            raise ValueError(f"the table is no single record of {self.game.name}'s state")
        record = record.reshape(1)
        if record["over"][0] != PLAYING or record["ended"][0]:
            raise ValueError("the table's hand has ended: nobody is to act")
        rules = self._checked(record, "the table")
        mask = np.zeros_like(self._mask)
        self._engine.mask_tables(addressable(record.copy()), _TABLE, mask)
        if not mask.any():
            raise ValueError("the table offers no legal action: its hand is over")
        self._take(record, rules)
        self._open_books()
        self._note_stacks()
        self._look()
        self._show()

    def __getstate__(self) -> dict[str, Any]:
        return {
            "name": self.game.name,
            "arguments": {
                "render_mode": self.render_mode,
                "illegal": self.illegal,
                "spectator": self.spectator,
                **self.rules,
            },
            "saved": self.save() if self._seeded else None,
        }

    def __setstate__(self, state: dict[str, Any]) -> None:
        from qipai.envs import load_game

        TableEnv.__init__(self, load_game(state["name"]), **state["arguments"])
        if state["saved"] is not None:
            self._resume(state["saved"])

    # --- Inside --------------------------------------------------------------------------------

    def _need_match(self) -> None:
        if not self._seeded:
            raise ValueError("there is no match yet: call reset first")

    def _need_agents(self) -> None:
        self._need_match()
        if not self.agents:
            raise ValueError("the match is over and all agents are gone: call reset")

    def _show(self) -> None:
        """Show the table that has just changed, if there is a window for it."""
        if self.render_mode == "human":
            self.render()

    def _expected(self, books: dict[str, Any], table: np.ndarray) -> dict[str, _Test]:
        """Whether what was saved beside a table (1,) goes with it: a test for each entry."""
        over = int(table["over"][0])
        agents = [agent for agent in self.possible_agents if agent in _row(books["agents"])]
        if over == PLAYING:
            agents = self.possible_agents
        to_act = [self.possible_agents[int(table["turn"][0])]]

        def by_agent(right: _Test) -> _Test:
            return lambda values: (
                isinstance(values, dict)
                and list(values) == agents
                and all(map(right, values.values()))
            )

        return {
            "agents": lambda names: names == agents,
            "agent_selection": (to_act if over == PLAYING else self.possible_agents).__contains__,
            "skip_agent_selection": [None, *self.possible_agents].__contains__,
            "rewards": by_agent(_is_int),
            "cumulative_rewards": by_agent(_is_int),
            "terminations": by_agent(lambda ended: ended is (over == ENDED)),
            "truncations": by_agent(lambda cut: cut is (over == CUT_OFF)),
            "infos": by_agent(lambda info: isinstance(info, dict)),
            "stacks": lambda coins: len(_row(coins)) == self.seats and all(map(_is_int, coins)),
        }

    def _checked(self, table: np.ndarray, what: str) -> dict[str, Any]:
        """The rules of a table (1,); ValueError says why it cannot be played on here."""
        try:
            check(self.game, table[0])
        except ValueError as error:
            raise ValueError(f"{what} can't be: {error}") from None
        if table["seats"][0] != self.seats:
            raise ValueError(f"{what} has {table['seats'][0]} seats, not {self.seats}")
        return rules_of(self.game, table[0])

    def _take(self, table: np.ndarray, rules: dict[str, Any]) -> None:
        """Put a table (1,) and its rules in place."""
        self.rules = rules
        self._blank = addressable(self.game.blank(rules))
        self._table[:] = table
        self._seeded = True

    def _open_books(self) -> None:
        """The accounts of a new match."""
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._skip_agent_selection = None
        self._told = _NOBODY_TOLD
        self._purse[:] = 0

    def _seat(self, agent: str) -> int:
        try:
            return self._seat_of[agent]
        except (KeyError, TypeError):
            raise ValueError(
                f"there is no agent {agent!r}; agents: {', '.join(self.possible_agents)}"
            ) from None

    def _note_stacks(self) -> None:
        """Keep what each seat has at the start of a hand."""
        self._stacks = [int(coins) for coins in self._table["stack"][0, : self.seats]]

    def _begin_hand(self) -> None:
        self._note_stacks()
        self._engine.deal_tables(self._table, _TABLE, self._blank, self._purse)

    def _deal_on(self) -> None:
        """Book the coins of this step, hand by hand, up to the next decision."""
        table = self._table
        settled = []
        while table["ended"][0]:
            settled.append(self.hand_report())
            if table["over"][0] != PLAYING:
                break
            self._begin_hand()
        for seat, agent in enumerate(self.possible_agents):
            self.rewards[agent] = coins = int(self._purse[0, seat])
            self._cumulative_rewards[agent] += coins
            self.infos[agent] = {"settled": _copied(settled)} if settled else {}
        self._look()

    def _look(self) -> None:
        """Bring masks, the agent to act and the end of the match up to date with the table."""
        self._engine.mask_tables(self._table, _TABLE, self._mask)
        over = int(self._table["over"][0])
        self.agent_selection = self.possible_agents[int(self._table["turn"][0])]
        self._to_act = self.agent_selection if over == PLAYING else None
        if over != PLAYING:
            self.terminations = dict.fromkeys(self.agents, over == ENDED)
            self.truncations = dict.fromkeys(self.agents, over == CUT_OFF)


def _read_books(head: bytes) -> dict[str, Any]:
    """What was saved beside a table; ValueError if that is not there in full."""
    try:
        books = json.loads(head)
    except (RecursionError, ValueError):
        books = None
    if not isinstance(books, dict) or set(books) != {*_BOOKS, "game", "version"}:
        raise ValueError(f"a saved match holds game, version, {', '.join(_BOOKS)}")
    return books


def _row(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def _is_int(value: Any) -> bool:
    return type(value) is int


def _copied(report: Any) -> Any:
    """A report or infos anew, all the way down: through pickle, the quickest way."""
    return pickle.loads(pickle.dumps(report))


def _same(value: Any) -> Any:
    return value


def _bytewise(records: np.ndarray) -> np.ndarray:
    """Records copied as bytes: numpy's own copy goes field by field, thirty times as long."""
    twin = np.ndarray(records.shape, records.dtype, bytearray(records.tobytes()))
    return addressable(twin)


# How attributes are copied: shared where they are never changed in place. What is not listed, such
# as what a subclass adds, is copied by ``copy.deepcopy``.
_COPIED: dict[str, Callable[[Any], Any]] = {
    **dict.fromkeys(("game", "_engine", "seats", "possible_agents", "_seat_of", "_blank"), _same),
    **dict.fromkeys(("render_mode", "illegal", "spectator", "_seeded"), _same),
    **dict.fromkeys(("agent_selection", "_skip_agent_selection", "_to_act", "_told"), _same),
    **dict.fromkeys(("_table", "_scratch"), _bytewise),
    **dict.fromkeys(("_purse", "_mask"), np.ndarray.copy),
    **dict.fromkeys(("agents", "_stacks"), list.copy),
    **dict.fromkeys(("rules", "rewards", "_cumulative_rewards"), dict.copy),
    **dict.fromkeys(("terminations", "truncations", "metadata"), dict.copy),
    "infos": _copied,
}
_MADE_ANEW = ("_room", "observation_spaces", "action_spaces", "state_space")
