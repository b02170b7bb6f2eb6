import itertools
import math
from collections import Counter
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binom

from nbcompare.stats.multisign import critical_value, multiple_sign_test, sign_pvalues

ALTERNATIVES = ("two-sided", "better", "worse")


def by_enumeration(n, m, alternative):
    """P(smallest count <= r) over all orders of m + 1 algorithms on each of n data sets."""
    signs = Counter(
        tuple(int(rank < order[0]) for rank in order[1:])
        for order in itertools.permutations(range(m + 1))
    )
    law = Counter({(0,) * m: 1})  # of the numbers of plus signs
    for _ in range(n):
        step = Counter()
        for counts, weight in law.items():
            for sign, ways in signs.items():
                step[tuple(a + b for a, b in zip(counts, sign, strict=True))] += weight * ways
        law = step
    smallest = Counter()
    for counts, weight in law.items():
        judged = {
            "better": counts,
            "worse": tuple(n - count for count in counts),
            "two-sided": tuple(min(count, n - count) for count in counts),
        }[alternative]
        smallest[min(judged)] += weight
    last = n // 2 if alternative == "two-sided" else n
    total = math.factorial(m + 1) ** n
    return [float(Fraction(sum(smallest[i] for i in range(r + 1)), total)) for r in range(last + 1)]


@pytest.mark.parametrize("alternative", ALTERNATIVES)
@pytest.mark.parametrize(
    ("n", "m"), [(1, 1), (7, 1), (1, 2), (6, 2), (9, 2), (1, 3), (4, 3), (7, 3)]
)
def test_exact_laws_against_all_orders(n, m, alternative):
    law = sign_pvalues(n, m, alternative=alternative)
    assert law.pvalue == pytest.approx(by_enumeration(n, m, alternative), rel=1e-12)
    assert 10**law.log10_pvalue == pytest.approx(law.pvalue, rel=1e-12)
    assert not law.standard_error.any()


@pytest.mark.parametrize("alternative", ["two-sided", "better"])
@pytest.mark.parametrize(("n", "m"), [(1, 4), (5, 4), (6, 5), (3, 6)])
def test_numerical_laws_against_all_orders(n, m, alternative):
    law = sign_pvalues(n, m, alternative=alternative)
    error = np.abs(law.pvalue - by_enumeration(n, m, alternative))
    assert (error <= 6 * law.standard_error + 1e-9).all()
    assert (law.standard_error <= 1.1e-3 * law.pvalue).all()


def test_figures_of_24_data_sets():
    directional, both = sign_pvalues(24, 3, alternative="better"), sign_pvalues(24, 3)
    assert directional.pvalue[[6, 7]] == pytest.approx([0.0317, 0.0849], abs=5e-5)
    assert both.pvalue[[6, 7]] == pytest.approx([0.0634, 0.1692], abs=5e-5)


def test_one_algorithm_is_the_sign_test():
    for n in (1, 2, 9, 60, 1000):
        r = np.arange(n + 1)
        law = sign_pvalues(n, 1, alternative="worse")
        assert law.pvalue == pytest.approx(binom.cdf(r, n, 0.5), rel=1e-9)
        both = np.minimum(1, 2 * binom.cdf(r[: n // 2 + 1], n, 0.5))
        assert sign_pvalues(n, 1).pvalue == pytest.approx(both, rel=1e-9)
    # 2 (1 + 14 + 91 + 364) / 2^14, to the last digit
    assert sign_pvalues(14, 1).pvalue[3] == 940 / 2**14


@pytest.mark.parametrize(("n", "m"), [(2, 4), (30, 9), (40, 19)])
@pytest.mark.parametrize("alternative", ["two-sided", "better"])
def test_between_the_bounds_of_bonferroni(n, m, alternative):
    full, one, two = (sign_pvalues(n, j, alternative=alternative).pvalue for j in (m, 1, 2))
    pair = 2 * one - two  # P(both counts <= r)
    slack = 1 + 1e-9
    assert (full * slack >= m * one - math.comb(m, 2) * pair).all()
    assert (full <= np.minimum(1, m * one - (m - 1) * pair) * slack).all()
    assert (full * slack >= two).all()
    assert (np.diff(full) >= 0).all()
    assert full[-1] == 1


def test_simulated_signs_of_many():
    rng = np.random.default_rng(5)
    ranks = rng.random((20_000, 15, 8))
    counts = (ranks[:, :, 1:] < ranks[:, :, :1]).sum(axis=1).min(axis=1)
    law = sign_pvalues(15, 7, alternative="better").pvalue
    for r in range(1, 7):
        assert (counts <= r).mean() == pytest.approx(law[r], abs=4 * math.sqrt(law[r] / 20_000))


@pytest.mark.parametrize("m", [1, 2, 3, 12])
@pytest.mark.parametrize("alternative", ["two-sided", "better"])
def test_far_tails(m, alternative):
    n = 1200 if m < 3 else 70
    law = sign_pvalues(n, m, alternative=alternative)
    one = 2 if alternative == "two-sided" else 1
    assert law.log10_pvalue[0] == pytest.approx(math.log10(m * one) - n * math.log10(2), rel=1e-12)
    assert np.isfinite(law.log10_pvalue).all()
    assert (np.diff(law.log10_pvalue) >= 0).all()
    shown = law.pvalue > 1e-300
    assert 10 ** law.log10_pvalue[shown] == pytest.approx(law.pvalue[shown], rel=1e-10)


@given(
    n=st.integers(1, 40),
    m=st.integers(1, 3),
    alpha=st.floats(0.001, 0.5),
    alternative=st.sampled_from(ALTERNATIVES),
)
def test_critical_values(n, m, alpha, alternative):
    p = sign_pvalues(n, m, alternative=alternative).pvalue.tolist()
    expected = max((r for r, value in enumerate(p) if value <= alpha), default=None)
    assert critical_value(n, m, alpha, alternative=alternative) == expected


def test_a_level_that_is_attained_is_significant():
    assert critical_value(5, 1, 2 / 2**5) == 0
    assert critical_value(5, 1, 2 / 2**5 - 1e-9) is None


def test_ties_are_split_and_an_odd_one_is_left_out():
    # better, worse, tied: 5 2 0; 2 2 3; 0 6 1; 0 3 4
    columns = [[-1] * 5 + [1] * 2, [-1] * 2 + [1] * 2 + [0] * 3, [1] * 6 + [0], [1] * 3 + [0] * 4]
    scores = np.column_stack([np.zeros(7), *columns])
    result = multiple_sign_test(scores, 0)
    assert result.plus.tolist() == [5, 2, 0, 0]
    assert result.minus.tolist() == [2, 2, 6, 3]
    assert result.ties.tolist() == [0, 3, 1, 4]
    assert result.n_used.tolist() == [7, 6, 6, 7]
    assert result.r.tolist() == [2, 3, 0, 2]
    laws = {n: sign_pvalues(n, 4).pvalue for n in (6, 7)}
    expected = [laws[7][2], laws[6][3], laws[6][0], laws[7][2]]
    assert result.pvalue.tolist() == expected
    better = multiple_sign_test(scores, 0, alternative="better")
    assert better.r.tolist() == [5, 3, 0, 2]  # the algorithm's plus signs speak against it
    assert multiple_sign_test(scores, 0, alternative="worse").r.tolist() == [2, 3, 6, 5]


def test_noise_is_a_tie():
    result = multiple_sign_test([[0.1 + 0.2, 0.3], [0.5, 0.6]], 0)
    assert result.ties.tolist() == [1]
    assert multiple_sign_test([[0.3 - 0.1, 0.2]], 0, scale=0.3).ties.tolist() == [1]


@pytest.mark.parametrize("alternative", ALTERNATIVES)
@pytest.mark.parametrize("n", [1, 2, 5])
def test_all_tied(n, alternative):
    result = multiple_sign_test(np.ones((n, 3)), 1, alternative=alternative)
    assert (result.pvalue > 0.5).all()
    assert not result.rejected.any()
    assert np.isfinite(result.log10_pvalue).all()
