"""Data files of COCO and IOHprofiler: runs one after the other, each under a header of its own.

COCO logs the best value so far minus that of the optimum: in the ``.dat`` file when a run reaches
the next target, and in the ``.tdat`` file at numbers of evaluations that are regular on a
logarithmic scale, and at its end. Each holds the best so far at its evaluations; between them it
may be better than what was logged before. Both together are closest to the truth, and neither is
enough alone: ``.dat`` does not know the end of a run.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from nbcompare._arrays import FloatArray
from nbcompare._options import MAXIMIZE
from nbcompare._validation import DataError, listed, shown
from nbcompare.histories._meta import Scenario, text_of

_BEST = "best noise-free fitness"
_REFERENCE = "Fref"  # instead of Fopt, where the optimum is not known
# Columns with the best so far, or else with values of which the best so far is taken. Raw values
# come first: instances have not shifted them, so that the optimum is the same for all.
_EVALUATIONS = ("evaluations", "function evaluation")
_VALUES = ("raw_y_best", "raw_y", "best-so-far f(x)", "current f(x)")
_CELL = re.compile(r'"([^"]*)"|(\S+)')
# The loggers of 2019 wrote this name where there were no parameters, and no numbers below it
_NO_COLUMN = "No parameters"


def histories_of(scenario: Scenario, direction: str) -> Iterator[FloatArray | None]:
    """Yield evaluations and best so far of each run, shape (2, n_rows).

    None stands for a run of COCO that did not end, or one without a value.
    """
    of_coco = scenario.is_of_coco
    files = [scenario.data, scenario.data.with_suffix(".tdat")] if of_coco else [scenario.data]
    parts = [_runs(scenario, file, of_coco=of_coco) for file in files]
    # the loggers before 2016 let rounding make negative numbers of some differences
    rounded = scenario.precision or 0.0 if of_coco and has_optimum(scenario) else 0.0
    best = np.maximum if direction == MAXIMIZE else np.minimum
    for number, (run, *blocks) in enumerate(zip(scenario.runs, *parts, strict=True), start=1):
        said, ended = run.evaluations, blocks[-1][0].max(initial=0.0)
        both = np.concatenate(blocks, axis=1)
        if of_coco and said is None:
            yield None
            continue
        for file, end in zip(files[::-1], (ended, both[0].max(initial=0.0)), strict=False):
            if of_coco and end != said:
                raise DataError(
                    f"{file.name}, run {number} ends at evaluation {end:,.15g}, but "
                    f"{scenario.meta.name} says {said:,.15g}. If lines are missing, copy the "
                    "folder again; if the run did end there, correct the number in "
                    f"{scenario.meta.name}."
                )
        history = _best_so_far(both[:, ~np.isnan(both[1])], best)
        history[1, (history[1] < 0) & (history[1] >= -rounded)] = 0.0
        if not of_coco and said is not None and history.size and said > history[0, -1]:
            history = np.append(history, [[said], [history[1, -1]]], axis=1)
        yield history if history.size else None


def has_optimum(scenario: Scenario) -> bool:
    """Tell whether values of COCO are differences to the optimum, not to a reference value."""
    return _REFERENCE not in text_of(scenario.data, scenario.meta).partition("\n")[0]


def _best_so_far(logged: FloatArray, best: np.ufunc) -> FloatArray:
    """Return evaluations in order, each once, and the best so far; shape (2, n_rows)."""
    evaluations, values = logged[:, np.argsort(logged[0], kind="stable")]
    final = np.append(evaluations[1:] != evaluations[:-1], True)[: len(values)]  # not logged twice
    return np.stack([evaluations, best.accumulate(values)])[:, final]


def _runs(scenario: Scenario, file: Path, *, of_coco: bool) -> list[FloatArray]:
    """Return the columns of evaluations and of values of each run."""
    text = text_of(file, scenario.meta)
    header = text.partition("\n")[0]
    if of_coco:
        wanted = [0, _place_of_best(header, file)]
        blocks = [block.partition("\n")[2] for block in f"\n{text}".split("\n%")]
        blocks = [block for block in blocks if block.strip()]
        width = max(_width(blocks[0]), wanted[1] + 1) if blocks else 0  # x may be left out
    else:
        names = [quoted or bare for quoted, bare in _CELL.findall(header)]
        wanted = [_place_of(_EVALUATIONS, "evaluations", names, file)]
        wanted += [_place_of(_VALUES, "values", names, file)]
        blocks = text.split(header.strip())[1:]
        has_no_column = names[-1] == _NO_COLUMN and _width(blocks[0]) == len(names) - 1
        width = len(names) - has_no_column
    # the last line of a run that did not end may be cut
    ended = [run.evaluations is not None or not of_coco for run in scenario.runs]
    found = [
        _columns(block, wanted, width, f"{file.name}, run {number}")
        if all(ended[number - 1 : number])
        else np.empty((2, 0))
        for number, block in enumerate(blocks, start=1)
    ]
    if len(found) != len(scenario.runs):
        raise DataError(
            f"{file.name} holds {len(found)} runs, but {scenario.meta.name} lists "
            f"{len(scenario.runs)}."
        )
    return found


def _place_of_best(header: str, file: Path) -> int:
    names = [name.strip() for name in header.lstrip("% ").split("|")]
    found = [i for i, name in enumerate(names) if name.startswith(_BEST)]
    if not header.startswith("%") or not found:
        raise DataError(
            f"{file.name} must begin with a header, as COCO writes it, that begins with % and "
            f"names {_BEST!r}; got {shown(header)}."
        )
    return found[0]


def _place_of(known: Sequence[str], what: str, names: Sequence[str], file: Path) -> int:
    found = [names.index(name) for name in known if name in names]
    if not found:
        raise DataError(
            f"{file.name} has no column of {what}, {listed(known)}; its header names "
            f"{listed(names)}."
        )
    return found[0]


def _width(block: str) -> int:
    """Return how many cells the first row has."""
    return len(block.lstrip().partition("\n")[0].split())


def _columns(block: str, wanted: Sequence[int], width: int, place: str) -> FloatArray:
    """Return some columns of a run, shape (n_wanted, n_rows); every row must have all cells.

    The other cells, such as the coordinates of solutions, are counted, but not read, where single
    spaces separate them: it takes a sixth of the time.
    """
    body = block.strip()
    lines = body.split("\n") if body else []
    is_plain = {line.count(" ") for line in lines} == {width - 1}
    most = max(wanted) + 1 if is_plain else -1
    found = []
    for line in lines:
        cells = line.split(None, most)
        try:
            if not is_plain and len(cells) != width:
                raise ValueError
            found.append([_number(cells[i]) for i in wanted])
        except (ValueError, IndexError):
            raise DataError(
                f"{place} must hold rows of {width} numbers; got {shown(line)}."
            ) from None
    return np.array(found, dtype=np.float64).reshape(-1, len(wanted)).T


def _number(cell: str) -> float:
    if "_" in cell or not cell.isascii():  # which Python takes for digits
        raise ValueError(cell)
    return float(cell)
