"""Three-card stud (new_san_gong), clause by clause: positions in card names, coins worked out by
hand."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from qipai.envs import OptionError, make, make_tables
from qipai.envs.checking import check
from qipai.envs.kernel import addressable
from qipai.envs.layout import HIDDEN, NONE
from qipai.envs.match import engine
from qipai.envs.new_san_gong import CARDS, GAME, highest_level, settle
from qipai.envs.parts.cards import parse_card
from qipai.envs.parts.raises import RAISE, raise_level
from qipai.envs.parts.rounds import escaped
from tests.new_san_gong_positions import FOUR_HANDS, Position, worth
from tests.table import ONE, parse_cards


def three(**options: Any) -> Position:
    return Position(*FOUR_HANDS[:3], **options)


def check_through(hand: Position, until: int) -> None:
    """Everybody checks up to a round."""
    while hand.round < until:
        hand.play("check")


def assert_falling(hands: list[str]) -> None:
    values = [worth(hand) for hand in hands]
    assert values == sorted(values, reverse=True)
    assert len(set(values)) == len(values)


# --- The worked examples -----------------------------------------------------------------------


def test_E1_a_whole_hand() -> None:
    hand = Position(*FOUR_HANDS, stacks=(2000, 2000, 2000, 690), banker=1)
    assert hand.s["limit"] == 680
    assert (hand.turn, hand.round, hand.highest) == (0, 1, 68)
    assert hand.levels == [10, 17, 34, 51, 68]
    hand.play("raise_half")
    assert (hand.turn, hand.level) == (1, 34)
    hand.play("call", "fold", "raise_min")
    assert (hand.turn, hand.level) == (0, 44)
    hand.play("call", "call")
    assert (hand.turn, hand.round, hand.highest) == (1, 2, 204)
    hand.play("raise_max")
    assert hand.turn == 3
    hand.play("call", "call")
    assert (hand.turn, hand.round, hand.highest) == (3, 3, 432)
    assert hand.observation(0)[0]["points"].tolist() == [5, 0, 0, 7]
    hand.play("raise_quarter")
    assert (hand.turn, hand.level) == (0, 108)
    hand.play("fold", "raise_max", "call")
    assert hand.stakes == (258, 690, 10, 690)
    assert hand.coins == (-258, 938, -10, -690, 20)
    assert GAME.report(hand.s) == {
        "reason": "showdown",
        "winner": 1,
        "hands": [None, "8 points", None, "2 points"],
        "holes": [None, "S8", None, "D5"],
        "stakes": [258, 690, 10, 690],
        "escapes": [0, 0, 0, 0],
    }


@pytest.mark.parametrize(
    ("stakes", "winner", "coins"),
    [
        ((1000, 3000, 2000), 1, (-1000, 2940, -2000, 60)),
        ((33, 18, 51), 2, (-33, -18, 49, 2)),
    ],
)
def test_E2_the_rake(stakes: tuple[int, ...], winner: int, coins: tuple[int, ...]) -> None:
    hand = three(stacks=5000)
    hand.s["stake"][:3] = stakes
    hand.s["winner"] = winner
    settle(hand.s)
    assert hand.coins == coins


def test_E3_all_others_fold() -> None:
    hand = three()
    hand.play("raise_min", "fold", "fold")
    assert hand.coins == (19, -10, -10, 1)
    assert not hand.s["shown"]


@pytest.mark.parametrize(
    ("escape_rake_all", "coins"),
    [(False, (333, -320, -20, 7)), (True, (326, -320, -20, 14))],
)
def test_E4_a_seat_runs_away(escape_rake_all: bool, coins: tuple[int, ...]) -> None:
    hand = three(escape_rake_all=escape_rake_all)
    hand.play("raise_min", "call", "call")
    assert (hand.turn, hand.highest) == (1, 300)
    hand.play("raise_max")
    hand.leave(2)
    assert hand.turn == 0
    hand.play("call")
    assert (hand.turn, hand.round) == (0, 3)
    hand.play("check", "check")
    assert GAME.report(hand.s)["hands"] == ["8 points", "8 points", None]
    assert hand.coins == coins


def test_E5_order_of_the_deck_and_first_speakers() -> None:
    hand = Position(seats=3, banker=1, deck="S3 D4 CJ D10 C2 DQ")
    assert [hand.cards(p) for p in range(3)] == ["CJ", "S3", "D4"]
    assert hand.turn == 2
    hand.play("check", "check", "check")
    assert [hand.cards(p) for p in range(3)] == ["CJ C2", "S3 DQ", "D4 D10"]
    assert hand.turn == 0


def test_E6_the_shorter_stack_sets_the_limit() -> None:
    hand = Position(*FOUR_HANDS[:2], stacks=(125, 2000))
    assert (hand.s["limit"], hand.highest) == (115, 11)
    assert hand.legal == ["fold", "check", "raise_min", "raise_max"]
    assert hand.levels == [10, 11]


@pytest.mark.parametrize(
    "row",
    [
        "S9 > DA > HK > CK > SJ > S10",
        "S9 HK > SA H8 > H4 D5 > DK CQ > C10 SK",
    ],
)
def test_E7_cards_that_speak_first(row: str) -> None:
    assert_falling(row.split(" > "))


@pytest.mark.parametrize(
    "row",
    [
        "S2 H2 D2 > SA HA DA > SK HK DQ > SQ HJ DJ > S9 HQ D10 > S2 H2 D4",
        "C5 D5 H7 > H3 S3 SA",
        "H7 S7 D5 > C7 D7 H5",
        "HQ DJ S6 > SK H10 C6",
        "SK HJ C6 > HQ DJ S6",
        "H3 C4 D2 > S2 D3 D4",
        "D10 C10 HK > S4 H6 S10",
    ],
)
def test_E8_ranking(row: str) -> None:
    assert_falling(row.split(" > "))


# --- Cards, seats, deal ------------------------------------------------------------------------


def test_R1_52_cards_shuffled_afresh() -> None:
    tables = make_tables("new_san_gong", 200, seed=1, hands=50)
    assert all(GAME.census(row) == (1,) * 52 for row in tables.state)
    assert len({row.tobytes() for row in tables.state["up"]}) > 190
    before = tables.state["up"].copy()
    for _ in range(3):
        tables.step(np.zeros(200, int))  # fold
    assert (tables.state["hand"] == 1).all()
    assert (tables.state["up"] != before).any(axis=(1, 2)).mean() > 0.95


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_R1_two_to_four_seats(seats: int) -> None:
    tables = make_tables("new_san_gong", 1, seed=1, seats=seats)
    assert tables.state["dealt"][0] == seats
    assert tables.state["live"][0].tolist() == [1] * seats + [0] * (4 - seats)


@pytest.mark.parametrize("seats", [1, 5])
def test_R1_other_numbers_of_seats_are_refused(seats: int) -> None:
    with pytest.raises(OptionError, match=rf"seats={seats} is not allowed; allowed: 2…4"):
        make_tables("new_san_gong", 1, seats=seats)


def test_R2_eleven_antes_are_needed() -> None:
    hand = Position(*FOUR_HANDS, stacks=(109, 110, 2000, 2000), banker=2)
    assert hand.s["dealt_in"].tolist() == [0, 1, 1, 1]
    assert hand.stakes == (0, 10, 10, 10)
    assert [hand.cards(p) for p in range(4)] == ["", "HA", "DK", "C10"]
    assert hand.turn == 1  # the 5 sits out
    hand.play("check", "fold", "fold")
    assert hand.coins == (0, 19, -10, -10, 1)


def test_R2_seats_sitting_out_do_not_lower_the_limit() -> None:
    hand = Position(*FOUR_HANDS, stacks=(50, 2000, 500, 2000), banker=2)
    assert (hand.s["limit"], hand.highest) == (490, 49)


def test_R2_dealt_in_is_decided_hand_by_hand() -> None:
    hand = Position(*FOUR_HANDS, stacks=(119, 2000, 2000, 2000), hands=9)
    hand.play("raise_max", "call", "fold", "call", "raise_min", "call", "fold")
    hand.leave(3)
    assert hand.coins == (-20, 58, -10, -30, 2)
    hand.next_hand()
    assert hand.s["dealt_in"].tolist() == [0, 1, 1, 0]  # short of coins, gone
    assert hand.s["stack"].tolist() == [99, 2058, 1990, 1970]


@pytest.mark.parametrize(("stack", "over"), [(119, True), (120, False)])
def test_R2_the_match_ends_when_fewer_than_two_can_be_dealt_in(stack: int, over: bool) -> None:
    hand = Position(*FOUR_HANDS[:2], stacks=(2000, stack), hands=9)
    hand.play("raise_max", "fold")
    assert hand.coins == (9, -10, 1)
    assert bool(hand.s["over"]) == over


def test_R2_the_match_ends_when_all_others_have_left() -> None:
    hand = three(hands=9)
    hand.leave(0)
    assert not hand.s["ended"]
    hand.leave(1)
    assert hand.coins == (-10, -10, 19, 1)
    assert hand.s["over"]


def test_R2_a_match_needs_two_seats_with_eleven_antes() -> None:
    with pytest.raises(OptionError, match=r"at least two stacks of 11 antes \(110\) or more"):
        make_tables("new_san_gong", 1, stack=(109, 2000, 109, 109))
    make_tables("new_san_gong", 1, stack=(110, 2000, 109, 109))


def test_R3_the_ante_counts_as_stake_and_not_for_the_limits() -> None:
    hand = Position(*FOUR_HANDS, ante=25)
    assert hand.stakes == (25,) * 4
    assert hand.s["paid"].sum() == 0
    assert (hand.s["limit"], hand.highest) == (1000, 100)
    check_through(hand, 3)
    hand.play(*["check"] * 4)
    assert hand.coins == (73, -25, -25, -25, 2)


def test_R4_the_first_banker_is_random() -> None:
    tables = make_tables("new_san_gong", 4000, seed=3, stack=(2000, 109, 2000, 2000))
    counts = np.bincount(tables.state["banker"], minlength=4)
    assert counts[1] == 0
    assert (abs(counts[[0, 2, 3]] - 4000 / 3) < 150).all()


def test_R4_the_winner_is_banker() -> None:
    hand = three(hands=2, banker=2)
    hand.play("check", "fold", "fold")
    assert hand.s["winner"] == 0
    hand.next_hand()
    assert hand.s["banker"] == 0


def test_R4_random_if_the_winner_is_gone() -> None:
    bankers = set()
    for key in range(40):
        hand = three(hands=2)
        hand.play("check", "fold", "fold")
        hand.s["away"][0] = 1
        hand.s["rng"]["key"] = key
        hand.next_hand()
        bankers.add(int(hand.s["banker"]))
    assert bankers == {1, 2}


def test_R5_cards_go_to_live_seats_from_the_best_last_card_on() -> None:
    hand = Position(seats=4, banker=2, deck="S3 DK C9 H2 SA HA S8 DA CA C8")
    assert [hand.cards(p) for p in range(4)] == ["C9", "H2", "S3", "DK"]
    assert hand.turn == 0
    hand.play("check", "check", "fold", "check")  # seat 2 goes
    assert [hand.cards(p) for p in range(4)] == ["C9 SA", "H2 HA", "S3", "DK S8"]
    assert hand.turn == 3  # A, A, 8 are the second cards
    hand.play("check", "check", "check")
    assert [hand.cards(p) for p in (3, 0, 1)] == ["DK S8 DA", "C9 SA CA", "H2 HA C8"]
    assert (hand.s["deck"][:10] == NONE).all()
    assert hand.s["dealt"] == 10


def test_R5_a_folded_best_card_does_not_count() -> None:
    hand = three()
    hand.play("fold")  # the 5
    assert (hand.turn, hand.round) == (1, 1)
    hand.play("check", "check")
    assert hand.round == 2
    assert hand.s["dealt"] == 5


def test_R6_hidden_cards_are_the_owners() -> None:
    hand = three()
    assert hand.hidden(0) == ["-", "-", "-"]
    check_through(hand, 3)
    assert hand.hidden(0) == ["C3", "?", "?"]
    assert hand.hidden(1) == ["?", "S8", "?"]
    view = hand.view(1)[0]
    assert (view["deck"][:9] == NONE).all()
    assert (view["deck"][9:] == HIDDEN).all()
    assert view["rng"]["key"] == view["rng"]["count"] == 2**64 - 1
    values, known = hand.observation(1)
    assert known["hole"].all(axis=1).tolist() == [True, False, False, True]
    assert not values["hole"][1:].any()
    assert known["up"].all()


# --- Betting -----------------------------------------------------------------------------------


def test_R7_the_second_card_alone_speaks_first_in_round_2() -> None:
    """9 points and 4 points, but 4 alone is the best second card."""
    hand = Position("S9 HK C3", "D10 C4 S8")
    assert hand.turn == 0
    hand.play("check", "check")
    assert (hand.turn, hand.round) == (1, 2)


def test_R7_both_open_cards_speak_first_in_round_3() -> None:
    hand = Position("S9 HK C3", "D10 C4 S8")
    check_through(hand, 3)
    assert hand.turn == 0


def test_R7_two_open_cards_of_equal_points() -> None:
    hand = Position("S8 HA C3", "DK C9 S6", "C5 D4 H2", "CQ DQ C8")
    check_through(hand, 3)
    assert hand.turn == 1  # 9 points, with a face
    pair = Position("SK H4 D3", "H2 C2 S8")
    check_through(pair, 3)
    assert pair.turn == 1  # 4 points, with a pair


def test_R7_the_others_follow_in_playing_order() -> None:
    hand = Position("SA HK C3", "D4 C9 S8", "DK C6 H2", "C10 S7 D5")
    order = []
    for _ in range(8):
        order.append(hand.turn)
        hand.play("check")
    assert order == [1, 2, 3, 0] * 2


def test_R7_the_best_live_seat_speaks() -> None:
    hand = three()
    hand.play("raise_min", "call", "call")
    assert (hand.turn, hand.round) == (1, 2)
    hand.leave(1)
    assert hand.turn == 2
    hand.play("check", "check")
    assert (hand.turn, hand.round) == (2, 3)  # 6 + 0 points before 5 + 0


def test_R8_check_only_while_nothing_is_owed() -> None:
    hand = three()
    assert "check" in hand.legal and "call" not in hand.legal
    hand.play("check", "raise_min")
    assert "call" in hand.legal and "check" not in hand.legal
    assert "fold" in hand.legal


def test_R8_a_raise_asks_everybody_again() -> None:
    hand = three()
    hand.play("check", "check", "raise_min")
    assert (hand.round, hand.turn) == (1, 0)
    hand.play("call")
    assert (hand.round, hand.turn) == (1, 1)
    hand.play("call")
    assert hand.round == 2
    assert hand.stakes == (20, 20, 20)


def test_R8_the_last_check_ends_the_round() -> None:
    hand = three()
    hand.play("check", "check")
    assert hand.round == 1
    hand.play("check")
    assert hand.round == 2


def test_R9_a_raise_is_on_top_of_the_level() -> None:
    hand = Position(*FOUR_HANDS[:2], ante=100, cap=10_000, stacks=20_000)
    hand.play("raise_min")
    assert hand.level == 100
    hand.play("raise_min")
    assert hand.level == 200
    hand.play("call")
    assert hand.stakes == (300, 300)


def test_R9_raises_without_limit() -> None:
    hand = Position(*FOUR_HANDS[:2], stacks=20_000, cap=10_000)
    for k in range(1, 50):
        hand.play("raise_min")
        assert hand.level == 10 * k
    assert hand.s["raises"][0].tolist() == [25, 24, 0, 0]
    hand.play("call")
    assert hand.stakes == (500, 500)
    assert hand.round == 2


def test_R9_a_seat_that_checked_or_called_may_raise() -> None:
    hand = three()
    hand.play("check", "raise_min", "call", "raise_min")
    assert (hand.turn, hand.level) == (1, 20)
    hand.play("call", "raise_min")
    assert (hand.turn, hand.level) == (0, 30)


def test_R10_a_tenth_three_tenths_and_the_rest() -> None:
    hand = Position(*FOUR_HANDS[:2], stacks=(2000, 677))
    assert (hand.s["limit"], hand.highest) == (667, 66)
    hand.play("raise_max", "call")
    assert hand.highest == 200
    hand.play("raise_quarter", "call")
    assert hand.highest == 667 - 66 - 50
    assert hand.levels == [10, 137, 275, 413, 551]


def test_R10_the_cap_binds_rich_seats() -> None:
    hand = Position(*FOUR_HANDS[:2], stacks=10**15, cap=777)
    assert (hand.s["limit"], hand.highest) == (777, 77)


def test_R10_the_limit_stays_when_the_poorest_folds() -> None:
    hand = Position(*FOUR_HANDS, stacks=(2000, 2000, 2000, 300))
    hand.play("check", "check", "check", "fold")
    assert (hand.s["limit"], hand.round, hand.highest) == (290, 2, 87)
    gone = three(stacks=(300, 2000, 2000))
    gone.leave(0)
    assert gone.s["limit"] == 290


def test_R10_a_level_once_has_one_name() -> None:
    """Over many stacks and levels: names on offer go to rising, different levels."""
    tables = make_tables("new_san_gong", 256, seed=8, stack=(97, 1001, 333, 64), ante=3)
    for _ in range(60):
        for s in tables.state[:32]:
            x = np.int64(highest_level(s))
            levels = [int(raise_level(s, np.int64(a), x)) for a in range(RAISE, RAISE + 5)]
            offered = [level for level in levels if level > 0]
            assert offered == sorted(set(offered))
            assert all(s["level"] < level <= x for level in offered)
            assert all(level >= s["level"] + 3 or level == x for level in offered)
        tables.step(tables.sample())


def test_R10_a_cap_below_ten_antes_is_refused() -> None:
    with pytest.raises(OptionError, match=r"cap=99 .*ante=10; allowed: at least 10 antes \(100\)"):
        make_tables("new_san_gong", 1, cap=99)
    make_tables("new_san_gong", 1, cap=100)


def test_R11_nobody_is_raised_beyond_the_limit() -> None:
    hand = three(stacks=(2000, 400, 2000))
    hand.play("raise_max", "call", "call", "raise_max", "call", "call", "raise_max")
    assert hand.stakes == (166, 166, 400)
    assert hand.legal == ["fold", "call"]
    hand.play("call", "call")
    assert hand.s["shown"]
    assert hand.stakes == (400, 400, 400)
    assert hand.coins == (784, -400, -400, 16)


def test_R11_a_raise_to_the_limit_may_come_in_answer() -> None:
    hand = Position(*FOUR_HANDS[:2])
    check_through(hand, 3)
    hand.play("raise_half", "raise_max")
    assert (hand.level, hand.legal) == (1000, ["fold", "call"])


def test_R12_a_sole_survivor_shows_nothing() -> None:
    hand = three()
    check_through(hand, 3)
    hand.play("fold", "fold")
    assert not hand.s["shown"]
    assert hand.s["winner"] == 1
    assert hand.coins == (-10, 19, -10, 1)
    assert hand.hidden(1) == ["?", "S8", "?"]
    assert hand.hidden(0) == ["C3", "?", "?"]
    assert GAME.report(hand.s) == {
        "reason": "one seat left",
        "winner": 1,
        "hands": [None] * 3,
        "holes": [None] * 3,
        "stakes": [10] * 3,
        "escapes": [0] * 3,
    }


def test_R13_live_seats_show_and_folded_ones_do_not() -> None:
    hand = three()
    check_through(hand, 3)
    assert hand.turn == 2
    hand.play("fold", "check", "check")
    assert hand.s["shown"]
    assert hand.hidden(2) == ["C3", "S8", "H2"]
    assert hand.hidden(0) == hand.hidden(1) == ["C3", "S8", "?"]


def test_R13_a_tie_of_points_goes_down_to_the_suit() -> None:
    hand = Position("D3 D4 S2", "H3 C4 D2")
    check_through(hand, 3)
    hand.play("check", "check")
    assert GAME.report(hand.s)["hands"] == ["9 points", "9 points"]
    assert hand.coins == (-10, 9, 1)


# --- Ranking (more in test_E8 and the counts of the whole deck) --------------------------------


def test_R14_points_of_one_card() -> None:
    row = "S9 H8 C7 D6 S5 H4 C3 D2 SA SK HK CK DK SQ SJ HJ S10 H10 C10 D10"
    assert_falling(row.split())


def test_R14_only_the_last_digit_counts() -> None:
    assert_falling(["S9 H9 DA", "S9 H8 CA", "S7 H8 C2"])  # 19, 18, 17


def test_R15_order_of_kinds() -> None:
    assert_falling(["SA HA DA", "DJ CJ DQ", "S9 H10 D10"])
    assert worth("DJ CJ HJ") > worth("SK HK SQ")  # three jacks are three of a kind


def test_R16_three_of_a_kind_by_rank() -> None:
    ranks = ["K", "Q", "J", "10", "9", "8", "7", "6", "5", "4", "3", "2", "A"]
    assert_falling([f"D{rank} C{rank} H{rank}" for rank in ranks])
    assert worth("D7 C7 H7") == worth("S7 C7 H7")


def test_R17_three_faces_by_the_highest_card() -> None:
    assert_falling(["SK DJ CJ", "HK SQ HQ", "CK DK SQ", "SQ DJ CJ", "HQ SJ HJ"])


def test_R18_points_pairs_faces_cards() -> None:
    assert_falling(["D9 C10 D10", "SA H2 S5"])  # 9 before 8
    assert_falling(["DA CA D6", "SK H8 DQ"])  # both 8: a pair before faces
    assert_falling(["DK CK D5", "SQ HQ S5", "S10 H10 D5", "DA CA C3"])  # ranks of pairs
    assert_falling(["SQ D5 CQ", "HQ S5 DQ"])  # the better suit in the pair
    assert_falling(["DQ CJ D7", "SK H10 S7", "SA H2 S4"])  # two faces, one, none
    assert_falling(["SK H10 D7", "HK D10 S7", "SQ S10 C7"])  # the highest face
    assert_falling(["D10 C4 H3", "SA H7 S9", "HA C7 D9", "S8 D5 D4"])  # the highest card


# --- Coins -------------------------------------------------------------------------------------


def test_R19_what_losers_put_in_is_raked_and_the_own_stake_is_not() -> None:
    hand = three()
    hand.play("raise_max", "call", "fold")
    assert hand.stakes == (110, 110, 10)
    hand.leave(1)
    assert hand.coins == (117, -110, -10, 3)  # 98 % of 120: 117.6


@pytest.mark.parametrize(("rake", "coins"), [(0, (20, -10, -10, 0)), (100, (0, -10, -10, 20))])
def test_R19_other_rakes(rake: int, coins: tuple[int, ...]) -> None:
    hand = three(rake=rake)
    hand.play("check", "fold", "fold")
    assert hand.coins == coins


def test_R19_large_stacks() -> None:
    hand = Position(*FOUR_HANDS, stacks=10**15, cap=10**15)
    hand.play("raise_max", "call", "call", "call", "raise_max", "call", "call", "call")
    hand.play("raise_max", "call", "call", "call")
    assert hand.stakes == (10**15,) * 4
    assert hand.coins == (294 * 10**13, -(10**15), -(10**15), -(10**15), 6 * 10**13)


def test_R19_nobody_is_asked_for_more_than_it_has() -> None:
    tables = make_tables("new_san_gong", 256, seed=5, hands=40, stack=(10**9 + 1, 153, 777, 101))
    start = tables.state["stack"].sum(axis=1)
    house = np.zeros(256, np.int64)
    for _ in range(400):
        tables.step(tables.sample())
        house = np.where(tables.over > 0, 0, house + tables.house)
        assert (tables.reward.sum(axis=1) + tables.house == 0).all()
        assert (tables.state["stake"] <= tables.state["stack"]).all()
        assert (tables.state["stack"].sum(axis=1) + house == start).all()


def test_R20_no_answer_is_a_fold() -> None:
    hand = three()
    assert "check" in hand.legal
    action = np.zeros(1, np.int64)
    engine(GAME).default_tables(hand.table, ONE, action)
    assert GAME.action_name(int(action[0])) == "fold"


def test_R20_a_seat_that_does_not_answer_stays_in_the_match() -> None:
    hand = three(hands=2)
    hand.play("fold", "fold")
    hand.next_hand()
    assert hand.s["dealt_in"].tolist() == [1, 1, 1, 0]


def test_R20_leaving_out_of_turn() -> None:
    hand = three()
    hand.play("raise_min")
    hand.leave(2)
    assert (hand.turn, hand.round) == (1, 1)
    hand.play("call")
    assert (hand.round, hand.stakes) == (2, (20, 20, 10))
    assert GAME.report(finish(hand))["escapes"] == [0, 0, 1]


def finish(hand: Position) -> np.void:
    """The rest of a hand without bets."""
    while not hand.s["ended"]:
        hand.play("check")
    return hand.s


def test_R20_leaving_in_turn() -> None:
    hand = three(hands=2)
    hand.leave(0)
    assert (hand.turn, hand.s["live"].tolist()) == (1, [0, 1, 1, 0])
    finish(hand)
    assert hand.coins[0] == -10
    hand.next_hand()
    assert hand.s["dealt_in"].tolist() == [0, 1, 1, 0]


def test_R20_the_last_seat_still_to_act_leaves() -> None:
    hand = three()
    hand.play("raise_min", "call")
    hand.leave(2)
    assert (hand.round, hand.turn) == (2, 1)
    assert hand.stakes == (20, 20, 10)


def test_R20_the_raiser_leaves() -> None:
    hand = three()
    hand.play("raise_max")
    hand.leave(0)
    assert (hand.turn, hand.level) == (1, 100)
    hand.play("fold")
    assert hand.coins == (-110, -10, 117, 3)


def test_R20_a_folded_seat_leaves() -> None:
    hand = Position(*FOUR_HANDS, escape_rake_all=True)
    hand.play("raise_max", "fold")
    hand.leave(1)
    assert (hand.turn, hand.round) == (2, 1)
    hand.play("fold", "fold")
    assert GAME.report(hand.s)["escapes"] == [0, 1, 0, 0]
    assert hand.coins == (27, -10, -10, -10, 3)  # 98 % of 140: 137.2


def test_R20_all_is_raked_only_in_hands_that_somebody_left() -> None:
    hand = three(escape_rake_all=True, hands=2)
    hand.play("raise_max", "fold", "fold")
    assert hand.coins == (19, -10, -10, 1)
    hand.next_hand()
    assert not any(escaped(hand.s, seat) for seat in range(3))


def test_R20_raked_in_full_the_winner_may_lose() -> None:
    hand = three(escape_rake_all=True)
    hand.play("raise_max", "fold")
    hand.leave(2)
    assert hand.coins == (17, -10, -10, 3)  # 98 % of 130: 127.4
    dear = three(escape_rake_all=True, rake=50)
    dear.play("raise_max", "fold")
    dear.leave(2)
    assert dear.coins == (-45, -10, -10, 65)


def test_R20_a_seat_sitting_out_leaves_no_hand() -> None:
    hand = Position(*FOUR_HANDS, stacks=(109, 2000, 2000, 2000), banker=1, escape_rake_all=True)
    hand.leave(0)
    assert hand.turn == 1
    hand.play("raise_max", "fold", "fold")
    assert hand.coins == (0, 19, -10, -10, 1)


# --- Tables and views from outside -------------------------------------------------------------


@pytest.mark.parametrize(
    ("field", "place", "value", "error"),
    [
        ("limit", (), 999, "limit is 999: cap and stacks make it 1000"),
        ("up", (0, 0), NONE, r"up\[0\] is .*: expected 2, the first ones"),
        ("hole", (0,), 40, r"hole\[0\] is 40: expected no card"),
        ("up", (0, 1), 0, "deck and hands have D2 more than once"),
        ("dealt", (), 5, "dealt is 5, but 6 cards are on the table"),
        ("level", (), 0, "level is 0, but the most that was put in is 300"),
        ("earlier", (), 0, "earlier is 0: the rounds before come to 10"),
        ("raises", (1, 1), 301, r"raises\[1\] come to 301, but the level went up to 300"),
        ("stake", 2, 10, r"stake\[2\] is 10: ante and bets come to 20"),
    ],
)
def test_a_table_that_contradicts_itself_is_refused(
    field: str, place: Any, value: int, error: str
) -> None:
    table = three().play("raise_min", "call", "call", "raise_max").table
    check(GAME, table[0])
    table[field][(0, *np.atleast_1d(np.array(place, int)))] = value
    with pytest.raises(ValueError, match=f"^{error}"):
        check(GAME, table[0])


def test_a_banker_that_sits_out_is_refused() -> None:
    table = Position(*FOUR_HANDS, stacks=(109, 2000, 2000, 2000), banker=1).table
    check(GAME, table[0])
    table["banker"] = 0
    with pytest.raises(ValueError, match="^banker is 0, a seat that is not dealt in"):
        check(GAME, table[0])


def test_open_cards_are_hidden_in_no_view() -> None:
    view = three().view(0)
    check(GAME, view[0], 0)
    view["up"][0, 1, 0] = HIDDEN
    with pytest.raises(ValueError, match=r"up\[1, 0\]"):
        check(GAME, view[0], 0)


# --- At the table ------------------------------------------------------------------------------


def test_the_longest_match() -> None:
    assert GAME.max_plies(GAME.options()) == 424


@pytest.mark.parametrize("name", ["raise_min", "raise_max"])
def test_matches_end_within_max_plies(name: str) -> None:
    """Everybody raises as often as it may."""
    options: dict[str, Any] = {"stack": (157, 300, 233, 300), "ante": 1, "cap": 99, "hands": 2}
    tables = make_tables("new_san_gong", 64, seed=6, **options)
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
    hand = Position(*FOUR_HANDS, stacks=(2000, 2000, 2000, 690), banker=1)
    hand.play("raise_half", "call", "fold", "raise_min", "call", "call")
    hand.play("raise_max", "call", "call", "raise_quarter")
    values, known = hand.observation(0)
    ranks = ["2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A"]
    assert values["hole"][0].nonzero()[0].tolist() == [ranks.index("3"), 13 + 1]  # C3
    assert known["hole"].all(axis=1).tolist() == [True, False, True, False]
    assert values["up"][3, 1].nonzero()[0].tolist() == [ranks.index("7"), 13 + 3]  # S7
    assert not values["up"][2, 1].any()
    assert values["own"].tolist() == [8, 0, 1]
    assert values["points"].tolist() == [5, 0, 0, 7]
    assert values["status"].tolist() == [[1, 1, 0, 0], [1, 1, 0, 0], [1, 0, 1, 0], [1, 1, 0, 0]]
    np.testing.assert_allclose(values["stacks"], [174.2, 174.2, 199, 32.4])
    np.testing.assert_allclose(values["stakes"], [25.8, 25.8, 1, 36.6])
    np.testing.assert_allclose(
        values["paid"], [[4.4, 4.4, 0, 4.4], [20.4, 20.4, 0, 20.4], [0, 0, 0, 10.8]], rtol=1e-6
    )
    np.testing.assert_allclose(values["paid_now"], [0, 0, 0, 10.8])
    assert values["raises"].tolist() == [[1, 0, 0, 1], [0, 1, 0, 0], [0, 0, 0, 1]]
    names = GAME.actions.names
    last = [names[row.argmax()] if row.any() else "" for row in values["last_action"][0]]
    assert last == ["call", "call", "fold", "raise_min"]
    assert values["opener"].tolist() == [[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 0, 1]]
    assert values["street"].tolist() == [0, 0, 1]
    expected: dict[str, list[float]] = {
        "level": [10.8],
        "owed": [10.8],
        "limit": [68],
        "highest_level": [43.2],
        "raise_levels": [11.8, 0, 21.6, 32.4, 43.2],
        "pot": [89.2],
        "rake": [0.02],
    }
    for name, numbers in expected.items():
        np.testing.assert_allclose(values[name], numbers, rtol=1e-6)
    assert values["live_seats"].tolist() == [3]
    assert values["turn"].tolist() == [1, 0, 0, 0]
    assert values["next"].tolist() == [0, 1, 0, 0]
    assert values["banker"].tolist() == [0, 1, 0, 0]
    assert values["ante"].tolist() == [10]
    assert values["hand"].tolist() == [0, 0]
    log = [(int(row[:4].argmax()), names[row[4:].argmax()]) for row in values["log"][:4]]
    assert log == [(3, "raise_quarter"), (0, "call"), (3, "call"), (1, "raise_max")]
    assert values["log"][9].any() and not values["log"][10:].any()


def test_own_pair_and_faces_are_observed() -> None:
    hand = Position("SK HQ CK", "D9 C4 S8")
    check_through(hand, 3)
    assert hand.observation(0)[0]["own"].tolist() == [0, 1, 3]
    assert hand.observation(1)[0]["own"].tolist() == [1, 0, 0]


def test_who_acts_next_is_who_has_yet_to_answer() -> None:
    hand = three()
    assert hand.observation(0)[0]["next"].tolist() == [0, 1, 0, 0]
    hand.play("check", "check")
    assert hand.observation(2)[0]["next"].tolist() == [0, 0, 0, 0]


def test_a_seat_may_sit_out_and_watch() -> None:
    hand = three(stacks=(109, 2000, 2000), banker=1)
    check_through(hand, 3)
    values, known = hand.observation(0)
    assert values["status"][0].tolist() == [0, 0, 0, 0]
    assert known["hole"].all(axis=1).tolist() == [True, False, False, True]
    assert values["own"].tolist() == [0, 0, 0]
    assert values["owed"] == 0


def test_redeal_is_uniform_over_unseen_cards() -> None:
    """Each of the 44 cards unseen by seat 0 is equally often each hidden card."""
    hand = Position(*FOUR_HANDS)
    hand.play("check", "fold", "check", "check")
    check_through(hand, 3)
    hand.play("fold")  # a folded seat's card stays hidden
    n = 22_000
    views = addressable(np.repeat(hand.view(0), n))
    engine(GAME).redeal_views(views, np.zeros(n, np.int64), np.uint64(5))
    seen = parse_cards("S5 HK C3 HA DK C6 C10 S7")
    unseen = sorted(set(range(CARDS)) - set(seen))
    assert len(unseen) == 44
    for column in (*views["hole"][:, 2:].T, views["deck"][:, 10], views["deck"][:, 51]):
        counts = np.bincount(column, minlength=CARDS)[unseen]
        assert counts.sum() == n
        assert (abs(counts - n / 44) < 120).all()
    assert (views["hole"][:, 0] == parse_card("C3")).all()
    assert (views["hole"][:, 1] == NONE).all()
    assert (views["up"] == hand.s["up"]).all()
    assert all(GAME.census(view) == (1,) * CARDS for view in views[:100])


def test_redeal_before_the_hidden_cards_changes_only_the_deck() -> None:
    hand = three()
    views = addressable(np.repeat(hand.view(0), 10))
    engine(GAME).redeal_views(views, np.zeros(10, np.int64), np.uint64(5))
    assert (views["up"] == hand.s["up"]).all()
    assert (views["hole"] == NONE).all()
    assert all(GAME.census(view) == (1,) * CARDS for view in views)


def test_the_scene_names_cards_and_coins() -> None:
    hand = three(banker=1)
    check_through(hand, 3)
    hand.play("raise_quarter")
    scene = GAME.scene(hand.view(1)[0], 1)
    zones = {(zone.name, zone.owner): zone.items for zone in scene.zones}
    assert zones["open cards", 2] == ("DK", "C6")
    assert zones["hole card", 1] == ("S8",)
    assert zones["hole card", 0] == ("??",)
    assert [(place.role, place.stack, place.bet) for place in scene.places] == [
        *(("live", 1990, 10), ("banker", 1990, 10), ("live", 1740, 260)),
    ]
    assert scene.moves[-1] == "2: raise_quarter"
    assert scene.turn == 0
    assert {"pot 280", "cap T 1000", "level 250", "highest level 1000"} <= set(scene.facts)


def test_a_match_through_the_single_table() -> None:
    """Leaving is asked of the environment, which plays on for the others."""
    env = make("new_san_gong", seats=2, hands=3)
    env.reset(seed=1)
    env.leave(env.agent_selection)
    assert all(env.terminations.values())
    assert sorted(env.rewards.values()) == [-10, 9]
