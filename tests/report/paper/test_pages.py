"""What stands where on paper: the answer, figures with their headings."""

import base64
import io
import struct
import zlib

import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output
from pypdf import PdfReader

import nbcompare as nbc
from nbcompare.report.exporters import ReportLatexExporter, ReportPDFExporter

TOP, BOTTOM, HEIGHT = 74, 68, 841.89  # points, of A4


def test_a_report_needs_no_contents_which_a_notebook_of_many_chapters_has():
    cells = [new_markdown_cell("# Title"), *(new_markdown_cell(f"## Part {n}") for n in range(9))]
    notebook = new_notebook(cells=cells)
    assert "\n\\tableofcontents" in ReportLatexExporter().from_notebook_node(notebook)[0]
    notebook.metadata["nbcompare"] = {"version": "0"}
    assert "\n\\tableofcontents" not in ReportLatexExporter().from_notebook_node(notebook)[0]


def test_references_stand_by_their_numbers_and_have_no_other_mark():
    view = nbc.compare(nbc.datasets.load("demsar2006")).section("methods")
    cell = new_code_cell("", outputs=[new_output("display_data", view._repr_mimebundle_())])
    source, _ = ReportLatexExporter().from_notebook_node(new_notebook(cells=[cell]))
    assert r"\item[] {}[1] Dem" in source
    assert "\n\\item {}" not in source


def test_numbers_in_tables_have_a_minus_as_in_figures():
    table = "<table><tr><td>-0.5 to 1e-05</td><td>a-1</td><td>2026-01-05</td></tr></table>"
    cell = new_code_cell("", outputs=[new_output("display_data", {"text/html": table})])
    notebook = new_notebook(cells=[cell, new_markdown_cell("Paste -1.")])
    source, _ = ReportLatexExporter().from_notebook_node(notebook)
    assert "−0.5 to 1e-05 & a-1 & 2026-01-05" in source
    assert "Paste -1." in source


@pytest.fixture(scope="module")
def report():
    """A report that has been laid out and not run, with a stream for every output."""
    notebook = nbc.Report(nbc.datasets.load("demsar2006"), full=True).to_notebook()
    for cell in notebook.cells:
        if cell.cell_type == "code" and cell.id != "import":
            cell.outputs = [new_output("stream", text=f"output of {cell.id}")]
    return notebook


@pytest.mark.slow
def test_a_report_has_its_answer_then_the_rest_in_the_order_of_the_page(report):
    pdf, _ = ReportPDFExporter().from_notebook_node(report)
    pages = PdfReader(io.BytesIO(pdf)).pages
    words = "\n".join(page.extract_text() for page in pages)
    places = [
        words.index(part)
        for part in (
            "output of findings-code",
            "output of findings-overview-code",
            "output of comparison-code",
            "output of sensitivity-tests-code",
            "output of data-datasets-code",
            "output of methods-code",
            "output of appendix-ranks-code",
        )
    ]
    assert places == sorted(places)


def test_latex_has_the_same_order(report):
    source, _ = ReportLatexExporter().from_notebook_node(report)
    places = [
        source.index(part)
        for part in (
            "output\\ of\\ findings-code",
            "output\\ of\\ comparison-code",
            "output\\ of\\ data-datasets-code",
            "output\\ of\\ appendix-ranks-code",
        )
    ]
    assert places == sorted(places)


# ------------------------------------------------------------------------------------ pages


def png(width, height):
    """A grey picture of this size in pixels."""
    rows = b"".join(b"\0" + b"\x80" * width for _ in range(height))
    chunks = [
        (b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)),
        (b"IDAT", zlib.compress(rows)),
        (b"IEND", b""),
    ]
    packed = b"".join(
        struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
        for kind, data in chunks
    )
    return base64.b64encode(b"\x89PNG\r\n\x1a\n" + packed).decode()


def lowest(page):
    """The share of a page above its last text, without the footer."""
    heights = []

    def see(said, cm, tm, *_rest):
        height = cm[1] * tm[4] + cm[3] * tm[5] + cm[5]
        if said.strip() and height > BOTTOM:
            heights.append(height)

    page.extract_text(visitor_text=see)
    return (HEIGHT - TOP - min(heights)) / (HEIGHT - TOP - BOTTOM)


@pytest.mark.parametrize("filled", [2, 8, 12, 16, 20, 24])
@pytest.mark.parametrize("size", [(800, 300), (600, 900)], ids=["wide", "tall"])
def test_a_heading_stays_with_its_figure_and_no_page_is_half_empty(filled, size):
    paragraph = "A sentence of some words that takes the width of a line. " * 4
    figure = new_output("display_data", data={"image/png": png(*size)})
    notebook = new_notebook(
        cells=[
            new_markdown_cell("# Title\n\n" + f"{paragraph}\n\n" * filled),
            new_markdown_cell("## The heading\n\nThis introduces the figure."),
            new_code_cell("draw()", outputs=[figure], metadata={"caption": "The caption"}),
            new_markdown_cell("## Next\n\n" + f"{paragraph}\n\n" * 12),
        ],
        metadata={"nbcompare": {"version": "1", "prints_code": False}},
    )
    pdf, _ = ReportPDFExporter().from_notebook_node(notebook)
    *pages, _last = PdfReader(io.BytesIO(pdf)).pages
    texts = [page.extract_text() for page in [*pages, _last]]
    (place,) = [n for n, said in enumerate(texts) if "This introduces the figure." in said]
    assert "Figure 1. The caption" in texts[place]
    assert "The heading\n" in texts[place]
    assert all(lowest(page) > 0.5 for page in pages)
