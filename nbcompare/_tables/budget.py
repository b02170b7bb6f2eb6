"""How much is read at most: one budget for the readers of all formats.

A small file can stand for more than any memory holds: it may be compressed, or say how large it is
and lie. Every reader asks here before it goes on.
"""

from __future__ import annotations

import io
import os
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO, cast

from nbcompare._display import current
from nbcompare._validation import DataError

MOST_CELLS = 200_000_000
MOST_BYTES = 4_000_000_000
# Unless the caller sets a limit, larger files must not unpack to more than so many times their size
_FREELY_UNPACKED, _RATIO = 256_000_000, 100
WIDEST = 2**14  # columns, as many as a spreadsheet has
_OF_A_VALUE = 64  # bytes that a value of JSON takes in memory, at least


def _limit(name: str, usual: int) -> tuple[int, bool]:
    """Return a limit, and whether somebody has set it."""
    said = getattr(current(), name) or os.environ.get(f"NBCOMPARE_{name.upper()}", "")
    return (int(said), True) if str(said).isdecimal() else (usual, False)


def check_cells(number: int, source: str, usual: int = MOST_CELLS) -> None:
    """Refuse a table of more cells than may be read; ``number`` is how many there are so far.

    ``usual`` is the limit unless somebody has set one.
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
