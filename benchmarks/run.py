"""Measure what nbcompare promises about speed, beside its peers in the same run.

``python benchmarks/run.py`` prints a table; figures are the best of several repetitions.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

import numpy as np
from aggregates import bench_aggregates
from builders import bench_first_builder, bench_rapid_changes, bench_redraw
from compare import bench_compare_beside_peers, bench_effects, bench_growth
from convergence import bench_convergence
from exact_omnibus import bench_exact_omnibus
from histories import bench_histories_folders, bench_histories_reading
from pairs import bench_one_pair, bench_pairs
from rank_differences import bench_rank_differences
from report import bench_report
from scipy.stats import rankdata
from stochastic import bench_bootstrap, bench_fuzzy, bench_interval_signed_rank
from timing import best, show

import nbcompare as nbc
from nbcompare.stats.rankings import midranks
from nbcompare.words import PROCEDURES


def in_new_process(code: str) -> Callable[[], object]:
    line = [sys.executable, *code.split("|")]
    return lambda: subprocess.run(line, check=True, stdout=subprocess.DEVNULL)


def bench_import() -> None:
    bare = best(in_new_process("-c|pass"))
    ours = best(in_new_process("-c|import nbcompare"))
    show("import nbcompare, beyond the interpreter", f"{(ours - bare) * 1e3:.0f} ms", "50 ms")


def bench_ranking() -> None:
    generator = np.random.default_rng(0)
    untied = generator.random((1_000_000, 20))
    for kind, scores in (("untied", untied), ("tied", np.round(untied, 1))):
        if not np.array_equal(midranks(scores), rankdata(scores, axis=1)):
            raise SystemExit(f"ranks of {kind} scores differ from SciPy's")
        ours = best(lambda scores=scores: midranks(scores), 3)
        peer = best(lambda scores=scores: rankdata(scores, axis=1), 3)
        measured = f"{ours:.3f} s, SciPy {peer:.3f} s: {peer / ours:.1f}x"
        show(f"rank 1,000,000 x 20, {kind}", measured, ">= 4x")


def bench_logical() -> None:
    generator = np.random.default_rng(0)
    for k, tests, goal in ((50, "ranks", "2 s"), (15, "wilcoxon", "5 s")):
        scores = generator.normal(size=(60, k)) + np.linspace(0, 2, k)
        experiment = nbc.Experiment.from_array(scores, direction="minimize")
        took = best(
            lambda experiment=experiment, tests=tests: nbc.compare(
                experiment, pairs=tests, adjust="bergmann-hommel"
            ),
            2,
        )
        show(f"compare with Bergmann-Hommel, pairs={tests!r}, k = {k}", f"{took:.2f} s", goal)
    scores = generator.random((1000, 20))
    experiment = nbc.Experiment.from_array(scores, direction="minimize")
    took = best(lambda: nbc.compare(experiment, adjust=list(PROCEDURES)), 2)
    show("compare 1,000 x 20 with every adjustment", f"{took:.2f} s", "1 s")


def bench_diagram() -> None:
    generator = np.random.default_rng(0)
    for k, goal in ((5, "80 ms"), (40, "300 ms")):
        scores = generator.random((60, k)) + np.linspace(0, 1, k)
        result = nbc.compare(nbc.Experiment.from_array(scores, direction="maximize"))
        took = best(lambda result=result: nbc.plots.cd_diagram(result)._repr_mimebundle_())
        show(f"CD diagram, drawn as SVG and PNG, k = {k}", f"{took * 1e3:.0f} ms", goal)


def bench_reading() -> None:
    generator = np.random.default_rng(0)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "scores.csv"
        with path.open("w") as file:
            file.write("dataset,algorithm,run,score\n")
            for dataset in range(100):
                for algorithm in range(10):
                    file.writelines(
                        f"d{dataset},a{algorithm},{run},{score:.6f}\n"
                        for run, score in enumerate(generator.random(1000))
                    )
        took = best(lambda: nbc.Experiment.read(path, direction="maximize"), 2)
    show("read a long CSV of 1,000,000 scores", f"{took:.1f} s", "")


def bench_command() -> None:
    with tempfile.TemporaryDirectory() as folder:
        table = Path(folder) / "scores.csv"
        nbc.datasets.load("demsar2006").to_frame().to_csv(table)
        took = best(in_new_process(f"-m|nbcompare|compare|{table}|--direction|maximize"), 3)
    show("the command compare on 14 x 4 in a new process", f"{took:.2f} s", "")


if __name__ == "__main__":
    print(f"{'work':<58} {'measured':>28}   goal")
    for bench in (
        bench_import,
        bench_ranking,
        bench_pairs,
        bench_one_pair,
        bench_exact_omnibus,
        bench_rank_differences,
        bench_logical,
        bench_bootstrap,
        bench_aggregates,
        bench_interval_signed_rank,
        bench_fuzzy,
        bench_convergence,
        bench_compare_beside_peers,
        bench_effects,
        bench_growth,
        bench_command,
        bench_diagram,
        bench_reading,
        bench_histories_reading,
        bench_histories_folders,
        bench_redraw,
        bench_rapid_changes,
        bench_first_builder,
        bench_report,
    ):
        bench()
