"""The Experiment: frozen, labelled scores with the direction that is better."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

import numpy as np
import numpy.typing as npt

from nbcompare import _tables
from nbcompare._arrays import FloatArray, digest, mean_over
from nbcompare._options import DIRECTIONS, LAYOUTS, MAXIMIZE, better, default, nouns_of
from nbcompare._render import MOST_ROWS, Column, Notes, Part, Rich, Table, format_numbers, plural
from nbcompare._validation import DataError, check_choice, shown
from nbcompare.experiment import _beside, _measures, _pipeline
from nbcompare.experiment._arrange import Cells
from nbcompare.experiment._reading import DEFAULTS, WRITING, Reading, Source, opened
from nbcompare.experiment._scores import Scores, labelled
from nbcompare.formats import scikit_learn

if TYPE_CHECKING:
    import pandas as pd


def fingerprint_of(experiment: Scores) -> str:
    """Return the digest of direction, labels and scores, each axis in the order of its labels."""
    axes = {name: getattr(experiment, name) for name in ("datasets", "algorithms", "folds")}
    keys = {**axes, "folds": _tables.natural_order(experiment.folds)}
    orders = [sorted(range(len(key)), key=key.__getitem__) for key in keys.values()]
    described: dict[str, Any] = {
        "direction": experiment.direction,
        **{name: [axes[name][i] for i in order] for name, order in zip(axes, orders, strict=True)},
        "n_runs": experiment.n_runs,
        "is_interval": experiment.is_interval,
    }
    if experiment.unit == "items":
        described["unit"] = "items"
    if experiment.clusters is not None:
        described["clusters"] = experiment.clusters[np.ix_(orders[0], orders[2])].tolist()
    if experiment.turned:
        described["turned"] = sorted(experiment.turned)
    cells = np.ix_(*orders)
    ends = (experiment.lower, experiment.upper)[: 1 + experiment.is_interval]
    return digest(described, [end[cells] for end in ends])


def wide_frame(experiment: Scores) -> pd.DataFrame:
    """Return mean scores, a row per data set, a column per algorithm."""
    import pandas as pd

    if experiment.is_interval:
        raise DataError("the scores are intervals, which have no mean. Use to_frame('long').")
    means = experiment.mean_scores
    means, _ = _beside.negated(means, means, experiment.is_turned)
    index = pd.Index(experiment.datasets, name="dataset")
    return pd.DataFrame(means.copy(), index=index, columns=list(experiment.algorithms))


def long_frame(experiment: Scores) -> pd.DataFrame:
    """Return a row per score."""
    import pandas as pd

    filled = np.nonzero(~np.isnan(experiment.lower))
    axes = {name: getattr(experiment, f"{name}s") for name in ("dataset", "algorithm", "fold")}
    columns: dict[str, Any] = {
        name: np.array(axis, dtype=object)[codes]
        for (name, axis), codes in zip(axes.items(), filled, strict=False)
    }
    codes = filled[3] if experiment.run_codes is None else experiment.run_codes[filled]
    numbered = all(str(r + 1) == label for r, label in enumerate(experiment.runs or ()))
    columns["run"] = codes + 1 if numbered else np.array(experiment.runs, dtype=object)[codes]
    if experiment.unit == "items":
        columns["item"] = columns.pop("fold")
        if experiment.n_runs == 1:
            del columns["run"]
    if experiment.clusters is not None:
        columns["cluster"] = experiment.clusters[filled[0], filled[2]]
    names = ("lower", "upper") if experiment.is_interval else ("score",)
    columns |= {name: ends[filled] for name, ends in zip(names, experiment.given, strict=False)}
    if experiment.turned:
        columns["higher_is_better"] = (np.array(experiment.ways) == MAXIMIZE)[filled[0]]
    if experiment.domains is not None:
        columns["domain"] = np.array(experiment.domains, dtype=object)[filled[0]]
    return pd.DataFrame(columns)


def display_table(experiment: Scores) -> Table:
    """Return a table of the mean scores of the first data sets."""
    shown = slice(MOST_ROWS)
    columns = [Column(nouns_of(experiment.unit)[0])]
    cells = [list(experiment.datasets[shown])]
    lower, upper = (means_of(experiment, ends[shown]) for ends in experiment.given)
    if experiment.domains is not None:
        columns.append(Column("group"))
        cells.append(list(experiment.domains[shown]))
    for position, name in enumerate(experiment.algorithms):
        columns.append(Column(name, number=True))
        low, high = (format_numbers(end[:, position]) for end in (lower, upper))
        texts = [a if a == b else f"[{a}, {b}]" for a, b in zip(low, high, strict=True)]
        if experiment.n_infinite:
            for row in np.flatnonzero(np.isinf(lower[:, position])):
                texts[row] = experiment.infinite
        if experiment.deviations is not None:
            deviations = experiment.deviations[shown, position]
            for row in np.flatnonzero(~np.isnan(deviations)):
                texts[row] = f"{texts[row]} ± {format_numbers(deviations)[row]}"
        cells.append(texts)
    caption = experiment.measure or "Scores"
    if experiment.n_folds * experiment.n_runs > 1:
        caption = f"Mean {experiment.measure or 'scores'}"
    if experiment.deviations is not None:
        caption = f"{caption} ± standard deviation"
    return Table(
        tuple(columns),
        tuple(zip(*cells, strict=True)),
        caption=f"{caption} ({better(experiment.direction, experiment.turned)})",
        n_hidden=max(0, experiment.n_datasets - MOST_ROWS),
    )


def means_of(experiment: Scores, scores: FloatArray) -> FloatArray:
    """Return means over runs, then folds; an infinite score is the only one of its cell."""
    return scores[:, :, 0, 0] if experiment.n_infinite else mean_over(mean_over(scores))


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Experiment(Scores, Rich):
    """Scores of algorithms on data sets, over folds and runs.

    Make one with :meth:`read` (a file), :meth:`from_frame` (a dataframe), :meth:`from_array` or
    :meth:`from_sklearn` (results of scikit-learn). It never changes; :meth:`select` gives a
    smaller one.

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
    infinite : str
        What infinite scores stand for, such as "no success"; empty if all must be finite.
    schema : Schema or None
        How the table was understood, column by column; None unless it was read.
    cutoff : float or None
        The score at which runs were stopped, if the caller said so.
    unit : {"datasets", "folds", "runs", "items"}
        What one score of an algorithm is another one of, which decides how algorithms are
        compared: data sets; the folds of one data set, or runs on it; or the items (questions,
        images) of benchmarks, which stand where folds do.
    clusters : ndarray of str, shape (n_datasets, n_items), or None
        The cluster of each item, such as the text that several questions are about; empty where a
        benchmark has no such item. Read-only.
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
        direction: str | Mapping[Any, str] | None = None,
        dataset: str | Sequence[str] | None = None,
        algorithm: str | Sequence[str] | None = None,
        score: str | None = None,
        fold: str | Sequence[str] | None = None,
        run: str | Sequence[str] | None = None,
        item: str | Sequence[str] | None = None,
        unit: str | None = None,
        cluster: str | None = None,
        lower: str | None = None,
        upper: str | None = None,
        domain: str | Mapping[str, str] | None = None,
        higher_is_better: str | None = None,
        measure: str | None = None,
        columns: str | None = None,
        rows: str | None = None,
        where: Mapping[str, str | Sequence[str]] | None = None,
        status: str | None = None,
        ok: Iterable[str] = default("ok"),
        failed: str | None = None,
        cutoff: float | None = None,
        algorithms: Iterable[str] | None = None,
        datasets: Iterable[str] | None = None,
        ignore: Iterable[str] = default("ignore"),
        keep: Iterable[str] = default("keep"),
        ignore_rows: Iterable[str] = default("ignore_rows"),
        keep_rows: Iterable[str] = default("keep_rows"),
        transpose: bool = default("transpose"),
        brackets: str | None = default("brackets"),
        missing_words: Iterable[str] = default("missing_words"),
        edits: Iterable[tuple[int, str, str]] = default("edits"),
        decimal: str | None = default("decimal"),
        thousands: str | None = default("thousands"),
        separator: str | None = default("separator"),
        encoding: str = default("text.encoding"),
        sheet: str | None = default("sheet"),
        format: str | None = None,
    ) -> Self:
        r"""Read scores from a text, JSON, Excel or Parquet file, or from standard input.

        Parameters
        ----------
        path : str or Path
            A .csv, .txt, .tsv or .tab file with a header; a .json file with a list of
            records, or a .jsonl or .ndjson file with one in each line; all of these also with
            .gz or .zst; an .xlsx, .xlsm, .parquet or .pq file. ``-`` is text from standard
            input.
        direction, dataset, algorithm, score, fold, run, item, unit, cluster, lower, upper
            As in :meth:`from_frame`.
        domain, higher_is_better, measure, columns, rows, where, status, ok, failed, cutoff
            As in :meth:`from_frame`.
        algorithms, datasets, ignore, keep, ignore_rows, keep_rows, transpose, brackets
            As in :meth:`from_frame`.
        missing_words, edits
            As in :meth:`from_frame`.
        decimal : {".", ","}, optional
            Decimal mark of a text file. Without it a point, but ``1.816`` beside ``418`` and
            ``12.500`` is an error: the point may separate thousands there.
        thousands : {",", ".", " ", "'"}, optional
            What separates thousands in a text file. Without it, only what can be nothing
            else is read so: ``1,234.5`` is, ``1,234`` is an error.
        separator : {",", ";", tab}, optional
            Of a text file; found from the header and the first row unless two would do.
        encoding : str
            Of a text file; UTF-8, with or without a byte-order mark, by default.
        sheet : str, optional
            Sheet of an Excel file; needed if more than one holds data.
        format : str, optional
            The program that wrote the file, such as ``"lm-eval"``, ``"aslib"`` or ``"weka"``, if
            it is not known by its content; ``"folder"`` for a pattern of files,
            ``results/{algorithm}/{dataset}.csv``. What the format itself says (splits, states,
            directions) is taken from it unless an argument says otherwise.

        Returns
        -------
        Experiment
            Scores that are empty or one of ``NA N/A NaN null None ? -`` (in any case) are
            missing. ``93.5%`` is 93.5, if every score has the sign or, in a sheet, the format.
            Labels are taken as they stand: a data set may be called ``NA``.

        Raises
        ------
        DataError
            Names the file, row, column and value that cannot be a score or label. Rows are
            counted from 1, below the header, without blank lines.
        FileNotFoundError, IsADirectoryError
            If there is no such file.
        ImportError
            If the format needs a package that is not installed; it says which.

        Examples
        --------
        A file with decimal commas, a row per data set and a column per algorithm:

        >>> import tempfile
        >>> from pathlib import Path
        >>> text = "dataset;C4.5;CN2\nadult;0,76;0,77\niris;0,60;0,59\n"
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     path = Path(folder, "auc.csv")
        ...     characters = path.write_text(text, encoding="utf-8")
        ...     experiment = Experiment.read(path, direction="maximize", decimal=",", measure="AUC")
        >>> experiment
        <Experiment: 2 algorithms on 2 data sets, AUC, maximize>
        >>> experiment.mean_scores.tolist()
        [[0.76, 0.77], [0.6, 0.59]]
        """
        return cls._read(opened(path, locals()))

    @classmethod
    def from_frame(
        cls,
        frame: Any,
        *,
        direction: str | Mapping[Any, str] | None = None,
        dataset: str | Sequence[str] | None = None,
        algorithm: str | Sequence[str] | None = None,
        score: str | None = None,
        fold: str | Sequence[str] | None = None,
        run: str | Sequence[str] | None = None,
        item: str | Sequence[str] | None = None,
        unit: str | None = None,
        cluster: str | None = None,
        lower: str | None = None,
        upper: str | None = None,
        domain: str | Mapping[str, str] | None = None,
        higher_is_better: str | None = None,
        measure: str | None = None,
        columns: str | None = None,
        rows: str | None = None,
        where: Mapping[str, str | Sequence[str]] | None = None,
        status: str | None = None,
        ok: Iterable[str] = default("ok"),
        failed: str | None = None,
        cutoff: float | None = None,
        algorithms: Iterable[str] | None = None,
        datasets: Iterable[str] | None = None,
        ignore: Iterable[str] = default("ignore"),
        keep: Iterable[str] = default("keep"),
        ignore_rows: Iterable[str] = default("ignore_rows"),
        keep_rows: Iterable[str] = default("keep_rows"),
        transpose: bool = default("transpose"),
        brackets: str | None = default("brackets"),
        missing_words: Iterable[str] = default("missing_words"),
        edits: Iterable[tuple[int, str, str]] = default("edits"),
    ) -> Self:
        """Take scores from a dataframe: pandas, polars, pyarrow, or any that narwhals knows.

        Parameters
        ----------
        frame : dataframe
            Wide: a row per data set, a column per algorithm. Long: a row per score. Rows and
            columns of pandas may have labels of several levels; what the levels hold follows from
            their names, or from ``dataset``, ``algorithm``, ``fold`` and ``run``, which call those
            without a name "level 0", "level 1" and so on.
        direction : {"maximize", "minimize"} or mapping of str to str
            Whether high or low scores are better. By data set if it is not the same for all:
            ``{"kddcup": "minimize", None: "maximize"}``, where None stands for all others.
            The experiment has the direction of most data sets; the scores of the rest are
            held negated and shown as they are. May be left out if a column says it.
        dataset, algorithm, fold, run : str or list of str, optional
            Columns that name these; the labels of several columns are joined by " / ". Without
            them, columns that are called so, or in a way that is common (``problem``, ``model``,
            ``seed``), if they hold what it takes: runs and folds are numbered, and repeat. The
            rows of a wide table are also named by the index of a pandas dataframe, a first column
            without a name, or a column of text.
        item : str or list of str, optional
            Column that names the items of a benchmark, such as questions or images, which all
            algorithms were tried on. Without it, one that is called so.
        unit : {"datasets", "folds", "runs", "items"}, optional
            What each row is another one of, where no column says it: a data set; a fold of one
            data set, or a run on it; or an item. Names that count the folds of several data sets,
            and scores that are all 0 or 1, are an error without it.
        cluster : str, optional
            Column that says which items belong together, such as the text that questions are about:
            their scores are not independent. An item without a label there is one by itself.
        score : str, optional
            Column of the scores in a long table: by default one called ``score``, or the only
            column of numbers that is no description of anything.
        lower, upper : str, optional
            Columns with the ends of interval scores, instead of ``score``.
        domain : str or mapping of str to str, optional
            Column with the group of each data set, the same in all of its rows, or the
            groups by data set. A column called ``domain`` is recognised.
        higher_is_better : str, optional
            Column that says true or false (yes or no, 1 or 0) of each data set. A column of
            just that name is recognised.
        measure : str, optional
            Name of what was measured; the name of the score column by default.
        columns : str, optional
            How the names of columns of scores are made: ``"{algorithm}_fold{fold}"``. The parts
            may be ``algorithm``, ``dataset``, ``fold``, ``run``, and ``measure``, of which
            ``where`` takes one.
        rows : str, optional
            How the names of rows are made: ``"{dataset}_fold{fold}"``.
        where : mapping of str to str or list of str
            The only labels to read, by column: ``{"split": "test"}``.
        status, ok, failed, cutoff
            Column that says which runs failed, and the labels of those that did not; or the score
            at which runs were stopped. Failed runs count as ``"worst"`` (the worst score of the
            data set, or a wrong answer beside answers of 0 and 1), ``"par2"`` or ``"par10"`` (so
            many times the cutoff), ``"missing"``, or ``"drop"`` their data sets; by default
            ``"missing"`` with a status, else ``"worst"``.
        algorithms, datasets : list of str, optional
            The only algorithms and data sets to read, in this order. Nothing else needs to be
            a number.
        ignore, keep : list of str
            Columns to leave out, and columns that hold scores (or algorithms) though they do not
            look like it.
        ignore_rows, keep_rows : list of str
            The same of rows, by the names of their data sets (or folds, in a table of one
            data set).
        transpose : bool
            Whether rows are algorithms and columns data sets, in a wide table.
        brackets : {"std", "rank"}, optional
            What a number in brackets after a score is, ``0.763 (4)``: a standard deviation, or
            a rank, which is left out. Without it, ranks of the scores and numbers that can be
            no ranks are recognised.
        missing_words : list of str, optional
            Words that stand for a missing score, in any case, such as ``["timeout"]``; also numbers
            as text, such as ``["-1"]``, which are taken by their value.
        edits : list of (int, str, str)
            What to read in some cells in the place of what stands there: ``[(3, "C4.5", "0.91")]``,
            with rows counted from 1, below the header. A note names them.

        Returns
        -------
        Experiment
            Data sets and algorithms in order of first appearance. A cell
            ``0.76 ± 0.02`` (also ``+-``, or as LaTeX) is a mean and a standard deviation, which
            goes to ``deviations``.

        Raises
        ------
        ReadingError
            If a column is not accounted for (it plays no role, and is neither constant nor a
            description of data sets, algorithms or repetitions), or numbers contradict the
            reading: summaries, other measures, failed runs. The message offers arguments that
            were tried before; they are also in ``error.advice``.
        DataError
            If a cell is not what it should be.

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

        Column labels of two levels:

        >>> columns = pd.MultiIndex.from_product([["SVM", "kNN"], [1, 2, 3]])
        >>> frame = pd.DataFrame([[0.9, 0.8, 0.9, 0.7, 0.8, 0.7]], index=["iris"], columns=columns)
        >>> Experiment.from_frame(frame, direction="maximize")
        <Experiment: 2 algorithms on 1 data set, 3 folds, maximize>
        """
        return cls._read(_frame_source(frame, locals()))

    @classmethod
    def read_measures(
        cls,
        source: Any,
        *,
        measures: str | Iterable[str],
        only: Iterable[str] | None = None,
        direction: str | Mapping[Any, str] | None = None,
        **reading: Any,
    ) -> dict[str, Self]:
        """Read the scores of several measures from one table.

        Each measure is compared by itself, and nothing is adjusted over the measures. If the
        algorithms that are better by the first measure are worse by another on most data sets,
        a note of this one asks whether its direction is right.

        Parameters
        ----------
        source : str, Path or dataframe
            As in :meth:`read` or :meth:`from_frame`.
        measures : str or list of str
            The column that names the measure of each row; or, in a table with a row per data
            set and algorithm, the columns with the scores of the measures.
        only : list of str, optional
            The measures to read; all by default.
        direction : {"maximize", "minimize"} or mapping of str to str
            Which scores are better, by measure: ``{"accuracy": "maximize", "loss":
            "minimize"}``. May be left out if a column says it, as in :meth:`from_frame`.
        **reading
            Other arguments of :meth:`read`, or of :meth:`from_frame`.

        Returns
        -------
        dict of str to Experiment
            The experiment of each measure, in order of first appearance.

        Raises
        ------
        DataError
            As :meth:`from_frame` does; the message begins with the measure.

        Examples
        --------
        >>> import pandas as pd
        >>> long = pd.DataFrame({
        ...     "dataset": ["iris", "iris", "wine", "wine"], "algorithm": ["A", "B", "A", "B"],
        ...     "accuracy": [0.9, 0.8, 0.7, 0.6], "logloss": [0.3, 0.5, 0.6, 0.8]})
        >>> both = Experiment.read_measures(long, measures=["accuracy", "logloss"],
        ...     direction={"accuracy": "maximize", "logloss": "minimize"})
        >>> list(both.values())
        [<Experiment: 2 algorithms on 2 data sets, accuracy, maximize>,
         <Experiment: 2 algorithms on 2 data sets, logloss, minimize>]
        """
        is_file = isinstance(source, str | Path)
        _measures.check_arguments(reading, DEFAULTS if is_file else DEFAULTS.keys() - {*WRITING})
        whole = opened(source, reading) if is_file else _frame_source(source, reading)
        parts = _measures.parts_of(whole.table, measures, only)
        found: dict[str, Self] = {}
        for name, (part, score) in parts.items():
            said = replace(
                whole.reading,
                direction=_measures.direction_of(name, list(parts), direction)
                or whole.reading.direction,
                measure=name,
                score=score or whole.reading.score,
                ignore=(*whole.reading.ignore, *(it for it in parts if score and it != name)),
            )
            try:
                made = cls._read(Source(part, said))
            except DataError as error:
                raise type(error)(f"measure {shown(name)}: {error}") from None
            note = _measures.disagreement(next(iter(found.values()), made), made)
            if note is not None:
                made = replace(made, notes=(*made.notes, note))
            found[name] = made
        if is_file:
            given = {"measures": measures, "only": only, "direction": direction, **reading}
            options = {name: value for name, value in given.items() if value is not None}
            path, call = Path(source).resolve(), f"{cls.__name__}.read_measures"
            for name, made in found.items():
                origin = _tables.Origin(call, path, options, _tables.stamp_of(path), name)
                _tables.remember(made, origin)
        return found

    @classmethod
    def from_array(
        cls,
        scores: npt.ArrayLike,
        *,
        direction: str,
        datasets: Sequence[object] | None = None,
        algorithms: Sequence[object] | None = None,
        measure: str | None = None,
        unit: str | None = None,
        clusters: Sequence[object] | None = None,
        infinite: str | None = None,
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
        unit : {"datasets", "folds", "runs", "items"}, optional
            What a row is another one of: in 2 dimensions folds of one data set, runs on it, or
            items of one benchmark, if given. ``"items"`` of 3 dimensions says that the last
            one holds items of each data set.
        clusters : sequence, optional
            The cluster of each item, in 2 dimensions.
        infinite : str, optional
            What an infinite score stands for, such as "no success" of an expected running time.
            Without it, scores must be finite. Infinite ones are the worst on their data set and
            tie with one another, and what needs more than the order of scores refuses them.

        Returns
        -------
        Experiment
            The scores with their labels. Folds are labelled by numbers from 1.

        Raises
        ------
        DataError
            If a score is infinite and ``infinite`` does not say what for, or if labels are blank or
            not all different.
        ValueError
            If the direction is unknown, scores are not numbers in 2 to 4 dimensions, or labels are
            not as many as rows or columns.

        Examples
        --------
        >>> Experiment.from_array([[1, 2, 3], [2, 1, 3]], direction="minimize").algorithms
        ('A1', 'A2', 'A3')
        """
        check_choice(direction, "direction", DIRECTIONS)
        cells = labelled(
            scores,
            datasets,
            algorithms,
            unit=unit,
            clusters=clusters,
        )
        return cls._made_of(cells, direction=direction, measure=measure, infinite=infinite or "")

    @classmethod
    def from_sklearn(
        cls,
        results: Any,
        *,
        scoring: str | None = None,
        direction: str | None = None,
        measure: str | None = None,
    ) -> Self:
        """Take scores from cross-validation or a search of settings in scikit-learn.

        Parameters
        ----------
        results : mapping or search
            ``{algorithm: result}`` for one data set, or ``{dataset: {algorithm: result}}``, the
            data set outside, for one or more. A result is what ``cross_validate`` returned, the
            array of ``cross_val_score``, or a fitted search such as ``GridSearchCV``, or its
            ``cv_results_``, also as a dataframe. The settings of a search are an algorithm each,
            named by their parameters; it may also stand alone, but not in ``{name: search}``,
            where the name may be an algorithm or a data set.
        scoring : str, optional
            The metric, if there are several: ``"accuracy"`` takes ``test_accuracy``. A single
            metric is called ``"score"`` by scikit-learn.
        direction : {"maximize", "minimize"}, optional
            ``maximize`` by default, because higher is better with every scorer of scikit-learn,
            also with ``neg_mean_squared_error``. Only arrays whose sign was changed may be
            minimized.
        measure : str, optional
            Name of what was measured; the metric by default.

        Returns
        -------
        Experiment
            The splits of cross-validation are its folds, in their order; the repetitions of
            ``RepeatedKFold`` are further folds. A split that failed (NaN) is missing. Without
            names of data sets, the only one is ``"1"``.

        Raises
        ------
        DataError
            If algorithms were evaluated on different splits of a data set; for a score that is
            infinite, or positive although its metric is negative.
        ValueError
            If there are several metrics and none is chosen, or ``direction`` does not fit.
        TypeError
            For anything that is no result.

        Examples
        --------
        What ``cross_validate`` returned for two algorithms on the same splits:

        >>> svm = {"fit_time": [.1, .1, .1], "score_time": [0, 0, 0], "test_score": [.9, .8, .9]}
        >>> knn = {"fit_time": [0, 0, 0], "score_time": [.1, .1, .1], "test_score": [.7, .8, .9]}
        >>> Experiment.from_sklearn({"SVM": svm, "kNN": knn}, measure="accuracy")
        <Experiment: 2 algorithms on 1 data set, 3 folds, accuracy, maximize>
        >>> several = {"iris": {"SVM": svm, "kNN": knn}, "wine": {"SVM": svm, "kNN": knn}}
        >>> Experiment.from_sklearn(several).datasets
        ('iris', 'wine')
        """
        return cls(**scikit_learn.parts(results, scoring, direction, measure))

    @classmethod
    def _read(cls, source: Source) -> Self:
        cells = _pipeline.cells_of(source)
        return cls._of_cells(cells, source.reading)

    @classmethod
    def _of_cells(cls, cells: Cells, asked: Reading) -> Self:
        if cells.maximized is None:
            raise _beside.undirected()
        direction, turned = _beside.majority(cells.maximized, cells.datasets)
        measure = cells.measure if asked.measure is None else asked.measure
        doubt = None if turned else _beside.doubt_about(measure, direction)
        rows = _beside.mask_of(turned, cells.datasets)
        lower, upper = _beside.negated(cells.lower, cells.upper, rows)
        notes = cells.notes if doubt is None else (*cells.notes, doubt)
        cells = cells._replace(lower=lower, upper=upper, notes=notes)
        return cls._made_of(cells, direction=direction, turned=turned, measure=measure)

    @classmethod
    def _made_of(cls, cells: Cells, **others: Any) -> Self:
        parts = cells._asdict()
        del parts["maximized"]  # of which the direction is made
        return cls(**parts | others)

    # ---------------------------------------------------------------------- given out

    @cached_property
    def fingerprint(self) -> str:
        """Digest of labels, direction and scores, as ``sha256:...``.

        The same for the same results, whatever the order of rows and columns and
        whatever the file format.
        """
        return fingerprint_of(self)

    def to_frame(self, layout: str = "wide") -> pd.DataFrame:
        """Return the scores as a pandas dataframe.

        Parameters
        ----------
        layout : {"wide", "long"}
            ``wide``: mean scores, a row per data set, a column per algorithm, without
            ``deviations``. ``long``: a
            row per score with columns dataset, algorithm, fold, run and score (or lower
            and upper), ``higher_is_better`` if that differs between data sets, and
            ``domain`` if they are grouped; padded cells are left out.

        Returns
        -------
        pandas.DataFrame
            Scores as they were given. ``Experiment.from_frame`` reads both back.
        """
        check_choice(layout, "layout", LAYOUTS)
        return wide_frame(self) if layout == "wide" else long_frame(self)

    # ------------------------------------------------------------------------ shown

    def __repr__(self) -> str:
        noun, of_noun = nouns_of(self.unit)
        parts = [
            f"{plural(self.n_algorithms, 'algorithm')} on {plural(self.n_datasets, noun)}",
            plural(self.n_folds, of_noun) if self.n_folds > 1 else "",
            plural(self.n_runs, "run") if self.n_runs > 1 else "",
            self.measure,
            "intervals" if self.is_interval else "",
            self.direction,
            f"turned on {plural(len(self.turned), 'data set')}" if self.turned else "",
        ]
        return f"<Experiment: {', '.join(filter(None, parts))}>"

    def _parts(self) -> tuple[Part, ...]:
        table = display_table(self)
        return (table, Notes(self.notes)) if self.notes else (table,)


def _frame_source(frame: Any, arguments: Mapping[str, Any]) -> Source:
    return Source(_tables.from_frame(frame), Reading.of(arguments))
