"""Multiple comparison matrix: mean difference, counts and p-value of every pair."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from matplotlib.axes import Axes

from nbcompare._options import MINIMIZE
from nbcompare._render import stated_p
from nbcompare._validation import check_choice, check_labels, check_name
from nbcompare.plots._matrix import (
    Look,
    Names,
    diverging,
    draw_matrix,
    pair_cells,
    says_of_strong,
    side,
)
from nbcompare.plots._plot import Mark, Plot
from nbcompare.plots._sheet import figure
from nbcompare.plots._wording import algorithm_marks, basis, means, rank_text, signed
from nbcompare.results import Comparison
from nbcompare.words import PAIRWISE_TESTS

_ADJUSTED, _RAW = "adjusted", "raw"


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
