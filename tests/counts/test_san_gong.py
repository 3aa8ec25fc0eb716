"""San Gong over the whole deck: hands, whole bets, and chances and means as exact fractions."""

from __future__ import annotations

import functools
import math
from fractions import Fraction
from itertools import combinations
from typing import Any

import numpy as np
import pytest

from qipai.agents import load_agent
from qipai.envs import make_tables
from qipai.envs.kernel import addressable, kernel
from qipai.envs.match import engine
from qipai.envs.parts.cards import BIT, CARD_NAMES
from qipai.envs.parts.three_cards import A23, strength_of
from qipai.envs.san_gong import (
    BIG,
    COEF,
    DONE,
    GAME,
    HAND_NAMES,
    MIXED,
    PAIR_PAY,
    SMALL,
    SPOTS,
    house_value,
    kind_of,
    pay_spot,
    value,
)
from tests.san_gong_positions import FIVE, NINE, Position

HANDS = np.array(list(combinations(range(len(CARD_NAMES)), 3)))
SETS = BIT[HANDS].sum(axis=1)
PAIRS = 22_100 * 18_424  # of a hand and another from the rest of the deck
COEFS = (9, 7, 5, 3, 1)
BASE = 100


@kernel
def write_values(hands, values, kinds, pays):
    for i in range(len(hands)):
        a, b, c = hands[i, 0], hands[i, 1], hands[i, 2]
        values[i] = value(a, b, c)
        kinds[i] = kind_of(values[i])
        pays[i] = PAIR_PAY[strength_of(a, b, c, A23.LOWEST)]


@kernel
def count_pairs(sets, groups, found):
    """How many pairs of hands without a common card there are of each two groups."""
    for i in range(len(sets)):
        for j in range(len(sets)):
            if sets[i] & sets[j] == 0:
                found[groups[i], groups[j]] += 1


@kernel
def count_winners(sets, values, groups, found):
    """In how many pairs the better hand is of each group."""
    for i in range(len(sets)):
        for j in range(i):
            if sets[i] & sets[j] == 0:
                found[groups[i if values[i] > values[j] else j]] += 2


@functools.cache
def hand_values() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The value of every hand under R4–R7, its kind, and what it brings on the spot ``pair``."""
    found = tuple(np.zeros(len(HANDS), np.int64) for _ in range(3))
    write_values(HANDS, *found)
    return found


# --- Hands ------------------------------------------------------------------------------------


def test_hands_by_kind() -> None:
    counts = np.bincount(hand_values()[1], minlength=len(HAND_NAMES))
    assert counts[:MIXED].tolist() == [2160, 2208] * 5
    assert [counts[kind] for kind in (BIG, SMALL, MIXED)] == [12, 40, 208]


def test_hands_of_equal_value_share_a_card() -> None:
    values = hand_values()[0]
    assert len(np.unique(values)) == 526
    order = np.argsort(values, kind="stable")
    for group in np.split(order, np.flatnonzero(np.diff(values[order])) + 1):
        for one, two in combinations(group, 2):
            assert SETS[one] & SETS[two]


def test_hands_by_what_the_pair_spot_pays() -> None:
    counts = dict(zip(*np.unique(hand_values()[2], return_counts=True), strict=True))
    assert counts == {40: 48, 30: 52, 6: 720, 3: 1096, 1: 3744, -1: 16_440}


# --- Whole bets -------------------------------------------------------------------------------


def test_whole_bets_of_few_chips() -> None:
    """Layouts of up to one, two and three chips, nothing included."""
    tables, layouts, loops = (
        Position(seats=1, mode="casino", stacks=10_000).table,
        [1],
        engine(GAME),
    )
    for _ in range(3):
        every = np.arange(len(tables))
        masks = np.zeros((len(tables), GAME.actions.width), np.int8)
        loops.mask_tables(tables, every, masks)
        masks[:, DONE] = 0
        which, actions = np.nonzero(masks)
        layouts.append(layouts[-1] + len(actions))
        tables = addressable(tables[which].copy())
        loops.play_tables(tables, np.arange(len(tables)), actions, np.zeros((len(tables), 2), int))
    assert layouts == [1, 52, 1334, 22_342]


# --- The casino -------------------------------------------------------------------------------


class House:
    """Exact chances of a casino: 閒 1 and 莊 hold any two hands of one deck."""

    def __init__(self) -> None:
        self.s = Position(seats=1, mode="casino", stacks=10_000).s
        keys = [self._key(hand) for hand in HANDS]
        names = sorted(set(keys))
        groups = np.array([names.index(key) for key in keys])
        self.names = names
        self.pairs = np.zeros((len(names), len(names)), np.int64)
        count_pairs(SETS, groups, self.pairs)
        self.hands = [np.flatnonzero(groups == k) for k in range(len(names))]

    def _key(self, hand: np.ndarray) -> tuple[int, int]:
        """All that win, lose, tie and three tell apart: what a hand counts, and its faces."""
        self.s["cards"][1] = hand
        faces = sum(CARD_NAMES[card][1:] in ("J", "Q", "K") for card in hand)
        return int(house_value(self.s, 1)), faces

    def lay(self, one: int, bank: int) -> None:
        """Some two hands of these groups."""
        first, second = next(
            (i, j) for i in self.hands[one] for j in self.hands[bank] if not SETS[i] & SETS[j]
        )
        self.s["cards"][1], self.s["cards"][0] = HANDS[first], HANDS[second]

    def chance(self, name: str, stake: int) -> dict[int, Fraction]:
        """The chance of everything that a stake on a spot can bring."""
        found: dict[int, Fraction] = {}
        for one, bank in zip(*np.nonzero(self.pairs), strict=True):
            self.lay(int(one), int(bank))
            coins = int(pay_spot(self.s, np.int64(SPOTS.index(name)), np.int64(stake)))
            pairs = int(self.pairs[one, bank])
            found[coins] = found.get(coins, Fraction()) + Fraction(pairs, PAIRS)
        return found


@pytest.fixture(scope="module")
def house() -> House:
    return House()


def mean(chances: dict[int, Fraction], stake: int) -> Fraction:
    return sum((coins * chance for coins, chance in chances.items()), Fraction()) / stake


@pytest.mark.parametrize("spot", ["win1", "lose1"])
def test_win_and_lose(house: House, spot: str) -> None:
    chances = house.chance(spot, 2)
    half = Fraction(3_110_763, 50_896_300)
    assert chances == {
        2: Fraction(1_224_364, 2_544_815) - half,
        1: half,
        0: Fraction(96_087, 2_544_815),
        -2: Fraction(1_224_364, 2_544_815),
    }
    assert mean(chances, 2) == Fraction(-3_110_763, 101_792_600)


def test_tie_and_three(house: House) -> None:
    tie, three = house.chance("tie1", 1), house.chance("three1", 1)
    assert tie[8] == Fraction(1_247_313, 12_724_075)
    assert mean(tie, 1) == Fraction(-1_498_258, 12_724_075)
    assert three[16] == Fraction(11, 1105)
    assert mean(three, 1) == Fraction(-54, 65)
    assert house.chance("three0", 1) == three


def test_pair_loses() -> None:
    assert Fraction(int(hand_values()[2].sum()), len(HANDS)) == Fraction(-402, 5525)


# --- Against a banker -------------------------------------------------------------------------


@pytest.fixture(scope="module")
def winners() -> dict[int, Fraction]:
    """The chance of each coefficient to be that of the better of two hands."""
    found = np.zeros(len(COEFS), np.int64)
    values, kinds, _ = hand_values()
    count_winners(SETS, values, COEF[kinds], found)
    assert found.sum() == PAIRS
    return {coef: Fraction(int(n), PAIRS) for coef, n in zip(COEFS, found, strict=True)}


def test_coefficients_of_the_better_hand(winners: dict[int, Fraction]) -> None:
    assert winners == {
        1: Fraction(1_590_499, 2_544_815),
        3: Fraction(357_869, 1_017_926),
        5: Fraction(95_367, 5_089_630),
        7: Fraction(541, 149_695),
        9: Fraction(2_763, 2_544_815),
    }
    assert sum(coef * chance for coef, chance in winners.items()) == Fraction(920_436, 508_963)


BETTER = ("SK HK CK", "S2 H2 C2", "SQ DJ CJ", "S8 H10 DK", "S7 H10 DK")  # by coefficient
WORSE = "SA D10 C10"


def net(cards: str, bank: str, coins: int, multiple: int) -> int:
    """What a 閒 with so many coins gets."""
    stacks = (100 * BASE, coins)
    hand = Position(bank, cards, banker=0, stacks=stacks, bank_min=1)
    if not hand.s["ended"]:
        hand.play(f"bet {multiple}")
    return hand.coins[1]


def mean_net(winners: dict[int, Fraction], coins: int, multiple: int) -> Fraction:
    """Either of two hands is the better one, as likely as the other."""
    return sum(
        (
            chance * (net(cards, WORSE, coins, multiple) + net(WORSE, cards, coins, multiple)) / 2
            for cards, chance in zip(BETTER, winners.values(), strict=True)
        ),
        Fraction(),
    )


MEANS = {  # coins, then a mean for each multiple
    100: (35.902,),
    300: (-1.599, 53.053, 107.705),
    400: (-2.771, 34.303, 88.954, 143.606),
    1000: (-4.521, -7.885, -5.968, 31.105),
}


@pytest.mark.parametrize(("coins", "expected"), MEANS.items())
def test_means_of_short_seats(
    winners: dict[int, Fraction], coins: int, expected: tuple[float, ...]
) -> None:
    found = [float(mean_net(winners, coins, m + 1)) for m in range(len(expected))]
    assert found == pytest.approx(expected, abs=0.0005)


def test_means_of_seats_that_can_pay_all(winners: dict[int, Fraction]) -> None:
    for multiple in (1, 2, 3, 4):
        found = mean_net(winners, 3600, multiple)
        assert found == multiple * Fraction(-2_301_090, 508_963)


def test_the_rule_bot_stakes_the_best_multiple(winners: dict[int, Fraction]) -> None:
    """For all coins at base 100: the highest legal one up to 1190 coins, then one."""
    bot, table = load_agent("rule", GAME), Position(NINE, FIVE, banker=0).table
    coins = np.arange(200, 1400)
    tables = addressable(np.repeat(table, len(coins)))
    tables["stack"][:, 1] = coins
    masks = np.zeros((len(coins), GAME.actions.width), np.int8)
    engine(GAME).mask_tables(tables, np.arange(len(coins)), masks)
    chosen = bot.act(tables, masks) - 1

    def worth(own: int, multiple: int) -> Fraction:
        stake = multiple * BASE
        brings = (95 * stake * coef // 100 - min(stake * coef, own) for coef in winners)
        return sum((c * n / 2 for c, n in zip(winners.values(), brings, strict=True)), Fraction())

    for own, multiple in zip(coins.tolist(), chosen.tolist(), strict=True):
        best = max(range(1, min(4, own // BASE) + 1), key=lambda m: worth(own, m))
        assert multiple == best == (min(4, own // BASE) if own <= 1190 else 1), own


# --- Ten million hands ------------------------------------------------------------------------


def played(action: str, seat: int, **options: Any) -> tuple[float, float]:
    """What ten million hands that one action decides bring a seat on average, and its error."""
    tables = make_tables("san_gong", 10_000, seed=1, seats=seat + 1, **options)
    actions, coins, squares = np.full(tables.n, GAME.parse(action)), 0, 0
    for _ in range(1_000):
        tables.step(actions)
        coins += int(tables.reward[:, seat].sum())
        squares += int((tables.reward[:, seat] ** 2).sum())
    hands = 1_000 * tables.n
    found = coins / hands
    return found, math.sqrt((squares / hands - found**2) / hands)


@pytest.mark.slow
@pytest.mark.parametrize("multiple", [1, 2, 3, 4])
def test_ten_million_hands_against_a_banker(winners: dict[int, Fraction], multiple: int) -> None:
    """With 1000 coins, at base 100."""
    stacks = {"stack": (10**6, 1000), "bank_min": 10**6, "base_div": 10**4}
    found, error = played(f"bet {multiple}", 1, **stacks)
    print(f"bet {multiple}: {found:.4f} ± {1.96 * error:.4f}")
    assert abs(found - mean_net(winners, 1000, multiple)) < 3 * error


@pytest.mark.slow
@pytest.mark.parametrize(
    ("spot", "expected"),
    [
        ("win1", Fraction(-3_110_763, 101_792_600)),
        ("lose3", Fraction(-3_110_763, 101_792_600)),
        ("tie2", Fraction(-1_498_258, 12_724_075)),
        ("three0", Fraction(-54, 65)),
        ("pair0", Fraction(-402, 5525)),
    ],
)
def test_ten_million_hands_in_a_casino(spot: str, expected: Fraction) -> None:
    """A chip of 10 coins."""
    found, error = played(f"chip1:{spot}", 0, preset="casino", max_chips=1)
    print(f"{spot}: {found / 10:.6f} ± {1.96 * error / 10:.6f}")
    assert abs(found - 10 * expected) < 3 * error
