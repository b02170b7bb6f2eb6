"""Runtime distributions: the share of targets that algorithms reach by a number of evaluations."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes

from nbcompare._arrays import FloatArray
from nbcompare._options import QUANTILES
from nbcompare._render import plural
from nbcompare._validation import positions, shown
from nbcompare.plots._curves import Curve, Panel
from nbcompare.plots._frame import Frame
from nbcompare.plots._labels import Entry, wrapped
from nbcompare.plots._marks import Mark, marked
from nbcompare.plots._panels import WRAP, Panels
from nbcompare.plots._plot import Canvas, Plot, check_result
from nbcompare.plots._scale import Scale
from nbcompare.results import FixedTargets

_FEW_DECADES = 3
_DIMENSIONS = "dimensions"
_CROSS = 8.0  # size of a cross, in points
_MOST_TOLD = 12  # most algorithms in the alternative text


def runtime_distribution(
    result: FixedTargets,
    *,
    algorithms: Iterable[str] | None = None,
    problems: Iterable[str] | None = None,
    groups: Mapping[str, Iterable[str]] | str | None = None,
    ax: Axes | None = None,
) -> Plot:
    """Draw which share of all problems, targets and runs is reached by a number of evaluations.

    The share of an algorithm rises at every evaluation by what its runs reach there, as in the
    figures of COCO and IOHanalyzer; a curve further up and to the left is better. Evaluations are
    on a logarithmic axis. A cross stands on a curve where its unsuccessful runs end (at their
    median, if they differ); the curve goes no further up beyond the longest.

    Parameters
    ----------
    result : FixedTargets
        From :func:`nbcompare.fixed_targets`.
    algorithms : list of str, optional
        Algorithms to draw, by default all.
    problems : list of str, optional
        Problems to count, by default all.
    groups : mapping of str to list of str, or "dimensions", optional
        Groups of problems by name, each of which is a small panel; instead of ``problems``.
        ``dimensions``: those of the same dimension, over evaluations divided by it, as in COCO.
    ax : matplotlib.axes.Axes, optional
        Axes to draw on; the drawing shrinks to fit. By default, a new figure.

    Returns
    -------
    Plot
        Plot with the artists ``curves`` (panel by panel, in the order of the algorithms),
        ``marks`` (on the curves), ``crosses``, ``labels`` (at the ends of curves: names, or the
        numbers of the legend if there are several panels), ``problems`` (titles of several
        panels), ``axis`` and ``legend``.

    Raises
    ------
    TypeError
        If ``result`` is not a FixedTargets, or names are not lists.
    ValueError
        If a name is not in the result.
    DataError
        If there are to be panels by dimension, and dimensions are not known.

    References
    ----------
    Hansen, N., Auger, A., Ros, R., Mersmann, O., Tušar, T. and Brockhoff, D. (2021). COCO: a
    platform for comparing continuous optimizers in a black-box setting. Optimization Methods and
    Software 36 (1), 114-144.

    Examples
    --------
    >>> import nbcompare as nbc
    >>> result = nbc.fixed_targets(nbc.datasets.load("convergence_de"))
    >>> plot = nbc.plots.runtime_distribution(result, algorithms=["jDE", "random search"])
    >>> [text.get_text() for text in plot.artists["labels"]]
    ['jDE', 'random search']
    >>> len(plot.artists["crosses"])
    2
    """
    check_result(result, "runtime_distribution", FixedTargets)
    columns = positions(algorithms, result.algorithms, "algorithms")
    scaled = groups == _DIMENSIONS
    if groups is None:
        rows = positions(problems, result.problems, "problems")
        several = [("" if len(rows) != 1 else result.problems[rows[0]], rows)]
    else:
        several = _checked_groups(result, problems, groups)
    panels = [_panel(result, title, rows, columns, scaled=scaled) for title, rows in several]
    names = [result.algorithms[column] for column in columns]
    return _Distribution(result, panels, names, scaled=scaled).draw(ax)


def _checked_groups(
    result: FixedTargets, problems: object, groups: Mapping[str, Iterable[str]] | str
) -> list[tuple[str, list[int]]]:
    if problems is not None:
        raise ValueError("`problems` must be left out with `groups`, which names the problems.")
    if groups == _DIMENSIONS:
        sizes, of = np.unique(result.known_dimensions(), return_inverse=True)
        return [
            (f"dimension {size:g}", np.flatnonzero(of == i).tolist())
            for i, size in enumerate(sizes)
        ]
    if not isinstance(groups, Mapping) or not groups:
        raise TypeError(
            "`groups` must map names of groups to lists of problems, or be 'dimensions'; got "
            f"{shown(groups)}."
        )
    return [
        (str(name), positions(members, result.problems, "groups"))
        for name, members in groups.items()
    ]


class _Evaluations(Scale):
    """Logarithmic scale with round numbers of evaluations between powers of ten, if these are few.

    Their steps are 1, 2 and 5.
    """

    def ticks(self) -> list[tuple[float, str]]:
        decades = range(math.floor(self.low), math.ceil(self.high) + 1)
        if self.high - self.low > _FEW_DECADES:
            return super().ticks()
        ticks = [step * 10.0**decade for decade in decades for step in (1, 2, 5)]
        places = self.share(np.array(ticks))
        return [
            (float(place), f"{tick:g}")
            for tick, place in zip(ticks, places, strict=True)
            if -1e-9 <= place <= 1 + 1e-9
        ]


@dataclass(frozen=True, slots=True)
class _Group(Panel):
    """Panel of a group of problems, with the places of crosses by number of the algorithm."""

    crosses: Mapping[int, tuple[float, float]]
    n_problems: int


def _panel(
    result: FixedTargets,
    title: str,
    rows: Sequence[int],
    columns: Sequence[int],
    *,
    scaled: bool,
) -> _Group:
    """Return the curves of a group of problems as steps, on points that all of them share."""
    names = [result.problems[row] for row in rows]
    found = [
        result.distribution(result.algorithms[column], names, per_dimension=scaled)
        for column in columns
    ]
    steps = [result.steps_of(rows, column, per_dimension=scaled) for column in columns]
    spent = np.concatenate([at for at, _, _ in steps])
    last = float(spent.max())
    first = min(float(spent.min()), last / 10)
    at = np.unique(np.concatenate([[first, last], *(points for points, _ in found)]))
    evaluations = np.repeat(at, 2)[1:]  # every step has two ends
    curves, crosses = [], {}
    for number, (column, (points, shares)) in enumerate(zip(columns, found, strict=True)):
        share = _share_at(points, shares, at)
        runs = int(result.n_runs[rows, column].sum())
        # a curve begins with what is reached at the first point
        curves.append(Curve(number, np.repeat(share, 2)[:-1], None, runs))
        at_end, _, ended = steps[number]
        ends = np.sort(np.repeat(at_end, ended))
        if ends.size:
            end = float(ends[(len(ends) - 1) // 2])  # the median of the runs that missed a target
            crosses[number] = end, float(_share_at(points, shares, np.array([end]))[0])
    return _Group(
        problem=title,
        evaluations=evaluations,
        curves=tuple(curves),
        x=_Evaluations(np.array([first, last]), log=True, margin=0.0),
        y=Scale(np.array([0.0, 1.0]), log=False, margin=0.0),
        floor=False,
        crosses=crosses,
        n_problems=len(rows),
    )


def _share_at(points: FloatArray, shares: FloatArray, at: FloatArray) -> FloatArray:
    """Return the shares that are reached by some numbers of evaluations."""
    return np.append(0.0, shares)[np.searchsorted(points, at, side="right")]


class _Steps(Frame):
    """Panel of a runtime distribution, with a cross where a budget ends."""

    panel: _Group

    def about(self, curve: Curve) -> Mark:
        name, last = self.sheet.names[curve.number], float(curve.median[-1])
        where = f" on {self.panel.problem}" if self.panel.problem else ""
        return Mark(f"{name}{where}: {last:.1%} of the targets reached at the end", (name,))

    def lead(self, curve: Curve) -> float:
        return 1e3 * float(curve.median.mean())  # who reached the targets first

    def draw_beside(self, curve: Curve) -> None:
        place = self.panel.crosses.get(curve.number)
        if place is None:
            return
        x, y = self.x(np.array(place[:1])), self.y(np.array(place[1:]))
        style = self.sheet.styles[curve.number]
        cross = _cross(self.canvas, x, y, style.color)
        self.sheet.artists.setdefault("crosses", []).append(marked(cross, self.about(curve)))


def _cross(canvas: Canvas, x: FloatArray, y: FloatArray, color: str) -> Artist:
    return canvas.ax.plot(
        x,
        y,
        linestyle="none",
        marker="x",
        markersize=_CROSS * canvas.scale,
        markeredgecolor=color,
        markeredgewidth=1.6 * canvas.scale,
        clip_on=False,
        zorder=5,
    )[0]


class _Distribution(Panels):
    """Drawing of runtime distributions."""

    frame = _Steps

    def __init__(
        self, result: FixedTargets, panels: Sequence[_Group], names: Sequence[str], *, scaled: bool
    ) -> None:
        self.result, self.groups, self.scaled = result, panels, scaled
        super().__init__(panels, names)
        self.sheet.artists["crosses"] = []

    def measure(self) -> str:
        return "share of problems, targets and runs"

    def across(self) -> str:
        return "evaluations / dimension" if self.scaled else "evaluations"

    def _where(self) -> str:
        if self.several:
            return f"{plural(len(self.groups), 'group')} of problems"
        return self.groups[0].problem or plural(self.groups[0].n_problems, "problem")

    def _targets(self) -> str:
        result = self.result
        text = plural(result.n_targets, "target")
        if result.precisions is not None:
            ends = [f"{value:.4g}" for value in result.precisions[[0, -1]].tolist()]
            span = f"{ends[0]} to {ends[1]}" if result.n_targets > 1 else ends[0]
            return f"{text}, {span} from the optimum"
        return f"{text} chosen from the data" if result.chosen == QUANTILES else text

    def caption(self) -> list[str]:
        counts = self.result.n_runs
        least, most = int(counts.min()), int(counts.max())
        runs = plural(most, "run") if least == most else f"{least} to {plural(most, 'run')}"
        runs += " each"
        if self.result.restarts:
            runs += ", with simulated restarts"
        title = wrapped(f"Targets reached on {self._where()}", WRAP).split("\n")
        return [*title, *wrapped(f"{runs}; {self._targets()}", WRAP).split("\n")]

    def legend(self) -> list[Entry]:
        entries = self.named()
        if any(panel.crosses for panel in self.groups):
            entries.append(Entry("end of unsuccessful runs (median)", _cross_symbol))
        return entries

    def alt(self) -> str:
        told = " ".join(map(self._describe_finals, self.groups))
        return (
            "Curves of the share of problems, targets and runs that are reached, over evaluations "
            f"on a logarithmic axis. {' '.join(self.caption())}. {told}"
        )

    def _describe_finals(self, panel: _Group) -> str:
        finals = [(float(curve.median[-1]), self.names[curve.number]) for curve in panel.curves]
        finals.sort(key=lambda item: -item[0])
        told = [f"{name} {share:.1%}" for share, name in finals[:_MOST_TOLD]]
        if more := len(finals) - len(told):
            told.append(f"{more} more")
        where = f" on {panel.problem}" if panel.problem else ""
        return f"Reached at the end{where}, most first: {', '.join(told)}."


def _cross_symbol(canvas: Canvas, x: float, y: float) -> Sequence[Artist]:
    return [_cross(canvas, np.array([x]), np.array([y]), "0.3")]
