"""Bets laid chip by chip on the spots of a cloth, concealed until every seat is done.

A record ``s`` has the ``fields`` below, the rules ``chips`` and ``max_chips``, and chips numbered
3 · spot + (3 − denomination), denomination 3 being the largest. One layout has one sequence: chip
numbers never fall, and on one spot there are fewer than chips[d+1] / chips[d] chips of a
denomination d below the largest.

Spots are put into groups; ``rooms`` is a tuple of the coins that a seat may still lay on each of
them, which the game computes. ``kinds(groups)`` is the constant that kernels want of it.
A spot barred for now is a group of its own, without room. Where ``per_spot`` is true the rooms are
limits of each single spot.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from qipai.envs.fields import Field, unlike
from qipai.envs.kernel import inlined, kernel
from qipai.envs.layout import HIDDEN, NONE, Actions, Range
from qipai.envs.match import ENDED, as_begun, close_hand, count_seats, next_seat
from qipai.envs.options import MAX_STAKE, Option, OptionError, integer, row
from qipai.envs.rng import below
from qipai.envs.scene import Place, Zone

SIZES = 3  # denominations
MOST_CHIPS = 12  # a seat may lay in a hand

# --- Options, actions, fields --------------------------------------------------------------------


def chip_options(chips: tuple[int, int, int], max_chips: int, clause: str) -> tuple[Option, Option]:
    """The options of chips: their denominations, and how many a seat may lay."""
    return (
        row(
            "chips",
            chips,
            low=1,
            high=MAX_STAKE,
            meaning="denominations, rising, each divides the next",
            clause=clause,
        ),
        integer(
            "max_chips",
            max_chips,
            low=1,
            high=MOST_CHIPS,
            meaning="chips a seat may lay in a hand",
            clause=clause,
        ),
    )


def limit_options(limits: Mapping[str, int], clause: str) -> tuple[Option, ...]:
    """The options ``max_<name>`` of how much a seat may lay on a group of spots: by name, their
    defaults."""
    return tuple(
        integer(
            f"max_{name}",
            default,
            low=1,
            high=MAX_STAKE,
            meaning=f"most coins of a seat's chips on the group {name}",
            clause=clause,
        )
        for name, default in limits.items()
    )


def check(game: str, rules: Mapping[str, Any], limits: Iterable[str]) -> None:
    """OptionError if the denominations don't divide each other, exceed one of the ``limits``, or
    nobody could lay a chip in the first hand."""
    chips = rules["chips"]
    if any(large <= small or large % small for small, large in pairwise(chips)):
        raise OptionError(
            f"{game}: chips={list(chips)!r}; allowed: rising numbers, each divides the next"
        )
    for name in (f"max_{limit}" for limit in limits):
        if rules[name] < chips[0]:
            raise OptionError(
                f"{game}: {name}={rules[name]} is below the smallest chip; "
                f"allowed: {chips[0]} or more"
            )
    if max(rules["stack"]) < chips[0]:
        raise OptionError(
            f"{game}: stack={list(rules['stack'])!r} with chips={list(chips)!r} lets nobody bet; "
            f"allowed: a stack of chips[0] ({chips[0]}) or more"
        )


def chip_names(spots: Sequence[str]) -> list[str]:
    """The names of all chips: chip3:<spot>, chip2:<spot>, chip1:<spot>, spot by spot."""
    return [f"chip{size}:{spot}" for spot in spots for size in range(SIZES, 0, -1)]


def add_actions(
    actions: Actions, spots: Sequence[str], legal_when: str
) -> tuple[np.int64, np.int64]:
    """Add ``done`` and a chip of each size on each spot; returns the first id of each."""
    done = actions.add("done", ["done"], "laying chips, always")
    return done, actions.add("chip", chip_names(spots), legal_when)


def fields(seats: int, spots: Sequence[str]) -> tuple[Field, ...]:
    """The fields of chips on these spots; who is in the hand, ``joined``, is the game's."""
    return (
        Field.flag("done", "has finished laying chips", seats),
        Field.choice(
            "laid",
            chip_names(spots),
            "chips in the order laid",
            (seats, MOST_CHIPS),
            empty=True,
            hidden=True,
        ),
    )


def joined_field(seats: int) -> Field:
    """Who is in the hand, where only chips are laid."""
    return Field.flag("joined", "in this hand, and not gone before it was to lay chips", seats)


def kinds(groups: Sequence[int]) -> np.ndarray:
    """The kind 3 · group + (3 − denomination) of each chip, from the group of each spot."""
    return (SIZES * np.repeat(groups, SIZES) + np.tile(np.arange(SIZES), len(groups))).astype(
        np.int8
    )


# --- Chips ---------------------------------------------------------------------------------------


@kernel
def spot_of(chip):
    return chip // SIZES


@kernel
def amount(s, chip):
    """Coins that a chip stands for."""
    return s.rules.chips[SIZES - 1 - chip % SIZES]


@kernel
def count(s, seat):
    """How many chips a seat has laid."""
    found = 0
    while found < MOST_CHIPS and s.laid[seat, found] >= 0:
        found += 1
    return found


@kernel
def stake(s, seat):
    """Coins that a seat has laid."""
    coins = np.int64(0)
    for k in range(count(s, seat)):
        coins += amount(s, s.laid[seat, k])
    return coins


@kernel
def staked(s, seat, kinds, group):
    """Coins that a seat has laid on spots of a group."""
    coins = np.int64(0)
    for k in range(count(s, seat)):
        chip = s.laid[seat, k]
        if kinds[chip] // SIZES == group:
            coins += amount(s, chip)
    return coins


@kernel
def staked_on(s, seat, spot):
    """Coins that a seat has laid on a spot."""
    coins = np.int64(0)
    for k in range(count(s, seat)):
        if spot_of(s.laid[seat, k]) == spot:
            coins += amount(s, s.laid[seat, k])
    return coins


# --- What may be laid ----------------------------------------------------------------------------


@kernel
def offer(s, seat, kinds, rooms, per_spot):
    """What a seat may lay next: (first, here, later), two of them sets of bits.

    Chips from number ``first`` on lie on spots after that of the last chip laid; they are open by
    bit of their kind in ``later``. On the spot of the last chip they are by bit of chip mod 3 in
    ``here``.
    """
    number = count(s, seat)
    here, later, first = np.int32(0), np.int32(0), np.int64(0)
    if number > 0:
        first = SIZES * (spot_of(s.laid[seat, number - 1]) + 1)
    if number >= s.rules.max_chips:
        return first, here, later
    coins = s.stack[seat] - stake(s, seat)
    for group in range(len(rooms)):
        for size in range(SIZES):
            if amount(s, size) <= min(coins, rooms[group]):
                later |= np.int32(1 << (SIZES * group + size))
    if number > 0:
        here = offer_here(s, seat, number, kinds, rooms, per_spot, coins)
    return first, here, later


@kernel
def offer_here(s, seat, number, kinds, rooms, per_spot, coins):
    """What a seat that owns so many more coins may lay on the spot of the last of its chips."""
    last = np.int64(s.laid[seat, number - 1])
    room = min(coins, rooms[kinds[last] // SIZES])
    if per_spot:
        room = min(coins, rooms[kinds[last] // SIZES] - staked_on(s, seat, spot_of(last)))
    open_sizes = np.int32(0)
    for size in range(last % SIZES, SIZES):
        if amount(s, size) <= room:
            open_sizes |= np.int32(1 << size)
    equal = 1
    while equal < number and s.laid[seat, number - 1 - equal] == last:
        equal += 1
    if last % SIZES > 0 and (equal + 1) * amount(s, last) >= amount(s, last - 1):
        open_sizes &= ~np.int32(1 << last % SIZES)  # they would make up a larger chip
    return open_sizes


@kernel
def is_open(chip, offered, kinds):
    """Whether a chip may be laid by what is on ``offer``."""
    first, here, later = offered
    if chip >= first:
        return later >> kinds[chip] & 1 == 1
    return chip >= first - SIZES and here >> chip % SIZES & 1 == 1


@kernel
def may_lay(s, seat, kinds, rooms, per_spot):
    """Whether a seat may lay any chip."""
    first, here, later = offer(s, seat, kinds, rooms, per_spot)
    if here:
        return True
    chip = first
    while chip < len(kinds) and not later >> kinds[chip] & 1:
        chip += 1
    return chip < len(kinds)


@kernel
def legal(s, mask, kinds, rooms, per_spot):
    """Mark the chips that the seat to act may lay; ``mask`` begins with the first chip."""
    first, here, later = offer(s, s.turn, kinds, rooms, per_spot)
    for size in range(SIZES):
        if here >> size & 1:
            mask[first - SIZES + size] = 1
    for chip in range(first, len(kinds)):
        mask[chip] = later >> kinds[chip] & 1


# --- Seats by turns ------------------------------------------------------------------------------


@kernel
def can_join(s, seat):
    """Whether a seat is in the hand that begins now."""
    return not s.away[seat] and s.stack[seat] >= s.rules.chips[0]


@kernel
def joining(s):
    """How many seats are in the hand that begins now."""
    return count_seats(s, can_join)


@kernel
def next_bettor(s):
    """The first seat that has chips to lay; NONE if all are done."""
    for seat in range(s.seats):
        if s.joined[seat] and not s.done[seat]:
            return np.int64(seat)
    return np.int64(NONE)


@kernel
def begin(s):
    """Seats that are in the hand lay chips, in seat order."""
    for seat in range(s.seats):
        s.joined[seat] = can_join(s, seat)
    s.turn = next_bettor(s)


@kernel
def finish(s):
    """The seat to act is done, and the next one lays chips; whether all are done."""
    s.done[s.turn] = 1
    bettor = next_bettor(s)
    if bettor != NONE:
        s.turn = bettor
    return bettor == NONE


@inlined
def act(s, chip, kinds, rooms, per_spot):
    """The seat to act lays a chip, or is done (NONE); whether all are done.

    A seat that can lay no more is done unasked. ``rooms`` is the game's kernel ``rooms(s, seat)``.
    """
    seat = s.turn
    if chip != NONE:
        s.laid[seat, count(s, seat)] = chip
        if may_lay(s, seat, kinds, rooms(s, seat), per_spot):
            return False
    return finish(s)


@kernel
def leave(s, seat):
    """A seat lays no more, what it has laid stands; whether all are done by that."""
    if seat == s.turn:
        return finish(s)
    if not s.done[seat]:
        s.joined[seat] = 0
    return False


# --- Settlement ----------------------------------------------------------------------------------


@inlined
def won(s, seat, pay):
    """What a seat has won by its chips, where the game's kernel ``pay(s, spot, stake)`` tells what
    all its chips on a spot bring."""
    coins = np.int64(0)
    spot, on_spot = np.int64(NONE), np.int64(0)
    for k in range(count(s, seat)):
        chip = np.int64(s.laid[seat, k])
        if spot_of(chip) != spot:
            if spot != NONE:
                coins += pay(s, spot, on_spot)
            spot, on_spot = spot_of(chip), np.int64(0)
        on_spot += amount(s, chip)
    if spot != NONE:
        coins += pay(s, spot, on_spot)
    return coins


@inlined
def settle(s, pay):
    """The house pays and collects; the match is over if no seat could lay a chip again."""
    for seat in range(s.seats):
        s.coins[seat] = won(s, seat, pay)
        s.house -= s.coins[seat]
    close_hand(s)
    if joining(s) == 0:
        s.over = ENDED


# --- What a seat sees ----------------------------------------------------------------------------


@kernel
def conceal(s, seat):
    """Until all are done nobody sees what another seat has laid, nor how many chips; those of a
    seat that is laying are taken back."""
    if s.ended:
        return
    for other in range(s.seats):
        if other != seat and s.joined[other]:
            s.laid[other, :] = HIDDEN if s.done[other] else NONE


@inlined
def redeal(s, kinds, rooms, per_spot):
    """Concealed seats lay chips at random: any that is open, or none any more, with equal chance,
    until they are done. ``rooms`` is the game's kernel ``rooms(s, seat)``."""
    for seat in range(s.seats):
        if s.laid[seat, 0] == HIDDEN:
            s.laid[seat, :] = NONE
            chip = np.int64(0)
            while chip != NONE:
                chip = draw_chip(s, offer(s, seat, kinds, rooms(s, seat), per_spot), kinds)
                if chip != NONE:
                    s.laid[seat, count(s, seat)] = chip


@kernel
def draw_chip(s, offered, kinds):
    """A chip that is on offer, or NONE, each with equal chance."""
    first, here, later = offered
    if here == 0 and later == 0:
        return np.int64(NONE)
    lowest = max(0, first - SIZES)
    while True:  # NONE is drawn sooner or later
        chip = lowest + below(s.rng, len(kinds) - lowest + 1)
        if chip == len(kinds):
            return np.int64(NONE)
        if is_open(chip, offered, kinds):
            return np.int64(chip)


def ranges(spots: int, groups: str) -> tuple[Range, ...]:
    """What ``observe`` fills; ``groups`` are the names of the groups that have a limit."""
    return (
        Range("chips", spots, "own coins on each spot, in chips[0]", "the owner"),
        Range(
            "rooms",
            len(groups.split(", ")),
            f"what may still be laid on {groups}, in chips[0]",
            "the owner",
        ),
        Range("chips_left", 1, "chips that may still be laid", "the owner"),
    )


def seat_range(seats: int) -> Range:
    """What ``observe_seats`` fills."""
    return Range("seats", (seats, 4), "in the hand, left, done, coins in chips[0]")


@inlined
def observe(v, seat, o, rooms):
    """Fill the ``ranges``; ``rooms`` is the tuple of the seat's."""
    unit = 1.0 / v.rules.chips[0]
    number = count(v, seat)
    for k in range(number):
        chip = v.laid[seat, k]
        o.chips[spot_of(chip)] += amount(v, chip) * unit
    for group in range(len(o.rooms)):
        o.rooms[group] = rooms[group] * unit
    o.chips_left = v.rules.max_chips - number


@inlined
def observe_seats(v, seat, o):
    unit = 1.0 / v.rules.chips[0]
    p = seat
    for k in range(v.seats):
        o.seats[k, 0] = v.joined[p]
        o.seats[k, 1] = v.away[p]
        o.seats[k, 2] = v.done[p]
        o.seats[k, 3] = v.stack[p] * unit
        p = next_seat(v, p)


# --- What can be on a table ----------------------------------------------------------------------


def faults(
    s: np.void,
    kinds: np.ndarray,
    rooms: Callable[..., Any],
    per_spot: bool,
    settle: Callable[..., Any],
) -> Iterator[str]:
    """What can't be, sentence by sentence: ``Game.contradiction``.

    Args:
        rooms: the game's kernel ``rooms(s, seat)``.
        settle: its kernel ``settle(s)`` that pays a table on which all are done.
    """
    yield from _seat_faults(s)
    for seat in range(len(s["joined"])):
        yield from _chip_faults(s, seat, kinds, rooms, per_spot)
    yield from _coin_faults(s, settle)


def _seat_faults(s: np.void) -> Iterator[str]:
    """About who is in the hand, who is done, and whose turn it is."""
    start, turn = as_begun(s), int(s["turn"])
    if turn == HIDDEN:
        yield f"turn is {HIDDEN}, but all see whose turn it is"
    for p, (here, away) in enumerate(zip(s["joined"].tolist(), s["away"].tolist(), strict=True)):
        could = p < s["seats"] and start["stack"][p] >= s["rules"]["chips"][0]
        if here > could or (here < could and not away):
            yield f"joined[{p}] is {here}: by its coins the seat is{' not' * (not could)} in"
        if here and away and not s["done"][p]:
            yield f"joined[{p}] is 1 for a seat that left before it had laid chips"
    last = np.flatnonzero(s["joined"]).max(initial=0)
    done = s["joined"] * (np.arange(len(s["joined"])) < turn + s["ended"])
    yield from unlike(s, "done", done, "1 for seats in the hand before the one to act")
    if not s["joined"][turn] or (s["ended"] and turn != last):
        yield f"turn is {turn}: expected a seat in the hand, the last one if it has ended"


def _chip_faults(
    s: np.void, seat: int, kinds: np.ndarray, rooms: Callable[..., Any], per_spot: bool
) -> Iterator[str]:
    """About the chips that a seat has laid."""
    row, done = s["laid"][seat], bool(s["done"][seat])
    laying = not done and not s["ended"] and seat == s["turn"]
    if (row == HIDDEN).any():
        if not (row == HIDDEN).all() or not done or s["ended"]:
            yield f"laid[{seat}] is hidden: expected all of it, of a seat that is done, if any"
        return
    if not (done or laying) and (row != NONE).any():
        yield f"laid[{seat}] has chips of a seat that has not laid any yet"
        return
    table, number = as_begun(s), int((row != NONE).sum())
    table["laid"][seat] = NONE
    for k in range(number):
        offered = offer(table, seat, kinds, rooms(table, seat), per_spot)
        if row[k] == NONE or not is_open(int(row[k]), offered, kinds):
            yield f"laid[{seat}, {k}] is {row[k]}: no chip that may be laid after those before"
            return
        table["laid"][seat, k] = row[k]
    if laying and not may_lay(table, seat, kinds, rooms(table, seat), per_spot):
        yield f"turn is {seat}, a seat that can lay no more chips"


def _coin_faults(s: np.void, settle: Callable[..., Any]) -> Iterator[str]:
    """About the coins of a hand."""
    table = as_begun(s)
    if s["ended"]:
        settle(table)
    for name in ("coins", "house", "over"):
        yield from unlike(s, name, table[name], "by the chips laid")


# --- Words ---------------------------------------------------------------------------------------


def move(view: np.void, text: str) -> list[str]:
    """The action names of a move such as ``chip3:red+chip1:7+done``."""
    return text.split("+")


def max_plies(rules: Mapping[str, Any]) -> int:
    """A seat's last chip, or ``done`` in its place, ends its turn: ``max_chips`` decisions."""
    return int(rules["hands"] * rules["seats"] * rules["max_chips"])


def report(s: np.void, spots: Sequence[str], pay: Callable[..., Any]) -> dict[str, Any]:
    """The coins of every seat by spot, and what they brought by the game's kernel ``pay``."""
    laid = [stakes(s, seat, spots) for seat in range(s["seats"])]
    return {
        "reason": "settled",
        "stakes": laid,
        "won": [
            {name: int(pay(s, spots.index(name), coins)) for name, coins in of_seat.items()}
            for of_seat in laid
        ],
    }


def role(v: np.void, seat: int) -> str:
    """What a seat is in a hand where only chips are laid."""
    if v["away"][seat]:
        return "gone"
    return "bettor" if v["joined"][seat] else "sitting out"


def places(v: np.void) -> tuple[Place, ...]:
    """The seats of a hand where only chips are laid, with those that can be seen."""
    made = []
    for p in range(v["seats"]):
        note = "done" if v["done"][p] and not v["ended"] else ""
        if v["ended"] and v["joined"][p]:
            note = f"{int(v['coins'][p]):+,}"
        made.append(Place(p, role(v, p), int(v["stack"][p]), bet=int(stake(v, p)), note=note))
    return tuple(made)


def stakes(s: np.void, seat: int, spots: Sequence[str]) -> dict[str, int]:
    """The coins that a seat has laid on each spot, by the name of the spot."""
    laid: dict[str, int] = {}
    for chip in s["laid"][seat].tolist():
        if chip >= 0:
            name = spots[int(spot_of(chip))]
            laid[name] = laid.get(name, 0) + int(amount(s, chip))
    return laid


def zones(s: np.void, seat: int, spots: Sequence[str]) -> list[Zone]:
    """The chips of a seat that can be seen, a zone for each spot."""
    by_spot: dict[str, list[str]] = {}
    for chip in s["laid"][seat].tolist():
        if chip >= 0:
            by_spot.setdefault(spots[int(spot_of(chip))], []).append(str(amount(s, chip)))
    return [Zone(spot, tuple(laid), seat, deck="chips") for spot, laid in by_spot.items()]
