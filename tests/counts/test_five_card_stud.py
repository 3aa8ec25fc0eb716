"""Five-card stud against showdown chances known from elsewhere; its ranking: test_five_cards.py."""

from __future__ import annotations

import pytest

from qipai.envs.five_card_stud import ACTIONS, LOWEST, value
from qipai.envs.kernel import kernel
from tests.five_card_hands import wins


@kernel
def write_values(hands, values):
    for i in range(len(hands)):
        values[i] = value(hands[i])


@pytest.mark.parametrize(
    ("hero", "villain", "won"),
    [
        ("SA HA C8 DJ S9", "SK DK C9 HJ", 13),
        ("H8 SK DK C9 HJ", "HA C8 DJ S9", 16),
        ("S8 S9 S10 SJ SA", "H10 D10 C10 SK", 16),
        ("H9 C10 HJ SQ HK", "D9 S10 DJ HQ", 18),
    ],
)
def test_showdown_against_an_unknown_hole(hero: str, villain: str, won: int) -> None:
    assert wins(write_values, LOWEST, hero, villain) == (won, 19)


@pytest.mark.parametrize(
    ("hero", "villain", "won"),
    [
        ("SA HA C8 DJ", "SK DK C9", 4_942),
        ("H8 SK DK C9", "HA C8 DJ", 6_098),
        ("S10 SJ SQ HK", "HA CA D8", 2_176),
    ],
)
def test_showdown_with_one_card_each_to_come(hero: str, villain: str, won: int) -> None:
    assert wins(write_values, LOWEST, hero, villain) == (won, 7_980)


def test_there_are_8_actions() -> None:
    assert ACTIONS.width == 8
