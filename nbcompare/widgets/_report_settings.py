"""Traits of a ReportBuilder that are not options of a comparison."""

from __future__ import annotations

import ast
import datetime
from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from nbcompare._commands import COMMANDS
from nbcompare._options import OPTIONS, SECTIONS
from nbcompare._validation import check_choice, listed, one_line, shown
from nbcompare.report import FORMATS
from nbcompare.widgets._builder import Builder
from nbcompare.widgets._settings import Setting, SettingError

if TYPE_CHECKING:
    from nbcompare.widgets._report_base import ReportSettings

# options of a comparison that are traits, in the order of their controls
COMPARED = ("ranking", "pairs", "control", "adjust", "alpha", "missing", "formulas")
_OPTIONS_OF = {command.function: command.options for command in COMMANDS}


class Text(Setting):
    """Text, or None: on one line, unless it may have several."""

    is_argument = False

    def __init__(self, label: str, help: str, *, several_lines: bool = False) -> None:
        super().__init__(label=label, help=help)
        self.several_lines = several_lines

    def clean(self, obj: Builder, value: Any) -> Any:
        """As the report takes it; empty is None."""
        if isinstance(value, datetime.date):
            return value.isoformat()
        if self.several_lines and isinstance(value, str):
            return value if value.strip() else None
        return one_line(value, str(self.name))

    def written(self, value: Any) -> str:
        """The value as a person writes it."""
        return value or ""

    def read(self, text: str) -> Any:
        """What a person wrote, as a value to be checked."""
        return text


class Names(Text):
    """Names of persons."""

    def __init__(self, label: str, help: str) -> None:
        super().__init__(label, help)
        self.default_value = ()

    def clean(self, obj: Builder, value: Any) -> Any:
        """A tuple; a single name stands for itself."""
        if isinstance(value, str):
            value = [value]
        if not isinstance(value, Iterable):
            raise TypeError(f"`{self.name}` must be a list of names; got {shown(value)}.")
        return tuple(name for each in value if (name := one_line(each, str(self.name))))

    def written(self, value: Any) -> str:
        """With semicolons: a name may have a comma."""
        return "; ".join(value)

    def read(self, text: str) -> Any:
        """Names between semicolons."""
        return [name.strip() for name in text.split(";")]


class FileName(Text):
    """Where files go, without what the name of a format ends in."""

    def __init__(self, label: str, help: str) -> None:
        super().__init__(label, help)
        self.default_value = "report"

    def clean(self, obj: Builder, value: Any) -> Any:
        """A path without an ending that is a format's."""
        path = one_line(None if value is None else str(value), str(self.name))
        if path is None or path.endswith(("/", "\\")):
            raise ValueError(f"`{self.name}` must name a file; got {shown(value)}.")
        ending = next((kind for kind in FORMATS if path.lower().endswith(kind)), "")
        return path.removesuffix(path[len(path) - len(ending) :]) if ending else path


class Formats(Setting):
    """Which formats are written."""

    is_argument = False

    def __init__(self, label: str, help: str) -> None:
        super().__init__(label=label, help=help)
        self.default_value = (FORMATS[0],)

    def clean(self, obj: Builder, value: Any) -> Any:
        """Formats in their usual order, each once."""
        several = (value,) if isinstance(value, str) else value
        if not isinstance(several, Iterable):
            raise TypeError(f"`{self.name}` must be a list of formats; got {shown(value)}.")
        wanted = {check_choice(_ended(kind), str(self.name), FORMATS) for kind in several}
        return tuple(kind for kind in FORMATS if kind in wanted)

    def words(self, obj: Builder) -> tuple[Any, ...]:
        """All that there are, whether or not they can be written here."""
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

    def clean(self, obj: Builder, value: Any) -> Any:
        """A tuple; whether the report takes it is asked when all settings are there."""
        if value is None:
            return _of_report(obj).usual_sections()
        if isinstance(value, str):
            raise TypeError(f"`{self.name}` must be a list of names; got the str {value!r}.")
        if not isinstance(value, Iterable):
            raise TypeError(f"`{self.name}` must be a list of names; got {shown(value)}.")
        return tuple(value)

    def _cross_validate(self, obj: Any, value: Any) -> Any:
        value = super()._cross_validate(obj, value)
        try:
            obj._report(sections=value)
        except (ValueError, TypeError) as error:
            raise SettingError(str(error)) from None
        return value


class Titles(Setting):
    """Headings by the names of sections."""

    is_argument = False

    def __init__(self, label: str, help: str) -> None:
        super().__init__(label=label, help=help)
        self.default_value = MappingProxyType({})

    def clean(self, obj: Builder, value: Any) -> Any:
        """A mapping that cannot be changed in place: the screen would not hear of it."""
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


class Options(Text):
    """Options of an analysis beside the comparison by ranks, or None without any."""

    def __init__(self, function: str, label: str, help: str) -> None:
        super().__init__(label, help)
        self.function = function

    def clean(self, obj: Builder, value: Any) -> Any:
        """A mapping that cannot be changed in place; also those of another builder."""
        if value is None:
            return None
        return MappingProxyType(options_of(value, self.function, str(self.name)))

    def written(self, value: Any) -> str:
        """As in a call."""
        return ", ".join(f"{name}={option!r}" for name, option in (value or {}).items())

    def read(self, text: str) -> Any:
        """What stands between the brackets of a call; words need no quotes."""
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


def options_of(value: Any, function: str, argument: str) -> dict[str, Any]:
    """Options of a function of the analysis: a mapping, or those of a builder of it.

    Raises
    ------
    TypeError
        For something else, and for options that the function does not have.
    ValueError
        For words that an option does not take.
    """
    if isinstance(value, Builder) and getattr(value, "_function", "") == function:
        value = value._given()
    if not isinstance(value, Mapping):
        raise TypeError(
            f"`{argument}` must be options of {function}, such as {_example(function)}, or a "
            f"builder of it; got {shown(value)}."
        )
    entries = {name.rpartition(".")[2]: name for name in _OPTIONS_OF[function]}
    unknown = [name for name in value if name not in entries]
    if unknown:
        raise TypeError(
            f"`{argument}` has no option {listed(unknown)}; it has {listed(entries, most=20)}."
        )
    return {name: _checked(option, entries[name], name) for name, option in value.items()}


def _example(function: str) -> str:
    entries = [name for name in _OPTIONS_OF[function] if OPTIONS[name].choices]
    words = OPTIONS[entries[0]].choices or ("",)
    return f"{entries[0].rpartition('.')[2]}={words[-1]!r}"


def _checked(option: Any, entry: str, name: str) -> Any:
    """A word that the option lists; numbers are checked by the analysis."""
    each: Sequence[Any] = option if isinstance(option, list | tuple) else [option]
    for word in each:
        if isinstance(word, str) and OPTIONS[entry].choices:
            OPTIONS[entry].check(word, name)
        elif not isinstance(word, str | int | float | None):
            raise TypeError(f"`{name}` must be a word or a number here; got {shown(word)}.")
    return list(option) if isinstance(option, tuple) else option


def _of_report(obj: Builder) -> ReportSettings:
    return obj  # type: ignore[return-value]
