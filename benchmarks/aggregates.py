"""Aggregates of repeated runs: all bootstrap intervals, beside a loop over resamples."""

from __future__ import annotations

import numpy as np
from scipy.stats import trim_mean
from timing import best, show

import nbcompare as nbc
from nbcompare.stats.aggregates import aggregate

RESAMPLES = 2_000
# A loop over resamples is timed on so few, and its time is scaled up to all of them.
TIMED = 20
# Data sets, algorithms, runs, goal.
CASES = (
    (60, 6, 5, "< 1 s"),
    (26, 8, 10, ""),
    (30, 12, 30, ""),
    (20, 40, 5, ""),
)


def scores(n: int, k: int, runs: int) -> np.ndarray:
    """Normal scores (data set, algorithm, run); algorithms differ by a tenth."""
    noise = np.random.default_rng(0).normal(size=(n, k, runs))
    return noise + 0.1 * np.arange(k)[:, np.newaxis]


def looped(table: np.ndarray, count: int) -> np.ndarray:
    """Interquartile means and probabilities of improvement of resamples, one after the other."""
    generator = np.random.default_rng(1)
    _, k, runs = table.shape
    found = []
    for _ in range(count):
        picks = generator.integers(0, runs, table.shape)
        drawn = np.take_along_axis(table, picks, axis=2)
        middle = trim_mean(np.moveaxis(drawn, 1, 0).reshape(k, -1), 0.25, axis=1)
        won = [
            (drawn[:, i, :, np.newaxis] > drawn[:, j, np.newaxis]).mean()
            for i in range(k)
            for j in range(i)
        ]
        found.append([*middle, *won])
    return np.array(found)


def bench_aggregates() -> None:
    for n, k, runs, goal in CASES:
        table = scores(n, k, runs)
        ours = best(lambda table=table: aggregate(table, target=1.0, n_resamples=RESAMPLES), 3)
        theirs = best(lambda table=table: looped(table, TIMED), 2) * RESAMPLES / TIMED
        show(
            f"aggregates of {n} x {k} x {runs} runs, {RESAMPLES:,} resamples",
            f"{ours:.2f} s, loop {theirs:.1f} s: {theirs / ours:.0f}x",
            goal,
        )
    check_loop()


def bench_whole_analysis() -> None:
    data = nbc.Experiment.from_array(scores(60, 6, 5)[:, :, np.newaxis], direction="maximize")
    took = best(lambda: nbc.aggregate_runs(data, target=1, n_resamples=RESAMPLES), 3)
    show("aggregate_runs of 60 x 6 x 5, with profiles", f"{took:.2f} s", "< 1 s")


def check_loop() -> None:
    """Stop if the intervals are not those of the loop, up to the noise of resampling."""
    table = scores(10, 3, 10)
    found = aggregate(table, n_resamples=RESAMPLES)
    lower, upper = np.quantile(looped(table, RESAMPLES), (0.025, 0.975), axis=0)
    own = found.interquartile_mean
    noise = 0.1 * (upper[:3] - lower[:3])
    if (np.abs(own.lower - lower[:3]) > noise).any() or (
        np.abs(own.upper - upper[:3]) > noise
    ).any():
        raise SystemExit("intervals differ from those of a loop over resamples")


if __name__ == "__main__":
    bench_aggregates()
    bench_whole_analysis()
