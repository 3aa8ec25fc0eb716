"""Roulette, clause by clause: bets in words, coins worked out by hand."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pytest

from qipai.envs import OptionError, make, make_tables, position
from qipai.envs.checking import check
from qipai.envs.layout import HIDDEN, NONE
from qipai.envs.roulette import GAME, RED, SPOTS, WHEEL, colour
from tests.table import Table

WIDE = {"max_chips": 12, "max_inside": 10**6, "max_outside": 10**6, "max_even": 10**6}


class Spin(Table):
    """A table on which the first seat is to lay chips, and the ball will fall on a number."""

    def __init__(self, number: int = 0, seats: int = 1, **options: Any) -> None:
        super().__init__("roulette", seats=seats, **options)
        self.deal()
        self.s["coming"] = number

    def lay(self, *spots: str, size: int = 1) -> Spin:
        """Chips on these spots, in the order of their ids, then ``done``."""
        names = [f"chip{size}:{spot}" for spot in spots]
        for name in sorted(names, key=GAME.parse):
            self.play(name)
        return self if self.s["ended"] else self.play("done")


def numbers(spot: str) -> set[int]:
    return {*SPOTS.numbers[SPOTS.names.index(spot)]}


def spots_at(odds: int) -> list[str]:
    return [name for name, pays in zip(SPOTS.names, SPOTS.odds, strict=True) if pays == odds]


def won_by(number: int, *spots: str) -> int:
    """What the smallest chip on each of these spots brings."""
    return Spin(number, **WIDE).lay(*spots).coins[0]


# --- The worked examples -------------------------------------------------------------------------


def test_E1_a_number() -> None:
    spin = Spin(23).play("chip1:23+done")
    assert (spin.coins, spin.house) == ((700,), -700)
    assert spin.s["stack"][0] == 10_700  # 720 come back of a stack that paid 20


def test_E2_a_colour() -> None:
    spin = Spin(3).play("chip2:red+done")
    assert (spin.coins, spin.house) == ((100,), -100)


def test_E3_a_whole_move() -> None:
    spin = Spin(7).play("chip1:7+chip1:red+chip1:odd+done")
    assert (spin.coins, spin.house) == ((740,), -740)


def test_E4_zero() -> None:
    bet = "chip1:0 chip1:0-2 chip1:0-1-2-3 chip1:north chip1:column3 chip1:dozen1"
    spin = Spin(0, max_chips=12).play(*bet.split(), "chip2:red+chip2:even+chip2:low+done")
    assert (spin.coins, spin.house) == ((840,), -840)
    assert sum(coins for coins in spin.report["won"][0].values() if coins < 0) == -360


def test_E5_seventeen() -> None:
    inside = ("17", "16-17", "17-20", "street16", "corner16", "line16")
    outside = ("north", "column2", "dozen2", "black", "odd", "low")
    spin = Spin(17, **WIDE).lay(*inside, *outside)
    assert (spin.coins, spin.house) == ((2060,), -2060)


def test_E6_two_seats() -> None:
    spin = Spin(26, seats=2).play("0 chip2:west+done", "1 chip2:east+chip2:column2+done")
    assert (spin.coins, spin.house) == ((300, 100), -400)


def test_E7_spots() -> None:
    assert numbers("street7") == {7, 8, 9}
    assert numbers("corner19") == {19, 20, 22, 23}
    assert numbers("line28") == {*range(28, 34)}
    assert numbers("column3") == {*range(3, 37, 3)}
    assert "13-16" in SPOTS.names and "2-3" in SPOTS.names and "3-4" not in SPOTS.names


@pytest.mark.parametrize(
    ("name", "action"),
    [
        ("done", 0),
        ("chip3:0", 1),
        ("chip1:0", 3),
        ("chip1:high", 483),
        ("chip3:0-1", 112),
        ("chip3:street1", 292),
        ("chip3:corner1", 334),
        ("chip3:line1", 403),
        ("chip3:north", 436),
        ("chip3:red", 466),
    ],
)
def test_E8_ids(name: str, action: int) -> None:
    assert GAME.parse(name) == action and GAME.action_name(action) == name
    assert GAME.actions.width == 484


@pytest.mark.parametrize(("coins", "count"), [(10_000, 483), (499, 322), (99, 161)])
def test_E9_chips_that_the_coins_allow(coins: int, count: int) -> None:
    assert Spin(stack=coins).mask[1:].sum() == count


def test_E10_chips_that_limit_and_order_allow() -> None:
    spin = Spin().play("chip3:17+chip3:17")
    assert spin.mask[1:].sum() == 48
    assert {name.split(":")[1] for name in spin.legal[1:]} == {*SPOTS.names[145:]}
    spin = Spin().play("chip1:17")
    assert not {"chip2:17", "chip3:17"} & {*spin.legal} and "chip1:17" in spin.legal
    assert "chip1:17" not in spin.play("chip1:17+chip1:17+chip1:17").legal


# --- Wheel and spots -----------------------------------------------------------------------------


def test_R1_every_number_is_as_likely() -> None:
    tables = make_tables("roulette", 37_000, seed=5, seats=1)
    fallen = Counter(tables.state["coming"].tolist())
    assert sorted(fallen) == list(range(37))
    assert all(850 < count < 1150 for count in fallen.values())


def test_R1_the_wheel_has_every_number_once() -> None:
    assert sorted(WHEEL) == list(range(37)) and WHEEL[0] == 0


def test_R2_colours_alternate_around_the_wheel() -> None:
    assert len(RED) == 18 and colour(0) == "green"
    assert [colour(n) for n in WHEEL[1:]] == ["red", "black"] * 18


PLACE = {n: divmod(n - 1, 3) for n in range(1, 37)}  # row and column on the cloth


def test_R3_rows_and_columns_of_the_cloth() -> None:
    for n, (row, column) in PLACE.items():
        assert n in numbers(f"street{3 * row + 1}") and n in numbers(f"column{column + 1}")


def test_R5_splits_are_neighbours_on_the_cloth() -> None:
    touching = {frozenset((0, n)) for n in (1, 2, 3)}
    for a, (row, column) in PLACE.items():
        for b, (other_row, other_column) in PLACE.items():
            if abs(row - other_row) + abs(column - other_column) == 1:
                touching.add(frozenset((a, b)))
    assert {frozenset(numbers(spot)) for spot in spots_at(17)} == touching
    assert len(spots_at(17)) == len(touching) == 60


def test_R4_singles() -> None:
    assert spots_at(35) == [str(n) for n in range(37)]
    assert won_by(36, "36") == 700 and won_by(35, "36") == -20


def test_R6_streets() -> None:
    assert len(spots_at(11)) == 14 and numbers("0-2-3") == {0, 2, 3}
    assert won_by(9, "street7") == won_by(0, "0-1-2") == 220


def test_R7_corners() -> None:
    assert len(spots_at(8)) == 23
    assert won_by(23, "corner19") == won_by(3, "0-1-2-3") == 160


def test_R8_lines() -> None:
    assert len(spots_at(5)) == 11 and won_by(33, "line28") == 100


def test_R9_sectors_are_neighbours_on_the_wheel() -> None:
    """The nine of the north are the source's own."""
    assert numbers("north") == {32, 15, 19, 4, 21, 2, 25, 17, 34}
    assert [n for spot in spots_at(3) for n in sorted(numbers(spot), key=WHEEL.index)] == [
        *WHEEL[1:]
    ]
    assert won_by(34, "north") == 60 and won_by(6, "north") == -20


def test_R10_columns_and_dozens() -> None:
    assert won_by(34, "column1") == won_by(24, "dozen2") == 40
    assert won_by(34, "column2") == won_by(25, "dozen2") == -20


@pytest.mark.parametrize(
    ("number", "winners"), [(18, "red even low"), (19, "red odd high"), (20, "black even high")]
)
def test_R11_even_money(number: int, winners: str) -> None:
    for spot in ("red", "black", "odd", "even", "low", "high"):
        assert won_by(number, spot) == (20 if spot in winners.split() else -20)


def test_R12_zero_takes_all_outside_and_even_money_bets() -> None:
    for spot in SPOTS.names[145:]:
        assert won_by(0, spot) == -20


# --- Bets ----------------------------------------------------------------------------------------


def test_R13_chips_on_a_spot_are_paid_together() -> None:
    spin = Spin(17).play("chip3:17+chip2:17+chip1:17+chip1:17+chip1:16-17+done")
    assert spin.coins == (640 * 35 + 20 * 17,)
    assert spin.report["stakes"] == [{"17": 640, "16-17": 20}]


def test_R14_ids_never_fall() -> None:
    spin = Spin().play("chip2:17")
    assert spin.legal[1:3] == ["chip2:17", "chip1:17"]
    assert GAME.parse("chip3:16") not in np.flatnonzero(spin.mask)


@pytest.mark.parametrize(
    ("group", "spots"),
    [("inside", ("5", "6")), ("outside", ("east", "west")), ("even", ("red", "odd"))],
)
def test_R14_limits_of_groups(group: str, spots: tuple[str, str]) -> None:
    spin = Spin(**{f"max_{group}": 130}).play(f"chip2:{spots[0]}")
    assert f"chip1:{spots[1]}" in spin.legal and f"chip2:{spots[1]}" not in spin.legal
    spin.play(f"chip1:{spots[0]}")
    assert f"chip1:{spots[1]}" not in spin.legal


def test_R14_limits_of_single_spots() -> None:
    spin = Spin(limit_scope="spot", max_inside=130).play("chip2:5+chip1:5")
    assert "chip1:5" not in spin.legal and "chip2:6" in spin.legal
    assert Spin(6, limit_scope="spot", max_inside=130).play("chip2:5+chip2:6+done").coins == (3400,)


def test_R14_no_more_than_the_seat_owns() -> None:
    spin = Spin(stack=139).play("chip2:5")
    assert {name[:5] for name in spin.legal[1:]} == {"chip1"}
    assert spin.play("chip1:red").s["ended"]  # 19 coins are left: done unasked


def test_R14_no_more_than_max_chips() -> None:
    spin = Spin(9, max_chips=2).play("chip1:9+chip1:9")
    assert spin.coins == (1400,)
    assert GAME.max_plies(GAME.options()) == 32


def test_R14_betting_nothing() -> None:
    assert Spin(seats=2).play("0 done", "1 done").coins == (0, 0)


@pytest.mark.parametrize(
    "options",
    [
        {"chips": (20, 50, 100)},
        {"chips": (20, 20, 40)},
        {"max_even": 19},
        {"stack": (19, 5), "seats": 2},
        {"seats": 7},
        {"max_chips": 13},
    ],
)
def test_R14_R16_options_that_are_refused(options: dict[str, Any]) -> None:
    with pytest.raises(OptionError, match="allowed: "):
        make("roulette", **options)


# --- What is seen --------------------------------------------------------------------------------


def test_R15_nothing_of_others_is_seen_before_all_are_done() -> None:
    """Not even how many chips: views of a seat that laid nothing, one chip or all are the same."""
    seen = set()
    for bet in (
        "done",
        "chip3:17+done",
        "+".join(["chip1:0", *["chip2:red"] * 4, *["chip1:red"] * 3]),
    ):
        for second in ("", "chip1:0", "chip1:0+chip1:red"):
            spin = Spin(17, seats=3).play(f"0 {bet}", *([f"1 {second}"] if second else []))
            view = spin.view(2)
            check(GAME, view[0], 2)
            seen.add(str([view[0][field.name] for field in GAME.fields] + [view[0]["rng"]]))
            assert (view[0]["laid"][0] == HIDDEN).all() and (view[0]["laid"][1:] == NONE).all()
            assert view[0]["coming"] == HIDDEN
            values, _ = spin.observation(2)
            assert not values["chips"].any()
    assert len(seen) == 1


def test_R15_all_is_seen_when_the_ball_has_fallen() -> None:
    spin = Spin(17, seats=2).play("0 chip3:17+done", "1 chip1:red+done")
    view = spin.view(1)[0]
    assert view["laid"][0, 0] == GAME.parse("chip3:17") - 1 and view["last"] == 17
    assert spin.report == {
        "reason": "settled",
        "number": 17,
        "colour": "black",
        "stakes": [{"17": 500}, {"red": 20}],
        "won": [{"17": 17_500}, {"red": -20}],
    }


def test_R15_own_chips_stay_when_the_rest_is_redealt() -> None:
    spin = Spin(17, seats=3).play("0 chip3:17+chip2:red+done", "1 chip1:5")
    for seat, shown in ((0, [0]), (1, [1])):
        again = spin.redealt(seat, 300)
        for other in shown:
            assert (again["laid"][:, other] == spin.s["laid"][other]).all()
        assert len({*again["coming"].tolist()}) == 37
        for table in again[:20]:
            check(GAME, table)
    again = spin.redealt(1, 300)
    assert len({row.tobytes() for row in again["laid"][:, 0]}) > 290
    assert (again["laid"][:, 2] == NONE).all()


def test_what_a_seat_observes() -> None:
    spin = Spin(17, seats=3, stack=(1000, 10, 3000), hands=2).play("0 chip2:17+chip1:17+chip3:red")
    known = spin.known(0)
    assert known["chips"].sum() == 31 and known["chips"][17] == 6 and known["chips"][155] == 25
    assert known["rooms"].tolist() == [(1000 - 120) / 20, 100, (5000 - 500) / 20]
    assert known["chips_left"] == 5 and not known["last"].any()
    assert known["seats"][:3].tolist() == [[1, 0, 0, 50], [0, 0, 0, 0.5], [1, 0, 0, 150]]
    spin.play("done").leave(2)
    spin.next_hand()
    known = spin.known(0)
    assert np.flatnonzero(known["last"]).tolist() == [17] and known["hand"].tolist() == [1, 0]
    assert known["seats"][2].tolist() == [0, 1, 0, 150]
    assert known["seats"][0, 3] == (1000 + 120 * 35 - 500) / 20


def test_limits_observed_by_single_spots() -> None:
    spin = Spin(limit_scope="spot").play("chip3:17")
    assert spin.known(0)["rooms"].tolist() == [50, 100, 250]


# --- Seats and the match -------------------------------------------------------------------------


def test_R16_seats_are_asked_in_order_if_they_own_the_smallest_chip() -> None:
    spin = Spin(seats=4, stack=(20, 19, 500, 1), hands=2)
    assert spin.s["joined"].tolist() == [1, 0, 1, 0, 0, 0]
    spin.play("0 chip1:5", "2 done")  # seat 0 has nothing left
    assert spin.coins == (-20, 0, 0, 0) and not spin.s["over"]
    assert spin.next_hand().turn == 2


def test_R16_the_match_ends_when_no_seat_is_in() -> None:
    spin = Spin(seats=2, stack=(20, 39), hands=9).play("0 chip1:5", "1 chip1:7")
    assert spin.s["over"] and spin.coins == (-20, -20)


def test_R16_the_match_ends_after_its_spins() -> None:
    env = make("roulette", preset="session", seats=1)
    env.reset(seed=1)
    for spin in range(100):
        assert not env.terminations["player_0"] and env.table()["hand"] == spin
        env.step(0)
    assert env.terminations["player_0"]


def test_R17_chips_of_a_seat_that_leaves_while_it_lays_them_stand() -> None:
    spin = Spin(5, seats=2, hands=2).play("0 chip1:5").leave(0)
    assert spin.turn == 1
    assert spin.play("1 done").coins == (700, 0)
    assert spin.next_hand().s["joined"].tolist() == [0, 1, 0, 0, 0, 0]


def test_R17_a_seat_that_leaves_before_it_is_asked_is_not_in() -> None:
    spin = Spin(5, seats=3).leave(1)
    assert spin.play("0 chip1:5+done").turn == 2
    assert spin.play("2 done").coins == (700, 0, 0)


def test_R17_a_seat_that_leaves_when_it_is_done() -> None:
    spin = Spin(5, seats=2).play("0 chip1:5+done").leave(0)
    assert (spin.view(1)[0]["laid"][0] == HIDDEN).all()
    assert spin.play("1 done").coins == (700, 0)


def test_R17_the_last_seat_leaves() -> None:
    spin = Spin(5, seats=2, hands=5).play("0 done", "1 chip1:5").leave(1)
    assert spin.coins == (0, 700) and not spin.s["over"]
    assert spin.next_hand().turn == 0
    assert spin.leave(0).s["over"]


def test_R17_no_answer() -> None:
    assert Spin().play("chip1:5").default == "done"


# --- Words ---------------------------------------------------------------------------------------


def test_a_table_set_up_in_words() -> None:
    options = {"seats": 2, "hands": 2}
    table = position("roulette", options=options, coming=23, play=["chip1:23+done"])
    assert table["turn"][0] == 1 and table["coming"][0] == 23
    table = position("roulette", options=options, coming=23, play=["chip1:23+done", "done"])
    assert table["coins"][0, :2].tolist() == [700, 0] and table["last"][0] == 23


def test_the_scene() -> None:
    spin = Spin(17, seats=2).play("0 chip3:17+chip1:red+done")
    own, other = GAME.scene(spin.view(0)[0], 0), GAME.scene(spin.view(1)[0], 1)
    assert [zone.items for zone in own.zones if zone.owner == 0] == [("17:500", "red:20")]
    assert own.places[0].bet == 520 and other.places[0].bet == 0
    assert not [zone for zone in other.zones if zone.owner == 0]
    assert other.places[0].note == "done"
