"""Compare algorithms by what one score is another one of: a data set, a fold, a run or an item."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from inspect import signature
from typing import Any, cast

from nbcompare._options import COMPARE_OPTIONS, default
from nbcompare._validation import listed, shown
from nbcompare.analysis._data import check_experiment
from nbcompare.analysis._family import Adjust
from nbcompare.analysis._missing import Fill
from nbcompare.analysis.crossval import compare_cv
from nbcompare.analysis.frames import of_frames
from nbcompare.analysis.items import compare_items
from nbcompare.analysis.ranks import compare_datasets
from nbcompare.analysis.runs import compare_runs
from nbcompare.experiment import Experiment, Frame
from nbcompare.results import Comparison, WithinComparison

_SHARED = ("control", "adjust", "alpha", "missing")  # with the comparison over data sets
_OF_UNIT: Mapping[str, Callable[..., Any]] = {
    "folds": compare_cv,
    "items": compare_items,
    "runs": compare_runs,
}


def is_within(experiment: Experiment) -> bool:
    """Return whether ``compare`` compares within one data set, or on items, and not over data sets.

    Intervals are compared over data sets only.
    """
    return experiment.unit != "datasets" and not experiment.is_interval


def compare_within(experiment: Experiment, options: Mapping[str, Any]) -> WithinComparison:
    """Compare on one data set, or on items, by what one score is another one of."""
    function = _OF_UNIT[experiment.unit or ""]
    shared = [name for name in _SHARED if name in signature(function).parameters]
    for name, value in options.items():
        if name not in shared and value is not default(name) and value != default(name):
            raise ValueError(
                f"`{name}` must be left out with {experiment.unit}, which {function.__name__} "
                f"compares by {listed(shared)} alone; got {shown(value)}."
            )
    given = {name: options[name] for name in shared}
    return cast("WithinComparison", function(experiment, **given))


@of_frames
def compare(
    experiment: Experiment | Frame,
    *,
    direction: str | None = None,
    ranking: str = default("ranking"),
    control: str | None = default("control"),
    alternative: str = default("alternative"),
    pairs: str = default("pairs"),
    adjust: Adjust = default("adjust"),
    alpha: float = default("alpha"),
    method: str = default("method"),
    scale: str = default("scale"),
    formulas: str = default("formulas"),
    intervals: str = default("intervals"),
    margin: float | None = default("margin"),
    missing: str = default("missing"),
    fill: Fill = default("fill"),
) -> Comparison | WithinComparison:
    """Rank the algorithms on every data set, test for any difference, and test pairs.

    So with several data sets. On one data set, ``experiment.unit`` decides: folds are compared by
    :func:`compare_cv`, runs by :func:`compare_runs` and items, of one or several benchmarks, by
    :func:`compare_items`, of which ``control``, ``adjust``, ``alpha`` and ``missing`` are options
    here too.

    Scores are averaged over folds and runs first, with a note. What is not asked for is what
    :func:`nbcompare.recommend` recommends, as far as it fits the rest; the result says in a
    sentence what was taken and why. The test of any difference never decides whether pairs are
    tested: the adjustment controls the error by itself.

    Parameters
    ----------
    experiment : Experiment or dataframe
        At least 2 algorithms on at least 2 data sets, or on folds, runs or items.
    direction : {"maximize", "minimize"}, optional
        Whether high or low scores are better, with a dataframe only, which is read as by
        ``Experiment.from_frame``; a note on the result says how.
    ranking : {"auto", "friedman", "aligned", "quade"}
        ``auto``: ``friedman``. ``friedman``: ranks within each data set; ties share the mean of
        their ranks. ``aligned``: the mean of each data set is subtracted from its scores, and
        all scores are ranked together, from 1 to nk. ``quade``: ranks within each data set,
        weighted by the rank of its range. The latter two compare scores across data sets, so
        these must be on one scale; they find more if there are few algorithms.
    control : str, optional
        The algorithm that is compared with every other one; all pairs are compared by
        default. ``"best"`` is the best ranked one (the first of several). As it is chosen from
        the data, its comparisons are those out of all pairs: p-values are adjusted over all
        pairs, and those with the best one are shown. With ``formulas="printed"`` or one-sided
        tests it counts as if it had been named, and a note says so.
    alternative : {"two-sided", "better", "worse"}
        With a control, what its tests are to show: that it differs from another algorithm, is
        better, or is worse. The direction of the experiment says whether high scores are better.
        One-sided tests have no intervals, no critical difference and no ``margin``.
    pairs : {"auto", "ranks", "exchange", "wilcoxon", "t"}
        How two algorithms are compared. ``wilcoxon``: by Wilcoxon's signed-rank test of the scores
        of the two. ``exchange``: by the differences of their ranks within data sets, whose signs
        are random if swapping the two changes nothing; needs no common scale. ``ranks``: by the
        difference of their average ranks, whose p is right if all algorithms can be exchanged.
        ``t``: by the paired t test of the mean scores of the two. ``auto``: ``wilcoxon`` if the
        data sets are on one scale (see ``scale``), else ``exchange``, as where some two share
        fewer than 2 data sets; but ``ranks`` if aligned or Quade's ranks, Nemenyi's procedure or
        the printed formulas are asked for.
    adjust : str or list of str or None
        Procedure that adjusts the p-values: ``bonferroni``, ``sidak``, ``holm``,
        ``holland``, ``finner``, ``hochberg``, ``hommel``, ``rom``, ``li``, or (all pairs
        only) ``nemenyi``, ``shaffer``, ``bergmann-hommel``, which control the family-wise
        error; ``benjamini-hochberg`` or ``benjamini-yekutieli``, which control the false
        discovery rate. Each of several makes a column, and the first decides. None: raw
        p-values. ``auto``: ``holm`` with Wilcoxon's test, with a control, for a single pair, and
        with the printed formulas. Else, for all pairs: ``bergmann-hommel`` up to 14 algorithms, or
        up to 50 if pairs are tested by average ranks and no score is missing; ``shaffer`` up to
        200 algorithms; ``holm`` for more.
    alpha : float, default 0.05
        Level of the family-wise error, or of the false discovery rate.
    method : {"auto", "exact", "normal"}
        How p is computed, except for t, and for the test of any difference. ``exact``: from all
        ways to exchange the scores of each data set; by average ranks, this is exact if all
        algorithms are exchangeable. ``normal``: by the normal, F and
        chi-squared laws. ``auto``: exactly where that is quick, which depends on the numbers of
        data sets, algorithms and ties only.
    scale : {"auto", "one", "several"}
        Whether the scores of all data sets are on one scale, which Wilcoxon's test, t, aligned and
        Quade's ranks and differences of scores need. ``auto`` judges by their ranges, as in
        :func:`nbcompare.recommend`; ``one`` and ``several`` state it. With several scales
        ``pairs="auto"`` is ``exchange``, and differences are not estimated; a test that is asked
        for is made all the same, with a note that it is not the one that is recommended.
    formulas : {"corrected", "printed"}
        ``corrected`` accounts for ties; ``printed`` reproduces the papers, which do not, with
        ``friedman``, ``ranks``, ``holm`` and ``normal`` for what is not asked for. The printed z
        of aligned ranks and of Quade is scaled wrongly; a note says how much.
    intervals : {"simultaneous", "pairwise", "none"}
        Confidence intervals of the differences of pairs tested by Wilcoxon or t.
        ``simultaneous``: each at 1 - alpha/m for m pairs, so that all hold together at 1 - alpha;
        0 is an end of them where the decision says more. ``pairwise``: each at 1 - alpha; it also
        stands in without adjustment, and where the data sets are too few for ``simultaneous``.
        ``none``: none. There are none if the data sets are on several scales (see ``scale``); a
        note says why.
    margin : float, optional
        A number above 0 in units of the measure: differences smaller than it do not matter in
        practice. Each pair then has an ``outcome``: ``different`` if its null hypothesis is
        rejected, ``equivalent`` if its interval at 1 - alpha/m lies strictly inside the margin on
        both sides of 0 (whatever ``intervals`` shows), ``different but negligible`` if both hold,
        and ``inconclusive`` if neither does. The scores must be on one scale, and pairs tested by
        Wilcoxon's test (which ``auto`` then takes) or by t.
    missing : {"raise", "drop-folds", "drop", "worst", "available", "skillings-mack"}
        What to do if an algorithm has no score on a data set, or only on some of its folds or
        runs. ``raise``: an error names the cells. ``drop-folds``: only the folds and runs that
        all algorithms have are used. ``drop``: the data set is left out. ``worst``: what is
        missing counts as failed and gets the worst score of its data set, or ``fill``.
        ``available``: means are over what is there. ``skillings-mack``: each data set ranks the
        scores it has (Friedman's ranking only; not for scores that are there in part).
    fill : float or str, optional
        With ``missing="worst"``: the score of what failed, or the algorithm whose score in the
        same fold it gets, such as a constant predictor.

    Returns
    -------
    Comparison, CrossValidationComparison, RunComparison or ItemComparison
        The result, which displays itself; see also its ``to_frame()`` and ``sentences``.

    Raises
    ------
    DataError
        If scores are missing or intervals, if there are fewer than 2 algorithms or data sets, or
        if there is a margin and the data sets are on several scales.
    ValueError
        If an option has another value than those above.

    References
    ----------
    Demšar, J. (2006). Statistical comparisons of classifiers over multiple data sets.
    Journal of Machine Learning Research 7, 1-30.

    Examples
    --------
    >>> import nbcompare as nbc
    >>> result = nbc.compare(nbc.datasets.load("demsar2006"), control="C4.5")
    >>> result
    <Comparison: C4.5+m+cf has the best average rank of the four algorithms on 14 data sets (1.93;
    AUC, higher is better). The control, C4.5, has an average rank of 3.14, behind three others>
    >>> result.to_frame()[["second", "statistic", "holm", "rejected"]].round(3)
          second  statistic   holm  rejected
    0     C4.5+m      -81.0  0.023      True
    1  C4.5+m+cf      -69.0  0.025      True
    2    C4.5+cf       -5.0  0.878     False

    A dataframe of areas under curves, which are the better the higher:

    >>> import pandas as pd
    >>> frame = pd.DataFrame({"A": [0.9, 0.8, 0.7], "B": [0.8, 0.7, 0.6]}, index=["x", "y", "z"])
    >>> print(nbc.compare(frame, direction="maximize").notes[0].text)
    The dataframe was read as 3 data sets in rows, 2 algorithms in columns: columns 'A' and 'B';
    higher is better.
    """
    arguments = locals()
    data = check_experiment(experiment, direction, by_order=True)
    options = {name: arguments[name] for name in COMPARE_OPTIONS}
    return compare_within(data, options) if is_within(data) else compare_datasets(data, **options)
