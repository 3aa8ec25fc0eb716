"""The knobs of a training run, one by one. Nothing here imports torch."""

from __future__ import annotations

import dataclasses
import functools
import math
import numbers
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any, get_type_hints

from qipai.agents.agent import describe_kinds
from qipai.agents.arena import MAX_HANDS
from qipai.envs import load_game
from qipai.envs.arguments import whole_number, whole_numbers
from qipai.envs.tables import MOST_TABLES, MOST_THREADS

MOST_LAYERS, WIDEST = 6, 4096  # a model file of that size can still be loaded


@dataclass(frozen=True, kw_only=True)
class Config:
    """A training run. ValueError says which field is wrong and what would be right."""

    game: Annotated[str, "id of the game"]
    preset: Annotated[str | None, "a named set of the game's options"] = None
    options: Annotated[Mapping[str, Any], "options of the game by name"] = field(
        default_factory=dict
    )
    minutes: Annotated[float, "train for so long, evaluations on the way included"] = 5.0
    steps: Annotated[
        int | None,
        "train for so many choices of the learner instead, rounded up to whole rollouts",
    ] = None
    seed: Annotated[int, "of the deals, the network and the draws"] = 0
    resume: Annotated[
        Path | None, "folder of a run to go on with: its network, optimizer and count of steps"
    ] = None
    out: Annotated[Path | None, "folder to write to; by default runs/GAME/DATE-TIME"] = None

    opponents: Annotated[
        str | None,
        "who plays the other seats, by commas, one of them drawn for each match: self (the policy "
        "as it is now), pool (a past self), or an agent; by default self and, where it does not "
        f"search, the rule bot. Agents: {describe_kinds()}",
    ] = None
    pool_size: Annotated[int, "past selves in the pool"] = 8
    pool_every: Annotated[int, "rollouts from one that joins the pool to the next"] = 10

    tables: Annotated[int, "tables played side by side"] = 256
    threads: Annotated[
        int | None,
        f"threads of torch, at most {MOST_THREADS}; by default 1 or as many as there are cores: a "
        "quick trial",
    ] = None
    n_steps: Annotated[int, "choices of the learner at each table in a rollout"] = 32
    reward_scale: Annotated[float, "reward = coins / the table's unit (its stake) × this"] = 0.1
    hidden: Annotated[
        tuple[int, ...],
        f"sizes of the network's layers, at most {MOST_LAYERS} of at most {WIDEST:,} units; a "
        "resumed run keeps those it has",
    ] = (128, 128)
    learning_rate: Annotated[float, "of Adam, at the start"] = 2e-3
    final_learning_rate: Annotated[float, "of Adam, at the end; it falls in a straight line"] = 1e-4
    n_epochs: Annotated[int, "times the choices of a rollout are learned from"] = 3
    batch_size: Annotated[int, "choices in one gradient step"] = 1024
    gamma: Annotated[float, "discount from one choice to the next"] = 1.0
    gae_lambda: Annotated[float, "weight of long against short returns in the advantages"] = 0.95
    clip_range: Annotated[float, "how far a probability's ratio may move in one rollout"] = 0.2
    entropy: Annotated[float, "weight of the entropy in the loss"] = 0.01
    value: Annotated[float, "weight of the value in the loss"] = 0.5
    max_grad_norm: Annotated[float, "longer gradients are cut to this length"] = 0.5

    evaluations: Annotated[int, "evaluations on the way, beside one at the start"] = 10
    evaluation_hands: Annotated[int, "hands of each, against each opponent"] = 600
    final_hands: Annotated[int, "hands of the last one, against each opponent"] = 6000

    def __post_init__(self) -> None:
        sizes = tuple(whole_numbers("hidden", self.hidden, "a row of whole numbers").tolist())
        object.__setattr__(self, "hidden", sizes)
        object.__setattr__(self, "options", dict(self.options))
        for name in ("resume", "out"):
            if getattr(self, name) is not None:
                object.__setattr__(self, name, Path(getattr(self, name)))
        load_game(self.game).options(self.preset, **self.options)
        for name, check in _numbers().items():
            value = getattr(self, name)
            if value is not None:
                object.__setattr__(self, name, check(name, value))
        for names, low, what in _LOWEST:
            for name in names:
                value = getattr(self, name)
                if value is not None and not value >= low:
                    raise ValueError(f"{name}={value!r}: {what}")
        for name, high in _HIGHEST.items():
            if (getattr(self, name) or 0) > high:
                raise ValueError(f"{name}={getattr(self, name)!r}: at most {high:,}")
        for name in ("gamma", "gae_lambda"):
            if not 0 <= getattr(self, name) <= 1:
                raise ValueError(f"{name}={getattr(self, name)!r}: a number in 0…1")
        for name in ("minutes", "reward_scale", "learning_rate", "clip_range", "max_grad_norm"):
            if not getattr(self, name) > 0:
                raise ValueError(f"{name}={getattr(self, name)!r}: a number above 0")
        if not 1 <= len(sizes) <= MOST_LAYERS or min(sizes) < 1 or max(sizes) > WIDEST:
            raise ValueError(
                f"hidden={sizes!r}: the sizes of 1…{MOST_LAYERS} layers, each in 1…{WIDEST:,}"
            )

    def to_json(self) -> dict[str, Any]:
        """The fields as JSON-ready values; ``Config(**values)`` gives them back."""
        values = dataclasses.asdict(self)
        return {
            name: str(value) if isinstance(value, Path) else value for name, value in values.items()
        }


def _whole(name: str, value: Any) -> int:
    return whole_number(name, value, "a whole number")


def _finite(name: str, value: Any) -> float:
    real = isinstance(value, numbers.Real) and not isinstance(value, bool)
    if not real or not math.isfinite(value):
        raise ValueError(f"{name}={value!r}: a finite number")
    return float(value)


@functools.cache
def _numbers() -> dict[str, Callable[[str, Any], Any]]:
    """What checks the fields that are numbers, None or not."""
    return {
        name: check
        for name, hint in get_type_hints(Config).items()
        for kind, check in ((int, _whole), (float, _finite))
        if hint in (kind, kind | None)
    }


_HIGHEST = {
    "threads": MOST_THREADS,
    "tables": MOST_TABLES,
    "evaluation_hands": MAX_HANDS,
    "final_hands": MAX_HANDS,
}
_LOWEST = (
    (("seed", "entropy", "value", "final_learning_rate", "evaluations"), 0, "at least 0"),
    (
        (
            *("steps", "pool_size", "pool_every", "tables", "threads", "n_steps", "n_epochs"),
            *("batch_size", "evaluation_hands", "final_hands"),
        ),
        1,
        "at least 1",
    ),
)

# What each field means.
HELP: dict[str, str] = {
    name: hint.__metadata__[0] for name, hint in get_type_hints(Config, include_extras=True).items()
}
