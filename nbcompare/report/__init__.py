"""Reports: sections become a notebook, the notebook is exported, and a report is verified."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from nbcompare.report.execute import IncompleteReportError, ReportError
from nbcompare.report.make import FORMATS, export

if TYPE_CHECKING:
    from nbcompare.report.verification.recompute import Check, Verification
    from nbcompare.report.verification.verify import verify

__all__ = [
    "FORMATS",
    "Check",
    "IncompleteReportError",
    "ReportError",
    "Verification",
    "export",
    "verify",
]

_HOME = {
    "Check": "verification.recompute",
    "Verification": "verification.recompute",
    "verify": "verification.verify",
}


def __getattr__(name: str) -> Any:
    """Import verification when it is used."""
    if name not in _HOME:
        raise AttributeError(f"module 'nbcompare.report' has no attribute {name!r}")
    return getattr(importlib.import_module(f"nbcompare.report.{_HOME[name]}"), name)
