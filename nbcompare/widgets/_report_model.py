"""The report behind a ReportBuilder, and how its sections and options follow one another."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from nbcompare import analysis
from nbcompare._options import SECTIONS
from nbcompare._validation import shown
from nbcompare.analysis.rules import State, facts_of_gaps, facts_of_scores
from nbcompare.experiment import Experiment
from nbcompare.histories import Histories
from nbcompare.report.make import unavailable
from nbcompare.report.report import Report
from nbcompare.widgets import _code
from nbcompare.widgets._beside import why_not_beside
from nbcompare.widgets._choices import ChosenSettings
from nbcompare.widgets._exporting import Document
from nbcompare.widgets._model import Model
from nbcompare.widgets._report_settings import COMPARED
from nbcompare.widgets._settings import Setting
from nbcompare.widgets.cd_diagram import (
    COMPARED_RULES,
    RankModel,
    recommended_design,
)


class ChosenReportSettings(ChosenSettings):
    """Settings of a report, which may have no experiment."""

    def reason(self, name: str, value: Any, state: State | None = None) -> str | None:
        """Return why a value is not available now, None if it is."""
        if name == "formats":
            kinds = (value,) if isinstance(value, str) else value
            reason = next(filter(None, map(unavailable, kinds)), "")
            return reason.rstrip(".") or None
        if name in COMPARED and self.builder.data is None:
            default = self.settings[name].entry.default
            return None if value == default else "the report has no experiment"
        return super().reason(name, value, state)

    def refusal(self, name: str, value: Any) -> str | None:
        """Return the error that names the setting, None without any."""
        reason = self.reason(name, value)
        if reason is None:
            return None
        return super().refusal(name, value) or f"`{name}` must not be {value!r} here: {reason}."

    def arguments(self) -> dict[str, Any]:
        """Return the options of the comparison."""
        return {name: self.settings[name].argument(self.value(name)) for name in COMPARED}


class ReportModel(Model):
    """A report of an experiment, of histories, or of both.

    Parameters
    ----------
    builder, data, settings : object
        As for every model; the data are an experiment, or None.
    histories : Histories, optional
        The histories of runs.
    usual : bool
        Whether the sections follow the data and the options until they are changed.
    advised : bool
        Whether the options begin with what is recommended.
    """

    noun = "report"
    advises = True
    rules, idle = COMPARED_RULES, RankModel.idle
    choices_kind = ChosenReportSettings

    def __init__(
        self,
        builder: Any,
        data: Any,
        settings: Mapping[str, Setting],
        *,
        histories: Histories | None,
        usual: bool,
        advised: bool,
    ) -> None:
        if histories is not None and not isinstance(histories, Histories):
            raise TypeError(f"`histories` must be Histories; got {shown(histories)}.")
        self.histories = histories
        self._usual: tuple[str, ...] | None = () if usual else None
        self._advised = advised
        super().__init__(builder, data, settings)

    def checked(self, data: Any) -> Experiment | None:
        """Return the experiment, or None if there are histories."""
        if data is None and self.histories is None:
            raise ValueError("a report needs an `experiment`, `histories`, or both; got neither.")
        if data is not None and not isinstance(data, Experiment):
            raise TypeError(f"`experiment` must be an Experiment; got {shown(data)}.")
        return data

    def selected(self, axis: str) -> tuple[str, ...]:
        """Return all names on an axis of the experiment."""
        names: tuple[str, ...] = () if self.data is None else getattr(self.data, axis)
        return names

    def has_control(self, name: str) -> bool:
        """Return whether a setting matters for these data."""
        experiment: Experiment | None = self.data
        if name in COMPARED:
            return experiment is not None
        if name == "stochastic":
            return experiment is not None and (
                experiment.is_interval or experiment.n_folds * experiment.n_runs > 1
            )
        if name == "convergence":
            return self.histories is not None
        return name != "titles"  # they stand beside the list of sections

    def defaults(self, settings: dict[str, Any]) -> Mapping[str, Any]:
        """Return what is recommended, unless options were given."""
        if not self._advised or self.data is None:
            return {}
        asked = {name: settings[name] for name in ("control", "alpha") if name in settings}
        try:
            return {"missing": analysis.recommend(self.data, **asked).missing}
        except (ValueError, TypeError):
            return {}  # of scores that are not compared by ranks

    def usual(self, name: str) -> Any:
        """Return what a setting is if nobody sets it: sections follow the options."""
        return self._usual if name == "sections" else super().usual(name)

    def recommended(self) -> tuple[dict[str, Any], str]:
        """Return the design that is recommended for the experiment."""
        if self.data is None:
            raise ValueError("nothing is recommended without an experiment.")
        return recommended_design(self.data, self.choices)

    def facts(self) -> Mapping[str, Any]:
        """Return the size of the experiment, and what is missing."""
        if self.data is None:
            return {"k": 0, "n": 0, **facts_of_gaps(None, "compare"), "algorithms": ()}
        return {**facts_of_scores(self.data), "algorithms": self.data.algorithms}

    # ------------------------------------------------------------------------ the report

    def arguments(self) -> dict[str, Any]:
        """Return what the report is given beside the data, in the order of its arguments."""
        return self._beside(self._given())

    def _beside(self, given: dict[str, Any]) -> dict[str, Any]:
        """Return arguments with the options of the Bayesian comparison, if a section shows it."""
        margin = self.choices.value("margin")
        if margin is None or "bayesian" not in (given.get("sections") or ()):
            return given
        return {**given, "bayesian": {"rope": margin or 0}}

    def _given(self) -> dict[str, Any]:
        value = self.choices.value
        sections = value("sections")
        arguments = {
            "title": value("title"),
            "authors": list(value("authors")),
            "abstract": value("abstract"),
            "date": value("date"),
            "sections": None if sections == self._usual else list(sections),
            "titles": dict(value("titles")),
            "compare": self.choices.given(),
        }
        given = {name: value for name, value in arguments.items() if value not in (None, [], {})}
        if arguments["sections"] == []:
            given["sections"] = []
        for name in ("stochastic", "convergence"):
            if value(name) is not None:
                given[name] = dict(value(name))
        return given

    def changed(self, **changed: Any) -> Report:
        """Return a report of the settings as they are, with changes."""
        given = self._beside({**self._given(), **changed})
        return Report(self.data, histories=self.histories, **given)

    def key(self) -> tuple[Any, ...]:
        """Return what the report depends on, of these data."""
        return (repr(self.arguments()),)

    @property
    def result(self) -> Report:
        """The report with the settings as they are."""
        report: Report = self.results.made(self.key(), self.changed)
        return report

    def paths(self) -> tuple[str, ...]:
        """Return the files that an export writes."""
        path = self.choices.value("path")
        return tuple(f"{path}{kind}" for kind in self.choices.value("formats"))

    def document(self) -> Document:
        """Return the report on its way to another process."""
        return Document.of(self.data, self.histories, self.arguments())

    @property
    def code(self) -> str:
        """Python code that makes the same report, and writes it in the formats that are chosen."""
        space = _code.user_names()
        own = _code.name_of(self.builder, space)
        names, lines = {}, []
        for name, value in {"experiment": self.data, "histories": self.histories}.items():
            bound = "" if value is None else _code.name_of(value, space)
            names[name] = "" if value is None else bound or name
            if value is not None and not bound:
                lines.append(self._loading(value, name, own))
        made = _code.report(names["experiment"], names["histories"], self.arguments(), self.paths())
        return "\n".join(["import nbcompare as nbc\n", *filter(None, lines), made])

    def _loading(self, value: Any, name: str, own: str) -> str:
        if value is not self.data:
            return f"{name} = {own}.{name}" if own else _code.loading(value, name)
        if self.loaded_by is not None:
            return self.loaded_by(name)
        named = f"{name} = {own}.{name}" if own else _code.loading(value, name)
        return _code.reading(self.frame, name) or named

    # ---------------------------------------------------------------------- the sections

    def check(self, name: str, value: Any) -> None:
        """Raise the error of the report for sections that it does not take."""
        if name == "sections":
            if "bayesian" in value and self.data is not None:
                reason, instead = why_not_beside(self.choices.state())
                if reason:
                    raise ValueError(f"section 'bayesian' {reason}. {instead}".strip())
            self.changed(sections=value)

    def usual_sections(self) -> tuple[str, ...]:
        """Return the sections that suit the data and the options, in their order."""
        return tuple(self.changed(sections=None).sections or ())

    def why_not(self, section: str) -> str:
        """Return why a section cannot be in the report, empty if it can."""
        if section == "bayesian" and self.data is not None:
            reason, _ = why_not_beside(self.choices.state())
            if reason:
                return reason
        try:
            self.changed(sections=[section])
        except ValueError as error:
            return str(error).removeprefix(f"section {section!r} ").rstrip(".")
        return ""

    def repair(self) -> None:
        """Have sections follow the options, and remove those that are not possible any more."""
        super().repair()
        usual, sections = self.usual_sections(), self.choices.value("sections")
        kept = usual if sections == self._usual else self._possible(sections)
        self._usual = usual
        if kept != sections:
            self.builder.sections = kept

    def _possible(self, sections: tuple[str, ...]) -> tuple[str, ...]:
        """Return the sections that the data and options allow, with a notice of the others."""
        reasons = {name: self.why_not(name) for name in sections if name in SECTIONS}
        refused = {name: reason for name, reason in reasons.items() if reason}
        self.choices.notices.extend(
            f"The section “{name}” was removed: it {why}." for name, why in refused.items()
        )
        return tuple(name for name in sections if name not in refused)
