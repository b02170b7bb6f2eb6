"""Comparisons by independent runs on one data set."""

from __future__ import annotations

from collections.abc import Iterator
from math import comb

import numpy as np

from nbcompare._arrays import BoolArray, FloatArray
from nbcompare._options import MAXIMIZE, default
from nbcompare._render import Note, plural
from nbcompare._validation import DataError
from nbcompare.analysis._family import Adjust
from nbcompare.analysis.data import called, check_size, of_frames, result_of
from nbcompare.analysis.within import PairsWithin, name_of_dataset, on_one_dataset
from nbcompare.experiment import Experiment, Frame
from nbcompare.results import Labelled, RunComparison
from nbcompare.results.texts import note
from nbcompare.stats import posthoc
from nbcompare.stats import runs as stats_of_runs
from nbcompare.stats.runs import rank_sums


@of_frames
def compare_runs(
    experiment: Experiment | Frame,
    *,
    direction: str | None = None,
    dataset: str | None = None,
    control: str | None = default("control"),
    adjust: Adjust = default("runs.adjust"),
    alpha: float = default("alpha"),
) -> RunComparison:
    """Test which algorithms differ on one data set, by independent runs of each.

    Runs of two algorithms are not paired: their scores are compared by the rank-sum test of Mann,
    Whitney and Wilcoxon. How large a difference is, is told by Hodges and Lehmann's shift and by
    Vargha and Delaney's A12. To compare over several data sets, use :func:`compare` for means and
    :func:`compare_stochastic` for what the runs leave open.

    Parameters
    ----------
    experiment : Experiment or dataframe
        An experiment with several runs of each algorithm on the data set, and without folds.
        Algorithms may have different numbers of runs.
    direction : {"maximize", "minimize"}, optional
        Whether high or low scores are better, with a dataframe only.
    dataset : str, optional
        The data set to use, if there are several.
    control : str, optional
        The algorithm that all others are compared with; ``"best"`` is the one with the best mean,
        whose comparisons are those out of all pairs, over which p-values are adjusted, because the
        data choose it. All pairs are compared by default.
    adjust : str or list of str or None
        Procedure that adjusts the p-values over all pairs, as in :func:`compare` (except
        ``nemenyi``): by default Shaffer's, whose logic holds because equal distributions are
        transitive, and Holm's with a control.
    alpha : float, default 0.05
        Level of the family-wise error, or of the false discovery rate.

    Returns
    -------
    RunComparison
        The result, which displays itself; see also its ``sentences`` and ``to_frame()``. Ties
        share the mean of their ranks, and count one half in A12. If all scores are tied, p is 1.

    Raises
    ------
    DataError
        If there are several data sets and ``dataset`` names none, folds, intervals, fewer than 2
        algorithms, or an algorithm has fewer than 2 runs.
    ValueError
        If an option is unknown.

    References
    ----------
    Mann, H. B. and Whitney, D. R. (1947). On a test of whether one of two random variables is
    stochastically larger than the other. Annals of Mathematical Statistics 18, 50-60.
    Vargha, A. and Delaney, H. D. (2000). A critique and improvement of the CL common language
    effect size statistics of McGraw and Wong. Journal of Educational and Behavioral Statistics 25,
    101-132.

    Examples
    --------
    Ten runs of three algorithms:

    >>> import numpy as np
    >>> import nbcompare as nbc
    >>> runs = np.random.default_rng(1).normal([0.4, 0.5, 0.42], 0.04, (10, 3))
    >>> data = nbc.Experiment.from_array(runs, direction="minimize", unit="runs")
    >>> result = nbc.compare_runs(data)
    >>> result
    <RunComparison: A1 has the best mean of the three algorithms on one data set, over 10 runs each
    (0.378; scores, lower is better)>
    >>> result.to_frame()[["first", "second", "shift", "superiority", "shaffer"]].round(4)
      first second   shift  superiority  shaffer
    0    A1     A2  0.1251         1.00   0.0000
    1    A3     A2  0.0814         0.94   0.0003
    2    A1     A3  0.0460         0.91   0.0011
    """
    given, asked = called("compare_runs", locals())
    data = on_one_dataset(given, dataset)
    if data.unit != "runs":
        raise DataError(
            "`experiment` must hold runs on the data set, without folds; got "
            f"{plural(data.n_folds, 'fold')} and {plural(data.n_runs, 'run')}. "
            "compare(experiment) compares folds, runs or items, whichever there are."
        )
    names = data.algorithms
    samples = [np.sort(row[~np.isnan(row)]) for row in data.scores[0, :, 0]]
    for name, sample in zip(names, samples, strict=True):
        check_size(sample, "experiment")
        if len(sample) < 2:
            raise DataError(
                f"`experiment` must have at least 2 runs of every algorithm; got {len(sample)} of "
                f"{name!r}."
            )
    sign = -1.0 if data.direction == MAXIMIZE else 1.0
    turned = [sign * sample for sample in samples]  # smaller is better
    means = np.array([float(sample.mean()) for sample in samples])
    pairs = PairsWithin.of(names, sign * means, asked=asked)
    first, second = pairs.first, pairs.second
    found = rank_sums(turned, first, second)
    sizes = np.array([len(sample) for sample in samples])
    centred = found.statistic - sizes[first] * sizes[second] / 2
    tests = posthoc.PairTests(centred, found.pvalue, found.log10_pvalue)
    by = stats_of_runs.shifts(turned, first, second, confidence=1 - pairs.level)
    family, of_pairs = pairs.tested(tests, by.lower, by.upper)
    chance, below, above = stats_of_runs.vargha_delaney(
        turned, first, second, confidence=1 - pairs.level
    )
    lower, upper = family.oriented(below, 1 - above), family.oriented(above, 1 - below)
    return result_of(
        RunComparison,
        data,
        asked,
        given=given,
        dataset=name_of_dataset(data, dataset),
        **of_pairs,
        missing="raise",
        n_runs=Labelled(zip(names, map(len, samples), strict=True)),
        is_exact=bool(found.exact.all()),
        mean_scores=pairs.by_name(means),
        medians=pairs.by_name(np.array([np.median(sample) for sample in samples])),
        deviations=pairs.by_name(np.array([sample.std(ddof=1) for sample in samples])),
        shift=family.mirrored(by.estimate),
        superiority=family.oriented(chance, 1 - chance),
        superiority_lower=lower,
        superiority_upper=upper,
        omnibus=pairs.omnibus(stats_of_runs.kruskal_wallis(turned)) if len(names) > 2 else None,
        notes=(
            *pairs.notes("runs"),
            *pairs.notes_of_reach(
                lambda n: min(1.0, 2.0 / comb(2 * n, n)), min(map(len, samples)), "run"
            ),
            *_notes_of_runs(samples, tests),
            *_notes_of_superiority(of_pairs["hypotheses"].rejected, lower, upper),
        ),
    )


def _notes_of_runs(samples: list[FloatArray], tests: posthoc.PairTests) -> Iterator[Note]:
    if not tests.statistic.any() and all(sample[0] == sample[-1] for sample in samples):
        yield note("all-tied")


def _notes_of_superiority(
    rejected: BoolArray, lower: FloatArray, upper: FloatArray
) -> Iterator[Note]:
    """Yield a note on pairs that differ by the test, and may not by the interval of A12."""
    n = int((rejected & (lower <= 0.5) & (upper >= 0.5)).sum())
    if n:
        yield note("superiority-half", n=n)
