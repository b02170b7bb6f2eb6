"""The tests of two algorithms, and the notes about them."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from nbcompare._arrays import NOISE, BoolArray, FloatArray, IntArray
from nbcompare._render import Note, plural
from nbcompare._validation import DataError
from nbcompare.analysis import _notes
from nbcompare.analysis._data import oriented, own_scores
from nbcompare.experiment import Experiment
from nbcompare.stats import pairwise, parametric, rank_sum, shift, sign, signed_rank
from nbcompare.stats.rankings import LARGEST, midranks, with_sizes
from nbcompare.words import PAIR_TESTS, ZEROS, for_each

# The pair of algorithms to compare, by column: the scores have two columns only.
_PAIR: tuple[IntArray, IntArray] = (np.array([0]), np.array([1]))


@dataclass(frozen=True, slots=True)
class PairOptions:
    """The options of a test of two algorithms."""

    zeros: str
    method: str
    alternative: str
    alpha: float

    @property
    def confidence(self) -> float:
        """Confidence level of the interval."""
        return 1 - self.alpha


@dataclass(frozen=True)
class Pair:
    """The scores of two algorithms as they were given, and turned so that smaller is better.

    Both have the shape (n_datasets, 2). ``scale`` is the magnitude of the numbers that were
    averaged, or None if none were.
    """

    scores: FloatArray
    oriented: FloatArray
    scale: FloatArray | None

    @classmethod
    def of(cls, data: Experiment) -> Pair:
        """Return the scores of an experiment with two algorithms."""
        scores, scale = own_scores(data)
        if np.abs(scores).max() > LARGEST:
            raise DataError(
                f"`experiment` must hold scores up to {LARGEST:.3g} in size, or their "
                "differences may not be numbers; take a larger unit."
            )
        given = np.where(data.is_turned[:, np.newaxis], 0.0 - scores, scores)
        return cls(given, oriented(scores, data), scale)

    def __len__(self) -> int:
        return len(self.scores)

    @cached_property
    def differences(self) -> FloatArray:
        """Differences by data set, positive where the first is better and zero for ties."""
        values: FloatArray = self.oriented[:, 1] - self.oriented[:, 0]
        return np.where(self._unranked[2], 0.0, values)

    @property
    def equal_or_not(self) -> FloatArray:
        """The differences, without rounding noise if that is all in which they differ."""
        equal = parametric.paired_t(self.oriented, *_PAIR, scale=self.scale).identical[0]
        return np.full(len(self), self.differences[0]) if equal else self.differences

    @property
    def noise(self) -> FloatArray:
        """Rounding noise of the differences, by data set."""
        sizes = np.abs(self.oriented) if self.scale is None else self.scale
        return np.asarray(NOISE * sizes.max(axis=1))

    @property
    def median_difference(self) -> float:
        """Median of the differences, positive if the first is better."""
        return float(np.median(self.differences))

    @cached_property
    def counts(self) -> tuple[int, int, int]:
        """Numbers of wins, ties and losses of the first."""
        counts = pairwise.win_tie_loss(midranks(self.oriented, scale=self.scale), *_PAIR)
        wins, ties, losses = (int(count[0]) for count in counts)
        return wins, ties, losses

    @property
    def has_equal_differences(self) -> bool:
        """Return whether two differences other than zero have the same size."""
        _, ranks = self._exact
        kept = ranks[ranks > 0]
        return len(np.unique(kept)) < len(kept)

    @property
    def has_equal_scores(self) -> bool:
        """Return whether any two of all scores are tied."""
        scale = None if self.scale is None else self.scale.reshape(-1)
        ranks = midranks(self.oriented.reshape(-1), scale=scale)
        return len(np.unique(ranks)) < len(ranks)

    @cached_property
    def _unranked(self) -> tuple[FloatArray, FloatArray, BoolArray]:
        """Differences, if possible without rounding noise, their magnitudes, and which are zero."""
        exact, sizes = with_sizes(self.oriented, self.scale)
        differences, size = exact[:, 0] - exact[:, 1], sizes.max(axis=1)
        return differences, size, np.abs(differences) <= NOISE * size

    @cached_property
    def _exact(self) -> tuple[FloatArray, FloatArray]:
        """Differences, if possible without rounding noise, and the ranks of their sizes.

        A difference of zero has rank 0.
        """
        differences, size, zero = self._unranked
        ranks = np.zeros(len(zero))
        ranks[~zero] = midranks(np.abs(differences[~zero]), scale=size[~zero])
        return differences, ranks


@dataclass(frozen=True, slots=True, kw_only=True)
class PairOutcome:
    """The outcome of a test, with the estimate and interval that belong to it."""

    statistic: float
    pvalue: float
    log10_pvalue: float
    effect_size: float
    n_used: int
    method: str
    shift: shift.Shift
    r_plus: float | None = None
    r_minus: float | None = None


def _wilcoxon(pair: Pair, asked: PairOptions) -> PairOutcome:
    result = signed_rank.signed_ranks(
        pair.oriented,
        *_PAIR,
        zeros=asked.zeros,
        method=asked.method,
        alternative=asked.alternative,
        scale=pair.scale,
    )
    return PairOutcome(
        statistic=float(result.statistic[0]),
        pvalue=float(result.pvalue[0]),
        log10_pvalue=float(result.log10_pvalue[0]),
        effect_size=float(pairwise.rank_biserial(pair.oriented, *_PAIR, scale=pair.scale)[0]),
        n_used=int(result.n_used[0]),
        method="exact" if result.exact[0] else "normal",
        shift=shift.hodges_lehmann(pair.differences, asked.confidence),
        r_plus=float(result.r_plus[0]),
        r_minus=float(result.r_minus[0]),
    )


def _sign(pair: Pair, asked: PairOptions) -> PairOutcome:
    wins, ties, losses = pair.counts
    result = sign.sign_test([wins], [ties], [losses], alternative=asked.alternative)
    return PairOutcome(
        statistic=float(result.statistic[0]),
        pvalue=float(result.pvalue[0]),
        log10_pvalue=float(result.log10_pvalue[0]),
        effect_size=(wins - losses) / len(pair),
        n_used=int(result.n_used[0]),
        method="exact",
        shift=shift.median_shift(pair.differences, asked.confidence),
    )


def _rank_sum(pair: Pair, asked: PairOptions) -> PairOutcome:
    scale = None if pair.scale is None else (pair.scale[:, 0], pair.scale[:, 1])
    result = rank_sum.rank_sum(
        *pair.oriented.T, method=asked.method, alternative=asked.alternative, scale=scale
    )
    return PairOutcome(
        statistic=result.statistic,
        pvalue=result.pvalue,
        log10_pvalue=result.log10_pvalue,
        effect_size=result.effect_size,
        n_used=len(pair),
        method="exact" if result.exact else "normal",
        shift=shift.two_sample_shift(pair.oriented[:, 1], pair.oriented[:, 0], asked.confidence),
    )


def _t(pair: Pair, asked: PairOptions) -> PairOutcome:
    result = parametric.paired_t(
        pair.oriented, *_PAIR, alternative=asked.alternative, scale=pair.scale
    )
    return PairOutcome(
        statistic=float(result.statistic[0]),
        pvalue=float(result.pvalue[0]),
        log10_pvalue=float(result.log10_pvalue[0]),
        effect_size=float(result.effect_size[0]),
        n_used=len(pair),
        method="t",
        shift=shift.mean_shift(pair.equal_or_not, asked.confidence),
    )


TESTS: Mapping[str, Callable[[Pair, PairOptions], PairOutcome]] = for_each(
    PAIR_TESTS,
    {
        "wilcoxon": _wilcoxon,
        "sign": _sign,
        "rank-sum": _rank_sum,
        "t": _t,
    },
)


def notes_of_test(
    test: str, pair: Pair, asked: PairOptions, outcome: PairOutcome
) -> Iterator[Note]:
    """Yield notes on the assumptions and limits of the test."""
    if test == "rank-sum":
        yield Note(
            "pairing-ignored",
            "The rank-sum test treats the scores of the two as independent samples. It ignores "
            "that both were measured on the same data sets, and compares scores of different "
            "data sets. Wilcoxon's signed-rank test uses the pairs.",
        )
    if test == "t":
        yield Note(
            "t-assumptions",
            "The t test assumes that differences are comparable between data sets and normally "
            "distributed; a few large ones can determine its result.",
        )
    if asked.alternative != "two-sided":
        yield _notes.ONE_SIDED
    if pair.counts[1] == len(pair):
        yield Note("all-tied", "The two tie on every data set: nothing distinguishes them.")
    if math.isinf(outcome.statistic):
        yield Note(
            "identical-differences",
            "The difference is the same on every data set, so t is infinite and p is 0 or 1 "
            "whatever their number. Wilcoxon's test and the sign test give a meaningful p-value.",
        )
    if outcome.method == "exact":
        yield from _notes.of_reach(
            lambda n: _notes.least_p(test, n, asked.alternative), len(pair), alpha=asked.alpha
        )
    if outcome.method == "normal":
        yield Note(
            "normal-approximation",
            "The p-value is a normal approximation; its variance takes account of ties, and "
            "there is no continuity correction.",
        )


def notes_of_ties(test: str, pair: Pair, zeros: str) -> Iterator[Note]:
    """Yield a note on how data sets are treated on which the two tie."""
    n_tied = pair.counts[1]
    if not 0 < n_tied < len(pair) or test not in ("wilcoxon", "sign"):
        return
    odd = zeros == "demsar" and n_tied % 2 == 1
    what = (
        ZEROS[zeros].note if test == "wilcoxon" else "they are split evenly between wins and losses"
    )
    if odd and n_tied == 1:
        what = "it is dropped"
    elif n_tied == 1:
        what = what.replace("their ranks are", "its rank is").replace("they are", "it is")
    elif odd:
        what += ", one being dropped because their number is odd"
    yield Note("zeros", f"The two tie on {plural(n_tied, 'data set')}; {what}.")


def notes_of_cutoff(n_censored: int, cutoff: float | None) -> Iterator[Note]:
    """Yield a note on runs that were stopped, of which no difference is known."""
    yield Note(
        "cutoff",
        f"{plural(n_censored, 'run')} stopped at the cutoff of {cutoff:.15g} or failed: how much "
        "longer they take is not known, so the difference is not estimated.",
    )


def notes_of_interval(
    test: str, pair: Pair, asked: PairOptions, outcome: PairOutcome
) -> Iterator[Note]:
    """Yield notes on where the interval is less exact than the test or may disagree with it."""
    level = f"{100 * asked.confidence:g} %"
    if math.isinf(outcome.shift.lower):
        yield Note(
            "no-interval",
            f"{plural(len(pair), 'data set')} are too few for a confidence interval of {level}, so "
            "its ends are infinite.",
        )
        return
    tied = {
        "wilcoxon": pair.counts[1] > 0 or pair.has_equal_differences,
        "rank-sum": pair.has_equal_scores,
        "sign": pair.counts[1] > 0,
    }
    if tied.get(test, False):
        yield Note(
            "interval-untied",
            "The test takes account of ties; the confidence interval is that of untied "
            "differences. The two may disagree where p is close to α.",
        )
    if not outcome.shift.exact:
        yield Note("normal-interval", "The interval comes from a normal approximation.")
