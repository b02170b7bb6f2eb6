"""Compare algorithms by independent runs on one data set, such as random seeds."""

from __future__ import annotations

from collections.abc import Iterator
from math import comb

import numpy as np

from nbcompare._arrays import BoolArray, FloatArray
from nbcompare._options import AUTO, MAXIMIZE, default
from nbcompare._render import Note, plural
from nbcompare._validation import DataError, check_name, check_probability, listed
from nbcompare.analysis import _notes
from nbcompare.analysis._data import check_experiment, design_of
from nbcompare.analysis._family import Adjust, Family, check_adjust, check_control
from nbcompare.analysis._splits import check_size
from nbcompare.analysis.frames import of_frames
from nbcompare.analysis.rules import FOLD_RULES, State, check_rules
from nbcompare.experiment import Experiment, Frame
from nbcompare.results import Labelled, OmnibusResult, RunComparison
from nbcompare.results.decisions import agreeing
from nbcompare.stats import posthoc
from nbcompare.stats import runs as stats_of_runs
from nbcompare.stats.rank_sum import rank_sums


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
        with a note that it was chosen from the data. All pairs are compared by default.
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
    <RunComparison: 3 algorithms, 10 runs each, all pairs, Shaffer, 3 of 3 hypotheses rejected>
    >>> result.to_frame()[["first", "second", "shift", "superiority", "shaffer"]].round(4)
      first second   shift  superiority  shaffer
    0    A1     A2  0.1251         1.00   0.0000
    1    A3     A2  0.0814         0.94   0.0003
    2    A1     A3  0.0460         0.91   0.0011
    """
    given = data = check_experiment(experiment, direction)
    level = check_probability(alpha, "alpha")
    asked = check_adjust(adjust)
    settled = ("shaffer" if control is None else "holm",) if asked == (AUTO,) else asked
    data = _on_one(data, dataset)
    names, k = data.algorithms, data.n_algorithms
    check_rules(FOLD_RULES, State(adjust=settled, control=control, k=k))
    sign = 1.0 if data.direction == MAXIMIZE else -1.0
    samples = [np.sort(row[~np.isnan(row)]) for row in data.scores[0, :, 0]]
    for name, sample in zip(names, samples, strict=True):
        check_size(sample, "experiment")
        if len(sample) < 2:
            raise DataError(
                f"`experiment` must have at least 2 runs of every algorithm; got {len(sample)} of "
                f"{name!r}."
            )
    means = np.array([float(sample.mean()) for sample in samples])
    standing = -sign * means
    chosen = check_control(control, names, standing)
    first, second = posthoc.all_pairs(k) if chosen is None else posthoc.against_control(k, chosen)
    m = len(first)
    turned_scores = [-sign * sample for sample in samples]  # smaller is better
    found = rank_sums(turned_scores, first, second)
    sizes = np.array([len(sample) for sample in samples])
    centred = found.statistic - sizes[first] * sizes[second] / 2
    tests = posthoc.PairTests(centred, found.pvalue, found.log10_pvalue)
    family = Family(first, second, tests, k, chosen, None)
    adjusted = {name: family.adjusted(name, level) for name in settled}
    by = stats_of_runs.shifts(turned_scores, first, second, confidence=1 - level / m)
    better = stats_of_runs.vargha_delaney(turned_scores, first, second, confidence=1 - level / m)
    overall = stats_of_runs.kruskal_wallis(turned_scores)
    turned, order = family.turned, family.order
    shift, low, high = _turned(np.array(by[:3]), turned, 0.0)[:, order]
    chance, below, above = _turned(np.array(better), turned, 1.0)[:, order]
    hypotheses = family.hypotheses(names, adjusted, level)
    lower, upper = agreeing(low, high, hypotheses.rejected)
    options = {
        "dataset": dataset,
        "control": control,
        "adjust": AUTO if asked == (AUTO,) else asked,
        "alpha": level,
    }

    def by_name(values: FloatArray) -> Labelled[float]:
        return Labelled(zip(names, values.tolist(), strict=True))

    return RunComparison(
        dataset=None if data.datasets == ("1",) and dataset is None else data.datasets[0],
        control=None if chosen is None else names[chosen],
        adjust=settled,
        alpha=level,
        missing="raise",
        n_runs=Labelled(zip(names, map(len, samples), strict=True)),
        is_exact=bool(found.exact.all()),
        mean_scores=by_name(means),
        medians=by_name(np.array([float(np.median(sample)) for sample in samples])),
        deviations=by_name(np.array([float(sample.std(ddof=1)) for sample in samples])),
        hypotheses=hypotheses,
        lower=lower,
        upper=upper,
        shift=shift,
        superiority=chance,
        superiority_lower=below,
        superiority_upper=above,
        omnibus=OmnibusResult(
            overall.statistic,
            (float(overall.df),),
            overall.pvalue,
            overall.log10_pvalue,
            overall.exact,
        )
        if k > 2
        else None,
        notes=(
            *_notes.of_control(control, chosen, names, standing, "mean"),
            *_notes.of_procedures(settled, "corrected", "runs"),
            *_notes.of_family(settled, m, level),
            *_notes.of_reach(
                lambda n: min(1.0, 2.0 / comb(2 * n, n)),
                min(map(len, samples)),
                alpha=level,
                m=m,
                procedure=next(iter(settled), ""),
                what="the test of a pair",
                noun="run",
            ),
            *_notes_of_runs(samples, tests),
        ),
        design=design_of(data, options, given=given),
    )


def _on_one(data: Experiment, dataset: str | None) -> Experiment:
    """Return the runs on the one data set, without folds."""
    if dataset is not None:
        check_name(dataset, "dataset", data.datasets)
        data = data.select(datasets=[dataset])
    if data.n_datasets > 1:
        raise DataError(
            f"`dataset` must name one data set, because `experiment` has {data.n_datasets}: "
            f"{listed(data.datasets)}. To compare over all of them, use compare(experiment)."
        )
    if data.is_interval:
        raise DataError(
            "`experiment` must hold numbers; compare_stochastic compares interval-valued scores."
        )
    if data.unit != "runs":
        raise DataError(
            "`experiment` must hold runs on the data set, without folds; got "
            f"{plural(data.n_folds, 'fold')} and {plural(data.n_runs, 'run')}. "
            "compare(experiment) compares folds, runs or items, whichever there are."
        )
    if data.n_algorithms < 2:
        raise DataError("`experiment` must hold at least 2 algorithms to compare; got 1.")
    return data


def _turned(values: FloatArray, turned: BoolArray, whole: float) -> FloatArray:
    """Return estimates and their ends for pairs of which some are turned round."""
    estimate, low, high = values
    other = np.array([whole - estimate, whole - high, whole - low])
    return np.where(turned, other, values)


def _notes_of_runs(samples: list[FloatArray], tests: posthoc.PairTests) -> Iterator[Note]:
    if not tests.statistic.any() and all(sample[0] == sample[-1] for sample in samples):
        yield Note("all-tied", "All scores are the same: nothing distinguishes the algorithms.")
