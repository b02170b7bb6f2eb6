"""Ranks, statistics and p-values of many random tables against exact arithmetic."""

import math
from fractions import Fraction

import mpmath
import numpy as np
import pytest
from scipy.stats import friedmanchisquare

from nbcompare.stats import adjust, laws, omnibus, posthoc
from nbcompare.stats.rankings import midranks

SHAPES = [(n, k) for k in (2, 3, 4, 9) for n in (2, 5, 30)]


def tables(n, k):
    """Integers over a power of ten: heavily tied, somewhat tied, hardly tied."""
    rng = np.random.default_rng(1000 * n + k)
    for levels in (2, k, 1000):
        yield rng.integers(0, levels, (n, k))


@pytest.mark.parametrize("formulas", ["corrected", "printed"])
@pytest.mark.parametrize(("n", "k"), SHAPES)
def test_random_tables(n, k, formulas, exact):
    for table in tables(n, k):
        for sign in (1, -1):  # minimize, maximize
            true = exact.friedman((sign * table).tolist(), corrected=formulas == "corrected")
            ranks = midranks(sign * table / 1000)
            assert [[Fraction(rank) for rank in row] for row in ranks.tolist()] == true.ranks
            _check_omnibus(ranks, true, formulas, exact)
            _check_pairs(ranks, true, formulas, exact)


def _check_omnibus(ranks, true, formulas, exact):
    chi2 = omnibus.friedman(ranks, formulas=formulas)
    assert chi2.df == (true.df,)
    assert chi2.statistic == pytest.approx(float(true.chi2), rel=1e-14, abs=0)
    floor = exact.perfect_agreement(true.ranks) if formulas == "corrected" else Fraction(0)
    p = max(exact.chi2_sf(true.chi2, true.df), exact.number(floor))
    assert exact.relative_error(chi2.pvalue, [p]) < 1e-12
    iman = omnibus.iman_davenport(ranks, formulas=formulas)
    assert iman.df == (true.df, true.df2)
    if true.F is None:
        assert iman.statistic == math.inf
    else:
        assert iman.statistic == pytest.approx(float(true.F), rel=1e-14, abs=0)
        p = max(exact.f_sf(true.F, *iman.df), exact.number(floor))
        assert exact.relative_error(iman.pvalue, [p]) < 1e-12
    for test in (chi2, iman):
        assert test.pvalue == pytest.approx(10**test.log10_pvalue, rel=1e-12)


def _check_pairs(ranks, true, formulas, exact):
    n, k = ranks.shape
    first, second = posthoc.all_pairs(k)
    error = posthoc.standard_error(ranks, formulas=formulas)
    squared = true.variance / Fraction(n * n)
    assert error == pytest.approx(math.sqrt(squared), rel=1e-14)
    tests = posthoc.rank_tests(ranks.sum(axis=0), n * error, first, second)
    z = [
        exact.number(true.sums[j] - true.sums[i]) / exact.number(true.variance) ** 0.5
        if true.variance
        else 0
        for i, j in zip(first, second, strict=True)
    ]
    assert tests.statistic == pytest.approx([float(value) for value in z], rel=1e-13, abs=0)
    p = [exact.normal_two_sided(value) for value in z]
    assert exact.relative_error(tests.pvalue, p) < 1e-12
    m = len(p)
    ordered = sorted(p)
    expected = {
        "bonferroni": [min(1, m * value) for value in p],
        "holm": [
            min(1, max((m - j) * ordered[j] for j in range(m) if ordered[j] <= value))
            for value in p
        ],
        "hochberg": [
            min(1, min((m - j) * ordered[j] for j in range(m) if ordered[j] >= value))
            for value in p
        ],
    }
    for method, true_apv in expected.items():
        assert exact.relative_error(adjust.adjust(tests.pvalue, method), true_apv) < 2e-12
        logs = adjust.adjust(tests.log10_pvalue, method, log10=True)
        assert exact.relative_error(10**logs, true_apv) < 2e-12


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
    true = exact.friedman(table.tolist(), corrected=True)
    ours = omnibus.iman_davenport(midranks(table), formulas="printed")
    assert ours.statistic == pytest.approx(float(true.F), rel=1e-15)
    log10_p = float(mpmath.log10(exact.f_sf(true.F, *ours.df)))
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
