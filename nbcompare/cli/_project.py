"""The report of a project, whose data and settings are in its file."""

from __future__ import annotations

import argparse

from nbcompare._files import PROJECT
from nbcompare._messages import Speech
from nbcompare.cli._data import Answer, exported
from nbcompare.cli._signals import in_order

_OWN = {"data", "output"}


def is_project(given: argparse.Namespace) -> bool:
    """Tell whether a line names a project as its data."""
    return given.data is not None and str(given.data.suffix).lower() == PROJECT


def report_of_project(given: argparse.Namespace, words: Speech) -> Answer:
    """Write the report of the project that a line names."""
    blank = given.parser.parse_args([str(given.data), "-o", "-"])
    for name, value in vars(given).items():
        if name not in _OWN and value != getattr(blank, name, None):
            option = next(one for one in given.parser._actions if one.dest == name)  # noqa: SLF001 - argparse lists them nowhere else
            given.parser.error(
                f"{option.option_strings[0]} is for a table; the settings of a project are in its "
                f"file. Change them with: nbcompare app {given.data}"
            )
    from nbcompare.project import open_project
    from nbcompare.report.make import check_outputs
    from nbcompare.widgets.project_report import report_of

    with in_order(), words.telling():
        check_outputs(given.output)
        try:
            report = report_of(open_project(given.data))
        except TypeError as error:  # of settings that there are not
            raise ValueError(f"{given.data} cannot be read: {error}") from None
        return exported(given.output, report, words)
