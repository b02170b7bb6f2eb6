"""Tests and intervals on items, by enumeration, published figures and other programs."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from nbcompare.stats import items
from nbcompare.stats.posthoc import all_pairs
from nbcompare.stats.proportions import paired_difference

SIDES = ("two-sided", "better", "worse")


def flips_by_enumeration(sums, alternative):
    signs = np.array(list(itertools.product((-1, 1), repeat=len(sums))))
    flipped, observed = signs @ np.abs(sums), sums.sum()
    above, below = np.mean(flipped >= observed - 1e-9), np.mean(flipped <= observed + 1e-9)
    return {"better": above, "worse": below, "two-sided": min(1.0, 2 * min(above, below))}[
        alternative
    ]


# ------------------------------------------------------------------------------- 0 and 1


@pytest.mark.parametrize(
    ("counts", "p", "mid"),
    [((1, 7), 0.0703, 0.0391), ((59, 6), None, None), ((14, 1), None, None), ((3, 3), 1, 1)],
)
def test_mcnemar_as_printed_and_by_the_binomial_law(counts, p, mid):
    one, other = counts
    exact, half = items.mcnemar([one], [other]), items.mcnemar([one], [other], mid_p=True)
    law = stats.binom(one + other, 0.5)
    assert exact.pvalue[0] == pytest.approx(
        stats.binomtest(one, one + other).pvalue if one != other else 1, rel=1e-12
    )
    tail = law.cdf(min(counts)) - law.pmf(min(counts)) / 2
    assert half.pvalue[0] == pytest.approx(min(1, 2 * tail), rel=1e-10)
    assert exact.log10_pvalue[0] == pytest.approx(math.log10(exact.pvalue[0]), abs=1e-12)
    if p is not None:  # Fagerland, Lydersen and Laake (2013), table 1
        assert exact.pvalue[0] == pytest.approx(p, abs=5e-5)
        assert half.pvalue[0] == pytest.approx(mid, abs=5e-5)


@given(st.integers(0, 40), st.integers(0, 40), st.booleans())
@settings(max_examples=60)
def test_mcnemar_one_sided(one, other, mid):
    law = stats.binom(one + other, 0.5)
    for side, at in (("better", other), ("worse", one)):
        expected = law.cdf(at) - (law.pmf(at) / 2 if mid and one + other else 0)
        found = items.mcnemar([one], [other], alternative=side, mid_p=mid)
        assert found.pvalue[0] == pytest.approx(expected, rel=1e-9)
    assert items.mcnemar([one], [other]).statistic[0] == one - other


def test_mcnemar_keeps_logarithms_and_does_without_differences():
    found = items.mcnemar([3000, 0], [0, 0])
    assert found.log10_pvalue[0] == pytest.approx(-2999 * math.log10(2), rel=1e-12)
    assert found.pvalue[1] == 1
    assert items.mcnemar([0], [0], mid_p=True).pvalue[0] == 1


def test_cochran_as_printed():
    # Conover (1999), section 4.6, example 1: Q = 2.8
    conover = np.array(
        [
            [1, 1, 0, 1, 0, 1, 1, 1, 0, 0, 1, 1],
            [1, 1, 1, 1, 0, 1, 1, 1, 0, 1, 1, 1],
            [1, 1, 0, 0, 0, 1, 1, 0, 1, 0, 1, 1],
        ]
    )
    found = items.cochran_q(conover)
    assert found.statistic == pytest.approx(2.8)
    assert found.exact


def cochran_by_enumeration(scores):
    k = len(scores)
    of_item = [c for c in scores.T.tolist() if 0 < sum(c) < k]
    orders = [sorted(set(itertools.permutations(item))) for item in of_item]
    observed = np.square(np.sum(of_item, axis=0)).sum()
    sums = [np.square(np.sum(choice, axis=0)).sum() for choice in itertools.product(*orders)]
    return np.mean(np.array(sums) >= observed)


@pytest.mark.parametrize("seed", range(12))
def test_cochran_by_enumeration(seed):
    rng = np.random.default_rng(seed)
    k = 3 + seed % 2
    scores = (rng.random((k, 7)) < rng.random(7)).astype(float)
    scores[:, 0] = np.arange(k) == 0
    scores[:, 1] = np.arange(k) > 1
    found = items.cochran_q(scores)
    assert found.exact
    assert found.pvalue == pytest.approx(cochran_by_enumeration(scores), rel=1e-12)
    assert items.cochran_q(-scores).pvalue == pytest.approx(found.pvalue, rel=1e-12)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3))
def test_cochran_of_many_items_as_statsmodels(seed):
    contingency_tables = pytest.importorskip("statsmodels.stats.contingency_tables")
    rng = np.random.default_rng(seed)
    wide = (rng.random((3, 3000)) < [[0.5], [0.5], [0.52]]).astype(float)
    found, peer = items.cochran_q(wide), contingency_tables.cochrans_q(wide.T)
    assert found.df == peer.df
    assert (found.exact, found.statistic) == (False, pytest.approx(peer.statistic))
    assert found.pvalue == pytest.approx(peer.pvalue, rel=1e-9)


def test_cochran_of_two_is_mcnemar():
    scores = (np.random.default_rng(0).random((2, 4000)) < 0.5).astype(float)
    one, other = (scores[0] > scores[1]).sum(), (scores[0] < scores[1]).sum()
    pair, found = items.mcnemar([one], [other]), items.cochran_q(scores)
    assert (found.pvalue, found.df, found.exact) == (pair.pvalue[0], 1, True)
    assert found.statistic == pytest.approx((one - other) ** 2 / (one + other))
    assert items.cochran_q([[1, 0], [1, 0], [1, 0]])[:3] == (0, 2, 1)
    assert items.cochran_q([[1, 0, 1], [1, 0, 1], [1, 0, 0]]).pvalue == pytest.approx(1)


# ---------------------------------------------------------------------------- sign flips


@pytest.mark.parametrize("seed", range(40))
def test_flips_by_enumeration(seed):
    rng = np.random.default_rng(seed)
    n_clusters, decimals = int(rng.integers(2, 12)), int(rng.choice([0, 1, 2, 15]))
    codes = rng.permutation(np.append(np.arange(n_clusters), rng.integers(0, n_clusters, 9)))
    scores = np.round(rng.normal(size=(4, len(codes))), decimals)
    first, second = all_pairs(4)
    gains = scores[first] - scores[second]
    sums = np.array([[row[codes == c].sum() for c in range(n_clusters)] for row in gains])
    for side in SIDES:
        found = items.sign_flip([gains], [codes], alternative=side)
        expected = [flips_by_enumeration(row, side) for row in sums]
        np.testing.assert_allclose(found.pvalue, expected, rtol=1e-9)
        np.testing.assert_allclose(10**found.log10_pvalue, expected, rtol=1e-9)
        assert found.exact.all()
    nonzero = sums.any(axis=1)
    z = sums[nonzero].sum(axis=1) / np.sqrt(np.square(sums[nonzero]).sum(axis=1))
    np.testing.assert_allclose(found.statistic[nonzero], z, rtol=1e-9, atol=1e-12)


def test_benchmarks_have_the_same_weight():
    rng = np.random.default_rng(3)
    one, other = np.round(rng.normal(size=(2, 4)), 1), np.round(rng.normal(size=(2, 7)), 1)
    found = items.sign_flip([one, other], [None, None])
    for row in range(2):
        sums = np.append(one[row] / 4, other[row] / 7)
        assert found.pvalue[row] == pytest.approx(flips_by_enumeration(sums, "two-sided"))
    np.testing.assert_allclose(found.difference, (one.mean(axis=1) + other.mean(axis=1)) / 2)
    errors = [items.cluster_errors(part, None) for part in (one, other)]
    np.testing.assert_allclose(found.error, np.hypot(*errors) / 2)
    # Welch's degrees of freedom, of half the difference of the first mean and minus the second
    for row in range(2):
        welch = stats.ttest_ind(one[row], -other[row], equal_var=False)
        ends = welch.confidence_interval()
        np.testing.assert_allclose(
            [found.lower[row], found.upper[row]], np.array(ends) / 2, rtol=1e-9
        )


def test_intervals_of_independent_items_and_of_clusters_of_the_same_size_are_students():
    rng = np.random.default_rng(4)
    gains = rng.normal(0.3, 1, size=(3, 30))
    codes = np.repeat(np.arange(10), 3)
    sums = gains.reshape(3, 10, 3).mean(axis=2)
    for found, means in (
        (items.sign_flip([gains], [None], confidence=0.9), gains),
        (items.sign_flip([gains], [codes], confidence=0.9), sums),
    ):
        peer = stats.ttest_1samp(means, 0, axis=1)
        ends = peer.confidence_interval(0.9)
        np.testing.assert_allclose(found.lower, ends.low, rtol=1e-9)
        np.testing.assert_allclose(found.upper, ends.high, rtol=1e-9)
        np.testing.assert_allclose(found.difference / found.error, peer.statistic, rtol=1e-9)


@pytest.mark.slow
def test_errors_of_clusters_are_those_of_statsmodels():
    api = pytest.importorskip("statsmodels.api")
    rng = np.random.default_rng(5)
    codes = rng.permutation(np.repeat(np.arange(12), 4))
    values = rng.normal(size=48) + rng.normal(size=12)[codes]
    fit = api.OLS(values, np.ones(48)).fit(cov_type="cluster", cov_kwds={"groups": codes})
    assert items.cluster_errors([values], codes)[0] == pytest.approx(fit.bse[0], rel=1e-9)


def test_degrees_of_freedom_by_the_quadratic_form():
    rng = np.random.default_rng(0)
    sizes, n = np.array([1, 2, 2, 5, 10]), 20
    codes = np.repeat(np.arange(5), sizes)
    values = rng.normal(size=(6, n)) + np.arange(6)[:, None] * rng.normal(size=(6, 5))[:, codes]
    share = sizes / n
    residual = np.eye(5) - np.outer(share, np.ones(5))
    seen = []
    for row in values:
        # the correlation within clusters by moments: products of two items of a cluster
        centred = row - row.mean()
        variance = np.square(centred).mean()
        products = sum(
            centred[i] * centred[j]
            for i, j in itertools.permutations(range(n), 2)
            if codes[i] == codes[j]
        )
        rho = np.clip(products / variance / (sizes * (sizes - 1)).sum(), 0, 1)
        of_sums = np.diag(sizes * (1 + (sizes - 1) * rho))
        form = residual.T @ np.diag(1 / (1 - share)) @ residual @ of_sums
        df = np.trace(form) ** 2 / np.trace(form @ form)
        found = items.sign_flip([[row]], [codes], confidence=0.9)
        assert found.upper - found.difference == pytest.approx(
            stats.t.ppf(0.95, df) * found.error, rel=1e-9
        )
        seen.append(rho)
    assert min(seen) < 0.3
    assert max(seen) > 0.7


@pytest.mark.parametrize("kind", ["normal", "whole", "skewed", "one outlier"])
@pytest.mark.parametrize("z", [-1.0, 0.0, 1.0, 2.0, 3.0, 4.0])
def test_the_saddlepoint_is_close_to_all_choices(kind, z):
    rng = np.random.default_rng(6)
    numbers = np.abs(rng.normal(size=30))
    if kind == "whole":
        numbers = rng.integers(1, 6, 30).astype(float)
    if kind == "skewed":
        numbers = rng.exponential(size=30) ** 1.5
    if kind == "one outlier":
        numbers[0] = 12
    halves = []
    for part in (numbers[:15], numbers[15:]):
        sums = np.zeros(1)
        for number in part:
            sums = np.append(sums + number, sums - number)
        halves.append(np.sort(sums))
    wanted = z * np.sqrt(np.square(numbers).sum())
    left = halves[0][np.argmin(np.abs(halves[0] - wanted / 2))]
    at = left + halves[1][np.argmin(np.abs(halves[1] - (wanted - left)))]
    above = len(halves[1]) - np.searchsorted(halves[1], at - halves[0] - 1e-9)
    exact = above.sum() / 2**30
    span = 2.0 if kind == "whole" else 0.0
    logs = items._saddlepoint(numbers[None], np.array([at]), np.array([span]))
    assert np.exp(logs[0]) == pytest.approx(exact, rel=0.01 if exact > 1e-3 else 0.15)
    if kind == "whole":
        found = items.flip_tails(numbers[None], np.array([at]), np.zeros(1))
        assert (found.exact[0], np.exp(found.log_p[0])) == (True, pytest.approx(exact, rel=1e-9))


def test_many_gains_on_one_side():
    gains = np.abs(np.random.default_rng(7).normal(size=(1, 5000)))
    found = items.sign_flip([gains], [None])
    assert found.log10_pvalue[0] == pytest.approx(-4999 * math.log10(2), rel=1e-9)
    assert not found.exact[0]


def test_no_difference_at_all():
    found = items.sign_flip([np.zeros((1, 5))], [None])
    assert [column[0] for column in found] == [0, 0, 0, 0, 0, 1, 0, True]


# ---------------------------------------------------------------------- levels and coverage


def in_clusters(rng, shape, codes, kind):
    """Return gains with the mean 0, half of whose variance belongs to the clusters."""
    tables, n_clusters = shape, codes.max() + 1
    if kind == "normal":
        return (
            rng.normal(size=(tables, len(codes))) + rng.normal(size=(tables, n_clusters))[:, codes]
        )

    def answers():
        own = rng.random((tables, len(codes))) < kind
        shared = (rng.random((tables, n_clusters)) < kind)[:, codes]
        return np.where(rng.random(own.shape) < 0.5, own, shared) * 1.0

    return answers() - answers()


def levels(sizes, kind, n_tables, seed=0):
    """Return how often a true hypothesis is rejected at 0.05, and an interval covers."""
    rng = np.random.default_rng(seed)
    codes = np.repeat(np.arange(len(sizes)), sizes)
    rejected = covered = drawn = 0
    while drawn < n_tables:
        gains = in_clusters(rng, min(n_tables - drawn, 2_000_000 // len(codes)), codes, kind)
        found = items.sign_flip([gains], [codes])
        rejected += int((found.pvalue <= 0.05).sum())
        covered += int(((found.lower <= 0) & (found.upper >= 0)).sum())
        drawn += len(gains)
    return rejected / n_tables, covered / n_tables


def test_clusters_keep_the_level_that_single_items_would_not():
    sizes = np.tile([1, 2, 4, 8, 16], 6)
    codes = np.repeat(np.arange(30), sizes)
    gains = in_clusters(np.random.default_rng(1), 800, codes, "normal")
    rejected, covered = levels(sizes, "normal", 800, seed=1)
    assert rejected <= 0.05 + 2 * np.sqrt(0.05 * 0.95 / 800)
    assert covered >= 0.95 - 2 * np.sqrt(0.05 * 0.95 / 800)
    assert (items.sign_flip([gains], [None]).pvalue <= 0.05).mean() > 0.3


@pytest.mark.weekly
@pytest.mark.parametrize("kind", ["normal", 0.5, 0.9, 0.99])
@pytest.mark.parametrize("n_clusters", [6, 10, 20, 50, 200])
@pytest.mark.parametrize("largest", [1, 10, 50])
@pytest.mark.parametrize("equal", [True, False])
def test_levels_and_coverage_of_clusters(kind, n_clusters, largest, equal):
    rng = np.random.default_rng(n_clusters + largest)
    sizes = np.full(n_clusters, largest) if equal else rng.integers(1, largest + 1, n_clusters)
    rejected, covered = levels(sizes, kind, 3000, seed=n_clusters)
    # of 120 cases the largest is about 3 standard errors above
    assert rejected <= 0.05 + 3.6 * np.sqrt(0.05 * 0.95 / 3000)
    assert covered >= 0.94 - 3 * np.sqrt(0.05 * 0.95 / 3000)


@pytest.mark.weekly
@pytest.mark.parametrize("n", [50, 200, 1000, 10_000])
@pytest.mark.parametrize("p", [0.01, 0.1, 0.5, 0.9, 0.995])
@pytest.mark.parametrize("share", [0.0, 0.8])
def test_levels_and_coverage_of_answers(n, p, share):
    rng = np.random.default_rng(n)
    cells = (1 - share) * p * (1 - p)
    one, other, _ = rng.multinomial(n, [cells, cells, 1 - 2 * cells], size=10_000).T
    most = 0.05 + 3 * np.sqrt(0.05 * 0.95 / 10_000)
    assert (items.mcnemar(one, other).pvalue <= 0.05).mean() <= most
    assert (items.mcnemar(one, other, mid_p=True).pvalue <= 0.05).mean() <= most
    ends = paired_difference(one, other, n)
    assert ((ends.lower > 0) | (ends.upper < 0)).mean() <= most + 0.005


# ----------------------------------------------------------------- detectable differences


def test_the_detectable_difference_is_found_as_often_as_said():
    error = 0.02
    for alpha, power in ((0.05, 0.8), (0.01, 0.9)):
        size = items.detectable_difference(error, alpha=alpha, power=power) / error
        z = stats.norm.isf(alpha / 2)
        assert stats.norm.sf(z - size) + stats.norm.cdf(-z - size) == pytest.approx(power, abs=1e-4)
