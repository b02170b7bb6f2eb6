"""Forest plot of intervals: means, p-values or mean differences."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np
from matplotlib.axes import Axes
from matplotlib.lines import Line2D
from matplotlib.patches import Patch

from nbcompare._arrays import FloatArray
from nbcompare._render import plural
from nbcompare._validation import check_choice
from nbcompare.plots._marks import Mark
from nbcompare.plots._outcomes import basis, choose, keys_of, mean_of
from nbcompare.plots._plot import Plot, check_result
from nbcompare.plots._rows import (
    better_first,
    draw_line,
    keys_of_outcomes,
    marker_of,
    p_axis,
    shortened,
    word_of,
    write_rows,
)
from nbcompare.plots._sheet import FULL, Sheet, figure, rows_high
from nbcompare.plots._wording import basis as basis_of_ranks
from nbcompare.plots._wording import pair_mark
from nbcompare.results import Comparison
from nbcompare.results.hypotheses import better_first as better_of_pair
from nbcompare.results.imprecise import (
    NOT_REJECTED,
    REJECTED,
    ImpreciseHypotheses,
    interval,
    interval_p,
)
from nbcompare.results.stochastic import StochasticComparison, blocks
from nbcompare.results.within import WithinComparison, is_turned
from nbcompare.words import PAIRWISE_TESTS

MEANS, PVALUES, DIFFERENCES = "means", "pvalues", "differences"
KINDS = (MEANS, PVALUES, DIFFERENCES)
MOST_ROWS = 30
_MOST_TOLD = 45  # rows that the alternative text lists
_WIDTH = 5.8  # of a figure with a column of numbers alone
_CONTROL: dict[str, Any] = {"color": "0.15", "marker": "D", "markersize": 5}
_PLAIN: dict[str, Any] = {"color": "0.15", "marker": "|", "markersize": 9}
_BAND = "0.91"


@figure
def interval_forest(
    result: StochasticComparison | WithinComparison | Comparison,
    what: str | None = None,
    rows: int | str | Iterable[str] | Iterable[tuple[str, str]] | None = None,
    *,
    overall: bool | None = None,
    title: bool = True,
    ax: Axes | None = None,
) -> Plot:
    """Draw intervals in rows: means, p-values or mean differences.

    A row is a pair, the better algorithm first, or an algorithm. A line is an interval; its point
    is the estimate, and where there is none, as where runs leave a score open, both ends have
    marks. Marks are filled if the difference is significant, open if it is not, and half filled if
    the outcome is inconclusive. At the right are the numbers, as far as there is room.

    Parameters
    ----------
    result : StochasticComparison, WithinComparison or Comparison
        Result of :func:`nbcompare.compare_stochastic`, of :func:`nbcompare.compare_cv` for
        several algorithms, of :func:`nbcompare.compare_items`, or of :func:`nbcompare.compare`
        with intervals. All but the first have confidence intervals of differences, and a margin is
        a shaded band; the marks of pairs within it are squares.
    what : {"means", "pvalues", "differences"}
        Quantity to draw, by default the means, or the differences for results that have no other
        intervals. ``means``: the mean of each algorithm over the blocks, best first,
        filled according to the comparison with the control if there is one. ``pvalues``: the
        p-values that decide, on a logarithmic axis, with a line at α. ``differences``:
        differences of means in units of the measure, positive where the first algorithm is
        better, with a line at zero.
    rows : int, str or iterable, optional
        Rows to draw: a number of rows with the smallest p, by default 30 (all algorithms for
        ``means``); the name of one algorithm, for all its rows; or a list of algorithms or of
        pairs of them.
    overall : bool, optional
        Whether p-values and differences compare each algorithm with the mean of all
        (bootstrap tests) or compare pairs. By default, p-values are against the mean of all
        if available, and differences are those of pairs. Has no effect on means.
    title : bool, default True
        Whether the figure has its caption above it.
    ax : matplotlib.axes.Axes, optional
        Axes to draw on. By default, a new figure.

    Returns
    -------
    Plot
        Plot with the artists ``names``, ``intervals`` (of finite ones, a line per row), ``points``
        (estimates, a mark per row), ``columns`` (headers and texts on the right), ``line`` (zero or
        α), ``band`` (of a margin), ``axis``, ``caption`` and ``legend``. Rows are at 0, 1, 2 and so
        on from the top; the x axis is in units of the measure, or in p.

    Raises
    ------
    ValueError
        If ``what`` is not one of these words, or the result has no such intervals, if rows do
        not exist, or if ``overall`` is True and no algorithm is compared with the mean of all.

    References
    ----------
    Otero, J., Sánchez, L., Couso, I. and Palacios, A. (2013). Bootstrap analysis of multiple
    repetitions of experiments using an interval-valued multiple comparison procedure.
    Journal of Computer and System Sciences, Table 7.

    Examples
    --------
    >>> import nbcompare as nbc
    >>> result = nbc.compare(nbc.datasets.load("demsar2006"))
    >>> plot = nbc.plots.interval_forest(result)
    >>> [text.get_text() for text in plot.artists["names"]][:2]
    ['C4.5+m – C4.5', 'C4.5+m+cf – C4.5']
    >>> plot.artists["points"][0].get_xdata().round(3).tolist()
    [0.013]
    """
    if not isinstance(result, WithinComparison):
        check_result(result, "interval_forest", StochasticComparison, Comparison)
    if what is not None:
        check_choice(what, "what", KINDS)
    if isinstance(result, WithinComparison | Comparison):
        _check(result, what, overall=bool(overall))
        return _draw(_of_pairs(result, rows), ax, title=title)
    what = MEANS if what is None else what
    if what == MEANS:
        return _draw(_means(result, rows), ax, title=title)
    if overall is None:
        overall = what == PVALUES and result.overall is not None
    tests = result.overall if overall else result.hypotheses
    if tests is None:
        raise ValueError(
            "`overall` must not be True: only the bootstrap tests compare each algorithm with "
            f"the mean of all, and the procedure is {result.procedure!r}."
        )
    return _draw(_imprecise(result, tests, rows, what), ax, title=title)


class _Forest(NamedTuple):
    """What the figure shows: a name, two ends and an outcome (empty if none) per row."""

    kind: str
    keys: Sequence[tuple[str, ...]]
    ends: FloatArray  # low and high, or low, estimate and high
    outcomes: Sequence[str]
    columns: Sequence[tuple[str, Sequence[str]]]
    label: str
    caption: Sequence[str]
    marks: Sequence[Mark] = ()
    control: str | None = None
    margin: float = 0.0
    alpha: float | None = None  # of p-values


def _means(result: StochasticComparison, rows: object) -> _Forest:
    ordered, tests, control = result.ordered, result.hypotheses, result.control
    names = [ordered[place] for place in choose([(n,) for n in ordered], rows, len(ordered))]
    ends = np.array([[of[name] for name in names] for of in (result.mean_low, result.mean_high)])
    outcomes = [""] * len(names)
    caption = f"Means over {blocks(result)}"
    if control is not None:
        by_name = dict(zip(tests.second or (), tests.outcome, strict=True))
        outcomes = [by_name.get(name, "") for name in names]
        caption = f"Means, and differences from {control}: {basis(result, tests)}"
    return _Forest(
        kind=MEANS,
        keys=[(name,) for name in names],
        ends=ends,
        outcomes=outcomes,
        columns=[("mean", [interval(*pair) for pair in ends.T.tolist()])],
        label=f"{mean_of(result)}, {result.design.better}",
        caption=[caption, *shortened(len(names), len(ordered), rows, "algorithm")],
        control=control,
    )


def _imprecise(
    result: StochasticComparison, tests: ImpreciseHypotheses, rows: object, what: str
) -> _Forest:
    keys = keys_of(tests)
    chosen = choose(keys, rows, MOST_ROWS)
    overall = tests.second is None
    noun, against = ("algorithm", " against the mean of all") if overall else ("pair", "")
    given = tests.decisive if what == PVALUES else (tests.difference_low, tests.difference_high)
    ends = np.array([end[chosen] for end in given])
    if what == DIFFERENCES:
        ends = np.where(tests.turned[chosen], -ends[::-1], ends)
        minus = result.design.minus(*(["algorithm", "mean of all"] if overall else []))
        kind, column, show = "mean difference", "difference", interval
        label = f"{kind} of {result.measure or 'scores'}, {minus}; {result.design.better}"
    else:
        kind = "adjusted p-value" if tests.adjusted_low else "unadjusted p-value"
        column, show = kind.removesuffix("-value"), interval_p
        label = f"{kind}{against}"
    return _Forest(
        kind=f"{kind}s{against}",
        keys=better_first(tests, chosen),
        ends=ends,
        outcomes=[tests.outcome[row] for row in chosen],
        columns=[(column, [show(*pair) for pair in ends.T.tolist()])],
        label=label,
        caption=[basis(result, tests), *shortened(len(chosen), len(tests), rows, noun)],
        alpha=result.alpha if what == PVALUES else None,
    )


def _of_pairs(result: Comparison | WithinComparison, rows: object) -> _Forest:
    """Return the differences of pairs, whose signs are those of the hypotheses turned."""
    tests, design = result.hypotheses, result.design
    keys = list(zip(tests.first, tests.second, strict=True))
    chosen = choose(keys, rows, MOST_ROWS)
    outcomes = [REJECTED if tests.rejected[row] else NOT_REJECTED for row in chosen]
    margin, marks = 0.0, []
    if isinstance(result, Comparison):
        effects = tests.effects(chosen)
        ends = np.array([effects[name] for name in ("lower", "estimate", "upper")])
        turned = np.array([better_of_pair(tests, row) != keys[row] for row in chosen])
        told = tests.differences(chosen, effects=effects)
        texts = [f"{size} ({ends})" if ends not in ("", size) else size for size, ends in told]
        marks = [
            _with_difference(pair_mark(result, row), text)
            for row, text in zip(chosen, texts, strict=True)
        ]
        if result.margin is not None:
            margin, outcomes = result.margin, effects["outcome"].tolist()
        name = PAIRWISE_TESTS[result.pairs].estimate
        level = result.interval_text.removeprefix("simultaneous ")
        alone = ", each by itself" if result.intervals == "pairwise" else ""
        caption = [basis_of_ranks(result), f"{result.interval_text}s{alone}{result.about_margin}"]
    else:
        ends = np.array([end[chosen] for end in (result.lower, result.differences, result.upper)])
        turned = np.array([is_turned(result, row) for row in chosen])
        name = result.difference_name.replace("difference of means", "mean difference")
        level = f"{100 * result.confidence:.4g} % interval"
        test = f"{result.test_label[0].upper()}{result.test_label[1:]}"
        caption = [f"{test}, {result.procedure}, α = {result.alpha:g}, {result.extent}"]
    ends = np.where(turned, -ends[::-1], ends) + 0.0  # no -0
    if isinstance(result, WithinComparison):
        sizes = [[result.size(end) for end in row] for row in ends.T.tolist()]
        texts = [f"{size} ({low} to {high})" for low, size, high in sizes]
    more = [*caption[1:], *shortened(len(chosen), len(tests), rows, "pair")]
    return _Forest(
        kind="differences" if isinstance(result, Comparison) else f"{name}s",
        keys=[keys[row][:: -1 if turn else 1] for row, turn in zip(chosen, turned, strict=True)],
        ends=ends,
        outcomes=outcomes,
        columns=[
            (f"difference ({level})", texts),
            ("adjusted p" if result.adjust else "p", [tests.decisive(row) for row in chosen]),
        ],
        label=f"{name} of {design.measure or 'scores'}, {design.minus()}; {design.better}",
        caption=[caption[0], *(["; ".join(more)] if more else [])],
        marks=marks,
        margin=margin,
    )


def _with_difference(found: Mark, difference: str) -> Mark:
    """Return what a page says of a pair, with the difference after the names."""
    head = f"{' – '.join(found.names)}: "
    title = f"{head}difference {difference}; {found.title.removeprefix(head)}"
    return Mark(title, found.names, pair=True)


def _check(result: Comparison | WithinComparison, what: str | None, *, overall: bool) -> None:
    of = f"a comparison {'by ranks' if isinstance(result, Comparison) else 'on one data set'}"
    if what not in (None, DIFFERENCES):
        raise ValueError(
            f"`what` must be {DIFFERENCES!r} for {of}, whose intervals are those of differences; "
            f"got {what!r}."
        )
    if overall:
        raise ValueError(
            f"`overall` must not be True: {of} compares no algorithm with the mean of all."
        )
    if isinstance(result, Comparison) and result.confidence is None:
        why = result.without_intervals or "None were asked for: intervals='none'."
        raise ValueError(
            f"`result` must have intervals of the differences. {why} Tests of pairs by "
            "pairs='wilcoxon' or 't' have them, with intervals='simultaneous' or 'pairwise'."
        )


def _draw(forest: _Forest, given: Axes | None, *, title: bool) -> Plot:
    names = [" – ".join(key) for key in forest.keys]
    (_, texts), *_ = forest.columns
    words = [f" ({word_of(word)})" if word else "" for word in forest.outcomes]
    lines = [f"{name} {text}{word}" for name, text, word in zip(names, texts, words, strict=True)]
    marks = forest.marks or [
        Mark(line, key, pair=len(key) == 2) for line, key in zip(lines, forest.keys, strict=True)
    ]
    sheet = Sheet(given, width=FULL if forest.columns[1:] else _WIDTH, title=title)
    ax = sheet.ax
    sheet.caption(*forest.caption)
    least = -math.inf if forest.alpha is None else p_axis(sheet, forest.ends.min(), forest.alpha)
    if forest.margin:
        band = ax.axvspan(-forest.margin, forest.margin, color=_BAND, linewidth=0, zorder=0)
        sheet.add("band", band)
    for row, outcome in enumerate(forest.outcomes):
        known = _CONTROL if forest.control in forest.keys[row] else _PLAIN
        style = marker_of(outcome) if outcome else known
        low, *middle, high = np.maximum(forest.ends[:, row], least).tolist()
        line = {"color": style["color"]} if middle else style
        if math.isfinite(high - low):  # of few data sets it is not
            drawn = ax.plot([low, high], [row, row], linewidth=2.2, solid_capstyle="butt", **line)
            sheet.add("intervals", drawn, marks[row])
        if middle:
            sheet.add("points", ax.plot(middle, [row], linestyle="none", **style), marks[row])
    bold = [forest.control] if forest.control else []
    labels, _ = write_rows(sheet, forest.keys, forest.columns, marks, forest.label, bold)
    ax.grid(axis="y", color="0.92", linewidth=0.7)
    ax.set_axisbelow(True)
    if forest.kind != MEANS and forest.alpha is None:
        draw_line(sheet, 0.0, "no difference")
    handles, entries = keys_of_outcomes(forest.outcomes)
    if forest.control is not None:
        handles.append(Line2D([], [], linestyle="none", **_CONTROL))
        entries.append("control")
    if forest.margin:
        handles.append(Patch(facecolor=_BAND))
        entries.append(f"within the margin of {forest.margin:g}")
    sheet.legend(handles, entries)
    text = "; ".join(lines)
    if len(lines) > _MOST_TOLD and any(forest.outcomes):
        counts = Counter(word_of(word) for word in forest.outcomes if word)
        text = ", ".join(f"{count} {word}" for word, count in counts.items())
    axis = "" if forest.alpha is None else " on a logarithmic axis"
    alt = (
        f"Intervals of {forest.kind}{axis}{', best first' * (forest.kind == MEANS)} "
        f"({'; '.join(forest.caption)}), {plural(len(lines), 'row')}: {text}."
    )
    return sheet.plot(alt, height=len(names) * rows_high(labels, 0.24))
