"""Posterior distribution of one pair: a triangle of the shares of three regions, or a density."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.collections import PolyCollection

from nbcompare._arrays import FloatArray
from nbcompare.plots._labels import (
    LINE,
    SMALL_SIZE,
    caption_height,
    caption_width,
    draw_caption,
    wrapped,
)
from nbcompare.plots._marks import Mark, items_marked, marked
from nbcompare.plots._plot import Canvas, Plot, check_result, text_width
from nbcompare.plots._scale import Scale
from nbcompare.plots._style import FILL, MARGIN, PAD, TICK
from nbcompare.results import BayesianComparison, Labelled
from nbcompare.results.bayesian import FIRST, SECOND
from nbcompare.results.bayesian_account import told_of_pair
from nbcompare.results.decisions import EQUIVALENT

# All lengths in inches, all font sizes in points.
_SIDE = 3.6  # of the triangle
_SIZE = 9.5  # of what is said of the regions
_WRAP, _WRAP_AXIS = 28, 66
_WIDTH, _HEIGHT = 4.4, 1.5  # of a density
_GAP = 0.3  # between texts side by side
_FEW, _MANY = (0.87, 0.92, 0.97), (0.03, 0.19, 0.42)  # colours of few and many draws
_REACH = 4.5  # a density extends so many scales beyond its middle
_N_POINTS = 301
_BAND = "#e3e3e3"  # the region of practical equivalence
_DASHED = (0, (4, 2))


def posterior_simplex(
    result: BayesianComparison, a: str, b: str, *, ax: Axes | None = None
) -> Plot:
    """Draw the posterior distribution behind the probabilities of one pair.

    Over data sets, each draw divides a whole among three regions: ``a`` is better, the two are
    practically equivalent, ``b`` is better. The triangle shows where draws lie: near a corner,
    the region of that corner has most of the share. Dashed lines separate the parts in which each
    region has the largest share, and the probability of a region is that of its part. Without a
    region of equivalence the triangle is a line, on which the share of ``a`` has a histogram. On
    the folds of one data set, the density of the expected difference is drawn, with the region of
    equivalence as a band.

    Parameters
    ----------
    result : BayesianComparison
        Result of :func:`nbcompare.compare_bayesian`.
    a, b : str
        The two algorithms, in either order; ``a`` stands at the right.
    ax : matplotlib.axes.Axes, optional
        Axes to draw on; the drawing shrinks to fit. By default, a new figure.

    Returns
    -------
    Plot
        Plot with the artists ``cells`` (hexagons, darker where there are more draws) or
        ``density``, ``borders`` (between the regions), ``regions`` (their texts: ``a``, ``b``,
        equivalence if there is such a region), ``axis`` (outline of the triangle, or axis) and
        ``caption``.

    Raises
    ------
    ValueError
        If the two are not a pair of the result, or the result has too many pairs to hold draws.

    References
    ----------
    Benavoli, A., Corani, G., Demšar, J. and Zaffalon, M. (2017). Time for a change: a tutorial
    for comparing multiple classifiers through Bayesian analysis. Journal of Machine Learning
    Research 18(77), 1-36, Figure 5.

    Examples
    --------
    >>> import nbcompare as nbc
    >>> result = nbc.compare_bayesian(nbc.datasets.load("demsar2006"), rope=0.01)
    >>> plot = nbc.plots.posterior_simplex(result, "C4.5+m+cf", "C4.5")
    >>> [" ".join(text.get_text().split()) for text in plot.artists["regions"]]
    ['C4.5+m+cf is better: 0.962', 'C4.5 is better: < 0.001', 'practically equivalent: 0.037']
    """
    check_result(result, "posterior_simplex", BayesianComparison)
    row, turned = result.pair(a, b)
    pair = _Pair(result, row, a, b, turned)
    if result.spread is not None:
        return _Line(pair, *_of_difference(pair, float(result.spread[row]))).draw(ax)
    if result.draws is None:
        raise ValueError(
            f"`result` must have at most 300 pairs to hold draws for a figure of one; got "
            f"{len(result)}. Compare the two alone, which gives the same probabilities: "
            f"experiment.select(algorithms={[a, b]!r})."
        )
    return _Line(pair, *_of_share(pair)).draw(ax) if not result.rope else _triangle(pair, ax)


@dataclass(frozen=True)
class _Pair:
    """A pair as it is drawn: ``a`` at the right, whether it is the first of the result or not."""

    result: BayesianComparison
    row: int
    a: str
    b: str
    turned: bool

    @cached_property
    def texts(self) -> list[str]:
        """What is said of the regions: ``a`` better, ``b`` better, and equivalence if there is."""
        result, row = self.result, self.row
        values = [float(part[row]) for part in (result.first_better, result.second_better)]
        told = [
            wrapped(f"{name} is better: {result.chance(value)}", _WRAP)
            for name, value in zip(
                (self.a, self.b), values[::-1] if self.turned else values, strict=True
            )
        ]
        if result.rope:
            told.append(f"practically equivalent: {result.chance(float(result.equivalent[row]))}")
        return told

    @property
    def claimed(self) -> int | None:
        """Which of the regions is claimed, if one is."""
        places = {FIRST: int(self.turned), SECOND: int(not self.turned), EQUIVALENT: 2}
        return places.get(self.result.decision[self.row])

    @property
    def mark(self) -> Mark:
        """What a page says of the pair."""
        first, second = self.result.first[self.row], self.result.second[self.row]
        return Mark(told_of_pair(self.result, self.row), (first, second), pair=True)

    def region(self, canvas: Canvas, which: int, x: float, y: float, side: str) -> Artist:
        """Write what is said of a region above a height, or in the middle of it."""
        bold = "bold" if which == self.claimed else None
        text = canvas.text(
            x, y, self.texts[which], _SIZE, ha=side, fontweight=bold, linespacing=1.15
        )
        return marked(text, self.mark)

    def height(self, *which: int) -> float:
        """Return the height of the largest of some texts."""
        return max((LINE + 0.02) * (self.texts[one].count("\n") + 1) for one in which)

    def width(self, which: int) -> float:
        """Return the width of a text, which may be bold."""
        return text_width(self.texts[which], _SIZE, bold=True)

    def caption(self, what: str) -> list[str]:
        """Return the lines of the caption, which begins with what is drawn."""
        result = self.result
        half = f"differences up to {result.region} are equivalent"
        region = half if result.rope else "no region of equivalence"
        return [
            *wrapped(what, _WRAP_AXIS).split("\n"),
            *wrapped(f"{result.record.label}, {result.where}; {region}", _WRAP_AXIS).split("\n"),
        ]

    def alt(self, what: str) -> str:
        """Return the alternative text of the figure."""
        told = "; ".join(" ".join(text.split()) for text in self.texts)
        claim = self.result.claim(self.row)
        data = f"{self.result.record.label}, {self.result.where}"
        return f"{what} for {self.a} and {self.b} ({data}). {told}. Claim: {claim}."


# ------------------------------------------------------------------------------ triangle


def _triangle(pair: _Pair, ax: Axes | None) -> Plot:
    """Draw the draws of the shares in a triangle."""
    counts, shares = _lattice(pair)
    n = int(counts.sum())
    what = f"{n:,} draws of the shares of three regions; darker: more draws"
    caption = pair.caption(what)
    height = _SIDE * math.sqrt(3) / 2
    total = max(_SIDE, pair.width(0) + pair.width(1) + _GAP, pair.width(2), caption_width(caption))
    total += 2 * MARGIN
    top = MARGIN + caption_height(caption) + 0.08 + pair.height(2) + PAD
    bottom = top + height + 2 * PAD
    canvas = Canvas.of_size(total, bottom + pair.height(0, 1) + MARGIN, ax)
    middle = total / 2
    # at the right, at the left and at the top, as shares of a, of b and of equivalence
    corners = np.array(
        [(middle + _SIDE / 2, top + height), (middle - _SIDE / 2, top + height), (middle, top)]
    )
    below = bottom + pair.height(0, 1) / 2
    ends = (total - MARGIN, MARGIN)
    if total - 2 * MARGIN > _SIDE + 2 * _GAP:  # texts wider than the triangle
        room = max(_SIDE, pair.width(0) + pair.width(1) + _GAP)
        ends = (middle + room / 2, middle - room / 2)
    centre = corners.mean(axis=0)
    borders = [
        canvas.line(
            tuple(np.array([centre[0], edge[0]]).tolist()),
            tuple(np.array([centre[1], edge[1]]).tolist()),
            0.9,
            linestyle=_DASHED,
            color="0.25",
            zorder=4,
        )
        for edge in ((corners[0] + corners[1]) / 2, (corners[0] + corners[2]) / 2,
                     (corners[1] + corners[2]) / 2)
    ]  # fmt: skip
    outline = canvas.polygon(corners.tolist(), 1.2, facecolor="none", edgecolor="black", zorder=5)
    artists: dict[str, tuple[Artist, ...]] = {
        "cells": (_hexagons(canvas, pair, corners, shares, counts),),
        "borders": tuple(borders),
        "regions": (
            pair.region(canvas, 0, ends[0], below, "right"),
            pair.region(canvas, 1, ends[1], below, "left"),
            pair.region(canvas, 2, middle, top - PAD - pair.height(2) / 2, "center"),
        ),
        "axis": (outline,),
        "caption": (draw_caption(canvas, caption, middle, MARGIN),),
    }
    alt = pair.alt("Triangle of draws of the shares of three regions")
    return Plot(canvas.ax.figure, canvas.ax, Labelled(artists), alt, shown=ax is None)  # type: ignore[arg-type]


def _lattice(pair: _Pair) -> tuple[FloatArray, FloatArray]:
    """Return how many draws are at each point of the lattice, and the shares of that point.

    These are the shares of ``a``, of ``b`` and of equivalence.
    """
    draws = pair.result.draws
    counts = np.zeros(0) if draws is None else draws[pair.row].astype(np.float64)
    steps = (math.isqrt(8 * len(counts) + 1) - 3) // 2
    first, second = (
        np.array(part)
        for part in zip(
            *((i, j) for i in range(steps + 1) for j in range(steps + 1 - i)), strict=True
        )
    )
    own = (second, first) if pair.turned else (first, second)
    return counts, np.stack([*own, steps - first - second], axis=1) / steps


def _hexagons(
    canvas: Canvas, pair: _Pair, corners: FloatArray, shares: FloatArray, counts: FloatArray
) -> Artist:
    """Draw a hexagon at each point that has draws."""
    steps = round(1 / shares[shares > 0].min())
    # towards the middle, so that hexagons at the edges lie inside; regions stay as they are
    shrunk = steps / (steps + 2)
    centre = corners.mean(axis=0)
    places = centre + shrunk * (shares @ corners - centre)
    radius = shrunk * _SIDE / steps / math.sqrt(3)
    angles = np.pi / 6 + np.pi / 3 * np.arange(6)
    shape = radius * np.stack([np.cos(angles), np.sin(angles)], axis=1)
    there = np.flatnonzero(counts)
    depth = np.sqrt(counts[there] / counts.max())[:, np.newaxis]
    colors = np.array(_FEW) + depth * (np.array(_MANY) - np.array(_FEW))
    artist = PolyCollection(
        [places[place] + shape for place in there],
        facecolors=colors,
        edgecolors="none",
        linewidths=0,
        clip_on=False,
        zorder=2,
    )
    canvas.ax.add_collection(artist, autolim=False)
    return items_marked(artist, [pair.mark] * len(there))


# ------------------------------------------------------------------------------- a line


@dataclass(frozen=True, slots=True)
class _Curve:
    """An outline of a density as values and heights, with the values that separate regions."""

    x: FloatArray
    height: FloatArray
    borders: tuple[float, ...]
    what: str
    axis: str


def _of_share(pair: _Pair) -> tuple[_Curve, Scale]:
    """Return the histogram of the share of ``a``, where there is no region of equivalence."""
    draws = pair.result.draws
    counts = np.zeros(0) if draws is None else draws[pair.row].astype(np.float64)
    counts = counts[::-1] if pair.turned else counts
    steps = len(counts) - 1
    edges = np.clip((np.arange(steps + 2) - 0.5) / steps, 0, 1)
    density = counts / np.diff(edges)
    x = np.repeat(edges, 2)[1:-1]
    curve = _Curve(
        x,
        np.repeat(density / density.max(), 2),
        (0.5,),
        f"Histogram of {int(counts.sum()):,} draws of the share of {pair.a}",
        f"share of the comparisons of data sets in favour of {pair.a}",
    )
    return curve, Scale(np.array([0.0, 1.0]), log=False, margin=0.02)


def _of_difference(pair: _Pair, spread: float) -> tuple[_Curve, Scale]:
    """Return the density of the expected difference on the folds of a data set."""
    result = pair.result
    values = result.mean_difference
    mean = 0.0 if values is None else float(values[pair.row])
    mean = -mean if pair.turned else mean
    df = result.n_differences - 1
    t = np.linspace(-_REACH, _REACH, _N_POINTS)
    curve = _Curve(
        mean + spread * t if spread else np.array([mean, mean]),
        (1 + t * t / df) ** (-(df + 1) / 2) if spread else np.array([0.0, 1.0]),
        (-result.rope, result.rope) if result.rope else (0.0,),
        f"Density of the expected difference of {result.design.measure or 'scores'}",
        f"{result.design.minus(pair.a, pair.b)}; {result.design.better}",
    )
    return curve, Scale(np.array([*curve.x[[0, -1]], *curve.borders, 0.0]), log=False)


class _Line:
    """A density over an axis, with the regions told above it."""

    def __init__(self, pair: _Pair, curve: _Curve, scale: Scale) -> None:
        self.pair, self.curve, self.scale = pair, curve, scale
        self.left = MARGIN

    def _at(self, value: float) -> float:
        return self.left + _WIDTH * float(self.scale.share(np.array([value]))[0])

    def draw(self, ax: Axes | None) -> Plot:
        """Draw caption, regions, density and axis."""
        pair, curve = self.pair, self.curve
        caption = pair.caption(curve.what)
        label = wrapped(f"{curve.axis}{self.scale.suffix}", _WRAP_AXIS)
        ticks = self.scale.ticks()
        sides = pair.width(0) + pair.width(1) + _GAP
        widest = max(_WIDTH, sides, caption_width(caption), text_width(label, SMALL_SIZE))
        total = widest + 2 * MARGIN + 0.2
        self.left = (total - _WIDTH) / 2
        over = pair.height(2) + PAD if pair.result.rope else 0.0
        first = MARGIN + caption_height(caption) + 0.1
        top = first + over + pair.height(0, 1) + PAD
        base = top + _HEIGHT
        under = LINE * (label.count("\n") + 1)
        canvas = Canvas.of_size(total, base + TICK + LINE + 0.04 + under + MARGIN, ax)
        ends = min(self.left, (total - sides) / 2)
        y = top - PAD - pair.height(0, 1) / 2
        regions = [
            pair.region(canvas, 0, total - ends, y, "right"),
            pair.region(canvas, 1, ends, y, "left"),
        ]
        if pair.result.rope:
            middle = first + pair.height(2) / 2
            regions.append(pair.region(canvas, 2, total / 2, middle, "center"))
        artists: dict[str, tuple[Artist, ...]] = {
            "density": self._draw_density(canvas, base),
            "borders": self._draw_borders(canvas, top, base),
            "regions": tuple(regions),
            "axis": tuple(self._draw_axis(canvas, ticks, base, label, total / 2)),
            "caption": (draw_caption(canvas, caption, total / 2, MARGIN),),
        }
        alt = pair.alt(curve.what)
        return Plot(canvas.ax.figure, canvas.ax, Labelled(artists), alt, shown=ax is None)  # type: ignore[arg-type]

    def _draw_density(self, canvas: Canvas, base: float) -> tuple[Artist, ...]:
        x = [self._at(value) for value in self.curve.x.tolist()]
        y = [base - _HEIGHT * 0.96 * height for height in self.curve.height.tolist()]
        outline = (x[0], *x, x[-1]), (base, *y, base)
        style = {"facecolor": FILL, "edgecolor": "none", "alpha": 0.85, "zorder": 2}
        return (
            marked(canvas.polygon(list(zip(*outline, strict=True)), 0.0, **style), self.pair.mark),
            marked(canvas.line(*outline, 1.5, zorder=3), self.pair.mark),
        )

    def _draw_borders(self, canvas: Canvas, top: float, base: float) -> tuple[Artist, ...]:
        places = [self._at(border) for border in self.curve.borders]
        lines: list[Artist] = [
            canvas.line((x, x), (top, base), 0.9, linestyle=_DASHED, color="0.25", zorder=4)
            for x in places
        ]
        if len(places) == 2:
            band = {"facecolor": _BAND, "edgecolor": "none", "zorder": 1}
            lines.append(canvas.box((places[0], places[1]), (top, base), 0.0, **band))
        return tuple(lines)

    def _draw_axis(
        self,
        canvas: Canvas,
        ticks: Sequence[tuple[float, str]],
        base: float,
        label: str,
        middle: float,
    ) -> list[Artist]:
        artists = [canvas.line((self.left, self.left + _WIDTH), (base, base), 0.8)]
        taken = -math.inf  # right end of the last label drawn
        for share, text in ticks:
            x, half = self.left + _WIDTH * share, text_width(text, SMALL_SIZE) / 2
            artists.append(canvas.line((x, x), (base, base + TICK), 0.8))
            if x - half > taken:
                y = base + TICK + LINE / 2
                artists.append(canvas.text(x, y, text, SMALL_SIZE, ha="center"))
                taken = x + half + PAD
        y = base + TICK + LINE * (1 + (label.count("\n") + 1) / 2) + 0.02
        artists.append(canvas.text(middle, y, label, SMALL_SIZE, ha="center"))
        return artists
