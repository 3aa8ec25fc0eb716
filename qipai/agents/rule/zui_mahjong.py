"""Rule bot of zui mahjong: goes for the hand that is nearest and worth most, and defends.

It discards what keeps the hand nearest to complete, with most unseen tiles to help, and holds on to
one suit with honours where most of the hand is of them. A hand that waits is declared ready where
that is worth more than the waits it gives up. While another seat is ready and its own hand is far
off, it discards what that seat has let pass. It wins whenever it can.
"""

from __future__ import annotations

import numpy as np

from qipai.agents.tiles_missing import count_unseen, missing_after, useful, work
from qipai.envs.kernel import kernel
from qipai.envs.layout import NONE
from qipai.envs.parts.melds import FAR, missing, pairs_missing
from qipai.envs.parts.tiles import COPIES, KINDS, RANKS, WIND
from qipai.envs.parts.wall import CLAIM, PONGED, ROB, SEATS, copies
from qipai.envs.zui_mahjong import (
    ADD_KONG,
    CALL_KONG,
    CALL_PONG,
    CONCEAL_KONG,
    DISCARD,
    PASS,
    READY,
    WIN,
    best_pair,
    is_complete,
    is_one,
    value_read,
    waits_of,
)

FLUSH = 10  # tiles of one suit and honours, of fourteen, that are kept together
SETBACK = 1  # tiles that a kong may cost
FAR_OFF = 3  # tiles a hand lacks that is given up while another seat is ready


# --- Where the hand goes -------------------------------------------------------------------------


@kernel
def flush_suit(v, seat):
    """The suit of which, with honours, a seat has ``FLUSH`` tiles or more; NONE: there is none."""
    honours = 0
    for tile in range(WIND, KINDS):
        honours += copies(v, seat, tile)
    best, most = NONE, FLUSH - 1
    for k in range(3):
        count = honours
        for rank in range(RANKS):
            count += copies(v, seat, RANKS * k + rank)
        if count > most:
            best, most = k, count
    return best


@kernel
def fits(tile, suit):
    """Whether a kind is of a suit or an honour."""
    return tile >= WIND or tile // RANKS == suit


@kernel
def otherwise(hand):
    return pairs_missing(hand)


@kernel
def weight(v, seat, melds, lacking):
    return 1


@kernel
def best_discard(v, seat, melds, left, after, ranks, honours):
    """How many tiles the hand lacks after the best discard, and that tile; with a bonus of one tile
    for keeping to one suit."""
    hand = v.tiles[seat]
    missing_after(hand, melds, after, ranks, honours, otherwise)
    suit = flush_suit(v, seat)
    least = FAR
    for tile in range(KINDS):
        if suit != NONE and after[tile] < FAR and not fits(tile, suit):
            after[tile] -= 1
        least = min(least, after[tile])
    best, highest = -1, -1
    for tile in range(KINDS):
        if after[tile] == least:
            lacking = least + (suit != NONE and not fits(tile, suit))
            hand[tile] -= 1
            worth = 8 * useful(v, seat, melds, lacking, left, ranks, honours, otherwise, weight)
            hand[tile] += 1
            worth += preference(tile)
            if worth > highest:
                best, highest = tile, worth
    return least + (suit != NONE and not fits(best, suit)), best


@kernel
def preference(tile):
    """Among discards that are worth the same: the highest goes first."""
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


# --- Ready or not --------------------------------------------------------------------------------


@kernel
def hope(v, seat, left, ready):
    """What the waits of a hand are worth: F of each unseen tile that completes it, added up."""
    kinds = waits_of(v, seat)
    if ready:
        v.ready[seat] = 0
    offer, total = v.offer, 0
    for tile in range(KINDS):
        if kinds >> tile & 1 and left[tile] > 0:
            v.offer = tile
            v.tiles[seat, tile] += 1
            if is_complete(v, seat):
                total += left[tile] * value_read(v, seat, best_pair(v, seat))
            v.tiles[seat, tile] -= 1
    v.offer = offer
    if ready:
        v.ready[seat] = NONE
    return total


@kernel
def should_declare(v, seat, left, after):
    """Whether declaring ready with the best single wait beats waiting on without."""
    best, quiet = 0, 0
    for tile in range(KINDS):
        if after[tile] <= 1 and v.tiles[seat, tile] > 0:
            v.tiles[seat, tile] -= 1
            if is_one(waits_of(v, seat)):
                best = max(best, hope(v, seat, left, True))
            quiet = max(quiet, hope(v, seat, left, False))
            v.tiles[seat, tile] += 1
    return best > quiet


@kernel
def best_declared(v, mask, seat, left):
    """The discard that declares ready with the most worth."""
    best, highest = -1, -1
    for tile in range(KINDS):
        if mask[DISCARD + tile]:
            v.tiles[seat, tile] -= 1
            worth = hope(v, seat, left, True)
            v.tiles[seat, tile] += 1
            if worth > highest:
                best, highest = tile, worth
    return best


# --- Defence -------------------------------------------------------------------------------------


@kernel
def is_threatened(v, seat):
    """Whether another seat is ready."""
    count = 0
    for other in range(SEATS):
        count += other != seat and v.ready[other] != NONE
    return count > 0


@kernel
def danger(v, seat, tile, left):
    """How likely another ready seat waits for a kind: none for those it has let pass."""
    total = 0
    for other in range(SEATS):
        if other != seat and v.ready[other] != NONE:
            passed = False
            for i in range(v.ready[other] + 1, v.discards):
                passed |= v.river[i] == tile
            if not passed:
                total += 2 * left[tile] + (1 if tile >= WIND else 4)
    return total


@kernel
def safest(v, seat, left, after):
    """The discard that is least dangerous, and of these the one that leaves the hand nearest."""
    best, least = -1, 1_000_000
    for tile in range(KINDS):
        if v.tiles[seat, tile] > 0:
            risk = 100 * danger(v, seat, tile, left) + after[tile]
            if risk < least:
                best, least = tile, risk
    return best


# --- Choices -------------------------------------------------------------------------------------


@kernel
def answer(v, mask, seat, left, after, ranks, honours):
    """Pong, kong or pass."""
    tile, melds = v.offer, np.int64(v.melds[seat])
    lacking = missing(v.tiles[seat], melds, ranks, honours)
    if mask[CALL_KONG]:
        kong = missing_without(v, seat, tile, 3, melds + 1, ranks, honours)
        if kong <= lacking:
            return CALL_KONG
    v.tiles[seat, tile] -= 2
    pong, _ = best_discard(v, seat, melds + 1, left, after, ranks, honours)
    v.tiles[seat, tile] += 2
    return CALL_PONG if pong < lacking else PASS


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
    if v.declaring:
        return DISCARD + best_declared(v, mask, seat, left)
    if v.phase == CLAIM:
        return answer(v, mask, seat, left, after, ranks, honours)
    if v.ready[seat] != NONE:
        return DISCARD + v.drawn
    melds = np.int64(v.melds[seat])
    lacking, best = best_discard(v, seat, melds, left, after, ranks, honours)
    if v.phase != PONGED:
        for tile in range(KINDS):
            if mask[CONCEAL_KONG + tile]:
                kong = missing_without(v, seat, tile, COPIES, melds + 1, ranks, honours)
                if kong <= lacking + SETBACK:
                    return CONCEAL_KONG + tile
            if mask[ADD_KONG + tile] and after[tile] <= lacking:
                return ADD_KONG + tile
    if mask[READY] and should_declare(v, seat, left, after):
        return READY
    if lacking >= FAR_OFF and is_threatened(v, seat):
        return DISCARD + safest(v, seat, left, after)
    return DISCARD + best


__all__ = ["choose", "work"]
