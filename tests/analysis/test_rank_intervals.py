"""Intervals of average ranks, against a bootstrap that ranks every resample anew."""

import time

import numpy as np
import pytest
from scipy.stats import rankdata

import nbcompare as nbc
from nbcompare import DataError, Experiment, RankIntervals, rank_intervals
from nbcompare.results import from_json

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


def test_the_ends_are_those_of_a_plain_bootstrap_of_the_scores():
    scores = noise()  # with ties
    rng = np.random.default_rng(7)
    drawn = rankdata(scores[rng.integers(20, size=(4000, 20))], axis=2).mean(axis=1)
    lower, upper = np.quantile(drawn, [0.05, 0.95], axis=0)
    result = rank_intervals(made(scores), confidence=0.9, n_resamples=50_000)
    assert values(result.lower) == pytest.approx(lower, abs=0.051)  # a step of the ranks is 0.025
    assert values(result.upper) == pytest.approx(upper, abs=0.051)
    assert result.average_ranks == nbc.compare(made(scores)).average_ranks


def test_two_algorithms_follow_the_binomial_law():
    # the average rank is 1 + (losses)/n, and a resample loses with probability 3/12
    scores = np.array([[0.0, 1.0]] * 9 + [[1.0, 0.0]] * 3)
    result = rank_intervals(made(scores), n_resamples=200_000)
    from scipy.stats import binom

    ends = 1 + binom.ppf([0.025, 0.975], 12, 0.25) / 12
    assert (result.lower["A0"], result.upper["A0"]) == pytest.approx(ends)


def test_negated_scores_of_the_other_direction():
    one = rank_intervals(made(noise(), "minimize"))
    other = rank_intervals(made(-noise(), "maximize"))
    assert values(one.lower) == pytest.approx(values(other.lower))
    assert values(one.upper) == pytest.approx(values(other.upper))


def test_the_order_of_the_algorithms_does_not_matter():
    order = ["A2", "A0", "A3", "A1"]
    one, other = (
        rank_intervals(made(noise()).select(algorithms=o)) for o in (sorted(order), order)
    )
    for name in order:
        assert one.lower[name] == other.lower[name]
        assert one.upper[name] == other.upper[name]


def test_intervals_are_nested_and_seeded():
    wide, narrow = (rank_intervals(DEMSAR, confidence=c) for c in (0.99, 0.8))
    assert (values(wide.lower) <= values(narrow.lower)).all()
    assert (values(narrow.upper) <= values(wide.upper)).all()
    assert rank_intervals(DEMSAR).to_json() == rank_intervals(DEMSAR).to_json()
    assert rank_intervals(DEMSAR, rng=1).to_json() != rank_intervals(DEMSAR).to_json()


def test_agreement_leaves_nothing_to_vary():
    result = rank_intervals(made(np.tile([1.0, 2.0, 3.0], (6, 1))))
    assert values(result.lower).tolist() == values(result.upper).tolist() == [1.0, 2.0, 3.0]


@pytest.mark.parametrize("n", [2, 5])
def test_fewer_than_6_data_sets_are_refused(n):
    with pytest.raises(DataError, match=f"at least 6 data sets .* got {n}.*fewer than 6 data sets"):
        rank_intervals(made(noise(n)))


def test_data_sets_that_are_left_out_count():
    scores = noise(7)
    scores[0, 0] = scores[1, 1] = np.nan
    with pytest.raises(DataError, match="missing='drop'"):
        rank_intervals(made(scores))
    with pytest.raises(DataError, match="got 5"):
        rank_intervals(made(scores), missing="drop")
    worst = rank_intervals(made(scores), missing="worst")
    assert worst.average_ranks == nbc.compare(made(scores), missing="worst").average_ranks


@pytest.mark.parametrize(
    "option", [{"confidence": 1.0}, {"n_resamples": 0}, {"rng": "x"}, {"missing": "skillings-mack"}]
)
def test_bad_options(option):
    with pytest.raises(ValueError, match=f"`{next(iter(option))}` must"):
        rank_intervals(DEMSAR, **option)


def test_display_and_json():
    result = rank_intervals(DEMSAR)
    assert isinstance(result, RankIntervals)
    assert from_json(result.to_json()).to_json() == result.to_json()
    assert "C4.5+m+cf 1.93 (1.46 to 2.43)" in result.findings[0]
    frame = result.to_frame()
    assert frame["algorithm"].tolist() == list(result.ordered)
    assert (frame["lower"] <= frame["average_rank"]).all()
    assert (frame["average_rank"] <= frame["upper"]).all()
    assert [note.code for note in result.notes] == ["intervals-single"]


def test_a_large_table_is_quick():
    data = made(noise(100, 20, decimals=6))
    rank_intervals(data, n_resamples=2)
    start = time.process_time()
    rank_intervals(data)
    assert time.process_time() - start < 0.5


@pytest.mark.slow
def test_the_coverage_is_near_its_nominal_value():
    rng, shifts = np.random.default_rng(3), [0.0, 0.5, 1.0]
    truth = rankdata(rng.normal(shifts, size=(200_000, 3)), axis=1).mean(axis=0)
    covered = []
    for _ in range(400):
        scores = rng.normal(shifts, size=(30, 3))
        found = rank_intervals(made(scores), n_resamples=500)
        covered.append((values(found.lower) <= truth) & (truth <= values(found.upper)))
    assert 0.91 <= np.mean(covered) <= 0.97
