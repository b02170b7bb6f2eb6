"""ReportBuilder: a report put together by hand, and exported."""

from __future__ import annotations

from typing import Any

from nbcompare.experiment import Experiment
from nbcompare.histories import Histories
from nbcompare.report.report import Report
from nbcompare.widgets import _code
from nbcompare.widgets._exporting import Document, Outline
from nbcompare.widgets._outline import Cell, Chapter, chapters
from nbcompare.widgets._report_base import ReportSettings
from nbcompare.widgets._report_code import code_of
from nbcompare.widgets._report_screen import ReportLive


class ReportBuilder(ReportSettings):
    """Put a report together by hand: sections, titles, text, options; and export it.

    The last line of a cell, or ``display(builder)``, shows it. Every control is a trait
    under the name that :class:`nbcompare.Report` or :func:`nbcompare.compare` gives it:
    setting one moves the control. What the report does not take is refused, and the old
    value stays; sections that a change makes impossible are taken out, which the screen
    says. Exporting runs in a process of its own.

    Parameters
    ----------
    experiment : Experiment, optional
        The scores.
    histories : Histories, optional
        Histories of runs. One of the two is needed.
    **settings
        Traits to begin with, and ``compare``. Without that the options are those that
        :func:`nbcompare.recommend` says.

    Attributes
    ----------
    title, abstract, date : str, optional
        As in :class:`nbcompare.Report`.
    authors : tuple of str
        Their names.
    sections : tuple of str
        Names and Markdown of your own, in their order; None stands for what suits the
        data, and follows the options until it is changed.
    titles : mapping of str to str
        Headings of sections by name, in the place of the usual ones.
    compare : dict
        Options of :func:`nbcompare.compare` that differ from its defaults. Set it to a
        mapping or to a :class:`CDDiagramBuilder`, whose options are taken.
    ranking, pairs, control, adjust, alpha, missing, formulas
        The same options, a trait each.
    stochastic, convergence : mapping, optional
        Options of :func:`nbcompare.compare_stochastic` and of
        :func:`nbcompare.compare_convergence`, or a builder of them.
    path : str
        The files to write, without their ending.
    formats : tuple of str
        Of ``nbcompare.report.FORMATS``.
    report, result : Report
        The report, under either name.
    code : str
        Python that makes the same report, and exports it.

    Raises
    ------
    TypeError
        For data that are neither an Experiment nor Histories, and for settings that there
        are not.
    ValueError
        For a value that a setting does not take; also a ``traitlets.TraitError``.

    Examples
    --------
    >>> import nbcompare as nbc
    >>> experiment = nbc.datasets.load("demsar2006")
    >>> builder = nbc.ReportBuilder(experiment, compare={"control": "C4.5"})
    >>> builder.sections
    ('data', 'design', 'conditions', 'comparison', 'signs', 'contrast', 'references')
    >>> builder.sections = ["data", "With default parameters.", "comparison", "references"]
    >>> builder.titles = {"comparison": "Main results"}
    >>> builder.report
    <Report: 'Comparison of algorithms on demsar2006', 4 sections>
    >>> print(builder.code)
    import nbcompare as nbc
    <BLANKLINE>
    experiment = nbc.datasets.load("demsar2006")
    report = nbc.Report(
        experiment,
        sections=["data", "With default parameters.", "comparison", "references"],
        titles={"comparison": "Main results"},
        compare={"control": "C4.5"},
    )
    report.export("report.html")
    """

    def __init__(
        self,
        experiment: Experiment | None = None,
        histories: Histories | None = None,
        **settings: Any,
    ) -> None:
        super().__init__(experiment, histories, **settings)
        self._live = ReportLive(self)

    @property
    def report(self) -> Report:
        """The report as things stand."""
        key = ("report", *self._key())
        if key not in self._parts:
            self._keep(self._parts, key, self._report(**self._document()))
        report: Report = self._parts[key]
        return report

    @property
    def result(self) -> Report:
        """The report, under the name that it has in every builder."""
        return self.report

    @property
    def code(self) -> str:
        """Python that makes the same report, and writes it in the formats that are chosen."""
        space = self._namespace()
        own = _code.name_of(self, space)
        data = {"experiment": self.experiment, "histories": self.histories}
        names, lines = {}, []
        for name, value in data.items():
            bound = "" if value is None else _code.name_of(value, space)
            names[name] = "" if value is None else bound or name
            if value is not None and not bound:
                lines.append(f"{name} = {own}.{name}" if own else _code.loading(value, name))
        made = code_of(names["experiment"], names["histories"], self._document(), self.paths())
        return "\n".join(["import nbcompare as nbc\n", *filter(None, lines), made])

    def paths(self) -> tuple[str, ...]:
        """The files that an export writes."""
        return tuple(f"{self.path}{kind}" for kind in self.formats)

    def document(self) -> Document:
        """The report on its way to another process."""
        return Document.of(self.experiment, self.histories, self._document())

    def chapters(self) -> tuple[Chapter, ...]:
        """What each section will say, without running it."""
        key = self._key()
        if key not in self._results:
            self._keep(self._results, key, self._cells())
        return tuple(chapters(self._results[key], self.report.sections or ()))  # type: ignore[arg-type]

    def __repr__(self) -> str:
        data = [repr(value) for value in (self.experiment, self.histories) if value is not None]
        return f"<ReportBuilder: {self.report!r}, {', '.join(data)}>"

    def _task(self) -> Any:
        return Outline(self.document())

    def _cells(self) -> tuple[Cell, ...]:
        notebook = self.report.to_notebook(beside={})
        return tuple((cell.id, cell.cell_type, cell.source) for cell in notebook.cells)
