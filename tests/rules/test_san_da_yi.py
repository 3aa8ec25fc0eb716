"""Rules of san da yi by clause, with the sheet's worked examples (E1–E14)."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from qipai.envs import OptionError, make
from qipai.envs.checking import check
from qipai.envs.layout import HIDDEN, NONE
from qipai.envs.parts.auction import AUCTION, PLAY
from qipai.envs.parts.ranks import RANK_NAMES, SMALL_JOKER, cards_text
from qipai.envs.san_da_yi import DECK, GAME, SEATS
from tests.san_da_yi_positions import Position
from tests.table import Table

PASSES = ["pass"] * 3


def dealt(**options: Any) -> Position:
    """A table that has just been dealt, at random."""
    return Position.of(Table("san_da_yi", **options).deal().table)


def moves(hand: str, **options: Any) -> dict[str, str]:
    """What a landlord on lead with this hand may play, and the cards of each move."""
    return Position(hand, **options).moves()


# --- Deal and auction ----------------------------------------------------------------------------


def test_R1_two_packs_with_four_jokers() -> None:
    assert DECK.sum() == 108 and (DECK[:SMALL_JOKER] == 8).all()
    assert DECK[SMALL_JOKER:].tolist() == [2, 2]
    assert (*"3456789TJQKA2", "SJ", "BJ") == RANK_NAMES
    assert GAME.census(dealt().s) == tuple(DECK)


def test_R2_four_seats() -> None:
    assert dealt().seats == 4
    with pytest.raises(OptionError, match="seats=3"):
        make("san_da_yi", seats=3)


def test_R3_25_cards_each_and_eight_at_the_bottom() -> None:
    s = dealt().s
    assert s["cards"].sum(axis=1).tolist() == s["left"].tolist() == [25] * 4
    assert s["bottom"].sum() == 8


def test_R4_the_first_bidder_is_drawn_anew_for_every_deal() -> None:
    table = dealt(hands=200, redeals=9)
    firsts = []
    for _ in range(40):
        firsts.append(table.turn)
        assert table.s["first"] == table.turn
        table.play(*["bid:pass"] * 4)
        if table.s["ended"]:
            table.next_hand()
    assert set(firsts) == {0, 1, 2, 3}


def test_R5_E5_each_seat_calls_once_and_a_three_ends_it() -> None:
    table = Position()
    for calls, landlord, bid in (
        (["pass", "1", "2", "pass"], 1, 2),
        (["pass", "3"], 0, 3),
    ):
        table = dealt()
        table.s["first"] = table.s["turn"] = 3
        table.play(*(f"bid:{call}" for call in calls))
        assert (table.s["phase"], table.s["landlord"], table.s["bid"]) == (PLAY, landlord, bid)
        assert table.turn == landlord


def test_R5_a_bid_is_above_every_earlier_one() -> None:
    table = dealt()
    assert table.legal == ["bid:pass", "bid:1", "bid:2", "bid:3"]
    assert table.play("bid:2").legal == ["bid:pass", "bid:3"]
    assert table.play("bid:pass").legal == ["bid:pass", "bid:3"]


def test_R6_E5_after_four_passes_there_is_a_new_deal() -> None:
    table = dealt(redeals=2)
    before = table.s["cards"].copy()
    table.play(*["bid:pass"] * 4)
    assert (table.s["phase"], table.s["thrown"]) == (AUCTION, 1)
    assert (table.s["calls"] == NONE).all() and (table.s["cards"] != before).any()
    table.play(*["bid:pass"] * 8)
    assert table.coins == (0, 0, 0, 0)
    assert table.report["reason"] == "all passed"


@pytest.mark.parametrize("shown", [True, False])
def test_R7_the_bottom_joins_the_landlords_hand(shown: bool) -> None:
    table = dealt(show_bottom=shown)
    bottom, seat = table.s["bottom"].copy(), table.turn
    before = table.s["cards"][seat].copy()
    assert (table.view(seat)["bottom"] == HIDDEN).all()
    table.play("bid:3")
    assert (table.s["cards"][seat] == before + bottom).all()
    assert table.left[seat] == 33
    for other in range(SEATS):
        seen = table.view(other)["bottom"][0]
        assert (seen == (bottom if shown or other == seat else HIDDEN)).all()


# --- Play ----------------------------------------------------------------------------------------


def test_R8_three_passes_give_the_lead_back() -> None:
    table = Position("33445566", "777888", "9999TT", "JJJQQQ")
    assert "pass" not in table.legal
    table.play("33", "1 pass", "2 TT", "3 pass", "0 pass")
    assert "77" not in table.legal and table.turn == 1
    table.play("1 pass")
    assert table.turn == 2 and table.s["move"] == NONE
    assert "pass" not in table.legal and "99" in table.legal


def test_R8_E12_a_seat_may_pass_and_may_play_again_after_a_pass() -> None:
    table = Position("7734", "889SJ", landlord=0).play("77")
    assert table.legal == ["pass", "88", "99"]
    table = Position("3344", "5566", "7788", "99TT").play("33", "pass", "77", "99", "pass")
    assert table.legal == ["pass"] and table.turn == 1


def test_R9_jokers_alone_are_themselves() -> None:
    assert set(moves("SJSJBJBJ")) == {
        "SJ", "BJ", "SJSJ", "SJBJ", "BJBJ", "jokers:3", "jokers:4",
    }  # fmt: skip
    table = Position("224567", "SJSJ34", "SJBJ34", "BJBJ34").play("22")
    table.play("SJSJ", "SJBJ", "BJBJ", *PASSES)
    assert table.turn == 3


def test_R9_E9_one_natural_card_and_all_jokers() -> None:
    found = moves("5SJSJBJBJ")
    assert set(found) == {
        "5", "55", "555", "5555", "55555", "SJ", "BJ", "SJSJ", "SJBJ", "BJBJ", "jokers:3",
        "jokers:4",
    }  # fmt: skip
    assert found["jokers:3"] == "SJSJBJ"


def test_R10_E6_moves_of_a_small_hand() -> None:
    assert set(moves("AA33SJ")) == {"3", "33", "333", "A", "AA", "AAA", "AAA+33", "SJ"}


def test_R10_the_shortest_triple_run_is_an_option() -> None:
    assert "333444" not in moves("333444")
    assert "333444" in moves("333444", run3_min=2)
    assert "333444555" in moves("333444555")


def test_R10_E8_bombs() -> None:
    assert set(moves("7777SJ")) == {"7", "77", "777", "7777", "77777", "SJ"}
    assert moves("777SJ")["77"] == "77"
    assert moves("777SJBJ")["7777"] == "777SJ"
    found = moves("AAASJBJ")
    assert {"AAAA", "AAAAA"} < set(found)
    assert not [name for name in found if "+" in name]


def test_R11_E10_runs_with_twos() -> None:
    found = set(moves("QQKKAA2233"))
    assert {"AA2233", "KKAA22", "QQKKAA22"} < found
    assert not {"KKAA2233", "QQKKAA2233"} & found
    found = set(moves("AA22SJSJ"))
    assert "KKAA22" in found and "AA2233" not in found
    assert "TJQKA" in moves("TJQKA2") and "JQKA2" not in GAME.actions.names


def test_R11_a_run_from_the_low_end_stops_at_the_king() -> None:
    names = GAME.actions.names
    assert "22334455667788" + "99TTJJQQKK" in names
    assert "22334455667788" + "99TTJJQQKKAA" not in names
    assert "33445566778899TTJJQQKKAA22" in names


def test_R12_E7_small_jokers_stand_in_before_big_ones() -> None:
    found = moves("77889SJBJ")
    assert found["778899"] == "77889SJ"
    assert found["789TJ"] == "789SJBJ"
    assert "89TJQ" not in found


def test_R12_E13_what_a_joker_proves() -> None:
    table = Position("7SJ55").play("77")
    assert table.void[0] == "7"
    table = Position("45678BJ").play("456789")
    assert table.void[0] == "9SJ"
    table = Position("3SJSJBJBJ").play("jokers:3")
    assert table.void[0] == "SJ"
    assert Position("SJBJ34").play("SJBJ").void[0] == ""
    assert Position("KKAA33SJ").play("AAA+xx", "+33").void[0] == "A"


def test_R13_E6_E14_a_full_is_read_as_high_as_it_can() -> None:
    table = Position("KKAA33SJ")
    assert {"AAA+xx", "KKK+xx"} == {name for name in table.legal if "+" in name}
    assert table.copy().play("AAA+xx").legal == ["+33", "+KK"]
    table.play("KKK+xx")  # no choice: the pair is played at once
    assert table.s["body"] == NONE
    assert cards_text(table.s["table_cards"]) == "33KKSJ"


def test_R13_E7_a_run_is_read_as_high_as_it_can() -> None:
    found = moves("45678SJ")
    assert "456789" in found and "345678" not in found


def test_R13_cards_that_are_two_kinds_are_what_is_named() -> None:
    found = moves("56SJSJBJ")
    assert found["56789"] == found["666+55"] == "56SJSJBJ"


def test_R14_E11_what_beats_what() -> None:
    order = [
        "3333", "2222", "33333", "22222", "jokers:3", "333333", "222222", "3333333", "2" * 12,
        "jokers:4",
    ]  # fmt: skip
    hands = {"jokers:3": "SJSJBJ", "jokers:4": "SJSJBJBJ", "2" * 12: "22222222SJSJBJBJ"}
    for i, lower in enumerate(order):
        for k, higher in enumerate(order):
            first, second = (hands.get(name, name) + "45" for name in (lower, higher))
            table = Position(first, second).play(lower)
            forced = table.turn != 1  # nothing beats four jokers
            assert (not forced and higher in table.moves()) == (k > i), (lower, higher)


@pytest.mark.parametrize(
    ("lower", "higher", "beats"),
    [
        ("22", "22", False),
        ("AA2233", "334455", True),
        ("QQKKAA", "KKAA22", True),
        ("334455", "AA2233", False),
        ("34567", "345678", False),
        ("AAA+33", "222+33", True),
        ("AAA+33", "KKK+22", False),
    ],
)
def test_R14_same_kind_and_size_and_higher(lower: str, higher: str, beats: bool) -> None:
    first, second = (name.replace("+", "") for name in (lower, higher))
    table = Position(first + "9", second + "TT").play(lower)
    assert (higher in table.moves()) == beats


def test_R14_bombs_beat_every_other_kind() -> None:
    table = Position("334455667", "8888999").play("334455")
    assert set(table.legal) == {"pass", "8888"}


def test_R15_the_first_seat_without_cards_wins() -> None:
    assert Position("33", "44").play("33").report["reason"] == "landlord out"
    table = Position("334", "445").play("33", "44", "pass", "pass")
    assert table.report["reason"] == "farmer out"
    assert table.report["winner"] == 1


# --- Settlement ----------------------------------------------------------------------------------


def farmer_out(landlord: int, **more: Any) -> Position:
    """The seat after the landlord goes out."""
    hands = ["567"] * 4
    hands[landlord], hands[(landlord + 1) % 4] = "334", "445"
    return Position(*hands, landlord=landlord, **more).play("33", "44", "pass", "pass")


def test_R16_E1_farmers_win() -> None:
    table = Position("567", "334", "567", "44", landlord=1, bid=2).play("33", "pass", "44")
    assert table.coins == (2, -6, 2, 2)


def test_R16_E2_landlord_wins() -> None:
    assert Position("33", bid=3, stake=10).play("33").coins == (90, -30, -30, -30)


def test_R17_E3_a_short_landlord_pays_in_shares() -> None:
    table = farmer_out(2, bid=2, stack=(100, 100, 4, 100))
    assert table.coins == (1, 1, -4, 2)


def test_R17_a_short_farmer_pays_what_it_has() -> None:
    table = Position("33", bid=3, stack=(10, 1, 2, 10)).play("33")
    assert table.coins == (6, -1, -2, -3)


@pytest.mark.parametrize(
    ("seat", "coins"), [(0, (-6, 0, 6, 0)), (2, (2, 2, -6, 2))], ids=["farmer", "landlord"]
)
def test_R18_E4_leaving_in_play(seat: int, coins: tuple[int, ...]) -> None:
    table = Position(landlord=2, bid=2).leave(seat)
    assert table.coins == coins
    assert table.s["over"] and table.report["reason"] == "a seat left"


@pytest.mark.parametrize(("calls", "owed"), [([], 15), (["bid:2"], 30)])
def test_R18_E4_leaving_in_the_auction(calls: list[str], owed: int) -> None:
    table = dealt(stake=5)
    table.play(*calls).leave(3)
    assert table.s["coins"].tolist() == [0, 0, 0, -owed]
    assert table.house == owed


def test_R18_a_leaver_pays_at_most_its_stack_and_composes_nothing() -> None:
    table = Position("AA33KKSJ", bid=3, stack=(5, 9, 9, 9)).play("AAA+xx")
    assert table.s["body"] != NONE
    table.leave(0)
    assert table.coins == (-5, 2, 2, 1)
    assert table.s["body"] == NONE
    assert Position(bid=3, stack=(5, 4, 9, 9)).leave(1).coins == (4, -4, 0, 0)


def test_R19_what_the_house_plays() -> None:
    assert dealt().default == "bid:pass"
    table = Position("KKAA33SJ", "44")
    assert table.default == "3"
    assert table.copy().play("AAA+xx").default == "+33"
    assert table.play("33").default == "pass"
    assert Position("SJBJ").default == "SJ"


def test_R20_stacks_are_carried_over_and_a_poor_seat_ends_the_match() -> None:
    table = Position("33", bid=2, stake=5, hands=3, stack=(20, 20, 15, 14)).play("33")
    assert table.s["stack"].tolist() == [50, 10, 5, 4]
    assert table.s["over"]
    table = Position("33", bid=2, stake=5, hands=3, stack=(20, 20, 15, 15)).play("33")
    assert not table.s["over"]


# --- What the engine plays -----------------------------------------------------------------------


def test_the_last_card_of_a_seat_on_lead_is_played() -> None:
    assert Position("334").play("33", *PASSES).s["winner"] == 0


def test_passes_after_four_jokers_and_of_short_hands_are_played() -> None:
    table = Position("SJSJBJBJ34", "5555666").play("jokers:4")
    assert table.turn == 0 and table.s["move"] == NONE
    assert table.s["log_count"] == 4
    table = Position("333445", "55", "9999", "6").play("333+44")
    assert table.turn == 2 and table.s["passes"] == 1
    table = Position("3345", "55", "99", "6").play("33")
    assert table.turn == 1  # two cards could beat it


# --- What a seat sees ----------------------------------------------------------------------------


def test_a_full_being_composed_is_seen_by_its_seat_only() -> None:
    table = Position("KKAA33SJ", "4455").play("AAA+xx")
    assert table.view(0)["body"][0] != NONE
    assert table.view(1)["body"][0] == NONE
    assert table.observation(0)[0]["body"].sum() == 1


def redealt_hands(table: Position, seat: int) -> np.ndarray:
    views = table.redealt(seat, 200)
    for view in views[:20]:
        check(GAME, view)
    return np.asarray(views["cards"])


def played_on(**options: Any) -> Position:
    """A hand at random, some way into the play."""
    table = dealt(**options).play("bid:3")
    rng = np.random.default_rng(3)
    while table.s["log_count"] < 40 and not table.s["ended"]:
        table.play(str(rng.choice(table.legal)))
    return table


def test_a_redeal_keeps_the_landlords_bottom_cards() -> None:
    table = dealt().play("bid:3")
    lord = int(table.s["landlord"])
    for seat in range(SEATS):
        hands = redealt_hands(table, seat)
        assert (hands[:, seat] == table.s["cards"][seat]).all()
        assert (hands[:, lord] >= table.s["bottom"]).all()


def test_a_redeal_keeps_voids() -> None:
    seen = 0
    table = played_on()
    void = table.s["void"].astype(bool)
    for seat in range(SEATS):
        hands = redealt_hands(table, seat)
        for other in range(SEATS):
            assert not hands[:, other, :14][:, void[other]].any()
            seen += int(void[other].sum())
    assert seen > 0


def test_an_unseen_bottom_is_dealt_from_the_landlords_cards() -> None:
    table = dealt(show_bottom=False).play("bid:3")
    lord = int(table.s["landlord"])
    views = table.redealt((lord + 1) % SEATS, 300)
    assert (views["bottom"].sum(axis=1) == 8).all()
    assert (views["bottom"] <= views["cards"][:, lord]).all()
    assert len(np.unique(views["bottom"], axis=0)) > 250


# --- Words ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("hand", "text", "steps"),
    [
        ("334455667", "554433", ["334455"]),
        ("TTT33", "10 10 10+33".replace(" ", ""), ["TTT+xx"]),
        ("TTT3344", "TTT+44", ["TTT+xx", "+44"]),
        ("TTT3344", "33TTT", ["TTT+xx", "+33"]),
        ("45678SJ", "45678SJ", ["456789"]),
        ("777SJ", "777SJ", ["7777"]),
        ("KKAA33SJ", "AASJ+33", ["AAA+xx", "+33"]),
        ("SJSJBJBJ", "sjsjbjbj", ["jokers:4"]),
        ("QQKKAA22", "22AAKK", ["KKAA22"]),
    ],
)
def test_moves_are_read_in_any_order_and_with_their_jokers(
    hand: str, text: str, steps: list[str]
) -> None:
    assert GAME.move(Position(hand).s, text) == steps


def test_what_is_no_move_is_named() -> None:
    table = Position("56SJSJBJ")
    with pytest.raises(ValueError, match="'57' can't be played now; in hand are 56SJSJBJ"):
        GAME.move(table.s, "57")
    with pytest.raises(ValueError, match="'X' is no rank"):
        GAME.move(table.s, "4X")
    with pytest.raises(ValueError, match="'56SJSJBJ' has several meanings: 56789, 666"):
        GAME.move(table.s, "56SJSJBJ")


# --- Records that contradict themselves ---------------------------------------------------------


@pytest.mark.parametrize(
    ("field", "place", "value", "error"),
    [
        ("bottom", 0, 7, "bottom has not 8 cards"),
        ("left", 1, 24, r"left\[1\] is 24: after what was played it is"),
        ("void", (1, 3), 1, "void"),
        ("log_count", (), 9, "log_"),
        ("owner", (), 1, "owner is 1: by landlord and log_count 0"),
        ("passes", (), 1, "log_cards does not end with a move"),
        ("table_cards", 0, 8, "table_cards is not what move takes"),
        ("winner", (), 1, "winner is 1"),
        ("turn", (), 3, "turn is 3"),
        ("move", (), int(GAME.parse("4444")), "table_cards is not what move takes"),
        ("body", (), int(GAME.parse("444+xx")), "body is 444"),
    ],
)
def test_play_that_contradicts_itself_is_refused(
    field: str, place: Any, value: int, error: str
) -> None:
    table = dealt()
    table.s["first"] = table.s["turn"] = 0
    table.play("bid:3")
    table.play(next(name for name in table.legal if len(name) == 1))
    check(GAME, table.s)
    record = table.table.copy()
    record[field][(0, *np.atleast_1d(place))] = value
    with pytest.raises(ValueError, match=f"^{error}"):
        check(GAME, record[0])


def test_a_view_in_which_voids_leave_no_place_is_refused() -> None:
    table = dealt().play("bid:3")
    seat = (table.turn + 1) % SEATS
    view = table.view(seat)[0]
    view["void"][[p for p in range(SEATS) if p != seat], SMALL_JOKER] = 1
    assert GAME.contradiction(view) is not None
