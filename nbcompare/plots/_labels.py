"""Words and numbers that several figures of a comparison share."""

from __future__ import annotations

import math
import textwrap
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from matplotlib.artist import Artist

from nbcompare._display import current
from nbcompare._render import plural
from nbcompare.plots._plot import Canvas, text_width
from nbcompare.results import Comparison
from nbcompare.words import PAIRWISE_TESTS

WRAP = 34  # characters per line of a name


def wrapped(text: str, width: int = WRAP) -> str:
    """A name on lines of at most ``width`` characters."""
    return "\n".join(textwrap.wrap(text, width, break_on_hyphens=False)) or text


def rank_decimals(worst: float) -> int:
    """Decimals of average ranks: fewer the larger they are, for they stand in little space."""
    return 2 if worst < 100 else 1 if worst < 1000 else 0


def basis(comparison: Comparison) -> str:
    """Procedure, level and number of data sets: ``Holm, α = 0.05, 30 data sets``.

    And of which tests, where the average ranks that are drawn are not what was tested.
    """
    tests = PAIRWISE_TESTS[comparison.pairs].plural
    return (
        f"{comparison.procedure}{f' of {tests}' if tests else ''}, α = {comparison.alpha:g}, "
        f"{plural(comparison.design.n_datasets, 'data set')}"
    )


def differing_from(comparison: Comparison, reference: str) -> frozenset[str]:
    """Algorithms in a rejected hypothesis with the reference."""
    tests = comparison.hypotheses
    pairs = zip(tests.first, tests.second, tests.rejected, strict=True)
    return frozenset(
        second if first == reference else first
        for first, second, rejected in pairs
        if rejected and reference in (first, second)
    )


def signed(values: Sequence[float]) -> list[str]:
    """Differences with their sign and, all of them, the same count of decimals.

    Three digits of the largest, unless more are asked for; a sign stays where the digits round
    to 0.

    Examples
    --------
    >>> signed([0.01234, -0.5, 0.0, -0.0001]), signed([2e-7, 0.0]), signed([1234.5])
    (['+0.012', '−0.500', '0', '−0.000'], ['+2.00e-07', '0'], ['+1234'])
    """
    largest = max(map(abs, values), default=0.0)
    digits = math.floor(math.log10(largest)) if largest > 0 else 0
    style = _style(digits, current().digits - 1)
    return [
        format(value, f"+{style}").replace("-", "−", 1 if value < 0 else 0) if value else "0"
        for value in values
    ]


def means(values: Sequence[float]) -> list[str]:
    """Scores with the same count of decimals, four digits of the largest; as many as asked for.

    Examples
    --------
    >>> means([0.81234, 12.0]), means([1e-9])
    (['0.81', '12.00'], ['1.000e-09'])
    """
    largest = max(map(abs, values), default=0.0)
    digits = math.floor(math.log10(largest)) if largest > 0 else 0
    style = _style(digits, current().digits)
    return [format(value, style).replace("-", "−", 1 if value < 0 else 0) for value in values]


def _style(exponent: int, behind: int) -> str:
    """Of numbers up to that power of 10, with so many digits behind the first of the largest."""
    if not -4 <= exponent <= 6:
        return f".{behind}e"
    return f".{min(max(behind - exponent, 0), max(6, behind + 3))}f"


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
