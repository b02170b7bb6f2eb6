"""The outline of a report: the sections of its notebook, made of those that were asked for."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from nbcompare._render import markdown
from nbcompare._validation import named
from nbcompare.report.notebook.chapters import CHAPTERS, measures, same_methods
from nbcompare.report.notebook.plan import Answer, Call, Chapter, Plan, Section, notebook_of
from nbcompare.report.notebook.source import Source
from nbcompare.report.notebook.standard import AFTER, IN_APPENDIX, Subject

if TYPE_CHECKING:
    from nbformat import NotebookNode

_FOLD = "Ranks, tests, conditions, alternatives and options"  # of an appendix
MEASURES = "measures"  # the section that gives an overview of several measures


@dataclass(frozen=True)
class GivenSection:
    """A section about data, or about a result that was computed before the report."""

    kind: str
    variable: str
    call: Call | None
    label: str = ""
    subject: Subject | None = None  # of one measure of several, which knows variable and call
    answers: tuple[Answer, ...] = ()  # of a section about several results


@dataclass(frozen=True, eq=False)
class Outline:
    """What a notebook of a report is made of.

    Attributes
    ----------
    names : tuple of str
        The names of the sections.
    own : mapping
        The author's texts, and sections about given results, by name.
    subject : Subject
        The data of the other sections.
    sources : mapping
        The data by variable.
    titles : mapping
        Headings that replace the usual ones.
    metadata : mapping
        That of the notebook, with a title.
    """

    names: tuple[str, ...]
    own: Mapping[str, str | GivenSection]
    subject: Subject
    sources: Mapping[str, Source]
    titles: Mapping[str, str]
    metadata: Mapping[str, Any]

    @cached_property
    def planned(self) -> tuple[Plan, tuple[Section, ...]]:
        """The plan and the sections; results that sections depend on are computed here."""
        plan = Plan(self.sources)
        told = {name: self._titled(name, self._sections_of(name, plan)) for name in self.names}
        for name, place in self._in_appendix():
            told[name] = tuple(_appended(told[name], place))
        used = {need for sections in told.values() for part in sections for need in part.needs}
        if "references" in told:
            results = tuple(name for name in plan.calls if name in used)
            chapter = Chapter("references", "", all_results=results)
            told["references"] = self._titled("references", CHAPTERS["references"](plan, chapter))
        return plan, tuple(part for sections in told.values() for part in sections)

    def _in_appendix(self) -> Iterator[tuple[str, int]]:
        """Yield each appendix, and the sections that follow it and belong to it, with a place."""
        opened: Subject | None = None
        place = -1  # outside
        for name in self.names:
            own = self.own.get(name)
            kind, subject = ("", None) if isinstance(own, str) else (name, None)
            if isinstance(own, GivenSection):
                kind, subject = own.kind, own.subject
            if kind == "appendix":
                opened, place = subject, 0
            elif place < 0 or kind not in IN_APPENDIX or subject != opened:
                place = -1
            else:
                place += 1
            if place >= 0:
                yield name, place

    def _titled(self, name: str, sections: Iterable[Section]) -> tuple[Section, ...]:
        """Give a chapter the heading that the author chose for it."""
        parts, own = list(sections), self.own.get(name)
        title, label = self.titles.get(name), ""
        if isinstance(own, GivenSection) and own.subject is not None:
            title, label = self.titles.get(own.kind), f" ({own.subject.label})"
        if parts and title is not None:
            parts[0] = parts[0]._replace(heading=markdown.escape(f"{title}{label}"))
        return tuple(parts)

    def _sections_of(self, name: str, plan: Plan) -> Iterable[Section]:
        own = self.own.get(name)
        if isinstance(own, str):
            return [Section(name, "", own)]
        if name == "references":
            return []  # made last, of the results of all the others
        if own is None:
            return CHAPTERS[name](plan, self.subject.chapter(name, self.names, plan))
        if own.kind == MEASURES:
            return [self._overview(plan)]
        if own.subject is not None:
            chapter = own.subject.chapter(own.kind, self.names, plan)
            if own.kind == "methods" and (alike := self._with_same_methods(plan)):
                told = next(labels for labels in alike if own.subject.label in labels)
                if own.subject.label != told[0]:
                    return []
                label = named(told) if len(alike) > 1 else ""
                rest = () if label else ("The other measures were compared in the same way.",)
                chapter = replace(chapter, label=label, picked=(*chapter.picked, *rest))
            return CHAPTERS[own.kind](plan, chapter)
        if own.call is None:
            return CHAPTERS[own.kind](plan, Chapter(name, own.variable, own.variable, own.label))
        given = [it for name in self.names if isinstance(it := self.own.get(name), GivenSection)]
        for each in given:  # a section about several results comes before these
            if each.call is not None:
                plan.call(each.variable, each.call)
        told_of = {answer.variable for answer in own.answers} or {own.variable}
        data = own.call.data or ""
        others = frozenset(
            each.kind
            for each in given
            # a description of data is told of with what was computed from them
            if told_of & {each.variable, *(answer.variable for answer in each.answers)}
            or (own.kind == "data" and each.answers)
        )
        primary = next((it.answers[0].variable for it in given if it.answers), own.variable)
        chapter = Chapter(
            name,
            own.variable,
            data,
            own.label,
            others=others,
            answers=own.answers,
            is_second=own.kind in (*AFTER, "plan") and own.variable != primary,
            beside=_compared(given, own) if own.kind == "groups" else "",
        )
        return CHAPTERS[own.kind](plan, chapter)

    @property
    def _subjects(self) -> dict[str, Subject]:
        """The subjects of several measures, by label."""
        given = [it for name in self.names if isinstance(it := self.own.get(name), GivenSection)]
        return {it.subject.label: it.subject for it in given if it.subject is not None}

    def _comparison_of(self, subject: Subject, plan: Plan) -> str:
        """Return the variable of the comparison by a measure; empty if the report has none."""
        if f"comparison{subject.suffix}" not in self.names:
            return ""
        return subject.chapter("comparison", self.names, plan).variable

    def _overview(self, plan: Plan) -> Section:
        about = {
            label: (self._comparison_of(subject, plan), subject.experiment)
            for label, subject in self._subjects.items()
        }
        return measures(plan, MEASURES, about)

    def _with_same_methods(self, plan: Plan) -> list[list[str]]:
        """Return the measures, those with the same methods together, such with ties first."""
        subjects = self._subjects
        variables = {label: self._comparison_of(each, plan) for label, each in subjects.items()}
        if not all(variables.values()):
            return []
        alike: dict[tuple[object, ...], list[str]] = {}
        results = {label: plan.result(variable) for label, variable in variables.items()}
        for label in sorted(results, key=lambda label: results[label].tied is False):
            alike.setdefault(same_methods(results[label]), []).append(label)
        return list(alike.values())

    @property
    def files_beside(self) -> dict[str, tuple[str, str]]:
        """Names and contents of files of data that belong beside the notebook, by variable."""
        return {
            variable: (source.file_name, source.written.table)
            for variable, source in self.sources.items()
            if source.file_name is not None
        }

    def notebook(self, folder: Path) -> NotebookNode:
        """Build the notebook without its outputs; it reads the files beside it in its folder."""
        plan, sections = self.planned
        return notebook_of(sections, plan, self.metadata, folder)

    def with_outputs(self, folder: Path, outputs: Iterable[Sequence[NotebookNode]]) -> NotebookNode:
        """Build the notebook with the outputs of its cells, after the one that imports."""
        notebook = self.notebook(folder)
        cells = [cell for cell in notebook.cells if cell.cell_type == "code"]
        for number, (cell, made) in enumerate(zip(cells, [(), *outputs], strict=True), 1):
            cell.execution_count = number
            cell.outputs = [*made]  # exporters change copies alone
        return notebook


class Planned(Protocol):
    """A report, which has an outline."""

    @property
    def outline(self) -> Outline:
        """What its notebook is made of."""


def _compared(given: Iterable[GivenSection], own: GivenSection) -> str:
    """Return the variable of the comparison of the same data; empty if there is none."""
    data = own.call.data if own.call else None
    alike = (it for it in given if it.kind == "comparison" and it.call and it.call.data == data)
    return next((it.variable for it in alike), "")


def _appended(sections: Iterable[Section], place: int) -> Iterator[Section]:
    """Yield the sections of a chapter of an appendix: folded, and below its heading."""
    for number, part in enumerate(sections):
        if not place and not number:
            yield part  # the heading of the appendix
        else:
            yield part._replace(level=part.level + (place > 0), fold=_FOLD)
