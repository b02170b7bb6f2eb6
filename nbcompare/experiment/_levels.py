"""Dataframes of pandas whose rows or columns have labels of several levels, made flat."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

from nbcompare import _tables
from nbcompare._validation import DataError, clean_label, shown

# A level without a label, as pandas and its CSV reader write it
_BLANK = re.compile(r"Unnamed: \d+(_level_\d+)?|")


def table_of(frame: Any) -> _tables.RawTable:
    """Return the table of a dataframe.

    Row labels of several levels become columns; column labels of several levels are joined, and
    kept apart in the table's ``levels``.
    """
    import narwhals as nw

    native = nw.to_native(frame, pass_through=True)
    is_pandas = nw.dependencies.is_pandas_dataframe(native)
    if not is_pandas or max(native.columns.nlevels, native.index.nlevels) == 1:
        return _tables.from_frame(frame)
    flat = native.copy(deep=False)
    levels: dict[str, tuple[str, ...]] = {}
    level_names: tuple[str | None, ...] = ()
    for axis, labels in (("rows", flat.index), ("columns", flat.columns)):
        if labels.has_duplicates:
            raise DataError(
                f"frame: two {axis} have the label {shown(labels[labels.duplicated()][0])}."
            )
    if flat.columns.nlevels > 1:
        names = []
        for label in flat.columns:
            parts = [clean_label(part) for part in label]
            parts = ["" if _BLANK.fullmatch(part) else part for part in parts]
            name = " / ".join(filter(None, parts))
            names.append(name)
            levels[name] = tuple(parts) if any(parts[1:]) else (name,)
        level_names = tuple(
            None if name is None else clean_label(name) for name in flat.columns.names
        )
        flat.columns = names
    if flat.index.nlevels > 1:
        rows = flat.index
        flat = flat.reset_index(drop=True)
        for place, name in enumerate(rows.names):
            title = f"row level {place}" if name is None else clean_label(name)
            if title in flat.columns:
                raise DataError(
                    f"frame: rows and columns both have {title!r}. Give one another name."
                )
            # as text, for labels are no scores
            flat.insert(place, title, list(map(clean_label, rows.get_level_values(place))))
    return replace(_tables.from_frame(flat), levels=levels, level_names=level_names)
