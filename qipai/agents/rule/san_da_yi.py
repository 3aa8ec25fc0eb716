"""Rule bot of san da yi: plays the move that leaves its hand with the least burden.

The natural cards are split into the groups they would be played in; the burden of a group says how
hard it is to get rid of, the harder the more unseen groups of its form beat it. Bombs stay whole
and jokers are kept, for what they are worth. Added to that are the worth of having played last,
what the partners do, and what an opponent with few cards may do.

A *hand* is an integer of 15 nibbles, counts by rank from the lowest on. A *burden* is counted in
32nds of a point; its five lowest bits count the losers, the groups that some unseen group beats.
"""

from __future__ import annotations

from typing import NamedTuple

from qipai.agents.rank_sets import EVERY, count, hardness, held, lowest, span, total
from qipai.envs.kernel import kernel
from qipai.envs.layout import NONE
from qipai.envs.parts.auction import AUCTION
from qipai.envs.parts.ranks import ACE, BIG_JOKER, RANKS, SMALL_JOKER, TWO
from qipai.envs.san_da_yi import (
    ANY_JOKERS,
    BODIES,
    BODIES_END,
    BOMB,
    CALL,
    DECK,
    FULL,
    FULL_PAIRS,
    HEIGHT,
    KIND,
    LENGTH,
    LOW,
    NATURALS,
    NEEDS,
    PAIR,
    PASS,
    RUN_END,
    SEATS,
    SHORTEST,
    SINGLE,
    SINGLES,
    SIZE,
    THREE,
    TRIPLE,
    default,
    next_pair,
)

POINT = 32
NATURAL_CARDS = (1 << 4 * NATURALS) - 1
NEVER = -1_000_000
SURE = 100  # what cannot be beaten and leaves at most one loser


class Weights(NamedTuple):
    """What counts how much, in points; found by play against itself."""

    single: int  # burden of a group that cannot be beaten
    pair: int
    triple: int
    run: int
    bomb: int  # worth of holding a bomb
    more: int  # of each of its cards beyond four
    small: int  # of a small joker
    big: int
    win: int  # following with what cannot be beaten
    leave: int  # leaving the table to a partner that cannot be beaten
    short: int  # for each rank that beats a single when an opponent has one card
    short_more: int  # playing as many cards as an opponent has, if they can be beaten
    late_bomb: int  # a bomb against an opponent with few cards


LANDLORD = Weights(
    single=3, pair=5, triple=6, run=7, bomb=17, more=6, small=10, big=9, win=10,
    leave=0, short=3, short_more=0, late_bomb=16,
)  # fmt: skip
FARMER = Weights(
    single=3, pair=3, triple=2, run=9, bomb=12, more=4, small=10, big=13, win=17,
    leave=24, short=14, short_more=15, late_bomb=10,
)  # fmt: skip
FEW = 6  # cards of an opponent that make a bomb late


class Odds(NamedTuple):
    """What the other side may hold, as far as the view tells."""

    unseen: int  # all cards not seen, as a hand
    most: int  # cards of the opponent with most
    least: int
    share: int  # eighths of the unseen cards that opponents hold
    singles: int  # how hard a group of each rank is to get rid of, 0…15, in nibbles
    pairs: int
    triples: int


# --- Hands -------------------------------------------------------------------------------------


@kernel
def at_least(hand, width):
    """The set of ranks of which there are so many cards, 1…4."""
    four = (hand >> 2 | hand >> 3) & EVERY
    if width == 4:
        return four
    if width == 3:
        return four | (hand & hand >> 1 & EVERY)
    if width == 2:
        return four | (hand >> 1 & EVERY)
    return four | ((hand | hand >> 1) & EVERY)


@kernel
def starts(hand, width, length):
    """The set of lowest ranks of runs in the hand, from 3 on."""
    ranks = at_least(hand, width) & (span(0, ACE + 1) if width == 1 else span(0, TWO + 1))
    for _ in range(length - 1):
        ranks &= ranks >> 4
    return ranks


@kernel
def hand_of(v, seat):
    """The cards of a seat, in the form of a hand."""
    hand = 0
    for r in range(RANKS):
        hand |= int(v.cards[seat, r]) << 4 * r
    return hand


@kernel
def unseen_by(v, seat):
    """The cards neither in the hand of a seat nor played, in the form of a hand."""
    hand = 0
    for r in range(RANKS):
        seen = v.cards[seat, r]
        for p in range(SEATS):
            seen += v.played[p, r]
        hand |= int(DECK[r] - seen) << 4 * r
    return hand


@kernel
def jokers_of(hand):
    return ((hand >> 4 * SMALL_JOKER) & 15) + ((hand >> 4 * BIG_JOKER) & 15)


# --- Burden --------------------------------------------------------------------------------------


@kernel
def hardness_by_rank(unseen, width):
    """The hardness of ``width`` equal cards of each rank, as nibbles."""
    ranks = at_least(unseen, width)
    nibbles = 0
    beaters = 0
    for r in range(RANKS - 1, -1, -1):
        nibbles |= hardness(beaters, 4) << 4 * r
        beaters += (ranks >> 4 * r) & 1
    return nibbles


@kernel
def look(v):
    """What the seat to act can tell about its opponents."""
    seat, lord = int(v.turn), int(v.landlord)
    most, least, cards = 0, 99, 0
    for p in range(SEATS):
        if p != seat:
            cards += v.left[p]
            if v.phase == AUCTION or seat == lord or p == lord:
                most, least = max(most, int(v.left[p])), min(least, int(v.left[p]))
    share = 8 if v.phase == AUCTION or seat == lord else 8 * most // cards
    unseen = unseen_by(v, seat)
    return Odds(
        unseen,
        most,
        least,
        share,
        hardness_by_rank(unseen, 1),
        hardness_by_rank(unseen, 2) if most > 1 else 0,
        hardness_by_rank(unseen, 3) if most > 2 else 0,
    )


@kernel
def higher(width, low, length, odds):
    """Unseen runs of the same form with a higher lowest rank."""
    if width * length > odds.most:
        return 0
    return count(starts(odds.unseen, width, length) >> 4 * (low + 1))


@kernel
def run_burden(width, length, low, odds, w):
    hard = hardness(higher(width, low, length, odds), 2)
    return POINT * (w.run + hard) + (1 if hard > 0 else 0)


@kernel
def loose_burden(hand, odds, w):
    """The burden of singles, pairs and triples; each triple takes a pair along."""
    one, two, three = at_least(hand, 1), at_least(hand, 2), at_least(hand, 3)
    one &= ~two
    two &= ~three
    for _ in range(min(count(two), count(three))):
        two &= two - 1
    hard = (odds.singles & one * 15) | (odds.pairs & two * 15) | (odds.triples & three * 15)
    losers = (hard | hard >> 1 | hard >> 2 | hard >> 3) & EVERY
    base = w.single * count(one) + w.pair * count(two) + w.triple * count(three)
    return POINT * (base + total(hard)) + count(losers)


@kernel
def split_burden(hand, odds, w):
    """The burden after taking out the run that helps most, again and again."""
    done = 0
    best = loose_burden(hand, odds, w)
    while True:
        found, rest, taken = False, hand, 0
        for width in range(1, 4):
            for length in range(SHORTEST[width] + (width == 3), RUN_END[width] - THREE + 1):
                ranks = starts(hand, width, length)
                if ranks == 0:
                    break
                while ranks != 0:
                    low = lowest(ranks)
                    ranks &= ranks - 1
                    after = hand - width * span(low, length)
                    run = run_burden(width, length, low, odds, w)
                    burden = done + run + loose_burden(after, odds, w)
                    if burden < best:
                        best, found, rest, taken = burden, True, after, run
        if not found:
            return best
        hand = rest
        done += taken


@kernel
def burden(hand, odds, w):
    """The burden of a hand, bombs kept whole and jokers aside."""
    worth = w.small * ((hand >> 4 * SMALL_JOKER) & 15) + w.big * ((hand >> 4 * BIG_JOKER) & 15)
    hand &= NATURAL_CARDS
    bombs = at_least(hand, 4)
    worth += w.bomb * count(bombs) + w.more * (total(hand & bombs * 15) - 4 * count(bombs))
    return split_burden(hand & ~(bombs * 15), odds, w) - POINT * worth


# --- Moves -------------------------------------------------------------------------------------


@kernel
def rest_of(hand, move, pair):
    """The hand after a move, and how many jokers stood for other cards in it."""
    wild = int(ANY_JOKERS[move])
    for r in range(NATURALS):
        wanted = int(NEEDS[move, r]) + (2 if r == pair else 0)
        natural = min(wanted, (hand >> 4 * r) & 15)
        hand -= natural << 4 * r
        wild += wanted - natural
    for r in range(SMALL_JOKER, RANKS):
        used = int(NEEDS[move, r])
        hand -= used << 4 * r
    small = min(wild, (hand >> 4 * SMALL_JOKER) & 15)
    hand -= (small << 4 * SMALL_JOKER) + ((wild - small) << 4 * BIG_JOKER)
    return hand, wild


@kernel
def best_pair(v, hand, body, odds, w):
    """The pair of a full that leaves the least burden."""
    best, best_pair = -NEVER, NONE
    pair = next_pair(v, body - BODIES, 0)
    while pair >= 0:
        rest, _ = rest_of(hand, body - SINGLES, pair)
        left = burden(rest, odds, w)
        if left < best:
            best, best_pair = left, pair
        pair = next_pair(v, body - BODIES, pair + 1)
    return best_pair


@kernel
def beaters(move, odds):
    """Unseen groups that beat a move, bombs against others left out."""
    kind, low = KIND[move], int(LOW[move])
    if SIZE[move] > odds.most:
        return 0
    if kind == SINGLE:
        return count(at_least(odds.unseen, 1) >> 4 * low >> 4)
    if kind == PAIR:
        return count(at_least(odds.unseen, 2) >> 4 * low >> 4)
    if kind in (TRIPLE, FULL):
        return count(at_least(odds.unseen & NATURAL_CARDS, 3) >> 4 * low >> 4)
    if kind == BOMB:
        ranks = at_least(odds.unseen & NATURAL_CARDS, 4)
        return count(ranks) if HEIGHT[move] < 80 else 0
    return higher(kind - FULL, max(low - THREE, 0), int(LENGTH[move]), odds)


@kernel
def exposed(size, beaters, odds, w):
    """What is lost where an opponent's last cards might beat a move."""
    if beaters == 0 or size != odds.least:
        return 0
    return w.short * beaters if size == 1 else w.short_more


@kernel
def landlord_follows(v):
    """Whether the landlord may still answer the move on the table."""
    seat = int(v.turn)
    while seat != v.owner:
        seat = (seat + 1) % SEATS
        if seat == v.landlord:
            return True
    return False


@kernel
def pass_worth(v, hand, odds, w):
    """What it is worth to pass."""
    worth = -(burden(hand, odds, w) // POINT)
    if v.turn != v.landlord and v.owner != v.landlord:
        move = v.move - SINGLES
        n = beaters(move, odds) if landlord_follows(v) else 0
        return worth + held(w.leave, 4, n, odds.share) - exposed(int(SIZE[move]), n, odds, w)
    return worth


@kernel
def spares_jokers(v, hand, move):
    """Whether a move is worth a thought: jokers go into bombs or the last cards only."""
    kind = KIND[move]
    if kind in (BOMB, SINGLE) or v.left[v.turn] <= SIZE[move] + FEW:
        return True
    _, wild = rest_of(hand, move, NONE)
    return wild == 0


@kernel
def move_worth(v, hand, action, odds, w):
    """What it is worth to play a move, a full with its best pair."""
    move = action - SINGLES
    if SIZE[move] == v.left[v.turn]:
        return -NEVER
    pair = best_pair(v, hand, action, odds, w) if action >= BODIES else NONE
    rest, _ = rest_of(hand, move, pair)
    left = burden(rest, odds, w)
    n = beaters(move, odds)
    worth = -(left // POINT) - exposed(int(SIZE[move]), n, odds, w)
    if v.move != NONE:
        worth += held(w.win, 10, n, odds.share)
    if n == 0 and left % POINT <= 1:
        worth += SURE
    if KIND[move] == BOMB and odds.least <= FEW:
        worth += w.late_bomb
    return worth


# --- Decisions ------------------------------------------------------------------------------------


@kernel
def call(v, mask):
    """Bid by jokers, bombs, triples and singles; fitted to hands won as landlord, in hundredths."""
    hand = hand_of(v, v.turn)
    naturals = hand & NATURAL_CARDS
    one, two, three, four = (
        count(at_least(naturals, 1)),
        count(at_least(naturals, 2)),
        count(at_least(naturals, 3)),
        count(at_least(naturals, 4)),
    )
    points = 30 * jokers_of(hand) + 3 * int(v.cards[v.turn, TWO]) - 92
    points += 21 * four + 6 * (three - four) - 3 * (one - two)
    bid = 3 if points >= 5 else 2 if points >= 0 else 1 if points >= -5 else 0
    return CALL + bid if mask[CALL + bid] != 0 else CALL


@kernel
def decide(v, mask, landlord, farmer):
    """The action with these weights as the landlord and as a farmer."""
    if v.phase == AUCTION:
        return call(v, mask)
    hand, odds = hand_of(v, v.turn), look(v)
    w = landlord if v.turn == v.landlord else farmer
    if v.body != NONE:
        return FULL_PAIRS + best_pair(v, hand, v.body, odds, w)
    best, action = NEVER, default(v)
    if v.move != NONE:
        best, action = pass_worth(v, hand, odds, w), PASS
    for move in range(SINGLES, BODIES_END):
        if mask[move] != 0 and spares_jokers(v, hand, move - SINGLES):
            worth = move_worth(v, hand, move, odds, w)
            if worth > best:
                best, action = worth, move
    return action


@kernel
def choose(v, mask, rng):
    """The action for the view ``v`` of the seat to act."""
    return decide(v, mask, LANDLORD, FARMER)
