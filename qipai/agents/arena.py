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

import copy
import functools
import hashlib
import itertools
import json
import math
import numbers
import queue
import statistics
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.lib.recfunctions import repack_fields

from qipai.agents.agent import Agent, Factory, load_agent
from qipai.agents.seeds import derive
from qipai.envs.arguments import whole_number
from qipai.envs.game import Game
from qipai.envs.match import PLAYING
from qipai.envs.tables import Tables, check_threads
from qipai.envs.titles import title

if TYPE_CHECKING:
    from rich.console import Console

MAX_SEATINGS = 120  # more than these are not all played
MAX_HANDS = 100_000_000
BATCH = 1024  # tables played side by side
TIME_LIMIT = 10.0  # seconds for a call
VIEWS_A_LIMIT = 20  # as many views in a call allow another time limit
FIRST_CALL = 12  # time limits for the first call of an agent, which may compile or load
MAX_HANGS = 3
MAX_REASONS = 5
FORFEIT = -1

Progress = Callable[[int, int], None]
Contender = str | Agent | Factory  # a spec, an agent to copy, or what makes one


# --- Results -----------------------------------------------------------------------------------


@dataclass(frozen=True)
class Estimate:
    """Coins per hand; the 95 % interval is ``mean`` ± ``margin``.

    None where no interval is known: only one game was seen, or all came out alike.
    """

    mean: float
    margin: float | None


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


def own_agent(contender: Contender, game: Game, seed: int) -> Agent:
    """An agent that nobody else has: a new one, or a copy of an agent handed in.

    ValueError for one that can't be made or copied.
    """
    agent = load_agent(contender, game, seed)
    if agent is not contender:
        return agent
    try:
        return copy.deepcopy(agent, {id(game): game})
    except Exception as error:  # whatever may be in an agent
        raise ValueError(
            f"{type(agent).__name__} can't be copied ({error}), but every seat of every seating "
            "needs an agent of its own: give a class or function that makes one of (game, seed)"
        ) from error


def labels(agents: Sequence[Contender]) -> list[str]:
    """A name for each agent: its spec, class or factory; equal ones are numbered from #2 on."""
    names = [
        agent if isinstance(agent, str) else getattr(agent, "__name__", type(agent).__name__)
        for agent in agents
    ]
    counts = [names[: i + 1].count(name) for i, name in enumerate(names)]
    return [name if n == 1 else f"{name}#{n}" for name, n in zip(names, counts, strict=True)]


# --- Seatings ----------------------------------------------------------------------------------


def count_seatings(agents: int, seats: int) -> int:
    """How many seatings there are: see ``all_seatings``."""
    if agents > seats:
        return math.perm(agents, seats)
    return sum(
        (-1) ** absent * math.comb(agents, absent) * (agents - absent) ** seats
        for absent in range(agents + 1)
    )


def all_seatings(agents: int, seats: int) -> np.ndarray:
    """Agent numbers (seatings, seats): every agent sits, or, if there are more agents than seats,
    no agent sits twice."""
    if agents > seats:
        return np.array(list(itertools.permutations(range(agents), seats)))
    every = itertools.product(range(agents), repeat=seats)
    return np.array([seating for seating in every if len(set(seating)) == agents])


def some_seatings(agents: int, seats: int, most: int, rng: np.random.Generator) -> np.ndarray:
    """At most ``most`` random ones of ``all_seatings``, but at least one for each agent.

    Agents change places in a ring, so each of them is in every seat equally often.
    """
    found: dict[tuple[int, ...], None] = {}
    while len(found) < max(1, most // agents):
        more = rng.integers(agents, size=max(0, seats - agents))
        seating = rng.permutation(np.concatenate([np.arange(agents), more]))[:seats]
        found[tuple((seating - seating[0]) % agents)] = None
    turned = np.array(list(found))[:, None, :] + np.arange(agents)[:, None]
    return (turned % agents).reshape(-1, seats)


def choose_seatings(agents: int, seats: int, rng: np.random.Generator) -> np.ndarray:
    """All seatings, or a balanced random part of them if they are more than ``MAX_SEATINGS``."""
    if count_seatings(agents, seats) <= MAX_SEATINGS:
        return all_seatings(agents, seats)
    return some_seatings(agents, seats, MAX_SEATINGS, rng)


# --- Contestants -------------------------------------------------------------------------------


class UnusableError(Exception):
    """The agent raised, or its answer is no row of integers; the message is the reason."""


class Caller:
    """A thread that makes calls, so that waiting for one can end.

    A daemon, for a thread in a call that hangs must not keep the process alive.
    """

    def __init__(self) -> None:
        self._calls: queue.SimpleQueue[Callable[[], Any] | None] = queue.SimpleQueue()
        self._answers: queue.SimpleQueue[tuple[Any, str]] = queue.SimpleQueue()
        self._overdue = 0  # calls that were given up but have not returned
        threading.Thread(target=self._serve, daemon=True).start()

    def call(self, function: Callable[[], Any], seconds: float) -> Any:
        """What ``function`` returns; UnusableError if it raises, TimeoutError if it takes too long.

        After TimeoutError nothing else is called until that call has returned, whose answer is
        then thrown away: an agent is never in two calls at once.
        """
        deadline = time.monotonic() + min(seconds, threading.TIMEOUT_MAX)
        try:
            while self._overdue:
                self._answers.get(timeout=max(0, deadline - time.monotonic()))
                self._overdue -= 1
            self._calls.put(function)
            answer, fault = self._answers.get(timeout=max(0, deadline - time.monotonic()))
        except queue.Empty:
            self._overdue = 1
            raise TimeoutError from None
        if fault:
            raise UnusableError(fault)
        return answer

    def close(self) -> None:
        """Let the thread end, once it is out of its call."""
        self._calls.put(None)

    def _serve(self) -> None:
        while (function := self._calls.get()) is not None:
            try:
                self._answers.put((function(), ""))
            except BaseException as error:  # SystemExit too is the agent's fault
                self._answers.put((None, f"{type(error).__name__}: {error}"[:200]))


class Contestant:
    """One of those that are compared: it makes the agents that play for it, one for each seat of
    each seating, and keeps the account of what they did, under a time limit in common."""

    def __init__(self, label: str, make: Callable[[int], Agent], time_limit: float) -> None:
        """``make`` gets the agent's number; the first one is made at once, to see if it works."""
        self.label = label
        self.time_limit = time_limit
        self.decisions = 0
        self.forfeits = 0
        self.hangs = 0
        self.reasons: list[str] = []
        self._agents = itertools.chain([make(0)], map(make, itertools.count(1)))
        self._caller = Caller()
        self._called = False
        self._timed = 0  # decisions in the time measured
        self._seconds = 0.0

    @property
    def decisions_per_second(self) -> float | None:
        return self._timed / self._seconds if self._timed else None

    def close(self) -> None:
        self._caller.close()

    def sit_down(self) -> Player:
        """An agent for one seat, which has never played."""
        return Player(self, next(self._agents))

    def call(self, act: Callable[[], Any], views: int, limits: float) -> np.ndarray:
        """The answer to so many views, waited for as many time limits.

        UnusableError if it raises, TimeoutError if it takes too long; see ``Caller``.
        """

        def timed() -> tuple[np.ndarray, float]:
            began = time.perf_counter()
            answer = np.asarray(act())
            return answer, time.perf_counter() - began

        first, self._called = not self._called, True
        answer, seconds = self._caller.call(timed, limits * self.time_limit)
        if not first:
            self._timed += views
            self._seconds += seconds
        return answer

    def forfeit(self, tables: int, reason: str) -> np.ndarray:
        """Note that so many tables are given up; FORFEIT for each."""
        self.forfeits += tables
        if reason not in self.reasons and len(self.reasons) < MAX_REASONS:
            self.reasons.append(reason)
        return np.full(tables, FORFEIT)


class Player:
    """A contestant's agent in one seat of one seating."""

    def __init__(self, contestant: Contestant, agent: Agent) -> None:
        self._contestant = contestant
        self._agent = agent
        self._asked = False

    def choose(self, tables: Tables, where: np.ndarray) -> np.ndarray:
        """Its actions int64 (k,) on the tables ``where`` (k,), where it is to act; or FORFEIT."""
        account = self._contestant
        if account.hangs == MAX_HANGS:
            return account.forfeit(len(where), f"not asked any more after {MAX_HANGS} hangs")
        try:
            actions = self._ask(tables, where)
        except TimeoutError:
            account.hangs += 1
            return account.forfeit(len(where), "no answer in time")
        except UnusableError as error:
            if len(where) == 1:
                return account.forfeit(1, str(error))
            # One bad view spoils the answer to all: only those forfeit that fail by themselves.
            return np.concatenate([self.choose(tables, where[[k]]) for k in range(len(where))])
        inside = (actions >= 0) & (actions < tables.game.actions.width)
        legal = inside & (tables.action_mask[where, np.where(inside, actions, 0)] != 0)
        for k in np.flatnonzero(~legal):
            actions[k] = account.forfeit(1, f"illegal action {actions[k]}")[0]
        account.decisions += int(legal.sum())
        return actions

    def _ask(self, tables: Tables, where: np.ndarray) -> np.ndarray:
        views, masks = tables.views(where), tables.action_mask[where]
        # Who has hung before is not waited for at such length again.
        patient = not self._asked and not self._contestant.hangs
        self._asked = True
        limits = len(where) / VIEWS_A_LIMIT + (FIRST_CALL if patient else 1)
        answer = self._contestant.call(lambda: self._agent.act(views, masks), len(where), limits)
        if answer.shape != where.shape or not np.issubdtype(answer.dtype, np.integer):
            raise UnusableError(
                f"answer of shape {answer.shape} and dtype {answer.dtype}, "
                f"expected integers of shape {where.shape}"
            )
        actions: np.ndarray = answer.astype(np.int64)
        return actions


# --- Playing -----------------------------------------------------------------------------------


@dataclass(frozen=True)
class Outcome:
    """The matches played: agent numbers, and what each match came to."""

    seatings: np.ndarray  # (seatings, seats)
    coins: np.ndarray  # (deals, seatings, seats)
    house: np.ndarray  # (deals, seatings), coins
    hands: np.ndarray  # (deals, seatings)
    games: np.ndarray  # (deals,), equal numbers where all matches of two deals were the same

    def estimate(self, coins: np.ndarray, hands: np.ndarray) -> Estimate:
        """Coins per hand from sums over each deal, (deals,) both; equal games are one."""
        return estimate(np.bincount(self.games, coins), np.bincount(self.games, hands))


def play_deals(
    make_tables: Callable[[np.ndarray], Tables],
    contestants: Sequence[Contestant],
    seatings: np.ndarray,
    deals: int,
    progress: Progress | None = None,
) -> Outcome:
    """Play deals 0…``deals`` − 1 in each seating; ``make_tables`` takes their streams."""
    count, seats = seatings.shape
    coins = np.zeros((deals, count, seats), np.int64)
    house = np.zeros((deals, count), np.int64)
    hands = np.zeros((deals, count), np.int64)
    records = np.zeros((deals, count), np.uint64)
    for number, seating in enumerate(seatings):
        players = [contestants[agent].sit_down() for agent in seating]
        for first in range(0, deals, BATCH):
            part = np.arange(first, min(first + BATCH, deals))
            before = number * deals + first

            def report(finished: int, before: int = before) -> None:
                if progress is not None:
                    progress(before + finished, deals * count)

            coins[part, number], house[part, number], hands[part, number], records[part, number] = (
                play_matches(make_tables(part), players, report)
            )
    _, games = np.unique(records, axis=0, return_inverse=True)
    return Outcome(seatings, coins, house, hands, games.reshape(-1))


def play_matches(
    tables: Tables, players: Sequence[Player], report: Callable[[int], None]
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Play one match on every table with ``players`` in the seats.

    Returns coins (n, seats), the house's coins (n,), hands played (n,) and digests uint64 (n,) of
    all that happened.
    """
    coins, house = np.zeros_like(tables.reward), np.zeros_like(tables.house)
    record = Record(tables)
    live = np.arange(tables.n)
    while len(live):
        turns = tables.turn[live]
        actions = np.empty(len(live), np.int64)
        for seat, player in enumerate(players):
            asked = turns == seat
            if asked.any():
                actions[asked] = player.choose(tables, live[asked])
        record.note(live, actions)
        playing = actions != FORFEIT
        tables.step(actions[playing], live[playing])
        for table in live[~playing]:
            tables.leave(int(table), int(tables.turn[table]))
        coins[live] += tables.reward[live]
        house[live] += tables.house[live]
        live = live[tables.over[live] == PLAYING]
        report(tables.n - len(live))
    opened = (tables.state["rng"]["count"] >> np.uint64(32)).astype(np.int64)  # a block a hand
    hands = opened - (tables.state["hand"] + 1)  # less those of the match begun since
    for column in coins.T:  # they tell of what was drawn after the last decision
        record.add(np.arange(tables.n), column)
    return coins, house, hands, record.digests


class Record:
    """Digests of what happened at tables: what lay there after every draw of the rules, and all
    actions. From these everything else follows."""

    PRIME = np.uint64(0x100000001B3)  # of the hash FNV-1a

    def __init__(self, tables: Tables) -> None:
        self.digests = np.zeros(tables.n, np.uint64)
        self._state = np.asarray(tables.state)
        self._fields = [name for name in tables.game.state.names or () if name != "rng"]
        self._drawn = np.zeros(tables.n, np.uint64)

    def note(self, where: np.ndarray, actions: np.ndarray) -> None:
        """Take in that ``actions`` (k,) are played on the tables ``where`` (k,)."""
        drawn = self._state["rng"]["count"][where]
        fresh = where[drawn != self._drawn[where]]
        self._drawn[where] = drawn
        if len(fresh):
            rows = repack_fields(self._state[fresh][self._fields], recurse=True)
            words = [hashlib.blake2b(row.tobytes(), digest_size=8).digest() for row in rows]
            self.add(fresh, np.frombuffer(b"".join(words), np.uint64))
        self.add(where, actions)

    def add(self, where: np.ndarray, words: np.ndarray) -> None:
        """Take in a whole number (k,) for each of the tables ``where`` (k,)."""
        self.digests[where] = (self.digests[where] ^ words.astype(np.uint64)) * self.PRIME


# --- Statistics --------------------------------------------------------------------------------


def student_quantile(freedom: int) -> float:
    """The 97.5 % quantile of Student's t with ``freedom`` ≥ 1 degrees of freedom.

    Closed forms for 1 and 2, beyond them the Cornish–Fisher expansion of Abramowitz and Stegun
    (1964), 26.7.5: 0.12 % low at 3, 0.03 % at 4, and ever less.
    """
    if freedom == 1:
        return math.tan(0.475 * math.pi)
    if freedom == 2:
        return 0.95 * math.sqrt(2 / (1 - 0.95**2))
    z = statistics.NormalDist().inv_cdf(0.975)
    terms = (
        z,
        (z**3 + z) / 4,
        (5 * z**5 + 16 * z**3 + 3 * z) / 96,
        (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384,
        (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / 92160,
    )
    return sum(term / freedom**power for power, term in enumerate(terms))


def estimate(coins: np.ndarray, hands: np.ndarray) -> Estimate:
    """Coins per hand from sums over each of several different games, (games,) both.

    With equally many hands in all games this is their mean with Student's interval; otherwise the
    ratio of the sums and its linearised variance (Cochran, Sampling Techniques, 1977, 2.11). Games
    that all come out alike tell nothing of how far others may be off, so there is no interval then.
    """
    games = len(coins)
    mean = float(coins.sum() / hands.sum())
    if games < 2 or np.allclose(coins / hands, mean, rtol=1e-12, atol=1e-12):
        return Estimate(mean, None)
    rest = coins - mean * hands
    error = math.sqrt(float((rest**2).sum()) * games / (games - 1)) / float(hands.sum())
    return Estimate(mean, student_quantile(games - 1) * error)


def rarely(games: int) -> float:
    """The share of all games below which, with 95 % confidence, those are that come out otherwise,
    if ``games`` came out alike: some 3 / ``games`` (Clopper and Pearson, 1934)."""
    return 1 - 0.05 ** (1 / games)


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


# --- Presentation ------------------------------------------------------------------------------


def print_result(result: ArenaResult, console: Console | None = None) -> None:
    """Print tables of a result; ``console`` defaults to standard output."""
    from rich.console import Console

    console = console or Console()
    for table in result_tables(result):
        console.print(table)
    for line in result_notes(result):
        console.print(line, markup=False, highlight=False)


def result_tables(result: ArenaResult) -> list[Any]:
    """Rich tables of agents, pairs and seats."""
    agents = _table(
        f"{result.game}-v{result.version}: {result.hands:,} hands",
        ["agent", "coins per hand", "hands", "forfeits", "decisions/s"],
    )
    for one in result.agents:
        speed = "–" if one.decisions_per_second is None else f"{one.decisions_per_second:,.0f}"
        agents.add_row(
            _plain(one.label), _shown(one.coins), f"{one.hands:,}", f"{one.forfeits:,}", speed
        )
    pairs = _table("pairs", ["agents", "difference per hand"])
    for pair in result.pairs:
        pairs.add_row(_plain(f"{pair.first} − {pair.second}"), _shown(pair.difference))
    seats = _table("seats", ["seat", "coins per hand"])
    for seat, mean in enumerate(result.seats):
        seats.add_row(str(seat), _shown(mean))
    return [agents, pairs, seats] if result.pairs else [agents, seats]


def titled(coins: int) -> str:
    """``5,000 副主管 (deputy supervisor)``."""
    rank = title(coins)
    return f"{coins:,} {rank.chinese} ({rank.english})"


def result_notes(result: ArenaResult) -> list[str]:
    """What the tables rest on, in sentences."""
    notes = [
        f"{result.deals:,} deals in {result.seatings:,} seatings, seed {result.seed}, "
        f"{result.seconds:.1f} s; ± is the 95 % interval over deals"
    ]
    if result.different < result.deals:
        notes.append(
            f"only {result.different:,} of the deals differ in play; the others repeat them and "
            "count for nothing in the intervals"
        )
    shown = [
        *(one.coins for one in result.agents),
        *(pair.difference for pair in result.pairs),
        *result.seats,
    ]
    if any(value.margin is None for value in shown) and result.different > 1:
        notes.append(
            f"–: no interval, as {result.different:,} different deals came out alike; with 95 % "
            f"confidence fewer than {rarely(result.different):.2g} of all would come out otherwise"
        )
    stacks = [f"{one.label} {titled(round(one.stack))}" for one in result.agents]
    notes.append(f"coins at a match's end, on average: {'; '.join(stacks)}")
    if result.seatings < result.possible_seatings:
        notes.append(
            f"a balanced random part of {result.possible_seatings:,} seatings: "
            "every agent equally often in every seat"
        )
    if result.house:
        notes.append(f"the house: {result.house:+,} coins")
    if result.balance:
        notes.append(f"COINS DO NOT ADD UP: {result.balance:+,} with the house's")
    for one in result.agents:
        if one.forfeits:
            notes.append(f"{one.label} forfeited {one.forfeits:,}: {'; '.join(one.reasons)}")
    return notes


def _table(heading: str, columns: Sequence[str]) -> Any:
    from rich.table import Table

    table = Table(title=heading, title_justify="left")
    for i, column in enumerate(columns):
        table.add_column(column, justify="right" if i else "left")
    return table


def _plain(text: str) -> Any:
    from rich.text import Text

    return Text(text)


def _shown(value: Estimate) -> str:
    margin = "–" if value.margin is None else f"{value.margin:,.3f}"
    return f"{value.mean:+,.3f} ± {margin}"
