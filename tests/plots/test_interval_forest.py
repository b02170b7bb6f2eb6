"""Intervals in rows: the right ends, and the outcome of each."""

import dataclasses

import numpy as np
import pytest

import nbcompare as nbc
from nbcompare.plots import interval_forest
from nbcompare.results import Labelled


def texts_of(artists):
    return [artist.get_text() for artist in artists if hasattr(artist, "get_text")]


def names(plot):
    return [text.replace("\n", " ") for text in texts_of(plot.artists["names"])]


def columns(plot):
    """Texts of the columns by header."""
    texts, n = texts_of(plot.artists["columns"]), len(plot.artists["names"])
    return {texts[i]: texts[i + 1 : i + 1 + n] for i in range(0, len(texts), n + 1)}


def value_of(plot, *, log):
    """A function from places to values, by the first and the last tick."""
    ticks = [item for item in plot.artists["axis"] if hasattr(item, "get_text")][:-1]
    at = [text.get_position()[0] for text in ticks]
    values = [float(t.get_text().removeprefix("≤ ").replace("−", "-")) for t in ticks]
    values = np.log10(values) if log else np.array(values)
    slope = (values[-1] - values[0]) / (at[-1] - at[0])
    to_value = lambda x: values[0] + slope * (np.asarray(x) - at[0])  # noqa: E731
    return (lambda x: 10 ** to_value(x)) if log else to_value


def ends(plot, *, log=False):
    """Lower and upper end of each row; a mark stands in the middle."""
    to_value = value_of(plot, log=log)
    for artist in plot.artists["intervals"]:
        x = artist.get_xy()[:, 0] if hasattr(artist, "get_xy") else artist.get_xdata()
        yield tuple(float(end) for end in to_value([x.min(), x.max()]))


def check_ends(plot, low, high, *, log=False):
    axis = plot.artists["axis"][0].get_xdata()
    to_value = value_of(plot, log=log)
    inch = np.log10(to_value(axis[0] + 1) / to_value(axis[0])) if log else np.ptp(to_value([0, 1]))
    for drawn, *expected in zip(ends(plot, log=log), low, high, strict=True):
        drawn, expected = (np.log10(v) if log else np.array(v) for v in (drawn, expected))
        if np.ptp(expected) > 0.09 * inch:
            assert drawn == pytest.approx(expected, abs=1e-6 * inch)
        else:  # a mark
            assert drawn == pytest.approx([np.mean(expected)] * 2, abs=1e-6 * inch)


@pytest.fixture
def result(simulated, stochastic):
    return stochastic(simulated(60, 6, spread=1), slack=0.1)


def test_means_from_the_best_on(result):
    plot = interval_forest(result)
    assert names(plot) == list(result.ordered)
    low, high = ([e[n] for n in result.ordered] for e in (result.mean_low, result.mean_high))
    check_ends(plot, low, high)
    assert plot.artists["line"] == ()
    assert texts_of(plot.artists["legend"]) == []


def test_p_values_of_pairs_and_against_the_mean_of_all(result):
    for rows, overall in ((result.overall, None), (result.hypotheses, False)):
        plot = interval_forest(result, "pvalues", overall=overall)
        check_ends(plot, *(np.maximum(end, 1e-6) for end in rows.decisive), log=True)
        alpha = value_of(plot, log=True)(plot.artists["line"][1].get_xdata())
        assert alpha == pytest.approx([0.05, 0.05])
        words = [text.split(" ", 1)[1] for text in columns(plot)["outcome"]]
        assert words == list(rows.outcome)
    assert names(plot)[0] == f"{rows.first[0]} vs. {rows.second[0]}"


def test_differences_with_zero(result):
    for rows, overall in ((result.hypotheses, None), (result.overall, True)):
        plot = interval_forest(result, "differences", overall=overall)
        check_ends(plot, rows.difference_low, rows.difference_high)
        zero = value_of(plot, log=False)(plot.artists["line"][0].get_xdata())
        assert zero == pytest.approx([0, 0], abs=1e-9)


def test_a_procedure_without_a_mean_of_all(simulated, stochastic):
    result = stochastic(simulated(20, 4), procedure="interval")
    plot = interval_forest(result, "pvalues")
    assert len(plot.artists["names"]) == 6
    message = (
        r"^`overall` must not be True: only the bootstrap tests compare each algorithm with the "
        r"mean of all, and the procedure is 'interval'\.$"
    )
    with pytest.raises(ValueError, match=message):
        interval_forest(result, "pvalues", overall=True)


def test_otero_2013_table_7(result, check_legible):
    """AUC: p-values of Bootstrap-B as printed."""
    low = np.array([0.07, 0.005, 0.03, 0.4, 1])
    high = np.array([0.3, 0.005, 0.03, 1, 1])
    names = ("FURIA", "LDA", "1NN", "NNET", "C4.5")
    outcome = ("not rejected", "rejected", "rejected", "not rejected", "not rejected")
    row = np.zeros(5)
    printed = dataclasses.replace(
        result.overall,
        first=names,
        p_low=low,
        p_high=high,
        adjusted_low=Labelled(),
        adjusted_high=Labelled(),
        outcome=outcome,
        favours=row.astype(int),
        difference_low=row,
        difference_high=row,
    )
    plot = interval_forest(dataclasses.replace(result, overall=printed), "pvalues")
    check_legible(plot)
    check_ends(plot, low, high, log=True)
    assert columns(plot)["outcome"] == [
        "○ not rejected",
        "● rejected",
        "● rejected",
        "○ not rejected",
        "○ not rejected",
    ]
    assert plot.alt == (
        "Intervals of unadjusted p-values against the mean of all on a logarithmic axis "
        "(Bootstrap-B, unadjusted, α = 0.05, 60 data sets), 5 rows: FURIA [0.0700, 0.3000] (not "
        "rejected); LDA 0.0050 (rejected); 1NN 0.0300 (rejected); NNET [0.4000, 1] (not "
        "rejected); C4.5 1 (not rejected)."
    )


def test_outcomes_are_told_apart_without_colour(result):
    plot = interval_forest(result, "pvalues", overall=False)
    bars, marks = {}, {}
    drawn = plot.artists["intervals"]
    for artist, word in zip(drawn, result.hypotheses.outcome, strict=True):
        if hasattr(artist, "get_hatch"):
            bars.setdefault(word, set()).add((artist.get_hatch(), artist.get_facecolor()))
        else:
            style = artist.get_fillstyle(), artist.get_markerfacecolor()
            marks.setdefault(word, set()).add(style)
    assert set(bars) == {"rejected", "not rejected", "inconclusive"}
    assert {word: bool(hatch) for word, ((hatch, _),) in bars.items()} == {
        "rejected": False,
        "not rejected": False,
        "inconclusive": True,
    }
    assert bars["rejected"] != bars["not rejected"] == {(None, (1, 1, 1, 1))}
    assert marks["rejected"] == {("full", "black")}


def test_a_control_and_what_differs_from_it(simulated, stochastic, check_legible):
    result = stochastic(simulated(60, 6, spread=1), control="A2", slack=0.1)
    plot = interval_forest(result)
    check_legible(plot)
    shown = dict(zip(names(plot), columns(plot)["against A2"], strict=True))
    by_name = dict(zip(result.hypotheses.second, result.hypotheses.outcome, strict=True))
    assert shown == by_name | {"A2 (control)": "control"}
    assert len(set(by_name.values())) == 3
    bold = [text.get_text() for text in plot.artists["names"] if text.get_fontweight() == "bold"]
    assert bold == ["A2 (control)"]


def test_rows_by_number_by_algorithm_or_by_name(result):
    assert names(interval_forest(result, rows=2)) == list(result.ordered[:2])
    assert names(interval_forest(result, rows=["A6", "A1"])) == ["A6", "A1"]
    assert names(interval_forest(result, "pvalues", ["A3"])) == ["A3"]
    pairs = names(interval_forest(result, "differences", "A3"))
    assert len(pairs) == 5
    assert all("A3" in pair for pair in pairs)
    plot = interval_forest(result, "differences", [("A3", "A1")])
    assert names(plot) == ["A1 vs. A3"]
    assert plot.ax.texts[0].get_text().endswith("\n1 of 15 comparisons")
    with pytest.raises(ValueError, match=r"^`rows` must list names that were compared, such as "):
        interval_forest(result, rows=["A1", "A9"])


@pytest.mark.slow
def test_many_pairs_are_cut(simulated, stochastic, check_legible):
    plot = interval_forest(stochastic(simulated(20, 14)), "differences")
    check_legible(plot)
    assert len(plot.artists["intervals"]) == 45
    assert "45 of 91 comparisons" in plot.alt


def test_what_must_be_one_of_three(result):
    message = r"^`what` must be 'means', 'pvalues' or 'differences'; got 'p'\."
    with pytest.raises(ValueError, match=message):
        interval_forest(result, "p")


# ------------------------------------------------------------------- a comparison by ranks


def number(text):
    return float(text.replace("−", "-"))


@pytest.mark.parametrize("pairs", ["wilcoxon", "t"])
@pytest.mark.parametrize("control", [None, "A2"])
@pytest.mark.parametrize("intervals", ["simultaneous", "pairwise"])
def test_differences_of_a_comparison(simulated, pairs, control, intervals, check_legible):
    result = nbc.compare(simulated(30, 4), pairs=pairs, control=control, intervals=intervals)
    tests = result.hypotheses
    plot = interval_forest(result)
    check_legible(plot)
    check_ends(plot, tests.lower, tests.upper)
    assert interval_forest(result, "differences").alt == plot.alt
    assert names(plot) == [f"{a} vs. {b}" for a, b in zip(tests.first, tests.second, strict=True)]
    shown = columns(plot)
    for row, text in enumerate(shown["difference, 95 % interval"]):
        estimate, low, _, high = text.replace("(", "").replace(")", "").split()
        expected = tests.estimate[row], tests.lower[row], tests.upper[row]
        assert [number(part) for part in (estimate, low, high)] == pytest.approx(
            expected, abs=0.006
        )
    assert shown["adjusted p"] == [tests.decisive(row) for row in range(len(tests))]
    words = ["● rejected" if rejected else "○ not rejected" for rejected in tests.rejected]
    assert shown["decision"] == words
    assert "no difference" in texts_of(plot.artists["line"])
    kind = {"simultaneous": "simultaneous 95 % intervals", "pairwise": "95 % intervals, each by"}
    assert kind[intervals] in plot.alt
    assert "margin" not in plot.alt + " ".join(texts_of(plot.artists["legend"]))


def test_a_margin_is_a_band_and_within_it_is_a_net(simulated, check_legible):
    result = nbc.compare(simulated(60, 6), margin=1.1)
    plot, tests = interval_forest(result), result.hypotheses
    check_legible(plot)
    check_ends(plot, tests.lower, tests.upper)
    band = plot.artists["line"][0].get_xy()[:, 0]
    edges = value_of(plot, log=False)([band.min(), band.max()])
    assert edges == pytest.approx([-1.1, 1.1], abs=1e-6)
    words = [text.split(" ", 1)[1] for text in columns(plot)["decision"]]
    assert words == list(tests.outcome)
    assert set(words) == {"different", "different but negligible", "equivalent", "inconclusive"}
    styles = {
        word: (bar.get_facecolor(), bar.get_hatch())
        for word, bar in zip(words, plot.artists["intervals"], strict=True)
    }
    assert len(set(styles.values())) == 4
    net = styles["equivalent"][1]
    assert net == styles["different but negligible"][1] not in (None, styles["inconclusive"][1])
    assert styles["different"][1] is None
    legend = texts_of(plot.artists["legend"])
    assert legend == [*dict.fromkeys(nbc.results.decisions.DECISIONS), "within the margin of 1.1"]
    assert "decisions with a margin of 1.1" in plot.alt
    for row, word in enumerate(tests.outcome):
        assert f"{tests.first[row]} vs. {tests.second[row]}" in plot.alt
        assert f"({word})" in plot.alt


def test_decisions_by_other_intervals_than_those_shown_are_told(simulated):
    plot = interval_forest(nbc.compare(simulated(30, 4), margin=1.0, intervals="pairwise"))
    assert "95 % intervals, each by itself; decisions with a margin of 1, by 99.17 %" in plot.alt


def test_short_intervals_are_marks(simulated, check_legible):
    scores = simulated(30, 3).mean_scores * 1e-4
    result = nbc.compare(nbc.Experiment.from_array(scores, direction="minimize"), margin=10.0)
    plot = interval_forest(result)
    check_legible(plot)
    for mark, word in zip(plot.artists["intervals"], result.hypotheses.outcome, strict=True):
        assert mark.get_marker() == "s"  # within the margin
        filled = mark.get_markerfacecolor() == "black"
        assert filled == (word == "different but negligible")


def test_a_pair_without_a_finite_interval_is_a_mark(simulated, check_legible):
    scores = simulated(12, 3).mean_scores.copy()
    scores[5:, 0], scores[:2, 1] = np.nan, np.nan
    data = nbc.Experiment.from_array(scores, direction="minimize")
    result = nbc.compare(data, missing="skillings-mack", pairs="wilcoxon")
    infinite = np.isinf(result.hypotheses.lower)
    assert infinite.any()
    assert not infinite.all()
    plot = interval_forest(result)
    check_legible(plot)
    drawn = [hasattr(artist, "get_xy") for artist in plot.artists["intervals"]]
    assert drawn == list(~infinite)


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
    assert names(interval_forest(result, rows=[("A3", "A1")])) == ["A1 vs. A3"]
