"""Histories of optimisers' runs: the best value so far, over evaluations."""

from nbcompare.histories._histories import Histories
from nbcompare.histories._recorder import Recorder, RunLog, Watched
from nbcompare.histories._values import Events
from nbcompare.histories._views import Runtimes

__all__ = ["Events", "Histories", "Recorder", "RunLog", "Runtimes", "Watched"]
