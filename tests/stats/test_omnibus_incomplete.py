"""Skillings and Mack's test: a published example, Friedman's as a special case, plain loops."""

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest
from scipy.stats import chi2, friedmanchisquare

from nbcompare.stats import omnibus
from nbcompare.stats.incomplete import pair_tests, skillings_mack
from nbcompare.stats.rankings import midranks

GAP = np.nan
# Skillings and Mack (1981): times of assembly by 4 methods, 9 assemblers
ASSEMBLY = [
    [3.2, 4.1, 3.8, 4.2], [3.1, 3.9, 3.4, 4.0], [4.3, 3.5, 4.6, 4.8], [3.5, 3.6, 3.9, 4.0],
    [3.6, 4.2, 3.7, 3.9], [4.5, 4.7, 3.7, GAP], [GAP, 4.2, 3.4, GAP], [4.3, 4.6, 4.4, 4.9],
    [3.5, GAP, 3.7, 3.9],
]  # fmt: skip


def test_skillings_and_mack_1981():
    result = skillings_mack(ASSEMBLY)
    assert result.statistic == pytest.approx(15.493, abs=5e-4)
    assert result.df == (3,)
    assert result.pvalue == pytest.approx(10**result.log10_pvalue, rel=1e-12)


@pytest.mark.parametrize("levels", [2, 4, 1000])
def test_without_gaps_it_is_friedmans_test(levels):
    rng = np.random.default_rng(levels)
    for n, k in itertools.product((2, 5, 30), range(2, 7)):
        scores = rng.integers(0, levels, (n, k)) / 10
        ours, expected = skillings_mack(scores), omnibus.friedman(midranks(scores))
        assert ours.df == expected.df
        assert ours.statistic == pytest.approx(expected.statistic, rel=1e-10, abs=1e-12)
        # p is at least that of these orders and their reverse; Friedman's, of perfect agreement
        least = min(1.0, 2 / math.prod(len(set(itertools.permutations(row))) for row in scores))
        approximate = chi2.sf(expected.statistic, k - 1)
        assert ours.pvalue == pytest.approx(max(approximate, least), rel=1e-10)
        assert ours.pvalue <= expected.pvalue * (1 + 1e-10)
        if k > 2 and ours.statistic > 0:
            assert ours.statistic == pytest.approx(friedmanchisquare(*scores.T).statistic)


def by_loops(table, midranks):
    """Rank sums and covariance from every order of every data set's ranks."""
    k = len(table[0])
    sums = [0.0] * k
    covariance = [[0.0] * k for _ in range(k)]
    for row in table:
        here = [j for j in range(k) if row[j] is not None]
        if len(here) < 2:
            continue
        ranks = midranks([row[j] for j in here])
        centred = [r - Fraction(len(here) + 1, 2) for r in ranks]
        weight = Fraction(12, len(here) + 1)
        for j, value in zip(here, centred, strict=True):
            sums[j] += math.sqrt(weight) * float(value)
        orders = list(itertools.permutations(centred))
        for a, b in itertools.product(range(len(here)), repeat=2):
            product = sum(order[a] * order[b] for order in orders) / Fraction(len(orders))
            covariance[here[a]][here[b]] += float(weight * product)
    return np.array(sums), np.array(covariance)


@pytest.mark.slow
@pytest.mark.parametrize("levels", [3, 100])
@pytest.mark.parametrize("k", [2, 3, 5])
def test_random_gaps_by_plain_loops(k, levels, exact):
    rng = np.random.default_rng(10 * k + levels)
    for _ in range(20):
        whole = rng.integers(0, levels, (8, k))
        missing = rng.random((8, k)) < 0.3
        missing[0] = missing[1] = False
        table = [
            [None if gap else int(x) for x, gap in zip(row, gaps, strict=True)]
            for row, gaps in zip(whole, missing, strict=True)
        ]
        sums, covariance = by_loops(table, exact.midranks)
        result = skillings_mack(np.where(missing, GAP, whole / 10))
        assert result.rank_sums == pytest.approx(sums, abs=1e-12)
        assert result.covariance == pytest.approx(covariance, abs=1e-12)
        expected = sums @ np.linalg.pinv(covariance, rcond=1e-10) @ sums
        assert result.statistic == pytest.approx(expected, rel=1e-9, abs=1e-12)
        if result.statistic > 0:
            assert result.df == (np.linalg.matrix_rank(covariance, tol=1e-9),)


def test_order_scale_and_tolerance():
    scores = np.array(ASSEMBLY)
    result = skillings_mack(scores)
    turned = skillings_mack(scores[::-1, [2, 0, 3, 1]])
    assert turned.statistic == pytest.approx(result.statistic, rel=1e-12)
    assert skillings_mack(-scores).statistic == pytest.approx(result.statistic, rel=1e-12)
    assert (skillings_mack(-scores).rank_sums == -result.rank_sums).all()
    noisy = np.array([[0.1 + 0.2, 0.3, GAP], [0.3, 0.1 * 3, 0.1], [1, 2, 3]])
    assert skillings_mack(noisy)[:4] == skillings_mack([[3, 3, GAP], [3, 3, 1], [1, 2, 3]])[:4]
    rough = np.array([[1.0, 1.0 + 1e-12, GAP], [3.0, 3.0, 1.0], [1.0, 2.0, 3.0]])
    tied = skillings_mack(rough, scale=1e4)
    assert tied.statistic == skillings_mack([[1, 1, GAP], [3, 3, 1], [1, 2, 3]]).statistic


def test_a_data_set_with_one_score_adds_nothing():
    one = [[GAP, GAP, 3, GAP], [GAP] * 4]
    assert skillings_mack([*ASSEMBLY, *one])[:4] == skillings_mack(ASSEMBLY)[:4]


@pytest.mark.filterwarnings("error")
def test_all_tied():
    result = skillings_mack([[1, 1, GAP], [2, 2, 2], [GAP, 3, 3]])
    assert result[:4] == (0, (2,), 1, 0)


def test_algorithms_that_no_data_set_links():
    result = skillings_mack([[1, 2, GAP, GAP], [1, 2, GAP, GAP], [GAP, GAP, 1, 2]])
    assert result.df == (2,)  # differences within either pair
    assert result.statistic == pytest.approx(2 + 1)


@pytest.mark.slow
@pytest.mark.parametrize(
    "table",
    [
        [[1, 2, 3, 4]] * 2 + [[1, 2, np.nan, 3]] * 2,
        [[1, 2, 3, np.nan], [1, 1, 2, 3], [1, 2, 3, 4]],
    ],
)
def test_no_p_is_below_that_of_the_observed_orders_and_their_reverse(table):
    array = np.array(table, dtype=float)
    result = skillings_mack(array)
    orders = [sorted(set(itertools.permutations(row[~np.isnan(row)]))) for row in array]
    n_tables = math.prod(map(len, orders))
    reached = 0
    for chosen in itertools.product(*orders):
        other = array.copy()
        for row, order in zip(other, chosen, strict=True):
            row[~np.isnan(row)] = order
        reached += skillings_mack(other).statistic >= result.statistic - 1e-9
        if reached == 2:  # more would show no more
            break
    assert reached == 2
    assert result.pvalue == pytest.approx(
        max(chi2.sf(result.statistic, result.df[0]), 2 / n_tables), rel=1e-10
    )


def test_four_data_sets_that_agree_on_two_algorithms():
    """The chi-squared law says 0.0455, though one of eight tables is as extreme."""
    result = skillings_mack([[1, 2], [1, 2], [1, 2], [1, 2], [1, np.nan]])
    assert chi2.sf(result.statistic, 1) == pytest.approx(0.0455, abs=5e-5)
    pair = pair_tests(result, np.array([0]), np.array([1]))
    assert result.pvalue == pytest.approx(1 / 8, rel=1e-12)
    assert pair.pvalue == pytest.approx([1 / 8], rel=1e-12)
