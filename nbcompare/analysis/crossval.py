"""Compare two algorithms on the folds of one data set."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from nbcompare._options import OPTIONS, default
from nbcompare._validation import check_choice, check_count, check_probability, shown
from nbcompare.analysis import _crossval
from nbcompare.analysis._crossval import TESTS, FoldOptions
from nbcompare.analysis._data import check_experiment, design_of, seed_of
from nbcompare.analysis._folds import Folds, folds_of_arrays, folds_of_experiment
from nbcompare.analysis.frames import of_frames
from nbcompare.experiment import Experiment, Frame
from nbcompare.results import CrossValidation
from nbcompare.stats.crossval import check_ratio
from nbcompare.stats.permutation import generator

_DRAWN = ("permutation", "tilted")


@of_frames
def compare_cv(
    a: npt.ArrayLike,
    b: npt.ArrayLike,
    *,
    experiment: Experiment | Frame | None = None,
    dataset: str | None = None,
    direction: str | None = None,
    names: tuple[str, str] | None = None,
    test: str = default("cv.test"),
    ratio: float | None = None,
    alternative: str = default("alternative"),
    alpha: float = default("alpha"),
    method: str = default("stochastic.method"),
    n_resamples: int = default("stochastic.n_resamples"),
    rng: np.random.Generator | int | None = default("rng"),
    formulas: str = default("formulas"),
) -> CrossValidation:
    r"""Test whether two algorithms differ on one data set, by cross-validation.

    Parameters
    ----------
    a, b : array_like, shape (n_folds,) or (n_repeats, n_folds)
        Scores of the two algorithms on the same folds, at least 2; all results describe the
        first. The 5x2cv tests need shape (5, 2), five replications of two folds.
        ``corrected-t`` also accepts repeated cross-validation. The other tests accept a single
        cross-validation only: repetitions use the same examples again, so that their
        differences, pooled or averaged, are not independent. With ``experiment``, the names
        of two of its algorithms.
    experiment : Experiment or dataframe, optional
        An experiment with the folds of at least one data set, or a dataframe of them, which is
        read as by ``Experiment.from_frame``; a note on the result says how. Runs are averaged
        within each fold, with a note. The 5x2cv tests use its ten folds in their order.
    dataset : str, optional
        The data set of the experiment to use, if it has several; without an experiment, the
        name of the data set.
    direction : {"maximize", "minimize"}
        Whether high or low scores are better. An experiment has its own direction; a
        dataframe needs one.
    names : tuple of 2 str, default ("A", "B")
        Labels of the algorithms. An experiment has its own labels.
    test : {"permutation", "tilted", "5x2cv-t", "5x2cv-f", "corrected-t", "classical"}
        ``permutation``: the mean of n differences drawn with replacement from those observed
        and their negatives. ``tilted``: the difference of the means of two samples drawn with
        weights that give both the same mean; the permutation test if their ranges do not
        overlap. ``5x2cv-t``: Dietterich's t test. ``5x2cv-f``: Alpaydin's F test, two-sided
        only. ``corrected-t``: Nadeau and Bengio's t test, which allows for overlapping
        training sets. ``classical``: the paired t test if Shapiro and Wilk's test does not
        reject normality of the differences at alpha, else Wilcoxon's signed-ranks test.
    ratio : float, optional
        The size of a test set over that of a training set, for ``corrected-t``. The default
        1/(n_folds - 1) is that of cross-validation. Give 1/9 for random tenths held out, or
        if the folds of an experiment are those of repeated tenfold cross-validation.
    alternative : {"two-sided", "better", "worse"}
        Alternative hypothesis: the first differs, is better, or is worse.
    alpha : float, default 0.05
        Significance level.
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
    CrossValidation
        The result, which displays itself; see also its ``sentences`` and ``to_frame()``. If
        all scores are tied, p is 1. If the differences do not vary, t and F are infinite and
        p is 0 (or 1 for the other side), with a note.

    Raises
    ------
    DataError
        If scores are missing, not finite or intervals, or if there are fewer than 2 folds.
    ValueError
        If the folds do not match, the test does not accept their shape, a name or option is
        unknown, or options cannot be combined.

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

    >>> import nbcompare as nbc
    >>> one = [0.12, 0.10, 0.15, 0.11, 0.14, 0.09, 0.13, 0.12, 0.10, 0.16]
    >>> two = [0.15, 0.13, 0.15, 0.15, 0.16, 0.13, 0.14, 0.17, 0.12, 0.17]
    >>> nbc.compare_cv(one, two, direction="minimize", names=("One", "Two"))
    <CrossValidation: 'One' and 'Two', 10 folds, permutation test, p = 0.0065, rejected>
    >>> result = nbc.compare_cv(one, two, direction="minimize", test="corrected-t")
    >>> round(result.statistic, 3), result.df, round(result.pvalue, 4), result.wins
    (3.441, (9,), 0.0074, 9)
    """
    _check_words(test, alternative, method, formulas)
    level = check_probability(alpha, "alpha")
    n_draws = check_count(n_resamples, "n_resamples", least=1)
    if experiment is None:
        folds = folds_of_arrays(a, b, direction, names, dataset)
    else:
        for value, argument in ((direction, "direction"), (names, "names")):
            if value is not None:
                raise ValueError(
                    f"`{argument}` must be left out with an experiment, which has its own; got "
                    f"{shown(value)}."
                )
        folds = folds_of_experiment(check_experiment(experiment), a, b, dataset)
    folds = _shaped(folds, test, from_experiment=experiment is not None)
    settled = _settled_ratio(ratio, test, folds)
    asked = FoldOptions(
        alternative,
        level,
        method,
        n_draws,
        generator(0 if rng is None else rng),
        formulas,
        settled,
    )
    outcome = TESTS[test](folds, asked)
    first, second = folds.names
    differences = folds.gains
    oriented = folds.differences
    options = {
        "a": first,
        "b": second,
        "scores": "arrays" if experiment is None else "experiment",
        "dataset": dataset,
        "test": test,
        "ratio": ratio,
        "alternative": alternative,
        "alpha": level,
        "method": method,
        "n_resamples": n_draws,
        "rng": seed_of(rng),
        "formulas": formulas,
    }
    return CrossValidation(
        first=first,
        second=second,
        dataset=folds.data.datasets[0] if folds.is_named else None,
        test=test,
        branch=outcome.branch,
        statistic=outcome.statistic,
        df=outcome.df,
        p_low=outcome.p_low,
        p_high=outcome.p_high,
        log10_pvalue=outcome.log10_pvalue,
        method=outcome.method,
        n_resamples=n_draws if outcome.method == "resampling" else None,
        normality=outcome.normality,
        tilt=outcome.tilt,
        weights=outcome.weights,
        ratio=settled if test == "corrected-t" else None,
        alternative=alternative,
        alpha=level,
        rejected=outcome.p_high <= level,
        formulas=formulas,
        mean_difference=float(differences.mean()),
        wins=int((oriented < 0).sum()),
        ties=int((oriented == 0).sum()),
        losses=int((oriented > 0).sum()),
        scores=folds.scores,
        differences=differences,
        notes=(
            *_crossval.notes_of_folds(test, folds, from_experiment=experiment is not None),
            *_crossval.notes_of_test(test, folds, asked, outcome),
            *_crossval.notes_of_p(asked, outcome),
        ),
        design=design_of(folds.data, options),
    )


def _check_words(test: str, alternative: str, method: str, formulas: str) -> None:
    OPTIONS["cv.test"].check(test, "test")
    OPTIONS["alternative"].check(alternative, "alternative")
    check_choice(method, "method", OPTIONS["stochastic.method"].choices or ())
    OPTIONS["formulas"].check(formulas, "formulas")
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


def _shaped(folds: Folds, test: str, *, from_experiment: bool) -> Folds:
    """Return the folds in the shape that the test needs, or raise an error."""
    if test.startswith("5x2cv"):
        if from_experiment and folds.shape == (10,):
            return folds.reshaped((5, 2))
        if folds.shape != (5, 2):
            needed = (
                "`experiment` must have ten folds, five replications of two"
                if from_experiment
                else "`a` and `b` must have shape (5, 2), five replications of two folds,"
            )
            arrived = f"{folds.shape[0]} folds" if from_experiment else f"shape {folds.shape}"
            raise ValueError(f"{needed} with test={test!r}; got {arrived}.")
    elif len(folds.shape) > 1 and test != "corrected-t":
        raise ValueError(
            f"`a` and `b` must have shape (n_folds,) with test={test!r}, because repetitions use "
            "the same examples again, so that the differences are not independent; got shape "
            f"{folds.shape}. For repeated cross-validation use test='corrected-t'."
        )
    return folds


def _settled_ratio(ratio: float | None, test: str, folds: Folds) -> float:
    """Return the ratio of test to training size, by default that of cross-validation."""
    if ratio is None:
        n_folds = folds.shape[-1]
        if n_folds < 2:
            if test != "corrected-t":
                return 0.0
            raise ValueError(
                "`ratio`, the size of a test set over that of a training set, must be given for "
                f"one fold per repetition; got scores of shape {folds.shape}."
            )
        return 1 / (n_folds - 1)
    if test != "corrected-t":
        raise ValueError(
            f"`ratio` must be left out without test='corrected-t'; got {shown(ratio)} with "
            f"test={test!r}."
        )
    return check_ratio(ratio)
