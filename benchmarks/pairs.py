"""Tests of two algorithms, for all pairs at once, beside SciPy's one by one."""

from __future__ import annotations

import warnings

import numpy as np
from scipy.stats import wilcoxon
from timing import best, show

from nbcompare.stats import laws
from nbcompare.stats.posthoc import all_pairs
from nbcompare.stats.runs import rank_sum
from nbcompare.stats.shift import hodges_lehmann
from nbcompare.stats.signed_rank import signed_ranks


def bench_pairs() -> None:
    generator = np.random.default_rng(0)
    first, second = all_pairs(30)
    exact = generator.random((100, 30))
    cases = (("untied", exact, ">= 50x"), ("2 decimals", exact.round(2), ">= 1x"),
             ("1 decimal", exact.round(1), ">= 1x"))  # fmt: skip
    for kind, scores, goal in cases:

        def peer(scores: np.ndarray = scores) -> list[float]:
            # of tied data SciPy's is not exact: it takes the law of untied ranks
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                return [
                    float(wilcoxon(scores[:, i], scores[:, j], method="exact").pvalue)
                    for i, j in zip(first, second, strict=True)
                ]

        if kind == "untied" and not np.allclose(
            signed_ranks(scores, first, second).pvalue, peer(), rtol=1e-9
        ):
            raise SystemExit("p-values of untied pairs differ from SciPy's")
        ours = best(lambda scores=scores: signed_ranks(scores, first, second))
        theirs = best(peer, 2)
        measured = f"{ours * 1e3:.1f} ms, SciPy {theirs:.2f} s: {theirs / ours:.0f}x"
        show(f"435 exact Wilcoxons, 30 x 100, {kind}", measured, goal)


def bench_one_pair() -> None:
    generator = np.random.default_rng(0)
    values = generator.normal(size=1000)

    def interval() -> object:
        laws.untied_sums_of_subsets.cache_clear()
        return hodges_lehmann(values)

    show("Hodges-Lehmann interval, n = 1000, exact law anew", f"{best(interval, 3):.2f} s", "")
    one, other = generator.random(100).round(2), generator.random(100).round(2)
    took = best(lambda: rank_sum(one, other))
    show("exact tied rank-sum, 100 and 100 scores", f"{took * 1e3:.0f} ms", "")


if __name__ == "__main__":
    bench_pairs()
    bench_one_pair()
