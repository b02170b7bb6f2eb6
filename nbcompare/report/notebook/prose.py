"""The text of a report: what each section explains, in words and formulas."""

from __future__ import annotations

from nbcompare.results import Comparison, ConvergenceComparison, StochasticComparison

DESIGN = "Rules from the literature recommend these tests for data of this kind."
CONDITIONS = """Parametric tests require these conditions. An asterisk marks a condition that a test
rejects."""
HISTOGRAMS = """The histograms and normal Q–Q plots show the scores where the fit to a normal
distribution is worst."""

# ------------------------------------------------------------------------------------ ranks

_FRIEDMAN_RANKS = r"""On every data set the algorithms are ranked, 1 for the best; tied algorithms
share the mean of their ranks. With $r_{ij}$ the rank of algorithm $j$ on data set $i$, of $n$, the
average rank of an algorithm is

$$R_j = \frac{1}{n} \sum_{i=1}^{n} r_{ij}.$$"""

_ALIGNED_RANKS = r"""On every data set the mean score is subtracted from the scores. The aligned
scores of all $k$ algorithms on all $n$ data sets are then ranked together, from 1 for the best to
$kn$ for the worst; tied scores share the mean of their ranks. With $r_{ij}$ the aligned rank of
algorithm $j$ on data set $i$, the average aligned rank of an algorithm is

$$R_j = \frac{1}{n} \sum_{i=1}^{n} r_{ij}.$$"""

_QUADE_RANKS = r"""On every data set the algorithms are ranked, 1 for the best; tied algorithms
share the mean of their ranks. The $n$ data sets are themselves ranked by the range of their scores,
1 for the smallest. With $r_{ij}$ the rank of algorithm $j$, of $k$, on data set $i$, and $Q_i$ the
rank of that data set, the weighted average rank of an algorithm is

$$R_j = \frac{\sum_{i=1}^{n} Q_i\, r_{ij}}{\sum_{i=1}^{n} Q_i}.$$"""

_RANKS = {"friedman": _FRIEDMAN_RANKS, "aligned": _ALIGNED_RANKS, "quade": _QUADE_RANKS}

_FRIEDMAN = r"""Under the null hypothesis that all $k$ algorithms perform equally, their average
ranks differ by chance only. The test uses Friedman's statistic, FORM, and its $F$ form by Iman and
Davenport, which is less conservative:

$$\chi^2_F = FORMULA, \qquad F_F = \frac{(n-1)\,\chi^2_F}{n(k-1) - \chi^2_F}.$$"""

_ALIGNED = r"""Under the null hypothesis that all $k$ algorithms perform equally, their average
aligned ranks differ by chance only. The statistic, FORM, follows a $\chi^2$ distribution with
$k - 1$ degrees of freedom. With $R_{\cdot j}$ the sum of the ranks of algorithm $j$ and
$R_{i \cdot}$ that of data set $i$, it is

$$T = \frac{(k-1) \left[\sum_j R_{\cdot j}^2 - \frac{kn^2}{4} (kn+1)^2\right]}
{FORMULA - \frac{1}{k} \sum_i R_{i \cdot}^2}.$$"""

_QUADE = r"""Under the null hypothesis that all $k$ algorithms perform equally, their weighted
average ranks differ by chance only. Quade's statistic, FORM, follows an $F$ distribution with
$k - 1$ and $(k-1)(n-1)$ degrees of freedom. With
$S_{ij} = Q_i \left(r_{ij} - \frac{k+1}{2}\right)$ it is

$$F = \frac{(n-1)\, B}{A - B}, \qquad A = FORMULA, \qquad
B = \frac{1}{n} \sum_j \left(\sum_i S_{ij}\right)^2.$$"""

_OMNIBUS = {"friedman": _FRIEDMAN, "aligned": _ALIGNED, "quade": _QUADE}
_FORMS = {
    "corrected": "corrected for ties",
    "printed": "as printed in the papers, for ranks without ties",
}
_FORMULAS = {
    ("friedman", "corrected"): r"\frac{(k-1)\, n^2 \sum_j \left(R_j - \frac{k+1}{2}\right)^2}"
    r"{\sum_{i,j} \left(r_{ij} - \frac{k+1}{2}\right)^2}",
    ("friedman", "printed"): r"\frac{12 n}{k(k+1)} \left[\sum_j R_j^2 - \frac{k(k+1)^2}{4}\right]",
    ("aligned", "corrected"): r"\sum_{i,j} r_{ij}^2",
    ("aligned", "printed"): r"\frac{kn(kn+1)(2kn+1)}{6}",
    ("quade", "corrected"): r"\sum_{i,j} S_{ij}^2",
    ("quade", "printed"): r"\frac{n(n+1)(2n+1)\,k(k+1)(k-1)}{72}",
}

_SKILLINGS_MACK = r"""Under the null hypothesis that all $k$ algorithms perform equally, all orders
of the algorithms that have a score on a data set are equally likely. With $k_i$ scores on data set
$i$, the statistic of Skillings and Mack is

$$SM = A^\top \Sigma^+ A, \qquad
A_j = \sum_i \sqrt{\frac{12}{k_i+1}} \left(r_{ij} - \frac{k_i+1}{2}\right),$$

where $\Sigma$ is the covariance matrix of $A$, corrected for ties. Without missing scores it equals
Friedman's statistic."""
_INCOMPLETE_RANKS = r"""On every data set the algorithms that have a score are ranked, 1 for the
best; tied algorithms share the mean of their ranks. The average ranks are adjusted for the
opponents that each algorithm met: they are the effects $\Sigma^+ A$ of the test below, on the scale
of average ranks."""
_ANOVA = r"""The pairwise tests are t tests, so the parametric omnibus test decides: the
repeated-measures analysis of variance, with its degrees of freedom corrected by the method of
Greenhouse and Geisser."""
_ADJUSTED = r"""The adjusted p-values account for the number of hypotheses: a hypothesis is rejected
if its adjusted p-value is at most $\alpha$."""
_HYPOTHESES = {
    "ranks": r"""Two algorithms $u$ and $v$ are compared by the difference between their average
ranks, divided by its standard error,

$$z = \frac{R_u - R_v}{SE},$$

which is negative where the first is better.""",
    "wilcoxon": """Two algorithms are compared by Wilcoxon's signed-rank test on their differences,
which do not depend on the other algorithms. The statistic is the sum of the signed ranks, negative
where the first is better.""",
    "t": """Two algorithms are compared by the paired t test, which assumes that their differences
are approximately normal. The statistic is negative where the first is better.""",
}

_CD_DIAGRAM = """The algorithms stand at their average ranks, the best at the right. A thick bar
joins algorithms among which no significant difference was found."""
_CD_MATRIX = """The matrix shows the adjusted p-values of all pairs, because the algorithms form too
many groups for a critical difference diagram."""
_CD_CONTROL = """The algorithms stand at their average ranks, the best at the right. Filled marks
differ significantly from the control; for hollow marks no significant difference was found."""
MATRIX = """The matrix shows the adjusted p-values of all pairs. A triangle points to the better
algorithm; filled triangles and bold digits mark rejected hypotheses."""
BARS = """The bars are average ranks, the best first; the control is dark. Hatching means that no
significant difference from the control was found. A dashed line marks the critical difference,
where the adjustment procedure has one."""
ALL_PAIRS = """Each cell shows the difference between the mean scores, the numbers of wins, ties and
losses, and the p-value of a pair. The test does not compare the means, so a difference between
means may point the other way."""
PAIR = """The two algorithms are compared by Wilcoxon's signed-rank test, the usual test of two
algorithms, and the size of their difference is estimated."""
SCATTER = "Each point is a data set. On the diagonal the two algorithms performed equally."
CONTRAST = """The differences between the algorithms are estimated in units of the measure, by
medians of the differences that are made consistent with one another. The intervals come from
resampled data sets."""
SIGNS = "The multiple sign test compares the wins and losses of each algorithm against the control."
FOLDS = "Two algorithms are compared on the folds of one data set."


def ranks_text(result: Comparison) -> str:
    """Explain how the algorithms are ranked."""
    return _INCOMPLETE_RANKS if result.has_gaps else _RANKS[result.ranking]


def omnibus_text(result: Comparison) -> str:
    """Explain the test of the hypothesis that all algorithms perform equally."""
    if result.has_gaps:
        text = _SKILLINGS_MACK
    else:
        formula = _FORMULAS[result.ranking, result.formulas]
        text = _OMNIBUS[result.ranking].replace("FORMULA", formula)
        text = text.replace("FORM", _FORMS[result.formulas])
    return f"{text}\n\n{_ANOVA}" if "anova" in result.omnibus else text


def hypotheses_text(result: Comparison) -> str:
    """Explain how two algorithms are compared."""
    return f"{_HYPOTHESES[result.pairs]} {_ADJUSTED}"


def diagram_text(result: Comparison) -> str:
    """Explain the figure that sums up a comparison."""
    if result.control is not None:
        return _CD_CONTROL
    return _CD_MATRIX if result.groups is None else _CD_DIAGRAM


# --------------------------------------------------------------------- stochastic algorithms

_DEPENDENT = "Runs of an algorithm on the same fold are not independent observations. They are"
_RUNS = {
    "bootstrap-a": f"{_DEPENDENT} combined into one number.",
    "bootstrap-b": f"""{_DEPENDENT} combined into an interval, so that a mean over the $n$ blocks is
an interval, too.""",
    "interval": f"""{_DEPENDENT} combined into an interval. Which value in it represents the
algorithm is not known.""",
    "fuzzy": f"""{_DEPENDENT} combined into nested intervals, one for every coverage, which together
form a fuzzy set.""",
}
OVERALL = r"""Each algorithm is compared with the mean of all algorithms by the mean of its
differences over the $n$ blocks. Under the null hypothesis the scores in a block may be permuted
among the algorithms; $p$ is the proportion of permutations, over all blocks, whose mean is at least
as extreme as the observed one."""
_BOOTSTRAP_PAIRS = r"""Two algorithms $u$ and $v$ are compared by the mean of their differences
over the $n$ blocks,

$$\bar d_{uv} = \frac{1}{n} \sum_{i=1}^{n} \left(x_{iu} - x_{iv}\right).$$

Under the null hypothesis the two may be exchanged in any block, which changes the sign of the
difference there."""
_PAIRS = r"""Two algorithms are compared by TEST for every selection of one value from each
interval. The p-value is the interval from the smallest to the largest p-value of these tests,

$$p_{uv} = \left[\min_{x \in X} p(x_u, x_v),\ \max_{x \in X} p(x_u, x_v)\right],$$

where $X$ is the set of all selections."""
_FUZZY = r"""At every coverage $c$ this interval is a cut of a fuzzy p-value, with membership $1 -
c$."""
_OUTCOMES = r"""A hypothesis is rejected if the whole interval of the adjusted p-value is at most
$\alpha$, not rejected if the whole interval is above $\alpha$, and inconclusive if the variation
between runs leaves both possible."""
_TEST = {
    "wilcoxon": "Wilcoxon's signed-rank test",
    "rank-sum": "the rank-sum test",
    "sign": "the sign test",
    "t": "the paired t test",
    "permutation": "a permutation test of the mean difference",
}
_OUTCOME_DIAGRAM = """The algorithms stand at their means; a grey line spans the interval of each
mean. A solid bar joins algorithms among which no hypothesis is rejected or inconclusive. A hollow
bar joins algorithms among which none is rejected, but some are inconclusive."""
_OUTCOME_CONTROL = """The algorithms stand at their means; a grey line spans the interval of each
mean. Filled marks differ significantly from the control; for hollow marks no significant difference
was found; half-filled marks are inconclusive."""
_TOO_MANY = """The figure shows the p-value of each pair, because the algorithms form too many
groups for a diagram."""
MEMBERSHIP = """Each p-value is drawn as a fuzzy set: the height of the outline is the membership of
a value, and the thick line is the cut that decides."""
INTERVALS = "Each bar is the interval of a p-value; a line marks the significance level."
_BOXES = """The boxplots of the runs of ALGORITHM in each fold show what a mean hides: failed runs,
two modes, and folds that differ from the others."""


def runs_text(result: StochasticComparison) -> str:
    """Explain how the runs of an algorithm are combined."""
    return _RUNS[result.procedure]


def outcomes_text(result: StochasticComparison) -> str:
    """Explain how two stochastic algorithms are compared."""
    if result.test is None:
        return f"{_BOOTSTRAP_PAIRS}\n\n{_OUTCOMES}"
    text = _PAIRS.replace("TEST", _TEST[result.test])
    fuzzy = f"\n\n{_FUZZY}" if result.procedure == "fuzzy" else ""
    return f"{text}{fuzzy}\n\n{_OUTCOMES}"


def outcome_diagram_text(result: StochasticComparison, *, drawn: bool) -> str:
    """Explain the figure that sums up a comparison by runs; ``drawn`` if it is a diagram."""
    if not drawn:
        return _TOO_MANY
    return _OUTCOME_DIAGRAM if result.control is None else _OUTCOME_CONTROL


def boxes_text(algorithm: str) -> str:
    """Explain the boxplots of an algorithm, whose name is Markdown."""
    return _BOXES.replace("ALGORITHM", algorithm)


# ------------------------------------------------------------------------------ convergence

HISTORIES = """The data are the best values found so far in every run, at regular points of the
budget."""
_CURVES = """The curves are medians of the runs, with bands from the lower to the upper quartile, on
SOME of the problems."""
_TESTS = r"""At $c$ regular cut-points of the budget, each algorithm is represented by the AGGREGATE
of its runs. The differences between DIFFERENCES of two algorithms are ranked over the cut-points of
each of the $n$ problems. Page's statistic

$$L = \sum_{i=1}^{n} \sum_{j=1}^{c} j\, r_{ij}$$

is large if the ranks increase, which they do if the first algorithm converges faster than the
second."""
_DIFFERENCES = {"raw": "the values", "log": "the logarithms of the errors"}
_NULL = {
    "exchange": r"""Under the null hypothesis the two algorithms may be exchanged on any problem,
which changes its ranks $r$ into $c + 1 - r$; all $2^n$ exchanges are counted. This is valid however
the cut-points of a run depend on each other.""",
    "page": """Under Page's null hypothesis all orders of the cut-points are equally likely. The
cut-points of a run depend on each other, so the p-values are too small.""",
}
_BASIC_ALTERNATIVE = """Once an algorithm has reached the optimum, only the other one can improve,
and the basic ranks turn against the algorithm that was faster; the alternative ranks continue in
its favour."""
HEATMAP = "The map shows the p-values of all ordered pairs; framed cells are significant."
STANDING = """An algorithm wins against the algorithms that converge significantly more slowly, and
loses against those that converge significantly faster."""
EVIDENCE = """The figure shows the ranks behind the smallest p-value, with a row for each problem
and a column for each cut-point. Darker cells are higher ranks; rows become darker to the right
where the first algorithm converges faster."""


def curves_text(*, all_problems: bool) -> str:
    """Explain the convergence curves, of all problems or of some."""
    return _CURVES.replace("SOME", "all" if all_problems else "some")


def trend_text(result: ConvergenceComparison) -> str:
    """Explain the tests of which algorithm converges faster."""
    options = result.design.options
    tests = _TESTS.replace("AGGREGATE", options["aggregate"])
    tests = tests.replace("DIFFERENCES", _DIFFERENCES[options["differences"]])
    more = f"\n\n{_BASIC_ALTERNATIVE}" if len(result.versions) > 1 else ""
    return f"{tests}\n\n{_NULL[result.null]}{more}"
