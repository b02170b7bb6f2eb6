"""Ranks of the algorithms, omnibus tests and tests of pairs, for complete tables and gaps."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from nbcompare._arrays import BoolArray, FloatArray, IntArray
from nbcompare._validation import DataError
from nbcompare.stats import incomplete, omnibus, pairwise, posthoc, rankings
from nbcompare.stats.parametric import PairedT, paired_t, repeated_measures_anova
from nbcompare.stats.rankings import midranks
from nbcompare.stats.signed_rank import SignedRanks, signed_ranks
from nbcompare.words import PAIRWISE_TESTS, RANKINGS, for_each

PairTest = Callable[[IntArray, IntArray], posthoc.PairTests]

# Omnibus tests of ranks, by the names in the records of the rankings
_OMNIBUS: Mapping[str, Callable[..., omnibus.OmnibusTest]] = for_each(
    (name for ranking in RANKINGS.values() for name in ranking.omnibus),
    {
        "friedman": omnibus.friedman,
        "iman-davenport": omnibus.iman_davenport,
        "aligned": omnibus.aligned,
        "quade": omnibus.quade,
    },
)
for_each(RANKINGS, rankings.RANKINGS)
# Tests of pairs that use the scores of the two algorithms only
_ALONE: Mapping[str, Callable[..., SignedRanks | PairedT]] = for_each(
    (name for name, test in PAIRWISE_TESTS.items() if not test.by_ranks),
    {"wilcoxon": signed_ranks, "t": paired_t},
)


@dataclass(frozen=True, slots=True)
class Ranked:
    """The ranks of the algorithms, with the omnibus tests and the test of pairs.

    ``positions`` are rank sums, with whose distance p falls, and ``error`` is the standard
    error of a difference of average ranks; both are None if that depends on the pair.
    ``midranks`` are the mid-ranks within data sets if the ranking uses them, else None.
    """

    average_ranks: FloatArray
    omnibus: Mapping[str, omnibus.OmnibusTest]
    tests: PairTest
    tied: bool
    positions: FloatArray | None
    error: float | None
    midranks: FloatArray | None = None


def of_complete(
    scores: FloatArray,
    scale: FloatArray | None,
    ranking: str,
    formulas: str,
    *,
    parametric: bool = False,
) -> Ranked:
    """Rank scores of which none is missing, smaller being better.

    ``parametric`` adds the analysis of variance, which then decides.
    """
    ranked = rankings.rank(scores, ranking, scale=scale)
    error = posthoc.standard_error(ranked.scores, formulas=formulas, ranking=ranking)
    tests = {
        name: _OMNIBUS[name](ranked.scores, formulas=formulas) for name in RANKINGS[ranking].omnibus
    }
    if parametric:
        anova = repeated_measures_anova(scores)
        tests["anova"] = omnibus.OmnibusTest(*anova[:4])
    # rank sums have no rounding errors, so equal differences get equal p-values
    sums = ranked.scores.sum(axis=0)
    return Ranked(
        average_ranks=ranked.average_ranks,
        omnibus=tests,
        tests=lambda first, second: posthoc.rank_tests(sums, error * ranked.unit, first, second),
        tied=ranked.tied,
        positions=sums,
        error=error,
        midranks=ranked.scores if RANKINGS[ranking].within_datasets else None,
    )


def of_incomplete(
    scores: FloatArray, scale: FloatArray | None, algorithms: tuple[str, ...]
) -> Ranked:
    """Rank scores by the method of Skillings and Mack; NaN marks a missing score."""
    try:
        result = incomplete.skillings_mack(scores, scale=scale)
    except ValueError as error:
        raise DataError(f"missing='skillings-mack' needs more scores: {error}") from None
    apart = incomplete.unlinked(scores)
    if apart is not None:
        one, other = (algorithms[j] for j in apart)
        raise DataError(
            "missing='skillings-mack' compares algorithms through data sets that they share, or "
            f"share with others; nothing links {one} to {other}. Select algorithms that are "
            "linked with experiment.select(...)."
        )
    test = omnibus.OmnibusTest(result.statistic, result.df, result.pvalue, result.log10_pvalue)
    return Ranked(
        average_ranks=incomplete.average_ranks(scores, result),
        omnibus={"skillings-mack": test},
        tests=lambda first, second: incomplete.pair_tests(result, first, second),
        tied=False,  # all formulas of this test take account of ties
        positions=None,
        error=None,
    )


def pair_tests(
    pairs: str, ranked: Ranked, scores: FloatArray, scale: FloatArray | None
) -> PairTest:
    """Return the test of pairs, by the ranks of all or by the scores of the two only."""
    if PAIRWISE_TESTS[pairs].by_ranks:
        return ranked.tests
    return lambda first, second: _alone(pairs, scores, scale, first, second)


def effects(
    scores: FloatArray,
    scale: FloatArray | None,
    first: IntArray,
    second: IntArray,
    ranks: FloatArray | None = None,
) -> dict[str, FloatArray | IntArray]:
    """Return the effect size, counts of wins, ties and losses, and mean difference of each pair.

    They are computed on the data sets where both have scores; smaller scores are better. Pairs
    without a common data set have no wins, an effect size of 0 and the difference of their
    overall means. ``ranks`` are the mid-ranks within data sets, if no score is missing and they
    are known.
    """
    size = np.empty(len(first))
    counts = np.empty((3, len(first)), dtype=np.int64)
    means = np.empty(len(first))
    overall = mean_scores(scores)
    for pairs, rows in shared(scores, first, second):
        one, other, part = first[pairs], second[pairs], scores[rows]
        part_scale = None if scale is None else scale[rows]
        if not len(part):  # the two are compared through other algorithms only
            size[pairs], counts[:, pairs] = 0.0, 0
            means[pairs] = overall[other] - overall[one]
            continue
        used, place = np.unique(np.concatenate([one, other]), return_inverse=True)
        one, other = place[: len(one)], place[len(one) :]
        part = part[:, used]
        part_scale = None if part_scale is None else part_scale[:, used]
        size[pairs] = pairwise.rank_biserial(part, one, other, scale=part_scale)
        part_ranks = midranks(part, scale=part_scale) if ranks is None else ranks[:, used]
        counts[:, pairs] = pairwise.win_tie_loss(part_ranks, one, other)
        # scores are divided before they are added, because the sum of large ones could overflow
        column_means = (part / len(part)).sum(axis=0)
        means[pairs] = column_means[other] - column_means[one]
    return {
        "effect_size": size,
        "wins": counts[0],
        "ties": counts[1],
        "losses": counts[2],
        "mean_difference": means,
    }


def shared(
    scores: FloatArray, first: IntArray, second: IntArray
) -> Iterator[tuple[IntArray | slice, BoolArray | slice]]:
    """Yield sets of pairs that have scores on the same data sets, with the rows of these."""
    known = ~np.isnan(scores)
    if known.all():
        yield slice(None), slice(None)
        return
    both = known[:, first] & known[:, second]
    patterns, kind = np.unique(both, axis=1, return_inverse=True)
    for number, rows in enumerate(patterns.T):
        yield np.flatnonzero(kind == number), rows


def mean_scores(scores: FloatArray) -> FloatArray:
    """Return the mean of each algorithm over the data sets where it has a score."""
    known = ~np.isnan(scores)
    means: FloatArray = np.where(known, scores / known.sum(axis=0), 0.0).sum(axis=0)
    return means


def _alone(
    pairs: str,
    scores: FloatArray,
    scale: FloatArray | None,
    first: IntArray,
    second: IntArray,
) -> posthoc.PairTests:
    """Test pairs by Wilcoxon's test or the t test on the data sets where both have scores."""
    statistic, pvalue, log10_pvalue = np.empty((3, len(first)))
    for which, rows in shared(scores, first, second):
        # only other algorithms have missing scores on these rows
        part = np.where(np.isnan(scores[rows]), 0.0, scores[rows])
        if len(part) < 2:
            raise DataError(
                "`missing` leaves pairs of algorithms with fewer than 2 data sets that have scores "
                "of both. Leave out these algorithms with experiment.select(...)."
            )
        sizes = None if scale is None else scale[rows]
        tests = _ALONE[pairs](part, first[which], second[which], scale=sizes)
        statistic[which], pvalue[which], log10_pvalue[which] = (
            tests.statistic,
            tests.pvalue,
            tests.log10_pvalue,
        )
    return posthoc.PairTests(statistic, pvalue, log10_pvalue)
