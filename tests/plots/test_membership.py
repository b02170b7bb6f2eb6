"""Fuzzy p-values: the outline holds the cuts, and agrees with possibility and necessity."""

import numpy as np
import pytest
from matplotlib.colors import to_hex

from nbcompare.plots import membership


def texts(plot, part):
    return [text.get_text() for text in plot.artists[part]]


def outlines(plot):
    """(p, membership) of the corners of each set."""
    for row, shape in enumerate(plot.artists["sets"]):
        corners = shape.get_xy()
        yield corners[:, 0], (row + 0.4 - corners[:, 1]) / 0.8


def columns(plot):
    """Texts of the columns by header."""
    found, n = texts(plot, "columns"), len(plot.artists["names"])
    return {found[i]: found[i + 1 : i + 1 + n] for i in range(0, len(found), n + 1)}


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
        assert within == pytest.approx(found.possibility[row], abs=1e-9)
        assert beyond == pytest.approx(1 - found.necessity[row], abs=1e-9)


def test_outlines_hold_the_cuts(fuzzy):
    found = fuzzy.hypotheses.fuzzy
    for row, (p, height) in enumerate(outlines(membership(fuzzy))):
        for level, coverage in enumerate(found.coverages):
            at_least = p[height >= 1 - coverage - 1e-9]
            low, high = (max(end[row, level], 1e-6) for end in (found.low, found.high))
            assert (at_least.min(), at_least.max()) == pytest.approx((low, high))


def test_the_cut_that_decides_stands_at_its_coverage(fuzzy):
    plot = membership(fuzzy)
    low, high = (np.maximum(end, 1e-6) for end in fuzzy.hypotheses.decisive)
    for row, cut in enumerate(plot.artists["cuts"]):
        assert (row + 0.4 - cut.get_ydata()) / 0.8 == pytest.approx([0.5, 0.5])
        assert cut.get_xdata() == pytest.approx([low[row], high[row]])
    (legend,) = plot.artists["legend"]
    assert legend.get_texts()[-1].get_text() == "cut that decides, at coverage 0.5"


@pytest.mark.parametrize("procedure", ["interval", "bootstrap-b"])
def test_intervals_are_rectangles_and_points_are_lines(simulated, stochastic, procedure):
    result = stochastic(simulated(20, 5), procedure=procedure)
    low, high = (np.maximum(end, 1e-6) for end in result.hypotheses.decisive)
    assert (low == high).any()
    plot = membership(result)
    for row, (p, height) in enumerate(outlines(plot)):
        assert p[:4] == pytest.approx([low[row], low[row], high[row], high[row]])
        assert height[:4] == pytest.approx([0, 1, 1, 0])
    assert "cuts" not in plot.artists
    assert columns(plot) == {"p": [result.hypotheses.decisive_text(row) for row in range(10)]}


def test_outcomes_are_told_apart_without_colour(fuzzy):
    styles = {}
    for shape, word in zip(
        membership(fuzzy).artists["sets"], fuzzy.hypotheses.outcome, strict=True
    ):
        styles.setdefault(word, set()).add((to_hex(shape.get_facecolor()), shape.get_hatch()))
    assert styles == {
        "significant": {("#a9cfe8", None)},
        "inconclusive": {("#ffffff", "/////")},
        "not significant": {("#ffffff", None)},
    }


def test_words_at_the_right_and_what_they_mean(fuzzy):
    plot, found = membership(fuzzy), fuzzy.hypotheses.fuzzy
    shown = columns(plot)
    assert list(shown) == ["Π", "N", "c*"]
    assert [float(text) for text in shown["Π"]] == pytest.approx(found.possibility, abs=0.005)
    assert [float(text) for text in shown["N"]] == pytest.approx(found.necessity, abs=0.005)
    turning = [None if text == "none" else float(text) for text in shown["c*"]]
    assert turning == pytest.approx(list(found.turning), abs=0.005)
    assert "Π: possibility of p ≤ α" in texts(plot, "caption")[0]


@pytest.mark.parametrize(("alpha", "lowest"), [(1e-9, 1e-10), (0.5, 0.01), (0.9, 0.01)])
def test_any_level_is_on_the_axis(simulated, stochastic, check_legible, alpha, lowest):
    result = stochastic(simulated(5, 3, spread=0), procedure="interval", alpha=alpha, adjust=())
    plot = membership(result)
    check_legible(plot)
    tint, line, label = plot.artists["line"]
    assert plot.ax.get_xticks()[0] == pytest.approx(lowest)
    assert line.get_xdata()[0] == tint.get_x() + tint.get_width() == pytest.approx(alpha)
    assert label.get_text() == f"α = {alpha:g}"


def test_p_too_small_for_the_axis_stands_at_its_end(simulated, stochastic, check_legible):
    result = stochastic(simulated(2000, 3, spread=5), procedure="interval")
    assert result.hypotheses.p_high.max() < 1e-6
    plot = membership(result)
    check_legible(plot)
    assert plot.ax.get_xticklabels()[0].get_text() == "≤ 1e-06"
    assert all(p == pytest.approx([1e-6] * len(p)) for p, _ in outlines(plot))


@pytest.mark.slow
def test_rows_by_number_by_algorithm_or_by_pair(fuzzy):
    tests = fuzzy.hypotheses
    gaps = tests.difference_low + tests.difference_high
    names = [
        f"{b} – {a}" if gap < 0 else f"{a} – {b}"
        for a, b, gap in zip(tests.first, tests.second, gaps, strict=True)
    ]
    drawn = lambda rows: texts(membership(fuzzy, rows), "names")  # noqa: E731
    assert drawn(None) == drawn(100) == names
    assert drawn(2) == names[:2]
    assert drawn("A4") == [name for name in names if "A4" in name]
    assert drawn([("A2", "A4"), ("A1", "A2")]) == ["A2 – A4", "A1 – A2"]


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
