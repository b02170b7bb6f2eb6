"""Compare two algorithms by their own scores only."""

from __future__ import annotations

import math

from nbcompare._options import OPTIONS, default
from nbcompare._validation import check_name, check_probability, shown
from nbcompare.analysis import _notes, _pair
from nbcompare.analysis._data import check_experiment, design_of
from nbcompare.analysis._missing import Fill, check_missing, treated
from nbcompare.analysis._pair import TESTS, Pair, PairOptions
from nbcompare.analysis.frames import of_frames
from nbcompare.experiment import Experiment, Frame
from nbcompare.results import PairComparison
from nbcompare.words import PAIR_TESTS


@of_frames
def compare_pair(
    experiment: Experiment | Frame,
    a: str,
    b: str,
    *,
    direction: str | None = None,
    test: str = default("test"),
    zeros: str = default("zeros"),
    method: str = default("method"),
    alternative: str = default("alternative"),
    alpha: float = default("alpha"),
    missing: str = default("pairs.missing"),
    fill: Fill = default("fill"),
) -> PairComparison:
    """Test whether two algorithms differ, and estimate their difference.

    Scores are averaged over folds and runs first, with a note. The result does not depend on
    the other algorithms of the experiment.

    Parameters
    ----------
    experiment : Experiment or dataframe
        The scores, on at least 2 data sets.
    direction : {"maximize", "minimize"}, optional
        Whether high or low scores are better, with a dataframe only, which is read as by
        ``Experiment.from_frame``; a note on the result says how.
    a, b : str
        Names of the algorithms; all results describe the first.
    test : {"wilcoxon", "sign", "rank-sum", "t"}
        ``wilcoxon``: signed ranks of the differences on the data sets, recommended in general
        (Demšar 2006, section 3.1.3). ``sign``: the number of data sets on which the first is
        better, for scores that cannot be compared between data sets. ``rank-sum``: Mann and
        Whitney's test, which treats the scores as independent samples. ``t``: the paired t
        test.
    zeros : {"demsar", "split", "wilcox", "pratt"}
        How Wilcoxon's test treats data sets on which the two tie. ``demsar``: their ranks are
        shared evenly between both sums, and one is dropped if their number is odd; ``split``:
        none is dropped; ``wilcox``: all are dropped before ranking; ``pratt``: all are ranked,
        then dropped.
    method : {"auto", "exact", "normal"}
        How p is computed. ``auto``: exactly, also with ties, for up to 300 differences other
        than zero (rank-sum: about 120 data sets), else by the normal approximation.
        ``exact``: exactly for up to 1,000 (300). The sign test is always exact and accepts
        ``auto`` and ``exact``; the t test has its own distribution and accepts ``auto`` only.
    alternative : {"two-sided", "better", "worse"}
        Alternative hypothesis: the first differs, is better, or is worse.
    alpha : float, default 0.05
        Significance level. The confidence interval has confidence 1 - alpha and is always
        two-sided.
    missing : {"raise", "drop-folds", "drop", "worst", "available"}
        What to do about missing scores, as in :func:`nbcompare.compare`.
    fill : float or str, optional
        The score of what failed, as in :func:`nbcompare.compare`.

    Returns
    -------
    PairComparison
        The result, which displays itself; see also its ``sentences`` and ``to_frame()``.

    Raises
    ------
    DataError
        If scores are missing or intervals, or if there are fewer than 2 data sets.
    ValueError
        If an algorithm or option is unknown, or if options cannot be combined.

    References
    ----------
    Demšar, J. (2006). Statistical comparisons of classifiers over multiple data sets.
    Journal of Machine Learning Research 7, 1-30.

    Examples
    --------
    The paper's example, R+ = 93 and R- = 12:

    >>> import nbcompare as nbc
    >>> result = nbc.compare_pair(nbc.datasets.load("demsar2006"), "C4.5+m", "C4.5")
    >>> result
    <PairComparison: 'C4.5+m' and 'C4.5', 14 data sets, Wilcoxon signed-rank test, p = 0.0078,
    rejected>
    >>> result.r_plus, result.r_minus, result.n_used
    (93.0, 12.0, 14)
    """
    experiment = check_experiment(experiment, direction)
    for name, value in (
        ("test", test),
        ("zeros", zeros),
        ("method", method),
        ("alternative", alternative),
    ):
        OPTIONS[name].check(value, name)
    check_missing(missing, fill, "compare_pair")
    level = check_probability(alpha, "alpha")
    names = [check_name(a, "a", experiment.algorithms), check_name(b, "b", experiment.algorithms)]
    if a == b:
        raise ValueError(f"`b` must be another algorithm than `a`; got {shown(b)} twice.")
    _check_together(test, zeros, method)
    both = experiment.select(algorithms=names)
    data, left_out = treated(both, missing, fill, function="compare_pair")
    pair = Pair.of(data)
    asked = PairOptions(zeros, method, alternative, level)
    outcome = TESTS[test](pair, asked)
    wins, ties, losses = pair.counts
    stopped = bool(data.n_censored)
    options = {
        "a": a,
        "b": b,
        "test": test,
        "zeros": zeros,
        "method": method,
        "alternative": alternative,
        "alpha": level,
        "missing": missing,
        "fill": fill,
    }
    return PairComparison(
        first=a,
        second=b,
        test=test,
        statistic=outcome.statistic,
        pvalue=outcome.pvalue,
        log10_pvalue=outcome.log10_pvalue,
        r_plus=outcome.r_plus,
        r_minus=outcome.r_minus,
        effect_size=outcome.effect_size,
        shift=outcome.shift.estimate,
        shift_lower=-math.inf if stopped else outcome.shift.lower,
        shift_upper=math.inf if stopped else outcome.shift.upper,
        confidence=asked.confidence,
        coverage=outcome.shift.coverage,
        wins=wins,
        ties=ties,
        losses=losses,
        median_difference=pair.median_difference,
        n_used=outcome.n_used,
        method=outcome.method,
        zeros=zeros if test == "wilcoxon" else None,
        alternative=alternative,
        alpha=level,
        rejected=outcome.pvalue <= level,
        scores=pair.scores,
        notes=(
            *_notes.of_experiment(data),
            *left_out,
            *_pair.notes_of_test(test, pair, asked, outcome),
            *_pair.notes_of_ties(test, pair, zeros),
            *(
                _pair.notes_of_cutoff(data.n_censored, data.cutoff)
                if stopped
                else _pair.notes_of_interval(test, pair, asked, outcome)
            ),
        ),
        design=design_of(data, options, given=both),
    )


def _check_together(test: str, zeros: str, method: str) -> None:
    """Raise an error if an option does not apply to the test."""
    if test != "wilcoxon" and zeros != default("zeros"):
        raise ValueError(
            f"`zeros` must be left out without test='wilcoxon'; got {zeros!r} with test={test!r}."
        )
    if method not in PAIR_TESTS[test].methods:
        needed = " or ".join(map(repr, PAIR_TESTS[test].methods))
        raise ValueError(f"`method` must be {needed} with test={test!r}; got {method!r}.")
