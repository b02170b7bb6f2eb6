"""Figures on a page: their text, what they say where a reader points, and where they lead to."""

import base64
import io

import numpy as np
import pytest
from matplotlib.text import Text
from nbclient import NotebookClient
from nbconvert import HTMLExporter
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output
from PIL import Image

import nbcompare as nbc
from nbcompare.report.exporters import ReportHTMLExporter

pytestmark = pytest.mark.browser

# as people name algorithms, and as they should not
NAMES = [
    "C4.5 – pruned",
    "<b onmouseover=alert(1)>k-NN</b>",
    "naïve Bayes",
    'SVM "rbf" & co.',
    "W" * 60,
]
PARTS = "svg.nbf .m"


def displayed(shown):
    bundle = shown._repr_mimebundle_()
    data, metadata = bundle if isinstance(bundle, tuple) else (bundle, {})
    data = {
        kind: base64.b64encode(content).decode() if isinstance(content, bytes) else content
        for kind, content in data.items()
    }
    return new_output("display_data", data=data, metadata=metadata)


def exported(*shown):
    cells = [new_markdown_cell("# Figures")]
    cells += [new_code_cell("", outputs=[displayed(one)]) for one in shown]
    page, _ = ReportHTMLExporter().from_notebook_node(new_notebook(cells=cells))
    return page


@pytest.fixture(scope="module")
def result():
    scores = np.random.default_rng(2).normal(size=(20, 5)) + np.arange(5)
    return nbc.compare(
        nbc.Experiment.from_array(scores, direction="maximize", algorithms=NAMES), adjust="holm"
    )


@pytest.fixture(scope="module")
def report(tmp_path_factory, result):
    file = tmp_path_factory.mktemp("figures") / "report.html"
    plots = (nbc.plots.cd_diagram, nbc.plots.pvalue_matrix, nbc.plots.interval_forest)
    shown = [
        result.section("ranks"),
        result.section("hypotheses"),
        *(draw(result) for draw in plots),
    ]
    file.write_text(exported(*shown), encoding="utf-8")
    return file


def part(page, figure, start):
    """The first part of a figure whose label begins so."""
    found = page.locator(f"figure >> nth={figure} >> {PARTS}")
    labels = found.evaluate_all("parts => parts.map((part) => part.getAttribute('aria-label'))")
    return found.nth(next(i for i, label in enumerate(labels) if label and label.startswith(start)))


def label_of(page, figure, name):
    """What is written for an algorithm, the second part of whose name may be on another line."""
    return page.locator(f"figure >> nth={figure} >> .m text", has_text=name).first


def lit(page, selector):
    return page.locator(f"{selector}.lit")


def test_text_is_text_and_is_found(open_heard, report):
    page, heard = open_heard(report)
    assert heard.fetched == [report.as_uri()]
    assert not heard.problems
    assert page.locator("figure img").count() == 0
    for name in NAMES:
        # the second line of a name is not a place of its own: a search goes on over it
        assert page.evaluate("name => window.find(name, true, false, true)", name)
        assert page.locator("svg.nbf").first.get_by_text(name, exact=False).count() >= 1
    ids = page.evaluate("[...document.querySelectorAll('[id]')].map((e) => e.id)")
    assert len(ids) == len(set(ids))


def test_texts_stand_where_the_saved_figure_has_them(open_page, report, result):
    """Also in a font that is narrower than that of Matplotlib: names end where they ended."""
    page = open_page(report)
    plot = nbc.plots.cd_diagram(result)
    text = page.locator("svg.nbf text", has_text=NAMES[2]).first
    (drawn,) = (it for it in plot.figure.findobj(Text) if it.get_text() == NAMES[2])
    scale = "text => text.ownerSVGElement.getBoundingClientRect().width"
    per_inch = text.evaluate(scale) / plot.figure.get_size_inches()[0]
    box = drawn.get_window_extent()
    side = {"left": "x0", "right": "x1"}.get(drawn.get_horizontalalignment(), "x0")
    there = getattr(box, side) / plot.figure.dpi * per_inch
    for family in ("DejaVu Sans", "Liberation Sans Narrow, serif"):
        text.evaluate("(text, family) => text.setAttribute('font-family', family)", family)
        ends = text.evaluate(
            "text => [0, 1].map((end) => text.getBoundingClientRect()[end ? 'right' : 'left'] "
            "- text.ownerSVGElement.getBoundingClientRect().x)"
        )
        assert ends[side == "x1"] == pytest.approx(there, abs=2)


def test_a_pointer_is_told_what_it_is_on(open_page, report, result):
    page = open_page(report)
    tip = page.locator(".figure-tip")
    assert not tip.is_visible()
    for name in NAMES:
        label_of(page, 0, name).hover()
        rank = f"{result.average_ranks[name]:.2f}"
        assert tip.inner_text().startswith(f"{name}: average rank {rank}")
    assert page.locator(".figure-tip *").count() == 0  # names are text
    page.keyboard.press("Escape")
    assert not tip.is_visible()


def test_so_does_the_still_view_of_a_builder_in_a_page_of_jupyter(tmp_path, open_page):
    lines = [
        "import numpy as np, nbcompare as nbc",
        "scores = np.random.default_rng(2).normal(size=(20, 5)) + np.arange(5)",
        f"names = {NAMES!r}",
        "kept = nbc.Experiment.from_array(scores, direction='maximize', algorithms=names)",
        "nbc.CDDiagramBuilder(kept)",
    ]
    notebook = new_notebook(cells=[new_code_cell("\n".join(lines)), new_code_cell(lines[-1])])
    NotebookClient(notebook, resources={"metadata": {"path": str(tmp_path)}}).execute()
    page, _ = HTMLExporter(template_name="lab").from_notebook_node(notebook)
    (tmp_path / "notebook.html").write_text(page, "utf-8")
    problems = []
    page = open_page(tmp_path / "notebook.html", on_problem=problems.append)
    assert page.locator(".nbcompare-snapshot img").count() == 0
    assert page.locator("svg.nbf").count() == 2
    tip = page.locator(".figure-tip")
    for name in (NAMES[0], NAMES[4], NAMES[2]):
        label_of(page, 1, name).hover()
        assert tip.inner_text().startswith(f"{name}: average rank")
    row = lit(page, "tbody tr").first
    assert NAMES[2] in row.inner_text()
    color = "cell => getComputedStyle(cell).backgroundColor"
    assert row.locator("td, th").first.evaluate(color) == "rgb(255, 241, 184)"
    assert [it for it in problems if "ERR_" not in it] == []  # Jupyter's page loads from a network


def test_an_algorithm_is_lit_up_wherever_it_is(open_page, report):
    page = open_page(report)
    name = NAMES[1]
    label_of(page, 0, name).hover()
    for figure in range(3):
        labels = lit(page, f"figure >> nth={figure} >> .m").all_text_contents()
        assert any("k-NN" in label for label in labels)
    (row,) = lit(page, "table >> nth=0 >> tbody tr").all()
    assert name in row.inner_text()
    others = lit(page, "table >> nth=1 >> tbody tr").all_inner_texts()
    assert len(others) == 4
    assert all(name in other for other in others)
    page.locator("h1").hover()
    assert lit(page, "*").count() == 0
    # and from a table to the figures
    page.locator("table >> nth=0 >> tbody tr", has_text=NAMES[2]).hover()
    found = lit(page, "figure >> nth=0 >> .m").all_text_contents()
    assert any(text.endswith(NAMES[2]) for text in found)
    assert not any(NAMES[0] in text or NAMES[4] in text for text in found)


@pytest.mark.parametrize("pair", [(0, 4), (1, 2)])
def test_a_cell_leads_to_its_row(open_page, report, pair):
    page = open_page(report)
    names = [NAMES[place] for place in pair]
    cell = part(page, 1, f"{names[1]} – {names[0]}:")
    cell.click(force=True)
    focused = page.evaluate("document.activeElement.textContent")
    assert page.evaluate("document.activeElement.tagName") == "TR"
    assert all(name in focused for name in names)
    assert page.locator("tr:target").inner_text() == page.locator("tr:focus").inner_text()
    page.go_back()
    assert page.locator("tr:target").count() == 0


def test_by_keyboard(open_page, report):
    page = open_page(report)
    stops = page.locator("figure >> nth=1 >> .m[tabindex='0']")
    assert stops.count() == 1
    stops.focus()
    seen = set()
    for key in ("ArrowDown", "ArrowUp", "End", "ArrowUp", "ArrowLeft"):
        page.keyboard.press(key)
        seen.add(page.evaluate("document.activeElement.getAttribute('aria-label')"))
        assert page.locator(".figure-tip").is_visible()
        assert lit(page, "figure >> nth=1 >> .m").count() >= 1
        assert stops.count() == 1
    assert len(seen) > 2
    part(page, 1, f"{NAMES[4]} – {NAMES[0]}:").focus()
    page.keyboard.press("Enter")
    row = page.evaluate("document.activeElement.textContent")
    assert NAMES[0] in row
    assert NAMES[4] in row


def luminance(colors):
    channels = np.asarray(colors, dtype=float)[..., :3] / 255
    linear = np.where(channels <= 0.04045, channels / 12.92, ((channels + 0.055) / 1.055) ** 2.4)
    return linear @ (0.2126, 0.7152, 0.0722)


def contrast_in(shown):
    """The contrast of the lightest and the darkest pixel of what is seen of an element."""
    with Image.open(io.BytesIO(shown.screenshot())) as picture:
        seen = luminance(np.asarray(picture.convert("RGB")))
    return (seen.max() + 0.05) / (seen.min() + 0.05), np.median(seen)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_colours_of_the_theme_are_legible(open_page, report, scheme):
    """As pixels: in the dark, a filter changes what the elements say of their colours."""
    page = open_page(report, color_scheme=scheme, device_scale_factor=2)
    for figure in range(3):
        for text in page.locator(f"figure >> nth={figure} >> .m text").all():
            contrast, background = contrast_in(text)
            assert contrast >= 4.5
        assert (background < 0.4) == (scheme == "dark")
    page.emulate_media(media="print")
    _, background = contrast_in(page.locator("svg.nbf").first)
    assert background > 0.95  # paper is white


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("pointed", [False, True])
def test_keeps_nobody_out(open_page, report, barriers, scheme, pointed):
    page = open_page(report, color_scheme=scheme, bypass_csp=True)
    if pointed:
        part(page, 0, f"{NAMES[0]}: average rank").focus()
    assert barriers(page) == {}


def test_what_is_saved_has_outlines(open_page, report, result):
    page = open_page(report, accept_downloads=True)
    for kind, start in (("SVG", b"<?xml"), ("PNG", b"\x89PNG"), ("PDF", b"%PDF-")):
        with page.expect_download() as download:
            page.get_by_role("button", name=f"Save {kind} of Figure 1").click()
        content = download.value.path().read_bytes()
        assert content.startswith(start)
        if kind == "SVG":
            assert b"<text" not in content
            assert content.decode() == nbc.plots.cd_diagram(result).drawing()
