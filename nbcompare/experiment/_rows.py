"""What names the rows of a wide table: data sets, folds and runs, or algorithms."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from nbcompare._tables import RawTable
from nbcompare._validation import DataError, listed
from nbcompare.experiment._reading import Reading
from nbcompare.experiment._roles import NAMES, bare, holds_words, may_label, refuse_two

_BESIDE = {"fold": "folds", "run": "runs"}


def row_roles(table: RawTable, roles: dict[str, str], reading: Reading) -> dict[str, str]:
    """Return the columns that name the rows of a wide table, and all others with a role.

    Parameters
    ----------
    table : RawTable
        Without the columns to leave out.
    roles : dict of str to str
        Columns that the caller named, or that are called just like a role.
    reading : Reading
        What the caller says of the table.
    """
    if reading.transpose:
        label = _label_column(table, roles, reading, "algorithm")
        return {} if label is None else {"algorithm": label}
    named = {role: name for role, name in roles.items() if reading.columns.get(role)}
    candidates = {
        role: [named[role]] if role in named else _candidates(table, role, named, reading)
        for role in _BESIDE
    }
    unsure = [name for names in candidates.values() for name in names]
    known = {role: name for role, name in roles.items() if role not in _BESIDE}
    label = _label_column(table, known, reading, "dataset", unsure)
    found = {role: name for role, name in roles.items() if role in ("domain", "higher_is_better")}
    if label is None and not reading.columns.get("domain"):
        label = found.pop("domain", None)  # what else could it be the domain of?
    if label is not None:
        found["dataset"] = label
    for role, names in candidates.items():
        if role in named:
            found[role] = named[role]
        elif names and (label is None or _repeats(table, label)):
            if len(names) > 1:
                refuse_two(table, role, names)
            if may_label(table, role, names[0]):
                found[role] = names[0]
    if label is None and not named.keys() & _BESIDE.keys() and not _tell_apart(table, found):
        found = {role: name for role, name in found.items() if role not in _BESIDE}
    for role, names in candidates.items():
        left = [name for name in names if name not in found.values()]
        if left:
            raise DataError(
                f"{table.source}: column {left[0]!r} may name {_BESIDE[role]}, or hold the scores "
                f"of an algorithm. Pass {role}={left[0]!r} if it names {_BESIDE[role]}, "
                f"ignore=[{left[0]!r}] to leave it out, or keep=[{left[0]!r}] if it holds scores."
            )
    return found


def _candidates(table: RawTable, role: str, named: dict[str, str], reading: Reading) -> list[str]:
    """Return columns that are called like folds or runs and hold labels."""
    taken = {*named.values(), *reading.keep, *(reading.algorithms or ())}
    names = [name for name in table.columns if name not in taken and bare(name) in NAMES[role]]
    exact = [name for name in names if bare(name) == role]
    # a file may have labels in a column of that very name, even if they look like scores
    return [
        name
        for name in (exact if len(exact) == 1 else names)
        if may_label(table, role, name) or (name in exact and table.text is not None)
    ]


def _repeats(table: RawTable, label: str) -> bool:
    labels = table.labels(label)
    return len(set(labels)) < len(labels)


def _tell_apart(table: RawTable, found: dict[str, str]) -> bool:
    """Tell whether folds and runs name every row of a table with one data set.

    One row can tell nothing. Numbers of folds count them; seeds may be any whole numbers.
    """
    columns = [found[role] for role in _BESIDE if role in found]
    if table.n_rows < 2 or not columns:
        return False
    rows = list(zip(*(table.labels(name) for name in columns), strict=True))
    if len(set(rows)) < len(rows):
        return False
    fold = found.get("fold")
    if fold is None or len(columns) > 1:
        return True
    labels = table.labels(fold)
    numbered = all(label.isdecimal() for label in labels)
    return not numbered or counts(np.array(labels, dtype=np.float64))


def _label_column(
    table: RawTable,
    roles: dict[str, str],
    reading: Reading,
    role: str,
    unsure: list[str] | None = None,
) -> str | None:
    """Find the column that names the rows, if there is one, without guessing.

    Parameters
    ----------
    table, roles, reading
        As in :func:`row_roles`.
    role : {"dataset", "algorithm"}
        What the rows are.
    unsure : list of str, optional
        Columns that may name folds or runs, so that they name no data sets.
    """
    if role in reading.columns:
        return roles[role]
    left_out = {*(unsure or ()), *reading.keep, *(reading.algorithms or ())}
    left_out |= {name for other, name in roles.items() if other not in (role, "algorithm", "score")}
    names = [name for name in table.columns if name != table.index and name not in left_out]
    called = _called(table, names, roles, role)
    index = None if table.index in left_out else table.index
    if index is not None and not table.counts_rows:
        if called not in (None, index) and bare(called or "") == bare(role):
            raise DataError(
                f"{table.source}: data sets may be named by the index or by column "
                f"{called!r}. Pass dataset={called!r}, "
                "or rename the column if the index names them."
            )
        return index
    if called is not None:
        return called
    if names and not names[0]:
        # row names as R and pandas write them: a first column without a name
        return None if unsure and _counts_lines(table, names[0]) else names[0]
    words = [name for name in names if table.is_only_text(name)]
    if len(words) > 1:
        for name in words:
            table.refuse_other_decimal_mark(name)
        raise DataError(
            f"{table.source}: columns {listed(words)} hold text, so the table may be long. "
            "Pass dataset=, algorithm= and score= for a row per score. For a column per "
            f"algorithm, name the column of data sets and leave out the others, such as "
            f"{role}={words[0]!r} with ignore={words[1:]!r}."
        )
    if words:
        table.refuse_other_decimal_mark(words[0], names_rows(words[0], role))
        return words[0]
    if index is not None:
        return index
    first = names[0] if names else ""
    if len(names) > 1 and role == "dataset" and _is_id(first) and _differ(table, first):
        raise DataError(
            f"{table.source}: column {first!r} may number the data sets, or hold the scores of an "
            f"algorithm. Pass dataset={first!r} if it numbers them, ignore=[{first!r}] to leave "
            f"it out, or keep=[{first!r}] if it holds scores."
        )
    if len(names) > 1 and not table.is_text(names[0]) and counts(table.columns[names[0]]):
        raise DataError(
            f"{table.source}: column {names[0]!r} counts its rows, so it may number the data "
            f"sets or hold scores. Pass dataset={names[0]!r} if it numbers them; "
            "otherwise add a column 'dataset'."
        )
    return None


def _called(table: RawTable, names: list[str], roles: dict[str, str], role: str) -> str | None:
    """Return the column that is called like what the rows are."""
    if role in roles:
        return roles[role]
    found = [name for name in names if bare(name) in NAMES[role] and holds_words(table, name)]
    if len(found) > 1:
        refuse_two(table, role, found)
    return found[0] if found else None


def _is_id(name: str) -> bool:
    """Tell whether a column is called like data sets, or like their numbers."""
    word = bare(name)
    return (
        word in NAMES["dataset"]
        or word.removesuffix("id") in {*NAMES["dataset"], "openml"}
        or (word in ("did", "tid"))
    )


def _differ(table: RawTable, name: str) -> bool:
    """Tell whether a column holds a different whole number in every row."""
    if table.is_text(name) or not may_label(table, "dataset", name):
        return False
    labels = table.labels(name)
    return len(labels) > 1 and len(set(labels)) == len(labels)


def names_rows(column: str, role: str = "dataset") -> str:
    """Return what to do if a column that seems to hold scores names the rows."""
    what = "data sets" if role == "dataset" else "algorithms"
    return f" Pass {role}={column!r} if it names {what}."


def counts(column: npt.NDArray[Any]) -> bool:
    """Tell whether a column holds 0, 1, ... or 1, 2, ..., in any order of the rows."""
    ordered = np.sort(column)
    return len(column) > 1 and any(
        bool((ordered == np.arange(start, start + len(column))).all()) for start in (0, 1)
    )


def _counts_lines(table: RawTable, name: str) -> bool:
    labels = table.labels(name)
    return labels in ([str(row + start) for row in range(len(labels))] for start in (0, 1))


def nameless_counter(table: RawTable, roles: dict[str, str]) -> list[str]:
    """Return a first column without a name that only counts rows which others name."""
    return [
        name
        for name in table.columns
        if not name and name not in (*roles.values(), table.index) and _counts_lines(table, name)
    ]
