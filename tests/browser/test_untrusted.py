"""A saved notebook with a builder that comes from elsewhere: opened without trust."""

import json

import pytest
from axe_playwright_python.sync_playwright import Axe

import nbcompare as nbc

pytestmark = pytest.mark.browser

MAKE = """\
import nbcompare as nbc
builder = nbc.CDDiagramBuilder(nbc.datasets.load("demsar2006"))
builder"""
OUTPUTS = """() => [...document.querySelectorAll('.jp-OutputArea-child')].map(child => ({
    text: child.innerText,
    height: child.offsetHeight,
    images: [...child.querySelectorAll('img')].map(image => [image.alt, image.naturalWidth]),
}))"""


def test_the_still_view_is_seen_first(jupyter, open_builder, open_notebook):
    builder = open_builder("trusted.ipynb", MAKE)
    builder.snapshot.nth(1).wait_for(state="attached")
    saved = builder.notebook.saved_with(lambda text: "This is the last state of" in text)
    builder.notebook.close()
    jupyter.end_kernels()
    # what is signed is the whole file
    saved["cells"][0]["source"] += "\n# changed elsewhere"
    (jupyter.files / "elsewhere.ipynb").write_text(json.dumps(saved))
    notebook = open_notebook("elsewhere.ipynb", width=800)
    page = notebook.page
    cell = "window.jupyterapp.shell.currentWidget.content.widgets[0].model"
    page.wait_for_function(f"() => {cell}.outputs.length === 3")
    assert page.evaluate(f"() => {cell}.trusted") is False

    result = nbc.compare(nbc.datasets.load("demsar2006"))
    page.get_by_text("This is the last state of CDDiagramBuilder").wait_for()
    # where the widget was, there is not even an empty line
    empty, figure, text = page.evaluate(OUTPUTS)
    assert empty == {"text": "", "height": 0, "images": []}
    assert figure["text"].strip() == ""
    ((alt, width),) = figure["images"]
    assert alt == nbc.plots.cd_diagram(result).alt
    assert width > 300
    assert " ".join(result.findings[:3]) in " ".join(text["text"].split())
    assert text["images"] == []
    for theme in ("JupyterLab Light", "JupyterLab Dark"):
        notebook.command("apputils:change-theme", theme=theme)
        dark = str(theme.endswith("Light")).lower()
        page.wait_for_function(f"() => document.body.dataset.jpThemeLight === '{dark}'")
        # that its boxes scroll, without a stop for the keyboard, is Jupyter's own
        options = {"rules": {"scrollable-region-focusable": {"enabled": False}}}
        found = Axe().run(page, ".jp-OutputArea", options).response["violations"]
        assert [(one["id"], [node["html"] for node in one["nodes"]]) for one in found] == []
    assert notebook.problems == []
