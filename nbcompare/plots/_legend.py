"""The caption above a drawing and the legend below it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from matplotlib.artist import Artist

from nbcompare.plots._plot import Canvas, text_width

# All lengths in inches, all font sizes in points.
SMALL_SIZE = 8.5
LINE = 0.165
_CAPTION_LINE = 0.175
_SYMBOL = 0.34  # room for a symbol
_APART = 0.18  # between entries


@dataclass(frozen=True, slots=True)
class Entry:
    """What a symbol means; ``draw`` draws it around a point, at most 0.24 wide, 0.14 high."""

    text: str
    draw: Callable[[Canvas, float, float], Sequence[Artist]]

    @property
    def width(self) -> float:
        """Of the symbol, its text, and the space after it."""
        return _SYMBOL + text_width(self.text, SMALL_SIZE) + _APART

    @property
    def height(self) -> float:
        """Of its text, which may be wrapped."""
        return LINE * (self.text.count("\n") + 1)


def flow(widths: Sequence[float], room: float) -> list[range]:
    """Entries on as few lines as hold them, in order."""
    starts, used = [0], 0.0
    for entry, width in enumerate(widths):
        if used + width > room and entry > starts[-1]:
            starts.append(entry)
            used = 0.0
        used += width
    return [range(a, b) for a, b in zip(starts, [*starts[1:], len(widths)], strict=True)]


class Legend:
    """Entries on lines that are as wide as the drawing."""

    def __init__(self, entries: Sequence[Entry]) -> None:
        self.entries = entries

    @property
    def least_width(self) -> float:
        """Of the widest entry."""
        return max((entry.width - _APART for entry in self.entries), default=0.0)

    def _lines(self, room: float) -> list[tuple[range, float]]:
        if not self.entries:
            return []
        # the space after the last entry of a line may stand out
        lines = flow([entry.width for entry in self.entries], room + _APART)
        return [(line, max(self.entries[i].height for i in line) + 0.03) for line in lines]

    def height(self, room: float) -> float:
        """Of all lines, where they may be so wide."""
        return sum(height for _, height in self._lines(room))

    def draw(self, canvas: Canvas, left: float, top: float, room: float) -> tuple[Artist, ...]:
        """Draw the lines from a corner to the right and downwards."""
        artists: list[Artist] = []
        for line, height in self._lines(room):
            x = left
            for entry in (self.entries[i] for i in line):
                y = top + height / 2
                artists += entry.draw(canvas, x + 0.12, y)
                artists.append(
                    canvas.text(x + _SYMBOL - 0.06, y, entry.text, SMALL_SIZE, ha="left")
                )
                x += entry.width
            top += height
        return tuple(artists)


def caption_width(lines: Sequence[str]) -> float:
    """Of the longest line."""
    return max((text_width(line, SMALL_SIZE) for line in lines), default=0.0)


def caption_height(lines: Sequence[str]) -> float:
    """Of all lines."""
    return _CAPTION_LINE * len(lines)


def draw_caption(canvas: Canvas, lines: Sequence[str], middle: float, top: float) -> Artist:
    """Write the lines, centred, from a height downwards."""
    y = top + caption_height(lines) / 2
    return canvas.text(middle, y, "\n".join(lines), SMALL_SIZE, ha="center", linespacing=1.2)
