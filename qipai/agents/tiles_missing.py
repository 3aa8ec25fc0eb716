"""How near a mahjong hand is to complete after a discard, and which unseen tiles bring it nearer.

For rule bots. ``hand`` is a row of counts by kind; ``left`` says how many tiles of each kind are
unseen; ``ranks`` and ``honours`` are the tables of parts/melds.py. A game's other complete hands
come in as a kernel ``otherwise(hand)``: the tiles that a hand without melds lacks for those.
"""

from __future__ import annotations

import numpy as np

from qipai.envs.kernel import inlined, kernel
from qipai.envs.parts.melds import FAR, HONOURS, distance, distances, goal_of, index, join
from qipai.envs.parts.tiles import KINDS, RANKS
from qipai.envs.parts.wall import unseen


@kernel
def _entry(hand, k, ranks, honours):
    """The distances of the k-th suit of a hand."""
    if k < 3:
        return ranks[index(hand, RANKS * k, RANKS)]
    return honours[index(hand, 3 * RANKS, HONOURS)]


@kernel
def _others(hand, k, ranks, honours):
    """The distances of the three other suits together."""
    one = join(_entry(hand, (k + 1) % 4, ranks, honours), _entry(hand, (k + 2) % 4, ranks, honours))
    return join(one, _entry(hand, (k + 3) % 4, ranks, honours))


@kernel
def count_unseen(v, seat, left):
    """Fill ``left`` with how many tiles of each kind a seat has not seen."""
    for tile in range(KINDS):
        left[tile] = unseen(v, seat, tile)


@inlined
def missing_after(hand, melds, after, ranks, honours, otherwise):
    """Fill ``after`` with the tiles a hand lacks once a kind is discarded, FAR for kinds it has
    not; returns the least."""
    goal = goal_of(melds)
    least = FAR
    for k in range(4):
        rest = _others(hand, k, ranks, honours)
        for tile in range(RANKS * k, min(RANKS * k + RANKS, KINDS)):
            after[tile] = FAR
            if hand[tile] > 0:
                hand[tile] -= 1
                after[tile] = distance(rest, _entry(hand, k, ranks, honours), goal)
                if melds == 0:
                    after[tile] = min(after[tile], otherwise(hand))
                hand[tile] += 1
                least = min(least, after[tile])
    return least


@inlined
def useful(v, seat, melds, lacking, left, ranks, honours, otherwise, weight):
    """Unseen tiles that bring a seat's hand nearer than ``lacking``, each as often as
    ``weight(v, seat, melds, lacking)`` says with the tile in the hand."""
    hand = v.tiles[seat]
    goal = goal_of(melds)
    special = melds == 0 and otherwise(hand) <= lacking
    count = 0
    for k in range(4):
        rest = _others(hand, k, ranks, honours)
        for tile in range(RANKS * k, min(RANKS * k + RANKS, KINDS)):
            if left[tile] > 0:
                hand[tile] += 1
                if distance(rest, _entry(hand, k, ranks, honours), goal) < lacking or (
                    special and otherwise(hand) < lacking
                ):
                    count += left[tile] * weight(v, seat, melds, lacking)
                hand[tile] -= 1
    return count


def work() -> tuple[np.ndarray, ...]:
    """Room for two counts by kind, and the tables of distances."""
    return np.zeros(KINDS, np.int64), np.zeros(KINDS, np.int64), *distances()
