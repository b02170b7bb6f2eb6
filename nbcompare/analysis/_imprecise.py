"""Interval-valued and fuzzy p-values of pairs, from the runs of each block."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from types import MappingProxyType
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from nbcompare._arrays import NOISE, BoolArray, FloatArray, IntArray
from nbcompare._options import AUTO, MAXIMIZE
from nbcompare._progress import Progress
from nbcompare._render import Note
from nbcompare._validation import DataError
from nbcompare.analysis._family import Family, alike_groups
from nbcompare.analysis.data import check_several_algorithms, check_several_datasets, in_order
from nbcompare.experiment import Experiment
from nbcompare.results import FuzzyPValues, ImpreciseHypotheses, Labelled
from nbcompare.results.imprecise import INCONCLUSIVE, NOT_REJECTED, REJECTED
from nbcompare.results.texts import note
from nbcompare.stats import adjust, bootstrap, fuzzy, interval, permutation, posthoc
from nbcompare.stats.laws import IntervalP
from nbcompare.stats.rankings import midranks
from nbcompare.words import PROCEDURES

# Encodings whose intervals at all coverages are nested, as the cuts of a fuzzy set are
_NESTED = ("central", "bootstrap-mean")
# Lower and upper ends of intervals, by block and algorithm; an axis for the coverage may come first
Ends = tuple[FloatArray, FloatArray]


@dataclass(frozen=True, eq=False)
class Runs:
    """Scores of the runs, smaller is better, by block, algorithm, fold and run.

    A block is a data set with its folds, or a fold of the only data set. NaN pads folds
    with fewer runs, and data sets with fewer folds than others.
    """

    lower: FloatArray
    upper: FloatArray
    algorithms: tuple[str, ...]
    names: tuple[str, ...]  # names of the blocks
    by_fold: bool  # True if the blocks are folds
    filled: bool = False  # True if intervals of all observed scores replace missing folds

    @cached_property
    def counts(self) -> IntArray:
        """Numbers of runs by block, algorithm and fold."""
        return np.asarray(np.count_nonzero(~np.isnan(self.lower), axis=3), dtype=np.int64)

    @cached_property
    def made(self) -> BoolArray:
        """A mask, by block and fold, of the folds on which any algorithm was run."""
        return np.asarray(self.counts.any(axis=1), dtype=np.bool_)

    @cached_property
    def missing(self) -> BoolArray:
        """A mask, by block, algorithm and fold, of folds on which only others were run."""
        return np.asarray((self.counts == 0) & self.made[:, np.newaxis, :], dtype=np.bool_)

    @cached_property
    def used(self) -> BoolArray:
        """A mask, by block, algorithm and fold, of the folds that enter the means."""
        if self.filled:
            return np.broadcast_to(self.made[:, np.newaxis, :], self.counts.shape)
        return np.asarray(self.counts > 0, dtype=np.bool_)

    @cached_property
    def deterministic(self) -> BoolArray:
        """A mask of the algorithms whose runs of a fold are all the same, in every fold."""
        low, high = fuzzy.consolidate(self.lower, self.upper, "range")
        return np.asarray(((low == high) | (self.counts == 0)).all(axis=(0, 2)), dtype=np.bool_)

    @cached_property
    def repeated(self) -> BoolArray:
        """A mask of the algorithms with more than one run of some fold."""
        return np.asarray((self.counts > 1).any(axis=(0, 2)), dtype=np.bool_)

    @cached_property
    def sizes(self) -> FloatArray | None:
        """Magnitudes, by block and algorithm, of scores that are consolidated or averaged.

        They determine the size of rounding noise. None if the scores are used as they were read.
        """
        if self.lower.shape[2] * self.lower.shape[3] == 1:
            return None
        size = np.fmax(np.abs(self.lower), np.abs(self.upper))
        return np.asarray(np.where(np.isnan(size), 0.0, size).max(axis=(2, 3)), dtype=np.float64)

    def by_ranks(self, *, negated: bool) -> Runs:
        """Return the runs by their relative ranks among all runs of their block and fold.

        The relative rank of a score is the share of the scores that are smaller, with half of those
        that tie. Ends of intervals are ranked together. If the scores are ``negated``, so that
        smaller is better, the ranks are so too.
        """
        shift = 1.0 if negated else 0.0  # the relative rank of a negated score is 1 minus its own
        ends = np.stack([self.lower, self.upper] if self.upper is not self.lower else [self.lower])
        ranks = np.full(ends.shape, np.nan)
        for block, fold in np.argwhere(self.made):
            here = ends[:, block, :, fold]
            known = ~np.isnan(here)
            n = int(known.sum())
            ranks[:, block, :, fold][known] = (midranks(here[known]) - 0.5) / n - shift
        return replace(self, lower=ranks[0], upper=ranks[-1] if len(ends) > 1 else ranks[0])

    def consolidated(self, encoding: str, coverage: float | None) -> Ends:
        """Return the ends by block and algorithm: the means of those of the folds."""
        return self.over_folds(*self.of_folds(encoding, coverage))

    def of_folds(self, encoding: str, coverage: float | None) -> Ends:
        """Return the ends by block, algorithm and fold; NaN where no fold was made."""
        if coverage is not None and encoding in _NESTED:
            low, high = self._cuts(encoding, np.array([coverage]))
            return self._filled(low[0], high[0])
        low, high = fuzzy.consolidate(self.lower, self.upper, encoding, coverage)
        return self._filled(low, high)

    def cuts(self, encoding: str, coverages: FloatArray) -> Ends:
        """Return the ends by coverage, block and algorithm."""
        return self.over_folds(*self._filled(*self._cuts(encoding, coverages)))

    def over_folds(self, low: FloatArray, high: FloatArray) -> Ends:
        """Return the means of the ends over the last axis, the folds that are used."""
        used = self.used
        n_used = used.sum(axis=2)
        means = [np.where(used, ends, 0.0).sum(axis=-1) / n_used for ends in (low, high)]
        return means[0], means[1]

    def _cuts(self, encoding: str, coverages: FloatArray) -> Ends:
        if encoding == "bootstrap-mean":
            return fuzzy.bootstrap_mean_cuts(self.lower, coverages)
        return fuzzy.central_cuts(self.lower, self.upper, coverages)

    def _filled(self, low: FloatArray, high: FloatArray) -> Ends:
        """Replace the ends of missing folds by the least and greatest score of the data set."""
        missing = self.missing
        if not self.filled or not missing.any():
            return low, high
        rest = (0, 1, 2, 3) if self.by_fold else (1, 2, 3)
        least = np.nanmin(self.lower, axis=rest, keepdims=True)[..., 0]
        most = np.nanmax(self.upper, axis=rest, keepdims=True)[..., 0]
        return np.where(missing, least, low), np.where(missing, most, high)


def settled_blocks(experiment: Experiment, blocks: str) -> str:
    """Return ``datasets`` or ``folds``, or raise an error if there are fewer than 2 of them."""
    single = experiment.n_datasets == 1
    settled = blocks if blocks != AUTO else "folds" if single else "datasets"
    count, noun = (
        (experiment.n_datasets, "data set")
        if settled == "datasets"
        else (experiment.n_folds, "fold")
    )
    if count < 2:
        if single and experiment.n_folds == 1:
            check_several_datasets(experiment)
        raise DataError(
            f"`experiment` must hold at least 2 {noun}s to compare algorithms on; got {count}."
        )
    return settled


def runs_of(experiment: Experiment, blocks: str, *, filled: bool) -> tuple[Runs, tuple[Note, ...]]:
    """Return the runs by block; missing folds are ``filled`` with intervals later, with a note.

    Blocks and folds are in the order of their labels, and the runs of a fold in that of their
    scores, so that random draws do not depend on the order of the data.
    Otherwise the available folds represent their data set.
    """
    check_several_algorithms(experiment)
    by_fold = blocks == "folds"
    rows, folds = in_order(experiment.datasets), in_order(experiment.folds)
    lower, upper = (ends[rows][:, :, folds] for ends in (experiment.lower, experiment.upper))
    places = np.lexsort((upper, lower))
    lower, upper = (np.take_along_axis(ends, places, axis=3) for ends in (lower, upper))
    if by_fold:  # each fold becomes a block with one fold
        lower, upper = (ends[0].swapaxes(0, 1)[:, :, np.newaxis] for ends in (lower, upper))
    if experiment.direction == MAXIMIZE:
        lower, upper = -upper, -lower
    if not experiment.is_interval:
        upper = lower
    labels, order = (experiment.folds, folds) if by_fold else (experiment.datasets, rows)
    names = tuple(labels[place] for place in order)
    runs = Runs(lower, upper, experiment.algorithms, names, by_fold, filled)
    count = int(runs.missing.sum()) if filled else 0
    return runs, (note("missing-interval", n=count),) if count else ()


_Item = TypeVar("_Item")


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

    @property
    def draws(self) -> dict[str, Any]:
        """What the bootstrap tests take."""
        names = ("method", "n_resamples", "rng", "scale")
        return {name: getattr(self, name) for name in names}


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
        bootstrap.bootstrap_a(low, **how.draws)
        if how.procedure == "bootstrap-a"
        else bootstrap.bootstrap_b(low, high, formulas=how.formulas, **how.draws)
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
        return bootstrap.bootstrap_a_pairs(ends[0], first, second, **how.draws)
    if how.procedure == "bootstrap-b":
        formulas = how.formulas
        return bootstrap.bootstrap_b_pairs(*ends, first, second, formulas=formulas, **how.draws)
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

        def adjusted(p: FloatArray, procedure: str) -> FloatArray:
            tests = posthoc.PairTests(np.zeros(len(p)), p, np.log10(p))
            k = len(self.algorithms)
            family = Family(first, second, tests, k, control, None, self.formulas)
            return family.adjusted(procedure, self.alpha)[0]

        ends = {name: IntervalP(*(adjusted(p, name) for p in rows.p)) for name in self.procedures}
        fuzzy_rows = None
        if cuts is not None and coverages is not None:
            low, high = cuts
            for procedure in self.procedures[:1]:
                low, high = (
                    np.stack([adjusted(p, procedure) for p in ends.T], axis=1) for ends in cuts
                )
            fuzzy_rows = low, high, coverages
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

    def _labelled(
        self,
        rows: Rows,
        adjusted: dict[str, IntervalP],
        first: tuple[str, ...],
        second: tuple[str, ...] | None,
        cuts: tuple[FloatArray, FloatArray, FloatArray] | None = None,
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
            fuzzy=None if cuts is None else self._fuzzy(cuts[0][order], cuts[1][order], cuts[2]),
        )

    def _fuzzy(self, low: FloatArray, high: FloatArray, coverages: FloatArray) -> FuzzyPValues:
        """Return fuzzy p-values of the hypotheses in their order, by the cuts of each."""
        found = fuzzy.summarise(low, high, coverages, self.alpha)
        turning, misbehaving = _or_none(found.turning), _or_none(found.misbehaving)
        known = found._asdict() | {"turning": turning, "misbehaving": misbehaving}
        return FuzzyPValues(coverages=coverages, low=low, high=high, **known)


def _or_none(values: FloatArray) -> tuple[float | None, ...]:
    return tuple(None if np.isnan(value) else float(value) for value in values)
