"""Matrices of pairs of algorithms: p-values, differences, probabilities and trends."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial

import numpy as np
from matplotlib.axes import Axes

from nbcompare._options import MINIMIZE
from nbcompare._render import plural, stated_p
from nbcompare._validation import check_choice, check_labels, check_name
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
from nbcompare.plots._wording import algorithm_marks, basis, means, pair_mark, rank_text, signed
from nbcompare.results import BayesianComparison, Comparison, Contrast, RunAggregates
from nbcompare.results.bayesian import NONE, pair_text
from nbcompare.results.convergence import ConvergenceComparison
from nbcompare.results.hypotheses import EQUIVALENT
from nbcompare.results.wording import percent
from nbcompare.words import PAIRWISE_TESTS, PROCEDURES, TREND_NULLS

_GREY = (0.66, 0.66, 0.66)  # of pairs that are surely equivalent; the two sides have a hue
_DECIMALS = 2
_ADJUSTED, _RAW = "adjusted", "raw"


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


# ---------------------------------------------------------------------- multiple comparison matrix


@figure(Comparison)
def multi_comparison_matrix(
    comparison: Comparison,
    *,
    rows: Iterable[str] | None = None,
    columns: Iterable[str] | None = None,
    pvalues: str = _ADJUSTED,
    title: bool = True,
    ax: Axes | None = None,
) -> Plot:
    """Draw the mean difference, win/tie/loss counts and p-value of every pair in a matrix.

    A cell holds how much better the mean score of the row is than that of the column, in units of
    the measure; the numbers of data sets on which the row wins, ties and loses; and the p-value.
    It is framed and bold if the difference is significant. Its colour shows which mean is
    better: blue for the row, orange for the column. The mean is not what is tested, and may point
    the other way. Under each name stands its mean score.

    If the data sets are on several scales, mean differences mean little. Then a cell holds the
    share of data sets on which the row is better, a tie counting half, and under each name stands
    its average rank. If scores are missing, a cell is about the data sets with scores of both
    algorithms, and has a dash if there is none.

    Where cells are too narrow for all this, they hold the difference or share only; and where they
    are too narrow for that, a triangle that points to the algorithm that the test found better,
    filled if the difference is significant. Columns too narrow for their names have numbers, which
    stand before the names of the rows.

    Parameters
    ----------
    comparison : Comparison
        Result of :func:`nbcompare.compare`.
    rows, columns : iterable of str, optional
        Algorithms to show. By default, all of them; with a control all others as rows and the
        control as column; and if only one of the two is given, the algorithms that were compared
        with it, so that ``rows=["SVM"]`` is one against all.
    pvalues : {"adjusted", "raw"}
        Which p-value a cell holds and is decided by: that of the comparison, adjusted by its first
        procedure if there is one; or the unadjusted one, see the notes.
    title : bool, default True
        Whether the figure has its caption above it.
    ax : matplotlib.axes.Axes, optional
        Axes to draw on. By default, a new figure.

    Returns
    -------
    Plot
        Plot with the artists ``rows`` and ``columns`` (names), ``cells`` (a collection), ``texts``
        and ``frames`` or, without room for these, ``marks`` (the triangles), and ``legend``. Rows
        and columns are at 0, 1, 2 and so on.

    Raises
    ------
    ValueError
        If the comparison has no scores because it was made from average ranks, if a name is
        not that of an algorithm, if no pair of ``rows`` and ``columns`` was tested, or if means
        are to decide the order on several scales.

    Notes
    -----
    Benavoli et al. (2016) argue against tests of pairs by average ranks, because their p-values
    depend on the other algorithms of the study: the same two may differ significantly among some
    algorithms and not among others. Ismail-Fawaz et al. (2023) want more: the conclusion on a pair
    should not change at all when algorithms are added or left out. Mean differences, counts and
    the unadjusted p-values of Wilcoxon's or t tests satisfy this, and ``pvalues="raw"`` shows
    them; adjusted p-values do not, because they depend on the number of pairs and on their
    p-values. What is lost is the protection against chance: of the 45 pairs of 10 algorithms that
    perform equally, 2 are expected to have an unadjusted p of at most 0.05. Therefore adjusted
    p-values are the default here.

    References
    ----------
    Benavoli, A., Corani, G. and Mangili, F. (2016). Should we really use post-hoc tests based on
    mean-ranks? Journal of Machine Learning Research 17 (5), 1–10.

    Ismail-Fawaz, A. et al. (2023). An approach to multiple comparison benchmark evaluations that
    is stable under manipulation of the comparate set. arXiv 2305.11921.

    Examples
    --------
    >>> import nbcompare as nbc
    >>> result = nbc.compare(nbc.datasets.load("demsar2006"))
    >>> plot = nbc.plots.multi_comparison_matrix(result, rows=["C4.5+m"], columns=["C4.5"])
    >>> print(plot.artists["texts"][0].get_text())
    +0.0155
    10/2/2
    p = 0.0469
    """
    raw = check_choice(pvalues, "pvalues", (_ADJUSTED, _RAW)) == _RAW
    tests, design, control = comparison.hypotheses, comparison.design, comparison.control
    if comparison.mean_scores is None or not tests.has_effects:
        raise ValueError(
            "`comparison` must hold scores for a matrix of mean differences; got one made from "
            "average ranks alone. Use compare(experiment), or draw a pvalue_matrix instead."
        )
    by_share = comparison.several_scales
    by_rank = by_share or comparison.has_gaps
    left, above = _names(comparison, rows, columns, by_rank=by_rank)
    at = {pair: row for row, pair in enumerate(zip(tests.first, tests.second, strict=True))}
    counts = np.array([tests.wins, tests.ties, tests.losses], dtype=np.int64)
    shared = counts.sum(axis=0) > 0
    # how much better the first algorithm is: by its wins or by its mean
    sizes = np.asarray(tests.win_share if by_share else tests.mean_difference, dtype=np.float64)
    gains = np.where(shared, 2 * sizes - 1 if by_share else sizes, 0.0)
    drawn = [
        row
        for (a, b), row in at.items()
        if (a in left.names and b in above.names) or (b in left.names and a in above.names)
    ]
    if not drawn:
        against = f" against the control {control!r}" if control else ""
        raise ValueError(
            "`rows` and `columns` must include at least one pair that was tested; got "
            f"{left.names} and {above.names}{against}."
        )
    largest = float(np.abs(gains[drawn]).max())

    def seen(test: int, sign: int) -> tuple[float, str, str]:
        """Return gain, size and counts from the side of the first algorithm, or of the other."""
        gain = sign * float(gains[test])
        size = f"{50 * (1 + gain):.0f} %" if by_share else signed([gain, largest])[0]
        return (
            gain,
            size if shared[test] else "–",
            "/".join(map(str, counts[::sign, test].tolist())),
        )

    def cell(a: str, b: str) -> Look | None:
        test = at.get((a, b), at.get((b, a)))
        if test is None:
            return None
        sign, best = 1 if (a, b) in at else -1, 1 if gains[test] >= 0 else -1
        p = stated_p(tests.unadjusted(test) if raw else tests.decisive(test))
        strong = bool(tests.pvalue[test] <= comparison.alpha if raw else tests.rejected[test])
        _, size, count = seen(test, best)
        pair = (tests.first[test], tests.second[test])[::best]
        text = f"{' – '.join(pair)}: {size}, W/T/L {count}, {kind.removesuffix('p')}{p}"
        text += ", significant" if strong else ", not significant"
        about = Mark(text, pair, pair=True)
        gain, size, count = seen(test, sign)
        lines = f"{size}\n{count}\n{p}"
        texts = (lines, lines.replace("p = ", ""), size)
        return diverging(gain, largest), texts, strong, side(sign * tests.statistic[test]), about

    kind = "adjusted p" if comparison.adjust and not raw else "unadjusted p"
    cells = pair_cells(left.names, above.names, cell)
    rests = f"{kind[0].upper()}{kind[1:]} ({basis(comparison, adjusted=not raw)}"
    if raw and PAIRWISE_TESTS[comparison.pairs].by_ranks:
        rests += "; by average ranks, so that it depends on the others"
    negated = " (negated there)" if design.turned else ""
    mean = f"mean {design.measure or 'score'}, {design.better}{negated}"
    what = f"Difference of {mean}, {design.minus('row', 'column')}"
    how, size = "mean is better", "mean difference"
    number = "mean"
    if by_share:
        what = "Share of data sets on which the row is better; "
        what += "mean differences mean little on several scales"
        how, size, number = "wins more often", "share won", comparison.rank_name
    sorting = comparison.rank_name if by_rank else "mean"
    both = "; differences over data sets with scores of both" * comparison.has_gaps
    return draw_matrix(
        ax,
        left,
        above,
        {"": cells},
        "Multiple comparison matrix",
        clear="significant",
        title=title,
        caption=[what, f"{rests})", f"With each name: {number}; best {sorting} first{both}"],
        legend=[(f"row {how}", diverging(1, 1)), (f"column {how}", diverging(-1, 1))],
        says=says_of_strong("significant", "not significant"),
        lines=f"lines: {size}, win/tie/loss of the row, p",
    )


def _names(
    comparison: Comparison,
    rows: Iterable[str] | None,
    columns: Iterable[str] | None,
    *,
    by_rank: bool,
) -> list[Names]:
    """Return the names of rows and columns, best first, each with its mean or average rank."""
    ordered, control = comparison.ordered, comparison.control
    scores = dict(comparison.mean_scores or {})
    if not by_rank:
        sign = 1 if comparison.design.direction == MINIMIZE else -1
        ordered = tuple(sorted(ordered, key=lambda name: sign * scores[name]))
    numbers = dict(zip(scores, means(list(scores.values())), strict=True))
    if comparison.several_scales:
        numbers = {it: rank_text(comparison, rank) for it, rank in comparison.average_ranks.items()}
    known, every = comparison.design.algorithms, set(ordered)
    kept: list[set[str] | None] = []
    for part, names in (("rows", rows), ("columns", columns)):
        listing = None if names is None else check_labels(names, part)
        kept.append(None if listing is None else {check_name(it, part, known) for it in listing})
        if kept[-1] == set():
            raise ValueError(f"`{part}` must name at least one algorithm; got none.")
    if control is not None and kept == [None, None]:
        kept[1] = {control}
    partners = {name: every - {name} if control in (None, name) else {control} for name in ordered}
    marks, sides = algorithm_marks(comparison), []
    for some, others in (kept, kept[::-1]):
        if some is None:  # those that were tested with the others
            some = {name for name in ordered if others is None or others & partners[name]}
        chosen = [name for name in ordered if name in some]
        under, about = [numbers[name] for name in chosen], [marks[name] for name in chosen]
        sides.append(Names(chosen, about, frozenset({control or ""}), under, under))
    return sides
