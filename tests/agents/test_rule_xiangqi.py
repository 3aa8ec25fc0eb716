"""The xiangqi bot: right where anybody can judge."""

from __future__ import annotations

from typing import Any

import pytest

from qipai.agents import Budget, load_agent
from qipai.agents.rule.xiangqi import MATE, Bot, Search
from qipai.envs.xiangqi import GAME, iccs, position
from tests.xiangqi_games import mask_of, play

START = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w"


def best(where: str, nodes: int = 20_000, moves: str = "", **options: Any) -> tuple[str, int]:
    """The move found after ``moves`` and its score."""
    table = play(position(where, **options), moves)
    thought = Search().think(table, Budget(count=nodes))
    assert thought is not None
    return iccs(thought.move), thought.score


def test_a_rook_for_nothing_is_taken() -> None:
    assert best("4k4/9/9/9/r7R/9/9/9/9/3K5 w")[0] == "i5a5"


@pytest.mark.parametrize("where", ["3k5/9/9/9/1r7/9/9/9/r8/5K3 b", "3k5/9/9/9/9/9/9/4r4/9/5K3 b"])
def test_mate_and_stalemate_are_played_at_once(where: str) -> None:
    """Either wins (R13)."""
    move, score = best(where)
    assert score == MATE - 1
    assert play(position(where), move)["winner"][0] == 1


def test_other_seeds_choose_otherwise() -> None:
    table = position(START, red="seat0")
    few, mask = Budget(count=300), mask_of(table)[None]
    openings = {int(Bot(GAME, seed, few).act(table, mask)[0]) for seed in range(12)}
    assert len(openings) > 1


def test_a_budget_in_nodes_or_in_time_is_kept() -> None:
    thought = Search().think(position(START), Budget(count=700))
    assert thought is not None and thought.nodes <= 700
    assert Search().think(position(START), Budget(seconds=0.05)) is not None
    assert Search().think(position(START), Budget(count=1)) is not None
    agent = load_agent("rule:200", GAME)
    table = position(START)
    assert mask_of(table)[agent.act(table, mask_of(table)[None])[0]]


def test_only_moves_that_are_given_are_chosen_from() -> None:
    table = position("3k5/9/9/9/1r7/9/9/9/r8/5K3 b")
    mate = {int(m) for m in table["choices"][0] if m >= 0 and iccs(m) == "b5b0"}
    others = {int(m) for m in table["choices"][0] if m >= 0} - mate
    thought = Search().think(table, Budget(count=500), among=others)
    assert thought is not None and thought.move in others
    assert Search().think(table, Budget(count=500), among=set()) is None


def test_a_repetition_that_loses_is_refused_and_one_that_wins_is_played() -> None:
    """Example 5 of the rules, one ply before the third occurrence: Red must not check again."""
    where, twice = "4k4/8R/9/9/9/9/9/9/9/rrBA1K3 w", "i8i9 e9e8 i9i8 e8e9 i8i9 e9e8"
    assert best(where, moves=twice)[0] != "i9i8"
    # Black answers the check and so ends the game: White's checks have lost it.
    move, score = best(where, moves=f"{twice} i9i8")
    assert (move, score) == ("e8e9", MATE - 1)


def test_a_draw_by_repetition_is_taken_when_behind_and_refused_when_ahead() -> None:
    """Red lacks two rooks and a horse; its ``e2g0`` brings the third occurrence."""
    board = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/1NBAKAB2"
    moves = "g9e7 g0e2 e7g9 e2g0 g9e7 g0e2 e7g9"
    assert best(f"{board} b", moves=moves) == ("e2g0", 0)
    moves = "g0e2 g9e7 e2g0 e7g9 g0e2 g9e7 e2g0"
    move, score = best(f"{board} w", moves=moves)
    assert move != "e7g9" and score > 1000


def test_draws_are_offered_when_level_and_accepted_when_worse() -> None:
    quiet = "a0a1 a9a8 a1a0 a8a9 " * 12
    table = play(position(START, repetition="none"), quiet)
    bot = load_agent("rule", GAME)
    offered = int(bot.act(table, mask_of(table)[None])[0])
    assert GAME.action_name(offered) == "offer_draw"
    # Asked while two rooks up, and while two rooks down.
    for board, answer in (
        ("rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/1NBAKABN1 w", "decline"),
        ("1nbakabn1/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w", "accept"),
    ):
        shuffle = "g0e2 g9e7 e2g0 e7g9 " * 3
        table = play(position(board, repetition="none"), shuffle)
        GAME.apply(table[0], GAME.parse("offer_draw"))
        said = int(bot.act(table, mask_of(table)[None])[0])
        assert GAME.action_name(said) == answer
