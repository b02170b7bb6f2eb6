"""The result of comparing algorithms by independent runs on one data set."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from nbcompare._arrays import FloatArray
from nbcompare._render import format_number
from nbcompare.results._findings import caveat
from nbcompare.results._methods import Cited
from nbcompare.results.labelled import Labelled
from nbcompare.results.within import WithinComparison, is_turned
from nbcompare.results.wording import percent
from nbcompare.words import PAIR_TESTS

_TEST = PAIR_TESTS["rank-sum"]
_ABOUT = "the conclusions are about this data set, or problem, alone, and about independent runs."


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

    _omnibus_name = ("Kruskal and Wallis' H", "kruskal1952")

    @property
    def hypothesis(self) -> str:
        """What is tested of a pair."""
        return f"the runs of two algorithms on {self.where} have the same distribution"

    def _columns_of_test(self) -> dict[str, Any]:
        return {
            "shift": self.shift,
            "superiority": self.superiority,
            "superiority_lower": self.superiority_lower,
            "superiority_upper": self.superiority_upper,
        }

    def _effects(self, rows: Sequence[int]) -> Mapping[str, Sequence[str]]:
        told = []
        for row in rows:
            ends = self.superiority[row], self.superiority_lower[row], self.superiority_upper[row]
            if is_turned(self, row):
                ends = 1 - ends[0], 1 - ends[2], 1 - ends[1]
            value, low, high = (format_number(float(end), 2) for end in ends)
            told.append(f"{value} ({low} to {high})")
        return {f"A12 ({percent(self.confidence)} interval)": told}

    def _account(self) -> tuple[tuple[str, ...], ...]:
        told = caveat(self, _ABOUT, but=("never-significant",))
        return self._answer(), (self._how_often(),), (told,)

    def _how_often(self) -> str:
        """Say how often a run of the best is better than one of the others."""
        tests, best = self.hypotheses, self.ordered[0]
        found = [
            float(value) if first == best else 1 - float(value)
            for first, second, value in zip(
                tests.first, tests.second, self.superiority, strict=True
            )
            if best in (first, second)
        ]
        low, high = (format_number(end, 2) for end in (min(found), max(found)))
        if len(found) == 1 or low == high:
            whom = "the other one" if len(self.mean_scores) == 2 else "any other algorithm"
            return f"A run of {best} is better than one of {whom} with probability {low} (A12)."
        return (
            f"A run of {best} is better than one of the others with probability {low} to {high}, "
            "depending on which (A12)."
        )

    def _methods(self, cite: Cited) -> tuple[str, ...]:
        law = "exact" if self.is_exact else "exact, or by the normal law for many runs"
        return self._methods_by("runs", cite, words=_TEST, law=law)
