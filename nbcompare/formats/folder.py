"""Tables in many files, whose names say of what they are."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from glob import escape
from pathlib import Path
from typing import Any

import numpy as np

from nbcompare import _tables
from nbcompare._tables import SUFFIXES, RawTable, TextFormat
from nbcompare._validation import DataError, listed, shown
from nbcompare.formats import stable_baselines
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
        found = [([file], {"file": file.stem}) for file in files]
    else:
        folder = _fixed(given.path)
        found = _matching(given.path)
    if not found:
        raise DataError(f"There is no file {str(given.path)!r}, whatever stands for the roles.")

    def called(path: Path) -> str:  # within the folder, which may be anywhere
        return (Path(folder.name) / path.relative_to(folder)).as_posix()

    tables: list[RawTable] = []
    reading: dict[str, Any] = {}  # what the formats of all files say
    notes: dict[tuple[str, str], None] = {}
    for files, labels in found:
        table, said, told = _read_one(files, given.text, read_file)
        notes |= dict.fromkeys(told)
        same = {name: it for name, it in said.items() if reading.get(name, it) == it}
        reading = {name: it for name, it in same.items() if not tables or name in reading}
        tables.append(table)
        names = tables[0].columns
        if {*tables[-1].columns} != {*names} or {*labels} & {*names}:
            raise DataError(
                f"{files[0]} must have the columns of {found[0][0][0].name}, {listed(names)}, and "
                f"none of the names {listed(labels)}; got {listed(tables[-1].columns)}."
            )
    columns: dict[str, Any] = {}
    lengths = {called(it[0]): table.n_rows for (it, _), table in zip(found, tables, strict=True)}
    for role in found[0][1]:
        parts = np.array([labels[role] for _, labels in found], dtype=object)
        columns[role] = np.repeat(parts, list(lengths.values()))
    for name in tables[0].columns:
        # the index of pandas must have a name to be given a role
        columns[name or ("" if _INDEX in tables[0].columns else _INDEX)] = _tables.stacked(
            [table.columns[name] for table in tables]
        )
    if "algorithm" in found[0][1] and reading.get("dataset") == "file":
        del reading["dataset"]  # where each file is an algorithm, none is a data set
    reading |= {role: role for role in found[0][1] if role in _ROLES}
    source = given.name if given.path == folder else called(given.path)
    table = RawTable(source, columns, text=given.text, files=lengths)
    return Imported(table, reading, tuple(notes))


def _fixed(pattern: Path) -> Path:
    """Return the folder in which all files are that a pattern fits."""
    return next(it for it in pattern.parents if not re.search(r"[{*]", it.as_posix()))


def _read_one(
    files: Sequence[Path], text: TextFormat, read_file: Callable[[Path, TextFormat], Imported]
) -> Imported:
    """Return the table in a file, or of a run of which the monitors are in several."""
    if len(files) == 1:
        return read_file(files[0], text)
    return stable_baselines.read_run(files, text)


def _matching(pattern: Path) -> list[tuple[list[Path], dict[str, str]]]:
    """Return what may stand in place of the roles of a pattern, and the files that it fits."""
    between, roles = (_ROLE.split(pattern.as_posix())[start::2] for start in (0, 1))
    if not roles:
        raise DataError(f"`path` must be a folder, or have roles, as {_EXAMPLE}; got {pattern}.")
    literal = [re.escape(part).replace(r"\*", "[^/]*") for part in between]
    long, short = (re.compile(kind.join(literal)) for kind in ("([^/]+)", "([^/]+?)"))
    found: dict[tuple[str, ...], list[Path]] = {}
    folder = _fixed(pattern)
    glob = escape(pattern.relative_to(folder).as_posix()).replace("[*]", "*")
    for file in sorted(folder.glob(_ROLE.sub("*", glob))):
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
            found.setdefault(tuple(labels.values()), []).append(file)
    names = dict.fromkeys(roles)
    return [(files, dict(zip(names, labels, strict=True))) for labels, files in found.items()]
