"""TeX formulas as MathML."""

import re

import pytest
from bs4 import BeautifulSoup
from hypothesis import given, settings
from hypothesis import strategies as st
from nbformat.v4 import new_markdown_cell, new_notebook

from nbcompare.report.exporters import ReportHTMLExporter
from nbcompare.report.page import markdown

TEX = r"""
x 1 + & \ { } [ ] ^ _ $ % ~ # < > ' | \, \! \\ & \frac \sqrt \sum \alpha \hat \over
\left( \right) \left \right. \text \text{<b>} \mathbf \mathbf{x} \binom \limits
\label{a} \tag{1} \tag \arg \color \href \newcommand \foo \begin \end
\begin{align} \end{align} \begin{cases} \end{cases} \begin{array}{lr} \end{array}
\begin{alignat}{2} \end{alignat} \begin{split} \end{split} é &lt;b&gt; <b>
"""
TOKENS = [*TEX.split(), " ", "\n"]


def test_symbols_become_characters():
    assert "<mi>α</mi><mo>≤</mo><mn>0.05</mn>" in markdown.formula(r"\alpha \le 0.05")


def test_the_source_is_the_text_for_screen_readers():
    assert 'alttext="a&lt;b"' in markdown.formula("a<b")


@pytest.mark.parametrize(
    "tex",
    [
        r"\foo{x}",  # an unknown macro
        r"x + \foo",
        r"\left( x",  # malformed
        "{",
        "a & b",  # a column outside a table
        r"\text{see \cite{a}}",
        r"\begin{tabular}{l}a\end{tabular}",
        r"\begin{align} a",
    ],
)
def test_what_is_not_understood_shows_its_source(tex):
    result = markdown.formula(tex)
    assert result.startswith('<code class="tex">$')
    assert "<math" not in result


def test_text_in_a_formula_is_escaped():
    result = markdown.formula(r"\text{<script>alert(1)</script> \& 5\%}")
    assert "<mtext>&lt;script&gt;alert(1)&lt;/script&gt;\xa0&amp;\xa05%</mtext>" in result


@settings(deadline=None)
@given(st.lists(st.sampled_from(TOKENS), max_size=12).map("".join), st.booleans())
def test_no_formula_stops_an_export(tex, display):
    document = BeautifulSoup(markdown.formula(tex, display=display), "html.parser")
    assert document.find(["math", "code"]) or not tex.strip()
    assert not document.find("b")


def test_mathematics_inside_text():
    result = markdown.formula(r"\text{if $i = j$ holds}")
    assert "<mtext>if\xa0</mtext>" in result
    assert "<mi>i</mi><mo>=</mo><mi>j</mi>" in result


@pytest.mark.parametrize("name", ["align", "align*", "aligned", "split", "flalign", "eqnarray"])
def test_aligned_lines_become_rows(name):
    result = markdown.environment(name, r"a &= b \\c &= d")
    assert result.count("<mtr>") == 2
    assert result.count("<mo>=</mo>") == 2
    assert "(1)" not in result  # as in the notebook, equations have no numbers


def test_column_counts_are_not_shown():
    assert "<mn>2</mn>" not in markdown.environment("alignat", r"{2} a &= b")


@pytest.mark.parametrize("name", ["gather", "gather*", "multline", "equation"])
def test_lines_without_columns_become_rows(name):
    assert markdown.environment(name, r"a \\ b").count("<mtr>") == 2


def test_labels_vanish_and_tags_stay():
    result = markdown.environment("equation", r"a = b \label{eq:one} \tag{7} \nonumber")
    assert "label" not in re.sub('alttext="[^"]*"|aria-label', "", result)
    assert "<mtext>(7)</mtext>" in result


def test_limits_stand_below_big_operators_inside_brackets():
    result = markdown.formula(r"\left[\sum_{j=1}^k R_j\right]", display=True)
    assert "<munderover>" in result
    assert "<msub><mi>R</mi>" in result


@pytest.mark.parametrize(
    "tex",
    [r"$\displaystyle x$", "$$x$$", r"\[x\]", r"\(x\)", r"\begin{equation}x\end{equation}"],
)
def test_latex_output(tex):
    assert "<mi>x</mi>" in markdown.MarkdownRenderer(escape=False).latex(tex)


def test_latex_output_between_words():
    result = markdown.MarkdownRenderer(escape=False).latex("for <all> $x$ and $y$.")
    assert result.startswith("<p>for &lt;all&gt; <math")
    assert result.endswith("</math>.</p>")


@pytest.mark.parametrize(
    "tex",
    [
        "words only",
        r"\begin{tabular}{l}a\end{tabular}",
        r"\textbf{a} $x$",
        r"$\foo$",
        "$x$ \\par",
    ],
)
def test_other_latex_is_no_mathematics(tex):
    assert markdown.MarkdownRenderer(escape=False).latex(tex) is None


def test_macros_are_known_to_the_formulas_after_them():
    macros = markdown.Macros()
    assert macros.expand(r"\newcommand{\v}[2]{\mathbf{#1}_{#2}} \v{x}{i}").strip() == (
        r"{\mathbf{x}_{i}}"
    )
    assert macros.expand(r"\DeclareMathOperator{\argmax}{arg\,max}\argmax f") == (
        r"{\operatorname{arg\,max}} f"
    )
    assert macros.expand(r"\vec{a}") == r"\vec{a}"
    macros.expand(r"\newcommand{\loop}{\loop\loop}")
    assert len(macros.expand(r"\loop")) < 30_000


def test_an_operator_with_limits_has_its_name():
    assert ">argmax</mo>" in markdown.formula(r"\operatorname*{arg\,max}_x f")


def test_a_page_knows_the_macros_of_its_cells():
    cells = [new_markdown_cell(r"$\newcommand{\R}{\mathbb{R}}$"), new_markdown_cell(r"$x \in \R$")]
    page, _ = ReportHTMLExporter().from_notebook_node(new_notebook(cells=cells))
    math = BeautifulSoup(page, "html.parser").find_all("math")
    assert [one.text for one in math] == ["x∈ℝ"]
    assert "newcommand" not in page
