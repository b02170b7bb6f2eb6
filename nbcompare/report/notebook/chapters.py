"""Chapters of a report: which sections each has, and the code of their cells.

A chapter is a function of a plan and of a :class:`Chapter`, which says what it is about; it yields
sections. Those about one analysis follow from the table of topics.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from types import MappingProxyType
from typing import Any, cast

from nbcompare._commands import BY_SECTION, analysis_of
from nbcompare._render import MOST_ROWS
from nbcompare.experiment import Experiment
from nbcompare.histories import Histories
from nbcompare.report.notebook import prose
from nbcompare.report.notebook.plan import Chapter, Plan, Section
from nbcompare.report.notebook.standard import ANSWERS
from nbcompare.report.notebook.synthesis import other_leader, relation, within_groups
from nbcompare.report.notebook.topics import TOPICS, Part, Text, Topic
from nbcompare.results import Comparison, Description, Sensitivity, WithinComparison
from nbcompare.words import explanation

# Tags by which the style sheet places the findings and their diagram
FINDINGS, BESIDE = "nbcompare-findings", "nbcompare-beside"
MORE = "nbcompare-more"  # findings of further analyses, below these
_MOST_VARIED = 10  # algorithms of whose pairs a page shows what each test decides
_MOST_BESIDE = 12  # algorithms whose diagram can be read beside the findings
_MOST_IN_FIGURE = 60  # algorithms whose names can be read on a page
_MOST_CURVES = 6  # problems whose curves are shown
_MOST_MAPPED, _MOST_CELLS = 40, 320  # data sets and cells of a map of ranks
_FIGURE = "plots."  # begins the name of a part that is a figure
_ALONE = ("items", "runs")  # whose chapter tells how the data were read


# ------------------------------------------------------------------------- of one analysis


def _of_analysis(kind: str, plan: Plan, chapter: Chapter) -> Iterator[Section]:
    """Show an analysis: short beside the findings, which say the rest, else in full."""
    topic = TOPICS[kind]
    # a plan is not needed before its cell: its simulation takes a while
    result = None if kind == "plan" else plan.result(chapter.variable)
    if kind == "sensitivity" and chapter.is_brief and not _decides(plan.result(chapter.variable)):
        return  # the findings say what there is
    text = _text_of(topic.text, result, "section", kind)
    if kind in _ALONE:
        read = prose.reading_text(plan.sources[chapter.data].data)
        text = " ".join(filter(None, [read, text]))
    if chapter.beside:
        text = " ".join(within_groups(plan.result(chapter.beside), plan.result(chapter.variable)))
    heading = _text_of(topic.title, result)
    if chapter.is_second:
        heading = topic.second or heading
        text = "\n\n".join(filter(None, [topic.text_of_second, text]))
    is_whole = topic.shown is None or (topic.has_figure and not chapter.is_answered)
    first = [it for it in topic.shown or () if result is None or it in result.sections]
    code = None if is_whole else chapter.of(first[0]) if first and not chapter.is_shared else ""
    yield chapter.begin(heading, text, code)
    figure = ""
    is_in_table = kind == "bayesian" and chapter.is_brief  # every number of its figure
    if topic.has_figure and (chapter.is_second or not chapter.is_answered) and not is_in_table:
        figure = (
            BY_SECTION[kind].figure if result is None else analysis_of(result).figure_of(result)
        )
        if figure:
            yield chapter.figure(figure)
    parts = topic.parts(result) if callable(topic.parts) else topic.parts
    if kind == "comparison" and chapter.is_brief and chapter.label:
        parts = ()  # one of several measures, with a page each
    for part in parts:
        is_there = is_whole and not part.shows.startswith(_FIGURE)
        if not is_there and part.shows != f"{_FIGURE}{figure}":
            yield from _sections_of(part, result, chapter)
    is_told_here = kind not in ANSWERS and not {*ANSWERS}.isdisjoint(chapter.others)
    if not chapter.is_answered or (chapter.is_detailed and is_told_here):
        if not is_whole:
            yield from _full(topic, result, chapter)
        yield from _details(topic, result, chapter, notes=not is_whole)
    elif chapter.is_detailed:
        yield from _full(topic, result, chapter)


def _decides(result: Sensitivity) -> bool:
    """Whether a test finds a difference, on all data sets or without one, of pairs that fit."""
    few = len(result.design.algorithms) <= _MOST_VARIED
    return few and (any(result.n_significant) or any(result.hinges))


def _full(topic: Topic, result: Any, chapter: Chapter) -> Iterator[Section]:
    for part in topic.full(result) if callable(topic.full) else topic.full:
        yield from _sections_of(part, result, chapter)


def _details(topic: Topic, result: Any, chapter: Chapter, *, notes: bool) -> Iterator[Section]:
    """Show how an analysis was made, its tables in full, and the notes on it."""
    if notes:
        for part in topic.details(result) if callable(topic.details) else topic.details:
            yield from _sections_of(part, result, chapter)
    if topic.method:
        fold = topic.full[-1].fold if isinstance(topic.full, tuple) and topic.full else ""
        yield from _sections_of(
            Part("method", topic.method, topic.method_text, fold=fold), result, chapter
        )
        if notes and result is not None:
            yield from _sections_of(Part("notes", fold=fold), result, chapter)


def _sections_of(part: Part, result: Any, chapter: Chapter) -> Iterator[Section]:
    """Show a part of a result, if it has it."""
    heading, figure = _text_of(part.heading, result), part.shows.removeprefix(_FIGURE)
    text = _text_of(part.text, result, "figure", figure if figure != part.shows else "")
    if part.of_primary and chapter.is_second and not chapter.is_detailed:
        return
    if part.shows.startswith(_FIGURE):
        yield chapter.figure(figure, heading, text, part.more)
    elif not part.shows:
        yield Section(f"{chapter.name}-how", heading, text, level=3)
    elif result is None or part.shows in result.sections:
        yield chapter.part(part.shows, heading, text)._replace(fold=part.fold)


def _text_of(text: Text, result: Any, about: str = "", word: str = "") -> str:
    """Return a text about a result; None stands for the one on such a section or figure."""
    if text is None:
        return explanation(about, word, "")
    return text(result) if callable(text) else text


# ------------------------------------------------------------------------------------- data


def _data(plan: Plan, chapter: Chapter) -> Iterator[Section]:
    result: Description = plan.result(chapter.variable)
    data = cast("Experiment", plan.sources[chapter.data].data)
    read = prose.reading_text(data)
    if not chapter.is_answered:
        yield chapter.begin("Data", read)
    elif chapter.is_brief and data.n_datasets == 1:  # whose means stand beside the tests
        yield chapter.begin("Data", read, "")
    else:
        best = "best" if chapter.is_brief and "best" in result.sections else "algorithms"
        yield chapter.begin("Data", read, chapter.of(best))
        if "comparison" in chapter.others and _ranks_are_readable(result):
            yield chapter.figure("rank_heatmap")
    if not chapter.is_brief:
        if chapter.is_answered:
            yield chapter.part("datasets", "")._replace(fold="Scores on each data set")
            if result.notes:
                yield chapter.part("notes", "")
        if data.n_folds * data.n_runs > 1 or result.deviations is not None or data.notes:
            # else they are what the description shows on each data set
            yield chapter.below("scores", "Scores", "", chapter.data, (chapter.data,))


def _ranks_are_readable(result: Description) -> bool:
    """Whether a map of the ranks has numbers and fits on a page, and is drawn within a second."""
    n, k = result.scores.shape
    return result.ranks is not None and k > 1 and n <= _MOST_MAPPED and n * k <= _MOST_CELLS


def _histories(plan: Plan, chapter: Chapter) -> Iterator[Section]:
    data = cast("Histories", plan.sources[chapter.variable].data)
    problems, texts = data.problems, (prose.reading_text(data), explanation("section", "histories"))
    shown_in_full = None if not chapter.is_brief else ""
    yield chapter.begin("Histories of the runs", "\n\n".join(filter(None, texts)), shown_in_full)
    shown = list(problems[:: -(-len(problems) // _MOST_CURVES)])
    yield chapter.figure("convergence_curves", "Convergence curves", more=f", {shown!r}")


# ---------------------------------------------------------------- findings, methods, appendix


def _findings(plan: Plan, chapter: Chapter) -> Iterator[Section]:
    """Show the answers, the primary one with its figure beside it.

    A comparison is answered by the sensitivity analysis, if there is one of the same design.
    """
    main, *more = chapter.answers
    first = main.varied or main.variable
    about = replace(chapter, label=chapter.label or main.label) if more else chapter
    yield about.begin("Findings", code=f"{first}.section('findings')")._replace(
        needs=(first,), tag=FINDINGS, on_new_page=bool(chapter.label)
    )
    result = plan.result(main.variable)
    if chapter.beside and (text := other_leader(result, plan.result(chapter.beside))):
        yield Section(f"{chapter.name}-beside", "", text, level=3, tag=FINDINGS)
    figure = analysis_of(result).figure_of(result)
    if figure and len(result.design.algorithms) <= _MOST_IN_FIGURE:
        # other figures are wider than the room beside the findings
        is_beside = figure == "overview" and len(result.design.algorithms) <= _MOST_BESIDE
        room = ", width='single-column'" if is_beside else ""
        if isinstance(result, WithinComparison) and len(result.hypotheses) <= MOST_ROWS:
            room = ", numbers=False"  # which the table of pairs below has
        yield (
            chapter.of_answer(main)
            .figure(figure, text="", more=room)
            ._replace(tag=BESIDE if is_beside else "")
        )
    for other in more:
        text = ""
        if other.kind in ANSWERS:  # others need not be computed yet
            text = relation(main.kind, result, other.kind, plan.result(other.variable))
        among = TOPICS[other.kind].among
        title = f"{among} ({other.label})" if other.label else among
        code = f"{other.varied or other.variable}.section('findings')"
        needs = (other.varied or other.variable,)
        yield Section(f"{chapter.name}-{other.kind}", title, text, code, needs, level=3, tag=MORE)


def _methods(_plan: Plan, chapter: Chapter) -> Iterator[Section]:
    """Show a paragraph on each analysis; the numbers of the references go on."""
    text = " ".join([explanation("section", "methods"), *chapter.picked])
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


def same_methods(result: Comparison) -> tuple[object, ...]:
    """Return what a paragraph on the methods of one measure shares with that of another one."""
    names = ("ranking", "pairs", "method", "control", "adjust", "alpha", "formulas", "confidence")
    told = (getattr(result, name) for name in names)
    return (*told, result.has_gaps, result.design.n_datasets, result.missing)


def _appendix(plan: Plan, chapter: Chapter) -> Iterator[Section]:
    yield chapter.begin("Appendix", explanation("section", "appendix"), code="")
    for place, answer in enumerate(chapter.answers):
        about = replace(chapter.of_answer(answer), is_second=place > 0)
        for part in _details(TOPICS[answer.kind], plan.result(answer.variable), about, notes=True):
            label = f" ({answer.label})" if answer.label and part.heading else ""
            yield part._replace(heading=f"{part.heading}{label}")


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


# By the names that users write
CHAPTERS: Mapping[str, Callable[[Plan, Chapter], Iterator[Section]]] = MappingProxyType(
    {
        **{kind: partial(_of_analysis, kind) for kind in TOPICS},
        "findings": _findings,
        "data": _data,
        "methods": _methods,
        "appendix": _appendix,
        "histories": _histories,
        "references": _references,
    }
)
