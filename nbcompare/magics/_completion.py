"""Completion of the lines of magics: options, their words, names of data and algorithms."""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from IPython.core.completer import (
    CompletionContext,
    SimpleCompletion,
    SimpleMatcherResult,
    context_matcher,
)
from IPython.core.error import UsageError

from nbcompare import _commands
from nbcompare._options import BEST, MAXIMIZE, OPTIONS, list_of_names
from nbcompare.magics._lines import DASHES, MAGICS, Fragment, LineParser, cut, quoted

if TYPE_CHECKING:
    from nbcompare.magics._magics import ComparisonMagics

_LINE = re.compile(r"\s*+(?:[^%=]++=\s*)?(%%?)(\w+)\s(.*)", re.DOTALL)  # in linear time
# Options that select a part of the data, and what they name
_SELECTS = {
    name: name.rpartition(".")[2] for names in _commands.SELECT_OPTIONS.values() for name in names
}
# Larger tables are not read to complete the names of algorithms.
_MOST_BYTES = 5_000_000
_MOST_CELLS = 200_000


class Completion:
    """The words that may stand at the cursor in a line of these magics."""

    def __init__(self, magics: ComparisonMagics) -> None:
        self._magics = magics

    @context_matcher(identifier="nbcompare")  # type: ignore[untyped-decorator]
    def matches(self, context: CompletionContext) -> SimpleMatcherResult:
        """Complete a line; nothing where it is no line of these magics."""
        found = _LINE.fullmatch(context.text_until_cursor)
        none: SimpleMatcherResult = {"completions": []}
        is_cell = found is not None and found[1] == "%%"
        if found is None or (is_cell and context.cursor_line != 0):
            return none
        words, fragment = cut(found[3])
        line = _line_of(found[2], self._magics.namespace)
        if line is None:
            return none
        line.cell = context.full_text.partition("\n")[2] if is_cell else None
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
    text = quoted(word, fragment.quote)
    return text[:-1] if fragment.quote and after.startswith(text[-1]) else text


def _line_of(name: str, namespace: dict[str, Any]) -> _LineSoFar | None:
    if name in MAGICS:
        return _DataLine(name, namespace)
    if name != "nbreport":
        return None
    from nbcompare.magics._report import report_parser

    return _ReportLine(report_parser(), namespace)


class _LineSoFar:
    """A line of options."""

    cell: str | None = None

    def __init__(self, parser: LineParser, namespace: dict[str, Any]) -> None:
        self.parser, self.namespace = parser, namespace

    def at(self, words: list[str], fragment: Fragment) -> tuple[Fragment, Iterable[str]]:
        """Return the word at the cursor, and the words that may stand there."""
        option, equals, value = fragment.raw.partition("=")
        if equals and option in self.parser.values:
            whole = fragment.value.partition("=")[2]
            return self._value(option, Fragment(value, whole, fragment.quote), words)
        if words and words[-1] in self.parser.values:
            return self._value(words[-1], fragment, words[:-1])
        behind = DASHES in words  # where nothing is an option
        plain, given = self._read(words)
        written = {word.partition("=")[0] for word in words if not self._repeats(word)}
        options = [option for option in self.options_for(plain) if option not in written]
        if fragment.raw.startswith("-") and not behind:
            return fragment, options
        wanted = [word for word in self.words(plain, given) if behind or word[:1] != "-"]
        return fragment, wanted or ([] if fragment.raw or behind else options)

    def words(self, plain: list[str], given: argparse.Namespace) -> Iterable[str]:  # noqa: ARG002
        """Return what may follow the words that are no options."""
        return ()

    def options_for(self, plain: list[str]) -> Iterable[str]:  # noqa: ARG002
        """Return the options that suit what the line names."""
        return self.parser.options

    def names_for(self, name: str, words: list[str]) -> Iterable[str]:  # noqa: ARG002
        """Return the values of an option that the table of options does not list."""
        return ()

    def _value(
        self, option: str, fragment: Fragment, words: list[str]
    ) -> tuple[Fragment, Iterable[str]]:
        name = self.parser.values[option]
        if not name:
            return fragment, ()
        entry = OPTIONS[name]
        wanted = entry.choices or self.names_for(name, words)
        if not (entry.several or entry.takes_names):
            return fragment, wanted
        *before, last = fragment.value.split(",")
        if before:
            fragment = Fragment(fragment.raw.rpartition(",")[2], last, "")
        elif entry.several:
            wanted = (*wanted, "none")
        return fragment, [word for word in wanted if word not in before]

    def _repeats(self, word: str) -> bool:
        option = word.partition("=")[0]
        name = self.parser.values.get(option)
        return option == "--author" or bool(name and OPTIONS[name].repeats)

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
        from nbcompare.magics._report import report_words

        builder = getattr(given, "builder", False)
        return [word for word in report_words(self.namespace, builder) if word not in plain]


class _DataLine(_LineSoFar):
    """A line about data."""

    def __init__(self, name: str, namespace: dict[str, Any]) -> None:
        from nbcompare.magics._sources import Finder

        self.magic = MAGICS[name]
        super().__init__(self.magic.parser(), namespace)
        self.finder = Finder(self.magic, namespace, MAXIMIZE)

    def words(self, plain: list[str], given: argparse.Namespace) -> Iterable[str]:
        """Return data first, then algorithms."""
        if self.cell is None and not plain:
            return self.finder.words()
        taken = plain if self.cell is not None else plain[1:]
        if len(taken) >= len(self.magic.command.arguments):
            return ()
        best = [BEST] if "control" in self.magic.command.arguments else []
        algorithms = self._labels("algorithms", plain, given)
        return [word for word in (*algorithms, *best) if word not in taken]

    def options_for(self, plain: list[str]) -> Iterable[str]:
        """Return the options; those of reading only where something is read."""
        value = self.namespace.get(plain[0]) if plain and self.cell is None else None
        reading = self.magic.reading_options if self.finder.is_data(value) else ()
        values = self.parser.values
        return [one for one in self.parser.options if values.get(one, "") not in reading]

    def names_for(self, name: str, words: list[str]) -> Iterable[str]:
        """Return algorithms for the control, and names on other axes for what selects them."""
        from nbcompare.formats import FORMATS

        plain, given = self._read(words)
        if name == "control":
            return [*self._labels("algorithms", plain, given), BEST]
        if name in _SELECTS:
            return map(list_of_names, self._labels(_SELECTS[name], plain, given))
        if name == "format":
            return FORMATS
        return ()

    def _labels(self, axis: str, plain: list[str], given: argparse.Namespace) -> tuple[str, ...]:
        """Return labels of the line's data, if these can be read at once."""
        reading = _commands.given(given, self.magic.reading_options)
        if self.cell is not None and len(self.cell) <= _MOST_BYTES:
            data = _if_readable(lambda: self.finder.in_cell(self.cell or "", reading).data)
        elif self.cell is None and plain and self._is_small(plain[0]):
            data = _if_readable(lambda: self.finder.named(plain[0], reading).data)
        else:
            data = None
        return tuple(getattr(data, axis, ()))

    def _is_small(self, word: str) -> bool:
        value = self.namespace.get(word, word)
        if self.finder.is_data(value):
            return True
        if isinstance(value, str | Path):
            file = Path(value).expanduser()
            return file.is_file() and file.stat().st_size <= _MOST_BYTES
        rows, columns = getattr(value, "shape", (_MOST_CELLS, _MOST_CELLS))
        return bool(rows * columns <= _MOST_CELLS)


def _if_readable(read: Callable[[], Any]) -> Any:
    """Return what is read; None of what cannot be, which running the line will report."""
    try:
        return read()
    except Exception:
        return None
