"""Build the notebook of an analysis: text that explains, cells that compute it again."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from nbcompare import plots
from nbcompare._render import markdown
from nbcompare._version import __version__
from nbcompare.analysis import compare
from nbcompare.datasets import load
from nbcompare.experiment import Experiment

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

_HYPOTHESES = r"""Two algorithms $u$ and $v$ are compared by the difference of their average ranks
over its standard error,

$$z = \frac{R_u - R_v}{SE},$$

negative where the first is better. The adjusted p-values take account of the number of hypotheses:
a hypothesis is rejected if its adjusted p-value is at most $\alpha$."""

_DIAGRAM = """Average ranks on an axis, best to the right. Thick bars join algorithms that were not
shown to differ from one another."""
_DIAGRAM_CONTROL = """Average ranks on an axis, best to the right. Filled marks differ from the
control, hollow ones are not shown to."""


@dataclass(frozen=True, slots=True)
class Source:
    """Where the scores come from: the experiment, and the Python that loads it again."""

    experiment: Experiment
    code: str
    name: str

    @classmethod
    def file(cls, path: Path, shown: str, options: Mapping[str, Any]) -> Source:
        """A file of scores; ``shown`` is its path as seen from the notebook."""
        arguments = ", ".join([repr(shown), *_keywords(options)])
        experiment = Experiment.read(path, **options)
        return cls(experiment, f"nbc.Experiment.read({arguments})", path.stem)

    @classmethod
    def example(cls, name: str) -> Source:
        """A bundled experiment."""
        return cls(load(name), f"nbc.datasets.load({name!r})", name)


def comparison_notebook(source: Source, options: Mapping[str, Any]) -> NotebookNode:
    """Build the notebook of a comparison; see :func:`nbcompare.compare` for the options.

    The comparison is computed once here as well, so that a mistake in the options is
    reported before a kernel is asked.
    """
    from nbformat import v4

    result = compare(source.experiment, **options)
    plots.cd_diagram(result)
    title = f"Comparison of algorithms on {source.name}"
    call = ", ".join(["experiment", *_keywords(options)])
    diagram = _DIAGRAM if result.control is None else _DIAGRAM_CONTROL
    formula = _FORMULAS[result.ranking, result.formulas]
    omnibus = _OMNIBUS[result.ranking].replace("FORMULA", formula)
    omnibus = omnibus.replace("FORM", _FORMS[result.formulas])
    sections = (
        ("data", "Data", "", f"experiment = {source.code}\nexperiment"),
        (
            "ranks",
            "Average ranks",
            _RANKS[result.ranking],
            _section("ranks", f"nbc.compare({call})"),
        ),
        ("omnibus", "Is there any difference?", omnibus, _section("omnibus")),
        ("hypotheses", "Which algorithms differ?", _HYPOTHESES, _section("hypotheses")),
        ("diagram", "Critical difference diagram", diagram, "nbc.plots.cd_diagram(comparison)"),
        ("conclusions", "Conclusions", "", _section("conclusions")),
        ("method", "How this was computed", "", _section("method")),
        ("references", "References", "", _section("references")),
    )
    cells = [
        v4.new_markdown_cell(f"# {markdown.escape(title)}", id="title"),
        v4.new_code_cell("import nbcompare as nbc", id="import"),
    ]
    for identity, heading, text, code in sections:
        prose = f"## {heading}\n\n{text}".rstrip()
        cells.append(v4.new_markdown_cell(prose, id=identity))
        cells.append(v4.new_code_cell(code, id=f"{identity}-code"))
    notebook = v4.new_notebook(cells=cells)
    notebook.metadata = {
        "kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"},
        "title": title,
        "nbcompare": {"version": __version__, "fingerprint": source.experiment.fingerprint},
    }
    return cast("NotebookNode", notebook)


def _section(name: str, made_by: str | None = None) -> str:
    made = f"comparison = {made_by}\n" if made_by else ""
    return f"{made}comparison.section({name!r})"


def _keywords(options: Mapping[str, Any]) -> list[str]:
    return [f"{name}={value!r}" for name, value in options.items()]
