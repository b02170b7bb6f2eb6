"""Files of any format."""

from __future__ import annotations

from pathlib import Path

from nbcompare._tables.budget import checked_file
from nbcompare._tables.delimited import read_delimited
from nbcompare._tables.frames import from_parquet
from nbcompare._tables.lines import (
    COMPRESSED_SUFFIXES,
    PARQUET_SUFFIXES,
    STANDARD_INPUT,
    TEXT_SUFFIXES,
    lines_of,
    opened_text,
    standard_input,
    suffix_of,
)
from nbcompare._tables.records import read_json, read_records
from nbcompare._tables.spreadsheet import read_sheet
from nbcompare._tables.table import RawTable
from nbcompare._tables.text_format import PLAIN, TextFormat
from nbcompare._validation import DataError

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
        raise TypeError(f"`path` must be a str or Path; got {type(path).__name__}.")
    file = Path(path)
    known = (
        (*TEXT_SUFFIXES, *_JSON_SUFFIXES)
        if file.suffix.lower() in COMPRESSED_SUFFIXES
        else SUFFIXES
    )
    if file.exists() and not (file.is_dir() or file.is_file()):
        checked_file(file)
    if suffix_of(file) not in known:
        raise DataError(f"`path` must end in one of {', '.join(SUFFIXES)}; got {file.name!r}.")
    if file.is_dir():
        raise IsADirectoryError(f"`path` must name a file; {str(path)!r} is a directory.")
    if not file.exists():
        raise FileNotFoundError(f"`path` must name a file; there is no {str(path)!r}.")
    checked_file(file)
    return file
