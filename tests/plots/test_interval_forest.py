"""Intervals in rows: the better algorithm first, the right ends, and what is filled."""

import re

import numpy as np
import pytest

import nbcompare as nbc
from nbcompare.plots import interval_forest
from nbcompare.plots._plot import marks_of
from nbcompare.results.hypotheses import DECISIONS


def texts(plot, part):
    return [text.get_text().replace("\n", " ") for text in plot.artists[part]]


def columns(plot):
    """Texts of the columns by header."""
    found, n = texts(plot, "columns"), len(plot.artists["names"])
    return {found[i]: found[i + 1 : i + 1 + n] for i in range(0, len(found), n + 1)}


def ends(plot):
    return np.array([line.get_xdata() for line in plot.artists["intervals"]])


def x_of(plot, part):
    return [float(mark.get_xdata()[0]) for mark in plot.artists[part]]


def look(mark):
    """How a mark is filled, and its shape."""
    fill = "half" if mark.get_fillstyle() == "left" else "full"
    return ("open" if mark.get_markerfacecolor() == "white" else fill), mark.get_marker()


def legend(plot):
    return [text.get_text() for box in plot.artists["legend"] for text in box.get_texts()]


@pytest.fixture
def result(simulated, stochastic):
    return stochastic(simulated(60, 6, spread=1), slack=0.1)


# ------------------------------------------------------------------- a comparison by ranks


@pytest.mark.parametrize(
    ("pairs", "control", "intervals"),
    [
        ("wilcoxon", None, "simultaneous"),
        ("wilcoxon", "A4", "pairwise"),
        ("t", None, "pairwise"),
        ("t", "A4", "simultaneous"),
    ],
)
def test_the_better_algorithm_is_first_and_the_difference_positive(
    simulated, pairs, control, intervals
):
    result = nbc.compare(simulated(30, 4), pairs=pairs, control=control, intervals=intervals)
    tests = result.hypotheses
    plot = interval_forest(result)
    assert plot.ax.get_ylim()[0] > plot.ax.get_ylim()[1]
    for row, name in enumerate(texts(plot, "names")):
        given = tests.estimate[row], tests.lower[row], tests.upper[row]
        pair = [tests.first[row], tests.second[row]]
        if tests.statistic[row] < 0:
            pair, given = pair[::-1], (-given[0], -given[2], -given[1])
        assert name == " – ".join(pair)
        assert given[0] > 0
        assert [x_of(plot, "points")[row], *ends(plot)[row]] == pytest.approx(given)
        written = columns(plot)["difference (95 % interval)"][row].replace("−", "-")
        told = re.findall(r"[\d.-]+", written)
        assert [*map(float, told)] == pytest.approx(given, abs=0.006)
        (mark,) = marks_of(plot.artists["points"][row])
        assert mark.title.startswith(f"{name}: difference {written}; adjusted p")
        assert mark.names == tuple(pair)
        assert mark.pair
    if control is not None:
        assert not all(name.startswith("A4") for name in texts(plot, "names"))
    assert columns(plot)["adjusted p"] == [tests.decisive(row) for row in range(len(tests))]
    filled = [look(mark)[0] == "full" for mark in plot.artists["points"]]
    assert filled == tests.rejected.tolist()
    assert set(legend(plot)) <= {"significant", "not significant"}
    zero, label = plot.artists["line"]
    assert (zero.get_xdata()[0], label.get_text()) == (0, "no difference")
    kind = {"simultaneous": "simultaneous 95 % intervals", "pairwise": "95 % intervals, each by"}
    assert kind[intervals] in plot.alt
    assert interval_forest(result, "differences").alt == plot.alt


def test_it_says_what_the_table_says():
    result = nbc.compare(nbc.datasets.load("demsar2006"), control="C4.5")
    plot = interval_forest(result)
    assert texts(plot, "names") == ["C4.5+m – C4.5", "C4.5+m+cf – C4.5", "C4.5+cf – C4.5"]
    assert "C4.5+m – C4.5 0.0130 (0.0005 to 0.0320) (significant)" in plot.alt
    assert "rejected" not in plot.alt
    assert plot.ax.get_xlabel().replace("\n", " ") == (
        "Hodges–Lehmann shift of AUC, first minus second; higher is better"
    )


@pytest.mark.slow
def test_a_margin_is_a_band_and_squares_are_within_it(simulated):
    result = nbc.compare(simulated(60, 6), margin=1.1)
    plot, tests = interval_forest(result), result.hypotheses
    (band,) = plot.artists["band"]
    assert (band.get_x(), band.get_x() + band.get_width()) == pytest.approx((-1.1, 1.1))
    looks = {
        word: look(mark) for word, mark in zip(tests.outcome, plot.artists["points"], strict=True)
    }
    assert looks == {
        "different": ("full", "o"),
        "different but negligible": ("full", "s"),
        "equivalent": ("open", "s"),
        "inconclusive": ("half", "o"),
    }
    assert set(legend(plot)) == {*DECISIONS, "within the margin of 1.1"}
    assert "decisions with a margin of 1.1" in plot.alt
    for name, word in zip(texts(plot, "names"), tests.outcome, strict=True):
        assert name in plot.alt
        assert f"({word})" in plot.alt
    other = interval_forest(nbc.compare(simulated(30, 4), margin=1.0, intervals="pairwise"))
    assert "95 % intervals, each by itself; decisions with a margin of 1, by 99.17 %" in other.alt


def test_a_pair_without_a_finite_interval_is_a_point(simulated):
    scores = simulated(12, 3).mean_scores.copy()
    scores[5:, 0], scores[:2, 1] = np.nan, np.nan
    data = nbc.Experiment.from_array(scores, direction="minimize")
    result = nbc.compare(data, missing="skillings-mack", pairs="wilcoxon")
    finite = np.isfinite(result.hypotheses.lower)
    assert 0 < finite.sum() < len(finite)
    plot = interval_forest(result)
    assert len(plot.artists["points"]) == len(finite)
    rows = [line.get_ydata()[0] for line in plot.artists["intervals"]]
    assert rows == np.flatnonzero(finite).tolist()


@pytest.mark.parametrize("options", [{"pairs": "ranks"}, {"intervals": "none"}])
def test_a_comparison_without_intervals(simulated, options):
    with pytest.raises(ValueError, match="`result` must have intervals of the diff") as no:
        interval_forest(nbc.compare(simulated(12, 3), **options))
    assert "pairs='wilcoxon'" in str(no.value)
    assert "intervals='simultaneous'" in str(no.value)


def test_a_comparison_has_differences_only(simulated):
    result = nbc.compare(simulated(12, 3))
    with pytest.raises(ValueError, match="`what` must be 'differences' for a comparison by ranks"):
        interval_forest(result, "means")
    with pytest.raises(ValueError, match="`overall` must not be True: a comparison by ranks"):
        interval_forest(result, overall=True)
    assert texts(interval_forest(result, rows=[("A3", "A1")]), "names") == ["A1 – A3"]


@pytest.mark.slow
def test_of_many_pairs_those_with_the_smallest_p(simulated):
    result = nbc.compare(simulated(20, 14), pairs="t", adjust="holm")
    plot = interval_forest(result)
    assert len(plot.artists["points"]) == 30
    assert "the 30 pairs with the smallest p of 91" in plot.alt
    (caption,) = plot.artists["caption"]
    assert "the 30 pairs with the smallest p of 91" in caption.get_text().replace("\n", " ")
    assert "(" in plot.alt.split("30 rows: ")[1]
    assert interval_forest(result, rows=91).alt.endswith("; 46 more.")


# ------------------------------------------------------------------- on one data set


def test_differences_on_one_data_set(simulated):
    scores = simulated(20, 4).mean_scores.T[np.newaxis]
    folds = nbc.Experiment.from_array(scores, direction="minimize")
    result = nbc.compare_cv(folds, control="A3", ratio=1 / 9)
    plot, tests = interval_forest(result), result.hypotheses
    assert (np.array(x_of(plot, "points")) >= 0).all()
    for row, name in enumerate(texts(plot, "names")):
        sign = 1 if name == f"{tests.first[row]} – {tests.second[row]}" else -1
        assert sign * tests.mean_difference[row] == pytest.approx(x_of(plot, "points")[row])
        bounds = sorted([sign * result.lower[row], sign * result.upper[row]])
        assert ends(plot)[row] == pytest.approx(bounds)
        assert sorted(name.split(" – ")) == sorted([tests.first[row], tests.second[row]])
    with pytest.raises(ValueError, match="for a comparison on one data set"):
        interval_forest(result, "pvalues")


# ------------------------------------------------------------------- stochastic algorithms


def test_means_from_the_best_on(result):
    plot = interval_forest(result)
    assert texts(plot, "names") == list(result.ordered)
    low, high = ([e[n] for n in result.ordered] for e in (result.mean_low, result.mean_high))
    assert ends(plot) == pytest.approx(np.array([low, high]).T)
    assert "line" not in plot.artists
    assert "legend" not in plot.artists


def test_a_control_and_what_differs_from_it(simulated, stochastic):
    result = stochastic(simulated(60, 6, spread=1), control="A2", slack=0.1)
    plot = interval_forest(result)
    of = dict(zip(result.hypotheses.second, result.hypotheses.outcome, strict=True))
    fills = {"significant": "full", "not significant": "open", "inconclusive": "half"}
    assert set(of.values()) == set(fills)
    for name, line in zip(texts(plot, "names"), plot.artists["intervals"], strict=True):
        assert look(line) == (("full", "D") if name == "A2" else (fills[of[name]], "o"))
    strong = [it.get_text() for it in plot.artists["names"] if it.get_fontweight() == "bold"]
    assert strong == ["A2"]
    assert set(legend(plot)) == {"significant", "inconclusive", "not significant", "control"}


@pytest.mark.slow
def test_p_values_of_pairs_and_against_the_mean_of_all(result):
    for rows, overall in ((result.overall, None), (result.hypotheses, False)):
        plot = interval_forest(result, "pvalues", overall=overall)
        assert plot.ax.get_xscale() == "log"
        assert ends(plot) == pytest.approx(np.maximum(np.array(rows.decisive).T, 1e-6))
        alpha = plot.artists["line"][1]
        assert alpha.get_xdata()[0] == 0.05
        fills = {"significant": "full", "not significant": "open", "inconclusive": "half"}
        drawn = [look(line)[0] for line in plot.artists["intervals"]]
        assert drawn == [fills[word] for word in rows.outcome]


@pytest.mark.slow
def test_differences_have_the_better_first(result):
    plot, rows = interval_forest(result, "differences"), result.hypotheses
    middles = ends(plot).mean(axis=1)
    assert (middles >= 0).all()
    given = (rows.difference_low + rows.difference_high) / 2
    assert middles == pytest.approx(np.abs(given))
    turned = [
        f"{b} – {a}" if gap < 0 else f"{a} – {b}"
        for a, b, gap in zip(rows.first, rows.second, given, strict=True)
    ]
    assert texts(plot, "names") == turned
    assert texts(interval_forest(result, "pvalues", overall=False), "names") == turned
    plot = interval_forest(result, "differences", overall=True)
    of = result.overall
    assert ends(plot) == pytest.approx(np.array([of.difference_low, of.difference_high]).T)


def test_a_procedure_without_a_mean_of_all(simulated, stochastic):
    result = stochastic(simulated(20, 4), procedure="interval")
    assert len(interval_forest(result, "pvalues").artists["names"]) == 6
    message = (
        r"^`overall` must not be True: only the bootstrap tests compare each algorithm with the "
        r"mean of all, and the procedure is 'interval'\.$"
    )
    with pytest.raises(ValueError, match=message):
        interval_forest(result, "pvalues", overall=True)


@pytest.mark.slow
def test_rows_by_number_by_algorithm_or_by_name(result):
    def names(*args):
        return texts(interval_forest(result, *args), "names")

    assert names(None, 2) == list(result.ordered[:2])
    assert names(None, ["A6", "A1"]) == ["A6", "A1"]
    assert names("pvalues", ["A3"]) == ["A3"]
    pairs = names("differences", "A3")
    assert len(pairs) == 5
    assert all("A3" in pair for pair in pairs)
    assert "1 of 15 pairs" in interval_forest(result, "differences", [("A3", "A1")]).alt
    with pytest.raises(ValueError, match=r"^`rows` must list names that were compared, such as "):
        interval_forest(result, rows=["A1", "A9"])
    with pytest.raises(
        ValueError, match=r"^`what` must be 'means', 'pvalues' or 'differences'; got"
    ):
        interval_forest(result, "p")


def test_numbers_may_be_left_to_a_table():
    result = nbc.compare(nbc.datasets.load("demsar2006"))
    plot, bare = interval_forest(result), interval_forest(result, numbers=False)
    assert columns(plot)["adjusted p"]
    assert "columns" not in bare.artists
    assert (bare.alt, x_of(bare, "points")) == (plot.alt, x_of(plot, "points"))
