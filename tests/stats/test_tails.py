"""Tails of the laws in exact arithmetic, and by SciPy."""

import math
from fractions import Fraction

import mpmath
import numpy as np
import pytest
from scipy import stats
from scipy.stats import friedmanchisquare

from nbcompare.stats import laws, omnibus, posthoc
from nbcompare.stats.rankings import midranks

LN10 = math.log(10)


def log_error(log_p, exact):
    """Relative error of p, or of its logarithm where that is large."""
    return abs(float(log_p) - float(mpmath.log(exact))) / max(1.0, abs(float(log_p)))


@pytest.mark.parametrize("df", [1, 2, 3, 4, 9, 39, 99, 999])
def test_chi_squared(df, exact):
    grid = np.concatenate([[1e-6, 0.01], np.geomspace(0.1, 2e4, 16), df * np.linspace(0.5, 3, 6)])
    for x in grid.tolist():
        assert log_error(laws.chi2_logsf(x, df), exact.chi2_sf(x, df)) < 2e-13, x


@pytest.mark.slow
@pytest.mark.parametrize(("df1", "n"), [(1, 2), (1, 30), (3, 14), (4, 30), (4, 1000), (39, 300)])
def test_f(df1, n, exact):
    df2 = df1 * (n - 1)
    for x in np.geomspace(1e-3, 1e6, 25).tolist():
        assert log_error(laws.f_logsf(x, df1, df2), exact.f_sf(x, df1, df2)) < 2e-11, x


@pytest.mark.slow
def test_f_with_many_algorithms(exact):
    # 1,000 algorithms on 1,000 data sets; betaln of half a million loses some digits
    for x in (1.5, 33.0):
        assert log_error(laws.f_logsf(x, 999, 998_001), exact.f_sf(x, 999, 998_001)) < 2e-11, x


def test_normal(exact):
    grid = np.concatenate([[0.0], np.geomspace(1e-8, 1e4, 100)])
    for z in grid.tolist():
        assert log_error(laws.normal_two_sided_logp(z), exact.normal_two_sided(z)) < 1e-14, z
    assert (laws.normal_two_sided_logp(-grid) == laws.normal_two_sided_logp(grid)).all()


@pytest.mark.slow
@pytest.mark.parametrize("k", [2, 3, 5, 10, 40, 200, 1000])
def test_studentized_range(k, exact):
    for q in (0.0, 1e-3, 0.1, 1.0, 3.3, 6.0, 15.0, 45.0, 62.0, 90.0):  # p down to 1e-880
        assert log_error(laws.studentized_range_logsf(q, k), exact.range_sf(q, k)) < 1e-12, q


@pytest.mark.parametrize("k", [2, 3, 10, 50, 100])
def test_studentized_range_as_scipy_where_that_is_accurate(k):
    q = np.linspace(0.5, 7, 14)
    ours = np.exp(laws.studentized_range_logsf(q, k))
    assert ours == pytest.approx(stats.studentized_range.sf(q, k, np.inf), rel=1e-7, abs=1e-13)


def test_shape_and_bounds():
    assert laws.studentized_range_logsf(np.zeros((2, 3)), 4).shape == (2, 3)
    assert laws.studentized_range_logsf([], 4).shape == (0,)
    assert laws.studentized_range_logsf(-1.0, 4) == 0
    assert laws.chi2_logsf(0.0, 3) == laws.chi2_logsf(-1e-9, 3) == 0
    assert laws.f_logsf(0.0, 3, 9) == 0
    falling = laws.studentized_range_logsf(np.linspace(0, 40, 500), 7)
    assert (np.diff(falling) <= 0).all()
    assert falling.max() <= 0


@pytest.mark.parametrize("k", [2, 3, 10, 100, 1000])
@pytest.mark.parametrize("alpha", [0.999, 0.5, 0.1, 0.05, 1e-3, 1e-30, 1e-300])
def test_quantile_inverts_the_tail(alpha, k):
    q = laws.studentized_range_isf(alpha, k)
    assert float(laws.studentized_range_logsf(q, k)) == pytest.approx(math.log(alpha), rel=1e-10)


def test_p_and_its_logarithm():
    p, log10_p = laws.from_log(np.array([math.log(0.05), -2000.0, 1e-18]))
    assert p == pytest.approx([0.05, 0, 1], rel=1e-15)
    assert log10_p == pytest.approx([math.log10(0.05), -2000 / LN10, 0])


# --------------------------------------------------------------------------------------- exact


@pytest.mark.slow
def test_nemenyi_against_the_second_quadrature(exact):
    z = np.array([0.0, 0.3, 1.0, 2.5, 4.0, 9.0])
    for k in (2, 3, 5, 9):
        p, log10_p = posthoc.nemenyi_pvalues(z, k)
        true = [exact.range_sf(value * math.sqrt(2), k) for value in z.tolist()]
        assert exact.relative_error(p, true) < 1e-12
        assert 10**log10_p == pytest.approx(p, rel=1e-12)
        assert (posthoc.nemenyi_pvalues(-z, k)[0] == p).all()


def test_statistics_do_not_lose_digits_near_perfect_agreement(exact):
    # 2,000 data sets, one of which exchanges two algorithms: F is near its pole
    table = np.tile(np.arange(5), (2000, 1))
    table[0, :2] = 1, 0
    sums = [int(total) for total in (table + 1).sum(axis=0)]
    chi2 = Fraction(12 * sum(total**2 for total in sums), 2000 * 30) - 3 * 2000 * 6
    statistic = 1999 * chi2 / (2000 * 4 - chi2)
    ours = omnibus.iman_davenport(midranks(table), formulas="printed")
    assert ours.statistic == pytest.approx(float(statistic), rel=1e-15)
    log10_p = float(mpmath.log10(exact.f_sf(statistic, *ours.df)))
    assert ours.log10_pvalue == pytest.approx(log10_p, rel=1e-13)
    assert laws.f_logsf(ours.statistic, *ours.df) / math.log(10) == ours.log10_pvalue
    corrected = omnibus.iman_davenport(midranks(table))
    assert corrected.statistic == ours.statistic
    assert corrected.log10_pvalue == pytest.approx(-1999 * math.log10(120), rel=1e-13)


def test_friedman_as_scipy():
    rng = np.random.default_rng(5)
    for k in range(3, 10):
        for n in (2, 7, 30):
            table = rng.integers(0, 5, (n, k)).astype(float)
            result = friedmanchisquare(*table.T)
            ours = omnibus.friedman(midranks(table))
            assert ours.statistic == pytest.approx(result.statistic, rel=1e-12)
            assert ours.pvalue == pytest.approx(result.pvalue, rel=1e-11)
