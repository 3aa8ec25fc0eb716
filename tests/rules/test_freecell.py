"""FreeCell, clause by clause: positions in card names, coins worked out by hand."""

from __future__ import annotations

import numpy as np
import pytest

from qipai.envs import OptionError, load_game, make, make_tables
from qipai.envs.checking import check
from qipai.envs.drawing.render import text
from qipai.envs.freecell import GAME, most_into, most_onto, position
from qipai.envs.match import CUT_OFF, ENDED, PLAYING
from qipai.envs.parts.cards import CARD_NAMES
from tests.freecell_positions import Position, buried

# The sheet's solution of deal 3.
DEAL_3 = (
    "1>cell 5>cell 2>cell 2>cell 3>5 3>home a>8 3>cell b>3 a>3 1>cell 8>1 8>home 1>home 5>home "
    "8>cell 4>5 4>1 4>home 1>home 5>home b>7 1>cell 1>home 2>cell 2>5 5>6 5>home 6>empty*2 1>2 "
    "1>3 8>1 7>1 7>home 4>empty*1 6>empty*1 4>empty*1 6>empty*1 3>cell"
)
STUCK_21 = "5>cell 7>cell 7>cell 7>cell"


# --- The worked examples -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("deal", "first", "last"),
    [
        (1, "DJ D2 H9 CJ D5 H7 C7 H5", "S6 C9 H2 H6"),
        (617, "D7 DA C5 S3 S5 C8 D2 HA", "DJ SK CK H4"),
        (11982, "HA SA H4 CA D2 S6 S10 SJ", "CK D8 S2 S3"),
        (1_000_000, "D2 H6 S6 H10 CJ C3 D4 D10", "S10 HA S9 H4"),
    ],
)
def test_E1_deals(deal: int, first: str, last: str) -> None:
    rows = Position(deal=deal).rows()
    assert (len(rows), rows[0], rows[-1]) == (7, first, last)


@pytest.mark.parametrize(
    ("free", "empty", "onto", "into"),
    [(4, 0, 5, 0), (2, 1, 6, 3), (0, 0, 1, 0), (0, 2, 4, 2), (4, 1, 10, 5), (1, 3, 16, 8)],
)
def test_E2_limits(free: int, empty: int, onto: int, into: int) -> None:
    assert (most_onto(free, empty), most_into(free, empty)) == (onto, into)


def test_E3_two_cards_at_a_limit_of_one() -> None:
    p = Position(deal=12).play("3>cell 7>cell 4>cell 5>cell")
    assert p.cells == "S4 S6 C7 S10"
    assert p.columns[0].endswith("D9 C8")
    assert p.columns[7].endswith("C10")
    assert p.legal == ["b>7", "4>7", "7>1"]


def test_E4_limits_around_an_empty_column() -> None:
    p = Position(deal=42).play("6>cell 6>1 6>cell 6>cell 6>cell")
    assert p.columns[0].endswith("S4 D3 S2")
    assert p.columns[4].endswith("D5")
    assert p.columns[5] == ""
    moves = [name for name in p.legal if name.startswith("1>")]
    assert moves == ["1>3", "1>empty*1"]
    p.play("d>7")
    moves = [name for name in p.legal if name in ("1>5", "1>empty*1", "1>empty*2", "1>empty*3")]
    assert moves == ["1>5", "1>empty*1", "1>empty*2"]


def test_E5_all_legal_actions() -> None:
    p = Position(deal=60).play("1>4 2>cell 7>cell 8>cell 8>4 a>2 8>1")
    assert p.cells == "C6 HK"
    assert p.columns[0] == "H7 D6 DQ C5 H4 C3 D2"
    assert p.columns[7] == ""
    expected = (
        "1>6 1>cell 1>empty*1 1>empty*2 1>empty*3 2>cell 2>empty*1 2>empty*2 3>cell 3>empty*1 "
        "4>cell 4>empty*1 4>empty*2 4>empty*3 5>cell 5>empty*1 6>cell 6>empty*1 7>3 7>cell "
        "7>empty*1 a>8 b>8"
    )
    assert sorted(p.legal) == expected.split()


@pytest.mark.parametrize(
    ("home", "after"), [("C2 DA H2 S3", "C2 D3 H2 S3"), ("CA DA H2 S3", "CA D2 H2 S3")]
)
def test_E6_auto_home(home: str, after: str) -> None:
    """With one black two missing, D3 stays."""
    p = buried(["… D3", "… D2", *["…"] * 6], "S4", home).play("8>cell")
    assert p.home == after
    assert "S4" in p.cells


def test_E7_stuck_after_four_actions() -> None:
    p = Position(deal=21).play(STUCK_21)
    assert p.s["ended"] and GAME.report(p.s)["reason"] == "stuck"
    assert p.legal == []
    assert p.coins == (-1, 1)


@pytest.mark.parametrize("limit", [300, 39])
def test_E8_deal_3_solved(limit: int) -> None:
    assert len(DEAL_3.split()) == 39
    p = Position(deal=3, max_moves=limit).play(DEAL_3)
    assert p.home == "CK DK HK SK"
    assert p.s["over"] == ENDED and GAME.report(p.s)["reason"] == "solved"
    assert p.coins == (1, -1)


def test_E8_one_action_short() -> None:
    p = Position(deal=3, max_moves=38).play(DEAL_3.rsplit(" ", 1)[0])
    assert p.s["ended"] and p.s["moves"] == 38
    assert p.coins == (-1, 1)


def test_E9_coins() -> None:
    assert Position(deal=3, stake=10, stack=100).play(DEAL_3).coins == (10, -10)
    assert Position(deal=21, stake=10).play(STUCK_21).coins == (-10, 10)
    short = Position(deal=3, stake=10, stack=4, max_moves=1).play("1>cell")
    assert short.coins == (-4, 4)
    solved = Position(deal=3, stake=10, progress_reward=2).play(DEAL_3)
    assert solved.paid == 114


def test_E9_left_after_seven_cards() -> None:
    tops = ["… C2 CA", "… D2 DA", "… H2 HA", "… SA", "…", "…", "…", "…"]
    p = buried(tops, stake=10, progress_reward=2).play("5>cell")
    assert p.home == "C2 D2 H2 SA"
    assert p.coins == (14, -14)
    p.leave(0)
    assert p.coins == (-10, 10)
    assert p.paid == 4


def test_E9_progress_pays_the_stake_of_who_has_nothing() -> None:
    p = Position(deal=458_227, stake=10, progress_reward=2)
    p.s["stack"] = 0
    p.play("4>cell 8>cell 1>cell 4>cell")
    assert GAME.report(p.s) == {"reason": "stuck", "deal": 458_227, "moves": 4, "home": 3}
    assert p.paid == 0
    assert p.s["stack"][0] == 0


# --- Table and deal ----------------------------------------------------------------------------


def test_R1_everything_is_open() -> None:
    p = Position(deal=5)
    assert sorted(" ".join(p.columns).split()) == sorted(CARD_NAMES)
    seen = p.known(0)  # asserts that nothing is hidden
    assert seen["column"].sum() == 52
    env = make("freecell", deal=5)
    env.reset(seed=1)
    assert env.possible_agents == ["player_0"]
    assert env.view("player_0")["columns"].tolist() == p.s["columns"].tolist()


def test_R1_one_seat() -> None:
    with pytest.raises(OptionError, match="seats=2 is not allowed; allowed: 1"):
        make("freecell", seats=2)


def test_R2_columns_of_seven_and_six() -> None:
    for deal in (1, 32_000, 1_000_000):
        p = Position(deal=deal)
        assert [len(column.split()) for column in p.columns] == [7] * 4 + [6] * 4
        assert p.s["number"] == deal
        assert GAME.census(p.s) == (1,) * 52


@pytest.mark.parametrize("deal", [-1, 1_000_001])
def test_R2_other_numbers_are_refused(deal: int) -> None:
    with pytest.raises(OptionError, match=f"deal={deal} is not allowed; allowed: 0…1000000"):
        make("freecell", deal=deal)


def test_R2_only_tops_move() -> None:
    p = Position(deal=1)
    tops = [column.split()[-1] for column in p.columns]
    p.play("5>cell 1>cell")
    assert set(p.cells.split()) == {tops[4], tops[0]}


# --- Moves -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("card", "target", "fits"),
    [
        ("D9", "C10", True),
        ("D9", "S10", True),
        ("S9", "H10", True),
        ("DQ", "CK", True),
        ("HA", "S2", True),
        ("D9", "H10", False),  # red on red
        ("C9", "S10", False),
        ("D9", "C9", False),  # not one rank higher
        ("D9", "CJ", False),
        ("D10", "C9", False),
        ("DK", "CA", False),  # aces are low
    ],
)
def test_R3_one_rank_higher_and_of_the_other_colour(card: str, target: str, fits: bool) -> None:
    p = buried([card, target, *["…"] * 6], auto_home=False)
    assert ("1>2" in p.legal) == fits
    held = buried(["…", target, *["…"] * 6], card, auto_home=False)
    assert ("a>2" in held.legal) == fits
    if fits:
        assert p.play("1>2").columns[1].endswith(f"{target} {card}")
        assert held.play("a>2").columns[1].endswith(f"{target} {card}")
        assert held.cells == ""


def test_R4_cells_hold_one_card_each() -> None:
    p = Position(deal=1)
    for held in range(4):
        assert p.s["ended"] == 0 and len(p.cells.split()) == held
        assert [f"{c}>cell" for c in range(1, 9)] == [n for n in p.legal if n.endswith("cell")]
        p.play(f"{held + 1}>cell")
    assert not [name for name in p.legal if name.endswith("cell")]


def test_R4_an_empty_column_gives_no_card() -> None:
    p = buried(["", *["…"] * 7])
    assert not [name for name in p.legal if name.startswith("1>")]


def test_R5_foundations_are_built_up_in_suit() -> None:
    p = buried(["… C3", "… D2", "… CA", *["…"] * 5], "C2 H2", auto_home=False)
    assert [name for name in p.legal if name.endswith("home")] == ["3>home"]
    p.play("3>home")
    assert (p.home, [n for n in p.legal if n.endswith("home")]) == ("CA", ["a>home"])
    p.play("a>home")
    assert (p.home, p.cells) == ("C2", "H2")
    p.play("1>home")
    assert p.home == "C3"


def test_R5_no_card_leaves_a_foundation() -> None:
    p = buried(["… C4", *["…"] * 7], home="H3", auto_home=False)
    assert not [name for name in GAME.actions.names if name.startswith("home")]
    before = p.s["home"].copy()
    p.play("2>cell 3>cell 4>cell")
    assert (p.s["home"] >= before).all()


def test_R6_an_empty_column_takes_any_card() -> None:
    for card in ("SA", "D7", "HK"):
        assert "a>3" in buried(["…", "…", "", *["…"] * 5], card, auto_home=False).legal
        p = buried([f"H2 {card}", "…", "", *["…"] * 5], auto_home=False)
        assert p.play("1>empty*1").columns[2] == card


def test_R7_the_number_of_cards_follows_from_the_target() -> None:
    p = buried(["… SK H8 S7 D6 C5", "… S9", "… D8", *["…"] * 5], auto_home=False)
    assert [name for name in p.legal if name in ("1>2", "1>3")] == ["1>2", "1>3"]
    assert p.play("1>3").columns[2].endswith("D8 S7 D6 C5")
    assert p.columns[0].endswith("SK H8")
    assert p.play("3>1").columns[0].endswith("SK H8 S7 D6 C5")
    assert p.play("1>2").columns[1].endswith("S9 H8 S7 D6 C5")
    assert p.columns[0].endswith("SK")


@pytest.mark.parametrize(
    ("cells", "legal"), [("CA DA", False), ("CA", True)], ids=["limit 3", "limit 4"]
)
def test_R7_the_limit(cells: str, legal: bool) -> None:
    """Four cards go with three free cells, not with two."""
    p = buried(["… H8 S7 D6 C5", "… S9", *["…"] * 6], cells, auto_home=False)
    assert ("1>2" in p.legal) == legal


def test_R7_all_of_a_column_may_go_onto_a_card() -> None:
    p = buried(["H8 S7", "… S9", *["…"] * 6], auto_home=False).play("1>2")
    assert p.columns[0] == ""
    assert p.columns[1].endswith("S9 H8 S7")


def test_R7_empty_columns_double_the_limit() -> None:
    run = ["… S10 H9 S8 H7 S6 H5", "… HJ", *["…"] * 5]
    assert "1>2" not in buried([*run, "…"], "CA DA", auto_home=False).legal  # limit 3
    assert "1>2" in buried([*run, ""], "CA DA", auto_home=False).legal  # limit 6


def test_R8_the_number_is_chosen_within_the_limit() -> None:
    """Two free cells and one empty column: up to three cards go there, onto a card six."""
    p = buried(["… SJ H8 S7 D6 C5", "", *["…"] * 6], "CA DA", auto_home=False)
    moves = [name for name in p.legal if name.startswith("1>empty")]
    assert moves == ["1>empty*1", "1>empty*2", "1>empty*3"]
    assert p.play("1>empty*3").columns[1] == "S7 D6 C5"


def test_R8_no_more_than_the_run() -> None:
    p = buried(["… HJ H8 S7", "", *["…"] * 6], auto_home=False)
    moves = [name for name in p.legal if name.startswith("1>empty")]
    assert moves == ["1>empty*1", "1>empty*2"]


def test_R9_cells_are_sorted_and_close_up() -> None:
    p = buried(["… SK", "… CA", "… H9", "… C9", "… S10", *["…"] * 3], auto_home=False)
    p.play("1>cell")
    assert p.cells == "SK"
    p.play("3>cell 2>cell 4>cell")
    assert p.cells == "CA C9 H9 SK"
    p.play("c>5")
    assert p.cells == "CA C9 SK"
    p.play("a>home")
    assert p.cells == "C9 SK"


def test_R9_the_leftmost_empty_column() -> None:
    p = buried(["…", "", "…", "", *["…"] * 4], "SA H7", auto_home=False)
    moves = [name for name in p.legal if name in ("a>2", "a>4", "b>2", "b>4")]
    assert moves == ["a>2", "b>2"]
    assert p.play("b>2").columns[1] == "H7"
    assert p.play("a>4").columns[3] == "SA"


def test_R9_a_whole_column_stays_out_of_empty_ones() -> None:
    p = buried(["H8 S7 D6", "S9", "", *["…"] * 5], home="C3 D3 H3 S3", auto_home=False)
    moves = [name for name in p.legal if name.startswith(("1>empty", "2>empty"))]
    assert moves == ["1>empty*1", "1>empty*2"]


# --- Auto-home ---------------------------------------------------------------------------------


def test_R10_after_an_action_not_after_the_deal() -> None:
    p = Position(deal=2)
    assert p.columns[0].endswith(" SA")
    assert (p.home, "1>home" in p.legal) == ("", True)
    assert p.play("2>cell").home == "DA SA"  # DA lay under the card taken


def test_R10_a_chain_through_columns_and_cells() -> None:
    """The aces are free from the start, then each card sets the next ones free."""
    p = buried(["… S3 D3 C2 HA", "… H2 D2 SA S2", *["…"] * 6], "CA DA")
    assert p.play("3>cell").home == "C2 DA HA"  # S2 lies on SA
    p = buried(["… S3 D3 C2 HA", "… H2 D2 S2 SA", *["…"] * 6], "CA DA")
    assert p.play("3>cell").home == "C2 D3 H2 S3"
    assert len(p.cells.split()) == 1


def test_R10_switched_off() -> None:
    p = buried(["… CA", "… DA", *["…"] * 6], auto_home=False).play("3>cell")
    assert p.home == ""
    assert p.play("2>home").home == "DA"


def test_R10_unsafe_cards_may_be_laid_by_hand() -> None:
    p = buried(["… D3", *["…"] * 7], home="CA D2").play("2>cell")
    assert p.home == "CA D2"
    assert p.play("1>home").home == "CA D3"


# --- The end -----------------------------------------------------------------------------------


def nearly_solved(**options: int) -> Position:
    """Four cards short of a solution."""
    return Position(position(["SK HK"], "CK DK", "CQ DQ HQ SQ", auto_home=False, **options))


def test_R11_solved_by_hand() -> None:
    p = nearly_solved().play("1>home a>home 1>home")
    assert (p.home, bool(p.s["ended"])) == ("CK DQ HK SK", False)
    p.play("a>home")
    assert GAME.report(p.s) == {"reason": "solved", "deal": 0, "moves": 4, "home": 52}
    assert (p.coins, int(p.s["over"])) == ((1, -1), ENDED)


def test_R12_not_stuck_while_anything_moves() -> None:
    p = Position(deal=21).play("5>cell 7>cell 7>cell")
    assert not p.s["ended"]
    assert p.play("7>cell").s["ended"]


@pytest.mark.parametrize(("home", "legal"), [("D3", []), ("D4", ["1>home"])])
def test_R12_a_card_that_may_go_home_is_a_move(home: str, legal: list[str]) -> None:
    """All tops and all cells are red, so that no card fits on another."""
    tops = [f"… {card}" for card in ("D5", "H5", "D7", "H7", "D9", "H9", "DJ", "HJ")]
    p = buried(tops, "DQ HQ DK HK", home, auto_home=False)
    assert p.legal == legal


def test_R13_the_last_action_may_solve() -> None:
    p = nearly_solved(max_moves=4).play("1>home a>home 1>home a>home")
    assert (GAME.report(p.s)["reason"], int(p.s["over"])) == ("solved", ENDED)


def test_R13_the_last_action_may_leave_the_seat_stuck() -> None:
    p = Position(deal=21, max_moves=4).play(STUCK_21)
    assert (GAME.report(p.s)["reason"], int(p.s["over"])) == ("stuck", ENDED)


def test_R13_the_limit_cuts_the_last_game_off() -> None:
    p = Position(deal=1, hands=2, max_moves=3)
    left = []
    for hand in (0, 1):
        for _ in range(3):
            assert not p.s["ended"]
            left.append(round(float(p.known(0)["actions_left"][0]) * 100))
            p.play("1>cell")
        assert GAME.report(p.s)["reason"] == "limit of moves"
        assert p.coins == (-1, 1)
        assert int(p.s["over"]) == (PLAYING, CUT_OFF)[hand]
        if hand == 0:
            p.next_hand()
    assert left == [3, 2, 1, 3, 2, 1]


def test_R13_a_truncation_with_its_coins() -> None:
    env = make("freecell", deal=1, max_moves=1, stake=5)
    env.reset(seed=1)
    env.step(0)
    assert env.truncations == {"player_0": True}
    assert env.terminations == {"player_0": False}
    assert env.rewards == {"player_0": -5}


def test_R14_a_loss_costs_what_there_is() -> None:
    for stack, lost in ((100, 30), (30, 30), (29, 29), (1, 1)):
        p = Position(deal=21, stake=30, stack=stack).play(STUCK_21)
        assert p.coins == (-lost, lost)
        assert p.s["stack"][0] == stack - lost


def test_R15_progress_is_paid_at_the_step() -> None:
    p = buried(["… CA", "… DA", *["…"] * 6], auto_home=False, progress_reward=7)
    paid = [p.play(name).coins[0] for name in ("3>cell", "1>home", "4>cell", "2>home")]
    assert paid == [0, 7, 0, 7]
    assert p.s["stack"][0] == 1014
    assert not p.s["ended"]


def test_R15_at_most_52_cards() -> None:
    p = Position(deal=3, progress_reward=1000).play(DEAL_3)
    assert p.paid == 52_001
    assert p.s["stack"][0] == 53_001


def test_R16_leaving_costs_the_stake_and_ends_the_match() -> None:
    p = Position(deal=1, hands=9, stake=10, stack=(27,)).play("1>cell")
    p.leave(0)
    assert GAME.report(p.s)["reason"] == "left"
    assert p.coins == (-10, 10)
    assert p.s["over"] == ENDED
    assert p.s["stack"][0] == 17


def test_R16_a_game_is_saved_and_continued() -> None:
    env = make("freecell", deal=3)
    env.reset(seed=1)
    actions = [GAME.parse(name) for name in DEAL_3.split()]
    for action in actions[:20]:
        env.step(action)
    other = make("freecell")
    other.load(env.save())
    for action in actions[20:]:
        other.step(action)
    assert other.rewards == {"player_0": 1}


def test_R17_the_house_plays_the_lowest_id() -> None:
    for options in ({}, {"auto_home": False}):
        tables = make_tables("freecell", 200, seed=3, **options)
        p = Position()
        kinds = set()
        for _ in range(150):
            for k in range(0, 200, 20):
                p.table[0] = tables.state[k]
                assert p.default == p.legal[0]
                kinds.add(p.default)
            tables.step(tables.sample())
        assert len(kinds) > 20


def test_R17_without_a_free_cell_and_an_empty_column() -> None:
    p = Position(deal=12).play("3>cell 7>cell 4>cell 5>cell")
    assert p.default == p.legal[0] == "b>7"
    p.play("b>7 1>cell")
    assert p.default == p.legal[0]


def test_R18_hopeless_deals_are_dealt() -> None:
    p = Position(deal=11_982)
    assert len(p.legal) == 11


def test_R19_consecutive_deals() -> None:
    p = Position(deal=999_999, hands=4, max_moves=1)
    numbers = []
    for _ in range(4):
        numbers.append(int(p.s["number"]))
        p.play("1>cell")
        if not p.s["over"]:
            p.next_hand()
    assert numbers == [999_999, 1_000_000, 1, 2]


def test_R19_random_deals_up_to_the_highest_number() -> None:
    for highest in (1, 10, 1_000_000):
        tables = make_tables("freecell", 400, seed=2, deal_max=highest)
        numbers = tables.state["number"]
        assert numbers.min() >= 1 and numbers.max() <= highest
        if highest == 10:
            assert set(numbers.tolist()) == set(range(1, 11))
        if highest == 1_000_000:
            assert abs(numbers.mean() - 500_000) < 60_000
        for i in (0, 399):
            same = Position(deal=int(numbers[i]))
            assert (same.s["columns"] == tables.state["columns"][i]).all()


@pytest.mark.parametrize(("stack", "games"), [(29, 2), (30, 3), (31, 3)])
def test_R19_the_match_ends_without_a_stake(stack: int, games: int) -> None:
    p = Position(deal=1, hands=9, stake=10, stack=stack, max_moves=1)
    played = 0
    while True:
        p.play("1>cell")
        played += 1
        if p.s["over"]:
            break
        p.next_hand()
    assert played == games
    assert p.s["stack"][0] == stack - 10 * games


# --- Beside the rules --------------------------------------------------------------------------


def test_position_takes_a_whole_pack() -> None:
    with pytest.raises(ValueError, match="S2 is on the table 0 times; expected once"):
        position(["CK", "CQ"], home="CJ DK HK SA")
    with pytest.raises(ValueError, match="CK is on the table 2 times; expected once"):
        position(["CK"], "CK", home="CQ DK HK SK")
    with pytest.raises(ValueError, match="9 columns, 0 cells: there are 8 and 4"):
        position([""] * 9)
    with pytest.raises(ValueError, match="HK is too high up: .* more than 19 cards"):
        position(["S2 S3 S4 S5 S6 S7 S8 HK"], home="SA")
    with pytest.raises(ValueError, match="'X1' is no card"):
        position(["X1"])


def test_a_position_is_no_numbered_deal() -> None:
    p = buried(["…"] * 8, deal=5)
    assert (int(p.s["number"]), GAME.report(p.s)["deal"]) == (0, 0)
    assert "set up by hand" in text(GAME.scene(p.s, None))


CONTRADICTIONS = [
    ("height", (0, 127), "height.0. is 127: expected 0…19"),
    ("height", (2, 6), "height.2. is 6: columns.2. has not so many cards, or a gap"),
    ("cells", (3, 0), "cells are .-2, -2, -2, 0.: expected in the pack's order, free ones last"),
    ("home", (0, 1), "columns, cells and home: DA is on the table 2 times"),
    ("moves", (None, 3), "log_action has not 3 entries, as moves=3 says"),
    ("moves", (None, 301), "moves is 301: expected 0…300"),
    ("log_action", (0, 5), "log_action has not 0 entries, as moves=0 says"),
    ("number", (None, 8), "number is 8, none that the options deal and deal_max give"),
    ("reason", (None, 2), "reason is 2, stuck: the table says playing"),
    ("away", (0, 1), "reason is 0, playing: the table says left"),
    ("ended", (None, True), "ended is True, but reason is 0, playing"),
]


@pytest.mark.parametrize(("field", "change", "fault"), CONTRADICTIONS)
def test_what_cannot_be_is_refused_by_name(
    field: str, change: tuple[int | None, int], fault: str
) -> None:
    place, value = change
    table = Position(deal=7).table.copy()
    check(GAME, table[0])
    if place is None:
        table[field] = value
    else:
        table[field][0][place] = value
    for seat in (None, 0):
        with pytest.raises(ValueError, match=fault):
            check(GAME, table[0], seat)


def test_a_table_on_which_nothing_moves_has_ended() -> None:
    """Also one on which all cards are home: nobody could act there."""
    tops = [f"… {card}" for card in ("D5", "H5", "D7", "H7", "D9", "H9", "DJ", "HJ")]
    p = buried(tops, "DQ HQ DK HK", "D3", auto_home=False)
    with pytest.raises(ValueError, match="reason is 0, playing: the table says stuck"):
        check(GAME, p.s)
    with pytest.raises(ValueError, match="reason is 0, playing: the table says solved"):
        check(GAME, position([], home="CK DK HK SK")[0])


def test_a_position_is_placed_and_played_on() -> None:
    env = make("freecell")
    env.place(position(["SK HK"], "CK DK", "CQ DQ HQ SQ"))
    env.step(GAME.parse("1>home"))
    assert env.rewards == {"player_0": 1}


def test_the_observation_by_name() -> None:
    p = Position(deal=60, stake=5, max_moves=250, hands=3)
    p.play("1>4 2>cell 7>cell 8>cell 8>4 a>2 8>1")
    seen = p.known(0)
    card = {name: i for i, name in enumerate(CARD_NAMES)}
    assert seen["column"][card["H4"]].tolist() == [1, 0, 0, 0, 0, 0, 0, 0]
    assert seen["above"][[card["H4"], card["D2"]]].tolist() == [2, 0]
    assert np.flatnonzero(seen["in_cell"]).tolist() == sorted([card["C6"], card["HK"]])
    assert seen["column"][card["C6"]].sum() == 0
    assert seen["at_home"].sum() == seen["home"].sum() == p.s["home"].sum()
    assert seen["next_home"].sum() == len([n for n in p.legal if n.endswith("home")])
    assert seen["height"].tolist() == [len(column.split()) for column in p.columns]
    assert (seen["run"][0], seen["run"][7]) == (4, 0)
    assert np.flatnonzero(seen["cells"]).tolist() == [5, 14, 17 + 12, 17 + 15]
    assert (seen["free_cells"], seen["empty_columns"]) == (2, 1)
    assert seen["limits"].tolist() == [6, 3]
    assert seen["actions_left"] == np.float32(2.43)
    assert seen["deal"] == np.float32(60e-6)
    assert seen["hand"].tolist() == [0, 2]
    assert (seen["stack"], seen["stake"]) == (200, 5)


def test_cards_that_can_go_home_now() -> None:
    p = buried(["… CA", "… C2", "… D3", *["…"] * 5], "DA H3", auto_home=False)
    card = {name: i for i, name in enumerate(CARD_NAMES)}
    assert set(np.flatnonzero(p.known(0)["next_home"])) == {card["CA"], card["DA"]}
    p.play("1>home")
    assert set(np.flatnonzero(p.known(0)["next_home"])) == {card["C2"], card["DA"]}
    assert np.flatnonzero(p.known(0)["at_home"]).tolist() == [card["CA"]]


def test_the_table_in_words() -> None:
    p = Position(deal=60).play("1>4 2>cell 7>cell 8>cell 8>4 a>2 8>1")
    drawn = text(GAME.scene(p.s, None))
    for part in ("deal 60", "♣6", "293 moves left", "runs of 6, 3 into", "8>cell", "1,000 coins"):
        assert part in drawn
    assert load_game("freecell") is GAME
