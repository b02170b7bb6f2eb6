"""Results of algorithms on data sets, labelled, with the direction that is better."""

from nbcompare.experiment._experiment import Experiment
from nbcompare.experiment._given import FRAME, Frame, experiment_of, is_frame, refuse_reading
from nbcompare.experiment._told import Head, TableSource, Told, columns_of_scores

__all__ = [
    "FRAME",
    "Experiment",
    "Frame",
    "Head",
    "TableSource",
    "Told",
    "columns_of_scores",
    "experiment_of",
    "is_frame",
    "refuse_reading",
]
