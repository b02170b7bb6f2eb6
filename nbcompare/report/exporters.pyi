"""Where each name is from: type checkers read this, and so does the package."""

from nbcompare.report.latex.exporter import LatexPreprocessor as LatexPreprocessor
from nbcompare.report.latex.exporter import ReportLatexExporter as ReportLatexExporter
from nbcompare.report.page.content import ReportPreprocessor as ReportPreprocessor
from nbcompare.report.page.exporter import ReportHTMLExporter as ReportHTMLExporter
from nbcompare.report.typst.exporter import ReportPDFExporter as ReportPDFExporter
from nbcompare.report.typst.exporter import TypstPreprocessor as TypstPreprocessor
