"""Reading a large CSV of logs, beside the readers of polars and pandas, and folders of logs."""

from __future__ import annotations

import json
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


def write_coco(folder: Path) -> None:
    """The whole of BBOB: 24 functions in 6 dimensions, 15 instances, to 10,000 D evaluations."""
    generator = np.random.default_rng(0)
    header = (
        "% f evaluations | g evaluations | best noise-free fitness - Fopt (7.948000000000e+01) + "
        "sum g_i+ | measured fitness | best measured fitness or single-digit g-values | x1 | x2..."
    )
    for function in range(1, 25):
        (folder / f"data_f{function}").mkdir(parents=True)
        told = []
        for dim in (2, 3, 5, 10, 20, 40):
            name, budget = f"data_f{function}/bbobexp_f{function}_DIM{dim}", 10_000 * dim
            x = " +1.2345e+00" * dim if dim < 22 else ""
            regular = np.unique((10 ** np.arange(0, np.log10(budget), 0.05)).astype(int))
            regular = np.append(regular, budget)
            parts: dict[str, list[str]] = {".dat": [], ".tdat": []}
            for _ in range(15):
                hit = np.append(1, np.unique(generator.integers(2, budget, 600)))
                values = 10 ** np.linspace(2, -6, len(hit))
                best_then = values[np.searchsorted(hit, regular, side="right") - 1]
                logs = zip(parts.values(), (hit, regular), (values, best_then), strict=True)
                for lines, spent, logged in logs:
                    lines.append(header)
                    lines += [
                        f"{e} 0 {v:+10.9e} {v + 79.48:+10.9e} {v + 79.48:+10.9e}{x}"
                        for e, v in zip(spent.tolist(), logged.tolist(), strict=True)
                    ]
            for suffix, lines in parts.items():
                (folder / f"{name}{suffix}").write_text("\n".join(lines) + "\n")
            runs = ", ".join(f"{i}:{budget}|1.0e-06" for i in range(1, 16))
            told.append(
                f"suite = 'bbob', funcId = {function}, DIM = {dim}, Precision = 1.000e-08, "
                f"algId = 'A', coco_version = '2.6.3'\n%\n{name}.dat, {runs}"
            )
        (folder / f"bbobexp_f{function}.info").write_text("\n".join(told))


def write_affine(folder: Path) -> None:
    """Five algorithms on 1,000 many-affine functions, logged as they improve."""
    generator = np.random.default_rng(0)
    for name in "ABCDE":
        (folder / name).mkdir(parents=True)
        lines = []
        for _ in range(1000):
            spent = np.append(1, np.unique(generator.integers(2, 10_000, 200))).tolist()
            values = 10 ** np.linspace(2, -2, len(spent))
            lines += ["evaluations raw_y"]
            lines += [f"{e} {v:.10f}" for e, v in zip(spent, values.tolist(), strict=True)]
        (folder / name / "runs.dat").write_text("\n".join(lines) + "\n")
        runs = [{"instance": i, "evals": 10_000} for i in range(1, 1001)]
        meta = {
            "function_id": 0, "function_name": "ManyAffine", "maximization": False,
            "algorithm": {"name": name},
            "scenarios": [{"dimension": 5, "path": "runs.dat", "runs": runs}],
        }  # fmt: skip
        (folder / name / "IOHprofiler_f0_ManyAffine.json").write_text(json.dumps(meta))


def bench_histories_folders() -> None:
    for what, write, instances in (
        ("COCO, 24 functions, 6 dimensions, 15 instances", write_coco, "runs"),
        ("MA-BBOB, 1,000 instances, 5 algorithms", write_affine, "problems"),
    ):
        with tempfile.TemporaryDirectory() as place:
            folder = Path(place) / "logs"
            write(folder)
            size = sum(file.stat().st_size for file in folder.rglob("*.*")) / 1e6
            ours = best(
                lambda folder=folder, how=instances: nbc.Histories.read(folder, instances=how), 3
            )
        show(f"read {what}, {size:.0f} MB", f"{ours:.2f} s", "< 5 s")


if __name__ == "__main__":
    bench_histories_reading()
    bench_histories_folders()
