"""Single-zero roulette (輪盤): 161 spots to lay chips on, one ball, fixed odds.

R1 A number from 0 to 36, each with chance 1/37 in every spin. The wheel, clockwise: 0 32 15 19 4
   21 2 25 17 34 6 27 13 36 11 30 8 23 10 5 24 16 33 1 20 14 31 9 22 18 29 7 28 12 35 3 26.
R2 Red: 1 3 5 7 9 12 14 16 18 19 21 23 25 27 30 32 34 36; black: the others from 1 to 36. 0 is
   green: of no colour, neither odd nor even, neither low nor high.
R3 The cloth: row r of 12 holds 3r − 2, 3r − 1, 3r, column c of 3 holds c, c + 3, …; 0 touches 1, 2
   and 3.
R4 Inside bets: single 單一號碼, one number, 35:1.
R5 Split 分拆, two neighbours in a row or column, or 0 and 1, 2 or 3, 17:1.
R6 Street 列, a row, or 0-1-2, or 0-2-3, 11:1.
R7 Corner 角位, four numbers around a point, or the first four 0-1-2-3, 8:1.
R8 Line, two neighbouring rows, 5:1.
R9 Outside bets: sector 分區, a fourth of the wheel without 0, clockwise from there north 北, east
   東, south 南, west 西, 3:1.
R10 Column 欄 and dozen 打 (1–12, 13–24, 25–36), 2:1.
R11 Even-money bets: red, black, odd 單, even 雙, low 小 (1–18), high 大 (19–36), 1:1.
R12 On 0 all outside and even-money bets lose in full.
R13 Every spot by itself: its stake comes back with the odds if its numbers have the one that fell,
   else it is lost. No rake.
R14 Chips of three denominations are laid one by one, at most ``max_chips`` a seat and spin. The
   coins of a seat on inside, outside and even-money bets are limited, each by an option
   (``limit_scope`` spot: those on each single spot of them), and all by what it owns. Nothing need
   be bet.
R15 Bets are concealed until all seats are done; then the ball is thrown.
R16 A seat is in a spin if it has not left and owns at least chips[0]; seats lay chips in seat
   order. The match ends after ``hands`` spins, or when no seat is in. The house can't run dry.
R17 A seat that leaves lays no more; chips that lie are settled for it. No penalty. No answer: done.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import IntEnum
from typing import Any

import numpy as np

from qipai.envs import options
from qipai.envs.fields import Field, Fields
from qipai.envs.game import Game
from qipai.envs.kernel import kernel
from qipai.envs.layout import HIDDEN, NONE, Actions, Observation, Range, hand_range
from qipai.envs.options import Options, choice
from qipai.envs.parts import chips
from qipai.envs.rng import below, conceal_rng
from qipai.envs.scene import Scene, Zone

VERSION = 0

# --- Wheel, cloth and spots ----------------------------------------------------------------------

SEATS = 6
NUMBERS = 37
WHEEL = (  # R1, clockwise
    *(0, 32, 15, 19, 4, 21, 2, 25, 17, 34, 6, 27, 13, 36, 11, 30, 8, 23, 10),
    *(5, 24, 16, 33, 1, 20, 14, 31, 9, 22, 18, 29, 7, 28, 12, 35, 3, 26),
)
RED = frozenset((1, 3, 5, 7, 9, 12, 14, 16, 18, 19, 21, 23, 25, 27, 30, 32, 34, 36))  # R2
INSIDE, OUTSIDE, EVEN = range(3)  # groups of spots
LIMITS = {"inside": 1000, "outside": 2000, "even": 5000}  # of those groups


class Spots:
    """All spots in order: of each the name, the numbers, the odds and the group."""

    def __init__(self) -> None:
        self.names: list[str] = []
        self.numbers: list[frozenset[int]] = []
        self.odds: list[int] = []
        self.groups: list[int] = []

    def add(self, name: str, numbers: Any, odds: int, group: int) -> None:
        self.names.append(name)
        self.numbers.append(frozenset(numbers))
        self.odds.append(odds)
        self.groups.append(group)


def _on_the_cloth() -> Spots:
    spots = Spots()
    row_starts = range(1, NUMBERS, 3)
    splits = [(0, 1), (0, 2), (0, 3)]
    splits += [(a, a + 1) for a in range(1, NUMBERS) if a % 3]
    splits += [(a, a + 3) for a in range(1, NUMBERS - 3)]
    for a in range(NUMBERS):  # R4
        spots.add(f"{a}", (a,), 35, INSIDE)
    for a, b in sorted(splits):  # R5
        spots.add(f"{a}-{b}", (a, b), 17, INSIDE)
    for a in row_starts:  # R6
        spots.add(f"street{a}", range(a, a + 3), 11, INSIDE)
    spots.add("0-1-2", (0, 1, 2), 11, INSIDE)
    spots.add("0-2-3", (0, 2, 3), 11, INSIDE)
    for a in range(1, NUMBERS - 4):  # R7
        if a % 3:
            spots.add(f"corner{a}", (a, a + 1, a + 3, a + 4), 8, INSIDE)
    spots.add("0-1-2-3", range(4), 8, INSIDE)
    for a in row_starts[:-1]:  # R8
        spots.add(f"line{a}", range(a, a + 6), 5, INSIDE)
    # 0 is on none of the spots from here on (R12).
    for k, name in enumerate(("north", "east", "south", "west")):  # R9
        spots.add(name, WHEEL[1 + 9 * k : 10 + 9 * k], 3, OUTSIDE)
    for c in (1, 2, 3):  # R10
        spots.add(f"column{c}", range(c, NUMBERS, 3), 2, OUTSIDE)
    for k in range(3):
        spots.add(f"dozen{k + 1}", range(12 * k + 1, 12 * k + 13), 2, OUTSIDE)
    colours = {"red": RED, "black": {*range(1, NUMBERS)} - RED}
    halves = {"odd": range(1, NUMBERS, 2), "even": range(2, NUMBERS, 2)}
    sizes = {"low": range(1, 19), "high": range(19, NUMBERS)}
    for name, numbers in {**colours, **halves, **sizes}.items():  # R11
        spots.add(name, numbers, 1, EVEN)
    return spots


SPOTS = _on_the_cloth()
COVERS = np.array([sum(1 << a for a in numbers) for numbers in SPOTS.numbers])  # sets of numbers
ODDS = np.array(SPOTS.odds)
KINDS = chips.kinds(SPOTS.groups)

# --- Options -------------------------------------------------------------------------------------


class Scope(IntEnum):  # what a limit counts (R14)
    GROUP = 0
    SPOT = 1


RULES = Options(
    options.seats(4, low=1, high=SEATS, clause="R16"),
    options.hands("R16"),
    options.stack(10_000, seats=SEATS, clause="R16"),
    *chips.chip_options((20, 100, 500), 8, "R14"),
    *chips.limit_options(LIMITS, "R14"),
    choice("limit_scope", Scope.GROUP, meaning="what a limit counts", clause="R14"),
    presets={"session": {"hands": 100}},
)


def check(rules: Mapping[str, Any]) -> None:
    chips.check("roulette", rules, LIMITS)


# --- Actions and state ---------------------------------------------------------------------------

ACTIONS = Actions()
DONE, CHIP = chips.add_actions(
    ACTIONS, SPOTS.names, "within limits, coins and max_chips, in the order of ids (R14)"
)

FIELDS = Fields(
    RULES,
    SEATS,
    chips.joined_field(SEATS),
    *chips.fields(SEATS, SPOTS.names),
    Field.number(
        "coming", NUMBERS - 1, "the ball will fall on it; none: it has", empty=True, hidden=True
    ),
    Field.number(
        "last", NUMBERS - 1, "the ball fell on it; none: no spin yet", empty=True, kept=True
    ),
)
STATE = FIELDS.dtype

# --- A spin --------------------------------------------------------------------------------------


@kernel
def room(s, seat, group, limit):
    """What a seat may still lay on a group; the limit itself where it holds for single spots."""
    if s.rules.limit_scope == Scope.SPOT:
        return limit
    return limit - chips.staked(s, seat, KINDS, group)


@kernel
def rooms(s, seat):  # R14
    return (
        room(s, seat, INSIDE, s.rules.max_inside),
        room(s, seat, OUTSIDE, s.rules.max_outside),
        room(s, seat, EVEN, s.rules.max_even),
    )


@kernel
def deal(s):
    s.coming = below(s.rng, NUMBERS)  # R1
    chips.begin(s)  # R16


@kernel
def legal(s, mask):
    mask[DONE] = 1
    per_spot = s.rules.limit_scope == Scope.SPOT
    chips.legal(s, mask[CHIP:], KINDS, rooms(s, s.turn), per_spot)


@kernel
def apply(s, action):
    chip = action - CHIP if action != DONE else np.int64(NONE)
    if chips.act(s, chip, KINDS, rooms, s.rules.limit_scope == Scope.SPOT):
        throw(s)


@kernel
def throw(s):  # R15
    s.last = s.coming
    s.coming = NONE
    settle(s)


@kernel
def pay(s, spot, stake):  # R13
    return stake * ODDS[spot] if COVERS[spot] >> s.last & 1 else -stake


@kernel
def settle(s):  # R13, R16
    chips.settle(s, pay)


@kernel
def default(s):  # R17
    return DONE


@kernel
def leave(s, seat):  # R17
    if chips.leave(s, seat):
        throw(s)


# --- What a seat sees ----------------------------------------------------------------------------


@kernel
def conceal(s, seat):
    conceal_rng(s.rng)
    chips.conceal(s, seat)  # R15
    if not s.ended:
        s.coming = HIDDEN


@kernel
def redeal(s, seat):
    chips.redeal(s, KINDS, rooms, s.rules.limit_scope == Scope.SPOT)
    if s.coming == HIDDEN:
        s.coming = below(s.rng, NUMBERS)


OBSERVATION = Observation(
    *chips.ranges(len(SPOTS.names), ", ".join(LIMITS)),
    chips.seat_range(SEATS),
    Range("last", NUMBERS, "the number that fell last"),
    hand_range(),
)


@kernel
def observe(v, seat, o, known):
    chips.observe(v, seat, o, rooms(v, seat))
    chips.observe_seats(v, seat, o)
    if v.last >= 0:
        o.last[v.last] = 1


# --- What can't be -------------------------------------------------------------------------------


def contradiction(s: np.void) -> str | None:
    """What can't be on a table or in a view: ``Game.contradiction``."""
    thrown = bool(s["ended"])
    if (s["coming"] == NONE) != thrown:
        return f"coming is {s['coming']}, and the hand has{' not' * (not thrown)} ended"
    if (s["last"] == NONE) != (s["hand"] == 0 and not thrown):
        return f"last is {s['last']} in hand {s['hand']}"
    per_spot = bool(s["rules"]["limit_scope"] == Scope.SPOT)
    return next(chips.faults(s, KINDS, rooms, per_spot, settle), None)


# --- Words ---------------------------------------------------------------------------------------


def colour(number: int) -> str:
    return "green" if number == 0 else "red" if number in RED else "black"


def report(s: np.void) -> dict[str, Any]:
    """How the spin ended: the number, its colour, the stakes of every seat by spot, and what each
    spot has brought."""
    number = int(s["last"])
    return {"number": number, "colour": colour(number)} | chips.report(s, SPOTS.names, pay)


def show(v: np.void, seat: int | None) -> Scene:
    """What lies on the table, for one seat's eyes; seat None: for all."""
    zones = []
    for p in range(int(v["seats"])):
        if stakes := chips.stakes(v, p, SPOTS.names):
            laid = tuple(f"{name}:{coins}" for name, coins in stakes.items())
            zones.append(Zone("chips", laid, owner=p))
    last = int(v["last"])
    marked, note = ((WHEEL.index(last),), f"last {last} {colour(last)}") if last >= 0 else ((), "")
    zones.append(Zone("wheel", tuple(map(str, WHEEL)), marked=marked, note=note))
    sizes = "/".join(f"{size:,}" for size in v["rules"]["chips"].tolist())
    return Scene(chips.places(v), tuple(zones), facts=(f"chips {sizes}",), deck="cloth")


GAME = Game(
    name="roulette",
    title="輪盤",
    english="roulette",
    summary="Chips on 161 spots, one ball, fixed odds: every spot loses 1/37 of it on average.",
    version=VERSION,
    source="rule pages of a Chinese online game hall",
    document=__doc__ or "",
    unit=lambda s: s["rules"]["chips"][..., 0],
    rules=RULES,
    actions=ACTIONS,
    fields=FIELDS,
    observation=OBSERVATION,
    deal=deal,
    legal=legal,
    apply=apply,
    conceal=conceal,
    redeal=redeal,
    observe=observe,
    default=default,
    leave=leave,
    max_plies=chips.max_plies,
    census=lambda s: (),
    contradiction=contradiction,
    report=report,
    show=show,
    move=chips.move,
    check=check,
    checked_by=(
        "161 spots by their odds; for each, numbers · (odds + 1) = 36, so that its mean is exactly "
        "−1/37 of the stake",
        "in detail, by coin: single (1 · 35 − 36)/37, split (2 · 17 − 35)/37, street (3 · 11 − "
        "34)/37, corner (4 · 8 − 33)/37, line (6 · 5 − 31)/37, sector (9 · 3 − 28)/37, column and "
        "dozen (12 · 2 − 25)/37, even money (18 · 1 − 19)/37: all −1/37",
        "how many spots each number hits, and what a coin on every spot brings on each number",
        "484 whole bets with one chip, 117,370 with two",
        "ten million spins: the mean of every spot within its interval of −1/37",
    ),
    limitations=(
        "The source lists the north sector only and gives no limits; the other sectors follow from "
        "it, the limits are options.",
        "The rule bot bets nothing, which is the best there is: nothing can be won in the long "
        "run. Of those who bet, one smallest chip on an even-money spot has the least spread.",
    ),
    history=("0: first version",),
)
