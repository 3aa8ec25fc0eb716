"""The rule bot of gongzhu: what it exposes, how it ducks and discards, and endings solved."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from qipai.agents import load_agent
from qipai.agents.rule.gongzhu import policy, solve, work
from qipai.envs.gongzhu import GAME, play_card, playable
from qipai.envs.kernel import addressable
from tests.gongzhu_positions import Position, hands_dealt


@pytest.mark.parametrize(
    ("held", "answer"),
    [
        ("SQ S2 S3 S4 S5 S6 D2 D3 D4 C2 C3 C4 C5", "expose:SQ"),
        ("SQ S2 S3 S4 S5 D5 D2 D3 D4 C2 C3 C4 C5", "expose:none"),
        ("DJ DA DK S2 S3 S4 S5 S6 S7 C2 C3 C4 C5", "expose:DJ"),
        ("HA H2 H7 S2 S3 S4 S5 S6 S7 C2 C3 C4 C5", "expose:HA"),
        ("HA H2 H8 S2 S3 S4 S5 S6 S7 C2 C3 C4 C5", "expose:none"),
    ],
)
def test_what_it_exposes(held: str, answer: str) -> None:
    hand = hands_dealt(held)
    bot = load_agent("rule", GAME)
    assert GAME.action_name(int(bot.act(hand.view(0), hand.mask[None])[0])) == answer


@pytest.mark.parametrize(
    ("held", "lead", "card"),
    [
        ("SJ S2 D5 C4", "SK", "SJ"),  # does not take what may cost
        ("SQ S2 D5 C4", "SK", "SQ"),  # leaves the pig to who takes
        ("SQ D2 D5 C4", "H3", "SQ"),
        ("H4 HK D5 C4", "S3", "HK"),
    ],
)
def test_what_it_plays_in_a_play_out(held: str, lead: str, card: str) -> None:
    hand = Position(held, "", "", f"{lead} C2 C3 C5", leader=3, led="S").play(lead)
    assert GAME.action_name(int(policy(hand.s))) == card


def open_value(s: Any) -> Sequence[int]:
    """What each seat gets if all play for the most for themselves, by recursion."""
    best: list[int] = s["due"].tolist()
    if not s["ended"]:
        values, cards = [], int(playable(s))
        for card in range(52):
            if cards >> card & 1:
                after = addressable(np.array([s]))[0]
                play_card(after, np.int64(card))
                values.append(open_value(after))
        best = list(max(values, key=lambda due: due[int(s["turn"])]))
    return best


def test_endings_are_solved() -> None:
    draws = np.random.default_rng(5)
    for _ in range(40):
        names = [GAME.action_name(16 + int(k)) for k in draws.permutation(52)]
        hands = [" ".join(names[3 * p : 3 * p + 3]) for p in range(4)]
        taken = [" ".join(names[12 + 10 * p : 22 + 10 * p]) for p in range(4)]
        hand = Position(*hands, leader=int(draws.integers(4)), taken=taken, led="DCHS", tricks=10)
        tables, left, found, _ = work()
        tables[1] = hand.s
        solve(tables, left, found)
        assert tables[1]["due"].tolist() == open_value(hand.s)
