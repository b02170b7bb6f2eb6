"""Chapters of a report on how fast optimisers converge."""

from __future__ import annotations

from collections.abc import Iterator
from typing import cast

import numpy as np

from nbcompare.histories import Histories
from nbcompare.report.notebook.plan import Chapter, Plan, Section
from nbcompare.results import ConvergenceComparison
from nbcompare.words import DIFFERENCES, TREND_NULLS

# Problems whose curves are shown
_MOST_CURVES = 6

_DATA = """The best value so far in every run, at regular points of the budget."""
_CURVES = "Medians over the runs, with their middle halves, on SOME of the problems."
_TESTS = r"""At $c$ regular cut-points of the budget an algorithm has the AGGREGATE of its runs. The
differences of two algorithms, DIFFERENCES, are ranked over the cut-points of each of the $n$
problems, and Page's

$$L = \sum_{i=1}^{n} \sum_{j=1}^{c} j\, r_{ij}$$

is large if the ranks rise, which they do if the first of the two converges faster."""
_BASIC_ALTERNATIVE = """Once an algorithm has reached the optimum only the other can improve, and
the basic ranks turn against it; the alternative ranks go on in its favour."""
_HEATMAP = "The same as a map: marked cells are significant."
_EVIDENCE = """The ranks behind the clearest cell: a row per problem, a column per cut-point, rising
to the right where the first algorithm converges faster."""
_STANDING = "How many others each algorithm is shown to beat, and how many beat it."


def histories(plan: Plan, chapter: Chapter) -> Iterator[Section]:
    """The logs, and curves of some problems."""
    yield chapter.begin("Histories", _DATA)
    problems = cast("Histories", plan.sources[chapter.variable].data).problems
    shown = list(problems[:: -(-len(problems) // _MOST_CURVES)])
    text = _CURVES.replace("SOME", "some" if len(shown) < len(problems) else "all")
    yield chapter.figure("convergence_curves", "Convergence curves", text, f", {shown!r}")


def convergence(plan: Plan, chapter: Chapter) -> Iterator[Section]:
    """Tests, figures, conclusions; see :func:`nbcompare.compare_convergence`."""
    result: ConvergenceComparison = plan.result(chapter.variable)
    yield chapter.begin("Convergence", code="")
    options = result.design.options
    tests = _TESTS.replace("AGGREGATE", options["aggregate"])
    tests = tests.replace("DIFFERENCES", DIFFERENCES[options["differences"]].explanation)
    text = f"{tests}\n\n{TREND_NULLS[result.null].explanation}"
    if len(result.versions) > 1:
        text += f"\n\n{_BASIC_ALTERNATIVE}"
    yield chapter.part("tests", "Which algorithm converges faster?", text)
    yield chapter.figure("trend_heatmap", "Map of the tests", _HEATMAP)
    yield chapter.part("standing", "Standing", _STANDING)
    pair = ", ".join(map(repr, _clearest(result)))
    yield chapter.figure("trend_ranks", "The evidence behind one cell", _EVIDENCE, f", {pair}")
    yield chapter.part("conclusions", "Conclusions on convergence")
    yield chapter.part("method", "How convergence was compared")


def _clearest(result: ConvergenceComparison) -> tuple[str, str]:
    """The pair with the least p of the last version."""
    p = result.pvalues(result.versions[-1])
    row, column = np.unravel_index(int(p.argmin()), p.shape)
    if row == column:  # all p are 1
        return result.algorithms[0], result.algorithms[1]
    return result.algorithms[int(row)], result.algorithms[int(column)]
