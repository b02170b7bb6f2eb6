"""Posterior probabilities, against sampling and double loops, other programs, and closed forms."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import integrate, special, stats

from nbcompare.stats import bayesian
from nbcompare.stats.bayesian import lattice_counts

DRAWS = 20_000


def by_loops(z, rope, draws, seed):
    """Shares of three regions in draws, from the definition with all pairs of gains.

    A sum at an edge lies in the region (Benavoli et al. 2017); without one, ties are halved.
    """
    values = np.concatenate([[0.0], z])
    weights = np.random.default_rng(seed).dirichlet([0.5, *np.ones(len(z))], size=draws)
    sums = values[:, np.newaxis] + values
    above, below = (
        part + (rope == 0) * 0.5 * (sums == 0) for part in (sums > 2 * rope, sums < -2 * rope)
    )
    first = np.einsum("di,ij,dj->d", weights, above, weights)
    second = np.einsum("di,ij,dj->d", weights, below, weights)
    return np.stack([first, 1 - first - second, second], axis=1)


def probabilities(shares):
    largest = shares >= shares.max(axis=1, keepdims=True) - 1e-12
    return (largest / largest.sum(axis=1, keepdims=True)).mean(axis=0)


def found(posterior, pair=0):
    return np.array([posterior.first[pair], posterior.equal[pair], posterior.second[pair]])


@pytest.mark.parametrize("rope", [0, 1, 2.5])
def test_signed_rank_is_what_its_definition_says(rope):
    z = np.array([3, 4, 2, 5, 1, 0, 3, -2, -4, 2.0])
    expected = probabilities(by_loops(z, rope, DRAWS, seed=3))
    got = bayesian.signed_rank([z], rope, n_samples=DRAWS, rng=4)
    errors = np.sqrt(2 * expected * (1 - expected) / DRAWS) + 1e-9
    assert (np.abs(found(got) - expected) < 4.5 * errors).all()
    shares = bayesian.signed_rank_shares(z, rope, n_samples=DRAWS, rng=4)
    assert shares.sum(axis=1) == pytest.approx(1)
    assert probabilities(shares) == pytest.approx(found(got))


@settings(max_examples=40, deadline=None)
@given(
    st.lists(st.integers(-9, 9), min_size=1, max_size=12),
    st.integers(0, 4),
    st.sampled_from([0.01, 0.1, 1.0, 1000.0]),
)
def test_signed_rank_mirrors_scales_and_shuffles_pairs(z, rope, unit):
    gains = np.array([z, [-value for value in z]], dtype=float)
    got = bayesian.signed_rank(gains, rope, n_samples=300)
    assert found(got, 0) == pytest.approx(found(got, 1)[::-1])
    assert found(got, 0).sum() == pytest.approx(1)
    # the unit of the scores, with its rounding noise, makes no difference
    again = bayesian.signed_rank(gains * unit, rope * unit, n_samples=300, scale=100 * unit)
    assert found(again, 0) == pytest.approx(found(got, 0))
    # other pairs in the call do not either
    alone = bayesian.signed_rank(gains[1:], rope, n_samples=300)
    assert found(alone) == pytest.approx(found(got, 1))


@pytest.mark.slow
def test_sign_is_the_law_of_three_gamma_variables():
    counts = list(itertools.product((0, 1, 2, 7, 40), (0, 3, 25), (0, 1, 8, 30)))
    got = bayesian.sign(*np.array(counts, dtype=float).T)
    assert np.stack(got[:3]).sum(axis=0) == pytest.approx(1, abs=1e-12)
    for row, (first, equal, second) in enumerate(counts):
        if min(first, second) == 0:
            continue
        law = [stats.gamma(shape) for shape in (first, equal + 1, second)]

        def density(x, i, law=law):
            return law[i].pdf(x) * law[i - 1].cdf(x) * law[i - 2].cdf(x)

        for place in range(3):
            most = law[place].ppf(1 - 1e-15)
            exact, _ = integrate.quad(density, 0, most, args=(place,), epsabs=1e-12, limit=400)
            assert got[place][row] == pytest.approx(exact, abs=1e-9)


def test_sign_of_two_regions_is_a_beta_law():
    got = bayesian.sign([5, 9], [0, 0], [0, 0])
    # second has shape 0, so that first competes with the prior of the region alone
    assert got.first == pytest.approx(special.betaincc([5, 9], [1, 1], 0.5))
    assert bayesian.sign([10**6], [0], [10**6]).first == pytest.approx(0.5)


def test_sign_without_region_is_a_beta_law():
    got = bayesian.sign_without_region([11, 4], [0, 3], [3, 4])
    expected = stats.beta([11.5, 6], [3.5, 6]).sf(0.5)
    assert got.first == pytest.approx(expected, rel=1e-12)
    assert got.second == pytest.approx(1 - expected)
    assert not got.equal.any()


@pytest.mark.parametrize("rope", [0.0, 0.01, 0.2])
def test_correlated_t_agrees_with_baycomp_and_the_formula(rope):
    baycomp = pytest.importorskip("baycomp")
    rng = np.random.default_rng(8)
    for _ in range(20):
        runs = int(rng.integers(1, 11))
        x, y = rng.normal(0.8, 0.05, (2, 10 * runs))
        theirs = baycomp.CorrelatedTTest.probs(y, x, rope, runs=runs)
        theirs = theirs if len(theirs) == 3 else (theirs[0], 0.0, theirs[1])
        gains = x - y
        got = bayesian.correlated_t([gains.mean()], [gains.std(ddof=1)], len(gains), 1 / 9, rope)
        assert found(got) == pytest.approx(np.array(theirs)[::-1], abs=1e-10)
        scale = np.sqrt((1 / len(gains) + 1 / 9) * gains.var(ddof=1))
        law = stats.t(len(gains) - 1, gains.mean(), scale)
        assert found(got) == pytest.approx(
            [law.sf(rope), law.cdf(rope) - law.cdf(-rope), law.cdf(-rope)], abs=1e-12
        )


def test_folds_that_do_not_vary():
    got = bayesian.correlated_t([0.3, 0.1, -0.1, 0.0], [0, 0, 0, 0], 10, 1 / 9, 0.1)
    assert np.stack(got[:3], axis=1).tolist() == [[1, 0, 0], [0, 1, 0], [0, 1, 0], [0, 1, 0]]
    tied = bayesian.correlated_t([0.0], [0], 10, 1 / 9, 0)
    assert found(tied).tolist() == [0.5, 0, 0.5]


@pytest.mark.parametrize(("counts", "region"), [((9, 4, 1), True), ((9, 4, 1), False)])
def test_draws_of_the_sign_test_have_its_probabilities(counts, region):
    shares = bayesian.sign_shares(*counts, region=region, n_samples=DRAWS, rng=2)
    assert shares.sum(axis=1) == pytest.approx(1)
    law = bayesian.sign if region else bayesian.sign_without_region
    expected = found(law(*([count] for count in counts)))
    errors = np.sqrt(expected * (1 - expected) / DRAWS) + 1e-9
    assert (np.abs(probabilities(shares) - expected) < 4 * errors).all()


@given(
    st.lists(st.integers(-9, 9), min_size=1, max_size=12),
    st.integers(0, 4),
    st.sampled_from([0.01, 0.1, 1.0, 1000.0]),
)
def test_sign_counts_against_whole_numbers(z, rope, unit):
    first, equal, second = (
        part[0]
        for part in bayesian.sign_counts([np.array(z) * unit], rope * unit, scale=100 * unit)
    )
    assert first == sum(value > rope for value in z)
    assert equal == sum(-rope <= value <= rope for value in z)
    assert second == sum(value < -rope for value in z)


@pytest.mark.weekly
def test_signed_rank_agrees_with_baycomp():
    baycomp = pytest.importorskip("baycomp")
    rng = np.random.default_rng(11)
    for case in range(100):
        # whole numbers, because it compares floating-point numbers exactly, and no sum of two of
        # them at an edge, which it halves
        n, rope = int(rng.integers(2, 25)), float(rng.choice([0, 0.75, 1.25, 2.75]))
        x, y = rng.integers(0, 12, (2, n)).astype(float)
        sample = baycomp.SignedRankTest.sample(y, x, rope, nsamples=5000)
        left, equal, right = probabilities(sample)
        got = bayesian.signed_rank([x - y], rope, n_samples=5000, rng=case)
        theirs = np.array([right, equal, left])
        pooled = (found(got) + theirs) / 2
        errors = np.sqrt(2 * pooled * (1 - pooled) / 5000) + 1e-3
        assert (np.abs(found(got) - theirs) < 4 * errors).all(), (case, rope, x - y)


# ------------------------------------------------------------------------------------- simplex


def points(steps):
    """Shares of the points, in the order of the first share, then of the third."""
    return np.array(
        [
            (i, steps - i - j, j) for i in range(steps + 1) for j in range(steps + 1 - i)
        ]
    ) / steps  # fmt: skip


@pytest.mark.parametrize("steps", [1, 2, 5, 24])
def test_each_draw_counts_at_the_nearest_point(steps):
    shares = np.random.default_rng(steps).dirichlet([0.4, 1, 0.7], size=3000)
    places = points(steps)
    away = ((shares[:, np.newaxis] - places) ** 2).sum(axis=2)
    expected = np.bincount(away.argmin(axis=1), minlength=len(places))
    assert lattice_counts(shares, steps).tolist() == expected.tolist()


def test_the_points_themselves_and_shares_with_rounding_noise():
    places = points(7)
    assert lattice_counts(places, 7).tolist() == [1] * len(places)
    noisy = np.array([[1 + 1e-16, -1e-16, 0], [0, 0, 1]])
    assert lattice_counts(noisy, 3).tolist() == [0, 0, 0, 1, 0, 0, 0, 0, 0, 1]
