"""What is computed, in words and formulas, for comparisons by ranks."""

from __future__ import annotations

from nbcompare.results import Comparison
from nbcompare.words import PAIRWISE_TESTS, RANKINGS

FORMS = {
    "corrected": "corrected for ties",
    "printed": "as printed in the papers, for ranks without ties",
}

SKILLINGS_MACK = r"""If all $k$ algorithms perform alike, they rank alike on every data set,
whichever of them have a score there. With $k_i$ scores on data set $i$, Skillings and Mack's
statistic is

$$SM = A^\top \Sigma^+ A, \qquad
A_j = \sum_i \sqrt{\frac{12}{k_i+1}} \left(r_{ij} - \frac{k_i+1}{2}\right),$$

$\Sigma$ the covariance of $A$, corrected for ties. Without gaps it is Friedman's."""
INCOMPLETE_RANKS = r"""On every data set the algorithms that have a score are ranked, 1 for the
best; tied algorithms share the mean of their ranks. The average ranks are adjusted for the
algorithms that each one met: effects $\Sigma^+ A$ of the test below, on the scale of average
ranks."""
ANOVA = r"""Pairs are tested by t, so the parametric omnibus test decides: the repeated-measures
analysis of variance, its degrees of freedom corrected after Greenhouse and Geisser."""


DIAGRAM = """Average ranks on an axis, best to the right. Thick bars join algorithms that were not
shown to differ from one another."""
DIAGRAM_MATRIX = """Adjusted p-values of all pairs; the algorithms not shown to differ make too
many groups for a diagram."""
DIAGRAM_CONTROL = """Average ranks on an axis, best to the right. Filled marks differ from the
control, hollow ones are not shown to."""


def ranks_text(result: Comparison) -> str:
    """How algorithms are ranked."""
    return INCOMPLETE_RANKS if result.has_gaps else RANKINGS[result.ranking].explanation


def omnibus_text(result: Comparison) -> str:
    """How it is tested whether there is any difference."""
    if result.has_gaps:
        text = SKILLINGS_MACK
    else:
        ranking = RANKINGS[result.ranking]
        formula = ranking.corrected if result.formulas == "corrected" else ranking.printed
        text = ranking.test.replace("FORMULA", formula)
        text = text.replace("FORM", FORMS[result.formulas])
    return f"{text}\n\n{ANOVA}" if "anova" in result.omnibus else text


def hypotheses_text(result: Comparison) -> str:
    """How two algorithms are compared."""
    return PAIRWISE_TESTS[result.pairs].explanation


def diagram_text(result: Comparison) -> str:
    """What the figure at a glance shows."""
    if result.control is not None:
        return DIAGRAM_CONTROL
    return DIAGRAM_MATRIX if result.groups is None else DIAGRAM
