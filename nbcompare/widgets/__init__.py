"""Builders: controls for an analysis or a report, with the code that repeats it.

They consist of core ipywidgets, and are tested in JupyterLab 4 and Notebook 7. VS Code (whose
setting ``jupyter.widgetScriptSources`` may have to allow a source of their scripts) and Colab
show such widgets too, according to their documentation. All four were tried in Voilà 0.5, which
has no new cells and copies the code instead, and does not update an output once its cell has
run: there, what stays without the widgets is the first view, not the last one.

*Code to a new cell* makes one in a Jupyter that is started with ``--expose-app-in-browser``;
elsewhere it copies, as *Copy code* does, and where the page may not use the clipboard it asks
you to select the code. Figures are saved where the kernel runs. Without widgets, as in a
terminal, a builder shows its result and its code as text.
"""

from nbcompare.widgets.cd_diagram import CDDiagramBuilder
from nbcompare.widgets.data_builder import DataBuilder
from nbcompare.widgets.fuzzy_pvalue import FuzzyPValueBuilder
from nbcompare.widgets.page_trend import PageTrendBuilder
from nbcompare.widgets.report_builder import ReportBuilder

__all__ = [
    "CDDiagramBuilder",
    "DataBuilder",
    "FuzzyPValueBuilder",
    "PageTrendBuilder",
    "ReportBuilder",
]
