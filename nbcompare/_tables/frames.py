"""Dataframes of all that narwhals knows, and Parquet files that were looked at first.

A page whose header claims many more values than it has ends the process that polars or pyarrow
runs in. The footer and the headers of all pages are read here, in the compact protocol of Thrift.
"""

from __future__ import annotations

import json
import mmap
import os
import re
import sys
from collections.abc import Iterable
from contextlib import suppress
from decimal import Decimal
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from nbcompare._arrays import widened
from nbcompare._tables.columns import (
    FEW,
    Held,
    Text,
    are_in_order,
    choices_of,
    coded,
    column_of_objects,
    floats_of,
    is_blank,
    is_number,
    numbered,
)
from nbcompare._tables.lines import check_bytes, check_cells, check_width, checked_file
from nbcompare._tables.origin import require_bytes
from nbcompare._tables.table import RawTable, check_header
from nbcompare._tables.text_format import Column
from nbcompare._validation import DataError, because, clean_label

if TYPE_CHECKING:
    import pandas as pd
    import polars as pl


_DEEPEST = 20
_Struct = dict[int, Any]  # values by the numbers of their fields in parquet.thrift


def _varint(data: mmap.mmap) -> int:
    value = 0
    for shift in range(0, 70, 7):
        byte = data.read_byte()
        value |= (byte & 0x7F) << shift
        if byte < 0x80:
            return value
    raise ValueError


def _struct(data: mmap.mmap, depth: int = 0) -> _Struct:
    """Return the struct of Thrift that begins here."""
    found: _Struct = {}
    number = 0
    while head := data.read_byte():
        number = number + (head >> 4) if head >> 4 else _value(data, 6)
        found[number] = head & 1 if head & 0xF < 3 else _value(data, head & 0xF, depth)
    return found


def _value(data: mmap.mmap, kind: int, depth: int = 0) -> Any:
    """Return what begins here: a number, a list or a struct; text and floats are passed over."""
    if depth > _DEEPEST:
        raise ValueError
    match kind:
        case 1 | 2 | 3:
            return data.read_byte()
        case 4 | 5 | 6:
            number = _varint(data)
            return (number >> 1) ^ -(number & 1)
        case 7 | 8:
            return data.seek(8 if kind == 7 else _varint(data), os.SEEK_CUR)
        case 9 | 10:
            head = data.read_byte()
            length = head >> 4 if head >> 4 < 15 else _varint(data)
            return [_value(data, head & 0xF, depth + 1) for _ in range(length)]
        case 12:
            return _struct(data, depth + 1)
    raise ValueError


def check_pages(file: Path) -> int:
    """Return how many cells a file has; refuse one that contradicts itself, or is too large."""
    size = checked_file(file)
    with file.open("rb") as stream, mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ) as data:
        length = int.from_bytes(data[-8:-4], "little")
        if size < 12 or data[-4:] != b"PAR1" or length > size - 12:
            raise DataError(f"{file.name} is not a readable Parquet file: it has no whole footer.")
        try:
            data.seek(size - 8 - length)
            about = _struct(data)
            schema, n_rows, groups = about[2], about[3], about.get(4, [])
            chunks = [column[3] for group in groups for column in group[1]]
            if n_rows < 0 or n_rows != sum(group[3] for group in groups):
                raise ValueError
            n_columns = sum(5 not in each for each in schema)  # those without children
            check_width(n_columns, file.name)
            # a column of lists has other numbers of values than rows
            n_values = sum(chunk[5] for chunk in chunks)
            check_cells(max(n_values, n_rows * n_columns), file.name)
            check_bytes(sum(chunk[6] for chunk in chunks), file.name, size)
            for chunk in chunks:
                _check_chunk(data, chunk[5], chunk.get(11) or chunk[9])
        except DataError:
            raise
        except (LookupError, TypeError, AttributeError, ValueError, OverflowError):
            told = "its parts contradict each other"
            raise DataError(f"{file.name} is not a readable Parquet file: {told}.") from None
    return int(n_values)


def _check_chunk(data: mmap.mmap, n_values: int, place: int) -> None:
    """Check that the pages of a part of a column have as many values as it says."""
    while n_values > 0:
        data.seek(place)
        header = _struct(data)
        place = data.tell() + header[3]
        counts = [header[version][1] for version in (5, 8) if version in header]
        n_values -= sum(counts)
        if min([header[3], n_values, *counts]) < 0:
            raise ValueError


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
_OF_A_CELL = 8  # bytes of a cell of Parquet, text or a number
# A level without a label, as pandas and its CSV reader write it
_BLANK = re.compile(r"Unnamed: \d+(_level_\d+)?|")


def from_frame(frame: Any) -> RawTable:
    """Take the columns of a dataframe.

    A pandas index that has a name, or is not a plain running number, becomes a column, and so does
    each level of one. Column labels of several levels are joined, and kept apart in ``levels``.
    """
    import narwhals as nw

    native = nw.to_native(frame, pass_through=True)
    if nw.dependencies.is_pandas_dataframe(native):
        columns, about = _from_pandas(native)
        return RawTable("frame", _read(columns), **about)
    if nw.dependencies.is_pyarrow_table(native):
        names = check_header(native.column_names, "frame")
        native = native.rename_columns(list(map(str, range(len(names)))))
    else:
        names = None
    table = nw.from_native(native, pass_through=True)
    # earlier releases of narwhals accept anything with an interchange protocol, but cannot read it
    if not isinstance(table, nw.DataFrame) or getattr(table, "_level", "full") != "full":
        kind = type(native).__name__
        remedy = _REMEDIES.get(kind, "")
        if isinstance(table, nw.LazyFrame):  # may be expensive: the user decides when it runs
            remedy = " Call its .collect()" if hasattr(native, "collect") else " Compute it"
            kind = f"a lazy {type(native).__module__.partition('.')[0]} {kind}"
            remedy = f"{remedy} first."
        raise TypeError(
            "`frame` must be a dataframe in memory (pandas, polars, pyarrow, ...); got "
            f"{kind}.{remedy}"
        )
    names = check_header(table.columns, "frame") if names is None else names
    return RawTable("frame", _read(zip(names, table.iter_columns(), strict=True)))


def _read(given: Iterable[tuple[str, Any]]) -> dict[str, Held]:
    """Return columns that are numbers already, or series of some library."""
    import narwhals as nw

    columns: dict[str, Held] = {}
    for name, each in given:
        try:
            is_read = isinstance(each, np.ndarray | Text)
            columns[name] = (
                each if is_read else column_of_series(nw.to_native(each, pass_through=True))
            )
        except MemoryError:
            raise
        except Exception as error:  # dataframe libraries raise errors of many classes
            raise DataError(f"frame, column {name!r} cannot be read: {error!r}.") from error
    return columns


def _from_pandas(frame: pd.DataFrame) -> tuple[Iterable[tuple[str, Any]], dict[str, Any]]:
    """Return the columns of a dataframe with plain names, and what a table says of its labels."""
    import pandas as pd

    labels, rows = frame.columns, frame.index
    names: list[Any] = labels.tolist()
    about: dict[str, Any] = {"has_numbers_as_names": any(map(is_number, names))}
    if labels.nlevels > 1:
        cleaned = [list(map(clean_label, label)) for label in names]
        parts = [tuple("" if _BLANK.fullmatch(it) else it for it in each) for each in cleaned]
        names = [" / ".join(filter(None, each)) for each in parts]
        levels = [each if any(each[1:]) else each[:1] for each in parts]
        about["levels"] = dict(zip(names, levels, strict=True))
        about["level_names"] = tuple(None if it is None else clean_label(it) for it in labels.names)
    before: list[Any] = []  # the rows' labels
    if rows.nlevels > 1:
        before = [
            # as text, for labels are no scores
            pd.Series(list(map(clean_label, rows.get_level_values(place))), dtype=object)
            for place in range(rows.nlevels)
        ]
        levels_of_rows = [
            f"row level {place}" if name is None else name for place, name in enumerate(rows.names)
        ]
        names = [*levels_of_rows, *names]
    elif rows.name is not None or not isinstance(rows, pd.RangeIndex):
        names = check_header(names, "frame")
        index = _index_name(rows.name, names, "frame", "Call reset_index(drop=True), or rename")
        about["index"] = index
        names.insert(0, index)
        texts = _text_of(rows.tolist()) if rows.dtype.kind == "O" else None
        before = [pd.Series(rows) if texts is None else texts]
    names = check_header(names, "frame")
    columns: Iterable[Any] = (each for _, each in frame.items())
    # what most tables of scores are, in a sixth of the time
    if frame.shape[1] and all(kind == np.float64 for kind in frame.dtypes):
        columns = np.array(frame.to_numpy(), order="F").T
    return zip(names, (*before, *columns), strict=True), about


def _index_name(given: object, names: list[str], source: str, remedy: str) -> str:
    """Return the name of the index, blank if it has none; refuse that of a column."""
    index = "" if is_blank(given) else clean_label(given)
    if index in names:
        column = "a column without a name" if not index else f"the column {index!r}"
        raise DataError(
            f"{source}: {column} stands beside an index of the same name. {remedy} one of them."
        )
    return index


def _text_of(values: list[Any]) -> Text | None:
    """Return a column of text, each once; None if it holds anything else."""
    if not values or not set(map(type, values)) <= {str}:
        return None
    coding = numbered(values)
    return Text(lambda: coding)


def column_of_series(native: Any) -> Held:
    """Return a column of a dataframe: numbers, or text that is kept as it stands."""
    polars = sys.modules.get("polars")
    is_polars = polars is not None and isinstance(native, polars.Series)
    if (quick := _column_of_polars(native) if is_polars else None) is not None:
        return quick
    import narwhals as nw

    series = nw.from_native(native, series_only=True)
    kind = series.dtype
    if kind in (nw.String, nw.Categorical, nw.Enum) and series.null_count() < len(series):
        texts = _text_of(series.to_list())
        if texts is not None:
            return texts
    if kind.is_integer() and kind not in (nw.Int128, nw.UInt128) and not series.null_count():
        whole: Column = series.to_numpy()
        if whole.dtype.kind in "iu":
            return whole  # labels may be integers beyond 2**53, which floats would merge
    if kind.is_numeric():
        floats = np.array(series.cast(nw.Float64).to_numpy(), dtype=np.float64)
        return widened(floats.astype(np.float32)) if kind == nw.Float32 else floats
    cells_of_any = [
        None if empty or (isinstance(value, Decimal) and value.is_nan()) else value
        for value, empty in zip(series.to_list(), series.is_null().to_list(), strict=True)
    ]
    return column_of_objects(cells_of_any, None)


def _column_of_polars(series: pl.Series) -> Held | None:
    """Return a column of text or of whole numbers; None for any other."""
    import polars as pl

    kind = series.dtype
    if kind in (pl.String, pl.Categorical, pl.Enum) and series.null_count() < len(series):
        return Text(partial(coded, series if kind == pl.Enum else series.cast(pl.String)))
    if kind.is_integer() and "128" not in str(kind) and not series.null_count():
        return series.to_numpy()
    return None


# ------------------------------------------------------------------------------- Parquet


def from_parquet(path: Path) -> RawTable:
    """Read the columns of a Parquet file; the index that pandas stored in it comes along."""
    import polars as pl

    try:
        return _of_parquet(path)
    except (OSError, MemoryError, DataError):
        raise
    except (Exception, pl.exceptions.PanicException) as error:
        # polars raises errors of many classes, of which the last is no Exception
        raise DataError(f"{path.name} is not a readable Parquet file{because(error)}.") from None


def _with_choices(table: pl.LazyFrame) -> pl.DataFrame:
    """Return all rows, with labels in no order that repeat as choices, which takes less memory."""
    import polars as pl

    texts = table.select(pl.col(pl.String)).head(FEW).collect()
    found = {each.name: choices_of(each) for each in texts if not are_in_order(each)}
    kinds: dict[Any, Any] = {name: kind for name, kind in found.items() if kind is not None}
    with suppress(pl.exceptions.PolarsError):  # of a label that is none of these
        return table.cast(kinds).collect()
    return table.collect()


def _of_parquet(path: Path) -> RawTable:
    import polars as pl

    require_bytes(check_pages(path) * _OF_A_CELL, path.name)
    frame = _with_choices(pl.scan_parquet(path, glob=False))
    floats = [each for each in frame if each.dtype == pl.Float64]
    held: dict[str, Held] = dict.fromkeys(frame.columns, np.empty(0))
    held |= zip((each.name for each in floats), floats_of(floats), strict=True)
    for each in frame:
        if each.dtype != pl.Float64:
            held[each.name] = column_of_series(each)
    # what pandas stored about the index; nothing if another program wrote the file
    stored = json.loads(pl.read_parquet_metadata(path).get("pandas", "{}"))
    indices, levels = stored.get("index_columns", []), stored.get("column_indexes", [])
    if len(indices) > 1 or len(levels) > 1:
        raise DataError(
            f"{path.name} must have one level of row and column labels. Write it again so."
        )
    are_text = all(level["pandas_type"] in ("unicode", "empty") for level in levels)
    name: object = None
    row_labels: Held | None = None
    for place in indices:
        if isinstance(place, str):
            row_labels = held.pop(place)
            name = {one["field_name"]: one["name"] for one in stored["columns"]}[place]
        elif place["name"] is not None:
            row_labels = np.arange(place["start"], place["stop"], place["step"])
            name = place["name"]
    columns = dict(zip(check_header(held, path.name), held.values(), strict=True))
    has_numbers = bool(columns) and not are_text
    index = None
    if row_labels is not None:
        index = _index_name(name, list(columns), path.name, "Rename")
        columns = {index: row_labels, **columns}
        if len(row_labels) != frame.height:
            raise ValueError("the index has another length than the columns")
    return RawTable(path.name, columns, index, has_numbers_as_names=has_numbers)
