"""What a training run leaves behind: its evaluations as tables, files and a curve."""

from __future__ import annotations

import io
import json
import math
import os
import platform
import shlex
import sys
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any

from rich.table import Table

from qipai.agents.agent import Factory
from qipai.agents.arena import Estimate, play_arena
from qipai.agents.rule import has_rule_bot, rule_kernel
from qipai.envs.files import write_whole
from qipai.envs.game import Game
from qipai.training.config import Config

PACKAGES = ("qipai", "numpy", "numba", "torch", "stable-baselines3", "sb3-contrib")


@dataclass(frozen=True)
class Evaluation:
    """How the policy did after ``steps`` choices and ``seconds`` of training."""

    steps: int
    seconds: float
    against: Mapping[str, Estimate]  # coins per hand, by opponent


def references(game: Game) -> tuple[str, ...]:
    """The agents a policy is measured against: random, and the rule bot where there is one."""
    return ("random", "rule") if has_rule_bot(game.name) else ("random",)


SLOWER = 20


def searches(name: str, game: Game) -> bool:
    """Whether the agent called ``name`` thinks for milliseconds about a decision."""
    kind = name.partition(":")[0]
    return kind in ("search", "uci") or (kind == "rule" and rule_kernel(game.name) is None)


def evaluate(
    agent: Factory, names: Sequence[str], game: Game, config: Config, hands: int, seed: int
) -> dict[str, Estimate]:
    """Coins per hand against each of the named agents, on the same deals in all seatings.

    In a game of one seat: how much more than the other agent on the same deals. Against one that
    searches only one hand is played where ``hands`` asks for ``SLOWER``.
    """
    found = {}
    for name in names:
        result = play_arena(
            game,
            [agent, name],
            max(1, hands // SLOWER) if searches(name, game) else hands,
            seed=seed,
            preset=config.preset,
            options=config.options,
        )
        alone = len(result.seats) == 1
        found[name] = result.pairs[0].difference if alone else result.agents[0].coins
    return found


def written(estimate: Estimate) -> str:
    """``+1.23 ± 0.45``, or ``+1.23 ± –`` where no interval is known."""
    margin = "–" if estimate.margin is None else f"{estimate.margin:.2f}"
    return f"{estimate.mean:+.2f} ± {margin}"


def final_table(final: Mapping[str, Estimate]) -> Table:
    """Coins per hand with 95 % intervals."""
    table = Table(title="coins per hand", box=None, header_style="bold", title_justify="left")
    for heading in ("against", "mean", "95 % interval"):
        table.add_column(heading, justify="left" if heading == "against" else "right")
    for name, coins in final.items():
        interval = "–"
        if coins.margin is not None:
            interval = f"{coins.mean - coins.margin:+.2f} … {coins.mean + coins.margin:+.2f}"
        table.add_row(name, f"{coins.mean:+.2f}", interval)
    return table


def percentages(shares: Mapping[str, float]) -> dict[str, int]:
    """Parts of 1 as whole percentages that add up to 100: the largest remainders are rounded up."""
    whole = {name: math.floor(100 * share) for name, share in shares.items()}
    rest = 100 - sum(whole.values())
    for name in sorted(shares, key=lambda name: whole[name] - 100 * shares[name])[:rest]:
        whole[name] += 1
    return whole


def draw_curve(path: Path, title: str, curve: Sequence[Evaluation]) -> None:
    """The learning curve with its 95 % bands where they are known, as a picture."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(8, 4.5), layout="constrained")
    axes = FigureCanvasAgg(figure).figure.add_subplot()
    steps = [point.steps for point in curve]
    for name in curve[0].against:
        means = [point.against[name].mean for point in curve]
        margins = [point.against[name].margin for point in curve]
        widths = [math.nan if margin is None else margin for margin in margins]  # nan: a gap
        axes.plot(steps, means, marker="o", markersize=3, label=f"against {name}")
        low = [mean - width for mean, width in zip(means, widths, strict=True)]
        high = [mean + width for mean, width in zip(means, widths, strict=True)]
        axes.fill_between(steps, low, high, alpha=0.2)
    axes.axhline(0, color="gray", linewidth=0.8)
    axes.set(title=title, xlabel="choices of the learner", ylabel="coins per hand")
    axes.legend()
    picture = io.BytesIO()
    figure.savefig(picture, format="png", dpi=120)
    write_whole(path, picture.getvalue())


def write_config(path: Path, game: Game, config: Config, threads: int) -> None:
    """The run's config, the rules in force, and what is needed to repeat it."""
    program = Path(sys.argv[0]).name
    described = {
        "command": shlex.join([program, *sys.argv[1:]]),
        "config": config.to_json(),
        "game": game.name,
        "version": game.version,
        "rules": game.options(config.preset, **config.options),
        "packages": {name: version(name) for name in PACKAGES},
        "python": platform.python_version(),
        "machine": f"{platform.machine()}, {os.cpu_count()} cores",
        "threads": threads,
    }
    _write(path, described)


def read_config(folder: Path) -> Config:
    """The config of the run in ``folder``."""
    return Config(**json.loads((folder / "config.json").read_text(encoding="utf-8"))["config"])


def write_results(
    path: Path,
    *,
    steps: int,
    seconds: float,
    shares: Mapping[str, float],
    interrupted: bool,
    curve: Sequence[Evaluation],
    final: Mapping[str, Estimate],
) -> None:
    """All that was measured; ``shares`` of the time go by what it was spent on."""
    _write(
        path,
        {
            "steps": steps,
            "seconds": seconds,
            "steps_per_second": steps / seconds,
            "shares": shares,
            "interrupted": interrupted,
            "final": {name: asdict(coins) for name, coins in final.items()},
            "curve": [asdict(point) for point in curve],
        },
    )


def _write(path: Path, values: Mapping[str, Any]) -> None:
    text = json.dumps(values, ensure_ascii=False, indent=2) + "\n"
    write_whole(path, text.encode())
