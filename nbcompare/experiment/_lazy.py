"""Lazy tables of query engines, and Parquet files as one."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from nbcompare._validation import DataError

if TYPE_CHECKING:
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

    path = Path(source).expanduser()
    if path.is_dir():
        files = sorted(file for pattern in _PARQUET for file in path.rglob(pattern))
        if not files:
            raise DataError(f"{path.name} holds no .parquet file.")
    elif path.exists():
        if path.suffix.lower() not in {pattern[1:] for pattern in _PARQUET}:
            raise DataError(
                f"{path.name} must be a Parquet file; Experiment.read reads other formats."
            )
        files = [path]
    else:
        anchor = Path(path.anchor or ".")
        files = sorted(anchor.glob(str(path.relative_to(path.anchor))))
        if not files:
            raise FileNotFoundError(f"there is no file {str(source)!r}.")
    names = [str(file) for file in files]
    with errors_of(path.name):
        if find_spec("polars") is not None:
            import polars as pl

            # partitions by folders name columns: dataset=iris/part-0.parquet
            hive = True if any("=" in part for part in files[0].parent.parts) else None
            return nw.from_native(pl.scan_parquet(names, hive_partitioning=hive)), path.name
        if find_spec("duckdb") is not None:
            import duckdb

            return nw.from_native(duckdb.read_parquet(names)), path.name
    raise ImportError(
        "scanning Parquet files needs Polars or DuckDB: pip install 'nbcompare[scan]'"
    )


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
        raise DataError(f"{source} cannot be read: {error!r}.") from error
