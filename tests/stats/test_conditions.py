import json
import math
from pathlib import Path

import numpy as np
import pytest
from scipy import stats as scipy_stats

from nbcompare.stats import conditions
from nbcompare.stats.conditions import (
    dagostino_pearson,
    levene,
    lilliefors,
    lilliefors_logp,
    shapiro_wilk,
)

REFERENCE = json.loads(
    (Path(__file__).parents[1] / "reference" / "conditions.json").read_text(encoding="utf-8")
)
NORMALITY = (lilliefors, shapiro_wilk, dagostino_pearson)
LEAST = (conditions.LILLIEFORS_LEAST, conditions.SHAPIRO_LEAST, conditions.DAGOSTINO_LEAST)


def close(value):
    return pytest.approx(value, rel=1e-9)


# --------------------------------------------------------------------------- Lilliefors


@pytest.mark.parametrize(("distance", "n", "p"), REFERENCE["lilliefors_in_r"]["rows"])
def test_lilliefors_as_r_prints_it(distance, n, p):
    log_p = lilliefors_logp(np.array([distance]), n)[0]
    assert math.exp(log_p) == pytest.approx(p, rel=1e-10 if p < 0.1 else 1e-4)


@pytest.mark.parametrize("n", [5, 10, 30, 100, 150])
def test_lilliefors_keeps_its_level(n):
    p = lilliefors(np.random.default_rng(n).normal(size=(4000, n))).pvalue
    for alpha in (0.05, 0.1, 0.5):
        error = math.sqrt(alpha * (1 - alpha) / len(p))
        assert (p <= alpha).mean() == pytest.approx(alpha, abs=4 * error + 0.005)


def test_lilliefors_in_words():
    rng = np.random.default_rng(2)
    for n in (5, 8, 33):
        sample = rng.gamma(2, size=n)
        z = sorted((sample - sample.mean()) / sample.std(ddof=1))
        below = [scipy_stats.norm.cdf(value) for value in z]
        largest = max(max((i + 1) / n - value, value - i / n) for i, value in enumerate(below))
        assert lilliefors(sample).statistic == close(largest)
        assert lilliefors(sample).statistic == close(scipy_stats.kstest(z, "norm").statistic)


# ---------------------------------------------------------- Shapiro-Wilk, D'Agostino-Pearson


def test_shapiro_and_wilks_own_example():
    example = REFERENCE["shapiro_wilk"]
    result = shapiro_wilk(example["values"])
    assert result.statistic == pytest.approx(example["w"], abs=0.005)
    assert result.pvalue == pytest.approx(example["p"], abs=5e-7)


def skewness_and_kurtosis(sample):
    """K squared from the papers: D'Agostino (1970), Anscombe and Glynn (1983)."""
    n = len(sample)
    mean = math.fsum(sample) / n
    m2, m3, m4 = (math.fsum((x - mean) ** power for x in sample) / n for power in (2, 3, 4))
    y = m3 / m2**1.5 * math.sqrt((n + 1) * (n + 3) / (6 * (n - 2)))
    beta = 3 * (n**2 + 27 * n - 70) * (n + 1) * (n + 3)
    beta /= (n - 2) * (n + 5) * (n + 7) * (n + 9)
    w2 = math.sqrt(2 * (beta - 1)) - 1
    z_skew = math.asinh(y / math.sqrt(2 / (w2 - 1))) / math.sqrt(math.log(math.sqrt(w2)))
    variance = 24 * n * (n - 2) * (n - 3) / ((n + 1) ** 2 * (n + 3) * (n + 5))
    x = (m4 / m2**2 - 3 * (n - 1) / (n + 1)) / math.sqrt(variance)
    root = 6 * (n**2 - 5 * n + 2) / ((n + 7) * (n + 9))
    root *= math.sqrt(6 * (n + 3) * (n + 5) / (n * (n - 2) * (n - 3)))
    a = 6 + 8 / root * (2 / root + math.sqrt(1 + 4 / root**2))
    inner = (1 - 2 / a) / (1 + x * math.sqrt(2 / (a - 4)))
    z_kurt = (1 - 2 / (9 * a) - math.copysign(abs(inner) ** (1 / 3), inner)) / math.sqrt(
        2 / (9 * a)
    )
    return z_skew**2 + z_kurt**2


@pytest.mark.parametrize("n", [8, 14, 20, 300])
def test_dagostino_pearson_from_its_papers(n):
    sample = np.random.default_rng(n).gamma(2, size=n)
    expected = skewness_and_kurtosis(sample.tolist())
    result = dagostino_pearson(sample)
    assert result.statistic == close(expected)
    assert result.pvalue == close(scipy_stats.chi2.sf(expected, 2))
    assert result.log10_pvalue == close(-expected / 2 / math.log(10))


def test_dagostino_pearson_of_a_symmetric_sample():
    """SciPy (1.17) takes a skewness of exactly 0 for a large one."""
    sample = [-3.0, -2.0, -1.0, -1.0, 0.0, 1.0, 1.0, 2.0, 3.0]
    assert dagostino_pearson(sample).statistic == close(skewness_and_kurtosis(sample))


@pytest.mark.parametrize("n", [3, 4, 5, 6, 11, 12, 14, 51, 300, 5000])
def test_shapiro_wilk_is_that_of_scipy(n):
    rng = np.random.default_rng(n)
    for sample in (rng.normal(size=n), rng.exponential(size=n), rng.integers(0, 5, n) + 0.0):
        expected = scipy_stats.shapiro(sample)
        result = shapiro_wilk(sample)
        assert result.statistic == pytest.approx(expected.statistic, abs=1e-8)
        # SciPy's quantiles of the normal law have about 8 digits
        assert result.pvalue == pytest.approx(expected.pvalue, rel=1e-4, abs=1e-12)
        assert 10**result.log10_pvalue == pytest.approx(result.pvalue, rel=1e-9)


# ------------------------------------------------------------------------ many, odd


@pytest.mark.parametrize("test", NORMALITY)
def test_rows_of_any_size_are_tested_one_by_one(test):
    rng = np.random.default_rng(8)
    rows = rng.gamma(3, size=(3, 4, 25))
    for place, size in zip(np.ndindex(3, 4), rng.integers(0, 26, 12), strict=True):
        rows[place][rng.permutation(25)[size:]] = np.nan
    together = test(rows)
    for place in np.ndindex(3, 4):
        alone = test(rows[place][~np.isnan(rows[place])])
        for one, other in zip(together, alone, strict=True):
            np.testing.assert_allclose(one[place], other, rtol=1e-9)


@pytest.mark.parametrize(("test", "least"), [*zip(NORMALITY, LEAST, strict=True)])
def test_where_there_is_no_test(test, least):
    rng = np.random.default_rng(3)
    assert all(np.isnan(value) for value in test(rng.normal(size=least - 1)))
    assert not any(np.isnan(value) for value in test(rng.normal(size=least)))
    for constant in (np.full(30, 0.1), np.zeros(30), [0.3, 0.1 + 0.2] * 15, []):
        assert all(np.isnan(value) for value in test(constant))
    # means that differ by the noise of what they are means of
    noisy = 1e-9 + 1e-16 * rng.normal(size=30)
    assert not np.isnan(test(noisy).statistic)
    assert np.isnan(test(noisy, scale=1.0).statistic)


def test_shapiro_wilk_is_not_known_beyond_5000_values():
    sample = np.random.default_rng(3).normal(size=5001)
    assert shapiro_wilk(sample[:5000]).pvalue > 0.001
    assert np.isnan(shapiro_wilk(sample).pvalue)


@pytest.mark.parametrize("test", NORMALITY)
def test_numbers_of_any_size(test):
    sample = np.random.default_rng(5).normal(size=20)
    plain = test(sample)
    for factor in (1e-300, 1e300, -1e307):
        for one, other in zip(test(factor * sample), plain, strict=True):
            assert one == pytest.approx(float(other), rel=1e-9)


FLIPPED = [[1], [1e3]] * np.resize([1, -1], 4000)
FAR = [
    (lilliefors, np.repeat([0.0, 1.0], 5000)),
    (dagostino_pearson, np.exp(np.linspace(0, 40, 3000))),
    (levene, np.random.default_rng(1).uniform(0.9, 1.1, size=(2, 4000)) * FLIPPED),
]


@pytest.mark.parametrize(("test", "samples"), FAR)
def test_logarithms_do_not_underflow(test, samples):
    result = test(samples)
    assert result.pvalue == 0
    assert -math.inf < result.log10_pvalue < -400


# ------------------------------------------------------------------------------- Levene


@pytest.mark.parametrize("center", ["mean", "median"])
def test_levene_is_an_analysis_of_variance_of_deviations(center):
    rng = np.random.default_rng(7)
    table = rng.normal(size=(4, 9)) * [[1], [2], [1], [5]]
    table[1, 3:6] = table[3, 8] = np.nan
    groups = [row[~np.isnan(row)] for row in table]
    deviations = [np.abs(group - getattr(np, center)(group)) for group in groups]
    expected = scipy_stats.f_oneway(*deviations)
    result = levene(table, center=center)
    assert result.statistic == close(expected.statistic)
    assert result.pvalue == close(expected.pvalue)
    assert result.statistic == close(scipy_stats.levene(*groups, center=center).statistic)
    assert result.df.tolist() == [3, 32 - 4]
    np.testing.assert_allclose(10**result.log10_pvalue, result.pvalue)


def test_levene_of_many_tables():
    tables = np.random.default_rng(1).normal(size=(2, 3, 4, 6))
    together = levene(tables)
    assert together.df.shape == (2, 3, 2)
    for place in np.ndindex(2, 3):
        assert together.statistic[place] == close(levene(tables[place]).statistic)
