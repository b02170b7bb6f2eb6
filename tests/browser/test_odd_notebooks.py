"""Notebooks that are large, empty, failed, full of widgets or hostile, as a browser takes them."""

import base64
import random

import pytest
from cells import display
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

import nbcompare as nbc
from nbcompare.report.exporters import ReportHTMLExporter

pytestmark = pytest.mark.browser

STATE = "application/vnd.jupyter.widget-state+json"
VIEW = "application/vnd.jupyter.widget-view+json"
HOSTILE = (
    "<script>alert(1)</script>",
    "](javascript:alert(1)) ![x](https://example.org/x.png)",
    "--> <!-- a|b -- `c` $x$",
    "\U0001f600 \u05e9\u05dc\u05d5\u05dd \u202eright to left",
    "<img src=x onerror=alert(1)>",
)


def large():
    """5 MB: a picture of noise, a printed log and a long table."""
    noise = base64.b64encode(random.Random(1).randbytes(3_000_000)).decode()
    rows = "".join(f"<tr><td>row {i}</td><td>{i}</td></tr>" for i in range(2_000))
    head = "<thead><tr><th>name</th><th>n</th></tr></thead>"
    return new_notebook(
        cells=[
            new_markdown_cell("# Large"),
            new_code_cell("draw()", outputs=[display({"image/png": noise}, alt="Noise.")]),
            new_code_cell(
                "log()", outputs=[new_output("stream", name="stdout", text="a line\n" * 140_000)]
            ),
            new_code_cell("rows", outputs=[display({"text/html": f"<table>{head}{rows}</table>"})]),
        ]
    )


def failed():
    traceback = ["\x1b[31mValueError\x1b[39m: <b>no</b>"]
    error = new_output("error", ename="ValueError", evalue="<b>no</b>", traceback=traceback)
    return new_notebook(cells=[new_code_cell("compare()", outputs=[error])])


def with_widgets():
    def model(name, **state):
        return {"model_name": f"{name}Model", "model_module": "x", "state": state}

    state = {
        "root": model("VBox", children=["IPY_MODEL_a", "IPY_MODEL_b"]),
        "a": model("FloatSlider", description="</script><b>", value=0.05),
        "b": model("Dropdown", description="adjust", index=0, _options_labels=["holm"]),
    }
    view = display({VIEW: {"model_id": "root"}, "text/plain": "VBox()"})
    widgets = {STATE: {"version_major": 2, "version_minor": 0, "state": state}}
    return new_notebook(
        cells=[new_code_cell("show()", outputs=[view])], metadata={"widgets": widgets}
    )


def hostile():
    scores = [[(3 * i + j * j) % 7 + 0.1 * j for j in range(5)] for i in range(5)]
    experiment = nbc.Experiment.from_array(
        scores, direction="minimize", algorithms=HOSTILE, datasets=HOSTILE
    )
    result = nbc.compare(experiment)
    cells = [
        new_code_cell("x", outputs=[display(shown._repr_mimebundle_())])
        for shown in (experiment, result, result.section("hypotheses"))
    ]
    data, metadata = nbc.plots.overview(result)._repr_mimebundle_()
    shown = {kind: data[kind] for kind in ("image/svg+xml", "text/plain")}
    cells.append(new_code_cell(HOSTILE[0], outputs=[display(shown, **metadata)]))
    names = [{"name": name} for name in HOSTILE]
    return new_notebook(cells=cells, metadata={"title": HOSTILE[0], "authors": names})


def long_names():
    """Names that fill a line and cannot be broken at a space."""
    names = [f"classifier_{i}_{'with_early_stopping_' * 3}" for i in range(4)]
    scores = [[(3 * i + j * j) % 7 for j in range(4)] for i in range(6)]
    experiment = nbc.Experiment.from_array(
        scores,
        direction="minimize",
        algorithms=names,
        datasets=[f"{n}{i}" for i in "ab" for n in names[:3]],
    )
    hypotheses = nbc.compare(experiment).section("hypotheses")
    shown = (experiment, hypotheses)
    cells = [new_code_cell("x", outputs=[display(one._repr_mimebundle_())]) for one in shown]
    return new_notebook(cells=[new_markdown_cell("# Long\n\n## Names"), *cells])


NOTEBOOKS = {
    "long": long_names,
    "large": large,
    "empty": new_notebook,
    "failed": failed,
    "widgets": with_widgets,
    "hostile": hostile,
}


@pytest.fixture(scope="module")
def pages(tmp_path_factory):
    folder = tmp_path_factory.mktemp("odd")
    files = {}
    for name, make in NOTEBOOKS.items():
        page, _ = ReportHTMLExporter().from_notebook_node(make())
        files[name] = folder / f"{name}.html"
        files[name].write_text(page, encoding="utf-8")
    return files


@pytest.mark.parametrize("name", NOTEBOOKS)
def test_it_is_quiet_and_accessible(open_heard, barriers, pages, name):
    page, heard = open_heard(pages[name], bypass_csp=True)
    if name != "large":  # the checker takes minutes over 2,000 rows
        assert barriers(page) == {}
    assert heard.problems == []
    assert heard.fetched == [pages[name].as_uri()]
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")


def test_a_large_notebook_is_whole(open_page, pages):
    assert pages["large"].stat().st_size > 5_000_000
    page = open_page(pages["large"])
    assert page.locator("main tbody tr").count() == 2_000
    assert page.locator("pre.text").inner_text().count("a line") == 140_000


def test_an_error_is_shown_as_text(open_page, pages):
    error = open_page(pages["failed"]).locator("pre.error")
    assert error.inner_text().strip() == "ValueError: <b>no</b>"


def test_hostile_names_are_text(open_page, pages):
    page = open_page(pages["hostile"])
    headers = page.locator("table >> nth=0").locator("thead th").all_inner_texts()
    for name in HOSTILE:
        assert name.replace("\u202e", "") in headers  # what turns text round is left out
    assert page.locator("h1").inner_text() == HOSTILE[0]
    assert page.locator(".authors").inner_text() == ", ".join(HOSTILE)
    links = page.locator("a").evaluate_all("all => all.map(e => e.getAttribute('href'))")
    assert all(link.startswith("#") for link in links)
    assert page.locator("img").count() == 1


def test_long_names_are_printed_whole(open_page, pages):
    paper = round((210 - 2 * 18) / 25.4 * 96)  # A4 less its margins, in pixels
    page = open_page(pages["long"], width=paper)
    page.emulate_media(media="print")
    assert page.evaluate("document.documentElement.scrollWidth") <= paper
    widths = page.locator("table").evaluate_all("all => all.map(e => e.offsetWidth)")
    assert max(widths) <= paper


def test_a_small_table_is_not_torn_apart(open_page, pages):
    page = open_page(pages["large"])
    page.emulate_media(media="print")
    assert page.locator("table").evaluate("e => getComputedStyle(e).breakInside") == "auto"
    page = open_page(pages["long"])
    page.emulate_media(media="print")
    small = page.locator("table").evaluate_all(
        "all => all.map(e => getComputedStyle(e).breakInside)"
    )
    assert set(small) == {"avoid"}
