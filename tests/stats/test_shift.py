import math

import numpy as np
import pytest
from scipy import stats

import nbcompare.stats.shift as module
from nbcompare.stats.runs import rank_sum
from nbcompare.stats.shift import hodges_lehmann, mean_shift, median_shift, two_sample_shift
from nbcompare.stats.signed_rank import sign_test, signed_rank

LEVELS = [0.5, 0.8, 0.9, 0.95, 0.99]


def walsh(values):
    i, j = np.triu_indices(len(values))
    return np.sort((values[i] + values[j]) / 2)


def differences_of(first, second):
    return np.sort((first[:, np.newaxis] - second).ravel())


def of_signs(values, confidence):
    """The same tests, by what they are about: the sorted sums, and p of a shift."""
    return (
        median_shift(values, confidence),
        np.sort(values),
        lambda at: sign_test([np.sum(values < at)], [0], [np.sum(values > at)]).pvalue[0],
    )


def of_signed_ranks(values, confidence):
    return (
        hodges_lehmann(values, confidence),
        walsh(values),
        lambda at: signed_rank(values - at, method="exact").pvalue,
    )


def of_rank_sum(values, confidence):
    first, second = values[: len(values) // 3 + 1], values[len(values) // 3 :] * 0.7 - 0.1
    return (
        two_sample_shift(first, second, confidence),
        differences_of(first, second),
        lambda at: rank_sum(first - at, second, method="exact").pvalue,
    )


@pytest.mark.parametrize("case", [of_signs, of_signed_ranks, of_rank_sum])
@pytest.mark.parametrize("confidence", LEVELS)
@pytest.mark.parametrize("n", [1, 2, 5, 6, 9, 20, 41])
def test_interval_inverts_the_test(case, confidence, n):
    values = np.random.default_rng(n).normal(size=n)
    shift, sums, p_of = case(values, confidence)
    assert shift.exact
    assert shift.estimate == pytest.approx(np.median(sums), rel=1e-12)
    # between neighbouring sums p does not change; the interval holds what is not rejected
    middles = np.concatenate([[sums[0] - 1], (sums[1:] + sums[:-1]) / 2, [sums[-1] + 1]])
    for at in middles:
        assert (shift.lower < at < shift.upper) == (p_of(at) > (1 - confidence) * (1 + 1e-9))
    just_outside = shift.lower - 1e-9
    covered = 1 - p_of(just_outside) if math.isfinite(shift.lower) else 1.0
    assert shift.coverage == pytest.approx(covered, abs=1e-12)
    assert shift.coverage >= confidence - 1e-12


def test_level_that_is_attained_exactly():
    # p = 1/16 of five differences; 1 - 0.9375 and 1 - 0.9 are not equally kind
    assert hodges_lehmann([1.0, 2, 3, 4, 6], 0.9375)[1:4] == (1, 6, 0.9375)
    assert two_sample_shift([10.0, 11, 12], [1, 2, 4], 0.9)[1:3] == (6, 11)
    assert rank_sum([10.0, 11, 12], [1, 2, 4]).pvalue == 0.1


@pytest.mark.parametrize("n", [3, 30])
def test_mean_as_scipy(n):
    values = np.random.default_rng(n).normal(size=n)
    for confidence in LEVELS:
        shift = mean_shift(values, confidence)
        interval = stats.ttest_1samp(values, 0).confidence_interval(confidence)
        assert shift[:4] == pytest.approx((values.mean(), *interval, confidence), rel=1e-12)


@pytest.mark.parametrize("kind", ["tied", "untied", "equal"])
def test_sums_are_found_without_writing_them_down(kind, monkeypatch):
    rng = np.random.default_rng(6)
    values = {
        "tied": rng.integers(-9, 9, 150) / 10,
        "untied": rng.normal(size=150),
        "equal": np.full(150, 0.1),
    }[kind]
    other = values[:60] * 3 + 1
    written = hodges_lehmann(values), two_sample_shift(values, other)
    monkeypatch.setattr(module, "_MOST_SUMS", 40)
    found = hodges_lehmann(values), two_sample_shift(values, other)
    for one, two in zip(written, found, strict=True):
        assert two == pytest.approx(one, rel=1e-14, abs=1e-15)
    assert written[0].estimate == pytest.approx(np.median(walsh(values)), rel=1e-14)


def test_normal_interval_of_large_samples(monkeypatch):
    values = np.random.default_rng(7).normal(size=400)
    exact = hodges_lehmann(values), two_sample_shift(values[:120], values[120:240])
    monkeypatch.setattr(module.laws, "MOST_RANKS", 100)
    normal = hodges_lehmann(values), two_sample_shift(values[:120], values[120:240])
    for one, two in zip(exact, normal, strict=True):
        assert (one.exact, two.exact) == (True, False)
        assert two.lower == pytest.approx(one.lower, abs=2e-3)
        assert two.upper == pytest.approx(one.upper, abs=2e-3)
        assert two.coverage == pytest.approx(one.coverage, abs=1e-3)


@pytest.mark.filterwarnings("error")
def test_edges():
    infinite = (-math.inf, math.inf, 1.0, True)
    for find in (hodges_lehmann, median_shift, mean_shift):
        assert find([3.0])[1:] == infinite
        assert find([4e307] * 8)[1:3] == pytest.approx((4e307, 4e307))
        assert find([0.0] * 8)[:3] == (0, 0, 0)
    assert two_sample_shift([3.0], [1.0]) == (2.0, *infinite)
