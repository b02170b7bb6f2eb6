"""The plan of a notebook: its variables and the code that makes each, its sections, its cells."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from inspect import signature
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from nbcompare._commands import RANKS_OPTIONS, function_of
from nbcompare._display import current
from nbcompare._options import FOLD, NEW_PAGE
from nbcompare._render import markdown
from nbcompare._validation import distinct
from nbcompare.report.notebook.source import Source, keywords
from nbcompare.results import Comparison
from nbcompare.words import explanation

if TYPE_CHECKING:
    from nbformat import NotebookNode

_LONGEST_ID = 64  # characters, according to the format of notebooks


class Section(NamedTuple):
    """A heading, text that explains, and perhaps a cell that computes.

    Attributes
    ----------
    identity : str
        The id of its cells.
    heading, text : str
        Markdown. Without a heading the text continues the section before.
    code : str
        The code of a cell that shows something; no cell if empty.
    needs : tuple of str
        Variables that the code uses. The first cell that needs a variable creates it.
    level : int
        The level of the heading.
    fold : str
        What a page says of this section where it is folded; empty if it is not. Sections in a row
        with the same text are folded together.
    tag : str
        The tag of its cells without a heading, by which a page places them; empty for none.
    on_new_page : bool
        Whether it begins a page in print.
    """

    identity: str
    heading: str
    text: str = ""
    code: str = ""
    needs: tuple[str, ...] = ()
    level: int = 2
    fold: str = ""
    tag: str = ""
    on_new_page: bool = False


@dataclass(frozen=True)
class Call:
    """A call of a public function, whose result a notebook assigns to a variable."""

    function: str
    data: str | None
    arguments: tuple[Any, ...] = ()
    options: Mapping[str, Any] = field(default_factory=dict)
    data_keyword: str | None = None

    def code(self) -> str:
        """Return the call as Python code of a notebook."""
        first = [self.data] if self.data and not self.data_keyword else []
        named = [f"{self.data_keyword}={self.data}"] if self.data_keyword else []
        arguments = [*first, *map(repr, self.arguments), *named, *keywords(self.options)]
        return f"nbc.{self.function}({', '.join(arguments)})"

    def value(self, data: object) -> Any:
        """Make the call, and return its result."""
        function = function_of(self.function)
        if self.data_keyword:
            return function(*self.arguments, **{self.data_keyword: data}, **self.options)
        given = () if self.data is None else (data,)
        return function(*given, *self.arguments, **self.options)


def plain(function: str, options: Mapping[str, Any]) -> dict[str, Any]:
    """Return options as an author writes them, without those that equal the default."""
    parameters = signature(function_of(function)).parameters
    written = {name: _short(value) for name, value in options.items()}
    return {name: value for name, value in written.items() if value != parameters[name].default}


def _short(value: Any) -> Any:
    """Shorten a list of procedures: one is a name, none is None."""
    if not isinstance(value, tuple):
        return value
    return list(value) if len(value) > 1 else (value[0] if value else None)


def call_of_ranks(result: Comparison) -> Call:
    """Return the call that gives a comparison of average ranks again, which has no data."""
    options = {name: result.design.options[name] for name in RANKS_OPTIONS}
    arguments = (dict(result.average_ranks), result.design.n_datasets)
    return Call("compare_ranks", None, arguments, plain("compare_ranks", options))


class Answer(NamedTuple):
    """A result whose findings and methods a report tells first and last.

    Attributes
    ----------
    kind : str
        The section of its analysis.
    variable : str
        Its variable in the notebook.
    label : str
        A text that distinguishes answers of the same kind.
    varied : str
        The variable of the sensitivity analysis of the same comparison; empty if there is none.
    """

    kind: str
    variable: str
    label: str = ""
    varied: str = ""


@dataclass(frozen=True)
class Chapter:
    """The subject of a chapter of the report, which makes the sections of the chapter.

    Attributes
    ----------
    name : str
        The name of the chapter in the report; ids of its cells begin with it.
    variable : str
        The variable of the result (without a result, of the data) in the notebook.
    data : str
        The variable of the data.
    label : str
        A text that distinguishes chapters with the same headings.
    is_shared : bool
        Whether another chapter has the same result.
    is_second : bool
        Whether another chapter has the primary analysis of the same question.
    all_results : tuple of str
        The variables of all results, for a chapter about all of them.
    others : frozenset of str
        The sections of the report about the same data. A chapter shows in full what none of them
        shows.
    answers : tuple of Answer
        The results that a chapter about all answers tells of, the primary one first.
    beside : str
        The variable of another result that this chapter tells of; empty for none.
    picked : tuple of str
        Sentences on which analyses were picked for the data.
    """

    name: str
    variable: str
    data: str = ""
    label: str = ""
    is_shared: bool = False
    is_second: bool = False
    all_results: tuple[str, ...] = ()
    others: frozenset[str] = frozenset()
    answers: tuple[Answer, ...] = ()
    beside: str = ""
    picked: tuple[str, ...] = ()

    def begin(self, heading: str, text: str = "", code: str | None = None) -> Section:
        """Begin the chapter with its heading, and with the whole result unless code is given."""
        title = f"{heading} ({markdown.escape(self.label)})" if self.label else heading
        shown = self.variable if code is None else code
        return Section(self.name, title, text, shown, (self.variable,) if shown else ())

    def of(self, section: str) -> str:
        """Return the code that shows a section of the result."""
        return f"{self.variable}.section({section!r})"

    def part(self, section: str, heading: str, text: str = "") -> Section:
        """Show a section of the result."""
        return self.below(section, heading, text, self.of(section))

    def figure(
        self, plot: str, heading: str = "", text: str | None = None, more: str = ""
    ) -> Section:
        """Show a figure of the result, below what there is to explain of it."""
        text = explanation("figure", plot, "") if text is None else text
        # a page writes the caption below
        code = f"nbc.plots.{plot}({self.variable}{more}, title=False)"
        return self.below(plot.replace("_", "-"), heading, text, code)

    def below(
        self, part: str, heading: str, text: str, code: str, needs: tuple[str, ...] = ()
    ) -> Section:
        """Make a section below the heading of the chapter."""
        needed = needs or (self.variable,)
        return Section(f"{self.name}-{part}", heading, text, code, needed, level=3)

    @property
    def is_answered(self) -> bool:
        """Whether another chapter tells the findings."""
        return "findings" in self.others

    @property
    def is_brief(self) -> bool:
        """Whether the report is short: its findings say what this chapter need not."""
        return self.is_answered and not self.is_detailed

    @property
    def is_detailed(self) -> bool:
        """Whether another chapter shows the result in full."""
        return "appendix" in self.others

    def of_answer(self, answer: Answer) -> Chapter:
        """Return this chapter, about one of its answers."""
        return replace(self, variable=answer.variable, label=answer.label)


class Plan:
    """The variables of a notebook.

    Each result is computed once, when the text of a section or its cell first needs it.
    """

    def __init__(self, sources: Mapping[str, Source]) -> None:
        self.sources = dict(sources)
        self.calls: dict[str, Call] = {}
        self._results: dict[str, Any] = {}

    def call(self, variable: str, call: Call) -> None:
        """Plan to assign the result of a call to a variable."""
        if self.calls.setdefault(variable, call) != call:
            raise ValueError(f"two sections of the report call their result {variable!r}.")

    def result(self, variable: str) -> Any:
        """Return the future value of a variable."""
        if variable not in self._results:
            call = self.calls[variable]
            data = self.sources[call.data].data if call.data else None
            self._results[variable] = call.value(data)
        return self._results[variable]

    def value(self, variable: str) -> Any:
        """Return the value of a variable: data, or a result."""
        known = self.sources.get(variable)
        return self.result(variable) if known is None else known.data

    def statements(self, variable: str, folder: Path) -> tuple[tuple[str, ...], str]:
        """Return the variables that a variable needs, and the code that creates it."""
        if variable in self.sources:
            return (), self.sources[variable].code(folder)
        call = self.calls[variable]
        needed = (call.data,) if call.data else ()
        return needed, f"{variable} = {call.code()}"


def notebook_of(
    sections: Iterable[Section],
    plan: Plan,
    metadata: Mapping[str, Any],
    folder: Path,
) -> NotebookNode:
    """Lay out a notebook that has not been run.

    Parameters
    ----------
    sections : iterable of Section
        In the order of the report.
    plan : Plan
        The plan of the variables that they need.
    metadata : mapping
        The metadata of the notebook, with a title.
    folder : Path
        The folder of the notebook, to which paths to data are relative.
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
        kept: dict[str, Any] = {FOLD: section.fold} if section.fold else {}
        tagged = {"tags": [section.tag]} if section.tag else {}
        if prose:
            about = kept if section.heading else {**kept, **tagged}
            if section.on_new_page:
                about = {**about, "tags": [NEW_PAGE]}
            name = identity.new(section.identity)
            cells.append(v4.new_markdown_cell(prose, id=name, metadata=about))
        if section.code:
            made = [line for name in section.needs for line in _made(name, plan, there, folder)]
            code = "\n".join([*made, section.code])
            name = identity.new(f"{section.identity}-code")
            cells.append(v4.new_code_cell(code, id=name, metadata={**kept, **tagged}))
    notebook = v4.new_notebook(cells=cells)
    notebook.metadata = {
        "kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"},
        # without it, nbconvert imports IPython to colour code
        "language_info": {"name": "python"},
        **metadata,
    }
    return cast("NotebookNode", notebook)


def _made(variable: str, plan: Plan, there: set[str], folder: Path) -> Iterator[str]:
    """Yield the code that creates a variable and the variables it needs, unless they exist."""
    if variable in there:
        return
    needed, code = plan.statements(variable, folder)
    for name in needed:
        yield from _made(name, plan, there, folder)
    there.add(variable)
    yield code


class _Identities:
    """Ids of cells, each unique and of characters that notebooks allow."""

    def __init__(self) -> None:
        self._given: set[str] = set()

    def new(self, wish: str) -> str:
        plain = re.sub(r"[^A-Za-z0-9_-]", "-", wish)[: _LONGEST_ID - 4] or "cell"
        name = distinct(plain, self._given, "-")
        self._given.add(name)
        return name
