"""Baccarat (百家樂) with 大小: two hands by fixed drawing rules, and a shoe that lives on.

R1 ``decks`` packs of 52 cards. A counts 1, 2–9 themselves, 10 J Q K 0; the points of a hand are the
   last digit of the sum. Suits mean nothing.
R2 A shoe (牌靴) lasts for many hands. A hand begins with a new one, shuffled, if it is the first,
   if fewer than ``cut`` cards are left, or with ``fresh_shoe``. No card is burnt, all dealt are
   seen.
R3 The cards go to 閒 (player), 莊 (banker), 閒, 莊; then third cards, 閒 before 莊. Both names are
   of hands, not of seats.
R4 If either hand has 8 or 9 points by two cards (例牌, a natural), nobody draws.
R5 Else 閒 draws a third card at 0–5 points and stands at 6 and 7.
R6 If 閒 stood, 莊 draws at 0–5 points and stands at 6 and 7, too.
R7 If 閒 drew a card that counts t, 莊 draws at 0–2 always, at 3 unless t = 8, at 4 if t is 2–7, at
   5 if t is 4–7, at 6 if t is 6 or 7, at 7 never.
R8 The hand with more points wins; equal points are a tie (和).
R9 Chips on 閒 win 1:1, on 莊 0.95:1; a tie gives both back. 和 wins 8:1 by a tie, else loses.
R10 閒對 and 莊對 win 11:1 if the first two cards of that hand are of one rank, else lose.
R11 大 (big) wins 0.54:1 if five or six cards are dealt, 小 (small) 1.5:1 if four are; else they
   lose. A tie does not matter.
R12 Chips are laid one by one before the deal, none or up to ``max_chips`` a seat. They are of three
   denominations. A seat may lay no more than its coins; on 閒 and 莊 together no more than
   ``max_main``, on 和 ``max_tie``, on both pairs ``max_pair``, on 大 and 小 ``max_size``; and not
   on both 閒 and 莊 (``both_sides``).
R13 Chips are concealed until all seats are done.
R14 The house pays and collects, and never runs dry. What all chips of a seat on a spot win is
   rounded down.
R15 A seat is in a hand if it has not left and owns chips[0]. Seats are asked in seat order. The
   match ends after ``hands`` hands, or when no seat is in.
R16 A seat that leaves lays no more; what it has laid stands. No answer: done.

What a coin brings on average from a whole shoe of eight packs, exactly and without rounding:
閒 −241149546272/19524993263685 (−1.2351 %), 莊 −114753351728/10847218479825 (−1.0579 %),
和 −103841353768/723147898655 (−14.3596 %), 閒對 and 莊對 −43/415 (−10.3614 %),
大 −22999/529230 (−4.3457 %), 小 −19571/370461 (−5.2829 %). The cards seen change that: towards the
end of a shoe some bets are worth laying.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import numpy as np

from qipai.envs import options
from qipai.envs.fields import Field, Fields
from qipai.envs.game import Game
from qipai.envs.kernel import kernel
from qipai.envs.layout import HIDDEN, NONE, Actions, Observation, Range, hand_range, put_seat
from qipai.envs.options import Options, flag, integer
from qipai.envs.parts import chips
from qipai.envs.parts.cards import CARD_NAMES, RANKS, SUITS, card_field
from qipai.envs.parts.points import point, points
from qipai.envs.rng import conceal_rng, shuffle
from qipai.envs.scene import Scene, Zone, cards_seen

VERSION = 0

# --- Dimensions ------------------------------------------------------------------------------

SEATS = 6
CARDS = len(CARD_NAMES)
DECKS = 8
SHOE = DECKS * CARDS
MOST_DEALT = 6  # in a hand
PLAYER, BANKER = range(2)  # the two hands, in the order dealt
HAND = 3  # cards of a hand at most
NATURAL = 8  # points by two cards, or more (R4)
ROAD = 96  # results kept of the last hands of a match

# --- Options ---------------------------------------------------------------------------------


LIMITS = {"main": 10_000, "tie": 2000, "pair": 2000, "size": 5000}


def odds_option(name: str, default: int, clause: str) -> options.Option:
    return integer(
        f"pay_{name}",
        default,
        low=0,
        high=10_000,
        meaning=f"what {name} wins, percent of the stake",
        clause=clause,
    )


RULES = Options(
    options.seats(4, low=1, high=SEATS, clause="R15"),
    options.hands(clause="R15"),
    options.stack(10_000, seats=SEATS, clause="R15"),
    integer("decks", DECKS, low=1, high=DECKS, meaning="packs in a shoe", clause="R1"),
    integer(
        "cut",
        52,
        low=MOST_DEALT,
        high=SHOE,
        meaning="a new shoe if fewer cards are left",
        clause="R2",
    ),
    flag("fresh_shoe", False, meaning="a new shoe every hand", clause="R2"),
    *chips.chip_options((100, 500, 1000), 8, "R12"),
    *chips.limit_options(LIMITS, "R12"),
    flag("both_sides", False, meaning="chips on 閒 and 莊 in one hand", clause="R12"),
    odds_option("banker", 95, "R9"),
    odds_option("tie", 800, "R9"),
    odds_option("pair", 1100, "R10"),
    odds_option("big", 54, "R11"),
    odds_option("small", 150, "R11"),
    presets={"shoe": {"hands": 70}},
)


def check(rules: Mapping[str, Any]) -> None:
    """OptionError if the chips don't go together, or nobody could lay one (R12, R15)."""
    chips.check("baccarat", rules, LIMITS)


# --- Actions and state -------------------------------------------------------------------------

SPOTS = ("banker", "player", "tie", "bpair", "ppair", "big", "small")
ON_BANKER, ON_PLAYER, ON_TIE, ON_BPAIR, ON_PPAIR, ON_BIG, ON_SMALL = range(len(SPOTS))
MAIN, TIE, PAIR, SIZE = range(len(LIMITS))
LIMITED_BY = np.array([MAIN, MAIN, TIE, PAIR, PAIR, SIZE, SIZE])  # of each spot (R12)
# Groups of spots: 莊 by itself, as it and 閒 can bar each other, and one for each limit.
FIRST_LIMIT = 1
KINDS = chips.kinds([0, *(FIRST_LIMIT + LIMITED_BY[ON_PLAYER:])])

ACTIONS = Actions()
DONE, CHIP = chips.add_actions(ACTIONS, SPOTS, "coins and limits allow it, in the order of R12")

WINNERS = ("B", "P", "T")
PAIRS = ("", "b", "p", "bp")
# What the road shows of a hand: who won, and which hands began with a pair.
RESULTS = tuple(winner + pairs for winner in WINNERS for pairs in PAIRS)

FIELDS = Fields(
    RULES,
    SEATS,
    Field.number("dealt", SHOE, "cards dealt from this shoe", kept=True),
    Field.number("taken", DECKS, "how often each card has been dealt from it", CARDS, kept=True),
    card_field("cards", "閒 and 莊 of the last hand, in the order dealt", (2, HAND), kept=True),
    Field.choice(
        "results",
        RESULTS,
        f"winner and pairs of the last {ROAD} hands, each at its number modulo {ROAD}",
        ROAD,
        empty=True,
        kept=True,
    ),
    card_field("shoe", "cards still to deal; none: dealt", SHOE, hidden=True, kept=True),
    chips.joined_field(SEATS),
    *chips.fields(SEATS, SPOTS),
)
STATE = FIELDS.dtype

# --- Two hands (R1, R3–R8) ---------------------------------------------------------------------

STOOD = 0  # column of the table of 莊 where 閒 has not drawn; column 1 + t where it has drawn t


def _banker_draws() -> np.ndarray:
    """Whether 莊 draws (R6, R7): int8 (NATURAL points, STOOD or 1 + t)."""
    draws = np.zeros((NATURAL, 11), np.int8)
    draws[:6, STOOD] = 1
    for total, least, most in ((4, 2, 7), (5, 4, 7), (6, 6, 7)):
        draws[total, 1 + least : 2 + most] = 1
    draws[:4, 1:] = 1
    draws[3, 1 + 8] = 0
    return draws


BANKER_DRAWS = _banker_draws()
PLAYER_STANDS = 6  # points, and more (R5)


@kernel
def hand_points(s, hand):
    return points(s.cards[hand, 0], s.cards[hand, 1], s.cards[hand, 2])


@kernel
def give(s, hand, k):
    """The next card of the shoe becomes card k of a hand."""
    card = s.shoe[s.dealt]
    s.cards[hand, k] = card
    s.taken[card] += 1
    s.shoe[s.dealt] = NONE
    s.dealt += 1


@kernel
def draws(s, hand):
    """Whether a hand draws a third card; 閒 has its own before 莊 is asked."""
    player = points(s.cards[PLAYER, 0], s.cards[PLAYER, 1], NONE)
    banker = points(s.cards[BANKER, 0], s.cards[BANKER, 1], NONE)
    if max(player, banker) >= NATURAL:  # R4
        return False
    if hand == PLAYER:
        return player < PLAYER_STANDS  # R5
    third = s.cards[PLAYER, 2]  # R6, R7
    return BANKER_DRAWS[banker, 1 + point(third) if third >= 0 else STOOD] == 1


@kernel
def deal_hands(s):  # R3
    for k in range(2):
        give(s, PLAYER, k)
        give(s, BANKER, k)
    for hand in range(2):
        s.cards[hand, 2] = NONE
        if draws(s, hand):
            give(s, hand, 2)


@kernel
def cards_dealt(s):
    """How many cards the last hand took."""
    return 4 + (s.cards[PLAYER, 2] >= 0) + (s.cards[BANKER, 2] >= 0)


@kernel
def is_pair(s, hand):
    return s.cards[hand, 0] // 4 == s.cards[hand, 1] // 4


@kernel
def winner(player, banker):
    """An index into ``WINNERS`` by the points of both hands (R8)."""
    return 0 if banker > player else 1 if player > banker else 2


@kernel
def result(s):
    """An index into ``RESULTS``."""
    won = winner(hand_points(s, PLAYER), hand_points(s, BANKER))
    return len(PAIRS) * won + is_pair(s, BANKER) + 2 * is_pair(s, PLAYER)


# --- Deal (R2) ---------------------------------------------------------------------------------


@kernel
def shoe_size(s):
    return CARDS * s.rules.decks


@kernel
def cards_left(s):
    return shoe_size(s) - s.dealt


@kernel
def left_of_rank(s, rank):
    """Cards of a rank that have not been dealt from the shoe."""
    left = np.int64(0)
    for card in range(len(SUITS) * rank, len(SUITS) * (rank + 1)):
        left += s.rules.decks - s.taken[card]
    return left


@kernel
def ends_shoe(s, left):
    """Whether a hand after which so many cards are left is the last one of the shoe (R2)."""
    return s.rules.fresh_shoe or left < s.rules.cut


@kernel
def deal(s):
    if s.hand == 0 or ends_shoe(s, cards_left(s)):  # R2
        s.dealt = 0
        s.taken[:] = 0
        lay_shoe(s)
    open_bets(s)


@kernel
def lay_shoe(s):
    """Shuffle all cards that have not been dealt."""
    place = s.dealt
    for card in range(CARDS):
        for _ in range(s.taken[card], s.rules.decks):
            s.shoe[place] = card
            place += 1
    shuffle(s.rng, s.shoe[s.dealt :], cards_left(s))


@kernel
def open_bets(s):
    """Start the hand that follows from ``shoe``."""
    chips.begin(s)


# --- Chips (R12, R13, R15, R16) ----------------------------------------------------------------


@kernel
def limit(s, k):
    """The most coins of a seat on the spots of limit k."""
    if k == MAIN:
        return s.rules.max_main
    if k == TIE:
        return s.rules.max_tie
    return s.rules.max_pair if k == PAIR else s.rules.max_size


@kernel
def staked(s, seat, k):
    """Coins that a seat has laid on the spots of limit k, but for 莊."""
    return chips.staked(s, seat, KINDS, FIRST_LIMIT + k)


@kernel
def rooms(s, seat):
    """Coins that a seat may still lay on each group (R12)."""
    banker, player = chips.staked(s, seat, KINDS, 0), staked(s, seat, MAIN)
    main = limit(s, MAIN) - banker - player
    return (
        main if player == 0 or s.rules.both_sides else np.int64(0),
        main if banker == 0 or s.rules.both_sides else np.int64(0),
        limit(s, TIE) - staked(s, seat, TIE),
        limit(s, PAIR) - staked(s, seat, PAIR),
        limit(s, SIZE) - staked(s, seat, SIZE),
    )


@kernel
def legal(s, mask):
    mask[DONE] = 1
    chips.legal(s, mask[CHIP:], KINDS, rooms(s, s.turn), False)


@kernel
def apply(s, action):
    if chips.act(s, NONE if action == DONE else action - CHIP, KINDS, rooms, False):
        play_hand(s)


@kernel
def play_hand(s):
    """All seats are done."""
    deal_hands(s)
    s.results[s.hand % ROAD] = result(s)
    settle(s)


@kernel
def default(s):  # R16
    return DONE


@kernel
def leave(s, seat):  # R16
    if chips.leave(s, seat):
        play_hand(s)


# --- Settlement (R9–R11, R14) ------------------------------------------------------------------


@kernel
def odds(s, spot):
    """What a spot wins, percent of the stake."""
    if spot == ON_BANKER:
        return s.rules.pay_banker
    if spot == ON_TIE:
        return s.rules.pay_tie
    if spot in (ON_BPAIR, ON_PPAIR):
        return s.rules.pay_pair
    if spot == ON_BIG:
        return s.rules.pay_big
    return s.rules.pay_small if spot == ON_SMALL else np.int64(100)


@kernel
def outcome(s, spot):
    """1, 0 or −1: chips on a spot win, go back or lose."""
    lead = hand_points(s, BANKER) - hand_points(s, PLAYER)
    if spot in (ON_BANKER, ON_PLAYER):  # R9
        if spot == ON_PLAYER:
            lead = -lead
        return 1 if lead > 0 else -1 if lead < 0 else 0
    if spot == ON_TIE:
        wins = lead == 0
    elif spot in (ON_BPAIR, ON_PPAIR):  # R10
        wins = is_pair(s, BANKER if spot == ON_BPAIR else PLAYER)
    else:  # R11
        wins = (cards_dealt(s) > 4) == (spot == ON_BIG)
    return 1 if wins else -1


@kernel
def prize(s, spot, stake):
    """What all chips of a seat on a spot win if they win."""
    return stake * odds(s, spot) // 100


@kernel
def pay(s, spot, stake):
    """What all chips of a seat on a spot bring (R14)."""
    found = outcome(s, spot)
    return prize(s, spot, stake) if found > 0 else found * stake


@kernel
def settle(s):
    chips.settle(s, pay)


# --- What a seat sees --------------------------------------------------------------------------


@kernel
def conceal(s, seat):
    conceal_rng(s.rng)
    chips.conceal(s, seat)
    s.shoe[s.dealt : shoe_size(s)] = HIDDEN


@kernel
def redeal(s, seat):
    chips.redeal(s, KINDS, rooms, False)
    lay_shoe(s)


OBSERVATION = Observation(
    *chips.ranges(len(SPOTS), "banker, player, tie, pair, size"),
    chips.seat_range(SEATS),
    Range("turn", SEATS, "seat to act"),
    Range("left", len(RANKS), "cards left in the shoe by rank, in fours: 2 … A"),
    Range("cards_left", 1, "cards left in the shoe, in packs"),
    Range("decks", 1, "packs of a whole shoe"),
    Range("reshuffle", 2, "the next hand begins with a new shoe: maybe, surely"),
    Range("cards", (2, HAND, len(RANKS)), "cards of the last hand, 閒 and 莊: rank"),
    Range("points", (2, 10), "points of 閒 and 莊 in the last hand"),
    Range("dealt", 3, "cards of the last hand: four, five, six"),
    Range("odds", len(SPOTS), "what each spot wins, per coin"),
    hand_range(),
)


@kernel
def observe(v, seat, o, known):
    chips.observe(v, seat, o, rooms(v, seat))
    chips.observe_seats(v, seat, o)
    if not v.ended:
        put_seat(o.turn, seat, v.turn, v.seats)
    for rank in range(len(RANKS)):
        o.left[rank] = 0.25 * left_of_rank(v, rank)
    left = cards_left(v)
    o.cards_left = left / CARDS
    o.decks = v.rules.decks
    o.reshuffle[0] = ends_shoe(v, left if v.ended else left - MOST_DEALT)
    o.reshuffle[1] = ends_shoe(v, left if v.ended else left - 4)
    for spot in range(len(SPOTS)):
        o.odds[spot] = odds(v, spot) / 100
    if v.cards[PLAYER, 0] >= 0:
        for hand in range(2):
            for k in range(HAND):
                if v.cards[hand, k] >= 0:
                    o.cards[hand, k, v.cards[hand, k] // 4] = 1
            o.points[hand, hand_points(v, hand)] = 1
        o.dealt[cards_dealt(v) - 4] = 1


# --- What can't be -----------------------------------------------------------------------------


def contradiction(s: np.void) -> str | None:
    """What can't be on a table or in a view: ``Game.contradiction``."""
    found = (*shoe_faults(s), *hand_faults(s))
    return found[0] if found else next(chips.faults(s, KINDS, rooms, False, settle), None)


def shoe_faults(s: np.void) -> Iterator[str]:
    """About the cards dealt from the shoe, and those left in it (R1, R2)."""
    dealt, size = int(s["dealt"]), int(shoe_size(s))
    before = dealt - int(cards_dealt(s)) * int(s["ended"])
    if (s["taken"] > s["rules"]["decks"]).any() or s["taken"].sum() != dealt:
        yield f"taken has {s['taken'].sum()} cards: expected dealt={dealt}, of each at most decks"
    if not 0 <= before <= MOST_DEALT * s["hand"]:
        yield f"dealt is {dealt}, more or less than the hands have taken"
    elif before and ends_shoe(s, size - before):
        yield f"dealt is {dealt}, but this hand had to begin with a new shoe"
    place = np.arange(SHOE)
    if ((s["shoe"] != NONE) != ((dealt <= place) & (place < size))).any():
        yield f"shoe has other places filled than those from dealt={dealt} to {size}"


def hand_faults(s: np.void) -> Iterator[str]:
    """About the two hands that lie on the table, and the results kept (R3–R8)."""
    played = int(s["hand"]) + int(s["ended"])
    there = s["cards"] >= 0
    expected = np.zeros_like(there)
    if played:
        expected[:, :2] = True
        if (there >= expected).all():
            expected[:, 2] = [bool(draws(s, hand)) for hand in (PLAYER, BANKER)]
    if (there != expected).any():
        yield f"cards has other cards than the rules give after {played} hands"
        return
    counts = np.bincount(s["cards"][there], minlength=CARDS)
    if (counts > (s["taken"] if s["dealt"] else s["rules"]["decks"])).any():
        yield "cards has some that have not been dealt from the shoe"
    if ((s["results"] != NONE) != (np.arange(ROAD) < played)).any():
        yield f"results has other places filled than the first {played}"
    elif played and s["results"][(played - 1) % ROAD] != result(s):
        yield f"results has another result than cards for hand {played - 1}"


# --- Words -------------------------------------------------------------------------------------

HANDS = ("player", "banker")
WINNER_NAMES = ("banker", "player", "tie")


def census(s: np.void) -> tuple[int, ...]:
    """How often each card is in the shoe, or has been dealt from it."""
    shoe = s["shoe"][s["shoe"] >= 0]
    return tuple((np.bincount(shoe, minlength=CARDS) + s["taken"]).tolist())


def hand_cards(s: np.void, hand: int) -> list[str]:
    return cards_seen(s["cards"][hand])


def report(s: np.void) -> dict[str, Any]:
    """The two hands, who won, and by seat the coins on each spot and what they brought."""
    won, pairs = divmod(int(result(s)), len(PAIRS))
    return {
        "cards": {name: hand_cards(s, hand) for hand, name in enumerate(HANDS)},
        "points": {name: int(hand_points(s, hand)) for hand, name in enumerate(HANDS)},
        "winner": WINNER_NAMES[won],
        "pairs": [HANDS[1 - k] for k in range(2) if pairs >> k & 1],
    } | chips.report(s, SPOTS, pay)


# --- The big road ------------------------------------------------------------------------------

ROAD_ROWS, ROAD_COLUMNS = 6, 18


def last_results(s: np.void) -> list[tuple[str, str]]:
    """Winner and pairs of the last hands, the oldest first."""
    played = int(s["hand"]) + int(s["ended"])
    numbers = [int(s["results"][k % ROAD]) for k in range(max(0, played - ROAD), played)]
    return [(RESULTS[number][0], RESULTS[number][1:]) for number in numbers]


def big_road(
    results: Iterable[tuple[str, str]],
) -> tuple[dict[tuple[int, int], str], tuple[int, int]]:
    """The beads of the big road (大路) by column and row, and the place of the last one.

    A winner goes below itself and, where the column has no room, on to the right; another one
    begins the next column. Ties are counted on the bead before them.
    """
    beads: dict[tuple[int, int], tuple[str, int]] = {}
    column, place = -1, (0, 0)
    last = ""
    for winner, pairs in results:
        if winner == "T":
            bead, ties = beads.get(place, ("T", 0))
            beads[place] = (bead, ties + 1)
            continue
        if winner != last:
            column += 1
            place = (column, 0)
            ties = beads.pop(place, ("", 0))[1] if not last else 0
        else:
            below = (place[0], place[1] + 1)
            room = below[1] < ROAD_ROWS and below not in beads
            place = below if room else (place[0] + 1, place[1])
            ties = 0
        last = winner
        beads[place] = (winner + pairs, ties)
    return {at: bead + str(ties) * (ties > 0) for at, (bead, ties) in beads.items()}, place


def road_zone(s: np.void) -> Zone:
    """The last columns of the big road."""
    beads, (column, row) = big_road(last_results(s))
    first = max(0, max((at[0] for at in beads), default=0) + 1 - ROAD_COLUMNS)
    items = [beads.get((first + c, r), "") for r in range(ROAD_ROWS) for c in range(ROAD_COLUMNS)]
    marked = (row * ROAD_COLUMNS + column - first,) if beads else ()
    return Zone("big road", tuple(items), columns=ROAD_COLUMNS, marked=marked, deck="beads")


def hand_zone(s: np.void, hand: int) -> Zone:
    """A hand of the last deal and what came of it."""
    items = hand_cards(s, hand)
    if not items:
        return Zone(HANDS[hand], (), note="no cards yet")
    lead = (hand_points(s, hand), hand_points(s, 1 - hand))
    word = "tie" if lead[0] == lead[1] else "wins" if lead[0] > lead[1] else "loses"
    pair = ", pair" if is_pair(s, hand) else ""
    plural = "" if lead[0] == 1 else "s"
    return Zone(HANDS[hand], tuple(items), note=f"{lead[0]} point{plural}{pair}, {word}")


def show(v: np.void, seat: int | None) -> Scene:
    """What lies on the table, for one seat's eyes; seat None: for all."""
    zones = []
    for p in range(v["seats"]):
        zones += chips.zones(v, p, SPOTS)
    zones += [hand_zone(v, PLAYER), hand_zone(v, BANKER), road_zone(v)]
    left = int(cards_left(v))
    again = ", then a new one" if ends_shoe(v, left if v["ended"] else left - 4) else ""
    return Scene(chips.places(v), tuple(zones), facts=(f"shoe {left} cards{again}",))


GAME = Game(
    name="baccarat",
    title="百家樂",
    english="baccarat",
    summary="Two hands by fixed drawing rules from a shoe that lives on; seven spots to bet on.",
    version=VERSION,
    source="rule pages of a Chinese online game hall (drawing tables, 大小)",
    document=__doc__ or "",
    unit=lambda s: s["rules"]["chips"][..., 0],
    rules=RULES,
    actions=ACTIONS,
    fields=FIELDS,
    observation=OBSERVATION,
    deal=deal,
    legal=legal,
    apply=apply,
    conceal=conceal,
    redeal=redeal,
    observe=observe,
    default=default,
    leave=leave,
    laid=("shoe", open_bets),
    move=chips.move,
    max_plies=chips.max_plies,
    census=census,
    contradiction=contradiction,
    report=report,
    show=show,
    check=check,
    checked_by=(
        "chances of 閒, 莊 and tie, of four, five and six cards, and of a pair, as exact fractions",
        "what every spot is worth, from shoes of eight, six and one packs, as exact fractions",
        "the 57 of 88 cases in which 莊 draws",
        "whole bets in chips, counted",
    ),
    limitations=(
        "The source has lost the pay table and two lines of the drawing rules; they are the usual "
        "ones. It names no stakes: chips and limits are ours.",
        "No card is burnt, and all cards are seen.",
    ),
    history=("0: first version",),
)
