"""Parquet files of numbers and text, read by pyarrow without a dataframe of pandas between.

What comes back is what pandas would give; whenever that is not certain, nothing does, and pandas
reads the file.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from nbcompare._tables import arrow
from nbcompare._tables.columns import Coded
from nbcompare._tables.text_format import Column

_BATCH = 2**19  # cells
_BUFFER = 2**20  # bytes of a column that are read at once, so that the file is not in memory
_REPEATED = 4  # bytes for a cell; text that stands by itself has its length in as many, and more


class Stored(NamedTuple):
    """The columns of a file, that of the index first, and whether one is the index."""

    names: list[str | None]
    columns: list[Column | Coded]
    has_index: bool


def columns_of(path: Path) -> Stored | None:
    """Return the columns of a file of numbers and text; None if pandas is to read it."""
    try:
        from pyarrow import parquet  # type: ignore[import-untyped, unused-ignore]
    except ImportError:
        return None
    try:
        with parquet.ParquetFile(path) as file:
            schema = file.schema_arrow
            coded = [
                name
                for position, name in enumerate(schema.names)
                if _text(schema.types[position]) and _repeats(file.metadata, position)
            ]
        index = _index(schema)
        known = all(_text(kind) or _number(kind) for kind in schema.types)
        if index is None or not known or len(set(schema.names)) < len(schema.names):
            return None
        with parquet.ParquetFile(
            path, read_dictionary=coded, buffer_size=_BUFFER, pre_buffer=False
        ) as file:
            n_rows = file.metadata.num_rows
            growing = arrow.growing(schema.types, n_rows)
            for batch in file.iter_batches(max(1, _BATCH // len(schema.names))):
                for column, cells in zip(growing, batch.columns, strict=True):
                    column.add(cells)
        places = [*index, *(name for name in schema.names if name not in index)]
        columns = [_done(growing[schema.names.index(place)]) for place in places]
    except MemoryError:
        raise
    except Exception:  # pyarrow raises errors of many classes; pandas says what is wrong
        return None
    names: list[str | None] = [index.get(place, place) for place in places]
    return Stored(names, columns, bool(index))


def _repeats(metadata: Any, position: int) -> bool:
    """Tell whether the file stores a column of text in so few bytes that its cells must repeat."""
    groups = [
        metadata.row_group(group).column(position) for group in range(metadata.num_row_groups)
    ]
    size = sum(group.total_uncompressed_size for group in groups)
    return bool(size < _REPEATED * metadata.num_rows)


def _text(kind: Any) -> bool:
    from pyarrow import types

    if types.is_dictionary(kind):
        kind = kind.value_type
    return bool(types.is_string(kind) or types.is_large_string(kind))


def _number(kind: Any) -> bool:
    from pyarrow import types

    return bool(types.is_integer(kind) or types.is_float32(kind) or types.is_float64(kind))


def _index(schema: Any) -> dict[str, str | None] | None:
    """Return the name of the index by that of its column, nothing without one; None if in doubt."""
    stored = (schema.metadata or {}).get(b"pandas")
    if stored is None:
        return {}
    told = json.loads(stored)
    name_of = {column["field_name"]: column["name"] for column in told["columns"]}
    indices = told["index_columns"]
    places = [place for place in indices if isinstance(place, str)]
    counted = [place for place in indices if not isinstance(place, str)]
    if (
        len(indices) > 1
        or any(place["kind"] != "range" or place["name"] is not None for place in counted)
        or any(place not in schema.names for place in places)
        or [level["pandas_type"] for level in told["column_indexes"]] not in ([], ["unicode"])
        or any(name_of.get(name, name) != name for name in schema.names if name not in places)
    ):
        return None
    return {place: name_of[place] for place in places}


def _done(column: arrow.Growing) -> Column | Coded:
    """Return a whole column, as it would be if it came in a dataframe."""
    if isinstance(column, arrow.Numbers):
        return column.done()
    coded = column.done()
    empty = all(cell is None for cell in coded.cells)
    return np.full(len(coded.codes), np.nan) if empty else coded
