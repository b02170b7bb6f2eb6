"""Results on one data set: of all pairs on its folds, or its runs."""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from nbcompare._arrays import FloatArray
from nbcompare._render import (
    MOST_ROWS,
    Part,
    Table,
    format_number,
    format_numbers,
    format_rounded,
    plural,
    stated_p,
)
from nbcompare.results._result import Result, Sections
from nbcompare.results.design import is_chosen_by_data
from nbcompare.results.hypotheses import Hypotheses, OmnibusResult, statistic_text, win_tie_loss
from nbcompare.results.labelled import Labelled, frame_of, significant, table_of
from nbcompare.results.sentences import Pairs, caveat, established, leader, text_of
from nbcompare.results.texts import Cited, adjusting, compared_pairs, on_methods, settings, where_of
from nbcompare.results.wording import format_alike, in_measure, percent
from nbcompare.words import CROSS_VALIDATION_TESTS, PAIR_TESTS, PROCEDURES

if TYPE_CHECKING:
    import pandas as pd

_MOST_DECIMALS = 6
_LONG = 1e6


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class WithinComparison(Result):
    """A comparison of all pairs, or of a control with all others, on one data set.

    Its sections are ``findings`` (the answer in a few sentences), ``pairs`` (significant ones
    first), ``means``, ``hypotheses``, ``methods`` (a paragraph for a paper), ``notes``, ``method``
    and ``references``.

    Attributes
    ----------
    dataset : str or None
        The data set, if there is one and it has a name.
    control : str or None
        The algorithm that all others are compared with; None for all pairs.
    adjust : tuple of str
        Adjustment procedures; the first decides. Empty: raw p-values.
    alpha : float
        Level of the family-wise error, or of the false discovery rate if the first procedure
        controls that; a hypothesis is rejected if its p <= alpha.
    missing : str
        The option used.
    mean_scores : mapping of str to float
        Mean scores in units of the measure, by algorithm in the order of the data.
    hypotheses : Hypotheses
        The hypotheses, one per pair, sorted by p: statistic, p, adjusted p, decision, W/T/L, and
        the mean difference in units of the measure, positive where the first is better.
    lower, upper : ndarray of float
        Ends of simultaneous confidence intervals of the differences, in the order of the
        hypotheses: each at 1 - alpha/m for m hypotheses, ``n_hypotheses``.
    notes : tuple of Note
        Caveats, with a ``code`` to test for and a ``text``.
    design : Design
        The data and options.
    omnibus : OmnibusResult or None
        The test of any difference among more than two algorithms, if there is one. It decides
        nothing on pairs.
    """

    dataset: str | None
    control: str | None
    adjust: tuple[str, ...]
    alpha: float
    missing: str
    mean_scores: Labelled[float]
    hypotheses: Hypotheses
    lower: FloatArray
    upper: FloatArray
    omnibus: OmnibusResult | None = None

    # the statistic of the test of any difference, with its authors, and their key
    _omnibus_name: ClassVar[tuple[str, str]] = ("", "")

    # ----------------------------------------------------- what each says of itself

    @property
    @abstractmethod
    def extent(self) -> str:
        """What the algorithms are compared on, such as ``10 folds`` or ``1,319 items``."""

    @property
    @abstractmethod
    def test_label(self) -> str:
        """Name of the test of a pair, for a sentence."""

    @property
    def statistic_name(self) -> str:
        """Name of the statistic of a pair, at the head of a column."""
        return "t"

    @property
    @abstractmethod
    def about_test(self) -> str:
        """The test of a pair with its law, for a caption."""

    @property
    @abstractmethod
    def spread(self) -> tuple[str, Labelled[float]]:
        """What stands beside the means, with its heading."""

    @property
    def differences(self) -> FloatArray:
        """Estimated differences of the pairs, in the order of the hypotheses."""
        values = self.hypotheses.mean_difference
        return np.zeros(len(self.hypotheses)) if values is None else values

    @property
    def difference_name(self) -> str:
        """What the differences are, in the singular."""
        return "difference of means"

    @property
    def hypothesis(self) -> str:
        """What is tested of a pair."""
        return f"two algorithms have the same expected score on {self.where}"

    # --------------------------------------------------------------------- looking in

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
        return PROCEDURES[self.adjust[0]].label_with(self._family_control)

    @property
    def n_hypotheses(self) -> int:
        """Number of hypotheses over which p-values are adjusted: all pairs, or those shown."""
        k = len(self.mean_scores)
        return len(self.hypotheses) if self._family_control else k * (k - 1) // 2

    @property
    def _family_control(self) -> str | None:
        """The control if p-values are adjusted over the comparisons with it; None for all pairs."""
        by_data = is_chosen_by_data(self.design.options["control"], self.design.algorithms)
        return None if by_data else self.control

    @property
    def confidence(self) -> float:
        """Confidence level of all intervals together."""
        return 1 - self.alpha

    @property
    def where(self) -> str:
        """The data set in words."""
        return where_of(self.dataset)

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
        if math.isinf(value):
            return "∞" if value > 0 else "-∞"
        widths = (self.upper - self.lower)[self.upper > self.lower]
        least = float(widths.min(initial=math.inf)) / 2
        decimals = 2 - math.floor(math.log10(least)) if 0 < least < _LONG else -1
        if not 0 <= decimals <= _MOST_DECIMALS or abs(value) >= _LONG:
            return format_rounded(value)
        return format_number(value, decimals)

    def to_frame(self) -> pd.DataFrame:
        """Return the hypotheses as a pandas dataframe, one row each.

        Returns
        -------
        pandas.DataFrame
            Columns first, second, mean_difference, lower, upper, statistic, further ones of the
            test, pvalue, log10_pvalue, wins, ties, losses, as far as there are such, one column of
            adjusted p-values per procedure, and rejected.
        """
        tests = self.hypotheses
        columns = {
            "first": tests.first,
            "second": tests.second,
            "mean_difference": tests.mean_difference,
            "lower": self.lower,
            "upper": self.upper,
            "statistic": tests.statistic,
            **self._columns_of_test(),
            "pvalue": tests.pvalue,
            "log10_pvalue": tests.log10_pvalue,
            "wins": tests.wins,
            "ties": tests.ties,
            "losses": tests.losses,
        }
        known = {name: column for name, column in columns.items() if column is not None}
        return frame_of(known | dict(tests.adjusted) | {"rejected": tests.rejected})

    def _columns_of_test(self) -> dict[str, Any]:
        return {}

    # ---------------------------------------------------------------------- display

    def _tables(self) -> tuple[Part, ...]:
        return (self._means(), self._hypotheses())

    def _sections(self) -> Sections:
        return {
            "pairs": lambda: self._hypotheses(MOST_ROWS),
            "means": self._means,
            "hypotheses": self._hypotheses,
        }

    def _means(self) -> Table:
        names, (heading, spread) = self.ordered, self.spread
        numbers = {
            what: format_numbers([float(format_rounded(values[name])) for name in names])
            for what, values in (("mean", self.mean_scores), (heading, spread))
        }
        caption = (
            f"Means of {self.design.measure or 'the scores'} over {self.extent}, best first; "
            f"{self.design.better}"
        )
        return table_of({"algorithm": names}, numbers, caption)

    def _hypotheses(self, most: int | None = None) -> Table:
        """Return the table of all hypotheses, or of at most so many, rejected ones first."""
        tests = self.hypotheses
        rows = list(range(len(tests)))
        shown = ""
        if most is not None:
            rows = sorted(rows, key=lambda row: not tests.rejected[row])[:most]
            shown = f"; the first {most} of {len(tests):,}" if most < len(tests) else ""
        pairs = [better_first(self, row) for row in rows]
        numbers = {
            "difference": [self.size(difference(self, row)) for row in rows],
            "interval": [interval_text(self, row) for row in rows],
            self.statistic_name: list(map(self._statistic_text, rows)),
            **tests.p_columns(rows),
            **self._effects(rows),
        }
        caption = (
            f"Null hypotheses that {self.hypothesis} ({self.about_test}, {self.procedure}, "
            f"α = {self.alpha:g}). The {self.difference_name} is {self.design.minus()} "
            f"(> 0: the first is better), with {'simultaneous ' if len(tests) > 1 else ''}"
            f"{percent(self.confidence)} intervals{shown}"
        )
        names = {"first": [a for a, _ in pairs], "second": [b for _, b in pairs]}
        return table_of(names, numbers, caption, last=significant(tests.rejected[rows]))

    def _statistic_text(self, row: int) -> str:
        return statistic_text(self.hypotheses, row, turned=is_turned(self, row))

    def _effects(self, rows: Sequence[int]) -> Mapping[str, Sequence[str]]:
        """Return what stands beside the p-values of some pairs, by the heading of its column."""
        turned = [is_turned(self, row) for row in rows]
        counts = (self.hypotheses.wins, self.hypotheses.ties, self.hypotheses.losses)
        known = [count[list(rows)] for count in counts if count is not None]
        return {"W/T/L": win_tie_loss(known, turned)}

    def _method(self) -> tuple[tuple[str, str], ...]:
        scores = f"{self.design.measure or 'scores'}, {self.design.better}"
        told = {**vars(self), "test": self.test_label}
        return settings(self.design, told, scored=f"{scores}; {self.extent}")

    # --------------------------------------------------------------------- findings

    def _answer(self) -> tuple[str, ...]:
        """Return the sentences that come first: the leader, significant differences, their size."""
        nothing = (note.text for note in self.notes if note.code == "never-significant")
        return next(nothing, ""), self._leader(), established(self._pairs()), self._largest()

    def _leader(self) -> str:
        design, ordered, means = self.design, self.ordered, self.mean_scores

        def show(name: str) -> str:
            return format_alike(np.array([means[name]]))(means[name])

        where = f"{self.where}, over {self.extent}"
        scores = f"; {design.measure or 'scores'}, {design.better}"
        return leader("mean", where, ordered, means, show, scores, self.control)

    def _pairs(self) -> Pairs:
        return Pairs.of(self.hypotheses, self.ordered, self.control)

    def _largest(self) -> str:
        """Say how large the largest difference is that was found, or estimated."""
        tests, name = self.hypotheses, self.difference_name
        rows = list(self._pairs().found) or list(range(len(tests)))
        row = max(rows, key=lambda one: difference(self, one))
        low, high = interval(self, row)
        m, found = len(tests), bool(tests.rejected.any())
        level = f"{'simultaneous ' if m > 1 else ''}{100 * self.confidence:.4g} % interval"
        inside = f"with a {level} from {self.size(low)} to {self.size(high)}"
        if found and low == 0:  # the decision bounds it from below
            inside = f"at most {self.size(high)} by its {level}"
        size = f"{in_measure(self.design, self.size(difference(self, row)))}, {inside}"
        what = "significant" if found else "estimated"
        if m == 1:
            return f"The {what} {name} is {size}."
        if found and len(rows) == 1:
            return f"This {name} is {size}."
        better, worse = better_first(self, row)
        return f"The largest {what} {name}, {better} over {worse}, is {size}."

    def _methods_by(self, name: str, cite: Cited, **facts: Any) -> tuple[str, ...]:
        """Return the paragraph of this name, with the facts that all of these results have."""
        m, level = self.n_hypotheses, f"{100 * self.confidence:.4g} %"
        of = " about all pairs" if self._family_control != self.control else ""
        together = f"confidence intervals that hold simultaneously at {level} (Bonferroni)"
        return on_methods(
            name,
            self,
            cite,
            anything=lambda: self._any_difference(cite),
            compared=compared_pairs(m, self.control),
            adjusted=lambda: adjusting(
                self.adjust, self._family_control, self.alpha, m, cite, of=of
            ),
            level=f"a {level} confidence interval" if m == 1 else together,
            **facts,
        )

    def _any_difference(self, cite: Cited) -> str:
        """Tell the test of any difference, if there is one."""
        test = self.omnibus
        if test is None:
            return ""
        law = "exact" if test.is_exact else "by the χ² law"
        p = stated_p(test.p_text)
        name, key = self._omnibus_name
        figures = f"{name} = {format_number(test.statistic, 3)}, {p} ({law})"
        return f"Any difference: {figures}{cite(key)}."


def is_turned(result: WithinComparison, row: int) -> bool:
    """Return whether the second of a pair is the better one, as may be with a control."""
    return bool(result.differences[row] < 0)


def better_first(result: WithinComparison, row: int) -> tuple[str, str]:
    """Return the algorithms of a pair, the better one first."""
    pair = result.hypotheses.first[row], result.hypotheses.second[row]
    return (pair[1], pair[0]) if is_turned(result, row) else pair


def difference(result: WithinComparison, row: int) -> float:
    """Return by how much the better algorithm of a pair is estimated to be better."""
    return abs(float(result.differences[row]))


def interval(result: WithinComparison, row: int) -> tuple[float, float]:
    """Return the interval of that difference."""
    low, high = float(result.lower[row]), float(result.upper[row])
    return (-high, -low) if is_turned(result, row) else (low, high)


def interval_text(result: WithinComparison, row: int) -> str:
    """Return the interval of that difference as text."""
    ends = interval(result, row)
    return " to ".join(map(result.size, ends))


_CORRECTED = CROSS_VALIDATION_TESTS["corrected-t"]


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


_TEST = PAIR_TESTS["rank-sum"]
_ABOUT_RUNS = (
    "The conclusions are about this data set, or problem, alone, and about independent runs."
)


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class RunComparison(WithinComparison):
    """A comparison of algorithms by independent runs, such as random seeds, on one data set.

    :func:`nbcompare.compare_runs` returns it; it displays itself. ``lower`` and ``upper`` are ends
    of intervals of the shift. What it has beside the attributes of :class:`WithinComparison`:

    Attributes
    ----------
    n_runs : mapping of str to int
        Numbers of runs, by algorithm.
    is_exact : bool
        Whether every p counts all ways to choose the ranks of an algorithm; else some come from the
        normal law.
    medians, deviations : mapping of str to float
        Medians and standard deviations of the scores over the runs, in units of the measure, by
        algorithm.
    shift : ndarray of float
        Hodges and Lehmann's shift of each pair, in the order of the hypotheses: the median of all
        differences of a run of the first and a run of the second, positive where the first is
        better, in units of the measure.
    superiority, superiority_lower, superiority_upper : ndarray of float
        Vargha and Delaney's A12 of each pair, the probability that a run of the first is better
        than a run of the second, where a tie counts one half, with the ends of simultaneous
        intervals.
    """

    n_runs: Labelled[int]
    is_exact: bool
    medians: Labelled[float]
    deviations: Labelled[float]
    shift: FloatArray
    superiority: FloatArray
    superiority_lower: FloatArray
    superiority_upper: FloatArray

    @property
    def extent(self) -> str:
        """The runs in words, such as ``30 runs each`` or ``10 to 30 runs each``."""
        low, high = min(self.n_runs.values()), max(self.n_runs.values())
        return f"{low:,} runs each" if low == high else f"{low:,} to {high:,} runs each"

    @property
    def test_label(self) -> str:
        """Name of the test of a pair, for a sentence."""
        return _TEST.label

    @property
    def statistic_name(self) -> str:
        """Name of the statistic of a pair, at the head of a column."""
        return "U − mn/2"

    @property
    def about_test(self) -> str:
        """The test of a pair with its law, for a caption."""
        return f"{_TEST.label}, {'exact p' if self.is_exact else 'p exact or by the normal law'}"

    @property
    def spread(self) -> tuple[str, Labelled[float]]:
        """What stands beside the means, with its heading."""
        return "standard deviation", self.deviations

    @property
    def differences(self) -> FloatArray:
        """Estimated differences of the pairs, in the order of the hypotheses."""
        return self.shift

    @property
    def difference_name(self) -> str:
        """What the differences are, in the singular."""
        return "Hodges–Lehmann shift"

    _omnibus_name = ("Kruskal and Wallis' H", "kruskal1952")

    @property
    def hypothesis(self) -> str:
        """What is tested of a pair."""
        return f"the runs of two algorithms on {self.where} have the same distribution"

    def _columns_of_test(self) -> dict[str, Any]:
        return {
            "shift": self.shift,
            "superiority": self.superiority,
            "superiority_lower": self.superiority_lower,
            "superiority_upper": self.superiority_upper,
        }

    def _effects(self, rows: Sequence[int]) -> Mapping[str, Sequence[str]]:
        told = []
        for row in rows:
            ends = self.superiority[row], self.superiority_lower[row], self.superiority_upper[row]
            if is_turned(self, row):
                ends = 1 - ends[0], 1 - ends[2], 1 - ends[1]
            value, low, high = (format_number(float(end), 2) for end in ends)
            told.append(f"{value} ({low} to {high})")
        return {"A12 (interval)": told}

    def _account(self) -> tuple[tuple[str, ...], ...]:
        told = caveat(self, _ABOUT_RUNS, but=("never-significant",))
        return self._answer(), (self._how_often(),), (told,)

    def _how_often(self) -> str:
        """Say how often a run of the best is better than one of the others."""
        tests, best = self.hypotheses, self.ordered[0]
        found = [
            float(value) if first == best else 1 - float(value)
            for first, second, value in zip(
                tests.first, tests.second, self.superiority, strict=True
            )
            if best in (first, second)
        ]
        low, high = (format_number(end, 2) for end in (min(found), max(found)))
        if len(found) == 1 or low == high:
            whom = "the other one" if len(self.mean_scores) == 2 else "any other algorithm"
            return f"A run of {best} is better than one of {whom} with probability {low} (A12)."
        return (
            f"A run of {best} is better than one of the others with probability {low} to {high}, "
            "depending on which (A12)."
        )

    def _methods(self, cite: Cited) -> tuple[str, ...]:
        law = "exact" if self.is_exact else "exact, or by the normal law for many runs"
        return self._methods_by("runs", cite, words=_TEST, law=law)
