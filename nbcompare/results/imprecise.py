"""Hypotheses whose p-value is an interval or a fuzzy set, and which may be inconclusive."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from nbcompare._arrays import BoolArray, FloatArray, IntArray, LockedArrays
from nbcompare._render import Table, format_p, format_rounded
from nbcompare.results.labelled import Labelled, frame_of, table_of
from nbcompare.words import PROCEDURES

if TYPE_CHECKING:
    import pandas as pd

REJECTED, NOT_REJECTED, INCONCLUSIVE = OUTCOMES = ("significant", "not significant", "inconclusive")
_ROUNDING = 1e-9  # of p-values that were computed in two ways
_FIRST = (REJECTED, INCONCLUSIVE, NOT_REJECTED)  # in a table that shows the answer


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class FuzzyPValues(LockedArrays):
    """Fuzzy p-values, given by their ends at every coverage, a row per hypothesis.

    The cut at membership h is the interval p-value at coverage 1 - h, adjusted by the
    deciding procedure if there is one.

    Attributes
    ----------
    coverages : ndarray of float, shape (n_levels,)
        Coverages of the nested intervals, ascending; the last is 1.
    low, high : ndarray of float, shape (n_hypotheses, n_levels)
        Ends of the p-value at each coverage; the cuts widen with increasing coverage.
    possibility, necessity : ndarray of float, shape (n_hypotheses,)
        Possibility and necessity of p <= alpha, from 0 to 1.
    turning : tuple of float or None
        The smallest coverage at which the hypothesis is inconclusive; None if there is none.
    misbehaving : tuple of float or None
        Approximate share of runs that would change the conclusion, (1 - turning) / 2.
    midpoint : ndarray of float, shape (n_hypotheses,)
        Middle of the expected interval, a summary that is not itself a p-value.
    """

    coverages: FloatArray
    low: FloatArray
    high: FloatArray
    possibility: FloatArray
    necessity: FloatArray
    turning: tuple[float | None, ...]
    misbehaving: tuple[float | None, ...]
    midpoint: FloatArray


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class ImpreciseHypotheses(LockedArrays):
    """The hypotheses of a family as columns, sorted by the ends of p, then by the labels' order.

    Attributes
    ----------
    first : tuple of str
        The first algorithm of each pair: the better one, as far as the data tell, or the control.
    second : tuple of str or None
        The second algorithm of each pair; None if each is compared with the mean of all.
    p_low, p_high : ndarray of float
        Ends of the p-value.
    adjusted_low, adjusted_high : mapping of str to ndarray of float
        Ends of the adjusted p-value, by procedure.
    outcome : tuple of {"significant", "not significant", "inconclusive"}
        Outcome by the first procedure (or by the raw p-value if there is none).
    favours : ndarray of int
        1 where the first is better for all selections from the intervals, -1 where the
        second (or the mean) is, 0 where the data cannot tell.
    difference_low, difference_high : ndarray of float
        Ends of the mean difference in units of the measure, positive where the first is
        better.
    fuzzy : FuzzyPValues or None
        The fuzzy p-values of the same hypotheses; None if p is not fuzzy.
    """

    first: tuple[str, ...]
    second: tuple[str, ...] | None
    p_low: FloatArray
    p_high: FloatArray
    adjusted_low: Labelled[FloatArray]
    adjusted_high: Labelled[FloatArray]
    outcome: tuple[str, ...]
    favours: IntArray
    difference_low: FloatArray
    difference_high: FloatArray
    fuzzy: FuzzyPValues | None = None

    def __len__(self) -> int:
        return len(self.first)

    def __repr__(self) -> str:
        counts = ", ".join(f"{self.outcome.count(word)} {word}" for word in OUTCOMES)
        return f"<ImpreciseHypotheses: {counts}>"

    @property
    def decisive(self) -> tuple[FloatArray, FloatArray]:
        """Ends of the deciding p-value: the first adjusted one, or else the raw one."""
        for name in self.adjusted_low:
            return self.adjusted_low[name], self.adjusted_high[name]
        return self.p_low, self.p_high

    def rows(self, outcome: str) -> list[int]:
        """Find the hypotheses with an outcome.

        Parameters
        ----------
        outcome : {"significant", "not significant", "inconclusive"}
            The outcome.

        Returns
        -------
        list of int
            Their positions, ascending.
        """
        return [row for row, word in enumerate(self.outcome) if word == outcome]

    def to_frame(self) -> pd.DataFrame:
        """Return a dataframe with a row per hypothesis and columns named like the attributes.

        Each adjustment procedure has two columns, for the ends of the adjusted p-value.

        Returns
        -------
        pandas.DataFrame
            Columns first, second (if pairs are compared), p_low and p_high, the ends of the
            adjusted p-values as ``holm_low``, ``holm_high`` and the like, outcome, favours,
            difference_low and difference_high; for fuzzy p-values also possibility, necessity,
            turning, misbehaving and midpoint.
        """
        columns: dict[str, Any] = {"first": self.first}
        if self.second is not None:
            columns["second"] = self.second
        columns |= {"p_low": self.p_low, "p_high": self.p_high}
        for name in self.adjusted_low:
            columns[f"{name}_low"] = self.adjusted_low[name]
            columns[f"{name}_high"] = self.adjusted_high[name]
        more = ("outcome", "favours", "difference_low", "difference_high")
        columns |= {name: getattr(self, name) for name in more}
        if self.fuzzy is not None:
            of_fuzzy = ("possibility", "necessity", "turning", "misbehaving", "midpoint")
            columns |= {name: getattr(self.fuzzy, name) for name in of_fuzzy}
        return frame_of(columns)

    def decisive_text(self, row: int) -> str:
        """Return the deciding p-value of a hypothesis as text.

        Parameters
        ----------
        row : int
            Position of the hypothesis.

        Returns
        -------
        str
            The ends in brackets, such as ``[0.0312, 0.4000]``, or one number if they are the same
            as text.
        """
        low, high = self.decisive
        return interval_p(float(low[row]), float(high[row]))

    @property
    def turned(self) -> BoolArray:
        """Whether the second algorithm is the better one, of pairs whose first is a control."""
        low, high, favours = self.difference_low, self.difference_high, self.favours
        turned: BoolArray = (favours < 0) | ((favours == 0) & (-low > high))
        return turned & (self.second is not None)

    def table(self, caption: str, most: int | None = None) -> Table:
        """Return a table of all hypotheses, or of some of them, for a display.

        Parameters
        ----------
        caption : str
            Caption of the table, which is completed if rows are left out or p is fuzzy.
        most : int, optional
            The largest number of rows, of which rejected hypotheses come first, then inconclusive
            ones. By default all are shown, in their own order.

        Returns
        -------
        Table
            A row per hypothesis, in text: the algorithms, the difference in units of the measure,
            p, adjusted p, and the outcome; for fuzzy p-values also possibility, necessity and
            turning coverage.
        """
        pairs = self.second is not None
        order = list(range(len(self)))
        if most is not None:
            order = [row for word in _FIRST for row in self.rows(word)][:most]
            if most < len(self):
                caption = f"{caption}; the first {most} of {len(self):,}"
        turned = self.turned.tolist()
        names = {"first" if pairs else "algorithm": [self.first[row] for row in order]}
        ends = [(float(self.difference_low[i]), float(self.difference_high[i])) for i in order]
        if self.second is not None:
            both = [
                (self.first[row], self.second[row])[:: -1 if turned[row] else 1] for row in order
            ]
            names = {"first": [a for a, _ in both], "second": [b for _, b in both]}
            ends = [
                (-high, -low) if turned[row] else (low, high)
                for row, (low, high) in zip(order, ends, strict=True)
            ]
        numbers = {"difference": [interval(*pair) for pair in ends]}
        named = {"p": (self.p_low, self.p_high)}
        for name, low in self.adjusted_low.items():
            named[f"p, {PROCEDURES[name].label}"] = low, self.adjusted_high[name]
        for name, (low, high) in named.items():
            numbers[name] = [interval_p(float(low[row]), float(high[row])) for row in order]
        if self.fuzzy is not None:
            turning = [self.fuzzy.turning[row] for row in order]
            numbers["Π"] = [coverage_text(self.fuzzy.possibility[row]) for row in order]
            numbers["N"] = [coverage_text(self.fuzzy.necessity[row]) for row in order]
            numbers["c*"] = ["none" if at is None else coverage_text(at) for at in turning]
            caption += (
                "; Π, N: possibility and necessity of p ≤ α; c*: the least coverage at which the "
                "data cannot tell"
            )
        last = {"outcome": [self.outcome[row] for row in order]}
        return table_of(names, numbers, caption, last=last)

    def contradictions(self, result: Any) -> Iterator[str]:
        """Yield what is not as the decisions of the result say, as clauses."""
        low, high = self.decisive
        if not ((self.p_low >= 0) & (self.p_low <= self.p_high) & (self.p_high <= 1)).all():
            yield "the ends of a p-value are not in order, or not between 0 and 1."
        for name in self.adjusted_low:
            ends = (self.adjusted_low[name] - self.p_low, self.adjusted_high[name] - self.p_high)
            if min(end.min(initial=0.0) for end in ends) < -_ROUNDING:
                yield f"a p-value adjusted by {name} is smaller than the unadjusted one."
        words = np.where(
            high <= result.alpha, REJECTED, np.where(low > result.alpha, NOT_REJECTED, INCONCLUSIVE)
        )
        if tuple(words.tolist()) != self.outcome:
            yield "an outcome is not that of the deciding p-value."
        if (self.difference_low > self.difference_high).any():
            yield "the ends of a difference are not in order."


def coverage_text(value: float) -> str:
    """Return a coverage or a membership as text; two digits suffice for steps of 0.02."""
    return f"{value:.2f}"


def interval(low: float, high: float) -> str:
    """Return an interval as text, or one number if both ends are equal when rounded.

    Examples
    --------
    >>> interval(0.12345678, 0.19), interval(-0.5, -0.5)
    ('[0.1235, 0.19]', '-0.5')
    """
    ends = [format_rounded(end) for end in (low, high)]
    return ends[0] if ends[0] == ends[1] else f"[{ends[0]}, {ends[1]}]"


def interval_p(low: float, high: float) -> str:
    """Return the ends of a p-value as text, as a paper prints them.

    Examples
    --------
    >>> interval_p(0.0312, 0.4), interval_p(1.0825e-05, 1.0825e-05)
    ('[0.0312, 0.4000]', '1.08e-05')
    """
    ends = format_p(low), format_p(high)
    return ends[0] if ends[0] == ends[1] else f"[{ends[0]}, {ends[1]}]"
