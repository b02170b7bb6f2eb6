"""``%nbreport``: the results of a notebook, as a report."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol
from weakref import WeakKeyDictionary

from traitlets import TraitError

from nbcompare._commands import add_document
from nbcompare._validation import did_you_mean, listed
from nbcompare.experiment import Experiment
from nbcompare.histories import Histories
from nbcompare.magics._lines import LineParser, speech
from nbcompare.magics._sources import CLASSES, Data

if TYPE_CHECKING:
    from nbcompare.magics._sources import Data, Source
    from nbcompare.results import Result


_MOST = 200  # lines whose results are kept


@dataclass(frozen=True, slots=True)
class _Entry:
    """A result, the line of a cell that computed it, and the data it is about."""

    cell: str | None
    line: str
    result: Result
    source: Source
    is_bound: bool  # by --as: reported under that name, or not at all


class ResultLog:
    """Results of lines, one for each line of a cell at its last run, and when they came.

    Every result of the notebook has its number in the order in which it was first seen, those
    that lines made and those that are bound to names: looked for after every cell, and
    before a line makes another.
    """

    def __init__(self) -> None:
        self._entries: list[_Entry] = []
        self._cell: str | None = None
        self._numbers: WeakKeyDictionary[Result, int] = WeakKeyDictionary()
        self._next = 0

    def begin_cell(self, cell: str) -> None:
        """Forget results of an earlier run of the cell."""
        self._cell = cell
        self._entries = [entry for entry in self._entries if entry.cell != cell]

    def end_cell(self, namespace: Mapping[str, object]) -> None:
        """Look for new results."""
        self.look(namespace)
        self._cell = None

    def look(self, namespace: Mapping[str, object]) -> None:
        """Number the results that were not there before."""
        if "nbcompare.results" in sys.modules:  # before, there are none
            from nbcompare.results import Result

            for value in list(namespace.values()):
                if isinstance(value, Result):
                    self._number(value)

    def add(self, line: str, result: Result, source: Source, *, is_bound: bool) -> None:
        """Keep the result of a line, instead of its earlier one."""
        key = self._cell, line
        self._entries = [entry for entry in self._entries if (entry.cell, entry.line) != key]
        self._entries.append(_Entry(*key, result, source, is_bound))
        self._entries = self._entries[-_MOST:]
        self._number(result)

    def results(self, namespace: Mapping[str, object]) -> dict[str, Result]:
        """Return all results by name, those without one too, in the order they were computed."""
        from nbcompare.report.collect import results_in

        self.look(namespace)
        unnamed = [entry.result for entry in self._entries if not entry.is_bound]
        found = results_in(namespace, unnamed)
        return dict(sorted(found.items(), key=lambda item: self._numbers[item[1]]))

    def data(self, namespace: Mapping[str, object]) -> dict[str, Data]:
        """Return data by name: those that are bound, and those that lines were about."""
        from nbcompare.report.collect import data_in

        return data_in(namespace, [entry.source[:2] for entry in self._entries])

    def _number(self, result: Result) -> None:
        if result not in self._numbers:
            self._numbers[result] = self._next
            self._next += 1


def cell_of(info: Any) -> str:
    """Return what tells a cell from others: its id, or else its text."""
    return str(getattr(info, "cell_id", None) or info.raw_cell)


class Session(Protocol):
    """What lines of a notebook share."""

    alpha: float | None
    direction: str | None
    log: ResultLog
    notes: list[str]

    @property
    def namespace(self) -> dict[str, Any]:
        """Names of the notebook."""


# Options of the report itself
_DOCUMENT = ("title", "authors", "abstract", "date", "full", "code")


def report_parser() -> LineParser:
    """Return the parser of the lines of %nbreport."""
    parser = LineParser("nbreport", "FILE...", "[NAME...]")
    # no default: a report that exists already may have a date
    date = "date to print on the report, or today"
    add_document(parser.take_own, parser.take_flag, date=date)
    parser.take_flag("--builder", "open the builder of reports instead")
    return parser


def run(line: str, namespace: Mapping[str, Any], log: ResultLog) -> Any:
    """Write the report that a line asks for, and print its files, or return the builder."""
    from nbcompare.report.execute import ReportError

    parser = report_parser()
    words, given = parser.read(line)
    try:
        if given.builder:
            return _builder_of(words, given, namespace)
        for path in _written(words, given, namespace, log):
            print(path)
    except (ValueError, TypeError, OSError, ImportError, ReportError, TraitError) as error:
        for path in getattr(error, "written", ()):
            print(path)
        options = {name: f"--{name.replace('_', '-')}" for name in _DOCUMENT}
        said = speech({**options, "authors": "--author"}).says(str(error))
        parser.error(said)
    return None


def report_words(namespace: Mapping[str, Any], builder: bool) -> list[str]:
    """Return names that a line of %nbreport may have: of results and reports, or of data."""
    from nbcompare.report.collect import results_in
    from nbcompare.report.report import Report

    if builder:
        return list(_data_of(namespace))
    reports = [
        name
        for name, value in namespace.items()
        if isinstance(value, Report) and not name.startswith("_")
    ]
    return [*results_in(namespace), *reports]


def _written(
    words: list[str], given: argparse.Namespace, namespace: Mapping[str, Any], log: ResultLog
) -> tuple[Path, ...]:
    from nbcompare.report.collect import named, report_of
    from nbcompare.report.make import FORMATS
    from nbcompare.report.report import Report

    known = ", ".join(FORMATS[:-1]) + f" or {FORMATS[-1]}"
    outputs = [word for word in words if word.lower().endswith(FORMATS)]
    names = [word for word in words if word not in outputs]
    for word in names:
        if not word.isidentifier():
            raise ValueError(f"a report is written to a file that ends in {known}; got {word!r}.")
    if not outputs:
        raise ValueError(f"name a file to write, which ends in {known}.")
    found = namespace.get(names[0]) if len(names) == 1 else None
    if isinstance(found, Report):
        report = replace(found, **_document(given))
    else:
        results = named(names, namespace) if names else log.results(namespace)
        if not results:
            raise ValueError(
                "there are no results to report: make one, as in %compare experiment or "
                "comparison = nbc.compare(experiment)."
            )
        report = report_of(results, log.data(namespace), **_document(given))
    return report.export(*outputs)


def _builder_of(words: list[str], given: argparse.Namespace, namespace: Mapping[str, Any]) -> Any:
    """Return the builder of a report on the data that a line names, or that are there."""
    from nbcompare.report.report import Report
    from nbcompare.widgets import ReportBuilder

    there = _data_of(namespace)
    if not there:
        raise ValueError("there are no data here; make an Experiment or a Histories first.")
    for word in words:
        if word not in there:
            hint = did_you_mean(word, there)
            raise ValueError(f"there are no data {word!r} here.{hint} Data are {listed(there)}.")
    chosen: dict[str, Any] = {}
    for key, kind in CLASSES.items():
        names = [word for word in (words or there) if isinstance(there[word], kind)]
        if len(names) > 1:
            raise ValueError(f"the builder takes one {kind.__name__}: name one of {listed(names)}.")
        chosen[key] = there[names[0]] if names else None
    document = _document(given)
    document.pop("code", None)  # the builder writes what its buttons say
    if document.pop("full", False):
        document["sections"] = tuple(Report(**chosen, full=True).sections or ())
    return ReportBuilder(chosen["experiment"], histories=chosen["histories"], **document)


def _document(given: argparse.Namespace) -> dict[str, Any]:
    return {key: value for key in _DOCUMENT if (value := getattr(given, key))}


def _data_of(namespace: Mapping[str, Any]) -> dict[str, Data]:
    return {
        name: value
        for name, value in namespace.items()
        if isinstance(value, Experiment | Histories) and not name.startswith("_")
    }
