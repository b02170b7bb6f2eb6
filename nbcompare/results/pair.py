"""Results of two algorithms: over data sets, and on the folds of one."""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING

from nbcompare._arrays import FloatArray
from nbcompare._options import TWO_SIDED
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
from nbcompare.results._result import Result, Sections
from nbcompare.results.labelled import frame_of, frame_of_fields, table_of
from nbcompare.results.sentences import caveat, sides, text_of, verdict
from nbcompare.results.texts import Cited, averaged, null_hypothesis, on_methods, settings, where_of
from nbcompare.results.within import splits_text
from nbcompare.results.wording import capital, percent
from nbcompare.words import BRANCHES, CROSS_VALIDATION_TESTS, PAIR_TESTS, ZEROS, CrossValidationTest

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


_NO_COLUMNS = (  # attributes that no dataframe has
    "zeros", "weights", "formulas", "scores", "differences", "notes", "design", "why",
)  # fmt: skip


class ResultOfTwo(Result):
    """What results on two algorithms have in common."""

    first: str
    second: str
    alternative: str
    alpha: float
    rejected: bool
    wins: int
    ties: int
    losses: int

    @property
    @abstractmethod
    def _label(self) -> str:
        """Name of the test that gave p."""

    @property
    @abstractmethod
    def _extent(self) -> str:
        """What the two are compared on, such as ``14 data sets``."""

    @property
    @abstractmethod
    def _p(self) -> str:
        """The p-value as text."""

    @abstractmethod
    def _figures(self) -> Sequence[tuple[str, str]]:
        """Return the figures of the test."""

    def _verdict(self, side: int, figures: str = "") -> str:
        """Say what the test shows, with its figures; ``side`` is 1 if the first is better."""
        about = f"{self._label}, {figures}{stated_p(self._p)}"
        if self.alternative != TWO_SIDED:
            about = f"one-sided {about}"
        pair = self.first, self.second
        return verdict(pair, side, about, self.alternative, rejected=self.rejected)

    def _tables(self) -> tuple[Table, ...]:
        return (self._test(),)

    def _test(self) -> Table:
        rows = tuple((what, how) for what, how in self._figures() if what and how)
        caption = (
            f"{capital(self._label)} of {self.first} and {self.second}, α = {self.alpha:g}; "
            f"{self.design.better}; differences are "
            f"{self.design.minus(self.first, self.second)} (> 0: {self.first} is better)"
        )
        return Table((Column("figure"), Column("value", number=True)), rows, caption=caption)


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class PairComparison(ResultOfTwo):
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
    why: str = ""

    def to_frame(self) -> pd.DataFrame:
        """Return the result as a pandas dataframe of one row.

        Returns
        -------
        pandas.DataFrame
            Columns named like the attributes, from ``first`` to ``coverage``, without those that
            are None.
        """
        return frame_of_fields(self, _NO_COLUMNS)

    @property
    def _label(self) -> str:
        return PAIR_TESTS[self.test].label

    @property
    def _extent(self) -> str:
        return plural(self.design.n_datasets, "data set")

    @property
    def _p(self) -> str:
        return format_p(self.pvalue, self.log10_pvalue)

    # --------------------------------------------------------------------- findings

    def _account(self) -> tuple[tuple[str, ...], ...]:
        texts = {note.code: note.text for note in self.notes}
        skewed = texts.get("opposite-signs") or texts.get("asymmetric")
        care = f"Read with care: {skewed}" if skewed else ""
        verdict = self._verdict(self._side, f"{self._evidence()}, ")
        return ((self._counts(), verdict, self._size()), (care,))

    @property
    def _side(self) -> int:
        """1 if the first is better, or -1."""
        # U counts pairs of scores and is never negative, so its sign does not show which is better
        return -1 if (self.effect_size if self.test == "rank-sum" else self.statistic) < 0 else 1

    def _counts(self) -> str:
        better, worse = (self.first, self.second)[:: self._side]
        wins, losses = (self.wins, self.losses)[:: self._side]
        n = self.design.n_datasets
        scores = f"{self.design.measure or 'scores'}, {self.design.better}"
        tied = f", with {self.ties:,} tied" if self.ties else ""
        return (
            f"{better} is better than {worse} on {wins:,} of {plural(n, 'data set')} and worse on "
            f"{losses:,}{tied} ({scores})."
        )

    def _evidence(self) -> str:
        if self.r_plus is not None and self.r_minus is not None:
            return f"R+ = {format_number(self.r_plus)}, R− = {format_number(self.r_minus)}"
        if self.test == "sign":
            half = (self.n_used + int(self.statistic)) // 2
            return f"{half} of {self.n_used} signs in favour of {self.first}"
        if self.test == "rank-sum":
            return f"U = {format_number(self.statistic)}"
        return f"t = {format_number(self.statistic, 3)} with {self.n_used - 1} df"

    def _size(self) -> str:
        if self.shift is None or self.shift_lower is None or self.shift_upper is None:
            return next((note.text for note in self.notes if note.code == "no-estimates"), "")
        sign = self._side
        # 0.0 is added, for there is no difference of -0
        low, high = sorted((sign * self.shift_lower + 0.0, sign * self.shift_upper + 0.0))
        size, level = format_rounded(sign * self.shift + 0.0), percent(self.confidence)
        if self.shift == 0 and self.rejected:
            mean = abs(float(self.scores[:, 0].mean() - self.scores[:, 1].mean()))
            return f"Most differences are 0; the means differ by {format_rounded(mean)}."
        of = "; ".join(filter(None, (self.design.measure, PAIR_TESTS[self.test].estimate)))
        estimate = f"The difference is estimated at {size} ({of})"
        if math.isinf(low):
            return f"{estimate}; there are too few data sets for a {level} confidence interval."
        ends = f"{format_rounded(low)} to {format_rounded(high)}"
        return f"{estimate}, with a {level} interval from {ends}."

    def _methods(self, cite: Cited) -> tuple[str, ...]:
        words = PAIR_TESTS[self.test]
        ties = () if self.zeros is None else ZEROS[self.zeros].cites
        return on_methods(
            "pair",
            self,
            cite,
            averaged=averaged(self.design),
            words=words,
            cites=(*words.cites, *ties),
            how=f"{sides(self.alternative)}, {METHOD[self.method]}",
            null=null_hypothesis(words.null),
            level=percent(self.confidence),
            estimated=None if self.shift is None else "",
        )

    def _method(self) -> tuple[tuple[str, str], ...]:
        words, zeros = PAIR_TESTS[self.test], ZEROS.get(self.zeros or "")
        ties = zeros and (zeros.signs if self.test == "sign" else zeros.method)
        told = {"test": words.label, "zeros": ties, "method": METHOD[self.method]}
        design = self.why.removeprefix("Design: ").removeprefix("Design, ")
        more = (
            ("interval", "" if self.shift is None else words.interval),
            ("effect size", f"{words.effect}; > 0: {self.first} is better"),
            ("design", design),
        )
        return settings(self.design, vars(self) | told, more)

    # ----------------------------------------------------------------------- tables

    def _sections(self) -> Sections:
        return {"test": self._test, "scores": self._scores}

    def _figures(self) -> Sequence[tuple[str, str]]:
        words = PAIR_TESTS[self.test]
        return [
            (words.statistic, format_number(self.statistic)),
            *self._rank_sums(),
            (f"p ({self.alternative})", self._p),
            ("significant", "yes" if self.rejected else "no"),
            (f"effect size, {words.effect}", format_number(self.effect_size, 3)),
            ("win/tie/loss", f"{self.wins}/{self.ties}/{self.losses}"),
            *self._sizes(),
        ]

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

    def _scores(self) -> Table:
        differences = self.design.gain_signs * (self.scores[:, 0] - self.scores[:, 1])
        columns = zip(
            (self.first, self.second, "difference"), (*self.scores.T, differences), strict=True
        )
        return table_of(
            {"data set": self.design.datasets},
            {name: format_numbers(values) for name, values in columns},
            f"{self.design.measure or 'Scores'}, {self.design.better}",
        )


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
