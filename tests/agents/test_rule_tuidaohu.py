"""The rule bot of tuidaohu: sensible where anybody can judge."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from qipai.agents.random import RandomAgent
from qipai.agents.rule import rule_bot
from qipai.envs.kernel import addressable
from qipai.envs.match import engine
from qipai.envs.tables import Tables
from qipai.envs.tuidaohu import CLAIM, GAME, ROB
from tests.tuidaohu_positions import Position, position

BOT = rule_bot(GAME)


def answer(table: Position) -> str:
    """The name of the bot's action."""
    return GAME.action_name(int(BOT.act(table.view(table.turn), table.mask[None])[0]))


# --- Any position ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"hands": 9, "stack": (13, 500, 77, 4), "kongs_in_draw": True, "horse_dragons": "one"},
        {"hands": 3, "horses_max": 0, "tianhu_kong": False, "stake": 3},
    ],
    ids=["defaults", "short stacks", "plain"],
)
def test_every_answer_is_legal_and_every_promise_holds(options: dict[str, Any]) -> None:
    """Also in positions the bot itself would not come to. Its hands are won, claimed and robbed
    far more often than those of random play, so coins, tiles and redeals are looked at here too."""
    n = 128
    tables = Tables(GAME, n, seed=5, **options)
    loops = engine(GAME)
    at_random = RandomAgent(1)
    hands = step = wins = claims = robberies = 0
    while hands < 400 or robberies == 0:
        views, masks = tables.views(), tables.action_mask
        actions = BOT.act(views, masks)
        assert masks[np.arange(n), actions].all()
        claims += int((views["phase"] == CLAIM).sum())
        robberies += int((views["phase"] == ROB).sum())
        wins += int((actions == GAME.parse("win")).sum())
        others = at_random.act(views, masks)
        wealth = tables.state["stack"].sum(axis=1)
        tables.step(np.where(np.arange(n) % 8 == 7, others, actions))
        playing = tables.over == 0
        assert (tables.reward.sum(axis=1) + tables.house == 0).all()
        assert (tables.state["stack"].sum(axis=1) == wealth)[playing].all()
        hands += int((tables.reward != 0).any(axis=1).sum())
        step += 1
        if step % 8 == 0:
            for seat in range(4):
                check_redeal(tables, loops, np.full(n, seat), step)
    assert wins > 200 and claims > 500


def check_redeal(tables: Tables, loops: Any, seats: np.ndarray, bits: int) -> None:
    """A seat sees the same table whatever is dealt where it can't see."""
    n = len(seats)
    views, again = (addressable(np.zeros(n, GAME.state)) for _ in range(2))
    loops.view_tables(tables.state, np.arange(n), seats, views)
    other = addressable(views.copy())
    loops.redeal_views(other, seats, np.uint64(bits))
    loops.view_tables(other, np.arange(n), seats, again)
    assert all((views[field] == again[field]).all() for field in views.dtype.names or ())
    assert all(GAME.census(table) == (4,) * 34 for table in other[:8])


def test_it_beats_random_play() -> None:
    """One bot at a table of four, in every seat once."""
    n = 400
    at_random = RandomAgent(2)
    coins = []
    for seat in range(4):
        tables = Tables(GAME, n, seed=8)
        waiting = np.ones(n, bool)
        while waiting.any():
            views, masks = tables.views(), tables.action_mask
            bot = views["turn"] == seat
            tables.step(np.where(bot, BOT.act(views, masks), at_random.act(views, masks)))
            done = waiting & (tables.over != 0)
            coins += tables.reward[done, seat].tolist()
            waiting &= ~done
    assert np.mean(coins) > 2.5


# --- Choices -----------------------------------------------------------------------------------


def test_it_wins() -> None:
    table = position({2: "123m 456p 567s 99s EE"}, turn=2, draws="E")
    assert answer(table) == "win"
    table = position({3: "123m 46p 789s 111s EE"}, melds={1: "pong 5p 2"}, turn=1, draws="5p")
    table.play("akong 5p")
    assert (table.turn, answer(table)) == (3, "win")


@pytest.mark.parametrize(
    ("hand", "draw", "discard"),
    [
        ("123m 456p 567s 99s 1p N", "2p", "discard N"),  # ready for a run rather than a pair
        ("123m 456p 789s 99s 45m", "W", "discard W"),
        ("123m 456p 99s 345s EE", "9m", "discard 9m"),
        ("19m 19p 19s ESWN RD GD 5m", "WD", "discard 5m"),  # thirteen orphans
        ("123m 456p 78s 89s EE 2p", "5m", "discard 8s"),
    ],
)
def test_it_keeps_what_is_near(hand: str, draw: str, discard: str) -> None:
    assert answer(position({1: hand}, turn=1, draws=draw)) == discard


def test_it_waits_for_more_tiles() -> None:
    """Of two waits for a pair, the one of which more tiles are unseen."""
    table = position({1: "123m 456p 567s 999s N"}, turn=1, draws="W", river="NN")
    assert answer(table) == "discard N"
    table = position({1: "123m 456p 567s 999s N"}, turn=1, draws="W", river="WW")
    assert answer(table) == "discard W"


def test_tiles_that_win_big_count_twice() -> None:
    """Three E are unseen and two 6m, which win big unless the meld is of another suit."""
    hand = "111m 333m 999m 6m"
    table = position({1: hand}, melds={1: "pong 5m 0"}, turn=1, draws="E", river="6m")
    assert answer(table) == "discard E"
    table = position({1: hand}, melds={1: "pong 5p 0"}, turn=1, draws="E", river="6m")
    assert answer(table) == "discard 6m"


def test_it_lays_kongs() -> None:
    table = position({1: "1111m 456p 567s 99s E"}, turn=1, draws="W")
    assert answer(table) == "ckong 1m"
    table = position({1: "5p 123m 567s EEE"}, melds={1: "pong 5p 2"}, turn=1, draws="9m")
    assert answer(table) == "akong 5p"
    table = position({0: "EEE 123m 456p 78s 99s"}, turn=2, draws="E")
    table.play("discard E")
    assert answer(table) == "kong"


def test_it_lays_no_kong_that_breaks_its_hand() -> None:
    table = position({1: "123m 234m 345m 3m 55p 7p"}, turn=1, draws="8p")
    assert "ckong 3m" in table.legal  # three runs would be gone
    assert answer(table) == "discard 3m"


def test_it_pongs_if_that_brings_it_nearer() -> None:
    table = position({3: "EE 123m 456p 78s 59m 1p"}, turn=2, draws="E")
    table.play("discard E")
    assert answer(table) == "pong"
    table = position({3: "1122m 3344p 5566s E"}, turn=2, draws="1m")
    table.play("discard 1m")  # ready with seven pairs
    assert answer(table) == "pass"


@pytest.mark.parametrize(("left", "discard"), [(20, "discard N"), (60, "discard W")])
def test_late_it_throws_what_cannot_feed_a_kong(left: int, discard: str) -> None:
    """W and N are of no use; one N has been seen, but early that does not matter."""
    table = position(
        {
            1: "123m 456p 55s 79p 99m N",
            2: "WWW 147m 147p 14s EE",
            3: "NN 258m 25p 258s SSS",
        },
        turn=1,
        draws="W",
        river="N",
        left=left,
    )
    assert answer(table) == discard
