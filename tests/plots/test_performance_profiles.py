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
from nbcompare.plots._marks import marks_of
from nbcompare.plots._profiles import costs_of, distances, profile_of

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


@settings(deadline=None, max_examples=60)
@given(tables(COSTS))
def test_profiles_of_costs_are_those_of_plain_loops(scores):
    costs = costs_of(made(scores), as_error=False)
    for ratio in (True, False):
        distance = distances(costs, "ratio" if ratio else "difference")
        for algorithm in range(scores.shape[1]):
            places, shares = profile_of(distance[:, algorithm])
            assert places[0] == 0
            assert (np.diff(places) > 0).all()
            assert (np.diff(shares) > 0).all()  # monotone
            for tau in (1.0, 1.2, 1.7, 2.5, 3.1, 7.0, 50.0, 100.0):
                at = np.log10(tau) if ratio else tau - 1
                share = shares[np.flatnonzero(places <= at + 1e-12)[-1]]
                expected = share_by_loops(scores, algorithm, tau if ratio else tau - 1, ratio=ratio)
                assert share == pytest.approx(expected, abs=1e-12)


@settings(deadline=None, max_examples=15)
@given(tables(COSTS), st.sampled_from(["ratio", "difference"]))
def test_the_curves_are_those_of_plain_loops(scores, by):
    plot = performance_profiles(made(scores), by=by, up_to=6.0)
    assert plot.ax.get_xscale() == ("log" if by == "ratio" else "linear")
    for algorithm, line in enumerate(plot.artists["curves"]):
        assert line.get_drawstyle() == "steps-post"
        x, y = line.get_data()
        assert x[-1] == 6
        for tau in (1.01, 1.25, 1.7, 2.45, 3.55, 5.9):
            found = y[np.searchsorted(x, tau, side="right") - 1]
            expected = share_by_loops(scores, algorithm, tau, ratio=by == "ratio")
            assert found == pytest.approx(expected, abs=1e-9)


@settings(deadline=None, max_examples=30)
@given(tables(COSTS))
def test_at_the_left_end_is_the_share_of_wins_and_ties_count_for_each(scores):
    distance = distances(costs_of(made(scores), as_error=False), "ratio")
    wins = (scores == np.nanmin(scores, axis=1, keepdims=True)).mean(axis=0)
    assert (distance == 0).mean(axis=0) == pytest.approx(wins)
    starts = [profile_of(own)[1][0] for own in distance.T]
    assert starts == pytest.approx(wins.tolist())


@settings(deadline=None, max_examples=20)
@given(tables(COSTS), st.randoms(use_true_random=False))
def test_names_and_order_do_not_matter(scores, random):
    n, k = scores.shape
    rows, columns = random.sample(range(n), n), random.sample(range(k), k)
    before = distances(costs_of(made(scores), as_error=False), "ratio")
    after = distances(costs_of(made(scores[np.ix_(rows, columns)]), as_error=False), "ratio")
    assert (after == before[np.ix_(rows, columns)]).all()


@settings(deadline=None, max_examples=20)
@given(tables(COSTS))
def test_negated_scores_in_the_other_direction_have_the_same_differences(scores):
    before = distances(costs_of(made(scores), as_error=False), "difference")
    after = distances(costs_of(made(-scores, "maximize"), as_error=False), "difference")
    assert (after == before).all()


def test_a_description_has_the_same_profiles_as_its_experiment():
    data = nbc.datasets.load("otero2013_auc")
    one, other = performance_profiles(data), performance_profiles(nbc.describe(data))
    assert one.alt == other.alt
    for first, second in zip(one.artists["curves"], other.artists["curves"], strict=True):
        assert np.array_equal(first.get_xydata(), second.get_xydata())


def test_folds_and_runs_are_averaged_and_rounding_noise_is_no_difference():
    scores = np.random.default_rng(5).exponential(size=(6, 3, 4, 5))
    costs = costs_of(made(scores), as_error=False)
    assert costs.values == pytest.approx(scores.mean(axis=3).mean(axis=2))
    costs = costs_of(made([[0.1 + 0.2, 0.3, 0.4]]), as_error=False)
    for way in ("ratio", "difference"):
        assert distances(costs, way)[0, :2].tolist() == [0, 0]


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
        (
            [[0.1, 0.2]],
            "maximize",
            {"as_error": True},
            "all scores are positive, lower is better",
        ),
        ([[0.1, 1]], "maximize", {"as_error": True}, "because the error of A2 on 1 is 0"),
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
    costs = costs_of(data, as_error=False)
    assert distances(costs, "difference") == pytest.approx(np.array([[0.1, 0], [0, 2], [0.3, 0]]))
    assert "no ratio, because higher is better on some data sets, such as a" in (
        performance_profiles(data).alt
    )
    assert np.array_equal(costs_of(nbc.describe(data), as_error=False).values, costs.values)
    with pytest.raises(ValueError, match="of which higher is better; on 'b', lower is better"):
        performance_profiles(data, as_error=True)


def test_errors_instead_of_scores():
    data = made([[0.9, 0.95], [0.6, 0.8]], "maximize", measure="accuracy")
    plot = performance_profiles(data, as_error=True)
    assert 10 ** distances(costs_of(data, as_error=True), "ratio") == pytest.approx(
        np.array([[2.0, 1.0], [2.0, 1.0]])
    )
    assert plot.ax.get_xlabel() == "1 − accuracy as a factor of the best"


@pytest.mark.parametrize("factor", [1e-300, 1e-5, 1e300])
def test_scales_of_data_sets_do_not_matter_to_ratios(factor):
    scores = np.array([[1.0, 2.0, 4.0], [3.0, 1.5, 6.0]])
    before = distances(costs_of(made(scores), as_error=False), "ratio")
    scores[0] *= factor
    assert distances(costs_of(made(scores), as_error=False), "ratio") == pytest.approx(before)


def test_enormous_ratios_and_differences(check_legible):
    plot = performance_profiles(made([[1e-300, 1e300], [1e300, 1e-300], [1.0, 2.0]]))
    check_legible(plot)
    assert "the axis ends at 10²⁵⁰; 2 scores beyond it" in plot.alt
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


def test_what_lies_beyond_the_axis_is_counted():
    plot = performance_profiles(made([[1, 2], [1, 20], [1, 400]]), up_to=16)
    assert "the axis ends at 16; 2 scores beyond it" in plot.alt
    assert plot.ax.get_xlim() == (1, 16)
    assert [line.get_ydata()[-1] for line in plot.artists["curves"]] == pytest.approx([1, 1 / 3])


def test_one_algorithm_less_can_change_the_order_of_others():
    """The known weakness (Gould and Scott 2016), which the caption names."""
    scores = [[4, 1, 2], [4, 1, 2], [4, 1, 2], [1, 9, 8], [1, 9, 8]]
    three = distances(costs_of(made(scores), as_error=False), "ratio")
    two = distances(costs_of(made([row[1:] for row in scores]), as_error=False), "ratio")
    assert ((three <= np.log10(2.5)).sum(axis=0)[1:] == [3, 3]).all()
    assert ((two == 0).sum(axis=0) == [3, 2]).all()
    said = "without one of these 3, others may change places"
    assert said in performance_profiles(made(scores)).alt
    plot = performance_profiles(made([row[1:] for row in scores]))
    assert "without one of" not in plot.alt  # of two, none can be taken away


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
    assert "PPO: 90 % of the runs above 0 (80 % to 100 %); DQN: 50 %" in plot.alt
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
            made([[0.1, 0.2]], "maximize"),
            {"by": "ratio"},
            DataError,
            "Pass by='difference', or as_error=True for the ratio of 1 minus the score.",
        ),
        (
            made([[0.1, 1]], "maximize"),  # whose error is 0
            {"by": "ratio"},
            DataError,
            "because higher is better. Pass by='difference'.",
        ),
        (
            made([[1, 0]]),
            {"by": "ratio"},
            DataError,
            "because the score of A2 on 1 is 0. Pass by='difference'.",
        ),
        (made([[1, 2]]), {"as_error": True}, ValueError, "on '1', lower is better. Leave it out."),
        (made([[1, 2]]), {"as_error": 1}, TypeError, "`as_error` must be True or False; got 1."),
        (
            made([[0.5, 81]], "maximize"),
            {"as_error": True},
            DataError,
            "must be from 0 to 1; 'A2' has 81 on '1'. Leave it out, or divide percentages",
        ),
        (made([[1, 2]]), {"up_to": 1}, ValueError, "`up_to` must be a factor above 1; got 1."),
        (made([[1, 2]]), {"up_to": 0}, ValueError, "`up_to` must be a number above 0; got 0."),
        (made([[1, 2]]), {"highlight": ["A"]}, ValueError, "`highlight`"),
        (made([[1]]), {}, DataError, "`data` must hold at least 2 algorithms to compare; got 1."),
        (aggregated(), {"by": "ratio"}, ValueError, "`by` is about scores and their best"),
        (aggregated(), {"up_to": 2}, ValueError, "`up_to` is about scores and their best"),
        (aggregated(), {"as_error": True}, ValueError, "`as_error` is about scores and"),
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
