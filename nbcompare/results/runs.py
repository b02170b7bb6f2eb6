"""The result of comparing algorithms by independent runs on one data set."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from nbcompare._arrays import FloatArray
from nbcompare._render import format_number
from nbcompare.results import runs_account as account
from nbcompare.results._cited import Cited
from nbcompare.results.labelled import Labelled
from nbcompare.results.within import WithinComparison, is_turned
from nbcompare.words import PAIR_TESTS

_TEST = PAIR_TESTS["rank-sum"]
CITES = (*_TEST.cites, "hodges1963", "vargha2000")


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class RunComparison(WithinComparison):
    """A comparison of algorithms by independent runs, such as random seeds, on one data set.

    :func:`nbcompare.compare_runs` returns it; it displays itself. ``lower`` and ``upper`` are ends
    of intervals of the shift. What it has beside the attributes of :class:`WithinComparison`:

    Attributes
    ----------
    n_runs : mapping of str to int
        Numbers of runs, by algorithm.
    is_exact : bool
        Whether every p counts all ways to choose the ranks of an algorithm; else some come from the
        normal law.
    medians, deviations : mapping of str to float
        Medians and standard deviations of the scores over the runs, in units of the measure, by
        algorithm.
    shift : ndarray of float
        Hodges and Lehmann's shift of each pair, in the order of the hypotheses: the median of all
        differences of a run of the first and a run of the second, positive where the first is
        better, in units of the measure.
    superiority, superiority_lower, superiority_upper : ndarray of float
        Vargha and Delaney's A12 of each pair, the probability that a run of the first is better
        than a run of the second, where a tie counts one half, with the ends of simultaneous
        intervals.
    """

    n_runs: Labelled[int]
    is_exact: bool
    medians: Labelled[float]
    deviations: Labelled[float]
    shift: FloatArray
    superiority: FloatArray
    superiority_lower: FloatArray
    superiority_upper: FloatArray

    @property
    def extent(self) -> str:
        """The runs in words, such as ``30 runs each`` or ``10 to 30 runs each``."""
        low, high = min(self.n_runs.values()), max(self.n_runs.values())
        return f"{low:,} runs each" if low == high else f"{low:,} to {high:,} runs each"

    @property
    def test_label(self) -> str:
        """Name of the test of a pair, for a sentence."""
        return _TEST.label

    @property
    def statistic_name(self) -> str:
        """Name of the statistic of a pair, at the head of a column."""
        return "U − mn/2"

    @property
    def about_test(self) -> str:
        """The test of a pair with its law, for a caption."""
        return f"{_TEST.label}, {'exact p' if self.is_exact else 'p exact or by the normal law'}"

    @property
    def spread(self) -> tuple[str, Labelled[float]]:
        """What stands beside the means, with its heading."""
        return "standard deviation", self.deviations

    @property
    def differences(self) -> FloatArray:
        """Estimated differences of the pairs, in the order of the hypotheses."""
        return self.shift

    @property
    def difference_name(self) -> str:
        """What the differences are, in the singular."""
        return "Hodges–Lehmann shift"

    @property
    def omnibus_name(self) -> str:
        """The statistic of the test of any difference, with its authors."""
        return "Kruskal and Wallis' H"

    @property
    def hypothesis(self) -> str:
        """What is tested of a pair."""
        return f"the runs of two algorithms on {self.where} have the same distribution"

    @property
    def cites(self) -> tuple[str, ...]:
        """Keys of the literature on the test, shift and A12."""
        return (*CITES, *(("kruskal1952",) if self.omnibus is not None else ()))

    def _columns_of_test(self) -> dict[str, Any]:
        return {
            "shift": self.shift,
            "superiority": self.superiority,
            "superiority_lower": self.superiority_lower,
            "superiority_upper": self.superiority_upper,
        }

    def _effects(self) -> Mapping[str, Sequence[str]]:
        columns = (self.superiority, self.superiority_lower, self.superiority_upper)
        turned = [is_turned(self, row) for row in range(len(self.hypotheses))]
        ends = ((0, 0), (2, 1), (1, 2))
        mirrored = [np.where(turned, 1 - columns[i], columns[j]) for i, j in ends]
        rows = [[format_number(it, 2) for it in row] for row in np.transpose(mirrored).tolist()]
        heading = f"A12, {self.confidence:.4g} interval"
        return {heading: [f"{value} [{low}, {high}]" for value, low, high in rows]}

    def _account(self) -> tuple[tuple[str, ...], ...]:
        return account.findings(self)

    def _methods(self, cite: Cited) -> tuple[str, ...]:
        return account.methods(self, cite)

    def _method_of_test(self) -> tuple[tuple[str, str], ...]:
        return (
            ("runs", self.extent),
            ("test", f"{_TEST.label}, two-sided; {self.about_test.rpartition(', ')[2]}"),
            ("difference", f"{self.difference_name}, {self.design.minus()}"),
            ("A12", "probability that a run of the first is better, ties count one half"),
            ("intervals", self._level_of_intervals),
        )
