"""The result of comparing several algorithms on one data set by cross-validation."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from nbcompare._arrays import FloatArray
from nbcompare._render import (
    MOST_ROWS,
    Column,
    Note,
    Part,
    Table,
    format_number,
    format_numbers,
    format_p,
    format_rounded,
    plural,
)
from nbcompare.results import _subject as subject
from nbcompare.results import crossval_account as account
from nbcompare.results._cited import Cited
from nbcompare.results._result import Result, Sections
from nbcompare.results.crossval_wording import splits_text, where_of
from nbcompare.results.design import Design
from nbcompare.results.hypotheses import Hypotheses, adjusted_columns, statistic_text
from nbcompare.results.labelled import Labelled
from nbcompare.words import CROSS_VALIDATION_TESTS, PROCEDURES, cited

if TYPE_CHECKING:
    import pandas as pd

_TEST = CROSS_VALIDATION_TESTS["corrected-t"]
_MOST_DECIMALS = 6
_LONG = 1e6


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class CrossValidationComparison(Result):
    """A comparison of several algorithms on one data set by cross-validation.

    :func:`nbcompare.compare_cv` returns it without ``a`` and ``b``; it displays itself. Its
    sections are ``findings`` (the answer in a few sentences), ``pairs`` (significant ones first),
    ``means``, ``hypotheses``, ``methods`` (a paragraph for a paper), ``notes``, ``method``
    and ``references``.

    Attributes
    ----------
    dataset : str or None
        The data set, if it has a name.
    control : str or None
        The algorithm that all others are compared with; None for all pairs.
    adjust : tuple of str
        Adjustment procedures; the first decides. Empty: raw p-values.
    alpha : float
        Level of the family-wise error, or of the false discovery rate if the first procedure
        controls that; a hypothesis is rejected if its p <= alpha.
    missing : str
        The option used.
    ratio : float
        Size of a test set over that of a training set.
    n_repeats, n_folds : int
        Numbers of repetitions and of folds in each, as they were made.
    n_differences : int
        Number of test sets on which the algorithms are compared; smaller than the product of
        those two if scores are missing. Each t has one degree of freedom less.
    mean_scores, deviations : mapping of str to float
        Means and standard deviations of the scores over these test sets, in units of the
        measure, by algorithm in the order of the data.
    hypotheses : Hypotheses
        The hypotheses, one per pair, sorted by p: t, p, adjusted p, decision, W/T/L over
        the test sets, and the mean difference in units of the measure, positive where the first
        is better. There is no effect size.
    lower, upper : ndarray of float
        Ends of simultaneous confidence intervals of the mean differences, in the order of the
        hypotheses: each at 1 - alpha/m for m hypotheses.
    notes : tuple of Note
        Caveats, with a ``code`` to test for and a ``text``.
    design : Design
        The data and options.
    """

    dataset: str | None
    control: str | None
    adjust: tuple[str, ...]
    alpha: float
    missing: str
    ratio: float
    n_repeats: int
    n_folds: int
    n_differences: int
    mean_scores: Labelled[float]
    deviations: Labelled[float]
    hypotheses: Hypotheses
    lower: FloatArray
    upper: FloatArray
    notes: tuple[Note, ...]
    design: Design

    @property
    def ordered(self) -> tuple[str, ...]:
        """Algorithms from best to worst mean; ties in the order of the data."""
        sign = float(self.design.gain_signs[0])
        return tuple(sorted(self.mean_scores, key=lambda name: -sign * self.mean_scores[name]))

    @property
    def procedure(self) -> str:
        """Name of the deciding procedure, for the text of a paper."""
        if not self.adjust:
            return "no adjustment"
        return PROCEDURES[self.adjust[0]].label_with(self.control)

    @property
    def confidence(self) -> float:
        """Confidence level of all intervals together."""
        return 1 - self.alpha

    @property
    def splits(self) -> str:
        """The test sets in words, such as ``10 folds`` or ``10 repetitions of 10 folds``."""
        return splits_text(self.n_repeats, self.n_folds, self.n_differences)

    def size(self, value: float) -> str:
        """Return a difference, or an end of an interval, as text.

        All of them have as many decimals as give 3 digits of half the narrowest interval, if the
        numbers stay short.

        Parameters
        ----------
        value : float
            Difference in units of the measure.

        Returns
        -------
        str
            The number, such as ``0.0123``.
        """
        widths = (self.upper - self.lower)[self.upper > self.lower]
        least = float(widths.min(initial=math.inf)) / 2
        decimals = 2 - math.floor(math.log10(least)) if 0 < least < _LONG else -1
        if not 0 <= decimals <= _MOST_DECIMALS or abs(value) >= _LONG:
            return format_rounded(value)
        return format_number(value, decimals)

    @property
    def where(self) -> str:
        """The data set in words."""
        return where_of(self.dataset)

    @property
    def references(self) -> tuple[str, ...]:
        """References for the procedures used, sorted by author."""
        return cited(
            {*_TEST.cites, *(key for name in self.adjust for key in PROCEDURES[name].cites)}
        )

    def to_frame(self) -> pd.DataFrame:
        """Return the hypotheses as a pandas dataframe, one row each.

        Returns
        -------
        pandas.DataFrame
            Columns first, second, mean_difference, lower, upper, statistic, df, pvalue,
            log10_pvalue, wins, ties, losses, one column of adjusted p-values per procedure, and
            rejected.
        """
        import pandas as pd

        tests = self.hypotheses
        columns = {
            "first": tests.first,
            "second": tests.second,
            "mean_difference": tests.mean_difference,
            "lower": self.lower,
            "upper": self.upper,
            "statistic": tests.statistic,
            "df": self.n_differences - 1,
            "pvalue": tests.pvalue,
            "log10_pvalue": tests.log10_pvalue,
            "wins": tests.wins,
            "ties": tests.ties,
            "losses": tests.losses,
        }
        return pd.DataFrame(columns | dict(tests.adjusted) | {"rejected": tests.rejected})

    def __repr__(self) -> str:
        against = "all pairs" if self.control is None else f"control {self.control!r}"
        tests = self.hypotheses
        return (
            f"<CrossValidationComparison: {plural(len(self.mean_scores), 'algorithm')}, "
            f"{self.splits}, {against}, {self.procedure}, {int(tests.rejected.sum())} of "
            f"{plural(len(tests), 'hypothesis')} rejected>"
        )

    # ---------------------------------------------------------------------- display

    def _tables(self) -> tuple[Part, ...]:
        return (self._means(), self._hypotheses())

    def _sections(self) -> Sections:
        return {
            "pairs": lambda: (self._hypotheses(MOST_ROWS),),
            "means": lambda: (self._means(),),
            "hypotheses": lambda: (self._hypotheses(),),
        }

    def _account(self) -> tuple[tuple[str, ...], ...]:
        return account.findings(self)

    def _methods(self, cite: Cited) -> tuple[str, ...]:
        return account.methods(self, cite)

    def _means(self) -> Table:
        ordered = self.ordered
        columns = [
            format_numbers([float(format_rounded(values[name])) for name in ordered])
            for values in (self.mean_scores, self.deviations)
        ]
        return Table(
            (
                Column("algorithm"),
                Column("mean", number=True),
                Column("standard deviation", number=True),
            ),
            tuple(zip(ordered, *columns, strict=True)),
            caption=(
                f"Means of {self.design.measure or 'the scores'} over {self.splits}, best first; "
                f"{self.design.better}"
            ),
        )

    def _hypotheses(self, most: int | None = None) -> Table:
        """Return the table of all hypotheses, or of at most so many, rejected ones first."""
        tests = self.hypotheses
        rows = list(range(len(tests)))
        shown = ""
        if most is not None:
            rows = sorted(rows, key=lambda row: not tests.rejected[row])[:most]
            shown = f"; the first {most} of {len(tests):,}" if most < len(tests) else ""
        columns = (
            Column("first"),
            Column("second"),
            Column("difference", number=True),
            Column(f"{self.confidence:.4g} interval", number=True),
            Column(_TEST.statistic, number=True),
            Column("p", number=True),
            *adjusted_columns(tests.adjusted),
            Column("W/T/L", number=True),
            Column("rejected"),
        )
        return Table(
            columns,
            tuple(self._row(row) for row in rows),
            caption=(
                f"Null hypotheses that two algorithms have the same expected score on "
                f"{self.where} ({_TEST.label}, {plural(self.n_differences - 1, 'degree')} of "
                f"freedom, {self.procedure}, α = {self.alpha:g}). Differences of means are "
                f"{self.design.minus()} (> 0: the first is better); the intervals hold "
                f"together with confidence {self.confidence:.4g}{shown}"
            ),
        )

    def _row(self, row: int) -> tuple[str, ...]:
        tests = self.hypotheses
        counts = (tests.wins, tests.ties, tests.losses)
        return (
            tests.first[row],
            tests.second[row],
            self.size(difference(self, row)),
            interval_text(self, row),
            statistic_text(tests, row),
            format_p(float(tests.pvalue[row]), float(tests.log10_pvalue[row])),
            *(
                format_p(float(values[row]), float(tests.log10_adjusted[name][row]))
                for name, values in tests.adjusted.items()
            ),
            "/".join(str(count[row]) for count in counts if count is not None),
            "yes" if tests.rejected[row] else "no",
        )

    def _method(self) -> tuple[tuple[str, str], ...]:
        tests = self.hypotheses
        missing = subject.missing_scores(self.design)
        family = (
            "all pairs" if self.control is None else f"{self.control} against each other algorithm"
        )
        return (
            ("scores", f"{self.design.measure or 'scores'}, {self.design.better}"),
            ("test sets", self.splits),
            *([("missing scores", missing)] if missing else []),
            (
                "test",
                f"{_TEST.label}, two-sided; Student's t distribution with "
                f"{plural(self.n_differences - 1, 'degree')} of freedom",
            ),
            ("test over training size", format_number(self.ratio, 3)),
            ("family", f"{family}, {plural(len(tests), 'hypothesis')}"),
            ("adjustment", subject.adjustments(self.adjust)),
            ("α", f"{self.alpha:g}; rejected if the {'adjusted ' if self.adjust else ''}p ≤ α"),
            ("difference", f"mean over the test sets, {self.design.minus()}"),
            (
                "intervals",
                "of the mean differences, by the same t distribution, each at "
                f"1 − {self.alpha:g}/{len(tests)} (Bonferroni)",
            ),
            *subject.identity(self.design, "fingerprint of the scores compared"),
        )


def difference(result: CrossValidationComparison, row: int) -> float:
    """Return the mean difference of a pair, positive where the first is better."""
    values = result.hypotheses.mean_difference
    return 0.0 if values is None else float(values[row])


def interval_text(result: CrossValidationComparison, row: int) -> str:
    """Return the interval of a pair as text."""
    ends = (float(result.lower[row]), float(result.upper[row]))
    return f"[{', '.join(map(result.size, ends))}]"
