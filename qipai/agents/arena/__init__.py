"""The arena: agents play the same deals in every seating, and their coins are compared.

A deal is replayed over all seatings of the agents, so its luck falls on all of them alike. The
results of one deal hang together; intervals therefore treat a deal as one observation, and deals
that were played in the very same way, as where neither rules nor agents draw anything, as one.

Whoever remembers a deal from one seating would know the rivals' cards in the next. So every seat of
every seating gets an agent of its own, which meets no deal twice and shares no memory with the
agents of its kind in other seats. What they share on purpose (variables of a class or module,
files, a server) is out of the arena's reach.
"""

from __future__ import annotations

import functools
import itertools
import math
import numbers
import time
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from qipai.agents.agent import Agent
from qipai.agents.arena.contestants import TIME_LIMIT, Contender, Contestant, labels, own_agent
from qipai.agents.arena.estimates import Estimate
from qipai.agents.arena.playing import Progress, play_deals
from qipai.agents.arena.printing import print_result
from qipai.agents.arena.seatings import choose_seatings, count_seatings
from qipai.agents.arena.standings import (
    ArenaResult,
    Pair,
    Standing,
    compare,
    estimate_seat,
    standing,
)
from qipai.agents.seeds import derive
from qipai.envs.arguments import whole_number
from qipai.envs.game import Game
from qipai.envs.tables import Tables, check_threads

MAX_HANDS = 100_000_000

__all__ = ["MAX_HANDS", "ArenaResult", "Estimate", "Pair", "Standing", "play_arena", "print_result"]


def play_arena(
    game: Game,
    agents: Sequence[Contender],
    hands: int = 1000,
    *,
    seed: int | None = None,
    preset: str | None = None,
    options: Mapping[str, Any] | None = None,
    threads: int = 1,
    time_limit: float = TIME_LIMIT,
    progress: Progress | None = None,
) -> ArenaResult:
    """Let agents play each other.

    An agent that raises, hangs or answers with anything but legal actions leaves that table by the
    rules of the game, and the house plays on for it. An agent is no longer asked after
    ``MAX_HANGS`` hangs. One that hangs without releasing the GIL can't be stopped.

    Args:
        agents: whatever ``load_agent`` takes; each is one contestant, also of equal specs. A spec
            or factory makes an agent for each seat of each seating, each with a seed of its own; of
            an agent, copies play (``copy.deepcopy``, all from its present state and generator).
        hands: hands wanted in all, at most ``MAX_HANDS``, rounded up to whole deals: one deal is a
            match for each seating.
        seed: of deals, seatings and agents; None draws one.
        options: of the game; its ``hands`` are those of one match.
        threads: for the tables, at most ``MOST_THREADS``.
        time_limit: seconds for a call; every ``VIEWS_A_LIMIT`` views allow as much again, and the
            first call of an agent ``FIRST_CALL`` times as much.
        progress: called with the matches finished and the matches in all.

    Raises ValueError for bad arguments and unknown agents, OptionError for options.
    """
    began = time.perf_counter()
    rules = game.options(preset, **(options or {}))
    check_arguments(agents, hands, threads, time_limit)
    if seed is None:
        seed = int(np.random.SeedSequence().generate_state(1)[0])
    dealt = derive(seed, "deals")
    possible = count_seatings(len(agents), rules["seats"])
    draws = np.random.default_rng(derive(seed, "seatings"))
    seatings = choose_seatings(len(agents), rules["seats"], draws)
    deals = math.ceil(hands / (len(seatings) * rules["hands"]))

    def make(i: int, number: int) -> Agent:
        return own_agent(agents[i], game, derive(seed, "agent", i, number))

    def tables(streams: np.ndarray) -> Tables:
        return Tables(
            game, len(streams), dealt, threads=threads, streams=streams, preset=preset, **rules
        )

    contestants: list[Contestant] = []
    try:
        for i, label in enumerate(labels(agents)):
            contestants.append(Contestant(label, functools.partial(make, i), time_limit))
        outcome = play_deals(tables, contestants, seatings, deals, progress)
    finally:
        for contestant in contestants:
            contestant.close()
    return ArenaResult(
        game=game.name,
        version=game.version,
        preset=preset,
        options=rules,
        seed=int(seed),
        agents=tuple(standing(i, c, outcome, rules["stack"]) for i, c in enumerate(contestants)),
        pairs=tuple(
            Pair(contestants[i].label, contestants[j].label, compare(i, j, outcome))
            for i, j in itertools.combinations(range(len(contestants)), 2)
        ),
        seats=tuple(estimate_seat(seat, outcome) for seat in range(rules["seats"])),
        deals=deals,
        different=len(np.unique(outcome.games)),
        seatings=len(seatings),
        possible_seatings=possible,
        hands=int(outcome.hands.sum()),
        house=int(outcome.house.sum()),
        balance=int(outcome.coins.sum() + outcome.house.sum()),
        seconds=time.perf_counter() - began,
    )


def check_arguments(agents: Any, hands: Any, threads: Any, time_limit: Any) -> None:
    """ValueError for what ``play_arena`` can't take."""
    if isinstance(agents, str) or not isinstance(agents, Sequence):
        raise ValueError(f"agents={agents!r}: a list of agents")
    if not agents:
        raise ValueError("no agents: name at least one")
    whole_number("hands", hands, f"a whole number in 1…{MAX_HANDS:,}", low=1, high=MAX_HANDS)
    check_threads(threads)
    real = isinstance(time_limit, numbers.Real) and not isinstance(time_limit, bool)
    if not real or not time_limit > 0:
        raise ValueError(f"time_limit={time_limit!r}: a positive number of seconds")
