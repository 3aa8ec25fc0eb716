"""Five-card stud, clause by clause: positions in card names, coins worked out by hand."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from qipai.envs import OptionError, five_card_stud, make_tables
from qipai.envs import position as place
from qipai.envs.checking import check
from qipai.envs.five_card_stud import (
    BIT,
    CARDS,
    GAME,
    LOWEST,
    highest_level,
    value,
)
from qipai.envs.kernel import addressable
from qipai.envs.layout import HIDDEN, NONE
from qipai.envs.match import engine
from qipai.envs.parts.cards import card_name
from qipai.envs.parts.raises import RAISE, raise_level
from tests.stud_table import StudTable
from tests.table import parse_cards

# The sheet's cards, hole card first.
FOUR_HANDS = ("H8 SK DK C9 HJ", "SA HA C8 DJ S9", "CA D9 H9 S10 CQ", "DA CK HQ D8 H10")


def worth(cards: list[int]) -> int:
    return int(value(BIT[cards].sum()))


class Position(StudTable):
    """A hand of five-card stud; see ``StudTable``."""

    def __init__(self, *hands: str, **arguments: Any) -> None:
        super().__init__(five_card_stud, *hands, **arguments)

    @property
    def levels(self) -> list[int]:
        """The levels on offer, lowest name first."""
        x = highest_level(self.s)
        return [
            int(raise_level(self.s, GAME.parse(n), x)) for n in self.legal if GAME.parse(n) >= RAISE
        ]

    @property
    def highest(self) -> int:
        return int(highest_level(self.s))


def three(first: int = 0) -> Position:
    return Position(*FOUR_HANDS[:3], first=first)


# --- The worked examples -----------------------------------------------------------------------


def test_E1_a_whole_hand() -> None:
    hand = Position(*FOUR_HANDS, stacks=(1000, 700, 500, 900))
    assert (hand.turn, hand.round, hand.highest) == (1, 1, 122)
    assert hand.legal == ["fold", "check", *[n for n in GAME.actions.names if "raise" in n]]
    assert hand.levels == [10, 30, 61, 91, 122]
    hand.play("raise_min")
    assert hand.turn == 2
    hand.play("call", "call", "raise_max", "call", "fold")
    assert (hand.turn, hand.highest) == (3, 172)
    assert hand.legal == ["fold", "call", "raise_min", "raise_max"]
    assert hand.levels == [132, 172]
    hand.play("call")
    assert (hand.turn, hand.round, hand.highest) == (0, 2, 345)
    hand.play("raise_half")
    assert hand.s["level"] == 172
    hand.play("call", "fold")
    assert (hand.turn, hand.round, hand.highest) == (0, 3, 396)
    hand.play("check", "raise_max", "call")
    assert hand.s["shown"]
    assert hand.stakes == (700, 700, 20, 132)
    assert hand.coins == (-700, 852, -20, -132)
    assert hand.s["house"] == 0
    assert hand.s["over"]


def test_E2_raise_levels() -> None:
    hand = Position(*FOUR_HANDS[:2], stacks=(200, 1000))
    assert hand.highest == 47
    hand.play("raise_max")
    assert (hand.turn, hand.legal) == (0, ["fold", "call"])
    hand.play("call")
    assert (hand.turn, hand.levels) == (0, [10, 23, 47, 71, 95])
    hand.play("raise_max", "call")
    assert (hand.round, hand.highest) == (3, 48)
    hand.play("raise_three_quarters")
    assert hand.s["level"] == 36
    hand.play("raise_min")
    assert hand.s["level"] == 46
    assert (hand.turn, hand.legal, hand.levels) == (0, ["fold", "call", "raise_max"], [48])


def test_E3_everybody_checks() -> None:
    hand = three(first=2)
    hand.play(*["check"] * 12)
    assert hand.s["shown"]
    assert hand.coins == (-10, 20, -10)


def test_E4_all_others_fold() -> None:
    hand = three()
    hand.play("raise_quarter")
    assert hand.s["level"] == 61
    hand.play("fold", "fold")
    assert hand.coins == (-10, 20, -10)
    assert hand.holes(0) == ["H8", "?", "?"]
    assert hand.holes(2) == ["?", "?", "CA"]


def test_E5_leaving() -> None:
    hand = three()
    hand.play("raise_half", "call")
    assert hand.s["level"] == 123
    hand.leave(0)
    assert (hand.round, hand.turn, hand.up(2)) == (2, 2, "D9 H9")
    assert hand.stakes == (10, 133, 133)
    hand.leave(2)
    assert hand.coins == (-10, 143, -133)


def test_E6_order_of_the_deck() -> None:
    hand = Position(seats=3, first=2, deck="C8 D8 S8 CA HK DK S9 SQ CK")
    assert [card_name(int(c)) for c in hand.s["hole"][:3]] == ["D8", "S8", "C8"]
    assert [hand.up(p) for p in range(3)] == ["HK", "DK", "CA"]
    assert hand.turn == 2
    hand.play("raise_min", "call", "call")
    assert [hand.up(p) for p in range(3)] == ["HK SQ", "DK CK", "CA S9"]
    assert hand.turn == 1


@pytest.mark.parametrize(("first", "second"), [("SA S8", "HA DK"), ("H8 C8 DA HK", "SQ SJ S10 S9")])
def test_E7_visible_hands(first: str, second: str) -> None:
    assert worth(parse_cards(first)) > worth(parse_cards(second))


E8 = [
    "HA H8 H9 H10 HQ > CA CK CQ CJ C9 > SK SQ SJ S9 S8",
    "SK DK H8 C9 D10 > HK CK SA DQ HJ",
    "SK DK H9 C9 D10 > HK CK S9 D9 SA",
    "S10 HJ CQ DK HA > H10 SJ DQ CK DA",
    "HA SK DQ CJ S10 > CA H8 S9 DJ HQ",
    "D8 D9 D10 DJ DQ > SA HA DA CA SK > SK HK DK CJ SJ > H8 H9 HJ HK HA > S9 H10 CJ DQ CK",
    "C8 D8 S9 HQ SK > SA H8 C9 D10 HJ",
]


@pytest.mark.parametrize("row", E8)
def test_E8_ranking(row: str) -> None:
    values = [worth(parse_cards(hand)) for hand in row.split(" > ")]
    assert values == sorted(values, reverse=True)
    assert len(set(values)) == len(values)


# --- Cards, seats, deal ------------------------------------------------------------------------


def test_R1_28_cards_shuffled_afresh() -> None:
    tables = make_tables("five_card_stud", 200, seed=1, hands=50)
    for row in tables.state:
        assert GAME.census(row) == (1,) * 28
    assert len({row.tobytes() for row in tables.state["hole"]}) > 190
    before = tables.state["hole"].copy()
    tables.step(np.zeros(200, int))  # fold
    tables.step(np.zeros(200, int))
    tables.step(np.zeros(200, int))
    assert (tables.state["hand"] == 1).all()
    assert (tables.state["hole"] != before).any(axis=1).mean() > 0.95


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_R1_two_to_four_seats(seats: int) -> None:
    tables = make_tables("five_card_stud", 1, seed=1, seats=seats)
    assert tables.state["dealt"][0] == 2 * seats
    assert tables.state["live"][0].tolist() == [1] * seats + [0] * (4 - seats)


@pytest.mark.parametrize("seats", [1, 5])
def test_R1_other_numbers_of_seats_are_refused(seats: int) -> None:
    with pytest.raises(OptionError, match=rf"seats={seats} is not allowed; allowed: 2…4"):
        make_tables("five_card_stud", 1, seats=seats)


def test_R2_five_antes_are_needed() -> None:
    hand = Position(*FOUR_HANDS, stacks=(50, 49, 1000, 1000))
    assert hand.s["dealt_in"].tolist() == [1, 0, 1, 1]
    assert hand.stakes == (10, 0, 10, 10)
    assert hand.s["dealt"] == 6
    assert hand.holes(0) == ["H8", "-", "?", "?"]
    assert hand.turn == 0  # the ace sits out
    hand.play("check", "fold", "fold")
    assert hand.coins == (20, 0, -10, -10)


def test_R2_dealt_in_is_decided_hand_by_hand() -> None:
    hand = Position(*FOUR_HANDS, stacks=(59, 1000, 1000, 1000), hands=9)
    hand.play("raise_min", "call", "fold", "call", "fold")
    hand.leave(2)
    assert hand.coins == (-20, 50, -20, -10)
    hand.next_hand()
    assert hand.s["dealt_in"].tolist() == [0, 1, 0, 1]  # short of coins, gone
    assert hand.s["stack"].tolist() == [39, 1050, 980, 990]


@pytest.mark.parametrize(("stack", "over"), [(59, True), (60, False)])
def test_R2_the_match_ends_when_fewer_than_two_can_be_dealt_in(stack: int, over: bool) -> None:
    hand = Position(*FOUR_HANDS[:2], stacks=(stack, 1000), hands=9)
    hand.play("raise_min", "fold")
    assert hand.coins == (-10, 10)
    assert bool(hand.s["over"]) == over


def test_R2_the_match_ends_when_all_others_have_left() -> None:
    hand = Position(*FOUR_HANDS[:3], hands=9)
    hand.leave(0)
    assert not hand.s["ended"]
    hand.leave(1)
    assert hand.coins == (-10, -10, 20)
    assert hand.s["over"]


def test_R2_a_match_needs_two_seats_with_five_antes() -> None:
    with pytest.raises(OptionError, match="at least two stacks of 5 antes \\(50\\) or more"):
        make_tables("five_card_stud", 1, stack=(49, 1000, 49, 49))
    make_tables("five_card_stud", 1, stack=(50, 1000, 49, 49))


def test_R3_antes_and_rounds() -> None:
    hand = Position(*FOUR_HANDS, ante=25)
    assert hand.stakes == (25,) * 4
    assert hand.s["paid"].sum() == 0
    rounds = []
    while not hand.s["ended"]:
        rounds.append(hand.round)
        hand.play("check")
    assert rounds == [1] * 4 + [2] * 4 + [3] * 4 + [4] * 4
    assert hand.coins == (-25, 75, -25, -25)


def test_R4_the_first_seat_is_random() -> None:
    tables = make_tables("five_card_stud", 4000, seed=3, stack=(1000, 49, 1000, 1000))
    counts = np.bincount(tables.state["first"], minlength=4)
    assert counts[1] == 0
    assert (abs(counts[[0, 2, 3]] - 4000 / 3) < 150).all()


def test_R4_the_winner_is_dealt_first() -> None:
    tables = make_tables("five_card_stud", 50, seed=4, hands=30)
    hand, followed = tables.state["hand"].copy(), 0
    for _ in range(60):
        tables.step(tables.sample())
        dealt = (tables.state["hand"] == hand + 1) & (tables.over == 0)
        for i in np.flatnonzero(dealt):
            assert tables.state["first"][i] == tables.reward[i].argmax()
            followed += 1
        hand = tables.state["hand"].copy()
    assert followed > 200


def test_R4_random_if_the_winner_is_gone() -> None:
    firsts = set()
    for k in range(40):
        hand = three()
        hand.s["rules"]["hands"] = 2
        hand.play("raise_min", "fold", "fold")
        hand.s["away"][1] = 1
        hand.s["rng"]["key"] = k
        hand.next_hand()
        firsts.add(int(hand.s["first"]))
    assert firsts == {0, 2}


def test_R5_cards_go_to_live_seats_from_the_best_visible_hand_on() -> None:
    hand = Position(seats=3, first=1, deck="H8 C8 D8 S9 H9 C9 SA HA")
    assert [hand.up(p) for p in range(3)] == ["C9", "S9", "H9"]
    hand.play("check", "fold", "check")
    assert [hand.up(p) for p in range(3)] == ["C9 HA", "S9 SA", "H9"]
    assert hand.s["deck"][:8].tolist() == [NONE] * 8
    assert hand.s["dealt"] == 8


def test_R6_hole_cards_are_the_owners() -> None:
    hand = three()
    assert hand.holes(0) == ["H8", "?", "?"]
    assert hand.holes(1) == ["?", "SA", "?"]
    assert hand.holes(2) == ["?", "?", "CA"]
    view = hand.view(1)[0]
    assert (view["deck"][6:] == HIDDEN).all()
    assert view["rng"]["key"] == view["rng"]["count"] == 2**64 - 1
    values, known = hand.observation(1)
    assert known["hole"].all(axis=1).tolist() == [True, False, False, True]
    assert not values["hole"][1:].any()
    assert known["up"].all()


# --- Betting -----------------------------------------------------------------------------------


def test_R7_the_best_visible_hand_speaks_first() -> None:
    hand = Position("D8 SA S8 C8 C9", "D9 HA DK H10 HJ")
    assert hand.turn == 0
    hand.play("check", "check")
    assert hand.turn == 0  # A♠8 before A♥K
    assert hand.observation(1)[0]["best"].tolist() == [0, 1, 0, 0]


def test_R7_no_straights_and_flushes_are_seen() -> None:
    hand = Position("D8 SQ SJ S10 S9", "D9 H8 C8 DA HK")
    hand.play("check", "check")
    assert hand.turn == 1
    hand.play(*["check"] * 4)
    assert (hand.round, hand.turn) == (4, 1)


def test_R7_the_others_follow_in_playing_order() -> None:
    hand = Position(*FOUR_HANDS)
    order = []
    for _ in range(4):
        order.append(hand.turn)
        hand.play("check")
    assert order == [1, 2, 3, 0]


def test_R8_check_only_while_nobody_has_bet() -> None:
    hand = three()
    assert "check" in hand.legal and "call" not in hand.legal
    hand.play("check", "raise_min")
    assert "call" in hand.legal and "check" not in hand.legal
    assert "fold" in hand.legal


def test_R8_a_raise_asks_everybody_again() -> None:
    hand = three()
    hand.play("check", "check", "raise_min")
    assert (hand.round, hand.turn) == (1, 1)
    hand.play("call")
    assert (hand.round, hand.turn) == (1, 2)
    hand.play("call")
    assert hand.round == 2
    assert hand.stakes == (20, 20, 20)


def test_R8_the_last_check_ends_the_round() -> None:
    hand = three()
    hand.play("check", "check")
    assert hand.round == 1
    hand.play("check")
    assert hand.round == 2


def test_R9_raises_without_limit() -> None:
    hand = Position(*FOUR_HANDS[:2], stacks=10_000)
    for k in range(1, 50):
        hand.play("raise_min")
        assert hand.s["level"] == 10 * k
    assert hand.turn == 0
    assert hand.s["raises"][0].tolist() == [24, 25, 0, 0]
    hand.play("call")
    assert hand.stakes == (500, 500)
    assert hand.round == 2


def test_R9_a_seat_that_checked_or_called_may_raise() -> None:
    hand = three()
    hand.play("check", "raise_min", "call", "raise_min")
    assert (hand.turn, hand.s["level"]) == (2, 20)
    hand.play("call", "raise_min")
    assert (hand.turn, hand.s["level"]) == (1, 30)


def test_R10_quarter_half_all() -> None:
    hand = Position(*FOUR_HANDS[:2], stacks=(1000, 613))
    assert hand.highest == 150  # M = 603
    hand.play("check", "check")
    assert hand.highest == 301
    hand.play("raise_min", "call")
    assert hand.highest == 593
    hand.play("raise_quarter", "call")
    assert hand.highest == 593 - 148


@pytest.mark.parametrize(
    ("stack", "names", "levels"),
    [
        (50, ["raise_max"], [10]),
        (54, ["raise_min", "raise_max"], [10, 11]),
    ],
)
def test_R10_small_stacks(stack: int, names: list[str], levels: list[int]) -> None:
    hand = Position(*FOUR_HANDS[:2], stacks=(1000, stack))
    assert [n for n in hand.legal if "raise" in n] == names
    assert hand.levels == levels


def test_R10_a_level_once_has_one_name() -> None:
    """Over many stacks and levels: names on offer go to rising, different levels."""
    tables = make_tables("five_card_stud", 256, seed=8, stack=(97, 1001, 333, 64), ante=3)
    for _ in range(100):
        for s in tables.state[:32]:
            x = highest_level(s)
            levels = [int(raise_level(s, a, x)) for a in range(RAISE, GAME.actions.width)]
            offered = [level for level in levels if level > 0]
            assert offered == sorted(set(offered))
            assert all(s["level"] < level <= x for level in offered)
            assert all(level >= s["level"] + 3 or level == x for level in offered)
        tables.step(tables.sample())


def test_R11_a_fold_of_the_shortest_lifts_the_limit() -> None:
    hand = Position(*FOUR_HANDS[:3], stacks=(1000, 1000, 210))
    hand.play("raise_max")
    assert (hand.turn, hand.highest, hand.s["level"]) == (2, 50, 50)
    assert hand.legal == ["fold", "call"]
    hand.play("fold")
    assert (hand.turn, hand.highest) == (0, 247)
    assert hand.levels == [60, 61, 123, 185, 247]


def test_R11_a_leave_out_of_turn_lifts_the_limit() -> None:
    hand = Position(*FOUR_HANDS[:3], stacks=(210, 1000, 1000))
    hand.play("raise_max")
    assert (hand.turn, hand.legal) == (2, ["fold", "call"])
    hand.leave(0)
    assert (hand.turn, hand.levels) == (2, [60, 61, 123, 185, 247])
    hand.play("call")
    assert (hand.round, hand.stakes) == (2, (10, 60, 60))


def test_R12_rounds_without_betting_are_not_asked() -> None:
    hand = Position(*FOUR_HANDS[:2], stacks=(200, 1000))
    hand.play("raise_max", "call", "raise_max", "call", "raise_max", "call")
    assert hand.s["ended"] and hand.s["shown"]
    assert hand.s["opener"].tolist() == [1, 0, 0, NONE]
    assert [hand.up(p) for p in range(2)] == ["SK DK C9 HJ", "HA C8 DJ S9"]
    assert hand.coins == (-200, 200)


def test_R13_a_sole_survivor_shows_nothing() -> None:
    hand = three()
    hand.play("check", "fold", "fold")
    assert hand.coins == (-10, 20, -10)
    assert not hand.s["shown"]
    assert [hand.holes(p)[1] for p in range(3)] == ["?", "SA", "?"]


def test_R14_live_seats_show_and_folded_ones_do_not() -> None:
    hand = three()
    hand.play("check", "fold", *["check"] * 7)
    assert hand.s["shown"]
    assert hand.holes(2) == ["H8", "SA", "CA"]
    assert hand.holes(0) == hand.holes(1) == ["H8", "SA", "?"]
    assert hand.coins == (-10, 20, -10)


def test_R14_the_hole_card_counts() -> None:
    """Kings are seen, but the hidden pair of aces wins."""
    hand = Position(*FOUR_HANDS[:2])
    hand.play(*["check"] * 8)
    assert hand.s["best"] == 0
    assert GAME.report(hand.s) == {
        "reason": "showdown",
        "winner": 1,
        "hands": ["pair", "pair"],
        "holes": ["H8", "SA"],
        "stakes": [10, 10],
        "escapes": [0, 0],
    }


# --- Ranking (more in test_E8 and the counts of the whole deck) --------------------------------


def better(first: str, second: str) -> bool:
    return worth(parse_cards(first)) > worth(parse_cards(second))


def test_R15_ranks_and_suits() -> None:
    row = parse_cards("SA HA CA DA SK HK CK DK SQ SJ S10 S9 S8 H8 C8 D8")
    values = [worth([card]) for card in row]
    assert values == sorted(values, reverse=True)
    assert len(set(values)) == 16


def test_R16_straights() -> None:
    high_card = "SA HK CQ DJ S9"
    for straight in ("S8 H9 C10 DJ SQ", "S9 H10 CJ DQ SK", "S10 HJ CQ DK SA"):
        assert better(straight, high_card)
        assert better(straight, "SA HA CA DK SQ")
    assert better(high_card, "HA S8 C9 D10 SJ")


def test_R17_order_of_types() -> None:
    row = [
        *("D8 D9 D10 DJ DQ", "S8 H8 C8 D8 S9", "S8 H8 C8 S9 H9", "D8 D9 D10 DJ DK"),
        *("S8 H9 C10 DJ DQ", "S8 H8 C8 S9 HJ", "S8 H8 C9 D9 HJ", "C8 D8 C9 S10 SJ"),
        "SA HK CQ DJ S9",
    ]
    assert all(better(row[k], row[k + 1]) for k in range(len(row) - 1))


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("SA H8 C9 D10 HJ", "HA SK CQ DJ S9"),  # high card: the suit of the top card
        ("SK S8 S9 S10 SJ", "HK HQ HJ H10 H8"),  # flush: likewise
        ("S8 S9 S10 SJ SQ", "H8 H9 H10 HJ HQ"),
        ("D9 D10 DJ DQ DK", "S8 S9 S10 SJ SQ"),
        ("D9 H10 CJ DQ DK", "S8 S9 S10 SJ HQ"),  # straight: ranks first
        ("D9 H10 CJ DQ SK", "S9 S10 SJ SQ HK"),
        ("D9 C9 S8 H10 HJ", "S8 H8 SA SK SQ"),  # pair: rank first
        ("S9 D9 D8 D10 DJ", "H9 C9 SA SK SQ"),
        ("DK CK D9 C9 S8", "SQ HQ SJ HJ SA"),  # two pairs: big, small, suit
        ("DK CK D9 C9 S10", "SK HK S8 H8 SA"),
        ("SK DK D9 C9 S8", "HK CK S9 H9 SA"),
        ("D9 C9 H9 S10 HJ", "S8 H8 C8 SA SK"),  # three
        ("D9 C9 H9 D8 C8", "S8 H8 C8 SA HA"),  # full house
        ("D9 C9 H9 S9 D8", "S8 H8 C8 D8 SA"),  # four
    ],
)
def test_R18_within_a_type(first: str, second: str) -> None:
    assert better(first, second)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("SA H8 C9 D10 HJ", "SA HK CQ DJ S9"),
        ("SK S8 S9 S10 SJ", "SK SQ SJ S10 S8"),
        ("S9 D9 D8 D10 DJ", "S9 C9 SA SK SQ"),
        ("SK DK D9 C9 S8", "SK CK S9 H9 SA"),
        ("D9 C9 H9 S10 HJ", "D9 C9 S9 SA SK"),
        ("D9 C9 H9 S9 D8", "D9 C9 H9 S9 SA"),
    ],
)
def test_R18_nothing_else_counts(first: str, second: str) -> None:
    assert worth(parse_cards(first)) == worth(parse_cards(second))


# --- Coins -------------------------------------------------------------------------------------


def test_R19_the_winner_takes_the_pot() -> None:
    hand = Position(*FOUR_HANDS, stacks=(10**15, 10**15 - 1, 10**15, 10**15))
    hand.play("raise_max", "call", "fold", "call")
    m = 10**15 - 1 - 10
    assert hand.stakes == (10 + m // 4, 10 + m // 4, 10 + m // 4, 10)
    hand.play("raise_max", "fold", "fold")
    assert hand.coins[0] == 30 + 2 * (m // 4)
    assert hand.s["stack"].sum() == 4 * 10**15 - 1


def test_R19_nobody_is_asked_for_more_than_it_has() -> None:
    tables = make_tables(
        "five_card_stud", 256, seed=5, hands=40, stack=(10**9 + 1, 53, 777, 101), ante=7
    )
    for _ in range(800):
        tables.step(tables.sample())
        assert (tables.reward.sum(axis=1) == 0).all() and (tables.house == 0).all()
        assert (tables.state["stake"] <= tables.state["stack"]).all()
        assert (tables.state["stack"].sum(axis=1) == 10**9 + 1 + 53 + 777 + 101).all()


def test_R20_no_answer_is_a_fold() -> None:
    hand = three()
    assert "check" in hand.legal
    assert hand.default == "fold"


def test_R20_leaving_folds_at_once_and_counts_an_escape() -> None:
    hand = three()
    hand.play("raise_min")
    hand.leave(0)  # out of turn
    assert (hand.turn, hand.round) == (2, 1)
    assert hand.s["live"].tolist() == [0, 1, 1, 0]
    hand.play("call")
    assert (hand.turn, hand.round, hand.stakes) == (2, 2, (10, 20, 20))
    hand.leave(2)
    assert hand.coins == (-10, 30, -20)
    assert GAME.report(hand.s)["escapes"] == [1, 0, 1]


def test_R20_a_folded_seat_may_leave_too() -> None:
    hand = Position(*FOUR_HANDS, hands=2)
    hand.play("check", "fold")
    hand.leave(2)
    assert (hand.turn, hand.round) == (3, 1)
    hand.play("fold", "fold")
    assert GAME.report(hand.s) == {
        "reason": "one seat left",
        "winner": 1,
        "hands": [None] * 4,
        "holes": [None] * 4,
        "stakes": [10] * 4,
        "escapes": [0, 0, 1, 0],
    }
    hand.next_hand()
    assert hand.s["dealt_in"].tolist() == [1, 1, 0, 1]
    hand.play("fold", "fold")
    assert GAME.report(hand.s)["escapes"] == [0, 0, 0, 0]


def test_R20_the_raiser_may_leave() -> None:
    hand = three()
    hand.play("raise_max")
    hand.leave(1)
    assert (hand.turn, hand.s["level"]) == (2, 247)
    hand.play("fold")
    assert hand.coins == (267, -257, -10)


def test_R20_a_seat_sitting_out_leaves_no_hand() -> None:
    hand = Position(*FOUR_HANDS, stacks=(49, 1000, 1000, 1000), first=1)
    hand.leave(0)
    hand.play("fold", "fold")
    assert GAME.report(hand.s)["escapes"] == [0, 0, 0, 0]


# --- Tables and views from outside -------------------------------------------------------------


def second_round() -> Position:
    """Stakes 30, 20, 20, 20 in round 2; seat 1 has folded, seat 2 is to act."""
    return Position(*FOUR_HANDS).play("raise_min", *["call"] * 3, "raise_min", "fold")


@pytest.mark.parametrize(
    ("field", "place", "value", "error"),
    [
        ("coins", 0, 5, r"coins is \[5, 0, 0, 0\]: expected \[0, 0, 0, 0\]"),
        ("house", (), 3, "house is 3: expected 0"),
        ("over", (), 1, "over is 1: expected 0"),
        ("ended", (), True, "winner is -2"),
        ("winner", (), 0, "winner is 0"),
        ("shown", (), True, "shown is True: 3 seats are live"),
        ("dealt_in", 1, 0, r"dealt_in\[1\] is 0"),
        ("stack", 3, 49, r"dealt_in\[3\] is 1: it goes by the seat's stack"),
        ("live", 1, 1, r"live\[1\] is 1: .* have not folded"),
        ("live", 2, 0, r"live\[2\] is 0: .* have not folded"),
        ("away", 2, 1, r"live\[2\] is 1, but the seat has left"),
        ("turn", (), 1, "turn is 1: expected a live seat"),
        ("acted", 2, 1, "turn is 2: expected a live seat that has not acted"),
        ("acted", 3, 1, r"paid\[1, 3\] is 0: expected 10, as the others"),
        ("street", (), 0, r"last_action\[1, 0\] is 3 of a seat that is not in that round"),
        ("street", (), 2, r"opener\[2\] is -2, but seats were asked"),
        ("opener", 1, NONE, r"opener\[1\] is -2, but seats were asked"),
        ("opener", 2, 0, r"opener\[2\] is 0, a seat that is not in that round"),
        ("last_action", (0, 2), NONE, r"paid\[0, 2\] is 10 of a seat that has done nothing"),
        ("paid", (3, 0), 5, r"paid\[3, 0\] is 5 of a seat that is not in that round"),
        ("paid", (0, 2), 9, r"stake\[2\] is 20: ante and bets come to 19"),
        ("level", (), 20, "level is 20, but the most that was put in is 10"),
        ("earlier", (), 0, "earlier is 0: the rounds before come to 10"),
        ("raises", (0, 1), 0, r"raises\[0\] come to 0"),
        ("raises", (1, 3), 1, r"raises\[1, 3\] is of a seat that put in nothing"),
        ("log_count", (), 5, "log_count is 5: by last_action there were at least 6"),
        ("log_count", (), 7, "log_seat has not 7 entries"),
        ("dealt", (), 11, "dealt is 11, but 12 cards are on the table"),
        ("deck", 3, 40, "deck does not begin with just dealt=12 places"),
        ("deck", 20, 48, "deck and hands have DA more than once"),
        ("hole", 2, NONE, r"hole\[2\] is -2"),
        ("hole", 2, 48, "deck and hands have DA more than once"),
        ("up", (0, 2), 40, r"up\[0\] is .*: expected 2, the first ones"),
        ("best", (), 2, "best is 2: the best open cards are those of seat 0"),
    ],
)
def test_a_table_that_contradicts_itself_is_refused(
    field: str, place: Any, value: int, error: str
) -> None:
    table = second_round().table
    check(GAME, table[0])
    table[field][(0, *np.atleast_1d(np.array(place, int)))] = value
    with pytest.raises(ValueError, match=f"^{error}"):
        check(GAME, table[0])


def test_bets_above_the_highest_level_are_refused() -> None:
    """The stake fits, but then a live seat could not pay what others may still ask for."""
    table = Position(*FOUR_HANDS[:2]).play("raise_max").table
    for field in ("level", "stake"):
        table[field][0, ...][table[field][0, ...] > 100] += 1
    table["paid"][0, 0, 1] += 1
    with pytest.raises(ValueError, match=r"^paid\[0\] has 248, above the highest level, 247"):
        check(GAME, table[0])


def test_a_hand_that_has_ended_pays_its_winner() -> None:
    for moves in (["fold"], ["check"] * 8):
        table = Position(*FOUR_HANDS[:2]).play(*moves).table
        check(GAME, table[0])
        table["coins"][0] *= -1
        with pytest.raises(ValueError, match="^coins is"):
            check(GAME, table[0])
    table = Position(*FOUR_HANDS[:2]).play(*["check"] * 8).table
    table["winner"] = 0
    table["stack"][0, :2], table["coins"][0, :2] = (1010, 990), (10, -10)
    with pytest.raises(ValueError, match="^winner is 0: the best cards are those of seat 1"):
        check(GAME, table[0])


def test_a_view_says_whose_turn_it_is_and_what_is_shown() -> None:
    view = second_round().view(0)
    view["turn"] = HIDDEN
    with pytest.raises(ValueError, match="^turn is -1"):
        check(GAME, view[0], 0)
    shown = Position(*FOUR_HANDS[:2]).play(*["check"] * 8).view(0)
    check(GAME, shown[0], 0)
    shown["hole"][0, 1] = HIDDEN
    with pytest.raises(ValueError, match=r"^hole\[1\] is -1, but hole cards are shown"):
        check(GAME, shown[0], 0)


# --- At the table ------------------------------------------------------------------------------


def test_the_longest_match() -> None:
    assert GAME.max_plies(GAME.options()) == 840


@pytest.mark.parametrize("name", ["raise_min", "raise_max"])
def test_matches_end_within_max_plies(name: str) -> None:
    """Everybody raises as often as it may."""
    options: dict[str, Any] = {"stack": (57, 1000, 433, 1000), "ante": 1, "hands": 2}
    tables = make_tables("five_card_stud", 64, seed=6, **options)
    most = GAME.max_plies(tables.rules)
    plies = np.zeros(64, int)
    ended = np.zeros(64, bool)
    while not ended.all():
        wanted = tables.action_mask[:, GAME.parse(name)]
        passive = np.where(tables.action_mask[:, 1], 1, 2)
        tables.step(np.where(wanted, GAME.parse(name), passive))
        plies += ~ended
        ended |= tables.over > 0
        assert (plies <= most).all()


def test_observation() -> None:
    hand = Position(*FOUR_HANDS, stacks=(1000, 700, 500, 900))
    hand.play("raise_min", "call", "call", "raise_max", "call", "fold")
    values, known = hand.observation(3)
    assert known["hole"].all(axis=1).tolist() == [True, False, False, False]
    assert values["hole"][0].tolist() == [0] * 6 + [1] + [1, 0, 0, 0]  # DA
    assert values["up"][:, 0].argmax(axis=1).tolist() == [5, 5, 6, 1]  # K, K, A, 9
    assert not values["up"][:, 1:].any()
    assert values["status"].tolist() == [[1, 1, 0, 0], [1, 1, 0, 0], [1, 1, 0, 0], [1, 0, 1, 0]]
    np.testing.assert_allclose(values["stacks"], [88, 86.8, 56.8, 48])
    np.testing.assert_allclose(values["stakes"], [2, 13.2, 13.2, 2])
    np.testing.assert_allclose(values["paid"][0], [1, 12.2, 12.2, 1])
    np.testing.assert_allclose(values["paid_now"], [1, 12.2, 12.2, 1])
    assert values["raises"][0].tolist() == [0, 1, 1, 0]
    names = GAME.actions.names
    last = [names[k] for k in values["last_action"][0].argmax(axis=1)]
    assert last == ["call", "raise_max", "call", "fold"]
    assert values["opener"].tolist() == [[0, 0, 1, 0]] + [[0] * 4] * 3
    assert values["street"].tolist() == [1, 0, 0, 0]
    np.testing.assert_allclose(values["level"], [12.2])
    np.testing.assert_allclose(values["owed"], [11.2])
    np.testing.assert_allclose(values["all_in"], [69])
    np.testing.assert_allclose(values["highest_level"], [17.2])
    np.testing.assert_allclose(values["raise_levels"], [13.2, 0, 0, 0, 17.2])
    np.testing.assert_allclose(values["pot"], [30.4])
    assert values["live_seats"].tolist() == [3]
    assert values["turn"].tolist() == [1, 0, 0, 0]
    assert values["next"].tolist() == [0, 0, 0, 0]
    assert values["best"].tolist() == [0, 0, 1, 0]
    assert values["ante"].tolist() == [10]
    assert values["hand"].tolist() == [0, 0]
    log = [(int(row[:4].argmax()), names[row[4:].argmax()]) for row in values["log"][:6]]
    assert log == [
        *((3, "fold"), (2, "call"), (1, "raise_max"), (0, "call"), (3, "call"), (2, "raise_min")),
    ]
    assert not values["log"][6:].any()


def test_who_acts_next_is_who_has_yet_to_answer() -> None:
    hand = three()
    assert hand.observation(1)[0]["next"].tolist() == [0, 1, 0, 0]
    hand.play("check")
    assert hand.observation(2)[0]["next"].tolist() == [0, 1, 0, 0]
    hand.play("check")
    assert hand.observation(0)[0]["next"].tolist() == [0, 0, 0, 0]


def test_a_seat_may_sit_out_and_watch() -> None:
    hand = Position(*FOUR_HANDS, stacks=(1000, 20, 1000, 1000))
    values, known = hand.observation(1)
    assert values["status"][0].tolist() == [0, 0, 0, 0]
    assert known["hole"].all(axis=1).tolist() == [True, False, False, False]
    assert not values["hole"].any()
    assert values["owed"] == 0
    hand.leave(1)
    assert hand.observation(0)[0]["status"][1].tolist() == [0, 0, 0, 1]


def test_redeal_is_uniform_over_unseen_cards() -> None:
    """Each of the 20 cards unseen by seat 0 is equally often each hidden hole."""
    hand = Position(*FOUR_HANDS)
    hand.play("check", "fold", "check", "check")
    n = 20_000
    views = addressable(np.repeat(hand.view(0), n))
    engine(GAME).redeal_views(views, np.zeros(n, np.int64), np.uint64(5))
    seen = parse_cards("H8 SK DK HA C8 D9 CK HQ")
    unseen = sorted(set(range(LOWEST, LOWEST + CARDS)) - set(seen))
    assert len(unseen) == 20
    for column in (*views["hole"][:, 1:].T, views["deck"][:, 11], views["deck"][:, 27]):
        counts = np.bincount(column - LOWEST, minlength=CARDS)[np.array(unseen) - LOWEST]
        assert counts.sum() == n
        assert (abs(counts - n / 20) < 160).all()
    assert (views["hole"][:, 0] == parse_cards("H8")[0]).all()
    assert (views["up"] == hand.s["up"]).all()
    assert all(GAME.census(view) == (1,) * 28 for view in views[:100])


def test_the_scene_names_cards_and_coins() -> None:
    hand = three()
    hand.play("raise_quarter")
    scene = GAME.scene(hand.view(1)[0], 1)
    zones = {(zone.name, zone.owner): zone.items for zone in scene.zones}
    assert zones["hole card", 1] == ("SA",)
    assert zones["hole card", 0] == ("??",)
    assert zones["open cards", 2] == ("D9",)
    assert [(place.role, place.stack, place.bet) for place in scene.places] == [
        *(("live", 990, 10), ("live", 929, 71), ("live", 990, 10)),
    ]
    assert scene.moves == ("1: raise_quarter",)
    assert scene.turn == 2
    assert "pot 91" in scene.facts


def test_R10_all_in_of_stacks_above_what_a_match_may_begin_with() -> None:
    table = place("five_card_stud", options={"seats": 2}, stack=[2 * 10**15] * 2 + [0, 0], deck="")
    assert five_card_stud.all_in(table[0]) == 2 * 10**15 - 10
