"""Texts, numbers, legends and captions that several figures share."""

from __future__ import annotations

import math
import textwrap
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from matplotlib.artist import Artist

from nbcompare._display import current
from nbcompare._render import plural
from nbcompare._validation import check_labels, check_name
from nbcompare.plots._marks import Mark, marked
from nbcompare.plots._plot import Canvas, text_width
from nbcompare.results import Comparison
from nbcompare.words import PAIRWISE_TESTS

WRAP = 34  # characters per line of a name


def wrapped(text: str, width: int = WRAP) -> str:
    """Wrap a name into lines of at most ``width`` characters."""
    return "\n".join(textwrap.wrap(text, width, break_on_hyphens=False)) or text


def rank_decimals(worst: float) -> int:
    """Return the decimals for average ranks: fewer for larger ranks, to save space."""
    return 2 if worst < 100 else 1 if worst < 1000 else 0


def basis(comparison: Comparison, *, adjusted: bool = True) -> str:
    """Return what the decisions rest on: ``exact p, Holm, α = 0.05, 30 data sets``.

    The tests are named too if they are not tests of the average ranks that are drawn.
    """
    tests = PAIRWISE_TESTS[comparison.pairs].plural
    adjustment = comparison.adjustment if adjusted else "no adjustment"
    return (
        f"{f'{tests}, ' if tests else ''}{comparison.p_law}, {adjustment}, "
        f"α = {comparison.alpha:g}, {plural(comparison.design.n_datasets, 'data set')}"
    )


def highlighted(names: Iterable[str] | None, algorithms: tuple[str, ...]) -> frozenset[str] | None:
    """Return the algorithms that a figure is asked to highlight; None if all are alike."""
    if names is None:
        return None
    chosen = check_labels(names, "highlight")
    for name in chosen:
        check_name(name, "highlight", algorithms)
    return frozenset(chosen)


def differing_from(comparison: Comparison, reference: str) -> frozenset[str]:
    """Return the algorithms that differ significantly from the reference."""
    tests = comparison.hypotheses
    pairs = zip(tests.first, tests.second, tests.rejected, strict=True)
    return frozenset(
        second if first == reference else first
        for first, second, rejected in pairs
        if rejected and reference in (first, second)
    )


def signed(values: Sequence[float]) -> list[str]:
    """Format differences with a sign and the same number of decimals.

    The largest one has three significant digits, unless more are requested. A difference that
    rounds to 0 keeps its sign.

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
    """Format scores with the same number of decimals, by default four digits of the largest.

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
    """Return a format for numbers up to 10**exponent, with ``behind`` digits after the first."""
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
    """Legend entry; ``draw`` draws its symbol around a point, at most 0.24 wide and 0.14 high."""

    text: str
    draw: Callable[[Canvas, float, float], Sequence[Artist]]
    about: Mark | None = None  # what a page says of it

    @property
    def width(self) -> float:
        """Width of the symbol, its text and the space after it."""
        return _SYMBOL + text_width(self.text, SMALL_SIZE) + _APART

    @property
    def height(self) -> float:
        """Height of the text, which may have several lines."""
        return LINE * (self.text.count("\n") + 1)


def flow(widths: Sequence[float], room: float) -> list[range]:
    """Split entries into as few lines as hold them, in order."""
    starts, used = [0], 0.0
    for entry, width in enumerate(widths):
        if used + width > room and entry > starts[-1]:
            starts.append(entry)
            used = 0.0
        used += width
    return [range(a, b) for a, b in zip(starts, [*starts[1:], len(widths)], strict=True)]


class Legend:
    """Legend entries, set on lines that are at most as wide as the drawing."""

    def __init__(self, entries: Sequence[Entry]) -> None:
        self.entries = entries

    @property
    def least_width(self) -> float:
        """Width of the widest entry."""
        return max((entry.width - _APART for entry in self.entries), default=0.0)

    def _lines(self, room: float) -> list[tuple[range, float]]:
        if not self.entries:
            return []
        # the space after the last entry of a line may extend beyond the drawing
        lines = flow([entry.width for entry in self.entries], room + _APART)
        return [(line, max(self.entries[i].height for i in line) + 0.03) for line in lines]

    def height(self, room: float) -> float:
        """Return the height of all lines if they may be this wide."""
        return sum(height for _, height in self._lines(room))

    def draw(self, canvas: Canvas, left: float, top: float, room: float) -> tuple[Artist, ...]:
        """Draw the lines, starting from the upper left corner given."""
        artists: list[Artist] = []
        for line, height in self._lines(room):
            x = left
            for entry in (self.entries[i] for i in line):
                y = top + height / 2
                text = canvas.text(x + _SYMBOL - 0.06, y, entry.text, SMALL_SIZE, ha="left")
                parts = (*entry.draw(canvas, x + 0.12, y), text)
                artists += (marked(part, entry.about) for part in parts)
                x += entry.width
            top += height
        return tuple(artists)


def caption_width(lines: Sequence[str]) -> float:
    """Return the width of the longest line."""
    return max((text_width(line, SMALL_SIZE) for line in lines), default=0.0)


def caption_height(lines: Sequence[str]) -> float:
    """Return the height of all lines."""
    return _CAPTION_LINE * len(lines)


def draw_caption(canvas: Canvas, lines: Sequence[str], middle: float, top: float) -> Artist:
    """Write the lines, centred, below a given height."""
    y = top + caption_height(lines) / 2
    return canvas.text(middle, y, "\n".join(lines), SMALL_SIZE, ha="center", linespacing=1.2)
