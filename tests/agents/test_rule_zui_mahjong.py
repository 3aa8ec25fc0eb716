"""The rule bot of zui mahjong in positions where one choice is better."""

from __future__ import annotations

import numpy as np
import pytest

from qipai.agents.rule import rule_bot
from qipai.envs.zui_mahjong import GAME
from tests import mahjong_positions
from tests.mahjong_positions import Position


def choice(table: Position) -> str:
    action = rule_bot(GAME).act(table.view(table.turn), table.mask[None])[0]
    return GAME.action_name(int(action))


def position(hand: str, drawn: str, **more: object) -> Position:
    return mahjong_positions.position("zui_mahjong", {0: hand}, turn=0, draws=drawn, **more)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("hand", "drawn", "action"),
    [
        ("123m 456p 789s 111s E", "E", "win"),
        ("123m 456p 789s 11s E W", "1s", "ready"),  # E or W, and nothing is lost by it
        ("1111m 234p 678s EE W", "9m", "ckong 1m"),
    ],
)
def test_choices(hand: str, drawn: str, action: str) -> None:
    assert choice(position(hand, drawn, left=60)) == action


def test_it_goes_for_one_suit() -> None:
    table = position("1234556789m E 3p 6s", "E", left=60)
    assert choice(table) in ("discard 3p", "discard 6s")


def test_it_discards_what_a_ready_seat_has_let_pass() -> None:
    table = position("147m 258p 369s ESWN", "RD", left=60)
    s = table.s
    s["river_seat"][0], s["ready"][2] = 2, 0
    passed = set(s["river"][1 : s["discards"]].tolist())
    tile = GAME.parse(choice(table))
    assert tile in passed or not passed & set(np.flatnonzero(s["tiles"][0]).tolist())
