"""The result of comparing algorithms on the items of one or more benchmarks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from nbcompare._arrays import BoolArray, FloatArray, LockedArrays
from nbcompare._render import Column, Part, Table, format_number, format_p, plural
from nbcompare.results import items_account as account
from nbcompare.results._cited import Cited
from nbcompare.results._columns import SIGNIFICANT
from nbcompare.results._result import Sections
from nbcompare.results.labelled import Labelled
from nbcompare.results.within import WithinComparison
from nbcompare.words import ITEM_TESTS

if TYPE_CHECKING:
    import pandas as pd

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

    @property
    def omnibus_name(self) -> str:
        """The statistic of the test of any difference, with its authors."""
        return "Cochran's Q"

    @property
    def hypothesis(self) -> str:
        """What is tested of a pair."""
        return f"swapping two algorithms changes nothing on the items of {self.where}"

    @property
    def cites(self) -> tuple[str, ...]:
        """Keys of the literature on the test and intervals."""
        more = ("cochran1950",) if self.omnibus is not None else ()
        return (*ITEM_TESTS[self.test].cites, *more)

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
        from nbcompare._validation import check_choice

        check_choice(which, "which", ("overall", "benchmarks"))
        if which == "overall":
            return super().to_frame()
        import pandas as pd

        if self.each is None:
            frame = super().to_frame()
            frame.insert(0, "benchmark", self.benchmarks[0])
            return frame
        tests, each, n = self.hypotheses, self.each, len(self.benchmarks)
        return pd.DataFrame(
            {
                "benchmark": np.repeat(self.benchmarks, len(tests)),
                "first": tests.first * n,
                "second": tests.second * n,
                "mean_difference": each.difference.ravel(),
                "lower": each.lower.ravel(),
                "upper": each.upper.ravel(),
                "pvalue": each.pvalue.ravel(),
                "holm": each.adjusted.ravel(),
                "rejected": each.rejected.ravel(),
            }
        )

    def _statistic_text(self, row: int) -> str:
        if self.test == "mcnemar":  # a number of items
            return f"{abs(self.hypotheses.statistic[row]):,.0f}"
        return super()._statistic_text(row)

    def _columns_of_test(self) -> dict[str, Any]:
        return {"detectable": self.detectable}

    def _account(self) -> tuple[tuple[str, ...], ...]:
        return account.findings(self)

    def _methods(self, cite: Cited) -> tuple[str, ...]:
        return account.methods(self, cite)

    def _tables(self) -> tuple[Part, ...]:
        return (*([self._overview(self.each)] if self.each else []), *super()._tables())

    def _sections(self) -> Sections:
        found, each = dict(super()._sections()), self.each
        if each is None:
            return found
        return {
            "benchmarks": lambda: (self._overview(each),),
            **found,
            "benchmark-pairs": lambda: (self._by_benchmark(each),),
        }

    def _overview(self, each: EachBenchmark) -> Table:
        """Return the means of all algorithms on all benchmarks, marked where they are worse."""
        names, means = list(self.mean_scores), each.mean_scores
        sign = float(self.design.gain_signs[0])
        worse = self._worse_than_best(each)
        order = [names.index(name) for name in self.ordered]
        columns = [Column("algorithm"), *(Column(b, number=True) for b in self.benchmarks)]
        rows = []
        for j in order:
            cells = []
            for b in range(len(self.benchmarks)):
                best = sign * means[b, j] == (sign * means[b]).max()
                mark = " (best)" if best else " (worse)" if worse[b, j] else ""
                cells.append(f"{self.size(float(means[b, j]))}{mark}")
            rows.append((names[j], *cells, self.size(self.mean_scores[names[j]])))
        return Table(
            (*columns, Column("all", number=True)),
            tuple(rows),
            caption=(
                f"Means of {self.design.measure or 'the scores'} on each benchmark "
                f"({self.design.better}); worse: significantly worse than the best of the "
                f"benchmark (Holm over all pairs and benchmarks, α = {self.alpha:g})"
            ),
        )

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
        tests = self.hypotheses
        order = np.lexsort((each.pvalue.ravel(), ~each.rejected.ravel()))
        rows = []
        for place in order.tolist():
            b, row = divmod(place, len(tests))
            turned = each.difference[b, row] < 0
            pair = (tests.first[row], tests.second[row])[:: -1 if turned else 1]
            low, high = float(each.lower[b, row]), float(each.upper[b, row])
            ends = (-high, -low) if turned else (low, high)
            rows.append(
                (
                    self.benchmarks[b],
                    *pair,
                    self.size(abs(float(each.difference[b, row]))),
                    f"[{', '.join(map(self.size, ends))}]",
                    format_p(float(each.pvalue[b, row])),
                    format_p(float(each.adjusted[b, row])),
                    "yes" if each.rejected[b, row] else "no",
                )
            )
        columns = (
            Column("benchmark"),
            Column("first"),
            Column("second"),
            Column("difference", number=True),
            Column(f"{self.confidence:.4g} interval", number=True),
            Column("p", number=True),
            Column("p, Holm", number=True),
            SIGNIFICANT,
        )
        hidden = max(0, len(rows) - _MOST_PAIRS * len(self.benchmarks))
        return Table(
            columns,
            tuple(rows[: len(rows) - hidden]),
            caption=(
                f"Pairs on each benchmark ({self.about_test}; Holm over {len(rows)} hypotheses, "
                f"α = {self.alpha:g}), the better one first"
            ),
            n_hidden=hidden,
        )

    def _method_of_test(self) -> tuple[tuple[str, str], ...]:
        words = ITEM_TESTS[self.test]
        each = [
            f"{plural(n, 'item')} of {name}"
            for name, n in zip(self.benchmarks, self.n_items, strict=True)
        ]
        return (
            ("items", "; ".join(each) if len(each) > 1 else self.extent),
            *(
                [("clusters", "; ".join(f"{n:,}" for n in self.n_clusters))]
                if self.n_clusters
                else []
            ),
            ("test", f"{words.label}, two-sided; {self.about_test.rpartition(', ')[2]}"),
            ("difference", f"of means over the items, {self.design.minus()}"),
            ("intervals", f"by {words.interval}, {self._level_of_intervals}"),
            (
                "detectable difference",
                f"from {self._detectable(min)} to {self._detectable(max)}, with probability 0.8",
            ),
        )

    def _detectable(self, which: Any) -> str:
        return format_number(float(which(self.detectable)), 3)
