"""Sixty-four random tables full of ties against figures from exact fractions and 40-digit tails."""

import json
import math
from pathlib import Path

import numpy as np
import pytest

from nbcompare.stats import adjust, logical, omnibus, pairwise, posthoc, signed_rank
from nbcompare.stats.rankings import RANKINGS, rank

PATH = Path(__file__).parents[1] / "reference" / "oracle_tables.json"
TABLES = json.loads(PATH.read_text(encoding="utf-8"))["tables"]
every_table = pytest.mark.parametrize(
    "table", TABLES, ids=lambda table: f"{table['n']}x{table['k']}-{table['direction'][:3]}"
)


def close(value):
    return pytest.approx(value, rel=1e-9, abs=0)


def scores_of(table):
    """Smaller is better; decimal fractions, as they come out of a file."""
    digits = np.array([list(map(int, row)) for row in table["scores"]])
    scores = digits / table["divisor"]
    assert scores.shape == (table["n"], table["k"])
    return -scores if table["direction"] == "maximize" else scores


def square(p, k):
    matrix = np.ones((k, k))
    first, second = posthoc.all_pairs(k)
    matrix[first, second] = matrix[second, first] = p
    return matrix


def upper(matrix):
    return matrix[posthoc.all_pairs(len(matrix))]


def test_the_tables_are_what_they_should_be():
    assert len(TABLES) >= 60
    assert {table["k"] for table in TABLES} == set(range(2, 10))
    assert {table["direction"] for table in TABLES} == {"maximize", "minimize"}
    assert {table["divisor"] for table in TABLES} == {1, 10, 100, 1000}
    families = {(table["family"]["ranking"], table["family"]["formulas"]) for table in TABLES}
    assert len(families) == 6
    assert sum(rank(scores_of(table)).tied for table in TABLES) >= 60


@every_table
@pytest.mark.parametrize("formulas", omnibus.FORMULAS)
def test_omnibus_tests(table, formulas, exact):
    scores = scores_of(table)
    ranked = {name: rank(scores, name).scores for name in RANKINGS}
    found = {
        "friedman": omnibus.friedman(ranked["friedman"], formulas=formulas),
        "iman-davenport": omnibus.iman_davenport(ranked["friedman"], formulas=formulas),
        "aligned": omnibus.aligned(ranked["aligned"], formulas=formulas),
        "quade": omnibus.quade(ranked["quade"], formulas=formulas),
    }
    for name, test in found.items():
        expected = table["omnibus"][name][formulas]
        if expected is None:  # perfect agreement
            assert test.statistic == math.inf
        else:
            statistic, p = expected
            if formulas == "corrected":
                ranking = "friedman" if name == "iman-davenport" else name
                p = max(p, float(exact.perfect_agreement(ranked[ranking].tolist())))
            assert (test.statistic, test.pvalue, 10**test.log10_pvalue) == close((statistic, p, p))


@every_table
@pytest.mark.parametrize("ranking", RANKINGS)
def test_average_ranks_and_all_pairs(table, ranking):
    ranked = rank(scores_of(table), ranking)
    expected = table["rankings"][ranking]
    averages = np.array(expected["average_ranks"])
    assert ranked.average_ranks == close(averages)
    sums = ranked.scores.sum(axis=0)
    first, second = posthoc.all_pairs(table["k"])
    for formulas in omnibus.FORMULAS:
        error = posthoc.standard_error(ranked.scores, formulas=formulas, ranking=ranking)
        assert error == close(expected[formulas]["se"])
        tests = posthoc.rank_tests(sums, error * ranked.unit, first, second)
        # averages of 12 digits: what is left of them in a small difference is less
        z = (averages[second] - averages[first]) / expected[formulas]["se"]
        assert tests.statistic == pytest.approx(z, rel=1e-9, abs=1e-9)
        assert (np.sign(tests.statistic) == np.sign(z)).all()
        assert tests.pvalue == close(expected[formulas]["p"])
        assert 10**tests.log10_pvalue == close(expected[formulas]["p"])


@every_table
def test_adjusted_p_values(table):
    family, k = table["family"], table["k"]
    ranked = rank(scores_of(table), family["ranking"])
    sums = ranked.scores.sum(axis=0)
    error = ranked.unit * posthoc.standard_error(
        ranked.scores, formulas=family["formulas"], ranking=family["ranking"]
    )
    control = posthoc.rank_tests(sums, error, *posthoc.against_control(k, 0))
    for name, expected in family["against_first"].items():
        procedure, _, printed = name.partition("_")
        options = {"formulas": printed or "corrected"}
        assert adjust.adjust(control.pvalue, procedure, **options) == close(expected)
        logs = adjust.adjust(control.log10_pvalue, procedure, log10=True, **options)
        assert 10**logs == close(expected)
    tests = posthoc.rank_tests(sums, error, *posthoc.all_pairs(k))
    expected = family["all_pairs"]
    for name in ("bonferroni", "holm", "hochberg"):
        assert adjust.adjust(tests.pvalue, name) == close(expected[name])
    for matrix, options in (
        (square(tests.pvalue, k), {}),
        (square(tests.log10_pvalue, k), {"log10": True}),
    ):
        found = {
            "shaffer": logical.shaffer(matrix, **options),
            "bergmann-hommel": logical.bergmann_hommel(matrix, sums, **options),
            "monotone": logical.bergmann_hommel(matrix, sums, monotone=True, **options),
        }
        if k < 8:  # any p-values, the ranks not told
            any_p = logical.bergmann_hommel(matrix, **options)
            assert any_p == pytest.approx(found["bergmann-hommel"], rel=1e-12, abs=1e-12)
        for name, adjusted in found.items():
            p = 10 ** upper(adjusted) if options else upper(adjusted)
            assert p == close(expected[name])


@every_table
def test_two_algorithms(table):
    scores = scores_of(table)
    for expected in table["pair_tests"]:
        first, second = (np.array([name]) for name in expected["pair"])
        for zeros in ("wilcox", "demsar"):
            test = signed_rank.signed_ranks(scores, first, second, zeros=zeros)
            if expected[zeros] is None:  # nothing but ties
                assert test.pvalue == [1.0]
                continue
            n_used, r_plus, r_minus, p_exact, p_normal = expected[zeros]
            assert test.n_used == [n_used]
            assert (test.r_plus[0], test.r_minus[0]) == (r_plus, r_minus)
            assert test.pvalue == close([p_exact])
            if p_normal is not None:
                normal = signed_rank.signed_ranks(
                    scores, first, second, zeros=zeros, method="normal"
                )
                assert normal.pvalue == close([p_normal])
        wins, losses, ties, p_sign = expected["sign"]
        counted = pairwise.win_tie_loss(rank(scores).scores, first, second)
        assert (counted.wins, counted.ties, counted.losses) == (wins, ties, losses)
        test = signed_rank.sign_test(counted.wins, counted.ties, counted.losses)
        assert (test.pvalue, 10**test.log10_pvalue) == (close([p_sign]), close([p_sign]))


@every_table
def test_nemenyi(table):
    sums = rank(scores_of(table)).scores.sum(axis=0)
    error = posthoc.untied_standard_error(table["k"], table["n"]) * table["n"]
    for first, second, p in table["nemenyi"]:
        pair = np.array([first]), np.array([second])
        z = posthoc.rank_tests(sums, error, *pair).statistic
        assert posthoc.nemenyi_pvalues(z, table["k"])[0] == close([p])
