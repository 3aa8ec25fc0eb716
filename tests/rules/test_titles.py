"""The titles by coins, by the clauses and examples of their sheet."""

from __future__ import annotations

import io

import numpy as np
import pytest
from rich.console import Console

from qipai.agents.arena import play_arena, print_result
from qipai.envs import load_game, make
from qipai.envs.drawing.render import picture, text
from qipai.envs.titles import TITLES, threshold, title


def test_R1_there_are_27_titles_from_pauper_to_richest_in_the_world() -> None:
    assert [t.number for t in TITLES] == list(range(1, 28))
    assert TITLES[0].english == "pauper" and TITLES[26].chinese == "全球首富"
    assert [threshold(k) for k in (1, 2, 3, 14, 15, 27)] == [
        *(0, 200, 400, 819_200, 1_638_400, 6_710_886_400)
    ]
    for k in range(2, 28):  # reaching a threshold exactly counts
        assert title(threshold(k)).number == k and title(threshold(k) - 1).number == k - 1


@pytest.mark.parametrize(
    ("coins", "number"),
    [
        *((0, 1), (199, 1), (200, 2), (399, 2), (400, 3), (1_599, 4), (1_600, 5), (99_999, 10)),
        *((102_399, 10), (102_400, 11), (5_000, 6), (838_860_799, 23), (6_710_886_399, 26)),
        *((6_710_886_400, 27), (10**12, 27)),
    ],
)
def test_R2_the_title_of_so_many_coins(coins: int, number: int) -> None:
    assert title(coins).number == number


def test_seats_show_their_titles() -> None:
    env = make("five_card_stud", seats=2, stack=(5_100, 102_500))
    env.reset(seed=1)
    scene = env.scene("player_0")
    assert "副主管" in text(scene) and "总经理助理" in text(scene)
    assert "deputy supervisor" in text(scene, ascii=True)
    other = make("five_card_stud", seats=2, stack=(5_100, 6_500))
    other.reset(seed=1)
    assert (picture(scene) != picture(other.scene("player_0"))).any()
    assert picture(scene).dtype == np.uint8


def test_the_arena_tells_the_title_of_an_agents_mean_stack() -> None:
    stud = load_game("five_card_stud")
    result = play_arena(stud, ["random", "random"], 4, seed=1, options={"stack": 5_000, "seats": 2})
    assert all(2_500 <= agent.stack <= 7_500 for agent in result.agents)
    console = Console(width=150, file=io.StringIO(), record=True)
    print_result(result, console)
    assert title(round(result.agents[0].stack)).english in console.export_text()
