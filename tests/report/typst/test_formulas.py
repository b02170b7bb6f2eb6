"""Formulas as Typst."""

from nbcompare.report.typst.writer import Formula, formulas


def test_formulas_become_typst_or_are_refused():
    numbered, broken, simple = formulas(
        [
            Formula(r"\begin{equation}x\label{a}\tag{7}\end{equation}", display=True),
            Formula(r"\frac{1", display=False),
            Formula(r"\mathbb{R}", display=False),
        ],
    )
    assert "(7)" in numbered
    assert "label" not in numbered
    assert broken == ""
    assert simple == "$bb(R)$"
