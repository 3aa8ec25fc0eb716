"""Drawing a ``Scene``: as text with nothing but Python, as a picture with Pillow, in a window."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import groupby
from typing import TYPE_CHECKING, Any

from qipai.envs.scene import BACK, SUITS, Place, Scene, Zone, card
from qipai.envs.titles import title

if TYPE_CHECKING:
    import numpy as np

MODES = ("ansi", "rgb_array", "human")
WIDTH = 80  # columns of the text; only a wide board goes beyond
FEW = 5  # so many cards face down are drawn one by one

_PLAIN = {"▶": ">", "─": "-", "·": ".", "×": "x", "…": "~", "–": "-", "—": "-"}
_PLAIN |= {glyph: letter for letter, glyph in SUITS.items()}
_ASCII = str.maketrans(_PLAIN)


def prepare(mode: str | None) -> None:
    """Make sure that scenes can be drawn in this ``render_mode``, before anything is begun.

    ValueError if there is none such, ImportError without Pillow, RuntimeError where ``"human"``
    finds no tkinter or no display.
    """
    if mode is not None and not (isinstance(mode, str) and mode in MODES):
        raise ValueError(f"render_mode={mode!r}: one of {', '.join(MODES)}, or None")
    if mode in ("rgb_array", "human"):
        _painter()
    if mode == "human":
        _open_window()


def draw(scene: Scene, mode: str | None) -> str | np.ndarray | None:
    """The table in a ``render_mode``: its text, its picture, or None once it is in the window.

    ValueError if there is no such mode.
    """
    if mode == "ansi":
        return text(scene)
    if mode == "rgb_array":
        return picture(scene)
    if mode == "human":
        show(scene)
        return None
    raise ValueError(f"make the environment with render_mode={' or '.join(MODES)}")


def text(scene: Scene, ascii: bool = False) -> str:
    """The table as text, at most 80 columns wide; with ``ascii`` in ASCII characters only."""
    heading = latin(scene.title) if ascii else scene.title
    facts = (*scene.facts, "match over") if scene.over else scene.facts
    rule = "─" * WIDTH
    lead = max((_columns(_label(zone)) for zone in scene.zones), default=0) + 4
    lines = [*_wrap(heading + "  ", facts, " | "), rule]
    seats = _table([_cells(place, scene, ascii) for place in scene.places])
    for place, line in zip(scene.places, seats, strict=True):
        mark = "▶ " if place.seat == scene.turn else "  "
        lines.append((mark + line).rstrip())
        lines += _zones(scene, place.seat, lead)
    middle = _zones(scene, None, lead)
    if middle:
        lines += [rule, *middle]
    if scene.moves:
        lines += [rule, *_wrap("  last moves  ", scene.moves, "  ")]
    drawn = "\n".join(lines)
    if not ascii:
        return drawn
    return drawn.replace("▒▒", "[]").translate(_ASCII).encode("ascii", "replace").decode()


def picture(scene: Scene, width: int = 900) -> np.ndarray:
    """The table as an image, uint8 ``(height, width, 3)`` in RGB.

    The height is 0.7 of the width; with a board, tiles or a cloth it is the same. ImportError
    without Pillow, ValueError for a width below 300 pixels.
    """
    return _painter()(scene, width)


def show(scene: Scene) -> None:
    """Show the table in a window, the same one every time.

    RuntimeError where there is no tkinter or no display, ImportError without Pillow.
    """
    frame = picture(scene)
    _open_window().show(frame, scene.title)


def close() -> None:
    """Close the window, if there is one."""
    if _window is not None and _window.open:
        _window.close()


def latin(text: str) -> str:
    """Text without the words that are not written in ASCII characters."""
    words = text.translate(_ASCII).split()
    return " ".join(word for word in words if word.isascii())


class Window:
    """One window with one image in it."""

    def __init__(self) -> None:
        """RuntimeError where there is no tkinter or no display."""
        instead = 'use render_mode="ansi" or "rgb_array" instead'
        try:
            import tkinter

            from PIL import ImageTk
        except ImportError as error:
            raise RuntimeError(f"a window needs tkinter ({error}); {instead}") from error
        try:
            self._root = tkinter.Tk()
        except tkinter.TclError as error:
            raise RuntimeError(f"no display to open a window on ({error}); {instead}") from error
        self._photo = ImageTk.PhotoImage
        self._label = tkinter.Label(self._root, borderwidth=0)
        self._label.pack()
        self.open = True
        self._root.protocol("WM_DELETE_WINDOW", self.close)

    def show(self, frame: np.ndarray, title: str) -> None:
        """Put an image into the window, uint8 ``(height, width, 3)``."""
        from PIL import Image

        photo: Any = self._photo(Image.fromarray(frame), master=self._root)
        self._root.title(title)
        self._label.configure(image=photo)
        self._shown = photo  # tkinter keeps no reference of its own
        self._root.update()

    def close(self) -> None:
        """Close the window; the next scene shown opens a new one."""
        self.open = False
        self._root.destroy()


_window: Window | None = None


def _open_window() -> Window:
    """The window, opened if it is not."""
    global _window
    if _window is None or not _window.open:
        _window = Window()
    return _window


def _painter() -> Callable[[Scene, int], np.ndarray]:
    """What draws pictures, imported when it is first asked for."""
    try:
        from qipai.envs.drawing.picture import draw as painter
    except ImportError as error:
        raise ImportError(
            f'a picture needs Pillow: pip install "qipai[render]" ({error}); '
            'render_mode="ansi" needs nothing'
        ) from error
    return painter


def _cells(place: Place, scene: Scene, ascii: bool) -> list[str]:
    """What the line of a seat says, in columns."""
    you = " (you)" if place.seat == scene.seat else ""
    bet = f"bet {place.bet:,}" if place.bet else ""
    rank = title(place.stack)
    called = rank.english if ascii else rank.chinese
    stack = f"{place.stack:,} coins, {called}"
    return [f"seat {place.seat}{you}", place.role, stack, bet, place.note]


def _table(rows: Sequence[Sequence[str]]) -> list[str]:
    """Rows of cells as lines with aligned columns; empty columns are left out."""
    widths = [max(map(_columns, column)) for column in zip(*rows, strict=True)]
    return [
        "  ".join(_pad(cell, w) for cell, w in zip(row, widths, strict=True) if w) for row in rows
    ]


def _zones(scene: Scene, owner: int | None, lead: int) -> list[str]:
    lines = []
    for zone in scene.zones:
        if zone.owner == owner:
            lines += _zone(zone, scene, lead)
    return lines


def _zone(zone: Zone, scene: Scene, lead: int) -> list[str]:
    label = "    " + _label(zone)
    if zone.columns > 1:
        return [f"{label}  {zone.note}".rstrip(), *_board(zone, scene)]
    items = list(_row(zone, scene)) or ["" if zone.note else "–"]
    return _wrap(_pad(label, lead + 2), [*items, f" {zone.note}"] if zone.note else items, " ")


def _label(zone: Zone) -> str:
    count = sum(item != "" for item in zone.items)
    return f"{zone.name} ({count})" if count > 1 and zone.columns <= 1 else zone.name


def _row(zone: Zone, scene: Scene) -> Iterator[str]:
    """Items as text, marked ones in parentheses; many face down in a row are counted."""
    marks = (i in zone.marked for i in range(len(zone.items)))
    for (item, marked), group in groupby(zip(zone.items, marks, strict=True)):
        count, glyph = len(list(group)), _glyph(item, zone, scene)
        if item == BACK and count > FEW:
            yield f"{glyph} ×{count}"
        else:
            yield from [f"({glyph})" if marked else glyph] * count


def _board(zone: Zone, scene: Scene) -> Iterator[str]:
    """Rows of items with marked ones in parentheses, the letters of the edges above and before."""
    glyphs = [_glyph(item, zone, scene) for item in zone.items]
    above, before = zone.edges
    width = max(map(_columns, [*glyphs, *above]), default=0)
    if above:
        yield "      " + " ".join(_pad(letter, width) for letter in above).rstrip()
    for start in range(0, len(glyphs), zone.columns):
        row = glyphs[start : start + zone.columns]
        marks = [False, *(start + i in zone.marked for i in range(len(row))), False]
        line = f"    {before[start // zone.columns :][:1] or ' '}"
        for glyph, last, this in zip([*row, ""], marks, marks[1:], strict=False):
            line += ("(" if this > last else ")" if this < last else " ") + _pad(glyph, width)
        yield line.rstrip()


def _glyph(item: str, zone: Zone, scene: Scene) -> str:
    """One item as text."""
    if item == BACK:
        return "▒▒"
    if item == "":
        return "·"
    known = card(item, zone.deck or scene.deck)
    return SUITS[known[0]] + known[1] if known and known[0] else item


def _columns(text: str) -> int:
    """Columns in a terminal: Chinese characters take two."""
    return sum(1 + (unicodedata.east_asian_width(letter) in "WF") for letter in text)


def _pad(text: str, width: int) -> str:
    return text + " " * (width - _columns(text))


def _wrap(lead: str, parts: Iterable[str], gap: str) -> list[str]:
    """Parts after a lead, in lines of at most ``WIDTH`` columns that start below the first part."""
    indent = _columns(lead)
    lines: list[list[str]] = [[]]
    room = WIDTH - indent
    for part in parts:
        if lines[-1] and _columns(gap.join([*lines[-1], part])) > room:
            lines.append([])
        lines[-1].append(part)
    starts = [lead] + [" " * indent] * (len(lines) - 1)
    return [(s + gap.join(line)).rstrip() for s, line in zip(starts, lines, strict=True)]
