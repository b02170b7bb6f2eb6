"""What a caller may pass for scores: an Experiment, or a dataframe and what is better in it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from nbcompare._options import BETTER, CELL_OPTIONS, COLUMN_OPTIONS, MAXIMIZE, MINIMIZE
from nbcompare._render import Note, plural
from nbcompare._validation import DataError, listed, shown
from nbcompare.experiment import _levels
from nbcompare.experiment._doubt import ReadingError
from nbcompare.experiment._experiment import Experiment
from nbcompare.experiment._reading import Reading, Source

# The code of notes on how a dataframe was read, which a result has that was made of one
FRAME = "frame"
_ARGUMENT = re.compile(r"\b[a-z_]+=")
_OF_READING = (*COLUMN_OPTIONS, *CELL_OPTIONS, "measure", "algorithms", "datasets")


class Frame(Protocol):
    """A dataframe of pandas, polars, pyarrow, or of another library that narwhals knows."""

    @property
    def columns(self) -> Any:
        """Its columns."""


def is_frame(value: object) -> bool:
    """Tell whether a value is a dataframe, also one that has not been computed yet."""
    import narwhals as nw

    if hasattr(value, "collect") and hasattr(value, "collect_schema"):
        return True  # reading it says that it must be collected
    return bool(nw.dependencies.is_into_dataframe(value))


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
            raise ValueError(
                "`direction` must be left out with an Experiment, which has its own; got "
                f"{shown(direction)}."
            )
        return value
    if not is_frame(value):
        raise TypeError(
            f"`{argument}` must be an Experiment; got {type(value).__name__}. {_remedy(value)}"
        )
    if direction is None:
        raise TypeError(
            f"`{argument}` is a dataframe, which does not say what is better. Add "
            f"direction={MAXIMIZE!r} if high scores are better, or direction={MINIMIZE!r} if low "
            "ones are."
        )
    try:
        table = _levels.table_of(value)
        source = Source(table, Reading(direction=direction))
        made = Experiment._read(source)  # noqa: SLF001 - of this package
    except DataError as error:
        if not _ARGUMENT.search(str(error)):
            raise
        raise ReadingError(f"{error} {_first(direction)}", getattr(error, "advice", ())) from None
    named = made.schema.roles.get("dataset", (None,))[0] if made.schema is not None else None
    how = "" if named is None else f" (column {named!r})"
    if named is not None and named == table.index:
        how = f" (index {named!r})" if named else " (the index)"
    notes = (_note(made, how), *(Note(FRAME, note.text) for note in made.notes))
    return replace(made, notes=notes)


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
    if isinstance(value, Mapping) and _are_lists(value.values()):
        return (
            "If it has a list of scores for each algorithm, one for each data set, make a "
            "dataframe first: pandas.DataFrame(scores). If these are folds of one data set, as "
            "from cross_val_score of scikit-learn, pass Experiment.from_sklearn(scores)."
        )
    if isinstance(value, Mapping) or hasattr(value, "cv_results_"):
        return "Results of scikit-learn make one with Experiment.from_sklearn(results)."
    if isinstance(value, str | Path):
        return "Make one with Experiment.read(path, direction=...)."
    if hasattr(value, "problems"):  # Histories, which another package has
        return (
            "recommend_histories(histories) says which questions histories can answer; one is to "
            "compare what was reached after a number of evaluations."
        )
    return "Make one with Experiment.from_frame(frame, direction=...)."


def _are_lists(values: Iterable[object]) -> bool:
    """Tell whether all are flat lists or arrays, as of scores; there must be one."""
    given = list(values)
    return bool(given) and all(
        value.ndim == 1
        if isinstance(value, np.ndarray)
        else isinstance(value, list | tuple)
        and not any(isinstance(cell, list | tuple | Mapping) for cell in value)
        for value in given
    )


def _note(experiment: Experiment, how: str) -> Note:
    """Say as what a dataframe was read."""
    more = [
        plural(count, noun)
        for count, noun in ((experiment.n_folds, "fold"), (experiment.n_runs, "run"))
        if count > 1
    ]
    beside = f", with {' and '.join(more)}" if more else ""
    what = "intervals of scores" if experiment.is_interval else "scores"
    return Note(
        FRAME,
        f"The dataframe was read as {plural(experiment.n_datasets, 'data set')}{how} by "
        f"{plural(experiment.n_algorithms, 'algorithm')}{beside}; {experiment.measure or what}, "
        f"{BETTER[experiment.direction]}.",
    )
