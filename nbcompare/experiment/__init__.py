"""Results of algorithms on data sets, labelled, with the direction that is better."""

from nbcompare.experiment._experiment import Experiment

__all__ = ["Experiment"]
