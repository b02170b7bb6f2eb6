"""What is understood of a table of scores, for someone who is about to settle it.

Reading a table gives an experiment or an error. A screen needs more: the first rows, and what each
column is, although nobody has said yet what is better.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from nbcompare import _tables
from nbcompare._render import Note
from nbcompare.experiment import _pipeline
from nbcompare.experiment._experiment import Experiment
from nbcompare.experiment._reading import DEFAULTS, WRITING, Reading, Source, opened
from nbcompare.experiment._schema import ColumnUse, Schema

_ERRORS = (ValueError, TypeError, OSError, ImportError, RuntimeError, MemoryError)


class Head(NamedTuple):
    """The first rows of a table, as text.

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

    @property
    def stamp(self) -> tuple[int, ...]:
        """The state of the file; another one once it changes."""
        return _tables.stamp_of(self._source) if isinstance(self._source, Path) else ()

    def head(self, options: Mapping[str, Any], most: int) -> Head:
        """Return the first rows; raise an error if the file is no table."""
        table = self._opened(options).table
        first = table.part(np.arange(min(most, table.n_rows)))
        columns = [list(map(_text, first.columns[name])) for name in first.columns]
        rows = tuple(zip(*columns, strict=True))
        return Head(tuple(first.columns), rows, table.n_rows)

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
        if not isinstance(self._source, Path):
            return Source(_tables.from_frame(self._source), asked)
        written = repr([arguments[name] for name in (*WRITING, "missing_words", "algorithms")])
        key = (self.stamp, written, frozenset(asked.label_columns))
        if self._known is None or self._known[0] != key:
            self._known = key, opened(self._source, arguments)
        return self._known[1].with_arguments(arguments)


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


def read_schema(path: Path, **options: Any) -> tuple[Schema, tuple[Note, ...]]:
    """Return how a file is understood, with notes; what is better need not be said.

    Raises
    ------
    DataError
        As :meth:`Experiment.read` does.
    """
    cells = _pipeline.cells_of(opened(path, options))
    if cells.schema is None:
        raise TypeError("cells of a table have a schema")
    return cells.schema, cells.notes
