import math

import numpy as np
import pytest
from scipy import special, stats

from nbcompare.stats.crossval import classical, corrected_t, five_by_two_f, five_by_two_t

SIDES = {"two-sided": "two-sided", "better": "less", "worse": "greater"}


def by_loops(differences):
    """Statistics of Dietterich and Alpaydin, as their papers have them."""
    squares = variances = 0.0
    for first, second in differences:
        mean = (first + second) / 2
        variances += (first - mean) ** 2 + (second - mean) ** 2
        squares += first**2 + second**2
    return differences[0][0] / math.sqrt(variances / 5), squares / (2 * variances)


def test_five_by_two_by_loops():
    many = np.random.default_rng(0).normal(0.3, 1, (4, 3, 5, 2))
    f = five_by_two_f(many)
    assert f.df == (10, 5)
    for side, scipy_side in SIDES.items():
        t = five_by_two_t(many, alternative=side)
        assert t.df == (5,)
        for index in np.ndindex(4, 3):
            expected_t, expected_f = by_loops(many[index].tolist())
            # here t > 0 where the first is better, there where the difference is
            assert -t.statistic[index] == pytest.approx(expected_t, rel=1e-12)
            assert f.statistic[index] == pytest.approx(expected_f, rel=1e-12)
            tail = stats.t.cdf(expected_t, 5) if side == "better" else stats.t.sf(expected_t, 5)
            p = 2 * stats.t.sf(abs(expected_t), 5) if side == "two-sided" else tail
            assert t.pvalue[index] == pytest.approx(p, rel=1e-9), scipy_side
            assert 10 ** t.log10_pvalue[index] == pytest.approx(p, rel=1e-9)
            assert f.pvalue[index] == pytest.approx(stats.f.sf(expected_f, 10, 5), rel=1e-9)


@pytest.mark.parametrize("shape", [(2,), (10,), (3, 2, 100)])
@pytest.mark.parametrize("ratio", [0, 1 / 9, 0.5])
def test_corrected_t_is_a_t_test_of_scaled_variance(shape, ratio):
    differences = np.random.default_rng(1).normal(0.2, 1, shape)
    n = shape[-1]
    # around their mean, differences are spread until s^2 / n is what the test takes for it
    means = differences.mean(axis=-1, keepdims=True)
    spread = means + (differences - means) * math.sqrt(1 + n * ratio)
    for side, scipy_side in SIDES.items():
        ours = corrected_t(differences, ratio, alternative=side)
        peer = stats.ttest_1samp(spread, 0, axis=-1, alternative=scipy_side)
        assert ours.df == (n - 1,)
        # here t > 0 where the first is better, there where the difference is
        assert -ours.statistic == pytest.approx(peer.statistic, rel=1e-11)
        assert ours.pvalue == pytest.approx(peer.pvalue, rel=1e-9)


@pytest.mark.parametrize("unit", [1, 0.1, 1 / 3, 1e-300, 1e300])
def test_no_variance(unit):
    signs = {"two-sided": (0, 0), "better": (0, 1), "worse": (1, 0)}
    for side, (p_below, p_above) in signs.items():
        for test in (
            lambda d, side=side: five_by_two_t(np.reshape(d, (5, 2)), alternative=side),
            lambda d, side=side: corrected_t(d, 1 / 9, alternative=side),
        ):
            for value, p in ((-1, p_below), (1, p_above)):
                result = test(np.full(10, value * unit))
                # a negative difference: the first is better
                assert (result.statistic, result.pvalue) == (-value * math.inf, p)
                assert result.log10_pvalue == (0 if p else -math.inf)
            none = test(np.zeros(10))
            assert (none.statistic, none.pvalue, none.log10_pvalue) == (0, 1, 0)
    f = five_by_two_f(np.full((5, 2), unit))
    assert (f.statistic, f.pvalue, f.log10_pvalue) == (math.inf, 0, -math.inf)
    f = five_by_two_f(np.zeros((2, 5, 2)))
    assert (f.statistic.tolist(), f.pvalue.tolist()) == ([0, 0], [1, 1])
    # no variance within the replications, and no difference in the first fold of the first
    level = five_by_two_t(np.array([[0, 0], [1, 1], [2, 2], [1, 1], [1, 1]]) * unit)
    assert (level.statistic, level.pvalue) == (0, 1)


def test_noise_is_no_variance():
    scores = np.array([[0.3, 0.1], [0.7, 0.5], [0.4, 0.2], [0.9, 0.7], [0.8, 0.6]])
    differences = scores[:, 0] - scores[:, 1]
    assert np.ptp(differences) > 0
    assert corrected_t(differences, 0.25, scale=0.9).statistic == -math.inf
    pairs = np.repeat(differences[:, np.newaxis], 2, axis=1)
    pairs[:, 1] = pairs[::-1, 1]
    assert five_by_two_t(pairs, scale=0.9).statistic == -math.inf
    assert five_by_two_f(pairs, scale=0.9).statistic == math.inf


def test_far_tail():
    far = corrected_t(np.arange(1000) % 2 + 1e3, 0)
    assert far.pvalue == 0
    # log of the incomplete beta function I_x(a, 1/2) where x is tiny: x^a / (a B(a, 1/2))
    a, x = 999 / 2, 999 / (999 + float(far.statistic) ** 2)
    expected = a * math.log(x) - math.log(a) - special.betaln(a, 0.5)
    assert far.log10_pvalue == pytest.approx(expected / math.log(10), rel=1e-6)
    f = five_by_two_f(np.full((5, 2), 1e9) + [[0, 1]] * 5)
    assert f.pvalue == pytest.approx(stats.f.sf(float(f.statistic), 10, 5), rel=1e-9)
    assert f.log10_pvalue == pytest.approx(math.log10(f.pvalue))


# --------------------------------------------------------------- classical combination


def test_classical_takes_one_of_two_tests():
    rng = np.random.default_rng(2)
    differences = np.stack([rng.normal(0.3, 1, (20, 10)), rng.exponential(1, (20, 10)) ** 2 - 0.5])
    for side, scipy_side in SIDES.items():
        test = classical(differences, alternative=side)
        assert test.is_t.any()
        assert not test.is_t.all()
        for index in np.ndindex(2, 20):
            row = differences[index]
            normality = stats.shapiro(row).pvalue
            assert test.normality[index] == pytest.approx(normality, rel=1e-6)
            assert test.is_t[index] == (normality > 0.05) == (not test.exact[index])
            if test.is_t[index]:
                peer = stats.ttest_1samp(row, 0, alternative=scipy_side)
                # here t > 0 where the first is better, there where the difference is
                assert -test.statistic[index] == pytest.approx(peer.statistic)
            else:
                peer = stats.wilcoxon(row, method="exact", alternative=scipy_side)
            assert test.pvalue[index] == pytest.approx(peer.pvalue)
    strict = classical(differences, alpha=0.9)
    assert strict.is_t.tolist() == (strict.normality > 0.9).tolist()


def test_classical_without_a_test_of_normality():
    for differences, p in (([0] * 6, 1), ([1, 1, 1, 1, 1, 1], 2 / 64), ([-1, -3], 0.5)):
        test = classical(differences)
        assert not test.is_t
        assert np.isnan(test.normality)
        assert test.pvalue == p
        assert test.exact
