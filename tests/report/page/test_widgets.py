"""What a page shows of widgets."""

from bs4 import BeautifulSoup
from nbformat.v4 import new_code_cell, new_notebook, new_output

from nbcompare.report.exporters import ReportHTMLExporter

STATE = "application/vnd.jupyter.widget-state+json"
VIEW = "application/vnd.jupyter.widget-view+json"
PIXEL = (
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk"
    "+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
)


def model(name, **state):
    return {"model_name": f"{name}Model", "model_module": "x", "state": state}


def view(identity="root", **data):
    shown = {"model_id": identity, "version_major": 2, "version_minor": 0}
    return new_output("display_data", data={VIEW: shown, "text/plain": "Widget()"} | data)


def page(state, *outputs):
    widgets = {STATE: {"version_major": 2, "version_minor": 0, "state": state}}
    notebook = new_notebook(
        cells=[new_code_cell("show()", outputs=list(outputs))], metadata={"widgets": widgets}
    )
    exported, _ = ReportHTMLExporter().from_notebook_node(notebook)
    return BeautifulSoup(exported, "html.parser")


def test_what_a_widget_caught_is_shown():
    caught = [
        {"output_type": "stream", "name": "stdout", "text": "printed\n"},
        {"output_type": "display_data", "metadata": {}, "data": {"image/png": PIXEL}},
    ]
    state = {
        "root": model("VBox", children=["IPY_MODEL_a", "IPY_MODEL_g", "IPY_MODEL_root"]),
        "a": model("FloatSlider", description="α:", value=0.05),
        "g": model("Output", outputs=caught),
    }
    document = page(state, view())
    assert document.select_one("pre.text").text == "printed\n"
    assert len(document.select("figure img")) == 1


def test_a_richer_representation_is_kept():
    state = {"root": model("IntSlider", description="n", value=3)}
    document = page(state, view(**{"text/html": "<b>last view</b>"}))
    assert document.main.b.text == "last view"


def test_a_widget_without_state_shows_its_text():
    document = page({"other": model("Label", value="x")}, view("gone"))
    assert document.main.find("pre", class_="text").text == "Widget()"


def test_a_state_that_is_odd_stops_nothing():
    notebook = new_notebook(cells=[new_code_cell("", outputs=[view()])])
    for odd in ("text", {}, {STATE: None}, {STATE: {"state": [1]}}):
        notebook.metadata["widgets"] = odd
        exported, _ = ReportHTMLExporter().from_notebook_node(notebook)
        assert "Widget()" in exported


def test_a_builder_is_what_it_left_in_the_cell():
    state = {"root": model("VBox", children=["IPY_MODEL_a"]), "a": model("HTML", value="live")}
    left = new_output(
        "display_data",
        data={"text/html": "<p>as it last stood</p>"},
        metadata={"nbcompare-snapshot": "root"},
    )
    both = page(state, view(), left).text
    assert "as it last stood" in both
    assert "live" not in both
    assert "Widget()" not in page({}, view(), left).text
