"""Analysis of variance with repeated measures, and paired t: a textbook, explicit sums, SciPy."""

import math

import mpmath
import numpy as np
import pytest
from scipy import stats
from scipy.stats import f

from nbcompare.stats.parametric import paired_t, repeated_measures_anova
from nbcompare.stats.posthoc import all_pairs

# Howell, Statistical Methods for Psychology: hours of migraine, 9 subjects in 5 weeks
MIGRAINE = [
    [21, 22, 8, 6, 6], [20, 19, 10, 4, 4], [17, 15, 5, 4, 5], [25, 30, 13, 12, 17],
    [30, 27, 13, 8, 6], [19, 27, 8, 7, 4], [26, 16, 5, 2, 5], [17, 18, 8, 1, 5],
    [26, 24, 14, 8, 9],
]  # fmt: skip


def test_howell():
    result = repeated_measures_anova(MIGRAINE)
    assert result.statistic == pytest.approx(85.04, abs=0.005)
    assert result.epsilon == pytest.approx(0.684, abs=5e-4)
    assert result.df == pytest.approx((4 * result.epsilon, 32 * result.epsilon))


def by_explicit_sums(table):
    """F and epsilon from sums over cells and the covariance matrix of the algorithms."""
    n, k = len(table), len(table[0])
    grand = sum(map(sum, table)) / (n * k)
    columns = [sum(row[j] for row in table) / n for j in range(k)]
    rows = [sum(row) / k for row in table]
    between = n * sum((c - grand) ** 2 for c in columns)
    within = sum(
        (table[i][j] - rows[i] - columns[j] + grand) ** 2 for i in range(n) for j in range(k)
    )
    statistic = (between / (k - 1)) / (within / ((k - 1) * (n - 1)))
    covariance = np.cov(np.array(table).T)
    centring = np.eye(k) - 1 / k
    s = centring @ covariance @ centring
    epsilon = np.trace(s) ** 2 / ((k - 1) * np.trace(s @ s))
    return statistic, epsilon


@pytest.mark.parametrize("k", [2, 3, 6])
@pytest.mark.parametrize("n", [2, 3, 12])
def test_explicit_sums(n, k):
    rng = np.random.default_rng(10 * n + k)
    for digits in (1, 3, 15):
        table = (rng.normal(size=(n, k)) * np.arange(1, k + 1)).round(digits).tolist()
        result = repeated_measures_anova(table)
        statistic, epsilon = by_explicit_sums(table)
        assert result.statistic == pytest.approx(statistic, rel=1e-9)
        assert result.epsilon == pytest.approx(epsilon, rel=1e-9)
        p = f.sf(statistic, epsilon * (k - 1), epsilon * (k - 1) * (n - 1))
        assert result.pvalue == pytest.approx(p, rel=1e-8)
        assert 10**result.log10_pvalue == pytest.approx(result.pvalue, rel=1e-12)


def test_epsilon_at_its_ends():
    # one contrast has all the variance; compound symmetry has it spread evenly
    one = np.array([[0, 0, 1], [1, -1, 1], [-1, 1, 1], [3, -3, 1]])
    assert repeated_measures_anova(one).epsilon == 0.5
    even = np.vstack([np.eye(3), -np.eye(3)]) + np.arange(3)
    assert repeated_measures_anova(even).epsilon == 1


@pytest.mark.filterwarnings("error")
def test_no_residual_variance():
    for unit in (1, 0.1, 1 / 3, 1e-200, 1e300):
        alike = repeated_measures_anova(unit * np.add.outer([1, 5, 2], [0, 0, 0]))
        assert alike == (0, (2, 4), 1, 0, 1)
        constant = repeated_measures_anova(unit * np.add.outer([1, 5, 2], [0, 1, 3]))
        assert constant == (math.inf, (2, 4), 0, -math.inf, 1)
    assert repeated_measures_anova(np.zeros((2, 2))) == (0, (1, 1), 1, 0, 1)


@pytest.mark.filterwarnings("error")
def test_no_difference_and_p_far_below_the_smallest_number():
    result = repeated_measures_anova([[1, 2], [2, 1]])
    assert (result.statistic, result.pvalue) == (0, 1)
    scores = np.random.default_rng(2).normal(size=(2000, 4)) + 9 * np.arange(4)
    result = repeated_measures_anova(scores)
    assert result.pvalue == 0
    assert -math.inf < result.log10_pvalue < -1000


# ------------------------------------------------------------------------------------ paired t


PAIR = np.array([0]), np.array([1])
SIDES = {"two-sided": "two-sided", "better": "less", "worse": "greater"}


@pytest.mark.parametrize("n", [2, 5, 60])
def test_as_scipy(n):
    scores = np.random.default_rng(n).random((n, 7)) + np.linspace(0, 1, 7)
    first, second = all_pairs(7)
    for side, scipy_side in SIDES.items():
        ours = paired_t(scores, first, second, alternative=side)
        peer = stats.ttest_rel(scores[:, first], scores[:, second], alternative=scipy_side)
        # here t > 0 where the first is better, there where its scores are higher
        assert -ours.statistic == pytest.approx(peer.statistic, rel=1e-11)
        assert ours.df == n - 1
        assert ours.pvalue == pytest.approx(peer.pvalue, rel=1e-9)
        assert 10**ours.log10_pvalue == pytest.approx(peer.pvalue, rel=1e-9)
        differences = scores[:, second] - scores[:, first]
        d_z = differences.mean(axis=0) / differences.std(axis=0, ddof=1)
        assert ours.effect_size == pytest.approx(d_z, rel=1e-11)
        assert not ours.identical.any()


def test_far_tail(exact):
    scores = np.column_stack([np.arange(2000.0) % 2, 30 + np.zeros(2000)])
    test = paired_t(scores, *PAIR)
    assert test.pvalue[0] == 0
    expected = mpmath.log10(exact.f_sf(mpmath.mpf(float(test.statistic[0])) ** 2, 1, 1999))
    assert test.log10_pvalue[0] == pytest.approx(float(expected), rel=1e-12)


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("size", [1, 0.1, 1 / 3, 1e-300, 1e300])
def test_differences_that_are_all_the_same(size):
    scores = np.array([[1, 3], [2, 4], [5, 7]]) * size
    expected = {"two-sided": (0, -np.inf), "better": (0, -np.inf), "worse": (1, 0)}
    for side, (p, log10_p) in expected.items():
        test = paired_t(scores, *PAIR, alternative=side)
        assert (test.statistic[0], test.effect_size[0]) == (np.inf, np.inf)
        assert (test.pvalue[0], test.log10_pvalue[0]) == (p, log10_p)
        assert test.identical[0]
        none = paired_t(scores[:, [0, 0]], *PAIR, alternative=side)
        assert (none.statistic[0], none.effect_size[0]) == (0, 0)
        assert (none.pvalue[0], none.log10_pvalue[0]) == (1, 0)
