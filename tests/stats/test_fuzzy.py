import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from nbcompare.stats.fuzzy import bootstrap_mean_cuts, central_cuts, summarise
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


def test_outcomes_at_one_level():
    for low, high, expected in (
        (0.01, 0.02, (1, 1, np.nan)),
        (0.01, 0.2, (1, 0, 0.9)),
        (0.05, 0.05, (1, 1, np.nan)),
        (0.2, 0.3, (0, 0, np.nan)),
    ):
        summary = summarise([low], [high], [0.9], 0.05)
        assert summary[:3] == pytest.approx(expected, nan_ok=True)
        assert summary.midpoint == pytest.approx((low + high) / 2)
