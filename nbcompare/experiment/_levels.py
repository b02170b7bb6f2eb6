"""Dataframes of pandas whose rows or columns have labels of several levels, made long."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import product
from numbers import Real
from typing import TYPE_CHECKING, Any

import numpy as np

from nbcompare import _tables
from nbcompare._render import plural
from nbcompare._validation import DataError, clean_label, listed, shown
from nbcompare.experiment._no_folds import held, names_measures, refuse_held
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
    if (
        native.columns.nlevels == 1
        and _roles(native.columns.names, reading) == [None]
        and "algorithm" in _roles([*native.index.names, *_columns_of_text(native)], reading)
    ):  # a row per score, some of whose labels stand beside it
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


def _roles(names: Iterable[object], reading: Reading) -> list[str | None]:
    """Return what levels of these names hold, called like a role or like columns that have one.

    A word such as ``seed`` counts only where nothing else is called like the same role.
    """
    given = list(names)
    roles = [_role(name, reading) for name in given]
    words = [
        "" if name is None or role is not None else bare(clean_label(name))
        for name, role in zip(given, roles, strict=True)
    ]
    for role in _ROLES:
        alike = [place for place, word in enumerate(words) if word in NAMES[role]]
        if len(alike) == 1 and role not in roles and getattr(reading, role) is None:
            roles[alike[0]] = role
    return roles


def _columns_of_text(frame: pd.DataFrame) -> list[object]:
    """Return the columns that may name algorithms: a column of scores may be called ``model``."""
    import pandas as pd

    return [
        name
        for name, kind in zip(frame.columns, frame.dtypes, strict=True)
        if str(name).casefold() in _ROLES or not pd.api.types.is_numeric_dtype(kind)
    ]


def _refuse_no_folds(
    names: Sequence[object], roles: Sequence[str | None], labels: Sequence[list[str]], axis: str
) -> None:
    """Refuse levels of statistics or measures in the place of folds or runs.

    Their scores would be averaged. A level that is called ``metric`` has no role at all.
    """
    for place, (name, role, each) in enumerate(zip(names, roles, labels, strict=True)):
        called = "" if name is None else clean_label(name)
        if role not in ("fold", "run") and (role is not None or not names_measures(called)):
            continue
        kind = held(each, called)
        if kind is not None:
            refuse_held(kind, each, called or place, axis, others=len(roles) > 1)


def _meant(
    names: Sequence[object], roles: Sequence[str | None], wish: Sequence[str]
) -> list[str | None]:
    """Return what an error would call the levels; None for one that is called ``metric``."""
    return [
        None if role is None and name is not None and names_measures(clean_label(name)) else hoped
        for name, role, hoped in zip(names, roles, wish, strict=True)
    ]


def _remedy(
    names: Sequence[object], roles: Sequence[str | None], wish: Sequence[str], names_of: str
) -> str:
    """Say how to tell what the levels hold that nothing tells."""
    unknown = [
        (role, clean_label(name))
        for role, name, known in zip(wish, names, roles, strict=True)
        if known is None and name is not None
    ]
    if None in names:
        return f"Name them, as in frame.{names_of}.names = {list(wish)!r}"
    if not unknown:
        return "Each role must be that of one level, and one level must name the algorithms"
    ways = [
        f"{role}={name!r}" + (f" or run={name!r}" if role == "fold" and "run" not in wish else "")
        for role, name in unknown
    ]
    if len(unknown) == 1:
        return f"Pass {ways[0]} if that is what it holds"
    return f"Pass {', '.join(ways)} if that is what they hold"


# ----------------------------------------------------------------------------- columns


def _column_roles(frame: pd.DataFrame, reading: Reading) -> tuple[str, ...]:
    """Return what the levels of the column labels hold, without guessing."""
    labels = frame.columns
    names = list(labels.names)
    roles = _roles(names, reading)
    if labels.nlevels == 1:
        _refuse_no_folds(names, roles, [[clean_label(label) for label in labels]], "column")
        return (roles[0] or "algorithm",)
    levels = _distinct(frame)
    numbered = [_number_folds(level) for level in levels]
    if all(name is None for name in names) and numbered == [False, True]:
        return "algorithm", "fold"
    named = [role for role in roles if role is not None]
    of_rows = _roles(frame.index.names, reading)
    if len(named) == len(roles) == len(set(named)) and "algorithm" in (*named, *of_rows):
        _refuse_no_folds(names, roles, levels, "column")
        return tuple(named)
    wish = _wish(roles, levels, numbered, of_rows)
    _refuse_no_folds(names, _meant(names, roles, wish), levels, "column")
    examples = "; ".join(
        listed(level, most=3)
        if name is None
        else f"{clean_label(name)!r} ({listed(level, most=3)})"
        for name, level in zip(names, levels, strict=True)
    )
    raise DataError(
        f"frame has column labels of {labels.nlevels} levels: {examples}. "
        f"{_remedy(names, roles, wish, 'columns')}; {_WHICH}."
    )


def _wish(
    roles: Sequence[str | None],
    levels: Sequence[list[str]],
    numbered: Sequence[bool],
    of_rows: Sequence[str | None],
) -> list[str]:
    """Return what levels of columns may hold: numbers, statistics and measures no algorithms."""
    wish = list(roles)
    unknown = [place for place, role in enumerate(roles) if role is None]
    if unknown and "algorithm" not in (*roles, *of_rows):
        doubt = [numbered[place] or held(levels[place]) is not None for place in unknown]
        # without a level of other labels, the last is taken, as in fold and algorithm
        wish[unknown[doubt.index(False) if False in doubt else -1]] = "algorithm"
    free = iter(role for role in ("fold", "run", "dataset") if role not in wish)
    return [role or next(free, "run") for role in wish]


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


def _row_roles(
    frame: pd.DataFrame, reading: Reading, columns: Sequence[str] = ()
) -> tuple[str, ...]:
    """Return what the levels of the row labels hold, without guessing."""
    names = [None if name is None else clean_label(name) for name in frame.index.names]
    roles = _roles(names, reading)
    labels = [
        list(map(clean_label, frame.index.get_level_values(level).unique()))
        for level in range(frame.index.nlevels)
    ]
    if len(roles) == 1 and roles[0] is None and "dataset" not in columns:
        return ("dataset",)
    named = [role for role in roles if role is not None]
    if len(named) == len(roles) == len(set(named)):
        _refuse_no_folds(names, roles, labels, "row")
        return tuple(named)
    free = iter(role for role in ("dataset", "fold", "run") if role not in (*roles, *columns))
    wish = [role or next(free, "run") for role in roles]
    _refuse_no_folds(names, _meant(names, roles, wish), labels, "row")
    told_names = ", ".join("one without a name" if name is None else repr(name) for name in names)
    raise DataError(
        f"frame has row labels of {plural(len(names), 'level')}: {told_names}. "
        f"{_remedy(names, roles, wish, 'index')}; {_WHICH}."
    )
