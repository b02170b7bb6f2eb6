"""What scores look like: statistics, ranks and marks."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from nbcompare._arrays import BoolArray, FloatArray, IntArray, LockedArrays
from nbcompare._display import current
from nbcompare._render import MOST_ROWS, Part, Strong, Table, format_number, format_numbers, plural
from nbcompare._validation import check_choice
from nbcompare.results._result import Result, Sections
from nbcompare.results.labelled import frame_of, frame_of_cells, table_of
from nbcompare.results.sentences import MOST_LISTED
from nbcompare.results.texts import Cited, about_datasets, on_methods
from nbcompare.results.wording import joined

if TYPE_CHECKING:
    import pandas as pd

_MISSING, _CLOSE, _RANK = "–", "†", "average rank"
_DIGITS = 4  # significant digits of the largest number of a column
_MOST_DECIMALS, _RANK_DECIMALS = 6, 3
_LARGEST = 1e7  # larger numbers are written with an exponent


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
    ``datasets``, ``findings``, ``methods``, ``notes``, ``method`` and ``references``. Algorithms
    and data sets are in the order of the data, and scores as they were given.

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
        for all pairs of the data set; NaN where there was no test.
    alpha : float
        Significance level within each data set.
    domains : tuple of str or None
        Group of each data set, such as its domain.
    notes : tuple of Note
        Caveats, with a ``code`` to test for and a ``text``.
    design : Design
        The data and options.
    """

    describes_gaps = True

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

    @property
    def algorithms(self) -> tuple[str, ...]:
        """The algorithms, in the order of the data."""
        return self.design.algorithms

    @property
    def compared(self) -> tuple[str, ...]:
        """The data sets on which runs were compared."""
        return tuple(d for d, row in zip(self.design.datasets, self.best, strict=True) if row.any())

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
        if check_choice(table, "table", ("algorithms", "datasets")) == "datasets":
            shape = self.scores.shape
            means = {"mean": self.scores}
            if self.upper_scores is not None:
                means = {"lower": self.scores, "upper": self.upper_scores}
            spread = np.full(shape, np.nan) if self.deviations is None else self.deviations
            marks = {"sd": spread, "best": self.best, "close": self.close, "pvalue": self.pvalues}
            axes = {"dataset": self.design.datasets, "algorithm": self.algorithms}
            return frame_of_cells(axes, means | marks)
        columns: dict[str, object] = {"algorithm": self.algorithms}
        for name, one in self.statistics.items():
            key = name.replace(" ", "_")
            columns[key if one.upper is None else f"{key}_lower"] = one.values
            columns |= {} if one.upper is None else {f"{key}_upper": one.upper}
        columns |= {"n_datasets": self.counts, "missing": len(self.scores) - self.counts}
        return frame_of(columns)

    def _best(self, name: str) -> tuple[str, ...]:
        """Return the algorithms that are the best by a statistic; none if that cannot be said."""
        if name not in self.statistics:
            return ()
        return tuple(np.array(self.algorithms, dtype=object)[self.statistics[name].best])

    # --------------------------------------------------------------------- findings

    def _account(self) -> tuple[tuple[str, ...], ...]:
        missing = self.design.n_missing
        gaps = f"; {plural(missing, 'score')} {'is' if missing == 1 else 'are'} missing"
        what = (
            f"There are scores of {plural(len(self.algorithms), 'algorithm')} on "
            f"{about_datasets(self.design, gaps if missing else '')}."
        )
        led: dict[tuple[str, ...], list[str]] = {}  # by those who are the best
        for name in ("median", "mean", _RANK) if len(self.algorithms) > 1 else ():
            if found := self._best(name):
                led.setdefault(found, []).append(name)
        leaders = [
            f"All algorithms have the same {joined(names)}."
            if len(best) == len(self.algorithms)
            else f"{_listed(best)} {'has' if len(best) == 1 else 'have'} the best {joined(names)}."
            for best, names in led.items()
        ]
        return ((what, *leaders, self._marked()),)

    def _marked(self) -> str:
        if not self.compared:
            return ""
        wins = (self.best | self.close).sum(axis=0)
        who = [a for a, count in zip(self.algorithms, wins, strict=True) if count == wins.max()]
        return (
            f"By their runs, {_listed(who)} {'is' if len(who) == 1 else 'are'} the best or not "
            f"significantly worse than the best on {wins.max()} of "
            f"{plural(len(self.compared), 'data set')}, the most of all algorithms."
        )

    def _methods(self, cite: Cited) -> tuple[str, ...]:
        spread = None if self.deviations is None else "as they were given beside the scores"
        if spread and self._is_repeated:
            spread = "of all scores of an algorithm on a data set, with n − 1"
        return on_methods(
            "description",
            self,
            cite,
            spread=spread,
            ranked=self.n_ranked if _RANK in self.statistics else None,
            compared=self.compared or None,
            what="runs" if self.design.n_folds == 1 else "means over the folds of each run",
        )

    # ----------------------------------------------------------------------- tables

    @property
    def _is_repeated(self) -> bool:
        return self.design.n_folds * self.design.n_runs > 1

    @property
    def _measured(self) -> str:
        return ", ".join(filter(None, (self.design.measure, self.design.better)))

    def _sections(self) -> Sections:
        best = {"best": self._best_ranked} if len(self.algorithms) > MOST_ROWS else {}
        return {"algorithms": self._of_algorithms, **best, "datasets": self._of_datasets}

    def _tables(self) -> tuple[Part, ...]:
        return self._of_algorithms(), self._of_datasets()

    def _first_rows(self) -> tuple[Part, ...]:
        return self._by_rank().cut(), self._of_datasets(MOST_ROWS)

    def _by_rank(self) -> Table:
        # of many algorithms only the first are shown, which should not hide the best
        many = len(self.algorithms) > MOST_ROWS and _RANK in self.statistics
        return self._of_algorithms(by_rank=many)

    def _best_ranked(self) -> Table:
        table = self._by_rank()
        caption = f"{table.caption}; the first {MOST_ROWS} of {len(table.rows):,}"
        return replace(table, rows=table.rows[:MOST_ROWS], caption=caption)

    def _of_algorithms(self, *, by_rank: bool = False) -> Table:
        numbers: dict[str, list[str]] = {}
        for name, one in self.statistics.items():
            upper = one.values if one.upper is None else one.upper
            both = np.concatenate([one.values, upper])
            decimals = _RANK_DECIMALS if name == _RANK else _decimals(both)
            ends = (_written(end, decimals) for end in (one.values, upper))
            stands_out = one.best & ~one.best.all()
            numbers[name] = [
                (Strong if best else str)(_interval(*cell))
                for *cell, best in zip(*ends, stands_out, strict=True)
            ]
        n = len(self.scores)
        if min(self.counts) < n:
            numbers["data sets"] = [str(count) for count in self.counts]
            numbers["missing"] = [str(n - count) for count in self.counts]
        caption = f"Scores over {plural(n, 'data set')} ({self._measured})"
        names: Sequence[str] = self.algorithms
        if by_rank:
            order = np.argsort(self.statistics[_RANK].values, kind="stable").tolist()
            names = [names[at] for at in order]
            numbers = {name: [cells[at] for at in order] for name, cells in numbers.items()}
            caption += "; best average rank first"
        if any(isinstance(cell, Strong) for cells in numbers.values() for cell in cells):
            caption += "; the best is bold"
        return table_of({"algorithm": names}, numbers, caption)

    def _of_datasets(self, most: int | None = None) -> Table:
        upper = self.scores if self.upper_scores is None else self.upper_scores
        common = _decimals(np.concatenate([self.scores[:most], upper[:most]]), _MOST_DECIMALS)
        names = self.design.datasets[:most]
        rows = [self._row(place, upper[place], common) for place in range(len(names))]
        numbers = dict(zip(self.algorithms, zip(*rows, strict=True), strict=True))
        n_hidden = len(self.scores) - len(names)
        return table_of({"data set": names}, numbers, self._caption(), n_hidden)

    def _row(self, place: int, upper: FloatArray, common: int | None) -> list[str]:
        """Return the cells of a data set, whose numbers have the same decimals.

        Numbers without a standard deviation have the ``common`` decimals, if there are such.
        """
        means, best, close = self.scores[place], self.best[place], self.close[place]
        spread = np.full(len(means), np.nan) if self.deviations is None else self.deviations[place]
        decimals = common
        if not np.isnan(spread).all():
            decimals = _decimals_beside(means, spread)
        elif common is None:
            decimals = _decimals(np.concatenate([means, upper]), _MOST_DECIMALS)
        cells = []
        for at, beside in enumerate(_written(spread, decimals, digits=2)):
            text = _interval(*_written(np.array([means[at], upper[at]]), decimals))
            text += "" if math.isnan(spread[at]) else f" ± {beside}"
            cells.append(Strong(text) if best[at] else f"{_CLOSE} {text}" if close[at] else text)
        return cells

    def _caption(self) -> str:
        spread = "" if self.deviations is None else " ± standard deviation"
        text = f"{'Mean scores' if self._is_repeated else 'Scores'}{spread} ({self._measured})"
        if np.isnan(self.scores).any():
            text += f"; {_MISSING} marks a missing score"
        if self.compared:
            text += (
                f"; on each data set the best mean is bold, and {_CLOSE} marks what is not "
                "significantly worse (rank-sum test of the runs, adjusted by Holm for all pairs, "
                f"α = {self.alpha:g})"
            )
        return text


# ------------------------------------------------------------------------------- numbers


def _listed(names: Sequence[str]) -> str:
    return joined(names) if len(names) <= MOST_LISTED else f"{len(names)} algorithms"


def _interval(low: str, high: str) -> str:
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
    means = np.abs(means[means != 0])
    smallest, largest = float(np.nanmin(means, initial=1)), float(np.nanmax(means, initial=0))
    # errors near an optimum would seem to be none
    fit = decimals <= _MOST_DECIMALS and largest < _LARGEST and smallest >= 0.5 * 10.0**-decimals
    return decimals if fit else None


def _written(values: FloatArray, decimals: int | None, digits: int = _DIGITS) -> list[str]:
    """Return numbers with so many decimals, or with an exponent and so many digits."""
    digits += max(0, current().more_digits)
    found = []
    for value in values.tolist():
        if math.isnan(value):
            found.append(_MISSING)
        elif decimals is not None:
            found.append(format_number(value, decimals))
        else:
            found.append(f"{value:#.{digits}g}".rstrip(".") if value else "0")
    return found
