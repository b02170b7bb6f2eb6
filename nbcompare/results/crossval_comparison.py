"""The result of comparing several algorithms on one data set by cross-validation."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from nbcompare._render import format_number, plural
from nbcompare.results import crossval_account as account
from nbcompare.results._cited import Cited
from nbcompare.results.crossval_wording import splits_text
from nbcompare.results.labelled import Labelled
from nbcompare.results.within import WithinComparison
from nbcompare.words import CROSS_VALIDATION_TESTS

_TEST = CROSS_VALIDATION_TESTS["corrected-t"]


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class CrossValidationComparison(WithinComparison):
    """A comparison of several algorithms on one data set by cross-validation.

    :func:`nbcompare.compare_cv` returns it without ``a`` and ``b``; it displays itself. What it
    has beside the attributes of :class:`WithinComparison`:

    Attributes
    ----------
    ratio : float
        Size of a test set over that of a training set.
    n_repeats, n_folds : int
        Numbers of repetitions and of folds in each, as they were made.
    n_differences : int
        Number of test sets on which the algorithms are compared; smaller than the product of
        those two if scores are missing. Each t has one degree of freedom less.
    deviations : mapping of str to float
        Standard deviations of the scores over these test sets, in units of the measure, by
        algorithm.
    """

    ratio: float
    n_repeats: int
    n_folds: int
    n_differences: int
    deviations: Labelled[float]

    @property
    def extent(self) -> str:
        """The test sets in words, such as ``10 folds`` or ``10 repetitions of 10 folds``."""
        return splits_text(self.n_repeats, self.n_folds, self.n_differences)

    @property
    def test_label(self) -> str:
        """Name of the test of a pair, for a sentence."""
        return _TEST.label

    @property
    def about_test(self) -> str:
        """The test of a pair with its law, for a caption."""
        return f"{_TEST.label}, {plural(self.n_differences - 1, 'degree')} of freedom"

    @property
    def spread(self) -> tuple[str, Labelled[float]]:
        """What stands beside the means, with its heading."""
        return "standard deviation", self.deviations

    @property
    def cites(self) -> tuple[str, ...]:
        """Keys of the literature on the test."""
        return _TEST.cites

    def _columns_of_test(self) -> dict[str, Any]:
        return {"df": self.n_differences - 1}

    def _account(self) -> tuple[tuple[str, ...], ...]:
        return account.findings(self)

    def _methods(self, cite: Cited) -> tuple[str, ...]:
        return account.methods(self, cite)

    def _method_of_test(self) -> tuple[tuple[str, str], ...]:
        return (
            ("test sets", self.extent),
            (
                "test",
                f"{_TEST.label}, two-sided; Student's t distribution with "
                f"{plural(self.n_differences - 1, 'degree')} of freedom",
            ),
            ("test over training size", format_number(self.ratio, 3)),
            ("difference", f"mean over the test sets, {self.design.minus()}"),
            (
                "intervals",
                f"of the mean differences, by the same t distribution, {self._level_of_intervals}",
            ),
        )
