"""A ``Scene`` as a picture, drawn with Pillow (``render.picture`` is how to call it).

Lengths are in units: a picture is 900 of them wide. Everything is drawn at twice the size and
scaled down, which smooths the edges. The built-in font knows ASCII alone: suits are shapes.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from PIL import Image, ImageDraw, ImageFont

from qipai.envs.render import FEW, latin
from qipai.envs.scene import BACK, JOKERS, Deck, Place, Scene, Zone, card

Colour = tuple[int, ...]
Point = tuple[float, float]

WIDTH, HEIGHT, TALL = 900, 630, 900  # tall for boards and tiles
SMOOTH = 2
HEAD, FOOT = 38, 32  # the lines of text above and below the table
MARGIN = 12
PLATE, CHIP, LABEL = 44, 24, 18  # heights
GAP = 16  # between zones
LONG = 6  # a zone of more items has a line of its own

INK, RED, GOLD = (34, 38, 44), (196, 32, 40), (244, 200, 92)
PAPER, IVORY, WOOD, GRAIN = (252, 251, 247), (250, 243, 222), (226, 184, 122), (132, 90, 50)
FAINT = (232, 219, 194)
CREAM, MIST = (240, 236, 222), (178, 196, 186)
FELT = ((16, 66, 48), (38, 122, 84), (54, 134, 98))  # at the edge, in the middle, words on it
NIGHT, SHADE = (18, 24, 22), (12, 20, 17, 170)
SEATS = (
    (92, 148, 214),
    (220, 120, 92),
    (122, 182, 96),
    (178, 124, 206),
    (216, 168, 70),
    (86, 184, 178),
)

ASPECT: dict[Deck, float] = {"suited": 1.4, "ranks": 1.4, "tiles": 1.32, "pieces": 1.0}
STIFF = ("tiles", "pieces")  # these never lie one over the other
STEPS = (
    1.07,
    0.8,
    0.62,
    0.5,
    0.41,
)  # from one card to the next, in widths; the last shows the corner
FAN = 0.24  # the same for many cards face down
OWN, OTHERS, MIDDLE, BOARD = 74, 56, 60, 96  # widths of the largest items


def draw(scene: Scene, width: int) -> np.ndarray:
    """The picture, uint8 ``(height, width, 3)``; ValueError for a width below 300."""
    if width < 300:
        raise ValueError(f"width={width}: a picture is at least 300 pixels wide")
    wide = scene.deck != "tiles" and not any(zone.columns for zone in scene.zones)
    height = HEIGHT if wide else TALL
    canvas = Canvas(WIDTH, height, width * SMOOTH / WIDTH, "RGB")
    draw_table(canvas, scene, height)
    draw_seats(canvas, scene, height)
    size = (width, round(height * width / WIDTH))
    return np.array(canvas.image.resize(size, Image.Resampling.LANCZOS))


class Canvas:
    """An image drawn on in units. On ``mode`` RGB see-through colours mix, RGBA starts clear."""

    def __init__(self, width: float, height: float, scale: float, mode: str = "RGBA") -> None:
        self.scale = scale
        size = (max(1, round(width * scale)), max(1, round(height * scale)))
        self.image = Image.new(mode, size)
        self._draw = ImageDraw.Draw(self.image, "RGBA")

    def box(
        self,
        x: float,
        y: float,
        w: float,
        h: float,
        fill: Colour | None,
        radius: float = 0,
        line: Colour | None = None,
        thick: float = 1,
    ) -> None:
        """A rectangle with round corners."""
        s = self.scale
        corners = (x * s, y * s, (x + w) * s - 1, (y + h) * s - 1)
        self._draw.rounded_rectangle(corners, radius * s, fill, line, max(1, round(thick * s)))

    def disc(
        self,
        x: float,
        y: float,
        r: float,
        fill: Colour,
        line: Colour | None = None,
        thick: float = 1,
    ) -> None:
        """A disc around a point."""
        s = self.scale
        corners = ((x - r) * s, (y - r) * s, (x + r) * s, (y + r) * s)
        self._draw.ellipse(corners, fill, line, max(1, round(thick * s)))

    def shape(self, points: Sequence[Point], fill: Colour) -> None:
        """A filled polygon."""
        self._draw.polygon([(x * self.scale, y * self.scale) for x, y in points], fill)

    def line(self, points: Sequence[Point], fill: Colour, thick: float) -> None:
        """A line through points."""
        scaled = [(x * self.scale, y * self.scale) for x, y in points]
        self._draw.line(scaled, fill, max(1, round(thick * self.scale)))

    def words(
        self,
        x: float,
        y: float,
        text: str,
        size: float,
        fill: Colour,
        anchor: str = "lm",
        bold: bool = False,
    ) -> None:
        """A line of text; ``anchor`` as in Pillow: l, m, r and m for its middle height."""
        stroke = size * self.scale * 0.022 if bold else 0
        self._draw.text(
            (x * self.scale, y * self.scale),
            text,
            fill,
            font(size * self.scale),
            anchor,
            stroke_width=stroke,
        )

    def paste(self, image: Image.Image, x: float, y: float) -> None:
        """Another image with its top left corner at a point."""
        corner = (round(x * self.scale), round(y * self.scale))
        self.image.paste(image, corner, image if image.mode == "RGBA" else None)


@functools.lru_cache(maxsize=256)
def font(size: float) -> ImageFont.FreeTypeFont:
    return ImageFont.load_default(size)  # type: ignore[return-value]


def length(text: str, size: float) -> float:
    """Width of a line of text."""
    return font(size).getlength(text)


def shorten(text: str, size: float, room: float) -> str:
    """As much of a text as there is room for."""
    if length(text, size) <= room:
        return text
    while text and length(text + "…", size) > room:
        text = text[:-1]
    return text + "…"


def coins(amount: int) -> str:
    """An amount in few characters: ``12,500``, ``3.25M``."""
    for unit, letter in ((10**12, "T"), (10**9, "G"), (10**6, "M")):
        if abs(amount) >= unit:
            return f"{amount / unit:.4g}{letter}"
    return f"{amount:,}"


# --- Cards, tiles and pieces -------------------------------------------------------------------


@functools.lru_cache(maxsize=256)
def item_image(item: str, deck: Deck, width: float, scale: float, flat: bool) -> Image.Image:
    """One item lying on the table, ``width`` units wide; ``flat`` as in ``draw_card``."""
    canvas = Canvas(width, width * ASPECT[deck], scale)
    if item == "":
        draw_gap(canvas, width, deck)
    elif deck == "pieces":
        draw_piece(canvas, item, width)
    elif item == BACK:
        draw_back(canvas, width, deck)
    else:
        known = card(item, deck)
        if known:
            draw_card(canvas, known[0], known[1], width, flat)
        else:
            draw_tile(canvas, item, width, deck)
    return canvas.image


def draw_gap(canvas: Canvas, w: float, deck: Deck) -> None:
    canvas.box(0, 0, w, w * ASPECT[deck], (0, 0, 0, 38), w * 0.1, (255, 255, 255, 70))


def sheet(canvas: Canvas, w: float, fill: Colour, deck: Deck = "suited") -> None:
    """The body of a card with a thin edge."""
    canvas.box(0, 0, w, w * ASPECT[deck], fill, w * 0.1, (70, 78, 74), 0.8)


def draw_card(canvas: Canvas, suit: str, rank: str, w: float, flat: bool) -> None:
    """A face: rank and suit in the corner, with ``flat`` side by side, and the suit in large."""
    sheet(canvas, w, PAPER)
    if rank in JOKERS:
        draw_joker(canvas, w, RED if rank == "BJ" else INK)
    elif suit:
        colour = RED if suit in ("H", "D") else INK
        size = w * (0.34 if rank == "10" else 0.42)
        canvas.words(w * 0.215, w * 0.24, rank, size, colour, "mm", bold=True)
        x, y = (w * 0.57, w * 0.22) if flat else (w * 0.215, w * 0.59)
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


def draw_back(canvas: Canvas, w: float, deck: Deck) -> None:
    """A card face down: a lattice in a frame; a tile face down is plain."""
    h = w * ASPECT[deck]
    if deck == "tiles":
        sheet(canvas, w, (52, 132, 96), deck)
        canvas.box(w * 0.08, w * 0.08, w * 0.84, h - w * 0.16, (64, 150, 110), w * 0.07)
        return
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


def draw_tile(canvas: Canvas, name: str, w: float, deck: Deck) -> None:
    """Anything without a face of its own: its name on a plain tile."""
    h = w * ASPECT[deck]
    sheet(canvas, w, (196, 180, 140), deck)
    canvas.box(w * 0.03, w * 0.03, w * 0.94, h - w * 0.13, IVORY, w * 0.09)
    text = latin(name) or "?"
    size = min(w * 0.46, w * 0.8 * w / max(1.0, length(text, w)))
    canvas.words(w / 2, h / 2 - w * 0.04, text, size, INK, "mm", bold=True)


def draw_piece(canvas: Canvas, name: str, w: float) -> None:
    """A round piece; letters as in FEN: capitals are red."""
    text = "" if name == BACK else latin(name)
    colour = RED if text.isupper() else INK
    canvas.disc(w / 2, w * 0.52, w * 0.46, (120, 78, 40))
    canvas.disc(w / 2, w / 2, w * 0.46, (244, 218, 168))
    canvas.disc(w / 2, w / 2, w * 0.385, (244, 218, 168), colour, w * 0.025)
    size = min(w * 0.5, w * 0.6 * w / max(1.0, length(text, w)))
    canvas.words(w / 2, w / 2, text.upper(), size, colour, "mm", bold=True)


# --- Zones -------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Block:
    """A zone laid out: items of one width in rows, below a label."""

    zone: Zone
    deck: Deck
    item: float  # width of an item
    across: float  # from one item to the next
    down: float  # from one row to the next
    columns: int

    @property
    def label(self) -> str:
        zone = self.zone
        count = sum(item != "" for item in zone.items)
        counted = f"({count})" if count > 1 and not zone.columns else ""
        return latin(f"{zone.name} {counted} {zone.note}")

    @property
    def rows(self) -> int:
        return math.ceil(len(self.zone.items) / self.columns)

    @property
    def edge(self) -> float:
        """Width of the wood around a board."""
        return self.item * 0.12 if self.zone.columns and self.deck in STIFF else 0

    @property
    def items_width(self) -> float:
        return self.item + (self.columns - 1) * self.across if self.rows else 0

    @property
    def items_height(self) -> float:
        return self.item * ASPECT[self.deck] + (self.rows - 1) * self.down if self.rows else 0

    @property
    def width(self) -> float:
        return max(self.items_width + 2 * self.edge, length(self.label, 13))

    @property
    def height(self) -> float:
        return LABEL + self.items_height + 2 * self.edge

    def draw(self, canvas: Canvas, x: float, y: float) -> None:
        """Draw it with its top left corner at a point."""
        canvas.words(x + self.width / 2, y + LABEL / 2 - 1, self.label, 13, MIST, "mm")
        left = x + (self.width - self.items_width) / 2
        top = y + LABEL + self.edge
        if self.edge:
            draw_board(canvas, self, left, top)
        flat = self.zone.columns > 0
        for i, item in enumerate(self.zone.items):
            row, column = divmod(i, self.columns)
            if item or not self.zone.columns:
                image = item_image(item, self.deck, self.item, canvas.scale, flat)
                canvas.paste(image, left + column * self.across, top + row * self.down)


def draw_board(canvas: Canvas, block: Block, x: float, y: float) -> None:
    """A wooden board with a line through every row and column of places."""
    edge, w, h = block.edge, block.items_width, block.items_height
    canvas.box(x - edge, y - edge + 3, w + 2 * edge, h + 2 * edge, (0, 0, 0, 90), 8)
    canvas.box(x - edge, y - edge, w + 2 * edge, h + 2 * edge, WOOD, 8, GRAIN, 2)
    left, right = x + block.item / 2, x + w - block.item / 2
    inset = block.item * ASPECT[block.deck] / 2
    for row in range(block.rows):
        at = y + inset + row * block.down
        canvas.line([(left, at), (right, at)], GRAIN, 1.2)
    for column in range(block.columns):
        at = left + column * block.across
        canvas.line([(at, y + inset), (at, y + h - inset)], GRAIN, 1.2)


def lay_out(zone: Zone, deck: Deck, item: float, step: float, room: float) -> Block:
    """A zone with items of this width in a room of that width; ``step`` is one of ``STEPS``."""
    loose = item * (1.0 if deck == "pieces" else STEPS[0])
    height = item * ASPECT[deck]
    if zone.columns:
        down = height + loose - item if deck in STIFF else step * item
        return Block(zone, deck, item, loose, down, zone.columns)
    count = max(1, len(zone.items))
    across, down = item * step, height * 0.6
    if deck in STIFF or "" in zone.items:
        across, down = loose, height + loose - item
    elif count > FEW and set(zone.items) == {BACK}:
        across = item * min(step, FAN)
    rows = math.ceil(count / max(1, int((room - item) / across) + 1))
    return Block(zone, deck, item, across, down, math.ceil(count / rows))


def in_lines(blocks: Sequence[Block], room: float) -> list[list[Block]]:
    """Blocks side by side, as many to a line as there is room for; long ones are alone."""
    lines: list[list[Block]] = []
    for block in blocks:
        alone = max(len(block.zone.items), len(lines[-1][-1].zone.items) if lines else 0) > LONG
        used = sum(b.width + GAP for b in lines[-1]) if lines else room
        if alone or used + block.width > room:
            lines.append([block])
        else:
            lines[-1].append(block)
    return lines


def line_height(line: Sequence[Block]) -> float:
    return max(block.height for block in line)


def total_height(lines: Sequence[Sequence[Block]]) -> float:
    return sum(line_height(line) + 6 for line in lines)


def fit(
    zones: Sequence[Zone], deck: Deck, room: float, height: float, largest: int
) -> list[list[Block]]:
    """Zones in lines with the largest items that fit a box, overlapping no more than needed."""
    lines: list[list[Block]] = []
    for item in range(largest, 15, -2):
        choices = [
            in_lines([lay_out(zone, deck, item, step, room) for zone in zones], room)
            for step in STEPS
        ]
        lines = min(choices, key=total_height)
        widest = max((block.width for line in lines for block in line), default=0)
        if total_height(lines) <= height and widest <= room:
            break
    return [[loosest(line[0], room)] if len(line) == 1 else line for line in lines]


def loosest(block: Block, room: float) -> Block:
    """A block with its items as far apart as they can be in no more rows."""
    choices = [lay_out(block.zone, block.deck, block.item, step, room) for step in STEPS]
    return next((loose for loose in choices if loose.height <= block.height), block)


def draw_lines(canvas: Canvas, lines: Sequence[Sequence[Block]], middle: float, top: float) -> None:
    """Lines of blocks below each other, each centred."""
    y = top
    for line in lines:
        x = middle - (sum(block.width + GAP for block in line) - GAP) / 2
        for block in line:
            block.draw(canvas, x, y + line_height(line) - block.height)
            x += block.width + GAP
        y += line_height(line) + 6


# --- The table ---------------------------------------------------------------------------------


@functools.lru_cache(maxsize=8)
def table_image(height: int, scale: float) -> Image.Image:
    """The empty table."""
    canvas = Canvas(WIDTH, height, scale, "RGB")
    canvas.box(0, 0, WIDTH, height, NIGHT)
    x, y, w, h = MARGIN, HEAD, WIDTH - 2 * MARGIN, height - HEAD - FOOT
    canvas.box(x, y, w, h, (84, 52, 30), 70)
    canvas.box(x + 3, y + 3, w - 6, h - 6, (128, 82, 46), 67)
    canvas.box(x + 9, y + 9, w - 18, h - 18, (60, 38, 22), 61)
    size = canvas.image.size
    dark, bright = (Image.new("RGB", size, colour) for colour in FELT[:2])
    felt = Image.composite(dark, bright, Image.radial_gradient("L").resize(size))
    inside = Canvas(WIDTH, height, scale)
    inside.box(x + 11, y + 11, w - 22, h - 22, (255, 255, 255, 255), 59)
    canvas.image.paste(felt, (0, 0), inside.image.getchannel("A"))
    return canvas.image


def draw_table(canvas: Canvas, scene: Scene, height: int) -> None:
    """The table itself, the title and the facts above it, the last moves below."""
    canvas.paste(table_image(height, canvas.scale), 0, 0)
    title = shorten(latin(scene.title), 19, 320)
    canvas.words(MARGIN + 8, HEAD / 2, title, 19, CREAM, bold=True)
    seen = "all seats shown" if scene.seat is None else f"as seat {scene.seat} sees it"
    x = MARGIN + 22 + length(title, 19)
    canvas.words(x, HEAD / 2 + 1, seen, 13, MIST)
    draw_facts(canvas, scene, WIDTH - MARGIN - 8 - x - length(seen, 13) - 14)
    draw_moves(canvas, scene.moves, height - FOOT / 2)


def draw_facts(canvas: Canvas, scene: Scene, room: float) -> None:
    """The facts from the first on, as many as there is room for, up to the right edge."""
    over = "match over"
    words = [latin(fact) for fact in ((over, *scene.facts) if scene.over else scene.facts)]
    widths = [length(word, 14) + 18 for word in words]
    while widths and sum(widths) + 6 * len(widths) > room:
        widths.pop()
    x = WIDTH - MARGIN - 8 - sum(widths) - 6 * (len(widths) - 1)
    for word, wide in zip(words, widths, strict=False):
        canvas.box(x, HEAD / 2 - 12, wide, 24, (44, 56, 51), 12)
        canvas.words(x + wide / 2, HEAD / 2, word, 14, GOLD if word == over else CREAM, "mm")
        x += wide + 6


def draw_moves(canvas: Canvas, moves: Sequence[str], y: float) -> None:
    """The last moves from left to right, as many as fit."""
    size, gap = 14, 22.0
    words = [latin(move) for move in moves]
    room = WIDTH - 2 * MARGIN - 16
    while len(words) > 1 and sum(length(word, size) + gap for word in words) > room:
        words.pop(0)
    x = MARGIN + 8.0
    for i, word in enumerate(words):
        last = i == len(words) - 1
        canvas.words(x, y, shorten(word, size, room), size, GOLD if last else MIST, bold=last)
        x += length(word, size) + gap


def draw_seats(canvas: Canvas, scene: Scene, height: int) -> None:
    """Own seat at the bottom, the others clockwise, and what lies in the middle."""
    places = around(scene)
    floor = float(height - FOOT - MARGIN)
    top = floor
    if places:
        top = draw_own(canvas, scene, places[0], floor, (height - HEAD - FOOT) * 0.42)
    left, right, ceiling = draw_others(canvas, scene, places[1:], top)
    zones = [zone for zone in scene.zones if zone.owner is None]
    largest = BOARD if any(zone.columns for zone in zones) else MIDDLE
    room = top - ceiling - 16
    if not zones:
        name = shorten(latin(scene.title), 40, right - left - 40)
        canvas.words((left + right) / 2, (top + ceiling) / 2, name, 40, FELT[2], "mm")
    lines = fit(zones, scene.deck, right - left, room, largest)
    above = max(0.0, (room - total_height(lines)) / 2)
    draw_lines(canvas, lines, (left + right) / 2, ceiling + 8 + above)


def around(scene: Scene) -> list[Place]:
    """Seats in playing order from the one at the bottom: the seat that looks, or the first."""
    places = list(scene.places)
    first = next((i for i, place in enumerate(places) if place.seat == scene.seat), 0)
    return places[first:] + places[:first]


def owned(scene: Scene, place: Place) -> list[Zone]:
    return [zone for zone in scene.zones if zone.owner == place.seat]


def draw_own(canvas: Canvas, scene: Scene, place: Place, floor: float, height: float) -> float:
    """The seat at the bottom; returns where it ends above."""
    y = floor - PLATE - 2
    room = WIDTH - 2 * MARGIN - 40
    wide = 220.0
    draw_plate(canvas, scene, place, WIDTH / 2 - wide / 2, y, wide)
    draw_chips(canvas, place, WIDTH / 2 + wide / 2 + 10, y + (PLATE - CHIP) / 2, 200)
    lines = fit(owned(scene, place), scene.deck, room, height, OWN)[::-1]
    top = y - total_height(lines) - 2
    draw_lines(canvas, lines, WIDTH / 2, top)
    return top


def draw_others(
    canvas: Canvas, scene: Scene, places: Sequence[Place], floor: float
) -> tuple[float, float, float]:
    """The other seats, from the left over the top to the right.

    Returns what is free in the middle: left, right and upper end.
    """
    edge = MARGIN + 16.0
    free = (edge, WIDTH - edge, HEAD + 14.0)
    if not places:
        return free
    count = len(places)
    wide = min(400.0 if count == 1 else 300.0, (WIDTH - 2 * edge - 8.0 * (count - 1)) / count)
    left, right, ceiling = free
    for i, place in enumerate(places):
        side = count > 1 and i in (0, count - 1)
        x = (
            WIDTH / 2 - wide / 2
            if count == 1
            else edge + i * (WIDTH - 2 * edge - wide) / (count - 1)
        )
        y = HEAD + (14.0 if not side else 30.0 if count == 2 else 74.0)
        height = (floor - y) * (0.95 if side else 0.6)
        end = draw_other(canvas, scene, place, x, y, wide, height)
        if not side:
            ceiling = max(ceiling, end)
        elif i == 0:
            left = x + wide + 10
        else:
            right = x - 10
    return left, right, ceiling


def draw_other(
    canvas: Canvas, scene: Scene, place: Place, x: float, y: float, wide: float, height: float
) -> float:
    """One of the other seats in its box; returns where it ends below."""
    plate = min(wide, 220.0)
    draw_plate(canvas, scene, place, x + (wide - plate) / 2, y, plate)
    top = y + PLATE + 4
    if any(other.bet or other.note for other in scene.places):
        draw_chips(canvas, place, x + wide / 2, top, wide, centred=True)
        top += CHIP + 2
    lines = fit(owned(scene, place), scene.deck, wide, y + height - top, OTHERS)
    draw_lines(canvas, lines, x + wide / 2, top)
    return top + total_height(lines)


def draw_plate(canvas: Canvas, scene: Scene, place: Place, x: float, y: float, wide: float) -> None:
    """Who sits here: number, role and coins; golden when it is to act."""
    acts = place.seat == scene.turn and not scene.over
    if acts:
        for reach in (7, 5, 3):
            canvas.box(
                x - reach, y - reach, wide + 2 * reach, PLATE + 2 * reach, (255, 206, 84, 46), 25
            )
    canvas.box(x, y, wide, PLATE, (14, 22, 19, 235), PLATE / 2, GOLD if acts else (70, 92, 82), 2)
    r = PLATE / 2
    canvas.disc(x + r, y + r, r - 5, SEATS[place.seat % len(SEATS)])
    canvas.words(x + r, y + r, str(place.seat), 20, PAPER, "mm", bold=True)
    room = wide - PLATE - 18
    own = "you" if place.seat == scene.seat else f"seat {place.seat}"
    role = latin(place.role) or own
    name = f"{role} (you)" if place.seat == scene.seat and role != own else role
    canvas.words(x + PLATE + 2, y + 14, shorten(name, 16, room), 16, CREAM)
    draw_coin(canvas, x + PLATE + 8, y + 31, 6)
    canvas.words(x + PLATE + 19, y + 31, coins(place.stack), 14, GOLD)
    if acts:
        tip = x + wide - 16
        canvas.shape([(tip - 9, y + r - 7), (tip - 9, y + r + 7), (tip + 2, y + r)], GOLD)


def draw_chips(
    canvas: Canvas, place: Place, x: float, y: float, wide: float, centred: bool = False
) -> None:
    """What a seat has bet and last did, from ``x`` on or around it."""
    bet = coins(place.bet) if place.bet else ""
    bet_wide = length(bet, 14) + 32 if bet else 0
    note = shorten(latin(place.note), 13, wide - bet_wide - 28)
    note_wide = length(note, 13) + 20 if note else 0
    if centred:
        x -= (bet_wide + note_wide + 6 * bool(bet and note)) / 2
    if bet:
        canvas.box(x, y, bet_wide, CHIP - 2, SHADE, 11, (244, 200, 92, 160))
        draw_coin(canvas, x + 12, y + 11, 7)
        canvas.words(x + 24, y + 11, bet, 14, GOLD, bold=True)
        x += bet_wide + 6
    if note:
        canvas.box(x, y, note_wide, CHIP - 2, (238, 234, 220, 235), 11)
        canvas.words(x + note_wide / 2, y + 11, note, 13, INK, "mm")


def draw_coin(canvas: Canvas, x: float, y: float, r: float) -> None:
    """A round coin with a square hole."""
    canvas.disc(x, y, r, (226, 170, 62), (134, 92, 26), 1)
    canvas.box(x - r * 0.3, y - r * 0.3, r * 0.6, r * 0.6, (96, 62, 18))
