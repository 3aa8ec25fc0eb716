"""Mahjong: a tile that others may take, and asking them for it without telling who could.

The tile is the last discard, or one that is being added to a pong. Only seats that can do more than
pass are asked; while one is, the others see the table as it was right after the discard or the
announced kong. A record ``s`` has the fields below and those of parts/wall.py.
"""

from __future__ import annotations

import numpy as np

from qipai.envs.fields import Field
from qipai.envs.kernel import inlined, kernel
from qipai.envs.layout import HIDDEN, NONE
from qipai.envs.match import next_seat
from qipai.envs.parts.tiles import tile_field
from qipai.envs.parts.wall import (
    ADDED,
    CLAIM,
    PONG,
    ROB,
    SEATS,
    lay,
    put_down,
)


def offer_fields() -> tuple[Field, ...]:
    """The tile in question."""
    return (
        tile_field("offer", "that may be claimed or robbed"),
        Field.seat("offer_seat", "who discarded it or adds it to a pong", empty=True),
        Field.flag("offer_kong", "it is added to a pong"),
    )


@kernel
def open_offer(s, seat, tile, kong):
    s.offer = tile
    s.offer_seat = seat
    s.offer_kong = kong


@kernel
def close_offer(s):
    open_offer(s, NONE, NONE, False)


@kernel
def ask(s, seat, phase):
    s.turn = seat
    s.phase = phase


@inlined
def next_able(s, seat, able):
    """The first seat after this one that is ``able(s, other)`` to take the offered tile; whoever
    offers it, if there is none before."""
    other = next_seat(s, seat)
    while other != s.offer_seat and not able(s, other):
        other = next_seat(s, other)
    return other


@inlined
def with_offer(s, seat, completes):
    """Whether ``completes(s, seat)`` with the offered tile in the hand."""
    s.tiles[seat, s.offer] += 1
    found = completes(s, seat)
    s.tiles[seat, s.offer] -= 1
    return found


@kernel
def claim(s, seat, kind):
    """Lay the discard in question with two tiles of the hand, or three."""
    tile, source = s.offer, s.offer_seat
    s.claimed[s.discards - 1] = 1
    close_offer(s)
    lay(s, seat, kind, tile, source)
    put_down(s, seat, tile, 2 if kind == PONG else 3)


@kernel
def announce(s, seat, tile):
    """A seat takes a tile out of its hand to add it to its pong, if nobody robs it."""
    put_down(s, seat, tile, 1)
    open_offer(s, seat, tile, True)


@kernel
def add_to_pong(s):
    """The announced kong is made; returns whose it is."""
    seat = s.offer_seat
    for i in range(s.melds[seat]):
        if s.meld_tile[seat, i] == s.offer:
            s.meld_kind[seat, i] = ADDED
    close_offer(s)
    return seat


@kernel
def take_back(s):
    """An announced kong is not made: the tile goes back to its hand."""
    if s.offer_kong:
        s.tiles[s.offer_seat, s.offer] += 1
        s.held[s.offer_seat] += 1
    close_offer(s)


@kernel
def conceal_question(s, seat):
    """Hide from a seat that others are asked, and who."""
    if s.turn != seat and (s.phase == CLAIM or s.phase == ROB):
        s.turn = HIDDEN
        s.phase = HIDDEN


@inlined
def rebuild_question(s, seat, wins, claims, idle):
    """Ask the first seat but this one that in the hands dealt anew ``wins(s, other)``, or else
    ``claims(s, other)``; if none can do either, the first one, in phase ``idle``, where it can only
    pass."""
    first, winner, claimer = NONE, NONE, NONE
    for k in range(1, SEATS):
        other = (s.offer_seat + k) % SEATS
        if other != seat:
            if first == NONE:
                first = other
            if winner == NONE and wins(s, other):
                winner = other
            if claimer == NONE and claims(s, other):
                claimer = other
    if winner != NONE:
        ask(s, winner, ROB)
    elif claimer != NONE:
        ask(s, claimer, CLAIM)
    else:
        ask(s, first, idle)


def offer_contradiction(s: np.void, won: bool, room: int) -> str | None:
    """What can't be about the tile in question: ``Game.contradiction``.

    Args:
        won: the hand was won with the tile, which stays in question.
        room: tiles that there must be left in the wall for the question to be asked.
    """
    phase, tile, seat = int(s["phase"]), int(s["offer"]), int(s["offer_seat"])
    asked = phase in (CLAIM, ROB, HIDDEN) or won
    if (tile != NONE) != asked or (seat != NONE) != asked:
        return f"offer is {tile} of offer_seat={seat} in phase={phase}"
    if (phase == CLAIM or not asked) and s["offer_kong"]:
        return f"offer_kong is {s['offer_kong']} in phase={phase}"
    if not asked:
        return None
    if s["turn"] == seat:
        return f"offer_seat is {seat}, whose turn it is"
    if not won and s["back"] - s["front"] + 1 < room:
        return f"offer is {tile}, and the wall is empty"
    last = int(s["discards"]) - 1
    if not s["offer_kong"]:
        lying = last >= 0 and s["claimed"][last] == won
        if not lying or (s["river"][last], s["river_seat"][last]) != (tile, seat):
            return f"offer is {tile} of seat {seat}, which is not the last discard"
    elif not ((s["meld_kind"][seat] == PONG) & (s["meld_tile"][seat] == tile)).any():
        return f"offer is {tile}, and seat {seat} has no pong of it"
    return None
