"""The Experiment: frozen, labelled scores with the direction that is better."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

import numpy as np
import numpy.typing as npt

from nbcompare import _tables
from nbcompare._arrays import BoolArray, FloatArray, LockedArrays, locked
from nbcompare._options import COLUMN_OPTIONS, DIRECTIONS, LAYOUTS, OPTIONS
from nbcompare._render import Column, Part, Rich, Table, format_numbers, plural
from nbcompare._validation import DataError, check_choice, check_labels, check_name, listed
from nbcompare.experiment import _layout

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Experiment(LockedArrays, Rich):
    """Scores of algorithms on data sets, over folds and runs.

    Make one with :meth:`read` (a file), :meth:`from_frame` (a dataframe) or
    :meth:`from_array`. It never changes; :meth:`select` gives a smaller one.

    Attributes
    ----------
    lower, upper : ndarray of float, shape (n_datasets, n_algorithms, n_folds, n_runs)
        Ends of the scores; the same array unless the scores are intervals. Cells with
        fewer folds or runs than others are padded with NaN. Read-only.
    datasets, algorithms, folds : tuple of str
        Labels, in the order of the arrays. Runs are not paired between algorithms; they
        are numbered in the order of their labels.
    direction : {"maximize", "minimize"}
        Whether high or low scores are better.
    measure : str or None
        What was measured.
    citation : str or None
        Where the scores were published.

    Examples
    --------
    >>> import pandas as pd
    >>> frame = pd.DataFrame({"C4.5": [0.76, 0.60], "CN2": [0.77, 0.59]}, index=["adult", "iris"])
    >>> experiment = Experiment.from_frame(frame, direction="maximize", measure="AUC")
    >>> experiment
    <Experiment: 2 algorithms on 2 data sets, AUC, maximize>
    >>> experiment.mean_scores
    array([[0.76, 0.77],
           [0.6 , 0.59]])
    """

    lower: FloatArray
    upper: FloatArray
    datasets: tuple[str, ...]
    algorithms: tuple[str, ...]
    folds: tuple[str, ...]
    direction: str
    measure: str | None = None
    citation: str | None = field(default=None)

    def __post_init__(self) -> None:
        """Check that the parts fit together, and lock them."""
        check_choice(self.direction, "direction", DIRECTIONS)
        for name in ("datasets", "algorithms", "folds"):
            object.__setattr__(self, name, check_labels(getattr(self, name), name))
        interval = self.upper is not self.lower
        lower = locked(self.lower)
        object.__setattr__(self, "lower", lower)
        object.__setattr__(self, "upper", locked(self.upper) if interval else lower)
        labelled = (len(self.datasets), len(self.algorithms), len(self.folds))
        if lower.ndim != 4 or lower.shape[:3] != labelled or self.upper.shape != lower.shape:
            raise ValueError(
                "`lower` and `upper` must have one cell per data set, algorithm, fold and run, "
                f"{(*labelled, 'n_runs')}; got shapes {lower.shape} and {self.upper.shape}."
            )
        if interval and (self.lower > self.upper).any():
            d, a = (int(i) for i in np.argwhere(self.lower > self.upper)[0][:2])
            raise DataError(
                f"`lower` must not exceed `upper`; it does for algorithm {self.algorithms[a]!r} "
                f"on data set {self.datasets[d]!r}."
            )
        for axis, kind, labels in (
            (1, "data set", self.datasets),
            (0, "algorithm", self.algorithms),
        ):
            empty = np.flatnonzero(self.missing.all(axis=axis))
            if empty.size:
                raise DataError(
                    f"every {kind} must have at least one score; "
                    f"{labels[int(empty[0])]!r} has none."
                )

    # ------------------------------------------------------------------- making one

    @classmethod
    def read(
        cls,
        path: str | Path,
        *,
        direction: str,
        dataset: str | None = None,
        algorithm: str | None = None,
        score: str | None = None,
        fold: str | None = None,
        run: str | None = None,
        lower: str | None = None,
        upper: str | None = None,
        measure: str | None = None,
        decimal: str = ".",
        separator: str | None = None,
        encoding: str = "utf-8-sig",
    ) -> Self:
        """Read scores from a CSV, TSV or Parquet file.

        Parameters
        ----------
        path : str or Path
            A .csv, .txt, .tsv, .tab, .parquet or .pq file, with a header.
        direction : {"maximize", "minimize"}
            Whether high or low scores are better.
        dataset, algorithm, score, fold, run, lower, upper, measure
            As in :meth:`from_frame`.
        decimal : {".", ","}
            Decimal mark of a text file.
        separator : {",", ";", tab}, optional
            Of a text file; found from the header unless that is ambiguous.
        encoding : str
            Of a text file; UTF-8, with or without a byte-order mark, by default.

        Returns
        -------
        Experiment
            Cells that are empty or hold one of ``NA N/A n/a NaN nan NULL null None ? -``
            are missing. Labels are taken as they stand: a data set may be called ``NA``.

        Raises
        ------
        DataError
            Names the file, row, column and value that cannot be a score or label.
        """
        check_choice(direction, "direction", DIRECTIONS)
        OPTIONS["decimal"].check(decimal, "decimal")
        if separator is not None:
            OPTIONS["separator"].check(separator, "separator")
        given = dict(
            zip(COLUMN_OPTIONS, (dataset, algorithm, score, fold, run, lower, upper), strict=True)
        )
        labels = {"dataset", "algorithm", "fold", "run"}
        named = {str(given[role]) for role in labels if given[role] is not None}
        table = _tables.read(
            path, labels=labels | named, decimal=decimal, separator=separator, encoding=encoding
        )
        return cls._from_cells(_layout.arrange(table, given), direction, measure)

    @classmethod
    def from_frame(
        cls,
        frame: Any,
        *,
        direction: str,
        dataset: str | None = None,
        algorithm: str | None = None,
        score: str | None = None,
        fold: str | None = None,
        run: str | None = None,
        lower: str | None = None,
        upper: str | None = None,
        measure: str | None = None,
    ) -> Self:
        """Take scores from a dataframe: pandas, polars, pyarrow, or any that narwhals knows.

        Parameters
        ----------
        frame : dataframe
            Wide: a row per data set, a column per algorithm. Long: a row per score.
        direction : {"maximize", "minimize"}
            Whether high or low scores are better.
        dataset : str, optional
            Column with the data sets' names. Without it: the index of a pandas dataframe
            (unless it only counts rows), a column called ``dataset``, a first column
            without a name, or the only column of text; else data sets are numbered.
        algorithm, score : str, optional
            Columns of a long table. Recognised when they are called just that.
        fold, run : str, optional
            Columns of a long table that tell repeated scores apart.
        lower, upper : str, optional
            Columns with the ends of interval scores, instead of ``score``.
        measure : str, optional
            Name of what was measured; the name of the score column by default.

        Returns
        -------
        Experiment
            Data sets and algorithms in order of first appearance.

        Raises
        ------
        DataError
            If a cell is not what it should be, or the table can be read in two ways; the
            message says which argument settles it.

        Examples
        --------
        >>> import pandas as pd
        >>> long = pd.DataFrame({
        ...     "problem": ["f1", "f1", "f1", "f1"], "method": ["DE", "DE", "SA", "SA"],
        ...     "seed": [1, 2, 1, 2], "error": [0.1, 0.3, 0.5, 0.7]})
        >>> experiment = Experiment.from_frame(long, direction="minimize", dataset="problem",
        ...                                    algorithm="method", score="error", run="seed")
        >>> experiment
        <Experiment: 2 algorithms on 1 data set, 2 runs, error, minimize>
        """
        check_choice(direction, "direction", DIRECTIONS)
        given = dict(
            zip(COLUMN_OPTIONS, (dataset, algorithm, score, fold, run, lower, upper), strict=True)
        )
        return cls._from_cells(
            _layout.arrange(_tables.from_frame(frame), given), direction, measure
        )

    @classmethod
    def from_array(
        cls,
        scores: npt.ArrayLike,
        *,
        direction: str,
        datasets: Sequence[object] | None = None,
        algorithms: Sequence[object] | None = None,
        measure: str | None = None,
    ) -> Self:
        """Take scores from an array of 2 (data set, algorithm) to 4 (fold, run) dimensions.

        Parameters
        ----------
        scores : array_like, shape (n_datasets, n_algorithms[, n_folds[, n_runs]])
            NaN where there is no score.
        direction : {"maximize", "minimize"}
            Whether high or low scores are better.
        datasets, algorithms : sequence, optional
            Labels; numbers from 1, and A1, A2, ..., by default.
        measure : str, optional
            Name of what was measured.

        Examples
        --------
        >>> Experiment.from_array([[1, 2, 3], [2, 1, 3]], direction="minimize").algorithms
        ('A1', 'A2', 'A3')
        """
        array = np.asarray(scores, dtype=np.float64)
        if array.ndim not in (2, 3, 4):
            raise ValueError(
                f"`scores` must have 2 to 4 dimensions; got an array of shape {array.shape}."
            )
        if np.isinf(array).any():
            where = tuple(int(i) for i in np.argwhere(np.isinf(array))[0])
            raise DataError(f"`scores` must be finite; got {array[where]!s} at index {where}.")
        array = array.reshape(array.shape + (1,) * (4 - array.ndim))
        n, k, n_folds = map(int, array.shape[:3])
        return cls(
            lower=array,
            upper=array,
            datasets=_labels(datasets, [str(i + 1) for i in range(n)]),
            algorithms=_labels(algorithms, [f"A{j + 1}" for j in range(k)]),
            folds=tuple(str(i + 1) for i in range(n_folds)),
            direction=direction,
            measure=measure,
        )

    @classmethod
    def _from_cells(cls, cells: _layout.Cells, direction: str, measure: str | None) -> Self:
        return cls(
            lower=cells.lower,
            upper=cells.upper,
            datasets=cells.datasets,
            algorithms=cells.algorithms,
            folds=cells.folds,
            direction=direction,
            measure=cells.measure if measure is None else measure,
        )

    # -------------------------------------------------------------------- looking in

    @property
    def n_datasets(self) -> int:
        """Number of data sets."""
        return int(self.lower.shape[0])

    @property
    def n_algorithms(self) -> int:
        """Number of algorithms."""
        return int(self.lower.shape[1])

    @property
    def n_folds(self) -> int:
        """Number of folds, 1 without any."""
        return int(self.lower.shape[2])

    @property
    def n_runs(self) -> int:
        """Largest number of runs in a fold, 1 without any."""
        return int(self.lower.shape[3])

    @property
    def is_interval(self) -> bool:
        """Whether scores are intervals rather than single numbers."""
        return self.upper is not self.lower

    @property
    def scores(self) -> FloatArray:
        """Scores ``[dataset, algorithm, fold, run]``, NaN-padded; an error for intervals."""
        if self.is_interval:
            raise DataError("the scores are intervals; take `lower` and `upper`.")
        return self.lower

    @cached_property
    def missing(self) -> BoolArray:
        """Which (data set, algorithm) has no score at all, shape (n_datasets, n_algorithms)."""
        missing: BoolArray = np.isnan(self.lower).all(axis=(2, 3))
        return locked(missing)

    @cached_property
    def mean_scores(self) -> FloatArray:
        """Scores averaged over runs, then over folds, shape (n_datasets, n_algorithms).

        Every fold counts the same however many runs it has; NaN where none is there.
        """
        return locked(_mean(_mean(self.scores)))

    @cached_property
    def fingerprint(self) -> str:
        """``sha256:...`` of labels, direction and scores.

        The same for the same results, whatever the order of rows and columns and
        whatever the file format.
        """
        rows = sorted(range(self.n_datasets), key=self.datasets.__getitem__)
        columns = sorted(range(self.n_algorithms), key=self.algorithms.__getitem__)
        digest = hashlib.sha256()
        labels = (
            self.direction,
            *(self.datasets[i] for i in rows),
            "",
            *(self.algorithms[j] for j in columns),
            "",
            *self.folds,
        )
        digest.update("\n".join(labels).encode())
        for ends in (self.lower, self.upper) if self.is_interval else (self.lower,):
            # -0.0 and 0.0 are one score; NaN has one pattern of bits only
            plain = np.where(np.isnan(ends), np.nan, ends + 0.0)[np.ix_(rows, columns)]
            digest.update(plain.astype("<f8").tobytes())
        return f"sha256:{digest.hexdigest()}"

    def select(
        self,
        *,
        algorithms: Iterable[str] | None = None,
        datasets: Iterable[str] | None = None,
    ) -> Self:
        """Keep only these algorithms and data sets, in the order given.

        Examples
        --------
        >>> experiment = Experiment.from_array([[1, 2, 3], [2, 1, 3]], direction="minimize")
        >>> experiment.select(algorithms=["A3", "A1"]).mean_scores.tolist()
        [[3.0, 1.0], [3.0, 2.0]]
        """
        rows = _positions(datasets, self.datasets, "datasets")
        columns = _positions(algorithms, self.algorithms, "algorithms")
        lower = self.lower[np.ix_(rows, columns)]
        return type(self)(
            lower=lower,
            upper=self.upper[np.ix_(rows, columns)] if self.is_interval else lower,
            datasets=tuple(self.datasets[i] for i in rows),
            algorithms=tuple(self.algorithms[j] for j in columns),
            folds=self.folds,
            direction=self.direction,
            measure=self.measure,
            citation=self.citation,
        )

    def to_frame(self, layout: str = "wide") -> pd.DataFrame:
        """Scores as a pandas dataframe.

        Parameters
        ----------
        layout : {"wide", "long"}
            ``wide``: mean scores, a row per data set, a column per algorithm. ``long``: a
            row per score with columns dataset, algorithm, fold, run and score (or lower
            and upper); padded cells are left out.

        Returns
        -------
        pandas.DataFrame
            ``Experiment.from_frame`` reads both back.
        """
        import pandas as pd

        check_choice(layout, "layout", LAYOUTS)
        if layout == "wide":
            index = pd.Index(self.datasets, name="dataset")
            return pd.DataFrame(self.mean_scores, index=index, columns=list(self.algorithms))
        filled = np.nonzero(~np.isnan(self.lower))
        axes = (self.datasets, self.algorithms, self.folds)
        columns: dict[str, Any] = {
            name: np.array(labels, dtype=object)[codes]
            for name, labels, codes in zip(
                ("dataset", "algorithm", "fold"), axes, filled, strict=False
            )
        }
        columns["run"] = filled[3] + 1
        ends = ("lower", "upper") if self.is_interval else ("score",)
        return pd.DataFrame(columns | {end: self._end(end)[filled] for end in ends})

    def _end(self, name: str) -> FloatArray:
        return self.upper if name == "upper" else self.lower

    # ------------------------------------------------------------------------ shown

    def __repr__(self) -> str:
        parts = [
            f"{plural(self.n_algorithms, 'algorithm')} on {plural(self.n_datasets, 'data set')}",
            *(
                plural(count, name)
                for count, name in ((self.n_folds, "fold"), (self.n_runs, "run"))
                if count > 1
            ),
            *([self.measure] if self.measure else []),
            *(["intervals"] if self.is_interval else []),
            self.direction,
        ]
        return f"<Experiment: {', '.join(parts)}>"

    def _parts(self) -> tuple[Part, ...]:
        columns = [Column("data set")]
        cells = [list(self.datasets)]
        for position, name in enumerate(self.algorithms):
            columns.append(Column(name, number=True))
            lower = format_numbers(_mean(_mean(self.lower[:, position])))
            upper = format_numbers(_mean(_mean(self.upper[:, position])))
            cells.append([_shown(low, high) for low, high in zip(lower, upper, strict=True)])
        averaged = "mean " if self.n_folds * self.n_runs > 1 else ""
        caption = f"{averaged}{self.measure or 'scores'} ({self.direction})"
        rows = tuple(zip(*cells, strict=True))
        return (Table(tuple(columns), rows, caption=caption[0].upper() + caption[1:]).cut(),)


def _labels(given: Sequence[object] | None, numbered: list[str]) -> tuple[str, ...]:
    return tuple(numbered if given is None else map(str, given))


def _positions(wanted: Iterable[str] | None, labels: tuple[str, ...], argument: str) -> list[int]:
    if wanted is None:
        return list(range(len(labels)))
    if isinstance(wanted, str):
        raise TypeError(f"`{argument}` must be a list of names; got the single name {wanted!r}.")
    names = check_labels((check_name(name, argument, labels) for name in wanted), argument)
    if not names:
        raise ValueError(f"`{argument}` must name at least one of {listed(labels)}; got none.")
    return [labels.index(name) for name in names]


def _mean(array: FloatArray) -> FloatArray:
    """Mean over the last axis of what is there; NaN where nothing is."""
    there = ~np.isnan(array)
    count = there.sum(axis=-1)
    total = np.where(there, array, 0.0).sum(axis=-1)
    mean = np.full(total.shape, np.nan)
    np.divide(total, count, out=mean, where=count > 0)
    return mean


def _shown(lower: str, upper: str) -> str:
    return lower if lower == upper else f"[{lower}, {upper}]"
