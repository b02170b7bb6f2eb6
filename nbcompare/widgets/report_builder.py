"""ReportBuilder: a report put together with controls, and exported."""

from __future__ import annotations

from functools import partial
from typing import Any

from traitlets import Bunch

from nbcompare.experiment import Experiment, Frame
from nbcompare.histories import Histories
from nbcompare.report.report import Report
from nbcompare.widgets._builder import Builder
from nbcompare.widgets._report_model import ReportModel
from nbcompare.widgets._report_screen import ReportScreen
from nbcompare.widgets._report_settings import (
    COMPARED,
    AnalysisOptions,
    FileName,
    Formats,
    PersonNames,
    Sections,
    Text,
    Titles,
    checked_options,
)
from nbcompare.widgets._settings import Margin, SettingError, SettingsOf


class ReportBuilder(Builder):
    """Put a report together with controls for sections, titles, text and options; export it.

    The last line of a cell, or ``display(builder)``, shows it. Every control is a trait
    under the name that :class:`nbcompare.Report` or :func:`nbcompare.compare` gives it:
    setting one moves the control. A value that the report does not take is refused, and the
    old one stays; sections that a change makes impossible are removed, with a message.
    Exporting runs in a process of its own.

    Parameters
    ----------
    experiment : Experiment or dataframe, optional
        The scores.
    histories : Histories, optional
        Histories of runs. One of the two is needed.
    direction : {"maximize", "minimize"}, optional
        Whether high or low scores are better, with a dataframe only.
    **settings
        Traits to begin with, and ``compare``. Without ``compare`` the options are those that
        :func:`nbcompare.recommend` advises.

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
    margin : float, optional
        The same, and the region of practical equivalence of the section ``"bayesian"``, which
        needs a margin; 0 stands for no such region, and is for that section alone.
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
    ('findings', 'comparison', 'sensitivity', 'data', 'methods')
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

    title = Text("Title", "by default the title names the data")
    authors = PersonNames("Authors", "separated by semicolons")
    date = Text("Date", "as it is printed, such as March 2026")
    abstract = Text("Abstract", "Markdown", several_lines=True)
    _compare = SettingsOf("compare")
    margin = Margin("margin")
    stochastic = AnalysisOptions(
        "compare_stochastic", "Options for repeated runs", "such as coverage=0.9, test=sign"
    )
    convergence = AnalysisOptions(
        "compare_convergence", "Options for convergence", "such as cutpoints=20, aggregate=median"
    )
    sections = Sections("Sections", "the sections of the report, in this order")
    titles = Titles("Titles", "headings of sections")
    path = FileName("File", "the path of the files, without .html or another ending")
    formats = Formats("Formats", "the formats that are written")

    _model: ReportModel
    _screen_kind = ReportScreen

    def __init__(
        self,
        experiment: Experiment | Frame | None = None,
        histories: Histories | None = None,
        *,
        direction: str | None = None,
        **settings: Any,
    ) -> None:
        if settings.get("sections") is None:
            settings.pop("sections", None)
        is_asked = "compare" in settings
        self._model_kind = partial(
            ReportModel,
            histories=histories,
            usual="sections" not in settings,
            advised=not is_asked,
        )
        if is_asked:
            options = checked_options(settings.pop("compare"), "compare", "compare")
            settings = {**options, **settings}
        self._take(experiment, direction, settings)

    @property
    def experiment(self) -> Experiment | None:
        """The scores."""
        experiment: Experiment | None = self.data
        return experiment

    @experiment.setter
    def experiment(self, experiment: Experiment | None) -> None:
        self.data = experiment

    @property
    def histories(self) -> Histories | None:
        """The histories of runs."""
        return self._model.histories

    @property
    def report(self) -> Report:
        """The report with the settings as they are."""
        return self._model.result

    @property
    def compare(self) -> dict[str, Any]:
        """Options of the comparison, those that differ from their defaults."""
        return self._model.choices.given()

    @compare.setter
    def compare(self, options: Any) -> None:
        try:
            given = checked_options(options, "compare", "compare")
        except (ValueError, TypeError) as error:
            raise SettingError(str(error)) from None
        with self.hold():
            for name in COMPARED:
                default = self._model.choices.settings[name].entry.default
                setattr(self, name, given.get(name, default))

    def usual_sections(self) -> tuple[str, ...]:
        """Return the sections that suit the data and the options.

        Returns
        -------
        tuple of str
            Names of sections, in the order of the report: those that it has by default.
        """
        return self._model.usual_sections()

    def paths(self) -> tuple[str, ...]:
        """Return the files that an export writes.

        Returns
        -------
        tuple of str
            Paths, relative to the working folder unless the chosen one is absolute: one for each of
            the formats that are chosen.
        """
        return self._model.paths()

    def __repr__(self) -> str:
        data = [repr(value) for value in (self.experiment, self.histories) if value is not None]
        return f"<ReportBuilder: {self.report!r}, {', '.join(data)}>"

    def _changed(self, change: Bunch | None) -> None:
        super()._changed(change)
        if self._ready and change is not None and change.name in COMPARED:
            given = Bunch(name="compare", new=self.compare, owner=self, type="change")
            self.notify_change(given)
