"""Data files of COCO: the best value so far minus that of the optimum, logged on two occasions.

A run is logged in the ``.dat`` file when it reaches the next target, and in the ``.tdat`` file at
numbers of evaluations that are regular on a logarithmic scale, and at its end. Each holds the best
so far at its evaluations; between them it may be better than what was logged before. Both together
are closest to the truth, and neither is enough alone: ``.dat`` does not know the end of a run.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np

from nbcompare._arrays import FloatArray
from nbcompare._validation import DataError, shown
from nbcompare.histories._meta import Scenario, text_of
from nbcompare.histories._rows import best_so_far, columns, width_of

_BEST = "best noise-free fitness"
_REFERENCE = "Fref"  # instead of Fopt, where the optimum is not known


def histories_of(scenario: Scenario) -> Iterator[FloatArray | None]:
    """Yield evaluations and best so far of each run, shape (2, n_rows).

    None stands for a run that did not end, or without a value.
    """
    other = scenario.data.with_suffix(".tdat")
    parts = _blocks(scenario, scenario.data), _blocks(scenario, other)
    for number, (run, *blocks) in enumerate(zip(scenario.runs, *parts, strict=True), start=1):
        if run.evaluations is None:
            yield None
            continue
        both = np.concatenate(blocks, axis=1)
        _check_end(run.evaluations, float(blocks[1][0].max()), other, number, scenario)
        _check_end(run.evaluations, float(both[0].max()), scenario.data, number, scenario)
        logged = ~np.isnan(both[1])
        if logged.any():
            yield best_so_far(both[0, logged], both[1, logged], np.minimum)
        else:
            yield None


def has_optimum(scenario: Scenario) -> bool:
    """Tell whether values are differences to the optimum, not to a reference value."""
    with scenario.data.open(encoding="utf-8") as stream:
        return _REFERENCE not in stream.readline()


def _check_end(said: float, end: float, file: Path, number: int, scenario: Scenario) -> None:
    """Check that a run ends where the meta file says."""
    if end != said:
        raise DataError(
            f"{file.name}, run {number} ends at evaluation {end:,.15g}, but {scenario.meta.name} "
            f"says {said:,.15g}. If lines are missing, copy the folder again; if the run did end "
            f"there, correct the number in {scenario.meta.name}."
        )


def _blocks(scenario: Scenario, file: Path) -> list[FloatArray]:
    """Return the columns of evaluations and of the best so far of each run."""
    text = text_of(file, scenario.meta)
    header = text.partition("\n")[0]
    names = [name.strip() for name in header.lstrip("% ").split("|")]
    found = [i for i, name in enumerate(names) if name.startswith(_BEST)]
    if not header.startswith("%") or not found:
        raise DataError(
            f"{file.name} must begin with a header, as COCO writes it, that begins with % and "
            f"names {_BEST!r}; got {shown(header)}."
        )
    blocks = [block.partition("\n")[2] for block in f"\n{text}".split("\n%")]
    blocks = [block for block in blocks if block.strip()]
    if len(blocks) != len(scenario.runs):
        raise DataError(
            f"{file.name} holds {len(blocks)} runs, but {scenario.meta.name} lists "
            f"{len(scenario.runs)}."
        )
    at = found[0]
    width = max(width_of(blocks[0]), at + 1) if blocks else 0  # x may be left out
    return [
        columns(block, [0, at], width, f"{file.name}, run {number}")
        if run.evaluations is not None
        else np.empty((2, 0))  # its last line may be cut
        for number, (run, block) in enumerate(zip(scenario.runs, blocks, strict=True), start=1)
    ]
