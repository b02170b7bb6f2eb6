"""The multiple comparison matrix: mean differences, counts and p-values in their cells."""

import re

import numpy as np
import pytest

import nbcompare as nbc
from nbcompare.plots import multi_comparison_matrix
from nbcompare.plots._plot import marks_of
from nbcompare.words import LITERATURE


def cells(plot):
    """What stands in the cell of a row and a column."""
    rows, columns = shown(plot, "rows"), shown(plot, "columns")
    return {
        (rows[round(text.xy[1])], columns[round(text.xy[0])]): text
        for text in plot.artists["texts"]
    }


def shown(plot, part):
    """The names of rows or columns, in order."""
    return tuple(re.split(r"\n| \(", text.get_text())[0] for text in plot.artists[part])


def frames(plot):
    return sum(len(outline.get_paths()) for outline in plot.artists.get("frames", ()))


def words_of(plot):
    (caption,) = plot.artists["caption"]
    texts = [caption, *plot.artists["legend"][0].get_texts()]
    return " ".join(" ".join(text.get_text() for text in texts).split())


@pytest.mark.parametrize("direction", ["maximize", "minimize"])
@pytest.mark.parametrize("control", [None, "A3"])
def test_cells_against_the_scores(direction, control):
    noise = np.random.default_rng(1).normal(size=(40, 4))
    scores = noise.round(1) + np.array([0, 0.2, 0.6, 1.5])
    experiment = nbc.Experiment.from_array(scores, direction=direction)
    comparison = nbc.compare(experiment, control=control)
    plot = multi_comparison_matrix(comparison)
    found = cells(plot)
    assert len(found) == (12 if control is None else 3)
    sign = 1 if direction == "maximize" else -1
    tests = comparison.hypotheses
    bold = 0
    for (row, column), text in found.items():
        u, v = (experiment.algorithms.index(name) for name in (row, column))
        gap = np.where(np.isclose(scores[:, u], scores[:, v]), 0, scores[:, u] - scores[:, v])
        difference, counts, p = text.get_text().replace("−", "-").split("\n")
        # positive where the row is better
        assert float(difference) == pytest.approx(sign * gap.mean(), abs=0.0051)
        won, tied, lost = (int((sign * np.sign(gap) == s).sum()) for s in (1, 0, -1))
        assert counts == f"{won}/{tied}/{lost}"
        test = next(
            i for i in range(len(tests)) if {tests.first[i], tests.second[i]} == {row, column}
        )
        assert p == f"p = {tests.decisive(test)}"
        assert (text.get_fontweight() == "bold") == tests.rejected[test]
        bold += tests.rejected[test]
    assert frames(plot) == bold > 0
    beside = [
        text.get_text().split("\n") for part in ("rows", "columns") for text in plot.artists[part]
    ]
    assert {name for name, _ in beside} == set(experiment.algorithms)
    for name, mean in beside:
        expected = scores[:, experiment.algorithms.index(name)].mean()
        assert float(mean.replace("−", "-")) == pytest.approx(expected, abs=1e-3)


@pytest.mark.parametrize("direction", ["maximize", "minimize"])
def test_blue_is_where_the_row_is_better(direction):
    scores = np.arange(12.0).reshape(4, 3)  # the third one has the highest scores
    plot = multi_comparison_matrix(
        nbc.compare(nbc.Experiment.from_array(scores, direction=direction)),
        rows=["A1"],
        columns=["A3"],
    )
    red, _, blue, _ = plot.artists["cells"][0].get_facecolor()[0]
    assert (blue > red) == (direction == "minimize")


def test_equal_means_are_white():
    experiment = nbc.Experiment.from_array(np.ones((3, 2)), direction="maximize")
    plot = multi_comparison_matrix(nbc.compare(experiment))
    assert plot.artists["cells"][0].get_facecolor().tolist() == [[1, 1, 1, 1]] * 2
    assert {text.get_text() for text in plot.artists["texts"]} == {"0\n0/3/0\np = 1"}


def test_some_rows_and_columns_best_first(simulated, check_legible):
    comparison = nbc.compare(simulated(40, 30, spread=1))
    wanted = comparison.ordered[20], comparison.ordered[3]
    plot = multi_comparison_matrix(comparison, rows=wanted, columns=["A1", "A30"])
    check_legible(plot)
    assert shown(plot, "rows") == wanted[::-1]
    assert len(plot.artists["texts"]) == 4
    assert "marks" not in plot.artists


def test_many_columns_have_triangles_in_place_of_text(simulated):
    comparison = nbc.compare(simulated(40, 18))
    plot = multi_comparison_matrix(comparison)
    assert not {"texts", "frames"} & set(plot.artists)
    filled = [
        len(line.get_xydata())
        for line in plot.artists["marks"]
        if line.get_markerfacecolor() == "black"
    ]
    assert sum(filled) == 2 * comparison.hypotheses.rejected.sum() > 0
    for text in plot.artists["rows"]:
        name, mean = text.get_text().rstrip(")").split(" (")
        assert number(mean) == pytest.approx(comparison.mean_scores[name], abs=1e-3)


def test_narrow_cells_hold_the_difference_only(simulated):
    comparison = nbc.compare(simulated(40, 5))
    wide = multi_comparison_matrix(comparison)
    narrow = wide.narrower(3.5)
    sizes = {pair: text.get_text().split("\n")[0] for pair, text in cells(wide).items()}
    assert {pair: text.get_text() for pair, text in cells(narrow).items()} == sizes
    assert "lines: mean difference, win/tie/loss of the row, p" in words_of(wide)
    assert "lines" not in words_of(narrow)


def test_pairs_that_were_not_tested_are_empty(simulated):
    comparison = nbc.compare(simulated(40, 4), control="A1")
    plot = multi_comparison_matrix(comparison, rows=["A1", "A2"], columns=["A2", "A3"])
    assert set(cells(plot)) == {("A1", "A2"), ("A1", "A3")}


def test_needs_scores():
    comparison = nbc.compare_ranks({"a": 1.2, "b": 1.8}, 10)
    message = (
        r"^`comparison` must hold scores for a matrix of mean differences; got one made from "
        r"average ranks alone\. Use compare\(experiment\), or draw a pvalue_matrix instead\.$"
    )
    with pytest.raises(ValueError, match=message):
        multi_comparison_matrix(comparison)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"rows": ["A1", "X"]}, r"`rows` must be one of 'A1', 'A2' and 'A3'; got 'X'\."),
        ({"columns": []}, r"`columns` must name at least one algorithm; got none\."),
        (
            {"rows": ["A2"], "columns": ["A2"]},
            r"`rows` and `columns` must include at least one pair that was tested; got "
            r"\['A2'\] and \['A2'\]\.",
        ),
    ],
)
def test_rows_and_columns_that_cannot_be(simulated, options, message):
    with pytest.raises(ValueError, match=f"^{message}$"):
        multi_comparison_matrix(nbc.compare(simulated(9, 3)), **options)


def test_rows_must_be_a_list(simulated):
    with pytest.raises(TypeError, match=r"^`rows` must be a list of names; got 'A1'\.$"):
        multi_comparison_matrix(nbc.compare(simulated(9, 3)), rows="A1")


def test_differences_are_taken_as_the_texts_say_where_low_is_better():
    scores = np.arange(20.0)[:, np.newaxis] + [1.0, 3.0]
    experiment = nbc.Experiment.from_array(scores, direction="minimize", measure="error")
    plot = multi_comparison_matrix(nbc.compare(experiment))
    found = {pair: text.get_text().split("\n")[0] for pair, text in cells(plot).items()}
    assert found == {("A1", "A2"): "+2.00", ("A2", "A1"): "−2.00"}
    assert "error, lower is better, column minus row" in words_of(plot)
    assert "Significant: A1 – A2: +2.00, W/T/L 20/0/0, adjusted p = " in plot.alt


# ------------------------------------------------------------------- order and symmetry


def number(text):
    return float(text.replace("−", "-").removesuffix(" %"))


@pytest.mark.parametrize("pvalues", ["adjusted", "raw"])
@pytest.mark.parametrize("scale", ["one", "several"])
def test_a_cell_and_its_opposite(simulated, scale, pvalues):
    comparison = nbc.compare(simulated(31, 6), scale=scale)
    plot = multi_comparison_matrix(comparison, pvalues=pvalues)
    found = cells(plot)
    assert len(found) == 30
    for (row, column), text in found.items():
        ours, theirs = (t.get_text().split("\n") for t in (text, found[column, row]))
        total = 100 if scale == "several" else 0
        assert number(ours[0]) + number(theirs[0]) == pytest.approx(total, abs=1e-9)
        assert ours[1].split("/") == theirs[1].split("/")[::-1]
        assert ours[2] == theirs[2]
        assert text.get_weight() == found[column, row].get_weight()


@pytest.mark.parametrize("direction", ["maximize", "minimize"])
def test_sorted_by_mean(direction):
    scores = np.random.default_rng(5).normal(size=(30, 5))
    scores[0] += [90, 0, 60, 30, -60]  # one data set decides the means
    experiment = nbc.Experiment.from_array(scores, direction=direction)
    comparison = nbc.compare(experiment, scale="one")
    best_first = sorted(
        experiment.algorithms,
        key=lambda name: scores[:, experiment.algorithms.index(name)].mean(),
        reverse=direction == "maximize",
    )
    assert tuple(best_first) != comparison.ordered
    plot = multi_comparison_matrix(comparison)
    assert shown(plot, "rows") == shown(plot, "columns") == tuple(best_first)
    assert "; best mean first" in words_of(plot)


def test_equal_means_stand_in_the_order_of_average_ranks():
    scores = np.array([[1.0, 2, 3], [1, 2, 3], [1, 2, 3], [9, 6, 3]])
    comparison = nbc.compare(nbc.Experiment.from_array(scores, direction="minimize"), scale="one")
    assert comparison.ordered == ("A1", "A2", "A3")
    assert shown(multi_comparison_matrix(comparison), "rows") == ("A1", "A2", "A3")


# ------------------------------------------------------------------------ unadjusted p


def test_unadjusted_p_in_the_mark_of_a_cell(simulated):
    comparison = nbc.compare(simulated(20, 4))
    plot = multi_comparison_matrix(comparison, pvalues="raw", rows=["A2"], columns=["A4"])
    (text,) = plot.artists["texts"]
    (mark,) = marks_of(text)
    difference, counts, p = text.get_text().split("\n")
    assert mark.pair
    if difference.startswith("−"):  # the better comes first
        difference, counts = difference.replace("−", "+"), "/".join(counts.split("/")[::-1])
        assert mark.names == ("A4", "A2")
    else:
        assert mark.names == ("A2", "A4")
    told = f"{' – '.join(mark.names)}: {difference}, W/T/L {counts}, unadjusted {p}"
    assert mark.title.rpartition(", ")[0] == told


def test_unadjusted_p_by_average_ranks_depends_on_the_others(simulated):
    comparison = nbc.compare(simulated(20, 4), pairs="ranks")
    for pvalues, said in (("raw", True), ("adjusted", False)):
        plot = multi_comparison_matrix(comparison, pvalues=pvalues)
        assert ("by average ranks, so that it depends on the others" in plot.alt) == said


# --------------------------------------------------------------------- several scales


@pytest.fixture
def on_several_scales():
    rng = np.random.default_rng(7)
    scores = (rng.normal(size=(24, 4)) + np.array([0, 0.4, 0.8, 1.4])).round(1)
    scores *= 10.0 ** rng.integers(-3, 5, (24, 1))
    return nbc.Experiment.from_array(scores, direction="maximize")


def test_shares_of_wins_stand_in_on_several_scales(on_several_scales, check_legible):
    comparison = nbc.compare(on_several_scales)
    assert comparison.several_scales
    plot = multi_comparison_matrix(comparison)
    check_legible(plot)
    assert shown(plot, "rows") == comparison.ordered
    scores = on_several_scales.mean_scores
    colors = plot.artists["cells"][0].get_facecolor()
    for color, ((row, column), text) in zip(colors, cells(plot).items(), strict=True):
        u, v = (on_several_scales.algorithms.index(name) for name in (row, column))
        sizes = np.maximum(abs(scores[:, u]), abs(scores[:, v]))
        gap = np.where(
            abs(scores[:, u] - scores[:, v]) > 1e-9 * sizes, scores[:, u] - scores[:, v], 0
        )
        share = ((gap > 0) + 0.5 * (gap == 0)).mean()
        shown_share = number(text.get_text().split("\n")[0])
        assert shown_share == pytest.approx(100 * share, abs=0.51)
        assert (color[2] > color[0]) == (share > 0.5)
    beside = [text.get_text().split("\n") for text in plot.artists["rows"]]
    assert {name: float(rank) for name, rank in beside} == pytest.approx(
        dict(comparison.average_ranks), abs=0.006
    )
    assert "mean differences mean little on several scales" in words_of(plot)
    assert "lines: share won, win/tie/loss of the row, p" in words_of(plot)
    assert "Share of data sets on which the row is better" in plot.alt


# --------------------------------------------------------------------- missing scores


def test_missing_scores(check_legible):
    scores = np.random.default_rng(4).normal(size=(24, 4)) + np.array([0, 0.5, 1.0, 1.5])
    scores[:8, 0] = scores[8:16, 1] = np.nan
    scores[:8, 3] = np.nan
    scores[16:, 3] = np.nan  # A1 and A4 share 8 data sets, A2 and A4 none
    experiment = nbc.Experiment.from_array(scores, direction="maximize")
    comparison = nbc.compare(experiment, missing="skillings-mack")
    plot = multi_comparison_matrix(comparison)
    check_legible(plot)
    assert shown(plot, "rows") == comparison.ordered
    assert "differences over data sets with scores of both" in words_of(plot)
    for (row, column), text in cells(plot).items():
        u, v = (experiment.algorithms.index(name) for name in (row, column))
        gap = scores[:, u] - scores[:, v]
        gap = gap[~np.isnan(gap)]
        difference, counts, _ = text.get_text().split("\n")
        if {row, column} == {"A2", "A4"}:
            assert (difference, counts) == ("–", "0/0/0")
            continue
        assert number(difference) == pytest.approx(gap.mean(), abs=0.0051)
        assert counts == f"{(gap > 0).sum()}/0/{(gap < 0).sum()}"
    for text in plot.artists["rows"]:
        name, mean = text.get_text().split("\n")
        expected = np.nanmean(scores[:, experiment.algorithms.index(name)])
        assert number(mean) == pytest.approx(expected, abs=1e-3)


# ----------------------------------------------------------------------- one against all


@pytest.mark.slow
def test_one_against_all(simulated, check_legible):
    comparison = nbc.compare(simulated(40, 5))
    rest = tuple(
        name for name in shown(multi_comparison_matrix(comparison), "rows") if name != "A3"
    )
    row = multi_comparison_matrix(comparison, rows=["A3"])
    column = multi_comparison_matrix(comparison, columns=["A3"])
    check_legible(row)
    assert (shown(row, "rows"), shown(row, "columns")) == (("A3",), rest)
    assert (shown(column, "rows"), shown(column, "columns")) == (rest, ("A3",))
    some = multi_comparison_matrix(comparison, rows=["A3", "A1"])
    assert set(shown(some, "columns")) == set(comparison.ordered)
    assert len(some.artists["texts"]) == 8


def test_the_control_as_row_or_column(simulated):
    comparison = nbc.compare(simulated(40, 5), control="A3")
    usual = multi_comparison_matrix(comparison)
    assert shown(usual, "columns") == ("A3",)
    turned = multi_comparison_matrix(comparison, rows=["A3"])
    assert shown(turned, "rows") == ("A3",)
    assert shown(turned, "columns") == shown(usual, "rows")
    for name in shown(usual, "rows"):
        ours, theirs = cells(usual)[name, "A3"], cells(turned)["A3", name]
        assert (
            ours.get_text().split("\n")[1].split("/")
            == (theirs.get_text().split("\n")[1].split("/")[::-1])
        )
    assert shown(multi_comparison_matrix(comparison, rows=["A1"]), "columns") == ("A3",)
    assert shown(multi_comparison_matrix(comparison, columns=["A1"]), "rows") == ("A3",)


# ------------------------------------------------------------------------------- words


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"pvalues": "holm"}, "`pvalues` must be 'adjusted' or 'raw'; got 'holm'."),
        (
            {"rows": ["a1"]},
            "`rows` must be one of 'A1', 'A2' and 'A3'; got 'a1'. Did you mean 'A1'?",
        ),
    ],
)
def test_words_that_cannot_be(simulated, options, message):
    with pytest.raises(ValueError) as error:  # noqa: PT011 - the whole text is compared
        multi_comparison_matrix(nbc.compare(simulated(9, 3)), **options)
    assert str(error.value).startswith(message)


def test_its_source_is_in_the_literature():
    text = " ".join(multi_comparison_matrix.__doc__.split())
    for key in ("ismailfawaz2023", "benavoli2016"):
        reference = LITERATURE[key]
        assert reference.fields["title"] in text
        assert reference.authors[0] in text
    assert f"arXiv {LITERATURE['ismailfawaz2023'].fields['eprint']}." in text
