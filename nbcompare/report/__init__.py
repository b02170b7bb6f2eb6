"""Sections to a notebook, a notebook to an exported report."""

from nbcompare.report.execute import ReportError
from nbcompare.report.make import FORMATS, make_report

__all__ = ["FORMATS", "ReportError", "make_report"]
