import itertools
import math

import numpy as np
import pytest

from nbcompare.stats.bootstrap import tilted_test
from nbcompare.stats.permutation import permutation_test

SIDES = ["two-sided", "better", "worse"]


def p_of(law, observed, side):
    """P-value from pairs of a sum and its probability."""
    lower = sum(p for value, p in law if value <= observed)
    upper = sum(p for value, p in law if value >= observed)
    return {"better": lower, "worse": upper, "two-sided": min(1, 2 * min(lower, upper))}[side]


SAMPLES = [
    ([1, 2, 3], [2, 3, 4]),
    ([5, 1, 1], [0, 1, 2]),
    ([0, 10, 4], [3, 3, 3]),
    ([1, 2, 3, 7], [2, 2, 9, 1]),
]


@pytest.mark.parametrize(("x", "y"), SAMPLES)
def test_tilted_law_is_that_of_all_draws(x, y):
    n = len(x)
    test = tilted_test(x, y)
    weights = [np.exp(-test.tilt * np.array(x)), np.exp(test.tilt * np.array(y))]
    weights = [w / w.sum() for w in weights]
    assert test.weights_x == pytest.approx(weights[0], rel=1e-9)
    assert test.weights_y == pytest.approx(weights[1], rel=1e-9)
    assert test.weights_x @ x == pytest.approx(test.weights_y @ y, rel=1e-12)
    indices = list(itertools.product(range(n), repeat=n))
    sums = [
        [(sum(v[i] for i in draw), math.prod(w[i] for i in draw)) for draw in indices]
        for v, w in zip((x, y), weights, strict=True)
    ]
    law = [(s - t, p * q) for s, p in sums[0] for t, q in sums[1]]
    for side in SIDES:
        expected = p_of(law, sum(x) - sum(y), side)
        p = tilted_test(np.array(x) / 10, np.array(y) / 10, alternative=side)
        assert p.p_low == p.p_high == pytest.approx(expected, rel=1e-9)
        assert p.tilt == pytest.approx(10 * test.tilt, rel=1e-9)


def test_no_tilt_without_overlap():
    for x, y in (([1, 2, 3], [4, 5, 6]), ([1, 2, 3], [3, 5, 6]), ([2, 2, 2], [1, 1, 1])):
        test = tilted_test(x, y)
        assert test.fallback
        assert np.isnan(test.tilt)
        assert test.p_low == permutation_test(np.subtract(x, y)).p_low
        assert test.weights_x.tolist() == [1 / 3] * 3
    same = tilted_test([0.1 + 0.2, 0.3], [0.3, 0.3])
    assert (same.fallback, same.tilt, same.p_low, same.statistic) == (False, 0, 1, 0)
    close = tilted_test([0, 1, 2, 3.001], [3, 4, 5, 6])  # hardly any overlap
    assert not close.fallback
    assert close.weights_x @ [0, 1, 2, 3.001] == pytest.approx(close.weights_y @ [3, 4, 5, 6])
    assert 0 < close.p_low <= close.p_high < 1e-3


@pytest.mark.slow
def test_tilted_by_resampling():
    x, y = np.random.default_rng(8).normal(size=(2, 2, 10)).round(2)
    for side in SIDES:
        exact = tilted_test(x, y, alternative=side).p_low
        test = tilted_test(x, y, alternative=side, method="resampling", n_resamples=100_000, rng=9)
        tail = exact / 2 if side == "two-sided" else exact
        error = (2 if side == "two-sided" else 1) * np.sqrt(tail * (1 - tail) / 100_000)
        assert (np.abs(test.p_low - exact) <= 4 * error + 2e-5).all()
    apart = tilted_test([1, 2], [3, 4], method="resampling", rng=0, n_resamples=999)
    assert apart.fallback
    assert apart.p_low == pytest.approx(0.5, abs=0.09)
