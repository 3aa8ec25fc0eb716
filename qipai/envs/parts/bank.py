"""One seat banks (莊) against each of the others (閒): whose turn it is, and what the others bet.

A record ``s`` has the ``bank_fields`` below. The game knows who may bank and what can be bet, as
kernels ``may_bank(s, seat)`` and ``level(s, seat, k)``: the coins that a seat bets by level k, from
0 on, or 0 if that is not on offer. The first level always is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from qipai.envs.fields import Field
from qipai.envs.kernel import inlined, kernel
from qipai.envs.layout import HIDDEN, NONE
from qipai.envs.match import draw_seat
from qipai.envs.rng import below

LEVELS = 5  # between a lowest and a highest bet


def bank_fields(seats: int) -> tuple[Field, ...]:
    """Who banks, who is in the hand, and what they bet."""
    return (
        Field.seat("banker", "who banks", kept=True),
        Field.flag("joined", "in this hand; a bet is made, or to be made", seats),
        Field.coins("bet", "first bet; none: none (yet)", seats, empty=True, hidden=True),
    )


# --- Who banks -----------------------------------------------------------------------------------


@inlined
def next_banker(s, may_bank):
    """A seat that may bank: in the first hand by lot, later the next one after the last banker.

    −1 if there is none.
    """
    if s.hand == 0:
        return draw_seat(s, may_bank)
    found = -1
    for k in range(1, s.seats + 1):
        seat = (s.banker + k) % s.seats
        if found < 0 and may_bank(s, seat):
            found = seat
    return found


# --- Bets ----------------------------------------------------------------------------------------


@kernel
def level_amount(low, high, k):
    """Coins of level k of LEVELS that rise evenly from ``low`` to ``high``, rounded down."""
    return low + k * (high - low) // (LEVELS - 1)


@kernel
def level_within(coins, low, high, k):
    """Coins of that level; 0 if it is above ``coins``, or no more than the level below."""
    amount = level_amount(low, high, k)
    if amount > coins or (k > 0 and amount == level_amount(low, high, k - 1)):
        return 0
    return amount


@inlined
def levels_open(s, seat, levels, level):
    """How many levels a seat can choose from."""
    count = 0
    for k in range(levels):
        count += level(s, seat, k) > 0
    return count


@inlined
def all_have_bet(s, levels, level):
    """On to the first 閒 after the banker that has yet to bet and has a choice; whether there is
    none. Those without a choice bet the first level unasked.
    """
    waiting = False
    for k in range(1, s.seats):
        seat = (s.banker + k) % s.seats
        if not waiting and s.joined[seat] and s.bet[seat] == NONE:
            if levels_open(s, seat, levels, level) > 1:
                s.turn = seat
                waiting = True
            else:
                s.bet[seat] = level(s, seat, 0)
    return not waiting


@kernel
def hide_bets(s, seat):
    """Hide what others have bet."""
    for other in range(s.seats):
        if other != seat and s.bet[other] >= 0:
            s.bet[other] = HIDDEN


@inlined
def redeal_bets(s, levels, level):
    """Draw hidden bets among the levels on offer."""
    for seat in range(s.seats):
        if s.bet[seat] == HIDDEN:
            pick = below(s.rng, levels_open(s, seat, levels, level))
            for k in range(levels):
                coins = level(s, seat, k)
                if coins > 0:
                    if pick == 0:
                        s.bet[seat] = coins
                    pick -= 1


# --- What can't be -------------------------------------------------------------------------------


def bet_faults(
    s: np.void, start: np.void, betting: bool, levels: int, level: Callable[..., Any]
) -> Iterator[str]:
    """What can't be about bets and who is to bet, sentence by sentence: ``Game.contradiction``.

    Args:
        start: the table as its hand began, by which levels were on offer.
        betting: whether some bet is still to come, or the hand ended before the last one.
    """
    seats, banker, turn = int(s["seats"]), int(s["banker"]), int(s["turn"])
    order = [(banker + k) % seats for k in range(1, seats)]
    due = [p for p in order if s["joined"][p]]
    for p, bet in enumerate(s["bet"].tolist()):
        if p not in due:
            if bet != NONE:
                yield f"bet[{p}] is {bet}, but the seat has no bet in this hand"
            continue
        amounts = [int(level(start, p, k)) for k in range(levels)]
        if bet >= 0 and (bet == 0 or bet not in amounts):
            yield f"bet[{p}] is {bet}: expected one of {[coins for coins in amounts if coins]}"
        if bet < 0 and not betting:
            yield f"bet[{p}] is {bet}, but all bets are in"
    has_bet = [p for p in due if s["bet"][p] != NONE]
    if betting and not s["ended"] and (turn not in due or has_bet != due[: due.index(turn)]):
        yield f"turn is {turn}: expected the first 閒 that has not bet; those that have: {has_bet}"
