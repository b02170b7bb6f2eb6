"""Data files of IOHprofiler: runs one after the other, each under a header of its own."""

from __future__ import annotations

import re
from collections.abc import Iterator

import numpy as np

from nbcompare._arrays import FloatArray
from nbcompare._options import MAXIMIZE
from nbcompare._validation import DataError, listed
from nbcompare.histories._meta import Scenario, text_of
from nbcompare.histories._rows import best_so_far, columns, width_of

# Columns with the best so far, or else with values of which the best so far is taken. Raw values
# come first: instances have not shifted them, so that the optimum is the same for all.
_EVALUATIONS = ("evaluations", "function evaluation")
_VALUES = ("raw_y_best", "raw_y", "best-so-far f(x)", "current f(x)")
_CELL = re.compile(r'"([^"]*)"|(\S+)')
# The loggers of 2019 wrote this name where there were no parameters, and no numbers below it
_NO_COLUMN = "No parameters"


def histories_of(scenario: Scenario, direction: str) -> Iterator[FloatArray | None]:
    """Yield evaluations and best so far of each run, shape (2, n_rows); None without a value."""
    file = scenario.data
    blocks = _blocks(scenario)
    if len(blocks) != len(scenario.runs):
        raise DataError(
            f"{file.name} holds {len(blocks)} runs, but {scenario.meta.name} lists "
            f"{len(scenario.runs)}."
        )
    best = np.maximum if direction == MAXIMIZE else np.minimum
    for block, run in zip(blocks, scenario.runs, strict=True):
        evaluations, values = block[:, ~np.isnan(block[1])]
        if not evaluations.size:
            yield None
            continue
        history = best_so_far(evaluations, values, best)
        if run.evaluations is not None and run.evaluations > history[0, -1]:
            history = np.append(history, [[run.evaluations], [history[1, -1]]], axis=1)
        yield history


def _blocks(scenario: Scenario) -> list[FloatArray]:
    """Return the columns of evaluations and values of each run."""
    file = scenario.data
    text = text_of(file, scenario.meta)
    header = text.partition("\n")[0].strip()
    names = [quoted or bare for quoted, bare in _CELL.findall(header)]
    wanted = []
    for known, what in ((_EVALUATIONS, "evaluations"), (_VALUES, "values")):
        found = [names.index(name) for name in known if name in names]
        if not found:
            raise DataError(
                f"{file.name} has no column of {what}, {listed(known)}; "
                f"its header names {listed(names)}."
            )
        wanted.append(found[0])
    blocks = text.split(header)[1:]
    width = len(names)
    if names[-1] == _NO_COLUMN and width_of(blocks[0]) == width - 1:
        width -= 1
    return [
        columns(block, wanted, width, f"{file.name}, run {number}")
        for number, block in enumerate(blocks, start=1)
    ]
