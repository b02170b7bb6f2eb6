"""The figure of sensitivity: every circle, tint and number against the result."""

import numpy as np
import pytest
from matplotlib.colors import to_hex

import nbcompare as nbc
from nbcompare.plots._matrix import BLUES
from nbcompare.plots._plot import marks_of


def demsar(**options):
    return nbc.sensitivity(nbc.datasets.load("demsar2006"), **options)


def many(k=10, n=30, letters=60):
    rng = np.random.default_rng(0)
    names = [f"{i} {'a long name ' * 6}"[:letters].strip() + str(i) for i in range(k)]
    table = rng.normal(size=(n, k)) + np.linspace(0, 1.5, k)
    return nbc.sensitivity(nbc.Experiment.from_array(table, algorithms=names, direction="minimize"))


@pytest.mark.parametrize("control", [None, "C4.5"])
def test_circles_tints_and_numbers_say_what_the_result_says(control):
    result = demsar(control=control)
    parts = nbc.plots.sensitivity(result).artists
    tests = result.primary.hypotheses
    row_of = {}
    for row, pair in enumerate(zip(tests.first, tests.second, strict=True)):
        row_of[" – ".join(pair if tests.statistic[row] >= 0 else pair[::-1])] = row
    drawn = [text.get_text() for text in parts["rows"]]
    assert sorted(drawn) == sorted(row_of)
    counts = [result.n_significant[row_of[name]] for name in drawn]
    assert counts == sorted(counts, reverse=True)
    (cells,) = parts["cells"]
    texts, tints = iter(parts["texts"]), iter(cells.get_facecolors())
    for place, name in enumerate(drawn):
        row = row_of[name]
        for column, test in enumerate(result.tests):
            found, text, tint = test.rejecting(row, result.alpha), next(texts), to_hex(next(tints))
            decided = test.rejected(result.alpha)[row]
            assert text.xy == (column, place)
            assert text.get_text() == ("●" if decided else "◐" if found else "○")
            strict = {("bonferroni",), ("nemenyi",), ("bonferroni-dunn",)}
            assert (tint == BLUES[2]) == (found[:1] in strict)
            assert (tint == "#ffffff") == (not found)
            assert marks_of(text)[0].title.startswith(f"{name}, {test.label}: ")
        text, names = next(texts), result.hinges[row]
        assert text.get_text() == str(len(names) or "–")
        assert marks_of(text)[0].title.endswith(", ".join(names) or "no data set changes it")
        next(tints)
    bold = [text.get_text() for text in parts["columns"] if text.get_fontweight() == "bold"]
    assert bold == ["Wilcoxon"]


def test_of_many_pairs_those_that_depend_on_something():
    result = many(letters=5)
    plot = nbc.plots.sensitivity(result)
    assert len(result.hinges) == 45
    assert len(plot.artists["rows"]) == 40
    caption = plot.artists["caption"][0].get_text().replace("\n", " ")
    assert "40 of 45 pairs, those whose decision varies first" in caption


def test_no_column_of_numbers_where_no_data_set_was_left_out():
    data = nbc.Experiment.from_array(
        np.random.default_rng(2).normal(size=(6, 2)), direction="minimize"
    )
    result = nbc.sensitivity(data)
    plot = nbc.plots.sensitivity(result)
    assert result.why_not in plot.artists["caption"][0].get_text().replace("\n", " ")
    assert len(plot.artists["columns"]) == len(result.tests)


def test_other_results_are_refused():
    with pytest.raises(TypeError, match=r"nbc\.sensitivity\(experiment\)"):
        nbc.plots.sensitivity(nbc.compare(nbc.datasets.load("demsar2006")))


def test_the_alternative_text_tells_the_decisions():
    alt = nbc.plots.sensitivity(demsar()).alt
    assert "significant by one of six suitable tests" in alt
    assert (
        "C4.5+m+cf – C4.5+cf: significant by 1 of 6 tests of pairs; changes without breast cancer"
        in alt
    )


def test_numbers_stand_for_long_names_where_these_would_make_it_high():
    plot = nbc.plots.sensitivity(many()).narrower(3.5)
    rows = [text.get_text() for text in plot.artists["rows"]]
    assert rows[0] == "1 – 2"
    (legend,) = plot.artists["legend"]
    keys = " ".join(legend.get_texts()[-1].get_text().split())
    assert keys == f"10 {' '.join(many().design.algorithms[int(keys[-1])].split())}"
    assert plot.figure.get_figheight() < 17  # 40 pairs of six lines were 30 inches
    few = nbc.plots.sensitivity(many(4)).narrower(3.5)
    assert few.artists["rows"][0].get_text().startswith("0 a long")
