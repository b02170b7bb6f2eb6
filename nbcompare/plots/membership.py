"""Membership functions of fuzzy p-values, in a row for each comparison."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from matplotlib.artist import Artist
from matplotlib.axes import Axes

from nbcompare._arrays import FloatArray
from nbcompare.plots._labels import Entry, Legend
from nbcompare.plots._marks import Mark
from nbcompare.plots._outcomes import (
    FILL,
    TINT,
    PScale,
    basis,
    choose,
    keys_of,
    legend_entries,
    shortened,
    told,
    versus,
)
from nbcompare.plots._plot import Canvas, Plot, check_result
from nbcompare.plots._rows import OpenChart, RowChart
from nbcompare.results.imprecise import coverage_text
from nbcompare.results.stochastic import StochasticComparison

MOST_ROWS = 20
_ROOMY, _COMPACT = 0.5, 0.3  # inches per row
_FEW = 24
_SHARE = 0.8  # height of membership 1 as a share of the row


def membership(
    result: StochasticComparison,
    rows: int | str | Iterable[tuple[str, str]] | None = None,
    *,
    ax: Axes | None = None,
) -> Plot:
    """Draw the p-value of each comparison as a fuzzy set over a logarithmic axis.

    The height over p is its membership, that is the height of the highest cut that contains
    p, where the cut at coverage c is the interval p-value for that coverage and has height
    1 - c. The narrowest cut represents all narrower ones and extends up to 1. Nothing is
    interpolated between the coverages that were computed, so the outline has steps. A thick
    line is the cut that decides. If p is an interval instead of a fuzzy set, all values
    between its ends have membership 1; if it is a number, it is drawn as a vertical line.

    The tinted side of the dashed line is p <= α. A hypothesis whose set lies within it is
    rejected at every coverage; a set that crosses the line is inconclusive at the coverages
    whose cuts cross it. Fillings distinguish the outcomes, which are stated on the right
    together with the possibility Π and the necessity N of p <= α and with c*, the smallest
    coverage at which the outcome is inconclusive.

    Parameters
    ----------
    result : StochasticComparison
        Result of :func:`nbcompare.compare_stochastic` with any procedure.
    rows : int, str or iterable of (str, str), optional
        Comparisons to draw: a number of those with the smallest p, by default 20; the name of
        one algorithm, for all its comparisons; or a list of pairs, which are drawn in this
        order.
    ax : matplotlib.axes.Axes, optional
        Axes to draw on; the drawing shrinks to fit. By default, a new figure.

    Returns
    -------
    Plot
        Plot with the artists ``sets`` (the membership functions), ``cuts`` (the cuts that
        decide; empty unless p is fuzzy), ``names``, ``columns`` (headers and texts on the
        right), ``line`` (the tint, α and its label), ``axis`` and ``legend``.

    Raises
    ------
    ValueError
        If rows are not in the result.

    References
    ----------
    Otero, J., Sánchez, L. and Couso, I. (2010). Comparación estadística de algoritmos de
    aprendizaje estocásticos usando tests extendidos a datos intervalo-valorados y borrosos,
    Figure 2.

    Examples
    --------
    >>> import numpy as np
    >>> import nbcompare as nbc
    >>> runs = np.random.default_rng(1).normal([[[0.4]], [[0.5]], [[0.42]]], 0.04, (1, 3, 10, 30))
    >>> experiment = nbc.Experiment.from_array(runs, direction="minimize")
    >>> plot = nbc.plots.membership(nbc.compare_stochastic(experiment, procedure="fuzzy"))
    >>> [text.get_text() for text in plot.artists["names"]]
    ['A1 vs. A2', 'A1 vs. A3', 'A3 vs. A2']
    """
    check_result(result, "membership", StochasticComparison)
    return _Sets(result, rows).draw(ax)


class _Sets:
    """Drawing of membership functions."""

    def __init__(self, result: StochasticComparison, rows: object) -> None:
        self.result, self.tests = result, result.hypotheses
        keys = keys_of(self.tests)
        self.rows = choose(keys, rows, MOST_ROWS)
        self.keys = [keys[row] for row in self.rows]
        self.outcomes = [self.tests.outcome[row] for row in self.rows]
        self.low, self.high = self.tests.decisive
        least = float(self.low[self.rows].min())
        if self.tests.fuzzy is not None:
            least = min(least, float(self.tests.fuzzy.low[self.rows].min()))
        self.scale = PScale(least, result.alpha)

    def draw(self, ax: Axes | None) -> Plot:
        result = self.result
        chart = RowChart(
            names=[versus(key) for key in self.keys],
            columns=self._columns(),
            axis=self.scale,
            label=f"{self._kind()} (logarithmic)",
            least_height=_ROOMY if len(self.rows) <= _FEW else _COMPACT,
            caption=self._caption(),
            legend=Legend(self._legend()),
            line=(result.alpha, f"α = {result.alpha:g}"),
            tint=TINT,
            small_ticks=self.scale.small_ticks(),
            about=[Mark(line, key) for line, key in zip(self._lines(), self.keys, strict=True)],
        ).open(ax)
        places = range(len(self.rows))
        chart.artists["sets"] = tuple(self._draw_set(chart, place) for place in places)
        fuzzy = self.tests.fuzzy is not None and result.coverage is not None
        chart.artists["cuts"] = tuple(self._draw_cut(chart, p) for p in places) if fuzzy else ()
        return chart.close(self._alt(), shown=ax is None)

    # ------------------------------------------------------------------------ drawing

    def _height(self, chart: OpenChart, place: int) -> tuple[float, float]:
        """Return the base line of a row's set and the height of membership 1 above it."""
        height = chart.tops[place + 1] - chart.tops[place]
        return chart.tops[place + 1] - 0.02, _SHARE * height

    def _draw_set(self, chart: OpenChart, place: int) -> Artist:
        base, unit = self._height(chart, place)
        outline = [(chart.x(p), base - unit * h) for p, h in self._outline(self.rows[place])]
        style = FILL[self.outcomes[place]]
        drawn = chart.canvas.polygon(outline, 1.1, joinstyle="miter", zorder=3, **style)
        return chart.told(place, drawn)

    def _outline(self, row: int) -> list[tuple[float, float]]:
        """Return corners (p, membership) from the left end of the base to its right end."""
        fuzzy = self.tests.fuzzy
        if fuzzy is None:
            low, high = float(self.low[row]), float(self.high[row])
            return [(low, 0.0), (low, 1.0), (high, 1.0), (high, 0.0)]
        # from the base upwards; the narrowest cut represents all narrower ones
        heights = [*(1 - fuzzy.coverages[:0:-1]), 1.0]
        lows, highs = fuzzy.low[row, ::-1], fuzzy.high[row, ::-1]
        left = _steps(lows, heights)
        return left + _steps(highs, heights)[::-1]

    def _draw_cut(self, chart: OpenChart, place: int) -> Artist:
        base, unit = self._height(chart, place)
        row, y = self.rows[place], base - unit * (1 - (self.result.coverage or 0.0))
        ends = chart.x(float(self.low[row])), chart.x(float(self.high[row]))
        # a cut without width is drawn wider, so that it is visible
        if ends[1] - ends[0] < 0.05:
            ends = ends[0] - 0.025, ends[1] + 0.025
        return chart.told(place, chart.canvas.line(ends, (y, y), 2.4, zorder=5))

    # -------------------------------------------------------------------------- words

    def _kind(self) -> str:
        return "adjusted p-value" if self.tests.adjusted_low else "unadjusted p-value"

    def _columns(self) -> list[tuple[str, Sequence[str]]]:
        fuzzy = self.tests.fuzzy
        columns: list[tuple[str, Sequence[str]]] = [("outcome", self.outcomes)]
        if fuzzy is None:
            return [*columns, ("p", [self.tests.decisive_text(row) for row in self.rows])]
        turning = [fuzzy.turning[row] for row in self.rows]
        return [
            *columns,
            ("Π", [coverage_text(fuzzy.possibility[row]) for row in self.rows]),
            ("N", [coverage_text(fuzzy.necessity[row]) for row in self.rows]),
            ("c*", ["none" if c is None else coverage_text(c) for c in turning]),
        ]

    def _caption(self) -> list[str]:
        lines = [basis(self.result, self.tests)]
        if self.tests.fuzzy is not None:
            lines.append("heights: membership; Π, N: possibility and necessity of p ≤ α")
            lines.append("c*: the smallest coverage with an inconclusive outcome")
        return lines + shortened(len(self.rows), len(self.tests), "comparison")

    def _legend(self) -> list[Entry]:
        entries = legend_entries(self.outcomes)
        if self.tests.fuzzy is not None and self.result.coverage is not None:
            text = f"cut that decides, at coverage {self.result.coverage:g}"
            entries.append(Entry(text, _cut_symbol))
        return entries

    def _lines(self) -> list[str]:
        """Return a clause on each row."""
        columns, lines = self._columns(), []
        for place, key in enumerate(self.keys):
            texts = [f"{header} {values[place]}" for header, values in columns[1:]]
            lines.append(f"{' vs. '.join(key)}: {', '.join([self.outcomes[place], *texts])}")
        return lines

    def _alt(self) -> str:
        lines = self._lines()
        kind = "Intervals" if self.tests.fuzzy is None else "Membership functions"
        short = shortened(len(self.rows), len(self.tests), "comparison")
        return (
            f"{kind} of {self._kind()}s on a logarithmic axis "
            f"({'; '.join([basis(self.result, self.tests), *short])}). "
            f"{told(lines, self.outcomes)}."
        )


def _steps(ends: FloatArray, heights: Sequence[float]) -> list[tuple[float, float]]:
    """Return one side of an outline, upwards; the end of a cut applies up to its height."""
    corners = [(float(ends[0]), 0.0)]
    for end, height, before in zip(ends, heights, [0.0, *heights[:-1]], strict=True):
        corners += [(float(end), float(before)), (float(end), float(height))]
    return corners


def _cut_symbol(canvas: Canvas, x: float, y: float) -> Sequence[Artist]:
    return [canvas.line((x - 0.12, x + 0.12), (y, y), 2.4)]
