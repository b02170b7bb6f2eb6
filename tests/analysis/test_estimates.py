"""How large the differences of pairs are: estimates, intervals, and where there are none."""

from itertools import combinations, product

import numpy as np
import pytest
from scipy import stats

import nbcompare as nbc
from nbcompare import Experiment, compare, compare_pair
from nbcompare.analysis import pair

DEMSAR = nbc.datasets.load("demsar2006")


def made(scores, direction="minimize", names=None):
    names = names or [f"A{j}" for j in range(scores.shape[1])]
    return Experiment.from_array(
        scores, direction=direction, algorithms=names, datasets=range(len(scores))
    )


def noise(n=12, k=4, seed=1, decimals=3):
    return (np.random.default_rng(seed).normal(size=(n, k)) + np.arange(k) / 2).round(decimals)


def by_pair(result):
    """Return the estimates and ends by pair, in either order, with the sign of the order."""
    found = {}
    for row in result.to_frame().itertuples():
        found[row.first, row.second] = (row.estimate, row.lower, row.upper)
        found[row.second, row.first] = (-row.estimate, -row.upper, -row.lower)
    return found


def wilcoxon_by_hand(d, level):
    """Return the median of the Walsh averages and the interval, by enumeration of all signs."""
    n = len(d)
    sums = np.sort([np.dot(signs, np.arange(1, n + 1)) for signs in product((0, 1), repeat=n)])
    left_out = sum(2 * np.mean(sums <= c) <= level for c in range(n * (n + 1) // 4))
    walsh = np.sort([(d[i] + d[j]) / 2 for i in range(n) for j in range(i, n)])
    return np.median(walsh), walsh[left_out - 1], walsh[-left_out]


@pytest.mark.parametrize("n", [8, 11])
def test_wilcoxon_by_enumeration(n):
    scores = noise(n)
    found = by_pair(compare(made(scores), pairs="wilcoxon", adjust="bonferroni"))
    for i, j in combinations(range(4), 2):
        expected = wilcoxon_by_hand(scores[:, j] - scores[:, i], 0.05 / 6)
        assert found[f"A{i}", f"A{j}"] == pytest.approx(expected, abs=1e-12)


def test_t_by_scipy():
    scores = noise()
    found = by_pair(compare(made(scores), pairs="t", alpha=0.1, adjust="bonferroni"))
    for i, j in combinations(range(4), 2):
        test = stats.ttest_rel(scores[:, j], scores[:, i])
        ends = test.confidence_interval(1 - 0.1 / 6)
        expected = ((scores[:, j] - scores[:, i]).mean(), ends.low, ends.high)
        assert found[f"A{i}", f"A{j}"] == pytest.approx(expected, rel=1e-9, abs=1e-12)


def test_ranks_show_the_median_difference_without_an_interval():
    scores = noise()
    result = compare(made(scores), pairs="ranks")
    tests = result.hypotheses
    assert (tests.lower, tests.upper, result.confidence, result.intervals) == (
        None, None, None, "none",
    )  # fmt: skip
    for row, (one, two) in enumerate(zip(tests.first, tests.second, strict=True)):
        i, j = int(one[1]), int(two[1])
        assert tests.estimate[row] == pytest.approx(np.median(scores[:, j] - scores[:, i]))
    assert "no interval" in result.without_intervals
    assert "interval" not in str(result.section("hypotheses"))


@pytest.mark.parametrize("test", ["wilcoxon", "t"])
@pytest.mark.parametrize("intervals", ["simultaneous", "pairwise"])
def test_they_are_those_of_compare_pair(test, intervals):
    result = compare(DEMSAR, pairs=test, intervals=intervals, adjust="bonferroni")
    level = 0.05 / 6 if intervals == "simultaneous" else 0.05
    assert result.intervals == intervals
    assert result.confidence == pytest.approx(1 - level)
    for (one, two), found in by_pair(result).items():
        alone = compare_pair(DEMSAR, one, two, test=test, alpha=level)
        expected = (alone.shift, alone.shift_lower, alone.shift_upper)
        assert found == pytest.approx(expected, abs=1e-12)


# -------------------------------------------------------------------------------- withheld


@pytest.mark.parametrize(("k", "least"), [(4, 8), (5, 9), (10, 11), (40, 15)])
def test_the_least_number_of_data_sets(k, least):
    m = k * (k - 1) // 2
    few = pair.planned("", "wilcoxon", "simultaneous", least - 1, m, 0.05)
    assert few.intervals == "pairwise"
    assert few.confidence == 0.95
    assert f"; {least} would be enough" in few.withheld
    enough = pair.planned("", "wilcoxon", "simultaneous", least, m, 0.05)
    assert (enough.intervals, enough.withheld) == ("simultaneous", "")
    scores = noise(least, min(k, 5))[:, :2]
    level = 1 - 0.05 / m
    from nbcompare.stats.shift import hodges_lehmann

    differences = scores[:, 0] - scores[:, 1]
    assert np.isfinite(hodges_lehmann(differences, level).lower)
    assert np.isinf(hodges_lehmann(differences[1:], level).lower)


def test_none_are_shown_if_none_are_asked_for():
    result = compare(DEMSAR, intervals="none")
    assert result.hypotheses.lower is None
    assert result.without_intervals == ""
    assert result.hypotheses.estimate is not None


def test_gaps_leave_intervals_of_the_pairs_own_data_sets():
    scores = noise(14)
    scores[:3, 0] = np.nan
    found = by_pair(compare(made(scores), missing="skillings-mack", pairs="wilcoxon"))
    rest = made(scores[3:, :2])
    alone = compare_pair(rest, "A0", "A1", alpha=0.05 / 6, scale="one")
    assert found["A0", "A1"] == pytest.approx((alone.shift, alone.shift_lower, alone.shift_upper))
    full = compare_pair(made(noise(14)), "A1", "A2", alpha=0.05 / 6, scale="one")
    assert found["A1", "A2"] == pytest.approx((full.shift, full.shift_lower, full.shift_upper))
    by_ranks = compare(made(scores), missing="skillings-mack", pairs="ranks")
    assert by_ranks.hypotheses.estimate is None


def test_groups_that_are_adjusted_together_have_wider_intervals():
    groups = {str(i): "x" if i < 12 else "y" for i in range(24)}
    data = made(noise(24))
    apart = nbc.compare_by(data, by=groups, pairs="wilcoxon", adjust="holm")
    together = nbc.compare_by(data, by=groups, pairs="wilcoxon", adjust="holm", across=True)
    assert apart.groups["x"].confidence == pytest.approx(1 - 0.05 / 6)
    assert together.groups["x"].confidence == pytest.approx(1 - 0.05 / 12)


# ----------------------------------------------------------------------- when looked at


@pytest.mark.parametrize("adjust", ["auto", "holm", "hochberg", "bonferroni"])
@pytest.mark.parametrize("pairs", ["wilcoxon", "t"])
def test_simultaneous_intervals_agree_with_the_decisions(pairs, adjust):
    rng = np.random.default_rng(5)
    moved = 0
    for _ in range(20):
        scores = np.round(rng.normal([0, 0, 0.6, 1], size=(14, 4)), 1)
        result = compare(made(scores), pairs=pairs, adjust=adjust)
        tests = result.hypotheses
        apart = (tests.lower >= 0) | (tests.upper <= 0)
        assert (apart & (tests.lower != tests.upper))[tests.rejected].all()
        assert ((tests.lower <= 0) & (tests.upper >= 0))[~tests.rejected].all()
        moved += (tests.rejected & ((tests.lower == 0) | (tests.upper == 0))).sum()
    assert (moved > 0) == (adjust != "bonferroni" or pairs == "wilcoxon")


@pytest.mark.weekly
@pytest.mark.parametrize("pairs", ["wilcoxon", "t"])
def test_simultaneous_intervals_hold_together(pairs):
    rng = np.random.default_rng(11)
    shifts = np.array([0.0, 0.0, 0.7, 1.5])
    missed = 0
    for _ in range(600):
        tests = compare(made(rng.normal(shifts, size=(12, 4))), pairs=pairs).hypotheses
        i, j = ([int(name[1]) for name in side] for side in (tests.first, tests.second))
        truth = shifts[j] - shifts[i]
        missed += bool(((tests.lower > truth) | (truth > tests.upper)).any())
    assert missed / 600 < 0.05 + 3 * np.sqrt(0.05 * 0.95 / 600)
