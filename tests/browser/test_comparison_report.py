"""The report that the command line makes, as a reader without a network sees it."""

import pytest

import nbcompare as nbc
from nbcompare.cli import main

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def report(tmp_path_factory):
    page = tmp_path_factory.mktemp("report") / "report.html"
    assert main(["report", "--example", "demsar2006", "--full", "-o", str(page)]) == 0
    return page


def test_asks_for_nothing_and_complains_of_nothing(open_heard, report):
    _, heard = open_heard(report)
    assert heard.fetched == [report.as_uri()]
    assert heard.problems == []


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_math_tables_and_figure_are_there(open_page, report, theme):
    page = open_page(report, color_scheme=theme)
    assert page.locator("math").count() >= 4
    # pairs; data (2); sensitivity (4); ranks, omnibus, hypotheses, method; conditions (2), the
    # choices of the design, contrasts (2), method
    tables = page.locator("table.nbcompare")
    assert tables.count() == 17
    for number in (0, 1):  # what is not folded
        assert tables.nth(number).is_visible()
    assert not tables.last.is_visible()
    page.evaluate("document.querySelectorAll('details').forEach(it => it.open = true)")
    for part in ("math >> nth=0", "table.nbcompare >> nth=0", "figure svg >> nth=0"):
        box = page.locator(part).bounding_box()
        assert box["width"] > 5
        assert box["height"] > 5
    figures = page.locator("figure svg").all()
    tests = "Wilcoxon's signed-rank tests, exact p, Holm, α = 0.05"
    starts = (
        f"Critical difference diagram ({tests}", "Intervals of", "Matrix of decisions",
        "Heat map of ranks",
    )  # fmt: skip
    for figure, start in zip(figures, starts, strict=True):
        assert figure.evaluate("drawing => drawing.getBoundingClientRect().width > 100")
        assert figure.get_attribute("aria-label").startswith(start)


def test_says_what_was_found_and_with_what(open_page, report):
    page = open_page(report)
    page.evaluate("document.querySelectorAll('details').forEach(it => it.open = true)")
    text = page.locator("body").inner_text()
    comparison = nbc.compare(nbc.datasets.load("demsar2006"))
    for sentence in comparison.findings:
        assert sentence in text
    for reference in comparison.references:
        assert reference in text
    assert f"{comparison.design.fingerprint[:19]}…" in text
    assert f"nbcompare {nbc.__version__}" in text


@pytest.mark.parametrize("width", [600, 1200])
def test_fits_the_window(open_page, report, width):
    page = open_page(report, width=width)
    assert page.evaluate("document.documentElement.scrollWidth") <= width


@pytest.mark.parametrize("width", [1000, 1090, 1300])
def test_the_first_figure_is_whole_beside_the_findings(open_page, report, width):
    page = open_page(report, width=width)
    drawing = page.locator(".drawing").first
    assert drawing.evaluate("it => it.scrollWidth <= it.clientWidth")
    findings = page.locator(".celltag_nbcompare-findings").bounding_box()
    assert drawing.bounding_box()["x"] >= findings["x"] + findings["width"]
