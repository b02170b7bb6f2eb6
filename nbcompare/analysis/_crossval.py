"""The tests on the folds of one data set, and the notes about them."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from nbcompare._arrays import FloatArray
from nbcompare._options import DIRECTIONS
from nbcompare._render import Note
from nbcompare._validation import check_choice, check_finite, check_labels, check_name, shown
from nbcompare.analysis._within import UNNAMED, Splits, check_size
from nbcompare.analysis.rules import State
from nbcompare.experiment import Experiment
from nbcompare.results.texts import note
from nbcompare.stats import bootstrap, crossval, permutation
from nbcompare.words import CROSS_VALIDATION_TESTS, for_each

FIVE_BY_TWO = (5, 2)


class FoldOutcome(NamedTuple):
    """The outcome of a test, as its result has it."""

    statistic: float
    p_low: float
    p_high: float
    log10_pvalue: float
    method: str
    df: tuple[int, ...] | None = None
    branch: str | None = None
    normality: float | None = None
    tilt: float | None = None
    weights: FloatArray | None = None
    lower: float | None = None
    upper: float | None = None


def _permutation(folds: Folds, asked: State) -> FoldOutcome:
    test = permutation.permutation_test(
        folds.differences,
        alternative=asked.alternative,
        n_draws="2n" if asked.formulas == "printed" else "n",
        method=asked.method,
        n_resamples=asked.n_resamples,
        rng=asked.rng,
        scale=folds.scale,
    )
    return _of_draws(folds, float(test.p_low), float(test.p_high), asked.method)


def _tilted(folds: Folds, asked: State) -> FoldOutcome:
    test = bootstrap.tilted_test(
        *folds.exact,
        alternative=asked.alternative,
        method=asked.method,
        n_resamples=asked.n_resamples,
        rng=asked.rng,
    )
    if test.fallback:
        return _permutation(folds, asked)._replace(branch="permutation")
    return _of_draws(folds, float(test.p_low), float(test.p_high), asked.method)._replace(
        branch="tilted",
        tilt=float(test.tilt) * folds.factor,
        weights=np.stack([test.weights_x, test.weights_y]),
    )


def _of_draws(folds: Folds, p_low: float, p_high: float, method: str) -> FoldOutcome:
    """Return the outcome of a test of the mean difference whose p-value is never 0."""
    mean = 0.0 - float(folds.differences.mean()) / folds.factor
    return FoldOutcome(mean, p_low, p_high, math.log10(p_high), method)


def _five_by_two_t(folds: Folds, asked: State) -> FoldOutcome:
    test = crossval.five_by_two_t(
        folds.differences, alternative=asked.alternative, scale=folds.scale
    )
    return _of_test(test, "t", df=test.df)


def _five_by_two_f(folds: Folds, _: State) -> FoldOutcome:
    test = crossval.five_by_two_f(folds.differences, scale=folds.scale)
    return _of_test(test, "F", df=test.df)


def _corrected_t(folds: Folds, asked: State) -> FoldOutcome:
    test = crossval.corrected_t(
        folds.differences.reshape(-1),
        asked.ratio,
        alternative=asked.alternative,
        scale=folds.scale.reshape(-1),
    )
    lower, upper = crossval.corrected_t_interval(
        folds.gains.reshape(-1),
        asked.ratio,
        level=asked.alpha,
        scale=np.abs(folds.scores).max(axis=0).reshape(-1),
    )
    return _of_test(test, "t", df=test.df, lower=float(lower), upper=float(upper))


def _of_test(test: Any, method: str, **more: Any) -> FoldOutcome:
    p = float(test.pvalue)
    return FoldOutcome(float(test.statistic), p, p, float(test.log10_pvalue), method, **more)


def _classical(folds: Folds, asked: State) -> FoldOutcome:
    test = crossval.classical(
        folds.differences,
        alternative=asked.alternative,
        alpha=asked.alpha,
        scale=folds.scale,
    )
    is_t = bool(test.is_t)
    return _of_test(
        test,
        "t" if is_t else "exact" if test.exact else "normal",
        df=(test.df,) if is_t else None,
        branch="t" if is_t else "wilcoxon",
        normality=None if np.isnan(test.normality) else float(test.normality),
    )


TESTS: Mapping[str, Callable[[Folds, State], FoldOutcome]] = for_each(
    CROSS_VALIDATION_TESTS,
    {
        "permutation": _permutation,
        "tilted": _tilted,
        "5x2cv-t": _five_by_two_t,
        "5x2cv-f": _five_by_two_f,
        "corrected-t": _corrected_t,
        "classical": _classical,
    },
)


# Of simulated cross-validations of nearest neighbours and trees, and of nearest centroids, which
# are stable, with 100 and 300 rows
_FALSE_POSITIVES = MappingProxyType(
    {
        "permutation": "4 to 15 % (unstable learners) or 1 to 5 % (stable ones)",
        "tilted": "15 to 29 % (unstable learners) or 13 to 17 % (stable ones)",
        "classical": "10 to 16 % (unstable learners) or 4 to 7 % (stable ones)",
    }
)


def notes_of_two(
    test: str, splits: Splits, folds: Folds, asked: State, outcome: FoldOutcome
) -> Iterator[Note]:
    """Yield notes on how the scores were used, what the test assumes, and how p is known."""
    if splits.averaged:
        yield note("runs-averaged/folds")
    if test in _FALSE_POSITIVES:
        yield note("dependent-folds", rejects=_FALSE_POSITIVES[test])
    if test.startswith("5x2cv") and splits.shape != FIVE_BY_TWO:
        yield note("fold-order")
    if not folds.differences.any():
        yield note("all-tied/folds")
    yield from _notes_of_test(test, asked, outcome)
    if math.isinf(outcome.statistic):
        yield note("no-variance/two", outcome=outcome)
    if asked.alternative != "two-sided":
        yield note("one-sided")
    if outcome.method == "resampling":
        yield note("resampling/two", asked=asked)
    if outcome.p_low <= asked.alpha < outcome.p_high:
        yield note("undecided")


def _notes_of_test(test: str, asked: State, outcome: FoldOutcome) -> Iterator[Note]:
    """Yield notes on what is particular to a test; the corrected t test has those of all pairs."""
    if test == "5x2cv-t":
        yield note("first-difference")
    if test == "5x2cv-f":
        yield note("no-side")
    if outcome.branch == "permutation":
        yield note("no-tilt")
    if asked.formulas == "printed" and "permutation" in (test, outcome.branch):
        yield note("printed-draws")
    if outcome.branch == "tilted":
        yield note("pairing-ignored/tilted")
        if asked.formulas == "printed":
            yield note("corrected-weights")
    if test == "classical":
        reason = "there is no test of normality for these differences"
        if outcome.normality is not None:
            verb = "does not reject" if outcome.branch == "t" else "rejects"
            reason = f"the Shapiro–Wilk test {verb} normality at α = {asked.alpha:g}"
        taken = "t test" if outcome.branch == "t" else "Wilcoxon signed-rank test"
        yield note("pretest", taken=taken, reason=reason)
        if outcome.method == "normal":
            yield note("normal-approximation/wilcoxon")


_NAMES = ("A", "B")


class Folds(NamedTuple):
    """The scores of two algorithms on the test sets of one data set, in the shape of these.

    ``scores``, and ``exact`` ones turned so that smaller is better, have the shape (2, ...).
    ``exact`` are the scores times ``factor``, in whole numbers if that is possible, ``differences``
    are first minus second of these, and ``scale`` is the magnitude of the numbers that they are
    computed from. ``gains`` are differences in units of the measure, positive where the first is
    better.
    """

    scores: FloatArray
    exact: FloatArray
    differences: FloatArray
    gains: FloatArray
    scale: FloatArray
    factor: float


def folds_of(splits: Splits, shape: tuple[int, ...]) -> Folds:
    """Return the scores of the two algorithms on test sets of this shape."""
    turned, sizes, gains = splits.differences(np.array([0]), np.array([1]))
    largest = np.abs(splits.scores).max()
    return Folds(
        splits.scores.reshape(2, *shape),
        splits.exact.reshape(2, *shape),
        turned.reshape(shape),
        gains.reshape(shape),
        sizes.reshape(shape),
        float(np.abs(splits.exact).max() / largest) if largest > 0 else 1.0,
    )


def two_of(experiment: Experiment, a: object, b: object, dataset: str | None) -> Experiment:
    """Return the experiment with two of its algorithms, and with the data set if that is named."""
    names = [check_name(a, "a", experiment.algorithms), check_name(b, "b", experiment.algorithms)]
    if a == b:
        raise ValueError(f"`b` must be another algorithm than `a`; got {shown(b)} twice.")
    if dataset is not None:
        check_name(dataset, "dataset", experiment.datasets)
    return experiment.select(algorithms=names, datasets=None if dataset is None else [dataset])


def of_arrays(
    a: npt.ArrayLike,
    b: npt.ArrayLike,
    direction: str | None,
    names: tuple[str, str] | None,
    dataset: str | None,
) -> Experiment:
    """Return an experiment of two algorithms whose scores are arrays of the same shape.

    Repetitions are its runs.
    """
    for value, argument in ((a, "a"), (b, "b")):
        if isinstance(value, str):
            raise ValueError(
                f"`{argument}` must be an array of scores unless `experiment` is given; got "
                f"{shown(value)}. To compare algorithms by name, give the `experiment` too."
            )
    way = check_choice(direction, "direction", DIRECTIONS)
    labels = check_labels(_NAMES if names is None else names, "names")
    if len(labels) != 2:
        raise ValueError(f"`names` must be two names; got {len(labels)}.")
    one, other = _scores(a, "a"), _scores(b, "b")
    if one.shape != other.shape:
        raise ValueError(
            "`a` and `b` must be scores on the same folds; got arrays of shapes "
            f"{one.shape} and {other.shape}."
        )
    scores = np.stack([one, other])
    check_size(scores, "a")
    return Experiment.from_array(
        scores.reshape(1, 2, -1, one.shape[-1]).swapaxes(2, 3),
        direction=way,
        algorithms=labels,
        datasets=[UNNAMED if dataset is None else dataset],
    )


def _scores(values: npt.ArrayLike, argument: str) -> FloatArray:
    array = check_finite(values, argument)
    if np.asarray(values).dtype == np.bool_:
        raise ValueError(f"`{argument}` must be numbers; got True and False.")
    if array.ndim not in (1, 2):
        raise ValueError(
            f"`{argument}` must have the shape (n_folds,), or (n_repeats, n_folds) of repeated "
            f"cross-validation; got an array of shape {array.shape}."
        )
    return array
