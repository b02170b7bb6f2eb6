"""Figures that are part of a page: a changed one is found, and nothing hides in one."""

import base64
import re

import numpy as np
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

import nbcompare as nbc
from nbcompare.report import verify
from nbcompare.report.exporters import ReportHTMLExporter
from nbcompare.report.page.digests import with_digests

DATA = nbc.Experiment.from_array(
    np.random.default_rng(3).normal([0, 0.4, 1.1], size=(12, 3)).round(2),
    direction="minimize",
    algorithms=("tree", "forest", "net"),
)
RESULT = nbc.compare(DATA)


def displayed(shown):
    bundle = shown._repr_mimebundle_()
    data, metadata = bundle if isinstance(bundle, tuple) else (bundle, {})
    data = {
        kind: base64.b64encode(content).decode() if isinstance(content, bytes) else content
        for kind, content in data.items()
    }
    return new_output("display_data", data=data, metadata=metadata)


def page():
    shown = [
        RESULT,
        nbc.plots.rank_bars(RESULT),
        nbc.plots.pvalue_matrix(RESULT),  # with links and symbols
        nbc.plots.histogram_qq(nbc.check_conditions(DATA)),
    ]
    cells = [new_markdown_cell("# Trees", id="title")]
    cells += [
        new_code_cell("", outputs=[displayed(one)], id=f"cell-{number}")
        for number, one in enumerate(shown)
    ]
    return ReportHTMLExporter().from_notebook_node(new_notebook(cells=cells))[0]


PAGE = page()
SVGS = re.findall(r"<svg.*?</svg>", PAGE, re.DOTALL)
SVG = SVGS[0]
PATH = re.search(r"<path[^>]*>", SVG)[0]
# As version 0.2.0 wrote it: its colours and fonts stand in a sheet of their own
OLD_SHEET = (
    "<style>\nsvg.nbf{--f0:#000000;}\n"
    "@media screen and (prefers-color-scheme:dark){svg.nbf{--f0:#e4e5e8;}}\n"
    '@font-face{font-family:"nbcompare-figure-0";font-weight:400;font-style:normal;'
    'src:url(data:font/woff;base64,d09GRg==) format("woff")}\n</style>'
)


def swapped(old, new):
    assert old in PAGE
    return PAGE.replace(old, new, 1)


def in_drawing(more):
    return swapped("</svg>", f"{more}</svg>")


def old_page(*changed):
    sheet = OLD_SHEET
    for old, new in changed:
        assert old in sheet
        sheet = sheet.replace(old, new, 1)
    shape = (
        '<path fill="var(--f0)"></path><text font-family="nbcompare-figure-0,sans-serif">1</text>'
    )
    return in_drawing(shape).replace("</head>", f"{sheet}</head>")


def with_new_digests(text):
    script = r'<script type="application/json" id="nbcompare-digests">.*?</script>'
    return with_digests(re.sub(script, "", text, flags=re.DOTALL))


@pytest.fixture
def verified(tmp_path):
    def verified(text):
        file = tmp_path / "page.html"
        file.write_text(text, encoding="utf-8")
        return verify(file, data=DATA)

    return verified


def test_the_page_itself_holds(verified):
    assert len(SVGS) == 3
    found = verified(PAGE)
    assert found.holds
    assert found.unchecked == ()
    assert "3 figures, 5 captions, 3 alternative texts" in " ".join(str(found).split())


def test_a_page_written_in_another_form_holds(verified):
    """What a program that reads HTML and writes it again does to a page."""
    again = PAGE.replace("></path>", "/>").replace("></use>", "/>").replace("<svg ", "<svg\n ")
    assert again != PAGE
    assert verified(again).holds


def test_a_page_of_version_0_2_holds(verified):
    assert verified(with_new_digests(old_page())).unchecked == ()


# What somebody changed who does not recompute the digests, and what is told
CHANGED = {
    "a number in a figure": (
        swapped(">tree</text>", ">forest</text>"), "Figure 1 was replaced by another picture"
    ),
    "the length of a bar": (
        swapped(PATH, re.sub(r'd="M \S+', 'd="M 1', PATH, count=1)),
        "Figure 1 was replaced by another picture",
    ),
    "a colour": (
        swapped(' fill="#', ' fill="#abcdef" data-x="'), "Figure 1 was replaced by another picture"
    ),
    "what is told of a mark": (
        swapped("<title>tree: average rank", "<title>tree: the best average rank"),
        "Figure 1 was replaced by another picture",
    ),
    "where a pair leads to": (
        swapped('href="#tab-', 'href="#'), "was replaced by another picture"
    ),
    "two figures are swapped": (
        PAGE.replace(SVGS[0], "\x1a").replace(SVGS[1], SVGS[0]).replace("\x1a", SVGS[1]),
        "Figure 1 shows the picture that was Figure 2 at export",
    ),
    "an alternative text": (
        swapped('aria-label="Bars of', 'aria-label="Proofs of'),
        "the alternative text of Figure 1 was changed: it reads \"Proofs of",
    ),
    "what is saved": (
        swapped('data-svg="', 'data-svg="AAAA'),
        "Figure 1, the alternative text of Figure 1 and 1 more parts: the markup around",
    ),
}  # fmt: skip


@pytest.mark.parametrize(("text", "told"), CHANGED.values(), ids=CHANGED)
def test_a_changed_figure_is_found(verified, text, told):
    assert text != PAGE
    found = verified(text)
    assert not found.holds
    assert told in " ".join(str(found).split())


# What could change the numbers around a figure, even with digests that were recomputed
FORGED = {
    "a drawing out of its place": swapped("<main", f"{SVG}<main"),
    "a drawing beside a figure": swapped("<figure", f"{SVG}<figure"),
    "a drawing with a style": swapped("<svg ", '<svg style="position:fixed;top:0" '),
    "a drawing that is moved": swapped("<svg ", '<svg transform="translate(0 -900)" '),
    "a drawing of another class": swapped('class="nbf"', 'class="nbf skip"'),
    "a drawing without a class": swapped('class="nbf"', 'data-class="nbf"'),
    "a drawing in a drawing": in_drawing('<svg class="nbf" overflow="visible"></svg>'),
    "a script": in_drawing("<script>x()</script>"),
    "a style sheet": in_drawing("<style>.num{opacity:0}</style>"),
    "HTML in a drawing": in_drawing("<foreignObject><p>1.000</p></foreignObject>"),
    "an image in a drawing": in_drawing('<image href="data:image/png;base64,"></image>'),
    "a shape from elsewhere": in_drawing('<use href="data:image/svg+xml,#x"></use>'),
    "a link to a script": in_drawing('<a href="javascript:x()"><text>1</text></a>'),
    "a link to another page": in_drawing('<a href="https://example.org"><text>1</text></a>'),
    "an event": in_drawing('<g onclick="x()"></g>'),
    "an event at the start": in_drawing('<g onload="x()"></g>'),
    "an animation": in_drawing('<animate attributeName="x" to="9"></animate>'),
    "a style in a drawing": in_drawing('<g style="position:fixed"></g>'),
    "a filter": in_drawing('<g filter="url(#x)"></g>'),
    "a drawn shape in the text": swapped("<main", "<g></g><main"),
    "a font for the whole page": old_page(("nbcompare-figure-0", "Segoe UI")),
    "a font of the network": old_page(("url(data:", "url(https:")),
    "a rule beside the colours": old_page(("@media", ".num{opacity:0}@media")),
    "colours of the page": old_page(("svg.nbf{", ".num{")),
    "a colour of the page's style": in_drawing('<path fill="var(--page)"></path>'),
    "another name for the letters": in_drawing('<text font-family="x, y;">1</text>'),
    "a shape that is huge": in_drawing('<path stroke-width="99999999"></path>'),
    "the style sheet of figures": swapped(".figure-tip {", ".num { opacity: 0 } .figure-tip {"),
    "the script of figures": swapped("const plain =", "x(); const plain ="),
    "a cover by the class of a tip": swapped("<footer>", '<footer><p class="figure-tip">1.000</p>'),
}  # fmt: skip


@pytest.mark.parametrize("text", FORGED.values(), ids=FORGED)
def test_nothing_hides_in_a_figure(verified, text):
    assert text != PAGE
    found = verified(with_new_digests(text))
    assert not found.holds
    assert found.unchecked
