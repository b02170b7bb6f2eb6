"""What pandoc would lose or a typesetter would set outside the page."""

import pytest
from cells import display
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from nbcompare.report.exporters import ReportLatexExporter, ReportPDFExporter
from nbcompare.report.latex.writer import LatexWriter
from nbcompare.report.typst.writer import TypstWriter

DEEP = "<ul><li>1" * 6 + "</li></ul>" * 6
LONG = "/data/of_others/" * 4
WIDE = f"<table><caption>Wide</caption><tr>{'<td>four words in each' * 9}</table>"


def written(writer, html):
    made = writer()
    return made.filled([made.html(html)])[0]


@pytest.mark.parametrize(
    ("writer", "html", "expected"),
    [
        (TypstWriter, DEEP, 6 * " " + "- 1"),
        (LatexWriter, DEEP, "• 1"),
        (TypstWriter, LONG, "data/#cut;of"),
        (LatexWriter, f"<code>{LONG}</code>", r"\texttt{data/}\allowbreak{}\texttt{of\_"),
        (TypstWriter, "a --b 'c'", r"a -\-b \'c\'"),
        (TypstWriter, "<kbd>K</kbd> <cite>C</cite>", "`K` #emph[C]"),
        (LatexWriter, "<figure><p>a</p><figcaption>b</figcaption></figure>", "a\n\nb"),
        (LatexWriter, r'<math alttext="\text{5% of }x"></math>', r"$\text{5\% of }x$"),
        (LatexWriter, "[^1]", r"{[}\textasciicircum{}1{]}"),
        (LatexWriter, WIDE, r"\captionsetup{labelformat=empty}"),
        (LatexWriter, WIDE, r"\real{0.11"),
    ],
)
def test_what_is_written(writer, html, expected):
    assert expected in written(writer, html)


def test_parts_of_a_table_share_its_number():
    parts = [rf"\caption{{Pairs, part {part} of 2}}" for part in (1, 2)]
    source = LatexWriter().numbered("\n".join(parts), [("tab-pairs", 5)])
    assert source.split("\n")[1:] == [parts[0], r"\addtocounter{table}{-1}" + parts[1]]


def test_html_is_printed_where_latex_is_for_documents_of_others():
    others = {"text/html": "<ol><li>one</ol>", "text/latex": r"\begin{enumerate*}"}
    notebook = new_notebook(cells=[new_code_cell("x", outputs=[display(others)])])
    source, _ = ReportLatexExporter().from_notebook_node(notebook)
    assert r"\begin{enumerate}" in source


def test_a_formula_with_letters_of_no_font_stops_nothing():
    notebook = new_notebook(cells=[new_markdown_cell("x $\\text{a} + 日$")])
    pdf, _ = ReportPDFExporter().from_notebook_node(notebook)
    assert pdf.startswith(b"%PDF")


@pytest.mark.parametrize("writer", [TypstWriter, LatexWriter])
def test_attributes_of_others_are_no_code(writer):
    """Pandoc writes attributes such as typst:text:fill as they are."""
    page = """<p><span data-typst:text:fill="red); #evil(">a</span> <span class="mark">b</span>
        <span lang="he" dir="rtl">c</span></p>
        <table typst:fill="blue)#evil("><tr><td data-typst:fill="x)#evil(">d</td></tr></table>
        <ol start="1)#evil(" type="i)#evil("><li typst:x="#evil(">e</li></ol>"""
    made = written(writer, page)
    assert "evil" not in made
    assert r"\hl" not in made
    assert r"\RL" not in made
    assert all(letter in made for letter in "abcde")
