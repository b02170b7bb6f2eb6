"""Critical difference diagram of Demšar (2006, Figure 1)."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from matplotlib import rcParams
from matplotlib.axes import Axes
from matplotlib.transforms import offset_copy

from nbcompare._render import format_number
from nbcompare._validation import check_choice, named
from nbcompare.plots._diagram import (
    ALIKE,
    CONTROL,
    DIFFERS,
    Ranked,
    draw_diagram,
    draw_legend,
)
from nbcompare.plots._emphasis import emphasis_of
from nbcompare.plots._plot import Plot, check_result
from nbcompare.plots._sheet import Sheet, figure
from nbcompare.plots._wording import algorithm_marks, basis, differing_from, rank_decimals
from nbcompare.results import Comparison, RankIntervals
from nbcompare.results.wording import percent
from nbcompare.words import RANKINGS

_WIDE = 0.35  # of all ranks: if more are used, or between two that differ, the axis shows all


@figure
def cd_diagram(
    comparison: Comparison,
    *,
    intervals: RankIntervals | None = None,
    best: str = "right",
    labels: str = "both",
    highlight: Iterable[str] | None = None,
    families: Mapping[str, str] | None = None,
    colors: Mapping[str, str] | None = None,
    title: bool = True,
    ax: Axes | None = None,
) -> Plot:
    """Draw average ranks on an axis, with bars over groups without significant differences.

    In a comparison of all pairs, a thick bar joins the members of each group in which no pair
    differs significantly, and the critical difference is drawn to scale above the axis if the
    procedure has one. Among a group with gaps, a dotted bar has marks at its members. In a
    comparison with a control, filled marks differ significantly from the control, hollow ones do
    not, and the Bonferroni-Dunn interval is drawn around the control if that is the procedure.

    More than 15 algorithms, intervals, and groups with gaps whose ranks are too close to tell
    their members stand in one column, the best one at the top: each has a row of its own with a
    dot at its average rank, and the bars join names instead of ranks.

    Parameters
    ----------
    comparison : Comparison
        Result of :func:`nbcompare.compare` or :func:`nbcompare.compare_ranks`.
    intervals : RankIntervals, optional
        Result of :func:`nbcompare.rank_intervals` for the same data, with Friedman's ranks. They
        are drawn as lines around the average ranks, in a column.
    best : {"right", "left"}
        Side of the best rank.
    labels : {"both", "one"}
        Whether the names stand on both sides of the axis, or on one, that of the best rank, which
        suits slides and narrow columns, and where a column always has them.
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
    title : bool, default True
        Whether the figure has its caption above it.
    ax : matplotlib.axes.Axes, optional
        Axes to draw on. By default, a new figure.

    Returns
    -------
    Plot
        Plot with the artists ``names`` and ``ranks`` (their numbers), ``leaders`` (lines to the
        names), ``symbols`` (dots, or marks of a comparison with a control), ``intervals``,
        ``bars``, ``difference`` (the critical one), ``axis`` and ``legend``. The x axis is in
        average ranks, the y axis in rows from the top.

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
    (ranked,) = ranked_of([comparison], look, intervals)
    sheet = Sheet(ax, width=ranked.natural_width(3.6), title=title)
    ranked = ranked.fitting(sheet.width)
    sheet.caption(basis(comparison) + _either_side(comparison))
    height = draw_panel(sheet, comparison, ranked, sheet.ax, sheet.width)
    share = "" if intervals is None else percent(intervals.confidence)
    draw_legend(sheet, [ranked], f"{share} confidence interval")
    return sheet.plot(alt_of(comparison, ranked, intervals), height=height)


def look_of(algorithms: Sequence[str], best: str, labels: str, *emphasis: Any) -> dict[str, Any]:
    """Return the look that was asked for, or raise an error that says what is wrong with it."""
    check_choice(best, "best", ("right", "left"))
    check_choice(labels, "labels", ("both", "one"))
    chosen = emphasis_of(algorithms, *emphasis)
    return {"best": best, "one_sided": labels == "one", "emphasis": chosen}


def _check_intervals(comparison: Comparison, intervals: RankIntervals) -> None:
    """Raise an error unless the intervals are those of the average ranks that are drawn."""
    if not isinstance(intervals, RankIntervals):
        raise TypeError(
            "`intervals` must be a RankIntervals; got "
            f"{type(intervals).__name__}. Pass nbc.rank_intervals(experiment)."
        )
    ranks, others = comparison.average_ranks, intervals.average_ranks
    if apart := sorted(set(ranks) ^ set(others)):
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


def ranked_of(
    comparisons: Sequence[Comparison],
    look: Mapping[str, Any],
    intervals: RankIntervals | None = None,
) -> list[Ranked]:
    """Return what is drawn of each comparison, on one axis; in columns if one of them needs it."""
    drawn = [_ranked(it, intervals, _span(comparisons, intervals), look) for it in comparisons]
    column = any(it.needs_column() for it in drawn)
    return [replace(it, column=column) for it in drawn]


def _span(
    comparisons: Sequence[Comparison], intervals: RankIntervals | None
) -> tuple[float, float]:
    """Return the ends of an axis: of all ranks there are, or if few are used, of those."""
    ranks = [rank for it in comparisons for rank in it.average_ranks.values()]
    k = len(comparisons[0].average_ranks)
    if intervals is not None:
        ranks += [*intervals.lower.values(), *intervals.upper.values()]
    low, high = min(ranks), max(ranks)
    distance = max(it.critical_difference or 0.0 for it in comparisons)
    if high <= k <= 10 and max(high - low, distance) > _WIDE * (k - 1):
        low, high = 1.0, float(k)
    # the critical difference is drawn to scale
    room = max(0.0, distance - (high - low)) / 2 or 0.5 * (high == low)
    more = room + 0.04 * (high - low + 2 * room)
    return low - more, high + more


def _ranked(
    comparison: Comparison,
    intervals: RankIntervals | None,
    span: tuple[float, float],
    look: Mapping[str, Any],
) -> Ranked:
    if comparison.groups is None:
        raise ValueError(
            "`comparison` must have at most 200 groups without significant differences, each "
            "of which would be a bar; got more. plots.pvalue_matrix shows every pair."
        )
    names, control, about = comparison.ordered, comparison.control, algorithm_marks(comparison)
    kinds: dict[str, str] = {}
    if control is not None:
        differs = differing_from(comparison, control)
        kinds = {it: DIFFERS if it in differs else ALIKE for it in names} | {control: CONTROL}
    for name, family in look["emphasis"].families.items():
        about[name] = replace(about[name], title=f"{about[name].title}; {family}")
    return Ranked(
        names=names,
        values=[comparison.average_ranks[name] for name in names],
        numbers=[_number(comparison, comparison.average_ranks[name]) for name in names],
        about=about,
        label=RANKINGS[comparison.ranking].average_rank,
        span=span,
        whole=True,
        groups=[] if kinds else [(False, group) for group in _groups(comparison)],
        kinds=kinds,
        intervals=[(intervals.lower[it], intervals.upper[it]) for it in names] if intervals else [],
        **look,
    )


def _groups(comparison: Comparison) -> list[tuple[int, ...]]:
    """Return the places of the members of each group of two or more."""
    groups = (sorted(map(comparison.ordered.index, it)) for it in comparison.groups or ())
    return sorted(tuple(group) for group in groups if len(group) > 1)


def draw_panel(
    sheet: Sheet, comparison: Comparison, ranked: Ranked, ax: Axes, width: float
) -> float:
    """Draw a comparison with its critical difference; return the height of its axes."""
    for part in ("symbols", "intervals", "bars", "difference"):
        sheet.add(part, [])
    height, difference = draw_diagram(sheet, ranked, ax, width), comparison.critical_difference
    if difference is None:
        return height
    style: dict[str, Any] = {"marker": "|", "markersize": 8.0, "markeredgewidth": 1.2, "zorder": 4}
    style["color"] = rcParams["axes.edgecolor"]
    if comparison.control is not None:
        rank, about = comparison.average_ranks[comparison.control], ranked.about[comparison.control]
        ends = rank - difference, rank + difference
        if ranked.column:
            drawn: Any = ax.axvspan(*ends, color="0.92", zorder=0)
        else:
            drawn = ax.plot(ends, [0.5] * 2, linewidth=3.4, **style)
        sheet.add("difference", drawn, about)
        return height
    left, right = ax.get_xlim()
    ends = left, left + math.copysign(difference, right - left)
    high = 12 + 1.4 * sheet.size  # points, above the numbers of ticks
    above = offset_copy(ax.get_xaxis_transform(), sheet.figure, y=high, units="points")
    bar = ax.plot(ends, [1, 1], linewidth=1.2, clip_on=False, transform=above, **style)
    sheet.add("difference", bar)
    at: dict[str, Any] = {"coords": ("data", "axes fraction"), "shift": (0, high + 5), "ax": ax}
    text = f"CD = {_number(comparison, difference)}"
    sheet.text("difference", (sum(ends) / 2, 1.0), text, ha="center", va="bottom", **at)
    return height


def _number(comparison: Comparison, rank: float) -> str:
    return format_number(rank, rank_decimals(max(comparison.average_ranks.values())))


def _either_side(comparison: Comparison) -> str:
    difference = comparison.critical_difference
    if difference is None or comparison.control is None:
        return ""
    return f", CD = {_number(comparison, difference)} either side of the control"


def alt_of(comparison: Comparison, ranked: Ranked, intervals: RankIntervals | None = None) -> str:
    """Return the alternative text."""
    told, what = list(ranked.numbers), basis(comparison) + _either_side(comparison)
    if comparison.control is None and comparison.critical_difference is not None:
        what += f", CD = {_number(comparison, comparison.critical_difference)}"
    if intervals is not None:
        what += f"; {percent(intervals.confidence)} intervals of the average ranks"
        ends = [" to ".join(_number(comparison, end) for end in it) for it in ranked.intervals]
        told = [f"{number} ({it})" for number, it in zip(told, ends, strict=True)]
    ranks = ", ".join(map(" ".join, zip(ranked.names, told, strict=True)))
    text = (
        f"Critical difference diagram ({what}). {ranked.label.capitalize()}s, best first: {ranks}. "
    )
    if comparison.control is not None:
        differing = ", ".join(it for it in ranked.names if ranked.kinds[it] == DIFFERS)
        text += f"Significantly different from the control {comparison.control}: "
    else:
        members = [", ".join(ranked.names[it] for it in group) for group in _groups(comparison)]
        differing = "; ".join(members)
        text += "Groups without significant differences: "
    return f"{text}{differing or 'none'}.{ranked.emphasis.sentences(ranked.names)}"
