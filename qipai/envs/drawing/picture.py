"""A ``Scene`` as a picture, drawn with Pillow (``render.picture`` is how to call it).

Lengths are in units: a picture is 900 of them wide. Everything is drawn at twice the size and
scaled down, which smooths the edges. The built-in font knows ASCII alone, so that suits and
Chinese characters are shapes, and other Chinese words are left out.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from PIL import Image

from qipai.envs.drawing.canvas import INK, PAPER, Canvas, length, shorten
from qipai.envs.drawing.cloth import draw_cloth
from qipai.envs.drawing.faces import ASPECT, board_image, draw_mark, item_image
from qipai.envs.drawing.render import FEW, latin
from qipai.envs.scene import BACK, Deck, Place, Scene, Zone
from qipai.envs.titles import title

WIDTH, HEIGHT, TALL = 900, 630, 900  # tall for boards, tiles and a cloth
SMOOTH = 2
HEAD, FOOT = 38, 32  # the lines of text above and below the table
MARGIN = 12
PLATE, CHIP, LABEL = 44, 24, 18  # heights
GAP = 16  # between zones
EDGE = 14  # for the letters of a board
LONG = 6  # a zone of more items has a line of its own

GOLD, CREAM, MIST, BROWN = (244, 200, 92), (240, 236, 222), (178, 196, 186), (92, 60, 30)
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

STIFF = ("tiles", "pieces", "beads")  # these never lie one over the other
SMALL: dict[Deck, float] = {"chips": 0.5, "beads": 0.4}  # widths of these, in those of cards
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
    wide = scene.deck not in ("tiles", "cloth") and not any(z.columns for z in scene.zones)
    height = HEIGHT if wide else TALL
    canvas = Canvas(WIDTH, height, width * SMOOTH / WIDTH, "RGB")
    draw_table(canvas, scene, height)
    draw_seats(canvas, scene, height)
    return np.array(canvas.image.reduce(SMOOTH))


def coins(amount: int) -> str:
    """An amount in few characters: ``12,500``, ``3.25M``."""
    for unit, letter in ((10**12, "T"), (10**9, "G"), (10**6, "M")):
        if abs(amount) >= unit:
            return f"{amount / unit:.4g}{letter}"
    return f"{amount:,}"


# --- Zones -------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Block:
    """A zone laid out: items of one width in rows, below a label."""

    zone: Zone
    deck: Deck
    item_width: float
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
        """Room around the items of a board: its wood and its letters."""
        wood = self.item_width * 0.12 if self.wooden else 0
        return wood + (EDGE if any(self.zone.edges) else 0)

    @property
    def pile(self) -> bool:
        return self.zone.columns == 1

    @property
    def long(self) -> bool:
        return len(self.zone.items) > LONG and not self.pile

    @property
    def wooden(self) -> bool:
        return self.zone.columns > 0 and self.deck in ("tiles", "pieces")

    @property
    def items_width(self) -> float:
        return self.item_width + (self.columns - 1) * self.across if self.rows else 0

    @property
    def items_height(self) -> float:
        return self.item_width * ASPECT[self.deck] + (self.rows - 1) * self.down if self.rows else 0

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
        if self.wooden:
            size = (self.columns, self.rows, self.across, self.down)
            board = board_image(*size, self.edge, canvas.scale)
            canvas.paste(board, left - self.edge, top - self.edge)
        self.draw_edges(canvas, left, top)
        flat = self.zone.columns > 0
        for i, item in enumerate(self.zone.items):
            row, column = divmod(i, self.columns)
            px, py = left + column * self.across, top + row * self.down
            if item or not self.wooden:
                image = item_image(item, self.deck, self.item_width, canvas.scale, flat)
                canvas.paste(image, px, py)
            if i in self.zone.marked:
                draw_mark(canvas, item, self.deck, px, py, self.item_width)

    def draw_edges(self, canvas: Canvas, left: float, top: float) -> None:
        """The letters above the columns and before the rows of a board."""
        above, before = self.zone.edges
        colour = BROWN if self.wooden else MIST
        for column, letter in enumerate(above[: self.columns]):
            x = left + column * self.across + self.item_width / 2
            canvas.words(x, top - self.edge / 2, letter, 13, colour, "mm", bold=True)
        for row, letter in enumerate(before[: self.rows]):
            y = top + row * self.down + min(self.down, self.item_width) / 2
            canvas.words(left - self.edge / 2, y, letter, 13, colour, "mm", bold=True)


def lay_out(zone: Zone, deck: Deck, width: float, step: float, room: float) -> Block:
    """A zone with items of this width in a room of that width; ``step`` is one of ``STEPS``."""
    loose = width * (1.0 if deck in ("pieces", "beads") else STEPS[0])
    height = width * ASPECT[deck]
    if zone.columns == 1 and not zone.items:
        zone = replace(zone, items=("",))
    if zone.columns:
        down = height + loose - width if deck in STIFF else step * width
        return Block(zone, deck, width, loose, down, zone.columns)
    count = max(1, len(zone.items))
    across, down = width * step, height * 0.6
    if deck in STIFF or "" in zone.items:
        across, down = loose, height + loose - width
    elif count > FEW and set(zone.items) == {BACK}:
        across = width * min(step, FAN)
    rows = math.ceil(count / max(1, int((room - width) / across) + 1))
    return Block(zone, deck, width, across, down, math.ceil(count / rows))


def in_lines(blocks: Sequence[Block], room: float) -> list[list[Block]]:
    """Blocks side by side, as many to a line as there is room for.

    Long ones are alone, piles stay together.
    """
    lines: list[list[Block]] = []
    for block in blocks:
        last = lines[-1][-1] if lines else block
        alone = block.long or last.long or block.pile != last.pile
        fits = block.pile or line_width([*lines[-1], block] if lines else [block]) <= room
        if lines and fits and not alone:
            lines[-1].append(block)
        else:
            lines.append([block])
    return lines


def line_width(line: Sequence[Block]) -> float:
    return sum(block.width + GAP for block in line) - GAP


def line_height(line: Sequence[Block]) -> float:
    return max(block.height for block in line)


def total_height(lines: Sequence[Sequence[Block]]) -> float:
    return sum(line_height(line) + 6 for line in lines)


def sized(zone: Zone, deck: Deck, width: float) -> tuple[Deck, float]:
    """How a zone's items are read, and their width beside cards of this width."""
    deck = zone.deck or deck
    return deck, width * SMALL.get(deck, 1)


def fit(
    zones: Sequence[Zone], deck: Deck, room: float, height: float, largest: int
) -> list[list[Block]]:
    """Zones in lines with the largest items that fit a box, overlapping no more than needed."""
    lines: list[list[Block]] = []
    steps = STEPS[:1] if deck in STIFF else STEPS
    for width in range(largest, 15, -2):
        choices = [
            in_lines([lay_out(zone, *sized(zone, deck, width), step, room) for zone in zones], room)
            for step in steps
        ]
        lines = min(choices, key=total_height)
        if total_height(lines) <= height and max(map(line_width, lines), default=0) <= room:
            break
    return [[loosest(line[0], room)] if len(line) == 1 else line for line in lines]


def loosest(block: Block, room: float) -> Block:
    """A block with its items as far apart as they can be in no more rows."""
    choices = [lay_out(block.zone, block.deck, block.item_width, step, room) for step in STEPS]
    return next((loose for loose in choices if loose.height <= block.height), block)


def draw_lines(canvas: Canvas, lines: Sequence[Sequence[Block]], middle: float, top: float) -> None:
    """Lines of blocks below each other, each centred."""
    y = top
    for line in lines:
        x = middle - line_width(line) / 2
        for block in line:
            block.draw(canvas, x, y if block.pile else y + line_height(line) - block.height)
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
    heading = shorten(latin(scene.title), 19, 320)
    canvas.words(MARGIN + 8, HEAD / 2, heading, 19, CREAM, bold=True)
    seen = "all seats shown" if scene.seat is None else f"as seat {scene.seat} sees it"
    x = MARGIN + 22 + length(heading, 19)
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
        alone = len(places) == 1 and all(zone.owner is not None for zone in scene.zones)
        share = 0.88 if alone else 0.42
        top = draw_own(canvas, scene, places[0], floor, (height - HEAD - FOOT) * share)
    left, right, ceiling = draw_others(canvas, scene, places[1:], top)
    if scene.deck == "cloth":
        draw_cloth(canvas, scene, SEATS, ceiling + 8)
        return
    zones = [zone for zone in scene.zones if zone.owner is None]
    largest = BOARD if any(zone.columns for zone in zones) else MIDDLE
    room = top - ceiling - 16
    if not zones and room > 60:
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
    """What lies before a seat; on a cloth nothing does."""
    if scene.deck == "cloth":
        return []
    return [zone for zone in scene.zones if zone.owner == place.seat]


def draw_own(canvas: Canvas, scene: Scene, place: Place, floor: float, height: float) -> float:
    """The seat at the bottom; returns where it ends above."""
    y = floor - PLATE - 2
    room = WIDTH - 2 * MARGIN - 40
    wide = 220.0
    draw_plate(canvas, scene, place, WIDTH / 2 - wide / 2, y, wide)
    draw_chips(canvas, place, WIDTH / 2 + wide / 2 + 10, y + (PLATE - CHIP) / 2, 200)
    lines = fit(owned(scene, place), scene.deck, room, height, OWN)
    if len(scene.places) > 1:
        lines.reverse()  # what comes first, the hand, is nearest to its seat
    top = y - total_height(lines) - 2
    draw_lines(canvas, lines, WIDTH / 2, top)
    return top


def draw_others(
    canvas: Canvas, scene: Scene, places: Sequence[Place], floor: float
) -> tuple[float, float, float]:
    """The other seats, from the left over the top to the right.

    Returns what is free in the middle: left, right and upper end. A board gets all the width below
    them, other things lie between the outer ones.
    """
    edge = MARGIN + 16.0
    free = (edge, WIDTH - edge, HEAD + 14.0)
    if not places:
        return free
    count = len(places)
    middle = any(zone.items for zone in scene.zones if zone.owner is None)
    board = any(zone.columns for zone in scene.zones if zone.owner is None)
    wide = min(400.0 if count == 1 else 300.0, (WIDTH - 2 * edge - 8.0 * (count - 1)) / count)
    left, right, ceiling = free
    for i, place in enumerate(places):
        side = count > 1 and i in (0, count - 1) and scene.deck != "cloth"
        x = (
            WIDTH / 2 - wide / 2
            if count == 1
            else edge + i * (WIDTH - 2 * edge - wide) / (count - 1)
        )
        y = HEAD + (14.0 if not side else 30.0 if count == 2 else 74.0)
        beside = side and not board
        height = (floor - y) * (0.95 if beside else 0.6 if middle else 0.8)
        end = draw_other(canvas, scene, place, x, y, wide, height)
        if not beside:
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
    amount = coins(place.stack)
    canvas.words(x + PLATE + 19, y + 31, amount, 14, GOLD)
    used = 19 + length(amount, 14) + 8
    called = shorten(title(place.stack).english, 12, room - used)
    canvas.words(x + PLATE + used, y + 31, called, 12, (150, 168, 158))
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
