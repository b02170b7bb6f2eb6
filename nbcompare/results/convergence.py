"""The result of comparing how optimisers converge, by Page's trend test."""

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
    Table,
    format_number,
    format_p,
    plural,
)
from nbcompare._validation import check_name
from nbcompare.results import convergence_account as account
from nbcompare.results import convergence_wording as wording
from nbcompare.results._cited import Cited
from nbcompare.results._result import Result, Sections
from nbcompare.results.design import Design
from nbcompare.results.labelled import Labelled
from nbcompare.words import GAP, PROCEDURES, SPEED, TREND_NULLS, TrendClaim, cited

if TYPE_CHECKING:
    import pandas as pd

# For more algorithms than this, a list of pairs replaces the matrix.
_WIDEST_MATRIX = 6


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class TrendTests(LockedArrays):
    """Tests of a trend in favour of the algorithm of the row over that of the column.

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
    log10_adjusted : mapping of str to ndarray of float
        Logarithms of the adjusted p-values.
    rejected : ndarray of bool, shape (n_algorithms, n_algorithms)
        True where the null hypothesis is rejected, by the first procedure (or by the raw
        p-value if there is none).
    ranks : ndarray of float, shape (n_algorithms, n_algorithms, n_problems, n_cutpoints)
        Ranks of the differences of each pair; they increase in favour of the row.
    """

    statistic: FloatArray
    exchange: FloatArray
    log10_exchange: FloatArray
    page: FloatArray
    log10_page: FloatArray
    exchange_method: str
    page_method: str
    adjusted: Labelled[FloatArray]
    log10_adjusted: Labelled[FloatArray]
    rejected: BoolArray
    ranks: FloatArray

    @property
    def wins(self) -> tuple[int, ...]:
        """Number of algorithms over which the trend is significantly in favour of each one."""
        return tuple(int(count) for count in self.rejected.sum(axis=1))

    @property
    def losses(self) -> tuple[int, ...]:
        """Number of algorithms in whose favour the trend over each one is significant."""
        return tuple(int(count) for count in self.rejected.sum(axis=0))


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class ConvergenceComparison(Result):
    """A comparison of the convergence of optimisers by Page's trend test.

    :func:`nbcompare.compare_convergence` returns it; it displays itself. Where this class speaks
    of a faster and a slower algorithm, raw differences show only that the gap grows in favour of
    the one over the other; ``claim`` has the words.

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
    final_ranks : ndarray of float, shape (n_algorithms,)
        Average ranks of the values at the last cut-point over the problems; 1 is the best.
    critical_l : float or None
        The smallest L that a single test of Page finds significant, without ties; None if none is.
    notes : tuple of Note
        Caveats, with a ``code`` to test for and a ``text``.
    design : Design
        The data, with problems in the place of data sets, and the options.

    Its sections are ``findings`` (the answer in a few sentences), ``standing``, ``tests``,
    ``methods`` (a paragraph for a paper), ``notes``, ``method`` and ``references``.
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
    final_ranks: FloatArray
    critical_l: float | None
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

    @property
    def claim(self) -> TrendClaim:
        """What increasing ranks are evidence of, in words.

        They show a faster algorithm if they are ranks of logarithms of errors, and if no error
        that counts as the optimum is ranked by its difference.
        """
        reached = any(note.code == "optimum-reached" for note in self.notes)
        by_errors = self.differences == "log" and self.optimum_tolerance is not None
        return SPEED if by_errors and not reached else GAP

    def pvalues(self, version: str) -> FloatArray:
        """Return the p-values under the deciding null hypothesis, before adjustment.

        Parameters
        ----------
        version : {"basic", "alternative"}
            One of ``versions``.

        Returns
        -------
        ndarray of float, shape (n_algorithms, n_algorithms)
            p-value of a trend in favour of the algorithm of the row over that of the column; 1 on
            the diagonal.

        Raises
        ------
        KeyError
            If this version was not computed.
        """
        tests = self.tests[version]
        return tests.exchange if self.null == "exchange" else tests.page

    def decisive(self, version: str) -> FloatArray:
        """Return the deciding p-values: the first adjusted ones, or else the raw ones.

        Parameters
        ----------
        version : {"basic", "alternative"}
            One of ``versions``.

        Returns
        -------
        ndarray of float, shape (n_algorithms, n_algorithms)
            p-value of each ordered pair, by which it is decided at level ``alpha``: adjusted by the
            first procedure, or not adjusted if there is none. It is 1 on the diagonal.

        Raises
        ------
        KeyError
            If this version was not computed.
        """
        for adjusted in self.tests[version].adjusted.values():
            return adjusted
        return self.pvalues(version)

    def log10_decisive(self, version: str) -> FloatArray:
        """Return the logarithms of the deciding p-values, which do not underflow.

        Parameters
        ----------
        version : {"basic", "alternative"}
            One of ``versions``.

        Returns
        -------
        ndarray of float, shape (n_algorithms, n_algorithms)
            Common logarithm of what :meth:`decisive` returns.

        Raises
        ------
        KeyError
            If this version was not computed.
        """
        tests = self.tests[version]
        for adjusted in tests.log10_adjusted.values():
            return adjusted
        return tests.log10_exchange if self.null == "exchange" else tests.log10_page

    def p_text(self, version: str, row: int, column: int) -> str:
        """Return the deciding p-value of an ordered pair as text.

        Parameters
        ----------
        version : {"basic", "alternative"}
            One of ``versions``.
        row, column : int
            Positions in ``algorithms`` of the algorithm in whose favour the trend is, and of the
            other one.

        Returns
        -------
        str
            The p-value, such as ``0.0157`` or ``4.49e-08``; :func:`nbcompare.set_options` sets its
            digits.

        Raises
        ------
        KeyError
            If this version was not computed.
        """
        p, log10_p = self.decisive(version), self.log10_decisive(version)
        return format_p(float(p[row, column]), float(log10_p[row, column]))

    def ranks_of(self, faster: str, slower: str, version: str | None = None) -> FloatArray:
        """Return the ranks of the differences of a pair of algorithms at the cut-points.

        Parameters
        ----------
        faster, slower : str
            Algorithms of the row and the column.
        version : {"basic", "alternative"}, optional
            Version of the ranks; by default, the last one that was computed.

        Returns
        -------
        ndarray of float, shape (n_problems, n_cutpoints)
            Ranks from 1 on each problem, in the order of the cut-points. They increase from one
            cut-point to the next in favour of ``faster``; equal differences share the mean of their
            ranks, except where the alternative version counts on after an algorithm has reached the
            optimum.

        Raises
        ------
        ValueError
            If one of the two is not an algorithm of the result, or the version was not computed.
        """
        check_name(faster, "faster", self.algorithms)
        check_name(slower, "slower", self.algorithms)
        chosen = check_name(version or self.versions[-1], "version", self.versions)
        row, column = self.algorithms.index(faster), self.algorithms.index(slower)
        ranks: FloatArray = self.tests[chosen].ranks[row, column]
        return ranks

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
            faster; with raw differences, that the gap grows in its favour), version, statistic,
            p_exchange, p_page, log10_exchange, log10_page, one column of adjusted p-values per
            procedure, and rejected; sorted by version, then by the deciding p.
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

    def _tables(self) -> tuple[Part, ...]:
        return (self._standing(), *self._tests())

    def _sections(self) -> Sections:
        return {
            "standing": lambda: (self._standing(),),
            "tests": lambda: self._tests(),
        }

    def _account(self) -> tuple[tuple[str, ...], ...]:
        return account.findings(self)

    def _methods(self, cite: Cited) -> tuple[str, ...]:
        return account.methods(self, cite)

    def _method(self) -> tuple[tuple[str, str], ...]:
        return wording.method(self)

    def _standing(self) -> Table:
        columns = [Column("algorithm"), Column("average rank at the end", number=True)]
        for version in self.versions:
            columns += [
                Column(f"wins, {version}", number=True),
                Column(f"losses, {version}", number=True),
            ]
        rows = []
        for place in np.argsort(self.final_ranks, kind="stable").tolist():
            counts = [
                str(count[place])
                for tests in self.tests.values()
                for count in (tests.wins, tests.losses)
            ]
            end = format_number(float(self.final_ranks[place]), 3)
            rows.append((self.algorithms[place], end, *counts))
        return Table(
            tuple(columns),
            tuple(rows),
            caption="Who is ahead at the last cut-point (rank 1 is the best of a problem). Wins: "
            f"{self.claim.wins}; losses: {self.claim.losses}",
        )

    def _tests(self) -> tuple[Table, ...]:
        wide = len(self.algorithms) <= _WIDEST_MATRIX
        return tuple(
            self._matrix(version) if wide else self._list(version) for version in self.versions
        )

    def _caption(self, version: str) -> str:
        adjusted = next((f", adjusted by {PROCEDURES[name].label}" for name in self.adjust), "")
        return (
            f"p-values of tests of whether {self.claim.cell}, {version} ranks, "
            f"{TREND_NULLS[self.null].label}{adjusted}; * significant at α = {self.alpha:g}"
        )

    def _matrix(self, version: str) -> Table:
        rejected = self.tests[version].rejected
        rows = []
        for row, name in enumerate(self.algorithms):
            cells = [
                ""
                if row == column
                else self.p_text(version, row, column) + " *" * int(rejected[row, column])
                for column in range(len(self.algorithms))
            ]
            rows.append((name, *cells))
        columns = (
            Column(self.claim.headings[0]),
            *(Column(name, number=True) for name in self.algorithms),
        )
        return Table(columns, tuple(rows), caption=self._caption(version))

    def _list(self, version: str) -> Table:
        tests = self.tests[version]
        numbers = ("L", "p, exchange", "p, Page", "p that decides")
        columns = (
            *map(Column, self.claim.headings),
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
                self.p_text(version, row, column),
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
