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

_RANKS = r"""On every data set the algorithms are ranked, 1 for the best; tied algorithms share the
mean of their ranks. With $r_{ij}$ the rank of algorithm $j$ on data set $i$, of $n$, the average
rank of an algorithm is

$$R_j = \frac{1}{n} \sum_{i=1}^{n} r_{ij}.$$"""

_OMNIBUS = r"""If all $k$ algorithms perform alike, their average ranks differ by chance only.
Friedman's statistic FORM, and its $F$ form by Iman and Davenport, which is less conservative:

$$\chi^2_F = CHI2, \qquad F_F = \frac{(n-1)\,\chi^2_F}{n(k-1) - \chi^2_F}.$$"""
_OMNIBUS_FORMS = {
    "corrected": (
        "corrected for ties",
        r"\frac{(k-1)\, n^2 \sum_j \left(R_j - \frac{k+1}{2}\right)^2}"
        r"{\sum_{i,j} \left(r_{ij} - \frac{k+1}{2}\right)^2}",
    ),
    "printed": (
        "as printed in the papers, for ranks without ties",
        r"\frac{12 n}{k(k+1)} \left[\sum_j R_j^2 - \frac{k(k+1)^2}{4}\right]",
    ),
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
    form, formula = _OMNIBUS_FORMS[result.formulas]
    omnibus = _OMNIBUS.replace("FORM", form).replace("CHI2", formula)
    sections = (
        ("data", "Data", "", f"experiment = {source.code}\nexperiment"),
        ("ranks", "Average ranks", _RANKS, _section("ranks", f"nbc.compare({call})")),
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
