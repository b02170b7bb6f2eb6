"""A family of hypotheses: its pairs, their tests, and what procedures make of them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from nbcompare._arrays import BoolArray, FloatArray, IntArray
from nbcompare._options import SINGLE_STEP
from nbcompare.stats import adjust, critical, groups, posthoc


@dataclass(frozen=True, slots=True)
class Family:
    """Pairs of algorithms by index, tested; all pairs, or a control (first) with the others."""

    first: IntArray
    second: IntArray
    tests: posthoc.PairTests
    k: int
    control: int | None

    def adjusted(self, procedure: str, alpha: float) -> tuple[FloatArray, FloatArray]:
        """Adjusted p-values and their log10, in the order of the pairs."""
        if procedure == "nemenyi":
            return posthoc.nemenyi_pvalues(self.tests.statistic, self.k)
        return (
            adjust.adjust(self.tests.pvalue, procedure, alpha),
            adjust.adjust(self.tests.log10_pvalue, procedure, alpha, log10=True),
        )


def critical_difference(
    family: Family, procedures: tuple[str, ...], error: float, alpha: float
) -> float | None:
    """Of average ranks, if the deciding procedure has one and the ranks are not all tied."""
    if not procedures or procedures[0] not in SINGLE_STEP or error == 0:
        return None
    if procedures[0] == "nemenyi":
        return critical.nemenyi_quantile(family.k, alpha) * error
    return critical.bonferroni_quantile(len(family.first), alpha) * error


def average_rank_groups(
    family: Family, rejected: BoolArray, averages: FloatArray
) -> tuple[tuple[int, ...], ...]:
    """Maximal groups not shown to differ, each and all sorted from best to worst."""
    order = np.argsort(averages, kind="stable")
    place = np.empty(family.k, dtype=np.int64)
    place[order] = np.arange(family.k)
    different = np.zeros((family.k, family.k), dtype=np.bool_)
    first, second = place[family.first], place[family.second]
    different[first, second] = different[second, first] = rejected
    found = groups.maximal_groups(different)
    return tuple(tuple(int(order[i]) for i in group) for group in found)
