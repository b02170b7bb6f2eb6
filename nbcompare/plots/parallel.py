"""Parallel coordinates: the ranks or scores of every algorithm from data set to data set."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes

from nbcompare._arrays import FloatArray
from nbcompare._render import plural
from nbcompare._validation import DataError, check_choice, check_name
from nbcompare.plots._curves import Style, spread
from nbcompare.plots._frame import draw_line, draw_marks
from nbcompare.plots._labels import (
    LINE,
    SMALL_SIZE,
    WRAP,
    Entry,
    Legend,
    caption_height,
    caption_width,
    draw_caption,
    highlighted,
    wrapped,
)
from nbcompare.plots._marks import items_marked, marked
from nbcompare.plots._plot import Canvas, Plot, text_width, tick_step
from nbcompare.plots._standings import Standings, standings_of
from nbcompare.plots._style import MARGIN, PAD, TICK
from nbcompare.results import Description, Labelled

RANKS, SCORES = "ranks", "scores"

# All lengths in inches, all font sizes in points.
_HEIGHT = 3.4
_NAME_LINE = 0.15
_STEP, _CLOSE, _WIDEST = 0.5, 0.03, 8.5  # between data sets; width of all of them, unless too close
_APART = 0.16  # more space between groups
_BESIDE = 0.55  # from the last data set to the average ranks
_LEAD, _SAMPLE = 0.28, 0.3  # from the end of a line to its name, and a piece of line in between
_ROOMY = 0.07  # data sets at least this far apart have a line
_MOST_MARKED = 25  # most data sets with a mark on each line
_BEST = 6  # lines in colour where there are too many
_FEW, _LONG_WRAP, _WRAP_NAME, _WRAP_CAPTION = 12, 64, 40, 84
_OTHERS = "0.75"


class _Line(NamedTuple):
    """Line of an algorithm: its number in the data, and its positions from 0 (best) to 1."""

    column: int
    number: int
    heights: FloatArray  # by data set; NaN where there is no score
    end: float  # at the right of them


def parallel(
    description: Description,
    *,
    what: str = RANKS,
    groups: Mapping[str, str] | None = None,
    sort: str | None = None,
    highlight: Iterable[str] | None = None,
    ax: Axes | None = None,
) -> Plot:
    """Draw the ranks of every algorithm as a line from data set to data set.

    Every upright line is a data set. The best rank is at the top; ties share the mean of their
    ranks. Lines end at the average ranks, which are over the data sets without a missing score.
    Scores are drawn between the worst and the best one of each data set, because data sets may be
    on different scales; where all are equal, they are at the top. A line is interrupted where the
    algorithm has no score. Lines show where an algorithm is good, not a course: the data sets of a
    group are in the order of the data, unless they are sorted.

    Parameters
    ----------
    description : Description
        Result of :func:`nbcompare.describe`, of at least 2 algorithms on at least 2 data sets.
    what : {"ranks", "scores"}
        What to draw.
    groups : mapping of str to str, optional
        Group of each data set; by default those of the experiment, if it has any.
    sort : str, optional
        Algorithm whose line is to fall within each group: data sets on which it is the best come
        first, those without its score last.
    highlight : list of str, optional
        Algorithms to draw in colour; all others are grey and share a label. By default all, or of
        more than 12 algorithms the 6 with the best average ranks, because lines could not be told
        apart.
    ax : matplotlib.axes.Axes, optional
        Axes to draw on; the drawing shrinks to fit. By default, a new figure.

    Returns
    -------
    Plot
        Plot with the artists ``lines`` (the best average rank first), ``marks`` (on the lines),
        ``averages`` (marks at the average ranks), ``labels`` (names of algorithms), ``datasets``
        (names), ``groups`` (names, or numbers of the legend), ``axis`` and ``legend``.

    Raises
    ------
    TypeError
        If ``description`` is not a Description.
    ValueError
        If an option has a value that it may not have.
    DataError
        If scores are intervals, or there is one algorithm or data set only.

    References
    ----------
    Inselberg, A. (1985). The plane with parallel coordinates. The Visual Computer 1, 69-91.

    Examples
    --------
    >>> import nbcompare as nbc
    >>> plot = nbc.plots.parallel(nbc.describe(nbc.datasets.load("demsar2006")))
    >>> [text.get_text() for text in plot.artists["labels"]]
    ['C4.5+m+cf', 'C4.5+m', 'C4.5+cf', 'C4.5']
    """
    standings = standings_of(description, groups, "parallel")
    check_choice(what, "what", (RANKS, SCORES))
    if len(standings.datasets) < 2:
        raise DataError("`description` must be of at least 2 data sets; got 1.")
    named = highlighted(highlight, description.algorithms)
    if sort is not None:
        check_name(sort, "sort", description.algorithms)
        standings = standings.sorted_by(sort)
    signs = dict(zip(description.design.datasets, description.design.gain_signs, strict=True))
    return _Parallel(standings, what, signs, named, sort).draw(ax)


class _Parallel:
    """Drawing that is measured first and then drawn."""

    def __init__(
        self,
        standings: Standings,
        what: str,
        signs: Mapping[str, float],
        highlight: frozenset[str] | None,
        sort: str | None,
    ) -> None:
        self.of, self.what, self.sort = standings, what, sort
        self.places = self._places(len(standings.datasets))
        self.lines = self._lines(signs)
        self.is_cut = highlight is None and len(self.lines) > _FEW
        if self.is_cut:
            highlight = frozenset(standings.algorithms[:_BEST])
        self.named = [
            line
            for line in self.lines
            if highlight is None or standings.algorithms[line.column] in highlight
        ]
        wrap = WRAP if len(self.named) <= _FEW else _LONG_WRAP
        self.labels = [wrapped(standings.algorithms[line.column], wrap) for line in self.named]
        self.sizes = [_NAME_LINE * (label.count("\n") + 1) for label in self.labels]
        self.height = max(_HEIGHT, sum(self.sizes))
        self.names = [wrapped(name, _WRAP_NAME) for name in standings.datasets]
        self.shown = self._shown()
        self.titles, self.is_numbered = self._titles()
        self.averaged = what == RANKS and standings.averages is not None
        self.left = self.top = self.bottom = 0.0  # of the axes, known when drawn

    def _places(self, n: int) -> list[float]:
        """Return the distance of each data set from the first one."""
        starts = {group.rows.start for group in self.of.groups}
        step = max(min(_STEP, _WIDEST / n), _CLOSE)
        places, x = [], 0.0
        for row in range(n):
            x += (step + (_APART if row in starts else 0.0)) if row else 0.0
            places.append(x)
        self.step = step
        return places

    def _lines(self, signs: Mapping[str, float]) -> list[_Line]:
        standings = self.of
        k = len(standings.algorithms)
        if self.what == RANKS:
            heights = (standings.ranks - 1) / (k - 1)
        else:
            heights = _below_best(standings, signs)
        found = []
        for column, number in enumerate(standings.places):
            own = heights[:, column]
            end = float(own[~np.isnan(own)][-1])
            if self.what == RANKS and standings.averages is not None:
                end = (float(standings.averages[column]) - 1) / (k - 1)
            found.append(_Line(column, number, own, end))
        return found

    def _shown(self) -> list[int]:
        """Return the data sets whose names have room beside each other."""
        shown: list[int] = []
        free = -np.inf
        for row, (place, name) in enumerate(zip(self.places, self.names, strict=True)):
            half = _NAME_LINE * (name.count("\n") + 1) / 2
            if place - half >= free:
                shown.append(row)
                free = place + half + 0.02
        return shown

    def _titles(self) -> tuple[list[str], bool]:
        """Return the names of the groups, or numbers if they do not fit above their data sets."""
        titles = []
        for group in self.of.groups:
            width = self.places[group.rows[-1]] - self.places[group.rows[0]] + _APART
            title = wrapped(group.name, max(int(width / 0.085), 6))
            fits = text_width(title, SMALL_SIZE, bold=True) <= width and title.count("\n") < 3
            whole = set(title.split()) <= set(group.name.split())  # no word was split
            titles.append(title if fits and whole else "")
        if all(titles):
            return titles, False
        return [str(number + 1) for number in range(len(titles))], True

    # ------------------------------------------------------------------------ drawing

    def draw(self, ax: Axes | None) -> Plot:
        caption, legend = self._caption(), Legend(self._legend())
        ticks = self._ticks()
        others = self._others()
        numbers = max(text_width(text, SMALL_SIZE) for _, text in ticks)
        # half the first name of a data set may extend beyond the axis
        before = max(numbers + TICK + PAD, _NAME_LINE)
        self.end = self.places[-1] + (_BESIDE if self.averaged else 0.0)
        names = max(text_width(label, SMALL_SIZE) for label in (*self.labels, others))
        content = before + self.end + _LEAD + _SAMPLE + PAD + names
        # hinting makes small letters a little wider than measured
        wide = max(caption_width(caption), 1.04 * legend.least_width)
        total = max(1.01 * content, wide) + 2 * MARGIN
        self.left = (total - content) / 2 + before
        titles = max((title.count("\n") + 1 for title in self.titles), default=0)
        self.top = MARGIN + caption_height(caption) + 0.1 + LINE * titles + (0.1 if titles else 0)
        self.bottom = self.top + self.height
        deep = max(1.06 * text_width(self.names[row], SMALL_SIZE) for row in self.shown)
        if self.averaged:
            deep = max(deep, 2 * LINE)
        below = self.bottom + TICK + 0.06 + deep + 0.1
        room = total - 2 * MARGIN
        canvas = Canvas.of_size(total, below + legend.height(room) + MARGIN, ax)
        draw_caption(canvas, caption, total / 2, MARGIN)
        artists: dict[str, tuple[Artist, ...]] = {
            "axis": self._draw_axis(canvas, ticks),
            "groups": self._draw_groups(canvas),
            "datasets": self._draw_datasets(canvas),
            "lines": self._draw_lines(canvas),
            "marks": self._draw_marks(canvas),
            "averages": self._draw_averages(canvas),
            "labels": self._draw_labels(canvas, others),
            "legend": legend.draw(canvas, MARGIN, below, room),
        }
        return Plot(canvas.ax.figure, canvas.ax, Labelled(artists), self._alt(), shown=ax is None)  # type: ignore[arg-type]

    def _x(self, row: int) -> float:
        return self.left + self.places[row]

    def _y(self, heights: FloatArray) -> FloatArray:
        return self.top + self.height * heights

    def _ticks(self) -> list[tuple[float, str]]:
        k = len(self.of.algorithms)
        if self.what == SCORES:
            return [(0.0, "best"), (1.0, "worst")]
        step = tick_step(k - 1)
        ranks = [1, *range(step if step > 1 else 2, k + 1, step)]
        return [((rank - 1) / (k - 1), str(rank)) for rank in ranks]

    def _others(self) -> str:
        n = len(self.lines) - len(self.named)
        return plural(n, "other algorithm") if n else ""

    def _draw_axis(self, canvas: Canvas, ticks: Sequence[tuple[float, str]]) -> tuple[Artist, ...]:
        artists = []
        ends = (self.top, self.bottom)
        if self.step >= _ROOMY:
            for row in range(len(self.places)):
                x = self._x(row)
                artists.append(canvas.line((x, x), ends, 0.5, color="0.85", zorder=0))
        else:
            for row in (0, len(self.places) - 1):
                x = self._x(row)
                artists.append(canvas.line((x, x), ends, 0.5, color="0.6", zorder=0))
        for height, text in ticks:
            x, y = self.left - TICK, self.top + self.height * height
            artists.append(canvas.line((x, self.left), (y, y), 0.8))
            artists.append(canvas.text(x - 0.03, y, text, SMALL_SIZE, ha="right"))
        if self.averaged:
            x = self.left + self.end
            artists.append(canvas.line((x, x), ends, 0.9))
            style = {"ha": "center", "va": "top", "linespacing": 1.0}
            y = self.bottom + TICK + 0.04
            artists.append(canvas.text(x, y, "average\nrank", SMALL_SIZE, **style))
        return tuple(artists)

    def _draw_groups(self, canvas: Canvas) -> tuple[Artist, ...]:
        artists = []
        for group, title in zip(self.of.groups, self.titles, strict=True):
            x = (self._x(group.rows[0]), self._x(group.rows[-1]))
            y = self.top - 0.08
            reach = (x[0] - 0.04, x[1] + 0.04)
            canvas.line(reach, (y, y), 1.6, color="0.35")
            style = {"ha": "center", "va": "bottom", "fontweight": "bold", "linespacing": 1.0}
            artists.append(canvas.text(sum(x) / 2, y - 0.04, title, SMALL_SIZE, **style))
        return tuple(artists)

    def _draw_datasets(self, canvas: Canvas) -> tuple[Artist, ...]:
        artists = []
        for row in self.shown:
            x, y = self._x(row), self.bottom + TICK
            canvas.line((x, x), (self.bottom, y), 0.8)
            text = canvas.text(
                x,
                y + 0.04,
                self.names[row],
                SMALL_SIZE,
                ha="center",
                va="top",
                rotation=90,
                linespacing=1.0,
            )
            artists.append(marked(text, self.of.about_dataset(row)))
        return tuple(artists)

    def _draw_lines(self, canvas: Canvas) -> tuple[Artist, ...]:
        x = np.array([self._x(row) for row in range(len(self.places))])
        numbers = {line.number for line in self.named}
        artists = []
        for line in self.lines:
            y, about = self._y(line.heights), self.of.about_algorithm(line.column)
            if line.number in numbers:
                drawn = draw_line(canvas, x, y, Style.of(line.number))
            else:
                drawn = canvas.line(tuple(x), tuple(y), 0.7, color=_OTHERS, zorder=2)
            artists.append(marked(drawn, about))
        return tuple(artists)

    def _draw_marks(self, canvas: Canvas) -> tuple[Artist, ...]:
        """Draw marks on the lines, where there is room, and where nothing joins a score."""
        n = len(self.places)
        every = -(-n // _MOST_MARKED)
        artists = []
        for line in self.named:
            there = ~np.isnan(line.heights)
            beside = np.append(False, there[:-1]) | np.append(there[1:], False)
            regular = (np.arange(n) - line.number) % every == 0
            rows = np.flatnonzero(there & (regular | ~beside))
            x = np.array([self._x(row) for row in rows.tolist()])
            y = self._y(line.heights[rows])
            drawn = draw_marks(canvas, x, y, Style.of(line.number))
            about = [self.of.about_cell(row, line.column) for row in rows.tolist()]
            artists.append(items_marked(drawn, about))
        return tuple(artists)

    def _draw_averages(self, canvas: Canvas) -> tuple[Artist, ...]:
        if not self.averaged:
            return ()
        artists = []
        for line in self.named:
            style, about = Style.of(line.number), self.of.about_algorithm(line.column)
            x, y = np.array([self.left + self.end]), self._y(np.array([line.end]))
            last = line.heights[-1]
            if not np.isnan(last):
                ends = (self._x(-1), float(x[0])), (float(self._y(last)), float(y[0]))
                marked(canvas.line(*ends, 0.6, color=style.color, zorder=2), about)
            artists.append(marked(draw_marks(canvas, x, y, style), about))
        return tuple(artists)

    def _draw_labels(self, canvas: Canvas, others: str) -> tuple[Artist, ...]:
        artists: list[Artist] = []
        # of lines that end together, the better algorithm has the higher label
        wanted = [float(self._y(np.array(line.end))) + 1e-6 * line.column for line in self.named]
        places = spread(wanted, self.sizes, (self.top - 0.09, self.bottom + 0.09))
        edge = self.left + self.end
        x = edge + _LEAD
        for line, label, end, y in zip(self.named, self.labels, wanted, places, strict=True):
            style, about = Style.of(line.number), self.of.about_algorithm(line.column)
            canvas.line((edge, x), (end, y), 0.6, color=style.color)
            marked(draw_line(canvas, (x, x + _SAMPLE), (y, y), style), about)
            middle = np.array([x + _SAMPLE / 2])
            marked(draw_marks(canvas, middle, np.array([y]), style), about)
            text = canvas.text(x + _SAMPLE + PAD, y, label, SMALL_SIZE, ha="left", linespacing=1.0)
            artists.append(marked(text, about))
        if others:
            y = self.bottom + 0.06 + LINE
            canvas.line((x, x + _SAMPLE), (y, y), 0.7, color=_OTHERS)
            text = canvas.text(x + _SAMPLE + PAD, y, others, SMALL_SIZE, ha="left", color="0.35")
            artists.append(text)
        return tuple(artists)

    # -------------------------------------------------------------------------- words

    def _describe_values(self) -> str:
        n, k = self.of.ranks.shape
        what = "Ranks" if self.what == RANKS else "Scores"
        return f"{what} of {plural(k, 'algorithm')} on {plural(n, 'data set')}"

    def _how(self) -> list[str]:
        if self.what == RANKS:
            return self.of.caption()
        lines = [f"{self.of.measured}; from the worst to the best score of each data set"]
        if self.of.n_missing:
            lines.append(f"{plural(self.of.n_missing, 'score')} missing")
        return lines

    def _caption(self) -> list[str]:
        words = [self._describe_values(), *self._how()]
        n = len(self.places)
        if self.is_cut:
            words.append(f"in colour: the {len(self.named)} best average ranks")
        if self.sort is not None:
            words.append(f"data sets sorted by the ranks of {self.sort}")
        if len(self.shown) < n:
            words.append(f"{len(self.shown)} of {n} data sets are named")
        return [line for text in words for line in wrapped(text, _WRAP_CAPTION).split("\n")]

    def _legend(self) -> list[Entry]:
        if not self.is_numbered:
            return []
        return [
            Entry(wrapped(group.name, _LONG_WRAP), _Number(title))
            for group, title in zip(self.of.groups, self.titles, strict=True)
        ]

    def _alt(self) -> str:
        return (
            f"Parallel coordinates: {self._describe_values().lower()} ({'; '.join(self._how())}). "
            f"{self.of.told()}"
        )


class _Number:
    """Function that draws the number of a group in the legend."""

    def __init__(self, number: str) -> None:
        self.number = number

    def __call__(self, canvas: Canvas, x: float, y: float) -> Sequence[Artist]:
        style = {"ha": "center", "fontweight": "bold"}
        return [canvas.text(x, y, self.number, SMALL_SIZE, **style)]


def _below_best(standings: Standings, signs: Mapping[str, float]) -> FloatArray:
    """Return how far scores are below the best of their data set, as shares of the range."""
    found = np.full(standings.scores.shape, np.nan)
    for row, name in enumerate(standings.datasets):
        costs = -signs[name] * standings.scores[row]
        there = np.isfinite(costs) & ~np.isnan(standings.ranks[row])
        # halves of huge scores have a difference
        half = costs[there] / 2
        low, high = half.min(), half.max()
        found[row, there] = (half - low) / (high - low) if high > low else 0.0
    return found
