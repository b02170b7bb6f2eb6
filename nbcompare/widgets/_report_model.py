"""The report behind a ReportBuilder, and how its sections and options follow one another."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from nbcompare._options import SECTIONS
from nbcompare._validation import shown
from nbcompare.analysis.rules import facts_of_gaps, facts_of_scores
from nbcompare.experiment import Experiment
from nbcompare.histories import Histories
from nbcompare.report.make import unavailable
from nbcompare.report.report import Report
from nbcompare.widgets import _code
from nbcompare.widgets._model import Model
from nbcompare.widgets._settings import Setting, options_of
from nbcompare.widgets._worker import Work
from nbcompare.widgets.cd_diagram import RankModel, advised_missing

COMPARED = tuple(options_of("compare"))  # options of a comparison, which are traits too
# Options of other analyses, each a trait
FURTHER = ("bayesian", "stochastic", "convergence")


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
    rules, idle = RankModel.rules, RankModel.idle

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
        if name in COMPARED:
            return self.data is not None
        return name not in ("titles", *FURTHER)  # they are set in code

    def defaults(self, settings: dict[str, Any]) -> Mapping[str, Any]:
        """Return what is recommended, unless options were given."""
        is_advised = self._advised and self.data is not None
        return advised_missing(self.data, settings) if is_advised else {}

    def usual(self, name: str) -> Any:
        """Return what a setting is if nobody sets it: sections follow the options."""
        return self._usual if name == "sections" else super().usual(name)

    def facts(self) -> Mapping[str, Any]:
        """Return the size of the experiment, and what is missing."""
        if self.data is None:
            return {"k": 0, "n": 0, **facts_of_gaps(None, "compare"), "algorithms": ()}
        return {**facts_of_scores(self.data), "algorithms": self.data.algorithms}

    # ------------------------------------------------------------------------ the report

    def arguments(self, **changed: Any) -> dict[str, Any]:
        """Return what the report is given beside the data, in the order of its arguments."""
        value = self.choices.value
        sections = value("sections")
        given: dict[str, Any] = {
            "title": value("title"),
            "authors": list(value("authors")),
            "abstract": value("abstract"),
            "date": value("date"),
            "sections": None if sections == self._usual else list(sections),
            "titles": dict(value("titles")),
            "compare": self.choices.given(),
        }
        given = {
            name: value
            for name, value in given.items()
            if value not in (None, [], {}) or (name == "sections" and value == [])
        }
        further = {name: value(name) for name in FURTHER}
        return given | {name: dict(it) for name, it in further.items() if it is not None} | changed

    def changed(self, **changed: Any) -> Report:
        """Return a report of the settings as they are, with changes."""
        return Report(self.data, histories=self.histories, **self.arguments(**changed))

    def key(self) -> tuple[Any, ...]:
        """Return what the report depends on, of these data."""
        return (repr(self.arguments()),)

    def task(self) -> Work:
        """Return how the report is made, which computes nothing yet."""
        return self.changed

    def paths(self) -> tuple[str, ...]:
        """Return the files that an export writes."""
        path = self.choices.value("path")
        return tuple(f"{path}{kind}" for kind in self.choices.value("formats"))

    @property
    def code(self) -> str:
        """Python code that makes the same report, and writes it in the formats that are chosen."""
        (scores, loading), (logs, further) = (
            ("", "") if data is None else self.data_code(data, name)
            for name, data in (("experiment", self.data), ("histories", self.histories))
        )
        made = _code.report(scores, logs, self.arguments(), self.paths())
        lines = filter(None, (loading, further, made))
        return "\n".join(["import nbcompare as nbc\n", *lines])

    # ---------------------------------------------------------------------- the sections

    def check(self, name: str, value: Any) -> None:
        """Raise the error of the report for sections that it does not take, and for formats."""
        if name in COMPARED and self.data is None and value != self.usual(name):
            raise ValueError(f"`{name}` must not be {value!r} here: the report has no experiment.")
        for kind in value if name == "formats" else ():
            if reason := unavailable(kind):
                raise ValueError(f"`formats` must not be {kind!r} here: {reason.rstrip('.')}.")
        if name == "sections":
            self.changed(sections=value)
        if name in FURTHER and value is not None:  # whether its section is ticked or not
            self.changed(**{name: value, "sections": None})

    def usual_sections(self) -> tuple[str, ...]:
        """Return the sections that suit the data and the options, in their order."""
        return tuple(self.changed(sections=None).sections or ())

    def possible_sections(self) -> tuple[str, ...]:
        """Return the sections of the report, and each other one that it can have in its place."""
        found, place = list(self.choices.value("sections")), 0
        for name in SECTIONS:
            if name in found:
                place = found.index(name) + 1
                while place < len(found) and found[place] not in SECTIONS:
                    place += 1  # a text stays below its section
            elif not self.why_not(name):
                found.insert(place, name)
                place += 1
        return tuple(found)

    def why_not(self, section: str) -> str:
        """Return why a section cannot be in the report, empty if it can."""
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
