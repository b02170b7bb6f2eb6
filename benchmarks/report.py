"""Reports from a new process, by parts: until something is computed, the results, the export.

Python compiles what it imports and keeps that, unless it may not, as in many containers: then every
report compiles all of it again.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
from timing import show

import nbcompare as nbc

# The command, which prints the processor time of its parts at its end
_PROGRAM = """
import json, sys, time
import nbcompare.cli
from nbcompare.report import make
parts = {"begin": None, "compute": 0.0, "export": 0.0}
def timed(part, function):
    def run(*arguments, **options):
        before = time.process_time()
        if parts["begin"] is None:
            parts["begin"] = before
        made = function(*arguments, **options)
        parts[part] += time.process_time() - before
        return made
    return run
make.compute, make._files = timed("compute", make.compute), timed("export", make._files)
code = nbcompare.cli.main()
parts["all"] = time.process_time()
print(json.dumps(parts))
sys.exit(code)
"""


def _fastest(line: list[str], environment: dict[str, str], repetitions: int) -> dict[str, float]:
    """Return the shortest time of each part, after one repetition to warm up."""
    times: list[dict[str, float]] = []
    for _ in range(repetitions + 1):
        start = time.perf_counter()
        done = subprocess.run(line, env=environment, check=True, stdout=subprocess.PIPE, text=True)
        wall = time.perf_counter() - start
        times.append({"wall": wall, **json.loads(done.stdout.splitlines()[-1])})
    return {part: min(one[part] for one in times[1:]) for part in times[0]}


def bench_report() -> None:
    scores = np.random.default_rng(0).random((30, 5))
    plain = os.environ.copy()
    plain.pop("PYTHONDONTWRITEBYTECODE", None)
    with tempfile.TemporaryDirectory() as folder:
        table = Path(folder) / "scores.csv"
        frame = nbc.Experiment.from_array(scores, direction="maximize").to_frame()
        frame.to_csv(table)
        compiled = {**plain, "PYTHONPYCACHEPREFIX": f"{folder}/compiled"}
        anew = {**plain, "PYTHONPYCACHEPREFIX": f"{folder}/none", "PYTHONDONTWRITEBYTECODE": "1"}
        for suffix, environment, how, goal in (
            ("html", compiled, "", "5 s"),
            ("html", anew, ", compiled each time", "5 s"),
            ("pdf", compiled, "", ""),
        ):
            out = str(Path(folder) / f"report.{suffix}")
            given = ["report", str(table), "--direction", "maximize", "-o", out]
            took = _fastest([sys.executable, "-c", _PROGRAM, *given], environment, 3)
            show(f"{suffix.upper()} report of 30 x 5{how}", f"{took['wall']:.1f} s", goal)
            parts = [took[part] for part in ("begin", "compute", "export")]
            said = " + ".join(f"{part:.2f}" for part in parts)
            show("  processor time: begin, compute, export", said, "")
            show("  processor time of all", f"{took['all']:.1f} s", "2.5 s")


if __name__ == "__main__":
    bench_report()
