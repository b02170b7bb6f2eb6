"""Tails of the tests of ranks, in exact arithmetic and by SciPy."""

import math
from fractions import Fraction

import mpmath
import numpy as np
import pytest
from scipy.stats import friedmanchisquare

from nbcompare.stats import laws, omnibus, posthoc
from nbcompare.stats.rankings import midranks


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
