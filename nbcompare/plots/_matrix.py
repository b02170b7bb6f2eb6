"""Matrix of algorithms by algorithms, which is measured first and then drawn."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.collections import PolyCollection

from nbcompare.plots._labels import WRAP, flow, wrapped
from nbcompare.plots._marks import Mark, items_marked, marked
from nbcompare.plots._plot import Canvas, Plot, text_width
from nbcompare.results import Labelled

# With more columns than this, cells show triangles, because text would be illegible.
MOST_COLUMNS = 16
# Cells can be told apart without colour; the colours are pale enough for black text.
WHITE = "#ffffff"
DIAGONAL = "#e3e3e3"
BLUES = ("#deebf7", "#a9cfe8", "#6baed6")
_TOWARDS_ROW, _TOWARDS_COLUMN = (0.33, 0.62, 0.83), (0.95, 0.60, 0.27)
# One marker points along the row to its name, the other up the column to its name.
ROW, COLUMN = "<", "^"
SQUARE = "s"  # the two are equivalent

# All lengths in inches, all font sizes in points.
_NAME_SIZE = 10.0
_TEXT_SIZE = 8.5
_MARGIN = 0.12
_LINE = 0.165  # one line of a name
_TEXT_LINE = 0.145  # one line in a cell
_KEY_LINE = 1.15 * _LINE  # one line of the legend
_PAD = 0.07
_MARK = 0.15  # a triangle beside a text
_COMPACT = 0.21  # side of a cell without text
_COMPACT_WRAP = 64
_MOST_LINES = 3  # lines of a column's name that is not rotated
_APART = 0.3  # space between panels
_FEW, _WIDE = 8, 1.1  # up to 8 columns may be this wide, so that their names need no rotation


@dataclass(frozen=True, slots=True)
class Cell:
    """Cell of one pair: position, text, colour, better side, and whether it is highlighted."""

    row: int
    column: int
    text: str
    color: str | tuple[float, float, float]
    better: str = ""
    strong: bool = False
    panel: int = 0
    about: Mark | None = None  # what a page says of it; by default its names and its text


@dataclass(frozen=True, slots=True)
class Key:
    """Legend entry: a triangle, a coloured square or (strong) an outlined square."""

    text: str
    shape: str = ""
    filled: bool = False
    color: str | tuple[float, float, float] = WHITE
    strong: bool = False


@dataclass(frozen=True, slots=True)
class Names:
    """Names of rows and columns, and how they are set."""

    rows: tuple[str, ...]
    columns: tuple[str, ...]
    bold: frozenset[str] = frozenset()
    below: tuple[str, ...] = ()  # a line under the name of each row, unless compact
    beneath: tuple[str, ...] = ()  # a line under the name of each column, unless compact
    diagonal: bool = False  # whether there are empty cells of an algorithm with itself
    panels: tuple[str, ...] = ("",)  # titles of matrices side by side that share the names
    most: int = MOST_COLUMNS  # most columns with text, over all panels
    about: Mapping[str, Mark] = field(default_factory=dict)  # what a page says of each name

    @property
    def compact(self) -> bool:
        """True if there are too many columns for text in the cells."""
        return len(self.columns) * len(self.panels) > self.most


def diverging(value: float, largest: float) -> tuple[float, float, float]:
    """Return a colour: blue for positive values, orange for negative ones, white for 0."""
    share = min(1.0, abs(value) / largest) if largest > 0 else 0.0
    red, green, blue = _TOWARDS_ROW if value > 0 else _TOWARDS_COLUMN
    return 1 - share * (1 - red), 1 - share * (1 - green), 1 - share * (1 - blue)


def draw_matrix(
    names: Names,
    cells: Sequence[Cell],
    *,
    caption: Sequence[str],
    legend: Sequence[Key],
    alt: str,
    marks: bool = False,
    outlined: bool = False,
    sample: str = "",
    ax: Axes | None = None,
) -> Plot:
    """Draw a matrix of cells with the names of rows and columns.

    ``marks`` puts a triangle beside each text; cells without text always have one.
    ``outlined`` draws a frame around the strong cells, whose text is always bold.
    ``sample`` is what a cell beside the legend says of the lines of all cells, if they have any.
    """
    matrix = _Matrix(names, cells, marks or names.compact, outlined)
    return matrix.draw(ax, caption, legend, alt, "" if names.compact else sample)


class _Matrix:
    def __init__(self, names: Names, cells: Sequence[Cell], marks: bool, outlined: bool) -> None:
        self.names, self.cells, self.marks, self.outlined = names, cells, marks, outlined
        self.compact = names.compact
        wrap = _COMPACT_WRAP if self.compact else WRAP
        self.rows = [wrapped(name, wrap) for name in names.rows]
        if names.below and not self.compact:
            self.rows = [
                f"{label}\n{line}" for label, line in zip(self.rows, names.below, strict=True)
            ]
        lines = max(label.count("\n") + 1 for label in self.rows)
        width, height = self._cell_size()
        self.height = max(height, lines * _LINE + 0.05)
        self.turned, self.width, self.columns = True, width, self._level_columns(width)
        level = bool(self.columns)
        if not level:
            self.columns = [wrapped(name, wrap) for name in names.columns]
        if names.beneath and not self.compact:
            self.columns = [
                f"{label}\n{line}" for label, line in zip(self.columns, names.beneath, strict=True)
            ]
        if level:
            self.turned, self.width = False, max(width, _widest(self.columns) + 0.06)
        else:
            most = max(label.count("\n") + 1 for label in self.columns)
            self.width = max(width, _LINE * most + 0.03)
        # panels are at least as wide as their titles
        titles = max(text_width(title, _NAME_SIZE, bold=True) for title in names.panels)
        self.width = max(self.width, titles / len(names.columns))
        self.pitch = self.width * len(names.columns) + _APART
        self.same = [
            Cell(row, names.columns.index(name), "", DIAGONAL, panel=panel)
            for panel in range(len(names.panels))
            for row, name in enumerate(names.rows)
            if names.diagonal and name in names.columns
        ]
        # a column's name stands on its uppermost cell
        self.tops = [len(names.rows)] * len(names.columns)
        for cell in (*cells, *self.same):
            self.tops[cell.column] = min(self.tops[cell.column], cell.row)
        self.x = self.y = 0.0  # upper left corner of the cells, known when drawn

    # ----------------------------------------------------------------------- measures

    def _cell_size(self) -> tuple[float, float]:
        if self.compact:
            return _COMPACT, _COMPACT
        # digits are equally wide, so it is enough to measure one text of each pattern
        patterns = {re.sub(r"\d", "0", line) for cell in self.cells for line in _lines(cell)}
        widest = max((text_width(text, _TEXT_SIZE, bold=True) for text in patterns), default=0.0)
        lines = max((cell.text.count("\n") + 1 for cell in self.cells), default=1)
        width = widest + 0.2 + (_MARK if self.marks else 0.0)
        return max(width, 0.5), lines * _TEXT_LINE + 0.16

    def _level_columns(self, width: float) -> list[str]:
        """Return wrapped names that fit over their columns, or none if one must be rotated."""
        if self.compact:
            return []
        few = len(self.names.columns) <= _FEW
        labels = [_level(name, max(width, _WIDE) if few else width) for name in self.names.columns]
        return labels if all(labels) else []

    def _width_of(self, label: str, name: str) -> float:
        return text_width(label, _NAME_SIZE, bold=name in self.names.bold)

    def _heights_of_columns(self) -> list[float]:
        # on axes that were given, hinting makes small letters a little wider than measured
        return [
            1.06 * self._width_of(label, name) if self.turned else _LINE * (label.count("\n") + 1)
            for label, name in zip(self.columns, self.names.columns, strict=True)
        ]

    # ------------------------------------------------------------------------ drawing

    def draw(
        self,
        ax: Axes | None,
        caption: Sequence[str],
        legend: Sequence[Key],
        alt: str,
        sample: str = "",
    ) -> Plot:
        left = max(map(self._width_of, self.rows, self.names.rows)) + _MARGIN + _PAD
        grid = self.pitch * len(self.names.panels) - _APART, self.height * len(self.rows)
        titles = _LINE + _PAD if any(self.names.panels) else 0.0
        texts = [text_width(line, _TEXT_SIZE) for line in caption]
        keys = [text_width(key.text, _TEXT_SIZE) + 0.42 for key in legend]
        box = _sample_size(sample)
        aside = box[0] + _PAD if sample else 0.0  # room of the sample, left of the legend
        # half a rotated name may extend beyond the last column
        total = max(
            [
                left + grid[0] + _MARGIN,
                *(2 * _MARGIN + width for width in texts),
                *(2 * _MARGIN + aside + width for width in keys),
            ]
        )
        lines = flow(keys, total - 2 * _MARGIN - aside)
        above = max(
            height + _PAD - self.height * top
            for height, top in zip(self._heights_of_columns(), self.tops, strict=True)
        )
        self.x = left + (total - left - grid[0] - _MARGIN) / 2
        self.y = _MARGIN + _LINE * len(caption) + 0.1 + titles + max(above, 0.0)
        below = self.y + grid[1] + 0.12
        height = max(_KEY_LINE * len(lines), box[1])
        canvas = Canvas.of_size(total, below + height + _MARGIN, ax)
        for number, line in enumerate(caption):
            y = _MARGIN + _LINE * (number + 0.5)
            canvas.text(total / 2, y, line, _TEXT_SIZE, ha="center")
        artists: dict[str, tuple[Artist, ...]] = {
            "rows": self._draw_rows(canvas),
            "columns": self._draw_columns(canvas),
            "cells": self._draw_cells(canvas),
            "texts": () if self.compact else self._draw_texts(canvas),
            "marks": self._draw_marks(canvas) if self.marks else (),
            "outlines": self._draw_outlines(canvas),
            "legend": self._draw_legend(canvas, legend, keys, lines, (_MARGIN + aside, below)),
        }
        if sample:
            artists["sample"] = _draw_sample(canvas, sample, box, below)
        if titles:
            top = _MARGIN + _LINE * (len(caption) + 0.5) + 0.1
            artists["titles"] = self._draw_titles(canvas, top)
        return Plot(canvas.ax.figure, canvas.ax, Labelled(artists), alt, shown=ax is None)  # type: ignore[arg-type]

    def _left(self, column: float, panel: int) -> float:
        return self.x + self.pitch * panel + self.width * column

    def _box(self, cell: Cell, inset: float = 0.0) -> list[tuple[float, float]]:
        x, y = self._left(cell.column, cell.panel), self.y + self.height * cell.row
        return _square(x + inset, y + inset, self.width - 2 * inset, self.height - 2 * inset)

    def _middle(self, cell: Cell) -> tuple[float, float]:
        return (
            self._left(cell.column + 0.5, cell.panel),
            self.y + self.height * (cell.row + 0.5),
        )

    def _about(self, name: str) -> Mark:
        return self.names.about.get(name) or Mark(name, (name,))

    def _about_cell(self, cell: Cell) -> Mark:
        if cell.about is not None:
            return cell.about
        pair = (self.names.rows[cell.row], self.names.columns[cell.column])
        title = self.names.panels[cell.panel]
        told = f"{' – '.join(pair)}: {', '.join(_lines(cell))}{f' ({title})' if title else ''}"
        return Mark(told, pair)

    def _draw_rows(self, canvas: Canvas) -> tuple[Artist, ...]:
        return tuple(
            marked(
                canvas.text(
                    self.x - _PAD,
                    self.y + self.height * (row + 0.5),
                    label,
                    _NAME_SIZE,
                    ha="right",
                    fontweight="bold" if name in self.names.bold else None,
                    linespacing=1.1,
                ),
                self._about(name),
            )
            for row, (label, name) in enumerate(zip(self.rows, self.names.rows, strict=True))
        )

    def _draw_columns(self, canvas: Canvas) -> tuple[Artist, ...]:
        return tuple(
            marked(
                canvas.text(
                    self._left(column + 0.5, panel),
                    self.y + self.height * self.tops[column] - _PAD,
                    label,
                    _NAME_SIZE,
                    ha="center",
                    va="bottom",
                    rotation=90 if self.turned else 0,
                    fontweight="bold" if name in self.names.bold else None,
                    linespacing=1.1,
                ),
                self._about(name),
            )
            for panel in range(len(self.names.panels))
            for column, (label, name) in enumerate(
                zip(self.columns, self.names.columns, strict=True)
            )
        )

    def _draw_titles(self, canvas: Canvas, y: float) -> tuple[Artist, ...]:
        half = len(self.columns) / 2
        style = {"ha": "center", "fontweight": "bold"}
        return tuple(
            canvas.text(self._left(half, panel), y, title, _NAME_SIZE, **style)
            for panel, title in enumerate(self.names.panels)
        )

    def _draw_cells(self, canvas: Canvas) -> tuple[Artist, ...]:
        drawn = (*self.cells, *self.same)
        boxes, colors = [self._box(cell) for cell in drawn], [cell.color for cell in drawn]
        squares = _polygons(canvas, boxes, facecolors=colors, edgecolors="0.6", width=0.5)
        return (items_marked(squares, [self._about_cell(cell) for cell in self.cells]),)

    def _draw_texts(self, canvas: Canvas) -> tuple[Artist, ...]:
        artists = []
        for cell in self.cells:
            x, y = self._middle(cell)
            text = canvas.text(
                x + (_MARK / 2 if self.marks else 0.0),
                y,
                cell.text,
                _TEXT_SIZE,
                ha="center",
                fontweight="bold" if cell.strong else None,
                linespacing=1.15,
            )
            artists.append(marked(text, self._about_cell(cell)))
        return tuple(artists)

    def _draw_marks(self, canvas: Canvas) -> tuple[Artist, ...]:
        shift = 0.0 if self.compact else _MARK / 2 + 0.05 - self.width / 2
        artists = []
        for shape in (ROW, COLUMN, SQUARE):
            for filled in (False, True):
                places = [
                    self._middle(cell)
                    for cell in self.cells
                    if cell.better == shape and cell.strong == filled
                ]
                if places:
                    x, y = zip(*places, strict=True)
                    x = tuple(place + shift for place in x)
                    artists.append(canvas.markers(x, y, shape, 6.0, filled=filled))
        return tuple(artists)

    def _draw_outlines(self, canvas: Canvas) -> tuple[Artist, ...]:
        boxes = [self._box(cell, 0.025) for cell in self.cells if cell.strong]
        if not boxes or self.compact or not self.outlined:
            return ()
        return (_polygons(canvas, boxes, facecolors="none", edgecolors="black", width=1.6),)

    def _draw_legend(
        self,
        canvas: Canvas,
        legend: Sequence[Key],
        widths: Sequence[float],
        lines: Sequence[range],
        corner: tuple[float, float],
    ) -> tuple[Artist, ...]:
        artists: list[Artist] = []
        for number, entries in enumerate(lines):
            x, y = corner[0], corner[1] + _KEY_LINE * number + _LINE / 2
            for entry in entries:
                artists += _draw_key(canvas, legend[entry], x, y)
                x += widths[entry]
        return tuple(artists)


def _lines(cell: Cell) -> list[str]:
    return cell.text.split("\n")


def _level(name: str, width: float) -> str:
    """Return a wrapped name that fits over a column, or "" if it must be rotated."""
    label = wrapped(name, max(6, int(width / 0.085)))
    whole = set(label.split()) <= set(name.split())  # no word was split
    fits = text_width(label, _NAME_SIZE, bold=True) <= width - 0.06
    return label if whole and fits and label.count("\n") < _MOST_LINES else ""


def _widest(labels: Sequence[str]) -> float:
    return max(text_width(label, _NAME_SIZE, bold=True) for label in labels)


def _square(x: float, y: float, width: float, height: float) -> list[tuple[float, float]]:
    return [(x, y), (x + width, y), (x + width, y + height), (x, y + height)]


def _polygons(
    canvas: Canvas, boxes: Sequence[Sequence[tuple[float, float]]], *, width: float, **style: object
) -> Artist:
    artist = PolyCollection(boxes, linewidths=width * canvas.scale, clip_on=False, **style)  # type: ignore[arg-type]
    return canvas.ax.add_collection(artist, autolim=False)


def _sample_size(text: str) -> tuple[float, float]:
    """Return the width and height of the cell that says what the lines of cells are."""
    if not text:
        return 0.0, 0.0
    return text_width(text, _TEXT_SIZE) + 0.2, _TEXT_LINE * (text.count("\n") + 1) + 0.1


def _draw_sample(
    canvas: Canvas, text: str, size: tuple[float, float], top: float
) -> tuple[Artist, ...]:
    width, height = size
    edge = {"facecolors": "none", "edgecolors": "0.6"}
    box = _polygons(canvas, [_square(_MARGIN, top, width, height)], width=0.5, **edge)
    x, y = _MARGIN + width / 2, top + height / 2
    return box, canvas.text(x, y, text, _TEXT_SIZE, ha="center", linespacing=1.15)


def _draw_key(canvas: Canvas, key: Key, x: float, y: float) -> list[Artist]:
    if key.shape:
        symbol = canvas.markers((x + 0.09,), (y,), key.shape, 6.0, filled=key.filled)
    else:
        symbol = _polygons(
            canvas,
            [_square(x + 0.02, y - 0.065, 0.13, 0.13)],
            facecolors=[key.color],
            edgecolors="black" if key.strong else "0.6",
            width=1.6 if key.strong else 0.5,
        )
    return [symbol, canvas.text(x + 0.21, y, key.text, _TEXT_SIZE, ha="left")]
