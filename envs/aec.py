"""``TableEnv``: one table as a PettingZoo AEC environment."""

from __future__ import annotations

import hashlib
import json
import operator
from typing import Any

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv

from qipai.envs.checking import check, rules_of
from qipai.envs.game import Game
from qipai.envs.kernel import addressable
from qipai.envs.match import CUT_OFF, ENDED, PLAYING, encoded, engine
from qipai.envs.rng import entropy
from qipai.envs.scene import Scene
from qipai.envs.tables import illegal_action

RENDER_MODES = ("ansi", "rgb_array", "human")
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
_TABLE = np.zeros(1, np.int64)  # the one table's number, for the loops over tables


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
        if render_mode is not None and render_mode not in RENDER_MODES:
            raise ValueError(f"render_mode={render_mode!r}: one of {', '.join(RENDER_MODES)}")
        if illegal not in ("raise", "forfeit"):
            raise ValueError(f"illegal={illegal!r}: 'raise' or 'forfeit'")
        super().__init__()
        self.game = game
        self.rules = game.options(preset, **options)
        self.render_mode = render_mode
        self.illegal = illegal
        self.spectator = spectator
        self.metadata = {
            "name": game.id,
            "render_modes": list(RENDER_MODES),
            "is_parallelizable": False,
            "render_fps": 1,
        }
        self.seats: int = self.rules["seats"]
        self.possible_agents = [f"player_{seat}" for seat in range(self.seats)]
        self._seat_of = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        width, actions = game.observation.width, game.actions.width
        self._observation_space = spaces.Dict(
            {
                "observation": spaces.Box(-np.inf, np.inf, (width,), np.float32),
                "observation_mask": spaces.Box(0, 1, (width,), np.bool_),
                "action_mask": spaces.Box(0, 1, (actions,), np.int8),
            }
        )
        self.observation_spaces = dict.fromkeys(self.possible_agents, self._observation_space)
        self.action_spaces = {agent: spaces.Discrete(actions) for agent in self.possible_agents}
        self.state_space = spaces.Box(-np.inf, np.inf, (width,), np.float32)

        self.agents: list[str] = []
        self._engine = engine(game)
        self._blank = addressable(game.blank(self.rules))
        self._table = addressable(np.zeros(1, game.state))
        self._scratch = addressable(np.zeros(1, game.state))
        self._seeded = False
        self._purse = np.zeros((1, self.seats + 1), np.int64)
        self._mask = np.zeros((1, actions), np.int8)

    # --- The AEC interface ---------------------------------------------------------------------

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Start a new match; without a seed the table's own random stream goes on.

        ``options`` is unused: the rules are those given to ``make``.
        """
        if seed is not None or not self._seeded:
            self._engine.seed_tables(self._table, _TABLE, entropy(seed), _TABLE)
            self._seeded = True
        self._open_books()
        self._engine.start_tables(self._table, _TABLE, self._blank)
        self._open_hand()
        self._deal_on()

    def step(self, action: int | None) -> None:
        """Play one action of the agent to act, and all that follows without a decision.

        Raises IllegalAction (a ValueError) and changes nothing if it is illegal; with
        ``illegal="forfeit"`` the agent leaves the table instead.
        """
        self._need_match()
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        try:
            number = operator.index(-1 if action is None else action)
        except TypeError:
            raise ValueError(f"action {action!r} is no action id: ids are integers") from None
        if not 0 <= number < self._mask.shape[1] or not self._mask[0, number]:
            if self.illegal == "forfeit":
                self.leave(agent)
                return
            raise illegal_action(self.game, number, self._mask[0], f"for {agent}")
        self._cumulative_rewards[agent] = 0
        self._purse[:] = 0
        self._engine.play_tables(self._table, _TABLE, np.array([number], np.int64), self._purse)
        self._deal_on()
        if self.render_mode == "human":
            self.render()

    def observe(self, agent: str) -> dict[str, np.ndarray]:
        """What ``agent`` may see now, freshly allocated."""
        self._need_match()
        seat = self._seat(agent)
        seats = np.array([seat], np.int64)
        self._engine.view_tables(self._table, _TABLE, seats, self._scratch)
        values, visible = encoded(self.game, self._scratch, seats)
        return {
            "observation": values[0],
            "observation_mask": visible[0],
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
        return self._observation_space

    def action_space(self, agent: str) -> spaces.Discrete:
        space: spaces.Discrete = self.action_spaces[agent]
        return space

    def render(self) -> str | np.ndarray | None:
        """Draw what the seat to act (a spectator: everybody) may see, in the ``render_mode``."""
        self._need_match()
        return self.render_for(None if self.spectator else self.agent_selection)

    def render_for(self, agent: str | None) -> str | np.ndarray | None:
        """Draw what ``agent`` (None: a spectator) may see, in the ``render_mode``."""
        from qipai.envs import render

        self._need_match()
        scene = self.scene(agent)
        if self.render_mode == "ansi":
            return render.text(scene)
        if self.render_mode == "rgb_array":
            return render.picture(scene)
        if self.render_mode == "human":
            render.show(scene)
            return None
        raise ValueError(f"make the environment with render_mode={' or '.join(RENDER_MODES)}")

    def close(self) -> None:
        """Nothing is held open."""

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

    def leave(self, agent: str) -> None:
        """``agent`` leaves the table (逃跑), in or out of turn, by the game's own rule."""
        self._need_match()
        seat = self._seat(agent)
        if self._table["over"][0] != PLAYING:
            raise ValueError(f"{agent} cannot leave: the match is over")
        if self._table["away"][0, seat]:
            raise ValueError(f"{agent} has left already")
        self._cumulative_rewards[self.agent_selection] = 0
        self._purse[:] = 0
        self._engine.depart_tables(self._table, _TABLE, np.array([seat], np.int64), self._purse)
        self._deal_on()

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
        """An independent copy with an equal future."""
        twin = self.__class__.__new__(self.__class__)
        twin.__setstate__(self.__getstate__())
        return twin

    def save(self) -> bytes:
        """The match as bytes for ``load``, at any moment after ``reset``."""
        self._need_match()
        books = {name: getattr(self, attribute) for name, attribute in _BOOKS.items()}
        books |= {"game": self.game.name, "version": self.game.version}
        saved = json.dumps(books).encode() + b"\n" + self._table.tobytes()
        return hashlib.sha256(saved).hexdigest().encode() + b"\n" + saved

    def load(self, saved: bytes) -> None:
        """Continue a match from ``save``'s bytes, under the rules it was saved with.

        ValueError if they are of another game or version, damaged, or hold a table that can't be;
        nothing changes then.
        """
        if not isinstance(saved, bytes):
            raise ValueError(f"a saved match is bytes, not {type(saved).__name__}")
        digest, _, content = saved.partition(b"\n")
        if hashlib.sha256(content).hexdigest().encode() != digest:
            raise ValueError("these bytes are no saved match, or damaged")
        head, _, body = content.partition(b"\n")
        books = json.loads(head)
        origin = (books["game"], books["version"])
        if origin != (self.game.name, self.game.version):
            raise ValueError(
                f"the match is of {origin[0]} version {origin[1]}, "
                f"not {self.game.name} version {self.game.version}"
            )
        table = np.frombuffer(body, self.game.state)
        self._take(table, self._checked(table, "the saved match"))
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
            self.load(state["saved"])

    # --- Inside --------------------------------------------------------------------------------

    def _need_match(self) -> None:
        if not self._seeded:
            raise ValueError("there is no match yet: call reset first")

    def last(self, observe: bool = True) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Observation (None unless ``observe``), reward since its last action, termination,
        truncation and infos of the agent to act."""
        self._need_match()
        return super().last(observe)

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
        self._purse[:] = 0

    def _seat(self, agent: str) -> int:
        try:
            return self._seat_of[agent]
        except KeyError:
            raise ValueError(
                f"there is no agent {agent!r}; agents: {', '.join(self.possible_agents)}"
            ) from None

    def _note_stacks(self) -> None:
        """Keep what each seat has at the start of a hand."""
        self._stacks = [int(coins) for coins in self._table["stack"][0, : self.seats]]

    def _open_hand(self) -> None:
        self._note_stacks()
        self._engine.open_tables(self._table, _TABLE, self._blank, self._purse)

    def _deal_on(self) -> None:
        """Book the coins of this step, hand by hand, up to the next decision."""
        table = self._table
        settled = []
        while table["ended"][0]:
            settled.append(self.hand_report())
            if table["over"][0] != PLAYING:
                break
            self._open_hand()
        for seat, agent in enumerate(self.possible_agents):
            self.rewards[agent] = coins = int(self._purse[0, seat])
            self._cumulative_rewards[agent] += coins
            self.infos[agent] = {"settled": settled} if settled else {}
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
