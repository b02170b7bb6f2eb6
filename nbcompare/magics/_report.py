"""``%nbreport``: the results of a notebook, as a report."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from traitlets import TraitError

from nbcompare._commands import add_document
from nbcompare._validation import did_you_mean, listed
from nbcompare.experiment import Experiment
from nbcompare.histories import Histories
from nbcompare.magics._lines import LineParser, speech
from nbcompare.magics._result_log import ResultLog
from nbcompare.magics._sources import CLASSES, Data

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
    """Return the builder of a report on the data of a line, or else those of the notebook."""
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
