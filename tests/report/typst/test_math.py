"""Formulas as Typst."""

from nbcompare.report.typst.compiler import pandoc_path
from nbcompare.report.typst.math import Formula, formulas


def test_formulas_become_typst_or_are_refused():
    found = formulas(
        [
            Formula(r"\begin{equation}x\label{a}\tag{7}\end{equation}", display=True),
            Formula(r"\frac{1", display=False),
            Formula(r"\mathbb{R}", display=False),
        ],
        pandoc_path(),
    )
    assert found[0].startswith("math.equation(block: true, alt: ")
    assert "(7)" in found[0]
    assert found[1] is None
    assert found[2] == r'math.equation(block: false, alt: "\\mathbb{R}", $bb(R)$)'
