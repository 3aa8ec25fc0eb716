"""Expected coins for blackjack, counted from the cards not seen.

As a 閒 the bot takes the banker to follow house play (hit below 17), which a banking player need
not do, and every unseen card to be as likely as any other to be his hidden one. What standing and
doubling are worth is then exact: cards are drawn without replacement, for the hand and the banker.
So is the first card of a hit or a split; the cards after it are drawn as if put back. The two hands
of a split count as twice the first. As a banker the bot knows how each hand stands for each value
its hidden card can have by what all have seen, and hits while that is expected to bring more; his
own next card is exact, the cards after it are drawn as if put back. It bets the lowest level: a 閒
is behind, since he busts first and a natural pays no more than his bet.
"""

from __future__ import annotations

import numpy as np

from qipai.envs.blackjack import (
    BANK,
    BETTING,
    COPIES,
    DOUBLE,
    HIT,
    HOUSE_STANDS,
    LEVEL,
    NATURAL,
    SPLIT,
    STAND,
    TARGET,
    VALUE,
    VALUES,
    best,
    counts_as,
    hand_bet,
    hard_total,
    score,
)
from qipai.envs.kernel import addressable, kernel
from qipai.envs.layout import HIDDEN

# --- The hands of a bank on house play -----------------------------------------------------------

BUST = 0  # as a score
SCORES = NATURAL + 1


def _bank_hands() -> tuple[np.ndarray, np.ndarray]:
    """Hands from one card on that house play hits, small ones first, and what a card makes of them.

    Returns how many cards of each value they hold, int8 (n, VALUES), hand v − 1 being the one card
    of value v; and for each drawn value the number of the hand it leads to, or −1 − the final
    score, int16 (n, VALUES).
    """
    hands = [tuple(int(j == k) for j in range(VALUES)) for k in range(VALUES)]
    number = {hand: i for i, hand in enumerate(hands)}
    leads = []
    for hand in hands:  # grows while it is read
        row = []
        for k in range(VALUES):
            longer = (*hand[:k], hand[k] + 1, *hand[k + 1 :])
            total = best(sum((j + 1) * count for j, count in enumerate(longer)), longer[0] > 0)
            if total > TARGET:
                row.append(-1 - BUST)
            elif total >= HOUSE_STANDS:
                row.append(-1 - counts_as(total, sum(longer), False))
            elif longer[k] > COPIES[k]:
                row.append(-1 - BUST)  # there is no such card
            else:
                if longer not in number:
                    number[longer] = len(hands)
                    hands.append(longer)
                row.append(number[longer])
        leads.append(row)
    return np.array(hands, np.int8), np.array(leads, np.int16)


HELD, LEADS = _bank_hands()
BANK_HANDS = len(HELD)
DRAWN = HELD.sum(axis=1) - 1  # cards beyond the first

# What the kernels below work on, made once for each bot: ``unseen`` cards by value, the chances to
# ``reach`` each hand of the bank, the ``chances`` of its final scores, what it is worth to stand on
# each total (``stands``; BUST: to bust), and what a hand is ``worth``, by hard total and by ace.
WORK = np.dtype(
    [
        ("unseen", np.float64, (VALUES,)),
        ("reach", np.float64, (BANK_HANDS,)),
        ("chances", np.float64, (SCORES,)),
        ("stands", np.float64, (SCORES,)),
        ("worth", np.float64, (TARGET + 1, 2)),
    ]
)


def work() -> tuple[np.ndarray]:
    """The room that ``choose`` needs."""
    return (addressable(np.zeros(1, WORK)),)


@kernel
def count_unseen(v, unseen):
    """The cards that the seat to act has not seen, by value; returns how many there are."""
    count = 0
    for k in range(VALUES):
        unseen[k] = COPIES[k]
    for seat in range(v.seats):
        for h in range(1 + v.split[seat]):
            for k in range(v.count[seat, h]):
                if v.cards[seat, h, k] != HIDDEN:
                    unseen[VALUE[v.cards[seat, h, k]] - 1] -= 1
    for k in range(VALUES):
        count += unseen[k]
    return count


@kernel
def bank_chances(up, unseen, count, reach, chances):
    """How a bank on house play ends that shows a card of value ``up``; exact."""
    reach[:] = 0
    chances[:] = 0
    reach[up - 1] = 1
    for hand in range(BANK_HANDS):
        if reach[hand] > 0:
            share = reach[hand] / (count - DRAWN[hand])
            for k in range(VALUES):
                left = unseen[k] - HELD[hand, k] + (k == up - 1)
                if left > 0:
                    to = LEADS[hand, k]
                    if to >= 0:
                        reach[to] += share * left
                    else:
                        chances[-1 - to] += share * left


# --- What a hand is worth ------------------------------------------------------------------------


@kernel
def player_stands(chances, stands):
    """Bets a 閒 wins on average by standing on each total that is no natural."""
    stands[BUST] = -1
    for total in range(2, TARGET + 1):
        stands[total] = chances[BUST]
        for bank in range(HOUSE_STANDS, SCORES):
            if bank < total:
                stands[total] += chances[bank]
            elif bank > total:
                stands[total] -= chances[bank]


@kernel
def bank_stands(v, unseen, stands):
    """Coins the banker wins on average by standing on each total, from hands that have not bust.

    Each hidden card is any unseen one that is possible by what all have seen.
    """
    stands[:] = 0
    for seat in range(v.seats):
        if not v.joined[seat] or seat == v.banker:
            continue
        for h in range(1 + v.split[seat]):
            if v.bust[seat, h]:
                continue
            coins = hand_bet(v, seat)
            stands[BUST] -= coins
            if v.turned[seat]:
                add_result(stands, score(v, seat, h), coins)
                continue
            hard, ace = hard_total(v, seat, h, 0)
            ways = 0.0
            for k in range(VALUES):
                ways += unseen[k] * v.possible[seat, k]
            for k in range(VALUES):
                if v.possible[seat, k] and unseen[k] > 0:
                    total = best(hard + k + 1, ace or k == 0)
                    points = counts_as(total, np.int64(v.count[seat, h]), v.split[seat] == 1)
                    add_result(stands, points, coins * unseen[k] / ways)


@kernel
def add_result(stands, points, coins):
    """The banker wins ``coins`` from a hand by standing on more points, loses them on less."""
    for total in range(2, TARGET + 1):
        if total > points:
            stands[total] += coins
        elif total < points:
            stands[total] -= coins


@kernel
def hit_worth(hard, ace, unseen, count, stands, worth):
    """What one more card is worth, if ``worth`` holds for all harder hands."""
    found = 0.0
    for k in range(VALUES):
        after = hard + k + 1
        if after > TARGET:
            found += unseen[k] * stands[BUST]
        else:
            found += unseen[k] * worth[after, 1 if k == 0 else np.int64(ace)]
    return found / count


@kernel
def fill_worth(least, unseen, count, stands, worth):
    """What hands of a hard total from ``least`` on are worth, cards being drawn as if put back."""
    for hard in range(TARGET, least - 1, -1):
        for ace in range(2):
            most = stands[best(hard, ace == 1)]
            if hard < TARGET:
                most = max(most, hit_worth(hard, ace == 1, unseen, count, stands, worth))
            worth[hard, ace] = most


@kernel
def card_worth(hard, ace, up, count, w):
    """Bets won on average by a hand that gets one more card: if it then plays on, if it stands."""
    plays = stands = 0.0
    for k in range(VALUES):
        chance = w.unseen[k] / count
        if chance == 0:
            continue
        total, has_ace = hard + k + 1, ace or k == 0
        if total > TARGET:
            plays -= chance
            stands -= chance
            continue
        w.unseen[k] -= 1
        bank_chances(up, w.unseen, count - 1, w.reach, w.chances)
        player_stands(w.chances, w.stands)
        points = best(total, has_ace)
        most = w.stands[points]
        stands += chance * most
        if points < TARGET:
            fill_worth(total + 1, w.unseen, count - 1, w.stands, w.worth)
            hit = hit_worth(total, has_ace, w.unseen, count - 1, w.stands, w.worth)
            most = max(most, hit)
        plays += chance * most
        w.unseen[k] += 1
    return plays, stands


# --- The choice ----------------------------------------------------------------------------------


@kernel
def player_worths(v, w):
    """What a 閒 to act wins on average, in bets: standing, hitting, doubling, splitting."""
    seat, h = v.turn, v.active
    hard, ace = hard_total(v, seat, h, 0)
    count = count_unseen(v, w.unseen)
    up = VALUE[v.cards[v.banker, 0, 1]]
    hit, last = card_worth(hard, ace, up, count, w)
    value = VALUE[v.cards[seat, h, 0]]
    half, _ = card_worth(value, value == 1, up, count, w) if v.count[seat, h] == 2 else (0.0, 0.0)
    bank_chances(up, w.unseen, count, w.reach, w.chances)
    player_stands(w.chances, w.stands)
    return w.stands[best(hard, ace)], hit, 2 * last, 2 * half


@kernel
def banker_worths(v, w):
    """What the banker wins on average, in coins, from hands not bust: standing, hitting."""
    hard, ace = hard_total(v, v.turn, 0, 0)
    count = count_unseen(v, w.unseen)
    bank_stands(v, w.unseen, w.stands)
    fill_worth(hard + 1, w.unseen, count, w.stands, w.worth)
    hit = hit_worth(hard, ace, w.unseen, count, w.stands, w.worth)
    return w.stands[best(hard, ace)], hit


@kernel
def choose(v, mask, rng, work):
    """The action for the view ``v`` of the seat to act; leaves the view as it was."""
    w = work[0][0]
    if v.phase == BETTING:
        return LEVEL
    if not mask[HIT]:
        return STAND
    if v.phase == BANK:
        stand, hit = banker_worths(v, w)
        return HIT if hit > stand else STAND
    stand, hit, double, split = player_worths(v, w)
    action, most = (HIT, hit) if hit > stand else (STAND, stand)
    if mask[DOUBLE] and double > most:
        action, most = DOUBLE, double
    if mask[SPLIT] and split > most:
        action = SPLIT
    return action
