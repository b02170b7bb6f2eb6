"""Frozen, labelled results that display themselves."""

from nbcompare.results.comparison import Comparison
from nbcompare.results.design import Design
from nbcompare.results.hypotheses import Hypotheses
from nbcompare.results.labelled import Labelled
from nbcompare.results.omnibus import OmnibusResult
from nbcompare.results.view import View

__all__ = ["Comparison", "Design", "Hypotheses", "Labelled", "OmnibusResult", "View"]
