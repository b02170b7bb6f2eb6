"""Tables in many files, whose names say of what they are."""

from __future__ import annotations

import re
from glob import escape
from pathlib import Path
from typing import Any

import numpy as np

from nbcompare import _tables
from nbcompare._tables import SUFFIXES, RawTable
from nbcompare._validation import DataError, listed, shown
from nbcompare.formats.given import Given, Imported

_ROLE = re.compile(r"\{([^\W\d]\w*)\}")
_ROLES = ("dataset", "algorithm", "fold", "run")  # arguments of Experiment.read
_EXAMPLE = "results/{algorithm}/{dataset}.csv"


def read(given: Given) -> Imported:
    """Return the rows of all files, with a column for each part of their names."""
    if given.path.is_dir():
        files = sorted(file for file in given.path.iterdir() if file.suffix.lower() in SUFFIXES)
        found = [(file, {"file": file.stem}) for file in files]
    else:
        found = _matching(given.path)
    if not found:
        raise DataError(f"There is no file {str(given.path)!r}, whatever stands for the roles.")
    tables: list[RawTable] = []
    for file, labels in found:
        table = _tables.read(file, labels=given.labels, text=given.text)
        if tables and {*table.columns} != {*tables[0].columns}:
            raise DataError(
                f"{file} must have the columns of {found[0][0]}, {listed(tables[0].columns)}; got "
                f"{listed(table.columns)}."
            )
        if both := [name for name in labels if name in table.columns]:
            raise DataError(f"{file} has a column {both[0]!r}, as its name has.")
        tables.append(table)
    columns: dict[str, Any] = {
        role: np.repeat(
            np.array([labels[role] for _, labels in found], dtype=object),
            [table.n_rows for table in tables],
        )
        for role in found[0][1]
    }
    percents = {}
    for name in tables[0].columns:
        parts = [table.columns[name] for table in tables]
        columns[name] = np.concatenate(parts)
        if columns[name].dtype == object:  # an empty cell is None beside text
            columns[name][[cell != cell for cell in columns[name]]] = None
        none = [np.zeros(table.n_rows, dtype=np.bool_) for table in tables]
        percents[name] = np.concatenate(
            [table.percents.get(name, no) for table, no in zip(tables, none, strict=True)]
        )
    reading = {role: role for role in found[0][1] if role in _ROLES}
    signs = {name: rows for name, rows in percents.items() if rows.any()}
    return Imported(RawTable(given.name, columns, text=given.text, percents=signs), reading)


def _matching(pattern: Path) -> list[tuple[Path, dict[str, str]]]:
    """Return the files that a pattern fits, and what stands in place of its roles."""
    parts = _ROLE.split(pattern.as_posix())  # every other one is a role
    if len(parts) == 1:
        raise DataError(f"`path` must be a folder, or have roles, as {_EXAMPLE}; got {pattern}.")
    expressions = []
    for kind in ("[^/]+", "[^/]+?"):
        seen: set[str] = set()
        expression = ""
        for number, part in enumerate(parts):
            if number % 2 == 0:
                expression += re.escape(part)
            else:
                expression += f"(?P={part})" if part in seen else f"(?P<{part}>{kind})"
                seen.add(part)
        expressions.append(re.compile(expression))
    head, slash, tail = parts[0].rpartition("/")
    stars = "*".join(map(escape, [tail, *parts[2::2]]))
    found = []
    for file in sorted(Path(head or slash or ".").glob(stars)):
        one, other = (expression.fullmatch(file.as_posix()) for expression in expressions)
        if one is None or other is None:
            continue
        if one.groupdict() != other.groupdict():
            raise DataError(
                f"{file} fits {pattern} in two ways: {shown(one.groupdict())} and "
                f"{shown(other.groupdict())}. Name the files so that one is left."
            )
        found.append((file, one.groupdict()))
    return found
