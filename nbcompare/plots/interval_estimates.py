"""Aggregates of runs with their intervals: a panel for each aggregate, a row for each algorithm."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes

from nbcompare._render import plural
from nbcompare._validation import check_choice
from nbcompare.plots._labels import (
    LINE,
    SMALL_SIZE,
    caption_height,
    caption_width,
    draw_caption,
    wrapped,
)
from nbcompare.plots._marks import Mark, marked
from nbcompare.plots._plot import Canvas, Plot, check_result, text_width
from nbcompare.plots._scale import Scale
from nbcompare.plots._style import FILL, MARGIN, PAD, TICK
from nbcompare.results import Labelled, RunAggregates
from nbcompare.results.pair import percent
from nbcompare.words import AGGREGATES

# All lengths in inches, all font sizes in points.
_NAME_SIZE = 10.0
_WIDTH = 2.1  # of a panel
_APART = 0.24  # between panels
_ROW = 0.06  # between the lines of two names
_BAR = 0.13
_NARROW = 0.03  # an interval shorter than this is drawn as its estimate alone
_GRID = {"color": "0.88", "zorder": 0.5}


def interval_estimates(
    result: RunAggregates, what: str | Iterable[str] | None = None, *, ax: Axes | None = None
) -> Plot:
    """Draw aggregates of runs with their intervals, in a panel each.

    The rows are algorithms, the one with the best interquartile mean first. A bar extends from the
    lower to the upper end of the interval, and a tick marks the estimate. Each panel has an axis of
    its own.

    Parameters
    ----------
    result : RunAggregates
        Result of :func:`nbcompare.aggregate_runs` that has aggregates.
    what : str or iterable of str, optional
        Which aggregates, in the order of the panels: ``interquartile-mean``, ``median``, ``mean``,
        ``optimality-gap``. By default all that there are.
    ax : matplotlib.axes.Axes, optional
        Axes to draw on; the drawing shrinks to fit. By default, a new figure.

    Returns
    -------
    Plot
        Plot with the artists ``names``, ``titles`` (of the panels), ``intervals`` and
        ``estimates`` (panel by panel, best first; no bar where there is no interval), ``axes``
        and ``caption``.

    Raises
    ------
    ValueError
        If the result does not have such an aggregate; the message says what would allow it.

    References
    ----------
    Agarwal, R., Schwarzer, M., Castro, P. S., Courville, A. C. and Bellemare, M. G. (2021). Deep
    reinforcement learning at the edge of the statistical precipice. Advances in Neural
    Information Processing Systems 34, 29304-29320, figure 9.

    Examples
    --------
    >>> import nbcompare as nbc
    >>> result = nbc.aggregate_runs(nbc.datasets.load("stochastic_cv"))
    >>> plot = nbc.plots.interval_estimates(result)
    >>> [text.get_text() for text in plot.artists["titles"]]
    ['interquartile mean', 'median', 'mean']
    """
    check_result(result, "interval_estimates", RunAggregates)
    return _Panels(result, _chosen(result, what)).draw(ax)


def _chosen(result: RunAggregates, what: str | Iterable[str] | None) -> tuple[str, ...]:
    """Return the names of the aggregates to draw, which the result has."""
    if what is None:
        what = tuple(result.aggregates) or "interquartile-mean"
    names = (what,) if isinstance(what, str) else tuple(what)
    for name in names:
        check_choice(name, "what", tuple(AGGREGATES))
        result.aggregate(name)
    if not names:
        raise ValueError("`what` must name at least one aggregate; got none.")
    return names


class _Panels:
    """Drawing that is measured first and then drawn."""

    def __init__(self, result: RunAggregates, what: Sequence[str]) -> None:
        self.result, self.what = result, what
        self.order = [result.algorithms.index(name) for name in result.ordered]
        self.names = [wrapped(name) for name in result.ordered]
        self.scales = [self._scale(name) for name in what]
        self.titles = [self._title(*each) for each in zip(what, self.scales, strict=True)]

    def _scale(self, name: str) -> Scale:
        found = self.result.aggregate(name)
        return Scale(np.concatenate([found.estimate, found.lower, found.upper]), log=False)

    def _title(self, name: str, scale: Scale) -> str:
        record = AGGREGATES[name]
        more = f" to {self.result.target:g}\nless is better" if record.is_gap else ""
        return f"{record.label}{more}{scale.suffix}"

    def draw(self, ax: Axes | None) -> Plot:
        caption = self._caption()
        width = max(_WIDTH, *(text_width(title, SMALL_SIZE) for title in self.titles))
        left = MARGIN + max(text_width(name, _NAME_SIZE) for name in self.names) + PAD
        starts = [left + (width + _APART) * panel for panel in range(len(self.what))]
        right = starts[-1] + width + MARGIN + 0.12  # half a label may extend beyond the axis
        total = max(right, caption_width(caption) + 2 * MARGIN)
        shift = (total - right) / 2
        starts = [start + shift for start in starts]
        above = LINE * (max(title.count("\n") for title in self.titles) + 1)
        top = MARGIN + caption_height(caption) + 0.08 + above + PAD
        heights = [LINE * (name.count("\n") + 1) + _ROW for name in self.names]
        edges = top + np.cumsum([0.0, *heights])
        canvas = Canvas.of_size(total, edges[-1] + TICK + LINE + PAD + MARGIN, ax)
        middles = (edges[:-1] + edges[1:]) / 2
        artists: dict[str, list[Artist]] = {
            "names": [
                marked(
                    canvas.text(starts[0] - PAD, y, label, _NAME_SIZE, ha="right", linespacing=1.1),
                    self._about(place),
                )
                for y, label, place in zip(middles, self.names, self.order, strict=True)
            ],
            "titles": [
                canvas.text(x + width / 2, top - PAD - above / 2, title, SMALL_SIZE, ha="center")
                for x, title in zip(starts, self.titles, strict=True)
            ],
            "intervals": [],
            "estimates": [],
            "axes": [],
            "caption": [draw_caption(canvas, caption, total / 2, MARGIN)],
        }
        for x, name, scale in zip(starts, self.what, self.scales, strict=True):
            artists["axes"] += _axis(canvas, scale, (x, x + width), edges.tolist())
            for y, place in zip(middles.tolist(), self.order, strict=True):
                bars, tick = self._row(canvas, scale, name, place, (x, width, y))
                artists["intervals"] += bars
                artists["estimates"].append(tick)
        kept = Labelled({name: tuple(parts) for name, parts in artists.items()})
        return Plot(canvas.ax.figure, canvas.ax, kept, self._alt(), shown=ax is None)  # type: ignore[arg-type]

    def _row(
        self,
        canvas: Canvas,
        scale: Scale,
        name: str,
        place: int,
        at: tuple[float, float, float],
    ) -> tuple[list[Artist], Artist]:
        """Draw the interval of an algorithm, if it has one, and its estimate."""
        found, (left, width, y) = self.result.aggregate(name), at
        ends = np.array([found.lower[place], found.estimate[place], found.upper[place]])
        low, x, high = (left + width * scale.share(ends)).tolist()
        about = Mark(self._describe_estimate(name, place), (self.result.algorithms[place],))
        bars = []
        if high - low > _NARROW:
            style = {"facecolor": FILL, "edgecolor": "0.35", "zorder": 3}
            bars.append(canvas.box((low, high), (y - _BAR / 2, y + _BAR / 2), 0.6, **style))
        tick = canvas.line((x, x), (y - 0.08, y + 0.08), 1.8, zorder=4)
        return [marked(bar, about) for bar in bars], marked(tick, about)

    def _describe_estimate(self, name: str, place: int) -> str:
        label = AGGREGATES[name].label
        return f"{self.result.algorithms[place]}: {label} {self.result.told(name, place)}"

    def _about(self, place: int) -> Mark:
        """Return what a page says of an algorithm: all that is drawn of it."""
        name = self.result.algorithms[place]
        told = [f"{AGGREGATES[word].label} {self.result.told(word, place)}" for word in self.what]
        return Mark(f"{name}: {'; '.join(told)}", (name,))

    def _caption(self) -> list[str]:
        result = self.result
        sets = plural(result.design.n_datasets, "data set")
        return [
            f"Aggregates of the runs on {sets}, with {percent(result.confidence)} intervals",
            f"{result.measure}, {result.better}",
        ]

    def _alt(self) -> str:
        told = []
        for name in self.what:
            rows = [
                f"{self.result.algorithms[place]} {self.result.told(name, place)}"
                for place in self.order
            ]
            told.append(f"{AGGREGATES[name].label}: {', '.join(rows)}")
        return f"{'; '.join(self._caption())}. Best first. {'; '.join(told)}."


def _axis(
    canvas: Canvas, scale: Scale, ends: tuple[float, float], edges: Sequence[float]
) -> list[Artist]:
    """Draw the axis of a panel below its rows, with labels that do not touch, and a light grid."""
    bottom, width = edges[-1], ends[1] - ends[0]
    artists = [canvas.line(ends, (bottom, bottom), 0.8)]
    artists += [canvas.line(ends, (y, y), 0.4, **_GRID) for y in edges[:-1]]
    # labels may extend half way to the next panel
    taken, last = ends[0] - (_APART - 0.06) / 2, ends[1] + (_APART - 0.06) / 2
    for share, text in scale.ticks():
        x, half = ends[0] + width * share, text_width(text, SMALL_SIZE) / 2
        artists.append(canvas.line((x, x), (edges[0], bottom), 0.4, **_GRID))
        artists.append(canvas.line((x, x), (bottom, bottom + TICK), 0.8))
        if x - half >= taken and x + half <= last:
            y = bottom + TICK + LINE / 2
            artists.append(canvas.text(x, y, text, SMALL_SIZE, ha="center"))
            taken = x + half + 0.06
    return artists
