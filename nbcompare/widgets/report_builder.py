"""ReportBuilder: a report put together with controls, and exported."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from types import MappingProxyType
from typing import Any

from traitlets import Bunch

from nbcompare._options import SECTIONS
from nbcompare._validation import check_choice, listed, one_line, shown
from nbcompare.experiment import Experiment, Frame
from nbcompare.histories import Histories
from nbcompare.report import FORMATS
from nbcompare.report.report import DOCUMENT
from nbcompare.widgets._builder import AnalysisBuilder, Builder
from nbcompare.widgets._report_model import COMPARED, ReportModel
from nbcompare.widgets._report_screen import ReportScreen
from nbcompare.widgets._settings import (
    Setting,
    SettingError,
    Ticked,
    Written,
    options_of,
    setting_of,
    settings_of,
)


class Text(Written):
    """Something of the report that is written by hand.

    Parameters
    ----------
    label, help : str
        As for every setting.
    clean : callable
        Returns the value as the report takes it, of what is given and the name of the setting.
    usual : object
        What it is without anything.
    form : {"text", "area"}
        Whether it has one line or several.
    """

    is_argument = False

    def __init__(
        self,
        label: str,
        help: str,
        clean: Callable[[Any, str], Any] = one_line,
        *,
        usual: Any = None,
        form: str = "text",
    ) -> None:
        super().__init__(label=label, help=help)
        self.default_value, self._clean, self.form = usual, clean, form

    def clean(self, obj: Any, value: Any) -> Any:
        """Return the value as the report takes it; a mapping cannot be changed in place."""
        found = self._clean(value, str(self.name))
        return MappingProxyType(found) if isinstance(found, dict) else found

    def spelled(self, word: Any) -> str:
        """Return the value as a message shows it."""
        several = isinstance(word, Mapping)
        return (", ".join(word.values()) if several else self.written(word)) or "empty"

    def read(self, text: str) -> Any:
        """Return what a person wrote, as a value to be checked."""
        return text


class PersonNames(Text):
    """Names of persons, with semicolons between them, since a name may have a comma."""

    def written(self, value: Any) -> str:
        """Return the names as a person writes them."""
        return "; ".join(value)

    def read(self, text: str) -> Any:
        """Return the names between the semicolons."""
        return [name.strip() for name in text.split(";")]


class AnalysisOptions(Setting):
    """Options of an analysis beside the comparison by ranks, or None; they are set in code."""

    is_argument = False

    def __init__(self, function: str, label: str, help: str) -> None:
        super().__init__(label=label, help=help)
        self.function = function

    def clean(self, obj: Any, value: Any) -> Any:
        """Return a mapping that cannot be changed in place; those of a builder are taken."""
        if value is None:
            return None
        entries, found = options_of(self.function), {}
        for name, option in options_from(value, self.function, str(self.name)).items():
            setting = setting_of(entries[name])
            setting.name = name
            found[name] = setting.clean(obj, option)
        return MappingProxyType(found)


class Sections(Ticked):
    """Names of sections, and the author's own Markdown among them, as the report takes them.

    None stands for those that suit the data.
    """

    def __init__(self, label: str, help: str) -> None:
        super().__init__(label=label, help=help)
        self.default_value = ()

    def clean(self, obj: Any, value: Any) -> Any:
        """Return a tuple; whether the report takes it is checked when all settings are there."""
        if value is None:
            return obj.usual_sections()
        return _several(value, str(self.name))

    def words(self, obj: Any) -> tuple[Any, ...]:
        """Return those of the report, and each other one that it can have in its usual place."""
        possible: tuple[str, ...] = obj.possible_sections()
        return possible

    def spelled(self, word: Any) -> str:
        """Return a section as it is listed, and a text by its first line."""
        if isinstance(word, tuple):
            return ", ".join(word)
        if word in SECTIONS:
            return f"{word}: {SECTIONS[word]}"
        first = next(iter(str(word).strip().splitlines()), "")
        return f"text: {first.lstrip('#').strip()}"


class Formats(Ticked):
    """The formats that are written."""

    def __init__(self, label: str, help: str) -> None:
        super().__init__(label=label, help=help)
        self.default_value = (FORMATS[0],)

    def clean(self, obj: Any, value: Any) -> Any:
        """Return the formats in their usual order, each once."""
        several = _several((value,) if isinstance(value, str) else value, str(self.name), "formats")
        dotted = [f".{it.removeprefix('.')}" if isinstance(it, str) else it for it in several]
        wanted = {check_choice(kind, str(self.name), FORMATS) for kind in dotted}
        return tuple(kind for kind in FORMATS if kind in wanted)

    def words(self, obj: Any) -> tuple[Any, ...]:
        """Return all formats, whether or not they can be written here."""
        return tuple(FORMATS)


def options_from(value: Any, function: str, argument: str) -> Mapping[str, Any]:
    """Return options of a function of the analysis, from a mapping or a builder of it."""
    if isinstance(value, AnalysisBuilder) and value.function == function:
        value = value.options
    if not isinstance(value, Mapping):
        raise TypeError(
            f"`{argument}` must be options of {function} by name, or a builder of it; "
            f"got {shown(value)}."
        )
    entries = options_of(function)
    unknown = [name for name in value if name not in entries]
    if unknown:
        raise TypeError(
            f"`{argument}` has no option {listed(unknown)}; it has {listed(entries, most=20)}."
        )
    return value


def _several(value: Any, name: str, noun: str = "names") -> tuple[Any, ...]:
    if isinstance(value, str) or not isinstance(value, Iterable):
        raise TypeError(f"`{name}` must be a list of {noun}; got {shown(value)}.")
    return tuple(value)


def _path(value: Any, name: str) -> str:
    """Return the path without an ending that is a format's."""
    path = one_line(None if value is None else str(value), name)
    if path is None or path.endswith(("/", "\\")):
        raise ValueError(f"`{name}` must name a file; got {shown(value)}.")
    ending = next((kind for kind in FORMATS if path.lower().endswith(kind)), "")
    return path[: len(path) - len(ending)] or path


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
    ranking, pairs, control, adjust, alpha, margin, missing, formulas
        The same options, a trait each.
    bayesian, stochastic, convergence : mapping, optional
        Options of :func:`nbcompare.compare_bayesian`, whose section needs ``rope``, of
        :func:`nbcompare.compare_stochastic` and of :func:`nbcompare.compare_convergence`, or a
        builder of them. They have no controls; among the pages of a :class:`DataBuilder`, what is
        set on those of these analyses is taken.
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
    authors = PersonNames("Authors", "separated by semicolons", DOCUMENT["authors"], usual=())
    date = Text("Date", "as it is printed, such as March 2026", DOCUMENT["date"])
    abstract = Text("Abstract", "Markdown", DOCUMENT["abstract"], form="area")
    locals().update(settings_of(options_of("compare")))
    bayesian = AnalysisOptions(
        "compare_bayesian", "Options of the Bayesian comparison", "with `rope` at least"
    )
    stochastic = AnalysisOptions(
        "compare_stochastic", "Options for repeated runs", "such as `coverage` and `test`"
    )
    convergence = AnalysisOptions(
        "compare_convergence", "Options for convergence", "such as `cutpoints` and `aggregate`"
    )
    sections = Sections("Sections", "the sections of the report")
    titles = Text("Titles", "headings of sections", DOCUMENT["titles"], usual=MappingProxyType({}))
    path = Text(
        "File", "the path of the files, without .html or another ending", _path, usual="report"
    )
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
            settings = {**options_from(settings.pop("compare"), "compare", "compare"), **settings}
        self._take(experiment, direction, settings)

    experiment, report = Builder.data, Builder.result

    @property
    def histories(self) -> Histories | None:
        """The histories of runs."""
        return self._model.histories

    @property
    def compare(self) -> dict[str, Any]:
        """Options of the comparison, those that differ from their defaults."""
        return self._model.choices.given()

    @compare.setter
    def compare(self, options: Any) -> None:
        try:
            given = options_from(options, "compare", "compare")
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

    def possible_sections(self) -> tuple[str, ...]:
        """Return the sections of the report, with all others that it can have.

        Returns
        -------
        tuple of str
            Names of sections and Markdown; what is not in the report stands in its usual place.
        """
        return self._model.possible_sections()

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
