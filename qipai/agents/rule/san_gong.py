"""The best play of San Gong (san_gong): every way to win coins is fair or worse, so risk little.

Before rake the bank and every bet are fair, as the winner's coefficient decides both ways; the rake
takes a share of all that is won, the more the larger the stakes are. But a seat never loses more
than it owns: one that owns little for the base bet stakes as much as it can. With the coefficients
9, 7, 5, 3, 1 and a rake of 5 % that is the best up to 11.9 base bets, while the bank is sound. In a
casino every spot loses on average.
"""

from __future__ import annotations

from qipai.envs.kernel import kernel
from qipai.envs.san_gong import BET, BETTING, MULTIPLES, base_bet, default

FEW = 119  # tenths of base bets, up to which the highest stake is the best


@kernel
def choose(v, mask, rng):
    """The action for the view ``v`` of the seat to act."""
    if v.phase == BETTING and 10 * v.stack[v.turn] <= FEW * base_bet(v):
        multiple = MULTIPLES - 1
        while not mask[BET + multiple]:
            multiple -= 1
        return BET + multiple
    return default(v)
