"""The rule bot of san da yi: sensible where anybody can judge."""

from __future__ import annotations

from typing import Any

from qipai.agents.rule import RuleAgent
from qipai.envs.parts.ranks import parse_cards
from qipai.envs.san_da_yi import DECK, GAME
from tests.san_da_yi_positions import Position
from tests.table import Table

BOT = RuleAgent(GAME, 0)


def answer(position: Position) -> str:
    """The name of the bot's step."""
    views = position.view(position.turn)
    return GAME.action_name(int(BOT.act(views, position.mask[None])[0]))


def endgame(*hands: str, **places: Any) -> Position:
    """A position in which every card that is in no hand has been played."""
    position = Position(*hands, **places)
    position.s["played"][position.s["landlord"]] = DECK - position.s["cards"].sum(axis=0)
    return position


def first_call(hand: str) -> str:
    position = Position.of(Table("san_da_yi").deal().table)
    position.s["cards"][position.turn] = parse_cards(hand)
    return answer(position)


def test_it_bids_by_jokers_twos_and_bombs() -> None:
    assert first_call("334567889TTJQKKA" + "345678QQK") == "bid:pass"
    assert first_call("33334567889TJQQKA" + "222SJSJBJBJ" + "4") == "bid:3"


def test_it_goes_out_at_once() -> None:
    assert answer(endgame("44455566", "777", "888", "999")) != "pass"
    assert answer(endgame("334455", "77", "88", "99")) == "334455"


def test_it_wins_from_a_sure_end() -> None:
    """The king is not beaten, and the 3 goes out after it."""
    assert answer(endgame("3K", "445", "667", "889")) == "K"


def test_it_leaves_the_table_to_a_partner_that_is_not_beaten() -> None:
    position = endgame("567", "22344", "AAKK", "556", turn=2).play("AA", "pass", "pass")
    assert position.turn == 1 and "22" in position.legal
    assert answer(position) == "pass"
