"""Matrices of pairs of algorithms: p-values, differences, probabilities and trends."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial

import numpy as np
from matplotlib.axes import Axes

from nbcompare._render import plural, stated_p
from nbcompare._validation import check_name
from nbcompare.plots._matrix import (
    BELOW,
    COLUMN,
    FRAME,
    ROW,
    SQUARE,
    WHITE,
    Cell,
    Look,
    Names,
    diverging,
    draw_matrix,
    keys_of_shades,
    keys_of_sides,
    named,
    pair_cells,
    says_of_strong,
    shade,
    side,
    texts_of_p,
)
from nbcompare.plots._plot import Mark, Plot
from nbcompare.plots._sheet import figure
from nbcompare.plots._text import listed
from nbcompare.plots._wording import algorithm_marks, basis, pair_mark, signed
from nbcompare.results import BayesianComparison, Comparison, Contrast, RunAggregates
from nbcompare.results.bayesian import NONE, pair_text
from nbcompare.results.convergence import ConvergenceComparison
from nbcompare.results.hypotheses import EQUIVALENT
from nbcompare.results.wording import percent
from nbcompare.words import PROCEDURES, TREND_NULLS

_GREY = (0.66, 0.66, 0.66)  # of pairs that are surely equivalent; the two sides have a hue
_DECIMALS = 2


# ------------------------------------------------------------------------------ p-values


@figure(Comparison)
def pvalue_matrix(comparison: Comparison, *, title: bool = True, ax: Axes | None = None) -> Plot:
    """Draw the p-value of every pair, with a triangle that points to the better algorithm.

    Rows and columns are ordered by average rank, best first. The p-values are those that decide:
    adjusted by the first procedure, or raw if there is none. A significant pair has a filled
    triangle and bold digits on a tint that is darker for smaller p, another one a hollow triangle
    on white. A triangle points along the row or down the column, to the name of the algorithm that
    the test found better; it is missing if the test found no difference at all. Two algorithms that
    are equivalent within the margin of the comparison have a square instead. With a control there
    is a single column, that of the control.

    Where cells are too narrow for p-values, they have triangles only, and columns too narrow for
    their names have numbers, which stand before the names of the rows.

    Parameters
    ----------
    comparison : Comparison
        Result of :func:`nbcompare.compare` or :func:`nbcompare.compare_ranks`.
    title : bool, default True
        Whether the figure has its caption above it.
    ax : matplotlib.axes.Axes, optional
        Axes to draw on. By default, a new figure.

    Returns
    -------
    Plot
        Plot with the artists ``rows`` and ``columns`` (names), ``cells`` (a collection), ``texts``
        (the p-values, if there is room), ``marks`` (the triangles and squares) and ``legend``. Rows
        and columns are at 0, 1, 2 and so on.

    Examples
    --------
    >>> import nbcompare as nbc
    >>> result = nbc.compare(nbc.datasets.load("demsar2006"), adjust="nemenyi")
    >>> plot = nbc.plots.pvalue_matrix(result)
    >>> [text.get_text() for text in plot.artists["texts"]][:2]
    ['0.0432', '0.0649']
    """
    tests, ordered, control = comparison.hypotheses, comparison.ordered, comparison.control
    if control is None:
        rows, columns, down = ordered[1:], ordered[:-1], BELOW
    else:
        rows, columns, down = tuple(name for name in ordered if name != control), (control,), COLUMN
    values = next(iter(tests.adjusted.values()), tests.pvalue)
    outcomes, cells = tests.outcome or [""] * len(tests), []
    for test, pair in enumerate(zip(tests.first, tests.second, strict=True)):
        column, row = sorted(pair, key=ordered.index) if control is None else pair
        # a positive statistic means that the first is better
        sign = float(tests.statistic[test]) * (1 if pair[0] == column else -1)
        strong, p = bool(tests.rejected[test]), tests.decisive(test)
        color = shade(float(values[test]), comparison.alpha) if strong else WHITE
        mark = SQUARE if outcomes[test] == EQUIVALENT else side(sign, down, ROW)
        place, about = (rows.index(row), columns.index(column)), pair_mark(comparison, test)
        cells.append(Cell(*place, color, texts_of_p(p), strong, mark, about))
    kind = "Adjusted p-values" if comparison.adjust else "Unadjusted p-values"
    says = {
        (mark, strong): f"{name} is better, {'' if strong else 'not '}significant"
        for mark, name in ((down, "column"), (ROW, "row"))
        for strong in (True, False)
    }
    margin = told = ""
    if comparison.margin is not None:
        margin = f", margin {comparison.margin:g}"
        pairs = zip(tests.first, tests.second, outcomes, strict=True)
        alike = [f"{a} and {b}" for a, b, outcome in pairs if outcome == EQUIVALENT]
        told = f"Equivalent within the margin: {listed(alike, '; ')}."
        equal = f"equivalent within the margin of {comparison.margin:g}"
        says |= {(SQUARE, False): equal, (SQUARE, True): equal}
    marks = algorithm_marks(comparison)
    return draw_matrix(
        ax,
        Names(rows, [marks[name] for name in rows]),
        Names(columns, [marks[name] for name in columns], frozenset({control or ""})),
        {"": cells},
        "Matrix of p-values",
        clear="significant",
        told=told,
        title=title,
        caption=[f"{kind} ({basis(comparison)}{margin})"],
        legend=keys_of_shades(comparison.alpha),
        says=says,
        beside=True,
        below=control is None,
    )


# --------------------------------------------------------------------------- differences


@figure(Contrast)
def contrast_matrix(contrast: Contrast, *, title: bool = True, ax: Axes | None = None) -> Plot:
    """Draw the estimated difference of every pair, positive where the row is better.

    Algorithms are ordered by their estimates, best first. The colour is blue where the row is
    better, orange where the column is better and white at zero, and it is stronger for larger
    differences. A difference whose confidence interval excludes zero is framed and bold. Where
    cells are too narrow for numbers, a triangle points to the better algorithm instead, filled if
    the interval excludes zero.

    Parameters
    ----------
    contrast : Contrast
        Result of :func:`nbcompare.contrast_estimation`.
    title : bool, default True
        Whether the figure has its caption above it.
    ax : matplotlib.axes.Axes, optional
        Axes to draw on. By default, a new figure.

    Returns
    -------
    Plot
        Plot with the artists ``rows`` and ``columns`` (names), ``cells`` (a collection), ``texts``
        (the estimates) and ``frames`` or, without room for these, ``marks``, and ``legend``. Rows
        and columns are at 0, 1, 2 and so on.

    Raises
    ------
    ValueError
        If the estimates are withheld, because the data sets are on several scales.

    Examples
    --------
    >>> import nbcompare as nbc
    >>> contrast = nbc.contrast_estimation(nbc.datasets.load("demsar2006"))
    >>> plot = nbc.plots.contrast_matrix(contrast)
    >>> contrast.ordered[0], len(plot.artists["texts"])
    ('C4.5+m+cf', 12)
    """
    ordered, design = contrast.ordered, contrast.design
    place = [design.algorithms.index(name) for name in ordered]
    estimates, lower, upper = (part[np.ix_(place, place)] for part in contrast.arrays())
    apart = (lower > 0) | (upper < 0)
    largest, k = float(np.abs(estimates).max()), len(ordered)
    texts = np.array(signed(estimates.ravel().tolist())).reshape(k, k)

    def cell(a: str, b: str) -> Look:
        u, v = ordered.index(a), ordered.index(b)
        value, strong = float(estimates[u, v]), bool(apart[u, v])
        better = (u, v) if value > 0 or (value == 0 and u < v) else (v, u)
        names = ordered[better[0]], ordered[better[1]]
        about = Mark(f"{' – '.join(names)}: {texts[better]}", names)
        return diverging(value, largest), (str(texts[u, v]),), strong, side(value), about

    cells = pair_cells(ordered, ordered, cell)
    excludes = f"{100 * contrast.confidence:g} % interval excludes zero"
    says = says_of_strong(excludes, "interval includes zero")
    if contrast.without_intervals:
        says = dict.fromkeys([(ROW, False), (COLUMN, False)], "towards the better")
    most = signed([largest])[0].lstrip("+")
    difference = f"Estimated difference of {design.measure or 'scores'}"
    return draw_matrix(
        ax,
        named(ordered),
        named(ordered),
        {"": cells},
        "Matrix of differences",
        clear="" if contrast.without_intervals else excludes,
        told=contrast.without_intervals or "",
        title=title,
        caption=[
            f"{difference}, {design.minus('row', 'column')}; {design.better}; "
            f"{plural(design.n_datasets, 'data set')}"
        ],
        legend=keys_of_sides(f", by up to {most}"),
        says=says,
    )


# ------------------------------------------------------------------------- probabilities


@figure(RunAggregates)
def improvement_matrix(
    result: RunAggregates, *, title: bool = True, ax: Axes | None = None
) -> Plot:
    """Draw for every pair how often a run of the row is better than one of the column.

    Algorithms are ordered by their interquartile means, best first. A cell shows the probability
    that a run of the row is better than one of the column on the same data set, and its interval
    below, if there is room. It is blue where that is above one half and orange where it is below.
    The text is bold and framed if the interval excludes one half. Where cells are too narrow for
    numbers, a triangle points to the algorithm that is better more often instead, filled if the
    interval excludes one half.

    Parameters
    ----------
    result : RunAggregates
        Result of :func:`nbcompare.aggregate_runs`.
    title : bool, default True
        Whether the figure has its caption above it.
    ax : matplotlib.axes.Axes, optional
        Axes to draw on. By default, a new figure.

    Returns
    -------
    Plot
        Plot with the artists ``rows`` and ``columns`` (names), ``cells`` (a collection), ``texts``
        (the probabilities) and ``frames`` or, without room for these, ``marks``, and ``legend``.
        Rows and columns are at 0, 1, 2 and so on.

    Examples
    --------
    >>> import nbcompare as nbc
    >>> result = nbc.aggregate_runs(nbc.datasets.load("stochastic_cv"))
    >>> plot = nbc.plots.improvement_matrix(result)
    >>> print(plot.artists["texts"][1].get_text())
    0.62
    0.59–0.65
    """
    ordered = result.ordered

    def cell(a: str, b: str) -> Look:
        value, low, high = result.better_than(a, b)
        chance = result.chance(value)
        texts = (f"{chance}\n{result.chance(low)}–{result.chance(high)}", chance)
        pair = (a, b) if value >= 0.5 else (b, a)
        told = f"{' – '.join(pair)}: a run of {pair[0]} is better with probability "
        about = Mark(told + result.pair_text(*pair), pair, pair=True)
        return diverging(value - 0.5, 0.5), texts, result.clear(a, b), side(value - 0.5), about

    interval = f"{percent(result.confidence)} interval"
    return draw_matrix(
        ax,
        named(ordered),
        named(ordered),
        {"": pair_cells(ordered, ordered, cell)},
        "Matrix of probabilities of improvement",
        clear="interval excludes one half",
        title=title,
        caption=[
            f"Probability that a run of the row is better, with {interval}",
            f"{plural(result.design.n_datasets, 'data set')}, {result.design.better}",
        ],
        legend=keys_of_sides(" more often"),
        says=says_of_strong(f"{interval} excludes one half", "interval includes it"),
    )


@figure(BayesianComparison)
def posterior_matrix(
    result: BayesianComparison, *, title: bool = True, ax: Axes | None = None
) -> Plot:
    """Draw for every pair how probable it is that the row is better, or that both are equivalent.

    Algorithms are ordered by how much likelier they are better than worse. A cell shows the
    probability that the row is better than the column by more than the region of practical
    equivalence, and below it, after “eq.”, the probability that the two are equivalent. The colour
    mixes blue where the row is better, orange where the column is better and grey where they are
    equivalent, by these probabilities. A claim is bold and framed. Where cells are too narrow for
    numbers, a mark says which of the three is the most probable: a triangle points to the better
    algorithm, a square means equivalence, and it is filled if that is claimed. With a control there
    is a single column, that of the control.

    Parameters
    ----------
    result : BayesianComparison
        Result of :func:`nbcompare.compare_bayesian`.
    title : bool, default True
        Whether the figure has its caption above it.
    ax : matplotlib.axes.Axes, optional
        Axes to draw on. By default, a new figure.

    Returns
    -------
    Plot
        Plot with the artists ``rows`` and ``columns`` (names), ``cells`` (a collection), ``texts``
        (the probabilities) and ``frames`` (of the claims) or, without room for these, ``marks``,
        and ``legend``. Rows and columns are at 0, 1, 2 and so on.

    Examples
    --------
    >>> import nbcompare as nbc
    >>> result = nbc.compare_bayesian(nbc.datasets.load("demsar2006"), rope=0.01)
    >>> plot = nbc.plots.posterior_matrix(result)
    >>> print(plot.artists["texts"][2].get_text())
    0.96
    eq. 0.04
    """
    ordered, control = result.ordered, result.control
    rows = tuple(name for name in ordered if name != control)
    columns = ordered if control is None else (control,)
    at = {pair: test for test, pair in enumerate(zip(result.first, result.second, strict=True))}

    def cell(a: str, b: str) -> Look:
        turned = (a, b) not in at
        test = at[(b, a) if turned else (a, b)]
        better, worse = float(result.first_better[test]), float(result.second_better[test])
        better, worse = (worse, better) if turned else (better, worse)
        equal = float(result.equivalent[test])
        mix = zip(diverging(better - worse, 1.0), _GREY, strict=True)
        red, green, blue = ((1 - equal) * part + equal * grey for part, grey in mix)
        text = result.chance(better, _DECIMALS)
        texts = (f"{text}\neq. {result.chance(equal, _DECIMALS)}", text) if result.rope else (text,)
        mark = SQUARE if equal > max(better, worse) else side(better - worse)
        pair = result.first[test], result.second[test]
        about = Mark(pair_text(result, test), pair, pair=True)
        color = red, green, blue
        return color, texts, result.decision[test] != NONE, mark, about

    by = f" by more than {result.region}" if result.rope else ""
    least = f"probability ≥ {result.threshold:g}"
    keys, says = keys_of_sides(), dict(says_of_strong(f"claimed, {least}", "no claim"))
    if result.rope:
        keys.append(("practically equivalent (eq.)", _GREY))
        says[SQUARE, False] = "equivalence is the most probable"
        says[SQUARE, True] = f"equivalence is claimed, {least}"
    return draw_matrix(
        ax,
        named(rows),
        named(columns, control),
        {"": pair_cells(rows, columns, cell)},
        "Matrix of posterior probabilities",
        clear=f"claims with {least}",
        title=title,
        caption=[
            f"Probability that the row is better than the column{by}",
            f"{result.record.label}, {result.where}; {result.design.better}",
        ],
        legend=keys,
        says=says,
    )


# ------------------------------------------------------------------------------------------ trends


def _basis(result: ConvergenceComparison) -> str:
    """Return the basis of p-values: ``exchange null, unadjusted, α = 0.1, 19 problems, ...``."""
    how = f"adjusted by {PROCEDURES[result.adjust[0]].label}" if result.adjust else "unadjusted"
    return (
        f"{TREND_NULLS[result.null].label}, {how}, α = {result.alpha:g}, "
        f"{plural(result.design.n_datasets, 'problem')}, {result.cutpoints.shape[1]} cut-points"
    )


@figure(ConvergenceComparison)
def trend_heatmap(
    result: ConvergenceComparison,
    *,
    version: str | None = None,
    title: bool = True,
    ax: Axes | Iterable[Axes] | None = None,
) -> Plot:
    """Draw the p-values of a trend in favour of the row over the column, for every ordered pair.

    The trend shows that the row converges faster; with raw differences, that the gap grows in its
    favour. Rows and columns are ordered like ``result.ordered``, most wins first, so that
    significant cells tend to lie at the upper right. The p-values are those that decide: adjusted
    by the first procedure, or raw if there is none. A significant cell is framed, its digits are
    bold, and its tint is darker for smaller p; the other cells are white. A white cell means that
    no significant trend was found, not that the two converge equally fast.

    Parameters
    ----------
    result : ConvergenceComparison
        Result of :func:`nbcompare.compare_convergence`.
    version : {"basic", "alternative"}, optional
        Version to draw. By default all that were computed, as they may disagree, one below the
        other.
    title : bool, default True
        Whether the figure has its caption above it.
    ax : matplotlib.axes.Axes, optional
        Axes to draw on, one for each version. By default, a new figure.

    Returns
    -------
    Plot
        Plot with the artists ``rows`` and ``columns`` (names), ``cells`` (a collection for each
        version), ``texts`` (the p-values, version by version, row by row) and ``frames`` or,
        without room for these, ``marks`` (a triangle that points from a significant cell to its
        row), ``legend`` and, for two versions, ``titles``. Rows and columns are at 0, 1, 2 and so
        on.

    Raises
    ------
    ValueError
        If the version was not computed.

    References
    ----------
    Derrac, J., García, S., Hui, S., Suganthan, P. N. and Herrera, F. (2014). Analyzing
    convergence performance of evolutionary algorithms: a statistical approach. Information
    Sciences 289, 41-58.

    Examples
    --------
    >>> import numpy as np
    >>> import nbcompare as nbc
    >>> step = np.arange(1, 11)
    >>> scale = np.arange(1, 13)[:, np.newaxis]
    >>> values = np.stack([scale * (20 - 2 * step), scale * (20 - step)], axis=1)
    >>> histories = nbc.Histories.from_array(
    ...     values, evaluations=100 * step, direction="minimize", algorithms=["Fast", "Slow"])
    >>> plot = nbc.plots.trend_heatmap(nbc.compare_convergence(histories, version="basic"))
    >>> [text.get_text() for text in plot.artists["rows"]]
    ['Fast', 'Slow']
    """
    versions = result.versions
    if version is not None:
        versions = (check_name(version, "version", result.versions),)
    ranks = f" ({versions[0]} ranks)" if len(versions) == 1 else ""
    says = {(FRAME, True): "bold in a frame: significant"}
    says[ROW, True] = f"{result.claim.cell}, significant"
    order = result.ordered
    return draw_matrix(
        ax,
        named(order),
        named(order),
        {f"{it} ranks": pair_cells(order, order, partial(_look, result, it)) for it in versions},
        "Matrix of p-values of trends",
        clear="significant",
        title=title,
        caption=[f"P-values of tests of whether {result.claim.cell}{ranks}", _basis(result)],
        legend=[*keys_of_shades(result.alpha), ("not significant", WHITE)],
        says=says,
    )


def _look(result: ConvergenceComparison, version: str, row: str, column: str) -> Look:
    a, b = map(result.algorithms.index, (row, column))
    strong, text = bool(result.tests[version].rejected[a, b]), result.p_text(version, a, b)
    word = "significant" if strong else "not significant"
    p = stated_p(text, "adjusted p" if result.adjust else "p")
    about = Mark(f"{row} – {column}: {p}, {word} ({version} ranks)", (row, column))
    color = shade(float(result.decisive(version)[a, b]), result.alpha) if strong else WHITE
    return color, texts_of_p(text), strong, ROW * strong, about
