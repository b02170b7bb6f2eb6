"""All pairs of algorithms, or a control with the others, on one data set."""

import itertools
import math

import numpy as np
import pandas as pd
import pytest
from scipy import stats

import nbcompare as nbc
from nbcompare import CrossValidationComparison, DataError, Experiment
from nbcompare.results.hypotheses import agreeing

NAMES = ["A", "B", "C", "D"]
RNG = np.random.default_rng(7)
# 10 times tenfold cross-validation: algorithm, repetition, fold
SCORES = (
    0.9
    + RNG.normal(0, 0.02, (1, 10, 10))
    + RNG.normal(0, 0.015, (4, 10, 10))
    + np.array([0, 0.005, 0.02, 0.03])[:, None, None]
)


def repeated(scores=SCORES, direction="maximize", names=NAMES, dataset="iris"):
    return Experiment.from_array(
        scores.transpose(0, 2, 1)[np.newaxis],
        direction=direction,
        algorithms=names[: len(scores)],
        datasets=[dataset],
    )


def folds(scores, direction="maximize", names=NAMES):
    """An experiment whose folds are one repetition."""
    return Experiment.from_array(
        np.reshape(scores, (1, len(scores), -1)),
        direction=direction,
        algorithms=names[: len(scores)],
    )


def codes(result):
    return [note.code for note in result.notes]


def by_hand(one, two, ratio):
    """Return mean, error, t and p as scikit-learn's example on comparing models computes them."""
    differences = (one - two).reshape(-1)
    n = differences.size
    error = math.sqrt(np.var(differences, ddof=1) * (1 / n + ratio))
    t = differences.mean() / error
    return differences.mean(), error, t, 2 * stats.t.sf(abs(t), n - 1)


# ------------------------------------------------------------------------------- numbers


def test_all_pairs_against_the_published_formula():
    result = nbc.compare_cv(repeated())
    assert isinstance(result, CrossValidationComparison)
    tests = result.hypotheses
    rows = []
    for row in range(6):
        one, two = NAMES.index(tests.first[row]), NAMES.index(tests.second[row])
        mean, error, t, p = by_hand(SCORES[one], SCORES[two], 1 / 9)
        assert tests.mean_difference[row] == pytest.approx(mean, rel=1e-9)
        assert tests.statistic[row] == pytest.approx(t, rel=1e-9)
        assert tests.pvalue[row] == pytest.approx(p, rel=1e-9)
        assert 10 ** tests.log10_pvalue[row] == pytest.approx(p, rel=1e-9)
        reach = stats.t.ppf(1 - 0.05 / 6 / 2, 99) * error
        assert result.lower[row] == pytest.approx(mean - reach, rel=1e-9)
        assert result.upper[row] == pytest.approx(mean + reach, rel=1e-9)
        differences = SCORES[one] - SCORES[two]
        assert (tests.wins[row], tests.ties[row]) == ((differences > 0).sum(), 0)
        rows.append(p)
    assert rows == sorted(rows)
    assert (result.adjust, result.ratio, result.n_differences) == (("shaffer",), 1 / 9, 100)
    # of 4 algorithms, 6, 3, 2, 1 or 0 hypotheses can be true
    shaffer = np.minimum(np.maximum.accumulate(np.multiply([6, 3, 3, 3, 2, 1], rows)), 1)
    np.testing.assert_allclose(tests.adjusted["shaffer"], shaffer, rtol=1e-9)
    np.testing.assert_array_equal(tests.rejected, shaffer <= 0.05)
    assert tests.rejected.tolist() == [True] * 3 + [False] * 3
    assert result.mean_scores == pytest.approx(
        dict(zip(NAMES, SCORES.mean(axis=(1, 2)), strict=True))
    )
    deviations = SCORES.reshape(4, -1).std(axis=1, ddof=1)
    assert result.deviations == pytest.approx(dict(zip(NAMES, deviations, strict=True)))


def test_a_control():
    result = nbc.compare_cv(repeated(), control="C")
    tests = result.hypotheses
    assert set(tests.first) == {"C"} == {result.control}
    assert "control-from-data" not in codes(result)
    p = np.array(
        [by_hand(SCORES[2], SCORES[NAMES.index(other)], 1 / 9)[3] for other in tests.second]
    )
    holm = np.minimum(np.maximum.accumulate(p * [3, 2, 1]), 1)
    np.testing.assert_allclose(tests.adjusted["holm"], holm, rtol=1e-9)
    frame = result.to_frame()
    half = frame["mean_difference"] / frame["statistic"] * stats.t.ppf(1 - 0.05 / 6, 99)
    ends = frame["mean_difference"] - half, frame["mean_difference"] + half
    np.testing.assert_allclose(
        frame[["lower", "upper"]].T, agreeing(*map(np.array, ends), tests.rejected), rtol=1e-9
    )


def test_a_pair_gives_what_the_comparison_of_two_gives():
    data = folds(SCORES[:, 0])
    result = nbc.compare_cv(data)
    assert result.ratio == 1 / 9
    for row in range(6):
        first, second = result.hypotheses.first[row], result.hypotheses.second[row]
        pair = nbc.compare_cv(first, second, experiment=data, test="corrected-t")
        assert result.hypotheses.statistic[row] == pytest.approx(pair.statistic, rel=1e-12)
        assert result.hypotheses.pvalue[row] == pytest.approx(pair.pvalue, rel=1e-12)
        assert result.hypotheses.mean_difference[row] == pytest.approx(pair.mean_difference)
        assert result.hypotheses.wins[row] == pair.wins
        by_array = nbc.compare_cv(
            SCORES[NAMES.index(first), 0],
            SCORES[NAMES.index(second), 0],
            direction="maximize",
            test="corrected-t",
        )
        assert by_array.pvalue == pair.pvalue


def test_flat_labels_with_the_ratio_are_repetitions_with_folds():
    flat = nbc.compare_cv(folds(SCORES), ratio=1 / 9).to_frame()
    pd.testing.assert_frame_equal(flat, nbc.compare_cv(repeated()).to_frame(), rtol=1e-9)


def test_without_adjustment():
    result = nbc.compare_cv(repeated(), adjust=None)
    tests = result.hypotheses
    np.testing.assert_array_equal(tests.rejected, tests.pvalue <= 0.05)
    assert "no-adjustment" in codes(result)
    assert "unadjusted p" in result.findings[1]


# -------------------------------------------------------------------------------- extremes


def test_differences_that_do_not_vary():
    base = np.array([0.5, 0.75, 0.25, 0.5])
    result = nbc.compare_cv(folds([base, base + 0.25, base]))
    tests = result.hypotheses
    assert tests.pvalue.tolist() == [0, 0, 1]
    assert np.isinf(tests.statistic[:2]).all()
    np.testing.assert_array_equal(result.lower, tests.mean_difference)
    np.testing.assert_array_equal(result.upper, tests.mean_difference)
    assert "no-variance" in codes(result)
    tied = nbc.compare_cv(folds([base, base]))
    assert tied.hypotheses.pvalue.tolist() == [1]
    assert "all-tied" in codes(tied)
    str(tied), str(result)


def test_two_folds_hardly_reject_and_say_so():
    result = nbc.compare_cv(folds(SCORES[:, 0, :2]))
    (note,) = (note for note in result.notes if note.code == "hardly-rejects")
    needed = stats.t.ppf(1 - 0.05 / 6 / 2, 1) * math.sqrt(1 / 2 + 1)
    assert f"at least {needed:.3g} times the standard deviation" in note.text
    assert "hardly-rejects" not in codes(nbc.compare_cv(repeated()))
    # the figure is exact: just below it, the test does not reject, and just above it, it does
    for factor, rejected in ((0.999, False), (1.001, True)):
        half = factor * needed
        spread = np.array([half - math.sqrt(0.5), half + math.sqrt(0.5)])  # deviation 1
        rows = [np.zeros(2), spread, spread * 50, -spread * 50]
        test = nbc.compare_cv(folds(rows), adjust="bonferroni").to_frame()
        pair = test[test["first"].isin(["A", "B"]) & test["second"].isin(["A", "B"])]
        assert pair["rejected"].tolist() == [rejected]


# ------------------------------------------------------------------------------- the ratio


@pytest.mark.parametrize(
    ("shape", "ratio"),
    [((1, 2), 1.0), ((1, 5), 1 / 4), ((1, 10), 1 / 9), ((3, 12), 1 / 11), ((10, 10), 1 / 9)],
)
def test_a_ratio_that_the_table_shows(shape, ratio):
    scores = np.random.default_rng(0).random((3, *shape))
    result = nbc.compare_cv(repeated(scores))
    assert result.ratio == pytest.approx(ratio)
    assert "ratio" in codes(result)
    given_too = nbc.compare_cv(repeated(scores), ratio=ratio)
    assert "ratio" not in codes(given_too)
    assert given_too.findings[:3] == result.findings[:3]


@pytest.mark.parametrize("shape", [(1, 11), (1, 100), (30, 1)])
def test_a_ratio_is_never_guessed(shape):
    scores = np.random.default_rng(0).random((3, *shape))
    data = repeated(scores)
    with pytest.raises(ValueError, match=r"`ratio`.*must be given: there are.*ratio=1/9"):
        nbc.compare_cv(data)
    assert nbc.compare_cv(data, ratio=0.5).ratio == 0.5
    one, two = scores.reshape(3, -1)[:2]
    options = {"direction": "maximize", "test": "corrected-t"}
    with pytest.raises(ValueError, match=r"`ratio`.*must be given: there are.*ratio=1/9"):
        nbc.compare_cv(one, two, **options)
    assert nbc.compare_cv(one, two, ratio=1 / 9, **options).ratio == 1 / 9
    for wrong in (-1, np.nan, np.inf, "x"):
        with pytest.raises((ValueError, TypeError), match="`ratio`"):
            nbc.compare_cv(data, ratio=wrong)


def losses_of_cross_validation(rng, k, n_examples=100, n_repeats=10, n_folds=10):
    """Return squared errors of algorithms that predict a mean, each of its own feature.

    Everything is learnt and tested on parts of one sample, as in practice, and all algorithms have
    the same expected error.
    """
    sample = rng.normal(size=(k, n_examples))
    found = np.empty((k, n_repeats, n_folds))
    for repeat in range(n_repeats):
        parts = sample[:, rng.permutation(n_examples)].reshape(k, n_folds, -1)
        sums, size = parts.sum(axis=2), parts.shape[2]
        means = (sums.sum(axis=1, keepdims=True) - sums) / (n_examples - size)
        found[:, repeat] = np.square(parts - means[..., np.newaxis]).mean(axis=2)
    return found


@pytest.mark.slow
def test_family_wise_error_of_real_cross_validation():
    rng = np.random.default_rng(5)
    right = wrong = 0
    n = 600
    for _ in range(n):
        data = folds(losses_of_cross_validation(rng, 4), direction="minimize")
        right += nbc.compare_cv(data, ratio=1 / 9).hypotheses.rejected.any()
        wrong += nbc.compare_cv(data, ratio=1 / 99).hypotheses.rejected.any()
    assert right / n <= 0.05 + 3 * math.sqrt(0.05 * 0.95 / n)
    assert wrong / n >= 0.25


# ------------------------------------------------------------------------------------ data


def long_table(scores=SCORES):
    rows = [
        ("iris", NAMES[a], f"f{f}", f"r{r}", scores[a, r, f])
        for a, r, f in itertools.product(*map(range, scores.shape))
    ]
    return pd.DataFrame(rows, columns=["dataset", "algorithm", "fold", "repeat", "score"])


def test_a_dataframe():
    result = nbc.compare_cv(long_table(), direction="maximize")
    assert result.notes[0].code == "frame"
    pd.testing.assert_frame_equal(
        result.to_frame(), nbc.compare_cv(repeated()).to_frame(), rtol=1e-9
    )
    by_name = nbc.compare_cv(experiment=long_table(), direction="maximize")
    assert by_name.to_json() == result.to_json()
    with pytest.raises(TypeError, match="Add direction='maximize'"):
        nbc.compare_cv(long_table())


def test_missing_folds():
    lost = long_table().drop(index=[3, 215])  # one score of A, and one of C
    data = Experiment.from_frame(lost, direction="maximize")
    with pytest.raises(DataError, match=r"A in fold f3.*missing='drop-folds' keeps the folds"):
        nbc.compare_cv(data)
    result = nbc.compare_cv(data, missing="drop-folds")
    assert (result.n_differences, result.ratio) == (98, 1 / 9)
    assert "of which 98 have every score" in result.extent
    assert "folds-dropped" in codes(result)
    kept = np.ones((10, 10), dtype=bool)
    for index in (3, 215):
        row = long_table().iloc[index]
        kept[int(row["repeat"][1:]), int(row["fold"][1:])] = False
    one, two = result.hypotheses.first[0], result.hypotheses.second[0]
    scores = [SCORES[NAMES.index(name)][kept] for name in (one, two)]
    assert result.hypotheses.pvalue[0] == pytest.approx(by_hand(*scores, 1 / 9)[3], rel=1e-9)


def test_runs_that_are_no_repetitions():
    table = long_table(SCORES[:2, :3, :4])
    once = table[(table["algorithm"] == "A") | (table["repeat"] == "r0")]
    with pytest.raises(DataError, match="'B' has no score in fold 'f0' of run 'r1', where 'A'"):
        nbc.compare_cv(once, direction="maximize")
    seeds = table.assign(repeat=table["repeat"] + table["algorithm"])
    seeds = pd.concat([seeds, seeds.assign(repeat=seeds["repeat"] + "x", algorithm="C")])
    with pytest.raises(DataError, match="use compare_stochastic"):
        nbc.compare_cv(
            nbc.Experiment.from_frame(seeds, direction="maximize", run="repeat", fold="fold")
        )
    assert "repetitions" in codes(nbc.compare_cv(table, direction="maximize"))


def test_compare_on_one_data_set_is_this_one():
    assert nbc.compare(repeated()).to_json() == nbc.compare_cv(repeated()).to_json()
    with pytest.raises(ValueError, match="`ranking` must be left out with folds"):
        nbc.compare(repeated(), ranking="quade")
