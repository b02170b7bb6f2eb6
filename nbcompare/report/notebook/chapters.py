"""Chapters of a report: which sections each has, and the code of their cells.

A chapter is a function of a plan and of a :class:`Chapter`, which says what it is about; it yields
sections. Every analysis has text, a figure, tables, sentences and how it was computed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Any, cast

import numpy as np

from nbcompare._commands import analysis_of
from nbcompare._render import MOST_ROWS, markdown
from nbcompare.experiment import Experiment
from nbcompare.histories import Histories
from nbcompare.report.notebook import prose
from nbcompare.report.notebook.plan import Chapter, Plan, Section
from nbcompare.report.notebook.standard import ANSWERS
from nbcompare.report.notebook.synthesis import other_leader, relation, within_groups
from nbcompare.results import (
    BayesianComparison,
    Comparison,
    ConvergenceComparison,
    CrossValidation,
    CrossValidationComparison,
    Description,
    FixedTargets,
    GroupedComparison,
    ItemComparison,
    Recommendation,
    RunAggregates,
    RunComparison,
    StochasticComparison,
    WithinComparison,
)

# Tags by which the style sheet places the findings, their diagram and its legend
FINDINGS, BESIDE, LEGEND = "nbcompare-findings", "nbcompare-beside", "nbcompare-legend"
MORE = "nbcompare-more"  # findings of further analyses, below these
# Algorithms whose diagram, or whose matrix, can be read beside the findings
_MOST_BESIDE, _MOST_IN_MATRIX = 12, 5
_MATRICES = ("convergence", "bayesian")  # whose figure is a matrix
_MOST_CURVES = 6  # problems whose curves are shown
_MOST_MAPPED, _MOST_CELLS = 40, 320  # data sets and cells of a map of ranks
_MOST_FITTED = 3  # algorithms whose distributions are shown
# Algorithms whose differences are shown: of all pairs, and from the best alone
_MOST_IN_FOREST, _MOST_FROM_BEST = 6, 31
_OF_PAIRS = ", 'pvalues', overall=False"


def _data(plan: Plan, chapter: Chapter) -> Iterator[Section]:
    result: Description = plan.result(chapter.variable)
    data = cast("Experiment", plan.sources[chapter.data].data)
    read = prose.reading_text(data)
    if not chapter.is_answered:
        yield chapter.begin("Data", " ".join(filter(None, [read, prose.data_text(result)])))
    else:
        yield chapter.begin("Data", read, chapter.of("algorithms"))
        if "comparison" in chapter.others and _ranks_are_readable(result):
            yield chapter.figure("rank_heatmap", "", prose.RANK_HEATMAP)
    if not chapter.is_brief:
        if chapter.is_answered:
            yield chapter.bare("datasets", fold="Scores on each data set")
            if result.notes:
                yield chapter.bare("notes")
        if result.compared:
            yield chapter.part("method", "How the runs of each data set were compared")
        if data.n_folds * data.n_runs > 1 or result.deviations is not None or data.notes:
            # else they are what the description shows on each data set
            yield chapter.below("scores", "Scores", "", chapter.data, (chapter.data,))


def _ranks_are_readable(result: Description) -> bool:
    """Whether a map of the ranks has numbers and fits on a page, and is drawn within a second."""
    n, k = result.scores.shape
    return result.ranks is not None and k > 1 and n <= _MOST_MAPPED and n * k <= _MOST_CELLS


def _design(plan: Plan, chapter: Chapter) -> Iterator[Section]:
    result: Recommendation = plan.result(chapter.variable)
    # not the whole result, which ends with Python
    yield chapter.begin("Which tests suit the data?", prose.DESIGN, chapter.of("choices"))
    yield chapter.bare("reasons")
    if result.questions:
        yield chapter.bare("questions")
    yield chapter.bare("notes")


def _questions(_plan: Plan, chapter: Chapter) -> Iterator[Section]:
    yield chapter.begin("Which questions can the histories answer?", "", chapter.of("questions"))


def _conditions(plan: Plan, chapter: Chapter) -> Iterator[Section]:
    yield chapter.begin("Conditions of parametric tests", prose.CONDITIONS)
    many = len(plan.result(chapter.variable).design.algorithms) > _MOST_FITTED
    some = f", worst={_MOST_FITTED}" if many else ""
    text = prose.HISTOGRAMS if many else ""
    yield chapter.figure("histogram_qq", "Distribution of the scores", text, more=some)


# ---------------------------------------------------------------- findings, methods, appendix


def _findings(plan: Plan, chapter: Chapter) -> Iterator[Section]:
    """Show the answers, the primary one with its figure beside it.

    A comparison is answered by the sensitivity analysis, if there is one of the same design.
    """
    main, *more = chapter.answers
    first = main.varied or main.variable
    about = replace(chapter, label=chapter.label or main.label) if more else chapter
    yield about.begin("Findings", code=f"{first}.section('findings')")._replace(
        needs=(first,), tag=FINDINGS
    )
    result = plan.result(main.variable)
    figure = analysis_of(result).figure_of(result)
    if figure:
        text = _LEGENDS[main.kind](result) if main.kind in _LEGENDS else ""
        most = _MOST_IN_MATRIX if main.kind in _MATRICES else _MOST_BESIDE
        is_small = len(result.design.algorithms) <= most
        room = _NARROW.get(figure, "") if is_small else ""
        tags = (BESIDE, LEGEND) if is_small else ("", "")
        yield chapter.of_answer(main).figure(figure, "", more=room)._replace(tag=tags[0])
        if text:
            yield Section(f"{chapter.name}-diagram", "", text, level=3, tag=tags[1])
    if chapter.beside and (text := other_leader(result, plan.result(chapter.beside))):
        yield Section(f"{chapter.name}-beside", "", text, level=3, tag=MORE)
    for other in more:
        text = ""
        if other.kind in ANSWERS:  # others need not be computed yet
            text = relation(main.kind, result, other.kind, plan.result(other.variable))
        title = f"{_TITLES[other.kind]} ({other.label})" if other.label else _TITLES[other.kind]
        code = f"{other.varied or other.variable}.section('findings')"
        needs = (other.varied or other.variable,)
        yield Section(f"{chapter.name}-{other.kind}", title, text, code, needs, level=3, tag=MORE)


def _methods(_plan: Plan, chapter: Chapter) -> Iterator[Section]:
    """Show a paragraph on each analysis; the numbers of the references go on."""
    text = " ".join([prose.METHODS, *chapter.picked])
    before: list[str] = []
    told = {answer.varied for answer in chapter.answers}
    for answer in chapter.answers:
        if answer.variable in told:  # with what it varies
            continue
        variable = answer.varied or answer.variable
        after = f", after=[{', '.join(before)}]" if before else ""
        code = f"{variable}.section('methods'{after})"
        needs = (*before, variable)
        if not before:
            yield chapter.begin("Methods", text, code=code)._replace(needs=needs)
        else:
            yield Section(f"{chapter.name}-{answer.kind}", "", "", code, needs, level=3)
        before.append(variable)


def measures(
    plan: Plan, name: str, subjects: Mapping[str, tuple[str, Experiment | None]]
) -> Section:
    """Give an overview of several measures.

    ``subjects`` has by measure the variable of its comparison, if all have one, and the data.
    """
    data = {label: each for label, (_, each) in subjects.items() if each is not None}
    text = prose.measures_text(data)
    variables = {label: variable for label, (variable, _) in subjects.items()}
    if not all(variables.values()):
        return Section(name, "Measures", text)
    results = {label: plan.result(variable) for label, variable in variables.items()}
    items = ", ".join(f"{label!r}: {variable}" for label, variable in variables.items())
    code = f"nbc.plots.measure_heatmap({{{items}}}, title=False)"
    text = f"{text}\n\n{prose.measures_table(results)}"
    return Section(name, "Measures", text, code, tuple(variables.values()))


def same_methods(first: Comparison, other: Comparison) -> bool:
    """Whether a paragraph on the methods of one measure holds for another one."""
    texts = set()
    for result in (first, other):
        text = " ".join(str(result.section("methods")).split())
        about = f"{result.design.measure or 'scores'} ({result.design.better})"
        texts.add(text.replace(about, ""))
    return len(texts) == 1


def _appendix(plan: Plan, chapter: Chapter) -> Iterator[Section]:
    yield chapter.begin("Appendix", prose.APPENDIX, code="")
    for place, answer in enumerate(chapter.answers):
        result = plan.result(answer.variable)
        about = replace(chapter.of_answer(answer), is_second=place > 0)
        for part in _DETAILS[answer.kind](result, about):
            label = f" ({answer.label})" if answer.label and part.heading else ""
            yield part._replace(heading=f"{part.heading}{label}")


# ------------------------------------------------------------------------------------ ranks


def _comparison(plan: Plan, chapter: Chapter) -> Iterator[Section]:
    result: Comparison = plan.result(chapter.variable)
    yield chapter.begin("Which algorithms differ?", code=chapter.of("pairs"))
    if not chapter.is_answered:
        text = prose.diagram_text(result)
        yield chapter.figure("overview", "Critical difference diagram", text)
    k, of_best = len(result.average_ranks), ""
    if chapter.is_brief and (chapter.label or k > _MOST_FROM_BEST):
        return  # one of several measures, with a page each; or more than a figure can show
    if k > _MOST_IN_FOREST and result.control is None and chapter.is_brief:
        of_best = f", 'differences', {result.ordered[0]!r}"
    if result.confidence is not None and (k <= _MOST_IN_FOREST or of_best):
        heading = "Differences of the pairs, with intervals"
        if of_best:
            heading = "Differences from the best, with intervals"
        text = prose.differences_text(result, answered=chapter.is_answered)
        yield chapter.figure("interval_forest", heading, text, more=of_best)
    elif result.control is not None:
        yield chapter.figure("rank_bars", "Bar chart of the average ranks", prose.BARS)
    elif result.groups is not None:
        yield chapter.figure("pvalue_matrix", "Matrix of p-values", prose.MATRIX)
    if not chapter.is_answered:
        yield from _details_of_comparison(result, chapter)


def _details_of_comparison(result: Comparison, chapter: Chapter) -> Iterator[Section]:
    """Show how the comparison was made, and its tables in full."""
    yield chapter.part("ranks", "Average ranks", prose.ranks_text(result))
    if result.omnibus:
        yield chapter.part("omnibus", "Is there any difference?", prose.omnibus_text(result))
    yield chapter.part("hypotheses", "All hypotheses", prose.hypotheses_text(result))
    yield from chapter.end(result)


def _groups(plan: Plan, chapter: Chapter) -> Iterator[Section]:
    result: GroupedComparison = plan.result(chapter.variable)
    told = [*within_groups(plan.result(chapter.beside), result)] if chapter.beside else []
    yield chapter.begin("Comparison within groups of data sets", " ".join(told), code="")
    if not chapter.is_brief:
        yield chapter.part("groups", "The groups", prose.GROUPS)
        yield chapter.part("ranks", "Average ranks by group")
    yield chapter.part("hypotheses", "Which algorithms differ in which group?")
    if all(one.groups is not None for one in result.groups.values()):
        text = prose.groups_text(result)
        yield chapter.figure("cd_diagrams", "Critical difference diagrams by group", text)
    if not chapter.is_answered:
        yield from chapter.notes(result, "Notes on the groups")
        yield chapter.part("method", "How the groups were compared")


def _sensitivity(_plan: Plan, chapter: Chapter) -> Iterator[Section]:
    yield chapter.begin("How firm is this?", prose.SENSITIVITY, code="")
    yield chapter.figure("sensitivity", "", prose.SENSITIVITY_FIGURE)
    if chapter.is_brief:
        return
    yield chapter.bare("pairs")
    fold = prose.SENSITIVITY_FOLD
    yield chapter.part("designs", "Which procedures reject?")._replace(fold=fold)
    yield chapter.bare("tests", fold=fold)
    yield chapter.part("method", "How the designs were varied")._replace(fold=fold)


def _planning(_plan: Plan, chapter: Chapter) -> Iterator[Section]:
    # whose result is not needed here: it takes a while, and is computed when the report is made
    heading = "How large should the next experiment be?"
    shown = "pairs" if chapter.is_answered else "findings"
    yield chapter.begin(heading, prose.PLAN, chapter.of(shown))
    if chapter.is_second or not chapter.is_answered:
        yield chapter.figure("planning_curve", "Power by size of the experiment", prose.PLAN_FIGURE)
    if not chapter.is_answered:
        yield chapter.bare("pairs")
    if chapter.is_brief:
        return
    for part in (chapter.part("sizes", "Simulated power"), *_details_of_plan(None, chapter)):
        yield part._replace(fold=prose.PLAN_FOLD)


def _details_of_plan(_result: object, chapter: Chapter) -> Iterator[Section]:
    yield chapter.part("method", "How experiments were simulated")


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
        text = prose.ALL_PAIRS_BY_WINS if result.several_scales else prose.ALL_PAIRS
        yield chapter.figure("multi_comparison_matrix", heading, text)
    if not chapter.is_shared:
        yield from chapter.end(result)


def _pair(_plan: Plan, chapter: Chapter) -> Iterator[Section]:
    yield chapter.begin("Pairwise test of the two algorithms", prose.PAIR)
    yield chapter.figure("pair_scatter", "Scores of the two algorithms", prose.SCATTER)
    if not chapter.is_brief:
        yield chapter.part("method", "How the two algorithms were compared")


def _signs(_plan: Plan, chapter: Chapter) -> Iterator[Section]:
    yield chapter.begin("Wins and losses against the control", prose.SIGNS)
    yield chapter.part("method", "How wins and losses were tested")


def _contrast(_plan: Plan, chapter: Chapter) -> Iterator[Section]:
    yield chapter.begin("How large are the differences?", prose.CONTRAST)
    yield chapter.part("method", "How the differences were estimated")


def _rank_intervals(_plan: Plan, chapter: Chapter) -> Iterator[Section]:
    yield chapter.begin("How certain are the average ranks?", prose.RANK_INTERVALS)
    yield chapter.part("method", "How the intervals were computed")


def _within(plan: Plan, chapter: Chapter) -> Iterator[Section]:
    result: CrossValidation | WithinComparison = plan.result(chapter.variable)
    extent = ""
    if isinstance(result, WithinComparison):
        data = cast("Experiment", plan.sources[chapter.data].data)
        read = "" if isinstance(result, CrossValidationComparison) else prose.reading_text(data)
        extent = " ".join(filter(None, [read, prose.extent_text(result)]))
    if isinstance(result, CrossValidation):
        title = "Cross-validation test of two algorithms"
        if chapter.is_answered:
            yield chapter.begin(title, prose.FOLDS, chapter.of("test"))
        else:
            yield chapter.begin(title, prose.FOLDS)
    elif chapter.is_answered:
        heading = f"Which algorithms differ on {_place(result)}?"
        yield chapter.begin(heading, extent, code=chapter.of("pairs"))
        yield from _means(result, chapter)
    else:
        heading = f"Comparison on {_place(result)}"
        yield chapter.begin(heading, code=chapter.of("findings"))
        yield from _means(result, chapter, extent)
        yield chapter.part("hypotheses", f"Which algorithms differ on {_place(result)}?")
        heading = "Confidence intervals of the mean differences"
        yield chapter.figure("interval_forest", heading, prose.DIFFERENCES_OF_MEANS)
    if not chapter.is_answered:
        yield from _details_within(result, chapter)


_TEXTS_WITHIN: Mapping[type, str] = MappingProxyType(
    {
        CrossValidationComparison: prose.CORRECTED_T,
        ItemComparison: prose.ITEMS,
        RunComparison: prose.RUNS,
    }
)


def _place(result: WithinComparison) -> str:
    if isinstance(result, ItemComparison):
        return "these benchmarks" if result.each else "this benchmark"
    return "this data set"


def _means(result: WithinComparison, chapter: Chapter, text: str = "") -> Iterator[Section]:
    if isinstance(result, ItemComparison) and result.each:
        yield chapter.part("benchmarks", "Each benchmark", text)
        text = ""
    yield chapter.part("means", "Means", text)


def _details_within(
    result: CrossValidation | WithinComparison, chapter: Chapter
) -> Iterator[Section]:
    if isinstance(result, WithinComparison):
        heading = f"How the algorithms were tested on {_place(result)}"
        text = _TEXTS_WITHIN[type(result)]
        in_appendix = chapter.is_detailed or chapter.name.startswith("appendix")
        if in_appendix and len(result.hypotheses) > MOST_ROWS:  # else the answer has all of them
            yield chapter.part("hypotheses", heading, text)
        else:
            yield Section(f"{chapter.name}-test", heading, text, level=3)
        if isinstance(result, ItemComparison) and result.each:
            yield chapter.part("benchmark-pairs", "Which algorithms differ on each benchmark?")
    yield from chapter.notes(result, "Notes on these data")
    yield chapter.part("method", "How the scores were used")


def _bayesian(plan: Plan, chapter: Chapter) -> Iterator[Section]:
    result: BayesianComparison = plan.result(chapter.variable)
    heading = "How probable is it that an algorithm is better?"
    text = prose.bayesian_text(result, second=chapter.is_second)
    shown = chapter.of("pairs" if chapter.is_answered else "findings")
    yield chapter.begin(heading, text, shown)
    if chapter.is_second or not chapter.is_answered:
        title = "Probabilities of the pairs"
        yield chapter.figure("posterior_matrix", title, prose.posterior_text(result))
    if not chapter.is_answered:
        yield chapter.bare("pairs")
        yield from _details_of_bayesian(result, chapter)


def _details_of_bayesian(result: BayesianComparison, chapter: Chapter) -> Iterator[Section]:
    title = "How the probabilities are computed"
    yield chapter.part("method", title, prose.bayesian_method_text(result))


# --------------------------------------------------------------------- stochastic algorithms


def _stochastic(plan: Plan, chapter: Chapter) -> Iterator[Section]:
    result: StochasticComparison = plan.result(chapter.variable)
    if chapter.is_answered:
        heading = "Which algorithms differ?"
        if chapter.is_second:
            heading = "Which algorithms differ, given the variation between runs?"
        yield chapter.begin(heading, code=chapter.of("pairs"))
    else:
        text = f"{prose.SECOND} {prose.SECOND_CONCLUSIONS}" if chapter.is_second else ""
        yield chapter.begin("Comparison by repeated runs", text, chapter.of("findings"))
    if not chapter.is_answered or chapter.is_second:
        text = prose.outcome_diagram_text(result)
        yield chapter.figure("overview", "Diagram of the outcomes", text)
    if not (chapter.is_second and chapter.is_answered):
        yield from _pvalues(result, chapter)
    if not chapter.is_brief:
        yield from _boxes(plan, chapter, result)
    if not chapter.is_answered:
        yield from _details_of_stochastic(result, chapter)


def _pvalues(result: StochasticComparison, chapter: Chapter) -> Iterator[Section]:
    """Show the p-values, where these are not the figure that sums up the comparison."""
    if result.procedure == "fuzzy":
        yield chapter.figure("membership", "Fuzzy p-values", prose.MEMBERSHIP)
    elif prose.has_diagram(result):
        yield chapter.figure("interval_forest", "Interval p-values", prose.INTERVALS, _OF_PAIRS)


def _details_of_stochastic(result: StochasticComparison, chapter: Chapter) -> Iterator[Section]:
    """Show how the runs were compared, and the tables in full."""
    yield chapter.part("means", "Means over the runs", prose.runs_text(result))
    if result.overall is not None:
        heading = "Which algorithms differ from the mean of all algorithms?"
        yield chapter.part("overall", heading, prose.OVERALL)
    heading = "All hypotheses, given the variation between runs"
    yield chapter.part("hypotheses", heading, prose.outcomes_text(result))
    if chapter.is_second and chapter.is_detailed:
        yield from _pvalues(result, chapter)
    yield from chapter.notes(result, "Notes on repeated runs")
    yield chapter.part("method", "How the runs were compared")


def _aggregates(plan: Plan, chapter: Chapter) -> Iterator[Section]:
    result: RunAggregates = plan.result(chapter.variable)
    heading = "How large are typical scores, and how often is a run better?"
    shown = "" if chapter.is_answered else chapter.of("findings")
    yield chapter.begin(heading, prose.AGGREGATES, shown)
    if not result.withheld and (chapter.is_second or not chapter.is_answered):
        yield chapter.figure("interval_estimates", "Typical scores", prose.INTERVAL_ESTIMATES)
    if not chapter.is_brief:
        if not result.withheld:
            yield chapter.bare("aggregates")
            yield chapter.figure("performance_profiles", "Performance profiles", prose.PROFILES)
        yield chapter.bare("improvement", fold=prose.ALL_PROBABILITIES)
    yield chapter.figure("improvement_matrix", "Probabilities of improvement", prose.IMPROVEMENT)
    if not chapter.is_answered:
        yield from _details_of_aggregates(result, chapter)


def _details_of_aggregates(result: RunAggregates, chapter: Chapter) -> Iterator[Section]:
    yield from chapter.notes(result, "Notes on the aggregates")
    yield chapter.part("method", "How the runs were aggregated")


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
    data = cast("Histories", plan.sources[chapter.variable].data)
    problems, texts = data.problems, (prose.reading_text(data), prose.HISTORIES)
    shown_in_full = None if not chapter.is_brief else ""
    yield chapter.begin("Histories of the runs", "\n\n".join(filter(None, texts)), shown_in_full)
    shown = list(problems[:: -(-len(problems) // _MOST_CURVES)])
    text = prose.curves_text(all_problems=len(shown) == len(problems))
    yield chapter.figure("convergence_curves", "Convergence curves", text, f", {shown!r}")


def _convergence(plan: Plan, chapter: Chapter) -> Iterator[Section]:
    result: ConvergenceComparison = plan.result(chapter.variable)
    standing, heading = prose.standing_text(result), "Which algorithm is ahead at the end?"
    if chapter.is_answered:
        yield chapter.begin(heading, standing, chapter.of("standing"))
        if not chapter.is_brief:  # else the map has their p-values
            yield chapter.part("tests", result.claim.which)
    else:
        yield chapter.begin("Comparison of convergence", code=chapter.of("findings"))
        yield chapter.part("standing", heading, standing)
        yield chapter.part("tests", result.claim.which, prose.trend_text(result))
    if not chapter.is_answered or chapter.is_second:
        yield chapter.figure("trend_heatmap", "Map of the p-values", prose.HEATMAP)
    if not chapter.is_answered:
        yield from _details_of_convergence(result, chapter)


def _details_of_convergence(result: ConvergenceComparison, chapter: Chapter) -> Iterator[Section]:
    """Show how the trends were tested."""
    pair = ", ".join(map(repr, _clearest(result)))
    heading = "Ranks behind the smallest p-value"
    if chapter.is_answered:
        title = "How trends are tested"
        yield Section(f"{chapter.name}-trends", title, prose.trend_text(result), level=3)
    yield chapter.figure("trend_ranks", heading, prose.EVIDENCE, f", {pair}")
    yield from chapter.notes(result, "Notes on convergence")
    yield chapter.part("method", "How convergence was compared")


def _clearest(result: ConvergenceComparison) -> tuple[str, str]:
    """Return the pair with the smallest p of the last version."""
    p = result.pvalues(result.versions[-1])
    row, column = np.unravel_index(int(p.argmin()), p.shape)
    if row == column:  # all p are 1
        return result.algorithms[0], result.algorithms[1]
    return result.algorithms[int(row)], result.algorithms[int(column)]


def _targets(plan: Plan, chapter: Chapter) -> Iterator[Section]:
    result: FixedTargets = plan.result(chapter.variable)
    is_answer = chapter.is_answered and not {*ANSWERS} & chapter.others
    heading = "How long does it take to reach targets?"
    text = prose.targets_text(result, beside="convergence" in chapter.others)
    if is_answer or chapter.is_brief:
        yield chapter.begin(heading, text, chapter.of("standing"))
    else:
        yield chapter.begin(heading, text, chapter.of("findings"))
    if not is_answer:
        yield chapter.figure("runtime_distribution", "Runtime distribution", prose.DISTRIBUTION)
        if not chapter.is_brief:
            yield chapter.bare("standing")
    if not chapter.is_brief:
        yield chapter.part("ert", "Expected running times", prose.ERT)
    if not (is_answer or chapter.is_brief):
        yield from _details_of_targets(result, chapter)


def _details_of_targets(result: FixedTargets, chapter: Chapter) -> Iterator[Section]:
    yield from chapter.notes(result, "Notes on running times")
    yield chapter.part("method", "How running times were measured")


# ------------------------------------------------------------------------------- literature


def _references(_plan: Plan, chapter: Chapter) -> Iterator[Section]:
    """Show the literature of all results; the page makes one list of what one cell shows."""
    results = tuple(chapter.all_results)
    if len(results) == 1:
        code = f"{results[0]}.section('references')"
    else:
        lists = "".join(f"    {name}.section('references'),\n" for name in results)
        code = f"display(\n{lists})"
    if results:
        yield Section(chapter.name, "References", "", code, results)


# What tells of an answer, by its kind: the title of its findings where another one is before them,
# the text below its figure, and the sections of the appendix about it
_TITLES = MappingProxyType(
    {
        "comparison": "Comparison over data sets",
        "stochastic": "By repeated runs",
        "cv": "On one data set",
        "items": "On items",
        "runs": "By runs on one data set",
        "convergence": "Convergence",
        "bayesian": "Probabilities of differences and of equivalence",
        "targets": "Fixed targets",
        "aggregates": "Typical scores of the runs",
        "groups": "Within groups of data sets",
        "sensitivity": "Sensitivity",
        "plan": "Planning of the next experiment",
    }
)
# By figures that are too wide to stand beside text: what makes them narrow
_NARROW = MappingProxyType(
    {"overview": ", width='single-column'", "interval_estimates": ", 'interquartile-mean'"}
)
_LEGENDS: Mapping[str, Callable[[Any], str]] = MappingProxyType(
    {
        "comparison": prose.diagram_text,
        "stochastic": prose.outcome_diagram_text,
        "cv": lambda _: prose.DIFFERENCES_IN_SHORT,
        "items": lambda _: prose.DIFFERENCES_IN_SHORT,
        "runs": lambda _: prose.DIFFERENCES_IN_SHORT,
        "convergence": lambda _: prose.HEATMAP,
        "bayesian": prose.posterior_text,
        "targets": lambda _: prose.DISTRIBUTION,
        "aggregates": lambda it: prose.IMPROVEMENT if it.withheld else prose.INTERVAL_ESTIMATES,
        "groups": prose.groups_text,
        "sensitivity": lambda _: prose.SENSITIVITY_FIGURE,
        "plan": lambda _: prose.PLAN_FIGURE,
    }
)
_DETAILS: Mapping[str, Callable[[Any, Chapter], Iterator[Section]]] = MappingProxyType(
    {
        "comparison": _details_of_comparison,
        "stochastic": _details_of_stochastic,
        "cv": _details_within,
        "items": _details_within,
        "runs": _details_within,
        "convergence": _details_of_convergence,
        "bayesian": _details_of_bayesian,
        "targets": _details_of_targets,
        "aggregates": _details_of_aggregates,
        "groups": lambda _, chapter: iter([chapter.part("method", "How the groups were compared")]),
        "sensitivity": lambda _, chapter: iter([chapter.part("method", "How designs were varied")]),
        "plan": _details_of_plan,
    }
)

# By the names that users write
CHAPTERS: Mapping[str, Callable[[Plan, Chapter], Iterator[Section]]] = MappingProxyType(
    {
        "findings": _findings,
        "data": _data,
        "design": _design,
        "questions": _questions,
        "conditions": _conditions,
        "comparison": _comparison,
        "methods": _methods,
        "appendix": _appendix,
        "groups": _groups,
        "sensitivity": _sensitivity,
        "plan": _planning,
        "all-pairs": _all_pairs,
        "pair": _pair,
        "signs": _signs,
        "contrast": _contrast,
        "rank-intervals": _rank_intervals,
        "stochastic": _stochastic,
        "aggregates": _aggregates,
        "histories": _histories,
        "convergence": _convergence,
        "targets": _targets,
        "cv": _within,
        "items": _within,
        "runs": _within,
        "bayesian": _bayesian,
        "references": _references,
    }
)
