"""Reports from a new process, by parts: on two idle cores, their sum is what the wall clock shows.

The parts that follow one another are the program until it starts a kernel, the kernel itself, and
the export; meanwhile the program imports what it needs. Python compiles what it imports and keeps
that, unless it may not, as in many containers: then every report compiles all of it again.
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
import json, resource, sys, time
import nbcompare.cli
import nbcompare.cli._run
from nbcompare.report import execute, make
parts = {}
start, export = execute._python, make._Draft.files
def starting(*arguments):
    parts["start"] = time.process_time()
    return start(*arguments)
def exporting(*arguments):
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    parts["kernel"] = used.ru_utime + used.ru_stime
    before = time.process_time()
    made = export(*arguments)
    parts["export"] = time.process_time() - before
    return made
execute._python, make._Draft.files = starting, exporting
code = nbcompare.cli.main()
parts["all"] = time.process_time() + parts["kernel"]
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
            parts = [took[part] for part in ("start", "kernel", "export")]
            said = " + ".join(f"{part:.2f}" for part in parts)
            show("  processor time: start, kernel, export", f"{said} = {sum(parts):.1f} s", goal)
            show("  with what the program imports meanwhile", f"{took['all']:.1f} s", "")


if __name__ == "__main__":
    bench_report()
