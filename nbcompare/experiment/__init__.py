"""Results of algorithms on data sets, labelled, with the direction that is better."""

from nbcompare._tables.text_format import Unsettled, Way
from nbcompare.experiment._columns import MOST_WAYS, Columns, Understanding
from nbcompare.experiment._experiment import Experiment
from nbcompare.experiment._facts import are_numbered
from nbcompare.experiment._pipeline import ReadingError, explained, understood
from nbcompare.experiment._reading import (
    DEFAULTS,
    KEYS,
    WRITING,
    Reading,
    Source,
    checked_edits,
    joined,
)
from nbcompare.experiment._schema import NAMES, NOUNS, Schema, bare, called
from nbcompare.experiment._scores import with_scores
from nbcompare.experiment._sources import (
    FRAME,
    Frame,
    Head,
    Preview,
    TableSource,
    experiment_of,
    is_frame,
    read_schema,
    refuse_reading,
)
from nbcompare.experiment._wide import matched
