"""qipai beside other libraries: random legal play of the same kind, in turns within one run.

    python benchmarks/peers.py --write     # docs/performance.md
    python benchmarks/peers.py             # the same on the terminal

Every contestant runs on one thread. Peers that are not installed are named with the reason; for all
of them: ``pip install open_spiel rlcard "pettingzoo[classic]"``.
"""

from __future__ import annotations

import argparse
import importlib
import os
import platform
import random
import statistics
import sys
import time
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from qipai import bench
from qipai.envs import games, make, make_tables

PAGE = Path(__file__).parents[1] / "docs" / "performance.md"
PACKAGES = ("qipai", "numba", "numpy", "pettingzoo", "open_spiel", "rlcard")
BATCH = 256  # tables in a batch: they stay in the cache of one core

Rates = tuple[float, float]  # decisions and hands a second
Play = Callable[[float], Rates]


@dataclass(frozen=True)
class Contestant:
    """Something to play at random; ``prepare`` raises ImportError if its package is missing."""

    name: str
    does: str  # what it does at every decision
    prepare: Callable[[], Play]


@dataclass(frozen=True)
class Match:
    """Contestants of one game; the ratios are the first one's to each of the others."""

    title: str
    note: str
    contestants: Sequence[Contestant]


def keep_playing(hand: Callable[[], int]) -> Play:
    """Play hand after hand; ``hand`` plays one and returns its number of decisions."""

    def play(seconds: float) -> Rates:
        steps = hands = 0
        start = time.perf_counter()
        while (spent := time.perf_counter() - start) < seconds or not hands:
            steps += hand()
            hands += 1
        return steps / spent, hands / spent

    return play


# --- qipai ---------------------------------------------------------------------------------------


def tables(name: str, **options: Any) -> Play:
    batch = make_tables(name, BATCH, seed=1, **options)

    def play(seconds: float) -> Rates:
        steps = hands = 0
        start = time.perf_counter()
        while (spent := time.perf_counter() - start) < seconds or not steps:
            batch.step(batch.sample())
            steps += batch.n
            hands += int((batch.over != 0).sum())
        return steps / spent, hands / spent

    play(0.2)
    return play


def aec(environment: Any) -> Play:
    """Any PettingZoo environment whose observations have an ``action_mask``."""
    draws = random.Random(1)

    def hand() -> int:
        steps = 0
        environment.reset()
        while environment.agents:
            observation, _, terminated, truncated, _ = environment.last()
            if terminated or truncated:
                return steps
            legal = observation["action_mask"].nonzero()[0]
            environment.step(legal[int(draws.random() * len(legal))])
            steps += 1
        return steps

    return keep_playing(hand)


def own_aec(name: str, **options: Any) -> Play:
    play = aec(make(name, **options))
    play(0.1)
    return play


def ours(name: str, **options: Any) -> tuple[Contestant, Contestant]:
    """A game as batches and as a PettingZoo environment."""
    return (
        Contestant("qipai `Tables`", "observation, both masks", lambda: tables(name, **options)),
        Contestant("qipai AEC", "dict of the three arrays", lambda: own_aec(name, **options)),
    )


# --- Peers ---------------------------------------------------------------------------------------


def open_spiel(name: str, look: bool, dense: bool) -> Play:
    """A game by OpenSpiel's Python bindings: to ``look`` is to write the observation, a ``dense``
    mask has an entry for every action."""
    pyspiel = importlib.import_module("pyspiel")
    observations = importlib.import_module("open_spiel.python.observation")
    game = pyspiel.load_game(name)
    observation = observations.make_observation(game)
    draws = random.Random(1)

    def hand() -> int:
        steps = 0
        state = game.new_initial_state()
        while not state.is_terminal():
            if not state.is_chance_node():
                if look:
                    observation.set_from(state, state.current_player())
                if dense:
                    state.legal_actions_mask()
                steps += 1
            legal = state.legal_actions()
            state.apply_action(legal[int(draws.random() * len(legal))])
        return steps

    return keep_playing(hand)


def open_spiel_environment() -> Play:
    """OpenSpiel's own environment in Python: every player's observation at every step."""
    module = importlib.import_module("open_spiel.python.rl_environment")
    environment = module.Environment("dou_dizhu")
    draws = random.Random(1)

    def hand() -> int:
        steps = 0
        step = environment.reset()
        while not step.last():
            seat = step.observations["current_player"]
            legal = step.observations["legal_actions"][seat]
            step = environment.step([legal[int(draws.random() * len(legal))]])
            steps += 1
        return steps

    return keep_playing(hand)


def rlcard(name: str) -> Play:
    """RLCard's environment: its states hold the observation and the legal actions."""
    environment = importlib.import_module("rlcard").make(name, config={"seed": 1})
    draws = random.Random(1)

    def hand() -> int:
        steps = 0
        state, _ = environment.reset()
        while not environment.is_over():
            legal = list(state["legal_actions"])
            state, _ = environment.step(legal[int(draws.random() * len(legal))])
            steps += 1
        return steps

    return keep_playing(hand)


def pettingzoo_holdem() -> Play:
    module = importlib.import_module("pettingzoo.classic.texas_holdem_no_limit_v6")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it declares its spaces in doubles
        environment = module.raw_env(num_players=4)
    environment.reset(seed=1)
    return aec(environment)


MATCHES = (
    Match(
        "Dou dizhu beside OpenSpiel",
        "qipai plays by the preset `openspiel`. OpenSpiel is driven from Python, as its users do, "
        "and deals card by card. Its decision is a whole move, where qipai asks for kickers one by "
        "one; hands per second take that into account.",
        (
            *ours("doudizhu", preset="openspiel"),
            Contestant(
                "OpenSpiel", "list of legal actions", lambda: open_spiel("dou_dizhu", False, False)
            ),
            Contestant(
                "OpenSpiel",
                "observation, list of legal actions",
                lambda: open_spiel("dou_dizhu", True, False),
            ),
            Contestant(
                "OpenSpiel", "observation, action mask", lambda: open_spiel("dou_dizhu", True, True)
            ),
            Contestant(
                "OpenSpiel `rl_environment`",
                "observations and lists of legal actions of all seats",
                open_spiel_environment,
            ),
        ),
    ),
    Match(
        "Dou dizhu beside RLCard",
        "qipai plays by the preset `rlcard`.",
        (
            *ours("doudizhu", preset="rlcard"),
            Contestant("RLCard", "observation, dict of legal actions", lambda: rlcard("doudizhu")),
        ),
    ),
    Match(
        "Five-card stud beside hold'em",
        "No other library plays this game: these are **other games**, the nearest there are. "
        "PettingZoo's hold'em (no limit, four players) is measured without its wrappers.",
        (
            *ours("five_card_stud"),
            Contestant("PettingZoo no-limit hold'em", "dict of both arrays", pettingzoo_holdem),
            Contestant(
                "RLCard no-limit hold'em",
                "observation, dict of legal actions",
                lambda: rlcard("no-limit-holdem"),
            ),
        ),
    ),
    Match(
        "Xiangqi beside OpenSpiel",
        "Both play by legal moves alone to the end of the game; their rules of repetition and "
        "length differ, and random games end by those. OpenSpiel's observation has fifteen planes "
        "of the board, qipai's eighteen and the clocks of the draws.",
        (
            *ours("xiangqi"),
            Contestant(
                "OpenSpiel",
                "list of legal actions",
                lambda: open_spiel("xiangqi", False, False),
            ),
            Contestant(
                "OpenSpiel",
                "observation, list of legal actions",
                lambda: open_spiel("xiangqi", True, False),
            ),
            Contestant(
                "OpenSpiel",
                "observation, action mask",
                lambda: open_spiel("xiangqi", True, True),
            ),
        ),
    ),
    Match(
        "Blackjack beside OpenSpiel and RLCard",
        "The peers have one player against a fixed dealer. qipai has two seats here, one of them "
        "the banker, who plays freely; first cards are hidden, and bets are chosen.",
        (
            *ours("blackjack", seats=2),
            Contestant(
                "OpenSpiel",
                "observation, list of legal actions",
                lambda: open_spiel("blackjack", True, False),
            ),
            Contestant(
                "OpenSpiel",
                "observation, action mask",
                lambda: open_spiel("blackjack", True, True),
            ),
            Contestant("RLCard", "observation, dict of legal actions", lambda: rlcard("blackjack")),
        ),
    ),
    Match(
        "Gongzhu beside OpenSpiel's hearts",
        "No other library plays gongzhu: hearts is **another game**, its nearest relative. Both "
        "have 52 cards, four seats and thirteen tricks; in place of exposing, cards are passed on.",
        (
            *ours("gongzhu"),
            Contestant(
                "OpenSpiel hearts",
                "observation, list of legal actions",
                lambda: open_spiel("hearts", True, False),
            ),
            Contestant(
                "OpenSpiel hearts",
                "observation, action mask",
                lambda: open_spiel("hearts", True, True),
            ),
        ),
    ),
    Match(
        "Mahjong beside RLCard",
        "**Other rules**: RLCard's mahjong has chows and wins on discards, and no kong payments, "
        "horses or coins. Both have 136 tiles and four seats.",
        (
            *ours("tuidaohu"),
            Contestant("RLCard", "observation, dict of legal actions", lambda: rlcard("mahjong")),
        ),
    ),
    Match(
        "Mahjong with wins on discards beside RLCard",
        "**Other rules**: RLCard's mahjong has chows, and neither the declaration of ready nor "
        "scores nor coins. Both have 136 tiles, four seats and wins on discards.",
        (
            *ours("zui_mahjong"),
            Contestant("RLCard", "observation, dict of legal actions", lambda: rlcard("mahjong")),
        ),
    ),
    Match(
        "Freecell beside OpenSpiel's solitaire",
        "No other library plays freecell: this is **another game**, Klondike.",
        (
            *ours("freecell"),
            Contestant(
                "OpenSpiel solitaire",
                "observation, action mask",
                lambda: open_spiel("solitaire", True, True),
            ),
        ),
    ),
)


# --- The page ------------------------------------------------------------------------------------


def measure(match: Match, seconds: float) -> list[str]:
    """A Markdown section; contestants take turns, ratios are medians over neighbouring turns."""
    present: list[tuple[Contestant, Play]] = []
    absent = []
    for contestant in match.contestants:
        try:
            present.append((contestant, contestant.prepare()))
        except (ImportError, AttributeError) as error:
            absent.append(f"Not measured: {contestant.name} ({contestant.does}): {error}.")
    found = bench.alternate([play for _, play in present], seconds)
    lines = [
        f"## {match.title}",
        "",
        match.note,
        "",
        "| | at every decision | decisions/s | at best | hands/s | decisions a hand "
        "| `Tables` ahead by | at best by | in hands by |",
        "|---|---|--:|--:|--:|--:|--:|--:|--:|",
    ]
    ours = [column(found[0], k) for k in range(2)]
    for (contestant, _), rates in zip(present, found, strict=True):
        steps, hands = column(rates, 0), column(rates, 1)
        cells = (
            contestant.name,
            contestant.does,
            f"{statistics.median(steps):,.0f}",
            f"{max(steps):,.0f}",
            f"{statistics.median(hands):,.0f}",
            f"{sum(steps) / sum(hands):.1f}",
            f"{bench.ratio(ours[0], steps):.1f} ×",
            f"{max(ours[0]) / max(steps):.1f} ×",
            f"{bench.ratio(ours[1], hands):.1f} ×",
        )
        lines.append(f"| {' | '.join(cells)} |")
    return [*lines, *(f"\n{line}" for line in absent), ""]


def column(rates: Sequence[Rates], k: int) -> list[float]:
    return [rate[k] for rate in rates]


def budgets(rows: Sequence[dict[str, Any]]) -> list[str]:
    """What ``qipai bench`` measures, as a Markdown section."""
    titles = " | ".join(measure.title.strip() for measure in bench.MEASURES)
    limits = " | ".join(measure.budget([row["game"] for row in rows]) for measure in bench.MEASURES)
    lines = [
        "## Each game beside its budgets",
        "",
        "What `qipai bench` prints. Batches choose random legal actions in compiled code and write "
        "the observation and both masks at every step. What a second thread can add depends on the "
        "machine (two of its processors may share a core): plain hashing shows it.",
        "",
        f"| | {titles} |",
        "|---|" + "--:|" * len(bench.MEASURES),
        f"| budget | {limits} |",
    ]
    for row in rows:
        cells = []
        for measure in bench.MEASURES:
            text = measure.form.format(row[measure.key])
            missed = measure.met(row[measure.key], row["game"]) is False
            cells.append(f"{text} ✗" if missed else text)
        lines.append(f"| `{row['game']}` | {' | '.join(cells)} |")
    return [*lines, ""]


def machine() -> list[str]:
    """Where and with what it was measured."""
    versions = []
    for package in PACKAGES:
        try:
            versions.append(f"{package} {version(package)}")
        except PackageNotFoundError:
            versions.append(f"{package} not installed")
    facts = [
        f"{processor()}, {os.cpu_count()} processors, {platform.system()}",
        f"Python {platform.python_version()}, {', '.join(versions)}",
    ]
    if hasattr(os, "getloadavg"):
        facts.append(
            f"load average before the run {os.getloadavg()[0]:.1f}, the run's own work not in"
        )
    return ["## Measured on", "", *(f"- {fact}" for fact in facts), ""]


def processor() -> str:
    try:
        for line in Path("/proc/cpuinfo").read_text().splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    except OSError:
        pass
    return platform.processor() or platform.machine()


def page(seconds: float) -> str:
    lines = [
        "# Performance",
        "",
        "Written by `python benchmarks/peers.py --write`; not by hand. All play is random and "
        "legal, on one thread unless said otherwise. Contestants are measured in short turns "
        "within one run; numbers are medians, and ratios medians of neighbouring turns, so they "
        "hold also while the machine drifts. The best turns are nearest to an idle machine.",
        "",
        *machine(),
    ]
    for match in MATCHES:
        print(match.title, file=sys.stderr)
        lines += measure(match, seconds)
    print("budgets", file=sys.stderr)
    lines += budgets(bench.bench(games(), seconds))
    return "\n".join(lines).rstrip() + "\n"


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--write", action="store_true", help=f"write docs/{PAGE.name}")
    parser.add_argument(
        "--seconds", type=float, default=8.0, help="for each contestant (default 8)"
    )
    arguments = parser.parse_args()
    text = page(arguments.seconds)
    if arguments.write:
        PAGE.write_text(text, encoding="utf-8")
    else:
        print(text, end="")


if __name__ == "__main__":
    main()
