"""The decisions of many comparisons at once, without what a result would tell of each."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

import numpy as np
import scipy

from nbcompare._arrays import NOISE, BoolArray, FloatArray, IntArray
from nbcompare._options import EXACT, MAXIMIZE, NORMAL, default
from nbcompare.analysis import _ranked
from nbcompare.analysis._design import Settled, settled
from nbcompare.analysis._family import Adjust, Family, adjusted_each, check_adjust, check_control
from nbcompare.analysis.data import oriented_scores
from nbcompare.analysis.ranks import family_of
from nbcompare.analysis.scales import scales_of
from nbcompare.analysis.within import settled_adjust
from nbcompare.experiment import Experiment
from nbcompare.stats import posthoc
from nbcompare.stats.adjust import METHODS
from nbcompare.stats.crossval import corrected_t
from nbcompare.stats.items import mcnemar
from nbcompare.stats.posthoc import PairTests, pairs
from nbcompare.stats.rank_differences import exchange_bounds, exchange_tests
from nbcompare.stats.rankings import with_sizes
from nbcompare.stats.runs import rank_sums
from nbcompare.stats.signed_rank import Bounds, signed_rank_bounds, signed_ranks
from nbcompare.words import PAIRWISE_TESTS

# Mean scores, and the magnitude of what was averaged
_Scores = tuple[FloatArray, FloatArray | None]
# Options of comparisons whose decisions are computed: these are not given
_OF_COMPARE = {name: default(name) for name in ("formulas", "margin", "alternative")}


class Decisions(NamedTuple):
    """What comparisons of the same algorithms decide.

    ``first`` and ``second`` are the algorithms of each pair, by index; ``statistic``, positive
    where the first is better, and ``rejected`` have a row for each comparison.
    """

    first: IntArray
    second: IntArray
    statistic: FloatArray
    rejected: BoolArray


def decisions(experiments: Sequence[Experiment], options: Mapping[str, Any]) -> Decisions:
    """Return what :func:`nbcompare.compare` decides on each of several experiments.

    Parameters
    ----------
    experiments : sequence of Experiment
        Complete experiments with the same algorithms and numbers of data sets, folds and runs.
    options : mapping
        Options of :func:`compare`, checked: ``control``, ``pairs``, ``ranking``, ``adjust``,
        ``alpha``, ``method`` and ``scale``, which must not be ``auto``. What is left to choose
        depends on nothing else that may differ, so that it is settled once.

    Returns
    -------
    Decisions
        The decisions, which are those of :func:`compare` without its omnibus test.
    """
    tables = [oriented_scores(experiment) for experiment in experiments]
    one = experiments[0]
    adjust, alpha = check_adjust(options["adjust"]), options["alpha"]
    asked = {**_OF_COMPARE, **options, "adjust": adjust}
    words = settled(one, tables[0][0], scales_of(one, options["scale"]), asked)
    control = check_control(options["control"], one.algorithms, np.zeros(one.n_algorithms))
    k = one.n_algorithms
    pairs = posthoc.pairs(k, control)
    if PAIRWISE_TESTS[words.pairs].by_ranks:
        ranked = [_ranked.by_ranks(*table, words.ranking, words.method) for table in tables]
        families = [family_of(k, one.tests, control, one.sums) for one in ranked]
        statistic = np.array([family.tests.statistic for family in families])
        return Decisions(*pairs, statistic, _rejected(families, words.procedures, alpha))

    def rejected(statistic: FloatArray, p: FloatArray) -> BoolArray:
        with np.errstate(divide="ignore"):
            tests = map(PairTests, statistic, p, np.log10(p))
        families = [Family(*pairs, each, k, control, None) for each in tests]
        return _rejected(families, words.procedures, alpha)

    return Decisions(*pairs, *_of_all(tables, *pairs, words, alpha, rejected))


def _rejected(families: Sequence[Family], procedures: Sequence[str], alpha: float) -> BoolArray:
    if not procedures:
        return np.array([family.tests.pvalue for family in families]) <= alpha
    return np.array(list(adjusted_each(families, procedures[0], alpha))) <= alpha


def _of_all(
    tables: Sequence[_Scores],
    first: IntArray,
    second: IntArray,
    words: Settled,
    alpha: float,
    rejected: Callable[[FloatArray, FloatArray], BoolArray],
) -> tuple[FloatArray, BoolArray]:
    """Test the pairs of all tables at once, as if they were algorithms on the same data sets.

    Exact p-values take long. No procedure but Li's rejects less when p-values fall, so that
    bounds of p which lead to the same decisions are enough; and of other tables, only p-values
    are computed that are not surely below or above all levels.
    """
    k, times, m = tables[0][0].shape[1], len(tables), len(first)
    shift = np.repeat(np.arange(times) * k, m)
    pairs = np.tile(first, times) + shift, np.tile(second, times) + shift
    scores = np.hstack([own for own, _ in tables])
    known = [own for _, own in tables if own is not None]
    sizes = np.hstack(known) if known else None
    bounds: Callable[..., Bounds] | None = None
    if words.pairs == "exchange":
        ranks = np.hstack([_ranked.ranks_with_gaps(*table) for table in tables])
        test: Callable[..., Any] = partial(exchange_tests, ranks, method=words.method)
        bounds = partial(exchange_bounds, ranks)
    elif words.pairs == "wilcoxon":
        test = partial(signed_ranks, scores, method=words.method, scale=sizes)
        bounds = partial(signed_rank_bounds, scores, scale=sizes)
    else:
        test = _ranked.by_own_scores(words.pairs, words.method, scores, sizes)
    if bounds is None or "li" in words.procedures:
        found = test(*pairs)
        statistic, p = (part.reshape(times, m) for part in (found.statistic, found.pvalue))
        return statistic, rejected(statistic, p)
    found = bounds(*pairs, _levels(alpha, m))
    statistic, p, most = (part.reshape(times, m) for part in found)
    wanted = p < most
    if not words.procedures or words.procedures[0] in METHODS:  # the others take long themselves
        differ = rejected(statistic, p) != rejected(statistic, most)
        wanted &= differ.any(axis=1, keepdims=True)
    if wanted.any():
        p[wanted] = test(*(side[wanted.ravel()] for side in pairs)).pvalue
    return statistic, rejected(statistic, p)


def _levels(alpha: float, m: int) -> tuple[float, float]:
    """Return the smallest and the largest level with which procedures compare p-values.

    The smallest is Benjamini and Yekutieli's.
    """
    return alpha / (m * (1 + math.log(m))), alpha


def decisions_on_folds(
    experiments: Sequence[Experiment],
    control: str | None,
    adjust: Adjust,
    alpha: float,
    ratio: float,
) -> Decisions:
    """Return what :func:`nbcompare.compare_cv` decides on each of several experiments.

    Parameters
    ----------
    experiments : sequence of Experiment
        The same algorithms on as many folds of one data set, in one run.
    control, adjust, alpha, ratio
        As for this function.

    Returns
    -------
    Decisions
        The decisions.
    """
    one = experiments[0]
    k, chosen = one.n_algorithms, None if control is None else one.algorithms.index(control)
    first, second = pairs(k, chosen)
    tables = [with_sizes(each.lower[0, :, :, 0], None) for each in experiments]
    sizes = np.array([np.maximum(own[first], own[second]) for _, own in tables])
    turned = np.array([exact[first] - exact[second] for exact, _ in tables])
    if one.direction == MAXIMIZE:
        turned = -turned
    turned = np.where(np.abs(turned) <= NOISE * sizes, 0.0, turned)
    found = corrected_t(turned, ratio, scale=sizes)
    rows = zip(found.statistic, found.pvalue, found.log10_pvalue, strict=True)
    families = [Family(first, second, PairTests(*each), k, chosen, None) for each in rows]
    words = settled_adjust(check_adjust(adjust), control=chosen is not None, transitive=True)
    p = found.pvalue
    if words:
        p = np.array(list(adjusted_each(families, words[0], alpha)))
    return Decisions(first, second, found.statistic, p <= alpha)


_NOISE = 1e-12  # share of the variances of two algorithms that is rounding, not their difference's
_MOST_EXACT = 12  # runs; for more, the normal law barely differs


def decisions_within(
    experiment: Experiment, control: str | None, adjust: Adjust, alpha: float
) -> Decisions:
    """Return what :func:`nbcompare.compare_items`, or ``compare_runs``, decides on pairs.

    P of graded items is that of the t test, and of many runs that of the normal law, from which the
    exact ones barely differ there.

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
    if ((scores == 0) | (scores == 1)).all():
        differences = sign * (scores[first] - scores[second])
        found = mcnemar((differences > 0).sum(axis=1), (differences < 0).sum(axis=1))
        return PairTests(found.statistic.astype(np.float64), found.pvalue, found.log10_pvalue)
    n = scores.shape[1]
    means, covariances = scores.mean(axis=1), np.cov(scores)
    sums = np.diag(covariances)[first] + np.diag(covariances)[second]
    squares = sums - 2 * covariances[first, second]  # of the differences
    error = np.sqrt(np.where(squares > _NOISE * sums, squares, np.inf) / n)
    t = sign * (means[first] - means[second]) / error
    p = 2 * scipy.special.stdtr(n - 1, -np.abs(t))
    return PairTests(t, p, np.log10(np.maximum(p, np.finfo(np.float64).tiny)))
