"""Cards, tiles and pieces as they lie on the table, and the boards below them."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Sequence

from PIL import Image

from qipai.envs.drawing import tile_faces
from qipai.envs.drawing.canvas import INK, PAPER, RED, Canvas, Colour, Point, length
from qipai.envs.drawing.render import latin
from qipai.envs.scene import BACK, JOKERS, Deck, card

ASPECT: dict[Deck, float] = {
    "suited": 1.4,
    "ranks": 1.4,
    "tiles": tile_faces.HEIGHT,
    "pieces": 1.0,
    "chips": 1.0,
    "beads": 1.0,
}
FAINT = (232, 219, 194)
WOOD, GRAIN, DISC, RIM = (226, 184, 122), (132, 90, 50), (246, 222, 174), (120, 78, 40)
MARK = (255, 206, 64)

PIECES = dict(zip("KABNRCPkabnrcp", "帥仕相馬車炮兵將士象馬車砲卒", strict=True))


@functools.lru_cache(maxsize=512)
def item_image(item: str, deck: Deck, width: float, scale: float, flat: bool) -> Image.Image:
    """One item lying on the table, ``width`` units wide; ``flat`` as in ``draw_card``."""
    canvas = Canvas(width, width * ASPECT[deck], scale)
    if deck == "beads":
        draw_bead(canvas, item, width)
    elif item == "":
        draw_gap(canvas, width, deck)
    elif deck == "chips":
        draw_chip(canvas, item, width)
    elif deck == "pieces":
        draw_piece(canvas, item, width)
    elif deck == "tiles":
        draw_tile(canvas, item, width)
    elif item == BACK:
        draw_back(canvas, width)
    else:
        known = card(item, deck)
        if known:
            draw_card(canvas, known[0], known[1], width, flat)
        else:
            sheet(canvas, width, PAPER)
            draw_name(canvas, item, width, width * 0.7, width * 0.8, INK)
    return canvas.image


def draw_gap(canvas: Canvas, w: float, deck: Deck) -> None:
    canvas.box(0, 0, w, w * ASPECT[deck], (0, 0, 0, 38), w * 0.1, (255, 255, 255, 70))


def draw_name(canvas: Canvas, name: str, w: float, y: float, room: float, colour: Colour) -> None:
    """The name of anything without a face of its own."""
    text = latin(name) or "?"
    size = min(w * 0.5, room * w / max(1.0, length(text, w)))
    canvas.words(w / 2, y, text, size, colour, "mm", bold=True)


def draw_mark(canvas: Canvas, item: str, deck: Deck, x: float, y: float, w: float) -> None:
    """What points out an item, or an empty place, with its top left corner at a point."""
    if deck != "pieces":
        canvas.box(x - 1, y - 1, w + 2, w * ASPECT[deck] + 2, None, w * 0.12, MARK, 3)
    elif item:
        canvas.disc(x + w / 2, y + w / 2, w * 0.47, None, MARK, max(2.0, w * 0.07))
    else:
        canvas.disc(x + w / 2, y + w / 2, w * 0.13, MARK, GRAIN, 1)


# --- Cards -------------------------------------------------------------------------------------


def sheet(canvas: Canvas, w: float, fill: Colour) -> None:
    """The body of a card with a thin edge."""
    canvas.box(0, 0, w, w * ASPECT["suited"], fill, w * 0.1, (70, 78, 74), 0.8)


def draw_card(canvas: Canvas, suit: str, rank: str, w: float, flat: bool) -> None:
    """A face: rank and suit in the corner, with ``flat`` side by side, and the suit in large."""
    sheet(canvas, w, PAPER)
    if rank in JOKERS:
        draw_joker(canvas, w, RED if rank == "BJ" else INK)
    elif suit:
        colour = RED if suit in ("H", "D") else INK
        size = w * (0.34 if rank == "10" else 0.38 if flat else 0.42)
        canvas.words(w * 0.215, w * (0.21 if flat else 0.24), rank, size, colour, "mm", bold=True)
        x, y = (w * 0.57, w * 0.21) if flat else (w * 0.215, w * 0.59)
        draw_suit(canvas, suit, x, y, w * 0.28, colour)
        draw_suit(canvas, suit, w * 0.62, w * 0.96, w * 0.56, colour)
    else:
        size = w * (0.36 if rank == "10" else 0.46)
        canvas.words(w * 0.215, w * 0.26, rank, size, INK, "mm", bold=True)
        for r, fill in ((0.27, FAINT), (0.22, PAPER)):
            canvas.disc(w * 0.63, w * 1.0, w * r, fill)
        canvas.box(w * 0.54, w * 0.91, w * 0.18, w * 0.18, FAINT)


def draw_joker(canvas: Canvas, w: float, colour: Colour) -> None:
    for i, letter in enumerate("JOKER"):
        at = w * (0.19 + 0.25 * i)
        canvas.words(w * 0.19, at, letter, w * 0.235, colour, "mm", bold=True)
    draw_star(canvas, w * 0.62, w * 0.9, w * 0.3, colour)
    draw_star(canvas, w * 0.62, w * 0.9, w * 0.13, PAPER)


def draw_star(canvas: Canvas, x: float, y: float, r: float, colour: Colour) -> None:
    points = []
    for i in range(10):
        turn, reach = math.pi * i / 5, r if i % 2 == 0 else r * 0.42
        points.append((x + reach * math.sin(turn), y - reach * math.cos(turn)))
    canvas.shape(points, colour)


@functools.cache
def heart() -> list[Point]:
    """A heart in a square from −½ to ½."""
    points = []
    for i in range(60):
        t = 2 * math.pi * i / 60
        y = 13 * math.cos(t) - 5 * math.cos(2 * t) - 2 * math.cos(3 * t) - math.cos(4 * t)
        points.append((16 * math.sin(t) ** 3 / 33, -(y + 2.5) / 31))
    return points


def draw_suit(canvas: Canvas, suit: str, x: float, y: float, size: float, colour: Colour) -> None:
    """A suit as a shape in a square around a point."""

    def put(points: Sequence[Point]) -> None:
        canvas.shape([(x + px * size, y + py * size) for px, py in points], colour)

    stem = [(-0.04, 0.1), (0.04, 0.1), (0.08, 0.32), (0.2, 0.5), (-0.2, 0.5), (-0.08, 0.32)]
    if suit == "H":
        put(heart())
    elif suit == "S":
        put([(px * 0.96, -py * 0.86 - 0.07) for px, py in heart()])
        put(stem)
    elif suit == "D":
        put([(0, -0.54), (0.4, 0), (0, 0.54), (-0.4, 0)])
    else:
        for px, py in ((0, -0.27), (-0.25, 0.1), (0.25, 0.1)):
            canvas.disc(x + px * size, y + py * size, 0.225 * size, colour)
        put([(0, -0.2), (0.2, 0.1), (-0.2, 0.1)])
        put(stem)


def draw_back(canvas: Canvas, w: float) -> None:
    """A card face down: a lattice in a frame."""
    h = w * ASPECT["suited"]
    sheet(canvas, w, PAPER)
    edge = w * 0.07
    inner = Canvas(w - 2 * edge, h - 2 * edge, canvas.scale)
    inner.box(0, 0, w, h, (150, 34, 42))
    step = w * 0.155
    for i in range(-10, 20):
        at = i * step
        inner.line([(at, 0), (at + h, h)], (208, 118, 84), w * 0.018)
        inner.line([(at, 0), (at - h, h)], (208, 118, 84), w * 0.018)
    inner.box(0, 0, w - 2 * edge, h - 2 * edge, None, 0, (208, 118, 84), w * 0.03)
    canvas.paste(inner.image, edge, edge)


# --- Tiles and pieces --------------------------------------------------------------------------


def draw_tile(canvas: Canvas, name: str, w: float) -> None:
    tile_faces.draw_body(canvas, w, face_up=name != BACK)
    if tile_faces.has_face(name):
        tile_faces.draw_face(canvas, name, w)
    elif name != BACK:
        draw_name(canvas, name, w, w * 0.6, w * 0.8, INK)


def draw_piece(canvas: Canvas, name: str, w: float) -> None:
    """A round piece; letters as in FEN: capitals are red."""
    colour = RED if name.isupper() else INK
    canvas.disc(w / 2, w * 0.525, w * 0.465, RIM)
    canvas.disc(w / 2, w * 0.495, w * 0.465, DISC, RIM, w * 0.01)
    if name == BACK:
        return
    canvas.disc(w / 2, w * 0.495, w * 0.4, DISC, colour, w * 0.025)
    if name in PIECES:
        canvas.glyph(w / 2, w * 0.495, PIECES[name], w * 0.55, colour)
    else:
        draw_name(canvas, name, w, w * 0.495, w * 0.6, colour)


# --- Chips and beads ---------------------------------------------------------------------------

CHIPS = ((58, 96, 164), (176, 52, 58), (52, 122, 80), (44, 46, 54), (122, 70, 140), (190, 120, 40))
BANKER, PLAYER, TIE, GRID = (206, 38, 44), (34, 88, 196), (24, 136, 68), (206, 202, 190)


def draw_chip(canvas: Canvas, coins: str, w: float) -> None:
    """A chip with stripes on its edge, of a colour for its size, and its coins in the middle."""
    colour = CHIPS[(2 * len(coins) + (coins[0] >= "5")) % len(CHIPS)]
    r = w / 2
    canvas.disc(r, r, r - 1, colour, INK, 0.8)
    for i in range(8):
        turn = math.pi * i / 4
        ends = [
            (r + reach * math.sin(turn), r + reach * math.cos(turn)) for reach in (r * 0.76, r - 1)
        ]
        canvas.line(ends, PAPER, w * 0.1)
    canvas.disc(r, r, r * 0.74, PAPER, colour, 1)
    size = min(w * 0.4, w * 0.66 * w / max(1.0, length(coins, w)))
    canvas.words(r, r, coins, size, INK, "mm", bold=True)


def draw_bead(canvas: Canvas, name: str, w: float) -> None:
    """A place of a road: a ring for who won, a stroke for ties after it, dots for pairs."""
    canvas.box(0, 0, w, w, PAPER, 0, GRID, 0.6)
    winner, pairs, ties = name[:1], name[1:].rstrip("0123456789"), name.lstrip("BPTbp")
    if winner in ("B", "P"):
        canvas.disc(w / 2, w / 2, w * 0.38, None, BANKER if winner == "B" else PLAYER, w * 0.13)
    if ties:
        canvas.line([(w * 0.2, w * 0.8), (w * 0.8, w * 0.2)], TIE, w * 0.1)
    if ties not in ("", "1"):
        canvas.words(w / 2, w / 2, ties, w * 0.5, TIE, "mm", bold=True)
    if "b" in pairs:
        canvas.disc(w * 0.2, w * 0.2, w * 0.14, BANKER)
    if "p" in pairs:
        canvas.disc(w * 0.8, w * 0.8, w * 0.14, PLAYER)


# --- Boards ------------------------------------------------------------------------------------


@functools.lru_cache(maxsize=8)
def board_image(
    columns: int, rows: int, across: float, down: float, edge: float, scale: float
) -> Image.Image:
    """A wooden board with a line through every row and column of places, one place wide each.

    Nine columns of ten rows are the board of xiangqi, with its river, palaces and marks.
    """
    width, height = columns * across + 2 * edge, rows * down + 2 * edge
    canvas = Canvas(width, height + 3, scale)
    canvas.box(0, 3, width, height, (0, 0, 0, 90), 8)
    canvas.box(0, 0, width, height, WOOD, 8, GRAIN, 2)

    def at(column: float, row: float) -> Point:
        return edge + (column + 0.5) * across, edge + (row + 0.5) * down

    xiangqi = (columns, rows) == (9, 10)
    for row in range(rows):
        canvas.line([at(0, row), at(columns - 1, row)], GRAIN, 1.2)
    for column in range(columns):
        banks = xiangqi and 0 < column < columns - 1
        for first, last in ((0, 4), (5, 9)) if banks else ((0, rows - 1),):
            canvas.line([at(column, first), at(column, last)], GRAIN, 1.2)
    if xiangqi:
        draw_xiangqi(canvas, at, across)
    return canvas.image


def draw_xiangqi(canvas: Canvas, at: Callable[[float, float], Point], step: float) -> None:
    """Palaces, the river's name, and corners where soldiers and cannons stand at the start."""
    for row in (0, 7):
        canvas.line([at(3, row), at(5, row + 2)], GRAIN, 1.2)
        canvas.line([at(5, row), at(3, row + 2)], GRAIN, 1.2)
    for column, glyph in zip((1.1, 2.3, 5.7, 6.9), "楚河漢界", strict=True):
        canvas.glyph(*at(column, 4.5), glyph, step * 0.52, GRAIN)
    starts = [(column, row) for row in (3, 6) for column in range(0, 9, 2)]
    for column, row in starts + [(column, row) for row in (2, 7) for column in (1, 7)]:
        for right, low in ((-1, -1), (-1, 1), (1, -1), (1, 1)):
            if 0 <= column + right <= 8:
                inner, outer = 0.09, 0.24
                ends = ((outer, inner), (inner, inner), (inner, outer))
                canvas.line([at(column + right * x, row + low * y) for x, y in ends], GRAIN, 1.2)
