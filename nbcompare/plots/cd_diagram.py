"""Critical difference diagram of Demšar (2006, Figure 1)."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import NamedTuple

from matplotlib.artist import Artist
from matplotlib.axes import Axes

from nbcompare._render import format_number
from nbcompare._validation import check_choice, named
from nbcompare.plots._diagram import (
    BAR_PITCH,
    NamesAroundAxis,
    bars_apart,
    place_bars,
    width_for,
)
from nbcompare.plots._emphasis import PLAIN, Emphasis, emphasis_of
from nbcompare.plots._labels import LINE, SMALL_SIZE, basis, rank_decimals
from nbcompare.plots._marks import Mark, marked
from nbcompare.plots._plot import Canvas, Plot, check_result, lines_within, text_width, tick_step
from nbcompare.plots._style import MARGIN
from nbcompare.plots._told import algorithm_marks
from nbcompare.results import Comparison, Labelled, RankIntervals
from nbcompare.results.pair import percent
from nbcompare.words import RANKINGS

_WHISKER_PITCH = 0.075  # inches between whiskers that lie above one another
_SHORTEST, _LEAST_PITCH = 1.6, 0.06  # least inches of the axis, and per name


def cd_diagram(
    comparison: Comparison,
    *,
    intervals: RankIntervals | None = None,
    ax: Axes | None = None,
    best: str = "right",
    labels: str = "both",
    highlight: Iterable[str] | None = None,
    families: Mapping[str, str] | None = None,
    colors: Mapping[str, str] | None = None,
) -> Plot:
    """Draw average ranks on an axis, with bars over groups without significant differences.

    In a comparison of all pairs, a thick bar joins the members of each group in which no pair
    differs significantly, and the critical difference is drawn to scale if the procedure has
    one. A group with gaps has a dotted bar with marked members, and letters name the groups.
    In a comparison with a control, filled marks differ significantly from the control, hollow
    ones do not, and the Bonferroni-Dunn interval is drawn around the control if that is the
    procedure.

    Parameters
    ----------
    comparison : Comparison
        Result of :func:`nbcompare.compare` or :func:`nbcompare.compare_ranks`.
    intervals : RankIntervals, optional
        Result of :func:`nbcompare.rank_intervals` for the same data, with Friedman's ranks. They
        are drawn as thin whiskers below the axis, with a dot at the average rank.
    ax : matplotlib.axes.Axes, optional
        Axes to draw on; the drawing shrinks to fit. By default, a new figure that is as
        large as the names require.
    best : {"right", "left"}
        Side of the best rank.
    labels : {"both", "one"}
        Whether the names stand on both sides of the axis, or on one, that of the best rank, which
        suits slides and narrow columns.
    highlight : iterable of str, optional
        Algorithms to stand out: their names are bold and their lines thick, in blue unless
        ``families`` or ``colors`` say otherwise.
    families : mapping of str to str, optional
        Family of each algorithm, such as ``{"ROCKET": "convolution", "1-NN-DTW": "distance"}``:
        names and lines have the colour of their family, and a legend names the families.
        Algorithms that are not in it stay black.
    colors : mapping of str to str, optional
        Colours by algorithm, or by family if there are ``families``, in any form that Matplotlib
        knows. By default, up to five families get colours that are told apart with any deficiency
        of colour vision.

    Returns
    -------
    Plot
        Plot with the artists ``axis``, ``names``, ``bars``, ``difference``, ``whiskers`` and
        ``legend`` (of the families).

    Raises
    ------
    ValueError
        If there are more than 200 groups; :func:`pvalue_matrix` can show the pairs. If the
        intervals are of other algorithms, or of other average ranks. If a name is not that of an
        algorithm, or of a family. If a colour has a contrast below 3:1 with the background, white
        or that of the dark theme (WCAG 2), or there are more than five families without one.

    References
    ----------
    Demšar, J. (2006). Statistical comparisons of classifiers over multiple data sets.
    Journal of Machine Learning Research 7, p. 16.

    Examples
    --------
    >>> import nbcompare as nbc
    >>> result = nbc.compare(nbc.datasets.load("demsar2006_ranks"), adjust="nemenyi", alpha=0.1)
    >>> plot = nbc.plots.cd_diagram(result)
    >>> len(plot.artists["bars"]), len(plot.artists["names"])
    (2, 4)

    One algorithm stands out, and all names are on the right:

    >>> plot = nbc.plots.cd_diagram(result, highlight=["C4.5+m"], labels="one")
    >>> [label.get_text() for label in plot.artists["names"] if label.get_weight() == "bold"]
    ['C4.5+m']
    """
    check_result(comparison, "cd_diagram", Comparison)
    look = look_of(comparison.design.algorithms, best, labels, highlight, families, colors)
    if intervals is not None:
        _check_intervals(comparison, intervals)
    return Diagram(comparison, look, intervals=intervals).draw(ax)


class Look(NamedTuple):
    """Side of the best rank, whether all names stand there, and what stands out."""

    best: str = "right"
    labels: str = "both"
    emphasis: Emphasis = PLAIN


def look_of(
    algorithms: Sequence[str],
    best: str,
    labels: str,
    highlight: Iterable[str] | None,
    families: Mapping[str, str] | None,
    colors: Mapping[str, str] | None,
) -> Look:
    """Return the look that was asked for, or raise an error that says what is wrong with it."""
    check_choice(best, "best", ("right", "left"))
    check_choice(labels, "labels", ("both", "one"))
    return Look(best, labels, emphasis_of(algorithms, highlight, families, colors))


def _check_intervals(comparison: Comparison, intervals: RankIntervals) -> None:
    """Raise an error unless the intervals are those of the average ranks that are drawn."""
    if not isinstance(intervals, RankIntervals):
        raise TypeError(
            "`intervals` must be a RankIntervals; got "
            f"{type(intervals).__name__}. Pass nbc.rank_intervals(experiment)."
        )
    ranks, others = comparison.average_ranks, intervals.average_ranks
    apart = sorted(set(ranks) ^ set(others))
    if apart:
        raise ValueError(
            f"`intervals` must be of the algorithms of `comparison`; only one of the two has "
            f"{named(apart)}. Pass nbc.rank_intervals of the same experiment."
        )
    for name, rank in ranks.items():
        if not math.isclose(rank, others[name], rel_tol=1e-9):
            raise ValueError(
                "`intervals` must be of the average ranks of `comparison`; that of "
                f"{name} is {rank:.6g} there and {others[name]:.6g} here. Pass nbc.rank_intervals "
                "of the same experiment with the same treatment of missing scores, and a "
                "comparison with ranking='friedman'."
            )


class Diagram(NamesAroundAxis):
    """Drawing that is measured first and then drawn, optionally for a given page width.

    ``ends`` are the first and last rank of the axis, and the distance of labelled ticks.
    """

    def __init__(
        self,
        comparison: Comparison,
        look: Look,
        width: float | None = None,
        page: float = math.inf,
        ends: tuple[int, int, int] | None = None,
        intervals: RankIntervals | None = None,
    ) -> None:
        if comparison.groups is None:
            raise ValueError(
                "`comparison` must have at most 200 groups without significant differences, each "
                "of which would be a bar; got more. plots.pvalue_matrix shows every pair."
            )
        self.result = comparison
        names = comparison.ordered
        ranks = [comparison.average_ranks[name] for name in names]
        self.decimals = rank_decimals(max(ranks))
        self.intervals = intervals
        reached = (
            [] if intervals is None else [*intervals.lower.values(), *intervals.upper.values()]
        )
        if ends is None:
            ends = axis_range([*ranks, *reached], comparison.critical_difference or 0.0, len(ranks))
        low, high, self.step = ends
        self.first, self.last = low, high
        self.look = look
        width = width_for(len(names)) if width is None else width
        apart = bars_apart(high - low, width)
        super().__init__(
            names,
            ranks,
            (low, high),
            control=comparison.control,
            bars=place_bars(comparison.groups, names, ranks, apart),
            mirrored=look.best == "right",
            narrow=math.isfinite(page),
            one_sided=look.labels == "one",
            emphasis=look.emphasis,
        )
        self.width, self.page = width, page
        self._told = {
            name: self._with_family(mark) for name, mark in algorithm_marks(comparison).items()
        }
        self.whiskers = [] if intervals is None else self._whisker_levels(intervals)

    def _whisker_levels(self, intervals: RankIntervals) -> list[int]:
        """Return the level of each whisker, so that those on one level do not touch."""
        gap = 0.08 * (self.high - self.low) / self.width
        taken: list[float] = []  # the rank up to which each level is occupied
        levels = []
        for name in self.names:
            start, end = intervals.lower[name], intervals.upper[name]
            level = next((i for i, to in enumerate(taken) if start > to + gap), len(taken))
            taken[level : level + 1] = [end]
            levels.append(level)
        return levels

    def _with_family(self, mark: Mark) -> Mark:
        family = self.emphasis.families.get(mark.names[0])
        return mark if family is None else replace(mark, title=f"{mark.title}; {family}")

    def _narrower(self, total: float, room: float) -> Plot:
        """Return the same figure with a shorter axis, so that text shrinks less or not at all."""
        shortest = max(_SHORTEST, _LEAST_PITCH * len(self.names))
        width = min(self.width, max(shortest, self.width - (total - room)))
        return Diagram(self.result, self.look, width, room, intervals=self.intervals).draw(None)

    @property
    def _difference(self) -> float | None:
        return self.result.critical_difference

    # ------------------------------------------------------------------------ drawing

    def draw(self, ax: Axes | None) -> Plot:
        """Draw the diagram by itself."""
        caption = [
            line
            for text, apart in self._caption()
            for line in lines_within(text.split(apart), apart, self.page - 2 * MARGIN, SMALL_SIZE)
        ]
        x0 = MARGIN + self.side_width(self.left)
        total = x0 + self.width + self.side_width(self.right) + MARGIN
        with_bar = self._difference is not None and self.result.control is None
        if with_bar and self._difference is not None:
            total = max(total, x0 + self._length(self._difference) + MARGIN)
        total = max(total, 2 * MARGIN + max(text_width(line, SMALL_SIZE) for line in caption))
        caption_height = LINE * len(caption)
        y_axis = MARGIN + caption_height + (0.42 if with_bar else 0.12) + 0.2
        levels = self.levels()
        y_bars = y_axis + 0.1 + self._whiskers_height
        if self.result.control is not None:
            levels = max(levels, 1)
        y_names = y_bars + BAR_PITCH * levels + 0.1
        legend = self.emphasis.legend()
        total = max(total, 2 * MARGIN + legend.least_width)
        room = total - 2 * MARGIN
        y_legend = y_names + self.sides_height() + (0.1 if legend.entries else 0.0)
        height = y_legend + legend.height(room) + MARGIN
        canvas = Canvas.of_size(total, height, ax)
        for line_number, line in enumerate(caption):
            y = MARGIN + LINE * (line_number + 0.5)
            canvas.text(total / 2, y, line, SMALL_SIZE, ha="center")
        artists = {
            "axis": self.draw_axis(canvas, x0, y_axis),
            "names": self.draw_names(canvas, x0, y_axis, y_names),
            "bars": self.draw_bars(canvas, x0, y_bars),
            "difference": self.draw_difference(canvas, x0, y_axis),
            "whiskers": self._draw_whiskers(canvas, x0, y_axis),
            "legend": legend.draw(canvas, MARGIN, y_legend, room),
        }
        return Plot(
            canvas.ax.figure,  # type: ignore[arg-type]
            canvas.ax,
            Labelled(artists),
            self.alt(),
            shown=ax is None,
            narrower=partial(self._narrower, total) if ax is None else None,
        )

    def _number(self, ranks: float) -> str:
        return format_number(ranks, self.decimals)

    def _length(self, ranks: float) -> float:
        return self.width * ranks / (self.high - self.low)

    @property
    def _whiskers_height(self) -> float:
        return _WHISKER_PITCH * (1.5 + max(self.whiskers)) if self.whiskers else 0.0

    def _draw_whiskers(self, canvas: Canvas, x0: float, y_axis: float) -> tuple[Artist, ...]:
        """Draw the intervals of the average ranks, if they are given."""
        artists: list[Artist] = []
        if self.intervals is None:
            return ()
        for name, rank, level in zip(self.names, self.values, self.whiskers, strict=True):
            y = y_axis + 0.1 + _WHISKER_PITCH * (level + 0.5)
            ends = [
                x0 + self.x(part[name]) for part in (self.intervals.lower, self.intervals.upper)
            ]
            parts = [canvas.line((min(ends), max(ends)), (y, y), 0.9, zorder=3)]
            parts += [canvas.line((x, x), (y - 0.025, y + 0.025), 0.9, zorder=3) for x in ends]
            artists += parts
            share = percent(self.intervals.confidence)
            told = f"{name}: {self._number(rank)}{self._interval(name)}, {share} interval"
            for part in (*parts, canvas.marker(x0 + self.x(rank), y, "o", 2.6, filled=True)):
                marked(part, Mark(told, (name,)))
        return tuple(artists)

    def draw_axis(self, canvas: Canvas, x0: float, y: float) -> tuple[Artist, ...]:
        """Draw the axis with its ticks."""
        artists = [canvas.line((x0, x0 + self.width), (y, y), 1.0)]
        for rank in range(self.first, self.last + 1, max(1, self.step // 5)):
            x = x0 + self.x(rank)
            labelled = (rank - self.first) % self.step == 0
            artists.append(canvas.line((x, x), (y - (0.08 if labelled else 0.04), y), 0.8))
            if labelled:
                artists.append(canvas.text(x, y - 0.16, str(rank), SMALL_SIZE, ha="center"))
        return tuple(artists)

    def number(self, position: int) -> str:
        """Return the average rank as text."""
        return self._number(self.values[position])

    def about(self, position: int) -> Mark:
        """Return the average rank of an algorithm, and what it differs from."""
        return self._told[self.names[position]]

    def draw_mark(self, canvas: Canvas, position: int, x: float, y_axis: float) -> Artist | None:
        """Draw the marks of a comparison with a control; all pairs have none."""
        name = self.names[position]
        if self.control is None:
            return None
        if name == self.control:
            mark = canvas.marker(x, y_axis, "D", 6.5, filled=True)
            mark.set_zorder(mark.get_zorder() + 1)  # no tied algorithm hides the control
            return mark
        return canvas.marker(x, y_axis, "o", 6.0, filled=name in self._differing)

    @property
    def _differing(self) -> set[str]:
        tests = self.result.hypotheses
        return {name for name, no in zip(tests.second, tests.rejected, strict=True) if no}

    def draw_difference(self, canvas: Canvas, x0: float, y_axis: float) -> tuple[Artist, ...]:
        """Draw the critical difference, if there is one."""
        difference = self._difference
        if difference is None:
            return ()
        if self.result.control is None:
            y, left, right = y_axis - 0.42, x0, x0 + self._length(difference)
            label = canvas.text(
                (left + right) / 2,
                y - 0.1,
                f"CD = {self._number(difference)}",
                SMALL_SIZE,
                ha="center",
            )
            caps = [canvas.line((x, x), (y - 0.04, y + 0.04), 1.2) for x in (left, right)]
            return (canvas.line((left, right), (y, y), 1.2), *caps, label)
        centre = self.result.average_ranks[self.result.control]
        y = y_axis + 0.1 + self._whiskers_height + BAR_PITCH / 2
        edges = (centre - difference, centre + difference)
        inside = [min(max(edge, self.low), self.high) for edge in edges]
        x = sorted(x0 + self.x(edge) for edge in inside)
        bar = canvas.line((x[0], x[1]), (y, y), 3.2, zorder=4)
        caps = [
            canvas.line((x0 + self.x(edge),) * 2, (y - 0.05, y + 0.05), 1.2)
            for edge in edges
            if self.low <= edge <= self.high
        ]
        return (bar, *caps)

    # -------------------------------------------------------------------------- words

    def _caption(self) -> list[tuple[str, str]]:
        """Return lines of text, each with the separator at which it may be broken."""
        result = self.result
        what = basis(result)
        whiskers = []
        if self.intervals is not None:
            share = percent(self.intervals.confidence)
            whiskers = [(f"whiskers: {share} confidence interval of each average rank", " ")]
        if result.control is None:
            return [(what, " "), *whiskers]
        marks = "◆ control   ● significant difference   ○ no significant difference"
        if self._difference is not None:
            what += f", CD = {self._number(self._difference)} either side of the control"
        return [(what, " "), (marks, "   "), *whiskers]

    def _interval(self, name: str) -> str:
        if self.intervals is None:
            return ""
        ends = (self._number(part[name]) for part in (self.intervals.lower, self.intervals.upper))
        return f" ({' to '.join(ends)})"

    def alt(self) -> str:
        """Return the alternative text."""
        result = self.result
        ranks = ", ".join(
            f"{name} {self._number(rank)}{self._interval(name)}"
            for name, rank in zip(self.names, self.values, strict=True)
        )
        what = self._caption()[0][0]
        if result.control is None and self._difference is not None:
            what += f", CD = {self._number(self._difference)}"
        if self.intervals is not None:
            what += f"; {percent(self.intervals.confidence)} intervals of the average ranks"
        nouns = f"{RANKINGS[result.ranking].average_rank.capitalize()}s"
        text = f"Critical difference diagram ({what}). {nouns}, best first: {ranks}. "
        if result.control is not None:
            differing = [name for name in self.names if name in self._differing]
            listed = ", ".join(differing) if differing else "none"
            text += f"Significantly different from the control {result.control}: {listed}."
        else:
            groups = "; ".join(", ".join(self.names[i] for i in bar.members) for bar in self.bars)
            text += f"Groups without significant differences: {groups or 'none'}."
        return text + self.emphasis.told(self.names)


def axis_range(ranks: list[float], difference: float, k: int) -> tuple[int, int, int]:
    """Return the first and last rank to show, and the distance of labelled ticks.

    ``k`` is the number of algorithms.

    The axis shows the whole scale 1 to k if that is legible, otherwise the integers around the
    data. Aligned ranks number all scores, so that their averages exceed k: their part of the
    scale has room for the critical difference, and begins and ends with a labelled tick.
    """
    low, high = min(ranks), max(ranks)
    if high <= k:
        first, last = (1, k) if k <= 10 else (math.floor(low), math.ceil(high))
        if first == last:
            first, last = max(1, first - 1), last + 1
        return first, last, tick_step(last - first)
    room = max(0.0, difference - (high - low)) / 2
    low, high = max(1.0, low - room), high + room
    step = tick_step(2 * (high - low))  # half as many ticks, because their labels are long
    first, last = step * math.floor(low / step), step * math.ceil(high / step)
    return first, last if last > first else first + step, step
