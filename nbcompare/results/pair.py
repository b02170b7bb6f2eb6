"""The result of comparing two algorithms by their own scores, with its sentences."""

from __future__ import annotations

import math
from dataclasses import dataclass, fields
from types import MappingProxyType
from typing import TYPE_CHECKING

from nbcompare._arrays import FloatArray
from nbcompare._options import TWO_SIDED
from nbcompare._render import (
    Column,
    Note,
    Part,
    Table,
    format_number,
    format_numbers,
    format_p,
    format_rounded,
    plural,
    stated_p,
)
from nbcompare.results import _subject as subject
from nbcompare.results import pair_wording as wording
from nbcompare.results._cited import Cited, averaged, computed, missing, null_hypothesis
from nbcompare.results._established import counted, sides, verdict
from nbcompare.results._result import Result, Sections
from nbcompare.results.design import Design
from nbcompare.words import PAIR_TESTS, ZEROS, cited

if TYPE_CHECKING:
    import pandas as pd


METHOD = MappingProxyType(
    {
        "exact": "exact p",
        "normal": "normal approximation",
        "t": "Student's t distribution",
        "F": "F distribution",
    }
)


def account(result: PairComparison) -> tuple[tuple[str, ...], ...]:
    """Return the outcome of the test and the size of the difference, the better one first."""
    return ((_counts(result), _verdict(result), _size(result)), (_asymmetry(result),))


def methods(result: PairComparison, cite: Cited) -> tuple[str, ...]:
    """Return the sentences of a paragraph on the test."""
    words, design = PAIR_TESTS[result.test], result.design
    by = f"{words.label}{cite(*words.cites)} ({sides(result.alternative)}, {METHOD[result.method]})"
    estimated = (
        f"The difference was estimated by the {words.estimate_in_full}, with a "
        f"{percent(result.confidence)} confidence interval."
    )
    return (
        f"We compared {result.first} and {result.second} on "
        f"{counted(design.n_datasets, 'data set')} by {averaged(design)}.",
        missing(design),
        f"The two were compared by the {by} at the significance level {result.alpha:g}."
        f"{null_hypothesis(words.null)}",
        "" if result.shift is None else estimated,
        computed(design),
    )


def pair_method(result: PairComparison) -> tuple[tuple[str, str], ...]:
    """Return rows of the table of the method, for reproducing the result."""
    words = PAIR_TESTS[result.test]
    rows = [
        ("scores", subject.scores(result.design)),
        ("test", f"{words.label}, {sides(result.alternative)}; {METHOD[result.method]}"),
        ("hypothesis tested", wording.hypothesis(result, "perform equally")),
    ]
    if result.zeros is not None:
        zeros = ZEROS[result.zeros]
        how = zeros.signs if result.test == "sign" else zeros.method
        rows.append(("data sets on which both tie", how))
    rows += [
        ("design", result.why.removeprefix("Design: ").removeprefix("Design, ")),
        ("α", f"{result.alpha:g}; rejected if p ≤ α"),
        ("effect size", f"{words.effect}; > 0: {result.first} is better"),
    ]
    if result.shift is not None:
        minus = result.design.minus(result.first, result.second)
        rows += [
            ("difference", f"{words.estimate_in_full}, {minus}"),
            ("interval", f"{percent(result.confidence)}, two-sided; {words.interval}"),
        ]
    return (*rows, *subject.identity(result.design, "fingerprint of the scores compared"))


def percent(share: float, decimals: int | None = None) -> str:
    """Return a share as a percentage, such as ``95 %`` or ``95.8 %``."""
    shown = f"{100 * share:g}" if decimals is None else f"{100 * share:.{decimals}f}"
    return f"{shown} %"


def _figures(result: PairComparison) -> str:
    if result.r_plus is not None and result.r_minus is not None:
        return f"R+ = {format_number(result.r_plus)}, R− = {format_number(result.r_minus)}"
    if result.test == "sign":
        half = (result.n_used + int(result.statistic)) // 2
        return f"{half} of {result.n_used} signs in favour of {result.first}"
    if result.test == "rank-sum":
        return f"U = {format_number(result.statistic)}"
    return f"t = {format_number(result.statistic, 3)} with {result.n_used - 1} df"


def _side(result: PairComparison) -> int:
    """Return 1 if the first is better, or -1."""
    # U counts pairs of scores and is never negative, so its sign does not show which is better
    return -1 if (result.effect_size if result.test == "rank-sum" else result.statistic) < 0 else 1


def _counts(result: PairComparison) -> str:
    better, worse = (result.first, result.second)[:: _side(result)]
    wins, losses = (result.wins, result.losses)[:: _side(result)]
    n = result.design.n_datasets
    scores = f"{result.design.measure or 'scores'}, {result.design.better}"
    tied = f", with {result.ties:,} tied" if result.ties else ""
    return (
        f"{better} is better than {worse} on {wins:,} of {plural(n, 'data set')} and worse on "
        f"{losses:,}{tied} ({scores})."
    )


def _verdict(result: PairComparison) -> str:
    test = f"{PAIR_TESTS[result.test].label}, {_figures(result)}, "
    test += stated_p(format_p(result.pvalue, result.log10_pvalue))
    test = f"{'' if result.alternative == TWO_SIDED else 'one-sided '}{test}"
    pair = result.first, result.second
    return verdict(pair, _side(result), test, result.alternative, rejected=result.rejected)


def _size(result: PairComparison) -> str:
    if result.shift is None or result.shift_lower is None or result.shift_upper is None:
        return next((note.text for note in result.notes if note.code == "no-estimates"), "")
    sign = _side(result)
    # 0.0 is added, for there is no difference of -0
    low, high = sorted((sign * result.shift_lower + 0.0, sign * result.shift_upper + 0.0))
    size, level = format_rounded(sign * result.shift + 0.0), percent(result.confidence)
    name = PAIR_TESTS[result.test].estimate
    if result.shift == 0 and result.rejected:
        mean = abs(float(result.scores[:, 0].mean() - result.scores[:, 1].mean()))
        return f"Most differences are 0; the means differ by {format_rounded(mean)}."
    of = "; ".join(filter(None, (result.design.measure, name)))
    estimate = f"The difference is estimated at {size} ({of})"
    if math.isinf(low):
        return f"{estimate}; there are too few data sets for a {level} confidence interval."
    ends = f"{format_rounded(low)} to {format_rounded(high)}"
    return f"{estimate}, with a {level} interval from {ends}."


def _asymmetry(result: PairComparison) -> str:
    """Return the note on a test that needs symmetric differences, if there is one."""
    texts = {note.code: note.text for note in result.notes}
    text = texts.get("opposite-signs") or texts.get("asymmetric")
    return f"Read with care: {text}" if text else ""


_NO_COLUMNS = ("zeros", "scores", "notes", "design", "why")  # attributes that no dataframe has


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class PairComparison(Result):
    """A test of two algorithms by their own scores, with an estimate of their difference.

    :func:`nbcompare.compare_pair` returns it; it displays itself. Its sections are ``findings``,
    ``test``, ``scores``, ``methods``, ``notes``, ``method`` and ``references``.

    Attributes
    ----------
    first, second : str
        The algorithms.
    test : {"wilcoxon", "sign", "rank-sum", "t"}
        The test: Wilcoxon's signed-rank test, the sign test, the rank-sum test of Mann and
        Whitney, or the paired t test.
    statistic : float
        wilcoxon: the sum of the signed ranks. sign: wins minus losses, of those that count.
        t: t. These are positive where the first is better. rank-sum: U, the number of pairs of
        scores in which the first is better, with ties counting one half.
    pvalue, log10_pvalue : float
        The p-value, which may underflow to 0, and its logarithm, which does not; the logarithm
        is minus infinity only for the t test of differences that are all the same.
    r_plus, r_minus : float or None
        Sums of the ranks where the first is better, and where it is worse; None unless the test
        is wilcoxon.
    effect_size : float
        Positive where the first is better. wilcoxon: matched-pairs rank-biserial
        correlation. sign: share of data sets won minus share lost. rank-sum: rank-biserial
        correlation. t: Cohen's d_z, infinite if all differences are the same.
    shift, shift_lower, shift_upper : float or None
        Estimated difference in the unit of the measure, positive if the first is better, and
        its confidence interval, which is two-sided for every alternative. wilcoxon, rank-sum:
        Hodges and Lehmann's estimate; sign: the median; t: the mean. The ends are infinite if
        there are too few data sets for the confidence. None where differences of several data sets
        are not comparable; a note says why.
    confidence : float
        1 - alpha.
    coverage : float or None
        The actual coverage of the interval, which is not smaller.
    wins, ties, losses : int
        Numbers of data sets on which the first is better, tied and worse.
    median_difference : float or None
        Median difference in the unit of the measure, positive if the first is better.
    n_used : int
        wilcoxon: number of differences that were ranked. sign: number of signs that were
        counted. Others: number of data sets.
    method : {"exact", "normal", "t"}
        How p was computed.
    zeros : str or None
        Treatment of data sets on which the two tie; None unless the test is wilcoxon or sign.
    alternative : {"two-sided", "better", "worse"}
        Alternative hypothesis: the first differs, is better, or is worse.
    alpha : float
        Significance level.
    rejected : bool
        True if p <= alpha.
    scores : ndarray of float, shape (n_datasets, 2)
        Mean scores as they were given, in the order of ``design.datasets``.
    notes : tuple of Note
        Caveats, with a ``code`` to test for and a ``text``.
    design : Design
        The data and options.
    why : str
        The test and why it was taken, as a sentence.
    """

    first: str
    second: str
    test: str
    statistic: float
    r_plus: float | None
    r_minus: float | None
    n_used: int
    pvalue: float
    log10_pvalue: float
    method: str
    alternative: str
    alpha: float
    rejected: bool
    effect_size: float
    wins: int
    ties: int
    losses: int
    median_difference: float | None = None
    shift: float | None = None
    shift_lower: float | None = None
    shift_upper: float | None = None
    confidence: float
    coverage: float | None = None
    zeros: str | None
    scores: FloatArray
    notes: tuple[Note, ...]
    design: Design
    why: str = ""

    @property
    def references(self) -> tuple[str, ...]:
        """References for the test, sorted by author."""
        zeros = () if self.zeros is None else ZEROS[self.zeros].cites
        skewed = ("randles1980",) if any(one.code == "asymmetric" for one in self.notes) else ()
        return cited((*PAIR_TESTS[self.test].cites, *zeros, *skewed))

    def to_frame(self) -> pd.DataFrame:
        """Return the result as a pandas dataframe of one row.

        Returns
        -------
        pandas.DataFrame
            Columns named like the attributes, from ``first`` to ``coverage``, without those that
            are None.
        """
        import pandas as pd

        names = [one.name for one in fields(self) if one.name not in _NO_COLUMNS]
        values = {name: getattr(self, name) for name in names}
        return pd.DataFrame([{name: v for name, v in values.items() if v is not None}])

    def __repr__(self) -> str:
        return (
            f"<PairComparison: {self.first!r} and {self.second!r}, "
            f"{plural(self.design.n_datasets, 'data set')}, {PAIR_TESTS[self.test].label}, "
            f"{stated_p(format_p(self.pvalue, self.log10_pvalue))}, "
            f"{'significant' if self.rejected else 'not significant'}>"
        )

    # ---------------------------------------------------------------------- display

    def _tables(self) -> tuple[Part, ...]:
        return (self._test(),)

    def _sections(self) -> Sections:
        return {
            "test": lambda: (self._test(),),
            "scores": lambda: (self._scores(),),
        }

    def _account(self) -> tuple[tuple[str, ...], ...]:
        return account(self)

    def _methods(self, cite: Cited) -> tuple[str, ...]:
        return methods(self, cite)

    def _test(self) -> Table:
        words = PAIR_TESTS[self.test]
        rows = [
            (words.statistic, format_number(self.statistic)),
            *self._rank_sums(),
            (f"p ({self.alternative})", format_p(self.pvalue, self.log10_pvalue)),
            ("significant", "yes" if self.rejected else "no"),
            (f"effect size, {words.effect}", format_number(self.effect_size, 3)),
            ("win/tie/loss", f"{self.wins}/{self.ties}/{self.losses}"),
            *self._sizes(),
        ]
        return Table(
            (Column("figure"), Column("value", number=True)),
            tuple(rows),
            caption=(
                f"{words.label[0].upper()}{words.label[1:]} of {self.first} and {self.second}, α = "
                f"{self.alpha:g}; {self.design.better}; differences are "
                f"{self.design.minus(self.first, self.second)} (> 0: {self.first} is better)"
            ),
        )

    def _sizes(self) -> list[tuple[str, str]]:
        sizes = (self.median_difference, self.shift, self.shift_lower, self.shift_upper)
        shown = [format_rounded(size) for size in sizes if size is not None]
        if self.coverage is None or len(shown) < len(sizes):
            return []
        return [
            ("median difference", shown[0]),
            (f"difference, {PAIR_TESTS[self.test].estimate}", shown[1]),
            (f"{percent(self.confidence)} confidence interval", " to ".join(shown[2:])),
            ("coverage of the interval", percent(self.coverage, 2)),
        ]

    def _rank_sums(self) -> list[tuple[str, str]]:
        if self.r_plus is None or self.r_minus is None:
            return []
        return [
            (f"R+, ranks where {self.first} is better", format_number(self.r_plus)),
            (f"R−, ranks where {self.first} is worse", format_number(self.r_minus)),
            ("differences ranked", str(self.n_used)),
        ]

    def _differences(self) -> FloatArray:
        """Return the differences on the data sets, positive where the first is better."""
        gains: FloatArray = self.design.gain_signs * (self.scores[:, 0] - self.scores[:, 1])
        return gains

    def _scores(self) -> Table:
        columns = [format_numbers(values) for values in (*self.scores.T, self._differences())]
        headers = (self.first, self.second, "difference")
        return Table(
            (Column("data set"), *(Column(header, number=True) for header in headers)),
            tuple(zip(self.design.datasets, *columns, strict=True)),
            caption=f"{self.design.measure or 'Scores'}, {self.design.better}",
        )

    def _method(self) -> tuple[tuple[str, str], ...]:
        return pair_method(self)
