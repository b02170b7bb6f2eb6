"""The one reader of tables: text and Parquet files, and any dataframe, become columns.

A column of numbers is a float array (NaN where a cell is empty), any other column is an
object array of text (None where a cell is empty). What the columns mean is decided by
those who asked for the table.
"""

from __future__ import annotations

import csv
import io
import re
import warnings
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from nbcompare._arrays import FloatArray
from nbcompare._validation import DataError, clean_label, listed

if TYPE_CHECKING:
    import narwhals as nw

# What people write for "no result". Labels are never read this way: a data set may be called NA.
MISSING_TOKENS = ("", "NA", "N/A", "n/a", "NaN", "nan", "NULL", "null", "None", "?", "-")
SEPARATORS = (",", ";", "\t")
_TEXT_SUFFIXES = {".csv": None, ".txt": None, ".tsv": "\t", ".tab": "\t"}
_PARQUET_SUFFIXES = (".parquet", ".pq")
_DECIMAL_COMMA = re.compile(r"\s*[-+]?\d+,\d+\s*")

Column = npt.NDArray[Any]


@dataclass(frozen=True, slots=True)
class RawTable:
    """Named columns of equal length, and where they came from."""

    source: str
    columns: Mapping[str, Column]
    index: str | None = None  # the column that was a dataframe's own row labels

    @property
    def n_rows(self) -> int:
        """Number of rows below the header."""
        return len(next(iter(self.columns.values()))) if self.columns else 0

    def is_text(self, name: str) -> bool:
        """Whether the column holds anything but numbers."""
        return self.columns[name].dtype == object

    def numbers(self, name: str, row_labels: Column | None = None) -> FloatArray:
        """The column as finite floats, NaN where empty; else an error that names the cell."""
        column = self.columns[name]
        if self.is_text(name):
            row, value = _first_text(column)
            hint = ""
            if _DECIMAL_COMMA.fullmatch(value):
                hint = " If the comma is a decimal mark, pass decimal=','."
            raise DataError(
                f"{self.cell(row, name, row_labels)} must be a number; got {value!r}.{hint}"
            )
        infinite = np.flatnonzero(np.isinf(column))
        if infinite.size:
            row = int(infinite[0])
            raise DataError(
                f"{self.cell(row, name, row_labels)} must be finite; got {column[row]!s}. "
                "Leave the cell empty if there is no result."
            )
        return column

    def labels(self, name: str) -> list[str]:
        """The column as labels, one per row, none blank."""
        return [self._label(name, row, value) for row, value in enumerate(self.columns[name])]

    def coded_labels(self, name: str) -> tuple[npt.NDArray[np.int64], list[str]]:
        """The column as numbers of labels, and the labels in order of first appearance."""
        import pandas as pd

        raw_codes, raw = pd.factorize(self.columns[name], use_na_sentinel=False)
        labels: dict[str, int] = {}
        translation = np.empty(len(raw), dtype=np.int64)
        for position, value in enumerate(raw):
            row = int(np.argmax(raw_codes == position)) if _blank(value) else 0
            label = self._label(name, row, value)
            translation[position] = labels.setdefault(label, len(labels))
        return translation[raw_codes], list(labels)

    def cell(self, row: int, name: str, row_labels: Column | None = None) -> str:
        """``scores.csv, row 3 ('iris'), column 'C4.5'``; the row below the header is row 1."""
        label = f" ({clean_label(row_labels[row])!r})" if row_labels is not None else ""
        return f"{self.source}, row {row + 1}{label}, column {name!r}"

    def _label(self, name: str, row: int, value: object) -> str:
        if _blank(value):
            raise DataError(f"{self.cell(row, name)} must be a label; the cell is empty.")
        return clean_label(value)


def read(
    path: str | Path,
    *,
    labels: Collection[str],
    decimal: str = ".",
    separator: str | None = None,
    encoding: str = "utf-8-sig",
) -> RawTable:
    """Read a CSV, TSV or Parquet file.

    Parameters
    ----------
    path : str or Path
        The suffix tells the format: .csv, .txt, .tsv, .tab, .parquet, .pq.
    labels : collection of str
        Columns that hold labels: read as text as they stand, ``007`` and ``NA`` included.
        Compared without regard to case.
    decimal, separator, encoding
        Of a text file. The separator is found from the header unless that is ambiguous.
    """
    file = Path(path)
    suffix = file.suffix.lower()
    if suffix in _PARQUET_SUFFIXES:
        return from_frame(_read_parquet(file), source=file.name)
    if suffix not in _TEXT_SUFFIXES:
        known = ", ".join([*_TEXT_SUFFIXES, *_PARQUET_SUFFIXES])
        raise DataError(f"`path` must end in one of {known}; got {file.name!r}.")
    try:
        text = file.read_text(encoding=encoding)
    except UnicodeDecodeError as error:
        raise DataError(
            f"{file.name} is not {encoding.removesuffix('-sig')} text "
            f"(byte {error.start}). Pass encoding=, for instance encoding='latin-1'."
        ) from None
    return _parse(text, file.name, labels, decimal, separator or _TEXT_SUFFIXES[suffix] or None)


def from_frame(frame: Any, *, source: str = "frame") -> RawTable:
    """Columns of a pandas, polars or pyarrow table (anything that narwhals knows).

    A pandas index that is not a plain running number becomes a column of its own.
    """
    import narwhals as nw

    index: str | None = None
    if nw.dependencies.is_pandas_dataframe(frame):
        frame, index = _pandas_with_index_as_column(frame, source)
    names = [str(name) for name in getattr(frame, "columns", ())]
    if nw.dependencies.is_pyarrow_table(frame):
        names = list(frame.column_names)
    check_header(names, source)
    try:
        table = nw.from_native(frame, eager_only=True)
    except TypeError:
        raise TypeError(
            "`frame` must be a dataframe (pandas, polars, pyarrow, ...); "
            f"got {type(frame).__name__}."
        ) from None
    columns = {name: _column_of(table[raw]) for name, raw in zip(names, table.columns, strict=True)}
    return RawTable(source, columns, index)


def check_header(names: Iterable[str], source: str) -> None:
    """Refuse a header with the same name twice, or with a blank name past the first column."""
    seen: dict[str, int] = {}
    for position, raw in enumerate(names, start=1):
        name = clean_label(raw)
        if name in seen:
            raise DataError(
                f"{source}: column names must be distinct; got {name!r} "
                f"in columns {seen[name]} and {position}."
            )
        if not name and position > 1:
            raise DataError(f"{source}: column {position} has no name.")
        seen[name] = position


def _parse(
    text: str, source: str, labels: Collection[str], decimal: str, separator: str | None
) -> RawTable:
    header_end = _header_end(text, source)
    separator = separator or _find_separator(text[:header_end], source)
    header = next(csv.reader([text[:header_end]], delimiter=separator))
    check_header(header, source)
    names = [clean_label(name) for name in header]
    known = {label.casefold() for label in labels}
    text_columns = {
        position
        for position, name in enumerate(names)
        if name.casefold() in known or (position == 0 and not name)
    }
    body = text[header_end:]
    frame = _read_body(body, source, len(names), text_columns, decimal, separator)
    kinds = {column: frame[column].dtype.kind for column in frame.columns}
    surprises = {column for column, kind in kinds.items() if kind not in "iuf"} - text_columns
    if surprises:  # text where numbers were expected: read those cells as they stand
        text_columns |= surprises
        frame = _read_body(body, source, len(names), text_columns, decimal, separator)
    columns = {
        name: _text(frame[position]) if position in text_columns else _floats(frame[position])
        for position, name in enumerate(names)
    }
    for position in surprises:
        columns[names[position]] = _numbers_among_text(columns[names[position]], decimal)
    return RawTable(source, columns)


def _header_end(text: str, source: str) -> int:
    """Where the header stops: its quoted names may hold line breaks."""
    reader_input = io.StringIO(text, newline="")
    quotes = 0
    while line := reader_input.readline():
        quotes += line.count('"')
        if quotes % 2 == 0:
            break
    end = reader_input.tell()
    if not text[:end].strip():
        raise DataError(f"{source} has no header: its first line is empty.")
    return end


def _find_separator(header: str, source: str) -> str:
    found = [mark for mark in SEPARATORS if len(next(csv.reader([header], delimiter=mark))) > 1]
    if len(found) > 1:
        raise DataError(
            f"{source}: the header could be separated by {listed(found)}. "
            "Pass separator= to settle it."
        )
    return found[0] if found else ","


def _read_body(
    body: str, source: str, width: int, text_columns: set[int], decimal: str, separator: str
) -> Any:
    import pandas as pd

    numbers = [position for position in range(width) if position not in text_columns]
    options: dict[str, Any] = {
        "header": None,
        "names": list(range(width)),
        "index_col": False,
        "sep": separator,
        "decimal": decimal,
        "dtype": dict.fromkeys(text_columns, object),
        "na_values": {position: list(MISSING_TOKENS) for position in numbers},
        "keep_default_na": False,
        "skipinitialspace": True,
        "float_precision": "round_trip",  # 0.1 in the file is 0.1, so that ties stay ties
        "low_memory": False,
    }
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", pd.errors.ParserWarning)
            return pd.read_csv(io.StringIO(body), **options)
    except pd.errors.EmptyDataError:
        return pd.DataFrame({position: np.empty(0) for position in range(width)})
    except (pd.errors.ParserError, pd.errors.ParserWarning) as error:
        raise DataError(
            f"{source}: a row has more cells than the header has names ({width}). "
            f"Quote cells that hold {separator!r}. (The parser says: {str(error).strip()})"
        ) from None


def _read_parquet(path: Path) -> Any:
    import pandas as pd

    try:
        return pd.read_parquet(path, engine="pyarrow")
    except ImportError:
        raise ImportError(
            "reading Parquet needs pyarrow: pip install 'nbcompare[parquet]'"
        ) from None
    except (OSError, ValueError) as error:
        if isinstance(error, FileNotFoundError | PermissionError | IsADirectoryError):
            raise
        raise DataError(f"{path.name} is not a readable Parquet file: {error}") from None


def _pandas_with_index_as_column(frame: Any, source: str) -> tuple[Any, str | None]:
    import pandas as pd

    if frame.columns.nlevels > 1 or frame.index.nlevels > 1:
        raise DataError(
            f"{source} must have one level of row and column labels; "
            "call reset_index() or flatten the columns first."
        )
    if isinstance(frame.index, pd.RangeIndex):
        return frame, None
    name = "" if frame.index.name is None else str(frame.index.name)
    check_header([name, *map(str, frame.columns)], source)
    labelled = frame.reset_index(drop=True)
    labelled.insert(0, name, frame.index.to_numpy(dtype=object))
    return labelled, name


def _column_of(series: nw.Series[Any]) -> Column:
    import narwhals as nw

    if series.dtype.is_numeric():
        return np.array(series.cast(nw.Float64).to_numpy(), dtype=np.float64)
    values = series.to_list()
    if all(value is None or _is_number(value) for value in values) and values:
        return np.array([np.nan if v is None else float(v) for v in values])
    column = np.empty(len(values), dtype=object)
    column[:] = [None if _blank(value) else value for value in values]
    return column


def _is_number(value: object) -> bool:
    return isinstance(value, int | float | np.number) and not isinstance(value, bool)


def _blank(value: object) -> bool:
    return value is None or value != value or (isinstance(value, str) and not value.strip())


def _text(series: Any) -> Column:
    column = np.empty(len(series), dtype=object)
    column[:] = [None if _blank(value) else str(value) for value in series]
    return column


def _floats(series: Any) -> FloatArray:
    return np.array(series.to_numpy(), dtype=np.float64)


def _numbers_among_text(column: Column, decimal: str) -> Column:
    """A column with any number in it holds scores: the rest are missing tokens, or mistakes."""
    numbers = [_parsed(value, decimal) for value in column]
    if all(number is None for number in numbers):
        return column  # labels, to be taken as they stand
    mixed = np.empty(len(column), dtype=object)
    mixed[:] = [
        (None if text in MISSING_TOKENS else text) if number is None else number
        for text, number in zip(column, numbers, strict=True)
    ]
    return mixed


def _parsed(value: str | None, decimal: str) -> float | None:
    try:
        return None if value is None else float(value.replace(decimal, "."))
    except ValueError:
        return None


def _first_text(column: Column) -> tuple[int, str]:
    return next((row, value) for row, value in enumerate(column) if isinstance(value, str))
