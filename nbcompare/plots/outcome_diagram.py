"""Diagram of the means of stochastic algorithms, with bars for all three outcomes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes

from nbcompare._options import MAXIMIZE
from nbcompare._validation import check_choice
from nbcompare.plots._diagram import (
    BAR_PITCH,
    BAR_REACH,
    NUMBER_SIZE,
    Bar,
    NamesAroundAxis,
    bars_apart,
    hollow_bar,
    place_bars,
    width_for,
)
from nbcompare.plots._labels import (
    SMALL_SIZE,
    Entry,
    Legend,
    caption_height,
    caption_width,
    draw_caption,
    wrapped,
)
from nbcompare.plots._marks import Mark, marked
from nbcompare.plots._outcomes import basis, mark, mean_of
from nbcompare.plots._plot import Canvas, Plot, check_result, text_width
from nbcompare.plots._scale import Scale
from nbcompare.plots._style import MARGIN
from nbcompare.results import Labelled
from nbcompare.results.imprecise import INCONCLUSIVE, NOT_REJECTED, OUTCOMES, interval
from nbcompare.results.stochastic import StochasticComparison

# All lengths in inches, all font sizes in points.
_LANE = 0.1  # height of a lane of intervals under the axis
_LANE_REACH = 0.06  # half of the least distance between intervals on one lane
_NEAR = 0.04  # a bar would appear to include an algorithm as near as this
_WRAP = 80
_INTERVAL = "0.55"


def outcome_diagram(
    result: StochasticComparison, *, ax: Axes | None = None, best: str = "right"
) -> Plot:
    """Draw means on an axis, with bars over groups that do not, or may not, differ.

    Under the axis, a grey line for each algorithm extends from the lower to the upper end of
    its mean, with a mark in the middle, where the line to its name begins. In a comparison of
    all pairs, a solid bar joins algorithms of which no pair is rejected or inconclusive, and a
    hollow bar joins algorithms of which no pair is rejected but some are inconclusive. Two
    algorithms that no bar joins differ significantly. A group with gaps, or with a
    non-member too near to its ends, has a dotted bar with marked members, and letters name the
    groups. In a comparison with a control, filled marks differ significantly from the control,
    hollow ones do not, and half-filled ones are inconclusive.

    Parameters
    ----------
    result : StochasticComparison
        Result of :func:`nbcompare.compare_stochastic`.
    ax : matplotlib.axes.Axes, optional
        Axes to draw on; the drawing shrinks to fit. By default, a new figure that is as
        large as the names require.
    best : {"right", "left"}
        Side of the best mean.

    Returns
    -------
    Plot
        Plot with the artists ``axis``, ``intervals`` and ``marks`` (best first), ``names``,
        ``bars`` (those of groups, then those of open groups; none with a control) and
        ``legend``.

    Raises
    ------
    ValueError
        If there are more than 200 groups; :func:`membership` can show the pairs.

    See Also
    --------
    cd_diagram : Diagram of Demšar (2006), which this one extends to three outcomes.

    Examples
    --------
    >>> import numpy as np
    >>> import nbcompare as nbc
    >>> runs = np.random.default_rng(1).normal([[[0.4]], [[0.5]], [[0.42]]], 0.04, (8, 3, 1, 30))
    >>> experiment = nbc.Experiment.from_array(runs, direction="minimize")
    >>> plot = nbc.plots.outcome_diagram(nbc.compare_stochastic(experiment))
    >>> len(plot.artists["names"]), len(plot.artists["intervals"])
    (3, 3)
    """
    check_result(result, "outcome_diagram", StochasticComparison)
    check_choice(best, "best", ("right", "left"))
    return _Diagram(result, best).draw(ax)


class _Diagram(NamesAroundAxis):
    """Drawing that is measured first and then drawn."""

    def __init__(self, result: StochasticComparison, best: str) -> None:
        if result.groups is None or result.open_groups is None:
            raise ValueError(
                "`result` must have at most 200 groups without significant differences, each of "
                "which would be a bar; got more. plots.membership shows every pair."
            )
        self.result = result
        names = result.ordered
        self.ends = [(result.mean_low[name], result.mean_high[name]) for name in names]
        self.scale = Scale(np.array(self.ends), log=False)
        self.turned = result.design.direction == MAXIMIZE  # large values are best
        shares = self.scale.share(np.array(self.ends))
        self.spans = np.sort(1 - shares if self.turned else shares, axis=1)
        middles = self.spans.mean(axis=1).tolist()
        numbers = [interval(*ends) for ends in self.ends]
        super().__init__(
            names,
            middles,
            (0, 1),
            control=result.control,
            bars=_bars(result, names, middles),
            mirrored=best == "right",
            lead=max(text_width(number, NUMBER_SIZE) for number in numbers) + 0.08,
        )
        self.numbers = numbers
        tests = result.hypotheses
        self.outcomes = (
            {}
            if result.control is None
            else dict(zip(tests.second or (), tests.outcome, strict=True))
        )
        self.lanes = self._lanes()
        self.y_lanes = 0.0  # top of the lanes, known when drawn

    def reach(self, members: tuple[int, ...]) -> tuple[float, float]:
        """Return the ends of a bar, which do not reach the next algorithm beyond the group."""
        before, after = _gaps(members, self.values)
        best, worst = (self.x(self.values[end]) for end in (members[0], members[-1]))
        sign = -1 if self.mirrored else 1
        ends = (
            best - sign * min(BAR_REACH, before * self.width / 2),
            worst + sign * min(BAR_REACH, after * self.width / 2),
        )
        return min(ends), max(ends)

    def number(self, position: int) -> str:
        """Return the mean as text."""
        return self.numbers[position]

    def about(self, position: int) -> Mark:
        """Return the mean of an algorithm, and its outcome against the control."""
        name = self.names[position]
        told = f"{name}: {mean_of(self.result)} {self.numbers[position]}"
        if name == self.control:
            told += ", the control"
        elif name in self.outcomes:
            told += f"; against {self.control}, {self.outcomes[name]}"
        return Mark(told, (name,))

    def about_bar(self, bar: Bar) -> Mark:
        """Return what no pair of a bar is."""
        names = tuple(self.names[position] for position in bar.members)
        what = f"every pair {NOT_REJECTED}"
        if bar.hollow:
            what = f"no pair rejected, some {INCONCLUSIVE}"
        return Mark(f"{', '.join(names)}: {what}", names)

    def draw_mark(self, canvas: Canvas, position: int, x: float, y_axis: float) -> None:
        """Draw nothing on the axis, because the marks are drawn on the intervals."""

    def _lanes(self) -> list[int]:
        """Return for each algorithm the first lane that is free for its interval."""
        ends = [sorted(map(self.x, span)) for span in self.spans.tolist()]
        lanes, taken_to = [0] * len(ends), list[float]()
        for position in sorted(range(len(ends)), key=ends.__getitem__):
            left, right = ends[position]
            free = (i for i, taken in enumerate(taken_to) if left - _LANE_REACH > taken)
            lane = next(free, len(taken_to))
            taken_to[lane : lane + 1] = [right + _LANE_REACH]
            lanes[position] = lane
        return lanes

    # ------------------------------------------------------------------------ drawing

    def draw(self, ax: Axes | None) -> Plot:
        caption, legend = self._caption(), Legend(self._legend())
        x0 = MARGIN + self.side_width(self.left)
        total = x0 + self.width + self.side_width(self.right) + MARGIN
        total = max(total, caption_width(caption) + 2 * MARGIN)
        total = max(total, legend.least_width + 2 * MARGIN)
        y_axis = MARGIN + caption_height(caption) + 0.32
        self.y_lanes = y_axis + 0.06
        y_bars = self.y_lanes + _LANE * (1 + max(self.lanes)) + 0.04
        y_names = y_bars + BAR_PITCH * self.levels() + 0.1
        below = y_names + self.sides_height() + 0.06
        room = total - 2 * MARGIN
        canvas = Canvas.of_size(total, below + legend.height(room) + MARGIN, ax)
        draw_caption(canvas, caption, total / 2, MARGIN)
        places = range(len(self.names))
        artists: dict[str, tuple[Artist, ...]] = {
            "axis": self._draw_axis(canvas, x0, y_axis),
            "intervals": tuple(self._draw_interval(canvas, x0, place) for place in places),
            "names": self.draw_names(canvas, x0, y_axis, y_names),
            "bars": self.draw_bars(canvas, x0, y_bars),
            "marks": tuple(self._draw_mean(canvas, x0, place) for place in places),
            "legend": legend.draw(canvas, MARGIN, below, room),
        }
        return Plot(canvas.ax.figure, canvas.ax, Labelled(artists), self._alt(), shown=ax is None)  # type: ignore[arg-type]

    def _draw_axis(self, canvas: Canvas, x0: float, y: float) -> tuple[Artist, ...]:
        artists = [canvas.line((x0, x0 + self.width), (y, y), 1.0)]
        taken = -np.inf  # right end of the last label drawn
        ticks = [(1 - share if self.turned else share, text) for share, text in self.scale.ticks()]
        for x, text in sorted((x0 + self.x(value), text) for value, text in ticks):
            half = text_width(text, SMALL_SIZE) / 2
            artists.append(canvas.line((x, x), (y - 0.08, y), 0.8))
            if x - half > taken:
                artists.append(canvas.text(x, y - 0.16, text, SMALL_SIZE, ha="center"))
                taken = x + half + 0.05
        return tuple(artists)

    def _y(self, position: int) -> float:
        return self.y_lanes + _LANE * (self.lanes[position] + 0.5)

    def _draw_interval(self, canvas: Canvas, x0: float, position: int) -> Artist:
        low, high = sorted(x0 + self.x(end) for end in self.spans[position].tolist())
        y = self._y(position)
        line = canvas.line((low, high), (y, y), 3.4, color=_INTERVAL, zorder=4)
        return marked(line, self.about(position))

    def _draw_mean(self, canvas: Canvas, x0: float, position: int) -> Artist:
        name = self.names[position]
        x, y = x0 + self.x(self.values[position]), self._y(position)
        if name == self.control:
            drawn = canvas.marker(x, y, "D", 5.5, filled=True)
        elif name in self.outcomes:
            drawn = mark(canvas, x, y, self.outcomes[name], 5.5)
        else:
            drawn = canvas.marker(x, y, "o", 2.6, filled=True)
        return marked(drawn, self.about(position))

    # -------------------------------------------------------------------------- words

    def _caption(self) -> list[str]:
        result = self.result
        what = f"{mean_of(result)}{self.scale.suffix}, {result.design.better}"
        return [
            *wrapped(basis(result, result.hypotheses), _WRAP).split("\n"),
            *wrapped(what, _WRAP).split("\n"),
        ]

    def _legend(self) -> list[Entry]:
        entries = []
        if self.control is not None:
            entries.append(Entry("control", _control_symbol))
            found = set(self.outcomes.values())
            entries += [
                Entry(word, partial(_mark_symbol, word)) for word in OUTCOMES if word in found
            ]
        if any(not bar.hollow for bar in self.bars):
            entries.append(Entry(f"every pair {NOT_REJECTED}", partial(_bar_symbol, False)))
        if any(bar.hollow for bar in self.bars):
            text = f"no pair rejected, some {INCONCLUSIVE}"
            entries.append(Entry(text, partial(_bar_symbol, True)))
        if any(low != high for low, high in self.ends):
            entries.append(Entry("mean, from lower to upper end", _interval_symbol))
        return entries

    def _alt(self) -> str:
        result = self.result
        means = ", ".join(
            f"{name} {number}" for name, number in zip(self.names, self.numbers, strict=True)
        )
        measure = f"M{mean_of(result)[1:]} ({result.design.better})"
        what = basis(result, result.hypotheses)
        text = f"Outcome diagram ({what}). {measure}, best first: {means}. "
        if self.control is not None:
            parts = []
            for word in OUTCOMES:
                found = [name for name in self.names if self.outcomes.get(name) == word]
                parts.append(f"{word}: {', '.join(found) or 'none'}")
            return text + f"Against the control {self.control}, {'; '.join(parts)}."
        solid, hollow = (
            "; ".join(
                ", ".join(self.names[i] for i in bar.members)
                for bar in self.bars
                if bar.hollow == kind
            )
            for kind in (False, True)
        )
        return (
            f"{text}Groups in which every pair is {NOT_REJECTED}: {solid or 'none'}. Groups in "
            f"which no pair is rejected but some are {INCONCLUSIVE}: {hollow or 'none'}."
        )


def _bars(result: StochasticComparison, names: Sequence[str], values: Sequence[float]) -> list[Bar]:
    """Return bars of the groups and, below them, of the open groups that are not among them."""
    apart = bars_apart(1.0, width_for(len(names)))
    solid = place_bars(result.groups or (), names, values, apart)
    known = {frozenset(group) for group in result.groups or ()}
    still = [group for group in result.open_groups or () if frozenset(group) not in known]
    bars = solid + place_bars(still, names, values, apart, below=solid, hollow=True)
    least = _NEAR / width_for(len(names))
    return [replace(bar, marked=min(_gaps(bar.members, values)) < least) for bar in bars]


def _gaps(members: tuple[int, ...], values: Sequence[float]) -> tuple[float, float]:
    """Return the distances from the ends of a group to the next better and worse algorithm."""
    first, last = members[0], members[-1]
    before = values[first] - values[first - 1] if first > 0 else np.inf
    after = values[last + 1] - values[last] if last + 1 < len(values) else np.inf
    return float(before), float(after)


def _control_symbol(canvas: Canvas, x: float, y: float) -> Sequence[Artist]:
    return [canvas.marker(x, y, "D", 5.5, filled=True)]


def _mark_symbol(word: str, canvas: Canvas, x: float, y: float) -> Sequence[Artist]:
    return [mark(canvas, x, y, word, 5.5)]


def _bar_symbol(hollow: bool, canvas: Canvas, x: float, y: float) -> Sequence[Artist]:
    if hollow:
        return [hollow_bar(canvas, x - 0.12, x + 0.12, y)]
    return [canvas.line((x - 0.12, x + 0.12), (y, y), 3.2)]


def _interval_symbol(canvas: Canvas, x: float, y: float) -> Sequence[Artist]:
    line = canvas.line((x - 0.12, x + 0.12), (y, y), 3.4, color=_INTERVAL)
    return [line, canvas.marker(x, y, "o", 2.6, filled=True)]
