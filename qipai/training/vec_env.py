"""``SelfPlayVecEnv``: many tables as one stable-baselines3 environment, one learner at each."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from time import perf_counter
from typing import Any

import numpy as np
from gymnasium import spaces
from stable_baselines3.common.vec_env import VecEnv

from qipai.agents.agent import Agent
from qipai.envs.game import Game
from qipai.envs.kernel import kernel
from qipai.envs.match import PLAYING
from qipai.envs.tables import Tables

# Picks actions (k,) for the seats to act on the tables named by ``where`` (k,).
Player = Callable[[Tables, np.ndarray], np.ndarray]


def player(agent: Agent) -> Player:
    """An agent as a player: it gets the views of the tables it is asked for."""
    return lambda tables, where: agent.act(tables.views(where), tables.action_mask[where])


@kernel
def find_forced(masks, where, forced):
    """Set ``forced[i]`` for tables i in ``where``: the only legal action; −1: there is a choice."""
    for i in where:
        forced[i] = -1
        for a in range(masks.shape[1]):
            if masks[i, a] != 0:
                if forced[i] >= 0:
                    forced[i] = -1
                    break
                forced[i] = a


class SelfPlayVecEnv(VecEnv):
    """``n`` tables; at each one seat is the learner's, the ``opponents`` play the others.

    A step plays the learner's actions and then everybody's up to the learner's next choice; a seat
    with a single legal action isn't asked. The opponents of all waiting tables act in one call a
    round. The learner moves on one seat at each new match.

    The reward is what the learner has won since its last choice, each coin in the unit
    (``Game.unit``) of its table when it was played for, times ``reward_scale``. What it wins or
    loses before its first choice of a match is no reward.

    Attributes:
        opponents: the players; for each match one of them is drawn to play all other seats.
        learner: int8 (n,), the learner's seat at each table.
        tables: the tables.
        seconds: time spent in the engine and in the opponents' choices.
    """

    def __init__(
        self,
        game: Game,
        n: int,
        seed: int | None = None,
        *,
        opponents: Sequence[Player] = (),
        reward_scale: float = 1.0,
        threads: int = 1,
        preset: str | None = None,
        **options: Any,
    ) -> None:
        """ValueError for bad sizes, OptionError for bad options."""
        self.render_mode = None
        self.tables = Tables(game, n, seed, threads=threads, preset=preset, **options)
        self.reward_scale = reward_scale
        self.opponents: list[Player] = list(opponents)
        self.learner = np.zeros(n, np.int8)
        self.seconds = {"engine": 0.0, "opponents": 0.0}
        self._all = np.arange(n)
        self._opponent = np.zeros(n, np.int64)  # who plays the other seats of this match
        self._forced = np.zeros(n, np.int64)
        self._chose = np.zeros(n, np.bool_)  # the learner has had a choice in this match
        self._won = np.zeros(n)  # units since its last choice
        self._dones = np.zeros(n, np.bool_)
        self._returns = np.zeros(n)
        self._lengths = np.zeros(n, np.int64)
        width = game.observation.width
        super().__init__(
            n,
            spaces.Box(-np.inf, np.inf, (width,), np.float32),
            spaces.Discrete(game.actions.width),
        )
        if seed is not None:
            self.seed(seed)

    def reset(self) -> np.ndarray:
        """New matches, played up to the learner's first choice; observations float32 (n, width)."""
        if not self.opponents:
            raise ValueError("opponents is empty: nobody plays the other seats")
        seed = self._seeds[0]
        self.tables.reset(seed)
        self._rng = np.random.default_rng(seed)
        self._reset_seeds()
        self.learner[:] = self._all % self.tables.seats
        self._seat_opponents(self._all)
        find_forced(self.tables.action_mask, self._all, self._forced)
        self._chose[:] = False
        self._play_on()
        self._returns[:] = 0
        self._lengths[:] = 0
        return self.tables.observation.copy()

    def step_async(self, actions: np.ndarray) -> None:
        self._actions = np.asarray(actions)

    def step_wait(self) -> tuple[np.ndarray, np.ndarray, np.ndarray, list[dict[str, Any]]]:
        """Observations (n, width), rewards float32 (n,), dones bool (n,), infos.

        Where a match has ended, the observation is the next one's first and the info has
        ``terminal_observation`` (what the learner saw at its last choice: the table has been dealt
        anew already) and ``episode`` (r: reward, l: choices). A match cut off by a limit of its
        rules is settled as well, so nothing is left to be estimated beyond any end.
        """
        seen = self.tables.observation.copy()
        self._won[:] = 0
        self._dones[:] = False
        self._chose[:] = True
        self._play(self._all, self._actions)
        self._play_on()
        rewards = (self._won * self.reward_scale).astype(np.float32)
        self._returns += rewards
        self._lengths += 1
        infos: list[dict[str, Any]] = [{} for _ in self._all]
        for i in np.flatnonzero(self._dones):
            infos[i] = {
                "terminal_observation": seen[i],
                "episode": {"r": float(self._returns[i]), "l": int(self._lengths[i])},
            }
        self._returns[self._dones] = 0
        self._lengths[self._dones] = 0
        return self.tables.observation.copy(), rewards, self._dones.copy(), infos

    def action_masks(self) -> np.ndarray:
        """Int8 (n, actions): the learner's legal actions."""
        return self.tables.action_mask

    def _play_on(self) -> None:
        """Play until every table waits for a choice of its learner."""
        while True:
            others = self.tables.turn != self.learner
            waiting = np.flatnonzero(others | (self._forced >= 0))
            if len(waiting) == 0:
                return
            actions = self._forced[waiting]
            asked = np.flatnonzero(actions < 0)
            actions[asked] = self._choose(waiting[asked])
            self._play(waiting, actions)

    def _choose(self, where: np.ndarray) -> np.ndarray:
        """The opponents' actions on these tables, one call for each opponent."""
        started = perf_counter()
        actions = np.empty(len(where), np.int64)
        opponents = self._opponent[where]
        for number, opponent in enumerate(self.opponents):
            own = np.flatnonzero(opponents == number)
            if len(own):
                actions[own] = opponent(self.tables, where[own])
        self.seconds["opponents"] += perf_counter() - started
        return actions

    def _play(self, where: np.ndarray, actions: np.ndarray) -> None:
        """Step these tables; collect the learners' coins, note the ends."""
        started = perf_counter()
        counting = where[self._chose[where]]
        units = self.tables.game.unit(self.tables.state)[counting]  # a step may deal a new hand
        self.tables.step(actions, where)
        find_forced(self.tables.action_mask, where, self._forced)
        self.seconds["engine"] += perf_counter() - started
        coins = self.tables.reward[counting, self.learner[counting]]
        self._won[counting] += coins / units
        ended = where[self.tables.over[where] != PLAYING]
        if len(ended) == 0:
            return
        noticed = ended[self._chose[ended]]
        self._dones[noticed] = True
        self._chose[ended] = False
        self.learner[ended] = (self.learner[ended] + 1) % self.tables.seats
        self._seat_opponents(ended)

    def _seat_opponents(self, where: np.ndarray) -> None:
        self._opponent[where] = self._rng.integers(len(self.opponents), size=len(where))

    def close(self) -> None:
        """Nothing to let go of."""

    def get_attr(self, attr_name: str, indices: Any = None) -> list[Any]:
        return [getattr(self, attr_name)] * len(self._chosen(indices))

    def set_attr(self, attr_name: str, value: Any, indices: Any = None) -> None:
        raise AttributeError(f"{attr_name}: the tables of a SelfPlayVecEnv have no own attributes")

    def env_method(
        self, method_name: str, *method_args: Any, indices: Any = None, **method_kwargs: Any
    ) -> list[Any]:
        """Only ``action_masks``, which sb3-contrib asks for table by table."""
        if method_name != "action_masks":
            raise AttributeError(f"a SelfPlayVecEnv has no method {method_name!r} for each table")
        return list(self.action_masks()[self._chosen(indices)])

    def env_is_wrapped(self, wrapper_class: type, indices: Any = None) -> list[bool]:
        return [False] * len(self._chosen(indices))

    def _chosen(self, indices: int | Iterable[int] | None) -> np.ndarray:
        return self._all if indices is None else np.atleast_1d(np.asarray(indices))
