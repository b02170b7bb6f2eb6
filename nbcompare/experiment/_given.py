"""What a caller may pass for scores: an Experiment, or a dataframe and what is better in it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from nbcompare import _tables
from nbcompare._options import BETTER, CELL_OPTIONS, COLUMN_OPTIONS, MAXIMIZE, MINIMIZE
from nbcompare._render import Note
from nbcompare._validation import listed, shown
from nbcompare.experiment._doubt import ReadingError
from nbcompare.experiment._experiment import Experiment
from nbcompare.experiment._reading import Reading, Source

# The code of notes on how a dataframe was read, which a result has that was made of one
FRAME = "frame"
_OF_READING = (*COLUMN_OPTIONS, *CELL_OPTIONS, "measure", "algorithms", "datasets")


class Frame(Protocol):
    """A dataframe of pandas, polars, pyarrow, or of another library that narwhals knows."""

    @property
    def columns(self) -> Any:
        """Its columns."""


def is_frame(value: object) -> bool:
    """Tell whether a value is a dataframe, also one that has not been computed yet."""
    import narwhals as nw

    is_lazy = hasattr(value, "collect") and hasattr(value, "collect_schema")
    return is_lazy or bool(nw.dependencies.is_into_dataframe(value))  # reading refuses lazy ones


def experiment_of(value: object, direction: str | None, argument: str = "experiment") -> Experiment:
    """Return an Experiment as it is, or read a dataframe.

    An experiment from a dataframe has notes on how it was read, first the sizes of the table.

    Raises
    ------
    TypeError
        For anything else, and for a dataframe without a direction.
    ValueError
        For a direction beside an Experiment, which has its own.
    DataError
        If the dataframe cannot be read by its direction alone.
    """
    if isinstance(value, Experiment):
        if direction is not None:
            got = shown(direction)
            raise ValueError(f"`direction` must be left out with an Experiment; got {got}.")
        return value
    if not is_frame(value):
        got = f"{type(value).__name__}. {_remedy(value)}"
        raise TypeError(f"`{argument}` must be an Experiment; got {got}")
    if direction is None:
        raise TypeError(
            f"`{argument}` is a dataframe, which does not say what is better. Add "
            f"direction={MAXIMIZE!r} if high scores are better, or direction={MINIMIZE!r} if low "
            "ones are."
        )
    try:
        source = Source(_tables.from_frame(value), Reading(direction=direction))
        made = Experiment._read(source)  # noqa: SLF001 - of this package
    except ReadingError as error:
        raise ReadingError(f"{error} {_first(direction)}", error.advice) from None
    read = "" if made.schema is None else made.schema.sentence.partition(": ")[2].rstrip(".")
    told = f"The dataframe was read as {read}; {BETTER[made.direction]}."
    return replace(
        made, notes=tuple(Note(FRAME, text) for text in (told, *(note.text for note in made.notes)))
    )


def refuse_reading(unknown: Iterable[str], direction: object, function: str) -> None:
    """Refuse arguments of reading, which belong to ``from_frame``."""
    wrong = [name for name in unknown if name in _OF_READING]
    if wrong:
        raise TypeError(
            f"{function} takes a dataframe with `direction` alone; got {listed(wrong)} too. "
            f"{_first(direction, wrong[0])}"
        )


def _first(direction: object, argument: str = "dataset") -> str:
    given = "..." if direction is None else repr(direction)
    return (
        "Other arguments than direction= need an Experiment: pass Experiment.from_frame(frame, "
        f"direction={given}, {argument}=...)."
    )


def _remedy(value: object) -> str:
    if isinstance(value, np.ndarray | list | tuple):
        return "Make one with Experiment.from_array(scores, direction=..., algorithms=[...])."
    if isinstance(value, Mapping) or hasattr(value, "cv_results_"):
        return (
            "Results of scikit-learn make one with Experiment.from_sklearn(results). Of a list of "
            "scores by data set for each algorithm, make a dataframe: pandas.DataFrame(scores)."
        )
    if isinstance(value, str | Path):
        return "Make one with Experiment.read(path, direction=...)."
    if hasattr(value, "problems"):  # Histories, which another package has
        return "Of histories, recommend_histories(histories) says how they can be compared."
    return "Make one with Experiment.from_frame(frame, direction=...)."
