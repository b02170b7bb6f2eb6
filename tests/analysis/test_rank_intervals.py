"""Intervals of average ranks: their ends by other ways, and their coverage."""

import numpy as np
import pytest
from scipy import stats
from scipy.stats import rankdata

import nbcompare as nbc
from nbcompare import DataError, Experiment, rank_intervals
from nbcompare.stats.contrast import rank_intervals as stats_intervals

DEMSAR = nbc.datasets.load("demsar2006")


def made(scores, direction="minimize", names=None):
    names = names or [f"A{j}" for j in range(scores.shape[1])]
    return Experiment.from_array(
        scores, direction=direction, algorithms=names, datasets=range(len(scores))
    )


def noise(n=20, k=4, seed=1, decimals=1):
    return (np.random.default_rng(seed).normal(size=(n, k)) + np.arange(k) / 2).round(decimals)


def values(mapping):
    return np.array(list(mapping.values()))


def test_the_ends_are_those_of_students_interval_with_two_data_sets_added():
    scores = noise()  # with ties
    k = scores.shape[1]
    result = rank_intervals(made(scores), confidence=0.9)
    assert result.average_ranks == nbc.compare(made(scores)).average_ranks
    # each rank with weight 2 / k among n + 2, by scipy's interval of a mean
    for j, own in enumerate(rankdata(scores, axis=1).T):
        values, weights = np.append(own, range(1, k + 1)), np.append(np.ones(20), [2 / k] * k)
        mean = np.average(values, weights=weights)
        spread = np.average((values - mean) ** 2, weights=weights) * 22 / 21
        ends = stats.t.interval(0.9, 21, mean, np.sqrt(spread / 22))
        assert (result.lower[f"A{j}"], result.upper[f"A{j}"]) == pytest.approx(ends, rel=1e-12)


def test_two_algorithms_have_the_interval_of_a_proportion():
    # the average rank is 1 + losses / n; Agresti and Coull's (1998) with one win and one loss added
    scores = np.array([[0.0, 1.0]] * 9 + [[1.0, 0.0]] * 3)
    result = rank_intervals(made(scores))
    p = 4 / 14
    half = stats.t.isf(0.025, 13) * np.sqrt(p * (1 - p) / 13)
    assert (result.lower["A0"], result.upper["A0"]) == pytest.approx((1 + p - half, 1 + p + half))


def test_intervals_are_nested_and_hold_the_average_rank():
    wide, narrow, thin = (rank_intervals(DEMSAR, confidence=c) for c in (0.99, 0.8, 0.01))
    assert (values(wide.lower) < values(narrow.lower)).all()
    assert (values(narrow.upper) < values(wide.upper)).all()
    assert (values(thin.lower) <= values(thin.average_ranks)).all()
    assert (values(thin.average_ranks) <= values(thin.upper)).all()


def test_agreement_leaves_some_room():
    few, many = (rank_intervals(made(np.tile([1.0, 2.0, 3.0], (n, 1)))) for n in (6, 100))
    assert few.lower["A0"] == many.lower["A0"] == 1.0
    assert few.upper["A2"] == many.upper["A2"] == 3.0
    assert few.upper["A0"] > 1.5
    assert 1.0 < many.upper["A0"] < 1.1


def test_data_sets_that_are_left_out_count():
    scores = noise(7)
    scores[0, 0] = scores[1, 1] = np.nan
    with pytest.raises(DataError, match="missing='drop'"):
        rank_intervals(made(scores))
    assert rank_intervals(made(scores), missing="drop").design.n_datasets == 5
    worst = rank_intervals(made(scores), missing="worst")
    assert worst.average_ranks == nbc.compare(made(scores), missing="worst").average_ranks


def coverage(kind, k, apart, tied, n, times, rng):
    """Return the share of intervals that cover, of the algorithm with the lowest one."""
    shape = (100_000, k)
    scores = {
        "normal": rng.standard_normal,
        "skewed": rng.standard_exponential,
        "heavy-tailed": lambda shape: rng.standard_t(2, shape),
        "unequal": lambda shape: rng.standard_normal(shape) * np.where(np.arange(k) % 2, 3.0, 0.3),
    }[kind](shape)
    scores = scores + apart * np.arange(k)
    ranks = rankdata(scores.round() if tied else scores, axis=1)
    truth = ranks.mean(axis=0)  # of the population from which data sets are drawn
    covered = np.zeros(k)
    for rows in rng.integers(0, len(ranks), (times, n)):
        found = stats_intervals(ranks[rows])
        covered += (found.lower <= truth + 1e-9) & (truth - 1e-9 <= found.upper)
    return covered.min() / times


def test_few_data_sets_cover():
    rng = np.random.default_rng(5)
    for k, apart, tied in ((3, 0.0, False), (4, 1.0, True), (10, 2.5, False)):
        for n in (5, 10):
            # 400 intervals: 0.93 less three standard errors
            assert coverage("skewed", k, apart, tied, n, 400, rng) >= 0.892


@pytest.mark.weekly
@pytest.mark.parametrize("kind", ["normal", "skewed", "heavy-tailed", "unequal"])
def test_intervals_cover(kind):
    rng, lowest = np.random.default_rng(3), []
    for k in (2, 3, 4, 6, 10):
        for apart in (0.0, 0.3, 1.0, 2.5):
            for tied in (False, True):
                for n in (5, 6, 8, 10, 15, 20, 30, 50):
                    lowest.append(coverage(kind, k, apart, tied, n, 1000, rng))
    # one of 320 shares of 1,000 may be lower by three standard errors
    assert min(lowest) >= 0.905
    assert np.mean(np.array(lowest) < 0.93) < 0.05
