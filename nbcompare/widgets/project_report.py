"""The report of a project: that of its report page, on what its comparison page selects."""

from __future__ import annotations

from typing import Any

from nbcompare.project import Project
from nbcompare.report.report import Report
from nbcompare.widgets._data_tabs import COMPARISON, PAGES, REPORT
from nbcompare.widgets.report_builder import ReportBuilder


def report_of(project: Project) -> Report:
    """Return the report that the report page of a project shows.

    Raises
    ------
    ValueError
        If it has no data, its data cannot be read, or its settings are not for them.
    """
    experiment, options = project.experiment, {}
    settings: dict[str, Any] = dict(project.settings.get(REPORT, {}))
    if experiment is not None and COMPARISON in project.settings:
        kind = next(it.kind for it in PAGES if it.title == COMPARISON and it.suits(experiment))
        compared = kind(experiment, **project.settings[COMPARISON])
        experiment, options = compared.selection, compared.options
    if REPORT not in project.settings and options:
        settings["compare"] = options
    builder = ReportBuilder(experiment, project.histories, **settings)
    report: Report = builder.report
    return report
