"""Comparisons on the folds of one data set, of two algorithms and of all pairs."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from inspect import signature
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from nbcompare._arrays import FloatArray
from nbcompare._options import DIRECTIONS, default
from nbcompare._render import Note, plural
from nbcompare._validation import check_choice, check_finite, check_labels, check_name, shown
from nbcompare.analysis._family import Adjust
from nbcompare.analysis.data import (
    check_experiment,
    check_options,
    check_size,
    deviation_over,
    of_frames,
    result_of,
)
from nbcompare.analysis.rules import State
from nbcompare.analysis.within import UNNAMED, PairsWithin, Splits, settled_ratio, splits_of
from nbcompare.experiment import Experiment, Frame
from nbcompare.results import CrossValidation, CrossValidationComparison
from nbcompare.results.texts import note
from nbcompare.stats import bootstrap, crossval, permutation, posthoc
from nbcompare.stats.permutation import generator
from nbcompare.words import CROSS_VALIDATION_TESTS, PROCEDURES, for_each

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


_DRAWN = ("permutation", "tilted")
# Options for a comparison of two algorithms, and of all pairs
_OF_TWO = ("names", "alternative", "method", "n_resamples", "rng", "formulas", "test")
_OF_ALL = ("control", "adjust")


@of_frames
def compare_cv(
    a: npt.ArrayLike | Experiment | Frame | None = None,
    b: npt.ArrayLike | None = None,
    *,
    experiment: Experiment | Frame | None = None,
    dataset: str | None = None,
    direction: str | None = None,
    names: tuple[str, str] | None = None,
    control: str | None = default("control"),
    test: str = default("cv.test"),
    ratio: float | None = None,
    alternative: str = default("alternative"),
    adjust: Adjust = default("cv.adjust"),
    alpha: float = default("alpha"),
    missing: str = default("cv.missing"),
    method: str = default("stochastic.method"),
    n_resamples: int = default("stochastic.n_resamples"),
    rng: np.random.Generator | int | None = default("rng"),
    formulas: str = default("formulas"),
) -> CrossValidation | CrossValidationComparison:
    r"""Test whether algorithms differ on one data set, by cross-validation.

    The test is the corrected resampled t test unless another one is asked for, which only two
    algorithms can have. ``compare_cv(experiment)`` compares all pairs of algorithms, or a control
    with each other one, and adjusts the p-values; ``compare_cv(a, b)`` compares two.

    Parameters
    ----------
    a, b : array_like, shape (n_folds,) or (n_repeats, n_folds)
        Scores of two algorithms on the same folds, at least 2; all results describe the
        first. ``corrected-t`` accepts repeated cross-validation, and random splits with the shape
        (n_splits, 1). The 5x2cv tests need shape (5, 2), five replications of two folds. The other
        tests accept a single cross-validation only: repetitions use the same examples again, so
        that their differences, pooled or averaged, are not independent. With ``experiment``, the
        names of two of its algorithms. Without ``b``, ``a`` is the experiment.
    experiment : Experiment or dataframe, optional
        An experiment with the folds of at least one data set, or a dataframe of them, which is
        read as by ``Experiment.from_frame``; a note on the result says how. To ``corrected-t``,
        runs are repetitions of cross-validation, or random splits if there are no folds, and
        algorithms are compared on every fold of each. The other tests average the runs of each
        fold, with a note; the 5x2cv tests take five runs of two folds as they are, and ten folds in
        their order.
    dataset : str, optional
        The data set of the experiment to use, if it has several; without an experiment, the
        name of the data set.
    direction : {"maximize", "minimize"}
        Whether high or low scores are better. An experiment has its own direction; a
        dataframe needs one.
    names : tuple of 2 str, default ("A", "B")
        Labels of the algorithms. An experiment has its own labels.
    control : str, optional
        The algorithm that all others are compared with; ``"best"`` is the one with the best mean,
        whose comparisons are those out of all pairs, over which p-values are adjusted, because the
        data choose it. All pairs are compared by default.
    test : {"permutation", "tilted", "5x2cv-t", "5x2cv-f", "corrected-t", "classical"}
        Test of two algorithms, ``corrected-t`` by default; all pairs are compared by that.
        ``permutation``: the mean of n differences drawn with replacement from
        those observed and their negatives. ``tilted``: the difference of the means of two samples
        drawn with weights that give both the same mean; the permutation test if their ranges do
        not overlap. ``5x2cv-t``: Dietterich's t test. ``5x2cv-f``: Alpaydin's F test, two-sided
        only. ``corrected-t``: Nadeau and Bengio's t test, which allows for overlapping training
        sets. ``classical``: the paired t test if Shapiro and Wilk's test does not reject
        normality of the differences at alpha, else Wilcoxon's signed-rank test.
    ratio : float, optional
        The size of a test set over that of a training set, for ``corrected-t``: 1/9 for tenfold
        cross-validation, repeated or not, and for random tenths held out. It may be left out,
        and is 1/(n_folds - 1), if there are both repetitions and folds, or 10 folds or fewer of
        one repetition. It is never guessed from more folds: 100 of them may be those of ten
        times tenfold cross-validation, where 1/99 would find a difference that is not there with
        probability 0.42 instead of 0.05.
    alternative : {"two-sided", "better", "worse"}
        Alternative hypothesis about two algorithms: the first differs, is better, or is worse.
    adjust : str or list of str or None
        Procedure that adjusts the p-values of all pairs, as in :func:`compare` (except
        ``nemenyi``): by default Shaffer's, and Holm's with a control.
    alpha : float, default 0.05
        Significance level: for all pairs, of the family-wise error, or of the false discovery
        rate.
    missing : {"raise", "drop-folds"}
        What to do if an algorithm lacks folds or runs that others have: raise an error that names
        them, or leave them out.
    method : {"exact", "resampling"}
        How ``permutation`` and ``tilted`` compute p: from the exact distribution, or from
        random samples as in the paper.
    n_resamples : int, default 10000
        Number of random samples.
    rng : int or numpy.random.Generator, optional
        Seed of the random samples; 0 by default, so that results are reproducible.
    formulas : {"corrected", "printed"}
        ``printed``: ``permutation`` draws 2n differences, as in the paper of 2006, which
        halves the variance of their mean. In simulations of this package (not of the paper)
        with independent normal differences on 5 to 30 folds, it rejects 16 to 19 % of true
        hypotheses at a nominal 5 %, whereas n draws reject 2 to 5 %. The other tests do not
        depend on this option.

    Returns
    -------
    CrossValidationComparison or CrossValidation
        The result for all pairs, or for two algorithms, which displays itself; see also its
        ``sentences`` and ``to_frame()``. If all scores are tied, p is 1. If the differences do not
        vary, t and F are infinite and p is 0 (or 1 for the other side), with a note.

    Raises
    ------
    DataError
        If scores are missing, not finite or intervals, if there are fewer than 2 folds, or if
        the experiment has several data sets and ``dataset`` names none.
    ValueError
        If the folds do not match, the test does not accept their shape, the ratio is needed, a
        name or option is unknown, or options cannot be combined.

    References
    ----------
    Sánchez, L., Otero, J. and Alcalá, J. (2006). Assessing the differences in accuracy
    between GFSs with bootstrap tests.
    Dietterich, T. G. (1998). Approximate statistical tests for comparing supervised
    classification learning algorithms. Neural Computation 10, 1895-1923.
    Alpaydin, E. (1999). Combined 5 x 2 cv F test for comparing supervised classification
    learning algorithms. Neural Computation 11, 1885-1892.
    Nadeau, C. and Bengio, Y. (2003). Inference for the generalization error. Machine Learning
    52, 239-281.

    Examples
    --------
    Errors of two algorithms on the ten folds of a data set:

    >>> import numpy as np
    >>> import nbcompare as nbc
    >>> one = [0.12, 0.10, 0.15, 0.11, 0.14, 0.09, 0.13, 0.12, 0.10, 0.16]
    >>> two = [0.15, 0.13, 0.15, 0.15, 0.16, 0.13, 0.14, 0.17, 0.12, 0.17]
    >>> nbc.compare_cv(one, two, direction="minimize", names=("A", "B"))
    <CrossValidation: On one data set, A has a better mean than B, by 0.025 (scores, lower is
    better), and is better on 9 of 10 folds, with 1 tied>
    >>> result = nbc.compare_cv(one, two, direction="minimize", test="permutation")
    >>> round(result.statistic, 3), round(result.pvalue, 4), result.wins
    (0.025, 0.0065, 9)

    Three algorithms on the same folds:

    >>> three = [0.15, 0.12, 0.16, 0.15, 0.17, 0.13, 0.15, 0.16, 0.12, 0.18]
    >>> data = nbc.Experiment.from_array(
    ...     np.stack([one, two, three])[np.newaxis], direction="minimize")
    >>> result = nbc.compare_cv(data)
    >>> result
    <CrossValidationComparison: A1 has the best mean of the three algorithms on one data set, over
    10 folds (0.122; scores, lower is better)>
    >>> result.to_frame()[["first", "second", "mean_difference", "lower", "upper"]].round(3)
      first second  mean_difference  lower  upper
    0    A1     A3            0.027  0.013  0.041
    1    A1     A2            0.025  0.004  0.046
    2    A2     A3            0.002 -0.009  0.013
    """
    arguments = locals()
    if b is None:
        if a is not None and experiment is not None:
            raise ValueError(
                f"`b` must be given with `a`, {shown(a)}, for the two to be compared. Leave out "
                "both to compare all pairs, or name a `control` to compare it with all others."
            )
        why = "without `a` and `b`: it is for a comparison of two algorithms"
        _check_left_out(arguments, _OF_TWO, why)
        shared = ("dataset", "control", "adjust", "alpha", "ratio", "missing")
        asked = check_options("compare_cv", {name: arguments[name] for name in shared})
        data = check_experiment(a if experiment is None else experiment, direction)
        return compare_all(data, asked)
    why = "with `a` and `b`: it is for a comparison of all pairs"
    _check_left_out(arguments, _OF_ALL, why)
    options = check_options("compare_cv", arguments)
    _check_words(test, alternative, method)
    if experiment is None:
        both = of_arrays(a, b, direction, names, dataset)  # type: ignore[arg-type]
    else:
        why = "with an experiment, which has its own"
        _check_left_out(arguments, ("direction", "names"), why)
        both = two_of(check_experiment(experiment), a, b, dataset)
    splits, shape = _splits_of(both, dataset, missing, test, from_arrays=experiment is None)
    folds = folds_of(splits, shape)
    settled = _settled_ratio(ratio, test, splits)
    how = State(options, rng=generator(0 if rng is None else rng), ratio=settled)
    outcome = TESTS[test](folds, how)
    first, second = both.algorithms
    known = {name: it for name, it in options.items() if name not in ("experiment", *_OF_ALL)}
    options = State(known)
    options.update(a=first, b=second)
    return result_of(
        CrossValidation,
        splits.data,
        options,
        given=splits.given,
        first=first,
        second=second,
        dataset=splits.dataset,
        **outcome._asdict(),
        n_resamples=options.n_resamples if outcome.method == "resampling" else None,
        ratio=settled if test == "corrected-t" else None,
        rejected=outcome.p_high <= options.alpha,
        mean_difference=float(folds.gains.mean()),
        wins=int((folds.differences < 0).sum()),
        ties=int((folds.differences == 0).sum()),
        losses=int((folds.differences > 0).sum()),
        scores=folds.scores,
        differences=folds.gains,
        notes=(
            *splits.notes,
            *notes_of_two(test, splits, folds, how, outcome),
            *(
                notes_of_splits(splits, settled, given=ratio is not None)
                if test == "corrected-t"
                else ()
            ),
            note("one-data-set"),
        ),
    )


def _check_left_out(arguments: Mapping[str, object], names: Iterable[str], why: str) -> None:
    """Refuse arguments of ``compare_cv`` that have another value than their default."""
    for argument in names:
        value, usual = arguments[argument], signature(compare_cv).parameters[argument].default
        if value is not usual and value != usual:
            raise ValueError(f"`{argument}` must be left out {why}; got {shown(value)}.")


def _check_words(test: str, alternative: str, method: str) -> None:
    if test == "5x2cv-f" and alternative != "two-sided":
        raise ValueError(
            "`alternative` must be 'two-sided' with test='5x2cv-f', because F is a sum of squares "
            f"without a sign; got {alternative!r}. For a one-sided test use test='5x2cv-t'."
        )
    if method == "resampling" and test not in _DRAWN:
        raise ValueError(
            "`method` must be 'exact' unless the test is 'permutation' or 'tilted'; "
            f"got 'resampling' with test={test!r}."
        )


def _splits_of(
    data: Experiment, dataset: str | None, missing: str, test: str, *, from_arrays: bool
) -> tuple[Splits, tuple[int, ...]]:
    """Return the scores on one data set, and the shape of the test sets that the test needs."""
    shape = data.n_runs, data.n_folds
    if test == "corrected-t":
        splits = splits_of(data, dataset, missing)
        n_runs = splits.data.n_runs
        return splits, (n_runs, splits.n // n_runs) if n_runs > 1 and splits.is_full else (
            splits.n,
        )
    if test.startswith("5x2cv"):
        if shape == FIVE_BY_TWO:
            return splits_of(data, dataset, missing), FIVE_BY_TWO
        if from_arrays or data.n_folds != math.prod(FIVE_BY_TWO):
            raise ValueError(
                f"There must be five replications of two folds with test={test!r}: arrays of shape "
                "(5, 2), or an experiment with ten folds; got "
                f"{plural(shape[0], 'repetition')} of {plural(shape[1], 'fold')}."
            )
        return splits_of(data, dataset, missing, averages=True), FIVE_BY_TWO
    if from_arrays and data.n_runs > 1:
        raise ValueError(
            f"`a` and `b` must have shape (n_folds,) with test={test!r}, because repetitions use "
            f"the same examples again, so that the differences are not independent; got shape "
            f"{shape}. For repeated cross-validation use test='corrected-t'."
        )
    splits = splits_of(data, dataset, missing, averages=True)
    return splits, (splits.n,)


def _settled_ratio(ratio: float | None, test: str, splits: Splits) -> float:
    """Return the ratio of test to training size, which is 0 where it is not used."""
    if test == "corrected-t":
        return settled_ratio(ratio, splits.shape)
    if ratio is not None:
        raise ValueError(
            f"`ratio` must be left out without test='corrected-t'; got {shown(ratio)} with "
            f"test={test!r}."
        )
    return 0.0


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
    scale = np.maximum(np.abs(splits.scores[first]), np.abs(splits.scores[second]))
    low, high = crossval.corrected_t_interval(gains, size, level=pairs.level, scale=scale)
    _, of_pairs = pairs.tested(tests, low, high, gains.mean(axis=1), [-turned])
    return result_of(
        CrossValidationComparison,
        splits.data,
        asked,
        given=splits.given,
        dataset=splits.dataset,
        **of_pairs,
        ratio=size,
        n_repeats=splits.shape[0],
        n_folds=splits.shape[1],
        n_differences=splits.n,
        mean_scores=pairs.by_name(splits.scores.mean(axis=1)),
        deviations=pairs.by_name(deviation_over(splits.scores)),
        notes=(
            *splits.notes,
            *notes_of_splits(splits, size, given=ratio is not None),
            note("one-data-set"),
            *pairs.notes("folds"),
            *_notes_of_tests(splits, size, pairs.adjust, pairs.alpha, tests),
        ),
    )


def notes_of_splits(
    splits: Splits, ratio: float, *, given: bool, wrong: str = "p-values are too small"
) -> Iterator[Note]:
    """Yield notes on what the folds and runs are taken as, and what is ``wrong`` otherwise."""
    n_repeats, n_folds = splits.shape
    if n_repeats > 1:
        taken = (
            "random splits into training and test set"
            if n_folds == 1
            else "repetitions of cross-validation, each with a partition of its own"
        )
        yield note("repetitions", n_repeats=n_repeats, taken=taken, wrong=wrong)
    if not given:
        key = "ratio" if n_repeats == 1 else "ratio/repeated"
        yield note(key, ratio=ratio, n_folds=n_folds)
    yield note("corrected-variance", factor=1 + splits.n * ratio)


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
        yield note("hardly-rejects", splits=splits, alpha=alpha, m=m, needed=needed)
    if np.isinf(tests.statistic).any():
        yield note("no-variance")
    if not tests.statistic.any():
        yield note("all-tied")
