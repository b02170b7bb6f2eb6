"""Results of algorithms on data sets, labelled, with the direction that is better."""

from nbcompare.experiment._experiment import Experiment
from nbcompare.experiment._given import FRAME, Frame, experiment_of, is_frame, refuse_reading

__all__ = ["FRAME", "Experiment", "Frame", "experiment_of", "is_frame", "refuse_reading"]
