"""Blackjack, clause by clause: positions in card names, coins worked out by hand."""

from __future__ import annotations

import json
from collections import Counter
from itertools import permutations, product
from typing import Any

import numpy as np
import pytest

from qipai.envs import OptionError, make_tables
from qipai.envs.blackjack import (
    BIT,
    CARDS,
    GAME,
    NO_CARD,
    VALUE,
    best,
    open_betting,
    ways,
)
from qipai.envs.checking import check
from qipai.envs.kernel import addressable
from qipai.envs.layout import HIDDEN, NONE
from qipai.envs.match import engine
from qipai.envs.parts.bank import LEVELS, level_amount
from tests.blackjack_positions import Position
from tests.table import ONE, parse_cards


def total_of(cards: str) -> int:
    values = [int(VALUE[card]) for card in parse_cards(cards)]
    return int(best(sum(values), 1 in values))


# --- The worked examples -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("bank", "player", "draws", "coins"),
    [
        ("S7 H7 D7", "SA HK", [], 10),
        ("SA HK", "S7 H7 D7", ["hit"], -10),
        ("DA CQ", "SA HK", [], 0),
    ],
)
def test_E1_naturals(bank: str, player: str, draws: list[str], coins: int) -> None:
    hand = Position(bank, player, bets=(10,))
    hand.play(*draws, "stand")
    if bank == "S7 H7 D7":
        hand.play("hit")
    assert hand.coins == (-coins, coins, 0)


def test_E2_a_whole_hand() -> None:
    hand = Position("H10 D6 C4", "SA SK", "S9 H2 C10", "CJ D8 H6", bets=(20, 50, 30))
    hand.play("stand", "double")
    assert hand.turn == 3
    hand.play("hit")
    assert hand.turn == 0
    hand.play("hit", "stand")
    assert hand.coins == (-90, 20, 100, -30, 0)


def test_E3_the_bust_came_first() -> None:
    hand = Position("H10 D6 C9", "S10 S5 D7", "S9 H3", bets=(40, 20))
    hand.play("double", "stand", "hit")
    assert hand.coins == (60, -80, 20, 0)


@pytest.mark.parametrize(("bank", "coins"), [("HA DK", (60, -60)), ("H7 D7 C7", (30, -30))])
def test_E4_split_aces(bank: str, coins: tuple[int, int]) -> None:
    hand = Position(bank, "SA CA S10 C9", bets=(30,))
    hand.play("split", "stand", "stand")
    if bank == "H7 D7 C7":
        hand.play("hit")
    assert hand.coins == (*coins, 0)


def leavers(*seats: int) -> Position:
    """E5–E7: who leaves before seat 1 has done anything; seat 2 and the banker stand."""
    hand = Position("H10 D8", "S10 S9", "C10 C7", bets=(30, 20))
    for seat in seats:
        hand.leave(seat)
    while not hand.s["ended"]:
        hand.play("stand")
    return hand


def test_E5_a_player_left() -> None:
    assert leavers(1).coins == (-10, -60, -20, 90)


def test_E6_the_banker_left() -> None:
    assert leavers(0).coins == (-100, 30, -20, 90)


def test_E7_both_left() -> None:
    assert leavers(0, 1).coins == (-100, -60, -20, 180)
    assert leavers(1, 0).coins == (-100, -60, -20, 180)


def test_E8_leaving_before_the_deal() -> None:
    hand = Position("H10 D8", "S10 S9", "C10 C7", "C5 C6", bets=(30,))
    hand.leave(2)
    assert not hand.s["ended"]
    assert hand.turn == 3
    hand.play("bet 1", "stand", "stand", "stand")
    assert hand.coins == (10 - 30, 30, -10, -10, 10)
    hand = Position("H10 D8", "S10 S9", "C10 C7", "C5 C6", bets=(30, 20))
    hand.leave(0)
    assert hand.coins == (-50, 0, 0, 0, 50)
    assert hand.report["reason"] == "void"


E9 = [
    ("SJ DK", {}, "", "hit stand double split"),
    ("SJ DK", {"split_by": "rank"}, "", "hit stand double"),
    ("SA DK", {}, "", "stand"),
    ("S5 D6 C10", {}, "hit", "stand"),
    ("S2 D3 C4", {}, "hit", "hit stand double"),
    ("S2 D3 C4", {"double_late": False}, "hit", "hit stand"),
    ("SA DA", {}, "", "hit stand double split"),
    ("SA HA D4 C9", {}, "split", "hit stand"),
]


@pytest.mark.parametrize(("cards", "options", "played", "legal"), E9)
def test_E9_legal_actions(cards: str, options: dict[str, Any], played: str, legal: str) -> None:
    hand = Position("S9 D9", cards, bets=(10,), **options)
    hand.play(*played.split())
    assert (hand.turn, hand.legal) == (1, legal)


def test_E9_the_banker_hits_or_stands() -> None:
    hand = Position("S9 D9", "C10 C9", bets=(10,))
    hand.play("stand")
    assert (hand.turn, hand.legal) == (0, "hit stand")


@pytest.mark.parametrize(
    ("high", "amounts", "legal"),
    [
        (50, [10, 20, 30, 40, 50], "bet 1 bet 2 bet 3 bet 4 bet 5"),
        (25, [10, 13, 17, 21, 25], "bet 1 bet 2 bet 3 bet 4 bet 5"),
        (12, [10, 10, 11, 11, 12], "bet 1 bet 3 bet 5"),
    ],
)
def test_E10_levels(high: int, amounts: list[int], legal: str) -> None:
    hand = Position("S9 D9", "C10 C9", max_bet=high)
    assert [level_amount(10, high, k) for k in range(LEVELS)] == amounts
    assert hand.legal == legal


@pytest.mark.parametrize(
    ("coins", "legal"), [(75, "bet 1 bet 2 bet 3"), (100, "bet 1 bet 2 bet 3 bet 4 bet 5")]
)
def test_E10_levels_the_coins_cover(coins: int, legal: str) -> None:
    hand = Position("S9 D9", "C10 C9", "C8 C7", stacks=(1000, coins, 19))
    assert (hand.turn, hand.legal) == (1, legal)
    assert hand.s["joined"].tolist() == [1, 1, 0, 0, 0]


def test_E10_coins_to_bank() -> None:
    make_tables("blackjack", 1, stack=(300, 299, 299, 299))
    with pytest.raises(OptionError, match="lets nobody play"):
        make_tables("blackjack", 1, stack=299)
    make_tables("blackjack", 1, stack=(19, 200, 199, 199))


def test_E11_what_the_first_card_can_be() -> None:
    hand = Position("S9 D9", "C3 S10 D5 C2", bets=(10,))
    hand.play("hit")
    assert hand.possible(1) == [2, 3, 4, 5, 6]
    hand.play("stand")
    assert hand.possible(1) == [2, 3, 4, 5, 6]
    hand = Position("S9 D9", "C3 DA D4 C2", bets=(10,))
    hand.play("hit")
    assert hand.possible(1) == [1, 2, 3, 4, 5, 6, 7, 8, 9]


def test_E11_what_the_house_shows_by_its_play() -> None:
    hand = Position("S9 D9", "C8 S6 D3", "C5 C4", bets=(10, 10))
    hand.leave(1)
    assert hand.turn == 2
    assert hand.possible(1) == [8, 9, 10]


@pytest.mark.parametrize(
    ("cards", "total"),
    [
        ("SA HA", 12),
        ("SA HA S10", 12),
        ("SA HA CA D6", 19),
        ("SA HA CA DA S7", 21),
        ("SK S3 SA", 14),
        ("S5 SA HA H5", 12),
    ],
)
def test_E12_totals(cards: str, total: int) -> None:
    assert total_of(cards) == total


# --- Table and bets ----------------------------------------------------------------------------


def test_R1_one_deck_shuffled_afresh() -> None:
    tables = make_tables("blackjack", 50, seed=2, hands=4)
    decks = {tables.state["deck"].tobytes()}
    for _ in range(60):
        tables.step(tables.sample())
        assert GAME.census(tables.state[0]) == (1,) * 52
        decks.add(tables.state["deck"].tobytes())
    assert len(decks) > 50


def test_R2_who_is_in() -> None:
    hand = Position("S9 D9 SK", "", "C10 C9", stacks=(1000, 19, 20), hands=2)
    assert hand.s["joined"].tolist() == [1, 0, 1, 0, 0]
    assert hand.turn == 2  # 20 coins leave seat 2 no choice: its bet is skipped
    assert hand.legal == "hit stand double"
    hand.play("stand", "hit")
    assert hand.coins == (-10, 0, 10, 0)


def test_R3_the_first_banker_is_drawn_among_those_who_may() -> None:
    tables = make_tables("blackjack", 400, seed=3, stack=(300, 100, 299, 500))
    assert np.bincount(tables.state["banker"], minlength=4).tolist()[1:3] == [0, 0]
    assert 150 < (tables.state["banker"] == 0).sum() < 250


def test_R3_the_bank_moves_to_the_next_who_may() -> None:
    hand = Position("C5 D9", "C10 C9", "C8 C7", bets=(10, 10), stacks=(999, 150, 1000), hands=5)
    hand.play("stand", "stand", "stand")
    hand.next_hand()
    assert hand.s["banker"] == 2  # seat 1 has 160 of 200
    hand.leave(2)
    assert hand.s["ended"]
    hand.next_hand()
    assert hand.s["banker"] == 0
    hand.leave(1)
    assert hand.s["ended"] and hand.s["over"]  # one seat is left


def test_R3_the_match_ends_when_nobody_may_bank() -> None:
    stacks = (200, 100, 100)
    hand = Position("S9 D9", "S10 C10", "S8 CK", bets=(20, 10), stacks=stacks, hands=9)
    hand.play("stand", "stand", "stand")
    assert hand.coins == (-20, 20, 0, 0)
    assert hand.s["over"]


def test_R3_the_match_ends_after_its_hands() -> None:
    tables = make_tables("blackjack", 20, seed=4, hands=3)
    for _ in range(300):
        assert (tables.state["hand"] < 3).all()
        tables.step(tables.sample())


def test_R4_bets_are_concealed_until_the_last_is_in() -> None:
    hand = Position("S9 D9", "C10 C9", "C8 C7", "C6 C5", bets=(20, 50))
    assert hand.seen_bets(1) == [NONE, 20, HIDDEN, NONE]
    assert hand.seen_bets(2) == [NONE, HIDDEN, 50, NONE]
    assert hand.seen_bets(0) == hand.seen_bets(3) == [NONE, HIDDEN, HIDDEN, NONE]
    values, known = hand.observation(3)
    assert values["seats"][:, 5].tolist() == [0, 0, 1, 1, 0]
    assert known["seats"][:, 4].tolist() == [True, True, False, False, True]
    hand.play("bet 1")
    for seat in range(4):
        assert hand.seen_bets(seat) == [NONE, 20, 50, 10]


def test_R4_bad_options() -> None:
    with pytest.raises(OptionError, match="max_bet=9 is below min_bet=10"):
        make_tables("blackjack", 1, max_bet=9)
    with pytest.raises(OptionError, match="lets nobody play"):
        make_tables("blackjack", 1, seats=2, stack=(1000, 19))


def test_R5_order_of_the_deck_and_what_shows() -> None:
    hand = Position("S9 D9", "C10 C9", "C8 C7", banker=1, bets=(10, 10))
    order = "C8 S9 C10 C7 D9 C9"  # seats 2 0 1, twice
    tables = make_tables("blackjack", 1, seed=1, seats=3)
    tables.state["banker"] = 1
    tables.state["deck"][0] = parse_cards(order) + [
        c for c in range(CARDS) if c not in parse_cards(order)
    ]
    open_betting(tables.state[0])
    first = addressable(tables.state)
    for _ in range(2):
        engine(GAME).play_tables(first, ONE, ONE, np.zeros((1, 4), np.int64))
    for seat in range(3):
        assert (tables.state["cards"][0, seat] == hand.s["cards"][seat]).all()
    assert hand.turn == 2
    assert [hand.seen(2, p) for p in range(3)] == ["? D9", "? C9", "C8 C7"]
    hand.play("hit")
    assert hand.seen(0, 2).startswith("? C7 ")


# --- Counting ----------------------------------------------------------------------------------


def test_R6_one_ace_counts_eleven_at_most() -> None:
    for aces in range(1, 5):
        assert best(aces, True) == 10 + aces
    assert [total_of(c) for c in ("S2 SJ", "SQ HK", "SA S9", "SA S9 H2", "SA SK HK")] == [
        *(12, 20, 20, 12, 21),
    ]


def test_R7_a_natural_beats_every_other_21() -> None:
    hand = Position("S5 S6 D10", "SA SK", "DA D5 C5", "C10 C9 H2", bets=(10, 20, 30))
    hand.play("stand", "hit", "stand", "hit", "stand", "hit")
    assert hand.coins == (-10, 10, 0, 0, 0)


def test_R7_not_after_a_split() -> None:
    hand = Position("S7 D7 C7", "SA CA SK CQ", bets=(30,))
    hand.play("split", "stand", "stand", "hit")
    assert hand.coins == (0, 0, 0)


# --- Play --------------------------------------------------------------------------------------


def test_R8_each_finishes_before_the_next_begins() -> None:
    hand = Position("S9 D9", "C2 C3 C4 C5", "C8 C7", banker=0, bets=(10, 10))
    hand.play("hit", "hit")
    assert hand.turn == 1
    hand.play("stand")
    assert hand.turn == 2


def test_R8_a_bust_has_lost_even_against_a_bust() -> None:
    hand = Position("S9 D6 CJ", "C10 C6 SK", "C8 C7", bets=(10, 20))
    hand.play("hit")
    assert hand.turn == 2
    hand.play("stand", "hit")
    assert hand.coins == (-10, -10, 20, 0)


def test_R9_a_lone_stand_at_21_is_asked() -> None:
    """Passing it over would tell the table that the hidden card makes 21."""
    hand = Position("S9 D9", "SA SK", bets=(10,))
    assert (hand.turn, hand.legal) == (1, "stand")
    assert hand.possible(1) == list(range(1, 11))
    hand.play("stand")
    assert hand.possible(1) == list(range(1, 11))


def test_R10_one_card_and_the_hand_ends() -> None:
    hand = Position("S9 D9", "C2 C3 C4", bets=(20,))
    hand.play("double")
    assert hand.turn == 0
    hand.play("stand")
    assert hand.coins == (40, -40, 0)


def test_R10_a_late_double() -> None:
    hand = Position("S9 D9", "C2 C3 C4 CK", bets=(50,))
    hand.play("hit", "double", "stand")
    assert hand.coins == (-100, 100, 0)


def test_R11_a_split_pays_each_hand() -> None:
    hand = Position("S9 D9", "C8 S8 C3 S2 C10 S10 S5", bets=(50,))
    hand.play("split")
    assert [hand.seen(0, 1, h) for h in range(2)] == ["C8 C3", "S8 S2"]
    hand.play("hit")  # 21
    assert hand.legal == "stand"
    hand.play("stand", "hit")
    assert hand.s["active"] == 1
    assert hand.legal == "hit stand"  # 20
    hand.play("hit")
    assert hand.turn == 0
    hand.play("stand")
    assert hand.coins == (0, 0, 0)
    assert hand.report["results"] == [None, ["won", "lost"]]


def test_R11_no_second_split_and_first_action_only() -> None:
    hand = Position("S9 D9", "C8 S8 D8 H8", bets=(50,))
    hand.play("split")
    assert hand.legal == "hit stand"
    hand = Position("S9 D9", "C4 S4 D2", bets=(50,))
    hand.play("hit")
    assert hand.legal == "hit stand double"


def test_R11_the_second_hand_is_played_after_a_bust_of_the_first() -> None:
    hand = Position("S9 D9", "C8 S8 C7 H9 CK", bets=(10,))
    hand.play("split", "hit")
    assert (hand.turn, hand.s["active"]) == (1, 1)
    hand.play("stand", "stand")
    assert hand.coins == (20, -20, 0)


def test_R12_what_shows() -> None:
    hand = Position("S9 D9", "C8 S8 C3 S2", "D10 D6 DK", "H2 H3", bets=(10, 10, 10))
    assert hand.seen(3, 1) == "? S8"
    hand.play("split")
    assert hand.seen(3, 1, 0) == "C8 C3"
    assert hand.possible(1) == [8]
    hand.play("stand", "stand", "hit")
    assert hand.seen(3, 2) == "D10 D6 DK"
    assert hand.possible(2) == [10]
    assert hand.seen(3, 0) == "? D9"


def test_R13_the_banker_plays_as_he_likes() -> None:
    hand = Position("SK D9 C2", "C10 C9", bets=(10,))
    hand.play("stand")
    assert (hand.turn, hand.legal) == (0, "hit stand")
    hand.play("hit")  # from 19 to 21, where he stands
    assert hand.coins == (10, -10, 0)
    hand = Position("S2 D3", "C10 C9", bets=(10,))
    hand.play("stand", "stand")
    assert hand.coins == (-10, 10, 0)


def test_R13_a_banker_with_21_is_not_asked() -> None:
    hand = Position("SA DK", "C10 C9", bets=(10,))
    hand.play("stand")
    assert hand.coins == (10, -10, 0)


def test_R13_R14_all_hands_bust() -> None:
    hand = Position("S9 D9", "C10 C6 CK", "S8 D8 S6 D6 SK DK", bets=(10, 20))
    hand.play("hit", "split", "hit", "hit")
    assert hand.coins == (50, -10, -40, 0)
    assert hand.seen(1, 0) == "? D9"
    assert hand.report["cards"][0] == [["??", "D9"]]
    assert hand.report["reason"] == "all hands bust"


def test_R14_all_cards_are_turned_up() -> None:
    hand = Position("S9 D9", "C10 C9", "C5 C6", bets=(10, 20))
    hand.play("stand", "stand", "stand")
    assert [hand.seen(1, p) for p in range(3)] == ["S9 D9", "C10 C9", "C5 C6"]
    assert hand.report == {
        "reason": "settled",
        "banker": 0,
        "cards": [[["S9", "D9"]], [["C10", "C9"]], [["C5", "C6"]]],
        "results": [None, ["won"], ["lost"]],
        "bets": [None, 10, 20],
        "first_bets": [None, 10, 20],
        "doubled": [None, False, False],
        "penalties": [0, 0, 0],
    }


def test_R10_the_report_tells_a_doubled_bet_from_a_large_one() -> None:
    hand = Position("S9 D9", "C2 C3 C4", "C10 D7", "C8 D8 H2 H3", bets=(20, 40, 20))
    hand.play("double", "stand", "split", "stand", "stand")
    doubled = [zone.note for zone in GAME.scene(hand.s, None).zones if "doubled" in zone.note]
    assert doubled == ["9, doubled, stands"]
    hand.play("stand")
    assert hand.report["bets"] == [None, 40, 40, 20]
    assert hand.report["first_bets"] == [None, 20, 40, 20]
    assert hand.report["doubled"] == [None, True, False, False]
    assert json.loads(json.dumps(hand.report)) == hand.report


def test_R15_equal_hands_push() -> None:
    hand = Position("S9 D9", "C10 C8", "C5 C6 C7", bets=(10, 20))
    hand.play("stand", "hit", "stand", "stand")
    assert hand.coins == (0, 0, 0, 0)


def test_R15_no_rake_and_no_debts() -> None:
    options = {"hands": 30, "stack": (10**9 + 1, 253, 777, 101), "min_bet": 7, "max_bet": 31}
    tables = make_tables("blackjack", 256, seed=5, **options)
    for _ in range(600):
        tables.step(tables.sample())
        assert (tables.house == 0).all()
        assert (tables.state["stack"] >= 0).all()
        assert (tables.state["stack"].sum(axis=1) == 10**9 + 1 + 253 + 777 + 101).all()


# --- Leaving -----------------------------------------------------------------------------------


def test_R16_the_last_player_leaves() -> None:
    hand = Position("S9 D9", "C10 C8", hands=2)
    hand.leave(1)
    assert hand.coins == (0, -10, 10)
    assert hand.s["over"]  # one seat is left


def test_R16_a_player_who_has_bet() -> None:
    hand = Position("S9 D9", "C10 C8", "C5 C6", "H9 H10", bets=(50, 20))
    hand.leave(1)
    assert hand.turn == 3
    assert hand.seen_bets(3) == [NONE, NONE, HIDDEN, NONE]
    hand.play("bet 1")
    assert [int(n) for n in hand.s["count"][:4, 0]] == [2, 0, 2, 2]
    hand.play("stand", "stand", "stand")
    assert hand.coins == (20 - 10, -10, -20, 10, 10)


def test_R16_the_last_to_bet_leaves() -> None:
    hand = Position("S9 D9", "C10 C8", "C5 C6", bets=(50,))
    hand.leave(2)
    assert (hand.turn, hand.legal) == (1, "hit stand double")


def test_R16_a_void_hand_counts() -> None:
    hand = Position("S9 D9", "C10 C8", "C5 C6", hands=2)
    hand.leave(0)
    assert hand.coins == (-50, 0, 0, 50)
    hand.next_hand()
    assert hand.s["banker"] == 1
    assert hand.s["joined"].tolist() == [0, 1, 1, 0, 0]
    hand.leave(2)
    assert hand.s["over"]


def test_R17_the_penalty_is_paid_with_the_hand() -> None:
    hand = Position("H10 D8", "S10 S2 S9", "C10 C7", bets=(30, 20))
    hand.leave(1)  # the house draws to 21
    assert hand.s["penalty"].tolist() == [0, 60, 0, 0, 0]
    assert hand.s["stack"].tolist()[:3] == [1000, 1000, 1000]
    assert hand.turn == 2
    hand.play("stand", "stand")
    assert hand.coins == (-30 + 20, -60, -20, 90)


def test_R17_a_doubled_hand_pays_twice_its_first_bet() -> None:
    hand = Position("H10 D8", "S5 S6 S2", "C10 C7", bets=(30, 20))
    hand.play("double")
    hand.leave(1)
    hand.play("stand", "stand")
    assert hand.coins == (60 + 20, -60, -20, 0)  # the house pays 60 for its 13


def test_R17_a_split_hand_is_played_on() -> None:
    hand = Position("H10 D8", "S8 C8 S9 C6 C5", "C10 C7", bets=(30, 20))
    hand.play("split")
    hand.leave(1)  # 17 stands, 14 draws to 19
    assert hand.turn == 2
    hand.play("stand", "stand")
    assert hand.coins == (20, -60, -20, 60)


def test_R17_a_bust_player_may_leave_too() -> None:
    hand = Position("H10 D8", "S10 S6 SK", "C10 C7", bets=(30, 20))
    hand.play("hit")
    hand.leave(1)
    hand.play("stand", "stand")
    assert hand.coins == (30 + 20, -60, -20, 30)


def test_R18_the_house_plays_the_bank() -> None:
    hand = Position("H10 D2 H9", "S10 S9", "C10 C7", bets=(30, 20))
    hand.leave(0)
    assert hand.turn == 1
    hand.play("stand", "stand")  # the house draws to 21
    assert hand.coins == (-100, -30, -20, 150)


def test_R18_those_who_left_before_the_deal_do_not_count() -> None:
    hand = Position("H10 D8", "S10 S9", "C10 C7", "C2 C3", bets=(30,))
    hand.leave(3)
    hand.play("bet 2")
    hand.leave(0)
    hand.play("stand", "stand")
    assert hand.coins == (-100, 30, -20, -10, 100)


def test_R18_the_banker_leaves_in_his_own_turn() -> None:
    hand = Position("H10 D8", "S10 S9", "C10 C7", bets=(30, 20))
    hand.play("stand", "stand")
    hand.leave(0)
    assert hand.coins == (-100, 30, -20, 90)


@pytest.mark.parametrize(
    ("cards", "action"),
    [
        ("SA S6", "stand"),
        ("SA S5", "hit"),
        ("S10 S6", "hit"),
        ("S10 S7", "stand"),
        ("S8 D8", "hit"),
    ],
)
def test_R19_house_play(cards: str, action: str) -> None:
    hand = Position("H10 D9", cards, bets=(30,))
    assert hand.default == action


def test_R20_no_answer_is_the_smallest_bet() -> None:
    hand = Position("H10 D9", "S10 S7")
    assert hand.default == "bet 1"


def test_R20_a_seat_that_left_is_in_no_later_hand() -> None:
    hand = Position("H10 D8", "S10 S9", "C10 C7", bets=(30, 20), hands=3)
    hand.leave(1)
    hand.play("stand", "stand")
    hand.next_hand()
    assert hand.s["banker"] == 2
    assert hand.s["joined"].tolist() == [1, 0, 1, 0, 0]


def test_R20_no_answer_is_settled_normally() -> None:
    hand = Position("H10 D8", "S10 S9", bets=(10,))
    while not hand.s["ended"]:
        hand.play(hand.default)
    assert hand.coins == (-10, 10, 0)
    assert hand.s["away"].tolist() == [0] * 5


# --- At the table ------------------------------------------------------------------------------


def test_the_longest_match() -> None:
    assert GAME.max_plies(GAME.options(hands=3)) == 153


def test_a_lone_level_is_skipped() -> None:
    hand = Position("S9 D9", "C10 C9", "C8 C7", stacks=(1000, 39, 1000))
    assert hand.turn == 2
    assert hand.seen_bets(2) == [NONE, HIDDEN, NONE]
    hand.play("bet 3")
    assert hand.seen_bets(2) == [NONE, 10, 30]


def test_observation() -> None:
    hand = Position("S9 DA", "C8 S8 C3 S2", "D10 D6 D2", "H2 H3", bets=(10, 50, 20), hands=3)
    hand.play("split", "stand", "stand", "double")
    values, known = hand.observation(3)
    # Seats 3 0 1 2: in, left, banker, coins, bet, has bet, split, doubled.
    assert values["seats"][:4].tolist() == [
        [1, 0, 0, 100, 2, 1, 0, 0],
        [1, 0, 1, 100, 0, 0, 0, 0],
        [1, 0, 0, 100, 1, 1, 1, 0],
        [1, 0, 0, 100, 5, 1, 0, 1],
    ]
    assert not values["seats"][4].any()
    assert known["seats"].all()
    assert values["hands"][0, 0].tolist() == [2, 0, 0, 5]
    assert values["hands"][1, 0].tolist() == [2, 0, 0, 0]
    assert values["hands"][2].tolist() == [[2, 1, 0, 11], [2, 1, 0, 10]]
    assert values["hands"][3, 0].tolist() == [3, 1, 0, 0]
    assert known["hands"][:, 0, 3].tolist() == [True, False, True, False, True]
    assert known["hands"][:, 1].all()
    assert np.flatnonzero(values["shown"][0, 0]).tolist() == [2]  # 3
    assert np.flatnonzero(values["shown"][1, 0]).tolist() == [0]  # A
    assert np.flatnonzero(values["shown"][2, 0]).tolist() == [2, 7]  # 8 3
    assert np.flatnonzero(values["shown"][2, 1]).tolist() == [1, 7]  # 8 2
    assert values["cards"][:, 0, :4].tolist() == [
        *([2, 3, 0, 0], [0, 1, 0, 0], [8, 3, 0, 0], [0, 6, 2, 0], [0, 0, 0, 0]),
    ]
    assert known["cards"][:, 0, 0].tolist() == [True, False, True, False, True]
    assert values["own_first"].tolist() == [0, 1] + [0] * 8
    # Seat 2 doubled on 6 and took a 2: any first card, A and 10 too, fits.
    assert values["possible"][3].tolist() == [1] * 10
    assert np.flatnonzero(values["possible"][2]).tolist() == [7]
    # Seen: own 2 3, A, 8 3, 8 2, 6 2.
    assert values["unseen"].tolist() == [3, 1, 2, 4, 4, 3, 4, 2, 4, 16]
    assert values["phase"].tolist() == [0, 1, 0]
    assert values["turn"].tolist() == [1, 0, 0, 0, 0]
    assert values["active"].tolist() == [1, 0]
    assert values["hand"].tolist() == [0, 2]


def test_observation_of_a_seat_that_sits_out() -> None:
    hand = Position("S9 DA", "", "D10 D6", stacks=(1000, 19, 1000), bets=(10,))
    values, known = hand.observation(1)
    assert not values["own_first"].any()
    assert values["unseen"].tolist() == [3, 4, 4, 4, 4, 3, 4, 4, 4, 16]
    assert known["cards"][:, 0, 0].tolist() == [True, False, False, True, True]


def test_the_scene_names_cards_and_coins() -> None:
    hand = Position("S9 DA", "C8 S8 C3 S2", "D10 D6 D2", bets=(10, 50))
    hand.play("split", "stand")
    scene = GAME.scene(hand.view(2)[0], 2)
    zones = {(zone.name, zone.owner): zone for zone in scene.zones}
    assert zones["hand", 0].items == ("??", "DA")
    assert zones["hand 1", 1].items == ("C8", "C3")
    assert zones["hand 1", 1].note == "11, stands"
    assert zones["hand 2", 1].note == "10, to act"
    assert zones["hand", 2].items == ("D10", "D6")
    assert [(p.role, p.stack, p.bet) for p in scene.places] == [
        *(("banker 莊", 1000, 0), ("player 閒", 1000, 10), ("player 閒", 1000, 50)),
    ]
    assert (scene.turn, scene.facts) == (1, ("hand 1 of 1", "閒 play", "bets 10…50"))


def test_the_scene_tells_how_hands_ended() -> None:
    hand = Position("S9 D9", "C10 C9", "C8 C7 CK", bets=(10, 10))
    hand.play("stand", "hit", "stand")
    notes = [zone.note for zone in GAME.scene(hand.view(1)[0], 1).zones]
    assert notes == ["18, stands", "19, stands, won", "25, bust, lost", "45 cards"]


# --- What can't be ----------------------------------------------------------------------------

Changes = list[tuple[str, tuple[int, ...], int]]

# Seat 1 has stood on 19, seat 2 has doubled to 14, seat 3 is to act; the bank is seat 0.
CONTRADICTIONS: list[tuple[Changes, str]] = [
    ([("active", (), 127)], "active is 127: expected 0…1"),
    ([("active", (), 1)], "active is 1, but seat 3 has no such hand to play"),
    ([("turn", (), 0)], "turn is 0: expected a 閒 in the hand"),
    ([("turn", (), 1)], "done.1, 0. is 1: expected 0"),
    ([("phase", (), 2)], "turn is 3: expected the banker"),
    ([("phase", (), 0)], "count.0, 0. is 2: expected 0|turn is 3: expected the first 閒"),
    ([("ended", (), 1)], "ended is True in phase 1"),
    ([("banker", (), 2)], "bet.0. is -2, but all bets are in|bet.2. is 20, but"),
    ([("joined", (3,), 0)], "joined.3. is 0: by its coins the seat is in"),
    ([("joined", (4,), 1)], "joined.4. is 1: by its coins the seat is not in"),
    ([("stack", (0,), 299)], "banker is 0, a seat that may not bank"),
    ([("penalty", (1,), 20)], "penalty.1. is 20, but the seat has not left this hand"),
    ([("penalty", (1,), 30), ("away", (1,), 1)], "penalty.1. is 30: expected 20"),
    ([("bet", (1,), 11)], "bet.1. is 11: expected one of .10, 20, 30, 40, 50."),
    ([("bet", (0,), 10)], "bet.0. is 10, but the seat has no bet in this hand"),
    ([("bet", (3,), NONE)], "bet.3. is -2, but all bets are in"),
    ([("count", (1, 0), 3)], "cards.1, 0. has not 3 cards"),
    ([("count", (1, 1), 2)], "count.1, 1. is 2: expected 0"),
    ([("dealt", (), 8)], "dealt is 8, but 9 cards are in hands"),
    ([("deck", (51,), NONE)], "deck does not begin with dealt=9 places"),
    ([("cards", (1, 0, 1), parse_cards("C4")[0])], "cards and deck have C4 more than once"),
    ([("split", (1,), 1)], "count.1, 1. is 0: expected 2 or more"),
    ([("doubled", (1,), 1)], "doubled.1. is 1, but hand and options say otherwise"),
    ([("bust", (2, 0), 1)], "bust.2, 0. is 1: expected 0"),
    ([("done", (3, 0), 1)], "done.3, 0. is 1: expected 0"),
    ([("turned", (1,), 1)], "turned.1. is 1: expected 0|cards.1, 0. hides a card that lies"),
    ([("possible", (2, 9), 0)], "possible.2. are the values"),
]


@pytest.mark.parametrize(("changes", "fault"), CONTRADICTIONS, ids=[c[1] for c in CONTRADICTIONS])
def test_what_cannot_be_is_refused_by_name(changes: Changes, fault: str) -> None:
    hand = Position("S9 D9", "C10 C9", "C3 C7 C4", "H5 H6", bets=(10, 20, 30))
    hand.play("stand", "double")
    for table, seat in ((hand.table, None), (hand.view(3), 3)):
        table = table.copy()
        check(GAME, table[0], seat)
        for field, place, value in changes:
            table[field][(0, *place)] = value
        with pytest.raises(ValueError, match=fault):
            check(GAME, table[0], seat)


def test_hidden_cards_that_are_not_there_are_refused() -> None:
    """All four 5s and three 6s lie open; two hidden cards can't both be the last 6."""
    hand = Position("S9 D6", "H10 S6", "D10 H6", "C5 S5 H5 D5", bets=(10, 10, 10))
    hand.play("stand", "stand", "split")
    view = hand.view(3)
    view["away"][0, 1:3] = 1
    view["penalty"][0, 1:3] = 20
    view["possible"][0, 1:3] = np.arange(1, 11) == 6
    with pytest.raises(ValueError, match="possible leaves no cards for the seats .0, 1, 2. to"):
        check(GAME, view[0], 3)


# --- Redeal ------------------------------------------------------------------------------------


def certain() -> Position:
    """Cards hidden from seat 3: 2–6 and A–9, as in E11, and any of the banker's."""
    hand = Position("S9 D9", "C3 S10 D5", "C4 DA D4", "H10 H9", bets=(10, 10, 10))
    hand.play("hit", "stand", "hit", "stand")
    assert hand.possible(1) == [2, 3, 4, 5, 6]
    assert hand.possible(2) == [1, 2, 3, 4, 5, 6, 7, 8, 9]
    return hand


def completions(hand: Position, seat: int) -> list[tuple[int, ...]]:
    """Every way to deal the cards hidden from a seat, by trying all."""
    view = hand.view(seat)[0]
    hidden = [p for p in range(hand.seats) if view["cards"][p, 0, 0] == HIDDEN]
    seen = {int(card) for card in view["cards"].ravel() if card >= 0}
    unseen = [card for card in range(CARDS) if card not in seen]
    allowed = [{v + 1 for v in np.flatnonzero(view["possible"][p])} for p in hidden]
    choices = [[card for card in unseen if VALUE[card] in values] for values in allowed]
    return [cards for cards in product(*choices) if len(set(cards)) == len(cards)]


def test_redeal_counts_its_ways() -> None:
    sets = [parse_cards(text) for text in ("S9 D9 C2", "D9 C2 C3 C4", "C2 C4 S9 HK HQ")]
    bits = [BIT[cards].sum() for cards in sets]
    assert ways(*bits) == sum(len(set(cards)) == 3 for cards in product(*sets))
    assert ways(bits[0], bits[1], NO_CARD[0]) == 3 * 4 - 2
    assert ways(bits[0], NO_CARD[1], NO_CARD[0]) == 3


def test_redeal_is_uniform_over_what_fits() -> None:
    hand = certain()
    n = 40_000
    views = hand.redealt(3, n)
    fitting = completions(hand, 3)
    drawn = views["cards"][:, :3, 0, 0]
    assert {tuple(row) for row in drawn.tolist()} <= set(fitting)
    values = np.array(fitting)
    for one, two in ((0, 1), (1, 2), (0, 2)):  # pairs of cards, by their values
        expected = np.zeros((11, 11))
        np.add.at(expected, (VALUE[values[:, one]], VALUE[values[:, two]]), n / len(values))
        found = np.zeros((11, 11))
        np.add.at(found, (VALUE[drawn[:, one]], VALUE[drawn[:, two]]), 1)
        assert (abs(found - expected) <= 5 * np.sqrt(expected)).all()
    for seat in range(3):  # single cards: suits too
        expected = np.bincount(values[:, seat], minlength=CARDS) * n / len(values)
        found = np.bincount(drawn[:, seat], minlength=CARDS)
        assert (abs(found - expected) <= 5 * np.sqrt(expected)).all()
    assert all(GAME.census(view) == (1,) * 52 for view in views[:50])
    kept = views["cards"].copy()
    kept[:, :3, 0, 0] = hand.view(3)["cards"][:, :3, 0, 0]
    assert (kept == hand.view(3)["cards"]).all()


def test_redeal_shuffles_the_rest_of_the_deck() -> None:
    hand = certain()
    n = 20_000
    views = hand.redealt(3, n)
    dealt = int(hand.s["dealt"])
    for place in (dealt, 30, 51):
        found = np.bincount(views["deck"][:, place], minlength=CARDS)
        assert found[parse_cards("S10 D5 DA D4 H10 H9 D9")].tolist() == [0] * 7
        jacks = found[parse_cards("CJ HJ SJ DJ")]
        assert (abs(jacks - jacks.mean()) < 5 * np.sqrt(jacks.mean())).all()


def test_redeal_where_few_cards_fit() -> None:
    """Two hands need what little is left, two aces, two 2s and three 3s: 24 equal ways."""
    hand = Position("S9 S8", "S2 H5 H4 HK", "D3 C5 C3 CK", "SA HA D2 C2", bets=(10, 10, 10))
    hand.play("hit", "hit", "stand", "hit", "hit", "stand", "split")
    assert hand.possible(1) == [1, 2]
    assert hand.possible(2) == [1, 2, 3]
    fitting = completions(hand, 0)
    assert len(fitting) == 24
    n = 20_000
    drawn = hand.redealt(0, n)["cards"][:, 1:3, 0, 0]
    found = dict.fromkeys(fitting, 0)
    for row in drawn.tolist():
        found[tuple(row)] += 1
    expected = n / len(fitting)
    assert all(abs(count - expected) < 5 * np.sqrt(expected) for count in found.values())


def test_redeal_of_four_hidden_cards() -> None:
    """Five seats, three need small cards: all combinations of values as often as they fit."""
    hands = ("S9 S8", "S2 H5 H4 HK", "SA HA D2 C2", "D3 C5 C3 CK", "H3 S5 S3 SK")
    hand = Position(*hands, bets=(10,) * 4)
    small = ("hit", "hit", "stand")
    hand.play(*small, "split", "stand", "stand", *small, *small)
    fitting = VALUE[np.array(completions(hand, 2))]
    assert len(fitting) == 2800
    n = 30_000
    drawn = VALUE[hand.redealt(2, n)["cards"][:, [0, 1, 3, 4], 0, 0]]
    expected = Counter(map(tuple, fitting.tolist()))
    found = Counter(map(tuple, drawn.tolist()))
    assert set(found) == set(expected)
    for values, ways_to in expected.items():
        mean = n * ways_to / len(fitting)
        assert abs(found[values] - mean) < 5 * np.sqrt(mean)


def test_R13_a_bank_that_is_asked_is_known_to_have_less_than_21() -> None:
    hand = Position("S9 DA H5", "C10 C9", "D10 D9", bets=(10, 10))
    hand.play("stand")
    assert hand.possible(0) == list(range(1, 11))  # not asked yet
    hand.play("stand")
    assert hand.possible(0) == list(range(1, 10))
    hand.play("hit")  # 15 or 25 less 10
    assert hand.possible(0) == [1, 2, 3, 4, 6, 7, 8, 9]
    drawn = VALUE[hand.redealt(1, 3_000)["cards"][:, 0, 0, 0]]
    assert set(drawn.tolist()) == {1, 2, 3, 4, 6, 7, 8, 9}


def test_redeal_gives_the_bank_a_natural_until_it_is_asked() -> None:
    hand = Position("S9 DA", "C10 C9", bets=(10,))
    naturals = (VALUE[hand.redealt(1, 4_000)["cards"][:, 0, 0, 0]] == 10).mean()
    assert abs(naturals - 15 / 49) < 0.04
    hand.play("stand")
    assert (VALUE[hand.redealt(1, 4_000)["cards"][:, 0, 0, 0]] != 10).all()


HISTORIES = {  # two cards of each seat, the cards to come, what is done; −1: seat 1 leaves
    "a bank that is asked": (["S9 DA", "C10 C9"], "H3", "stand"),
    "a bank asked twice": (["S9 DA", "C10 C9"], "H3", "stand hit"),
    "a bank asked three times": (["S9 D5", "C10 C9"], "H3 H2", "stand hit hit"),
    "hits, and one to 21": (["S9 D5", "C3 SA", "C10 D7"], "D4 H3 H4", "hit hit stand stand hit"),
    "a split and a bust": (["S9 DA", "C8 S8", "C10 D6"], "C3 S2 HK", "split stand stand hit"),
    "a double": (["S9 D6", "C3 S6", "D10 D9"], "D3", "double stand"),
    "the house hits and stands": (["S9 DA", "C8 S6", "D10 D6"], "D3 H2", "-1 hit"),
    "left after a hit": (["S9 DA", "C3 S6", "D10 D6"], "D3 H9", "hit -1 stand"),
    "left after standing": (["S9 DA", "C3 S6", "D10 D6"], "", "stand -1 stand"),
    "the bank has left": (["S9 D10", "C3 S6", "H10 D6"], "D3", "-0 hit stand"),
    "all have bust": (["S9 DA", "C10 S6"], "DK", "hit"),
}


def do(tables: np.ndarray, word: str) -> np.ndarray:
    """Play an action, or let a seat leave, on all tables; whether that could be done on each."""
    every = np.arange(len(tables))
    purses = np.zeros((len(tables), tables["seats"][0] + 1), np.int64)
    if word.startswith("-"):
        engine(GAME).depart_tables(tables, every, np.full(len(tables), int(word[1:])), purses)
        return np.ones(len(tables), bool)
    masks = np.zeros((len(tables), GAME.actions.width), np.int8)
    engine(GAME).mask_tables(tables, every, masks)
    able = (masks[:, GAME.parse(word)] == 1) & ~tables["ended"]
    actions = np.full(able.sum(), GAME.parse(word))
    engine(GAME).play_tables(tables, every[able], actions, purses)
    return able


def looks_alike(tables: np.ndarray, seat: int) -> np.ndarray:
    """Which tables look to a seat like the first one. ``possible`` is no fact, but concluded."""
    views = addressable(np.zeros(len(tables), GAME.state))
    seats = np.full(len(tables), seat)
    engine(GAME).view_tables(tables, np.arange(len(tables)), seats, views)
    facts = [views[f.name].reshape(len(views), -1) for f in GAME.fields if f.name != "possible"]
    return np.all([(fact == fact[0]).all(axis=1) for fact in facts], axis=0)


@pytest.mark.parametrize("history", HISTORIES)
def test_redeal_is_uniform_over_the_deals_that_would_have_looked_alike(history: str) -> None:
    """Every way to deal the first cards that a seat can't see is played from the start, and left
    out once the seat would have seen something else."""
    hands, to_come, words = HISTORIES[history]
    for seat in range(len(hands)):
        hand = Position(*hands, bets=(10, 10)[: len(hands) - 1])
        hand.hands = []  # cards come as the deck lies
        coming = parse_cards(to_come)
        rest = [int(c) for c in hand.s["deck"] if c >= 0 and c not in coming]
        hand.s["deck"][hand.s["dealt"] :] = coming + rest
        begun = hand.table.copy()
        for word in words.split():
            assert do(hand.table, word).all()
        view = hand.view(seat)[0]
        hidden = np.flatnonzero(view["cards"][:, 0, 0] == HIDDEN)
        known = [card for card in view["cards"].ravel() if card >= 0]
        unseen = np.setdiff1d(np.arange(CARDS), known)
        dealt = [tuple(int(c) for c in hand.s["cards"][hidden, 0, 0])]
        dealt += [deal for deal in permutations(unseen.tolist(), len(hidden)) if deal != dealt[0]]
        deals = np.array(dealt, np.int64)
        worlds = addressable(np.repeat(begun, len(deals)))
        worlds["cards"][:, hidden, 0, 0] = deals
        alike = looks_alike(worlds, seat)
        for word in words.split():
            alike &= do(worlds, word)
            alike &= looks_alike(worlds, seat)
        allowed = deals[alike]
        drawn = hand.redealt(seat, 15_000)["cards"][:, hidden, 0, 0]
        assert set(map(tuple, drawn.tolist())) <= set(map(tuple, allowed.tolist()))
        found = Counter(map(tuple, VALUE[drawn].tolist()))
        for values, count in Counter(map(tuple, VALUE[allowed].tolist())).items():
            mean = count * len(drawn) / len(allowed)
            assert abs(found[values] - mean) < 5 * np.sqrt(mean) + 1, (seat, values)


def test_redeal_draws_concealed_bets_among_open_levels() -> None:
    hand = Position("S9 D9", "C10 C9", "C8 C7", "C6 C5", stacks=(1000, 75, 39, 99), bets=(20,))
    assert hand.turn == 3
    n = 9_000
    bets = hand.redealt(3, n)["bet"]
    amounts, counts = np.unique(bets[:, 1], return_counts=True)
    assert amounts.tolist() == [10, 20, 30]
    assert (abs(counts - n / 3) < 250).all()
    assert (bets[:, 2] == 10).all()
    assert (hand.redealt(1, 5)["bet"][:, 1] == 20).all()


def test_redeal_after_the_hand_deals_the_card_never_shown() -> None:
    hand = Position("S9 D9", "C10 C6 CK", bets=(10,))
    hand.play("hit")
    views = hand.redealt(1, 200)
    assert (views["cards"] != HIDDEN).all()
    assert len(set(views["cards"][:, 0, 0, 0].tolist())) > 20
