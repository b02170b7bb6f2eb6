"""Macros of TeX."""

from nbcompare.report.paper.macros import Macros


def test_macros_are_known_to_the_formulas_after_them():
    macros = Macros()
    assert macros.expand(r"\newcommand{\v}[2]{\mathbf{#1}_{#2}} \v{x}{i}").strip() == (
        r"{\mathbf{x}_{i}}"
    )
    assert macros.expand(r"\DeclareMathOperator{\argmax}{arg\,max}\argmax f") == (
        r"{\operatorname{arg\,max}} f"
    )
    assert macros.expand(r"\vec{a}") == r"\vec{a}"
    macros.expand(r"\newcommand{\loop}{\loop\loop}")
    assert len(macros.expand(r"\loop")) < 30_000
