"""Names beside an axis, each joined to its value by a line, and bars over groups of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from matplotlib import rcParams
from matplotlib.axes import Axes
from matplotlib.patheffects import Stroke
from matplotlib.ticker import AutoMinorLocator
from matplotlib.transforms import offset_copy

from nbcompare.plots._plot import Mark
from nbcompare.plots._rows import CONTROL, marker_of
from nbcompare.plots._sheet import ACCENT, FULL, Sheet
from nbcompare.plots._text import in_lines, line_height, number_ticks, text_width, wrapped

_ALIKE = "no significant difference"
_LEVEL = 0.55  # rows between bars above one another
_MOST_AROUND, _MOST_LEVELS = 15, 10  # names at both sides, and bars above one another
_NARROW = 5.0  # inches: names of several lines are at one side then
_NEAR = 0.008  # of the axis: values that are nearer cannot be told apart
_PAD, _LANE, _LEAST_LANE = 4.0, 7.0, 4.2  # points
_BAR = 0.4  # of that, for the bar
_LANES = 0.22  # of the width, at most, for bars beside one another
_FULLEST = 0.85  # of the width, for names, bars and numbers
_LIGHT = "0.8"
_WHISKER: dict[str, Any] = {"color": "0.6", "linewidth": 4, "solid_capstyle": "butt", "zorder": 3}
_BETWEEN: dict[str, Any] = {"color": "0.2", "linewidth": 1.1, "linestyle": (0, (1, 1.5))}
_BETWEEN |= {"label": "not of the group"}


@dataclass(frozen=True, kw_only=True)
class Ranked:
    """Algorithms from the best to the worst, and how they are drawn.

    ``groups`` are places, counted from the best, and whether some pairs are inconclusive; ``kinds``
    are those of algorithms in a comparison with a control. In a column, each algorithm has a row of
    its own for its mark and interval, and bars stand beside the names. ``turned`` says that large
    values are best, and ``whole`` that ticks are at whole numbers, if there is more than one.
    """

    names: Sequence[str]
    values: Sequence[float]
    numbers: Sequence[str]
    about: Mapping[str, Mark]
    label: str
    span: tuple[float, float]
    groups: Sequence[tuple[bool, tuple[int, ...]]] = ()
    kinds: Mapping[str, str] = field(default_factory=dict)
    intervals: Sequence[tuple[float, float]] = ()
    bold: frozenset[str] = frozenset()  # what is highlighted
    best: str = "right"
    one_sided: bool = False
    column: bool = False
    turned: bool = False
    whole: bool = False
    interval: str = ""  # what an interval is
    left_out: int = 0  # groups without a bar
    numbered: bool = True  # whether the values are written beside the names

    def needs_column(self) -> bool:
        """Return whether names at both sides would be too many, or members not be told apart."""
        near, values = _NEAR * (self.span[1] - self.span[0]), self.values
        return bool(
            len(self.names) > _MOST_AROUND
            or self.intervals
            or max(self.levels(), default=0) >= _MOST_LEVELS
            or any(
                abs(value - values[it]) <= near
                for _, members in self.groups
                for place, value in enumerate(values)
                if place not in members
                for it in members
            )
        )

    def labels(self, width: float) -> list[str]:
        """Return the names in lines, for axes that are this wide with their names."""
        share = 0.36 if self.one_sided or self.column else 0.25
        named = [f"{it} (control)" if self.kinds.get(it) == CONTROL else it for it in self.names]
        return [wrapped(it, share * width, bold=True) for it in named]

    def sides(self) -> list[tuple[int, Sequence[int]]]:
        """Return the places of the names at each end of the axes, from the top."""
        k, end = len(self.names), int(self.best == "right")
        half = k if self.one_sided or self.column else k // 2
        return [(end, range(half)), *([(1 - end, range(k - 1, half - 1, -1))] if half < k else [])]

    def levels(self) -> list[int]:
        """Return the level of each bar, so that those on one level do not touch."""
        apart = 0.5 if self.column else 0.03 * (self.span[1] - self.span[0])
        along = range(len(self.names)) if self.column else self.values
        taken: list[float] = []
        found = []
        for _, members in self.groups:
            free = (i for i, to in enumerate(taken) if along[members[0]] > to + apart)
            found.append(next(free, len(taken)))
            taken[found[-1] : found[-1] + 1] = [along[members[-1]]]
        return found

    def lane(self, width: float) -> float:
        """Return the points that bars beside one another are apart."""
        return min(_LANE, 72 * _LANES * width / (1 + max(self.levels(), default=0)))

    def natural_width(self, axis: float, most: float = FULL) -> float:
        """Return the width, at most this, of a figure whose axis is about as long as this."""
        labels = self.labels(most)
        names = [max(text_width(labels[it], bold=True) for it in side) for _, side in self.sides()]
        lanes = self.column * self.lane(most) / 72 * (1 + max(self.levels(), default=-1))
        return axis + sum(names) + 0.5 * len(names) + lanes

    def fitting(self, width: float) -> Ranked:
        """Return it as there is room for: long names at one side, and the largest groups only."""
        if not self.column:
            narrow = width < _NARROW and any(it.count("\n") > 1 for it in self.labels(width))
            return replace(self, one_sided=self.one_sided or narrow)
        fit, groups = self, sorted(self.groups, key=lambda group: (-len(group[1]), group))
        while fit.lane(width) < _LEAST_LANE:
            groups.pop()
            fit = replace(self, groups=sorted(groups), left_out=len(self.groups) - len(groups))
        numbers = max(map(text_width, self.numbers))
        return replace(fit, numbered=fit.natural_width(numbers, width) < _FULLEST * width)


def draw_diagram(sheet: Sheet, ranked: Ranked, ax: Axes, width: float) -> float:
    """Draw algorithms on axes, and return the height that these need, in inches."""
    span, column, sides = ranked.span, ranked.column, ranked.sides()
    with_gaps = any(members[-1] - members[0] >= len(members) for _, members in ranked.groups)
    for part in ("symbols", "intervals", *["pieces"] * with_gaps, "bars"):
        sheet.add(part, [])
    ends = span if (ranked.best == "left") != ranked.turned else span[::-1]
    ax.set_xlim(*ends)
    ax.xaxis.tick_top()
    ax.yaxis.set_visible(False)
    sheet.bare("left", "right", "bottom", ax=ax)

    labels, levels, lane = ranked.labels(width), ranked.levels(), ranked.lane(width)
    depth = 1 + max(levels, default=-1)
    top = 0.4 + (0 if column else _LEVEL * max(depth, bool(ranked.kinds)))
    rows, bottom, row = [0.0] * len(labels), top, line_height() + 0.05
    for _, places in sides:
        y = top
        for place in places:
            high = 1 + labels[place].count("\n") * line_height() / row
            rows[place], y = y + high / 2, y + high
        bottom = max(bottom, y)
    ax.set_ylim(bottom, 0)
    beside = _PAD + (lane * (depth + 0.3) if column and depth else 0)
    for place, end in sorted((place, end) for end, places in sides for place in places):
        _draw_value(sheet, ax, ranked, place, rows[place], ends[end])
        _write_name(sheet, ax, ranked, place, labels[place], (end, rows[place], beside))

    for (is_open, members), level in zip(ranked.groups, levels, strict=True):
        names = tuple(ranked.names[it] for it in members)
        told = f"No significant difference between any two of {', '.join(names)}"
        about = Mark(told + (", some pairs inconclusive" if is_open else ""), names)
        gaps = np.flatnonzero(np.diff(members) > 1) + 1
        runs = [run.tolist() for run in np.split(members, gaps)]
        style = _bar_style(ranked, lane, is_open=is_open)
        pieces = [("bars", runs[0], style)]
        if len(runs) > 1:
            pieces = [("bars", [*members], _BETWEEN), *(("pieces", run, style) for run in runs)]
        for part, some, how in pieces:
            along = [rows[it] if column else ranked.values[it] for it in some]
            if along[0] == along[-1]:  # of no length, it would not be seen
                least = 0.1 if column else 0.004 * (span[1] - span[0])
                along = [along[0] - least, *along, along[0] + least]
            if column:
                end = sides[0][0]
                away = (2 * end - 1) * (_PAD + lane * (level + 0.3))
                where = offset_copy(ax.get_yaxis_transform(), sheet.figure, away, 0, "points")
                drawn = ax.plot([end] * len(along), along, transform=where, clip_on=False, **how)
            else:
                drawn = ax.plot(along, [_LEVEL * (level + 0.9)] * len(along), **how)
            sheet.add(part, drawn, about)
    end = min(end for end, _ in sides)  # beside the ticks, above names
    at: dict[str, Any] = {"coords": "axes fraction", "shift": ((4 * end - 2) * _PAD, _PAD)}
    text = in_lines(ranked.label, 0.25 * width)
    sheet.text("axis", (end, 1), text, ha="left" if end else "right", va="bottom", ax=ax, **at)
    several = len(sheet.axes) > 1
    number_ticks(
        ax.xaxis,
        most=int(1.2 * width) if several else 9,
        whole=ranked.whole and span[1] - span[0] >= 2,
        inches=None if several else sheet.breadth(),
    )
    ax.xaxis.set_minor_locator(AutoMinorLocator(2))
    return bottom * row


def _write_name(
    sheet: Sheet, ax: Axes, ranked: Ranked, place: int, label: str, at: tuple[int, float, float]
) -> None:
    """Write a number and a name at a side, in a row, and some points beside the axes."""
    (end, row, beside), name, number = at, ranked.names[place], ranked.numbers[place]
    is_strong, about, sign = name in ranked.bold, ranked.about[name], 2 * end - 1
    style: dict[str, Any] = {"coords": ("axes fraction", "data"), "ax": ax}
    style["ha"] = "left" if end else "right"
    onward: dict[str, Any] = {}
    if ranked.column:  # the line from the value goes on, past the bars
        line = {"arrowstyle": "-", "color": ACCENT if is_strong else _LIGHT, "linewidth": 0.8}
        onward = {"arrowprops": line | {"shrinkA": 2, "shrinkB": 0, "relpos": (1 - end, 0.5)}}
    if ranked.numbered:
        away = (sign * beside, 0)
        sheet.text("ranks", (end, row), number, about, shift=away, color="0.4", **style, **onward)
        beside, onward = beside + 72 * max(map(text_width, ranked.numbers)) + _PAD, {}
    style |= {"color": ACCENT} if is_strong else {}
    bold = is_strong or ranked.kinds.get(name) == CONTROL
    style |= {"fontweight": "bold"} if bold else {}
    sheet.text("names", (end, row), label, about, shift=(sign * beside, 0), **style, **onward)


def _draw_value(sheet: Sheet, ax: Axes, ranked: Ranked, place: int, y: float, edge: float) -> None:
    """Draw the line from a value to its name, its interval and its mark."""
    name, value, column = ranked.names[place], ranked.values[place], ranked.column
    about, kind = ranked.about[name], ranked.kinds.get(name, "")
    strong = name in ranked.bold
    xs, ys = ([value, edge], [y, y]) if column else ([value, value, edge], [0.0, y, y])
    style: dict[str, Any] = {"color": ACCENT if strong else _LIGHT if column else "0.4"}
    style |= {"linewidth": 1.8 if strong else 0.8}
    sheet.add("leaders", ax.plot(xs, ys, zorder=2.1 if strong else 2, **style), about)
    if ranked.intervals:
        ends = ranked.intervals[place]
        whisker = ax.plot(ends, [y, y], label=ranked.interval * (ends[0] < ends[1]), **_WHISKER)
        sheet.add("intervals", whisker, about)
    if kind or column:
        style = marker_of(kind) | ({"color": ACCENT} if strong else {})
        style |= {"clip_on": False, "zorder": 6 if kind == CONTROL else 5}
        sheet.add("symbols", ax.plot([value], [y if column else 0], **style), about)


def _bar_style(ranked: Ranked, lane: float, *, is_open: bool) -> dict[str, Any]:
    """Return how Matplotlib draws and names a bar: solid, or hollow."""
    ink, ground, wide = rcParams["axes.edgecolor"], rcParams["axes.facecolor"], _BAR * lane
    n, style = len(ranked.groups), {"color": ink, "linewidth": wide}
    style |= {"solid_capstyle": "projecting", "zorder": 4}
    more = f" (the largest {n:,} of {n + ranked.left_out:,} groups)" if ranked.left_out else ""
    style["label"] = f"{_ALIKE}{', some pairs inconclusive' * is_open}{more}"
    both = Stroke(linewidth=wide, foreground=ink), Stroke(linewidth=wide / 2, foreground=ground)
    return style | ({"path_effects": both} if is_open else {})
