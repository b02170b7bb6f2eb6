"""The comparison of several algorithms on one data set, by the corrected resampled t test."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from nbcompare._arrays import FloatArray
from nbcompare._render import Note, plural
from nbcompare.analysis._asked import result_of
from nbcompare.analysis._splits import Splits, settled_ratio, splits_of
from nbcompare.analysis._within import PairsWithin
from nbcompare.analysis.rules import State
from nbcompare.experiment import Experiment
from nbcompare.results import CrossValidationComparison
from nbcompare.results.decisions import agreeing
from nbcompare.stats import crossval, posthoc
from nbcompare.words import PROCEDURES

# Above so many standard deviations, a difference is far larger than those that are found
_HARDLY = 3.0


def compare_all(data: Experiment, asked: State) -> CrossValidationComparison:
    """Compare all pairs, or a control with the others; the options are those of compare_cv."""
    dataset, missing, ratio = asked.dataset, asked.missing, asked.ratio
    splits = splits_of(data, dataset, missing)
    size = settled_ratio(ratio, splits.shape)
    pairs = PairsWithin.of(data.algorithms, splits.exact.mean(axis=1), asked=asked)
    first, second = pairs.first, pairs.second
    turned, sizes, gains = splits.differences(first, second)
    test = crossval.corrected_t(turned, size, scale=sizes)
    tests = posthoc.PairTests(test.statistic, test.pvalue, test.log10_pvalue)
    family = pairs.family(tests)
    scale = np.maximum(np.abs(splits.scores[first]), np.abs(splits.scores[second]))
    low, high = crossval.corrected_t_interval(gains, size, level=pairs.level, scale=scale)
    difference = gains.mean(axis=1)
    wins, ties, losses = ((np.sign(turned) == sign).sum(axis=1) for sign in (-1, 0, 1))
    hypotheses = pairs.hypotheses(
        family,
        wins=family.oriented(wins, losses),
        ties=family.oriented(ties, ties),
        losses=family.oriented(losses, wins),
        mean_difference=family.oriented(difference, -difference),
    )
    lower, upper = agreeing(
        family.oriented(low, -high), family.oriented(high, -low), hypotheses.rejected
    )
    return result_of(
        CrossValidationComparison,
        splits.data,
        asked,
        given=splits.given,
        dataset=splits.dataset,
        control=pairs.control,
        adjust=pairs.adjust,
        ratio=size,
        n_repeats=splits.shape[0],
        n_folds=splits.shape[1],
        n_differences=splits.n,
        mean_scores=pairs.by_name(splits.scores.mean(axis=1)),
        deviations=pairs.by_name(_deviations(splits.scores)),
        hypotheses=hypotheses,
        lower=lower,
        upper=upper,
        notes=(
            *splits.notes,
            *notes_of_splits(splits, size, given=ratio is not None),
            *pairs.notes("folds"),
            *_notes_of_tests(splits, size, pairs.adjust, pairs.alpha, tests),
        ),
    )


def _deviations(scores: FloatArray) -> FloatArray:
    """Return standard deviations of rows, whose squares must not overflow."""
    largest = np.abs(scores).max(axis=1, keepdims=True)
    unit = np.where(largest > 0, largest, 1.0)
    return np.asarray((scores / unit).std(axis=1, ddof=1) * unit[:, 0])


def notes_of_splits(
    splits: Splits, ratio: float, *, given: bool, wrong: str = "p-values are too small"
) -> Iterator[Note]:
    """Yield notes on what the folds and runs are taken as, and what is ``wrong`` otherwise."""
    n_repeats, n_folds = splits.shape
    if n_repeats > 1:
        count = plural(n_repeats, "run")
        taken = (
            "random splits into training and test set"
            if n_folds == 1
            else "repetitions of cross-validation, each with a partition of its own"
        )
        yield Note(
            "repetitions",
            f"The {count} are taken as {taken}, the same for all algorithms. If they only repeat "
            f"the algorithms on the same split, with another random seed, the {wrong}; "
            "a comparison of stochastic algorithms is for such runs.",
        )
    if not given:
        text = f"Test over training size is {ratio:.4g}, as in {n_folds}-fold cross-validation"
        more = (
            f". If the folds are anything else, such as {n_folds} random splits or several "
            "repetitions, this ratio is wrong."
            if n_repeats == 1
            else "."
        )
        yield Note("ratio", text + more)
    yield Note(
        "corrected-variance",
        f"The variance of a mean difference is taken as {1 + splits.n * ratio:.2f} times that of "
        "independent differences, as the overlap of training sets suggests. It is an "
        "approximation, and assumes normally distributed differences.",
    )
    yield Note(
        "one-data-set",
        "The conclusions are about this data set, and samples like it; they say nothing about "
        "other data sets.",
    )


def _notes_of_tests(
    splits: Splits,
    ratio: float,
    procedures: Sequence[str],
    alpha: float,
    tests: posthoc.PairTests,
) -> Iterator[Note]:
    """Yield notes on what the tests can find, and on differences without any variance."""
    m = len(tests.pvalue)
    strict = bool(procedures) and PROCEDURES[procedures[0]].controls == "family-wise error"
    level = alpha / m if strict else alpha
    needed = crossval.corrected_t_threshold(splits.n, ratio, level)
    if needed > _HARDLY:
        yield Note(
            "hardly-rejects",
            f"With {plural(splits.n, 'test set')}, the test can hardly reject anything: at "
            f"α = {alpha:g} and {plural(m, 'hypothesis')}, a single mean difference must be at "
            f"least {needed:.3g} times the standard deviation of the differences. More "
            "repetitions or folds would lower this.",
        )
    if np.isinf(tests.statistic).any():
        yield Note(
            "no-variance",
            "Two algorithms differ by the same amount on every test set, so t is infinite and p "
            "is 0: there is no variance to compare the difference with.",
        )
    if not tests.statistic.any():
        yield Note(
            "all-tied", "All mean differences are zero: nothing distinguishes the algorithms."
        )
