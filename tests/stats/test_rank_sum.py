import itertools
import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from nbcompare.stats.runs import rank_sum

SIDES = ["two-sided", "better", "worse"]
samples = st.lists(st.integers(0, 6), min_size=1, max_size=5)


def in_words(first, second, exact):
    """In how many pairs the first is worse, and p of each side, from all choices of its ranks."""
    ranks = exact.midranks([*first, *second])
    observed = sum(ranks[: len(first)])
    sums = [sum(choice) for choice in itertools.combinations(ranks, len(first))]
    better = Fraction(sum(s <= observed for s in sums), len(sums))
    worse = Fraction(sum(s >= observed for s in sums), len(sums))
    two_sided = min(Fraction(1), 2 * min(better, worse))
    u = observed - Fraction(len(first) * (len(first) + 1), 2)
    return u, dict(zip(SIDES, (two_sided, better, worse), strict=True))


@given(first=samples, second=samples)
def test_all_choices_of_ranks(first, second, exact):
    u, expected = in_words(first, second, exact)
    for side in SIDES:
        test = rank_sum(first, second, alternative=side)
        assert test.statistic == len(first) * len(second) - u  # pairs in which it is better
        assert test.effect_size == pytest.approx(float(1 - 2 * u / (len(first) * len(second))))
        assert test.exact
        assert test.pvalue == pytest.approx(float(expected[side]), rel=1e-14)
        assert 10**test.log10_pvalue == pytest.approx(float(expected[side]), rel=1e-13)


def test_printed_values_of_two_samples_of_ten(reference):
    for u, p in reference("pairs")["rank_sum_10_10"]["p"].items():
        second, first = list(range(10)), [-0.5] * 10
        for step in range(int(u)):  # each step puts one of the first above one more of the second
            first[step % 10] += 1
        assert len({*first, *second}) <= 20
        first = np.sort(first) - np.arange(10)[::-1] * 1e-3
        test = rank_sum(first, second)
        assert test.statistic == 100 - int(u)  # of 100 pairs, in u the first is worse
        assert test.pvalue == pytest.approx(p, abs=6e-4 if p > 1e-3 else 1e-8)


@pytest.mark.parametrize(("m", "n"), [(1, 1), (3, 40), (40, 3), (30, 30), (61, 45), (100, 100)])
def test_untied_as_scipy(m, n):
    rng = np.random.default_rng(m)
    first, second = rng.random(m), rng.random(n) + 0.1
    for side, scipy_side in zip(SIDES, ("two-sided", "less", "greater"), strict=True):
        peer = stats.mannwhitneyu(first, second, method="exact", alternative=scipy_side)
        test = rank_sum(first, second, alternative=side)
        # here U counts the pairs in which the first is lower, there those in which it is higher
        assert (test.exact, m * n - test.statistic) == (True, peer.statistic)
        assert test.pvalue == pytest.approx(peer.pvalue, rel=1e-10)


def test_perfect_separation_is_never_zero():
    test = rank_sum(np.arange(160), np.arange(160, 320), method="exact")
    assert test.log10_pvalue == pytest.approx(
        math.log10(2) - math.log10(math.comb(320, 160)), rel=1e-14
    )


def test_large_samples_are_normal_with_the_variance_of_tied_ranks():
    rng = np.random.default_rng(5)
    first, second = rng.integers(0, 9, 200), rng.integers(1, 10, 180)
    for side, scipy_side in zip(SIDES, ("two-sided", "less", "greater"), strict=True):
        test = rank_sum(first, second, alternative=side)
        peer = stats.mannwhitneyu(
            first, second, method="asymptotic", alternative=scipy_side, use_continuity=False
        )
        assert not test.exact
        assert test.pvalue == pytest.approx(peer.pvalue, rel=1e-10)
    few = rank_sum(first[:60], second[:50]), rank_sum(first[:60], second[:50], method="normal")
    assert [test.exact for test in few] == [True, False]
    assert few[0].pvalue == pytest.approx(few[1].pvalue, rel=0.05)


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("method", ["auto", "exact", "normal"])
def test_ties_and_noise(method):
    assert rank_sum([0.1] * 3, [0.1] * 4, method=method) == (6.0, 0.0, 1.0, 0.0, True)
    noisy = rank_sum([0.1 + 0.2, 0.5], [0.3, 0.7], method=method)
    assert noisy.statistic == 2.5
    scaled = rank_sum([1e-14, 1], [0, 2], method=method, scale=([100, 100], [100, 100]))
    assert scaled.statistic == 2.5
