"""The turn of a shedding game beside hands told move by move, with cards as counts and as bits."""

from __future__ import annotations

import random

import numpy as np
import pytest

from qipai.envs import options
from qipai.envs.fields import Field, Fields
from qipai.envs.kernel import addressable
from qipai.envs.layout import NONE
from qipai.envs.parts.shedding import (
    clear_owner,
    log_contradiction,
    log_fields,
    log_lines,
    most_turns,
    pass_turn,
    table_contradiction,
    take_table,
    turn_fields,
)

SEATS, KEPT, MOST = 4, 6, 60
RULES = options.Options(options.seats(SEATS, low=SEATS, high=SEATS, clause="R1"))


def fields(cards: Field) -> Fields:
    leader = Field.seat("leader", "who led first")
    return Fields(RULES, SEATS, leader, *turn_fields(SEATS), *log_fields(MOST, cards))


BITS = fields(Field.number("log_cards", 2**52 - 1, "cards as bits", KEPT))
COUNTS = fields(Field.number("log_cards", 4, "cards by rank", (KEPT, 3)))


@pytest.mark.parametrize("kind", [BITS, COUNTS])
def test_turns_are_those_of_a_hand_told_move_by_move(kind: Fields) -> None:
    lots = random.Random(5)
    for _ in range(20):
        table = addressable(kind.blank())
        s = table[0]
        s["rules"]["seats"] = s["seats"] = SEATS
        first = s["leader"] = s["turn"] = lots.randrange(SEATS)
        told: list[tuple[int, int]] = []  # seat and cards, 0 a pass
        owner, passes = NONE, 0
        for _ in range(MOST):
            seat = int(s["turn"])
            if owner != NONE and lots.random() < 0.6:
                told.append((seat, 0))
                passes += 1
                led = bool(pass_turn(s))
                assert led == (passes == SEATS - 1)
                if led:
                    assert s["turn"] == owner
                    clear_owner(s)
                    owner, passes = NONE, 0
            else:
                cards = 1 + lots.randrange(4)
                told.append((seat, cards))
                s["log_cards"][take_table(s)] = cards
                owner, passes = seat, 0
            assert (s["owner"], s["passes"], s["log_count"]) == (owner, passes, len(told))
            lines = [f"{seat}: {cards or 'pass'}" for seat, cards in told[-KEPT:]]
            assert list(log_lines(s, lambda cards: str(np.max(cards)))) == lines
            on_table = None
            if owner != NONE:
                on_table = np.full_like(s["log_cards"][0], told[-1 - passes][1])
            assert log_contradiction(s, "leader") is None
            assert table_contradiction(s, "leader", on_table) is None
            s["leader"] = (first + 1) % SEATS
            assert log_contradiction(s, "leader") is not None
            s["leader"] = first
            s["passes"] = (passes + 1) % (SEATS - 1)
            assert table_contradiction(s, "leader", on_table) is not None
            s["passes"] = passes


def test_most_turns_are_those_of_the_longest_hand() -> None:
    """Each move but the last is passed on by everybody else."""
    for seats in (2, 3, 4):
        for moves in range(1, 9):
            hand = "".join("m" + "p" * (seats - 1) for _ in range(moves)).rstrip("p")
            assert most_turns(seats, moves) == len(hand)
