"""FreeCell's solver and the bot that plays its solutions."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from qipai.agents.agent import load_agent
from qipai.agents.budget import Budget
from qipai.agents.rule import freecell as bot
from qipai.agents.rule.freecell import Bot, Solver, rule_of_thumb, solve
from qipai.envs import make, make_tables
from qipai.envs.freecell import GAME, position
from tests.freecell_positions import Position, buried


@pytest.fixture(scope="module")
def solver() -> Solver:
    return Solver()


def thumb(p: Position) -> str:
    mask = np.zeros(GAME.actions.width, np.int8)
    mask[[GAME.parse(name) for name in p.legal]] = 1
    return GAME.action_name(int(rule_of_thumb(p.s, mask)))


def played(agent: Bot, **options: int) -> tuple[int, int]:
    """Coins and actions of one match."""
    tables = make_tables("freecell", 1, seed=1, **options)
    for action in itertools.count(1):
        tables.step(agent.act(tables.views(), tables.action_mask))
        if tables.over[0]:
            return int(tables.reward[0, 0]), action
    raise AssertionError


@pytest.mark.parametrize("auto_home", [True, False])
def test_solutions_solve(auto_home: bool, solver: Solver) -> None:
    """Every solution of the first hundred deals, action by action through the environment."""
    env = make("freecell", auto_home=auto_home)
    for deal in range(1, 101):
        table = make_tables("freecell", 1, seed=1, deal=deal, auto_home=auto_home).state
        found = solver.solve(table[0])
        assert found.verdict == "solved"
        assert len(found.actions) <= 130
        env.place(table)
        for action in found.actions:
            assert not env.terminations["player_0"]
            env.step(action)
        assert env.rewards == {"player_0": 1}
        assert env.infos["player_0"]["settled"][0]["reason"] == "solved"


def test_the_bot_plays_solutions() -> None:
    agent = load_agent("rule", GAME)
    tables = make_tables("freecell", 40, seed=2)
    won = np.zeros(40, bool)
    for _ in range(130):
        tables.step(agent.act(tables.views(), tables.action_mask))
        won |= tables.reward[:, 0] > 0
        assert (tables.reward >= 0).all()
    assert won.all()


def test_a_solution_is_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    searches = []
    original = Solver.solve
    monkeypatch.setattr(
        Solver, "solve", lambda self, view: searches.append(1) or original(self, view)
    )
    agent = Bot(GAME)
    coins, actions = played(agent, deal=3)
    assert coins == 1 and actions > 30
    assert len(searches) == 1
    assert played(agent, deal=3) == (coins, actions)
    assert len(searches) == 1
    assert played(agent, deal=3, auto_home=False)[0] == 1
    assert len(searches) == 2
    assert played(agent, deal=11_982)[0] == -1  # without a solution once, so for good
    assert len(searches) == 3


def test_positions_are_solved_from_where_they_are() -> None:
    p = Position(deal=5).play("1>cell 2>cell 3>cell")
    found = solve(p.s)
    assert found.verdict == "solved"
    p.play(" ".join(GAME.action_name(a) for a in found.actions))
    assert p.coins == (1, -1)


def test_the_order_of_columns_is_no_other_position(solver: Solver) -> None:
    deal = Position(deal=146_692, max_moves=2_000)
    turned = position(deal.columns[3:] + deal.columns[:3], max_moves=2_000)
    assert solver.solve(turned[0]) == solver.solve(deal.s)


def test_limits(solver: Solver) -> None:
    s = Position(deal=1).s
    whole = solver.solve(s)
    short = solve(s, Budget(count=50))
    assert (short.verdict, short.actions, short.positions) == ("unknown", (), 50)
    assert solve(s, Budget(count=whole.positions)).verdict == "solved"
    hard = Position(deal=11_982).s
    assert solve(hard, Budget(count=61_000)).verdict == "unknown"
    assert solve(hard, Budget(seconds=1e-9)).verdict == "unknown"
    assert solve(hard, Budget(seconds=100.0)).verdict == "unsolvable"


def test_a_solver_is_used_again(solver: Solver) -> None:
    first = solver.solve(Position(deal=7).s)
    solver.solve(Position(deal=11_982).s)
    assert solver.solve(Position(deal=7).s) == first


def test_actions_left_are_respected(solver: Solver) -> None:
    p = buried(["…"] * 8, max_moves=3)
    found = solver.solve(p.s)
    assert (found.verdict, found.actions) == ("unknown", ())
    for limit in (3, 4):
        table = position(["SK HK"], "CK DK", "CQ DQ HQ SQ", auto_home=False, max_moves=limit)
        found = solver.solve(table[0])
        assert (found.verdict, len(found.actions)) == (
            ("solved", 4) if limit == 4 else ("unknown", 0)
        )


def test_a_budget_of_one_position_plays_by_the_rule_of_thumb() -> None:
    agent = Bot(GAME, 0, Budget(count=1))
    p = Position(deal=1)
    view, mask = p.table, np.zeros((1, GAME.actions.width), np.int8)
    mask[0, [GAME.parse(name) for name in p.legal]] = 1
    assert GAME.action_name(int(agent.act(view, mask)[0])) == thumb(p)
    assert bot.POSITIONS > 200_000


THUMB = [
    # home before all else
    (["… D3", "… C4", "… H9", "… S10", "…", "…", "…", "…"], "", "CA D2", "1>home"),
    # what frees a card that can go home, before a longer run
    (["… D3 C8", "… D9", "… CJ D10", "… SQ", "… S9 H8", "… HQ", "…", "…"], "", "C3 D2", "1>2"),
    # the longest run
    (["… SJ D10", "… HQ", "… C9", "… D8 S7", "… S5", "… S3", "…", "…"], "", "", "1>2"),
    # the lowest card uncovered
    (
        ["… D5 D9", "… D4 H9", "… H6 D7", *["… H5 DJ", "… H8 HJ"], "… HQ", "… DQ", "… HK"],
        "",
        "",
        "2>cell",
    ),
]


@pytest.mark.parametrize(("columns", "cells", "home", "action"), THUMB)
def test_rule_of_thumb(columns: list[str], cells: str, home: str, action: str) -> None:
    assert thumb(buried(columns, cells, home, auto_home=False)) == action


def test_the_rule_of_thumb_keeps_the_last_cell_and_the_last_column() -> None:
    red = ["… D5 D9", "… D4 H9", "… H6 D7", "… H5 DJ", "… H8 HJ", "… HQ", "… DQ"]
    p = buried([*red, ""], "HA DA HK", auto_home=False)
    assert thumb(p) == "a>home"
    p = buried([*red, ""], "H2 D2 HK", auto_home=False)
    assert thumb(p) == "2>cell"
    p = buried([*red, ""], "H2 D2 HK H10", auto_home=False)
    assert thumb(p).endswith(("8", "empty*1"))


@pytest.mark.parametrize(
    ("field", "place", "value", "fault"),
    [
        ("height", 0, 0, "height.0. is 0"),
        ("height", 7, 127, "height.7. is 127"),
        ("home", 1, 3, "C2 is on the table 2 times"),
        ("cells", 0, 51, "SA is on the table 2 times"),
        ("columns", (7, 5), 77, "columns.7, 5. is 77"),
    ],
)
def test_a_board_that_cannot_be_is_refused(
    field: str, place: int | tuple[int, int], value: int, fault: str, solver: Solver
) -> None:
    table = Position(deal=1).table.copy()
    table[field][0][place] = value
    for search in (solver.solve, solve):
        with pytest.raises(ValueError, match=fault):
            search(table[0])
    assert solver.solve(Position(deal=1).s).verdict == "solved"
