"""Rule of thumb for Hong Kong five-card stud: expected coins over random hidden cards.

Before the last card the hidden cards of all live seats are drawn many times; after it only hole
cards are hidden, and chances are counted. A seat that has bet is taken to hold the best of several
hole cards, two more for each round in which a bet was its last word. So the bot knows how often it
wins and, as losers pay at most the winner's stake, what a call would bring if nobody bet any more.
It calls if that is more than what a fold costs, and bets if it wins clearly more often than its
share.
"""

from __future__ import annotations

import numpy as np

from qipai.envs.hk_five_card import (
    ALL_IN,
    CARDS,
    LOWEST,
    RAISE,
    RAISES,
    ROUNDS,
    SEATS,
    call_cost,
    capped_due,
    coins_left,
    due,
    value,
)
from qipai.envs.kernel import kernel
from qipai.envs.parts.betting import live_seats, pot
from qipai.envs.parts.cards import BIT
from qipai.envs.parts.rounds import CALL, CHECK, FOLD
from qipai.envs.parts.stud import seen_cards, visible_hand
from qipai.envs.rng import below

SAMPLES = 64
DOUBT = 2  # hole cards more for each round in which a rival bet
GOOD, GREAT = 0.1, 0.4  # how far from the own share of wins to all of them


def work():
    """Room for each seat's possible hole cards, as sets of one bit, and what they make its hand
    worth."""
    return np.zeros((SEATS, CARDS), np.int64), np.zeros(CARDS, np.int64)


@kernel
def unseen_cards(v):
    """The cards that the seat with this view has not seen, as a set of bits."""
    return (((1 << CARDS) - 1) << LOWEST) & ~seen_cards(v)


@kernel
def sort_holes(v, seat, unseen, holes, worth):
    """Write the unseen cards to ``holes``, the worst for a seat's open cards first; how many."""
    shown, count = visible_hand(v, seat), 0
    for k in range(CARDS):
        card = BIT[LOWEST + k]
        if unseen & card:
            place, new = count, value(shown | card)
            while place > 0 and worth[place - 1] > new:
                holes[place], worth[place] = holes[place - 1], worth[place - 1]
                place -= 1
            holes[place], worth[place] = card, new
            count += 1
    return count


@kernel
def rounds_bet(v, seat):
    """In how many rounds a bet was the last action of a seat."""
    rounds = 0
    for street in range(v.street + 1):
        rounds += v.last_action[street, seat] >= RAISE
    return rounds


@kernel
def draws_of(v, seat):
    """Of how many hole cards a rival is taken to hold the best."""
    return 1 + DOUBT * rounds_bet(v, seat)


@kernel
def draw_card(unseen, rng):
    """A random one of the unseen cards, as a set of one bit."""
    card = BIT[LOWEST + below(rng, CARDS)]
    while not unseen & card:
        card = BIT[LOWEST + below(rng, CARDS)]
    return card


@kernel
def draw_hole(holes, count, draws, unseen, rng):
    """The best of as many draws from the sorted hole cards; again if it is not unseen any more."""
    card = np.int64(0)
    while not unseen & card:
        best = 0
        for _ in range(draws):
            best = max(best, below(rng, count))
        card = holes[best]
    return card


@kernel
def drawn_winner(v, own, unseen, holes, count, rng):
    """Who wins if all live seats stay, with hidden and coming cards drawn at random."""
    winner, highest = own, 0
    for seat in range(v.seats):
        if v.live[seat]:
            hand = visible_hand(v, seat)
            if seat == own:
                hand |= BIT[v.hole[own]]
            else:
                hole = draw_hole(holes[seat], count, draws_of(v, seat), unseen, rng)
                unseen ^= hole
                hand |= hole
            for _ in range(ROUNDS - 1 - v.street):
                card = draw_card(unseen, rng)
                unseen ^= card
                hand |= card
            worth = value(hand)
            if worth > highest:
                winner, highest = seat, worth
    return winner


@kernel
def sampled(v, own, unseen, holes, worth, rng):
    """How often a seat wins if all stay, and what a call brings it then, in coins."""
    count = 0
    for seat in range(v.seats):
        if v.live[seat] and seat != own:
            count = sort_holes(v, seat, unseen, holes[seat], worth)
    stake, reward = called_stake(v, own), prize(v, own)
    wins, coins = 0, 0.0
    for _ in range(SAMPLES):
        winner = drawn_winner(v, own, unseen, holes, count, rng)
        if winner == own:
            wins += 1
            coins += reward
        else:
            coins -= capped_due(stake, called_stake(v, winner))
    return wins / SAMPLES, coins / SAMPLES


@kernel
def counted(v, own, unseen):
    """``sampled``, for after the last card: each rival loses with some of the unseen hole cards."""
    mine = value(visible_hand(v, own) | BIT[v.hole[own]])
    stake, chance, losses, losing = called_stake(v, own), 1.0, 0.0, 0.0
    for seat in range(v.seats):
        if v.live[seat] and seat != own:
            shown, cards, worse = visible_hand(v, seat), 0, 0
            for k in range(CARDS):
                if unseen & BIT[LOWEST + k]:
                    cards += 1
                    worse += value(shown | BIT[LOWEST + k]) < mine
            beaten = (worse / cards) ** draws_of(v, seat)
            chance *= beaten
            losses += (1 - beaten) * capped_due(stake, called_stake(v, seat))
            losing += 1 - beaten
    lost = losses / losing if losing > 0 else 0.0
    return chance, chance * prize(v, own) - (1 - chance) * lost


@kernel
def called_stake(v, seat):
    """The stake of a live seat once it has called."""
    return v.stake[seat] + call_cost(v, seat)


@kernel
def prize(v, own):
    """What the others pay if all call and the own seat wins."""
    stake = called_stake(v, own)
    coins = 0
    for seat in range(v.seats):
        if seat != own:
            live = v.live[seat]
            coins += capped_due(called_stake(v, seat), stake) if live else due(v, seat, own)
    return coins


@kernel
def bet(v, mask, wanted):
    """The largest raise on offer up to ``wanted``, else call or check."""
    for action in range(wanted, RAISE - 1, -1):
        if mask[action]:
            return action
    return CALL if mask[CALL] else CHECK


@kernel
def choose(v, mask, rng, work):
    """The action for the view ``v`` of the seat to act."""
    own = v.turn
    if v.street == 0 and v.hole[own] // 4 == v.up[own, 0] // 4:
        return bet(v, mask, RAISE + 1)
    unseen = unseen_cards(v)
    if v.street == ROUNDS - 1:
        wins, coins = counted(v, own, unseen)
    else:
        wins, coins = sampled(v, own, unseen, work[0], work[1], rng)
    share = 1 / live_seats(v)
    edge = (wins - share) / (1 - share)
    short = coins_left(v, own) < 2 * pot(v)
    if mask[ALL_IN] and edge > (GOOD if short else GREAT):
        return ALL_IN
    if edge > GOOD:
        return bet(v, mask, RAISE + RAISES - 1)
    if mask[CHECK]:
        return CHECK
    return CALL if mask[CALL] and coins > -v.stake[own] else FOLD
