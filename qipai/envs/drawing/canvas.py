"""Something to draw on: shapes, text and Chinese characters in units of a picture's size."""

from __future__ import annotations

import functools
from collections.abc import Sequence

from PIL import Image, ImageDraw, ImageFont

from qipai.envs.drawing.glyphs import strokes

Colour = tuple[int, ...]
Point = tuple[float, float]

INK, RED, PAPER = (34, 38, 44), (196, 32, 40), (252, 251, 247)


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
        fill: Colour | None,
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

    def stroke(self, points: Sequence[Point], fill: Colour, thick: float) -> None:
        """A line with round corners and ends."""
        scaled = [(x * self.scale, y * self.scale) for x, y in points]
        self._draw.line(scaled, fill, max(1, round(thick * self.scale)), "curve")
        for x, y in (points[0], points[-1]):
            self.disc(x, y, thick / 2, fill)

    def glyph(self, x: float, y: float, glyph: str, size: float, fill: Colour) -> None:
        """A character of ``glyphs.py`` around a point, the thinner the more strokes it has."""
        drawn = strokes(glyph)
        thick = max(7.5, 10.0 - 0.2 * len(drawn)) * size / 100
        corner_x, corner_y = x - size / 2, y - size / 2
        for stroke in drawn:
            points = [(corner_x + px * size / 100, corner_y + py * size / 100) for px, py in stroke]
            self.stroke(points, fill, thick)

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
    """The font that comes with Pillow, of this size in pixels."""
    return ImageFont.load_default(size)  # type: ignore[return-value]


@functools.lru_cache(maxsize=4096)
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
