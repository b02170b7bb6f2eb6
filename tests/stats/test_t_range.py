"""The range of the paired t test: corners, constants and a local optimiser."""

import itertools
import math

import numpy as np
import pytest
from scipy import optimize, stats

from nbcompare.stats import _boxes
from nbcompare.stats.interval import paired_t_interval


def t_of(d):
    spread = d.std(axis=-1, ddof=1)
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(spread > 0, d.mean(axis=-1) / spread * math.sqrt(d.shape[-1]), np.nan)


@pytest.mark.parametrize("n", [2, 3, 5, 9])
@pytest.mark.parametrize("kind", ["normal", "whole", "one middle", "far off", "few intervals"])
def test_t_at_all_corners_and_by_an_optimiser(n, kind):
    rng = np.random.default_rng(n)
    width = rng.exponential(size=(40, n))
    lower = rng.normal(0.8, 1.0, (40, n))
    if kind == "whole":
        lower, width = np.rint(2 * lower), np.rint(width)
    elif kind == "one middle":
        lower = 1.5 - width / 2
    elif kind == "far off":
        lower, width = 1000 + lower / 100, width / 100
    elif kind == "few intervals":
        width = width * (rng.random((40, n)) < 0.4)
    upper = lower + width
    found = paired_t_interval(lower, upper)
    corners = np.array(list(itertools.product((False, True), repeat=n)))
    for row in range(40):
        low, high = lower[row], upper[row]
        t = t_of(np.where(corners, high, low))
        t = t[~np.isnan(t)]
        if low.sum() > 1e-9 or high.sum() < -1e-9:  # t is least at a corner
            if len(t):
                least = np.abs(t).min()
                assert found.p_high[row] == pytest.approx(2 * stats.t.sf(least, n - 1), rel=1e-9)
        else:
            assert found.p_high[row] == 1
        if low.max() <= high.min() and (high.min() > 0 or low.max() < 0):  # one number fits
            assert found.p_low[row] == np.finfo(float).tiny
        elif len(t):
            assert found.p_low[row] <= 2 * stats.t.sf(np.abs(t).max(), n - 1) * (1 + 1e-9)


def test_greatest_t_by_an_optimiser():
    rng = np.random.default_rng(7)
    for n in (2, 3, 6):
        lower = rng.normal(0.8, 1.0, n)
        lower[0] = 3.0  # out of reach of the second
        upper = lower + rng.exponential(size=n)
        upper[1] = max(lower[1], 2.0)
        best = 0.0
        for start in (lower, upper, (lower + upper) / 2, np.clip(1, lower, upper)):
            for sign in (1, -1):
                result = optimize.minimize(
                    lambda d, sign=sign: -sign * d.mean() / d.std(), start,
                    bounds=list(zip(lower, upper, strict=True)), method="L-BFGS-B",
                )  # fmt: skip
                best = max(best, abs(float(t_of(np.clip(result.x, lower, upper)))))
        p = paired_t_interval(lower, upper).p_low
        assert p == pytest.approx(2 * stats.t.sf(best, n - 1), rel=1e-5)


@pytest.mark.slow
def test_greatest_t_is_a_clipped_constant():
    # every constant on a fine grid, for boxes that none fits
    rng = np.random.default_rng(5)
    lower = rng.normal(1, 2, (200, 7))
    upper = lower + rng.exponential(1, lower.shape)
    kept = (lower.max(axis=1) > upper.min(axis=1)) & (upper.sum(axis=1) > 0)
    lower, upper = lower[kept], upper[kept]
    constants = np.linspace(1e-3, 12, 20_001)[:, np.newaxis]
    found = _boxes.greatest_t(lower, upper)
    for row in range(len(lower)):
        best = t_of(np.clip(constants, lower[row], upper[row])).max()
        assert best <= found[row] * (1 + 1e-12)
        assert best == pytest.approx(found[row], rel=1e-5)


def test_many_corners_that_bounds_do_not_tell_apart():
    # one middle: whatever corner with the right sum will do, of 2^18
    rng = np.random.default_rng(6)
    width = rng.random(18)
    sums, squares = np.zeros(1), np.zeros(1)
    for w in width:
        sums = np.concatenate([sums + 2 - w, sums + 2 + w])
        squares = np.concatenate([squares + (2 - w) ** 2, squares + (2 + w) ** 2])
    t = sums / np.sqrt((squares - sums**2 / 18) * 18 / 17)
    found = _boxes.least_t(2 - width[np.newaxis], 2 + width[np.newaxis])
    assert found[0] == pytest.approx(t.min(), rel=1e-8)
    same = _boxes.least_t(np.full((1, 300), 1.0), np.full((1, 300), 3.0))
    ups = np.arange(1, 300)  # all intervals alike: only how many are raised matters
    total, square = 300 + 2 * ups, 300 + 8 * ups
    assert same[0] == pytest.approx((total / np.sqrt((square - total**2 / 300) / 299 * 300)).min())


@pytest.mark.filterwarnings("error")
def test_degenerate_boxes_of_t():
    tiny = np.finfo(float).tiny
    lower = [[1, 1, 1], [0, 0, 0], [0, 0, 0], [-1, -2, -3], [1, 2, 3], [0, 0, 1], [-1, 0, 0]]
    upper = [[1, 1, 1], [0, 0, 0], [1, 1, 1], [1, 2, 3], [1, 2, 3], [0, 2, 1], [1, 0, 0]]
    found = paired_t_interval(lower, upper)
    points = stats.ttest_1samp([1, 2, 3], 0).pvalue
    np.testing.assert_allclose(found.p_low[:5], [tiny, 1, tiny, tiny, points], rtol=1e-12)
    np.testing.assert_allclose(found.p_high[:5], [tiny, 1, 1, 1, points], rtol=1e-12)
    # d = (0, y, 1): t^2 = 2 (1 + y)^2 / (3 (1 + y^2) - (1 + y)^2) is greatest at y = 1
    assert found.p_low[5] == pytest.approx(2 * stats.t.sf(2, 2))
    assert found.p_high[5] == pytest.approx(2 * stats.t.sf(1, 2))
    assert (found.p_low[6], found.p_high[6]) == pytest.approx((2 * stats.t.sf(1, 2), 1))
    two = paired_t_interval([1.0, 4.0], [2.0, 5.0])  # 2 and 4, 1 and 5
    assert two.p_low == pytest.approx(stats.ttest_1samp([2, 4], 0).pvalue)
    assert two.p_high == pytest.approx(stats.ttest_1samp([1, 5], 0).pvalue)
    huge = paired_t_interval(np.array([1.0, 4.0]) * 4e307, np.array([2.0, 5.0]) * 3e307 + 2e307)
    assert 0 < huge.p_low <= huge.p_high <= 1
    noise = paired_t_interval([0.3 - 0.1, 0.2], [0.3 - 0.1, 0.2], scale=0.3)
    assert noise.p_high == tiny
