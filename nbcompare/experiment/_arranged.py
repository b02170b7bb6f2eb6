"""What a table becomes: labelled scores, and what is known beside them."""

from __future__ import annotations

from dataclasses import dataclass

from nbcompare._arrays import BoolArray, FloatArray, IntArray
from nbcompare._render import Note


@dataclass(frozen=True, slots=True)
class Cells:
    """Labelled scores; ``lower is upper`` unless they are intervals.

    The fields are those of an :class:`~nbcompare.Experiment`; ``higher_is_better`` says of each
    data set what the table says, if it says so; ``named_by`` is the column with the names of the
    data sets, None if there is none.
    """

    datasets: tuple[str, ...]
    algorithms: tuple[str, ...]
    folds: tuple[str, ...]
    lower: FloatArray
    upper: FloatArray
    measure: str | None = None
    runs: tuple[str, ...] | None = None
    run_codes: IntArray | None = None
    domains: tuple[str, ...] | None = None
    higher_is_better: BoolArray | None = None
    deviations: FloatArray | None = None
    notes: tuple[Note, ...] = ()
    named_by: str | None = None
