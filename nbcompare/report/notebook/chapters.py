"""Chapters of a report: which sections each has, and the code of their cells.

A chapter is a function of a plan and of a :class:`Chapter`, which says what it is about; it yields
sections. Every analysis has text, a figure, tables, sentences and how it was computed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType
from typing import cast

import numpy as np

from nbcompare._render import markdown
from nbcompare.experiment import Experiment
from nbcompare.histories import Histories
from nbcompare.report.notebook import prose
from nbcompare.report.notebook.plan import Chapter, Plan, Section
from nbcompare.results import (
    Comparison,
    ConvergenceComparison,
    CrossValidation,
    CrossValidationComparison,
    Description,
    GroupedComparison,
    StochasticComparison,
)

# Tags by which the style sheet places the findings, their diagram and its legend
FINDINGS, BESIDE, LEGEND = "nbcompare-findings", "nbcompare-beside", "nbcompare-legend"
_MOST_CURVES = 6  # problems whose curves are shown
_MOST_IN_FOREST = 6  # algorithms whose differences are shown
_OF_PAIRS = ", 'pvalues', overall=False"


def _data(plan: Plan, chapter: Chapter) -> Iterator[Section]:
    result: Description = plan.result(chapter.variable)
    if "findings" in chapter.others:
        yield chapter.begin("Data", prose.data_text(result), chapter.of("conclusions"))
        yield chapter.bare("algorithms")
        yield chapter.bare("datasets", fold="Scores on each data set")
    else:
        yield chapter.begin("Data", prose.data_text(result))
    data = cast("Experiment", plan.sources[chapter.data].data)
    if result.compared:
        yield chapter.part("method", "How the runs of each data set were compared")
    if data.n_folds * data.n_runs > 1 or result.deviations is not None or data.notes:
        # else they are what the description shows on each data set
        yield chapter.below("scores", "Scores", "", chapter.data, (chapter.data,))


def _design(_plan: Plan, chapter: Chapter) -> Iterator[Section]:
    yield chapter.begin("Which tests suit the data?", prose.DESIGN)


def _conditions(_plan: Plan, chapter: Chapter) -> Iterator[Section]:
    yield chapter.begin("Conditions of parametric tests", prose.CONDITIONS)
    yield chapter.figure("histogram_qq", "Distribution of the scores", prose.HISTOGRAMS)


# ------------------------------------------------------------------------------------ ranks


def _findings(plan: Plan, chapter: Chapter) -> Iterator[Section]:
    """Show the answer, from the sensitivity analysis if that is of the same design."""
    answer = chapter.varied or chapter.variable
    code = f"{answer}.section('findings')"
    yield chapter.begin("Findings", code=code)._replace(needs=(answer,), tag=FINDINGS)
    yield chapter.figure("overview", "")._replace(tag=BESIDE)
    text = prose.diagram_text(plan.result(chapter.variable))
    yield Section(f"{chapter.name}-diagram", "", text, level=3, tag=LEGEND)


def _comparison(plan: Plan, chapter: Chapter) -> Iterator[Section]:
    result: Comparison = plan.result(chapter.variable)
    answered, detailed = "findings" in chapter.others, "appendix" in chapter.others
    yield chapter.begin("Which algorithms differ?", code=chapter.of("pairs"))
    if not answered:
        text = prose.diagram_text(result)
        yield chapter.figure("overview", "Critical difference diagram", text)
    if result.confidence is not None and len(result.average_ranks) <= _MOST_IN_FOREST:
        heading = "Differences of the pairs, with intervals"
        yield chapter.figure("interval_forest", heading, prose.differences_text(result))
    elif result.control is not None:
        yield chapter.figure("rank_bars", "Bar chart of the average ranks", prose.BARS)
    elif result.groups is not None:
        yield chapter.figure("pvalue_matrix", "Matrix of p-values", prose.MATRIX)
    if not detailed:
        yield from _details(result, chapter)


def _details(result: Comparison, chapter: Chapter) -> Iterator[Section]:
    """Show how the comparison was made, and its tables in full."""
    yield chapter.part("ranks", "Average ranks", prose.ranks_text(result))
    yield chapter.part("omnibus", "Is there any difference?", prose.omnibus_text(result))
    yield chapter.part("hypotheses", "All hypotheses", prose.hypotheses_text(result))
    yield from chapter.end()


def _methods(_plan: Plan, chapter: Chapter) -> Iterator[Section]:
    yield chapter.begin("Methods", prose.METHODS, chapter.of("methods"))


def _appendix(plan: Plan, chapter: Chapter) -> Iterator[Section]:
    result: Comparison = plan.result(chapter.variable)
    yield chapter.begin("Appendix", prose.APPENDIX, code="")
    yield from _details(result, chapter)


def _groups(plan: Plan, chapter: Chapter) -> Iterator[Section]:
    result: GroupedComparison = plan.result(chapter.variable)
    yield chapter.begin("Comparison within groups of data sets", code="")
    yield chapter.part("groups", "The groups", prose.GROUPS)
    yield chapter.part("ranks", "Average ranks by group")
    yield chapter.part("hypotheses", "Which algorithms differ in which group?")
    if all(one.groups is not None for one in result.groups.values()):
        text = prose.groups_text(result)
        yield chapter.figure("cd_diagrams", "Critical difference diagrams by group", text)
    yield chapter.part("conclusions", "Conclusions by group")
    yield chapter.part("method", "How the groups were compared")


def _sensitivity(_plan: Plan, chapter: Chapter) -> Iterator[Section]:
    heading = "Would another analysis say otherwise?"
    yield chapter.begin(heading, prose.SENSITIVITY, chapter.of("pairs"))
    yield chapter.figure("sensitivity", "", prose.SENSITIVITY_FIGURE)
    fold = prose.SENSITIVITY_FOLD
    yield chapter.bare("conclusions", fold=fold)
    yield chapter.part("designs", "Which procedures reject?")._replace(fold=fold)
    yield chapter.bare("tests", fold=fold)
    yield chapter.part("method", "How the designs were varied")._replace(fold=fold)


def _all_pairs(plan: Plan, chapter: Chapter) -> Iterator[Section]:
    """Yield only what the comparison does not show, if the two share their result."""
    result: Comparison = plan.result(chapter.variable)
    yield chapter.begin("All pairs of algorithms", code="")
    if not chapter.is_shared:
        hypotheses = prose.hypotheses_text(result)
        yield chapter.part("hypotheses", "Which pairs differ?", hypotheses)
        yield chapter.figure("pvalue_matrix", "The p-values of all pairs", prose.MATRIX)
    if not result.has_gaps and result.design.direction is not None:
        heading = "Differences, wins and p-values of all pairs"
        yield chapter.figure("comparison_matrix", heading, prose.ALL_PAIRS)
    if not chapter.is_shared:
        yield from chapter.end()


def _pair(_plan: Plan, chapter: Chapter) -> Iterator[Section]:
    yield chapter.begin("Pairwise test of the two algorithms", prose.PAIR)
    yield chapter.figure("pair_scatter", "Scores of the two algorithms", prose.SCATTER)
    yield chapter.part("method", "How the two algorithms were compared")


def _signs(_plan: Plan, chapter: Chapter) -> Iterator[Section]:
    yield chapter.begin("Wins and losses against the control", prose.SIGNS)
    yield chapter.part("method", "How wins and losses were tested")


def _contrast(_plan: Plan, chapter: Chapter) -> Iterator[Section]:
    yield chapter.begin("How large are the differences?", prose.CONTRAST)
    yield chapter.part("method", "How the differences were estimated")


def _rank_intervals(_plan: Plan, chapter: Chapter) -> Iterator[Section]:
    yield chapter.begin("How certain are the average ranks?", prose.RANK_INTERVALS)
    yield chapter.part("method", "How the data sets were resampled")


def _crossval(plan: Plan, chapter: Chapter) -> Iterator[Section]:
    result: CrossValidation | CrossValidationComparison = plan.result(chapter.variable)
    if isinstance(result, CrossValidation):
        yield chapter.begin("Cross-validation test of two algorithms", prose.FOLDS)
        yield chapter.part("method", "How the folds were used")
        return
    heading = "Comparison on one data set by cross-validation"
    yield chapter.begin(heading, code=chapter.of("conclusions"))
    yield chapter.part("means", "Means over the test sets", prose.test_sets_text(result))
    heading = "Which algorithms differ on this data set?"
    yield chapter.part("hypotheses", heading, prose.CORRECTED_T)
    heading = "Confidence intervals of the mean differences"
    yield chapter.figure("interval_forest", heading, prose.DIFFERENCES_OF_MEANS)
    yield chapter.part("method", "How the folds were used")


# --------------------------------------------------------------------- stochastic algorithms


def _stochastic(plan: Plan, chapter: Chapter) -> Iterator[Section]:
    result: StochasticComparison = plan.result(chapter.variable)
    has_diagram = result.groups is not None and result.open_groups is not None
    second = f"{prose.SECOND} {prose.SECOND_CONCLUSIONS}" if chapter.is_second else ""
    yield chapter.begin("Comparison by repeated runs", second, chapter.of("conclusions"))
    text = prose.outcome_diagram_text(result, drawn=has_diagram)
    yield chapter.figure("overview", "Diagram of the outcomes", text)
    if result.overall is not None:
        heading = "Which algorithms differ from the mean of all algorithms?"
        yield chapter.part("overall", heading, prose.OVERALL)
    heading = "Which algorithms differ, given the variation between runs?"
    yield chapter.part("hypotheses", heading, prose.outcomes_text(result))
    if result.procedure == "fuzzy":
        yield chapter.figure("membership", "Fuzzy p-values", prose.MEMBERSHIP)
    elif has_diagram:
        yield chapter.figure("interval_forest", "Interval p-values", prose.INTERVALS, _OF_PAIRS)
    yield from _boxes(plan, chapter, result)
    yield chapter.part("means", "Means over the runs", prose.runs_text(result))
    yield chapter.part("method", "How the runs were compared")


def _boxes(plan: Plan, chapter: Chapter, result: StochasticComparison) -> Iterator[Section]:
    """Show the best algorithm with several runs, where the blocks are folds of one data set."""
    data = plan.sources[chapter.data].data
    drawn = [name for name in result.ordered if name not in result.deterministic]
    if not isinstance(data, Experiment) or data.is_interval or result.blocks != "folds":
        return
    if drawn and data.n_runs > 1:
        text = prose.boxes_text(markdown.escape(drawn[0]))
        code = f"nbc.plots.fold_boxplots({chapter.data}, {drawn[0]!r})"
        yield chapter.below("fold-boxplots", "Runs in every fold", text, code, (chapter.data,))


# ------------------------------------------------------------------------------ convergence


def _histories(plan: Plan, chapter: Chapter) -> Iterator[Section]:
    yield chapter.begin("Histories of the runs", prose.HISTORIES)
    problems = cast("Histories", plan.sources[chapter.variable].data).problems
    shown = list(problems[:: -(-len(problems) // _MOST_CURVES)])
    text = prose.curves_text(all_problems=len(shown) == len(problems))
    yield chapter.figure("convergence_curves", "Convergence curves", text, f", {shown!r}")


def _convergence(plan: Plan, chapter: Chapter) -> Iterator[Section]:
    result: ConvergenceComparison = plan.result(chapter.variable)
    yield chapter.begin("Comparison of convergence", code=chapter.of("conclusions"))
    text = prose.trend_text(result)
    yield chapter.part(
        "standing", "Which algorithm is ahead at the end?", prose.standing_text(result)
    )
    yield chapter.part("tests", result.claim.which, text)
    yield chapter.figure("trend_heatmap", "Map of the p-values", prose.HEATMAP)
    pair = ", ".join(map(repr, _clearest(result)))
    heading = "Ranks behind the smallest p-value"
    yield chapter.figure("trend_ranks", heading, prose.EVIDENCE, f", {pair}")
    yield chapter.part("method", "How convergence was compared")


def _clearest(result: ConvergenceComparison) -> tuple[str, str]:
    """Return the pair with the smallest p of the last version."""
    p = result.pvalues(result.versions[-1])
    row, column = np.unravel_index(int(p.argmin()), p.shape)
    if row == column:  # all p are 1
        return result.algorithms[0], result.algorithms[1]
    return result.algorithms[int(row)], result.algorithms[int(column)]


# ------------------------------------------------------------------------------- literature


def _references(_plan: Plan, chapter: Chapter) -> Iterator[Section]:
    """Show the literature of all results; the page makes one list of what one cell shows."""
    results = tuple(chapter.all_results)
    if len(results) == 1:
        code = f"{results[0]}.section('references')"
    else:
        lists = "".join(f"    {name}.section('references'),\n" for name in results)
        code = f"from IPython.display import display\n\ndisplay(\n{lists})"
    if results:
        yield Section(chapter.name, "References", "", code, results)


# By the names that users write
CHAPTERS: Mapping[str, Callable[[Plan, Chapter], Iterator[Section]]] = MappingProxyType(
    {
        "findings": _findings,
        "data": _data,
        "design": _design,
        "conditions": _conditions,
        "comparison": _comparison,
        "methods": _methods,
        "appendix": _appendix,
        "groups": _groups,
        "sensitivity": _sensitivity,
        "all-pairs": _all_pairs,
        "pair": _pair,
        "signs": _signs,
        "contrast": _contrast,
        "rank-intervals": _rank_intervals,
        "stochastic": _stochastic,
        "histories": _histories,
        "convergence": _convergence,
        "cv": _crossval,
        "references": _references,
    }
)
