"""The rule bot of three-card stud (new_san_gong): sensible where anybody can judge;
its chances against the rule sheet's and against plain counting."""

from __future__ import annotations

from itertools import permutations
from typing import Any

import numpy as np
import pytest

from qipai.agents import load_agent
from qipai.agents.agent import Agent
from qipai.agents.rule.new_san_gong import equity, price
from qipai.envs.new_san_gong import CARDS, GAME
from qipai.envs.parts.cards import CARD_NAMES
from tests.new_san_gong_positions import FOUR_HANDS, Position, worth
from tests.table import parse_cards


@pytest.fixture(scope="module")
def bot() -> Agent:
    return load_agent("rule", GAME)


def choice(bot: Agent, hand: Position) -> str:
    return GAME.action_name(int(bot.act(hand.view(hand.turn), hand.mask[None])[0]))


def chance(hand: Position, seat: int) -> float:
    return float(equity(hand.view(seat)[0], np.int64(seat)))


def in_round(until: int, *hands: str, **options: Any) -> Position:
    """Nobody has bet before a round."""
    hand = Position(*hands, **options)
    while hand.round < until:
        hand.play("check")
    return hand


# --- Chances -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("hero", "villain", "won"),
    [
        ("S5 HK C3", "HA D9 S8", 1_487),
        ("S4 H5 DQ", "SK HQ D2", 1_013),
        ("SK HK D2", "S9 D10 C2", 1_291),
        ("S8 D10 CQ", "H3 C4 D2", 1_234),
    ],
)
def test_chances_before_the_hidden_cards(hero: str, villain: str, won: int) -> None:
    """The rule sheet's."""
    hand = in_round(2, hero, villain)
    assert chance(hand, 0) == pytest.approx(won / 2_256)
    assert chance(hand, 1) == pytest.approx(1 - won / 2_256)


@pytest.mark.parametrize(
    ("hero", "villain", "won"),
    [
        ("S5 HK C3", "HA D9 S8", 44),
        ("HA D9 S8", "S5 HK C3", 39),
        ("S4 H5 DQ", "SK HQ D2", 34),
        ("S8 D10 CQ", "H3 C4 D2", 43),
    ],
)
def test_chances_with_the_own_hidden_card(hero: str, villain: str, won: int) -> None:
    """The rule sheet's."""
    assert chance(in_round(3, hero, villain), 0) == pytest.approx(won / 47)


@pytest.mark.parametrize("seats", [3, 4])
def test_rivals_do_not_hold_the_same_card(seats: int) -> None:
    """All their hidden cards together, one by one."""
    hands = FOUR_HANDS[:seats]
    hand = in_round(3, *hands)
    seen = parse_cards(" ".join([hands[0], *(cards.rsplit(" ", 1)[0] for cards in hands[1:])]))
    unseen = [card for card in range(CARDS) if card not in seen]
    mine = worth(hands[0])
    beaten = np.array(
        [
            [worth(f"{cards.rsplit(' ', 1)[0]} {CARD_NAMES[card]}") < mine for card in unseen]
            for cards in hands[1:]
        ]
    )
    cases = np.array(list(permutations(range(len(unseen)), seats - 1)))
    won = np.all([row[column] for row, column in zip(beaten, cases.T, strict=True)], axis=0)
    assert chance(hand, 0) == pytest.approx(won.mean())


def test_a_rival_that_has_raised_holds_a_better_card() -> None:
    """Eight 3s and 4s beat the own 8 points. After one raise the rival holds one of the better 23
    of 47 cards, or of those equal to them: 4 4s, 3s and 2s each, 3 aces, 3 kings, 8 other faces.
    After two it holds one of the best 15."""
    hand = in_round(3, "S5 HK C3", "HA D9 S8")
    before = chance(hand, 1)
    hand.play("raise_min")
    assert before == pytest.approx(39 / 47)
    assert chance(hand, 1) == pytest.approx(1 - 8 / 26)
    hand.play("raise_min", "raise_min")
    assert chance(hand, 1) == pytest.approx(1 - 8 / 15)


def test_the_price_counts_the_rake() -> None:
    """Against a fold, a call of 100 loses 100, or saves the own 10 and wins 98 % of 110 + 10."""
    hand = in_round(3, *FOUR_HANDS[:3], cap=100)
    hand.play("raise_max", "fold")
    assert (hand.turn, hand.stakes) == (1, (10, 10, 110))
    assert float(price(hand.view(1)[0], np.int64(1))) == pytest.approx(100 / (100 + 10 + 117))


# --- Choices -----------------------------------------------------------------------------------


def test_a_ten_folds_to_a_bet_of_all(bot: Agent) -> None:
    hand = Position("S5 HK C3", "H10 D9 S8")
    hand.play("raise_max")
    assert (hand.turn, choice(bot, hand)) == (1, "fold")
    small = Position("S5 HK C3", "H10 D9 S8")
    small.play("raise_half")
    assert (small.turn, choice(bot, small)) == (1, "call")
    four = Position("S5 HK C3", "H4 D9 S8")
    four.play("raise_max")
    assert (four.turn, choice(bot, four)) == (1, "call")


def test_the_most_promising_first_card_bets(bot: Agent) -> None:
    """The 9 speaks first, but a king is better for what is to come."""
    hand = Position("SK HK C3", "H8 D9 S8", "S9 DK H3")
    assert (hand.turn, choice(bot, hand)) == (2, "check")
    hand.play("check")
    assert (hand.turn, choice(bot, hand)) == (0, "raise_half")


def test_much_the_better_open_cards_bet_all(bot: Agent) -> None:
    hand = in_round(2, "SK H9 D8", "D10 C7 H2")
    assert chance(hand, 0) > 0.55
    assert (hand.turn, choice(bot, hand)) == (0, "raise_max")


def test_equal_open_cards_check(bot: Agent) -> None:
    hand = in_round(2, "S7 H9 D8", "H7 C9 H2")
    assert chance(hand, 0) == pytest.approx(0.5, abs=0.02)
    assert (hand.turn, choice(bot, hand)) == (0, "check")


def test_three_of_a_kind_bets_all(bot: Agent) -> None:
    hand = in_round(3, "S9 H9 D9", "D10 C7 H2")
    assert (hand.turn, choice(bot, hand)) == (0, "raise_max")


def test_a_hand_that_cannot_win_checks_if_it_may_and_folds_to_a_bet(bot: Agent) -> None:
    """Two points against three faces."""
    hand = in_round(3, "S9 H9 C2", "DK CQ HJ", "SA CA D10")
    assert (hand.turn, choice(bot, hand)) == (0, "check")
    hand.play("check")
    while hand.turn != 1:
        hand.play("check")
    hand.play("raise_max")
    assert (hand.turn, choice(bot, hand)) == (2, "fold")
    hand.play("fold")
    assert (hand.turn, choice(bot, hand)) == (0, "fold")


def test_a_chance_worth_the_price_calls(bot: Agent) -> None:
    hand = in_round(3, "S5 HK C3", "HA D9 S8")
    hand.play("raise_min")
    assert (hand.turn, choice(bot, hand)) == (1, "call")
