"""The triples test of symmetry, by a loop over all triples of whole numbers and by simulation."""

from itertools import combinations

import numpy as np
import pytest
from scipy import stats

from nbcompare.stats.signed_rank import triples


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
