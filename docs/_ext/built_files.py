"""Files that a build writes: whether one from before can stay, and the report for beginners.

The page for beginners shows a report that is made by the version that the site is about.
"""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import TYPE_CHECKING

import nbcompare as nbc

if TYPE_CHECKING:
    from sphinx.application import Sphinx

PACKAGE = Path(nbc.__file__).parent
REPORT = "example-report.html"


def is_newer(file: Path, *sources: Path) -> bool:
    """Return whether a file is there and newer than all of its sources.

    Parameters
    ----------
    file : path
        What was written.
    *sources : path
        What it was made from; a folder stands for all Python files in it.
    """
    read = [found for it in sources for found in ([it] if it.is_file() else it.rglob("*.py"))]
    return file.is_file() and file.stat().st_mtime > max(it.stat().st_mtime for it in read)


def _write(app: Sphinx, problem: Exception | None) -> None:
    if problem is not None or app.builder.format != "html":
        return
    report, table = Path(app.outdir) / REPORT, Path(app.srcdir) / "scores.csv"
    if not is_newer(report, table, PACKAGE, Path(__file__)):
        # beside the report, whose code reads it there
        beside = shutil.copy(table, report.parent)
        scores = nbc.Experiment.read(beside, direction="maximize", measure="AUC")
        nbc.Report(scores).export(report)


def setup(app: Sphinx) -> dict[str, bool]:
    """Write the report beside the pages, unless it is newer than the package."""
    app.connect("build-finished", _write)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
