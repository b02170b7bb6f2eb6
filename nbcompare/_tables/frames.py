"""Dataframes of pandas, polars, pyarrow and all that narwhals knows."""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING, Any

import numpy as np

from nbcompare._arrays import widened
from nbcompare._tables.cells import held_of
from nbcompare._tables.columns import Coded, Columns, Held, coded, is_blank, is_number
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
    import narwhals as nw

    source = "frame"
    index: str | None = None
    numbers_as_names = False
    frame = nw.to_native(frame, pass_through=True)
    if nw.dependencies.is_pandas_dataframe(frame):
        numbers_as_names = any(map(is_number, frame.columns))
        names, index, frame = _from_pandas(frame, source)
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
    columns: dict[str, Held] = {}
    for name, raw in zip(names, table.columns, strict=True):
        try:
            columns[name] = held_of_series(table[raw])
        except MemoryError:
            raise
        except Exception as error:  # dataframe libraries raise errors of many classes
            raise DataError(f"{source}, column {name!r} cannot be read: {error!r}.") from error
    return RawTable(source, Columns(columns), index, has_numbers_as_names=numbers_as_names)


def _from_pandas(frame: pd.DataFrame, source: str) -> tuple[list[str], str | None, pd.DataFrame]:
    """Return the names, that of the index if it is one, and the frame under plain names."""
    import pandas as pd

    if frame.columns.nlevels > 1 or frame.index.nlevels > 1:
        raise several_levels(source, "Call reset_index() or flatten the columns first.")
    names = check_header(frame.columns, source)
    renamed = frame.copy(deep=False)
    renamed.columns = pd.Index(_positions(names))
    if isinstance(frame.index, pd.RangeIndex) and frame.index.name is None:
        return names, None, renamed
    index = index_name(frame.index.name, names, source, "Call reset_index(drop=True), or rename")
    renamed = renamed.reset_index(drop=True)
    renamed.insert(0, "index", frame.index)
    return [index, *names], index, renamed


def several_levels(source: str, remedy: str) -> DataError:
    """Return the error about row or column labels of several levels."""
    return DataError(f"{source} must have one level of row and column labels. {remedy}")


def index_name(given: object, names: list[str], source: str, remedy: str) -> str:
    """Return the name of the index, blank if it has none; refuse that of a column."""
    index = "" if is_blank(given) else clean_label(given)
    if index in names:
        column = "a column without a name" if not index else f"the column {index!r}"
        raise DataError(
            f"{source}: {column} stands beside an index of the same name. {remedy} one of them."
        )
    return index


def _positions(names: list[str]) -> list[str]:
    """Return plain names to work with: narwhals takes a column called 3 for a position."""
    return [str(position) for position in range(len(names))]


def held_of_series(series: nw.Series[Any]) -> Held:
    """Return a column of a dataframe: numbers, or text that is kept as it stands."""
    import narwhals as nw

    kind = series.dtype
    is_long = kind in (nw.String, nw.Categorical, nw.Enum) and len(series) >= _MANY_ROWS
    if is_long and (known := _coded(series)) is not None:
        return known
    wider = kind in (nw.Int128, nw.UInt128)
    if kind.is_integer() and not wider and not series.null_count():
        whole: Column = series.to_numpy()
        if whole.dtype.kind in "iu":
            return whole  # labels may be integers beyond 2**53, which floats would merge
    if kind.is_numeric():
        floats = np.array(series.cast(nw.Float64).to_numpy(), dtype=np.float64)
        return widened(floats.astype(np.float32)) if kind == nw.Float32 else floats
    cells = [
        None if empty or (isinstance(value, Decimal) and value.is_nan()) else value
        for value, empty in zip(series.to_list(), series.is_null().to_list(), strict=True)
    ]
    return held_of(cells, None)


def _coded(series: nw.Series[Any]) -> Coded | None:
    """Code a long column of text; None if its library makes that slow, or all is empty."""
    import narwhals as nw

    if series.implementation.is_polars():
        known = coded(series.cast(nw.String).to_native())
        return None if known.cells == [None] else known
    cells = series.unique(maintain_order=True).to_list()
    if len(cells) > len(series) // 10 or any(is_blank(cell) for cell in cells):
        return None
    codes = series.replace_strict(cells, list(range(len(cells))), return_dtype=nw.Int64)
    return Coded(np.array(codes.to_numpy(), dtype=np.int64), cells)
