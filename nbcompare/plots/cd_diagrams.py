"""Critical difference diagrams of Demšar (2006), of groups, and of stochastic algorithms."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from matplotlib import rcParams
from matplotlib.axes import Axes
from matplotlib.transforms import offset_copy

from nbcompare._options import MAXIMIZE
from nbcompare._render import plural, with_minus
from nbcompare._validation import check_choice
from nbcompare.plots._diagram import Ranked, draw_diagram
from nbcompare.plots._plot import Mark, Plot
from nbcompare.plots._rows import CONTROL
from nbcompare.plots._save import inches_of_width
from nbcompare.plots._sheet import FULL, Sheet, check_result, figure, room
from nbcompare.plots._text import wrapped
from nbcompare.plots._wording import (
    algorithm_marks,
    basis,
    basis_of_runs,
    differing_from,
    highlighted,
    mean_of,
    rank_text,
)
from nbcompare.plots.forests import membership
from nbcompare.plots.matrices import pvalue_matrix, trend_heatmap
from nbcompare.results import Comparison, GroupedComparison, RankIntervals
from nbcompare.results.convergence import ConvergenceComparison
from nbcompare.results.imprecise import NOT_REJECTED, REJECTED, interval
from nbcompare.results.stochastic import StochasticComparison
from nbcompare.results.wording import percent
from nbcompare.words import P_LAWS, RANKINGS

_WIDE = 0.35  # of all ranks: if more are used, or between two that differ, the axis shows all
_MOST_IN_A_COLUMN = 3  # diagrams below one another; more of them stand in two columns
_SHORTEST = 1.5  # inches of the axis in two columns
_MOST_TOLD = 120  # names and groups in an alternative text
_SIDES, _LABELS = ("right", "left"), ("both", "one")


@figure(Comparison)
def cd_diagram(
    comparison: Comparison,
    *,
    intervals: RankIntervals | None = None,
    best: str = "right",
    labels: str = "both",
    highlight: Iterable[str] | None = None,
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
        Algorithms to stand out: their names are bold and their lines thick, in blue. Other
        colours: ``set_color`` of the artists ``names`` and ``leaders``.
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
        algorithm.

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
    look = _look(comparison.design.algorithms, best, labels, highlight)
    if intervals is not None:
        _check_intervals(comparison, intervals)
    (ranked,) = _of_comparisons([comparison], look, intervals)
    sheet = Sheet(ax, width=ranked.natural_width(3.6), title=title)
    ranked = ranked.fitting(sheet.width)
    about, distance = basis(comparison), comparison.critical_difference
    if distance is not None and comparison.control is not None:
        about += f", CD = {rank_text(comparison, distance)} either side of the control"
    sheet.caption(about)
    height = _draw_panel(sheet, comparison, ranked, sheet.ax, sheet.width)
    sheet.legend()
    said = sheet.said("names", "difference", "bars", most=_MOST_TOLD)
    return sheet.plot("Critical difference diagram", said, height=height)


@figure(GroupedComparison)
def cd_diagrams(
    comparison: GroupedComparison,
    *,
    best: str = "right",
    labels: str = "both",
    highlight: Iterable[str] | None = None,
    title: bool = True,
    ax: Iterable[Axes] | None = None,
) -> Plot:
    """Draw a critical difference diagram for each group of data sets.

    All diagrams have the same axis, at the same place of each column, so that ranks can be
    compared by eye. Each is read as that of :func:`cd_diagram`.

    Parameters
    ----------
    comparison : GroupedComparison
        Result of :func:`nbcompare.compare_by`.
    best, labels, highlight
        The options of :func:`cd_diagram`, for all groups alike.
    title : bool, default True
        Whether the figure has its caption above it.
    ax : iterable of matplotlib.axes.Axes, optional
        Axes to draw on, one for each group. By default, a new figure.

    Returns
    -------
    Plot
        Plot with the artists ``titles`` (one per group) and those of :func:`cd_diagram`, each of
        all groups.

    Raises
    ------
    ValueError
        If a group has more than 200 groups of algorithms without significant differences. If a
        name is not as :func:`cd_diagram` needs it.

    Examples
    --------
    >>> import nbcompare as nbc
    >>> data = nbc.datasets.load("demsar2006")
    >>> kind = {name: "medical" if i % 2 else "other" for i, name in enumerate(data.datasets)}
    >>> plot = nbc.plots.cd_diagrams(nbc.compare_by(data, by=kind))
    >>> len(plot.artists["titles"]), len(plot.artists["names"])
    (2, 8)
    """
    look = _look(comparison.design.algorithms, best, labels, highlight)
    groups, first = list(comparison.groups.values()), comparison.first
    drawn = _of_comparisons(groups, look)
    # one column, or two if there are many panels and room for both
    fit = 2 * drawn[0].natural_width(_SHORTEST) <= room(FULL)
    columns = 2 if len(groups) > _MOST_IN_A_COLUMN and fit else 1
    wide = FULL if columns == 2 else drawn[0].natural_width(3.0)
    sheet = Sheet(ax, width=wide, panels=len(groups), abreast=columns, title=title)
    width = sheet.width * sheet.down / len(groups)
    drawn = [it.fitting(width) for it in drawn]
    over = "" if comparison.across or not first.adjust else " within each group"
    laws = " or ".join(dict.fromkeys(P_LAWS[one.method] for one in groups))
    how = " or ".join(dict.fromkeys(one.adjustment for one in groups))
    sheet.caption(f"{laws}, {how}{over}, α = {first.alpha:g}")
    height, texts = 0.0, []
    for panel, name, one, ranked in zip(sheet.axes, comparison.groups, groups, drawn, strict=True):
        height = max(height, _draw_panel(sheet, one, ranked, panel, width))
        size = plural(one.design.n_datasets, "data set")
        high = 12 + sheet.size * (3.4 if one.critical_difference and not ranked.kinds else 1.4)
        at: dict[str, Any] = {"coords": "axes fraction", "shift": (0, high), "ax": panel}
        text = wrapped(f"{name} ({size})", 0.9 * width, bold=True)
        at |= {"ha": "center", "va": "bottom", "fontweight": "bold"}
        sheet.text("titles", (0.5, 1.0), text, **at)
        said = sheet.said("names", "difference", "bars", ax=panel, most=_MOST_TOLD)
        texts.append(f"{name} ({basis(one)}): {said}")
    rows = max(panel.get_ylim()[0] for panel in sheet.axes)
    for panel in sheet.axes:
        panel.set_ylim(rows, 0)
    sheet.legend()
    what = "Critical difference diagrams by group of data sets"
    return sheet.plot(what, *texts, height=height)


def _look(
    algorithms: tuple[str, ...], best: str, labels: str, highlight: Iterable[str] | None
) -> dict[str, Any]:
    """Return the look that was asked for, or raise an error that says what is wrong with it."""
    check_choice(best, "best", _SIDES)
    check_choice(labels, "labels", _LABELS)
    bold = highlighted(highlight, algorithms) or frozenset()
    return {"best": best, "one_sided": labels == "one", "bold": bold}


def _check_intervals(comparison: Comparison, intervals: RankIntervals) -> None:
    """Raise an error unless the intervals are those of the average ranks that are drawn."""
    if not isinstance(intervals, RankIntervals):
        raise TypeError(
            "`intervals` must be a RankIntervals; got "
            f"{type(intervals).__name__}. Pass nbc.rank_intervals(experiment)."
        )
    ranks, others = comparison.average_ranks, intervals.average_ranks
    for name in {**ranks, **others}:
        here, there = ranks.get(name, math.inf), others.get(name, -math.inf)
        if not math.isclose(here, there, rel_tol=1e-9):
            raise ValueError(
                "`intervals` must be of the algorithms and average ranks of `comparison`; it has "
                f"another one of {name}, or none. Pass nbc.rank_intervals of the same experiment "
                "with the same treatment of missing scores, and a comparison with "
                "ranking='friedman'."
            )


def _of_comparisons(
    comparisons: Sequence[Comparison],
    look: Mapping[str, Any],
    intervals: RankIntervals | None = None,
) -> list[Ranked]:
    """Return what is drawn of each comparison, on one axis; in columns if one of them needs it."""
    drawn = []
    for one in comparisons:
        if one.groups is None:
            raise ValueError(
                "`comparison` must have at most 200 groups without significant differences, each "
                "of which would be a bar; got more. plots.pvalue_matrix shows every pair."
            )
        names, control, about = one.ordered, one.control, algorithm_marks(one)
        kinds: dict[str, str] = {}
        if control is not None:
            differs = differing_from(one, control)
            kinds = {it: REJECTED if it in differs else NOT_REJECTED for it in names} | {
                control: CONTROL
            }
        ends: list[tuple[float, float]] = []
        whisker = ""
        if intervals is not None:
            whisker = f"{percent(intervals.confidence)} confidence interval"
            ends = [(intervals.lower[name], intervals.upper[name]) for name in names]
            for name, pair in zip(names, ends, strict=True):
                told = f"{about[name].title}; {percent(intervals.confidence)} interval "
                told += " to ".join(rank_text(one, end) for end in pair)
                about[name] = replace(about[name], title=told)
        ranks = [one.average_ranks[name] for name in names]
        drawn.append(
            Ranked(
                names=names,
                values=ranks,
                numbers=[rank_text(one, rank) for rank in ranks],
                about=about,
                label=RANKINGS[one.ranking].average_rank,
                span=_span(comparisons, intervals),
                whole=True,
                groups=[]
                if kinds
                else [(False, group) for group in _members_of(names, one.groups)],
                kinds=kinds,
                intervals=ends,
                interval=whisker,
                **look,
            )
        )
    column = any(it.needs_column() for it in drawn)
    return [replace(it, column=column) for it in drawn]


def _members_of(names: Sequence[str], groups: Iterable[Iterable[str]]) -> list[tuple[int, ...]]:
    """Return the places of the members of each group of two or more."""
    places = (tuple(sorted(map(names.index, group))) for group in groups)
    return sorted({group for group in places if len(group) > 1})


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


def _draw_panel(
    sheet: Sheet, comparison: Comparison, ranked: Ranked, ax: Axes, width: float
) -> float:
    """Draw a comparison with its critical difference; return the height of its axes."""
    height, difference = draw_diagram(sheet, ranked, ax, width), comparison.critical_difference
    sheet.add("difference", [])
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
    text = f"CD = {rank_text(comparison, difference)}"
    bar = ax.plot(ends, [1, 1], linewidth=1.2, clip_on=False, transform=above, **style)
    sheet.add("difference", bar, Mark(text, ()))
    at: dict[str, Any] = {"coords": ("data", "axes fraction"), "shift": (0, high + 5), "ax": ax}
    sheet.text("difference", (sum(ends) / 2, 1.0), text, ha="center", va="bottom", **at)
    return height


# ------------------------------------------------------------------- stochastic algorithms


@figure(StochasticComparison)
def outcome_diagram(
    result: StochasticComparison,
    *,
    best: str = "right",
    title: bool = True,
    ax: Axes | None = None,
) -> Plot:
    """Draw means in order, with bars over groups that do not, or may not, differ.

    A grey line for each algorithm extends from the lower to the upper end of its mean, with a mark
    in the middle. In a comparison of all pairs, a solid bar beside the names joins algorithms of
    which no pair is significant or inconclusive, and a hollow bar joins algorithms of which no pair
    is significant but some are inconclusive. Two algorithms that no bar joins differ significantly.
    In a group with gaps, a dotted bar has marks at its members. In a comparison with a control,
    filled marks differ significantly from the control, hollow ones do not, and half-filled ones are
    inconclusive.

    Parameters
    ----------
    result : StochasticComparison
        Result of :func:`nbcompare.compare_stochastic`.
    best : {"right", "left"}
        Side of the best mean, and of the names.
    title : bool, default True
        Whether the figure has its caption above it.
    ax : matplotlib.axes.Axes, optional
        Axes to draw on. By default, a new figure.

    Returns
    -------
    Plot
        Plot with the artists ``names`` and ``ranks`` (the means, if there is room), ``intervals``,
        ``symbols`` and ``leaders``, best first, ``bars`` (those of groups, then those of open
        groups; none with a control), ``axis`` and ``legend``. The x axis is in units of the
        measure, the y axis in rows from the top.

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
    check_choice(best, "best", _SIDES)
    if result.groups is None or result.open_groups is None:
        raise ValueError(
            "`result` must have at most 200 groups without significant differences, each of "
            "which would be a bar; got more. plots.membership shows every pair."
        )
    names, tests, control, about = result.ordered, result.hypotheses, result.control, {}
    ends = [(result.mean_low[name], result.mean_high[name]) for name in names]
    texts = [interval(*pair) for pair in ends]
    outcomes = {}
    if control is not None:
        outcomes = dict(zip(tests.second or (), tests.outcome, strict=True))
    kinds = {control: CONTROL} if control is not None else {}
    kinds |= outcomes
    for name, text in zip(names, texts, strict=True):
        told = ", the control" if name == control else ""
        told += f"; against {control}, {outcomes[name]}" if name in outcomes else ""
        about[name] = Mark(f"{name}: {mean_of(result)} {text}{told}", (name,))
    solid, still = (_members_of(names, groups) for groups in (result.groups, result.open_groups))
    groups = sorted((group not in solid, group) for group in {*solid, *still} if not kinds)
    low, high = min(low for low, _ in ends), max(high for _, high in ends)
    more = 0.05 * (high - low) or 0.05 * abs(high) or 0.5
    whole = Ranked(
        names=names,
        values=[low / 2 + high / 2 for low, high in ends],
        numbers=[with_minus(text) for text in texts],
        about=about,
        label=f"{mean_of(result)}, {result.design.better}",
        span=(low - more, high + more),
        groups=groups,
        kinds=kinds,
        intervals=ends,
        interval="mean, from lower to upper end",
        best=best,
        column=True,
        turned=result.design.direction == MAXIMIZE,
    )
    sheet = Sheet(ax, width=whole.natural_width(4.0), title=title)
    ranked = whole.fitting(sheet.width)
    sheet.caption(basis_of_runs(result, tests))
    height = draw_diagram(sheet, ranked, sheet.ax, sheet.width)
    sheet.legend()
    return sheet.plot(
        "Outcome diagram",
        f"Best first: {sheet.said('names', 'bars', most=_MOST_TOLD)}",
        height=height,
    )


# ------------------------------------------------------------------------------------- at a glance


def overview(
    comparison: Comparison | StochasticComparison | ConvergenceComparison,
    *,
    width: float | str | None = None,
    title: bool = True,
    ax: Axes | None = None,
) -> Plot:
    """Draw the figure that suits a comparison best, such as a critical difference diagram.

    For a comparison of algorithms, this is the critical difference diagram, or the matrix of
    p-values if there are too many groups for a diagram, which can happen if pairs are tested
    separately. For stochastic algorithms, it is the outcome diagram, or the p-values in rows.
    For convergence, it is the matrix of p-values of all ordered pairs.

    Parameters
    ----------
    comparison : Comparison, StochasticComparison or ConvergenceComparison
        Result of :func:`nbcompare.compare`, :func:`nbcompare.compare_ranks`,
        :func:`nbcompare.compare_stochastic` or :func:`nbcompare.compare_convergence`.
    width : float or str, optional
        Room for the figure, in inches or as for :func:`save`: one that is wider is drawn for this
        width, so that its text stays as large.
    title : bool, default True
        Whether the figure has its caption above it.
    ax : matplotlib.axes.Axes, optional
        Axes to draw on, whose size decides instead of `width`.

    Returns
    -------
    Plot
        Plot of the function that suits the result, with its artists: :func:`cd_diagram`,
        :func:`pvalue_matrix`, :func:`outcome_diagram`, :func:`membership` or :func:`trend_heatmap`.

    Raises
    ------
    TypeError
        If ``comparison`` is none of these results.
    ValueError
        If ``width`` is neither a number of inches from 2.2 to 40 nor a name that :func:`save`
        knows, or if the function that suits the result raises it.

    Examples
    --------
    >>> import nbcompare as nbc
    >>> plot = nbc.plots.overview(nbc.compare(nbc.datasets.load("demsar2006")))
    >>> print(plot.alt.partition(" (")[0])
    Critical difference diagram
    """
    inches = inches_of_width(width)
    check_result(comparison, "overview", Comparison, StochasticComparison, ConvergenceComparison)
    draw: Callable[..., Plot] = trend_heatmap
    if isinstance(comparison, StochasticComparison):
        has_groups = comparison.groups is not None and comparison.open_groups is not None
        draw = outcome_diagram if has_groups else membership
    elif isinstance(comparison, Comparison):
        draw = pvalue_matrix if comparison.groups is None else cd_diagram
    plot = draw(comparison, title=title, ax=ax)
    if inches is None or plot.narrower is None or plot.figure.get_figwidth() <= inches:
        return plot
    return plot.narrower(inches)
