"""Zui mahjong, clause by clause: positions in tile names, values and coins from the rule sheet."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest

from qipai.envs import make_tables
from qipai.envs.checking import check
from qipai.envs.kernel import addressable
from qipai.envs.layout import HIDDEN, NONE
from qipai.envs.match import engine
from qipai.envs.parts.tiles import COPIES, TILE_NAMES, parse_tile, parse_tiles, tile_names
from qipai.envs.parts.wall import CLAIM, DRAWN, OVER, PONGED, ROB, SEATS, WALL
from qipai.envs.zui_mahjong import (
    ACTIONS,
    GAME,
    best_pair,
    is_one,
    may_kong,
    ready_discards,
    reserve_of,
    waits_of,
)
from tests import mahjong_positions
from tests.mahjong_positions import Position


def position(hands: Mapping[int, str], /, *, ready: tuple[int, ...] = (), **more: Any) -> Position:
    """The turn of a seat in the middle of a hand; ``ready`` seats have declared early on."""
    made = mahjong_positions.position("zui_mahjong", hands, **more)
    for place, seat in enumerate(ready):
        made.s["river_seat"][place] = seat
        made.s["ready"][seat] = place
    check(GAME, made.s)
    return made


def deal(*hands: str, **more: Any) -> Position:
    return mahjong_positions.deal("zui_mahjong", *hands, **more)


def kinds(bits: int) -> list[str]:
    return [name for kind, name in enumerate(TILE_NAMES) if int(bits) >> kind & 1]


def pass_until(table: Position, seat: int) -> None:
    """The others decline until a seat is asked to win."""
    while table.turn != seat or table.s["phase"] != ROB:
        table.play("pass")


def won(
    hand: str,
    tile: str,
    how: str = "discard",
    *,
    melds: str = "",
    others: Mapping[int, str] | None = None,
    ready: bool = False,
    **options: Any,
) -> Position:
    """Seat 2 wins: by an own draw, on a discard of seat 0, or by robbing a kong of seat 3."""
    laid = {**({2: melds} if melds else {}), **(others or {})}
    if how == "rob":
        laid[3] = f"pong {tile} 0"
    turn = {"draw": 2, "discard": 0, "rob": 3}[how]
    table = position(
        {2: hand}, turn=turn, draws=tile, melds=laid, left=60, ready=(2,) * ready, **options
    )
    if how == "discard":
        table.play(f"discard {tile}")
    if how == "rob":
        table.play(f"akong {tile}")
    if how != "draw":
        pass_until(table, 2)
    return table.play("win")


def value(*args: Any, **more: Any) -> int:
    return int(won(*args, **more).report["value"])


def items(table: Position) -> set[str]:
    return {name for name, _ in table.report["items"]}


# --- Worked examples -----------------------------------------------------------------------------

FIRST = "EEE RDRDRD 9m"
FIRST_MELDS = "ckong 2m, pong 5m 3"
SECOND = "123456m 789s EE 34p"


def test_E1_both_suits_of_triplets() -> None:
    table = won(FIRST, "9m", "draw", melds=FIRST_MELDS)
    assert table.report["value"] == 110
    assert items(table) == {"混一色", "對對胡", "底", "夭九頭", "自摸", "暗扛"}
    assert table.coins == (-110, -110, 330, -110)
    assert won(FIRST, "9m", "draw", melds=FIRST_MELDS, stake=3).coins == (-330, -330, 990, -330)
    assert won(FIRST, "9m", melds=FIRST_MELDS).coins == (-100, 0, 100, 0)
    assert won(FIRST, "9m", melds=FIRST_MELDS, discarder_triple=True).coins == (-300, 0, 300, 0)


def test_E2_plain_hands_and_a_robbed_kong() -> None:
    assert value("123456m 789s E 345p", "E") == 10
    assert value("123456m 789s EE 35p", "4p") == 20
    assert value("123456m 789s 99s 35s", "4s") == 30
    assert value(SECOND, "5p", "rob") == 60
    assert value(SECOND, "5p", "rob", zui_value=3) == 46
    assert value(SECOND, "5p", "draw", others={0: "pong 5p 1"}) == 70


def test_E3_straights() -> None:
    assert value("123456789m 234m 5m", "5m", "draw", ready=True) == 100
    assert value("123456789m 5m", "5m", melds="kong E 0") == 80
    assert value("123m 456p 789s 5m", "5m", melds="kong E 0") == 20
    assert value("123m 456p 789s 5m", "5m", melds="kong E 0", dragon_loose=True) == 50


def test_E4_seven_pairs_only_when_ready() -> None:
    pairs = "112233m 445566p 7s"
    assert value(pairs, "7s") == 10
    assert value(pairs, "7s", ready=True) == 60
    table = position({2: "1199m 3355p 77s EE RD"}, turn=2, draws="RD")
    assert "win" not in table.legal
    assert value("1199m 335p 77s EE RDRD", "5p", "draw", ready=True) == 80
    assert value("1111m 3355p 7p EE RDRD", "7p", "draw", ready=True) == 100


def test_E5_the_reading_with_the_highest_value() -> None:
    assert value("111222333444m 5m", "5m") == 80
    assert value("1123456789999m", "1m", "draw") == 110
    assert value("1112345678999m", "5m") == 50
    assert value("11122233344m 55s", "5s") == 50  # three triplets and 44m, or 11m and three runs


def test_E6_terminals_honours_and_dragons() -> None:
    assert value("123456m 789p 99p EE", "E") == 30
    assert value("123456m EEE W 789m", "W") == 70
    assert value("EEESSS W RDRDRD", "W", melds="pong GD 0") == 70
    dragons = "kong RD 0, pong GD 1, ckong E"
    assert value("WDWDWD 9p", "9p", melds=dragons) == 160
    assert value("WDWDWD 9p", "9p", melds=dragons, dragons_each=True) == 240
    laid = "kong RD 0, pong S 1"
    assert value("234m 678s 9p", "9p", melds=laid, dragons_each=True) == 80


def test_E7_small_options() -> None:
    cow = "111m 123m 456m E"
    assert value(cow, "E", melds="pong 5s 0") == 30
    assert value(cow, "E", melds="pong 5s 0", xiaoniu=False) == 20
    assert value("23m 456m 789s 55p 345p", "1m", wenqian="pair") == 20
    assert value("123456p 99p EE", "E", melds="pong S 0", wenqian="eight") == 60


@pytest.mark.parametrize(
    ("hand", "waited"),
    [
        ("23m 456p 789s 111s EE", ["1m", "4m"]),
        ("13m 456p 789s 111s EE", ["2m"]),
        ("1199m 3355p 77s EE RD", ["RD"]),
    ],
)
def test_E8_waits(hand: str, waited: list[str]) -> None:
    s = position({2: hand}, turn=0).s
    assert kinds(waits_of(s, np.int64(2))) == waited
    assert bool(is_one(waits_of(s, np.int64(2)))) == (len(waited) == 1)


def test_E8_no_wait_for_pairs_unless_ready() -> None:
    table = position({2: "1199m 3355p 77s EE RD"}, turn=0, draws="RD")
    table.play("discard RD")
    assert table.turn != 2 or table.s["phase"] != ROB


@pytest.mark.parametrize(
    ("hand", "tile", "discards"),
    [
        ("234m 456p 789s 111s E", "E", ["3m", "5p", "7s", "8s", "E"]),
        ("13456m 456p 789s EE", "E", ["3m", "6m", "E"]),
        ("23m 456p 789s 111s EE", "RD", []),
    ],
)
def test_E8_discards_that_declare_ready(hand: str, tile: str, discards: list[str]) -> None:
    table = position({2: hand}, turn=2, draws=tile)
    assert kinds(ready_discards(table.s, np.int64(2))) == discards
    assert ("ready" in table.legal) == bool(discards)
    if discards:
        table.play("ready")
        assert table.legal == [f"discard {name}" for name in discards]


def test_E9_short_stacks() -> None:
    laid = {3: FIRST_MELDS.replace(" 3", " 0")}
    table = position(
        {3: FIRST}, turn=3, draws="9m", melds=laid, left=60, stack=(1000, 40, 110, 1000)
    )
    assert table.play("win").coins == (-110, -40, -110, 260)
    robbed = position(
        {0: SECOND},
        turn=3,
        draws="5p",
        melds={3: "pong 5p 1"},
        left=60,
        zui_value=70,
        stack=(1000, 1000, 1000, 70),
    )
    robbed.play("akong 5p")
    pass_until(robbed, 0)
    robbed.play("win")
    assert robbed.report["value"] == 180
    assert robbed.coins == (70, 0, 0, -70)


def test_E9_leaving() -> None:
    assert position({}, turn=0, stack=1000).leave(1).coins == (50, -150, 50, 50)
    short = position({}, turn=0, stack=(1000, 100, 1000, 1000))
    assert short.leave(1).coins == (33, -100, 34, 33)


@pytest.mark.parametrize(
    ("winner", "rule", "head"),
    [
        (0, "rotate", 0),
        (2, "rotate", 1),
        (NONE, "rotate", 0),
        (2, "winner", 2),
        (NONE, "winner", 0),
    ],
)
def test_E9_the_next_head(winner: int, rule: str, head: int) -> None:
    table = position({}, turn=0, hands=3, head_rule=rule)
    table.s["winner"] = winner
    table.s["ended"] = True
    assert int(table.next_hand().s["dealer"]) == head


def test_E10_the_reserve() -> None:
    for melds, reserve in (("", 14), ("ckong 1m", 16), ("ckong 1m, ckong 2m", 18)):
        s = position({}, turn=0, melds={1: melds} if melds else {}).s
        assert reserve_of(s) == reserve
    three = position({}, turn=0, melds={1: "ckong 1m, ckong 2m, ckong 3m"}).s
    assert reserve_of(three) == 20
    hand = {0: "1111m 258p 369s ESW"}
    assert "ckong 1m" in position(hand, turn=0, draws="9m", left=18).legal
    assert "ckong 1m" not in position(hand, turn=0, draws="9m", left=17).legal


HEAD = "19m 19p 19s ESWN RDGDWD"
NEXT = "123456m 789p 46s EE"
OPPOSITE = "55s 222333p 678s WW"
LAST = "147m 258p 369s SN 78m"


def example_hand() -> Position:
    return deal(HEAD, NEXT, OPPOSITE, LAST, draws="5s W")


def test_E11_a_whole_hand() -> None:
    table = example_hand()
    table.play("0 discard 5s", "1 pass", "2 pass")
    assert table.legal == ["pong", "pass"]
    table.play("2 pong", "2 ready")
    assert table.legal == ["discard 7s", "discard W"]
    table.play("2 discard W", "3 discard W", "2 win")
    assert items(table) == {"底", "叫聽", "缺一門"}
    assert table.coins == (0, 0, 30, -30)
    table.s["rules"]["hands"] = 3
    assert int(table.next_hand().s["dealer"]) == 1


def test_E11_the_second_seat_wins_instead() -> None:
    table = example_hand().play("0 discard 5s", "1 win")
    assert table.coins == (-10, 10, 0, 0)
    table.s["rules"]["hands"] = 3
    assert int(table.next_hand().s["dealer"]) == 1


# --- Clauses -------------------------------------------------------------------------------------

WAITING = "13m 456p 789s 111s EE"  # waits for 2m alone
OTHER = "147m 258p 369s ESW N"


def asked(table: Position) -> tuple[int, int]:
    return table.turn, int(table.s["phase"])


def ready_seat(seat: int = 1, **more: Any) -> Position:
    """Seat 0 has drawn 2m; ``seat`` is ready and waits for it."""
    return position({seat: WAITING}, turn=0, draws="2m", left=60, ready=(seat,), **more)


def test_R1_tiles() -> None:
    table = Position("zui_mahjong").deal()
    assert GAME.census(table.s) == (COPIES,) * len(TILE_NAMES)
    assert TILE_NAMES[-7:] == ("E", "S", "W", "N", "RD", "GD", "WD")


def test_R2_four_seats_in_playing_order() -> None:
    table = position({0: OTHER, 1: OTHER.replace("N", "RD")}, turn=0, draws="GD", left=60)
    assert SEATS == 4
    table.play("discard GD")
    while table.s["phase"] in (CLAIM, ROB):
        table.play("pass")
    assert table.turn == 1


def test_R3_the_first_head_is_random() -> None:
    heads = make_tables("zui_mahjong", 400, seed=1).state["dealer"]
    assert all(70 < count < 130 for count in np.bincount(heads, minlength=SEATS))


def test_R4_the_order_of_the_deal() -> None:
    hands = [HEAD, NEXT, OPPOSITE, LAST]
    table = deal(*hands, draws="5s W", last="3p 4p", dealer=0)
    assert tile_names(table.s["tiles"][1]) == tile_names(
        np.bincount(parse_tiles(NEXT), minlength=len(TILE_NAMES))
    )
    assert table.turn == 0 and table.s["drawn"] == parse_tile("5s")
    assert int(table.s["front"]) == 53 and int(table.s["back"]) == WALL - 1


def test_R5_a_turn() -> None:
    table = position({0: "1111m 258p 369s ESW"}, turn=0, draws="9m", left=60)
    offered = {action.split()[0] for action in table.legal}
    assert offered == {"discard", "ckong"}


def test_R6_a_pong_then_a_discard_and_nothing_else() -> None:
    table = position({2: "22m 3333p 456s 789s E"}, turn=0, draws="2m", left=60)
    table.play("discard 2m", "2 pong")
    assert asked(table) == (2, PONGED)
    assert {action.split()[0] for action in table.legal} <= {"discard", "ready"}


def test_R7_a_kong_on_a_discard_draws_from_the_end() -> None:
    table = position({2: "222m 147p 258s ESWN"}, turn=0, draws="2m", last="RD", left=60)
    table.play("discard 2m", "2 kong")
    assert asked(table) == (2, DRAWN)
    assert table.s["drawn"] == parse_tile("RD")
    assert table.report["melds"][2] == ["kong 2m fed by 0"]


def test_R8_a_concealed_kong() -> None:
    table = position({0: "1111m 258p 369s ESW"}, turn=0, draws="9m", last="RD", left=60)
    table.play("ckong 1m")
    assert table.s["drawn"] == parse_tile("RD") and table.report["melds"][0] == ["ckong 1m"]


def test_R9_an_added_kong_is_made_when_nobody_robs_it() -> None:
    hand = {3: "179p 369s ESWN", 1: SECOND}
    table = position(hand, turn=3, draws="5p", melds={3: "pong 5p 0"}, last="RD", left=60)
    table.play("akong 5p", "1 pass")
    assert table.report["melds"][3] == ["akong 5p"]
    assert asked(table) == (3, DRAWN) and table.s["drawn"] == parse_tile("RD")


def test_R9_a_robbed_kong_is_not_made() -> None:
    table = won(SECOND, "5p", "rob")
    assert table.report["reason"] == "robbed" and table.report["melds"][3] == ["pong 5p"]
    assert table.coins == (0, 0, 60, -60)
    assert GAME.census(table.s) == (COPIES,) * len(TILE_NAMES)
    check(GAME, table.s)


def test_R9_a_ready_seat_robs_a_kong() -> None:
    table = won(SECOND.replace("34p", "46p"), "5p", "rob", ready=True)
    assert {"絕張胡", "叫聽"} <= items(table)


def test_R10_at_the_reserve_seats_are_only_asked_to_win() -> None:
    table = position({1: WAITING, 2: "22m 147p 258s ESWNRD"}, turn=0, draws="2m", left=15)
    assert not may_kong(table.s)
    table.play("discard 2m")
    assert asked(table) == (1, ROB)
    table.play("pass")
    assert table.s["ended"] and table.report["reason"] == "draw"
    assert table.coins == (0, 0, 0, 0)


def test_R11_runs_of_honours_are_no_sets() -> None:
    table = position({0: "123456m 789p ESW E"}, turn=0, draws="E", left=60)
    assert "win" not in table.legal


def test_R12_a_ready_seat_discards_what_it_draws() -> None:
    table = position({1: WAITING}, turn=0, draws="9m RD GD", left=60, ready=(1,))
    before = int(table.s["discards"])
    table.play("discard 9m")
    while table.s["phase"] in (CLAIM, ROB):
        table.play("pass")
    assert table.s["river"][before + 1] == parse_tile("RD")
    assert table.s["river_seat"][before + 1] == 1


def test_R12_a_ready_seat_may_decline_its_own_draw() -> None:
    table = position({1: WAITING}, turn=1, draws="2m", left=60, ready=(1,))
    assert table.legal == ["discard 2m", "win"]
    table.play("discard 2m")
    assert not table.s["ended"]


def test_R12_a_ready_seat_makes_no_pong() -> None:
    table = position({1: WAITING}, turn=0, draws="E", left=60, ready=(1,))
    table.play("discard E")
    assert asked(table) != (1, CLAIM)


def test_R12_others_see_the_declaration_only_with_its_discard() -> None:
    table = position({0: "234m 456p 789s 111s E"}, turn=0, draws="E", left=60)
    before = table.view(1)
    table.play("ready")
    assert table.view(1).tobytes() == before.tobytes()
    assert table.view(0)["declaring"][0]
    table.play("discard 3m")
    assert table.s["ready"][0] == table.s["discards"] - 1


def test_R12_a_whole_move() -> None:
    table = position({0: "234m 456p 789s 111s E"}, turn=0, draws="E", left=60)
    table.play("ready+discard 3m")
    assert table.s["ready"][0] != NONE


def test_R12_four_of_the_kind_in_the_own_melds_are_no_wait() -> None:
    table = position({0: "46p 456s EE"}, turn=1, melds={0: "kong 5p 1, pong 1m 2"}, left=60)
    assert waits_of(table.s, np.int64(0)) == 0


def test_R13_the_first_seat_to_accept_wins_alone() -> None:
    hands = {1: SECOND, 3: SECOND.replace("EE", "SS")}
    table = position(hands, turn=2, draws="5p", left=60)
    table.play("discard 5p")
    assert asked(table) == (3, ROB)
    table.play("3 pass")
    assert asked(table) == (1, ROB)
    table.play("1 win")
    assert table.coins == (0, 20, -20, 0)


def test_R13_a_seat_that_can_win_and_claim_is_asked_twice() -> None:
    table = position({2: "123456m 55p 789s EE"}, turn=0, draws="5p", left=60)
    table.play("discard 5p")
    assert asked(table) == (2, ROB)
    table.play("pass")
    assert asked(table) == (2, CLAIM)


def test_R14_units() -> None:
    assert value("123456m 789s EE 35p", "4p", zui_value=1) == 2


def test_R15_all_suits_together() -> None:
    assert "清一色" in items(won("111222333444m 5m", "5m"))
    assert "混一色" in items(won("123456m EEE W 789m", "W"))
    assert "一條龍" in items(won("123456789m 5m", "5m", melds="kong E 0"))


def test_R16_kongs_count_in_the_winners_hand_only() -> None:
    table = won(FIRST, "9m", "draw", melds=FIRST_MELDS, others={0: "ckong 8p"})
    assert table.report["value"] == 110


def test_R17_exclusive_items() -> None:
    table = won("111222333444m 5m", "5m")
    assert items(table) & {"清一色", "混一色", "缺一門"} == {"清一色"}


def test_R18_who_pays() -> None:
    own = won("123456m 789s EE 35p", "4p", "draw")
    assert own.coins == (-30, -30, 90, -30)
    fed = won("123456m 789s EE 35p", "4p")
    assert fed.coins == (-20, 0, 20, 0)


def test_R19_the_winner_gets_what_comes_in() -> None:
    fed = won("123456m 789s EE 35p", "4p", stack=(7, 100, 100, 100))
    assert fed.coins == (-7, 0, 7, 0)


def test_R20_leaving_in_the_middle_of_a_question() -> None:
    hand = {3: "179p 369s ESWN", 1: SECOND}
    table = position(hand, turn=3, draws="5p", melds={3: "pong 5p 0"}, left=60)
    table.play("akong 5p")
    table.leave(2)
    assert table.coins == (50, 50, -150, 50) and table.s["over"]
    assert table.report["melds"][3] == ["pong 5p"]
    check(GAME, table.s)


def test_R21_no_answer() -> None:
    assert position({1: WAITING}, turn=1, draws="2m", left=60).default == "win"
    assert position({1: WAITING}, turn=1, draws="9p", left=60).default == "discard 9p"
    table = ready_seat().play("discard 2m")
    assert table.default == "win"
    claim = position({2: "22m 147p 258s ESWNRD"}, turn=0, draws="2m", left=60)
    assert claim.play("discard 2m").default == "pass"
    declaring = position({0: "234m 456p 789s 111s E"}, turn=0, draws="E", left=60)
    assert declaring.play("ready").default == "discard E"


def test_R22_the_match_ends_when_a_seat_is_short() -> None:
    table = position({2: "123456m 789s EE 35p"}, turn=0, draws="4p", left=60, stack=29, hands=9)
    table.play("discard 4p")
    pass_until(table, 2)
    table.play("win")
    assert table.coins == (-20, 0, 20, 0) and table.s["over"]


# --- What a seat sees ----------------------------------------------------------------------------


def test_redealt_ready_seats_wait_for_exactly_one_kind() -> None:
    table = ready_seat(seat=2)
    for seat in (0, 1, 3):
        for s in table.redealt(seat, 60):
            check(GAME, s)
            assert is_one(waits_of(addressable(np.array([s]))[0], np.int64(2)))


def test_a_redealt_ready_seat_in_its_turn_has_a_drawn_tile() -> None:
    table = position({1: WAITING}, turn=1, draws="2m", left=60, ready=(1,))
    assert table.view(0)["drawn"][0] == HIDDEN
    for s in table.redealt(0, 20):
        assert s["tiles"][1][s["drawn"]] > 0 and s["tiles"][1].sum() == 14


def test_questions_are_rebuilt_for_seats_that_are_not_asked() -> None:
    """Whoever is asked in a redealt hand can answer, or can only pass."""
    table = ready_seat(seat=1).play("discard 2m")
    mask = np.zeros((1, ACTIONS.width), np.int8)
    for s in table.redealt(3, 200):
        one = addressable(np.array([s]))
        assert s["phase"] in (CLAIM, ROB) and s["turn"] not in (0, 3)
        engine(GAME).mask_tables(one, np.zeros(1, np.int64), mask)
        assert mask[0, GAME.parse("pass")]
        assert not (s["ready"][s["turn"]] != NONE and mask[0, GAME.parse("pong")])


def test_a_hand_that_was_won_is_shown_and_others_stay_hidden() -> None:
    table = won(FIRST, "9m", melds=FIRST_MELDS)
    view = table.view(1)[0]
    assert (view["tiles"][2] == table.s["tiles"][2]).all()
    assert (view["tiles"][[0, 3]] == HIDDEN).all() and table.s["phase"] == OVER


@pytest.mark.parametrize("field", ["ready", "declaring"])
def test_what_cannot_be_is_named(field: str) -> None:
    table = position({0: OTHER}, turn=0, draws="9p", left=60)
    table.s[field] = 1
    with pytest.raises(ValueError, match=rf"^{field}"):
        check(GAME, table.s)


def test_a_hand_that_is_not_complete_has_no_reading() -> None:
    s = position({0: OTHER}, turn=0, draws="9p", left=60).s
    assert best_pair(s, np.int64(0)) == NONE


def test_a_whole_declaration_with_one_discard() -> None:
    table = position({2: "13m 456p 789s 111s EE"}, turn=2, draws="N")
    with pytest.raises(ValueError, match="ready goes with discard N"):
        table.play("ready+discard 1m")
    assert table.s["ready"][2] == NONE
    table.play("ready+discard N")
    assert table.s["ready"][2] != NONE
    assert table.turn != 2


@pytest.mark.parametrize("left", [60, 15])
def test_seats_asked_without_a_choice_can_only_pass(left: int) -> None:
    """A redeal in which nobody can take the tile, with a ready seat next or at the reserve."""
    hands = {1: "13m 456s 777p 888p 99p", 3: "123m 456p 789s 111s E"}
    table = position(hands, turn=0, draws="E", left=left, ready=(1,)).play("discard E")
    assert table.s["phase"] == ROB
    for row in table.redealt(2, 300):
        check(GAME, row)
        dealt = Position.of("zui_mahjong", addressable(np.array([row])))
        if "win" not in dealt.legal and dealt.s["ready"][dealt.turn] != NONE:
            assert dealt.legal == ["pass"]
            dealt.play("pass")
        check(GAME, dealt.s)
