"""A family of hypotheses: its pairs, their tests, and what procedures make of them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from nbcompare._arrays import BoolArray, FloatArray, IntArray
from nbcompare._options import SINGLE_STEP
from nbcompare.stats import adjust, critical, groups, logical, posthoc


@dataclass(frozen=True, slots=True)
class Family:
    """Pairs of algorithms by index, tested; all pairs, or a control (first) with the others."""

    first: IntArray
    second: IntArray
    tests: posthoc.PairTests
    k: int
    control: int | None
    positions: FloatArray | None  # whose distances p falls with, if it falls with any
    formulas: str = "corrected"

    def adjusted(self, procedure: str, alpha: float) -> tuple[FloatArray, FloatArray]:
        """Adjusted p-values and their log10, in the order of the pairs."""
        if procedure == "nemenyi":
            return posthoc.nemenyi_pvalues(self.tests.statistic, self.k)
        if procedure == "bergmann-hommel":  # the programs print the running maximum
            both = logical.bergmann_hommel_with_logs(
                self._matrix(self.tests.pvalue),
                self._matrix(self.tests.log10_pvalue),
                self.positions,
                monotone=self.formulas == "printed",
            )
            return both[0][self.first, self.second], both[1][self.first, self.second]
        return (
            self._adjusted(self.tests.pvalue, procedure, alpha, log10=False),
            self._adjusted(self.tests.log10_pvalue, procedure, alpha, log10=True),
        )

    def _adjusted(
        self, pvalues: FloatArray, procedure: str, alpha: float, *, log10: bool
    ) -> FloatArray:
        if procedure == "shaffer":
            return logical.shaffer(self._matrix(pvalues), log10=log10)[self.first, self.second]
        return adjust.adjust(pvalues, procedure, alpha, log10=log10, formulas=self.formulas)

    def _matrix(self, pvalues: FloatArray) -> FloatArray:
        matrix = np.zeros((self.k, self.k))
        matrix[self.first, self.second] = matrix[self.second, self.first] = pvalues
        return matrix


def critical_difference(
    family: Family, procedures: tuple[str, ...], error: float | None, alpha: float
) -> float | None:
    """Of average ranks, if they decide by one and are not all tied."""
    if not procedures or procedures[0] not in SINGLE_STEP or not error or family.positions is None:
        return None
    if procedures[0] == "nemenyi":
        return critical.nemenyi_quantile(family.k, alpha) * error
    if procedures[0] == "sidak":
        level = float(adjust.adjusted_alphas(len(family.first), "sidak", alpha)[0])
        return critical.bonferroni_quantile(1, level) * error
    return critical.bonferroni_quantile(len(family.first), alpha) * error


def alike_groups(
    family: Family, rejected: BoolArray, averages: FloatArray
) -> tuple[tuple[int, ...], ...] | None:
    """Maximal groups not shown to differ, each and all sorted from best to worst.

    None if there are more than anyone could read, as tests of pairs by themselves can make.
    """
    order = np.argsort(averages, kind="stable")
    place = np.empty(family.k, dtype=np.int64)
    place[order] = np.arange(family.k)
    different = np.zeros((family.k, family.k), dtype=np.bool_)
    first, second = place[family.first], place[family.second]
    different[first, second] = different[second, first] = rejected
    try:
        found = groups.maximal_groups(different)
    except groups.TooManyGroupsError:
        return None
    return tuple(tuple(int(order[i]) for i in group) for group in found)
