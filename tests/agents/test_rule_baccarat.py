"""The rule bot of baccarat: chips only where the cards left are good, and then all it may."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from qipai.agents import load_agent
from qipai.agents.agent import Agent
from qipai.agents.rule.baccarat import exceeds
from qipai.envs.baccarat import GAME
from qipai.envs.layout import NONE
from tests.table import Table, parse_cards


@pytest.fixture(scope="module")
def bot() -> Agent:
    return load_agent("rule", GAME)


class Shoe(Table):
    """A table with these cards left in a shoe of eight packs, one seat."""

    def __init__(self, left: str, **options: Any) -> None:
        super().__init__("baccarat", seats=1, cut=6, **options)
        self.deal()
        cards = parse_cards(left)
        taken = 8 - np.bincount(cards, minlength=52)
        assert (taken >= 0).all(), "more than there are"
        dealt = 416 - len(cards)
        self.s["taken"], self.s["dealt"] = taken, dealt
        self.s["shoe"][:dealt] = NONE
        self.s["shoe"][dealt:] = cards


def bet(bot: Agent, left: str, **options: Any) -> str:
    """What the bot lays, chip by chip."""
    table, moves = Shoe(left, **options), []
    while not table.s["ended"]:
        action = int(bot.act(table.view(0), table.mask[None])[0])
        moves.append(GAME.action_name(action))
        table.play(moves[-1])
    return "+".join(moves)


def suits(rank: str, times: int) -> str:
    return " ".join(f"{suit}{rank}" for suit in "SHDC" for _ in range(times))


def test_nothing_from_a_whole_shoe(bot: Agent) -> None:
    for decks in (1, 6, 8):
        table = Table("baccarat", seats=2, decks=decks).deal()
        assert bot.act(table.view(0), table.mask[None])[0] == 0


def test_six_kings(bot: Agent) -> None:
    """0-0 on six cards: tie and pairs are worth more than big, which gets the chips left."""
    assert bet(bot, "SK HK DK CK SK HK", max_tie=1100, max_pair=500) == (
        "chip3:tie+chip1:tie+chip2:bpair+chip3:big+chip3:big+chip3:big+chip3:big+chip3:big"
    )


def test_only_eights_and_kings(bot: Agent) -> None:
    """Eight eights and a king: 6 or 8 points by two cards, nobody draws."""
    moves = bet(bot, f"{suits('8', 2)} SK", max_size=700, max_tie=100, max_pair=100)
    assert moves == "chip1:tie+chip1:bpair+chip2:small+chip1:small+chip1:small"


def test_the_best_of_a_group_is_filled(bot: Agent) -> None:
    left = f"{suits('9', 2)} {suits('K', 2)}"
    moves = bet(bot, left, both_sides=True, pay_banker=200, stack=250)
    assert moves.count(":") == 2
    assert {move.split(":")[0] for move in moves.split("+")} <= {"chip1", "done"}


@pytest.mark.parametrize("pay", [0, 1, 54, 99])
def test_rounded_payments_count(bot: Agent, pay: int) -> None:
    """A bet of 1 that always wins brings nothing if what it wins is rounded to 0."""
    moves = bet(bot, "SK HK DK CK SK HK", pay_big=pay, chips=(1, 500, 1000), max_size=1)
    assert "big" not in moves


def test_exceeds_compares_fractions() -> None:
    draws = np.random.default_rng(2)
    for most in (4, 100, 10**15):
        for a, b, c, d in draws.integers(0, most, (300, 4)).tolist():
            if b and d:
                assert exceeds(a, b, c, d) == (Fraction(a, b) > Fraction(c, d))
    assert exceeds(1, 0, 5, 2)
    assert not exceeds(1, 2, 1, 0)
