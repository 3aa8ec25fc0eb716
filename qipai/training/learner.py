"""MaskablePPO on a network whose choices are made without torch; torch only learns."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import torch
from gymnasium import spaces
from sb3_contrib.common.maskable.distributions import MaskableDistribution
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy
from stable_baselines3.common.type_aliases import PyTorchObs
from torch import nn

from qipai.agents.model import Network
from qipai.envs.tables import Tables

ILLEGAL = -1e8  # logit of an illegal action: its probability is exactly 0 in float32


def squash(x: torch.Tensor) -> torch.Tensor:
    """sign(x)·log(1 + |x|), as in qipai.agents.model."""
    return x.sign() * x.abs().log1p()


def linear(inputs: int, outputs: int, gain: float) -> nn.Linear:
    layer = nn.Linear(inputs, outputs)
    nn.init.orthogonal_(layer.weight, gain)
    nn.init.zeros_(layer.bias)
    return layer


class ActorCritic(nn.Module):
    """The network of qipai.agents.model, to be learned: one trunk for the logits and the value.

    Takes observations float32 (n, width); returns logits (n, actions) and values (n, 1).
    """

    def __init__(self, width: int, actions: int, hidden: Sequence[int]) -> None:
        super().__init__()
        sizes = [width, *hidden]
        self.trunk = nn.ModuleList(
            linear(inputs, outputs, 2**0.5) for inputs, outputs in zip(sizes, hidden, strict=False)
        )
        self.actions = linear(hidden[-1], actions, 0.01)  # at first all actions are about as likely
        self.value = linear(hidden[-1], 1, 1.0)

    def forward(self, observations: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        row = squash(observations)
        for layer in self.trunk:
            row = torch.relu(layer(row))
        return self.actions(row), self.value(row)

    def snapshot(self) -> Network:
        """A copy of the network as it is now."""
        layers = [*self.trunk, self.actions]
        return Network(
            [layer.weight.detach().numpy().copy() for layer in layers],
            [layer.bias.detach().numpy().copy() for layer in layers],
            torch.cat([self.value.weight[0], self.value.bias]).detach().numpy(),
        )


class Policy(MaskableActorCriticPolicy):
    """``ActorCritic`` as sb3-contrib wants it.

    While games are played the choices come from ``network``, a copy made when a rollout
    starts: the kernel looks at legal actions and non-zero inputs only.
    """

    def __init__(self, *arguments: Any, hidden: Sequence[int], **others: Any) -> None:
        self.hidden = tuple(hidden)
        super().__init__(*arguments, **others)

    def _build(self, lr_schedule: Callable[[float], float]) -> None:
        assert isinstance(self.observation_space, spaces.Box)
        assert isinstance(self.action_space, spaces.Discrete)
        self.actor_critic = ActorCritic(
            self.observation_space.shape[0], int(self.action_space.n), self.hidden
        )
        self.optimizer = torch.optim.Adam(
            self.parameters(), lr=lr_schedule(1), **self.optimizer_kwargs
        )
        self.network = self.snapshot()

    def _get_constructor_parameters(self) -> dict[str, Any]:
        return {**super()._get_constructor_parameters(), "hidden": self.hidden}

    def snapshot(self) -> Network:
        """A copy of the network as it is now; ValueError if it has diverged."""
        try:
            return self.actor_critic.snapshot()
        except ValueError as error:
            raise ValueError(
                f"the training has diverged ({error}): a lower learning_rate may help"
            ) from None

    def set_training_mode(self, mode: bool) -> None:
        """When games are to be played, play with the weights as they are now."""
        super().set_training_mode(mode)
        if not mode:
            self.network = self.snapshot()

    def forward(
        self,
        obs: torch.Tensor,
        deterministic: bool = False,
        action_masks: np.ndarray | None = None,
    ) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        """Actions (n,), values (n, 1) and log-probabilities (n,); nothing to be differentiated."""
        n = len(obs)
        masks = (
            np.ones((n, self.network.actions), np.int8) if action_masks is None else action_masks
        )
        draws = np.full(n, -1.0) if deterministic else np.random.random(n)
        actions, chances, values = self.network.choose(obs.numpy(), masks, draws)
        return (
            torch.from_numpy(actions),
            torch.from_numpy(values)[:, None],
            torch.from_numpy(chances),
        )

    def evaluate_actions(
        self,
        obs: torch.Tensor,
        actions: torch.Tensor,
        action_masks: torch.Tensor | None = None,
    ) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        """Values (n, 1), log-probabilities of ``actions`` (n,) and entropies (n,)."""
        logits, values = self.actor_critic(obs)
        if action_masks is not None:
            logits = logits.masked_fill(action_masks == 0, ILLEGAL)
        chances = logits.log_softmax(-1)
        # softmax once more: exp is slow where it underflows, and most actions are illegal
        entropies = -(logits.softmax(-1) * chances).sum(-1)
        return values, chances.gather(1, actions[:, None])[:, 0], entropies

    def predict_values(self, obs: PyTorchObs) -> torch.Tensor:
        values: torch.Tensor = self.actor_critic(obs)[1]
        return values

    def get_distribution(
        self, obs: PyTorchObs, action_masks: np.ndarray | None = None
    ) -> MaskableDistribution:
        """For ``predict``."""
        distribution = self.action_dist.proba_distribution(self.actor_critic(obs)[0])
        if action_masks is not None:
            distribution.apply_masking(action_masks)
        return distribution


class PastSelf:
    """A network as a player."""

    def __init__(self, network: Network, seed: int) -> None:
        self.network = network
        self._rng = np.random.default_rng(seed)

    def __call__(self, tables: Tables, where: np.ndarray) -> np.ndarray:
        """Actions (k,) drawn from the network's probabilities on the tables ``where`` (k,)."""
        draws = self._rng.random(len(where))
        masks = tables.action_mask[where]
        return self.network.choose(tables.observation[where], masks, draws)[0]


class Mirror(PastSelf):
    """The learner's own policy, as it is at any time, as a player."""

    def __init__(self, policy: Policy, seed: int) -> None:
        super().__init__(policy.network, seed)
        self._policy = policy

    def __call__(self, tables: Tables, where: np.ndarray) -> np.ndarray:
        self.network = self._policy.network
        return super().__call__(tables, where)


class Pool:
    """Past selves of the learner as one player; each table meets one of them."""

    def __init__(self, policy: Policy, size: int, seed: int) -> None:
        self._policy = policy
        self._size = size
        self._rng = np.random.default_rng(seed)
        self.players: list[PastSelf] = []
        self.grow()

    def grow(self) -> None:
        """The policy as it is now joins, in place of a random one if the pool is full."""
        past = PastSelf(self._policy.snapshot(), int(self._rng.integers(2**31)))
        if len(self.players) < self._size:
            self.players.append(past)
        else:
            self.players[int(self._rng.integers(self._size))] = past

    def __call__(self, tables: Tables, where: np.ndarray) -> np.ndarray:
        """Actions (k,) on the tables ``where`` (k,), one call for each past self."""
        actions = np.empty(len(where), np.int64)
        met = where % len(self.players)
        for number, past in enumerate(self.players):
            own = np.flatnonzero(met == number)
            if len(own):
                actions[own] = past(tables, where[own])
        return actions
