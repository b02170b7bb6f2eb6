"""The result of resampling data sets: intervals of average ranks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from nbcompare._render import (
    MOST_ROWS,
    Column,
    Note,
    Part,
    Prose,
    Table,
    format_number,
    plural,
)
from nbcompare.results import _subject
from nbcompare.results._established import opening
from nbcompare.results._result import Result, Sections
from nbcompare.results._subject import joined
from nbcompare.results.design import Design
from nbcompare.results.labelled import Labelled
from nbcompare.results.pair import percent
from nbcompare.words import cited

if TYPE_CHECKING:
    import pandas as pd

_MOST_LISTED = 6  # intervals in a sentence


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class RankIntervals(Result):
    """Average ranks of algorithms with percentile intervals over resamples of the data sets.

    :func:`nbcompare.rank_intervals` returns it; it displays itself. Its sections are
    ``intervals``, ``conclusions``, ``method`` and ``references``.

    Attributes
    ----------
    average_ranks : mapping of str to float
        Friedman's average ranks by algorithm, in the order of the data; lower is better.
    lower, upper : mapping of str to float
        Ends of the intervals.
    confidence : float
        Nominal coverage of each interval by itself.
    n_resamples : int
        Number of resamples of the data sets.
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
    n_resamples: int
    missing: str
    notes: tuple[Note, ...]
    design: Design

    @property
    def ordered(self) -> tuple[str, ...]:
        """Algorithms from best to worst average rank; ties in the order of the data."""
        return tuple(sorted(self.average_ranks, key=self.average_ranks.__getitem__))

    @property
    def sentences(self) -> tuple[str, ...]:
        """Sentences on what was ranked, on which data, and what was found, for a paper."""
        what = (
            f"{opening(len(self.average_ranks), 'algorithm')} were ranked on "
            f"{_subject.datasets(self.design)}; the data sets were resampled "
            f"{self.n_resamples:,} times."
        )
        names = self.ordered
        shown = names if len(names) <= _MOST_LISTED else (names[0], names[-1])
        listed = joined([self._told(name) for name in shown])
        which = "" if len(shown) == len(names) else " of the best and the worst"
        return (
            what,
            f"The average ranks{which}, with {percent(self.confidence)} intervals: {listed}.",
        )

    @property
    def references(self) -> tuple[str, ...]:
        """References for the ranks and intervals, sorted by author."""
        return cited(("demsar2006", "efron1993"))

    def to_frame(self) -> pd.DataFrame:
        """Return a pandas dataframe with a row per algorithm, best first.

        Returns
        -------
        pandas.DataFrame
            Columns algorithm, average_rank, lower and upper.
        """
        import pandas as pd

        rows = [
            (name, self.average_ranks[name], self.lower[name], self.upper[name])
            for name in self.ordered
        ]
        return pd.DataFrame(rows, columns=["algorithm", "average_rank", "lower", "upper"])

    def __repr__(self) -> str:
        return (
            f"<RankIntervals: {plural(len(self.average_ranks), 'algorithm')}, "
            f"{plural(self.design.n_datasets, 'data set')}, {percent(self.confidence)} intervals, "
            f"best {self.ordered[0]!r}>"
        )

    # ---------------------------------------------------------------------- display

    def _told(self, name: str) -> str:
        ends = (format_number(part[name], 2) for part in (self.lower, self.upper))
        return f"{name} {format_number(self.average_ranks[name], 2)} ({' to '.join(ends)})"

    def _tables(self) -> tuple[Part, ...]:
        return (self._intervals(),)

    def _sections(self) -> Sections:
        return {"intervals": self._tables}

    def _parts(self) -> tuple[Part, ...]:
        return (Prose(self.sentences), self._intervals().cut(MOST_ROWS), *self._notes())

    def _intervals(self) -> Table:
        columns = (
            Column("algorithm"),
            *(Column(name, number=True) for name in ("average rank", "lower", "upper")),
        )
        rows = tuple(
            (
                name,
                *(
                    format_number(part[name], 3)
                    for part in (self.average_ranks, self.lower, self.upper)
                ),
            )
            for name in self.ordered
        )
        caption = f"Average ranks with {percent(self.confidence)} intervals, best first"
        return Table(columns, rows, caption=caption)

    def _method(self) -> tuple[tuple[str, str], ...]:
        return (
            ("scores", _subject.scores(self.design)),
            ("ranking", "within each data set; ties share the mean of their ranks"),
            (
                "intervals",
                f"{percent(self.confidence)}, percentiles of {self.n_resamples:,} resamples of "
                "the data sets, each by itself",
            ),
            *_subject.provenance(self.design),
        )
