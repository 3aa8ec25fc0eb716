"""Hong Kong five-card stud: showdown chances known from elsewhere; ranking: test_five_cards.py."""

from __future__ import annotations

import pytest

from qipai.envs.hk_five_card import ACTIONS, LOWEST, value
from qipai.envs.kernel import kernel
from tests.five_card_hands import wins


@kernel
def write_values(hands, values):
    for i in range(len(hands)):
        values[i] = value(hands[i])


@pytest.mark.parametrize(
    ("hero", "villain", "won"),
    [
        ("SA HA C8 DJ S9", "SK DK C9 HJ", 17),
        ("H7 SK DK C9 HJ", "HA C8 DJ S9", 20),
        ("S8 S9 S10 SJ SA", "H10 D10 C10 SK", 20),
        ("H9 C10 HJ SQ HK", "D9 S10 DJ HQ", 22),
    ],
)
def test_showdown_against_an_unknown_hole(hero: str, villain: str, won: int) -> None:
    assert wins(write_values, LOWEST, hero, villain) == (won, 23)


@pytest.mark.parametrize(
    ("hero", "villain", "won"),
    [
        ("SA HA C8 DJ", "SK DK C9", 9_014),
        ("H7 SK DK C9", "HA C8 DJ", 10_862),
        ("S10 SJ SQ HK", "HA CA D8", 3_208),
    ],
)
def test_showdown_with_one_card_each_to_come(hero: str, villain: str, won: int) -> None:
    assert wins(write_values, LOWEST, hero, villain) == (won, 13_800)


def test_there_are_8_actions() -> None:
    assert ACTIONS.width == 8
