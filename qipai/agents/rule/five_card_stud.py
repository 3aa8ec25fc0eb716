"""Rule of thumb for five-card stud: bet by the chance to win against random hidden cards.

Before the last card that chance is sampled; after it, only hole cards are hidden and it is counted.
A rival's hole card is taken as any unseen card, whatever the rival has bet, so facing raises the
bot asks for more than the price of the pot.
"""

from __future__ import annotations

from qipai.envs.five_card_stud import CARDS, LOWEST, ROUNDS, highest_level, value
from qipai.envs.kernel import kernel
from qipai.envs.parts.betting import pot
from qipai.envs.parts.cards import ACE, BIT
from qipai.envs.parts.five_cards import kind_of
from qipai.envs.parts.raises import RAISE
from qipai.envs.parts.rounds import CALL, CHECK, FOLD
from qipai.envs.parts.stud import seen_cards, visible_hand
from qipai.envs.rng import below

SAMPLES = 48
QUARTER, HALF, MAX = RAISE + 1, RAISE + 2, RAISE + 4
DOUBT = 0.05  # added to the price of a call for each raise another seat made in this round


@kernel
def unseen_cards(v):
    """The cards that the seat to act has not seen, as a set of bits."""
    return (((1 << CARDS) - 1) << LOWEST) & ~seen_cards(v)


@kernel
def draw_unseen(cards, count, rng):
    """A uniformly drawn one of ``count`` cards, as a set of one bit."""
    for _ in range(below(rng, count)):
        cards &= cards - 1
    return cards & -cards


@kernel
def sampled_equity(v, rng):
    """Share of random completions of all hands in which the seat to act wins."""
    unseen, own = unseen_cards(v), visible_hand(v, v.turn) | BIT[v.hole[v.turn]]
    unseen_count = 0
    for card in range(LOWEST, LOWEST + CARDS):
        unseen_count += (unseen >> card) & 1
    to_come = ROUNDS - 1 - v.street
    wins = 0
    for _ in range(SAMPLES):
        left, count = unseen, unseen_count
        best = own
        for _ in range(to_come):
            card = draw_unseen(left, count, rng)
            left, count, best = left ^ card, count - 1, best | card
        mine, beaten = value(best), False
        for seat in range(v.seats):
            if v.live[seat] and seat != v.turn and not beaten:
                hand = visible_hand(v, seat)
                for _ in range(to_come + 1):
                    card = draw_unseen(left, count, rng)
                    left, count, hand = left ^ card, count - 1, hand | card
                beaten = value(hand) > mine
        wins += not beaten
    return wins / SAMPLES


@kernel
def counted_equity(v):
    """After the last card: the chance that no rival's hole card beats the own hand."""
    unseen = unseen_cards(v)
    mine = value(visible_hand(v, v.turn) | BIT[v.hole[v.turn]])
    chance = 1.0
    for seat in range(v.seats):
        if v.live[seat] and seat != v.turn:
            shown = visible_hand(v, seat)
            worse = cards = 0
            for card in range(LOWEST, LOWEST + CARDS):
                if (unseen >> card) & 1:
                    cards += 1
                    worse += value(shown | BIT[card]) < mine
            chance *= worse / cards
    return chance


@kernel
def may_bluff(v):
    """Whether some hole card would make the own open cards a better hand than all others show."""
    unseen, shown = unseen_cards(v), visible_hand(v, v.turn)
    best = 0
    for card in range(LOWEST, LOWEST + CARDS):
        if (unseen >> card) & 1:
            best = max(best, value(shown | BIT[card]))
    for seat in range(v.seats):
        if v.live[seat] and seat != v.turn:
            kind = kind_of(value(visible_hand(v, seat)))
            if kind >= kind_of(best):
                return False
    return True


@kernel
def rivals_raises(v):
    """Raises of the other seats in this round."""
    raises = 0
    for seat in range(v.seats):
        if seat != v.turn:
            raises += v.raises[v.street, seat]
    return raises


@kernel
def raise_at_most(v, mask, wanted):
    """The largest raise on offer up to ``wanted``, else call or check."""
    for action in range(wanted, RAISE - 1, -1):
        if mask[action]:
            return action
    return CALL if mask[CALL] else CHECK


@kernel
def playable_start(v):
    """A pair, an ace, or two cards above the best open card of the others."""
    hole, up = v.hole[v.turn] // 4, v.up[v.turn, 0] // 4
    if hole in (up, ACE) or up == ACE:
        return True
    for seat in range(v.seats):
        if v.live[seat] and seat != v.turn and v.up[seat, 0] // 4 >= min(hole, up):
            return False
    return True


@kernel
def choose(v, mask, rng):
    """The action for the view ``v`` of the seat to act."""
    free = mask[CHECK] == 1
    owed = v.level - v.paid[v.street, v.turn]
    if v.street == 0:
        if v.hole[v.turn] // 4 == v.up[v.turn, 0] // 4:
            return raise_at_most(v, mask, QUARTER)
        dear = 2 * v.level > highest_level(v)
        if not free and dear and not playable_start(v):
            return FOLD
    last = v.street == ROUNDS - 1
    equity = counted_equity(v) if last else sampled_equity(v, rng)
    if equity > (0.75 if last else 0.8):
        return raise_at_most(v, mask, MAX)
    if not last and equity > 0.6:
        return raise_at_most(v, mask, HALF)
    if last and free and may_bluff(v) and below(rng, 4) == 0:
        return raise_at_most(v, mask, MAX)
    if free:
        return CHECK
    price = owed / (pot(v) + owed)
    return CALL if equity > price + DOUBT * rivals_raises(v) else FOLD
