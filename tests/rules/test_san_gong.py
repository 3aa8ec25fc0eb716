"""San Gong, clause by clause: positions in card names, coins worked out by hand."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from qipai.envs import OptionError, make, position
from qipai.envs.checking import check
from qipai.envs.kernel import addressable
from qipai.envs.layout import HIDDEN, NONE
from qipai.envs.match import engine
from qipai.envs.san_gong import (
    ACTIONS,
    BIG,
    CHIP,
    DONE,
    GAME,
    HAND_NAMES,
    KINDS,
    MIXED,
    SEATS,
    SMALL,
    SPOTS,
    kind_of,
)
from tests.san_gong_positions import FIVE, NINE, Position, worth
from tests.table import ONE, card_names, parse_cards

ROYAL = ("SQ HQ CQ", "SK HK CK", "DQ SJ H9", "DK HJ C8")
HOUSE = ("SK D6 H10", "SQ DJ C6", "H6 D10 C10", "SA HA DA")


def casino(*hands: str, seats: int = 1, **options: Any) -> Position:
    return Position(*hands, seats=seats, mode="casino", **{"stacks": 10_000, **options})


def lay(table: Position, *moves: str) -> tuple[int, ...]:
    """Chips of each seat, and what they bring."""
    return table.play(*(f"{move}+done" if move else "done" for move in moves)).result


# --- The worked examples ------------------------------------------------------------------


def pairwise_table(**options: Any) -> Position:
    return Position(*ROYAL, lead=0, mode="pairwise", **{"stacks": 1000, **options})


def test_E1_everybody_against_everybody() -> None:
    hand = pairwise_table(rake=0).play(*["ready"] * 4)
    assert hand.result == (27, 81, -45, -63, 0)
    assert hand.report["claims"] == [3 * score for score in (9, 27, -15, -21)]
    assert pairwise_table().play(*["ready"] * 4).result == (26, 77, -45, -63, 5)


def test_E2_two_are_short() -> None:
    stacks = (1000, 1000, 45, 10)
    free = pairwise_table(stacks=stacks, rake=0).play(*["ready"] * 4)
    assert free.result == (14, 41, -45, -10, 0)
    assert pairwise_table(stacks=stacks).play(*["ready"] * 4).result == (14, 39, -45, -10, 2)


def test_E3_the_banker_against_three() -> None:
    hand = Position("SK D8 H10", "S9 D10 C10", "HK HQ C5", "CJ DJ DQ", banker=0)
    hand.play("1 bet 1", "2 bet 2", "3 bet 4")
    assert hand.report["stakes"] == [0, 100, 200, 400]
    assert hand.result == (-1700, 285, -600, 1900, 115)


def broken(*hands: str, bank: int, base_div: int) -> Position:
    """A short banker and three who stake 40 each."""
    stacks = (bank, 4000, 4000, 4000)
    return Position(*hands, banker=0, stacks=stacks, base_div=base_div).play(*["bet 4"] * 3)


def test_E4_the_bank_is_broken() -> None:
    hand = broken("S3 D4 H10", "SQ HQ CQ", "S7 H7 C7", "SK CK CJ", bank=700, base_div=70)
    assert hand.result == (-700, 285, 222, 159, 34)
    assert not hand.s["over"]
    assert hand.next_hand().phase == "grab"


def test_E5_what_the_banker_has_won_pays_too() -> None:
    hand = broken("S3 D4 H10", "SQ HQ CQ", "S2 D3 CA", "SK CK CJ", bank=101, base_div=10)
    assert hand.result == (-101, 87, -40, 48, 6)


def test_E6_a_player_pays_what_he_has() -> None:
    hand = Position("SQ HQ CQ", "S9 D10 C10", banker=0, stacks=(10_000, 250))
    assert hand.play("bet 1").result == (238, -250, 12)


def assert_falling(*hands: str) -> None:
    for better, lower in pairwise(hands):
        assert worth(better) > worth(lower), (better, lower)


def test_E7_order_of_hands() -> None:
    assert_falling("H3 C4 D2", "S2 D3 D4")
    assert_falling("DJ CQ H9", "SJ S10 S9")
    assert_falling("DK DQ D9", "SJ SQ S9")
    assert_falling("DA CA HA", "SK SQ SJ")
    assert_falling("D2 C2 H2", "DA CA HA")
    assert_falling("DJ CJ HJ", "S10 H10 C10")


def test_E8_three_seats_in_a_casino() -> None:
    hand = casino(*HOUSE, seats=3)
    brought = lay(
        hand,
        "chip3:win1+chip1:tie1+chip1:three0",
        "chip3:lose2+chip1:lose2+chip1:tie2+chip2:pair3",
        "chip1:lose1+chip2:win3+chip1:pair0",
    )
    assert brought == (120, 1635, -70, -1685)
    assert hand.report["stakes"][1] == {"lose2": 110, "tie2": 10, "pair3": 50}


def test_E9_two_hands_of_three_faces_are_level() -> None:
    hand = casino("SK HK CK", "SQ DJ CJ", *HOUSE[2:])
    chips = "chip3:win1+chip1:tie1+chip1:three1+chip1:three1+chip1:three0+chip1:three0"
    assert lay(hand, chips) == (720, -720)


def test_E10_who_gets_the_bank() -> None:
    def banker(lots: int, stacks: tuple[int, ...], *answers: str) -> int:
        return Position(stacks=stacks, lots=lots).play(*answers).banker

    rich = Counter(banker(k, (900, 500, 700, 700), "no", *["grab"] * 3) for k in range(200))
    assert set(rich) == {2, 3} and min(rich.values()) > 70
    by_lot = Counter(banker(k, (900, 50, 700, 700), *["no"] * 3) for k in range(300))
    assert set(by_lot) == {0, 2, 3} and min(by_lot.values()) > 70


@pytest.mark.parametrize(
    ("cards", "left", "keeps"),
    [
        ("S10 H10 C10", 5000, True),
        ("SK HQ CJ", 5000, True),
        ("S10 H10 CK", 5000, False),
        ("SK HQ CJ", 99, False),
    ],
)
def test_E11_who_keeps_the_bank(cards: str, left: int, keeps: bool) -> None:
    hand = Position(cards, "S9 D8 C8", "D9 C5 H6", banker=0).play("bet 1", "bet 1")
    hand.s["stack"][0] = left
    hand.next_hand()
    assert hand.phase == ("bet" if keeps else "grab")
    assert hand.turn == 1  # also the first one asked about the bank


def test_E12_base_and_multiples() -> None:
    hand = Position(NINE, FIVE, "S3 D4 H10", banker=0, stacks=(10_000, 250, 60))
    assert hand.legal == ["bet 1", "bet 2"]
    hand.play("bet 1")
    assert hand.report["base"] == 100
    assert hand.report["stakes"] == [0, 100, 60]
    poor = Position(NINE, FIVE, banker=0, stacks=(99, 10_000), bank_min=1).play("bet 4")
    assert poor.report["stakes"] == [0, 4] and poor.report["base"] == 1


def test_E13_chips_in_order() -> None:
    table = casino(seats=1)
    assert table.legal[0] == "done"
    assert len(table.legal) == 1 + 51
    table.play("chip2:win1", "chip1:win1")
    assert len(table.legal) == 1 + 46
    barred = {"chip3:win1", "chip2:win1", "chip3:lose1", "chip2:lose1", "chip1:lose1"}
    assert set(ACTIONS.names[CHIP:]) - set(table.legal) == barred


# --- Cards and hands (R1–R8) ---------------------------------------------------------------------


def test_R1_a_fresh_pack_each_hand() -> None:
    table = Position(mode="pairwise", hands=2).deal()
    decks = [table.s["deck"].copy()]
    assert GAME.census(table.s) == (1,) * 52
    table.play(*["ready"] * 4)
    assert GAME.census(table.s) == (1,) * 52
    decks.append(table.next_hand().s["deck"].copy())
    assert sorted(decks[1]) == list(range(52))
    assert (decks[0] != decks[1]).any()


@pytest.mark.parametrize(
    ("cards", "name"),
    [
        ("SA H9 C10", "0 points"),
        ("S5 H6 C7", "8 points"),
        ("SK HK C9", "9 points"),
        ("SA HK C10", "1 point"),
        ("S10 HQ CJ", "0 points"),
    ],
)
def test_R2_points(cards: str, name: str) -> None:
    assert HAND_NAMES[kind_of(worth(cards))] == name


def test_R3_order_of_cards() -> None:
    """By the top card of 2 points without a face, or of 5 with one."""
    assert_falling("S10 DA CA", "S9 D2 HA", "S8 D3 CA", "S7 D4 CA", "S6 D5 CA")
    assert_falling("SK D2 C3", "SQ D2 C3", "SJ D2 C3")


def test_R4_classes() -> None:
    kinds = [kind_of(worth(cards)) for cards in ("SJ HJ CJ", "S10 H10 C10", "SK HK CQ", NINE)]
    assert kinds == [BIG, SMALL, MIXED, 9]
    assert_falling("SJ HJ CJ", "S10 H10 C10", "DA CA HA", "SK HK CQ", "DQ CJ HJ", NINE)


def test_R5_three_of_a_kind_by_rank() -> None:
    assert_falling("DK CK HK", "SQ CQ HQ", "SJ HJ CJ", "D10 C10 H10", "S9 H9 C9", "SA HA CA")


def test_R6_three_faces_by_their_best_card() -> None:
    assert_falling("SK CJ DJ", "HK SQ SJ", "CK HQ SJ", "SQ DJ CJ", "HQ CQ SJ")


def test_R7_points_then_faces_then_cards() -> None:
    assert_falling("D3 D4 D2", "SK SQ S8", "SK S10 S8")
    assert_falling("DK CQ D9", "SQ SJ S9", "HK S10 H9", "SJ D10 C9", "S10 S9 H10", "S9 D7 C3")


def test_R8_coefficients() -> None:
    """What seat 1 wins with each kind of hand, and the banker with 8 points, by options."""
    hands = ("SJ HJ CJ", "S2 H2 C2", "SK HQ CQ", "S8 D10 H10", "S7 D10 H10")
    for coefs in ((9, 7, 5, 3, 1), (50, 40, 30, 20, 10)):
        for cards, coef in zip(hands, coefs, strict=True):
            hand = Position("DA CK C10", cards, banker=0, rake=0, coefs=coefs).play("bet 1")
            assert hand.result == (-100 * coef, 100 * coef, 0)
    lost = Position("D8 CK C10", "S7 D10 H10", banker=0, rake=0).play("bet 1")
    assert lost.result == (300, -300, 0)
    with pytest.raises(OptionError, match="do not rise"):
        GAME.options(coefs=(9, 7, 5, 3, 4))


# --- Seats and match (R9, R10) -------------------------------------------------------------------


def test_R9_the_match_ends_with_its_hands_or_its_players() -> None:
    hand = Position("S8 CK H10", NINE, "S3 D4 HK", banker=0, stacks=(10_000, 250, 60)).play("bet 1")
    assert hand.s["ended"] and not hand.s["over"]
    assert hand.next_hand().s["joined"][:3].tolist() == [1, 1, 0]
    two = Position(NINE, "S3 D4 H10", banker=0, stacks=(10_000, 250)).play("bet 1")
    assert two.s["over"] == 1
    one_hand = pairwise_table().play(*["ready"] * 4)
    assert one_hand.s["over"] == 1
    poor = Position(
        "S3 D4 H10", NINE, "S8 HK CK", banker=0, stacks=(150, 100, 100), base_div=1, rake=0
    )
    assert poor.coins == (-150, 75, 75)
    assert not poor.s["over"] and poor.next_hand().phase == "grab"
    hand = Position("S3 D4 H10", NINE, FIVE, banker=0, stacks=(130, 90, 60), base_div=3, rake=100)
    hand.play("bet 1")
    assert hand.coins == (-86, 0, -43) and hand.s["over"] == 1


def test_R9_a_casino_needs_one_seat_with_a_chip() -> None:
    table = casino(*HOUSE, seats=2, stacks=(10, 9), hands=3)
    assert table.s["joined"][:2].tolist() == [1, 0]
    table.play("chip1:win2")
    assert table.s["over"] == 1
    with pytest.raises(OptionError, match="lets nobody bet"):
        GAME.options(mode="casino", stack=9)
    with pytest.raises(OptionError, match="2…6"):
        GAME.options(seats=1)


def test_R10_one_card_at_a_time_from_the_banker_the_lead_or_the_bank() -> None:
    deck = card_names(range(12))

    def dealt(table: np.ndarray, places: list[int]) -> list[str]:
        hands = table[0]["cards"][places]
        return [name for k in range(3) for name in card_names(hands[:, k])]

    ready = {"mode": "pairwise", "seats": 3}
    table = position("san_gong", options=ready, deck=deck, lead=2, play=["ready"] * 3)
    assert dealt(table, [2, 0, 1]) == deck[:9]
    answers = ["no", "grab", "no", "bet 1", "bet 1"]
    table = position("san_gong", options={"seats": 3}, deck=deck, play=answers)
    assert dealt(table, [1, 2, 0]) == deck[:9]
    table = position("san_gong", preset="casino", deck=deck, play=["done"] * 4)
    assert dealt(table, [0, 1, 2, 3]) == deck


def test_R10_the_best_hand_leads_next() -> None:
    hand = pairwise_table(hands=3).play(*["ready"] * 4)
    assert hand.next_hand().turn == 1
    hand = pairwise_table(hands=3)
    hand.leave(1).play(*["ready"] * 3)
    assert hand.coins == (26, 77, -45, -63)
    assert hand.next_hand().turn == 2


def test_R10_the_first_lead_is_drawn() -> None:
    tables = [make("san_gong", preset="pairwise") for _ in range(60)]
    for seed, env in enumerate(tables):
        env.reset(seed=seed)
    leads = Counter(int(env._table["lead"][0]) for env in tables)
    assert set(leads) == {0, 1, 2, 3}


# --- The bank (R11–R15) ----------------------------------------------------------------------


def test_R11_who_alone_may_bank_is_not_asked() -> None:
    hand = Position(stacks=(99, 5000, 99, 50), base_div=1000)
    assert (hand.phase, hand.banker, hand.turn) == ("bet", 1, 2)
    assert Position(stacks=(99, 5000, 99, 50), base_div=1000, bank="turns").banker == 1
    assert Position(stacks=(99, 100, 100, 50)).phase == "grab"
    with pytest.raises(OptionError, match="lets nobody decide"):
        GAME.options(stack=99)
    for stack in (199, 99):  # of two who do not bank, beside 10000 coins
        options = {"seats": 3, "stack": (10_000, stack, 50), "bank_min": 200}
        with pytest.raises(OptionError, match="lets nobody decide"):
            GAME.options(**options)
    GAME.options(seats=3, stack=(10_000, 200, 50), bank_min=300)


def test_R12_grabbing_is_concealed_until_all_have_answered() -> None:
    hand = Position(stacks=(900, 50, 700, 800))
    assert hand.legal == ["no", "grab"]
    hand.play("0 no", "2 grab")
    assert hand.seen(0, "answer") == [0, NONE, HIDDEN, NONE]
    assert hand.seen(2, "answer") == [HIDDEN, NONE, 1, NONE]
    assert hand.seen(1, "answer") == [HIDDEN, NONE, HIDDEN, NONE]
    hand.play("3 grab")
    assert hand.banker == 3
    assert hand.seen(0, "answer") == [0, NONE, 1, 1]


def test_R12_asking_begins_after_the_last_banker() -> None:
    hand = Position("SK H10 S10", NINE, FIVE, "S3 D4 H6", banker=2, hands=3)
    hand.s["cards"][2] = parse_cards("CK C10 D10")
    table = addressable(hand.table)
    engine(GAME).deal_tables(table, ONE, addressable(GAME.fields.blank()), hand._purse())
    assert (hand.phase, hand.turn) == ("grab", 3)
    hand.play("3 no", "0 grab", "1 no", "2 no")
    assert hand.banker == 0


def test_R13_the_bank_stays() -> None:
    hand = Position(NINE, FIVE, "S3 D4 H6", banker=0).play("bet 1", "bet 1").next_hand()
    assert (hand.phase, hand.banker) == ("bet", 0)
    assert hand.answers == [None] * 3
    hand = Position(NINE, FIVE, "S3 D4 H6", banker=0).play("bet 1")
    hand.leave(0).play("bet 1")
    assert hand.next_hand().phase == "grab"


def test_R14_the_bank_is_offered_openly() -> None:
    hand = Position(NINE, FIVE, "S3 D4 H6", "SK D5 C3", banker=2, bank="turns", bank_min=1000)
    assert (hand.phase, hand.turn, hand.legal) == ("offer", 3, ["no", "grab"])
    hand.play("3 no")
    assert hand.seen(1, "answer") == [NONE, NONE, NONE, 0]
    hand.play("0 grab")
    assert (hand.phase, hand.banker, hand.turn) == ("bet", 0, 1)


def test_R14_a_random_seat_is_asked_first_and_banks_if_none_will() -> None:
    def first(lots: int) -> tuple[int, int]:
        hand = Position(stacks=(900, 50, 700, 800), bank="turns", lots=lots)
        asked = hand.turn
        return asked, hand.play("no", "no", "no").banker

    for found in zip(*(first(k) for k in range(90)), strict=True):
        assert set(found) == {0, 2, 3} and min(Counter(found).values()) > 15


def test_R15_bets_are_concealed_until_all_are_in() -> None:
    hand = Position(NINE, FIVE, "S3 D4 H6", "SK D5 C3", banker=0, stacks=(10_000, 300, 150, 400))
    assert hand.legal == ["bet 1", "bet 2", "bet 3"]
    hand.play("1 bet 2")
    assert hand.turn == 3  # seat 2 can but bet 1
    assert hand.seen(0, "bet") == [NONE, HIDDEN, HIDDEN, NONE]
    assert hand.seen(1, "bet") == [NONE, 200, HIDDEN, NONE]
    seen = hand.redealt(3, 300)
    assert Counter(seen["bet"][:, 1].tolist()).keys() == {100, 200, 300}
    assert (seen["bet"][:, 2] == 100).all() and (seen["bet"][:, 3] == NONE).all()
    hand.play("bet 4")
    assert hand.seen(0, "bet") == [NONE, 200, 100, 400]


# --- Settlement with a banker (R16–R19) -------------------------------------------------------


def test_R16_the_winners_hand_counts() -> None:
    hands = ("SK HK CK", "S9 D10 C10")
    assert Position(*hands, banker=0, rake=0).play("bet 2").result == (1800, -1800, 0)
    flat = Position(*hands, banker=0, rake=0, use_coef=False).play("bet 2")
    assert flat.result == (200, -200, 0)


def test_R17_losers_pay_first() -> None:
    """The banker owns 100, collects 300 and pays 300."""
    hand = Position("S8 HK H10", NINE, FIVE, banker=0, stacks=(100, 4000, 4000), base_div=1)
    assert hand.play("bet 1", "bet 1").result == (0, 285, -300, 15)


def test_R18_ties_of_fractions_go_to_the_seat_after_the_banker() -> None:
    """Seats 2 and 0 are due 24 each, and 25 can be paid."""
    hands = ("S9 DK C10", "S3 D4 S10", "H9 SK H10")
    options: dict[str, Any] = {"stacks": (4000, 25, 4000), "rake": 0, "base_div": 3, "bank_min": 9}
    hand = Position(*hands, banker=1, **options).play("bet 1", "bet 1")
    assert hand.result == (12, -25, 13, 0)


@pytest.mark.parametrize(("rake", "kept"), [(0, 0), (5, 15), (33, 99), (100, 300)])
def test_R19_rake_of_what_is_won(rake: int, kept: int) -> None:
    hand = Position(NINE, FIVE, banker=0, rake=rake).play("bet 1")
    assert hand.result == (300 - kept, -300, kept)


# --- Pairwise (R20–R22) -----------------------------------------------------------------------


def test_R20_all_are_ready_from_the_lead_on() -> None:
    hand = Position(*ROYAL, lead=2, mode="pairwise", stacks=(1000, 0 + 1, 1000, 1000))
    for seat in (2, 3, 0):
        assert (hand.turn, hand.legal) == (seat, ["ready"])
        hand.play("ready")
    assert not hand.s["ended"]
    assert hand.play("1 ready").s["ended"]


def test_R21_scores_times_the_room() -> None:
    hand = pairwise_table(room=7, rake=0).play(*["ready"] * 4)
    assert hand.result == (63, 189, -105, -147, 0)


def test_R22_equal_fractions_go_to_the_seat_after_the_lead() -> None:
    """Seats 0 and 1 claim 30 and 90 coins of 2: one for each, but with 0.5 and 1.5 left."""
    stacks = (1000, 1000, 1, 1)
    for lead, coins in ((0, (0, 2, -1, -1)), (1, (1, 1, -1, -1))):
        hand = Position(*ROYAL, lead=lead, mode="pairwise", stacks=stacks, rake=0)
        assert hand.play(*["ready"] * 4).coins == coins


# --- Casino (R23–R25) --------------------------------------------------------------------------


def test_R23_hands_of_the_house() -> None:
    """Three of a kind count their points, three faces are above 9; equal ones by faces."""
    assert lay(casino("S3 H3 D3", "SK H10 C9", "SQ HJ CJ", "DQ C10 D9"), "chip1:lose1") == (-10, 10)
    assert lay(casino("S3 H3 D3", "SK H10 C9", "SQ HJ CJ", "DQ C10 D9"), "chip1:win2") == (10, -10)
    assert lay(casino("SK HK CK", "S9 H10 D10", "SQ HJ CJ", "DQ C10 D9"), "chip1:win2") == (0, 0)


PAYS = [  # 莊 has 8 points and a face; 閒 1, spot, what 100 coins bring
    ("S9 D10 H10", "win1", 100),
    ("S9 D10 H10", "lose1", -100),
    ("H8 D10 S10", "win1", -100),
    ("H8 DQ S10", "win1", 0),
    ("H8 DQ S10", "lose1", 0),
    ("H8 D10 S10", "tie1", 800),
    ("S9 D10 H10", "tie1", -100),
    ("SQ HQ DQ", "three1", 1600),
    ("SQ HQ D10", "three1", -100),
    ("SQ SK SA", "pair1", 4000),
    ("SA S2 S3", "pair1", 4000),
    ("SA DK S2", "pair1", -100),
    ("S9 D9 H9", "pair1", 3000),
    ("DQ SK SA", "pair1", 600),
    ("S9 S5 S2", "pair1", 300),
    ("S9 D9 S2", "pair1", 100),
    ("S9 D7 S2", "pair1", -100),
]


@pytest.mark.parametrize(("cards", "spot", "coins"), PAYS)
def test_R24_what_spots_pay(cards: str, spot: str, coins: int) -> None:
    table = casino(
        "C8 CK C10", cards, "H2 H4 D6", "D2 D4 H6", max_pair=900, max_tie=900, max_three=900
    )
    assert lay(table, f"chip3:{spot}") == (coins, -coins)


def test_R24_six_points_win_half_rounded_down() -> None:
    table = casino(*HOUSE, chips=(1, 5, 25))
    assert lay(table, "chip2:win1+chip1:win1+chip1:win1") == (3, -3)
    table = casino("SK D6 H10", "S5 DJ C9", *HOUSE[2:], chips=(1, 5, 25))
    assert lay(table, "chip2:lose1") == (2, -2)
    table = casino(*HOUSE, chips=(1, 5, 25))
    assert lay(table, "chip2:three0+chip1:pair0") == (-6, 6)


def test_R25_limits_of_groups() -> None:
    table = casino(max_main=200, max_tie=50).play("chip3:win1")
    assert "chip3:win2" in table.legal and "chip2:tie1" in table.legal
    assert "chip3:tie1" not in table.legal
    table.play("chip3:lose2")
    assert not {name for name in table.legal if "win" in name or "lose" in name}
    poor = casino(stacks=60).play("chip2:win1")
    assert set(poor.legal) == {"done", *(f"chip1:{s}" for s in SPOTS if s not in ("lose1",))}
    assert casino(max_chips=1, seats=2).play("chip1:pair0").turn == 1


def test_R25_both_sides_are_an_option() -> None:
    assert "chip1:lose1" not in casino().play("chip1:win1").legal
    assert "chip1:lose1" in casino(both_sides=True).play("chip1:win1").legal
    assert "chip1:lose2" in casino().play("chip1:win1").legal


def test_R25_chips_are_concealed_until_all_are_done() -> None:
    table = casino(*HOUSE, seats=3).play("chip1:win1+done")
    assert (table.view(1)["laid"][0, 0] == HIDDEN).all()
    assert table.view(0)["laid"][0, 0, 0] >= 0
    table.play("chip1:win1")
    assert (table.view(0)["laid"][0, 1] == NONE).all()  # as if it had not begun
    table.play("done", "done")
    assert table.view(2)["laid"][0, 0, 0] >= 0


def test_R25_betting_nothing_is_allowed() -> None:
    assert lay(casino(*HOUSE), "") == (0, 0)


# --- Leaving and no answer (R26, R27) ------------------------------------------------------------


def test_R26_a_leaver_is_settled_as_if_it_had_stayed() -> None:
    hands = ("SK D8 H10", "S9 D10 C10", "HK HQ C5", "CJ DJ DQ")
    hand = Position(*hands, banker=0).play("bet 1")
    hand.leave(1).leave(3).play("2 bet 2")
    assert hand.result == (100 * 3 * (2 - 1) - 500, 285, -600, 475, 40)
    banker = Position(*hands, banker=0).play("bet 1")
    banker.leave(0).play("bet 2", "bet 4")
    assert banker.coins == (-1700, 285, -600, 1900)
    assert banker.next_hand().s["joined"][:4].tolist() == [0, 1, 1, 1]


def test_R26_a_grab_of_a_leaver_does_not_count() -> None:
    hand = Position(stacks=(900, 500, 700, 800)).play("0 grab", "1 no")
    hand.leave(0)
    assert hand.seen(3, "answer") == [0, HIDDEN, NONE, NONE]
    assert hand.play("2 grab", "3 no").banker == 2
    hand = Position(stacks=(900, 500, 700, 800)).play("0 grab")
    hand.leave(1)
    assert hand.turn == 2
    hand.leave(3).leave(2)
    assert (hand.banker, hand.phase) == (0, "bet") or hand.s["ended"]


def test_R26_the_last_who_may_bank_banks_and_without_one_the_hand_is_void() -> None:
    hand = Position(stacks=(900, 500, 50, 50)).play("no")
    hand.leave(0)
    assert (hand.banker, hand.phase) == (1, "bet")
    hand = Position(stacks=(900, 500, 50, 50), bank="turns")
    hand.leave(0)
    assert hand.banker == 1
    table = Position(stacks=(900, 900, 50), bank_min=60)
    table.s["away"][:2] = 1
    table.leave(1)
    assert table.s["ended"] and table.s["over"] == 1
    assert table.result == (0, 0, 0, 0)
    assert table.report["reason"] == "void"
    check(GAME, table.s)


def test_R26_in_a_casino_chips_that_lie_stand() -> None:
    table = casino(*HOUSE, seats=2).play("chip3:win1")
    table.leave(0)
    assert table.turn == 1
    assert table.play("done").result == (50, 0, -50)
    waiting = casino(*HOUSE, seats=2)
    waiting.leave(1).play("chip3:win1+done")
    assert waiting.result == (50, 0, -50)


def test_R26_ready_is_said_for_a_leaver() -> None:
    hand = pairwise_table()
    hand.leave(0)
    assert hand.turn == 1
    hand.leave(2)
    assert hand.play("1 ready", "3 ready").coins == (26, 77, -45, -63)


def test_R27_what_the_house_answers() -> None:
    assert Position(stacks=(900, 900)).default == "no"
    assert Position(stacks=(900, 900), bank="turns").default == "no"
    assert Position(NINE, FIVE, banker=0).default == "bet 1"
    assert pairwise_table().default == "ready"
    assert casino().play("chip1:win1").default == "done"


# --- At the table ------------------------------------------------------------------------------


def test_actions_and_their_number() -> None:
    assert ACTIONS.width == 59
    assert (ACTIONS.names[:8], int(DONE)) == (
        ["no", "grab", "bet 1", "bet 2", "bet 3", "bet 4", "ready", "done"],
        7,
    )
    assert ACTIONS.name(8 + 3 * SPOTS.index("pair2") + 2) == "chip1:pair2"
    assert len(KINDS) == 51


@pytest.mark.parametrize(
    ("preset", "plies"), [("banker", 7), ("turns", 7), ("pairwise", 4), ("casino", 32)]
)
def test_longest_matches(preset: str, plies: int) -> None:
    assert GAME.max_plies(GAME.options(preset)) == plies
    assert GAME.max_plies(GAME.options(preset, hands=9)) == 9 * plies


def test_answers_are_redealt_evenly() -> None:
    hand = Position(stacks=(900, 50, 700, 800)).play("0 no", "2 grab")
    seen = hand.redealt(3, 400)["answer"]
    for seat in (0, 2):
        assert 150 < (seen[:, seat] == 1).sum() < 250
    assert (seen[:, [1, 3]] == NONE).all()


def test_a_seat_that_lays_chips_is_redealt_as_not_begun() -> None:
    table = casino(*HOUSE, seats=3).play("chip1:win1+done", "chip2:tie1")
    seen = table.redealt(2, 50)
    assert (seen["laid"][:, 1] == NONE).all()
    assert len({row.tobytes() for row in seen["laid"][:, 0]}) > 20


def test_cards_stay_on_show_until_the_next_deal() -> None:
    hand = Position(NINE, FIVE, banker=0).play("bet 1").next_hand()
    assert card_names(hand.s["cards"][:2]) == [*NINE.split(), *FIVE.split()]
    values = hand.known(0)
    assert values["shown"][0].tolist() == [1, 0, 0, 0, 9, 0]
    assert values["shown"][1].tolist() == [1, 0, 0, 0, 5, 2]
    check(GAME, hand.s)


def test_what_a_seat_observes() -> None:
    hand = Position(NINE, FIVE, "S3 D4 H6", banker=0, stacks=(10_000, 300, 400)).play("1 bet 2")
    values, known = hand.observation(2)
    assert values["mode"].tolist() == [1, 0, 0]
    assert values["phase"].tolist() == [0, 0, 1, 0, 0]
    own, bank, other = values["seats"][:3]
    assert own.tolist() == [1, 0, 0, 4, 0, 0, 0, 0, 0]
    assert bank.tolist() == [1, 0, 0, 100, 1, 0, 0, 0, 0]
    assert other.tolist() == [1, 0, 1, 3, 0, 0, 0, 0, 0]
    assert not known["seats"][2, 8] and known["seats"][:, :8].all()
    assert values["stake"].tolist() == [1, 0.25]
    assert hand.observation(1)[0]["seats"][0, 8] == 2


def test_what_a_seat_observes_in_a_casino() -> None:
    table = casino(*HOUSE, seats=2).play("chip2:win1+chip1:win1+chip1:pair3")
    values = table.known(0)
    assert values["chips"][[SPOTS.index("win1"), SPOTS.index("pair3")]].tolist() == [6, 1]
    assert values["chips"].sum() == 7
    assert values["rooms"].tolist() == [94, 20, 20, 19]
    assert values["chips_left"] == 5
    assert values["seats"][0, :4].tolist() == [1, 0, 0, 1000]
    values = table.known(1)
    assert not values["chips"].any()


def test_units() -> None:
    assert GAME.unit(Position(NINE, FIVE, banker=0, stacks=(9000, 70_050)).s) == 700
    assert GAME.unit(pairwise_table(room=7).s) == 7
    assert GAME.unit(casino(chips=(3, 6, 12)).s) == 3


def test_who_has_answered_is_seen() -> None:
    hand = Position(*ROYAL, lead=2, mode="pairwise").play("ready", "ready")
    assert hand.known(0)["seats"][:4, 2].tolist() == [0, 0, 1, 1]
    assert hand.known(0)["seats"][:4, 5].tolist() == [0, 0, 1, 0]
    table = casino(*HOUSE, seats=3).play("done")
    assert table.known(1)["seats"][:3, 2].tolist() == [0, 0, 1]
    assert table.known(1)["seats"][SEATS - 1].sum() == 0


FAULTS: list[tuple[str, str, Any]] = [
    ("grab", "banker", 1),
    ("grab", "turn", 1),
    ("grab", "phase", "bet"),
    ("grab", "lead", 0),
    ("bet", "turn", 0),
    ("bet", "banker", 2),
    ("bet", "bet", (150, -2, -2, -2, -2, -2)),
    ("ready", "lead", -2),
    ("ready", "joined", (1, 0, 1, 1, 0, 0)),
    ("chips", "banker", 1),
    ("chips", "done", (0, 1, 0, 0, 0, 0)),
]


@pytest.mark.parametrize(("phase", "field", "wrong"), FAULTS)
def test_what_cannot_be_is_refused(phase: str, field: str, wrong: Any) -> None:
    tables = {
        "grab": Position(),
        "bet": Position(NINE, FIVE, "S3 D4 H6", "C3 D5 C6", banker=0),
        "ready": Position(*ROYAL, lead=0, mode="pairwise"),
        "chips": casino(*HOUSE, seats=4),
    }
    table = tables[phase]
    check(GAME, table.s)
    table.s[field] = 2 if wrong == "bet" else wrong
    with pytest.raises(ValueError, match=f"^({field}|answer|turn)"):
        check(GAME, table.s)
