"""What scores are taken from: an Experiment, a dataframe, or a table that is read again and again.

Reading a table gives an experiment or an error. A screen needs more: the first rows, and what each
column is, although nobody has said yet what is better.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple, Protocol

import numpy as np

from nbcompare import _tables
from nbcompare._options import CELL_OPTIONS, COLUMN_OPTIONS, MAXIMIZE, MINIMIZE, better
from nbcompare._render import Note
from nbcompare._validation import listed, shown
from nbcompare.experiment import _pipeline
from nbcompare.experiment._experiment import Experiment
from nbcompare.experiment._pipeline import ReadingError
from nbcompare.experiment._reading import DEFAULTS, WRITING, Reading, Source, opened
from nbcompare.experiment._schema import ColumnUse, Schema
from nbcompare.experiment._scores import copied

# The code of notes on how a dataframe was read, which a result has that was made of one
FRAME = "frame"
_OF_READING = (*COLUMN_OPTIONS, *CELL_OPTIONS, "measure", "algorithms", "datasets")


class Frame(Protocol):
    """A dataframe of pandas, polars, pyarrow, or of another library that narwhals knows."""

    @property
    def columns(self) -> Any:
        """Its columns."""


def is_frame(value: object) -> bool:
    """Tell whether a value is a dataframe, also one that has not been computed yet."""
    import narwhals as nw

    known = nw.dependencies
    # pandas first, for others are looked at for long; reading refuses lazy ones
    is_read: bool = known.is_pandas_dataframe(value) or known.is_into_dataframe(value)
    return is_read or (hasattr(value, "collect") and hasattr(value, "collect_schema"))


def experiment_of(
    value: object,
    direction: str | None,
    argument: str = "experiment",
    *,
    unit: str | None = None,
) -> Experiment:
    """Return an Experiment as it is, or read a dataframe, of which a row is another ``unit``.

    An experiment from a dataframe has notes on how it was read, first the sizes of the table.

    Raises
    ------
    TypeError
        For anything else, and for a dataframe without a direction.
    ValueError
        For a direction beside an Experiment, which has its own.
    DataError
        If the dataframe cannot be read by its direction alone.
    """
    if isinstance(value, Experiment):
        if direction is not None:
            got = shown(direction)
            raise ValueError(f"`direction` must be left out with an Experiment; got {got}.")
        return value
    if not is_frame(value):
        got = f"{type(value).__name__}. {_remedy(value)}"
        raise TypeError(f"`{argument}` must be an Experiment; got {got}")
    if direction is None:
        raise TypeError(
            f"`{argument}` is a dataframe, which does not say what is better. Add "
            f"direction={MAXIMIZE!r} if high scores are better, or direction={MINIMIZE!r} if low "
            "ones are."
        )
    try:
        source = Source(_tables.from_frame(value), Reading(direction=direction, unit=unit))
        made = Experiment._read(source)  # noqa: SLF001 - of this package
    except ReadingError as error:
        raise ReadingError(f"{error} {_first(direction)}", error.advice) from None
    read = "" if made.schema is None else made.schema.sentence.partition(": ")[2].rstrip(".")
    told = f"The dataframe was read as {read}; {better(made.direction, made.turned)}."
    texts = (told, *(note.text for note in made.notes))
    return copied(made, notes=tuple(Note(FRAME, text) for text in texts))


def refuse_reading(unknown: Iterable[str], direction: object, function: str) -> None:
    """Refuse arguments of reading, which belong to ``from_frame``."""
    wrong = [name for name in unknown if name in _OF_READING]
    if wrong:
        raise TypeError(
            f"{function} takes a dataframe with `direction` alone; got {listed(wrong)} too. "
            f"{_first(direction, wrong[0])}"
        )


def _first(direction: object, argument: str = "dataset") -> str:
    given = "..." if direction is None else repr(direction)
    return (
        "Other arguments than direction= need an Experiment: pass Experiment.from_frame(frame, "
        f"direction={given}, {argument}=...)."
    )


def _remedy(value: object) -> str:
    if isinstance(value, np.ndarray | list | tuple):
        return "Make one with Experiment.from_array(scores, direction=..., algorithms=[...])."
    if isinstance(value, Mapping) or hasattr(value, "cv_results_"):
        return (
            "Results of scikit-learn make one with Experiment.from_sklearn(results). Of a list of "
            "scores by data set for each algorithm, make a dataframe: pandas.DataFrame(scores)."
        )
    if isinstance(value, str | Path):
        return "Make one with Experiment.read(path, direction=...)."
    if hasattr(value, "problems"):  # Histories, which another package has
        return "Histories are compared by compare_convergence(histories), or fixed_targets."
    return "Make one with Experiment.from_frame(frame, direction=...)."


_ERRORS = (ValueError, TypeError, OSError, ImportError, RuntimeError, MemoryError)


class Head(NamedTuple):
    """Some rows of a table, as text.

    Attributes
    ----------
    names : tuple of str
        Of the columns.
    rows : tuple of tuple of str
        Cells; empty where nothing stands.
    n_rows : int
        Number of rows of the whole table.
    """

    names: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    n_rows: int


class Preview(NamedTuple):
    """What was understood of a table with some arguments.

    Attributes
    ----------
    experiment : Experiment or None
        None if the table was refused.
    error : Exception or None
        Why it was refused.
    schema : Schema or None
        What the columns are, as far as it is known.
    notes : tuple of Note
        What a reader should know of how the table was understood.
    """

    experiment: Experiment | None = None
    error: Exception | None = None
    schema: Schema | None = None
    notes: tuple[Note, ...] = ()

    @property
    def columns(self) -> tuple[ColumnUse, ...]:
        """What each column was taken for; empty if that is not known."""
        known = () if self.schema is None else self.schema.columns
        return getattr(self.error, "columns", ()) or known


class TableSource:
    """A file or dataframe that is read again and again, each time with other arguments.

    The table itself is read once for each way in which its text may be written.

    Parameters
    ----------
    source : Path or dataframe
        As in :meth:`Experiment.read` or :meth:`Experiment.from_frame`.
    remember : bool
        Whether experiments remember the file that they were read from.
    """

    def __init__(self, source: Any, *, remember: bool = True) -> None:
        self._source = source
        self._remember = remember and isinstance(source, Path)
        self._known: tuple[Any, Source] | None = None
        self._edited: tuple[Any, _tables.RawTable] | None = None

    @property
    def stamp(self) -> tuple[int, ...]:
        """The state of the file; another one once it changes."""
        return _tables.stamp_of(self._source) if isinstance(self._source, Path) else ()

    def head(self, options: Mapping[str, Any], most: int, first: int = 0) -> Head:
        """Return some rows, counted from 0; raise an error if the file is not a table."""
        table = self._opened(options).table
        part = table.part(np.arange(first, min(first + most, table.n_rows)))
        columns = [list(map(_text, part[name])) for name in part.columns]
        return Head(tuple(part.columns), tuple(zip(*columns, strict=True)), table.n_rows)

    def texts_among_numbers(self, options: Mapping[str, Any]) -> list[tuple[int, str]]:
        """Return rows (from 1) and columns of edits that are no numbers where all others are."""
        edits = Reading.of({**DEFAULTS, **options}).edits
        plain, table = self._opened({**options, "edits": ()}).table, self._opened(options).table
        columns = {name for _, name, _ in edits if table.is_text(name) and not plain.is_text(name)}
        return [
            (row, name)
            for row, name, _ in edits
            if name in columns and isinstance(table[name][row - 1], str)
        ]

    def preview(self, options: Mapping[str, Any]) -> Preview:
        """Return what is understood with these arguments, errors included."""
        try:
            source = self._opened(options)
        except _ERRORS as error:
            return Preview(error=error)
        try:
            cells = _pipeline.cells_of(source)
        except _ERRORS as error:
            return Preview(error=error, schema=_schema_of(source))
        found = Preview(schema=cells.schema, notes=cells.notes)
        try:
            made = Experiment._of_cells(cells, source.reading)  # noqa: SLF001 - of this package
        except _ERRORS as error:
            return found._replace(error=error)
        if self._remember:
            path = self._source.resolve()
            origin = _tables.Origin("Experiment.read", path, dict(options), _tables.stamp_of(path))
            _tables.remember(made, origin)
        return found._replace(experiment=made, notes=made.notes)

    def _opened(self, options: Mapping[str, Any]) -> Source:
        """Return the table, and what the arguments say of it."""
        arguments = {**DEFAULTS, **options}
        asked = Reading.of(arguments)
        if isinstance(self._source, Path):
            written = repr([arguments[name] for name in (*WRITING, "missing_words", "algorithms")])
            key: Any = (self.stamp, written, frozenset(asked.label_columns))
            if self._known is None or self._known[0] != key:
                self._known = key, opened(self._source, arguments)
        elif self._known is None:
            self._known = None, Source(_tables.from_frame(self._source), asked)
        source = self._known[1].with_arguments(arguments)
        if not asked.edits:
            return source
        # a screen asks for a table again and again, and each edit of a long one takes a moment
        if self._edited is None or self._edited[0] != (id(source.table), asked.edits):
            self._edited = (id(source.table), asked.edits), source.table.edited(asked.edits)
        said = replace(source.reading, edits=())
        return replace(source, table=self._edited[1], reading=said)


def _schema_of(source: Source) -> Schema | None:
    """Return what the columns of a table are, although its cells are refused; None if unknown."""
    with suppress(ValueError, TypeError):
        known = _pipeline.understood(source.table, source.reading, _pipeline.infer)
        return known.schema(source.reading, {})
    return None


def _text(cell: Any) -> str:
    """Return a cell as it is shown; numbers without the digits that floats add."""
    if cell is None or cell != cell:
        return ""
    if isinstance(cell, float | np.floating):
        return f"{float(cell):.15g}"
    return str(cell)


def read_schema(path: Path, **options: Any) -> tuple[Schema, tuple[Note, ...], bool]:
    """Return how a file is understood, notes, and whether it is known which scores are better.

    Raises
    ------
    DataError
        As :meth:`Experiment.read` does.
    """
    source = opened(path, options)
    cells = _pipeline.cells_of(source)
    if cells.schema is None:
        raise TypeError("cells of a table have a schema")
    is_known = source.reading.direction is not None or "higher_is_better" in cells.schema.roles
    return cells.schema, cells.notes, is_known
