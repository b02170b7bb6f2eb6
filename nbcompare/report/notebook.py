"""Build the notebook of an analysis: text that explains, cells that compute it again."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, cast

from nbcompare import plots
from nbcompare._render import markdown
from nbcompare._version import __version__
from nbcompare.analysis import compare
from nbcompare.report.convergence import convergence_sections
from nbcompare.report.source import HistorySource, Section, Source, keywords
from nbcompare.results import Comparison

if TYPE_CHECKING:
    from nbformat import NotebookNode

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

_RANKS = {"friedman": _FRIEDMAN_RANKS, "aligned": _ALIGNED_RANKS, "quade": _QUADE_RANKS}

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

_SKILLINGS_MACK = r"""If all $k$ algorithms perform alike, they rank alike on every data set,
whichever of them have a score there. With $k_i$ scores on data set $i$, Skillings and Mack's
statistic is

$$SM = A^\top \Sigma^+ A, \qquad
A_j = \sum_i \sqrt{\frac{12}{k_i+1}} \left(r_{ij} - \frac{k_i+1}{2}\right),$$

$\Sigma$ the covariance of $A$, corrected for ties. Without gaps it is Friedman's."""
_INCOMPLETE_RANKS = r"""On every data set the algorithms that have a score are ranked, 1 for the
best; tied algorithms share the mean of their ranks. The average ranks are adjusted for the
algorithms that each one met: effects $\Sigma^+ A$ of the test below, on the scale of average
ranks."""
_ANOVA = r"""Pairs are tested by t, so the parametric omnibus test decides: the repeated-measures
analysis of variance, its degrees of freedom corrected after Greenhouse and Geisser."""
_PAIRS = {
    "wilcoxon": """Two algorithms are compared by Wilcoxon's signed ranks of their differences,
which do not depend on the other algorithms. The statistic is the sum of signed ranks, negative
where the first is better. The adjusted p-values take account of the number of hypotheses: a
hypothesis is rejected if its adjusted p-value is at most α.""",
    "t": """Two algorithms are compared by the paired t test of their differences, which needs these
to be near normal; negative where the first is better. The adjusted p-values take account of the
number of hypotheses: a hypothesis is rejected if its adjusted p-value is at most α.""",
}
_DESIGN = "What suits these data, by rules from the literature."
_CONDITIONS = "What parametric tests need: * where a condition fails."
_MATRIX = "Adjusted p-values; marks point to the better algorithm, and tell what is rejected."
_BARS = "Average ranks, best first, with the cut line of the procedure where it has one."
_PAIR = """Wilcoxon's signed ranks of the two, the usual test of two algorithms, and how large the
difference is."""
_CONTRAST = """How far apart the algorithms are, in units of the measure: differences of medians,
made consistent, with intervals from resampled data sets."""
_MOST_SIGNS = 20_000  # the law of more is not computed
_SIGNS = "Wins and losses against the control, by the multiple sign test."

_HYPOTHESES = r"""Two algorithms $u$ and $v$ are compared by the difference of their average ranks
over its standard error,

$$z = \frac{R_u - R_v}{SE},$$

negative where the first is better. The adjusted p-values take account of the number of hypotheses:
a hypothesis is rejected if its adjusted p-value is at most $\alpha$."""

_DIAGRAM = """Average ranks on an axis, best to the right. Thick bars join algorithms that were not
shown to differ from one another."""
_DIAGRAM_MATRIX = """Adjusted p-values of all pairs; the algorithms not shown to differ make too
many groups for a diagram."""
_DIAGRAM_CONTROL = """Average ranks on an axis, best to the right. Filled marks differ from the
control, hollow ones are not shown to."""


def comparison_notebook(
    source: Source | None,
    options: Mapping[str, Any],
    histories: HistorySource | None = None,
    trend: Mapping[str, Any] | None = None,
) -> NotebookNode:
    """Build the notebook of a comparison of scores, of histories, or of both.

    Parameters
    ----------
    source, options : Source and mapping
        Scores, and the options of :func:`nbcompare.compare`.
    histories, trend : HistorySource and mapping
        Histories, and the options of :func:`nbcompare.compare_convergence`.
    """
    sections: list[Section] = []
    known: dict[str, str] = {"version": __version__}
    if source is not None:
        sections += _comparison_sections(source, options)
        known["fingerprint"] = source.experiment.fingerprint
    if histories is not None:
        sections += convergence_sections(histories, trend or {})
        known["histories_fingerprint"] = histories.histories.fingerprint
    if source is not None:
        title = f"Comparison of algorithms on {source.name}"
    else:
        title = f"Convergence of algorithms on {histories.name if histories else 'nothing'}"
    return _notebook(title, sections, known)


def _notebook(title: str, sections: Iterable[Section], known: Mapping[str, str]) -> NotebookNode:
    from nbformat import v4

    cells = [
        v4.new_markdown_cell(f"# {markdown.escape(title)}", id="title"),
        v4.new_code_cell("import nbcompare as nbc", id="import"),
    ]
    for section in sections:
        prose = f"## {section.heading}\n\n{section.text}".rstrip()
        cells.append(v4.new_markdown_cell(prose, id=section.identity))
        cells.append(v4.new_code_cell(section.code, id=f"{section.identity}-code"))
    notebook = v4.new_notebook(cells=cells)
    notebook.metadata = {
        "kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"},
        "title": title,
        "nbcompare": dict(known),
    }
    return cast("NotebookNode", notebook)


def _comparison_sections(source: Source, options: Mapping[str, Any]) -> Iterator[Section]:
    """Sections of a comparison; see :func:`nbcompare.compare` for the options.

    The comparison is computed once here as well, so that a mistake in the options is
    reported before a kernel is asked.
    """
    result = compare(source.experiment, **options)
    plots.overview(result)
    yield Section("data", "Data", "", f"experiment = {source.code}\nexperiment")
    yield from _before(result)
    yield from _comparison(result, ", ".join(["experiment", *keywords(options)]))
    yield from _beside(result)
    yield Section("conclusions", "Conclusions", "", _section("conclusions"))
    yield Section("method", "How this was computed", "", _section("method"))
    yield Section("references", "References", "", _section("references"))


def _before(result: Comparison) -> Iterator[Section]:
    """What to know of the data before they are compared."""
    control = f", control={result.design.options['control']!r}" if result.control else ""
    call = f"nbc.recommend(experiment{control}, alpha={result.alpha!r})"
    yield Section("design", "Which tests suit the data?", _DESIGN, call)
    call = f"nbc.check_conditions(experiment, alpha={result.alpha!r})"
    yield Section("conditions", "Conditions of parametric tests", _CONDITIONS, call)


def _comparison(result: Comparison, call: str) -> Iterator[Section]:
    """Ranks, omnibus test, hypotheses, figures."""
    if result.has_gaps:
        ranks, omnibus = _INCOMPLETE_RANKS, _SKILLINGS_MACK
    else:
        ranks = _RANKS[result.ranking]
        formula = _FORMULAS[result.ranking, result.formulas]
        omnibus = _OMNIBUS[result.ranking].replace("FORMULA", formula)
        omnibus = omnibus.replace("FORM", _FORMS[result.formulas])
    if "anova" in result.omnibus:
        omnibus += f"\n\n{_ANOVA}"
    yield Section("ranks", "Average ranks", ranks, _section("ranks", f"nbc.compare({call})"))
    yield Section("omnibus", "Is there any difference?", omnibus, _section("omnibus"))
    hypotheses = _PAIRS.get(result.pairs, _HYPOTHESES)
    yield Section("hypotheses", "Which algorithms differ?", hypotheses, _section("hypotheses"))
    text = _DIAGRAM_MATRIX if result.groups is None else _DIAGRAM
    text = text if result.control is None else _DIAGRAM_CONTROL
    diagram = "nbc.plots.overview(comparison)"
    yield Section("diagram", "Critical difference diagram", text, diagram)
    if result.control is not None:
        yield Section("bars", "Average ranks as bars", _BARS, "nbc.plots.rank_bars(comparison)")
    elif result.groups is not None:
        matrix = "nbc.plots.pvalue_matrix(comparison)"
        yield Section("matrix", "Matrix of p-values", _MATRIX, matrix)


def _beside(result: Comparison) -> Iterator[Section]:
    """Other views of the same data; these need complete ones."""
    if result.has_gaps:
        return
    missing = f", missing={result.missing!r}" if result.design.left_out else ""
    if len(result.average_ranks) == 2:
        first, second = result.design.algorithms
        call = (
            f"nbc.compare_pair(experiment, {first!r}, {second!r}, alpha={result.alpha!r}{missing})"
        )
        yield Section("pair", "The two algorithms by themselves", _PAIR, call)
    if result.control is not None and result.design.n_datasets <= _MOST_SIGNS:
        options = f"{result.control!r}, alpha={result.alpha!r}{missing}"
        call = f"nbc.multiple_sign_test(experiment, {options})"
        yield Section("signs", "Wins and losses against the control", _SIGNS, call)
    call = f"nbc.contrast_estimation(experiment{missing})"
    yield Section("contrast", "How large are the differences?", _CONTRAST, call)


def _section(name: str, made_by: str | None = None) -> str:
    made = f"comparison = {made_by}\n" if made_by else ""
    return f"{made}comparison.section({name!r})"
