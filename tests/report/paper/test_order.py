"""What stands where on paper: findings first, what a page folds in the appendix."""

import base64
import io
import re
import struct
import zlib

import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output
from pypdf import PdfReader

import nbcompare as nbc
from nbcompare._options import FOLD
from nbcompare.report.exporters import ReportLatexExporter, ReportPDFExporter
from nbcompare.report.notebook.chapters import BESIDE, FINDINGS, LEGEND
from nbcompare.report.paper import order

TOP, BOTTOM, HEIGHT = 74, 68, 841.89  # points, of A4


def text(source, identity, fold="", tags=()):
    cell = new_markdown_cell(source, id=identity)
    cell.metadata.update({FOLD: fold} if fold else {})
    cell.metadata.update({"tags": list(tags)} if tags else {})
    return cell


def stream(said, identity, fold=""):
    cell = new_code_cell("run()", id=identity, outputs=[new_output("stream", text=said)])
    cell.metadata.update({FOLD: fold} if fold else {})
    return cell


def sources(cells):
    return [cell.source if cell.cell_type == "markdown" else cell.id for cell in cells]


def test_the_cells_of_the_first_page_have_the_tags_of_the_chapters():
    assert {FINDINGS, BESIDE, LEGEND} == order._SUMMARY


def test_what_is_folded_moves_into_the_appendix():
    cells = [
        text("## Data", "data"),
        stream("raw", "data-datasets-code", fold="Scores: all"),
        text("### Scores", "data-scores"),
        stream("runs", "data-scores-code"),
        text("## Sensitivity", "sensitivity"),
        text("### Which?", "sensitivity-designs", fold="Every *design*"),
        stream("designs", "sensitivity-designs-code", fold="Every *design*"),
        text("## Appendix\n\nMore.", "appendix"),
        text("### Ranks", "appendix-ranks", fold="Rest"),
        stream("ranks", "appendix-ranks-code", fold="Rest"),
        text("## References", "references"),
    ]
    assert sources(order.in_order(cells)) == [
        "## Data",
        r"In the appendix: [Scores\: all](#Scores:-all).",
        "In the appendix: [Scores](#Scores).",
        "## Sensitivity",
        r"In the appendix: [Every \*design\*](#Every-*design*).",
        "## Appendix\n\nMore.",
        "### Ranks",
        "appendix-ranks-code",
        r"### Scores\: all",
        "data-datasets-code",
        "### Scores",
        "data-scores-code",
        r"### Every \*design\*",
        "#### Which?",
        "sensitivity-designs-code",
        "## References",
    ]


def test_every_measure_has_its_own_appendix_and_links_to_it():
    cells = []
    for measure, name in (("auc", "appendix_auc"), ("loss", "comparison-appendix")):
        cells += [
            text(f"## Data ({measure})", f"data_{measure}"),
            stream(f"raw {measure}", f"data_{measure}-datasets-code", fold="Scores"),
            text("## Appendix", name),
            text("### Ranks", f"{name}-ranks", fold="Rest"),
        ]
    assert sources(order.in_order(cells)) == [
        "## Data (auc)",
        "In the appendix: [Scores](#Scores).",
        "## Appendix",
        "### Ranks",
        "### Scores",
        "data_auc-datasets-code",
        "## Data (loss)",
        "In the appendix: [Scores](#Scores-2).",
        "## Appendix",
        "### Ranks",
        "### Scores",
        "data_loss-datasets-code",
    ]


def test_without_an_appendix_everything_stays():
    cells = [stream("raw", "data-datasets-code", fold="Scores"), text("## Appendix", "appendix")]
    assert order.in_order(cells) == cells
    assert order.end_of_summary(cells) is None


def test_findings_that_stand_later_are_no_summary():
    chapters = [text(f"## {n}", f"c{n}") for n in range(3)]
    findings = text("They differ.", "findings", tags=[FINDINGS])
    assert order.end_of_summary([*chapters[:2], findings]) == 2
    assert order.end_of_summary([*chapters, findings]) is None


@pytest.fixture(scope="module")
def report():
    """A report that has been laid out and not run, with a stream for every output."""
    notebook = nbc.Report(nbc.datasets.load("demsar2006"), full=True).to_notebook()
    for cell in notebook.cells:
        if cell.cell_type == "code" and cell.id != "import":
            cell.outputs = [new_output("stream", text=f"output of {cell.id}")]
    return notebook


@pytest.mark.slow
@pytest.mark.parametrize("columns", [1, 2])
def test_a_report_has_its_answer_then_the_contents_and_the_scores_in_the_appendix(report, columns):
    pdf, _ = ReportPDFExporter(columns=columns).from_notebook_node(report)
    pages = PdfReader(io.BytesIO(pdf)).pages
    words = "\n".join(page.extract_text() for page in pages)
    places = [
        words.index(part)
        for part in (
            "output of findings-code",
            "output of findings-overview-code",
            "Contents",
            "output of comparison-code",
            "In the appendix: Scores on each data set.",
            "output of methods-code",
            "output of appendix-ranks-code",
            "output of sensitivity-tests-code",
            "output of data-datasets-code",
        )
    ]
    assert places == sorted(places)
    first = pages[0].extract_text()
    assert "Contents" in first
    assert "How firm is this? " in first
    assert not re.search(r"Average ranks *[.]", first)  # the contents are short
    links = [link.get_object() for page in pages for link in page.get("/Annots") or ()]
    assert len(links) > 5


def test_latex_has_the_same_order(report):
    source, _ = ReportLatexExporter().from_notebook_node(report)
    places = [
        source.index(part)
        for part in (
            "output\\ of\\ findings-code",
            "\n\\shortcontents",
            "output\\ of\\ comparison-code",
            r"\hyperref[Scores-on-each-data-set]{Scores on each data set}",
            r"\label{Scores-on-each-data-set}",
            "output\\ of\\ data-datasets-code",
        )
    ]
    assert places == sorted(places)
    assert "\n\\tableofcontents" not in source


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
