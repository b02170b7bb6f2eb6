"""The plan of a notebook: its variables and the code that makes each, its sections, its cells."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from nbcompare import analysis
from nbcompare._display import current
from nbcompare._render import markdown
from nbcompare.report.notebook.source import Source, keywords

if TYPE_CHECKING:
    from nbformat import NotebookNode

_LONGEST_ID = 64  # characters, by the format of notebooks


class Section(NamedTuple):
    """A heading, text that explains, and perhaps a cell that computes.

    Attributes
    ----------
    identity : str
        Of its cells.
    heading, text : str
        Markdown; no heading: the text goes on from the section before.
    code : str
        Shows something; empty: no cell.
    needs : tuple of str
        Variables that the code names. The first cell that needs one makes it.
    level : int
        Of the heading.
    """

    identity: str
    heading: str
    text: str = ""
    code: str = ""
    needs: tuple[str, ...] = ()
    level: int = 2


@dataclass(frozen=True)
class Call:
    """A call of a public function, which a notebook shall bind to a variable."""

    function: str
    data: str | None
    arguments: tuple[Any, ...] = ()
    options: Mapping[str, Any] = field(default_factory=dict)
    data_keyword: str | None = None

    def code(self) -> str:
        """The call as a notebook writes it."""
        first = [self.data] if self.data and not self.data_keyword else []
        named = [f"{self.data_keyword}={self.data}"] if self.data_keyword else []
        arguments = [*first, *map(repr, self.arguments), *named, *keywords(self.options)]
        return f"nbc.{self.function}({', '.join(arguments)})"

    def value(self, data: object) -> Any:
        """What it gives."""
        function = getattr(analysis, self.function)
        if self.data_keyword:
            return function(*self.arguments, **{self.data_keyword: data}, **self.options)
        given = () if self.data is None else (data,)
        return function(*given, *self.arguments, **self.options)


@dataclass(frozen=True)
class Chapter:
    """What a chapter of the report is about; it makes its sections.

    Attributes
    ----------
    name : str
        In the report; ids of cells begin with it.
    variable : str
        What the result, or else the data, are called in the notebook.
    data : str
        What the data are called.
    label : str
        Tells apart chapters with the same headings.
    is_shared : bool
        Whether another chapter is about the same result.
    all_results : tuple of str
        Variables of all results, for what concerns them all.
    """

    name: str
    variable: str
    data: str = ""
    label: str = ""
    is_shared: bool = False
    all_results: tuple[str, ...] = ()

    def begin(self, heading: str, text: str = "", code: str | None = None) -> Section:
        """Its heading, and the whole result unless the code says otherwise."""
        title = f"{heading} ({self.label})" if self.label else heading
        shown = self.variable if code is None else code
        return Section(self.name, title, text, shown, (self.variable,) if shown else ())

    def part(self, section: str, heading: str, text: str = "") -> Section:
        """A section of the result."""
        return self.below(section, heading, text, f"{self.variable}.section({section!r})")

    def figure(self, plot: str, heading: str, text: str = "", more: str = "") -> Section:
        """A figure of the result."""
        code = f"nbc.plots.{plot}({self.variable}{more})"
        return self.below(plot.replace("_", "-"), heading, text, code)

    def below(
        self, part: str, heading: str, text: str, code: str, needs: tuple[str, ...] = ()
    ) -> Section:
        """A section below the chapter's heading."""
        needed = needs or (self.variable,)
        return Section(f"{self.name}-{part}", heading, text, code, needed, level=3)

    def end(self) -> Iterator[Section]:
        """What follows from the result, and how it was computed."""
        yield self.part("conclusions", "Conclusions")
        yield self.part("method", "How this was computed")


class Plan:
    """The variables of a notebook.

    What a section must know of a result is computed here too, once, so that a mistake in
    the options is reported before a kernel is asked.
    """

    def __init__(self, sources: Mapping[str, Source]) -> None:
        self.sources = dict(sources)
        self.calls: dict[str, Call] = {}
        self._results: dict[str, Any] = {}

    def call(self, variable: str, call: Call) -> None:
        """Plan that a variable is bound to what a call gives."""
        if self.calls.setdefault(variable, call) != call:
            raise ValueError(f"two sections of the report call their result {variable!r}.")

    def result(self, variable: str) -> Any:
        """What a variable will be bound to."""
        if variable not in self._results:
            call = self.calls[variable]
            data = self.sources[call.data].data if call.data else None
            self._results[variable] = call.value(data)
        return self._results[variable]

    def statements(
        self, variable: str, folder: Path, beside: Mapping[str, Path]
    ) -> tuple[tuple[str, ...], str]:
        """Variables that must be there before, and the code that binds this one."""
        if variable in self.sources:
            return (), self.sources[variable].code(folder, beside.get(variable))
        call = self.calls[variable]
        needed = (call.data,) if call.data else ()
        return needed, f"{variable} = {call.code()}"


def notebook_of(
    sections: Iterable[Section],
    plan: Plan,
    metadata: Mapping[str, Any],
    folder: Path,
    beside: Mapping[str, Path],
) -> NotebookNode:
    """Lay out a notebook that has not been run.

    Parameters
    ----------
    sections : iterable of Section
        In the order of the report.
    plan : Plan
        The variables that they need.
    metadata : mapping
        With a title.
    folder : Path
        Where the notebook will stand: paths to data are written as seen from there.
    beside : mapping of str to Path
        Where data that stand beside the notebook are for now, by variable.
    """
    from nbformat import v4

    identity = _Identities()
    cells = [
        v4.new_markdown_cell(f"# {markdown.escape(metadata['title'])}", id=identity.new("title")),
        v4.new_code_cell(
            "\n".join(filter(None, ["import nbcompare as nbc", current().code])),
            id=identity.new("import"),
        ),
    ]
    there: set[str] = set()
    for section in sections:
        heading = f"{'#' * section.level} {section.heading}" if section.heading else ""
        prose = f"{heading}\n\n{section.text}".strip()
        cells.append(v4.new_markdown_cell(prose, id=identity.new(section.identity)))
        if section.code:
            made = [
                line for name in section.needs for line in _made(name, plan, there, folder, beside)
            ]
            code = "\n".join([*made, section.code])
            cells.append(v4.new_code_cell(code, id=identity.new(f"{section.identity}-code")))
    notebook = v4.new_notebook(cells=cells)
    notebook.metadata = {
        "kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"},
        **metadata,
    }
    return cast("NotebookNode", notebook)


def _made(
    variable: str, plan: Plan, there: set[str], folder: Path, beside: Mapping[str, Path]
) -> Iterator[str]:
    """Statements that bind a variable, and those it is made of, unless they are bound."""
    if variable in there:
        return
    needed, code = plan.statements(variable, folder, beside)
    for name in needed:
        yield from _made(name, plan, there, folder, beside)
    there.add(variable)
    yield code


class _Identities:
    """Identities of cells: each once, of the characters that notebooks allow."""

    def __init__(self) -> None:
        self._given: set[str] = set()

    def new(self, wish: str) -> str:
        plain = re.sub(r"[^A-Za-z0-9_-]", "-", wish)[: _LONGEST_ID - 4] or "cell"
        name, number = plain, 1
        while name in self._given:
            number += 1
            name = f"{plain}-{number}"
        self._given.add(name)
        return name
