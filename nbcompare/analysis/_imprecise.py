"""Interval-valued and fuzzy p-values of pairs, and their family of hypotheses."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from nbcompare._arrays import NOISE, FloatArray, IntArray
from nbcompare._progress import Progress
from nbcompare.analysis._blocks import Ends, Runs
from nbcompare.analysis._family import Family, alike_groups
from nbcompare.results import FuzzyPValues, ImpreciseHypotheses, Labelled
from nbcompare.results.imprecise import INCONCLUSIVE, NOT_REJECTED, REJECTED
from nbcompare.stats import adjust, bootstrap, fuzzy, interval, permutation, posthoc
from nbcompare.stats.tails import IntervalP
from nbcompare.words import PROCEDURES

_Item = TypeVar("_Item")
# A progress bar appears if the computation takes longer than this many seconds.


@dataclass(frozen=True, slots=True)
class How:
    """The options that determine how p is computed, the same for every hypothesis."""

    procedure: str
    test: str | None
    formulas: str
    method: str
    n_resamples: int
    rng: np.random.Generator
    scale: FloatArray | None  # magnitudes of computed scores, by block and algorithm


@dataclass(frozen=True, slots=True)
class Rows:
    """Hypotheses: the ends of p and of the gain of the first, and which one the data favour.

    ``favours`` is 1 for the first, -1 for the second, and 0 where the data cannot tell.
    """

    p: IntervalP
    gain: Ends
    favours: IntArray


def against_mean(ends: Ends, how: How) -> Rows:
    """Compare each algorithm with the mean of all by Bootstrap-A or Bootstrap-B."""
    low, high = ends
    k = low.shape[1]
    p = (
        bootstrap.bootstrap_a(
            low, method=how.method, n_resamples=how.n_resamples, rng=how.rng, scale=how.scale
        )
        if how.procedure == "bootstrap-a"
        else bootstrap.bootstrap_b(
            low,
            high,
            formulas=how.formulas,
            method=how.method,
            n_resamples=how.n_resamples,
            rng=how.rng,
            scale=how.scale,
        )
    )
    # the mean of all includes the algorithm itself, and both must use the same selection of it
    means = low.mean(axis=0), high.mean(axis=0)
    others = [(mean.sum() - mean) / k for mean in means]
    size = np.maximum(np.abs(low), np.abs(high)) if how.scale is None else how.scale
    noise = NOISE * size.max(axis=1).mean()
    gain = (
        _settled(others[0] - means[1] * (1 - 1 / k), noise),
        _settled(others[1] - means[0] * (1 - 1 / k), noise),
    )
    return Rows(p, gain, _side(*gain))


def of_pairs(p: IntervalP, ends: Ends, first: IntArray, second: IntArray, how: How) -> Rows:
    """Return the pairs with p, the mean difference, and which one the test favours."""
    noise = NOISE * _sizes(ends, first, second, how).mean(axis=-1)
    low, high = _differences(ends, first, second)
    gain = _settled(-high.mean(axis=-1), noise), _settled(-low.mean(axis=-1), noise)
    if how.test is None:  # the bootstrap tests compare means
        return Rows(p, gain, _side(*gain))
    return Rows(p, gain, _favours(ends, first, second, how))


def p_of_pairs(ends: Ends, first: IntArray, second: IntArray, how: How) -> IntervalP:
    """Return the ends of p of each pair.

    They come from the bootstrap tests, or from a test over all selections from the intervals.
    """
    if how.procedure == "bootstrap-a":
        return bootstrap.bootstrap_a_pairs(
            ends[0],
            first,
            second,
            method=how.method,
            n_resamples=how.n_resamples,
            rng=how.rng,
            scale=how.scale,
        )
    if how.procedure == "bootstrap-b":
        return bootstrap.bootstrap_b_pairs(
            *ends,
            first,
            second,
            formulas=how.formulas,
            method=how.method,
            n_resamples=how.n_resamples,
            rng=how.rng,
            scale=how.scale,
        )
    return _exact(ends, first, second, how)


def of_cuts(ends: Ends, first: IntArray, second: IntArray, how: How) -> IntervalP:
    """Return the ends of p of each pair at every coverage, in arrays (n_pairs, n_levels).

    The first axis of ``ends`` is the coverage.
    """
    # the permutation test would need much memory to treat all coverages at once
    if how.test != "permutation":
        p = _exact(ends, first, second, how)
        return IntervalP(p.p_low.T, p.p_high.T)
    levels = list(zip(*ends, strict=True))
    found = [_exact(level, first, second, how) for level in _with_bar(levels)]
    return IntervalP(
        np.stack([p.p_low for p in found], axis=1), np.stack([p.p_high for p in found], axis=1)
    )


def drawn_pairs(
    runs: Runs, of_folds: Sequence[Ends], first: IntArray, second: IntArray, how: How
) -> IntervalP:
    """Estimate the ends of p of :func:`of_cuts` from random selections of runs.

    Random selections reach only a part of the true range. A selection at one coverage is also
    a selection at every larger coverage, so the ends are nested.
    """
    low, high = np.ones((2, len(first), len(of_folds)))
    for level, ends in enumerate(_with_bar(of_folds)):
        draws = runs.drawn(*ends, how.n_resamples, how.rng)
        for pair, (one, other) in enumerate(zip(first, second, strict=True)):
            p = interval.monte_carlo(draws[:, :, one], draws[:, :, other], how.test or "")
            low[pair, level], high[pair, level] = p
    return IntervalP(np.minimum.accumulate(low, axis=1), np.maximum.accumulate(high, axis=1))


def _exact(ends: Ends, first: IntArray, second: IntArray, how: How) -> IntervalP:
    if how.test == "rank-sum":
        scale = _sizes_of_samples(first, second, how)
        return interval.rank_sum_interval(
            *_columns(ends, first), *_columns(ends, second), scale=scale
        )
    test = _OF_DIFFERENCES[how.test or ""]
    return test(*_differences(ends, first, second), scale=_sizes(ends, first, second, how))


def _favours(ends: Ends, first: IntArray, second: IntArray, how: How) -> IntArray:
    if how.test == "rank-sum":
        sizes = _sizes_of_samples(first, second, how)
        other = _columns(ends, second)
        return interval.favours(*_columns(ends, first), how.test, other=other, scale=sizes)
    low, high = _differences(ends, first, second)
    scale = _sizes(ends, first, second, how)
    return interval.favours(low, high, how.test or "", scale=scale)


def _settled(values: FloatArray, noise: npt.ArrayLike) -> FloatArray:
    """Replace values that are rounding noise by 0."""
    return np.where(np.abs(values) <= noise, 0.0, values)


def _side(low: FloatArray, high: FloatArray) -> IntArray:
    """Return 1 where the whole interval is above zero, -1 where it is below, else 0."""
    return np.asarray(np.where(high < 0, -1, np.where(low > 0, 1, 0)), dtype=np.int64)


def _differences(ends: Ends, first: IntArray, second: IntArray) -> Ends:
    """Return the ends of first minus second, in arrays (..., n_pairs, n_blocks)."""
    (low, high), (other_low, other_high) = _columns(ends, first), _columns(ends, second)
    return low - other_high, high - other_low


def _sizes(ends: Ends, first: IntArray, second: IntArray, how: How) -> FloatArray:
    """Return magnitudes that determine the rounding noise of differences, (n_pairs, n_blocks)."""
    size = np.maximum(np.abs(ends[0]), np.abs(ends[1])) if how.scale is None else how.scale
    return np.swapaxes(np.maximum(size[..., first], size[..., second]), -1, -2)


def _sizes_of_samples(
    first: IntArray, second: IntArray, how: How
) -> tuple[FloatArray, FloatArray] | None:
    return None if how.scale is None else (how.scale[:, first].T, how.scale[:, second].T)


def _columns(ends: Ends, which: IntArray) -> Ends:
    return (
        np.ascontiguousarray(np.swapaxes(ends[0][..., which], -1, -2)),
        np.ascontiguousarray(np.swapaxes(ends[1][..., which], -1, -2)),
    )


def _with_bar(levels: Sequence[_Item]) -> Iterator[_Item]:
    with Progress("coverages", len(levels)) as bar:
        for level in levels:
            yield level
            bar.update()


_OF_DIFFERENCES: Mapping[str, Callable[..., IntervalP]] = MappingProxyType(
    {
        "wilcoxon": interval.signed_rank_interval,
        "sign": interval.sign_interval,
        "t": interval.paired_t_interval,
        "permutation": permutation.sign_flips,
    }
)


Groups = tuple[tuple[str, ...], ...] | None


@dataclass(frozen=True, slots=True)
class ImpreciseFamily:
    """The algorithms and options that all hypotheses of a comparison share.

    Every adjustment is monotone in every p-value, so the adjusted lower ends and the adjusted
    upper ends enclose the adjusted p-values of every selection.
    """

    algorithms: tuple[str, ...]
    procedures: tuple[str, ...]
    alpha: float
    formulas: str

    def against_mean(self, rows: Rows) -> ImpreciseHypotheses:
        """Return the comparisons of each algorithm with the mean of all.

        Holm's procedure replaces those that are defined for pairs only.
        """
        names = dict.fromkeys(
            "holm" if PROCEDURES[name].all_pairs_only else name for name in self.procedures
        )
        ends = {
            name: IntervalP(
                *(adjust.adjust(p, name, self.alpha, formulas=self.formulas) for p in rows.p)
            )
            for name in names
        }
        return self._labelled(rows, ends, self.algorithms, None)

    def pairs(
        self,
        rows: Rows,
        first: IntArray,
        second: IntArray,
        control: int | None,
        cuts: IntervalP | None,
        coverages: FloatArray | None,
    ) -> ImpreciseHypotheses:
        """Return the comparisons of pairs, with their cuts if p is fuzzy."""
        pairs = _Pairs(self, first, second, control)
        ends = {
            name: IntervalP(*(pairs.adjusted(p, name) for p in rows.p)) for name in self.procedures
        }
        fuzzy_rows = None
        if cuts is not None and coverages is not None:
            fuzzy_rows = self._fuzzy(pairs, cuts, coverages)
        return self._labelled(
            rows,
            ends,
            tuple(self.algorithms[i] for i in first),
            tuple(self.algorithms[j] for j in second),
            fuzzy_rows,
            controlled=control is not None,
        )

    def groups(self, rows: ImpreciseHypotheses, middle: FloatArray) -> tuple[Groups, Groups]:
        """Return groups in which every pair is not rejected, and groups without a rejected one.

        The latter may contain inconclusive pairs.
        """
        place = {name: i for i, name in enumerate(self.algorithms)}
        first = np.array([place[name] for name in rows.first])
        second = np.array([place[name] for name in rows.second or ()])
        zeros = np.zeros(len(first))
        tests = posthoc.PairTests(zeros, zeros, zeros)
        family = Family(first, second, tests, len(self.algorithms), None, None)
        outcome = np.array(rows.outcome)
        closed = self._named(alike_groups(family, outcome != NOT_REJECTED, middle))
        return closed, self._named(alike_groups(family, outcome == REJECTED, middle))

    def _named(self, groups: tuple[tuple[int, ...], ...] | None) -> Groups:
        if groups is None:
            return None
        return tuple(tuple(self.algorithms[i] for i in group) for group in groups)

    def _fuzzy(self, pairs: _Pairs, cuts: IntervalP, coverages: FloatArray) -> FuzzyPValues:
        low, high = cuts
        if self.procedures:
            decisive = self.procedures[0]
            low, high = (
                np.stack([pairs.adjusted(p, decisive) for p in ends.T], axis=1) for ends in cuts
            )
        summary = fuzzy.summarise(low, high, coverages, self.alpha)
        return FuzzyPValues(
            coverages=coverages,
            low=low,
            high=high,
            possibility=summary.possibility,
            necessity=summary.necessity,
            turning=_or_none(summary.turning),
            misbehaving=_or_none(summary.misbehaving),
            midpoint=summary.midpoint,
        )

    def _labelled(
        self,
        rows: Rows,
        adjusted: dict[str, IntervalP],
        first: tuple[str, ...],
        second: tuple[str, ...] | None,
        fuzzy_rows: FuzzyPValues | None = None,
        *,
        controlled: bool = False,
    ) -> ImpreciseHypotheses:
        decisive = next(iter(adjusted.values()), rows.p)
        outcome = np.where(
            decisive.p_high <= self.alpha,
            REJECTED,
            np.where(decisive.p_low <= self.alpha, INCONCLUSIVE, NOT_REJECTED),
        )
        order = np.lexsort((rows.p.p_low, rows.p.p_high))
        favours, (low, high) = rows.favours, rows.gain
        if second is not None and not controlled:
            # of all pairs, the better algorithm comes first
            turned = (favours < 0) | ((favours == 0) & (low + high < 0))
            favours = np.where(turned, -favours, favours)
            low, high = np.where(turned, -high, low), np.where(turned, -low, high)
            pairs = np.where(turned, (second, first), (first, second))
            first, second = tuple(pairs[0].tolist()), tuple(pairs[1].tolist())
        return ImpreciseHypotheses(
            first=tuple(first[row] for row in order),
            second=None if second is None else tuple(second[row] for row in order),
            p_low=rows.p.p_low[order],
            p_high=rows.p.p_high[order],
            adjusted_low=Labelled({name: ends.p_low[order] for name, ends in adjusted.items()}),
            adjusted_high=Labelled({name: ends.p_high[order] for name, ends in adjusted.items()}),
            outcome=tuple(outcome[order].tolist()),
            favours=favours[order],
            difference_low=low[order],
            difference_high=high[order],
            fuzzy=None if fuzzy_rows is None else _sorted(fuzzy_rows, order),
        )


@dataclass(frozen=True, slots=True)
class _Pairs:
    """The pairs of a family, by index, whose p-values are adjusted together."""

    family: ImpreciseFamily
    first: IntArray
    second: IntArray
    control: int | None

    def adjusted(self, pvalues: FloatArray, procedure: str) -> FloatArray:
        """Return the adjusted p-values, in the order of the pairs."""
        tests = posthoc.PairTests(np.zeros(len(pvalues)), pvalues, np.log10(pvalues))
        family = Family(
            self.first,
            self.second,
            tests,
            len(self.family.algorithms),
            self.control,
            None,
            self.family.formulas,
        )
        return family.adjusted(procedure, self.family.alpha)[0]


def _sorted(rows: FuzzyPValues, order: IntArray) -> FuzzyPValues:
    return FuzzyPValues(
        coverages=rows.coverages,
        low=rows.low[order],
        high=rows.high[order],
        possibility=rows.possibility[order],
        necessity=rows.necessity[order],
        turning=tuple(rows.turning[row] for row in order),
        misbehaving=tuple(rows.misbehaving[row] for row in order),
        midpoint=rows.midpoint[order],
    )


def _or_none(values: FloatArray) -> tuple[float | None, ...]:
    return tuple(None if np.isnan(value) else float(value) for value in values)
