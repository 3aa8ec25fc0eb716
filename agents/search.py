"""The search bot: every legal action is tried on redealt tables and played out to the hand's end.

Determinised Monte-Carlo search with a strong play-out policy (Ginsberg, "GIB: imperfect information
in a computationally challenging game", 2001; Tesauro and Galperin, "On-line policy improvement
using Monte-Carlo search", 1996). What the view hides is redealt, uniformly over what the seat can't
tell apart; all actions are played on the same redealt tables, and every seat plays on by the game's
rule bot. Play-outs are shared out by sequential halving (Karnin, Koren and Somekh, "Almost optimal
exploration in multi-armed bandits", 2013). An action replaces the rule bot's own only where it is
better beyond the noise.

Where the rule bot is a search itself (xiangqi, freecell: nothing is hidden, and play-outs tell
little), ``search`` is that bot with the budget its module calls ``SEARCH``.
"""

from __future__ import annotations

import functools
import math
import os
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

import numpy as np

from qipai.agents.budget import Budget
from qipai.agents.random import draw_bits, seed_one
from qipai.agents.rule import rule_bot, rule_kernel, rule_module
from qipai.envs.game import Game
from qipai.envs.kernel import addressable, bind, kernel
from qipai.envs.match import PLAYING, parts
from qipai.envs.rng import RNG, entropy, seed_stream

if TYPE_CHECKING:
    from qipai.agents.agent import Agent

    conceal: Any = None
    legal: Any = None
    play: Any = None
    redeal: Any = None
    think: Any = None

PLAY_OUTS = 400  # for a decision, by default
DOUBT = 3.0  # standard errors by which an action has to be better than the rule bot's own
MOST = 1_000_000  # play-outs for a decision, however much time there is

# Coins (tables, actions) from a view, actions, numbers of redealt tables, random bits.
Try = Callable[[np.ndarray, np.ndarray, range, np.uint64], np.ndarray]


# --- Play-outs -----------------------------------------------------------------------------------


def play_out(worlds, views, masks, rng, work, purses):
    """All seats play on by the rule bot until the hand of ``worlds[0]`` has ended."""
    s = worlds[0]
    while not s.ended and s.over == PLAYING:
        views[0] = s
        conceal(views[0], np.int64(s.turn))
        masks[0] = 0
        legal(s, masks[0])
        play(s, np.int64(think(views[0], masks[0], rng[0], work)), purses[0])


def try_actions(view, actions, first, bits, worlds, views, masks, rng, work, purses, coins):
    """Play every action out on each of the redealt tables number ``first``, ``first`` + 1, …

    ``coins`` float64 (tables, actions) gets what the seat to act wins; ``worlds`` (2,) and
    ``views`` (1,) are room for tables.
    """
    seat = np.int64(view[0].turn)
    for i in range(len(coins)):
        worlds[1] = view[0]
        seed_stream(worlds[1].rng, bits, first + i)
        redeal(worlds[1], seat)
        for k in range(len(actions)):
            worlds[0] = worlds[1]
            seed_stream(rng[0], bits, first + i)
            purses[0] = 0
            play(worlds[0], np.int64(actions[k]), purses[0])
            play_out(worlds, views, masks, rng, work, purses)
            coins[i, k] = purses[0, seat]


@functools.cache
def _compiled(game: Game) -> Callable[..., None]:
    found = rule_kernel(game.name)
    assert found is not None
    names = {**parts(game), "think": found[0], "choose": rule_module(game.name).choose}
    tried: Callable[..., None] = bind(
        try_actions, game.name, kernel, play_out=bind(play_out, game.name, kernel, **names), **names
    )
    return tried


class Worker:
    """One thread's play-outs, with the room they need."""

    def __init__(self, game: Game) -> None:
        found = rule_kernel(game.name)
        assert found is not None
        self._try = _compiled(game)
        self._room = (
            addressable(np.zeros(2, game.state)),
            addressable(np.zeros(1, game.state)),
            np.zeros((1, game.actions.width), np.int8),
            addressable(np.zeros(1, RNG)),
            found[1](),
            np.zeros((1, game.max_seats + 1), np.int64),
        )

    def try_actions(
        self, view: np.ndarray, actions: np.ndarray, tables: range, bits: np.uint64
    ) -> np.ndarray:
        """Coins float64 (tables, actions) of the seat to act in the view (1,)."""
        coins = np.zeros((len(tables), len(actions)))
        self._try(view, actions, np.int64(tables.start), bits, *self._room, coins)
        return coins


# --- The choice ----------------------------------------------------------------------------------


def decide(
    tried: Callable[[np.ndarray, range], np.ndarray],
    actions: np.ndarray,
    own: int,
    play_outs: int,
) -> int:
    """The best action by sequential halving over about ``play_outs`` play-outs.

    Args:
        tried: gives coins (tables, actions) of some of the actions on some redealt tables.
        actions: int64 (n,), the legal ones.
        own: the rule bot's action, which stays in to the end.
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
    error = ahead.std(axis=0) / math.sqrt(max(1, len(coins) - 1))
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
        """
        self._budget = budget or Budget(count=PLAY_OUTS)
        self._rule = rule_bot(game, seed)
        self._rng = addressable(np.zeros(1, RNG))
        seed_one(self._rng, entropy(seed))
        self._workers = [Worker(game) for _ in range(threads or os.cpu_count() or 1)]
        self._pool = ThreadPoolExecutor(len(self._workers))
        self._warm = False  # play-outs are compiled or loaded when they are first asked for

    def act(self, views: np.ndarray, masks: np.ndarray) -> np.ndarray:
        """Actions int64 (n,) for views (n,) and masks int8 (n, actions)."""
        views = addressable(np.ascontiguousarray(views))
        own = self._rule.act(views, masks)
        actions = own.astype(np.int64)
        open_ones = np.flatnonzero(np.count_nonzero(masks, axis=1) > 1)
        bits = [np.uint64(draw_bits(self._rng)) for _ in open_ones]
        if not self._warm and len(open_ones):
            k = open_ones[0]
            self._spread(views[k : k + 1], actions[k : k + 1], range(1), bits[0])
            self._warm = True
        if len(open_ones) < len(self._workers):
            for k, b in zip(open_ones, bits, strict=True):
                actions[k] = self._decide(views[k : k + 1], masks[k], own[k], b, self._spread)
            return actions

        def part(number: int) -> None:
            alone = self._workers[number].try_actions
            for i in range(number, len(open_ones), len(self._workers)):
                k = open_ones[i]
                actions[k] = self._decide(views[k : k + 1], masks[k], own[k], bits[i], alone)

        list(self._pool.map(part, range(len(self._workers))))
        return actions

    def _decide(
        self, view: np.ndarray, mask: np.ndarray, own: int, bits: np.uint64, try_actions: Try
    ) -> int:
        legal = np.flatnonzero(mask)
        play_outs = self._budget.count or MOST
        if self._budget.seconds is not None:
            several = len(self._workers) if try_actions == self._spread else 1
            began = time.perf_counter()
            try_actions(view, legal, range(several), bits)
            spent = time.perf_counter() - began
            tables = int(several * self._budget.seconds / spent)
            play_outs = min(play_outs, len(legal) * tables)

        def tried(actions: np.ndarray, tables: range) -> np.ndarray:
            return try_actions(view, actions, tables, bits)

        return decide(tried, legal, int(own), play_outs)

    def _spread(
        self, view: np.ndarray, actions: np.ndarray, tables: range, bits: np.uint64
    ) -> np.ndarray:
        """``try_actions`` with the tables shared out among the threads."""
        size = math.ceil(len(tables) / len(self._workers))
        shares = [tables[i : i + size] for i in range(0, len(tables), size)]
        pairs = zip(self._workers, shares, strict=False)
        running = [self._pool.submit(w.try_actions, view, actions, s, bits) for w, s in pairs]
        return np.concatenate([job.result() for job in running])


def search_agent(game: Game, seed: int = 0, budget: Budget | None = None) -> Agent:
    """The search bot of a game; ValueError if the game has no rule bot to play on with."""
    if rule_kernel(game.name) is None:
        return rule_bot(game, seed, budget or rule_module(game.name).SEARCH)
    return SearchAgent(game, seed, budget)
