"""Ranks of one trend test, which show the pattern that the p-value summarizes."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from matplotlib import colormaps
from matplotlib.artist import Artist
from matplotlib.axes import Axes

from nbcompare._render import format_number, plural, stated_p
from nbcompare._validation import check_name
from nbcompare.plots._labels import (
    LINE,
    SMALL_SIZE,
    Entry,
    Legend,
    caption_height,
    caption_width,
    draw_caption,
    wrapped,
)
from nbcompare.plots._marks import Mark, marked
from nbcompare.plots._plot import Canvas, Plot, check_result, text_width
from nbcompare.plots._style import MARGIN, TICK
from nbcompare.plots._trend import basis
from nbcompare.results import Labelled
from nbcompare.results.convergence import ConvergenceComparison

# All lengths in inches, all font sizes in points.
_NAME_SIZE = 7.5
_NAME_LINE = 0.125
_PAD = 0.07
_ABOVE = 1.0  # height of the mean ranks
_ROW, _LOW_ROW = 0.2, 0.012  # height of a row, at most and at least
_TALLEST = 8.0  # height of all rows, unless they would be too low
_CELL, _LOW_CELL, _WIDEST = 0.42, 0.06, 5.0  # the same for cut-points
_ROOMY = 0.1  # rows at least this high are separated
_BARS = 1.1  # width of the contributions
_WRAP, _WRAP_NAME = 72, 44
_MOST_VECTORS = 5000  # more cells are drawn as a picture
_COLORS = colormaps["Blues"]
_FOR, _AGAINST = "0.25", "0.85"


def trend_ranks(
    result: ConvergenceComparison,
    faster: str,
    slower: str,
    *,
    version: str | None = None,
    ax: Axes | None = None,
) -> Plot:
    """Draw the ranks of one pair, problem by problem, on which its p-value is based.

    Each row is a problem and each column a cut-point; cells are darker for higher ranks of the
    difference in favour of ``faster``. Where the trend is in its favour, rows go from light to
    dark.
    Above are the mean ranks, which would lie on the dashed line if there were no trend. The
    bars on the right show what each problem adds to Page's L beyond the value without a trend:
    dark bars to the right are in favour of ``faster``, pale bars to the left against it, and a
    bar fills its half of the space if all ranks of the problem rise, or fall. Rows are sorted
    by these contributions, most favourable first; equal ones keep the order of the data.

    Parameters
    ----------
    result : ConvergenceComparison
        Result of :func:`nbcompare.compare_convergence`.
    faster, slower : str
        Algorithms of the pair: the row and the column of :func:`trend_heatmap`.
    version : {"basic", "alternative"}, optional
        Version of the ranks; by default the last one that was computed.
    ax : matplotlib.axes.Axes, optional
        Axes to draw on; the drawing shrinks to fit. By default, a new figure.

    Returns
    -------
    Plot
        Plot with the artists ``cells`` (one mesh), ``mean`` (line and marks), ``level`` (the
        line of no trend and its label), ``bars`` (one per problem, in the order of the rows),
        ``names`` (of problems, at regular steps if there is no room for all), ``axis`` and
        ``legend``.

    Raises
    ------
    ValueError
        If an algorithm or the version is not in the result, or both algorithms are the same.

    Examples
    --------
    >>> import numpy as np
    >>> import nbcompare as nbc
    >>> step = np.arange(1, 11)
    >>> scale = np.arange(1, 13)[:, np.newaxis]
    >>> values = np.stack([scale * (20 - 2 * step), scale * (20 - step)], axis=1)
    >>> histories = nbc.Histories.from_array(
    ...     values, evaluations=100 * step, direction="minimize", algorithms=["Fast", "Slow"])
    >>> result = nbc.compare_convergence(histories, version="basic")
    >>> plot = nbc.plots.trend_ranks(result, "Fast", "Slow")
    >>> len(plot.artists["bars"]), plot.artists["level"][1].get_text()
    (12, 'no trend')
    """
    check_result(result, "trend_ranks", ConvergenceComparison)
    chosen = check_name(version or result.versions[-1], "version", result.versions)
    if faster == slower:
        raise ValueError(f"`slower` must not be the same algorithm as `faster`; got {slower!r}.")
    result.ranks_of(faster, slower, chosen)  # raises for unknown names
    return _Pattern(result, faster, slower, chosen).draw(ax)


class _Pattern:
    """Drawing that is measured first and then drawn."""

    def __init__(
        self, result: ConvergenceComparison, faster: str, slower: str, version: str
    ) -> None:
        self.result, self.faster, self.slower, self.version = result, faster, slower, version
        ranks = result.ranks_of(faster, slower, version)
        n, c = map(int, ranks.shape)
        # each problem's share of L, from -1 to 1
        steps = np.arange(1, c + 1) - (c + 1) / 2
        shares = (ranks - (c + 1) / 2) @ steps / (steps @ steps)
        # quarters of a rank are exact; rounding keeps equal rows in the order of the data
        order = np.argsort(-shares.round(12), kind="stable")
        self.ranks, self.shares = ranks[order], shares[order].tolist()
        self.problems = [result.design.datasets[i] for i in order]
        self.mean: list[float] = ranks.mean(axis=0).tolist()
        self.names = [wrapped(name, _WRAP_NAME) for name in self.problems]
        needed = _NAME_LINE * max(name.count("\n") + 1 for name in self.names) + 0.04
        self.row = max(min(max(_ROW, needed), _TALLEST / n), _LOW_ROW)
        self.every = math.ceil(round(needed / self.row, 6))
        self.cell = max(min(_CELL, _WIDEST / c), _LOW_CELL)
        self.width, self.height = self.cell * c, self.row * n
        self.x0 = self.y0 = 0.0  # upper left corner of the cells, known when drawn

    # ------------------------------------------------------------------------ drawing

    def draw(self, ax: Axes | None) -> Plot:
        caption, legend = self._caption(), self._legend()
        names = max(text_width(name, _NAME_SIZE) for name in self.names[:: self.every])
        left = MARGIN + max(names, text_width("mean rank", SMALL_SIZE) + 0.3) + _PAD + TICK
        beside = max(text_width("no trend", SMALL_SIZE), _BARS) + 2 * _PAD
        content = left + self.width + beside + MARGIN
        total = max(
            content, *(2 * MARGIN + w for w in (caption_width(caption), legend.least_width))
        )
        self.x0 = left + (total - content) / 2
        self.y0 = MARGIN + caption_height(caption) + 0.15 + _ABOVE + 0.12
        bottom = self.y0 + self.height + TICK + 2 * LINE + 0.14
        room = total - 2 * MARGIN
        canvas = Canvas.of_size(total, bottom + legend.height(room) + MARGIN, ax)
        draw_caption(canvas, caption, total / 2, MARGIN)
        artists: dict[str, tuple[Artist, ...]] = {
            "cells": (self._draw_cells(canvas),),
            "level": self._draw_level(canvas),
            "mean": self._draw_mean(canvas),
            "bars": self._draw_bars(canvas),
            "names": self._draw_names(canvas),
            "axis": self._draw_axis(canvas),
            "legend": legend.draw(canvas, MARGIN, bottom, room),
        }
        return Plot(canvas.ax.figure, canvas.ax, Labelled(artists), self._alt(), shown=ax is None)  # type: ignore[arg-type]

    def _x(self, cutpoint: float) -> float:
        """Return the middle of the column of a cut-point, numbered from 0."""
        return self.x0 + self.cell * (cutpoint + 0.5)

    def _y(self, rank: float) -> float:
        """Return the vertical position of a mean rank, above the cells."""
        c = len(self.mean)
        return self.y0 - 0.12 - _ABOVE * (rank - 1) / (c - 1)

    def _draw_cells(self, canvas: Canvas) -> Artist:
        n, c = self.ranks.shape
        return canvas.ax.pcolormesh(
            self.x0 + self.cell * np.arange(c + 1),
            self.y0 + self.row * np.arange(n + 1),
            self.ranks,
            cmap=_COLORS,
            vmin=1,
            vmax=c,
            edgecolors="white" if min(self.row, self.cell) >= _ROOMY else "none",
            linewidth=0.6 * canvas.scale,
            clip_on=False,
            rasterized=n * c > _MOST_VECTORS,
        )

    def _draw_level(self, canvas: Canvas) -> tuple[Artist, ...]:
        y, right = self._y((len(self.mean) + 1) / 2), self.x0 + self.width
        style = {"linestyle": (0, (4, 2)), "color": "0.35"}
        line = canvas.line((self.x0, right), (y, y), 1.0, **style)
        return line, canvas.text(right + _PAD, y, "no trend", SMALL_SIZE, ha="left")

    def _draw_mean(self, canvas: Canvas) -> tuple[Artist, ...]:
        x = tuple(self._x(j) for j in range(len(self.mean)))
        y = tuple(self._y(rank) for rank in self.mean)
        size = max(2.0, min(4.5, 30 * self.cell))
        return canvas.line(x, y, 1.6), canvas.markers(x, y, "o", size, filled=True)

    def _draw_bars(self, canvas: Canvas) -> tuple[Artist, ...]:
        half = _BARS / 2
        zero = self.x0 + self.width + _PAD + half
        bars = []
        roomy = self.row >= _ROOMY
        inset = 0.18 if roomy else 0.0
        for row, share in enumerate(self.shares):
            top = self.y0 + self.row * row
            ends = (top + inset * self.row, top + (1 - inset) * self.row)
            color = _FOR if share > 0 else _AGAINST
            style = {"facecolor": color, "edgecolor": _FOR if roomy else "none", "zorder": 2}
            bar = canvas.box((zero, zero + half * share), ends, 0.8, **style)
            told = f"{self.problems[row]}: contribution {share:+.2f} of at most 1"
            bars.append(marked(bar, Mark(told, ())))
        canvas.line((zero, zero), (self.y0, self.y0 + self.height), 0.8, zorder=3)
        return tuple(bars)

    def _draw_names(self, canvas: Canvas) -> tuple[Artist, ...]:
        return tuple(
            canvas.text(
                self.x0 - _PAD,
                self.y0 + self.row * (row + 0.5),
                self.names[row],
                _NAME_SIZE,
                ha="right",
                linespacing=1.1,
            )
            for row in range(0, len(self.names), self.every)
        )

    def _draw_axis(self, canvas: Canvas) -> tuple[Artist, ...]:
        c, left = len(self.mean), self.x0
        artists = [canvas.line((left, left), (self._y(1), self._y(c)), 0.8)]
        for rank in (1.0, (c + 1) / 2, float(c)):
            y = self._y(rank)
            artists.append(canvas.line((left - TICK, left), (y, y), 0.8))
            x = left - TICK - 0.03
            artists.append(canvas.text(x, y, f"{rank:g}", SMALL_SIZE, ha="right"))
        wide = text_width(f"{(c + 1) / 2:g}", SMALL_SIZE)
        x, y = left - TICK - 0.03 - wide - _PAD, self._y((c + 1) / 2)
        artists.append(canvas.text(x, y, "mean rank", SMALL_SIZE, ha="right"))
        bottom = self.y0 + self.height
        step = math.ceil((text_width(str(c), SMALL_SIZE) + 0.08) / self.cell)
        for cutpoint in range(step - 1, c, step):
            x, y = self._x(cutpoint), bottom + TICK
            artists.append(canvas.line((x, x), (bottom, y), 0.8))
            y += LINE / 2
            artists.append(canvas.text(x, y, str(cutpoint + 1), SMALL_SIZE, ha="center"))
        x, y = left + self.width / 2, bottom + TICK + 1.5 * LINE + 0.02
        artists.append(canvas.text(x, y, "cut-point", SMALL_SIZE, ha="center"))
        x = left + self.width + _PAD + _BARS / 2
        artists.append(canvas.text(x, y, "contribution", SMALL_SIZE, ha="center"))
        return tuple(artists)

    # -------------------------------------------------------------------------- words

    def _found(self) -> str:
        names = self.result.algorithms
        row, column = names.index(self.faster), names.index(self.slower)
        tests = self.result.tests[self.version]
        statistic = f"{float(tests.statistic[row, column]):.12g}"
        p = stated_p(self.result.p_text(self.version, row, column))
        verdict = "significant" if tests.rejected[row, column] else "not significant"
        return f"L = {statistic}, {p}, {verdict}"

    def _caption(self) -> list[str]:
        words = [
            self.result.claim.question.format(a=self.faster, b=self.slower),
            f"{self._found()} ({self.version} ranks)",
            basis(self.result),
        ]
        if self.every > 1:
            words.append(f"one problem in {self.every} is named")
        return [line for text in words for line in wrapped(text, _WRAP).split("\n")]

    def _legend(self) -> Legend:
        c = len(self.mean)
        texts = (
            f"ranks of the difference, from 1 (light) to {c}",
            f"contribution to the trend in favour of {self.faster}",
            f"against {self.faster}",
        )
        symbols = (_scale_symbol, _favourable_symbol, _unfavourable_symbol)
        return Legend(
            [Entry(wrapped(t, _WRAP), symbol) for t, symbol in zip(texts, symbols, strict=True)]
        )

    def _alt(self) -> str:
        counts = [sum(share > 0 for share in self.shares), sum(share < 0 for share in self.shares)]
        means = ", ".join(format_number(rank, 2) for rank in self.mean)
        most = f"{self.problems[0]} is most in favour, {self.problems[-1]} least"
        return (
            f"Ranks of the difference in convergence of {self.faster} over {self.slower} on "
            f"{plural(len(self.problems), 'problem')} ({self.version} ranks, "
            f"{basis(self.result)}): {self._found()}. Mean ranks by cut-point: {means} (without a "
            f"trend: {format_number((len(self.mean) + 1) / 2)}). The ranks rise on "
            f"{plural(counts[0], 'problem')} and fall on {counts[1]}; {most}."
        )


def _scale_symbol(canvas: Canvas, x: float, y: float) -> Sequence[Artist]:
    ends = np.linspace(x - 0.12, x + 0.12, 5)
    return [
        canvas.box((a, b), (y - 0.06, y + 0.06), 0.3, facecolor=_COLORS(share), edgecolor="0.6")
        for a, b, share in zip(ends[:-1], ends[1:], np.linspace(0, 1, 4), strict=True)
    ]


def _favourable_symbol(canvas: Canvas, x: float, y: float) -> Sequence[Artist]:
    ends = (x - 0.1, x + 0.1), (y - 0.05, y + 0.05)
    return [canvas.box(*ends, 0.8, facecolor=_FOR, edgecolor=_FOR)]


def _unfavourable_symbol(canvas: Canvas, x: float, y: float) -> Sequence[Artist]:
    ends = (x - 0.1, x + 0.1), (y - 0.05, y + 0.05)
    return [canvas.box(*ends, 0.8, facecolor=_AGAINST, edgecolor=_FOR)]
