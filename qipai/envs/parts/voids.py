"""Dealing hidden cards to the seats that may hold them, where some are known to be void.

The takers are the three seats after the own one, 0…2; a set of them is a number of three bits. A
card may go to the takers that are not void of its class (a suit, a rank). By Hall's theorem all
cards can be placed just if, for each set of takers, those that may go nowhere else are no more than
the free places there. Both are kept for all eight sets at once, one byte a set::

    need = room = 0
    for each class: need += CONFINED[takers allowed] * unseen
    for each taker: room += PLACES[taker] * free
    for each card:  taker = draw_taker(rng, need, room, takers allowed)
                    need -= CONFINED[takers allowed]
                    room -= PLACES[taker]

A byte holds at most 127 cards. Deal first what the fewest may have: where the sets of takers
allowed lie one within the other, every deal is then equally likely.
"""

from __future__ import annotations

import numpy as np

from qipai.envs.kernel import kernel
from qipai.envs.rng import below

TAKERS = 3
_SETS = range(1 << TAKERS)
_BYTE = 127
_TOPS = np.int64(-0x7F7F7F7F7F7F7F80)  # the highest bit of each byte
# By the takers allowed, and by taker: 1 in the byte of each set that has them all, that has it.
CONFINED = np.array([sum(1 << 8 * t for t in _SETS if allowed & ~t == 0) for allowed in _SETS])
PLACES = np.array([sum(1 << 8 * t for t in _SETS if t >> k & 1) for k in range(TAKERS)])


@kernel
def can_be_placed(need, room):
    """Whether cards can be placed of which ``need`` are confined to each set with so much room."""
    return ((room | _TOPS) - need) & _TOPS == _TOPS


@kernel
def _free(need, room, allowed, taker):
    """Free places of a taker, none if it can't have a card that these takers may have."""
    if allowed >> taker & 1 == 0:
        return 0
    free = room >> (8 << taker) & _BYTE
    placed = can_be_placed(need - CONFINED[allowed], room - PLACES[taker])
    return free if free > 0 and placed else 0


@kernel
def draw_taker(rng, need, room, allowed):
    """Who gets a card that only the takers ``allowed`` may have, so that all others find a place.

    By lot in proportion to free places; −1 if nobody can have it.
    """
    total = 0
    for taker in range(TAKERS):
        total += _free(need, room, allowed, taker)
    if total == 0:
        return -1
    place = below(rng, total)
    for taker in range(TAKERS):
        place -= _free(need, room, allowed, taker)
        if place < 0:
            return taker
    return -1
