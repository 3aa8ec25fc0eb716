"""Bets on hands that lie face down: whose turn it is, what ends a hand, who wins, who pays what."""

from __future__ import annotations

import numpy as np
import pytest

from qipai.envs import options
from qipai.envs.fields import Fields
from qipai.envs.kernel import addressable
from qipai.envs.layout import NONE, Actions
from qipai.envs.options import Options
from qipai.envs.parts import blind_bets, unseen_hands
from qipai.envs.parts.blind_bets import (
    CAPPED,
    FOLDED,
    LAST_SEAT,
    OPENED,
    allowance,
    charge,
    choose_winners,
    end_turn,
    flee,
    go_out,
    look,
    may_look,
    may_open,
    open_hands,
    pay,
    price,
)
from qipai.envs.parts.three_cards import A23, LOWEST_TRIPS, STRONGEST
from tests.table import parse_cards

SEATS, LIMIT = 4, 100
WAYS = ("folded", "gone")
ACTIONS = Actions()
blind_bets.add_actions(ACTIONS, ["raise"], "always")
FIELDS = Fields(
    Options(
        options.seats(SEATS, low=2, high=SEATS, clause="R1"),
        options.hands(clause="R1"),
        options.stack(LIMIT, seats=SEATS, clause="R1"),
        unseen_hands.special_option(clause="R1"),
    ),
    SEATS,
    *unseen_hands.fields(SEATS),
    *blind_bets.fields(SEATS, ACTIONS, WAYS, raises=SEATS),
)


@pytest.fixture
def s() -> np.void:
    """Four live seats, 0 the banker, 1 to act, with an ante of 10 each."""
    table = addressable(FIELDS.blank())
    table["seats"], table["turn"], table["unit"] = SEATS, 1, 10
    table["dealt_in"], table["live"], table["stake"], table["limit"] = 1, 1, 10, LIMIT
    table["stack"], table["rules"]["special_distinct"] = LIMIT, True
    return table[0]


def test_a_look_doubles_the_price(s: np.void) -> None:
    assert (price(s, 1), allowance(s, 1), may_look(s, 1)) == (10, 90, True)
    look(s, 1)
    assert (price(s, 1), may_look(s, 1), s["look_unit"].tolist()) == (20, False, [0, 10, 0, 0])
    pay(s, 1, price(s, 1))
    assert (s["stake"][1], s["looked_bets"][1], s["blind_bets"][1]) == (30, 1, 0)
    s["stake"][2] = LIMIT - 19
    assert not may_look(s, 2)


def test_the_turn_goes_round(s: np.void) -> None:
    turns = []
    for _ in range(6):
        turns.append((int(s["turn"]), int(s["circles"])))
        if s["turn"] == 2:
            go_out(s, 2, FOLDED)
        end_turn(s, LIMIT)
    assert turns == [(1, 0), (2, 0), (3, 0), (0, 0), (1, 1), (3, 1)]
    assert s["reason"] == NONE


def test_who_leaves_in_turn_passes_it_on(s: np.void) -> None:
    flee(s, 3, WAYS.index("gone"))
    assert s["turn"] == 1
    flee(s, 1, WAYS.index("gone"))
    assert s["turn"] == 2 and s["reason"] == NONE
    flee(s, 0, WAYS.index("gone"))
    assert s["reason"] == LAST_SEAT and s["won"].tolist() == [0, 0, 1, 0]


def test_hands_are_opened_at_the_cap_or_where_a_seat_can_not_pay(s: np.void) -> None:
    before = s.copy()
    s["stake"][1] = LIMIT
    end_turn(s, LIMIT)
    assert (s["reason"], s["opener"], s["shown"].tolist()) == (CAPPED, 1, [1, 1, 1, 1])
    for last_actor, opener in ((1, 1), (NONE, NONE)):
        late = addressable(np.array([before], FIELDS.dtype))[0]
        late["stake"][2], late["last_actor"] = LIMIT - 9, last_actor
        end_turn(late, LIMIT)
        assert (late["reason"], late["opener"]) == (CAPPED, opener)


def test_only_two_may_open(s: np.void) -> None:
    assert not may_open(s, 1)
    for seat in (2, 3):
        go_out(s, seat, FOLDED)
    assert may_open(s, 1)
    s["stake"][1] = LIMIT - 19
    assert not may_open(s, 1)


@pytest.mark.parametrize(
    ("beatable", "best", "opener", "won"),
    [
        (LOWEST_TRIPS, "S6 H6 C6", NONE, [0, 0, 1, 0]),  # 2-3-5 beats any trips
        (STRONGEST, "S6 H6 C6", NONE, [1, 0, 0, 0]),
        (STRONGEST, "SA HA CA", NONE, [0, 0, 1, 0]),
        (STRONGEST, "SK HJ C8", NONE, [1, 1, 0, 0]),
        (STRONGEST, "SK HJ C8", 0, [0, 1, 0, 0]),
        (STRONGEST, "SK HJ C8", 2, [1, 1, 0, 0]),
    ],
)
def test_who_wins(s: np.void, beatable: int, best: str, opener: int, won: list[int]) -> None:
    for seat, cards in enumerate((best, "DK CJ H8", "S2 H3 C5", "DA D10 D9")):
        unseen_hands.hold(s, seat, *(np.int8(card) for card in parse_cards(cards)))
    go_out(s, 3, FOLDED)
    open_hands(s, opener, OPENED)
    choose_winners(s, A23.NONE, beatable)
    assert s["won"].tolist() == won


def test_nobody_pays_more_than_it_has(s: np.void) -> None:
    s["won"][0], s["stake"] = 1, [10, 20, 30, 40]
    assert charge(s, 50, 2) == 50 + 40 + 20
    assert s["coins"].tolist() == [-20, -90, -100, -100]
