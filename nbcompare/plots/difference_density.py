"""Densities of the scores of two algorithms, and of their differences."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes

from nbcompare._arrays import FloatArray
from nbcompare._render import format_p, plural, stated_p
from nbcompare.plots._labels import (
    LINE,
    SMALL_SIZE,
    Entry,
    Legend,
    caption_height,
    caption_width,
    draw_caption,
    means,
    signed,
    wrapped,
)
from nbcompare.plots._plot import Canvas, Plot, check_result, text_width
from nbcompare.plots._scale import Scale, times, unit_of
from nbcompare.plots._style import FILL, MARGIN, PAD, TICK
from nbcompare.results import Labelled, PairComparison
from nbcompare.words import PAIR_TESTS

# All lengths in inches, all font sizes in points.
_WIDTH = 4.6
_HEIGHT = 1.35  # height of the highest density
_RUG = 0.13  # height of a row of short lines, one per data set
_KEY = 0.34  # space to the left of the rows
_GAP = 0.2
_WRAP = 62
_WRAP_SIDE = 28  # characters per line of the texts on either side of zero
_NOTHING = 1e-12  # differences no larger than this share of the scores are rounding noise
_REACH = 3.0  # a density extends beyond the data by this many bandwidths
_N_POINTS = 241
_SOLID, _DASHED = "-", (0, (4, 2))


def difference_density(pair: PairComparison, *, ax: Axes | None = None) -> Plot:
    """Draw the densities of the scores of two algorithms, and of their paired differences.

    The upper panel shows the distribution of the scores of each algorithm over the data sets,
    the lower panel that of their differences, which is what a paired test examines: two
    algorithms may have the same scores overall and differ on every data set, or differ on a
    few only. Each short line is a data set. Densities are smoothed with normal kernels
    (bandwidth by Scott's rule), so that they extend beyond the data; their heights can be
    compared within a panel only. Values that are all equal have no density and are drawn as a
    vertical line.

    Parameters
    ----------
    pair : PairComparison
        Result of :func:`nbcompare.compare_pair`.
    ax : matplotlib.axes.Axes, optional
        Axes to draw on; the drawing shrinks to fit. By default, a new figure.

    Returns
    -------
    Plot
        Plot with the artists ``densities`` (first, second, differences), ``rugs`` (in the same
        order), ``zero`` (the line at which both are equal), ``sides`` (which algorithm is
        better on either side of that line, and how often), ``axis`` and ``legend``.

    References
    ----------
    Otero, J., Sánchez, L., Couso, I. and Palacios, A. (2013). Bootstrap analysis of multiple
    repetitions of experiments using an interval-valued multiple comparison procedure.
    Journal of Computer and System Sciences, Figure 4.

    Examples
    --------
    >>> import nbcompare as nbc
    >>> pair = nbc.compare_pair(nbc.datasets.load("demsar2006"), "C4.5+m", "C4.5")
    >>> plot = nbc.plots.difference_density(pair)
    >>> [text.get_text() for text in plot.artists["sides"]]
    ['C4.5 better: 2', 'C4.5+m better: 10']
    """
    check_result(pair, "difference_density", PairComparison)
    return _Densities(pair).draw(ax)


@dataclass(frozen=True, slots=True)
class _Curve:
    """Unscaled density at several places, or a spike if all values are equal."""

    x: FloatArray
    height: FloatArray
    spike: bool

    @classmethod
    def of(cls, values: FloatArray, size: float) -> _Curve:
        """Return the density of values; a spread negligible beside ``size`` gives a spike."""
        low, spread = float(values.min()), float(np.ptp(values))
        if spread <= _NOTHING * size:
            return cls(np.array([float(np.median(values))]), np.ones(1), spike=True)
        from scipy.stats import gaussian_kde  # slow to import

        kernel = gaussian_kde((values - low) / spread)
        reach = _REACH * float(kernel.covariance[0, 0]) ** 0.5
        at = np.linspace(-reach, 1 + reach, _N_POINTS)
        return cls(low + spread * at, kernel(at) / spread, spike=False)


class _Panel:
    """Curves on one axis, with the rugs below them."""

    def __init__(self, samples: Sequence[FloatArray], size: float, also: Sequence[float]) -> None:
        self.samples = samples
        self.curves = [_Curve.of(sample, size) for sample in samples]
        reached = np.concatenate([*(curve.x for curve in self.curves), *samples, also])
        # the only values may be a spike and zero, or two spikes
        self.scale = Scale(reached, log=False)
        self.highest = max(
            (float(curve.height.max()) for curve in self.curves if not curve.spike), default=1.0
        )

    @property
    def height(self) -> float:
        """Height from the highest point of a curve to the labels of the ticks."""
        return _HEIGHT + _RUG * len(self.samples) + TICK + LINE + 0.05

    def points(self, number: int, y: float) -> tuple[FloatArray, FloatArray]:
        """Return a curve as shares of the axis and as inches above the base line at y."""
        curve = self.curves[number]
        x = self.scale.share(curve.x)
        if curve.spike:
            return np.repeat(x, 2), np.array([y, y - _HEIGHT])
        return x, y - _HEIGHT * curve.height / self.highest


class _Densities:
    """Drawing that is measured first and then drawn."""

    def __init__(self, pair: PairComparison) -> None:
        self.pair = pair
        scores = np.asarray(pair.scores, dtype=np.float64)
        size = float(np.abs(scores).max())
        self.unit = unit_of(size, decades=150)  # densities square the scores
        scores = scores / self.unit
        size /= self.unit
        gains = scores[:, 0] - scores[:, 1]
        self.differences = pair.design.gain_signs * gains
        self.scores = _Panel([scores[:, 0], scores[:, 1]], size, ())
        self.paired = _Panel([self.differences], size, (0.0,))
        self.sides = self._sides()
        self.width = _WIDTH
        self.x0 = 0.0  # left end of both axes, known when drawn

    # ------------------------------------------------------------------------ drawing

    def draw(self, ax: Axes | None) -> Plot:
        caption, legend = self._caption(), self._legend()
        labels = [wrapped(text, _WRAP) for text in (self._measure(), self._difference())]
        ticks = [panel.scale.ticks() for panel in (self.scores, self.paired)]
        self.x0 = MARGIN + _KEY
        end = max(text_width(found[-1][1], SMALL_SIZE) / 2 if found else 0.0 for found in ticks)
        texts = [text_width(text, SMALL_SIZE) for text in labels]
        total = self.x0 + self.width + max(end, MARGIN) + MARGIN
        total = max(total, caption_width(caption) + 2 * MARGIN, *(t + 2 * MARGIN for t in texts))
        total = max(total, legend.least_width + 2 * MARGIN)
        room = total - 2 * MARGIN
        lines = [text.count("\n") + 1 for text in labels]
        top = MARGIN + caption_height(caption) + 0.06 + legend.height(room) + 0.12
        over = LINE * max(text.count("\n") + 1 for text in self.sides)
        second = top + self.scores.height + LINE * lines[0] + _GAP + over + PAD
        bottom = second + self.paired.height + LINE * lines[1]
        canvas = Canvas.of_size(total, bottom + MARGIN, ax)
        draw_caption(canvas, caption, total / 2, MARGIN)
        densities, rugs = [], []
        for panel, y, ranks in ((self.scores, top, (0, 1)), (self.paired, second, (0,))):
            for number in ranks:
                dashed = number == 1
                densities.append(self._draw_curve(canvas, panel, number, y + _HEIGHT, dashed))
                rugs.append(self._draw_rug(canvas, panel, number, y + _HEIGHT))
        axis = [
            *self._draw_axis(canvas, self.scores, ticks[0], top, labels[0]),
            *self._draw_axis(canvas, self.paired, ticks[1], second, labels[1]),
            *self._draw_keys(canvas, top + _HEIGHT),
        ]
        artists: dict[str, tuple[Artist, ...]] = {
            "densities": tuple(densities),
            "rugs": tuple(rugs),
            "zero": (self._draw_zero(canvas, second),),
            "sides": self._draw_sides(canvas, second - PAD),
            "axis": tuple(axis),
            "legend": legend.draw(canvas, MARGIN, MARGIN + caption_height(caption) + 0.06, room),
        }
        return Plot(canvas.ax.figure, canvas.ax, Labelled(artists), self._alt(), shown=ax is None)  # type: ignore[arg-type]

    def _draw_curve(
        self, canvas: Canvas, panel: _Panel, number: int, y: float, dashed: bool
    ) -> Artist:
        share, height = panel.points(number, y)
        x = (self.x0 + self.width * share).tolist()
        if not dashed:
            shape = list(zip([x[0], *x, x[-1]], [y, *height.tolist(), y], strict=True))
            canvas.polygon(shape, 0.0, facecolor=FILL, edgecolor="none", alpha=0.6, zorder=1)
        style = _DASHED if dashed else _SOLID
        return canvas.line(tuple(x), tuple(height.tolist()), 1.5, linestyle=style, zorder=3)

    def _draw_rug(self, canvas: Canvas, panel: _Panel, number: int, y: float) -> Artist:
        share = panel.scale.share(panel.samples[number])
        x = (self.x0 + self.width * share).tolist()
        middle = y + _RUG * (number + 0.5)
        return canvas.ax.plot(
            x,
            [middle] * len(x),
            linestyle="none",
            marker="|",
            markersize=(_RUG - 0.05) * 72 * canvas.scale,
            markeredgecolor="black",
            markeredgewidth=0.8 * canvas.scale,
            alpha=0.7,
            clip_on=False,
        )[0]

    def _draw_axis(
        self,
        canvas: Canvas,
        panel: _Panel,
        ticks: Sequence[tuple[float, str]],
        top: float,
        label: str,
    ) -> list[Artist]:
        left, right, base = self.x0, self.x0 + self.width, top + _HEIGHT
        y = base + _RUG * len(panel.samples)
        artists = [
            canvas.line((left, right), (base, base), 0.5, color="0.6"),
            canvas.line((left, right), (y, y), 0.8),
        ]
        taken = -np.inf  # right end of the last label drawn
        for share, text in ticks:
            x, half = left + self.width * share, text_width(text, SMALL_SIZE) / 2
            artists.append(canvas.line((x, x), (y, y + TICK), 0.8))
            if x - half > taken:
                below = y + TICK + LINE / 2
                artists.append(canvas.text(x, below, text, SMALL_SIZE, ha="center"))
                taken = x + half + PAD
        middle = y + TICK + LINE * (1 + (label.count("\n") + 1) / 2) + 0.02
        artists.append(canvas.text((left + right) / 2, middle, label, SMALL_SIZE, ha="center"))
        return artists

    def _draw_keys(self, canvas: Canvas, y: float) -> list[Artist]:
        """Draw line samples to the left of the two rugs that tell them apart."""
        x = self.x0 - _KEY, self.x0 - 0.08
        return [
            canvas.line(x, (y + _RUG * (row + 0.5),) * 2, 1.5, linestyle=style)
            for row, style in enumerate((_SOLID, _DASHED))
        ]

    def _zero(self) -> float:
        return self.x0 + self.width * float(self.paired.scale.share(np.zeros(1))[0])

    def _draw_zero(self, canvas: Canvas, top: float) -> Artist:
        y = top - PAD / 2, top + _HEIGHT + _RUG
        return canvas.line((self._zero(),) * 2, y, 1.2, color="0.25", zorder=4)

    def _draw_sides(self, canvas: Canvas, bottom: float) -> tuple[Artist, ...]:
        """Write which algorithm is better left and right of zero, at the ends of the axis."""
        return tuple(
            canvas.text(x, bottom, text, SMALL_SIZE, ha=side, va="bottom", linespacing=1.1)
            for x, text, side in zip(
                (self.x0, self.x0 + self.width), self.sides, ("left", "right"), strict=True
            )
        )

    # -------------------------------------------------------------------------- words

    def _sides(self) -> list[str]:
        pair = self.pair
        texts = [f"{pair.first} better: {pair.wins}", f"{pair.second} better: {pair.losses}"]
        texts.reverse()  # positive differences lie to the right
        return [wrapped(text, _WRAP_SIDE) for text in texts]

    def _measure(self) -> str:
        what = f"{self.pair.design.measure or 'score'}, {self.pair.design.better}"
        return what + self._times(self.scores)

    def _difference(self) -> str:
        pair = self.pair
        return f"{pair.design.minus(pair.first, pair.second)}{self._times(self.paired)}"

    def _times(self, panel: _Panel) -> str:
        return times(panel.scale.unit * self.unit)

    def _caption(self) -> list[str]:
        pair = self.pair
        sizes = f"{plural(len(self.differences), 'data set')}, {pair.ties} tied"
        p = format_p(float(pair.pvalue), float(pair.log10_pvalue))
        lines = [f"{sizes}; {stated_p(p)} ({PAIR_TESTS[pair.test].label})"]
        if self.paired.curves[0].spike:
            lines.append(f"All differences are {self._range(self.differences)}.")
        return lines

    def _legend(self) -> Legend:
        names = (self.pair.first, self.pair.second)
        return Legend(
            [
                Entry(wrapped(f"scores of {name}", _WRAP), partial(_symbol, dashed))
                for name, dashed in zip(names, (False, True), strict=True)
            ]
        )

    def _range(self, values: FloatArray, style: object = signed) -> str:
        ends = (values[[values.argmin(), values.argmax()]] * self.unit).tolist()
        texts = signed(ends) if style is signed else means(ends)
        return texts[0] if texts[0] == texts[1] else f"{texts[0]} to {texts[1]}"

    def _alt(self) -> str:
        pair = self.pair
        ranges = "; ".join(
            f"{name} {self._range(sample, means)}"
            for name, sample in zip((pair.first, pair.second), self.scores.samples, strict=True)
        )
        median = ""
        if pair.median_difference is not None:  # differences of several scales have none
            median = f", median {signed([pair.median_difference])[0]}"
        return (
            f"Densities of {pair.design.measure or 'scores'} ({pair.design.better}) over "
            f"{plural(len(self.differences), 'data set')}: {ranges}. Below, the density of the "
            f"differences, {pair.design.minus(pair.first, pair.second)}: "
            f"{self._range(self.differences)}{median}. {pair.first} is better on "
            f"{pair.wins}, {pair.second} on {pair.losses}, {pair.ties} tied."
        )


def _symbol(dashed: bool, canvas: Canvas, x: float, y: float) -> Sequence[Artist]:
    ends = (x - 0.12, x + 0.13)
    line = canvas.line(ends, (y - 0.02, y - 0.02), 1.5, linestyle=_DASHED if dashed else _SOLID)
    if dashed:
        return [line]
    under = canvas.box(ends, (y - 0.02, y + 0.06), 0.0, facecolor=FILL, edgecolor="none", alpha=0.6)
    return [under, line]
