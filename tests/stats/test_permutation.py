import itertools
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nbcompare.stats import permutation
from nbcompare.stats.permutation import permutation_test, sign_flips

SIDES = ["two-sided", "better", "worse"]
whole = st.integers(-6, 6)


def p_of(law, observed, side):
    """P-value from pairs of a sum and its probability."""
    lower = sum(p for value, p in law if value <= observed)
    upper = sum(p for value, p in law if value >= observed)
    return {"better": lower, "worse": upper, "two-sided": min(1, 2 * min(lower, upper))}[side]


def flipped(differences):
    n = len(differences)
    law = [
        (sum(s * d for s, d in zip(signs, differences, strict=True)), Fraction(1, 2**n))
        for signs in itertools.product((1, -1), repeat=n)
    ]
    return p_of(law, sum(differences), "two-sided")


def drawn(differences, n_draws, side):
    values = [*differences, *(-d for d in differences)]
    share = Fraction(1, len(values) ** n_draws)
    law = [(sum(draw), share) for draw in itertools.product(values, repeat=n_draws)]
    return p_of(law, Fraction(sum(differences) * n_draws, len(differences)), side)


# --------------------------------------------------------------------------- sign flips


@settings(max_examples=40)
@given(st.lists(st.tuples(st.integers(-3, 3), st.integers(0, 3)), min_size=1, max_size=4))
def test_ends_are_those_of_all_selections(boxes):
    lower = [low for low, _ in boxes]
    upper = [low + width for low, width in boxes]
    ranges = (range(low, high + 1) for low, high in zip(lower, upper, strict=True))
    every = [flipped(selection) for selection in itertools.product(*ranges)]
    test = sign_flips(lower, upper)
    assert (float(test.p_low), float(test.p_high)) == (float(min(every)), float(max(every)))
    if min(lower) < 0 < max(upper) and sum(lower) <= 0 <= sum(upper):
        assert test.p_high == 1


@given(st.lists(whole, min_size=1, max_size=8), st.sampled_from([1, 0.1, 0.001, 1e-200, 1e200]))
def test_points(differences, unit):
    test = sign_flips(np.array(differences) * unit)
    assert float(test.p_low) == float(test.p_high) == pytest.approx(float(flipped(differences)))


def test_rounding_noise_makes_no_difference():
    scores = np.array([[0.3, 0.1], [0.5, 0.7]])
    differences = scores[:, 0] - scores[:, 1]
    assert differences.sum() != 0
    test = sign_flips(differences, scale=scores.max(axis=1))
    assert (float(test.p_low), float(test.p_high)) == (1, 1)


@pytest.mark.parametrize("decimals", [2, 16])
def test_many_vectors_at_once(decimals, monkeypatch):
    rng = np.random.default_rng(0)
    lower = rng.normal(0.4, 1, (6, 5, 9)).round(decimals)
    upper = (lower + rng.random((6, 5, 9)) / 2).round(decimals)
    exact, points = sign_flips(lower, upper), sign_flips(lower)
    one = sign_flips(lower[2, 3], upper[2, 3])
    assert (one.p_low, one.p_high) == (exact.p_low[2, 3], exact.p_high[2, 3])
    monkeypatch.setattr(permutation, "_MOST_LISTED", 1)
    if decimals == 16:
        monkeypatch.setattr(permutation, "_MOST_POINTS", 500)
    coarse, coarse_points = sign_flips(lower, upper), sign_flips(lower)
    for fine, rough in ((exact, coarse), (points, coarse_points)):
        assert fine.p_low.shape == (6, 5)
        if decimals == 2:  # on a grid anyway
            assert rough.p_low.tolist() == fine.p_low.tolist()
            assert rough.p_high.tolist() == fine.p_high.tolist()
        else:
            assert (rough.p_low <= fine.p_low).all()
            assert (fine.p_high <= rough.p_high).all()
            assert not np.array_equal(rough.p_low, fine.p_low)
            assert rough.p_low == pytest.approx(fine.p_low, abs=0.05)
            assert rough.p_high == pytest.approx(fine.p_high, abs=0.05)
    assert (points.p_low == points.p_high).all()


def test_flips_by_resampling():
    rng = np.random.default_rng(4)
    lower = rng.normal(0.3, 1, (3, 12))
    upper = lower + rng.random((3, 12)) / 4
    exact = sign_flips(lower, upper)
    drawn_p = sign_flips(lower, upper, method="resampling", n_resamples=100_000, rng=7)
    for p, q in zip(exact, drawn_p, strict=True):
        error = 2 * np.sqrt(p / 2 * (1 - p / 2) / 100_000)
        assert (np.abs(p - q) <= 4 * error + 2e-5).all()
    again = sign_flips(lower, upper, method="resampling", n_resamples=100_000, rng=7)
    assert again.p_low.tolist() == drawn_p.p_low.tolist()


# --------------------------------------------------------------------- permutation test


@pytest.mark.parametrize("side", SIDES)
@pytest.mark.parametrize(
    "differences", [[3], [2, -5], [1, -2, 4], [0, 0, 3], [2, 2, 2], [-1, 5, -4, 7]]
)
def test_law_is_that_of_all_draws(differences, side):
    n = len(differences)
    for n_draws, times in (("n", 1), ("2n", 2)):
        if n * times > 6:
            continue
        expected = drawn(differences, n * times, side)
        for unit in (1, 0.1, 1e-3):
            test = permutation_test(np.array(differences) * unit, alternative=side, n_draws=n_draws)
            assert test.p_low == test.p_high == pytest.approx(float(expected), rel=1e-12)
            assert test.statistic == pytest.approx(np.mean(differences) * unit)


def test_vectors_and_differences_that_are_all_zero():
    rng = np.random.default_rng(1)
    differences = rng.normal(0.5, 1, (2, 3, 7)).round(2)
    differences[0, 1] = 0
    test = permutation_test(differences)
    assert test.p_low.shape == test.statistic.shape == (2, 3)
    assert test.p_low[1, 2] == permutation_test(differences[1, 2]).p_low
    assert (test.p_low[0, 1], test.p_high[0, 1], test.statistic[0, 1]) == (1, 1, 0)
    for side in SIDES:
        assert permutation_test(np.zeros(4), alternative=side).p_low == 1
    ours = permutation_test(np.array([0.1 + 0.2, 0.3]) - 0.3, scale=0.3)
    assert (ours.statistic, ours.p_high) == (0, 1)


def test_data_on_no_grid_give_a_bracket():
    rng = np.random.default_rng(2)
    differences = rng.normal(0.3, 1, 15)
    test = permutation_test(differences)
    assert 0 < test.p_high - test.p_low < 1e-3 * test.p_high
    fine = permutation_test(differences.round(4))
    assert fine.p_low == fine.p_high
    assert test.p_low - 1e-3 < fine.p_low < test.p_high + 1e-3


@pytest.mark.parametrize("n_draws", ["n", "2n"])
@pytest.mark.parametrize("side", SIDES)
def test_draws_by_resampling(n_draws, side):
    differences = np.random.default_rng(3).normal(0.3, 1, (2, 9)).round(2)
    options = {"alternative": side, "n_draws": n_draws}
    exact = permutation_test(differences, **options).p_low
    test = permutation_test(differences, method="resampling", n_resamples=100_000, rng=5, **options)
    tail = exact / 2 if side == "two-sided" else exact
    error = (2 if side == "two-sided" else 1) * np.sqrt(tail * (1 - tail) / 100_000)
    assert (np.abs(test.p_low - exact) <= 4 * error + 2e-5).all()
    assert test.p_low.tolist() == test.p_high.tolist()


def test_level():
    """Ten normal differences without effect; the printed 2n draws reject far too often."""
    differences = np.random.default_rng(6).normal(size=(2000, 10))
    options = {"method": "resampling", "n_resamples": 2000}
    n = np.mean(permutation_test(differences, rng=1, **options).p_high <= 0.05)
    assert 0.016 <= n <= 0.049
    printed = np.mean(permutation_test(differences, rng=1, n_draws="2n", **options).p_high <= 0.05)
    assert 0.13 <= printed <= 0.19
