"""Cells and outputs of notebooks, and pages made of them."""

import base64

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


def output_of(shown):
    """Return what a notebook keeps of a result or a figure."""
    bundle = shown._repr_mimebundle_() if hasattr(shown, "_repr_mimebundle_") else shown
    data, metadata = bundle if isinstance(bundle, tuple) else (bundle, {})
    plain = {
        kind: base64.b64encode(value).decode() if isinstance(value, bytes) else value
        for kind, value in data.items()
    }
    return display(plain, **metadata)


def code(*outputs, source="run()", **metadata):
    return new_code_cell(source, outputs=list(outputs), metadata=metadata)


def export(*cells, exporter=None, **metadata):
    notebook = new_notebook(cells=list(cells), metadata=metadata)
    page, _ = (exporter or ReportHTMLExporter()).from_notebook_node(notebook)
    return page


def soup(*cells, **options):
    return BeautifulSoup(export(*cells, **options), "html.parser")
