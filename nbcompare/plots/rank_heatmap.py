"""Heat map of the ranks of all algorithms on all data sets."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.collections import PolyCollection

from nbcompare._arrays import FloatArray
from nbcompare._render import format_number, plural
from nbcompare.plots._labels import (
    LINE,
    SMALL_SIZE,
    WRAP,
    Entry,
    Legend,
    caption_height,
    caption_width,
    draw_caption,
    wrapped,
)
from nbcompare.plots._marks import Mark, items_marked, marked
from nbcompare.plots._matrix import DIAGONAL, diverging
from nbcompare.plots._plot import Canvas, Plot, text_width
from nbcompare.plots._standings import DECIMALS, Standings, standings_of
from nbcompare.plots._style import MARGIN, PAD
from nbcompare.results import Description, Labelled

# All lengths in inches, all font sizes in points.
_NUMBER_SIZE = 7.5
_NAME_LINE = 0.15
_ROW, _THIN = 0.19, 0.026  # height of a row, at most (of a name with one line) and at least
_TALLEST = 11.4  # height of all rows, unless they would be too thin
_APART = 0.07  # space before a group and before the average ranks
_SIDE, _NARROW = 0.36, 0.21  # width of a column with numbers, and without
_WIDE, _FEW = 0.95, 8  # up to 8 columns may be this wide, so that their names need no rotation
_TURNED = 0.46  # height of the average ranks where they are rotated
_MOST_NUMBERED = 20  # most columns with numbers
_LEAST_NUMBERED = 0.14  # least height of rows with numbers
_ROOMY = 0.1  # rows at least this high are separated
_MOST_MARKED = 2_000  # most cells of which a page tells each
_MOST_VECTORS = 5_000  # more cells are drawn as a picture
_WRAP_NAME, _LONG_WRAP, _WRAP_CAPTION = 44, 64, 72
_NOTHING = "–"


class _Row(NamedTuple):
    """Row of cells: where it is, its name, and the ranks, numbers and marks of its cells."""

    top: float
    height: float
    name: str
    ranks: FloatArray | None  # None where there are none
    texts: Sequence[str]
    about: Mark | None
    place: int | None  # of the data set; None for averages


def rank_heatmap(
    description: Description,
    *,
    groups: Mapping[str, str] | None = None,
    ax: Axes | None = None,
) -> Plot:
    """Draw the rank of every algorithm on every data set as a coloured cell.

    A row is a data set, a column an algorithm, the best average rank first. Blue cells are of the
    best algorithms of the data set, orange ones of the worst, whatever the number of algorithms
    with a score there. Ties share the mean of their ranks. The last row has the average ranks,
    which are over the data sets without a missing score. Groups of data sets follow each other,
    each below a row with its own average ranks.

    Cells have numbers if there are at most 20 algorithms and the rows are high enough, up to about
    60 data sets. With more data sets, rows are thinner, and the caption says how many of them are
    named.

    Parameters
    ----------
    description : Description
        Result of :func:`nbcompare.describe`, of at least 2 algorithms.
    groups : mapping of str to str, optional
        Group of each data set; by default those of the experiment, if it has any.
    ax : matplotlib.axes.Axes, optional
        Axes to draw on; the drawing shrinks to fit. By default, a new figure.

    Returns
    -------
    Plot
        Plot with the artists ``cells`` (of data sets), ``averages`` (cells of average ranks, those
        of the groups first), ``texts`` (numbers), ``rows``, ``columns`` (names), ``groups`` (names)
        and ``legend``.

    Raises
    ------
    TypeError
        If ``description`` is not a Description.
    ValueError
        If ``groups`` does not give a group for every data set.
    DataError
        If scores are intervals, or there is one algorithm only.

    Examples
    --------
    >>> import nbcompare as nbc
    >>> plot = nbc.plots.rank_heatmap(nbc.describe(nbc.datasets.load("demsar2006")))
    >>> [text.get_text() for text in plot.artists["columns"]]
    ['C4.5+m+cf', 'C4.5+m', 'C4.5+cf', 'C4.5']
    >>> [text.get_text() for text in plot.artists["texts"][-4:]]
    ['1.93', '2.00', '2.93', '3.14']
    """
    return _Map(standings_of(description, groups, "rank_heatmap")).draw(ax)


class _Map:
    """Drawing that is measured first and then drawn."""

    def __init__(self, standings: Standings) -> None:
        self.of = standings
        n, k = standings.ranks.shape
        self.names = [wrapped(name, _WRAP_NAME) for name in standings.datasets]
        self.needed = _NAME_LINE * max(name.count("\n") + 1 for name in self.names) + 0.03
        self.row = max(min(max(_ROW, self.needed), _TALLEST / n), _THIN)
        self.few = k <= _MOST_NUMBERED
        self.numbered = self.few and self.row >= _LEAST_NUMBERED
        self.rows: list[_Row] = []
        self.height = self._arrange()
        self.width, self.turned, self.columns = self._measure()
        self.x = self.y = 0.0  # upper left corner of the cells, known when drawn

    def _arrange(self) -> float:
        """Place all rows, from above; return their height."""
        standings, top = self.of, 0.0
        starts = {group.rows.start: group for group in standings.groups}
        for row, ranks in enumerate(standings.ranks):
            if row in starts:
                group = starts[row]
                top += _APART if row else 0.0
                name = wrapped(f"{group.name} ({len(group.rows)})", _WRAP_NAME)
                high = _NAME_LINE * (name.count("\n") + 1) + 0.04
                texts = self._numbers(group.averages, DECIMALS) if self.few else ()
                self.rows.append(_Row(top, high, name, group.averages, texts, None, None))
                top += high
            texts = self._numbers(ranks, None) if self.numbered else ()
            about = standings.about_dataset(row)
            self.rows.append(_Row(top, self.row, self.names[row], ranks, texts, about, row))
            top += self.row
        if standings.averages is not None:
            top += _APART
            high = _ROW if self.few else _TURNED
            texts = self._numbers(standings.averages, DECIMALS)
            self.rows.append(_Row(top, high, "average rank", standings.averages, texts, None, None))
            top += high
        return top

    def _numbers(self, ranks: FloatArray | None, decimals: int | None) -> list[str]:
        if ranks is None:
            return []
        return [
            _NOTHING
            if np.isnan(rank)
            else f"{rank:g}"
            if decimals is None
            else format_number(float(rank), decimals)
            for rank in ranks
        ]

    def _measure(self) -> tuple[float, bool, list[str]]:
        """Return the width of columns, whether their names are rotated, and these."""
        algorithms = self.of.algorithms
        width = _NARROW
        if self.few:
            texts = [text for row in self.rows for text in row.texts]
            widest = max((text_width(text, _NUMBER_SIZE, bold=True) for text in texts), default=0)
            width = max(_SIDE, widest + 0.08)
        if len(algorithms) <= _FEW:
            level = [wrapped(name, 14) for name in algorithms]
            need = max(text_width(name, SMALL_SIZE) for name in level) + 0.1
            if need <= _WIDE and max(name.count("\n") for name in level) < 3:
                return max(width, need), False, level
        names = [wrapped(name, WRAP if self.few else _LONG_WRAP) for name in algorithms]
        lines = max(name.count("\n") + 1 for name in names)
        return max(width, LINE * lines + 0.03), True, names

    # ------------------------------------------------------------------------ drawing

    def draw(self, ax: Axes | None) -> Plot:
        shown = self._shown()
        caption = self._caption(len(shown))
        legend = Legend(self._legend())
        names = [text_width(self.names[row], SMALL_SIZE) for row in shown]
        bold = [
            text_width(row.name, SMALL_SIZE, bold=True) for row in self.rows if row.place is None
        ]
        left = MARGIN + max(names + bold) + PAD
        above = max(
            1.06 * text_width(name, SMALL_SIZE) if self.turned else LINE * (name.count("\n") + 1)
            for name in self.columns
        )
        grid = self.width * len(self.columns)
        wide = max(caption_width(caption), legend.least_width) + 2 * MARGIN
        total = max(left + grid + MARGIN, wide)
        self.x = left + (total - left - grid - MARGIN) / 2
        self.y = MARGIN + caption_height(caption) + 0.1 + above + PAD
        below = self.y + self.height + 0.1
        room = total - 2 * MARGIN
        canvas = Canvas.of_size(total, below + legend.height(room) + MARGIN, ax)
        draw_caption(canvas, caption, total / 2, MARGIN)
        cells = [row for row in self.rows if row.place is not None]
        averages = [row for row in self.rows if row.place is None and row.ranks is not None]
        artists: dict[str, tuple[Artist, ...]] = {
            "cells": (self._draw_cells(canvas, cells),),
            "averages": (self._draw_cells(canvas, averages),) if averages else (),
            "texts": self._draw_texts(canvas),
            "rows": self._draw_rows(canvas, shown),
            "groups": self._draw_groups(canvas),
            "columns": self._draw_columns(canvas),
            "legend": legend.draw(canvas, MARGIN, below, room),
        }
        return Plot(canvas.ax.figure, canvas.ax, Labelled(artists), self._alt(), shown=ax is None)  # type: ignore[arg-type]

    def _shown(self) -> list[int]:
        """Return the data sets whose names have room beside each other and those of groups."""
        shown: list[int] = []
        fixed = [row.top + row.height / 2 for row in self.rows if row.place is None]
        free = -np.inf  # where the last name ends
        for row in self.rows:
            middle, half = row.top + row.height / 2, self.needed / 2
            if row.place is None:
                free = row.top + row.height
                continue
            lines = _NAME_LINE * (row.name.count("\n") + 1) / 2
            after = min((y for y in fixed if y > middle), default=np.inf)
            roomy = self.row >= self.needed - 1e-9
            if roomy or (middle - lines >= free - 0.02 and middle + half + 0.1 <= after):
                shown.append(row.place)
                free = middle + lines + 0.03
        return shown

    def _color(self, row: _Row, rank: float) -> tuple[float, float, float] | str:
        """Return the colour of a rank among those of its row, or of all algorithms."""
        if np.isnan(rank) or row.ranks is None:
            return DIAGONAL
        n = int((~np.isnan(row.ranks)).sum())
        middle = (n + 1) / 2
        return diverging(middle - rank if n > 1 else 1.0, max(middle - 1, 0.5))

    def _draw_cells(self, canvas: Canvas, rows: Sequence[_Row]) -> Artist:
        boxes, colors, about = [], [], []
        n_cells = len(rows) * len(self.columns)
        for row in rows:
            top, bottom = self.y + row.top, self.y + row.top + row.height
            for column, rank in enumerate(row.ranks if row.ranks is not None else ()):
                x = self.x + self.width * column
                right = x + self.width
                boxes.append([(x, top), (right, top), (right, bottom), (x, bottom)])
                colors.append(self._color(row, float(rank)))
                if row.place is not None and n_cells <= _MOST_MARKED:
                    about.append(self.of.about_cell(row.place, column))
        roomy = min(row.height for row in rows) >= _ROOMY
        artist = PolyCollection(
            boxes,
            facecolors=colors,
            edgecolors="0.82" if roomy else colors,
            linewidths=(0.5 if roomy else 0.1) * canvas.scale,
            clip_on=False,
            rasterized=n_cells > _MOST_VECTORS,
        )
        canvas.ax.add_collection(artist, autolim=False)
        return items_marked(artist, about) if about else artist

    def _draw_texts(self, canvas: Canvas) -> tuple[Artist, ...]:
        artists = []
        for row in self.rows:
            turned = not self.few  # then only the average ranks have numbers
            style = {"fontweight": "bold"} if row.place is None else {}
            for column, text in enumerate(row.texts):
                x = self.x + self.width * (column + 0.5)
                y = self.y + row.top + row.height / 2
                artist = canvas.text(
                    x, y, text, _NUMBER_SIZE, ha="center", rotation=90 if turned else 0, **style
                )
                about = None
                if row.place is not None:
                    about = self.of.about_cell(row.place, column)
                artists.append(marked(artist, about))
        return tuple(artists)

    def _draw_rows(self, canvas: Canvas, shown: Sequence[int]) -> tuple[Artist, ...]:
        places = set(shown)
        artists = []
        for row in self.rows:
            if row.place in places:
                y = self.y + row.top + row.height / 2
                text = canvas.text(
                    self.x - PAD, y, row.name, SMALL_SIZE, ha="right", linespacing=1.0
                )
                artists.append(marked(text, row.about))
        return tuple(artists)

    def _draw_groups(self, canvas: Canvas) -> tuple[Artist, ...]:
        """Write the names of the rows of average ranks."""
        return tuple(
            canvas.text(
                self.x - PAD,
                self.y + row.top + row.height / 2,
                row.name,
                SMALL_SIZE,
                ha="right",
                fontweight="bold",
                linespacing=1.0,
            )
            for row in self.rows
            if row.place is None
        )

    def _draw_columns(self, canvas: Canvas) -> tuple[Artist, ...]:
        return tuple(
            marked(
                canvas.text(
                    self.x + self.width * (column + 0.5),
                    self.y - PAD,
                    name,
                    SMALL_SIZE,
                    ha="center",
                    va="bottom",
                    rotation=90 if self.turned else 0,
                    linespacing=1.0,
                ),
                self.of.about_algorithm(column),
            )
            for column, name in enumerate(self.columns)
        )

    # -------------------------------------------------------------------------- words

    def _caption(self, n_named: int) -> list[str]:
        n, k = self.of.ranks.shape
        words = [
            f"Ranks of {plural(k, 'algorithm')} on {plural(n, 'data set')}",
            *self.of.caption(),
        ]
        if n_named < n:
            words.append(f"{n_named} of {n} data sets are named")
        return [line for text in words for line in wrapped(text, _WRAP_CAPTION).split("\n")]

    def _legend(self) -> list[Entry]:
        entries = [Entry("best to worst on the data set", _scale_symbol)]
        if self.of.n_missing:
            entries.append(Entry("no score", _nothing_symbol))
        return entries

    def _alt(self) -> str:
        n, k = self.of.ranks.shape
        return (
            f"Heat map of the ranks of {plural(k, 'algorithm')} on {plural(n, 'data set')} "
            f"({'; '.join(self.of.caption())}). {self.of.told()}"
        )


def _scale_symbol(canvas: Canvas, x: float, y: float) -> Sequence[Artist]:
    ends = np.linspace(x - 0.12, x + 0.12, 6).tolist()
    across, upright = (ends[0], ends[-1]), (y - 0.06, y + 0.06)
    colors = [diverging(value, 1.0) for value in (1.0, 0.5, 0.0, -0.5, -1.0)]
    return [
        *(
            canvas.box((a, b), upright, 0.0, facecolor=color, edgecolor="none")
            for a, b, color in zip(ends[:-1], ends[1:], colors, strict=True)
        ),
        canvas.box(across, upright, 0.5, facecolor="none", edgecolor="0.6", zorder=4),
    ]


def _nothing_symbol(canvas: Canvas, x: float, y: float) -> Sequence[Artist]:
    ends = (x - 0.07, x + 0.07), (y - 0.06, y + 0.06)
    return [canvas.box(*ends, 0.0, facecolor=DIAGONAL, edgecolor="none")]
