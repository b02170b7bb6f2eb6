"""Signed ranks, signs and triples, by enumeration and far into the tails."""

import itertools
import math
from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from nbcompare.stats import signed_rank as module
from nbcompare.stats.posthoc import all_pairs
from nbcompare.stats.rank_differences import exchange_bounds, exchange_tests
from nbcompare.stats.rankings import midranks
from nbcompare.stats.signed_rank import (
    sign_test,
    signed_rank,
    signed_rank_bounds,
    signed_ranks,
    triples,
)

RULES = ["demsar", "split", "wilcox", "pratt"]
SIDES = ["two-sided", "better", "worse"]


def in_words(differences, zeros, exact):
    """R+, R-, number ranked and the three p-values, from all choices of signs."""
    kept = list(differences)
    n_zero = kept.count(0)
    if zeros == "wilcox":
        kept = [d for d in kept if d]
    elif zeros == "demsar" and n_zero % 2:
        kept.remove(0)
    ranks = exact.midranks([abs(d) for d in kept])
    plus = sum((r for r, d in zip(ranks, kept, strict=True) if d < 0), Fraction(0))
    minus = sum((r for r, d in zip(ranks, kept, strict=True) if d > 0), Fraction(0))
    shared = Fraction(0)
    if zeros in ("demsar", "split"):
        shared = sum((r for r, d in zip(ranks, kept, strict=True) if d == 0), Fraction(0)) / 2
    signed = [r for r, d in zip(ranks, kept, strict=True) if d]
    sums = [
        sum((r for r, sign in zip(signed, signs, strict=True) if sign), Fraction(0))
        for signs in itertools.product((False, True), repeat=len(signed))
    ]
    better = Fraction(sum(s <= minus for s in sums), len(sums))
    worse = Fraction(sum(s <= plus for s in sums), len(sums))
    two_sided = min(Fraction(1), 2 * min(better, worse))
    return (
        plus + shared,
        minus + shared,
        len(kept),
        dict(zip(SIDES, (two_sided, better, worse), strict=True)),
    )


@pytest.mark.slow
@given(
    differences=st.lists(st.integers(-4, 4), min_size=1, max_size=9),
    zeros=st.sampled_from(RULES),
    divisor=st.sampled_from([1, 10, 7]),
)
def test_all_choices_of_signs(differences, zeros, divisor, exact):
    plus, minus, n_used, expected = in_words(differences, zeros, exact)
    # scores whose differences carry rounding noise
    scores = (np.array([differences, [0] * len(differences)]).T + 3) / divisor
    for side in SIDES:
        test = signed_ranks(
            scores, np.array([0]), np.array([1]), zeros=zeros, alternative=side, scale=scores
        )
        assert (test.r_plus[0], test.r_minus[0], test.n_used[0]) == (plus, minus, n_used)
        assert test.statistic[0] == plus - minus
        assert test.pvalue[0] == pytest.approx(float(expected[side]), rel=1e-14)
        assert 10 ** test.log10_pvalue[0] == pytest.approx(float(expected[side]), rel=1e-13)
        assert test.exact[0]
        one = signed_rank(differences, zeros=zeros, alternative=side)
        assert one == tuple(column[0] for column in test)


@pytest.mark.parametrize("side", SIDES)
def test_untied_as_scipy(side):
    scores = np.random.default_rng(1).random((60, 8)) + np.linspace(0, 0.5, 8)
    first, second = all_pairs(8)
    scipy_side = {"two-sided": "two-sided", "better": "less", "worse": "greater"}[side]
    for n in (1, 2, 7, 60):
        ours = signed_ranks(scores[:n], first, second, alternative=side)
        assert ours.exact.all()
        for i, j, p in zip(first, second, ours.pvalue, strict=True):
            peer = stats.wilcoxon(
                scores[:n, i], scores[:n, j], method="exact", alternative=scipy_side
            )
            assert p == pytest.approx(peer.pvalue, rel=1e-10)


@pytest.mark.parametrize("tied", [False, True])
def test_pairs_in_blocks_are_pairs_alone(tied):
    scores = np.random.default_rng(2).random((90, 40)).round(2 if tied else 9)
    first, second = all_pairs(40)
    together = signed_ranks(scores, first, second)
    for place in (0, 1, 440, 443, 779):
        alone = signed_ranks(scores, first[[place]], second[[place]])
        assert [column[place] for column in together] == [column[0] for column in alone]


def test_far_tails_against_whole_numbers():
    n = 1000
    perfect = signed_rank(-np.arange(1.0, n + 1), method="exact")
    assert perfect.log10_pvalue == pytest.approx((1 - n) * math.log10(2), rel=1e-15)
    assert perfect.pvalue == 2.0 ** (1 - n)
    assert not signed_rank(-np.arange(1.0, n + 1)).exact
    for n in (100, 300):
        counts = [1] + [0] * 5000  # subsets of 1..n by their sum, in whole numbers
        for rank in range(1, n + 1):
            for total in range(5000, rank - 1, -1):
                counts[total] += counts[total - rank]
        at = 2 * n + 17
        differences = -np.arange(1.0, n + 1)
        differences[[n - 1, n - 2, 19]] *= -1  # n + n - 1 + 20 = 2n + 19
        test = signed_rank(differences)
        assert test.exact
        assert test.r_minus == at + 2
        count = sum(counts[: at + 3])
        assert test.log10_pvalue == pytest.approx(
            math.log10(2 * count) - n * math.log10(2), rel=1e-14
        )


def test_large_samples_are_normal_with_the_variance_of_tied_ranks(exact):
    rng = np.random.default_rng(3)
    differences = rng.integers(-20, 26, 400)
    test = signed_rank(differences)
    assert not test.exact
    kept = differences.tolist()
    if kept.count(0) % 2:
        kept.remove(0)
    ranks = exact.midranks([abs(d) for d in kept])
    signed = [r if d > 0 else -r for r, d in zip(ranks, kept, strict=True) if d]
    z = float(sum(signed)) / math.sqrt(sum(r * r for r in signed))
    assert test.pvalue == pytest.approx(2 * stats.norm.sf(abs(z)), rel=1e-12)
    assert signed_rank(differences, method="exact").pvalue == pytest.approx(test.pvalue, rel=0.05)
    sides = [signed_rank(differences, alternative=side).pvalue for side in ("better", "worse")]
    assert sides == pytest.approx([stats.norm.cdf(z), stats.norm.sf(z)], rel=1e-12)


def test_noise_is_no_difference_and_breaks_no_tie():
    scores = np.array([[0.1, 0.3], [0.2, 0.4], [0.9, 0.1], [0.1 + 0.2, 0.3]])
    for scale in (None, np.ones((4, 2))):
        test = signed_ranks(scores, np.array([0]), np.array([1]), zeros="wilcox", scale=scale)
        assert (test.r_plus[0], test.r_minus[0], test.n_used[0]) == (3, 3, 3)


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("zeros", RULES)
@pytest.mark.parametrize("method", ["auto", "exact", "normal"])
@pytest.mark.parametrize("side", SIDES)
def test_ties_throughout_and_extreme_sizes(zeros, method, side):
    options = {"zeros": zeros, "method": method, "alternative": side}
    tied = signed_ranks(np.full((5, 2), 0.1), np.array([0]), np.array([1]), **options)
    assert (tied.statistic[0], tied.pvalue[0], tied.log10_pvalue[0]) == (0, 1, 0)
    huge = [[1e308, -1e308], [-1.7e308, 1.7e308], [0, 1e-300]]
    test = signed_ranks(huge, np.array([0]), np.array([1]), **options)
    assert (test.r_plus[0], test.r_minus[0]) == (4, 2)
    assert 0 < test.pvalue[0] <= 1
    assert 0 < signed_rank([-1.0], **options).pvalue <= 1
    none = signed_ranks(np.zeros((3, 2)), *np.zeros((2, 0), dtype=int), **options)
    assert none.pvalue.shape == (0,)


@pytest.mark.parametrize("n", [6, 25, 60, 150])
@pytest.mark.parametrize("n_sizes", [1, 5, 1000])
def test_bounds_hold_the_exact_p(n, n_sizes):
    """Where both are the same, p is on the same side of every level; else it is between them."""
    rng = np.random.default_rng(n * n_sizes)
    sizes = 1.0 + np.arange(n_sizes) ** 1.5
    shift = rng.uniform(-1, 1, 300)  # of the signs, so that p-values are of all orders
    signs = np.where(rng.random((n, 300)) < (1 + shift) / 2, 1.0, -1.0)
    scores = np.column_stack([np.zeros(n), signs * sizes[rng.integers(0, n_sizes, (n, 300))]])
    first, second = np.zeros(300, dtype=int), np.arange(1, 301)
    lowest, highest = 0.05 / 45, 0.05
    ranks = midranks(scores)
    for exact, found in (
        (
            signed_ranks(scores, first, second),
            signed_rank_bounds(scores, first, second, (lowest, highest)),
        ),
        (
            exchange_tests(ranks, first, second),
            exchange_bounds(ranks, first, second, (lowest, highest)),
        ),
    ):
        sure = found.least == found.most
        for level in np.geomspace(lowest, highest, 40):
            assert np.array_equal(exact.pvalue[sure] <= level, found.most[sure] <= level)
        p, least, most = (part[~sure] for part in (exact.pvalue, found.least, found.most))
        assert (least <= p).all()
        assert (p <= most).all()
        assert np.array_equal(exact.statistic, found.statistic)
        if n >= 25:
            assert sure.any()


@pytest.mark.parametrize("n", [1, 5, 16, 40, 90])
def test_tails_of_many_rows_are_those_of_each(n, monkeypatch):
    """To the last digit, also where the counts exceed 2**53 and are rounded."""
    rng = np.random.default_rng(n)
    drawn = rng.integers(-2, 30, (60, n)) / 8  # ties and zeros
    drawn[:3] = [[0.0], [1.0], [-1.0]]  # none that is used, and all alike
    first, second = np.arange(60), np.full(60, 60)
    scores = np.vstack([drawn, np.zeros(n)]).T
    together, each = [], []
    for many, found in ((1, together), (1_000, each)):
        monkeypatch.setattr(module, "_MANY", many)
        monkeypatch.setattr(module, "_SHORT", 4_000)
        for zeros in RULES:
            for alternative in SIDES:
                test = signed_ranks(scores, first, second, zeros=zeros, alternative=alternative)
                found += [test.pvalue, test.log10_pvalue]
    assert np.array_equal(together, each)


# ------------------------------------------------------------------------------------ symmetry


def by_loop(whole):
    """Return the statistic of whole numbers, without rounding, from the sums without each one."""
    n = len(whole)
    signs = {
        three: np.sign(sum(whole[i] for i in three) - 3 * sorted(whole[i] for i in three)[1])
        for three in combinations(range(n), 3)
    }
    all_of_them = np.mean(list(signs.values()))
    without = np.array(
        [np.mean([sign for three, sign in signs.items() if i not in three]) for i in range(n)]
    )
    variance = (n - 1) / n * np.square(without - without.mean()).sum()
    return all_of_them / np.sqrt(variance) if variance else 0.0


@pytest.mark.parametrize("seed", range(20))
def test_every_triple_and_the_jackknife(seed):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(10, 16))
    whole = np.round(rng.gamma(1, size=n) * rng.choice([2, 8, 1000])).astype(int).tolist()
    found = triples(np.array(whole) / 100, scale=np.full(n, max(whole) / 100))
    assert found.statistic == pytest.approx(by_loop(whole), rel=1e-9, abs=1e-12)
    assert found.pvalue == pytest.approx(2 * stats.t.sf(abs(found.statistic), n / 2), rel=1e-9)


def test_many_differences_have_the_statistic_of_all_their_triples():
    """The grid of 100 quantiles changes the statistic of 160 differences little."""
    values = np.random.default_rng(3).gamma(2, size=160)
    scaled = np.round(values * 1e6).astype(int)
    i, j, k = np.array(list(combinations(range(160), 3))).T
    ordered = np.sort(scaled)
    signs = np.sign(ordered[i] + ordered[k] - 2 * ordered[j])
    pairs = 159 * 158 / 2
    means = sum(np.bincount(at, signs, minlength=160) for at in (i, j, k)) / pairs
    variance = 9 * 159 / 160 / 157**2 * np.square(means - means.mean()).sum()
    assert triples(values).statistic == pytest.approx(means.mean() / variance**0.5, rel=0.05)


def test_edges():
    assert triples([5.0] * 12) == (0.0, 1.0)
    assert triples(np.arange(9.0) ** 2) == (0.0, 1.0)
    assert triples(np.arange(20) / 10) == (0.0, 1.0)
    assert triples(2.0 ** np.arange(12)) == (np.inf, 0.0)
    assert triples([1e308] * 11 + [-1e308]) == triples([1.0] * 11 + [-1.0])


SYMMETRIC = {
    "normal": lambda rng, n: rng.normal(size=n),
    "heavy": lambda rng, n: rng.standard_cauchy(n),
    "clusters": lambda rng, n: rng.normal(size=n) * 0.3 + rng.choice([-1, 1], n),
    "rounded": lambda rng, n: np.round(rng.normal(size=n) * 1.2),
    "zeros": lambda rng, n: rng.normal(size=n) * (rng.random(n) < 0.4),
    "unequal": lambda rng, n: rng.normal(size=n) * np.exp(rng.normal(size=n)),
}


@pytest.mark.slow
@pytest.mark.parametrize("n", [15, 30, 100])
@pytest.mark.parametrize("law", SYMMETRIC)
def test_symmetric_differences_seldom_have_p_below_one_percent(law, n):
    rng, times = np.random.default_rng(n), 1000
    found = np.mean([triples(SYMMETRIC[law](rng, n)).pvalue <= 0.01 for _ in range(times)])
    assert found <= 0.05 + 2 * np.sqrt(0.05 * 0.95 / times)


@pytest.mark.slow
def test_skewed_differences_are_found():
    rng = np.random.default_rng(1)
    share = {
        n: np.mean([triples(rng.gamma(2, size=n)).pvalue <= 0.01 for _ in range(500)])
        for n in (30, 100)
    }
    assert 0.3 < share[30] < 0.45
    assert share[100] > 0.94


# ---------------------------------------------------------------------------------------- sign


counts = st.integers(0, 40)


def tail(at, n):
    return Fraction(sum(math.comb(n, i) for i in range(at + 1)), 2**n)


@given(wins=counts, ties=counts, losses=counts)
def test_binomial_in_whole_numbers(wins, ties, losses):
    won, lost = wins + ties // 2, losses + ties // 2
    n = won + lost
    expected = {
        "two-sided": min(Fraction(1), 2 * tail(min(won, lost), n)),
        "better": tail(lost, n),
        "worse": tail(won, n),
    }
    for side, p in expected.items():
        test = sign_test([wins], [ties], [losses], alternative=side)
        assert (test.statistic[0], test.n_used[0]) == (wins - losses, n)
        assert test.pvalue[0] == pytest.approx(float(p), rel=1e-12)
        assert 10 ** test.log10_pvalue[0] == pytest.approx(float(p), rel=1e-12)
    swapped = sign_test([losses], [ties], [wins])
    assert swapped.pvalue[0] == sign_test([wins], [ties], [losses]).pvalue[0]


def test_critical_values(reference):
    for n, *critical in reference("pairs")["sign_critical"]["rows"]:
        wins = np.arange(n // 2 + 1, n + 1)
        sides = [(alpha, side) for alpha in (0.05, 0.10) for side in ("two-sided", "better")]
        for (alpha, side), least in zip(sides, critical, strict=True):
            test = sign_test(wins, np.zeros_like(wins), n - wins, alternative=side)
            rejected = wins[test.pvalue <= alpha]
            assert (int(rejected[0]) if rejected.size else None) == least


def test_far_tails():
    for n, at in ((1000, 0), (3000, 100), (100_000, 40_000)):
        log10_p = sign_test([n - at], [0], [at], alternative="better").log10_pvalue[0]
        total = term = 1.0  # of the tail, in units of its largest term
        for i in range(at, 0, -1):
            term *= i / (n - i + 1)
            total += term
        log_term = math.lgamma(n + 1) - math.lgamma(at + 1) - math.lgamma(n - at + 1)
        expected = (log_term + math.log(total)) / math.log(10) - n * math.log10(2)
        assert log10_p == pytest.approx(expected, rel=1e-11)
    assert sign_test([2000], [0], [0]).log10_pvalue[0] == pytest.approx(-1999 * math.log10(2))


@pytest.mark.filterwarnings("error")
def test_nothing_left():
    for side in ("two-sided", "better", "worse"):
        test = sign_test([0, 0], [0, 1], [0, 0], alternative=side)
        assert (test.n_used.tolist(), test.pvalue.tolist()) == ([0, 0], [1, 1])
    assert sign_test([], [], []).pvalue.shape == (0,)
