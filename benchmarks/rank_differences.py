"""Exact tests of all pairs by rank sums, beside random permutations."""

from __future__ import annotations

import numpy as np
from timing import best, show

from nbcompare.stats.posthoc import PairTests, all_pairs
from nbcompare.stats.rank_differences import BUDGET, difference_law
from nbcompare.stats.rankings import rank

DRAWS = 100_000
# Random permutations are timed on so few draws, and their time is scaled up to all of them.
TIMED_DRAWS = 100
# Data sets, algorithms, ranking, decimals of the scores (None: untied), goal.
CASES = (
    (30, 5, "friedman", None, "< 10 ms"),
    (30, 5, "aligned", None, ""),
    (30, 5, "quade", None, ""),
    (30, 10, "friedman", 0, ""),
    (30, 10, "aligned", None, ""),
    (50, 10, "aligned", None, ""),
    (50, 10, "quade", None, ""),
    (100, 20, "aligned", None, ""),
    (300, 40, "friedman", None, "< 0.16 s"),
    (300, 40, "friedman", 0, "< 13 s"),
    (300, 40, "aligned", None, ""),
    (300, 40, "quade", None, ""),
    (1_000, 50, "friedman", None, "< 1 s"),
    (10_000, 20, "friedman", None, "< 0.5 s"),
)


def bench_rank_differences() -> None:
    for n, k, ranking, decimals, goal in CASES:
        generator = np.random.default_rng(0)
        table = generator.normal(size=(n, k)) + np.linspace(0, 1, k)
        scores = rank(table if decimals is None else table.round(decimals), ranking).scores
        bench_table(scores, ranking, "untied" if decimals is None else "tied", goal)


def bench_table(scores: np.ndarray, ranking: str, kind: str, goal: str) -> None:
    n, k = scores.shape
    first, second = all_pairs(k)

    def tested() -> PairTests:
        return difference_law(scores, ranking=ranking).tests(scores.sum(axis=0), first, second)

    tests = tested()

    def permuted(draws: int = TIMED_DRAWS) -> np.ndarray:
        generator = np.random.default_rng(1)
        counts = np.zeros(len(tests.statistic))
        for _ in range(draws):
            sums = generator.permuted(scores, axis=1).sum(axis=0)
            counts += np.abs(sums[second] - sums[first]) >= np.abs(tests.statistic)
        return (counts + 1) / (draws + 1)

    if n * k <= 200:
        errors = np.sqrt(tests.pvalue * (1 - tests.pvalue) / 20_000)
        if (np.abs(permuted(20_000) - tests.pvalue) > 5 * errors + 1e-3).any():
            raise SystemExit("p-values differ from those of random permutations")
    ours = best(tested, 20 if n <= 50 else 3)
    theirs = best(permuted, 1) * DRAWS / TIMED_DRAWS
    count = difference_law(scores, ranking=ranking).cost(tests.statistic)
    show(
        f"exact pairs by ranks, {ranking}, {n:,} x {k}, {kind}",
        f"{ours * 1e3:.1f} ms, 10^5 draws {theirs:.0f} s",
        f"{goal or '-'}; count {count:.1e}{'' if count <= BUDGET else ' (beyond)'}, "
        f"p >= 1e{tests.log10_pvalue.min():.0f}",
    )


if __name__ == "__main__":
    bench_rank_differences()
