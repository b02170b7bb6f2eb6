"""Exact omnibus p-values against enumeration, rational arithmetic, binomials and printed tables."""

import itertools
import math
from collections import Counter
from fractions import Fraction

import numpy as np
import pytest

from nbcompare.stats import exact_omnibus, omnibus
from nbcompare.stats.exact_omnibus import exact_pvalue
from nbcompare.stats.rankings import RANKINGS, midranks, rank


def enumerated(scores):
    """Share of all orders of all rows but the first, in whole numbers (4 times the scores)."""
    rows = (4 * np.asarray(scores)).astype(np.int64).tolist()
    observed = sum(sum(column) ** 2 for column in zip(*rows, strict=True))
    sums = np.array([rows[0]])
    for row in rows[1:]:
        orders = np.array(list(itertools.permutations(row)))
        sums = (sums[:, np.newaxis] + orders).reshape(-1, len(row))
    return Fraction(int((np.square(sums).sum(axis=1) >= observed).sum()), len(sums))


def rational(scores):
    """The same by counts in a dictionary of unsorted sums: no floats, and nothing shared."""
    rows = [[int(4 * x) for x in row] for row in np.asarray(scores).tolist()]
    observed = sum(sum(column) ** 2 for column in zip(*rows, strict=True))
    law = Counter({tuple(rows[0]): 1})
    for row in rows[1:]:
        orders = Counter(itertools.permutations(row))
        following = Counter()
        for sums, ways in law.items():
            for order, times in orders.items():
                # only the multiset matters
                total = tuple(sorted(map(int.__add__, sums, order)))
                following[total] += ways * times
        law = following
    reached = sum(ways for sums, ways in law.items() if sum(s * s for s in sums) >= observed)
    return Fraction(reached, sum(law.values()))


def random_scores(rng, n, k):
    """Tied heavily or hardly, without any difference or with a large one."""
    drift = rng.integers(0, 2) * np.arange(k)
    return rng.integers(0, rng.integers(2, 10), (n, k)) + drift


def as_fraction(p):
    return pytest.approx(float(p), rel=1e-12, abs=0)


def compare_with_enumeration(seed, tables, longest):
    rng = np.random.default_rng(seed)
    exact, tied = 0, 0
    for _ in range(tables):
        k = int(rng.integers(2, 6))
        scores = random_scores(rng, int(rng.integers(2, longest[k] + 1)), k)
        for ranking in RANKINGS:
            ranked = rank(scores, ranking)
            result = exact_pvalue(ranked.scores)
            assert result.pvalue == as_fraction(enumerated(ranked.scores)), (ranking, scores)
            assert 0 < result.pvalue <= 1
            assert result.log10_pvalue == pytest.approx(math.log10(result.pvalue), abs=1e-12)
            exact += result.pvalue < 1
            tied += ranked.tied
    assert exact > 2 * tables
    assert tied > 2 * tables


def test_random_tables_by_enumeration():
    compare_with_enumeration(1, 60, {2: 9, 3: 5, 4: 4, 5: 3})


@pytest.mark.weekly
def test_many_random_tables_by_enumeration():
    compare_with_enumeration(2, 250, {2: 14, 3: 7, 4: 5, 5: 4})


def test_larger_tables_by_rational_arithmetic():
    rng = np.random.default_rng(4)
    for n, k, ranking in ((25, 3, "friedman"), (7, 4, "friedman"), (9, 3, "quade")):
        ranked = rank(rng.random((n, k)) + 0.2 * np.arange(k), ranking).scores
        assert exact_pvalue(ranked).pvalue == as_fraction(rational(ranked))


# ------------------------------------------------------------------------- published tables

# P(chi-squared >= statistic), Friedman (1937), table V (k = 3) and VI (k = 4); Hollander and
# Wolfe (1973), table A.15, to three digits
PRINTED = [
    (3, 3, 6.0, 0.028), (3, 3, 4.667, 0.194), (3, 3, 2.667, 0.361), (3, 3, 2.0, 0.528),
    (3, 4, 8.0, 0.0046), (3, 4, 6.5, 0.042), (3, 4, 6.0, 0.069), (3, 4, 4.5, 0.125),
    (3, 5, 10.0, 0.00077), (3, 5, 6.4, 0.039), (3, 5, 5.2, 0.093), (3, 5, 8.4, 0.0085),
    (4, 2, 6.0, 0.042), (4, 2, 5.4, 0.167), (4, 3, 7.4, 0.033), (4, 3, 9.0, 0.0017),
    (4, 3, 7.0, 0.054), (4, 4, 7.8, 0.036), (4, 4, 9.6, 0.0069),
]  # fmt: skip


@pytest.mark.parametrize(("k", "n", "statistic", "printed"), PRINTED)
def test_friedmans_printed_tables(k, n, statistic, printed):
    rng = np.random.default_rng(k * n)
    base = np.arange(1.0, k + 1)
    for _ in range(100_000):  # a table with this statistic
        ranks = np.array([base, *(rng.permutation(base) for _ in range(n - 1))])
        if round(omnibus.friedman(ranks).statistic, 3) == statistic:
            break
    digits = len(str(printed).split(".")[1])
    assert round(exact_pvalue(ranks).pvalue, digits) == printed


# ------------------------------------------------------------------------- far in the tail


def check_signs(wins, n):
    ranks = [[1, 2]] * wins + [[2, 1]] * (n - wins)
    result = exact_pvalue(ranks, most=20_000_000)
    ways = 2 * sum(math.comb(n, j) for j in range(wins, n + 1))
    expected = min(0.0, math.log10(ways) - n * math.log10(2))
    assert result.log10_pvalue == pytest.approx(expected, rel=1e-12, abs=1e-11)
    assert result.pvalue == pytest.approx(10**expected, rel=1e-9)


@pytest.mark.parametrize("wins", [1100, 1098, 700, 550])
@pytest.mark.filterwarnings("error")
def test_probabilities_below_the_smallest_number(wins):
    check_signs(wins, 1100)


@pytest.mark.slow
@pytest.mark.parametrize("wins", [3400, 3395, 2000, 1700])
@pytest.mark.filterwarnings("error")
def test_probabilities_down_to_1e_1023(wins):
    check_signs(wins, 3400)


def test_codes_that_need_several_words_or_a_lottery(monkeypatch):
    rng = np.random.default_rng(6)
    ranked = rank(random_scores(rng, 5, 5), "aligned").scores
    expected = exact_pvalue(ranked).pvalue
    for name, value in (("_LARGEST_CODE", 1 << 12), ("_BLOCK", 64)):
        with monkeypatch.context() as patch:
            patch.setattr(exact_omnibus, name, value)
            exact_omnibus._halves.cache_clear()
            assert exact_pvalue(ranked).pvalue == pytest.approx(expected, rel=1e-13)
    exact_omnibus._halves.cache_clear()
    many = np.sort(rng.integers(0, 2, (9, 20)), axis=1)
    many[:, 1:19] = 0  # one winner or two among 20 algorithms
    ranked = midranks(many)
    assert exact_pvalue(ranked).pvalue == as_fraction(omnibus_floor(ranked))


def omnibus_floor(ranked):
    """These rows agree perfectly."""
    agreeing = math.factorial(20) // math.prod(
        math.factorial(c) for c in Counter(map(tuple, ranked.T.tolist())).values()
    )
    orders = [Counter(row).values() for row in ranked.tolist()]
    return Fraction(agreeing) / math.prod(
        Fraction(math.factorial(20), math.prod(map(math.factorial, o))) for o in orders
    )


# ------------------------------------------------------------------------- how much work


@pytest.mark.parametrize(
    ("n", "k", "ranking"),
    [
        (145, 3, "friedman"), (32, 4, "friedman"), (11, 5, "friedman"), (5, 6, "friedman"),
        (14, 3, "aligned"), (6, 4, "aligned"), (4, 5, "aligned"),
        (30, 3, "quade"), (10, 4, "quade"), (5, 5, "quade"),
    ],
)  # fmt: skip
def test_reach(n, k, ranking):
    ranked = rank(np.random.default_rng(n).random((n, k)), ranking).scores
    result = exact_pvalue(ranked)
    assert 0 < result.expansions <= 2_000_000
    assert exact_pvalue(ranked, most=result.expansions // 2) is None


def test_the_same_rows_are_tested_or_not_whatever_they_say():
    base = np.arange(1.0, 5)
    rng = np.random.default_rng(9)
    tables = [np.tile(base, (12, 1)), np.array([rng.permutation(base) for _ in range(12)])]
    first, second = (exact_pvalue(table) for table in tables)
    assert first.expansions == second.expansions
    for table in tables:
        assert exact_pvalue(table, most=first.expansions) is not None
        assert exact_pvalue(table, most=first.expansions - 1) is None


def test_hopeless_tables_are_refused_before_anything_large_is_made(monkeypatch):
    def nothing(*arguments):
        raise AssertionError("sums were made")

    monkeypatch.setattr(exact_omnibus, "_add", nothing)
    rng = np.random.default_rng(10)
    for n, k in ((3, 11), (1500, 3), (5000, 20)):
        assert exact_pvalue(midranks(rng.random((n, k)))) is None
    # only the first rows of a large table are looked at: the last one is not even checked
    large = midranks(rng.random((200_000, 4)))
    large[-1] = np.nan
    assert exact_pvalue(large) is None
    # but rows without differences do not count
    monkeypatch.undo()
    mostly_tied = np.vstack([np.full((5000, 3), 2.0), [[1, 2, 3], [1, 2, 3]]])
    assert exact_pvalue(mostly_tied).pvalue == as_fraction(Fraction(1, 6))
