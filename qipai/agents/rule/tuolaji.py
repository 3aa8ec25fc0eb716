"""Rule of thumb for tuolaji: look at once, or heads-up after some circles, then bet by the share of
worse hands.

A rival's hand is taken as the best of several random ones: one, another for each compare it has
won, and another for each of the first bets it made after a look.
"""

from __future__ import annotations

from qipai.envs.kernel import kernel
from qipai.envs.parts.betting import live_seats, pot
from qipai.envs.parts.blind_bets import price
from qipai.envs.parts.three_cards import A23, HANDS, WORSE
from qipai.envs.tuolaji import (
    CALL,
    COMPARE,
    FOLD,
    HIGHEST_RAISE,
    LOOK,
    LOWEST_RAISE,
    OPEN,
    RAISE,
    strength,
)

TOP_RAISE = RAISE + HIGHEST_RAISE - LOWEST_RAISE
BLIND_CIRCLES = 3  # between two seats; with more to act the blind price buys too little
TELLING_BETS = 8  # later ones say no more about a rival's hand
PAYMENTS = 1.5  # of the present price that a call leads to, as others bet on


@kernel
def rival_hands(v, me):
    """Of how many random hands the best is as good as the best of the live rivals'."""
    count = 0
    for seat in range(v.seats):
        if v.live[seat] and seat != me:
            count += 1 + min(v.looked_bets[seat], TELLING_BETS)
            for other in range(v.seats):
                count += v.beaten_by[other] == seat
    return count


@kernel
def wanted_raise(v, mask):
    """The smallest raise on offer, later in the hand the largest there is; else CALL."""
    if mask[TOP_RAISE] and v.circles > 1:
        return TOP_RAISE
    for action in range(RAISE, TOP_RAISE + 1):
        if mask[action]:
            return action
    return CALL


@kernel
def compare_with_blind(v, mask, me):
    """A compare with the seat of the largest stake among those that have not looked, else CALL."""
    best, largest = CALL, 0
    for k in range(1, v.seats):
        seat = (me + k) % v.seats
        if mask[COMPARE + k - 1] and not v.looked[seat] and v.stake[seat] > largest:
            best, largest = COMPARE + k - 1, v.stake[seat]
    return best


@kernel
def choose(v, mask, rng):
    """The action for the view ``v`` of the seat to act."""
    me = v.turn
    cost = PAYMENTS * price(v, me)
    odds = cost / (pot(v) + cost)
    if not v.looked[me]:
        cheap = v.unit <= 2 * v.ante and v.circles < BLIND_CIRCLES
        if cheap and live_seats(v) == 2:
            return CALL
        if mask[LOOK]:
            return LOOK
        return CALL if 0.5 ** rival_hands(v, me) >= odds else FOLD
    chance = (WORSE[A23.NONE, strength(v, me)] / HANDS) ** rival_hands(v, me)
    if chance > 0.6:
        return wanted_raise(v, mask)
    if chance < odds:
        return FOLD
    if mask[OPEN] and chance < 0.5:
        return OPEN
    return compare_with_blind(v, mask, me) if chance > 0.35 else CALL
