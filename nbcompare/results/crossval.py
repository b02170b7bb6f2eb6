"""The result of comparing two algorithms on the folds of one data set."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import TYPE_CHECKING

from nbcompare._arrays import FloatArray
from nbcompare._render import (
    Column,
    Note,
    Part,
    Table,
    format_number,
    format_numbers,
    stated_p,
)
from nbcompare._validation import check_choice
from nbcompare.results import crossval_account as account
from nbcompare.results import crossval_wording as wording
from nbcompare.results._cited import Cited
from nbcompare.results._result import Result, Sections
from nbcompare.results.design import Design
from nbcompare.words import BRANCHES, CROSS_VALIDATION_TESTS, cited

if TYPE_CHECKING:
    import pandas as pd

# Attributes that are no column of the dataframe of the test
_NO_COLUMNS = ("weights", "formulas", "scores", "differences", "notes", "design")


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class CrossValidation(Result):
    """A test of two algorithms on one data set by cross-validation.

    :func:`nbcompare.compare_cv` returns it; it displays itself.

    Attributes
    ----------
    first, second : str
        The algorithms.
    dataset : str or None
        The data set, if it has a name.
    test : {"permutation", "tilted", "5x2cv-t", "5x2cv-f", "corrected-t", "classical"}
        The test asked for.
    branch : {"t", "wilcoxon", "tilted", "permutation"} or None
        The test that ``classical`` or ``tilted`` chose: the t test or Wilcoxon's test; the
        tilted test, or the permutation test if there is no tilt. None for other tests.
    statistic : float
        permutation, tilted: the mean difference, in the unit of the measure. t: t. Wilcoxon:
        the sum of the signed ranks. These are positive where the first is better. 5x2cv-f: F.
    df : tuple of int or None
        Degrees of freedom of t (one) or F (two).
    p_low, p_high : float
        Lower and upper bound of p. They differ only for exact p-values of scores that are not
        multiples of one unit.
    log10_pvalue : float
        Logarithm of ``p_high``, which does not underflow where p underflows to 0.
    method : {"exact", "resampling", "t", "F", "normal"}
        How p was computed; the last three are distributions.
    n_resamples : int or None
        Number of random samples; None unless p comes from resampling.
    normality : float or None
        p-value of Shapiro and Wilk's test on the differences (classical); None if not tested.
    tilt : float or None
        Lambda of the tilted test, in the reciprocal unit of the measure, for scores turned so
        that smaller is better.
    weights : ndarray of float, shape (2, n_folds), or None
        Probabilities with which the tilted test draws the scores of each algorithm.
    ratio : float or None
        Ratio of test to training size of corrected-t.
    alternative : {"two-sided", "better", "worse"}
        Alternative hypothesis: the first differs, is better, or is worse.
    alpha : float
        Significance level.
    rejected : bool
        True if p_high <= alpha.
    formulas : {"corrected", "printed"}
        The option used.
    mean_difference : float
        Mean difference in the unit of the measure, positive if the first is better.
    lower, upper : float or None
        Confidence interval of the mean difference at 1 - alpha, two-sided for every alternative, by
        the t distribution of corrected-t; None for other tests.
    wins, ties, losses : int
        Numbers of folds on which the first is better, tied and worse.
    scores : ndarray of float, shape (2, n_folds) or (2, n_repeats, n_folds)
        Scores in their own unit and direction, averaged over runs.
    differences : ndarray of float, shape (n_folds,) or (n_repeats, n_folds)
        Differences by fold, positive where the first is better; ties are zero.
    notes : tuple of Note
        Caveats, with a ``code`` to test for and a ``text``.
    design : Design
        The data and options.

    Its sections are ``findings`` (the answer in a few sentences), ``test``, ``folds``, ``methods``
    (a paragraph for a paper), ``notes``, ``method`` and ``references``.
    """

    first: str
    second: str
    dataset: str | None
    test: str
    branch: str | None
    statistic: float
    df: tuple[int, ...] | None
    p_low: float
    p_high: float
    log10_pvalue: float
    method: str
    n_resamples: int | None
    normality: float | None
    tilt: float | None
    weights: FloatArray | None
    ratio: float | None
    alternative: str
    alpha: float
    rejected: bool
    formulas: str
    mean_difference: float
    lower: float | None
    upper: float | None
    wins: int
    ties: int
    losses: int
    scores: FloatArray
    differences: FloatArray
    notes: tuple[Note, ...]
    design: Design

    @property
    def pvalue(self) -> float:
        """The p-value; ``p_high`` if only bounds of it are known."""
        return self.p_high

    @property
    def favours(self) -> int:
        """Sign of the mean difference: 1 if the first is better, -1 if the second is, else 0."""
        return (self.mean_difference > 0) - (self.mean_difference < 0)

    @property
    def references(self) -> tuple[str, ...]:
        """References for the test, sorted by author."""
        branch = () if self.branch is None else BRANCHES[self.branch].cites
        return cited((*CROSS_VALIDATION_TESTS[self.test].cites, *branch))

    def to_frame(self, what: str = "test") -> pd.DataFrame:
        """Return the test, or the scores by fold, as a pandas dataframe.

        Parameters
        ----------
        what : {"test", "folds"}
            ``test``: one row, with columns named like the attributes, without those that are
            None. ``folds``: a row per fold, with the columns repetition (for repeated
            cross-validation), fold, first, second (their scores) and difference.

        Returns
        -------
        pandas.DataFrame
            The test or the folds.
        """
        import pandas as pd

        if check_choice(what, "what", ("test", "folds")) == "test":
            names = [one.name for one in fields(self) if one.name not in _NO_COLUMNS]
            values = {name: getattr(self, name) for name in names}
            return pd.DataFrame([{name: v for name, v in values.items() if v is not None}])
        labels = wording.fold_labels(self)
        columns = {
            **dict(zip(wording.fold_headers(self), zip(*labels, strict=True), strict=True)),
            "first": self.scores[0].reshape(-1),
            "second": self.scores[1].reshape(-1),
            "difference": self.differences.reshape(-1),
        }
        return pd.DataFrame(columns)

    def __repr__(self) -> str:
        return (
            f"<CrossValidation: {self.first!r} and {self.second!r}, {wording.folds(self)}, "
            f"{CROSS_VALIDATION_TESTS[self.test].label}, {stated_p(wording.p(self))}, "
            f"{wording.outcome(self)}>"
        )

    # ---------------------------------------------------------------------- display

    def _tables(self) -> tuple[Part, ...]:
        return (self._test(),)

    def _sections(self) -> Sections:
        return {
            "test": lambda: (self._test(),),
            "folds": lambda: (self._folds(),),
        }

    def _account(self) -> tuple[tuple[str, ...], ...]:
        return account.findings_of_two(self)

    def _methods(self, cite: Cited) -> tuple[str, ...]:
        return account.methods_of_two(self, cite)

    def _test(self) -> Table:
        name = wording.taken(self).label
        name = name if name[0].isdigit() else f"{name[0].upper()}{name[1:]}"
        return Table(
            (Column("figure"), Column("value", number=True)),
            wording.figures(self),
            caption=(
                f"{name} of {self.first} and {self.second}, α = {self.alpha:g}; "
                f"{self.design.better}; differences are "
                f"{self.design.minus(self.first, self.second)} (> 0: {self.first} is better)"
            ),
        )

    def _folds(self) -> Table:
        columns = [
            format_numbers(values.reshape(-1)) for values in (*self.scores, self.differences)
        ]
        headers = [self.first, self.second, "difference"]
        if self.weights is not None:
            headers += [f"weight of {self.first}", f"weight of {self.second}"]
            columns += [[format_number(w, 4) for w in row] for row in self.weights]
        labels = wording.fold_labels(self)
        return Table(
            (
                *(Column(header) for header in wording.fold_headers(self)),
                *(Column(header, number=True) for header in headers),
            ),
            tuple(
                (*label, *row)
                for label, row in zip(labels, zip(*columns, strict=True), strict=True)
            ),
            caption=f"{self.design.measure or 'Scores'}, {self.design.better}",
        )

    def _method(self) -> tuple[tuple[str, str], ...]:
        return wording.method(self)
