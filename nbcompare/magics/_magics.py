"""The magics, their settings and what they keep."""

from __future__ import annotations

from collections.abc import Callable
from inspect import cleandoc
from typing import TYPE_CHECKING, Any, cast

from IPython.core.interactiveshell import InteractiveShell
from IPython.core.magic import Magics, line_cell_magic, line_magic, magics_class
from IPython.display import display
from traitlets import Enum, Float, Int, TraitError, observe, validate

from nbcompare import _commands, _options
from nbcompare._display import check_digits, current, set_options
from nbcompare._messages import Mistake
from nbcompare._validation import check_probability
from nbcompare.magics import _report
from nbcompare.magics._commands import MAGICS, SETTINGS, Magic, settings_parser, speech
from nbcompare.magics._expansion import prepared
from nbcompare.magics._parsed_line import ParsedLine
from nbcompare.magics._result_log import ResultLog, cell_of
from nbcompare.magics._sources import Finder, Source

if TYPE_CHECKING:
    from nbcompare.results import Comparison


def _explained(method: Any, usage: str) -> str:
    """Return what ``%magic?`` shows; under ``python -OO`` a method has no docstring."""
    return "\n\n".join(filter(None, [cleandoc(method.__doc__ or ""), usage]))


class ComparisonMagics(Magics):
    """Magics that compare algorithms: one for each analysis, and one that reports."""

    alpha = Float(
        None,
        allow_none=True,
        help="Significance level where a line gives none; None: the default of each function.",
    ).tag(config=True)
    direction = Enum(
        _options.DIRECTIONS,
        None,
        allow_none=True,
        help="Whether high or low scores are better, for dataframes, files and cells whose line "
        "does not say it.",
    ).tag(config=True)

    digits = Int(
        _options.default("digits"), help=_options.OPTIONS["digits"].help.capitalize() + "."
    ).tag(config=True)
    theme = Enum(
        _options.OPTIONS["theme"].choices,
        _options.default("theme"),
        help=_options.OPTIONS["theme"].help.capitalize() + ".",
    ).tag(config=True)

    def __init__(self, shell: InteractiveShell) -> None:
        self._log = ResultLog()
        self._notes: list[str] = []
        super().__init__(shell)

    @validate("alpha")
    def _check_alpha(self, proposal: Any) -> float | None:
        if proposal["value"] is None:
            return None
        try:
            return check_probability(proposal["value"], "alpha")
        except ValueError as error:
            raise TraitError(str(error)) from None

    @validate("digits")
    def _check_digits(self, proposal: Any) -> int:
        try:
            return check_digits(proposal["value"])
        except ValueError as error:
            raise TraitError(str(error)) from None

    @observe("digits", "theme")
    def _look(self, change: Any) -> None:
        set_options(**{change["name"]: change["new"]})

    @property
    def namespace(self) -> dict[str, Any]:
        """Names of the notebook."""
        return cast("dict[str, Any]", cast(InteractiveShell, self.shell).user_ns)

    def begin_cell(self, info: Any) -> None:
        """Forget earlier results of the cell, and see what set_options has set since."""
        self.digits, self.theme = current().digits, current().theme
        self._log.begin_cell(cell_of(info))
        self._notes.clear()

    def end_cell(self, _: Any = None) -> None:
        """Look for results that names were bound to, and print notes below what is displayed."""
        self._log.end_cell(self.namespace)
        for note in dict.fromkeys(self._notes):
            print(f"note: {note}")
        self._notes.clear()

    # --------------------------------------------------------------- reports, settings

    @line_magic("nbreport")
    @prepared
    def nbreport(self, line: str) -> Any:
        """Export the results of this notebook as a report.

        Without names: all results, in the order in which they were computed. These are the
        results that names are bound to, and those that the lines of magics displayed when
        their cells were last run. The report computes each of them again from the Experiment
        or Histories that it was computed from, which must be bound to a name too, unless a
        line read them. Headings and text of the notebook stay there: ``jupyter nbconvert --to
        nbcompare`` exports the notebook itself.

        For example:

            %nbreport report.html report.ipynb --title 'Four classifiers' --author 'J. Doe'
            %nbreport report.html comparison
            %nbreport report.html my_report
        """
        from nbcompare.report.execute import ReportError

        parser = _report.report_parser()
        words, given = parser.read(line)
        try:
            if given.builder:
                return _report.builder_of(words, given, self.namespace)
            for path in _report.written(words, given, self.namespace, self._log):
                print(path)
        except (ValueError, TypeError, OSError, ImportError, ReportError, TraitError) as error:
            for path in getattr(error, "written", ()):
                print(path)
            parser.error(_report.speech_of_reports().says(str(error)))
        return None

    nbreport.__doc__ = _explained(nbreport, _report.report_parser().format_help())

    @line_magic("nbcompare_config")
    @prepared
    def nbcompare_config(self, line: str) -> None:
        """Set what lines of these magics need not say again; without options, show it.

        Digits and theme are about everything that is displayed from now on: they are those of
        nbcompare.set_options. The same as ``%config ComparisonMagics.alpha = 0.1``, or, for all
        notebooks, ``c.ComparisonMagics.alpha = 0.1`` in the configuration of IPython.
        """
        parser = settings_parser()
        words, given = parser.read(line)
        if words:
            parser.error(f"it takes options only, as in --alpha 0.1; got {words[0]!r}.")
        new = _commands.given(given, SETTINGS)
        if given.reset:
            new = {name: self.trait_defaults(name) for name in SETTINGS} | new
        try:
            with self.hold_trait_notifications():
                for key, value in new.items():
                    setattr(self, key, value)
        except TraitError as error:
            parser.error(speech(_commands.flags(SETTINGS)).says(str(error)))
        usual = _options.default("alpha")
        print(f"alpha      {usual if self.alpha is None else self.alpha:g}")
        print(f"direction  {self.direction or 'none: each line about a table must give it'}")
        print(f"digits     {self.digits}")
        print(f"theme      {self.theme}")

    nbcompare_config.__doc__ = _explained(nbcompare_config, settings_parser().format_help())

    # -------------------------------------------------------------------------- inside

    def run(self, magic: Magic, line: str, cell: str | None) -> Any:
        """Run a line, with the cell below it if there is one."""
        parsed = ParsedLine.of(magic, line, cell)
        try:
            made = self._made(parsed)
        except Mistake as error:
            parsed.parser.error(str(error))
        except (ValueError, TypeError, OSError, ImportError, TraitError) as error:
            parsed.parser.error(parsed.speech.says(str(error)))
        if parsed.given.bound_as is not None:
            self.namespace[parsed.given.bound_as] = made
        return made  # displayed by the cell, unless it is assigned

    def _made(self, parsed: ParsedLine) -> Any:
        """Return what a line asks for; a figure beside it is displayed."""
        magic = parsed.magic
        if magic.is_diagram and parsed.cell is None:
            there = self._comparison(parsed.words)
            if there is not None:
                return parsed.diagram_of(there)
        source = parsed.source(Finder(magic, self.namespace, self.direction))
        if source.was_read:
            words = magic.reading_speech(*parsed.words[:1])
            self._notes += [words.says(one.text) for one in getattr(source.data, "notes", ())]
        source = self._bound(parsed, source)
        arguments = parsed.arguments(source.data)
        options = parsed.options(self.alpha)
        if parsed.wants_builder:
            return parsed.builder(source.data, arguments, options)
        return self._shown(parsed, source, arguments, options)

    def _bound(self, parsed: ParsedLine, source: Source) -> Source:
        """Bind the data to the name that the line asks for, or that a builder's code needs."""
        name = parsed.given.data_as
        if name is None and parsed.wants_builder:
            if any(value is source.data for value in self.namespace.values()):
                return source
            from nbcompare.report.collect import free_name

            name = free_name(source.name, self.namespace)
            print(f"The data are bound to {name}, for the code of the builder.")
        if name is None:
            return source
        self.namespace[name] = source.data
        return Source(source.data, name)

    def _shown(
        self,
        parsed: ParsedLine,
        source: Source,
        arguments: tuple[str, ...],
        options: dict[str, Any],
    ) -> Any:
        from nbcompare import plots

        magic, data = parsed.magic, source.data
        if magic.may_select and arguments:
            data, arguments = data.select(algorithms=arguments), ()
        diagram = {"best": options.pop("best")} if "best" in options else {}
        function = _commands.function_of(magic.command.function)
        self._log.look(self.namespace)
        result = magic.command.call(function, data, arguments, {**magic.fixed, **options})
        self._log.add(parsed.text, result, source, is_bound=parsed.makes_result_bound)
        if magic.is_diagram:
            return plots.cd_diagram(result, **diagram)
        figure = None if parsed.is_silent else magic.command.figure_of(result)
        if figure:
            display(getattr(plots, figure)(result))
        return result

    def _comparison(self, words: tuple[str, ...]) -> Comparison | None:
        from nbcompare.results import Comparison

        found = self.namespace.get(words[0]) if words else None
        return found if isinstance(found, Comparison) else None


def _method(magic: Magic) -> Callable[..., Any]:
    def run(self: ComparisonMagics, line: str, cell: str | None = None) -> Any:
        return self.run(magic, line, cell)

    run.__name__, run.__doc__ = magic.name, magic.help()
    return run


for _name, _magic in MAGICS.items():
    setattr(ComparisonMagics, _name, line_cell_magic(_name)(prepared(_method(_magic))))
magics_class(ComparisonMagics)
