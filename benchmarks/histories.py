"""Reading a large CSV of logs, beside the readers of polars and pandas on the same file."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

import numpy as np
from timing import best, show

import nbcompare as nbc

# the high-water mark of a process of its own, beyond what its imports take
_MEMORY = """
import sys
from pathlib import Path
import narwhals, pandas, pyarrow.csv
import nbcompare as nbc

def most():
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmHWM"))

nbc.Histories
before = most()
nbc.Histories.read(sys.argv[1], direction="minimize")
print(most() - before)
"""


def write_logs(path: Path, *, even: bool) -> int:
    """Logs of 20 algorithms on 40 problems, 30 runs each, about 125 a run; how many."""
    generator = np.random.default_rng(0)
    count = 0
    with path.open("w") as file:
        file.write("problem,algorithm,run,evaluations,value\n")
        for problem in range(1, 41):
            for algorithm in range(1, 21):
                for run in range(1, 31):
                    if even:
                        evaluations = np.arange(1, 126) * 800
                    else:
                        middle = generator.integers(2, 100_000, generator.integers(110, 140))
                        evaluations = np.unique(np.concatenate([[1], middle, [100_000]]))
                    values = 1e3 * np.exp(-np.cumsum(generator.exponential(0.1, evaluations.size)))
                    count += evaluations.size
                    file.writelines(
                        f"f{problem},algorithm{algorithm},{run},{spent},{value:.10g}\n"
                        for spent, value in zip(evaluations.tolist(), values.tolist(), strict=True)
                    )
    return count


def bench_histories_reading() -> None:
    for kind in ("uneven", "even"):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "logs.csv"
            count = write_logs(path, even=kind == "even")
            size = path.stat().st_size / 1e6
            ours = best(lambda path=path: nbc.Histories.read(path, direction="minimize"), 7)
            peers = {name: best(peer, 7) for name, peer in _peers(path).items()}
            done = subprocess.run(
                [sys.executable, "-c", _MEMORY, str(path)],
                check=True, capture_output=True, text=True,
            )  # fmt: skip
        fastest = min(peers, key=peers.__getitem__)
        ratio = ours / peers[fastest]
        show(
            f"read {count / 1e6:.1f} M {kind} logs, {size:.0f} MB of CSV",
            f"{ours:.2f} s, {fastest} {peers[fastest]:.2f} s: {ratio:.1f}x",
            "< 3x",
        )
        show("  memory at the peak", f"{int(done.stdout) / 1024:.0f} MiB", "")


def _peers(path: Path) -> dict[str, Callable[[], object]]:
    import pandas as pd
    import polars as pl

    return {
        "polars": lambda: pl.read_csv(path),
        "pandas (c)": lambda: pd.read_csv(path, engine="c"),
        "pandas (pyarrow)": lambda: pd.read_csv(path, engine="pyarrow"),
    }


if __name__ == "__main__":
    bench_histories_reading()
