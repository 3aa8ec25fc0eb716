"""The rule bot of Hong Kong five-card stud: sensible where anybody can judge."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from qipai.agents import load_agent
from qipai.agents.agent import Agent
from qipai.agents.rule.hk_five_card import (
    SAMPLES,
    counted,
    draw_hole,
    draws_of,
    sampled,
    sort_holes,
    unseen_cards,
    work,
)
from qipai.envs.hk_five_card import GAME
from qipai.envs.kernel import addressable
from qipai.envs.parts.cards import ACE, BIT
from qipai.envs.rng import RNG
from tests.hk_five_card_positions import THREE_HANDS, Position


@pytest.fixture(scope="module")
def bot() -> Agent:
    return load_agent("rule", GAME)


def choice(bot: Agent, hand: Position) -> str:
    return GAME.action_name(int(bot.act(hand.view(hand.turn), hand.mask[None])[0]))


def test_a_hidden_pair_opens_small(bot: Agent) -> None:
    hand = Position(*THREE_HANDS)
    assert hand.turn == 1
    assert choice(bot, hand) == "raise_2"


def last_round(*hands: str, **options: Any) -> Position:
    """Nobody has bet before the last round."""
    hand = Position(*hands, **options)
    while hand.round < 4:
        hand.play("check")
    return hand


def test_a_sure_winner_goes_all_in(bot: Agent) -> None:
    hand = last_round("D7 HA CA DA S9", "H7 S8 D9 CJ HQ")
    assert hand.turn == 0
    assert choice(bot, hand) == "all_in"


def test_a_hand_that_cannot_win_checks_if_it_may_and_folds_to_a_bet(bot: Agent) -> None:
    hand = last_round("D7 HA CA D8 S9", "H7 S8 D9 CJ HQ", "C7 H8 C10 DJ DQ")
    hand.play("check")
    assert (hand.turn, choice(bot, hand)) == (1, "check")
    hand.play("check", "raise_1", "fold")
    assert (hand.turn, choice(bot, hand)) == (1, "fold")


def test_staying_may_cost_less_than_folding(bot: Agent) -> None:
    """A sure winner all-in with 60 takes just 60 from a seat that stays; folded, it pays 110."""
    hands = ("S7 SA HA CA DA", "H8 D9 C10 SJ SK", "C8 H9 D10 CJ HK")
    hand = Position(*hands, stacks=(60, 1000, 1000))
    hand.play("raise_4", "call", "call", "raise_4", "call")
    while hand.round < 4:
        hand.play("check")
    hand.play("check", "raise_4")
    assert (hand.turn, hand.stakes) == (1, (60, 110, 160))
    assert choice(bot, hand) == "call"


@pytest.mark.parametrize(
    ("hero", "villain", "chance"),
    [
        ("SA HA C8 DJ S9", "D10 SK DK C9 HJ", 17 / 23),
        ("H7 SK DK C9 HJ", "SQ HA C8 DJ S9", 20 / 23),
        ("SA HA C8 DJ S9", "H7 SK DK C9 HJ", 9_014 / 13_800),
        ("S10 SJ SQ HK H7", "S7 HA CA D8 D9", 3_208 / 13_800),
    ],
)
def test_chances_are_those_of_the_rule_sheet(hero: str, villain: str, chance: float) -> None:
    """Rivals who have not bet hold any unseen card; all cards are out, or one each is to come."""
    hand = Position(hero, villain)
    rounds = 4 if chance in (17 / 23, 20 / 23) else 3
    while hand.round < rounds:
        hand.play("check")
    view, own = hand.view(0)[0], np.int64(0)
    unseen = np.int64(unseen_cards(view))
    if rounds == 4:
        assert counted(view, own, unseen)[0] == pytest.approx(chance)
        return
    rng, samples = addressable(np.zeros(1, RNG))[0], 400 * SAMPLES
    shares = [sampled(view, own, unseen, *work(), rng)[0] for _ in range(400)]
    assert abs(np.mean(shares) - chance) < 4 * (chance * (1 - chance) / samples) ** 0.5


def test_a_rival_that_has_bet_holds_better_cards() -> None:
    """Holes drawn for one who shows an ace: is a pair of aces likelier once it has bet?"""
    hand = Position(*THREE_HANDS[:2])
    before = share_of_aces(hand)
    hand.play("raise_1")
    assert before == pytest.approx(3 / 29, abs=0.02)
    assert share_of_aces(hand) > 2 * before


def share_of_aces(hand: Position) -> float:
    view, seat, (holes, worth) = hand.view(0)[0], np.int64(1), work()
    unseen, rng = np.int64(unseen_cards(view)), addressable(np.zeros(1, RNG))[0]
    count = sort_holes(view, seat, unseen, holes[1], worth)
    draws = draws_of(view, seat)
    drawn = [draw_hole(holes[1], count, draws, unseen, rng) for _ in range(4000)]
    return float(np.isin(drawn, BIT[4 * ACE :]).mean())
