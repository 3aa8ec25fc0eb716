"""The faces of mahjong tiles: characters, dots, bamboo, winds and dragons.

A place on a face is ``(u, v)``, from −1 to 1 across and down; lengths are in widths of the tile.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

from qipai.envs.drawing.canvas import RED, Canvas, Colour, Point
from qipai.envs.parts.tiles import TILE_NAMES

HEIGHT = 1.32  # of a tile
DEPTH = 0.13  # of its side, seen below the face
EDGE = (70, 78, 74)
IVORY, SIDE = (250, 246, 232), (222, 211, 182)
BLUE, GREEN = (32, 62, 140), (18, 118, 66)
AMBER, BROWN = (224, 164, 72), (168, 112, 40)

NUMBERS = "一二三四五六七八九"
HONOURS = {
    "E": ("東", BLUE),
    "S": ("南", BLUE),
    "W": ("西", BLUE),
    "N": ("北", BLUE),
    "RD": ("中", RED),
    "GD": ("發", GREEN),
}
COLOURS = {"B": BLUE, "G": GREEN, "R": RED}

# Rows of signs: the height v, the u of the last (the others lie evenly from −u on), the colours.
Rows = tuple[tuple[float, float, str], ...]
DOTS: dict[int, Rows] = {
    1: ((0, 0, "B"),),
    2: ((-0.5, 0, "G"), (0.5, 0, "B")),
    3: ((-0.66, -0.62, "B"), (0, 0, "R"), (0.66, 0.62, "G")),
    4: ((-0.5, 0.5, "BG"), (0.5, 0.5, "GB")),
    5: ((-0.64, 0.6, "BG"), (0, 0, "R"), (0.64, 0.6, "GB")),
    6: ((-0.68, 0.46, "GG"), (0.06, 0.46, "RR"), (0.68, 0.46, "RR")),
    7: (
        *((-0.78, -0.68, "G"), (-0.58, 0, "G"), (-0.38, 0.68, "G")),
        *((0.16, 0.42, "RR"), (0.74, 0.42, "RR")),
    ),
    8: ((-0.76, 0.4, "BB"), (-0.25, 0.4, "BB"), (0.26, 0.4, "BB"), (0.77, 0.4, "BB")),
    9: ((-0.66, 0.68, "GGG"), (0, 0.68, "RRR"), (0.66, 0.68, "BBB")),
}
RADIUS = {1: 0.34, 2: 0.205, 3: 0.155, 4: 0.17, 5: 0.15, 6: 0.145, 7: 0.12, 8: 0.12, 9: 0.12}
STICKS: dict[int, Rows] = {
    2: ((-0.48, 0, "B"), (0.5, 0, "G")),
    3: ((-0.48, 0, "B"), (0.5, 0.45, "GG")),
    4: ((-0.48, 0.45, "BG"), (0.5, 0.45, "GB")),
    5: ((-0.48, 0.66, "GB"), (0, 0, "R"), (0.5, 0.66, "BG")),
    6: ((-0.48, 0.62, "GGG"), (0.5, 0.62, "BBB")),
    7: ((-0.7, 0, "R"), (0, 0.62, "GGG"), (0.7, 0.62, "BBB")),
    8: ((-0.48, 0.8, "GGGG"), (0.5, 0.8, "BBBB")),
    9: ((-0.7, 0.62, "GRB"), (0, 0.62, "GRB"), (0.7, 0.62, "GRB")),
}


def draw_body(canvas: Canvas, w: float, face_up: bool = True) -> None:
    """A tile without a face: amber below the ivory, or above it when it lies face down."""
    top, side = (IVORY, AMBER) if face_up else (AMBER, IVORY)
    h = w * HEIGHT
    canvas.box(0, 0, w, h, side, w * 0.12, EDGE, 0.8)
    middle = SIDE if face_up else BROWN
    canvas.box(w * 0.02, w * 0.02, w * 0.96, h - w * (DEPTH * 0.5 + 0.02), middle, w * 0.11)
    canvas.box(w * 0.02, w * 0.02, w * 0.96, h - w * (DEPTH + 0.02), top, w * 0.11)


def has_face(name: str) -> bool:
    """Whether ``draw_face`` knows a tile."""
    return name in TILE_NAMES


def draw_face(canvas: Canvas, name: str, w: float) -> None:
    """What is on a tile, one of ``TILE_NAMES``."""
    if name == "WD":
        draw_frame(canvas, w)
    elif name in HONOURS:
        glyph, colour = HONOURS[name]
        canvas.glyph(*place(0, 0, w), glyph, w * 0.74, colour)
    elif name == "1s":
        draw_bird(canvas, w)
    else:
        {"m": draw_number, "p": draw_dots, "s": draw_sticks}[name[1]](canvas, int(name[0]), w)


def place(u: float, v: float, w: float) -> Point:
    """A place on the face of a tile of this width."""
    return w * (0.5 + 0.4 * u), w * (0.6 + 0.52 * v)


def draw_number(canvas: Canvas, number: int, w: float) -> None:
    canvas.glyph(*place(0, -0.5, w), NUMBERS[number - 1], w * 0.46, BLUE)
    canvas.glyph(*place(0, 0.46, w), "萬", w * 0.56, RED)


def draw_frame(canvas: Canvas, w: float) -> None:
    for inset, thick in ((0.17, 0.055), (0.26, 0.025)):
        x, y = w * inset, w * (inset - 0.02)
        canvas.box(x, y, w - 2 * x, w * 1.2 - 2 * y, None, w * 0.05, BLUE, w * thick)


def places(rows: Rows, w: float) -> Iterator[tuple[float, float, Colour]]:
    """Where the signs of some rows are, and their colours."""
    for v, reach, row in rows:
        for i, letter in enumerate(row):
            u = reach * (2 * i / (len(row) - 1) - 1) if len(row) > 1 else reach
            yield *place(u, v, w), COLOURS[letter]


def draw_dots(canvas: Canvas, number: int, w: float) -> None:
    r = w * RADIUS[number]
    for x, y, colour in places(DOTS[number], w):
        canvas.disc(x, y, r, colour)
        canvas.disc(x, y, r * 0.66, IVORY)
        canvas.disc(x, y, r * 0.4, colour)
    if number == 1:
        x, y = place(0, 0, w)
        for i in range(12):
            across, up = math.sin(math.pi * i / 6), math.cos(math.pi * i / 6)
            canvas.disc(x + r * 0.83 * across, y - r * 0.83 * up, r * 0.1, IVORY)
        canvas.disc(x, y, r * 0.54, GREEN)
        canvas.disc(x, y, r * 0.26, RED)


def draw_sticks(canvas: Canvas, number: int, w: float) -> None:
    half = w * (0.105 if number in (7, 9) else 0.17)
    for x, y, colour in places(STICKS[number], w):
        lean = 0.0
        if number == 8 and abs(x - w / 2) < w * 0.2:  # these form an M above a W
            lean = math.copysign(w * 0.07, (x - w / 2) * (w * 0.6 - y))
        draw_stick(canvas, (x + lean, y - half), (x - lean, y + half), w, colour)


def draw_stick(canvas: Canvas, upper: Point, lower: Point, w: float, colour: Colour) -> None:
    """A bamboo stick of two segments."""

    def at(t: float) -> Point:
        return upper[0] + t * (lower[0] - upper[0]), upper[1] + t * (lower[1] - upper[1])

    canvas.stroke([upper, lower], colour, w * 0.1)
    for knot in (0, 0.5, 1):
        canvas.disc(*at(knot), w * 0.062, colour)
    for start in (0.18, 0.62):
        canvas.line([at(start), at(start + 0.2)], IVORY, w * 0.028)


def draw_bird(canvas: Canvas, w: float) -> None:
    """The bird that stands for one bamboo."""

    def at(*points: Point) -> list[Point]:
        return [place(u, v, w) for u, v in points]

    for u, v, colour in ((-0.8, 0.5, BLUE), (-0.66, 0.78, GREEN), (-0.36, 0.94, RED)):
        canvas.stroke(at((0.05, 0.1), (u, v)), colour, w * 0.085)
    for u in (0.2, 0.44):
        canvas.stroke(at((u - 0.06, 0.4), (u, 0.9)), RED, w * 0.045)
    canvas.stroke(at((-0.1, 0.18), (0.25, 0.12)), GREEN, w * 0.4)
    canvas.stroke(at((0.28, 0), (0.2, -0.52)), GREEN, w * 0.2)
    canvas.stroke(at((-0.3, 0.2), (0.1, 0.06)), IVORY, w * 0.05)
    x, y = place(0.2, -0.58, w)
    canvas.disc(x, y, w * 0.145, GREEN)
    canvas.shape(at((0.46, -0.72), (0.94, -0.5), (0.46, -0.42)), RED)
    canvas.stroke(at((0.1, -0.8), (-0.12, -0.98)), RED, w * 0.06)
    canvas.stroke(at((0.2, -0.82), (0.2, -1.02)), RED, w * 0.06)
    canvas.disc(x + w * 0.04, y - w * 0.02, w * 0.042, IVORY)
