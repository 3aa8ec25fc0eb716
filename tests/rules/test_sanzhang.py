"""Sanzhang, clause by clause: hands in card names, coins worked out by hand."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from qipai.envs import OptionError, make_tables
from qipai.envs.checking import check
from qipai.envs.layout import NONE
from qipai.envs.match import engine
from qipai.envs.parts.cards import parse_card
from qipai.envs.sanzhang import FOLDED, GAME, GONE, deal_from_deck, strength
from tests.sanzhang_positions import Position
from tests.table import Table, parse_cards

RAISES = ["raise_low", "raise_mid", "raise_high"]
# Nothing in any of them.
PLAIN = ("SK H9 C4", "S8 H6 C3", "SA HJ C5", "DQ D9 C7", "DK D7 C6", "HQ D10 S4")
EQUAL = ("SA HK CJ", "HA CK DJ", "CA DK SJ")


def free(*hands: str, **options: Any) -> Position:
    """A hand without a fee."""
    return Position(*hands, **{"fee": 0, **options})


# --- The worked examples -----------------------------------------------------------------------


def test_E1_5000_chips_each() -> None:
    hand = Position("SA HA C4", PLAIN[1]).circles(45)
    hand.play("1 call", "0 look+call", "1 call", "0 call", "1 open")
    assert hand.stakes == (5000, 5000)
    assert hand.coins == (4900, -5100)
    assert hand.house == 200


def test_E2_all_others_fold() -> None:
    hand = Position("S9 H7 C2", "SJ H8 C4", "SQ H10 C5", hands=2)
    hand.play("1 call", "2 look", "2 raise_low", "0 fold", "1 fold")
    assert hand.stakes == (100, 200, 500)
    assert (hand.coins, hand.house) == ((-200, -300, 200), 300)
    assert hand.report["cards"] == [None, None, None]
    assert hand.seen_by(0) == ["?", "?", "?"]
    hand.next_hand()
    assert hand.s["banker"] == 2
    assert hand.turn == 0


def test_E3_reward_without_opening() -> None:
    hand = Position(*PLAIN[:3], "D6 D7 D8", PLAIN[5], "S9 H7 C2")
    hand.play("1 fold", "2 fold", "3 call", "4 fold", "5 fold", "0 fold")
    assert (hand.coins, hand.house) == ((-800, -800, -800, 3400, -800, -800), 600)
    assert hand.report["reward"] == 600
    assert hand.seen_by(0) == ["?", "?", "?", "D8 D7 D6", "?", "?"]


def test_E4_short_payer() -> None:
    hand = Position("SA HA CA", "S9 H7 C2", "SQ H10 C5", stacks=(20_000, 900, 20_000)).circles(1)
    hand.play("1 call", "2 call", "0 look+call", "1 call", "2 call", "0 call")
    hand.play("1 raise_mid", "2 call", "0 raise_low")
    assert hand.stakes == (1400, 700, 700)
    assert (hand.coins, hand.house) == ((3000, -900, -2300), 200)
    assert hand.report["reward"] == 1500


def test_E5_the_undivided_rest_is_not_collected() -> None:
    hand = Position(*PLAIN[:3], "H10 D10 C10")
    hand.play("1 call", "2 call", "3 call", "0 fold", "1 call", "2 fold", "3 look+call", "1 fold")
    assert hand.stakes == (100, 300, 200, 400)
    assert (hand.coins, hand.house) == ((-1533, -1733, -1633, 4499), 400)


def test_E6_equal_hands_opened() -> None:
    hand = Position("HK CQ D9", "SK HQ C9")
    hand.play("1 look", "1 raise_high", "0 look", "0 open")
    assert hand.stakes == (2500, 1300)
    assert (hand.coins, hand.house) == ((-2600, 2400), 200)
    assert (hand.report["reason"], hand.report["opener"]) == ("opened", 0)
    assert hand.seen_by(1) == ["HK CQ D9", "SK HQ C9"]


def test_E7_cap_reached() -> None:
    hand = Position("SJ HJ C4", "S9 H7 C2", "CJ DJ S4")
    hand.play("1 look", "1 raise_mid", "2 look", "2 raise_mid", "0 call").circles(8)
    hand.play("1 call", "2 call")
    assert hand.stakes == (4600, 9700, 10_100)
    assert (hand.coins, hand.house) == ((19_700, -9800, -10_200), 300)
    assert (hand.report["reason"], hand.report["opener"]) == ("cap", 2)


def test_E8_short_stack() -> None:
    hand = Position("S9 D9 C2", "H9 S8 C7", "SQ H10 C5", stacks=(20_000, 20_000, 1500))
    hand.play("1 raise_high", "2 call", "0 look", "0 call", "1 look", "1 raise_high")
    assert hand.stakes == (1300, 2900, 700)
    assert (hand.coins, hand.house) == ((-1400, 1900, -800), 300)
    assert (hand.report["reason"], hand.report["opener"]) == ("cap", 1)


def test_E9_special_beats_three_kings_and_a_straight_flush() -> None:
    hand = Position("SK HK CK", "S2 H3 C5", "D6 D7 D8", cap=11)
    hand.play("1 raise_high", "2 call", "0 call")
    assert hand.stakes == (700, 700, 700)
    assert (hand.coins, hand.house) == ((-800, 1300, -800), 300)
    assert hand.report["hands"] == ["trips", "special 2-3-5", "straight flush"]
    assert hand.report["reward"] == 0


def test_E10_reward_from_who_left_and_who_folded() -> None:
    hand = Position("S9 H7 C2", "SA HA C4", "D6 D7 D8")
    hand.play("1 call", "2 look", "2 call")
    hand.leave(1)
    assert hand.turn == 0
    hand.play("0 fold")
    assert (hand.coins, hand.house) == ((-950, -1050, 1700), 300)


def test_E11_legal_actions() -> None:
    hand = Position(*PLAIN[:2], stacks=(1250, 20_000))
    hand.play("1 raise_high")
    assert hand.legal == ["fold", "call", *RAISES]
    hand.play("0 raise_high")
    assert hand.stakes == (1200, 700)


# --- Clause by clause --------------------------------------------------------------------------


@pytest.mark.parametrize("seats", [2, 3, 4, 5, 6])
def test_R1_one_deck(seats: int) -> None:
    tables = make_tables("sanzhang", 50, seed=3, seats=seats)
    for table in tables.state:
        assert GAME.census(table) == (1,) * 52
        assert (table["cards"][:seats] >= 0).all()


@pytest.mark.parametrize(
    ("options", "need"),
    [({}, 400), ({"fee": 0}, 300), ({"factor": 7}, 2200), ({"ante": 10, "fee": 5}, 35)],
)
def test_R2_what_a_seat_must_hold(options: dict[str, int], need: int) -> None:
    hand = Position(*PLAIN[:4], stacks=(need, need - 1, 20_000, 20_000), **options)
    assert hand.s["dealt_in"][:4].tolist() == [1, 0, 1, 1]
    with pytest.raises(OptionError, match=f"at least two stacks of .* \\({need}\\) or more"):
        GAME.options(None, seats=2, stack=(need - 1, 20_000), **options)


def test_R2_sitting_out_costs_nothing() -> None:
    hand = Position("SA HA CA", "", "S9 H7 C2", stacks=(20_000, 399, 20_000), banker=1)
    assert hand.turn == 2
    assert hand.s["cards"][1].tolist() == [NONE] * 3
    hand.play("2 call", "0 open")
    assert hand.report["reward"] == 2000  # two seats in, one loser
    assert (hand.coins, hand.house) == ((200 + 2000 - 100, 0, -200 - 2000 - 100), 200)


def test_R2_the_match_ends_when_only_one_can_play() -> None:
    for stack, over in ((600, False), (599, True)):
        hand = Position(*PLAIN[:2], stacks=(stack, 20_000), hands=9)
        hand.play("1 call", "0 fold")
        assert hand.coins == (-200, 0)
        assert hand.s["over"] == over


def test_R3_everybody_in_puts_in_the_ante() -> None:
    hand = Position(seats=4, stacks=(20_000, 20_000, 30, 20_000), ante=110)
    assert hand.stakes == (110, 110, 0, 110)


def test_R4_the_first_banker_is_random() -> None:
    tables = make_tables("sanzhang", 3000, seed=1, seats=3, stack=(20_000, 399, 20_000))
    counts = np.bincount(tables.state["banker"], minlength=3)
    assert counts[1] == 0
    assert abs(counts[0] - 1500) < 120


def test_R4_of_several_winners_the_first_after_the_old_banker() -> None:
    for banker, order in ((0, [1, 3]), (2, [3, 0, 1])):
        hand = Position(EQUAL[0], EQUAL[1], PLAIN[1], EQUAL[2], banker=banker, cap=11, hands=2)
        hand.play(f"{(banker + 1) % 4} raise_high")
        for _ in range(2):
            hand.play(f"{hand.turn} call")
        hand.play(f"{hand.turn} fold")
        assert hand.report["reason"] == "cap"
        assert hand.report["winners"] == order
        hand.next_hand()
        assert hand.s["banker"] == order[0]


def test_R4_a_winner_that_cannot_play_is_replaced() -> None:
    hand = Position(*PLAIN[:3], hands=2)
    hand.play("1 call", "2 fold", "0 fold")
    hand.s["away"][1] = 1
    hand.next_hand()
    assert hand.s["banker"] in (0, 2)
    assert hand.s["dealt_in"][:3].tolist() == [1, 0, 1]


def test_R5_three_cards_at_once_from_the_banker_on() -> None:
    table = Table("sanzhang", seats=3).table
    table["banker"] = 1
    table["deck"][0] = np.arange(52)
    deal_from_deck(table[0])
    assert table["cards"][0, :3].tolist() == [[8, 7, 6], [2, 1, 0], [5, 4, 3]]
    assert table["deck"][0, :9].tolist() == [NONE] * 9
    assert table["deck"][0, 9:].tolist() == list(range(9, 52))


def test_R6_order_of_turns() -> None:
    hand = Position(*PLAIN[:5], banker=3)
    hand.play("4 call", "0 fold", "1 call", "2 fold", "3 call", "4 call", "1 call", "3 call")
    assert hand.turn == 4
    assert hand.s["circles"] == 2


def test_R7_single_and_double_price() -> None:
    hand = Position(*PLAIN[:3])
    hand.play("1 raise_low", "2 look+call", "0 call", "1 look+call", "2 call")
    assert hand.stakes == (300, 700, 900)
    values, _ = hand.observation(0)
    assert values["allowances"].tolist()[:3] == [98, 94, 92]
    assert values["price"] == 2


def test_R7_the_limit_is_the_stack_by_the_factor_rounded_down() -> None:
    hand = Position(*PLAIN[:3], stacks=(4099, 99_999, 20_000), factor=4)
    assert hand.s["limit"][:3].tolist() == [1024, 10_100, 5000]


def test_R8_look_is_free_and_leaves_the_turn() -> None:
    hand = Position(*PLAIN[:3])
    assert hand.seen_by(1) == ["?", "?", "?"]
    hand.play("1 look")
    assert hand.turn == 1
    assert hand.stakes == (100, 100, 100)
    assert "look" not in hand.legal
    assert hand.seen_by(1) == ["?", "S8 H6 C3", "?"]
    assert hand.seen_by(2) == ["?", "?", "?"]
    assert hand.view(2)["looked"][0, :3].tolist() == [0, 1, 0]


@pytest.mark.parametrize(("stack", "allowed"), [(1300, True), (1299, False)])
def test_R8_refused_where_it_would_open_all(stack: int, allowed: bool) -> None:
    hand = Position(*PLAIN[:3], stacks=(stack, 20_000, 20_000))
    hand.play("1 raise_high", "2 call")
    assert ("look" in hand.legal) == allowed


def test_R8_look_then_act() -> None:
    hand = Position(*PLAIN[:3])
    hand.play("1 look+raise_high")
    assert hand.stakes == (100, 1300, 100)
    for text in ("call+look", "look+look", "look+call+call"):
        with pytest.raises(ValueError, match="is no turn"):
            GAME.parse_move(hand.s, text)


def test_R9_the_first_call_is_a_bet() -> None:
    hand = Position(*PLAIN[:3])
    assert hand.legal == ["fold", "call", *RAISES, "look"]
    hand.play("1 call")
    assert hand.stakes == (100, 200, 100)


def test_R10_add_first_double_after() -> None:
    hand = Position(*PLAIN[:3])
    hand.play("1 look+raise_low")
    assert hand.stakes == (100, 500, 100)
    assert hand.s["unit"] == 200


def test_R10_raises_add_up_without_a_limit() -> None:
    hand = Position(*PLAIN[:3])
    hand.play("1 raise_high", "2 raise_high", "0 raise_mid", "1 raise_low", "2 raise_high")
    assert hand.s["unit"] == 100 + 500 + 500 + 200 + 100 + 500
    assert hand.stakes == (100 + 1300, 100 + 600 + 1400, 100 + 1100 + 1900)
    assert hand.s["raises"][:3].tolist() == [[0, 1, 0], [1, 0, 1], [0, 0, 2]]


def test_R10_refused_above_the_allowance() -> None:
    hand = Position(*PLAIN[:3], stacks=(20_000, 20_000, 899))
    hand.play("1 raise_high")  # 2 has 799 left
    assert [name for name in hand.legal if "raise" in name] == ["raise_low"]
    hand = Position(*PLAIN[:3], stacks=(20_000, 20_000, 900))
    hand.play("1 raise_high")
    assert [name for name in hand.legal if "raise" in name] == ["raise_low", "raise_mid"]


def test_R10_sizes_go_up() -> None:
    for sizes in ((100, 100, 500), (300, 200, 500), (100, 500, 200)):
        with pytest.raises(OptionError, match="low < mid < high"):
            GAME.options(None, **dict(zip(("low", "mid", "high"), sizes, strict=True)))


def test_R11_folding_leaves_the_stake() -> None:
    hand = free(*PLAIN[:3])
    hand.play("1 raise_high", "2 fold", "0 fold")
    assert hand.coins == (-100, 200, -100)
    assert hand.s["out"][:3].tolist() == [FOLDED, NONE, FOLDED]


def test_R12_nothing_is_shown() -> None:
    hand = free("SA HK CQ", "SK H9 C4")
    hand.play("1 look+fold")
    assert hand.report["reason"] == "one seat left"
    assert hand.report["winners"] == [0]
    assert hand.report["opener"] is None
    assert hand.report["hands"] == [None, None]
    assert hand.seen_by(0) == ["?", "?"]
    assert hand.seen_by(1) == ["?", "SK H9 C4"]


def test_R13_opening_at_once_and_blind() -> None:
    hand = free(*PLAIN[:2])
    hand.play("1 open")
    assert hand.stakes == (100, 300)
    assert hand.coins == (300, -300)
    assert hand.seen_by(0) == list(PLAIN[:2])


def test_R13_only_with_two_live_seats() -> None:
    hand = Position(*PLAIN[:3])
    assert "open" not in hand.legal
    hand.play("1 fold")
    assert "open" in hand.legal
    hand.play("2 look+open")
    assert hand.stakes == (100, 100, 500)
    assert hand.seen_by(0) == [PLAIN[0], "?", PLAIN[2]]


@pytest.mark.parametrize(("stack", "allowed"), [(1300, True), (1299, False)])
def test_R13_within_the_allowance(stack: int, allowed: bool) -> None:
    hand = Position(*PLAIN[:2], stacks=(stack, 20_000))
    hand.play("1 raise_high")
    assert ("open" in hand.legal) == allowed


def test_R14_a_payment_reaches_the_cap() -> None:
    hand = free("SK HK C7", "SA HJ C5", "S9 H7 C2", cap=11)
    hand.play("1 look+call", "2 look+call", "0 look+raise_low", "1 call", "2 call")
    assert hand.stakes == (500, 700, 700)
    hand.play("0 raise_low")
    assert hand.stakes == (1100, 700, 700)
    assert hand.coins == (1400, -700, -700)
    assert (hand.report["reason"], hand.report["opener"]) == ("cap", 0)


def test_R14_the_last_coin_opens_nothing_before_the_turn_comes_again() -> None:
    hand = Position(*PLAIN[:3], stacks=(20_000, 700, 20_000))
    hand.play("1 raise_high")  # its last coins, but not the cap
    assert hand.turn == 2
    hand.play("2 call")
    assert hand.turn == 0
    hand.play("0 call")
    assert (hand.report["reason"], hand.report["opener"]) == ("cap", 0)


def test_R14_who_can_pay_exactly_is_asked() -> None:
    hand = Position(*PLAIN[:3], stacks=(1300, 20_000, 20_000))
    hand.play("1 raise_high", "2 call", "0 call", "1 call", "2 call")
    assert hand.turn == 0
    assert hand.legal == ["fold", "call"]
    hand.play("0 call", "1 call", "2 call")
    assert hand.report["reason"] == "cap"


def test_R14_a_look_doubles_what_is_due() -> None:
    hand = Position(*PLAIN[:2], stacks=(20_000, 1800))
    hand.play("1 call", "0 call", "1 look+raise_low", "0 call", "1 call", "0 call", "1 call")
    assert hand.stakes[1] == 1400
    hand.play("0 raise_low")  # seat 1 has 400 left, and would owe 600
    assert (hand.report["reason"], hand.report["opener"]) == ("cap", 0)


def test_R14_who_acted_last_has_folded() -> None:
    hand = free(PLAIN[1], *EQUAL[:2], cap=11)
    hand.play("1 raise_high", "2 call", "0 fold")
    assert (hand.report["reason"], hand.report["opener"]) == ("cap", None)
    assert hand.coins == (-100, 50, 50)


def test_R14_a_leave_is_no_act() -> None:
    hand = free(PLAIN[1], *EQUAL[:2], cap=11)
    hand.play("1 raise_high", "2 call")
    hand.leave(0)
    assert (hand.report["reason"], hand.report["opener"]) == ("cap", 2)
    assert hand.coins == (-100, 800, -700)


def test_R14_who_acted_last_has_left() -> None:
    hand = free(PLAIN[1], *EQUAL[:2], PLAIN[3], cap=11)
    hand.play("1 raise_high", "2 call", "3 call")
    hand.leave(3)
    assert hand.turn == 0
    hand.leave(0)
    assert (hand.report["reason"], hand.report["opener"]) == ("cap", None)
    assert hand.coins == (-100, 400, 400, -700)


@pytest.mark.parametrize(
    "options", [{}, {"factor": 3}, {"cap": 11, "stack": (5000, 999, 777, 400)}]
)
def test_R14_nobody_pays_more_than_its_limit(options: dict[str, Any]) -> None:
    tables = make_tables("sanzhang", 200, seed=2, seats=4, **options)
    for _ in range(100):
        tables.step(tables.sample())
        assert (tables.state["stake"] <= tables.state["limit"]).all()


RANKING = {
    "lowest": [
        *("SA HA CA", "SK HK CK", "S2 H2 C2"),
        *("SA SK SQ", "DK DQ DJ", "H4 H3 H2", "SA S3 S2"),
        *("SA SK SJ", "DA D4 D2", "HK HQ H10", "C5 C3 C2"),
        *("SA HK CQ", "DK HQ CJ", "S4 H3 C2", "SA H3 C2"),
        *("SA HA CK", "DA CA D2", "SK HK CA", "D2 C2 SA", "S2 H2 C3"),
        *("SA HK CJ", "DA HJ C10", "SA H4 C2", "SK HQ C10", "SK HA C2"),
    ],
    "second": [
        *("S2 H2 C2", "SA SK SQ", "SA S3 S2", "DK DQ DJ", "H4 H3 H2", "SA SK SJ"),
        *("SA HK CQ", "SA H3 C2", "DK HQ CJ", "S4 H3 C2", "SA HA CK"),
    ],
    "none": [
        *("S2 H2 C2", "SA SK SQ", "H4 H3 H2", "SA SK SJ", "DA D4 D2", "SA S3 S2", "HK HQ H10"),
        *("SA HK CQ", "S4 H3 C2", "SA HA CK", "S2 H2 C3", "SA HK CJ", "SA H4 C2", "SA H3 C2"),
        "SK HQ C10",
    ],
}


def in_game(cards: str, a23: str) -> int:
    table = make_tables("sanzhang", 1, seats=2, a23=a23).state
    table["cards"][0, 0] = parse_cards(cards)
    return int(strength(table[0], 0))


@pytest.mark.parametrize("a23", ["second", "none"])
def test_R15_R16_R17_ranking_by_the_place_of_a23(a23: str) -> None:
    strengths = [in_game(cards, a23) for cards in RANKING[a23]]
    assert strengths == sorted(set(strengths), reverse=True)


def test_R15_R17_suits_never_count() -> None:
    assert in_game("SA HK CJ", "lowest") == in_game("DA CK HJ", "lowest")
    assert in_game("SA SK SJ", "lowest") == in_game("DA DK DJ", "lowest")


def test_R15_ranking() -> None:
    groups = RANKING["lowest"][:-2]
    strengths = [in_game(cards, "lowest") for cards in groups]
    assert strengths == sorted(set(strengths), reverse=True)


def test_R16_king_ace_two_is_no_run() -> None:
    for a23 in RANKING:
        assert in_game("SK HA C2", a23) < in_game("S2 H2 C3", a23)


@pytest.mark.parametrize(("a23", "winner"), [("lowest", 0), ("second", 1), ("none", 0)])
def test_R16_a23_against_234(a23: str, winner: int) -> None:
    hand = Position("S4 H3 C2", "SA D3 H2", a23=a23)
    hand.play("1 call", "0 open")
    assert hand.report["winners"] == [winner]
    assert hand.report["hands"][1] == ("high card" if a23 == "none" else "run")


@pytest.mark.parametrize(("a23", "reward"), [("lowest", 1000), ("second", 1000), ("none", 0)])
def test_R16_a_suited_a23(a23: str, reward: int) -> None:
    hand = Position(PLAIN[0], "DA D3 D2", a23=a23)
    hand.play("1 call", "0 fold")
    assert hand.report["reward"] == reward


def test_R17_same_ranks_are_equal() -> None:
    assert in_game("SA HA CK", "lowest") == in_game("DA CA SK", "lowest")


def opened(*hands: str, **options: Any) -> Position:
    """All call a raise; the cap opens their hands. The banker, seat 0, is the opener."""
    hand = Position(*hands, cap=11, **options)
    hand.play("1 raise_high")
    while not hand.s["ended"]:
        hand.play(f"{hand.turn} call")
    assert (hand.report["reason"], hand.report["opener"]) == ("cap", 0)
    return hand


@pytest.mark.parametrize(
    ("cards", "distinct_wins", "loose_wins"),
    [
        ("S2 H3 C5", True, True),
        ("S2 H3 S5", False, True),
        ("S2 S3 S5", False, False),
    ],
)
def test_R18_what_is_special(cards: str, distinct_wins: bool, loose_wins: bool) -> None:
    for distinct, wins in ((True, distinct_wins), (False, loose_wins)):
        hand = opened("S7 H7 C7", cards, special_distinct=distinct)
        assert hand.report["winners"] == [int(wins)]


@pytest.mark.parametrize(
    ("hands", "winners"),
    [
        (("SA HA CA", "S2 H3 C5"), [1]),
        (("SK HK CK", "S2 H3 C5"), [1]),
        (("D2 H2 C2", "S2 H3 C5"), [1]),
        (("SK HK CK", "D6 D7 D8", "S2 H3 C5"), [2]),
        (("D6 D7 D8", "S2 H3 C5"), [0]),  # no trips
        (("H2 H4 D6", "S2 H3 C5"), [0]),
        (("SA HA CA", "S2 H3 C5", "H2 C3 D5"), [1, 2]),
        (("H2 C3 D5", "S2 H3 C5", "SA HA CA"), [1]),  # seat 0 is the opener
        (("H2 C3 D5", "S2 H3 C5"), [1]),
    ],
)
def test_R18_special_wins_beside_trips_alone(hands: tuple[str, ...], winners: list[int]) -> None:
    assert opened(*hands).report["winners"] == winners


def test_R18_folded_trips_do_not_count() -> None:
    hand = Position("SA HA CA", "S2 H3 C5", "H6 D4 C2")
    hand.play("1 call", "2 call", "0 fold", "1 call", "2 open")
    assert hand.report["winners"] == [2]


def test_R19_the_reward_comes_before_the_fee() -> None:
    hand = Position("SA HA CA", PLAIN[1], stacks=(20_000, 2250), fee=120)
    hand.play("1 call", "0 call", "1 fold")
    assert (hand.coins, hand.house) == ((200 + 2000 - 120, -200 - 2000 - 50), 170)
    assert hand.s["stack"][1] == 0


def test_R20_leftover_coins_from_the_seat_after_the_banker() -> None:
    for banker, shares in ((0, (734, 733, 733)), (2, (733, 733, 734))):
        hands = {(banker + k) % 4: EQUAL[k - 1] for k in (1, 2, 3)} | {banker: PLAIN[1]}
        hand = free(*(hands[seat] for seat in range(4)), cap=11, banker=banker)
        hand.play(f"{(banker + 1) % 4} raise_high")
        hand.play(f"{(banker + 2) % 4} call", f"{(banker + 3) % 4} call", f"{banker} fold")
        assert hand.report["opener"] is None
        got = [hand.coins[seat] + 700 for seat in range(4) if seat != banker]
        assert got == list(shares)


def test_R20_the_opener_is_dropped() -> None:
    hand = opened(EQUAL[0], PLAIN[1], *EQUAL[1:], fee=0)
    assert hand.report["winners"] == [2, 3]
    assert hand.coins == (-700, -700, 700, 700)


def test_R20_the_best_hand_wins_for_an_opener_too() -> None:
    hand = opened("DA HA C9", "SA HK CJ", fee=0)
    assert hand.coins == (700, -700)


@pytest.mark.parametrize(
    ("cards", "times"),
    [("SA HA CA", 10), ("S2 H2 C2", 10), ("S4 S3 S2", 5), ("HA HK HJ", 0), ("S2 H3 C5", 0)],
)
def test_R21_reward(cards: str, times: int) -> None:
    hand = free(PLAIN[0], cards, PLAIN[3])
    hand.play("1 call", "2 fold", "0 fold")
    each = 300 * times // 2
    assert hand.coins == (-100 - each, 200 + 2 * each, -100 - each)
    assert (hand.report["cards"][1] is not None) == (times > 0)
    assert hand.report["reward"] == each


def test_R21_paid_at_an_opening_too() -> None:
    hand = free("SA HK CJ", "D4 D3 D2")
    hand.play("1 open")
    assert hand.coins == (-100 - 1000, 100 + 1000)


def test_R21_several_winners_share_it() -> None:
    hand = free(PLAIN[1], "SK SQ SJ", "HK HQ HJ", cap=11)
    hand.play("1 raise_high", "2 call", "0 fold")
    assert hand.report["winners"] == [1, 2]
    assert hand.report["reward"] == 1500  # of the only loser
    assert hand.coins == (-100 - 1500, 50 + 750, 50 + 750)


def test_R21_a_short_payer_of_several_winners() -> None:
    hand = free(PLAIN[1], "SK SQ SJ", "HK HQ HJ", cap=11, stacks=(1001, 20_000, 20_000))
    hand.play("1 raise_high", "2 call", "0 fold")
    assert hand.coins == (-1001, 50 + 451, 50 + 450)


def test_R21_an_equal_opener_pays_like_the_others() -> None:
    hand = opened("SK SQ SJ", "HK HQ HJ", PLAIN[1], fee=0)
    assert hand.report["reward"] == 750
    assert hand.coins == (-700 - 750, 1400 + 1500, -700 - 750)


def test_R21_a_special_hand_that_beats_trips_earns_none() -> None:
    hand = opened("SA HA CA", "S2 H3 C5", fee=0)
    assert hand.coins == (-700, 700)


def test_R22_the_fee_at_most_what_is_left() -> None:
    hand = Position(*PLAIN[:3], stacks=(20_000, 20_000, 750))
    hand.play("1 raise_high", "2 call", "0 fold")
    assert hand.turn == 1
    hand.play("1 call")  # 50 left of seat 2, which loses
    assert hand.report["winners"] == [2]
    hand = Position(PLAIN[0], PLAIN[2], PLAIN[1], stacks=(20_000, 20_000, 750))
    hand.play("1 raise_high", "2 call", "0 fold", "1 call")
    assert (hand.coins, hand.house) == ((-200, 800 - 100, -750), 250)


def test_R22_folded_and_gone_seats_pay_it() -> None:
    hand = Position(*PLAIN[:3], fee=7)
    hand.play("1 call")
    hand.leave(0)
    hand.play("2 fold")
    assert (hand.coins, hand.house) == ((-107, 193, -107), 21)


def test_R23_the_factor_multiplies_the_pot_alone() -> None:
    hand = Position("S9 H7 C2", "SA HA C4", "D6 D7 D8", factor=3)
    hand.play("1 call", "2 look+call", "0 fold", "1 fold")
    assert hand.stakes == (100, 200, 300)
    assert (hand.coins, hand.house) == (
        (-300 - 750 - 100, -600 - 750 - 100, 900 + 1500 - 100),
        300,
    )


def test_R24_leaving_in_turn_passes_it_on() -> None:
    hand = free(*PLAIN[:3], hands=2)
    hand.play("1 call", "2 look")
    hand.leave(2)
    assert hand.turn == 0
    hand.play("0 call")
    hand.leave(1)
    assert hand.coins == (300, -200, -100)
    assert hand.report["gone"] == [1, 2]
    assert hand.s["out"][:3].tolist() == [NONE, GONE, GONE]
    assert hand.s["over"]  # only one seat is left


def test_R24_leaving_after_folding() -> None:
    hand = Position(*PLAIN[:3], hands=2)
    hand.play("1 fold")
    hand.leave(1)
    assert hand.turn == 2
    assert hand.s["out"][1] == FOLDED
    hand.play("2 call", "0 fold")
    assert hand.s["coins"][1] == -200
    hand.next_hand()
    assert hand.s["dealt_in"][:3].tolist() == [1, 0, 1]


def test_R24_the_last_but_one_leaves_out_of_turn() -> None:
    hand = Position("D6 D7 D8", PLAIN[1])
    hand.leave(0)
    assert hand.report["winners"] == [1]
    assert hand.coins == (-200, 0)
    hand = Position("D6 D7 D8", PLAIN[1])
    hand.leave(1)
    assert hand.coins == (100 + 1000 - 100, -100 - 1000 - 100)


def test_R24_no_answer_is_a_fold() -> None:
    hand = Position(*PLAIN[:3])
    assert GAME.default(hand.s) == GAME.parse("fold")


# --- Options, actions, words -------------------------------------------------------------------


def test_the_length_of_a_match() -> None:
    assert GAME.max_plies(GAME.options()) == 612


def test_large_numbers() -> None:
    stacks = (10**15, 10**15)
    hand = Position(
        *("SA HA CA", PLAIN[1]),
        stacks=stacks,
        ante=10**6,
        low=10**6,
        mid=10**7,
        high=2 * 10**7,
        factor=10**6,
        fee=10**14,
    )
    hand.play("1 raise_high", "0 look+call", "1 fold")
    chips, reward, fee = 22 * 10**6, 2 * 10**7, 10**14
    assert hand.coins == (chips * 10**6 + reward - fee, -chips * 10**6 - reward - fee)


def test_the_scene_names_cards_and_coins() -> None:
    hand = Position(*PLAIN[:3], factor=2)
    hand.play("1 look+raise_mid", "2 call")
    scene = GAME.scene(hand.view(1)[0], 1)
    zones = {zone.owner: (zone.items, zone.note) for zone in scene.zones}
    assert zones[1] == (("S8", "H6", "C3"), "high card")
    assert zones[0] == (("??", "??", "??"), "")
    assert [(p.role, p.stack, p.bet) for p in scene.places] == [
        *(("live", 19_800, 200), ("live", 18_600, 1400), ("live", 19_200, 800)),
    ]
    assert scene.places[0].note == "blind, banker"
    assert scene.places[1].note == "looked, raise_mid"
    assert scene.moves == ("1: raise_mid", "2: call")
    facts = {"pot 2400", "unit 300", "price 300", "a chip is worth 2"}
    assert facts <= set(scene.facts)
    hand.play("0 fold", "1 call", "2 fold")
    scene = GAME.scene(hand.view(1)[0], 1)
    assert [p.role for p in scene.places] == ["folded", "winner", "folded"]
    assert scene.places[0].stack == 19_700  # less the fee
    assert "reward 0 from each" in scene.facts


# --- What a seat sees --------------------------------------------------------------------------


def test_own_cards_are_unknown_until_looked_at() -> None:
    hand = Position(*PLAIN[:3])
    values, known = hand.observation(1)
    assert not known["cards"][:3].any()
    assert known["cards"][3:].all()  # no such seats
    assert not values["cards"].any()
    hand.play("1 look")
    values, known = hand.observation(1)
    assert known["cards"][0].all() and known["kind"][0].all() and known["worse"][0]
    assert not known["cards"][1:3].any()
    for row, name in zip(values["cards"][0], ("S8", "H6", "C3"), strict=True):
        card = parse_card(name)
        assert np.flatnonzero(row).tolist() == [card // 4, 13 + card % 4]
    assert values["kind"][0].tolist() == [1, 0, 0, 0, 0, 0]
    assert 0 < values["worse"][0] < 0.42


def test_the_observation_of_the_betting() -> None:
    hand = Position(*PLAIN[:4], stacks=(20_000, 20_000, 20_000, 4000), factor=2)
    hand.play("1 call", "2 look+raise_low", "3 raise_mid", "0 fold", "1 raise_high", "2 call")
    values, _ = hand.observation(3)  # seats 3, 0, 1, 2
    assert values["status"][:4].tolist() == [
        *([1, 1, 0, 0, 0], [1, 0, 1, 0, 0], [1, 1, 0, 0, 0], [1, 1, 0, 0, 1]),
    ]
    assert values["stakes"][:4].tolist() == [5, 1, 11, 23]
    assert values["stacks"][:4].tolist() == [15, 99, 89, 77]
    assert values["allowances"][:4].tolist() == [15, 0, 89, 77]
    assert values["bets"][:4].tolist() == [[1, 0], [0, 0], [2, 0], [0, 2]]
    assert values["raises"][:4].tolist() == [[0, 1, 0], [0, 0, 0], [0, 0, 1], [1, 0, 0]]
    assert values["look_unit"][:4].tolist() == [0, 0, 0, 1]
    assert (values["unit"], values["pot"], values["price"]) == (9, 40, 9)
    assert values["raised_prices"].tolist() == [10, 11, 14]
    assert values["live_seats"] == 3
    assert values["may_open"] == 0
    assert values["lowest_allowance"] == 77
    assert values["sizes"].tolist() == [1, 2, 5]
    assert values["options"].tolist() == [101, 0.5, 2, 1]
    assert values["a23"].tolist() == [1, 0, 0]
    names = GAME.actions.names
    log = [(int(row[:6].argmax()), names[row[6:].argmax()]) for row in values["log"][:6]]
    assert log == [
        *((3, "call"), (2, "raise_high"), (1, "fold"), (0, "raise_mid"), (3, "raise_low")),
        (2, "call"),
    ]
    assert not values["log"][6:].any()


def test_the_log_keeps_the_last_20_actions() -> None:
    hand = Position(*PLAIN[:2]).circles(11)
    hand.play("1 raise_low")
    values, _ = hand.observation(0)
    assert values["log"].sum() == 40
    assert values["log"][0].tolist()[:6] == [0, 1, 0, 0, 0, 0]
    assert values["log"][0][6:].argmax() == GAME.parse("raise_low")
    assert all(row[6:].argmax() == GAME.parse("call") for row in values["log"][1:])


def test_redealing_keeps_a_hand_looked_at() -> None:
    hand = Position(*PLAIN[:3])
    hand.play("1 look+call", "2 call")
    n = 20_000
    tables = hand.redealt(1, n)
    unseen = [card for card in range(52) if card not in parse_cards(PLAIN[1])]
    for cards in (tables["cards"][:, 0], tables["cards"][:, 2], tables["deck"][:, 49:]):
        counts = np.bincount(cards.ravel(), minlength=52)[unseen]
        assert counts.sum() == 3 * n
        assert (abs(counts - 3 * n / 49) < 170).all()
    assert (tables["cards"][:, 1] == hand.s["cards"][1]).all()
    assert (tables["deck"][:, :9] == NONE).all()


def test_redealing_redraws_an_own_hand_not_looked_at() -> None:
    own = Position(*PLAIN[:3]).redealt(1, 20_000)["cards"][:, 1]
    assert (abs(np.bincount(own.ravel(), minlength=52) - 60_000 / 52) < 170).all()


def test_redealing_knows_that_a_hand_not_shown_earned_nothing() -> None:
    hand = Position(*PLAIN[:3])
    hand.play("1 call", "2 fold", "0 fold")
    tables = hand.redealt(0, 5000)
    names = [{GAME.scene(t, None).zones[p].note for t in tables} for p in range(3)]
    assert not names[1] & {"trips", "straight flush"}
    assert names[0] & names[2] & {"trips", "straight flush"}


def test_redealing_keeps_what_was_shown() -> None:
    hand = Position(PLAIN[0], "D6 D7 D8", PLAIN[2])
    hand.play("1 call", "2 fold", "0 fold")
    tables = hand.redealt(0, 100)
    assert (tables["cards"][:, 1] == hand.s["cards"][1]).all()
    assert (tables["cards"][1:, 2] != tables["cards"][0, 2]).any()


# --- Tables and views from outside ---------------------------------------------------------------


def raised() -> Position:
    """Three hands in play: 1 has raised, 2 looked and called, 0 is to act."""
    hand = Position(*PLAIN[:3], factor=2)
    hand.play("1 raise_low", "2 look+call")
    return hand


@pytest.mark.parametrize(
    ("field", "place", "value", "sentence"),
    [
        ("cards", (0, 0), 51, r"cards and deck have SA more than once|cards\[0\] is"),
        ("cards", (1, 2), NONE, r"cards\[1\] is .*expected 3 from high to low"),
        ("dealt", (), 12, "dealt is 12: expected 3 for each of 3 seats"),
        ("banker", (), 2, None),  # nobody knows better
        ("unit", (), 300, "unit is 300: expected 200"),
        ("limit", 1, 20_000, r"limit\[1\] is 20000: expected 10000"),
        ("stake", 2, 501, r"stake\[2\] is 501: expected 300…500"),
        ("raises", (1, 2), 1, r"raises\[1\] come to 2, of 1 bets"),
        ("looked", 1, 1, r"look_unit\[1\] is 0: expected 100…200"),
        ("last_actor", (), 1, "last_actor is 1: expected 2"),
        ("log_seat", 0, 0, "log_action has 1 bets of seat 0, which has made 0"),
        ("out", 0, 1, r"live\[0\] is 1: expected 0"),
        ("away", 1, 1, r"live\[1\] is 1 for a seat that has left"),
        ("reward", (), 5, "reward is 5: expected 0"),
        ("coins", 0, 5, r"limit\[0\]|coins\[0\] is 5: expected 0"),
        ("over", (), 1, "over is 1: expected 0"),
    ],
)
def test_what_cannot_be_is_named(field: str, place: Any, value: int, sentence: str | None) -> None:
    for seat in (None, 0):
        record = (raised().table if seat is None else raised().view(0)).copy()
        record[field][(0, *np.atleast_1d(place).astype(int))] = value
        if sentence is None:
            check(GAME, record[0], seat)
        else:
            with pytest.raises(ValueError, match=sentence):
                check(GAME, record[0], seat)


def test_no_reward_comes_from_a_hand_that_was_not_shown() -> None:
    """Redealing would look for such a hand for ever."""
    hand = Position(*PLAIN[:3])
    hand.play("1 call", "2 fold", "0 fold")
    view = hand.view(0)
    check(GAME, view[0], 0)
    view["reward"] = 150
    with pytest.raises(ValueError, match="reward is 150: expected 0|shown"):
        check(GAME, view[0], 0)
    engine(GAME).redeal_views(view, np.zeros(1, np.int64), np.uint64(1))  # comes to an end


def test_coins_are_those_that_the_hand_brought() -> None:
    hand = Position(PLAIN[0], "D6 D7 D8", PLAIN[2])
    hand.play("1 call", "2 fold", "0 fold")
    for field, place, value, sentence in (
        ("coins", 1, 3000, r"coins\[1\] is 3000: expected 1600"),
        ("house", (), 299, "house is 299: expected 300"),
        ("winner", (), 0, "winner is 0: expected 1"),
        ("shown", 1, 0, r"shown\[1\] is 0: expected 1"),
        ("over", (), 0, "over is 0: expected 1"),
    ):
        record = hand.table.copy()
        check(GAME, record[0])
        before = int(record[field][(0, *np.atleast_1d(place).astype(int))])
        record[field][(0, *np.atleast_1d(place).astype(int))] = value
        if field == "coins":
            record["stack"][0, place] += value - before  # as if it had been paid
        with pytest.raises(ValueError, match=sentence):
            check(GAME, record[0])


def test_the_unit_of_a_table_is_its_ante_in_coins() -> None:
    hand = raised()
    assert GAME.unit(hand.s) == 200
    assert GAME.unit(hand.table).tolist() == [200]
