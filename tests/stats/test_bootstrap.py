"""Bootstrap-A and Bootstrap-B against enumeration in Fractions and the printed conditions."""

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nbcompare.stats.bootstrap import (
    bootstrap_a,
    bootstrap_a_pairs,
    bootstrap_b,
    bootstrap_b_pairs,
    tilted_test,
)
from nbcompare.stats.permutation import permutation_test

FORMULAS = ("corrected", "printed")


def pairs(k):
    return np.triu_indices(k, 1)


def tables(n, k, *, ties):
    """Ends of interval-valued scores, a third of them of width 0; tied, or on no grid."""
    rng = np.random.default_rng(100 * n + 10 * k + ties)
    if ties:
        lower = rng.integers(0, 6, (n, k))
        return lower / 10, (lower + rng.integers(0, 3, (n, k))) / 10
    lower = rng.normal(size=(n, k))
    return lower, lower + np.maximum(0, rng.uniform(-0.3, 0.6, (n, k)))


def fractions(table, *, ties):
    if ties:
        return [[Fraction(round(10 * value), 10) for value in row] for row in table.tolist()]
    return [[Fraction(value) for value in row] for row in table.tolist()]


def two_sided(low_tail, high_tail):
    return min(1.0, float(2 * min(low_tail, high_tail)))


def share(sums, condition):
    return Fraction(sum(map(condition, sums)), len(sums))


# ----------------------------------------------------------------- exact laws


@pytest.mark.parametrize("ties", [True, False])
@pytest.mark.parametrize(("n", "k"), [(2, 2), (3, 5), (5, 3), (7, 2)])
def test_bootstrap_a_equals_enumeration(n, k, ties):
    scores, _ = tables(n, k, ties=ties)
    exact = fractions(scores, ties=ties)
    sums = [sum(picks) for picks in itertools.product(*exact)]
    observed = [sum(row[a] for row in exact) for a in range(k)]
    true = [
        two_sided(share(sums, lambda s, o=o: s <= o), share(sums, lambda s, o=o: s >= o))
        for o in observed
    ]
    p = bootstrap_a(scores)
    assert p.p_low == pytest.approx(true, rel=1e-12)
    assert p.p_high == pytest.approx(true, rel=1e-12)


@pytest.mark.parametrize("ties", [True, False])
@pytest.mark.parametrize(("n", "k"), [(2, 2), (3, 4), (5, 3)])
def test_corrected_bootstrap_b_equals_enumeration(n, k, ties):
    lower, upper = tables(n, k, ties=ties)
    low, high = fractions(lower, ties=ties), fractions(upper, ties=ties)
    p = bootstrap_b(lower, upper)
    for a in range(k):
        least, most = [], []  # the draw minus the observed sum, of the same selection
        for drawn in itertools.product(range(k), repeat=n):
            others = [(i, j) for i, j in enumerate(drawn) if j != a]
            least.append(sum(low[i][j] - high[i][a] for i, j in others))
            most.append(sum(high[i][j] - low[i][a] for i, j in others))
        p_low = two_sided(share(most, lambda s: s <= 0), share(least, lambda s: s >= 0))
        p_high = two_sided(share(least, lambda s: s <= 0), share(most, lambda s: s >= 0))
        assert (p.p_low[a], p.p_high[a]) == pytest.approx((p_low, p_high), rel=1e-12)


def resampled_cdfs(low, high):
    """Equations (18) to (21), or (24), (25), (28) and (29), over all rearrangements."""
    sums = [
        (sum(row[j] for row, j in zip(low, drawn, strict=True)),
         sum(row[j] for row, j in zip(high, drawn, strict=True)))
        for drawn in itertools.product(range(len(low[0])), repeat=len(low))
    ]  # fmt: skip

    def f_minus(x):
        return share(sums, lambda ends: ends[1] <= x)

    def f_plus(x):
        return share(sums, lambda ends: ends[0] <= x < ends[1]) + f_minus(x)

    return f_minus, f_plus, sums


def check_printed(low, high, p_low, p_high):
    """The first algorithm against the conditions (22)-(23), or (26)-(27) for two columns."""
    f_minus, f_plus, sums = resampled_cdfs(low, high)
    q_minus, q_plus = (sum(row[0] for row in ends) for ends in (low, high))
    # p as a function of equal sums: (22) leaves them out, here they count
    equal = share(sums, lambda ends: ends[1] == q_minus)
    assert p_high == pytest.approx(
        two_sided(f_plus(q_plus), 1 - f_minus(q_minus) + equal), rel=1e-12
    )
    impossible = 2 * float(np.finfo(float).tiny)
    least = two_sided(
        share(sums, lambda ends: ends[0] >= q_plus), share(sums, lambda ends: ends[1] <= q_minus)
    )
    assert p_low == pytest.approx(max(least, impossible), rel=1e-12)
    attained = sorted({Fraction(i, len(sums)) for i in range(len(sums) + 1)})
    for alpha in (
        2 * (one + other) / 2 for one, other in itertools.pairwise(attained[: len(sums) // 2])
    ):
        rejected = f_minus(q_minus) > 1 - alpha / 2 or f_plus(q_plus) < alpha / 2
        if equal == 0:
            assert rejected == (p_high <= alpha)
        else:
            assert rejected or p_high > alpha


@pytest.mark.parametrize("ties", [True, False])
@pytest.mark.parametrize(("n", "k"), [(2, 2), (3, 4), (5, 3)])
def test_printed_bootstrap_b_obeys_its_conditions(n, k, ties):
    lower, upper = tables(n, k, ties=ties)
    low, high = fractions(lower, ties=ties), fractions(upper, ties=ties)
    p = bootstrap_b(lower, upper, formulas="printed")
    for a in range(k):
        order = [a, *(j for j in range(k) if j != a)]
        rows = [[[row[j] for j in order] for row in ends] for ends in (low, high)]
        check_printed(*rows, p.p_low[a], p.p_high[a])


@pytest.mark.parametrize("ties", [True, False])
def test_printed_pairs_obey_their_conditions(ties):
    lower, upper = tables(5, 4, ties=ties)
    low, high = fractions(lower, ties=ties), fractions(upper, ties=ties)
    first, second = np.array([0, 1, 3, 2]), np.array([1, 0, 2, 3])
    p = bootstrap_b_pairs(lower, upper, first, second, formulas="printed")
    for index, pair in enumerate(zip(first, second, strict=True)):
        rows = [[[row[j] for j in pair] for row in ends] for ends in (low, high)]
        check_printed(*rows, p.p_low[index], p.p_high[index])


def test_pairs_of_numbers_look_at_the_mean_of_the_second():
    # equation (10): each data set gives the score of either, and the first's sum is the observed
    scores, _ = tables(6, 3, ties=True)
    exact = fractions(scores, ties=True)
    p = bootstrap_a_pairs(scores, *pairs(3))
    for index, (a, b) in enumerate(zip(*pairs(3), strict=True)):
        sums = [sum(picks) for picks in itertools.product(*((row[a], row[b]) for row in exact))]
        observed = sum(row[a] for row in exact)
        true = two_sided(
            share(sums, lambda s, o=observed: s <= o), share(sums, lambda s, o=observed: s >= o)
        )
        assert (p.p_low[index], p.p_high[index]) == pytest.approx((true, true), rel=1e-12)


# ----------------------------------------------------------------- intervals


@pytest.mark.slow
@settings(max_examples=40)
@given(st.data())
def test_corrected_range_holds_every_selection(data):
    n, k = data.draw(st.integers(2, 7)), data.draw(st.integers(2, 4))

    def table(top):
        row = st.lists(st.integers(0, top), min_size=k, max_size=k)
        return np.array(data.draw(st.lists(row, min_size=n, max_size=n)))

    lower, width = 10 * table(20), 10 * table(8)
    p = bootstrap_b(lower, lower + width)
    both = bootstrap_b_pairs(lower, lower + width, *pairs(k))
    selection = lower + width * table(10) / 10
    for interval, point in (
        (p, bootstrap_a(selection).p_low),
        (both, bootstrap_a_pairs(selection, *pairs(k)).p_low),
    ):
        assert (interval.p_low > 0).all()
        assert (interval.p_low <= point * (1 + 1e-12)).all()
        assert (point <= interval.p_high * (1 + 1e-12)).all()
    # the lower end is attained where one algorithm is as good, or as bad, as it can be
    for a in range(k):
        own = np.arange(k) == a
        best = np.where(own, lower, lower + width)
        worst = np.where(own, lower + width, lower)
        least = min(bootstrap_a(best).p_low[a], bootstrap_a(worst).p_low[a])
        assert p.p_low[a] == pytest.approx(least, rel=1e-12)


# ----------------------------------------------------------------- symmetries, far tails


@pytest.mark.parametrize("step", [0.1, np.pi])
def test_far_tails(step):
    # the first of five is best everywhere, the others are alike: p = 2 / 5^n
    scores = np.tile([0.0, step, step, step, step], (60, 1)) + np.arange(60)[:, np.newaxis] / 10
    p = bootstrap_a(scores)
    assert p.p_high[0] == pytest.approx(2 / 5.0**60, rel=1e-9)
    assert bootstrap_a_pairs(scores, *pairs(5)).p_high[0] == pytest.approx(2.0**-59, rel=1e-9)
    assert bootstrap_a(np.tile(scores, (10, 1))).p_high[0] < 1e-300
    assert (bootstrap_a(np.tile(scores, (10, 1))).p_low > 0).all()


@pytest.mark.parametrize("value", [0.0, 0.7, 1e-300, -1.7e308])
def test_all_tied(value):
    scores = np.full((5, 3), value)
    assert (bootstrap_a(scores).p_low == 1).all()
    assert (bootstrap_a_pairs(scores, *pairs(3)).p_low == 1).all()
    assert (bootstrap_b(scores, scores, formulas="printed").p_low == 1).all()


def test_equal_means_up_to_rounding_noise():
    scores = np.array([[0.3 - 0.1, 0.2, 0.5], [0.1 + 0.2, 0.3, 0.1]])
    p = bootstrap_a(scores, scale=1.0)
    # both sum up to 0.5, as 3 of the 9 picks do that count in both tails
    assert p.p_low[0] == p.p_low[1] == bootstrap_a([[2, 2, 5], [3, 3, 1]]).p_low[0]
    assert bootstrap_a_pairs(scores, np.array([0]), np.array([1]), scale=1.0).p_low == 1


def test_huge_scores_are_what_smaller_ones_are():
    lower, upper = tables(8, 3, ties=True)
    for formulas in FORMULAS:
        p = bootstrap_b(lower, upper, formulas=formulas)
        huge = bootstrap_b(lower * 2.0**1023, upper * 2.0**1023, formulas=formulas)
        assert huge.p_low == pytest.approx(p.p_low, rel=1e-12)
        assert huge.p_high == pytest.approx(p.p_high, rel=1e-12)


# ----------------------------------------------------------------- resampling


@pytest.mark.parametrize("formulas", FORMULAS)
def test_resampling_agrees_within_its_noise(formulas):
    lower, upper = tables(10, 4, ties=False)
    lower[:, 0] -= 0.3
    count = 20_000
    options = {"formulas": formulas, "method": "resampling", "n_resamples": count, "rng": 0}
    for exact, drawn in (
        (bootstrap_b(lower, upper, formulas=formulas), bootstrap_b(lower, upper, **options)),
        (
            bootstrap_b_pairs(lower, upper, *pairs(4), formulas=formulas),
            bootstrap_b_pairs(lower, upper, *pairs(4), **options),
        ),
    ):
        for p, approximate in zip(exact, drawn, strict=True):
            tail = p / 2
            error = 2 * np.sqrt(tail * (1 - tail) / count) + 2 / count
            assert (np.abs(p - approximate) < 4 * error).all()
            assert (approximate >= 2 / (count + 1)).all()


def test_resampling_is_reproducible():
    lower, upper = tables(6, 3, ties=True)
    options = {"method": "resampling", "n_resamples": 300}
    one = bootstrap_b(lower, upper, rng=4, **options)
    assert (one.p_low == bootstrap_b(lower, upper, rng=4, **options).p_low).all()
    other = bootstrap_b(lower, upper, rng=np.random.default_rng(5), **options)
    assert (one.p_low != other.p_low).any()
    counts = one.p_low / 2 * 301
    assert counts == pytest.approx(np.rint(counts))


# -------------------------------------------------------------------------------------- tilted


SIDES = ["two-sided", "better", "worse"]


def p_of(law, observed, side):
    """P-value from pairs of a sum and its probability."""
    lower = sum(p for value, p in law if value <= observed)
    upper = sum(p for value, p in law if value >= observed)
    return {"better": lower, "worse": upper, "two-sided": min(1, 2 * min(lower, upper))}[side]


SAMPLES = [
    ([1, 2, 3], [2, 3, 4]),
    ([5, 1, 1], [0, 1, 2]),
    ([0, 10, 4], [3, 3, 3]),
    ([1, 2, 3, 7], [2, 2, 9, 1]),
]


@pytest.mark.parametrize(("x", "y"), SAMPLES)
def test_tilted_law_is_that_of_all_draws(x, y):
    n = len(x)
    test = tilted_test(x, y)
    weights = [np.exp(-test.tilt * np.array(x)), np.exp(test.tilt * np.array(y))]
    weights = [w / w.sum() for w in weights]
    assert test.weights_x == pytest.approx(weights[0], rel=1e-9)
    assert test.weights_y == pytest.approx(weights[1], rel=1e-9)
    assert test.weights_x @ x == pytest.approx(test.weights_y @ y, rel=1e-12)
    indices = list(itertools.product(range(n), repeat=n))
    sums = [
        [(sum(v[i] for i in draw), math.prod(w[i] for i in draw)) for draw in indices]
        for v, w in zip((x, y), weights, strict=True)
    ]
    law = [(s - t, p * q) for s, p in sums[0] for t, q in sums[1]]
    for side in SIDES:
        expected = p_of(law, sum(x) - sum(y), side)
        p = tilted_test(np.array(x) / 10, np.array(y) / 10, alternative=side)
        assert p.p_low == p.p_high == pytest.approx(expected, rel=1e-9)
        assert p.tilt == pytest.approx(10 * test.tilt, rel=1e-9)


def test_no_tilt_without_overlap():
    for x, y in (([1, 2, 3], [4, 5, 6]), ([1, 2, 3], [3, 5, 6]), ([2, 2, 2], [1, 1, 1])):
        test = tilted_test(x, y)
        assert test.fallback
        assert np.isnan(test.tilt)
        assert test.p_low == permutation_test(np.subtract(x, y)).p_low
        assert test.weights_x.tolist() == [1 / 3] * 3
    same = tilted_test([0.1 + 0.2, 0.3], [0.3, 0.3])
    assert (same.fallback, same.tilt, same.p_low, same.statistic) == (False, 0, 1, 0)
    close = tilted_test([0, 1, 2, 3.001], [3, 4, 5, 6])  # hardly any overlap
    assert not close.fallback
    assert close.weights_x @ [0, 1, 2, 3.001] == pytest.approx(close.weights_y @ [3, 4, 5, 6])
    assert 0 < close.p_low <= close.p_high < 1e-3
