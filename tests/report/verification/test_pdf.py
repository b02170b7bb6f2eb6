"""A PDF of a report: its attached results are recomputed."""

import json
import sys
from io import BytesIO

import nbformat
import numpy as np
import pytest
from cells import PIXEL, SVG
from pypdf import PdfReader, PdfWriter

import nbcompare as nbc
from nbcompare.cli import main
from nbcompare.report import verify
from nbcompare.report.exporters import ReportPDFExporter
from nbcompare.report.page.embedded import ATTACHMENT

pytestmark = pytest.mark.slow  # Typst takes a second

DATA = nbc.Experiment.from_array(
    np.random.default_rng(3).normal([0, 0.4, 1.1], size=(8, 3)).round(2),
    direction="minimize",
    algorithms=("tree", "forest", "net"),
)
RESULT = nbc.compare(DATA)


def exported():
    cells = [nbformat.v4.new_markdown_cell("# Trees\n\nThe forest has 300 trees.", id="one")]
    outputs = [
        nbformat.v4.new_output("display_data", one._repr_mimebundle_())
        for one in (RESULT, RESULT.section("hypotheses"))
    ]
    alt = {"alt": "A line."}
    outputs.append(nbformat.v4.new_output("display_data", {"image/svg+xml": SVG}, metadata=alt))
    outputs.append(nbformat.v4.new_output("display_data", {"image/png": PIXEL}, metadata=alt))
    cells += [
        nbformat.v4.new_code_cell("show()", outputs=outputs, id="two"),
        nbformat.v4.new_markdown_cell(
            "\n\n".join(f"## Part {i}\n\nMore." for i in range(40)), id="three"
        ),
    ]
    return ReportPDFExporter().from_notebook_node(nbformat.v4.new_notebook(cells=cells))[0]


@pytest.fixture(scope="module")
def pdf():
    return exported()


@pytest.fixture
def path(tmp_path):
    return tmp_path / "report.pdf"


def changed(pdf, change):
    """The PDF after a change by another program."""
    writer = PdfWriter(clone_from=PdfReader(BytesIO(pdf)))
    change(writer)
    written = BytesIO()
    writer.write(written)
    return written.getvalue()


def with_results(change):
    def changing(writer):
        names = writer.root_object["/Names"]["/EmbeddedFiles"]["/Names"]
        stream = names[1].get_object()["/EF"]["/F"].get_object()
        document = json.loads(stream.get_data())
        change(document)
        stream.set_data(json.dumps(document).encode())

    return changing


def test_the_same_twice_and_tagged(pdf):
    assert exported() == pdf
    assert b"<pdfuaid:part>1</pdfuaid:part>" in pdf
    reader = PdfReader(BytesIO(pdf))
    (content,) = reader.attachments[ATTACHMENT]
    document = json.loads(content)
    assert [*document.values()] == [json.loads(RESULT.to_json())]
    # what PDF/UA-1 asks of a file: tags, a language, a title that is shown
    root = reader.trailer["/Root"]
    assert root["/MarkInfo"]["/Marked"]
    assert root["/Lang"] == "en"
    assert root["/ViewerPreferences"]["/DisplayDocTitle"]
    # and of an attachment: a name for people and a description
    (file,) = root["/Names"]["/EmbeddedFiles"]["/Names"][1::2]
    about = file.get_object()
    assert about["/UF"] == ATTACHMENT
    assert about["/Desc"]


def test_a_pdf_without_results_has_no_attachment():
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_markdown_cell("# One")])
    made, _ = ReportPDFExporter().from_notebook_node(notebook)
    assert not PdfReader(BytesIO(made)).attachments


def test_its_results_are_recomputed(pdf, path, tmp_path, capsys):
    path.write_bytes(pdf)
    found = verify(path, data=DATA)
    assert found.all_problems == ()
    assert not found.holds
    assert found.sentences[0] == (
        "The results hold, but the report could not be checked as a whole: 1 result agrees with "
        "what was recomputed."
    )
    DATA.to_frame().to_csv(tmp_path / "scores.csv")
    assert main(["verify", str(path), "--data", str(tmp_path / "scores.csv")]) == 2
    said = " ".join(capsys.readouterr().out.split())
    assert "Not recomputed: data, text, code and figures; only an HTML page" in said
    other = nbc.Experiment.from_array(
        np.array(DATA.mean_scores) ** 2, direction="minimize", algorithms=DATA.algorithms
    )
    assert "the data differ from those of the report" in verify(path, data=other).all_problems[0]


def test_results_that_were_changed(pdf, path):
    def smaller(document):
        (result,) = document.values()
        result["fields"]["hypotheses"]["pvalue"][0] = 1e-7

    path.write_bytes(changed(pdf, with_results(smaller)))
    assert "pvalue[0] is 1e-07, recomputed" in verify(path, data=DATA).all_problems[0]


@pytest.mark.parametrize(
    "damage",
    [
        lambda pdf: b"%PDF-1.7\n",
        lambda pdf: pdf[: len(pdf) // 2],
        lambda pdf: changed(pdf, with_results(lambda document: document.clear())),
    ],
    ids=["empty", "cut", "no results"],
)
def test_a_damaged_file_is_an_error(pdf, path, damage):
    path.write_bytes(damage(pdf))
    with pytest.raises(ValueError, match=r"^`page` must (be a PDF that can be read|hold results)"):
        verify(path, data=DATA)


def test_a_pdf_of_others_and_a_missing_package(pdf, path, monkeypatch, capsys):
    writer = PdfWriter()
    writer.add_blank_page(100, 100)
    with path.open("wb") as file:
        writer.write(file)
    with pytest.raises(ValueError, match=rf"no file {ATTACHMENT} is attached to this PDF\. "):
        verify(path, data=DATA)
    path.write_bytes(pdf)
    monkeypatch.setitem(sys.modules, "pypdf", None)
    with pytest.raises(SystemExit):
        main(["verify", str(path)])
    assert 'pip install "nbcompare[pdf]"' in capsys.readouterr().err
