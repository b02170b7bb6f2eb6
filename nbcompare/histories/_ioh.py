"""Reader of the folders that IOHexperimenter writes, in its present and its older format.

A meta file per function, ``IOHprofiler_f1_Sphere.json`` or, older, ``IOHprofiler_f1.info``,
tells of the algorithm, the dimensions and the evaluations that each run had. The runs stand
in ``.dat`` files, one after the other, each under a header of its own.
"""

from __future__ import annotations

import json
import os
import re
import warnings
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from nbcompare._arrays import FloatArray
from nbcompare._options import DIRECTIONS, MAXIMIZE, MINIMIZE
from nbcompare._validation import DataError, check_choice, clean_label, listed, shown
from nbcompare.histories._logs import Logs, none_empty, of_runs
from nbcompare.histories._values import Names

# Columns with the best so far, or else with values of which the best so far is taken. Raw values
# come first: instances have not shifted them, so that the optimum is the same for all.
_EVALUATIONS = ("evaluations", "function evaluation")
_VALUES = ("raw_y_best", "raw_y", "best-so-far f(x)", "current f(x)")
_CELL = re.compile(r'"([^"]*)"|(\S+)')
_PAIR = re.compile(r"(\w+)\s*=\s*(?:'([^']*)'|\"([^\"]*)\"|([^,]*))")
_TOLD = re.compile(r"\s*\S+?\s*:\s*(\d+)\s*(?:\|.*)?")


@dataclass(frozen=True, slots=True)
class _Scenario:
    """The runs of one algorithm on one problem in one ``.dat`` file."""

    problem: str
    algorithm: str
    maximize: bool | None
    meta: str
    data: Path
    evaluations: Sequence[float]


def read(folder: Path, direction: str | None) -> Logs:
    """Read the logs of all runs that the meta files under a folder name."""
    scenarios = [scenario for file in _meta_files(folder) for scenario in _scenarios(file, folder)]
    which = _direction(scenarios, folder, direction)
    cells, places, logged = [], [], []
    for each in scenarios:
        for number, rows in enumerate(_runs(each, which), start=1):
            cells.append((each.problem, each.algorithm))
            places.append(f"{each.data.name}, run {number}")
            logged.append(rows)
    if not logged:
        raise DataError(f"{folder.name} holds no value: its meta files list no run.")
    names = Names(
        list(dict.fromkeys(each.problem for each in scenarios)),
        list(dict.fromkeys(each.algorithm for each in scenarios)),
    )
    return none_empty(of_runs(names, cells, logged, places, which), folder.name)


# -------------------------------------------------------------------------------- meta


def _meta_files(folder: Path) -> list[Path]:
    named = sorted(folder.rglob("IOHprofiler*.json")) + sorted(folder.rglob("*.info"))
    files = [file for file in named if file.is_file()]
    if not files:
        raise DataError(
            f"`path` must name a file, or a folder with IOHprofiler_*.json or *.info files in it; "
            f"there are none in {str(folder)!r}."
        )
    for file in files:
        _refuse_outside(file, folder, file.name)
    return files


def _refuse_outside(file: Path, folder: Path, told: str) -> None:
    """Refuse a file outside the folder, which logs from elsewhere could name."""
    # unlike this, Path.resolve() raises an error for links that lead in a circle
    if not Path(os.path.realpath(file)).is_relative_to(os.path.realpath(folder)):
        raise DataError(
            f"{told} leads to a file that is not in {folder.name or str(folder)!r}. "
            "Copy the file into the folder, or read a folder that holds both."
        )


def _text(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise DataError(
            f"{file.name} must be UTF-8 text, as IOHprofiler writes it; byte {error.start + 1} is "
            "not."
        ) from None


def _scenarios(file: Path, folder: Path) -> Iterator[_Scenario]:
    text = _text(file)
    try:
        for scenario in _older(text, file) if file.suffix == ".info" else _present(text, file):
            told = f"{file.name} names {shown(os.path.relpath(scenario.data, file.parent))}, which"
            _refuse_outside(scenario.data, folder, told)
            yield scenario
    except (
        LookupError,
        TypeError,
        AttributeError,
        ValueError,
        OverflowError,
        RecursionError,
    ) as error:
        if isinstance(error, DataError):
            raise
        raise DataError(f"{file.name} is not a meta file of IOHprofiler: {error!r}.") from None


def _present(text: str, file: Path) -> Iterator[_Scenario]:
    meta: dict[str, Any] = json.loads(text)
    function = clean_label(meta.get("function_name") or f"f{meta['function_id']}")
    for scenario in meta["scenarios"]:
        yield _Scenario(
            f"{function} {int(scenario['dimension'])}D",
            clean_label(meta["algorithm"]["name"]),
            bool(meta["maximization"]) if "maximization" in meta else None,
            file.name,
            file.parent / scenario["path"],
            [float(int(run["evals"])) for run in scenario["runs"]],
        )


def _older(text: str, file: Path) -> Iterator[_Scenario]:
    """Read three lines per dimension: what was run, a comment, the data file and its runs."""
    lines = [line for line in text.splitlines() if line.strip() and not line.startswith("%")]
    heads = [i for i, line in enumerate(lines) if "funcId" in line]
    if not heads:
        raise DataError(f"{file.name} is not a meta file of IOHprofiler: no line has a funcId.")
    for head, after in zip(heads, [*heads[1:], len(lines)], strict=True):
        told = {
            key: (single or double or bare).strip()
            for key, single, double, bare in _PAIR.findall(lines[head])
        }
        function = clean_label(told.get("funcName") or f"f{told['funcId'].removeprefix('f')}")
        data, *runs = "".join(lines[head + 1 : after]).strip().rstrip(",").split(",")
        matches = [_TOLD.fullmatch(run) for run in runs]
        if None in matches:
            wrong = runs[matches.index(None)].strip()
            raise DataError(
                f"{file.name} must list each run as instance:evaluations|value; got {shown(wrong)}."
            )
        maximize = told.get("maximization", "").upper()
        yield _Scenario(
            f"{function} {int(told['DIM'])}D",
            clean_label(told["algId"]),
            maximize in ("T", "TRUE", "1") if maximize else None,
            file.name,
            file.parent / data.strip().replace("\\", "/"),
            [float(match[1]) for match in matches if match],
        )


def _direction(scenarios: Iterable[_Scenario], folder: Path, given: str | None) -> str:
    """Return the direction that the folder says, which must agree with the caller's."""
    if given is not None:
        check_choice(given, "direction", DIRECTIONS)
    said = {
        MAXIMIZE if each.maximize else MINIMIZE: each.meta
        for each in scenarios
        if each.maximize is not None
    }
    if len(said) > 1:
        raise DataError(
            f"{folder.name} must hold problems of one direction; {said[MAXIMIZE]} is to be "
            f"maximized, {said[MINIMIZE]} minimized."
        )
    if not said:
        if given is None:
            raise ValueError(
                f"`direction` must be {DIRECTIONS[0]!r} or {DIRECTIONS[1]!r}; "
                f"{folder.name} does not say which."
            )
        return given
    direction, meta = said.popitem()
    if given not in (None, direction):
        raise ValueError(f"`direction` must be {direction!r}, as {meta} says; got {given!r}.")
    return direction


# -------------------------------------------------------------------------------- data


def _runs(scenario: _Scenario, direction: str) -> Iterator[FloatArray]:
    """Yield evaluations and best so far of each run, up to its last one; shape (2, rows)."""
    file = scenario.data
    if not os.path.isfile(file):  # noqa: PTH113 - of a name that is too long, a path raises OSError
        raise DataError(
            f"{scenario.meta} names {file.name}, which is not there. Copy the whole folder."
        )
    blocks = _blocks(file)
    if len(blocks) != len(scenario.evaluations):
        raise DataError(
            f"{file.name} holds {len(blocks)} runs, but {scenario.meta} lists "
            f"{len(scenario.evaluations)}."
        )
    best = np.maximum if direction == MAXIMIZE else np.minimum
    for block, spent in zip(blocks, scenario.evaluations, strict=True):
        evaluations, values = block[:, ~np.isnan(block[1])]
        if not evaluations.size:
            continue  # a run without an evaluation
        order = np.argsort(evaluations, kind="stable")
        evaluations, values = evaluations[order], best.accumulate(values[order])
        final = np.append(
            evaluations[1:] != evaluations[:-1], True
        )  # the last row may be written twice
        evaluations, values = evaluations[final], values[final]
        if spent > evaluations[-1]:
            evaluations, values = np.append(evaluations, spent), np.append(values, values[-1])
        yield np.stack([evaluations, values])


def _blocks(file: Path) -> list[FloatArray]:
    """Return the columns of evaluations and values of each run."""
    text = _text(file)
    header = text.partition("\n")[0].strip()
    names = [quoted or bare for quoted, bare in _CELL.findall(header)]
    columns = []
    for wanted, what in ((_EVALUATIONS, "evaluations"), (_VALUES, "values")):
        found = [names.index(name) for name in wanted if name in names]
        if not found:
            raise DataError(
                f"{file.name} has no column of {what}, {listed(wanted)}; "
                f"its header names {listed(names)}."
            )
        columns.append(found[0])
    blocks = []
    for number, block in enumerate(text.split(header)[1:], start=1):
        cells = _numbers(block)
        if cells is None or cells.size % len(names):
            raise DataError(
                f"{file.name}, run {number} must hold rows of {len(names)} numbers; "
                f"got {_first_wrong(block, len(names))}."
            )
        blocks.append(cells.reshape(-1, len(names)).T[columns])
    return blocks


def _numbers(text: str) -> FloatArray | None:
    if not text.strip():
        return np.empty(0)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        try:
            return np.fromstring(text, sep=" ")
        except (ValueError, DeprecationWarning):
            return None


def _first_wrong(block: str, width: int) -> str:
    for line in block.strip().splitlines():
        cells = _numbers(line)
        if cells is None or cells.size != width:
            return shown(line)
    return shown(block)
