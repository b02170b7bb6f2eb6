"""A line of a magic about data: what it names, what it asks for, and what comes of it."""

from __future__ import annotations

from keyword import iskeyword
from typing import Any

from IPython.display import display
from traitlets import TraitError

from nbcompare import _commands, _options, plots
from nbcompare._messages import Mistake
from nbcompare._validation import listed
from nbcompare.magics._lines import Magic, is_silent
from nbcompare.magics._sources import Data, Finder, Source
from nbcompare.results import Comparison

_BINDING = {"bound_as": "--as", "data_as": "--data-as"}


class DataLine:
    """A line of a magic about data, and the cell below it if there is one.

    ``magics`` are the :class:`ComparisonMagics`, which make lines.
    """

    def __init__(self, magic: Magic, line: str, cell: str | None, magics: Any) -> None:
        self.magic, self.cell, self.magics = magic, cell, magics
        self.text, self.is_silent = f"%{magic.name} {line.strip()}", is_silent(line)
        self.parser = magic.parser()
        self.words, self.given = self.parser.read(line)
        for key, option in _BINDING.items():
            name = getattr(self.given, key)
            if name is not None and (iskeyword(name) or not name.isidentifier()):
                self.parser.error(f"{option} needs a name that Python accepts; got {name!r}.")

    def run(self) -> Any:
        """Return what the line asks for; a figure beside it is displayed."""
        try:
            made = self._made()
        except Mistake as error:
            self.parser.error(str(error))
        except (ValueError, TypeError, OSError, ImportError, TraitError) as error:
            words = self.magic.computing_speech(*self.words[:1])
            self.parser.error(words.says(str(error)))
        if self.given.bound_as is not None:
            self.magics.namespace[self.given.bound_as] = made
        return made  # displayed by the cell, unless it is assigned

    def _made(self) -> Any:
        there = self.magics.namespace.get(self.words[0]) if self.words else None
        if self.magic.is_diagram and self.cell is None and isinstance(there, Comparison):
            return self._diagram_of(there)
        source = self._bound(self._source())
        arguments = self._arguments(source.data)
        options = self.magic.command.options_of(self.given)
        if self.magics.alpha is not None and self.magic.takes_alpha:
            options.setdefault("alpha", self.magics.alpha)
        if self.given.builder:
            return self._builder(source.data, arguments, options)
        return self._result(source, arguments, options)

    def _source(self) -> Source:
        """Return the data that the line is about, or the part of them that it selects."""
        finder = Finder(self.magic, self.magics.namespace, self.magics.direction)
        reading = _commands.given(self.given, self.magic.reading_options)
        part_options = self.magic.command.part_options
        only = _commands.given(self.given, part_options)
        if self.cell is not None:
            found = finder.in_cell(self.cell, reading, only)
        elif not self.words or not self.words[0]:
            finder.missing()
        else:
            found = finder.named(self.words[0], reading, only)
        if found.was_read:
            words = self.magic.reading_speech(*self.words[:1])
            self.magics.notes += [words.says(one.text) for one in getattr(found.data, "notes", ())]
        with self.magic.reading_speech().telling():
            part = _commands.selected(found.data, self.given, part_options)
        return found if part is found.data else found._replace(data=part, name=f"{found.name}_part")

    def _bound(self, source: Source) -> Source:
        """Bind the data to the name that the line asks for, or that a builder's code needs."""
        name, namespace = self.given.data_as, self.magics.namespace
        if name is None:
            if not self.given.builder or any(one is source.data for one in namespace.values()):
                return source
            from nbcompare.report.collect import free_name

            name = free_name(source.name, namespace)
            print(f"The data are bound to {name}, for the code of the builder.")
        namespace[name] = source.data
        return Source(source.data, name)

    def _arguments(self, data: Data) -> list[str]:
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

    def _result(self, source: Source, arguments: list[str], options: dict[str, Any]) -> Any:
        magic, data, log = self.magic, source.data, self.magics.log
        if magic.may_select and arguments:
            data, arguments = data.select(algorithms=arguments), []
        diagram = {"best": options.pop("best")} if "best" in options else {}
        function = _commands.function_of(magic.command.function)
        log.look(self.magics.namespace)
        result = magic.command.call(function, data, arguments, {**magic.fixed, **options})
        is_bound = self.given.bound_as is not None and not magic.is_diagram
        log.add(self.text, result, source, is_bound=is_bound)
        if magic.is_diagram:
            return plots.cd_diagram(result, **diagram)
        figure = None if self.is_silent else magic.command.figure_of(result)
        if figure:
            display(getattr(plots, figure)(result))
        return result

    def _builder(self, data: Data, arguments: list[str], options: dict[str, Any]) -> Any:
        options = {key: value for key, value in options.items() if key != "best"}
        command = self.magic.command
        if "control" in command.arguments:
            options["control"] = arguments[0]
        elif arguments:  # which are two algorithms
            subset = command.data_argument or command.builder
            options["algorithms" if subset else "pair"] = tuple(arguments)
        from nbcompare.widgets import builder

        return builder(command.function, data, **options)

    def _diagram_of(self, comparison: Comparison) -> plots.Plot:
        """Return the diagram of a comparison that is there already."""
        magic = self.magic
        names = (*magic.command.options, *magic.select_options, *magic.reading_options)
        given = _commands.given(self.given, names)
        best = given.pop("best", _options.default("diagram.best"))
        others = [_commands.flags(names)[key] for key in given]
        others += ["--builder"] if self.given.builder else []
        others += ["--data-as"] if self.given.data_as is not None else []
        if others:
            about = f"is about data; {self.words[0]} is a Comparison already"
            self.parser.error(f"{others[0]} {about}.")
        if len(self.words) > 1:
            self.parser.error(f"there is a word too many: {self.words[1]!r}.")
        return plots.cd_diagram(comparison, best=best)
