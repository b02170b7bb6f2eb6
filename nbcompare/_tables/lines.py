"""Lines of text files, plain or compressed, and their cells, none longer than memory can bear."""

from __future__ import annotations

import codecs
import csv
import gzip
import io
import sys
import zlib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import BinaryIO, TextIO, cast

from nbcompare._validation import DataError, listed

# A million columns of sixteen characters. Five megabytes of gzip can hold a line of gigabytes,
# and a line must be in memory to be read.
LONGEST_ROW = 2**24
# The first bytes of compressed files, by suffix
_COMPRESSED = {".gz": ("gzip", b"\x1f\x8b"), ".zst": ("Zstandard", b"\x28\xb5\x2f\xfd")}
_LONGEST_TEXT = 2**28  # characters of a file that must be in memory as a whole
STANDARD_INPUT = "-"
# Formats of text with the separator that each has, and formats of Arrow
TEXT_SUFFIXES = {".csv": None, ".txt": None, ".tsv": "\t", ".tab": "\t"}
PARQUET_SUFFIXES = (".parquet", ".pq")
SEPARATORS = (",", ";", "\t")
_LONGEST_RECORD = 100  # lines, if the quoted cells of the header hold line breaks
# Words in errors of the csv module, and in one that is raised among them here.
_IS_OPEN = "unexpected end"
_LONG_CELL = "larger than field limit"
_TOO_LONG = "longer than a row may be"


def is_compressed(file: Path) -> bool:
    """Tell whether the name of a file says that it is compressed."""
    return file.suffix.lower() in _COMPRESSED


def suffix_of(file: Path) -> str:
    """Return the suffix that tells the format; that of the text in a compressed file."""
    return Path(file.stem if is_compressed(file) else file.name).suffix.lower()


def opened(file: Path) -> BinaryIO:
    """Open the bytes of a file, decompressed where its name says that they are compressed."""
    suffix = file.suffix.lower()
    if suffix == ".gz":
        return cast(BinaryIO, gzip.GzipFile(file))
    if suffix != ".zst":
        return file.open("rb")
    try:
        if sys.version_info >= (3, 14):
            from compression import zstd
        else:
            from backports import zstd
    except ImportError:
        raise ImportError(
            "reading .zst files needs Zstandard: pip install 'nbcompare[zstd]'"
        ) from None
    return cast(BinaryIO, zstd.ZstdFile(file))


@contextmanager
def opened_text(file: Path, encoding: str) -> Iterator[TextIO]:
    """Open a file as text, and explain what keeps it from being read as such."""
    try:
        try:
            with io.TextIOWrapper(opened(file), encoding=encoding) as stream:
                yield stream
        except UnicodeError:
            raise _undecodable(file, encoding) from None
    except EOFError:
        raise DataError(
            f"{file.name} is cut off: its compressed data have no end. Copy or download it again."
        ) from None
    except Exception as error:
        is_damage = isinstance(error, gzip.BadGzipFile | zlib.error)
        if not is_damage and type(error).__name__ != "ZstdError":  # whose module may be missing
            raise
        raise _damaged(file, error) from None


@contextmanager
def standard_input(encoding: str, source: str) -> Iterator[TextIO]:
    """Open standard input as text, which stays open."""
    data = getattr(sys.stdin, "buffer", None)
    if data is None:  # replaced by text, or there is none
        yield sys.stdin or io.StringIO()
        return
    start = data.peek(4)[:4] if hasattr(data, "peek") else b""
    stream = io.TextIOWrapper(data, encoding=encoding)
    try:
        yield stream
    except UnicodeError:
        raise _not_text(source, encoding, start, "", "Decompress it first.") from None
    finally:
        stream.detach()


def whole_text(stream: TextIO, source: str, remedy: str = "") -> str:
    """Return all text of a stream, unless it is more than memory should have to hold."""
    content = stream.read(_LONGEST_TEXT + 1)
    if len(content) > _LONGEST_TEXT:
        raise DataError(
            f"{source} has more than {_LONGEST_TEXT:,} characters. "
            f"{remedy or 'Write its scores to a CSV or Parquet file.'}"
        )
    return content.removeprefix("\ufeff")


def _undecodable(file: Path, encoding: str) -> DataError:
    """Return the error about bytes that are no text, with the line in which they stand."""
    with opened(file) as stream:
        start, where = stream.read(4), ""
        stream.seek(0)
        is_by_line = "\n".encode(encoding.removesuffix("-sig")) == b"\n"
        for number, line in enumerate(stream if is_by_line else (), start=1):
            try:
                line.decode(encoding)
            except UnicodeError:
                where = f" (line {number})"
                break
    suffix = next((it for it, (_, mark) in _COMPRESSED.items() if start.startswith(mark)), "")
    remedy = f"Add {suffix} to its name, so that it is read as such."
    return _not_text(file.name, encoding, start, where, remedy)


def _not_text(source: str, encoding: str, start: bytes, where: str, remedy: str) -> DataError:
    for how, mark in _COMPRESSED.values():
        if start.startswith(mark):
            return DataError(f"{source} is compressed by {how}. {remedy}")
    in_two_bytes = start[:2] in (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
    other = "utf-16" if in_two_bytes else "latin-1"
    return DataError(
        f"{source} is not {encoding.removesuffix('-sig')} text{'' if in_two_bytes else where}. "
        f"Pass encoding=, for instance encoding={other!r}."
    )


def _damaged(file: Path, error: Exception) -> DataError:
    suffix = file.suffix.lower()
    how, mark = _COMPRESSED[suffix]
    with file.open("rb") as stream:
        is_marked = stream.read(len(mark)) == mark
    if is_marked:
        return DataError(
            f"{file.name} is damaged: its compressed data do not fit together ({error}). "
            "Copy or download it again."
        )
    return DataError(
        f"{file.name} is not compressed by {how}, though its name says so. "
        f"If it is plain text, take {suffix} from the end of its name."
    )


def lines_of(stream: TextIO, source: str) -> Iterator[str]:
    """Yield the lines of a stream, none longer than memory can bear."""
    for number in count(1):
        line = stream.readline(LONGEST_ROW + 1)
        if not line:
            return
        if len(line) > LONGEST_ROW:
            raise too_long(f"{source}, line {number}")
        yield line


def too_long(where: str) -> DataError:
    """Return the error about a row that is too long to be held in memory."""
    return DataError(
        f"{where} has more than {LONGEST_ROW:,} characters, the most that a row may have. "
        "Check that each row stands in a line of its own and that every quotation mark is "
        "closed; a table as wide as that can be read from a Parquet file."
    )


# ------------------------------------------------------------------------- rows of cells


def record(lines: Iterator[str]) -> str:
    """Return the lines of the next row: quoted cells may hold line breaks."""
    text = next(lines, "")
    for _ in range(_LONGEST_RECORD):
        if len(text) > LONGEST_ROW or not any(_n_cells(text, mark) < 0 for mark in SEPARATORS):
            break
        text += next(lines, "")
    return text


def header_cells(text: str, separator: str, source: str) -> list[str]:
    """Return the cells of the header, of which there must be one."""
    try:
        cells = next(rows_of(io.StringIO(text), separator), [])
    except csv.Error as error:
        raise malformed(f"{source}, the header", error) from None
    if not cells:
        raise DataError(
            f"{source} has no header: its first line names no column. Add the names of the columns."
        )
    return cells


def find_separator(header: str, first_row: str, source: str) -> str:
    """Return the mark that makes as many cells of the first row as of the header."""
    possible = [mark for mark in SEPARATORS if _n_cells(header, mark) > 1]
    if len(possible) < 2:
        return possible[0] if possible else ","
    found = [mark for mark in possible if _n_cells(first_row, mark) == _n_cells(header, mark)]
    if len(found) != 1:
        raise DataError(
            f"{source}: the header could be separated by {listed(found or possible)}. "
            "Pass separator= to settle it."
        )
    return found[0]


def _n_cells(text: str, separator: str) -> int:
    """Return how many cells a row has, fewer than none if one of them does not end."""
    try:
        return len(next(rows_of(io.StringIO(text), separator), ()))
    except csv.Error as error:  # quotation marks in the wrong places for this separator
        return -1 if _IS_OPEN in str(error) else 0


def rows_of(lines: Iterable[str], separator: str) -> Iterator[list[str]]:
    """Yield rows of cells, without blank lines."""
    n_characters = 0

    def counted() -> Iterator[str]:
        nonlocal n_characters
        for line in lines:
            n_characters += len(line)
            if n_characters > LONGEST_ROW:
                raise csv.Error(_TOO_LONG)
            yield line

    for row in csv.reader(counted(), delimiter=separator, strict=True, skipinitialspace=True):
        n_characters = 0
        if len(row) > 1 or (row and row[0].strip()):
            yield row


def malformed(where: str, error: csv.Error) -> DataError:
    """Return an error that says what the csv module found wrong with a row."""
    told = str(error)
    if told == _TOO_LONG:
        return too_long(where)
    if _LONG_CELL in told:
        return DataError(
            f"{where}: a cell has more than {csv.field_size_limit():,} characters. "
            "Check that every quotation mark is closed."
        )
    what = (
        "text follows the closing quotation mark of a cell"
        if "expected after" in told
        else "a quotation mark opens a cell that does not end"
    )
    return DataError(f"{where}: {what}. Inside a quoted cell, write a quotation mark twice.")
