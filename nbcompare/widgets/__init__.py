"""Builders: controls for an analysis or a report, with the code that repeats it.

Each is one widget (anywidget) with one connection to its page, and all are tested in
JupyterLab 4 and Notebook 7. `nbcompare app` shows them on a page of its own, and docs/hosts.md says
what is known of other applications.

*Code to a new cell* makes one in a Jupyter that is started with ``--expose-app-in-browser``;
elsewhere it copies, as *Copy code* does, and where the page may not use the clipboard it asks
you to select the code. Without widgets, as in a terminal, a builder shows its result and its code
as text.
"""

from __future__ import annotations

import importlib

# type checkers know this name; importing it from `typing` would slow down the import
TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from nbcompare.widgets.analysis_builder import builder
    from nbcompare.widgets.cd_diagram import CDDiagramBuilder, WithinBuilder
    from nbcompare.widgets.data_builder import DataBuilder
    from nbcompare.widgets.fuzzy_pvalue import FuzzyPValueBuilder
    from nbcompare.widgets.page_trend import PageTrendBuilder
    from nbcompare.widgets.plan import PlanBuilder
    from nbcompare.widgets.report_builder import ReportBuilder

__all__ = [
    "CDDiagramBuilder",
    "DataBuilder",
    "FuzzyPValueBuilder",
    "PageTrendBuilder",
    "PlanBuilder",
    "ReportBuilder",
    "WithinBuilder",
    "builder",
]
_HOME = {
    "CDDiagramBuilder": "cd_diagram",
    "DataBuilder": "data_builder",
    "FuzzyPValueBuilder": "fuzzy_pvalue",
    "PageTrendBuilder": "page_trend",
    "PlanBuilder": "plan",
    "ReportBuilder": "report_builder",
    "WithinBuilder": "cd_diagram",
    "builder": "analysis_builder",
}


def __getattr__(name: str) -> Any:
    # the worker's process computes without any widgets, which take seconds to import
    if name not in _HOME:
        raise AttributeError(f"module 'nbcompare.widgets' has no attribute {name!r}")
    value = getattr(importlib.import_module(f"nbcompare.widgets.{_HOME[name]}"), name)
    globals()[name] = value
    return value
