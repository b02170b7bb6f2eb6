"""Traits of a ReportBuilder beside the options of a comparison: texts, sections, files."""

from __future__ import annotations

import ast
import datetime
from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, cast

from nbcompare._options import OPTIONS, SECTIONS
from nbcompare._validation import check_choice, listed, one_line, shown
from nbcompare.report import FORMATS
from nbcompare.widgets._builder import AnalysisBuilder
from nbcompare.widgets._settings import Owner, Setting, options_of

# options of a comparison, which are traits too
COMPARED = tuple(options_of("compare"))


class Text(Setting):
    """Text or None, on one line unless several are allowed."""

    is_argument = False

    def __init__(self, label: str, help: str, *, several_lines: bool = False) -> None:
        super().__init__(label=label, help=help)
        self.several_lines = several_lines

    def clean(self, obj: Owner, value: Any) -> Any:
        """Return the text as the report takes it; None if it is empty."""
        if isinstance(value, datetime.date):
            return value.isoformat()
        if self.several_lines and isinstance(value, str):
            return value if value.strip() else None
        return one_line(value, str(self.name))

    def written(self, value: Any) -> str:
        """Return the value as a person writes it."""
        return value or ""

    def spelled(self, word: Any) -> str:
        """Return the value as a message shows it."""
        return self.written(word) or "empty"

    def read(self, text: str) -> Any:
        """Return what a person wrote, as a value to be checked."""
        return text


class PersonNames(Text):
    """Names of persons."""

    def __init__(self, label: str, help: str) -> None:
        super().__init__(label, help)
        self.default_value = ()

    def clean(self, obj: Owner, value: Any) -> Any:
        """Return a tuple; a single name stands for itself."""
        if isinstance(value, str):
            value = [value]
        if not isinstance(value, Iterable):
            raise TypeError(f"`{self.name}` must be a list of names; got {shown(value)}.")
        return tuple(name for each in value if (name := one_line(each, str(self.name))))

    def written(self, value: Any) -> str:
        """Return the names with semicolons between them, since a name may have a comma."""
        return "; ".join(value)

    def read(self, text: str) -> Any:
        """Return the names between the semicolons."""
        return [name.strip() for name in text.split(";")]


class FileName(Text):
    """The path of the files to write, without the ending of a format."""

    def __init__(self, label: str, help: str) -> None:
        super().__init__(label, help)
        self.default_value = "report"

    def clean(self, obj: Owner, value: Any) -> Any:
        """Return the path without an ending that is a format's."""
        path = one_line(None if value is None else str(value), str(self.name))
        if path is None or path.endswith(("/", "\\")):
            raise ValueError(f"`{self.name}` must name a file; got {shown(value)}.")
        ending = next((kind for kind in FORMATS if path.lower().endswith(kind)), "")
        return path.removesuffix(path[len(path) - len(ending) :]) if ending else path


class Formats(Setting):
    """The formats that are written."""

    is_argument = False

    def __init__(self, label: str, help: str) -> None:
        super().__init__(label=label, help=help)
        self.default_value = (FORMATS[0],)

    def clean(self, obj: Owner, value: Any) -> Any:
        """Return the formats in their usual order, each once."""
        several = (value,) if isinstance(value, str) else value
        if not isinstance(several, Iterable):
            raise TypeError(f"`{self.name}` must be a list of formats; got {shown(value)}.")
        wanted = {check_choice(_ended(kind), str(self.name), FORMATS) for kind in several}
        return tuple(kind for kind in FORMATS if kind in wanted)

    def words(self, obj: Owner) -> tuple[Any, ...]:
        """Return all formats, whether or not they can be written here."""
        return tuple(FORMATS)


def _ended(kind: object) -> object:
    return f".{kind}" if isinstance(kind, str) and not kind.startswith(".") else kind


class Sections(Setting):
    """Names of sections, and the author's own Markdown among them, as the report takes them.

    None stands for those that suit the data.
    """

    is_argument = False

    def __init__(self, label: str, help: str) -> None:
        super().__init__(label=label, help=help)
        self.default_value = ()

    def clean(self, obj: Owner, value: Any) -> Any:
        """Return a tuple; whether the report takes it is checked when all settings are there."""
        if value is None:
            return cast("Any", obj).usual_sections()
        if isinstance(value, str):
            raise TypeError(f"`{self.name}` must be a list of names; got the str {value!r}.")
        if not isinstance(value, Iterable):
            raise TypeError(f"`{self.name}` must be a list of names; got {shown(value)}.")
        return tuple(value)


class Titles(Setting):
    """Headings by the names of sections."""

    is_argument = False

    def __init__(self, label: str, help: str) -> None:
        super().__init__(label=label, help=help)
        self.default_value = MappingProxyType({})

    def clean(self, obj: Owner, value: Any) -> Any:
        """Return a mapping that cannot be changed in place, as the screen would not notice."""
        if not isinstance(value, Mapping):
            raise TypeError(
                f"`{self.name}` must be a mapping of names to titles; got {shown(value)}."
            )
        titles = {
            check_choice(name, str(self.name), tuple(SECTIONS)): one_line(title, str(self.name))
            for name, title in value.items()
        }
        kept = {name: titles[name] for name in SECTIONS if titles.get(name)}
        return MappingProxyType(kept)

    def spelled(self, word: Any) -> str:
        """Return the headings as a message shows them."""
        return ", ".join(word.values()) or "empty"


class AnalysisOptions(Text):
    """Options of an analysis beside the comparison by ranks, or None without any."""

    def __init__(self, function: str, label: str, help: str) -> None:
        super().__init__(label, help)
        self.function = function

    def clean(self, obj: Owner, value: Any) -> Any:
        """Return a mapping that cannot be changed in place; those of a builder are taken."""
        if value is None:
            return None
        return MappingProxyType(checked_options(value, self.function, str(self.name)))

    def written(self, value: Any) -> str:
        """Return the options as in a call."""
        return ", ".join(f"{name}={option!r}" for name, option in (value or {}).items())

    def read(self, text: str) -> Any:
        """Return the options between the brackets of a call; words need no quotes."""
        if not text.strip():
            return None
        try:
            call = ast.parse(f"f({text})", mode="eval").body
            if not isinstance(call, ast.Call) or call.args:
                return text
            if any(keyword.arg is None for keyword in call.keywords):
                return text
            return {str(option.arg): _literal(option.value) for option in call.keywords}
        except (SyntaxError, ValueError):
            return text  # the check says what is wrong with it


def _literal(node: ast.expr) -> Any:
    return node.id if isinstance(node, ast.Name) else ast.literal_eval(node)


def checked_options(value: Any, function: str, argument: str) -> dict[str, Any]:
    """Return options of a function of the analysis, from a mapping or a builder of it.

    Raises
    ------
    TypeError
        For something else, and for options that the function does not have.
    ValueError
        For words that an option does not take.
    """
    if isinstance(value, AnalysisBuilder) and value.function == function:
        value = value.options
    if not isinstance(value, Mapping):
        raise TypeError(
            f"`{argument}` must be options of {function}, such as {_example(function)}, or a "
            f"builder of it; got {shown(value)}."
        )
    entries = options_of(function)
    unknown = [name for name in value if name not in entries]
    if unknown:
        raise TypeError(
            f"`{argument}` has no option {listed(unknown)}; it has {listed(entries, most=20)}."
        )
    return {name: _checked(option, entries[name], name) for name, option in value.items()}


def _example(function: str) -> str:
    name, entry = next(
        (name, entry) for name, entry in options_of(function).items() if OPTIONS[entry].choices
    )
    return f"{name}={(OPTIONS[entry].choices or ('',))[-1]!r}"


def _checked(option: Any, entry: str, name: str) -> Any:
    """Return a word that the option lists; numbers are checked by the analysis."""
    each: Sequence[Any] = option if isinstance(option, list | tuple) else [option]
    for word in each:
        if isinstance(word, str) and OPTIONS[entry].choices:
            OPTIONS[entry].check(word, name)
        elif not isinstance(word, str | int | float | None):
            raise TypeError(f"`{name}` must be a word or a number here; got {shown(word)}.")
    return list(option) if isinstance(option, tuple) else option
