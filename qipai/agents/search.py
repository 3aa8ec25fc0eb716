"""The search bot: every legal action is tried on redealt tables and played out to the hand's end.

Determinised Monte-Carlo search with a strong play-out policy (Ginsberg, "GIB: imperfect information
in a computationally challenging game", 2001; Tesauro and Galperin, "On-line policy improvement
using Monte-Carlo search", 1996). What the view hides is redealt; all actions are played on the same
redealt tables, and every seat plays on by the game's rule bot. Play-outs are shared out by
sequential halving (Karnin, Koren and Somekh, "Almost optimal exploration in multi-armed bandits",
2013). An action replaces the rule bot's own only where it is better beyond the noise.

A redealt table is as likely as the cards alone make it, and less so if its rivals, with the cards
they have there, would not have done what they did (Bayes' rule, with the rule bot as the model of a
rival). That is found by playing the hand again from its start, in games that have ``restart``. If
it can't be, as a seat has left or more was done than the log keeps, the rule bot's action stands.

Where the rule bot is a search itself (xiangqi, freecell: nothing is hidden, and play-outs tell
little), ``search`` is that bot with the budget its module calls ``SEARCH``.
"""

from __future__ import annotations

import functools
import math
import os
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from qipai.agents.budget import Budget
from qipai.agents.random import draw_bits, seed_one
from qipai.agents.rule import rule_bot, rule_kernel, rule_module
from qipai.envs.game import Game
from qipai.envs.kernel import addressable, bind, kernel
from qipai.envs.match import PLAYING, game_kernels
from qipai.envs.rng import RNG, entropy, seed_stream
from qipai.envs.tables import MOST_THREADS, check_threads
from qipai.envs.unshared import Unshared

if TYPE_CHECKING:
    from qipai.agents.agent import Agent

    conceal: Any = None
    is_rival: Any = None
    legal: Any = None
    play: Any = None
    recall: Any = None
    redeal: Any = None
    rewind: Any = None
    think: Any = None

PLAY_OUTS = 400  # for a decision, by default; as many redealt tables are weighed
DOUBT = 3.0  # standard errors by which an action has to be better than the rule bot's own
SURPRISE = 0.1  # chance of what a rival did where the rule bot would have done something else
UNKNOWN = -1.0  # plausibility of a hand that can't be played again
MOST = 1_000_000  # play-outs for a decision, also where there is time for more
GOLDEN = (math.sqrt(5) - 1) / 2

# --- Redealt tables ------------------------------------------------------------------------------


def redeal_number(view, bits, number, world):
    """``world`` becomes the redealt table of this number, of all that the seat to act may be at."""
    world[0] = view[0]
    seed_stream(world[0].rng, bits, number)
    redeal(world[0], np.int64(view[0].turn))


def offer(s, masks):
    """Mark the legal actions of the seat to act in ``masks[0]``."""
    masks[0] = 0
    legal(s, masks[0])


def answer(s, views, masks, rng, work):
    """What the rule bot does for the seat to act, which sees only what it may, and is offered
    ``masks[0]``."""
    views[0] = s
    conceal(views[0], np.int64(s.turn))
    return np.int64(think(views[0], masks[0], rng[0], work))


def is_live(s, seat):
    """Whether a seat is a rival still, in games where seats go out of a hand."""
    return s.live[seat]


def is_there(s, seat):
    """Whether a seat is a rival still, in games where all play to the end."""
    return True


def plausibility(world, again, fresh, views, masks, rng, work, purses):
    """The chance that the rivals of the seat to act did what they did in this hand.

    1 but for a factor ``SURPRISE`` wherever the rule bot would have done something else;
    ``UNKNOWN`` if the hand can't be played again, or not so, as on a table set up by hand.
    """
    later, s = world[0], again[0]
    again[0] = later
    if not rewind(s, later, fresh[0]):
        return UNKNOWN
    chance = 1.0
    action = recall(s, later)
    while action >= 0:
        offer(s, masks)
        if s.ended or not masks[0, action]:
            return UNKNOWN
        tells = s.turn != later.turn and is_rival(later, s.turn)
        if tells and answer(s, views, masks, rng, work) != action:
            chance *= SURPRISE
        play(s, np.int64(action), purses[0])
        action = recall(s, later)
    return chance


def weigh(view, first, bits, world, again, fresh, views, masks, rng, work, purses, weights):
    """``weights`` float64 get the plausibility of the redealt tables ``first``, ``first`` + 1, …

    ``world``, ``again``, ``views`` (1,) are room for tables; ``fresh`` (1,) is an unplayed one.
    """
    for i in range(len(weights)):
        redeal_number(view, bits, first + i, world)
        seed_stream(rng[0], ~bits, first + i)  # another stream than that of the cards
        weights[i] = plausibility(world, again, fresh, views, masks, rng, work, purses)


# --- Play-outs -----------------------------------------------------------------------------------


def try_actions(
    view, actions, numbers, first, bits, world, again, fresh, views, masks, rng, work, purses, coins
):
    """Play every action out, by the rule bot for all seats, on the redealt tables ``numbers``.

    ``coins`` float64 (tables, actions) gets what the seat to act wins. A table may come up several
    times: the play-outs are number ``first``, ``first`` + 1, …
    """
    seat = np.int64(view[0].turn)
    s = again[0]
    for i in range(len(numbers)):
        redeal_number(view, bits, numbers[i], world)
        for k in range(len(actions)):
            again[0] = world[0]
            seed_stream(rng[0], ~bits, first + i)
            purses[0] = 0
            play(s, np.int64(actions[k]), purses[0])
            while not s.ended and s.over == PLAYING:
                offer(s, masks)
                play(s, answer(s, views, masks, rng, work), purses[0])
            coins[i, k] = purses[0, seat]


class Compiled(NamedTuple):
    """The loops above, compiled for one game."""

    try_actions: Callable[..., None]
    weigh: Callable[..., None] | None  # None: its hands can't be played again


@functools.cache
def _compiled(game: Game) -> Compiled:
    found = rule_kernel(game.name)
    assert found is not None
    names = {**game_kernels(game), "think": found[0], "choose": rule_module(game.name).choose}

    def bound(loop: Callable[..., Any], **more: Callable[..., Any]) -> Any:
        return bind(loop, game.name, kernel, **names, **more)

    names |= {own.__name__: bound(own) for own in (redeal_number, offer, answer)}
    if game.restart is None or game.recall is None:
        return Compiled(bound(try_actions), None)
    rival = is_live if "live" in (game.state.names or ()) else is_there
    likely = bound(plausibility, recall=game.recall, is_rival=bound(rival))
    return Compiled(bound(try_actions), bound(weigh, plausibility=likely))


class Worker:
    """One thread's loops, with the room they need."""

    def __init__(self, game: Game) -> None:
        found = rule_kernel(game.name)
        assert found is not None
        self._loops = _compiled(game)
        self._room = (
            addressable(np.zeros(1, game.state)),
            addressable(np.zeros(1, game.state)),
            addressable(game.fields.blank()),
            addressable(np.zeros(1, game.state)),
            np.zeros((1, game.actions.width), np.int8),
            addressable(np.zeros(1, RNG)),
            found[1](),
            np.zeros((1, game.max_seats + 1), np.int64),
        )
        self.warm = False  # play-outs are compiled or loaded when they are first asked for

    def weigh(self, view: np.ndarray, bits: np.uint64, numbers: range) -> np.ndarray:
        """Plausibility float64 (numbers,) of the redealt tables of these numbers."""
        weights = np.ones(len(numbers))
        if self._loops.weigh is not None:
            self._loops.weigh(view, np.int64(numbers.start), bits, *self._room, weights)
        return weights

    def try_actions(
        self,
        view: np.ndarray,
        bits: np.uint64,
        actions: np.ndarray,
        numbers: np.ndarray,
        first: int,
    ) -> np.ndarray:
        """Coins float64 (numbers, actions) of the seat to act in the view (1,), from play-outs
        number ``first``, ``first`` + 1, …"""
        coins = np.zeros((len(numbers), len(actions)))
        self._loops.try_actions(view, actions, numbers, np.int64(first), bits, *self._room, coins)
        return coins


# --- The choice ----------------------------------------------------------------------------------


def drawn(weights: np.ndarray, places: range) -> np.ndarray:
    """Numbers int64 (places,) of tables, each drawn as often as its weight says.

    Places far apart or not, any run of them is spread evenly over the weights (the multiples of
    the golden ratio, less whole numbers).
    """
    if (weights == weights[0]).all():  # then no table twice
        return np.arange(places.start, places.stop) % len(weights)
    share = np.cumsum(weights) / weights.sum()
    heights = np.arange(places.start, places.stop) * GOLDEN % 1.0
    return np.minimum(np.searchsorted(share, heights, side="right"), len(weights) - 1)


def decide(
    tried: Callable[[np.ndarray, range], np.ndarray],
    actions: np.ndarray,
    own: int,
    play_outs: int,
    distinct: float = math.inf,
) -> int:
    """The best action by sequential halving over about ``play_outs`` play-outs.

    Args:
        tried: gives coins (tables, actions) of some of the actions on some redealt tables.
        actions: int64 (n,), the legal ones.
        own: the rule bot's action, which stays in to the end.
        distinct: how many different tables the redealt ones are worth.
    """
    rounds = max(1, math.ceil(math.log2(len(actions))))
    coins = np.zeros((0, len(actions)))
    for number in range(rounds):
        tables = max(1, play_outs // (rounds * len(actions)))
        more = tried(actions, range(len(coins), len(coins) + tables))
        coins = np.concatenate([coins, more])
        if number < rounds - 1:
            order = np.argsort(-coins.mean(axis=0), kind="stable")
            kept = np.sort(order[: max(2, (len(order) + 1) // 2)])
            kept = np.union1d(kept, np.flatnonzero(actions == own))
            actions, coins = actions[kept], coins[:, kept]
    ahead = coins - coins[:, actions == own]
    mean = ahead.mean(axis=0)
    error = ahead.std(axis=0) / math.sqrt(max(1, min(len(coins), distinct) - 1))
    better = mean > DOUBT * error
    return int(actions[np.argmax(np.where(better, mean, 0.0))]) if better.any() else own


class SearchAgent:
    """Searches at every decision; equal seeds and a budget in play-outs give equal choices."""

    def __init__(
        self,
        game: Game,
        seed: int | None = 0,
        budget: Budget | None = None,
        threads: int | None = None,
    ) -> None:
        """Make an agent.

        Args:
            budget: play-outs or seconds for one decision, by default ``PLAY_OUTS`` play-outs.
            threads: by default as many as there are processors. Many views are spread over them,
                as are the play-outs of a single one; choices do not depend on how many there are.

        ValueError for more play-outs than ``MOST`` or a number of threads that can't be had.
        """
        if threads is None:
            threads = min(os.cpu_count() or 1, MOST_THREADS)
        threads = check_threads(threads)
        self._budget = budget or Budget(count=PLAY_OUTS)
        self._budget.check_count(MOST, "play-outs for a decision")
        self._rule = rule_bot(game, seed)
        self._rng = addressable(np.zeros(1, RNG))
        seed_one(self._rng, entropy(seed))
        self._workers = Unshared(functools.partial(_workers, game, threads))
        self._pool = Unshared(functools.partial(ThreadPoolExecutor, threads))

    def act(self, views: np.ndarray, masks: np.ndarray) -> np.ndarray:
        """Actions int64 (n,) for views (n,) and masks int8 (n, actions)."""
        workers = self._workers()
        views = addressable(np.ascontiguousarray(views))
        own = self._rule.act(views, masks)
        actions = own.astype(np.int64)
        open_ones = np.flatnonzero(np.count_nonzero(masks, axis=1) > 1)
        bits = [np.uint64(draw_bits(self._rng)) for _ in open_ones]
        if not workers[0].warm and len(open_ones):
            view = views[open_ones[0] : open_ones[0] + 1]
            workers[0].weigh(view, bits[0], range(1))
            workers[0].try_actions(view, bits[0], actions[:1], np.zeros(1, np.int64), 0)
            workers[0].warm = True

        def choose(i: int, several: Sequence[Worker]) -> None:
            k = open_ones[i]
            actions[k] = self._decide(views[k : k + 1], masks[k], int(own[k]), bits[i], several)

        def part(number: int) -> None:
            for i in range(number, len(open_ones), len(workers)):
                choose(i, workers[number : number + 1])

        if len(open_ones) < len(workers):
            for i in range(len(open_ones)):
                choose(i, workers)
        else:
            list(self._pool().map(part, range(len(workers))))
        return actions

    def _decide(
        self,
        view: np.ndarray,
        mask: np.ndarray,
        own: int,
        bits: np.uint64,
        workers: Sequence[Worker],
    ) -> int:
        def weigh(count: int) -> np.ndarray:
            return self._spread(workers, count, lambda worker, part: worker.weigh(view, bits, part))

        def try_out(actions: np.ndarray, numbers: np.ndarray, first: int) -> np.ndarray:
            return self._spread(
                workers,
                len(numbers),
                lambda worker, part: worker.try_actions(
                    view, bits, actions, numbers[part.start : part.stop], first + part.start
                ),
            )

        legal = np.flatnonzero(mask)
        play_outs = self._budget.count or MOST
        if self._budget.seconds is not None:
            several = len(workers)
            began = time.perf_counter()
            weigh(several * len(legal))
            try_out(legal, np.arange(several), 0)
            spent = time.perf_counter() - began
            tables = max(1, int(several * self._budget.seconds / spent))
            play_outs = min(play_outs, len(legal) * tables)
        weights = weigh(play_outs)
        if weights[0] == UNKNOWN:  # what the rivals hold is anybody's guess
            return own
        return decide(
            lambda actions, places: try_out(actions, drawn(weights, places), places.start),
            legal,
            own,
            play_outs,
            weights.sum() ** 2 / (weights**2).sum(),
        )

    def _spread(
        self,
        workers: Sequence[Worker],
        count: int,
        job: Callable[[Worker, range], np.ndarray],
    ) -> np.ndarray:
        """What ``job`` gives for 0 … ``count`` − 1, shared out among the workers."""
        if len(workers) == 1:
            return job(workers[0], range(count))
        size = math.ceil(count / len(workers))
        shares = [range(count)[i : i + size] for i in range(0, count, size)]
        pool = self._pool()
        running = [pool.submit(job, w, s) for w, s in zip(workers, shares, strict=False)]
        return np.concatenate([done.result() for done in running])


def _workers(game: Game, threads: int) -> list[Worker]:
    return [Worker(game) for _ in range(threads)]


def search_agent(game: Game, seed: int = 0, budget: Budget | None = None) -> Agent:
    """The search bot of a game; ValueError if the game has no rule bot to play on with."""
    if rule_kernel(game.name) is None:
        return rule_bot(game, seed, budget or rule_module(game.name).SEARCH)
    return SearchAgent(game, seed, budget)
