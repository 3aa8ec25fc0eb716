"""Rule bot of tuidaohu: discards what keeps the hand nearest to complete, with most tiles to help.

It counts the tiles still missing to a complete hand (parts/melds.py) and the unseen tiles that
would bring it nearer. It wins whenever it can: hands are won by the own draw alone, so to decline a
small one for a big one gives too much away. It pongs if that brings the hand nearer.
"""

from __future__ import annotations

import numpy as np

from qipai.agents.tiles_missing import count_unseen, missing_after, useful, work
from qipai.envs.kernel import kernel
from qipai.envs.parts.melds import missing, orphans_missing, pairs_missing
from qipai.envs.parts.tiles import COPIES, KINDS, RANKS, WIND
from qipai.envs.parts.wall import CLAIM, PONGED, ROB, wall_left
from qipai.envs.tuidaohu import (
    ADD_KONG,
    CALL_KONG,
    CALL_PONG,
    CONCEAL_KONG,
    DISCARD,
    PASS,
    WIN,
    big_kinds,
)

LATE = 40  # tiles in the wall below which a fed kong is thought of
SETBACK = 1  # tiles that a kong may cost: it is paid for even if another seat wins


@kernel
def otherwise(hand):
    return min(pairs_missing(hand), orphans_missing(hand))


@kernel
def weight(v, seat, melds, lacking):
    """Tiles of a big win count twice."""
    big = lacking == 1 and v.melds[seat] == melds and big_kinds(v, seat) != 0
    return 2 if big else 1


@kernel
def best_discard(v, seat, melds, left, after, ranks, honours):
    """How many tiles the hand lacks after the best discard, and that tile."""
    hand = v.tiles[seat]
    least = missing_after(hand, melds, after, ranks, honours, otherwise)
    best, highest = -1, -1
    for tile in range(KINDS):
        if after[tile] == least:
            hand[tile] -= 1
            worth = 8 * useful(v, seat, melds, least, left, ranks, honours, otherwise, weight)
            hand[tile] += 1
            worth += preference(v, tile, left)
            if worth > highest:
                best, highest = tile, worth
    return least, best


@kernel
def preference(v, tile, left):
    """Among discards that are worth the same: 0…7, the highest goes first."""
    if wall_left(v) < LATE and left[tile] == COPIES - 1:  # may feed a kong
        return 0
    if tile >= WIND:
        return 7
    return 5 if tile % RANKS in (0, RANKS - 1) else 3  # terminals make fewer runs


@kernel
def missing_without(v, seat, tile, n, melds, ranks, honours):
    """How many tiles a hand lacks with n of a kind laid."""
    v.tiles[seat, tile] -= n
    lacking = missing(v.tiles[seat], melds, ranks, honours)
    v.tiles[seat, tile] += n
    return lacking


@kernel
def answer(v, mask, seat, left, after, ranks, honours):
    """Pong, kong or pass."""
    tile, melds = v.offer, np.int64(v.melds[seat])
    lacking = missing(v.tiles[seat], melds, ranks, honours)
    if mask[CALL_KONG]:
        kong = missing_without(v, seat, tile, 3, melds + 1, ranks, honours)
        if kong <= lacking + SETBACK:
            return CALL_KONG
    if mask[CALL_PONG]:
        v.tiles[seat, tile] -= 2
        pong, _ = best_discard(v, seat, melds + 1, left, after, ranks, honours)
        v.tiles[seat, tile] += 2
        if pong < lacking:
            return CALL_PONG
    return PASS


@kernel
def choose(v, mask, rng, work):
    """The action for the view ``v`` of the seat to act; leaves the view as it was."""
    left, after, ranks, honours = work
    seat = v.turn
    if mask[WIN]:
        return WIN
    if v.phase == ROB:
        return PASS
    count_unseen(v, seat, left)
    if v.phase == CLAIM:
        return answer(v, mask, seat, left, after, ranks, honours)
    melds = np.int64(v.melds[seat])
    lacking, best = best_discard(v, seat, melds, left, after, ranks, honours)
    if v.phase != PONGED:
        for tile in range(KINDS):
            if mask[CONCEAL_KONG + tile]:
                kong = missing_without(v, seat, tile, COPIES, melds + 1, ranks, honours)
                if kong <= lacking + SETBACK:
                    return CONCEAL_KONG + tile
            if mask[ADD_KONG + tile] and after[tile] <= lacking + SETBACK:
                return ADD_KONG + tile
    return DISCARD + best


__all__ = ["choose", "work"]
