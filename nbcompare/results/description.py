"""The result of a description: what the scores of every algorithm look like."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from nbcompare._arrays import BoolArray, FloatArray, IntArray, LockedArrays
from nbcompare._display import current
from nbcompare._render import (
    MOST_ROWS,
    Column,
    Note,
    Part,
    Prose,
    Strong,
    Table,
    format_number,
    format_numbers,
    plural,
)
from nbcompare._validation import check_choice
from nbcompare.results import _subject
from nbcompare.results._result import Result, Sections
from nbcompare.results._subject import joined
from nbcompare.results.design import Design
from nbcompare.words import cited

if TYPE_CHECKING:
    import pandas as pd

_TABLES = ("algorithms", "datasets")
_MISSING = "–"
_CLOSE = "†"
_MOST_LISTED = 6
_DIGITS = 4  # significant digits of the largest number of a column
_MOST_DECIMALS = 6
_LARGEST = 1e7  # larger numbers are written with an exponent
_RANK = "average rank"
_RANK_DECIMALS = 3


@dataclass(frozen=True, eq=False, kw_only=True)
class Statistic(LockedArrays):
    """A statistic of the scores of every algorithm over the data sets.

    Attributes
    ----------
    values : ndarray of float, shape (n_algorithms,)
        The statistic; that of the lower ends if scores are intervals.
    upper : ndarray of float, shape (n_algorithms,), or None
        The statistic of the upper ends; None unless scores are intervals.
    best : ndarray of bool, shape (n_algorithms,)
        Whether no algorithm has a better one; False everywhere if that cannot be said.
    """

    values: FloatArray
    upper: FloatArray | None
    best: BoolArray


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Description(Result):
    """Scores of each algorithm over the data sets, and on each data set.

    :func:`nbcompare.describe` returns it; it displays itself. Its sections are ``algorithms``,
    ``datasets``, ``conclusions``, ``method`` and ``references``. Algorithms and data sets are in
    the order of the data, and scores as they were given.

    Attributes
    ----------
    statistics : mapping of str to Statistic
        ``median``, ``min`` and ``max`` over the data sets, ``mean`` and ``sd`` if scores are on
        one scale, and ``average rank``. There is no ``average rank`` if every data set has a
        missing score or scores are intervals, and nothing else if data sets differ in what is
        better.
    counts : ndarray of int, shape (n_algorithms,)
        Number of data sets with a score of the algorithm.
    n_ranked : int
        Number of data sets behind the average ranks: those without a missing score.
    scores : ndarray of float, shape (n_datasets, n_algorithms)
        Mean over the runs, then over the folds; that of the lower ends of intervals. NaN where the
        score is missing.
    upper_scores : ndarray of float, shape (n_datasets, n_algorithms), or None
        Mean of the upper ends; None unless scores are intervals.
    ranks : ndarray of float, shape (n_datasets, n_algorithms), or None
        Rank of each algorithm among those with a score on the data set: 1 is the best, ties share
        the mean of their ranks, NaN where the score is missing. None if scores are intervals.
    deviations : ndarray of float, shape (n_datasets, n_algorithms), or None
        Standard deviation of all scores of the algorithm on the data set, or the one that was given
        beside its only score; NaN where there is neither. None if there is none at all.
    best, close : ndarray of bool, shape (n_datasets, n_algorithms)
        On data sets where runs were compared: whether the mean is the best, and whether the
        algorithm is not significantly worse than the best.
    pvalues : ndarray of float, shape (n_datasets, n_algorithms)
        Two-sided p-values of the rank-sum test of the best against the algorithm, adjusted by Holm
        within the data set; NaN where there was no test.
    alpha : float
        Significance level within each data set.
    domains : tuple of str or None
        Group of each data set, such as its domain.
    notes : tuple of Note
        Caveats, with a ``code`` to test for and a ``text``.
    design : Design
        The data and options.
    """

    statistics: Mapping[str, Statistic]
    counts: IntArray
    n_ranked: int
    scores: FloatArray
    upper_scores: FloatArray | None
    ranks: FloatArray | None
    deviations: FloatArray | None
    best: BoolArray
    close: BoolArray
    pvalues: FloatArray
    alpha: float
    domains: tuple[str, ...] | None
    notes: tuple[Note, ...]
    design: Design

    @property
    def algorithms(self) -> tuple[str, ...]:
        """The algorithms, in the order of the data."""
        return self.design.algorithms

    @property
    def compared(self) -> tuple[str, ...]:
        """The data sets on which runs were compared."""
        return tuple(d for d, row in zip(self.design.datasets, self.best, strict=True) if row.any())

    @property
    def sentences(self) -> tuple[str, ...]:
        """Sentences on the data, and on which algorithms have the best scores, for a paper."""
        return (self._what(), *self._leaders(), *self._marked())

    @property
    def references(self) -> tuple[str, ...]:
        """References for average ranks and the tests of runs, sorted by author."""
        ranks = ("demsar2006",) if _RANK in self.statistics else ()
        tests = ("holm1979", "mann1947", "wilcoxon1945") if self.compared else ()
        return cited((*ranks, *tests))

    def to_frame(self, table: str = "algorithms") -> pd.DataFrame:
        """Return one of the two tables as a pandas dataframe, with all rows.

        Parameters
        ----------
        table : {"algorithms", "datasets"}
            ``algorithms``: a row per algorithm, with a column for each of ``statistics`` (two
            columns, for the lower and upper ends, if scores are intervals), n_datasets and missing
            (numbers of data sets with and without a score).
            ``datasets``: a row per data set and algorithm, with columns dataset, algorithm, mean
            (or lower and upper), sd, best, close and pvalue; NaN where there is none.

        Returns
        -------
        pandas.DataFrame
            The table, in the order of the data; scores are as they were given.

        Raises
        ------
        ValueError
            If the table is neither of the two.
        """
        import pandas as pd

        check_choice(table, "table", _TABLES)
        if table == "datasets":
            return self._frame_of_datasets()
        columns: dict[str, object] = {"algorithm": list(self.algorithms)}
        for name, one in self.statistics.items():
            key = name.replace(" ", "_")
            ends = {key: one.values}
            if one.upper is not None:
                ends = {f"{key}_lower": one.values, f"{key}_upper": one.upper}
            columns |= ends
        columns |= {"n_datasets": self.counts, "missing": len(self.scores) - self.counts}
        return pd.DataFrame(columns)

    def _frame_of_datasets(self) -> pd.DataFrame:
        import pandas as pd

        n, k = self.scores.shape
        means = {"mean": self.scores}
        if self.upper_scores is not None:
            means = {"lower": self.scores, "upper": self.upper_scores}
        deviations = np.full((n, k), np.nan) if self.deviations is None else self.deviations
        arrays = {
            **means,
            "sd": deviations,
            "best": self.best,
            "close": self.close,
            "pvalue": self.pvalues,
        }
        return pd.DataFrame(
            {
                "dataset": np.repeat(np.array(self.design.datasets, dtype=object), k),
                "algorithm": np.tile(np.array(self.algorithms, dtype=object), n),
                **{name: array.ravel() for name, array in arrays.items()},
            }
        )

    def __repr__(self) -> str:
        n, k = self.scores.shape
        missing = [f"{self.design.n_missing} missing"] if self.design.n_missing else []
        sizes = [plural(k, "algorithm"), plural(n, "data set"), *missing]
        return f"<Description: {', '.join([*sizes, *self._best_in(_RANK)])}>"

    def _best_in(self, name: str) -> list[str]:
        """Return a phrase on who is best by a statistic, if that can be said."""
        found = self._names_of_best(name)
        if not found:
            return []
        who = repr(found[0]) if len(found) == 1 else f"of {len(found)} algorithms"
        return [f"best {name} {who}"]

    def _names_of_best(self, name: str) -> list[str]:
        if name not in self.statistics:
            return []
        best = self.statistics[name].best
        return [a for a, one in zip(self.algorithms, best, strict=True) if one]

    # -------------------------------------------------------------------- sentences

    def _what(self) -> str:
        missing = self.design.n_missing
        gaps = f"; {plural(missing, 'score')} {'is' if missing == 1 else 'are'} missing"
        return (
            f"There are scores of {plural(len(self.algorithms), 'algorithm')} on "
            f"{_subject.datasets(self.design, gaps if missing else '')}."
        )

    def _leaders(self) -> tuple[str, ...]:
        if len(self.algorithms) < 2:
            return ()
        led: dict[tuple[str, ...], list[str]] = {}  # by those who are the best
        for name in ("median", "mean", _RANK):
            if found := self._names_of_best(name):
                led.setdefault(tuple(found), []).append(name)
        return tuple(self._led(found, joined(names)) for found, names in led.items())

    def _led(self, best: tuple[str, ...], what: str) -> str:
        if len(best) == len(self.algorithms):
            return f"All algorithms have the same {what}."
        who = joined(best) if len(best) <= _MOST_LISTED else f"{len(best)} algorithms"
        return f"{who} {'has' if len(best) == 1 else 'have'} the best {what}."

    def _marked(self) -> tuple[str, ...]:
        n = len(self.compared)
        if not n:
            return ()
        wins = (self.best | self.close).sum(axis=0)
        most = int(wins.max())
        who = [a for a, count in zip(self.algorithms, wins, strict=True) if count == most]
        names = joined(who) if len(who) <= _MOST_LISTED else f"{len(who)} algorithms"
        return (
            f"By their runs, {names} {'is' if len(who) == 1 else 'are'} the best or not "
            f"significantly worse than the best on {most} of {plural(n, 'data set')}, the most of "
            "all algorithms.",
        )

    # ---------------------------------------------------------------------- display

    def _sections(self) -> Sections:
        return {
            "algorithms": lambda: (self._of_algorithms(),),
            "datasets": lambda: (self._of_datasets(),),
        }

    def _tables(self) -> tuple[Part, ...]:
        return (self._of_algorithms(), self._of_datasets())

    def _parts(self) -> tuple[Part, ...]:
        # of many algorithms only the first are shown, which should not hide the best
        many = len(self.algorithms) > MOST_ROWS and _RANK in self.statistics
        tables = (self._of_algorithms(by_rank=many).cut(), self._of_datasets(MOST_ROWS))
        return (Prose(self.sentences), *tables, *self._notes())

    def _of_algorithms(self, *, by_rank: bool = False) -> Table:
        places = {name: place for place, name in enumerate(self.statistics)}
        before = [name for name in places if name != _RANK]
        columns = [
            *(self._statistic(name) for name in before),
            [str(count) for count in self.counts],
            [str(len(self.scores) - count) for count in self.counts],
            *([self._statistic(_RANK)] if _RANK in places else []),
        ]
        headers = [*before, "data sets", "missing", *([_RANK] if _RANK in places else [])]
        marked = any(one.best.any() and not one.best.all() for one in self.statistics.values())
        bold = "; the best is bold" if marked else ""
        order = "; best average rank first" if by_rank else ""
        rows = tuple(zip(self.algorithms, *columns, strict=True))
        if by_rank:
            places_by_rank = np.argsort(self.statistics[_RANK].values, kind="stable")
            rows = tuple(rows[place] for place in places_by_rank.tolist())
        return Table(
            (Column("algorithm"), *(Column(name, number=True) for name in headers)),
            rows,
            caption=f"Scores over the data sets ({self._measured()}){order}{bold}",
        )

    def _statistic(self, name: str) -> list[str]:
        one = self.statistics[name]
        ends = [one.values] if one.upper is None else [one.values, one.upper]
        decimals = _decimals(np.concatenate(ends)) if name != _RANK else _RANK_DECIMALS
        texts = [_written(end, decimals) for end in ends]
        alone = bool(one.best.all())  # nothing stands out
        return [
            Strong(_interval(cells)) if best and not alone else _interval(cells)
            for *cells, best in zip(*texts, one.best, strict=True)
        ]

    def _of_datasets(self, most: int | None = None) -> Table:
        upper = self.scores if self.upper_scores is None else self.upper_scores
        shown = np.concatenate([self.scores[:most], upper[:most]])
        common = _decimals(shown, most=_MOST_DECIMALS)
        names = self.design.datasets[:most]
        rows = tuple((name, *self._row(place, common)) for place, name in enumerate(names))
        columns = (Column("data set"), *(Column(name, number=True) for name in self.algorithms))
        n_hidden = len(self.design.datasets) - len(rows)
        return Table(columns, rows, caption=self._caption(), n_hidden=n_hidden)

    def _row(self, place: int, common: int | None) -> list[str]:
        """Return the cells of a data set, whose numbers have the same decimals.

        Numbers without a standard deviation have the ``common`` decimals, if there are such.
        """
        means = self.scores[place]
        upper = means if self.upper_scores is None else self.upper_scores[place]
        spread = np.full(len(means), np.nan)
        if self.deviations is not None:
            spread = self.deviations[place]
        if np.isnan(spread).all():
            own = _decimals(np.concatenate([means, upper]), most=_MOST_DECIMALS)
            decimals = own if common is None else common
        else:
            decimals = _decimals_beside(means, spread)
        low, high = _written(means, decimals), _written(upper, decimals)
        beside = _written(spread, decimals, digits=2)
        return [
            self._cell((place, j), _interval(ends), beside[j])
            for j, ends in enumerate(zip(low, high, strict=True))
        ]

    def _cell(self, where: tuple[int, int], text: str, beside: str) -> str:
        if self.deviations is not None and not math.isnan(self.deviations[where]):
            text = f"{text} ± {beside}"
        if self.best[where]:
            return Strong(text)
        return f"{_CLOSE} {text}" if self.close[where] else text

    def _caption(self) -> str:
        repeated = self.design.n_folds * self.design.n_runs > 1
        text = "Mean scores" if repeated else "Scores"
        if self.deviations is not None:
            text += " ± standard deviation"
        text += f" ({self._measured()})"
        if np.isnan(self.scores).any():
            text += f"; {_MISSING} marks a missing score"
        if self.compared:
            text += (
                f"; on each data set the best mean is bold, and {_CLOSE} marks what is not "
                "significantly worse (rank-sum test of the runs, adjusted by Holm, "
                f"α = {self.alpha:g})"
            )
        return text

    def _measured(self) -> str:
        measure = self.design.measure
        return f"{measure}, {self.design.better}" if measure else self.design.better

    def _method(self) -> tuple[tuple[str, str], ...]:
        rows = [("scores", _subject.scores(self.design))]
        if self.deviations is not None:
            repeated = self.design.n_folds * self.design.n_runs > 1
            rows.append(
                (
                    "standard deviations",
                    "of all scores of an algorithm on a data set, with n − 1"
                    if repeated
                    else "as they were given beside the scores",
                )
            )
        if _RANK in self.statistics:
            rows.append(
                (
                    "average ranks",
                    f"over {plural(self.n_ranked, 'data set')} without a missing score; 1 is the "
                    "best, ties share the mean of their ranks",
                )
            )
        if self.compared:
            what = "runs" if self.design.n_folds == 1 else "means over the folds of each run"
            rows += [
                (
                    "marks",
                    f"two-sided rank-sum test of the {what} of the best mean against those of each "
                    f"other algorithm, on {plural(len(self.compared), 'data set')}",
                ),
                ("adjustment", f"Holm, within each data set, at α = {self.alpha:g}"),
            ]
        return (*rows, *_subject.provenance(self.design))


# ------------------------------------------------------------------------------- numbers


def _interval(ends: Sequence[str]) -> str:
    low, high = ends[0], ends[-1]
    return low if low == high else f"[{low}, {high}]"


def _decimals(values: FloatArray, most: int | None = None) -> int | None:
    """Return decimals for a column of numbers; None for an exponent.

    They are as many as the numbers need, but at most ``most``, or so many that the largest has
    four digits.
    """
    sizes = np.abs(values[~np.isnan(values)])
    largest = float(sizes.max(initial=0.0))
    least = float(sizes[sizes > 0].min(initial=math.inf))
    if largest == 0:
        return 0
    decimals = max(0, _DIGITS - 1 - math.floor(math.log10(largest))) if most is None else most
    if decimals > _MOST_DECIMALS or largest >= _LARGEST or least < 10.0**-decimals:
        return None
    texts = format_numbers(sizes)
    return min(decimals, max(len(text.partition(".")[2]) for text in texts))


def _decimals_beside(means: FloatArray, spread: FloatArray) -> int | None:
    """Return decimals by which standard deviations have two digits; None for an exponent."""
    sizes = spread[spread > 0]
    if not sizes.size:
        return _decimals(means)
    # one tiny deviation among large ones does not lengthen all numbers
    least = max(float(sizes.min()), float(sizes.max()) / 100)
    decimals = max(0, 1 - math.floor(math.log10(least)))
    largest = float(np.nanmax(np.abs(means)))
    return decimals if decimals <= _MOST_DECIMALS and largest < _LARGEST else None


def _written(values: FloatArray, decimals: int | None, digits: int = _DIGITS) -> list[str]:
    return [
        _MISSING
        if math.isnan(value)
        else _with_exponent(float(value), digits)
        if decimals is None
        else format_number(float(value), decimals)
        for value in values
    ]


def _with_exponent(value: float, digits: int) -> str:
    """Return a number with so many digits, zeros at its end too."""
    text = f"{value:#.{digits + max(0, current().more_digits)}g}"
    return text.rstrip(".") if value else "0"
