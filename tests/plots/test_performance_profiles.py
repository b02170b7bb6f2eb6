"""Profiles of scores against plain loops; those of runs are drawn as they are given."""

import dataclasses
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

import nbcompare as nbc
from nbcompare import DataError
from nbcompare.plots import performance_profiles
from nbcompare.plots._plot import marks_of

SIZES = st.tuples(st.integers(1, 7), st.integers(2, 5))
# few values, so that there are ties, and some that are not there
COSTS = st.sampled_from([0.5, 1.0, 1.5, 2.0, 3.0, 4.0, 32.0, np.nan])


def tables(elements):
    return SIZES.flatmap(lambda size: arrays(float, size, elements=elements)).filter(
        lambda table: (
            not np.isnan(table).all(axis=1).any() and not np.isnan(table).all(axis=0).any()
        )
    )


def made(scores, direction="minimize", **options):
    return nbc.Experiment.from_array(scores, direction=direction, **options)


def share_by_loops(scores, algorithm, tau, *, ratio):
    """Share of the data sets on which a cost is within a factor or a difference of the best."""
    count = 0
    for row in scores:
        best = min(score for score in row if not np.isnan(score))
        score = row[algorithm]
        if not np.isnan(score) and (score <= tau * best if ratio else score - best <= tau):
            count += 1
    return count / len(scores)


def curves_of(data, **options):
    return [line.get_data() for line in performance_profiles(data, **options).artists["curves"]]


@settings(deadline=None, max_examples=12)
@given(tables(COSTS), st.sampled_from(["ratio", "difference"]))
def test_the_curves_are_those_of_plain_loops(scores, by):
    for algorithm, (x, y) in enumerate(curves_of(made(scores), by=by)):
        assert (np.diff(y) >= 0).all()
        for tau in (1.01, 1.25, 1.7, 2.45, 3.55, 5.9):
            found = y[np.searchsorted(x, tau, side="right") - 1]
            expected = share_by_loops(scores, algorithm, tau, ratio=by == "ratio")
            assert found == pytest.approx(expected, abs=1e-9)
        wins = (scores == np.nanmin(scores, axis=1, keepdims=True)).mean(axis=0)
        assert y[0] == pytest.approx(wins[algorithm])  # ties count for each


@settings(deadline=None, max_examples=6)
@given(tables(COSTS), st.randoms(use_true_random=False))
def test_order_and_direction_do_not_matter(scores, random):
    rows = random.sample(range(len(scores)), len(scores))
    before = curves_of(made(scores), by="difference")
    for one, other in zip(before, curves_of(made(-scores[rows], "maximize")), strict=True):
        assert np.array_equal(one, other)


def test_a_description_has_the_same_profiles_as_its_experiment():
    data = nbc.datasets.load("otero2013_auc")
    one, other = performance_profiles(data), performance_profiles(nbc.describe(data))
    assert one.alt == other.alt
    for first, second in zip(one.artists["curves"], other.artists["curves"], strict=True):
        assert np.array_equal(first.get_xydata(), second.get_xydata())


def test_folds_and_runs_are_averaged_and_rounding_noise_is_no_difference():
    scores = np.random.default_rng(5).exponential(size=(6, 3, 4, 5))
    for one, other in zip(
        curves_of(made(scores)), curves_of(made(scores.mean(axis=(2, 3)))), strict=True
    ):
        np.testing.assert_allclose(one, other)
    for by in ("ratio", "difference"):
        starts = [y[0] for _, y in curves_of(made([[0.1 + 0.2, 0.3, 0.4]]), by=by)]
        assert starts == [1, 1, 0]


# ------------------------------------------------------------------------ ratio or difference


@pytest.mark.parametrize(
    ("scores", "direction", "options", "said"),
    [
        ([[1, 2], [3, 3]], "minimize", {}, "all scores are positive"),
        ([[1, 2], [0, 3]], "minimize", {}, "no ratio, because the score of A1 on 2 is 0"),
        ([[1, 2], [3, -3]], "minimize", {}, "no ratio, because the score of A2 on 2 is negative"),
        ([[1, 2], [3, 3]], "maximize", {}, "no ratio, because higher is better"),
        ([[1, 2], [3, 3]], "minimize", {"by": "ratio"}, "lower is better"),
        ([[1, 2], [3, 3]], "minimize", {"by": "difference"}, "lower is better"),
    ],
)
def test_the_caption_says_which_and_why(scores, direction, options, said):
    plot = performance_profiles(made(scores, direction), **options)
    assert f"({said}" in plot.alt or said in plot.alt
    assert said in " ".join(plot.artists["caption"][0].get_text().split())
    is_ratio = "because" not in said and options.get("by") != "difference"
    assert ("as a factor of the best" in plot.ax.get_xlabel()) == is_ratio


def test_data_sets_that_differ_in_what_is_better_have_differences():
    frame = {"dataset": ["a", "b", "c"], "A": [0.5, 3.0, 0.4], "B": [0.6, 5.0, 0.7]}
    data = nbc.Experiment.from_frame(
        pd.DataFrame(frame), direction={"b": "minimize", None: "maximize"}
    )
    plot = performance_profiles(data)
    assert "no ratio, because higher is better on some data sets, such as a" in plot.alt
    places = [line.get_xdata()[:-1] for line in plot.artists["curves"]]
    assert places[0] == pytest.approx([0, 0.1, 0.3])
    assert places[1] == pytest.approx([0, 2])


def test_enormous_scores(check_legible):
    plot = performance_profiles(made([[1e-300, 1e300], [1e300, 1e-300], [1.0, 2.0]]))
    check_legible(plot)
    assert [line.get_ydata()[-1] for line in plot.artists["curves"]] == pytest.approx([2 / 3] * 2)
    check_legible(performance_profiles(made([[-1.7e308, 1.7e308], [0, 1]])))


# --------------------------------------------------------------------- what is not there


def test_a_missing_score_is_never_within_reach_and_that_is_said(check_legible):
    scores = np.array([[1.0, 2.0, 3.0], [np.nan, 1.0, 1.0], [4.0, np.nan, 2.0], [1.0, 5.0, np.nan]])
    plot = performance_profiles(made(scores))
    check_legible(plot)
    assert [line.get_ydata()[-1] for line in plot.artists["curves"]] == [0.75] * 3
    assert "3 scores of 12 are missing, and count as never that near" in plot.alt
    (mark,) = marks_of(plot.artists["curves"][0])
    assert mark.title == "A1: best on 2 of 4 data sets, within a factor of 2 on 3, no score on 1"
    assert mark.names == ("A1",)


def test_an_infinite_cost_is_never_within_reach():
    described = nbc.describe(made([[1.0, 2.0], [3.0, 3.0], [4.0, 2.0]]))
    scores = described.scores.copy()
    scores[0, 1] = scores[1, 0] = scores[1, 1] = np.inf  # nobody succeeds on the second one
    plot = performance_profiles(dataclasses.replace(described, scores=scores))
    assert "all scores are positive" in plot.alt
    assert "3 scores of 6 are missing or infinite, and count as never that near" in plot.alt
    assert "no finite score on 2" in plot.alt
    ends = [line.get_ydata()[-1] for line in plot.artists["curves"]]
    assert ends == pytest.approx([2 / 3, 1 / 3])


def test_the_caption_says_that_others_may_change_places():
    said = "without one of these 3, others may change places"  # Gould and Scott 2016
    assert said in performance_profiles(made([[4, 1, 2], [1, 9, 8]])).alt
    assert "without one of" not in performance_profiles(made([[4, 1], [1, 9]])).alt


def test_highlighted_algorithms_alone_are_named_and_of_many_the_best(simulated, check_legible):
    data = simulated(20, 9)
    plot = performance_profiles(data, highlight=["A3", "A1"])
    check_legible(plot)
    assert {text.get_text() for text in plot.artists["labels"]} == {"A1", "A3"}
    (legend,) = plot.artists["legend"]
    assert [text.get_text() for text in legend.get_texts()] == ["7 other algorithms"]
    colors = [line.get_color() for line in plot.artists["curves"]]
    every = [line.get_color() for line in performance_profiles(data).artists["curves"]]
    assert [colors[0], colors[2]] == [every[0], every[2]]
    assert set(colors[3:]) == {"0.75"}
    many = simulated(20, 40)
    plot = performance_profiles(many)
    assert len(plot.artists["labels"]) == 6
    assert "in colour: the 6 largest mean shares" in plot.artists["caption"][0].get_text()
    plot = performance_profiles(many, highlight=many.algorithms)  # too many to stand at the right
    assert [text.get_text() for text in plot.artists["legend"][0].get_texts()] == [*many.algorithms]


# --------------------------------------------------------------------------------- of runs


def aggregated(**changed):
    share = np.array([[1.0, 0.9, 0.4, 0.0], [1.0, 0.5, 0.1, 0.0]])
    profiles = SimpleNamespace(
        thresholds=np.array([-1.0, 0.0, 2.0, 3.0]),
        share=share,
        lower=np.maximum(share - 0.1, 0),
        upper=np.minimum(share + 0.1, 1),
    )
    fields = {
        "algorithms": ("PPO", "DQN"),
        "measure": "normalised return",
        "direction": "maximize",
        "better": "higher is better",
        "confidence": 0.95,
        "withheld": "",
        "design": SimpleNamespace(n_datasets=6),
        "profiles": profiles,
    }
    return SimpleNamespace(**fields | changed)


def test_profiles_of_runs_with_bands(check_legible):
    result = aggregated()
    plot = performance_profiles(result)
    check_legible(plot)
    assert [text.get_text() for text in plot.artists["labels"]] == ["PPO", "DQN"]
    drawn = zip(plot.artists["curves"], plot.artists["bands"], strict=True)
    for row, (line, band) in enumerate(drawn):
        assert line.get_xdata().tolist() == [-1, 0, 2, 3]
        assert line.get_ydata().tolist() == result.profiles.share[row].tolist()
        x, y = band.get_paths()[0].vertices.T
        ends = [
            {float(part[row, i]) for part in (result.profiles.lower, result.profiles.upper)}
            for i in range(4)
        ]
        assert all(end <= set(y[x == at]) for at, end in zip([-1, 0, 2, 3], ends, strict=True))
    assert "PPO: 90 % of the runs above 0 (80 % to 100 %). DQN: 50 %" in plot.alt
    assert plot.ax.get_ylabel() == "share of runs above the score"
    assert plot.ax.get_xlabel() == "normalised return, higher is better"


def test_shares_of_runs_below_a_score_where_lower_is_better():
    plot = performance_profiles(aggregated(direction="minimize", better="lower is better"))
    assert plot.ax.get_ylabel() == "share of runs below the score"
    assert "% of the runs below 0" in plot.alt


def test_runs_that_are_equal_or_have_no_profiles(check_legible):
    ones = np.ones((2, 3))
    profiles = SimpleNamespace(thresholds=np.full(3, 0.3), share=ones, lower=ones, upper=ones)
    check_legible(performance_profiles(aggregated(profiles=profiles)))
    withheld = "Scores of different data sets. Pass baseline=..."
    with pytest.raises(ValueError, match=r"no profiles: Scores of different .* Pass baseline="):
        performance_profiles(aggregated(profiles=None, withheld=withheld))


# -------------------------------------------------------------------------------- mistakes


@pytest.mark.parametrize(
    ("data", "options", "error", "message"),
    [
        (made([[1, 2]]), {"by": "factor"}, ValueError, "`by` must be 'auto', 'ratio' or"),
        (
            made([[1, 2]], "maximize"),
            {"by": "ratio"},
            DataError,
            "`by` must not be 'ratio', because higher is better. Pass by='difference'.",
        ),
        (
            made([[1, 0]]),
            {"by": "ratio"},
            DataError,
            "because the score of A2 on 1 is 0. Pass by='difference'.",
        ),
        (made([[1, 2]]), {"highlight": ["A"]}, ValueError, "`highlight`"),
        (made([[1]]), {}, DataError, "`data` must hold at least 2 algorithms to compare; got 1."),
        (aggregated(), {"by": "ratio"}, ValueError, "`by` is about scores and their best"),
        (
            [[1, 2]],
            {},
            TypeError,
            "got list. Pass an Experiment, or nbc.aggregate_runs(experiment)",
        ),
        (nbc.compare(made([[1, 2], [2, 3]])), {}, TypeError, "got Comparison. Pass an Experiment"),
    ],
)
def test_mistakes(data, options, error, message):
    with pytest.raises(error) as caught:
        performance_profiles(data, **options)
    assert message in str(caught.value)


def test_intervals_and_frames_are_refused():

    intervals = nbc.Experiment(
        lower=np.zeros((1, 2, 1, 1)),
        upper=np.ones((1, 2, 1, 1)),
        datasets=("d",),
        algorithms=("A", "B"),
        folds=("1",),
        direction="minimize",
    )
    for data in (intervals, nbc.describe(intervals)):
        with pytest.raises(DataError, match="interval-valued scores, which have no profile"):
            performance_profiles(data)
    with pytest.raises(TypeError, match=r"Pass nbc.describe\(frame, direction=...\)"):
        performance_profiles(pd.DataFrame({"A": [1.0], "B": [2.0]}))
