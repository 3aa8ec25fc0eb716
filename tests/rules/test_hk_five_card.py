"""Hong Kong five-card stud, clause by clause: positions in card names, coins worked out by hand."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from qipai.envs import OptionError, make_tables
from qipai.envs.checking import check
from qipai.envs.hk_five_card import CARDS, GAME, LOWEST, settle
from qipai.envs.kernel import addressable
from qipai.envs.layout import HIDDEN, NONE
from qipai.envs.match import engine
from qipai.envs.parts.cards import card_name, parse_card
from tests.hk_five_card_positions import THREE_HANDS, Position, worth
from tests.table import ONE, parse_cards

RAISES = ["raise_1", "raise_2", "raise_3", "raise_4"]


def three(**options: Any) -> Position:
    return Position(*THREE_HANDS, **options)


def two(**options: Any) -> Position:
    return Position(*THREE_HANDS[:2], **options)


def settled(*stakes: int, winner: int, folded: int | None = None, **options: Any) -> Position:
    """Three seats with these stakes after ``winner`` has won."""
    hand = three(**options)
    hand.s["stake"][:3] = stakes
    hand.s["winner"] = winner
    if folded is not None:
        hand.s["live"][folded] = 0
    settle(hand.s)
    return hand


# --- The worked examples -----------------------------------------------------------------------


def test_E1_a_whole_hand() -> None:
    hand = three()
    assert (hand.turn, hand.round) == (1, 1)
    assert hand.legal == ["fold", "check", *RAISES]
    hand.play("raise_1")
    assert (hand.turn, hand.level) == (2, 10)
    hand.play("raise_3")
    assert (hand.turn, hand.level) == (0, 40)
    hand.play("call")
    assert hand.turn == 1
    assert hand.legal == ["fold", "call", *RAISES]
    hand.play("raise_2")
    assert (hand.turn, hand.level) == (2, 60)
    assert hand.legal == ["fold", "call"]
    hand.play("call", "fold")
    assert hand.stakes == (50, 70, 70)
    assert (hand.turn, hand.round) == (2, 2)
    assert hand.legal == ["fold", "check", *RAISES, "all_in"]
    hand.play("raise_4", "call")
    assert (hand.turn, hand.round) == (2, 3)
    hand.play("check", "check")
    assert (hand.turn, hand.round) == (2, 4)
    hand.play("check", "raise_4", "call")
    assert hand.s["shown"]
    assert hand.stakes == (50, 170, 170)
    assert hand.coins == (-50, 220, -170)
    assert hand.s["house"] == 0
    assert hand.s["over"]


@pytest.mark.parametrize(
    ("winner", "coins"), [(0, (60, -50, -10)), (1, (-50, 60, -10)), (2, (-10, -10, 20))]
)
def test_E2_one_winner_and_refunds(winner: int, coins: tuple[int, ...]) -> None:
    assert settled(100, 50, 10, winner=winner).coins == coins


def test_E3_all_in_and_short_calls() -> None:
    hand = three(stacks=(1000, 500, 100))
    hand.play("check", "check", "check")
    assert (hand.turn, hand.round) == (0, 2)
    hand.play("all_in")
    assert (hand.turn, hand.level) == (1, 990)
    assert hand.legal == ["fold", "call"]
    hand.play("call")
    assert (hand.stakes, hand.level) == ((1000, 500, 10), 990)
    hand.play("call")
    assert hand.s["shown"]
    assert hand.stakes == (1000, 500, 100)
    assert hand.coins == (-500, 600, -100)
    assert hand.s["stack"][:3].tolist() == [500, 1100, 0]


@pytest.mark.parametrize(("refund", "coins"), [(False, (-60, -250, 310)), (True, (-60, -60, 120))])
def test_E4_what_folded_seats_pay(refund: bool, coins: tuple[int, ...]) -> None:
    hand = settled(400, 250, 60, winner=2, folded=1, fold_refund=refund)
    assert hand.coins == coins


def test_E5_a_short_call() -> None:
    hand = three(stacks=(70, 1000, 1000))
    hand.play("raise_4", "raise_4")
    assert (hand.turn, hand.level) == (0, 100)
    assert hand.legal == ["fold", "call"]
    hand.play("call", "call")
    assert hand.stakes == (70, 110, 110)
    assert hand.s["best"] == 0
    assert (hand.turn, hand.round) == (1, 2)


@pytest.mark.parametrize(
    ("left", "bets"), [(90, [*RAISES, "all_in"]), (50, ["raise_1", "raise_2", "raise_3", "all_in"])]
)
def test_E6_a_bet_of_all_coins_is_named_all_in(left: int, bets: list[str]) -> None:
    hand = two(stacks=(10 + left, 1000))
    hand.play("check", "check")
    assert (hand.turn, hand.round) == (0, 2)
    assert hand.legal == ["fold", "check", *bets]


def test_E7_out_of_coins() -> None:
    hand = two(stacks=(60, 1000))
    hand.play("raise_4", "call")
    assert hand.s["ended"] and hand.s["shown"]
    assert hand.coins == (-60, 60)


def test_E8_leaving() -> None:
    hand = three()
    hand.play("raise_4", "call")
    hand.leave(0)
    assert (hand.turn, hand.round) == (2, 2)
    hand.play("raise_1", "fold")
    assert hand.coins == (-10, -60, 70)
    assert not hand.s["shown"]
    assert hand.holes(0) == ["H7", "?", "?"]
    assert hand.holes(1) == ["?", "SA", "?"]


E9 = [
    "HA DK > SA H8",
    "HK CK DA D8 H7 > SK DK H8 C9 D10",
    "SK DK H9 C9 D10 > HK CK S9 D9 C10",
    "HA H7 H8 H9 H10 > CA CK CQ CJ C9",
    "SA HK DJ C9 D8 > HA CK SJ S9 H7",
    "D7 D8 D9 D10 DJ > SA HA CA DA SK > S7 H7 D7 CK DK > H7 H8 H9 H10 HA > S7 H8 D9 C10 SJ > "
    "SQ HQ CQ D7 C8",
]


@pytest.mark.parametrize("row", E9)
def test_E9_ranking(row: str) -> None:
    values = [worth(parse_cards(hand)) for hand in row.split(" > ")]
    assert values == sorted(values, reverse=True)
    assert len(set(values)) == len(values)


# --- Cards, seats, deal ------------------------------------------------------------------------


def test_R1_32_cards_shuffled_afresh() -> None:
    tables = make_tables("hk_five_card", 200, seed=1, hands=50)
    for row in tables.state:
        assert GAME.census(row) == (1,) * 32
    assert len({row.tobytes() for row in tables.state["hole"]}) > 190
    before = tables.state["hole"].copy()
    for _ in range(4):
        tables.step(np.zeros(200, int))  # fold
    assert (tables.state["hand"] == 1).all()
    assert (tables.state["hole"] != before).any(axis=1).mean() > 0.95


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_R1_two_to_five_seats(seats: int) -> None:
    tables = make_tables("hk_five_card", 1, seed=1, seats=seats)
    assert tables.state["dealt"][0] == 2 * seats
    assert tables.state["live"][0].tolist() == [1] * seats + [0] * (5 - seats)


@pytest.mark.parametrize("seats", [1, 6])
def test_R1_other_numbers_of_seats_are_refused(seats: int) -> None:
    with pytest.raises(OptionError, match=rf"seats={seats} is not allowed; allowed: 2…5"):
        make_tables("hk_five_card", 1, seats=seats)


def test_R2_the_ante_and_the_smallest_bet_are_needed() -> None:
    hand = three(stacks=(20, 19, 1000))
    assert hand.s["dealt_in"].tolist() == [1, 0, 1, 0, 0]
    assert hand.stakes == (10, 0, 10)
    assert hand.s["dealt"] == 4
    assert hand.holes(0) == ["H7", "-", "?"]
    assert hand.turn == 0  # the ace sits out
    hand.play("check", "fold")
    assert hand.coins == (10, 0, -10)


def test_R2_dealt_in_is_decided_hand_by_hand() -> None:
    hand = Position(*THREE_HANDS, "DA CK HQ D8 H10", stacks=(29, 1000, 1000, 1000), hands=9)
    hand.play("raise_1", "call", "call", "fold")
    assert (hand.turn, hand.round) == (2, 2)
    hand.leave(2)
    hand.play("check", "fold")
    assert hand.coins == (-10, -20, -20, 50)
    hand.next_hand()
    assert hand.s["dealt_in"].tolist() == [0, 1, 0, 1, 0]  # short of coins, gone
    assert hand.s["stack"].tolist() == [19, 980, 980, 1050, 0]


@pytest.mark.parametrize(("stack", "over"), [(29, True), (30, False)])
def test_R2_the_match_ends_when_fewer_than_two_can_be_dealt_in(stack: int, over: bool) -> None:
    hand = two(stacks=(stack, 1000), hands=9)
    hand.play("raise_1", "fold")
    assert hand.coins == (-10, 10)
    assert bool(hand.s["over"]) == over


def test_R2_the_match_ends_when_all_others_have_left() -> None:
    hand = three(hands=9)
    hand.leave(0)
    assert not hand.s["ended"]
    hand.leave(1)
    assert hand.coins == (-10, -10, 20)
    assert hand.s["over"]


def test_R2_a_match_needs_two_seats_that_can_bet() -> None:
    with pytest.raises(OptionError, match=r"the ante and the smallest bet \(20\) or more"):
        make_tables("hk_five_card", 1, stack=(19, 1000, 19, 19, 19))
    make_tables("hk_five_card", 1, stack=(20, 1000, 19, 19, 19))


def test_R3_antes() -> None:
    hand = three(ante=25)
    assert hand.stakes == (25,) * 3
    assert hand.s["paid"].sum() == 0
    rounds = []
    while not hand.s["ended"]:
        rounds.append(hand.round)
        hand.play("check")
    assert rounds == [1] * 3 + [2] * 3 + [3] * 3 + [4] * 3
    assert hand.coins == (-25, 50, -25)


def test_R4_the_first_seat_is_random() -> None:
    tables = make_tables("hk_five_card", 4000, seed=3, stack=(1000, 19, 1000, 1000, 1000))
    counts = np.bincount(tables.state["first"], minlength=5)
    assert counts[1] == 0
    assert (abs(counts[[0, 2, 3, 4]] - 1000) < 130).all()


def test_R4_the_winner_is_dealt_first() -> None:
    tables = make_tables("hk_five_card", 50, seed=4, hands=30)
    hand, followed = tables.state["hand"].copy(), 0
    for _ in range(60):
        tables.step(tables.sample())
        dealt = (tables.state["hand"] == hand + 1) & (tables.over == 0)
        for i in np.flatnonzero(dealt):
            if tables.state["dealt_in"][i, tables.reward[i].argmax()]:
                assert tables.state["first"][i] == tables.reward[i].argmax()
                followed += 1
        hand = tables.state["hand"].copy()
    assert followed > 100


def test_R4_random_if_the_winner_is_gone() -> None:
    firsts = set()
    for k in range(40):
        hand = three(hands=2)
        hand.play("raise_1", "fold", "fold")
        hand.s["away"][1] = 1
        hand.s["rng"]["key"] = k
        hand.next_hand()
        firsts.add(int(hand.s["first"]))
    assert firsts == {0, 2}


def test_R5_cards_go_to_live_seats_from_the_best_visible_hand_on() -> None:
    hand = Position(seats=3, first=1, deck="H8 C8 D8 S9 H9 C9 SA HA")
    assert [card_name(int(c)) for c in hand.s["hole"][:3]] == ["D8", "H8", "C8"]
    assert [hand.up(p) for p in range(3)] == ["C9", "S9", "H9"]
    hand.play("check", "fold", "check")
    assert [hand.up(p) for p in range(3)] == ["C9 HA", "S9 SA", "H9"]
    assert hand.s["deck"][:8].tolist() == [NONE] * 8
    assert hand.s["dealt"] == 8


def test_R5_the_best_hand_before_the_card_gets_it_first() -> None:
    hand = Position(seats=2, first=0, deck="H8 C8 S9 HA D7 CA S7 D9")
    hand.play("check", "check")
    assert [hand.up(p) for p in range(2)] == ["S9 CA", "HA D7"]
    assert hand.turn == 0  # A♣ 9 before A♥ 7
    hand.play("check", "check")
    assert [hand.up(p) for p in range(2)] == ["S9 CA S7", "HA D7 D9"]


def test_R5_all_in_seats_get_cards() -> None:
    hand = three(stacks=(70, 1000, 1000))
    hand.play("raise_4", "raise_4", "call", "call")
    assert [hand.up(p) for p in range(3)] == ["SK DK", "HA C8", "D9 H9"]
    hand.play("check", "check")
    assert hand.up(0) == "SK DK C9"


def test_R6_hole_cards_are_the_owners() -> None:
    hand = three()
    assert hand.holes(0) == ["H7", "?", "?"]
    assert hand.holes(1) == ["?", "SA", "?"]
    assert hand.holes(2) == ["?", "?", "CA"]
    view = hand.view(1)[0]
    assert (view["deck"][6:] == HIDDEN).all()
    assert view["rng"]["key"] == view["rng"]["count"] == 2**64 - 1
    values, known = hand.observation(1)
    assert known["hole"].all(axis=1).tolist() == [True, False, False, True, True]
    assert not values["hole"][1:].any()
    assert known["up"].all()


# --- Betting -----------------------------------------------------------------------------------


def test_R7_the_best_visible_hand_speaks_first() -> None:
    hand = Position("D7 SA S8 C8 C9", "D9 HA DK H10 HJ")
    assert hand.turn == 0
    hand.play("check", "check")
    assert hand.turn == 1  # A♥ K before A♠ 8
    assert hand.observation(0)[0]["best"].tolist() == [0, 1, 0, 0, 0]
    hand.play("check", "check")
    assert hand.turn == 0  # a pair


def test_R7_no_straights_and_flushes_are_seen() -> None:
    hand = Position("D7 SQ SJ S10 S9", "D9 H8 C8 DA HK")
    hand.play("check", "check")
    assert hand.turn == 1
    hand.play(*["check"] * 4)
    assert (hand.round, hand.turn) == (4, 1)


def test_R7_the_next_able_seat_speaks_for_one_without_coins() -> None:
    hand = three(stacks=(1000, 60, 1000))
    hand.play("raise_4", "call", "call")
    assert hand.s["best"] == 0
    assert hand.turn == 0
    hand = three(stacks=(60, 1000, 1000))
    hand.play("raise_4", "call", "call")
    assert (hand.s["best"], hand.turn) == (0, 1)
    assert hand.s["opener"].tolist() == [1, 1, NONE, NONE]
    hand.play("check")
    assert (hand.turn, hand.round) == (2, 2)
    hand.play("check")
    assert (hand.turn, hand.round) == (1, 3)


def test_R8_check_only_while_nobody_has_bet() -> None:
    hand = three()
    assert "check" in hand.legal and "call" not in hand.legal
    hand.play("check", "raise_1")
    assert "call" in hand.legal and "check" not in hand.legal
    assert "fold" in hand.legal


def test_R8_a_bet_asks_everybody_again() -> None:
    hand = three()
    hand.play("check", "check", "raise_1")
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


@pytest.mark.parametrize(
    ("name", "size"), [("raise_1", 10), ("raise_2", 20), ("raise_3", 30), ("raise_4", 50)]
)
def test_R9_a_raise_adds_its_size_to_the_level(name: str, size: int) -> None:
    hand = three()
    hand.play(name)
    assert (hand.level, hand.stakes) == (size, (10, 10 + size, 10))
    hand.play(name)
    assert (hand.level, hand.stakes) == (2 * size, (10, 10 + size, 10 + 2 * size))


def test_R9_sizes_are_an_option() -> None:
    hand = three(levels=(1, 5, 7, 400))
    hand.play("raise_4", "raise_1", "raise_3")
    assert hand.level == 408


@pytest.mark.parametrize("levels", [(10, 10, 20, 30), (10, 30, 20, 40), (10, 20, 30), (0, 1, 2, 3)])
def test_R9_sizes_must_rise(levels: tuple[int, ...]) -> None:
    with pytest.raises(OptionError, match="allowed: (four rising numbers|4 numbers 1…)"):
        make_tables("hk_five_card", 1, levels=levels)


def test_R9_a_raise_needs_enough_coins() -> None:
    hand = three(stacks=(1000, 1000, 59))
    hand.play("raise_2")
    assert hand.legal == ["fold", "call", "raise_1", "raise_2"]  # 49 left, 20 owed
    hand.play("raise_1")
    assert hand.stakes == (10, 30, 40)


def test_R9_a_raise_may_take_exactly_all_coins_before_all_in_is_allowed() -> None:
    hand = three(stacks=(1000, 40, 1000))
    assert hand.legal == ["fold", "check", "raise_1", "raise_2", "raise_3"]
    hand.play("raise_3")
    assert (hand.level, hand.stakes) == (30, (10, 40, 10))
    hand.play("call", "call")
    assert (hand.turn, hand.round) == (0, 2)
    hand.play("check", "check", "check", "check", "check", "check")
    assert hand.s["shown"]
    assert hand.coins == (-40, 80, -40)


def test_R9_later_that_move_is_named_all_in() -> None:
    hand = three(stacks=(1000, 1000, 40), all_in_round=1)
    hand.play("raise_1")
    assert hand.legal == ["fold", "call", "raise_1", "all_in"]  # raise_2 would take all 30
    hand.play("all_in")
    assert hand.level == 30


def test_R10_one_raise_per_seat_and_card() -> None:
    hand = three()
    hand.play("check", "raise_1", "raise_1", "raise_1")
    assert (hand.turn, hand.level) == (2, 30)
    assert hand.s["raised"].tolist() == [1, 1, 0, 0, 0]
    assert hand.legal == ["fold", "call", *RAISES]  # its opening bet was no raise
    hand.play("raise_1")
    assert (hand.turn, hand.legal) == (0, ["fold", "call"])
    hand.play("call", "call")
    assert hand.round == 2
    assert hand.stakes == (50, 50, 50)
    assert hand.legal == ["fold", "check", *RAISES, "all_in"]


def test_R10_nor_all_in() -> None:
    hand = two()
    hand.play("check", "check", "raise_1", "raise_1", "raise_1")
    assert (hand.turn, hand.legal) == (1, ["fold", "call"])


def test_R10_all_in_over_a_bet_counts_as_a_raise() -> None:
    hand = three(stacks=(1000, 1000, 30), all_in_round=1)
    hand.play("raise_1", "all_in")
    assert (hand.level, hand.s["raised"][2]) == (20, 1)


@pytest.mark.parametrize("first_round", [1, 2, 3, 4])
def test_R11_all_in_from_a_round_on(first_round: int) -> None:
    hand = three(all_in_round=first_round)
    rounds = set()
    while not hand.s["ended"]:
        if "all_in" in hand.legal:
            rounds.add(hand.round)
        hand.play("check")
    assert rounds == set(range(first_round, 5))


def test_R11_all_in_sets_the_level_and_may_be_raised() -> None:
    hand = three(stacks=(1000, 1000, 60))
    hand.play("raise_1", "call", "call")
    assert (hand.turn, hand.round) == (0, 2)
    hand.play("raise_2", "call")
    assert hand.legal == ["fold", "call", "raise_1", "all_in"]  # 40 left, 20 owed
    hand.play("all_in")
    assert (hand.level, hand.turn) == (40, 0)
    assert hand.legal == ["fold", "call", *RAISES, "all_in"]
    hand.play("all_in")
    assert hand.level == 980
    hand.play("call")
    assert hand.s["shown"]
    assert hand.stakes == (1000, 1000, 60)
    assert hand.coins == (-1000, 1060, -60)


def test_R11_all_in_by_less_than_a_size() -> None:
    hand = two(stacks=(55, 1000))
    hand.play("raise_1", "call")
    hand.play("check", "raise_3")
    assert hand.legal == ["fold", "call", "all_in"]  # 35 left, 30 owed
    hand.play("all_in")
    assert (hand.level, hand.turn) == (35, 1)
    assert hand.legal == ["fold", "call"]
    hand.play("call")
    assert hand.coins == (-55, 55)


def test_R11_not_for_the_debt_alone() -> None:
    hand = two(stacks=(70, 1000))
    hand.play("check", "check", "check", "raise_4", "call")
    assert hand.stakes == (60, 60)
    assert (hand.turn, hand.round) == (0, 3)
    hand = two(stacks=(60, 1000))
    hand.play("check", "check", "check", "raise_4")
    assert hand.legal == ["fold", "call"]  # 50 left, 50 owed


def test_R12_a_short_call_leaves_the_level() -> None:
    hand = three(stacks=(1000, 1000, 40))
    hand.play("raise_4")
    assert hand.legal == ["fold", "call"]  # 30 left, 50 owed
    hand.play("call")
    assert (hand.level, hand.stakes, hand.turn) == (50, (10, 60, 40), 0)
    hand.play("call")
    assert hand.stakes == (60, 60, 40)


def test_R12_without_short_calls_the_seat_is_folded_at_once() -> None:
    hand = three(stacks=(1000, 1000, 40), short_call=False)
    hand.play("raise_4")
    assert (hand.turn, hand.level) == (0, 50)
    assert hand.s["live"].tolist() == [1, 1, 0, 0, 0]
    assert GAME.scene(hand.view(0)[0], 0).moves == ("1: raise_4", "2: fold")
    hand.play("call")
    assert (hand.turn, hand.round, hand.stakes) == (0, 2, (60, 60, 10))


def test_R12_all_others_may_be_folded_so() -> None:
    hand = three(stacks=(40, 1000, 40), short_call=False)
    hand.play("raise_4")
    assert hand.coins == (-10, 20, -10)
    assert not hand.s["shown"]


def test_R12_folds_of_the_engine_may_end_the_round() -> None:
    hand = three(stacks=(1000, 1000, 40), short_call=False)
    hand.play("check", "check", "raise_4", "call")
    assert (hand.turn, hand.round) == (0, 2)  # the third seat folded between
    assert hand.stakes == (60, 60, 10)
    hand.play("check", "check")
    assert hand.round == 3


def test_R12_an_exact_call_is_not_short() -> None:
    hand = three(stacks=(1000, 1000, 60), short_call=False)
    hand.play("raise_4")
    assert (hand.turn, hand.legal) == (2, ["fold", "call"])


@pytest.mark.parametrize("option", [True, False])
def test_R12_short_calls_are_always_allowed_with_all_in(option: bool) -> None:
    hand = three(stacks=(1000, 500, 100), short_call=option)
    hand.play("check", "check", "check", "all_in")
    assert (hand.turn, hand.legal) == (1, ["fold", "call"])
    hand.play("call", "call")
    assert hand.coins == (-500, 600, -100)


def test_R13_a_bet_needs_somebody_to_answer() -> None:
    hand = three(stacks=(1000, 60, 60))
    hand.play("raise_4", "call")
    assert (hand.turn, hand.legal) == (0, ["fold", "call"])  # 990 left, but alone
    hand.play("call")
    assert hand.s["shown"]
    assert hand.s["opener"].tolist() == [1, NONE, NONE, NONE]
    assert [hand.up(p) for p in range(3)] == ["SK DK C9 HJ", "HA C8 DJ S9", "D9 H9 S10 CQ"]
    assert hand.coins == (-60, 120, -60)


def test_R13_nobody_is_asked_alone_after_a_fold() -> None:
    """One seat is all-in; of the two others the first folds, so the second has nobody to bet to."""
    hand = three(stacks=(60, 1000, 1000))
    hand.play("raise_4", "call", "call")
    assert (hand.turn, hand.round) == (1, 2)
    hand.play("fold")
    assert hand.s["shown"]
    assert hand.s["live"].tolist() == [1, 0, 1, 0, 0]
    assert hand.coins == (120, -60, -60)  # kings beat nines; aces were folded


def test_R13_nobody_is_asked_alone_after_a_leave_out_of_turn() -> None:
    hand = three(stacks=(60, 1000, 1000))
    hand.play("raise_4", "call", "call")
    hand.leave(2)
    assert hand.s["shown"]
    assert hand.coins == (-60, 120, -60)


def test_R13_a_bet_is_answered_even_alone() -> None:
    """The bettor leaves; the level it set stands for the one who has yet to answer."""
    hand = three(stacks=(60, 1000, 1000))
    hand.play("raise_4", "call", "call")
    hand.play("raise_2")
    hand.leave(1)
    assert (hand.turn, hand.legal) == (2, ["fold", "call"])
    hand.play("call")
    assert hand.s["shown"]
    assert hand.stakes == (60, 80, 80)
    assert hand.coins == (140, -80, -60)  # kings beat nines


def test_R14_a_sole_survivor_shows_nothing() -> None:
    hand = three()
    hand.play("check", "fold", "fold")
    assert hand.coins == (-10, 20, -10)
    assert not hand.s["shown"]
    assert [hand.holes(p)[1] for p in range(3)] == ["?", "SA", "?"]
    assert GAME.report(hand.s) == {
        "reason": "one seat left",
        "winner": 1,
        "hands": [None] * 3,
        "holes": [None] * 3,
        "stakes": [10] * 3,
    }


def test_R14_an_all_in_seat_may_be_the_last() -> None:
    hand = three(stacks=(60, 1000, 1000))
    hand.play("raise_4", "call", "call")
    hand.play("raise_2")
    hand.leave(1)
    hand.play("fold")
    assert hand.coins == (140, -80, -60)
    assert not hand.s["shown"]


def test_R15_live_seats_show_and_folded_ones_do_not() -> None:
    hand = three()
    hand.play("check", "fold", *["check"] * 7)
    assert hand.s["shown"]
    assert hand.holes(2) == ["H7", "SA", "CA"]
    assert hand.holes(0) == hand.holes(1) == ["H7", "SA", "?"]
    assert hand.coins == (-10, 20, -10)


def test_R15_the_hole_card_counts() -> None:
    """Kings are seen, but the hidden pair of aces wins."""
    hand = two()
    hand.play(*["check"] * 8)
    assert hand.s["best"] == 0
    assert GAME.report(hand.s) == {
        "reason": "showdown",
        "winner": 1,
        "hands": ["pair", "pair"],
        "holes": ["H7", "SA"],
        "stakes": [10, 10],
    }


# --- Ranking (more in test_E9 and the counts of the whole deck) --------------------------------


def better(first: str, second: str) -> bool:
    return worth(parse_cards(first)) > worth(parse_cards(second))


def test_R16_ranks_and_suits() -> None:
    row = parse_cards("SA HA CA DA SK HK CK DK SQ SJ S10 S9 S8 S7 H7 C7 D7")
    values = [worth([card]) for card in row]
    assert values == sorted(values, reverse=True)
    assert len(set(values)) == 17


def test_R17_straights() -> None:
    high_card = "SA HK CQ DJ S9"
    for straight in ("S7 H8 C9 D10 SJ", "S8 H9 C10 DJ SQ", "S9 H10 CJ DQ SK", "S10 HJ CQ DK SA"):
        assert better(straight, high_card)
        assert better(straight, "SA HA CA DK SQ")
    assert better(high_card, "HA S7 C8 D9 S10")


def test_R18_order_of_types() -> None:
    row = [
        *("D7 D8 D9 D10 DJ", "S7 H7 C7 D7 S8", "S7 H7 C7 S8 H8", "D7 D8 D9 D10 DK"),
        *("S7 H8 C9 D10 DJ", "S7 H7 C7 S8 HJ", "S7 H7 C8 D8 HJ", "C7 D7 C8 S9 SJ"),
        "SA HK CQ DJ S9",
    ]
    assert all(better(row[k], row[k + 1]) for k in range(len(row) - 1))


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("DA HK CQ DJ S9", "SA CK SQ SJ S8"),  # high card: all ranks before the suit
        ("SA HK CQ DJ S9", "HA SK SQ SJ H9"),
        ("SK S7 S8 S9 S10", "HK HQ HJ H10 H7"),  # flush: the top card, its suit, nothing else
        ("DA D7 D8 D9 D10", "SK SQ SJ S10 S7"),
        ("S7 S8 S9 S10 SJ", "H7 H8 H9 H10 HJ"),  # straight flush
        ("D8 D9 D10 DJ DQ", "S7 S8 S9 S10 SJ"),
        ("D9 H10 CJ DQ DK", "S8 S9 S10 SJ HQ"),  # straight: rank first
        ("D9 H10 CJ DQ SK", "S9 S10 SJ SQ HK"),
        ("D9 C9 S7 H8 H10", "S8 H8 SA SK SQ"),  # pair: rank first
        ("D9 C9 DA D8 C7", "S9 H9 SK SQ SJ"),  # then the other cards from high to low
        ("D9 C9 DA DK C8", "S9 H9 SA HK H7"),
        ("S9 D9 DA DK C8", "H9 C9 SA SK S8"),  # then the suit
        ("DK CK D9 C9 S7", "SQ HQ SJ HJ SA"),  # two pairs: big, small, single, suit
        ("DK CK D9 C9 S7", "SK HK S8 H8 SA"),
        ("DK CK D9 C9 D8", "SK HK S9 H9 S7"),
        ("SK DK D9 C9 D7", "HK CK S9 H9 S7"),
        ("D9 C9 H9 S10 HJ", "S8 H8 C8 SA SK"),  # three
        ("D9 C9 H9 D7 C7", "S8 H8 C8 SA HA"),  # full house
        ("D9 C9 H9 S9 D7", "S8 H8 C8 D8 SA"),  # four
    ],
)
def test_R19_within_a_type(first: str, second: str) -> None:
    assert better(first, second)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("SK S7 S8 S9 S10", "SK SQ SJ S10 S7"),
        ("D9 C9 H9 S10 HJ", "D9 C9 S9 SA SK"),
        ("D9 C9 H9 S9 D7", "D9 C9 H9 S9 SA"),
    ],
)
def test_R19_nothing_else_counts(first: str, second: str) -> None:
    assert worth(parse_cards(first)) == worth(parse_cards(second))


# --- Coins -------------------------------------------------------------------------------------


def test_R20_a_short_winner_takes_its_stake_from_each() -> None:
    """The rest goes back, and losers settle nothing among themselves."""
    hand = three(stacks=(1000, 100, 1000))
    hand.play("check", "check", "check", "all_in", "call", "call")
    assert hand.stakes == (1000, 100, 1000)
    assert hand.coins == (-100, 200, -100)


def test_R20_large_stacks() -> None:
    hand = three(stacks=(10**15, 10**15, 10**15))
    hand.play("check", "check", "check", "all_in", "call", "call")
    assert hand.coins == (-(10**15), 2 * 10**15, -(10**15))
    assert hand.s["stack"].sum() == 3 * 10**15


def test_R20_nobody_pays_more_than_it_has() -> None:
    tables = make_tables(
        "hk_five_card", 256, seed=5, hands=40, stack=(10**9 + 1, 53, 777, 101, 60), ante=7
    )
    for _ in range(800):
        tables.step(tables.sample())
        assert (tables.reward.sum(axis=1) == 0).all() and (tables.house == 0).all()
        assert (tables.state["stake"] <= tables.state["stack"]).all()
        assert (tables.state["stack"].sum(axis=1) == 10**9 + 992).all()


@pytest.mark.parametrize(
    ("refund", "coins"), [(False, (-100, 260, -160)), (True, (-100, 200, -100))]
)
def test_R21_a_folded_seat_pays_above_the_winners_stake(
    refund: bool, coins: tuple[int, ...]
) -> None:
    hand = three(stacks=(1000, 100, 1000), fold_refund=refund)
    hand.play("check", "check", "check")
    hand.play("raise_4", "raise_3", "raise_4")
    assert hand.turn == 0
    hand.play("call", "call")
    assert (hand.stakes, hand.turn, hand.round) == ((140, 100, 140), 0, 3)
    hand.play("raise_2", "call")
    assert (hand.turn, hand.round) == (0, 4)
    hand.play("check", "fold")
    assert hand.s["shown"]
    assert hand.stakes == (160, 100, 160)
    assert hand.coins == coins


@pytest.mark.parametrize(("refund", "coins"), [(False, (-10, 70, -60)), (True, (-10, 20, -10))])
def test_R21_a_seat_that_left_pays_likewise(refund: bool, coins: tuple[int, ...]) -> None:
    """The last live seat has less in the pot than one that left."""
    hand = three(first=1, fold_refund=refund)
    hand.play("check", "raise_4")
    hand.leave(2)
    assert hand.turn == 0
    hand.play("fold")
    assert hand.coins == coins


def test_R22_no_answer_is_a_fold() -> None:
    hand = three(hands=2)
    assert "check" in hand.legal
    action = np.zeros(1, np.int64)
    engine(GAME).default_tables(hand.table, ONE, action)
    assert GAME.action_name(int(action[0])) == "fold"
    hand.play("fold", "fold")
    hand.next_hand()
    assert hand.s["dealt_in"].tolist() == [1, 1, 1, 0, 0]


def test_R22_leaving_out_of_turn_folds_at_once() -> None:
    hand = three()
    hand.play("raise_1")
    hand.leave(0)
    assert (hand.turn, hand.round) == (2, 1)
    assert hand.s["live"].tolist() == [0, 1, 1, 0, 0]
    hand.play("call")
    assert (hand.turn, hand.round, hand.stakes) == (2, 2, (10, 20, 20))
    hand.leave(2)
    assert hand.coins == (-10, 30, -20)


def test_R22_leaving_in_turn_passes_the_turn() -> None:
    hand = three()
    hand.leave(1)
    assert (hand.turn, hand.round) == (2, 1)
    hand.play("check", "check")
    assert (hand.turn, hand.round) == (0, 2)


def test_R22_the_last_to_act_may_leave() -> None:
    hand = three()
    hand.play("raise_1", "call")
    hand.leave(0)
    assert (hand.turn, hand.round, hand.stakes) == (2, 2, (10, 20, 20))


def test_R22_a_folded_seat_may_leave_too() -> None:
    hand = Position(*THREE_HANDS, "DA CK HQ D8 H10", hands=2)
    hand.play("check", "fold")
    hand.leave(2)
    assert (hand.turn, hand.round) == (3, 1)
    hand.play("fold", "fold")
    assert hand.coins == (-10, 30, -10, -10)
    hand.next_hand()
    assert hand.s["dealt_in"].tolist() == [1, 1, 0, 1, 0]


def test_R22_an_all_in_seat_may_leave() -> None:
    hand = three(stacks=(60, 1000, 1000))
    hand.play("raise_4", "call", "call")
    hand.leave(0)
    assert (hand.turn, hand.s["best"]) == (1, 2)
    assert not hand.s["ended"]
    hand.play("raise_1", "fold")
    assert hand.coins == (-60, 120, -60)


# --- Tables and views from outside -------------------------------------------------------------


@pytest.mark.parametrize(
    ("field", "place", "value", "error"),
    [
        ("raised", 0, 1, r"raised\[0\] is 1, but the seat has put in nothing"),
        ("level", (), 20, "level is 20, but the most that was put in is 10"),
        ("acted", 1, 1, r"paid\[1, 1\] is 0: expected 10, as the others"),
        ("paid", (0, 3), 10, r"paid\[0, 3\] is 10 of a seat that is not in that round"),
        ("stake", 1, 50, r"stake\[1\] is 50: ante and bets come to 60"),
        ("stack", 2, 69, r"stake\[2\] is 70, more than its stack of 69"),
        ("best", (), 1, "best is 1: the best open cards are those of seat 0"),
        ("opener", 2, 0, r"opener\[2\] is 0, a seat that is not in that round"),
        ("hole", 3, 40, r"hole\[3\] is 40: expected no card"),
    ],
)
def test_a_table_that_contradicts_itself_is_refused(
    field: str, place: Any, value: int, error: str
) -> None:
    table = three().play("raise_4", "call", "call", "check", "check", "raise_1").table
    check(GAME, table[0])
    table[field][(0, *np.atleast_1d(np.array(place, int)))] = value
    with pytest.raises(ValueError, match=f"^{error}"):
        check(GAME, table[0])


def test_a_seat_without_coins_is_not_to_act() -> None:
    table = three(stacks=(60, 1000, 1000)).play("raise_4", "call", "call").table
    check(GAME, table[0])
    table["turn"] = 0
    with pytest.raises(ValueError, match="^turn is 0, a seat without coins left"):
        check(GAME, table[0])


def test_short_calls_are_no_contradiction() -> None:
    hand = three(stacks=(70, 1000, 1000)).play("raise_4", "raise_4", "call", "call")
    assert hand.stakes == (70, 110, 110)
    check(GAME, hand.table[0])


# --- Length, what a seat sees --------------------------------------------------------------------


@pytest.mark.parametrize("name", ["raise_1", "raise_4", "all_in", "check"])
def test_matches_end_within_max_plies(name: str) -> None:
    """Everybody checks first, then bets and raises as often as it may."""
    options: dict[str, Any] = {"stack": (570, 10_000, 4330, 10_000, 9000), "hands": 2}
    tables = make_tables("hk_five_card", 64, seed=6, **options)
    most = GAME.max_plies(tables.rules)
    assert most == 280
    plies = np.zeros(64, int)
    ended = np.zeros(64, bool)
    while not ended.all():
        wanted = tables.action_mask[:, GAME.parse(name)]
        passive = np.where(tables.action_mask[:, 1], 1, 2)
        tables.step(np.where(wanted, GAME.parse(name), passive))
        plies += ~ended
        ended |= tables.over > 0
        assert (plies <= most).all()


def test_max_plies_by_default() -> None:
    assert GAME.max_plies(GAME.options()) == 140


def test_observation() -> None:
    hand = three(stacks=(1000, 1000, 60))
    hand.play("raise_1", "raise_3", "call", "raise_2")
    values, known = hand.observation(2)
    assert known["hole"].all(axis=1).tolist() == [True, False, False, True, True]
    assert values["hole"][0].tolist() == [0] * 7 + [1] + [0, 1, 0, 0]  # CA
    assert values["up"][:3, 0].argmax(axis=1).tolist() == [2, 6, 7]  # 9, K, A
    assert not values["up"][:, 1:].any()
    assert values["status"][:3].tolist() == [
        [1, 1, 0, 0, 1, 0, 1],
        [1, 1, 0, 0, 1, 0, 0],
        [1, 1, 0, 0, 1, 0, 1],
    ]
    np.testing.assert_allclose(values["stacks"], [1, 95, 93, 0, 0])
    np.testing.assert_allclose(values["stakes"], [5, 5, 7, 0, 0])
    np.testing.assert_allclose(values["paid"][0], [4, 4, 6, 0, 0])
    np.testing.assert_allclose(values["paid_now"], [4, 4, 6, 0, 0])
    names = GAME.actions.names
    last = [names[k] for k in values["last_action"][0, :3].argmax(axis=1)]
    assert last == ["raise_3", "call", "raise_2"]
    assert values["opener"].tolist() == [[0, 0, 1, 0, 0]] + [[0] * 5] * 3
    assert values["street"].tolist() == [1, 0, 0, 0]
    np.testing.assert_allclose(values["level"], [6])
    np.testing.assert_allclose(values["owed"], [2])
    assert not values["costs"].any()
    np.testing.assert_allclose(hand.observation(0)[0]["costs"], [3, 4, 5, 7, 0])
    np.testing.assert_allclose(values["would_win"], [0, 5, 5, 0, 0])
    np.testing.assert_allclose(values["would_lose"], [0, 5, 5, 0, 0])
    np.testing.assert_allclose(values["pot"], [17])
    assert values["live_seats"].tolist() == [3]
    assert values["able_seats"].tolist() == [3]
    assert values["turn"].tolist() == [1, 0, 0, 0, 0]
    assert values["waiting"].tolist() == [1, 1, 0, 0, 0]
    assert values["best"].tolist() == [0, 0, 1, 0, 0]
    assert values["ante"].tolist() == [10]
    assert values["sizes"].tolist() == [1, 2, 3, 5]
    assert values["hand"].tolist() == [0, 0]
    log = [(int(row[:5].argmax()), names[row[5:].argmax()]) for row in values["log"][:4]]
    assert log == [(2, "raise_2"), (1, "call"), (0, "raise_3"), (2, "raise_1")]
    assert not values["log"][4:].any()


def test_observation_of_all_in_folded_and_gone_seats() -> None:
    hand = three(stacks=(60, 1000, 1000))
    hand.play("raise_4", "call", "call")
    hand.play("raise_2")
    hand.leave(1)
    values, _ = hand.observation(2)
    assert values["status"][:3].tolist() == [
        [1, 1, 0, 0, 1, 0, 0],
        [1, 1, 0, 0, 0, 1, 0],
        [1, 0, 1, 1, 0, 0, 0],
    ]
    assert values["able_seats"].tolist() == [1]
    np.testing.assert_allclose(values["would_win"], [0, 6, 8, 0, 0])  # all of what is folded
    np.testing.assert_allclose(values["would_lose"], [0, 6, 0, 0, 0])
    hand.play("call")
    values, known = hand.observation(2)
    assert known["hole"].all(axis=1).tolist() == [True, True, False, True, True]
    np.testing.assert_allclose(values["stacks"], [94, 20, 92, 0, 0])
    assert not values["turn"].any()


def test_a_seat_may_sit_out_and_watch() -> None:
    hand = three(stacks=(1000, 19, 1000))
    values, known = hand.observation(1)
    assert values["status"][0].tolist() == [0] * 7
    assert known["hole"].all(axis=1).tolist() == [True, False, False, True, True]
    assert not values["hole"].any()
    assert values["owed"] == 0
    hand.leave(1)
    assert hand.observation(0)[0]["status"][1].tolist() == [0, 0, 0, 1, 0, 0, 0]


def test_redeal_is_uniform_over_unseen_cards() -> None:
    """Each of the 26 cards unseen by seat 0 is equally often each hidden hole."""
    hand = three()
    hand.play("check", "fold", "check")
    n = 20_000
    views = addressable(np.repeat(hand.view(0), n))
    engine(GAME).redeal_views(views, np.zeros(n, np.int64), np.uint64(5))
    seen = parse_cards("H7 SK DK HA C8 D9")
    unseen = sorted(set(range(LOWEST, LOWEST + CARDS)) - set(seen))
    for column in (*views["hole"][:, 1:3].T, views["deck"][:, 8], views["deck"][:, 31]):
        counts = np.bincount(column - LOWEST, minlength=CARDS)[np.array(unseen) - LOWEST]
        assert counts.sum() == n
        assert (abs(counts - n / 26) < 140).all()
    assert (views["hole"][:, 0] == parse_card("H7")).all()
    assert (views["up"] == hand.s["up"]).all()
    assert all(GAME.census(view) == (1,) * 32 for view in views[:100])


def test_the_scene_names_cards_and_coins() -> None:
    hand = three(stacks=(60, 1000, 1000))
    hand.play("raise_4", "call", "call")
    scene = GAME.scene(hand.view(1)[0], 1)
    zones = {(zone.name, zone.owner): zone.items for zone in scene.zones}
    assert zones["hole card", 1] == ("SA",)
    assert zones["hole card", 0] == ("??",)
    assert zones["open cards", 2] == ("D9", "H9")
    assert [(place.role, place.stack, place.bet) for place in scene.places] == [
        *(("all-in", 0, 60), ("live", 940, 60), ("live", 940, 60)),
    ]
    assert scene.moves == ("1: raise_4", "2: call", "0: call")
    assert scene.turn == 1
    assert "pot 180" in scene.facts
