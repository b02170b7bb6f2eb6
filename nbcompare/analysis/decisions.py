"""The decisions of many comparisons at once, without what a result would tell of each."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from nbcompare._arrays import BoolArray, FloatArray, IntArray
from nbcompare.analysis import _ranked
from nbcompare.analysis._data import oriented_scores
from nbcompare.analysis._design import Settled, settled
from nbcompare.analysis._family import Family, adjusted_each, check_adjust, check_control
from nbcompare.analysis.ranks import family_of
from nbcompare.analysis.scales import scales_of
from nbcompare.experiment import Experiment
from nbcompare.stats import posthoc
from nbcompare.stats.signed_rank import signed_ranks
from nbcompare.words import PAIRWISE_TESTS


class Decisions(NamedTuple):
    """What comparisons of the same algorithms decide.

    ``first`` and ``second`` are the algorithms of each pair, by index; ``statistic``, positive where
    the first is better, and ``rejected`` have a row for each comparison.
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
        Complete experiments with the same algorithms and number of data sets, without folds or
        runs.
    options : mapping
        Options of :func:`compare`, checked: ``control``, ``pairs``, ``ranking``, ``adjust``,
        ``alpha``, ``method`` and ``scale``, which must not be ``auto``. What is left to choose
        depends on the number of data sets, so that it is settled once.

    Returns
    -------
    Decisions
        The decisions, which are those of :func:`compare` without its omnibus test.
    """
    one = experiments[0]
    adjust, alpha = check_adjust(options["adjust"]), options["alpha"]
    asked = {**options, "adjust": adjust, "formulas": "corrected", "margin": None}
    tables = [oriented_scores(experiment)[0] for experiment in experiments]
    words = settled(one, tables[0], scales_of(one, options["scale"]), asked)
    control = check_control(options["control"], one.algorithms, np.zeros(one.n_algorithms))
    k = one.n_algorithms
    first, second = posthoc.all_pairs(k) if control is None else posthoc.against_control(k, control)
    if PAIRWISE_TESTS[words.pairs].by_ranks:
        families = []
        for scores in tables:
            by_rank = _ranked.by_ranks(scores, None, words.ranking, words.method)
            families.append(family_of(k, by_rank.tests, control, by_rank.sums))
    else:
        tests = _of_all(tables, first, second, words, alpha)
        families = [Family(first, second, each, k, control, None) for each in tests]
    p = np.array(
        [family.tests.pvalue for family in families]
        if not words.procedures
        else [plain for plain, _ in adjusted_each(families, words.procedures[0], alpha)]
    )
    statistic = np.array([family.tests.statistic for family in families])
    return Decisions(first, second, statistic, p <= alpha)


def _of_all(
    tables: Sequence[FloatArray], first: IntArray, second: IntArray, words: Settled, alpha: float
) -> list[posthoc.PairTests]:
    """Test the pairs of all tables at once, as if they were algorithms on the same data sets."""
    k, times, m = tables[0].shape[1], len(tables), len(first)
    shift = np.repeat(np.arange(times) * k, m)
    pairs = np.tile(first, times) + shift, np.tile(second, times) + shift
    scores = np.hstack(tables)
    if words.pairs == "wilcoxon":
        levels = None if "li" in words.procedures else _levels(alpha, m)
        found: Any = signed_ranks(scores, *pairs, method=words.method, levels=levels)
    else:
        found = _ranked.by_own_scores(words.pairs, words.method, scores, None)(*pairs)
    rows = [part.reshape(times, -1) for part in (found.statistic, found.pvalue, found.log10_pvalue)]
    return [posthoc.PairTests(*each) for each in zip(*rows, strict=True)]


def _levels(alpha: float, m: int) -> tuple[float, float]:
    """Return the smallest and the largest level with which procedures compare p-values.

    The smallest is Benjamini and Yekutieli's; Li's compares p with the largest one, too.
    """
    return alpha / (m * (1 + math.log(m))), alpha
