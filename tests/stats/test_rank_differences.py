"""Exact tests of pairs: beside all permutations, beside whole numbers, and beside closed forms."""

import itertools
import math
from collections import Counter
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from scipy.stats import binomtest

from nbcompare.stats.posthoc import all_pairs
from nbcompare.stats.rank_differences import BUDGET, difference_law, exchange_tests
from nbcompare.stats.rankings import RANKINGS, midranks, rank

# Orders of all data sets, (k!)^n, that are enumerated one by one.
MOST_ORDERS = 20_000


def tied_table(rng, n, k):
    """Scores: heavily tied, somewhat tied, hardly tied; data sets of different spread."""
    levels = rng.choice([2, 3, k + 1, 1000])
    return rng.integers(0, levels, (n, k)) * rng.integers(1, 4, (n, 1))


def by_enumeration(scores, first, second):
    """Two-sided p of every pair from all orders of all rows, each order as likely as another."""
    rows = (np.rint(scores * 4)).astype(int)
    k = rows.shape[1]
    sums = np.zeros((1, k), dtype=int)
    for row in rows:
        orders = np.array(list(itertools.permutations(row.tolist())))
        sums = (sums[:, np.newaxis] + orders).reshape(-1, k)
    observed = rows.sum(axis=0)
    p = []
    for i, j in zip(first, second, strict=True):
        as_far = np.abs(sums[:, j] - sums[:, i]) >= abs(observed[j] - observed[i])
        p.append(as_far.mean())
    return np.array(p)


def whole_law(scores):
    """Numbers of choices that give each sum times 4, and of all: Python's whole numbers.

    All numbers of a law are digits of a single one, so that adding a row is a few shifts.
    """
    rows = np.rint(np.asarray(scores) * 4).astype(int)
    rows -= rows.min(axis=1, keepdims=True)
    unit = max(1, int(np.gcd.reduce(rows, axis=None)))
    total = math.perm(rows.shape[1], 2) ** len(rows)
    width = total.bit_length() // 8 + 1
    law, least = 1, 0
    for row in (rows // unit).tolist():
        differences = Counter(one - other for one, other in itertools.permutations(row, 2))
        low = min(differences)
        law = sum((law * times) << (8 * width * (d - low)) for d, times in differences.items())
        least += low
    digits = law.to_bytes((1 - 2 * least) * width, "little")
    counts = {}
    for place in range(1 - 2 * least):
        count = int.from_bytes(digits[place * width : (place + 1) * width], "little")
        if count:
            counts[(least + place) * unit] = count
    assert sum(counts.values()) == total
    return counts, total


def log_of(fraction):
    """Natural logarithm of a Fraction of any size."""

    def log(number):
        shift = max(0, number.bit_length() - 200)
        return math.log(number >> shift) + shift * math.log(2)

    return log(fraction.numerator) - log(fraction.denominator)


def check_whole(scores, *, ranking, tolerance=1e-10):
    """Compare p of every possible difference with whole numbers; return the least log10 p."""
    counts, total = whole_law(scores)
    law = difference_law(scores, ranking=ranking)
    distances = sorted(d for d in counts if d > 0)
    upper, tails = 0, {}
    for d in reversed(distances):
        upper += counts[d]
        tails[d] = Fraction(2 * upper, total)
    assert law.largest == distances[-1] / 4
    p, log10_p = law.pvalues(np.array(distances) / 4)
    expected = np.array([log_of(tails[d]) for d in distances])
    assert np.abs(np.expm1(log10_p * math.log(10) - expected)).max() < tolerance
    normal = expected > -700
    assert p[normal] == pytest.approx(np.exp(expected[normal]), rel=tolerance, abs=0)
    assert (np.diff(log10_p) <= 0).all()
    return expected.min() / math.log(10)


@pytest.mark.slow
def test_all_orders_of_500_tables():
    rng = np.random.default_rng(1)
    seen = 0
    while seen < 500:
        k = int(rng.integers(2, 6))
        n = int(rng.integers(1, 1 + math.floor(math.log(MOST_ORDERS) / math.lgamma(k + 1))))
        table = tied_table(rng, min(n, 12), k)
        for ranking in RANKINGS:
            scores = rank(table, ranking).scores
            law = difference_law(scores, ranking=ranking)
            tests = law.tests(scores.sum(axis=0), *all_pairs(k))
            expected = by_enumeration(scores, *all_pairs(k))
            assert tests.pvalue == pytest.approx(expected, rel=1e-12, abs=0)
            assert tests.log10_pvalue == pytest.approx(np.log10(expected), rel=1e-12, abs=1e-13)
            sums = scores.sum(axis=0)
            assert tests.statistic.tolist() == [
                sums[j] - sums[i] for i, j in zip(*all_pairs(k), strict=True)
            ]
        seen += 1


@pytest.mark.parametrize("seed", range(6))
def test_whole_numbers(seed):
    rng = np.random.default_rng(seed)
    for ranking in RANKINGS:
        table = tied_table(rng, int(rng.integers(5, 16)), int(rng.integers(2, 8)))
        check_whole(rank(table, ranking).scores, ranking=ranking)


@pytest.mark.weekly
@pytest.mark.parametrize("seed", range(50))
def test_whole_numbers_of_larger_tables(seed):
    rng = np.random.default_rng(100 + seed)
    n, k = int(rng.integers(15, 31)), int(rng.integers(2, 8))
    for ranking in RANKINGS:
        check_whole(rank(tied_table(rng, n, k), ranking).scores, ranking=ranking)


@pytest.mark.slow
def test_whole_numbers_down_to_ten_to_the_minus_1000():
    rows = [[0] * 58 + [1, 2]] * 200 + [[0] * 59 + [1]] * 400
    assert check_whole(rows, ranking="friedman") < -1000


@pytest.mark.parametrize(
    "rows",
    [
        [[0] * 19 + [1000]] * 2 + [[0, 1] * 10] * 3,  # hardly any choice is large
        [[0] * 30 + [1] * 9 + [500]] * 4,
        [[0, 1, 1000]] * 5 + [[0, 1, 2]],
        [[0, 1000, 2000]] * 6 + [[0, 0, 1]],  # one row is not a multiple of the others
        [[0, 0, 0, 0, 0, 0, 0, 1]] * 20,
        [[0, 1, 1, 1, 1, 1, 1, 90]] * 3 + [[0, 1, 2, 3, 4, 5, 6, 7]] * 12,
        [[0] * 7 + [5**i] for i in range(7)],
        [[0] * 99 + [1000]] * 2 + [[0, 1] * 50] * 2,
    ],
)
def test_strange_rows(rows):
    check_whole(np.array(rows, dtype=float) / 2 if len(rows[0]) != len(rows) else rows,
                ranking="friedman")  # fmt: skip


def test_two_algorithms_are_the_sign_test_without_ties():
    for wins, losses, ties in ((5, 0, 2), (7, 3, 0), (40, 12, 9), (1200, 300, 4)):
        table = [[0, 1]] * wins + [[1, 0]] * losses + [[1, 1]] * ties
        scores = rank(table).scores
        tests = difference_law(scores).tests(scores.sum(axis=0), *all_pairs(2))
        assert tests.statistic.tolist() == [wins - losses]
        expected = binomtest(wins, wins + losses).pvalue
        assert tests.pvalue[0] == pytest.approx(expected, rel=1e-11)


@pytest.mark.parametrize("ranking", RANKINGS)
def test_critical_differences(ranking):
    rng = np.random.default_rng(5)
    for n, k in ((4, 2), (9, 2), (30, 2), (6, 4), (9, 5)):
        scores = rank(tied_table(rng, n, k), ranking).scores
        law = difference_law(scores, ranking=ranking)
        possible = np.array(sorted(d for d in whole_law(scores)[0] if d > 0)) / 4
        for level in (0.5, 0.05, 0.05 / 10, 1e-3, 1e-12):
            rejected = law.pvalues(possible)[0] <= level
            critical = law.critical_difference(level)
            if critical is None:
                assert not rejected.any()
            else:
                assert (rejected == (possible >= critical)).all()
                assert rejected.any()


def test_critical_difference_at_a_level_that_p_meets():
    law = difference_law([[1, 2]] * 6)
    assert law.pvalues([4, 6])[0].tolist() == [14 / 64, 2 / 64]
    assert law.critical_difference(2 / 64) == 6
    assert law.critical_difference(np.nextafter(2 / 64, 0)) is None
    assert law.critical_difference(14 / 64) == 4


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("ranking", RANKINGS)
def test_all_tied(ranking):
    scores = rank(np.full((3, 4), 7.0), ranking).scores
    law = difference_law(scores, ranking=ranking)
    tests = law.tests(scores.sum(axis=0), *all_pairs(4))
    assert (tests.pvalue == 1).all()
    assert (tests.log10_pvalue == 0).all()
    assert (law.largest, law.cost(tests.statistic), law.critical_difference(0.5)) == (0, 0, None)


@pytest.mark.filterwarnings("error")
def test_no_warning_where_numpy_raises():
    with np.errstate(all="raise"):
        law = difference_law(rank(np.arange(10) + np.zeros((500, 1))).scores)
        p, log10_p = law.pvalues([0, 1, 2000, 4499, 4500])
    assert p[-1] == 0
    assert log10_p[-1] == pytest.approx(math.log10(2) - 500 * math.log10(90), rel=1e-12)


def test_cost_is_a_count():
    rng = np.random.default_rng(6)
    costs = []
    for n, k, ranking in ((30, 5, "friedman"), (30, 10, "aligned"), (300, 40, "aligned")):
        scores = rank(rng.random((n, k)), ranking).scores
        law = difference_law(scores, ranking=ranking)
        sums = scores.sum(axis=0)
        differences = sums[:, np.newaxis] - sums
        costs.append(law.cost(differences))
        assert law.cost(differences) == costs[-1]
        assert law.cost([0.0]) == 0
        assert law.cost(differences[0]) <= costs[-1]
    assert costs == sorted(costs)
    assert costs[1] < BUDGET < costs[2]


# ------------------------------------------------------------------------------------ exchange


def by_signs(differences, alternative):
    """Return p of differences of ranks, positive where the first is better."""
    d = differences[~np.isnan(differences)]
    sums = np.array([np.dot(signs, np.abs(d)) for signs in product((-1, 1), repeat=len(d))])
    above, below = np.mean(sums >= d.sum() - 1e-9), np.mean(sums <= d.sum() + 1e-9)
    return {"better": above, "worse": below, "two-sided": min(1.0, 2 * min(above, below))}[
        alternative
    ]


@pytest.mark.parametrize("alternative", ["two-sided", "better", "worse"])
@pytest.mark.parametrize("seeds", [range(start, 200, 4) for start in range(4)], ids=str)
def test_tied_tables_by_enumeration(seeds, alternative):
    for seed in seeds:
        rng = np.random.default_rng(seed)
        n, k = int(rng.integers(2, 9)), int(rng.integers(2, 6))
        scores = np.round(rng.normal(size=(n, k)), int(rng.integers(0, 2)))
        ranks = rank(scores, list(RANKINGS)[seed % 3]).scores if seed % 4 else midranks(scores)
        if seed % 5 == 0:
            ranks = np.where(rng.random((n, k)) < 0.2, np.nan, ranks)
        first, second = all_pairs(k)
        found = exchange_tests(ranks, first, second, alternative=alternative)
        for row, (one, other) in enumerate(zip(first, second, strict=True)):
            expected = by_signs(ranks[:, other] - ranks[:, one], alternative)
            assert found.pvalue[row] == pytest.approx(expected, rel=1e-12)
            assert found.log10_pvalue[row] == pytest.approx(np.log10(expected), abs=1e-12)


def test_many_differences_go_by_the_normal_law_close_to_the_exact_one():
    ranks = midranks(np.random.default_rng(2).normal(size=(600, 8)) + 0.03 * np.arange(8))
    pairs = all_pairs(8)
    quick, exact = exchange_tests(ranks, *pairs), exchange_tests(ranks, *pairs, method="exact")
    assert not quick.exact.any()
    assert exact.exact.all()
    assert np.abs(quick.pvalue - exact.pvalue).max() < 0.01


def test_more_differences_than_can_be_counted():
    ranks = midranks(np.random.default_rng(0).normal(size=(1200, 3)))
    with pytest.raises(ValueError, match="more than 1,000"):
        exchange_tests(ranks, np.array([0]), np.array([1]), method="exact")
