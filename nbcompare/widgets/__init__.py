"""Builders: an analysis under one's hands, with the code that repeats it."""

from nbcompare.widgets.cd_diagram import CDDiagramBuilder
from nbcompare.widgets.fuzzy_pvalue import FuzzyPValueBuilder
from nbcompare.widgets.page_trend import PageTrendBuilder
from nbcompare.widgets.report_builder import ReportBuilder

__all__ = ["CDDiagramBuilder", "FuzzyPValueBuilder", "PageTrendBuilder", "ReportBuilder"]
