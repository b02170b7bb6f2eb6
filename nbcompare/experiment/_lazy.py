"""Lazy tables of query engines, and Parquet files as one."""

from __future__ import annotations

import os
import sys
import tempfile
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from glob import escape
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from nbcompare._validation import DataError

if TYPE_CHECKING:
    import duckdb
    import narwhals as nw

_PARQUET = ("*.parquet", "*.pq")
ENGINES = {
    "polars": "Polars",
    "duckdb": "DuckDB",
    "dask": "Dask",
    "pyspark": "Spark",
    "ibis": "Ibis",
    "sqlframe": "SQLFrame",
}


def collected(rows: nw.LazyFrame[Any]) -> nw.DataFrame[Any]:
    """Let the engine compute some rows, piece by piece where that must be asked for."""
    if rows.implementation.is_polars():
        return rows.collect(engine="streaming")
    return rows.collect()


def lazy_table(source: Any) -> tuple[nw.LazyFrame[Any], str]:
    """Return a lazy table, and what errors call it."""
    import narwhals as nw

    if isinstance(source, str | Path):
        return _of_files(source)
    with warnings.catch_warnings():
        # narwhals announces that its part for Dask becomes a package of its own
        warnings.filterwarnings("ignore", message="Dask support", category=FutureWarning)
        frame = nw.from_native(nw.to_native(source, pass_through=True), pass_through=True)
    if isinstance(frame, nw.LazyFrame):
        return frame, "the query"
    kind = f"{type(source).__module__.partition('.')[0]} {type(source).__name__}"
    if isinstance(frame, nw.DataFrame):
        raise TypeError(
            f"`source` must be a lazy table or where Parquet files are; got a {kind}, which is in "
            "memory. Experiment.from_frame takes it."
        )
    raise TypeError(
        "`source` must be a lazy table (of Polars, DuckDB, Dask, ...) or where Parquet files are; "
        f"got a {kind}."
    )


def _of_files(source: str | Path) -> tuple[nw.LazyFrame[Any], str]:
    """Return a lazy table of the Parquet files of a folder or a pattern."""
    import narwhals as nw

    if "://" in str(source):
        raise DataError(
            f"{str(source)!r} is an address. Pass what an engine makes of it, such as "
            "polars.scan_parquet(address)."
        )
    path = Path(source).expanduser()
    if path.is_dir():
        above = path
        files = sorted(file for pattern in _PARQUET for file in path.rglob(pattern))
        if not files:
            raise DataError(f"{path.name} holds no .parquet file.")
    elif path.exists():
        if path.suffix.lower() not in {pattern[1:] for pattern in _PARQUET}:
            raise DataError(
                f"{path.name} must be a Parquet file; Experiment.read reads other formats."
            )
        above, files = path.parent, [path]
    else:
        above = next(parent for parent in path.parents if not set("*?[") & set(str(parent)))
        files = sorted(above.glob(str(path.relative_to(above))))
        if not files:
            raise FileNotFoundError(f"there is no file {str(source)!r}.")
    # folders of partitions name columns: dataset=iris/part-0.parquet
    hive = any("=" in part for part in files[0].relative_to(above).parent.parts)
    with errors_of(path.name):
        if find_spec("duckdb") is not None:  # takes less memory, above all for medians
            names = [escape(str(file)) for file in files]
            # by name, for otherwise it rounds to whole numbers if the first file has such scores
            found = _own_duckdb(os.getpid()).read_parquet(
                names, hive_partitioning=hive, union_by_name=True
            )
            return nw.from_native(found), path.name
        if find_spec("polars") is not None:
            import polars as pl

            names = [str(file) for file in files]
            rows = pl.scan_parquet(names, hive_partitioning=hive, glob=False)
            return nw.from_native(rows), path.name
    raise ImportError(
        "scanning Parquet files needs DuckDB or Polars: pip install 'nbcompare[scan]'"
    )


@cache
def _own_duckdb(process: int) -> duckdb.DuckDBPyConnection:
    """Return a DuckDB that leaves nothing in the working folder, nor a bar in a file of output.

    It stays, for early versions close it while tables of it are in use.
    """
    import duckdb

    spilled = Path(tempfile.gettempdir()) / f"nbcompare-duckdb-{process}"
    connection = duckdb.connect(config={"temp_directory": str(spilled)})
    if not sys.stdout.isatty():
        connection.execute("SET enable_progress_bar = false")
    return connection


@contextmanager
def errors_of(source: str) -> Iterator[None]:
    """Say what was being done when an engine complains; its errors are of many classes."""
    try:
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", message="Dask support", category=FutureWarning)
            yield
    except (MemoryError, ImportError, OSError):
        raise
    except Exception as error:
        said = str(error).strip().partition("\n")[0] or repr(error)
        raise DataError(f"{source} cannot be read: {said}") from error
