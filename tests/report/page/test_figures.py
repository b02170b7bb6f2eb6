"""Figures that a page draws anew: what is taken from their records, and what is not."""

import base64
import copy
import gzip
import json
import re

import numpy as np
import pytest
from bs4 import BeautifulSoup
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

import nbcompare as nbc
from nbcompare._render.drawing import DRAWING
from nbcompare.report.exporters import ReportHTMLExporter
from nbcompare.report.page.figures import Figures, is_figure_sheet

NAMES = [
    "<script>alert(1)</script>",
    'a" onload="x()',
    "C4.5 & co. with a name of more than a line",
]


def displayed(shown):
    bundle = shown._repr_mimebundle_()
    data, metadata = bundle if isinstance(bundle, tuple) else (bundle, {})
    return {
        kind: base64.b64encode(content).decode() if isinstance(content, bytes) else content
        for kind, content in data.items()
    }, metadata


def page(*outputs, **options):
    cells = [new_markdown_cell("# Figures", id="title")]
    for number, (data, metadata) in enumerate(outputs):
        output = new_output("display_data", data=data, metadata=metadata)
        cells.append(new_code_cell("", outputs=[output], id=f"cell-{number}"))
    return ReportHTMLExporter(**options).from_notebook_node(new_notebook(cells=cells))[0]


def soup(*outputs, **options):
    return BeautifulSoup(page(*outputs, **options), "html.parser")


@pytest.fixture(scope="module")
def result():
    scores = np.random.default_rng(2).normal(size=(15, 3)) + np.arange(3)
    experiment = nbc.Experiment.from_array(scores, direction="maximize", algorithms=NAMES)
    return nbc.compare(experiment, adjust="holm")


@pytest.fixture(scope="module")
def matrix(result):
    return displayed(nbc.plots.pvalue_matrix(result))


@pytest.mark.slow
def test_text_is_text_and_names_are_names(result, matrix):
    plot = nbc.plots.pvalue_matrix(result)
    drawn = soup(matrix)
    (svg,) = drawn.select("figure > svg")
    assert not drawn.select("figure img")
    assert svg["aria-label"] == plot.alt
    assert json.loads(svg["data-names"]) == sorted(NAMES, key=json.loads(svg["data-names"]).index)
    assert not svg.find_all(["script", "style", "foreignobject", "image", "animate", "set"])
    assert not [name for tag in svg.find_all(True) for name in tag.attrs if name.startswith("on")]
    texts = [text.get_text() for text in svg.find_all("text")]
    assert NAMES[0] in texts
    assert all(any(name in " ".join(text.split()) for text in texts) for name in NAMES)
    titles = [title.get_text() for title in svg.find_all("title")]
    assert len(titles) == len(set(titles)) == 3 + 3


@pytest.mark.slow
def test_pairs_lead_to_the_table_before_the_figure(result, matrix):
    tables = [displayed(result.section(name)) for name in ("hypotheses", "ranks")]
    drawn = soup(*tables, matrix)
    (href,) = {link["href"] for link in drawn.select("svg a")}
    (caption,) = drawn.select(href)
    assert caption.name == "caption"
    assert (
        "hypothes" in drawn.select("table")[0].caption.get_text().lower()
        or caption.parent is (drawn.select("table")[0])
    )
    assert len(drawn.select("svg a")) == 3
    assert not soup(matrix).select("svg a")  # no table, no link
    assert len(soup(matrix).select("svg g.m[role=img]")) >= 3


@pytest.mark.slow
def test_ids_are_those_of_one_figure(result):
    # hatches and symbols, and twice the same figure
    plots = [nbc.plots.rank_bars(result), nbc.plots.cd_diagram(result), nbc.plots.rank_bars(result)]
    drawn = soup(*map(displayed, plots))
    ids = [tag["id"] for tag in drawn.find_all(id=True)]
    assert len(ids) == len(set(ids))
    for svg in drawn.select("svg"):
        own = {f"#{tag['id']}" for tag in svg.find_all(id=True)}
        text = str(svg)
        used = {f"#{name}" for name in re.findall(r"url\(#([^)]+)\)", text)}
        used |= {tag["href"] for tag in svg.find_all("use")}
        assert used <= own
    assert drawn.select("pattern")  # a hatch, at least


@pytest.mark.slow
def test_outlines_are_kept_for_those_who_save(result, matrix):
    (figure,) = soup(matrix).select("figure")
    kept = gzip.decompress(base64.b64decode(figure["data-svg"])).decode()
    assert kept == nbc.plots.pvalue_matrix(result).drawing()
    with nbc.set_options(theme="dark"):
        dark = displayed(nbc.plots.pvalue_matrix(result))
    assert str(soup(dark).select("figure > svg")) == str(soup(matrix).select("figure > svg"))
    assert soup(dark).select("figure")[0]["data-svg"] == figure["data-svg"]


@pytest.mark.slow
def test_two_exports_are_the_same(matrix):
    assert page(matrix) == page(matrix)


def test_a_sanitised_page_keeps_its_figures(matrix):
    assert soup(matrix, sanitize_html=True).select("figure > svg.nbf")


# ------------------------------------------------------------------------------- from elsewhere

FOREIGN = '<svg class="nbf" viewBox="0 0 9 9"><script>x()</script><text y="5">1.000</text></svg>'


def test_a_drawing_of_somebody_else_stays_an_image():
    drawn = soup(({"image/svg+xml": FOREIGN, "text/plain": "x"}, {}))
    assert not drawn.select("main svg")
    assert drawn.select("figure img")[0]["src"].startswith("data:image/svg+xml;base64,")
    assert not drawn.find("style", string=re.compile(r"svg\.nbf"))  # nor has it our script


def test_a_record_without_a_picture_is_no_figure(matrix):
    data, _ = matrix
    assert not soup(({DRAWING: data[DRAWING], "text/plain": "x"}, {})).select("main svg")


def with_shape(**values):
    return lambda record: record["shapes"].append(
        {"d": "M0 0L9 9", "line": "#000000", "width": 1} | values
    )


def with_text(**values):
    return lambda record: record["shapes"].append(
        {"lines": [[1, 2, "x"]], "size": 8, "font": 0, "color": "#000000"} | values
    )


def put(key, value):
    return lambda record: record.update({key: value})


REFUSED = {
    "markup in a path": with_shape(d='M0 0"/><script>x()</script>'),
    "a path from elsewhere": with_shape(d="url(https://example.org)"),
    "a colour that is a reference": with_shape(fill="url(#x)"),
    "a colour that is a style": with_shape(line='#000000"/><a href="javascript:x()">'),
    "a width that is text": with_shape(width='1"/>'),
    "a width below 0": with_shape(width=-1),
    "a width without end": with_shape(width=float("inf")),
    "a width that is no number": with_shape(width=float("nan")),
    "a truth for a number": with_shape(width=True),
    "a cap of another word": with_shape(cap='butt"'),
    "a join of another word": with_shape(join="x"),
    "a clip that is not there": with_shape(clip=99),
    "a hatch that is not there": with_shape(hatch=-1),
    "a mark that is not there": with_shape(mark=999),
    "a mark that is text": with_shape(mark="0"),
    "a symbol that is not there": with_shape(symbol=99, at=[0, 0]),
    "dashes that are text": with_shape(dash=["1 1"]),
    "dashes without end": with_shape(dash=[1] * 30_000),
    "a text that is a list": with_text(lines=[[1, 2, ["x"]]]),
    "a text without lines": with_text(lines=[]),
    "a place that is text": with_text(lines=[["1", 2, "x"]]),
    "a size that is a style": with_text(size="8;x"),
    "an angle that is a style": with_text(angle="8) translate(1"),
    "an anchor of another word": with_text(anchor="middle x"),
    "a font that is not there": with_text(font=9),
    "a form of another version": put("form", 2),
    "names that are no text": put("names", [1]),
    "a size that is no size": put("size", [10]),
    "a symbol that is markup": put("symbols", ['"/>']),
    "a hatch that is markup": put("hatches", [{"d": '"/>', "color": "#000000", "width": 1}]),
    "a clip that is markup": put("clips", [['"', 0, 1, 1]]),
    "marks of names that are not there": put("marks", [{"title": "x", "of": [99]}]),
    "too many shapes": put("shapes", [{"d": "M0 0"}] * 30_000),
    "no shapes": lambda record: record.pop("shapes"),
    "shapes that are none": put("shapes", "x"),
}


@pytest.mark.parametrize("change", REFUSED.values(), ids=REFUSED)
def test_what_is_not_of_the_form_is_shown_as_its_picture(matrix, change):
    data, metadata = copy.deepcopy(matrix)
    change(data[DRAWING])
    text = page((data, metadata))
    drawn = BeautifulSoup(text, "html.parser")
    assert not drawn.select("main svg")
    assert len(drawn.select("figure img")) == 1
    assert not [script for script in drawn.find_all("script") if "x()" in str(script.string)]
    assert not drawn.select("[onload], a[href^=javascript]")
    assert not any(is_figure_sheet(str(sheet.string)) for sheet in drawn.find_all("style"))


@pytest.mark.parametrize("record", ["text", ["list"], 7, None, {}])
def test_a_record_that_is_none(matrix, record):
    data, metadata = matrix
    drawn = soup((data | {DRAWING: record}, metadata))
    assert not drawn.select("main svg")
    assert len(drawn.select("figure img")) == 1


def test_text_of_any_letters_is_escaped(matrix):
    data, metadata = copy.deepcopy(matrix)
    nasty = "</title></text><script>x()</script>]]>\x00\x1b&lt;"
    data[DRAWING]["names"] = [nasty] * 3
    data[DRAWING]["marks"][0]["title"] = nasty
    data[DRAWING]["fonts"][0]["families"] = ['"}</style><script>x()</script>', "DejaVu Sans"]
    data[DRAWING]["shapes"].append(
        {"lines": [[1, 2, nasty]], "size": 8, "font": 0, "color": "#000000"}
    )
    text = page((data, metadata))
    drawn = BeautifulSoup(text, "html.parser")
    (svg,) = drawn.select("main svg")
    shown = nasty.replace("\x00", "\ufffd").replace("\x1b", "\ufffd")
    assert shown in [tag.get_text() for tag in svg.find_all("text")]
    assert shown in [tag.get_text() for tag in svg.find_all("title")]
    assert json.loads(svg["data-names"]) == [shown] * 3
    assert "<script>x()" not in text
    assert "\x00" not in text


# -------------------------------------------------------------------------------- their style


def test_the_style_of_figures_is_known_by_its_form(matrix):
    sheets = [sheet.string for sheet in soup(matrix).find_all("style")]
    assert [is_figure_sheet(sheet) for sheet in sheets].count(True) == 1
    (sheet,) = filter(is_figure_sheet, sheets)
    for forged in (
        sheet + ".num{opacity:0}",
        sheet.replace("svg.nbf{", ".num{", 1),
        sheet.replace("--f0:", "color:", 1),
        sheet.replace("nbcompare-figure-0", "Segoe UI", 1),
        sheet.replace("url(data:", "url(https:", 1),
        sheet.replace(";src", ";unicode-range:U+31;src", 1),
        re.sub("#[0-9a-f]{6}", "var(--text)", sheet, count=1),
        "",
    ):
        assert forged != sheet
        assert not is_figure_sheet(forged)


def test_colours_in_the_dark():
    figures = Figures()
    record = {
        "form": 1, "size": [9, 9], "names": [], "marks": [], "fonts": [], "symbols": [],
        "clips": [], "hatches": [],
        "shapes": [
            {"d": "M0 0L9 9", "line": color, "width": 1}
            for color in ("#000000", "#ffffff", "#6baed6", "#f4a261")
        ],
    }  # fmt: skip
    figures.drawing(record, "Lines.")
    dark = dict(re.findall(r"(--f\d):(#\w+)", figures.style().partition("@media")[2]))
    assert dark["--f0"] == "#e4e5e8"  # as the text of a dark page
    assert dark["--f1"] == "#16181c"  # as its background
    red, _, blue = (int(dark["--f2"][start : start + 2], 16) for start in (1, 3, 5))
    assert blue > red  # blue stays blue
    red, _, blue = (int(dark["--f3"][start : start + 2], 16) for start in (1, 3, 5))
    assert red > blue
