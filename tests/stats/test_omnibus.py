import itertools
import math

import numpy as np
import pytest

from nbcompare.stats import omnibus
from nbcompare.stats.rankings import aligned_ranking, midranks, quade_ranking, rank


def arrangements(row):
    return len(set(itertools.permutations(row)))


@pytest.mark.parametrize("row", [[1, 2], [1, 2, 3], [1.5, 1.5, 3], [1, 3, 3, 3, 5], [2, 2, 2, 4]])
@pytest.mark.parametrize("n", [2, 5, 400])
@pytest.mark.filterwarnings("error")
def test_perfect_agreement_has_an_exact_p(row, n):
    result = omnibus.iman_davenport(np.tile(row, (n, 1)))
    assert result.statistic == math.inf
    assert result.log10_pvalue == pytest.approx(-(n - 1) * math.log10(arrangements(row)), rel=1e-13)
    assert result.pvalue == pytest.approx(10**result.log10_pvalue, rel=1e-12)


def test_perfect_agreement_with_ties_is_not_perfect_by_the_printed_formula():
    result = omnibus.iman_davenport([[1.5, 1.5, 3]] * 4, formulas="printed")
    assert result.statistic == pytest.approx(9.0)  # chi2 = 6 of 8
    assert omnibus.iman_davenport([[1, 2, 3]] * 4, formulas="printed").statistic == math.inf


@pytest.mark.parametrize("formulas", ["corrected", "printed"])
@pytest.mark.parametrize("test", [omnibus.friedman, omnibus.iman_davenport])
@pytest.mark.filterwarnings("error")
def test_all_tied_is_no_evidence(test, formulas):
    result = test(np.full((5, 4), 2.5), formulas=formulas)
    assert (result.statistic, result.pvalue, result.log10_pvalue) == (0, 1, 0)


def test_averages_alone_give_the_printed_statistics():
    ranks = midranks(np.random.default_rng(2).random((9, 6)))
    for of_ranks, of_averages in (
        (omnibus.friedman, omnibus.friedman_from_averages),
        (omnibus.iman_davenport, omnibus.iman_davenport_from_averages),
    ):
        expected = of_ranks(ranks, formulas="printed")
        got = of_averages(ranks.mean(axis=0), 9)
        assert got.df == expected.df
        assert got[0] == pytest.approx(expected[0], rel=1e-12)
        assert got[2:] == pytest.approx(expected[2:], rel=1e-11)


@pytest.mark.filterwarnings("error")
def test_averages_in_perfect_order_rounded_or_not():
    for averages in ([3, 1, 2], [1, 1.99, 3], [1.0, 2.0, 2.9999999999999996]):
        assert omnibus.friedman_from_averages(averages, 10).statistic == pytest.approx(20, rel=1e-3)
        result = omnibus.iman_davenport_from_averages(averages, 10)
        assert result.statistic == math.inf
        assert result.pvalue == pytest.approx(6.0**-9)
    near = omnibus.iman_davenport_from_averages([1.001, 1.999, 3], 1000)
    assert 1e5 < near.statistic < math.inf


@pytest.mark.filterwarnings("error")
def test_equal_averages_are_no_evidence():
    for test in (omnibus.friedman_from_averages, omnibus.iman_davenport_from_averages):
        result = test([2.5] * 4, 10)
        assert (result.statistic, result.pvalue, result.log10_pvalue) == (0, 1, 0)


# ------------------------------------------- never below the probability of perfect agreement


def test_one_exchange_among_twelve_data_sets():
    ranks = [[2, 1, 3, 4], *[[1, 2, 3, 4]] * 11]
    assert omnibus.iman_davenport(ranks, formulas="printed").pvalue == pytest.approx(
        4.7e-25, rel=0.02
    )
    assert omnibus.iman_davenport(ranks).pvalue == pytest.approx(24.0**-11, rel=1e-13)
    averages = np.mean(ranks, axis=0)
    assert omnibus.iman_davenport_from_averages(averages, 12).pvalue == pytest.approx(24.0**-11)
    # the same order, with ties in one data set
    tied = [[1.5, 1.5, 3, 4], *[[1, 2, 3, 4]] * 11]
    assert omnibus.iman_davenport(tied).pvalue == pytest.approx(24.0**-10 / 12, rel=1e-13)


@pytest.mark.parametrize("k", [2, 3, 5])
@pytest.mark.parametrize("ranking", ["friedman", "aligned", "quade"])
def test_p_is_at_least_the_share_of_orders_that_agree(ranking, k, exact):
    rng = np.random.default_rng(k)
    raised = 0
    for _ in range(60):
        n = int(rng.integers(2, 6))
        # the same order with ties in some rows, and often one row that disagrees
        scores = np.sort(rng.integers(0, 5, (n, k)), axis=1)
        if rng.random() < 0.5:
            scores[0] = rng.permutation(scores[0])
        ranked = rank(scores, ranking).scores
        floor = float(exact.perfect_agreement(ranked.tolist()))
        of_ranking = omnibus.iman_davenport if ranking == "friedman" else getattr(omnibus, ranking)
        result = of_ranking(ranked)
        assert result.pvalue >= floor * (1 - 1e-13)
        raised += floor < 1 and result.pvalue == pytest.approx(floor, rel=1e-13)
    assert raised >= 5 or ranking == "aligned"  # chi-squared is rarely too small


def test_averages_alone_are_not_below_perfect_agreement_either():
    assert omnibus.friedman_from_averages([1, 2], 2).pvalue == pytest.approx(0.5, rel=1e-14)
    assert omnibus.friedman([[1, 2], [1, 2]]).pvalue == pytest.approx(0.5, rel=1e-14)
    assert omnibus.friedman([[1, 2], [1, 2]], formulas="printed").pvalue == pytest.approx(
        0.1573, abs=1e-4
    )


# ------------------------------------------------------------------------- Kendall's W


def test_kendalls_w_is_the_mean_correlation_of_ranks_without_ties():
    ranks = midranks(np.random.default_rng(3).random((7, 5)))
    correlations = np.corrcoef(ranks)[np.triu_indices(7, 1)]
    # W = (1 + (n - 1) r) / n with the mean Spearman correlation r of two data sets
    expected = (1 + 6 * correlations.mean()) / 7
    assert omnibus.kendalls_w(ranks) == pytest.approx(expected, rel=1e-13)
    assert omnibus.kendalls_w_from_averages(ranks.mean(axis=0)) == pytest.approx(expected)


def test_kendalls_w_with_ties_is_chi_squared_by_its_largest_value():
    for seed in range(20):
        ranks = midranks(np.random.default_rng(seed).integers(0, 4, (9, 4)))
        expected = omnibus.friedman(ranks).statistic / (9 * 3)
        assert omnibus.kendalls_w(ranks) == pytest.approx(expected, rel=1e-14)
        assert 0 <= expected <= 1


def test_kendalls_w_at_its_ends():
    assert omnibus.kendalls_w([[1, 2.5, 2.5]] * 5) == 1.0
    assert omnibus.kendalls_w([[1, 2, 3], [3, 2, 1]]) == 0.0
    assert omnibus.kendalls_w(np.full((4, 3), 2.0)) == 0.0
    assert omnibus.kendalls_w_from_averages([1, 2, 3]) == 1.0
    assert omnibus.kendalls_w_from_averages([2, 2, 2]) == 0.0


# ------------------------------------------------------------- aligned ranks and Quade


@pytest.mark.parametrize("row", [[1, 2], [1, 2, 3], [1, 1, 3], [1, 3, 3, 3, 5], [2, 2, 2, 4]])
@pytest.mark.parametrize("n", [2, 5, 400])
@pytest.mark.filterwarnings("error")
def test_quade_in_perfect_agreement_with_ranges_tied(row, n):
    scores = quade_ranking(np.tile(row, (n, 1))).scores
    result = omnibus.quade(scores)
    assert result.statistic == math.inf
    assert result.log10_pvalue == pytest.approx(-(n - 1) * math.log10(arrangements(row)), rel=1e-13)
    # the closed form takes the ranges for untied, so that F is finite
    assert omnibus.quade(scores, formulas="printed").statistic < math.inf


def test_quade_in_perfect_agreement_with_different_ranges_is_finite():
    scores = quade_ranking([[1, 2, 3], [2, 4, 6], [3, 6, 9]]).scores
    # weights 1, 2, 3: A2 = 2 (1 + 4 + 9), B = 2 36 / 3, F = 2 24 / (28 - 24)
    assert omnibus.quade(scores).statistic == pytest.approx(12, rel=1e-15)
    printed = omnibus.quade(scores, formulas="printed")
    assert printed[:2] == omnibus.quade(scores)[:2]
    # the two other data sets agree with the first in 1 of 36 orders, which F does not know
    assert printed.pvalue < 1 / 36
    assert omnibus.quade(scores).pvalue == pytest.approx(1 / 36, rel=1e-14)


@pytest.mark.filterwarnings("error")
def test_data_sets_tied_throughout_do_not_hide_agreement():
    result = omnibus.quade(quade_ranking([[1, 2, 3], [1, 1, 1], [1, 2, 3]]).scores)
    assert 0 < result.statistic < math.inf
    ranked = aligned_ranking([[1, 2, 3], [1, 1, 1], [1, 2, 3]])
    assert 0 < omnibus.aligned(ranked.scores).statistic < math.inf


@pytest.mark.filterwarnings("error")
def test_p_of_aligned_ranks_and_quade_below_the_smallest_number():
    scores = np.tile(np.arange(5.0), (1000, 1))
    aligned = omnibus.aligned(aligned_ranking(scores).scores)
    # each algorithm fills a stretch of its own: T as large as it gets
    assert aligned.statistic == pytest.approx(1000 * 4)
    assert aligned.pvalue == 0
    assert aligned.log10_pvalue == pytest.approx(-865.2877167178674, rel=1e-13)
    quade = omnibus.quade(quade_ranking(scores + np.arange(1000)[:, np.newaxis] % 2).scores)
    assert (quade.statistic, quade.pvalue) == (math.inf, 0)
    assert quade.log10_pvalue == pytest.approx(-999 * math.log10(120))
