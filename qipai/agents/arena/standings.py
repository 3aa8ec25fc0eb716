"""How agents, pairs of them and seats did."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from qipai.agents.arena.contestants import Contestant
from qipai.agents.arena.estimates import Estimate
from qipai.agents.arena.playing import Outcome


@dataclass(frozen=True)
class Standing:
    """How one agent did."""

    label: str
    coins: Estimate
    stack: float  # its mean stack at a match's end
    hands: int  # once for each seat it sat in
    decisions: int
    decisions_per_second: float | None  # without its first call, which may compile
    forfeits: int  # matches it left by a fault
    reasons: tuple[str, ...]  # the first few that differ


@dataclass(frozen=True)
class Pair:
    """``first`` less ``second`` in the hands where both sit, or in equal deals if they never do."""

    first: str
    second: str
    difference: Estimate


@dataclass(frozen=True)
class ArenaResult:
    """What ``play_arena`` found; equal seeds give equal results but for the fields of time."""

    game: str
    version: int
    preset: str | None
    options: dict[str, Any]  # all that were in force
    seed: int
    agents: tuple[Standing, ...]
    pairs: tuple[Pair, ...]
    seats: tuple[Estimate, ...]
    deals: int
    different: int  # deals but for those that were played just like another one
    seatings: int
    possible_seatings: int  # more than ``seatings``: a balanced random part of them was played
    hands: int
    house: int  # coins
    balance: int  # coins of all seats and the house together: 0
    seconds: float

    def to_json(self) -> str:
        """All fields as a JSON object."""
        return json.dumps(asdict(self), ensure_ascii=False, indent=2, allow_nan=False)


def estimate_seat(seat: int, outcome: Outcome) -> Estimate:
    """Coins per hand in one seat, whoever sat there."""
    return outcome.estimate(outcome.coins[:, :, seat].sum(axis=1), outcome.hands.sum(axis=1))


def sums(agent: int, outcome: Outcome) -> tuple[np.ndarray, np.ndarray]:
    """Coins and hands (deals,) of an agent over all its seats."""
    sits = outcome.seatings == agent
    coins = (outcome.coins * sits).sum(axis=(1, 2))
    return coins, (outcome.hands * sits.sum(axis=1)).sum(axis=1)


def standing(i: int, contestant: Contestant, outcome: Outcome, stacks: Sequence[int]) -> Standing:
    """The account of agent ``i``; ``stacks``: of each seat at a match's start."""
    coins, hands = sums(i, outcome)
    sits = outcome.seatings == i
    ends = (outcome.coins + np.array(stacks, float))[:, sits]
    return Standing(
        label=contestant.label,
        coins=outcome.estimate(coins, hands),
        stack=float(ends.mean()),
        hands=int(hands.sum()),
        decisions=contestant.decisions,
        decisions_per_second=contestant.decisions_per_second,
        forfeits=contestant.forfeits,
        reasons=tuple(contestant.reasons),
    )


def compare(i: int, j: int, outcome: Outcome) -> Estimate:
    """Agent ``i`` less agent ``j``, each by the mean of its seats; see ``Pair``."""
    sits = [outcome.seatings == agent for agent in (i, j)]
    both = sits[0].any(axis=1) & sits[1].any(axis=1)
    if both.any():
        coins = outcome.coins[:, both]
        mine, other = ((coins * s[both]).sum(axis=2) / s[both].sum(axis=1) for s in sits)
        return outcome.estimate((mine - other).sum(axis=1), outcome.hands[:, both].sum(axis=1))
    mine, other = (coins / hands for coins, hands in (sums(i, outcome), sums(j, outcome)))
    return outcome.estimate(mine - other, np.ones(len(mine)))
