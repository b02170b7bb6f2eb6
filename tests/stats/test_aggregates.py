"""Aggregates of runs, against SciPy, plain loops, and the coverage of their intervals."""

import numpy as np
import pytest
from scipy import stats

from nbcompare.stats.aggregates import aggregate, profiles

FEW = {"n_resamples": 20}


def table(n, k, runs, *, seed=0, ties=False, ragged=False):
    rng = np.random.default_rng(seed)
    values = rng.normal(size=(n, k, runs)) + 0.3 * np.arange(k)[:, np.newaxis]
    if ties:
        values = np.round(values)
    if ragged:
        values[rng.random(values.shape) < 0.3] = np.nan
        values[..., 0] = np.nan_to_num(values[..., 0])
    return values


def by_loops(x, y):
    """The probability that a run of x is better than one of y, data set by data set."""
    shares = []
    for ours, theirs in zip(x, y, strict=True):
        won = [
            (a > b) + 0.5 * (a == b)
            for a in ours[~np.isnan(ours)]
            for b in theirs[~np.isnan(theirs)]
        ]
        shares.append(sum(won) / len(won))
    return sum(shares) / len(shares)


@pytest.mark.parametrize("ragged", [False, True])
@pytest.mark.parametrize("ties", [False, True])
def test_improvement_is_what_loops_count(ties, ragged):
    runs = table(7, 4, 5, ties=ties, ragged=ragged, seed=3)
    found = aggregate(runs, **FEW).improvement
    for i in range(4):
        for j in range(4):
            expected = 0.5 if i == j else by_loops(runs[:, i], runs[:, j])
            assert found.estimate[i, j] == pytest.approx(expected, abs=1e-12)
    assert found.estimate + found.estimate.T == pytest.approx(np.ones((4, 4)))


@pytest.mark.parametrize("shape", [(6, 3, 5), (1, 2, 7), (13, 2, 1), (5, 2, 3)])
def test_means_are_those_of_scipy_and_numpy(shape):
    runs = table(*shape, seed=5)
    found = aggregate(runs, target=0.5, **FEW)
    for place in range(shape[1]):
        own = runs[:, place]
        assert found.interquartile_mean.estimate[place] == pytest.approx(
            stats.trim_mean(own.ravel(), 0.25)
        )
        assert found.mean.estimate[place] == pytest.approx(own.mean())
        assert found.median.estimate[place] == pytest.approx(np.median(own.mean(axis=1)))
        lacking = np.maximum(0, 0.5 - own).mean()
        assert found.gap.estimate[place] == pytest.approx(lacking)


def test_data_sets_count_equally_whatever_runs_they_have():
    runs = np.full((2, 2, 6), np.nan)
    runs[0, :, :6], runs[1, :, :2] = 1.0, 3.0
    found = aggregate(runs, target=3, **FEW)
    for part in (found.mean, found.median, found.interquartile_mean):
        assert part.estimate == pytest.approx(2)
    assert found.gap.estimate == pytest.approx(1)


def plain_bootstrap(runs, count, rng):
    """Interquartile means of resamples, drawn and sorted one after the other."""
    found = []
    for _ in range(count):
        drawn = [rng.choice(own, len(own)) for own in runs]
        found.append(stats.trim_mean(np.concatenate(drawn), 0.25))
    return np.quantile(found, (0.025, 0.975))


@pytest.mark.slow
def test_the_bootstrap_is_stratified():
    runs = table(5, 2, 8, seed=9) + 10 * np.arange(5)[:, np.newaxis, np.newaxis]
    found = aggregate(runs, n_resamples=4000).interquartile_mean
    expected = plain_bootstrap(runs[:, 1], 4000, np.random.default_rng(1))
    got = [found.lower[1], found.upper[1]]
    width = expected[1] - expected[0]
    assert got == pytest.approx(expected, abs=0.08 * width)


@pytest.mark.slow
def test_intervals_hold_for_ten_runs():
    rng = np.random.default_rng(17)
    inside = np.zeros(2)
    trials, n, runs = 400, 8, 10
    for trial in range(trials):
        levels = np.linspace(-1, 1, n)[:, np.newaxis, np.newaxis]
        found = aggregate(levels + rng.normal(size=(n, 2, runs)), n_resamples=400, rng=trial)
        mean, better = found.mean, found.improvement
        inside[0] += mean.lower[0] <= 0 <= mean.upper[0]
        inside[1] += better.lower[0, 1] <= 0.5 <= better.upper[0, 1]
    shares = inside / trials
    error = 3 * np.sqrt(0.95 * 0.05 / trials)
    assert (shares > 0.93 - error).all()
    assert (shares < 0.97 + error).all()


def test_profiles_are_shares_of_runs():
    runs = table(6, 3, 4, seed=2, ragged=True)
    at = np.linspace(-2, 3, 11)
    found = profiles(runs, at, **FEW)
    for place in range(3):
        for column, threshold in enumerate(at):
            shares = [(own[~np.isnan(own)] > threshold).mean() for own in runs[:, place]]
            assert found.estimate[place, column] == pytest.approx(np.mean(shares))
    assert (np.diff(found.estimate, axis=1) <= 1e-12).all()
    assert (found.lower <= found.upper).all()


def test_runs_that_differ_by_rounding_are_tied():
    runs = [[[0.1 + 0.2], [0.3]]]
    assert aggregate(runs, scale=0.3, **FEW).improvement.estimate[0, 1] == 0.5


def test_the_same_seed_gives_the_same_intervals():
    runs = table(4, 3, 5)
    one, other, third = (aggregate(runs, rng=seed, **FEW).mean.lower for seed in (1, 1, 2))
    assert one.tolist() == other.tolist() != third.tolist()


@pytest.mark.parametrize(
    ("runs", "message"),
    [
        ([[1.0, 2.0]], r"`runs` must have shape .*; got \(1, 2\)"),
        ([[["a"]]], "`runs` must hold numbers"),
        ([[[np.inf]]], "must be finite"),
        ([[[1.0], [np.nan]]], "got none of algorithm 1 on data set 0"),
    ],
)
def test_bad_input_is_named(runs, message):
    with pytest.raises(ValueError, match=message):
        aggregate(runs)


@pytest.mark.parametrize("n_runs", [1, 3, 7, 30])
def test_runs_that_are_alike_have_intervals_without_length(n_runs):
    random = np.random.default_rng(4)
    alike = np.repeat(random.normal(size=(13, 1, 1)), n_runs, axis=2)
    found = aggregate(
        np.concatenate([alike, random.normal(size=(13, 1, n_runs))], axis=1), target=0.1
    )
    for part in found[:4]:
        assert part.lower[0] == part.estimate[0] == part.upper[0]
        assert (part.lower[1] < part.upper[1]) == (n_runs > 1)
