"""Reading large tables of scores, beside the readers of pandas and polars on the same files.

``python benchmarks/reading.py`` prints a table; ``--help`` lists its options. Every reading
happens in a process of its own, the readers take turns, and the least of several runs counts:
processor time (of all threads), wall time, and how much the memory of the process grew at its
peak. Imports are not counted. Both times are compared: all three use several threads, which wall
time rewards and processor time does not.
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

_READERS = {
    "nbcompare": (
        "import narwhals, polars, nbcompare; nbcompare.Experiment",
        "nbcompare.Experiment.read(path, direction='maximize')",
    ),
    "histories": (
        "import narwhals, polars, nbcompare; nbcompare.Histories",
        "nbcompare.Histories.read(path, direction='minimize')",
    ),
    "pandas": (
        "import pandas, pyarrow.parquet",
        "pandas.read_csv(path) if path.endswith('.csv') else pandas.read_parquet(path)",
    ),
    "polars": (
        "import polars",
        "polars.read_csv(path) if path.endswith('.csv') else polars.read_parquet(path)",
    ),
}
# The threads that a library starts at its first use belong to the reading.
MEASURE = """
import json, resource, sys, time
path = sys.argv[1]
{imports}
def used():
    told = resource.getrusage(resource.RUSAGE_SELF)
    return told.ru_utime + told.ru_stime, time.perf_counter(), told.ru_maxrss / 1024
before = used()
kept = {reading}
print(json.dumps([after - start for after, start in zip(used(), before)]))
"""


def write_tables(folder: Path, scale: float) -> dict[str, Path]:
    """Write a wide table, a long one, a long one in no order, and logs, each as CSV and Parquet."""
    import polars as pl

    generator = np.random.default_rng(0)
    files: dict[str, Path] = {}

    def written(name: str, frame: pl.DataFrame) -> None:
        for suffix in ("csv", "parquet"):
            path = files[f"{name}, {suffix}"] = folder / f"{name.replace(' ', '_')}.{suffix}"
            if not path.exists():
                getattr(frame, f"write_{suffix}")(path)

    n = round(1_000_000 * scale)
    wide = {"dataset": [f"problem {i}" for i in range(n)]}
    scores = generator.random((20, n)).round(6)
    written("wide", pl.DataFrame(wide | {f"A{j}": scores[j] for j in range(20)}))
    n_datasets = max(1, round(1_000 * scale))
    rows = np.arange(n_datasets * 20 * 1_000)
    algorithms = pl.Series([f"algorithm {j}" for j in range(20)])
    datasets = pl.Series([f"problem {i}" for i in range(n_datasets)])
    long = pl.DataFrame(
        {
            "dataset": datasets.gather(rows // 20_000),
            "algorithm": algorithms.gather(rows // 1_000 % 20),
            "run": rows % 1_000 + 1,
            "score": generator.random(rows.size).round(6),
        }
    )
    written("long", long)
    written("long shuffled", long.sample(fraction=1, shuffle=True, seed=0))
    n_logs = max(1, round(40 * scale))
    rows = np.arange(n_logs * 20 * 30 * 125)
    logs = pl.DataFrame(
        {
            "problem": datasets.gather(rows // 75_000 % n_datasets),
            "algorithm": algorithms.gather(rows // 3_750 % 20),
            "run": rows // 125 % 30 + 1,
            "evaluations": (rows % 125 + 1) * 800,
            "value": np.exp(-(rows % 125) / 9)
            * (1 + generator.random(rows.size // 125).repeat(125)),
        }
    )
    written("logs", logs)
    return files


def measured(reader: str, path: Path) -> list[float]:
    """Seconds of the processor, seconds on the clock, and MiB, of one reading in a new process."""
    imports, reading = _READERS[reader]
    code = MEASURE.format(imports=imports, reading=reading)
    line = [sys.executable, "-c", code, str(path)]
    done = subprocess.run(line, check=True, capture_output=True, text=True)
    told: list[float] = json.loads(done.stdout)
    return told


def bench_reading(files: dict[str, Path], runs: int) -> None:
    print(f"{'':24}{'processor s':^27}{'wall s':^27}{'peak MiB':^27}{'ratio to the fastest':>22}")
    peers = f"{'ours':>9}{'pandas':>9}{'polars':>9}"
    print(f"{'':24}{peers * 3}{'processor':>14}{'wall':>8}")
    for name, path in files.items():
        ours = "histories" if name.startswith("logs") else "nbcompare"
        readers = (ours, "pandas", "polars")
        taken = [[measured(reader, path) for reader in readers] for _ in range(runs)]
        least = np.min(taken, axis=0)
        line = "".join(f"{least[i, 0]:>9.2f}" for i in range(3))
        line += "".join(f"{least[i, 1]:>9.2f}" for i in range(3))
        line += "".join(f"{least[i, 2]:>9.0f}" for i in range(3))
        line += "".join(
            f"{least[0, i] / min(least[1, i], least[2, i]):>{width}.2f}"
            for i, width in ((0, 14), (1, 8))
        )
        print(f"{f'{name}, {path.stat().st_size / 1e6:.0f} MB':24}{line}", flush=True)


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    asked.add_argument("--scale", type=float, default=1.0, help="1: 1 M x 20, and 20 M rows")
    asked.add_argument("--runs", type=int, default=3)
    asked.add_argument("--only", default="", help="begin of the name, such as 'long'")
    asked.add_argument("--folder", type=Path, help="where the files are kept for the next time")
    given = asked.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        folder = given.folder or Path(temporary)
        with ProcessPoolExecutor(
            1
        ) as other:  # the peak of a new process begins at that of its parent
            files = other.submit(write_tables, folder, given.scale).result()
        chosen = {name: path for name, path in files.items() if name.startswith(given.only)}
        bench_reading(chosen, given.runs)


if __name__ == "__main__":
    main()
