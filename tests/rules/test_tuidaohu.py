"""Tuidaohu, clause by clause: positions in tile names, coins worked out by hand from the sheet."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from qipai.agents.rule import rule_bot
from qipai.envs import OptionError, make, make_tables
from qipai.envs.checking import check
from qipai.envs.kernel import addressable
from qipai.envs.layout import HIDDEN, NONE
from qipai.envs.match import engine
from qipai.envs.parts.tiles import COPIES, KINDS, TILE_NAMES, parse_tile, parse_tiles, tile_names
from qipai.envs.parts.wall import CLAIM, DRAWN, OVER, PONGED, ROB, SEATS, WALL
from qipai.envs.tuidaohu import GAME, hit_by, horse_count
from qipai.envs.wire import dumps, loads
from tests.records import values_of
from tests.table import ONE
from tests.tuidaohu_positions import Position, deal, position

PLAIN: dict[str, Any] = {"horses_max": 0}
SMALL = "123m 456p 567s 99s EE"  # small with E
BIG = "1122m 3344p 5566s W"  # seven pairs with W
CLEAN = "111222333m 5m"  # one suit with 5m, beside one meld
KONGS = {0: "kong 1p 2", 1: "akong 2p 0", 3: "ckong 9m"}
NO_CLAIM = "147m 147p 147s ESWN"


def options_for(horses: str) -> dict[str, Any]:
    """k and the end of the wall that make these the horses."""
    count = len(parse_tiles(horses))
    return {"last": horses, "streak": max(count, 1), **({} if count else PLAIN)}


def discards(tiles: str) -> list[str]:
    """The names of the discards of these tiles."""
    return [f"discard {TILE_NAMES[tile]}" for tile in parse_tiles(tiles)]


def outcome(hand: str, melds: str = "") -> str:
    """``small``, the kinds of a big hand, or ``none`` for concealed tiles won by the last one."""
    names = tile_names(np.bincount(parse_tiles(hand), minlength=KINDS))
    last = TILE_NAMES[parse_tiles(hand)[-1]]
    names.remove(last)
    laid = {1: melds} if melds else None
    table = position({1: " ".join(names)}, melds=laid, turn=1, draws=last)
    if "win" not in table.legal:
        return "none"
    table.play("win")
    return " ".join(table.report["kinds"]) or str(table.report["size"])


# --- The worked examples -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("horses", "dealer", "coins"),
    [
        ("", 0, (-2, -2, 6, -2)),
        ("3p", 0, (2, -4, 6, -4)),
        ("5m", 0, (-4, -2, 8, -2)),
        ("GD", 0, (-4, -2, 8, -2)),
        ("8s", 0, (-4, -2, 8, -2)),
        ("3p", 1, (-2, -4, 8, -2)),
    ],
)
def test_E1_a_small_win_by_the_own_draw(horses: str, dealer: int, coins: tuple[int, ...]) -> None:
    table = position({2: SMALL}, turn=2, draws="E", dealer=dealer, **options_for(horses))
    table.play("win")
    assert table.coins == coins
    assert table.s["house"] == 0


@pytest.mark.parametrize(
    ("hand", "draws", "horses", "coins"),
    [
        (SMALL, "E", "1s 7m", (12, -4, -4, -4)),
        (SMALL, "E", "2m", (6, -2, -2, -2)),
        (BIG, "W", "9p RD E 5s", (60, -20, -20, -20)),
    ],
)
def test_E2_the_dealer_wins(hand: str, draws: str, horses: str, coins: tuple[int, ...]) -> None:
    table = position({0: hand}, turn=0, draws=draws, **options_for(horses))
    table.play("win")
    assert table.coins == coins


@pytest.mark.parametrize(
    ("horses", "coins"), [("", (-4, -3, -10, 17)), ("7s 1m N", (-8, -3, -14, 25))]
)
def test_E3_kongs_of_all_seats(horses: str, coins: tuple[int, ...]) -> None:
    table = position({3: CLEAN}, melds=KONGS, turn=3, draws="5m", dealer=1, **options_for(horses))
    table.play("win")
    assert table.coins == coins


@pytest.mark.parametrize(
    ("konger", "hand", "horses", "coins"),
    [
        (1, "123m 46p 789s 111s EE", "", (0, -6, 0, 6)),
        (1, "123m 46p 789s 111s EE", "4p", (6, -12, 0, 6)),
        (1, "123m 46p 789s 111s EE", "6p", (-6, -6, 0, 12)),
        (1, "123m 46p 789s 111s EE", "7p", (0, -6, 0, 6)),
        (0, "46p 111222p 789p 99p", "4p E", (-24, 0, 0, 24)),
    ],
)
def test_E4_a_robbed_kong(konger: int, hand: str, horses: str, coins: tuple[int, ...]) -> None:
    table = position(
        {3: hand, 2: NO_CLAIM.replace("E", "S")},
        melds={konger: "pong 5p 2"},
        turn=konger,
        draws="5p",
        **options_for(horses),
    )
    table.play("akong 5p", "3 win")
    assert table.coins == coins


@pytest.mark.parametrize(
    ("dealer", "horses", "coins"),
    [(0, "", (0, 9, -9, 0)), (0, "2m 3m", (0, 15, -15, 0)), (1, "5m 4m", (0, 15, -15, 0))],
)
def test_E5_a_win_on_the_replacement_of_a_fed_kong(
    dealer: int, horses: str, coins: tuple[int, ...]
) -> None:
    setting = options_for(horses)
    setting["last"] = "6s " + horses
    table = position({1: "EEE 123m 456p 78s 99s"}, turn=2, draws="E", dealer=dealer, **setting)
    table.play("2 discard E", "1 kong", "1 win")
    assert table.report["size"] == "small"
    assert table.coins == coins


def test_E5_only_the_kong_just_made_counts() -> None:
    table = position({1: "EEE 888s 123m 45p 99p"}, turn=2, draws="E", last="8s 6p 2m")
    table.play("2 discard E", "1 kong", "1 ckong 8s", "1 win")
    assert table.coins == (0, 15, -9, -6)


@pytest.mark.parametrize(("pay", "coins"), [(False, (0, 0, 0, 0)), (True, (0, 1, -6, 5))])
def test_E6_kongs_in_a_drawn_hand(pay: bool, coins: tuple[int, ...]) -> None:
    table = position(
        {3: CLEAN}, melds=KONGS, turn=3, draws="RD", left=1, dealer=1, kongs_in_draw=pay
    )
    table.play("discard RD")
    assert table.report["reason"] == "draw"
    assert table.coins == coins


@pytest.mark.parametrize(("winner", "dealer", "streak"), [(NONE, 2, 1), (1, 1, 4), (0, 0, 1)])
def test_E6_dealer_and_k(winner: int, dealer: int, streak: int) -> None:
    turn = max(winner, 0)
    table = position(
        {turn: SMALL}, turn=turn, draws="E", left=9 if winner >= 0 else 1,
        dealer=1, streak=3, hands=2,
    )  # fmt: skip
    table.play("discard E" if winner == NONE else "win")
    table.next_hand()
    assert (table.s["dealer"], table.s["streak"]) == (dealer, streak)
    assert table.turn == dealer


def test_E6_horses_by_k() -> None:
    table = position({}, turn=0)
    counts = []
    for k in (1, 2, 3, 4, 5, 9):
        table.s["streak"] = k
        counts.append(int(horse_count(table.s)))
    assert counts == [1, 2, 3, 4, 4, 4]


def test_E7_the_pool_is_shared_in_proportion() -> None:
    table = position(
        {0: BIG}, melds={1: "ckong 9m"}, turn=0, draws="W", last="1m", stack=(500, 500, 7, 500)
    )
    table.play("win")
    assert table.report["points"] == [22, -2, -10, -10]
    assert table.coins == (19, -2, -7, -10)
    table = position(
        {2: SMALL}, melds={3: "akong 9m 1"}, turn=2, draws="E", stake=10,
        stack=(500, 1, 500, 500), **PLAIN,
    )  # fmt: skip
    table.play("win")
    assert table.coins == (-30, -1, 26, 5)
    table = position(
        {0: BIG}, melds={2: "ckong 9m, ckong 9p, kong 9s 1"}, turn=0, draws="W",
        stack=(50, 3, 50, 50), **PLAIN,
    )  # fmt: skip
    table.play("win")
    assert table.coins == (5, -3, 6, -8)


@pytest.mark.parametrize(
    ("options", "coins", "house"),
    [
        ({"stack": 5}, (0, 0, -5, 0), 5),
        ({"stack": 100, "stake": 10}, (0, 0, -80, 0), 80),
        ({"escape_to": "players"}, (3, 2, -8, 3), 0),
    ],
)
def test_E8_leaving(options: dict[str, Any], coins: tuple[int, ...], house: int) -> None:
    table = position({2: SMALL}, turn=2, draws="E", hands=5, **options)
    table.leave(2)
    assert table.coins == coins
    assert table.s["house"] == house
    assert table.s["over"]


@pytest.mark.parametrize(
    ("hand", "melds", "found"),
    [
        ("111222333m 456p 99s", "", "small"),
        ("123456789m EEE WW", "", "small"),
        ("RDRDRD GDGDGD WDWD 234m 888p", "", "small"),
        ("111m 555p 888s 22m", "pong N 0", "small"),
        ("123456789m 11155m", "", "清一色"),
        ("1111m 3344p 5566s EE", "", "七對子"),
        ("112233m 445566p 77s", "", "七對子"),
        ("111222333m 444m 99s", "", "四暗刻"),
        ("111m 555p 888s 22m", "ckong N", "四暗刻"),
        ("22m", "kong 1m 0, akong 5p 2, ckong 8s, kong N 3", "十八羅漢"),
        ("RDRDRD 234m 88p", "pong GD 2, ckong WD", "大三元"),
        ("EE 456s", "pong S 0, kong W 2, pong N 3", "小四喜"),
        ("19m 19p 19s ESWN RDGDWD E", "", "十三麼"),
        ("11m 22p 33s EE SS WW RDGD", "", "none"),
        ("89p 1s 11122233355m", "", "none"),
        ("6p 4s", "pong 1m 0, pong 2m 0, pong 3m 0, pong 5m 0", "none"),
        ("444p 222234m 555s WDWD", "", "small"),
    ],
)
def test_E9_hands(hand: str, melds: str, found: str) -> None:
    assert outcome(hand, melds) == found


def example_10() -> Position:
    return deal(
        "5p 123456m 99m EE SS",
        "46p 123p 456s 789s WW",
        "55p 123479s NN RD GD WD",
        NO_CLAIM,
        draws="RD 9m GD 1m 5p",
        last="7m",
    )


def test_E10_a_hand() -> None:
    table = example_10()
    assert (table.s["dealer"], table.s["streak"], table.turn) == (0, 1, 0)
    table.play("0 discard 5p")
    assert (table.turn, table.legal) == (2, ["pong", "pass"])
    table.play("2 pong")
    assert table.legal == discards("1234s 79s N RDGDWD")
    table.play("2 discard 1s", "3 discard 9m")
    assert (table.turn, table.legal) == (0, ["pong", "pass"])
    table.play("0 pass", "0 discard GD", "1 discard 1m", "2 akong 5p")
    assert (table.turn, table.legal) == (1, ["win", "pass"])
    table.play("1 win")
    assert table.coins == (-6, 12, -6, 0)
    assert table.report["horses"] == [["7m", 2]]
    assert table.report["size"] == "small"


def test_E10_had_the_robber_passed() -> None:
    table = example_10()
    table.play("discard 5p", "pong", "discard 1s", "discard 9m", "pass", "discard GD")
    table.play("discard 1m", "akong 5p", "1 pass")
    assert (table.turn, table.wall_left) == (2, 78)
    assert TILE_NAMES[table.s["drawn"]] == "7m"


def test_E10_the_winner_deals_next() -> None:
    table = example_10()
    table.s["rules"]["hands"] = 2
    table.play("discard 5p", "pong", "discard 1s", "discard 9m", "pass", "discard GD")
    table.play("discard 1m", "akong 5p", "win")
    table.next_hand()
    assert (table.s["dealer"], table.s["streak"]) == (1, 1)


# --- Tiles, seats, deal ------------------------------------------------------------------------


def test_R1_136_tiles_shuffled_afresh() -> None:
    tables = make_tables("tuidaohu", 200, seed=1)
    for s in tables.state:
        assert GAME.census(s) == (COPIES,) * KINDS
    assert len({row.tobytes() for row in tables.state["wall"]}) == 200
    assert " ".join(TILE_NAMES[8:10] + TILE_NAMES[27:]) == "9m 1p E S W N RD GD WD"


def test_R2_four_seats() -> None:
    with pytest.raises(OptionError, match="seats=3 is not allowed; allowed: 4"):
        make_tables("tuidaohu", 1, seats=3)
    table = position({}, turn=3)
    assert table.turn == 3


def test_R3_the_first_dealer_is_random() -> None:
    tables = make_tables("tuidaohu", 4000, seed=3)
    counts = np.bincount(tables.state["dealer"], minlength=4)
    assert (abs(counts - 1000) < 150).all()
    assert (tables.turn == tables.state["dealer"]).all()
    assert (tables.state["streak"] == 1).all()


def test_R3_dealer_and_k_over_a_match() -> None:
    table = deal(NO_CLAIM, SMALL, "258m 258p 258s RD GD WD S", "369m 369p 369s RD GD WD S",
                 draws="N E", hands=9)  # fmt: skip
    table.play("0 discard N", "1 win")
    dealers = [(0, 1)]
    for k in range(3):  # seat 1 keeps winning
        table.next_hand()
        dealers.append((int(table.s["dealer"]), int(table.s["streak"])))
        fresh = position({1: SMALL}, turn=1, draws="E", dealer=1, streak=k + 1, hands=9)
        fresh.s["hand"] = k + 1
        table = fresh
        table.play("win")
    table.next_hand()
    dealers.append((int(table.s["dealer"]), int(table.s["streak"])))
    assert dealers == [(0, 1), (1, 1), (1, 2), (1, 3), (1, 4)]


@pytest.mark.parametrize("dealer", range(4))
def test_R4_order_of_the_wall(dealer: int) -> None:
    wall = np.random.default_rng(dealer).permutation(WALL) // COPIES
    dealt = [wall[13 * k : 13 * k + 13] for k in range(4)]
    hands = [""] * 4
    for k in range(4):
        hands[(dealer + k) % 4] = " ".join(TILE_NAMES[t] for t in dealt[k])
    names = [TILE_NAMES[t] for t in wall]
    table = deal(*hands, draws=" ".join(names[52:56]), last=names[135], dealer=dealer)
    assert (table.turn, table.wall_left) == (dealer, 83)
    assert table.hand(dealer) == tile_names(np.bincount(wall[[*range(13), 52]], minlength=34))
    assert table.s["drawn"] == wall[52]
    assert table.s["held"].tolist() == [14 if p == dealer else 13 for p in range(4)]


def test_R4_draws_from_the_front_replacements_from_the_end() -> None:
    table = deal("EEEE 147m 147p 147s", "258m 258p 258s SSWW", "369m 369p 369s RDRDGDGD",
                 "258m 369p 147s NN WDWD", draws="N 9m", last="9s 8s")  # fmt: skip
    table.play("ckong E")
    assert TILE_NAMES[table.s["drawn"]] == "9s"
    assert table.wall_left == 82
    table.play("discard 9s")
    assert (table.turn, TILE_NAMES[table.s["drawn"]]) == (1, "9m")
    assert table.wall_left == 81


# --- Turns, claims, kongs ----------------------------------------------------------------------


def test_R5_a_turn() -> None:
    table = position({1: "1112m EEE 456p 789s"}, turn=1, draws="1m")
    assert table.legal == [*discards("12m 456p 789s E"), "ckong 1m"]
    table.play("discard E")
    assert " ".join(table.hand(1)) == "1m 1m 1m 1m 2m 4p 5p 6p 7s 8s 9s E E"
    table = position({1: SMALL}, turn=1, draws="E")
    assert table.legal == [*discards("123m 456p 5679s E"), "win"]


def claims() -> Position:
    """Seat 1 discards E, of which seat 3 has two; seat 2 could go on with nothing."""
    return position(
        {
            3: "EE 123m 456p 789s 46s",
            2: "147m 147p 147s SWN RD",
            0: "258m 258p 258s SWN RD",
            1: "369m 369p 369s SWN RD",
        },
        turn=1,
        draws="E",
        river="WD",
    )


def test_R6_pong() -> None:
    table = claims()
    table.play("1 discard E")
    assert (table.turn, table.s["phase"], table.legal) == (3, CLAIM, ["pong", "pass"])
    table.play("pong")
    assert (table.turn, table.s["phase"]) == (3, PONGED)
    assert GAME.report(table.s)["melds"][3] == ["pong E"]
    assert table.s["held"][3] == 11
    assert all(name.startswith("discard") for name in table.legal)
    before = table.wall_left
    table.play("discard 9s")
    assert (table.turn, table.wall_left) == (0, before - 1)


def test_R6_no_kong_and_no_win_after_a_pong() -> None:
    table = position({3: "EE 1111m 444p 55s 99s"}, turn=2, draws="E")
    table.play("discard E", "3 pong")
    assert table.legal == discards("1m 4p 59s")


def test_R6_no_win_with_the_rest_after_a_pong() -> None:
    table = position({3: "EEE 123m 456p 789s 9s"}, turn=2, draws="E")
    table.play("discard E", "3 pong")  # E is left over with 123m 456p 789s 9s
    assert not any(name in table.legal for name in ("win", "akong E"))


def test_R7_kong_on_a_discard() -> None:
    table = position({0: "EEE 123m 456p 78s 99s"}, turn=2, draws="E", last="6s 5m")
    table.play("discard E")
    assert (table.turn, table.legal) == (0, ["pong", "kong", "pass"])
    table.play("kong")
    assert GAME.report(table.s)["melds"][0] == ["kong E fed by 2"]
    assert (table.turn, table.s["phase"], table.s["feeder"]) == (0, DRAWN, 2)
    assert TILE_NAMES[table.s["drawn"]] == "6s"
    assert "win" in table.legal and "discard 1m" in table.legal


def test_R8_concealed_kong() -> None:
    table = position({0: "111m 4444p EEE 789s"}, turn=0, draws="1m", last="E 2s")
    assert [n for n in table.legal if "kong" in n] == ["ckong 1m", "ckong 4p"]
    table.play("ckong 4p", "ckong E", "ckong 1m")
    assert GAME.report(table.s)["melds"][0] == ["ckong 4p", "ckong E", "ckong 1m"]
    assert table.s["held"][0] == 5
    view = table.view(2)[0]
    assert view["meld_tile"][0, :3].tolist() == [parse_tile(n) for n in ("4p", "E", "1m")]


def test_R9_added_kong() -> None:
    table = position({0: "5p 123m 789s EEE"}, melds={0: "pong 5p 2"}, turn=0, draws="9m", last="8m")
    assert [n for n in table.legal if "kong" in n] == ["akong 5p"]  # not the tile just drawn
    table.play("akong 5p")
    assert GAME.report(table.s)["melds"][0] == ["akong 5p"]
    assert (table.turn, TILE_NAMES[table.s["drawn"]], table.s["feeder"]) == (0, "8m", NONE)


def test_R9_a_pong_is_not_added_to_in_the_same_turn() -> None:
    table = position({3: "EEE 123m 456p 789s 9s"}, turn=2, draws="E")
    table.play("discard E", "3 pong")
    assert "akong E" not in table.legal


@pytest.mark.parametrize(("left", "kongs"), [(1, []), (2, ["ckong 1m", "akong 5p"])])
def test_R10_a_kong_needs_a_tile_in_the_wall(left: int, kongs: list[str]) -> None:
    table = position({0: "111m 5p 789s EEE"}, melds={0: "pong 5p 2"}, turn=0, draws="1m", left=left)
    assert [name for name in table.legal if "kong" in name] == kongs


def test_R11_if_nobody_claims_the_next_seat_draws() -> None:
    table = claims()
    table.play("1 discard E", "3 pass")
    assert (table.turn, table.s["phase"]) == (2, DRAWN)
    table = claims()
    table.s["tiles"][3, parse_tile("E")] -= 1
    table.s["tiles"][3, parse_tile("9p")] += 1
    table.play("1 discard E")  # nobody can claim, nobody is asked
    assert (table.turn, table.s["phase"]) == (2, DRAWN)


def test_R12_no_win_on_a_discard() -> None:
    table = position({2: SMALL}, turn=1, draws="E")
    table.play("discard E")  # completes 2, who may pong only
    assert (table.turn, table.legal) == (2, ["pong", "pass"])


def test_R12_a_win_may_be_declined() -> None:
    table = position({2: SMALL, 3: NO_CLAIM.replace("E", "S")}, turn=2, draws="E RD RD RD E")
    table.play("discard E")
    while table.turn != 2 or table.s["phase"] != DRAWN:
        table.play("pass" if "pass" in table.legal else "discard RD")
    assert "win" in table.legal


def test_R12_a_win_on_a_replacement() -> None:
    table = position({2: "111m 456p 567s 9s EEE"}, turn=2, draws="1m", last="9s")
    table.play("ckong 1m", "win")
    assert table.report["winner"] == 2


def robbery(**options: Any) -> Position:
    """Seat 2 adds 5p to its pong, which completes seats 3 and 1, asked in this order."""
    return position(
        {
            3: "46p 123m 789s 111s EE",
            1: "46p 789m 456s 222s SS",
            0: "147m 258s 369s RD GD WD N",
        },
        melds={2: "pong 5p 0"},
        turn=2,
        draws="5p",
        last="9p",
        river="W",
        **options,
    )


def test_R13_the_first_to_accept_wins_alone() -> None:
    table = robbery()
    table.play("2 akong 5p")
    assert (table.turn, table.s["phase"], table.legal) == (3, ROB, ["win", "pass"])
    table.play("win")
    assert (table.report["winner"], table.report["reason"]) == (3, "robbed")
    assert table.report["melds"][2] == ["pong 5p"]
    assert table.report["payer"] == 2
    assert GAME.census(table.s) == (COPIES,) * KINDS
    assert "5p" in table.report["tiles"]


def test_R13_passed_by_the_first_taken_by_the_second() -> None:
    table = robbery(**PLAIN)
    table.play("2 akong 5p", "3 pass", "1 win")
    assert table.report["winner"] == 1
    assert table.coins == (0, 6, -6, 0)


def test_R13_passed_by_all_the_kong_is_made() -> None:
    table = robbery()
    table.play("2 akong 5p", "3 pass", "1 pass")
    assert (table.turn, TILE_NAMES[table.s["drawn"]]) == (2, "9p")
    assert table.s["offer"] == NONE
    assert table.report["melds"][2] == ["akong 5p"]
    assert table.s["feeder"] == NONE and table.s["replaced"]


def test_R13_a_concealed_kong_cannot_be_robbed() -> None:
    table = position({2: "555p 147m 147s ESWN", 3: "46p 123m 789s 111s EE"}, turn=2, draws="5p")
    table.play("ckong 5p")
    assert (table.turn, table.s["phase"]) == (2, DRAWN)


def test_R13_thirteen_orphans_rob() -> None:
    table = position(
        {3: "19m 19p 19s ESWN RDGD RD"}, melds={2: "pong WD 1"}, turn=2, draws="WD", **PLAIN
    )
    table.play("akong WD", "3 win")
    assert table.report["kinds"] == ["十三麼"]
    assert table.coins == (0, 0, -12, 12)


@pytest.mark.parametrize(
    ("hand", "melds", "found"),
    [
        ("11122233344455m", "", "清一色 四暗刻"),
        ("22334455667788m", "", "清一色 七對子"),
        ("22223333444455m", "", "清一色 七對子"),
        ("1111222233334m 5m", "", "清一色"),  # 111 222 123 345 33
        ("ESWN RDGDWD 19m 19p 11s W", "", "none"),  # no 9s
        ("12m 3p 456s 789s EEE SS", "", "none"),
        ("789m 891m 111p 222p SS", "", "none"),  # runs do not wrap
        ("ESW 111m 222m 333m SS", "", "none"),  # honours make no runs
        ("1122m 3344p 555s", "pong E 0", "none"),  # seven pairs are concealed
        ("11m", "pong 2m 0, pong 3p 0, pong 4s 0, pong E 0", "small"),
    ],
)
def test_R14_complete_hands(hand: str, melds: str, found: str) -> None:
    assert outcome(hand, melds) == found


def test_R15_a_draw() -> None:
    table = position({1: "EE 123m 456p 789s 46s"}, turn=0, draws="E", left=1)
    table.play("discard E")  # seat 1 is not asked
    assert table.coins == (0, 0, 0, 0)
    assert table.report["reason"] == "draw"
    assert table.s["winner"] == NONE


def test_R15_the_last_tile_may_win() -> None:
    table = position({1: SMALL}, turn=1, draws="E", left=1, **PLAIN)
    table.play("win")
    assert table.coins == (-2, 6, -2, -2)


# --- Big and small -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("hand", "melds", "found"),
    [
        ("234m 567m 99m", "kong 1m 0, pong 8m 2", "清一色"),
        ("EEE SSS WW", "pong RD 0, pong GD 2", "字一色"),
        ("EESSWWNN RDRD GDGD WDWD", "", "字一色 七對子"),
        ("11m 99m 11p 99p EE EE SS", "", "七對子"),
        ("111m 222p 333s EEE 99p", "", "四暗刻"),
        ("111m 222p 99p", "ckong E, ckong 5s", "四暗刻"),
        ("111m 222p 99p", "ckong E, kong 5s 0", "small"),
        ("99p", "ckong E, ckong 5s, ckong 1m, ckong 3p", "四暗刻 十八羅漢"),
        ("99p", "ckong E, ckong 5s, ckong 1m, pong 3p 0", "small"),
        ("RDRDRD GDGDGD 123m 99p", "kong WD 0", "大三元"),
        ("EEE SSS 11m", "pong W 0, ckong N", "大四喜"),
        ("EEE SSS WWW NN 123m", "", "小四喜"),
        ("EEE SSS WWW 99p 123m", "", "small"),
        ("EEE SSS WWW NN RDRDRD", "", "字一色 四暗刻 小四喜"),
        ("19m 19p 19s ESWN RDGDWD 9p", "", "十三麼"),
    ],
)
def test_R16_big_hands(hand: str, melds: str, found: str) -> None:
    assert outcome(hand, melds) == found


def test_R16_tianhu() -> None:
    table = position({0: SMALL}, turn=0, draws="E", river="", **PLAIN)
    table.play("win")
    assert table.report["kinds"] == ["天胡"]
    assert table.coins == (12, -4, -4, -4)


@pytest.mark.parametrize(("allowed", "size"), [(True, "big"), (False, "small")])
def test_R16_tianhu_after_an_own_concealed_kong(allowed: bool, size: str) -> None:
    table = position({0: "111m 456p 567s 9s EEE"}, turn=0, draws="1m", last="9s", river="",
                     tianhu_kong=allowed)  # fmt: skip
    table.play("ckong 1m", "win")
    assert table.report["size"] == size


@pytest.mark.parametrize(
    ("turn", "river"), [(1, "N"), (0, "N")], ids=["the next seat's first draw", "later"]
)
def test_R17_no_tianhu_for_others_or_later(turn: int, river: str) -> None:
    table = position({turn: SMALL}, turn=turn, draws="E", river=river)
    table.play("win")
    assert table.report["size"] == "small"


@pytest.mark.parametrize(
    ("hand", "melds"),
    [
        ("123m 456m 99m EE E", "pong S 0"),  # half flush
        ("111m 99p", "pong 5p 0, pong 2s 0, pong 3s 0"),  # all triplets, open
        ("RDRD 123m", "pong GD 0, pong WD 0, pong 3s 0"),  # 小三元
    ],
)
def test_R17_small_hands(hand: str, melds: str) -> None:
    assert outcome(hand, melds) == "small"


def test_R17_kinds_do_not_add_up() -> None:
    table = position({1: "EEE SSS WWW NN RDRD"}, turn=1, draws="RD", **PLAIN)
    table.play("win")
    assert table.coins == (-4, 12, -4, -4)


# --- Points ------------------------------------------------------------------------------------


@pytest.mark.parametrize(("hand", "draw", "each"), [(SMALL, "E", 2), (BIG, "W", 4)])
def test_R18_each_other_seat_pays(hand: str, draw: str, each: int) -> None:
    table = position({3: hand}, turn=3, draws=draw, stake=5, **PLAIN)
    table.play("win")
    assert table.coins == (-5 * each, -5 * each, -5 * each, 15 * each)


def test_R19_the_konger_pays_for_all() -> None:
    table = robbery(stake=3, **PLAIN)
    table.play("akong 5p", "win")
    assert table.coins == (0, 0, -18, 18)


def test_R20_after_an_own_kong_everybody_pays() -> None:
    table = position({2: "111m 456p 567s 9s EEE"}, turn=2, draws="1m", last="9s", **PLAIN)
    table.play("ckong 1m", "win")
    assert table.coins == (-4, -4, 12, -4)
    table = position({2: "456p 567s 9s EEE"}, melds={2: "pong 1m 3"}, turn=2, draws="1m",
                     last="9s", **PLAIN)  # fmt: skip
    table.play("akong 1m", "win")
    assert table.coins == (-3, -3, 9, -3)


def test_R20_a_big_hand_after_a_fed_kong() -> None:
    table = position({1: "EEE SSS WWW NN RDRD"}, turn=2, draws="E", last="RD", **PLAIN)
    table.play("discard E", "1 kong", "win")
    assert table.coins == (0, 15, -15, 0)


def test_R20_an_added_kong_after_a_fed_one_is_paid_by_all() -> None:
    table = position(
        {1: "EEE 1m 456p 78s 9p"}, melds={1: "pong 1m 0"}, turn=2, draws="E", last="9p 9s", **PLAIN
    )
    table.play("discard E", "1 kong", "1 akong 1m", "1 win")
    assert table.coins == (-3, 12, -6, -3)


def test_R21_kong_points() -> None:
    table = position({3: SMALL}, melds={0: "kong 1p 2, akong 2p 3, ckong 3p"}, turn=3, draws="E",
                     **PLAIN)  # fmt: skip
    table.play("win")
    assert table.report["points"] == [3 + 3 + 6 - 2, -1 - 2 - 2, -3 - 1 - 2 - 2, 6 - 1 - 2]


def test_R21_a_robbed_kong_scores_nothing() -> None:
    table = robbery(**PLAIN)
    table.play("akong 5p", "win")
    assert table.report["points"] == [0, 0, -6, 6]


def test_R22_horses_lie_at_the_end_of_the_wall() -> None:
    table = position({2: "111m 456p 567s 9s EEE"}, turn=2, draws="1m", last="9s 8s 7s 6s",
                     streak=3)  # fmt: skip
    table.play("ckong 1m", "win")
    assert [name for name, _ in table.report["horses"]] == ["8s", "7s", "6s"]


@pytest.mark.parametrize(("most", "streak", "count"), [(4, 7, 4), (2, 7, 2), (2, 1, 1), (0, 7, 0)])
def test_R22_how_many(most: int, streak: int, count: int) -> None:
    table = position({2: SMALL}, turn=2, draws="E", streak=streak, horses_max=most)
    table.play("win")
    assert len(table.report["horses"]) == count


def test_R22_too_few_tiles_left() -> None:
    """Three horses with two tiles left: three different tiles of all 136."""
    hits = []
    for k in range(300):
        table = position({2: SMALL}, turn=2, draws="E", left=3, streak=3)
        table.s["rng"]["key"] = k
        table.play("win")
        names = [name for name, _ in table.report["horses"]]
        assert len(names) == 3
        hits += names
        assert table.wall_left == 2
        assert GAME.census(table.s) == (COPIES,) * KINDS
    assert len(set(hits)) == KINDS
    table = position({2: SMALL}, turn=2, draws="E", left=4, last="1m 2m 3m", streak=3)
    table.play("win")
    assert [name for name, _ in table.report["horses"]] == ["1m", "2m", "3m"]


@pytest.mark.parametrize(("dragons", "first"), [("zero", 0), ("one", 1)])
@pytest.mark.parametrize("dealer", range(4))
def test_R23_whose_horse(dealer: int, dragons: str, first: int) -> None:
    table = position({}, turn=0, dealer=dealer, horse_dragons=dragons)
    ranks = [0, 1, 2, 3, 0, 1, 2, 3, 0]
    steps = ranks * 3 + [0, 1, 2, 3] + [first, first + 1, first + 2]
    hits = [int(hit_by(table.s, tile)) for tile in range(KINDS)]
    assert hits == [(dealer + step) % 4 for step in steps]


def test_R24_horses_add_up_one_by_one() -> None:
    table = position({2: SMALL}, turn=2, draws="E", last="3p 7s 2m 1p", streak=4)
    table.play("win")  # twice on the winner, once on 1, once on the dealer
    assert table.coins == (-2 + 8 - 4, -2 - 4, 6 + 4, -2 - 4)


def test_R24_kongs_are_not_copied() -> None:
    table = position({0: SMALL}, melds={2: "ckong 9m"}, turn=0, draws="E", last="2m")
    table.play("win")
    assert table.coins == (6 - 2, -2 - 2, -2 + 6, -2 - 2)


# --- Coins, leaving, match ---------------------------------------------------------------------


def test_R25_remainders_go_in_order_after_the_dealer() -> None:
    table = position({}, melds={1: "ckong 1m", 2: "ckong 2m", 3: "ckong 3m"}, turn=0, draws="RD",
                     left=1, dealer=2, kongs_in_draw=True, stack=(4, 9, 9, 9))  # fmt: skip
    table.play("discard RD")  # each of three is owed 2 by seat 0, who has 4
    assert table.report["points"] == [-6, 2, 2, 2]
    assert table.coins == (-4, 1, 1, 2)


def test_R25_large_coins() -> None:
    table = position({0: BIG}, turn=0, draws="W", last="1m 1s 1p 9p", streak=4, stake=10**9,
                     stack=(1, 10**15, 10**9 + 1, 3 * 10**9))  # fmt: skip
    table.play("win")
    assert table.coins == (24 * 10**9 + 1, -20 * 10**9, -(10**9) - 1, -3 * 10**9)


HORSES = ("1 5 9 E RD", "2 6 S GD", "3 7 W WD", "4 8 N")  # of the dealer, the next, …


def by_hand(told: dict[str, Any], stacks: list[int], stake: int) -> list[int]:
    """The coins of a hand that was won, from its report, written down from the sheet."""
    net = [0] * SEATS

    def owes(seat: int, other: int, points: int) -> None:
        net[seat] -= points
        net[other] += points

    for owner, melds in enumerate(told["melds"]):
        for meld in melds:
            kind, *_, source = meld.split()
            if kind == "kong":
                owes(int(source), owner, 3)
            for seat in range(SEATS):
                owes(seat, owner, {"ckong": 2, "akong": 1}.get(kind, 0))
    each = 4 if told["kinds"] else 2
    winner, dealer, payer = told["winner"], told["dealer"], told["payer"]
    lost = [0 if seat == winner else each for seat in range(SEATS)]
    if payer is not None:
        lost = [3 * each if seat == payer else 0 for seat in range(SEATS)]
    for seat in range(SEATS):
        owes(seat, winner, lost[seat])
    for name, hit in told["horses"]:
        rank_or_honour = name[0] if name[0].isdigit() else name
        steps = next(k for k, row in enumerate(HORSES) if rank_or_honour in row.split())
        assert hit == (dealer + steps) % SEATS
        if hit != winner:
            owes(dealer, winner, lost[hit])
        elif dealer != winner:
            for seat in range(SEATS):
                if seat not in (winner, dealer):
                    owes(seat, dealer, lost[seat])
        else:
            for seat in range(SEATS):
                owes(seat, dealer, lost[seat])
    assert net == told["points"]
    coins = [-min(-points * stake, stack) for points, stack in zip(net, stacks, strict=True)]
    coins = [min(c, 0) if points < 0 else 0 for c, points in zip(coins, net, strict=True)]
    pool, due = -sum(coins), sum(points for points in net if points > 0)
    exact = [Fraction(pool * max(points, 0), due or 1) for points in net]
    order = sorted(range(SEATS), key=lambda p: (int(exact[p]) - exact[p], (p - dealer - 1) % 4))
    left = pool - sum(map(int, exact))
    for seat in range(SEATS):
        coins[seat] += int(exact[seat]) + (order.index(seat) < left)
    return coins


def test_R25_the_coins_of_played_hands() -> None:
    """Hands played by bots, with stacks that run short, settled once more by hand."""
    env = make("tuidaohu", hands=8, stake=3, stack=(40, 15, 2000, 90))
    bot = rule_bot(GAME)
    checked = short = kinds = 0
    for seed in range(60):
        env.reset(seed=seed)
        while not all(env.terminations.values()):
            stacks = env._table["stack"][0].tolist()
            agent = env.agent_selection
            mask = env.observe(agent)["action_mask"]
            env.step(int(bot.act(np.array([env.view(agent)]), mask[None])[0]))
            for told in env.infos[agent].get("settled", []):
                if told["reason"] in ("won", "robbed"):
                    assert told["coins"] == by_hand(told, stacks, 3)
                    checked += 1
                    short += told["coins"] != [3 * points for points in told["points"]]
                    kinds += bool(told["kinds"])
    assert checked > 100 and short > 20 and kinds > 2


def test_R26_out_of_turn_the_hand_is_void() -> None:
    table = position({0: BIG}, melds={1: "ckong 9m"}, turn=0, draws="W", hands=3)
    table.leave(3)
    assert table.coins == (0, 0, 0, -8)
    assert (table.s["house"], table.s["over"], table.s["left_by"]) == (8, 1, 3)
    assert table.report["reason"] == "left"


@pytest.mark.parametrize("leaver", range(4))
def test_R26_while_a_question_is_open(leaver: int) -> None:
    table = robbery(hands=3)
    table.play("akong 5p")
    table.leave(leaver)
    assert table.s["coins"][leaver] == -8
    assert GAME.census(table.s) == (COPIES,) * KINDS
    assert table.turn == leaver  # not who had been asked
    views = [table.view(seat)[0] for seat in range(SEATS)]
    assert all(view["offer"] == NONE and view["turn"] == leaver for view in views)


@pytest.mark.parametrize(
    ("leaver", "stack", "coins"),
    [(0, 100, (-8, 3, 3, 2)), (3, 100, (3, 3, 2, -8)), (1, 1, (0, -1, 1, 0))],
)
def test_R26_to_the_other_players(leaver: int, stack: int, coins: tuple[int, ...]) -> None:
    table = position({}, turn=0, escape_to="players", stack=stack)
    table.leave(leaver)
    assert table.coins == coins


def test_R26_no_fine() -> None:
    table = position({}, turn=0, escape_points=0)
    table.leave(1)
    assert table.coins == (0, 0, 0, 0)


def test_R27_no_answer() -> None:
    table = position({2: SMALL}, turn=2, draws="E")
    assert table.default == "win"
    table = position({2: SMALL}, turn=2, draws="5m")
    assert table.default == "discard 5m"
    table = claims()
    table.play("1 discard E")
    assert table.default == "pass"
    table.play("pong")
    assert table.default == "discard 9s"
    table = robbery()
    table.play("akong 5p")
    assert table.default == "win"


def test_R28_hands_and_stacks_carry_over() -> None:
    table = position({2: SMALL}, turn=2, draws="E", hands=2, **PLAIN)
    table.play("win")
    assert not table.s["over"]
    assert table.s["stack"].tolist() == [998, 998, 1006, 998]
    table.next_hand()
    assert table.s["hand"] == 1 and not table.s["ended"]
    table.play(*["discard " + TILE_NAMES[table.s["drawn"]]])


@pytest.mark.parametrize(("stack", "over"), [(24, 1), (25, 0)])
def test_R28_the_match_ends_when_a_seat_is_short_of_a_stake(stack: int, over: int) -> None:
    table = position({2: SMALL}, turn=2, draws="E", hands=9, stake=5, stack=(99, 99, 99, stack),
                     horses_max=1, dealer=3, last="1m")  # fmt: skip
    table.play("win")  # the horse hits the dealer, who pays 2 + 2
    assert table.s["stack"][3] == stack - 20
    assert table.s["over"] == over


# --- At the table ------------------------------------------------------------------------------


def test_the_fourth_pong_with_a_pair_left_is_played_on() -> None:
    """A turn with a single legal discard is no decision."""
    table = position({1: "EE 99s"}, melds={1: "pong 1m 0, pong 2m 0, pong 3m 0"}, turn=0,
                     draws="E", **PLAIN)  # fmt: skip
    table.play("discard E", "1 pong")
    assert table.s["discards"] == 3
    assert TILE_NAMES[table.s["river"][2]] == "9s"
    assert table.hand(1) == ["9s"]


def views_of(table: Position, seat: int) -> bytes:
    return values_of(table.view(seat))


def test_who_is_asked_is_hidden_from_the_others() -> None:
    table = claims()
    table.play("1 discard E")
    for seat in (0, 1, 2):
        view = table.view(seat)[0]
        assert (view["turn"], view["phase"]) == (HIDDEN, HIDDEN)
        assert (view["offer"], view["offer_seat"]) == (parse_tile("E"), 1)
        assert table.observation(seat)[0]["may"].tolist() == [0, 0, 0, 0, 1]
    assert table.observation(3)[0]["may"].tolist() == [0, 0, 1, 0, 0]


def test_a_pass_leaves_nothing_behind() -> None:
    """For seat 0 it is all one whether nobody could claim or somebody passed."""
    one = claims()
    one.play("1 discard E", "3 pass")
    other = claims()
    for tile, change in (("E", -1), ("9p", 1)):
        other.s["tiles"][3, parse_tile(tile)] += change
    other.play("1 discard E")
    assert views_of(one, 0) == views_of(other, 0)
    one, other = robbery(), robbery()
    one.play("akong 5p")
    first = views_of(one, 0)
    one.play("3 pass")
    assert views_of(one, 0) == first
    one.play("1 pass")
    for seat, out, into in ((3, "4p", "7m"), (1, "4p", "7m")):
        other.s["tiles"][seat, parse_tile(out)] -= 1
        other.s["tiles"][seat, parse_tile(into)] += 1
    other.play("akong 5p")
    assert views_of(one, 0) == views_of(other, 0)


def test_what_a_seat_sees() -> None:
    table = robbery()
    view = table.view(0)[0]
    assert (view["tiles"][1:] == HIDDEN).all()
    assert view["drawn"] == HIDDEN
    assert (view["wall"][view["front"] :] == HIDDEN).all()
    assert (view["wall"][: view["front"]] == NONE).all()
    assert table.view(2)[0]["drawn"] == parse_tile("5p")
    table.play("akong 5p", "win")
    view = table.view(0)[0]
    assert tile_names(view["tiles"][3]) == table.report["tiles"]
    assert (view["tiles"][1:3] == HIDDEN).all()
    assert view["horses"][0] == parse_tile("9p")


def test_nobody_shows_in_a_draw() -> None:
    table = position({}, turn=0, draws="RD", left=1)
    table.play("discard RD")
    view = table.view(0)[0]
    assert (view["tiles"][1:] == HIDDEN).all()


def test_redeal_keeps_what_is_known() -> None:
    table = robbery()
    for name in ("akong 5p", "3 pass", "1 pass", "2 discard 9p"):
        for seat in range(SEATS):
            for view in table.redealt(seat, 20):
                assert GAME.census(view) == (COPIES,) * KINDS
                for field in ("held", "meld_tile", "meld_kind", "river", "front", "back"):
                    assert (view[field] == table.s[field]).all()
                assert (view["tiles"][seat] == table.s["tiles"][seat]).all()
                assert (view["tiles"].sum(axis=1) == view["held"]).all()
                if view["phase"] == DRAWN:
                    assert view["tiles"][view["turn"], view["drawn"]] > 0
        table.play(name)


def test_redeal_is_uniform_over_unseen_tiles() -> None:
    table = robbery()
    n = 4000
    views = table.redealt(0, n)
    unseen = table.observation(0)[0]["unseen"]
    total = unseen.sum()
    assert total == 136 - 13 - 3 - 1
    for seat in (1, 2, 3):
        held = int(table.s["held"][seat])
        mean = views["tiles"][:, seat].mean(axis=0)
        assert (abs(mean - held * unseen / total) < 0.06).all()
    drawn = np.bincount(views["drawn"], minlength=KINDS) / n
    assert (abs(drawn - unseen / total) < 0.015).all()
    for place in (int(table.s["front"]), WALL - 1):
        at = np.bincount(views["wall"][:, place], minlength=KINDS) / n
        assert (abs(at - unseen / total) < 0.015).all()


def test_redeal_rebuilds_the_question_about_a_discard() -> None:
    """The first other seat that can claim in the new deal is asked, else the first other one."""
    table = claims()
    table.play("1 discard E")
    seen = set()
    for view in table.redealt(0, 2000):
        able = [p for p in (2, 3) if view["tiles"][p, parse_tile("E")] >= 2]
        assert view["phase"] == CLAIM
        assert view["turn"] == (able or [2])[0]
        seen.add((int(view["turn"]), bool(able)))
    assert seen == {(2, True), (3, True), (2, False)}
    assert (table.redealt(3, 50)["turn"] == 3).all()


def test_redeal_rebuilds_the_question_about_a_kong() -> None:
    table = robbery()
    table.play("akong 5p")
    views = table.redealt(0, 300)
    assert (views["phase"] == ROB).all()
    assert set(views["turn"].tolist()) <= {1, 3}
    assert (table.redealt(2, 50)["turn"] == 3).all()  # hardly ever can anybody
    assert (table.redealt(3, 50)["turn"] == 3).all()


def test_a_question_nobody_can_answer_is_passed() -> None:
    table = claims()
    table.play("1 discard E")
    views = table.redealt(0, 400)
    able = views["tiles"][:, :, parse_tile("E")].max(axis=1) >= 2
    table.table[0] = views[~able][0]
    assert (table.turn, table.legal) == (2, ["pass"])
    assert table.default == "pass"
    table.play("pass")
    assert (table.turn, table.s["phase"]) == (2, DRAWN)
    table = robbery()
    table.play("akong 5p")
    views = table.redealt(0, 50)
    table.table[0] = views[0]
    while table.s["phase"] == ROB:
        table.play("pass")
    assert (table.turn, table.report["melds"][2]) == (2, ["akong 5p"])


def test_views_of_seats_not_asked_are_complete() -> None:
    """They go over the wire, are encoded, drawn, and offer no action."""
    table = robbery()
    table.play("akong 5p")
    for seat in (0, 1, 2):
        view = table.view(seat)
        again, owner = loads(GAME, dumps(GAME, view[0], seat))
        assert values_of(again) == values_of(view[0]) and owner == seat
        mask = np.zeros((1, GAME.actions.width), np.int8)
        engine(GAME).mask_tables(view, ONE, mask)
        assert not mask.any()
        scene = GAME.scene(view[0], seat)
        assert scene.turn is None and not scene.over


def test_the_wire_writes_names() -> None:
    table = robbery()
    text = dumps(GAME, table.view(2)[0], 2)
    assert '"drawn": "5p"' in text and '"pong"' in text and '"turn"' in text


def test_observation() -> None:
    table = robbery(stake=10, hands=3)
    table.play("akong 5p")
    values, known = table.observation(1)
    assert known["tiles"].all(axis=1).tolist() == [True, False, False, False]
    assert tile_names(values["tiles"][0].astype(int)) == table.hand(1)
    assert values["melds"][1, 0, parse_tile("5p")] == 1 and values["melds"].sum() == 1
    assert values["held"].tolist() == [13, 10, 13, 13]
    assert values["offer"].argmax() == parse_tile("5p") and values["offer"].sum() == 1
    assert values["offer_seat"].tolist() == [0, 1, 0, 0] and values["offer_kong"] == 1
    assert values["unseen"][parse_tile("5p")] == 0
    assert values["unseen"].sum() == 136 - 13 - 4 - 1
    assert values["discards"][0, parse_tile("W")] == 1
    assert values["recent"][0, parse_tile("W")] == 1
    assert values["wall"] == table.wall_left
    assert values["dealer"].tolist() == [0, 0, 0, 1]
    assert (values["streak"], values["horses"], values["opened"]) == (1, 1, 1)
    assert values["stacks"].tolist() == [100] * 4
    assert values["hand"].tolist() == [0, 2]
    table.play("pass", "pass")
    values, known = table.observation(1)
    assert values["melds"][1, 2, parse_tile("5p")] == 1 and values["melds"].sum() == 1
    assert values["kong_points"].tolist() == [-1, 3, -1, -1]
    assert values["replaced"] == 1 and values["feeder"].sum() == 0
    assert not known["drawn"].any()
    assert table.observation(2)[0]["drawn"].argmax() == parse_tile("9p")


def test_observation_of_a_fed_kong() -> None:
    table = position({0: "EEE 123m 456p 78s 99s"}, turn=2, draws="E", last="6s 5m")
    table.play("discard E", "kong")
    values, _ = table.observation(1)
    assert values["melds"][3, 4, parse_tile("E")] == 1  # fed by the seat opposite its owner
    assert values["kong_points"].tolist() == [0, -3, 0, 3]
    assert values["feeder"].tolist() == [0, 1, 0, 0]
    assert values["discards"][:, parse_tile("E")].sum() == 0
    assert values["recent"][1, parse_tile("E")] == 1
    assert values["unseen"][parse_tile("E")] == 0


def test_the_longest_match() -> None:
    assert GAME.max_plies(GAME.options()) == 232
    assert GAME.max_plies(GAME.options(hands=3)) == 696


def test_the_plain_preset_has_no_horses() -> None:
    assert GAME.options("plain")["horses_max"] == 0


def test_the_scene_names_tiles_and_coins() -> None:
    table = robbery()
    table.play("akong 5p")
    scene = GAME.scene(table.view(3)[0], 3)
    zones = {(zone.name, zone.owner): zone for zone in scene.zones}
    assert zones["hand", 0].items == ("??",) * 13
    assert zones["hand", 3].items[:3] == ("1m", "2m", "3m")
    assert zones["melds", 2].items == ("5p", "5p", "5p")
    assert zones["in question", None].items == ("5p",)
    assert zones["discards", 1].items == ("W",)
    assert (scene.deck, scene.turn) == ("tiles", 3)
    table.play("win")
    scene = GAME.scene(table.view(0)[0], 0)
    zones = {(zone.name, zone.owner): zone for zone in scene.zones}
    assert zones["hand", 3].items.count("5p") == 1
    assert zones["horses", None].items == ("9p",)
    assert scene.over and scene.turn is None


def test_a_hand_ends_with_a_report() -> None:
    env = make("tuidaohu", hands=1)
    env.reset(seed=1)
    while not all(env.terminations.values()):
        env.step(env.default_action())
    told = env.infos["player_0"]["settled"][0]
    assert told["reason"] in ("draw", "won") and len(told["points"]) == 4
    assert addressable(env._table)["phase"][0] == OVER


# --- Tables from outside -------------------------------------------------------------------------


def at_claim() -> Position:
    """Seat 0 may claim the E that seat 2 has discarded."""
    return position({0: "EEE 123m 456p 78s 99s"}, turn=2, draws="E", last="6s 5m").play("discard E")


def after_kong() -> Position:
    """Seat 0 has laid a kong that seat 2 fed, and drawn 6s for it."""
    return at_claim().play("kong")


@pytest.mark.parametrize(
    ("made", "field", "place", "value", "error"),
    [
        (at_claim, "tiles", (1, 0), 9, r"tiles\[1, 0\] is 9: expected 0…4"),
        (at_claim, "front", (), 30_000, "front is 30000: expected 53…136"),
        (at_claim, "front", (), 60, "wall has (tiles|gaps)"),
        (
            at_claim,
            "back",
            (),
            134,
            "back is 134: after the kongs and tiles turned over so far it is 135",
        ),
        (at_claim, "wall", 0, 5, "wall has tiles at places that were drawn"),
        (at_claim, "wall", WALL - 1, NONE, "wall has gaps"),
        (at_claim, "held", 0, 14, r"held\[0\] is 14: expected 13 beside its melds"),
        (at_claim, "discards", (), 0, "river has not the 0 entries that discards says"),
        (at_claim, "claimed", 0, 1, "claimed has discards that lie in no meld"),
        (at_claim, "claimed", -1, 1, "claimed has entries beyond discards="),
        (at_claim, "offer", (), 0, "offer is 0 of seat 2, which is not the last discard"),
        (at_claim, "offer", (), NONE, "offer is -2 of offer_seat=2 in phase=2"),
        (at_claim, "offer_seat", (), 0, "offer_seat is 0, whose turn it is"),
        (at_claim, "offer_kong", (), True, "offer_kong is True in phase=2"),
        (at_claim, "phase", (), OVER, "phase is 4, and ended is False"),
        (at_claim, "phase", (), PONGED, "offer is 27 of offer_seat=2 in phase=1"),
        (at_claim, "drawn", (), 3, "drawn is 3 in phase=2"),
        (at_claim, "replaced", (), True, "replaced is True, and there is no kong"),
        (at_claim, "winner", (), 1, "winner is 1, and nobody has won this hand"),
        (at_claim, "net", 1, 5, r"left_by is -2, net is \[0, 5, 0, 0\]"),
        (at_claim, "streak", (), 2, "streak is 2: expected 1…1"),
        (after_kong, "melds", 0, 2, r"meld_kind\[0\] has not 2 entries, as melds says"),
        (after_kong, "meld_tile", (0, 0), 0, "claimed has discards that lie in no meld"),
        (after_kong, "meld_from", (0, 0), 0, r"meld_from\[0, 0\] is 0: expected another seat"),
        (after_kong, "meld_from", (0, 0), 1, "claimed has discards that lie in no meld"),
        (after_kong, "meld_kind", (0, 0), 0, "replaced is True, and there is no kong"),
        (after_kong, "meld_kind", (0, 0), 1, r"meld_from\[0, 0\] is 2: expected -2"),
        (after_kong, "drawn", (), 33, "drawn is 33, and seat 0 has no such tile"),
        (after_kong, "feeder", (), 3, "feeder is 3, and that seat did not feed the kong"),
        (after_kong, "turn", (), 1, r"drawn is .* seat 1 has no such tile|replaced is True"),
    ],
)
def test_a_table_that_contradicts_itself_is_refused(
    made: Any, field: str, place: Any, value: int, error: str
) -> None:
    table = made().table
    check(GAME, table[0])
    table[field][(0, *np.atleast_1d(place))] = value
    with pytest.raises(ValueError, match=f"^({error})") as caught:
        check(GAME, table[0])
    assert "\n" not in str(caught.value)


def test_a_robbed_kong_that_contradicts_itself_is_refused() -> None:
    asked, over = robbery().play("2 akong 5p"), robbery().play("2 akong 5p", "3 win")
    for table in (asked, over):
        check(GAME, table.s)
    asked.s["meld_tile"][2, 0] = 0
    with pytest.raises(ValueError, match="^offer is 13, and seat 2 has no pong of it"):
        check(GAME, asked.s)
    for field, value, error in (
        ("payer", 0, "payer is 0: expected whoever was robbed or fed the kong"),
        ("turn", 1, "turn is 1: expected 3, who won or left"),
        ("left_by", 3, "winner is 3, and left_by is 3: a hand that somebody left is void"),
    ):
        table = over.table.copy()
        table[field] = value
        with pytest.raises(ValueError, match=f"^{error}"):
            check(GAME, table[0])


def test_horses_lie_where_they_were_turned_over() -> None:
    table = position({0: SMALL}, turn=0, draws="E", last="5m 7p", streak=1, hands=3)
    table.play("win")
    check(GAME, table.s)
    table.s["horses"][0] = parse_tile("1m")
    with pytest.raises(ValueError, match="^wall does not end with the tiles that were turned"):
        check(GAME, table.s)


def test_a_view_with_five_of_a_tile_is_refused() -> None:
    view = at_claim().view(0)
    check(GAME, view[0], 0)
    view["river"][0, 0] = parse_tile("E")
    with pytest.raises(ValueError, match="^tiles, melds, river and wall have more than 4 tiles E"):
        check(GAME, view[0], 0)
