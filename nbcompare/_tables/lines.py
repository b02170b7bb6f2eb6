"""Text files, plain or compressed, and lines that are no longer than memory can bear."""

from __future__ import annotations

import codecs
import gzip
import io
import sys
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from itertools import count
from pathlib import Path
from typing import BinaryIO, TextIO, cast

from nbcompare._tables.budget import checked_file, measured
from nbcompare._validation import DataError

# A million columns of sixteen characters. Five megabytes of gzip can hold a line of gigabytes,
# and a line must be in memory to be read.
LONGEST_ROW = 2**24
# The first bytes of compressed files, by suffix
_COMPRESSED = {".gz": ("gzip", b"\x1f\x8b"), ".zst": ("Zstandard", b"\x28\xb5\x2f\xfd")}
COMPRESSED_SUFFIXES = tuple(_COMPRESSED)
_LONGEST_TEXT = 2**28  # characters of a file that must be in memory as a whole
STANDARD_INPUT = "-"
# Formats of text with the separator that each has, and formats of Arrow
TEXT_SUFFIXES = {".csv": None, ".txt": None, ".tsv": "\t", ".tab": "\t"}
PARQUET_SUFFIXES = (".parquet", ".pq")


def is_compressed(file: Path) -> bool:
    """Tell whether the name of a file says that it is compressed."""
    return file.suffix.lower() in _COMPRESSED


def suffix_of(file: Path) -> str:
    """Return the suffix that tells the format; that of the text in a compressed file."""
    return Path(file.stem if is_compressed(file) else file.name).suffix.lower()


def opened(file: Path) -> BinaryIO:
    """Open the bytes of a file, decompressed where its name says that they are compressed."""
    suffix, size = file.suffix.lower(), checked_file(file)
    if suffix == ".gz":
        return measured(cast(BinaryIO, gzip.GzipFile(file)), file.name, size)
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
    return measured(cast(BinaryIO, zstd.ZstdFile(file)), file.name, size)


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
        raise _damaged(file) from None


@contextmanager
def standard_input(encoding: str, source: str) -> Iterator[TextIO]:
    """Open standard input as text, which stays open."""
    data = getattr(sys.stdin, "buffer", None)
    if data is None:  # replaced by text, or there is none
        yield sys.stdin or io.StringIO()
        return
    start = data.peek(4)[:4] if hasattr(data, "peek") else b""
    stream = io.TextIOWrapper(measured(data, source), encoding=encoding)
    try:
        yield stream
    except UnicodeError:
        raise _not_text(source, encoding, start, "", "Decompress it first.") from None
    finally:
        stream.detach()


def whole_text(stream: TextIO, source: str, remedy: str = "", most: int | None = None) -> str:
    """Return all text of a stream, unless it is more than memory should have to hold."""
    most = most or _LONGEST_TEXT
    content = stream.read(most + 1)
    if len(content) > most:
        raise DataError(
            f"{source} has more than {most:,} characters. "
            f"{remedy or 'Write its scores to a CSV or Parquet file.'}"
        )
    return content.removeprefix("\ufeff")


def _undecodable(file: Path, encoding: str) -> DataError:
    """Return the error about bytes that are no text, with the line in which they stand."""
    with opened(file) as stream:
        start, where = stream.read(4), ""
    with opened(file) as stream:
        is_by_line = "\n".encode(encoding.removesuffix("-sig")) == b"\n"
        lines = iter(partial(stream.readline, LONGEST_ROW), b"") if is_by_line else ()
        for number, line in enumerate(lines, start=1):
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


def _damaged(file: Path) -> DataError:
    suffix = file.suffix.lower()
    how, mark = _COMPRESSED[suffix]
    with file.open("rb") as stream:
        is_marked = stream.read(len(mark)) == mark
    if is_marked:
        return DataError(
            f"{file.name} is damaged: its compressed data do not fit together. "
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
