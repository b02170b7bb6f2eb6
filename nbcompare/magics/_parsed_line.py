"""A line of a magic, parsed: what it names, and what it asks for."""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from keyword import iskeyword
from typing import TYPE_CHECKING, Any

from nbcompare import _commands, _options
from nbcompare._messages import Speech
from nbcompare._validation import listed
from nbcompare.magics._commands import Magic
from nbcompare.magics._lines import LineParser, is_silent
from nbcompare.magics._sources import Data, Finder, Source

if TYPE_CHECKING:
    from nbcompare.plots import Plot
    from nbcompare.results import Comparison

_BINDING = {"bound_as": "--as", "data_as": "--data-as"}


@dataclass(frozen=True, slots=True)
class ParsedLine:
    """A line of a magic about data, and the cell below it if there is one."""

    magic: Magic
    parser: LineParser
    words: tuple[str, ...]
    given: argparse.Namespace
    text: str
    cell: str | None
    is_silent: bool  # the line displays nothing

    @classmethod
    def of(cls, magic: Magic, line: str, cell: str | None) -> ParsedLine:
        """Parse a line; mistakes are usage errors."""
        parser = magic.parser()
        words, given = parser.read(line)
        for key, option in _BINDING.items():
            name = getattr(given, key)
            if name is not None and (iskeyword(name) or not name.isidentifier()):
                parser.error(f"{option} needs a name that Python accepts; got {name!r}.")
        text = f"%{magic.name} {line.strip()}"
        return cls(magic, parser, tuple(words), given, text, cell, is_silent(line))

    @property
    def speech(self) -> Speech:
        """Words of the line for what the API says."""
        return self.magic.computing_speech(*self.words[:1])

    @property
    def wants_builder(self) -> bool:
        """Whether the line asks for the builder."""
        return bool(getattr(self.given, "builder", False))

    @property
    def makes_result_bound(self) -> bool:
        """Whether the result itself gets a name."""
        return self.given.bound_as is not None and not self.magic.is_diagram

    def source(self, finder: Finder) -> Source:
        """Return the data that the line is about, or the part of them that it selects."""
        reading = _commands.given(self.given, self.magic.reading_options)
        part_options = self.magic.command.part_options
        only = _commands.given(self.given, part_options)
        if self.cell is not None:
            found = finder.in_cell(self.cell, reading, only)
        elif not self.words or not self.words[0]:
            finder.missing()
        else:
            found = finder.named(self.words[0], reading, only)
        with self.magic.reading_speech().telling():
            part = _commands.selected(found.data, self.given, part_options)
        return found if part is found.data else found._replace(data=part, name=f"{found.name}_part")

    def arguments(self, data: Data) -> tuple[str, ...]:
        """Return the algorithms that the line names, as many as the magic takes."""
        words = self.words if self.cell is not None else self.words[1:]
        wanted = list(self.magic.command.arguments.values())
        if len(words) > len(wanted):
            where = "" if self.cell is None else ", since the table is in the cell"
            self.parser.error(
                f"there is a word too many{where}: {words[len(wanted)]!r}. Put quotation marks "
                "around a name with spaces."
            )
        if len(words) < len(wanted) and (words or not self.magic.may_leave_out):
            also = " (or neither)" if self.magic.may_leave_out else ""
            names = listed(data.algorithms)
            self.parser.error(f"it needs {' and '.join(wanted)}{also}; algorithms are {names}.")
        return words

    def options(self, alpha: float | None) -> dict[str, Any]:
        """Return options of the function, with a level that was set for all lines."""
        options = self.magic.command.options_of(self.given)
        if alpha is not None and self.magic.takes_alpha:
            options.setdefault("alpha", alpha)
        return options

    def builder(self, data: Data, arguments: tuple[str, ...], options: dict[str, Any]) -> Any:
        """Return the builder that the line asks for."""
        options = {key: value for key, value in options.items() if key != "best"}
        command = self.magic.command
        if "control" in command.arguments:
            options["control"] = arguments[0]
        elif arguments:  # which are two algorithms
            options["algorithms" if command.data_argument or command.builder else "pair"] = (
                arguments
            )
        from nbcompare.widgets import builder

        return builder(command.function, data, **options)

    def diagram_of(self, comparison: Comparison) -> Plot:
        """Return the diagram of a comparison that is there already."""
        from nbcompare import plots

        names = (
            *self.magic.command.options,
            *self.magic.select_options,
            *self.magic.reading_options,
        )
        given = _commands.given(self.given, names)
        best = given.pop("best", _options.default("diagram.best"))
        flags = _commands.flags(names)
        others = [flags[key] for key in given] + ["--builder"] * self.wants_builder
        if others or self.given.data_as is not None:
            option = (*others, "--data-as")[0]
            self.parser.error(f"{option} is about data; {self.words[0]} is a Comparison already.")
        if len(self.words) > 1:
            self.parser.error(f"there is a word too many: {self.words[1]!r}.")
        return plots.cd_diagram(comparison, best=best)
