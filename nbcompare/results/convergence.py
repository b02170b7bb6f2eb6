"""Results of comparisons of convergence: who converges faster."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from nbcompare._arrays import BoolArray, FloatArray, LockedArrays
from nbcompare._render import Table, format_number, format_p
from nbcompare._validation import check_name
from nbcompare.results._result import Result, Sections
from nbcompare.results.labelled import Labelled, frame_of, table_of
from nbcompare.results.sentences import MOST_LISTED, Pairs, caveat, leader
from nbcompare.results.texts import Cited, adjusting, on_methods
from nbcompare.results.wording import capital, counted, joined, number
from nbcompare.words import (
    DIFFERENCES,
    GAP,
    PROCEDURES,
    SPEED,
    TREND_NULLS,
    TREND_RANKS,
    TrendClaim,
)

if TYPE_CHECKING:
    import pandas as pd

_MOST_NAMED = 3


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
        return tuple(self.rejected.sum(axis=1).tolist())

    @property
    def losses(self) -> tuple[int, ...]:
        """Number of algorithms in whose favour the trend over each one is significant."""
        return tuple(self.rejected.sum(axis=0).tolist())


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

    Its sections are ``findings`` (the answer in a few sentences), ``standing``, ``tests`` (all
    ordered pairs, by p), ``methods`` (a paragraph for a paper), ``notes``, ``method`` and
    ``references``.
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
        return self._by(np.subtract(tests.losses, tests.wins))

    def _by(self, values: FloatArray) -> tuple[str, ...]:
        """Return the algorithms by a value, the least first."""
        return tuple(self.algorithms[place] for place in np.argsort(values, kind="stable"))

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
        return next(iter(self.tests[version].adjusted.values()), self.pvalues(version))

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
        raw = tests.log10_exchange if self.null == "exchange" else tests.log10_page
        return next(iter(tests.log10_adjusted.values()), raw)

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
        row = self.algorithms.index(check_name(faster, "faster", self.algorithms))
        column = self.algorithms.index(check_name(slower, "slower", self.algorithms))
        chosen = check_name(version or self.versions[-1], "version", self.versions)
        ranks: FloatArray = self.tests[chosen].ranks[row, column]
        return ranks

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
        names = {"statistic": "statistic", "exchange": "p_exchange", "page": "p_page"}
        names |= {name: name for name in ("log10_exchange", "log10_page")}
        columns: dict[str, list[object]] = {}
        for version, tests in self.tests.items():
            cells = tuple(zip(*cells_by_p(self, version), strict=True))
            first, second = ([self.algorithms[at] for at in axis] for axis in cells)
            found = {
                "faster": first,
                "slower": second,
                "version": [version] * len(first),
                **{title: getattr(tests, name)[cells].tolist() for name, title in names.items()},
                **{name: p[cells].tolist() for name, p in tests.adjusted.items()},
                "rejected": tests.rejected[cells].tolist(),
            }
            for name, values in found.items():
                columns.setdefault(name, []).extend(values)
        return frame_of(columns)

    def _method(self) -> tuple[tuple[str, str], ...]:
        least = "no L is large enough" if self.critical_l is None else f"{self.critical_l:,.0f}"
        critical = f"{least}; of a single test of Page without ties, α = {self.alpha:g}"
        return (*super()._method(), ("critical L", critical))

    # ----------------------------------------------------------------------- tables

    def _sections(self) -> Sections:
        return {"standing": self._standing, "tests": lambda: tuple(map(self._tests, self.versions))}

    def _standing(self) -> Table:
        order = np.argsort(self.final_ranks, kind="stable").tolist()
        ends = [format_number(float(self.final_ranks[place]), 3) for place in order]
        numbers = {"average rank at the end": ends}
        for version, tests in self.tests.items():
            numbers[f"wins, {version}"] = [str(tests.wins[place]) for place in order]
            numbers[f"losses, {version}"] = [str(tests.losses[place]) for place in order]
        caption = (
            "Who is ahead at the last cut-point (rank 1 is the best of a problem). Wins: "
            f"{self.claim.wins}; losses: {self.claim.losses}"
        )
        return table_of({"algorithm": self._by(self.final_ranks)}, numbers, caption)

    def _tests(self, version: str) -> Table:
        tests, cells = self.tests[version], list(cells_by_p(self, version))
        columns = {
            "p, exchange": (tests.exchange, tests.log10_exchange),
            "p, Page": (tests.page, tests.log10_page),
        }
        for name, p in tests.adjusted.items():
            columns[f"p, {PROCEDURES[name].label}"] = (p, tests.log10_adjusted[name])
        numbers = {"L": [format_number(float(tests.statistic[cell])) for cell in cells]}
        for title, (p, logs) in columns.items():
            numbers[title] = [format_p(float(p[cell]), float(logs[cell])) for cell in cells]
        decides = [*numbers][3] if self.adjust else f"p, {self.null.replace('page', 'Page')}"
        marks = [" *" if tests.rejected[cell] else "" for cell in cells]
        numbers[decides] = list(map(str.__add__, numbers[decides], marks))
        names = [[self.algorithms[cell[side]] for cell in cells] for side in (0, 1)]
        caption = (
            f"Tests of whether {self.claim.rising}, {version} ranks, "
            f"{TREND_NULLS[self.null].label}; * significant at α = {self.alpha:g}"
        )
        return table_of(dict(zip(self.claim.headings, names, strict=True)), numbers, caption)

    # --------------------------------------------------------------------- findings

    def _account(self) -> tuple[tuple[str, ...], ...]:
        ranks = dict(zip(self.algorithms, self.final_ranks.tolist(), strict=True))
        pairs = self._pairs()
        untested = "Who is ahead at the end is described, and not tested."
        return (
            (self._ahead(ranks, pairs.ordered), self._established(pairs)),
            (self._behind(pairs, ranks), self._versions()),
            (caveat(self, untested),),
        )

    def _ahead(self, ranks: dict[str, float], ordered: tuple[str, ...]) -> str:
        def show(name: str) -> str:
            return format_number(ranks[name], 2)

        scores = f"; {self.design.measure or 'best value so far'}, {self.design.better}"
        where = counted(self.design.n_datasets, "problem")
        text = leader("average rank", where, ordered, ranks, show, scores).removesuffix(".")
        if text.startswith(("All ", "Both ")):
            text = text[:1].lower() + text[1:]
        elif len(ordered) > 2 and ranks[ordered[0]] < ranks[ordered[1]]:
            text += f", before {ordered[1]} ({show(ordered[1])})"
        return f"At the end of the runs, {text}."

    def _pairs(self) -> Pairs:
        """Return the ordered pairs of the last version; the first may be the faster one."""
        version = self.versions[-1]
        cells = [tuple(cell) for cell in np.argwhere(~np.eye(len(self.algorithms), dtype=np.bool_))]
        logs, rejected = self.log10_decisive(version), self.tests[version].rejected
        return Pairs(
            first=[self.algorithms[row] for row, _ in cells],
            second=[self.algorithms[column] for _, column in cells],
            sides=[1] * len(cells),
            found=tuple(place for place, cell in enumerate(cells) if rejected[cell]),
            control=None,
            ordered=self._by(self.final_ranks),
            text=lambda place: self.p_text(version, *cells[place]),
            size=lambda place: float(logs[cells[place]]),
            adjusted=bool(self.adjust),
        )

    def _established(self, pairs: Pairs) -> str:
        found, is_speed = pairs.found, self.claim is SPEED
        if not found:
            return f"{self.claim.nothing[0].upper()}{self.claim.nothing[1:]} ({pairs.smallest})."
        rest = len(pairs) - len(found)
        if len(found) <= MOST_LISTED:
            clauses = []
            for better, losers, rows in pairs.alike(found):
                what = f"the gap grows significantly in favour of {joined(better)} over"
                if is_speed:
                    verb = "converges" if len(better) == 1 else "converge"
                    what = f"{joined(better)} {verb} significantly faster than"
                clauses.append(f"{what} {joined(losers)} ({pairs.p_of(rows)})")
            others = f"of the other {counted(rest, 'ordered pair')}, none is significant"
            told = others if rest > 1 else "the reverse is not significant"
            return f"{capital(joined(clauses))}; {told}."
        what = "the gap grows significantly in favour of one algorithm over the other"
        how = "gains on"
        if is_speed:
            what = "one algorithm converges significantly faster than the other"
            how = "converges faster than"
        best, *others_of = pairs.ordered
        beaten = sum(pairs.first[row] == best for row in found)
        count = f"In {number(len(found))} of {len(pairs):,} ordered pairs"
        end = f"{best} {how} {number(beaten)} of the {number(len(others_of))} others"
        return f"{count} {what} ({pairs.p_of(found)}); {end}."

    def _behind(self, pairs: Pairs, ranks: dict[str, float]) -> str:
        """Say why the trend may favour an algorithm that is behind at the end, if it does."""
        rows = [row for row in pairs.found if ranks[pairs.first[row]] > ranks[pairs.second[row]]]
        if not rows:
            return ""
        which = f"In {counted(len(rows), 'pair')}"
        if len(rows) <= _MOST_NAMED:
            which = f"For {joined([f'{pairs.first[i]} over {pairs.second[i]}' for i in rows])}"
        little = ", and an algorithm that is near the optimum early makes little progress"
        return (
            f"{which}, the trend is in favour of the algorithm that is behind at the end: the test "
            "compares the progress along the runs, and not the values that are reached"
            f"{'' if self.claim is SPEED else little}."
        )

    def _versions(self) -> str:
        """Say how many decisions depend on how ranks go on after an optimum is reached."""
        if len(self.versions) < 2:
            return ""
        basic, other = (tests.rejected for tests in self.tests.values())
        count = int((basic != other).sum())
        pairs = f"{len(self.algorithms) * (len(self.algorithms) - 1):,} ordered pairs"
        if not count:
            return f"Firm: basic and alternative ranks lead to the same decisions on all {pairs}."
        return (
            f"Not firm: on {number(count)} of the {pairs}, basic and alternative ranks decide "
            "differently; the sentences above go by the alternative ones, which do not count it "
            "against an algorithm that it reached the optimum early."
        )

    # ---------------------------------------------------------------------- methods

    def _methods(self, cite: Cited) -> tuple[str, ...]:
        design, n_runs, differences = self.design, self.design.n_runs, DIFFERENCES[self.differences]
        tests, k = next(iter(self.tests.values())), len(self.algorithms)
        differ = any(note.code == "runs-differ" for note in self.notes)
        runs = f"the {self.aggregate} of {'up to ' if differ else ''}{n_runs} runs"
        what, floor, tolerance = differences.explanation, "", self.optimum_tolerance
        if self.differences == "log":
            what = what if tolerance is not None else what.replace("errors", "values")
            floor = f" (errors below {tolerance:g} count as {tolerance:g})" if tolerance else ""
        law, hypothesis = tests.exchange_method, "the two may be exchanged on any problem"
        if self.null == "page":
            law, hypothesis = tests.page_method, "all orders of the cut-points are equally likely"
        how = "exact p-values" if law == "exact" else "p-values by the normal law"
        if self.formulas == "printed" and self.null == "page":
            how += ", as printed, for ranks without ties"
        return on_methods(
            "convergence",
            self,
            cite,
            scores=design.measure or "the best value so far",
            runs=runs if n_runs > 1 else "one run per problem",
            n_cutpoints=self.cutpoints.shape[1],
            what=what,
            floor=floor,
            ranked=(*differences.cites, *(k for v in self.versions for k in TREND_RANKS[v].cites)),
            alternative=lambda: self._alternative(cite),
            test=lambda: self._test(cite),
            hypothesis=hypothesis,
            nulls=TREND_NULLS[self.null].cites,
            how=how,
            adjusted=lambda: adjusting(
                self.adjust, None, self.alpha, k * (k - 1), cite, noun="ordered pair"
            ),
        )

    def _alternative(self, cite: Cited) -> str:
        """Say what the alternative ranks are, if there are some."""
        if "alternative" not in self.versions:
            return ""
        tolerance = self.optimum_tolerance
        reached = "" if tolerance is None else f" (an error of at most {tolerance:g})"
        return (
            f"{', also' if len(self.versions) > 1 else ''} with the alternative ranks of "
            f"Derrac et al.{cite('derrac2014')}, which go on in favour of the algorithm that "
            f"first reached the optimum{reached}"
        )

    def _test(self, cite: Cited) -> str:
        """Name the test, with who proposed it where the alternative ranks do not say it."""
        test = f"Page's trend test{cite('page1963')}"
        if "alternative" in self.versions:
            return test
        return f"{test}, as proposed by Derrac et al.{cite('derrac2014')},"


def cells_by_p(result: ConvergenceComparison, version: str) -> Iterator[tuple[int, int]]:
    """Yield row and column of every ordered pair, by the deciding p."""
    row, column = np.nonzero(~np.eye(len(result.algorithms), dtype=np.bool_))
    order = np.lexsort((column, row, result.pvalues(version)[row, column]))
    return zip(row[order].tolist(), column[order].tolist(), strict=True)
