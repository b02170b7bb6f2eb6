import math

import numpy as np
import pytest
from scipy import stats

from nbcompare import DataError, Experiment, compare_cv
from nbcompare.stats.bootstrap import tilted_test
from nbcompare.stats.permutation import permutation_test

ONE = np.array([0.12, 0.10, 0.15, 0.11, 0.14, 0.09, 0.13, 0.12, 0.10, 0.16])
TWO = np.array([0.15, 0.13, 0.15, 0.15, 0.16, 0.13, 0.14, 0.17, 0.12, 0.17])
TESTS = ["permutation", "tilted", "5x2cv-t", "5x2cv-f", "corrected-t", "classical"]


def compared(a, b, test="permutation", direction="minimize", **options):
    shape = (5, 2) if test.startswith("5x2cv") else -1
    return compare_cv(
        np.reshape(a, shape), np.reshape(b, shape), test=test, direction=direction, **options
    )


def codes(result):
    return [note.code for note in result.notes]


def losses_of_neighbours(rng, n_rows, n_folds):
    """Return the errors of two nearest neighbours on folds: each sees half of equal features."""
    rows = rng.normal(size=(n_rows, 4))
    labels = rows.sum(axis=1) + rng.normal(size=n_rows) > 0
    fold = rng.permutation(n_rows) % n_folds
    errors = np.empty((2, n_folds))
    for which, features in enumerate((rows[:, :2], rows[:, 2:])):
        apart = np.square(features[:, None] - features).sum(axis=2)
        nearest = np.where(fold[:, None] == fold, np.inf, apart).argmin(axis=1)
        wrong = labels[nearest] != labels
        errors[which] = [wrong[fold == one].mean() for one in range(n_folds)]
    return errors


@pytest.mark.slow
def test_false_positives_on_folds_of_unstable_learners():
    """The two learners are equally good by symmetry; the notes tell these figures."""
    rng, n, tests = np.random.default_rng(4), 400, ["corrected-t", "permutation", "tilted"]
    found = np.zeros(3)
    for _ in range(n):
        one, other = losses_of_neighbours(rng, 100, 10)
        p = [compare_cv(one, other, direction="minimize", test=test).pvalue for test in tests]
        found += np.array(p) <= 0.05
    corrected, permutation, tilted = found / n
    assert corrected <= 0.05 + 2 * math.sqrt(0.05 * 0.95 / n)
    assert permutation == pytest.approx(0.10, abs=0.04)
    assert tilted == pytest.approx(0.19, abs=0.05)


def test_figures_of_every_test():
    d = ONE - TWO  # -.03 -.03 0 -.04 -.02 -.04 -.01 -.05 -.02 -.01, mean -.025, variance .00025
    variances = (0 + 16 + 4 + 16 + 1) / 2 / 1e4
    # low is better, so the first is better where d < 0, and statistics are positive there
    t = 0.025 / math.sqrt(0.00025 / 10)
    corrected = t / math.sqrt(1 + 10 / 9)
    expected = {
        "permutation": (0.025, None, float(permutation_test(d.round(2)).p_high), "exact"),
        "tilted": (0.025, None, float(tilted_test(ONE, TWO).p_high), "exact"),
        "5x2cv-t": (0.03 / math.sqrt(variances / 5), (5,), None, "t"),
        "5x2cv-f": (85e-4 / (2 * variances), (10, 5), None, "F"),
        "corrected-t": (corrected, (9,), 2 * stats.t.sf(corrected, 9), "t"),
        "classical": (t, (9,), 2 * stats.t.sf(t, 9), "t"),
    }
    for test, (statistic, df, p, method) in expected.items():
        result = compared(ONE, TWO, test)
        assert result.statistic == pytest.approx(statistic, rel=1e-9)
        assert (result.df, result.method, result.test) == (df, method, test)
        if p is not None:
            assert result.pvalue == result.p_high == result.p_low == pytest.approx(p, rel=1e-9)
        assert 10**result.log10_pvalue == pytest.approx(result.pvalue)
        assert result.rejected == (result.pvalue <= 0.05)
        assert (result.wins, result.ties, result.losses) == (9, 1, 0)
        assert result.mean_difference == pytest.approx(0.025)
        assert result.favours == 1
        assert result.differences.reshape(-1) == pytest.approx(-d)
        assert result.scores.reshape(2, -1).tolist() == [ONE.tolist(), TWO.tolist()]
        assert result.differences.shape == result.scores.shape[1:]
    classical = compared(ONE, TWO, "classical")
    assert classical.branch == "t"
    assert classical.normality == pytest.approx(stats.shapiro(d).pvalue, rel=1e-6)


def test_wilcoxon_branch():
    two = np.append(TWO[:-1], 1.9)
    result = compared(ONE, two, "classical")
    assert (result.branch, result.df, result.method) == ("wilcoxon", None, "exact")
    assert result.normality < 0.001
    # 9 differences other than zero, all in favour of the first
    assert (result.statistic, result.pvalue) == (45, 2 / 2**9)
    same = compared(ONE, ONE + 0.01, "classical")
    assert (same.branch, same.normality, same.pvalue) == ("wilcoxon", None, 2 / 2**10)
    assert "could not be tested" in " ".join(same.sentences)


def test_tilt():
    result = compared(ONE, TWO, "tilted")
    assert result.weights.sum(axis=1) == pytest.approx([1, 1])
    assert result.weights[0] @ ONE == pytest.approx(result.weights[1] @ TWO)
    assert result.weights[0] == pytest.approx(
        np.exp(-result.tilt * ONE) / np.exp(-result.tilt * ONE).sum()
    )
    assert (result.branch, "pairing-ignored" in codes(result)) == ("tilted", True)
    apart = compared(ONE, ONE + 1, "tilted")
    assert (apart.branch, apart.tilt, apart.weights) == ("permutation", None, None)
    assert apart.pvalue == compared(ONE, ONE + 1).pvalue
    assert "no-tilt" in codes(apart)


def test_repetitions_and_ratio():
    rng = np.random.default_rng(0)
    a, b = rng.random((2, 4, 5)).round(3)
    options = {"direction": "minimize", "test": "corrected-t"}
    result = compare_cv(a, b, **options)
    d = (b - a).reshape(-1)  # low is better
    t = d.mean() / math.sqrt((1 / 20 + 1 / 4) * d.var(ddof=1))
    assert (result.ratio, result.df) == (0.25, (19,))
    assert result.statistic == pytest.approx(t, rel=1e-9)
    assert result.pvalue == pytest.approx(2 * stats.t.sf(abs(t), 19), rel=1e-9)
    flat = compare_cv(a.ravel(), b.ravel(), ratio=1 / 4, **options)
    assert flat.pvalue == pytest.approx(result.pvalue, rel=1e-12)
    held_out = compare_cv(a[:, :1], b[:, :1], ratio=1 / 9, **options)
    assert (held_out.df, held_out.ratio) == ((3,), 1 / 9)
    assert result.differences.shape == (4, 5)
    assert "4 repetitions of 5 folds" in " ".join(result.sentences)
    frame = result.to_frame("folds")
    assert frame.columns.tolist() == ["repetition", "fold", "first", "second", "difference"]
    assert frame.iloc[7].tolist()[:3] == ["2", "3", a[1, 2]]


def test_printed_draws_and_resampling():
    printed = compared(ONE, TWO, formulas="printed")
    expected = permutation_test((ONE - TWO).round(2), n_draws="2n")
    assert printed.pvalue == pytest.approx(float(expected.p_high), rel=1e-9)
    assert "printed-draws" in codes(printed)
    assert "printed-draws" not in codes(compared(ONE, TWO))
    assert "corrected-weights" in codes(compared(ONE, TWO, "tilted", formulas="printed"))
    for test in ("permutation", "tilted"):
        exact = compared(ONE, TWO, test).pvalue
        drawn = compared(ONE, TWO, test, method="resampling", n_resamples=100_000, rng=3)
        error = 2 * math.sqrt(exact / 2 / 100_000)
        assert abs(drawn.pvalue - exact) <= 4 * error
        assert (drawn.method, drawn.n_resamples) == ("resampling", 100_000)
        assert "resampling" in codes(drawn)
    again = [compared(ONE, TWO, method="resampling").pvalue for _ in range(2)]
    assert again[0] == again[1]  # a fixed seed unless told


@pytest.mark.slow
def test_p_is_a_bracket_off_the_grid():
    rng = np.random.default_rng(1)
    a, b = rng.random((2, 20))
    result = compared(a, b, alpha=0.5)
    assert 0 < result.p_high - result.p_low < 0.01
    assert result.pvalue == result.p_high
    middle = (result.p_low + result.p_high) / 2
    undecided = compared(a, b, alpha=middle)
    assert not undecided.rejected
    assert "undecided" in codes(undecided)
    assert "undecided" not in codes(result)


# ------------------------------------------------------------------- from an experiment


def test_experiment():
    scores = np.stack([ONE, TWO, ONE + 0.2])
    data = Experiment.from_array(
        np.stack([scores, scores[::-1]]),
        direction="minimize",
        datasets=["iris", "wine"],
        algorithms=["A", "B", "C"],
        measure="error",
    )
    for test in TESTS:
        ours = compare_cv("A", "B", experiment=data, dataset="iris", test=test)
        plain = compared(ONE, TWO, test)
        assert ours.pvalue == plain.pvalue
        assert (ours.dataset, ours.first, ours.second) == ("iris", "A", "B")
        assert ("fold-order" in codes(ours)) == test.startswith("5x2cv")
        assert ours.sentences[0].startswith("On the data set iris, ")
    only = data.select(datasets=["wine"])
    assert compare_cv("C", "B", experiment=only).pvalue == compared(ONE, TWO, "corrected-t").pvalue
    assert compare_cv("C", "B", experiment=only).design.fingerprint.startswith("sha256")


def test_runs_are_averaged_without_leaving_the_grid():
    rng = np.random.default_rng(2)
    runs = rng.random((1, 2, 10, 7)).round(3)
    data = Experiment.from_array(runs, direction="maximize")
    result = compare_cv("A1", "A2", experiment=data, test="permutation")
    assert result.p_low == result.p_high
    means = runs[0].mean(axis=-1)
    assert result.scores == pytest.approx(means)
    expected = permutation_test((runs[0].sum(axis=-1)[1] - runs[0].sum(axis=-1)[0]).round(3))
    assert result.pvalue == pytest.approx(float(expected.p_high), rel=1e-9)
    assert result.statistic == pytest.approx((means[0] - means[1]).mean())  # high is better
    assert "runs-averaged" in codes(result)
    tilted = compare_cv("A1", "A2", experiment=data, test="tilted")
    assert tilted.tilt == pytest.approx(float(tilted_test(*-means).tilt), rel=1e-6)
    runs[0, 0, 3, 5:] = np.nan  # fewer runs in one fold
    ragged = Experiment.from_array(runs, direction="maximize")
    options = {"experiment": ragged, "test": "permutation"}
    with pytest.raises(DataError, match="only a part of the folds or runs of 'A1 in fold 4'"):
        compare_cv("A1", "A2", **options)
    left = compare_cv("A1", "A2", missing="drop-folds", **options)
    runs[0, 1, 3, 5:] = np.nan
    assert left.scores == pytest.approx(np.nanmean(runs[0], axis=-1))


# ---------------------------------------------------------------------------- properties


@pytest.mark.parametrize("test", TESTS)
def test_all_tied_and_all_the_same(test):
    tied = compared(ONE, ONE, test)
    assert (tied.pvalue, tied.log10_pvalue, tied.statistic, tied.favours) == (1, 0, 0, 0)
    assert "all-tied" in codes(tied)
    same = compared(ONE, ONE + 0.01, test)
    assert same.pvalue < 0.05 or test in ("tilted",)
    infinite = test in ("5x2cv-t", "5x2cv-f", "corrected-t")
    assert math.isinf(same.statistic) == infinite == ("no-variance" in codes(same))
    assert (same.pvalue == 0) == infinite
    assert "∞" in str(same) or not infinite


# --------------------------------------------------------------------------------- errors


TABLE = np.random.default_rng(3).random((2, 3, 4))


@pytest.mark.parametrize("test", ["corrected-t", "permutation"])
def test_missing_folds(test):
    scores = TABLE.copy()
    scores[0, 1, 2] = np.nan
    options = {"experiment": Experiment.from_array(scores, direction="minimize"), "dataset": "1"}
    with pytest.raises(DataError, match=r"A2 in fold 3.*missing='drop-folds' keeps"):
        compare_cv("A1", "A2", test=test, **options)
    left = compare_cv("A1", "A2", test=test, missing="drop-folds", **options)
    assert left.differences.shape == (3,)
    assert compare_cv("A1", "A3", test=test, **options).differences.shape == (4,)
