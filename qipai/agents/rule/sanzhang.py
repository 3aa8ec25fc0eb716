"""Rule of thumb for sanzhang: look at once, then bet by the share of hands that are worse.

A rival's hand is taken as the best of several random ones: one, and another for each of the first
bets it has made after its look.
"""

from __future__ import annotations

from qipai.envs.kernel import kernel
from qipai.envs.parts.betting import next_live, pot
from qipai.envs.parts.blind_bets import allowance, price
from qipai.envs.parts.three_cards import HANDS, KIND, STRAIGHT_FLUSH, WORSE
from qipai.envs.sanzhang import (
    CALL,
    FOLD,
    LOOK,
    OPEN,
    RAISE,
    RAISES,
    raise_size,
    strength,
)

TOP_RAISE = RAISE + RAISES - 1
BETS_BELIEVED = 10
PAYMENTS = 1.5  # of the present price that a call leads to, as others bet on
FAVOURITE = 0.6  # chance from which to raise
NEARLY_SURE = 0.75  # chance from which to raise as much as can be, and not to open


@kernel
def rival_hands(v, me):
    """How many random hands the live rivals' hands are worth together."""
    count = 0
    for seat in range(v.seats):
        if v.live[seat] and seat != me:
            count += 1 + min(v.looked_bets[seat], BETS_BELIEVED)
    return count


@kernel
def break_even(v, cost):
    """The chance of winning from which a payment is worth it."""
    return cost / (pot(v) + cost)


@kernel
def raise_opens(v, me):
    """Whether the next seat could not pay after a low raise, so that all hands are opened."""
    following = next_live(v, me)
    return (v.unit + raise_size(v, 0)) * (1 + v.looked[following]) > allowance(v, following)


@kernel
def choose(v, mask, rng):
    """The action for the view ``v`` of the seat to act."""
    me = v.turn
    if mask[LOOK]:
        return LOOK
    cost, rivals = price(v, me), rival_hands(v, me)
    if not v.looked[me]:  # nor may it
        return CALL if 0.5**rivals >= break_even(v, cost) else FOLD
    worth = strength(v, me)
    if KIND[v.rules.a23, worth] >= STRAIGHT_FLUSH:  # slowly: all are to stay in
        return CALL
    chance = (WORSE[v.rules.a23, worth] / HANDS) ** rivals
    if chance < break_even(v, PAYMENTS * cost):
        return FOLD
    if mask[OPEN] and break_even(v, 2 * cost) < chance < NEARLY_SURE:
        return OPEN
    if mask[TOP_RAISE] and chance > NEARLY_SURE:
        return TOP_RAISE
    if mask[RAISE] and chance > (0.5 if raise_opens(v, me) else FAVOURITE):
        return RAISE
    return CALL
