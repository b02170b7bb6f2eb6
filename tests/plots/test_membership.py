"""Fuzzy p-values: the outline holds the cuts, and agrees with possibility and necessity."""

import dataclasses

import numpy as np
import pytest
from matplotlib.colors import to_rgb

from nbcompare.plots import membership
from nbcompare.results import Labelled


def texts_of(artists):
    return [artist.get_text() for artist in artists if hasattr(artist, "get_text")]


def p_of(plot):
    """A function from places to p-values."""
    left, right = plot.artists["axis"][0].get_xdata()
    lowest = texts_of(plot.artists["axis"])[0].removeprefix("≤ ")
    return lambda x: 10 ** (np.log10(float(lowest)) * (right - np.asarray(x)) / (right - left))


def outlines(plot):
    """(p, membership) of the corners of each set."""
    unit = max(np.ptp(shape.get_xy()[:, 1]) for shape in plot.artists["sets"])
    for shape in plot.artists["sets"]:
        corners = shape.get_xy()
        yield p_of(plot)(corners[:, 0]), (corners[0, 1] - corners[:, 1]) / unit


def columns(plot):
    """Texts of the columns by header."""
    texts, n = texts_of(plot.artists["columns"]), len(plot.artists["names"])
    return {texts[i]: texts[i + 1 : i + 1 + n] for i in range(0, len(texts), n + 1)}


@pytest.fixture
def fuzzy(simulated, stochastic):
    return stochastic(simulated(60, 6, spread=1), procedure="fuzzy", slack=0.1)


def test_heights_on_either_side_of_alpha_are_possibility_and_necessity(fuzzy):
    plot, found = membership(fuzzy), fuzzy.hypotheses.fuzzy
    assert len(set(fuzzy.hypotheses.outcome)) == 3
    for row, (p, height) in enumerate(outlines(plot)):
        assert height.max() == pytest.approx(1)
        within = height[p <= 0.05 * (1 + 1e-9)].max(initial=0)
        beyond = height[p > 0.05 * (1 + 1e-9)].max(initial=0)
        assert within == pytest.approx(found.possibility[row])
        assert beyond == pytest.approx(1 - found.necessity[row])


def test_outlines_hold_the_cuts(fuzzy):
    found = fuzzy.hypotheses.fuzzy
    floor = 1e-6
    for row, (p, height) in enumerate(outlines(membership(fuzzy))):
        for level, coverage in enumerate(found.coverages):
            at_least = p[height >= 1 - coverage - 1e-9]
            low, high = (max(end[row, level], floor) for end in (found.low, found.high))
            assert (at_least.min(), at_least.max()) == pytest.approx((low, high))


def test_the_cut_that_decides_stands_at_its_coverage(fuzzy):
    plot = membership(fuzzy)
    low, high = fuzzy.hypotheses.decisive
    bases = [shape.get_xy()[0, 1] for shape in plot.artists["sets"]]
    unit = max(np.ptp(shape.get_xy()[:, 1]) for shape in plot.artists["sets"])
    for row, cut in enumerate(plot.artists["cuts"]):
        assert (bases[row] - cut.get_ydata()) / unit == pytest.approx([0.5, 0.5])
        if high[row] > 1.2 * low[row] > 2e-6:
            assert p_of(plot)(cut.get_xdata()) == pytest.approx([low[row], high[row]])
    assert texts_of(plot.artists["legend"])[-1] == "cut that decides, at coverage 0.5"


@pytest.mark.parametrize("procedure", ["interval", "bootstrap-b"])
def test_intervals_are_rectangles_and_points_are_lines(simulated, stochastic, procedure):
    result = stochastic(simulated(20, 5), procedure=procedure)
    low, high = (np.maximum(end, 1e-6) for end in result.hypotheses.decisive)
    assert (low == high).any()
    plot = membership(result)
    for row, (p, height) in enumerate(outlines(plot)):
        assert p[:4] == pytest.approx([low[row], low[row], high[row], high[row]])
        assert height[:4] == pytest.approx([0, 1, 1, 0])
    assert plot.artists["cuts"] == ()
    assert columns(plot)["p"] == [result.hypotheses.decisive_text(row) for row in range(10)]


def test_outcomes_are_told_apart_without_colour(fuzzy):
    plot = membership(fuzzy)
    styles = {}
    for shape, word in zip(plot.artists["sets"], fuzzy.hypotheses.outcome, strict=True):
        grey = round(float(np.dot(to_rgb(shape.get_facecolor()), (0.3, 0.6, 0.1))), 2)
        styles.setdefault(word, set()).add((shape.get_hatch(), grey))
    assert {word: len(found) for word, found in styles.items()} == dict.fromkeys(styles, 1)
    (hatched,) = styles["inconclusive"]
    (filled,), (empty,) = styles["rejected"], styles["not rejected"]
    assert hatched[0] is not None
    assert filled[0] is empty[0] is None
    assert empty[1] - filled[1] > 0.3
    assert columns(plot)["outcome"] == list(fuzzy.hypotheses.outcome)


def test_words_at_the_right(fuzzy):
    found = fuzzy.hypotheses.fuzzy
    shown = columns(membership(fuzzy))
    assert list(shown) == ["outcome", "Π", "N", "c*"]
    assert [float(text) for text in shown["Π"]] == pytest.approx(found.possibility, abs=0.005)
    assert [float(text) for text in shown["N"]] == pytest.approx(found.necessity, abs=0.005)
    turning = [None if text == "none" else float(text) for text in shown["c*"]]
    assert turning == pytest.approx(list(found.turning), abs=0.005)
    assert None in turning


def test_alpha_and_what_lies_below_it(fuzzy):
    plot = membership(dataclasses.replace(fuzzy, alpha=0.01))
    tint, line, label = plot.artists["line"]
    assert p_of(plot)(line.get_xdata()) == pytest.approx([0.01, 0.01])
    assert tint.get_xy()[:, 0].max() == pytest.approx(line.get_xdata()[0])
    assert label.get_text() == "α = 0.01"


@pytest.mark.parametrize(("alpha", "lowest"), [(1e-9, "1e-10"), (0.5, "0.01"), (0.9, "0.01")])
def test_any_level_is_on_the_axis(simulated, stochastic, check_legible, alpha, lowest):
    result = stochastic(simulated(5, 3, spread=0), procedure="interval", alpha=alpha, adjust=())
    plot = membership(result)
    check_legible(plot)
    assert texts_of(plot.artists["axis"])[0] == lowest
    assert p_of(plot)(plot.artists["line"][1].get_xdata()) == pytest.approx([alpha, alpha])


def test_p_too_small_for_the_axis_stands_at_its_end(simulated, stochastic, check_legible):
    result = stochastic(simulated(2000, 3, spread=5), procedure="interval")
    assert result.hypotheses.p_high.max() < 1e-6
    plot = membership(result)
    check_legible(plot)
    assert texts_of(plot.artists["axis"])[0] == "≤ 1e-06"
    assert all(p == pytest.approx([1e-6] * len(p)) for p, _ in outlines(plot))


@pytest.mark.slow
def test_rows_by_number_by_algorithm_or_by_pair(fuzzy):
    tests = fuzzy.hypotheses
    names = [f"{a} vs. {b}" for a, b in zip(tests.first, tests.second, strict=True)]

    def drawn(rows):
        return texts_of(membership(fuzzy, rows).artists["names"])

    assert drawn(None) == drawn(15) == drawn(100) == names
    assert drawn(2) == names[:2]
    assert drawn("A4") == [name for name in names if "A4" in name]
    assert drawn([("A4", "A2"), ("A1", "A2")]) == ["A2 vs. A4", "A1 vs. A2"]


@pytest.mark.slow
def test_most_rows_are_left_out_and_the_caption_says_so(simulated, stochastic, check_legible):
    result = stochastic(simulated(20, 10), procedure="fuzzy")
    plot = membership(result)
    assert len(plot.artists["sets"]) == 20
    assert plot.ax.texts[0].get_text().endswith("\n20 of 45 comparisons")
    compact = membership(result, 45)
    check_legible(compact)
    assert len(compact.artists["sets"]) == 45
    assert compact.figure.get_size_inches()[1] < 16


@pytest.mark.parametrize(
    ("rows", "error", "message"),
    [
        (0, ValueError, r"`rows` must be a whole number of at least 1; got 0\."),
        ("A9", ValueError, r"`rows` must be one of 'A1', .*; got 'A9'\."),
        (
            [("A1", "A9")],
            ValueError,
            r"`rows` must list pairs of names that were compared, such as \('A\d', 'A\d'\); "
            r"got \('A1', 'A9'\)\.",
        ),
        (["A1", "A2"], ValueError, r"`rows` must list pairs of names .*; got 'A1'\."),
        ([3], ValueError, r"`rows` must list pairs of names .*; got 3\."),
        ([], ValueError, r"`rows` must list pairs of names .*; got none\."),
        (
            object,
            TypeError,
            r"`rows` must be a number, the name of an algorithm, or a list of comparisons; "
            r"got <class 'object'>\.",
        ),
    ],
)
def test_rows_that_are_not_there(fuzzy, rows, error, message):
    with pytest.raises(error, match=f"^{message}$"):
        membership(fuzzy, rows)


def test_alt_text_says_what_the_picture_says(simulated, stochastic):
    result = stochastic(simulated(30, 3), procedure="fuzzy")
    tests = result.hypotheses
    ends = {"holm": np.array([0.01, 0.2, 1])}
    result = dataclasses.replace(
        result,
        hypotheses=dataclasses.replace(
            tests,
            first=("A1", "A1", "A2"),
            second=("A3", "A2", "A3"),
            adjusted_low=Labelled(ends),
            adjusted_high=Labelled(ends),
            outcome=("rejected", "not rejected", "not rejected"),
            fuzzy=dataclasses.replace(
                tests.fuzzy,
                possibility=np.array([1, 0.2, 0]),
                necessity=np.array([0.9, 0, 0]),
                turning=(0.9, 0.8, None),
            ),
        ),
    )
    assert membership(result).alt == (
        "Membership functions of adjusted p-values on a logarithmic axis (Fuzzy p-values of "
        "Wilcoxon's signed-rank test, Holm, α = 0.05, 30 data sets). A1 vs. A3: rejected, Π 1.00, "
        "N 0.90, c* 0.90; A1 vs. A2: not rejected, Π 0.20, N 0.00, c* 0.80; A2 vs. A3: not "
        "rejected, Π 0.00, N 0.00, c* none."
    )
