"""Family-wise error of the default comparison, beside that of the normal law, by simulation.

``python benchmarks/levels.py`` prints, for tables of random scores (no algorithm is better than
another), in which share of tables any pair differs significantly at 0.05: by the default design,
and as in version 0.1 (average ranks, Holm, normal law). ``--help`` lists the options.
"""

from __future__ import annotations

import argparse
from concurrent.futures import ProcessPoolExecutor
from itertools import product

import numpy as np

import nbcompare as nbc

ALPHA = 0.05
BEFORE = {"ranking": "friedman", "pairs": "ranks", "adjust": "holm", "method": "normal"}
_DATASETS = (3, 4, 5, 6, 8, 10, 14, 20, 30)
_ALGORITHMS = (2, 3, 4, 6, 10)


def rejected(n: int, k: int, n_tables: int, levels: int) -> tuple[str, float, float]:
    """Return the design, and in which share of tables it and the old one reject anything.

    ``levels`` is how many scores are possible on a data set, which makes ties; 0 for no ties.
    """
    generator = np.random.default_rng([n, k, levels])
    counts = np.zeros(2)
    for _ in range(n_tables):
        scores = generator.integers(0, levels, (n, k)) if levels else generator.random((n, k))
        data = nbc.Experiment.from_array(scores.astype(float), direction="minimize")
        result = nbc.compare(data, alpha=ALPHA)
        counts += [
            result.hypotheses.rejected.any(),
            nbc.compare(data, alpha=ALPHA, **BEFORE).hypotheses.rejected.any(),
        ]
    ours, before = counts / n_tables
    return f"{result.pairs}, {result.adjust[0]}, {result.method}", float(ours), float(before)


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    asked.add_argument("--tables", type=int, default=10_000, help="random tables of each size")
    asked.add_argument("--levels", type=int, default=0, help="possible scores; 0 for no ties")
    asked.add_argument("--workers", type=int, default=None)
    given = asked.parse_args()
    error = (ALPHA * (1 - ALPHA) / given.tables) ** 0.5
    print(f"{given.tables} tables each; the standard error at {ALPHA} is {error:.4f}")
    print(f"{'n':>4}{'k':>4}  {'design':38}{'default':>9}{'before':>9}")
    sizes = list(product(_DATASETS, _ALGORITHMS))
    with ProcessPoolExecutor(given.workers) as pool:
        columns = zip(*sizes, strict=True)
        more = ([given.tables] * len(sizes), [given.levels] * len(sizes))
        for (n, k), found in zip(sizes, pool.map(rejected, *columns, *more), strict=True):
            mark = "  above" if found[1] > ALPHA + 3 * error else ""
            print(f"{n:>4}{k:>4}  {found[0]:38}{found[1]:>9.4f}{found[2]:>9.4f}{mark}", flush=True)


if __name__ == "__main__":
    main()
