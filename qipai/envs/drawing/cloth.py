"""The cloth of roulette with the chips that lie on it, and the wheel above it.

A zone in the middle has the numbers of the wheel clockwise from 0, the last one marked; colours
alternate from there. The zones of seats have their chips as ``spot:coins``. Places on the cloth
are in cells: row 1 … 12 of three numbers from the left, 0 before them, columns 3, 2, 1 downwards.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Sequence

from PIL import Image

from qipai.envs.drawing.canvas import PAPER, Canvas, Colour, Point
from qipai.envs.scene import Scene

CELL, TALL_CELL, BOX = 60, 70, 46  # width and height of a number, height of an outside bet
ROWS, COLUMNS = 12, 3
WIDTH = (ROWS + 2) * CELL
CLOTH = COLUMNS * TALL_CELL + 2 * BOX  # its height
RIM, POCKETS, HUB = 176, 150, 104  # radii of the wheel
CHIP = 14.5  # radius
SECTORS = ("north", "east", "south", "west")  # clockwise from 0
EVENS = ("low", "even", "red", "black", "odd", "high")

GREEN, RED, BLACK = (22, 122, 70), (178, 34, 40), (30, 32, 36)
LINE, GOLD, WOOD, DARK = (214, 222, 206), (255, 206, 64), (96, 60, 34), (12, 44, 32)
SECTOR = ((40, 74, 112), (112, 66, 96))


def draw_cloth(canvas: Canvas, scene: Scene, colours: Sequence[Colour], top: float) -> None:
    """Wheel and cloth below a height, in the middle of a canvas; chips in the ``colours`` of
    seats, those of the seat that looks on top."""
    wheel = next(zone for zone in scene.zones if zone.owner is None)
    left = canvas.image.width / canvas.scale / 2 - WIDTH / 2
    canvas.paste(empty(wheel.items, canvas.scale), left, top)
    for place in wheel.marked:
        draw_last(canvas, wheel.items, place, left, top)
    on_spot: dict[str, list[tuple[int, int]]] = {}
    for zone in sorted(scene.zones, key=lambda zone: zone.owner == scene.seat):
        if zone.owner is not None:
            for item in zone.items:
                spot, amount = item.split(":")
                on_spot.setdefault(spot, []).append((zone.owner, int(amount)))
    for spot, chips in on_spot.items():
        x, y = centre(spot)
        for k, (seat, coins) in enumerate(chips):
            aside, above = spread(k, len(chips))
            colour = colours[seat % len(colours)]
            draw_chip(canvas, left + x + aside, top + y + above, colour, coins)


def spread(k: int, count: int) -> Point:
    """How far chip k of several on one spot lies from its middle: three side by side."""
    line, column = divmod(k, 3)
    wide, lines = min(3, count - 3 * line), math.ceil(count / 3)
    return (column - (wide - 1) / 2) * CHIP * 1.6, (line - (lines - 1) / 2) * CHIP


# --- Where spots are -----------------------------------------------------------------------------


def cell(number: int) -> Point:
    """The row and the line of a number on the cloth, from 0 for the top line."""
    return ((number + 2) // 3, COLUMNS - 1 - (number - 1) % 3) if number else (0, 1)


def on_cloth(row: float, line: float) -> Point:
    """The middle of a cell, from the upper left corner of the wheel and cloth."""
    return (row + 0.5) * CELL, 2 * RIM + 10 + (line + 0.5) * TALL_CELL


def outside(row: float, line: int) -> Point:
    """A box of outside bets below the cells: line 0 of dozens, 1 of even money."""
    x, y = on_cloth(row, COLUMNS - 0.5)
    return x, y + (line + 0.5) * BOX


def on_wheel(turn: float, radius: float) -> Point:
    """A point of the wheel, by how far around it is from 0."""
    angle = 2 * math.pi * turn
    return WIDTH / 2 + radius * math.sin(angle), RIM - radius * math.cos(angle)


def sector_turn(k: int) -> float:
    """How far around the wheel the middle of a sector is: behind 0, nine numbers each."""
    return (1 + 9 * k + 4) / 37


def label_place(spot: str) -> Point:
    """The middle of an outside bet."""
    if spot in SECTORS:
        return on_wheel(sector_turn(SECTORS.index(spot)), (RIM + POCKETS) / 2)
    if spot in EVENS:
        return outside(2 * EVENS.index(spot) + 1.5, 1)
    if spot.startswith("dozen"):
        return outside(4 * int(spot[5:]) - 1.5, 0)
    return on_cloth(ROWS + 1, COLUMNS - int(spot[6:]))


def centre(spot: str) -> Point:
    """Where chips lie on a spot."""
    for name, aside in (("street", 0.0), ("line", 0.5)):
        if spot.startswith(name):
            return on_cloth(cell(int(spot[len(name) :]))[0] + aside, COLUMNS - 0.5)
    if spot.startswith("corner"):
        row, line = cell(int(spot[6:]))
        return on_cloth(row + 0.5, line - 0.5)
    if spot[0].isdigit():
        return inside([int(number) for number in spot.split("-")])
    x, y = label_place(spot)
    if spot in SECTORS:
        return x, y
    if spot.startswith("column"):
        return x, y + 8
    return x + (75 if spot.startswith("dozen") else 34), y


def inside(numbers: Sequence[int]) -> Point:
    """Where chips lie on numbers that are named one by one."""
    cells = [cell(number) for number in numbers if number or len(numbers) == 1]
    row = sum(row for row, _ in cells) / len(cells)
    line = sum(line for _, line in cells) / len(cells)
    if len(numbers) == 1:
        x, y = on_cloth(row, line)
        return x, y + 14
    if numbers[0] == 0:
        return on_cloth(0.5, COLUMNS - 0.5 if len(numbers) == 4 else line)
    return on_cloth(row, line)


# --- What is there without chips -----------------------------------------------------------------


def colour_of(wheel: Sequence[str], number: int) -> Colour:
    place = wheel.index(str(number))
    return GREEN if place == 0 else RED if place % 2 else BLACK


@functools.lru_cache(maxsize=4)
def empty(wheel: tuple[str, ...], scale: float) -> Image.Image:
    """Wheel and cloth without a chip."""
    canvas = Canvas(WIDTH + 2, 2 * RIM + 10 + CLOTH + 2, scale)
    draw_wheel(canvas, wheel)
    for number in range(len(wheel)):
        draw_number(canvas, wheel, number, LINE, 1)
    for column in (1, 2, 3):
        draw_box(canvas, on_cloth(ROWS + 1, COLUMNS - column), CELL, TALL_CELL, DARK)
        x, y = label_place(f"column{column}")
        canvas.words(x, y - 17, f"col {column}", 14, PAPER, "mm")
    for k, name in enumerate(("1-12", "13-24", "25-36")):
        place = label_place(f"dozen{k + 1}")
        draw_box(canvas, place, 4 * CELL, BOX, DARK)
        canvas.words(*place, name, 17, PAPER, "mm")
    for name in EVENS:
        x, y = label_place(name)
        fill = {"red": RED, "black": BLACK}.get(name, DARK)
        draw_box(canvas, (x, y), 2 * CELL, BOX, fill)
        canvas.words(x - 14, y, name, 17, PAPER, "mm")
    return canvas.image


def draw_box(
    canvas: Canvas,
    middle: Point,
    wide: float,
    tall: float,
    fill: Colour | None,
    line: Colour = LINE,
    thick: float = 1,
) -> None:
    x, y = middle
    canvas.box(x - wide / 2, y - tall / 2, wide + 1, tall + 1, fill, 0, line, thick)


def draw_number(
    canvas: Canvas,
    wheel: Sequence[str],
    number: int,
    line: Colour,
    thick: float,
    at: Point = (0, 0),
) -> None:
    """The cell of a number, with the corner of the image at a point."""
    x, y = on_cloth(*cell(number))
    x, y = x + at[0], y + at[1]
    tall = TALL_CELL if number else COLUMNS * TALL_CELL
    draw_box(canvas, (x, y), CELL, tall, colour_of(wheel, number), line, thick)
    canvas.words(x, y - 8, str(number), 21, PAPER, "mm", bold=True)


def arc(first: float, last: float, inner: float, outer: float) -> list[Point]:
    """A piece of a ring between two turns from 0."""
    steps = [first + (last - first) * k / 16 for k in range(17)]
    return [on_wheel(t, outer) for t in steps] + [on_wheel(t, inner) for t in reversed(steps)]


def draw_wheel(canvas: Canvas, wheel: Sequence[str]) -> None:
    half = 0.5 / len(wheel)
    canvas.disc(*on_wheel(0, 0), RIM, WOOD)
    for k, name in enumerate(SECTORS):
        middle, reach = sector_turn(k), 4.5 / len(wheel)
        canvas.shape(arc(middle - reach, middle + reach, POCKETS, RIM - 2), SECTOR[k % 2])
        x, y = on_wheel(middle - 0.055, (RIM + POCKETS) / 2)
        canvas.words(x, y, name, 12, PAPER, "mm")
    for place, number in enumerate(wheel):
        turn = place / len(wheel)
        canvas.shape(arc(turn - half, turn + half, HUB, POCKETS), colour_of(wheel, int(number)))
        canvas.words(*on_wheel(turn, POCKETS - 14), number, 13, PAPER, "mm", bold=True)
    for place in range(len(wheel)):
        turn = (place + 0.5) / len(wheel)
        canvas.line([on_wheel(turn, HUB), on_wheel(turn, POCKETS)], LINE, 0.8)
    canvas.disc(*on_wheel(0, 0), POCKETS, None, LINE, 1.2)
    canvas.disc(*on_wheel(0, 0), HUB, (70, 44, 26), LINE, 1.2)
    canvas.disc(*on_wheel(0, 0), 46, WOOD, (190, 150, 90), 2)


def draw_last(canvas: Canvas, wheel: Sequence[str], place: int, left: float, top: float) -> None:
    """The ball in its pocket, the number in the middle of the wheel and on the cloth."""
    number = int(wheel[place])
    x, y = on_wheel(place / len(wheel), HUB + 12)
    canvas.disc(left + x, top + y, 8, (250, 250, 246), GOLD, 2)
    x, y = on_wheel(0, 0)
    canvas.disc(left + x, top + y, 40, colour_of(wheel, number), GOLD, 3)
    canvas.words(left + x, top + y, wheel[place], 38, PAPER, "mm", bold=True)
    draw_number(canvas, wheel, number, GOLD, 4, (left, top))


def draw_chip(canvas: Canvas, x: float, y: float, colour: Colour, coins: int) -> None:
    """A chip with its amount in the colour of its seat."""
    canvas.disc(x, y + 1.5, CHIP + 0.5, (0, 0, 0, 110))
    canvas.disc(x, y, CHIP, PAPER, (40, 44, 48), 1)
    canvas.disc(x, y, CHIP - 1, None, colour, 3)
    canvas.words(x, y, short(coins), 11.5, (20, 22, 26), "mm", bold=True)


def short(coins: int) -> str:
    """An amount in at most four characters or so."""
    for power, letter in ((12, "T"), (9, "G"), (6, "M"), (3, "k")):
        if coins >= 10**power:
            return f"{coins / 10**power:.3g}{letter}"
    return str(coins)
