"""Results of algorithms on data sets, labelled, with the direction that is better."""

from nbcompare.experiment._doubt import ReadingError
from nbcompare.experiment._experiment import Experiment
from nbcompare.experiment._given import FRAME, Frame, experiment_of, is_frame, refuse_reading
from nbcompare.experiment._reading import KEYS, WRITING, Reading, joined
from nbcompare.experiment._schema import ColumnUse, Schema
from nbcompare.experiment._told import DEFAULTS, Head, TableSource, Told, read_schema

__all__ = [
    "DEFAULTS",
    "FRAME",
    "KEYS",
    "WRITING",
    "ColumnUse",
    "Experiment",
    "Frame",
    "Head",
    "Reading",
    "ReadingError",
    "Schema",
    "TableSource",
    "Told",
    "experiment_of",
    "is_frame",
    "joined",
    "read_schema",
    "refuse_reading",
]
