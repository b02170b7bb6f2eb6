"""Mid-ranks and three rankings: ties that rounding hides, edges, and what may not matter."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import rankdata

from nbcompare.stats import omnibus, posthoc
from nbcompare.stats.rankings import (
    RANKINGS,
    aligned_ranking,
    has_ties,
    midranks,
    quade_ranking,
    rank,
    sums_of_squares,
)

TESTS = {"friedman": omnibus.friedman, "aligned": omnibus.aligned, "quade": omnibus.quade}


def content(scores, ranking, **options):
    """All that a ranking gives, and what the tests make of it."""
    ranked = rank(scores, ranking, **options)
    return [
        ranked.scores.tolist(),
        ranked.average_ranks.tolist(),
        ranked.tied,
        *(
            (
                TESTS[ranking](ranked.scores, formulas=formulas),
                posthoc.standard_error(ranked.scores, formulas=formulas, ranking=ranking),
            )
            for formulas in omnibus.FORMULAS
        ),
    ]


@pytest.mark.parametrize("decimals", [1, 3, 5])
def test_decimals_tie_as_whole_numbers_do(decimals):
    rng = np.random.default_rng(decimals)
    for k in (2, 3, 7, 40):
        whole = rng.integers(0, 12, (30, k))
        for ranking in RANKINGS:
            assert content(whole / 10**decimals, ranking) == content(whole, ranking)
            assert content((whole + 0.1) - 0.1, ranking, scale=12.0) == content(whole, ranking)


def test_small_residuals_are_no_ties():
    scores = np.array([[1e-12, 3e-12, 9e-12], [2e-12, 1e-12, 6e-12], [0.1, 0.7, 0.4]])
    assert not aligned_ranking(scores).tied
    assert not quade_ranking(scores).tied


def aligned_exactly(rows):
    """Aligned ranks of decimals, given as text, in rational arithmetic."""
    table = [[Fraction(cell) for cell in row] for row in rows]
    residuals = [cell - sum(row) / len(row) for row in table for cell in row]
    ranks = [
        sum(other < one for other in residuals) + Fraction(1 + residuals.count(one), 2)
        for one in residuals
    ]
    k = len(table[0])
    return [list(map(float, ranks[at : at + k])) for at in range(0, len(ranks), k)]


SMALL = [
    ["0.0001", "0.0004", "0.00025"], ["0.0003", "0.0001", "0.0002"], ["0.0002", "0.0005", "0.0001"],
    ["0.0001", "0.0002", "0.0006"], ["0.0004", "0.0003", "0.0007"], ["0.0005", "0.0001", "0.0003"],
]  # fmt: skip


@pytest.mark.parametrize(
    "large",
    [
        [["1000000000000"] * 3],
        [["1000000000000", "1000000000001", "1000000000003"]],
        [["-1000000000000", "-1000000000000", "1000000000000"]],
        [["1000000000000"] * 3, ["5e15"] * 3, ["1e300"] * 3],
        [["0.1", "0.3", "1e12"], ["7e12", "7e12", "7e12"]],
    ],
)
def test_a_data_set_of_large_scores_does_not_tie_those_of_others(large):
    for rows in (large + SMALL, SMALL[:3] + large + SMALL[3:]):
        scores = [[float(cell) for cell in row] for row in rows]
        exact = aligned_exactly(rows)
        for one in (scores, -np.array(scores)):
            ranks = aligned_ranking(one).scores
            expected = exact if one is scores else 3 * len(rows) + 1 - np.array(exact)
            assert ranks.tolist() == np.array(expected).tolist()


def test_noise_of_a_large_data_set_is_a_tie_within_it_also_with_others_between():
    # the residuals of the first two of 1e12 differ by noise; those of the small rows are between
    large = [1e12 + 0.1, 1e12 + 0.1 + 2**-12, 1e12 + 0.1 - 2**-12]
    ranks = aligned_ranking([large, [1e-5, 2e-5, 3e-5], [2e-5, 5e-5, 1e-5]]).scores
    assert len(set(ranks[0].tolist())) == 1
    assert len(set(ranks[1:].reshape(-1).tolist())) == 6
    # a constant on the data set changes nothing
    assert aligned_ranking([[7, 7, 7], [1e-5, 2e-5, 3e-5], [2e-5, 5e-5, 1e-5]]).scores.tolist() == (
        ranks.tolist()
    )


@pytest.mark.slow
@given(data=st.data())
def test_data_sets_of_any_magnitude_rank_as_in_rational_arithmetic(data):
    # whole numbers of a unit per data set: ties of two data sets are exact in floating point too
    n, k = data.draw(st.integers(1, 6)), data.draw(st.integers(2, 5))
    rows = []
    for _ in range(n):
        unit = data.draw(st.sampled_from([2.0**-40, 2.0**-13, 1.0, 2.0**20]))
        row = data.draw(st.lists(st.integers(-9, 9), min_size=k, max_size=k))
        shift = data.draw(st.sampled_from([0.0, 64.0, 2.0**30]))
        rows.append([unit * (cell + shift) for cell in row])
    exact = aligned_exactly([[Fraction(cell) for cell in row] for row in rows])
    assert aligned_ranking(rows).scores.tolist() == exact


def test_a_tie_of_large_scores_does_not_tie_small_ranges():
    large = 1e9 * (0.1 + 0.2)  # 3e8 and a bit
    ranked = quade_ranking([[large, 3e8], [1e-8, 3e-8], [2e-8, 1e-8]])
    assert ranked.scores.tolist() == [[0, 0], [-1.5, 1.5], [1, -1]]


@pytest.mark.parametrize("ranking", RANKINGS)
@pytest.mark.filterwarnings("error")
def test_numbers_of_any_size(ranking):
    rng = np.random.default_rng(3)
    scores = rng.integers(-9, 10, (6, 4)).astype(float)
    for power in (-900, -500, 40, 500, 1019):
        assert content(scores * 2.0**power, ranking) == content(scores, ranking)
    huge = np.array([[1e308, -1e308, 0], [-1e308, 1e308, 1], [0, 0, 1.7e308]])
    assert np.isfinite(rank(huge, ranking).scores).all()


@pytest.mark.parametrize("ranking", RANKINGS)
@pytest.mark.filterwarnings("error")
def test_all_tied(ranking):
    ranked = rank(np.full((5, 4), 0.1), ranking)
    assert len(set(ranked.average_ranks.tolist())) == 1
    assert posthoc.standard_error(ranked.scores, ranking=ranking) == 0
    for formulas in omnibus.FORMULAS:
        result = TESTS[ranking](ranked.scores, formulas=formulas)
        assert (result.statistic, result.pvalue, result.log10_pvalue) == (0, 1, 0)


@pytest.mark.slow
def test_sums_of_squares_are_exact():
    rng = np.random.default_rng(5)
    for n, k, largest in ((4, 3, 6), (3000, 7, 14), (50, 5, 2**28)):
        halves = rng.integers(-largest, largest + 1, (n, k))
        table = [[Fraction(int(value), 2) for value in row] for row in halves]
        mean = sum(map(sum, table)) / Fraction(n * k)
        columns = [sum(column) - n * mean for column in zip(*table, strict=True)]
        within = sum((value - sum(row) / k) ** 2 for row in table for value in row)
        found = sums_of_squares(halves / 2)
        expected = float(sum(value**2 for value in columns)), float(within)
        assert found == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("ranking", RANKINGS)
def test_calibrated_z_has_the_permutation_variance(ranking):
    """Permute scores within data sets, all orders: the variance of a difference is V's."""
    ranked = rank([[1, 2, 4], [3, 3, 9], [0, 5, 5.5]], ranking)
    shuffles = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]]
    rows = [[(row[s[0]] - row[s[1]]) for s in shuffles] for row in ranked.scores]
    sums = np.array([a + b + c for a in rows[0] for b in rows[1] for c in rows[2]])
    assert sums.mean() == pytest.approx(0, abs=1e-12)
    error = posthoc.standard_error(ranked.scores, ranking=ranking)
    assert error * ranked.unit == pytest.approx(np.sqrt(np.square(sums).mean()), rel=1e-14)


@pytest.mark.weekly
@pytest.mark.parametrize("k", [2, 5, 10])
@pytest.mark.parametrize("ranking", RANKINGS)
def test_type_1_error_of_the_calibrated_z(ranking, k):
    rng = np.random.default_rng(100 + k)
    n, repetitions = 30, 2000
    # data sets differ in level and in spread
    tables = rng.normal(size=(repetitions, n, k)) * rng.gamma(2.0, size=(repetitions, n, 1))
    tables += rng.normal(scale=5, size=(repetitions, n, 1))
    z = np.empty(repetitions)
    printed = np.empty(repetitions)
    for i, table in enumerate(tables):
        ranked = rank(table, ranking)
        difference = ranked.average_ranks[0] - ranked.average_ranks[1]
        z[i] = difference / posthoc.standard_error(ranked.scores, ranking=ranking)
        printed[i] = difference / posthoc.standard_error(
            ranked.scores, formulas="printed", ranking=ranking
        )
    assert 0.03 < (np.abs(z) > 1.96).mean() < 0.07
    if ranking == "quade":  # what the note to the printed z says
        error = (np.abs(printed) > 1.96).mean()
        assert error > 0.1 if k == 2 else error < 0.02
    if ranking == "aligned" and k == 2:
        assert (np.abs(printed) > 1.96).mean() > 0.1


# ------------------------------------------------------------------------------------- ranking


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
        for row, sizes, found in zip(noisy, scales, ranks, strict=True):
            assert found.tolist() == exact.noisy_midranks(row, sizes)


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
