"""The magics themselves, their settings and what they keep."""

from __future__ import annotations

from inspect import cleandoc
from typing import TYPE_CHECKING, Any, cast

from IPython.core.interactiveshell import InteractiveShell
from IPython.core.magic import Magics, line_cell_magic, line_magic, magics_class
from IPython.display import display
from traitlets import Enum, Float, Int, TraitError, observe, validate

from nbcompare import _commands, _options
from nbcompare._display import check_digits, current, set_options
from nbcompare._validation import check_probability
from nbcompare.magics import _report
from nbcompare.magics._asked import Asked
from nbcompare.magics._commands import MAGICS
from nbcompare.magics._lines import in_words_of_a_line
from nbcompare.magics._records import Records, cell_of
from nbcompare.magics._settings import SETTINGS, settings_parser
from nbcompare.magics._sources import Finder, Source

if TYPE_CHECKING:
    from nbcompare.results import Comparison


def _explained(method: Any, usage: str) -> str:
    """What ``%magic?`` shows; under ``python -OO`` a method has no docstring."""
    return "\n\n".join(filter(None, [cleandoc(method.__doc__ or ""), usage]))


@magics_class
class ComparisonMagics(Magics):
    """Magics that compare algorithms: one for each function, and one that reports."""

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
        self._records = Records()
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
        """The names of the notebook."""
        return cast("dict[str, Any]", cast(InteractiveShell, self.shell).user_ns)

    def begin_cell(self, info: Any) -> None:
        """Forget what the cell has made before, and see what set_options has set since."""
        self.digits, self.theme = current().digits, current().theme
        self._records.begin_cell(cell_of(info))

    def end_cell(self, _: Any = None) -> None:
        """Look for results that names were bound to."""
        self._records.end_cell(self.namespace)

    # ----------------------------------------------------------------------- about data

    @line_cell_magic("compare")
    def compare(self, line: str, cell: str | None = None) -> Any:
        """Compare the algorithms of an Experiment or a table; show the CD diagram."""
        return self._run("compare", line, cell)

    @line_cell_magic("compare_pair")
    def compare_pair(self, line: str, cell: str | None = None) -> Any:
        """Compare two algorithms exactly; show them against each other."""
        return self._run("compare_pair", line, cell)

    @line_cell_magic("multiple_sign_test")
    def multiple_sign_test(self, line: str, cell: str | None = None) -> Any:
        """Compare a control with all others by wins and losses."""
        return self._run("multiple_sign_test", line, cell)

    @line_cell_magic("contrast_estimation")
    def contrast_estimation(self, line: str, cell: str | None = None) -> Any:
        """Estimate how far apart the algorithms are."""
        return self._run("contrast_estimation", line, cell)

    @line_cell_magic("check_conditions")
    def check_conditions(self, line: str, cell: str | None = None) -> Any:
        """Check what parametric tests need."""
        return self._run("check_conditions", line, cell)

    @line_cell_magic("conditions")
    def conditions(self, line: str, cell: str | None = None) -> Any:
        """Check what parametric tests need; the same as %check_conditions."""
        return self._run("conditions", line, cell)

    @line_cell_magic("compare_stochastic")
    def compare_stochastic(self, line: str, cell: str | None = None) -> Any:
        """Compare algorithms that give another score at every run."""
        return self._run("compare_stochastic", line, cell)

    @line_cell_magic("fuzzy_pvalue")
    def fuzzy_pvalue(self, line: str, cell: str | None = None) -> Any:
        """Compare algorithms by fuzzy p-values: all, or the two that are named.

        The figure shows each p-value as a membership function. It is
        ``%compare_stochastic --procedure fuzzy``.
        """
        return self._run("fuzzy_pvalue", line, cell)

    @line_cell_magic("page_trend")
    def page_trend(self, line: str, cell: str | None = None) -> Any:
        """Test which optimiser converges faster; show the heat map."""
        return self._run("page_trend", line, cell)

    @line_cell_magic("recommend")
    def recommend(self, line: str, cell: str | None = None) -> Any:
        """Say which tests suit the data."""
        return self._run("recommend", line, cell)

    @line_cell_magic("cd_diagram")
    def cd_diagram(self, line: str, cell: str | None = None) -> Any:
        """Show the critical difference diagram, and nothing else.

        It is the Plot that is shown, returned and bound by ``--as``: of a Comparison, or of
        data, which are compared first with the options of ``%compare``.
        """
        return self._run("cd_diagram", line, cell)

    for _name, _magic in MAGICS.items():
        _method = locals()[_name]
        _method.__doc__ = _explained(_method, _magic.help())
    del _name, _magic, _method

    # --------------------------------------------------------------- reports, settings

    @line_magic("nbreport")
    def nbreport(self, line: str) -> Any:
        """Export the results of this notebook as a report.

        Without names: all results, in the order in which they were computed. These are the
        results that names are bound to, and those that the lines of magics displayed when
        their cells were last run. The report computes each of them again, in a kernel of its
        own, from the Experiment or Histories that it was computed from, which must be bound
        to a name too, unless a line read them.

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
            for path in _report.written(words, given, self.namespace, self._records):
                print(path)
        except (ValueError, TypeError, OSError, ImportError, ReportError, TraitError) as error:
            parser.error(str(error))
        return None

    nbreport.__doc__ = _explained(nbreport, _report.report_parser().format_help())

    @line_magic("nbcompare_config")
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
            parser.error(in_words_of_a_line(str(error), new))
        usual, trend = _options.default("alpha"), _options.default("convergence.alpha")
        own = f"{usual:g}; {trend:g} of page_trend"
        print(f"alpha      {own if self.alpha is None else f'{self.alpha:g}'}")
        print(f"direction  {self.direction or 'none: lines about tables must say it'}")
        print(f"digits     {self.digits}")
        print(f"theme      {self.theme}")

    nbcompare_config.__doc__ = _explained(nbcompare_config, settings_parser().format_help())

    # -------------------------------------------------------------------------- inside

    def _run(self, name: str, line: str, cell: str | None) -> Any:
        asked = Asked.of(MAGICS[name], line, cell)
        try:
            made = self._made(asked)
        except (ValueError, TypeError, OSError, ImportError, TraitError) as error:
            asked.parser.error(in_words_of_a_line(str(error), asked.all_options))
        if asked.given.target is not None:
            self.namespace[asked.given.target] = made
        return made  # displayed by the cell, unless it is assigned

    def _made(self, asked: Asked) -> Any:
        """What a line gives; a figure that stands beside it is displayed."""
        magic = asked.magic
        if magic.is_diagram and asked.cell is None:
            there = self._comparison(asked.words)
            if there is not None:
                return asked.diagram_of(there)
        source = asked.source(Finder(magic, self.namespace, self.direction))
        source = self._bound(asked, source)
        arguments = asked.arguments(source.data)
        options = asked.options(self.alpha)
        if asked.wants_builder:
            return asked.builder(source.data, arguments, options)
        return self._shown(asked, source, arguments, options)

    def _bound(self, asked: Asked, source: Source) -> Source:
        """The data under the name that the line asks for, or that a builder's code needs."""
        name = asked.given.data_as
        if name is None and asked.wants_builder:
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
        asked: Asked,
        source: Source,
        arguments: tuple[str, ...],
        options: dict[str, Any],
    ) -> Any:
        from nbcompare import analysis, plots

        magic, data = asked.magic, source.data
        if magic.may_select and arguments:
            data, arguments = data.select(algorithms=arguments), ()
        diagram = {"best": options.pop("best")} if "best" in options else {}
        function = getattr(analysis, magic.command.function)
        self._records.look(self.namespace)
        result = function(data, *arguments, **magic.fixed, **options)
        self._records.add(asked.text, result, source, is_bound=asked.makes_result_bound)
        if magic.is_diagram:
            return plots.cd_diagram(result, **diagram)
        if magic.figure:
            display(getattr(plots, magic.figure)(result))
        return result

    def _comparison(self, words: tuple[str, ...]) -> Comparison | None:
        from nbcompare.results import Comparison

        found = self.namespace.get(words[0]) if words else None
        return found if isinstance(found, Comparison) else None
