"""Aligned ranks and Quade's test against published tables, exact arithmetic, SciPy, simulation."""

import csv
import math
from fractions import Fraction
from importlib import resources

import numpy as np
import pytest

from nbcompare.stats import omnibus, posthoc
from nbcompare.stats.rankings import RANKINGS, aligned_ranking, quade_ranking, rank

LOWER_IS_BETTER = {"demsar2006_ranks", "otero2013_simulated"}
TABLES = ("demsar2006", "demsar2006_printed_ranks", "otero2013_t1", "otero2013_t6_auc40")
SHAPES = [(n, k) for k in (2, 3, 4, 9) for n in (2, 3, 20)]


def close(value):
    return pytest.approx(value, rel=1e-9, abs=0)


def scores_of(name):
    """A bundled table, smaller is better."""
    path = resources.files("nbcompare") / "datasets" / f"{name}.csv"
    rows = list(csv.reader(path.read_text(encoding="utf-8").splitlines()))
    scores = np.array([row[1:] for row in rows[1:]], dtype=float)
    return scores if name in LOWER_IS_BETTER else -scores


def check_printed_pairs(ranked, ranking, table, algorithms):
    error = posthoc.standard_error(ranked.scores, formulas="printed", ranking=ranking)
    assert error == close(table["se"])
    control = algorithms.index(table["control"])
    pairs = posthoc.against_control(len(algorithms), control)
    tests = posthoc.rank_tests(ranked.scores.sum(axis=0), error * ranked.unit, *pairs)
    assert [algorithms[j] for j in pairs[1]] == [row[0] for row in table["one_vs_all"]]
    # there the control comes second, and z is positive where it is better
    assert tests.statistic.tolist() == close([row[1] for row in table["one_vs_all"]])
    assert tests.pvalue.tolist() == close([row[2] for row in table["one_vs_all"]])


@pytest.mark.parametrize("name", TABLES)
def test_aligned_ranks_of_published_tables(name, reference):
    of_table = reference("rankings")["tables"][name]
    table, ranked = of_table["aligned"], aligned_ranking(scores_of(of_table["bundled_as"]))
    assert ranked.average_ranks.tolist() == close(table["avg_ranks"])
    for formulas, suffix in (("printed", ""), ("corrected", "_tie")):
        result = omnibus.aligned(ranked.scores, formulas=formulas)
        assert result.df == (of_table["df"],)
        assert (result.statistic, result.pvalue) == close(
            (table[f"T{suffix}"], table[f"p_T{suffix}"])
        )
    check_printed_pairs(ranked, "aligned", table, of_table["algorithms"])


@pytest.mark.parametrize("name", TABLES)
def test_quade_of_published_tables(name, reference):
    of_table = reference("rankings")["tables"][name]
    table, ranked = of_table["quade"], quade_ranking(scores_of(of_table["bundled_as"]))
    assert ranked.average_ranks.tolist() == close(table["T"])
    assert np.square(ranked.scores).sum() == table["A2"]
    for formulas, suffix in (("printed", "_notie"), ("corrected", "")):
        result = omnibus.quade(ranked.scores, formulas=formulas)
        assert result.df == (of_table["df"], of_table["df2"])
        assert (result.statistic, result.pvalue) == close(
            (table[f"F{suffix}"], table[f"p_F{suffix}"])
        )
    check_printed_pairs(ranked, "quade", table, of_table["algorithms"])


# ------------------------------------------------------------------- exact arithmetic


def exact_aligned(rows, midranks, *, corrected):
    """Scores by rank, T, squared standard error of a difference of average ranks."""
    n, k = len(rows), len(rows[0])
    flat = midranks([Fraction(x) - Fraction(sum(row), k) for row in rows for x in row])
    ranks = [flat[i * k : (i + 1) * k] for i in range(n)]
    columns = [sum(column) for column in zip(*ranks, strict=True)]
    squares = sum(r * r for r in flat)
    untied = Fraction(k * n * (k * n + 1) * (2 * k * n + 1), 6)
    of_rows = Fraction(1, k) * sum(sum(row) ** 2 for row in ranks)
    top = (k - 1) * (sum(s * s for s in columns) - Fraction(k * n * n, 4) * (k * n + 1) ** 2)
    below = (squares if corrected else untied) - of_rows
    deviations = sum((r - sum(row) / k) ** 2 for row in ranks for r in row)
    variance = 2 * deviations / (k - 1) / n**2 if corrected else Fraction(k * (n * k + 1), 6)
    return ranks, top / below if below else Fraction(0), variance


def exact_quade(rows, midranks, *, corrected):
    """Scores by rank, F (None: infinite), squared standard error, average ranks."""
    n, k = len(rows), len(rows[0])
    weights = midranks([max(row) - min(row) for row in rows])
    ranks = [midranks(row) for row in rows]
    scores = [
        [q * (r - Fraction(k + 1, 2)) for r in row] for q, row in zip(weights, ranks, strict=True)
    ]
    a2 = sum(s * s for row in scores for s in row)
    spread = a2
    if not corrected:
        a2 = Fraction(n * (n + 1) * (2 * n + 1) * k * (k + 1) * (k - 1), 72)
    b = sum(sum(column) ** 2 for column in zip(*scores, strict=True)) / Fraction(n)
    unit = Fraction(n * (n + 1), 2)
    variance = (
        2 * spread / (k - 1) / unit**2
        if corrected
        else Fraction(k * (k + 1) * (2 * n + 1) * (k - 1), 18 * n * (n + 1))
    )
    averages = [
        sum(q * row[j] for q, row in zip(weights, ranks, strict=True)) / unit for j in range(k)
    ]
    statistic = Fraction(0) if b == 0 else (n - 1) * b / (a2 - b) if a2 != b else None
    return scores, statistic, variance, averages


def random_tables(n, k):
    """Integers: heavily tied, somewhat tied, hardly tied."""
    rng = np.random.default_rng(2000 * n + k)
    for levels in (2, k, 1000):
        yield rng.integers(0, levels, (n, k))


def check_pairs(ranked, ranking, formulas, variance, averages, exact):
    """Every z and p from exact average ranks and their exact variance."""
    k = len(averages)
    error = posthoc.standard_error(ranked.scores, formulas=formulas, ranking=ranking)
    assert error == pytest.approx(math.sqrt(variance), rel=1e-14)
    first, second = posthoc.all_pairs(k)
    tests = posthoc.rank_tests(ranked.scores.sum(axis=0), error * ranked.unit, first, second)
    z = [
        exact.number(averages[j] - averages[i]) / exact.number(variance) ** 0.5 if variance else 0
        for i, j in zip(first, second, strict=True)
    ]
    assert tests.statistic == pytest.approx([float(value) for value in z], rel=1e-13, abs=0)
    p = [exact.normal_two_sided(value) for value in z]
    assert exact.relative_error(tests.pvalue, p) < 1e-12


@pytest.mark.parametrize("formulas", omnibus.FORMULAS)
@pytest.mark.parametrize(("n", "k"), SHAPES)
def test_aligned_exactly(n, k, formulas, exact):
    for table in random_tables(n, k):
        for sign in (1, -1):  # minimize, maximize
            ranks, statistic, variance = exact_aligned(
                (sign * table).tolist(), exact.midranks, corrected=formulas == "corrected"
            )
            ranked = aligned_ranking(sign * table / 1000)
            assert [[Fraction(r) for r in row] for row in ranked.scores.tolist()] == ranks
            result = omnibus.aligned(ranked.scores, formulas=formulas)
            assert result.statistic == pytest.approx(float(statistic), rel=1e-14, abs=0)
            floor = exact.perfect_agreement(ranks) if formulas == "corrected" else Fraction(0)
            p = max(exact.chi2_sf(statistic, k - 1), exact.number(floor))
            assert exact.relative_error(result.pvalue, [p]) < 1e-12
            averages = [sum(column) / n for column in zip(*ranks, strict=True)]
            assert ranked.average_ranks.tolist() == pytest.approx([float(a) for a in averages])
            check_pairs(ranked, "aligned", formulas, variance, averages, exact)


@pytest.mark.parametrize("formulas", omnibus.FORMULAS)
@pytest.mark.parametrize(("n", "k"), SHAPES)
def test_quade_exactly(n, k, formulas, exact):
    for table in random_tables(n, k):
        for sign in (1, -1):
            scores, statistic, variance, averages = exact_quade(
                (sign * table).tolist(), exact.midranks, corrected=formulas == "corrected"
            )
            ranked = quade_ranking(sign * table / 1000)
            assert [[Fraction(s) for s in row] for row in ranked.scores.tolist()] == scores
            assert ranked.average_ranks.tolist() == pytest.approx([float(a) for a in averages])
            result = omnibus.quade(ranked.scores, formulas=formulas)
            if statistic is None:
                assert result.statistic == math.inf
            else:
                assert result.statistic == pytest.approx(float(statistic), rel=1e-14, abs=0)
                floor = exact.perfect_agreement(scores) if formulas == "corrected" else Fraction(0)
                p = max(exact.f_sf(statistic, k - 1, (k - 1) * (n - 1)), exact.number(floor))
                assert exact.relative_error(result.pvalue, [p]) < 1e-12
            check_pairs(ranked, "quade", formulas, variance, averages, exact)


# -------------------------------------------------------------- other ways to the same


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
