"""Convergence: all ordered pairs of many optimisers on many problems."""

from __future__ import annotations

import numpy as np
from timing import best, show

import nbcompare as nbc


def bench_convergence() -> None:
    generator = np.random.default_rng(0)
    shape = (50, 20, 51, 50)  # problems, algorithms, runs, points
    walks = np.minimum.accumulate(generator.exponential(size=shape), axis=3)
    rates = generator.uniform(0.02, 0.5, (1, 20, 1, 1)) * np.arange(1, 51)
    solved = np.where(rates > 12, 0.0, walks * np.exp(-rates))
    for kind, values in (("nowhere solved", walks), ("often solved", solved)):
        histories = nbc.Histories.from_array(values, direction="minimize", optimum=0.0)
        took = best(lambda histories=histories: nbc.compare_convergence(histories), 3)
        show(f"convergence, 20 x 50 x 51 x 10, {kind}", f"{took:.2f} s", "1 s")


if __name__ == "__main__":
    bench_convergence()
