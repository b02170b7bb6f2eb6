"""Scores averaged by an engine from Parquet files, beside the same aggregation by itself.

``python benchmarks/scan.py`` writes 100 million rows (10 files, about 1 GB) and prints a table;
``--help`` lists its options. Every reading happens in a process of its own, as in ``reading.py``;
imports are not counted. The engine's own query returns the mean of each data set and algorithm
over folds of means (or medians) over runs; ``Experiment.scan`` counts folds and runs as well, and
finds scores that are missing or stand there twice, for which it reads the files once more.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import numpy as np
from reading import MEASURE

_OWN = """
    SELECT dataset, algorithm, avg(score) FROM (
        SELECT dataset, algorithm, fold, {statistic}(score) AS score
        FROM read_parquet('{{path}}/*.parquet') GROUP BY ALL) GROUP BY ALL
"""
_SCAN = "nbcompare.Experiment.scan({source}, direction='maximize', statistic='{statistic}')"
_IMPORTS = "import narwhals, pandas, polars, duckdb, pyarrow, nbcompare; nbcompare.Experiment"
_READERS = {
    "Polars, by scan": _SCAN.replace("{source}", "path"),
    "Polars": "polars.scan_parquet(path).group_by('dataset', 'algorithm', 'fold')"
    ".agg(polars.col('score').{statistic}()).group_by('dataset', 'algorithm')"
    ".agg(polars.col('score').mean()).collect(engine='streaming')",
    "DuckDB, by scan": _SCAN.replace("{source}", "duckdb.read_parquet(path + '/*.parquet')"),
    "DuckDB": f"duckdb.sql('''{_OWN}'''.format(path=path)).arrow()",
}


def write_files(folder: Path, millions: float) -> int:
    """Write scores of 20 algorithms with 10 folds of 100 runs, and return how many there are."""
    import pyarrow as pa
    from pyarrow import parquet

    generator = np.random.default_rng(0)
    n_datasets = max(10, round(millions * 50))
    for part, names in enumerate(np.array_split(np.arange(n_datasets), 10)):
        path = folder / f"part{part}.parquet"
        if path.exists():
            continue
        with parquet.ParquetWriter(path, _schema(pa)) as writer:
            for piece in np.array_split(names, max(1, len(names) // 50)):
                rows = np.arange(len(piece) * 20_000)
                labels = {
                    "dataset": pa.array([f"problem {i}" for i in piece]).take(rows // 20_000),
                    "algorithm": pa.array([f"algorithm {j}" for j in range(20)]).take(
                        rows // 1_000 % 20
                    ),
                    "fold": pa.array(rows // 100 % 10),
                    "run": pa.array(rows % 100),
                    "score": pa.array(generator.random(rows.size)),
                }
                writer.write_table(pa.table(labels, schema=_schema(pa)))
    return n_datasets * 20_000


def _schema(pa: object) -> object:
    kinds = {"dataset": "string", "algorithm": "string", "fold": "int64", "run": "int64"}
    fields = {name: getattr(pa, kind)() for name, kind in kinds.items()}
    return pa.schema(fields | {"score": pa.float64()})  # type: ignore[attr-defined]


def measured(reader: str, statistic: str, folder: Path) -> list[float]:
    """Seconds of the processor, seconds on the clock, and MiB, of one reading in a new process."""
    reading = _READERS[reader].format(statistic=statistic)
    code = MEASURE.format(imports=_IMPORTS, reading=reading)
    line = [sys.executable, "-c", code, str(folder)]
    done = subprocess.run(line, check=True, capture_output=True, text=True)
    told: list[float] = json.loads(done.stdout.splitlines()[-1])
    return told


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    asked.add_argument("--millions", type=float, default=100.0, help="rows")
    asked.add_argument("--runs", type=int, default=3)
    asked.add_argument("--statistic", choices=("mean", "median"), default="mean")
    asked.add_argument("--folder", type=Path, help="where the files are kept for the next time")
    given = asked.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        folder = given.folder or Path(temporary)
        with ProcessPoolExecutor(1) as other:  # whose memory is not the parent's
            rows = other.submit(write_files, folder, given.millions).result()
        size = sum(file.stat().st_size for file in folder.iterdir())
        print(f"{rows:,} rows, {size / 1e9:.2f} GB")
        print(f"{given.statistic + 's':20}{'processor s':>14}{'wall s':>10}{'peak MiB':>12}")
        taken = [
            [measured(reader, given.statistic, folder) for reader in _READERS]
            for _ in range(given.runs)
        ]
        least = dict(zip(_READERS, np.min(taken, axis=0), strict=True))
        for reader, (cpu, wall, peak) in least.items():
            print(f"{reader:20}{cpu:>14.2f}{wall:>10.2f}{peak:>12.0f}")
        for engine in ("Polars", "DuckDB"):
            ratios = least[f"{engine}, by scan"] / least[engine]
            print(f"{engine + ', ratio':20}{ratios[0]:>14.2f}{ratios[1]:>10.2f}{ratios[2]:>12.2f}")


if __name__ == "__main__":
    main()
