"""Tables in many files, whose names say of what they are."""

from __future__ import annotations

import re
from collections.abc import Callable
from glob import escape
from pathlib import Path
from typing import Any

import numpy as np

from nbcompare import _tables
from nbcompare._tables import SUFFIXES, RawTable, TextFormat
from nbcompare._validation import DataError, listed, shown
from nbcompare.formats.given import Given, Imported

_ROLE = re.compile(r"\{([^\W\d]\w*)\}")
_ROLES = ("dataset", "algorithm", "fold", "run")  # arguments of Experiment.read
_INDEX = "index"
_EXAMPLE = "results/{algorithm}/{dataset}.csv"


def is_pattern(path: Path) -> bool:
    """Tell whether a path stands for several files: there is no such file, and it has roles."""
    return _ROLE.search(path.as_posix()) is not None and not path.exists()


def read(given: Given, read_file: Callable[[Path, TextFormat], Imported]) -> Imported:
    """Return the rows of all files, with a column for each part of their names."""
    if given.path.is_dir():
        folder = given.path
        files = sorted(file for file in given.path.iterdir() if file.suffix.lower() in SUFFIXES)
        found = [(file, {"file": file.stem}) for file in files]
    else:
        folder = next(it for it in given.path.parents if not _ROLE.search(it.as_posix()))
        found = _matching(given.path)
    if not found:
        raise DataError(f"There is no file {str(given.path)!r}, whatever stands for the roles.")

    def called(path: Path) -> str:  # within the folder, which may be anywhere
        return (Path(folder.name) / path.relative_to(folder)).as_posix()

    tables: list[RawTable] = []
    reading: dict[str, Any] = {}  # what the formats of all files say
    for file, labels in found:
        table, said, _ = read_file(file, given.text)
        same = {name: it for name, it in said.items() if reading.get(name, it) == it}
        reading = {name: it for name, it in same.items() if not tables or name in reading}
        tables.append(table)
        names = tables[0].columns
        if {*tables[-1].columns} != {*names} or {*labels} & {*names}:
            raise DataError(
                f"{file} must have the columns of {found[0][0].name}, {listed(names)}, and none of "
                f"the names {listed(labels)}; got {listed(tables[-1].columns)}."
            )
    columns: dict[str, Any] = {}
    lengths = {called(file): table.n_rows for (file, _), table in zip(found, tables, strict=True)}
    for role in found[0][1]:
        parts = np.array([labels[role] for _, labels in found], dtype=object)
        columns[role] = np.repeat(parts, list(lengths.values()))
    for name in tables[0].columns:
        # the index of pandas must have a name to be given a role
        columns[name or ("" if _INDEX in tables[0].columns else _INDEX)] = _tables.stacked(
            [table.columns[name] for table in tables]
        )
    reading |= {role: role for role in found[0][1] if role in _ROLES}
    source = given.name if given.path == folder else called(given.path)
    return Imported(RawTable(source, columns, text=given.text, files=lengths), reading)


def _matching(pattern: Path) -> list[tuple[Path, dict[str, str]]]:
    """Return the files that a pattern fits, and what stands in place of its roles."""
    between, roles = (_ROLE.split(pattern.as_posix())[start::2] for start in (0, 1))
    if not roles:
        raise DataError(f"`path` must be a folder, or have roles, as {_EXAMPLE}; got {pattern}.")
    literal = list(map(re.escape, between))
    long, short = (re.compile(kind.join(literal)) for kind in ("([^/]+)", "([^/]+?)"))
    head, slash, tail = between[0].rpartition("/")
    found = []
    for file in sorted(
        Path(head or slash or ".").glob("*".join(map(escape, [tail, *between[1:]])))
    ):
        one, other = long.fullmatch(file.as_posix()), short.fullmatch(file.as_posix())
        if one is None or other is None:
            continue
        labels = dict(zip(roles, one.groups(), strict=True))
        if one.groups() != other.groups():
            raise DataError(
                f"{file} fits {pattern} in two ways: {shown(one.groups())} and "
                f"{shown(other.groups())}. Name the files so that one is left."
            )
        if all(labels[role] == label for role, label in zip(roles, one.groups(), strict=True)):
            found.append((file, labels))
    return found
