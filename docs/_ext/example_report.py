"""The report that the page for beginners shows, made by the version that the site is about."""

from __future__ import annotations

from pathlib import Path

from sphinx.application import Sphinx

import nbcompare as nbc

FILE = "example-report.html"


def _write(app: Sphinx, problem: Exception | None) -> None:
    report = Path(app.outdir) / FILE
    if problem is None and app.builder.format == "html" and not report.exists():
        scores = nbc.Experiment.read(
            Path(app.srcdir) / "scores.csv", direction="maximize", measure="AUC"
        )
        nbc.Report(scores).export(report)


def setup(app: Sphinx) -> dict[str, bool]:
    """Write the report beside the pages, unless it is there."""
    app.connect("build-finished", _write)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
