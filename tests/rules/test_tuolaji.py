"""Tuolaji, clause by clause: hands in card names, coins worked out by hand."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from qipai.envs import OptionError, load_game, make_tables
from qipai.envs.checking import check
from qipai.envs.layout import NONE
from qipai.envs.parts.cards import parse_card
from qipai.envs.tuolaji import BEATEN, FOLDED, GAME, GONE, beats, deal_from_deck, strength
from tests.table import Table, parse_cards
from tests.tuolaji_positions import Position

RAISES = ["raise_to_2", "raise_to_3", "raise_to_4", "raise_to_5"]
PLAIN = ("SK H9 C4", "S8 H6 C3", "SA HJ C5", "DQ D9 C7", "DK D7 C6")  # nothing in any of them


def low_cap(*hands: str, cap: int = 11, **options: Any) -> Position:
    """A hand with an ante of 10 that few bets bring to the cap."""
    return Position(*hands, cap=cap, ante_float=False, **options)


def ante(stacks: tuple[int, ...], **options: int) -> int:
    return int(Position(seats=len(stacks), stacks=stacks, **options).s["ante"])


# --- The worked examples -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("stacks", "options", "b"),
    [
        ((1010, 5000, 60_000), {}, 10),
        ((10_099, 10_100), {}, 10),
        ((10_100, 10_100), {}, 100),
        ((12_000_000, 10_100_000), {}, 100_000),
        ((50_000, 9999, 20_000), {"floor": 100}, 100),
    ],
)
def test_E1_the_ante(stacks: tuple[int, ...], options: dict[str, int], b: int) -> None:
    assert ante(stacks, **options) == b


def test_E1_who_sits_out() -> None:
    hand = Position(seats=3, stacks=(50_000, 9999, 20_000), floor=100)
    assert hand.s["dealt_in"][:3].tolist() == [1, 0, 1]
    assert hand.stakes == (100, 0, 100)


def test_E2_all_others_fold() -> None:
    hand = Position("SK H9 C4", "S8 H6 C3", "SA HJ C5")
    hand.play("1 call", "2 look", "2 raise_to_3", "0 fold", "1 look", "1 fold")
    assert hand.stakes == (10, 20, 70)
    assert hand.coins == (-10, -20, 30)
    assert hand.report["cards"] == [None, None, None]
    assert hand.seen_by(0) == ["?", "?", "?"]
    assert hand.s["over"]


def test_E2_the_winner_is_the_next_banker() -> None:
    hand = Position("SK H9 C4", "S8 H6 C3", "SA HJ C5", hands=2)
    hand.play("1 call", "2 look+raise_to_3", "0 fold", "1 look+fold")
    hand.next_hand()
    assert hand.s["banker"] == 2
    assert hand.turn == 0


def test_E3_compare() -> None:
    hand = Position("SK HK C7", "CK DK S7", "S9 H5 C2", banker=2)
    hand.play("0 call", "1 call", "2 call", "0 compare_1", "1 open")
    assert hand.coins == (-30, 50, -20)
    assert hand.s["out"][:3].tolist() == [BEATEN, NONE, NONE]


def test_E3_what_a_compare_shows() -> None:
    hand = Position("SK HK C7", "CK DK S7", "S9 H5 C2", banker=2)
    hand.play("0 call", "1 call", "2 call", "0 compare_1")
    assert hand.seen_by(0) == ["?", "CK DK S7", "?"]
    assert hand.seen_by(1) == ["SK HK C7", "?", "?"]
    assert hand.seen_by(2) == ["?", "?", "?"]
    assert hand.s["beaten_by"][:3].tolist() == [1, NONE, NONE]
    assert hand.s["beaten_in"][:3].tolist() == [0, NONE, NONE]


def test_E4_equal_hands_opened() -> None:
    hand = Position("SA HK CQ", "HA CK DQ")
    hand.play("1 look", "1 raise_to_5", "0 look", "0 open")
    assert hand.coins == (-210, 210)
    assert hand.report["reason"] == "opened"
    assert hand.seen_by(1) == ["SA HK CQ", "HA CK DQ"]


def test_E5_cap_reached() -> None:
    hand = Position("S8 H7 C2", "SA HA C9", "CA DA S9")
    hand.play("1 look", "1 raise_to_5", "2 look", "2 call", "0 look", "0 call")
    hand.circles(8).play("1 call")
    assert hand.stakes == (910, 1010, 910)
    assert hand.coins == (-910, -1010, 1920)
    assert (hand.report["reason"], hand.report["opener"]) == ("cap", 1)


def test_E6_three_winners() -> None:
    hand = Position("SJ H9 C4", "SK HQ C9", "HK CQ D9", "CK DQ S9", hands=2)
    hand.play("1 raise_to_5", "2 call", "3 call", "0 look", "0 call").circles(9)
    assert hand.coins == (-1010, 337, 337, 336)
    assert hand.report["winners"] == [1, 2, 3]
    hand.next_hand()
    assert hand.s["banker"] == 1


def test_E7_cap_in_the_way_of_the_next_call() -> None:
    hand = Position("SJ HJ C9", "CJ DJ S9")
    hand.play("1 look", "1 call", "0 look", "0 call", "1 raise_to_5", "0 call").circles(8)
    assert hand.stakes == (930, 930)
    assert hand.coins == (-930, 930)
    assert (hand.report["reason"], hand.report["opener"]) == ("cap", 0)


def test_E8_short_payer() -> None:
    hand = Position("S9 H7 C2", "SA HK CJ", "D4 H4 C4", stacks=(5000, 1015, 5000))
    hand.play("1 look", "1 raise_to_5", "2 look", "2 call", "0 fold").circles(8).play("1 call")
    assert hand.stakes == (10, 1010, 910)
    assert hand.coins == (-30, -1015, 1045)


def test_E9_special_beats_three_aces() -> None:
    hand = Position("SK H9 D4", "S2 H3 C5", "SA HA CA")
    hand.play("1 call", "2 look", "2 raise_to_2", "0 call", "1 compare_1")
    assert hand.seen_by(1) == ["?", "?", "SA HA CA"]
    hand.play("0 fold")
    assert hand.stakes == (30, 40, 50)
    assert hand.coins == (-80, 180, -100)
    assert hand.report["hands"] == [None, "special 2-3-5", None]
    assert sorted(hand.seen_by(0)[1].split()) == ["C5", "H3", "S2"]


def test_E10_special_wins_over_three_kings_too() -> None:
    hand = Position("SK HK CK", "S2 H3 C5", "SA HA CA")
    hand.play("1 raise_to_5", "2 call", "0 look", "0 call").circles(9)
    assert hand.stakes == (1010, 510, 510)
    assert hand.coins == (-1060, 1620, -560)


def test_E11_bounty_of_a_seat_that_never_looked() -> None:
    hand = Position("SK H9 D4", "S6 S7 S8", "SA HA C9")
    hand.play("1 call")
    hand.leave(0)
    hand.play("2 fold")
    assert hand.coins == (-20, 40, -20)
    assert hand.report["cards"] == [None, ["S8", "S7", "S6"], None]


def test_E12_legal_actions() -> None:
    hand = Position("SK HK CK", "S2 H3 C5", "SA HA CA")
    hand.play("1 call", "2 call", "0 raise_to_3", "1 look")
    expected = ["fold", "call", "raise_to_4", "raise_to_5", "compare_1", "compare_2"]
    assert hand.legal == expected
    hand = Position("SK HK CK", "S2 H3 C5", "SA HA CA")
    hand.play("1 call", "2 call", "0 raise_to_3", "1 fold", "2 look")
    assert hand.legal == ["fold", "call", "raise_to_4", "raise_to_5", "open"]
    hand.play("2 open")
    assert hand.stakes[2] == 10 + 10 + 120


# --- Clause by clause --------------------------------------------------------------------------


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_R1_one_deck(seats: int) -> None:
    tables = make_tables("tuolaji", 50, seed=3, seats=seats)
    for table in tables.state:
        assert GAME.census(table) == (1,) * 52
        assert (table["cards"][:seats] >= 0).all()


def test_R2_sitting_out_costs_nothing() -> None:
    hand = Position("SA HA CA", "", "S9 H7 C2", stacks=(5000, 1009, 5000), banker=1)
    assert hand.turn == 2
    hand.play("2 call", "0 open")
    assert hand.coins == (70, 0, -70)
    assert hand.s["cards"][1].tolist() == [NONE] * 3


def test_R2_the_match_ends_when_only_one_can_play() -> None:
    hand = Position(*PLAIN[:2], stacks=(1015, 5000), hands=9)
    hand.play("1 fold")
    assert hand.coins == (10, -10)
    assert not hand.s["over"]
    hand = Position(*PLAIN[:2], stacks=(1015, 5000), hands=9)
    hand.play("1 call", "0 fold")
    assert hand.s["over"]


def test_R2_too_few_can_play_from_the_start() -> None:
    with pytest.raises(OptionError, match="at least two stacks of cap × floor"):
        GAME.options(None, seats=2, stack=(1009, 5000))
    with pytest.raises(OptionError, match="at least two stacks of cap × floor"):
        GAME.options("expert", stack=10_099)


RANKS_TABLE = [
    *((1_010, 10), (10_099, 10), (10_100, 100), (100_999, 100), (101_000, 1_000)),
    *((1_009_999, 1_000), (1_010_000, 10_000), (10_099_999, 10_000)),
    *((10_100_000, 100_000), (10**9, 100_000), (10**15, 100_000)),
]


@pytest.mark.parametrize(("poorest", "b"), RANKS_TABLE)
def test_R3_the_ante_by_the_poorest_stack(poorest: int, b: int) -> None:
    assert ante((10**15, poorest, 10**15)) == b


def test_R3_no_lower_than_the_floor_and_no_higher_without_floating() -> None:
    assert ante((10_100, 10_100), floor=100) == 100
    assert ante((10**7, 10**7), floor=100) == 10_000
    assert ante((10**7, 10**7), floor=100, ante_float=False) == 100
    assert ante((11_000, 10**6), cap=11) == 1_000
    with pytest.raises(OptionError, match="allowed: 10, 100, 1000, 10000, 100000"):
        GAME.options(None, floor=20)


def test_R3_anew_before_each_hand() -> None:
    hand = Position(*PLAIN[:2], stacks=(10_105, 20_000), hands=3)
    assert hand.s["ante"] == 100
    hand.play("1 call", "0 fold")
    hand.next_hand()
    assert hand.s["ante"] == 10


def test_R4_the_first_banker_is_random() -> None:
    tables = make_tables("tuolaji", 3000, seed=1, seats=3, stack=(5000, 100, 5000))
    counts = np.bincount(tables.state["banker"], minlength=3)
    assert counts[1] == 0
    assert abs(counts[0] - 1500) < 120


def test_R4_a_winner_that_cannot_play_is_replaced() -> None:
    hand = Position(*PLAIN[:3], hands=2)
    hand.play("1 call", "2 fold", "0 fold")
    hand.s["away"][1] = 1
    hand.next_hand()
    assert hand.s["banker"] in (0, 2)
    assert hand.s["dealt_in"][:3].tolist() == [1, 0, 1]


def test_R5_three_cards_at_once_from_the_banker_on() -> None:
    table = Table("tuolaji", seats=3).table
    table["banker"] = 1
    table["deck"][0] = np.arange(52)
    deal_from_deck(table[0])
    assert table["cards"][0, :3].tolist() == [[8, 7, 6], [2, 1, 0], [5, 4, 3]]
    assert table["deck"][0, :9].tolist() == [NONE] * 9
    assert table["deck"][0, 9:].tolist() == list(range(9, 52))


def test_R6_order_of_turns() -> None:
    hand = Position(*PLAIN, banker=3)
    hand.play("4 call", "0 fold", "1 call", "2 fold", "3 call", "4 call", "1 call", "3 call")
    assert hand.turn == 4
    assert hand.s["circles"] == 2


def test_R7_single_and_double_price() -> None:
    hand = Position(*PLAIN[:3])
    hand.play("1 raise_to_2", "2 look+call", "0 call", "1 look+call", "2 call")
    assert hand.stakes == (30, 70, 90)
    values, _ = hand.observation(0)
    assert values["allowances"].tolist()[:3] == [98, 94, 92]
    assert values["price"] == 2


def test_R8_look_is_free_and_leaves_the_turn() -> None:
    hand = Position(*PLAIN[:3])
    assert hand.seen_by(1) == ["?", "?", "?"]
    hand.play("1 look")
    assert hand.turn == 1
    assert hand.stakes == (10, 10, 10)
    assert "look" not in hand.legal
    assert hand.seen_by(1) == ["?", "S8 H6 C3", "?"]
    assert hand.seen_by(2) == ["?", "?", "?"]
    assert hand.s["looked"][1]


def test_R8_refused_where_it_would_open_all() -> None:
    hand = low_cap("SJ HJ C9", "CJ DJ S9", cap=21)
    hand.play("1 raise_to_5", "0 call", "1 call", "0 call")
    assert hand.stakes == (110, 110)
    assert hand.legal == ["fold", "call", "look", "open"]  # 100 left: twice 50
    hand = low_cap("SJ HJ C9", "CJ DJ S9", cap=20)
    hand.play("1 raise_to_5", "0 call", "1 call", "0 call")
    assert hand.legal == ["fold", "call"]  # 90 left


def test_R8_look_then_act() -> None:
    hand = Position(*PLAIN[:3])
    hand.play("1 look+raise_to_5")
    assert hand.stakes == (10, 110, 10)
    for text in ("call+look", "look+look", "look+call+call"):
        with pytest.raises(ValueError, match="is no turn"):
            GAME.parse_move(hand.s, text)


def test_R9_the_first_call_is_a_bet() -> None:
    hand = Position(*PLAIN[:3])
    assert hand.legal == ["fold", "call", *RAISES, "look"]
    hand.play("1 call")
    assert hand.stakes == (10, 20, 10)


def test_R10_raises_go_up_only() -> None:
    hand = Position(*PLAIN[:3])
    hand.play("1 raise_to_3")
    assert [name for name in hand.legal if "raise" in name] == ["raise_to_4", "raise_to_5"]
    hand.play("2 look+raise_to_4")
    assert hand.stakes == (10, 40, 90)
    assert [name for name in hand.legal if "raise" in name] == ["raise_to_5"]
    hand.play("0 raise_to_5")
    assert not [name for name in hand.legal if "raise" in name]


@pytest.mark.parametrize(("limit", "count"), [(2, 0), (4, 1), (5, 1), (7, 2), (9, 3), (10, 4)])
def test_R10_turn_limit(limit: int, count: int) -> None:
    hand = Position(*PLAIN[:3], turn_limit=limit)
    assert [name for name in hand.legal if "raise" in name] == RAISES[:count]


def test_R10_refused_above_the_allowance() -> None:
    hand = low_cap(*PLAIN[:2])
    hand.play("1 raise_to_2", "0 call", "1 call", "0 call", "1 call", "0 call")
    assert hand.stakes == (70, 70)  # 40 left each
    assert hand.legal == ["fold", "call", "raise_to_3", "raise_to_4", "look", "open"]
    hand.play("1 look")
    assert hand.legal == ["fold", "call"]


def test_R11_folding_leaves_the_stake() -> None:
    hand = Position(*PLAIN[:3])
    hand.play("1 raise_to_5", "2 fold", "0 fold")
    assert hand.coins == (-10, 20, -10)
    assert hand.s["out"][:3].tolist() == [FOLDED, NONE, FOLDED]


def test_R12_only_after_everybody_has_bet() -> None:
    hand = Position(*PLAIN[:4])
    hand.play("1 call", "2 call", "3 call")
    assert not [name for name in hand.legal if "compare" in name]
    hand.play("0 call")
    assert [n for n in hand.legal if "compare" in n] == ["compare_1", "compare_2", "compare_3"]


def test_R12_a_seat_that_folded_need_not_have_bet() -> None:
    hand = Position(*PLAIN[:4])
    hand.play("1 call", "2 fold", "3 call", "0 raise_to_2")
    assert [name for name in hand.legal if "compare" in name] == ["compare_2", "compare_3"]
    hand.play("1 compare_2")
    assert hand.stakes == (30, 40, 10, 20)


def test_R12_counts_seats_that_are_out() -> None:
    hand = Position(*PLAIN)
    hand.play("1 call", "2 call", "3 call", "4 call", "0 fold", "1 fold")
    assert [name for name in hand.legal if "compare" in name] == ["compare_1", "compare_2"]
    hand.play("2 call", "3 call", "4 compare_3")  # past 0 and 1
    assert hand.s["beaten_by"][:5].tolist() == [NONE, NONE, NONE, NONE, 2]


def test_R12_two_live_seats() -> None:
    for allowed in (False, True):
        hand = Position(*PLAIN[:2], compare_heads_up=allowed)
        hand.play("1 call", "0 call")
        assert ("compare_1" in hand.legal) == allowed
    hand.play("1 compare_1")
    assert hand.coins == (30, -30)
    assert hand.report["reason"] == "one seat left"
    assert hand.report["cards"] == [None, None]
    assert hand.seen_by(1) == ["SK H9 C4", "?"]


@pytest.mark.parametrize(
    ("own", "other", "wins"),
    [
        ("SK HK C7", "CK DK S8", False),
        ("SK HK C8", "CK DK S7", True),
        ("SK HK C8", "CK DK S8", False),  # equal: who began is out
        ("S2 H3 C5", "SA HA CA", True),
        ("SA HA CA", "S2 H3 C5", False),
        ("SA HA CA", "S2 S3 C5", True),
        ("S2 H3 C5", "SK HK CK", False),
        ("S2 H3 C5", "D2 C3 H5", False),
    ],
)
def test_R12_who_is_out(own: str, other: str, wins: bool) -> None:
    hand = Position("DJ D9 H4", own, other)
    hand.play("1 call", "2 call", "0 call", "1 compare_1")
    assert hand.s["live"][:3].tolist() == [1, wins, not wins]
    assert hand.turn == (2 if not wins else 0)


def test_R12_a_blind_seat_stays_blind() -> None:
    hand = Position(*PLAIN[:3])
    hand.play("1 call", "2 call", "0 call", "1 call", "2 compare_1")
    assert not hand.s["looked"][2]
    assert hand.seen_by(2) == ["SK H9 C4", "?", "?"]
    hand.play("1 call", "2 call")
    assert hand.stakes == (20, 40, 40)


def test_R13_opening_at_once() -> None:
    hand = Position(*PLAIN[:2])
    hand.play("1 open")
    assert hand.stakes == (10, 30)
    assert hand.coins == (30, -30)


def test_R13_only_with_two_live_seats_and_within_the_allowance() -> None:
    hand = Position(*PLAIN[:3])
    assert "open" not in hand.legal
    hand.play("1 fold")
    assert "open" in hand.legal
    hand = low_cap(*PLAIN[:2])
    hand.play("1 raise_to_5")  # 50 blind; 0 may pay 100
    assert "open" in hand.legal
    hand.play("0 look+call")
    assert hand.report["reason"] == "cap"


def test_R13_beyond_ten_antes() -> None:
    hand = Position(*PLAIN[:2])
    hand.play("1 raise_to_5", "0 look+open")
    assert hand.stakes == (210, 60)
    assert hand.coins == (60, -60)


def test_R14_cap_reached_by_a_compare() -> None:
    hand = low_cap("SK HK C7", "SA HJ C5", "CJ DJ S8")
    hand.play("1 look", "1 raise_to_2", "2 look+call", "0 look+call", "1 call", "2 call")
    assert hand.stakes == (50, 90, 90)
    hand.play("0 raise_to_3")
    assert hand.coins == (180, -90, -90)
    assert (hand.report["reason"], hand.report["opener"]) == ("cap", 0)
    hand = low_cap("SK HK C7", "SA HJ C5", "CJ DJ S8")
    hand.play("1 raise_to_5", "2 call", "0 call", "1 compare_1")  # 1 is beaten with 110 in
    assert hand.stakes == (60, 110, 60)
    assert hand.turn == 2
    hand.play("2 call")
    assert hand.report["opener"] == 2
    hand = low_cap("SK HK C7", "CJ DJ S8", "SA HJ C5")
    hand.play("1 raise_to_5", "2 call", "0 call", "1 compare_1")  # 1 beats 2 with 110 in
    assert hand.report["reason"] == "cap"
    assert hand.report["winners"] == [0]
    assert hand.report["opener"] == 1
    assert hand.seen_by(2)[2] == "?"


def test_R14_the_opener_is_who_acted_last_if_live() -> None:
    equal = ("SJ HJ C9", "CJ DJ S9", "S8 H7 C2")
    hand = low_cap(*equal, cap=12)
    hand.play("1 look+raise_to_2", "2 look+call", "0 look+raise_to_3", "1 call", "2 fold")
    assert hand.stakes == (70, 110, 50)
    assert hand.report["opener"] is None  # who acted last has folded
    assert hand.coins == (45, 5, -50)


def test_R14_a_leave_is_no_act() -> None:
    hand = low_cap("SJ HJ C9", "CJ DJ S9", "S8 H7 C2", cap=12)
    hand.play("1 look+raise_to_2", "2 look+call", "0 look+raise_to_3", "1 call")
    assert hand.turn == 2
    hand.leave(2)
    assert (hand.report["reason"], hand.report["opener"]) == ("cap", 1)
    assert hand.coins == (160, -110, -50)


def test_R14_who_acted_last_has_left() -> None:
    hand = low_cap("SJ HJ C9", "CJ DJ S9", "S8 H7 C2", "SQ H5 C3", cap=12)
    hand.play("1 look+raise_to_2", "2 look+call", "3 call", "0 look+raise_to_3", "1 call")
    hand.play("2 call")
    hand.leave(2)
    assert hand.turn == 3
    hand.leave(3)
    assert (hand.report["reason"], hand.report["opener"]) == ("cap", None)
    assert hand.coins == (90, 50, -110, -30)


def test_R14_nobody_pays_more_than_the_cap() -> None:
    tables = make_tables("tuolaji", 200, seed=2, seats=4, cap=13)
    for _ in range(100):
        tables.step(tables.sample())
        assert (tables.state["stake"].max(axis=1) <= 13 * tables.state["ante"]).all()


def test_R15_nothing_is_shown() -> None:
    hand = Position("SK HK C7", "SA DK CQ", "S9 H5 C2")
    hand.play("1 look+call", "2 fold", "0 fold")
    assert hand.report["reason"] == "one seat left"
    assert hand.report["hands"] == [None, None, None]
    assert hand.coins == (-10, 20, -10)


def test_R16_two_equal_hands_and_no_opener_among_them() -> None:
    hand = low_cap("SK HQ C9", "S8 H7 C2", "HK CQ D9")
    hand.play("1 raise_to_5", "2 call", "0 call", "1 call")
    assert hand.stakes == (60, 110, 60)
    assert hand.coins == (55, -110, 55)


def test_R16_leftover_coins_from_the_seat_after_the_banker() -> None:
    hand = low_cap("SK HQ C9", "S8 H7 C2", "HK CQ D9", "CK DQ S9", banker=1)
    hand.play("2 raise_to_5", "3 call", "0 call", "1 look+call")
    assert hand.report["winners"] == [2, 3, 0]
    assert hand.coins == (36, -110, 37, 37)  # 290 among three


RANKING = [
    *("SA HA CA", "SK HK CK", "S2 H2 C2"),
    *("SA SK SQ", "DK DQ DJ", "H4 H3 H2"),
    *("SA SK SJ", "DA D4 D2", "SA S3 S2", "HK HQ H10", "C5 C3 C2"),
    *("SA HK CQ", "DK HQ CJ", "S4 H3 C2"),
    *("SA HA CK", "DA CA D2", "SK HK CA", "D2 C2 SA", "S2 H2 C3"),
    *("SA HK CJ", "DA HJ C10", "SA H4 C2", "SA H3 C2", "SK HQ C10", "S5 H4 C2", "S5 S3 C2"),
]


def strength_in_game(cards: str) -> int:
    table = make_tables("tuolaji", 1, seats=2).state
    table["cards"][0, 0] = parse_cards(cards)
    return int(strength(table[0], 0))


def test_R17_R18_R19_ranking() -> None:
    strengths = [strength_in_game(cards) for cards in RANKING]
    assert strengths == sorted(set(strengths), reverse=True)


def test_R17_suits_never_count() -> None:
    assert strength_in_game("SA HK CJ") == strength_in_game("DA CK HJ")
    assert strength_in_game("SA SK SJ") == strength_in_game("DA DK DJ")


def test_R18_ace_two_three_is_no_run() -> None:
    assert strength_in_game("SA H3 C2") < strength_in_game("S2 H2 C3")
    assert strength_in_game("SA S3 S2") < strength_in_game("SA S4 S2")


def test_R19_same_ranks_are_equal() -> None:
    assert strength_in_game("SA HA CK") == strength_in_game("DA CA SK")


@pytest.mark.parametrize(
    ("cards", "distinct_wins", "loose_wins"),
    [
        ("S2 H3 C5", True, True),
        ("S2 H3 S5", False, True),
        ("S2 S3 S5", False, False),
    ],
)
def test_R20_what_is_special(cards: str, distinct_wins: bool, loose_wins: bool) -> None:
    for distinct, wins in ((True, distinct_wins), (False, loose_wins)):
        hand = Position("SA HA CA", cards, special_distinct=distinct)
        assert beats(hand.s, 1, 0) == wins
        assert beats(hand.s, 0, 1) != wins


def test_R20_special_is_a_plain_high_card_else() -> None:
    hand = Position("SK HK CK", "S2 H3 C5", "D4 D3 C2", "H5 D2 C3")
    assert not beats(hand.s, 1, 0)
    assert not beats(hand.s, 1, 2)
    assert not beats(hand.s, 1, 3)
    assert not beats(hand.s, 3, 1)


def test_R20_two_specials_beside_three_aces() -> None:
    hand = low_cap("S2 H3 C5", "H2 C3 D5", "SA HA CA", "SK HK CK")
    hand.play("1 raise_to_5", "2 call", "3 call", "0 call", "1 call")
    assert hand.stakes == (60, 110, 60, 60)
    assert hand.report["winners"] == [0]  # seat 1 is the opener
    assert hand.coins == (60 + 170 + 150, -160, -110, -110)
    hand = low_cap("S2 H3 C5", "H2 C3 D5", "SA HA CA", "SK HK CK")
    hand.play("1 raise_to_5", "2 call", "3 call", "0 call", "1 fold", "2 call")
    assert hand.report["opener"] == 2
    assert hand.report["winners"] == [0]
    hand = low_cap("S2 H3 C5", "SA HA CA", "SK HK CK", "H2 C3 D5")
    hand.play("1 raise_to_5", "2 call", "3 call", "0 call", "1 call")
    assert hand.report["winners"] == [3, 0]
    assert hand.coins == (135, -160, -110, 135)


@pytest.mark.parametrize(
    ("cards", "antes"),
    [("SA HA CA", 5), ("S2 H2 C2", 2), ("S4 S3 S2", 1), ("SA SK SJ", 0), ("SA S3 S2", 0)],
)
def test_R21_bounty(cards: str, antes: int) -> None:
    hand = Position("S9 H7 C3", cards, "SQ H10 C5")
    hand.play("1 call", "2 fold", "0 fold")
    paid = 10 * antes
    assert hand.coins == (-10 - paid, 20 + 2 * paid, -10 - paid)
    assert (hand.report["cards"][1] is not None) == (antes > 0)
    assert hand.report["bounty"] == paid


def test_R21_bounty_of_several_winners() -> None:
    hand = low_cap("SK SQ SJ", "S8 H7 C2", "HK HQ HJ", "C9 D7 D2")
    hand.play("1 raise_to_5", "2 call", "3 fold", "0 call", "1 call")
    assert hand.stakes == (60, 110, 60, 10)
    assert hand.coins == (60 + 10, -120, 60 + 10, -20)


def test_R21_owed_by_beaten_and_gone_seats() -> None:
    hand = Position("S9 H7 C3", "S4 S3 S2", "SQ H10 C5", "CK DJ D6")
    hand.play("1 call", "2 call", "3 call", "0 call", "1 compare_1")
    hand.leave(3)
    assert hand.s["out"][:4].tolist() == [NONE, NONE, BEATEN, GONE]
    hand.play("0 fold")
    assert hand.coins == (-30, 90, -30, -30)


def test_R22_special_without_three_aces_collects_nothing() -> None:
    hand = Position("S9 H7 C4", "S2 H3 C5", "SQ H10 C6")
    hand.play("1 call", "2 fold", "0 fold")
    assert hand.coins == (-10, 20, -10)


def test_R22_special_that_beat_three_aces_but_lost() -> None:
    hand = Position("SK H9 D4", "S2 H3 C5", "SA HA CA")
    hand.play("1 call", "2 call", "0 call", "1 compare_1", "0 open")
    assert hand.coins == (20 + 30 + 0, -30, -20)
    assert hand.report["bounty"] == 0


def test_R22_three_aces_that_began_the_compare() -> None:
    hand = Position("SK H9 D4", "S2 H3 C5", "SA HA CA")
    hand.play("1 call", "2 call", "0 call", "1 call", "2 compare_2")
    assert hand.s["beaten_by"][2] == 1
    hand.play("0 fold")
    assert hand.coins == (-20 - 50, 20 + 30 + 100, -30 - 50)


def test_R22_three_aces_folded_before() -> None:
    hand = Position("SK H9 D4", "S2 H3 C5", "SA HA CA")
    hand.play("1 call", "2 fold", "0 fold")
    assert hand.report["bounty"] == 0


@pytest.mark.parametrize("other", ["H2 C3 D5", "S2 H3 S5"])  # as special, and plain
def test_R22_where_equal_hands_share_those_collect_that_beat_three_aces(other: str) -> None:
    for banker, winners in ((0, [3, 0]), (3, [0, 3])):
        hand = low_cap("D2 S3 C5", "SA HA CA", "C2 D3 H5", other, banker=banker)
        hand.play(*([] if banker == 0 else ["0 call"]), "1 call", "2 call", "3 call")
        hand.play("0 call", "1 compare_3", "2 call", "3 raise_to_5", "0 call", "2 call")
        assert (hand.report["winners"], hand.report["opener"]) == (winners, 2)
        assert hand.report["bounty"] == 50
        pot = sum(hand.stakes)
        assert hand.coins[0] == pot // 2 - hand.stakes[0] + 100  # whoever comes first
        assert hand.coins[3] == pot // 2 - hand.stakes[3]  # neither collects nor owes
        assert hand.coins[1:3] == (-hand.stakes[1] - 50, -hand.stakes[2] - 50)
        aces = hand.redealt(3, 50)["cards"][:, 1] // 4
        assert (aces == 12).all()  # the bounty told


def test_R22_odd_coins_of_a_bounty_go_as_those_of_the_pot() -> None:
    stacks = (5000, 5000, 115, 5000)
    hand = low_cap("D2 S3 C5", "SA HA CA", "SK HK CK", "H2 C3 D5", stacks=stacks)
    hand.play("1 call", "2 raise_to_5", "3 call", "0 call", "1 call", "2 call")
    assert (hand.report["winners"], hand.report["opener"]) == ([3, 0], 2)
    assert hand.stakes == (60, 70, 110, 60)
    assert hand.coins == (90 + 27, -120, -115, 90 + 28)  # 50 + 5 in two


def test_R23_no_rake() -> None:
    tables = make_tables("tuolaji", 100, seed=2, hands=5)
    for _ in range(100):
        tables.step(tables.sample())
        assert not tables.house.any()


def test_R24_leaving_in_turn_passes_it_on() -> None:
    hand = Position(*PLAIN[:3], hands=2)
    hand.play("1 call", "2 look")
    hand.leave(2)
    assert hand.turn == 0
    hand.play("0 call")
    hand.leave(1)
    assert hand.coins == (30, -20, -10)
    assert hand.report["gone"] == [1, 2]
    assert hand.s["over"]  # only one seat is left


def test_R24_leaving_after_folding() -> None:
    hand = Position(*PLAIN[:3], hands=2)
    hand.play("1 fold")
    hand.leave(1)
    assert hand.turn == 2
    assert hand.s["out"][1] == FOLDED
    hand.play("2 call", "0 fold")
    hand.next_hand()
    assert hand.s["dealt_in"][:3].tolist() == [1, 0, 1]


def test_R24_no_answer_is_a_fold() -> None:
    hand = Position(*PLAIN[:3])
    assert GAME.default(hand.s) == GAME.parse("fold")


# --- Options, actions, words -------------------------------------------------------------------


def test_presets() -> None:
    assert GAME.options("free")["stack"] == (5000,) * 5
    assert GAME.options("expert")["floor"] == 100
    assert GAME.max_plies(GAME.options("free")) == 510


@pytest.mark.parametrize("seats", [2, 5])
def test_calling_blind_to_the_cap(seats: int) -> None:
    """All-blind calling lasts exactly 99·seats + 1 plies."""
    hand = Position(*PLAIN[:seats])
    plies = 0
    while not hand.s["ended"]:
        hand.play(f"{hand.turn} call")
        plies += 1
    assert plies == 99 * seats + 1
    assert hand.report["reason"] == "cap"


def test_there_are_12_actions() -> None:
    assert load_game("tuolaji").actions.width == 12
    assert GAME.actions.names == [
        *("fold", "call", *RAISES, "look", "open"),
        *(f"compare_{k}" for k in range(1, 5)),
    ]


def test_the_scene_names_cards_and_coins() -> None:
    hand = Position(*PLAIN[:3])
    hand.play("1 look+raise_to_3", "2 call")
    scene = GAME.scene(hand.view(1)[0], 1)
    zones = {zone.owner: (zone.items, zone.note) for zone in scene.zones}
    assert zones[1] == (("S8", "H6", "C3"), "high card")
    assert zones[0] == (("??", "??", "??"), "")
    assert [(p.role, p.stack, p.bet) for p in scene.places] == [
        *(("live", 4990, 10), ("live", 4930, 70), ("live", 4960, 40)),
    ]
    assert scene.places[0].note == "blind, banker"
    assert scene.places[1].note == "looked, raise_to_3"
    assert scene.moves == ("1: raise_to_3", "2: call")
    assert {"pot 120", "unit 30", "price 30"} <= set(scene.facts)


# --- Tables and views from outside -----------------------------------------------------------


def test_the_unit_of_a_table_is_its_ante() -> None:
    """However high it floats, and anew in each hand."""
    hand = Position(*PLAIN[:3], stacks=(101_000, 200_000, 200_000), hands=2)
    assert GAME.unit(hand.s) == 1000
    values, _ = hand.observation(1)
    assert values["stakes"][:3].tolist() == [1, 1, 1]
    hand.play("1 call", "2 call", "0 fold").play("1 fold")
    hand.next_hand()
    assert GAME.unit(hand.table).tolist() == [100]
    assert hand.observation(1)[0]["stakes"][:3].tolist() == [1, 1, 1]


def compared() -> Position:
    """Four hands after compares: 0 has lost to 1, and 2 to 1; 0 has looked."""
    hand = Position("SA HA D2", "SK HK CK", "SQ HQ CQ", "S8 H6 C3")
    hand.play("1 call", "2 call", "3 call", "0 look+call", "1 call", "2 call", "3 call")
    hand.play("0 compare_1", "1 call", "2 compare_3")
    return hand


@pytest.mark.parametrize(
    ("field", "place", "value", "sentence"),
    [
        ("beaten_by", 3, 0, r"beaten_by\[3\] is 0, but out says that the seat is not beaten"),
        ("beaten_by", 0, 3, r"beaten_by\[0\] is 3, whose hand did not win|cards is .* would see"),
        ("beaten_in", 0, 2, r"beaten_in\[0\] is 2: expected 0 or 1"),
        ("looked", 1, 1, r"look_unit\[1\] is 0: expected 10…10"),
        ("unit", (), 15, "unit is 15: expected 1…5 antes of 10"),
        ("unit", (), 20, "raises come to 0, and unit to 2 antes"),
        ("ante", (), 100, "ante is 100: expected 10"),
        ("stack", 0, 1009, r"dealt_in\[0\] is 1: expected 0"),
        ("stake", 3, 60, r"stake\[3\] is 60: expected 30…30"),
        ("blind_bets", 3, 3, "log_count is 10: expected 11"),
        ("look_unit", 0, 0, r"look_unit\[0\] is 0: expected 10…10"),
        ("log_action", 0, 0, "log_action has 2 bets of seat 1, which has made 3"),
        ("bounty", 1, 2, r"bounty\[1\] is 2: expected 0"),
        ("won", 1, 1, r"won\[1\] is 1: expected 0"),
        ("over", (), 1, "over is 1: expected 0"),
    ],
)
def test_what_cannot_be_is_named(field: str, place: Any, value: int, sentence: str) -> None:
    for seat in (None, 0):
        record = (compared().table if seat is None else compared().view(0)).copy()
        check(GAME, record[0], seat)
        record[field][(0, *np.atleast_1d(place).astype(int))] = value
        with pytest.raises(ValueError, match=sentence):
            check(GAME, record[0], seat)


def test_seats_that_beat_each_other_in_a_circle_are_refused() -> None:
    hand = Position(*PLAIN)
    hand.play("1 call", "2 call", "3 call", "4 call", "0 call", "1 compare_1")
    view, (lost, won) = hand.view(0), (1, 2)
    assert hand.s["beaten_by"].tolist() == [NONE, 2, NONE, NONE, NONE]
    view["beaten_by"][0, won], view["beaten_in"][0, won] = lost, won
    view["out"][0, won], view["live"][0, won], view["turn"] = BEATEN, 0, 3
    with pytest.raises(ValueError, match="beaten each other in a circle"):
        check(GAME, view[0], 0)


def test_a_view_that_no_hidden_cards_fit_is_refused() -> None:
    """Nothing beats three kings, where two aces are seen: whoever did can't be dealt a hand."""
    view = compared().view(0)
    for field, one, two in (
        ("beaten_by", 2, NONE),
        ("beaten_in", 2, NONE),
        ("out", BEATEN, NONE),
        ("live", 0, 1),
    ):
        view[field][0, 1:3] = one, two
    before = view.copy()
    with pytest.raises(ValueError, match="deck, cards: nothing is hidden there from seat 0"):
        check(GAME, view[0], 0)
    assert view == before


def test_a_view_is_that_of_its_seat() -> None:
    hand = compared()
    for seat in (1, 2, 3):
        with pytest.raises(ValueError, match=f"cards is .* seat {seat} would see"):
            check(GAME, hand.view(0)[0], seat)


# --- What a seat observes ----------------------------------------------------------------------


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


def test_the_observation_of_a_compare() -> None:
    hand = Position(*PLAIN[:3])
    hand.play("1 call", "2 look+raise_to_2", "0 call", "1 compare_1", "2 call")
    values, known = hand.observation(0)
    assert values["beat"].tolist()[2][1] == [1, 0]  # 2 beat 1, who had begun it
    assert values["beat"].sum() == 1
    assert not known["cards"][:3].any()
    values, known = hand.observation(1)
    assert known["cards"].all(axis=(1, 2)).tolist() == [False, True, False, True, True]
    values, known = hand.observation(2)
    assert known["cards"].all(axis=(1, 2)).tolist() == [True, False, True, True, True]
    assert values["status"][:3].tolist() == [
        *([1, 1, 0, 0, 0, 1], [1, 1, 0, 0, 0, 0], [1, 0, 0, 1, 0, 0]),
    ]
    assert values["bets"][:3].tolist() == [[0, 2], [1, 0], [2, 0]]
    assert values["raises"][:3].tolist() == [1, 0, 0]
    assert values["look_unit"][:3].tolist() == [1, 0, 0]
    assert values["unit"] == 2
    assert values["pot"] == 3 + 2 + 4 + 4 + 3
    names = GAME.actions.names
    log = [(int(row[:5].argmax()), names[row[5:].argmax()]) for row in values["log"][:5]]
    assert log == [
        *((0, "call"), (2, "compare_1"), (1, "call"), (0, "raise_to_2"), (2, "call")),
    ]
