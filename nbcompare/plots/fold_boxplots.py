"""Boxplots of the runs of one algorithm, fold by fold, with the means of others."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial

import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes

from nbcompare._validation import DataError, check_name
from nbcompare.experiment import Experiment
from nbcompare.plots._folds import (
    SHAPES,
    FoldRuns,
    chosen_dataset,
    chosen_others,
    without_runs,
)
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
from nbcompare.plots._marks import Mark, items_marked, marked
from nbcompare.plots._plot import Canvas, Plot, text_width
from nbcompare.plots._style import FILL, MARGIN, PAD, TICK
from nbcompare.results import Labelled

# All lengths in inches, all font sizes in points.
_HEIGHT = 3.2
_LEAST_WIDTH, _WIDE = 2.6, 6.0
_BOX, _STRIP, _OTHER, _BETWEEN = 0.24, 0.2, 0.13, 0.16  # widths within a fold
_WIDEST, _NARROWEST = 14.0, 0.2  # width of all folds at most, and of one fold at least
_MARK = 5.5
_WRAP = 60  # characters per line of caption and legend
_WRAP_UPRIGHT = 42
_GOLDEN = (5**0.5 - 1) / 2


def fold_boxplots(
    experiment: Experiment,
    algorithm: str,
    others: Iterable[str] | None = None,
    *,
    dataset: str | None = None,
    ax: Axes | None = None,
) -> Plot:
    """Draw a boxplot of an algorithm's runs in every fold, with the means of others.

    The figure shows what a mean hides: runs that failed, two modes, folds that differ. Every
    run is a grey dot beside its box. A box extends from the lower to the upper quartile (linear
    interpolation) with a line at the median; whiskers extend to the outermost run within 1.5
    times the length of the box. A filled circle on the box is the mean of the runs. The other
    algorithms are drawn to the right, at their mean over the runs in the fold.

    Parameters
    ----------
    experiment : Experiment
        Experiment with several runs of the algorithm.
    algorithm : str
        Algorithm whose runs are drawn.
    others : iterable of str, optional
        Up to 6 other algorithms. By default, the first 6 that have a score on the data set,
        or all of them if they are fewer.
    dataset : str, optional
        Data set to draw. It may be omitted if there is only one.
    ax : matplotlib.axes.Axes, optional
        Axes to draw on; the drawing shrinks to fit. By default, a new figure.

    Returns
    -------
    Plot
        Plot with the artists ``boxes``, ``whiskers`` (with the medians), ``runs`` and ``means``
        (one of each per fold, in order), ``others`` (one per other algorithm), ``folds``
        (names of the folds; none if there is only one fold), ``axis`` and ``legend``.

    Raises
    ------
    TypeError
        If ``experiment`` is not an Experiment, or ``others`` is not a list of names.
    ValueError
        If a name is not in the experiment, if no data set is given and there are several, or
        if there are more than 6 others.
    DataError
        If scores are intervals, or no fold of the data set has several runs of the algorithm.

    References
    ----------
    Otero, J., Sánchez, L. and Couso, I. (2010). Comparación estadística de algoritmos de
    aprendizaje estocásticos usando tests extendidos a datos intervalo-valorados y borrosos,
    Figures 4 to 7.

    Examples
    --------
    >>> import numpy as np
    >>> import nbcompare as nbc
    >>> rng = np.random.default_rng(0)
    >>> scores = np.full((1, 2, 10, 30), 0.5)
    >>> scores[0, 0] = rng.normal(0.4, 0.05, size=(10, 30))
    >>> experiment = nbc.Experiment.from_array(
    ...     scores, direction="minimize", algorithms=["SAP", "linear"])
    >>> plot = nbc.plots.fold_boxplots(experiment, "SAP")
    >>> len(plot.artists["boxes"]), len(plot.artists["runs"][0].get_xdata())
    (10, 30)
    """
    if not isinstance(experiment, Experiment):
        raise TypeError(
            f"`experiment` must be an Experiment; got {type(experiment).__name__}. "
            "Make one with Experiment.from_frame(frame, direction=...)."
        )
    if experiment.is_interval:
        raise DataError(
            "`experiment` holds interval-valued scores, which have no quartiles; "
            "interval_forest draws the means of intervals."
        )
    place = experiment.datasets.index(chosen_dataset(experiment, dataset))
    if experiment.turned:  # a data set alone has its own direction
        experiment, place = experiment.select(datasets=[experiment.datasets[place]]), 0
    check_name(algorithm, "algorithm", experiment.algorithms)
    runs = experiment.scores[place, experiment.algorithms.index(algorithm)]
    if not (np.isfinite(runs).sum(axis=1) > 1).any():
        raise DataError(without_runs(experiment, algorithm, place))
    chosen = chosen_others(experiment, algorithm, others, place)
    data = FoldRuns(experiment, algorithm, chosen, place)
    return _Boxplots(data, experiment.n_algorithms).draw(ax)


class _Boxplots:
    """Drawing that is measured first and then drawn."""

    def __init__(self, data: FoldRuns, n_algorithms: int) -> None:
        self.data, self.n_algorithms = data, n_algorithms
        n_folds = len(data.folds)
        ideal = _BETWEEN + _BOX + _STRIP + _OTHER * len(data.others)
        self.column = max(min(ideal, _WIDEST / n_folds), min(ideal, _NARROWEST))
        self.squeeze = self.column / ideal
        self.width = max(self.column * n_folds, _LEAST_WIDTH)
        self.column = self.width / n_folds
        self.x0 = self.y0 = 0.0  # upper left corner of the axes, known when drawn

    # ------------------------------------------------------------------------ drawing

    def draw(self, ax: Axes | None) -> Plot:
        caption, legend, ticks = self._caption(), self._legend(), self.data.scale.ticks()
        upright = wrapped(self.data.measure, _WRAP_UPRIGHT)
        lines = upright.count("\n") + 1
        numbers = max((text_width(text, SMALL_SIZE) for _, text in ticks), default=0.0)
        self.x0 = MARGIN + LINE * lines + PAD + numbers + PAD + TICK
        self.y0 = MARGIN + caption_height(caption) + 0.1
        total = max(self.x0 + self.width + MARGIN, caption_width(caption) + 2 * MARGIN)
        total = max(total, legend.least_width + 2 * MARGIN)
        names, turned = self._fold_names()
        below = self.y0 + _HEIGHT + TICK + PAD + names
        bottom = below + (LINE + PAD if names else 0.0) + 0.04
        room = total - 2 * MARGIN
        canvas = Canvas.of_size(total, bottom + legend.height(room) + MARGIN, ax)
        draw_caption(canvas, caption, total / 2, MARGIN)
        artists: dict[str, tuple[Artist, ...]] = {
            "axis": self._draw_axis(canvas, ticks, upright, numbers),
            "folds": self._draw_folds(canvas, turned, below) if names else (),
            **self._draw_boxes(canvas),
            "runs": self._draw_runs(canvas),
            "means": self._draw_means(canvas),
            "others": self._draw_others(canvas),
            "legend": legend.draw(canvas, MARGIN, bottom, room),
        }
        alt = self.data.alt()
        return Plot(canvas.ax.figure, canvas.ax, Labelled(artists), alt, shown=ax is None)  # type: ignore[arg-type]

    def _fold_names(self) -> tuple[float, bool]:
        """Return the height of the names of folds, and whether they must be rotated."""
        if not self.data.in_folds:
            return 0.0, False
        widest = max(text_width(name, SMALL_SIZE) for name in self.data.folds)
        return (widest, True) if widest + 0.06 > self.column else (LINE, False)

    def _x(self, fold: int, offset: float) -> float:
        """Return the position at an offset from the left end of the drawing of a fold."""
        used = (_BOX + _STRIP + _OTHER * len(self.data.others)) * self.squeeze
        return self.x0 + self.column * (fold + 0.5) - used / 2 + offset * self.squeeze

    def _y(self, share: float) -> float:
        return self.y0 + _HEIGHT * (1 - share)

    def _draw_axis(
        self, canvas: Canvas, ticks: list[tuple[float, str]], upright: str, numbers: float
    ) -> tuple[Artist, ...]:
        left, right, bottom = self.x0, self.x0 + self.width, self._y(0)
        artists = [canvas.line((left, left, right), (self._y(1), bottom, bottom), 0.8)]
        for share, text in ticks:
            y = self._y(share)
            artists.append(canvas.line((left, right), (y, y), 0.5, color="0.9", zorder=0))
            artists.append(canvas.line((left - TICK, left), (y, y), 0.8))
            artists.append(canvas.text(left - TICK - 0.03, y, text, SMALL_SIZE, ha="right"))
        for fold in range(1, len(self.data.folds)):
            x = left + self.column * fold
            artists.append(canvas.line((x, x), (self._y(1), bottom), 0.5, color="0.9", zorder=0))
        x = left - TICK - PAD - numbers - PAD - LINE * (upright.count("\n") + 1) / 2
        y = self._y(0.5)
        artists.append(canvas.text(x, y, upright, SMALL_SIZE, ha="center", rotation=90))
        return tuple(artists)

    def _draw_folds(self, canvas: Canvas, turned: bool, below: float) -> tuple[Artist, ...]:
        y = self._y(0) + TICK + 0.03
        step = self._every() if turned else 1
        names = [
            canvas.text(
                self.x0 + self.column * (fold + 0.5),
                y,
                name,
                SMALL_SIZE,
                ha="center",
                va="top",
                rotation=90 if turned else 0,
            )
            for fold, name in enumerate(self.data.folds)
            if fold % step == 0
        ]
        middle = self.x0 + self.width / 2
        canvas.text(middle, below + LINE / 2 + 0.02, "fold", SMALL_SIZE, ha="center")
        return tuple(names)

    def _every(self) -> int:
        """Return the step between folds that are named, if rotated names need more room."""
        return int(np.ceil(0.16 / self.column))

    def _draw_boxes(self, canvas: Canvas) -> dict[str, tuple[Artist, ...]]:
        boxes, whiskers = [], []
        for fold, box in enumerate(self.data.boxes):
            x = self._x(fold, 0.03), self._x(fold, _BOX - 0.03)
            middle = (x[0] + x[1]) / 2
            ends = self._y(box.lower), self._y(box.upper)
            drawn = canvas.box(x, ends, 0.9, facecolor=FILL, edgecolor="0.2", zorder=2)
            boxes.append(marked(drawn, self._about(self.data.algorithm, fold)))
            whiskers += [
                canvas.line((middle, middle), (ends[0], self._y(box.least)), 0.9, color="0.2"),
                canvas.line((middle, middle), (ends[1], self._y(box.most)), 0.9, color="0.2"),
                canvas.line(x, (self._y(box.median),) * 2, 2.0, zorder=3),
            ]
        return {"boxes": tuple(boxes), "whiskers": tuple(whiskers)}

    def _draw_runs(self, canvas: Canvas) -> tuple[Artist, ...]:
        artists = []
        for fold, runs in enumerate(self.data.runs):
            # runs with the same score are drawn side by side
            spread = _BOX + _STRIP * (0.1 + 0.7 * ((np.arange(len(runs)) * _GOLDEN) % 1))
            artists.append(
                canvas.ax.plot(
                    [self._x(fold, float(offset)) for offset in spread],
                    [self._y(float(run)) for run in np.sort(runs)],
                    linestyle="none",
                    marker="o",
                    markersize=2.6 * canvas.scale,
                    markerfacecolor="0.35",
                    markeredgecolor="none",
                    alpha=0.6,
                    clip_on=False,
                    zorder=3,
                )[0]
            )
        return tuple(artists)

    def _draw_means(self, canvas: Canvas) -> tuple[Artist, ...]:
        return tuple(
            canvas.marker(
                self._x(fold, _BOX / 2), self._y(mean), "o", self._size - 0.5, filled=True
            )
            for fold, mean in enumerate(self.data.means[0])
            if mean is not None
        )

    def _draw_others(self, canvas: Canvas) -> tuple[Artist, ...]:
        artists = []
        for number, means in enumerate(self.data.means[1:]):
            shape, filled = SHAPES[number]
            offset = _BOX + _STRIP + _OTHER * (number + 0.5)
            there = [(fold, mean) for fold, mean in enumerate(means) if mean is not None]
            x = [self._x(fold, offset) for fold, _ in there]
            y = [self._y(mean) for _, mean in there]
            points = canvas.markers(x, y, shape, self._size, filled=filled)
            name = self.data.others[number]
            artists.append(items_marked(points, [self._about(name, fold) for fold, _ in there]))
        return tuple(artists)

    def _about(self, name: str, fold: int) -> Mark:
        where = f", fold {self.data.folds[fold]}" if self.data.in_folds else ""
        what = "runs of " if name == self.data.algorithm else "mean of "
        return Mark(f"{what}{name}{where}", (name,))

    @property
    def _size(self) -> float:
        """Size of marks, which is smaller if folds are narrow."""
        return max(2.5, _MARK * min(1.0, float(np.sqrt(self.squeeze))))

    # -------------------------------------------------------------------------- words

    def _caption(self) -> list[str]:
        what = f"{self.data.algorithm} on {self.data.dataset}: {self.data.sizes}"
        lines = wrapped(what, _WRAP if self.width < _WIDE else 2 * _WRAP).split("\n")
        count = self.n_algorithms - 1
        if len(self.data.others) < count:
            lines.append(f"with {len(self.data.others)} of {count} other algorithms")
        return lines

    def _legend(self) -> Legend:
        entries = [
            Entry(wrapped(f"runs of {self.data.algorithm}", _WRAP), _box_symbol),
            Entry("their mean", partial(_symbol, ("o", True))),
        ]
        entries += [
            Entry(wrapped(name, _WRAP), partial(_symbol, shape))
            for name, shape in zip(self.data.others, SHAPES, strict=False)
        ]
        return Legend(entries)


def _symbol(shape: tuple[str, bool], canvas: Canvas, x: float, y: float) -> Sequence[Artist]:
    return [canvas.marker(x, y, shape[0], _MARK, filled=shape[1])]


def _box_symbol(canvas: Canvas, x: float, y: float) -> Sequence[Artist]:
    box = (x - 0.12, x + 0.02), (y - 0.05, y + 0.05)
    dots = [(x + 0.06, y + 0.04), (x + 0.1, y - 0.02), (x + 0.07, y - 0.05)]
    return [
        canvas.box(*box, 0.9, facecolor=FILL, edgecolor="0.2"),
        canvas.line((x - 0.05, x - 0.05), box[1], 2.0),
        *(
            canvas.ax.plot(
                *place,
                marker="o",
                markersize=2.6 * canvas.scale,
                markerfacecolor="0.35",
                markeredgecolor="none",
                alpha=0.6,
                clip_on=False,
            )[0]
            for place in dots
        ),
    ]
