"""Baccarat dealt many times: what the spots bring from a whole shoe, and what counting is worth.

    python benchmarks/baccarat_means.py                # ten million hands, a million counted ones

The first table has the exact mean of a coin on each spot beside what whole shoes, freshly shuffled,
have brought; its intervals hold all seven with 95 %. Then the rule bot bets through shoes of eight
packs at the default options, with the default stack in every hand: the mean coins a hand it can
expect by the cards left, and got. These intervals of 95 % are by shoes, as hands of one shoe are
not independent.
"""

from __future__ import annotations

import argparse
import time
from typing import Any

import numpy as np

from qipai.agents.rule.baccarat import count_spots, mean, plan, work
from qipai.envs.baccarat import (
    CARDS,
    GAME,
    ON_BPAIR,
    ON_PPAIR,
    SPOTS,
    deal,
    deal_hands,
    odds,
    pay,
)
from qipai.envs.kernel import kernel
from qipai.envs.match import unplayed
from qipai.envs.parts import chips
from qipai.envs.rng import next_block

STAKE = 100  # coins, so that no payment is rounded
DEVIATIONS = 1.96  # of 95 %
OF_SEVEN = 2.69  # the same for all seven spots at once (Bonferroni)


@kernel
def deal_many(s, hands, sums, squares):
    """Hands from whole shoes; what STAKE coins on each spot have brought, and its squares."""
    for _ in range(hands):
        next_block(s.rng)
        deal(s)
        deal_hands(s)
        for spot in range(len(sums)):
            coins = pay(s, spot, np.int64(STAKE))
            sums[spot] += coins
            squares[spot] += coins * coins


@kernel
def every_way(s, spot):
    """In how many ways the cards fall that decide a spot."""
    left = CARDS * s.rules.decks - s.dealt
    cards = 2 if spot in (ON_BPAIR, ON_PPAIR) else 6
    ways = 1.0
    for k in range(cards):
        ways *= left - k
    return ways


@kernel
def laid(s, spot, wanted):
    """Coins of the chips wanted on a spot."""
    coins = np.int64(0)
    for size in range(chips.SIZES):
        chip = chips.SIZES * spot + size
        coins += wanted[chip] * chips.amount(s, chip)
    return coins


@kernel
def bet_many(s, work, expected, got, hands, bets):
    """The rule bot bets through shoes: coins it expects and gets, hands, and hands with a bet."""
    around, first, ways, chances, served, wanted = work
    shoe = -1
    s.hand = -1
    while True:
        s.hand += 1
        next_block(s.rng)
        deal(s)
        shoe += s.dealt == 0
        if shoe == len(hands):
            return
        count_spots(s, around, first, ways, chances)
        plan(s, chances, served, wanted)
        for spot in range(len(chances)):
            stake = laid(s, spot, wanted)
            won = chances[spot, 0] * (stake * odds(s, spot) // 100 + 0.0)
            expected[shoe] += (won - chances[spot, 1] * (stake + 0.0)) / every_way(s, spot)
        deal_hands(s)
        bet = np.int64(0)
        for spot in range(len(chances)):
            stake = laid(s, spot, wanted)
            bet += stake
            got[shoe] += pay(s, spot, stake)
        hands[shoe] += 1
        bets[shoe] += bet > 0


def table(**options: Any) -> np.ndarray:
    return unplayed(GAME, 1, seats=1, **options)


def spots(hands: int) -> None:
    """Exact means beside those of many hands."""
    s, every = table(fresh_shoe=True)[0], len(SPOTS)
    s["hand"] = 0
    sums, squares = np.zeros(every, np.int64), np.zeros(every, np.int64)
    begin = time.perf_counter()
    deal_many(s, hands, sums, squares)
    took = time.perf_counter() - begin
    around, first, ways, chances, _, _ = work()
    fresh = table()[0]
    count_spots(fresh, around, first, ways, chances)
    print(f"{hands:,} hands, {hands / took:,.0f} a second")
    print(f"{'spot':8} {'exact':>10} {'dealt':>10} {'±':>9}  within")
    for spot, name in enumerate(SPOTS):
        brought = sums[spot] / hands / STAKE
        spread = (squares[spot] / hands / STAKE**2 - brought**2) ** 0.5
        wide, exact = (
            OF_SEVEN * spread / hands**0.5,
            mean(fresh, spot, chances) / every_way(fresh, spot),
        )
        inside = abs(brought - exact) <= wide
        print(f"{name:8} {exact:10.6f} {brought:10.6f} {wide:9.6f}  {'yes' if inside else 'no'}")


def counting(shoes: int) -> None:
    """What the rule bot expects and gets."""
    expected, got = np.zeros(shoes), np.zeros(shoes, np.int64)
    hands, bets = np.zeros(shoes, np.int64), np.zeros(shoes, np.int64)
    begin = time.perf_counter()
    bet_many(table(hands=1000)[0], work(), expected, got, hands, bets)
    took = time.perf_counter() - begin
    print(f"{hands.sum():,} hands of {shoes:,} shoes, {hands.sum() / took:,.0f} a second")
    print(f"with a bet: {100 * bets.sum() / hands.sum():.2f} % of the hands")
    for name, coins in (("expected", expected), ("got", got)):
        each = coins.sum() / hands.sum()
        wide = DEVIATIONS * float((coins - each * hands).std()) / shoes**0.5 / hands.mean()
        print(f"{name:8} {each:+.4f} ± {wide:.4f} coins a hand")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--hands", type=int, default=10_000_000)
    parser.add_argument("--shoes", type=int, default=15_000)
    arguments = parser.parse_args()
    spots(arguments.hands)
    counting(arguments.shoes)


if __name__ == "__main__":
    main()
