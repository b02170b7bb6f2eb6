"""ARFF files: any, the runs of an ASlib scenario, and results of the Weka Experimenter.

The csv module reads their rows. scipy refuses attributes of text, which ASlib has, and liac-arff
takes a time exponential in the number of declared values over a damaged declaration.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Collection, Sequence
from typing import Any

from nbcompare import _tables
from nbcompare._validation import DataError, listed
from nbcompare.formats.given import Given, Imported, header

_RUNS, _DESCRIPTION = "algorithm_runs.arff", "description.txt"
_ASLIB = {
    "dataset": "instance_id",
    "algorithm": "algorithm",
    "run": "repetition",
    "status": "runstatus",
}
_WEKA = {"dataset": "Key_Dataset", "algorithm": "Key_Scheme", "run": "Key_Run", "fold": "Key_Fold"}
OF_ASLIB, OF_ANY = r"(?i)@attribute\s+['\"]?runstatus\b", r"(?i)@attribute\s"
OF_WEKA = rf"(?i)@attribute\s+['\"]?Key_Scheme\b|{header('Key_Dataset', 'Key_Scheme')}"
_OPTIONS, _NO_OPTIONS = "Key_Scheme_options", "no options"
_NO_MEASURES = ("Date_time", "Key_Scheme_version_ID")
_DIRECTIONS = {"true": "maximize", "false": "minimize"}
_ATTRIBUTE = re.compile(r"@attribute\s+('[^']*'|\"[^\"]*\"|\S+)\s+(\S+)", re.IGNORECASE)
_QUOTED = re.compile(r"(?:^|,)\s*'", re.MULTILINE)  # as Weka quotes cells


def read(given: Given) -> Imported:
    """Return the table of a file of which only the attributes are known."""
    return Imported(given.from_columns(_attributes(given.content(), given.name)), {})


def read_aslib(given: Given) -> Imported:
    """Return the runs of a scenario: a folder, or its file of runs."""
    runs = given.path / _RUNS if given.path.is_dir() else given.path
    if not runs.exists():
        raise DataError(f"{given.name} is no scenario of ASlib: it holds no {_RUNS}.")
    columns = _attributes(given.content(runs), runs.name)
    there = {name.casefold(): name for name in columns}
    _refuse_without(list(_ASLIB.values()), there, runs.name)
    reading: dict[str, Any] = {role: there[name] for role, name in _ASLIB.items()}
    reading["ok"] = ["ok"]
    about = runs.with_name(_DESCRIPTION)
    said = given.content(about) if about.exists() else ""
    others = [name for name in there if name not in _ASLIB.values()]
    measures = [word.casefold() for word in _words("performance_measures", said)] or others
    if len(measures) == 1 and measures[0] in there:
        reading["score"] = reading["measure"] = there[measures[0]]
        better = " ".join(_words("maximize", said)).casefold()
        if better in _DIRECTIONS:
            reading["direction"] = _DIRECTIONS[better]
        cutoff = re.fullmatch(r"\d+\.?\d*", " ".join(_words("algorithm_cutoff_time", said)))
        if cutoff and _words("performance_type", said) == ["runtime"]:
            reading["cutoff"] = float(cutoff[0])
    return Imported(given.from_columns(columns), reading)


def _words(name: str, said: str) -> list[str]:
    """Return the words behind a name in a description: on its line, or in a list below it."""
    found = re.search(rf"^{name}[ \t]*:(.*(?:\n[ \t]*-.*)*)", said, re.MULTILINE)
    return re.findall(r"[^\s,'\"\[\]-][^\s,'\"\[\]]*", found[1]) if found else []


def read_weka(given: Given) -> Imported:
    """Return results of the Experimenter, in ARFF or CSV."""
    content = given.content()
    if given.path.suffix.lower() == ".arff":
        columns = _attributes(content, given.name)
    elif _QUOTED.search(content):
        head, *lines = content.splitlines()
        columns = _columns(_tables.check_header(head.split(","), given.name), lines, given.name)
    else:
        table = _tables.read(given.path, text=given.text)
        columns = {name: list(table[name]) for name in table.columns}
    _refuse_without([_WEKA["dataset"], _WEKA["algorithm"]], columns, given.name)
    reading: dict[str, Any] = {role: name for role, name in _WEKA.items() if name in columns}
    schemes = columns[_WEKA["algorithm"]]
    if _OPTIONS in columns:
        columns[_OPTIONS] = [
            _NO_OPTIONS if _tables.is_blank(cell) else cell for cell in columns[_OPTIONS]
        ]
        if len({*zip(schemes, columns[_OPTIONS], strict=True)}) > len({*schemes}):
            reading["algorithm"] = [_WEKA["algorithm"], _OPTIONS]
    reading["ignore"] = [name for name in _NO_MEASURES if name in columns]
    measures = [name for name in columns if name[:4] != "Key_" and name not in _NO_MEASURES]
    if len(measures) == 1:
        reading["score"] = measures[0]
    return Imported(given.from_columns(columns), reading)


def _attributes(content: str, source: str) -> dict[str, Sequence[Any]]:
    """Return the columns of an ARFF file."""
    lines = content.splitlines()
    start = next((i for i, line in enumerate(lines) if line.strip().lower() == "@data"), None)
    declared = [_ATTRIBUTE.match(line.strip()) for line in lines[:start]]
    names = _tables.check_header([one[1].strip("'\"") for one in declared if one], source)
    if start is None or not names:
        raise DataError(f"{source} is no readable ARFF file: it has no @attribute or no @data.")
    return _columns(names, lines[start + 1 :], source)


def _columns(names: list[str], lines: list[str], source: str) -> dict[str, Sequence[Any]]:
    """Return cells in quotation marks of either kind, by column."""
    mark = "'" if any(map(_QUOTED.search, lines)) else '"'
    filled = [line for line in lines if line.strip()[:1] not in ("", "%")]
    rows: list[list[str | None]] = []
    _tables.check_cells(len(filled) * len(names), source)
    try:
        for row in csv.reader(
            filled, quotechar=mark, escapechar="\\", strict=True, skipinitialspace=True
        ):
            if len(row) != len(names):
                raise csv.Error(f"{len(row)} cells for {len(names)} columns")
            rows.append([None if cell.strip() == "?" else cell.strip() for cell in row])
    except csv.Error as error:
        raise DataError(f"{source}, row {len(rows) + 1} cannot be read: {error}.") from None
    return dict(zip(names, zip(*rows, strict=True) if rows else [()] * len(names), strict=True))


def _refuse_without(needed: list[str], there: Collection[str], source: str) -> None:
    missing = [name for name in needed if name not in there]
    if missing:
        raise DataError(f"{source} must have {listed(missing)} among its columns.")
