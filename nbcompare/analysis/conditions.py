"""Tests of normality and of equal variances of the scores of an experiment."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from typing import Any

import numpy as np

from nbcompare._arrays import NOISE, FloatArray
from nbcompare._options import default
from nbcompare._render import Note
from nbcompare._validation import DataError, named
from nbcompare.analysis._notes import of_turned
from nbcompare.analysis.frames import called, of_frames, result_of
from nbcompare.experiment import Experiment, Frame
from nbcompare.results import Conditions, Labelled
from nbcompare.results.conditions import ConditionTest, Sample, Variances
from nbcompare.results.texts import note
from nbcompare.stats import conditions as tests

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
    if experiment.is_interval:
        raise DataError(
            "`experiment` holds interval-valued scores, but tests of normality need single "
            "numbers. Make an Experiment of the midpoints to test these."
        )
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
        samples += _samples(means, sizes, experiment.algorithms, (None,))
        variances += _variances(means[np.newaxis], (None,))
    if repeated:
        given, _ = experiment.given
        scores = given.reshape(experiment.n_datasets, experiment.n_algorithms, -1)
        rows = scores.reshape(-1, scores.shape[-1])
        samples += _samples(rows, None, experiment.algorithms, experiment.datasets)
        variances += _variances(scores, experiment.datasets)
    return result_of(
        Conditions,
        experiment,
        asked,
        samples=tuple(samples),
        variances=tuple(variances),
        notes=tuple(_notes(experiment, level, samples, variances)),
    )


def _samples(
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
    # sums and squares of large scores could overflow
    unit = float(np.abs(values).max())
    scaled = values / unit
    return float(scaled.mean()) * unit, float(scaled.std(ddof=1)) * unit


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
