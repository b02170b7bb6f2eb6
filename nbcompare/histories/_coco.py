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
from nbcompare.histories._meta import Run, Scenario, text_of
from nbcompare.histories._rows import best_so_far, columns, width_of
from nbcompare.histories._values import evaluations_text

_BEST = "best noise-free fitness"
_REFERENCE = "Fref"  # instead of Fopt, where the optimum is not known


def histories_of(scenario: Scenario) -> Iterator[FloatArray | None]:
    """Yield evaluations and best so far of each run, shape (2, n_rows); None if it did not end."""
    by_target = _blocks(scenario, scenario.data)
    by_evaluations = _blocks(scenario, scenario.data.with_suffix(".tdat"))
    places = zip(scenario.runs, by_target, by_evaluations, strict=True)
    for number, (run, target, regular) in enumerate(places, start=1):
        if run.evaluations is None:
            yield None
            continue
        both = np.concatenate([target, regular], axis=1)
        both = both[:, ~np.isnan(both[1])]
        if not both.size:
            yield None
            continue
        history = best_so_far(both[0], both[1], np.minimum)
        _check_end(history, run, scenario, number)
        yield history


def has_optimum(scenario: Scenario) -> bool:
    """Tell whether values are differences to the optimum, not to a reference value."""
    with scenario.data.open(encoding="utf-8") as stream:
        return _REFERENCE not in stream.readline()


def _check_end(history: FloatArray, run: Run, scenario: Scenario, number: int) -> None:
    end = float(history[0, -1])
    if end != run.evaluations:
        raise DataError(
            f"{scenario.data.with_suffix('.tdat').name}, run {number} ends at evaluation "
            f"{evaluations_text(end)}, but {scenario.meta.name} says "
            f"{evaluations_text(run.evaluations or 0)}: lines are missing. Copy the folder again, "
            f"or, if the run did end there, correct the number in {scenario.meta.name}."
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
        for number, block in enumerate(blocks, start=1)
    ]
