"""Level and power of the default comparison of every unit, by simulation.

``python benchmarks/levels.py [N]`` prints a table in Markdown: in which share of N (3,000) random
experiments ``compare`` rejects a hypothesis that is true, and with which probability it finds that
one algorithm is better by half (or the given part) of a standard deviation. A level that is above
0.05 by more than two standard errors is marked.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from typing import NamedTuple

import numpy as np

import nbcompare as nbc

ALPHA = 0.05
Random = np.random.Generator


class Case(NamedTuple):
    """A kind of experiment: how noise is drawn, and what the first algorithm is better by."""

    unit: str
    n: int
    k: int
    shape: str
    effect: float = 0.5
    clusters: int = 0  # items in each


def noise(rng: Random, shape: str, size: tuple[int, ...]) -> np.ndarray:
    """Return noise of standard deviation 1 about 0."""
    if shape == "heavy tails":
        return rng.standard_t(3, size) / np.sqrt(3)
    if shape == "skewed":
        return rng.exponential(size=size) - 1
    if shape == "unequal variances":
        return rng.normal(size=size) * np.linspace(0.3, 1.7, size[-1])
    drawn = rng.normal(size=size)
    return np.round(drawn) if shape == "ties" else drawn


def scores(rng: Random, case: Case, effect: float) -> np.ndarray:
    """Return the scores of one experiment, shape (n, k)."""
    n, k, shape = case.n, case.k, case.shape
    if shape.startswith("right with"):
        chance = float(shape.split()[-1])
        better = chance + effect * np.sqrt(chance * (1 - chance))
        chances = np.full(k, chance)
        chances[0] = min(better, 0.995)
        if case.clusters:
            hard = np.repeat(rng.random((n // case.clusters, 1)), case.clusters, axis=0)
            mixed = np.where(rng.random((n, 1)) < 0.5, hard, rng.random((n, 1)))
            own = np.repeat(rng.random((n // case.clusters, k)), case.clusters, axis=0)
            drawn = np.where(rng.random((n, k)) < 0.5, own, mixed)
            return (drawn < chances).astype(float)
        return (rng.random((n, k)) < chances).astype(float)
    drawn = noise(rng, shape, (n, k))
    if case.unit == "folds":  # training sets that overlap make folds alike
        rho = 1 / n
        drawn = np.sqrt(1 - rho) * drawn + np.sqrt(rho) * noise(rng, shape, (1, k))
    if case.clusters:
        shared = noise(rng, shape, (n // case.clusters, k))
        drawn = (drawn + np.repeat(shared, case.clusters, axis=0)) / np.sqrt(2)
    drawn[:, 0] += effect
    return drawn + (rng.normal(size=(n, 1)) * 3 if case.unit in ("datasets", "items") else 0)


def rejects(rng: Random, case: Case, effect: float) -> np.ndarray:
    """Return for each hypothesis whether it is rejected, and whether it is about the first."""
    clusters = np.arange(case.n) // case.clusters if case.clusters else None
    data = nbc.Experiment.from_array(
        scores(rng, case, effect), direction="maximize", unit=case.unit, clusters=clusters
    )
    options = {"scale": "one"} if case.unit == "datasets" else {}
    tests = nbc.compare(data, alpha=ALPHA, **options).hypotheses
    first = ["A1" in pair for pair in zip(tests.first, tests.second, strict=True)]
    return np.array([tests.rejected, first])


def measured(case: Case, times: int) -> tuple[float, float]:
    """Return the level with equal algorithms, and the power of a pair with the first."""
    rng = np.random.default_rng([case.n, case.k, len(case.shape), case.clusters])
    level = np.mean([rejects(rng, case, 0.0)[0].any() for _ in range(times)])
    if not case.effect:
        return float(level), np.nan
    found = [rejects(rng, case, case.effect) for _ in range(max(200, times // 5))]
    return float(level), float(np.mean([rejected[about].mean() for rejected, about in found]))


def cases() -> list[Case]:
    """Return all kinds of experiments."""
    shapes = ("normal", "ties", "heavy tails")
    found = [Case("datasets", n, k, s) for n in (6, 14, 30) for k in (2, 4, 8) for s in shapes]
    found += [Case("datasets", n, 4, "unequal variances", 0.0) for n in (14, 30)]
    found += [Case("folds", 10, k, s) for k in (2, 4, 8) for s in shapes]
    found += [Case("runs", n, k, s, 1.0) for n in (5, 15, 30) for k in (2, 4) for s in shapes]
    found += [
        Case("items", n, k, f"right with probability {p}", 0.2)
        for n in (50, 200, 1000)
        for k in (2, 4)
        for p in (0.5, 0.9, 0.98)
    ]
    found += [Case("items", 10_000, 3, "right with probability 0.9", 0.05)]
    found += [
        Case("items", n, 3, s, 0.3, clusters)
        for n, clusters in ((200, 5), (500, 50), (1000, 10))
        for s in ("normal", "skewed", "right with probability 0.7")
    ]
    return found


def main(measure: Callable[[Case, int], tuple[float, float]] = measured) -> None:
    """Print the table."""
    times = int(sys.argv[1]) if len(sys.argv) > 1 else 3000
    error = (ALPHA * (1 - ALPHA) / times) ** 0.5
    print(f"{times:,} experiments each; the standard error of a level of {ALPHA} is {error:.4f}.\n")
    print("| unit | n | k | scores | level | effect | power of a pair |")
    print("|---|---|---|---|---|---|---|")
    with ProcessPoolExecutor(2) as pool:
        every = cases()
        for case, (level, power) in zip(
            every, pool.map(measure, every, [times] * len(every)), strict=True
        ):
            mark = " (above)" if level > ALPHA + 2 * error else ""
            about = f"{case.shape}, clusters of {case.clusters}" if case.clusters else case.shape
            ends = "| | |" if np.isnan(power) else f"| {case.effect:g} | {power:.2f} |"
            print(
                f"| {case.unit} | {case.n:,} | {case.k} | {about} | {level:.3f}{mark} {ends}",
                flush=True,
            )


if __name__ == "__main__":
    main()
