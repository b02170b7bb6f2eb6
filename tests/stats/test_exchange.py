"""The conditional exchange test, by counting every choice of signs."""

from itertools import product

import numpy as np
import pytest

from nbcompare.stats.posthoc import all_pairs
from nbcompare.stats.rank_differences import exchange_tests
from nbcompare.stats.rankings import RANKINGS, midranks, rank


def by_enumeration(differences, alternative):
    """Return p of differences of ranks, positive where the first is better."""
    d = differences[~np.isnan(differences)]
    sums = np.array([np.dot(signs, np.abs(d)) for signs in product((-1, 1), repeat=len(d))])
    above, below = np.mean(sums >= d.sum() - 1e-9), np.mean(sums <= d.sum() + 1e-9)
    return {"better": above, "worse": below, "two-sided": min(1.0, 2 * min(above, below))}[
        alternative
    ]


@pytest.mark.parametrize("alternative", ["two-sided", "better", "worse"])
@pytest.mark.parametrize("seeds", [range(start, 200, 4) for start in range(4)], ids=str)
def test_tied_tables_by_enumeration(seeds, alternative):
    for seed in seeds:
        rng = np.random.default_rng(seed)
        n, k = int(rng.integers(2, 9)), int(rng.integers(2, 6))
        scores = np.round(rng.normal(size=(n, k)), int(rng.integers(0, 2)))
        ranks = rank(scores, list(RANKINGS)[seed % 3]).scores if seed % 4 else midranks(scores)
        if seed % 5 == 0:
            ranks = np.where(rng.random((n, k)) < 0.2, np.nan, ranks)
        first, second = all_pairs(k)
        found = exchange_tests(ranks, first, second, alternative=alternative)
        for row, (one, other) in enumerate(zip(first, second, strict=True)):
            expected = by_enumeration(ranks[:, other] - ranks[:, one], alternative)
            assert found.pvalue[row] == pytest.approx(expected, rel=1e-12)
            assert found.log10_pvalue[row] == pytest.approx(np.log10(expected), abs=1e-12)


def test_many_differences_go_by_the_normal_law_close_to_the_exact_one():
    ranks = midranks(np.random.default_rng(2).normal(size=(600, 8)) + 0.03 * np.arange(8))
    pairs = all_pairs(8)
    quick, exact = exchange_tests(ranks, *pairs), exchange_tests(ranks, *pairs, method="exact")
    assert not quick.exact.any()
    assert exact.exact.all()
    assert np.abs(quick.pvalue - exact.pvalue).max() < 0.01


def test_more_differences_than_can_be_counted():
    ranks = midranks(np.random.default_rng(0).normal(size=(1200, 3)))
    with pytest.raises(ValueError, match="more than 1,000"):
        exchange_tests(ranks, np.array([0]), np.array([1]), method="exact")
