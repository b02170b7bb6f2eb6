"""Where each name is from: type checkers read this, and so does the package."""

from nbcompare.report.execute import IncompleteReportError as IncompleteReportError
from nbcompare.report.execute import ReportError as ReportError
from nbcompare.report.make import FORMATS as FORMATS
from nbcompare.report.make import export as export
from nbcompare.report.verification.recompute import Check as Check
from nbcompare.report.verification.recompute import Verification as Verification
from nbcompare.report.verification.verify import verify as verify
