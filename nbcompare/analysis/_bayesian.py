"""Options of a Bayesian comparison that must fit the data, and notes on its limits."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NoReturn

import numpy as np

from nbcompare._arrays import FloatArray
from nbcompare._options import AUTO, BEST
from nbcompare._render import Note, plural
from nbcompare._validation import DataError, shown
from nbcompare.analysis.rules import State
from nbcompare.analysis.scales import Scales
from nbcompare.experiment import Experiment
from nbcompare.stats import bayesian
from nbcompare.words import BAYESIAN_TESTS

_FEW = 10  # data sets below which a claim is too likely


def check_rope(rope: object) -> None:
    """Say how to choose half the width of the region of equivalence, if it is not given."""
    if rope is None:
        raise ValueError(
            "`rope`, half the width of the region of practical equivalence, must be given: the "
            "largest difference that does not matter in practice, in units of the measure. For an "
            "accuracy or an area between 0 and 1 that is often one hundredth: rope=0.01; in "
            "percent, rope=1. Choose it before you look at the results. To ask only which of two "
            "algorithms is better, say rope=0."
        )


def settled_test(test: str, data: Experiment, dataset: str | None) -> str:
    """Return the test that suits the data, or refuse one that does not."""
    alone = dataset is not None or data.n_datasets == 1
    if test == AUTO:
        return "correlated-t" if alone else "signed-rank"
    if BAYESIAN_TESTS[test].on_folds and not alone:
        raise DataError(
            f"`experiment` must hold one data set with test={test!r}, which compares on its folds; "
            f"got {data.n_datasets}. Take one of them with experiment.select(datasets=...), or "
            "compare over all of them with test='signed-rank'."
        )
    if alone and not BAYESIAN_TESTS[test].on_folds:
        _refuse_alone(test, dataset)
    return test


def _refuse_alone(test: str, dataset: str | None) -> NoReturn:
    if dataset is not None:
        raise ValueError(
            f"`dataset` must be left out with test={test!r}, which compares over data sets; got "
            f"{shown(dataset)}."
        )
    raise DataError(
        f"`experiment` must hold at least 2 data sets with test={test!r}; got 1. Add data sets; or "
        "compare the algorithms on the folds of this one with test='correlated-t'."
    )


def at_edges(differences: FloatArray, rope: float, noise: FloatArray) -> FloatArray:
    """Return differences that are 0 or ``rope`` but for rounding noise as just that."""
    for edge in (0.0, rope):
        is_at = np.abs(np.abs(differences) - edge) <= noise
        differences = np.where(is_at, np.sign(differences) * edge + 0.0, differences)
    return differences


# -------------------------------------------------------------------------------- notes


def of_datasets(n: int, rope: float, test: str, scales: Scales) -> Iterator[Note]:
    """Yield notes on few data sets, and on several scales."""
    if n < _FEW:
        yield Note(
            "few-datasets",
            f"{plural(n, 'data set')} can make probabilities extreme by chance. Where two "
            "algorithms perform equally, one of them is claimed to be better with probability "
            f"{BAYESIAN_TESTS[test].false_claims} data sets (measured by simulation with "
            "normal differences, threshold 0.95 and no region of equivalence).",
        )
    if scales.one or not (rope or test == "signed-rank"):
        return
    means = "differences of different data sets are added up"
    if rope:
        means = f"{rope:g} does not mean the same on all of them"
    yield Note(
        "several-scales",
        f"{scales.several}: {means}, and the probabilities may be about the data sets with the "
        "largest differences alone. The sign test without a region of equivalence does not depend "
        "on the scales.",
    )


def of_control(
    asked: str | None, chosen: int | None, names: tuple[str, ...], average: str
) -> Iterator[Note]:
    """Yield a note if the control was chosen from the data."""
    if asked == BEST and chosen is not None and BEST not in names:
        yield Note(
            "control-from-data",
            f"The control was chosen from the data: {names[chosen]} has the best {average}. That "
            "it is better is therefore claimed too easily.",
        )


def of_variance(deviations: FloatArray, rope: float) -> Iterator[Note]:
    """Yield a note if two algorithms differ by the same amount on every test set."""
    if (deviations == 0).any():
        yield Note(
            "no-variance",
            "Two algorithms differ by the same amount on every test set, so that their "
            f"probabilities are {'0 or 1' if rope else '0, 1 or 1/2'}: there is no variance to "
            "compare the difference with.",
        )


def of_pairs(found: bayesian.Posterior, gains: FloatArray, asked: State) -> Iterator[Note]:
    """Yield notes on ties, on several pairs, and on claims that more draws may change."""
    if not gains.any():
        yield Note("all-tied", "All differences are zero: nothing distinguishes the algorithms.")
    elif asked.rope >= (largest := float(np.abs(gains).max())):
        yield Note(
            "rope-too-wide",
            f"The region of equivalence, of differences up to {asked.rope:g}, holds every "
            f"difference, of which the largest is {largest:.3g}: it tells no pairs apart. It must "
            "be in units of the measure, such as 0.01 for one percentage point if scores are "
            "shares.",
        )
    if len(found.first) > 1:
        yield Note(
            "pairs-single",
            "Each probability is about one pair by itself: nothing is adjusted for the number of "
            "pairs, so that of many claims some may well be wrong.",
        )
    each = np.stack([found.first, found.equal, found.second])
    near = np.abs(each - asked.threshold) <= 2 * found.standard_error
    unsure = int((near & (found.standard_error > 0)).any(axis=0).sum())
    if unsure:
        yield Note(
            "near-threshold",
            f"For {plural(unsure, 'pair')}, a probability is within two Monte Carlo standard "
            f"errors of {asked.threshold:g}: with other random draws the claim may be another one. "
            "More draws would settle it.",
        )
