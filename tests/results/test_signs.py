"""One sign convention: whatever has a sign is positive where the first algorithm is better."""

import re

import numpy as np
import pytest

from nbcompare import (
    Experiment,
    compare,
    compare_cv,
    compare_pair,
    compare_ranks,
    compare_stochastic,
    contrast_estimation,
)
from nbcompare.words import (
    CROSS_VALIDATION_TESTS,
    IMPRECISE_TESTS,
    PAIR_TESTS,
    PAIRWISE_TESTS,
    STOCHASTIC_PROCEDURES,
)

NAMES = ["good", "middling", "bad"]
DIRECTIONS = ["minimize", "maximize"]
N = 12

directions = pytest.mark.parametrize("direction", DIRECTIONS)


def scores_of(direction, n_runs=1):
    """Errors of three algorithms of falling merit, or what they leave of 100."""
    noise = np.random.default_rng(1).normal(0, 0.1, (N, 3, 1, n_runs))
    errors = noise + np.array([1.0, 2.0, 3.5])[:, np.newaxis, np.newaxis]
    return errors if direction == "minimize" else 100 - errors


def experiment_of(direction, names=NAMES, **options):
    """The algorithms in the order of ``names``."""
    places = [NAMES.index(name) for name in names]
    scores = scores_of(direction, **options)[:, places]
    return Experiment.from_array(scores, direction=direction, algorithms=names)


def merit(first, second):
    """1 if the first is better, -1 if the second is."""
    return 1 if NAMES.index(first) < NAMES.index(second) else -1


def gain(experiment, first, second):
    """By how much the mean of the first is better."""
    means = dict(zip(experiment.algorithms, experiment.mean_scores.mean(axis=0), strict=True))
    sign = 1 if experiment.direction == "maximize" else -1
    return sign * (means[first] - means[second])


def check_difference(found, lead):
    """The better one stands first, and the difference is that of the two."""
    assert found[0].startswith("good is better than bad on ")
    size = re.search(r"is estimated at (-?[\d.]*\d)", found[2])
    assert size is None or float(size[1]) == pytest.approx(lead, abs=0.1)


def says_better(result, better, worse):
    """Whether a finding says that one is better than the other, and none the opposite."""

    def told(one, other):
        clauses = re.split(r"; |, and |\. ", " ".join(result.findings))
        ahead = re.compile(rf"\b{one}\b.* better than .*\b{other}\b")
        behind = re.compile(rf"\b{other}\b.* worse than .*\b{one}\b")
        order = re.compile(rf"in the order .*\b{one}\b.*\b{other}\b")
        sides = rf"(worse than the control, {one}|better than the control, {other})"
        every = re.compile(rf"other algorithms are significantly {sides}\b")
        patterns = (ahead, behind, order, every)
        return any(pattern.search(each) for each in clauses for pattern in patterns)

    return told(better, worse) and not told(worse, better)


# the better ones first and last, each with one of the directions
WAYS = pytest.mark.parametrize(
    ("direction", "names"), list(zip(DIRECTIONS, [NAMES, NAMES[::-1]], strict=True)), ids=DIRECTIONS
)


@WAYS
@pytest.mark.parametrize("control", [None, *NAMES])
@pytest.mark.parametrize(
    ("ranking", "pairs"),
    [
        *(("friedman", pairs) for pairs in PAIRWISE_TESTS),
        *((name, "ranks") for name in ("aligned", "quade")),
    ],
)
def test_pairs_of_several(ranking, pairs, control, names, direction):
    data = experiment_of(direction, names)
    result = compare(data, ranking=ranking, pairs=pairs, control=control)
    tests = result.hypotheses
    assert len(tests) == (3 if control is None else 2)
    for row, pair in enumerate(zip(tests.first, tests.second, strict=True)):
        if control is None:
            assert merit(*pair) == 1
        sign = merit(*pair)
        assert np.sign(tests.statistic[row]) == sign
        assert tests.effect_size[row] == pytest.approx(sign) or pairs == "t"
        assert np.sign(tests.effect_size[row]) == sign
        assert np.sign(tests.mean_difference[row]) == sign
        assert tests.mean_difference[row] == pytest.approx(gain(data, *pair))
        assert (tests.wins[row], tests.losses[row]) == ((N, 0) if sign > 0 else (0, N))
        if tests.rejected[row]:
            better, worse = pair[::sign]
            assert says_better(result, better, worse)
            assert " is -" not in " ".join(result.findings)
    assert tests.rejected.any() or control == "middling"  # which is near both


@WAYS
def test_pairs_of_an_incomplete_table(names, direction):
    scores = experiment_of(direction, names).mean_scores.copy()
    for j in range(3):
        scores[j, j] = np.nan
    data = Experiment.from_array(scores, direction=direction, algorithms=names)
    for pairs in ("ranks", "wilcoxon"):
        tests = compare(data, missing="skillings-mack", pairs=pairs).hypotheses
        for row, pair in enumerate(zip(tests.first, tests.second, strict=True)):
            sign = merit(*pair)
            for values in (tests.statistic, tests.effect_size, tests.mean_difference):
                assert np.sign(values[row]) == sign


@pytest.mark.parametrize("control", [None, "b"])
def test_average_ranks_alone(control):
    tests = compare_ranks({"a": 1.2, "b": 2.0, "c": 2.8}, 20, control=control).hypotheses
    for first, second, z in zip(tests.first, tests.second, tests.statistic, strict=True):
        assert np.sign(z) == (1 if first < second else -1)


@directions
@pytest.mark.parametrize("alternative", ["two-sided", "better", "worse"])
@pytest.mark.parametrize("test", PAIR_TESTS)
def test_two_algorithms(test, alternative, direction):
    data = experiment_of(direction)
    there, back = (
        compare_pair(data, *pair, test=test, alternative=alternative)
        for pair in (("good", "bad"), ("bad", "good"))
    )
    if test == "rank-sum":  # U counts the pairs of scores in which the first is better
        assert (there.statistic, back.statistic) == (N * N, 0)
    else:
        assert there.statistic > 0
        assert back.statistic == pytest.approx(-there.statistic)
    assert there.effect_size > 0
    assert back.effect_size == pytest.approx(-there.effect_size)
    assert there.shift_lower > 0
    assert there.shift == pytest.approx(gain(data, "good", "bad"), abs=0.1)
    assert there.median_difference == pytest.approx(there.shift, abs=0.1)
    assert (back.shift, back.shift_lower, back.shift_upper) == pytest.approx(
        (-there.shift, -there.shift_upper, -there.shift_lower)
    )
    assert back.median_difference == pytest.approx(-there.median_difference)
    for result in (there, back):
        check_difference(result.findings, gain(data, "good", "bad"))
    if alternative == "two-sided":
        assert there.findings[::2] == back.findings[::2]
    else:
        assert (there.rejected, back.rejected) == (
            (True, False) if alternative == "better" else (False, True)
        )


@directions
@pytest.mark.parametrize("test", CROSS_VALIDATION_TESTS)
def test_folds(test, direction):
    rng = np.random.default_rng(2)
    folds = np.array([[1.0], [1.4]]) + rng.normal(0, 0.2, (2, 10)).round(2)  # they overlap
    if direction == "maximize":
        folds = 10 - folds
    if test.startswith("5x2cv"):
        folds = folds.reshape(2, 5, 2)
    good, bad = folds
    options = {"direction": direction, "test": test}
    there = compare_cv(good, bad, names=("good", "bad"), **options)
    back = compare_cv(bad, good, names=("bad", "good"), **options)
    assert there.statistic > 0
    turned = there.statistic if test == "5x2cv-f" else -there.statistic  # F has no sign
    assert back.statistic == pytest.approx(turned)
    assert (there.favours, back.favours) == (1, -1)
    assert there.mean_difference == pytest.approx(-back.mean_difference)
    lead = good.mean() - bad.mean() if direction == "maximize" else bad.mean() - good.mean()
    assert lead > 0
    assert there.mean_difference == pytest.approx(lead)
    np.testing.assert_array_equal(there.differences, -back.differences)
    assert there.wins == back.losses == (there.differences > 0).sum()
    for result in (there, back):
        told = "On one data set, good has a better mean than bad, by "
        assert result.findings[0].startswith(told)
        size = float(re.match(r"[\d.]*\d", result.findings[0].removeprefix(told))[0])
        assert size == pytest.approx(lead, abs=0.1)


@WAYS
def test_contrasts(names, direction):
    data = experiment_of(direction, names)
    result = contrast_estimation(data, n_resamples=100)
    for u, first in enumerate(names):
        for v, second in enumerate(names):
            if u != v:
                sign = merit(first, second)
                for values in (result.estimates, result.lower, result.upper, result.medians):
                    assert np.sign(values[u, v]) == sign
                assert result.estimates[u, v] == pytest.approx(gain(data, first, second), abs=0.15)
    assert list(result.ordered) == NAMES
    assert (result.to_frame()["estimate"] > 0).all()  # the better one of a pair is first
    how = "second minus first" if direction == "minimize" else "first minus second"
    assert f"A difference is {how}: positive" in " ".join(result.sentences)
    assert re.search(r"between good and bad, 2\.\d+ \(", result.findings[0])


PROCEDURES = [
    *((name, None) for name, procedure in STOCHASTIC_PROCEDURES.items() if procedure.is_test),
    *(
        (name, test)
        for name, procedure in STOCHASTIC_PROCEDURES.items()
        if not procedure.is_test
        for test in IMPRECISE_TESTS
    ),
]


@WAYS
@pytest.mark.parametrize("control", [None, "middling"])
@pytest.mark.parametrize(("procedure", "test"), PROCEDURES)
def test_repeated_runs(procedure, test, control, names, direction):
    data = experiment_of(direction, names, n_runs=4)
    result = compare_stochastic(data, procedure=procedure, test=test, control=control)
    tests = result.hypotheses
    assert len(tests) == (3 if control is None else 2)
    for row, pair in enumerate(zip(tests.first, tests.second, strict=True)):
        sign = merit(*pair)
        assert tests.favours[row] == sign
        low, high = tests.difference_low[row], tests.difference_high[row]
        assert np.sign(low) == np.sign(high) == sign
        assert low <= high
        assert (low + high) / 2 == pytest.approx(gain(data, *pair), abs=0.2)
        if tests.outcome[row] == "significant":
            better, worse = pair[::sign]
            assert says_better(result, better, worse)
    if result.overall is not None:
        rows = {name: row for row, name in enumerate(result.overall.first)}
        over = np.mean([gain(data, name, "good") for name in NAMES])  # of the mean of all
        for name, sign in (("good", 1), ("bad", -1)):
            row = rows[name]
            low, high = result.overall.difference_low[row], result.overall.difference_high[row]
            assert result.overall.favours[row] == sign
            assert np.sign(low) == np.sign(high) == sign
            assert low <= high
            lead = gain(data, name, "good") - over
            assert (low + high) / 2 == pytest.approx(lead, abs=0.2)
        told = next(text for text in result.findings if text.startswith("Compared with the mean"))
        assert "good is significantly better" in told
        assert "bad is significantly worse" in told
    how = "second minus first" if direction == "minimize" else "first minus second"
    assert f"differences are {how}" in " ".join(str(result.section("hypotheses")).split())
