"""The magics, their settings and what they keep."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, cast

from IPython.core.interactiveshell import InteractiveShell
from IPython.core.magic import MAGIC_NO_VAR_EXPAND_ATTR, Magics, magics_class
from traitlets import Enum, Float, TraitError, validate

from nbcompare import _options
from nbcompare._validation import check_probability
from nbcompare.magics._lines import MAGICS, asks_for_help, expanded
from nbcompare.magics._result_log import ResultLog

_ABOUT_REPORTS = """\
Export the results of this notebook as a report.

Without names: all results, in the order in which they were computed. These are the
results that names are bound to, and those that the lines of magics displayed when
their cells were last run. The report computes each of them again from the Experiment
or Histories that it was computed from, which must be bound to a name too, unless a
line read them. Headings and text of the notebook stay there: ``jupyter nbconvert --to
nbcompare`` exports the notebook itself.

For example:

    %nbreport report.html report.ipynb --title 'Four classifiers' --author 'J. Doe'
    %nbreport report.html comparison
    %nbreport report.html my_report"""


class LineMagic:
    """A magic as IPython calls it: it takes lines as users write them.

    Its docstring, which ``%magic?`` shows, has all options; it is made when it is read.
    """

    needs_local_scope = True

    def __init__(
        self,
        name: str,
        run: Callable[[str, str | None], Any],
        help: Callable[[], str],
        namespace: Callable[[], Mapping[str, Any]],
    ) -> None:
        self.__name__ = name
        self._run, self._help, self._namespace = run, help, namespace

    @property
    def __doc__(self) -> str:  # type: ignore[override]
        return self._help()

    def __call__(self, line: str, cell: str | None = None, *, local_ns: Mapping[str, Any]) -> Any:
        line = expanded(self.__name__, line, self._namespace(), local_ns)
        if asks_for_help(line):
            print(self.__doc__)
            return None
        return self._run(line, cell)


# IPython would write the text of a table into the line, where its name is meant
setattr(LineMagic, MAGIC_NO_VAR_EXPAND_ATTR, True)


@magics_class
class ComparisonMagics(Magics):
    """Magics that compare algorithms: one for each analysis, and one that reports.

    ``%config ComparisonMagics.alpha = 0.1`` says what lines need not say again, and so does
    ``c.ComparisonMagics.alpha = 0.1`` in the configuration of IPython.
    """

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

    def __init__(self, shell: InteractiveShell) -> None:
        self.log = ResultLog()
        self.notes: list[str] = []
        super().__init__(shell)
        for name, magic in MAGICS.items():
            self._add(name, lambda *line, magic=magic: self._run(magic, *line), magic.help, True)
        self._add("nbreport", self._report, self._help_of_reports)

    def _add(
        self,
        name: str,
        run: Callable[[str, str | None], Any],
        help: Callable[[], str],
        takes_cell: bool = False,
    ) -> None:
        made = LineMagic(name, run, help, lambda: self.namespace)
        for kind in ("line", "cell") if takes_cell else ("line",):
            self.magics[kind][name] = made

    @validate("alpha")
    def _check(self, proposal: Any) -> float | None:
        try:
            return (
                None if proposal["value"] is None else check_probability(proposal["value"], "alpha")
            )
        except ValueError as error:
            raise TraitError(str(error)) from None

    @property
    def namespace(self) -> dict[str, Any]:
        """Names of the notebook."""
        return cast("dict[str, Any]", cast(InteractiveShell, self.shell).user_ns)

    def begin_cell(self, info: Any) -> None:
        """Forget earlier results of the cell."""
        # its id tells a cell from others, or else its text
        self.log.begin_cell(str(getattr(info, "cell_id", None) or info.raw_cell))
        self.notes.clear()

    def end_cell(self, _: Any = None) -> None:
        """Look for results that names were bound to, and print notes below what is displayed."""
        self.log.end_cell(self.namespace)
        for note in dict.fromkeys(self.notes):
            print(f"note: {note}")
        self.notes.clear()

    def _run(self, magic: Any, line: str, cell: str | None) -> Any:
        from nbcompare.magics._data_line import DataLine

        return DataLine(magic, line, cell, self).run()

    def _help_of_reports(self) -> str:
        from nbcompare.magics._report import report_parser

        return f"{_ABOUT_REPORTS}\n\n{report_parser().format_help()}"

    def _report(self, line: str, _: str | None) -> Any:
        from nbcompare.magics._report import run

        return run(line, self.namespace, self.log)
