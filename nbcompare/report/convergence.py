"""Sections of a report on how fast optimisers converge."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from nbcompare.analysis import compare_convergence
from nbcompare.report.source import HistorySource, Section, keywords
from nbcompare.results import ConvergenceComparison

# Problems whose curves are shown
_MOST_CURVES = 6

_DATA = """The best value so far in every run, at regular points of the budget."""
_CURVES = """Medians over the runs, with their middle halves, on some of the problems."""
_TESTS = r"""At $c$ regular cut-points of the budget the runs of each algorithm are averaged. The
differences of two algorithms are ranked over the cut-points of each of the $n$ problems, and Page's

$$L = \sum_{i=1}^{n} \sum_{j=1}^{c} j\, r_{ij}$$

is large if the ranks rise, which they do if the algorithm of the row converges faster than that of
the column."""
_NULL = {
    "exchange": r"""Under the null hypothesis the two may be swapped on any problem, which turns its
ranks $r$ into $c + 1 - r$; all $2^n$ swaps are counted. That holds however the cut-points of a run
depend on each other.""",
    "page": """Under Page's null hypothesis all orders of the cut-points are equally likely. Those
of a run are not, so the p-values are too small.""",
}
_BASIC_ALTERNATIVE = """Once an algorithm has reached the optimum only the other can improve, and
the basic ranks turn against it; the alternative ranks go on in its favour."""
_HEATMAP = "The same as a map: marked cells are significant."
_EVIDENCE = """The ranks behind the clearest cell: a row per problem, a column per cut-point, rising
to the right where the first algorithm converges faster."""
_STANDING = "How many others each algorithm is shown to beat, and how many beat it."


def convergence_sections(source: HistorySource, options: Mapping[str, Any]) -> Iterator[Section]:
    """Data, tests, figures and conclusions; see :func:`nbcompare.compare_convergence`.

    The comparison is computed once here as well, so that a mistake in the options is
    reported before a kernel is asked.
    """
    result = compare_convergence(source.histories, **options)
    code = f"histories = {source.code}\nhistories"
    yield Section("histories", "Histories", _DATA, code)
    yield Section("curves", "Convergence curves", _CURVES, _curves(source.histories.problems))
    arguments = ", ".join(["histories", *keywords(options)])
    text = f"{_TESTS}\n\n{_NULL[result.null]}"
    if len(result.versions) > 1:
        text += f"\n\n{_BASIC_ALTERNATIVE}"
    code = f"convergence = nbc.compare_convergence({arguments})\nconvergence.section('tests')"
    yield Section("trend", "Which algorithm converges faster?", text, code)
    heatmap = "nbc.plots.trend_heatmap(convergence)"
    yield Section("heatmap", "Map of the tests", _HEATMAP, heatmap)
    yield Section("standing", "Standing", _STANDING, "convergence.section('standing')")
    yield Section("evidence", "The evidence behind one cell", _EVIDENCE, _evidence(result))
    for name, heading in (
        ("conclusions", "Conclusions on convergence"),
        ("method", "How convergence was compared"),
        ("references", "References on convergence"),
    ):
        yield Section(f"trend-{name}", heading, "", f"convergence.section({name!r})")


def _curves(problems: tuple[str, ...]) -> str:
    step = -(-len(problems) // _MOST_CURVES)
    return f"nbc.plots.convergence_curves(histories, {list(problems[::step])!r})"


def _evidence(result: ConvergenceComparison) -> str:
    """The pair with the least p of the last version."""
    p = result.pvalues(result.versions[-1])
    row, column = np.unravel_index(int(p.argmin()), p.shape)
    faster, slower = result.algorithms[int(row)], result.algorithms[int(column)]
    if row == column:  # all p are 1
        faster, slower = result.algorithms[:2]
    return f"nbc.plots.trend_ranks(convergence, {faster!r}, {slower!r})"
