"""PageTrendBuilder where it lives: in a page of JupyterLab."""

import pytest

import nbcompare as nbc

pytestmark = pytest.mark.browser

MAKE = """\
import nbcompare as nbc
histories = nbc.datasets.load("convergence_de")
builder = nbc.PageTrendBuilder(histories, optimum_tolerance=1e-8)
builder"""


def test_page_trend_builder(open_builder):
    builder = open_builder("page_trend.ipynb", MAKE)
    on = builder.on
    data = nbc.datasets.load("convergence_de")
    options, names = {"optimum_tolerance": 1e-8}, {}

    def expected(**changes):
        options.update(changes)
        result = nbc.compare_convergence(data.select(**names), **options)
        builder.expect(result, nbc.plots.trend_heatmap(result).alt)
        return result

    expected()
    names["algorithms"] = data.algorithms[:4]
    builder.narrow("Algorithms", names["algorithms"])
    names["problems"] = data.problems[:20]
    builder.narrow("Problems", names["problems"])
    expected()
    builder.fill("Cut-points", "5")
    builder.choose("Version", "basic")
    expected(cutpoints=5, version="basic")
    builder.choose("Null hypothesis", "Page's null")
    builder.fill("Optimum tolerance", "1e-6")
    expected(null="page", optimum_tolerance=1e-6)
    builder.choose("Aggregate", "median")
    builder.choose("Differences", "values")
    expected(aggregate="median", differences="raw")
    builder.choose("Adjustment", "Holm")
    builder.fill("Alpha", "0.1")
    expected(adjust="holm", alpha=0.1)
    builder.choose("Formulas", "as printed")
    builder.choose("Missing runs", "leave out the problem")
    result = expected(formulas="printed", missing="drop")

    # the ranks and curves behind a chosen cell
    faster, slower = names["algorithms"][2], names["algorithms"][0]
    option = on.locator("option", has_text=f": {faster} – {slower}")
    builder.choose("Pair", " ".join(option.text_content().split()))
    problem = names["problems"][7]
    builder.choose("Curves on problem", problem)
    ranks = nbc.plots.trend_ranks(result, faster, slower)
    curves = nbc.plots.convergence_curves(
        data.select(**names), problem, algorithms=(faster, slower), cutpoints=5
    )
    builder.expect_details(ranks.alt, curves.alt)
    on.get_by_text(f"{faster} and {slower}: L ").wait_for()
    code = builder.run_copied()
    assert code.splitlines()[-1] == "nbc.plots.trend_heatmap(result)"
    builder.expect_to_stay("PageTrendBuilder", result, nbc.plots.trend_heatmap(result).alt)
    assert builder.problems == []
