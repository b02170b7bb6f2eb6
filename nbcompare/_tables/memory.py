"""What to say if a table does not fit in memory."""

from __future__ import annotations

import io
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from nbcompare._tables.lines import (
    PARQUET_SUFFIXES,
    SEPARATORS,
    TEXT_SUFFIXES,
    is_compressed,
    opened,
    suffix_of,
)

_SAMPLE = 2**16  # bytes in which lines are counted
_OF_A_CELL = 16  # bytes: its column, and its place in the array of scores
_OF_A_LABEL, _OF_A_SCORE = 2, 8  # bytes: its number, if labels are few; a float
_SMALL = 2**20  # bytes of a file, also of a compressed one
_BUFFERS = 2**26  # bytes that polars takes
_SAYS_ITS_SIZE = ".gz"  # the only compressed format that always does
_UNITS = ((1e9, "GB"), (1e6, "MB"))


@contextmanager
def explained(path: Path) -> Iterator[None]:
    """Say in the error about a lack of memory how much the table in a file needs.

    A table that surely does not fit is not begun: polars ends the process if memory runs out.
    """
    free = free_bytes()
    try:
        if free is not None and _least(path) > free:
            raise MemoryError
        yield
    except MemoryError:
        raise MemoryError(_sentence(path, free)) from None


def _least(path: Path) -> int:
    """Return the bytes that a large table takes while it is read, 0 for any other."""
    try:
        if not path.is_file() or path.stat().st_size < _SMALL:
            return 0
        n_rows, n_columns = _size(path)
    except Exception:  # who reads the file says what is wrong with it
        return 0
    least = n_rows * (n_columns * _OF_A_LABEL + _OF_A_SCORE)
    return 0 if least < _BUFFERS // 4 else least + _BUFFERS


def _sentence(path: Path, free: int | None) -> str:
    try:
        n_rows, n_columns = _size(path)
    except Exception:  # whatever is wrong with the file, the lack of memory came first
        return f"{path.name} needs more memory than there is."
    about = "" if suffix_of(path) in PARQUET_SUFFIXES else "about "
    size = f"{path.name}: {about}{n_rows:,} rows of {n_columns} columns need"
    need = n_rows * n_columns * _OF_A_CELL
    remedy = "Split the file by data sets and read the parts, or take a machine with more memory."
    if free is None or need <= free:
        there = "there is" if free is None else f"the {in_bytes(free)} that were free"
        return f"{size} more memory than {there}. {remedy}"
    fit = free // (n_columns * _OF_A_CELL)
    return (
        f"{size} about {in_bytes(need)}, and {in_bytes(free)} were free, enough for about "
        f"{_rounded(fit):,} of these rows. {remedy}"
    )


def in_bytes(count: float) -> str:
    """Return a number of bytes in MB or GB."""
    size, unit = next((one for one in _UNITS if count >= one[0]), _UNITS[-1])
    return f"{count / size:.1f} {unit}"


def _size(path: Path) -> tuple[int, int]:
    """Return numbers of rows and columns; the rows of a text file are estimated.

    Raises
    ------
    ValueError
        For a file of another format, which does not say it.
    """
    if suffix_of(path) in PARQUET_SUFFIXES:
        import polars as pl

        n_rows = pl.scan_parquet(path, glob=False).select(pl.len()).collect().item()
        return n_rows, len(pl.read_parquet_schema(path))
    packed = path.suffix.lower() == _SAYS_ITS_SIZE
    if suffix_of(path) not in TEXT_SUFFIXES or (is_compressed(path) and not packed):
        raise ValueError(path.name)
    n_bytes = path.stat().st_size
    if packed:
        with path.open("rb") as stream:
            stream.seek(-4, io.SEEK_END)  # where gzip keeps the length of the text
            n_bytes = int.from_bytes(stream.read(4), "little")
    with opened(path) as stream:
        header, _, sample = stream.read(_SAMPLE).partition(b"\n")
        if not packed:
            stream.seek(n_bytes // 2)  # rows may grow longer
            sample += stream.read(_SAMPLE)
    n_rows = round((n_bytes - len(header)) * sample.count(b"\n") / len(sample))
    return _rounded(n_rows), 1 + max(header.count(mark.encode()) for mark in SEPARATORS)


def _rounded(count: int) -> int:
    """Return a number of two digits that say something."""
    return int(round(count, 2 - len(str(count))))


def free_bytes() -> int | None:
    """Return how many bytes this process may still take; None where nothing tells."""
    found = []
    try:
        with Path("/proc/meminfo").open() as lines:
            found += [int(line.split()[1]) * 1024 for line in lines if "MemAvailable" in line]
        import resource

        limit = resource.getrlimit(resource.RLIMIT_AS)[0]
        if limit != resource.RLIM_INFINITY:
            taken = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
            found.append(max(0, limit - taken))
    except (ImportError, OSError, ValueError):
        pass
    return min(found, default=None)
