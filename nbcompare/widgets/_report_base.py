"""The settings of a ReportBuilder: which there are, and how each follows the others."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from traitlets import Bunch

from nbcompare import analysis
from nbcompare._options import BEST, SECTIONS
from nbcompare._validation import check_name, shown
from nbcompare.analysis._data import facts_of_scores
from nbcompare.analysis._rules import State
from nbcompare.experiment import Experiment
from nbcompare.histories import Histories
from nbcompare.report.make import unavailable
from nbcompare.report.report import Report
from nbcompare.widgets._builder import Builder
from nbcompare.widgets._report_settings import (
    COMPARED,
    FileName,
    Formats,
    Names,
    Options,
    Sections,
    Text,
    Titles,
    options_of,
)
from nbcompare.widgets._rules import View
from nbcompare.widgets._settings import Member, Number, SettingError, Word, Words
from nbcompare.widgets.cd_diagram import CDDiagramBuilder, seconds_of_ranks

_CELLS_PER_SECOND = 30_000  # of data that stand in a cell, which is tried at once


class _Control(Member):
    """As in other builders; without an experiment there is none."""

    def clean(self, obj: Builder, value: Any) -> Any:
        """The name of an algorithm of the experiment."""
        if value is None or value in self.extra:
            return value
        return check_name(value, str(self.name), obj.selected("algorithms"))


class ReportSettings(Builder):
    """Traits, and what becomes of sections and options when others change."""

    title = Text("Title", "by default it names the data")
    authors = Names("Authors", "with ; between them")
    date = Text("Date", "as it shall be read")
    abstract = Text("Abstract", "Markdown", several_lines=True)
    ranking = Word("ranking")
    pairs = Word("pairs")
    control = _Control("control", extra=(BEST,))
    adjust = Words("adjust", optional=True, label="Adjustment")
    alpha = Number("alpha", label="Alpha")
    missing = Word("missing", label="Missing scores")
    formulas = Word("formulas")
    stochastic = Options(
        "compare_stochastic", "Options for repeated runs", "such as coverage=0.9, test=sign"
    )
    convergence = Options(
        "compare_convergence", "Options for convergence", "such as cutpoints=20, aggregate=median"
    )
    sections = Sections("Sections", "what the report tells, in this order")
    titles = Titles("Titles", "headings of sections")
    path = FileName("File", "without .html or the like")
    formats = Formats("Formats", "what is written")

    _function = "Report"
    _rules = CDDiagramBuilder._rules
    _views: ClassVar[Mapping[str, View]] = {}

    def __init__(
        self,
        experiment: Experiment | None = None,
        histories: Histories | None = None,
        **settings: Any,
    ) -> None:
        if histories is not None and not isinstance(histories, Histories):
            raise TypeError(f"`histories` must be Histories; got {shown(histories)}.")
        if experiment is None and histories is None:
            raise ValueError("a report needs an `experiment`, `histories`, or both; got neither.")
        self._histories = histories
        self._usual: tuple[str, ...] | None = ()
        if settings.get("sections") is None:
            settings.pop("sections", None)
        else:
            self._usual = None
        self._is_asked = "compare" in settings
        if self._is_asked:
            settings = {**self._options(settings.pop("compare")), **settings}
        super().__init__(experiment, **settings)

    @property
    def experiment(self) -> Experiment | None:
        """The scores."""
        experiment: Experiment | None = self._data
        return experiment

    @experiment.setter
    def experiment(self, experiment: Experiment | None) -> None:
        if experiment is None and self._histories is None:
            raise ValueError("a report needs an `experiment`, `histories`, or both; got neither.")
        self.data = experiment

    @property
    def histories(self) -> Histories | None:
        """The histories of runs."""
        return self._histories

    @property
    def compare(self) -> dict[str, Any]:
        """Options of the comparison, those that differ from their defaults."""
        return {
            name: list(value) if isinstance(value, tuple) else value
            for name, value in self._given().items()
        }

    @compare.setter
    def compare(self, options: Any) -> None:
        try:
            given = self._options(options)
        except (ValueError, TypeError) as error:
            raise SettingError(str(error)) from None
        with self.hold():
            for name in COMPARED:
                setattr(self, name, given.get(name, self._settings()[name].entry.default))

    def usual_sections(self) -> tuple[str, ...]:
        """The sections that suit the data and the options, in their order."""
        return tuple(self._report(sections=None).sections or ())

    def why_not(self, section: str) -> str:
        """Why a section cannot be in the report, empty if it can."""
        try:
            self._report(sections=[section])
        except ValueError as error:
            return str(error).removeprefix(f"section {section!r} ").rstrip(".")
        return ""

    def has_control(self, name: str) -> bool:
        """Whether a setting matters for these data."""
        experiment = self.experiment
        if name in COMPARED:
            return experiment is not None
        if name == "stochastic":
            return experiment is not None and (
                experiment.is_interval or experiment.n_folds * experiment.n_runs > 1
            )
        return name != "convergence" or self.histories is not None

    def selected(self, axis: str) -> tuple[str, ...]:
        """All algorithms of the experiment."""
        names: tuple[str, ...] = () if self.experiment is None else getattr(self.experiment, axis)
        return names

    def _checked(self, data: Any) -> Experiment | None:
        if data is not None and not isinstance(data, Experiment):
            raise TypeError(f"`experiment` must be an Experiment; got {shown(data)}.")
        return data

    def _defaults(self, settings: dict[str, Any]) -> Mapping[str, Any]:
        """What is recommended, unless options were given."""
        if self._is_asked or self.experiment is None:
            return {}
        asked = {name: settings[name] for name in ("control", "alpha") if name in settings}
        try:
            return analysis.recommend(self.experiment, **asked).options
        except (ValueError, TypeError):
            return {}  # of scores that are not compared by ranks

    def _facts(self) -> Mapping[str, Any]:
        if self.experiment is None:
            return {"k": 0, "n": 0, "n_missing": 0, "n_complete": 0, "algorithms": ()}
        return {**facts_of_scores(self.experiment), "algorithms": self.experiment.algorithms}

    def _seconds(self, state: State) -> float:
        """Analyses whose outcome decides on a section, and data that stand in a cell."""
        seconds = 0.0
        if self.experiment is not None:
            seconds += self.experiment.scores.size / _CELLS_PER_SECOND
            if not {"comparison", "all-pairs"}.isdisjoint(self.sections):
                seconds += seconds_of_ranks(state)
        return seconds + 2.0 * (not {"stochastic", "convergence"}.isdisjoint(self.sections))

    def _arguments(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in COMPARED}

    def _key(self) -> tuple[Any, ...]:
        return (repr(self._document()),)

    def _options(self, value: Any) -> dict[str, Any]:
        return options_of(value, "compare", "compare")

    def _document(self) -> dict[str, Any]:
        """What the report is given beside the data, in the order of its arguments."""
        arguments = {
            "title": self.title,
            "authors": list(self.authors),
            "abstract": self.abstract,
            "date": self.date,
            "sections": None if self.sections == self._usual else list(self.sections),
            "titles": dict(self.titles),
            "compare": self.compare,
        }
        given = {name: value for name, value in arguments.items() if value not in (None, [], {})}
        if arguments["sections"] == []:
            given["sections"] = []
        for name in ("stochastic", "convergence"):
            options = getattr(self, name)
            if options is not None:
                given[name] = dict(options)
        return given

    def _report(self, **changed: Any) -> Report:
        """A report of the settings as they are, with changes."""
        arguments = {**self._document(), **changed}
        return Report(self.experiment, histories=self.histories, **arguments)

    def _reason(self, name: str, word: Any, state: State | None = None) -> str | None:
        if name == "formats":
            kinds = (word,) if isinstance(word, str) else word
            reason = next(filter(None, map(unavailable, kinds)), "")
            return reason.rstrip(".") or None
        if name in COMPARED and self.experiment is None:
            default = self._settings()[name].entry.default
            return None if word == default else "the report has no experiment"
        return super()._reason(name, word, state)

    def _repair(self) -> None:
        """Sections that follow the options, and those that are not possible any more."""
        super()._repair()
        ready, self._ready = self._ready, False
        try:
            usual, told = self.usual_sections(), list[str]()
            kept = self.sections
            if kept == self._usual:
                kept = usual
            else:
                kept, told = self._possible()
            self._usual = usual
            if kept != self.sections:
                self.sections = kept
            self._notices.extend(told)
        finally:
            self._ready = ready

    def _changed(self, change: Bunch | None) -> None:
        super()._changed(change)
        if self._ready and change is not None and change.name in COMPARED:
            given = Bunch(name="compare", new=self.compare, owner=self, type="change")
            self.notify_change(given)

    def _possible(self) -> tuple[tuple[str, ...], list[str]]:
        """The sections without those that the data and options do not allow, and why."""
        reasons = {name: self.why_not(name) for name in self.sections if name in SECTIONS}
        refused = {name: reason for name, reason in reasons.items() if reason}
        kept = tuple(name for name in self.sections if name not in refused)
        told = [f"Section {name} was taken out: it {why}." for name, why in refused.items()]
        return kept, told
