"""Files of any format, and JSON: records, or what pandas writes."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain
from pathlib import Path
from typing import Any, TextIO

from nbcompare._tables.delimited import read_delimited
from nbcompare._tables.frames import from_parquet
from nbcompare._tables.lines import (
    COMPRESSED_SUFFIXES,
    PARQUET_SUFFIXES,
    STANDARD_INPUT,
    TEXT_SUFFIXES,
    check_cells,
    check_json,
    check_width,
    checked_file,
    lines_of,
    opened_text,
    standard_input,
    suffix_of,
    whole_text,
)
from nbcompare._tables.spreadsheet import read_sheet
from nbcompare._tables.table import RawTable, table_of
from nbcompare._tables.text_format import PLAIN, TextFormat
from nbcompare._validation import DataError, because, shown

_RECORDS = '[{"dataset": "iris", "A": 0.9}, ...]'
_TO_RECORDS = f"Write it as a list of records, {_RECORDS}, as the orient 'records' of pandas does."
_LONG = 2**16  # characters that may be more values than memory holds
_FREELY_EMPTY = 1_000_000  # cells


def read_records(stream: TextIO, source: str, text: TextFormat) -> RawTable:
    """Read a file with a record in each line."""
    return _of_records(_by_line(lines_of(stream, source), source), source, text)


def read_json(stream: TextIO, source: str, text: TextFormat) -> RawTable:
    """Read a list of records, or an object of columns if it can be nothing else."""
    content = whole_text(stream, source, "Write one record in each line of a .jsonl file.")
    found = parsed_json(content, source)
    if isinstance(found, list):
        records = ((f"record {number}", one) for number, one in enumerate(found, start=1))
        return _of_records(records, source, text)
    if isinstance(found, dict):
        return table_of(source, _index_first(_of_object(found, source)), text=text)
    raise DataError(f"{source} holds {shown(found)}, which is not a table. {_TO_RECORDS}")


# ------------------------------------------------------------------------------ parsing


def parsed_json(content: str, where: str) -> Any:
    """Return what JSON text says; ``where`` names it in errors."""
    if len(content) > _LONG:
        check_json(content, where)
    try:
        return _DECODER.decode(content)
    except RecursionError:
        raise DataError(f"{where} nests its lists or objects too deeply to be a table.") from None
    except json.JSONDecodeError as error:
        if not content.strip():
            raise DataError(f"{where} is not readable JSON: it is empty.") from None
        if "Extra data" in error.msg and content[: error.pos].rstrip().endswith("}"):
            raise DataError(
                f"{where} holds several JSON values, one after the other. If each line is a "
                "record, let its name end in .jsonl."
            ) from None
        raise DataError(f"{where} is not readable JSON{because(error)}.") from None
    except _TwiceError as error:
        raise DataError(
            f"{where}: the name {shown(str(error))} stands twice in one object."
        ) from None
    except ValueError as error:  # a number with too many digits
        raise DataError(f"{where} is not readable JSON{because(error)}.") from None


class _TwiceError(ValueError):
    """Two values under one name."""


def _distinct(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) < len(pairs):
        raise _TwiceError(Counter(name for name, _ in pairs).most_common(1)[0][0])
    return made


_DECODER = json.JSONDecoder(object_pairs_hook=_distinct)


def _by_line(lines: Iterable[str], source: str) -> Iterator[tuple[str, Any]]:
    for number, line in enumerate(lines, start=1):
        content = line.removeprefix("\ufeff") if number == 1 else line
        if content.strip():
            where = f"line {number}"
            yield where, parsed_json(content, f"{source}, {where}")


# ------------------------------------------------------------------------------ layouts


def _of_records(records: Iterable[tuple[str, Any]], source: str, text: TextFormat) -> RawTable:
    """Return the table of records; one without a name has an empty cell there."""
    columns: dict[str, list[Any]] = {}
    n_values = 0
    for count, (where, record) in enumerate(records):
        if not isinstance(record, dict):
            raise DataError(
                f"{source}, {where} must be a record, such as "
                f'{{"dataset": "iris", "A": 0.9}}; got {shown(record)}.'
            )
        for name in record:
            if name not in columns:
                columns[name] = [None] * count
        check_width(len(columns), source)
        n_values, n_cells = n_values + len(record), (count + 1) * len(columns)
        check_cells(n_cells, source)
        if n_cells > _FREELY_EMPTY + 100 * n_values:
            raise DataError(
                f"{source}: its records have so different names that {n_cells:,} cells would hold "
                f"{n_values:,} values. Give all records the same names."
            )
        for name, cells in columns.items():
            cells.append(record.get(name))
    return table_of(source, _index_first(columns), text=text)


def _of_object(found: Mapping[str, Any], source: str) -> dict[str, list[Any]]:
    """Return the columns of an object as pandas writes it."""
    values = list(found.values())
    are_lists, are_objects = (all(isinstance(it, kind) for it in values) for kind in (list, dict))
    if not values or not (are_lists or are_objects):
        raise _no_table(source)
    if are_lists:
        if len(set(map(len, values))) > 1 or any(isinstance(it, list) for it in chain(*values)):
            raise _no_table(source, ": its columns must be of the same length, and hold no lists")
        return dict(found)
    # a name for each row or for each column: only numbers of rows tell which
    rows = [str(row) for row in range(len(values[0]))]
    if not rows or any(one.keys() != {*rows} for one in values):
        what = "of objects, which may be its rows or its columns"
        raise DataError(f"{source} holds an object {what}. {_TO_RECORDS}")
    return {name: [one[row] for row in rows] for name, one in found.items()}


def _no_table(source: str, told: str = "") -> DataError:
    return DataError(f"{source} holds an object that is not a table{told}. {_TO_RECORDS}")


def _index_first(columns: dict[str, list[Any]]) -> dict[str, list[Any]]:
    """Return the columns, before them the one without a name, which is the index of pandas."""
    return {"": columns.pop(""), **columns} if "" in columns else columns


_LINE_SUFFIXES = (".jsonl", ".ndjson")  # a record in each line
_JSON_SUFFIXES = (".json", *_LINE_SUFFIXES)
_SHEET_SUFFIXES = (".xlsx", ".xlsm")
# What the name of a readable file ends in; text may be compressed, and has one of these at its end
SUFFIXES = (*TEXT_SUFFIXES, *_JSON_SUFFIXES, *_SHEET_SUFFIXES, *PARQUET_SUFFIXES)
ENDINGS = (
    *SUFFIXES,
    *(f"{s}{c}" for s in (*TEXT_SUFFIXES, *_JSON_SUFFIXES) for c in COMPRESSED_SUFFIXES),
)
_STDIN_NAME = "standard input"


def read(path: str | Path, *, text: TextFormat = PLAIN, sheet: str | None = None) -> RawTable:
    """Read a file of any format, or standard input.

    Parameters
    ----------
    path : str or Path
        The suffix tells the format: one of ``SUFFIXES``, text also with .gz or .zst. ``-`` is
        text from standard input.
    text : TextFormat
        How a text file is written. Parquet files need no such thing.
    sheet : str, optional
        Sheet of a spreadsheet.
    """
    if str(path) == STANDARD_INPUT:
        _refuse_sheet(sheet, _STDIN_NAME)
        with standard_input(text.encoding, _STDIN_NAME) as stream:
            return read_delimited(lines_of(stream, _STDIN_NAME), _STDIN_NAME, None, text)
    file = _existing(path)
    suffix = suffix_of(file)
    if suffix in _SHEET_SUFFIXES:
        return read_sheet(file, sheet, text)
    _refuse_sheet(sheet, file.name)
    if suffix in PARQUET_SUFFIXES:
        return from_parquet(file)
    with opened_text(file, text.encoding) as stream:
        if suffix in _JSON_SUFFIXES:
            of_json = read_records if suffix in _LINE_SUFFIXES else read_json
            return of_json(stream, file.name, text)
        return read_delimited(lines_of(stream, file.name), file.name, file, text)


def _refuse_sheet(sheet: str | None, source: str) -> None:
    if sheet is not None:
        raise ValueError(f"`sheet` must be None, since {source} is no spreadsheet (.xlsx).")


def _existing(path: str | Path) -> Path:
    if not isinstance(path, str | Path):
        raise TypeError(
            f"`path` must be a str or Path; got {type(path).__name__}. What is in memory has "
            "methods of its own: from_frame for a dataframe, from_array for an array, and "
            "Experiment.from_sklearn for results of scikit-learn."
        )
    file = Path(path)
    known = (
        (*TEXT_SUFFIXES, *_JSON_SUFFIXES)
        if file.suffix.lower() in COMPRESSED_SUFFIXES
        else SUFFIXES
    )
    if file.exists() and not (file.is_dir() or file.is_file()):
        checked_file(file)
    if file.is_dir():
        raise IsADirectoryError(
            f"`path` must name a file; {str(path)!r} is a directory, with no results of a program "
            "that is recognised. A pattern, such as 'results/{algorithm}.csv', names files."
        )
    if suffix_of(file) not in known:
        raise DataError(f"`path` must end in one of {', '.join(SUFFIXES)}; got {file.name!r}.")
    if not file.exists():
        raise FileNotFoundError(f"`path` must name a file; there is no {str(path)!r}.")
    checked_file(file)
    return file
