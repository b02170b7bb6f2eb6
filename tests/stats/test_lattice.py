"""Sums of independent choices against full enumeration in Fractions, and closed forms."""

import itertools
import math
from collections import Counter
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nbcompare.stats import lattice
from nbcompare.stats.lattice import sum_tails

SMALLEST = float(np.finfo(float).tiny)


def enumerated(rows, weights=None, repeats=1):
    """Every possible sum and its probability, in exact arithmetic."""
    law = {Fraction(0): Fraction(1)}
    for index, row in enumerate(rows):
        mass = [1] * len(row) if weights is None else weights[index]
        shares = [Fraction(w) / sum(map(Fraction, mass)) for w in mass]
        for _ in range(repeats):
            longer = Counter()
            for total, p in law.items():
                for value, share in zip(row, shares, strict=True):
                    longer[total + Fraction(value)] += p * share
            law = longer
    return {total: p for total, p in law.items() if p}


def true_tails(law, observed):
    lower = sum(p for total, p in law.items() if total <= observed)
    upper = sum(p for total, p in law.items() if total >= observed)
    return [max(float(p), SMALLEST) for p in (lower, lower, upper, upper)]


@st.composite
def choices(draw, values):
    n, k = draw(st.integers(1, 4)), draw(st.integers(1, 4))
    row = st.lists(values, min_size=k, max_size=k)
    rows = draw(st.lists(row, min_size=n, max_size=n))
    weight = st.lists(st.integers(0, 5), min_size=k, max_size=k).filter(any)
    weights = draw(st.none() | st.lists(weight, min_size=n, max_size=n))
    return rows, weights, draw(st.integers(1, 2))


@settings(max_examples=60)
@given(choices(st.integers(-9, 9)), st.integers(-12, 12), st.sampled_from([0, 1, 4, 6]))
def test_decimals_equal_enumeration(case, observed, decimals):
    rows, weights, repeats = case
    unit = 10**decimals
    tails = sum_tails(np.array(rows) / unit, observed / unit, weights=weights, repeats=repeats)
    true = enumerated(rows, weights, repeats)
    assert tails == pytest.approx(true_tails(true, observed), rel=1e-13, abs=0)


@pytest.mark.slow
@settings(max_examples=50)
@given(choices(st.floats(-1, 1).map(lambda x: round(x, 3) / 7 + x)), st.floats(-2, 2))
def test_values_on_no_grid_equal_enumeration(case, observed):
    rows, weights, repeats = case
    true = enumerated(rows, weights, repeats)
    noise = Fraction(1, 10**12)
    if any(0 < abs(total - Fraction(observed)) < noise for total in true):
        return  # equal up to rounding noise: not what enumeration calls equal
    tails = sum_tails(rows, observed, weights=weights, repeats=repeats)
    assert tails == pytest.approx(true_tails(true, Fraction(observed)), rel=1e-12, abs=0)


# --------------------------------------------------------------------------- far tails


@pytest.mark.parametrize("n", [120, 2500])
def test_far_tails_of_equal_flips(n):
    # P(at most j of n signs are minus) = 2^-n sum C(n, i)
    rows = np.tile([0.1, -0.1], (n, 1))
    counts = list(itertools.accumulate(math.comb(n, i) for i in range(n // 2)))
    probabilities = [Fraction(count, 2**n) for count in counts]
    j = next(j for j, p in enumerate(probabilities) if p > Fraction(1, 10**306))
    for minus in (j, j + 1, (j + n // 2) // 2, n // 2 - 1):
        tails = sum_tails(rows, 0.1 * (n - 2 * minus))
        assert tails.upper_low == tails.upper_high
        assert float(tails.upper_low) == pytest.approx(float(probabilities[minus]), rel=1e-11)
        mirrored = sum_tails(rows, -0.1 * (n - 2 * minus))
        assert float(mirrored.lower_low) == pytest.approx(float(probabilities[minus]), rel=1e-11)
    assert sum_tails(np.tile([0.1, -0.1], (120, 1)), 12.0).upper_low == pytest.approx(2.0**-120)


def test_far_tail_of_weighted_repeated_draws():
    # the number of sixes in n throws is at least n - 1
    n = 60
    tails = sum_tails([[0, 1]], n - 1, weights=[5, 1], repeats=n)
    assert float(tails.upper_low) == pytest.approx((1 + 5 * n) / 6.0**n, rel=1e-12)
    tails = sum_tails([[0, 1]], 2, weights=[1e-90, 1.0], repeats=3)
    assert float(tails.lower_high) == pytest.approx(3e-90, rel=1e-9)


def test_below_the_smallest_number():
    rows = np.tile([0.1, -0.1], (1100, 1))
    assert sum_tails(rows, 110.0).upper_low == SMALLEST
    assert sum_tails(rows * np.pi, 110 * np.pi).upper_low == SMALLEST
    assert sum_tails([[1, 2], [3, 4]], 3).lower_low == SMALLEST  # impossible


# --------------------------------------------------------------------------- rounding noise


def test_equal_up_to_noise_counts_in_both_tails():
    assert 0.1 + 0.2 != 0.3
    assert sum_tails([[0.1, 0.0], [0.2, 0.0]], 0.3).upper_low == 0.25
    assert sum_tails([[0.3 - 0.1, 0.5]], 0.2).lower_low == 0.5
    # differences of scores near 0.9 are noisier than their own size tells
    scores = np.array([[0.9001, 0.9], [0.9002, 0.9], [0.9003, 0.9]])
    rows = np.stack([scores[:, 0] - 0.9, np.zeros(3)], axis=1)
    tails = sum_tails(rows, 0.0003, scale=0.9)
    assert tails == pytest.approx([5 / 8, 5 / 8, 5 / 8, 5 / 8])  # 0.1+0.2 and 0.3 are one sum


def test_no_false_ties():
    tails = sum_tails([[0.0, 1e-12], [0.0, 1e-10], [0.0, 1e5]], 1e5)
    assert tails.upper_low == 0.5
    assert sum_tails([[0.0, 1e-12], [0.0, 1e-10]], 1e-10).upper_low == 0.5
    assert sum_tails([[0.0, 1e-12], [0.0, 1e-10]], 1e-10 + 1e-12).upper_low == 0.25


@pytest.mark.parametrize("size", [1e-300, 1e-5, 1.0, 1e300, 1.7e308])
def test_any_magnitude(size):
    flips = [[size, -size]] * 3
    assert sum_tails(flips[:1], size).upper_low == 0.5
    assert sum_tails(flips[:2], 0.0) == pytest.approx([0.75] * 4)
    grid = sum_tails(flips, -size)
    assert grid == pytest.approx([0.5, 0.5, 7 / 8, 7 / 8])
    loose = [[size / 4 * math.sqrt(p), 0] for p in (2, 3, 5)]
    assert sum_tails(loose, size / 4 * math.sqrt(5)) == pytest.approx([0.5, 0.5, 5 / 8, 5 / 8])


@pytest.mark.parametrize("value", [0.0, 5.0, math.pi, -1e300])
def test_nothing_to_choose(value):
    assert sum_tails([[value]], value) == pytest.approx([1.0] * 4)
    assert sum_tails([[value, value]] * 3, 0.5 * value, repeats=1)[0] == pytest.approx(
        1.0 if value <= 0 else SMALLEST
    )


def test_observed_beyond_everything():
    for rows in ([[1e-300, 2e-300]], [[1.0, math.pi]] * 3, [[0.0, 0.0]], [[1e300, 1.1e300]]):
        assert sum_tails(rows, 1.7e308) == pytest.approx([1, 1, SMALLEST, SMALLEST])
        assert sum_tails(rows, -1.7e308) == pytest.approx([SMALLEST, SMALLEST, 1, 1])


def test_small_steps_of_large_scores():
    # the noise of 100 scores near 1e9 is more than a step, but no reason to join whole numbers
    rows = np.tile([0.0, 1e-4], (100, 1))
    tails = sum_tails(rows, 0.0, scale=1e9)
    assert float(tails.lower_high) == pytest.approx(2.0**-100, rel=1e-12)


def test_what_is_never_drawn_does_not_matter():
    rows = [[0.0, 1e-7, 1e9], [0.0, 3e-7, 1e9]]
    assert sum_tails(rows, 3e-7, weights=[1, 1, 0]) == pytest.approx([0.75, 0.75, 0.5, 0.5])


# --------------------------------------------------------------------------- brackets


def bracket_only(monkeypatch):
    monkeypatch.setattr(lattice, "_MOST_LISTED", 0)


@pytest.mark.slow
@pytest.mark.parametrize("weighted", [False, True])
def test_bracket_holds_the_truth_and_shrinks(weighted, monkeypatch):
    bracket_only(monkeypatch)
    rng = np.random.default_rng(3)
    widths = []
    for _ in range(6):
        rows = rng.normal(size=(6, 4))
        rows -= rows[:, :1]
        weights = rng.integers(1, 9, rows.shape) if weighted else None
        true = true_tails(enumerated(rows, None if weights is None else weights.tolist()), 0)
        found = []
        for points in (200, 800, 3200, 1 << 20):
            tails = sum_tails(rows, 0.0, weights=weights, points=points)
            assert tails.lower_low <= true[0] * (1 + 1e-12)
            assert true[0] <= tails.lower_high * (1 + 1e-12)
            assert tails.upper_low <= true[2] * (1 + 1e-12)
            assert true[2] <= tails.upper_high * (1 + 1e-12)
            found.append(tails.lower_high - tails.lower_low + tails.upper_high - tails.upper_low)
        widths.append(found)
    mean = np.mean(widths, axis=0)
    assert (mean[1:] < 0.5 * mean[:-1]).all()
    assert mean[-1] < 1e-3


def test_bracket_of_a_far_tail(monkeypatch):
    rng = np.random.default_rng(4)
    differences = np.abs(rng.normal(size=32))
    rows = np.stack([np.zeros(32), differences], axis=1)  # no flip but none has a sum of 0
    exact = sum_tails(rows, 0.3)
    bracket_only(monkeypatch)
    tails = sum_tails(rows, 0.3, points=1 << 14)
    assert exact.lower_low < 1e-8
    assert tails.lower_low <= exact.lower_low <= tails.lower_high < 1.2 * tails.lower_low
    assert sum_tails(rows, 0.0).lower_low == pytest.approx(2.0**-32)


def test_on_grid_beyond_the_bounds_is_bracketed(monkeypatch):
    rows = np.random.default_rng(5).integers(0, 1000, (20, 5)) / 1000
    exact = sum_tails(rows, 8.0)
    assert exact.lower_low == exact.lower_high
    monkeypatch.setattr(lattice, "_MOST_ADDITIONS", 10_000)
    bracket_only(monkeypatch)
    coarse = sum_tails(rows, 8.0)
    assert coarse.lower_low < exact.lower_low < coarse.lower_high
    assert coarse.upper_low < exact.upper_low < coarse.upper_high


# --------------------------------------------------------------------------- arrays


def test_many_at_once_are_one_at_a_time():
    rng = np.random.default_rng(7)
    rows = rng.integers(0, 40, (3, 2, 9, 4)) / 100
    observed = rng.integers(120, 220, (3, 2)) / 100
    tails = sum_tails(rows, observed)
    assert tails.lower_low.shape == (3, 2)
    for index in np.ndindex(3, 2):
        alone = sum_tails(rows[index], observed[index])
        assert [end[index] for end in tails] == [float(end) for end in alone]
    shared = sum_tails(rows[0, 0], observed)  # one law, six sums
    for index in np.ndindex(3, 2):
        alone = sum_tails(rows[0, 0], observed[index])
        assert [end[index] for end in shared] == pytest.approx([float(end) for end in alone])
