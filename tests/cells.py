"""Cells and outputs of notebooks, and pages made of them."""

from bs4 import BeautifulSoup
from nbformat.v4 import new_code_cell, new_notebook, new_output

from nbcompare.report.exporters import ReportHTMLExporter

PIXEL = (
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk"
    "+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
)
SVG = '<svg xmlns="http://www.w3.org/2000/svg" width="90" height="60"><path d="M0 0L9 9"/></svg>'


def display(data, **metadata):
    return new_output("display_data", data=data, metadata=metadata)


def code(*outputs, source="run()", **metadata):
    return new_code_cell(source, outputs=list(outputs), metadata=metadata)


def export(*cells, exporter=None, **metadata):
    notebook = new_notebook(cells=list(cells), metadata=metadata)
    page, _ = (exporter or ReportHTMLExporter()).from_notebook_node(notebook)
    return page


def soup(*cells, **options):
    return BeautifulSoup(export(*cells, **options), "html.parser")
