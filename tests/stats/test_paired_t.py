import mpmath
import numpy as np
import pytest
from scipy import stats

from nbcompare.stats.parametric import paired_t
from nbcompare.stats.posthoc import all_pairs

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
