"""Average ranks and contrasts of medians with their intervals; nothing is tested."""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np

from nbcompare._arrays import FloatArray
from nbcompare._render import Part, Table, format_number, plural
from nbcompare._validation import DataError
from nbcompare.results._result import Result, Sections
from nbcompare.results.labelled import Labelled, frame_of, table_of
from nbcompare.results.sentences import MOST_LISTED
from nbcompare.results.texts import Cited, about_datasets, on_methods
from nbcompare.results.wording import format_alike, joined, opening, percent

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class RankIntervals(Result):
    """Average ranks of algorithms with confidence intervals.

    :func:`nbcompare.rank_intervals` returns it; it displays itself. Its sections are
    ``findings``, ``intervals``, ``methods``, ``notes``, ``method`` and ``references``.

    Attributes
    ----------
    average_ranks : mapping of str to float
        Friedman's average ranks by algorithm, in the order of the data; lower is better.
    lower, upper : mapping of str to float
        Ends of the intervals.
    confidence : float
        Nominal coverage of each interval by itself.
    missing : str
        Treatment of missing scores.
    notes : tuple of Note
        Caveats, with a ``code`` to test for and a ``text``.
    design : Design
        The data and options.
    """

    average_ranks: Labelled[float]
    lower: Labelled[float]
    upper: Labelled[float]
    confidence: float
    missing: str

    @property
    def ordered(self) -> tuple[str, ...]:
        """Algorithms from best to worst average rank; ties in the order of the data."""
        return tuple(sorted(self.average_ranks, key=self.average_ranks.__getitem__))

    def _account(self) -> tuple[tuple[str, ...], ...]:
        names = self.ordered
        shown = names if len(names) <= MOST_LISTED else (names[0], names[-1])
        which = "" if len(shown) == len(names) else " of the best and the worst"
        told = []
        for name in shown:
            rank, *ends = (
                format_number(part[name], 2)
                for part in (self.average_ranks, self.lower, self.upper)
            )
            told.append(f"{name} {rank} ({' to '.join(ends)})")
        level = percent(self.confidence)
        return ((f"The average ranks{which}, with {level} intervals: {joined(told)}.",),)

    def _methods(self, cite: Cited) -> tuple[str, ...]:
        return on_methods(
            "rank intervals",
            self,
            cite,
            opening=opening(len(self.average_ranks), "algorithm"),
            datasets=about_datasets(self.design),
            level=percent(self.confidence),
        )

    def to_frame(self) -> pd.DataFrame:
        """Return a pandas dataframe with a row per algorithm, best first.

        Returns
        -------
        pandas.DataFrame
            Columns algorithm, average_rank, lower and upper.
        """
        parts = {"average_rank": self.average_ranks, "lower": self.lower, "upper": self.upper}
        values = {name: [part[one] for one in self.ordered] for name, part in parts.items()}
        return frame_of({"algorithm": self.ordered} | values)

    def _sections(self) -> Sections:
        return {"intervals": self._intervals}

    def _intervals(self) -> Table:
        parts = {"average rank": self.average_ranks, "lower": self.lower, "upper": self.upper}
        return table_of(
            {"algorithm": self.ordered},
            {
                name: [format_number(part[one], 3) for one in self.ordered]
                for name, part in parts.items()
            },
            f"Average ranks with {percent(self.confidence)} intervals, best first",
        )


# The matrix is displayed for at most this many algorithms; for more, only the table of pairs is.
_WIDEST_MATRIX = 8


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Contrast(Result):
    """Estimated differences of all pairs of algorithms, by contrasts of medians.

    :func:`nbcompare.contrast_estimation` returns it; it displays itself. Its sections are
    ``findings``, ``matrix``, ``intervals``, ``methods``, ``notes``, ``method`` and ``references``.
    All arrays have shape (n_algorithms, n_algorithms), in the order of the data and in the units of
    the measure, positive where the row is better: row minus column if high scores are
    better, column minus row if low scores are better.

    Attributes
    ----------
    estimates : ndarray of float
        Estimated differences; ``estimates[u, v] = -estimates[v, u]``.
    lower, upper : ndarray of float
        Ends of percentile intervals; ``lower[u, v] = -upper[v, u]``. None if there are too few
        data sets to resample.
    medians : ndarray of float
        Medians of the differences over the data sets.
    confidence : float
        Nominal coverage of each interval by itself.
    n_resamples : int
        Number of resamples of the data sets for the intervals.
    missing : str
        Treatment of missing scores.
    withheld : str
        Why there are no estimates, and what would allow them; empty if there are. All arrays are
        None then.
    without_intervals : str
        Why there are no intervals beside the estimates; empty if there are.
    notes : tuple of Note
        Caveats, with a ``code`` to test for and a ``text``.
    design : Design
        The data and options; ``design.algorithms`` labels rows and columns.
    """

    estimates: FloatArray | None
    lower: FloatArray | None
    upper: FloatArray | None
    medians: FloatArray | None
    confidence: float
    n_resamples: int
    missing: str
    withheld: str
    without_intervals: str

    @property
    def algorithms(self) -> tuple[str, ...]:
        """Labels of rows and columns, in the order of the data."""
        return self.design.algorithms

    @property
    def ordered(self) -> tuple[str, ...]:
        """Algorithms from best to worst estimate; ties in the order of the data.

        If the estimates are withheld, all are in the order of the data.
        """
        if self.withheld:
            return self.algorithms
        return tuple(self.algorithms[place] for place in self._order())

    def to_frame(self) -> pd.DataFrame:
        """Return the pairs as a pandas dataframe, one row each.

        Returns
        -------
        pandas.DataFrame
            Columns first, second, estimate (in units of the measure, positive where the first
            is better), and with intervals lower and upper; the better algorithm of a pair is
            first.

        Raises
        ------
        ValueError
            If the estimates are withheld.
        """
        shown, pairs = self._arrays_of_tables(), self._pairs()
        numbers = {name: [part[pair] for pair in pairs] for name, part in shown.items()}
        return frame_of(self._sides() | numbers)

    def to_matrix(self) -> pd.DataFrame:
        """Return the estimates as a square pandas dataframe, in the order of the data.

        Returns
        -------
        pandas.DataFrame
            Shape (n_algorithms, n_algorithms), with the algorithms as row and column labels, in
            units of the measure; positive where the row is better.

        Raises
        ------
        ValueError
            If the estimates are withheld.
        """
        columns = dict(zip(self.algorithms, self.arrays()[0].T, strict=True))
        return frame_of(columns).set_axis([*self.algorithms])

    def arrays(self) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Return the estimates and both ends of their intervals, infinite if there are none.

        Returns
        -------
        estimates, lower, upper : ndarray of float, shape (n_algorithms, n_algorithms)
            The estimates and the lower and upper ends, in units of the measure and in the order of
            the data. Without intervals, the ends are minus and plus infinity.

        Raises
        ------
        ValueError
            If the estimates are withheld; the message says why, and what would allow them.
        """
        if self.estimates is None:
            raise DataError(f"There are no estimates. {self.withheld} Take scale='one' for that.")
        if self.lower is None or self.upper is None:
            ends = np.full(self.estimates.shape, math.inf)
            return self.estimates, -ends, ends
        return self.estimates, self.lower, self.upper

    def _arrays_of_tables(self) -> dict[str, FloatArray]:
        """Return the arrays that tables show: the estimates, and the intervals if there are any."""
        names = ("estimate",) if self.without_intervals else ("estimate", "lower", "upper")
        return dict(zip(names, self.arrays(), strict=False))

    def _order(self) -> list[int]:
        # the first column orders the algorithms, because it is each one's estimate up to a constant
        return [int(u) for u in np.argsort(-self.arrays()[0][:, 0], kind="stable")]

    def _pairs(self) -> list[tuple[int, int]]:
        return list(combinations(self._order(), 2))

    def _sides(self) -> dict[str, list[str]]:
        names = zip(*combinations(self.ordered, 2), strict=True)
        return dict(zip(("first", "second"), map(list, names), strict=True))

    # --------------------------------------------------------------------- findings

    def _account(self) -> tuple[tuple[str, ...], ...]:
        return ((self.withheld,) if self.withheld else (self._best(), self._apart()),)

    def _best(self) -> str:
        order, (estimates, lower, upper) = self._order(), self.arrays()
        first, last = order[0], order[-1]
        best = [self.algorithms[u] for u in order if estimates[u, first] == 0]
        if len(best) == len(order):
            return "All algorithms have the same estimate."
        share = f"{joined(best)} share" if len(best) > 1 else f"{best[0]} has"
        if len(best) > MOST_LISTED:
            share = f"{len(best)} algorithms share"
        show = format_alike(*self._arrays_of_tables().values())
        size = show(estimates[first, last])
        if not self.without_intervals:
            ends = f"{show(lower[first, last])} to {show(upper[first, last])}"
            size = f"{size} ({percent(self.confidence)} interval {ends})"
        return (
            f"{share} the best estimate; the largest difference is that between "
            f"{self.algorithms[first]} and {self.algorithms[last]}, {size}."
        )

    def _apart(self) -> str:
        if self.without_intervals:
            return f"There are no intervals. {self.without_intervals}"
        pairs, (_, lower, upper) = self._pairs(), self.arrays()
        apart = [(u, v) for u, v in pairs if lower[u, v] > 0 or upper[u, v] < 0]
        if len(pairs) == 1:
            return f"The confidence interval {'excludes' if apart else 'includes'} zero."
        listed = "; ".join(f"{self.algorithms[u]} and {self.algorithms[v]}" for u, v in apart)
        return (
            f"Of {plural(len(pairs), 'pair')}, {len(apart) or 'none'} "
            f"{'has' if len(apart) < 2 else 'have'} a confidence interval that excludes zero"
            f"{f': {listed}' if 0 < len(apart) <= MOST_LISTED else ''}."
        )

    def _methods(self, cite: Cited) -> tuple[str, ...]:
        return on_methods(
            "contrast withheld" if self.withheld else "contrast",
            self,
            cite,
            datasets=about_datasets(self.design),
            minus=self.design.minus(),
            level=None if self.without_intervals else percent(self.confidence),
        )

    # ----------------------------------------------------------------------- tables

    def _not_there(self) -> dict[str, str]:
        why = self.withheld[:1].lower() + self.withheld[1:].removesuffix(".")
        return {"matrix": why, "intervals": why} if self.withheld else {}

    def _sections(self) -> Sections:
        return {} if self.withheld else {"matrix": self._matrix, "intervals": self._intervals}

    def _first_rows(self) -> tuple[Part, ...]:
        return super()._first_rows()[0 if len(self.algorithms) <= _WIDEST_MATRIX else 1 :]

    def _matrix(self) -> Table:
        order, estimates = self._order(), self.arrays()[0]
        show = format_alike(*self._arrays_of_tables().values())
        names = [self.algorithms[u] for u in order]
        return table_of(
            {self.design.minus("row", "column").replace("minus", "−"): names},
            {self.algorithms[v]: [show(estimates[u, v]) for u in order] for v in order},
            "Estimated differences, best first; > 0: the row is better",
        )

    def _intervals(self) -> Table:
        shown, pairs = self._arrays_of_tables(), self._pairs()
        show = format_alike(*shown.values())
        minus = self.design.minus().replace("minus", "−")
        numbers = {
            minus if name == "estimate" else name: [show(part[pair]) for pair in pairs]
            for name, part in shown.items()
        }
        level = "" if self.without_intervals else f" with {percent(self.confidence)} intervals"
        caption = f"Estimated differences{level}; > 0: the first is better"
        return table_of(self._sides(), numbers, caption)
