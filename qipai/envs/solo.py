"""``SoloEnv``: one seat as a Gymnasium environment, bots in the others."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import gymnasium
import numpy as np

from qipai.envs.aec import TableEnv
from qipai.envs.arguments import whole_number
from qipai.envs.drawing import render
from qipai.envs.game import Game
from qipai.envs.rng import checked_seed

if TYPE_CHECKING:
    from qipai.agents import Agent


class SoloEnv(gymnasium.Env):
    """One seat of a table; a step plays on until that seat is asked again or the match ends.

    Observations are those of ``TableEnv``; ``action_masks()`` gives the mask alone, as MaskablePPO
    asks for it. The reward is the seat's coins since its last action; those of hands that ended
    before its first one come with the first. Matches that end before it is asked are passed over.
    """

    def __init__(
        self,
        game: Game,
        *,
        opponents: str | Agent | Sequence[str | Agent] = "rule",
        seat: int | None = 0,
        preset: str | None = None,
        render_mode: str | None = None,
        illegal: str = "raise",
        **options: Any,
    ) -> None:
        """Seat an agent.

        Args:
            opponents: an agent or its spec (``"random"``, ``"rule"``, ``"model:PATH"``) for all
                other seats, or one for each of them in playing order after this seat.
            seat: the seat played here; None draws one at every reset.

        OptionError for bad options, ValueError for the other arguments.
        """
        # Its own drawing would show the seat to act, which is a bot's in between.
        self.table = TableEnv(game, preset=preset, illegal=illegal, **options)
        self.metadata = {"render_modes": list(render.MODES), "render_fps": 1}
        self.render_mode = render_mode
        self.game = game
        seats = self.table.seats
        if seat is not None:
            right = f"seats are 0…{seats - 1}, or None for a random one"
            seat = whole_number("seat", seat, right, low=0, high=seats - 1)
        if not isinstance(opponents, str | list | tuple) and not hasattr(opponents, "act"):
            right = "an agent or its name, or a list of one for each other seat"
            raise ValueError(f"opponents={opponents!r}: {right}")
        given = opponents if isinstance(opponents, list | tuple) else [opponents] * (seats - 1)
        if len(given) != seats - 1:
            raise ValueError(f"{len(given)} opponents for {seats - 1} other seats")
        self._given_seat = seat
        self._specs: list[Any] = list(given)
        self._seat_bots(0)
        render.prepare(render_mode)
        self._seeded = False
        self._early: tuple[int, list[Any]] = (0, [])  # of hands before the first decision
        self.seat = seat or 0
        self.observation_space = self.table.observation_space("player_0")
        self.action_space = self.table.action_space("player_0")

    @property
    def agent(self) -> str:
        """The name of the seat played here."""
        return self.table.possible_agents[self.seat]

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, np.ndarray], dict[str, Any]]:
        """A new match, up to this seat's first decision; ValueError for a bad seed."""
        seed = checked_seed(seed)
        super().reset(seed=seed)
        if self._given_seat is None:
            self.seat = int(self.np_random.integers(self.table.seats))
        if seed is not None or not self._seeded:
            self._seat_bots(int(self.np_random.integers(2**31)))
            self._seeded = True
        self.table.reset(seed=seed)
        self._early = self._play_others([])
        while self._over():  # a match that ended before this seat was asked
            self.table.reset()
            self._early = self._play_others([])
        self._show()
        return self._observe(), {}

    def step(self, action: int) -> tuple[dict[str, np.ndarray], float, bool, bool, dict[str, Any]]:
        """Play ``action``; IllegalAction if it is illegal."""
        if not self._seeded or self._over():
            raise ValueError("the match is over or has not begun: call reset")
        self.table.step(action)
        coins, settled = self._early
        self._early = (0, [])
        coins += self.table.rewards[self.agent]
        more, later = self._play_others(settled + self._settled())
        self._show()
        return (
            self._observe(),
            float(coins + more),
            self.table.terminations[self.agent],
            self.table.truncations[self.agent],
            {"settled": later} if later else {},
        )

    def action_masks(self) -> np.ndarray:
        """Bool (actions,): what is legal now."""
        mask: np.ndarray = self.table.observe(self.agent)["action_mask"]
        return mask.astype(np.bool_)

    def render(self) -> Any:
        """Draw what this seat may see; with ``"human"`` every ``reset`` and ``step`` does so."""
        return render.draw(self.table.scene(self.agent), self.render_mode)

    def close(self) -> None:
        """Close the window that ``"human"`` draws in; nothing else is held open."""
        if self.render_mode == "human":
            render.close()

    def _seat_bots(self, seed: int) -> None:
        """Load the opponents, with streams of their own that follow from ``seed``."""
        from qipai.agents import load_agent

        self._opponents: list[Agent] = [
            load_agent(spec, self.game, seed=seed + k) for k, spec in enumerate(self._specs)
        ]

    def _show(self) -> None:
        if self.render_mode == "human":
            self.render()

    def _observe(self) -> dict[str, np.ndarray]:
        return self.table.observe(self.agent)

    def _over(self) -> bool:
        return self.table.terminations[self.agent] or self.table.truncations[self.agent]

    def _settled(self) -> list[Any]:
        return list(self.table.infos[self.agent].get("settled", []))

    def _play_others(self, settled: list[Any]) -> tuple[int, list[Any]]:
        """Let the bots act up to this seat's turn.

        Returns this seat's coins on the way, and ``settled`` with the hands that ended added.
        """
        coins = 0
        while not self._over() and self.table.agent_selection != self.agent:
            turn = self.table.possible_agents.index(self.table.agent_selection)
            bot = self._opponents[(turn - self.seat) % self.table.seats - 1]
            view = np.array([self.table.view(self.table.agent_selection)], self.game.state)
            mask = self.table.observe(self.table.agent_selection)["action_mask"]
            self.table.step(int(bot.act(view, mask[None])[0]))
            coins += self.table.rewards[self.agent]
            settled = settled + self._settled()
        return coins, settled
