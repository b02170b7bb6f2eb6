"""Ranks of the algorithms, omnibus tests and tests of pairs, for complete tables and gaps."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from nbcompare._arrays import BoolArray, FloatArray, IntArray, has_gaps, locked
from nbcompare._options import AUTO, EXACT, NORMAL, TWO_SIDED
from nbcompare._validation import DataError
from nbcompare.analysis.pair import SIMULTANEOUS, Estimates, Pairs, computed, within_margin
from nbcompare.results.hypotheses import agreeing, outcomes
from nbcompare.stats import (
    exact_omnibus,
    incomplete,
    omnibus,
    pairwise,
    posthoc,
    rank_differences,
    rankings,
)
from nbcompare.stats.parametric import PairedT, paired_t, repeated_measures_anova
from nbcompare.stats.posthoc import PairTests
from nbcompare.stats.rank_differences import DifferenceLaw, difference_law, exchange_tests
from nbcompare.stats.rankings import midranks
from nbcompare.stats.signed_rank import SignedRanks, signed_ranks
from nbcompare.words import PAIRWISE_TESTS, RANKINGS, PairwiseTest, for_each


class _Most(NamedTuple):
    law: float
    expansions: int


PairTest = Callable[[IntArray, IntArray], PairTests]
# What exact laws may cost at most, if they are asked for and if the choice is ours
_MOST = {EXACT: _Most(1e9, 100_000_000), AUTO: _Most(rank_differences.BUDGET, 2_000_000)}
for_each(RANKINGS, omnibus.OF_RANKING)
for_each(RANKINGS, rankings.RANKINGS)


@dataclass(frozen=True, slots=True)
class Ranked:
    """The ranks of the algorithms, with the omnibus tests and the test of pairs.

    ``positions`` are rank sums, with whose distance p falls, and ``error`` is the standard
    error of a difference of average ranks; both are None if that depends on the pair.
    ``midranks`` are the mid-ranks within data sets if the ranking uses them, else None. ``law`` is
    the exact law of a difference of rank sums if p comes from it, ``unit`` a rank sum per average
    rank, and ``exact`` names the omnibus tests with exact p-values. ``tied`` is None if it is not
    known whether ranks tie.
    """

    average_ranks: FloatArray
    omnibus: Mapping[str, omnibus.OmnibusTest]
    tests: PairTest
    tied: bool | None
    positions: FloatArray | None
    error: float | None
    midranks: FloatArray | None = None
    law: DifferenceLaw | None = None
    unit: float = 1.0
    exact: frozenset[str] = frozenset()
    kendalls_w: float | None = None


def of_complete(
    scores: FloatArray,
    scale: FloatArray | None,
    ranking: str,
    formulas: str,
    method: str,
    pairs: PairwiseTest,
) -> Ranked:
    """Rank scores of which none is missing, smaller being better; ``pairs`` is the test of these.

    With the analysis of variance, that decides.
    """
    of_ranks = method if pairs.by_ranks else NORMAL
    ranked, by_rank = _by_ranks(scores, scale, ranking, formulas, of_ranks)
    tests, kendalls_w = _omnibus(ranked.scores, ranking, formulas, by_rank.squares)
    exact: frozenset[str] = frozenset()
    if method != NORMAL:
        tests, exact = _exactly(tests, ranked.scores, method)
    if "anova" in pairs.omnibus:
        anova = repeated_measures_anova(scores)
        tests["anova"] = omnibus.OmnibusTest(*anova[:4])
    return Ranked(
        average_ranks=ranked.average_ranks,
        omnibus=tests,
        tests=by_rank.tests,
        tied=ranked.tied,
        positions=by_rank.sums,
        error=by_rank.error,
        midranks=ranked.scores if RANKINGS[ranking].within_datasets else None,
        law=by_rank.law,
        unit=ranked.unit,
        exact=exact,
        kendalls_w=kendalls_w,
    )


def _omnibus(
    ranks: FloatArray, ranking: str, formulas: str, squares: tuple[float, float]
) -> tuple[dict[str, omnibus.OmnibusTest], float | None]:
    """Return the omnibus tests by name, and Kendall's coefficient if there is one."""
    if ranking != "friedman":
        return {ranking: omnibus.OF_RANKING[ranking](ranks, formulas=formulas)}, None
    found = omnibus.friedman_tests(ranks, formulas=formulas, squares=squares)
    return {"friedman": found.friedman, "iman-davenport": found.iman_davenport}, found.kendalls_w


class ByRanks(NamedTuple):
    """The test of pairs by rank sums, the sums, the error of a difference, and the exact law.

    ``squares`` are the sums of squares of the rank sums and of the ranks around their means.
    """

    tests: PairTest
    sums: FloatArray
    error: float
    law: DifferenceLaw | None
    squares: tuple[float, float]


def by_ranks(scores: FloatArray, scale: FloatArray | None, ranking: str, method: str) -> ByRanks:
    """Return the test of pairs by the ranks of complete scores, without an omnibus test."""
    return _by_ranks(scores, scale, ranking, "corrected", method)[1]


def _by_ranks(
    scores: FloatArray, scale: FloatArray | None, ranking: str, formulas: str, method: str
) -> tuple[rankings.Ranking, ByRanks]:
    ranked = rankings.rank(scores, ranking, scale=scale)
    squares = rankings.sums_of_squares(ranked.scores)
    error = posthoc.standard_error(
        ranked.scores, formulas=formulas, ranking=ranking, squares=squares
    )
    sums = ranked.sums  # they have no rounding errors, so equal differences get equal p-values
    law = _law(ranked.scores, sums, ranking, method) if method != NORMAL else None
    spread = error * ranked.unit
    tests = by_normal_law(sums, spread) if law is None else _by_exact_law(law, sums, spread)
    return ranked, ByRanks(tests, sums, error, law, squares)


def _exactly(
    tests: Mapping[str, omnibus.OmnibusTest], ranks: FloatArray, method: str
) -> tuple[dict[str, omnibus.OmnibusTest], frozenset[str]]:
    """Return the omnibus tests with the exact p, which is that of all of them, and their names.

    Without change if it would take too long.
    """
    found = exact_omnibus.exact_pvalue(ranks, most=_MOST[method].expansions)
    if found is None:
        return dict(tests), frozenset()
    p, log10_p, _ = found
    return {
        name: test._replace(pvalue=p, log10_pvalue=log10_p) for name, test in tests.items()
    }, frozenset(tests)


def _law(ranks: FloatArray, sums: FloatArray, ranking: str, method: str) -> DifferenceLaw | None:
    """Return the exact law of the differences of rank sums; None if it would take too long."""
    law = difference_law(ranks, ranking=ranking)
    cost = law.cost(sums[:, np.newaxis] - sums)
    if cost <= _MOST[method].law:
        return law
    if method == EXACT:
        raise ValueError(
            f"`method` must not be 'exact' here: the exact law of {len(sums)} algorithms on "
            f"{len(ranks)} data sets with so many different patterns of ranks would take too "
            "long. Leave out `method`, or take pairs='wilcoxon'."
        )
    return None


def by_normal_law(positions: FloatArray, error: float) -> PairTest:
    """Return the test of differences of average ranks or rank sums by the normal law."""
    return lambda first, second: posthoc.rank_tests(positions, error, first, second)


def _by_exact_law(law: DifferenceLaw, sums: FloatArray, error: float) -> PairTest:
    def tests(first: IntArray, second: IntArray) -> PairTests:
        statistic = posthoc.rank_tests(sums, error, first, second).statistic
        return PairTests(statistic, *law.pvalues(sums[second] - sums[first]), EXACT)

    return tests


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
        tied=result.tied,
        positions=None,
        error=None,
    )


def pair_tests(
    pairs: str,
    method: str,
    ranked: Ranked,
    scores: FloatArray,
    scale: FloatArray | None,
    alternative: str,
) -> PairTest:
    """Return the test of pairs, by the ranks of all or by the scores of the two only."""
    if not PAIRWISE_TESTS[pairs].by_ranks:
        return by_own_scores(pairs, method, scores, scale, alternative)
    if alternative == TWO_SIDED:
        return ranked.tests
    law, sums, sign = ranked.law, ranked.positions, 1 if alternative == "better" else -1

    def tests(first: IntArray, second: IntArray) -> PairTests:
        found = ranked.tests(first, second)
        if law is None or sums is None:
            return posthoc.one_sided(found, alternative)
        return PairTests(
            found.statistic, *law.one_sided(sign * (sums[second] - sums[first])), EXACT
        )

    return tests


def by_own_scores(
    pairs: str,
    method: str,
    scores: FloatArray,
    scale: FloatArray | None,
    alternative: str = TWO_SIDED,
) -> PairTest:
    """Return the test of pairs by the scores of the two, or by swaps of them given the others."""
    if pairs == "exchange":
        return partial(_exchanged, ranks_with_gaps(scores, scale), method, alternative)
    how = {"method": method, "alternative": alternative}
    return lambda first, second: _alone(pairs, how, scores, scale, first, second)


_NO_ESTIMATES = Estimates()


@dataclass(frozen=True, slots=True, eq=False)
class Effects:
    """Effect sizes, counts and mean differences of pairs, computed from the scores when asked for.

    They are computed on the data sets where both have scores; smaller scores are better. Pairs
    without a common data set have no wins, an effect size of 0 and the difference of their
    overall means. ``midranks`` are the mid-ranks within data sets, if no score is missing and
    they are known.
    """

    scores: FloatArray
    scale: FloatArray | None
    first: IntArray
    second: IntArray
    midranks: FloatArray | None = None
    estimates: Estimates = _NO_ESTIMATES
    rejected: BoolArray = field(default_factory=lambda: np.zeros(0, dtype=np.bool_))

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the columns: without intervals, estimates or outcomes if there are none."""
        there = self.estimates
        lacking = {
            *(() if there.pairs else ("estimate",)),
            *(("lower", "upper") if there.confidence is None else ()),
            *(("outcome",) if there.margin is None else ()),
        }
        return tuple(name for names, *_ in _COLUMNS for name in names if name not in lacking)

    @property
    def n_datasets(self) -> int:
        """Number of data sets."""
        return len(self.scores)

    def of_pairs(self, first: IntArray, second: IntArray, order: IntArray) -> Effects:
        """Return the effects of the pairs in this order, with one or the other of each first."""
        return replace(self, first=first, second=second, rejected=self.rejected[order])

    def column(self, name: str, rows: IntArray | None = None) -> dict[str, Any]:
        """Compute a column for these pairs, and return it with those found on the way."""
        whole, rows = rows is None, np.arange(len(self.first)) if rows is None else rows
        names, kind, compute = next(one for one in _COLUMNS if name in one[0])
        found: npt.NDArray[Any] = np.empty((len(names), len(rows)), dtype=kind)
        for pairs in self._pairs(rows):
            found[:, pairs.places] = compute(self, pairs)
        if name == "outcome":
            words = outcomes(self.rejected[rows], found[0])
            return {name: tuple(words) if whole else words}
        if "lower" in names and self.estimates.intervals == SIMULTANEOUS:
            found[1:] = agreeing(found[1], found[2], self.rejected[rows])
        return {
            one: locked(part) for one, part in zip(names, found, strict=True) if one in self.names
        }

    def _pairs(self, rows: IntArray) -> Iterator[Pairs]:
        """Yield the pairs at these places: all at once, or each on what both have scores of."""
        first, second = self.first[rows], self.second[rows]
        for places, here in shared(self.scores, first, second):
            one, other = first[places], second[places]
            scores, ranks = self.scores[here], self.midranks
            scale = None if self.scale is None else self.scale[here]
            if not isinstance(here, slice) and len(scores):
                both = [int(one[0]), int(other[0])]
                scores, scale = scores[:, both], None if scale is None else scale[:, both]
                one, other, ranks = np.array([0]), np.array([1]), None
            yield Pairs(places, one, other, scores, scale, ranks)

    def _sizes(self, pairs: Pairs) -> FloatArray | float:
        if not len(pairs.scores):  # the two are compared through other algorithms only
            return 0.0
        if not self.estimates.pairs:  # sizes of differences mean nothing, nor do their ranks
            wins, _, losses = np.asarray(self._counts(pairs))
            shares: FloatArray = (wins - losses) / len(pairs.scores)
            return shares
        return pairwise.rank_biserial(pairs.scores, pairs.first, pairs.second, scale=pairs.scale)

    def _counts(self, pairs: Pairs) -> pairwise.Wins | float:
        if not len(pairs.scores):
            return 0
        ranks = pairs.midranks
        if ranks is None:
            ranks = midranks(pairs.scores, scale=pairs.scale)
        return pairwise.win_tie_loss(ranks, pairs.first, pairs.second)

    def _means(self, pairs: Pairs) -> FloatArray:
        means = mean_scores(pairs.scores if len(pairs.scores) else self.scores)
        return means[pairs.second] - means[pairs.first]


# Names of columns that are computed together, the type of their numbers, and how
_COLUMNS: tuple[tuple[tuple[str, ...], type, Callable[[Effects, Pairs], Any]], ...] = (
    (("effect_size",), float, Effects._sizes),  # noqa: SLF001 - of this module
    (("wins", "ties", "losses"), int, Effects._counts),  # noqa: SLF001 - of this module
    (("mean_difference",), float, Effects._means),  # noqa: SLF001 - of this module
    (
        ("estimate", "lower", "upper"),
        float,
        lambda effects, pairs: computed(effects.estimates, pairs),
    ),
    (
        ("outcome",),
        bool,
        lambda effects, pairs: within_margin(effects.estimates, pairs),
    ),
)


def shared(
    scores: FloatArray, first: IntArray, second: IntArray
) -> Iterator[tuple[IntArray | slice, BoolArray | slice]]:
    """Yield places of pairs, and the rows on which both have scores: all pairs, or each alone."""
    known = ~np.isnan(scores)
    if known.all():
        yield slice(None), slice(None)
        return
    for place, (one, other) in enumerate(zip(first, second, strict=True)):
        yield np.array([place]), known[:, one] & known[:, other]


def mean_scores(scores: FloatArray) -> FloatArray:
    """Return the mean of each algorithm over the data sets where it has a score.

    Scores are divided before they are added, because the sum of large ones could overflow.
    """
    if not has_gaps(scores):
        return np.asarray((scores / len(scores)).sum(axis=0))
    known = ~np.isnan(scores)
    means: FloatArray = np.where(known, scores / known.sum(axis=0), 0.0).sum(axis=0)
    return means


def ranks_with_gaps(scores: FloatArray, scale: FloatArray | None) -> FloatArray:
    """Return the mid-ranks of the scores that each data set has; NaN for the others."""
    if not has_gaps(scores):
        return midranks(scores, scale=scale)
    ranks = np.full(scores.shape, np.nan)
    for row, here in enumerate(~np.isnan(scores)):
        sizes = None if scale is None else scale[row, here]
        ranks[row, here] = midranks(scores[row, here], scale=sizes)
    return ranks


def _exchanged(
    ranks: FloatArray, method: str, alternative: str, first: IntArray, second: IntArray
) -> PairTests:
    tests = exchange_tests(ranks, first, second, method=method, alternative=alternative)
    law = EXACT if tests.exact.all() else NORMAL
    return PairTests(tests.statistic, tests.pvalue, tests.log10_pvalue, law)


def _alone(
    pairs: str,
    how: Mapping[str, str],
    scores: FloatArray,
    scale: FloatArray | None,
    first: IntArray,
    second: IntArray,
) -> PairTests:
    """Test pairs by Wilcoxon's test or the t test on the data sets where both have scores."""
    statistic, pvalue, log10_pvalue = np.empty((3, len(first)))
    methods = set()
    for which, rows in shared(scores, first, second):
        # only other algorithms have missing scores on these rows
        part = np.where(np.isnan(scores[rows]), 0.0, scores[rows])
        if len(part) < 2:
            raise DataError(
                "`missing` leaves pairs of algorithms with fewer than 2 data sets that have scores "
                "of both. Leave out these algorithms with experiment.select(...)."
            )
        sizes = None if scale is None else scale[rows]
        tests, used = _ALONE[pairs](part, first[which], second[which], scale=sizes, **how)
        methods |= used
        statistic[which], pvalue[which], log10_pvalue[which] = (
            tests.statistic,
            tests.pvalue,
            tests.log10_pvalue,
        )
    return PairTests(
        statistic, pvalue, log10_pvalue, NORMAL if NORMAL in methods else methods.pop()
    )


def _signed_ranks(*pairs: Any, **how: Any) -> tuple[SignedRanks, set[str]]:
    tests = signed_ranks(*pairs, **how)
    return tests, set(np.where(tests.exact, EXACT, NORMAL).tolist())


def _paired_t(*pairs: Any, method: str, **how: Any) -> tuple[PairedT, set[str]]:  # noqa: ARG001
    return paired_t(*pairs, **how), {"t"}


# Tests of pairs that use the scores of the two algorithms only, with how p was computed
_ALONE: Mapping[str, Callable[..., tuple[SignedRanks | PairedT, set[str]]]] = for_each(
    (name for name, test in PAIRWISE_TESTS.items() if test.needs_scale),
    {"wilcoxon": _signed_ranks, "t": _paired_t},
)
