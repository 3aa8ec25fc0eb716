"""Rule of thumb for tuolaji: stay blind while it is cheap, then bet by the share of worse hands.

A rival's hand is taken as the best of several random ones: one, another for each compare it has
won, and another if it goes on betting after a look.
"""

from __future__ import annotations

import numpy as np

from qipai.envs.kernel import kernel
from qipai.envs.parts.three_cards import A23_NONE, FLUSH, HANDS, KIND, WORSE
from qipai.envs.tuolaji import (
    CALL,
    COMPARE,
    FOLD,
    HIGHEST_RAISE,
    LOOK,
    LOWEST_RAISE,
    OPEN,
    RAISE,
    allowance,
    pot,
    price,
    strength,
)

TOP_RAISE = RAISE + HIGHEST_RAISE - LOWEST_RAISE
BLIND_CIRCLES = 2
KING_HIGH = 0.42  # share of hands worse than the weakest with a king


@kernel
def looked(v, seat):
    return v.seen[seat, seat] == 1


@kernel
def rival_hands(v, me):
    """How many random hands the live rivals' hands are worth together."""
    count = 0
    for seat in range(v.seats):
        if v.live[seat] and seat != me:
            count += 1 + (v.looked_bets[seat] > 0)
            for other in range(v.seats):
                count += v.beaten_by[other] == seat
    return count


@kernel
def looked_raiser(v, me):
    """Whether a live rival has raised after its look."""
    for seat in range(v.seats):
        if v.live[seat] and seat != me and looked(v, seat) and v.raises[seat] > 0:
            return True
    return False


@kernel
def lowest_raise(v, mask):
    for action in range(RAISE, TOP_RAISE + 1):
        if mask[action]:
            return action
    return CALL


@kernel
def best_compare(v, mask, me):
    """With the blind seat of the largest stake, else with the one that raised least; CALL: none."""
    best, merit = CALL, 0
    for k in range(1, v.seats):
        seat = (me + k) % v.seats
        if mask[COMPARE + k - 1]:
            worth = 1_000_000 - v.raises[seat]
            if not looked(v, seat):
                worth += 1_000_000 + v.stake[seat] // v.ante
            if worth > merit:
                best, merit = COMPARE + k - 1, worth
    return best


@kernel
def choose_blind(v, mask, me):
    cheap = v.unit <= 2 * v.ante and v.circles < BLIND_CIRCLES
    if mask[LOOK] and not cheap:
        return LOOK
    cost = price(v, me)
    if cheap or 0.5 ** rival_hands(v, me) >= cost / (pot(v) + cost):
        return CALL
    return FOLD


@kernel
def choose(v, mask, rng):
    me = np.int64(v.turn)
    if not looked(v, me):
        return choose_blind(v, mask, me)
    worth, cost = strength(v, me), price(v, me)
    worse = WORSE[A23_NONE, worth] / HANDS
    chance = worse ** rival_hands(v, me)
    strong = KIND[A23_NONE, worth] >= FLUSH
    if mask[OPEN] and (worse > 0.75 or allowance(v, me) < 3 * cost) and not strong:
        return OPEN
    if strong:
        return TOP_RAISE if mask[TOP_RAISE] else CALL
    if chance < cost / (pot(v) + cost) or (worse < KING_HIGH and looked_raiser(v, me)):
        return FOLD
    if chance > 0.6:
        return lowest_raise(v, mask)
    if chance > 0.35:
        return best_compare(v, mask, me)
    return CALL
