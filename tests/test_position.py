"""Tables set up by hand in words, for ``env.place``."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from qipai.envs import OptionError, make, position
from qipai.envs.tables import IllegalAction

DEALT: dict[str, dict[str, Any]] = {
    "baccarat": {"shoe": "S9 HK D10", "options": {"decks": 6}},
    "blackjack": {"deck": "S9 HK", "banker": 1},
    "doudizhu": {"first": 2, "turn": 2},
    "five_card_stud": {"deck": "H8 SA SK HA", "first": 1, "options": {"seats": 2}},
    "freecell": {"options": {"deal": 617}},
    "gongzhu": {"deck": "S2 HA", "hand": 1, "pig_taker": 2, "options": {"hands": 2}},
    "hk_five_card": {"deck": "H7 SA SK HA", "first": 1, "options": {"seats": 2}},
    "new_san_gong": {"deck": ["S5", "HA"], "banker": 1, "options": {"seats": 2}},
    "san_da_yi": {"first": 2, "turn": 2},
    "san_gong": {"deck": "S9 HK", "lead": 1, "options": {"mode": "pairwise"}},
    "sanzhang": {"deck": "S9 H9 C9 SA HA DA", "banker": 0, "options": {"seats": 2}},
    "thirteen": {"deck": "SA HA DA", "banker": 2, "options": {"seats": 3}},
    "tuidaohu": {"wall": "1m 1m 1m 2m", "dealer": 3, "streak": 1},
    "tuolaji": {"deck": "S9 H9 C9 SA HA DA", "banker": 0, "options": {"seats": 3}},
    "xiangqi": {"red": 1, "turn": 1},
}


def test_a_hand_is_dealt_from_what_is_named(name: str) -> None:
    given = DEALT.get(name, {})
    table = position(name, **given)
    env = make(name, **given.get("options", {}))
    env.place(table)
    for field, value in given.items():
        if field not in ("options", "deck", "shoe", "wall"):
            assert table[field][0] == value


def test_cards_come_in_the_order_named_and_moves_are_played() -> None:
    table = position(
        "five_card_stud",
        options={"seats": 2, "stack": (1000, 500)},
        deck="H8 SA SK HA C8",
        first=0,
        play=["check", "raise_min"],
    )
    env = make("five_card_stud", seats=2)
    env.place(table)
    assert [zone.items for zone in env.scene().zones[:4]] == [("H8",), ("SK",), ("SA",), ("HA",)]
    assert env.scene().moves == ("1: check", "0: raise_min")
    assert env.agent_selection == "player_1"


def test_what_can_not_be_is_named() -> None:
    for given, said in (
        ({"deck": "H8 H8"}, "deck: there is no 'H8'"),
        ({"deck": "H2"}, "deck: there is no 'H2'"),
        ({"dec": "H8"}, "no field 'dec'"),
        ({"first": 9}, "first is 9"),
        ({"street": "one"}, "street cannot be read"),
        ({"level": 10**9}, "level is 1000000000"),
        ({"hole": None}, "hole cannot be read"),
    ):
        with pytest.raises(ValueError, match=said):
            position("five_card_stud", **given)
    with pytest.raises(OptionError, match="ante"):
        position("five_card_stud", options={"ante": -1})
    with pytest.raises(IllegalAction, match="call"):
        position("five_card_stud", play=["call"])


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        ({"deck": 5}, "deck=5: names in a row"),
        ({"deck": None}, "deck=None: names in a row"),
        ({"play": None}, "play=None: a list of moves in words"),
        ({"play": "call"}, "play='call': a list of moves in words"),
        ({"play": [3]}, "play has 3: a move is a text"),
        ({"play": ["fold"] * 9}, "play has 'fold' after the hand's end"),
        ({"stack": [10**16] * 5}, "stack comes to 50000000000000000 coins: expected 1000000000000"),
        ({"reason": "op"}, "the field reason cannot be read: 'op' is not one of last seat, opened"),
    ],
)
def test_what_is_no_position_is_said_to_be_none(arguments: dict[str, Any], error: str) -> None:
    with pytest.raises(ValueError, match=f"^{error}"):
        position("tuolaji", **{"deck": "", **arguments})


def test_rows_may_be_lists_tuples_or_arrays() -> None:
    stacks = [5000, 6000, 7000, 8000, 9000]
    made = [
        position("tuolaji", stack=stack, banker=np.int64(2), deck="").tobytes()
        for stack in (stacks, tuple(stacks), np.array(stacks))
    ]
    assert made[0] == made[1] == made[2]
