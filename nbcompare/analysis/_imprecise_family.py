"""From ends of p-values to rows that are adjusted, decided, sorted and labelled."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from nbcompare._arrays import FloatArray, IntArray
from nbcompare._options import ALL_PAIRS_ONLY, MAXIMIZE
from nbcompare.analysis._imprecise import Rows
from nbcompare.analysis._posthoc import Family, alike_groups
from nbcompare.results import FuzzyPValues, ImpreciseHypotheses, Labelled
from nbcompare.results.imprecise import INCONCLUSIVE, NOT_REJECTED, REJECTED
from nbcompare.stats import adjust, fuzzy, posthoc
from nbcompare.stats._imprecise import IntervalP

Groups = tuple[tuple[str, ...], ...] | None


@dataclass(frozen=True, slots=True)
class ImpreciseFamily:
    """What all hypotheses of a comparison share.

    Every adjustment is monotone in every p-value, so the adjusted lower ends and the adjusted
    upper ends enclose the adjusted p-values of every selection.
    """

    algorithms: tuple[str, ...]
    procedures: tuple[str, ...]
    alpha: float
    formulas: str
    direction: str

    def against_mean(self, rows: Rows) -> ImpreciseHypotheses:
        """Each algorithm against the mean of all; Holm for procedures about pairs alone."""
        names = dict.fromkeys(
            "holm" if name in ALL_PAIRS_ONLY else name for name in self.procedures
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
        """Each pair, with its cuts if p is fuzzy."""
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
        )

    def groups(self, rows: ImpreciseHypotheses, middle: FloatArray) -> tuple[Groups, Groups]:
        """Groups in which every pair is not rejected, and groups in which none is rejected."""
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
    ) -> ImpreciseHypotheses:
        decisive = next(iter(adjusted.values()), rows.p)
        outcome = np.where(
            decisive.p_high <= self.alpha,
            REJECTED,
            np.where(decisive.p_low <= self.alpha, INCONCLUSIVE, NOT_REJECTED),
        )
        order = np.lexsort((rows.p.p_low, rows.p.p_high))
        low, high = rows.difference
        if self.direction == MAXIMIZE:
            low, high = -high, -low
        return ImpreciseHypotheses(
            first=tuple(first[row] for row in order),
            second=None if second is None else tuple(second[row] for row in order),
            p_low=rows.p.p_low[order],
            p_high=rows.p.p_high[order],
            adjusted_low=Labelled({name: ends.p_low[order] for name, ends in adjusted.items()}),
            adjusted_high=Labelled({name: ends.p_high[order] for name, ends in adjusted.items()}),
            outcome=tuple(outcome[order].tolist()),
            favours=rows.favours[order],
            difference_low=low[order],
            difference_high=high[order],
            fuzzy=None if fuzzy_rows is None else _sorted(fuzzy_rows, order),
        )


@dataclass(frozen=True, slots=True)
class _Pairs:
    """Pairs whose p-values one after the other are adjusted by procedures about them."""

    family: ImpreciseFamily
    first: IntArray
    second: IntArray
    control: int | None

    def adjusted(self, pvalues: FloatArray, procedure: str) -> FloatArray:
        """Adjusted p-values, in the order of the pairs."""
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
