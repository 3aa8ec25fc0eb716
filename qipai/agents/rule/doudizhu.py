"""Rule bot of dou dizhu: plays the step that leaves its hand with the least burden.

A hand is split into the groups it would be played in. The burden of a group says how hard it is to
get rid of: the more unseen groups of its form beat it, the harder. Added to that are the worth of
having played last, what the partner does, and what an opponent with few cards may do.

A *hand* is an integer of 15 nibbles, lowest rank first; n cards of a rank set the n lowest bits of
its nibble. A *set* of ranks has the lowest bits of their nibbles. A *burden* is counted in 32nds of
a point; its five lowest bits count the losers, the groups that some unseen group beats.
"""

from __future__ import annotations

from typing import NamedTuple

from qipai.agents.rank_sets import EVERY, count, hardness, held, lowest, span, total
from qipai.envs.doudizhu import (
    BODY,
    BODY_END,
    BODY_KIND,
    BODY_LENGTH,
    BODY_LOW,
    BOMB,
    CALL,
    DECK,
    EACH,
    KICKER,
    PASS,
    ROCKET,
    SEATS,
    WIDTH,
    capacity,
    default,
    kicker_action,
    table_size,
)
from qipai.envs.kernel import kernel
from qipai.envs.layout import NONE
from qipai.envs.match import next_seat
from qipai.envs.parts.auction import AUCTION, PLAY
from qipai.envs.parts.ranks import ACE, BIG_JOKER, RANKS, SMALL_JOKER, TWO

POINT = 32
JOKERS = 0x11  # the nibbles of both jokers
TO_ACE = 0x111111111111
SHORTEST_RUN = (0, 5, 3, 2)  # by width
NEVER = -1_000_000


class Weights(NamedTuple):
    """What counts how much, in points; found by play against itself."""

    single: int  # burden of a group that cannot be beaten
    pair: int
    trio: int
    run: int
    bomb: int  # worth of holding a bomb or the rocket
    win: int  # following with what cannot be beaten
    leave: int  # leaving the table to a partner that cannot be beaten
    let_out: int  # leaving the table to an opponent with one card
    short: int  # for each rank that beats a single when an opponent has one card
    short_more: int  # playing as many cards as an opponent has, if they can be beaten
    feed: int  # leading a single to the partner's last card
    late_bomb: int  # a bomb against an opponent with few cards


LANDLORD = Weights(
    single=3, pair=3, trio=5, run=6, bomb=17, win=10,
    leave=0, let_out=30, short=3, short_more=0, feed=0, late_bomb=0,
)  # fmt: skip
FARMER = Weights(
    single=0, pair=0, trio=3, run=7, bomb=14, win=9,
    leave=19, let_out=0, short=10, short_more=25, feed=10, late_bomb=6,
)  # fmt: skip
FEW = 5  # cards of an opponent that make a bomb late
SURE = 100  # what cannot be beaten and leaves at most one loser


class Odds(NamedTuple):
    """What the other side may hold, as far as the view tells."""

    unseen: int  # all cards not seen, as a hand
    most: int  # cards of the opponent with most
    least: int
    share: int  # eighths of the unseen cards that opponents hold
    singles: int  # how hard a group of each rank is to get rid of, 0…15, in nibbles
    pairs: int
    trios: int


# --- Hands -------------------------------------------------------------------------------------

CARDS = (0, 0b0001, 0b0011, 0b0111, 0b1111)  # nibble of so many cards


@kernel
def take(hand, ranks, width):
    """The hand after ``width`` cards of each rank in the set."""
    nibbles = ranks * 15
    for _ in range(width):
        hand = (hand & ~nibbles) | ((hand >> 1) & 0x777777777777777 & nibbles)
    return hand


@kernel
def starts(hand, width, length):
    """The set of lowest ranks of groups in the hand."""
    ranks = (hand >> (width - 1)) & EVERY
    if length > 1:
        ranks &= TO_ACE
        for _ in range(length - 1):
            ranks &= ranks >> 4
    return ranks


@kernel
def next_run(hand, width, length, ranks):
    """Width, length and lowest ranks of the runs still to try, but for the lowest rank."""
    ranks &= ranks - 1
    if ranks == 0:
        length += 1
        ranks = starts(hand, width, length)
    while ranks == 0 and width < 3:
        width += 1
        length = SHORTEST_RUN[width]
        ranks = starts(hand, width, length)
    return width, length, ranks


@kernel
def hand_of(v, seat):
    """The cards of a seat, in the form of a hand."""
    hand = 0
    for r in range(RANKS):
        hand |= CARDS[int(v.cards[seat, r])] << 4 * r
    return hand


@kernel
def unseen_by(v, seat):
    """The cards neither in the hand of a seat nor played, in the form of a hand."""
    hand = 0
    for r in range(RANKS):
        seen = v.cards[seat, r] + v.played[0, r] + v.played[1, r] + v.played[2, r]
        hand |= CARDS[int(DECK[r] - seen)] << 4 * r
    return hand


# --- Burden --------------------------------------------------------------------------------------


@kernel
def hardness_by_rank(unseen, width):
    """The hardness of ``width`` equal cards of each rank, as nibbles."""
    nibbles = 0
    beaters = 0
    for r in range(RANKS - 1, -1, -1):
        nibbles |= hardness(beaters, 4) << 4 * r
        beaters += (unseen >> (4 * r + width - 1)) & 1
    return nibbles


@kernel
def look(v):
    """What the seat to act can tell about its opponents."""
    seat, lord = int(v.turn), int(v.landlord)
    after, before = int(v.left[(seat + 1) % SEATS]), int(v.left[(seat + 2) % SEATS])
    most, least, share = max(after, before), min(after, before), 8
    if v.phase == PLAY and seat != lord:
        most = least = int(v.left[lord])
        share = 8 * most // (after + before)
    # What takes more cards than any opponent has can't be beaten.
    unseen = unseen_by(v, seat) & (EVERY * CARDS[min(most, 4)])
    return Odds(
        unseen,
        most,
        least,
        share,
        hardness_by_rank(unseen, 1),
        hardness_by_rank(unseen, 2),
        hardness_by_rank(unseen, 3),
    )


@kernel
def higher(width, low, length, odds):
    """Unseen groups of the same form with a higher lowest rank."""
    if width * length > odds.most:
        return 0
    return count(starts(odds.unseen, width, length) >> 4 * (low + 1))


@kernel
def run_burden(width, length, low, odds, w):
    """The burden of a run."""
    hard = hardness(higher(width, low, length, odds), 2)
    return POINT * (w.run + hard) + (1 if hard > 0 else 0)


@kernel
def loose_burden(hand, spare, odds, w):
    """The burden of singles, pairs and trios; the trios and ``spare`` more take kickers along."""
    one, two, three = hand & EVERY, (hand >> 1) & EVERY, (hand >> 2) & EVERY
    one &= ~two
    two &= ~three
    hard = (odds.singles & one * 15) | (odds.pairs & two * 15) | (odds.trios & three * 15)
    losers = (hard | hard >> 1 | hard >> 2 | hard >> 3) & EVERY
    kickers = losers & ~three
    kept = kickers
    for _ in range(spare + count(three)):
        kept &= kept - 1
    taken = kickers & ~kept
    one &= ~taken
    two &= ~taken
    base = w.single * count(one) + w.pair * count(two) + w.trio * count(three)
    return POINT * (base + total(hard & ~(taken * 15))) + count(losers & ~taken)


@kernel
def split_burden(hand, spare, odds, w):
    """The burden after taking out the run that helps most, again and again."""
    done = 0
    best = loose_burden(hand, spare, odds, w)
    while True:
        found = False
        rest, taken, kickers = hand, 0, 0
        width, length, ranks = next_run(hand, 1, SHORTEST_RUN[1] - 1, 0)
        while ranks != 0:
            low = lowest(ranks)
            after = take(hand, span(low, length), width)
            extra = length if width == 3 else 0
            run = run_burden(width, length, low, odds, w)
            burden = done + run + loose_burden(after, spare + extra, odds, w)
            if burden < best:
                best, found = burden, True
                rest, taken, kickers = after, run, extra
            width, length, ranks = next_run(hand, width, length, ranks)
        if not found:
            return best
        hand = rest
        done += taken
        spare += kickers


@kernel
def burden(hand, odds, w, thorough):
    """The burden of a hand, bombs kept whole; the first run taken out is tried each way."""
    worth = 0
    if hand >> 4 * SMALL_JOKER == JOKERS:
        hand &= (1 << 4 * SMALL_JOKER) - 1
        worth += w.bomb
    fours = (hand >> 3) & EVERY
    hand &= ~(fours * 15)
    worth += w.bomb * count(fours)
    best = split_burden(hand, 0, odds, w)
    for width in range(1, 4 if thorough else 1):
        length = SHORTEST_RUN[width]
        ranks = starts(hand, width, length)
        while ranks != 0:
            low = lowest(ranks)
            ranks &= ranks - 1
            after = take(hand, span(low, length), width)
            rest = split_burden(after, length if width == 3 else 0, odds, w)
            best = min(best, run_burden(width, length, low, odds, w) + rest)
    return best - POINT * worth


# --- Moves -------------------------------------------------------------------------------------


@kernel
def choose_kickers(v, rest, kind, low, length, odds, w):
    """The kickers that leave the least burden, so many by rank in nibbles, and what they leave."""
    chosen = 0
    for _ in range(EACH[kind] * length):
        best, best_rank = -NEVER, 0
        for r in range(RANKS):
            if r > TWO and chosen >> 4 * SMALL_JOKER != 0:
                continue
            if capacity(v, kind, low, length, r) > (chosen >> 4 * r) & 15:
                left = burden(take(rest, 1 << 4 * r, KICKER[kind]), odds, w, False)
                if left < best:
                    best, best_rank = left, r
        chosen += 1 << 4 * best_rank
        rest = take(rest, 1 << 4 * best_rank, KICKER[kind])
    return chosen, rest


@kernel
def next_step(v, mask, hand, odds, w):
    """The next kicker of the body being completed."""
    body = v.body - BODY
    kind, low, length = int(BODY_KIND[body]), int(BODY_LOW[body]), int(BODY_LENGTH[body])
    rest = take(hand, span(low, length), WIDTH[kind])
    chosen, _ = choose_kickers(v, rest, kind, low, length, odds, w)
    for r in range(RANKS):
        action = kicker_action(v, r)
        if ((chosen >> 4 * r) & 15) * KICKER[kind] > v.kicks[r] and mask[action] != 0:
            return action
    return default(v)


@kernel
def beaters(kind, low, length, size, odds):
    """Unseen groups that beat a move, bombs against others left out."""
    if kind == ROCKET or (kind < BOMB and size > odds.most):
        return 0
    rocket = kind == BOMB and odds.unseen >> 4 * SMALL_JOKER == JOKERS
    return higher(int(WIDTH[kind]), low, length, odds) + (1 if rocket else 0)


@kernel
def exposed(size, beaters, odds, w):
    """What is lost where an opponent's last cards might beat a move."""
    if beaters == 0 or size != odds.least:
        return 0
    return w.short * beaters if size == 1 else w.short_more


@kernel
def pass_worth(v, hand, odds, w):
    """What it is worth to pass."""
    worth = -(burden(hand, odds, w, True) // POINT)
    owner = int(v.owner)
    if v.turn != v.landlord and owner != v.landlord:
        size = table_size(v)
        n = 0
        if v.passes == 0:  # the landlord comes after
            n = beaters(int(v.kind), int(v.low), int(v.length), size, odds)
        return worth + held(w.leave, 4, n, odds.share) - exposed(size, n, odds, w)
    if v.left[owner] == 1:
        return worth - w.let_out
    return worth


@kernel
def move_worth(v, hand, body, odds, w):
    """What it is worth to play a body with the best kickers."""
    kind, low, length = int(BODY_KIND[body]), int(BODY_LOW[body]), int(BODY_LENGTH[body])
    size = length * (WIDTH[kind] + KICKER[kind] * EACH[kind])
    seat = int(v.turn)
    if size == v.left[seat]:
        return -NEVER
    _, rest = choose_kickers(
        v, take(hand, span(low, length), WIDTH[kind]), kind, low, length, odds, w
    )
    left = burden(rest, odds, w, True)
    losers = left % POINT
    n = beaters(kind, low, length, size, odds)
    worth = -(left // POINT) - exposed(size, n, odds, w)
    if v.kind == NONE:
        partner = next_seat(v, seat)  # only a farmer before a farmer gains by this
        if size == 1 and v.left[partner] == 1 and seat != v.landlord and partner != v.landlord:
            worth += w.feed
    else:
        worth += held(w.win, 10, n, odds.share)
    if n == 0 and losers <= 1:
        worth += SURE
    if kind >= BOMB and odds.least <= FEW:
        worth += w.late_bomb
    return worth


# --- Decisions ------------------------------------------------------------------------------------


@kernel
def call(v, mask, hand, odds, w):
    """Bid by high cards, fours and the burden; the figures are fitted to coins won as landlord."""
    seat = v.turn
    points = -(burden(hand, odds, w, True) // POINT)
    points += 70 * int(v.cards[seat, SMALL_JOKER] + v.cards[seat, BIG_JOKER])
    points += 15 * int(v.cards[seat, TWO]) + 6 * int(v.cards[seat, ACE])
    points += 30 * count((hand >> 3) & EVERY)
    bid = 3 if points >= 25 else 2 if points >= 12 else 1 if points >= 0 else 0
    return CALL + bid if mask[CALL + bid] != 0 else CALL


@kernel
def decide(v, mask, landlord, farmer):
    """The action with these weights as the landlord and as a farmer."""
    hand, odds = hand_of(v, v.turn), look(v)
    if v.phase == AUCTION:
        return call(v, mask, hand, odds, landlord)
    w = landlord if v.turn == v.landlord else farmer
    if v.body != NONE:
        return next_step(v, mask, hand, odds, w)
    best, action = NEVER, PASS
    if v.kind != NONE:
        best = pass_worth(v, hand, odds, w)
    for body in range(BODY_END - BODY):
        if mask[BODY + body] != 0:
            worth = move_worth(v, hand, body, odds, w)
            if worth > best:
                best, action = worth, BODY + body
    return action


@kernel
def choose(v, mask, rng):
    """The action for the view ``v`` of the seat to act."""
    return decide(v, mask, LANDLORD, FARMER)
