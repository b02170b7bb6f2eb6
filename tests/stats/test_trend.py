import itertools
import math
from collections import Counter
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import special, stats

from nbcompare.stats import trend
from nbcompare.stats.rankings import midranks
from nbcompare.stats.trend import convergence_ranks, critical_l, exchange, page


def tables(most_rows, most_columns):
    """Small tables of few distinct values: ties in nearly every row."""
    return st.tuples(st.integers(1, most_rows), st.integers(2, most_columns)).flatmap(
        lambda shape: st.lists(
            st.lists(st.integers(0, 3), min_size=shape[1], max_size=shape[1]),
            min_size=shape[0],
            max_size=shape[0],
        )
    )


def page_statistic(ranks):
    return sum(j * rank for j, rank in enumerate(ranks, start=1))


def law_of_arrangements(rows):
    """Law of L: all arrangements of each row, tied ranks told apart, all combinations of rows."""
    law = {Fraction(0): Fraction(1)}
    for row in rows:
        sums = Counter(page_statistic(order) for order in itertools.permutations(row))
        share = Fraction(1, math.factorial(len(row)))
        longer = Counter()
        for (value, mass), (added, count) in itertools.product(law.items(), sums.items()):
            longer[value + added] += mass * count * share
        law = longer
    return law


def ranked(row, reached):
    """Ranks of a row of differences, with the cut-points at which A and B reach the optimum."""
    return convergence_ranks([row], [reached[0]], [reached[1]])[0].tolist()


# ----------------------------------------------------------------- ranks


def test_worked_examples_of_alternative_ranks(reference):
    examples = reference("page")["alternative_ranks"]
    for name, difference in (
        # B, still on its way, catches up with A
        ("A_reaches_optimum_first", [3, 1, 2, 9, 8, 7, 6, 5, 4, 3]),
        ("B_reaches_optimum_first", [-9, -5, -7, -6, -8, -7, -6, -5, -4, -3]),
        ("both_same_cutpoint", [-2, 5, 4, 3, -1, 0, 0, 0, 0, 0]),
    ):
        assert ranked(difference, examples[name]["reached"]) == examples[name]["ranks"]


@given(
    rows=tables(4, 6),
    data=st.data(),
)
def test_alternative_ranks_in_words(rows, data, exact):
    c = len(rows[0])
    cutpoint = st.integers(1, c + 1)
    for row in rows:
        t_a, t_b = data.draw(cutpoint), data.draw(cutpoint)
        found = ranked(row, (t_a, t_b))
        t_a, t_b = (c + 1 if t == c else t for t in (t_a, t_b))
        first = min(t_a, t_b)
        if t_a == t_b:
            expected = exact.midranks(row)
        elif t_a < t_b:
            expected = exact.midranks(row[: first - 1]) + list(range(first, c + 1))
        else:
            earlier = [rank + c - first + 1 for rank in exact.midranks(row[: first - 1])]
            expected = earlier + [c + 1 - j for j in range(first, c + 1)]
        assert found == expected
        turned = ranked([-value for value in row], (t_b, t_a))
        assert turned == [c + 1 - rank for rank in found]


@given(
    a=st.lists(st.integers(0, 9), min_size=6, max_size=6),
    b=st.lists(st.integers(0, 9), min_size=6, max_size=6),
    factor=st.floats(1e-6, 1e6),
)
def test_the_unit_of_an_objective_does_not_matter(a, b, factor):
    one, other = np.array([a]) / 10, np.array([b]) / 10  # decimals: with rounding noise
    scale = np.maximum(one, other)
    ranks = convergence_ranks(other - one, scale=scale)
    assert (ranks == midranks([np.subtract(b, a)])).all()
    scaled = convergence_ranks(factor * other - factor * one, scale=factor * scale)
    assert (scaled == ranks).all()


def test_many_pairs_at_once():
    rng = np.random.default_rng(3)
    values = np.round(rng.random((2, 3, 7, 5)), 1)
    a, b = rng.integers(1, 7, (2, 2, 3, 7))
    ranks = convergence_ranks(values, a, b)
    for test in (page, exchange):
        for method in ("auto", "normal"):
            together = test(ranks, method=method)
            assert together.pvalue.shape == (2, 3)
            for pair in np.ndindex(2, 3):
                assert (convergence_ranks(values[pair], a[pair], b[pair]) == ranks[pair]).all()
                alone = test(ranks[pair], method=method)
                for name in ("statistic", "pvalue", "log10_pvalue"):
                    one, many = getattr(alone, name), getattr(together, name)[pair]
                    assert float(one) == pytest.approx(many, rel=1e-14)


# ----------------------------------------------------------------- Page's null hypothesis


@pytest.mark.slow
@given(rows=tables(3, 4))
def test_all_arrangements_of_tied_ranks(rows, exact):
    ranks = [exact.midranks(row) for row in rows]
    law = law_of_arrangements(ranks)
    observed = sum(map(page_statistic, ranks))
    p = sum(mass for value, mass in law.items() if value >= observed)
    test = page(midranks(rows))
    assert (float(test.statistic), test.method) == (observed, "exact")
    assert float(test.pvalue) == pytest.approx(float(p), rel=1e-14)
    assert 10 ** float(test.log10_pvalue) == pytest.approx(float(p), rel=1e-13)
    # the mirror image has the other tail
    below = sum(mass for value, mass in law.items() if value <= observed)
    turned = page(len(rows[0]) + 1 - midranks(rows))
    assert float(turned.pvalue) == pytest.approx(float(below), rel=1e-14)
    # and the normal law has the mean and the variance of this one
    normal = page(midranks(rows), method="normal")
    mean = sum(value * mass for value, mass in law.items())
    variance = sum((value - mean) ** 2 * mass for value, mass in law.items())
    z = float(observed - mean) / math.sqrt(variance) if variance else -math.inf
    assert float(normal.pvalue) == pytest.approx(special.ndtr(-z), rel=1e-12)


@pytest.mark.parametrize("c", [5, 6, 7])
def test_every_pattern_of_ties_in_one_row(c):
    orders = np.array(list(itertools.permutations(range(c))))
    for code in range(2 ** (c - 1)):
        row = midranks(np.cumsum([0, *(code >> j & 1 for j in range(c - 1))]))
        sums, counts = np.unique(row[orders] @ np.arange(1, c + 1), return_counts=True)
        law = trend.row_law(c, code)
        some = law.masses > 0
        assert (c * (c + 1) ** 2 / 4 + law.values[some] / 2 == sums).all()
        np.testing.assert_allclose(law.masses[some], counts / len(orders), rtol=1e-14)


def test_published_examples(reference):
    ames = reference("page")["ames_assay"]
    ranks = midranks(ames["data"])
    for method, p in ames["p"].items():
        test = page(ranks, method=method)
        assert (float(test.statistic), test.method) == (ames["L"], method)
        assert float(test.pvalue) == pytest.approx(p, abs=5e-5)
    document = reference("page")["scipy_documentation"]
    ranks = midranks(document["data"])
    test = page(ranks)
    assert float(test.statistic) == document["L"]
    assert float(test.pvalue) == pytest.approx(document["p_exact"], abs=5e-7)
    printed = page(ranks, formulas="printed")
    assert printed.method == "normal"
    assert float(printed.pvalue) == pytest.approx(document["p_printed"], rel=1e-12)


def test_critical_values(reference):
    table = reference("page")["critical_values"]
    levels = [float(level) for level in table["columns"][2:]]
    assert len(table["rows"]) == 60
    for n, c, *values in table["rows"]:
        assert [critical_l(n, c, level) for level in levels] == values


def test_critical_values_by_the_normal_law():
    """They are the smallest with p at most alpha, by the p that the test has."""
    for n, c, formulas in ((300, 10, "corrected"), (9, 6, "printed"), (20, 20, "corrected")):
        mean, largest = n * c * (c + 1) ** 2 / 4, n * c * (c + 1) * (2 * c + 1) / 6
        found = critical_l(n, c, 0.05, formulas=formulas)
        spread = math.sqrt(n * (c - 1)) * c * (c + 1) / 12
        shift = 0.5 if formulas == "printed" else 0
        p = [stats.norm.sf((value - shift - mean) / spread) for value in (found - 1, found)]
        assert p[0] > 0.05 >= p[1]
        assert found <= largest
    assert critical_l(1, 20, 1e-9) is None


@pytest.mark.slow
@pytest.mark.parametrize("n", [30, 150])
def test_relative_accuracy_far_in_the_tail(n):
    """Against whole numbers of any length: the counts as digits of one number, to the power."""
    rows = [[1, 2, 3, 4, 5], [1, 2.5, 2.5, 4, 5]]
    digits = 7 * n + 1  # bits: more than 120**n
    product, span = 1, 0
    for row in rows:
        sums = [int(2 * page_statistic(order)) for order in itertools.permutations(row)]
        polynomial = sum(1 << digits * (value - min(sums)) for value in sums)
        product *= polynomial ** (n // 2)
        span += (max(sums) - min(sums)) * (n // 2)
    counts = [product >> digits * value & ((1 << digits) - 1) for value in range(span + 1)]
    above = list(itertools.accumulate(counts[::-1]))[::-1]
    codes = trend.patterns(np.array(rows * (n // 2)))
    excess = np.linspace(0, span, 40).round() - span / 2
    p, log10_p = trend.upper_tails(5, codes, excess)
    whole = 120**n
    for observed, found, log10_found in zip(excess, p, log10_p, strict=True):
        count = above[int(observed + span / 2)]
        expected = (math.log2(count) - n * math.log2(120)) * math.log10(2)
        assert float(log10_found) == pytest.approx(expected, rel=1e-13, abs=1e-13)
        assert float(found) == pytest.approx(float(Fraction(count, whole)), rel=1e-11, abs=1e-308)


@pytest.mark.parametrize("n", [20, 50, 198])
def test_perfect_order_is_never_zero(n):
    ranks = np.tile(np.arange(1.0, 11.0), (n, 1))
    log10_p = -n * math.log10(math.factorial(10))
    assert float(page(ranks).log10_pvalue) == pytest.approx(log10_p, rel=1e-13)
    # one exchange of neighbours in one row: as far off are 9 arrangements of each row
    ranks[3, 4:6] = 6, 5
    log10_p += math.log10(1 + 9 * n)
    assert float(page(ranks).log10_pvalue) == pytest.approx(log10_p, rel=1e-13)


@pytest.mark.slow
def test_auto_is_exact_where_it_fits():
    rng = np.random.default_rng(0)
    for n, c, method in ((20, 14, "exact"), (20, 15, "normal"), (600, 10, "normal")):
        ranks = midranks(np.round(rng.random((n, c)), 1))
        assert page(ranks).method == method
    exact, normal = (page(ranks[:300], method=method) for method in ("exact", "normal"))
    assert (exact.method, normal.method) == ("exact", "normal")
    assert float(exact.pvalue) == pytest.approx(float(normal.pvalue), rel=0.005)


# ----------------------------------------------------------------- exchanges


@given(rows=tables(6, 5))
def test_all_exchanges_of_the_two_algorithms(rows, exact):
    c = len(rows[0])
    ranks = [exact.midranks(row) for row in rows]
    sides = [(page_statistic(r), page_statistic([c + 1 - rank for rank in r])) for r in ranks]
    sums = [sum(choice) for choice in itertools.product(*sides)]
    observed = sum(side[0] for side in sides)
    p = Fraction(sum(value >= observed for value in sums), len(sums))
    test = exchange(midranks(rows))
    assert (float(test.statistic), test.method) == (observed, "exact")
    assert float(test.pvalue) == pytest.approx(float(p), rel=1e-14)
    assert 10 ** float(test.log10_pvalue) == pytest.approx(float(p), rel=1e-13)
    below = Fraction(sum(value <= observed for value in sums), len(sums))
    turned = exchange(c + 1 - midranks(rows))
    assert float(turned.pvalue) == pytest.approx(float(below), rel=1e-14)


def test_many_problems_are_normal():
    rng = np.random.default_rng(2)
    ranks = midranks(rng.random((1001, 6)) + 0.01 * np.arange(6))
    test = exchange(ranks)
    assert test.method == "normal"
    rows = ranks @ np.arange(1, 7)
    z = (rows - 73.5).sum() / np.sqrt(np.square(rows - 73.5).sum())
    assert float(test.pvalue) == pytest.approx(stats.norm.sf(z), rel=1e-10)
    fewer = ranks[:1000]
    exact, normal = exchange(fewer), exchange(fewer, method="normal")
    assert (exact.method, normal.method) == ("exact", "normal")
    assert float(exact.pvalue) == pytest.approx(float(normal.pvalue), rel=0.05)


@pytest.mark.parametrize("n", [19, 20])
def test_level_on_histories_of_the_same_algorithm(n):
    """Cut-points of one run depend on one another: only exchanges keep the level."""
    rng = np.random.default_rng(n)
    runs = np.exp(-np.cumsum(rng.gamma(1.0, 0.3, (2, 1500, n, 10)), axis=-1))
    ranks = convergence_ranks(runs[1] - runs[0], scale=np.maximum(*runs))
    assert 0.03 < np.mean(exchange(ranks).pvalue <= 0.05) < 0.07
    assert 0.14 < np.mean(page(ranks).pvalue <= 0.05) < 0.25


def level(curves, ratio, n_runs, seed=1):
    """How often the exchange null is rejected, either way, at 0.05 in 1,500 experiments.

    ``curves`` makes the histories of runs, given random numbers, a deviation and a shape.
    """
    rng, shape = np.random.default_rng(seed), (1500, 20, n_runs)
    scale = np.exp(rng.normal(size=(1500, 20, 1)))
    a, b = (scale * curves(rng, 0.3 * by, shape).mean(axis=2) for by in (1, ratio))
    ranks = convergence_ranks(b - a, scale=np.maximum(np.abs(a), np.abs(b)))
    p = [exchange(one).pvalue for one in (ranks, 11 - ranks)]
    return float(np.mean(np.minimum(*p) <= 0.025))


def multiples(rng, deviation, shape):
    """Multiples with mean 1 of one curve, which make the runs skewed."""
    by = np.exp(deviation * rng.normal(size=(*shape, 1)) - deviation**2 / 2)
    return by * np.exp(-0.3 * np.arange(1, 11))


def symmetric(rng, deviation, shape):
    """Values that scatter symmetrically about one curve, and all the more at later cut-points."""
    noise = np.cumsum(rng.normal(size=(*shape, 10)), axis=-1)
    return np.exp(-0.3 * np.arange(1, 11)) + deviation * noise


@pytest.mark.slow
@pytest.mark.parametrize("ratio", [1, 4])
def test_symmetric_differences_of_unequal_variance_keep_the_level(ratio):
    assert level(symmetric, ratio, 1) <= 0.05 + 2 * np.sqrt(0.05 * 0.95 / 1500)


@pytest.mark.slow
def test_equal_mean_curves_with_unequal_skewed_runs_do_not():
    """The hypothesis is false, as the two cannot be swapped; means of more runs hide it."""
    assert level(multiples, 1, 1) <= 0.05 + 2 * np.sqrt(0.05 * 0.95 / 1500)
    found = [level(multiples, 4, n_runs) for n_runs in (1, 5, 10, 25)]
    assert found == pytest.approx([0.44, 0.20, 0.14, 0.084], abs=0.035)


# ----------------------------------------------------------------- edges


@pytest.mark.parametrize("method", ["auto", "exact", "normal"])
def test_no_trend_at_all(method):
    tied_throughout = np.full((4, 3), 2.0)
    for test in (page, exchange):
        result = test(tied_throughout, method=method)
        assert (float(result.statistic), float(result.pvalue)) == (48.0, 1.0)
        assert float(result.log10_pvalue) == 0.0
    assert float(page([[1, 2]], method="exact").pvalue) == 0.5
    assert float(exchange([[1, 2]], method="exact").pvalue) == 0.5


def test_no_pairs():
    none = convergence_ranks(np.empty((0, 5, 4)))
    assert page(none).pvalue.shape == exchange(none).pvalue.shape == (0,)


@pytest.mark.parametrize(("n", "c"), [(2, 3), (12, 3), (30, 4), (6, 5), (8, 6), (3, 8)])
def test_untied_as_scipy(n, c):
    rng = np.random.default_rng(n)
    for _ in range(5):
        ranks = midranks(rng.random((n, c)) + 0.1 * np.arange(c))
        peer = stats.page_trend_test(ranks, ranked=True, method="exact")
        assert float(page(ranks).pvalue) == pytest.approx(peer.pvalue, rel=1e-11)
