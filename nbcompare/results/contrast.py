"""The result of contrast estimation: how much algorithms differ, in units of the measure."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np

from nbcompare._arrays import FloatArray
from nbcompare._render import (
    Column,
    Note,
    Part,
    Prose,
    Table,
    plural,
)
from nbcompare.results import _subject
from nbcompare.results._result import Result, Sections
from nbcompare.results._subject import joined, shown_alike
from nbcompare.results.design import Design
from nbcompare.words import cited

if TYPE_CHECKING:
    import pandas as pd

# The matrix is displayed for at most this many algorithms; for more, only the table of pairs is.
_WIDEST_MATRIX = 8
_MOST_LISTED = 6


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Contrast(Result):
    """Estimated differences of all pairs of algorithms, by contrasts of medians.

    :func:`nbcompare.contrast_estimation` returns it; it displays itself. Its sections are
    ``matrix``, ``intervals``, ``conclusions``, ``method`` and ``references``. All arrays
    have shape (n_algorithms, n_algorithms), in the order of the data and in the units of
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
    notes: tuple[Note, ...]
    design: Design

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

    @property
    def sentences(self) -> tuple[str, ...]:
        """Sentences on what was estimated, on which data, and what was found, for a paper."""
        if self.withheld:
            return (self._what(), self.withheld)
        return (self._what(), self._best(), self._apart())

    @property
    def references(self) -> tuple[str, ...]:
        """References for the estimates and intervals, sorted by author."""
        return cited(("derrac2011", "doksum1967", "efron1993", "garcia2010"))

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
        import pandas as pd

        names = self.algorithms
        shown = self._shown_arrays()
        rows = [
            (names[u], names[v], *(part[u, v] for part in shown.values())) for u, v in self._pairs()
        ]
        return pd.DataFrame(rows, columns=["first", "second", *shown])

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
        import pandas as pd

        return pd.DataFrame(self.arrays()[0], index=self.algorithms, columns=self.algorithms)

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
            raise ValueError(f"There are no estimates. {self.withheld} Take scale='one' for that.")
        if self.lower is None or self.upper is None:
            ends = np.full(self.estimates.shape, math.inf)
            return self.estimates, -ends, ends
        return self.estimates, self.lower, self.upper

    def _shown_arrays(self) -> dict[str, FloatArray]:
        """Return the arrays that tables show: the estimates, and the intervals if there are any."""
        names = ("estimate",) if self.without_intervals else ("estimate", "lower", "upper")
        return dict(zip(names, self.arrays(), strict=False))

    def __repr__(self) -> str:
        if self.withheld:
            return (
                f"<Contrast: {plural(len(self.algorithms), 'algorithm')}, "
                f"{plural(self.design.n_datasets, 'data set')}, estimates withheld: several scales>"
            )
        return (
            f"<Contrast: {plural(len(self.algorithms), 'algorithm')}, "
            f"{plural(self.design.n_datasets, 'data set')}, "
            f"{'no' if self.without_intervals else f'{100 * self.confidence:g} %'} intervals, "
            f"best {self.ordered[0]!r}>"
        )

    def _order(self) -> list[int]:
        # the first column orders the algorithms, because it is each one's estimate up to a constant
        return [int(i) for i in np.argsort(-self.arrays()[0][:, 0], kind="stable")]

    def _pairs(self) -> Iterator[tuple[int, int]]:
        return combinations(self._order(), 2)

    # -------------------------------------------------------------------- sentences

    def _what(self) -> str:
        return (
            f"Differences of {plural(len(self.algorithms), 'algorithm')} on "
            f"{_subject.datasets(self.design)} were "
            f"{'not ' if self.withheld else ''}estimated by contrasts of medians"
            f"{'' if self.withheld else f'; {self._sign()}'}."
        )

    def _sign(self) -> str:
        return f"a difference is {self.design.minus()}: positive means that the first is better"

    def _best(self) -> str:
        order, estimates = self._order(), self.arrays()[0]
        first, last = order[0], order[-1]
        best = [self.algorithms[u] for u in order if estimates[u, first] == 0]
        if len(best) == len(order):
            return "All algorithms have the same estimate."
        share = f"{joined(best)} share" if len(best) > 1 else f"{best[0]} has"
        if len(best) > _MOST_LISTED:
            share = f"{len(best)} algorithms share"
        farthest = f"{self.algorithms[first]} and {self.algorithms[last]}"
        return (
            f"{share} the best estimate; the largest difference is that between {farthest}, "
            f"{self._with_interval(first, last)}."
        )

    def _with_interval(self, u: int, v: int) -> str:
        show = self._show()
        estimate, lower, upper = (show(part[u, v]) for part in self.arrays())
        if self.without_intervals:
            return estimate
        return f"{estimate} ({100 * self.confidence:g} % interval {lower} to {upper})"

    def _apart(self) -> str:
        if self.without_intervals:
            return f"There are no intervals. {self.without_intervals}"
        pairs, (_, lower, upper) = list(self._pairs()), self.arrays()
        apart = [(u, v) for u, v in pairs if lower[u, v] > 0 or upper[u, v] < 0]
        if len(pairs) == 1:
            return f"The confidence interval {'excludes' if apart else 'includes'} zero."
        opening = (
            f"Of {plural(len(pairs), 'pair')}, {len(apart) or 'none'} "
            f"{'has' if len(apart) < 2 else 'have'} a confidence interval that excludes zero"
        )
        if not apart or len(apart) > _MOST_LISTED:
            return f"{opening}."
        listed = [f"{self.algorithms[u]} and {self.algorithms[v]}" for u, v in apart]
        return f"{opening}: {'; '.join(listed)}."

    # ---------------------------------------------------------------------- display

    def _tables(self) -> tuple[Part, ...]:
        if self.withheld:
            return ()
        return (self._matrix(), self._intervals())

    def _not_there(self) -> dict[str, str]:
        if not self.withheld:
            return {}
        why = f"{self.withheld[0].lower()}{self.withheld[1:]}".removesuffix(".")
        return {"matrix": why, "intervals": why}

    def _sections(self) -> Sections:
        if self.withheld:
            return {}
        return {
            "matrix": lambda: (self._matrix(),),
            "intervals": lambda: (self._intervals(),),
        }

    def _parts(self) -> tuple[Part, ...]:
        if self.withheld:
            return (Prose(self.sentences), *self._notes())
        matrix = (self._matrix(),) if len(self.algorithms) <= _WIDEST_MATRIX else ()
        return (Prose(self.sentences), *matrix, self._intervals().cut(), *self._notes())

    def _show(self) -> Callable[[float], str]:
        """Return a function that formats numbers so that the largest has three digits."""
        return shown_alike(*self._shown_arrays().values())

    def _matrix(self) -> Table:
        show, order, names = self._show(), self._order(), self.algorithms
        estimates = self.arrays()[0]
        columns = (
            Column(self.design.minus("row", "column").replace("minus", "−")),
            *(Column(names[v], number=True) for v in order),
        )
        rows = tuple((names[u], *(show(estimates[u, v]) for v in order)) for u in order)
        return Table(columns, rows, caption=f"Estimated differences, best first; {self._better()}")

    def _better(self) -> str:
        return "> 0: the row is better"

    def _intervals(self) -> Table:
        show, names = self._show(), self.algorithms
        ends = () if self.without_intervals else ("lower", "upper")
        numbers = (self.design.minus().replace("minus", "−"), *ends)
        columns = (
            Column("first"),
            Column("second"),
            *(Column(name, number=True) for name in numbers),
        )
        rows = tuple(
            (names[u], names[v], *(show(part[u, v]) for part in self._shown_arrays().values()))
            for u, v in self._pairs()
        )
        intervals = "" if self.without_intervals else f" with {100 * self.confidence:g} % intervals"
        caption = f"Estimated differences{intervals}; {self._better().replace('row', 'first')}"
        return Table(columns, rows, caption=caption)

    def _method(self) -> tuple[tuple[str, str], ...]:
        return (
            ("scores", _subject.scores(self.design)),
            ("medians", "of the differences of two algorithms over the data sets"),
            (
                "estimates",
                "difference of two algorithms' means of their median differences from all "
                "algorithms, themselves included (Doksum)",
            ),
            (
                "intervals",
                f"none: {self.without_intervals[0].lower()}{self.without_intervals[1:-1]}"
                if self.without_intervals
                else f"{100 * self.confidence:g} %, percentiles of {self.n_resamples:,} resamples "
                "of the data sets, each by itself",
            ),
            ("assumption", "two algorithms differ by the same on every data set, but for noise"),
            *_subject.provenance(self.design),
        )
