"""Results on the items of one or more benchmarks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from nbcompare._arrays import BoolArray, FloatArray, LockedArrays
from nbcompare._render import Part, Table, format_p, format_rounded
from nbcompare._validation import check_choice
from nbcompare.results._result import Sections
from nbcompare.results.labelled import Labelled, frame_of_cells, significant, table_of
from nbcompare.results.sentences import caveat
from nbcompare.results.texts import Cited
from nbcompare.results.within import WithinComparison
from nbcompare.results.wording import in_measure
from nbcompare.words import ITEM_TESTS

if TYPE_CHECKING:
    import pandas as pd


_ABOUT = "The conclusions are about items like these; they say nothing about other kinds of tasks."
_MOST_PAIRS = 20  # rows of a table of pairs by benchmark, which a page has room for


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class EachBenchmark(LockedArrays):
    """The same comparison on each of several benchmarks.

    Attributes
    ----------
    mean_scores : ndarray of float, shape (n_benchmarks, n_algorithms)
        Mean scores, algorithms in the order of the data.
    difference, lower, upper : ndarray of float, shape (n_benchmarks, n_pairs)
        Mean differences of the pairs, in the order of the hypotheses, and the ends of intervals
        that hold together over all pairs and benchmarks.
    pvalue, adjusted : ndarray of float, shape (n_benchmarks, n_pairs)
        p-values, and these adjusted by Holm's procedure over all pairs and benchmarks.
    rejected : ndarray of bool, shape (n_benchmarks, n_pairs)
        Whether the adjusted p-value is at most alpha.
    """

    mean_scores: FloatArray
    difference: FloatArray
    lower: FloatArray
    upper: FloatArray
    pvalue: FloatArray
    adjusted: FloatArray
    rejected: BoolArray


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class ItemComparison(WithinComparison):
    """A comparison of algorithms on the items of one or more benchmarks.

    :func:`nbcompare.compare_items` returns it; it displays itself. What it has beside the
    attributes of :class:`WithinComparison`, and sections ``benchmarks`` (means) and
    ``benchmark-pairs`` if there are several:

    Attributes
    ----------
    benchmarks : tuple of str
        The benchmarks. Means and differences are means over them, all of the same weight.
    n_items : tuple of int
        Numbers of items of each benchmark on which the algorithms are compared.
    n_clusters : tuple of int
        Numbers of clusters of these; empty if items are independent.
    test : {"mcnemar", "sign-flip"}
        The test of a pair.
    is_exact : bool
        Whether p counts all choices of signs; else some are saddlepoint approximations.
    errors : mapping of str to float
        Standard errors of the mean scores, in units of the measure, by algorithm.
    detectable : ndarray of float
        Difference of each pair, in the order of the hypotheses, that would be found with
        probability 0.8 at the level alpha divided by the number of pairs.
    each : EachBenchmark or None
        The comparison on every benchmark, if there are several.
    """

    benchmarks: tuple[str, ...]
    n_items: tuple[int, ...]
    n_clusters: tuple[int, ...]
    test: str
    is_exact: bool
    errors: Labelled[float]
    detectable: FloatArray
    each: EachBenchmark | None = None

    @property
    def extent(self) -> str:
        """The items in words, such as ``1,319 items`` or ``1,200 items in 300 clusters``."""
        clusters = f" in {sum(self.n_clusters):,} clusters" if self.n_clusters else ""
        return f"{sum(self.n_items):,} items{clusters}"

    @property
    def where(self) -> str:
        """The benchmarks in words."""
        if len(self.benchmarks) > 1:
            return f"{len(self.benchmarks)} benchmarks"
        return "this benchmark" if self.dataset is None else self.dataset

    @property
    def test_label(self) -> str:
        """Name of the test of a pair, for a sentence."""
        return ITEM_TESTS[self.test].label

    @property
    def statistic_name(self) -> str:
        """Name of the statistic of a pair, at the head of a column."""
        return ITEM_TESTS[self.test].statistic

    @property
    def about_test(self) -> str:
        """The test of a pair with its law, for a caption."""
        return (
            f"{self.test_label}, {'exact p' if self.is_exact else 'p exact or by the saddlepoint'}"
        )

    @property
    def spread(self) -> tuple[str, Labelled[float]]:
        """What stands beside the means, with its heading."""
        return "standard error", self.errors

    _omnibus_name = ("Cochran's Q", "cochran1950")

    @property
    def hypothesis(self) -> str:
        """What is tested of a pair."""
        return f"swapping two algorithms changes nothing on the items of {self.where}"

    def to_frame(self, which: str = "overall") -> pd.DataFrame:
        """Return the hypotheses as a pandas dataframe, one row each.

        Parameters
        ----------
        which : {"overall", "benchmarks"}
            The hypotheses on the means over benchmarks; or a row for each pair and benchmark.

        Returns
        -------
        pandas.DataFrame
            Columns first, second, mean_difference, lower, upper, statistic, detectable, pvalue,
            log10_pvalue, wins, ties, losses, one column of adjusted p-values per procedure, and
            rejected; by benchmark benchmark, first, second, mean_difference, lower, upper, pvalue,
            holm and rejected.
        """
        check_choice(which, "which", ("overall", "benchmarks"))
        if which == "overall":
            return super().to_frame()
        if self.each is None:
            frame = super().to_frame()
            frame.insert(0, "benchmark", self.benchmarks[0])
            return frame
        tests, each = self.hypotheses, self.each
        cells = {
            "first": np.array(tests.first, dtype=object),
            "second": np.array(tests.second, dtype=object),
            "mean_difference": each.difference,
            "lower": each.lower,
            "upper": each.upper,
            "pvalue": each.pvalue,
            "holm": each.adjusted,
            "rejected": each.rejected,
        }
        axes = {"benchmark": self.benchmarks, "pair": range(len(tests))}
        return frame_of_cells(axes, cells).drop(columns="pair")

    def _statistic_text(self, row: int) -> str:
        if self.test == "mcnemar":  # a number of items
            return f"{abs(self.hypotheses.statistic[row]):,.0f}"
        return super()._statistic_text(row)

    def _columns_of_test(self) -> dict[str, Any]:
        return {"detectable": self.detectable}

    def _account(self) -> tuple[tuple[str, ...], ...]:
        firmness = ["Each benchmark counts the same."] if self.each else []
        largest = float(self.detectable.max())
        # nothing would be found where no two differ on any item, or so few say nothing
        if largest > 0 and "never-significant" not in {note.code for note in self.notes}:
            together = "" if len(self.hypotheses) == 1 else ", whichever pair it is of,"
            size = in_measure(self.design, format_rounded(largest))
            firmness.append(
                f"A difference of {size}{together} would be found with probability 0.8 on as many "
                "items; smaller ones are often missed."
            )
        told = caveat(self, but=("never-significant",)) or f"Read with care: {_ABOUT}"
        return self._answer(), tuple(firmness), (told,)

    def _methods(self, cite: Cited) -> tuple[str, ...]:
        several, flips = len(self.benchmarks) > 1, ""
        if self.n_clusters:
            flips = ", with the signs of whole clusters flipped and standard errors of cluster sums"
        return self._methods_by(
            "items",
            cite,
            words=ITEM_TESTS[self.test],
            over=", means over benchmarks of the same weight" if several else "",
            article="" if self.test == "mcnemar" else "the ",
            law="exact" if self.is_exact else "exact, or by the saddlepoint",
            flips=flips,
            several="" if several else None,
        )

    def _tables(self) -> tuple[Part, ...]:
        return (*([self._overview(self.each)] if self.each else []), *super()._tables())

    def _sections(self) -> Sections:
        found, each = dict(super()._sections()), self.each
        if each is None:
            return found
        return {
            "benchmarks": lambda: self._overview(each),
            **found,
            "benchmark-pairs": lambda: self._by_benchmark(each),
        }

    def _overview(self, each: EachBenchmark) -> Table:
        """Return the means of all algorithms on all benchmarks, marked where they are worse."""
        names, means = list(self.mean_scores), each.mean_scores
        gains = float(self.design.gain_signs[0]) * means
        worse = self._worse_than_best(each)
        order = [names.index(name) for name in self.ordered]
        rows: list[Sequence[str]] = []  # of algorithms, by benchmark
        for b in range(len(self.benchmarks)):
            marks = np.where(gains[b] == gains[b].max(), " (best)", "")
            marks = np.where(worse[b] & (marks == ""), " (worse)", marks)
            rows.append([f"{self.size(float(means[b, j]))}{marks[j]}" for j in order])
        rows.append([self.size(self.mean_scores[name]) for name in self.ordered])
        caption = (
            f"Means of {self.design.measure or 'the scores'} on each benchmark "
            f"({self.design.better}); worse: significantly worse than the best of the "
            f"benchmark (Holm over all pairs and benchmarks, α = {self.alpha:g})"
        )
        axes = {"algorithm": self.ordered, "benchmark": (*self.benchmarks, "all")}
        if len(self.benchmarks) > len(names):  # the longer axis goes down
            axes, rows = dict(reversed(axes.items())), list(zip(*rows, strict=True))
        (side, down), (_, across) = axes.items()
        return table_of({side: down}, dict(zip(across, rows, strict=True)), caption)

    def _worse_than_best(self, each: EachBenchmark) -> BoolArray:
        """Return which algorithms are significantly worse than the best of each benchmark."""
        names, tests = list(self.mean_scores), self.hypotheses
        sign = float(self.design.gain_signs[0])
        best = (sign * each.mean_scores).argmax(axis=1)
        worse = np.zeros(each.mean_scores.shape, dtype=np.bool_)
        for row, pair in enumerate(zip(tests.first, tests.second, strict=True)):
            first, second = map(names.index, pair)
            for b in np.flatnonzero(each.rejected[:, row]):
                behind = second if each.difference[b, row] > 0 else first
                if best[b] in (first, second):
                    worse[b, behind] = True
        return worse

    def _by_benchmark(self, each: EachBenchmark) -> Table:
        """Return the pairs on each benchmark, those that are rejected first."""
        tests, m = self.hypotheses, len(self.hypotheses)
        order = np.lexsort((each.pvalue.ravel(), ~each.rejected.ravel()))
        hidden = max(0, len(order) - _MOST_PAIRS * len(self.benchmarks))
        cells = [divmod(place, m) for place in order[: len(order) - hidden].tolist()]
        pairs, ends = [], []
        for b, row in cells:
            is_turned = each.difference[b, row] < 0
            pairs.append((tests.first[row], tests.second[row])[:: -1 if is_turned else 1])
            low, high = float(each.lower[b, row]), float(each.upper[b, row])
            ends.append((-high, -low) if is_turned else (low, high))
        texts = {
            "benchmark": [self.benchmarks[b] for b, _ in cells],
            "first": [a for a, _ in pairs],
            "second": [b for _, b in pairs],
        }
        numbers = {
            "difference": [self.size(abs(float(each.difference[cell]))) for cell in cells],
            f"{self.confidence:.4g} interval": [f"[{', '.join(map(self.size, e))}]" for e in ends],
            "p": [format_p(float(each.pvalue[cell])) for cell in cells],
            "p, Holm": [format_p(float(each.adjusted[cell])) for cell in cells],
        }
        caption = (
            f"Pairs on each benchmark ({self.about_test}; Holm over {len(order)} hypotheses, "
            f"α = {self.alpha:g}), the better one first"
        )
        rejected = significant(each.rejected[cell] for cell in cells)
        return table_of(texts, numbers, caption, hidden, last=rejected)
