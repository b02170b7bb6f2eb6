"""Make a report: build the notebook, run it, export it."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from nbcompare.report.execute import execute
from nbcompare.report.files import check_target, write_whole

if TYPE_CHECKING:
    from nbformat import NotebookNode

FORMATS = (".html", ".ipynb")


def make_report(
    output: Path,
    options: Mapping[str, Any],
    *,
    data: Path | None = None,
    reading: Mapping[str, Any] | None = None,
    example: str | None = None,
    histories: Path | None = None,
    history_reading: Mapping[str, Any] | None = None,
    trend: Mapping[str, Any] | None = None,
) -> None:
    """Compare the algorithms of files or a bundled example, and write the report.

    Parameters
    ----------
    output : Path
        Ends in .html (one page, no network needed) or .ipynb (the executed notebook).
    options : mapping
        Of :func:`nbcompare.compare`.
    data, reading : Path and mapping
        File of scores, and the arguments of :meth:`Experiment.read`.
    example : str
        Name of a bundled example, instead of ``data``.
    histories, history_reading : Path and mapping
        Logs of runs, beside or instead of scores, and the arguments of
        :meth:`Histories.read`.
    trend : mapping
        Options of :func:`nbcompare.compare_convergence`.

    Raises
    ------
    ValueError
        For options or data that are not right.
    ReportError
        If a cell of the notebook fails.
    OSError
        If the output cannot be written; nothing is left behind then.
    """
    if output.suffix.lower() not in FORMATS:
        raise ValueError(f"the output must end in {' or '.join(FORMATS)}; got {output.name!r}.")
    check_target(output)
    folder = output.resolve().parent

    def build() -> NotebookNode:
        # Imported while the kernel starts: pandas, scipy and matplotlib take a second.
        from nbcompare.report.notebook import comparison_notebook
        from nbcompare.report.source import HistorySource, Source, holds_histories

        source: Source | None = None
        logs: HistorySource | None = None
        if data is not None:
            source = Source.file(data, seen_from(folder, data), reading or {})
        elif example is not None and holds_histories(example):
            logs = HistorySource.example(example)
        elif example is not None:
            source = Source.example(example)
        if histories is not None:
            logs = HistorySource.file(
                histories, seen_from(folder, histories), history_reading or {}
            )
        notebook = comparison_notebook(source, options, logs, trend)
        if output.suffix.lower() == ".html":
            from nbcompare.report import exporters  # noqa: F401  (a second that is free here)
        return notebook

    write_whole(output, _exported(execute(build, folder), output))


def seen_from(folder: Path, data: Path) -> str:
    """Path of the data as the notebook writes it."""
    return Path(os.path.relpath(data.resolve(), folder)).as_posix()


def _exported(notebook: NotebookNode, output: Path) -> str:
    if output.suffix.lower() == ".ipynb":
        import nbformat

        return str(nbformat.writes(notebook)) + "\n"
    from nbcompare.report.exporters import ReportHTMLExporter

    resources = {"metadata": {"name": output.stem}}
    page, _ = ReportHTMLExporter().from_notebook_node(notebook, resources=resources)
    return str(page)
