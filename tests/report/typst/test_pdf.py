"""The PDF: what is on its pages, and what is said where it cannot be."""

import base64
import io
import logging
import re
from pathlib import Path

import matplotlib
import nbformat
import pypandoc
import pytest
import typst
from bs4 import BeautifulSoup
from cells import PIXEL, SVG, code, display
from nbformat.v4 import new_markdown_cell, new_notebook, new_output, new_raw_cell
from pypdf import PdfReader

import nbcompare as nbc
from nbcompare._render.letters import no_font_has
from nbcompare.report import make
from nbcompare.report.exporters import ReportHTMLExporter, ReportLatexExporter, ReportPDFExporter
from nbcompare.report.typst import compiler
from nbcompare.report.typst.writer import TypstWriter

_PLOTLY = "application/vnd.plotly.v1+json"
HOSTILE = (
    '#let x = "1"',
    "*_a_* ~ @b <c>",
    "$x$ \\ // y",
    "[x] ](y) #[z",
    "= head - 1. x",
    "https://x.y",
    "/* c */ `d`",
    "a'b\"c -- ...",
    "\\u{41} #h(1em)",
)


def typeset(*cells, exporter=None, **metadata):
    """The PDF of a notebook, the Typst it is made of, and the resources."""
    sources = []
    compiled = compiler._typeset

    def noted(source, *rest, **options):
        if "pdf_standards" in options:
            sources.append(source)
        return compiled(source, *rest, **options)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(compiler, "_typeset", noted)
        notebook = new_notebook(cells=list(cells), metadata=metadata)
        pdf, resources = (exporter or ReportPDFExporter()).from_notebook_node(notebook)
    return pdf, sources[-1].rpartition("#show: report.with(")[2], resources


def text_of(pdf):
    return "\n".join(page.extract_text() for page in PdfReader(io.BytesIO(pdf)).pages)


def plain(markup):
    return re.sub(r"\\(.)", r"\1", markup.replace("#cut;", "").replace("--", "–"))


def left_out(resources):
    return list(map(plain, resources["nbcompare"]["printed"]["left_out"]))


@pytest.fixture(scope="module")
def results():
    """A notebook with results, figures and references to them, run."""
    experiment = nbc.datasets.load("demsar2006")
    comparison = nbc.compare(experiment, control="C4.5")

    def shown(value):
        bundle = value._repr_mimebundle_()
        data, metadata = bundle if isinstance(bundle, tuple) else (bundle, {})
        data = {
            k: v if isinstance(v, str | dict) else base64.b64encode(v).decode()
            for k, v in data.items()
        }
        return display(data, **metadata)

    return [
        new_markdown_cell("# Results\n\nSee [Table](#tab-hypotheses) and [the picture](#fig-cd)."),
        new_markdown_cell("## First\n\nRanks are in [](#tab-ranks); [Fig.](#fig-cd) has them too."),
        code(shown(comparison.section("ranks"))),
        new_markdown_cell("#### Skips a level\n\n$R_j = \\frac{1}{n}\\sum_i r_{ij}$"),
        code(shown(comparison.section("hypotheses"))),
        code(shown(nbc.plots.cd_diagram(comparison)), label="cd"),
        code(shown(nbc.plots.rank_bars(comparison)), caption="Bars, *plain*"),
        code(shown(comparison.section("references"))),
    ]


@pytest.fixture(scope="module")
def report(results):
    return typeset(*results, title="A title", authors=[{"name": "A. Author"}], date="2025")


@pytest.mark.slow
def test_it_is_tagged_and_the_same_again(results, report):
    pdf, source, _ = report
    assert pdf.startswith(b"%PDF-1.7")
    assert b"<pdfuaid:part>1</pdfuaid:part>" in pdf
    assert b"CreationDate" not in pdf
    again = typeset(*results, title="A title", authors=[{"name": "A. Author"}], date="2025")
    assert (again[0], again[1]) == (pdf, source)


@pytest.mark.slow
def test_numbers_captions_and_references_are_those_of_the_html_page(results, report):
    html, _ = ReportHTMLExporter().from_notebook_node(new_notebook(cells=results))
    page = BeautifulSoup(html, "html.parser")
    on_page = [
        ((tag if tag.name == "caption" else tag.parent)["id"], tag.get_text())
        for tag in page.select("caption, figcaption")
    ]

    def letters(text):  # lines end with hyphens
        return re.sub(r"[\s\xad-]", "", text)

    words = letters(text_of(report[0]))
    missing = [text for _, text in on_page if letters(text) not in words]
    assert missing == []
    printed = report[2]["nbcompare"]["printed"]
    places = re.findall(
        r'#label\("((?:tab|fig)-[^"]*)"\)', "".join([*printed["pieces"].values(), report[1]])
    )
    assert sorted(places) == sorted(name for name, _ in on_page)
    assert len(on_page) == 4
    links = [
        (tag["href"][1:], tag.get_text())
        for tag in page.select("main a[href^='#tab-'], main a[href^='#fig-']")
    ]
    printed = re.findall(r'#reference\("(.*?)"\)\[(.*?)\];', report[1])
    assert [(target, text.replace("~", "\N{NO-BREAK SPACE}")) for target, text in printed] == links
    assert links[0] == ("tab-hypotheses", "Table\N{NO-BREAK SPACE}2")
    listed = [item.get_text() for item in page.select("ol.references > li")]
    assert [plain(item) for item in re.findall(r"(?m)^\+ (.*)$", report[1])] == listed


@pytest.mark.slow
def test_what_stands_around_the_cells(report):
    source = report[1]
    assert '  title: "A title",' in source
    assert 'authors: ("A. Author", )' in source
    assert "with-contents: false" in source  # three chapters are found without
    # levels follow each other, as PDF/UA demands, whatever the notebook has
    assert re.findall(r"(?m)^(=+) (.*)$", source) == [
        ("=", "First"),
        ("==", "Skips a level"),
        ("=", "References"),
    ]
    # a figure has an alternative text, and formulas have, or this were no PDF/UA
    assert 'alt: "Critical difference diagram' in source
    assert source.count(".svg") == 2


def test_names_survive_as_text():
    writer = TypstWriter()
    for name in HOSTILE:
        read = pypandoc.convert_text(
            writer.escape(name), "plain", "typst", extra_args=["--wrap=none"]
        )
        assert read.strip() == name


def test_names_break_nothing():
    rows = "".join(
        f"<tr><th>{name}</th><td>1</td></tr>".replace("<c>", "&lt;c>") for name in HOSTILE
    )
    everywhere = "; ".join(HOSTILE)
    pdf, _, resources = typeset(
        new_markdown_cell(f"# {everywhere}\n\n{everywhere}\n\n## {everywhere}\n\n`{everywhere}`"),
        code(
            display({"text/html": f"<table><caption>x</caption>{rows}</table>"}),
            display({"image/svg+xml": SVG, "text/plain": everywhere}),
            new_output("stream", text=everywhere),
            source=everywhere,
        ),
        new_raw_cell(everywhere),
        title=f"{everywhere} \0 \ud800",
        authors=list(HOSTILE),
        date=everywhere,
        abstract=everywhere,
    )
    assert b"pdfuaid" in pdf
    assert not left_out(resources)


def test_letters_that_no_font_has_are_named_in_one_line(monkeypatch, caplog):
    """The line is that of the figures; the page has the numbers and names instead."""
    found = typst.compile
    monkeypatch.setattr(  # a machine without fonts, but for those of Matplotlib
        typst, "compile", lambda *a, **named: found(*a, **{**named, "ignore_system_fonts": True})
    )
    with caplog.at_level(logging.WARNING):
        pdf, _, _ = typeset(new_markdown_cell("# 日本\n\nⴰ \N{ROCKET} 日"))
    rest = "which no font on this machine has; install one that has them, such as Noto's."
    line = f"Names and numbers in brackets stand for CJK letters and rocket, {rest}"
    assert caplog.messages == [line]
    text = " ".join(text_of(pdf).split())
    assert line in text
    assert "(U+65E5)(U+672C)" in "".join(text.split())  # old pypdf puts blanks there
    assert "ⴰ (rocket) (U+65E5)" in text
    note = no_font_has({"日", "カ", "ⴰ"}, "Boxes")
    assert note == f"Boxes stand for CJK, Katakana, Tifinagh letters, {rest}"


def test_fonts_of_folders_are_used(monkeypatch):
    fonts = str(Path(matplotlib.get_data_path(), "fonts", "ttf"))
    named = ReportPDFExporter(font_paths=[fonts])
    one, _, _ = typeset(new_markdown_cell("# ⴰ"), exporter=named)
    monkeypatch.setenv(compiler.FONT_PATHS, fonts)
    other, _, _ = typeset(new_markdown_cell("# ⴰ"))
    assert one == other
    monkeypatch.setenv(compiler.FONT_PATHS, "/no/such/folder")
    with pytest.raises(
        ValueError, match=r"^`font_paths` must be folders with fonts; got '/no/such"
    ):
        typeset(new_markdown_cell("# a"))


def test_fonts_of_the_machine_are_used_only_for_letters(monkeypatch):
    """A page without such letters is the same everywhere; a symbol alone is named."""
    compiled, found = [], typst.compile

    def compiling(*arguments, **named):
        compiled.append(named["ignore_system_fonts"])
        return found(*arguments, **named)

    monkeypatch.setattr(typst, "compile", compiling)
    typeset(new_markdown_cell("# a \N{ROCKET}"))
    assert set(compiled) == {True}
    compiled.clear()
    typeset(new_markdown_cell("# 日本"))
    assert compiled[:2] == [True, False]


def test_symbols_that_the_fonts_lack_are_named(caplog):
    with caplog.at_level(logging.WARNING):
        _, source, _ = typeset(
            code(new_output("stream", text="done \N{ROCKET}\N{VARIATION SELECTOR-16}"))
        )
    assert "done (rocket)" in source
    assert "\N{ROCKET}" not in source
    assert "in brackets stand for rocket, which no font" in caplog.text


@pytest.mark.parametrize("missing", ["typst", "pypandoc"])
def test_without_the_extra_nothing_is_computed(monkeypatch, tmp_path, missing):
    find = compiler.find_spec
    monkeypatch.setattr(compiler, "find_spec", lambda name: None if name == missing else find(name))
    message = (
        rf"^a PDF or LaTeX document needs {missing}; install what is missing with pip install "
    )
    with pytest.raises(ImportError, match=message):
        ReportPDFExporter().from_notebook_node(new_notebook())

    def build():
        raise AssertionError("no work was to be done")

    with pytest.raises(ImportError, match=message):
        make.export([tmp_path / "b.pdf"], build)
    assert not list(tmp_path.iterdir())


# ------------------------------------------------------------------ notebooks from elsewhere


def test_a_foreign_notebook(caplog):
    moving = "<div id='p'></div><script>draw('p')</script>"
    with caplog.at_level(logging.WARNING):
        pdf, source, resources = typeset(
            new_markdown_cell(
                "Text ![far](https://example.org/a.png) ![near](attachment:a.png)\n\n"
                "$\\newcommand{\\R}{\\mathbb{R}}$ $\\R^n$ $\\foo{k}$\n\n"
                "\\begin{align}a &= b \\\\ c &= d\\end{align}\n\n"
                "\\begin{equation}x\\label{a}\\tag{7}\\end{equation}\n\n- [x] done",
                attachments={"a.png": {"image/png": PIXEL}},
            ),
            code(
                display({_PLOTLY: {}, "text/html": moving, "image/png": PIXEL}),
                display({_PLOTLY: {}, "text/html": moving}),
                display({"application/vnd.vegalite.v5+json": {}, "text/plain": "<VegaLite 5>"}),
                display({"application/javascript": "alert(1)"}),
                display({"image/svg+xml": SVG, "text/plain": "Numbered"}),
                display({"image/png": base64.b64encode(b"no picture").decode()}),
                display({"image/png": base64.b64encode(b"none").decode()}, alt="A lost picture."),
                display({"text/x-typst": "#let z = 3\n*own* #z"}),
                display({"text/x-typst": "#panic() ]"}),
                display({"text/html": "<h2>In an output</h2><iframe src='x'></iframe><p>a<p>b"}),
                new_output(
                    "error", ename="E", evalue="v", traceback=["\x1b[31mred\x1b[0m", "E: v"]
                ),
                new_output("stream", name="stderr", text=" 10%\r100%\n"),
            ),
            new_raw_cell("\\LaTeX", metadata={"raw_mimetype": "text/latex"}),
            new_raw_cell("plain #raw"),
        )
    assert b"pdfuaid" in pdf
    assert left_out(resources) == [
        "a picture from the network: https://example.org/a.png",
        "an interactive output (application/vnd.plotly.v1+json, text/html)",
        "an interactive output (application/javascript)",
        "a frame",
        "a raw cell of type text/latex",
    ]
    assert "Left out of the printed page: a frame" in caplog.text
    # what the HTML page shows by a script has no number there, and so none here
    assert re.findall(r'"(Figure \d\.)", \[(\w*)', source) == [
        ("Figure 1.", "Numbered"),
        ("Figure 2.", "A"),
    ]
    assert "[A lost picture.]" in text_of(pdf)
    assert "a picture that cannot be read" in text_of(pdf)
    assert "markup that cannot be read" in text_of(pdf)
    assert "#panic() ]" in text_of(pdf)
    assert "Typst cannot read #panic() ]." in caplog.text
    definitions = resources["nbcompare"]["printed"]["definitions"]
    assert definitions["formula-1"].endswith('false, "$bb(R)^n$")')
    numbered = definitions["formula-4"]
    assert "(7)" in numbered.rpartition(", ")[2]
    assert "label" not in numbered.rpartition(", ")[2]
    assert definitions["formula-2"] == r'formula("formula-2", "\\foo{k}", false, "")'
    assert "red" in source
    assert "100%" in source
    assert "plain #raw" in source


def test_tables_of_others():
    pandas = (
        '<table border="1" class="dataframe"><thead><tr style="text-align: right;"><th></th><th>a_b'
        "</th></tr></thead><tbody><tr><th>x</th><td>1.5</td></tr></tbody></table>"
    )
    unclosed = "<table><tr><th>h<th>i<tr><td>c<td>-2</table>"
    wide = "<table>" + f"<tr>{'<td>0.123456' * 60}</tr>" * 2 + "</table>"
    spans = wide.replace("<table>", f"<table><tr><td>{'<td colspan=2>pair' * 29}<td>last</tr>")
    tables = (code(display({"text/html": t})) for t in (pandas, unclosed, wide, spans))
    pdf, source, resources = typeset(*tables)
    assert b"pdfuaid" in pdf
    first, second, *parts = source.split("#ruled(")[1:]
    assert "table.header(table.cell(align: right)[], table.cell(align: right)[a\\_b],)" in first
    assert "table.cell(align: right)[1.5]" in first
    assert "[h], [i]" in second
    assert "[c], table.cell(align: right)[−2]" in second
    # two tables in parts, each with the first column
    assert sum(part.count("0.123456") for part in parts) == 2 * (2 * 59 + len(parts))
    assert sum(part.count("[pair]") for part in parts) >= 29
    assert left_out(resources) == []


def test_settings_of_nbconvert_hold():
    exporter = ReportPDFExporter(exclude_input=True, paper="us-letter")
    _, source, resources = typeset(code(new_output("stream", text="shown")), exporter=exporter)
    assert '"code"' not in source
    assert '"shown"' in source
    assert 'paper: "us-letter"' in source
    assert resources["output_extension"] == ".pdf"


@pytest.mark.slow
def test_a_report_in_several_forms(tmp_path):
    experiment = nbc.datasets.load("demsar2006")
    report = nbc.Report(experiment, sections=["comparison"], compare={"control": "C4.5"})
    written = report.export(*(tmp_path / f"a b.{kind}" for kind in ("pdf", "tex", "ipynb")))
    assert [path.name for path in written] == [
        "a b.pdf", "a b.tex", *(f"a-b-picture-{n}.pdf" for n in (1, 2)), "a b.ipynb",
    ]  # fmt: skip
    assert all(path.read_bytes().startswith(b"%PDF") for path in written if path.suffix == ".pdf")
    notebook = nbformat.read(tmp_path / "a b.ipynb", 4)
    pdf, _ = ReportPDFExporter().from_notebook_node(notebook)
    assert pdf == (tmp_path / "a b.pdf").read_bytes()  # by whichever door
    tex = (tmp_path / "a b.tex").read_text(encoding="utf-8")
    assert "{a-b-picture-2.pdf}" in tex


def test_long_output_is_shortened_and_says_so(caplog):
    lines = new_output("stream", text="\n".join(f"line {number}" for number in range(430)))
    with caplog.at_level(logging.WARNING):
        _, source, resources = typeset(code(lines))
    told = "30 lines in the middle of long printed output"
    assert left_out(resources) == [told]
    assert f"Left out of the printed page: {told}" in caplog.text
    assert source.count("line ") == 400
    assert "[… 30 lines left out …]" in source


def test_a_long_word_of_code_may_be_broken():
    pdf, _, _ = typeset(code(new_output("stream", text="x" * 150), source="y" * 150))
    lines = text_of(pdf).replace("\N{ZERO WIDTH SPACE}", "").split("\n")
    assert max(map(len, lines)) < 100
    assert sum(line.count("x") for line in lines) >= 150


def test_output_is_what_a_terminal_shows_in_the_end():
    text = " 10%|#\r100%|##\n\x1b[1;31mred\x1b[0m b\x08bold \x1b]8;;u\x07l"
    _, source, _ = typeset(code(new_output("stream", text=text)))
    assert '"100%|##\nred bold l"' in source


def test_text_stays_with_the_formula_that_it_leads_to():
    _, source, _ = typeset(new_markdown_cell("Alone.\n\nThe mean is\n\n$$x$$\n\nof all."))
    kept = re.findall(r"#block\(sticky: true, width: 100%\)\[(.*?)\]", source)
    assert kept == ["The mean is"]


def test_a_widget_with_a_snapshot_is_the_snapshot():
    view = {"application/vnd.jupyter.widget-view+json": {"model_id": "m"}, "text/plain": "Box()"}
    snapshot = {"text/html": "<p>as it last stood</p>"}
    cell = code(display(view), display(snapshot, **{"nbcompare-snapshot": "m"}))
    for exporter in (ReportPDFExporter(), ReportLatexExporter()):
        source, made = (
            typeset(cell)[1:]
            if isinstance(exporter, ReportPDFExporter)
            else exporter.from_notebook_node(new_notebook(cells=[cell]))
        )
        assert "as it last stood" in source
        assert "Box()" not in source.replace("\\", "")
        assert not left_out(made)
