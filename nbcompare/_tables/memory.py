"""What to say if a table does not fit in memory."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from nbcompare._tables.lines import PARQUET_SUFFIXES, TEXT_SUFFIXES, suffix_of

_SMALL = 2**20  # bytes of a file, also of a compressed one
_BUFFERS = 2**26  # bytes that polars takes
_OF_A_CELL = 8  # bytes, of a file with a cell of text or a number in each of its columns


@contextmanager
def explained(path: Path) -> Iterator[None]:
    """Say in the error about a lack of memory how much the table in a file needs.

    A table that surely does not fit is not begun: polars ends the process if memory runs out.
    """
    free, need = free_bytes(), 0
    try:
        need = _least(path)
        if free is not None and need and need + _BUFFERS > free:
            raise MemoryError
        yield
    except MemoryError:
        needs = f"at least {need / 1e6:,.0f} MB of memory" if need else "more memory than there is"
        there = "" if free is None else f"; {free / 1e6:,.0f} MB were free"
        raise MemoryError(
            f"{path.name} needs {needs}{there}. Split the file by data sets and read the parts, or "
            "take a machine with more memory."
        ) from None


def _least(path: Path) -> int:
    """Return bytes that the table in a large file surely takes; 0 if nobody can say."""
    try:
        n_bytes = path.stat().st_size if path.is_file() else 0
        if n_bytes < _SMALL:
            return 0
        if suffix_of(path) in PARQUET_SUFFIXES:
            import polars as pl

            rows = pl.scan_parquet(path, glob=False).select(pl.len()).collect().item()
            return int(rows) * len(pl.read_parquet_schema(path)) * _OF_A_CELL
        return n_bytes // 2 if suffix_of(path) in TEXT_SUFFIXES else 0
    except Exception:  # who reads the file says what is wrong with it
        return 0


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
