"""Descriptions: statistics over data sets, scores on each, and runs against the best."""

import math
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.stats import mannwhitneyu, rankdata

import nbcompare as nbc
from nbcompare.analysis.scales import scales_of

DEMSAR = nbc.datasets.load("demsar2006")
NAMES = ["A", "B", "C", "D"]


def runs(n=5, k=4, n_folds=1, n_runs=12, seed=3, direction="minimize", step=0.6):
    draws = np.random.default_rng(seed).normal(size=(n, k, n_folds, n_runs))
    scores = draws + step * np.arange(k)[:, np.newaxis, np.newaxis]
    return nbc.Experiment.from_array(scores, direction=direction, algorithms=NAMES[:k])


def holm(pvalues, k):
    """Holm's adjusted p-values of some pairs, all others of k algorithms beside them, by hand."""
    adjusted, largest = {}, 0.0
    for place, (name, p) in enumerate(sorted(pvalues.items(), key=lambda item: item[1])):
        largest = max(largest, (math.comb(k, 2) - place) * p)
        adjusted[name] = min(1.0, largest)
    return adjusted


def exact_rank_sum(first, second):
    """The two-sided p of all divisions of the pooled ranks, twice the smaller tail."""
    ranks = rankdata([*first, *second])
    if len(set(ranks)) == len(ranks):
        return mannwhitneyu(first, second, method="exact").pvalue
    from itertools import combinations

    sums = [sum(chosen) for chosen in combinations(ranks, len(first))]
    own = ranks[: len(first)].sum()
    low = np.mean([one <= own + 1e-9 for one in sums])
    high = np.mean([one >= own - 1e-9 for one in sums])
    return min(1.0, 2 * min(low, high))


# ------------------------------------------------------------------------ over data sets


def test_statistics_are_those_of_pandas():
    experiment = nbc.datasets.load("stochastic_cv")
    long = experiment.to_frame("long")
    by_fold = long.groupby(["dataset", "algorithm", "fold"])["score"].mean()
    cells = by_fold.groupby(["dataset", "algorithm"]).mean().unstack()
    cells = cells.loc[list(experiment.datasets), list(experiment.algorithms)]
    expected = cells.agg(["median", "min", "max", "mean", "std"]).T
    result = nbc.describe(experiment)
    frame = result.to_frame().set_index("algorithm")
    found = frame[["median", "min", "max", "mean", "sd"]]
    np.testing.assert_allclose(found.to_numpy(), expected.to_numpy(), rtol=1e-12)
    assert frame["n_datasets"].tolist() == [10] * 5
    assert frame["missing"].tolist() == [0] * 5
    np.testing.assert_allclose(result.scores, cells.to_numpy(), rtol=1e-12)
    spread = long.groupby(["dataset", "algorithm"])["score"].std().unstack()
    spread = spread.loc[list(experiment.datasets), list(experiment.algorithms)]
    np.testing.assert_allclose(result.deviations, spread.to_numpy(), rtol=1e-10)
    ranks = cells.rank(axis=1).mean()  # lower errors are better
    np.testing.assert_allclose(frame["average_rank"], ranks, rtol=1e-12)


def test_ranks_are_those_of_compare():
    for direction in ("maximize", "minimize"):
        experiment = replace(DEMSAR, direction=direction)
        result = nbc.describe(experiment)
        expected = nbc.compare(experiment).average_ranks
        assert result.statistics["average rank"].values.tolist() == list(expected.values())


@settings(max_examples=40, deadline=None)
@given(
    arrays(float, (6, 4), elements=st.sampled_from([0.0, 1.0, 1.5, -2.0, 7.0, np.nan])),
    st.sampled_from(["maximize", "minimize"]),
)
def test_ranks_by_data_set_are_those_of_scipy(table, direction):
    assume(not np.isnan(table).all(axis=0).any() and not np.isnan(table).all(axis=1).any())
    domains = ("a", "b", "a", "b", "c", "a")
    experiment = nbc.Experiment.from_array(table, direction=direction)
    result = nbc.describe(replace(experiment, domains=domains))
    turned = -table if direction == "maximize" else table
    np.testing.assert_array_equal(result.ranks, rankdata(turned, axis=1, nan_policy="omit"))
    assert result.domains == domains
    again = nbc.Description.from_json(result.to_json())
    np.testing.assert_array_equal(again.ranks, result.ranks)
    assert again.domains == domains


def test_the_best_are_those_of_the_direction():
    table = [[1.0, 3.0, 2.0], [5.0, 7.0, 7.0], [9.0, 8.0, 9.0]]
    up = nbc.describe(nbc.Experiment.from_array(table, direction="maximize"))
    down = nbc.describe(nbc.Experiment.from_array(table, direction="minimize"))
    best = {
        name: (one.best.tolist(), down.statistics[name].best.tolist())
        for name, one in up.statistics.items()
    }
    assert best["median"] == ([False, True, True], [True, False, False])
    assert best["max"] == ([True, False, True], [False, True, False])
    assert best["min"] == ([False, True, False], [True, False, False])
    assert best["average rank"] == ([False, False, True], [True, False, False])


def test_missing_scores_are_counted_and_shown():
    table = np.array([[1.0, 2, 3], [np.nan, 1, 2], [3, 2, 1], [1, 4, 2]])
    experiment = nbc.Experiment.from_array(table, direction="minimize", algorithms=NAMES[:3])
    result = nbc.describe(experiment)
    assert result.counts.tolist() == [3, 4, 4]
    assert (result.n_ranked, result.design.n_missing) == (3, 1)
    expected = nbc.compare(experiment, missing="drop").average_ranks
    assert result.statistics["average rank"].values.tolist() == list(expected.values())
    assert result.statistics["median"].values.tolist() == [1, 2, 2]
    assert not result.statistics["median"].best.any()  # they are of different data sets
    assert result.statistics["average rank"].best.any()
    rows = str(result.section("datasets")).splitlines()
    assert rows[0] == "Scores (lower is better); – marks a missing score"
    assert rows[4].split() == ["2", "–", "1", "2"]
    assert result.sentences[0].endswith("lower is better; 1 score is missing).")
    (note,) = (one for one in result.notes if one.code == "missing")
    assert "Of 12 scores, 1 is missing." in note.text
    assert "over the 3 data sets without a missing score" in note.text


def test_without_a_complete_data_set_there_are_no_ranks():
    table = [[1.0, np.nan], [np.nan, 2.0], [3.0, np.nan]]
    result = nbc.describe(nbc.Experiment.from_array(table, direction="minimize"))
    assert "average rank" not in result.statistics
    assert "there are no average ranks" in result.notes[0].text
    assert "sd" not in result.statistics  # one algorithm has a single score


def test_one_data_set_and_one_algorithm():
    result = nbc.describe(nbc.Experiment.from_array([[4.0]], direction="minimize"))
    assert result.statistics["mean"].values.tolist() == [4.0]
    assert "sd" not in result.statistics
    assert "*" not in str(result)
    assert len(result.findings) == 1


@pytest.mark.parametrize(
    ("measure", "scores", "one_scale"),
    [
        ("accuracy", [[0.01, 0.02], [0.98, 0.99]], True),
        ("error", [[1e-8, 1e-7], [0.5, 0.9]], False),
        ("accuracy", [[0.01, 0.02], [980, 990]], False),
        (None, [[0.2, 0.3], [0.8, 0.9]], True),
        ("seconds", [[110, 190], [150, 400]], True),
        ("seconds", [[0.1, 0.12], [150, 400]], False),
    ],
)
def test_means_only_on_one_scale(measure, scores, one_scale):
    experiment = nbc.Experiment.from_array(scores, direction="maximize", measure=measure)
    result = nbc.describe(experiment)
    assert scales_of(experiment).one == one_scale  # as in all other analyses
    assert ("mean" in result.statistics) == one_scale
    assert ("no-mean" in [note.code for note in result.notes]) != one_scale
    assert ("mean" in result.to_frame().columns) == one_scale


def test_data_sets_that_differ_in_what_is_better():
    plain = nbc.Experiment.from_array([[1.0, 2.0], [3.0, 5.0]], direction="maximize")
    held = plain.lower.copy()
    held[1] *= -1
    mixed = replace(plain, lower=held, upper=held, turned=("2",))
    result = nbc.describe(mixed)
    assert list(result.statistics) == ["average rank"]
    assert result.scores.tolist() == [[1.0, 2.0], [3.0, 5.0]]  # as they were given
    assert result.statistics["average rank"].values.tolist() == [1.5, 1.5]
    assert [note.code for note in result.notes] == ["mixed-directions"]


def test_given_deviations_are_shown_where_there_are_no_runs():
    plain = nbc.Experiment.from_array([[0.91, 0.82], [0.7, 0.6]], direction="maximize")
    given_ = replace(plain, deviations=np.array([[0.021, 0.034], [0.05, np.nan]]))
    result = nbc.describe(given_)
    rows = str(result.section("datasets")).splitlines()
    assert rows[0] == "Scores ± standard deviation (higher is better)"
    assert rows[3].split(maxsplit=1)[1] == "0.910 ± 0.021  0.820 ± 0.034"
    assert rows[4].split() == ["2", "0.700", "±", "0.050", "0.600"]
    assert "as they were given beside the scores" in " ".join(result.sentences)
    assert nbc.describe(plain).deviations is None


def test_intervals_have_intervals_of_statistics():
    low = np.array([[1.0, 4.0], [2.0, 1.0], [6.0, 2.0]])
    cells, high = low[:, :, None, None], (low + np.array([1.0, 0.5]))[:, :, None, None]
    experiment = nbc.Experiment(
        lower=cells, upper=high, datasets=("x", "y", "z"), algorithms=("A", "B"), folds=("1",),
        direction="minimize",
    )  # fmt: skip
    result = nbc.describe(experiment)
    frame = result.to_frame()
    assert frame["median_lower"].tolist() == [2, 2]
    assert frame["median_upper"].tolist() == [3, 2.5]
    assert frame["mean_upper"].tolist() == pytest.approx([4, 17 / 6])
    assert "average rank" not in result.statistics
    assert "*" not in str(result)
    assert "[1.0, 2.0]" in str(result.section("datasets"))
    assert result.to_frame("datasets")["upper"].tolist() == high.ravel().tolist()


def test_huge_and_tiny_numbers():
    for size in (1e300, 1e-300, 1e-310):
        scores = size * np.array([[[[1.0, 2.0, 4.0]], [[3.0, 3.5, 5.0]]]])
        result = nbc.describe(nbc.Experiment.from_array(scores, direction="minimize"))
        spread = [np.std([1, 2, 4], ddof=1), np.std([3, 3.5, 5], ddof=1)]
        np.testing.assert_allclose(result.deviations[0] / size, spread, rtol=1e-6)
        assert "nan" not in str(result)
        assert "inf" not in str(result)


# ---------------------------------------------------------------------------------- runs


@pytest.mark.parametrize("direction", ["minimize", "maximize"])
@pytest.mark.parametrize("n_folds", [1, 3])
def test_runs_are_tested_against_the_best(direction, n_folds):
    experiment = runs(n_folds=n_folds, direction=direction)
    result = nbc.describe(experiment, alpha=0.1)
    assert result.compared == experiment.datasets
    marks = result.to_frame("datasets").set_index(["dataset", "algorithm"])
    long = experiment.to_frame("long")
    by_run = long.groupby(["dataset", "algorithm", "run"])["score"].mean()
    n_close = 0
    for dataset in experiment.datasets:
        samples = {name: by_run[dataset, name].to_numpy() for name in experiment.algorithms}
        better = max if direction == "maximize" else min
        best = better(samples, key=lambda name: samples[name].mean())
        others = {n: exact_rank_sum(samples[best], x) for n, x in samples.items() if n != best}
        p = holm(others, 4)
        for name in experiment.algorithms:
            found = marks.loc[dataset, name]
            assert found["best"] == (name == best)
            if name != best:
                assert found["pvalue"] == pytest.approx(p[name], rel=1e-9)
                assert found["close"] == (p[name] > 0.1)
                n_close += p[name] > 0.1
        assert math.isnan(marks.loc[(dataset, best), "pvalue"])
    assert 0 < n_close < 15


def test_tied_runs_and_other_numbers_of_runs():
    a, b, c = [1, 2, 2, 3, 1, 2], [2, 3, 3, 4, 2], [5, 5, 6, 7, 7, 9, 5]
    long = pd.DataFrame(
        [("d", n, r, float(x)) for n, xs in zip("ABC", (a, b, c), strict=True)
         for r, x in enumerate(xs)],
        columns=["dataset", "algorithm", "run", "score"],
    )  # fmt: skip
    result = nbc.describe(nbc.Experiment.from_frame(long, direction="minimize", run="run"))
    p = holm({"B": exact_rank_sum(a, b), "C": exact_rank_sum(a, c)}, 3)
    assert result.pvalues[0, 1:].tolist() == pytest.approx([p["B"], p["C"]], rel=1e-9)
    assert result.best.tolist() == [[True, False, False]]
    assert result.close.tolist() == [[False, True, False]]


def test_several_best_are_all_best():
    scores = np.random.default_rng(5).normal(size=(1, 4, 1, 9))
    scores[0, 1] = scores[0, 0, :, ::-1]
    scores[0, 2] += 0.8
    scores[0, 3] = scores[0, 2] + 3
    result = nbc.describe(nbc.Experiment.from_array(scores, direction="minimize"))
    assert result.best.tolist() == [[True, True, False, False]]
    one = [exact_rank_sum(scores[0, 0, 0], scores[0, j, 0]) for j in (2, 3)]
    adjusted = holm(dict(enumerate(one)), 4)
    assert result.pvalues[0, 2:].tolist() == pytest.approx([adjusted[0], adjusted[1]], rel=1e-9)
    assert not result.close[0, 3]


def test_the_best_mean_may_have_worse_runs():
    # the runs of A are nearly all worse than those of B, whose mean one run spoils
    a, b = np.full(12, 2.0) + np.arange(12) / 100, np.r_[np.arange(11) / 100, 100.0]
    scores = np.stack([a, b])[np.newaxis, :, np.newaxis]
    result = nbc.describe(nbc.Experiment.from_array(scores, direction="minimize"))
    assert result.best.tolist() == [[True, False]]
    assert result.pvalues[0, 1] < 0.05
    assert result.close.tolist() == [[False, True]]  # it is not significantly worse


def test_too_few_runs_are_not_compared():
    # the least p is 2 / C(2m, m), and Holm multiplies it by 6 pairs
    for n_runs, compared in ((4, False), (5, True), (12, True)):
        assert (6 * 2 / math.comb(2 * n_runs, n_runs) <= 0.05) == compared
        result = nbc.describe(runs(n_runs=n_runs))
        assert ("runs-few" in [note.code for note in result.notes]) != compared
        assert result.best.any() == compared
        assert np.isnan(result.pvalues).all() != compared


def test_where_runs_are_incomplete_nothing_is_marked():
    scores = runs(n=4, n_folds=2).lower.copy()
    scores[0, 1, 1, 5:] = np.nan  # fewer runs on one fold
    scores[1, 2] = np.nan  # no score
    scores[2, 3, :, 1:] = np.nan  # one run
    result = nbc.describe(nbc.Experiment.from_array(scores, direction="minimize"))
    assert result.compared == ("4",)
    assert not result.close[:3].any()
    notes = {note.code: note.text for note in result.notes}
    assert notes["runs-unlike"].startswith("On 2 data sets ('1' and '2'), runs were not compared")
    assert notes["runs-single"].startswith("On 1 data set ('3'), runs were not compared")
    assert "these-folds" in notes
    assert "best-from-data" in notes


def test_runs_of_folds_are_matched_by_their_labels():
    rows = [("d", a, f, r + (f == 2 and a == "B"), 0.1 * r + f + (a == "B"))
            for a in "AB" for f in (1, 2) for r in range(6)]  # fmt: skip
    frame = pd.DataFrame(rows, columns=["dataset", "algorithm", "fold", "run", "score"])
    experiment = nbc.Experiment.from_frame(frame, direction="minimize", fold="fold", run="run")
    result = nbc.describe(experiment)
    assert result.compared == ()
    assert [note.code for note in result.notes] == ["runs-unlike"]


def test_folds_alone_are_not_tested():
    result = nbc.describe(runs(n_folds=10, n_runs=1))
    assert result.compared == ()
    assert result.deviations is not None
    assert "mann" not in " ".join(result.references).lower()


def test_the_best_of_many_algorithms_are_shown_first():
    scores = np.tile(np.arange(30.0), (4, 1))  # the last one is the best
    result = nbc.describe(nbc.Experiment.from_array(scores, direction="maximize"))
    lines = str(result).splitlines()
    start = next(i for i, line in enumerate(lines) if line.startswith("Scores over 4 data sets"))
    assert "best average rank first" in lines[start]
    assert lines[start + 3].split()[0] == result.algorithms[-1]
    assert result.to_frame()["algorithm"].tolist() == list(result.algorithms)
    first = str(result.section("best"))
    assert "the first 20 of 30" in first
    assert "to_frame" not in first
    assert result.algorithms[-1] in first
    assert result.algorithms[0] not in first.split()


def test_numbers_of_data_sets_are_told_where_they_differ():
    scores = np.arange(8.0).reshape(4, 2)
    data = nbc.Experiment.from_array(scores, direction="maximize")
    assert "missing" not in str(nbc.describe(data).section("algorithms"))
    scores[0, 1] = np.nan
    gappy = nbc.Experiment.from_array(scores, direction="maximize")
    lines = str(nbc.describe(gappy).section("algorithms")).splitlines()
    assert [line.split()[-2:] for line in lines[-2:]] == [["4", "0"], ["3", "1"]]


def test_what_all_have_in_common_is_not_bold():
    table = str(nbc.describe(nbc.datasets.load("demsar2006")).section("algorithms"))
    assert "*0.583" in table
    assert "*1 " not in table  # the largest score of every algorithm


# ---------------------------------------------------------------------------- properties


def test_means_near_an_optimum_are_not_shown_as_zeros():
    draws = 10.0 ** np.random.default_rng(0).normal([-9.0, -2.0, 1.0], 0.3, (2, 1, 20, 3))
    data = nbc.Experiment.from_array(
        np.moveaxis(draws, 3, 1), direction="minimize", algorithms=NAMES[:3]
    )
    row = str(nbc.describe(data).section("datasets")).splitlines()[-1]
    means = [float(cell.split("±")[0].strip(" *†")) for cell in row.split("  ") if "±" in cell]
    assert means == pytest.approx(data.mean_scores[1], rel=1e-3)
