"""Playing deals in all seatings, and what each match came to."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.lib.recfunctions import repack_fields

from qipai.agents.arena.contestants import FORFEIT, Contestant, Player
from qipai.agents.arena.estimates import Estimate, estimate
from qipai.envs.match import PLAYING
from qipai.envs.tables import Tables

BATCH = 1024  # tables played side by side

Progress = Callable[[int, int], None]


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
