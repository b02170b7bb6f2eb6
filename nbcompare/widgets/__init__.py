"""Builders: controls for an analysis or a report, with the code that repeats it.

Each is one widget (anywidget) with one connection to its page, and all are tested in
JupyterLab 4, Notebook 7 and, as `nbcompare app`, in Voilà 0.5; docs/hosts.md says what is known of
other applications. Voilà has no new cells and copies the code instead, and does not update an
output once its cell has run: there, what stays without the widgets is the first view.

*Code to a new cell* makes one in a Jupyter that is started with ``--expose-app-in-browser``;
elsewhere it copies, as *Copy code* does, and where the page may not use the clipboard it asks
you to select the code. Figures are saved where the kernel runs. Without widgets, as in a
terminal, a builder shows its result and its code as text.
"""

from nbcompare.widgets.analysis_builder import builder
from nbcompare.widgets.cd_diagram import CDDiagramBuilder
from nbcompare.widgets.data_builder import DataBuilder
from nbcompare.widgets.fuzzy_pvalue import FuzzyPValueBuilder
from nbcompare.widgets.page_trend import PageTrendBuilder
from nbcompare.widgets.plan import PlanBuilder
from nbcompare.widgets.report_builder import ReportBuilder
from nbcompare.widgets.within import WithinBuilder

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
