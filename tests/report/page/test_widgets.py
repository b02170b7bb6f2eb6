"""What a page shows of widgets."""

import pytest
from bs4 import BeautifulSoup
from nbformat.v4 import new_code_cell, new_notebook, new_output

from nbcompare.report.exporters import ReportHTMLExporter

VIEW = "application/vnd.jupyter.widget-view+json"
LEFT = new_output(
    "display_data",
    data={"text/html": "<p>as it last stood</p>"},
    metadata={"nbcompare-snapshot": "root"},
)


def view(**data):
    return new_output("display_data", data={VIEW: {}, "text/plain": "Widget()"} | data)


@pytest.mark.parametrize(
    ("outputs", "shown"),
    [
        ([view(**{"text/html": "<b>last view</b>"})], "last view"),
        ([view()], "Widget()"),
        ([view(), LEFT], "as it last stood"),  # a builder is what it left in the cell
    ],
)
def test_a_widget_is_its_richest_view(outputs, shown):
    notebook = new_notebook(cells=[new_code_cell("show()", outputs=outputs)])
    notebook.metadata["widgets"] = "text"  # whatever state was saved
    page, _ = ReportHTMLExporter().from_notebook_node(notebook)
    document = BeautifulSoup(page, "html.parser")
    assert shown in document.main.text
    assert ("Widget()" in document.main.text) == (shown == "Widget()")
