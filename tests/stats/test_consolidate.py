import itertools
import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from nbcompare.stats.fuzzy import (
    ENCODINGS,
    bootstrap_mean_cuts,
    central_cuts,
    consolidate,
)

COVERAGES = np.arange(1, 51) / 50
RAGGED = np.random.default_rng(0).normal(size=(4, 5, 12))
for row, column, kept in ((0, 0, 1), (1, 2, 5), (2, 4, 11), (3, 3, 0)):
    RAGGED[row, column, kept:] = np.nan
NEEDS = {"central": 0.7, "shortest": 0.7}


@pytest.mark.parametrize("coverage", [0.02, 0.1, 0.5, 0.9, 1.0])
def test_quantiles_as_numpy(coverage):
    tail = (1 - coverage) / 2
    low, high = consolidate(RAGGED, RAGGED + 1, "central", coverage)
    cells = list(np.ndindex(4, 5))
    for cell in cells[:-1]:
        runs = RAGGED[cell][~np.isnan(RAGGED[cell])]
        if not runs.size:
            continue
        assert low[cell] == pytest.approx(np.quantile(runs, tail), rel=1e-12, abs=1e-14)
        assert high[cell] == pytest.approx(np.quantile(runs, 1 - tail) + 1, rel=1e-12)
    assert np.isnan(low[3, 3])
    assert np.isnan(high[3, 3])


def middle_half(runs):
    quarter = len(runs) // 4
    return np.sort(runs)[quarter : len(runs) - quarter].mean()


def half_sample_mode(runs):
    """In whole numbers, without a tolerance; twice the mode."""
    runs = sorted(runs)
    while len(runs) > 2 and runs[0] < runs[-1]:
        half = -(-len(runs) // 2)
        starts = range(len(runs) - half + 1)
        start = min(starts, key=lambda i: runs[i + half - 1] - runs[i])
        runs = [run for run in runs if runs[start] <= run <= runs[start + half - 1]]
    return runs[0] + runs[-1]


@given(st.lists(st.integers(0, 40), min_size=1, max_size=30), st.sampled_from([1, 10, 7]))
def test_mode_by_halves(runs, divisor):
    low, high = consolidate(np.array(runs) / divisor, np.array(runs) / divisor, "mode")
    assert low == high == pytest.approx(half_sample_mode(runs) / 2 / divisor, rel=1e-12)
    # the middle of the densest runs, whatever a few others do
    padded = np.array([[*runs, *[np.nan] * 3], [7.0] * (len(runs) + 3)])
    both = consolidate(padded, padded, "mode").low
    assert both.tolist() == [half_sample_mode(runs) / 2, 7.0]


def test_mode_of_many_runs_is_where_they_are_densest():
    runs = np.concatenate([np.linspace(0.30, 0.32, 20), np.linspace(0, 1, 15)])
    assert 0.30 <= consolidate(runs, runs, "mode").low <= 0.32


def test_numbers_as_numpy():
    numbers = {"mean": np.mean, "median": np.median, "interquartile-mean": middle_half}
    for encoding, peer in numbers.items():
        low, high = consolidate(RAGGED, RAGGED + 1, encoding)
        expected = [
            peer(cell[~np.isnan(cell)]) if not np.isnan(cell).all() else np.nan
            for cell in RAGGED.reshape(-1, 12)
        ]
        np.testing.assert_allclose(low.reshape(-1), expected, rtol=1e-12)
        np.testing.assert_allclose(high, low + 1, rtol=1e-12)
    low, high = consolidate(RAGGED, RAGGED, "range")
    np.testing.assert_array_equal(low[:3], np.nanmin(RAGGED[:3], axis=-1))
    np.testing.assert_array_equal(high[:3], np.nanmax(RAGGED[:3], axis=-1))


@given(
    st.lists(st.integers(0, 30), min_size=1, max_size=9),
    st.integers(1, 20),
    st.sampled_from([1, 10, 7]),
)
def test_shortest_by_all_pairs_of_runs(runs, twentieths, divisor):
    held = math.ceil(Fraction(twentieths, 20) * len(runs))
    low, high = consolidate(*[np.array(runs) / divisor] * 2, "shortest", twentieths / 20)
    width, lowest = min(
        (stop - start, start)
        for start, stop in itertools.product(runs, runs)
        if sum(start <= run <= stop for run in runs) >= held
    )
    assert (low, high) == (lowest / divisor, (lowest + width) / divisor)


@pytest.mark.parametrize("m", [1, 2, 7, 30])
def test_central_cuts_are_nested_and_each_is_the_interval_alone(m):
    rng = np.random.default_rng(m)
    lower = rng.normal(size=(3, m)).round(1) * 0.1
    upper = lower + rng.exponential(size=(3, m))
    low, high = central_cuts(lower, upper, COVERAGES)
    assert (np.diff(low, axis=0) <= 0).all()
    assert (np.diff(high, axis=0) >= 0).all()
    assert (low <= high).all()
    for level in (0, 24, 49):
        one = consolidate(lower, upper, "central", COVERAGES[level])
        np.testing.assert_array_equal([low[level], high[level]], one)
    np.testing.assert_array_equal([low[-1], high[-1]], consolidate(lower, upper, "range"))


def test_bootstrapped_means():
    rng = np.random.default_rng(3)
    values = rng.normal(size=(2, 3, 30))
    values[0, 1, 20:] = np.nan
    values[1, 1] = 0.3
    values[1, 2] = np.nan
    low, high = bootstrap_mean_cuts(values, COVERAGES, n_resamples=4000)
    made = np.array([[True, True, True], [True, True, False]])
    assert (np.diff(low[:, made], axis=0) <= 0).all()
    assert (np.diff(high[:, made], axis=0) >= 0).all()
    assert np.isnan(low[:, 1, 2]).all()
    assert (low[:, 1, 1] == 0.3).all()
    assert (high[:, 1, 1] == 0.3).all()
    # the normal limit of the percentile interval, to the noise of 4,000 resamples
    for cell, m in (((0, 0), 30), ((0, 1), 20)):
        runs = values[cell][:m]
        error = runs.std() / math.sqrt(m)
        assert low[44][cell] == pytest.approx(runs.mean() - 1.645 * error, abs=0.12 * error)
        assert high[44][cell] == pytest.approx(runs.mean() + 1.645 * error, abs=0.12 * error)
    # neither the order of runs and cells nor other cells matter
    again = bootstrap_mean_cuts(values[::-1, :, ::-1], COVERAGES, n_resamples=4000)
    np.testing.assert_array_equal(again.low[:, ::-1], low)
    alone = bootstrap_mean_cuts(values[0, 1], COVERAGES, n_resamples=4000)
    np.testing.assert_allclose(alone.low, low[:, 0, 1], rtol=1e-13)


def test_few_means_by_all_resamples():
    runs = [0.0, 1.0, 5.0]
    means = [np.mean(pick) for pick in itertools.product(runs, repeat=3)]
    low, high = bootstrap_mean_cuts(runs, [0.4, 0.8], n_resamples=200_000, rng=1)
    # quantiles in the middle of an atom of the law of 27 means are exact
    for level, coverage in enumerate((0.4, 0.8)):
        tail = (1 - coverage) / 2
        assert low[level] == pytest.approx(np.quantile(means, tail, method="inverted_cdf"))
        assert high[level] == pytest.approx(np.quantile(means, 1 - tail, method="inverted_cdf"))


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("encoding", ENCODINGS)
def test_one_run_is_a_point_and_extreme_scores_stay_finite(encoding):
    coverage = NEEDS.get(encoding)
    one = np.array([[0.3, np.nan, np.nan], [np.nan] * 3])
    low, high = consolidate(one, one, encoding, coverage)
    assert (low[0], high[0]) == (0.3, 0.3)
    assert np.isnan([low[1], high[1]]).all()
    huge = np.array([1.7e308, -1.7e308, 1.7e308, 1.6e308])
    ends = consolidate(huge, huge, encoding, coverage)
    assert np.isfinite(ends).all()
    assert ends.low <= ends.high


@pytest.mark.filterwarnings("error")
def test_bootstrapped_means_of_extreme_scores_stay_finite():
    largest = np.finfo(np.float64).max
    cuts = bootstrap_mean_cuts([[-largest, largest], [largest, largest]], [0.2, 1.0])
    np.testing.assert_array_equal(cuts.low, [[0.0, largest], [-largest, largest]])
    np.testing.assert_array_equal(cuts.high, [[0.0, largest], [largest, largest]])
