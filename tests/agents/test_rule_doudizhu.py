"""The rule bot of dou dizhu: sensible where anybody can judge."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from qipai.agents.random import RandomAgent
from qipai.agents.rule import RuleAgent
from qipai.envs.doudizhu import DECK, GAME
from qipai.envs.layout import NONE
from qipai.envs.parts.auction import AUCTION
from qipai.envs.parts.ranks import parse_cards
from qipai.envs.tables import Tables
from tests.doudizhu_positions import Position

BOT = RuleAgent(GAME, 0)


def answer(position: Position) -> str:
    """The name of the bot's step."""
    seat = int(position.s["turn"])
    views = position.view(seat).table
    return GAME.action_name(int(BOT.act(views, position.mask[None])[0]))


def endgame(*hands: str, **places: Any) -> Position:
    """A position in which every card that is in no hand has been played."""
    position = Position(*hands, **places)
    position.s["played"][position.s["landlord"]] = DECK - position.s["cards"].sum(axis=0)
    return position


def whole_move(position: Position) -> str:
    """The bot's steps up to the end of its move; the log's words for it."""
    seat = position.s["turn"]
    while position.s["turn"] == seat and not position.s["ended"]:
        GAME.apply(position.s, GAME.parse(answer(position)))
    return position.log[-1]


def first_call(hand: str, other: str = "pass") -> str:
    """The bot's call with this hand after the first bidder's."""
    tables = Tables(GAME, 1, 0)
    s = tables.state[0]
    assert s["phase"] == AUCTION
    GAME.apply(s, GAME.parse(f"bid:{other}"))
    s["cards"][s["turn"]] = parse_cards(hand)
    assert s["cards"][s["turn"]].sum() == 17
    return answer(Position.of(tables.state))


# --- Whole hands ---------------------------------------------------------------------------------


def test_it_goes_on_in_the_middle_of_moves_it_would_not_begin() -> None:
    tables, composed = Tables(GAME, 100, seed=5, kickers="loose", four_two=False), 0
    while composed < 100:
        views, masks = tables.views(), tables.action_mask
        actions = BOT.act(views, masks)
        assert masks[np.arange(100), actions].all()
        composed += (views["body"] != NONE).sum()
        tables.step(np.where(np.arange(100) % 2 == 0, actions, tables.sample()))


def coins_against_random(landlord_is_bot: bool) -> float:
    """Mean coins of the landlord; the bot plays one side, random agents the other."""
    n = 400
    tables = Tables(GAME, n, seed=8)
    at_random = RandomAgent(2)
    coins = np.zeros(n)
    waiting = np.ones(n, bool)
    while waiting.any():
        views, masks = tables.views(), tables.action_mask
        lord = views["turn"] == views["landlord"]
        bot = (views["phase"] == AUCTION) | (lord == landlord_is_bot)
        landlord = views["landlord"]
        tables.step(np.where(bot, BOT.act(views, masks), at_random.act(views, masks)))
        done = waiting & (tables.over != 0)
        coins[done] = tables.reward[done, landlord[done]]
        waiting &= ~done
    return float(coins.mean())


def test_it_beats_random_play_as_landlord_and_as_farmers() -> None:
    assert coins_against_random(True) > 6
    assert coins_against_random(False) < -4


# --- Calls ---------------------------------------------------------------------------------------


def test_it_bids_3_with_both_jokers_and_twos() -> None:
    assert first_call("3344567899TQA22SJBJ") == "bid:3"
    assert first_call("3344567899TQA22SJBJ", other="2") == "bid:3"


def test_it_passes_with_nothing() -> None:
    assert first_call("33446789TTJJQQKKA") == "bid:pass"


def test_it_never_bids_below_the_table() -> None:
    assert first_call("33557789TTJQKKA2SJ", other="1") == "bid:2"
    assert first_call("33557789TTJQKKA2SJ", other="2") == "bid:pass"


# --- Ends ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "hand",
    ["7", "77", "34567", "334455", "777888", "7778", "77799", "77788835", "555566", "5555", "SJBJ"],
)
def test_it_goes_out_when_it_can(hand: str) -> None:
    position = Position(hand, "3456789TJQ", "3456789TJQ")
    assert whole_move(position).startswith("0: ")
    assert position.s["winner"] == 0


def test_it_goes_out_over_the_partner() -> None:
    position = Position("34567", "89", "9T", landlord=0, turn=1).play("8")
    assert answer(position) == "9"


def test_it_plays_what_cannot_be_beaten_first_when_one_loser_is_left() -> None:
    assert answer(endgame("3A", "KK44556", "QQ78")) == "A"
    assert answer(endgame("44AA", "KKQJ9", "QQJT")) == "AA"


def test_it_spends_the_rocket_to_go_out() -> None:
    assert answer(endgame("888JJSJBJ", "3", "7799QQK22A", turn=2).play("22")) == "SJBJ"


# --- Following -----------------------------------------------------------------------------------


def test_it_follows_with_the_cheapest_loose_card() -> None:
    landlord = "33344478TTJJQQK2A8A5"
    position = Position(landlord, "3456789TJJKKKQ9A2", "4455667899TQQA22K").play("5")
    assert answer(position) == "9"


def test_it_does_not_break_a_bomb_to_follow_a_single() -> None:
    hand = "34569999TTJJQQKK2"
    position = Position("33444556778TTJQKAA28", hand, "3556677888JQKAAA2").play("8")
    assert answer(position) == "2"


def test_it_does_not_beat_the_partners_high_move() -> None:
    position = Position(
        "3344556778899TJQKA2A", "3455667789TJQQKA2", "334678899TTJJQK22", landlord=0
    ).play("3", "A")
    assert answer(position) == "pass"


def test_it_does_not_take_the_lead_from_the_partner_once_the_landlord_has_passed() -> None:
    position = Position(
        "334455677889TJQKKA22", "3455667789TJQQKAA", "346678899TTJJQK22", turn=2
    ).play("99", "pass")
    assert answer(position) == "pass"


def test_the_farmer_before_a_landlord_with_one_card_plays_its_highest_single() -> None:
    position = endgame("K", "3579", "468QA", landlord=0, turn=1).play("3")
    assert answer(position) == "A"


def test_it_leads_no_single_to_an_opponent_with_one_card() -> None:
    for hand in ("3377", "33789TJ"):
        position = endgame("A", hand, "44556", landlord=0, turn=1)
        assert len(answer(position)) > 1


def test_it_feeds_the_last_card_of_a_partner_who_plays_next() -> None:
    position = endgame("3455667788TJQ", "46799TTJ", "8", landlord=0, turn=1)
    assert answer(position) == "4"


def test_it_stops_a_farmer_with_one_card_at_any_price() -> None:
    position = endgame("3456789QA", "T", "K3456", turn=2).play("K")
    assert answer(position) == "A"


# --- Composed moves ------------------------------------------------------------------------------


def test_kickers_are_the_weakest_loose_cards() -> None:
    position = endgame("77734599KKA2", "3", "44", landlord=0)
    position.play("777+x")
    assert answer(position) == "+3"


def test_steps_of_a_move_go_together() -> None:
    """A plane takes both loose cards along, whatever is decided after the body."""
    position = endgame("3334445TQQ", "6789JJ22", "5566789T", landlord=0)
    assert whole_move(position) == "0: 3334445T"
    assert position.s["left"][0] == 2
