"""The standards of a PDF: PDF/UA-1, and on request PDF/A-3a as well, with the results attached."""

import datetime
import io
import json

import pytest
from nbformat.v4 import new_markdown_cell, new_notebook
from pypdf import PdfReader

import nbcompare as nbc
from nbcompare.cli import main
from nbcompare.report.exporters import ReportPDFExporter
from nbcompare.report.page.attachment import ATTACHMENT
from nbcompare.report.verification import verify as verification

PAGE = new_notebook(cells=[new_markdown_cell("# Title\n\nText with $x^2$.")])


def exported(date=None, own=None, **options):
    notebook = PAGE.copy()
    notebook.metadata = {**({"date": date} if date else {}), "nbcompare": own or {}}
    return ReportPDFExporter(**options).from_notebook_node(notebook)[0]


def claims(pdf):
    """The parts of the standards that a PDF says it conforms to."""
    about = PdfReader(io.BytesIO(pdf)).trailer["/Root"]["/Metadata"].get_data().decode()
    names = ("pdfuaid:part>1", "pdfaid:part>3", "pdfaid:conformance>A")
    return [name for name in names if name in about]


@pytest.mark.slow
def test_an_archive_gets_what_it_asks_for(monkeypatch):
    assert claims(exported()) == ["pdfuaid:part>1"]
    archived = exported("2026-03-31", standard="a-3a")
    assert claims(archived) == ["pdfuaid:part>1", "pdfaid:part>3", "pdfaid:conformance>A"]
    reader = PdfReader(io.BytesIO(archived))
    assert reader.metadata["/CreationDate"] == "D:20260331000000Z"
    assert "/OutputIntents" in reader.trailer["/Root"]
    assert exported("2026-03-31", own={"pdf_standard": "a-3a"}) == archived
    assert exported("2026-03-31", own={"pdf_standard": "a-3a"}, standard="ua-1") == exported(
        "2026-03-31"
    )
    assert exported(own={"pdf_standard": ["a-9"]}) == exported()


@pytest.mark.parametrize("date", ["", "Spring 2026"])
def test_without_a_day_the_file_has_that_of_the_export(monkeypatch, date):
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "86400")
    made = PdfReader(io.BytesIO(exported(date, standard="a-3a"))).metadata["/CreationDate"]
    assert made == "D:19700102000000Z"
    monkeypatch.delenv("SOURCE_DATE_EPOCH")
    before = datetime.datetime.now(datetime.UTC).date()
    made = PdfReader(io.BytesIO(exported(date, standard="a-3a"))).metadata.creation_date.date()
    assert before <= made <= datetime.datetime.now(datetime.UTC).date()


def test_a_report_knows_its_standard():
    experiment = nbc.datasets.load("demsar2006")
    assert "pdf_standard" not in nbc.Report(experiment).to_notebook().metadata["nbcompare"]
    archived = nbc.Report(experiment, pdf_standard="a-3a").to_notebook()
    assert archived.metadata["nbcompare"]["pdf_standard"] == "a-3a"
    with pytest.raises(ValueError, match=r"^`pdf_standard` must be 'ua-1' or 'a-3a'; got 'a-1b'"):
        nbc.Report(experiment, pdf_standard="a-1b")


@pytest.mark.slow
def test_verify_reads_an_archived_report_in_two_columns(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    line = ["report", "--example", "demsar2006", "--sections", "findings,data,appendix"]
    asked = ["--pdf-standard", "a-3a", "--columns", "2", "--date", "2026-03-31"]
    assert main([*line, *asked, "-o", "r.pdf", "-o", "r.ipynb"]) == 0
    pdf = (tmp_path / "r.pdf").read_bytes()
    assert claims(pdf) == ["pdfuaid:part>1", "pdfaid:part>3", "pdfaid:conformance>A"]
    attached = json.loads(PdfReader(io.BytesIO(pdf)).attachments[ATTACHMENT][0])
    assert attached["results"]
    experiment = nbc.datasets.load("demsar2006")
    found = verification.verify(tmp_path / "r.pdf", data=experiment)
    assert not found.all_problems
    assert not found.changed
