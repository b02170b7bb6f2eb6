"""The results of comparing algorithms on the folds of one data set: two of them, or several."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from nbcompare._arrays import FloatArray
from nbcompare._render import (
    Column,
    Table,
    format_number,
    format_numbers,
    format_p,
    format_rounded,
    plural,
    stated_p,
)
from nbcompare._validation import check_choice
from nbcompare.results._findings import caveat, sides, text_of
from nbcompare.results._methods import Cited, settings, where_of
from nbcompare.results._result import Sections
from nbcompare.results.labelled import Labelled, frame_of, frame_of_fields
from nbcompare.results.pair import METHOD, ResultOfTwo
from nbcompare.results.texts import on_methods
from nbcompare.results.within import WithinComparison
from nbcompare.results.wording import percent
from nbcompare.words import BRANCHES, CROSS_VALIDATION_TESTS, CrossValidationTest

if TYPE_CHECKING:
    import pandas as pd

# Attributes that are no column of the dataframe of the test
_NO_COLUMNS = ("weights", "formulas", "scores", "differences", "notes", "design")
_CORRECTED = CROSS_VALIDATION_TESTS["corrected-t"]


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class CrossValidation(ResultOfTwo):
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

    @property
    def pvalue(self) -> float:
        """The p-value; ``p_high`` if only bounds of it are known."""
        return self.p_high

    @property
    def favours(self) -> int:
        """Sign of the mean difference: 1 if the first is better, -1 if the second is, else 0."""
        return (self.mean_difference > 0) - (self.mean_difference < 0)

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
        if check_choice(what, "what", ("test", "folds")) == "test":
            return frame_of_fields(self, _NO_COLUMNS)
        columns = {
            "first": self.scores[0].reshape(-1),
            "second": self.scores[1].reshape(-1),
            "difference": self.differences.reshape(-1),
        }
        return frame_of(self._labels() | columns)

    # ------------------------------------------------------------------------ texts

    @property
    def _taken(self) -> CrossValidationTest:
        """The test that gave p."""
        return CROSS_VALIDATION_TESTS[self.test] if self.branch is None else BRANCHES[self.branch]

    @property
    def _label(self) -> str:
        return self._taken.label

    @property
    def _extent(self) -> str:
        """The folds in words, such as ``10 folds`` or ``10 repetitions of 10 folds``."""
        *repeats, n_folds = self.differences.shape
        if self.test.startswith("5x2cv"):
            return "5 replications of 2 folds"
        return splits_text(next(iter(repeats), 1), n_folds, self.differences.size)

    @property
    def _p(self) -> str:
        """The p-value as text, or its bounds if they differ in the printed digits."""
        low, high = format_p(self.p_low), format_p(self.p_high, self.log10_pvalue)
        return high if low == high or self.p_low == self.p_high else f"{low} to {high}"

    @property
    def _law(self) -> str:
        """The law by which p was computed."""
        drawn = f"{self.n_resamples or 0:,} random samples"
        return METHOD[self.method] if self.n_resamples is None else drawn

    def _interval(self, sign: int = 1) -> str:
        """Return the ends of the interval, if there is one, of the difference or its negative."""
        ends = sorted(sign * end + 0.0 for end in (self.lower, self.upper) if end is not None)
        return " to ".join(map(format_rounded, ends))

    def _shows_side(self) -> bool:
        """Return whether the means, and the statistic if it has a sign, say which is better."""
        says = 0 if self.method == "F" else (self.statistic > 0) - (self.statistic < 0)
        return self.favours != 0 and says in (0, self.favours)

    def _labels(self) -> dict[str, list[str]]:
        """Return columns that identify the fold of each row, numbered from 1."""
        n_folds = self.differences.shape[-1]
        places = [divmod(place, n_folds) for place in range(self.differences.size)]
        repeats = [str(repeat + 1) for repeat, _ in places]
        repeated = {"repetition": repeats} if self.differences.ndim > 1 else {}
        return repeated | {"fold": [str(fold + 1) for _, fold in places]}

    # ----------------------------------------------------------------------- tables

    def _sections(self) -> Sections:
        return {"test": self._test, "folds": self._folds}

    def _figures(self) -> tuple[tuple[str, str], ...]:
        # a sum of ranks is shown in full, t and F with 3 decimals
        decimals = None if (2 * self.statistic) % 1 == 0 else 3
        rows = {
            self._taken.statistic: format_number(self.statistic, decimals),
            "degrees of freedom": " and ".join(map(str, self.df or ())),
        }
        if self.test == "classical":
            p = "none" if self.normality is None else format_p(self.normality)
            rows["normality of the differences, Shapiro–Wilk p"] = p
        if self.tilt is not None:
            rows["tilt λ"] = format_number(self.tilt)
        rows |= {
            f"p ({self.alternative})": self._p,
            "significant": "yes" if self.rejected else "no",
            "win/tie/loss": f"{self.wins}/{self.ties}/{self.losses}",
            "mean difference": format_rounded(self.mean_difference),
            f"{percent(1 - self.alpha)} interval": self._interval(),
        }
        return tuple(rows.items())

    def _folds(self) -> Table:
        numbers = [
            format_numbers(values.reshape(-1)) for values in (*self.scores, self.differences)
        ]
        headers = [self.first, self.second, "difference"]
        if self.weights is not None:
            headers += [f"weight of {self.first}", f"weight of {self.second}"]
            numbers += [[format_number(w, 4) for w in row] for row in self.weights]
        labels = self._labels()
        return Table(
            (*map(Column, labels), *(Column(header, number=True) for header in headers)),
            tuple(zip(*labels.values(), *numbers, strict=True)),
            caption=f"{self.design.measure or 'Scores'}, {self.design.better}",
        )

    def _method(self) -> tuple[tuple[str, str], ...]:
        averaged = any(note.code == "runs-averaged" for note in self.notes)
        means = f"; means over {plural(self.design.n_runs, 'run')}" if averaged else ""
        scores = f"{self.design.measure or 'scores'}, {self.design.better}; {self._extent}{means}"
        told = {**vars(self), "test": self._label, "method": self._law}
        return settings(self.design, told, scored=scores)

    # --------------------------------------------------------------------- findings

    def _account(self) -> tuple[tuple[str, ...], ...]:
        sign, n = self.favours or 1, self.differences.size
        noun = "random split" if self.differences.shape[1:] == (1,) else "fold"
        better, worse = (self.first, self.second)[::sign]
        wins = (self.wins, self.losses)[::sign][0]
        tied = f", with {self.ties:,} tied" if self.ties else ""
        scores = f"{self.design.measure or 'scores'}, {self.design.better}"
        lead = f"On {where_of(self.dataset)}, {better} "
        if self.favours == 0:
            lead += f"and {worse} have the same mean ({scores})."
        else:
            size = format_rounded(abs(self.mean_difference))
            lead += f"has a better mean than {worse}, by {size} "
            lead += f"({scores}), and is better on {wins:,} of {plural(n, noun)}{tied}."
        told = self._verdict(self.favours if self._shows_side() else 0)
        level, ends = percent(1 - self.alpha), self._interval(sign)
        interval = f"The {level} interval of the difference of means is from {ends}."
        return (
            (lead, told, interval if ends else ""),
            (caveat(self, text_of(self, "one-data-set")),),
        )

    def _methods(self, cite: Cited) -> tuple[str, ...]:
        asked, taken = CROSS_VALIDATION_TESTS[self.test], self._taken
        why = "because the normality of the differences could not be tested"
        if self.branch == "permutation":
            why = "because the scores of the two do not overlap"
        elif self.normality is not None:
            p = stated_p(format_p(self.normality))
            why = f"chosen by Shapiro–Wilk's test of the differences ({p})"
        sizes = ""
        if self.ratio is not None:
            ratio = format_number(self.ratio, 3)
            sizes = f", test sets {ratio} times the size of the training sets"
        return on_methods(
            "folds of two",
            self,
            cite,
            where=where_of(self.dataset),
            extent=self._extent,
            taken=taken,
            sides=sides(self.alternative),
            law=self._law,
            sizes=sizes,
            chosen="" if taken.name == asked.name else lambda: f", {why}{cite(*asked.cites)}",
            ends="" if self.lower is not None else None,
        )


def splits_text(n_repeats: int, n_folds: int, n_used: int) -> str:
    """Return test sets in words, of which ``n_used`` have every score."""
    if n_folds == 1:
        return plural(n_repeats, "random split")
    repeated = f"{plural(n_repeats, 'repetition')} of " if n_repeats > 1 else ""
    text = f"{repeated}{plural(n_folds, 'fold')}"
    if n_used < n_repeats * n_folds:
        text += f", of which {n_used} have every score"
    return text


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
        return _CORRECTED.label

    @property
    def about_test(self) -> str:
        """The test of a pair with its law, for a caption."""
        return f"{_CORRECTED.label}, {plural(self.n_differences - 1, 'degree')} of freedom"

    @property
    def spread(self) -> tuple[str, Labelled[float]]:
        """What stands beside the means, with its heading."""
        return "standard deviation", self.deviations

    def _columns_of_test(self) -> dict[str, Any]:
        return {"df": self.n_differences - 1}

    def _account(self) -> tuple[tuple[str, ...], ...]:
        # without a significant difference, no smaller correction is asked for
        firmness = text_of(self, "corrected-variance") if self.hypotheses.rejected.any() else ""
        return self._answer(), (firmness,), (caveat(self, text_of(self, "one-data-set")),)

    def _methods(self, cite: Cited) -> tuple[str, ...]:
        share, degrees = format_number(self.ratio, 3), self.n_differences - 1
        return self._methods_by("folds", cite, words=_CORRECTED, degrees=degrees, share=share)
