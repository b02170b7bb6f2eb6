"""What a page shows of widgets."""

import json

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


def test_a_box_of_controls_and_what_they_made():
    caught = [
        {"output_type": "stream", "name": "stdout", "text": "printed\n"},
        {"output_type": "display_data", "metadata": {}, "data": {"image/png": PIXEL}},
    ]
    image = model("Image", format="png") | {
        "buffers": [{"path": ["value"], "encoding": "base64", "data": PIXEL}]
    }
    state = {
        "root": model("VBox", children=[f"IPY_MODEL_{i}" for i in "abcdefgh"]),
        "a": model("FloatSlider", description="α:", value=0.05),
        "b": model("Dropdown", description="adjust", index=1, _options_labels=["<holm>", "<li>"]),
        "c": model("Checkbox", description="ties", value=True),
        "d": model("Button", description="Run"),
        "e": model("HTML", value="<em>rich</em>"),
        "f": model("IntRangeSlider", description="runs", value=[2, 5]),
        "g": model("Output", outputs=caught),
        "h": image,
    }
    document = page(state, view())
    lines = [p.text for p in document.select(".widget-snapshot p")]
    assert lines == ["α: 0.05", "adjust: <li>", "ties: yes", "rich", "runs: 2 to 5"]
    assert document.select_one(".widget-snapshot em").text == "rich"
    assert document.select_one("pre.text").text == "printed\n"
    assert len(document.select("figure img")) == 2
    stored = document.find("script", type=STATE)
    assert json.loads(stored.string)["state"] == state


def test_a_richer_representation_is_kept():
    state = {"root": model("IntSlider", description="n", value=3)}
    document = page(state, view(**{"text/html": "<b>last view</b>"}))
    assert document.main.b.text == "last view"
    assert "n: 3" not in document.main.text


def test_a_widget_without_state_shows_its_text():
    document = page({"other": model("Label", value="x")}, view("gone"))
    assert document.main.find("pre", class_="text").text == "Widget()"
    assert page({}, view()).find("script", type=STATE) is None


def test_a_box_inside_itself_ends():
    children = ["IPY_MODEL_root", "IPY_MODEL_a"]
    state = {"root": model("HBox", children=children), "a": model("Label", value="<once>")}
    lines = [p.text for p in page(state, view()).select(".widget-snapshot p")]
    assert lines == ["<once>"]


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
    assert "live" in page(state, view()).text
