"""The picture of roulette: every spot has a place of its own, and chips are drawn there."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest

from qipai.envs import position
from qipai.envs.drawing import cloth, render
from qipai.envs.roulette import GAME, RED, SPOTS, WHEEL
from qipai.envs.scene import Scene, Zone

PICTURE = (900, 900, 3)


@pytest.fixture(scope="module")
def empty() -> Scene:
    table = position("roulette", options={"seats": 2})
    return GAME.scene(table[0], 0)


def chips_on(scene: Scene, *spots: str, owner: int = 0) -> Scene:
    zone = Zone("chips", tuple(f"{spot}:100" for spot in spots), owner=owner)
    return replace(scene, zones=(zone, *scene.zones))


def test_no_two_spots_share_a_place() -> None:
    places = np.array([cloth.centre(name) for name in SPOTS.names])
    for one, other in combinations(range(len(places)), 2):
        assert np.hypot(*(places[one] - places[other])) > cloth.CHIP


def test_chips_on_numbers_lie_on_or_at_all_of_them() -> None:
    for name, numbers, group in zip(SPOTS.names, SPOTS.numbers, SPOTS.groups, strict=True):
        if group or name.startswith(("street", "line")) or name == "0-1-2-3":
            continue  # these lie at the edge of their rows
        x, y = cloth.centre(name)
        for number in numbers:
            cell_x, cell_y = cloth.on_cloth(*cloth.cell(number))
            tall = cloth.TALL_CELL * (1 if number else cloth.COLUMNS)
            assert abs(x - cell_x) <= cloth.CELL / 2
            assert abs(y - cell_y) <= tall / 2


def test_a_chip_changes_the_picture_at_its_spot(empty: Scene) -> None:
    bare = render.picture(empty).astype(int)
    assert bare.shape == PICTURE
    for spot in ("0", "17", "16-17", "street34", "0-1-2-3", "line31", "west", "column1", "red"):
        change = np.abs(render.picture(chips_on(empty, spot)) - bare).sum(axis=2)
        rows, columns = np.nonzero(change)
        assert np.ptp(rows) < 36 and np.ptp(columns) < 36
        x, _ = cloth.centre(spot)
        assert abs(columns.mean() - x - (900 - cloth.WIDTH) / 2) < 3


def test_seats_lie_beside_each_other_on_one_spot(empty: Scene) -> None:
    one = render.picture(chips_on(empty, "17"))
    both = render.picture(chips_on(chips_on(empty, "17"), "17", owner=1))
    assert (one != both).any()
    assert len({cloth.spread(k, 6) for k in range(6)}) == 6


def test_the_last_number_is_marked() -> None:
    table = position("roulette", options={"seats": 1}, coming=17, play=["done"])
    scene = GAME.scene(table[0], 0)
    assert [zone.marked for zone in scene.zones] == [(WHEEL.index(17),)]
    assert "(17)" in render.text(scene)
    picture = render.picture(scene)
    x, y = cloth.on_cloth(*cloth.cell(17))
    top = int(y) - cloth.TALL_CELL // 2
    gold = (np.abs(picture.astype(int) - cloth.GOLD).sum(axis=2) < 40).nonzero()
    on_cell = (np.abs(gold[1] - x - 30) < cloth.CELL) & (gold[0] > 2 * cloth.RIM + top - y)
    assert on_cell.sum() > 300


def test_colours_alternate_on_the_wheel() -> None:
    wheel = tuple(map(str, WHEEL))
    for number in range(1, 37):
        assert (cloth.colour_of(wheel, number) == cloth.RED) == (number in RED)


@pytest.mark.parametrize(
    ("coins", "text"), [(20, "20"), (999, "999"), (1420, "1.42k"), (25_000, "25k"), (10**6, "1M")]
)
def test_amounts_on_chips(coins: int, text: str) -> None:
    assert cloth.short(coins) == text
