"""Where each name is from: type checkers read this, and so does the package."""

__all__: list[str]
from nbcompare.widgets.analysis_builder import builder as builder
from nbcompare.widgets.cd_diagram import CDDiagramBuilder as CDDiagramBuilder
from nbcompare.widgets.cd_diagram import WithinBuilder as WithinBuilder
from nbcompare.widgets.data_builder import DataBuilder as DataBuilder
from nbcompare.widgets.fuzzy_pvalue import FuzzyPValueBuilder as FuzzyPValueBuilder
from nbcompare.widgets.page_trend import PageTrendBuilder as PageTrendBuilder
from nbcompare.widgets.plan import PlanBuilder as PlanBuilder
from nbcompare.widgets.report_builder import ReportBuilder as ReportBuilder
