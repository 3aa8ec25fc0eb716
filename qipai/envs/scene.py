"""What there is to look at on a table. Text and pictures are drawn from a ``Scene`` (render.py)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from qipai.envs.layout import HIDDEN, NONE
from qipai.envs.parts.cards import RANKS, card_name

if TYPE_CHECKING:
    import numpy as np

BACK = "??"  # a card, tile or piece lying face down

Deck = Literal["suited", "ranks", "tiles", "pieces", "cloth", "chips", "beads"]
SUITS = {"S": "♠", "H": "♥", "D": "♦", "C": "♣"}
JOKERS = ("SJ", "BJ")


def card(item: str, deck: Deck) -> tuple[str, str] | None:
    """Suit and rank that an item's name stands for, None if it is no card.

    ``S9`` of a suited deck is ``("S", "9")``. With ranks alone ``T`` is ``("", "10")`` and ``SJ``,
    elsewhere the jack of spades, the small joker ``("", "SJ")``.
    """
    suit, rank = (item[:1], item[1:]) if deck == "suited" else ("", item)
    rank = "10" if rank == "T" else rank
    if deck == "suited":
        known = suit in SUITS and rank in RANKS
    else:
        known = deck == "ranks" and rank in RANKS + JOKERS
    return (suit, rank) if known else None


def cards_seen(row: np.ndarray) -> list[str]:
    """The names of the cards in a row, BACK for one that is hidden; NONE is left out."""
    return [BACK if one == HIDDEN else card_name(int(one)) for one in row if one != NONE]


@dataclass(frozen=True)
class Zone:
    """Cards, tiles or pieces in one place.

    ``items`` are names as in the rule sheets (``S9``, ``BJ``, rank-only ``7``, ``5m``), ``BACK``
    for one face down, ``""`` for an empty place. With ``columns`` they form a board, row by row as
    the seat sees it, and ``edges`` are the letters of its columns and of its rows; a single column
    is a pile spread downwards, such as those of a solitaire.

    Chips are named by their coins (``500``). Beads are the results on the roads of baccarat: ``B``
    (banker), ``P`` (player) or ``T`` (tie), small letters for pairs of those hands, and the number
    of ties after it.
    """

    name: str
    items: tuple[str, ...]
    owner: int | None = None  # seat, or None for the middle of the table
    columns: int = 0
    note: str = ""
    edges: tuple[str, str] = ("", "")
    marked: tuple[int, ...] = ()  # positions in ``items`` to point out: the last move, a claim
    deck: Deck | None = None  # how the names of items are read; None: as the scene says


@dataclass(frozen=True)
class Place:
    """One seat at the table: its part in the game, its coins, and what it last did."""

    seat: int
    role: str
    stack: int
    bet: int = 0
    note: str = ""


@dataclass(frozen=True)
class Scene:
    """A table as one seat (or with ``seat`` None a spectator) sees it.

    A game gives places, zones, facts and moves; the rest is the same for all (``Game.scene``).
    """

    places: tuple[Place, ...]
    zones: tuple[Zone, ...]
    facts: tuple[str, ...] = ()  # pot, level, bid, round, …
    moves: tuple[str, ...] = ()  # the last moves, oldest first
    deck: Deck = "suited"  # how the names of items are read
    title: str = ""
    seat: int | None = None
    turn: int | None = None  # None: nobody, or not for this seat to know
    over: bool = False
