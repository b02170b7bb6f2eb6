"""Tests of intervals, by search of their boxes, corners and an optimiser."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy import optimize, stats

from nbcompare.stats import _boxes
from nbcompare.stats.interval import (
    favours,
    monte_carlo,
    paired_t_interval,
    rank_sum_interval,
    sign_interval,
    signed_rank_interval,
)
from nbcompare.stats.parametric import paired_t
from nbcompare.stats.runs import rank_sum
from nbcompare.stats.signed_rank import sign_test, signed_rank

PAIRED = {
    "wilcoxon": signed_rank_interval,
    "sign": sign_interval,
    "t": paired_t_interval,
}
# Intervals of whole numbers, quite a few of them points
INTERVALS = st.tuples(st.integers(-4, 4), st.sampled_from([0, 0, 1, 2, 4]))


def w_plus(d):
    """Of rows, by the definition over pairs, which shares nothing with ranks; doubled."""
    i, j = np.triu_indices(d.shape[-1])
    return (1 + np.sign(d[..., i] + d[..., j])).sum(axis=-1)


def u_of(x, y):
    return (1 + np.sign(x[..., :, np.newaxis] - y[..., np.newaxis, :])).sum(axis=(-2, -1))


def p_signed_rank(d):
    """SciPy's, which rounds half ranks towards the centre and knows the untied law only."""
    return stats.wilcoxon(d, zero_method="zsplit", method="exact").pvalue


def p_sign(d):
    wins, ties = int((d < 0).sum()), int((d == 0).sum())
    wins, n = wins + ties // 2, len(d) - ties % 2
    return stats.binomtest(wins, n).pvalue if n else 1.0


def p_rank_sum(x, y):
    """From all choices of untied ranks, U rounded towards the centre."""
    m, n = len(x), len(y)
    low = min(u_of(x, y), 2 * m * n - u_of(x, y))
    sums = [sum(c) - m * (m - 1) // 2 for c in itertools.combinations(range(m + n), m)]
    return min(1.0, 2 * np.mean([s <= math.ceil(low / 2) for s in sums]))


def grid(lower, upper, others):
    """Where a statistic can change within each interval, and between these places."""
    values = []
    for low, high in zip(lower, upper, strict=True):
        ends = sorted({low, high, *(v for v in others if low < v < high)})
        between = [(a + b) / 2 for a, b in itertools.pairwise(ends)]
        # off the middle, so that no two intervals meet in a tie there only
        shifted = [a + 0.3 * (b - a) + 0.01 * a for a, b in itertools.pairwise(ends)]
        values.append([*ends, *between, *shifted])
    return np.array(list(itertools.product(*values)))


def jumps_over_centre(statistics, centre):
    """Whether the centre is inside the range, and no selection comes as near as half a step."""
    return min(statistics) < centre < max(statistics) and all(
        abs(s - centre) > 1 for s in statistics
    )


@pytest.mark.slow
@given(st.lists(INTERVALS, min_size=2, max_size=4))
def test_signed_ranks_by_search_of_the_box(intervals):
    lower = np.array([low for low, _ in intervals], dtype=float)
    upper = lower + [width for _, width in intervals]
    places = {0.0, *np.abs(lower), *np.abs(upper), *-np.abs(lower), *-np.abs(upper)}
    selections = grid(lower, upper, places)
    n = len(lower)
    searched = dict(zip(w_plus(selections).tolist(), selections, strict=True))
    p = [p_signed_rank(d) for d in searched.values()]
    found = signed_rank_interval(lower, upper)
    assert found.p_low == pytest.approx(min(p), rel=1e-12)
    if jumps_over_centre(list(searched), n * (n + 1) / 2):
        assert found.p_high == 1 >= max(p)
    else:
        assert found.p_high == pytest.approx(max(p), rel=1e-12)
    # W+ is of differences above zero: small where the first is better
    side = {int(np.sign(n * (n + 1) / 2 - w)) for w in searched}
    assert favours(lower, upper, "wilcoxon") == (side.pop() if len(side) == 1 else 0)


def test_the_one_exception_is_an_upper_bound():
    # four points of size 1, which d passes all at once: W+ jumps from 17 to 19 to 21
    points = np.array([-3.0, -3.0, 1.0, 1.0, 1.0, 1.0, 3.0])
    selections = np.column_stack([np.linspace(-4, 4, 65), np.tile(points, (65, 1))])
    doubled = np.unique(w_plus(selections)).tolist()
    assert doubled == [32, 33, 34, 38, 42, 43, 44, 46, 48]  # the centre is 36
    p = [p_signed_rank(d) for d in selections]
    found = signed_rank_interval(selections[0], selections[-1])
    assert found.p_low == pytest.approx(min(p), rel=1e-12)
    assert max(p) < 0.95
    assert found.p_high == 1


@given(st.lists(INTERVALS, min_size=2, max_size=4))
def test_signs_by_search_of_the_box(intervals):
    lower = np.array([low for low, _ in intervals], dtype=float)
    upper = lower + [width for _, width in intervals]
    p = [p_sign(d) for d in np.unique(np.sign(grid(lower, upper, {0.0})), axis=0)]
    found = sign_interval(lower, upper)
    assert (found.p_low, found.p_high) == pytest.approx((min(p), max(p)), rel=1e-12)


@pytest.mark.slow
@given(
    st.lists(INTERVALS, min_size=2, max_size=3),
    st.lists(INTERVALS, min_size=2, max_size=3),
)
def test_rank_sums_by_search_of_the_box(first, second):
    ends = []
    for sample in (first, second):
        lower = np.array([low for low, _ in sample], dtype=float)
        ends += [lower, lower + [width for _, width in sample]]
    places = set(np.concatenate(ends))
    m, n = len(first), len(second)
    boxes = grid(np.concatenate(ends[::2]), np.concatenate(ends[1::2]), places)
    assume(len(boxes) < 50_000)
    searched = dict(zip(u_of(boxes[:, :m], boxes[:, m:]).tolist(), boxes, strict=True))
    p = [p_rank_sum(s[:m], s[m:]) for s in searched.values()]
    found = rank_sum_interval(*ends)
    assert found.p_low == pytest.approx(min(p), rel=1e-12)
    if jumps_over_centre(list(searched), m * n):
        assert found.p_high == 1 >= max(p)
    else:
        assert found.p_high == pytest.approx(max(p), rel=1e-12)
    # this U counts pairs in which the first is worse
    side = {int(np.sign(m * n - u)) for u in searched}
    found_side = favours(*ends[:2], "rank-sum", other=(ends[2], ends[3]))
    assert found_side == (side.pop() if len(side) == 1 else 0)


@pytest.mark.parametrize("n", [2, 3, 10, 64])
def test_points_are_the_untied_tests(n):
    rng = np.random.default_rng(n)
    x, y = rng.normal(size=(2, n))
    d = x - y + 0.4
    for test, expected in (
        (signed_rank_interval, signed_rank(d, zeros="split").pvalue),
        (sign_interval, sign_test([(d < 0).sum()], [0], [(d > 0).sum()]).pvalue[0]),
        (
            paired_t_interval,
            paired_t(np.column_stack([d, 0 * d]), np.array([0]), np.array([1])).pvalue[0],
        ),
    ):
        low, high = (float(end) for end in test(d, d))
        assert low == high == pytest.approx(expected, rel=1e-11)
    low, high = map(float, rank_sum_interval(x, x, y[: n // 2 + 1], y[: n // 2 + 1]))
    assert low == high == pytest.approx(rank_sum(x, y[: n // 2 + 1]).pvalue, rel=1e-11)


def test_printed_rank_sums(reference):
    printed = reference("published")["otero2010_fuzzy"]["p_of_U"]
    y = np.arange(1.0, 11.0)
    for u, p in printed.items():
        tens, rest = divmod(int(u), 10)
        x = np.array([100.0] * tens + [rest + 0.5] + [-100.0] * (9 - tens))
        ends = rank_sum_interval(x, x, y, y)
        assert ends.p_low == ends.p_high
        # some are rounded in print, some cut off
        assert float(ends.p_low) == pytest.approx(p, abs=10.0 ** -len(_digits(p)))
        # an interval that spans what leads to U and to U = 50
        wide = rank_sum_interval(np.minimum(x, 5.5), np.maximum(x, 5.5), y, y)
        assert wide.p_high == 1
        assert wide.p_low <= ends.p_low


def _digits(p):
    text = f"{p:.9f}".rstrip("0").split(".")[1]
    return text.ljust(3, "0")


def test_large_samples_are_normal():
    rng = np.random.default_rng(1)
    lower = rng.normal(0.1, 1, 400)
    upper = lower + 0.01
    peers = [stats.wilcoxon(d, method="approx", correction=False).pvalue for d in (lower, upper)]
    found = signed_rank_interval(lower, upper)
    assert (found.p_low, found.p_high) == pytest.approx((min(peers), max(peers)), rel=1e-10)
    x, y = rng.normal(size=300), rng.normal(0.1, 1, 300)
    peer = stats.mannwhitneyu(x, y, method="asymptotic", use_continuity=False).pvalue
    assert rank_sum_interval(x, x, y, y).p_low == pytest.approx(peer, rel=1e-10)
    # beyond the smallest float
    ones = np.arange(1.0, 3001.0)
    for test in (signed_rank_interval, sign_interval):
        assert test(ones, ones).p_low == np.finfo(float).tiny


def test_draws_of_t_and_wilcoxon_as_scipy():
    x, y = np.random.default_rng(3).normal(size=(2, 40, 8))
    for test, peer in (("t", stats.ttest_rel), ("wilcoxon", stats.wilcoxon)):
        p = peer(x, y, axis=1).pvalue
        assert monte_carlo(x, y, test) == pytest.approx((p.min(), p.max()), rel=1e-10)


@pytest.mark.parametrize("test", ["wilcoxon", "sign", "t"])
def test_rows_together_are_rows_alone(test):
    rng = np.random.default_rng(4)
    lower = rng.normal(0.3, 1, (3, 5, 12)).round(1)
    upper = lower + rng.exponential(0.2, lower.shape).round(1)
    together = PAIRED[test](lower, upper)
    assert together.p_low.shape == (3, 5)
    for place in np.ndindex(3, 5):
        alone = PAIRED[test](lower[place], upper[place])
        np.testing.assert_allclose([ends[place] for ends in together], alone, rtol=1e-12)
    samples = lower, upper, lower[0, 0, :4], upper[0, 0, :4]
    together = rank_sum_interval(*samples)
    alone = rank_sum_interval(lower[2, 1], upper[2, 1], *samples[2:])
    assert [ends[2, 1] for ends in together] == list(alone)
    none = PAIRED[test](np.zeros((0, 4)), np.ones((0, 4)))
    assert none.p_low.shape == (0,)


def test_noise_is_no_difference():
    scores = np.array([[0.1, 0.3], [0.2, 0.4], [0.9, 0.7], [0.1 + 0.2, 0.3]])
    d = scores[:, 0] - scores[:, 1]
    # -0.2, -0.2, 0.2, 0: W+ = 0.5 + 3 of 10, S = 1.5 of 4 and one of 3 without the tie
    assert signed_rank_interval(d, d, scale=1.0).p_low == p_signed_rank(np.array([-2, -2, 2, 0]))
    assert sign_interval(d, d, scale=1.0).p_low == 1
    assert favours(d, d, "sign", scale=1.0) == 1
    sums = np.array([0.1, 0.2, -0.3])  # of 5.6e-17
    assert favours(sums, sums, "t") == 0
    assert favours(sums, sums + 1, "permutation") == 0
    assert favours(sums + 1, sums + 1, "t") == -1
    x, y = scores[[3, 0], 0], scores[[3, 1], 1]
    tied = rank_sum_interval(x, x, y, y, scale=(1.0, np.ones(2)))
    assert tied == rank_sum_interval([3.0, 1], [3.0, 1], [3.0, 4], [3.0, 4])
    # the constant 5.6e-17 fits, but is none
    almost, zero = np.array([1.0, 1.0, 0.1 + 0.2 - 0.3]), np.array([1.0, 1.0, 0.0])
    least = [-1.0, -1.0, 0.0]
    assert paired_t_interval(least, almost) == paired_t_interval(least, zero)
    assert float(paired_t_interval(least, zero).p_low) == pytest.approx(2 * stats.t.sf(2, 2))
    # an upper end that rounding brought below the lower one
    above = signed_rank_interval(d + 1e-17, d, scale=1.0)
    assert above.p_low == signed_rank_interval(d, d, scale=1.0).p_low


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("unit", [1.0, 1e-150, 1e300])
def test_lower_ends_that_are_noise_beside_the_upper_ones(unit):
    """Their sum is above zero, but no more than the rounding noise of the intervals."""
    lower, upper = unit * np.array([-7e-143, 4e-74, 1e-17]), unit * np.array([0.3, 0.9, 0.5])
    p = paired_t_interval(lower, upper)
    # one and the same difference fits into all; so does 0
    assert p.p_low == np.finfo(np.float64).tiny
    assert p.p_high == 1
    assert favours(lower, upper, "t") == 0


# ------------------------------------------------------------------------------------- t range


def t_of(d):
    spread = d.std(axis=-1, ddof=1)
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(spread > 0, d.mean(axis=-1) / spread * math.sqrt(d.shape[-1]), np.nan)


@pytest.mark.parametrize("n", [2, 3, 5, 9])
@pytest.mark.parametrize("kind", ["normal", "whole", "one middle", "far off", "few intervals"])
def test_t_at_all_corners_and_by_an_optimiser(n, kind):
    rng = np.random.default_rng(n)
    width = rng.exponential(size=(40, n))
    lower = rng.normal(0.8, 1.0, (40, n))
    if kind == "whole":
        lower, width = np.rint(2 * lower), np.rint(width)
    elif kind == "one middle":
        lower = 1.5 - width / 2
    elif kind == "far off":
        lower, width = 1000 + lower / 100, width / 100
    elif kind == "few intervals":
        width = width * (rng.random((40, n)) < 0.4)
    upper = lower + width
    found = paired_t_interval(lower, upper)
    corners = np.array(list(itertools.product((False, True), repeat=n)))
    for row in range(40):
        low, high = lower[row], upper[row]
        t = t_of(np.where(corners, high, low))
        t = t[~np.isnan(t)]
        if low.sum() > 1e-9 or high.sum() < -1e-9:  # t is least at a corner
            if len(t):
                least = np.abs(t).min()
                assert found.p_high[row] == pytest.approx(2 * stats.t.sf(least, n - 1), rel=1e-9)
        else:
            assert found.p_high[row] == 1
        if low.max() <= high.min() and (high.min() > 0 or low.max() < 0):  # one number fits
            assert found.p_low[row] == np.finfo(float).tiny
        elif len(t):
            assert found.p_low[row] <= 2 * stats.t.sf(np.abs(t).max(), n - 1) * (1 + 1e-9)


def test_greatest_t_by_an_optimiser():
    rng = np.random.default_rng(7)
    for n in (2, 3, 6):
        lower = rng.normal(0.8, 1.0, n)
        lower[0] = 3.0  # out of reach of the second
        upper = lower + rng.exponential(size=n)
        upper[1] = max(lower[1], 2.0)
        best = 0.0
        for start in (lower, upper, (lower + upper) / 2, np.clip(1, lower, upper)):
            for sign in (1, -1):
                result = optimize.minimize(
                    lambda d, sign=sign: -sign * d.mean() / d.std(), start,
                    bounds=list(zip(lower, upper, strict=True)), method="L-BFGS-B",
                )  # fmt: skip
                best = max(best, abs(float(t_of(np.clip(result.x, lower, upper)))))
        p = paired_t_interval(lower, upper).p_low
        assert p == pytest.approx(2 * stats.t.sf(best, n - 1), rel=1e-5)


def test_many_corners_that_bounds_do_not_tell_apart():
    # one middle: whatever corner with the right sum will do, of 2^18
    rng = np.random.default_rng(6)
    width = rng.random(18)
    sums, squares = np.zeros(1), np.zeros(1)
    for w in width:
        sums = np.concatenate([sums + 2 - w, sums + 2 + w])
        squares = np.concatenate([squares + (2 - w) ** 2, squares + (2 + w) ** 2])
    t = sums / np.sqrt((squares - sums**2 / 18) * 18 / 17)
    found = _boxes.least_t(2 - width[np.newaxis], 2 + width[np.newaxis])
    assert found[0] == pytest.approx(t.min(), rel=1e-8)
    same = _boxes.least_t(np.full((1, 300), 1.0), np.full((1, 300), 3.0))
    ups = np.arange(1, 300)  # all intervals alike: only how many are raised matters
    total, square = 300 + 2 * ups, 300 + 8 * ups
    assert same[0] == pytest.approx((total / np.sqrt((square - total**2 / 300) / 299 * 300)).min())


@pytest.mark.filterwarnings("error")
def test_degenerate_boxes_of_t():
    tiny = np.finfo(float).tiny
    lower = [[1, 1, 1], [0, 0, 0], [0, 0, 0], [-1, -2, -3], [1, 2, 3], [0, 0, 1], [-1, 0, 0]]
    upper = [[1, 1, 1], [0, 0, 0], [1, 1, 1], [1, 2, 3], [1, 2, 3], [0, 2, 1], [1, 0, 0]]
    found = paired_t_interval(lower, upper)
    points = stats.ttest_1samp([1, 2, 3], 0).pvalue
    np.testing.assert_allclose(found.p_low[:5], [tiny, 1, tiny, tiny, points], rtol=1e-12)
    np.testing.assert_allclose(found.p_high[:5], [tiny, 1, 1, 1, points], rtol=1e-12)
    # d = (0, y, 1): t^2 = 2 (1 + y)^2 / (3 (1 + y^2) - (1 + y)^2) is greatest at y = 1
    assert found.p_low[5] == pytest.approx(2 * stats.t.sf(2, 2))
    assert found.p_high[5] == pytest.approx(2 * stats.t.sf(1, 2))
    assert (found.p_low[6], found.p_high[6]) == pytest.approx((2 * stats.t.sf(1, 2), 1))
    two = paired_t_interval([1.0, 4.0], [2.0, 5.0])  # 2 and 4, 1 and 5
    assert two.p_low == pytest.approx(stats.ttest_1samp([2, 4], 0).pvalue)
    assert two.p_high == pytest.approx(stats.ttest_1samp([1, 5], 0).pvalue)
    huge = paired_t_interval(np.array([1.0, 4.0]) * 4e307, np.array([2.0, 5.0]) * 3e307 + 2e307)
    assert 0 < huge.p_low <= huge.p_high <= 1
    noise = paired_t_interval([0.3 - 0.1, 0.2], [0.3 - 0.1, 0.2], scale=0.3)
    assert noise.p_high == tiny
