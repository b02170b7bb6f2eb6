"""The result of comparing how fast optimisers converge, by Page's trend test."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from nbcompare._arrays import BoolArray, FloatArray, LockedArrays
from nbcompare._render import (
    Column,
    Note,
    Part,
    Prose,
    Table,
    format_number,
    format_p,
    plural,
)
from nbcompare._validation import check_name
from nbcompare.results import convergence_wording as wording
from nbcompare.results._result import Result, Sections
from nbcompare.results.design import Design
from nbcompare.results.labelled import Labelled
from nbcompare.words import PROCEDURES, TREND_NULLS, cited

if TYPE_CHECKING:
    import pandas as pd

# For more algorithms than this, a list of pairs replaces the matrix.
_WIDEST_MATRIX = 6


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class TrendTests(LockedArrays):
    """Tests of whether the algorithm of the row converges faster than that of the column.

    Attributes
    ----------
    statistic : ndarray of float, shape (n_algorithms, n_algorithms)
        Page's L; on the diagonal, its expectation without a trend.
    exchange, log10_exchange : ndarray of float, shape (n_algorithms, n_algorithms)
        p-value, and its logarithm, under the null hypothesis that the two may be swapped on
        every problem, which is valid for any correlation of the cut-points; p is 1 on the
        diagonal.
    page, log10_page : ndarray of float, shape (n_algorithms, n_algorithms)
        p-value, and its logarithm, under Page's null hypothesis that all orders of the
        cut-points are equally likely.
    exchange_method, page_method : {"exact", "normal"}
        How each p-value was computed.
    adjusted : mapping of str to ndarray of float
        Adjusted p-values of the deciding null hypothesis, by procedure.
    rejected : ndarray of bool, shape (n_algorithms, n_algorithms)
        True where the null hypothesis is rejected, by the first procedure (or by the raw
        p-value if there is none).
    ranks : ndarray of float, shape (n_algorithms, n_algorithms, n_problems, n_cutpoints)
        Ranks of the differences of each pair; they increase where the row is faster.
    """

    statistic: FloatArray
    exchange: FloatArray
    log10_exchange: FloatArray
    page: FloatArray
    log10_page: FloatArray
    exchange_method: str
    page_method: str
    adjusted: Labelled[FloatArray]
    rejected: BoolArray
    ranks: FloatArray

    @property
    def wins(self) -> tuple[int, ...]:
        """Number of algorithms than which each one converges significantly faster."""
        return tuple(int(count) for count in self.rejected.sum(axis=1))

    @property
    def losses(self) -> tuple[int, ...]:
        """Number of algorithms that converge significantly faster than each one."""
        return tuple(int(count) for count in self.rejected.sum(axis=0))


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class ConvergenceComparison(Result):
    """A comparison of the convergence of optimisers by Page's trend test.

    :func:`nbcompare.compare_convergence` returns it; it displays itself.

    Attributes
    ----------
    tests : mapping of str to TrendTests
        Tests by version of the ranks: ``basic`` and ``alternative``, or the one asked for. The
        last version determines the order of the algorithms.
    null : {"exchange", "page"}
        The null hypothesis whose p decides.
    aggregate : {"mean", "median"}
        Average of the runs at each cut-point.
    differences : {"raw", "log"}
        Differences of values, or of logarithms of errors.
    optimum_tolerance : float or None
        Errors up to this count as the optimum; None if none is known.
    adjust : tuple of str
        Adjustment procedures; the first decides. Empty: raw p-values.
    alpha : float
        Significance level.
    formulas, missing : str
        The options used.
    cutpoints : ndarray of float, shape (n_problems, n_cutpoints)
        Evaluations at each cut-point.
    curves : ndarray of float, shape (n_problems, n_algorithms, n_cutpoints)
        Aggregated best-so-far values, in units of the measure.
    notes : tuple of Note
        Caveats, with a ``code`` to test for and a ``text``.
    design : Design
        The data, with problems in the place of data sets, and the options.

    Its sections are ``tests``, ``standing``, ``conclusions``, ``method`` and ``references``.
    """

    tests: Labelled[TrendTests]
    null: str
    aggregate: str
    differences: str
    optimum_tolerance: float | None
    adjust: tuple[str, ...]
    alpha: float
    formulas: str
    missing: str
    cutpoints: FloatArray
    curves: FloatArray
    notes: tuple[Note, ...]
    design: Design

    @property
    def algorithms(self) -> tuple[str, ...]:
        """Labels of rows and columns, in the order of the data."""
        return self.design.algorithms

    @property
    def versions(self) -> tuple[str, ...]:
        """Versions of the ranks: ``basic``, ``alternative`` or both."""
        return tuple(self.tests)

    @property
    def ordered(self) -> tuple[str, ...]:
        """Algorithms by wins minus losses of the last version; ties in the order of the data."""
        tests = self.tests[self.versions[-1]]
        net = np.array(tests.wins) - np.array(tests.losses)
        return tuple(self.algorithms[i] for i in np.argsort(-net, kind="stable"))

    def pvalues(self, version: str) -> FloatArray:
        """Return the deciding p-values before adjustment, shape (n_algorithms, n_algorithms)."""
        tests = self.tests[version]
        return tests.exchange if self.null == "exchange" else tests.page

    def decisive(self, version: str) -> FloatArray:
        """Return the deciding p-values: the first adjusted ones, or else the raw ones."""
        for adjusted in self.tests[version].adjusted.values():
            return adjusted
        return self.pvalues(version)

    def ranks_of(self, faster: str, slower: str, version: str | None = None) -> FloatArray:
        """Return the ranks of the differences of a pair, shape (n_problems, n_cutpoints).

        Parameters
        ----------
        faster, slower : str
            Algorithms of the row and the column.
        version : {"basic", "alternative"}, optional
            Version of the ranks; by default, the last one that was computed.
        """
        check_name(faster, "faster", self.algorithms)
        check_name(slower, "slower", self.algorithms)
        chosen = check_name(version or self.versions[-1], "version", self.versions)
        row, column = self.algorithms.index(faster), self.algorithms.index(slower)
        ranks: FloatArray = self.tests[chosen].ranks[row, column]
        return ranks

    @property
    def sentences(self) -> tuple[str, ...]:
        """Sentences on what was tested, on which data, and what was found, for a paper."""
        return wording.sentences(self)

    @property
    def references(self) -> tuple[str, ...]:
        """References for the tests, sorted by author."""
        adjusted = (key for name in self.adjust for key in PROCEDURES[name].cites)
        return cited(("derrac2014", "page1963", *adjusted))

    def to_frame(self) -> pd.DataFrame:
        """Return all ordered pairs as a pandas dataframe, one row per pair and version.

        Returns
        -------
        pandas.DataFrame
            Columns faster and slower (the alternative hypothesis is that the first converges
            faster), version, statistic, p_exchange, p_page, log10_exchange, log10_page, one
            column of adjusted p-values per procedure, and rejected; sorted by version, then
            by the deciding p.
        """
        import pandas as pd

        rows: list[dict[str, Any]] = []
        for version, tests in self.tests.items():
            for row, column in cells_by_p(self, version):
                rows.append(
                    {
                        "faster": self.algorithms[row],
                        "slower": self.algorithms[column],
                        "version": version,
                        "statistic": tests.statistic[row, column],
                        "p_exchange": tests.exchange[row, column],
                        "p_page": tests.page[row, column],
                        "log10_exchange": tests.log10_exchange[row, column],
                        "log10_page": tests.log10_page[row, column],
                        **{name: p[row, column] for name, p in tests.adjusted.items()},
                        "rejected": bool(tests.rejected[row, column]),
                    }
                )
        return pd.DataFrame(rows)

    def __repr__(self) -> str:
        found = ", ".join(
            f"{int(tests.rejected.sum())} by {version} ranks"
            for version, tests in self.tests.items()
        )
        k = len(self.algorithms)
        return (
            f"<ConvergenceComparison: {plural(k, 'algorithm')}, "
            f"{plural(self.design.n_datasets, 'problem')}, "
            f"{self.cutpoints.shape[1]} cut-points, {self.null} null: of {k * (k - 1)} ordered "
            f"pairs {found} rejected>"
        )

    # ---------------------------------------------------------------------- display

    def _parts(self) -> tuple[Part, ...]:
        return (
            Prose(self.sentences),
            self._standing().cut(),
            *(table.cut() for table in self._tests()),
            *self._notes(),
        )

    def _tables(self) -> tuple[Part, ...]:
        return (*self._tests(), self._standing())

    def _sections(self) -> Sections:
        return {"tests": lambda: self._tests(), "standing": lambda: (self._standing(),)}

    def _method(self) -> tuple[tuple[str, str], ...]:
        return wording.method(self)

    def _standing(self) -> Table:
        columns = [Column("algorithm")]
        for version in self.versions:
            columns += [
                Column(f"wins, {version}", number=True),
                Column(f"losses, {version}", number=True),
            ]
        rows = []
        for name in self.ordered:
            place = self.algorithms.index(name)
            counts = [
                str(count[place])
                for tests in self.tests.values()
                for count in (tests.wins, tests.losses)
            ]
            rows.append((name, *counts))
        return Table(
            tuple(columns),
            tuple(rows),
            caption="Wins: number of algorithms that converge significantly slower; losses: number "
            "of algorithms that converge significantly faster",
        )

    def _tests(self) -> tuple[Table, ...]:
        wide = len(self.algorithms) <= _WIDEST_MATRIX
        return tuple(
            self._matrix(version) if wide else self._list(version) for version in self.versions
        )

    def _caption(self, version: str) -> str:
        adjusted = next((f", adjusted by {PROCEDURES[name].label}" for name in self.adjust), "")
        return (
            f"p that the row converges faster than the column, {version} ranks, "
            f"{TREND_NULLS[self.null].label}{adjusted}; * significant at α = {self.alpha:g}"
        )

    def _matrix(self, version: str) -> Table:
        p, rejected = self.decisive(version), self.tests[version].rejected
        rows = []
        for row, name in enumerate(self.algorithms):
            cells = [
                ""
                if row == column
                else p_text(self, version, row, column, p) + " *" * int(rejected[row, column])
                for column in range(len(self.algorithms))
            ]
            rows.append((name, *cells))
        columns = (Column("faster"), *(Column(name, number=True) for name in self.algorithms))
        return Table(columns, tuple(rows), caption=self._caption(version))

    def _list(self, version: str) -> Table:
        p, tests = self.decisive(version), self.tests[version]
        numbers = ("L", "p, exchange", "p, Page", "p that decides")
        columns = (
            Column("faster"),
            Column("slower"),
            *(Column(name, number=True) for name in numbers),
            Column("rejected"),
        )
        rows = tuple(
            (
                self.algorithms[row],
                self.algorithms[column],
                format_number(float(tests.statistic[row, column])),
                format_p(
                    float(tests.exchange[row, column]), float(tests.log10_exchange[row, column])
                ),
                format_p(float(tests.page[row, column]), float(tests.log10_page[row, column])),
                p_text(self, version, row, column, p),
                "yes" if tests.rejected[row, column] else "no",
            )
            for row, column in cells_by_p(self, version)
        )
        return Table(columns, rows, caption=self._caption(version))


def cells_by_p(result: ConvergenceComparison, version: str) -> Iterator[tuple[int, int]]:
    """Yield row and column of every ordered pair, by the deciding p."""
    k = len(result.algorithms)
    row, column = np.nonzero(~np.eye(k, dtype=np.bool_))
    order = np.lexsort((column, row, result.pvalues(version)[row, column]))
    return zip(row[order].tolist(), column[order].tolist(), strict=True)


def p_text(
    result: ConvergenceComparison, version: str, row: int, column: int, p: FloatArray
) -> str:
    """Return the p-value of an ordered pair as text."""
    tests = result.tests[version]
    logs = tests.log10_exchange if result.null == "exchange" else tests.log10_page
    return format_p(float(p[row, column]), None if result.adjust else float(logs[row, column]))
