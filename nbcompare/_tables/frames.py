"""Dataframes of pandas, polars, pyarrow and all that narwhals knows, and Parquet files."""

from __future__ import annotations

import math
from decimal import Decimal
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from nbcompare._tables import parquet
from nbcompare._tables.columns import Coded, Columns, is_blank, is_number
from nbcompare._tables.table import RawTable, check_header
from nbcompare._tables.text_format import Column
from nbcompare._validation import DataError, clean_label

if TYPE_CHECKING:
    import narwhals as nw
    import pandas as pd

# What makes a dataframe of what people have in its place
_REMEDIES = {
    "Series": " Its .to_frame() is a dataframe.",
    "Styler": " Its .data is the dataframe.",
    "DataFrameGroupBy": " Aggregate it, as by .mean().reset_index().",
    "dict": " Make one by pandas.DataFrame(...).",
    "list": " Make one by pandas.DataFrame(...).",
    "ndarray": " Experiment.from_array takes arrays.",
    "str": " Experiment.read takes files.",
    "PosixPath": " Experiment.read takes files.",
}
_MANY_ROWS = 10_000  # from here on it pays to look for labels that repeat


def from_frame(frame: Any) -> RawTable:
    """Take the columns of a dataframe.

    A pandas index that has a name, or is not a plain running number, becomes a column.
    """
    return _from_frame(frame, "frame", is_file=False)


def _from_frame(frame: Any, source: str, *, is_file: bool) -> RawTable:
    import narwhals as nw

    index: str | None = None
    numbers_as_names = False
    frame = nw.to_native(frame, pass_through=True)
    if nw.dependencies.is_pandas_dataframe(frame):
        numbers_as_names = any(map(is_number, frame.columns))
        names, index, frame = _from_pandas(frame, source, is_file)
    elif nw.dependencies.is_pyarrow_table(frame):
        names = check_header(frame.column_names, source)
        frame = frame.rename_columns(_positions(names))
    else:
        names = None
    table = nw.from_native(frame, pass_through=True)
    # earlier releases of narwhals accept anything with an interchange protocol, but cannot read it
    readable = isinstance(table, nw.DataFrame) and getattr(table, "_level", "full") == "full"
    if not readable:
        kind = type(frame).__name__
        if isinstance(
            table, nw.LazyFrame
        ):  # a query may be expensive: the user decides when it runs
            remedy = "Call its .collect()" if hasattr(frame, "collect") else "Compute it"
            kind = f"a lazy {type(frame).__module__.partition('.')[0]} {kind}. {remedy} first"
        raise TypeError(
            "`frame` must be a dataframe in memory (pandas, polars, pyarrow, ...); got "
            f"{kind}.{_REMEDIES.get(kind, '')}"
        )
    if names is None:
        names = check_header(table.columns, source)
    columns: dict[str, Column | Coded] = {}
    for name, raw in zip(names, table.columns, strict=True):
        try:
            columns[name] = _coded(table[raw]) or _column(table[raw])
        except MemoryError:
            raise
        except Exception as error:  # dataframe libraries raise errors of many classes
            raise DataError(f"{source}, column {name!r} cannot be read: {error!r}.") from error
    return RawTable(source, Columns(columns), index, has_numbers_as_names=numbers_as_names)


def from_parquet(path: Path) -> RawTable:
    """Read the columns of a Parquet file; the index that pandas stored comes along."""
    stored = parquet.columns_of(path)
    if stored is not None:
        names = check_header(stored.names[stored.has_index :], path.name)
        index = None
        if stored.has_index:
            index = _index_name(stored.names[0], names, path.name, is_file=True)
            names = [index, *names]
        columns = Columns(dict(zip(names, stored.columns, strict=True)))
        return RawTable(path.name, columns, index, is_own=True)
    import pandas as pd

    try:
        frame = pd.read_parquet(path, engine="pyarrow")
    except ImportError:
        raise ImportError(
            "reading Parquet needs pyarrow: pip install 'nbcompare[parquet]'"
        ) from None
    except (PermissionError, MemoryError):
        raise
    except Exception as error:  # pyarrow and pandas raise errors of many classes
        reason = str(error).replace(str(path), path.name)
        raise DataError(f"{path.name} is not a readable Parquet file: {reason}") from None
    return _from_frame(frame, path.name, is_file=True)


def _from_pandas(
    frame: pd.DataFrame, source: str, is_file: bool
) -> tuple[list[str], str | None, pd.DataFrame]:
    """Return the names, that of the index if it is one, and the frame under plain names."""
    import pandas as pd

    if frame.columns.nlevels > 1 or frame.index.nlevels > 1:
        remedy = (
            "Write it again with one level of each."
            if is_file
            else "Call reset_index() or flatten the columns first."
        )
        raise DataError(f"{source} must have one level of row and column labels. {remedy}")
    names = check_header(frame.columns, source)
    renamed = frame.copy(deep=False)
    renamed.columns = pd.Index(_positions(names))
    if isinstance(frame.index, pd.RangeIndex) and frame.index.name is None:
        return names, None, renamed
    index = _index_name(frame.index.name, names, source, is_file)
    renamed = renamed.reset_index(drop=True)
    renamed.insert(0, "index", frame.index)
    return [index, *names], index, renamed


def _index_name(given: object, names: list[str], source: str, is_file: bool) -> str:
    """Return the name of the index, blank if it has none; refuse that of a column."""
    index = "" if is_blank(given) else clean_label(given)
    if index in names:
        column = "a column without a name" if not index else f"the column {index!r}"
        remedy = "Rename" if is_file else "Call reset_index(drop=True), or rename"
        raise DataError(
            f"{source}: {column} stands beside an index of the same name. {remedy} one of them."
        )
    return index


def _positions(names: list[str]) -> list[str]:
    """Return plain names to work with: narwhals takes a column called 3 for a position."""
    return [str(position) for position in range(len(names))]


def _coded(series: nw.Series[Any]) -> Coded | None:
    """Code a long column of few labels; None if it is another, or has gaps."""
    import narwhals as nw

    if len(series) < _MANY_ROWS or series.dtype not in (nw.String, nw.Categorical, nw.Enum):
        return None
    cells = series.unique(maintain_order=True).to_list()
    if len(cells) > len(series) // 10 or any(is_blank(cell) for cell in cells):
        return None
    codes = series.replace_strict(cells, list(range(len(cells))), return_dtype=nw.Int64)
    return Coded(np.array(codes.to_numpy(), dtype=np.int64), tuple(cells))


def _column(series: nw.Series[Any]) -> Column:
    import narwhals as nw

    wider = series.dtype in (nw.Int128, nw.UInt128)
    if series.dtype.is_integer() and not wider and not series.null_count():
        whole: Column = series.to_numpy()
        if whole.dtype.kind in "iu":
            return whole  # labels may be integers beyond 2**53, which floats would merge
    if series.dtype.is_numeric():
        return np.array(series.cast(nw.Float64).to_numpy(), dtype=np.float64)
    cells = [
        None if empty or _is_nan(value) or is_blank(value) else value
        for value, empty in zip(series.to_list(), series.is_null().to_list(), strict=True)
    ]
    if all(value is None or is_number(value) for value in cells):
        return np.array([math.nan if value is None else _as_float(value) for value in cells])
    column = np.empty(len(cells), dtype=object)
    for row, value in enumerate(cells):  # one by one: a list in a cell stays a list
        column[row] = value
    return column


def _is_nan(value: object) -> bool:
    return isinstance(value, Decimal) and value.is_nan()


def _as_float(value: Any) -> float:
    try:
        return float(value)
    except OverflowError:
        return math.inf if value > 0 else -math.inf
