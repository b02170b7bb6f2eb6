"""Dataframes of pandas whose rows or columns have labels of several levels, made long."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import product
from numbers import Real
from typing import TYPE_CHECKING, Any

import numpy as np

from nbcompare import _tables
from nbcompare._render import plural
from nbcompare._validation import DataError, clean_label, listed, shown
from nbcompare.experiment._reading import Reading
from nbcompare.experiment._roles import NAMES, bare

if TYPE_CHECKING:
    import pandas as pd

_ROLES = ("dataset", "algorithm", "fold", "run")
_WHICH = "each is 'dataset', 'algorithm', 'fold' or 'run'"
# Labels that number folds, and a level without a label as pandas and its CSV reader write it
_NUMBERED = re.compile(r"(fold|split|cv)?[\s_-]*\d+", re.IGNORECASE)
_BLANK = re.compile(r"Unnamed: \d+(_level_\d+)?|")


def table_of(frame: Any, reading: Reading) -> tuple[_tables.RawTable, Reading]:
    """Return the table of a dataframe; labels of several levels become columns of a long one.

    The reading that comes with the table names these columns.
    """
    import narwhals as nw

    native = nw.to_native(frame, pass_through=True)
    is_pandas = nw.dependencies.is_pandas_dataframe(native)
    if not is_pandas or max(native.columns.nlevels, native.index.nlevels) == 1:
        return _tables.from_frame(frame), reading
    if native.columns.nlevels == 1 and _role(native.columns.name, reading) is None:
        names = (*native.index.names, *native.columns)
        if "algorithm" in [_role(name, reading) for name in names]:
            # a row per score, some of whose labels stand beside it
            return _tables.from_frame(native.reset_index()), reading
    long = _long(native, reading)
    columns: dict[str, Any] = {role: role if role in long.columns else None for role in _ROLES}
    for role, column in columns.items():
        if column is None and getattr(reading, role) is not None:
            levels = [*native.index.names, *native.columns.names]
            raise ValueError(
                f"`{role}` must name a level of the labels of frame, one of "
                f"{listed(str(name) for name in levels if name is not None)}; "
                f"got {shown(getattr(reading, role))}."
            )
    score = "score" if reading.score is None else reading.score
    return _tables.from_frame(long), replace(reading, **columns, score=score)


def _long(frame: pd.DataFrame, reading: Reading) -> pd.DataFrame:
    """Return a row per score, with columns that are called like their roles."""
    import pandas as pd

    columns = _column_roles(frame, reading)
    frame = _with_row_labels(frame.copy(deep=False), columns)
    rows = _row_roles(frame, reading, columns)
    if twice := sorted(set(rows) & set(columns)):
        raise DataError(
            f"frame: rows and columns both have a level {twice[0]!r}. Give one another name; "
            f"{_WHICH}."
        )
    for axis, labels in (("rows", frame.index), ("columns", frame.columns)):
        if labels.has_duplicates:
            label = labels[labels.duplicated()][0]
            raise DataError(f"frame: two {axis} have the label {_told(label)}.")
    n_rows, n_columns = frame.shape
    if not n_rows * n_columns:
        raise DataError("frame must have rows and columns of scores; got none.")
    found: dict[str, Any] = {}
    if isinstance(frame.index, pd.RangeIndex) and frame.index.name is None:
        frame.index = pd.RangeIndex(1, len(frame) + 1)  # data sets are numbered from 1
    for role, values in zip(rows, _levels(frame.index), strict=True):
        found[role] = np.repeat(values, n_columns)
    for role, values in zip(columns, _levels(frame.columns), strict=True):
        found[role] = np.tile(values, n_rows)
    scores = frame.to_numpy(dtype=object).copy()
    missing = np.isin(scores.astype(str), ["", *reading.missing_words]) | pd.isna(scores)
    scores[missing] = np.nan
    for row, column in product(range(n_rows), range(n_columns)):
        value = scores[row, column]
        if isinstance(value, bool) or not isinstance(value, Real):
            raise DataError(
                f"frame, row {_told(frame.index[row])}, column {_told(frame.columns[column])} "
                f"must be a number; got {shown(value)}."
            )
    return pd.DataFrame({**found, "score": scores.ravel().astype(np.float64)})


def _told(label: object) -> str:
    """Write the labels of a row or column as text, whatever NumPy calls them."""
    if isinstance(label, tuple):
        return f"({', '.join(_told(part) for part in label)})"
    return shown(clean_label(label))


def _levels(index: pd.Index[Any]) -> list[Any]:
    return [
        np.array([clean_label(label) for label in index.get_level_values(level)], dtype=object)
        for level in range(index.nlevels)
    ]


def _role(name: object, reading: Reading) -> str | None:
    """Return what a level of that name holds: as an argument says, or as the name itself does."""
    label = "" if name is None else clean_label(name)
    for role in _ROLES:
        if getattr(reading, role) == label:
            return role
    role = label.casefold()
    return role if role in _ROLES and getattr(reading, role) is None else None


# ----------------------------------------------------------------------------- columns


def _column_roles(frame: pd.DataFrame, reading: Reading) -> tuple[str, ...]:
    """Return what the levels of the column labels hold, without guessing."""
    labels = frame.columns
    roles = [_role(name, reading) for name in labels.names]
    if labels.nlevels == 1:
        return (roles[0] or "algorithm",)
    if all(name is None for name in labels.names) and labels.nlevels == 2:
        first, second = _distinct(frame)
        if _number_folds(second) and not _number_folds(first):
            return "algorithm", "fold"
        wish: tuple[str, ...] = (
            ("fold", "algorithm") if _number_folds(first) else ("algorithm", "fold")
        )
    else:
        named = [role for role in roles if role is not None]
        if len(named) == len(roles) == len(set(named)) and "algorithm" in named:
            return tuple(named)
        free = iter(role for role in ("algorithm", "fold", "run", "dataset") if role not in named)
        wish = tuple(role or next(free, "run") for role in roles)
    examples = "; ".join(listed(level, most=3) for level in _distinct(frame))
    raise DataError(
        f"frame has column labels of {labels.nlevels} levels: {examples}. Name the levels, as in "
        f"frame.columns.names = {list(wish)!r}; {_WHICH}."
    )


def _distinct(frame: pd.DataFrame) -> list[list[str]]:
    """Return the labels of columns, by level, without those of columns that name rows."""
    kept = [label for label in frame.columns if not _is_label_column(label)]
    return [
        list(dict.fromkeys(clean_label(part) for part in level))
        for level in zip(*kept, strict=True)
    ]


def _number_folds(labels: Sequence[str]) -> bool:
    return all(_NUMBERED.fullmatch(label) for label in labels)


# -------------------------------------------------------------------------------- rows


def _is_label_column(label: object) -> bool:
    """Tell whether a column has a label on its first level only, as row labels that were reset."""
    return isinstance(label, tuple) and all(_BLANK.fullmatch(str(part)) for part in label[1:])


def _with_row_labels(frame: pd.DataFrame, columns: Sequence[str]) -> pd.DataFrame:
    """Make the index of columns that only have a label on the first level."""
    import pandas as pd

    beside = [label for label in frame.columns if _is_label_column(label)]
    if not beside or len(columns) == 1:
        return frame
    if not isinstance(frame.index, pd.RangeIndex):
        raise DataError(
            f"frame: column {clean_label(beside[0][0])!r} has no label on the other levels, though "
            "the index names the rows. Drop it, or make it the index."
        )
    scores = frame.drop(columns=beside)
    names = [None if _BLANK.fullmatch(str(label[0])) else label[0] for label in beside]
    scores.index = pd.MultiIndex.from_arrays([frame[label] for label in beside], names=names)
    return scores


def _called_algorithms(name: str | None) -> str | None:
    return "algorithm" if name is not None and bare(name) in NAMES["algorithm"] else None


def _row_roles(
    frame: pd.DataFrame, reading: Reading, columns: Sequence[str] = ()
) -> tuple[str, ...]:
    """Return what the levels of the row labels hold, without guessing."""
    names = [None if name is None else clean_label(name) for name in frame.index.names]
    roles = [_role(name, reading) for name in names]
    if len(roles) == 1 and roles[0] is None and "dataset" not in columns:
        return ("dataset",)
    named = [role for role in roles if role is not None]
    if len(named) == len(roles) == len(set(named)):
        return tuple(named)
    called = [role or _called_algorithms(name) for role, name in zip(roles, names, strict=True)]
    free = iter(role for role in ("dataset", "fold", "run") if role not in (*called, *columns))
    wish = [role or next(free, "run") for role in called]
    if all(name is not None for name in names):
        told = ", ".join(
            f"{role}={name!r}"
            for role, name, known in zip(wish, names, roles, strict=True)
            if known is None
        )
        remedy = f"Pass {told} if that is what they hold"
    else:
        remedy = f"Name them, as in frame.index.names = {wish!r}"
    told_names = ", ".join("one without a name" if name is None else repr(name) for name in names)
    raise DataError(
        f"frame has row labels of {plural(len(names), 'level')}: {told_names}. {remedy}; {_WHICH}."
    )
