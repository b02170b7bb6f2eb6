"""What a kernel publishes of a builder: what hosts other than JupyterLab get to show."""

import nbformat
import pytest
from nbclient import NotebookClient

import nbcompare as nbc

pytestmark = pytest.mark.slow

VIEW = "application/vnd.jupyter.widget-view+json"
# What Colab has in its kernels: who asks gets every view of a widget marked with a manager
COLAB = """\
import sys, types

asked = []

def mark(message):
    if "VIEW" in message["content"].get("data", {}):
        message["content"].setdefault("metadata", {})["VIEW"] = {"colab": {"manager": "address"}}
    return message

def enable_custom_widget_manager():
    asked.append(True)
    get_ipython().display_pub.register_hook(mark)

output = types.ModuleType("google.colab.output")
output.enable_custom_widget_manager = enable_custom_widget_manager
output._widgets = types.SimpleNamespace(_installed_url="address")
sys.modules |= {"google.colab.output": output}
""".replace("VIEW", VIEW)
SHOW = """\
import nbcompare as nbc

nbc.CDDiagramBuilder(nbc.datasets.load("demsar2006"))"""


def test_outputs_of_a_builder_in_colab():
    cells = [nbformat.v4.new_code_cell(source) for source in (COLAB, SHOW, "len(asked)")]
    notebook = nbformat.v4.new_notebook(cells=cells)
    NotebookClient(notebook, kernel_name="python3").execute()
    view, figure, text = notebook.cells[1].outputs
    # it is asked once for what loads widgets that are not Colab's own, before the view is sent
    assert view.metadata == {VIEW: {"colab": {"manager": "address"}}}
    assert notebook.cells[2].outputs[0].data["text/plain"] == "1"
    # where there are no widgets, the figure is seen first: an image in HTML, or a PNG
    assert view.data["text/plain"] == ""
    result = nbc.compare(nbc.datasets.load("demsar2006"))
    assert figure.data["text/plain"] == nbc.plots.cd_diagram(result).alt
    assert '<img src="data:image/' in figure.data["text/html"]
    assert figure.data["image/png"]
    sentences = " ".join(result.findings[:2])
    for kind in ("text/plain", "text/markdown"):
        assert sentences in " ".join(text.data[kind].replace("\\", "").split())
