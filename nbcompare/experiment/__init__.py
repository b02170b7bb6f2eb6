"""Results of algorithms on data sets, labelled, with the direction that is better."""

from nbcompare._tables.doubt import Unsettled, Way
from nbcompare.experiment._columns import MOST_WAYS, Columns
from nbcompare.experiment._doubt import ReadingError, explained
from nbcompare.experiment._experiment import Experiment
from nbcompare.experiment._facts import Facts, are_numbered
from nbcompare.experiment._given import FRAME, Frame, experiment_of, is_frame, refuse_reading
from nbcompare.experiment._infer import Understanding
from nbcompare.experiment._pipeline import understood
from nbcompare.experiment._reading import KEYS, WRITING, Reading, Source, joined, matching
from nbcompare.experiment._roles import NAMES, NOUNS, bare, called
from nbcompare.experiment._schema import ColumnUse, Schema, listing
from nbcompare.experiment._told import DEFAULTS, Head, TableSource, Told, read_schema

__all__ = [
    "DEFAULTS",
    "FRAME",
    "KEYS",
    "MOST_WAYS",
    "NAMES",
    "NOUNS",
    "WRITING",
    "ColumnUse",
    "Columns",
    "Experiment",
    "Facts",
    "Frame",
    "Head",
    "Reading",
    "ReadingError",
    "Schema",
    "Source",
    "TableSource",
    "Told",
    "Understanding",
    "Unsettled",
    "Way",
    "are_numbered",
    "bare",
    "called",
    "experiment_of",
    "explained",
    "is_frame",
    "joined",
    "listing",
    "matching",
    "read_schema",
    "refuse_reading",
    "understood",
]
