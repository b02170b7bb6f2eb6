"""The tests of two algorithms, each with the effect size and the interval that belong to it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from nbcompare._arrays import FloatArray, IntArray
from nbcompare._validation import DataError
from nbcompare.analysis._data import oriented, own_scores
from nbcompare.experiment import Experiment
from nbcompare.stats import paired_t, pairwise, rank_sum, shift, sign, signed_rank
from nbcompare.stats.ranking import LARGEST, NOISE, midranks, with_sizes

# The two algorithms are the two columns of their scores.
_PAIR: tuple[IntArray, IntArray] = (np.array([0]), np.array([1]))


@dataclass(frozen=True, slots=True)
class Asked:
    """The options that a test needs."""

    zeros: str
    method: str
    alternative: str
    alpha: float

    @property
    def confidence(self) -> float:
        """Of the interval."""
        return 1 - self.alpha


@dataclass(frozen=True)
class Pair:
    """Scores of two algorithms, shape (n_datasets, 2): as they are, and smaller is better.

    ``scale`` is the magnitude of what they are means of.
    """

    scores: FloatArray
    oriented: FloatArray
    scale: FloatArray | None

    @classmethod
    def of(cls, data: Experiment) -> Pair:
        """From an experiment of two algorithms."""
        scores, scale = own_scores(data)
        if np.abs(scores).max() > LARGEST:
            raise DataError(
                f"`experiment` must hold scores up to {LARGEST:.3g} in size, or their "
                "differences may not be numbers; take a larger unit."
            )
        return cls(scores, oriented(scores, data), scale)

    def __len__(self) -> int:
        return len(self.scores)

    @cached_property
    def differences(self) -> FloatArray:
        """First minus second as they are, but zero where they tie."""
        values: FloatArray = self.scores[:, 0] - self.scores[:, 1]
        return np.where(self._exact[1] == 0, 0.0, values)

    @property
    def median_difference(self) -> float:
        """Of first minus second as they are."""
        return float(np.median(self.differences))

    @cached_property
    def counts(self) -> tuple[int, int, int]:
        """Wins, ties and losses of the first."""
        counts = pairwise.win_tie_loss(midranks(self.oriented, scale=self.scale), *_PAIR)
        wins, ties, losses = (int(count[0]) for count in counts)
        return wins, ties, losses

    @property
    def has_equal_differences(self) -> bool:
        """Whether two differences other than zero have the same size."""
        _, ranks = self._exact
        kept = ranks[ranks > 0]
        return len(np.unique(kept)) < len(kept)

    @property
    def has_equal_scores(self) -> bool:
        """Whether any two of all scores are tied."""
        scale = None if self.scale is None else self.scale.reshape(-1)
        ranks = midranks(self.oriented.reshape(-1), scale=scale)
        return len(np.unique(ranks)) < len(ranks)

    @cached_property
    def _exact(self) -> tuple[FloatArray, FloatArray]:
        """Differences without rounding noise where possible; ranks of their sizes, 0 for none."""
        exact, sizes = with_sizes(self.oriented, self.scale)
        differences, size = exact[:, 0] - exact[:, 1], sizes.max(axis=1)
        zero = np.abs(differences) <= NOISE * size
        ranks = np.zeros(len(zero))
        ranks[~zero] = midranks(np.abs(differences[~zero]), scale=size[~zero])
        return differences, ranks


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What a test gives, with the estimate and interval that belong to it."""

    statistic: float
    pvalue: float
    log10_pvalue: float
    effect_size: float
    n_used: int
    method: str
    shift: shift.Shift
    r_plus: float | None = None
    r_minus: float | None = None


def _wilcoxon(pair: Pair, asked: Asked) -> Outcome:
    result = signed_rank.signed_ranks(
        pair.oriented,
        *_PAIR,
        zeros=asked.zeros,
        method=asked.method,
        alternative=asked.alternative,
        scale=pair.scale,
    )
    return Outcome(
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


def _sign(pair: Pair, asked: Asked) -> Outcome:
    wins, ties, losses = pair.counts
    result = sign.sign_test([wins], [ties], [losses], alternative=asked.alternative)
    return Outcome(
        statistic=float(result.statistic[0]),
        pvalue=float(result.pvalue[0]),
        log10_pvalue=float(result.log10_pvalue[0]),
        effect_size=(wins - losses) / len(pair),
        n_used=int(result.n_used[0]),
        method="exact",
        shift=shift.median_shift(pair.differences, asked.confidence),
    )


def _rank_sum(pair: Pair, asked: Asked) -> Outcome:
    scale = None if pair.scale is None else (pair.scale[:, 0], pair.scale[:, 1])
    result = rank_sum.rank_sum(
        *pair.oriented.T, method=asked.method, alternative=asked.alternative, scale=scale
    )
    return Outcome(
        statistic=result.statistic,
        pvalue=result.pvalue,
        log10_pvalue=result.log10_pvalue,
        effect_size=result.effect_size,
        n_used=len(pair),
        method="exact" if result.exact else "normal",
        shift=shift.two_sample_shift(pair.scores[:, 0], pair.scores[:, 1], asked.confidence),
    )


def _t(pair: Pair, asked: Asked) -> Outcome:
    result = paired_t.paired_t(
        pair.oriented, *_PAIR, alternative=asked.alternative, scale=pair.scale
    )
    differences = pair.differences
    if result.identical[0]:  # up to noise, which the interval need not show
        differences = np.full(len(pair), differences[0])
    return Outcome(
        statistic=float(result.statistic[0]),
        pvalue=float(result.pvalue[0]),
        log10_pvalue=float(result.log10_pvalue[0]),
        effect_size=float(result.effect_size[0]),
        n_used=len(pair),
        method="t",
        shift=shift.mean_shift(differences, asked.confidence),
    )


TESTS: Mapping[str, Callable[[Pair, Asked], Outcome]] = {
    "wilcoxon": _wilcoxon,
    "sign": _sign,
    "rank-sum": _rank_sum,
    "t": _t,
}
