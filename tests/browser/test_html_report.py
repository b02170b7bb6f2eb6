"""The HTML report as a reader meets it."""

import io

import pandas as pd
import pytest
from cells import display
from matplotlib.figure import Figure
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

from nbcompare.report.exporters import ReportHTMLExporter

pytestmark = pytest.mark.browser

SCORES = pd.DataFrame(
    {f"algorithm {i}": [0.5 + i / 100, 0.25] for i in range(20)}, index=["iris", "wine"]
)
COMPARISON = """\
<div class="nbcompare"><p>The algorithms differ (p = 0.0026).</p>
<table class="nbcompare"><caption>Comparisons with XCS</caption>
<thead><tr><th scope="col">Comparison</th><th scope="col" class="num">p</th></tr></thead>
<tbody><tr><th scope="row">XCS – UCS</th><td class="num">0.0209</td></tr></tbody></table>
<ul class="nbcompare-notes"><li>Ties were given mid-ranks.</li></ul></div>"""
CODE = '''\
%matplotlib inline
import numpy as np  # a comment

@decorated
class Ranks(Base):
    """Mid-ranks."""

    def __call__(self, scores: list[float], *, alpha=0.05) -> str:
        return None if not scores else f"{sum(scores):.3f}" + r"\\d" + str(len(scores) @ 3)
'''


def figure(kind):
    drawing = Figure(figsize=(5, 3))
    drawing.add_subplot().plot([1, 2, 3], label="χ² ≤ é")
    buffer = io.BytesIO()
    drawing.savefig(buffer, format=kind)
    return buffer.getvalue()


@pytest.fixture(scope="module")
def report(tmp_path_factory):
    """An exported notebook with something of every kind."""
    traceback = [
        "\x1b[31mValueError\x1b[39m\x1b[43mTraceback\x1b[49m \x1b[38;5;17mnavy\x1b[0m",
        "\x1b[32m---> 1\x1b[39m \x1b[36mcompare\x1b[39m(\x1b[33malpha\x1b[39m=\x1b[34m2\x1b[39m)",
        "\x1b[1;35mValueError\x1b[0m: \x1b[90malpha\x1b[0m",
    ]
    plot = {"image/svg+xml": figure("svg").decode(), "text/plain": "<Figure>"}
    colour_script = "<div id='drawn'></div><script>drawn.textContent = eval('6 * 7')</script>"
    fetching = "<script>fetch('https://example.org/').catch(() => {})</script>"
    cells = [
        new_markdown_cell(
            "# Comparison at $\\alpha = 0.05$\n\nText with `code` and [a link](https://example.org)."
            "\n\n## Method\n\n$$\\chi^2_F = \\frac{12N}{k(k+1)}\\left[\\sum_{j=1}^k R_j^2\\right]"
            + "+ x_1 + x_2 + x_3 + x_4"
            * 8
            + "$$\n\n> Quoted.\n\n- [x] done\n\n"
            "| a | b |\n|---|---|\n| 1 | 2 |\n\n```python\nx = 1  # one\n```\n"
        ),
        new_code_cell(CODE, outputs=[display({"text/html": SCORES.to_html()})]),
        new_code_cell("compare", outputs=[display({"text/html": COMPARISON})]),
        new_code_cell(
            "plot", outputs=[display(plot, **{"image/svg+xml": {"alt": "Three values"}})]
        ),
        new_markdown_cell("# Second part\n\n## Outputs"),
        new_code_cell(
            "print()",
            outputs=[
                new_output("stream", name="stdout", text="wide " * 60 + "\n\x1b[34mblue\x1b[0m\n"),
                new_output("stream", name="stderr", text="careful\n"),
                new_output("error", ename="E", evalue="", traceback=traceback),
                display({"text/html": colour_script}),
                display({"application/javascript": "element.textContent = 'scripted'"}),
                display({"text/latex": r"\begin{tabular}{l}a\end{tabular}"}),
            ],
        ),
    ]
    made = {"version": "0.1.0", "fingerprint": "sha256:" + "0123456789abcdef" * 4}
    folder = tmp_path_factory.mktemp("report")
    notebooks = {
        "report.html": new_notebook(cells=cells, metadata={"nbcompare": made}),
        "fetching.html": new_notebook(
            cells=[new_code_cell("", outputs=[display({"text/html": fetching})])]
        ),
    }
    for name, notebook in notebooks.items():
        page, _ = ReportHTMLExporter().from_notebook_node(notebook)
        (folder / name).write_text(page, encoding="utf-8")
    return folder / "report.html"


def test_it_asks_for_nothing_and_reports_no_problem(report, open_heard):
    page, heard = open_heard(report)
    assert heard.fetched == [report.as_uri()]
    assert heard.problems == []
    # and the scripts of outputs have run
    assert page.locator("#drawn").inner_text() == "42"
    assert page.get_by_text("scripted", exact=True).count() == 1


def test_what_an_output_would_fetch_is_blocked_by_the_page(report, open_heard):
    fetching = report.with_name("fetching.html")
    _, heard = open_heard(fetching)
    assert heard.requests == [fetching.as_uri()]
    assert heard.problems
    assert all("Content Security Policy" in problem for problem in heard.problems)


@pytest.mark.parametrize(
    "selector",
    ["h1 math", ".equation math", "table.nbcompare", "table.dataframe", "figure img", "pre.error"],
)
def test_it_is_visible(report, open_page, selector):
    box = open_page(report).locator(selector).first.bounding_box()
    assert box["width"] > 20
    assert box["height"] > 10


def test_the_drawing_is_read(report, open_page):
    assert open_page(report).locator("figure img").evaluate("image => image.naturalWidth") > 100


@pytest.mark.parametrize("width", [600, 1200])
def test_only_containers_scroll_sideways(report, open_page, width):
    page = open_page(report, width=width)
    page.evaluate("document.querySelectorAll('details').forEach(d => d.open = true)")
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    scrolling = page.evaluate(
        "[...document.querySelectorAll('*')].filter(e => e.scrollWidth > e.clientWidth + 1"
        " && getComputedStyle(e).overflowX == 'auto').map(e => e.tabIndex)"
    )
    assert len(scrolling) >= 2
    assert set(scrolling) == {0}


def test_it_follows_the_colour_scheme(report, open_page):
    colours = {}
    for scheme in ("light", "dark"):
        page = open_page(report, color_scheme=scheme)
        colours[scheme] = page.evaluate(
            "getComputedStyle(document.documentElement).backgroundColor"
        )
        card = page.locator("figure img").evaluate("e => getComputedStyle(e).backgroundColor")
        assert card == "rgb(255, 255, 255)"
    assert colours == {"light": "rgb(255, 255, 255)", "dark": "rgb(22, 24, 28)"}


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [600, 1200])
def test_it_is_accessible(report, open_page, barriers, scheme, width):
    page = open_page(report, width=width, color_scheme=scheme, bypass_csp=True)
    page.evaluate("document.querySelectorAll('details').forEach(d => d.open = true)")
    assert barriers(page, "heading-order") == {}


def test_a_keyboard_reaches_the_code(report, open_page):
    page = open_page(report)
    page.locator("details.code").first.locator("summary").focus()
    page.keyboard.press("Enter")
    assert page.locator("details.code .source").first.is_visible()


def test_folded_code_is_not_printed(report, open_page):
    page = open_page(report, color_scheme="dark")
    page.locator("details.code").first.evaluate("e => e.open = true")
    page.emulate_media(media="print")
    assert page.locator("details.code").first.locator(".source").is_visible()
    assert not page.locator("summary").first.is_visible()
    for i in range(1, page.locator("details.code").count()):
        assert not page.locator("details.code").nth(i).is_visible()
    background = page.evaluate("getComputedStyle(document.documentElement).backgroundColor")
    assert background == "rgb(255, 255, 255)"
