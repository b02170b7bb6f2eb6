"""Results of algorithms on data sets, labelled, with the direction that is better."""

from nbcompare.experiment._doubt import ReadingError
from nbcompare.experiment._experiment import Experiment
from nbcompare.experiment._given import FRAME, Frame, experiment_of, is_frame, refuse_reading
from nbcompare.experiment._schema import ColumnUse, Schema
from nbcompare.experiment._told import Head, TableSource, Told, columns_of_scores, read_schema

__all__ = [
    "FRAME",
    "ColumnUse",
    "Experiment",
    "Frame",
    "Head",
    "ReadingError",
    "Schema",
    "TableSource",
    "Told",
    "columns_of_scores",
    "experiment_of",
    "is_frame",
    "read_schema",
    "refuse_reading",
]
