"""Gallery of figures: each one drawn at build by the three lines that stand below it.

The page ``gallery/index.md`` is written before Sphinx reads the sources: a thumbnail of every
figure, and a section with the figure at full size, its sentence from the reference, and its
lines. Figures are drawn for light and for dark pages.
"""

from __future__ import annotations

import ast
import inspect
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from built_files import PACKAGE, is_newer
from markup import heading, plain

import nbcompare as nbc
from nbcompare import plots
from nbcompare._render.rich import darkened

if TYPE_CHECKING:
    from sphinx.application import Sphinx


@dataclass(frozen=True)
class Entry:
    """A figure: the function that draws it, the question it answers, and three lines."""

    name: str
    question: str
    code: str

    def draw(self) -> plots.Plot:
        """Run the lines, and return what the last one gives."""
        *before, last = ast.parse(self.code).body
        assert isinstance(last, ast.Expr), f"the last line of {self.name} is no expression"
        names: dict[str, Any] = {"nbc": nbc}
        exec(compile(ast.Module(before, []), self.name, "exec"), names)
        drawn = eval(compile(ast.Expression(last.value), self.name, "eval"), names)
        assert isinstance(drawn, plots.Plot), f"the last line of {self.name} draws no figure"
        return drawn

    @property
    def summary(self) -> str:
        """First sentence of the function's docstring."""
        return inspect.getdoc(getattr(plots, self.name)).partition("\n\n")[0].replace("\n", " ")


_VARIANTS = 'experiment = nbc.datasets.load("demsar2006")'
_CLASSIFIERS = 'experiment = nbc.datasets.load("otero2013_auc")'
_RUNS = 'runs = nbc.datasets.load("stochastic_cv")'
_LOGS = 'histories = nbc.datasets.load("convergence_de")'
_PAIR = f'{_VARIANTS}\npair = nbc.compare_pair(experiment, "C4.5+m", "C4.5")'

GROUPS: dict[str, tuple[Entry, ...]] = {
    "Which algorithm is better?": (
        Entry(
            "cd_diagram",
            "Who is ahead, and between whom was no difference found?",
            f"{_CLASSIFIERS}\nresult = nbc.compare(experiment)\nnbc.plots.cd_diagram(result)",
        ),
        Entry(
            "cd_diagrams",
            "Is it the same in every domain?",
            f"{_CLASSIFIERS}\n"
            "domain = {name: name[:5] for name in experiment.datasets if name[:5] in "
            "('ecoli', 'glass')}\n"
            "nbc.plots.cd_diagrams(nbc.compare_by(experiment.select(datasets=domain), "
            "by=domain))",
        ),
        Entry(
            "rank_bars",
            "Which algorithms are beyond the critical difference from a control?",
            f'{_CLASSIFIERS}\nresult = nbc.compare(experiment, control="FURIA", '
            'adjust="bonferroni")\nnbc.plots.rank_bars(result)',
        ),
        Entry(
            "multi_comparison_matrix",
            "How large is each difference, how often is it won, how sure is it?",
            f"{_CLASSIFIERS}\nresult = nbc.compare(experiment)\n"
            "nbc.plots.multi_comparison_matrix(result)",
        ),
        Entry(
            "pvalue_matrix",
            "Which pairs differ significantly?",
            f"{_CLASSIFIERS}\nresult = nbc.compare(experiment)\nnbc.plots.pvalue_matrix(result)",
        ),
        Entry(
            "overview",
            "Which figure suits this result best?",
            f"{_VARIANTS}\nresult = nbc.compare(experiment)\nnbc.plots.overview(result)",
        ),
        Entry(
            "sensitivity",
            "Would another test, or a data set less, have said otherwise?",
            f"{_VARIANTS}\nresult = nbc.sensitivity(experiment)\nnbc.plots.sensitivity(result)",
        ),
    ),
    "How large is the difference?": (
        Entry(
            "contrast_matrix",
            "By how much do medians differ, consistently over all pairs?",
            f"{_CLASSIFIERS}\nresult = nbc.contrast_estimation(experiment)\n"
            "nbc.plots.contrast_matrix(result)",
        ),
        Entry(
            "pair_scatter",
            "On which data sets is one of two algorithms better?",
            f"{_PAIR}\nnbc.plots.pair_scatter(pair)",
        ),
        Entry(
            "posterior_matrix",
            "How probable is it that one is better, or that two are equivalent?",
            f"{_VARIANTS}\nresult = nbc.compare_bayesian(experiment, rope=0.01)\n"
            "nbc.plots.posterior_matrix(result)",
        ),
        Entry(
            "posterior_simplex",
            "What is the posterior distribution of one pair?",
            f"{_VARIANTS}\nresult = nbc.compare_bayesian(experiment, rope=0.01)\n"
            'nbc.plots.posterior_simplex(result, "C4.5+m+cf", "C4.5")',
        ),
    ),
    "What do the scores look like?": (
        Entry(
            "measure_heatmap",
            "Which algorithm is best by which measure?",
            f'{_VARIANTS}\nranks = nbc.datasets.load("demsar2006_ranks")\n'
            'nbc.plots.measure_heatmap({"AUC": nbc.compare(experiment), '
            '"rank": nbc.compare(ranks)})',
        ),
        Entry(
            "rank_heatmap",
            "Which algorithm has which rank on which data set?",
            f"{_VARIANTS}\nresult = nbc.describe(experiment)\nnbc.plots.rank_heatmap(result)",
        ),
        Entry(
            "performance_profiles",
            "How often is an algorithm close to the best?",
            f"{_CLASSIFIERS}\nresult = nbc.describe(experiment)\n"
            "nbc.plots.performance_profiles(result)",
        ),
    ),
    "What if there are several runs?": (
        Entry(
            "outcome_diagram",
            "Which algorithms differ, may differ, or do not differ?",
            f"{_RUNS}\nresult = nbc.compare_stochastic(runs)\nnbc.plots.outcome_diagram(result)",
        ),
        Entry(
            "interval_forest",
            "Between which values can means or p-values lie?",
            f"{_RUNS}\nresult = nbc.compare_stochastic(runs)\nnbc.plots.interval_forest(result)",
        ),
        Entry(
            "membership",
            "How fuzzy is a p-value?",
            f'{_RUNS}.select(datasets=["wine"])\n'
            'result = nbc.compare_stochastic(runs, procedure="fuzzy", control="neural network")\n'
            "nbc.plots.membership(result)",
        ),
        Entry(
            "interval_estimates",
            "How good is a typical run?",
            f"{_RUNS}\nresult = nbc.aggregate_runs(runs)\nnbc.plots.interval_estimates(result)",
        ),
        Entry(
            "improvement_matrix",
            "How often is a run of one better than a run of another?",
            f"{_RUNS}\nresult = nbc.aggregate_runs(runs)\nnbc.plots.improvement_matrix(result)",
        ),
    ),
    "Which optimiser converges faster?": (
        Entry(
            "convergence_curves",
            "How do values fall with the number of evaluations?",
            f'{_LOGS}\nnames = ["jDE", "DE/rand/1/bin", "random search"]\n'
            "nbc.plots.convergence_curves(histories, histories.problems[0], algorithms=names)",
        ),
        Entry(
            "trend_heatmap",
            "Who converges faster than whom?",
            f"{_LOGS}\nresult = nbc.compare_convergence(histories, optimum_tolerance=1e-8)\n"
            "nbc.plots.trend_heatmap(result)",
        ),
        Entry(
            "runtime_distribution",
            "Which share of targets is reached by how many evaluations?",
            f"{_LOGS}\nresult = nbc.fixed_targets(histories)\n"
            "nbc.plots.runtime_distribution(result)",
        ),
    ),
    "How many data sets are needed?": (
        Entry(
            "planning_curve",
            "How does power grow with the number of data sets?",
            f'{_VARIANTS}\nplan = nbc.plan(experiment, control="C4.5", largest=100)\n'
            "nbc.plots.planning_curve(plan)",
        ),
        Entry(
            "power_curves",
            "Which design finds a known difference, and which is misled?",
            "model = nbc.study.BinomialErrors(n_datasets=10, n_runs=3)\n"
            "result = nbc.study.run(model, nbc.study.PAPER_2013[:3], effects=[0, 0.05, 0.1], "
            "repetitions=20)\n"
            "nbc.plots.power_curves(result)",
        ),
    ),
}
ENTRIES = tuple(entry for group in GROUPS.values() for entry in group)

_TOP = """# Gallery

Every figure of {mod}`nbcompare.plots`, by the question that it answers. Each is drawn by the three
lines below it, after `import nbcompare as nbc`. Figures take a result and compute nothing
themselves; {func}`nbcompare.plots.save` writes them as PDF, SVG, PGF or PNG.

"""
_FIGURES = "_figures"


def _pictures(entry: Entry, alt: str) -> Iterator[str]:
    """Yield the images of a figure in Markdown, one for light pages and one for dark ones."""
    for theme in ("light", "dark"):
        yield f"![{plain(alt)}]({_FIGURES}/{entry.name}-{theme}.svg){{.only-{theme}}}"


def _thumbnails(entries: tuple[Entry, ...]) -> Iterator[str]:
    """Yield a grid of small figures, each with its question, which lead to the sections."""
    yield "::::{container} gallery-grid"
    for entry in entries:
        yield f":::{{container}} gallery-item\n[{' '.join(_pictures(entry, ''))} "
        yield f"{entry.question}](#{_anchor(entry)})\n:::"
    yield "::::\n"


def _anchor(entry: Entry) -> str:
    return f"gallery-{entry.name.replace('_', '-')}"


def _section(entry: Entry, alt: str) -> Iterator[str]:
    yield f"{heading(_anchor(entry), entry.question, level=3)}\n"
    yield f"{{func}}`~nbcompare.plots.{entry.name}`: {entry.summary}\n"
    yield f"```python\n{entry.code}\n```\n"
    yield " ".join(_pictures(entry, alt)) + "\n"


def page(alts: dict[str, str]) -> str:
    """Return the source of the page, given the alternative text of each figure."""
    lines = [_TOP]
    for title, entries in GROUPS.items():
        lines += [f"**{title}**\n", *_thumbnails(entries)]
    for title, entries in GROUPS.items():
        lines.append(f"## {title}\n")
        for entry in entries:
            lines += _section(entry, alts[entry.name])
    return "\n".join(lines)


def write(app: Sphinx) -> None:
    """Draw the figures and write the page, unless they are newer than the package."""
    folder = Path(app.srcdir) / "gallery"
    index = folder / "index.md"
    if is_newer(index, PACKAGE, Path(__file__)):
        return
    figures = folder / _FIGURES
    figures.mkdir(parents=True, exist_ok=True)
    alts = {}
    for entry in ENTRIES:
        drawn = entry.draw()
        light = drawn.drawing()
        (figures / f"{entry.name}-light.svg").write_text(light, encoding="utf-8")
        (figures / f"{entry.name}-dark.svg").write_text(darkened(light), encoding="utf-8")
        alts[entry.name] = drawn.alt
    index.write_text(page(alts), encoding="utf-8")


def setup(app: Sphinx) -> dict[str, Any]:
    """Write the page before the sources are read."""
    app.connect("builder-inited", write)
    app.add_css_file("gallery.css")
    return {"parallel_read_safe": True}
