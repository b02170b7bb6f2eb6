from fractions import Fraction
from statistics import median

import numpy as np
import pytest

from nbcompare.stats.contrast import contrast_estimates, contrast_intervals, median_differences


def by_loops(rows):
    """Medians and estimates, one number at a time."""
    k = len(rows[0])
    z = [[median(row[u] - row[v] for row in rows) for v in range(k)] for u in range(k)]
    means = [sum(z[u][v] for v in range(k)) / k for u in range(k)]
    return z, [[means[u] - means[v] for v in range(k)] for u in range(k)]


def test_loops():
    rng = np.random.default_rng(0)
    for n, k in [(1, 2), (1, 4), (2, 2), (2, 3), (7, 5), (10, 6)]:
        scores = rng.normal(size=(n, k))
        medians, estimates = by_loops(scores.tolist())
        assert median_differences(scores) == pytest.approx(np.array(medians), abs=1e-14)
        assert contrast_estimates(scores) == pytest.approx(np.array(estimates), abs=1e-14)


def test_intervals_against_loops():
    """The same resamples, drawn in one piece; each estimated anew, by the function above."""
    rng = np.random.default_rng(1)
    for n, k in [(7, 3), (8, 2)]:
        scores = rng.normal(size=(n, k))
        drawn = np.random.default_rng(3).integers(n, size=(60, n))
        estimates = np.array([by_loops(scores[rows].tolist())[1] for rows in drawn])
        lower, upper = np.quantile(estimates, [0.05, 0.95], axis=0)
        result = contrast_intervals(scores, confidence=0.9, n_resamples=60, rng=3)
        assert result.lower == pytest.approx(lower, abs=1e-14)
        assert result.upper == pytest.approx(upper, abs=1e-14)


def everything(scores):
    intervals = contrast_intervals(scores, n_resamples=50)
    return contrast_estimates(scores), intervals.lower, intervals.upper


def test_noise_is_no_difference():
    # medians of differences that are alike but for the last bit
    scores = [[0.3, 0.1, 0.3], [0.7, 0.5, 0.7], [0.1 + 0.2, 0.1, 0.3]]
    estimates = contrast_estimates(scores)
    assert estimates[0, 2] == 0
    assert estimates[0, 1] == pytest.approx(0.2)
    assert contrast_estimates([[1e5 + 0.1, 1e5]], scale=1e16)[0, 1] == 0
    assert median_differences([[1e5 + 0.1, 1e5]], scale=1e16)[0, 1] == 0
    # an end of an interval neither: 0.3 - 0.1 is not 0.2 in floating point
    tied = np.array([[0.3, 0.3], [0.1 + 0.2, 0.3], [0.7, 0.3 + 0.4]] * 3)
    assert (tied[:, 0] - tied[:, 1]).any()
    lower, upper = contrast_intervals(tied, n_resamples=100)
    assert not lower.any()
    assert not upper.any()


def exactly(rows):
    """Contrast estimates of decimals, given as text, in rational arithmetic."""
    table = [[Fraction(cell) for cell in row] for row in rows]
    return np.array([[float(cell) for cell in row] for row in by_loops(table)[1]])


SMALL = [
    ["0.0001", "0.0004", "0.00025"], ["0.0003", "0.0001", "0.0002"], ["0.0002", "0.0005", "0.0001"],
    ["0.0001", "0.0002", "0.0006"], ["0.0004", "0.0003", "0.0007"],
]  # fmt: skip


@pytest.mark.parametrize(
    "large",
    [
        ["1000000000000"] * 3,
        ["1000000000000", "1000000000001", "1000000000003"],
        ["0.0001", "0.0003", "1000000000000"],
        ["1e300", "1e300", "1e300"],
    ],
)
def test_each_data_set_has_its_own_noise(large):
    for rows in ([*SMALL, large], [*SMALL[:4], large], [*SMALL, large, large]):
        scores = np.array(rows, dtype=float)
        expected = exactly(rows)
        assert contrast_estimates(scores) == pytest.approx(expected, rel=1e-12, abs=1e-16)
        assert ((contrast_estimates(scores) == 0) == (expected == 0)).all()
        as_means = contrast_estimates(scores, scale=np.abs(scores))
        assert as_means.tolist() == contrast_estimates(scores).tolist()


@pytest.mark.slow
def test_intervals_cover():
    rng = np.random.default_rng(4)
    for n, least in ((10, 0.9), (30, 0.92)):
        hits = 0
        for _ in range(500):
            result = contrast_intervals(rng.normal(size=(n, 3)), n_resamples=300, rng=rng)
            hits += result.lower[0, 1] <= 0 <= result.upper[0, 1]
        assert least < hits / 500 < 0.985


@pytest.mark.filterwarnings("error")
def test_edges():
    for result in everything(np.full((3, 4), 0.1)):
        assert not result.any()
        assert not np.signbit(result).any()
    assert contrast_estimates([[1e306, -1e306]])[0, 1] == 2e306
    assert contrast_estimates([[3.0, 1.0]]).tolist() == [[0.0, 2.0], [-2.0, 0.0]]
