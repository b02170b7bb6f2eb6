"""Intervals of runs: encodings, cuts, and what is concluded over their levels."""

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
    summarise,
)
from nbcompare.stats.interval import rank_sum_interval, sign_interval, signed_rank_interval

COVERAGES = np.arange(1, 51) / 50


def trapped(share, seed):
    """10 folds by 30 runs of a good algorithm, some runs of which end worse than the other's.

    The good one errs 0.20 on a fold of average difficulty, the other one 0.30, both with a
    standard deviation of 0.01 over runs; folds differ by 0.03. Of the good one, the given
    share of the runs of each fold is trapped: it errs 0.40, again give or take 0.01.
    """
    rng = np.random.default_rng(seed)
    fold = rng.normal(0, 0.03, (10, 1))
    good, other = 0.2 + fold + rng.normal(0, 0.01, (2, 10, 30))
    other += 0.1
    n_trapped = round(share * 30)
    good[:, :n_trapped] += 0.2
    return good, other


def p_of_cuts(x, y, test):
    (xl, xu), (yl, yu) = central_cuts(x, x, COVERAGES), central_cuts(y, y, COVERAGES)
    ends = (xl, xu, yl, yu) if test is rank_sum_interval else (xl - yu, xu - yl)
    return test(*ends)


@pytest.mark.parametrize("share", [1 / 30, 0.1, 0.2, 1 / 3])
def test_planted_shares_of_trapped_runs_are_recovered(share):
    found = []
    for seed in range(10):
        p = p_of_cuts(*trapped(share, seed), signed_rank_interval)
        summary = summarise(p.p_low, p.p_high, COVERAGES, 0.05)
        assert summary.possibility == 1  # most runs are better for certain
        assert summary.necessity == pytest.approx(summary.turning)
        found.append(summary.misbehaving)
    assert found == pytest.approx([share] * 10, abs=0.02)  # half a run in thirty is 0.017


def test_no_trapped_runs_no_turning():
    p = p_of_cuts(*trapped(0.0, 1), signed_rank_interval)
    summary = summarise(p.p_low, p.p_high, COVERAGES, 0.05)
    assert (summary.possibility, summary.necessity) == (1, 1)
    assert np.isnan([summary.turning, summary.misbehaving]).all()
    assert summary.midpoint == pytest.approx(2 / 2**10)


@pytest.mark.parametrize("test", [signed_rank_interval, sign_interval, rank_sum_interval])
def test_ends_are_nested_over_the_cuts(test):
    rng = np.random.default_rng(2)
    x, y = rng.normal(0, 1, (2, 12, 8)).round(1)
    x += 0.3
    p = p_of_cuts(x, y, test)
    assert (np.diff(p.p_low) <= 0).all()
    assert (np.diff(p.p_high) >= 0).all()
    means = [bootstrap_mean_cuts(runs, COVERAGES, n_resamples=500) for runs in (x, y)]
    p = signed_rank_interval(means[0].low - means[1].high, means[0].high - means[1].low)
    assert (np.diff(p.p_low) <= 0).all()
    assert (np.diff(p.p_high) >= 0).all()


def in_words(low, high, coverages, alpha):
    """Possibility, necessity and turning point, level by level."""
    levels = [
        (1.0 if i == 0 else 1 - c, c, a <= alpha, b > alpha)
        for i, (c, a, b) in enumerate(zip(coverages, low, high, strict=True))
    ]
    possibility = max((h for h, _, possible, _ in levels if possible), default=0.0)
    refuted = max((h for h, _, _, refutable in levels if refutable), default=0.0)
    turning = min((c for _, c, *both in levels if all(both)), default=np.nan)
    return possibility, 1 - refuted, turning


@given(
    st.lists(
        st.tuples(st.integers(0, 20), st.integers(0, 20), st.integers(1, 40)),
        min_size=1,
        max_size=8,
        unique_by=lambda level: level[2],
    ),
    st.sampled_from([0.05, 0.1, 0.5]),
)
def test_levels_in_words(levels, alpha):
    coverages = np.sort([c for *_, c in levels]) / 40
    middle = 0.25
    low = np.sort([middle * a / 20 for a, *_ in levels])[::-1]
    high = np.sort([middle + (1 - middle) * b / 20 for _, b, _ in levels])
    summary = summarise(low, high, coverages, alpha)
    assert summary[:3] == pytest.approx(in_words(low, high, coverages, alpha), nan_ok=True)
    assert 0 <= summary.necessity <= summary.possibility <= 1
    assert summary.possibility == 1 or summary.necessity == 0
    # the integral as a sum over a fine grid of the linear interpolation
    fine = (np.arange(200_000) + 0.5) / 200_000
    expected = np.interp(fine, coverages, (low + high) / 2).mean()
    assert summary.midpoint == pytest.approx(expected, abs=1e-5)
    several = summarise([low, low], [high, high], coverages, alpha)
    np.testing.assert_array_equal([one[0] for one in several], list(summary))


# --------------------------------------------------------------------------------- consolidate


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
