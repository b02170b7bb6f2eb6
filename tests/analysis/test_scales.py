from dataclasses import replace

import numpy as np
import pytest

from nbcompare import Experiment, compare, compare_by, compare_ranks, recommend, sensitivity
from nbcompare.analysis.scales import ONE_SCALE, scales_of
from nbcompare.report.tables import latex_supplement
from nbcompare.results import from_json


def with_ranges(ranges, n_algorithms=3):
    scores = np.linspace(0, 1, n_algorithms) * np.array(ranges, dtype=float)[:, np.newaxis]
    return Experiment.from_array(scores, direction="minimize")


@pytest.mark.parametrize("factor", [1.0, 3.0, 99.0, 101.0, 1e9, 1e300])
def test_the_spread_is_that_of_the_deciles(factor):
    ranges = np.geomspace(1, factor, 11)
    found = scales_of(with_ranges(ranges))
    assert found.spread == pytest.approx(ranges[9] / ranges[1])
    assert found.one == (ranges[9] / ranges[1] <= ONE_SCALE)
    assert not found.stated


@pytest.mark.filterwarnings("error")
def test_what_does_not_count():
    # ties, noise, shifts, data sets with one score; a single data set is on one scale
    rows = np.array([[0, 1, 2], [5, 5, 5], [1e9, 1e9 + 1, 1e9 + 2], [0.3, 0.1 + 0.2, 0.3]])
    assert scales_of(Experiment.from_array(rows, direction="minimize")).spread == 1
    gaps = np.array([[0, 1, 2.0], [1e9, np.nan, np.nan], [1, 3, np.nan]])
    assert scales_of(Experiment.from_array(gaps, direction="minimize")).spread == 1
    assert scales_of(with_ranges([1e6])).one
    assert scales_of(with_ranges([1.7e308, 1e-300])).spread > 1e300


def test_runs_folds_and_intervals_count_with_their_middle():
    means = np.linspace(0, 1, 3) * np.geomspace(1, 1e4, 12)[:, np.newaxis]
    noise = np.array([-1.0, 1.0]) * 1e5
    runs = Experiment.from_array(means[:, :, None, None] + noise, direction="minimize")
    plain = scales_of(Experiment.from_array(means, direction="minimize"))
    assert scales_of(runs).spread == pytest.approx(plain.spread, rel=1e-6)
    ends = Experiment(
        lower=means[:, :, None, None] - 1e5, upper=means[:, :, None, None] + 1e5,
        datasets=runs.datasets, algorithms=runs.algorithms, folds=("1",), direction="minimize",
    )  # fmt: skip
    assert scales_of(ends).spread == pytest.approx(plain.spread, rel=1e-6)


# ------------------------------------------------------------------------------- stated


def scores_of(n=20, k=4, *, scales, seed=3):
    """Scores that a comparison judges to be on one scale, or on several."""
    table = np.random.default_rng(seed).normal(size=(n, k)) + np.arange(k) / 2
    units = 10.0 ** np.arange(n) if scales == "several" else np.ones(n)
    return Experiment.from_array(table * units[:, np.newaxis], direction="minimize")


def codes(result):
    return [note.code for note in result.notes]


def text_of(result, code):
    return next(note.text for note in result.notes if note.code == code)


def shift_by_hand(experiment, first, second):
    """The median of the means of any two differences, positive where the first is better."""
    table = experiment.scores[:, :, 0, 0]
    places = [experiment.algorithms.index(name) for name in (second, first)]
    d = table[:, places[0]] - table[:, places[1]]
    i, j = np.triu_indices(len(d))
    return np.median((d[i] + d[j]) / 2)


def test_several_scales_are_stated():
    data = scores_of(scales="one")
    result = compare(data, scale="several")
    by_ranks = compare(data, pairs="exchange")
    assert compare(data).pairs == "wilcoxon"
    assert (result.pairs, result.adjust) == ("exchange", ("bergmann-hommel",))
    assert result.hypotheses.pvalue.tolist() == by_ranks.hypotheses.pvalue.tolist()
    assert result.hypotheses.wins.tolist() == by_ranks.hypotheses.wins.tolist()
    # the differences of these are shown, as nothing is stated of them
    assert by_ranks.hypotheses.estimate is not None
    assert result.hypotheses.estimate is None
    # which they do not: other units of the data sets leave them as they are
    units = 7.0 ** np.arange(len(data.datasets))[:, np.newaxis]
    other = Experiment.from_array(data.scores[:, :, 0, 0] * units, direction="minimize")
    tests = compare(other, scale="several").hypotheses
    for name in ("first", "second", "effect_size", "wins", "ties", "losses", "pvalue"):
        assert list(getattr(tests, name)) == list(getattr(result.hypotheses, name))
    assert list(tests.effect_size) == list((tests.wins - tests.losses) / len(data.datasets))
    assert "not-recommended" not in codes(result)
    assert result.design.options["scale"] == "several"
    assert from_json(result.to_json()).to_json() == result.to_json()


def test_data_sets_of_both_directions_have_no_common_unit():
    table = scores_of(scales="one").scores[:, :, 0, 0]
    plain = Experiment.from_array(table, direction="minimize")
    mixed = replace(plain, turned=plain.datasets[1:2])
    result = compare(mixed)
    assert (result.pairs, result.hypotheses.estimate) == ("exchange", None)
    assert "High scores are better on some data sets" in text_of(result, "no-estimates")
    stated = compare(mixed, scale="one")
    assert stated.pairs == "wilcoxon"
    assert stated.hypotheses.estimate is not None


def test_one_scale_is_stated():
    data = scores_of(scales="several")
    result = compare(data, scale="one")
    assert compare(data).pairs == "exchange"
    assert result.pairs == "wilcoxon"
    tests = result.hypotheses
    asked = compare(data, pairs="wilcoxon")
    assert tests.pvalue.tolist() == asked.hypotheses.pvalue.tolist()
    assert asked.hypotheses.estimate is None
    by_hand = [shift_by_hand(data, *pair) for pair in zip(tests.first, tests.second, strict=True)]
    assert tests.estimate == pytest.approx(by_hand, rel=1e-12)
    assert (tests.lower <= tests.estimate).all()
    assert (tests.estimate <= tests.upper).all()
    assert not {"not-recommended", "no-estimates"} & set(codes(result))


@pytest.mark.parametrize(
    ("scales", "said", "pairs"), [("one", "several", "wilcoxon"), ("several", "one", "exchange")]
)
def test_what_is_asked_for_is_done_and_noted(scales, said, pairs):
    data = scores_of(scales=scales)
    result = compare(data, scale=said, pairs=pairs)
    assert result.pairs == pairs
    assert "Recommended for these data" in text_of(result, "not-recommended")
    # unless stated otherwise, the same choice is the one that is recommended
    assert "not-recommended" not in codes(compare(data, pairs=pairs))
    assert (result.hypotheses.estimate is None) == (said == "several")


@pytest.mark.parametrize("scales", ["one", "several"])
@pytest.mark.parametrize("said", ["auto", "one", "several"])
def test_all_functions_agree(scales, said):
    data = scores_of(scales=scales)
    one = said == "one" or (said, scales) == ("auto", "one")
    expected = "wilcoxon" if one else "exchange"
    result, advice = compare(data, scale=said), recommend(data, scale=said)
    assert (result.pairs, advice.pairs) == (expected, expected)
    assert ("scale" in advice.options) == (said != "auto")
    followed = compare(data, **advice.options)
    assert followed.to_frame().equals(result.to_frame())
    assert "not-recommended" not in codes(followed)
    varied = sensitivity(data, scale=said)
    assert varied.primary.to_json() == result.to_json()
    assert ("aligned" in varied.left_out) == (not one)
    groups = {name: "odd" if i % 2 else "even" for i, name in enumerate(data.datasets)}
    by_group = compare_by(data, by=groups, scale=said)
    for name, found in by_group.groups.items():
        part = data.select(datasets=[key for key in data.datasets if groups[key] == name])
        alone = compare(part, scale=said)
        assert (alone.pairs, alone.hypotheses.has_estimates) == (expected, one)
        assert found.to_json() == alone.to_json()
    text = latex_supplement(data, scale=said, rankings="friedman", control="A1")
    assert ("Estimated differences" in text) == one


def test_gaps_keep_their_own_reason():
    table = scores_of(scales="one").scores[:, :, 0, 0].copy()
    table[0, 0] = np.nan
    data = Experiment.from_array(table, direction="minimize")
    for pairs in ("ranks", "exchange"):
        result = compare(data, missing="skillings-mack", scale="one", pairs=pairs)
        assert (result.pairs, result.hypotheses.estimate) == (pairs, None)
    stated = sensitivity(data, missing="skillings-mack", scale="one")
    assert stated.primary.pairs == "wilcoxon"
    several = sensitivity(data, missing="skillings-mack", scale="several")
    assert several.primary.pairs == "exchange"


def test_average_ranks_alone_have_no_scale():
    result = compare_ranks({"A": 1.2, "B": 2.1, "C": 2.7}, 9)
    assert result.design.options["scale"] == "auto"
