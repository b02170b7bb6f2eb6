from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import rankdata

from nbcompare.stats.rankings import has_ties, midranks

LENGTHS = (1, 2, 3, 20, 32, 33, 64, 65, 127, 128, 129, 1024, 1025)
finite = st.floats(allow_nan=False, allow_infinity=False)
rows = st.lists(finite, min_size=1, max_size=40)


def steps_up(value, steps):
    """The number some units in the last place above a positive one."""
    return (np.float64(value).view(np.int64) + np.asarray(steps)).view(np.float64)


@pytest.mark.parametrize("length", [*LENGTHS, 20_000])
@pytest.mark.parametrize("kind", ["untied", "tied", "constant"])
def test_as_scipy_where_nothing_is_noise(length, kind):
    rng = np.random.default_rng(length)
    n = max(2, 4_000 // length)
    values = {
        "untied": rng.normal(size=(n, length)),
        "tied": rng.integers(-length // 2, length // 2 + 1, (n, length)) / 8,
        "constant": np.full((n, length), 0.1),
    }[kind]
    assert np.array_equal(midranks(values), rankdata(values, axis=1))


@pytest.mark.parametrize("shape", [(7,), (4, 5), (3, 4, 5)])
def test_axis(shape):
    values = np.random.default_rng(1).integers(0, 4, shape).astype(float)
    for axis in range(-len(shape), len(shape)):
        assert np.array_equal(midranks(values, axis=axis), rankdata(values, axis=axis))


def test_does_not_change_its_input_nor_need_contiguous_memory():
    values = np.random.default_rng(2).normal(size=(20, 30))
    before = values.copy()
    assert np.array_equal(midranks(values[::2, ::-3]), rankdata(values[::2, ::-3], axis=1))
    assert np.array_equal(midranks(values.T), rankdata(values.T, axis=1))
    assert np.array_equal(values, before)


@pytest.mark.parametrize("shape", [(0,), (0, 5), (5, 0), (3, 0, 2)])
def test_no_values_have_no_ranks(shape):
    assert midranks(np.empty(shape)).shape == shape
    assert midranks(np.empty(shape), scale=1.0).shape == shape


# -------------------------------------------------------------------- what is a tie


def test_a_difference_is_tied_at_the_scale_of_what_it_was_computed_from():
    values = [0.3 - 0.1, 0.2, 0.1]
    assert values[0] != values[1]
    assert midranks(values, scale=0.3).tolist() == [2.5, 2.5, 1]
    assert midranks([(0.3 + 1e6) - 1e6, 0.3]).tolist() == [2, 1]
    assert midranks([(0.3 + 1e6) - 1e6, 0.3], scale=1e6).tolist() == [1.5, 1.5]


def test_small_values_are_not_tied_by_a_large_one_in_the_row():
    assert midranks([1e-12, 1e-10, 1e5]).tolist() == [1, 2, 3]
    assert midranks([1e-12, 1e-10, 1e5], scale=[1e-12, 1e-10, 1e5]).tolist() == [1, 2, 3]


def test_equal_values_share_the_largest_scale_in_any_order():
    for order in ([0, 1, 2], [1, 0, 2], [2, 1, 0], [2, 0, 1]):
        values, scales = np.array([0.5, 0.5, 0.5 + 1e-13])[order], np.array([1e5, 0.5, 0.5])[order]
        assert midranks(values, scale=scales).tolist() == [2, 2, 2]


@pytest.mark.slow
@pytest.mark.parametrize("length", LENGTHS[1:-2])
def test_values_a_few_units_apart_are_told_apart_exactly_when_they_should_be(length, exact):
    rng = np.random.default_rng(length)
    for base in (1.0, 1.999, 3e-7, 2.0**52 - 5, 1.0 - 2.0**-50):
        for reach in (3 * length, 40 * length):
            row = steps_up(base, rng.integers(0, reach, length)) * rng.choice([1, -1])
            assert midranks(row).tolist() == exact.noisy_midranks(row)


@pytest.mark.parametrize("length", [2, 3, 20, 200])
def test_order_of_close_values_that_are_not_tied(length):
    for units in range(1, 41):
        near = steps_up(1.0, [units, 0])  # 8 eps are 8 units just above 1
        row = np.concatenate([near, np.full(length - 2, 5.0)])
        expected = [1.5, 1.5] if units <= 8 else [2, 1]
        assert midranks(row)[:2].tolist() == expected, units
        assert midranks(row[::-1])[::-1][:2].tolist() == expected, units


def test_a_chain_of_noise_is_one_tie():
    chain = steps_up(1.0, np.arange(0, 80, 8))  # neighbours within noise, the ends are not
    assert midranks(chain).tolist() == [5.5] * 10
    broken = np.concatenate([chain, steps_up(chain[-1], [9])])
    assert midranks(broken).tolist() == [5.5] * 10 + [11]


def test_zeros_and_subnormal_numbers():
    tiny = 5e-324
    assert midranks([0.0, -0.0]).tolist() == [1.5, 1.5]
    assert midranks([tiny, 0.0, -tiny, -0.0]).tolist() == [4, 2.5, 1, 2.5]
    assert midranks([40 * tiny, 39 * tiny, 2.2e-308]).tolist() == [2, 1, 3]


@pytest.mark.filterwarnings("error")
def test_huge_numbers_of_both_signs():
    assert midranks([1e308, -1e308, 0.0, 1.7e308, -1.7e308]).tolist() == [4, 2, 3, 5, 1]
    assert midranks([1e308, -1e308, 1e308, np.nextafter(1e308, 0)]).tolist() == [3, 1, 3, 3]
    assert midranks([1e308, -1e308], scale=1e308).tolist() == [2, 1]
    assert midranks([1e308, -1e308, -1e308], scale=1.7e308).tolist() == [3, 1.5, 1.5]


@pytest.mark.slow
def test_noise_in_every_sort_of_row_agrees_with_the_rule(exact):
    rng = np.random.default_rng(3)
    for length in (2, 5, 17, 40, 130):
        values = rng.integers(-5, 6, (30, length)) / 10
        noise = rng.integers(-12, 13, values.shape) * np.spacing(values)
        for row in values + noise:
            assert midranks(row).tolist() == exact.noisy_midranks(row)
        scales = 10.0 ** rng.integers(-3, 4, values.shape)
        noisy = values + rng.normal(size=values.shape) * 1e-14
        ranks = midranks(noisy, scale=scales)
        for row, sizes, rank in zip(noisy, scales, ranks, strict=True):
            assert rank.tolist() == exact.noisy_midranks(row, sizes)


@given(row=rows)
def test_any_row_of_numbers(row, exact):
    ranks = midranks(row)
    assert ranks.tolist() == exact.noisy_midranks(row)
    assert ranks.sum() == Fraction(len(row) * (len(row) + 1), 2)


def test_rows_do_not_touch_each_other():
    values = np.tile([3.0, 1.0, 1.0, 2.0, 3.0], (50_000, 1))  # equal across the row's end
    assert (midranks(values) == [4.5, 1.5, 1.5, 3, 4.5]).all()
    assert has_ties(midranks(values))
    assert not has_ties(midranks([[1.0, 2.0, 3.0]]))
