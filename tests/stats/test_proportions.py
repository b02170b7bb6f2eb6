"""Intervals of Tango, and of Clopper and Pearson, by their definitions."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from nbcompare.stats.proportions import clopper_pearson, paired_difference

Z = 1.959963984540054


def statistic(b, c, n, difference):
    """Return the score statistic, with the largest likelihood found on a fine grid."""
    shares = np.linspace(max(0.0, -difference), (1 - difference) / 2, 400_001)[1:-1]
    cells = ((b, shares + difference), (c, shares), (n - b - c, 1 - 2 * shares - difference))
    likelihood = sum(count * np.log(share) for count, share in cells if count)
    q = shares[np.argmax(likelihood)]
    return (b - c - n * difference) / np.sqrt(n * (2 * q + difference * (1 - difference)))


@pytest.mark.parametrize(("b", "c", "n"), [(14, 1, 75), (12, 2, 50), (3, 3, 20), (1, 0, 30)])
def test_ends_have_the_statistic_of_the_level(b, c, n):
    found = paired_difference(b, c, n)
    assert found.estimate == (b - c) / n
    assert statistic(b, c, n, float(found.lower)) == pytest.approx(Z, abs=1e-4)
    assert statistic(b, c, n, float(found.upper)) == pytest.approx(-Z, abs=1e-4)


def test_without_a_difference_the_ends_are_those_of_one_proportion():
    found = paired_difference(0, 0, 10)
    assert found.upper == -found.lower == pytest.approx(Z**2 / (10 + Z**2), rel=1e-9)


@pytest.mark.slow
@given(st.integers(1, 300), st.floats(0, 1), st.floats(0, 1))
@settings(max_examples=60)
def test_swapped_models_turn_the_interval(n, one, other):
    b = int(one * n)
    c = int(other * (n - b))
    found, back = paired_difference(b, c, n), paired_difference(c, b, n)
    assert -1 <= found.lower <= found.estimate <= found.upper <= 1
    assert (back.lower, back.upper) == pytest.approx((-found.upper, -found.lower), abs=1e-12)
    wide = paired_difference(b, c, n, confidence=0.99)
    assert wide.lower <= found.lower <= found.upper <= wide.upper


@pytest.mark.weekly
@pytest.mark.parametrize(("n", "p"), [(50, (0.05, 0.02)), (50, (0.3, 0.2)), (500, (0.02, 0.02))])
def test_coverage(n, p):
    rng = np.random.default_rng(0)
    b, c, _ = rng.multinomial(n, [*p, 1 - sum(p)], size=20_000).T
    found = paired_difference(b, c, np.full(len(b), n))
    truth = p[0] - p[1]
    covered = ((found.lower <= truth) & (truth <= found.upper)).mean()
    assert 0.935 <= covered <= 0.985


# ------------------------------------------------------------------------------------ binomial


@pytest.mark.parametrize("n", [1, 7, 100, 2100])
@pytest.mark.parametrize("confidence", [0.8, 0.95])
def test_the_ends_are_those_of_the_tails(n, confidence):
    x = np.unique(np.linspace(0, n, 9).astype(int))
    lower, upper = clopper_pearson(x, n, confidence)
    tail = (1 - confidence) / 2
    for count, low, high in zip(x, lower, upper, strict=True):
        test = stats.binomtest(int(count), n).proportion_ci(confidence, method="exact")
        assert (low, high) == pytest.approx((test.low, test.high))
        if count:
            assert stats.binom.sf(count - 1, n, low) == pytest.approx(tail)
        if count < n:
            assert stats.binom.cdf(count, n, high) == pytest.approx(tail)


def test_without_trials_nothing_is_known():
    lower, upper = clopper_pearson([0.0, 2.5], [0.0, 5.0])
    assert (lower[0], upper[0]) == (0.0, 1.0)
    assert lower[1] < 0.5 < upper[1]
