"""Describe the scores of every algorithm, and test their normality and equal variances."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from typing import Any

import numpy as np

from nbcompare._arrays import NOISE, BoolArray, FloatArray, mean_over, median_over
from nbcompare._options import MAXIMIZE, default
from nbcompare._render import Note, plural
from nbcompare._validation import DataError, listed, named
from nbcompare.analysis._notes import of_turned
from nbcompare.analysis.data import (
    called,
    deviation_over,
    magnitude,
    of_frames,
    oriented,
    refuse_intervals,
    result_of,
)
from nbcompare.analysis.scales import Scales, scales_of
from nbcompare.experiment import Experiment, Frame
from nbcompare.results import Conditions, Description, Labelled, Statistic
from nbcompare.results.conditions import ConditionTest, Sample, Variances
from nbcompare.results.texts import note
from nbcompare.stats import conditions as tests
from nbcompare.stats.adjust import adjust
from nbcompare.stats.rankings import midranks
from nbcompare.stats.runs import rank_sum

_MOST_NAMED = 10


@of_frames
def describe(
    experiment: Experiment | Frame,
    *,
    direction: str | None = None,
    alpha: float = default("alpha"),
) -> Description:
    """Describe the scores of each algorithm over the data sets, and on each data set.

    Nothing is tested unless there are independent runs. With runs, the algorithm with the best mean
    on each data set is compared with every other one by the two-sided rank-sum test of their
    runs, and those that are not significantly worse are marked, as tables of papers do.

    Parameters
    ----------
    experiment : Experiment or dataframe
        Any experiment; of incomplete data and of intervals, less can be said.
    direction : {"maximize", "minimize"}, optional
        Whether high or low scores are better, with a dataframe only, which is read as by
        ``Experiment.from_frame``; a note on the result says how.
    alpha : float, default 0.05
        Family-wise significance level of the tests within each data set.

    Returns
    -------
    Description
        The result, which displays itself; see also its ``to_frame()``.

    Raises
    ------
    TypeError
        If ``experiment`` is neither an Experiment nor a dataframe.
    ValueError
        If ``alpha`` is out of range.

    Notes
    -----
    A score is the mean over the runs, then over the folds. The median, least and largest of the
    scores of an algorithm are over the data sets on which it has one. The best ones are marked
    only if no score is missing, since others would be of other data sets; average ranks are over
    the data sets without a missing score.

    The **mean** over data sets, and the standard deviation, are given only if the data sets are on
    one scale, by the rule of :func:`nbcompare.recommend`, because otherwise the data set with the
    largest differences decides.

    **Runs** are compared on a data set if every algorithm has a score there and if the test of
    each pair could find a difference: with m and n runs, the least p is 2 / C(m + n, m), which must
    not exceed alpha divided by the number of pairs. With folds, the mean over the folds
    is taken of every run, which must be there for every fold; such tests are about these folds.
    Since the best is found in the runs that are tested, Holm's procedure counts all pairs; by those
    with the best alone, one of 10 equal algorithms would be worse at a level of 0.05 with
    probability 0.11 to 0.13. Of several algorithms with the same best mean, all are the best, and
    the others are tested against each; the largest p counts. Ties of the runs are treated as in
    :func:`nbcompare.stats.runs.rank_sum`.

    With interval-valued scores, every statistic is the interval of its possible values, and nothing
    is marked.

    References
    ----------
    Holm, S. (1979). A simple sequentially rejective multiple test procedure. Scandinavian
    Journal of Statistics 6, 65-70.
    Mann, H. B. and Whitney, D. R. (1947). On a test of whether one of two random variables
    is stochastically larger than the other. Annals of Mathematical Statistics 18, 50-60.
    Wilcoxon, F. (1945). Individual comparisons by ranking methods. Biometrics Bulletin 1, 80-83.

    Examples
    --------
    >>> import nbcompare as nbc
    >>> result = nbc.describe(nbc.datasets.load("demsar2006"))
    >>> result
    <Description: There are scores of 4 algorithms on 14 data sets (AUC, higher is better)>
    >>> result.to_frame()[["algorithm", "median", "mean", "average_rank"]].round(4)
       algorithm  median    mean  average_rank
    0       C4.5  0.8285  0.8049        3.1429
    1     C4.5+m  0.8630  0.8204        2.0000
    2    C4.5+cf  0.8760  0.8088        2.9286
    3  C4.5+m+cf  0.8865  0.8272        1.9286
    """
    experiment, asked = called("describe", locals())
    level = asked.alpha
    # no -0.0, which JSON does not keep
    lower, upper = (mean_over(mean_over(ends)) + 0.0 for ends in experiment.given)
    best, close, pvalues, not_tested = _marks(experiment, level)
    ranks = None if experiment.is_interval else _ranks(experiment)
    scales = scales_of(experiment)
    return result_of(
        Description,
        experiment,
        asked,
        statistics=Labelled(_statistics(experiment, lower, upper, ranks, with_mean=scales.one)),
        counts=np.asarray((~experiment.missing).sum(axis=0), dtype=np.int64),
        n_ranked=int((~experiment.missing.any(axis=1)).sum()),
        scores=lower,
        upper_scores=upper if experiment.is_interval else None,
        ranks=ranks,
        deviations=_deviations(experiment),
        best=best,
        close=close,
        pvalues=pvalues,
        domains=experiment.domains,
        notes=(
            *_notes_of_scores(experiment, scales),
            *_notes_of_runs(experiment, best, not_tested, level),
        ),
    )


# -------------------------------------------------------------------------------- scores


def _ranks(experiment: Experiment) -> FloatArray:
    """Return the ranks on each data set of the algorithms that have a score there; NaN of others.

    They are the ranks by which :func:`nbcompare.compare` compares.
    """
    scores, scale = oriented(experiment.mean_scores, experiment), magnitude(experiment)
    ranks = np.full(scores.shape, np.nan)
    patterns, place = np.unique(experiment.missing, axis=0, return_inverse=True)
    for number, missing in enumerate(patterns):
        cells = np.ix_(place.ravel() == number, ~missing)
        ranks[cells] = midranks(scores[cells], scale=None if scale is None else scale[cells])
    return ranks


def _deviations(experiment: Experiment) -> FloatArray | None:
    """Return the standard deviations of the cells, or those that were given."""
    given = experiment.deviations
    found = np.full(experiment.missing.shape, np.nan) if given is None else given.copy()
    if not experiment.is_interval:
        flat = experiment.lower.reshape(*experiment.missing.shape, -1)
        several = (~np.isnan(flat)).sum(axis=2) > 1
        found[several] = deviation_over(flat[several])
    return None if np.isnan(found).all() else found


# ------------------------------------------------------------------------ over data sets


def _statistics(
    experiment: Experiment,
    lower: FloatArray,
    upper: FloatArray,
    ranks: FloatArray | None,
    *,
    with_mean: bool,
) -> dict[str, Statistic]:
    """Return the statistics over data sets, as far as they make sense."""
    missing, nowhere = experiment.missing, np.zeros(lower.shape[1], dtype=np.bool_)
    found: dict[str, Statistic] = {}
    averages = {"median": lambda x: median_over(x.T), "min": _least, "max": _most}
    averages |= {"mean": lambda x: mean_over(x.T)} if with_mean else {}
    for name, average in averages.items() if not _is_mixed(experiment) else ():
        low, high = average(lower), average(upper)
        marked = not experiment.is_interval and not missing.any()
        best = _best(-low if _higher(experiment).all() else low, lower) if marked else nowhere
        found[name] = Statistic(
            values=low, upper=high if experiment.is_interval else None, best=best
        )
    if "mean" in found and not experiment.is_interval and (~missing).sum(axis=0).min() > 1:
        found["sd"] = Statistic(values=deviation_over(lower.T), upper=None, best=nowhere)
    complete = ~missing.any(axis=1)
    if ranks is not None and complete.any():
        average_ranks = ranks[complete].mean(axis=0)
        best = _best(average_ranks, average_ranks)
        found["average rank"] = Statistic(values=average_ranks, upper=None, best=best)
    return found


def _least(scores: FloatArray) -> FloatArray:
    return np.asarray(np.nanmin(scores, axis=0))


def _most(scores: FloatArray) -> FloatArray:
    return np.asarray(np.nanmax(scores, axis=0))


def _is_mixed(experiment: Experiment) -> bool:
    """Whether data sets differ in what is better."""
    return bool(experiment.is_turned.any() and not experiment.is_turned.all())


def _higher(experiment: Experiment) -> BoolArray:
    """Tell on which data sets higher scores were better as they were given."""
    return np.asarray(experiment.is_turned != (experiment.direction == MAXIMIZE))


def _best(values: FloatArray, behind: FloatArray) -> BoolArray:
    """Tell which values are the least, but for rounding in numbers of the size of ``behind``."""
    ranks = midranks(values, scale=float(np.nanmax(np.abs(behind))))
    return np.asarray(ranks == ranks.min(), dtype=np.bool_)


def _notes_of_scores(experiment: Experiment, scales: Scales) -> Iterator[Note]:
    """Yield notes on what is missing, and on what was left out."""
    missing = experiment.missing
    if n_missing := int(missing.sum()):
        complete = int((~missing.any(axis=1)).sum())
        ranked = (
            f"average ranks are over the {plural(complete, 'data set')} without a missing score"
            if complete
            else "there are no average ranks, since every data set has a missing score"
        )
        yield note("missing/description", missing=missing, n_missing=n_missing, ranked=ranked)
    if names := [str(cell) for cell in experiment.incomplete]:
        yield note("incomplete/description", names=named(names, most=_MOST_NAMED))
    if _is_mixed(experiment):
        higher = _higher(experiment)
        yield note("mixed-directions", n_higher=int(higher.sum()), n_lower=int((~higher).sum()))
    elif not scales.one:
        yield note("no-mean", scales=scales)
    if experiment.is_interval:
        yield note("intervals")


# ---------------------------------------------------------------------------------- runs


def _marks(
    experiment: Experiment, alpha: float
) -> tuple[BoolArray, BoolArray, FloatArray, dict[str, list[str]]]:
    """Compare the best on each data set with the others by their runs, where that is possible.

    Return who is the best, who is not significantly worse, adjusted p-values, and the data sets
    where runs were not compared, by the reason.
    """
    shape = experiment.missing.shape
    best, close = np.zeros(shape, dtype=np.bool_), np.zeros(shape, dtype=np.bool_)
    pvalues, not_tested = np.full(shape, np.nan), dict[str, list[str]]()
    if experiment.n_runs == 1 or experiment.n_algorithms == 1 or experiment.is_interval:
        return best, close, pvalues, not_tested
    middles = oriented(mean_over(mean_over(experiment.lower)), experiment)
    scale = magnitude(experiment)
    for place, name in enumerate(experiment.datasets):
        samples = _samples(experiment, place)
        why = "unlike" if samples is None else _why_not(samples, alpha)
        if samples is None or why:
            not_tested.setdefault(why, []).append(name)
            continue
        ranks = midranks(middles[place], scale=None if scale is None else scale[place])
        best[place] = ranks == ranks.min()
        pvalues[place], worse = _against_best(samples, best[place], alpha)
        close[place] = ~best[place] & ~worse
    return best, close, pvalues, not_tested


def _samples(experiment: Experiment, place: int) -> list[tuple[FloatArray, FloatArray]] | None:
    """Return the runs of every algorithm on a data set, and their sizes; None if some are missing.

    Runs are turned so that smaller is better. Of several folds, a run is the mean over all folds of
    the data set; it needs a score on each.
    """
    scores = experiment.lower[place]  # algorithm, fold, run
    there = ~np.isnan(scores)
    folds = there.any(axis=(0, 2))
    sign = -1.0 if experiment.direction == MAXIMIZE else 1.0
    codes = experiment.run_codes
    found = []
    for algorithm, filled in enumerate(there):
        own = filled[folds]
        runs = own[0]
        same = codes is None or bool(
            (codes[place, algorithm][folds] == codes[place, algorithm][folds][0])[:, runs].all()
        )
        if not runs.any() or (own != runs).any() or not same:
            return None
        values = sign * scores[algorithm][np.ix_(folds, runs)].T
        found.append((mean_over(values), np.abs(values).max(axis=1)))
    return found


def _why_not(samples: list[tuple[FloatArray, FloatArray]], alpha: float) -> str:
    """Return why the runs of a data set are not tested; empty if they are."""
    sizes = [len(values) for values, _ in samples]
    if min(sizes) < 2:
        return "single"
    # the least p of any two: the smaller the samples, the larger it is
    one, two = sorted(sizes)[:2]
    return "few" if 2 / math.comb(one + two, one) > alpha / math.comb(len(sizes), 2) else ""


def _against_best(
    samples: list[tuple[FloatArray, FloatArray]], best: BoolArray, alpha: float
) -> tuple[FloatArray, BoolArray]:
    """Test every other algorithm against the best; return adjusted p, and who is worse."""
    p, worse = np.full(len(best), np.nan), np.zeros(len(best), dtype=np.bool_)
    raw = np.full(len(best), np.nan)
    for other in np.flatnonzero(~best):
        values, sizes = samples[other]
        tests = [
            rank_sum(samples[i][0], values, scale=(samples[i][1], sizes))
            for i in np.flatnonzero(best)
        ]
        raw[other] = max(test.pvalue for test in tests)
        worse[other] = all(test.effect_size > 0 for test in tests)
    # the data chose the best, so that all pairs are a family; those not tested count as 1
    family = np.ones(max(math.comb(len(best), 2), 1))
    family[: (~best).sum()] = raw[~best]
    p[~best] = adjust(family, "holm")[: (~best).sum()]
    return p, worse & (p <= alpha)


def _notes_of_runs(
    experiment: Experiment, best: BoolArray, not_tested: dict[str, list[str]], alpha: float
) -> Iterator[Note]:
    """Yield notes on the tests of runs, and on the data sets where there are none."""
    if not not_tested and not best.any():
        return
    least = alpha / math.comb(experiment.n_algorithms, 2)
    for why, names in not_tested.items():
        told, code = listed(names, most=5), f"runs-{why}"
        yield note(f"not-compared/{why}", code=code, n=len(names), names=told, least=least)
    if not best.any():
        return
    yield note("best-from-data")
    if experiment.n_folds > 1:
        yield note("these-folds")


_NORMALITY = {
    "lilliefors": tests.lilliefors,
    "shapiro-wilk": tests.shapiro_wilk,
    "dagostino-pearson": tests.dagostino_pearson,
}
_CENTERS = {"levene": "mean", "brown-forsythe": "median"}
# The distribution of D'Agostino and Pearson's statistic is approximate for fewer scores.
_SMALL = 20


@of_frames
def check_conditions(
    experiment: Experiment | Frame,
    *,
    direction: str | None = None,
    alpha: float = default("alpha"),
) -> Conditions:
    """Test two assumptions of parametric tests: normality and equal variances.

    The scores of each algorithm are tested for normality by Kolmogorov and Smirnov's test
    with Lilliefors' correction, by Shapiro and Wilk's test, and by D'Agostino and Pearson's
    test. These tests are made on the mean scores over the data sets and, where there are runs
    or folds, also on the scores within each data set. Equal variances of the algorithms are
    tested by Levene's test about the mean and about the median (Brown and Forsythe). Rank
    tests need neither assumption.

    Parameters
    ----------
    experiment : Experiment or dataframe
        The scores, of any number of algorithms and data sets. If scores are missing, the
        observed ones are tested, and a note says so.
    direction : {"maximize", "minimize"}, optional
        Whether high or low scores are better, with a dataframe only, which is read as by
        ``Experiment.from_frame``; a note on the result says how.
    alpha : float, default 0.05
        Significance level of each test by itself. The p-values are not adjusted for the
        number of tests; a note says how many would reject by chance.

    Returns
    -------
    Conditions
        The result, which displays itself, with ``*`` where a condition is rejected
        (p <= alpha). A test is left out where it is not possible: Lilliefors' needs 5
        values, Shapiro and Wilk's 3 to 5000, and D'Agostino and Pearson's 8, not all equal;
        Levene's needs 3 of each algorithm.

    Raises
    ------
    DataError
        If scores are intervals, or if there is a single score per algorithm.
    TypeError
        If ``experiment`` is not an Experiment.

    References
    ----------
    García, S., Fernández, A., Luengo, J. and Herrera, F. (2009). A study of statistical
    techniques and performance measures for genetics-based machine learning: accuracy and
    interpretability. Soft Computing 13, 959-977.

    Examples
    --------
    >>> import nbcompare as nbc
    >>> result = nbc.check_conditions(nbc.datasets.load("demsar2006"))
    >>> result
    <Conditions: Normality of the scores over 14 data sets is rejected for 4 of 4 algorithms
    (Shapiro–Wilk, α = 0.05): a rank test is the safe choice>
    >>> shown = ["algorithm", "n", "shapiro_wilk_statistic", "shapiro_wilk_pvalue"]
    >>> result.to_frame()[shown].round(3)
      algorithm   n  shapiro_wilk_statistic  shapiro_wilk_pvalue
    0      C4.5  14                   0.856                0.027
    1    C4.5+m  14                   0.862                0.032
    2   C4.5+cf  14                   0.847                0.020
    3  C4.5+m+cf  14                   0.863                0.034
    """
    experiment, asked = called("check_conditions", locals())
    level = asked.alpha
    refuse_intervals(experiment)
    repeated = experiment.n_folds * experiment.n_runs > 1
    if experiment.n_datasets == 1 and not repeated:
        raise DataError(
            "`experiment` must hold several data sets, runs or folds; got one score per algorithm, "
            "for which no condition can be tested."
        )
    samples: list[Sample] = []
    variances: list[Variances] = []
    if experiment.n_datasets > 1:
        sizes = _largest(experiment.scores.transpose(1, 0, 2, 3)) if repeated else None
        means = experiment.mean_scores.T
        samples += _tested_samples(means, sizes, experiment.algorithms, (None,))
        variances += _variances(means[np.newaxis], (None,))
    if repeated:
        given, _ = experiment.given
        scores = given.reshape(experiment.n_datasets, experiment.n_algorithms, -1)
        rows = scores.reshape(-1, scores.shape[-1])
        samples += _tested_samples(rows, None, experiment.algorithms, experiment.datasets)
        variances += _variances(scores, experiment.datasets)
    return result_of(
        Conditions,
        experiment,
        asked,
        samples=tuple(samples),
        variances=tuple(variances),
        notes=tuple(_notes(experiment, level, samples, variances)),
    )


def _tested_samples(
    rows: FloatArray,
    sizes: FloatArray | None,
    algorithms: tuple[str, ...],
    datasets: tuple[str | None, ...],
) -> Iterator[Sample]:
    """Yield a sample per row with any score; rows are ordered by data set, then algorithm."""
    found = {name: _outcomes(test(rows, scale=sizes)) for name, test in _NORMALITY.items()}
    for place, (dataset, algorithm) in enumerate(itertools.product(datasets, algorithms)):
        values = np.sort(rows[place][~np.isnan(rows[place])])
        if len(values) == 0:
            continue
        size = float(np.abs(values).max()) if sizes is None else float(sizes[place])
        mean, deviation = _mean_and_deviation(values, size)
        tests_of = Labelled({name: one[place] for name, one in found.items()})
        yield Sample(
            algorithm=algorithm,
            dataset=dataset,
            values=values,
            mean=mean,
            deviation=deviation,
            tests=tests_of,
        )


def _variances(tables: FloatArray, datasets: tuple[str | None, ...]) -> Iterator[Variances]:
    """Yield the tests of equal variances of each table (n_algorithms, n_scores).

    There are none for a single algorithm.
    """
    if tables.shape[1] < 2:
        return
    found = {name: _outcomes(tests.levene(tables, center=it)) for name, it in _CENTERS.items()}
    for place, dataset in enumerate(datasets):
        yield Variances(dataset, Labelled({name: one[place] for name, one in found.items()}))


def _outcomes(found: Any) -> list[ConditionTest | None]:
    """Return the outcomes of tests, None where a test is not possible."""
    n = len(found.statistic)
    columns = (found.statistic, found.pvalue, found.log10_pvalue)
    df = found.df.tolist() if hasattr(found, "df") else [()] * n
    return [
        None if math.isnan(row[0]) else ConditionTest(row[0], row[1], row[2], tuple(more))
        for *row, more in zip(*(column.tolist() for column in columns), df, strict=True)
    ]


def _largest(scores: FloatArray) -> FloatArray:
    """Return the largest magnitude in each row of an array that is padded with NaN."""
    known = np.where(np.isnan(scores), 0.0, np.abs(scores))
    return np.asarray(known.reshape(len(scores), -1).max(axis=1))


def _mean_and_deviation(values: FloatArray, size: float) -> tuple[float, float]:
    """Return the mean and standard deviation of sorted values.

    The deviation is 0 if the values differ by rounding noise only.
    """
    if values[-1] / 2 - values[0] / 2 <= NOISE / 2 * size:
        return float(values[len(values) // 2]), 0.0
    return float(mean_over(values)), float(deviation_over(values))


# -------------------------------------------------------------------------------- notes


def _notes(
    experiment: Experiment, alpha: float, samples: list[Sample], variances: list[Variances]
) -> Iterator[Note]:
    yield from of_turned(experiment)
    of_normality = [test for sample in samples for test in sample.tests.values()]
    outcomes = of_normality + [test for part in variances for test in part.tests.values()]
    if any(test is not None and test.pvalue > alpha for test in of_normality):
        sizes = [len(sample.values) for sample in samples]
        least = f"{'as few as ' if min(sizes) < max(sizes) else ''}{min(sizes)}"
        yield note("not-shown", least=least)
    n_tests = sum(test is not None for test in outcomes)
    if n_tests > 1:
        yield note("chance", n_tests=n_tests, alpha=alpha, expected=n_tests * alpha)
    if experiment.n_datasets > 1:
        yield note("scores")
        if variances:
            yield note("related")
    if experiment.n_folds > 1:
        yield note("folds/conditions")
    if n_missing := int(experiment.missing.sum()):
        yield note("missing/conditions", experiment=experiment, n_missing=n_missing)
    if cells := experiment.incomplete:
        yield note("incomplete/conditions", names=named([str(cell) for cell in cells]))
    if None in outcomes:
        yield note("unavailable", tests=tests)
    if any(one.tests["dagostino-pearson"] and len(one.values) < _SMALL for one in samples):
        yield note("small", least=_SMALL)
