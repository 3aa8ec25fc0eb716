"""The best bets of baccarat: what every spot is worth, exactly, by the cards left in the shoe.

Points alone decide the main bets, so the ways to deal a hand are counted from ten numbers, how many
cards of each point are left. For each pair of third cards, taken out first, the first four cards
are counted by the points of both hands: from all ways to pick four cards those are taken off in
which one card is picked twice, by inclusion and exclusion. Pairs are counted from the thirteen
ranks. All numbers are whole, nothing is drawn by lot and nothing rounded but what the house rounds.

The bot lays as much as limits, coins and chips allow on each spot whose mean is above 0, the best
one first, and nothing elsewhere: from a full shoe, nothing at all. No bet changes what others can
win, so that this is the best there is.
"""

from __future__ import annotations

import numpy as np

from qipai.envs.baccarat import (
    BANKER_DRAWS,
    CHIP,
    DONE,
    KINDS,
    LIMITED_BY,
    LIMITS,
    NATURAL,
    ON_BANKER,
    ON_BIG,
    ON_BPAIR,
    ON_PLAYER,
    ON_PPAIR,
    ON_SMALL,
    ON_TIE,
    PLAYER_STANDS,
    SPOTS,
    STOOD,
    WINNERS,
    left_of_rank,
    limit,
    odds,
    prize,
    winner,
)
from qipai.envs.kernel import kernel
from qipai.envs.parts import chips
from qipai.envs.parts.cards import RANKS
from qipai.envs.parts.points import POINT, POINTS

MOST_THIRDS = 2  # third cards of a hand

# --- Ways to deal a hand -------------------------------------------------------------------------

# Cards left by point are counted twice over, as POINTS more entries spare every modulo.
AROUND = 2 * POINTS


@kernel
def count_cards(v, around):
    """Fill ``around`` with the cards left in the shoe by point; returns how many there are."""
    around[:] = 0
    total = np.int64(0)
    for rank in range(len(RANKS)):
        left = left_of_rank(v, rank)
        put(around, POINT[rank], left)
        total += left
    return total


@kernel
def put(around, point, cards):
    """Add cards of a point, or take them out."""
    around[point] += cards
    around[point + POINTS] += cards


@kernel
def twice(around, p):
    """The cards of which each makes p points with itself."""
    return around[p // 2] + around[p // 2 + POINTS // 2] if p % 2 == 0 else np.int64(0)


@kernel
def once_more(around, p, b):
    """The ways to pick such a card, and one more that makes b points with it."""
    if p % 2 == 1:
        return np.int64(0)
    x, y = p // 2, p // 2 + POINTS // 2
    return around[x] * around[b - x + POINTS] + around[y] * around[b - y + POINTS]


@kernel
def count_first(around, ways, top):
    """In how many ways the first four cards give the two hands p and b points, both below ``top``.

    ``ways`` is (POINTS, POINTS), the same for p and b as for b and p.
    """
    for p in range(top):
        for b in range(p, top):
            hand_p, hand_b, shared = np.int64(0), np.int64(0), np.int64(0)
            for x in range(POINTS):
                one, other = around[p - x + POINTS], around[b - x + POINTS]
                hand_p += around[x] * one
                hand_b += around[x] * other
                shared += around[x] * one * other  # x is in both hands
            found = (hand_p - twice(around, p)) * (hand_b - twice(around, b)) - 4 * shared
            found += 4 * (once_more(around, p, b) + once_more(around, b, p))
            if p == b:
                found += 2 * hand_p - 6 * twice(around, p)
            ways[p, b] = found
            ways[b, p] = found


@kernel
def count_hands(around, total, first, ways):
    """In how many ways six cards in a row let the banker or the player win, or nobody, with 0, 1
    or 2 third cards: ``ways`` (3, 3).

    ``first`` (POINTS, POINTS) is room to work in; ``around`` is left as it was.
    """
    ways[:, :] = 0
    count_first(around, first, POINTS)
    rest = (total - 4) * (total - 5)
    for p in range(POINTS):
        for b in range(POINTS):
            natural = p >= NATURAL or b >= NATURAL
            if natural or (p >= PLAYER_STANDS and not BANKER_DRAWS[b, STOOD]):
                ways[winner(p, b), 0] += first[p, b] * rest
    for t in range(POINTS):
        cards = around[t]
        if cards > 0:
            put(around, t, -1)
            count_first(around, first, NATURAL)
            count_five(t, cards * (total - 5), first, ways)
            for u in range(t, POINTS):
                pairs = cards * around[u]
                if pairs > 0:
                    put(around, u, -1)
                    count_first(around, first, NATURAL)
                    count_six(t, u, pairs, first, ways)
                    if t != u:
                        count_six(u, t, pairs, first, ways)
                    put(around, u, 1)
            put(around, t, 1)


@kernel
def count_five(t, times, first, ways):
    """Add the hands in which a card of t points is the only third card."""
    for p in range(NATURAL):
        for b in range(NATURAL):
            if p < PLAYER_STANDS and not BANKER_DRAWS[b, 1 + t]:
                ways[winner((p + t) % POINTS, b), 1] += first[p, b] * times
            elif p >= PLAYER_STANDS and BANKER_DRAWS[b, STOOD]:
                ways[winner(p, (b + t) % POINTS), 1] += first[p, b] * times


@kernel
def count_six(t, u, times, first, ways):
    """Add the hands in which the player draws t points and the banker u."""
    for b in range(NATURAL):
        if BANKER_DRAWS[b, 1 + t]:
            for p in range(PLAYER_STANDS):
                won = winner((p + t) % POINTS, (b + u) % POINTS)
                ways[won, 2] += first[p, b] * times


@kernel
def count_pairs(v):
    """In how many ways two cards of one rank are picked from the shoe."""
    pairs = np.int64(0)
    for rank in range(len(RANKS)):
        left = left_of_rank(v, rank)
        pairs += left * (left - 1)
    return pairs


@kernel
def count_spots(v, around, first, ways, chances):
    """In how many ways each spot wins and loses: ``chances`` (spots, 2)."""
    total = count_cards(v, around)
    count_hands(around, total, first, ways)
    banker = ways[0, 0] + ways[0, 1] + ways[0, 2]
    player = ways[1, 0] + ways[1, 1] + ways[1, 2]
    tie = ways[2, 0] + ways[2, 1] + ways[2, 2]
    small = ways[0, 0] + ways[1, 0] + ways[2, 0]
    big = banker + player + tie - small
    pairs = count_pairs(v)
    others = total * (total - 1) - pairs
    put_chances(chances, ON_BANKER, banker, player)
    put_chances(chances, ON_PLAYER, player, banker)
    put_chances(chances, ON_TIE, tie, banker + player)
    put_chances(chances, ON_BPAIR, pairs, others)
    put_chances(chances, ON_PPAIR, pairs, others)
    put_chances(chances, ON_BIG, big, small)
    put_chances(chances, ON_SMALL, small, big)


@kernel
def put_chances(chances, spot, won, lost):
    chances[spot, 0] = won
    chances[spot, 1] = lost


# --- What is worth it ----------------------------------------------------------------------------


@kernel
def exceeds(a, b, c, d):
    """Whether a / b > c / d, of whole numbers that are not negative; x / 0 is above all but itself.

    Their whole parts decide, or what is left of both, turned upside down: no product to overflow.
    """
    while b > 0 and d > 0 and a // b == c // d:
        a, b, c, d = d, c % d, b, a % b
    if b == 0 or d == 0:
        return d > 0
    return a // b > c // d


@kernel
def mean(v, spot, chances):
    """What a coin on a spot brings on average, times the ways there are."""
    return chances[spot, 0] * (odds(v, spot) / 100) - chances[spot, 1]


@kernel
def best_spot(v, chances, served):
    """The spot with the highest mean among groups not ``served``."""
    best, highest = -1, 0.0
    for spot in range(len(SPOTS)):
        if not served[LIMITED_BY[spot]]:
            worth = mean(v, spot, chances)
            if best < 0 or worth > highest:
                best, highest = spot, worth
    return best


@kernel
def fill(v, spot, room, left, wanted):
    """Want the most coins on a spot that make up no more than ``room``, in ``left`` chips at most;
    returns how many coins and chips that is."""
    coins, used = np.int64(0), np.int64(0)
    for size in range(chips.SIZES):
        chip = chips.SIZES * spot + size
        number = min((room - coins) // chips.amount(v, chip), left - used)
        wanted[chip] = number
        coins += number * chips.amount(v, chip)
        used += number
    return coins, used


@kernel
def plan(v, chances, served, wanted):
    """How often the seat to act would lay each chip, if it had laid none yet: ``wanted`` (chips).

    What is laid on the best spot of a group leaves no room, coins or chips for another one.
    """
    wanted[:] = 0
    served[:] = 0
    coins, left = v.stack[v.turn], v.rules.max_chips
    for _ in range(len(served)):
        spot = best_spot(v, chances, served)
        group = LIMITED_BY[spot]
        served[group] = 1
        laid, used = fill(v, spot, min(limit(v, group), coins), left, wanted)
        win = prize(v, spot, laid)
        if exceeds(chances[spot, 0], chances[spot, 1], laid, win):
            coins -= laid
            left -= used
        else:
            for size in range(chips.SIZES):
                wanted[chips.SIZES * spot + size] = 0


@kernel
def laid_so_far(v, chip):
    """How often the seat to act has laid a chip."""
    found = 0
    for k in range(chips.count(v, v.turn)):
        found += v.laid[v.turn, k] == chip
    return found


def work() -> tuple[np.ndarray, ...]:
    """Room for what ``choose`` counts."""
    return (
        np.zeros(AROUND, np.int64),
        np.zeros((POINTS, POINTS), np.int64),
        np.zeros((len(WINNERS), MOST_THIRDS + 1), np.int64),
        np.zeros((len(SPOTS), 2), np.int64),
        np.zeros(len(LIMITS), np.int64),
        np.zeros(len(KINDS), np.int64),
    )


@kernel
def choose(v, mask, rng, work):
    """The action for the view ``v`` of the seat to act."""
    around, first, ways, chances, served, wanted = work
    count_spots(v, around, first, ways, chances)
    plan(v, chances, served, wanted)
    for chip in range(len(wanted)):
        if mask[CHIP + chip] and wanted[chip] > laid_so_far(v, chip):
            return CHIP + chip
    return DONE
