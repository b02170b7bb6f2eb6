"""Confidence intervals of average ranks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from nbcompare._render import Table, format_number
from nbcompare.results._columns import frame_of, table_of
from nbcompare.results._methods import Cited, about_datasets, computed
from nbcompare.results._result import Result, Sections
from nbcompare.results.labelled import Labelled
from nbcompare.results.wording import joined, opening, percent

if TYPE_CHECKING:
    import pandas as pd

_MOST_LISTED = 6  # intervals in a sentence


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
        shown = names if len(names) <= _MOST_LISTED else (names[0], names[-1])
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
        return (
            f"{opening(len(self.average_ranks), 'algorithm')} were ranked on "
            f"{about_datasets(self.design)}; ties share the mean of their ranks"
            f"{cite('demsar2006')}.",
            f"The {percent(self.confidence)} intervals are Student's{cite('student1908')}, with "
            "two data sets added on which every rank is equally likely, as is done for proportions"
            f"{cite('agresti1998')}; each holds by itself.",
            computed(self.design),
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

    def __repr__(self) -> str:
        return (
            f"<RankIntervals: {self.design.size}, {percent(self.confidence)} intervals, "
            f"best {self.ordered[0]!r}>"
        )

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
