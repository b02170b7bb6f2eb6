"""Scatter plot of the scores of two algorithms, with a mark per data set."""

from __future__ import annotations

import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.patches import Polygon

from nbcompare._arrays import BoolArray, FloatArray
from nbcompare._options import MAXIMIZE
from nbcompare._render import format_p, plural, stated_p
from nbcompare._validation import DataError, check_choice, check_count
from nbcompare.plots._labels import means, wrapped
from nbcompare.plots._marks import Mark, items_marked
from nbcompare.plots._plot import Canvas, Plot, check_result, text_width
from nbcompare.plots._scale import Scale
from nbcompare.results import Labelled, PairComparison
from nbcompare.words import PAIR_TESTS

# All lengths in inches, all font sizes in points.
_NAME_SIZE = 10.0
_SMALL_SIZE = 8.5
_KEY_SIZE = 7.5
_MARGIN = 0.12
_LINE = 0.165
_SIDE = 3.6
_PAD = 0.06
_TICK = 0.05
_MARK = 5.5
_TINT = "#e8f1fa"
_WRAP = 42  # characters per line beside the square plot
_WRAP_BELOW = 60  # characters per line above and below it
# Marker shape of each outcome, and whether it is filled
_FIRST, _SECOND, _TIED = ("o", True), ("s", False), ("x", True)


def pair_scatter(
    pair: PairComparison, *, ax: Axes | None = None, scale: str = "linear", label: int = 0
) -> Plot:
    """Draw the scores of two algorithms against each other, with the line of equal scores.

    The vertical axis shows the score of the first algorithm, the horizontal axis that of the
    second, on the same scale. Filled circles are data sets on which the first is better, hollow
    squares those on which the second is better, and crosses are ties. The side of the diagonal
    on which the first algorithm is better is tinted.

    Parameters
    ----------
    pair : PairComparison
        Result of :func:`nbcompare.compare_pair`.
    ax : matplotlib.axes.Axes, optional
        Axes to draw on; the drawing shrinks to fit. By default, a new figure.
    scale : {"linear", "log"}
        Scale of both axes. ``log`` requires scores above 0.
    label : int, default 0
        How many data sets to label. Those farthest from the diagonal (on the scale drawn) are
        numbered, and named below the plot, farthest first. Of equally distant ones, the first
        in the data are chosen.

    Returns
    -------
    Plot
        Plot with the artists ``points`` (one per outcome: first better, second better, tied),
        ``diagonal``, ``regions`` (texts on either side of it, with counts), ``axis`` (frame,
        ticks and names), ``labels`` and ``key`` (numbers and names of data sets; empty unless
        requested).

    Raises
    ------
    DataError
        If ``scale`` is "log" and a score is not above 0.
    ValueError
        If ``scale`` is not one of these words, or ``label`` is not an integer of at least 0.

    Examples
    --------
    >>> import nbcompare as nbc
    >>> pair = nbc.compare_pair(nbc.datasets.load("demsar2006"), "C4.5+m", "C4.5")
    >>> plot = nbc.plots.pair_scatter(pair, label=1)
    >>> [text.get_text() for text in plot.artists["key"]]
    ['1  lymphography: C4.5+m 0.8380, C4.5 0.7750']
    """
    check_result(pair, "pair_scatter", PairComparison)
    check_choice(scale, "scale", ("linear", "log"))
    count = check_count(label, "label", least=0)
    scores = np.asarray(pair.scores, dtype=np.float64)
    if scale == "log" and not (scores > 0).all():
        row, column = (int(i) for i in np.argwhere(~(scores > 0))[0])
        raise DataError(
            '`scale` must be "linear" unless all scores are above 0; the score of '
            f"{(pair.first, pair.second)[column]!r} on {pair.design.datasets[row]!r} is "
            f"{float(scores[row, column])!r}."
        )
    return _Scatter(pair, scores, log=scale == "log", count=count).draw(ax)


class _Scatter:
    """Drawing that is measured first and then drawn."""

    def __init__(self, pair: PairComparison, scores: FloatArray, *, log: bool, count: int) -> None:
        self.pair, self.scores = pair, scores
        self.scale = Scale(scores, log=log)
        self.first_better, self.second_better, self.tied = self._outcomes()
        self.places = self.scale.share(scores)
        distance = np.abs(self.places[:, 0] - self.places[:, 1])
        # rounding keeps equally distant points in the order of the data
        order = np.lexsort((np.arange(len(distance)), -distance.round(12)))
        self.farthest = [int(row) for row in order[:count]]
        self.regions = self._regions()
        self.names = [wrapped(f"{name}{self.scale.suffix}") for name in (pair.first, pair.second)]
        # the square is at least as large as the texts along its sides
        sides = [text_width(text, _NAME_SIZE) for text in self.names]
        sides += [text_width(text, _SMALL_SIZE) + 0.2 for text in self.regions]
        self.side = max(_SIDE, *sides)
        self.x0 = self.y0 = 0.0  # upper left corner of the square, known when drawn

    def _outcomes(self) -> tuple[BoolArray, BoolArray, BoolArray]:
        """Return where each algorithm is better; the ties counted are the closest pairs."""
        first, second = self.scores.T
        largest = np.maximum(np.abs(first), np.abs(second))
        largest[largest == 0] = 1.0
        gap = np.abs(first / largest - second / largest)
        tied = np.zeros(len(gap), dtype=np.bool_)
        tied[np.argsort(gap, kind="stable")[: int(self.pair.ties)]] = True
        better = (first > second) == (self.pair.design.gain_signs > 0)
        return ~tied & better, ~tied & ~better, tied

    # ------------------------------------------------------------------------ drawing

    def draw(self, ax: Axes | None) -> Plot:
        caption, key = self._caption(), self._key()
        ticks = self.scale.ticks()
        wide = max((text_width(text, _SMALL_SIZE) for _, text in ticks), default=0.0)
        lines = [text.count("\n") + 1 for text in (*self.names, *self.regions)]
        over = _LINE * lines[2] + _PAD
        self.x0 = _MARGIN + _LINE * lines[0] + _PAD + wide + _TICK + _PAD
        self.y0 = _MARGIN + _LINE * len(caption) + 0.1 + over
        total = self.x0 + self.side + _PAD + _LINE * lines[3] + _MARGIN
        texts = [text_width(text, _SMALL_SIZE) for text in caption]
        texts += [text_width(text, _SMALL_SIZE) for text in key]
        # the label of the last tick may extend beyond the corner
        total = max(total, self.x0 + self.side + wide / 2 + _MARGIN)
        total = max(total, *(width + 2 * _MARGIN for width in texts))
        below = self.y0 + self.side + _TICK + _LINE * (1 + lines[1]) + 0.16
        rows = sum(text.count("\n") + 1 for text in key)
        canvas = Canvas.of_size(total, below + _LINE * rows + _MARGIN, ax)
        for number, line in enumerate(caption):
            y = _MARGIN + _LINE * (number + 0.5)
            canvas.text(total / 2, y, line, _SMALL_SIZE, ha="center")
        artists: dict[str, tuple[Artist, ...]] = {
            "regions": self._draw_regions(canvas),
            "diagonal": (
                canvas.line((self._x(0), self._x(1)), (self._y(0), self._y(1)), 1.0, color="0.3"),
            ),
            "points": self._draw_points(canvas),
            "axis": self._draw_axis(canvas, ticks, wide),
            "labels": self._draw_labels(canvas),
            "key": self._draw_key(canvas, key, below),
        }
        return Plot(canvas.ax.figure, canvas.ax, Labelled(artists), self._alt(), shown=ax is None)  # type: ignore[arg-type]

    def _x(self, share: float) -> float:
        return self.x0 + self.side * share

    def _y(self, share: float) -> float:
        return self.y0 + self.side * (1 - share)

    def _draw_regions(self, canvas: Canvas) -> tuple[Artist, ...]:
        """Tint the first algorithm's side, and write the counts above and to the right."""
        upper = self.pair.design.direction == MAXIMIZE
        corner = (self._x(0), self._y(1)) if upper else (self._x(1), self._y(0))
        ends = [(self._x(0), self._y(0)), (self._x(1), self._y(1))]
        # no side belongs to one algorithm alone where data sets differ in direction
        color = "none" if self.pair.design.turned else _TINT
        tint = Polygon([*ends, corner], facecolor=color, edgecolor="none", zorder=0, clip_on=False)
        canvas.ax.add_patch(tint)
        shapes = (_FIRST, _SECOND) if upper else (_SECOND, _FIRST)
        right, bottom = self._x(1), self._y(0)
        half = _LINE * (self.regions[0].count("\n") + 1) / 2
        y = self._y(1) - _PAD - half
        over = canvas.text(self._x(0) + 0.16, y, self.regions[0], _SMALL_SIZE, ha="left")
        half = _LINE * (self.regions[1].count("\n") + 1) / 2
        x = right + _PAD + half
        beside = canvas.text(
            x, bottom, self.regions[1], _SMALL_SIZE, ha="center", va="bottom", rotation=270
        )
        top = bottom - text_width(self.regions[1], _SMALL_SIZE) - 0.1
        marks = [
            canvas.marker(self._x(0) + 0.07, y, shapes[0][0], _MARK, filled=shapes[0][1]),
            canvas.marker(x, top, shapes[1][0], _MARK, filled=shapes[1][1]),
        ]
        return (over, beside, tint, *marks)

    def _draw_points(self, canvas: Canvas) -> tuple[Artist, ...]:
        artists = []
        for chosen, (shape, filled) in (
            (self.first_better, _FIRST),
            (self.second_better, _SECOND),
            (self.tied, _TIED),
        ):
            x = self._x(0) + self.side * self.places[chosen, 1]
            y = self._y(0) - self.side * self.places[chosen, 0]
            points = canvas.markers(x.tolist(), y.tolist(), shape, _MARK, filled=filled)
            names = self.pair.design.datasets
            about = [
                Mark(self._describe_dataset(row), (), dataset=names[row])
                for row in np.flatnonzero(chosen).tolist()
            ]
            artists.append(items_marked(points, about))
        return tuple(artists)

    def _draw_axis(
        self, canvas: Canvas, ticks: list[tuple[float, str]], wide: float
    ) -> tuple[Artist, ...]:
        left, right, bottom, top = self._x(0), self._x(1), self._y(0), self._y(1)
        frame = canvas.line(
            (left, right, right, left, left), (bottom, bottom, top, top, bottom), 0.8
        )
        artists = [frame]
        taken = -np.inf  # right end of the last label drawn below
        for share, text in ticks:
            x, y = self._x(share), self._y(share)
            artists.append(canvas.line((x, x), (bottom, bottom + _TICK), 0.8))
            artists.append(canvas.line((left - _TICK, left), (y, y), 0.8))
            artists.append(canvas.text(left - _TICK - 0.03, y, text, _SMALL_SIZE, ha="right"))
            half = text_width(text, _SMALL_SIZE) / 2
            if x - half > taken:
                y = bottom + _TICK + _LINE * 0.5
                artists.append(canvas.text(x, y, text, _SMALL_SIZE, ha="center"))
                taken = x + half + _PAD
        lines = [text.count("\n") + 1 for text in self.names]
        x = left - _TICK - _PAD - wide - _PAD / 2 - _LINE * lines[0] / 2
        y = bottom + _TICK + _LINE * (1.1 + lines[1] / 2)
        middle = ((left + right) / 2, (top + bottom) / 2)
        artists.append(
            canvas.text(x, middle[1], self.names[0], _NAME_SIZE, ha="center", rotation=90)
        )
        artists.append(canvas.text(middle[0], y, self.names[1], _NAME_SIZE, ha="center"))
        return tuple(artists)

    def _draw_labels(self, canvas: Canvas) -> tuple[Artist, ...]:
        return tuple(
            canvas.text(
                x,
                y,
                str(number),
                _KEY_SIZE,
                ha="center",
                zorder=6,
                bbox={"facecolor": "white", "edgecolor": "none", "pad": 0.3, "alpha": 0.7},
            )
            for number, (x, y) in enumerate(self._label_places(), start=1)
        )

    def _label_places(self) -> list[tuple[float, float]]:
        """Return a free place near each numbered mark, clear of marks and other numbers."""
        x = self._x(0) + self.side * self.places[:, 1]
        y = self._y(0) - self.side * self.places[:, 0]
        found: list[tuple[float, float]] = []
        for number, row in enumerate(self.farthest, start=1):
            half = 0.04 * len(str(number)) + 0.02
            best = None
            for reach in (0.1, 0.16, 0.24, 0.34, 0.5):
                for turn in range(12):
                    angle = 2 * np.pi * turn / 12
                    place = (
                        float(x[row] + (reach + half) * np.cos(angle)),
                        float(y[row] + reach * np.sin(angle)),
                    )
                    if not self._free(place, half, found):
                        continue
                    best = best or place
                    on_marks = (np.abs(x - place[0]) < half + 0.05) & (np.abs(y - place[1]) < 0.1)
                    if not on_marks.any():
                        best = place
                        break
                else:
                    continue
                break
            found.append(best or (float(x[row]), float(y[row])))
        return found

    def _free(
        self, place: tuple[float, float], half: float, taken: list[tuple[float, float]]
    ) -> bool:
        x, y = place
        inside = self._x(0) < x - half and x + half < self._x(1)
        inside = inside and self._y(1) < y - 0.07 and y + 0.07 < self._y(0)
        return inside and all(abs(x - a) > half + 0.12 or abs(y - b) > 0.15 for a, b in taken)

    def _draw_key(self, canvas: Canvas, key: list[str], top: float) -> tuple[Artist, ...]:
        artists = []
        for text in key:
            height = _LINE * (text.count("\n") + 1)
            artists.append(canvas.text(_MARGIN, top + height / 2, text, _SMALL_SIZE, ha="left"))
            top += height
        return tuple(artists)

    # -------------------------------------------------------------------------- words

    def _regions(self) -> list[str]:
        """Return the texts for the regions above and below the diagonal."""
        pair = self.pair
        texts = [f"{pair.first} better: {pair.wins}", f"{pair.second} better: {pair.losses}"]
        if pair.design.direction != MAXIMIZE:
            texts.reverse()
        return [wrapped(text, _WRAP) for text in texts]

    def _caption(self) -> list[str]:
        pair = self.pair
        what = f"{pair.design.measure or 'Score'}, {pair.design.better}"
        sizes = f"{plural(len(self.scores), 'data set')}, {pair.ties} tied"
        if pair.ties:
            sizes += " (×)"
        return [*wrapped(what, _WRAP_BELOW).split("\n"), f"{sizes}; {self._p()}"]

    def _p(self) -> str:
        pair = self.pair
        p = format_p(float(pair.pvalue), float(pair.log10_pvalue))
        return f"{stated_p(p)} ({PAIR_TESTS[pair.test].label})"

    def _key(self) -> list[str]:
        lines = []
        for number, row in enumerate(self.farthest, start=1):
            lines.append(wrapped(f"{number}  {self._describe_dataset(row)}", _WRAP_BELOW))
        return lines

    def _describe_dataset(self, row: int) -> str:
        name = self.pair.design.datasets[row]
        first, second = (means([score])[0] for score in self.scores[row].tolist())
        return f"{name}: {self.pair.first} {first}, {self.pair.second} {second}"

    def _alt(self) -> str:
        pair = self.pair
        scale = ", logarithmic axes" if self.scale.log else ""
        far = "; ".join(text.replace("\n", " ") for text in self._key())
        labelled = f" Farthest from the diagonal: {far}." if far else ""
        return (
            f"Scatter of {pair.design.measure or 'scores'} ({pair.design.better}) on "
            f"{plural(len(self.scores), 'data set')}{scale}: {pair.first} against {pair.second}. "
            f"{pair.first} is better on {pair.wins}, {pair.second} on {pair.losses}, "
            f"{pair.ties} tied; {self._p()}.{labelled}"
        )
