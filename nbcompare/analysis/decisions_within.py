"""Decisions on items of a benchmark, or by runs on one data set, for many experiments."""

from __future__ import annotations

import numpy as np
from scipy import special

from nbcompare._arrays import FloatArray, IntArray
from nbcompare._options import EXACT, MAXIMIZE, NORMAL
from nbcompare.analysis._family import Adjust, Family, check_adjust
from nbcompare.analysis._within import settled_adjust
from nbcompare.analysis.decisions import Decisions
from nbcompare.experiment import Experiment
from nbcompare.stats.items import mcnemar
from nbcompare.stats.posthoc import PairTests, pairs
from nbcompare.stats.rank_sum import rank_sums

_MOST_EXACT = 12  # runs; of more, the normal law hardly differs


def decisions_within(
    experiment: Experiment, control: str | None, adjust: Adjust, alpha: float
) -> Decisions:
    """Return what :func:`nbcompare.compare_items`, or ``compare_runs``, decides on pairs.

    P of graded items is that of the t test, and of many runs that of the normal law, from which the
    exact ones hardly differ there.

    Parameters
    ----------
    experiment : Experiment
        Independent items of one benchmark, or runs on one data set.
    control, adjust, alpha
        As for these functions.

    Returns
    -------
    Decisions
        With one row.
    """
    k, names = experiment.n_algorithms, experiment.algorithms
    chosen = None if control is None else names.index(control)
    first, second = pairs(k, chosen)
    sign = 1.0 if experiment.direction == MAXIMIZE else -1.0
    of_items = experiment.unit == "items"
    if of_items:
        tests = _of_items(experiment.lower[0, :, :, 0], sign, first, second)
    else:
        runs = [-sign * row[~np.isnan(row)] for row in experiment.lower[0, :, 0]]
        law = NORMAL if experiment.n_runs > _MOST_EXACT else EXACT
        found = rank_sums(runs, first, second, method=law)
        tests = PairTests(found.effect_size, found.pvalue, found.log10_pvalue)
    family = Family(first, second, tests, k, chosen, None)
    words = settled_adjust(
        check_adjust(adjust), control=chosen is not None, transitive=not of_items
    )
    adjusted = {name: family.adjusted(name, alpha) for name in words[:1]}
    rejected = family.decided(adjusted, alpha)[np.newaxis]
    return Decisions(first, second, tests.statistic[np.newaxis], rejected)


def _of_items(scores: FloatArray, sign: float, first: IntArray, second: IntArray) -> PairTests:
    """Return the tests of pairs on items; by ``sign`` higher scores are better."""
    differences = sign * (scores[first] - scores[second])
    if np.isin(scores, (0, 1)).all():
        found = mcnemar((differences > 0).sum(axis=1), (differences < 0).sum(axis=1))
        return PairTests(found.statistic.astype(np.float64), found.pvalue, found.log10_pvalue)
    n = differences.shape[1]
    error = differences.std(axis=1, ddof=1) / np.sqrt(n)
    t = differences.mean(axis=1) / np.where(error > 0, error, np.inf)
    p = 2 * special.stdtr(n - 1, -np.abs(t))
    return PairTests(t, p, np.log10(np.maximum(p, np.finfo(np.float64).tiny)))
