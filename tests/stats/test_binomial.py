"""Intervals of Clopper and Pearson, against the tails of the binomial law."""

import numpy as np
import pytest
from scipy import stats

from nbcompare.stats.proportions import clopper_pearson


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
