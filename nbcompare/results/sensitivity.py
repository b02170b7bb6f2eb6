"""The result of varying the design of a comparison and its data sets, and its sentences."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from nbcompare._arrays import BoolArray, FloatArray, LockedArrays
from nbcompare._render import Table, format_p
from nbcompare.results._result import Result, Sections
from nbcompare.results.comparison import Comparison, methods_sentences
from nbcompare.results.findings import account
from nbcompare.results.labelled import Labelled, table_of
from nbcompare.results.texts import Cited
from nbcompare.results.wording import counted, every, joined, number
from nbcompare.words import P_LAWS, PAIRWISE_TESTS, PROCEDURES, RANKINGS

if TYPE_CHECKING:
    import pandas as pd

_MOST_NAMED = 3  # data sets that a sentence names


def label_of(test: str) -> str:
    """Return the name of a test of pairs: that of a ranking, or of a test of the two."""
    if test in RANKINGS:
        return RANKINGS[test].ranks
    return PAIRWISE_TESTS[test].recommended


def header_of(test: str) -> str:
    """Return the short name of a test of pairs for a table."""
    return RANKINGS[test].ranks if test in RANKINGS else PAIRWISE_TESTS[test].label


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class TestOfPairs(LockedArrays):
    """The outcomes of one test of pairs with every procedure that goes with it.

    Attributes
    ----------
    name : str
        The ranking whose average ranks are compared, or ``exchange``, ``wilcoxon`` or ``t``.
    method : {"exact", "normal", "t"}
        How the p-values were computed.
    decides : str
        The procedure by which tests of pairs are counted, that of the primary design.
    adjusted : mapping of str to ndarray of float
        Adjusted p-values by procedure, strictest first, in the order of the pairs.
    """

    __test__ = False  # no test of pytest

    name: str
    method: str
    decides: str
    adjusted: Labelled[FloatArray]

    @property
    def label(self) -> str:
        """Name of the test in a text."""
        return label_of(self.name)

    @property
    def header(self) -> str:
        """Name of the test in a table."""
        return header_of(self.name)

    @property
    def cites(self) -> tuple[str, ...]:
        """Keys of the literature on the test."""
        return (RANKINGS if self.name in RANKINGS else PAIRWISE_TESTS)[self.name].cites

    def rejected(self, alpha: float) -> BoolArray:
        """Return whether each pair is significant by the procedure that decides."""
        return np.asarray(self.adjusted[self.decides] <= alpha)

    def rejecting(self, row: int, alpha: float) -> tuple[str, ...]:
        """Return the procedures that reject the hypothesis about a pair, strictest first."""
        return tuple(name for name, p in self.adjusted.items() if p[row] <= alpha)


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Sensitivity(Result):
    """How far the decisions of a comparison depend on its design and on single data sets.

    :func:`nbcompare.sensitivity` returns it; it displays itself. Its sections are ``findings``
    (those of the primary comparison, and how firm they are), ``pairs``, ``designs``,
    ``datasets``, ``tests``, ``methods`` (a paragraph for a paper), ``notes``, ``method``
    and ``references``.
    The pairs are in the order of the hypotheses of the primary comparison.

    Attributes
    ----------
    primary : Comparison
        The comparison by the primary design, which is the answer.
    tests : tuple of TestOfPairs
        The tests of pairs that the data allow, that of the primary design among them.
    left_out : mapping of str to str
        Tests of pairs that the data forbid, and why.
    hinges : tuple of tuple of str
        For each pair, the data sets without which the primary design decides otherwise.
    least, most : ndarray of float
        For each pair, the smallest and largest adjusted p of the primary design without one data
        set; empty if none was left out.
    why_not : str
        Why no data set was left out; empty if each was.
    notes : tuple of Note
        Caveats, with a ``code`` to test for and a ``text``.
    design : Design
        The data and options.
    """

    primary: Comparison
    tests: tuple[TestOfPairs, ...]
    left_out: Labelled[str]
    hinges: tuple[tuple[str, ...], ...]
    least: FloatArray
    most: FloatArray
    why_not: str

    @property
    def alpha(self) -> float:
        """Level of the family-wise error."""
        return self.primary.alpha

    @property
    def primary_test(self) -> str:
        """Name of the test of pairs of the primary design."""
        by_ranks = PAIRWISE_TESTS[self.primary.pairs].by_ranks
        return self.primary.ranking if by_ranks else self.primary.pairs

    @property
    def n_significant(self) -> tuple[int, ...]:
        """Number of tests of pairs by which each pair is significant."""
        found = np.array([test.rejected(self.alpha) for test in self.tests])
        return tuple(found.sum(axis=0).tolist())

    @property
    def summary(self) -> str:
        """The answer in a sentence."""
        return _firmness(self) or self.primary.summary

    def to_frame(self) -> pd.DataFrame:
        """Return a dataframe with a row per pair and test of pairs.

        Returns
        -------
        pandas.DataFrame
            Columns ``first``, ``second``, ``test``, ``primary`` (whether it is the test of the
            primary design), ``rejected``, ``strictest`` and ``mildest`` (the procedures that
            reject; empty if none does), ``n_hinges`` (data sets without which the primary design
            decides otherwise), and the adjusted p-values by each procedure.
        """
        tests = self.primary.hypotheses
        rows = []
        for row, (first, second) in enumerate(zip(tests.first, tests.second, strict=True)):
            for test in self.tests:
                found = test.rejecting(row, self.alpha) or ("",)
                rows.append(
                    {
                        "first": first,
                        "second": second,
                        "test": test.name,
                        "primary": test.name == self.primary_test,
                        "rejected": bool(test.rejected(self.alpha)[row]),
                        "strictest": found[0],
                        "mildest": found[-1],
                        "n_hinges": len(self.hinges[row]),
                        **{name: float(p[row]) for name, p in test.adjusted.items()},
                    }
                )
        import pandas as pd

        return pd.DataFrame(rows)

    # ---------------------------------------------------------------------- display

    def _sections(self) -> Sections:
        without = {} if self.why_not else {"datasets": self._datasets}
        return {"pairs": self._pairs, "designs": self._designs, **without, "tests": self._tests}

    def _not_there(self) -> dict[str, str]:
        return {"datasets": "no data set was left out"} if self.why_not else {}

    def _names(self, times: int = 1) -> dict[str, list[str]]:
        """Return the columns of the algorithms of each pair, each repeated so many times."""
        tests = self.primary.hypotheses
        parts = {"first": tests.first, "second": tests.second}
        return {what: [n for n in names for _ in range(times)] for what, names in parts.items()}

    def _pairs(self) -> Table:
        """Return the pairs with the decision of every test of pairs."""
        words: dict[str, Iterable[str]] = {}
        for test in self.tests:
            words[self._header(test)] = ["yes" if r else "no" for r in test.rejected(self.alpha)]
        words["significant by"] = [f"{n} of {len(self.tests)}" for n in self.n_significant]
        if not self.why_not:
            words["changes without"] = [
                joined(names) if len(names) <= _MOST_NAMED else f"each of {len(names)} data sets"
                for names in self.hinges
            ]
        caption = (
            f"Is the difference significant? ({self.primary.procedure}, α = {self.alpha:g}; "
            "* primary test of pairs)"
        )
        return table_of(self._names() | words, {}, caption)

    def _header(self, test: TestOfPairs) -> str:
        return f"{test.header}{' *' if test.name == self.primary_test else ''}"

    def _designs(self) -> Table:
        """Return the strictest and the mildest procedure that reject, by pair and test."""
        control, rows = self.primary.family_control, range(len(self.hinges))
        cells = [(row, test) for row in rows for test in self.tests]
        found = [
            [PROCEDURES[name].label_with(control) for name in test.rejecting(row, self.alpha)]
            for row, test in cells
        ]
        names = self._names(len(self.tests)) | {
            "test of pairs": [self._header(test) for _, test in cells]
        }
        p = [format_p(float(test.adjusted[test.decides][row])) for row, test in cells]
        rejecting = {
            "strictest that rejects": [one[0] if one else "none" for one in found],
            "mildest that rejects": [one[-1] if one else "none" for one in found],
        }
        caption = (
            f"Procedures that reject (α = {self.alpha:g}), and p adjusted by that of the "
            f"primary design, {self.primary.procedure}"
        )
        return table_of(names, {"adjusted p": p}, caption, last=rejecting)

    def _datasets(self) -> Table:
        """Return the data sets on which each decision hangs, and how far p moves."""
        adjusted = next(test for test in self.tests if test.name == self.primary_test)
        columns = {
            "adjusted p": adjusted.adjusted[adjusted.decides],
            "least without one": self.least,
            "most without one": self.most,
        }
        numbers = {name: [format_p(float(p)) for p in column] for name, column in columns.items()}
        hinges = {"changes without": [joined(names) if names else "none" for names in self.hinges]}
        caption = (
            "The primary design without each data set in turn "
            f"({self.primary.procedure}, α = {self.alpha:g})"
        )
        return table_of(self._names(), numbers, caption, last=hinges)

    def _tests(self) -> Table:
        """Return the tests of pairs, used or left out."""
        control = self.primary.family_control
        rows = [
            (
                self._header(test),
                P_LAWS[test.method],
                joined([PROCEDURES[name].label_with(control) for name in test.adjusted]),
            )
            for test in self.tests
        ]
        rows += [(header_of(name), "left out", why) for name, why in self.left_out.items()]
        heads = ("test of pairs", "used", "procedures, or why left out")
        columns = dict(zip(heads, zip(*rows, strict=True), strict=True))
        return table_of(columns, {}, "Tests of pairs (* primary)")

    def _account(self) -> tuple[tuple[str, ...], ...]:
        # what no data set can bring about, fewer of them cannot either, which need not be said
        codes = {each.code for each in self.primary.notes}
        left = () if "never-significant" in codes else ((self.why_not,),)
        return (*account(self.primary, _firmness(self)), *left)

    def _methods(self, cite: Cited) -> tuple[str, ...]:
        # after other paragraphs, the one on the primary design is among them
        primary = () if cite.keys else methods_sentences(self.primary, cite)
        suit = f"with the other tests of pairs that suit the data{cite('benavoli2016')}"
        others = [
            f"{test.label}{cite(*test.cites)}"
            for test in self.tests
            if test.name != self.primary_test
        ]
        ways = []
        if others:
            ways.append(f"{suit} ({joined(others)})")
        if not self.why_not:
            ways.append("without each data set in turn")
        if not ways:
            return primary
        return (*primary, f"The decisions were examined {joined(ways)}.")

    def _method(self) -> tuple[tuple[str, str], ...]:
        without = self.why_not or "the primary design, settled on all, without each"
        return (*self.primary._method(), ("without data sets", without))  # noqa: SLF001 - a result


def _firmness(sensitivity: Sensitivity) -> str:
    """Say whether other tests of pairs, or the absence of a data set, decide otherwise."""
    found = np.flatnonzero(sensitivity.primary.hypotheses.rejected).tolist()
    if not found:
        return _openness(sensitivity)
    n_tests, hinges = len(sensitivity.tests), sensitivity.hinges
    supported, left = sensitivity.n_significant, not sensitivity.why_not
    by_all = "" if n_tests == 1 else f"by {every(n_tests, 'suitable test')}"
    ways = joined([*filter(None, [by_all, "with any one data set left out" if left else ""])])
    if not ways:
        return ""
    firm = [row for row in found if supported[row] == n_tests and not hinges[row]]
    n = len(found)
    if len(firm) == n:
        which = "this difference is" if n == 1 else "each of these differences is"
        return f"Firm: {which} significant {ways}."
    if firm:
        some = f"{number(len(firm))} of the {number(n)} differences"
        return f"Partly firm: {some} {'is' if len(firm) == 1 else 'are'} significant {ways}."
    counts = sorted({supported[row] for row in found})
    told = []
    if n_tests > 1:
        by = " to ".join(map(number, dict.fromkeys((counts[0], counts[-1]))))
        some = f"{by} of {number(n_tests)} suitable tests"
        told.append(f"significant {by_all if counts[0] == n_tests else f'by {some}'}")
    hanging = {name for row in found for name in hinges[row]}
    if hanging:
        alone = "no longer" if n == 1 else "not all"
        told.append(f"{alone} significant with {_any_one(hanging)} left out")
    elif left:
        told.append(f"{'' if told else 'significant '}with any one data set left out")
    which = "this difference is" if n == 1 else "these differences are"
    verdict = "Fragile" if hanging or 2 * counts[0] <= n_tests else "Partly firm"
    return f"{verdict}: {which} {', and '.join(told)}."


def _any_one(datasets: Collection[str]) -> str:
    """Name the only data set, or count those of which any one is meant."""
    if len(datasets) == 1:
        return f"the data set {next(iter(datasets))}"
    return f"any one of {number(len(datasets))} data sets"


def _openness(sensitivity: Sensitivity) -> str:
    """Say whether a difference would be significant by another test, or without a data set."""
    n_tests, m = len(sensitivity.tests), len(sensitivity.hinges)
    by_others = sum(count > 0 for count in sensitivity.n_significant)
    hanging = {name for names in sensitivity.hinges for name in names}
    told = []
    if n_tests > 1 and by_others:
        which = "this difference" if m == 1 else counted(by_others, "difference")
        told.append(f"{which} would be significant by another suitable test")
    if hanging:
        which = "one" if told else "a difference would be significant"
        told.append(f"{which} with {_any_one(hanging)} left out")
    if told:
        return f"Open: {', and '.join(told)}."
    without = "with any one data set left out"
    if n_tests == 1:
        return "" if sensitivity.why_not else f"No difference is significant {without}, either."
    primary = "" if sensitivity.why_not else f" or {without}"
    tests = "either" if n_tests == 2 else f"any of the {number(n_tests)}"
    noun = "suitable test" if n_tests == 2 else "suitable tests"
    return f"No difference is significant by {tests} {noun}{primary}."


def same_decisions(comparison: Comparison, sensitivity: Sensitivity) -> bool:
    """Return whether a sensitivity analysis is about the decisions of a comparison."""
    one, other = comparison.hypotheses, sensitivity.primary.hypotheses
    same = (one.first, one.second) == (other.first, other.second)
    return same and np.array_equal(one.rejected, other.rejected)
