"""Exact omnibus tests beside as many random permutations as are usual, 100,000."""

from __future__ import annotations

import numpy as np
from timing import best, show

from nbcompare.stats import exact_omnibus
from nbcompare.stats.exact_omnibus import ExactP, exact_pvalue
from nbcompare.stats.rankings import rank

_DRAWS = 100_000
_AT_ONCE = 2_000


def by_simulation(scores: np.ndarray, generator: np.random.Generator) -> float:
    """Share of tables with randomly ordered rows that agree as much."""
    observed = np.square(scores.sum(axis=0)).sum()
    reached = 0
    for _ in range(_DRAWS // _AT_ONCE):
        orders = np.broadcast_to(scores, (_AT_ONCE, *scores.shape))
        sums = generator.permuted(orders, axis=2).sum(axis=1)
        reached += np.count_nonzero(np.square(sums).sum(axis=1) >= observed)
    return reached / _DRAWS


def bench_exact_omnibus() -> None:
    generator = np.random.default_rng(0)
    cases = (
        ("friedman", 100, 3), ("friedman", 30, 4), ("friedman", 11, 5), ("friedman", 5, 6),
        ("aligned", 14, 3), ("aligned", 7, 4), ("quade", 30, 3), ("quade", 11, 4),
    )  # fmt: skip
    for ranking, n, k in cases:
        scores = rank(generator.random((n, k)) + 0.02 * np.arange(k), ranking).scores

        def anew(scores: np.ndarray = scores) -> ExactP | None:
            exact_omnibus._halves.cache_clear()
            return exact_pvalue(scores)

        result = anew()
        if result is None:
            raise SystemExit(f"{ranking}, {n} x {k}: more than the usual work")
        simulated = by_simulation(scores, generator)
        error = np.sqrt(result.pvalue * (1 - result.pvalue) / _DRAWS)
        if abs(simulated - result.pvalue) > 5 * error + 5 / _DRAWS:
            raise SystemExit(f"{ranking}, {n} x {k}: {result.pvalue} and {simulated} by simulation")
        ours = best(anew, 3)
        again = best(lambda scores=scores: exact_pvalue(scores), 3)
        theirs = best(lambda scores=scores: by_simulation(scores, generator), 1)
        measured = (
            f"{ours * 1e3:.0f} ms, again {again * 1e3:.1f} ms, {_DRAWS:,} permutations "
            f"{theirs:.2f} s"
        )
        what = f"exact {ranking} {n} x {k}, {result.expansions / 1e6:.2f}e6 expansions"
        show(what, measured, "<= 200 ms")


if __name__ == "__main__":
    bench_exact_omnibus()
