"""Intervals in rows, aggregates of runs in panels of rows, and fuzzy p-values in rows."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from functools import partial
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np
from matplotlib.axes import Axes

from nbcompare._arrays import FloatArray
from nbcompare._render import plural
from nbcompare._validation import check_choice
from nbcompare.plots._plot import Mark, Plot
from nbcompare.plots._rows import (
    CONTROL,
    choose,
    draw_line,
    keys_of,
    marker_of,
    p_axis,
    shortened,
    write_rows,
)
from nbcompare.plots._sheet import ACCENT, FULL, LIGHT, Sheet, figure, room, rows_high
from nbcompare.plots._text import listed, number_ticks, spans_decades, text_width
from nbcompare.plots._wording import basis, basis_of_runs, mean_of, pair_mark
from nbcompare.results import Comparison, RunAggregates
from nbcompare.results.hypotheses import better_first
from nbcompare.results.imprecise import (
    INCONCLUSIVE,
    NOT_REJECTED,
    REJECTED,
    ImpreciseHypotheses,
    coverage_text,
    interval,
    interval_p,
)
from nbcompare.results.stochastic import StochasticComparison, blocks
from nbcompare.results.within import WithinComparison, is_turned
from nbcompare.results.wording import percent
from nbcompare.words import AGGREGATES, PAIRWISE_TESTS

_MEANS, _PVALUES, _DIFFERENCES = "means", "pvalues", "differences"
_MOST_ROWS, _MOST_TOLD = 30, 45  # that are drawn by default, and in the alternative text
_WIDTH = 5.8  # of a figure with a column of numbers alone
_PLAIN: dict[str, Any] = {"color": "0.15", "marker": "|", "markersize": 9}
_BAND = "0.91"
_WIDTHS = (4.4, 5.4, FULL)  # of one, two or more panels of aggregates
_NARROW = 5.0  # a figure that has room for two panels abreast
_MANY = 25  # rows
_MOST_SETS = 20
_ROOMY, _COMPACT, _FEW = 0.42, 0.28, 24  # inches per row, of few rows and of many
_BASE, _UNIT = 0.4, 0.8  # of a row: where membership is 0, and how much higher it is 1
_FILLS: MappingProxyType[str, dict[str, Any]] = MappingProxyType(
    {
        REJECTED: {"facecolor": LIGHT, "edgecolor": ACCENT},
        INCONCLUSIVE: {"facecolor": "white", "edgecolor": "0.35", "hatch": "/////"},
        NOT_REJECTED: {"facecolor": "white", "edgecolor": "0.35"},
    }
)


@figure(StochasticComparison, Comparison, WithinComparison)
def interval_forest(
    result: StochasticComparison | WithinComparison | Comparison,
    what: str | None = None,
    rows: int | str | Iterable[str] | Iterable[tuple[str, str]] | None = None,
    *,
    overall: bool | None = None,
    numbers: bool = True,
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
    numbers : bool, default True
        Whether numbers stand at the right, which a table beside the figure may have.
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
    if what is not None:
        check_choice(what, "what", (_MEANS, _PVALUES, _DIFFERENCES))
    if isinstance(result, WithinComparison | Comparison):
        _check(result, what, overall=bool(overall))
        return _draw(_of_pairs(result, rows), ax, title=title, numbers=numbers)
    if what in (None, _MEANS):
        return _draw(_means(result, rows), ax, title=title, numbers=numbers)
    if overall is None:
        overall = what == _PVALUES and result.overall is not None
    tests = result.overall if overall else result.hypotheses
    if tests is None:
        raise ValueError(
            "`overall` must not be True: only the bootstrap tests compare each algorithm with "
            f"the mean of all, and the procedure is {result.procedure!r}."
        )
    forest = _imprecise(result, tests, rows, by_p=what == _PVALUES)
    return _draw(forest, ax, title=title, numbers=numbers)


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
    margin: float = 0.0
    alpha: float | None = None  # of p-values


def _means(result: StochasticComparison, rows: object) -> _Forest:
    ordered, tests, control = result.ordered, result.hypotheses, result.control
    names = [ordered[place] for place in choose([(n,) for n in ordered], rows, len(ordered))]
    ends = np.array([[of[name] for name in names] for of in (result.mean_low, result.mean_high)])
    outcomes, caption = [""] * len(names), f"Means over {blocks(result)}"
    if control is not None:
        by_name = dict(zip(tests.second or (), tests.outcome, strict=True))
        outcomes = [by_name.get(name, CONTROL) for name in names]
        caption = f"Means, and differences from {control}: {basis_of_runs(result, tests)}"
    return _Forest(
        kind="means, best first",
        keys=[(name,) for name in names],
        ends=ends,
        outcomes=outcomes,
        columns=[("mean", [interval(*pair) for pair in ends.T.tolist()])],
        label=f"{mean_of(result)}, {result.design.better}",
        caption=[caption, *shortened(len(names), len(ordered), rows, "algorithm")],
    )


def _imprecise(
    result: StochasticComparison, tests: ImpreciseHypotheses, rows: object, *, by_p: bool
) -> _Forest:
    keys = keys_of(tests)
    chosen = choose(keys, rows, _MOST_ROWS)
    overall, turned = tests.second is None, tests.turned
    given = tests.decisive if by_p else (tests.difference_low, tests.difference_high)
    ends, show = np.array([end[chosen] for end in given]), interval_p if by_p else interval
    if by_p:
        kind = "adjusted p-value" if tests.adjusted_low else "unadjusted p-value"
        column = kind.removesuffix("-value")
        label = kind = f"{kind}{' against the mean of all' * overall}"
    else:
        ends = np.where(turned[chosen], -ends[::-1], ends)
        minus = result.design.minus(*(["algorithm", "mean of all"] if overall else []))
        kind, column = "mean difference", "difference"
        label = f"{kind} of {result.measure or 'scores'}, {minus}; {result.design.better}"
    noun = "algorithm" if overall else "pair"
    return _Forest(
        kind=kind,
        keys=[keys[row][:: -1 if turned[row] else 1] for row in chosen],
        ends=ends,
        outcomes=[tests.outcome[row] for row in chosen],
        columns=[(column, [show(*pair) for pair in ends.T.tolist()])],
        label=label,
        caption=[basis_of_runs(result, tests), *shortened(len(chosen), len(tests), rows, noun)],
        alpha=result.alpha if by_p else None,
    )


def _of_pairs(result: Comparison | WithinComparison, rows: object) -> _Forest:
    """Return the differences of pairs, whose signs are those of the hypotheses turned."""
    tests, design = result.hypotheses, result.design
    keys = list(zip(tests.first, tests.second, strict=True))
    chosen = choose(keys, rows, _MOST_ROWS)
    outcomes = [REJECTED if tests.rejected[row] else NOT_REJECTED for row in chosen]
    margin, marks = 0.0, []
    if isinstance(result, Comparison):
        effects = tests.effects(chosen)
        ends = np.array([effects[name] for name in ("lower", "estimate", "upper")])
        turned = np.array([better_first(tests, row) != keys[row] for row in chosen])
        told = tests.differences(chosen, effects=effects)
        texts = [f"{size} ({ends})" if ends not in ("", size) else size for size, ends in told]
        for row, text in zip(chosen, texts, strict=True):
            found = pair_mark(result, row)
            head = f"{' – '.join(found.names)}: "
            title = f"{head}difference {text}; {found.title.removeprefix(head)}"
            marks.append(Mark(title, found.names, pair=True))
        if result.margin is not None:
            margin, outcomes = result.margin, effects["outcome"].tolist()
        name, kind = PAIRWISE_TESTS[result.pairs].estimate, "differences"
        level = result.interval_text.removeprefix("simultaneous ")
        alone = ", each by itself" if result.intervals == "pairwise" else ""
        caption = [basis(result), f"{result.interval_text}s{alone}{result.about_margin}"]
    else:
        ends = np.array([end[chosen] for end in (result.lower, result.differences, result.upper)])
        turned = np.array([is_turned(result, row) for row in chosen])
        kind = name = result.difference_name.replace("difference of means", "mean difference")
        level = f"{100 * result.confidence:.4g} % interval"
        test = f"{result.test_label[0].upper()}{result.test_label[1:]}"
        caption = [f"{test}, {result.procedure}, α = {result.alpha:g}, {result.extent}"]
    ends = np.where(turned, -ends[::-1], ends) + 0.0  # no -0
    if isinstance(result, WithinComparison):
        sizes = [[result.size(end) for end in row] for row in ends.T.tolist()]
        texts = [f"{size} ({low} to {high})" for low, size, high in sizes]
    return _Forest(
        kind=kind,
        keys=[keys[row][:: -1 if turn else 1] for row, turn in zip(chosen, turned, strict=True)],
        ends=ends,
        outcomes=outcomes,
        columns=[
            (f"difference ({level})", texts),
            ("adjusted p" if result.adjust else "p", [tests.decisive(row) for row in chosen]),
        ],
        label=f"{name} of {design.measure or 'scores'}, {design.minus()}; {design.better}",
        caption=[*caption, *shortened(len(chosen), len(tests), rows, "pair")],
        marks=marks,
        margin=margin,
    )


def _check(result: Comparison | WithinComparison, what: str | None, *, overall: bool) -> None:
    of = f"a comparison {'by ranks' if isinstance(result, Comparison) else 'on one data set'}"
    if what not in (None, _DIFFERENCES):
        raise ValueError(
            f"`what` must be {_DIFFERENCES!r} for {of}, whose intervals are those of differences; "
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


def _draw(forest: _Forest, given: Axes | None, *, title: bool, numbers: bool) -> Plot:
    (_, texts), *_ = forest.columns
    columns = forest.columns if numbers else ()
    lines = [
        f"{' – '.join(key)} {text}{f' ({outcome})' if outcome else ''}"
        for key, text, outcome in zip(forest.keys, texts, forest.outcomes, strict=True)
    ]
    about = [Mark(line, key, len(key) == 2) for line, key in zip(lines, forest.keys, strict=True)]
    marks = forest.marks or about
    sheet = Sheet(given, width=FULL if columns[1:] else _WIDTH, title=title)
    ax = sheet.ax
    sheet.caption(*forest.caption)
    least = -math.inf if forest.alpha is None else p_axis(sheet, forest.ends.min(), forest.alpha)
    if forest.margin:
        band = ax.axvspan(-forest.margin, forest.margin, color=_BAND, linewidth=0, zorder=0)
        band.set_label(f"within the margin of {forest.margin:g}")
        sheet.add("band", band)
    for row, outcome in enumerate(forest.outcomes):
        style = marker_of(outcome) if outcome else _PLAIN
        low, *middle, high = np.maximum(forest.ends[:, row], least).tolist()
        line = {"color": style["color"]} if middle else style
        if math.isfinite(high - low):  # of few data sets it is not
            line = line | {"linestyle": "-", "linewidth": 2.2, "solid_capstyle": "butt"}
            sheet.add("intervals", ax.plot([low, high], [row, row], **line), marks[row])
        if middle:
            sheet.add("points", ax.plot(middle, [row], **style), marks[row])
    bold = [key[0] for key, it in zip(forest.keys, forest.outcomes, strict=True) if it == CONTROL]
    labels, _ = write_rows(sheet, forest.keys, columns, marks, forest.label, bold)
    ax.grid(axis="y", color="0.92", linewidth=0.7)
    ax.set_axisbelow(True)
    if forest.alpha is None:
        number_ticks(ax.xaxis, inches=sheet.breadth())
    if "difference" in forest.kind:
        draw_line(sheet, 0.0, "no difference")
    sheet.legend()
    told = f"{plural(len(marks), 'row')}: {listed(lines, '; ', _MOST_TOLD)}."
    return sheet.plot(
        f"Intervals of {forest.kind}", told, height=len(marks) * rows_high(labels, 0.24)
    )


# ------------------------------------------------------------------------------ aggregates


@figure(RunAggregates)
def interval_estimates(
    result: RunAggregates,
    what: str | Iterable[str] | None = None,
    *,
    title: bool = True,
    ax: Axes | Iterable[Axes] | None = None,
) -> Plot:
    """Draw aggregates of runs with their intervals, in a panel each.

    The rows are algorithms, the one with the best interquartile mean first. A bar extends from the
    lower to the upper end of the interval, and a point marks the estimate. Each panel has an axis
    of its own, in units of the measure; it is logarithmic for positive numbers, such as errors,
    over three decades or more.

    Parameters
    ----------
    result : RunAggregates
        Result of :func:`nbcompare.aggregate_runs` that has aggregates.
    what : str or iterable of str, optional
        Which aggregates, in the order of the panels: ``interquartile-mean``, ``median``, ``mean``,
        ``optimality-gap``. By default all that there are.
    title : bool, default True
        Whether the figure has its caption above it.
    ax : matplotlib.axes.Axes or iterable of Axes, optional
        Axes to draw on, one for each aggregate. By default, a new figure.

    Returns
    -------
    Plot
        Plot with the artists ``names``, ``titles`` (below the panels), ``intervals`` and
        ``estimates`` (panel by panel, best first; no bar where there is no interval), and
        ``caption``. Rows are at 0, 1, 2 and so on from the top.

    Raises
    ------
    ValueError
        If the result does not have such an aggregate; the message says what would allow it.

    References
    ----------
    Agarwal, R., Schwarzer, M., Castro, P. S., Courville, A. C. and Bellemare, M. G. (2021). Deep
    reinforcement learning at the edge of the statistical precipice. Advances in Neural
    Information Processing Systems 34, 29304-29320, figure 9.

    Examples
    --------
    >>> import nbcompare as nbc
    >>> result = nbc.aggregate_runs(nbc.datasets.load("stochastic_cv"))
    >>> plot = nbc.plots.interval_estimates(result)
    >>> [text.get_text() for text in plot.artists["titles"]]
    ['interquartile mean', 'median', 'mean']
    """
    what = _chosen(result, what)
    width = _WIDTHS[min(len(what), 3) - 1]
    abreast = min(len(what), 2 if room(width) < _NARROW else 4)
    sheet = Sheet(ax, width=width, panels=len(what), abreast=abreast, title=title, same_rows=True)
    order = [result.algorithms.index(name) for name in result.ordered]
    intervals = f"with {percent(result.confidence)} intervals"
    sheet.caption(
        f"Aggregates of the runs on {plural(result.design.n_datasets, 'data set')}, {intervals}",
        f"{result.measure}, {result.better}",
    )
    about = []
    for place in order:
        texts = [f"{AGGREGATES[word].label} {result.told(word, place)}" for word in what]
        name = result.algorithms[place]
        about.append(Mark(f"{name}: {'; '.join(texts)}", (name,)))
    # in fewer lines, where many rows would be higher than a figure may be
    share = 0.5 if sheet.down > 1 and len(order) > _MANY else 0.36
    name_rows = partial(sheet.names, "names", names=result.ordered, about=about, share=share)
    labels = name_rows(axis=sheet.ax.yaxis)
    beside = max(text_width(label.get_text()) for label in labels)
    for panel, name in zip(sheet.axes, what, strict=True):
        found, record = result.aggregate(name), AGGREGATES[name]
        if spans_decades(np.concatenate([found.estimate, found.lower, found.upper])):
            panel.set_xscale("log")
        for row, place in enumerate(order):
            algorithm = result.algorithms[place]
            mark = Mark(f"{algorithm}: {record.label} {result.told(name, place)}", (algorithm,))
            ends = [found.lower[place], found.upper[place]]
            if ends[0] < ends[1]:
                bar = panel.plot(ends, [row, row], LIGHT, linewidth=6, solid_capstyle="butt")
                sheet.add("intervals", bar, mark)
            point = panel.plot([found.estimate[place]], [row], "o", color=ACCENT, markersize=5)
            sheet.add("estimates", point, mark)
        more = f" to {result.target:g}, less is better" if record.is_gap else ""
        beneath = 0.9 * (1 - beside / sheet.width) / abreast
        sheet.axis_label(panel.xaxis, f"{record.label}{more}", share=beneath)
        sheet.add("titles", panel.xaxis.label)
        panel.grid(color="0.92", linewidth=0.7)
        panel.set_axisbelow(True)
        panel.tick_params(axis="y", length=0)
        panel.set_ylim(len(order) - 0.4, -0.6)
        if panel.get_position().x0 > sheet.ax.get_position().x0:
            panel.tick_params(axis="y", labelleft=False)
        elif panel is not sheet.ax:
            name_rows(axis=panel.yaxis)
    inches = sheet.breadth()
    for panel in sheet.axes:
        number_ticks(panel.xaxis, inches=inches)
    sheet.bare("left", "top", "right")
    told = listed([mark.title for mark in about], ". ")
    height = len(order) * rows_high(labels)
    return sheet.plot("Interval estimates", f"Best first: {told}.", height=height)


def _chosen(result: RunAggregates, what: str | Iterable[str] | None) -> tuple[str, ...]:
    """Return the names of the aggregates to draw, which the result has."""
    if what is None:
        what = tuple(result.aggregates) or "interquartile-mean"
    names = (what,) if isinstance(what, str) else tuple(what)
    for name in names:
        check_choice(name, "what", tuple(AGGREGATES))
        result.aggregate(name)
    if not names:
        raise ValueError("`what` must name at least one aggregate; got none.")
    return names


# ---------------------------------------------------------------------------------- fuzzy p-values


@figure(StochasticComparison)
def membership(
    result: StochasticComparison,
    rows: int | str | Iterable[tuple[str, str]] | None = None,
    *,
    title: bool = True,
    ax: Axes | None = None,
) -> Plot:
    """Draw the p-value of each comparison as a fuzzy set over a logarithmic axis.

    The height over p is its membership, that is the height of the highest cut that contains
    p, where the cut at coverage c is the interval p-value for that coverage and has height
    1 - c. The narrowest cut represents all narrower ones and extends up to 1. Nothing is
    interpolated between the coverages that were computed, so the outline has steps. A thick
    line is the cut that decides. If p is an interval instead of a fuzzy set, all values
    between its ends have membership 1; if it is a number, it is drawn as a vertical line.

    The tinted side of the dashed line is p <= α. A pair whose set lies within it differs
    significantly at every coverage; a set that crosses the line is inconclusive at the coverages
    whose cuts cross it. Fillings distinguish the outcomes. On the right, as far as there is room,
    stand the possibility Π and the necessity N of p <= α and c*, the smallest coverage at which
    the outcome is inconclusive. A pair has its better algorithm first.

    Parameters
    ----------
    result : StochasticComparison
        Result of :func:`nbcompare.compare_stochastic` with any procedure.
    rows : int, str or iterable of (str, str), optional
        Comparisons to draw: a number of those with the smallest p, by default 20; the name of
        one algorithm, for all its comparisons; or a list of pairs, which are drawn in this
        order.
    title : bool, default True
        Whether the figure has its caption above it.
    ax : matplotlib.axes.Axes, optional
        Axes to draw on. By default, a new figure.

    Returns
    -------
    Plot
        Plot with the artists ``sets`` (the membership functions), ``cuts`` (the cuts that
        decide, if p is fuzzy), ``names``, ``columns`` (headers and texts on the right), ``line``
        (the tint, α and its label), ``axis``, ``caption`` and ``legend``. The x axis is in p; a
        row has its base at 0.4, 1.4, 2.4 and so on, and membership 1 is 0.8 above it.

    Raises
    ------
    ValueError
        If rows are not in the result.

    References
    ----------
    Otero, J., Sánchez, L. and Couso, I. (2010). Comparación estadística de algoritmos de
    aprendizaje estocásticos usando tests extendidos a datos intervalo-valorados y borrosos,
    Figure 2.

    Examples
    --------
    >>> import numpy as np
    >>> import nbcompare as nbc
    >>> runs = np.random.default_rng(1).normal([[[0.4]], [[0.5]], [[0.42]]], 0.04, (1, 3, 10, 30))
    >>> experiment = nbc.Experiment.from_array(runs, direction="minimize")
    >>> plot = nbc.plots.membership(nbc.compare_stochastic(experiment, procedure="fuzzy"))
    >>> [text.get_text() for text in plot.artists["names"]]
    ['A1 – A2', 'A1 – A3', 'A3 – A2']
    """
    tests, fuzzy = result.hypotheses, result.hypotheses.fuzzy
    chosen = choose(keys_of(tests), rows, _MOST_SETS)
    keys = [keys_of(tests)[row][:: -1 if tests.turned[row] else 1] for row in chosen]
    outcomes = [tests.outcome[row] for row in chosen]
    columns = [("p", [tests.decisive_text(row) for row in chosen])]
    if fuzzy is not None:
        turning = [fuzzy.turning[row] for row in chosen]
        columns = [
            ("Π", [coverage_text(fuzzy.possibility[row]) for row in chosen]),
            ("N", [coverage_text(fuzzy.necessity[row]) for row in chosen]),
            ("c*", ["none" if c is None else coverage_text(c) for c in turning]),
        ]
    marks = []
    for place, (key, outcome) in enumerate(zip(keys, outcomes, strict=True)):
        texts = ", ".join(f"{header} {values[place]}" for header, values in columns)
        marks.append(Mark(f"{' – '.join(key)}: {outcome}, {texts}", key, pair=True))
    sheet = Sheet(ax, width=FULL, title=title)
    ax = sheet.ax
    kind = "adjusted p-value" if tests.adjusted_low else "unadjusted p-value"
    low, high = tests.decisive
    ends = low if fuzzy is None else fuzzy.low
    floor = p_axis(sheet, float(ends[chosen].min()), result.alpha)
    for place, row in enumerate(chosen):
        p, heights = _outline(tests, row)
        style: dict[str, Any] = {"linewidth": 0.9, "joinstyle": "miter", "zorder": 3}
        outline = np.maximum(p, floor), place + _BASE - _UNIT * heights
        style |= _FILLS[outcomes[place]] | {"label": outcomes[place]}
        sheet.add("sets", ax.fill(*outline, **style), marks[place])
        if fuzzy is not None and result.coverage is not None:
            y = place + _BASE - _UNIT * (1 - result.coverage)
            cut = np.maximum([low[row], high[row]], floor)
            style = {"color": "black", "linewidth": 2.2, "solid_capstyle": "projecting"}
            style |= {"label": f"cut that decides, at coverage {result.coverage:g}", "zorder": 5}
            sheet.add("cuts", ax.plot(cut, [y, y], **style), marks[place])
    labels, headers = write_rows(sheet, keys, columns, marks, kind)
    meanings = {
        "Π": "Π: possibility of p ≤ α",
        "N": "N: its necessity",
        "c*": "c*: least inconclusive coverage",
    }
    drawn = ["heights: membership"] if fuzzy is not None else []
    drawn += [meanings[header] for header in headers if header in meanings]
    drawn += shortened(len(chosen), len(tests), rows, "pair")
    sheet.caption(basis_of_runs(result, tests), "; ".join(drawn))
    sheet.legend()
    least = _ROOMY if len(chosen) <= _FEW else _COMPACT
    what = f"{'Intervals' if fuzzy is None else 'Membership functions'} of {kind}s"
    return sheet.plot(what, sheet.said("names"), height=len(keys) * rows_high(labels, least))


def _outline(tests: ImpreciseHypotheses, row: int) -> tuple[FloatArray, FloatArray]:
    """Return p and membership at the corners of a set, from the left end of its base on."""
    low, high = (ends[row : row + 1] for ends in tests.decisive)
    heights = [0.0, 1.0]
    if tests.fuzzy is not None:
        # from the base upwards; the end of a cut applies up to its height
        low, high = (ends[row, ::-1] for ends in (tests.fuzzy.low, tests.fuzzy.high))
        heights[1:1] = 1 - tests.fuzzy.coverages[:0:-1]
    up = np.repeat(heights, 2)[1:-1]
    across = np.concatenate([np.repeat(low, 2), np.repeat(high, 2)[::-1]])
    return across, np.concatenate([up, up[::-1]])
