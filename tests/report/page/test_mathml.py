"""TeX formulas as MathML."""

from bs4 import BeautifulSoup
from hypothesis import given, settings
from hypothesis import strategies as st

from nbcompare.report.page import markdown

TEX = r"""
x 1 + & \ { } [ ] ^ _ $ % ~ # < > ' | \, \! \\ & \frac \sqrt \sum \alpha \hat \over
\left( \right) \left \right. \text \text{<b>} \mathbf \mathbf{x} \binom \limits
\label{a} \tag{1} \tag \arg \color \href \newcommand \foo \begin \end
\begin{align} \end{align} \begin{cases} \end{cases} \begin{array}{lr} \end{array}
\begin{alignat}{2} \end{alignat} \begin{split} \end{split} é &lt;b&gt; <b>
"""
TOKENS = [*TEX.split(), " ", "\n"]


@settings(deadline=None)
@given(st.lists(st.sampled_from(TOKENS), max_size=12).map("".join), st.booleans())
def test_no_formula_stops_an_export(tex, display):
    document = BeautifulSoup(markdown.formula(tex, display=display), "html.parser")
    assert document.find(["math", "code"]) or not tex.strip()
    assert not document.find("b")


def test_a_macro_of_itself_ends():
    macros = markdown.Macros()
    macros.expand(r"\newcommand{\loop}{\loop\loop}")
    assert len(macros.expand(r"\loop")) < 30_000
