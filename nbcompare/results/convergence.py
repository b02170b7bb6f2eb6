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

# More algorithms than this are shown pair by pair.
_WIDEST_MATRIX = 6


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class TrendTests(LockedArrays):
    """Tests of every ordered pair: that the row's algorithm converges faster than the column's.

    Attributes
    ----------
    statistic : ndarray of float, shape (n_algorithms, n_algorithms)
        Page's L; what no trend would give on the diagonal.
    exchange, log10_exchange : ndarray of float, shape (n_algorithms, n_algorithms)
        p if the two may be swapped on every problem, which holds whatever the correlation of
        the cut-points; 1 on the diagonal.
    page, log10_page : ndarray of float, shape (n_algorithms, n_algorithms)
        p if all orders of the cut-points are equally likely, as Page has it.
    exchange_method, page_method : {"exact", "normal"}
        How each p was computed.
    adjusted : mapping of str to ndarray of float
        Adjusted p-values of the deciding null hypothesis, by procedure.
    rejected : ndarray of bool, shape (n_algorithms, n_algorithms)
        By the first procedure (by the raw p-value without one).
    ranks : ndarray of float, shape (n_algorithms, n_algorithms, n_problems, n_cutpoints)
        Ranks of the differences behind each cell; they rise where the row is faster.
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
        """Over how many others each algorithm is shown to converge faster."""
        return tuple(int(count) for count in self.rejected.sum(axis=1))

    @property
    def losses(self) -> tuple[int, ...]:
        """How many others are shown to converge faster than each."""
        return tuple(int(count) for count in self.rejected.sum(axis=0))


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class ConvergenceComparison(Result):
    """Which optimisers converge faster than which.

    Made by :func:`nbcompare.compare_convergence`; displays itself.

    Attributes
    ----------
    tests : mapping of str to TrendTests
        ``basic`` and ``alternative`` ranks, or the one asked for. The last decides the order
        of the algorithms.
    null : {"exchange", "page"}
        The null hypothesis whose p decides.
    aggregate : {"mean", "median"}
        Of the runs, at each cut-point.
    differences : {"raw", "log"}
        Of values, or of logarithms of errors.
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
        The data (problems stand as data sets) and options.

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
        """Which ranks were taken: ``basic``, ``alternative`` or both."""
        return tuple(self.tests)

    @property
    def ordered(self) -> tuple[str, ...]:
        """Algorithms by wins less losses of the last version; ties in the order of the data."""
        tests = self.tests[self.versions[-1]]
        net = np.array(tests.wins) - np.array(tests.losses)
        return tuple(self.algorithms[i] for i in np.argsort(-net, kind="stable"))

    def pvalues(self, version: str) -> FloatArray:
        """P-values that decide, before adjustment, shape (n_algorithms, n_algorithms)."""
        tests = self.tests[version]
        return tests.exchange if self.null == "exchange" else tests.page

    def decisive(self, version: str) -> FloatArray:
        """P-values that decide: the first adjusted ones, else the raw ones."""
        for adjusted in self.tests[version].adjusted.values():
            return adjusted
        return self.pvalues(version)

    def ranks_of(self, faster: str, slower: str, version: str | None = None) -> FloatArray:
        """Ranks behind one cell, shape (n_problems, n_cutpoints).

        Parameters
        ----------
        faster, slower : str
            Row and column.
        version : {"basic", "alternative"}, optional
            The last that was computed, by default.
        """
        check_name(faster, "faster", self.algorithms)
        check_name(slower, "slower", self.algorithms)
        chosen = check_name(version or self.versions[-1], "version", self.versions)
        row, column = self.algorithms.index(faster), self.algorithms.index(slower)
        ranks: FloatArray = self.tests[chosen].ranks[row, column]
        return ranks

    @property
    def sentences(self) -> tuple[str, ...]:
        """What was tested, on what, and what came out, ready for a paper."""
        return wording.sentences(self)

    @property
    def references(self) -> tuple[str, ...]:
        """The literature behind the tests, sorted by author."""
        adjusted = (key for name in self.adjust for key in PROCEDURES[name].cites)
        return cited(("derrac2014", "page1963", *adjusted))

    def to_frame(self) -> pd.DataFrame:
        """All ordered pairs as a pandas dataframe, one row each and version.

        Returns
        -------
        pandas.DataFrame
            Columns faster, slower (the hypothesis tested is that they are alike, against
            this), version, statistic, p_exchange, p_page, log10_exchange, log10_page, one
            column of adjusted p-values per procedure, and rejected; sorted by version, then
            by the deciding p.
        """
        import pandas as pd

        rows: list[dict[str, Any]] = []
        for version, tests in self.tests.items():
            for row, column in self._cells(version):
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

    def _cells(self, version: str) -> Iterator[tuple[int, int]]:
        """Row and column of every ordered pair, by the deciding p."""
        k = len(self.algorithms)
        row, column = np.nonzero(~np.eye(k, dtype=np.bool_))
        order = np.lexsort((column, row, self.pvalues(version)[row, column]))
        return zip(row[order].tolist(), column[order].tolist(), strict=True)

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
            caption="Wins: over how many others each algorithm is shown to converge faster; "
            "losses: how many are shown to converge faster than it",
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
                else f"{self._p(version, row, column, p)}{' *' if rejected[row, column] else ''}"
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
                self._p(version, row, column, p),
                "yes" if tests.rejected[row, column] else "no",
            )
            for row, column in self._cells(version)
        )
        return Table(columns, rows, caption=self._caption(version))

    def _p(self, version: str, row: int, column: int, p: FloatArray) -> str:
        tests = self.tests[version]
        logs = tests.log10_exchange if self.null == "exchange" else tests.log10_page
        return format_p(float(p[row, column]), None if self.adjust else float(logs[row, column]))
