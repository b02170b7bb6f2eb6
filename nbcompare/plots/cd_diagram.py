"""The critical difference diagram of Demšar (2006, Figure 1)."""

from __future__ import annotations

import math
from dataclasses import dataclass

from matplotlib.artist import Artist
from matplotlib.axes import Axes

from nbcompare._validation import check_choice
from nbcompare.plots._labels import basis, rank_decimals, wrapped
from nbcompare.plots._plot import Canvas, Plot, text_width, tick_step
from nbcompare.results import Comparison, Labelled
from nbcompare.results.wording import AVERAGE_RANK

# All lengths in inches, all font sizes in points.
_NAME_SIZE = 10.0
_SMALL_SIZE = 8.5
_RANK_SIZE = 7.5
_MARGIN = 0.12
_LINE = 0.165  # one line of a name
_ROW_GAP = 0.055
_BAR_PITCH = 0.12
_BAR_REACH = 0.05  # how far a bar reaches past its outermost members
_LEAD = 0.42  # from the end of the axis to the names; the ranks stand there
_PAD = 0.06


@dataclass(frozen=True, slots=True)
class _Bar:
    """Members of a group as positions in rank order, and where its bar goes."""

    members: tuple[int, ...]
    letter: str
    level: int

    @property
    def contiguous(self) -> bool:
        return self.members[-1] - self.members[0] + 1 == len(self.members)


def cd_diagram(comparison: Comparison, *, ax: Axes | None = None, best: str = "right") -> Plot:
    """Draw average ranks on an axis, with bars over algorithms not shown to differ.

    All pairs: a thick bar joins the members of each group in which no pair was shown to
    differ; the critical difference is drawn to scale where the procedure has one. A
    group with gaps is dotted, its members marked, and letters name the groups. With a
    control: filled marks differ from it, hollow ones are not shown to, and the
    Bonferroni-Dunn interval around it is drawn if that is the procedure.

    Parameters
    ----------
    comparison : Comparison
        From :func:`nbcompare.compare` or :func:`nbcompare.compare_ranks`.
    ax : matplotlib.axes.Axes, optional
        Axes to draw on; the drawing shrinks to fit. By default a figure of its own, as
        large as the names need.
    best : {"right", "left"}
        The side of the best rank.

    Returns
    -------
    Plot
        Artists ``axis``, ``names``, ``bars`` and ``difference``.

    Raises
    ------
    ValueError
        If there are more than 200 groups; :func:`pvalue_matrix` can show the pairs.

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
    """
    check_choice(best, "best", ("right", "left"))
    return _Diagram(comparison, best).draw(ax)


class _Diagram:
    """One drawing: measured first, then drawn."""

    def __init__(self, comparison: Comparison, best: str) -> None:
        if comparison.groups is None:
            raise ValueError(
                "`comparison` must have at most 200 groups of algorithms not shown to differ, "
                "each of which would be a bar; got more. plots.pvalue_matrix shows every pair."
            )
        self.result = comparison
        self.names = comparison.ordered
        self.ranks = [comparison.average_ranks[name] for name in self.names]
        self.decimals = rank_decimals(max(self.ranks))
        self.mirrored = best == "right"
        self.low, self.high, self.step = _axis_range(
            self.ranks, comparison.critical_difference or 0.0
        )
        self.width = min(6.5, max(3.6, 0.16 * len(self.names)))
        # bars on one level keep apart by their reach and a letter
        apart = (2 * _BAR_REACH + 0.15) * (self.high - self.low) / self.width
        self.bars = _place_bars(comparison.groups, self.names, self.ranks, apart)
        self.lettered = any(not bar.contiguous for bar in self.bars)
        self.labels = [self._label(position) for position in range(len(self.names))]
        half = len(self.names) // 2
        sides = (range(half), range(len(self.names) - 1, half - 1, -1))
        self.right, self.left = sides if self.mirrored else sides[::-1]

    # ----------------------------------------------------------------------- measures

    def _label(self, position: int) -> str:
        name = self.names[position]
        if name == self.result.control:
            name += " (control)"
        if self.lettered:
            letters = [bar.letter for bar in self.bars if position in bar.members]
            name += f" [{' '.join(letters)}]" if letters else ""
        return wrapped(name)

    def _label_width(self, position: int) -> float:
        bold = self.names[position] == self.result.control
        return text_width(self.labels[position], _NAME_SIZE, bold=bold)

    def _x(self, rank: float) -> float:
        share = (rank - self.low) / (self.high - self.low)
        return self.width * (1 - share if self.mirrored else share)

    def _reach(self, members: tuple[int, ...]) -> tuple[float, float]:
        ends = sorted((self._x(self.ranks[members[0]]), self._x(self.ranks[members[-1]])))
        return ends[0] - _BAR_REACH, ends[1] + _BAR_REACH

    def _side_height(self, side: range) -> float:
        return sum(self._row_height(position) + _ROW_GAP for position in side)

    def _row_height(self, position: int) -> float:
        return _LINE * (self.labels[position].count("\n") + 1)

    @property
    def _difference(self) -> float | None:
        return self.result.critical_difference

    # ------------------------------------------------------------------------ drawing

    def draw(self, ax: Axes | None) -> Plot:
        caption = self._caption()
        side = {
            name: max((self._label_width(i) for i in positions), default=0.0)
            for name, positions in (("left", self.left), ("right", self.right))
        }
        x0 = _MARGIN + side["left"] + _PAD + _LEAD
        total = x0 + self.width + _LEAD + _PAD + side["right"] + _MARGIN
        with_bar = self._difference is not None and self.result.control is None
        if with_bar and self._difference is not None:
            total = max(total, x0 + self._length(self._difference) + _MARGIN)
        total = max(total, 2 * _MARGIN + max(text_width(line, _SMALL_SIZE) for line in caption))
        caption_height = _LINE * len(caption)
        y_axis = _MARGIN + caption_height + (0.42 if with_bar else 0.12) + 0.2
        levels = 1 + max((bar.level for bar in self.bars), default=-1)
        y_bars = y_axis + 0.1
        if self.result.control is not None:
            levels = max(levels, 1)
        y_names = y_bars + _BAR_PITCH * levels + 0.1
        height = y_names + max(map(self._side_height, (self.left, self.right))) + _MARGIN
        canvas = Canvas.of_size(total, height, ax)
        for line_number, line in enumerate(caption):
            y = _MARGIN + _LINE * (line_number + 0.5)
            canvas.text(total / 2, y, line, _SMALL_SIZE, ha="center")
        artists = {
            "axis": self._draw_axis(canvas, x0, y_axis),
            "names": self._draw_names(canvas, x0, y_axis, y_names),
            "bars": self._draw_bars(canvas, x0, y_bars),
            "difference": self._draw_difference(canvas, x0, y_axis),
        }
        return Plot(canvas.ax.figure, canvas.ax, Labelled(artists), self._alt(), shown=ax is None)  # type: ignore[arg-type]

    def _number(self, ranks: float) -> str:
        return f"{ranks:.{self.decimals}f}"

    def _length(self, ranks: float) -> float:
        return self.width * ranks / (self.high - self.low)

    def _draw_axis(self, canvas: Canvas, x0: float, y: float) -> tuple[Artist, ...]:
        artists = [canvas.line((x0, x0 + self.width), (y, y), 1.0)]
        for rank in range(self.low, self.high + 1, max(1, self.step // 5)):
            x = x0 + self._x(rank)
            labelled = (rank - self.low) % self.step == 0
            artists.append(canvas.line((x, x), (y - (0.08 if labelled else 0.04), y), 0.8))
            if labelled:
                artists.append(canvas.text(x, y - 0.16, str(rank), _SMALL_SIZE, ha="center"))
        return tuple(artists)

    def _draw_names(
        self, canvas: Canvas, x0: float, y_axis: float, y_names: float
    ) -> tuple[Artist, ...]:
        artists: list[Artist] = []
        x_right = x0 + self.width + _LEAD
        for side, x_end, direction in ((self.left, x0 - _LEAD, -1), (self.right, x_right, 1)):
            y = y_names
            for position in side:
                x = x0 + self._x(self.ranks[position])
                middle = y + self._row_height(position) / 2
                canvas.line((x, x, x_end), (y_axis, middle, middle), 0.7, color="0.25")
                canvas.text(
                    x_end - direction * 0.02,
                    middle - 0.055,
                    self._number(self.ranks[position]),
                    _RANK_SIZE,
                    ha="right" if direction > 0 else "left",
                    color="0.3",
                )
                artists.append(
                    canvas.text(
                        x_end + direction * _PAD,
                        middle,
                        self.labels[position],
                        _NAME_SIZE,
                        ha="left" if direction > 0 else "right",
                        fontweight="bold" if self.names[position] == self.result.control else None,
                        linespacing=1.1,
                    )
                )
                if self.result.control is not None:
                    self._draw_mark(canvas, position, x, y_axis)
                y += self._row_height(position) + _ROW_GAP
        return tuple(artists)

    def _draw_mark(self, canvas: Canvas, position: int, x: float, y: float) -> None:
        name = self.names[position]
        if name == self.result.control:
            canvas.marker(x, y, "D", 6.5, filled=True)
        else:
            canvas.marker(x, y, "o", 6.0, filled=name in self._differing)

    @property
    def _differing(self) -> set[str]:
        tests = self.result.hypotheses
        return {name for name, no in zip(tests.second, tests.rejected, strict=True) if no}

    def _draw_bars(self, canvas: Canvas, x0: float, y_bars: float) -> tuple[Artist, ...]:
        artists = []
        for bar in self.bars:
            y = y_bars + _BAR_PITCH * (bar.level + 0.5)
            left, right = self._reach(bar.members)
            if bar.contiguous:
                artists.append(canvas.line((x0 + left, x0 + right), (y, y), 3.2, zorder=4))
            else:
                inner = (x0 + left + _BAR_REACH, x0 + right - _BAR_REACH)
                artists.append(canvas.line(inner, (y, y), 1.2, linestyle=(0, (1.2, 1.6))))
                for position in bar.members:
                    canvas.marker(x0 + self._x(self.ranks[position]), y, "s", 4.0, filled=True)
            if self.lettered:
                canvas.text(
                    x0 + left - 0.04,
                    y,
                    bar.letter,
                    _RANK_SIZE,
                    ha="right",
                    bbox={"facecolor": "white", "edgecolor": "none", "pad": 0.3},
                )
        return tuple(artists)

    def _draw_difference(self, canvas: Canvas, x0: float, y_axis: float) -> tuple[Artist, ...]:
        difference = self._difference
        if difference is None:
            return ()
        if self.result.control is None:
            y, left, right = y_axis - 0.42, x0, x0 + self._length(difference)
            label = canvas.text(
                (left + right) / 2,
                y - 0.1,
                f"CD = {self._number(difference)}",
                _SMALL_SIZE,
                ha="center",
            )
            caps = [canvas.line((x, x), (y - 0.04, y + 0.04), 1.2) for x in (left, right)]
            return (canvas.line((left, right), (y, y), 1.2), *caps, label)
        centre = self.result.average_ranks[self.result.control]
        y = y_axis + 0.1 + _BAR_PITCH / 2
        edges = (centre - difference, centre + difference)
        inside = [min(max(edge, self.low), self.high) for edge in edges]
        x = sorted(x0 + self._x(edge) for edge in inside)
        bar = canvas.line((x[0], x[1]), (y, y), 3.2, zorder=4)
        caps = [
            canvas.line((x0 + self._x(edge),) * 2, (y - 0.05, y + 0.05), 1.2)
            for edge in edges
            if self.low <= edge <= self.high
        ]
        return (bar, *caps)

    # -------------------------------------------------------------------------- words

    def _caption(self) -> list[str]:
        result = self.result
        what = basis(result)
        if result.control is None:
            return [what]
        marks = "◆ control   ● differs from it   ○ not shown to differ"
        if self._difference is not None:
            what += f", CD = {self._number(self._difference)} either side of the control"
        return [what, marks]

    def _alt(self) -> str:
        result = self.result
        ranks = ", ".join(
            f"{name} {self._number(rank)}"
            for name, rank in zip(self.names, self.ranks, strict=True)
        )
        what = self._caption()[0]
        if result.control is None and self._difference is not None:
            what += f", CD = {self._number(self._difference)}"
        nouns = f"{AVERAGE_RANK[result.ranking].capitalize()}s"
        text = f"Critical difference diagram ({what}). {nouns}, best first: {ranks}. "
        if result.control is not None:
            differing = [name for name in self.names if name in self._differing]
            listed = ", ".join(differing) if differing else "none"
            return text + f"Shown to differ from the control {result.control}: {listed}."
        groups = "; ".join(", ".join(self.names[i] for i in bar.members) for bar in self.bars)
        return text + f"Groups not shown to differ: {groups or 'none'}."


def _axis_range(ranks: list[float], difference: float) -> tuple[int, int, int]:
    """First and last rank to show, and the distance of labelled ticks.

    The whole scale 1 to k while that is legible, else the whole ranks around the data.
    Aligned ranks number all scores, and their averages exceed k: their part of the scale
    has room for the critical difference, and begins and ends with a labelled tick.
    """
    low, high, k = min(ranks), max(ranks), len(ranks)
    if high <= k:
        first, last = (1, k) if k <= 10 else (math.floor(low), math.ceil(high))
        if first == last:
            first, last = max(1, first - 1), last + 1
        return first, last, tick_step(last - first)
    room = max(0.0, difference - (high - low)) / 2
    low, high = max(1.0, low - room), high + room
    step = tick_step(2 * (high - low))  # half as many ticks: their labels are long
    first, last = step * math.floor(low / step), step * math.ceil(high / step)
    return first, last if last > first else first + step, step


def _place_bars(
    groups: tuple[tuple[str, ...], ...],
    names: tuple[str, ...],
    ranks: list[float],
    apart: float,
) -> list[_Bar]:
    """Give each group of two or more the first level on which no bar is in its way."""
    position = {name: i for i, name in enumerate(names)}
    members_of = sorted(
        tuple(sorted(position[name] for name in group)) for group in groups if len(group) > 1
    )
    taken_to: list[float] = []  # per level, the rank up to which it is taken
    bars = []
    for number, members in enumerate(members_of):
        start, end = ranks[members[0]], ranks[members[-1]]
        level = next((i for i, taken in enumerate(taken_to) if start > taken), len(taken_to))
        taken_to[level : level + 1] = [end + apart]
        bars.append(_Bar(members, _letter(number), level))
    return bars


def _letter(number: int) -> str:
    return (_letter(number // 26 - 1) if number >= 26 else "") + "abcdefghijklmnopqrstuvwxyz"[
        number % 26
    ]
