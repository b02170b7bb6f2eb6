"""Notebooks of others: interactive figures, titles, links, equations."""

import pytest
from bs4 import BeautifulSoup
from cells import PIXEL
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

from nbcompare.report.exporters import ReportHTMLExporter
from nbcompare.report.page import markdown

# In the shape that the libraries write
ALTAIR = """
<style>#altair-viz-1.vega-embed {width: 100%;}</style>
<div id="altair-viz-1"></div>
<script type="text/javascript">
  (function(spec, embedOpt){
    const paths = {"vega": "https://cdn.jsdelivr.net/npm/vega@5?noext"};
    function showError(err) { document.body.innerHTML = '<div style="color:red;">' + err; }
  })({"data": {"url": "data.csv"}}, {"mode": "vega-lite"});
</script>"""
PLOTLY = (
    '<div><div id="f1" class="plotly-graph-div"></div><script type="text/javascript">'
    'require(["plotly"], function(Plotly) { Plotly.newPlot("f1", []) });</script></div>'
)
PLOTLY_START = (
    '<script type="text/javascript">window.PlotlyConfig = {};</script>'
    '<script charset="utf-8" src="https://cdn.plot.ly/plotly-3.0.0.min.js"></script>'
)
PLOTLY_ALONE = (
    "<div><script>/**\n* plotly.js v3.0.0\n*/ var topojson = 'https://cdn.plot.ly/un/';</script>"
    '<div id="f1"></div><script>Plotly.newPlot("f1", [])</script></div>'
)
VEGA, PLOT = "application/vnd.vegalite.v5+json", "application/vnd.plotly.v1+json"


def page(*cells, name="analysis", folder=None, **metadata):
    notebook = new_notebook(cells=list(cells), metadata=metadata)
    resources = {"metadata": {"name": name, "path": str(folder or "")}}
    exported, _ = ReportHTMLExporter().from_notebook_node(notebook, resources=resources)
    return BeautifulSoup(exported, "html.parser")


def shown(*bundles):
    outputs = [new_output("display_data", data=dict(bundle)) for bundle in bundles]
    return page(new_code_cell("chart", outputs=outputs)).main


def text(*sources, **options):
    return page(*map(new_markdown_cell, sources), **options)


@pytest.mark.parametrize(
    ("bundle", "advice"),
    [
        ({VEGA: {"mark": "bar"}, "text/plain": "<VegaLite 5 object>"}, 'renderers.enable("svg")'),
        ({"text/html": ALTAIR, "text/plain": "alt.Chart(...)"}, 'renderers.enable("svg")'),
        ({PLOT: {"data": []}, "text/html": PLOTLY}, 'fig.show(renderer="svg")'),
        ({PLOT: {"data": []}}, 'fig.show(renderer="svg")'),
        (
            {"text/html": '<div id="x"></div><script src="//example.org/x.js"></script>'},
            "save it as an image in the notebook",
        ),
    ],
)
def test_an_interactive_figure_is_its_picture_or_a_box(bundle, advice):
    box = shown(bundle)
    assert "This figure is interactive" in box.blockquote.text
    assert advice in box.blockquote.text
    with_picture = shown(bundle | {"image/png": PIXEL})
    for main in (box, with_picture):
        assert main.script is None
        assert "alt.Chart" not in main.text
        assert "color:red" not in str(main)
    assert with_picture.img["src"].endswith(PIXEL)
    assert with_picture.blockquote is None


@pytest.mark.parametrize(
    "bundle",
    [
        {PLOT: {"data": []}, "text/html": PLOTLY_ALONE},
        {"text/html": "<div id='a'></div><script>document.title = 'a'</script>"},
        {"text/html": "<table><tr><td>1</td></tr></table><script src='//a.org/t.js'></script>"},
        {"application/javascript": "element.innerHTML = 'a'"},
        {"text/html": "<p>See https://cdn.example.org</p>"},
    ],
)
def test_what_needs_no_network_or_shows_something_without_it_stays(bundle):
    main = shown(bundle)
    assert main.blockquote is None
    assert main.script is not None or "https://cdn" in main.text


def test_what_only_loads_a_program_shows_nothing():
    assert shown({"text/html": PLOTLY_START}).find(class_="html") is None


# --------------------------------------------------------------------------------- titles


def test_the_title_is_that_of_the_metadata_a_heading_or_the_file():
    assert text("# Sales by region", name="a", title="Chosen").title.text == "Chosen"
    assert text("text", "# Sales", name="a").title.text == "Sales"
    assert text("## A", name="sales_2024").h1.text == "sales 2024"


# ---------------------------------------------------------- equations and figures without words


@pytest.mark.parametrize("star", ["", "*"])
@pytest.mark.parametrize("space", ["", "[4pt]", " [-0.5em]"])
def test_an_eqnarray_is_a_table_of_three_columns(star, space):
    body = rf"a &=& b \nonumber \\{space} c &\leq& \frac{{1}}{{2}}"
    document = BeautifulSoup(markdown.environment(f"eqnarray{star}", body), "html.parser")
    rows = [[cell.text for cell in row.find_all("mtd")] for row in document.find_all("mtr")]
    assert rows == [["a", "=", "b"], ["c", "≤", "12"]]
    assert document.mfrac is not None


def test_a_figure_without_a_caption_has_no_number_unless_somebody_refers_to_it():
    picture = new_output("display_data", data={"image/png": PIXEL, "text/plain": "<Figure>"})
    cells = [new_code_cell("", id=name, outputs=[picture]) for name in ("a", "b")]
    document = page(*cells, new_markdown_cell("See [Figure](#fig-b)."))
    first, second = document.find_all("figure")
    assert (first["id"], first.figcaption) == ("fig-a", None)
    assert second.figcaption.text.strip() == "Figure 1."
    assert document.select(".prose a")[0].text == "Figure\N{NO-BREAK SPACE}1"
