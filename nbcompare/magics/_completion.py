"""Completion of the lines of magics: options, their words, names of data and algorithms."""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from IPython.core.completer import (
    CompletionContext,
    SimpleCompletion,
    SimpleMatcherResult,
    context_matcher,
)
from IPython.core.error import UsageError

from nbcompare import _commands, _options
from nbcompare._options import list_of_names
from nbcompare.experiment import Experiment, Head, TableSource
from nbcompare.formats import FORMATS
from nbcompare.histories import Histories
from nbcompare.magics._commands import MAGICS, Magic, settings_parser
from nbcompare.magics._lines import DASHES, Fragment, LineParser, cut, quoted
from nbcompare.magics._report import report_parser, report_words
from nbcompare.magics._sources import SUFFIXES, Data, Finder, is_frame

if TYPE_CHECKING:
    from nbcompare.magics._magics import ComparisonMagics

_LINE = re.compile(r"\s*+(?:[^%=]++=\s*)?(%%?)(\w+)\s(.*)", re.DOTALL)  # in linear time
_COLUMNS = {*_options.COLUMN_OPTIONS, "problem", "evaluations", "value", "optimum"} | {
    "status",
    "ignore",
    "keep",
}
_LISTS = ("--adjust",)
_SELECTS = {name for names in _commands.SELECT_OPTIONS.values() for name in names}
_LABEL_LISTS = {_commands.flag(name): name.rpartition(".")[2] for name in _SELECTS}
_LABELS = _LABEL_LISTS | {
    f"--{_options.OPTIONS[name].alias}": name.rpartition(".")[2] for name in _SELECTS
}
# Larger tables are not read to complete the names of algorithms.
_MOST_BYTES = 5_000_000
_MOST_CELLS = 200_000
_MOST_LABELS = 30  # of a column whose labels are offered
_MOST_FILES = 100


class Completion:
    """The words that may stand at the cursor in a line of these magics."""

    def __init__(self, magics: ComparisonMagics) -> None:
        self._magics = magics

    @context_matcher(identifier="nbcompare")  # type: ignore[untyped-decorator]
    def matches(self, context: CompletionContext) -> SimpleMatcherResult:
        """Complete a line; nothing where it is no line of these magics."""
        found = _LINE.fullmatch(context.text_until_cursor)
        none: SimpleMatcherResult = {"completions": []}
        if found is None or (found[1] == "%%" and context.cursor_line != 0):
            return none
        words, fragment = cut(found[3])
        cell = context.full_text.partition("\n")[2] if found[1] == "%%" else None
        line = _line_of(found[2], self._magics, cell)
        if line is None:
            return none
        fragment, wanted = line.at(words, fragment)
        after = context.line_with_cursor[context.cursor_position :]
        begins = fragment.value.casefold()
        texts = [
            _text(word, fragment, after) for word in wanted if word.casefold().startswith(begins)
        ]
        return {
            "completions": [SimpleCompletion(text=text, type="magic") for text in texts],
            "matched_fragment": fragment.raw,
            "suppress": bool(texts),
            "ordered": True,
        }


def _text(word: str, fragment: Fragment, after: str) -> str:
    """Return the word in its quotation marks, without the last one if that is there already."""
    if word.endswith("/"):  # a folder: the path goes on
        return word if not fragment.quote else fragment.quote + word
    text = quoted(word, fragment.quote)
    return text[:-1] if fragment.quote and after.startswith(text[-1]) else text


def _line_of(name: str, magics: ComparisonMagics, cell: str | None) -> _LineSoFar | None:
    if name in MAGICS:
        return _DataLine(MAGICS[name], magics, cell)
    if name == "nbreport":
        return _ReportLine(report_parser(), magics)
    if name == "nbcompare_config":
        return _LineSoFar(settings_parser(), magics)
    return None


class _LineSoFar:
    """A line of options."""

    def __init__(self, parser: LineParser, magics: ComparisonMagics) -> None:
        self.parser, self.magics = parser, magics
        self.namespace: dict[str, Any] = magics.namespace

    def at(self, words: list[str], fragment: Fragment) -> tuple[Fragment, Iterable[str]]:
        """Return the word at the cursor, and the words that may stand there."""
        option, equals, value = fragment.raw.partition("=")
        if equals and option in self.parser.values:
            whole = fragment.value.partition("=")[2]
            return self._value(option, Fragment(value, whole, fragment.quote), words)
        if words and words[-1] in self.parser.values:
            return self._value(words[-1], fragment, words[:-1])
        behind = DASHES in words  # where nothing is an option
        if fragment.raw.startswith("-") and not behind:
            return fragment, self._options(words)
        plain, given = self._read(words)
        wanted = [word for word in self.words(plain, given) if behind or word[:1] != "-"]
        return fragment, wanted or ([] if fragment.raw or behind else self._options(words))

    def words(self, plain: list[str], given: argparse.Namespace) -> Iterable[str]:  # noqa: ARG002
        """Return what may follow the words that are no options."""
        return ()

    def options_for(self, plain: list[str]) -> Iterable[str]:  # noqa: ARG002
        """Return the options that suit what the line names."""
        return self.parser.options

    def names_for(self, option: str, words: list[str]) -> Iterable[str]:  # noqa: ARG002
        """Return the values of an option that no table of words lists."""
        return ()

    def _value(
        self, option: str, fragment: Fragment, words: list[str]
    ) -> tuple[Fragment, Iterable[str]]:
        name = self.parser.values[option]
        choices = _options.OPTIONS[name].choices if name else None
        is_list = option in _LISTS or option in _LABEL_LISTS
        *before, last = fragment.value.split(",") if is_list else [fragment.value]
        rest = Fragment(fragment.raw.rpartition(",")[2], last, "") if before else fragment
        if choices is None:
            return rest, [name for name in self.names_for(option, words) if name not in before]
        if option not in _LISTS:
            return fragment, choices
        alone = () if before else ("none",)
        return rest, [word for word in (*choices, *alone) if word not in before]

    def _options(self, words: list[str]) -> list[str]:
        plain, _ = self._read(words)
        again = {one for one, name in self.parser.values.items() if name and _repeats(name)}
        written = {word.partition("=")[0] for word in words} - {"--author", *again}
        return [option for option in self.options_for(plain) if option not in written]

    def _read(self, words: list[str]) -> tuple[list[str], argparse.Namespace]:
        """Parse the words before the cursor as far as they make sense."""
        try:
            options, behind, given = self.parser.parse(words)
        except UsageError:
            options, behind, given = words, [], argparse.Namespace()
        return [*(word for word in options if not word.startswith("--")), *behind], given


class _ReportLine(_LineSoFar):
    """A line of %nbreport."""

    def words(self, plain: list[str], given: argparse.Namespace) -> Iterable[str]:
        """Return results and reports, or data for the builder."""
        builder = getattr(given, "builder", False)
        return [word for word in report_words(self.namespace, builder) if word not in plain]


class _DataLine(_LineSoFar):
    """A line about data."""

    def __init__(self, magic: Magic, magics: ComparisonMagics, cell: str | None) -> None:
        super().__init__(magic.parser(), magics)
        self.magic, self.cell = magic, cell
        self.finder = Finder(magic, self.namespace, _options.MAXIMIZE)

    def words(self, plain: list[str], given: argparse.Namespace) -> Iterable[str]:
        """Return data first, then algorithms."""
        if self.cell is None and not plain:
            return self._data_words()
        taken = plain if self.cell is not None else plain[1:]
        if len(taken) >= len(self.magic.command.arguments):
            return ()
        best = [_options.BEST] if "control" in self.magic.command.arguments else []
        return [word for word in (*self._algorithms(plain, given), *best) if word not in taken]

    def options_for(self, plain: list[str]) -> Iterable[str]:
        """Return the options; those of reading only where something is read."""
        value = self.namespace.get(plain[0]) if plain and self.cell is None else None
        named = value is not None and not (isinstance(value, str | Path) or is_frame(value))
        reading = {*self.magic.reading_options} if named else set()
        return [
            option
            for option in self.parser.options
            if self.parser.values.get(option, "") not in reading
        ]

    def names_for(self, option: str, words: list[str]) -> Iterable[str]:
        """Return algorithms for the control, columns for the columns."""
        plain, given = self._read(words)
        if option == "--control":
            return [*self._algorithms(plain, given), _options.BEST]
        if option in _LABEL_LISTS:
            return map(list_of_names, self._labels(_LABELS[option], plain, given))
        if option in _LABELS:
            return self._labels(_LABELS[option], plain, given)
        name = self.parser.values[option]
        if name == "format":
            return FORMATS
        if name in {*_COLUMNS, "where"} and plain and self.cell is None:
            head = _head(self.namespace.get(plain[0]), plain[0])
            return _conditions(head) if name == "where" else head.names
        return ()

    def _data_words(self) -> Iterator[str]:
        yield from self.finder.candidates()
        if self.magic.is_diagram:
            from nbcompare.results import Comparison

            for name, value in self.namespace.items():
                if isinstance(value, Comparison) and not name.startswith("_"):
                    yield name
        yield from _files()

    def _algorithms(self, plain: list[str], given: argparse.Namespace) -> tuple[str, ...]:
        return self._labels("algorithms", plain, given)

    def _labels(self, axis: str, plain: list[str], given: argparse.Namespace) -> tuple[str, ...]:
        """Return labels of the line's data, if these can be read at once."""
        reading = _commands.given(given, self.magic.reading_options)
        data: Data
        try:
            if self.cell is not None:
                if len(self.cell) > _MOST_BYTES:
                    return ()
                data = self.finder.in_cell(self.cell, reading).data
            elif plain and _is_small(self.namespace.get(plain[0]), plain[0]):
                data = self.finder.named(plain[0], reading).data
            else:
                return ()
        except Exception:  # running the line will report what is wrong with the data
            return ()
        return tuple(getattr(data, axis))


def _repeats(name: str) -> bool:
    return _options.OPTIONS[name].repeats


def _head(value: object, word: str) -> Head:
    """Return the rows of a dataframe or a file; none of what is large or cannot be read."""
    try:
        if not _is_small(value, word):
            return Head((), (), 0)
        is_file = value is None or isinstance(value, str | Path)
        source = Path(word if value is None else str(value)).expanduser() if is_file else value
        return TableSource(source, remember=False).head({}, _MOST_CELLS)
    except Exception:  # running the line will report what is wrong with the data
        return Head((), (), 0)


def _conditions(head: Head) -> Iterator[str]:
    """Yield what --where may say: each label of the columns that have few."""
    for name, cells in zip(head.names, zip(*head.rows, strict=True), strict=False):
        labels = dict.fromkeys(filter(None, cells))
        if len(labels) <= _MOST_LABELS:
            yield from (f"{name}={list_of_names(label)}" for label in labels)


def _is_small(value: object, word: str) -> bool:
    if isinstance(value, Experiment | Histories):
        return True
    if value is None or isinstance(value, str | Path):
        file = Path(word if value is None else value).expanduser()
        return file.is_file() and file.stat().st_size <= _MOST_BYTES
    rows, columns = getattr(value, "shape", (_MOST_CELLS, _MOST_CELLS))
    return bool(rows * columns <= _MOST_CELLS)


def _files() -> list[str]:
    """Return tables in the working folder; IPython itself completes paths in other folders."""
    try:
        names = [path.name for path in Path().iterdir()]
    except OSError:  # the folder is gone, or cannot be read
        return []
    return sorted(name for name in names if name.lower().endswith(SUFFIXES))[:_MOST_FILES]
