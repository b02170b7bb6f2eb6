"""The LaTeX of a notebook: it compiles, with what a plain TeX distribution has."""

import os
import re
import shutil
import subprocess

import pypandoc
import pytest
from bs4 import BeautifulSoup
from cells import PIXEL, SVG, display
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output, new_raw_cell

from nbcompare.report.exporters import ReportHTMLExporter, ReportLatexExporter
from nbcompare.report.latex.writer import LatexWriter

HOSTILE = (
    r"\input{x} \end{document}",
    "a_b & 100% #1 ^x ~y {z}",
    "$x$ \\ [y]",
    "--- ,,q",
    "[opt] *star",
    "日本 α≤β",
)


@pytest.fixture(scope="module")
def notebook():
    rows = "".join(f"<tr><th>{name}</th><td>{n}</td></tr>" for n, name in enumerate(HOSTILE))
    everywhere = "; ".join(HOSTILE)
    wide = "<table>" + f"<tr>{'<td>0.123456</td>' * 40}</tr>" * 2 + "</table>"
    return new_notebook(
        metadata={
            "authors": [{"name": name} for name in HOSTILE],
            "title": f"{everywhere} \0 \ud800",
            "date": everywhere,
            "abstract": "What `this` *is*.",
        },
        cells=[
            new_markdown_cell(
                "See [Table](#tab-one), ~~old~~ <u>u</u> "
                "[link](https://a.b/c_d?e=f&g=%20#h) ![dot](attachment:a.png)\n\n"
                "1. a\n   - b\n     - c\n       - d\n         - e\n           - f\n2. [x]\n\n"
                "> q\n\n---",
                attachments={"a.png": {"image/png": PIXEL}},
            ),
            new_markdown_cell(
                "## Math\n\n$\\newcommand{\\R}{\\mathbb{R}}$ $\\R^n$ and $\\foo{k}$\n\n"
                "\\begin{align}a &= b \\\\ c &= d\\end{align}\n\n$$\\sum_i \\text{if } x_i$$"
            ),
            new_code_cell(
                f"x = '''{everywhere}'''\nlong = '{'z' * 200}'",
                metadata={"label": "one"},
                outputs=[
                    display({"text/html": f"<table><caption>Names & all</caption>{rows}</table>"}),
                    display({"image/svg+xml": SVG, "text/plain": everywhere}),
                    display({"image/png": "bm8gcGljdHVyZQ==", "text/plain": "none"}),
                    display({"text/html": wide}),
                    display({"text/html": "<table><tr><td><ul><li>a<li>b</ul><td colspan=2>c"
                                          "<tr><td rowspan=2>d<td>e<td>f<tr><td>g</table>"}),
                    new_output("stream", text=everywhere + "\n\x1b[31mred\x1b[0m █"),
                    new_output("error", ename="E", evalue="v", traceback=[everywhere]),
                ],
            ),
            new_raw_cell(r"\textbf{own}", metadata={"raw_mimetype": "text/latex"}),
        ],
    )  # fmt: skip


@pytest.fixture(scope="module")
def exported(notebook):
    resources = {"metadata": {"name": "a b&1"}}
    return ReportLatexExporter().from_notebook_node(notebook, resources)


def test_numbers_are_those_of_the_html_page(notebook, exported):
    source, resources = exported
    html, _ = ReportHTMLExporter().from_notebook_node(notebook)
    page = BeautifulSoup(html, "html.parser")
    ids = [
        (tag if tag.name == "caption" else tag.parent)["id"]
        for tag in page.select("caption, figcaption")
    ]
    assert re.findall(r"\\label\{((?:tab|fig)-.*?)\}", source) == ids[:2] + ids[2:]
    counters = re.findall(r"\\setcounter\{(table|figure)\}\{(\d)\}", source)
    assert counters == [("table", "0"), ("figure", "0"), ("figure", "1")]
    assert r"\hyperref[tab-one]{Table" in source
    assert set(resources["outputs"]) == {"./a-b-1-picture-1.png", "./a-b-1-picture-2.pdf"}
    assert resources["outputs"]["./a-b-1-picture-2.pdf"].startswith(b"%PDF")
    assert r"\mathbb{R}" in source
    assert r"\texttt{\textbackslash{}foo\{k\}}" in source
    assert r"\textbf{own}" in source


def test_names_survive_as_text():
    writer = LatexWriter("x")
    for name in HOSTILE:
        read = pypandoc.convert_text(
            writer.escape(name), "plain", "latex-smart", extra_args=["--wrap=none"]
        )
        assert read.strip().replace("\N{NO-BREAK SPACE}", " ") == name


@pytest.mark.slow
@pytest.mark.skipif(
    not shutil.which("pdflatex") and "NBCOMPARE_REQUIRE_LATEX" not in os.environ,
    reason="needs pdflatex (Debian: texlive-latex-recommended lmodern)",
)
def test_it_compiles(exported, tmp_path):
    source, resources = exported
    (tmp_path / "report.tex").write_text(source, encoding="utf-8")
    for name, data in resources["outputs"].items():
        (tmp_path / name).write_bytes(data)
    line = ["pdflatex", "-halt-on-error", "-interaction=nonstopmode", "report.tex"]
    run = subprocess.run(line, cwd=tmp_path, capture_output=True, text=True, errors="replace")
    assert run.returncode == 0, run.stdout[-2000:]
    too_wide = map(float, re.findall(r"Overfull \\hbox \(([\d.]+)pt", run.stdout))
    assert max(too_wide, default=0) < 5
