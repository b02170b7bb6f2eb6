"""Tests of pairs by ranks, their critical values, and groups without a difference."""

import itertools
import math
import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import norm, studentized_range

from nbcompare.stats import posthoc
from nbcompare.stats.posthoc import maximal_groups


def test_families_of_pairs():
    first, second = posthoc.all_pairs(4)
    assert list(zip(first.tolist(), second.tolist(), strict=True)) == [
        (0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3),
    ]  # fmt: skip
    first, second = posthoc.against_control(4, 2)
    assert (first.tolist(), second.tolist()) == ([2, 2, 2], [0, 1, 3])
    assert posthoc.against_control(2, 0)[1].tolist() == [1]


def test_sign_of_the_statistic():
    tests = posthoc.rank_tests([1.0, 2.0, 3.0], 0.5, *posthoc.all_pairs(3))
    assert tests.statistic.tolist() == [2, 4, 2]  # positive: the first is better
    assert tests.pvalue == pytest.approx([0.0455003, 6.3342e-5, 0.0455003], rel=1e-5)


@pytest.mark.filterwarnings("error")
def test_all_tied():
    assert posthoc.standard_error(np.full((3, 4), 2.5)) == 0
    assert posthoc.standard_error(np.full((3, 4), 2.5), formulas="printed") == pytest.approx(
        (20 / 18) ** 0.5
    )
    tests = posthoc.rank_tests([2.5] * 4, 0.0, *posthoc.all_pairs(4))
    assert (tests.statistic == 0).all()
    assert (tests.pvalue == 1).all()
    assert (tests.log10_pvalue == 0).all()


@pytest.mark.filterwarnings("error")
def test_p_below_the_smallest_number():
    tests = posthoc.rank_tests([0.0, 60.0], 1.0, *posthoc.all_pairs(2))
    assert tests.pvalue.tolist() == [0]
    assert tests.log10_pvalue == pytest.approx([-783.6064], abs=1e-3)


# -------------------------------------------------------------------------------------- groups


def by_brute_force(different):
    """Every subset without a differing pair that no such subset contains."""
    k = len(different)
    alike = [
        set(group)
        for size in range(1, k + 1)
        for group in itertools.combinations(range(k), size)
        if not any(different[i][j] for i, j in itertools.combinations(group, 2))
    ]
    return tuple(sorted(tuple(sorted(g)) for g in alike if not any(g < other for other in alike)))


@st.composite
def symmetric_matrices(draw):
    k = draw(st.integers(1, 7))
    matrix = np.zeros((k, k), dtype=bool)
    rows, columns = np.triu_indices(k, 1)
    matrix[rows, columns] = draw(st.lists(st.booleans(), min_size=len(rows), max_size=len(rows)))
    return matrix | matrix.T


@given(different=symmetric_matrices())
def test_any_pattern(different):
    assert maximal_groups(different) == by_brute_force(different)


def test_extremes():
    assert maximal_groups(np.empty((0, 0))) == ()
    assert maximal_groups([[True]]) == ((0,),)
    assert maximal_groups(np.ones((3, 3))) == ((0,), (1,), (2,))
    assert maximal_groups(np.zeros((3, 3))) == ((0, 1, 2),)


def test_many_algorithms_on_a_line():
    places = np.arange(1500)
    groups = maximal_groups(np.abs(places[:, None] - places) > 10)
    assert len(groups) == 1490
    assert groups[0] == tuple(range(11))
    assert groups[-1] == tuple(range(1489, 1500))
    assert maximal_groups(np.zeros((1500, 1500))) == (tuple(range(1500)),)


def test_one_exception_among_many_algorithms():
    different = np.zeros((400, 400), dtype=bool)
    different[3, 200] = different[200, 3] = True
    rest = set(range(400))
    assert set(map(frozenset, maximal_groups(different))) == {
        frozenset(rest - {3}),
        frozenset(rest - {200}),
    }


def test_too_many_groups():
    # 3^5 groups: one of each triple of mutually differing algorithms
    different = np.kron(np.eye(5), np.ones((3, 3)))
    assert len(maximal_groups(different, most=243)) == 243
    message = "the pairs make more than 200 groups; show them as a matrix."
    with pytest.raises(ValueError, match=f"^{re.escape(message)}$"):
        maximal_groups(different)


# ------------------------------------------------------------------------------------ critical


@pytest.mark.parametrize("k", [2, 3, 10, 40])
@pytest.mark.parametrize("alpha", [0.1, 0.05, 0.01])
def test_as_scipy(k, alpha):
    q = studentized_range.isf(alpha, k, np.inf)
    assert posthoc.nemenyi_quantile(k, alpha) == pytest.approx(q / math.sqrt(2), rel=1e-9)
    dunn = norm.isf(alpha / (2 * (k - 1)))
    assert posthoc.bonferroni_dunn_quantile(k, alpha) == pytest.approx(dunn, rel=1e-12)


def test_the_critical_difference_is_where_the_adjusted_p_is_alpha():
    for k in (2, 5, 30):
        z = posthoc.nemenyi_quantile(k, 0.05)
        assert posthoc.nemenyi_pvalues([z], k)[0] == pytest.approx([0.05], rel=1e-10)
        first, second = np.array([0]), np.array([1])
        z = posthoc.bonferroni_quantile(7, 0.05)
        assert 7 * posthoc.rank_tests([z, 0.0], 1.0, first, second).pvalue == pytest.approx(0.05)


def test_critical_values_of_demsar_table_5(reference):
    for row in reference("critical_values")["values"]:
        quantile = {
            "nemenyi": posthoc.nemenyi_quantile,
            "bonferroni-dunn": posthoc.bonferroni_dunn_quantile,
        }[row["procedure"]](row["k"], row["alpha"])
        assert quantile == pytest.approx(row["exact"], rel=1e-9, abs=0)
        misprint = (row["procedure"], row["k"], row["alpha"]) == ("bonferroni-dunn", 9, 0.05)
        assert (abs(quantile - row["printed"]) < 1e-3) != misprint  # some are cut, not rounded
