"""What is computed, in words and formulas, for comparisons by ranks."""

from __future__ import annotations

from nbcompare.results import Comparison

_FRIEDMAN_RANKS = r"""On every data set the algorithms are ranked, 1 for the best; tied algorithms
share the mean of their ranks. With $r_{ij}$ the rank of algorithm $j$ on data set $i$, of $n$, the
average rank of an algorithm is

$$R_j = \frac{1}{n} \sum_{i=1}^{n} r_{ij}.$$"""

_ALIGNED_RANKS = r"""The mean of every data set is taken from its scores; what is left of all $k$
algorithms on all $n$ data sets is ranked together, from 1 for the best to $kn$. Ties share the mean
of their ranks. With $r_{ij}$ the aligned rank of algorithm $j$ on data set $i$, the average aligned
rank of an algorithm is

$$R_j = \frac{1}{n} \sum_{i=1}^{n} r_{ij}.$$"""

_QUADE_RANKS = r"""On every data set the algorithms are ranked, 1 for the best; tied algorithms
share the mean of their ranks. The $n$ data sets are themselves ranked by the range of their scores,
1 for the smallest. With $r_{ij}$ the rank of algorithm $j$, of $k$, on data set $i$, and $Q_i$ the
rank of that data set, the weighted average rank of an algorithm is

$$R_j = \frac{\sum_{i=1}^{n} Q_i\, r_{ij}}{\sum_{i=1}^{n} Q_i}.$$"""

RANKS = {"friedman": _FRIEDMAN_RANKS, "aligned": _ALIGNED_RANKS, "quade": _QUADE_RANKS}

_FRIEDMAN = r"""If all $k$ algorithms perform alike, their average ranks differ by chance only.
Friedman's statistic FORM, and its $F$ form by Iman and Davenport, which is less conservative:

$$\chi^2_F = FORMULA, \qquad F_F = \frac{(n-1)\,\chi^2_F}{n(k-1) - \chi^2_F}.$$"""

_ALIGNED = r"""If all $k$ algorithms perform alike, their average aligned ranks differ by chance
only. The statistic, FORM, is $\chi^2$ with $k - 1$ degrees of freedom. With $R_{\cdot j}$ the sum
of the ranks of algorithm $j$ and $R_{i \cdot}$ that of data set $i$, it is

$$T = \frac{(k-1) \left[\sum_j R_{\cdot j}^2 - \frac{kn^2}{4} (kn+1)^2\right]}
{FORMULA - \frac{1}{k} \sum_i R_{i \cdot}^2}.$$"""

_QUADE = r"""If all $k$ algorithms perform alike, their weighted average ranks differ by chance
only. Quade's statistic, FORM, is $F$ with $k - 1$ and $(k-1)(n-1)$ degrees of freedom. With
$S_{ij} = Q_i \left(r_{ij} - \frac{k+1}{2}\right)$ it is

$$F = \frac{(n-1)\, B}{A - B}, \qquad A = FORMULA, \qquad
B = \frac{1}{n} \sum_j \left(\sum_i S_{ij}\right)^2.$$"""

OMNIBUS = {"friedman": _FRIEDMAN, "aligned": _ALIGNED, "quade": _QUADE}
FORMS = {
    "corrected": "corrected for ties",
    "printed": "as printed in the papers, for ranks without ties",
}
FORMULAS = {
    ("friedman", "corrected"): r"\frac{(k-1)\, n^2 \sum_j \left(R_j - \frac{k+1}{2}\right)^2}"
    r"{\sum_{i,j} \left(r_{ij} - \frac{k+1}{2}\right)^2}",
    ("friedman", "printed"): r"\frac{12 n}{k(k+1)} \left[\sum_j R_j^2 - \frac{k(k+1)^2}{4}\right]",
    ("aligned", "corrected"): r"\sum_{i,j} r_{ij}^2",
    ("aligned", "printed"): r"\frac{kn(kn+1)(2kn+1)}{6}",
    ("quade", "corrected"): r"\sum_{i,j} S_{ij}^2",
    ("quade", "printed"): r"\frac{n(n+1)(2n+1)\,k(k+1)(k-1)}{72}",
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
PAIRS = {
    "wilcoxon": """Two algorithms are compared by Wilcoxon's signed ranks of their differences,
which do not depend on the other algorithms. The statistic is the sum of signed ranks, negative
where the first is better. The adjusted p-values take account of the number of hypotheses: a
hypothesis is rejected if its adjusted p-value is at most α.""",
    "t": """Two algorithms are compared by the paired t test of their differences, which needs these
to be near normal; negative where the first is better. The adjusted p-values take account of the
number of hypotheses: a hypothesis is rejected if its adjusted p-value is at most α.""",
}

HYPOTHESES = r"""Two algorithms $u$ and $v$ are compared by the difference of their average ranks
over its standard error,

$$z = \frac{R_u - R_v}{SE},$$

negative where the first is better. The adjusted p-values take account of the number of hypotheses:
a hypothesis is rejected if its adjusted p-value is at most $\alpha$."""

DIAGRAM = """Average ranks on an axis, best to the right. Thick bars join algorithms that were not
shown to differ from one another."""
DIAGRAM_MATRIX = """Adjusted p-values of all pairs; the algorithms not shown to differ make too
many groups for a diagram."""
DIAGRAM_CONTROL = """Average ranks on an axis, best to the right. Filled marks differ from the
control, hollow ones are not shown to."""


def ranks_text(result: Comparison) -> str:
    """How algorithms are ranked."""
    return INCOMPLETE_RANKS if result.has_gaps else RANKS[result.ranking]


def omnibus_text(result: Comparison) -> str:
    """How it is tested whether there is any difference."""
    if result.has_gaps:
        text = SKILLINGS_MACK
    else:
        formula = FORMULAS[result.ranking, result.formulas]
        text = OMNIBUS[result.ranking].replace("FORMULA", formula)
        text = text.replace("FORM", FORMS[result.formulas])
    return f"{text}\n\n{ANOVA}" if "anova" in result.omnibus else text


def hypotheses_text(result: Comparison) -> str:
    """How two algorithms are compared."""
    return PAIRS.get(result.pairs, HYPOTHESES)


def diagram_text(result: Comparison) -> str:
    """What the figure at a glance shows."""
    if result.control is not None:
        return DIAGRAM_CONTROL
    return DIAGRAM_MATRIX if result.groups is None else DIAGRAM
