"""The Experiment: frozen, labelled scores with the direction that is better."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self, cast

import numpy as np
import numpy.typing as npt

from nbcompare import _tables
from nbcompare._arrays import FloatArray, digest, mean_over
from nbcompare._options import BETTER, DIRECTIONS, LAYOUTS, default
from nbcompare._render import MOST_ROWS, Column, Notes, Part, Rich, Table, format_numbers, plural
from nbcompare._validation import DataError, check_choice
from nbcompare.experiment import _layout, _merge
from nbcompare.experiment._reading import Reading
from nbcompare.experiment._scores import Scores, labelled

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Experiment(Scores, Rich):
    """Scores of algorithms on data sets, over folds and runs.

    Make one with :meth:`read` (a file), :meth:`from_frame` (a dataframe) or
    :meth:`from_array`. It never changes; :meth:`select` gives a smaller one.

    Attributes
    ----------
    lower, upper : ndarray of float, shape (n_datasets, n_algorithms, n_folds, n_runs)
        Ends of the scores; the same array unless the scores are intervals. Cells with
        fewer folds or runs than others are padded with NaN. Read-only.
    datasets, algorithms, folds : tuple of str
        Labels, in the order of the arrays.
    runs : tuple of str
        Labels of the runs; numbers by default. Runs are not paired between algorithms: those of a
        cell stand in the order of their labels, without gaps.
    run_codes : ndarray of int, shape (n_datasets, n_algorithms, n_folds, n_runs), or None
        Position in ``runs`` of the label of each score, -1 where none is. None if the label of
        every score is that at its position. Read-only.
    domains : tuple of str or None
        Group of each data set, such as its domain.
    turned : tuple of str
        Data sets whose scores were given in the other direction. They are held negated, and shown
        as they were given.
    deviations : ndarray of float, shape (n_datasets, n_algorithms), or None
        Standard deviations that were given beside means. Read-only.
    notes : tuple of Note
        What a reader of the table should know of how it was understood.
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

    # ------------------------------------------------------------------- making one

    @classmethod
    @_tables.remembered
    def read(
        cls,
        path: str | Path,
        *,
        direction: str | Mapping[str, str] | None = None,
        dataset: str | None = None,
        algorithm: str | None = None,
        score: str | None = None,
        fold: str | None = None,
        run: str | None = None,
        lower: str | None = None,
        upper: str | None = None,
        domain: str | Mapping[str, str] | None = None,
        higher_is_better: str | None = None,
        measure: str | None = None,
        algorithms: Iterable[str] | None = None,
        datasets: Iterable[str] | None = None,
        ignore: Iterable[str] = default("ignore"),
        keep: Iterable[str] = default("keep"),
        ignore_rows: Iterable[str] = default("ignore_rows"),
        keep_rows: Iterable[str] = default("keep_rows"),
        transpose: bool = default("transpose"),
        brackets: str | None = default("brackets"),
        missing_words: Iterable[str] = default("missing_words"),
        decimal: str = default("decimal"),
        thousands: str | None = default("thousands"),
        separator: str | None = default("separator"),
        encoding: str = default("text.encoding"),
        sheet: str | None = default("sheet"),
    ) -> Self:
        """Read scores from a CSV, TSV or Parquet file.

        Parameters
        ----------
        path : str or Path
            A .csv, .txt, .tsv, .tab (also with .gz), .parquet or .pq file, with a header.
        direction : {"maximize", "minimize"}
            Whether high or low scores are better.
        dataset, algorithm, score, fold, run, lower, upper, measure
            As in :meth:`from_frame`.
        decimal : {".", ","}
            Decimal mark of a text file.
        thousands : {",", ".", " ", "'"}, optional
            What separates thousands in a text file. Without it, only what can be nothing
            else is read so: ``1,234.5`` is, ``1,234`` is an error.
        separator : {",", ";", tab}, optional
            Of a text file; found from the header and the first row unless two would do.
        encoding : str
            Of a text file; UTF-8, with or without a byte-order mark, by default.

        Returns
        -------
        Experiment
            Scores that are empty or one of ``NA N/A NaN null None ? -`` (in any case) are
            missing. ``93.5%`` is 93.5, if every score has the sign. Labels are taken as they
            stand: a data set may be called ``NA``.

        Raises
        ------
        DataError
            Names the file, row, column and value that cannot be a score or label. Rows are
            counted from 1, below the header, without blank lines.
        FileNotFoundError, IsADirectoryError
            If there is no such file.
        """
        asked = Reading.of(locals())
        text = _tables.TextFormat(
            decimal=decimal, thousands=thousands, separator=separator, encoding=encoding
        )
        table = _tables.read(path, labels=asked.label_columns, text=text)
        return cls._read(table, asked)

    @classmethod
    def from_frame(
        cls,
        frame: Any,
        *,
        direction: str | Mapping[str, str] | None = None,
        dataset: str | None = None,
        algorithm: str | None = None,
        score: str | None = None,
        fold: str | None = None,
        run: str | None = None,
        lower: str | None = None,
        upper: str | None = None,
        domain: str | Mapping[str, str] | None = None,
        higher_is_better: str | None = None,
        measure: str | None = None,
        algorithms: Iterable[str] | None = None,
        datasets: Iterable[str] | None = None,
        ignore: Iterable[str] = default("ignore"),
        keep: Iterable[str] = default("keep"),
        ignore_rows: Iterable[str] = default("ignore_rows"),
        keep_rows: Iterable[str] = default("keep_rows"),
        transpose: bool = default("transpose"),
        brackets: str | None = default("brackets"),
        missing_words: Iterable[str] = default("missing_words"),
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
            (unless it has no name and only counts rows), a column called ``dataset`` or, in
            any case and with any marks, ``dataset_name``, ``problem``, ``task`` and the like, a
            first column without a name, or the only column of text; else data sets are
            numbered.
        algorithm, score : str, optional
            Columns of a long table. Recognised if a column of text is called ``algorithm``,
            ``classifier_name``, ``method``, ``model``, ``framework`` or the like, and the scores
            are the only column of numbers that is left, or the only one that is called like a
            measure (``score``, ``accuracy``, ``rmse``, ...).
        fold, run : str, optional
            Columns that tell repeated scores apart, in a long or a wide table; ``split`` and
            ``cv``, ``seed`` and ``repeat`` are recognised. A wide table of folds without a
            column of data sets is one data set.
        lower, upper : str, optional
            Columns with the ends of interval scores, instead of ``score``.
        measure : str, optional
            Name of what was measured; the name of the score column by default.
        algorithms, datasets : list of str, optional
            The only algorithms and data sets to read, in this order. Nothing else needs to be
            a number.
        ignore, keep : list of str
            Columns to leave out, such as notes and sizes of data sets, and columns that hold
            scores though they do not look like it.
        ignore_rows, keep_rows : list of str
            The same of rows, by the names of their data sets (or folds, in a table of one
            data set).
        transpose : bool
            Whether rows are algorithms and columns data sets, in a wide table.

        Returns
        -------
        Experiment
            Data sets and algorithms in order of first appearance. Rows that have the name and
            the values of a summary of those above (averages, average ranks, wins) and columns
            of sizes or row numbers are an error; a name or the values alone make a note.

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
        return cls._read(_tables.from_frame(frame), Reading.of(locals()))

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
        check_choice(direction, "direction", DIRECTIONS)
        cells = labelled(scores, datasets, algorithms)
        return cls(
            lower=cells.lower,
            upper=cells.upper,
            datasets=cells.datasets,
            algorithms=cells.algorithms,
            folds=cells.folds,
            direction=direction,
            measure=measure,
        )

    @classmethod
    def _read(cls, table: _tables.RawTable, asked: Reading) -> Self:
        cells = _layout.arrange(table, asked)
        return cls(
            lower=cells.lower,
            upper=cells.upper,
            datasets=cells.datasets,
            algorithms=cells.algorithms,
            folds=cells.folds,
            direction=cast(str, asked.direction),
            measure=cells.measure if asked.measure is None else asked.measure,
            runs=cells.runs,
            run_codes=cells.run_codes,
            domains=cells.domains,
            deviations=cells.deviations,
            notes=cells.notes,
        )

    # ------------------------------------------------------------- joined and given out

    @cached_property
    def fingerprint(self) -> str:
        """Digest of labels, direction and scores, as ``sha256:...``.

        The same for the same results, whatever the order of rows and columns and
        whatever the file format.
        """
        return _fingerprint(self)

    def merge(self, *others: Experiment) -> Self:
        """Join the results of several experiments: more algorithms, more data sets, or both.

        A cell (data set, algorithm) that none of them has stays missing. One that several
        have must be the same in all. Folds are matched by label, shorter cells padded; a
        number among intervals becomes the interval from itself to itself.

        Parameters
        ----------
        *others : Experiment
            Of the same direction and measure; one without a measure takes that of the rest.

        Returns
        -------
        Experiment
            Data sets and algorithms in order of first appearance, the citations of all.

        Raises
        ------
        DataError
            If directions or measures differ, or a cell has two results: it names both.

        Examples
        --------
        >>> old = Experiment.from_array([[1, 2], [2, 1]], direction="minimize")
        >>> new = Experiment.from_array([[3], [0]], direction="minimize", algorithms=["Ours"])
        >>> old.merge(new).to_frame().loc["1"].to_dict()
        {'A1': 1.0, 'A2': 2.0, 'Ours': 3.0}
        """
        for other in others:
            if not isinstance(other, Experiment):
                raise TypeError(f"`others` must be Experiments; got {type(other).__name__}.")
        return type(self)(**_merge.merged((self, *others)))

    def to_frame(self, layout: str = "wide") -> pd.DataFrame:
        """Return the scores as a pandas dataframe.

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
        check_choice(layout, "layout", LAYOUTS)
        return _wide_frame(self) if layout == "wide" else _long_frame(self)

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
        table = _display_table(self)
        return (table, Notes(self.notes)) if self.notes else (table,)


# ------------------------------------------------------------------ dataframes and display


def _fingerprint(experiment: Experiment) -> str:
    """Return the digest of direction, labels and scores, each axis in the order of its labels."""
    rows = sorted(range(experiment.n_datasets), key=experiment.datasets.__getitem__)
    columns = sorted(range(experiment.n_algorithms), key=experiment.algorithms.__getitem__)
    in_order = _tables.natural_order(experiment.folds)
    folds = sorted(range(experiment.n_folds), key=in_order.__getitem__)
    described = {
        "direction": experiment.direction,
        "datasets": [experiment.datasets[i] for i in rows],
        "algorithms": [experiment.algorithms[j] for j in columns],
        "folds": [experiment.folds[f] for f in folds],
        "n_runs": experiment.n_runs,
        "is_interval": experiment.is_interval,
    }
    order = np.ix_(rows, columns, folds)
    return digest(described, [ends[order] for ends in _ends(experiment).values()])


def _wide_frame(experiment: Experiment) -> pd.DataFrame:
    """Return mean scores, a row per data set, a column per algorithm."""
    import pandas as pd

    if experiment.is_interval:
        raise DataError("the scores are intervals, which have no mean. Use to_frame('long').")
    return pd.DataFrame(
        experiment.mean_scores.copy(),
        index=pd.Index(experiment.datasets, name="dataset"),
        columns=list(experiment.algorithms),
    )


def _long_frame(experiment: Experiment) -> pd.DataFrame:
    """Return a row per score."""
    import pandas as pd

    filled = np.nonzero(~np.isnan(experiment.lower))
    labels = {
        "dataset": experiment.datasets,
        "algorithm": experiment.algorithms,
        "fold": experiment.folds,
    }
    columns: dict[str, Any] = {
        name: np.array(axis, dtype=object)[codes]
        for (name, axis), codes in zip(labels.items(), filled, strict=False)
    }
    codes = filled[3] if experiment.run_codes is None else experiment.run_codes[filled]
    numbered = all(str(r + 1) == label for r, label in enumerate(experiment.runs or ()))
    columns["run"] = codes + 1 if numbered else np.array(experiment.runs, dtype=object)[codes]
    return pd.DataFrame(columns | {name: ends[filled] for name, ends in _ends(experiment).items()})


def _display_table(experiment: Experiment) -> Table:
    """Return a table of the mean scores of the first data sets."""
    shown = slice(MOST_ROWS)
    columns = [Column("data set")]
    cells = [list(experiment.datasets[shown])]
    lower = mean_over(mean_over(experiment.lower[shown]))
    upper = mean_over(mean_over(experiment.upper[shown]))
    for position, name in enumerate(experiment.algorithms):
        columns.append(Column(name, number=True))
        ends = zip(
            format_numbers(lower[:, position]), format_numbers(upper[:, position]), strict=True
        )
        cells.append([low if low == high else f"[{low}, {high}]" for low, high in ends])
    if experiment.n_folds * experiment.n_runs > 1:
        caption = f"Mean {experiment.measure or 'scores'}"
    else:
        caption = experiment.measure or "Scores"
    return Table(
        tuple(columns),
        tuple(zip(*cells, strict=True)),
        caption=f"{caption} ({BETTER[experiment.direction]})",
        n_hidden=max(0, experiment.n_datasets - MOST_ROWS),
    )


def _ends(experiment: Experiment) -> dict[str, FloatArray]:
    if experiment.is_interval:
        return {"lower": experiment.lower, "upper": experiment.upper}
    return {"score": experiment.lower}
