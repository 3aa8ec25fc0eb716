"""Chips against plain lists, and how many whole bets there are on the cloths of three games."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from itertools import product
from typing import Any

import numpy as np
import pytest

from qipai.envs import options
from qipai.envs.fields import Fields
from qipai.envs.kernel import addressable, kernel
from qipai.envs.layout import HIDDEN, NONE
from qipai.envs.options import OptionError, Options
from qipai.envs.parts import chips
from qipai.envs.parts.chips import SIZES

SEATS = 3
SPOTS = [f"spot{k}" for k in range(17)]
RULES = Options(
    options.seats(SEATS, low=1, high=SEATS, clause=""),
    options.hands(""),
    options.stack(10_000, seats=SEATS, clause=""),
    *chips.chip_options((10, 50, 100), 8, ""),
    *chips.limit_options({"any": 1000}, ""),
)
FIELDS = Fields(RULES, SEATS, chips.joined_field(SEATS), *chips.fields(SEATS, SPOTS))
GROUPS = [0, 1, 1]  # of the small cloth that kernels below know
KINDS = chips.kinds(GROUPS)


def table_of(**given: Any) -> np.void:
    """A table on which the seats begin to lay chips."""
    rules = RULES.resolve("test", given)
    table = FIELDS.blank()
    RULES.write(rules, table["rules"][0])
    table["seats"] = rules["seats"]
    table["stack"][0, : rules["seats"]] = rules["stack"]
    s = addressable(table)[0]
    chips.begin(s)
    return s


def spread(s: np.void, seat: int, spots: int) -> list[int]:
    """Coins on each spot."""
    return [int(chips.staked_on(s, np.int64(seat), np.int64(spot))) for spot in range(spots)]


def layouts(
    s: np.void, kinds: np.ndarray, rooms: Callable[[np.void], tuple[int, ...]], per_spot: bool
) -> Iterator[list[int]]:
    """All layouts that seat 0 can come to, each as its coins by spot, by all ways of laying."""
    yield spread(s, 0, len(kinds) // SIZES)
    place = int(chips.count(s, 0))
    offered = chips.offer(s, 0, kinds, rooms(s), per_spot)
    found = False
    for chip in range(len(kinds)):
        if chips.is_open(chip, offered, kinds):
            found = True
            s["laid"][0, place] = chip
            yield from layouts(s, kinds, rooms, per_spot)
            s["laid"][0, place] = NONE
    assert chips.may_lay(s, 0, kinds, rooms(s), per_spot) == found


def fewest(coins: int, sizes: tuple[int, ...]) -> int | None:
    """The fewest chips that make up so many coins."""
    number = 0
    for size in reversed(sizes):
        number += coins // size
        coins %= size
    return None if coins else number


@pytest.mark.parametrize("per_spot", [False, True])
@pytest.mark.parametrize("sizes", [(1, 2, 4), (2, 6, 12), (1, 3, 12)])
def test_every_layout_has_one_sequence(sizes: tuple[int, int, int], per_spot: bool) -> None:
    limits, stack, most = (9, 15), 20, 4
    s = table_of(seats=1, stack=stack, chips=sizes, max_chips=most)

    def rooms(s: np.void) -> tuple[int, ...]:
        used = [0, 0] if per_spot else [int(chips.staked(s, 0, KINDS, g)) for g in range(2)]
        return limits[0] - used[0], limits[1] - used[1]

    found = [tuple(layout) for layout in layouts(s, KINDS, rooms, per_spot)]
    expected = set()
    for layout in product(range(stack + 1), repeat=len(GROUPS)):
        numbers = [fewest(coins, sizes) for coins in layout]
        one, two, three = layout
        within = one <= limits[0] and (max(two, three) if per_spot else two + three) <= limits[1]
        made = None not in numbers and sum(n or 0 for n in numbers) <= most
        if made and within and sum(layout) <= stack:
            expected.add(layout)
    assert len(found) == len(expected) and {*found} == expected


def baccarat(s: np.void) -> tuple[int, ...]:
    """Rooms of banker, tie, pairs, sizes; and of player, where banker bars it."""
    on = spread(s, 0, 7)
    limits = (10_000 - on[0] - on[1], 2000 - on[2], 2000 - on[3] - on[4], 5000 - on[5] - on[6])
    return (*limits, 0 if on[0] else limits[0])


def san_gong(s: np.void) -> tuple[int, ...]:
    """Rooms of win, tie, three, pair; and of each lose, where win bars it."""
    on = spread(s, 0, 17)
    main = 1000 - sum(on[5 * k] + on[5 * k + 1] for k in range(3))
    three, pair = on[3:15:5] + on[15:16], on[4:15:5] + on[16:17]
    sides = (200 - sum(on[2:15:5]), 200 - sum(three), 200 - sum(pair))
    return (main, *sides, *(0 if on[5 * k] else main for k in range(3)))


CLOTHS = {
    "baccarat": ([0, 4, 1, 2, 2, 3, 3], baccarat, (100, 500, 1000)),
    "san_gong": ([0, 4, 1, 2, 3, 0, 5, 1, 2, 3, 0, 6, 1, 2, 3, 2, 3], san_gong, (10, 50, 100)),
}


@pytest.mark.parametrize(
    ("cloth", "max_chips", "stack", "bets"),
    [
        ("baccarat", 1, 10_000, 22),
        ("baccarat", 2, 10_000, 237),
        ("baccarat", 3, 10_000, 1677),
        ("baccarat", 8, 400, 294),
        ("san_gong", 1, 10_000, 52),
        ("san_gong", 2, 10_000, 1334),
        ("san_gong", 3, 10_000, 22_342),
    ],
)
def test_whole_bets(cloth: str, max_chips: int, stack: int, bets: int) -> None:
    """Published in the rule sheets of the games, betting nothing included."""
    groups, rooms, sizes = CLOTHS[cloth]
    s = table_of(seats=1, stack=stack, chips=sizes, max_chips=max_chips)
    assert sum(1 for _ in layouts(s, chips.kinds(groups), rooms, False)) == bets


# --- A table of three spots ----------------------------------------------------------------------


@kernel
def rooms(s, seat):
    return (np.int64(150), 300 - chips.staked(s, seat, KINDS, 1))


@kernel
def play(s, chip):
    return chips.act(s, chip, KINDS, rooms, False)


@kernel
def fill(s):
    chips.redeal(s, KINDS, rooms, False)


@kernel
def pay(s, spot, stake):
    return spot * stake - 7


@kernel
def settle(s):
    chips.settle(s, pay)


def faults(s: np.void) -> list[str]:
    return list(chips.faults(s, KINDS, rooms, False, settle))


def test_masks() -> None:
    s = table_of(stack=120)
    mask = np.zeros(9, np.int8)
    chips.legal(s, mask, KINDS, rooms(s, 0), False)
    assert mask.tolist() == [1] * 9
    play(s, 4)  # 50 on the second spot: 70 coins are left
    mask[:] = 0
    chips.legal(s, mask, KINDS, rooms(s, 0), False)
    assert mask.tolist() == [0, 0, 0, 0, 0, 1, 0, 1, 1]  # two of 50 would be one of 100


def test_seats_lay_chips_in_seat_order() -> None:
    s = table_of(stack=(20, 9, 500), max_chips=3)
    assert s["joined"].tolist() == [1, 0, 1] and s["turn"] == 0 and chips.joining(s) == 2
    assert not play(s, 2) and s["turn"] == 0 and not faults(s)
    assert not play(s, 5) and s["turn"] == 2  # no coins left: done unasked
    assert s["done"].tolist() == [1, 0, 0] and not faults(s)
    assert not play(s, 0) and not play(s, 3) and not faults(s)
    assert play(s, NONE)
    settle(s)
    assert s["coins"].tolist() == [-7 + 10 - 7, 0, -7 + 100 - 7] and s["house"] == -82
    assert s["ended"] and not faults(s)


def test_the_match_ends_when_nobody_can_lay_a_chip() -> None:
    s = table_of(seats=1, stack=12, hands=5)
    play(s, 2)
    settle(s)
    assert s["stack"][0] == 5 and s["over"] and not faults(s)


def test_leavers() -> None:
    s = table_of()
    play(s, 0)
    s["away"][1] = 1  # has not been asked yet
    assert not chips.leave(s, 1) and s["joined"].tolist() == [1, 0, 1] and not faults(s)
    s["away"][0] = 1  # is laying: its chip stands
    assert not chips.leave(s, 0) and s["turn"] == 2 and not faults(s)
    assert chips.stakes(s, 0, SPOTS) == {"spot0": 100}
    s["away"][2] = 1
    assert chips.leave(s, 2)


def test_nothing_shows_what_others_lay_before_all_are_done() -> None:
    seen = []
    for moves in ([NONE], [0, 3, NONE], [2, 8, 8, 8, NONE]):
        s = table_of(max_chips=5)
        for chip in moves:
            play(s, np.int64(chip))
        play(s, np.int64(1))
        view = addressable(np.array([s]))[0]
        chips.conceal(view, 2)
        seen.append(str([view[field.name] for field in FIELDS]))
        assert (view["laid"][0] == HIDDEN).all() and (view["laid"][1] == NONE).all()
        own = addressable(np.array([s]))[0]
        chips.conceal(own, 1)
        assert own["laid"][1, 0] == 1
    assert len({*seen}) == 1


def test_concealed_chips_are_laid_at_random() -> None:
    """Of five chips and none, the first is drawn with equal chance; the others follow from it."""
    s = table_of(seats=2, stack=99, max_chips=2)
    for chip in (5, 5):
        play(s, np.int64(chip))
    chips.conceal(s, 1)
    drawn: Counter[tuple[int, int]] = Counter()
    for _ in range(7000):
        view = addressable(np.array([s]))[0]
        view["rng"]["count"] = s["rng"]["count"]
        fill(view)
        s["rng"]["count"] = view["rng"]["count"]
        drawn[int(view["laid"][0, 0]), int(view["laid"][0, 1])] += 1
        assert (view["laid"][0, 2:] == NONE).all()
    firsts: Counter[int] = Counter()
    for (first, _), times in drawn.items():
        firsts[first] += times
    assert sorted(firsts) == [NONE, 1, 2, 4, 5, 7, 8]
    assert all(870 < times < 1130 for times in firsts.values())
    assert {second for first, second in drawn if first == 7} == {NONE, 8}
    assert 0.45 < drawn[7, 8] / firsts[7] < 0.55
    view = addressable(np.array([s]))[0]
    fill(view)
    assert not faults(view)


@pytest.mark.parametrize(
    ("given", "named"),
    [
        ({"chips": (10, 25, 50)}, "chips"),
        ({"chips": (10, 10, 50)}, "chips"),
        ({"max_any": 9}, "max_any"),
        ({"stack": 9}, "stack"),
    ],
)
def test_options_that_do_not_go_together(given: dict[str, Any], named: str) -> None:
    chips.check("test", RULES.resolve("test", {}), ["any"])
    with pytest.raises(OptionError, match=f"{named}=.*; allowed: "):
        chips.check("test", RULES.resolve("test", given), ["any"])


def test_moves_and_names() -> None:
    assert chips.chip_names(["a", "b"])[2:4] == ["chip1:a", "chip3:b"]
    assert chips.move(table_of(), "chip3:a+chip1:b+done") == ["chip3:a", "chip1:b", "done"]
