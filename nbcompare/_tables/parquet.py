"""Parquet files, read by polars; the index that pandas stored in them comes along."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from nbcompare._arrays import widened
from nbcompare._tables.columns import Columns, Held
from nbcompare._tables.frames import held_of_series, index_name, several_levels
from nbcompare._tables.table import RawTable, check_header
from nbcompare._validation import DataError

_AT_ONCE = 2**24  # cells that are read at a time, so that text is not in memory as a whole
_END = 8  # bytes: the length of the footer, and the mark of the format
_KEY = b"pandas\x18"  # the name of what pandas stored, and the sign that a text follows


def from_parquet(path: Path) -> RawTable:
    """Read the columns of a Parquet file."""
    import polars as pl

    try:
        return _read(path)
    except (OSError, MemoryError, DataError):
        raise
    except (Exception, pl.exceptions.PanicException) as error:
        # polars raises errors of many classes, of which the last is no Exception
        reason = " ".join(str(error).replace(str(path), path.name).split())
        raise DataError(f"{path.name} is not a readable Parquet file: {reason}") from None


def _read(path: Path) -> RawTable:
    held, stored = _columns(path), _stored(path)
    indices, levels = stored.get("index_columns", []), stored.get("column_indexes", [])
    if len(indices) > 1 or len(levels) > 1:
        raise several_levels(path.name, "Write it again with one level of each.")
    are_numbers = bool(held) and any(
        level["pandas_type"] not in ("unicode", "empty") for level in levels
    )
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
    index = None
    if row_labels is not None:
        index = index_name(name, list(columns), path.name, "Rename")
        columns = {index: row_labels, **columns}
        if len({len(column) for column in columns.values()}) > 1:
            raise ValueError("the index has another length than the columns")
    return RawTable(
        path.name, Columns(columns), index, is_own=True, has_numbers_as_names=are_numbers
    )


def _columns(path: Path) -> dict[str, Held]:
    """Return the columns; those of floats lie next to each other in memory."""
    import narwhals as nw
    import polars as pl

    schema = pl.read_parquet_schema(path)
    n_rows = _row_count(path)
    floats = [name for name, kind in schema.items() if kind in (pl.Float32, pl.Float64)]
    rows = dict(zip(floats, np.empty((len(floats), n_rows)), strict=True))
    held: dict[str, Held] = {}
    step = max(1, _AT_ONCE // max(1, n_rows))
    names = list(schema)
    for start in range(0, len(names), step):
        frame = pl.read_parquet(path, columns=names[start : start + step], glob=False)
        for series in frame:
            if series.name in rows:
                read = series.to_numpy()
                rows[series.name][:] = widened(read)
                held[series.name] = rows[series.name]
            else:
                held[series.name] = held_of_series(nw.from_native(series, series_only=True))
    return held


def _row_count(path: Path) -> int:
    """Return the number of rows that a file says to have."""
    import polars as pl

    return int(pl.scan_parquet(path, glob=False).select(pl.len()).collect().item())


def _stored(path: Path) -> Mapping[str, Any]:
    """Return what pandas stored about the index; nothing if another program wrote the file."""
    with path.open("rb") as file:
        file.seek(-_END, os.SEEK_END)
        length = int.from_bytes(file.read(4), "little")
        file.seek(-_END - length, os.SEEK_END)
        footer = file.read(length)
    start = footer.find(b'{"', footer.find(_KEY)) if _KEY in footer else -1
    if start < 0:
        return {}
    stored: dict[str, Any]
    stored, _ = json.JSONDecoder().raw_decode(footer[start:].decode(errors="replace"))
    return stored
