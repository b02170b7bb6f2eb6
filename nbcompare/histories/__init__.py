"""Histories of optimisers' runs: the best value so far, over evaluations."""

from nbcompare.histories._histories import Histories
from nbcompare.histories._recorder import Recorder, RunLog, Watched

__all__ = ["Histories", "Recorder", "RunLog", "Watched"]
