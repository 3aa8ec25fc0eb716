"""Thirteen, clause by clause: layouts in card names, coins worked out by hand."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pytest

from qipai.envs import OptionError, make_tables
from qipai.envs.checking import check
from qipai.envs.kernel import addressable
from qipai.envs.layout import HIDDEN, NONE
from qipai.envs.parts.cards import card_name
from qipai.envs.thirteen import (
    BETTING,
    CARDS,
    GAME,
    HAND,
    LowAce,
    is_below,
    is_foul,
    value_of_five,
    value_of_three,
)
from tests.table import parse_cards
from tests.thirteen_positions import Position, values


def three(text: str) -> int:
    return values(text, value_of_three)


def five(text: str, low_ace: LowAce = LowAce.TOP) -> int:
    return values(text, value_of_five, np.int64(low_ace))


# --- The worked examples -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("better", "worse"),
    [
        ("DA DQ C6", "SA SQ D5"),
        ("DA DQ C5", "SK SQ D6"),
        ("SQ HJ H8", "HQ DJ S8"),
        ("S8 H8 D9", "C8 D8 H4"),
        ("D2 C2 H3", "SA HK DJ"),
        ("D7 C3 S2", "H4 H5 H6"),
    ],
)
def test_E1_fronts(better: str, worse: str) -> None:
    assert three(better) > three(worse)


@pytest.mark.parametrize(
    ("better", "worse"),
    [
        ("HQ DQ S7 S8 S9", "SQ CQ H2 H3 H4"),
        ("S9 D9 HA C7 D4", "H9 C9 SA D7 S4"),
        ("H6 H9 DJ DQ C3", "S2 H5 D7 D8 C10"),
        ("H2 H3 H5 H6 HK", "H4 H7 H8 H9 HJ"),
        ("S9 H8 H7 H6 H5", "H9 S8 S7 S6 S5"),
        ("S2 S3 S4 S5 S7", "HA HK HQ HJ H9"),
        ("S5 S6 S7 S8 S9", "HA HK HQ HJ H10"),
    ],
)
def test_E2_E3_fives(better: str, worse: str) -> None:
    for low_ace in LowAce:
        assert five(better, low_ace) > five(worse, low_ace)


def test_E4_straights_with_an_ace() -> None:
    wheel, broadway, king = "SA D2 D3 D4 C5", "HA SK SQ SJ S10", "SK SQ SJ H10 S9"
    assert five(wheel) > five(broadway) > five(king)
    second, lowest = LowAce.SECOND, LowAce.LOWEST
    assert five(broadway, second) > five(wheel, second) > five(king, second)
    assert five("D2 D3 D4 C5 D6", lowest) > five(wheel, lowest) > five("SA SK SQ HQ CQ", lowest)
    assert five("SA D2 D3 D4 C5", lowest) < five("CA H2 H3 H4 S5", lowest)  # by the 5
    assert five("SJ HQ HK HA H2") < five("D2 C2 D3 D4 D5")


@pytest.mark.parametrize(
    ("front", "middle", "back", "foul"),
    [
        ("SJ HJ CJ", "S10 H10 D10 C2 D3", "SA SK SQ S9 S7", True),
        ("SJ HJ CJ", "SQ HQ DQ C2 D3", "SA SK S4 S9 S7", False),
        ("C2 D3 H5", "S2 S3 S4 S5 S7", "HA HK HQ HJ H9", True),
        ("HA DK C9", "SA HK D9 S7 D6", "SQ HQ D2 D3 D4", False),
        ("SA DK C9", "HA HK D9 S7 D6", "SQ HQ D2 D3 D4", True),
        ("HK DK C4", "SK CK D5 H3 H2", "SA HA D2 C9 C8", False),
        ("SK DK C5", "HK CK D5 H3 H2", "SA HA D2 C9 C8", True),
    ],
)
def test_E5_E6_fouls(front: str, middle: str, back: str, foul: bool) -> None:
    assert is_foul(three(front), five(middle), five(back)) == foul


BANKER = "D10 C4 H3|HA CQ DQ H8 C8|SJ HJ DJ S7 H7"
ONE = "D7 H5 S3|SA CA H9 D9 D8|S6 H6 C6 C2 D2"
TWO = "SQ S8 H2|HK HQ CJ C10 S9|DK D6 D5 D4 D3"
FOUL = "DA H10 H4|SK S10 S5 S4 S2|CK C9 C7 C5 C3"
THREE = "DA H10 H4|CK C9 C7 C5 C3|SK S10 S5 S4 S2"
BETS = (2000, 4000, 10000)


def test_E7_a_foul() -> None:
    hand = Position(BANKER, ONE, TWO, FOUL, bets=BETS).lay()
    assert hand.coins == (8000, -2000, 4000, -10000) and hand.house == 0
    assert hand.report["fouls"] == [3]
    assert hand.report["results"] == [None, "lost", "won", "lost"]
    assert hand.report["types"][1] == "single|two pair|full house"
    assert hand.report["layouts"][2] == "SQ S8 H2|HK HQ CJ C10 S9|DK D6 D5 D4 D3"


def test_E8_no_foul() -> None:
    hand = Position(BANKER, ONE, TWO, THREE, bets=BETS).lay()
    assert hand.coins == (-12000, -2000, 4000, 10000)


BANK_9 = "SK HK D9|S9 H9 H10 D10 C10|HA DA CA SQ HQ"
DRAGON = "S2 H3 D4|C5 S6 H7 D8 C9|S10 HJ DQ CK SA"


@pytest.mark.parametrize(("wins", "coins"), [(True, 6000), (False, -6000)])
def test_E9_a_dragon(wins: bool, coins: int) -> None:
    hand = Position(BANK_9, DRAGON, bets=(6000,), dragon_wins=wins)
    assert bool(hand.s["ended"]) == wins
    assert hand.lay().coins == (-coins, coins)


@pytest.mark.parametrize(
    ("stack", "highest", "levels"),
    [
        (120000, 10000, [2000, 4000, 6000, 8000, 10000]),
        (100001, 8333, [2000, 3583, 5166, 6749, 8333]),
        ((120000, 6500), 10000, [2000, 4000, 6000]),
    ],
)
def test_E10_levels(stack: Any, highest: int, levels: list[int]) -> None:
    hand = Position("", "", stack=stack)
    assert hand.s["max_bet"] == highest
    assert hand.legal == [f"bet {k + 1}" for k in range(len(levels))]
    for k, coins in enumerate(levels):
        hand = Position(BANKER, ONE, stack=stack)
        hand.play(f"bet {k + 1}")
        assert hand.s["bet"][1] == coins


def test_E11_leaving() -> None:
    def laying() -> Position:
        return Position(BANKER, ONE, TWO, FOUL, bets=BETS).lay(1).play("front")

    assert laying().leave(2).lay().coins == (16000, -2000, -4000, -10000)
    assert laying().leave(0).coins == (-16000, 2000, 4000, 10000)
    assert laying().leave(2).leave(0).coins == (-12000, 2000, 0, 10000)


TWELVE = "SA DA HK|DJ D10 C9 S8 H7|D6 C5 C4 S3 H2"


def test_E12_placements_that_can_be_completed() -> None:
    hand = Position("", TWELVE, bets=(2000,), allow_foul=False)
    assert hand.legal == ["front", "middle", "back"]
    assert hand.play("back", "back").legal == ["middle", "back"]
    hand = Position("", TWELVE, bets=(2000,), allow_foul=False)
    hand.play("front", "front")
    assert hand.turn == 0  # two straights behind can be laid in one way only
    assert hand.laid(1, 1) == "fffbbbbbmmmmm"


def test_E12_the_house_layout() -> None:
    hand = Position("", TWELVE, bets=(2000,))
    while hand.turn == 1:
        hand.play(hand.default)
    assert "".join("fmb"[k] for k in hand.s["laid"][1]) == "bffmmmmmfbbbb"


def test_E13_two_fouls_push() -> None:
    hand = Position("D7 H5 S3|S6 H6 C6 C2 D2|SA CA H9 D9 D8", FOUL, bets=(2000,)).lay()
    assert hand.coins == (0, 0)
    assert hand.report["results"] == [None, "push"]


# --- Clauses -------------------------------------------------------------------------------------


def test_R1_52_cards() -> None:
    hand = Position(BANKER, ONE, TWO, FOUL, bets=BETS)
    assert GAME.census(hand.s) == (1,) * CARDS


def test_R2_who_owns_less_than_min_bet_is_not_in() -> None:
    hand = Position(BANKER, ONE, "", stack=(120000, 2000, 1999))
    assert hand.s["joined"].tolist() == [1, 1, 0, 0]
    hand.lay(1)
    assert hand.turn == 0


def test_R3_the_first_banker_is_drawn_from_those_that_may() -> None:
    tables = make_tables("thirteen", 300, seed=3, stack=(24000, 23999, 10**6, 2000))
    found = Counter(int(p) for p in tables.state["banker"])
    assert set(found) == {0, 2}
    assert min(found.values()) > 100


def test_R3_the_highest_bet_stays_for_the_tenure() -> None:
    hand = Position(BANKER, ONE, bets=(10000,), hands=9, tenure=2).lay()
    assert hand.coins == (10000, -10000)
    hand.next_hand()
    assert (hand.s["banker"], hand.s["sat"], hand.s["max_bet"]) == (0, 2, 10000)
    hand.play("bet 1", *(word for _ in range(2) for word in ("bbbbbmmmmmfff",)))
    hand.next_hand()
    assert (hand.s["banker"], hand.s["sat"]) == (1, 1)
    assert hand.s["max_bet"] == hand.s["stack"][1] // 12


def test_R3_a_banker_that_has_left_is_followed_by_the_next() -> None:
    hand = Position(BANKER, ONE, TWO, bets=(2000, 2000), hands=3).leave(0).next_hand()
    assert (hand.s["banker"], hand.s["sat"]) == (1, 1)


def test_R4_the_match_ends() -> None:
    assert Position(BANKER, ONE, bets=(2000,)).lay().s["over"]
    assert not Position(BANKER, ONE, bets=(2000,), hands=2).lay().s["over"]
    assert Position(BANKER, ONE, hands=2, stack=(120000, 3000)).lay().s["over"]
    poor = {"hands": 2, "tenure": 1, "stack": (24000, 5000)}
    assert not Position(BANKER, ONE, **poor).lay().s["over"]  # seat 0 may bank again
    poor["stack"] = (24000, 21000)
    assert Position(BANKER, TWO, **poor).lay().s["over"]


def test_R4_options_that_let_nobody_play() -> None:
    for stack in (23999, (24000, 1999)):
        with pytest.raises(OptionError, match="lets nobody play"):
            make_tables("thirteen", 1, seats=2, stack=stack)


def test_R5_bets_are_concealed_until_all_are_in() -> None:
    hand = Position(BANKER, ONE, TWO, FOUL, bets=(4000, 2000))
    assert hand.turn == 3 and hand.s["phase"] == BETTING
    assert hand.bets_seen(1) == [NONE, 4000, HIDDEN, NONE]
    assert hand.bets_seen(0) == [NONE, HIDDEN, HIDDEN, NONE]
    hand.play("bet 5")
    assert hand.bets_seen(0) == [NONE, 4000, 2000, 10000]


def test_R5_a_single_level_is_bet_unasked() -> None:
    hand = Position(BANKER, ONE, stack=(24000, 9999))
    assert hand.turn == 1 and hand.s["bet"][1] == 2000 and hand.s["placed"] == 0
    assert hand.legal == ["front", "middle", "back"]


def test_R6_cards_are_dealt_from_the_banker_on() -> None:
    hand = Position("", "", "", banker=1)
    deck = hand.s["deck"].copy()
    hand.play("bet 1", "bet 1")
    for place, seat in enumerate((1, 2, 0)):
        assert set(hand.s["cards"][seat]) == {*deck[place : 3 * HAND : 3].tolist()}
    assert (hand.s["deck"][: 3 * HAND] == NONE).all()
    assert hand.s["deck"][3 * HAND :].tolist() == deck[3 * HAND :].tolist()
    assert (hand.view(0)["deck"][0, 3 * HAND :] == HIDDEN).all()


def test_R7_types_in_order() -> None:
    rising = [
        "SA HK HQ HJ H9",
        "D2 C2 D3 D4 D5",
        "D3 C3 D2 C2 D4",
        "D2 C2 H2 D3 D4",
        "D2 D3 D4 D5 C6",
        "D2 D3 D4 D5 D7",
        "D2 C2 H2 D3 C3",
        "D2 C2 H2 S2 D3",
        "D2 D3 D4 D5 D6",
    ]
    assert [value >> 30 for value in map(five, rising)] == list(range(9))
    assert sorted(map(five, rising)) == [five(text) for text in rising]


def test_R8_three_of_a_suit_or_in_a_row_are_single() -> None:
    assert three("S4 S5 S6") < three("D7 C3 S2") < three("D2 C2 D3") < three("D2 C2 H2")


def test_R9_singles() -> None:
    assert five("SA HK HQ HJ H9") > five("HA SK SQ SJ S9") > five("SA HK HQ HJ H8")


def test_R10_a_pair() -> None:
    assert five("HQ DQ S7 S8 S9") > five("SQ CQ H7 H8 D6")
    assert five("SQ CQ H9 H8 D7") > five("HQ DQ S9 S8 S7")


def test_R11_two_pair() -> None:
    assert five("SQ CQ H9 D9 D7") > five("HQ DQ S9 C9 S7") > five("SQ CQ H9 D9 D6")
    assert five("HQ DQ S9 C9 S2") > five("SQ CQ H8 D8 SA")


def test_R12_the_rest_never_matters() -> None:
    assert five("D9 C9 H9 SA HK") == five("D9 C9 H9 D2 C3")
    assert five("D9 C9 H9 SA HA") == five("D9 C9 H9 D2 C2") < five("D10 C10 H10 D2 C2")
    assert five("D9 C9 H9 S9 SA") == five("D9 C9 H9 S9 D2")


def test_R13_straights() -> None:
    assert five("SA D2 D3 D4 C5") > five("HA SK SQ SJ S10") > five("CA H2 H3 H4 S5")
    assert five("DK CQ CJ C10 C9") > five("SQ SJ S10 S9 H8")
    assert five("SQ DJ D10 D9 D8") > five("HQ SJ S10 S9 S8")
    for wrong in ("SJ HQ HK HA H2", "SQ HK HA H2 H3", "SK HA H2 H3 H4"):
        assert five(wrong) >> 30 == 0


def test_R14_flushes() -> None:
    assert five("S2 S3 S4 S5 S7") > five("HA HK HQ HJ H9") > five("HA HK HQ HJ H8")


def test_R15_straight_flushes() -> None:
    assert five("H2 H3 H4 H5 H6") > five("CA CK CQ CJ C10") == five("CA C2 C3 C4 C5")
    assert five("CA C2 C3 C4 C5") > five("CK CQ CJ C10 C9")
    lowest = LowAce.LOWEST
    assert five("C2 C3 C4 C5 C6", lowest) > five("CA C2 C3 C4 C5", lowest)


def test_R16_equal_segments_of_trips_do_not_come_up_but_order_is_strict() -> None:
    assert is_foul(three("D2 C2 D4"), five("HA HK HQ HJ H9"), five("HA HK HQ HJ H9"))


def test_R17_front_and_middle() -> None:
    assert is_below(three("SA HK DQ"), five("D2 C2 D3 D4 D5"))
    assert not is_below(three("D3 C3 D2"), five("SA HK DQ SJ S9"))
    assert is_below(three("HA DK C9"), five("SA HK D9 S7 D6"))
    assert not is_below(three("SA DK C9"), five("HA HK D9 S7 D6"))
    assert is_below(three("SK DK C4"), five("HK CK D5 H3 H2"))
    assert is_below(three("SA HA DA"), five("D2 D3 D4 D5 C6"))


def test_R18_fouls_are_not_on_offer_and_no_layout_ends_in_nothing() -> None:
    hand = Position("", TWELVE, bets=(2000,), allow_foul=False)
    with pytest.raises(ValueError, match="foul"):
        hand.play("ffbbbbbmmmmmf")
    Position("", TWELVE, bets=(2000,)).play("ffbbbbbmmmmmf")
    rng = np.random.default_rng(4)
    for number in range(40):
        hand = Position("", "", hands=9, bets=(2000,), allow_foul=False)
        hand.s["rng"]["key"] = number
        hand.next_hand()
        while not hand.s["ended"]:
            hand.play(str(rng.choice(hand.legal)))
        assert hand.report["fouls"] == []


def test_R19_a_dragon_is_shown_and_laid_by_the_system() -> None:
    hand = Position("", DRAGON, "", bets=(2000, 2000))
    assert hand.turn == 2
    assert hand.laid(0, 1) == hand.laid(2, 1) == "bbbbbmmmmmfff"
    assert hand.seen(2, 1) == "SA CK DQ HJ S10 C9 D8 H7 S6 C5 D4 H3 S2"
    assert hand.s["done"].tolist() == [0, 1, 0, 0]


def test_R20_two_of_three() -> None:
    assert Position(BANKER, ONE, bets=(4000,)).lay().coins == (4000, -4000)
    assert Position(BANKER, TWO, bets=(4000,)).lay().coins == (-4000, 4000)


def test_R21_a_foul_loses() -> None:
    foul = "D7 H5 S3|S6 H6 C6 C2 D2|SA CA H9 D9 D8"
    assert Position(foul, TWO, bets=(2000,)).lay().coins == (-2000, 2000)
    assert Position(TWO, foul, bets=(2000,)).lay().coins == (2000, -2000)


def test_R22_of_two_dragons_the_better_ace_wins() -> None:
    other = "H2 D3 C4|S5 H6 D7 C8 S9|H10 DJ CQ SK HA"
    assert Position(DRAGON, other, bets=(2000,)).coins == (2000, -2000)
    assert Position(other, DRAGON, bets=(2000,)).coins == (-2000, 2000)


def test_R23_exactly_the_bet_and_no_rake() -> None:
    hand = Position(BANKER, ONE, TWO, bets=(4000, 10000)).lay()
    assert hand.coins == (-6000, -4000, 10000) and hand.house == 0


def test_R24_nobody_lays() -> None:
    hand = Position(DRAGON, "", "", bets=(2000, 4000))
    assert hand.coins == (6000, -2000, -4000)
    assert hand.report["layouts"][1] is None
    laid = Position(DRAGON, "", "", bets=(2000, 4000), dragon_wins=False)
    assert not laid.s["ended"] and laid.turn == 1


def test_R24_the_last_that_had_no_dragon_leaves() -> None:
    hand = Position("", DRAGON, "", bets=(2000, 4000)).leave(2)
    assert hand.coins == (2000, 2000, -4000)


def test_R25_a_seat_that_leaves_loses_its_bet() -> None:
    hand = Position(BANKER, ONE, TWO, bets=(4000,))
    hand.leave(1)
    assert hand.turn == 2 and not hand.s["ended"]
    hand.play("bet 5").lay()
    assert hand.coins == (-6000, -4000, 10000)
    assert hand.s["cards"][1].tolist() == [NONE] * HAND
    hand = Position(BANKER, ONE, TWO, bets=(4000,)).leave(2)
    assert hand.lay().coins == (6000, -4000, -2000)


def test_R25_a_seat_that_has_laid_loses_too() -> None:
    hand = Position(BANKER, ONE, TWO, bets=(4000, 10000)).lay(2).leave(2)
    assert hand.lay().coins == (14000, -4000, -10000)


def test_R26_the_banker_leaves_before_all_bets_are_in() -> None:
    hand = Position(BANKER, ONE, TWO, bets=(4000,)).leave(0)
    assert hand.coins == (-6000, 4000, 2000)
    assert hand.report["reason"] == "banker left"


def test_R26_no_cards_are_shown() -> None:
    hand = Position(BANKER, ONE, TWO, bets=(4000, 2000)).lay(1).leave(0)
    assert hand.seen(2, 1) == " ".join("?" * HAND) and hand.laid(2, 1) == "?" * HAND
    assert hand.laid(1, 2) == "-" * HAND
    hand = Position(BANKER, ONE, bets=(4000,)).leave(1)
    assert hand.coins == (4000, -4000) and hand.report["reason"] == "all left"
    assert hand.seen(1, 0) == " ".join("?" * HAND)


def test_R27_no_later_hand_and_the_house_answers() -> None:
    hand = Position(BANKER, ONE, TWO, hands=3)
    assert hand.default == "bet 1"
    hand.play("bet 1", "bet 1").leave(2).lay()
    assert hand.next_hand().s["joined"].tolist() == [1, 1, 0, 0]


def test_R27_a_foul_that_is_begun_is_laid_out() -> None:
    """Where no layout without foul is left, the greatest back of all."""
    hand = Position("", TWELVE, bets=(2000,)).play("front", "front", "middle")
    while hand.turn == 1:
        hand.play(hand.default)
    assert "".join("fmb"[k] for k in hand.s["laid"][1]) == "ffmbbbbbmmmmf"


# --- What is seen, dealt anew, and written -------------------------------------------------------


def test_nobody_sees_how_far_another_is() -> None:
    hand = Position(BANKER, ONE, TWO, bets=(2000, 2000)).play("back", "back")
    assert hand.laid(1, 1) == "bb" + "-" * 11
    assert hand.laid(2, 1) == "-" * HAND and hand.view(2)["placed"][0] == 0
    hand = Position(BANKER, ONE, TWO, bets=(2000, 2000)).lay(1)
    assert hand.laid(2, 1) == "?" * HAND and hand.laid(1, 1).count("f") == 3


def test_observation() -> None:
    hand = Position(BANKER, ONE, TWO, bets=(2000, 4000)).play("back")
    seen = hand.observation(1)[0]
    assert {int(k) for k in np.flatnonzero(seen["cards"])} == {*parse_cards(ONE.replace("|", " "))}
    assert np.flatnonzero(seen["next"]).tolist() == parse_cards("CA")
    assert seen["room"].tolist() == [3, 5, 4]
    assert np.flatnonzero(seen["layouts"][0, 2]).tolist() == parse_cards("SA")
    assert seen["seats"][:3, 4].tolist() == [1, 2, 0]
    assert (seen["seats"][:3, 2].tolist(), seen["max_bet"].tolist()) == ([0, 0, 1], [5])
    known = hand.observation(2)[1]
    assert known["layouts"].all()


def test_redeal_keeps_what_is_known() -> None:
    hand = Position(BANKER, ONE, TWO, FOUL, bets=BETS).lay(1).play("front")
    for table in hand.redealt(2, 50):
        check(GAME, table)
        assert (table["cards"][2] == hand.s["cards"][2]).all()
        assert (table["laid"][2] == hand.s["laid"][2]).all()
        assert table["done"].tolist() == [0, 1, 0, 0] and (table["laid"][1] >= 0).all()
    for table in hand.redealt(3, 50):
        check(GAME, table)
        assert table["turn"] == 2 and table["placed"] == 0 and table["open"].all()


def test_redeal_of_bets_is_even() -> None:
    hand = Position(BANKER, ONE, TWO, bets=(4000,))
    found = Counter(int(b) for b in hand.redealt(2, 2000)["bet"][:, 1])
    assert set(found) == {2000, 4000, 6000, 8000, 10000}
    assert max(abs(n - 400) for n in found.values()) < 100


def test_redeal_gives_no_dragon() -> None:
    """Two seats share what two dragons leave, two cards of each rank: about one deal in 1,270 is
    of dragons."""
    dragons = DRAGON, "H2 D3 C4|S5 H6 D7 C8 S9|H10 DJ CQ SK HA"
    views = Position("", *dragons, "", bets=(2000,) * 3, dragon_wins=False).redealt(1, 10_000)
    ranks = views["cards"][:, 3] // 4
    assert (ranks[:, 1:] == ranks[:, :-1]).any(axis=1).all()
    assert (views["cards"][:, 1] == parse_dragon(dragons[0])).all()


def parse_dragon(layout: str) -> list[int]:
    return sorted(parse_cards(layout.replace("|", " ")), reverse=True)


def test_cards_that_would_be_a_dragon_are_refused() -> None:
    """What a single hidden seat must hold can't be one: it would have been shown."""
    cards = [card for card in range(CARDS) if card % 4 > 0]
    hands = [cards[k : k + HAND] for k in range(0, len(cards), HAND)]
    hand = Position("", *(" ".join(map(card_name, row)) for row in hands), bets=(2000,) * 3)
    assert hand.s["dragon"][0]
    hand.s["dragon"][0], hand.s["done"][0] = 0, 0
    with pytest.raises(ValueError, match=r"dragon|turn|ended"):
        check(GAME, hand.s)


def test_layouts_in_words() -> None:
    hand = Position(BANKER, ONE, bets=(2000,))
    assert GAME.move(hand.s, ONE) == GAME.move(hand.s, letters(ONE))
    assert len(GAME.move(hand.s, ONE)) <= 12
    for wrong in ("bbbbbbbbbbbbb", "DA DK D2|" + ONE.split("|", 1)[1], "bbbbbmmmmmfffff"):
        with pytest.raises(ValueError, match=r"no layout|no action"):
            GAME.parse_move(hand.s, wrong)


def letters(layout: str) -> str:
    where = {
        card: letter
        for letter, part in zip("fmb", layout.split("|"), strict=True)
        for card in parse_cards(part)
    }
    return "".join(where[card] for card in sorted(where, reverse=True))


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        ({"max_bet": 9999}, "max_bet is 9999"),
        ({"sat": 2}, "sat is 2"),
        ({"placed": 2}, "laid"),
        ({"open": [1, 0, 1]}, "open"),
        ({"dragon": [0, 1, 0, 0]}, "dragon"),
        ({"done": [0, 0, 1, 0]}, "done"),
        ({"gone": [0, 0, 1, 0]}, "gone"),
        ({"joined": [1, 1, 0, 0]}, "joined"),
        ({"banker": 1}, "max_bet|bet"),
        ({"shown": True}, "ended|shown"),
    ],
)
def test_what_contradicts_itself_is_refused(change: dict[str, Any], fault: str) -> None:
    hand = Position(BANKER, ONE, TWO, bets=(2000, 2000)).play("back")
    table = addressable(np.array([hand.s], GAME.state))
    check(GAME, table[0])
    for name, value in change.items():
        table[name] = value
    with pytest.raises(ValueError, match=fault):
        check(GAME, table[0])


def test_cards_laid_so_that_only_a_foul_is_left_are_refused() -> None:
    hand = Position("", TWELVE, bets=(2000,), allow_foul=False).play("front")
    hand.s["laid"][1, 1:3], hand.s["placed"], hand.s["open"] = [0, 1], 3, 0
    with pytest.raises(ValueError, match="can only become a foul"):
        check(GAME, hand.s)
