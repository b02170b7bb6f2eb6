"""Independent runs: pairs and several samples by enumeration, and coverage of intervals."""

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from nbcompare.stats import runs
from nbcompare.stats.posthoc import all_pairs
from nbcompare.stats.runs import rank_sum, rank_sums
from nbcompare.stats.shift import two_sample_shift

PAIR = (np.array([0]), np.array([1]))


@pytest.mark.parametrize("seed", range(10))
def test_pairs_by_enumeration(seed):
    rng = np.random.default_rng(seed)
    samples = [rng.integers(0, 6, size) for size in (3, 5, 4)]
    first, second = all_pairs(3)
    for side in ("two-sided", "better", "worse"):
        found = rank_sums(samples, first, second, alternative=side)
        assert found.exact.all()
        for row, (i, j) in enumerate(zip(first, second, strict=True)):
            ranks = stats.rankdata(np.concatenate([samples[i], samples[j]]))
            m = len(samples[i])
            sums = np.array([sum(c) for c in itertools.combinations(ranks, m)])
            low, high = np.mean(sums <= sums[0]), np.mean(sums >= sums[0])
            expected = {"two-sided": min(1, 2 * min(low, high)), "better": low, "worse": high}[side]
            assert found.pvalue[row] == pytest.approx(expected, rel=1e-12)
            better = (samples[i][:, None] < samples[j]).sum()
            tied = (samples[i][:, None] == samples[j]).sum()
            assert found.statistic[row] == better + tied / 2


def test_many_tied_pairs_are_exact_for_smaller_samples():
    rng = np.random.default_rng(0)
    samples = [rng.integers(0, 20, 60) for _ in range(50)]
    few, many = rank_sums(samples[:2], *PAIR), rank_sums(samples, *all_pairs(50))
    assert few.exact[0]
    assert not many.exact.any()
    assert many.pvalue[0] == pytest.approx(few.pvalue[0], rel=0.02)


def test_shifts_are_those_of_two_samples():
    rng = np.random.default_rng(1)
    samples = [rng.normal(size=n) + n / 10 for n in (5, 8, 12)]
    first, second = all_pairs(3)
    found = runs.shifts(samples, first, second, confidence=0.9)
    for row, (i, j) in enumerate(zip(first, second, strict=True)):
        one = two_sample_shift(samples[i], samples[j], 0.9)
        assert found.estimate[row] == pytest.approx(-one.estimate)
        assert (found.lower[row], found.upper[row]) == (-one.upper, -one.lower)
        assert (found.coverage[row], found.exact[row]) == (one.coverage, one.exact)


# ---------------------------------------------------------------------------- effect sizes


def test_the_effect_size_as_printed():
    # Vargha and Delaney (2000), A = (R1/m - (m + 1)/2)/n; Hanley and McNeil's variance at A
    first, second = [1, 2, 2, 5], [2, 3, 4, 4, 6, 7]
    found = runs.vargha_delaney([first, second], *PAIR)
    ranks = stats.rankdata(np.append(first, second))
    assert 1 - found.estimate[0] == pytest.approx((ranks[:4].sum() / 4 - 2.5) / 6)
    assert found.estimate[0] == pytest.approx((1 + rank_sum(first, second).effect_size) / 2)


def by_definition(x, y, level=0.05):
    """Return the ends of the interval on a fine grid, from the definition of placements."""
    m, n = len(x), len(y)
    wins = (np.sign(y - x[:, None]) + 1) / 2
    estimate = wins.mean()
    parts = wins.mean(axis=1).var(ddof=1) / m, wins.mean(axis=0).var(ddof=1) / n
    _, counts = np.unique(np.append(x, y), return_counts=True)
    least = 1 - (counts**3 - counts).sum() / ((m + n) ** 3 - m - n)

    def variance(a):
        odds = (1 - a) / (2 - a) + a / (1 + a)
        return a * (1 - a) * (1 + ((m + n) / 2 - 1) * odds) / (m * n)

    if sum(parts) == 0:
        ratio, df = 1, m + n - 2
    else:
        near = min(max(estimate, 0.5 / m / n), 1 - 0.5 / m / n)
        ratio = max(sum(parts) / variance(near), least)
        df = sum(parts) ** 2 / (parts[0] ** 2 / (m - 1) + parts[1] ** 2 / (n - 1))
    grid = np.linspace(0, 1, 1_000_001)
    kept = grid[(grid - estimate) ** 2 <= stats.t.isf(level / 2, df) ** 2 * ratio * variance(grid)]
    return kept[0], kept[-1]


@pytest.mark.parametrize("seed", range(8))
def test_the_interval_by_its_definition(seed):
    rng = np.random.default_rng(seed)
    x, y = np.round(rng.normal(size=4 + seed), seed % 3), np.round(rng.normal(0.5, 1, 7), seed % 3)
    found = runs.vargha_delaney([x, y], *PAIR)
    np.testing.assert_allclose([found.lower[0], found.upper[0]], by_definition(x, y), atol=2e-6)
    back = runs.vargha_delaney([y, x], *PAIR)
    np.testing.assert_allclose(back.lower, 1 - found.upper, atol=1e-12)


def test_samples_that_do_not_overlap_and_those_that_are_all_tied():
    apart = runs.vargha_delaney([[1, 2, 3], [4, 5, 6]], *PAIR)
    assert (apart.estimate[0], apart.upper[0]) == (1, 1)
    assert 0.1 < apart.lower[0] < 0.9
    tied = runs.vargha_delaney([[1, 1, 1], [1, 1, 1]], *PAIR)
    assert tied.estimate[0] == 0.5
    assert 0 < tied.lower[0] < 0.3


CASES = {
    "equal": (lambda r, s: r.normal(size=s), lambda r, s: r.normal(size=s)),
    "far": (lambda r, s: r.normal(size=s), lambda r, s: r.normal(2, 1, size=s)),
    "unequal variances": (lambda r, s: r.normal(0, 3, size=s), lambda r, s: r.normal(2, 1, size=s)),
    "skewed": (lambda r, s: r.exponential(size=s), lambda r, s: r.normal(1.2, 0.3, size=s)),
    "tied": (lambda r, s: r.poisson(2, s), lambda r, s: r.poisson(3, s)),
    "0 and 1": (lambda r, s: r.binomial(1, 0.2, s), lambda r, s: r.binomial(1, 0.5, s)),
}


def coverage(case, m, n, tables):
    one, other = CASES[case]
    rng = np.random.default_rng(m + n)
    x, y = np.sort(one(rng, 400_000)), other(rng, 400_000)
    truth = (np.searchsorted(x, y) + np.searchsorted(x, y, side="right")).mean() / 2 / len(x)
    samples = [*one(rng, (tables, m)), *other(rng, (tables, n))]
    pairs = np.arange(tables), np.arange(tables) + tables
    found = runs.vargha_delaney(samples, *pairs)
    return ((found.lower <= truth) & (truth <= found.upper)).mean()


def test_coverage_of_few_runs():
    assert coverage("unequal variances", 5, 5, 600) >= 0.94


@pytest.mark.weekly
@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize(
    ("m", "n"), [(5, 5), (10, 10), (20, 20), (50, 50), (100, 100), (5, 20), (20, 5)]
)
def test_coverage(case, m, n):
    assert coverage(case, m, n, 3000) >= 0.94 - 3 * math.sqrt(0.05 * 0.95 / 3000)


# --------------------------------------------------------------------------- several samples


@pytest.mark.parametrize("sizes", [(2, 2, 2), (3, 2, 4), (1, 2, 3), (2, 2, 1, 3), (1, 1, 1, 1, 2)])
@pytest.mark.parametrize("values", [3, 100])
def test_several_samples_by_enumeration(sizes, values):
    rng = np.random.default_rng(values)
    samples = [rng.integers(0, values, n) for n in sizes]
    ranks = 2 * stats.rankdata(np.concatenate(samples))
    ends = np.cumsum(sizes)
    orders = np.array(list(itertools.permutations(ranks))) if sum(sizes) < 9 else None
    if orders is None:
        orders = np.array([rng.permutation(ranks) for _ in range(60_000)])
    sums = [
        orders[:, end - n : end].sum(axis=1) ** 2 / n for n, end in zip(sizes, ends, strict=True)
    ]
    statistic = np.sum(sums, axis=0)
    observed = sum(ranks[e - n : e].sum() ** 2 / n for n, e in zip(sizes, ends, strict=True))
    share = np.mean(statistic >= observed - 1e-9)
    found = runs.kruskal_wallis(samples)
    assert found.exact
    assert found.pvalue == pytest.approx(share, rel=1e-9 if sum(sizes) < 9 else 0.05)
    if np.unique(ranks).size > 1:
        assert found.statistic == pytest.approx(stats.kruskal(*samples).statistic)


@pytest.mark.parametrize(
    ("groups", "h", "p"),
    [
        # Kruskal and Wallis (1952), table 6.1
        ([[1, 2, 3], [4, 5, 6], [7, 8, 9]], 7.2, 0.004),
        ([[1, 2], [3, 4], [5, 6]], 4.5714, 0.067),
        ([[1, 2, 3, 4, 5], [6, 7, 8, 9, 10], [11, 12, 13, 14, 15]], 12.5, 0.000),
    ],
)
def test_several_samples_as_printed(groups, h, p):
    found = runs.kruskal_wallis(groups)
    assert found.statistic == pytest.approx(h, abs=5e-5)
    assert found.pvalue == pytest.approx(p, abs=5e-4)
    assert found.exact


def test_large_samples_by_chi_squared_and_two_by_the_rank_sum():
    rng = np.random.default_rng(2)
    samples = [rng.integers(0, 30, 40) + j for j in range(4)]
    found, peer = runs.kruskal_wallis(samples), stats.kruskal(*samples)
    assert (found.exact, found.df) == (False, 3)
    assert found.statistic == pytest.approx(peer.statistic)
    assert found.pvalue == pytest.approx(peer.pvalue, rel=1e-9)
    two, pair = runs.kruskal_wallis(samples[:2]), rank_sum(*samples[:2])
    assert (two.pvalue, two.exact) == (pair.pvalue, pair.exact)
    assert runs.kruskal_wallis([[1, 1], [1], [1]]) == (0, 2, 1, 0, True)


# ------------------------------------------------------------------------------------ rank sum


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
