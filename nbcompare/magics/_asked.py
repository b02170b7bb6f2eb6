"""A line that was read: what it names, and what it wants."""

from __future__ import annotations

import argparse
import importlib
from dataclasses import dataclass
from keyword import iskeyword
from typing import TYPE_CHECKING, Any

from nbcompare import _commands, _options
from nbcompare._validation import listed
from nbcompare.magics._commands import Magic
from nbcompare.magics._lines import LineParser, flag
from nbcompare.magics._sources import Data, Finder, Source

if TYPE_CHECKING:
    from nbcompare.plots import Plot
    from nbcompare.results import Comparison

_BINDING = {"target": "--as", "data_as": "--data-as"}


@dataclass(frozen=True, slots=True)
class Asked:
    """A line of a magic about data, and the cell below it if there is one."""

    magic: Magic
    parser: LineParser
    words: tuple[str, ...]
    given: argparse.Namespace
    text: str
    cell: str | None

    @classmethod
    def of(cls, magic: Magic, line: str, cell: str | None) -> Asked:
        """Read a line; mistakes are usage errors."""
        parser = magic.parser()
        words, given = parser.read(line)
        for key, option in _BINDING.items():
            name = getattr(given, key)
            if name is not None and (iskeyword(name) or not name.isidentifier()):
                parser.error(f"{option} needs a name that Python accepts; got {name!r}.")
        text = f"%{magic.name} {line.strip()}"
        return cls(magic, parser, tuple(words), given, text, cell)

    @property
    def all_options(self) -> tuple[str, ...]:
        """Names of all options in the one table."""
        return (*self.magic.command.options, *self.magic.reading_options)

    @property
    def wants_builder(self) -> bool:
        """Whether a builder shall be opened."""
        return bool(getattr(self.given, "builder", False))

    @property
    def makes_result_bound(self) -> bool:
        """Whether the result itself gets a name."""
        return self.given.target is not None and not self.magic.is_diagram

    def source(self, finder: Finder) -> Source:
        """The data that the line is about."""
        reading = _commands.given(self.given, self.magic.reading_options)
        if self.cell is not None:
            return finder.in_cell(self.cell, reading)
        if not self.words or not self.words[0]:
            finder.missing()
        return finder.named(self.words[0], reading)

    def arguments(self, data: Data) -> tuple[str, ...]:
        """The algorithms that it names, as many as it takes."""
        words = self.words if self.cell is not None else self.words[1:]
        wanted = list(self.magic.command.arguments.values())
        if len(words) > len(wanted):
            where = "" if self.cell is None else ", as the table stands in the cell"
            self.parser.error(
                f"there is a word too many{where}: {words[len(wanted)]!r}. Put quotation marks "
                "around a name with spaces."
            )
        if len(words) < len(wanted) and (words or not self.magic.may_select):
            also = " (or neither)" if self.magic.may_select else ""
            names = listed(data.algorithms)
            self.parser.error(f"it needs {' and '.join(wanted)}{also}; algorithms are {names}.")
        return words

    def options(self, alpha: float | None) -> dict[str, Any]:
        """Options of the function, with a level that was set for all lines."""
        options = _commands.given(self.given, self.magic.command.options)
        if alpha is not None and self.magic.takes_alpha:
            options.setdefault("alpha", alpha)
        return options

    def builder(self, data: Data, arguments: tuple[str, ...], options: dict[str, Any]) -> Any:
        """The builder instead of a result."""
        options = {key: value for key, value in options.items() if key != "best"}
        if arguments:  # only magics that select by them have builders
            options["algorithms"] = arguments
        widgets = importlib.import_module("nbcompare.widgets")
        return getattr(widgets, self.magic.builder)(data, **options)

    def diagram_of(self, comparison: Comparison) -> Plot:
        """The diagram of a comparison that is there already."""
        from nbcompare import plots

        given = _commands.given(self.given, self.all_options)
        best = given.pop("best", _options.default("diagram.best"))
        others = [flag(key) for key in given] + ["--builder"] * self.wants_builder
        if others or self.given.data_as is not None:
            option = (*others, "--data-as")[0]
            self.parser.error(f"{option} is about data; {self.words[0]} is a Comparison already.")
        if len(self.words) > 1:
            self.parser.error(f"there is a word too many: {self.words[1]!r}.")
        return plots.cd_diagram(comparison, best=best)
