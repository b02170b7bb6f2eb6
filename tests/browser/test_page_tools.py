"""Sorting, copying, folding and finding one's way on a report, by keyboard."""

import base64
import csv
import io
import json
import re
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pypandoc
import pytest
from bs4 import BeautifulSoup
from cells import display
from matplotlib import image as plt_image
from matplotlib.figure import Figure
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

import nbcompare as nbc
from nbcompare.report.exporters import ReportHTMLExporter

pytestmark = pytest.mark.browser

# columns of one table, each in the order that sorting must give; rows are shuffled below
SORTED = {
    "p": ["0", "1.26e-412", "4.49e-08", "0.0157", "1", "missing"],
    "interval": ["[-1.5, 2]", "[0.02, 0.3]", "[0.02, 0.4]", "[0.1, 0.2]", "7", "–"],
    "number": ["-∞", "−2.5", "0.5", "1,234", "1.2e+05", "∞"],
    "name": ["C4.5", "C9", "C10", 'd, "e"', "é <b>", "z & y_1"],
    "ties": ["1", "1", "1", "2", "2", "2"],
}
# What a spreadsheet would compute, and what it would not
FORMULAS = ["=1+1", "=cmd|' /C calc'!A0", "+1+1", "-2+3", "@SUM(A1)", "+cf", "-x", "+1 (best)"]
NO_FORMULAS = ["-0.5", "+1", "-1.2e-05", "-∞", "+1,234.5", "-3 %", "C4.5+m", "a=b", "x@y", "1=1"]
WRONG = (
    "<table data-left-out='[['><tbody><tr><td>one</td></tr></tbody>"
    "<tfoot><tr><td>… and 3 more rows</td></tr></tfoot></table>"
)
SHUFFLE = [3, 0, 5, 2, 4, 1]


def escaped(text):
    return text.replace("&", "&amp;").replace("<", "&lt;")


def markup(columns, order, caption):
    head = "".join(f'<th scope="col">{name}</th>' for name in columns)
    rows = "".join(
        "<tr>" + "".join(f"<td>{escaped(cells[i])}</td>" for cells in columns.values()) + "</tr>"
        for i in order
    )
    foot = f'<tfoot><tr><td colspan="{len(columns)}">… and 3 more rows</td></tr></tfoot>'
    return (
        f"<table><caption>{caption}</caption><thead><tr>{head}</tr></thead>"
        f"<tbody>{rows}</tbody>{foot}</table>"
    )


@pytest.fixture(scope="module")
def report(tmp_path_factory):
    wide = {f"algorithm {i}": [f"0.{i:02}", "0.25"] for i in range(40)}
    comparison = nbc.compare(nbc.datasets.load("demsar2006"), adjust="holm")
    spanning = "<table><thead><tr><th colspan='2'>both</th></tr></thead><tbody>"
    spanning += "<tr><td>1</td><td>2</td></tr><tr><td>3</td><td>4</td></tr></tbody></table>"
    texts = "".join(f"<tr><td>{text}</td></tr>" for text in (*FORMULAS, *NO_FORMULAS))
    formulas = f"<table><thead><tr><th>text</th></tr></thead><tbody>{texts}</tbody></table>"
    cells = [
        new_markdown_cell("# Tools\n\nSee [Table](#tab-hypotheses), [Figure](#fig-cd)."),
        new_markdown_cell("## First\n\n### Deeper $x$"),
        new_code_cell(
            "a = 1", outputs=[display({"text/html": markup(SORTED, SHUFFLE, "Shuffled")})]
        ),
        new_code_cell("b = 2", outputs=[display({"text/html": markup(wide, [0, 1], "Wide")})]),
        new_code_cell("c = 3", outputs=[display(comparison._repr_mimebundle_())]),
        new_markdown_cell("\n\n".join(["## Second", *["Text."] * 60])),
        new_code_cell(
            "d = 4", outputs=[display(comparison.section("hypotheses")._repr_mimebundle_())]
        ),
        new_code_cell(
            "",
            id="cd",
            outputs=[display({"image/svg+xml": '<svg width="90" height="9"/>'}, alt="A line.")],
        ),
        new_markdown_cell("## Third"),
        new_code_cell("f = 6", outputs=[display({"text/html": formulas})]),
        new_code_cell("e = 5", outputs=[display({"text/html": spanning})]),
    ]
    metadata = {"authors": [{"name": "A. Author"}], "date": "2025", "abstract": "In *short*."}
    notebook = new_notebook(cells=cells, metadata=metadata)
    page, _ = ReportHTMLExporter().from_notebook_node(notebook)
    file = tmp_path_factory.mktemp("tools") / "report.html"
    file.write_text(page, encoding="utf-8")
    return file


@pytest.fixture
def copying(open_page, report):
    return open_page(report, permissions=["clipboard-read", "clipboard-write"])


def clipboard(page, button):
    page.evaluate("said.length = 0")
    button.focus()
    page.keyboard.press("Enter")
    page.wait_for_function("said.some((text) => text)")
    return page.evaluate("navigator.clipboard.readText()")


def column(page, name):
    position = list(SORTED).index(name) + 1
    return page.locator("table").first.locator(f"tbody td:nth-child({position})").all_inner_texts()


class TestSort:
    @pytest.mark.parametrize("name", SORTED)
    def test_by_keyboard_there_and_back(self, open_page, report, name):
        page = open_page(report)
        assert page.get_by_role("columnheader", name=name, exact=True).count() > 0
        header = page.locator("table").first.locator("thead th").nth(list(SORTED).index(name))
        shuffled = column(page, name)
        assert shuffled != SORTED[name]
        header.get_by_role("button").focus()
        page.keyboard.press("Enter")
        assert header.get_attribute("aria-sort") == "ascending"
        assert column(page, name) == SORTED[name]
        page.keyboard.press("Space")
        assert header.get_attribute("aria-sort") == "descending"
        known = [text for text in reversed(SORTED[name]) if text not in ("missing", "–")]
        assert column(page, name)[: len(known)] == known
        page.keyboard.press("Enter")
        assert header.get_attribute("aria-sort") is None
        assert column(page, name) == shuffled

    def test_tables_with_spans_are_left_alone(self, open_page, report):
        assert open_page(report).locator("table").last.locator("thead button").count() == 0


class TestCopy:
    def test_csv_is_what_stands_there(self, copying):
        copying.locator("table").first.locator("thead button").nth(3).click()
        button = copying.get_by_role("button", name="Copy CSV of Table 1 (6 of 9 rows)", exact=True)
        rows = list(csv.reader(io.StringIO(clipboard(copying, button))))
        assert rows[0] == list(SORTED)
        assert [row[3] for row in rows[1:]] == SORTED["name"]
        assert len(rows) == 1 + len(SHUFFLE)

    def test_latex_of_a_result_is_its_own(self, copying):
        comparison = nbc.compare(nbc.datasets.load("demsar2006"), adjust="holm")
        shown = comparison.section("hypotheses")._repr_mimebundle_()["text/latex"]
        # without what an export of the notebook needs around it
        own = re.search(r"\\begin\{table\}.*\\end\{table\}", shown, re.DOTALL)[0]
        table = copying.locator("table:has(#tab-hypotheses)")
        button = table.locator("+ .table-tools").get_by_role("button", name="Copy LaTeX")
        assert clipboard(copying, button).strip() == own

    def test_latex_of_other_tables_is_made_from_the_cells(self, copying):
        button = copying.get_by_role(
            "button", name="Copy LaTeX of Table 1 (6 of 9 rows)", exact=True
        )
        lines = clipboard(copying, button).splitlines()
        assert lines[0] == r"\begin{tabular}{lllll}"
        assert lines[1:4] == [r"\toprule", r"p & interval & number & name & ties \\", r"\midrule"]
        assert r"1.26e-412 & {}[0.02, 0.3] & $-$2.5 & C9 & 1 \\" in lines
        assert r"missing & -- & $\infty$ & z \& y\_1 & 2 \\" in lines
        assert lines[-2:] == [r"\bottomrule", r"\end{tabular}"]

    def test_without_the_newer_clipboard(self, copying):
        copying.evaluate(
            "() => { navigator.clipboard.writeText = () => Promise.reject(new Error()); }"
        )
        button = copying.get_by_role("button", name="Copy CSV of Table 1 (6 of 9 rows)", exact=True)
        assert clipboard(copying, button).startswith("p,interval,")
        assert button.evaluate("e => e === document.activeElement")
        assert copying.evaluate("said[0]") == "Table 1 copied."

    def test_text_is_no_formula_for_a_spreadsheet(self, copying):
        table = copying.locator("table:has-text('=1+1')")
        button = table.locator("+ .table-tools").get_by_role("button", name="Copy CSV")
        rows = list(csv.reader(io.StringIO(clipboard(copying, button))))
        assert [row[0] for row in rows[1:]] == [
            f"'{text}" if text in FORMULAS else text for text in (*FORMULAS, *NO_FORMULAS)
        ]
        hint = table.locator("+ .table-tools .hint")
        assert hint.inner_text() == (
            f"{len(FORMULAS)} texts that begin like a formula got an apostrophe (') in front, so "
            "that no spreadsheet computes them."
        )
        assert copying.get_by_role("button", name=re.compile("^Copy CSV of .* rows")).count() == 2


@pytest.fixture(scope="module")
def large():
    scores = np.random.default_rng(0).random((6, 25)).round(3)
    names = ["a|b_*c*", "$x$ <b>", "it's", *(f"A{i}" for i in range(22))]
    data = nbc.Experiment.from_array(scores, direction="minimize", algorithms=names)
    return nbc.compare(data, adjust="holm")


@pytest.fixture(scope="module")
def long_report(tmp_path_factory, large):
    """A page with a table that is cut, a drawing with its PDF, a photograph, and literature."""
    drawing = Figure(figsize=(4, 3))
    drawing.add_subplot().plot([0, 1])
    files = {kind: io.BytesIO() for kind in ("svg", "pdf", "png")}
    for kind, file in files.items():
        drawing.savefig(file, format=kind)
    svg, pdf, png = (file.getvalue() for file in files.values())
    vector = {
        "image/svg+xml": svg.decode(),
        "image/png": base64.b64encode(png).decode(),
        "application/pdf": base64.b64encode(pdf).decode(),
    }
    pixels = {"image/png": base64.b64encode(png).decode()}
    cells = [
        new_code_cell("a", outputs=[display(large._repr_mimebundle_())]),
        new_code_cell("b", outputs=[display(vector, alt="A line.")]),
        new_code_cell("c", outputs=[display(pixels, alt="The same as pixels.")]),
        new_code_cell("d", outputs=[display({"text/html": WRONG})]),
    ]
    page, _ = ReportHTMLExporter().from_notebook_node(new_notebook(cells=cells))
    file = tmp_path_factory.mktemp("long") / "report.html"
    file.write_text(page, encoding="utf-8")
    return file, {"svg": svg, "pdf": pdf, "png": png}


@pytest.fixture
def long_page(open_page, long_report):
    return open_page(long_report[0], permissions=["clipboard-read", "clipboard-write"])


def pairs_of(large):
    """The rows of the whole table, read from its Markdown."""
    lines = large.to_markdown("hypotheses").splitlines()
    rows = [line.strip("| ").split(" | ") for line in lines if line.startswith("|")]
    return rows[2:]


class TestWholeTables:
    def test_csv_has_the_rows_that_are_not_shown(self, long_page, large):
        button = long_page.get_by_role(
            "button", name="Copy CSV of Table 2 (all 300 rows)", exact=True
        )
        rows = list(csv.reader(io.StringIO(clipboard(long_page, button))))[1:]
        frame = large.to_frame()
        assert [row[:2] for row in rows] == frame[["first", "second"]].to_numpy().tolist()
        assert len(rows) == len(pairs_of(large)) == 300
        assert long_page.locator("table").nth(1).locator("tbody tr").count() == 20

    def test_markdown_is_read_back(self, long_page, large):
        button = long_page.get_by_role("button", name="Copy Markdown of Table 2")
        text = clipboard(long_page, button)
        written = large.to_markdown("hypotheses").replace("\N{NO-BREAK SPACE}", " ")
        assert text == written
        document = json.loads(pypandoc.convert_text(text, "json", "markdown"))
        table = next(block for block in document["blocks"] if block["t"] == "Table")["c"]
        kinds = [kind["t"] for kind, _ in table[2]]
        assert kinds[0] == "AlignLeft"
        assert "AlignRight" in kinds
        read = pypandoc.convert_text(text, "html", "markdown")
        rows = BeautifulSoup(read, "html.parser").select("tbody tr")
        names = [[cell.text for cell in row.find_all("td")[:2]] for row in rows]
        assert names == large.to_frame()[["first", "second"]].to_numpy().tolist()
        assert not BeautifulSoup(read, "html.parser").select("td b, td em, td .math")

    def test_latex_breaks_over_pages(self, long_page, tmp_path):
        text = clipboard(
            long_page, long_page.get_by_role("button", name="Copy LaTeX of Table 2 (all 300 rows)")
        )
        lines = text.splitlines()
        assert lines[0].startswith("\\begin{longtable}{ll")
        assert lines[-1] == "\\end{longtable}"
        assert text.count("\\\\") == 301
        if shutil.which("pdflatex"):
            (tmp_path / "t.tex").write_text(
                "\\documentclass{article}\\usepackage[T1]{fontenc}\\usepackage{booktabs,longtable}"
                f"\\begin{{document}}\n{text}\\end{{document}}\n",
                encoding="utf-8",
            )
            line = ["pdflatex", "-halt-on-error", "-interaction=nonstopmode", "t.tex"]
            done = subprocess.run(line, cwd=tmp_path, capture_output=True, text=True, check=False)
            assert done.returncode == 0, done.stdout[-1500:]

    def test_a_table_of_somebody_else_does_not_stop_the_rest(self, long_page):
        button = (
            long_page.locator("table")
            .last.locator("+ .table-tools")
            .get_by_role("button", name="Copy CSV of the table (1 of 4 rows)", exact=True)
        )
        assert clipboard(long_page, button) == "one\n"


class TestTakeAlong:
    @pytest.mark.parametrize(("kind", "number"), [("SVG", 1), ("PDF", 1), ("PNG", 2)])
    def test_a_figure_is_saved_as_it_was_drawn(self, long_page, long_report, kind, number):
        with long_page.expect_download() as saved:
            button = long_page.get_by_role("button", name=f"Save {kind} of Figure {number}")
            button.focus()
            long_page.keyboard.press("Enter")
        assert saved.value.suggested_filename == f"figure-{number}.{kind.lower()}"
        content = Path(saved.value.path()).read_bytes()
        drawn = long_report[1][kind.lower()]
        if kind == "SVG":  # without its declaration
            assert drawn.decode().endswith(content.decode())
            assert "<svg" in content.decode()
        else:
            assert content == drawn
        told = long_page.wait_for_function("said[0]").json_value()
        assert told == f"Figure {number} saved as figure-{number}.{kind.lower()}."

    def test_a_drawing_becomes_pixels_for_print(self, open_heard, long_report):
        page, heard = open_heard(long_report[0])
        with page.expect_download() as saved:
            page.get_by_role("button", name="Save PNG of Figure 1").click()
        assert heard.problems == []  # such as what the policy of the page forbids
        made = plt_image.imread(saved.value.path())
        assert made.shape[:2] == (900, 1200)  # 4 by 3 inches at 300 dots
        # darkness along the diagonal of the axes, as in Matplotlib's own picture
        own = plt_image.imread(io.BytesIO(long_report[1]["png"]))[..., :3].mean(axis=2)
        step = 900 // own.shape[0]
        small = made[..., :3].mean(axis=2)[: step * own.shape[0], : step * own.shape[1]]
        small = small.reshape(own.shape[0], step, own.shape[1], step).mean(axis=(1, 3))
        alike, mirrored = (
            np.corrcoef(each.ravel(), own.ravel())[0, 1] for each in (small, small[:, ::-1])
        )
        assert alike > 0.75
        assert mirrored < 0.5

    def test_the_literature_as_bibtex(self, long_page, large):
        button = long_page.get_by_role("button", name="Copy BibTeX of the references")
        assert clipboard(long_page, button) == large.to_bibtex()
        assert button.evaluate(
            "e => e.closest('p').previousElementSibling.matches('ol.references')"
        )

    # what stands in the way goes by the width, and colours go by the scheme
    @pytest.mark.parametrize(("width", "scheme"), [(1200, "light"), (400, "dark")])
    def test_it_is_accessible_and_quiet(self, open_heard, barriers, long_report, scheme, width):
        page, heard = open_heard(long_report[0], width=width, color_scheme=scheme, bypass_csp=True)
        assert barriers(page) == {}
        assert heard.problems == []
        assert heard.fetched == [long_report[0].as_uri()]
        assert page.evaluate("document.documentElement.scrollWidth") <= width


class TestFold:
    def test_one_switch_for_all_code(self, open_page, report):
        page = open_page(report)
        sources = page.locator("details.code .source")
        page.get_by_role("button", name="Show all code").focus()
        page.keyboard.press("Enter")
        assert sources.count() == 6
        assert all(source.is_visible() for source in sources.all())
        page.get_by_role("button", name="Hide all code").press("Enter")
        assert not any(source.is_visible() for source in sources.all())

    def test_a_single_cell_changes_what_the_switch_says(self, open_page, report):
        page = open_page(report)
        page.get_by_role("button", name="Show all code").click()
        page.locator("details.code summary").first.press("Enter")
        page.get_by_role("button", name="Show all code").wait_for()


class TestContents:
    def test_beside_the_text_where_there_is_room(self, open_page, report):
        page = open_page(report)
        contents = page.get_by_role("navigation", name="Contents")
        box, main = contents.bounding_box(), page.get_by_role("main").bounding_box()
        assert box["x"] + box["width"] <= main["x"]
        page.get_by_role("heading", name="Third").scroll_into_view_if_needed()
        assert contents.get_by_role("link", name="First").is_visible()

    def test_folded_above_the_text_where_there_is_none(self, open_page, report):
        page = open_page(report, width=600)
        first = page.get_by_role("navigation").get_by_text("First")
        assert not first.is_visible()
        page.locator("nav summary").press("Enter")
        assert first.is_visible()
        page.set_viewport_size({"width": 1300, "height": 900})
        page.set_viewport_size({"width": 700, "height": 900})
        page.wait_for_function("!document.querySelector('nav details').open")

    def test_every_link_leads_to_what_it_names(self, open_page, report):
        page = open_page(report)
        links = page.locator("nav a").all()
        assert [link.inner_text() for link in links][::2] == ["First", "Second", "References"]
        for link in links:
            link.press("Enter")
            heading = page.locator(":target")
            assert heading.inner_text().split() == link.inner_text().split()
            assert heading.evaluate("e => e.matches('h2, h3')")

    def test_the_text_refers_to_tables_and_figures(self, open_page, report):
        page = open_page(report)
        for label in ("Table", "Figure"):
            link = page.get_by_role("main").get_by_role("link", name=label)
            link.press("Enter")
            words = link.inner_text().split()
            assert words[0] == label
            assert page.locator(":target .number").inner_text() == f"{' '.join(words)}."

    def test_the_first_tab_leads_past_them(self, open_page, report):
        page = open_page(report)
        page.keyboard.press("Tab")
        assert page.locator(":focus").inner_text() == "Skip to the text"
        assert page.locator(":focus").bounding_box()["x"] >= 0
        page.keyboard.press("Enter")
        page.keyboard.press("Tab")
        assert page.locator(":focus").evaluate("e => e.closest('main') !== null")


class TestPage:
    # what stands in the way goes by the width, and colours go by the scheme
    @pytest.mark.parametrize(("width", "scheme"), [(1300, "light"), (600, "dark")])
    def test_it_is_accessible_and_quiet(self, open_heard, barriers, report, scheme, width):
        page, heard = open_heard(report, width=width, color_scheme=scheme, bypass_csp=True)
        page.evaluate("document.querySelectorAll('details').forEach(d => d.open = true)")
        page.locator("thead button").first.click()
        assert barriers(page) == {}
        assert heard.problems == []
        assert heard.fetched == [report.as_uri()]

    @pytest.mark.parametrize("width", [600, 1200, 1300])
    def test_a_wide_table_scrolls_in_its_own_box(self, open_page, report, width):
        page = open_page(report, width=width)
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        box = page.locator(".scroll:has(table)").nth(1)
        assert box.evaluate("e => e.scrollWidth > e.clientWidth")
        box.focus()
        before = box.locator(".table-tools").bounding_box()["x"]
        box.evaluate("e => { e.scrollLeft = 300; }")
        assert box.locator(".table-tools").bounding_box()["x"] == pytest.approx(before, abs=1)

    def test_print_has_no_controls(self, open_page, report):
        page = open_page(report)
        header = page.locator("thead button").first
        header.click()
        page.emulate_media(media="print")
        assert [
            b.inner_text() for b in page.locator("button:not(.sort)").all() if b.is_visible()
        ] == []
        for selector in ("nav", ".skip", ".anchor", "summary"):
            assert not any(e.is_visible() for e in page.locator(selector).all()), selector
        # the words of a header are all that is left of its button
        assert header.inner_text() == "p"
        style = "e => { const s = getComputedStyle(e, '::after'); return s.content; }"
        assert header.evaluate(style) == "none"
        assert header.evaluate("e => getComputedStyle(e).borderTopWidth") == "0px"

    def test_a_wide_table_is_printed_whole(self, open_page, report):
        page = open_page(report)
        page.emulate_media(media="print")
        table = page.locator("div.landscape table")
        assert table.locator("thead th").count() == 40
        # A4 sideways, less its margins, in pixels
        assert table.evaluate("e => e.scrollWidth") <= (297 - 2 * 18) / 25.4 * 96
        assert float(table.evaluate("e => parseFloat(getComputedStyle(e).fontSize)")) >= 4

    def test_without_a_script_everything_can_be_read(self, open_page, report):
        page = open_page(report, java_script_enabled=False)
        assert page.get_by_role("navigation").get_by_text("Third").is_visible()
        assert page.locator("table").first.is_visible()
        assert page.locator("button").count() == 0
        page.locator("details.code summary").first.press("Enter")
        assert page.locator("details.code .source").first.is_visible()
