"""The report that the page for beginners shows, made by the version that the site is about."""

from __future__ import annotations

from pathlib import Path

from freshness import PACKAGE, is_newer
from sphinx.application import Sphinx

import nbcompare as nbc

FILE = "example-report.html"


def _write(app: Sphinx, problem: Exception | None) -> None:
    if problem is not None or app.builder.format != "html":
        return
    report, table = Path(app.outdir) / FILE, Path(app.srcdir) / "scores.csv"
    if not is_newer(report, table, PACKAGE, Path(__file__)):
        scores = nbc.Experiment.read(table, direction="maximize", measure="AUC")
        nbc.Report(scores).export(report)


def setup(app: Sphinx) -> dict[str, bool]:
    """Write the report beside the pages, unless it is newer than the package."""
    app.connect("build-finished", _write)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
