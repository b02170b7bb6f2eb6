"""The names under which nbconvert finds our exporters, and templates their preprocessors.

Each name is imported when it is asked for: an HTML page needs nothing of LaTeX or Typst. The names
stay as they are, because an installed copy of a template may hold them for years.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from nbcompare.report.latex.exporter import LatexPreprocessor, ReportLatexExporter
    from nbcompare.report.page.content import ReportPreprocessor
    from nbcompare.report.page.exporter import ReportHTMLExporter
    from nbcompare.report.typst.exporter import ReportPDFExporter, TypstPreprocessor

__all__ = [
    "LatexPreprocessor",
    "ReportHTMLExporter",
    "ReportLatexExporter",
    "ReportPDFExporter",
    "ReportPreprocessor",
    "TypstPreprocessor",
]

_HOME = {
    "LatexPreprocessor": "latex.exporter",
    "ReportHTMLExporter": "page.exporter",
    "ReportLatexExporter": "latex.exporter",
    "ReportPDFExporter": "typst.exporter",
    "ReportPreprocessor": "page.content",
    "TypstPreprocessor": "typst.exporter",
}


def __getattr__(name: str) -> Any:
    """Import an exporter or a preprocessor when it is asked for."""
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(f"nbcompare.report.{_HOME[name]}"), name)
