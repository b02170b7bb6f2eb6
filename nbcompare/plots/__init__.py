"""Figures of results. A figure computes nothing: the result carries all it shows."""

from nbcompare.plots._plot import Plot
from nbcompare.plots.cd_diagram import cd_diagram

__all__ = ["Plot", "cd_diagram"]
