"""Mahjong at four seats: the wall, hands drawn from it, melds, discards, and what nobody has seen.

A record ``s`` has the fields below, ``turn``, ``phase``, ``winner``, ``left_by``, and those of
parts/claims.py. The hand in its turn has one tile more than thirteen, a meld counting three.
"""

from __future__ import annotations

from collections import Counter

import numpy as np

from qipai.envs.fields import Codec, Field
from qipai.envs.kernel import inlined, kernel
from qipai.envs.layout import HIDDEN, NONE, Range, put_one_of, put_row
from qipai.envs.parts.melds import HAND, SETS
from qipai.envs.parts.tiles import (
    COPIES,
    KINDS,
    RANKS,
    TILE_NAMES,
    WIND,
    parse_tile,
    tile_field,
    tile_name,
    tile_names,
)
from qipai.envs.rng import shuffle
from qipai.envs.scene import BACK, Zone

SEATS = 4
WALL = COPIES * KINDS
DEALT = 13  # tiles each seat is dealt, the first draw not counted
# 84 draws, replacements included, and 16 pongs at most, each followed by at most one discard.
RIVER = WALL - SEATS * DEALT + SEATS * SETS

# Phases: turn after a draw, turn after a pong, asked to claim, asked to win, the hand has ended.
DRAWN, PONGED, CLAIM, ROB, OVER = range(5)
PONG, CONCEALED, ADDED, FED = range(4)  # kinds of melds, the last three kongs
MELD_NAMES = ("pong", "ckong", "akong", "kong")

# --- Fields ------------------------------------------------------------------------------------

_COUNTS = Codec(
    encode=lambda counts: tile_names(counts), decode=lambda names: counts_of(names), row=True
)


def wall_fields() -> tuple[Field, ...]:
    """The wall, drawn from both ends."""
    return (
        tile_field("wall", "none: drawn", WALL, hidden=True),
        Field.number("front", WALL, "next tile to draw", low=SEATS * DEALT + 1),
        Field.number("back", WALL - 1, "next tile from the end", low=-1),
    )


def hand_fields() -> tuple[Field, ...]:
    """What each seat holds, and what the seat in its turn has drawn."""
    return (
        Field.number(
            "tiles", COPIES, "concealed tiles by kind", (SEATS, KINDS), hidden=True, codec=_COUNTS
        ),
        Field.number("held", HAND, "how many they are", SEATS),
        tile_field("drawn", "just drawn by the seat in its turn", hidden=True),
    )


def meld_fields() -> tuple[Field, ...]:
    """What each seat has laid."""
    return (
        Field.number("melds", SETS, "how many are laid", SEATS),
        Field.choice("meld_kind", MELD_NAMES, "in order", (SEATS, SETS), empty=True),
        tile_field("meld_tile", "in order", (SEATS, SETS)),
        Field.seat("meld_from", "who discarded the tile; none: nobody", (SEATS, SETS), empty=True),
    )


def river_fields() -> tuple[Field, ...]:
    """What has been discarded."""
    return (
        Field.number("discards", RIVER, "how many there have been"),
        tile_field("river", "discards in order", RIVER),
        Field.seat("river_seat", "who discarded them", RIVER, empty=True),
        Field.flag("claimed", "another seat took it", RIVER),
    )


def counts_of(names: list[str]) -> np.ndarray:
    """Counts by kind of tiles by name."""
    return np.bincount([parse_tile(name) for name in names], minlength=KINDS).astype(np.int8)


# --- Drawing, laying, discarding ---------------------------------------------------------------


@kernel
def build_wall(s):
    for k in range(WALL):
        s.wall[k] = k // COPIES
    shuffle(s.rng, s.wall, WALL)


@kernel
def deal_hands(s, first):
    """Deal thirteen tiles to each seat, from seat ``first`` on."""
    s.back = WALL - 1
    for k in range(SEATS):
        seat = (first + k) % SEATS
        for _ in range(DEALT):
            s.front += 1
            s.tiles[seat, take(s, s.front - 1)] += 1
        s.held[seat] = DEALT


@kernel
def take(s, place):
    """Take the tile at a place out of the wall; returns its kind."""
    tile = s.wall[place]
    s.wall[place] = NONE
    return tile


@kernel
def wall_left(s):
    return s.back - s.front + 1


@kernel
def _receive(s, seat, tile):
    s.tiles[seat, tile] += 1
    s.held[seat] += 1
    s.drawn = tile
    s.turn = seat
    s.phase = DRAWN


@kernel
def draw(s, seat):
    """The turn of a seat begins with the next tile of the wall."""
    s.front += 1
    _receive(s, seat, take(s, s.front - 1))


@kernel
def draw_replacement(s, seat):
    """The turn of a seat goes on with a tile from the end of the wall."""
    s.back -= 1
    _receive(s, seat, take(s, s.back + 1))


@kernel
def put_down(s, seat, tile, n):
    """Take tiles out of a hand; what was just drawn is no longer apart from the others."""
    s.tiles[seat, tile] -= n
    s.held[seat] -= n
    s.drawn = NONE


@kernel
def lay(s, seat, kind, tile, source):
    i = s.melds[seat]
    s.meld_kind[seat, i] = kind
    s.meld_tile[seat, i] = tile
    s.meld_from[seat, i] = source
    s.melds[seat] += 1


@kernel
def discard(s, seat, tile):
    put_down(s, seat, tile, 1)
    s.river[s.discards] = tile
    s.river_seat[s.discards] = seat
    s.discards += 1


# --- Hands beside melds ------------------------------------------------------------------------


@kernel
def suit(s, seat, first):
    """The concealed tiles of the suit from kind ``first`` on, as in parts/melds.py."""
    tiles = np.int64(0)
    for k in range(min(RANKS, KINDS - first)):
        tiles |= np.int64(s.tiles[seat, first + k]) << (3 * k)
    return tiles


@kernel
def suits(s, seat):
    """The concealed tiles of a seat, as in parts/melds.py."""
    return (
        suit(s, seat, 0),
        suit(s, seat, RANKS),
        suit(s, seat, 2 * RANKS),
        suit(s, seat, WIND),
    )


@kernel
def copies(s, seat, tile):
    """Tiles of a kind that a seat has, a meld counting three."""
    count = np.int64(s.tiles[seat, tile])
    for i in range(s.melds[seat]):
        if s.meld_tile[seat, i] == tile:
            count += 3
    return count


@kernel
def triplets(s, seat, first, n):
    """How many of n kinds are triplets or kongs, concealed or not; four in the hand are neither."""
    count = 0
    for k in range(n):
        count += copies(s, seat, first + k) == 3
    return count


@kernel
def has_suit(s, seat, first):
    count = 0
    for k in range(min(RANKS, KINDS - first)):
        count += copies(s, seat, first + k)
    return count > 0


@kernel
def melds_of(s, seat, kind):
    count = 0
    for i in range(s.melds[seat]):
        count += s.meld_kind[seat, i] == kind
    return count


@kernel
def highest_held(s, seat):
    tile = KINDS - 1
    while s.tiles[seat, tile] == 0:
        tile -= 1
    return tile


# --- What a seat sees --------------------------------------------------------------------------


@kernel
def conceal_tiles(s, seat):
    """Hide the wall, and all hands but its own and the winner's."""
    for other in range(SEATS):
        if other != seat and other != s.winner:
            s.tiles[other, :] = HIDDEN
    for k in range(s.front, s.back + 1):
        s.wall[k] = HIDDEN
    if s.turn != seat and s.phase == DRAWN:
        s.drawn = HIDDEN


@kernel
def unseen(v, seat, tile):
    """Tiles of a kind that are neither in the hand of a seat nor open on the table."""
    return not_open(v, tile) - np.int64(v.tiles[seat, tile])


@kernel
def not_open(v, tile):
    """Tiles of a kind that are neither laid, nor discarded, nor in question."""
    count = COPIES
    for other in range(SEATS):
        for i in range(v.melds[other]):
            if v.meld_tile[other, i] == tile:
                count -= 3 if v.meld_kind[other, i] == PONG else COPIES
    for i in range(v.discards):
        if v.river[i] == tile and not v.claimed[i]:
            count -= 1
    if v.offer_kong and v.offer == tile and v.phase != OVER:
        count -= 1
    return count


@kernel
def hidden_tiles(v, tile):
    """Tiles of a kind in the wall and in the hands that are hidden; in the wall, if none is."""
    count = not_open(v, tile)
    for seat in range(SEATS):
        if v.tiles[seat, tile] != HIDDEN:
            count -= v.tiles[seat, tile]
    for k in range(v.back + 1, WALL):  # what has been turned over at the end of the wall
        count -= v.wall[k] == tile
    return count


@kernel
def redeal_tiles(s):
    """Spread the unseen tiles over the hidden hands and the wall.

    They are gathered in the wall, which has room for those of the hands where it is drawn off.
    """
    start = s.front
    for other in range(SEATS):
        if s.tiles[other, 0] == HIDDEN:
            start -= s.held[other]
    place = start
    for tile in range(KINDS):
        for _ in range(hidden_tiles(s, tile)):
            s.wall[place] = tile
            place += 1
    shuffle(s.rng, s.wall[start:], place - start)
    for other in range(SEATS):
        if s.tiles[other, 0] == HIDDEN:
            s.tiles[other, :] = 0
            for _ in range(s.held[other]):
                tile = take(s, start)
                s.tiles[other, tile] += 1
                start += 1
                if s.turn == other and s.drawn != NONE:
                    s.drawn = tile


MELD_KINDS = 6  # as an observation tells them apart


def table_ranges() -> tuple[Range, ...]:
    """Hands, melds, discards and the tile in question, as a seat observes them."""
    return (
        Range(
            "tiles",
            (SEATS, KINDS),
            "concealed tiles by kind",
            "the owner; the winner's at the end all",
        ),
        Range("drawn", KINDS, "the tile just drawn", "who drew it"),
        Range(
            "melds",
            (SEATS, MELD_KINDS, KINDS),
            "pong, concealed kong, added kong, kong fed by the next, opposite, last seat after the "
            "owner",
        ),
        Range("discards", (SEATS, KINDS), "discards that lie unclaimed, by kind"),
        Range(
            "recent",
            (SEATS, KINDS),
            "1 / n if a seat's last discard of a kind was the n-th last of all",
        ),
        Range("held", SEATS, "number of concealed tiles"),
        Range("offer", KINDS, "the tile that may be claimed or robbed"),
        Range("offer_seat", SEATS, "whose it is"),
        Range("offer_kong", 1, "it is being added to a pong"),
        Range("unseen", KINDS, "tiles neither in the own hand nor open on the table"),
    )


@inlined
def after(seat, other):
    """How many places after a seat another one sits."""
    return (other - seat) & 3


@kernel
def observe_table(v, seat, o, known):
    """Write ``table_ranges``."""
    for k in range(SEATS):
        p = (seat + k) & 3
        put_row(o.tiles[k], known.tiles[k], v.tiles[p], KINDS)
        o.held[k] = v.held[p]
    put_one_of(o.drawn, known.drawn, KINDS, v.drawn)
    for tile in range(KINDS):
        o.unseen[tile] = COPIES - v.tiles[seat, tile]
    for k in range(SEATS):
        _observe_melds(v, seat, k, o)
    for i in range(v.discards):
        tile = v.river[i]
        k = after(seat, v.river_seat[i])
        o.recent[k, tile] = 1 / (v.discards - i)
        if not v.claimed[i]:
            o.discards[k, tile] += 1
            o.unseen[tile] -= 1
    if v.offer >= 0 and v.phase != OVER:
        o.offer[v.offer] = 1
        o.offer_seat[after(seat, v.offer_seat)] = 1
        o.offer_kong = v.offer_kong
        if v.offer_kong:
            o.unseen[v.offer] -= 1


@kernel
def _observe_melds(v, seat, k, o):
    """The melds of the k-th seat after the own one."""
    p = (seat + k) & 3
    for i in range(v.melds[p]):
        kind, tile = v.meld_kind[p, i], v.meld_tile[p, i]
        column = np.int64(kind)
        if kind == FED:
            column += after(p, v.meld_from[p, i]) - 1
        o.melds[k, column, tile] = 1
        o.unseen[tile] -= 3 if kind == PONG else COPIES


# --- Contradictions ------------------------------------------------------------------------------
# What can't be on a table or in a view: ``Game.contradiction``.


def river_contradiction(s: np.void) -> str | None:
    lying = np.arange(RIVER) < s["discards"]
    for name in ("river", "river_seat"):
        if ((s[name] != NONE) != lying).any():
            return f"{name} has not the {s['discards']} entries that discards says"
    if s["claimed"][~lying].any():
        return f"claimed has entries beyond discards={s['discards']}"
    return None


def meld_contradiction(s: np.void, won: bool = False) -> str | None:
    """``won``: the last discard was taken by a seat that won with it."""
    claims = []
    for seat in range(SEATS):
        count = int(s["melds"][seat])
        for name in ("meld_kind", "meld_tile"):
            if ((s[name][seat] != NONE) != (np.arange(SETS) < count)).any():
                return f"{name}[{seat}] has not {count} entries, as melds says"
        for i in range(SETS):
            source = int(s["meld_from"][seat, i])
            claimed = s["meld_kind"][seat, i] in (PONG, ADDED, FED)
            if (source != NONE) != claimed or source == seat:
                wanted = "another seat" if claimed else str(NONE)
                return f"meld_from[{seat}, {i}] is {source}: expected {wanted} for such a meld"
            claims += [(source, int(s["meld_tile"][seat, i]))] if claimed else []
    taken = s["claimed"] > 0
    if won:
        taken[int(s["discards"]) - 1] = False
    discards = zip(s["river_seat"][taken].tolist(), s["river"][taken].tolist(), strict=True)
    if Counter(discards) - Counter(claims):
        return "claimed has discards that lie in no meld"
    return None


def turn_contradiction(s: np.void, drew: bool) -> str | None:
    """``drew``: a seat is in its turn after a draw, or has won by one."""
    phase, turn, drawn = (int(s[k]) for k in ("phase", "turn", "drawn"))
    if (turn == HIDDEN) != (phase == HIDDEN):
        return f"turn is {turn}, and phase is {phase}: expected both hidden, or neither"
    if (phase == OVER) != s["ended"]:
        return f"phase is {phase}, and ended is {s['ended']}"
    if (drawn != NONE) != drew:
        return f"drawn is {drawn} in phase={phase}"
    if drawn >= 0 and s["tiles"][turn, drawn] == 0:
        return f"drawn is {drawn}, and seat {turn} has no such tile"
    if drawn == HIDDEN and HIDDEN not in s["tiles"][turn]:
        return f"drawn is hidden, and the hand of seat {turn} is not"
    return None


def wall_contradiction(s: np.void, turned: np.ndarray) -> str | None:
    """``turned``: the tiles turned over at the end of the wall, which lie there."""
    front, back, view = int(s["front"]), int(s["back"]), bool((s["tiles"] == HIDDEN).any())
    end = WALL - int((s["meld_kind"] > PONG).sum())  # of what was not drawn to replace a kong
    if back != end - len(turned) - 1:
        due = end - len(turned) - 1
        return f"back is {back}: after the kongs and tiles turned over so far it is {due}"
    if front > back + 1:
        return f"front is {front}, beyond back={back}"
    wall = s["wall"]
    if (wall[:front] != NONE).any() or (wall[end:] != NONE).any():
        return f"wall has tiles at places that were drawn: before front={front} or from {end} on"
    if (wall[back + 1 : end] != turned).any():
        return "wall does not end with the tiles that were turned over"
    inner = wall[front : back + 1]
    if (inner != HIDDEN).any() if view else (inner < 0).any():
        return "wall has gaps, or is not hidden as the hands are"
    return None


def hand_contradiction(s: np.void) -> str | None:
    hands, phase, winner = s["tiles"], int(s["phase"]), int(s["winner"])
    hidden = (hands == HIDDEN).all(axis=1)
    if (hands[~hidden] == HIDDEN).any() or hidden.sum() not in (0, SEATS - 2, SEATS - 1):
        return "tiles are hidden in part: expected those of all but the own seat and the winner"
    if hidden.sum() == SEATS - 2 and (winner < 0 or hidden[winner]):
        return "tiles are not hidden of a seat that has not won"
    more = s["held"] - (DEALT - 3 * s["melds"])
    holder = s["turn"] if phase in (DRAWN, PONGED) else winner
    wanted = np.arange(SEATS) == holder
    if s["left_by"] >= 0 and more.any():  # whoever was in its turn has one more
        wanted = np.arange(SEATS) == np.argmax(more)
    for seat in range(SEATS):
        if more[seat] != wanted[seat]:
            due = s["held"][seat] - more[seat] + wanted[seat]
            return f"held[{seat}] is {s['held'][seat]}: expected {due} beside its melds"
        if not hidden[seat] and hands[seat].sum() != s["held"][seat]:
            return f"tiles[{seat}] has {hands[seat].sum()} tiles, and held says {s['held'][seat]}"
    left = [int(hidden_tiles(s, tile)) for tile in range(KINDS)]
    if min(left) < 0:
        name = TILE_NAMES[left.index(min(left))]
        return f"tiles, melds, river and wall have more than {COPIES} tiles {name}"
    room = s["held"][hidden].sum() + wall_left(s)
    if sum(left) != room:
        return f"front is {s['front']}: {sum(left)} tiles are unseen, and there is room for {room}"
    return None


# --- Words -------------------------------------------------------------------------------------


def census(s: np.void) -> tuple[int, ...]:
    """How many there are of each kind of tile, wherever they lie."""
    counts = [0] * KINDS
    for tile in s["wall"][s["wall"] >= 0]:
        counts[tile] += 1
    for i in range(int(s["discards"])):
        counts[s["river"][i]] += not s["claimed"][i]
    for seat in range(SEATS):
        for tile in range(KINDS):
            counts[tile] += int(s["tiles"][seat, tile])
        for i in range(int(s["melds"][seat])):
            counts[s["meld_tile"][seat, i]] += 3 if s["meld_kind"][seat, i] == PONG else COPIES
    if s["offer_kong"] and s["phase"] != OVER:
        counts[s["offer"]] += 1
    return tuple(counts)


def meld_words(v: np.void, seat: int) -> list[str]:
    """The melds of a seat as ``pong 5m`` or ``kong 5m fed by 2``."""
    words = []
    for i in range(int(v["melds"][seat])):
        kind, tile = int(v["meld_kind"][seat, i]), int(v["meld_tile"][seat, i])
        source = f" fed by {v['meld_from'][seat, i]}" if kind == FED else ""
        words.append(f"{MELD_NAMES[kind]} {tile_name(tile)}{source}")
    return words


def _hand_items(v: np.void, seat: int) -> tuple[str, ...]:
    """The concealed tiles of a seat, the one just drawn last."""
    if v["tiles"][seat, 0] == HIDDEN:
        return (BACK,) * int(v["held"][seat])
    names = tile_names(v["tiles"][seat])
    if v["turn"] == seat and v["drawn"] >= 0:
        drawn = tile_name(int(v["drawn"]))
        names.remove(drawn)
        names.append(drawn)
    return tuple(names)


def _meld_items(v: np.void, seat: int) -> tuple[str, ...]:
    names: list[str] = []
    for i in range(int(v["melds"][seat])):
        size = 3 if v["meld_kind"][seat, i] == PONG else COPIES
        names += [tile_name(int(v["meld_tile"][seat, i]))] * size
    return tuple(names)


def discarded(v: np.void) -> list[tuple[int, str, bool]]:
    """The discards in order: seat, tile, and whether another seat took it."""
    return [
        (int(v["river_seat"][i]), tile_name(int(v["river"][i])), bool(v["claimed"][i]))
        for i in range(int(v["discards"]))
    ]


def discard_lines(v: np.void) -> tuple[str, ...]:
    """The last discards, for ``Scene.moves``."""
    return tuple(f"{owner}: discard {name}" for owner, name, _ in discarded(v)[-8:])


def table_zones(v: np.void) -> list[Zone]:
    """Hands, melds and discards of each seat, the wall, the tile in question."""
    zones: list[Zone] = []
    discards = discarded(v)
    for p in range(SEATS):
        zones.append(Zone("hand", _hand_items(v, p), owner=p))
        if v["melds"][p]:
            note = ", ".join(meld_words(v, p))
            zones.append(Zone("melds", _meld_items(v, p), owner=p, note=note))
        lying = tuple(name for owner, name, claimed in discards if owner == p and not claimed)
        zones.append(Zone("discards", lying, owner=p))
    zones.append(Zone("wall", (), note=f"{int(wall_left(v))} tiles"))
    if v["offer"] >= 0:
        what = "adds to a pong" if v["offer_kong"] else "discards"
        offer = (tile_name(int(v["offer"])),)
        zones.append(Zone("in question", offer, note=f"seat {v['offer_seat']} {what}"))
    return zones
