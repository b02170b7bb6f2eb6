"""The HTML page printed by a Chromium."""

import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

from nbcompare.report.exporters import ReportWebPDFExporter


@pytest.mark.browser
def test_a_page_is_printed_though_it_asks(chromium):
    asking = {"application/javascript": "alert(1); confirm(2); element.textContent = prompt(3)"}
    notebook = new_notebook(
        cells=[
            new_markdown_cell("# Printed"),
            new_code_cell("1", outputs=[new_output("display_data", data=asking)]),
        ]
    )
    pdf, resources = ReportWebPDFExporter().from_notebook_node(notebook)
    assert pdf.startswith(b"%PDF-")
    assert b"/StructTreeRoot" in pdf  # tagged
    assert resources["output_extension"] == ".pdf"
