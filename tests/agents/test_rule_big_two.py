"""The rule bot of big two: sensible where anybody can judge."""

from __future__ import annotations

import numpy as np

from qipai.agents.rule import RuleAgent
from qipai.envs.big_two import DECK, GAME, NAMES
from qipai.envs.layout import NONE
from tests.big_two_positions import Position

BOT = RuleAgent(GAME, 0)


def endgame(*hands: str, turn: int = 0) -> Position:
    """Every card that is in no hand has been played."""
    position = Position(*hands, turn=turn)
    held = int(np.bitwise_or.reduce(position.s["cards"]))
    position.s["played_in"] = [NONE if held >> card & 1 else 0 for card in range(len(NAMES))]
    assert held != DECK
    return position


def answer(position: Position) -> str:
    """The name of the bot's step."""
    view = position.view(position.turn)
    return GAME.action_name(int(BOT.act(view, position.mask[None])[0]))


def whole_play(position: Position) -> str:
    """The bot's steps up to the end of its play; the log's words for it."""
    seat = position.turn
    while position.turn == seat and not position.s["ended"]:
        position.play(answer(position))
    return GAME.scene(position.s, None).moves[-1]


def test_it_goes_out_when_it_can():
    assert answer(endgame("S9 H9", "SA S2", "SK HK", "C4 C5")) == "S9H9"
    following = endgame("C3 C9", "SA D8", "SK HK", "C4 C5", turn=0).play("C3")
    assert answer(following) in ("SA", "D8")


def test_it_plays_what_cannot_be_beaten_before_its_last_loser():
    assert answer(endgame("S2 D3", "SA HA", "SK HK", "C4 C5")) == "S2"
    assert answer(endgame("S2 H2 D3", "SA HA", "SK HK", "C4 C5")) == "S2H2"


def test_it_keeps_a_single_from_a_seat_with_one_card():
    assert answer(endgame("D4 S9 H9 D5 C6", "SK", "S10 D10 C8", "CJ C10 C7")) == "S9H9"
    following = endgame("D3 C3 D7", "SK", "H4 D10 C10", "DA C4 C8", turn=2).play("H4")
    assert answer(following) == "DA"


def test_it_splits_its_hand_into_fives():
    position = Position("D3 C4 H5 S6 D7 H9 C9 S9 DJ CJ SA C2 S2")
    first = whole_play(position)
    assert len(first.split()) == 6  # the seat and five cards


def test_it_takes_the_kicker_that_is_worth_least():
    assert whole_play(Position("D5 C5 H5 S5 D3 SA HA S2", "", "", "")) == "0: S5 H5 C5 D5 D3"
