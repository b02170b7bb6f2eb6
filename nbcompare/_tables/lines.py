"""Text files, plain or compressed, line by line, and how much of any file is read at most.

A small file can stand for more than any memory holds: it may be compressed, or say how large it is
and lie. Every reader asks here before it goes on.
"""

from __future__ import annotations

import codecs
import gzip
import io
import os
import stat
import sys
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import BinaryIO, TextIO, cast

from nbcompare._display import current
from nbcompare._validation import DataError

MOST_CELLS = 200_000_000
MOST_BYTES = 4_000_000_000
# Unless the caller sets a limit, larger files must not unpack to more than so many times their size
_FREELY_UNPACKED, _RATIO = 256_000_000, 100
WIDEST = 2**14  # columns, as many as a spreadsheet has
_OF_A_VALUE = 64  # bytes that a value of JSON takes in memory, at least


def _limit(name: str, usual: int) -> tuple[int, bool]:
    """Return a limit, and whether the user has set it."""
    said = getattr(current(), name) or os.environ.get(f"NBCOMPARE_{name.upper()}", "")
    return (int(said), True) if str(said).isdecimal() else (usual, False)


def check_cells(number: int, source: str, usual: int = MOST_CELLS) -> None:
    """Refuse a table of more cells than may be read; ``number`` is how many there are so far.

    ``usual`` is the limit unless the user has set one.
    """
    most, _ = _limit("max_cells", usual)
    if number > most:
        raise DataError(
            f"{source} has more than {most:,} cells, the most that is read. Leave out what is not "
            f"needed, or raise the limit with set_options(max_cells={2 * most})."
        )


def check_bytes(
    number: int, source: str, packed: int | None = None, usual: int = MOST_BYTES
) -> None:
    """Refuse more bytes than may be read; those that were unpacked must be in proportion."""
    most, is_set = _limit("max_bytes", usual)
    allowed = most
    if packed is not None and not is_set:
        allowed = min(most, max(_FREELY_UNPACKED, _RATIO * packed))
    if number > allowed:
        what = f"has more than {allowed:,} bytes"
        if packed is not None:
            what = f"of {packed:,} bytes unpacks to more than {allowed:,}"
        raise DataError(
            f"{source} {what}, the most that is read. Leave out what is not needed, or raise the "
            f"limit with set_options(max_bytes={max(2 * allowed, most)})."
        )


def check_width(number: int, source: str) -> None:
    """Refuse a table of more columns than any spreadsheet has."""
    if number > WIDEST:
        raise DataError(
            f"{source} has {number:,} columns; at most {WIDEST:,} are read. Write a row per score, "
            "with columns for data set, algorithm and score."
        )


def check_json(content: str, source: str) -> None:
    """Refuse JSON of more values than may be read: an empty list takes two characters there."""
    number = sum(map(content.count, ",[{"))
    check_cells(number, source)
    check_bytes(number * _OF_A_VALUE, f"In memory, {source}")


# --------------------------------------------------------------------------------- files


def checked_file(file: Path, *, is_limited: bool = True) -> int:
    """Return the size of a file that can be read to its end; pipes and devices have none.

    ``is_limited`` says whether the whole file is to be read.
    """
    about = file.stat()
    if not stat.S_ISREG(about.st_mode):
        raise DataError(
            f"{file.name} is a pipe or a device, which may never end. Save what comes from it to a "
            "file."
        )
    if not about.st_size:  # so that no file of the system is read, which may wait for ever
        raise DataError(f"{file.name} is empty.")
    if is_limited:
        check_bytes(about.st_size, file.name)
    return about.st_size


def files_under(folder: Path) -> Iterator[Path]:
    """Yield the files in a folder at any depth, however deep; links to folders are not followed."""
    left = [folder]
    while left:
        with os.scandir(left.pop()) as entries:
            there = sorted(entries, key=lambda each: each.name)
        inner = [entry.is_dir(follow_symlinks=False) for entry in there]
        for entry, is_folder in zip(there, inner, strict=True):
            path = Path(entry.path)
            if not is_folder and path.is_file():  # also if links lead in a circle
                yield path
        left += [Path(one.path) for one, is_one in zip(there, inner, strict=True) if is_one][::-1]


class _Measured(io.RawIOBase):
    """A stream that ends with an error where it is too long."""

    def __init__(self, stream: BinaryIO, source: str, packed: int | None) -> None:
        self._stream, self._source, self._packed, self._n_read = stream, source, packed, 0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: bytearray) -> int:  # type: ignore[override]
        count = self._stream.readinto(buffer)  # type: ignore[attr-defined]
        self._n_read += count
        check_bytes(self._n_read, self._source, self._packed)
        return int(count)

    def close(self) -> None:
        if self._packed is not None:  # standard input stays open
            self._stream.close()
        super().close()


def measured(stream: BinaryIO, source: str, packed: int | None = None) -> BinaryIO:
    """Return a stream of bytes that are counted as they are read.

    ``packed`` is the size of the compressed file that they are from.
    """
    return cast(BinaryIO, io.BufferedReader(_Measured(stream, source, packed), 2**18))


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
        suffix = file.suffix.lower()
        raise DataError(
            f"{file.name} is damaged, or is not compressed by {_COMPRESSED[suffix][0]} though its "
            f"name says so. Copy or download it again; or, if it is plain text, take {suffix} from "
            "the end of its name."
        ) from None


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
        raise _not_text(source, encoding, start, "Decompress it first.") from None
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
    """Return the error about bytes that are no text."""
    with opened(file) as stream:
        start = stream.read(4)
    suffix = next((it for it, (_, mark) in _COMPRESSED.items() if start.startswith(mark)), "")
    return _not_text(
        file.name, encoding, start, f"Add {suffix} to its name, so that it is read as such."
    )


def _not_text(source: str, encoding: str, start: bytes, remedy: str) -> DataError:
    for how, mark in _COMPRESSED.values():
        if start.startswith(mark):
            return DataError(f"{source} is compressed by {how}. {remedy}")
    other = "utf-16" if start[:2] in (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE) else "latin-1"
    return DataError(
        f"{source} is not {encoding.removesuffix('-sig')} text. Pass encoding=, for instance "
        f"encoding={other!r}."
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
