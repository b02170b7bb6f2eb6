"""Figures that a page writes anew: what is taken from their records, and what is not."""

import base64
import gzip
import json
import re

import numpy as np
import pytest
from bs4 import BeautifulSoup
from matplotlib.figure import Figure
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

import nbcompare as nbc
from nbcompare._render.parts import DRAWING
from nbcompare.report.exporters import ReportHTMLExporter
from nbcompare.report.page.figures import Figures

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
    (svg,) = drawn.select("figure svg")
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
    figure = Figure()
    ax = figure.subplots()
    ax.bar([1, 2], [3, 4], hatch="//")
    ax.plot([1, 9], [3, 4], "o")
    ax.set_xlim(0, 3)
    bars = nbc.plots.Plot(figure, ax, {}, "Bars.")
    drawn = soup(*map(displayed, (bars, nbc.plots.cd_diagram(result), bars)))
    ids = [tag["id"] for tag in drawn.find_all(id=True)]
    assert len(ids) == len(set(ids))
    for svg in drawn.select("svg"):
        own = {f"#{tag['id']}" for tag in svg.find_all(id=True)}
        text = str(svg)
        used = {f"#{name}" for name in re.findall(r"url\(#([^)]+)\)", text)}
        used |= {tag["href"] for tag in svg.find_all("use")}
        assert used <= own
    assert len(drawn.select("svg pattern")) == 2


@pytest.mark.slow
def test_outlines_are_kept_for_those_who_save(result, matrix):
    (figure,) = soup(matrix).select("figure")
    kept = gzip.decompress(base64.b64decode(figure["data-svg"])).decode()
    assert kept == nbc.plots.pvalue_matrix(result).drawing()
    with nbc.set_options(theme="dark"):
        dark = displayed(nbc.plots.pvalue_matrix(result))
    assert str(soup(dark).select("figure svg")) == str(soup(matrix).select("figure svg"))
    assert soup(dark).select("figure")[0]["data-svg"] == figure["data-svg"]


@pytest.mark.slow
def test_two_exports_are_the_same(matrix):
    assert page(matrix) == page(matrix)


@pytest.mark.slow
def test_a_sanitised_page_keeps_its_figures(matrix):
    assert soup(matrix, sanitize_html=True).select("figure svg.nbf")


# ------------------------------------------------------------------------------- from elsewhere

NASTY = "</title></text><script>x()</script>]]>\x00\x1b&lt;"
FOREIGN = '<svg class="nbf" viewBox="0 0 9 9"><script>x()</script><text y="5">1.000</text></svg>'


def test_a_drawing_of_somebody_else_stays_an_image():
    drawn = soup(({"image/svg+xml": FOREIGN, "text/plain": "x"}, {}))
    assert not drawn.select("main svg")
    assert drawn.select("figure img")[0]["src"].startswith("data:image/svg+xml;base64,")


def test_a_record_without_a_picture_is_no_figure(matrix):
    data, _ = matrix
    assert not soup(({DRAWING: data[DRAWING], "text/plain": "x"}, {})).select("main svg")


def record(inside="", *, view="0 0 9 9", **values):
    svg = f'<svg xmlns:x="http://www.w3.org/1999/xlink" viewBox="{view}">{inside}</svg>'
    return {"svg": svg, "names": ["A", "B"], "marks": [{"title": "A, B", "of": [0, 1]}]} | values


BOMB = '<!DOCTYPE svg [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;">]><svg viewBox="0 0 9 9">&b;</svg>'
PATTERNS = '<pattern id="a"><rect style="fill: url(#a)"/></pattern>'
REFUSED = {
    "text": "text",
    "a list": ["list"],
    "nothing": {},
    "entities": record(svg=BOMB),
    "a file": record(svg='<!DOCTYPE svg SYSTEM "file:///etc/passwd"><svg viewBox="0 0 9 9"/>'),
    "a style sheet beside": record(svg='<?xml-stylesheet href="x.css"?><svg viewBox="0 0 9 9"/>'),
    "no SVG": record(svg="text"),
    "half an SVG": record(svg="<svg>"),
    "the form of version 0.2": {"form": 1, "size": [9, 9], "names": [], "marks": [], "shapes": []},
    "no string": record(svg=7),
    "too long a string": record("<g/>" * 1_000_001),
    "too many elements": record("<g/>" * 30_001),
    "patterns of patterns": record(PATTERNS),
    "too deep a tree": record("<g>" * 9_000 + "</g>" * 9_000),
    "no size": record(view=""),
    "a size that is text": record(view="0 0 9 x"),
    "a size below 0": record(view="0 0 9 -9"),
    "a huge size": record(view="0 0 9 99999"),
    "names that are no list": record(names=1),
    "marks of names that are not there": record(marks=[{"title": "x", "of": [2]}]),
    "marks of the last name": record(marks=[{"title": "x", "of": [-1]}]),
    "marks of markup": record(marks=[{"title": "x", "of": ['"/>']}]),
    "marks without a title": record(marks=[{"of": [0]}]),
}


def test_what_is_no_record_is_shown_as_its_picture(matrix):
    data, metadata = matrix
    drawn = soup(*((data | {DRAWING: given}, metadata) for given in REFUSED.values()))
    shown = ["svg" if figure.svg else "img" for figure in drawn.select("main figure")]
    assert dict(zip(REFUSED, shown, strict=True)) == dict.fromkeys(REFUSED, "img")


# What is written of a drawing with something that no page may hold
HOSTILE = {
    "<script>x()</script>": "",
    "<style>.num{opacity:0}</style>": "",
    "<foreignObject><p>1.000</p></foreignObject>": "",
    "<metadata>x</metadata>": "",
    '<image href="https://example.org/a.png"/>': "",
    '<a href="javascript:x()"><path d="M 0 0"/></a>': "",
    '<animate attributeName="x" to="9"/>': "",
    '<set attributeName="href" to="javascript:x()"/>': "",
    '<g class="skip" onload="x()" data-m="0" tabindex="0"><path d="M 0 0"/></g>':
        '<path d="M 0 0"></path>',
    '<g style="position: fixed; filter: url(#x); opacity: 0.5"><path d="M 0 0"/></g>':
        '<g opacity="0.5"><path d="M 0 0"></path></g>',
    '<path d="M 0 0&quot;/&gt;&lt;script&gt;"/>': "<path></path>",
    '<path d="M 0 0" style="stroke: url(https://example.org/#x)"/>':
        '<path d="M 0 0"></path>',
    '<path style="fill: url(#gone)"/>': "<path></path>",
    '<path style="fill:#fff&quot; onclick=&quot;x()"/>': "<path></path>",
    '<path style="stroke-dasharray: 1,2; stroke-linecap: url(#x)"/>':
        '<path stroke-dasharray="1,2"></path>',
    '<use x:href="data:image/svg+xml,#x" x="1"/>': '<use x="1"></use>',
    '<use href="https://example.org/#a"/>': "<use></use>",
    '<g transform="translate(1 2) rotate(-9)"><path/></g>':
        '<g transform="translate(1 2) rotate(-9)"><path></path></g>',
    '<text x="1 2" font-family="x; y">a</text>': '<text x="1 2">a</text>',
    "<text style=\"font-family: 'a}&lt;/style&gt;', sans-serif\">a</text>": "<text>a</text>",
    "<text>&lt;/text&gt;&lt;b&gt;&amp;lt;</text>": "<text>&lt;/text&gt;&lt;b&gt;&amp;lt;</text>",
    '<g id="mark-7"><path/></g>': "<path></path>",
    '<path id="mark-0" d="M 1 1"/>':
        '<g class="m" data-m="0" data-of="0 1" role="img"><title>A, B</title>'
        '<path d="M 1 1"></path></g>',
}  # fmt: skip


@pytest.mark.parametrize(("inside", "written"), HOSTILE.items(), ids=range(len(HOSTILE)))
def test_only_what_is_harmless_is_written(inside, written):
    drawing = Figures().drawing(record(inside), 'An "alt" & more', "tab-1")
    start = (
        '<svg class="nbf" viewBox="0 0 9 9" width="9pt" height="9pt" '
        "font-family=\"'DejaVu Sans', 'Verdana', sans-serif\" role=\"group\" "
        'aria-label="An &quot;alt&quot; &amp; more" data-names="[&quot;A&quot;,&quot;B&quot;]">'
    )
    assert drawing == f"{start}{written}</svg>"


def test_ids_are_our_own():
    inside = (
        '<g id="mark-0"><defs><path id="main" d="M 1 1" style="stroke: #ffffff"/>'
        '<path id="main" d="M 2 2"/></defs><use href="#main" style="stroke: #000000"/></g>'
        '<clipPath id="c"><rect x="1"/></clipPath><g clip-path="url(#c)"><use href="#main"/></g>'
        '<pattern id="h"/><rect style="fill: url(#h)"/>'
    )
    figures = Figures("p")
    for number in (1, 2):
        drawing = figures.drawing(record(inside, marks=[{"title": NASTY, "of": []}]), "")
        ids = re.findall(r' id="([^"]*)"', drawing)
        assert ids == [f"p{number}-0", f"p{number}-1", f"p{number}-2"]


def test_names_and_titles_are_escaped(matrix):
    data, metadata = matrix
    given = record(
        '<g id="mark-0"><path/></g>', names=[NASTY] * 3, marks=[{"title": NASTY, "of": [0]}]
    )
    text = page((data | {DRAWING: given}, metadata))
    (svg,) = BeautifulSoup(text, "html.parser").select("main svg")
    shown = NASTY.replace("\x00", "").replace("\x1b", "")
    assert [tag.get_text() for tag in svg.find_all("title")] == [shown]
    assert json.loads(svg["data-names"]) == [shown] * 3
    assert "<script>x()" not in text
